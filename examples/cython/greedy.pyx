# cython: language_level=3
"""The core called from Cython, with no Python in between."""

from libc.stdint cimport uint64_t

from qwirkle_fast._core cimport (
    ABI, MAX_TILES, Board, Placement, board_best, board_free, board_lay, board_new, board_place, core_abi,
)

if core_abi() != ABI:
    raise ImportError(f"compiled for ABI {ABI} of qwirkle_fast, found {core_abi()}")


def points(position, int turns):
    """What so many turns with always the same hand bring, if each takes the most points it can."""
    cdef uint64_t hand[3]
    cdef Placement best
    cdef int score, laid, total = 0
    cdef Board* board
    if position.rules.name != "classic":
        raise ValueError(f"rules: {position.rules.name}, expected classic")
    cells, tiles = position.cells, position.hand
    board = board_new(0, 2, 1)  # classic
    if board == NULL:
        raise MemoryError
    hand[0] = hand[1] = hand[2] = 0
    for tile in tiles:
        hand[0] |= <uint64_t>1 << <int>tile
    for x, y, tile in cells:
        board_place(board, x, y, tile)
    laid = len(cells)
    with nogil:
        while turns > 0 and laid + 6 <= MAX_TILES:  # a board holds no more
            score = board_best(board, hand, &best)
            if score < 0:
                break
            total += score
            board_lay(board, &best)
            laid += 6
            turns -= 1
        board_free(board)
    return total
