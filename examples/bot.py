"""A bot for Qwirkle that needs nothing but Python: it lays one tile a turn, where it scores most.

qwirkle-fast match "cmd:python3 examples/bot.py" random --games 20"""

import re
import sys


def read(words):
    """The board as {(x, y): tile}, my hand, and how many tiles the bag holds, from what follows `position`."""
    board, hands, moves = {}, words[1].split("/"), words[5:]
    corner, _, rows = words[0].rpartition(":")
    left, top = map(int, corner.split(",")) if corner else (0, 0)
    for y, row in enumerate(rows.split("/"), top):
        x = left
        for tile, empty in re.findall(r"([A-Z][a-z])|(\d+)", row):
            if tile:
                board[x, y] = tile
            x += int(empty or 1)
    for tile, x, y in re.findall(r"(..)@(-?\d+),(-?\d+)", " ".join(moves)):
        board[int(x), int(y)] = tile
    hand = re.findall("[A-Z][a-z]", hands[len(moves) % len(hands)])
    return board, hand, max(0, 108 - len(board) - 6 * len(hands))  # while the bag lasts, all hands have six


def points(board, x, y, tile):
    """What a tile scores on an empty cell; -1 when it does not fit."""
    total = 0
    for dx, dy in (1, 0), (0, 1):
        line = [tile]
        for way in -1, 1:
            i, j = x + way * dx, y + way * dy
            while (i, j) in board:
                line.append(board[i, j])
                i, j = i + way * dx, j + way * dy
        if sorted(len({t[i] for t in line}) for i in (0, 1)) != [1, len(line)]:  # one colour and all shapes, or so
            return -1
        total += (len(line) > 1) * len(line) + 6 * (len(line) == 6)
    return total


def choose(board, hand, bag):
    if not board:  # the opening must be a set of the largest size
        sets = [{tile for tile in hand if kind in tile} for kind in "ROYGBPcxdstv"]
        return "+".join(f"{tile}@{x},0" for x, tile in enumerate(sorted(max(sets, key=len))))
    cells = {(x + dx, y + dy) for x, y in board for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} - board.keys()
    best, move = max((points(board, x, y, tile), f"{tile}@{x},{y}") for x, y in cells for tile in hand)
    return move if best > 0 else "-" + "".join(hand[:bag])


for text in sys.stdin:
    command, *words = text.split() or [""]
    if command in ("uqi", "isready"):
        print("id name one tile a turn\nuqiok" if command == "uqi" else "readyok", flush=True)
    elif command == "position":
        seen = read(words)
    elif command == "go":
        print("bestmove", choose(*seen), flush=True)
    elif command == "quit":
        break
