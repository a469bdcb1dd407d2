# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The end of a two-player game, solved: the bag is empty, so both hands are known.

Iterative deepening by plies, alpha-beta with the null windows of principal variation search, a transposition table, and
the moves ordered by what they score less the best reply to them.  A position beyond the horizon is judged by letting
both play greedily to the end; when no such judgement was needed the result is exact.

Two bounds spare most of the work: no tile can score more than the longest lines that it could still be in; and what a
move scores, less a reply that it does not touch, and what the tiles kept can score at most, is the most that it is
worth.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from .._core cimport (
    Board,
    Placement,
    board_best,
    board_free,
    board_lay,
    board_new,
    board_place,
    board_placements,
    board_take_back,
)
from ._bounds cimport REPLIES, Reply, View, cells_of, find_replies, look, reply_to, score_of

cdef enum:
    HAND = 6
    FEW = 3
    OUT_BONUS = 6
    ROOM = 1 << 18
    TABLE = 1 << 19
    EXACT = 1
    AT_LEAST = 2
    AT_MOST = 3
    INFINITE = 10000
    MOST_PLIES = 40
    CLOSELY = 10
    HISTORY = 1 << 14

cdef struct Entry:
    uint64_t key
    Placement best
    int16_t value
    uint8_t depth
    uint8_t kind

cdef struct Ordered:
    Placement move
    Placement reply  # what the other player may answer; none when its what is 0
    int64_t key

# Best play from a node on; a pass is a move without tiles.
cdef struct Line:
    int count
    Placement moves[4 * HAND]

cdef struct State:
    Board* board
    int flex
    uint8_t hands[2][HAND]
    int counts[2]
    Entry* table
    Ordered* room
    Placement* scratch
    int64_t used
    uint64_t salt  # sets what is in the table apart from what earlier deals left there
    int64_t nodes
    int64_t node_limit
    const int* stopping
    int32_t history[HISTORY]  # how often a move cut the search off, by its hash
    bint aborted
    bint beyond
    View views[2 * HAND + 1]  # by how many tiles are left, 0 for the root
    Line lines[2 * HAND + 1][2]  # likewise, and whether the last player passed

cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t key_of(const State* state, int player, int passed) noexcept nogil:
    """The board, one hand (with the board it decides the other), whose turn it is, and whether the last passed."""
    cdef uint64_t hand = 0
    cdef int i
    for i in range(state.counts[0]):
        hand += mixed(<uint64_t>state.hands[0][i] + 1)
    return state.board.hash ^ state.salt ^ mixed(hand + <uint64_t>(2 * player + passed))


cdef inline void masks_of(const State* state, int player, uint64_t* masks) noexcept nogil:
    cdef int i, tile
    masks[0] = masks[1] = masks[2] = 0
    for i in range(state.counts[player]):
        tile = state.hands[player][i]
        if state.flex:
            masks[tile % 3] |= <uint64_t>1 << (tile // 3)
        else:
            masks[0] |= <uint64_t>1 << tile


cdef int make(State* state, int player, const Placement* move) noexcept nogil:
    """Lay the tiles, take them from the hand, and return how many they are."""
    cdef uint64_t rest = move.what & ((<uint64_t>1 << 48) - 1)
    cdef int tile, i, tiles = 0
    board_lay(state.board, move)
    while rest:
        tile = <int>(rest & 255) - 1
        rest >>= 8
        if tile < 0:
            continue
        i = 0
        while state.hands[player][i] != tile:
            i += 1
        state.counts[player] -= 1
        state.hands[player][i] = state.hands[player][state.counts[player]]
        tiles += 1
    return tiles


cdef void unmake(State* state, int player, const Placement* move, int tiles) noexcept nogil:
    cdef uint64_t rest = move.what & ((<uint64_t>1 << 48) - 1)
    cdef int tile
    for _ in range(tiles):
        board_take_back(state.board)
    while rest:
        tile = <int>(rest & 255) - 1
        rest >>= 8
        if tile >= 0:
            state.hands[player][state.counts[player]] = <uint8_t>tile
            state.counts[player] += 1


cdef int play_out(State* state, int player) noexcept nogil:
    """What greedy play of both brings the player more than the other, to the end of the game."""
    cdef Placement move
    cdef uint64_t masks[3]
    cdef uint8_t hands[2][HAND]
    cdef int counts[2]
    cdef int value = 0, sign = 1, idle = 0, laid = 0, tiles, i
    for i in range(2):
        hands[i] = state.hands[i]
        counts[i] = state.counts[i]
    while idle < 2:
        masks_of(state, player, masks)
        if board_best(state.board, masks, &move) >= 0:
            tiles = make(state, player, &move)
            laid += tiles
            value += sign * score_of(&move)
            idle = 0
            if not state.counts[player]:
                value += sign * OUT_BONUS
                break
        else:
            idle += 1
        player = 1 - player
        sign = -sign
    for _ in range(laid):
        board_take_back(state.board)
    for i in range(2):
        state.hands[i] = hands[i]
        state.counts[i] = counts[i]
    return value


cdef inline void look_around(const State* state, const View* above, View* view) noexcept nogil:
    cdef uint64_t rest = 0
    cdef int player, i
    for player in range(2):
        for i in range(state.counts[player]):
            rest |= <uint64_t>1 << (state.hands[player][i] // 3 if state.flex else state.hands[player][i])
    look(state.board, rest, state.counts[0] + state.counts[1], above, view)


cdef inline int most_of(const State* state, const View* view, int player) noexcept nogil:
    """The most that the player can still score."""
    cdef int i, most = OUT_BONUS
    for i in range(state.counts[player]):
        most += view.most[state.hands[player][i]]
    return most


cdef inline int single_on(const Board* board, int edge, uint64_t tile) noexcept nogil:
    """What the tile scores on the edge alone (classic); -1 where it does not fit."""
    if not board.fits[edge] & tile:
        return -1
    return board.edges[edge].points[0] + board.edges[edge].points[1]


cdef int last_tile(State* state, int player, const View* above) noexcept nogil:
    """The most that the player's one tile can score; -1 when it fits nowhere."""
    cdef uint64_t masks[3]
    cdef Placement move
    cdef int i, best = -1
    cdef uint64_t tile
    if state.flex:
        masks_of(state, player, masks)
        return board_best(state.board, masks, &move)
    tile = <uint64_t>1 << state.hands[player][0]
    for i in range(above.live_count):
        best = max(best, single_on(state.board, above.live[i], tile))
    for i in range(above.edge_count, state.board.edge_count):
        best = max(best, single_on(state.board, i, tile))
    return best


cdef inline int32_t* cuts_of(State* state, int player, const Placement* move) noexcept nogil:
    cdef uint64_t what = move.what & ~(<uint64_t>255 << 48)
    return &state.history[mixed(move.where ^ what * 2 + <uint64_t>player) & (HISTORY - 1)]


cdef int64_t order_moves(State* state, int player, bint closely, const Placement* skipped, const View* view,
                         int low, int* best) noexcept nogil:
    """Put the moves of the player but one on top of the room, with their place in the order; returns how many, or -1.

    Moves that cannot be worth more than low are left out; best is raised to the most that they could be worth.
    """
    cdef uint64_t masks[3]
    cdef uint64_t other[3]
    cdef Reply outs[REPLIES + 1]
    cdef Reply others[REPLIES + 1]
    cdef Placement reply
    cdef Ordered* moves = &state.room[state.used]
    cdef int64_t count, i, kept = 0
    cdef int best_reply, tiles, most, limit, score
    cdef const Reply* out
    cdef const Reply* answer
    cdef int own = most_of(state, view, player)
    cdef uint64_t cells
    masks_of(state, player, masks)
    masks_of(state, 1 - player, other)
    find_replies(state.board, other, state.counts[1 - player], state.scratch, ROOM, outs, others)
    count = board_placements(state.board, masks, state.scratch, ROOM)
    if state.used + count > ROOM:
        return -1
    for i in range(count):
        if skipped != NULL and state.scratch[i].where == skipped.where and state.scratch[i].what == skipped.what:
            continue
        score = score_of(&state.scratch[i])
        cells = cells_of(&state.scratch[i], &tiles, &most, view)
        if tiles == state.counts[player]:
            limit = score + OUT_BONUS
            answer = &others[REPLIES]
        else:
            out = reply_to(outs, cells)
            answer = reply_to(others, cells)
            limit = score + own - most - answer.score
            if out.score and score - out.score - OUT_BONUS < limit:
                limit = score - out.score - OUT_BONUS
                answer = out
        if limit <= low:
            best[0] = max(best[0], limit)
            continue
        moves[kept].move = state.scratch[i]
        moves[kept].reply = answer.move
        moves[kept].key = 16 * score_of(&state.scratch[i]) + min(cuts_of(state, player, &state.scratch[i])[0], 400)
        if closely:
            tiles = make(state, player, &moves[kept].move)
            if not state.counts[player]:
                moves[kept].key += 16 * OUT_BONUS
            else:
                best_reply = board_best(state.board, other, &reply)
                if best_reply > 0:
                    moves[kept].key -= 16 * best_reply
            unmake(state, player, &moves[kept].move, tiles)
            moves[kept].key += tiles
        kept += 1
    return kept


cdef inline void bring_best(Ordered* moves, int64_t at, int64_t count) noexcept nogil:
    """Swap the highest in order of those from ``at`` on to ``at``; of equals the lower words, whatever the board's
    history."""
    cdef int64_t i, best = at
    cdef Ordered swap
    for i in range(at + 1, count):
        if moves[i].key > moves[best].key or moves[i].key == moves[best].key and (
                moves[i].move.where < moves[best].move.where or moves[i].move.where == moves[best].move.where
                and moves[i].move.what < moves[best].move.what):
            best = i
    swap = moves[at]
    moves[at] = moves[best]
    moves[best] = swap


cdef inline Line* line_at(State* state, int passed) noexcept nogil:
    return &state.lines[state.counts[0] + state.counts[1]][passed]


cdef inline void note_line(Line* line, const Placement* move, const Line* rest) noexcept nogil:
    """The move, then the rest."""
    line.moves[0] = move[0]
    memcpy(&line.moves[1], rest.moves, rest.count * sizeof(Placement))
    line.count = rest.count + 1


cdef inline const Line* after_move(State* state, const Placement* move) noexcept nogil:
    """The line that was found when the move was tried."""
    cdef uint64_t rest = move.what & ((<uint64_t>1 << 48) - 1)
    cdef int left = state.counts[0] + state.counts[1]
    while rest:
        left -= (rest & 255) != 0
        rest >>= 8
    return &state.lines[left][0]


cdef int pass_on(State* state, int player, int depth, int alpha, int beta, int passed,
                 const View* above) noexcept nogil:
    """The value for a player who cannot move."""
    cdef Placement none
    cdef Line* line = line_at(state, passed)
    cdef int value
    line.count = 0
    if passed:
        return 0
    value = -search(state, 1 - player, depth, -beta, -alpha, 1, NULL, above)
    none.where = none.what = 0
    note_line(line, &none, line_at(state, 1))
    return value


cdef int try_move(State* state, int player, int depth, const Placement* move, const Placement* reply,
                  int low, int beta, bint null_window, const View* view) noexcept nogil:
    """The value of one move, exact within the window; with a null window first when it is not expected to be best."""
    cdef int tiles = make(state, player, move)
    cdef int score = score_of(move)
    cdef int value
    if not state.counts[player]:
        line_at(state, 0).count = 0
        value = score + OUT_BONUS
    else:
        if null_window:
            value = score - search(state, 1 - player, depth - 1, score - low - 1, score - low, 0, reply, view)
        if not null_window or low < value < beta and not state.aborted:
            value = score - search(state, 1 - player, depth - 1, score - beta, score - low, 0, reply, view)
    unmake(state, player, move, tiles)
    return value


cdef int search(State* state, int player, int depth, int alpha, int beta, int passed,
                const Placement* hint, const View* above) noexcept nogil:
    """The value for the player to move, within the window."""
    cdef uint64_t key
    cdef Entry* entry
    cdef uint64_t masks[3]
    cdef Placement best_move
    cdef Ordered* moves
    cdef int64_t count, i
    cdef int value, low = alpha, best = -INFINITE
    cdef bint was_beyond = state.beyond
    cdef bint main = beta - alpha > 1
    cdef View* view
    state.nodes += 1
    if state.nodes >= state.node_limit or state.stopping[0]:
        state.aborted = True
        return 0
    value = most_of(state, above, player)
    if value <= alpha:
        return value
    if state.counts[player] == 1:
        if main:
            masks_of(state, player, masks)
            value = board_best(state.board, masks, &best_move)
            line_at(state, passed).moves[0] = best_move
            line_at(state, passed).count = 1
        else:
            value = last_tile(state, player, above)
        if value < 0:
            return pass_on(state, player, depth, alpha, beta, passed, above)
        return value + OUT_BONUS
    key = key_of(state, player, passed)
    entry = &state.table[key & (TABLE - 1)]
    best_move.what = 0
    if entry.kind and entry.key == key:
        if entry.depth >= depth and not main:
            if (entry.kind == EXACT or entry.kind == AT_LEAST and entry.value >= beta
                    or entry.kind == AT_MOST and entry.value <= alpha):
                # A shallower search may have looked beyond its horizon; one that did not is noted as deepest.
                if entry.depth < MOST_PLIES:
                    state.beyond = True
                return entry.value
        best_move = entry.best
    elif hint != NULL and hint.what:
        best_move = hint[0]
    elif state.counts[player] > FEW:
        masks_of(state, player, masks)
        if board_best(state.board, masks, &best_move) < 0:
            return pass_on(state, player, depth, alpha, beta, passed, above)
    if best_move.what:
        value = score_of(&best_move) - most_of(state, above, 1 - player)
        if value >= beta:
            return value
    if depth <= 0:
        state.beyond = True
        line_at(state, passed).count = 0
        return play_out(state, player)
    state.beyond = False
    if best_move.what:
        # Often the first move is enough, and the others need not be found.
        best = try_move(state, player, depth, &best_move, NULL, low, beta, False, above)
        if main and best > alpha:
            note_line(line_at(state, passed), &best_move, after_move(state, &best_move))
    if best < beta and not state.aborted:
        view = &state.views[state.counts[0] + state.counts[1]]
        look_around(state, above, view)
        value = most_of(state, view, player)
        if value <= alpha:
            state.beyond = was_beyond
            return value
        low = max(low, best)
        count = order_moves(state, player, state.counts[0] + state.counts[1] >= CLOSELY, &best_move, view, low, &best)
        if count < 0:
            state.aborted = True
            return 0
        moves = &state.room[state.used]
        state.used += count
        if best == -INFINITE and not count:
            # No move at all.
            state.beyond = was_beyond
            return pass_on(state, player, depth, alpha, beta, passed, above)
        for i in range(count):
            bring_best(moves, i, count)
            value = try_move(state, player, depth, &moves[i].move, &moves[i].reply, low, beta, low > alpha, view)
            if state.aborted:
                break
            if value > best:
                best = value
                best_move = moves[i].move
                low = max(low, value)
                if main and value > alpha:
                    note_line(line_at(state, passed), &best_move, after_move(state, &best_move))
                if value >= beta:
                    cuts_of(state, player, &best_move)[0] += 4
                    break
        state.used -= count
    if state.aborted:
        return 0
    entry.key = key
    entry.best = best_move
    entry.value = <int16_t>best
    entry.depth = MOST_PLIES if not state.beyond else <uint8_t>depth
    entry.kind = AT_MOST if best <= alpha else AT_LEAST if best >= beta else EXACT
    state.beyond = state.beyond or was_beyond
    return best


cdef int draw(State* state, int player, const uint8_t* tiles, int at, int end) noexcept nogil:
    """Fill the hand from the bag, tiles[at] to tiles[end - 1]; returns where the bag begins now."""
    while state.counts[player] < HAND and at < end:
        state.hands[player][state.counts[player]] = tiles[at]
        state.counts[player] += 1
        at += 1
    return at


cdef int outcome(State* state, const Placement* first, int swap, uint8_t* tiles, int hidden, int end,
                 int depth) noexcept nogil:
    """What a first move, a placement or an exchange of the tiles whose bits are set, brings the player in the end more
    than the other, who holds the first ``hidden`` tiles too, the rest being the bag.

    Both play greedily while the bag lasts, then the game is searched so many plies deep.
    """
    cdef Placement move = first[0]
    cdef uint64_t masks[3]
    cdef uint8_t hands[2][HAND]
    cdef int counts[2]
    cdef uint8_t tile
    cdef int value = 0, sign = 1, idle = 0, laid = 0, player = 0, at = 0, i, j, taken
    cdef View* view = &state.views[0]
    for i in range(2):
        hands[i] = state.hands[i]
        counts[i] = state.counts[i]
    for at in range(hidden):
        state.hands[1][state.counts[1]] = tiles[at]
        state.counts[1] += 1
    at = hidden
    while at < end and idle < 4:
        if laid or idle:
            masks_of(state, player, masks)
            if board_best(state.board, masks, &move) < 0:
                move.what = 0
                swap = (1 << min(state.counts[player], end - at)) - 1
        if move.what:
            taken = make(state, player, &move)
            laid += taken
            value += sign * score_of(&move)
            idle = 0
            at = draw(state, player, tiles, at, end)
            if not state.counts[player]:
                value += sign * OUT_BONUS
                break
        else:
            # What is put back is drawn last.
            for i in range(state.counts[player]):
                if swap >> i & 1:
                    tile = state.hands[player][i]
                    state.hands[player][i] = tiles[at]
                    for j in range(at, end - 1):
                        tiles[j] = tiles[j + 1]
                    tiles[end - 1] = tile
            idle += 1
        player = 1 - player
        sign = -sign
    if at == end and state.counts[0] and state.counts[1]:
        view.live_count = 0
        view.edge_count = 1
        look_around(state, view, view)
        value += sign * search(state, player, depth, -INFINITE, INFINITE, 0, NULL, view)
    for _ in range(laid):
        board_take_back(state.board)
    for i in range(2):
        state.hands[i] = hands[i]
        state.counts[i] = counts[i]
    return value


cdef class Solver:
    """Solves one position: ``cells``, both hands (the mover's first) and the rules' options that matter."""

    cdef State state
    cdef Placement best  # of the last search
    cdef int stopping

    def __cinit__(self, rules, cells, hands):
        cdef int player, i
        memset(&self.state, 0, sizeof(State))
        self.best.where = self.best.what = 0
        self.stopping = 0
        self.state.stopping = &self.stopping
        self.state.flex = rules.name == "flex"
        self.state.board = board_new(self.state.flex, rules.diagonal_min, rules.opening == "largest")
        self.state.table = <Entry*>calloc(TABLE, sizeof(Entry))
        self.state.room = <Ordered*>malloc(ROOM * sizeof(Ordered))
        self.state.scratch = <Placement*>malloc(ROOM * sizeof(Placement))
        if (self.state.board == NULL or self.state.table == NULL or self.state.room == NULL
                or self.state.scratch == NULL):
            raise MemoryError("no memory for the endgame")
        for x, y, tile in cells:
            board_place(self.state.board, x, y, tile)
        for player in range(2):
            self.state.counts[player] = len(hands[player])
            for i, tile in enumerate(hands[player]):
                self.state.hands[player][i] = tile

    def __dealloc__(self):
        board_free(self.state.board)
        free(self.state.table)
        free(self.state.room)
        free(self.state.scratch)

    def stop(self):
        """End a search that runs in another thread; what it has is kept."""
        self.stopping = 1

    @property
    def nodes(self):
        return self.state.nodes

    @property
    def stopped(self):
        """Did the limit or :meth:`stop` end the last search?"""
        return self.state.aborted

    def deepen(self, int depth, int64_t node_limit, int wanted):
        """Search so many plies deep, until ``node_limit`` nodes in all have been searched.

        Returns (exact, moves): the ``wanted`` best moves, best first, as (where, what, value, line), the line being
        best play as a list of (where, what), this move first, ``None`` for a pass.  All are exact or as good as the
        horizon lets them be.  When the search was stopped they are the best of the moves that it came to; it begins
        with the best of the last search.
        """
        cdef View* view = &self.state.views[0]
        cdef Ordered* moves
        cdef int64_t count, i
        cdef int value, floor
        cdef bint exact = True
        self.state.node_limit = node_limit
        self.state.aborted = False
        self.state.used = 0
        view.live_count = 0
        view.edge_count = 1
        look_around(&self.state, view, view)
        floor = -INFINITE
        count = order_moves(&self.state, 0, True, NULL, view, floor, &floor)
        if count < 0:
            self.state.aborted = True
            return False, []
        moves = self.state.room
        self.state.used = count
        for i in range(count):
            if moves[i].move.where == self.best.where and moves[i].move.what == self.best.what:
                moves[i].key = 1 << 30
        found = []
        for i in range(count):
            bring_best(moves, i, count)
            # Whoever does not beat the last of those wanted need not be known exactly.
            floor = found[wanted - 1][2] if len(found) >= wanted else -INFINITE
            self.state.beyond = False
            with nogil:
                value = try_move(&self.state, 0, depth, &moves[i].move, &moves[i].reply, floor, INFINITE,
                                 floor > -INFINITE, view)
            if self.state.aborted:
                exact = False
                break
            exact = exact and not self.state.beyond
            if value > floor:
                found.append((moves[i].move.where, moves[i].move.what, value, self._line(&moves[i].move)))
                found.sort(key=_by_value)
                del found[wanted:]
        if found:
            self.best.where, self.best.what = found[0][:2]
        return exact, found

    def outcome(self, first, int swap, tiles, int hidden, int depth, uint64_t salt):
        """What a first move brings in the end, more than the other gets, in one deal of what is hidden.

        ``first``: a placement (where, what), what being 0 for an exchange of the tiles of the hand whose bits are set
        in ``swap``.  ``tiles``: the other's ``hidden`` ones, then the bag in drawing order.  While the bag lasts both
        play greedily, then so many plies are searched.  ``salt`` tells deals apart: with the same one the answer is
        always the same.  ``None`` when :meth:`stop` ended it.
        """
        cdef uint8_t deal[2 * HAND]
        cdef Placement move
        cdef int i, value
        cdef int count = len(tiles)
        if count > 2 * HAND:
            raise ValueError(f"tiles: {count}, expected at most {2 * HAND}")
        for i in range(count):
            deal[i] = tiles[i]
        move.where, move.what = first
        self.state.salt = mixed(salt)
        self.state.node_limit = 1 << 60
        self.state.aborted = False
        self.state.used = 0
        memset(self.state.history, 0, sizeof(self.state.history))
        with nogil:
            value = outcome(&self.state, &move, swap, deal, hidden, count, depth)
        return None if self.state.aborted else value

    cdef list _line(self, const Placement* move):
        cdef const Line* line = after_move(&self.state, move)
        cdef int i
        return [(move.where, move.what)] + [
            (line.moves[i].where, line.moves[i].what) if line.moves[i].what else None
            for i in range(line.count)
        ]


def _by_value(found):
    return -found[2]
