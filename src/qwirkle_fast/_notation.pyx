# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The quick half of :mod:`qwirkle_fast.notation`: it reads positions, and writes and ranks placements.

A fault is only found here: :mod:`qwirkle_fast.notation` puts it into words.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset, strcmp, strlen

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_1BYTE_DATA, PyUnicode_AsUTF8AndSize, PyUnicode_DecodeASCII, PyUnicode_New

cimport numpy as cnp

from .tiles import BACKGROUNDS, CLASSIC, COLOURS, FLEX, HAND_SIZE, SHAPES

cnp.import_array()

cdef enum:
    NOTHING = -1
    DIGITS = 7              # more than the longest number has: nothing overflows
    CODE_SIZE = 3
    LONGEST_NUMBER = 11
    LONGEST_TEXT = 6 * (CODE_SIZE + 1 + LONGEST_NUMBER + 1 + LONGEST_NUMBER + 1)
    SHORT = 12              # so few are sorted by insertion
    KEY_SIZE = 16
    ROOM_IN_JSON = 32       # for what stands around a move's text

LAST_CORNER = 1_000_000
LAST_CELL = LAST_CORNER + 200
LAST_SCORE = 100_000
FEWEST_HANDS = 2
MOST_HANDS = 6

cdef int last_corner = LAST_CORNER
cdef int last_cell = LAST_CELL
cdef int last_score = LAST_SCORE
cdef int fewest_hands = FEWEST_HANDS
cdef int most_hands = MOST_HANDS
cdef int hand_size = HAND_SIZE

cdef signed char COLOUR_OF[256]
cdef signed char SHAPE_OF[256]
cdef signed char BACKGROUND_OF[256]
# By game (0 classic, 1 Flex) and by 1 + tile, as a placement's record has it; empty where there is no tile.
cdef char CODES[2][256][CODE_SIZE]


cdef void make_tables():
    cdef int i
    for i in range(256):
        COLOUR_OF[i] = COLOURS.find(chr(i))
        SHAPE_OF[i] = SHAPES.find(chr(i))
        BACKGROUND_OF[i] = BACKGROUNDS.find(chr(i))
    for flex, tile_set in enumerate((CLASSIC, FLEX)):
        for tile, code in enumerate(tile_set.codes):
            for i in range(len(code)):
                CODES[flex][tile + 1][i] = ord(code[i])


make_tables()


class Fault(Exception):
    """What is wrong with a text: the kind of fault, the offset of its character, and numbers that the kind needs."""


# ---------------------------------------------------------------------------------------------------------------------
# Reading

# text: ASCII, with a NUL after its end.  at: the next character; end: that of the field, where a space or the NUL is.
cdef struct Reader:
    const char* text
    Py_ssize_t at
    Py_ssize_t end
    bint flex
    const uint8_t* copies   # of each tile, that the game has
    uint8_t seen[108]       # of each tile, so far


cdef inline char peek(const Reader* reader) noexcept:
    return reader.text[reader.at]


cdef inline int read_number(Reader* reader) noexcept:
    """A canonical number of a few digits; NOTHING, and the reader stays where it is, when there is none."""
    cdef const char* text = reader.text + reader.at
    cdef int length = 0, number = 0
    while c'0' <= text[length] <= c'9':
        if length == DIGITS:
            return NOTHING
        number = 10 * number + (text[length] - c'0')
        length += 1
    if length == 0 or (text[0] == c'0' and length > 1):
        return NOTHING
    reader.at += length
    return number


cdef inline int read_tile(Reader* reader) noexcept:
    """A tile's code; NOTHING, and the reader stays where it is, when there is none."""
    cdef const char* text = reader.text + reader.at
    cdef int colour = COLOUR_OF[<uint8_t>text[0]], shape, background
    if colour < 0:
        return NOTHING
    shape = SHAPE_OF[<uint8_t>text[1]]
    if shape < 0:
        return NOTHING
    if not reader.flex:
        reader.at += 2
        return 6 * colour + shape
    background = BACKGROUND_OF[<uint8_t>text[2]]
    if background < 0:
        return NOTHING
    reader.at += 3
    return 3 * (6 * colour + shape) + background


cdef inline bint take(Reader* reader, int tile) noexcept:
    """Count a tile; is there one too many now?"""
    reader.seen[tile] += 1
    return reader.seen[tile] > reader.copies[tile]


cdef int next_field(Reader* reader, Py_ssize_t length) noexcept:
    """Go past the space before the next field, which is empty when there is none."""
    cdef const char* space
    reader.at = min(reader.end + 1, length)
    space = <const char*>memchr(reader.text + reader.at, c' ', length - reader.at)
    reader.end = length if space == NULL else space - reader.text
    return 0


cdef int read_coordinate(Reader* reader, int* coordinate) noexcept:
    """A whole number that a corner may have; NOTHING when there is none."""
    cdef bint negative = peek(reader) == c'-'
    cdef int number
    reader.at += negative
    number = read_number(reader)
    if number < 0 or number > last_corner or (negative and number == 0):
        return NOTHING
    coordinate[0] = -number if negative else number
    return 0


cdef int read_corner(Reader* reader, int* x, int* y) except -1:
    """The prefix X,Y: when there is one."""
    cdef Py_ssize_t start = reader.at
    x[0] = y[0] = 0
    if memchr(reader.text + start, c':', reader.end - start) == NULL:
        return 0
    if read_coordinate(reader, x) < 0 or peek(reader) != c',':
        raise Fault("corner", start)
    reader.at += 1
    if read_coordinate(reader, y) < 0 or peek(reader) != c':':
        raise Fault("corner", start)
    reader.at += 1
    if x[0] == 0 and y[0] == 0:
        raise Fault("origin", start)
    return 0


cdef list read_board(Reader* reader):
    cdef Py_ssize_t before
    cdef int left, x, y, empty, tile, margin = last_cell
    cdef list cells = []
    if peek(reader) == c'-' and reader.at + 1 == reader.end:
        return cells
    read_corner(reader, &left, &y)
    x = left
    while True:
        # Each turn reads one tile, with the count of the empty cells before it and the slash after it.
        before = reader.at
        if c'0' <= peek(reader) <= c'9':
            empty = read_number(reader)
            if empty <= 0:
                raise Fault("count", before, x, y)
            x += empty
        tile = read_tile(reader)
        if tile < 0:
            raise Fault("tile", reader.at, x, y)
        if x > last_cell or y > last_cell:
            raise Fault("reach", before, x, y)
        if take(reader, tile):
            raise Fault("copies", before, x, y, tile)
        margin = min(margin, x - left)
        cells.append((x, y, tile))
        x += 1
        if reader.at == reader.end:
            break
        if peek(reader) == c'/':
            reader.at += 1
            x = left
            y += 1
    if margin:
        raise Fault("margin", 0, margin)
    return cells


cdef tuple read_hand(Reader* reader, int number, int* size):
    cdef int tile, hidden = 0
    cdef Py_ssize_t start = reader.at, mark
    cdef list tiles
    if peek(reader) == c'-':
        reader.at += 1
        size[0] = 0
        return (), 0
    tiles = []
    while True:
        tile = read_tile(reader)
        if tile < 0:
            break
        if take(reader, tile):
            raise Fault("hand copies", reader.at, number, tile)
        tiles.append(tile)
    if peek(reader) == c'?':
        mark = reader.at
        reader.at += 1
        hidden = read_number(reader)
        if hidden <= 0:
            raise Fault("hidden", mark, number)
    if reader.at == start:
        raise Fault("hand", start, number)
    size[0] = <int>len(tiles) + hidden
    if size[0] > hand_size:
        raise Fault("hand size", start, number, size[0])
    return tuple(tiles), hidden


cdef tuple read_hands(Reader* reader, int* held):
    cdef int size
    cdef list hands = []
    held[0] = 0
    while True:
        hands.append(read_hand(reader, <int>len(hands), &size))
        held[0] += size
        if reader.at == reader.end:
            break
        if peek(reader) != c'/':
            raise Fault("hand", reader.at, <int>len(hands) - 1)
        if len(hands) == most_hands:
            raise Fault("hands", reader.at)
        reader.at += 1
    if len(hands) < fewest_hands:
        raise Fault("hands", reader.at)
    return tuple(hands)


cdef tuple read_scores(Reader* reader, int hands):
    cdef int score
    cdef Py_ssize_t start
    cdef list scores = []
    while True:
        start = reader.at
        score = read_number(reader)
        if not 0 <= score <= last_score or not (reader.at == reader.end or peek(reader) == c'/'):
            raise Fault("score", start, <int>len(scores))
        scores.append(score)
        if reader.at == reader.end:
            break
        if len(scores) == hands:
            raise Fault("scores", start, hands)
        reader.at += 1
    if len(scores) < hands:
        raise Fault("scores", start, hands)
    return tuple(scores)


def read_position(text, bytes copies):
    """The cells, hands and scores of a position of four fields, all ASCII, in a game with these copies of each tile.

    Raises :class:`Fault`.
    """
    cdef Reader reader
    cdef Py_ssize_t length
    cdef int held, tile, left
    reader.text = PyUnicode_AsUTF8AndSize(text, &length)
    reader.flex = len(copies) == len(FLEX.codes)
    reader.copies = copies
    reader.end = -1
    left = 0
    for tile in range(<int>len(copies)):
        reader.seen[tile] = 0
        left += reader.copies[tile]
    next_field(&reader, length)
    cells = read_board(&reader)
    next_field(&reader, length)
    hands = read_hands(&reader, &held)
    next_field(&reader, length)
    scores = read_scores(&reader, <int>len(hands))
    if held + <int>len(cells) > left:
        raise Fault("bag", 0, left, <int>len(cells), held)
    return cells, hands, scores


# ---------------------------------------------------------------------------------------------------------------------
# Writing

# A record of qwirkle_fast.move.PLACEMENT.
cdef struct Record:
    int32_t x
    int32_t y
    uint8_t tiles[6]
    uint8_t score
    uint8_t axis


cdef struct Laid:
    int32_t x
    int32_t y
    int tile


cdef inline char* write_number(char* out, int32_t number) noexcept:
    cdef char digits[LONGEST_NUMBER]
    cdef int length = 0
    cdef uint64_t rest = <uint64_t>number
    if number < 0:
        out[0] = c'-'
        out += 1
        rest = 0 - rest
    while rest > 9:
        digits[length] = <char>(c'0' + rest % 10)
        rest //= 10
        length += 1
    out[0] = <char>(c'0' + rest)
    out += 1
    while length:
        length -= 1
        out[0] = digits[length]
        out += 1
    return out


cdef inline char* write_code(char* out, int tile, bint flex) noexcept:
    memcpy(out, CODES[flex][tile + 1], CODE_SIZE)
    return out + (3 if flex else 2)


cdef int lay_in_order(cells, Laid* laid, bint flex) except -1:
    """Sort the cells by y, then x."""
    cdef int32_t x, y
    cdef int tile, j, count = 0
    for x, y, tile in cells:
        if not 0 <= tile < 255 or not CODES[flex][tile + 1][0]:
            raise ValueError(f"cells: cell {x},{y} holds {tile}, expected a tile of the game")
        j = count
        while j and (laid[j - 1].y > y or (laid[j - 1].y == y and laid[j - 1].x > x)):
            laid[j] = laid[j - 1]
            j -= 1
        laid[j].x = x
        laid[j].y = y
        laid[j].tile = tile
        count += 1
    return 0


cdef char* write_rows(char* out, const Laid* laid, int count, int32_t left, bint flex) noexcept:
    cdef int i
    cdef int32_t x = left, y = laid[0].y
    for i in range(count):
        if laid[i].y != y:
            memset(out, c'/', laid[i].y - y)
            out += laid[i].y - y
            y = laid[i].y
            x = left
        if laid[i].x != x:
            out = write_number(out, laid[i].x - x)
        out = write_code(out, laid[i].tile, flex)
        x = laid[i].x + 1
    return out


def write_board(list cells not None, bint flex):
    """The board of these cells (x, y, tile) in any order.  Raises :class:`Fault` for a top left cell too far away."""
    cdef int count = <int>len(cells), i
    cdef int32_t left, top, bottom
    cdef Laid* laid = NULL
    cdef char* buffer = NULL
    cdef char* out
    if not count:
        return "-"
    try:
        laid = <Laid*>malloc(count * sizeof(Laid))
        if laid == NULL:
            raise MemoryError
        lay_in_order(cells, laid, flex)
        left = laid[0].x
        for i in range(count):
            left = min(left, laid[i].x)
        top = laid[0].y
        bottom = laid[count - 1].y
        if not (-last_corner <= left <= last_corner and -last_corner <= top <= last_corner):
            raise Fault("far", 0, left, top)
        buffer = <char*>malloc((count + 2) * (LONGEST_NUMBER + CODE_SIZE) + <Py_ssize_t>bottom - top)
        if buffer == NULL:
            raise MemoryError
        out = buffer
        if left or top:
            out = write_number(out, left)
            out[0] = c','
            out = write_number(out + 1, top)
            out[0] = c':'
            out += 1
        out = write_rows(out, laid, count, left, flex)
        return PyUnicode_DecodeASCII(buffer, out - buffer, NULL)
    finally:
        free(laid)
        free(buffer)


cdef int write_placement(char* out, const Record* record, bint flex) noexcept:
    """The text of a placement, and its length; 0 when the record is of no placement."""
    cdef int i
    cdef char* start = out
    for i in range(6):
        if record.tiles[i]:
            if not CODES[flex][record.tiles[i]][0]:
                return 0
            if out != start:
                out[0] = c'+'
                out += 1
            out = write_code(out, record.tiles[i] - 1, flex)
            out[0] = c'@'
            out = write_number(out + 1, record.x if record.axis else record.x + i)
            out[0] = c','
            out = write_number(out + 1, record.y + i if record.axis else record.y)
    return <int>(out - start)


cdef int record_at(cnp.ndarray array, Py_ssize_t i, Record* record) noexcept:
    memcpy(record, cnp.PyArray_BYTES(array) + i * cnp.PyArray_STRIDE(array, 0), sizeof(Record))
    return 0


cdef int check_records(cnp.ndarray array) except -1:
    if array.ndim != 1 or array.dtype.names != ("x", "y", "tiles", "score", "axis") or array.itemsize != sizeof(Record):
        raise ValueError("placements: expected an array of qwirkle_fast.move.PLACEMENT in one dimension")
    return 0


# What decides the order.  first: 255 - the score, then the first seven bytes of the text; second: the next eight.
cdef struct Key:
    uint64_t first
    uint64_t second
    const char* text


cdef inline uint64_t big_endian(const char* text) noexcept:
    """Eight bytes as a number of the same order."""
    cdef const uint8_t* b = <const uint8_t*>text
    return (<uint64_t>b[0] << 56 | <uint64_t>b[1] << 48 | <uint64_t>b[2] << 40 | <uint64_t>b[3] << 32
            | <uint64_t>b[4] << 24 | <uint64_t>b[5] << 16 | <uint64_t>b[6] << 8 | <uint64_t>b[7])


cdef inline bint precedes(const Key* one, const Key* other) noexcept:
    if one.first != other.first:
        return one.first < other.first
    if one.second != other.second:
        return one.second < other.second
    return strcmp(one.text, other.text) < 0


cdef void sort(Key* keys, int count, Key* room) noexcept:
    """Sort by merging; the room holds half as many."""
    cdef int i, j, k, half
    cdef Key key
    if count <= SHORT:
        for i in range(1, count):
            key = keys[i]
            j = i
            while j and precedes(&key, &keys[j - 1]):
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = key
        return
    half = count // 2
    sort(keys, half, room)
    sort(keys + half, count - half, room)
    memcpy(room, keys, half * sizeof(Key))
    i = k = 0
    j = half
    while i < half:
        if j < count and precedes(&keys[j], &room[i]):
            keys[k] = keys[j]
            j += 1
        else:
            keys[k] = room[i]
            i += 1
        k += 1


cdef class Texts:
    """The texts of an array of placements, with the keys that rank them."""

    cdef int count
    cdef Py_ssize_t size        # of all texts
    cdef Key* keys
    cdef char* buffer           # the texts, each with a NUL at its end

    def __cinit__(self, cnp.ndarray array not None, bint flex):
        cdef Record record
        cdef int i, length
        cdef char* out
        check_records(array)
        self.count = <int>cnp.PyArray_DIM(array, 0)
        # Sorting needs half as many keys more; a key is made of the first 15 bytes, even of a shorter text.
        self.keys = <Key*>malloc((self.count + self.count // 2 + 1) * sizeof(Key))
        self.buffer = out = <char*>malloc(<size_t>self.count * (LONGEST_TEXT + 1) + KEY_SIZE)
        if self.keys == NULL or out == NULL:
            raise MemoryError
        for i in range(self.count):
            record_at(array, i, &record)
            memset(out, 0, KEY_SIZE)
            length = write_placement(out, &record, flex)
            if not length:
                raise ValueError("placements: a record of no placement, expected tiles of the game")
            out[length] = 0
            self.keys[i].first = <uint64_t>(255 - record.score) << 56 | big_endian(out) >> 8
            self.keys[i].second = big_endian(out + 7)
            self.keys[i].text = out
            out += length + 1
        self.size = out - self.buffer

    def __dealloc__(self):
        free(self.keys)
        free(self.buffer)

    cdef void rank(self) noexcept:
        """Best score first, then text in byte order."""
        sort(self.keys, self.count, self.keys + self.count)

    cdef inline str text(self, int i):
        cdef Py_ssize_t length = strlen(self.keys[i].text)
        cdef str text = PyUnicode_New(length, 127)
        memcpy(PyUnicode_1BYTE_DATA(text), self.keys[i].text, length)
        return text

    cdef inline int score(self, int i) noexcept:
        return 255 - <int>(self.keys[i].first >> 56)


def texts(array, bint flex):
    """The move text of each placement of an array of ``PLACEMENT``, in its order."""
    cdef Texts found = Texts(array, flex)
    return [found.text(i) for i in range(found.count)]


def ranked(array, bint flex):
    """(move text, score) of each placement of an array of ``PLACEMENT``: best score first, then text in byte order."""
    cdef Texts found = Texts(array, flex)
    found.rank()
    return [(found.text(i), found.score(i)) for i in range(found.count)]


def ranked_json(array, bint flex):
    """The same as a list in JSON of objects with ``move`` and ``score``."""
    cdef Texts found = Texts(array, flex)
    cdef int i
    cdef char* start = <char*>malloc(found.size + <size_t>found.count * ROOM_IN_JSON + 2)
    cdef char* out = start
    if start == NULL:
        raise MemoryError
    found.rank()
    for i in range(found.count):
        out = write_text(out, b',{"move":"' if i else b'[{"move":"')
        out = write_text(out, found.keys[i].text)
        out = write_text(out, b'","score":')
        out = write_number(out, found.score(i))
        out = write_text(out, b'}')
    out = write_text(out, b']' if found.count else b'[]')
    try:
        return PyBytes_FromStringAndSize(start, out - start)
    finally:
        free(start)


cdef inline char* write_text(char* out, const char* text) noexcept:
    cdef size_t length = strlen(text)
    memcpy(out, text, length)
    return out + length
