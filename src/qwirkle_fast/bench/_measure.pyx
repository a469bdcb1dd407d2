# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The core's speed from inside: clocks around each question, over the positions of greedy games in order of play."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from .._core cimport Board, Placement, board_best, board_clear, board_free, board_new, board_placements, board_take_back
from .._play cimport DECK, GOING_ON, Table, set_up, shuffle, table_deal, table_greedy_turn, table_masks, table_place

cdef extern from *:
    """
    #ifdef _WIN32
    #include <windows.h>
    static double seconds(void) {
        LARGE_INTEGER count, frequency;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&frequency);
        return (double)count.QuadPart / (double)frequency.QuadPart;
    }
    #else
    #include <time.h>
    static double seconds(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    #endif
    """
    double seconds() nogil

cdef enum:
    CAPACITY = 1 << 17


def measure(rules, uint64_t seed, int games):
    """Time each position of two-player greedy games once: every placement, then the best one.

    Returns a dict of totals: positions, moves, seconds of either question.
    """
    cdef Table table
    cdef uint8_t copies[DECK]
    cdef uint64_t masks[3]
    cdef Placement best
    cdef int64_t moves = 0, positions = 0
    cdef double start, listing = 0, choosing = 0
    cdef int game, ask
    set_up(&table, rules, 2, copies)
    cdef Board* board = board_new(table.flex, rules.diagonal_min, rules.opening == "largest")
    cdef Placement* out = <Placement*>malloc(CAPACITY * sizeof(Placement))
    if board == NULL or out == NULL:
        raise MemoryError("no memory for a board")
    with nogil:
        for game in range(games):
            for ask in range(2):
                table.seed = seed + <uint64_t>game
                table_deal(&table, copies, 0)
                while table.ending == GOING_ON:
                    table_masks(&table, table.seat, masks)
                    start = seconds()
                    if ask:
                        board_best(board, masks, &best)
                        choosing += seconds() - start
                    else:
                        moves += board_placements(board, masks, out, CAPACITY)
                        listing += seconds() - start
                        positions += 1
                    table_greedy_turn(&table, board)
                board_clear(board)
    board_free(board)
    free(out)
    return {"positions": positions, "moves": moves, "listing": listing, "choosing": choosing}


def rollouts(rules, uint64_t seed, int games):
    """Time four greedy plies from middle-game positions, the other hand and the bag dealt anew, then taken back.

    Returns (plies, seconds).
    """
    cdef Table table, trial
    cdef uint8_t copies[DECK]
    cdef uint8_t pool[DECK]
    cdef uint64_t masks[3]
    cdef Placement best
    cdef uint64_t state = seed
    cdef int64_t plies = 0
    cdef double start, spent = 0
    cdef int game, n, ply, other, base
    set_up(&table, rules, 2, copies)
    cdef Board* board = board_new(table.flex, rules.diagonal_min, rules.opening == "largest")
    if board == NULL:
        raise MemoryError("no memory for a board")
    with nogil:
        for game in range(games):
            table.seed = seed + <uint64_t>game
            table_deal(&table, copies, 0)
            while table.ending == GOING_ON:
                if 8 <= table.turn < 40 and table.turn % 8 == 0:
                    start = seconds()
                    base = board.count
                    other = 1 - table.seat
                    for _ in range(25):
                        trial = table
                        n = trial.bag_count
                        for ply in range(n):
                            pool[ply] = trial.bag[ply]
                        for ply in range(trial.hand_count[other]):
                            pool[n] = trial.hand[other][ply]
                            n += 1
                        shuffle(pool, n, &state)
                        for ply in range(trial.hand_count[other]):
                            n -= 1
                            trial.hand[other][ply] = pool[n]
                        for ply in range(n):
                            trial.bag[ply] = pool[ply]
                        for _ in range(4):
                            plies += 1
                            table_masks(&trial, trial.seat, masks)
                            if board_best(board, masks, &best) < 0:
                                trial.seat = 1 - trial.seat
                                continue
                            table_place(&trial, board, &best)
                            if trial.ending != GOING_ON:
                                break
                        while board.count > base:
                            board_take_back(board)
                    spent += seconds() - start
                table_greedy_turn(&table, board)
            board_clear(board)
    board_free(board)
    return plies, spent
