"""Rules about rows of coloured stones, each written in a few words, and which rows of a length follow each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise, product

Row = tuple[str, ...]
Rule = tuple[str, ...]  # its words
LANGUAGE = {
    "least": "atleast N C: at least N stones are C (N from 1 to {most})",
    "exactly": "exactly N C: exactly N stones are C (N from 0 to {most})",
    "first": "first C: the first stone is C",
    "last": "last C: the last stone is C",
    "even": "even C: the number of stones that are C is even, or 0",
    "more": "more C D: more stones are C than D",
    "before": "before C D: there is a C and a D, and some C is to the left of some D",
    "beside": "beside C D: some C and some D lie next to each other, in either order",
    "different": "different: no two neighbours have the same colour",
    "ends": "ends: the first and the last stone have the same colour",
}
KINDS = tuple(LANGUAGE)


def simple_rules(colours: Sequence[str], length: int, kinds: Sequence[str]) -> list[Rule]:
    """The rules of these kinds, in a fixed order."""
    out: list[Rule] = []
    for kind in kinds:
        match kind:
            case "least":
                out += [("atleast", str(count), colour) for colour in colours for count in range(1, length)]
            case "exactly":
                out += [("exactly", str(count), colour) for colour in colours for count in range(length)]
            case "first" | "last" | "even":
                out += [(kind, colour) for colour in colours]
            case "more" | "before":
                out += [(kind, first, second) for first in colours for second in colours if first != second]
            case "beside":
                out += [(kind, first, second) for place, first in enumerate(colours) for second in colours[place + 1 :]]
            case _:
                out.append((kind,))
    return out


def follows(rule: Rule, row: Row) -> bool:
    """Whether a row follows a rule; rules may be joined by `and`, and an `and` by `or`."""
    if "or" in rule:
        at = rule.index("or")
        return follows(rule[:at], row) or follows(rule[at + 1 :], row)
    if "and" in rule:
        at = rule.index("and")
        return follows(rule[:at], row) and follows(rule[at + 1 :], row)
    return _SIMPLE[rule[0]](rule[1:], row)


_SIMPLE: dict[str, Callable[[Rule, Row], bool]] = {
    "atleast": lambda given, row: row.count(given[1]) >= int(given[0]),
    "exactly": lambda given, row: row.count(given[1]) == int(given[0]),
    "first": lambda given, row: row[0] == given[0],
    "last": lambda given, row: row[-1] == given[0],
    "even": lambda given, row: row.count(given[0]) % 2 == 0,
    "more": lambda given, row: row.count(given[0]) > row.count(given[1]),
    "before": lambda given, row: any(given[1] in row[place:] for place, stone in enumerate(row) if stone == given[0]),
    "beside": lambda given, row: any({*given} == {*pair} for pair in pairwise(row)),
    "different": lambda given, row: all(first != second for first, second in pairwise(row)),
    "ends": lambda given, row: row[0] == row[-1],
}


@lru_cache(64)
def rows(colours: tuple[str, ...], length: int) -> tuple[Row, ...]:
    return tuple(product(colours, repeat=length))


@lru_cache(128)
def meanings(colours: tuple[str, ...], length: int, kinds: tuple[str, ...], join: str) -> dict[Rule, int]:
    """Of each rule, the rows that follow it, as bits; rules that all rows or none follow, and those that say the same as an earlier one, are left out."""
    every = rows(colours, length)
    all_rows = (1 << len(every)) - 1
    simple = {
        rule: sum(1 << place for place, row in enumerate(every) if follows(rule, row)) for rule in simple_rules(colours, length, kinds)
    }
    out: dict[int, Rule] = {}
    for rule, bits in simple.items():
        out.setdefault(bits, rule)
    if join != "one":
        listed = [(bits, rule) for bits, rule in out.items() if 0 < bits < all_rows]
        for place, (bits, rule) in enumerate(listed):
            for other_bits, other in listed[place + 1 :]:
                out.setdefault(bits & other_bits, (*rule, "and", *other))
                if join == "or":
                    out.setdefault(bits | other_bits, (*rule, "or", *other))
    return {rule: bits for bits, rule in out.items() if 0 < bits < all_rows}


def write(words: Rule, colours: Sequence[str], length: int, kinds: Sequence[str], join: str) -> bool:
    """Whether these words are a rule of the language."""
    simple = simple_rules(colours, length, kinds)
    swapped = [("beside", rule[2], rule[1]) for rule in simple if rule[0] == "beside"]
    known = {*simple, *swapped}
    if words in known:
        return True
    links = [] if join == "one" else ["and"] if join == "and" else ["and", "or"]
    return any(word in links and words[:place] in known and words[place + 1 :] in known for place, word in enumerate(words))
