"""Answers that are not mathematical: choices, yes or no, names, ordered lists, JSON objects."""

from __future__ import annotations

import json

from rlgym import Rng
from rlgym.audit.spellings.notation import Pairs, marked

CITIES = ("Lisbon", "Oslo", "Nairobi", "Lima", "Hanoi", "Ottawa", "Vienna", "Quito", "Dublin", "Rabat")
KEYS = ("name", "count", "price", "city", "stock", "rank")


def choices(rng: Rng) -> Pairs:
    letters = "ABCDE"[: rng.integer(3, 5)]
    right = rng.choice(letters)
    others = [letter for letter in letters if letter != right]
    good = [f"({right})", f"{right}.", f" {right} ", f"\\text{{{right}}}"]
    bad = [others[0], f"({others[-1]})", f"not {right}", f"{right} or {others[0]}", f"{right}{others[0]}", letters]
    return right, marked(good, bad)


def booleans(rng: Rng) -> Pairs:
    right, wrong = rng.shuffled(["yes", "no"])
    good = [right.capitalize(), f"{right}.", right.upper(), f"\\text{{{right}}}"]
    bad = [wrong, wrong.capitalize(), f"{right} and {wrong}", f"not {right}", "maybe"]
    return right, marked(good, bad)


def names(rng: Rng) -> Pairs:
    right, first, second = rng.sample(CITIES, 3)
    good = [right.lower(), f"{right}.", f"\\text{{{right}}}", f" {right}\n"]
    bad = [first, f"{right} or {first}", f"not {right}", f"{first} {right} {second}", right[:-1], f"{first}, {second}, {right}"]
    return right, marked(good, bad)


def lists(rng: Rng) -> Pairs:
    values = rng.sample(range(-20, 60), rng.integer(3, 6))
    plain = json.dumps(values)
    good = [json.dumps(values, separators=(",", ":")), f" {plain}\n", "[" + ",  ".join(map(str, values)) + "]", f"${plain}$"]
    bad = [json.dumps(values[::-1]), json.dumps(values[:-1]), json.dumps([*values, values[0]]), json.dumps([values[0] + 1, *values[1:]])]
    return plain, marked(good, [text for text in bad if text != plain])


def json_objects(rng: Rng) -> Pairs:
    keys = rng.sample(KEYS, 3)
    record = {keys[0]: rng.integer(1, 99), keys[1]: rng.choice(CITIES), keys[2]: [rng.integer(0, 9), rng.integer(0, 9)]}
    backwards = {key: record[key] for key in reversed(keys)}
    good = [json.dumps(record, indent=2), json.dumps(record, separators=(",", ":")), json.dumps(backwards), json.dumps(record, indent=4)]
    number = record[keys[0]]
    bad = [
        {**record, keys[0]: f"{number}x"},
        {**record, keys[0]: rng.integer(100, 999)},
        {key: record[key] for key in keys[:2]},
        {**record, "extra": 1},
        {**record, keys[1]: "Atlantis"},
    ]
    return json.dumps(record), marked(good, [json.dumps(other) for other in bad])
