"""Tests that a rule book is enough for a game to work everywhere, even if the game is not built in."""

import json

import pytest
from conformance import ADJACENCIES, check_book, check_random_game

import oracle
from gridlock import RULE_BOOKS, Adjacency, Game, RuleBook, variant
from gridlock.command import run
from gridlock.core.records import dump_text, loads

ALOOF = RuleBook(
    name="aloof",
    title="Aloof",
    summary="Touch nobody's marker.",
    rules="Players take turns to put a marker on an empty cell that touches no marker at all. Who cannot, loses.",
    board=(4, 5),
    adjacency=Adjacency.KING,
    legal=lambda grid, position: grid.cells & ~grid.around(position.taken),
    causes=lambda grid, position, cell: grid.near[cell] & position.taken,
    closed="adjacent to a marker",
    example=((2, 2),),
)


class NaiveAloof(oracle.NaiveGame):
    def blockers(self, _player, cell):
        return self.touching(cell) & set(self.owner)


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(RULE_BOOKS, ALOOF.name, ALOOF)


def test_it_conforms():
    check_book(ALOOF)
    for adjacency in ADJACENCIES:
        for seed in range(60):
            check_random_game(ALOOF, 1 + seed % 7, 1 + seed % 8, adjacency, 1 + seed % 2, seed, NaiveAloof)


def test_it_can_be_named_recorded_and_loaded():
    game = Game(variant("aloof"))
    game.push(6)
    assert loads(dump_text(game))[0].moves == [6]


def test_the_commands_know_it(capsys):
    assert run(["legal", "aloof", "--moves", "2,2", "--board", "3x4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["legal"] == [[1, 4], [2, 4], [3, 4]]
    assert run(["perft", "aloof", "--board", "3x3", "--depth", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == oracle.perft(NaiveAloof(3, 3, king=True), 3)
