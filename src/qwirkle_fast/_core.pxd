"""The C interface of the core, for ``cimport qwirkle_fast._core`` and, through ``__pyx_capi__``, for Numba.

All functions are ``nogil``, touch no Python object and allocate nothing, but for ``board_new``.  A ``Board`` belongs to
one thread at a time.  Whoever keeps compiled code that calls these functions keeps ``ABI`` beside it: it changes
whenever a signature or a structure below changes its meaning.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    ABI = 2
    STRIDE = 149
    CELLS = 1 << 14
    CELL_MASK = CELLS - 1
    MAX_TILES = 108
    MAX_EDGES = 448
    TAKEN = 64

# A placement in 16 bytes.  where: x of its first cell in the low 32 bits, y in the high 32.  what: byte i (0 to 5) is
# 1 + the tile laid on the i-th cell from there along the axis, 0 where none is; byte 6 the score; byte 7 the axis,
# 0 a row, 1 a column.  A line has at most six cells, so no placement spans more.
ctypedef struct Placement:
    uint64_t where
    uint64_t what

# An empty cell beside a tile.  Directions: 0 left, 1 right, 2 up, 3 down; axes: 0 row, 1 column; direction =
# 2 * axis + side.  run: the symbols of the tiles that touch the cell from there, unbroken.  length: how many.  fit: the
# symbols that the cell's line along the axis accepts.  points: what that line is worth once the cell is filled.
# cell: its place in the order of rows and in that of columns.
cdef struct Edge:
    uint64_t fit[2]
    uint64_t run[4]
    uint8_t length[4]
    uint8_t points[2]
    uint16_t cell[2]
    uint8_t unused[6]

# What Flex adds to an empty cell.  Directions: 0 up left, 1 down right, 2 up right, 3 down left.  runs: of each
# background, byte by byte, the length of its unbroken run that touches the cell from each direction.  points, allowed:
# what the two diagonals score for a tile of each background, and (bit by bit) whether they may take it; FILLED is added
# while a tile lies on the cell.
cdef struct Diagonals:
    uint32_t runs[3]
    uint8_t points[3]
    uint8_t allowed

# The Flex part of a board.  points: what a tile scores by the tiles along its two diagonals, four bits each, or
# TOO_LONG.  cells: of every cell.  most: the most that any tile can score along the diagonals of a cell, 0 where a tile
# lies, cell by cell in the order of rows and of columns, from the ninth byte on; eight cells are repeated at
# either end.
cdef struct Backgrounds:
    int diagonal_min
    uint8_t points[256]
    uint8_t most[2][CELLS + 16]
    Diagonals cells[CELLS]
    Diagonals undo[MAX_TILES][4]

# A symbol on an edge, to be followed along the axis: what can be laid after the line, and before it.
cdef struct Start:
    uint64_t ahead
    uint64_t behind
    uint16_t edge
    uint8_t symbol
    uint8_t axis

# What a tile changed at the four cells where its lines end: the rest can be read off the edges that stay.
cdef struct Undo:
    uint64_t fit[4]
    uint64_t own_fits
    uint64_t hash
    int edge_count

# A working area, wide but reused.  xs, ys, tiles: what lies on it, in the order it was laid.
#
# Cells wrap: (x, y) is cell (x + STRIDE * y) mod CELLS.  108 tiles span at most 91 cells, so no two cells that matter
# at once are over 107 apart along either axis, and those never meet, nor touch where they should not.
#
# edge_at: each cell's edge; 0 for a cell that touches no tile, and edge 0 is what such a cell looks like.  Edges are
# given out in order and stay where they are until they are taken back.  fits: what each edge accepts along both axes,
# kept together to be scanned; 0 once the cell is filled.  where: the cell of each edge as in Placement.
#
# ahead: what a placement along the axis crosses, cell by cell in the axis's own order: the points of the other line, or
# TAKEN; eight cells are repeated at the end, so that eight can be read from anywhere at once.
#
# starts: room for the search, to note the placements that can grow.
cdef struct Board:
    int flex
    int opening_largest
    int count
    int edge_count
    uint64_t hash
    int32_t xs[MAX_TILES]
    int32_t ys[MAX_TILES]
    uint8_t tiles[MAX_TILES]
    Undo undo[MAX_TILES]
    Backgrounds* backgrounds
    uint64_t fits[MAX_EDGES]
    uint64_t where[MAX_EDGES]
    Edge edges[MAX_EDGES]
    uint16_t edge_at[CELLS]
    Start starts[2 * 6 * MAX_EDGES]
    uint8_t ahead[2][CELLS + 8]

# hand, tiles: three masks of symbols, one a background; the classic game uses the first.
cdef int core_abi() noexcept nogil
cdef Board* board_new(int flex, int diagonal_min, int opening_largest) noexcept nogil
cdef void board_free(Board* board) noexcept nogil
cdef void board_set_diagonal_min(Board* board, int diagonal_min) noexcept nogil
cdef void board_place(Board* board, int32_t x, int32_t y, int tile) noexcept nogil
cdef void board_take_back(Board* board) noexcept nogil
cdef void board_clear(Board* board) noexcept nogil
cdef void board_lay(Board* board, const Placement* placement) noexcept nogil
cdef int64_t board_placements(Board* board, const uint64_t* hand, Placement* out, int64_t capacity) noexcept nogil
cdef int64_t board_count(Board* board, const uint64_t* hand) noexcept nogil
cdef int board_best(Board* board, const uint64_t* hand, Placement* out) noexcept nogil
cdef int64_t board_top(Board* board, const uint64_t* hand, int64_t wanted, Placement* out,
                       int64_t capacity) noexcept nogil
cdef int board_score(Board* board, int count, const int32_t* xs, const int32_t* ys,
                     const uint8_t* tiles) noexcept nogil
cdef int board_fits(Board* board, const uint64_t* tiles) noexcept nogil
cdef void board_threats(Board* board, const uint8_t* unseen, int32_t* threats) noexcept nogil
