"""A bot for Qwixx that needs nothing but Python: it marks the number that skips least, if that is two or fewer.

qwirkle-fast match "cmd:python3 examples/qwixx_bot.py" random --game qwixx --games 20"""

import sys

ROWS = "RYGB"


def place(row, number):
    """Where a number is in its row: 0 to 10."""
    return number - 2 if row in "RY" else 12 - number


def skipped(field, number):
    """How many numbers a mark in a row skips, -1 for a lock; None where it is not allowed."""
    row, numbers = field[0], [] if field[1] == "-" else field[1:].rstrip("x").split(",")
    last, here = place(row, int(numbers[-1])) if numbers else -1, place(row, number)
    if field.endswith("x") or here <= last or (here == 10 and len(numbers) < 5):
        return None
    return -1 if here == 10 else here - last - 1


def choose(words):
    """The mark that skips least, ties in the order of the rows, or no mark, from what follows `position`."""
    *sheets, dice, rules = words
    options = dict(option.split("=") for option in rules.split(";")[1:])
    fields = sheets[int(options.get("seat", 0))].split("/")
    white, *coloured = dice.split("/")
    low, high = map(int, white[1:].split(","))
    if "after" in options:  # action 2: a white die and the row's own
        sums = [(die[0], one + int(die[1])) for die in coloured for one in (low, high)]
    else:  # action 1: the white dice, in any row
        sums = [(row, low + high) for row in ROWS]
    marks = [(skipped(fields[ROWS.index(row)], number), f"{row}{number}") for row, number in sums]
    least = min((mark for mark in marks if mark[0] is not None), key=lambda mark: mark[0], default=(3, "-"))
    return least[1] if least[0] <= 2 else "-"


for text in sys.stdin:
    command, *words = text.split() or [""]
    if command in ("uqi", "isready"):
        print("id name skips little\nuqiok" if command == "uqi" else "readyok", flush=True)
    elif command == "position":
        seen = words
    elif command == "go":
        print("bestmove", choose(seen), flush=True)
    elif command == "quit":
        break
