"""What the solved game shares with the distribution of its scores."""

from libc.stdint cimport int8_t

from ._core cimport FACES, LAST, MAX_PENALTIES, ROWS

cdef enum:
    CLOSED = 0
    DEAD = 1
    ROLLS = 46656
    MOST = ROWS * LAST  # options of action 2

# The number of a pair in any order, as the table sorts them.
cdef inline int paired(int one, int other) noexcept nogil:
    return one * (one + 1) // 2 + other if one > other else other * (other + 1) // 2 + one

# The kind of a row by the place of its last mark and its number of marks, or NOTHING.
cdef int kind_of[LAST + 1][LAST + 2]

# An option of action 2: what it is worth with the best action 1 before it, and the row of that one's mark or NOTHING,
# for each number of penalties.
cdef struct Option:
    int row
    int sum
    double value[MAX_PENALTIES]
    int8_t first[MAX_PENALTIES]

# What a sum of the white dice offers.
cdef struct Offer:
    int count
    Option options[MOST]
    double single[MAX_PENALTIES]  # the best of action 1 alone
    int8_t first[MAX_PENALTIES]

cdef void gather(const double* values, const int* kinds, bint finish_turn, Offer* offers_of) noexcept nogil
cdef int rank(const Offer* offer, int p, double base, int* order) noexcept nogil
cdef void weigh(const Offer* offer, int total, const int* order, int n, int* rolls) noexcept nogil
cdef double still_to_come(const double* values, const int* kinds, int penalties) noexcept nogil
