"""Tests of the problem suite for solvers: its problems, their labels, and how it scores engines."""

import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from gridlock.arena.openings import canonical
from gridlock.arena.suite.comparison import Comparison
from gridlock.arena.suite.grading import OPEN_GRADES, Candidate, grade_of, random_game, search
from gridlock.arena.suite.making import Quota, make
from gridlock.arena.suite.problems import Problem, Suite, read_problem, read_suite, write_suite
from gridlock.arena.suite.report import contents, facts, result, wrong_lines
from gridlock.arena.suite.scoring import Run, read_answers, score
from gridlock.core.errors import BadRecord
from gridlock.core.snapshot import position_text
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.units.ledger import Ledger
from oracle import GAMES

BOT = Path(__file__).parents[1] / "bots" / "suite_solver.py"
MOST_NAIVE = 3_000  # the most positions that the naive solver may search


@cache
def shipped() -> Suite:
    """Return the problem suite that comes with GridLock."""
    return read_suite()


def sample(grades=range(99), count=2, game=None):
    """Return a few problems for each game."""
    return shipped().part([game] if game else shipped().games, grades, count, False)


def without_seconds(problem):
    return problem.line.rpartition(" ")[0]


# -- the problems -----------------------------------------------------------------------------------------------------


def test_every_game_has_its_problems_of_all_grades():
    suite = shipped()
    assert sorted(suite.games) == sorted(GAMES)
    assert Counter(problem.book for problem in suite.problems) == dict.fromkeys(suite.games, suite.made["count"])
    for game in suite.games:
        grades = {problem.grade for problem in suite.problems if problem.book == game}
        assert grades >= set(range(grade_of(suite.made["nodes"]) + 1)), game
    assert suite.grades == list(range(grade_of(suite.made["nodes"]) + OPEN_GRADES))


def test_winners_are_balanced():
    for game in shipped().games:
        decided = [one for one in shipped().problems if one.book == game and not one.is_open]
        for share in (sum(one.winner == 1 for one in decided), sum(one.is_won for one in decided)):
            assert 0.35 < share / len(decided) < 0.65, game


def test_open_problems_are_beyond_what_the_search_decides():
    for problem in shipped().problems:
        beyond = problem.grade >= grade_of(shipped().made["nodes"])
        assert problem.is_open <= beyond, problem.name
        assert (problem.positions is None) == beyond, problem.name
        if problem.positions is not None:
            assert problem.grade == grade_of(problem.positions), problem.name


def test_what_a_suite_holds():
    lines = contents(shipped(), shipped().problems)
    whole = [line.split() for line in lines if line.startswith("all ")]
    open_count = sum(one.is_open for one in shipped().problems)
    assert whole[0][-3:] == [str(len(shipped().problems)), f"({open_count}", "open)"]
    boards, king, orthogonal, first, second, to_move = map(int, whole[1][1:])
    assert king + orthogonal == len(shipped().problems)
    assert first + second == len(shipped().problems) - open_count
    assert (boards, to_move) == (49, sum(one.is_won for one in shipped().problems))


def test_shares_of_the_grades():
    assert Quota(500, 10**5).shares == {0: 120, 1: 120, 2: 120, 3: 80, 4: 20, 5: 10, 6: 10, 7: 10, 8: 10}
    assert Quota(20, 1000).shares == {0: 16, 1: 3, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0}


def test_no_problem_is_there_twice_nor_its_mirror_image():
    keys = [(one.game.variant, canonical(one.game.variant, one.game.position)) for one in shipped().problems]
    assert len(set(keys)) == len(keys)


def test_positions_are_those_of_the_seed():
    for problem in sample(count=12):
        game, number, ply = problem.name.split("-")
        variant, line = random_game(Candidate(game, shipped().made["seed"], int(number), 10, ()))
        assert position_text(variant, line[int(ply)], "-").replace(" ", ":") == problem.position


def test_labels_are_found_again():
    for problem in sample(grades=range(3), count=12):
        variant, position = problem.game.variant, problem.game.position
        again = search(variant, position, 10_000)
        assert again.verdict.winner(problem.game.turn) == problem.winner, problem.line
        engine = Engine(variant, 16 << 20)
        verdicts = {
            variant.name(cell): engine.judge(position.after(cell), lambda _nodes: False).verdict
            for cell in variant.legal_cells(position)
        }
        winning = [move for move, verdict in verdicts.items() if verdict is Verdict.LOSS]
        assert tuple(winning) == problem.winning, problem.line


class TooMany(Exception):
    """An exception raised when the naive solver reaches its limit."""


def naive(problem):
    """Recreate a problem's position in the naive model."""
    variant, position = problem.game.variant, problem.game.position
    twin = GAMES[problem.book](variant.grid.rows, variant.grid.cols, variant.grid.adjacency == "king")
    twin.owner.clear()
    for side in (1, 2):
        for cell in range(variant.grid.size):
            if position.markers(side) >> cell & 1:
                twin.owner[divmod(cell, variant.grid.cols)] = side
        head = position.head(side)
        twin.last[side] = None if head is None else divmod(head, variant.grid.cols)
    twin.turn = problem.game.turn
    twin.last_mover = None if twin.last[3 - twin.turn] is None else 3 - twin.turn
    return twin


def wins(game, budget):
    """Determine from the rules alone whether the player to move wins; a stuck player passes if the game allows it."""
    budget[0] -= 1
    if budget[0] < 0:
        raise TooMany
    if game.over():
        return game.winner() == game.turn
    if game.must_pass():
        after = game.copy()
        after.skip()
        return not wins(after, budget)
    return any(not wins(after_move(game, cell), budget) for cell in game.legal())


def after_move(game, cell):
    after = game.copy()
    after.play(cell)
    return after


def room(problem):
    """Return how many legal moves the two players have in total."""
    twin = naive(problem)
    return len(twin.legal(1)) + len(twin.legal(2))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_naive_rules_give_the_same_labels(game):
    for problem in sorted(sample(grades=range(2), count=40, game=game), key=room)[:4]:
        budget, start = [MOST_NAIVE], naive(problem)
        first = problem.game.variant.coordinates(0)[0]
        winning = {
            f"{row + first},{col + first}"
            for row, col in start.legal()
            if not wins(after_move(start, (row, col)), budget)
        }
        assert winning == set(problem.winning), problem.line


# -- making and reading -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_seed_makes_the_same_problems_whatever_the_run(tmp_path):
    first = make(["chain"], 12, 1000, 5, processes=0)
    calls = iter([False] * 12 + [True] * 100)
    ledger = tmp_path / "ledger"
    assert make(["chain"], 12, 1000, 5, processes=0, ledger=ledger, stopped=lambda: next(calls)) is None
    again = make(["chain"], 12, 1000, 5, processes=0, ledger=ledger)
    assert list(map(without_seconds, first.problems)) == list(map(without_seconds, again.problems))
    other = make(["chain"], 12, 1000, 6, processes=0)
    assert list(map(without_seconds, first.problems)) != list(map(without_seconds, other.problems))
    write_suite(tmp_path / "suite", again)
    assert read_suite(tmp_path / "suite") == again


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("# gridlock", "# something", "is not a suite"),
        ('"format": 1', '"format": 2', "is not a suite"),
        (" 1 ", " 3 ", "line 2 is not a valid problem"),
        (":X:", ":Q:", "is not a valid problem"),
        ("2,2 ", "9,9 ", "line 2 is not a valid problem"),
    ],
)
def test_a_damaged_file_gets_a_sentence(tmp_path, old, new, words):
    path = tmp_path / "suite"
    line = "chain-1-0 chain:orthogonal:3/3/3:X:-:-:- 1 1,1+1,3+2,2 2 110 0.0001"
    text = f'# gridlock suite {{"format": 1, "nodes": 1000}}\n{line}\n{line.replace("-1-0", "-2-0")}\n'
    path.write_text(text)
    assert len(read_suite(path).problems) == 2
    assert read_suite(path).problems[0].line == line
    path.write_text(text.replace(old, new))
    with pytest.raises(BadRecord, match=words):
        read_suite(path)


def test_files_that_are_none(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name, words in (("empty", "is not a suite"), ("binary", "is not a suite"), ("none", "There is no file")):
        with pytest.raises(BadRecord, match=words):
            read_suite(tmp_path / name)


def test_a_part_of_a_suite_is_spread_over_its_grades():
    part = shipped().part(["chain"], range(99), 9, False)
    assert len(part) == 9
    assert {problem.grade for problem in part} == set(shipped().grades)  # even grades with few problems occur


# -- scoring ----------------------------------------------------------------------------------------------------------


def some(tmp_path) -> tuple[Path, list[Problem]]:
    """Return the file and the problems of a small suite: two won positions, two lost ones and an unsolved one."""
    lines = [
        "chain-1-0 chain:orthogonal:3/3/3:X:-:-:- 1 1,1+1,3+2,2+3,1+3,3 2 110 0.0001",
        "chain-2-0 chain:orthogonal:4/4:X:-:-:- 2 - 1 20 0.0001",
        "chain-3-1 chain:orthogonal:X2/3:O:1,1:-:- 1 - 0 5 0.0001",
        "keepaway-1-0 keepaway:king:3/3/3:X:-:-:- 1 2,2 2 110 0.0001",
        "scatter-1-0 scatter:king:7/7/7/7/7/7/7:X:-:-:- ? ? 6 ? ?",
    ]
    path = tmp_path / "small.txt"
    path.write_text("\n".join(['# gridlock suite {"format": 1, "nodes": 1000}', *lines]) + "\n")
    return path, [read_problem(line) for line in lines]


def asked(tmp_path, mode, seconds=5.0, ledger=None):
    path, problems = some(tmp_path)
    run = Run(f"ugi:{sys.executable} {BOT} {path} {mode}", problems, seconds, ledger)
    try:
        assert run.ask(0)
        return run.answers()
    finally:
        run.close()


def test_an_engine_that_is_right(tmp_path):
    answers = asked(tmp_path, "right")
    counted = score(answers)
    assert (counted.asked, counted.solved, counted.winners, counted.moves) == (4, 4, (4, 4), (2, 2))
    assert (counted.wrong, counted.late, counted.failed) == (0, 0, 0)
    lines = result("it", 5, answers)
    assert "Winners: 4 of 4 right (100.0%)." in lines
    assert lines[-1] == "Open problems: it names a winner for 0 of 1."
    assert wrong_lines(answers) == []


def test_an_engine_that_is_wrong(tmp_path):
    answers = asked(tmp_path, "wrong")
    counted = score(answers)
    assert (counted.solved, counted.winners, counted.moves, counted.wrong) == (0, (0, 4), (0, 2), 4)
    assert wrong_lines(answers)[0] == (
        "chain-1-0  chain:orthogonal:3/3/3:X:-:-:-  winner 2, move 1,2; right: winner 1, moves 1,1 1,3 2,2 3,1 3,3"
    )
    found = facts("it", 5, answers, True)
    assert (found["wrong"], found["parts"][0]["game"], found["mistakes"][0]["said_move"]) == (4, "chain", [1, 2])


def test_not_knowing_is_not_wrong(tmp_path):
    counted = score(asked(tmp_path, "unknown"))
    assert (counted.solved, counted.winners, counted.moves, counted.wrong) == (0, (0, 4), (2, 2), 0)


def test_a_guess_at_a_move_is_not_wrong(tmp_path):
    answers = asked(tmp_path, "guesses")
    counted = score(answers)
    assert (counted.solved, counted.moves, counted.wrong, counted.unknown) == (0, (0, 2), 0, 4)
    assert wrong_lines(answers) == []


def test_claims_about_open_problems_are_listed_and_not_scored(tmp_path):
    answers = asked(tmp_path, "bold")
    assert (score(answers).asked, score(answers).solved) == (4, 4)
    head, claim = result("it", 5, answers)[-2:]
    assert head == "Open problems: it names a winner for 1 of 1; these answers have not been checked:"
    assert claim.startswith("scatter-1-0  scatter:king:7/7/7/7/7/7/7:X:-:-:-  winner 2, ")
    (said,) = facts("it", 5, answers, True)["claims"]
    assert (said["problem"], said["said_winner"]) == ("scatter-1-0", 2)


def compared(tmp_path, old, new):
    for name, mode in (("old", old), ("new", new)):
        asked(tmp_path, mode, ledger=tmp_path / name)
    return Comparison(read_answers(tmp_path / "old"), read_answers(tmp_path / "new"))


def test_two_runs_are_compared(tmp_path):
    found = compared(tmp_path, "unknown", "right")
    assert [pair.new.problem.name for pair in found.gained] == ["chain-1-0", "chain-2-0", "chain-3-1", "keepaway-1-0"]
    assert (found.lost, found.both, found.claimed) == ([], 0, [])
    lines = found.lines()
    assert "all       0 +1  0 +1  0 +2  0 +4" in lines
    assert "Asked in both runs: 4." in lines
    found = found.facts()
    assert (found["old"]["solved"], found["new"]["solved"], found["gained"][0]) == (0, 4, "chain-1-0")


def test_engines_that_disagree_about_an_open_problem(tmp_path):
    found = compared(tmp_path, "bold", "wrong")
    assert len(found.lost) == 4
    assert [pair.new.problem.name for pair in found.disputed] == ["scatter-1-0"]
    assert "Open problems: both name a winner for 1, and agree on 0." in found.lines()


def test_files_without_answers_cannot_be_compared(tmp_path):
    (tmp_path / "other").write_bytes(b"hello\n")
    Ledger(tmp_path / "ledger", {"task": 1}).close()
    for name, words in (("none", "There is no file"), ("other", "is not a ledger"), ("ledger", "contains no answers")):
        with pytest.raises(BadRecord, match=words):
            read_answers(tmp_path / name)
    _, problems = some(tmp_path)
    for name, part in (("old", problems[:1]), ("new", problems[1:])):
        run = Run("random", part, 1.0, tmp_path / name)
        run.ask(0)
        run.close()
    with pytest.raises(BadRecord, match="no problems in common"):
        Comparison(read_answers(tmp_path / "old"), read_answers(tmp_path / "new"))


@pytest.mark.slow
def test_an_engine_that_dies_is_started_again(tmp_path):
    answers = asked(tmp_path, "dies")
    assert [bool(answer.failure) for answer in answers] == [True, False, True, True, False]  # dies every second time
    assert score(answers).failed == 3
    assert "it has had enough" in wrong_lines(answers)[0]


def test_agents_that_only_move_are_asked_only_where_a_move_wins(tmp_path):
    _, problems = some(tmp_path)
    run = Run("random", problems, 1.0)
    assert run.ask(0)
    assert [(one.asked_winner, one.asked_move) for one in run.answers()] == [
        (False, True),
        (False, False),
        (False, False),
        (False, True),
        (False, False),
    ]
    assert score(run.answers()).asked == 2


def test_answers_are_kept_and_the_rest_is_asked_later(tmp_path):
    path, problems = some(tmp_path)
    engine, ledger = f"ugi:{sys.executable} {BOT} {path} right", tmp_path / "answers"
    run = Run(engine, problems[:2], 5.0, ledger)
    assert run.ask(0)
    run.close()
    count = []
    run = Run(engine, problems, 5.0, ledger)
    assert run.ask(0, report=lambda answered, solved: count.append((answered, solved)))
    run.close()
    assert count == [(3, 3), (4, 4), (5, 4)]
    with pytest.raises(BadRecord, match="another run"):
        Run(engine, problems, 6.0, ledger)


@pytest.mark.slow
def test_engines_that_do_not_answer_in_time(tmp_path):
    mute = score(asked(tmp_path, "mute", 0.2))
    assert (mute.solved, mute.late, mute.winners) == (2, 2, (4, 4))
    silent = score(asked(tmp_path, "silent", 5.0))
    assert (silent.winners, silent.moves, silent.solved) == ((0, 0), (2, 2), 2)
