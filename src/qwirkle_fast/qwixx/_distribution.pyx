# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Qwixx for one player: the distribution of the final score under the best play.

A walk through all that can happen, from a sheet on.  The final score needs the number of marks of rows that are closed
or dead too, so there are more states than in the solved game's table: a row has 62 here, 56 open ones and six numbers
of marks when locked.  Pairs of rows and pairs of those are sorted as there.

A mark raises an entry's *level*, the sum of the places of the last marks, so each entry is met when all that leads to
it is known, and entries of one level are independent of each other.  Threads share a level: each hands on the chances
of its own entries into an array of its own, and an entry's chance is the sum over these arrays.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t

import numpy as np

from ._core cimport LAST, MAX_PENALTIES, NEEDED, NOTHING, PENALTY, ROWS, place_of
from ._solitaire cimport CLOSED, MOST, ROLLS, Offer, Option, gather, kind_of, paired, rank, still_to_come, weigh

cdef enum:
    STATES = 62
    LOCKED = 56  # the first of the locked ones
    PAIRS = STATES * (STATES + 1) // 2
    ENTRIES = PAIRS * (PAIRS + 1) // 2
    LEAST = PENALTY * MAX_PENALTIES
    POINTS = LEAST + ROWS * 78 + 1
    CPARTS = 2

#: How many share the work.  It does not depend on the machine, so that the sums come out the same on all.
PARTS = CPARTS

cdef int8_t state_of[LAST + 1][LAST + 2]
cdef int8_t after[STATES][LAST + 1]
cdef int points_of[STATES]
cdef int last_of[STATES]
cdef int kind[STATES]
cdef uint16_t pair_of[STATES][STATES]
cdef uint8_t first_of[PAIRS]
cdef uint8_t second_of[PAIRS]
cdef uint8_t level_of[PAIRS]
# The pairs by their level, those of one rising, and where each level's begin.
cdef uint16_t leveled[PAIRS]
cdef int level_begin[2 * LAST + 2]


cdef void prepare() noexcept:
    cdef int last, count, low, high, following, level, state = 0, pair = 0, n = 0
    for last in range(LAST):
        for count in range(1 if last else 0, last + 1):
            state_of[last][count] = state
            kind[state] = kind_of[last][count]
            last_of[state] = last
            points_of[state] = count * (count + 1) // 2
            state += 1
    for count in range(NEEDED + 2, LAST + 2):
        state_of[LAST][count] = state
        kind[state] = CLOSED
        last_of[state] = LAST
        points_of[state] = count * (count + 1) // 2
        state += 1
    for last in range(LAST):
        for count in range(1 if last else 0, last + 1):
            for following in range(last + 1, LAST):
                after[state_of[last][count]][following] = state_of[following][count + 1]
            if count >= NEEDED:
                after[state_of[last][count]][LAST] = state_of[LAST][count + 2]
    for high in range(STATES):
        for low in range(high + 1):
            pair_of[low][high] = pair_of[high][low] = pair
            first_of[pair] = low
            second_of[pair] = high
            level_of[pair] = last_of[low] + last_of[high]
            pair += 1
    for level in range(2 * LAST + 1):
        level_begin[level] = n
        for pair in range(PAIRS):
            if level_of[pair] == level:
                leveled[n] = pair
                n += 1
    level_begin[2 * LAST + 1] = n


prepare()


cdef inline int entry(const int* states) noexcept nogil:
    return paired(pair_of[states[0]][states[1]], pair_of[states[2]][states[3]])


def entries():
    """How many entries each level has, at most: a measure of the work."""
    cdef int level
    of_pairs = [level_begin[level + 1] - level_begin[level] for level in range(2 * LAST + 1)]
    return np.convolve(of_pairs, of_pairs).tolist()


cdef class Walk:
    """One walk.  A sheet is ``(last places, numbers of marks, closed bits, penalties)``; what it has is known.

    ``level``: the sheet's own, where the walk begins.
    """

    cdef const double[::1] values
    cdef bint finish_turn
    cdef double[:, ::1] chances
    cdef double[:, ::1] found
    cdef int before
    cdef readonly int level

    def __init__(self, const double[::1] values, bint finish_turn, sheet):
        cdef int states[ROWS]
        cdef int row
        last, count, closed, penalties = sheet
        self.values = values
        self.finish_turn = finish_turn
        self.chances = np.zeros((CPARTS, ENTRIES * MAX_PENALTIES))
        self.found = np.zeros((CPARTS, POINTS))
        self.before = -PENALTY * penalties
        self.level = 0
        for row in range(ROWS):
            # How many marks a row that is closed already has is of no matter here.
            states[row] = LOCKED if closed >> row & 1 else state_of[last[row]][count[row]]
            self.before += points_of[states[row]]
            self.level += last_of[states[row]]
        self.reach(0, states, penalties, 1)

    def step(self, int level, int part):
        """Hand on the chances of one part of the entries of a level, without the GIL.  All parts of a level come before
        any of the next."""
        cdef int states[ROWS]
        cdef double here[MAX_PENALTIES]
        cdef int low, high, rest, n, p, i
        cdef Py_ssize_t at
        cdef double chance
        with nogil:
            for high in range(PAIRS):
                rest = level - level_of[high]
                if not 0 <= rest <= 2 * LAST:
                    continue
                for n in range(level_begin[rest], level_begin[rest + 1]):
                    low = leveled[n]
                    if low > high:
                        break
                    if (low + high) % CPARTS != part:
                        continue
                    at = paired(low, high) * MAX_PENALTIES
                    chance = 0
                    for p in range(MAX_PENALTIES):
                        here[p] = 0
                        for i in range(CPARTS):
                            here[p] += self.chances[i, at + p]
                        chance += here[p]
                    if chance > 0:
                        states[0] = first_of[low]
                        states[1] = second_of[low]
                        states[2] = first_of[high]
                        states[3] = second_of[high]
                        self.hand_on(part, states, here)

    def distribution(self):
        """After all levels: the chance of each number of points still to come, whose index is the points plus 20."""
        return np.roll(np.asarray(self.found).sum(0), -self.before)

    cdef void reach(self, int part, const int* states, int penalties, double chance) noexcept nogil:
        """Add to the chance of an entry, or of its score when the game is over there."""
        cdef int row, total = LEAST - PENALTY * penalties, closed = 0
        for row in range(ROWS):
            closed += states[row] >= LOCKED
        if closed < 2 and penalties < MAX_PENALTIES:
            self.chances[part, entry(states) * MAX_PENALTIES + penalties] += chance
            return
        for row in range(ROWS):
            total += points_of[states[row]]
        self.found[part, total] += chance

    cdef void follow(
        self, int part, const int* states, int total, int first, int row, int cell, int p, double chance,
    ) noexcept nogil:
        """Hand a chance on to where a mark of the white sum in one row and then a mark in another or the same, either
        of which may be NOTHING, lead."""
        cdef int there[ROWS]
        cdef int i
        for i in range(ROWS):
            there[i] = states[i]
        if first != NOTHING:
            there[first] = after[there[first]][place_of(first, total)]
        if row != NOTHING:
            there[row] = after[there[row]][cell]
        self.reach(part, there, p, chance)

    cdef void hand_on(self, int part, const int* states, const double* here) noexcept nogil:
        """Hand the chances of an entry on to those that the best play leads to."""
        cdef Offer offers_of[13]
        cdef int kinds[ROWS]
        cdef int order[MOST]
        cdef int rolls[MOST + 1]
        cdef int s, p, i, n, row
        cdef double base, penalty
        cdef const double* values = &self.values[0]
        cdef const Offer* offer
        cdef const Option* option
        cdef double chances[MAX_PENALTIES + 1]
        for row in range(ROWS):
            kinds[row] = kind[states[row]]
        for p in range(MAX_PENALTIES):
            chances[p] = here[p]
        chances[MAX_PENALTIES] = 0
        gather(values, kinds, self.finish_turn, offers_of)
        for p in range(MAX_PENALTIES):
            if chances[p] == 0:
                continue
            penalty = still_to_come(values, kinds, p + 1) - PENALTY
            for s in range(2, 13):
                offer = &offers_of[s]
                base = max(offer.single[p], penalty)
                n = rank(offer, p, base, order)
                weigh(offer, s, order, n, rolls)
                for i in range(n):
                    if rolls[i]:
                        option = &offer.options[order[i]]
                        self.follow(
                            part, states, s, option.first[p], option.row, place_of(option.row, option.sum), p,
                            chances[p] * rolls[i] / ROLLS,
                        )
                if rolls[n] and base == offer.single[p]:
                    self.follow(part, states, s, offer.first[p], NOTHING, 0, p, chances[p] * rolls[n] / ROLLS)
                elif rolls[n]:
                    chances[p + 1] += chances[p] * rolls[n] / ROLLS
        if chances[MAX_PENALTIES] > 0:
            self.reach(part, states, MAX_PENALTIES, chances[MAX_PENALTIES])
