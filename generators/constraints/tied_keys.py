"""JSON Schemas whose keywords decide which keys may stand together: choosing the keys is a search with dead ends.

A schema wants at least one key of some groups and exactly one of others, forbids some pairs, lets some keys call for others, and limits how many
there are. It is written for the keys of an object or for the items of a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rlgym.core.rng import Rng

Schema = dict[str, Any]
SOME, ONE, APART, CALLS = "at least one", "exactly one", "not both", "the first only with the second"
Rule = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class TiedKeys:
    """Names, how many of them there may be at most, and the rules on them."""

    names: tuple[str, ...]
    most: int
    rules: tuple[Rule, ...]


def holds(rule: Rule, keys: frozenset[str] | set[str]) -> bool:
    """Whether a set of keys meets a rule."""
    kind, names = rule
    present = [name in keys for name in names]
    if kind == CALLS:
        return present[1] or not present[0]
    return {SOME: any(present), ONE: sum(present) == 1, APART: not all(present)}[kind]


def choices(tied: TiedKeys, needed: Sequence[str] = ()) -> Iterator[frozenset[str]]:
    """The sets of keys that meet all rules and hold the needed keys, without those that only have more keys; a set may come again."""
    yield from _grown(tied, frozenset(needed), frozenset())


def _grown(tied: TiedKeys, keys: frozenset[str], out: frozenset[str]) -> Iterator[frozenset[str]]:
    """Adds keys for the first rule that is not met, each time without those that were tried before."""
    if len(keys) > tied.most or keys & out:
        return
    wanting: tuple[str, ...] | None = None
    for kind, names in tied.rules:
        there = [name for name in names if name in keys]
        if (kind == APART and len(there) == 2) or (kind == ONE and len(there) > 1):
            return
        if kind == CALLS and there == [names[0]]:
            yield from _grown(tied, keys | {names[1]}, out)
            return
        if kind in (SOME, ONE) and not there:
            open_names = tuple(name for name in names if name not in out)
            if wanting is None or len(open_names) < len(wanting):
                wanting = open_names
    if wanting is None:
        yield keys
        return
    for i, name in enumerate(wanting):
        yield from _grown(tied, keys | {name}, out | set(wanting[:i]))


def greedy(tied: TiedKeys) -> frozenset[str]:
    """The keys by taking, again and again, the one that meets the most rules."""
    keys: frozenset[str] = frozenset()
    while len(keys) < tied.most:
        keys |= {max(tied.names, key=lambda name: (sum(holds(rule, keys | {name}) for rule in tied.rules), name not in keys))}
    return keys


def sample(rng: Rng, names: Sequence[str], most: int) -> TiedKeys:
    """Rules that a single set of keys meets, and that taking the most useful key again and again does not find."""
    while True:
        right = frozenset(names[:most])
        others = list(names[most:])
        rules: list[Rule] = [(SOME, tuple(rng.shuffled([name, *rng.sample(others, 3)]))) for name in (*names[:most], *names[:most])]
        rules.append((ONE, tuple(rng.shuffled([names[0], *rng.sample(others, 3)]))))
        for _ in range(most // 2):
            rules.append((APART, tuple(rng.shuffled([rng.choice(names[:most]), rng.choice(others)]))))
            rules.append((CALLS, tuple(rng.sample(others, 2))))
        rules = [rule for rule in dict.fromkeys(rules) if len(set(rule[1])) == len(rule[1])]
        for _ in range(6 * most):
            tied = TiedKeys(tuple(rng.shuffled(names)), most, tuple(rng.shuffled(rules)))
            wrong = next((keys for keys in islice(choices(tied), 400) if keys != right), None)
            if wrong is None:
                break
            # A rule that the right keys meet and these do not, with keys that seem useful.
            missing = sorted(right - wrong)
            if not missing:
                rules.append((ONE, tuple(rng.shuffled([rng.choice(sorted(right)), *sorted(wrong - right)[:2]]))))
                continue
            lures = [name for name in others if name not in wrong]
            rules.append((SOME, tuple(rng.shuffled([rng.choice(missing), *rng.sample(lures, min(len(lures), 3))]))))
        if wrong is None and all(holds(rule, right) for rule in tied.rules) and greedy(tied) != right:
            return tied


def object_schema(tied: TiedKeys, properties: Schema) -> Schema:
    """The rules for the keys of an object."""
    parts: list[Schema] = []
    calls: dict[str, list[str]] = {}
    for kind, names in tied.rules:
        if kind == CALLS:
            calls.setdefault(names[0], []).append(names[1])
        elif kind == APART:
            parts.append({"not": {"required": list(names)}})
        else:
            parts.append({"anyOf" if kind == SOME else "oneOf": [{"required": [name]} for name in names]})
    schema = {"type": "object", "properties": properties, "additionalProperties": False, "maxProperties": tied.most, "allOf": parts}
    return {**schema, "dependentRequired": calls} if calls else schema


def list_schema(tied: TiedKeys) -> Schema:
    """The rules for the items of a list."""

    def has(name: str) -> Schema:
        return {"contains": {"const": name}}

    parts: list[Schema] = []
    for kind, names in tied.rules:
        if kind == CALLS:
            parts.append({"if": has(names[0]), "then": has(names[1])})
        elif kind == APART:
            parts.append({"not": {"allOf": [has(name) for name in names]}})
        else:
            parts.append({"anyOf" if kind == SOME else "oneOf": [has(name) for name in names]})
    return {"type": "array", "items": {"enum": list(tied.names)}, "uniqueItems": True, "maxItems": tied.most, "allOf": parts}


def read(schema: Schema) -> TiedKeys | None:
    """The rules of such a schema; None where it is none."""
    if "allOf" not in schema:
        return None
    rules: list[Rule] = [(CALLS, (first, second)) for first, calls in schema.get("dependentRequired", {}).items() for second in calls]
    for part in schema["allOf"]:
        if "if" in part:
            rules.append((CALLS, (_name(part["if"]), _name(part["then"]))))
        elif "not" in part:
            inside = part["not"]
            rules.append((APART, tuple(inside["required"]) if "required" in inside else tuple(map(_name, inside["allOf"]))))
        else:
            kind, operand = (SOME, part["anyOf"]) if "anyOf" in part else (ONE, part["oneOf"])
            rules.append((kind, tuple(map(_name, operand))))
    names = schema["properties"] if "properties" in schema else schema["items"]["enum"]
    return TiedKeys(tuple(names), schema["maxProperties"] if "maxProperties" in schema else schema["maxItems"], tuple(rules))


def _name(part: Schema) -> str:
    name: str = part["required"][0] if "required" in part else part["contains"]["const"]
    return name
