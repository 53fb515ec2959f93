"""Lines that may raise an exception, put into a program: divisions, places, keys, claims, conversions, names that hold nothing yet."""

from __future__ import annotations

import re
from collections.abc import Callable

from rlgym.core.rng import Rng

Lines = list[str]
STARTED = re.compile(r"    (\w+) = -?\d+$")
CONTINUED = ("else:", "elif ", "except", "finally:")


def _less(text: str, by: int) -> str:
    return f"{text} - {by}" if by else text


def _division_hazard(rng: Rng, name: str, other: str) -> tuple[Lines, str]:
    least = rng.integer(2, 6)
    return [f"{other} += {rng.integer(20, 60)} // {_less(f'({name} % {least}', rng.integer(0, least - 1))})"], "ZeroDivisionError"


def _index_hazard(rng: Rng, name: str, other: str) -> tuple[Lines, str]:
    row = [rng.integer(-4, 9) for _ in range(rng.integer(2, 4))]
    return [f"{other} += {row}[{_less(f'{name} % {len(row) + rng.integer(1, 3)}', rng.integer(0, 1))}]"], "IndexError"


def _key_hazard(rng: Rng, name: str, other: str) -> tuple[Lines, str]:
    size = rng.integer(3, 6)
    table = {key: rng.integer(-3, 9) for key in sorted(rng.sample(range(size), size - rng.integer(1, 2)))}
    return [f"{other} += {table}[{name} % {size}]"], "KeyError"


def _assertion_hazard(rng: Rng, name: str, other: str) -> tuple[Lines, str]:
    modulus = rng.integer(3, 7)
    return [f"assert {name} % {modulus} != {rng.integer(0, modulus - 1)}"], "AssertionError"


def _thrown(rng: Rng, name: str, other: str) -> tuple[Lines, str]:
    kind = rng.choice(("ValueError", "LookupError", "ArithmeticError", "RuntimeError"))
    modulus = rng.integer(3, 7)
    return [f"if {name} % {modulus} == {rng.integer(0, modulus - 1)}:", f"    raise {kind}"], kind


def _conversion_hazard(rng: Rng, name: str, other: str) -> tuple[Lines, str]:
    text = "".join(rng.shuffled([str(rng.integer(1, 9)), str(rng.integer(1, 9)), str(rng.integer(1, 9)), rng.choice("xyz")]))
    return [f"{other} += int({text!r}[{name} % 4])"], "ValueError"


def _none_hazard(rng: Rng, name: str, other: str) -> tuple[Lines, str]:
    row = [rng.integer(1, 9) for _ in range(rng.integer(2, 4))]
    return [f"{other} += {dict(enumerate(row))}.get({name} % {len(row) + rng.integer(1, 2)})"], "TypeError"


def _not_found(rng: Rng, name: str, other: str) -> tuple[Lines, str]:
    modulus = rng.integer(3, 6)
    row = rng.sample(range(modulus), modulus - rng.integer(1, 2))
    return [f"{other} -= {row}.index({name} % {modulus})"], "ValueError"


HAZARDS: tuple[Callable[[Rng, str, str], tuple[Lines, str]], ...] = (
    *(_division_hazard, _assertion_hazard, _index_hazard, _key_hazard),
    *(_thrown, _none_hazard, _conversion_hazard, _not_found),
)
KINDS = len(HAZARDS)
WIDER = {"IndexError": "LookupError", "KeyError": "LookupError", "ZeroDivisionError": "ArithmeticError"}


def with_hazards(rng: Rng, source: str, count: int, kinds: int, caught: int) -> str:
    """The program with `count` such lines put into `solve`, `caught` percent of them inside a try statement."""
    lines = source.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("def solve"))
    names = [match[1] for line in lines[start + 1 : start + 3] if (match := STARTED.match(line))]
    for _ in range(count):
        places = [i for i in range(start + 3, len(lines)) if not lines[i].lstrip().startswith(CONTINUED)]
        place = rng.choice(places)
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        name, other = rng.choice(names), rng.choice(names)
        added, kind = rng.choice(HAZARDS[:kinds])(rng, name, other)
        if rng.integer(1, 100) <= caught:
            added = _in_try_statement(rng, added, kind, other)
        lines[place:place] = [indent + line for line in added]
    return "\n".join(lines)


def _in_try_statement(rng: Rng, added: Lines, kind: str, other: str) -> Lines:
    """In a try statement, which need not catch the exception that comes."""
    kinds = (kind, WIDER.get(kind, kind), rng.choice(("ValueError", "KeyError", "TypeError", "ZeroDivisionError")))
    after = rng.choice((f"{other} += {rng.integer(1, 9)}", f"{other} = {rng.integer(-5, 9)}", "pass"))
    last = ["finally:", f"    {other} += {rng.integer(1, 4)}"] if rng.chance(0.3) else []
    return ["try:", *(f"    {line}" for line in added), f"except {rng.choice(kinds)}:", f"    {after}", *last]
