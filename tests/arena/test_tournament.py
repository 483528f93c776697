"""Check that a tournament plays the same games, each exactly once, even if it is interrupted or run in parallel."""

import json
import multiprocessing
import os
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from plans import PATIENT, plan, without_times

from gridlock.arena.folder import LEDGER, opened
from gridlock.arena.plan import BadPlan, Format, Plan
from gridlock.arena.referee import Conditions
from gridlock.arena.results import Result
from gridlock.arena.sprt import Sprt
from gridlock.arena.tournament import SequentialTest, Tournament
from gridlock.core import records
from gridlock.core.errors import BadRecord

RUNS = int(os.environ.get("GRIDLOCK_RUNS", "10"))  # how often to kill the tournament


def played(chosen: Plan, ledger: Path | None = None, processes: int = 0) -> list[Result]:
    """Play a tournament and return its games."""
    with Tournament(chosen, ledger) as tournament:
        assert tournament.run(processes)
        games = tournament.games()
        assert tournament.finished == len(games) == tournament.total
        return games


@pytest.mark.parametrize("format_", Format)
def test_every_agent_gets_both_sides_of_every_opening(format_: Format) -> None:
    games = played(plan(format_, games=4))
    pairs: dict[tuple[object, ...], list[Result]] = {}
    for game in games:
        pairs.setdefault((game["a"], game["b"], game["game"], game["pair"]), []).append(game)
    for both in pairs.values():
        assert [game["first"] for game in both] == ["a", "b"]
        assert both[0]["opening"] == both[1]["opening"]
    assert len({game["seed"] for game in games}) == len(games)


def test_who_meets_whom_in_each_format() -> None:
    def meetings(format_: Format) -> Counter[frozenset[str]]:
        return Counter(frozenset((game["a"], game["b"])) for game in played(plan(format_)))

    assert meetings(Format.ROUND_ROBIN) == dict.fromkeys(meetings(Format.ROUND_ROBIN), 4)
    assert len(meetings(Format.ROUND_ROBIN)) == 10
    assert all("random" in pair for pair in meetings(Format.GAUNTLET))
    assert len(meetings(Format.GAUNTLET)) == 4
    swiss = meetings(Format.SWISS)
    assert len(swiss) == 6  # three rounds of two encounters, and no two players meet twice
    assert set(swiss.values()) == {4}


def test_a_seed_decides_everything() -> None:
    assert without_times(played(plan())) == without_times(played(plan()))
    assert without_times(played(plan())) != without_times(played(plan(seed=6)))


@pytest.mark.parametrize("format_", Format)
def test_a_ledger_cut_anywhere_is_resumed_with_the_same_games(format_: Format, tmp_path: Path, rng: Random) -> None:
    whole = without_times(played(plan(format_), tmp_path / "whole"))
    data = (tmp_path / "whole").read_bytes()
    for _ in range(3):
        (tmp_path / "cut").write_bytes(data[: rng.randrange(len(data))])
        assert without_times(played(plan(format_), tmp_path / "cut")) == whole
        assert sorted((tmp_path / "cut").read_bytes().count(line) for line in _keys(data)) == [1] * len(_keys(data))


def _keys(data: bytes) -> list[bytes]:
    """Return the keys of a ledger's units, as bytes."""
    return [json.dumps(json.loads(line.partition(b" ")[2])[0]).encode() for line in data.splitlines()[1:]]


def _killed(chosen: Plan, ledger: Path, seconds: float) -> bool:
    """Play a tournament in another process, and kill the process after a given time.

    Return whether the tournament finished before the process was killed.
    """
    process = multiprocessing.get_context("fork").Process(target=played, args=(chosen, ledger))
    process.start()
    process.join(seconds)
    process.kill()
    process.join()
    return process.exitcode == 0


@pytest.mark.slow
@pytest.mark.parametrize("format_", Format)
def test_a_tournament_killed_at_random_plays_the_same_games(format_: Format, tmp_path: Path, rng: Random) -> None:
    """This test kills tournaments at least `RUNS` times in total, counted over all formats."""
    chosen = plan(format_, games=8)
    begun = time.perf_counter()
    whole = without_times(played(chosen))
    took = time.perf_counter() - begun
    ledgers, kills = 0, 0
    while kills < RUNS / len(Format):
        ledgers += 1
        while not _killed(chosen, tmp_path / f"{ledgers}", rng.uniform(0, took)) and kills < RUNS / len(Format):
            kills += 1
        assert without_times(played(chosen, tmp_path / f"{ledgers}")) == whole
    print(f"{format_}: {kills} kills, {ledgers} tournaments")


@pytest.mark.slow
def test_processes_play_the_same_games() -> None:
    chosen = plan(agents=("random", "easy", "medium"), games=4)
    assert without_times(played(chosen, processes=2)) == without_times(played(chosen))


def test_an_agent_that_does_not_start_forfeits_and_the_others_play_on() -> None:
    games = played(plan(agents=("random", "easy", "no-such-agent")))
    absent = [game for game in games if "no-such-agent" in (game["a"], game["b"])]
    assert {game[game["winner"]] for game in absent} == {"random", "easy"}
    assert {game["reason"] for game in absent} <= {"failed", "stuck"}
    assert any("There is no agent called 'no-such-agent'" in game["report"] for game in absent)
    assert all(game["reason"] == "stuck" for game in games if game not in absent)


def test_regret_is_a_game_that_should_have_been_won() -> None:
    for game in played(plan()):
        loser = "b" if game["winner"] == "a" else "a"
        assert game["regret"] == [int(game["theory"] == side == loser) for side in "ab"]
        assert game["blunders"][0] + game["blunders"][1] >= sum(game["regret"])


# -- the sequential test ----------------------------------------------------------------------------------------------


def test_a_test_stops_the_match_and_counts_pairs_in_their_order() -> None:
    chosen = plan(agents=("random", "hard"), games=200, sprt=Sprt(0, 100))
    with Tournament(chosen) as tournament:
        assert tournament.run(processes=0)
        assert tournament.decided
        games = tournament.games()
        assert len(games) < tournament.total
        assert tournament.test is not None
        reading = tournament.test.read()
        assert reading is not None
        assert reading.decision == "H0"
        assert without_times(tournament.games()) == without_times(games)


def test_pairs_that_finish_out_of_order_do_not_change_the_decision(rng: Random) -> None:
    keys = [str(number) for number in range(300)]
    results = {key: [{"winner": rng.choices("ab", (2, 1))[0]} for _ in range(2)] for key in keys}
    whole = SequentialTest(Sprt(0, 50), keys, results)
    whole.read()
    assert whole.decided_after is not None
    done: dict[str, list[Result]] = {}
    test = SequentialTest(Sprt(0, 50), keys, done)
    for key in sorted(keys, key=lambda key: int(key) + rng.uniform(0, 20)):
        done[key] = results[key]
        test.read()
    assert test.decided_after == whole.decided_after


# -- the folder -------------------------------------------------------------------------------------------------------


def test_the_folder_has_every_game_as_a_record_and_as_a_line(tmp_path: Path) -> None:
    conditions = Conditions(seconds=0, margin=60, adjudicate=2)
    with opened(plan(conditions=conditions), tmp_path / "out", resume=False) as tournament:
        tournament.run(processes=0)
    lines = (tmp_path / "out" / "results.jsonl").read_text().splitlines()
    games = records.load(tmp_path / "out" / "games-1.txt")
    assert len(lines) == len(games) == tournament.total
    for line, game in zip(lines, games, strict=True):
        result = json.loads(line)
        assert game.winner is not None
        assert game.player_name(game.winner) == result[result["winner"]]
        assert (str(game.outcome and game.outcome.termination) == "stuck") == (result["reason"] == "stuck")
    assert {json.loads(line)["reason"] for line in lines} == {"stuck", "adjudicated"}
    for name in ("crosstable.html", "crosstable.svg"):
        assert "random" in (tmp_path / "out" / name).read_text()
    table = [line.split("\t") for line in (tmp_path / "out" / "openings.tsv").read_text().splitlines()]
    assert {len(row) for row in table} == {10}
    assert sum(int(row[6]) for row in table[1:]) == len(games)  # in each game, one agent should have won


def test_a_folder_is_resumed_only_on_request_and_only_with_the_same_plan(tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match="has no tournament to resume"), opened(plan(), tmp_path, resume=True):
        pass
    with opened(plan(), tmp_path, resume=False) as tournament:
        tournament.run(processes=0, stopped=lambda: tournament.finished >= 8)
        some = without_times(tournament.games())
    assert 0 < len(some) < tournament.total
    with pytest.raises(BadPlan, match="Add --resume to continue"), opened(plan(), tmp_path, resume=False):
        pass
    advice = "Use the same options, or choose another folder."
    with pytest.raises(BadRecord) as error, opened(plan(seed=9), tmp_path, resume=True):
        pass
    assert str(error.value) == f"{tmp_path} was started with other options (seed 5, now 9). {advice}"
    with opened(plan(), tmp_path, resume=True) as tournament:
        assert tournament.run(processes=0)
        assert without_times(tournament.games()) == without_times(played(plan()))
    assert (tmp_path / LEDGER).exists()


def test_conditions_are_part_of_the_plan() -> None:
    assert plan().task() != plan(conditions=Conditions(seconds=1)).task()
    assert plan(conditions=PATIENT).task() == plan().task()
