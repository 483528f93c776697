"""Check that saved games are either read completely or rejected, and that a bad file never hides the other games."""

import errno
import io
import json
import os
import sys
import threading
import zlib
from pathlib import Path

import pytest

from gridlock import SWAP
from gridlock.command import run
from gridlock.core.errors import BadRecord, GridLockError
from gridlock.core.files import write_safely
from gridlock.core.grid import Grid
from gridlock.core.match import Match
from gridlock.core.rulebook import Variant
from gridlock.core.rules import variant
from gridlock.userdata.folder import holder, sweep
from gridlock.userdata.saves import Saved, Slot, dump, entries, load
from hermit import HERMIT


def short_match() -> Match:
    """Return a match in its second round, with a swap, a resignation and a name that is not plain ASCII."""
    match = Match(variant("chain", "2x3"), rounds=3, swap=True, names=("Zoë", ""), kinds=("human", "random"), seed=5)
    game = match.current()
    game.push(0)
    game.push(SWAP)
    game.resign(1)
    match.current().push(4)
    return match


def facts(saved: Saved) -> object:
    match = saved.match
    games = [
        (game.moves, game.positions, game.resigned, game.starts, game.swap, game.player_name(1), game.player_name(2))
        for game in match.games
    ]
    return saved.record, match.variant, match.rounds, match.starts, match.names, match.kinds, match.seed, games


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    return tmp_path


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_what_is_saved_is_what_is_loaded() -> None:
    saved = Saved(short_match(), "/some/where.txt")
    assert facts(load(dump(saved))) == facts(saved)


# A saved game in the format of version 0.1.0, which did not yet support games defined in files.
OLD = (
    '{"gridlock-save": 1, "check": "ee926e23", "match": {"game": "showdown", "board": "5x5", "adjacency": "king", '
    '"rounds": 3, "starts": 1, "swap": true, "names": ["Ada", ""], "kinds": ["human", "medium"], "seed": 7, '
    '"think": 0.5, "record": null, "games": [{"GridLock": "1", "Game": "showdown", "Board": "5x5", '
    '"Adjacency": "king", "Starts": "1", "Swap": "on", "Player1": "Ada", "Player2": "Player 2", "Result": "*", '
    '"Termination": "unfinished", "Moves": ["3,3", "swap"], "Check": "497a7f23"}]}}\n'
)


def test_games_of_the_last_version_continue(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "games").mkdir()
    (home / "games/old.json").write_text(OLD)
    typed(monkeypatch, "history", "1 1", "quit")
    assert run(["resume"]) == 0
    out = capsys.readouterr().out
    assert "1. X 3,3; 2. swap" in out
    assert "You placed an O at (1, 1)." in out
    assert "Player 2 (X) plays " in out
    match = load(OLD).match
    assert dump(Saved(match, None)) == OLD, "the same file is written for the games that everybody knows"


def test_a_saved_game_carries_its_definition_and_no_other() -> None:
    text = dump(Saved(Match(Variant(HERMIT, Grid(3, 3, HERMIT.adjacency))), None))
    assert load(text).match.variant.book == HERMIT
    body = json.loads(text)["match"]
    for wrong in (
        {"game": "monk"},  # differs from the name in the definition
        {"game": "chain", "definition": {**body["definition"], "name": "chain"}},  # a built-in game needs no definition
        {"definition": {"title": "Hermit"}},
        {"definition": ["title"]},
    ):
        changed = {**body, **wrong}
        check = f"{zlib.crc32(json.dumps(changed, sort_keys=True).encode()):08x}"
        with pytest.raises(BadRecord, match="the saved match is inconsistent"):
            load(json.dumps({"gridlock-save": 1, "check": check, "match": changed}))


def test_every_truncation_is_refused() -> None:
    text = dump(Saved(short_match(), None))
    for length in range(len(text) - 1):
        with pytest.raises(BadRecord):
            load(text[:length])


def test_every_flipped_bit_is_refused_or_harmless() -> None:
    saved = Saved(short_match(), None)
    data = dump(saved).encode()
    harmless = 0
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            try:
                loaded = load(flipped.decode())
            except (BadRecord, UnicodeDecodeError):
                continue
            assert facts(loaded) == facts(saved)
            harmless += 1
    assert harmless < 10  # for example, changing the case of a hex digit in \u00eb


@pytest.mark.parametrize(
    "change",
    [
        {"rounds": 0},
        {"rounds": 1},
        {"rounds": 10**9},
        {"rounds": "3"},
        {"starts": 3},
        {"names": ["one"]},
        {"names": [1, 2]},
        {"kinds": ["human", 7]},
        {"kinds": ["human"]},
        {"board": 5},
        {"game": "chess"},
        {"game": []},
        {"games": 7},
        {"games": [{}]},
        {"record": 1},
        {"hints": 2},
        {"hints": [1]},
        {"hints": [0, -1]},
        {"hints": [True, None]},
        {"clock": 5},
        {"clock": [300]},
        {"clock": [300, -1]},
        {"clock": [True, 3]},
        {"clock": [300, 3], "times": ["5", "5"]},
        {"clock": [300, 3], "times": [1e9, 1]},
    ],
    ids=str,
)
def test_settings_that_no_match_has(change: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.loads(dump(Saved(short_match(), None)))
    data["match"] |= change
    monkeypatch.setattr("gridlock.userdata.saves._check", lambda _: data["check"])
    with pytest.raises(BadRecord):
        load(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "1", '"gridlock"', "{", "[" * 100_000, "9" * 10_000])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        load(text)


def test_one_bad_file_hides_no_other(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "3 3")
    run(["play", "showdown"])
    games = home / "games"
    (good,) = games.glob("*.json")
    os.utime(good, (1, 1))  # so that every other file is newer
    (games / "torn.json").write_text(good.read_text()[:300])
    (games / "binary.json").write_bytes(b"\xff\x00")
    (games / "folder.json").mkdir()
    (games / "gone.json").symlink_to("nowhere")
    with (games / "huge.json").open("wb") as huge:
        huge.truncate(100_000_000)
    capsys.readouterr()
    assert run(["games"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert ["  damaged  " in line for line in listed].count(True) == 5
    assert "unfinished  showdown 5x5, Player 1 - Player 2, 1 move" in listed[-1]
    typed(monkeypatch, "history")
    assert run(["resume"]) == 0
    printed = capsys.readouterr()
    assert "1. X 3,3" in printed.out
    assert printed.err.count("Skipping game") == 5
    assert run(["resume", "torn"]) == 3
    assert "Game torn cannot be opened" in capsys.readouterr().err


def test_listing_and_resuming_by_name(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["games"]) == 0
    assert capsys.readouterr().out.startswith("No games yet.")
    assert run(["resume"]) == 3
    for game, lines in (("keepaway", ["2 2"]), ("chain", ["2 2"]), ("scatter", ["3 3", "1 1"])):
        typed(monkeypatch, *lines)
        run(["play", game])
    capsys.readouterr()
    run(["games", "--json"])
    listed = {entry["game"]: entry for entry in json.loads(capsys.readouterr().out)["games"]}
    assert {game: entry["status"] for game, entry in listed.items()} == {
        "keepaway": "finished",
        "chain": "unfinished",
        "scatter": "unfinished",
    }
    assert (listed["scatter"]["plies"], listed["keepaway"]["score"]) == (2, [1, 0])
    run(["games"])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 80
    assert any(line.endswith("finished    keepaway 3x3, Player 1 beat Player 2") for line in lines)
    typed(monkeypatch, "history")
    assert run(["resume", listed["chain"]["id"]]) == 0
    assert "1. X 2,2" in capsys.readouterr().out
    assert run(["resume", listed["keepaway"]["id"]]) == 3
    assert "is finished" in capsys.readouterr().err
    assert run(["resume", "../../etc/passwd"]) == 3
    assert "There is no game" in capsys.readouterr().err
    assert len(list(home.rglob("*.json"))) == 3


def test_a_game_is_held_by_one_window(home: Path) -> None:
    first = Slot("one")
    with pytest.raises(GridLockError, match="open in another window"):
        Slot("one")
    Slot("two").release()
    first.release()
    Slot("one").release()
    assert list((home / "games").iterdir()) == []


def test_a_failing_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    write_safely(path, "old")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patched:
            patched.setattr(os, step, fail)
            with pytest.raises(OSError, match="No space"):
                write_safely(path, "new")
        assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("game.json", "old")]
    write_safely(path, "new")
    assert path.read_text() == "new"


@pytest.mark.usefixtures("home")
def test_a_full_disk_is_reported_once_and_saving_retried(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    really, calls = os.fsync, []

    def full_for_a_while(handle: int) -> None:
        calls.append(handle)
        if 3 <= len(calls) <= 5:  # the disk is full for a few moves, and then has space again
            raise OSError(errno.ENOSPC, "No space left on device")
        really(handle)

    monkeypatch.setattr(os, "fsync", full_for_a_while)
    typed(monkeypatch, "1 1", "5 5", "1 3", "5 3")
    assert run(["play", "scatter"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "The game cannot be saved (No space left on device). You can keep playing.\n"
    assert printed.out.endswith("Your game is saved. Resume it with: gridlock resume\n")
    (entry,) = entries()
    assert entry.saved is not None
    assert entry.saved.match.games[0].moves == [0, 24, 2, 22]


class Watching(io.StringIO):
    """An output stream that checks, on every write, that all moves announced so far are already on disk."""

    told = 0

    def write(self, text: str) -> int:
        self.told += text.count(" plays ")
        if self.told:
            (entry,) = entries()
            assert entry.saved is not None
            assert sum(len(game.moves) for game in entry.saved.match.games) >= self.told
        return super().write(text)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("rounds", ["1", "3"])
def test_a_move_is_on_disk_before_it_is_shown(rounds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = Watching()
    monkeypatch.setattr(sys, "stdout", out)
    programs = ["--player1", "random", "--player2", "random", "--seed", "1", "--rounds", rounds]
    assert run(["play", "scatter", *programs]) == 0
    assert out.told >= 8


@pytest.mark.usefixtures("home")
def test_a_persons_move_is_on_disk_before_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    class WatchingPerson(Watching):
        def write(self, text: str) -> int:
            return super().write(text.replace("You placed an", " plays "))

    out = WatchingPerson()
    monkeypatch.setattr(sys, "stdout", out)
    typed(monkeypatch, "3 3", "1 1", "5 5", "quit")
    assert run(["play", "showdown"]) == 0
    assert out.told == 3


def test_a_stale_lock_file_is_ignored(home: Path) -> None:
    (home / "games").mkdir()
    (home / "games" / "one.lock").write_text('{"process": 1, "since": 0}')
    Slot("one").release()
    assert list((home / "games").iterdir()) == []


def test_many_processes_hold_a_game_one_at_a_time(home: Path) -> None:
    """Even if many threads take, sweep and check locks at once, no lock has two holders and no live lock is removed."""
    inside: list[int] = []
    most = 0
    failures: list[str] = []

    def take(number: int) -> None:
        nonlocal most
        for _ in range(60):
            try:
                slot = Slot("one")
            except GridLockError:
                continue
            inside.append(number)
            most = max(most, len(inside))
            if not slot.path.with_suffix(".lock").exists():
                failures.append("swept away")
            inside.remove(number)
            slot.release()

    def look() -> None:
        for _ in range(200):
            sweep(home / "games")
            holder(home / "games" / "one.json")

    threads = [threading.Thread(target=take, args=(number,)) for number in range(4)]
    threads += [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert not failures
