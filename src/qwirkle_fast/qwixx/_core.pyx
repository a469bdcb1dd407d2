# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The rules of Qwixx in native code: sheets, dice, whole games."""

from libc.stdint cimport uint64_t


cdef void roll(Dice* dice, uint64_t bits) noexcept nogil:
    """Six dice from 64 random bits; the highest 32 decide."""
    cdef int rest = <int>((bits >> 32) * <uint64_t>46656 >> 32)
    cdef int row
    dice.white[0] = rest % FACES + 1
    rest //= FACES
    dice.white[1] = rest % FACES + 1
    rest //= FACES
    for row in range(ROWS):
        dice.coloured[row] = rest % FACES + 1
        rest //= FACES


cdef int points(const Sheet* sheet) noexcept nogil:
    cdef int row, total = -PENALTY * sheet.penalties
    for row in range(ROWS):
        total += sheet.count[row] * (sheet.count[row] + 1) // 2
    return total


cdef bint is_over(const Table* table) noexcept nogil:
    cdef int seat
    if closed_rows(table) >= 2:
        return True
    for seat in range(table.players):
        if table.sheets[seat].penalties >= MAX_PENALTIES:
            return True
    return False


cdef bint close_rows(Table* table) noexcept nogil:
    """Close the rows that somebody has locked; are two or more closed now?"""
    cdef int seat, row
    for seat in range(table.players):
        for row in range(ROWS):
            if table.sheets[seat].last[row] == LAST:
                table.closed |= 1 << row
    return closed_rows(table) >= 2


def dice(seed, int turn):
    """The six dice of a turn (0 is a game's first), white first, then in the order of the rows: fixed for ever.

    >>> dice(1, 0), dice(1, 1)
    ((1, 2, 4, 2, 2, 3), (1, 2, 6, 5, 5, 3))
    """
    cdef Dice rolled
    cdef uint64_t state = turn_state(<uint64_t>(seed & 0xFFFFFFFFFFFFFFFF), turn)
    roll(&rolled, next_bits(&state))
    return (rolled.white[0], rolled.white[1], *[rolled.coloured[row] for row in range(ROWS)])


def chance(seed, int n):
    """A whole number from 0 to n - 1 that the seed decides."""
    cdef uint64_t state = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    return below(&state, n)
