# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Qwixx for one player, solved: the Bellman equation, and questions to its solution.

What is still to come depends on each row's state (the place of its last mark and how many marks it has), on the
penalties, and on nothing else.  A row has 54 states that differ, its *kinds*: *closed*, *dead* (the last mark on the
last but one cell, too few marks to lock: nothing can follow), and 52 places and numbers of marks.  The dice do not tell
red from yellow or green from blue, and turning every die upside down swaps the two pairs; so the table holds each pair
of rows sorted, and the two pairs sorted.  Four doubles an entry, one for each number of penalties.

An entry needs only entries whose marks lie further right, so entries of one *level*, the sum of the places of the last
marks, are independent of each other.

One step.  With white dice w, v of sum s and a coloured die d, action 1 marks s in some row or nothing, action 2 marks
w + d or v + d.  The best that comes of marking t in row r in action 2, whatever action 1 does before, is a number that
depends on s and on (r, t) alone, not on the dice.  For each s these numbers are sorted, best first; walking down the
list, an option is taken by the rolls that offer it and none of the better ones.  A set of 24 bits, a face of a coloured
die each, says which do: the rolls left are the product of the faces left of the four dice.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

import numpy as np

from ._core cimport (
    FACES,
    LAST,
    MAX_PENALTIES,
    NEEDED,
    NOTHING,
    PENALTY,
    ROWS,
    Dice,
    Sheet,
    Table,
    close_rows,
    is_over,
    mark,
    next_bits,
    place_of,
    points,
    roll,
    turn_state,
)

cdef enum:
    MOST_KINDS = 58
    MOST_PAIRS = MOST_KINDS * (MOST_KINDS + 1) // 2
    WHITE = 21
    NEVER = -1000

# What follows a mark: the row's next kind or NOTHING, and its points.
cdef int8_t after[MOST_KINDS][LAST + 1]
cdef int gain[MOST_KINDS][LAST + 1]
cdef int last_of[MOST_KINDS]
cdef uint16_t pair_of[MOST_KINDS][MOST_KINDS]
cdef uint8_t first_of[MOST_PAIRS]
cdef uint8_t second_of[MOST_PAIRS]
cdef int pairs
# The pairs of white dice by their sum: where each sum's begin; how many rolls each stands for; and the faces of a
# row's die with which each offers a sum.
cdef int white_begin[14]
cdef int white_rolls[WHITE]
cdef uint32_t offers[WHITE][13]
# The rolls of two dice that show none of some faces.
cdef int left_over[1 << (2 * FACES)]


cdef inline int entry(const int* kinds) noexcept nogil:
    return paired(pair_of[kinds[0]][kinds[1]], pair_of[kinds[2]][kinds[3]])


cdef inline int closed_kinds(const int* kinds) noexcept nogil:
    cdef int row, closed = 0
    for row in range(ROWS):
        closed += kinds[row] == CLOSED
    return closed


cdef void prepare_rows(int needed, int lock) noexcept:
    """The kinds of rows, where the last number needs so many marks before it, and locking adds so many marks."""
    global pairs
    cdef int kind = DEAD + 1, last, count, following, low, high
    for last in range(LAST):
        for count in range(LAST + 2):
            kind_of[last][count] = NOTHING
    for last in range(LAST):
        for count in range(1 if last else 0, last + 1):
            if last == LAST - 1 and count < needed:
                kind_of[last][count] = DEAD
            else:
                kind_of[last][count] = kind
                last_of[kind] = last
                kind += 1
    for count in range(LAST + 2):
        kind_of[LAST][count] = CLOSED
    last_of[DEAD] = LAST - 1
    last_of[CLOSED] = LAST
    pairs = 0
    for high in range(kind):
        for low in range(high + 1):
            pair_of[low][high] = pair_of[high][low] = pairs
            first_of[pairs] = low
            second_of[pairs] = high
            pairs += 1
    for kind in range(MOST_KINDS):
        for following in range(LAST + 1):
            after[kind][following] = NOTHING
    for last in range(LAST):
        for count in range(last + 1):
            kind = kind_of[last][count]
            if kind == NOTHING or kind == DEAD:
                continue
            for following in range(last + 1, LAST):
                after[kind][following] = kind_of[following][count + 1]
                gain[kind][following] = count + 1
            if count >= needed:
                after[kind][LAST] = CLOSED
                gain[kind][LAST] = count + 1 + (count + 2) * lock


cdef void prepare_dice() noexcept:
    cdef int pair = 0, total, low, high, face, faces
    for total in range(2, 13):
        white_begin[total] = pair
        for low in range(1, FACES + 1):
            high = total - low
            if low <= high <= FACES:
                white_rolls[pair] = 1 if low == high else 2
                for face in range(1, FACES + 1):
                    offers[pair][low + face] |= 1 << (face - 1)
                    offers[pair][high + face] |= 1 << (face - 1)
                pair += 1
    white_begin[13] = pair
    for faces in range(1 << (2 * FACES)):
        low = FACES
        high = FACES
        for face in range(FACES):
            low -= faces >> face & 1
            high -= faces >> (FACES + face) & 1
        left_over[faces] = low * high


prepare_rows(NEEDED, 1)
prepare_dice()


def set_rules(int needed, int lock):
    """Have all that is solved from now on solved by other rules: ``needed`` marks before a row's last number, and
    ``lock`` marks for locking it.  For tests, each in a process of its own: these rules are wrong."""
    prepare_rows(needed, lock)


cdef inline void raise_to(double* best, int8_t* firsts, const double* found, int worth, int first) noexcept nogil:
    """Take what is found with a mark in a row in action 1 where it is better than what was best."""
    cdef int p
    for p in range(MAX_PENALTIES):
        firsts[p] = first if found[p] + worth > best[p] else firsts[p]
        best[p] = found[p] + worth if found[p] + worth > best[p] else best[p]


cdef void gather(const double* values, const int* kinds, bint finish_turn, Offer* offers_of) noexcept nogil:
    """Everything that each sum of the white dice can lead to, the penalty aside."""
    # What marks in two rows lead to is wanted twice, for each can be action 1's: it is looked up once.
    cdef double two[ROWS][LAST + 1][ROWS][LAST + 1][MAX_PENALTIES]
    cdef double one[ROWS][LAST + 1][MAX_PENALTIES]
    cdef int next_kinds[ROWS]
    cdef int row, cell, other, place, s, t, p, worth, more, kind, first
    cdef bint closing = not finish_turn and closed_kinds(kinds) >= 1
    cdef const double* found
    cdef Offer* offer
    cdef Option* option
    for row in range(ROWS):
        next_kinds[row] = kinds[row]
    for row in range(ROWS):
        for cell in range(last_of[kinds[row]] + 1, LAST + 1):
            next_kinds[row] = after[kinds[row]][cell]
            if next_kinds[row] == NOTHING:
                continue
            worth = gain[kinds[row]][cell]
            found = values + entry(next_kinds) * MAX_PENALTIES
            for p in range(MAX_PENALTIES):
                one[row][cell][p] = found[p] + worth
            for other in range(row):
                for place in range(last_of[kinds[other]] + 1, LAST + 1):
                    next_kinds[other] = after[kinds[other]][place]
                    if next_kinds[other] == NOTHING:
                        continue
                    more = worth + gain[kinds[other]][place]
                    found = values + entry(next_kinds) * MAX_PENALTIES
                    for p in range(MAX_PENALTIES):
                        two[other][place][row][cell][p] = found[p] + more
                next_kinds[other] = kinds[other]
        next_kinds[row] = kinds[row]
    for s in range(2, 13):
        offer = &offers_of[s]
        offer.count = 0
        for p in range(MAX_PENALTIES):
            offer.single[p] = NEVER
        for row in range(ROWS):
            place = place_of(row, s)
            if after[kinds[row]][place] != NOTHING:
                raise_to(offer.single, offer.first, one[row][place], 0, row)
        for row in range(ROWS):
            for t in range(max(1, s - FACES) + 1, min(FACES, s - 1) + FACES + 1):
                cell = place_of(row, t)
                if cell <= last_of[kinds[row]]:
                    continue
                option = &offer.options[offer.count]
                option.row = row
                option.sum = t
                kind = after[kinds[row]][cell]
                for p in range(MAX_PENALTIES):
                    option.value[p] = NEVER if kind == NOTHING else one[row][cell][p]
                    option.first[p] = NOTHING
                for first in range(ROWS):
                    place = place_of(first, s)
                    if after[kinds[first]][place] == NOTHING or (closing and place == LAST):
                        continue
                    if first == row:
                        # Both marks in one row; that can make a lock possible that action 2 alone could not reach.
                        if after[after[kinds[row]][place]][cell] != NOTHING:
                            worth = gain[kinds[row]][place] + gain[after[kinds[row]][place]][cell]
                            next_kinds[row] = after[after[kinds[row]][place]][cell]
                            found = values + entry(next_kinds) * MAX_PENALTIES
                            next_kinds[row] = kinds[row]
                            raise_to(option.value, option.first, found, worth, row)
                    elif kind == NOTHING:
                        continue
                    elif first < row:
                        raise_to(option.value, option.first, two[first][place][row][cell], 0, first)
                    else:
                        raise_to(option.value, option.first, two[row][cell][first][place], 0, first)
                offer.count += option.value[0] > NEVER


cdef int rank(const Offer* offer, int p, double base, int* order) noexcept nogil:
    """The options worth more than ``base``, best first; returns how many."""
    cdef int n = 0, i, j
    cdef double value
    for i in range(offer.count):
        value = offer.options[i].value[p]
        if value > base:
            j = n
            while j and offer.options[order[j - 1]].value[p] < value:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
            n += 1
    return n


cdef void weigh(const Offer* offer, int total, const int* order, int n, int* rolls) noexcept nogil:
    """How many of the 6^6 rolls take each of the ordered options, and at the end none of them."""
    cdef int i, pair, before, now
    cdef uint32_t shown
    cdef const Option* option
    for i in range(n + 1):
        rolls[i] = 0
    for pair in range(white_begin[total], white_begin[total + 1]):
        shown = 0
        before = FACES * FACES * FACES * FACES
        for i in range(n):
            option = &offer.options[order[i]]
            shown |= offers[pair][option.sum] << (FACES * option.row)
            now = left_over[shown & 4095] * left_over[shown >> 12]
            rolls[i] += white_rolls[pair] * (before - now)
            before = now
        rolls[n] += white_rolls[pair] * before


cdef void step(const double* values, const int* kinds, bint finish_turn, double* out) noexcept nogil:
    """One step of the Bellman equation: what is still to come, for each number of penalties."""
    cdef Offer offers_of[13]
    cdef int order[MOST]
    cdef int rolls[MOST + 1]
    cdef double total, base, penalty = -PENALTY
    cdef int s, p, i, n
    gather(values, kinds, finish_turn, offers_of)
    for p in range(MAX_PENALTIES - 1, -1, -1):
        total = 0
        for s in range(2, 13):
            base = max(offers_of[s].single[p], penalty)
            n = rank(&offers_of[s], p, base, order)
            weigh(&offers_of[s], s, order, n, rolls)
            for i in range(n):
                total += rolls[i] * offers_of[s].options[order[i]].value[p]
            total += rolls[n] * base
        out[p] = total / ROLLS
        penalty = out[p] - PENALTY


def schedule():
    """The entries to solve, in order, as two arrays of pairs of rows, and where each level begins, its end included."""
    first = np.array([first_of[pair] for pair in range(pairs)])
    second = np.array([second_of[pair] for pair in range(pairs)])
    places = np.array([last for last in last_of], np.int16)
    closed = (first == CLOSED).astype(np.int16) + (second == CLOSED)
    level = places[first] + places[second]
    high, low = (index.astype(np.uint16) for index in np.tril_indices(pairs))
    going_on = closed[low] + closed[high] < 2
    low, high = low[going_on], high[going_on]
    levels = -(level[low] + level[high])
    order = np.argsort(levels, kind="stable")
    starts = np.flatnonzero(np.diff(levels[order], prepend=1))
    return low[order], high[order], [*starts.tolist(), len(order)]


def empty():
    """The table before it is solved; where the game is over, nothing is to come."""
    return np.zeros(pairs * (pairs + 1) // 2 * MAX_PENALTIES)


def solve(
    double[::1] values, const uint16_t[::1] low, const uint16_t[::1] high, Py_ssize_t start, Py_ssize_t stop,
    bint finish_turn,
):
    """Fill the table for some entries of one level of the schedule, without the GIL."""
    cdef int kinds[ROWS]
    cdef Py_ssize_t i
    with nogil:
        for i in range(start, stop):
            kinds[0] = first_of[low[i]]
            kinds[1] = second_of[low[i]]
            kinds[2] = first_of[high[i]]
            kinds[3] = second_of[high[i]]
            step(&values[0], kinds, finish_turn, &values[entry(kinds) * MAX_PENALTIES])


# -- questions to the solved table


# A way to use a roll: the row of action 1's mark; the row and the place of action 2's; what is still to come, the
# points of these marks included.
cdef struct Choice:
    int first
    int second
    int place
    double value

cdef enum:
    CHOICES = 64


cdef double still_to_come(const double* values, const int* kinds, int penalties) noexcept nogil:
    """0 when the game is over."""
    return 0 if penalties == MAX_PENALTIES else values[entry(kinds) * MAX_PENALTIES + penalties]


cdef int choices_of(
    const double* values, const int* kinds, int penalties, const Dice* dice, bint active, int after_first,
    bint finish_turn, Choice* out,
) noexcept nogil:
    """Every different outcome, in no order; returns how many.

    ``after_first``: 0 before action 1, else action 2 alone is asked for: 1 when action 1 made a mark, 2 when not.
    Of two ways to the same sheet the one is kept that marks more in action 1, then the upper row.
    """
    cdef int next_kinds[ROWS]
    cdef int keys[CHOICES]
    cdef int n = 0, turn, first, row, white, place, s = dice.white[0] + dice.white[1], key, i, before
    cdef double worth
    for turn in range(ROWS if after_first else 0, ROWS + 1):
        first = turn if turn < ROWS else NOTHING
        for row in range(ROWS):
            next_kinds[row] = kinds[row]
        worth = 0
        if first != NOTHING:
            place = place_of(first, s)
            if after[kinds[first]][place] == NOTHING:
                continue
            next_kinds[first] = after[kinds[first]][place]
            worth = gain[kinds[first]][place]
        # Action 1 alone; the penalty, or for one who is not active a pass.
        out[n].first = first
        out[n].second = NOTHING
        out[n].place = 0
        if first != NOTHING or after_first == 1 or not active:
            out[n].value = worth + still_to_come(values, next_kinds, penalties)
        else:
            out[n].value = still_to_come(values, next_kinds, penalties + 1) - PENALTY
        keys[n] = -1 if first == NOTHING else 16 * first + place_of(first, s)
        n += 1
        if not active or (first != NOTHING and not finish_turn and closed_kinds(next_kinds) >= 2):
            continue
        for row in range(ROWS):
            if next_kinds[row] == CLOSED:
                continue
            for white in range(1 if dice.white[0] == dice.white[1] else 2):
                place = place_of(row, dice.white[white] + dice.coloured[row])
                if after[next_kinds[row]][place] == NOTHING:
                    continue
                key = 16 * row + place
                if first != NOTHING:
                    before = 16 * first + place_of(first, s)
                    key = 256 * (min(key, before) + 1) + max(key, before)
                out[n].first = first
                out[n].second = row
                out[n].place = place
                before = next_kinds[row]
                next_kinds[row] = after[before][place]
                out[n].value = worth + gain[before][place] + still_to_come(values, next_kinds, penalties)
                next_kinds[row] = before
                for i in range(n):
                    if keys[i] == key:
                        break
                else:
                    keys[n] = key
                    n += 1
    return n


cdef class Solved:
    """The table, to be asked.  A sheet is ``(last places, numbers of marks, closed bits, penalties)``."""

    cdef const double[::1] values
    cdef readonly bint finish_turn

    def __init__(self, const double[::1] values, bint finish_turn):
        if len(values) != len(empty()):
            raise ValueError(f"{len(values)} values, expected {len(empty())}")
        self.values = values
        self.finish_turn = finish_turn

    def value(self, sheet):
        """The points still to come, before a roll."""
        cdef int kinds[ROWS]
        penalties = read_sheet(sheet, kinds)
        return still_to_come(&self.values[0], kinds, penalties)

    def choices(self, sheet, dice, bint active=True, int after_first=0):
        """``(row of action 1, row of action 2, its place, points still to come)`` of each outcome, best first; a row
        of -1 is no mark."""
        cdef int kinds[ROWS]
        cdef Dice rolled
        cdef Choice found[CHOICES]
        cdef int n, i, penalties = read_sheet(sheet, kinds)
        rolled.white = dice[:2]
        rolled.coloured = dice[2:]
        n = choices_of(&self.values[0], kinds, penalties, &rolled, active, after_first, self.finish_turn, found)
        answer = [(found[i].first, found[i].second, found[i].place, found[i].value) for i in range(n)]
        return sorted(answer, key=lambda choice: -choice[3])

    def games(self, seed, int games):
        """The scores of whole solitaire games by the table's policy, int32; game i has the seed ``seed + i``."""
        cdef Table table
        cdef Dice rolled
        cdef Choice found[CHOICES]
        cdef int kinds[ROWS]
        cdef Choice* best
        cdef Sheet* sheet = &table.sheets[0]
        cdef int game, turn, n, i, row
        cdef uint64_t state, begin = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
        scores = np.empty(games, np.int32)
        cdef int32_t[::1] out = scores
        with nogil:
            for game in range(games):
                memset(&table, 0, sizeof(Table))
                table.players = 1
                turn = 0
                while not is_over(&table):
                    state = turn_state(begin + game, turn)
                    roll(&rolled, next_bits(&state))
                    turn += 1
                    for row in range(ROWS):
                        kinds[row] = CLOSED if table.closed >> row & 1 else kind_of[sheet.last[row]][sheet.count[row]]
                    n = choices_of(
                        &self.values[0], kinds, sheet.penalties, &rolled, True, 0, self.finish_turn, found
                    )
                    best = &found[0]
                    for i in range(1, n):
                        if found[i].value > best.value:
                            best = &found[i]
                    if best.first != NOTHING:
                        mark(sheet, best.first, place_of(best.first, rolled.white[0] + rolled.white[1]))
                    if best.second != NOTHING:
                        mark(sheet, best.second, best.place)
                    elif best.first == NOTHING:
                        sheet.penalties += 1
                    close_rows(&table)
                out[game] = points(sheet)
        return scores


cdef int read_sheet(sheet, int* kinds) except -1:
    last, count, closed, penalties = sheet
    cdef int row
    for row in range(ROWS):
        if closed >> row & 1:
            kinds[row] = CLOSED
        elif 0 <= last[row] < LAST and 0 <= count[row] <= last[row] and (count[row] or not last[row]):
            kinds[row] = kind_of[last[row]][count[row]]
        else:
            raise ValueError(f"row {row}: {count[row]} marks up to place {last[row]}")
    if not 0 <= penalties <= MAX_PENALTIES:
        raise ValueError(f"{penalties} penalties, expected 0 to {MAX_PENALTIES}")
    return penalties
