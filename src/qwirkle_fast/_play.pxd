"""Whole games in native code: the project's random generator, the deal, and turns with everything they end in."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from ._core cimport Board, Placement

cdef enum:
    MAX_PLAYERS = 6
    HAND = 6
    DECK = 108

cdef enum Ending:
    GOING_ON = 0
    OUT = 1
    STUCK = 2
    DEAD = 3
    EXCHANGES = 4

# All of a game but the board.  bag: what is left of it, the next tile to draw last.  unplaced: how many of each tile
# are in hands or the bag; left: the symbols of those, by background.
cdef struct Table:
    uint64_t seed
    int flex
    int players
    int exchange_cap
    int turn
    int seat
    int streak
    int ending
    int bag_count
    uint8_t bag[DECK]
    int hand_count[MAX_PLAYERS]
    uint8_t hand[MAX_PLAYERS][HAND]
    int score[MAX_PLAYERS]
    uint8_t unplaced[DECK]
    uint64_t left[3]

cdef uint64_t next_random(uint64_t* state) noexcept nogil
cdef int below(uint64_t* state, int n) noexcept nogil
cdef void shuffle(uint8_t* tiles, int count, uint64_t* state) noexcept nogil
cdef void table_deal(Table* table, const uint8_t* copies, int youngest_first) noexcept nogil
cdef void table_masks(const Table* table, int seat, uint64_t* masks) noexcept nogil
cdef void table_place(Table* table, Board* board, const Placement* placement) noexcept nogil
cdef void table_exchange(Table* table, int count) noexcept nogil
cdef void table_sort(Table* table) noexcept nogil
cdef void table_swap(Table* table, int count) noexcept nogil
cdef int table_greedy_turn(Table* table, Board* board) noexcept nogil
cdef int set_up(Table* table, rules, int players, uint8_t* copies) except -1
