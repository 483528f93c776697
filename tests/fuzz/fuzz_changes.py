"""Random changes to strings, bytes, JSON values and encoded JSON."""

import copy
import json
import random
from typing import Any

from fuzz_words import BYTES, KEYS, RAW, TEXTS, VALUES


def changed_text(rng: random.Random, text: str) -> str:
    """A text with something put in, taken out, doubled or replaced; JSON in it may be changed as JSON."""
    if text[:1] in ("{", "[") and rng.random() < 0.5:
        try:
            return json.dumps(changed(rng, json.loads(text)))
        except (ValueError, RecursionError):
            pass
    begin = int(rng.random() * (len(text) + 1))
    end = min(len(text), begin + int(rng.random() ** 3 * 20))
    kind = rng.random()
    if kind < 0.4:
        return text[:begin] + rng.choice(TEXTS) + text[end:]
    if kind < 0.6:
        return text[:begin] + text[end:]
    if kind < 0.8:
        return text[:end] + text[begin:end] * rng.choice((1, 2, 50)) + text[end:]
    return rng.choice(TEXTS)


def some_value(rng: random.Random) -> Any:
    """Return a value that often causes errors; it is a copy, so the caller may modify it."""
    return copy.deepcopy(rng.choice(VALUES))


def changed(rng: random.Random, value: Any) -> Any:
    """Return a JSON value with one change somewhere inside it."""
    if not isinstance(value, dict | list) or not value:
        if isinstance(value, str) and value and rng.random() < 0.6:
            return changed_text(rng, value)
        if isinstance(value, int) and rng.random() < 0.5:
            return value + rng.choice((-1, 1, 2, 10))
        return some_value(rng)
    keys: Any = list(value) if isinstance(value, dict) else range(len(value))
    key = keys[int(rng.random() * len(keys))]
    kind = rng.random()
    if kind < 0.7:
        value[key] = changed(rng, value[key])
    elif kind < 0.78:
        del value[key]
    elif kind < 0.86:
        if isinstance(value, dict):
            value[rng.choice(KEYS)] = some_value(rng)
        else:
            value.insert(key, some_value(rng))
    elif kind < 0.92:
        other = keys[int(rng.random() * len(keys))]
        value[key], value[other] = value[other], value[key]
    elif kind < 0.96:
        value[key] = [value[key]] if rng.random() < 0.5 else {"setup": value[key]}
    elif isinstance(value, list):
        value.extend(value * rng.choice((1, 3, 300 // len(value))))
    else:
        value[rng.choice(KEYS)] = value.pop(key)
    return value


def told(rng: random.Random, value: Any) -> bytes:
    """Return a JSON value as bytes, sometimes in a form that no real program would produce."""
    text = json.dumps(value)
    if "#" in text:
        for mark, raw in RAW.items():
            text = text.replace(f'"{mark}"', raw)
    kind = rng.random()
    if kind < 0.02:
        text = "[" * rng.choice((10, 500, 3000)) + text
    elif kind < 0.04 and text[:1] == "{":
        text = '{"type":"ping",' + text[1:]
    elif kind < 0.06:
        text = " \n\t" * rng.choice((1, 100)) + text
    elif kind < 0.1:
        text = text.encode().decode("unicode-escape", "replace") if rng.random() < 0.5 else text[::-1]
    return text.encode("utf-8", "surrogatepass")


def torn(rng: random.Random, data: bytes) -> bytes:
    """Return a byte string with some bytes changed at random."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        begin = int(rng.random() * (len(data) + 1))
        end = min(len(data), begin + int(rng.random() ** 3 * 40))
        kind = rng.random()
        if kind < 0.3:
            data = data[:begin] + rng.choice(BYTES) + data[end:]
        elif kind < 0.5:
            data = data[:begin] + data[end:]
        elif kind < 0.6:
            data = data[:begin]
        elif kind < 0.8 and begin < len(data):
            data = data[:begin] + bytes([data[begin] ^ (1 << int(rng.random() * 8))]) + data[begin + 1 :]
        else:
            data = data[:end] + data[begin:end] + data[end:]
    return data
