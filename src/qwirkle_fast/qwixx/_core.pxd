"""The rules of Qwixx in native code, for ``cimport qwirkle_fast.qwixx._core``.

All functions are ``nogil``, touch no Python object and allocate nothing.
"""

from libc.stdint cimport int8_t, uint64_t

cdef enum:
    ROWS = 4
    LAST = 11  # cells of a row; a place is 1 to 11, 0 before the first mark
    NEEDED = 5  # marks before the last number
    FACES = 6
    SEATS = 5
    MAX_PENALTIES = 4
    PENALTY = 5
    NOTHING = -1

# One player's sheet: of each row the place of the last mark and the number of marks, the lock included.
cdef struct Sheet:
    int8_t last[ROWS]
    int8_t count[ROWS]
    int8_t penalties

# A table between two turns, or between the two actions of one.  closed: a bit a row.
cdef struct Table:
    Sheet sheets[SEATS]
    int players
    int active
    int closed
    bint finish_turn

# The white dice first, then one of each row.
cdef struct Dice:
    int white[2]
    int coloured[ROWS]


cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


# splitmix64.
cdef inline uint64_t next_bits(uint64_t* state) noexcept nogil:
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    return mixed(state[0])


cdef inline int below(uint64_t* state, int n) noexcept nogil:
    return <int>((next_bits(state) >> 32) * <uint64_t>n >> 32)


# The state of the generator of one turn's chance.
cdef inline uint64_t turn_state(uint64_t seed, uint64_t turn) noexcept nogil:
    return mixed(seed + <uint64_t>0x9E3779B97F4A7C15 * (turn + 1))


cdef inline int place_of(int row, int total) noexcept nogil:
    return total - 1 if row < 2 else 13 - total


cdef inline int closed_rows(const Table* table) noexcept nogil:
    return (table.closed & 1) + (table.closed >> 1 & 1) + (table.closed >> 2 & 1) + (table.closed >> 3)


# Has the sheet room for a mark at a place of a row?  The row being open is asked of the table.
cdef inline bint fits(const Sheet* sheet, int row, int place) noexcept nogil:
    return place > sheet.last[row] and (place < LAST or sheet.count[row] >= NEEDED)


cdef inline void mark(Sheet* sheet, int row, int place) noexcept nogil:
    sheet.last[row] = place
    sheet.count[row] += 1 + (place == LAST)


cdef void roll(Dice* dice, uint64_t bits) noexcept nogil
cdef int points(const Sheet* sheet) noexcept nogil
cdef bint is_over(const Table* table) noexcept nogil
cdef bint close_rows(Table* table) noexcept nogil
