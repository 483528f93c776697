"""Tests of plan files: how they are read, and whether each error message names the faulty key."""

from pathlib import Path

import pytest

from gridlock.arena.plan import BadPlan, Entrant, Format, Plan, named_entrants, read_clock
from gridlock.arena.plan_file import PlanFile
from gridlock.arena.sprt import Model
from gridlock.core import rules

WHOLE = """
format = "swiss"
agents = ["easy", "medium", {name = "mine", agent = "./my.py:agent"}]
games = 20
rounds = 2
seed = 7
clock = "10+0.1"
margin = 2
swap = true
adjudicate = 12
judge = true
processes = 3

[[boards]]
game = "showdown"
board = "7x7"

[[boards]]
game = "chain"
adjacency = "king"
"""
SMALL = 'agents = ["easy", "medium"]\n[[boards]]\ngame = "chain"\n'


def read(tmp_path: Path, text: str) -> tuple[Plan, int]:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    return PlanFile(path).read()


def test_a_plan_has_everything(tmp_path: Path) -> None:
    plan, processes = read(tmp_path, WHOLE)
    assert plan.format is Format.SWISS
    assert plan.entrants[2] == Entrant("mine", "./my.py:agent")
    assert [str(variant.grid) for variant in plan.variants] == ["7x7", "4x4"]
    assert plan.variants[1].grid.adjacency == "king"
    assert (plan.games, plan.rounds, plan.seed, processes) == (20, 2, 7, 3)
    assert plan.conditions.clock == (10.0, 0.1)
    assert (plan.conditions.margin, plan.conditions.swap, plan.conditions.adjudicate) == (2.0, True, 12)
    assert plan.conditions.judge is True


def test_most_keys_have_defaults(tmp_path: Path) -> None:
    plan, processes = read(tmp_path, SMALL)
    assert (plan.format, plan.games, plan.seed, processes) == (Format.ROUND_ROBIN, 100, 0, 1)
    assert (plan.conditions.seconds, plan.conditions.clock, plan.conditions.judge) == (0.1, None, None)


def test_an_sprt_is_a_table(tmp_path: Path) -> None:
    plan, _ = read(tmp_path, f'{SMALL}[sprt]\nelo0 = -5\nelo1 = 5\nmodel = "logistic"\n')
    assert plan.sprt is not None
    assert (plan.sprt.elo0, plan.sprt.elo1, plan.sprt.model) == (-5, 5, Model.LOGISTIC)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("agents = [", "is not valid TOML"),
        ('agents = ["easy", "medium"]', "boards is missing: it must be tables [[boards]]."),
        ('agents = ["easy", "medium"]\nboards = []', "boards is empty"),
        ('agents = ["easy", "medium"]\nboards = [1]', "boards must be a table"),
        ('[[boards]]\ngame = "chain"', 'agents is missing: it must be a list of agents, such as ["easy", "medium"].'),
        (f'agents = "easy"{SMALL[27:]}', "agents must be a list of agents"),
        (f'agents = ["easy"]{SMALL[27:]}', "agents must be 2 to 1,000 agents, not 1."),
        (f'agents = ["easy", "easy"]{SMALL[27:]}', "agents has easy twice. Name them:"),
        (f'agents = ["easy", 5]{SMALL[27:]}', "agents must hold names"),
        (f'agents = ["easy", {{name = "x"}}]{SMALL[27:]}', "agents.agent is missing: it must be a string."),
        (f"games = 7\n{SMALL}", "games must be an even number from 2 to 1,000,000, not 7."),
        (f"games = 0\n{SMALL}", "games must be a whole number from 2 to 1000000, not 0."),
        (f'games = "many"\n{SMALL}', "games must be a whole number, not 'many'."),
        (f"games = true\n{SMALL}", "games must be a whole number, not 'True'."),
        (f"time = -1\n{SMALL}", "time must be a number from 0 to 86400, not -1."),
        (f"time = nan\n{SMALL}", "time must be a number from 0 to 86400, not nan."),
        (f'time = 1\nclock = "10+0.1"\n{SMALL}', "time and clock exclude each other"),
        (f'clock = "soon"\n{SMALL}', "clock is 'soon': give seconds for a game and seconds added per move"),
        (f'format = "knockout"\n{SMALL}', "format must be round-robin, gauntlet, swiss or ladder, not 'knockout'."),
        (f"rounds = 3\n{SMALL}", "rounds is for Swiss tournaments and ladders, not for round-robin. Leave it out."),
        (f'format = "swiss"\nrounds = 2\n{SMALL}', "rounds must be 1 to 1 in a Swiss tournament of 2 agents"),
        (f'format = "ladder"\n{SMALL}', "A ladder needs at least 3 agents."),
        (f'format = "ladder"\nrounds = 0\n{SMALL}', "rounds must be a whole number from 1 to 1000, not 0."),
        (f"gmes = 4\n{SMALL}", "there is no key gmes. Did you mean games?"),
        (f"{SMALL}bord = 4\n", "there is no key boards.bord. Did you mean board?"),
        (f'{SMALL}board = "5 by"\n', "'5 by' is not a board."),
        (f'{SMALL}adjacency = "hex"\n', "Adjacency must be king or orthogonal, not 'hex'."),
        (SMALL.replace("chain", "chess"), "There is no game called 'chess'."),
        (f"{SMALL}[sprt]\nelo0 = 9\nelo1 = 5\n", "elo0 (9) must be below elo1 (5)."),
        (f'{SMALL}[sprt]\nmodel = "bayes"\n', "sprt.model must be normalised or logistic, not 'bayes'."),
        (f"sprt = 5\n{SMALL}", "sprt must be a table, not '5'."),
        (
            'agents = ["easy", "medium", "hard"]\n[sprt]\n[[boards]]\ngame = "chain"\n',
            "sprt compares two agents, but agents has 3.",
        ),
    ],
)
def test_a_bad_plan_gets_a_sentence_that_names_the_key(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadPlan) as caught:
        read(tmp_path, text)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "plan.toml"))
    assert "\n" not in str(caught.value)


def test_a_plan_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.toml"):
        with pytest.raises(BadPlan, match="cannot be read"):
            PlanFile(path)
    (tmp_path / "plan.toml").write_bytes(b"\xff")
    with pytest.raises(BadPlan, match="it is not UTF-8 text"):
        PlanFile(tmp_path / "plan.toml")


def test_agents_with_the_same_name_are_numbered() -> None:
    assert [one.name for one in named_entrants(["easy", "easy", "process:./bot --fast"])] == ["easy", "easy-2", "bot"]


@pytest.mark.parametrize(("text", "clock"), [("10+0.1", (10.0, 0.1)), (" 5 ", (5.0, 0.0)), ("0.5 + 2", (0.5, 2.0))])
def test_a_clock_is_seconds_and_seconds_added(text: str, clock: tuple[float, float]) -> None:
    assert read_clock(text) == clock


@pytest.mark.parametrize("text", ["", "0", "-1", "1+", "1e3", "1+2+3", "999999", "5:00"])
def test_a_clock_that_cannot_be_read(text: str) -> None:
    with pytest.raises(BadPlan, match="such as 10"):
        read_clock(text)


def test_a_game_from_a_file_is_part_of_the_task(tmp_path: Path) -> None:
    (tmp_path / "hermit.toml").write_text('title = "Hermit"\n[shape]\ncloses_own = true\ncloses_other = true\n')
    plan, _ = read(tmp_path, SMALL.replace("chain", str(tmp_path / "hermit.toml")))
    assert plan.variants[0].book == rules.rule_book(tmp_path / "hermit.toml")
    assert plan.task()["boards"][0]["definition"]["shape"]
