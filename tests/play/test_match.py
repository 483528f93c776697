"""Tests that, after any sequence of actions, a match agrees with a simple model and with the file on disk."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from gridlock.core.errors import AgentFailed, IllegalMove
from gridlock.core.game import SWAP, Event, Game
from gridlock.core.match import Match
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.play.match import LiveMatch, choose_move
from gridlock.players import agents
from gridlock.userdata.saves import Slot, entries, entry_of, new_name

KINDS = [("human", "human"), ("human", "random"), ("random", "human"), ("random", "random")]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for saved games; writes to it are not synced to disk."""
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.setattr(os, "fsync", lambda _handle: None)
    yield tmp_path
    while HELD:
        HELD.pop().slot.release()


HELD: list[LiveMatch] = []  # whose locks are released after each test


def started(name: str, board: str | None = None, **settings: object) -> LiveMatch:
    """Return a new match in its first round."""
    live = LiveMatch(Match(variant(name, board), **settings), Slot(new_name()))  # type: ignore[arg-type]
    HELD.append(live)
    live.start_round()
    return live


def on_disk(live: LiveMatch) -> Match:
    """Return the match as another process would load it; if no move has been made, check that no file exists."""
    if not live.match.begun:
        assert not live.slot.path.exists()
        return live.match
    saved = entry_of(live.slot.path, 0.0).saved
    assert saved is not None
    return saved.match


def facts(match: Match) -> tuple[object, ...]:
    """Return everything about a match that a player could notice."""
    games = [(game.moves, game.resigned, game.starts, game.comments) for game in match.games]
    return match.kinds, match.names, match.practice, match.hints, games


def same(one: Match, other: Match) -> bool:
    """Return whether two matches are equal."""
    return facts(one) == facts(other)


class Model:
    """A simple model of one round: the moves, the player who has resigned, and the moves that could be redone."""

    def __init__(self, live: LiveMatch) -> None:
        self.variant, self.starts, self.swap = live.match.variant, live.game.starts, live.match.swap
        self.moves: list[int] = []
        self.resigned: int | None = None
        self.undone: list[list[int]] = []

    def game(self, count: int | None = None) -> Game:
        """Return the game after its first `count` moves, or after all its moves if `count` is None."""
        game = Game(self.variant, starts=self.starts, swap=self.swap)
        for move in self.moves[:count]:
            game.push(move)
        if count is None and self.resigned:
            game.resign(self.resigned)
        return game

    def push(self, move: int) -> None:
        self.moves.append(move)
        self.undone = []

    def undo(self, kinds: tuple[str, str]) -> bool:
        """Undo all moves since a person's previous turn, if there was one."""
        latest = len(self.moves) - (0 if self.resigned else 1)
        for count in range(latest, -1, -1):
            if kinds[self.game(count).turn - 1] == "human":
                if count < len(self.moves):
                    self.undone.append(self.moves[count:])
                self.moves, self.resigned = self.moves[:count], None
                return True
        return False

    def redo(self) -> bool:
        if not self.undone or self.game().outcome:
            return False
        self.moves += self.undone.pop()
        return True


@pytest.mark.parametrize("seed", range(60))
def test_anything_in_any_order(seed: int) -> None:
    print(f"seed {seed}")
    rng = Random(seed)
    name = list(RULE_BOOKS)[seed % len(RULE_BOOKS)]
    kinds = KINDS[seed // len(RULE_BOOKS) % len(KINDS)]
    live = started(
        name,
        rng.choice(["2x3", "3x3", "1x5", "3x4"]),
        rounds=rng.choice([1, 1, 2, 3]),
        swap=rng.random() < 0.5,
        starts=rng.choice([1, 2]),
        kinds=kinds,
        names=("Ada", "Bo"),
        seed=seed,
    )
    model = Model(live)
    for _ in range(50):
        do = rng.choice(["move"] * 6 + ["swap", "undo", "undo", "redo", "resign", "exchange", "round"])
        game, before = live.game, model.game()
        over = before.outcome is not None
        if do == "move" and not over and before.legal:
            move = rng.choice(before.variant.legal_cells(before.position))
            if live.programs_turn:
                move = choose_move(*live.turn_of_program)
            event = live.push(move)
            model.push(move)
            assert event == [one for one in game.history() if one.cell is not None or one.swap][-1]
            assert all(isinstance(line, str) and line for line in live.announcement(event))
        elif do == "swap" and not over:
            if before.can_swap:
                mark = game.mark_of(3 - game.turn)
                assert live.swap().endswith(f" takes over the other side and now plays {mark}.")
                model.push(SWAP)
            else:
                with pytest.raises(IllegalMove, match=r"^No swap: .*\.$"):
                    live.swap()
        elif do == "undo" and not live.watched:
            assert live.can_undo == bool(model.moves or model.resigned)
            count, gone = len(model.moves), model.resigned
            if model.undo(live.match.kinds):
                count -= len(model.moves)
                back = "the resignation" if gone and not count else f"{count} move{'s' * (count != 1)}"
                assert live.undo() == f"Undid {back}."
            else:
                with pytest.raises(IllegalMove, match=r"^Nothing to undo: .*\.$"):
                    live.undo()
        elif do == "redo" and not live.watched and not over:
            assert live.can_redo == bool(model.undone)
            if model.redo():
                assert re.fullmatch(r"Redid \d+ moves?\.", live.redo())
            else:
                with pytest.raises(IllegalMove, match=r"^Nothing to redo: .*\.$"):
                    live.redo()
        elif do == "resign" and not over and not live.watched:
            model.resigned = before.turn if live.persons_turn else live.person
            live.resign()
        elif do == "exchange" and live.match.can_exchange:
            assert re.fullmatch(r"You now play .\.", live.exchange())
            model.undone = []
        elif do == "round" and over and not live.match.finished:
            assert live.start_round().starts == 3 - model.starts
            model = Model(live)
        elif do == "round" and live.match.finished:
            old, exchanged = live, rng.random() < 0.5
            live = old.again(exchanged)
            live.start_round()
            model = Model(live)
            assert live.slot.path != old.slot.path
            assert live.match.kinds == (old.match.kinds[::-1] if exchanged else old.match.kinds)
            assert old.match.finished
            assert same(on_disk(old), old.match)
        now = model.game()
        assert (live.game.moves, live.game.resigned) == (model.moves, model.resigned)
        assert live.game.outcome == now.outcome
        person = now.outcome is None and live.match.kinds[now.turn - 1] == "human"
        assert (live.persons_turn, live.programs_turn) == (person, now.outcome is None and not person)
        assert same(on_disk(live), live.match), f"after {do}"
    words = live.leave()
    assert words.startswith("Your game is " if live.match.begun else "No moves were made")
    assert ("gridlock resume" in words) == (live.match.begun and not live.match.finished)
    Slot(live.slot.name).release()  # no other process holds it


@pytest.mark.parametrize("name", RULE_BOOKS)
@pytest.mark.parametrize("swap", [False, True])
def test_a_resumed_match_continues_as_it_would_have(name: str, swap: bool) -> None:
    """Random choices depend only on the seed and the turn, so a match continues the same way after any interruption."""
    settings = {"kinds": ("easy", "random"), "seed": 7, "rounds": 2, "swap": swap, "think": 0.05}
    games: list[list[list[int]]] = []
    for resumed in (False, True):
        live = started(name, "3x3", **settings)
        while not live.match.finished:
            if live.programs_turn:
                live.push(choose_move(*live.turn_of_program))
            else:
                live.start_round()
            if resumed:
                live.leave()
                slot = Slot(live.slot.name)
                live = LiveMatch(slot.load(), slot)
                HELD.append(live)
                live.start_round()
        games.append([game.moves for game in live.match.games])
    assert games[0] == games[1]


def test_a_program_that_fails_or_cheats_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(game: Game, _rng: Random, _think: float) -> int:
        return game.moves.pop()

    monkeypatch.setitem(agents, "cheat", spoil)
    live = started("scatter", kinds=("human", "cheat"))
    live.push(3)
    game, kind, seed, think = live.turn_of_program
    assert (kind, seed, think) == ("cheat", f"{live.match.seed}/1/1", live.match.think)
    with pytest.raises(AgentFailed, match="already occupied"):
        choose_move(game, kind, seed, think)
    assert (live.game.moves, game.moves) == ([3], [3])
    assert same(on_disk(live), live.match)


@pytest.mark.parametrize("seed", range(5))
def test_a_pawn_is_described_as_blocking_the_cell_it_left(seed: int) -> None:
    """A move is announced after it is made, so the pawn has already left the cell that is announced as blocked."""
    print(f"seed {seed}")
    rng, live = Random(seed), started("trails", "5x5", kinds=("human", "random"), swap=seed % 2 == 0)
    heads = {1: (0, 0), 2: (4, 4)}  # the cells of both sides' pawns
    while not live.game.outcome:
        if live.game.can_swap and rng.random() < 0.5:
            live.swap()
            continue
        event = live.push(rng.choice(live.game.variant.legal_cells(live.game.position)))
        assert event.cell is not None
        (words,) = live.announcement(event)
        there, left = live.match.variant.coordinates(event.cell), heads[event.side]
        assert words.endswith(f"moved to ({there[0]},{there[1]}) and blocked ({left[0]},{left[1]}).")
        assert words.startswith("You ") == (event.player == 1)
        heads[event.side] = there


class Terminal:
    """A terminal that, each time something is shown, checks that the saved match is up to date."""

    def __init__(self) -> None:
        self.live: LiveMatch | None = None
        self.holding, self.shown, self.warnings = False, 0, list[str]()

    def warn(self, line: str) -> None:
        self.warnings.append(line)

    def hold(self) -> None:
        self.holding = True

    def let_go(self) -> None:
        assert self.live is not None
        assert same(on_disk(self.live), self.live.match)
        self.holding, self.shown = False, sum(len(game.moves) for game in self.live.match.games)


@pytest.mark.parametrize("soon", [0.0, 3600.0])
def test_batched_moves_are_held_back_until_they_are_saved(soon: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.userdata.autosave.SOON", soon)
    terminal = Terminal()
    match = Match(variant("showdown", "3x3"), rounds=3, kinds=("random", "random"))
    terminal.live = live = LiveMatch(match, Slot(new_name()), terminal, batched=True)
    HELD.append(live)
    while not match.finished:
        live.start_round()
        while live.programs_turn:
            live.push(choose_move(*live.turn_of_program))
            assert terminal.holding
    live.autosave.finish()
    assert not terminal.holding
    assert terminal.shown == sum(len(game.moves) for game in match.games)
    assert terminal.warnings == []


def test_a_match_that_has_not_begun_is_not_kept(home: Path) -> None:
    live = started("chain")
    live.slot.record = str(home / "record.txt")
    live.count_hint()
    assert live.leave() == "No moves were made, so the game isn't saved."
    assert [path.name for path in home.rglob("*") if path.is_file()] == []
    again = LiveMatch(live.match, Slot(live.slot.name, live.slot.record))
    again.push(0)
    assert again.slot.path.exists()
    assert (home / "record.txt").exists()
    again.undo()
    again.leave()
    assert [path.name for path in home.rglob("*") if path.is_file()] == []
    third = LiveMatch(live.match, Slot(live.slot.name))
    third.resign()
    assert third.leave() == "Your game is finished and saved."
    assert third.slot.path.exists()


def test_hints_are_counted_in_every_round_and_saved() -> None:
    live = started("keepaway", rounds=3, kinds=("human", "random"))
    assert live.match.hints == [0]
    live.push(0)
    live.count_hint()
    live.count_hint()
    live.resign()
    assert on_disk(live).hints == [2]
    live.start_round()
    live.push(0)
    assert on_disk(live).hints == [2, 0]
    assert live.match.again().hints == []


def test_a_failed_save_is_shown_until_it_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    live = started("scatter")
    with monkeypatch.context() as full:
        full.setattr(Slot, "save", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        live.push(0)
        assert live.autosave.warning == "The game cannot be saved (No space left on device). You can keep playing."
        assert live.leave() == "The last moves could not be saved."
    live.push(24)
    assert live.autosave.warning == ""
    assert live.leave() == "Your game is saved. Resume it with: gridlock resume"
    assert next(entries()).saved.match.games[0].moves == [0, 24]  # type: ignore[union-attr]


def test_undo_goes_back_as_far_as_a_person_can_and_redo_forth_again() -> None:
    live = started("scatter")
    for move in (0, 24, 2):
        live.push(move)
    assert live.undo() == "Undid 1 move."
    live.match.kinds = ("easy", "human")
    assert live.undo() == "Undid 1 move."
    with pytest.raises(IllegalMove, match="no earlier turn"):
        live.undo()
    assert live.can_redo
    assert (live.redo(), live.redo(), live.game.moves) == ("Redid 1 move.", "Redid 1 move.", [0, 24, 2])
    assert not live.can_redo
    with pytest.raises(IllegalMove, match="just now"):
        live.redo()


def test_events_of_passes_are_announced_by_the_voice() -> None:
    live = started("scatter", "1x5")
    for cell in (1, 0, 3, 2):
        live.push(cell)
    assert live.voice.passed(live.game) == ["Player 1, no valid moves available. Passing turn."]
    assert live.push(4) == Event(5, 2, 2, 4)
    assert live.voice.passed(live.game) == []
