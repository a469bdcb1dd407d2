# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The end of a two-player game, solved: the bag is empty, so both hands are known.

Iterative deepening by plies, alpha-beta with the null windows of principal variation search, a transposition table, and
the moves ordered by what they score less the best reply to them.  A position beyond the horizon is judged by letting
both play greedily to the end; when no such judgement was needed the result is exact.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

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

cdef enum:
    HAND = 6
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
    int64_t key

cdef struct State:
    Board* board
    int flex
    uint8_t hands[2][HAND]
    int counts[2]
    Entry* table
    Ordered* room
    Placement* scratch
    int64_t used
    int64_t nodes
    int64_t node_limit
    const int* stopping
    int32_t history[HISTORY]  # how often a move cut the search off, by its hash
    bint aborted
    bint beyond


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
    return state.board.hash ^ mixed(hand + <uint64_t>(2 * player + passed))


cdef inline void masks_of(const State* state, int player, uint64_t* masks) noexcept nogil:
    cdef int i, tile
    masks[0] = masks[1] = masks[2] = 0
    for i in range(state.counts[player]):
        tile = state.hands[player][i]
        if state.flex:
            masks[tile % 3] |= <uint64_t>1 << (tile // 3)
        else:
            masks[0] |= <uint64_t>1 << tile


cdef inline int score_of(const Placement* move) noexcept nogil:
    return <int>(move.what >> 48 & 255)


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


cdef inline int32_t* cuts_of(State* state, int player, const Placement* move) noexcept nogil:
    cdef uint64_t what = move.what & ~(<uint64_t>255 << 48)
    return &state.history[mixed(move.where ^ what * 2 + <uint64_t>player) & (HISTORY - 1)]


cdef int64_t order_moves(State* state, int player, bint closely, const Placement* skipped) noexcept nogil:
    """Put every move of the player but one on top of the room, with its place in the order; returns how many, or -1.

    The order is by score; closely, also by the best reply.
    """
    cdef uint64_t masks[3]
    cdef uint64_t other[3]
    cdef Placement reply
    cdef Ordered* moves = &state.room[state.used]
    cdef int64_t count, i, kept = 0
    cdef int best, tiles
    masks_of(state, player, masks)
    masks_of(state, 1 - player, other)
    count = board_placements(state.board, masks, state.scratch, ROOM)
    if state.used + count > ROOM:
        return -1
    for i in range(count):
        if skipped != NULL and state.scratch[i].where == skipped.where and state.scratch[i].what == skipped.what:
            continue
        moves[kept].move = state.scratch[i]
        moves[kept].key = 16 * score_of(&state.scratch[i]) + min(cuts_of(state, player, &state.scratch[i])[0], 400)
        if closely:
            tiles = make(state, player, &moves[kept].move)
            if not state.counts[player]:
                moves[kept].key += 16 * OUT_BONUS
            else:
                best = board_best(state.board, other, &reply)
                if best > 0:
                    moves[kept].key -= 16 * best
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


cdef int try_move(State* state, int player, int depth, const Placement* move, int low, int beta,
                  bint null_window) noexcept nogil:
    """The value of one move, exact within the window; with a null window first when it is not expected to be best."""
    cdef int tiles = make(state, player, move)
    cdef int score = score_of(move)
    cdef int value
    if not state.counts[player]:
        value = score + OUT_BONUS
    else:
        if null_window:
            value = score - search(state, 1 - player, depth - 1, score - low - 1, score - low, 0)
        if not null_window or low < value < beta and not state.aborted:
            value = score - search(state, 1 - player, depth - 1, score - beta, score - low, 0)
    unmake(state, player, move, tiles)
    return value


cdef int search(State* state, int player, int depth, int alpha, int beta, int passed) noexcept nogil:
    """The value for the player to move, within the window."""
    cdef uint64_t key = key_of(state, player, passed)
    cdef Entry* entry = &state.table[key & (TABLE - 1)]
    cdef uint64_t masks[3]
    cdef Placement first, best_move
    cdef Ordered* moves
    cdef int64_t count, i
    cdef int value, best, low = alpha
    cdef bint was_beyond = state.beyond
    state.nodes += 1
    if state.nodes >= state.node_limit or state.stopping[0]:
        state.aborted = True
        return 0
    if entry.kind and entry.key == key:
        if entry.depth >= depth:
            if (entry.kind == EXACT or entry.kind == AT_LEAST and entry.value >= beta
                    or entry.kind == AT_MOST and entry.value <= alpha):
                # A shallower search may have looked beyond its horizon; one that did not is noted as deepest.
                if entry.depth < MOST_PLIES:
                    state.beyond = True
                return entry.value
        first = entry.best
    else:
        masks_of(state, player, masks)
        if board_best(state.board, masks, &first) < 0:
            if passed:
                return 0
            return -search(state, 1 - player, depth, -beta, -alpha, 1)
    if depth <= 0:
        state.beyond = True
        return play_out(state, player)
    state.beyond = False
    # Often the first move is enough, and the others need not be found.
    best = try_move(state, player, depth, &first, low, beta, False)
    best_move = first
    if best < beta and not state.aborted:
        low = max(low, best)
        count = order_moves(state, player, state.counts[0] + state.counts[1] >= CLOSELY, &first)
        if count < 0:
            state.aborted = True
            return 0
        moves = &state.room[state.used]
        state.used += count
        for i in range(count):
            bring_best(moves, i, count)
            value = try_move(state, player, depth, &moves[i].move, low, beta, True)
            if state.aborted:
                break
            if value > best:
                best = value
                best_move = moves[i].move
                low = max(low, value)
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


cdef class Solver:
    """Solves one position: ``cells``, both hands (the mover's first) and the rules' options that matter."""

    cdef State state
    cdef int stopping

    def __cinit__(self, rules, cells, hands):
        cdef int player, i
        memset(&self.state, 0, sizeof(State))
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

    def deepen(self, int depth, int64_t node_limit, int wanted):
        """Search so many plies deep.

        Returns ``None`` when the limit or :meth:`stop` ended it; otherwise (exact, moves), moves being the ``wanted``
        best as (where, what, value), best first, all exact or as good as the horizon lets them be.
        """
        cdef Ordered* moves
        cdef int64_t count, i
        cdef int value, floor
        cdef bint exact = True
        self.state.node_limit = node_limit
        self.state.aborted = False
        self.state.used = 0
        found = []
        count = order_moves(&self.state, 0, True, NULL)
        if count < 0:
            return None
        moves = self.state.room
        self.state.used = count
        for i in range(count):
            bring_best(moves, i, count)
            # Whoever does not beat the last of those wanted need not be known exactly.
            floor = found[wanted - 1][2] if len(found) >= wanted else -INFINITE
            self.state.beyond = False
            with nogil:
                value = try_move(&self.state, 0, depth, &moves[i].move, floor, INFINITE, floor > -INFINITE)
            if self.state.aborted:
                return None
            exact = exact and not self.state.beyond
            if value > floor:
                found.append((moves[i].move.where, moves[i].move.what, value))
                found.sort(key=_by_value)
                del found[wanted:]
        return exact, found

    def line(self, first, int64_t node_limit):
        """The best play that the last exact search found, from a root move (where, what) on: a list of such pairs, None
        for a pass; cut short when the limit ends it."""
        cdef Placement move
        cdef Entry* entry
        cdef uint64_t masks[3]
        cdef Placement any
        cdef int player = 0, passed = 0
        self.stopping = 0
        self.state.aborted = False
        played = []
        undo = []
        move.where, move.what = first
        while True:
            undo.append((player, move.where, move.what, make(&self.state, player, &move)))
            played.append((move.where, move.what))
            if not self.state.counts[player]:
                break
            player = 1 - player
            passed = 0
            masks_of(&self.state, player, masks)
            if board_best(self.state.board, masks, &any) < 0:
                player = 1 - player
                passed = 1
                masks_of(&self.state, player, masks)
                if board_best(self.state.board, masks, &any) < 0:
                    break
                played.append(None)
            # Much of it stands in the table; what does not is searched again.
            self.state.node_limit = self.state.nodes + node_limit
            with nogil:
                search(&self.state, player, MOST_PLIES, -INFINITE, INFINITE, passed)
            if self.state.aborted:
                break
            entry = &self.state.table[key_of(&self.state, player, passed) & (TABLE - 1)]
            move = entry.best
        for player, move.where, move.what, tiles in reversed(undo):
            unmake(&self.state, player, &move, tiles)
        return played


def _by_value(found):
    return -found[2]
