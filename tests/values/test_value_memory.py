"""Tests of memory use: a canonical form is freed with the last value that uses it, and the caches have size limits."""

import gc
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from random import Random
from weakref import ref

from naive_games import random_game, value_of_naive

from gridlock.values import Value, arithmetic, clear_memory, order, shapes, switch


def test_forms_are_freed_with_the_values_that_need_them():
    values = [switch(number, -1000 - number) + switch(7, 7 - number) for number in range(1, 50)]
    forms = [ref(shape) for value in values for shape in shapes.followers(value._shape)]
    clear_memory()
    gc.collect()
    assert all(form() for form in forms)
    del values
    clear_memory()
    gc.collect()
    wide = [form() for form in forms if form() and form().right_stop < -500]
    assert not wide  # others may be in use by other tests


def test_little_memory_gives_the_same_answers(rng, monkeypatch):
    values = [value_of_naive(random_game(rng, 3)) for _ in range(8)]
    expected = [(x + y, x.compare(y)) for x, y in product(values, repeat=2)]
    clear_memory()
    monkeypatch.setattr(order, "MOST", 3)
    monkeypatch.setattr(arithmetic, "MOST", 2)
    assert [(x + y, x.compare(y)) for x, y in product(values, repeat=2)] == expected
    assert len(order._known) <= 3


def test_threads_share_one_form_per_value():
    def value_of_fresh(naive):
        return Value.game(map(value_of_fresh, naive[0]), map(value_of_fresh, naive[1]))

    def work(_):
        rng = Random("threads")  # the same games in every thread
        values = [value_of_fresh(random_game(rng, 3)) for _ in range(30)]
        return values, [x + y for x, y in zip(values, values[3:], strict=False)]

    clear_memory()
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(4)))
    assert all(result == results[0] for result in results)
