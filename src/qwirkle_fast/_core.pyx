# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The native core: a board whose masks are kept up to date tile by tile, and four ways to ask it for placements.

How it works, from nothing, is in the manual's chapter on the algorithm.  In short: two symbols can share a line when
they share a colour or a shape and differ, and a set of symbols is a line when each two of them can.  MATES[s] is the
set of symbols that can stand in a line with s; so a line accepts the intersection of its symbols' mates, and adding a
tile to a line is one AND.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from cpython.ref cimport Py_INCREF

cimport numpy as cnp

import numpy as np

from .move import PLACEMENT

cnp.import_array()

cdef extern from *:
    """
    #ifdef __SSE4_1__
    #include <smmintrin.h>
    #endif
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    #define population(x) ((int)__popcnt64(x))
    static __inline int lowest(unsigned __int64 x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    #define unlikely(x) (x)
    #else
    #define population(x) __builtin_popcountll(x)
    #define lowest(x) __builtin_ctzll(x)
    #define unlikely(x) __builtin_expect(!!(x), 0)
    #endif
    #define ALL 0xFFFFFFFFFULL              /* the 36 symbols */
    #define TILES 0xFFFFFFFFFFFFULL         /* the tiles of a placement's what */
    #define ONE_BYTES 0x0101010101010101ULL
    #define POINT_BYTES 0x0F0F0F0F0F0F0F0FULL
    #define TAKEN_BYTES 0x4040404040404040ULL
    #define mask_if(condition) (-(uint64_t)(condition))
    #ifdef __SSE4_1__
    /* Bit i is set when words[i] meets the mask; 64 words are read, wherever they are. */
    static inline uint64_t meeting(const uint64_t* words, uint64_t mask) {
        const __m128i wanted = _mm_set1_epi64x((long long)mask), none = _mm_setzero_si128();
        uint64_t missed = 0;
        for (int i = 0; i < 64; i += 4) {
            __m128i a = _mm_and_si128(_mm_loadu_si128((const __m128i*)(words + i)), wanted);
            __m128i b = _mm_and_si128(_mm_loadu_si128((const __m128i*)(words + i + 2)), wanted);
            int bits = _mm_movemask_pd(_mm_castsi128_pd(_mm_cmpeq_epi64(a, none)))
                     | _mm_movemask_pd(_mm_castsi128_pd(_mm_cmpeq_epi64(b, none))) << 2;
            missed |= (uint64_t)bits << i;
        }
        return ~missed;
    }
    #else
    static inline uint64_t meeting(const uint64_t* words, uint64_t mask) {
        uint64_t met = 0;
        for (int i = 0; i < 64; i++) met |= (uint64_t)((words[i] & mask) != 0) << i;
        return met;
    }
    #endif
    #ifndef QWIRKLE_FAST_FLAGS
    #define QWIRKLE_FAST_FLAGS "unknown"
    #endif
    static const char native_flags[] = QWIRKLE_FAST_FLAGS;
    """
    int population(uint64_t x) nogil
    int lowest(uint64_t x) nogil
    bint unlikely(bint x) nogil
    uint64_t mask_if(bint condition) nogil
    uint64_t meeting(const uint64_t* words, uint64_t mask) nogil
    uint64_t ALL, TILES, ONE_BYTES, POINT_BYTES, TAKEN_BYTES
    const char* native_flags

cdef extern from "numpy/arrayobject.h":
    object PyArray_NewFromDescr(type subtype, cnp.dtype descr, int nd, cnp.npy_intp* dims, cnp.npy_intp* strides,
                                void* data, int flags, object obj)
    void PyArray_ENABLEFLAGS(cnp.ndarray array, int flags)

# The compiler makes a copy of the search for each game and each way to ask: these types carry the choice, their values
# carry nothing.
ctypedef signed char Classic
ctypedef short Flex
ctypedef fused Variant:
    Classic
    Flex

ctypedef unsigned char Listing
ctypedef unsigned short Counting
ctypedef unsigned int Best
ctypedef unsigned long long Top
ctypedef fused Way:
    Listing
    Counting
    Best
    Top

cdef enum:
    LIMIT = 6
    SEEN_WORDS = CELLS >> 6
    BONUS = 6
    SCORE_SHIFT = 48
    AXIS_SHIFT = 56
    TOO_LONG = 128
    FILLED = 8

cdef uint64_t COLOUR_OF[36]
cdef uint64_t SHAPE_OF[36]
cdef uint64_t MATES[36]
cdef uint64_t POINTS[16]
# For bounds.  CAPPED: as POINTS, but a line that would be too long counts as one of six.  CROSSED, JOINED: of the cells
# ahead, by how many more tiles are laid and how long the line is: which can be crossed, and which can be joined to it.
# WINDOW: those that can be filled.  BEFORE: the last so many of eight cells.
cdef uint8_t CAPPED[32]
cdef uint64_t CROSSED[8][LIMIT + 1]
cdef uint64_t JOINED[8][LIMIT + 1]
cdef uint64_t WINDOW[8][LIMIT + 1]
cdef uint64_t BEFORE[8]
cdef uint8_t SYMBOL[108]
cdef uint8_t BACKGROUND[108]
cdef Diagonals BLANK


cdef void make_tables() noexcept:
    cdef int i, tiles
    cdef uint64_t window
    for i in range(36):
        COLOUR_OF[i] = <uint64_t>63 << 6 * (i // 6)
        SHAPE_OF[i] = <uint64_t>0x41041041 << i % 6
        MATES[i] = (COLOUR_OF[i] | SHAPE_OF[i]) & ~(<uint64_t>1 << i)
    for i in range(2, LIMIT + 1):
        POINTS[i] = i + (BONUS if i == LIMIT else 0)
    for i in range(32):
        CAPPED[i] = POINTS[min(i, LIMIT)]
    for i in range(1, LIMIT + 1):
        for tiles in range(1, 8):
            # A line has six cells; with one more tile only the next is crossed.
            window = (<uint64_t>1 << 8 * (LIMIT - i)) - 1
            JOINED[tiles][i] = window & TAKEN_BYTES
            if tiles == 1:
                window &= 255
            CROSSED[tiles][i] = window & POINT_BYTES
            WINDOW[tiles][i] = window
    BEFORE[0] = 0
    for tiles in range(1, 8):
        BEFORE[tiles] = ~<uint64_t>0 << 8 * (8 - tiles)
    memset(&BLANK, 0, sizeof(BLANK))
    BLANK.allowed = 7
    for i in range(108):
        SYMBOL[i] = i // 3
        BACKGROUND[i] = i % 3


make_tables()


# ---------------------------------------------------------------------------------------------------------------------
# The board

cdef inline int cell_of(int32_t x, int32_t y) noexcept nogil:
    return <int>((<uint32_t>x + <uint32_t>STRIDE * <uint32_t>y) & CELL_MASK)


cdef inline uint64_t where_of(int32_t x, int32_t y) noexcept nogil:
    return <uint64_t><uint32_t>x | <uint64_t><uint32_t>y << 32


cdef inline uint64_t eight(const uint8_t* bytes) noexcept nogil:
    cdef uint64_t value
    memcpy(&value, bytes, 8)
    return value


cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    """The finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t zobrist(int32_t x, int32_t y, int tile) noexcept nogil:
    # A table of 16384 cells by 108 tiles would not stay in any cache; mixing costs less than the miss.
    return mixed(where_of(x, y) * <uint64_t>0x9E3779B97F4A7C15 + <uint64_t>(tile + 1))


cdef int core_abi() noexcept nogil:
    return ABI


cdef Board* board_new(int flex, int diagonal_min, int opening_largest) noexcept nogil:
    """A new empty board, or NULL when memory is short."""
    cdef int p
    cdef Board* board = <Board*>malloc(sizeof(Board))
    if board == NULL:
        return NULL
    board.backgrounds = NULL
    if flex:
        board.backgrounds = <Backgrounds*>malloc(sizeof(Backgrounds))
        if board.backgrounds == NULL:
            free(board)
            return NULL
    board.flex = flex
    board.opening_largest = opening_largest
    board.count = 0
    board.hash = 0
    board.edge_count = 1
    memset(board.fits, 0, sizeof(board.fits))
    memset(board.edges, 0, sizeof(Edge))
    board.fits[0] = ALL
    board.edges[0].fit[0] = board.edges[0].fit[1] = ALL
    memset(board.edge_at, 0, sizeof(board.edge_at))
    memset(board.ahead, 0, sizeof(board.ahead))
    if flex:
        memset(board.backgrounds.most, 0, sizeof(board.backgrounds.most))
        for p in range(CELLS):
            board.backgrounds.cells[p] = BLANK
        board_set_diagonal_min(board, diagonal_min)
    return board


cdef void board_set_diagonal_min(Board* board, int diagonal_min) noexcept nogil:
    """Take back everything and score diagonal runs from this length on."""
    cdef int falling, rising
    cdef uint8_t* points = board.backgrounds.points
    board_clear(board)
    board.backgrounds.diagonal_min = diagonal_min
    memset(points, TOO_LONG, sizeof(board.backgrounds.points))
    for falling in range(LIMIT):
        for rising in range(LIMIT):
            points[falling | rising << 4] = <uint8_t>(
                (POINTS[falling + 1] if falling + 1 >= diagonal_min else 0)
                + (POINTS[rising + 1] if rising + 1 >= diagonal_min else 0))


cdef void board_free(Board* board) noexcept nogil:
    if board != NULL:
        free(board.backgrounds)
        free(board)


cdef inline int turned(int32_t x, int32_t y) noexcept nogil:
    """The cell's place in the order of columns."""
    return cell_of(y, x)


cdef inline void note_ahead(uint8_t* ahead, int i, uint8_t value) noexcept nogil:
    ahead[i] = value
    if unlikely(i < 8):
        ahead[CELLS + i] = value


cdef inline int diagonal_step(int direction) noexcept nogil:
    return (STRIDE + 1 if direction < 2 else STRIDE - 1) * (1 if direction & 1 else -1)


cdef inline void note_most(uint8_t* most, int i, uint8_t value) noexcept nogil:
    most[i + 8] = value
    if unlikely((i + 8 & CELL_MASK) < 16):
        if i < 8:
            most[CELLS + 8 + i] = value
        else:
            most[i - (CELLS - 8)] = value


cdef inline void show_most(Backgrounds* backgrounds, const Diagonals* cell, int p, int q) noexcept nogil:
    """Note the most that a cell's diagonals can score, 0 where a tile lies; q is its place in the order of columns."""
    cdef uint8_t most = max(cell.points[0], max(cell.points[1], cell.points[2]))
    most &= <uint8_t>mask_if(cell.allowed < FILLED)
    note_most(backgrounds.most[0], p, most)
    note_most(backgrounds.most[1], q, most)


cdef inline void extend_diagonal(Backgrounds* backgrounds, Diagonals* undo, int p, int q, int background,
                                 uint32_t here, int direction) noexcept nogil:
    """A tile laid on p, whose runs of that background are known, extends the run in that direction."""
    cdef int step = diagonal_step(direction) * (1 + <int>(here >> 8 * direction & 255))
    cdef int end = (p + step) & CELL_MASK
    cdef int back = 8 * (direction ^ 1)
    cdef Diagonals* cell = &backgrounds.cells[end]
    cdef uint32_t runs
    cdef int points
    undo[0] = cell[0]
    # The run that touches the end grows by the tile and what lies on its other side; only its background changes.
    # The end may be a tile of another one: what is noted there is never asked for while it lies.
    runs = cell.runs[background] + (1 + (here >> back & 255) << back)
    cell.runs[background] = runs
    runs += runs >> 8
    points = backgrounds.points[runs & 15 | runs >> 12 & 240]
    cell.points[background] = <uint8_t>(points & (TOO_LONG - 1))
    cell.allowed &= <uint8_t>~((points >> 7) << background)
    show_most(backgrounds, cell, end, (q + (step if direction < 2 else -step)) & CELL_MASK)


cdef void place_diagonals(Board* board, int p, int q, int background) noexcept nogil:
    cdef Backgrounds* backgrounds = board.backgrounds
    cdef Diagonals* undo = backgrounds.undo[board.count]
    cdef uint32_t here = backgrounds.cells[p].runs[background]
    backgrounds.cells[p].allowed |= FILLED
    note_most(backgrounds.most[0], p, 0)
    note_most(backgrounds.most[1], q, 0)
    # Not a loop: with the direction known the compiler does half of the work.
    extend_diagonal(backgrounds, &undo[0], p, q, background, here, 0)
    extend_diagonal(backgrounds, &undo[1], p, q, background, here, 1)
    extend_diagonal(backgrounds, &undo[2], p, q, background, here, 2)
    extend_diagonal(backgrounds, &undo[3], p, q, background, here, 3)


cdef void take_back_diagonals(Board* board, int p, int q, int background) noexcept nogil:
    cdef Backgrounds* backgrounds = board.backgrounds
    cdef uint32_t here = backgrounds.cells[p].runs[background]
    cdef int i, step, end
    for i in range(4):
        step = diagonal_step(i) * (1 + <int>(here >> 8 * i & 255))
        end = (p + step) & CELL_MASK
        backgrounds.cells[end] = backgrounds.undo[board.count][i]
        show_most(backgrounds, &backgrounds.cells[end], end, (q + (step if i < 2 else -step)) & CELL_MASK)
    backgrounds.cells[p].allowed ^= FILLED
    show_most(backgrounds, &backgrounds.cells[p], p, q)


cdef void board_place(Board* board, int32_t x, int32_t y, int tile) noexcept nogil:
    """Lay a tile on an empty cell that accepts it; nothing is checked."""
    cdef int symbol = SYMBOL[tile] if board.flex else tile
    cdef int p = cell_of(x, y)
    cdef int q = turned(x, y)
    cdef int own = board.edge_at[p]
    cdef const Edge* cell = &board.edges[own]
    cdef Edge* edge
    cdef Undo* undo = &board.undo[board.count]
    cdef uint64_t run, accepted, fit
    cdef int axis, direction, length, reach, i, end
    undo.hash = board.hash
    undo.edge_count = board.edge_count
    undo.own_fits = board.fits[own]
    board.hash ^= zobrist(x, y, tile)
    board.xs[board.count] = x
    board.ys[board.count] = y
    board.tiles[board.count] = <uint8_t>tile
    if own:
        board.fits[own] = 0
    note_ahead(board.ahead[0], p, TAKEN)
    note_ahead(board.ahead[1], q, TAKEN)
    if board.flex:
        place_diagonals(board, p, q, BACKGROUND[tile])
    board.count += 1
    for axis in range(2):
        length = cell.length[2 * axis] + cell.length[2 * axis + 1] + 1
        run = cell.run[2 * axis] | cell.run[2 * axis + 1] | <uint64_t>1 << symbol
        accepted = cell.fit[axis] & MATES[symbol]
        for direction in range(2 * axis, 2 * axis + 2):
            reach = cell.length[direction] + 1 if direction & 1 else -cell.length[direction] - 1
            end = (p + reach * (STRIDE if axis else 1)) & CELL_MASK
            i = board.edge_at[end]
            edge = &board.edges[i]
            if not i:
                i = board.edge_count
                edge = &board.edges[i]
                board.edge_count += 1
                board.edge_at[end] = <uint16_t>i
                edge[0] = board.edges[0]
                edge.cell[0] = <uint16_t>end
                edge.cell[1] = <uint16_t>((q + reach * (1 if axis else STRIDE)) & CELL_MASK)
                board.where[i] = where_of(x, y + reach) if axis else where_of(x + reach, y)
            # The runs on the end's two sides can be joined when this one accepts every symbol of that one.
            undo.fit[direction] = edge.fit[axis]
            fit = edge.fit[axis] & accepted & mask_if((edge.run[direction] & ~accepted) == 0)
            edge.fit[axis] = fit
            edge.run[direction ^ 1] = run
            edge.length[direction ^ 1] = <uint8_t>length
            edge.points[axis] = <uint8_t>POINTS[(length + edge.length[direction] + 1) & 15]
            board.fits[i] = fit & edge.fit[1 - axis]
            note_ahead(board.ahead[1 - axis], edge.cell[1 - axis], edge.points[axis])


cdef void board_take_back(Board* board) noexcept nogil:
    """Undo the last board_place."""
    cdef const Undo* undo
    cdef const Edge* cell
    cdef Edge* edge
    cdef int axis, direction, reach, i, end, p, q, own, length
    cdef int32_t x, y
    board.count -= 1
    undo = &board.undo[board.count]
    board.hash = undo.hash
    x = board.xs[board.count]
    y = board.ys[board.count]
    p = cell_of(x, y)
    q = turned(x, y)
    own = board.edge_at[p]
    cell = &board.edges[own]
    for direction in range(3, -1, -1):
        axis = direction >> 1
        reach = cell.length[direction] + 1 if direction & 1 else -cell.length[direction] - 1
        end = (p + reach * (STRIDE if axis else 1)) & CELL_MASK
        i = board.edge_at[end]
        edge = &board.edges[i]
        length = cell.length[direction] + edge.length[direction]
        edge.fit[axis] = undo.fit[direction]
        edge.run[direction ^ 1] = cell.run[direction]
        edge.length[direction ^ 1] = cell.length[direction]
        edge.points[axis] = <uint8_t>POINTS[(length + 1) & 15] if length else 0
        board.fits[i] = edge.fit[0] & edge.fit[1]
        note_ahead(board.ahead[1 - axis], edge.cell[1 - axis], edge.points[axis])
    while board.edge_count > undo.edge_count:
        board.edge_count -= 1
        board.fits[board.edge_count] = 0
        board.edge_at[board.edges[board.edge_count].cell[0]] = 0
    board.fits[own] = undo.own_fits
    note_ahead(board.ahead[0], p, cell.points[1])
    note_ahead(board.ahead[1], q, cell.points[0])
    if board.flex:
        take_back_diagonals(board, p, q, BACKGROUND[board.tiles[board.count]])


cdef void board_clear(Board* board) noexcept nogil:
    """Take back everything at once."""
    cdef int i, j, p, q
    for i in range(board.count):
        p = cell_of(board.xs[i], board.ys[i])
        q = turned(board.xs[i], board.ys[i])
        note_ahead(board.ahead[0], p, 0)
        note_ahead(board.ahead[1], q, 0)
        if board.flex:
            # The end of a diagonal run touches its last tile.
            for j in range(4):
                board.backgrounds.cells[(p + diagonal_step(j)) & CELL_MASK] = BLANK
            board.backgrounds.cells[p] = BLANK
            for j in range(-1, 2, 2):
                memset(&board.backgrounds.most[0][(p + j * STRIDE - 1 & CELL_MASK) + 8], 0, 4)
                memset(&board.backgrounds.most[1][(q + j * STRIDE - 1 & CELL_MASK) + 8], 0, 4)
    if board.flex:
        for i in range(2):
            memset(&board.backgrounds.most[i][0], 0, 16)
            memset(&board.backgrounds.most[i][CELLS], 0, 16)
    for i in range(1, board.edge_count):
        board.edge_at[board.edges[i].cell[0]] = 0
        note_ahead(board.ahead[0], board.edges[i].cell[0], 0)
        note_ahead(board.ahead[1], board.edges[i].cell[1], 0)
        board.fits[i] = 0
    board.count = 0
    board.edge_count = 1
    board.hash = 0


cdef void board_lay(Board* board, const Placement* placement) noexcept nogil:
    """Lay all the tiles of a placement; take back as many to undo it."""
    cdef int32_t x = <int32_t><uint32_t>placement.where
    cdef int32_t y = <int32_t>(placement.where >> 32)
    cdef uint64_t rest = placement.what & TILES
    cdef int axis = <int>(placement.what >> AXIS_SHIFT)
    while rest:
        if rest & 255:
            board_place(board, x, y, <int>(rest & 255) - 1)
        rest >>= 8
        if axis:
            y += 1
        else:
            x += 1


# ---------------------------------------------------------------------------------------------------------------------
# The search.  A placement is found from its anchor, the first edge along its axis that it covers: from there it
# grows forwards, over tiles that lie in the way, and backwards over cells that touch no tile.  A cell that touches one
# would be an anchor itself, so each placement has one anchor and one order of growth, and none is found twice.

cdef struct Query:
    Board* board
    uint64_t hand
    uint64_t of[3]          # the hand's symbols by background
    uint8_t backgrounds[36]  # the backgrounds, bit by bit, of each of the hand's symbols (Flex)
    uint64_t where          # the first cell of the placement that is growing
    int axis
    int step
    int largest             # the size of the hand's largest set
    uint64_t in_set[LIMIT + 1]  # the symbols of the hand that are in a set of that size or more
    # Listing, Top: where the next placement is written, if that is before the end; it moves on in any case
    Placement* out
    Placement* end
    int64_t found           # Counting
    # Best, Top: a placement counts when its score is above the floor
    int floor
    int64_t anchor          # the order of anchors decides between equals
    int64_t best_anchor
    Placement best
    int64_t wanted
    int64_t kept
    uint32_t tally[256]


cdef void keep(Query* query, uint64_t what, int score) noexcept nogil:
    """Take a placement among the top ones, and raise the floor to what the last of them may still lose to."""
    if query.out < query.end:
        query.out.where = query.where
        query.out.what = what
    query.out += 1
    query.tally[score] += 1
    query.kept += 1
    while query.kept - query.tally[query.floor + 1] >= query.wanted:
        query.floor += 1
        query.kept -= query.tally[query.floor]


cdef inline void emit(Way way, Query* query, uint64_t what) noexcept nogil:
    cdef int score
    cdef Placement* out
    if Way is Listing:
        out = query.out
        if out < query.end:
            out.where = query.where
            out.what = what
        query.out = out + 1
    elif Way is Counting:
        query.found += 1
    else:
        score = <int>(what >> SCORE_SHIFT & 255)
        if unlikely(score > query.floor):
            if Way is Best:
                query.floor = score
                query.best_anchor = query.anchor
                query.best.where = query.where
                query.best.what = what
            else:
                keep(query, what, score)


cdef inline uint64_t back(uint64_t where, int axis) noexcept nogil:
    """One cell to the left, or up."""
    if axis:
        return where - (<uint64_t>1 << 32)
    return (where & ~<uint64_t>0xFFFFFFFF) | <uint32_t>(<uint32_t>where - 1)


cdef inline uint64_t fitting(const Board* board, int p, int axis, uint64_t line, uint64_t hand) noexcept nogil:
    """The symbols of the hand that can be laid on p, the empty cell after a line that accepts those of line."""
    cdef int i = board.edge_at[p]
    return hand & line & board.fits[i] & mask_if((board.edges[i].run[2 * axis + 1] & ~line) == 0)


cdef void extend(Variant game, Way way, Query* query, int p, uint64_t line, uint64_t fit, uint64_t what, int length,
                 int shift) noexcept nogil:
    """Lay each symbol of fit on p, the empty cell after the line, and go on from there.

    line: the symbols the line accepts.  what: the placement so far, with the points of its crossing lines.  length: the
    line's.  shift: the bit of what where a tile on p goes.
    """
    # What is read again and again is held in variables: for all the compiler knows, each placement written changes it.
    cdef const Board* board = query.board
    cdef const Edge* cell = &board.edges[board.edge_at[p]]
    cdef uint64_t hand = query.hand
    cdef int axis = query.axis
    cdef int reach = cell.length[2 * axis + 1] + 1
    cdef uint64_t points, grown, rest
    cdef int symbol, background, backgrounds
    cdef const Diagonals* diagonals
    if Variant is Flex:
        diagonals = &board.backgrounds.cells[p]
    line &= cell.fit[axis]
    what += <uint64_t>cell.points[1 - axis] << SCORE_SHIFT
    length += reach
    points = POINTS[length] << SCORE_SHIFT
    p = (p + reach * query.step) & CELL_MASK
    reach = shift + 8 * reach
    while fit:
        symbol = lowest(fit)
        fit &= fit - 1
        rest = fitting(board, p, axis, line & MATES[symbol], hand)
        if Variant is Flex:
            backgrounds = query.backgrounds[symbol] & diagonals.allowed
            while backgrounds:
                background = lowest(backgrounds)
                backgrounds &= backgrounds - 1
                grown = (what | <uint64_t>(3 * symbol + background + 1) << shift) + (
                    <uint64_t>diagonals.points[background] << SCORE_SHIFT)
                emit(way, query, grown + points)
                if rest:
                    extend(game, way, query, p, line & MATES[symbol], rest, grown, length, reach)
        else:
            grown = what | <uint64_t>(symbol + 1) << shift
            emit(way, query, grown + points)
            if rest:
                extend(game, way, query, p, line & MATES[symbol], rest, grown, length, reach)


cdef void precede(Variant game, Way way, Query* query, int p, uint64_t line, uint64_t what, int length, int forward,
                  int shift) noexcept nogil:
    """Lay each tile that the line accepts on p, the free cell before it, and go on from there both ways.

    forward, shift: the empty cell after the line and its bit in what, as in extend.
    """
    cdef const Board* board = query.board
    cdef uint64_t hand = query.hand
    cdef int axis = query.axis
    cdef uint64_t where = back(query.where, axis)
    cdef uint64_t fit = hand & line
    cdef uint64_t points, grown, rest
    cdef int symbol, background, backgrounds
    cdef const Diagonals* diagonals
    cdef bint open_behind
    if Variant is Flex:
        diagonals = &board.backgrounds.cells[p]
    length += 1
    points = POINTS[length] << SCORE_SHIFT
    what = (what & TILES) << 8 | (what & ~TILES)
    shift += 8
    p = (p - query.step) & CELL_MASK
    open_behind = not board.edge_at[p]
    query.where = where
    while fit:
        symbol = lowest(fit)
        fit &= fit - 1
        rest = fitting(board, forward, axis, line & MATES[symbol], hand)
        if Variant is Flex:
            backgrounds = query.backgrounds[symbol] & diagonals.allowed
            while backgrounds:
                background = lowest(backgrounds)
                backgrounds &= backgrounds - 1
                grown = (what | <uint64_t>(3 * symbol + background + 1)) + (
                    <uint64_t>diagonals.points[background] << SCORE_SHIFT)
                emit(way, query, grown + points)
                if rest:
                    extend(game, way, query, forward, line & MATES[symbol], rest, grown, length, shift)
                if open_behind and hand & line & MATES[symbol]:
                    precede(game, way, query, p, line & MATES[symbol], grown, length, forward, shift)
                    query.where = where
        else:
            grown = what | <uint64_t>(symbol + 1)
            emit(way, query, grown + points)
            if rest:
                extend(game, way, query, forward, line & MATES[symbol], rest, grown, length, shift)
            if open_behind and hand & line & MATES[symbol]:
                precede(game, way, query, p, line & MATES[symbol], grown, length, forward, shift)
                query.where = where


cdef void single_tiles(Variant game, Way way, Query* query, const Edge* edge) noexcept nogil:
    """Every placement of one tile on the edge."""
    cdef uint64_t fit = query.hand & edge.fit[0] & edge.fit[1]
    cdef uint64_t points = <uint64_t>(edge.points[0] + edge.points[1]) << SCORE_SHIFT
    cdef int symbol, background, backgrounds
    cdef const Diagonals* diagonals
    if Variant is Flex:
        diagonals = &query.board.backgrounds.cells[edge.cell[0]]
    query.where = query.board.where[edge - query.board.edges]
    while fit:
        symbol = lowest(fit)
        fit &= fit - 1
        if Variant is Flex:
            backgrounds = query.backgrounds[symbol] & diagonals.allowed
            while backgrounds:
                background = lowest(backgrounds)
                backgrounds &= backgrounds - 1
                emit(way, query, <uint64_t>(3 * symbol + background + 1) + points
                     + (<uint64_t>diagonals.points[background] << SCORE_SHIFT))
        else:
            emit(way, query, <uint64_t>(symbol + 1) + points)


cdef inline int forward_of(const Edge* edge, int axis) noexcept nogil:
    """The empty cell after the line that holds the edge."""
    return (edge.cell[0] + (edge.length[2 * axis + 1] + 1) * (STRIDE if axis else 1)) & CELL_MASK


cdef inline int backward_of(const Edge* edge, int axis) noexcept nogil:
    return (edge.cell[0] - (STRIDE if axis else 1)) & CELL_MASK


cdef inline uint64_t if_free_behind(const Board* board, const Edge* edge, int axis) noexcept nogil:
    """A full mask when the cell before the edge touches no tile."""
    return mask_if((edge.length[2 * axis] | board.edge_at[backward_of(edge, axis)]) == 0)


cdef void grow(Variant game, Way way, Query* query, const Start* start) noexcept nogil:
    """Every placement of two tiles or more along the axis that is anchored on the edge with this symbol."""
    cdef const Board* board = query.board
    cdef const Edge* edge = &board.edges[start.edge]
    cdef int axis = start.axis
    cdef int symbol = start.symbol
    cdef uint64_t where = board.where[start.edge]
    cdef uint64_t line = edge.fit[axis] & MATES[symbol]
    cdef uint64_t what = (<uint64_t>axis << AXIS_SHIFT) + (<uint64_t>edge.points[1 - axis] << SCORE_SHIFT)
    cdef int backward = backward_of(edge, axis)
    cdef int forward = forward_of(edge, axis)
    cdef int shift = 8 * (edge.length[2 * axis + 1] + 1)
    cdef int length = edge.length[2 * axis] + edge.length[2 * axis + 1] + 1
    cdef int background, backgrounds
    cdef uint64_t tile
    cdef const Diagonals* diagonals
    query.where = where
    query.axis = axis
    query.step = STRIDE if axis else 1
    if Variant is Flex:
        diagonals = &board.backgrounds.cells[edge.cell[0]]
        backgrounds = query.backgrounds[symbol] & diagonals.allowed
        while backgrounds:
            background = lowest(backgrounds)
            backgrounds &= backgrounds - 1
            tile = what + <uint64_t>(3 * symbol + background + 1) + (
                <uint64_t>diagonals.points[background] << SCORE_SHIFT)
            if start.ahead:
                extend(game, way, query, forward, line, start.ahead, tile, length, shift)
            if start.behind:
                precede(game, way, query, backward, line, tile, length, forward, shift)
                query.where = where
    else:
        tile = what + <uint64_t>(symbol + 1)
        if start.ahead:
            extend(game, way, query, forward, line, start.ahead, tile, length, shift)
        if start.behind:
            precede(game, way, query, backward, line, tile, length, forward, shift)


cdef inline int note_starts(Query* query, int i, int axis, int count) noexcept nogil:
    """Note what can grow from the i-th edge along the axis, after the first ``count`` starts; returns the new count.

    There is no branch here but the loop's, for the processor would guess it wrong half of the time.
    """
    cdef Board* board = query.board
    cdef const Edge* edge = &board.edges[i]
    cdef int next = board.edge_at[forward_of(edge, axis)]
    cdef uint64_t ahead = query.hand & board.fits[next]
    cdef uint64_t behind = query.hand & if_free_behind(board, edge, axis)
    cdef uint64_t joined = board.edges[next].run[2 * axis + 1]
    cdef uint64_t fit = query.hand & board.fits[i]
    cdef uint64_t line
    cdef int symbol
    cdef Start* start
    while fit:
        symbol = lowest(fit)
        fit &= fit - 1
        line = edge.fit[axis] & MATES[symbol]
        start = &board.starts[count]
        start.ahead = ahead & line & mask_if((joined & ~line) == 0)
        start.behind = behind & line
        start.edge = <uint16_t>i
        start.symbol = <uint8_t>symbol
        start.axis = <uint8_t>axis
        count += (start.ahead | start.behind) != 0
    return count


cdef void along(Variant game, Way way, Query* query, int i, int axis) noexcept nogil:
    """Every placement of two tiles or more along the axis that is anchored on the i-th edge."""
    cdef int at
    for at in range(note_starts(query, i, axis, 0)):
        grow(game, way, query, &query.board.starts[at])


cdef void all_in_turn(Variant game, Way way, Query* query, const uint16_t* found, int n) noexcept nogil:
    """Every placement.  What can grow is gathered first."""
    cdef int i, count = 0
    for i in range(n):
        single_tiles(game, way, query, &query.board.edges[found[i]])
        count = note_starts(query, found[i], 0, count)
        count = note_starts(query, found[i], 1, count)
    for i in range(count):
        grow(game, way, query, &query.board.starts[i])


cdef inline int anchors(const Query* query, uint16_t* found) noexcept nogil:
    """The edges that accept a tile of the hand."""
    cdef const Board* board = query.board
    cdef uint64_t met
    cdef int i, n = 0
    for i in range(0, board.edge_count, 64):
        met = meeting(&board.fits[i], query.hand)
        if not i:
            met &= ~<uint64_t>1
        while met:
            found[n] = <uint16_t>(i + lowest(met))
            n += 1
            met &= met - 1
    return n


cdef void open_row(Variant game, Way way, Query* query, uint64_t hand, uint64_t what, int length,
                   int smallest) noexcept nogil:
    """The opening move: from 0,0 to the right."""
    cdef uint64_t fitting = hand, grown
    cdef int symbol, background
    length += 1
    while fitting:
        symbol = lowest(fitting)
        fitting &= fitting - 1
        for background in range(3):
            if query.of[background] >> symbol & 1:
                if Variant is Flex:
                    grown = what | <uint64_t>(3 * symbol + background + 1) << 8 * (length - 1)
                else:
                    grown = what | <uint64_t>(symbol + 1) << 8 * (length - 1)
                if length >= smallest:
                    emit(way, query, grown + ((POINTS[length] if length > 1 else 1) << SCORE_SHIFT))
                if length < LIMIT:
                    open_row(game, way, query, hand & MATES[symbol], grown, length, smallest)


cdef inline int bound(Variant game, const Query* query, const Edge* edge, int axis, int together) noexcept nogil:
    """No placement along the axis that is anchored on the edge scores more than this, diagonals of the edge left out.

    It lays at most as many tiles as the line accepts of the hand, and no more than together, the largest set that one
    of the tiles which fit here belongs to.  A line covers at most six cells, so what it can cross and join ahead lies
    within the next few, which are read at once; backwards nothing is crossed or joined.
    """
    # Conditions are masks here, for the processor guesses such branches wrong half of the time.
    cdef const Board* board = query.board
    cdef int reach = edge.length[2 * axis + 1] + 1
    cdef int line = edge.length[2 * axis] + reach
    cdef uint64_t pool = query.hand & edge.fit[axis]
    cdef uint64_t forwards = mask_if((pool & board.fits[board.edge_at[forward_of(edge, axis)]]) != 0)
    cdef uint64_t backwards = if_free_behind(board, edge, axis)
    cdef int tiles = min(min(population(pool), together) - 1, LIMIT - line) & <int>(forwards | backwards)
    cdef uint64_t ahead = eight(&board.ahead[axis][(edge.cell[axis] + reach) & CELL_MASK]) & forwards
    cdef int points = edge.points[1 - axis] + <int>((ahead & CROSSED[tiles & 7][line]) * ONE_BYTES >> 56)
    points += CAPPED[line + tiles + population(ahead & JOINED[tiles & 7][line])]
    if Variant is Flex:
        points += diagonals_beside(query, edge, axis, tiles, forwards, backwards)
    return points


cdef inline int together(const Query* query, const Edge* edge) noexcept nogil:
    """The size of the largest set of the hand that holds a tile which fits the edge."""
    cdef uint64_t fit = query.hand & edge.fit[0] & edge.fit[1]
    cdef int i, size
    size = 1 + ((fit & query.in_set[2]) != 0) + ((fit & query.in_set[3]) != 0) + ((fit & query.in_set[4]) != 0)
    for i in range(5, query.largest + 1):
        size += (fit & query.in_set[i]) != 0
    return size


cdef inline int diagonals_here(const Query* query, const Edge* edge) noexcept nogil:
    """The most that a tile of the hand which fits the edge can score along its diagonals."""
    cdef const Diagonals* cell = &query.board.backgrounds.cells[edge.cell[0]]
    cdef uint64_t fit = query.hand & edge.fit[0] & edge.fit[1]
    cdef int background, most = 0
    for background in range(3):
        most = max(most, cell.points[background] & <int>mask_if((query.of[background] & fit) != 0))
    return most


cdef inline int diagonals_beside(const Query* query, const Edge* edge, int axis, int tiles, uint64_t forwards,
                                 uint64_t backwards) noexcept nogil:
    """The most that so many more tiles along the axis, ahead and before, can score along diagonals.

    A line covers six cells, so those ahead lie within the next few; those before lie side by side.
    """
    cdef int reach = edge.length[2 * axis + 1] + 1
    cdef uint64_t window = WINDOW[tiles & 7][edge.length[2 * axis] + reach]
    cdef const uint8_t* most = &query.board.backgrounds.most[axis][0]
    cdef uint64_t ahead = eight(&most[((edge.cell[axis] + reach) & CELL_MASK) + 8]) & window & forwards
    cdef uint64_t before = eight(&most[edge.cell[axis]]) & BEFORE[tiles & 7] & backwards
    cdef int after = <int>(ahead * ONE_BYTES >> 56)
    cdef int behind = <int>(before * ONE_BYTES >> 56)
    return max(after, behind) if tiles == 1 else after + behind


cdef inline int64_t order_of(uint64_t where, int axis) noexcept nogil:
    """Anchors in order of y, then x, then axis."""
    return (<int64_t><int32_t>(where >> 32) << 33) + (<int64_t><int32_t><uint32_t>where << 1) + axis


cdef void best_first(Variant game, Way way, Query* query, const uint16_t* found, int n) noexcept nogil:
    """Search the anchors, either axis, highest bound first, until none can rise above the floor.

    Of placements with the same score the first anchor's wins, by y, then x, then axis, and of those of one anchor and
    axis the first found, whatever the order in which the board was built.
    """
    cdef Board* board = query.board
    cdef const Edge* edge
    cdef uint32_t keys[2 * MAX_EDGES]  # bound + 1 and, in the low bits, what it is the bound of
    cdef uint16_t searches[2 * MAX_EDGES]  # edge and, in the lowest bit, axis
    cdef uint32_t top
    cdef uint64_t pool
    cdef int i, axis, size, limit, floor, here, count = 0
    for i in range(n):
        edge = &board.edges[found[i]]
        size = together(query, edge)
        here = diagonals_here(query, edge) + 1 if Variant is Flex else 1
        pool = query.hand & edge.fit[1]
        keys[count] = <uint32_t>(bound(game, query, edge, 0, size) + here) << 16 | count
        searches[count] = found[i] << 1
        count += 1
        keys[count] = <uint32_t>(bound(game, query, edge, 1, size) + here) << 16 | count
        searches[count] = found[i] << 1 | 1
        count += (pool & (pool - 1)) != 0
    while True:
        top = 0
        for i in range(count):
            top = max(top, keys[i])
        limit = <int>(top >> 16) - 1
        floor = query.floor
        if limit < floor or limit < 0 or (Way is Top and limit == floor):
            return
        i = top & 0xFFFF
        keys[i] = 0
        axis = searches[i] & 1
        edge = &board.edges[searches[i] >> 1]
        if Way is Best:
            query.anchor = order_of(board.where[edge - board.edges], axis)
            if query.anchor < query.best_anchor:
                # An equal of an earlier anchor is taken.
                query.floor -= 1
            elif limit == floor:
                continue
        if not axis:
            single_tiles(game, way, query, edge)
        along(game, way, query, searches[i] >> 1, axis)
        if Way is Best:
            query.floor = max(query.floor, floor)


cdef void measure_sets(Query* query) noexcept nogil:
    """Note the size of the hand's largest set, and for each size the symbols that are in a set of that size or more."""
    cdef uint64_t rest = query.hand
    cdef int i, n, symbol
    query.largest = 0
    memset(query.in_set, 0, sizeof(query.in_set))
    while rest:
        symbol = lowest(rest)
        n = max(population(query.hand & COLOUR_OF[symbol]), population(query.hand & SHAPE_OF[symbol]))
        query.largest = max(query.largest, n)
        query.in_set[n] |= rest & -rest
        rest &= rest - 1
    for i in range(query.largest, 1, -1):
        query.in_set[i - 1] |= query.in_set[i]


cdef inline void note_backgrounds(Query* query) noexcept nogil:
    cdef uint64_t rest = query.hand
    cdef int symbol
    while rest:
        symbol = lowest(rest)
        rest &= rest - 1
        query.backgrounds[symbol] = <uint8_t>(query.of[0] >> symbol & 1 | (query.of[1] >> symbol & 1) << 1
                                              | (query.of[2] >> symbol & 1) << 2)


cdef void ask(Variant game, Way way, Query* query, const uint64_t* hand) noexcept nogil:
    cdef Board* board = query.board
    cdef uint16_t found[MAX_EDGES]
    cdef int n
    query.of[0] = hand[0]
    if Variant is Flex:
        query.of[1] = hand[1]
        query.of[2] = hand[2]
    else:
        query.of[1] = query.of[2] = 0
    query.hand = query.of[0] | query.of[1] | query.of[2]
    if Variant is Flex:
        note_backgrounds(query)
    if not board.count:
        query.where = 0
        query.anchor = 0
        measure_sets(query)
        open_row(game, way, query, query.hand, 0, 0, query.largest if board.opening_largest else 1)
        return
    n = anchors(query, found)
    if not n:
        return
    if Way is Listing or Way is Counting:
        all_in_turn(game, way, query, found, n)
    else:
        measure_sets(query)
        best_first(game, way, query, found, n)


cdef int64_t board_placements(Board* board, const uint64_t* hand, Placement* out, int64_t capacity) noexcept nogil:
    """Write every placement to out and return how many there are; those beyond the capacity are only counted."""
    cdef Query query
    query.board = board
    query.out = out
    query.end = out + capacity
    if board.flex:
        ask(<Flex>0, <Listing>0, &query, hand)
    else:
        ask(<Classic>0, <Listing>0, &query, hand)
    return query.out - out


cdef int64_t board_count(Board* board, const uint64_t* hand) noexcept nogil:
    """How many placements there are."""
    cdef Query query
    query.board = board
    query.found = 0
    if board.flex:
        ask(<Flex>0, <Counting>0, &query, hand)
    else:
        ask(<Classic>0, <Counting>0, &query, hand)
    return query.found


cdef int board_best(Board* board, const uint64_t* hand, Placement* out) noexcept nogil:
    """Write the placement with the highest score and return the score; -1 when there is none."""
    cdef Query query
    query.board = board
    query.floor = -1
    query.best_anchor = 0
    if board.flex:
        ask(<Flex>0, <Best>0, &query, hand)
    else:
        ask(<Classic>0, <Best>0, &query, hand)
    if query.floor >= 0:
        out[0] = query.best
    return query.floor


cdef int64_t board_top(Board* board, const uint64_t* hand, int64_t wanted, Placement* out,
                       int64_t capacity) noexcept nogil:
    """Write the placements that reach the score of the wanted-th best, equals included, in no order.

    Returns how many, or -n when n places were needed and the capacity was less.
    """
    cdef Query query
    cdef int64_t i, found, n = 0
    query.board = board
    query.out = out
    query.end = out + capacity
    query.kept = 0
    query.wanted = wanted
    query.floor = -1
    memset(query.tally, 0, sizeof(query.tally))
    if board.flex:
        ask(<Flex>0, <Top>0, &query, hand)
    else:
        ask(<Classic>0, <Top>0, &query, hand)
    found = query.out - out
    if found > capacity:
        return -found
    for i in range(found):
        if <int>(out[i].what >> SCORE_SHIFT & 255) > query.floor:
            out[n] = out[i]
            n += 1
    return n


cdef int board_score(Board* board, int count, const int32_t* xs, const int32_t* ys,
                     const uint8_t* tiles) noexcept nogil:
    """The score of tiles laid on cells in order along a row or column; -1 when the placement is illegal.

    The opening's size and place are not looked at.
    """
    cdef int i, axis, p, symbol, background, length, points = 0
    cdef bint touches = not board.count
    cdef uint64_t line = ALL, placed = ALL
    cdef int32_t x, y, gap
    cdef const Edge* cell
    if not 1 <= count <= LIMIT:
        return -1
    axis = 1 if count > 1 and xs[0] == xs[1] else 0
    length = 0
    for i in range(count):
        x = xs[i]
        y = ys[i]
        p = cell_of(x, y)
        cell = &board.edges[board.edge_at[p]]
        symbol = SYMBOL[tiles[i]] if board.flex else tiles[i]
        if i:
            gap = y - ys[i - 1] if axis else x - xs[i - 1]
            if (x != xs[0] if axis else y != ys[0]) or gap < 1:
                return -1
            # What lies between this tile and the last is the run that touches this cell, or nothing.
            if gap != cell.length[2 * axis] + 1:
                return -1
        if (board.ahead[0][p] == TAKEN
                or not (line & cell.fit[0] & cell.fit[1] & placed) >> symbol & 1):
            return -1
        if cell.run[2 * axis + 1] & ~(line & MATES[symbol]):
            return -1
        if board.edge_at[p]:
            touches = True
        line &= cell.fit[axis] & MATES[symbol]
        placed &= MATES[symbol]
        points += cell.points[1 - axis]
        length += cell.length[2 * axis + 1] + 1
        if not i:
            length += cell.length[2 * axis]
        if board.flex:
            background = BACKGROUND[tiles[i]]
            if not board.backgrounds.cells[p].allowed >> background & 1:
                return -1
            points += board.backgrounds.cells[p].points[background]
    if not touches:
        return -1
    if not board.count and count == 1:
        return 1
    return points + <int>POINTS[length]


cdef void board_threats(Board* board, const uint8_t* unseen, int32_t* threats) noexcept nogil:
    """Count the long lines that lie open, by what a player whose hand is not known can put there.

    unseen: how many of each tile, in code order, that player may hold.  threats[16 * (n - 4) + t] becomes the number of
    cells and axes whose line would reach n cells, 4 to 6, and where t of the unseen tiles fit (15 stands for more).
    """
    cdef int i, axis, symbol, background, tiles, length
    cdef uint64_t fits
    cdef const Edge* edge
    memset(threats, 0, 48 * sizeof(int32_t))
    for i in range(1, board.edge_count):
        fits = board.fits[i]
        edge = &board.edges[i]
        if not fits or max(edge.length[0] + edge.length[1], edge.length[2] + edge.length[3]) < 3:
            continue
        tiles = 0
        while fits:
            symbol = lowest(fits)
            fits &= fits - 1
            if board.flex:
                for background in range(3):
                    if board.backgrounds.cells[edge.cell[0]].allowed >> background & 1:
                        tiles += unseen[3 * symbol + background]
            else:
                tiles += unseen[symbol]
        for axis in range(2):
            length = edge.length[2 * axis] + edge.length[2 * axis + 1] + 1
            if length >= 4:
                threats[16 * (length - 4) + min(tiles, 15)] += 1


cdef int board_fits(Board* board, const uint64_t* tiles) noexcept nogil:
    """Can any of these tiles be laid anywhere?  On an empty board any can."""
    cdef int i, background, p
    cdef uint64_t wanted = tiles[0] | (tiles[1] | tiles[2] if board.flex else 0)
    if not board.count:
        return wanted != 0
    # The newest edges are the likeliest to take a tile.
    for i in range(board.edge_count - 1, 0, -1):
        if board.fits[i] & wanted:
            if not board.flex:
                return 1
            p = board.edges[i].cell[0]
            for background in range(3):
                if board.fits[i] & tiles[background] and board.backgrounds.cells[p].allowed >> background & 1:
                    return 1
    return 0


# ---------------------------------------------------------------------------------------------------------------------
# For Python: a compact grid, which borrows a working area for each question.

cdef Board* idle[2][16]
cdef int idle_count[2]
idle_count[0] = idle_count[1] = 0

cdef cnp.dtype RECORD = PLACEMENT


cdef object wrapped(Placement* buffer, cnp.npy_intp count):
    """An array that owns the buffer, cut to size."""
    cdef cnp.ndarray array
    cdef Placement* cut = <Placement*>realloc(buffer, (count or 1) * sizeof(Placement))
    Py_INCREF(RECORD)
    array = PyArray_NewFromDescr(<type>cnp.ndarray, RECORD, 1, &count, NULL, cut if cut != NULL else buffer,
                                 cnp.NPY_ARRAY_CARRAY, None)
    PyArray_ENABLEFLAGS(array, cnp.NPY_ARRAY_OWNDATA)
    return array


cdef Placement* buffer_of(int64_t capacity) except NULL:
    cdef Placement* buffer = <Placement*>malloc(capacity * sizeof(Placement))
    if buffer == NULL:
        raise MemoryError(f"no memory for {capacity} placements")
    return buffer


cdef class Grid:
    """The tiles on a board, and what can be asked about them.  The twin of :class:`qwirkle_fast.reference.Grid`.

    Tiles are integers in code order, cells are (x, y); a hand is any sequence of tiles.  A grid takes about 1 KB.
    """

    cdef readonly object rules
    cdef int flex
    cdef int size
    cdef int32_t xs[MAX_TILES]
    cdef int32_t ys[MAX_TILES]
    cdef uint8_t tiles[MAX_TILES]
    cdef uint64_t zobrist

    def __init__(self, rules):
        self.rules = rules
        self.flex = rules.name == "flex"
        self.size = 0
        self.zobrist = 0

    cdef Board* borrow(self) except NULL:
        """A working area with these tiles on it; often one that has most of them already."""
        cdef Board* board
        cdef int same = 0
        cdef int i
        if idle_count[self.flex]:
            idle_count[self.flex] -= 1
            board = idle[self.flex][idle_count[self.flex]]
        else:
            board = board_new(self.flex, self.rules.diagonal_min, 0)
            if board == NULL:
                raise MemoryError("no memory for a board")
        board.opening_largest = self.rules.opening == "largest"
        if self.flex and board.backgrounds.diagonal_min != self.rules.diagonal_min:
            board_set_diagonal_min(board, self.rules.diagonal_min)
        while (same < board.count and same < self.size and board.xs[same] == self.xs[same]
               and board.ys[same] == self.ys[same] and board.tiles[same] == self.tiles[same]):
            same += 1
        if not same:
            board_clear(board)
        while board.count > same:
            board_take_back(board)
        for i in range(same, self.size):
            board_place(board, self.xs[i], self.ys[i], self.tiles[i])
        return board

    cdef void give_back(self, Board* board) noexcept:
        if idle_count[self.flex] < 16:
            idle[self.flex][idle_count[self.flex]] = board
            idle_count[self.flex] += 1
        else:
            board_free(board)

    cdef int masks(self, hand, uint64_t* masks) except -1:
        cdef int tile
        masks[0] = masks[1] = masks[2] = 0
        for tile in hand:
            if not 0 <= tile < (108 if self.flex else 36):
                raise ValueError(f"hand: {tile} is no tile of {self.rules.name}, expected 0 to "
                                 f"{107 if self.flex else 35}")
            if self.flex:
                masks[BACKGROUND[tile]] |= <uint64_t>1 << SYMBOL[tile]
            else:
                masks[0] |= <uint64_t>1 << tile
        return 0

    def place(self, int x, int y, int tile):
        """Lay a tile; nothing is checked but that the board can hold it."""
        if self.size == MAX_TILES or not 0 <= tile < (108 if self.flex else 36):
            raise ValueError(f"cell {x},{y}: tile {tile} cannot be laid as the {self.size + 1}th")
        self.xs[self.size] = x
        self.ys[self.size] = y
        self.tiles[self.size] = <uint8_t>tile
        self.size += 1
        self.zobrist ^= zobrist(x, y, tile)

    def take_back(self):
        """Undo the last :meth:`place`; ``ValueError`` on an empty board."""
        if not self.size:
            raise ValueError("nothing to take back: the board is empty")
        self.size -= 1
        self.zobrist ^= zobrist(self.xs[self.size], self.ys[self.size], self.tiles[self.size])

    def load(self, cells):
        """Replace the board by these (x, y, tile); ``False``, and an empty board, when they are no legal board:
        :func:`qwirkle_fast.reference.fault` tells why."""
        cdef int x, y, tile
        cdef bint valid
        self.size = 0
        self.zobrist = 0
        for x, y, tile in cells:
            self.place(x, y, tile)
        valid = self.valid()
        if not valid:
            self.size = 0
            self.zobrist = 0
        return valid

    cdef void bounding_box(self, int32_t* span) noexcept:
        """The lowest and highest x, then y, of the tiles; there is one at least."""
        cdef int i
        span[0] = span[1] = self.xs[0]
        span[2] = span[3] = self.ys[0]
        for i in range(1, self.size):
            span[0] = min(span[0], self.xs[i])
            span[1] = max(span[1], self.xs[i])
            span[2] = min(span[2], self.ys[i])
            span[3] = max(span[3], self.ys[i])

    cdef bint valid(self) except -1:
        cdef Board* board
        cdef const Edge* cell
        cdef int i, p, symbol, background
        cdef bint good = True
        cdef int32_t span[4]
        if not self.size:
            return True
        # A connected board is no wider than it has tiles; a narrow one cannot wrap onto itself.
        self.bounding_box(span)
        if span[1] - span[0] >= MAX_TILES or span[3] - span[2] >= MAX_TILES:
            return False
        i, self.size = self.size, 0
        board = self.borrow()
        self.size = i
        for i in range(self.size):
            p = cell_of(self.xs[i], self.ys[i])
            cell = &board.edges[board.edge_at[p]]
            symbol = SYMBOL[self.tiles[i]] if self.flex else self.tiles[i]
            background = BACKGROUND[self.tiles[i]]
            good = (board.ahead[0][p] != TAKEN and (cell.fit[0] & cell.fit[1]) >> symbol & 1
                    and not (self.flex and not board.backgrounds.cells[p].allowed >> background & 1))
            if not good:
                break
            board_place(board, self.xs[i], self.ys[i], self.tiles[i])
        good = good and connected(board)
        self.give_back(board)
        return good

    @property
    def cells(self):
        """Every tile as (x, y, tile), in the order they were laid."""
        return [(self.xs[i], self.ys[i], self.tiles[i]) for i in range(self.size)]

    def __len__(self):
        return self.size

    @property
    def hash(self):
        """The Zobrist hash of the tiles on their cells: 64 bits, the same on every machine."""
        return self.zobrist

    def copy(self):
        cdef Grid other = Grid(self.rules)
        other.size = self.size
        other.xs = self.xs
        other.ys = self.ys
        other.tiles = self.tiles
        other.zobrist = self.zobrist
        return other

    def __reduce__(self):
        return _restored, (self.rules, self.cells)

    def placements(self, hand):
        """Every placement of the hand, as an array of ``PLACEMENT`` that owns its memory."""
        cdef uint64_t masks[3]
        cdef int64_t capacity = 1024, found
        cdef Board* board
        cdef Placement* buffer
        self.masks(hand, masks)
        buffer = buffer_of(capacity)
        board = self.borrow()
        while True:
            with nogil:
                found = board_placements(board, masks, buffer, capacity)
            if found <= capacity:
                break
            free(buffer)
            capacity = found
            buffer = buffer_of(capacity)
        self.give_back(board)
        return wrapped(buffer, found)

    def count(self, hand):
        """How many placements the hand has."""
        cdef uint64_t masks[3]
        cdef Board* board
        cdef int64_t found
        self.masks(hand, masks)
        board = self.borrow()
        with nogil:
            found = board_count(board, masks)
        self.give_back(board)
        return found

    def best(self, hand):
        """One placement of the highest score, as an array of one (of none when nothing fits).

        Of equals it is the one whose anchor comes first by y, then x: the choice of the greedy player.
        """
        cdef uint64_t masks[3]
        cdef Board* board
        cdef int score
        cdef Placement* buffer
        self.masks(hand, masks)
        buffer = buffer_of(1)
        board = self.borrow()
        with nogil:
            score = board_best(board, masks, buffer)
        self.give_back(board)
        return wrapped(buffer, score >= 0)

    def top(self, hand, int64_t wanted):
        """The placements that reach the score of the ``wanted``-th best, equals included, highest score first."""
        cdef uint64_t masks[3]
        cdef int64_t capacity = 1024, found = 0
        cdef Board* board
        cdef Placement* buffer
        self.masks(hand, masks)
        buffer = buffer_of(capacity)
        if wanted > 0:
            board = self.borrow()
            while True:
                with nogil:
                    found = board_top(board, masks, wanted, buffer, capacity)
                if found >= 0:
                    break
                free(buffer)
                capacity = -found
                buffer = buffer_of(capacity)
            self.give_back(board)
        array = wrapped(buffer, found)
        return array[np.argsort(255 - array["score"], kind="stable")]

    def score(self, placed):
        """The score of (x, y, tile)s laid together, in any order; ``None`` when the placement is illegal.

        The hand and the opening's size and place are not looked at.
        """
        cdef int32_t xs[LIMIT]
        cdef int32_t ys[LIMIT]
        cdef uint8_t tiles[LIMIT]
        cdef int32_t span[4]
        cdef int i, n = 0, x, y, tile, score
        cdef Board* board
        if len(placed) > LIMIT:
            return None
        for x, y, tile in sorted(placed, key=_reading_order):
            if not 0 <= tile < (108 if self.flex else 36):
                return None
            xs[n] = x
            ys[n] = y
            tiles[n] = <uint8_t>tile
            n += 1
        if self.size:
            # Far from the tiles the working area's cells stand for others.
            self.bounding_box(span)
            for i in range(n):
                if not (span[0] - LIMIT <= xs[i] <= span[1] + LIMIT and span[2] - LIMIT <= ys[i] <= span[3] + LIMIT):
                    return None
        board = self.borrow()
        with nogil:
            score = board_score(board, n, xs, ys, tiles)
        self.give_back(board)
        return None if score < 0 else score

    def fits(self, tiles):
        """Can any of these tiles be laid anywhere?"""
        cdef uint64_t masks[3]
        cdef Board* board
        cdef int fits
        self.masks(tiles, masks)
        board = self.borrow()
        with nogil:
            fits = board_fits(board, masks)
        self.give_back(board)
        return fits != 0

    def bounds(self, hand):
        """For each anchor and axis (x, y, axis, bound, best): no placement there may score above the bound.

        A single tile counts in axis 0; best is -1 where there is no placement.
        """
        cdef Query query
        cdef uint16_t found[MAX_EDGES]
        cdef int i, n, axis, limit
        cdef Board* board
        cdef const Edge* edge
        self.masks(hand, query.of)
        query.hand = query.of[0] | query.of[1] | query.of[2]
        measure_sets(&query)
        note_backgrounds(&query)
        query.anchor = query.best_anchor = 0
        query.board = board = self.borrow()
        n = anchors(&query, found)
        answer = []
        for i in range(n):
            edge = &board.edges[found[i]]
            for axis in range(2):
                query.floor = -1
                if self.flex:
                    if not axis:
                        single_tiles(<Flex>0, <Best>0, &query, edge)
                    along(<Flex>0, <Best>0, &query, found[i], axis)
                    limit = bound(<Flex>0, &query, edge, axis, together(&query, edge)) + diagonals_here(&query, edge)
                else:
                    if not axis:
                        single_tiles(<Classic>0, <Best>0, &query, edge)
                    along(<Classic>0, <Best>0, &query, found[i], axis)
                    limit = bound(<Classic>0, &query, edge, axis, together(&query, edge))
                answer.append((<int32_t><uint32_t>board.where[found[i]], <int32_t>(board.where[found[i]] >> 32),
                               axis, limit, query.floor))
        self.give_back(board)
        return answer


cdef class Workspace:
    """A working area with a grid's tiles on it, for code that calls the C interface; freed with this object."""

    cdef Board* board

    def __cinit__(self, Grid grid not None):
        cdef int i
        self.board = board_new(grid.flex, grid.rules.diagonal_min, grid.rules.opening == "largest")
        if self.board == NULL:
            raise MemoryError("no memory for a board")
        for i in range(grid.size):
            board_place(self.board, grid.xs[i], grid.ys[i], grid.tiles[i])

    def __dealloc__(self):
        board_free(self.board)

    @property
    def address(self):
        """The ``Board*``, as an integer; one thread at a time may use it."""
        return <size_t>self.board


cdef bint connected(Board* board) noexcept nogil:
    """Are all tiles of the board joined edge to edge?"""
    cdef int stack[4 * MAX_TILES]
    cdef uint64_t seen[SEEN_WORDS]
    cdef int depth = 1, met = 0, p, i
    memset(seen, 0, sizeof(seen))
    stack[0] = cell_of(board.xs[0], board.ys[0])
    while depth:
        depth -= 1
        p = stack[depth]
        if board.ahead[0][p] != TAKEN or seen[p >> 6] >> (p & 63) & 1:
            continue
        seen[p >> 6] |= <uint64_t>1 << (p & 63)
        met += 1
        for i in range(4):
            stack[depth] = (p + (STRIDE if i & 2 else 1) * (1 if i & 1 else -1)) & CELL_MASK
            depth += 1
    return met == board.count


def _reading_order(placed):
    return placed[1], placed[0]


def _restored(rules, cells):
    grid = Grid(rules)
    for x, y, tile in cells:
        grid.place(x, y, tile)
    return grid


#: The number of the C interface.
ABI_VERSION = core_abi()

#: The compiler flags of this build.
BUILD_FLAGS = (<bytes>native_flags).decode()
