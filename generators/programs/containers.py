"""Small stores of keys and values with composed rules: what they do, two programs that do it, and the rules in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.suites import Meaning
from rlgym.generators.text.english import count_noun

Operation = tuple[Any, ...]
KEYS = "abcdef"
MOST_OPERATIONS = 30
VICTIMS = {
    "oldest": "the one that was created first (a put of a key that is there already does not count)",
    "unused": "the one whose last successful put or get was longest ago",
    "smallest": "the one with the smallest value; of several, the one that was created first",
    "largest": "the one with the largest value; of several, the one that was created first",
    "key": "the one whose key comes last in the alphabet",
}
REWRITES = {
    "replace": "its value is replaced",
    "keep": "nothing changes",
    "add": "the new value is added to the old one",
    "larger": "the larger of both values is kept",
}


@dataclass(frozen=True)
class Rules:
    """How a store behaves. `lives` is after how many operations an entry is gone, 0 for never."""

    capacity: int
    victim: str
    rewrite: str
    missing: int | None
    lives: int
    renewed: bool  # by a put of a key that is there
    taken: bool  # a successful get removes the entry


def weight(rules: Rules) -> float:
    """How much there is to keep in mind."""
    kinds = tuple(VICTIMS).index(rules.victim) + tuple(REWRITES).index(rules.rewrite)
    return rules.capacity + 2.0 * kinds + 4 * (rules.lives > 0) + 2 * rules.renewed + 3 * rules.taken


def sample(rng: Rng, capacity: int, kinds: int, lives: bool, taken: bool) -> Rules:
    """Rules of which the first `kinds` ways to choose a victim and to rewrite are drawn."""
    return Rules(
        capacity=capacity,
        victim=rng.choice(tuple(VICTIMS)[:kinds]),
        rewrite=rng.choice(tuple(REWRITES)[: max(2, kinds - 1)]),
        missing=rng.choice((None, *range(-9, 1))),
        lives=capacity + rng.integer(2, 5) if lives else 0,
        renewed=lives and rng.chance(0.5),
        taken=taken and rng.chance(0.5),
    )


def neighbours(rules: Rules) -> list[Rules]:
    """Rules that differ in one point: what a careless reader would take them for."""
    variants = [
        replace(rules, capacity=rules.capacity + 1),
        replace(rules, capacity=rules.capacity - 1),
        replace(rules, taken=not rules.taken),
    ]
    variants += [replace(rules, victim=victim) for victim in VICTIMS if victim != rules.victim]
    variants += [replace(rules, rewrite=rewrite) for rewrite in REWRITES if rewrite != rules.rewrite]
    variants += [replace(rules, missing=missing) for missing in (-1, 0, None) if missing != rules.missing]
    if rules.lives:
        variants += [replace(rules, lives=lives) for lives in (rules.lives - 1, rules.lives + 1, 0)]
        variants.append(replace(rules, renewed=not rules.renewed))
    return variants


def meaning(rules: Rules) -> Meaning:
    """What the store answers to each operation of a list."""
    return lambda operations: _replay(rules, operations)


def _replay(rules: Rules, operations: Sequence[Operation]) -> list[Any]:
    entries: list[list[Any]] = []  # key, value, when put, when used, when renewed; in the order in which they were put
    answers: list[Any] = []
    for now, operation in enumerate(operations):
        if rules.lives:
            entries = [entry for entry in entries if now - entry[4] < rules.lives]
        entry_found = next((entry for entry in entries if len(operation) > 1 and entry[0] == operation[1]), None)
        match operation[0]:
            case "put":
                answers.append(_put(rules, entries, entry_found, operation[1], operation[2], now))
            case "get" if entry_found:
                entry_found[3] = now
                answers.append(entry_found[1])
                if rules.taken:
                    entries.remove(entry_found)
            case "get":
                answers.append(rules.missing)
            case "remove":
                answers.append(entry_found is not None)
                if entry_found:
                    entries.remove(entry_found)
            case _:
                answers.append(sorted(entry[0] for entry in entries))
    return answers


def _put(rules: Rules, entries: list[list[Any]], entry_found: list[Any] | None, key: str, value: int, now: int) -> int:
    if entry_found:
        entry_found[1] = {"replace": value, "keep": entry_found[1], "add": entry_found[1] + value, "larger": max(entry_found[1], value)}[
            rules.rewrite
        ]
        entry_found[3] = now
        if rules.renewed:
            entry_found[4] = now
        return len(entries)
    if len(entries) == rules.capacity:
        orders = {
            "oldest": lambda e: e[2],
            "unused": lambda e: e[3],
            "smallest": lambda e: (e[1], e[2]),
            "largest": lambda e: (-e[1], e[2]),
        }
        order = orders.get(rules.victim, lambda e: -KEYS.index(e[0]))
        entries.remove(min(entries, key=order))
    entries.append([key, value, now, now, now])
    return len(entries)


def words(rules: Rules) -> str:
    """The rules, as one would tell them."""
    expiry = ""
    if rules.lives:
        renewed = (
            " A put of a key that is there starts the count anew."
            if rules.renewed
            else " A put of a key that is there does not change this."
        )
        expiry = (
            f"An entry expires just before the {rules.lives}th operation after the one that created it, whatever these operations are"
            f"{'' if rules.taken else '; gets do not change this'}.{renewed}\n"
        )
    missing = f"returns {rules.missing}"
    taken = " and removes the entry" if rules.taken else ""
    return (
        f'- ("put", key, value): if the key is there, {REWRITES[rules.rewrite]}. Otherwise an entry is created; if there '
        f"{'is' if rules.capacity == 1 else 'are'} already {count_noun(rules.capacity, 'entry', 'entries')}, one is removed first: "
        f"{VICTIMS[rules.victim]}. Returns the number of entries afterwards.\n"
        f'- ("get", key): returns the value{taken}; {missing} if the key is not there.\n'
        f'- ("remove", key): removes the entry; returns True if it was there, and False if not.\n- ("keys",): returns the sorted list of the keys.\n{expiry}'
    )


def program(rules: Rules) -> str:
    """A program with one list of entries."""
    lines = ["def solve(operations):", "    entries, answers = [], []", "    for now, operation in enumerate(operations):"]
    if rules.lives:
        lines.append(f"        entries = [entry for entry in entries if now - entry['renewed'] < {rules.lives}]")
    rewrite = {
        "replace": ["found['value'] = value"],
        "keep": [],
        "add": ["found['value'] += value"],
        "larger": ["found['value'] = max(found['value'], value)"],
    }
    orders = {
        "oldest": "entry['put']",
        "unused": "entry['used']",
        "smallest": "(entry['value'], entry['put'])",
        "largest": "(-entry['value'], entry['put'])",
        "key": "-ord(entry['key'])",
    }
    lines += [
        "        name = operation[0]",
        "        found = None",
        "        for entry in entries:",
        "            if name != 'keys' and entry['key'] == operation[1]:",
        "                found = entry",
        "        if name == 'put':",
        "            key, value = operation[1], operation[2]",
        "            if found:",
        *(f"                {line}" for line in rewrite[rules.rewrite]),
        "                found['used'] = now",
        *(["                found['renewed'] = now"] if rules.renewed else []),
        "            else:",
        f"                if len(entries) == {rules.capacity}:",
        f"                    entries.remove(min(entries, key=lambda entry: {orders[rules.victim]}))",
        "                entries.append({'key': key, 'value': value, 'put': now, 'used': now, 'renewed': now})",
        "            answers.append(len(entries))",
        "        elif name == 'get':",
        "            if found:",
        "                found['used'] = now",
        *(["                entries.remove(found)"] if rules.taken else []),
        "                answers.append(found['value'])",
        "            else:",
        f"                answers.append({rules.missing})",
        "        elif name == 'remove':",
        "            if found:",
        "                entries.remove(found)",
        "            answers.append(found is not None)",
        "        else:",
        "            answers.append(sorted(entry['key'] for entry in entries))",
        "    return answers",
    ]
    return "\n".join(lines)


def other_program(rules: Rules) -> str:
    """A program with a dictionary for each kind of fact."""
    rewrite = {"replace": "value", "keep": "values[key]", "add": "values[key] + value", "larger": "max(value, values[key])"}[rules.rewrite]
    order = {
        "oldest": "puts[k]",
        "unused": "uses[k]",
        "smallest": "values[k], puts[k]",
        "largest": "-values[k], puts[k]",
        "key": "-ord(k)",
    }[rules.victim]
    lines = [
        "def solve(operations):",
        "    values, puts, uses, births, answers = {}, {}, {}, {}, []",
        "    def drop(k):",
        "        for facts in (values, puts, uses, births):",
        "            del facts[k]",
        "    for now, (name, *rest) in enumerate(operations):",
        *([f"        for k in [k for k in values if births[k] + {rules.lives} <= now]:", "            drop(k)"] if rules.lives else []),
        "        key = rest[0] if rest else None",
        "        if name == 'keys':",
        "            answers.append(sorted(values))",
        "            continue",
        "        there = key in values",
        "        if there and name != 'remove':",
        "            uses[key] = now",
        "        if name == 'put':",
        "            value = rest[1]",
        "            if there:",
        f"                values[key] = {rewrite}",
        *(["                births[key] = now"] if rules.renewed else []),
        "            else:",
        f"                if len(values) >= {rules.capacity}:",
        f"                    drop(sorted(values, key=lambda k: ({order},))[0])",
        "                values[key], puts[key], uses[key], births[key] = value, now, now, now",
        "            answers.append(len(values))",
        "        elif name == 'get':",
        f"            answers.append(values[key] if there else {rules.missing})",
        *(["            if there:", "                drop(key)"] if rules.taken else []),
        "        else:",
        "            answers.append(there)",
        "            if there:",
        "                drop(key)",
        "    return answers",
    ]
    return "\n".join(lines)


def inputs(rng: Rng, count: int) -> list[tuple[list[Operation]]]:
    """Lists of operations: a few plain ones, then random ones over few and over many keys."""
    input_lists: list[list[Operation]] = [
        [],
        [("keys",)],
        [("get", "a")],
        [("remove", "a")],
        [("put", "a", 1), ("get", "a"), ("get", "a"), ("keys",)],
    ]
    while len(input_lists) < count:
        keys, largest, operations = KEYS[: rng.integer(2, 6)], rng.choice((3, 9)), list[Operation]()
        for _ in range(rng.integer(3, rng.choice((10, MOST_OPERATIONS)))):
            name = rng.weighted(("put", "get", "remove", "keys"), (6, 4, 1, 1))
            key = rng.choice(keys)
            operations.append({"put": ("put", key, rng.integer(1, largest)), "keys": ("keys",)}.get(name, (name, key)))
        input_lists.append(operations)
    return [(operations,) for operations in input_lists[:count]]
