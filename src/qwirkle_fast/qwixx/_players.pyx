# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Players in native code, whole games of them, and rollouts.

The player *fast* knows, for each state of a row and each stretch of the game, what that row's future is worth (the
*outlook*), and takes what adds most to points and outlook; what the others lose when it locks a row counts too.
Whether a row is closed already and how many marks the players have on the average say how long the game will last, and
so which outlook to take.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

import numpy as np

from ._core cimport (
    LAST,
    MAX_PENALTIES,
    NEEDED,
    NOTHING,
    PENALTY,
    ROWS,
    SEATS,
    Dice,
    Sheet,
    Table,
    below,
    close_rows,
    closed_rows,
    fits,
    is_over,
    mark,
    next_bits,
    place_of,
    points,
    roll,
    turn_state,
)

cdef enum:
    STRETCHES = 10  # of two marks a player each, the last without end
    COUNTS = LAST + 1
    STATES = LAST * COUNTS
    OUTLOOKS = 2 * STRETCHES * STATES
    MOST_TURNS = 256
    MOST_CHOICES = 64
    SHARE = 60  # units of a win, which a shared one divides evenly

cdef float NEVER = -1000
cdef float ALWAYS = 1000


# A way to use a roll: the row of action 1's mark; the row and place of action 2's.
cdef struct Choice:
    int first
    int second
    int place


# A player of native code.
cdef enum:
    RANDOM = 0
    SKIP = 1
    FAST = 2

cdef struct Policy:
    int kind
    int most  # SKIP: numbers that a mark may skip
    const float* outlook  # FAST


cdef int simple_first(const Policy* policy, const Table* table, int seat, int total, uint64_t* chance) noexcept nogil:
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


cdef int simple_second(const Policy* policy, const Table* table, const Dice* dice, uint64_t* chance) noexcept nogil:
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


cdef inline int stretch(const Table* table) noexcept nogil:
    """Where in an outlook the states of a row at this time of the game begin."""
    cdef int seat, row, marks = 0, closed = closed_rows(table)
    for seat in range(table.players):
        for row in range(ROWS):
            marks += table.sheets[seat].count[row]
    marks = marks // (2 * table.players)
    if marks >= STRETCHES:
        marks = STRETCHES - 1
    return ((1 if closed else 0) * STRETCHES + marks) * STATES


cdef inline float looks(const float* now, const Table* table, const Sheet* sheet, int row) noexcept nogil:
    return 0 if table.closed >> row & 1 else now[sheet.last[row] * COUNTS + sheet.count[row]]


cdef float ending(const Table* table, int seat, int gained) noexcept nogil:
    """What it is worth to end the game now with some points more: everything or nothing."""
    cdef int other, mine = points(&table.sheets[seat]) + gained
    if table.players == 1:
        return gained
    for other in range(table.players):
        if other != seat and points(&table.sheets[other]) > mine:
            return NEVER
    return ALWAYS


cdef float loss_by_lock(const float* now, const Table* table, const Sheet* sheet, int row) noexcept nogil:
    """What a sheet's rows bring less when a first row closes."""
    cdef const float* later = now + STRETCHES * STATES
    cdef float loss = looks(now, table, sheet, row)
    cdef int other
    for other in range(ROWS):
        if other != row:
            loss += looks(now, table, sheet, other) - looks(later, table, sheet, other)
    return loss


cdef float locking(const float* now, const Table* table, int seat, int row, int gained) noexcept nogil:
    """What it is worth to close a row, with the points for that: the others lose by it too."""
    cdef int other
    cdef float theirs = 0
    if closed_rows(table):
        return ending(table, seat, gained)
    for other in range(table.players):
        if other != seat:
            theirs += loss_by_lock(now, table, &table.sheets[other], row)
    return gained - loss_by_lock(now, table, &table.sheets[seat], row) + theirs / max(table.players - 1, 1)


cdef inline float worth_of(const float* now, const Table* table, int seat, int row, int place) noexcept nogil:
    """What a mark that fits adds to points and outlook."""
    cdef const Sheet* sheet = &table.sheets[seat]
    cdef int count = sheet.count[row]
    if place == LAST:
        return locking(now, table, seat, row, 2 * count + 3)
    return count + 1 + now[place * COUNTS + count + 1] - now[sheet.last[row] * COUNTS + count]


cdef inline float of_penalty(const Table* table, int seat) noexcept nogil:
    if table.sheets[seat].penalties == MAX_PENALTIES - 1:
        return ending(table, seat, -PENALTY)
    return -PENALTY


cdef inline float best_coloured(
    const float* now, const Table* table, int seat, const Dice* dice, int row, int* place,
) noexcept nogil:
    """What the best mark of action 2 in a row adds, and its place; NEVER, and no place, where there is none."""
    cdef int white, at
    cdef float value, most = NEVER
    if table.closed >> row & 1:
        return NEVER
    for white in range(2):
        at = place_of(row, dice.white[white] + dice.coloured[row])
        if fits(&table.sheets[seat], row, at):
            value = worth_of(now, table, seat, row, at)
            if value > most:
                most = value
                place[0] = at
    return most


cdef int fast_first(const float* now, const Table* table, int seat, const Dice* dice) noexcept nogil:
    """The row in which a seat marks the white sum, or NOTHING."""
    cdef const Sheet* sheet = &table.sheets[seat]
    cdef int row, place, at, white, other, count, best = NOTHING, total = dice.white[0] + dice.white[1]
    cdef float value, more, most = 0
    cdef float coloured[ROWS]  # the best of action 2 in each row, or NEVER
    cdef bint active = seat == table.active
    if active:
        # What action 2 would bring alone, or else the penalty, is what a mark now has to beat.
        most = of_penalty(table, seat)
        for row in range(ROWS):
            coloured[row] = best_coloured(now, table, seat, dice, row, &at)
            most = max(most, coloured[row])
    for row in range(ROWS):
        place = place_of(row, total)
        if table.closed >> row & 1 or not fits(sheet, row, place):
            continue
        value = worth_of(now, table, seat, row, place)
        if active and not (place == LAST and closed_rows(table) and not table.finish_turn):
            more = 0
            for other in range(ROWS):
                if other != row:
                    more = max(more, coloured[other])
            if place < LAST:
                # Both in this row.
                count = sheet.count[row] + 1
                for white in range(2):
                    other = place_of(row, dice.white[white] + dice.coloured[row])
                    if place < other < LAST:
                        more = max(more, count + 1 + now[other * COUNTS + count + 1] - now[place * COUNTS + count])
                    elif other == LAST and count >= NEEDED:
                        more = max(more, locking(now, table, seat, row, 2 * count + 3))
            value += more
        if value > most:
            most = value
            best = row
    return best


cdef inline int first_action(
    const Policy* policy, const Table* table, int seat, const Dice* dice, uint64_t* chance,
) noexcept nogil:
    """The row in which a seat marks the white sum, or NOTHING."""
    if policy.kind == FAST:
        return fast_first(policy.outlook + stretch(table), table, seat, dice)
    return simple_first(policy, table, seat, dice.white[0] + dice.white[1], chance)


cdef void second_action(
    const Policy* policy, Table* table, const Dice* dice, bint marked, uint64_t* chance,
) noexcept nogil:
    """Action 2 of the active seat."""
    cdef float worth, most
    cdef const float* now
    cdef int seat = table.active, row, code, best = NOTHING, place = 0, at = 0
    if policy.kind == FAST:
        now = policy.outlook + stretch(table)
        most = 0 if marked else of_penalty(table, seat)
        for row in range(ROWS):
            worth = best_coloured(now, table, seat, dice, row, &at)
            if worth > most:
                most = worth
                best = row
                place = at
        apply_second(table, best, place, marked)
    else:
        code = simple_second(policy, table, dice, chance)
        apply_second(table, code if code == NOTHING else code >> 4, code & 15, marked)


cdef inline void apply_second(Table* table, int row, int place, bint marked) noexcept nogil:
    cdef Sheet* sheet = &table.sheets[table.active]
    if row != NOTHING:
        mark(sheet, row, place)
        close_rows(table)
    elif not marked:
        sheet.penalties += 1


cdef inline bint apply_first(Table* table, const int* firsts, const Dice* dice) noexcept nogil:
    """Action 1 of everybody; is action 2 played after it?"""
    cdef int seat
    for seat in range(table.players):
        if firsts[seat] != NOTHING:
            mark(&table.sheets[seat], firsts[seat], place_of(firsts[seat], dice.white[0] + dice.white[1]))
    return not close_rows(table) or table.finish_turn


cdef inline void next_turn(Table* table) noexcept nogil:
    table.active += 1
    if table.active == table.players:
        table.active = 0


cdef void play_turn(Table* table, const Policy* policies, const Dice* dice, uint64_t* chance) noexcept nogil:
    """One whole turn of the active seat; the next one is active afterwards."""
    cdef int firsts[SEATS]
    cdef int seat
    for seat in range(table.players):
        firsts[seat] = first_action(&policies[seat], table, seat, dice, chance)
    if apply_first(table, firsts, dice):
        second_action(&policies[table.active], table, dice, firsts[table.active] != NOTHING, chance)
    next_turn(table)


cdef int read_policies(players, outlook, Policy* policies) except -1:
    """Players as ``"random"``, ``"fast"``, or the most that a ``skip`` player skips."""
    cdef const float[::1] view
    cdef int seat
    if not 1 <= len(players) <= SEATS:
        raise ValueError(f"{len(players)} players, expected 1 to {SEATS}")
    for seat, player in enumerate(players):
        if player == "fast":
            view = outlook
            if len(view) != OUTLOOKS:
                raise ValueError(f"an outlook of {len(view)} numbers, expected {OUTLOOKS}")
            policies[seat].kind = FAST
            policies[seat].outlook = &view[0]
        else:
            policies[seat].kind = RANDOM if player == "random" else SKIP
            policies[seat].most = LAST if player == "random" else player
    return 0


def games(players, seed, int games, *, bint finish_turn=False, outlook=None):
    """Whole games of native players, one a seat: ``"random"``, ``"fast"``, or the most that a ``skip`` player skips.

    Game i has the seed ``seed + i``.  Returns the scores, int32 of shape (games, players), and the number of turns.
    """
    cdef Policy policies[SEATS]
    cdef Table table
    cdef Dice rolled
    cdef uint64_t state, luck, first = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef int seat, game, turn, n = len(players)
    cdef long long turns = 0
    read_policies(players, outlook, policies)
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


# -- rollouts


cdef int share(const Table* table, int seat, int* margin) noexcept nogil:
    """The seat's part of the win in units, and its points less the best other's."""
    cdef int other, mine = points(&table.sheets[seat]), theirs, best = -1000, equal = 1
    for other in range(table.players):
        if other != seat:
            theirs = points(&table.sheets[other])
            best = max(best, theirs)
            equal += theirs == mine
    margin[0] = mine - best
    return 0 if best > mine else SHARE // equal


cdef int read_table(object sheets, int closed, int active, bint finish_turn, Table* table) except -1:
    """Sheets as (last places, numbers of marks with the lock, penalties)."""
    cdef int seat, row
    memset(table, 0, sizeof(Table))
    table.players = len(sheets)
    table.closed = closed
    table.active = active
    table.finish_turn = finish_turn
    for seat, (last, count, penalties) in enumerate(sheets):
        for row in range(ROWS):
            table.sheets[seat].last[row] = last[row]
            table.sheets[seat].count[row] = count[row]
        table.sheets[seat].penalties = penalties
    return 0


cdef class Rollouts:
    """One decision, and what came of each of its choices so far when all play on by the fast policy.

    ``sums``: of each choice, int64: the games, the units of wins (60 each), the points ahead.
    """

    cdef Table table
    cdef Dice dice
    cdef int seat
    cdef bint first_done
    cdef bint marked
    cdef const float[::1] outlook
    cdef readonly object sums
    cdef int64_t[:, ::1] view
    cdef Choice choices[MOST_CHOICES]

    def __init__(
        self, sheets, int closed, int active, int seat, dice, choices, const float[::1] outlook, *,
        bint first_done, bint marked, bint finish_turn,
    ):
        """``sheets``: (last places, numbers of marks with the lock, penalties).  ``closed``: a bit a row.  ``choices``:
        (row of action 1, row and place of action 2), -1 for no row.  ``first_done``: is action 1 over, in which the
        seat ``marked``?"""
        cdef int i
        read_table(sheets, closed, active, finish_turn, &self.table)
        self.dice.white = dice[:2]
        self.dice.coloured = dice[2:]
        self.seat = seat
        self.first_done = first_done
        self.marked = marked
        self.outlook = outlook
        if len(choices) > MOST_CHOICES or len(outlook) != OUTLOOKS:
            raise ValueError("too many choices, or an outlook of another size")
        for i, (first, second, place) in enumerate(choices):
            self.choices[i].first = first
            self.choices[i].second = second
            self.choices[i].place = place
        self.sums = np.zeros((len(choices), 3), np.int64)
        self.view = self.sums

    def play(self, wanted, seed, Py_ssize_t start, Py_ssize_t stop):
        """Play the samples ``start`` to ``stop - 1`` of each choice wanted (their indices), the same dice for all."""
        cdef Py_ssize_t sample
        cdef int i, n = len(wanted), index, win, margin
        cdef int[MOST_CHOICES] indices
        cdef uint64_t state, luck = 0, base = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
        cdef Policy policies[SEATS]
        cdef Table table
        cdef Dice rolled
        for i in range(SEATS):
            policies[i].kind = FAST
            policies[i].outlook = &self.outlook[0]
        for i in range(n):
            indices[i] = wanted[i]
        with nogil:
            for sample in range(start, stop):
                for i in range(n):
                    index = indices[i]
                    table = self.table
                    state = turn_state(base, sample)
                    self.begin(&table, policies, &self.choices[index])
                    while not is_over(&table):
                        roll(&rolled, next_bits(&state))
                        play_turn(&table, policies, &rolled, &luck)
                    win = share(&table, self.seat, &margin)
                    self.view[index, 0] += 1
                    self.view[index, 1] += win
                    self.view[index, 2] += margin

    def worths(self):
        """What the fast player thinks of each choice: the points and outlook that it adds."""
        return [self.worth(&self.choices[i]) for i in range(len(self.sums))]

    cdef float worth(self, const Choice* choice) noexcept:
        cdef Table table = self.table
        cdef const float* now = &self.outlook[0] + stretch(&table)
        cdef int place
        cdef float worth = 0
        if choice.first != NOTHING and not self.first_done:
            place = place_of(choice.first, self.dice.white[0] + self.dice.white[1])
            worth += worth_of(now, &table, self.seat, choice.first, place)
            mark(&table.sheets[self.seat], choice.first, place)
        if choice.second != NOTHING:
            worth += worth_of(now, &table, self.seat, choice.second, choice.place)
        elif self.seat == table.active and choice.first == NOTHING and not self.marked:
            worth += of_penalty(&table, self.seat)
        return worth

    cdef void begin(self, Table* table, const Policy* policies, const Choice* choice) noexcept nogil:
        """The rest of the turn in question: the seat as it is told to, the others by the policy."""
        cdef int firsts[SEATS]
        cdef int other
        cdef uint64_t luck = 0
        if self.first_done:
            apply_second(table, choice.second, choice.place, self.marked)
            next_turn(table)
            return
        for other in range(table.players):
            firsts[other] = choice.first
            if other != self.seat:
                firsts[other] = first_action(&policies[other], table, other, &self.dice, &luck)
        if apply_first(table, firsts, &self.dice):
            if self.seat != table.active:
                second_action(&policies[table.active], table, &self.dice, firsts[table.active] != NOTHING, &luck)
            elif choice.second != NOTHING and not table.closed >> choice.second & 1:
                apply_second(table, choice.second, choice.place, True)
            else:
                apply_second(table, NOTHING, 0, choice.first != NOTHING)
        next_turn(table)


# -- training


def outlook_games(players, seed, int games, outlook, double daring, sums, counts):
    """Whole games, as :func:`games`, in which the points that the rows of the fast players still brought are added to
    ``sums`` (float64) and ``counts`` (int64), both of the outlook's size.  Returns the mean score by seat.

    ``daring``: the chance that in a turn everybody marks blindly instead, so that more states are seen.
    """
    cdef double[::1] sum_view = sums
    cdef int64_t[::1] count_view = counts
    cdef int where[MOST_TURNS * SEATS * ROWS]
    cdef int had[MOST_TURNS * SEATS * ROWS]
    cdef int which[MOST_TURNS * SEATS * ROWS]
    cdef Policy policies[SEATS]
    cdef Table table
    cdef Dice rolled
    cdef Sheet* sheet
    cdef uint64_t state, base = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef int game, turn, seat, row, n, i, final, now
    cdef double total[SEATS]
    read_policies(players, outlook, policies)
    for seat in range(SEATS):
        total[seat] = 0
    i = len(players)
    with nogil:
        for game in range(games):
            memset(&table, 0, sizeof(Table))
            table.players = i
            state = turn_state(base, game)
            n = turn = 0
            while not is_over(&table):
                now = stretch(&table)
                for seat in range(table.players):
                    sheet = &table.sheets[seat]
                    for row in range(ROWS):
                        if policies[seat].kind == FAST and turn < MOST_TURNS and not table.closed >> row & 1:
                            where[n] = now + sheet.last[row] * COUNTS + sheet.count[row]
                            had[n] = sheet.count[row]
                            which[n] = seat * ROWS + row
                            n += 1
                turn += 1
                roll(&rolled, next_bits(&state))
                if below(&state, 1000) < 1000 * daring:
                    stray(&table, &state, &rolled)
                else:
                    play_turn(&table, policies, &rolled, &state)
            for now in range(n):
                final = table.sheets[which[now] // ROWS].count[which[now] % ROWS]
                sum_view[where[now]] += final * (final + 1) // 2 - had[now] * (had[now] + 1) // 2
                count_view[where[now]] += 1
            for seat in range(table.players):
                total[seat] += points(&table.sheets[seat])
    return [total[seat] / games for seat in range(i)]


cdef void stray(Table* table, uint64_t* state, const Dice* dice) noexcept nogil:
    """A turn in which everybody marks the white sum in any row where it fits."""
    cdef int firsts[SEATS]
    cdef int seat, row, i, first, total = dice.white[0] + dice.white[1]
    for seat in range(table.players):
        first = below(state, ROWS)
        firsts[seat] = NOTHING
        for i in range(ROWS):
            row = (first + i) % ROWS
            if not table.closed >> row & 1 and fits(&table.sheets[seat], row, place_of(row, total)):
                firsts[seat] = row
    apply_first(table, firsts, dice)
    next_turn(table)
