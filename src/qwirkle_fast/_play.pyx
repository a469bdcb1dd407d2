# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whole games in native code, by the same rules and the same deal as :class:`qwirkle_fast.Game`."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from ._core cimport (
    Board,
    Placement,
    board_best,
    board_clear,
    board_fits,
    board_free,
    board_lay,
    board_new,
)


cdef uint64_t mixed(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef uint64_t next_random(uint64_t* state) noexcept nogil:
    """splitmix64 (Steele, Lea and Flood 2014), the project's generator: see qwirkle_fast.deal."""
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    return mixed(state[0])


cdef int below(uint64_t* state, int n) noexcept nogil:
    return <int>((next_random(state) >> 32) * <uint64_t>n >> 32)


cdef void shuffle(uint8_t* tiles, int count, uint64_t* state) noexcept nogil:
    cdef int i, j
    cdef uint8_t tile
    for i in range(count - 1, 0, -1):
        j = below(state, i + 1)
        tile = tiles[i]
        tiles[i] = tiles[j]
        tiles[j] = tile


cdef inline int symbol_of(const Table* table, int tile) noexcept nogil:
    return tile // 3 if table.flex else tile


cdef inline int background_of(const Table* table, int tile) noexcept nogil:
    return tile % 3 if table.flex else 0


cdef inline void draw(Table* table, int seat) noexcept nogil:
    while table.hand_count[seat] < HAND and table.bag_count:
        table.bag_count -= 1
        table.hand[seat][table.hand_count[seat]] = table.bag[table.bag_count]
        table.hand_count[seat] += 1


cdef void table_masks(const Table* table, int seat, uint64_t* masks) noexcept nogil:
    """The symbols of a hand, by background."""
    cdef int i, tile
    masks[0] = masks[1] = masks[2] = 0
    for i in range(table.hand_count[seat]):
        tile = table.hand[seat][i]
        masks[background_of(table, tile)] |= <uint64_t>1 << symbol_of(table, tile)


cdef int largest_set(const Table* table, int seat) noexcept nogil:
    cdef int colours[6]
    cdef int shapes[6]
    cdef int i, symbol, largest = 0
    cdef uint64_t seen = 0
    memset(colours, 0, sizeof(colours))
    memset(shapes, 0, sizeof(shapes))
    for i in range(table.hand_count[seat]):
        symbol = symbol_of(table, table.hand[seat][i])
        if seen >> symbol & 1:
            continue
        seen |= <uint64_t>1 << symbol
        colours[symbol // 6] += 1
        shapes[symbol % 6] += 1
    for i in range(6):
        largest = max(largest, colours[i], shapes[i])
    return largest


cdef void table_deal(Table* table, const uint8_t* copies, int youngest_first) noexcept nogil:
    """Shuffle, deal six tiles to each seat in turn, and find who opens.  Needs seed, flex, players and exchange_cap."""
    cdef uint64_t state = table.seed
    cdef int tile, seat, size, largest = 0
    cdef int tiles = 108 if table.flex else 36
    table.bag_count = table.turn = table.streak = 0
    table.ending = GOING_ON
    table.left[0] = table.left[1] = table.left[2] = 0
    for tile in range(tiles - 1, -1, -1):
        table.unplaced[tile] = copies[tile]
        for _ in range(copies[tile]):
            table.bag[table.bag_count] = <uint8_t>tile
            table.bag_count += 1
            table.left[background_of(table, tile)] |= <uint64_t>1 << symbol_of(table, tile)
    shuffle(table.bag, table.bag_count, &state)
    table.seat = 0
    for seat in range(table.players):
        table.score[seat] = table.hand_count[seat] = 0
        draw(table, seat)
        size = largest_set(table, seat)
        if size > largest or size == largest and youngest_first:
            largest = size
            table.seat = seat


cdef void table_place(Table* table, Board* board, const Placement* placement) noexcept nogil:
    """The seat to move makes the placement; the turn passes on."""
    cdef uint64_t rest = placement.what & ((<uint64_t>1 << 48) - 1)
    cdef int seat = table.seat
    cdef uint8_t* hand = table.hand[seat]
    cdef int tile, i
    board_lay(board, placement)
    table.score[seat] += <int>(placement.what >> 48 & 255)
    while rest:
        tile = <int>(rest & 255) - 1
        rest >>= 8
        if tile < 0:
            continue
        i = 0
        while hand[i] != tile:
            i += 1
        table.hand_count[seat] -= 1
        hand[i] = hand[table.hand_count[seat]]
        table.unplaced[tile] -= 1
        if not table.unplaced[tile]:
            table.left[background_of(table, tile)] &= ~(<uint64_t>1 << symbol_of(table, tile))
    draw(table, seat)
    table.streak = 0
    table.turn += 1
    table.seat = seat + 1 if seat + 1 < table.players else 0
    if not table.hand_count[seat]:
        table.score[seat] += 6
        table.ending = OUT
    elif not board_fits(board, table.left):
        table.ending = DEAD if table.bag_count else STUCK


cdef void table_exchange(Table* table, int count) noexcept nogil:
    """The seat to move exchanges the first of its hand in code order (none is a pass); the turn passes on."""
    table_sort(table)
    table_swap(table, count)


cdef void table_sort(Table* table) noexcept nogil:
    """Put the hand of the seat to move in code order."""
    cdef uint8_t* hand = table.hand[table.seat]
    cdef int i, j
    cdef uint8_t tile
    for i in range(1, table.hand_count[table.seat]):
        tile = hand[i]
        j = i
        while j and hand[j - 1] > tile:
            hand[j] = hand[j - 1]
            j -= 1
        hand[j] = tile


cdef void table_swap(Table* table, int count) noexcept nogil:
    """The seat to move exchanges the first of its hand as they lie, in code order (none is a pass)."""
    cdef int seat = table.seat
    cdef uint8_t aside[HAND]
    cdef uint64_t state = mixed(table.seed + <uint64_t>0x9E3779B97F4A7C15 * <uint64_t>(table.turn + 1))
    cdef int i
    if count:
        for i in range(count):
            aside[i] = table.hand[seat][i]
            table.bag_count -= 1
            table.hand[seat][i] = table.bag[table.bag_count]
        for i in range(count):
            table.bag[table.bag_count] = aside[i]
            table.bag_count += 1
        shuffle(table.bag, table.bag_count, &state)
        table.streak += 1
        if table.streak == table.exchange_cap * table.players:
            table.ending = EXCHANGES
    table.turn += 1
    table.seat = seat + 1 if seat + 1 < table.players else 0


cdef int table_greedy_turn(Table* table, Board* board) noexcept nogil:
    """Place for the highest score, else exchange all that the bag allows, else pass; 0 when the game is over."""
    cdef uint64_t masks[3]
    cdef Placement placement
    cdef int seat = table.seat
    table_masks(table, seat, masks)
    if board_best(board, masks, &placement) >= 0:
        table_place(table, board, &placement)
    else:
        table_exchange(table, min(table.hand_count[seat], table.bag_count))
    return table.ending == GOING_ON


cdef int set_up(Table* table, rules, int players, uint8_t* copies) except -1:
    """Fill in what a table needs before the deal."""
    cdef int tile
    if not 2 <= players <= MAX_PLAYERS:
        raise ValueError(f"players: {players}, expected 2 to {MAX_PLAYERS}")
    table.flex = rules.name == "flex"
    table.players = players
    table.exchange_cap = rules.exchange_cap
    for tile, count in enumerate(rules.copies):
        copies[tile] = count
    return 0


def greedy_games(rules, int players, uint64_t seed, int games):
    """Play whole games of greedy players, seeds from ``seed`` on; returns (final scores of each game, plies in all)."""
    cdef Table table
    cdef uint8_t copies[DECK]
    cdef int64_t plies = 0
    cdef int game, seat
    cdef int youngest_first = rules.first == "youngest"
    set_up(&table, rules, players, copies)
    cdef Board* board = board_new(table.flex, rules.diagonal_min, rules.opening == "largest")
    if board == NULL:
        raise MemoryError("no memory for a board")
    scores = []
    try:
        for game in range(games):
            with nogil:
                table.seed = seed + <uint64_t>game
                table_deal(&table, copies, youngest_first)
                while table_greedy_turn(&table, board):
                    pass
                plies += table.turn
                board_clear(board)
            scores.append(tuple(table.score[seat] for seat in range(players)))
    finally:
        board_free(board)
    return scores, plies
