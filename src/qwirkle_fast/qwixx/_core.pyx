# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The rules of Qwixx in native code: sheets, dice, whole games."""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

import numpy as np


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


# -- simple players


# A player of native code.
cdef enum:
    RANDOM = 0
    SKIP = 1

cdef struct Policy:
    int kind
    int most  # SKIP: numbers that a mark may skip


cdef int first_action(const Policy* policy, const Table* table, int seat, int total, uint64_t* chance) noexcept nogil:
    """The row in which a seat marks the white sum, or NOTHING."""
    cdef const Sheet* sheet = &table.sheets[seat]
    cdef int rows[ROWS]
    cdef int n = 0, row, place, skipped, best = NOTHING, fewest = policy.most + 1
    for row in range(ROWS):
        place = place_of(row, total)
        if table.closed >> row & 1 or not fits(sheet, row, place):
            continue
        rows[n] = row
        n += 1
        skipped = -1 if place == LAST else place - sheet.last[row] - 1
        if skipped < fewest:
            fewest = skipped
            best = row
    if policy.kind == RANDOM:
        row = below(chance, n + 1)
        return NOTHING if row == n else rows[row]
    return best


cdef int second_action(const Policy* policy, const Table* table, const Dice* dice, uint64_t* chance) noexcept nogil:
    """Where the active seat marks in action 2, as 16 * row + place, or NOTHING."""
    cdef const Sheet* sheet = &table.sheets[table.active]
    cdef int marks[2 * ROWS]
    cdef int n = 0, row, white, place, skipped, best = NOTHING, fewest = policy.most + 1
    for row in range(ROWS):
        if table.closed >> row & 1:
            continue
        for white in range(1 if dice.white[0] == dice.white[1] else 2):
            place = place_of(row, dice.white[white] + dice.coloured[row])
            if not fits(sheet, row, place):
                continue
            marks[n] = 16 * row + place
            skipped = -1 if place == LAST else place - sheet.last[row] - 1
            if skipped < fewest:
                fewest = skipped
                best = marks[n]
            n += 1
    if policy.kind == RANDOM:
        white = below(chance, n + 1)
        return NOTHING if white == n else marks[white]
    return best


cdef void play_turn(Table* table, const Policy* policies, const Dice* dice, uint64_t* chance) noexcept nogil:
    """One whole turn of the active seat; the next one is active afterwards."""
    cdef int firsts[SEATS]
    cdef int seat, total = dice.white[0] + dice.white[1], second = NOTHING
    cdef Sheet* sheet
    for seat in range(table.players):
        firsts[seat] = first_action(&policies[seat], table, seat, total, chance)
    for seat in range(table.players):
        if firsts[seat] != NOTHING:
            mark(&table.sheets[seat], firsts[seat], place_of(firsts[seat], total))
    if not close_rows(table) or table.finish_turn:
        seat = table.active
        sheet = &table.sheets[seat]
        second = second_action(&policies[seat], table, dice, chance)
        if second != NOTHING:
            mark(sheet, second >> 4, second & 15)
            close_rows(table)
        elif firsts[seat] == NOTHING:
            sheet.penalties += 1
    table.active = (table.active + 1) % table.players


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


def simple_games(players, seed, int games, bint finish_turn=False):
    """Whole games of simple players, ``"random"`` or the most that a ``skip`` player skips, one a seat.

    Game i has the seed ``seed + i``.  Returns the scores, int32 of shape (games, players), and the number of turns.
    """
    cdef Policy policies[SEATS]
    cdef Table table
    cdef Dice rolled
    cdef uint64_t state, luck, first = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef int seat, game, turn, n = len(players)
    cdef long long turns = 0
    if not 1 <= n <= SEATS:
        raise ValueError(f"{n} players, expected 1 to {SEATS}")
    for seat, player in enumerate(players):
        policies[seat].kind = RANDOM if player == "random" else SKIP
        policies[seat].most = LAST if player == "random" else player
    scores = np.empty((games, n), np.int32)
    cdef int32_t[:, ::1] out = scores
    with nogil:
        for game in range(games):
            memset(&table, 0, sizeof(Table))
            table.players = n
            table.finish_turn = finish_turn
            turn = 0
            while not is_over(&table):
                state = turn_state(first + game, turn)
                roll(&rolled, next_bits(&state))
                luck = turn_state(~(first + game), turn)
                play_turn(&table, policies, &rolled, &luck)
                turn += 1
            turns += turn
            for seat in range(n):
                out[game, seat] = points(&table.sheets[seat])
    return scores, turns
