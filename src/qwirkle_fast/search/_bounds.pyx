# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Bounds for the endgame.

No tile can score more than the longest lines that it and those left could make; what fits a cell only shrinks as tiles
are laid, so a bound holds for the rest of the game.  And a reply that a move does not touch is still there after it.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from .._core cimport CELL_MASK, STRIDE, TAKEN, Board, Edge, Placement, board_placements

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    #define population(x) ((int)__popcnt64(x))
    static __inline int lowest(unsigned __int64 x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    #else
    #define population(x) __builtin_popcountll(x)
    #define lowest(x) __builtin_ctzll(x)
    #endif
    """
    int population(uint64_t x) nogil
    int lowest(uint64_t x) nogil

cdef uint64_t COLOUR_OF[36]
cdef uint64_t SHAPE_OF[36]
cdef uint8_t POINTS[7]


cdef void make_tables() noexcept:
    cdef int i
    for i in range(36):
        COLOUR_OF[i] = <uint64_t>63 << 6 * (i // 6)
        SHAPE_OF[i] = <uint64_t>0x41041041 << i % 6
    for i in range(7):
        POINTS[i] = 0 if i < 2 else i if i < 6 else 12


make_tables()


cdef inline int in_line(int symbol, uint64_t group) noexcept nogil:
    """The most symbols of the group that one line can hold with this one, itself included."""
    return max(population(group & COLOUR_OF[symbol]), population(group & SHAPE_OF[symbol]))


cdef inline int follow(const Board* board, int p, int axis, int side, uint64_t tile, uint64_t group, int tiles,
                       int* joined) noexcept nogil:
    """How many of so many tiles of the group can be laid in line with one tile from the empty cell p on; adds the tiles
    that they join."""
    cdef int step = (STRIDE if axis else 1) * (1 if side else -1)
    cdef int i, length, laid = 0
    while laid < tiles:
        i = board.edge_at[p & CELL_MASK]
        if not board.fits[i] & group or not board.edges[i].fit[axis] & tile:
            break
        laid += 1
        length = board.edges[i].length[2 * axis + side]
        joined[0] += length
        p += step * (length + 1)
    return laid


cdef inline int length_of(const Board* board, const Edge* edge, int axis, int symbol, uint64_t rest,
                          bint here) noexcept nogil:
    """The longest line through the edge that can hold the symbol (on the edge, or not) and tiles that are left."""
    cdef int step = STRIDE if axis else 1
    cdef int length = edge.length[2 * axis] + edge.length[2 * axis + 1] + 1
    cdef uint64_t tile = <uint64_t>1 << symbol
    cdef uint64_t group = rest & edge.fit[axis]
    cdef int more = in_line(symbol, group) - 1
    cdef int laid, joined = 0
    if not more:
        return length
    group &= COLOUR_OF[symbol] | SHAPE_OF[symbol]
    if here:
        group &= ~tile
    laid = follow(board, edge.cell[0] + (edge.length[2 * axis + 1] + 1) * step, axis, 1, tile, group, more, &joined)
    laid += follow(board, edge.cell[0] - (edge.length[2 * axis] + 1) * step, axis, 0, tile, group, more, &joined)
    return min(length + min(laid, more) + joined, 6)


cdef void look(const Board* board, uint64_t rest, int tiles, const View* above, View* view) noexcept nogil:
    """Bound what each tile that is left can score, whoever lays it and whatever is laid before.

    rest: the symbols that are left, of so many tiles.  above: of an earlier position of the game, or an empty one.
    """
    cdef const Edge* edge
    cdef uint64_t group, fit, here
    cdef uint8_t line[36]
    cdef int i, n, axis, symbol, length, points, lines
    n = 0
    for i in range(above.live_count):
        view.live[n] = above.live[i]
        n += (board.fits[above.live[i]] & rest) != 0
    for i in range(above.edge_count, board.edge_count):
        view.live[n] = <uint16_t>i
        n += (board.fits[i] & rest) != 0
    view.live_count = n
    view.edge_count = board.edge_count
    if board.flex:
        memset(view.most, 60, 108)
        return
    fit = rest
    while fit:
        symbol = lowest(fit)
        fit &= fit - 1
        line[symbol] = POINTS[in_line(symbol, rest)]
    # Lines that other tiles must reach first.
    for i in range(n):
        edge = &board.edges[view.live[i]]
        for axis in range(2):
            length = edge.length[2 * axis] + edge.length[2 * axis + 1]
            group = edge.fit[axis] & rest
            if not length or not group & (group - 1):
                continue
            here = group & board.fits[view.live[i]]
            fit = group
            while fit:
                symbol = lowest(fit)
                fit &= fit - 1
                if here & (COLOUR_OF[symbol] | SHAPE_OF[symbol]) & ~(<uint64_t>1 << symbol):
                    points = length_of(board, edge, axis, symbol, rest, False)
                    if points > length + 1:
                        line[symbol] = max(line[symbol], POINTS[points])
    lines = min(2, tiles - 1)
    fit = rest
    while fit:
        symbol = lowest(fit)
        fit &= fit - 1
        view.most[symbol] = <uint8_t>(lines * line[symbol])
    for i in range(n):
        edge = &board.edges[view.live[i]]
        fit = rest & board.fits[view.live[i]]
        while fit:
            symbol = lowest(fit)
            fit &= fit - 1
            points = (POINTS[length_of(board, edge, 0, symbol, rest, True)]
                      + POINTS[length_of(board, edge, 1, symbol, rest, True)])
            view.most[symbol] = max(view.most[symbol], <uint8_t>points)


cdef inline uint64_t critical_of(const Board* board, const Placement* move) noexcept nogil:
    """The cells, as bits, where another tile would change what the placement scores or whether it is legal."""
    cdef uint64_t rest = move.what & ((<uint64_t>1 << 48) - 1)
    cdef int p = <int>(<uint32_t>move.where + <uint32_t>STRIDE * <uint32_t>(move.where >> 32)) & CELL_MASK
    cdef int step = STRIDE if move.what >> 56 else 1
    cdef uint64_t cells = 0
    cdef int i, q, across
    cdef const Edge* edge
    while rest:
        if rest & 255:
            edge = &board.edges[board.edge_at[p]]
            cells |= <uint64_t>1 << (p & 63)
            cells |= <uint64_t>1 << ((p - edge.length[0] - 1) & 63)
            cells |= <uint64_t>1 << ((p + edge.length[1] + 1) & 63)
            cells |= <uint64_t>1 << ((p - STRIDE * (edge.length[2] + 1)) & 63)
            cells |= <uint64_t>1 << ((p + STRIDE * (edge.length[3] + 1)) & 63)
            if board.flex:
                # A diagonal run may grow too long.
                for i in range(4):
                    across = (STRIDE + 1 if i < 2 else STRIDE - 1) * (1 if i & 1 else -1)
                    q = (p + across) & CELL_MASK
                    while board.ahead[0][q] == TAKEN:
                        q = (q + across) & CELL_MASK
                    cells |= <uint64_t>1 << (q & 63)
        rest >>= 8
        p = (p + step) & CELL_MASK
    return cells


cdef void find_replies(Board* board, const uint64_t* hand, int tiles, Placement* room, int64_t capacity, Reply* outs,
                       Reply* others) noexcept nogil:
    """The best placements of a hand of so many tiles, by score: those that end the game and the others.

    There are REPLIES of each and one more, which scores 0, as those do that are not used.
    """
    cdef int64_t count, i
    cdef int score, laid, j
    cdef uint64_t rest
    cdef Reply* replies
    memset(outs, 0, (REPLIES + 1) * sizeof(Reply))
    memset(others, 0, (REPLIES + 1) * sizeof(Reply))
    count = board_placements(board, hand, room, capacity)
    for i in range(min(count, capacity)):
        score = score_of(&room[i])
        rest = room[i].what & ((<uint64_t>1 << 48) - 1)
        laid = 0
        while rest:
            laid += (rest & 255) != 0
            rest >>= 8
        replies = outs if laid == tiles else others
        if score <= replies[REPLIES - 1].score:
            continue
        j = REPLIES - 1
        while j and replies[j - 1].score < score:
            replies[j] = replies[j - 1]
            j -= 1
        replies[j].move = room[i]
        replies[j].score = score
        replies[j].critical = critical_of(board, &room[i])
