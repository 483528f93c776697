"""Tests that datasets have no duplicates or leaks between splits, and that interruptions do not change the files."""

import errno
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from dataset_rows import BOOKS, EVERY_GAME, canonical, position_of

from gridlock.core.errors import BadBoard, BadGame, BadRecord, GridLockError
from gridlock.datasets import load, making, plan, splits
from gridlock.datasets.making import make
from gridlock.datasets.plan import Plan
from gridlock.units.lines import LineFile

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.slow
SMALL = {"boards": ("4x4",), "positions": 400, "shard": 120}


@pytest.fixture(autouse=True)
def small_units(monkeypatch):
    """Reduce the size of units of work, so that small datasets have several units."""
    monkeypatch.setattr(plan, "UNIT_POSITIONS", 150)
    monkeypatch.setattr(plan, "UNIT_SEARCHED", 80)


def files(folder):
    """Return every file in a folder, with its contents as bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_no_position_is_there_twice_nor_in_two_splits(game, adjacency, tmp_path):
    wanted = Plan(BOOKS[game], ("3x4",), adjacency=adjacency, positions=200, seed=7)
    index = make(wanted, tmp_path / "made", processes=0)
    played = wanted.variant("3x4")
    forms = {}
    for split in dict.fromkeys(file["split"] for file in index["files"]):
        columns = load(tmp_path / "made", split)
        here = [canonical(played, position_of(columns, row)) for row in range(len(columns["key"]))]
        assert len(set(here)) == len(here)
        forms[split] = set(here)
    assert sum(map(len, forms.values())) == index["boards"][0]["positions"] <= 200
    for one, other in combinations(forms.values(), 2):
        assert not one & other


def test_other_seeds_put_no_position_into_another_split(tmp_path):
    found = {}
    for seed in (1, 2):
        make(Plan(BOOKS["showdown"], positions=150, boards=("3x4",), seed=seed), tmp_path / str(seed), processes=0)
        for split in ("train", "validation", "test"):
            for key in load(tmp_path / str(seed), split)["key"].tolist():
                assert found.setdefault(key, split) == split


def test_there_are_as_many_positions_as_asked_for(tmp_path):
    index = make(Plan(BOOKS["chain"], **SMALL), tmp_path / "made", processes=0)
    assert index["boards"][0]["positions"] == sum(file["rows"] for file in index["files"]) == 400
    assert all(file["rows"] <= 120 for file in index["files"])
    assert {file["split"] for file in index["files"]} == {"train", "validation", "test"}
    assert sorted(files(tmp_path / "made")) == sorted(
        ["README.md", "dataset.json", *(file["name"] for file in index["files"])]
    )


def test_files_of_large_boards_have_fewer_positions():
    large = Plan(BOOKS["chain"], ("64x64",), shard=10**8)
    assert (large.shard_rows("64x64"), large.unit("64x64", 0).positions) == (15_625, 150)
    assert Plan(BOOKS["chain"], ("8x8",)).shard_rows("8x8") == 100_000


def test_a_small_board_has_fewer_and_the_card_says_so(tmp_path):
    index = make(Plan(BOOKS["trails"], ("2x3",), positions=10**6), tmp_path, processes=0)
    count = index["boards"][0]["positions"]
    assert 0 < count < 50
    assert f"only {count} of 1,000,000 positions were found" in (tmp_path / "README.md").read_text()


def test_both_formats_hold_the_same(tmp_path):
    for form in ("parquet", "npz"):
        make(Plan(BOOKS["scatter"], **SMALL, form=form, distances=True), tmp_path / form, processes=0)
    for split in ("train", "validation", "test"):
        one, other = (load(tmp_path / form, split) for form in ("parquet", "npz"))
        assert list(one) == list(other)
        for name in one:
            assert one[name].dtype == other[name].dtype
            assert np.array_equal(one[name], other[name])


def test_a_board_can_be_held_out(tmp_path):
    wanted = Plan(BOOKS["chain"], ("3x3", "4x4"), ("3x5",), positions=100)
    make(wanted, tmp_path, processes=0)
    assert (load(tmp_path, "heldout")["cols"] == 5).all()
    assert load(tmp_path, "train", "4x4")["board"].shape[1] == 16
    with pytest.raises(BadBoard, match="set board to one of these: 3x3, 4x4"):
        load(tmp_path, "train")
    with pytest.raises(BadBoard, match="has no board 3x5"):
        load(tmp_path, "train", "3x5")
    with pytest.raises(GridLockError, match=r"has no split called 'tset'. It has train, validation, test, heldout"):
        load(tmp_path, "tset")


# -- interruptions ----------------------------------------------------------------------------------------------------


class Killed(BaseException):
    """An exception that simulates the process being killed."""


def test_a_dataset_killed_at_any_write_is_resumed_to_the_same_bytes(tmp_path, monkeypatch):
    wanted = Plan(BOOKS["chain"], ("4x4",), positions=200, shard=100)
    make(wanted, tmp_path / "whole", processes=0)
    left = 0

    def killing(write):
        """Wrap a write function so that a chosen call writes half a file or nothing, and raises Killed."""

        def writes(*arguments):
            nonlocal left
            left -= 1
            if left == 0:
                if write is write_bytes:
                    write(arguments[0], b"half")
                raise Killed
            return write(*arguments)

        return writes

    write_bytes = Path.write_bytes
    monkeypatch.setattr(Path, "write_bytes", killing(write_bytes))
    monkeypatch.setattr(LineFile, "add", killing(LineFile.add))
    for module in (making, splits):
        monkeypatch.setattr(module, "write_safely", killing(module.write_safely))
    for moment in range(1, 60, 2):
        left = moment
        try:
            make(wanted, tmp_path / str(moment), processes=0)
            break
        except Killed:
            left = 0
        make(wanted, tmp_path / str(moment), processes=0)
        assert files(tmp_path / str(moment)) == files(tmp_path / "whole")
    assert 10 < moment < 59


def test_a_stopped_dataset_is_resumed_to_the_same_bytes(tmp_path, rng):
    wanted = Plan(BOOKS["chain"], ("3x4",), ("4x4",), positions=250)
    make(wanted, tmp_path / "whole", processes=0)
    asked, stops = 0, 0

    def stopped():
        nonlocal asked
        asked += 1
        return asked % stop_after == 0

    while stops < 50:
        stop_after = rng.randint(3, 8)
        if make(wanted, tmp_path / "parts", processes=0, stopped=stopped):
            break
        stops += 1
        with pytest.raises(BadRecord, match=r"is not complete. Run the original command again"):
            load(tmp_path / "parts")
    assert 0 < stops < 50
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


def test_two_processes_write_the_same_bytes(tmp_path):
    wanted = Plan(BOOKS["showdown"], **SMALL)
    make(wanted, tmp_path / "one", processes=0)
    make(wanted, tmp_path / "two", processes=2)
    assert files(tmp_path / "two") == files(tmp_path / "one")


@pytest.mark.filterwarnings("ignore")  # Dask warns about deprecated features
def test_a_cluster_writes_the_same_bytes(tmp_path):
    distributed = pytest.importorskip("distributed")
    wanted = Plan(BOOKS["chain"], **SMALL)
    make(wanted, tmp_path / "one", processes=0)
    options = {"n_workers": 2, "processes": False, "protocol": "tcp", "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(**options) as cluster:
        make(wanted, tmp_path / "many", processes=0, cluster=cluster.scheduler_address)
    assert files(tmp_path / "many") == files(tmp_path / "one")


def test_damaged_units_are_made_again(tmp_path):
    wanted = Plan(BOOKS["chain"], **SMALL)
    make(wanted, tmp_path / "whole", processes=0)
    asked = iter([False] * 4 + [True] * 99)
    assert make(wanted, tmp_path / "parts", processes=0, stopped=lambda: next(asked)) is None
    some = sorted((tmp_path / "parts" / "work").glob("*.npz"))
    assert len(some) == 2
    some[0].write_bytes(some[0].read_bytes()[:-1])
    some[1].unlink()
    make(wanted, tmp_path / "parts", processes=0)
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


# -- sentences --------------------------------------------------------------------------------------------------------


def test_a_full_disk_gets_a_sentence_and_the_run_can_be_resumed(tmp_path, monkeypatch):
    wanted = Plan(BOOKS["chain"], **SMALL)

    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    for place in ("pathlib.Path.write_bytes", "gridlock.datasets.splits.write_safely"):
        with monkeypatch.context() as patch:
            patch.setattr(place, full)
            with pytest.raises(
                BadRecord, match=r"The disk is full.*Free some space, then run the same command again to resume"
            ):
                make(wanted, tmp_path / "made", processes=0)
    make(wanted, tmp_path / "made", processes=0)
    make(wanted, tmp_path / "whole", processes=0)
    assert files(tmp_path / "made") == files(tmp_path / "whole")


def test_a_complete_dataset_is_checked_and_not_made_again(tmp_path):
    wanted = Plan(BOOKS["chain"], **SMALL)
    index = make(wanted, tmp_path, processes=0)
    before = files(tmp_path)
    assert make(wanted, tmp_path, processes=0) == json.loads(json.dumps(index))
    assert files(tmp_path) == before
    with pytest.raises(BadRecord, match=r"contains another dataset. Choose a new folder"):
        make(Plan(BOOKS["chain"], **SMALL, seed=2), tmp_path, processes=0)
    shard = tmp_path / index["files"][0]["name"]
    shard.write_bytes(shard.read_bytes()[:-1] + b"!")
    for ask in (lambda: make(wanted, tmp_path, processes=0), lambda: load(tmp_path)):
        with pytest.raises(BadRecord, match=r"train-4x4-00000.parquet is damaged: its checksum is wrong"):
            ask()
    shard.unlink()
    with pytest.raises(BadRecord, match=r"train-4x4-00000.parquet is missing"):
        load(tmp_path)
    for damage in ("{", "[]", '{"gridlock-dataset": 2}', '{"gridlock-dataset": 1}'):
        (tmp_path / "dataset.json").write_text(damage)
        with pytest.raises(BadRecord, match=r"dataset.json is damaged"):
            load(tmp_path)


def test_other_folders_are_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(BadRecord, match=r"contains other files. Choose a new or empty folder"):
        make(Plan(BOOKS["chain"]), tmp_path, processes=0)
    with pytest.raises(BadRecord, match="There is no dataset in"):
        load(tmp_path)
    assert files(tmp_path) == {"thesis.txt": b"mine"}


def test_other_options_do_not_resume_a_dataset(tmp_path):
    assert make(Plan(BOOKS["chain"], **SMALL), tmp_path, processes=0, stopped=lambda: True) is None
    with pytest.raises(BadRecord, match=r"cannot be resumed: .*use the options that it was begun with"):
        make(Plan(BOOKS["chain"], **SMALL, seed=2), tmp_path, processes=0)


def test_an_index_from_elsewhere_cannot_name_files_elsewhere(tmp_path):
    make(Plan(BOOKS["chain"], **SMALL), tmp_path / "made", processes=0)
    index = tmp_path / "made" / "dataset.json"
    index.write_text(index.read_text().replace("train-4x4-00000", "../train-4x4-00000"))
    assert len(load(tmp_path / "made", "train")["key"]) > 100


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"positions": 0}, BadGame, "positions must be between 1 and 100,000,000, not 0"),
        ({"positions": 10**12}, BadGame, "positions must be between 1 and 100,000,000, not 1,000,000,000,000"),
        ({"shard": -1}, BadGame, "shard must be between"),
        ({"nodes": 0}, BadGame, "at least 1 position"),
        ({"form": "csv"}, BadGame, "parquet or npz"),
        ({"boards": ("3x4", "4x3")}, BadBoard, "both 3x4 and 4x3, its rotation"),
        ({"boards": ("3x3",), "held_out": ("3x3",)}, BadBoard, "3x3 twice"),
        ({"boards": ("0x3",)}, BadBoard, "not possible"),
        ({"boards": ("hello",)}, BadBoard, "is not a board"),
        ({"adjacency": "diagonal"}, BadBoard, "king or orthogonal"),
    ],
)
def test_a_plan_that_makes_no_sense_gets_a_sentence(options, error, words):
    with pytest.raises(error, match=words):
        Plan(BOOKS["chain"], **options)


def test_a_game_without_a_move_or_with_its_own_rules_gets_a_sentence():
    with pytest.raises(BadBoard, match="over before the first move"):
        Plan(BOOKS["trails"], ("1x2",))
    from truth import by_functions

    own = by_functions(Plan(BOOKS["chain"], ("3x3",)).variant("3x3")).book
    with pytest.raises(BadGame, match="has its own rule functions"):
        Plan(own)
