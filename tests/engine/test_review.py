"""Reviews: a mistake is what the naive model says throws a player's win away, no more and no less."""

import json
import re
from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from truth import EVERY_GAME

import oracle
from gridlock.cli.commands.review import picture
from gridlock.command import cli, run
from gridlock.core import records
from gridlock.core.game import SWAP, Game
from gridlock.core.rules import variant
from gridlock.engine.engine import Engine
from gridlock.engine.remarks import summary
from gridlock.engine.review import Step, review

SVG = "{http://www.w3.org/2000/svg}"


def random_game(played, rng, plies=99, swap=False, resigns=0.0):
    """A game played at random, up to so many moves; sometimes a player gives up, in turn or not."""
    game = Game(played, starts=rng.choice((1, 2)), swap=swap)
    while len(game.moves) < plies and not game.outcome:
        if rng.random() < resigns:
            game.resign(rng.choice((1, 2)))
        elif game.can_swap and (not game.legal or rng.random() < 0.5):
            game.push(SWAP)
        else:
            game.push(rng.choice(played.legal_cells(game.position)))
    return game


class Judge:
    """Who wins, as a player, found by trying everything on the naive model, swap and passes included."""

    def __init__(self, game):
        self.game, grid = game, game.variant.grid
        king = str(grid.adjacency) == "king"
        self.here = oracle.GAMES[game.variant.book.name](grid.rows, grid.cols, king, game.starts)
        self.swapped, self.ply, self.memo = False, 0, {}

    def player(self, side):
        return 3 - side if self.swapped else side

    def side_to_win(self, here):
        """The side that wins when nobody may swap any more."""
        key = (frozenset(here.owner.items()), *here.last.values(), here.last_mover, here.turn)
        if key not in self.memo:
            if here.over():
                self.memo[key] = here.winner()
            elif here.must_pass():
                self.memo[key] = self.side_to_win(self.after(here, None))
            else:
                found = {self.side_to_win(self.after(here, cell)) for cell in here.legal()}
                self.memo[key] = here.turn if here.turn in found else 3 - here.turn
        return self.memo[key]

    @staticmethod
    def after(here, cell):
        """The same with a cell taken, or (for None) with a pass."""
        here = here.copy()
        if cell is None:
            here.skip()
        else:
            here.play(cell)
        return here

    def mover(self):
        """The player to move, and whether the other one was just passed over."""
        passed = self.here.must_pass()
        return self.player(3 - self.here.turn if passed else self.here.turn), passed

    def options(self):
        """Everything the player to move can do, and who wins after it."""
        here = self.after(self.here, None) if self.here.must_pass() else self.here
        found = {}
        for row, col in here.legal():
            child = self.after(here, (row, col))
            cell = row * here.cols + col
            found[cell] = self.player(self.side_to_win(child))
            if self.game.swap and self.ply == 0:  # the other one may keep the side, or exchange it
                either, other = {found[cell], 3 - found[cell]}, 3 - self.mover()[0]
                found[cell] = other if other in either else 3 - other
        if self.game.swap and self.ply == 1:
            found[SWAP] = 3 - self.side_to_win(here)
        return found

    def winner(self):
        """The player who wins."""
        found, (mover, _) = set(self.options().values()), self.mover()
        return mover if mover in found else 3 - mover

    def go(self, move):
        """Let the move be made."""
        if move == SWAP:
            self.swapped = True
        else:
            here = self.after(self.here, None) if self.here.must_pass() else self.here
            self.here = self.after(here, divmod(move, here.cols))
        self.ply += 1


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_mistakes_are_where_the_naive_model_says(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    seen = set()
    for board in ("2x2", "2x3", "1x7", "2x4"):
        played = variant(game, board, adjacency)
        engine, memo = Engine(played, 1 << 22), {}
        for number in range(24):
            plies = 99 if number % 2 else rng.randrange(4)
            record = random_game(played, rng, plies, swap=number % 3 < 2, resigns=0.2 * (number % 5 < 2))
            judge = Judge(record)
            judge.memo = memo
            steps = list(review(engine, record, 10.0))
            assert [step.move for step in steps] == record.moves + [None] * (record.resigned is not None)
            for ply, step in enumerate(steps, 1):
                assert step.ply == ply
                mover, passed = judge.mover()
                options, before = judge.options(), judge.winner()
                player = mover if step.move is not None else record.resigned
                assert (step.player, step.passed, step.before) == (player, passed, before)
                assert judge.player(step.side) == player
                if step.move is not None:
                    judge.go(step.move)
                    assert step.after == judge.winner()
                else:
                    assert step.after == 3 - player
                assert step.mistake == (before == player != step.after)
                held = {move for move, winner in options.items() if winner == player}
                assert set(step.better) == (held if step.mistake and player == mover else set())
                if step.mistake:
                    seen |= {step.kind, *({"swap held"} if SWAP in step.better else ())}
    assert seen >= {"swap", "resign"} | ({"swap held"} if game != "scatter" else set())  # there, few openings win


def test_a_resignation_while_the_other_side_passes():
    """The only one who can still place gives the win away."""
    rng = Random(3)
    played = variant("scatter", "3x3")
    engine = Engine(played, 1 << 22)
    found = 0
    for _ in range(60):
        game = random_game(played, rng, plies=rng.randrange(2, 9))
        if game.passing:
            game.resign(game.turn)
            last = list(review(engine, game, 10.0))[-1]
            assert last.mistake
            assert last.passed
            assert list(last.better) == played.legal_cells(game.position)
            found += 1
    assert found


# -- the command --------------------------------------------------------------------------------------------------


def recorded(tmp_path, game):
    path = tmp_path / "game.txt"
    path.write_text(records.dump_text(game))
    return str(path)


def told(tmp_path, game, *arguments):
    """What the command says, or an error if it fails."""
    arguments = ["review", recorded(tmp_path, game), *arguments]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def a_game(name, board, moves, adjacency=None, **options):
    game = Game(variant(name, board, adjacency), **options)
    for text in moves.split():
        if text == "swap":
            game.push(SWAP)
        else:
            game.push(game.variant.cell(*map(int, text.split(","))))
    return game


def test_the_command_tells_where_it_was_thrown_away(tmp_path):
    game = a_game("showdown", "3x3", "1,1 3,3")  # the only winning opening is the centre
    assert "  1. Player 1 (X) 1,1  throws the win away. What holds: 2,2\n" in told(tmp_path, game)
    facts = json.loads(told(tmp_path, game, "--json"))
    assert facts["steps"][0] == {
        "ply": 1,
        "kind": "move",
        "player": 1,
        "side": 1,
        "move": [1, 1],
        "passed": False,
        "winning_before": 1,
        "winning_after": 2,
        "mistake": True,
        "better": [[2, 2]],
    }
    assert (facts["game"], facts["board"], facts["adjacency"], facts["swap"]) == ("showdown", "3x3", "king", False)
    assert (facts["players"], facts["winner"], facts["termination"]) == (["Player 1", "Player 2"], None, None)


def test_a_swap_that_takes_over_the_losing_side_is_the_mistake(tmp_path):
    game = a_game("chain", "3x3", "1,2 swap 1,1 2,1 3,1", swap=True, names=("Ada", "Bob"))
    assert told(tmp_path, game) == (
        "Chain on a board of 3x3, adjacency orthogonal, with swap\n"
        "Ada (X) against Bob (O); Ada starts\n"
        "\n"
        "  1. Ada (X) 1,2   losing either way: Bob may swap\n"
        "  2. Bob (O) swap  takes over X, throws the win away. What holds: 1,1  1,3  2,2\n"
        "  3. Ada (O) 1,1   takes the chance, winning\n"
        "  4. Bob (X) 2,1   losing anyway\n"
        "  5. Ada (O) 3,1   winning\n"
        "\n"
        "No result yet: Bob (X) is to move, with 1 cell to choose from.\n"
        "Decided at move 2, when Bob (O) swapped.\n"
    )
    facts = json.loads(told(tmp_path, game, "--json"))
    assert [step["ply"] for step in facts["steps"]] == [1, 2, 3, 4, 5]
    swap = facts["steps"][1]
    assert (swap["kind"], swap["move"], swap["mistake"]) == ("swap", "swap", True)
    assert (swap["player"], swap["side"]) == (2, 2)
    assert swap["better"] == [[1, 1], [1, 3], [2, 2]]


def test_not_to_swap_after_a_winning_opening_is_a_mistake(tmp_path):
    game = a_game("showdown", "5x5", "3,3 1,1 3,1", swap=True)
    output = told(tmp_path, game)
    assert "  2. Player 2 (O) 1,1  throws the win away. What holds: swap\n" in output
    assert "  3. Player 1 (X) 3,1  takes the chance, winning\n" in output
    assert json.loads(told(tmp_path, game, "--json"))["steps"][1]["better"] == ["swap"]


def test_a_won_game_that_is_resigned(tmp_path):
    game = a_game("showdown", "5x5", "3,3 swap 1,1 3,1 1,5", swap=True, names=("Ada", "Bob"))
    game.resign(2)
    output = told(tmp_path, game)
    assert "\n     Bob (X) resigns  throws the win away. What holds: 1,3  2,3  3,4 " in output
    assert output.endswith("\nAda wins: Bob resigned.\nDecided when Bob (X) resigned.\n")
    facts = json.loads(told(tmp_path, game, "--json"))
    assert (facts["winner"], facts["termination"], facts["players"]) == (1, "resigned", ["Ada", "Bob"])
    last = facts["steps"][-1]
    assert (last["ply"], last["kind"], last["player"], last["side"], last["move"]) == (6, "resign", 2, 1, None)
    assert last["better"][:2] == [[1, 3], [2, 3]]
    game = a_game("showdown", "5x5", "3,3")  # it is the other player's turn
    game.resign(1)
    assert "\n     Player 1 (X) resigns  throws the win away. Playing on would have held.\n" in told(tmp_path, game)


def test_a_lost_game_that_is_resigned_and_games_without_moves(tmp_path):
    game = Game(variant("scatter", "4x4"))
    output = told(tmp_path, game)
    assert output.endswith(
        "\n\nNo result yet: Player 1 (X) is to move, with 16 cells to choose from.\nNo moves were made.\n"
    )
    game.resign(1)
    assert "     Player 1 (X) resigns  losing anyway\n" in told(tmp_path, game)
    game.pop()
    game.push(5)
    game.resign(1)
    output = told(tmp_path, game)
    assert "  1. Player 1 (X) 2,2      losing anyway\n     Player 1 (X) resigns  losing anyway\n" in output
    assert output.endswith("Player 2 wins: Player 1 resigned.\nNo mistakes: Player 2 was winning from the start.\n")


def test_passes_are_told(tmp_path):
    game = a_game("scatter", "3x3", "2,2 1,1")
    lines = told(tmp_path, game).splitlines()
    assert lines[5] == "     Player 1 (X) has no cell and passes"
    for cell in ("1,3", "3,1"):
        game.push(game.variant.cell(*map(int, cell.split(","))))
    lines = told(tmp_path, game).splitlines()
    assert [line[5:] for line in lines[4:9]] == [
        "Player 2 (O) 1,1  winning",
        "Player 1 (X) has no cell and passes",
        "Player 2 (O) 1,3  winning",
        "Player 1 (X) has no cell and passes",
        "Player 2 (O) 3,1  winning",
    ]
    facts = json.loads(told(tmp_path, game, "--json"))
    assert [step["passed"] for step in facts["steps"]] == [False, False, True, True]


def test_what_was_not_found_out_is_not_claimed(tmp_path):
    game = Game(variant("scatter", "31x31"))
    game.push(0)
    svg = tmp_path / "swing.svg"
    output = told(tmp_path, game, "--time", "0.01", "--svg", str(svg))
    assert "not known who is winning" in output
    assert output.endswith("No mistakes were found, but it is not known throughout who was winning.\n")
    assert "url(#open)" in svg.read_text()
    assert "Hatched: not known." in svg.read_text()


def test_nothing_is_called_decided_that_may_have_changed_again():
    game = a_game("chain", "3x3", "1,2 1,1 2,1")
    lost, unclear, clear = Step(1, 1, 1, 1, 1, 2), Step(2, 2, 2, 0, 2, None), Step(2, 2, 2, 0, 2, 2)
    assert summary(game, [lost, clear]) == "Decided at move 1, Player 1 (X) 1,2."
    assert summary(game, [lost, unclear]) == (
        "Last mistake found: at move 1, Player 1 (X) 1,2. Who was winning later is not known throughout."
    )
    assert summary(game, [clear, unclear]).startswith("No mistakes were found, but")


# -- the picture --------------------------------------------------------------------------------------------------


def drawn(game):
    """The steps of a game, and what its picture shows: for each column who is up or down, the marks, every text."""
    steps = list(review(Engine(game.variant, 1 << 22), game, 10.0))
    root = ElementTree.fromstring(picture(game, steps))
    bars = [box for box in root.findall(f"{SVG}rect") if box.get("x")]
    upper = min((float(bar.get("y")) for bar in bars), default=0)
    texts = {text.text: text for text in root.findall(f"{SVG}text")}
    middles = [float(bar.get("x")) + float(bar.get("width")) / 2 for bar in bars]
    marks = [float(text.get("x")) for text in root.findall(f"{SVG}text") if text.text == "!"]
    mistakes = {middles.index(x) for x in marks}
    return steps, [float(bar.get("y")) == upper for bar in bars], mistakes, texts


@pytest.mark.parametrize("seed", range(12))
def test_the_picture_agrees_with_the_text(tmp_path, seed):
    game = random_game(variant("showdown", "4x4"), Random(seed), plies=seed + 1, swap=seed % 3 > 0, resigns=0.1)
    steps, ups, mistakes, texts = drawn(game)
    winners = [step.before for step in steps[:1]] + [step.after for step in steps]
    assert len(ups) == len(winners)
    if len(set(winners)) == 2:
        assert ups == [winner == 1 for winner in winners]
    lines = told(tmp_path, game).splitlines()
    assert mistakes == {step.ply for step in steps if step.mistake}
    assert mistakes - {len(game.moves) + 1} == {
        int(line.partition(".")[0]) for line in lines if re.match(r" *\d+\. .*throws the win away", line)
    }
    assert set(lines[-2:]) <= set(texts)
    assert ("swap" in texts, "resigns" in texts) == (game.swapped, game.resigned is not None)
    sides = ("X, then O", "O, then X") if game.swapped else ("X", "O")
    assert {f"Player 1 ({sides[0]})", f"Player 2 ({sides[1]})"} <= set(texts)


def test_the_picture_of_a_game_without_moves_says_so():
    _, ups, _, texts = drawn(Game(variant("showdown", "4x4")))
    assert ups == []
    assert "No moves were made." in texts


def test_names_in_the_picture_are_text():
    _, _, _, texts = drawn(a_game("chain", "3x3", "1,2", names=("<script>", "a & b")))
    assert {"<script> (X)", "a & b (O)"} <= set(texts)


# -- where the picture goes ---------------------------------------------------------------------------------------


@pytest.fixture
def no_work(monkeypatch):
    """Fail if anything is looked at."""

    def work(*_):
        raise AssertionError("the work was begun")

    monkeypatch.setattr("gridlock.cli.review_text.review", work)
    monkeypatch.setattr("gridlock.cli.commands.atlas.entry", work)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("command", ["review", "atlas"])
def test_a_picture_that_cannot_be_written_stops_the_command_at_once(tmp_path, capsys, command):
    source = recorded(tmp_path, a_game("chain", "3x3", "1,2")) if command == "review" else "chain"
    taken = tmp_path / "taken.txt"
    taken.write_text("mine")
    for target, code in ((tmp_path / "nowhere" / "a.svg", 1), (taken, 2), (tmp_path / f"{'a' * 300}.svg", 1)):
        assert run([command, source, "--svg", str(target)]) == code
        out, err = capsys.readouterr()
        assert out == ""
        assert str(tmp_path) in err
        assert len(err.splitlines()) <= 2
    assert run([command, source, "--svg", "-", "--json"]) == 2
    assert "--svg - and --json" in capsys.readouterr().err
    assert run([command, source, "--svg", ""]) == 2
    assert "'--svg': a file needs a name." in capsys.readouterr().err
    assert taken.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} <= {"game.txt", "taken.txt"}


@pytest.mark.parametrize("command", ["review", "atlas"])
def test_a_picture_that_fails_in_the_end_takes_nothing_else_with_it(tmp_path, capsys, monkeypatch, command):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gridlock.cli.pictures.write_safely", full)
    source = [recorded(tmp_path, a_game("chain", "3x3", "1,2"))] if command == "review" else ["chain", "--up-to", "2x2"]
    for extra, words in (([], {"review": "Decided", "atlas": "theorem"}[command]), (["--json"], '"game": "chain"')):
        assert run([command, *source, "--svg", str(tmp_path / "a.svg"), *extra]) == 1
        out, err = capsys.readouterr()
        assert words in out
        assert "No space left on device" in err


@pytest.mark.parametrize("command", ["review", "atlas"])
def test_a_picture_on_the_output_comes_alone(tmp_path, capsys, command):
    source = [recorded(tmp_path, a_game("chain", "3x3", "1,2"))] if command == "review" else ["chain", "--up-to", "2x2"]
    assert run([command, *source, "--svg", "-"]) == 0
    ElementTree.fromstring(capsys.readouterr().out)


def test_help_says_which_games_can_be_reviewed():
    words = " ".join(CliRunner().invoke(cli, ["review", "--help"]).output.split())
    assert "GAME is a number or an id from 'gridlock games', or the file of a record" in words
    assert "without it, your last game" in words
