# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whole greedy games in native code, written down turn by turn."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

import time

import numpy as np

from .._core cimport Board, Placement, board_best, board_clear, board_free, board_new
from .._play cimport (
    DECK,
    DEAD,
    EXCHANGES,
    GOING_ON,
    HAND,
    OUT,
    STUCK,
    Table,
    set_up,
    table_deal,
    table_exchange,
    table_masks,
    table_place,
)
from ..move import PLACEMENT
from ..notation import texts

cdef dict ENDS = {OUT: "out", STUCK: "stuck", DEAD: "dead", EXCHANGES: "exchanges"}


# One turn: the placement, or with no tile in it an exchange of so many tiles (none: a pass), and what was drawn.
cdef struct Written:
    Placement placement
    int exchanged_count
    int drawn_count
    uint8_t exchanged[HAND]
    uint8_t drawn[HAND]
    int seat


# The turns of one game; room grows as it must.
cdef struct Notes:
    Written* turns
    int count
    int room


cdef Written* new_turn(Notes* notes) noexcept nogil:
    """Room for another turn; NULL when there is no memory."""
    cdef Written* turns
    cdef int room
    if notes.count == notes.room:
        room = 2 * notes.room if notes.room else 256
        turns = <Written*>realloc(notes.turns, room * sizeof(Written))
        if turns == NULL:
            return NULL
        notes.turns, notes.room = turns, room
    notes.count += 1
    return &notes.turns[notes.count - 1]


cdef int written_turn(Table* table, Board* board, Notes* notes) noexcept nogil:
    """As ``table_greedy_turn``: place for the highest score, else exchange all that the bag allows, else pass.

    Returns 0 when the game is over, -1 when there is no memory.
    """
    cdef uint64_t masks[3]
    cdef int seat = table.seat, bag_count = table.bag_count, i, j
    cdef uint8_t tile
    cdef Written* turn = new_turn(notes)
    if turn == NULL:
        return -1
    turn.seat = seat
    table_masks(table, seat, masks)
    if board_best(board, masks, &turn.placement) >= 0:
        turn.exchanged_count = 0
        table_place(table, board, &turn.placement)
        turn.drawn_count = bag_count - table.bag_count
    else:
        turn.placement.what = 0
        turn.exchanged_count = turn.drawn_count = min(table.hand_count[seat], bag_count)
        # The first ones in code order go.
        memcpy(turn.exchanged, table.hand[seat], HAND)
        for i in range(1, table.hand_count[seat]):
            tile = turn.exchanged[i]
            j = i
            while j and turn.exchanged[j - 1] > tile:
                turn.exchanged[j] = turn.exchanged[j - 1]
                j -= 1
            turn.exchanged[j] = tile
        # The bag is shuffled when the tiles have gone back: what is drawn is read off before.
        for i in range(turn.drawn_count):
            turn.drawn[i] = table.bag[bag_count - 1 - i]
        table_exchange(table, turn.exchanged_count)
        return table.ending == GOING_ON
    for i in range(turn.drawn_count):
        turn.drawn[i] = table.bag[bag_count - 1 - i]
    return table.ending == GOING_ON


def greedy_games(rules, int players, seeds):
    """Play a game of greedy players for each seed.

    Returns for each (hands as dealt, bag in drawing order, turns, final scores, end, seconds): the first four in the
    form of a record.
    """
    cdef Table table
    cdef uint8_t copies[DECK]
    cdef Notes notes
    cdef int more, youngest_first = rules.first == "youngest"
    cdef Board* board
    games = []
    set_up(&table, rules, players, copies)
    board = board_new(table.flex, rules.diagonal_min, rules.opening == "largest")
    if board == NULL:
        raise MemoryError("no memory for a board")
    notes.turns, notes.room = NULL, 0
    codes = rules.tile_set.codes
    try:
        for seed in seeds:
            start = time.perf_counter()
            table.seed = seed
            table_deal(&table, copies, youngest_first)
            hands = [[codes[table.hand[seat][i]] for i in range(HAND)] for seat in range(players)]
            bag = [codes[table.bag[i]] for i in range(table.bag_count - 1, -1, -1)]
            notes.count = 0
            with nogil:
                more = 1
                while more > 0:
                    more = written_turn(&table, board, &notes)
                board_clear(board)
            if more < 0:
                raise MemoryError("no memory for the turns of a game")
            seconds = time.perf_counter() - start
            scores = [table.score[seat] for seat in range(players)]
            games.append((hands, bag, turns_of(&notes, codes, table.flex), scores, ENDS[table.ending], seconds))
    finally:
        board_free(board)
        free(notes.turns)
    return games


cdef list turns_of(Notes* notes, tuple codes, int flex):
    """The turns in the form of a record."""
    cdef int i, j
    cdef Written* turn
    words = np.empty((notes.count, 2), np.uint64)
    cdef uint64_t[:, ::1] view = words
    cdef int placements = 0
    for i in range(notes.count):
        if notes.turns[i].placement.what:
            memcpy(&view[placements, 0], &notes.turns[i].placement, sizeof(Placement))
            placements += 1
    placed = iter(texts(words[:placements].view(PLACEMENT).reshape(-1), flex))
    found = []
    for i in range(notes.count):
        turn = &notes.turns[i]
        if turn.placement.what:
            move = next(placed)
        else:
            move = "-" + "".join([codes[turn.exchanged[j]] for j in range(turn.exchanged_count)])
        found.append({
            "seat": turn.seat,
            "move": move,
            "score": <int>(turn.placement.what >> 48 & 255),
            "drawn": [codes[turn.drawn[j]] for j in range(turn.drawn_count)],
        })
    return found
