"""A person plays against the engine in the terminal.

What is shown comes from the position as the person's seat sees it, and each engine is asked with what its own seat
sees.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from ..deal import MAX_PLAYERS, MIN_PLAYERS
from ..game import Game, Turn
from ..move import Move
from ..notation import parse_rules
from ..position import OUT_BONUS, Position
from . import DONE, complain, one_line
from .batch import LINE_LIMIT, game_in, reason, shown
from .commands import drawn, explained_text
from .searching import Progress, compile_search, limit_options, require_numba

if TYPE_CHECKING:
    from ..search import Hint

#: The best moves of a position, so many at most.
Adviser = Callable[[Position, int], "list[Hint]"]

#: How many moves ``moves`` and ``hint`` tell unless they are told.
LISTED, HINTED = 20, 3

ENDINGS = {
    "out": "a player has gone out",
    "stuck": "the bag is empty and nobody can place",
    "dead": "no tile that is left fits anywhere",
    "exchanges": "everybody has exchanged too often in a row",
    "forfeit": "a player was ruled out",
}

HELP = """\
A move is TILE@X,Y joined by +, such as Rs@3,0+Bs@3,1; -RsBc exchanges these tiles; - passes.
hint [N]      the best moves for you, as the engine sees it
moves [N]     what you can place, best score first
score MOVE    what a move would score, or why it is illegal
board         the board, your hand and the scores once more
position      your view in one line, for the other commands
undo          back to your last decision
save FILE     write the game record, which holds all hands and the bag
quit          leave the game"""


#: What the person is called, also in saved games.
YOU = "you"


@click.command()
@click.option("--players", default=2, show_default=True, type=click.IntRange(MIN_PLAYERS, MAX_PLAYERS))
@click.option("--seat", type=click.IntRange(1, MAX_PLAYERS), help="Yours; 1, or the one of a saved game, unless said.")
@click.option("--rules", default="classic", show_default=True, help="As in a position, such as flex;tiles=starter.")
@click.option("--seed", type=click.IntRange(0, (1 << 64) - 1), help="Fixes the deal; drawn by lot unless said.")
@limit_options
@click.option("--game", metavar="FILE", help="Go on with a saved game: its players, rules and seed hold.")
def play(
    players: int,
    seat: int | None,
    rules: str,
    seed: int | None,
    time: float | None,
    simulations: int | None,
    threads: int | None,
    game: str | None,
) -> int:
    """Play against the engine in the terminal.

    Type moves; the word help tells what else.  --time and --simulations say how well the engine thinks.
    """
    require_numba("play")
    from ..search import analyse

    new = _new(players, seat or 1, rules, seed) if game is None else _saved(game)
    seat = seat or (new.names.index(YOU) + 1 if YOU in new.names else 1)
    if seat > new.players:
        raise click.ClickException(f"--seat {seat}: no such seat, expected one of {new.players}")
    if sys.stdin is None:
        raise click.ClickException("standard input is closed, expected moves")
    compile_search()

    def advise(position: Position, top: int) -> list[Hint]:
        found: list[Hint] = []
        # One seed for each turn, so that a game with a number of simulations can be played again.
        seed = new.seed + len(position.board)
        with Progress("thinking") as progress:
            for found in analyse(position, top=top, time=time, simulations=simulations, threads=threads, seed=seed):
                progress.tell(f"thinking: {found[0].simulations:,} simulations of the best move")
        return found

    try:
        Session(new, seat - 1, advise).run()
    except KeyboardInterrupt:
        print()
        raise
    return DONE


def _new(players: int, seat: int, rules: str, seed: int | None) -> Game:
    try:
        chosen = parse_rules(rules)
    except ValueError as error:
        raise click.ClickException(f"--rules: {error}") from None
    names = ["engine"] if players == 2 else [f"engine {number}" for number in range(1, players)]
    names.insert(seat - 1, YOU)
    return Game(secrets.randbits(32) if seed is None else seed, players, chosen, names=names)


def _saved(name: str) -> Game:
    try:
        with open(name, encoding="utf-8") as file:
            text = file.read(LINE_LIMIT)
        return game_in(text)
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise click.ClickException(f"--game {shown(name)}: {why}, expected a file with one game record") from None


class Session:
    """One person's game: it reads what is typed, and shows what that person may know."""

    def __init__(self, game: Game, person: int, advise: Adviser) -> None:
        self._game = game
        self._person = person
        self._advise = advise
        self._words: dict[str, Callable[[str], None]] = {
            "hint": self._hint,
            "moves": self._moves,
            "score": self._score,
            "board": self._board,
            "position": self._position,
            "undo": self._undo,
            "save": self._save,
            "help": lambda _: print(HELP),
        }

    def run(self) -> None:
        """Play until the person leaves or the input ends."""
        rules = self._game.rules
        print(f"{rules.name} for {self._game.players}, seed {self._game.seed}; help tells what you can type")
        self._go_on()
        while (line := self._typed()) is not None:
            word, _, rest = line.strip().partition(" ")
            if word == "quit":
                return
            if not word:
                continue
            try:
                if word in self._words:
                    self._words[word](rest.strip())
                else:
                    self._move(line.strip())
            except ValueError as error:
                print(one_line(str(error)))
        if not self._game.is_over:
            complain("qwirkle-fast: the input has ended, and the game has not")

    # -- what happens

    def _go_on(self) -> None:
        """Let the engines play until it is the person's turn, or over; then draw what there is."""
        game = self._game
        while not game.is_over and game.seat != self._person:
            position = game.position
            best = self._advise(position, 1)
            self._tell(game.play(best[0].move))
        self._board("")
        if game.is_over:
            print(f"the game is over: {ENDINGS[str(game.end)]}; {self._result()}")
        elif not len(game.position.legal_moves):
            print("you can place nothing: " + ("exchange tiles" if game.position.bag else "pass with -"))

    def _move(self, text: str) -> None:
        if "@" not in text and not text.startswith("-"):
            raise ValueError(f"{shown(text)} is no move and no command, expected one as help lists them")
        move = Move(text)
        self._require_turn()
        explanation = self._game.position.explain(move)
        if not explanation.legal:
            raise ValueError(f"illegal: {explanation.reason}")
        turn = self._game.play(move)
        self._tell(turn)
        self._go_on()

    def _tell(self, turn: Turn) -> None:
        """One turn, without what only the one who moved knows."""
        mine = turn.seat == self._person
        move = turn.move
        if move.is_placement:
            # Going out is part of the move to whoever watches, though a record keeps it apart.
            out = f" and {OUT_BONUS} for going out" if self._game.end == "out" else ""
            what = f"{move} for {turn.score} points{out}"
        elif move.is_exchange:
            what = str(move) if mine else f"-?{len(move.exchanged)}"
        else:
            what = "- (a pass)"
        drew = f"; drawn: {' '.join(turn.drawn)}" if mine and turn.drawn else ""
        print(f"{self._name(turn.seat)}: {what}{drew}")

    def _result(self) -> str:
        game = self._game
        winners = [self._name(seat) for seat in game.winners]
        points = ", ".join(f"{self._name(seat)} {score}" for seat, score in enumerate(game.scores))
        return f"{' and '.join(winners)} {'share the win' if len(winners) > 1 else 'won'}: {points}"

    def _name(self, seat: int) -> str:
        names = self._game.names
        if YOU in names and names[self._person] != YOU:
            # A saved game that goes on in another seat.
            return YOU if seat == self._person else "engine" if names[seat] == YOU else one_line(names[seat])
        return one_line(names[seat])

    def _require_turn(self) -> None:
        if self._game.is_over:
            raise ValueError("the game is over: undo, save or quit")

    # -- what can be typed

    def _hint(self, argument: str) -> None:
        self._require_turn()
        for hint in self._advise(self._game.position, _number(argument, HINTED)):
            print(f"  {hint}")

    def _moves(self, argument: str) -> None:
        self._require_turn()
        moves = self._game.position.legal_moves
        listed = moves.scored(_number(argument, LISTED))
        for move, score in listed:
            print(f"  {move} {score}")
        more = len(moves) - len(listed)
        if more:
            print(f"  and {more} more: moves {len(moves)} lists all")
        elif not listed:
            print("  none")

    def _score(self, argument: str) -> None:
        self._require_turn()
        print(f"  {explained_text(self._game.position.explain(Move(argument)))}")

    def _board(self, _: str) -> None:
        game = self._game
        view = game.view(self._person)
        print()
        print(drawn(view, [self._name((game.seat + i) % game.players) for i in range(game.players)]))

    def _position(self, _: str) -> None:
        print(self._game.view(self._person))

    def _undo(self, _: str) -> None:
        mine = [number for number, turn in enumerate(self._game.turns) if turn.seat == self._person]
        if not mine:
            raise ValueError("there is nothing to take back")
        self._game = self._game.at(mine[-1])
        self._go_on()

    def _save(self, argument: str) -> None:
        if not argument:
            raise ValueError("save where? expected the name of a file")
        try:
            Path(argument).write_bytes(msgspec.json.encode(self._game.record()) + b"\n")
        except (OSError, ValueError) as error:
            raise ValueError(f"{shown(argument)} cannot be written ({reason(error)}), expected a file's name") from None
        print(f"saved in {argument}")

    def _typed(self) -> str | None:
        """The next line, ``None`` at the end of the input.  What comes through a pipe is repeated, as it would be seen
        on a terminal."""
        prompt = "> " if self._game.is_over else f"turn {len(self._game.turns) + 1}> "
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  # line editing
            try:
                return input(prompt)
            except EOFError:
                print()
                return None
            except UnicodeDecodeError as error:
                return ascii(error.object)
        print(prompt, end="", flush=True)
        line = sys.stdin.buffer.readline(LINE_LIMIT).decode(errors="backslashreplace")
        print(one_line(line))
        return line or None


def _number(argument: str, default: int) -> int:
    if not argument:
        return default
    if not argument.isdecimal() or not argument.isascii() or not int(argument[:9]):
        raise ValueError(f"{shown(argument)}, expected how many moves, from 1 on")
    return int(argument[:9])
