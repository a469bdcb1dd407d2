# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Many games in native code, stepped together, each turn by the same rules as :class:`qwirkle_fast.Game`."""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy

import numpy as np

from .._core cimport Board, Placement, board_best, board_free, board_new, board_placements
from .._play cimport (
    DECK,
    DEAD,
    EXCHANGES,
    GOING_ON,
    HAND,
    MAX_PLAYERS,
    OUT,
    STUCK,
    Table,
    below,
    set_up,
    table_deal,
    table_exchange,
    table_masks,
    table_place,
    table_sort,
    table_swap,
)
from ..move import PLACEMENT
from .actions import PASS, SIDE
from .arguments import rules_of, whole, whole_numbers

#: What ``Batch.ends`` holds: the place of each game's end in this tuple.
ENDS = (None, "out", "stuck", "dead", "exchanges")
assert (GOING_ON, OUT, STUCK, DEAD, EXCHANGES) == tuple(range(len(ENDS)))


cdef class Batch:
    """A game of ``players`` for each of the ``seeds``, dealt as :class:`qwirkle_fast.Game` deals them.

    ``rules``: :class:`qwirkle_fast.Rules` or their text.  Raises ``ValueError``.

    Arrays have one row a game, in the order of the seeds, and are copies.  Whatever is told of hands is what the player
    to move knows.  A game that is over is left alone by the steps.  All work on the games lets Python's lock go; one
    thread at a time may use a batch.  A game takes about 0.1 MB, of Flex 0.5 MB.

    >>> from qwirkle_fast import Rules
    >>> batch = Batch(Rules(), 2, range(100))
    >>> while not batch.over.all():
    ...     batch.greedy()
    >>> batch.scores.shape, int(batch.scores.max()) > 100
    ((100, 2), True)
    """

    cdef readonly object rules
    cdef readonly int players
    cdef int games
    cdef int listed
    cdef int64_t room
    cdef Table* tables
    cdef Board** boards_
    cdef Placement* found
    cdef int64_t* offsets
    cdef uint64_t* chance

    def __init__(self, rules, players, seeds):
        cdef uint64_t[::1] wanted = whole_numbers("seeds", seeds, 0, (1 << 64) - 1, np.uint64)
        cdef uint8_t copies[DECK]
        cdef int youngest_first, i
        if self.tables != NULL:
            raise TypeError("a batch is made once")
        self.rules = rules = rules_of(rules)
        self.players = whole("players", players, 2, MAX_PLAYERS)
        youngest_first = rules.first == "youngest"
        self.games = <int>wanted.shape[0]
        self.tables = <Table*>calloc(self.games + 1, sizeof(Table))
        self.boards_ = <Board**>calloc(self.games + 1, sizeof(Board*))
        self.offsets = <int64_t*>calloc(self.games + 1, sizeof(int64_t))
        self.chance = <uint64_t*>calloc(self.games + 1, sizeof(uint64_t))
        if self.tables == NULL or self.boards_ == NULL or self.offsets == NULL or self.chance == NULL:
            raise MemoryError("no memory for a batch")
        for i in range(self.games):
            set_up(&self.tables[i], rules, self.players, copies)
            self.boards_[i] = board_new(self.tables[i].flex, rules.diagonal_min, rules.opening == "largest")
            if self.boards_[i] == NULL:
                raise MemoryError("no memory for a board")
            self.tables[i].seed = wanted[i]
            self.chance[i] = ~wanted[i]
            table_deal(&self.tables[i], copies, youngest_first)

    def __dealloc__(self):
        cdef int i
        if self.boards_ != NULL:
            for i in range(self.games):
                board_free(self.boards_[i])
        free(self.boards_)
        free(self.tables)
        free(self.found)
        free(self.offsets)
        free(self.chance)

    def __len__(self):
        return self.games

    # -- steps

    def greedy(self):
        """In each game the player to move places for the highest score, else exchanges all that the bag allows."""
        cdef int i
        cdef Placement placement
        cdef uint64_t masks[3]
        self.listed = 0
        with nogil:
            for i in range(self.games):
                if self.tables[i].ending != GOING_ON:
                    continue
                table_masks(&self.tables[i], self.tables[i].seat, masks)
                if board_best(self.boards_[i], masks, &placement) >= 0:
                    table_place(&self.tables[i], self.boards_[i], &placement)
                else:
                    self.exchange_all(i)

    def random(self):
        """In each game the player to move makes any placement, each as likely, else exchanges all that the bag allows.

        The chance in it is fixed by the game's seed.
        """
        cdef int i
        cdef int64_t count
        with nogil:
            self.list_all()
            for i in range(self.games):
                count = self.offsets[i + 1] - self.offsets[i]
                if self.tables[i].ending != GOING_ON:
                    continue
                if count:
                    count = self.offsets[i] + below(&self.chance[i], <int>count)
                    table_place(&self.tables[i], self.boards_[i], &self.found[count])
                else:
                    self.exchange_all(i)
            self.listed = 0

    def step(self, choices):
        """Make a turn in each game.

        ``choices``: a whole number a game.  0 or more: the placement of that number in :meth:`placements`; -1 to -63:
        the exchange of those tiles of the sorted :attr:`hands` whose bits (1 the first, 32 the sixth) its opposite
        has; ``PASS`` (-64).  Of games that are over it is not looked at.  Raises ``ValueError``, and changes nothing,
        when one is illegal.
        """
        cdef int64_t[::1] chosen = whole_numbers("choices", choices, -(1 << 63), (1 << 63) - 1, np.int64)
        cdef int64_t bad = 0
        cdef int i
        if chosen.shape[0] != self.games:
            raise ValueError(f"choices: {chosen.shape[0]}, expected {self.games}, one a game")
        with nogil:
            self.list_all()
            for i in range(self.games):
                if self.tables[i].ending == GOING_ON and not self.allowed(i, chosen[i]):
                    bad = i + 1
                    break
            if not bad:
                for i in range(self.games):
                    if self.tables[i].ending == GOING_ON:
                        self.turn(i, chosen[i])
                self.listed = 0
        if bad:
            raise ValueError(f"choices[{bad - 1}]: {chosen[bad - 1]}, expected a legal placement's number, an exchange "
                             "that the bag allows, or a pass where nothing else is legal")

    cdef bint allowed(self, int i, int64_t choice) noexcept nogil:
        cdef const Table* table = &self.tables[i]
        cdef int64_t count = self.offsets[i + 1] - self.offsets[i]
        if choice >= 0:
            return choice < count
        if choice == -64:
            return not count and not table.bag_count
        if choice < -64 or (-choice) >> table.hand_count[table.seat]:
            return False
        if not self.boards_[i].count and self.boards_[i].opening_largest:
            return False
        return bits(-choice) <= table.bag_count

    cdef void turn(self, int i, int64_t choice) noexcept nogil:
        """An allowed choice is made."""
        cdef Table* table = &self.tables[i]
        cdef uint8_t sorted_hand[HAND]
        cdef int first = 0, rest, j
        if choice >= 0:
            table_place(table, self.boards_[i], &self.found[self.offsets[i] + choice])
            return
        if choice == -64:
            table_swap(table, 0)
            return
        table_sort(table)
        memcpy(sorted_hand, table.hand[table.seat], HAND)
        rest = bits(-choice)
        for j in range(table.hand_count[table.seat]):
            if (-choice) >> j & 1:
                table.hand[table.seat][first] = sorted_hand[j]
                first += 1
            else:
                table.hand[table.seat][rest] = sorted_hand[j]
                rest += 1
        table_swap(table, first)

    cdef void exchange_all(self, int i) noexcept nogil:
        cdef Table* table = &self.tables[i]
        table_exchange(table, min(table.hand_count[table.seat], table.bag_count))

    # -- what is there

    def placements(self):
        """The legal placements of the players to move: one array of :data:`qwirkle_fast.PLACEMENT` and offsets.

        Those of game ``i`` are ``array[offsets[i]:offsets[i + 1]]``, in no order; none once it is over.
        """
        cdef uint8_t[::1] view
        cdef int64_t total
        with nogil:
            self.list_all()
        total = self.offsets[self.games]
        array = np.empty(total, PLACEMENT)
        if total:
            view = array.view(np.uint8)
            memcpy(&view[0], self.found, total * sizeof(Placement))
        return array, np.array(<int64_t[:self.games + 1]>self.offsets)

    cdef int list_all(self) except -1 nogil:
        cdef int64_t start = 0, count
        cdef uint64_t masks[3]
        cdef int i
        cdef Placement* larger
        if self.listed:
            return 0
        for i in range(self.games):
            count = 0
            if self.tables[i].ending == GOING_ON:
                table_masks(&self.tables[i], self.tables[i].seat, masks)
                count = board_placements(self.boards_[i], masks, self.found + start, self.room - start)
                if start + count > self.room:
                    larger = <Placement*>realloc(self.found, 2 * (start + count) * sizeof(Placement))
                    if larger == NULL:
                        raise MemoryError("no memory for the placements of a batch")
                    self.found = larger
                    self.room = 2 * (start + count)
                    board_placements(self.boards_[i], masks, self.found + start, count)
            start += count
            self.offsets[i + 1] = start
        self.listed = 1
        return 0

    @property
    def seats(self):
        """Whose turn it is: (games,), int8."""
        return np.array([self.tables[i].seat for i in range(self.games)], np.int8)

    @property
    def turns(self):
        """How many turns were made: (games,), int64."""
        return np.array([self.tables[i].turn for i in range(self.games)], np.int64)

    @property
    def ends(self):
        """How each game ended, by its place in :data:`ENDS`, 0 while it goes on: (games,), int8."""
        return np.array([self.tables[i].ending for i in range(self.games)], np.int8)

    @property
    def over(self):
        """Is the game over?  (games,), bool."""
        return self.ends != GOING_ON

    @property
    def bags(self):
        """How many tiles each bag holds: (games,), uint8."""
        return np.array([self.tables[i].bag_count for i in range(self.games)], np.uint8)

    @property
    def scores(self):
        """By seat: (games, players), int64."""
        found = np.empty((self.games, self.players), np.int64)
        cdef int64_t[:, ::1] view = found
        cdef int i, seat
        for i in range(self.games):
            for seat in range(self.players):
                view[i, seat] = self.tables[i].score[seat]
        return found

    @property
    def hands(self):
        """What the player to move holds, 1 + each tile in code order, then zeros: (games, 6), uint8."""
        found = np.zeros((self.games, HAND), np.uint8)
        cdef uint8_t[:, ::1] view = found
        cdef int i, j
        for i in range(self.games):
            table_sort(&self.tables[i])
            for j in range(self.tables[i].hand_count[self.tables[i].seat]):
                view[i, j] = self.tables[i].hand[self.tables[i].seat][j] + 1
        return found

    @property
    def hand_sizes(self):
        """How many tiles each seat holds: (games, players), int8."""
        found = np.empty((self.games, self.players), np.int8)
        cdef int8_t[:, ::1] view = found
        cdef int i, seat
        for i in range(self.games):
            for seat in range(self.players):
                view[i, seat] = <int8_t>self.tables[i].hand_count[seat]
        return found

    @property
    def unseen(self):
        """How many of each tile the player to move does not see, in the bag or with others: (games, tiles), uint8."""
        found = np.empty((self.games, len(self.rules.copies)), np.uint8)
        cdef uint8_t[:, ::1] view = found
        cdef int i, j
        for i in range(self.games):
            for j in range(view.shape[1]):
                view[i, j] = self.tables[i].unplaced[j]
            for j in range(self.tables[i].hand_count[self.tables[i].seat]):
                view[i, self.tables[i].hand[self.tables[i].seat][j]] -= 1
        return found

    @property
    def boards(self):
        """1 + the tile on each cell (y, x), 0 where none lies: (games, SIDE, SIDE), uint8; see :data:`actions.SIDE`."""
        found = np.zeros((self.games, SIDE, SIDE), np.uint8)
        cdef uint8_t[:, :, ::1] view = found
        cdef int i, j, x, y, side = SIDE
        with nogil:
            for i in range(self.games):
                for j in range(self.boards_[i].count):
                    # Cells lie within 107 of the first one, at 0,0.
                    x = (self.boards_[i].xs[j] + side // 2 + 2 * side) % side
                    y = (self.boards_[i].ys[j] + side // 2 + 2 * side) % side
                    view[i, y, x] = self.boards_[i].tiles[j] + 1
        return found


assert PASS == -64


cdef inline int bits(int64_t value) noexcept nogil:
    cdef int count = 0
    while value:
        value &= value - 1
        count += 1
    return count
