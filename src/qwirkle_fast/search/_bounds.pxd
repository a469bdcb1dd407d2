"""What the players of an endgame can still score, at most and at least: bounds for the solver."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from .._core cimport MAX_EDGES, STRIDE, Board, Placement

cdef enum:
    REPLIES = 8

# What a node knows about the rest of the game.  live: the edges that accept a tile that is left; only these and those
# from edge_count on can be among them further on.  most: the most that each tile can still score.
cdef struct View:
    int live_count
    int edge_count
    uint16_t live[MAX_EDGES]
    uint8_t most[108]

# A placement of the other player, what it scores, and, as bits of their cells, where a tile would change it.
cdef struct Reply:
    Placement move
    int score
    uint64_t critical

cdef void look(const Board* board, uint64_t rest, int tiles, const View* above, View* view) noexcept nogil
cdef void find_replies(Board* board, const uint64_t* hand, int tiles, Placement* room, int64_t capacity, Reply* outs,
                       Reply* others) noexcept nogil


cdef inline int score_of(const Placement* move) noexcept nogil:
    return <int>(move.what >> 48 & 255)


cdef inline uint64_t cells_of(const Placement* move, int* tiles, int* most, const View* view) noexcept nogil:
    """The cells of a placement as bits, how many they are, and the most that its tiles could have scored."""
    cdef uint64_t rest = move.what & ((<uint64_t>1 << 48) - 1)
    cdef int p = <int>(<uint32_t>move.where + <uint32_t>STRIDE * <uint32_t>(move.where >> 32))
    cdef int step = STRIDE if move.what >> 56 else 1
    cdef uint64_t cells = 0
    tiles[0] = most[0] = 0
    while rest:
        if rest & 255:
            cells |= <uint64_t>1 << (p & 63)
            tiles[0] += 1
            most[0] += view.most[(rest & 255) - 1]
        rest >>= 8
        p += step
    return cells


cdef inline const Reply* reply_to(const Reply* replies, uint64_t cells) noexcept nogil:
    """The best reply that tiles on these cells leave as it is; the last, which scores 0, when there is none."""
    cdef int i = 0
    while replies[i].critical & cells:
        i += 1
    return &replies[i]
