"""Formats for small records: which fields stand in which order, how each is written, and how they are joined; and what examples tell of them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

Record = tuple[str, ...]
"""The fields of a record: words and whole numbers, in decimal digits."""

TEXT = (
    "unchanged",
    "in capitals",
    "backwards",
    "its first letter",
    "its first three letters",
    "without a, e, i, o and u",
    "its number of letters",
)
NUMBER = (
    "unchanged",
    "padded with zeros to four digits",
    "doubled",
    "its last digit",
    "backwards",
    "plus one",
    "its remainder modulo nine",
)
JOINS = {"joined": ("-", "/", "_", "+", "::", "="), "wrapped": ("()", "[]", "<>", "||", "##")}
TESTS = (
    "{number} is even",
    "{number} is above 500",
    "{number} is a multiple of 3",
    "{word} begins with a, e, i, o or u",
    "{word} has an even number of letters",
    "{word} has more than 5 letters",
    "{word} ends with e",
)


class Format(NamedTuple):
    order: tuple[int, ...]
    join: str
    forms: tuple[int, ...]
    """How each of the fields in the order is written."""


class Test(NamedTuple):
    """A condition on one field; the kind -1 holds of everything."""

    kind: int
    field: int


@lru_cache(20_000)
def write(value: str, form: int) -> str:
    """A field in one of the forms of its type."""
    if value.isdigit():
        number = int(value)
        return (value, value.rjust(4, "0"), str(2 * number), value[-1], value[::-1], str(number + 1), str(number % 9))[form]
    bare = "".join(letter for letter in value if letter not in "aeiou")
    return (value, value.upper(), value[::-1], value[0], value[:3], bare, str(len(value)))[form]


def describe_format(value: str, form: int) -> str:
    return (NUMBER if value.isdigit() else TEXT)[form]


def join_pieces(pieces: Sequence[str], join: str) -> str:
    """The pieces with the join between them, or each inside a pair of brackets."""
    return "".join(f"{join[0]}{piece}{join[1]}" for piece in pieces) if join in JOINS["wrapped"] else join.join(pieces)


def part(line: str, join: str) -> list[str]:
    if join in JOINS["wrapped"]:
        return line[1:-1].split(join[1] + join[0]) if line[0] == join[0] and line[-1] == join[1] else []
    return line.split(join)


def apply(form: Format, record: Record) -> str:
    return join_pieces([write(record[field], how) for field, how in zip(form.order, form.forms, strict=True)], form.join)


def holds(test: Test, record: Record) -> bool:
    if test.kind < 0:
        return True
    value = record[test.field]
    if test.kind < 3:
        return (int(value) % 2 == 0, int(value) > 500, int(value) % 3 == 0)[test.kind]
    return (value[0] in "aeiou", len(value) % 2 == 0, len(value) > 5, value[-1] == "e")[test.kind - 3]


def describe_test(test: Test, names: Sequence[str]) -> str:
    return TESTS[test.kind].format(number=names[test.field], word=names[test.field]) if test.kind >= 0 else "always"


def tests(record: Record) -> list[Test]:
    """All conditions on a record of this shape."""
    return [Test(kind, field) for field, value in enumerate(record) for kind in (range(3) if value.isdigit() else range(3, 7))]


def fitting_formats(
    examples: Sequence[tuple[Record, str]], wrap: str, left_out: int
) -> Iterator[tuple[tuple[int, ...], str, list[list[int]]]]:
    """Orders and joins that fit all the examples, each with the forms that fit at each place; the fit of one place does not touch another's."""
    fields = range(len(examples[0][0]))
    for join in JOINS[wrap]:
        lines = [part(line, join) for _, line in examples]
        if any(len(pieces) != len(fields) - left_out for pieces in lines):
            continue
        fit = {
            (place, field): [
                form
                for form in range(7)
                if all(write(record[field], form) == pieces[place] for (record, _), pieces in zip(examples, lines, strict=True))
            ]
            for place in range(len(fields) - left_out)
            for field in fields
        }
        for order in permutations(fields, len(fields) - left_out):
            forms = [fit[place, field] for place, field in enumerate(order)]
            if all(forms):
                yield order, join, forms


def outcomes(
    examples: Sequence[tuple[Record, str]], query: Record, wrap: str, left_out: int, conditional: bool
) -> dict[str, tuple[Test, Format]]:
    """What the query may come out as under every rule that fits the examples, each with one such rule."""
    by_outcome: dict[str, tuple[Test, Format]] = {}
    for test in tests(query) if conditional else [Test(-1, 0)]:
        own = [example for example in examples if holds(test, example[0]) == holds(test, query)]
        others = [example for example in examples if holds(test, example[0]) != holds(test, query)]
        if others and next(fitting_formats(others, wrap, left_out), None) is None:
            continue
        if not own:
            return {}
        for order, join, forms in fitting_formats(own, wrap, left_out):
            for chosen in product(*forms):
                form = Format(order, join, chosen)
                by_outcome.setdefault(apply(form, query), (test, form))
    return by_outcome
