"""The arena: tables, matches, players, what a seat is told, records, and where games are played."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from qwirkle_fast import Game, Move, Position
from qwirkle_fast.arena import Limits, Match, Sprt, executors, run
from qwirkle_fast.arena.account import read_standings
from qwirkle_fast.arena.games import Deal, Turn, kind_of
from qwirkle_fast.arena.match import Key
from qwirkle_fast.arena.records import GAMES
from qwirkle_fast.arena.referee import play
from qwirkle_fast.arena.standings import Standings
from qwirkle_fast.arena.work import native, play_games

RULES = ("classic", "flex", "classic;opening=any", "flex;tiles=starter", "classic;exchange_cap=1;first=youngest")


def players_of(kind: Any, *names: str) -> list[Any]:
    return [kind.player(name, {}) for name in names]


def records(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """Records without what differs from run to run, in the order of games."""
    found = [json.loads(line) for line in lines]
    for record in found:
        del record["times"]
    return sorted(found, key=lambda record: (record["pairing"], record["block"], record["game"]))


def in_folder(path: Path) -> list[dict[str, Any]]:
    data = (path / GAMES).read_bytes()
    assert data.endswith(b"\n")
    return records(data.splitlines())


def all_games(match: Match) -> list[dict[str, Any]]:
    return records(play_games(match, list(match.schedule())))


class First:
    """A guest: the first placement by its text."""

    name = "first"

    def choose(self, position: Position) -> Move:
        moves = sorted(position.legal_moves)
        return moves[0] if moves else (position.exchanges or [Move.skip()])[0]


class Odd(First):
    """A guest that gets rude in its third turn."""

    def __init__(self, way: str) -> None:
        self.name, self.way, self.turn = way, way, 0

    def choose(self, position: Position) -> Any:
        self.turn += 1
        if self.turn == 3:
            if self.way == "raises":
                raise KeyError("lost")
            return {"illegal": Move("Rs@900,900"), "hidden": Move("-?1"), "none": None, "text": "-"}[self.way]
        return super().choose(position)


# -- what a seat is told


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_what_a_program_is_told_leads_to_what_its_seat_sees(rules: str, seats: int) -> None:
    kind = kind_of("qwirkle", rules)
    for seed in range(3):
        table = kind.deal(Deal(seed, tuple(map(str, range(seats)))))
        players = players_of(kind, *["random" if (seed + seat) % 3 else "greedy" for seat in range(seats)])
        while table.end is None:
            line, _, moves = table.told().partition(" moves ")
            position = Position(line)
            for move in moves.split():
                position.push(Move(move))
            assert position == table.view()
            assert position.hidden_in_hand == 0
            table.apply(players[table.seat].decide(Turn(table, seed)))


def test_nothing_is_told_that_the_seat_may_not_know() -> None:
    kind = kind_of("qwirkle", "classic;opening=any")
    exchanges = 0
    for seed in range(12):
        table = kind.deal(Deal(seed, ("a", "b", "c")))
        chance = random.Random(seed)
        while table.end is None:
            line, _, moves = table.told().partition(" moves ")
            hands = line.split()[1].split("/")
            known = [hand for hand in hands if not hand.startswith("?") and hand != "-"]
            assert len(known) <= 1, "only one hand is known: its own"
            for move in moves.split():
                assert not move.startswith("-") or move == "-" or move.startswith("-?")
                exchanges += move.startswith("-?")
            position = table.view()
            assert isinstance(position, Position)
            assert all(hand == () for hand, _ in position.hands[1:])
            choices = position.exchanges if chance.random() < 0.3 else []
            table.apply(chance.choice(choices or list(position.legal_moves) or position.exchanges or [Move.skip()]))
    assert exchanges > 20


def test_a_view_does_not_change_with_the_game() -> None:
    table = kind_of("qwirkle").deal(Deal(1, ("a", "b")))
    view = table.view()
    assert isinstance(view, Position)
    before = str(view)
    table.apply(view.legal_moves.best())
    assert str(view) == before


# -- matches


def test_in_a_block_everybody_has_every_seat_and_the_same_deal() -> None:
    match = Match(("greedy", "random", "static"), seats=3, games=4, seed=7)
    keys = list(match.schedule())
    assert len(keys) == 6  # two whole blocks
    for block in (0, 1):
        deals = [match.deal(Key(0, block, game)) for game in range(3)]
        assert len({deal.seed for deal in deals}) == 1
        assert len({deal.names for deal in deals}) == 3
        for seat in range(3):
            assert {deal.names[seat] for deal in deals} == {"greedy", "random", "static"}
    assert match.deal(Key(0, 0, 0)).seed != match.deal(Key(0, 1, 0)).seed
    assert match.deal(Key(0, 0, 0)).seed < 1 << 53


@pytest.mark.parametrize(
    ("players", "seats", "gauntlet", "pairings"),
    [
        ("A", 2, False, [(0, 0)]),
        ("AB", 2, False, [(0, 1)]),
        ("AB", 4, False, [(0, 1, 1, 1)]),
        ("ABC", 3, False, [(0, 1, 2)]),
        ("ABC", 2, False, [(0, 1), (0, 2), (1, 2)]),
        ("ABC", 2, True, [(0, 1), (0, 2)]),
        ("ABCD", 3, True, [(0, 1, 2), (0, 1, 3), (0, 2, 3)]),
    ],
)
def test_who_meets(players: str, seats: int, gauntlet: bool, pairings: list[tuple[int, ...]]) -> None:
    match = Match(["greedy"] * len(players), seats=seats, gauntlet=gauntlet)
    assert list(match.pairings) == pairings


def test_players_of_the_same_spec_have_names_of_their_own() -> None:
    assert Match(["greedy", "greedy", First(), First()]).names == ("greedy", "greedy (2)", "first", "first (2)")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"players": ()}, "players: none"),
        ({"seats": 7}, "players: 7 at a table"),
        ({"seats": 1}, "players: 1 at a table"),
        ({"games": 0}, "games: 0"),
        ({"seed": -1}, "seed: -1"),
        ({"rules": "chess"}, "rules: 'chess'"),
        ({"game": "chess"}, "game: 'chess'"),
        ({"players": ("a", "b", "c"), "sprt": Sprt(0, 5)}, "sprt: 3 players"),
    ],
)
def test_matches_that_cannot_be(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=r", expected ") as caught:
        Match(**{"players": ("greedy", "random"), **changes})
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    "spec",
    ["nobody", "nobody:x=1", "greedy:x=1", "greedy:", "search:", "search:time=0", "search:time=-1", "search:time=nan",
     "search:time=inf", "search:time=1_0", "search:time=1e7", "search:depth=3", "search:time", "search:time=1,time=1",
     "search:time=1,", "search:simulations=1.5", "search:threads=100000", "cmd:", "cmd:no-such-program-anywhere",
     "cmd:'", "cmd:sh \0", ""],
)  # fmt: skip
def test_players_that_cannot_be(spec: str) -> None:
    with pytest.raises(ValueError, match=r"^player .*, expected "):
        run(Match((spec, "greedy"), games=2))
    with pytest.raises(ValueError, match="no method choose, expected"):
        run(Match((object(), "greedy"), games=2))


def test_limits_that_cannot_be() -> None:
    for bad in ({"move": 0.0}, {"grace": -1.0}, {"start": float("nan")}):
        with pytest.raises(ValueError, match="expected seconds"):
            Limits(**bad)


# -- games


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_native_games_are_those_of_the_greedy_player(rules: str, seats: int) -> None:
    kind = kind_of("qwirkle", rules)
    deals = [Deal(seed, tuple(f"player {seat}" for seat in range(seats))) for seed in range(8)]
    games = kind.whole_games(["greedy"] * seats, deals)
    assert games is not None
    for deal, game in zip(deals, games, strict=True):
        slow = play(kind, deal, players_of(kind, *["greedy"] * seats))
        assert len(game.pop("times")) == len(slow.pop("times")) == len(game["turns"])
        assert slow.pop("forfeit") is None
        assert {**game, "players": list(game["players"])} == slow


def test_records_replay() -> None:
    for match in (
        Match(("greedy",), games=6),
        Match(("greedy", "random"), games=4),
        Match(("random", First()), seats=4, games=4, rules="flex"),
        Match((Odd("illegal"), "random"), games=2),
    ):
        for record in all_games(match):
            game = Game.from_record(record)
            assert game.end == record["end"]
            assert record["seed"] == match.deal(Key(0, record["block"], record["game"])).seed


def test_swapped_seats_are_fair() -> None:
    # A player against itself plays the same game twice, so that every block is level.
    for spec in ("greedy", "random"):
        table = run(Match((spec, spec), games=20))
        first = table.first()
        assert first.counts == [0, 0, 10, 0, 0]
        assert (first.elo, first.margin, first.differing_blocks, first.superiority) == (0, 0, 0, 0.5)


@pytest.mark.search
def test_a_search_with_a_number_of_simulations_plays_the_same_again() -> None:
    match = Match(("search:simulations=64", "greedy"), games=2)
    assert all_games(match) == all_games(match)


@pytest.mark.parametrize(
    ("way", "reason"),
    [("raises", "crash"), ("illegal", "illegal"), ("hidden", "illegal"), ("none", "illegal"), ("text", "illegal")],
)
def test_a_guest_that_is_rude_loses(way: str, reason: str) -> None:
    table = run(Match((Odd(way), "greedy"), games=2))
    first = table.first()
    assert table.forfeits() == {way: {reason: 1}}
    assert (first.wins + first.draws + first.losses, first.margin) == (2, None)


def test_who_is_ruled_out_is_last_and_the_others_share_by_points() -> None:
    match = Match((Odd("raises"), "greedy", "greedy"), seats=3, games=3)
    table = run(match)
    assert table.forfeits() == {"raises": {"crash": 1}}
    standing = table.pairings[0]
    ruled = next(game for game in standing.whole[0] if game.out)
    assert (ruled.points, ruled.place, ruled.lead) == (0, -1, None)


# -- where games are played


def test_the_games_do_not_depend_on_where_they_are_played(tmp_path: Path) -> None:
    match = Match(("greedy", "random", First()), games=4)
    with ThreadPoolExecutor(3) as threads:
        run(match, jobs=3, executor=threads, out=tmp_path / "threads")
    run(match, out=tmp_path / "here")
    run(match, jobs=2, out=tmp_path / "processes")
    expected = all_games(match)
    assert len(expected) == 12
    for name in ("threads", "here", "processes"):
        assert in_folder(tmp_path / name) == expected
    assert not multiprocessing.active_children()


def test_a_test_ends_with_the_same_block_wherever_it_is_played(tmp_path: Path) -> None:
    match = Match(("greedy", "random"), sprt=Sprt(0, 100))
    tables = [run(match, jobs=jobs, out=tmp_path / str(jobs)) for jobs in (1, 2)]
    assert tables[0].to_json() == tables[1].to_json()
    assert tables[0].sprt is not None
    assert tables[0].sprt.result == "H1"
    games = in_folder(tmp_path / "1")
    assert games == in_folder(tmp_path / "2")
    assert len(games) == tables[0].games == 2 * len(tables[0].path)


def test_objects_that_cannot_travel_are_refused_unless_they_stay() -> None:
    class Local(First):
        pass

    match = Match((Local(), "greedy"), games=2)
    assert run(match).games == 2
    with pytest.raises(ValueError, match="cannot be sent to other processes"):
        run(match, jobs=2)


def test_a_match_travels() -> None:
    match = Match(("greedy", First()), games=2, rules="flex", limits=Limits(move=2))
    assert play_games(pickle.dumps(match), [Key(0, 0, 0)])
    assert native(Match(("greedy",)))
    assert not native(match)


# -- records and going on


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole")
    run(Match(("greedy", "random"), games=8), out=path)
    return path


def test_a_match_cut_off_anywhere_goes_on(whole: Path, tmp_path: Path) -> None:
    match = Match(("greedy", "random"), games=8)
    data = (whole / GAMES).read_bytes()
    ends = [i + 1 for i, byte in enumerate(data) if byte == 10]
    chance = random.Random(1)
    for cut in [0, 1, ends[0] - 1, ends[0], ends[0] + 1, ends[-1], chance.randrange(len(data))]:
        path = tmp_path / str(cut)
        path.mkdir()
        (path / "match.json").write_bytes((whole / "match.json").read_bytes())
        (path / GAMES).write_bytes(data[:cut])
        table = run(match, out=path)
        assert in_folder(path) == in_folder(whole)
        assert table.games == 8


def test_a_match_may_get_longer_but_not_another(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "out"
    run(Match(("greedy", "random"), games=4), out=path)
    run(Match(("greedy", "random"), games=8), out=path)
    assert in_folder(path) == in_folder(whole)
    for other in (
        Match(("greedy", "random"), games=8, seed=2),
        Match(("greedy",), games=8),
        Match(("greedy", "random"), games=8, rules="flex"),
        Match(("greedy", "random"), games=6),
        Match(("greedy", "random"), games=8, sprt=Sprt(0, 5)),
    ):
        with pytest.raises(ValueError, match=r"holds a match .*, expected "):
            run(other, out=path)
    assert in_folder(path) == in_folder(whole)


def test_a_folder_that_is_none_of_ours_is_left_alone(tmp_path: Path) -> None:
    match = Match(("greedy",), games=2)
    (tmp_path / GAMES).write_text("precious\n")
    with pytest.raises(ValueError, match=r"games without a match\.json, expected"):
        run(match, out=tmp_path)
    (tmp_path / "match.json").write_text("{}")
    with pytest.raises(ValueError, match="expected what a match wrote"):
        run(match, out=tmp_path)
    assert (tmp_path / GAMES).read_text() == "precious\n"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
def test_two_matches_do_not_share_a_folder(tmp_path: Path) -> None:
    class Second:
        def choose(self, position: Position) -> Move:
            with pytest.raises(ValueError, match="another match is writing there, expected another folder"):
                run(Match((Second(), "greedy"), games=2), out=tmp_path)
            return First().choose(position)

    run(Match((Second(), "greedy"), games=2), out=tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_match_killed_at_any_instant_goes_on(jobs: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "qwirkle_fast", "match", "greedy", "random", "--games", "24", "--json"]
    command += ["--jobs", str(jobs), "--out", str(tmp_path)]
    chance = random.Random(jobs)
    file = tmp_path / GAMES
    for _ in range(2):
        before = file.stat().st_size if file.exists() else 0
        # As soon as it has written some more, in the middle of whatever it does then.
        wanted = before + chance.randrange(1, 40_000)
        with running(command) as process:
            while process.poll() is None and not (file.exists() and file.stat().st_size >= wanted):
                time.sleep(0.001)
            process.kill()
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    assert json.loads(done.stdout)["games"] == 24
    assert in_folder(tmp_path) == all_games(Match(("greedy", "random"), games=24))


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
@pytest.mark.parametrize(("name", "to"), [("INT", "all"), ("TERM", "the first"), ("HUP", "all")])
def test_a_match_that_is_told_to_end_does_so_with_one_line(name: str, to: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "qwirkle_fast", "match", "greedy", "random", "--games", "100000", "--jobs", "2"]
    with running([*command, "--out", str(tmp_path)]) as process:
        assert wait_until(lambda: process.poll() is not None or has_games(tmp_path), 60)
        (os.killpg if to == "all" else os.kill)(process.pid, getattr(signal, f"SIG{name}"))
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, b"", b"qwirkle-fast: interrupted\n")
        assert read_standings(tmp_path).games > 0
        assert wait_until(lambda: not alive(-process.pid))


@contextmanager
def running(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A command in a process group of its own, of which nothing is left afterwards, whatever happens."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def has_games(folder: Path) -> bool:
    return (folder / GAMES).exists() and (folder / GAMES).stat().st_size > 0


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(holds: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


# -- a cluster


@contextmanager
def started_cluster(path: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and it and its workers, each in a process of its own."""
    distributed = pytest.importorskip("distributed")
    file = path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": path}
    # A process each: the worker itself, with no nanny that would start it again.
    processes = [
        subprocess.Popen(
            [*dask[:2], "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
             "--no-jupyter", "--scheduler-file", str(file)], **quiet)
    ]  # fmt: skip
    try:
        while not file.exists():
            assert processes[0].poll() is None
            time.sleep(0.05)
        for _ in range(workers):
            processes.append(
                subprocess.Popen(
                    [*dask[:2], "distributed.cli.dask_worker", "--scheduler-file", str(file), "--nthreads", "1",
                     "--no-nanny", "--no-dashboard"], **quiet)
            )  # fmt: skip
        address = json.loads(file.read_text())["address"]
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=60)
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_on_a_cluster_with_a_worker_killed_the_games_are_the_same(tmp_path: Path) -> None:
    match = Match(("search:simulations=32", "greedy"), games=4)
    with started_cluster(tmp_path, 3) as (address, processes):

        def watch(table: Standings) -> None:
            if processes[-1].poll() is None:
                processes[-1].kill()

        with executors.cluster(address) as (executor, threads):
            assert threads == 3
            table = run(match, jobs=threads, executor=executor, out=tmp_path / "out", watch=watch)
        assert processes[-1].poll() is not None
    assert table.games == 4
    assert in_folder(tmp_path / "out") == all_games(match)


def test_when_the_scheduler_dies_the_match_says_so_in_one_line_and_goes_on_later(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "qwirkle_fast", "match", "greedy", "random", "--games", "100000"]
    out = tmp_path / "out"
    with (
        started_cluster(tmp_path, 2) as (address, processes),
        running([*command, "--cluster", address, "--out", str(out)]) as match,
    ):
        assert wait_until(lambda: match.poll() is not None or has_games(out), 60)
        processes[0].kill()
        answer, complaint = match.communicate(timeout=60)
    line = "match: the scheduler is gone, expected workers that stay: try the same command again"
    assert (match.returncode, answer, complaint) == (2, b"", f"qwirkle-fast: {line}\n".encode())
    there = read_standings(out).games
    assert there > 0

    def stop(table: Standings) -> None:
        if table.games == there + 4:
            raise KeyboardInterrupt

    again = Match(("greedy", "random"), games=100_000)
    with pytest.raises(KeyboardInterrupt):
        run(again, out=out, watch=stop)
    games = in_folder(out)
    assert len(games) == there + 4
    assert games == records(play_games(again, [Key(0, game["block"], game["game"]) for game in games]))


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "ANSWER", 0.2)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        with pytest.raises(ValueError, match=r"cluster .*, expected"), executors.cluster(address):
            pass
