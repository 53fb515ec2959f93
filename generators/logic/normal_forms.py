"""Normal forms: clauses and terms as literals, prime terms of a truth table, and least covers by them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import product

from rlgym.generators.logic import truth_tables
from rlgym.generators.logic.formulas import NAMES
from rlgym.generators.numbers.bitsets import places

Literals = tuple[tuple[int, bool], ...]
_TOKEN = re.compile(r"[a-z]+|[-!~¬|∨&∧+*]|\S")
_SIGNS = {"or": ("or", "|", "∨", "+"), "and": ("and", "&", "∧", "*")}
MOST_WORK = 4000


class TooMuch(Exception):
    """The search for a least cover ran out of its budget."""


@cache
def columns(variables: int) -> tuple[int, ...]:
    """The tables of the variables; the first one is the highest bit of a row."""
    return tuple(truth_tables.column(variables - 1 - i, variables) for i in range(variables))


def parse(line: str, joiner: str, variables: int) -> Literals | None:
    """The literals of one line such as `p or not q`, in brackets or not; None of anything else."""
    if len(line) > 200:
        return None
    plain = line.strip().lower().strip("`").strip()
    if plain.startswith("(") and plain.endswith(")"):
        plain = plain[1:-1]
    out, sign, expects_operand = [], True, True
    for token in _TOKEN.findall(plain):
        if expects_operand and token in ("not", "-", "!", "~", "¬"):
            sign = not sign
        elif expects_operand and len(token) == 1 and token in NAMES[:variables]:
            out.append((NAMES.index(token), sign))
            sign, expects_operand = True, False
        elif not expects_operand and token in _SIGNS[joiner]:
            expects_operand = True
        else:
            return None
    return None if expects_operand else tuple(out)


def spell(literals: Literals, joiner: str) -> str:
    """The literals written in one line."""
    return f" {joiner} ".join(NAMES[i] if sign else f"not {NAMES[i]}" for i, sign in literals)


def all_of(literals: Literals, variables: int) -> int:
    """The table of a term: every literal holds."""
    table, every = truth_tables.every(variables), truth_tables.every(variables)
    for i, sign in literals:
        table &= columns(variables)[i] if sign else every ^ columns(variables)[i]
    return table


def any_of(literals: Literals, variables: int) -> int:
    """The table of a clause: some literal holds."""
    return truth_tables.every(variables) ^ all_of(turn(literals), variables)


def turn(literals: Literals) -> Literals:
    """The same literals with every sign turned: a term that is true where the clause is false."""
    return tuple((i, not sign) for i, sign in literals)


@cache
def _terms(variables: int) -> tuple[tuple[Literals, int], ...]:
    """All terms with their tables, short ones first."""
    terms = [
        tuple((i, sign) for i, sign in enumerate(signs) if sign is not None) for signs in product((None, True, False), repeat=variables)
    ]
    return tuple((term, all_of(term, variables)) for term in sorted(terms, key=len))


def primes(on: int, free: int, variables: int) -> list[tuple[Literals, int]]:
    """The terms with their tables that lie in on or free, meet on, and lose that when any literal is left out."""
    off, out = truth_tables.every(variables) & ~(on | free), list[tuple[Literals, int]]()
    for term, table in _terms(variables):
        if not table & off and not any(table | wider == wider for _, wider in out):
            out.append((term, table))
    return [(term, table) for term, table in out if table & on]


def least_cover(on: int, terms: Sequence[tuple[Literals, int]], weigh: str) -> tuple[Literals, ...]:
    """A cover of `on` with the fewest terms, or (`weigh="literals"`) literals; TooMuch where that is not settled soon."""
    weights = [1 if weigh == "terms" else len(term) for term, _ in terms]
    covers = {row: [k for k, (_, table) in enumerate(terms) if table >> row & 1] for row in places(on)}
    best: list[int] = []
    least, work = 10**6, 0

    def bound(uncovered: int) -> int:
        total = 0
        for row in sorted(places(uncovered), key=lambda row: len(covers[row])):
            if uncovered >> row & 1:
                total += min(weights[k] for k in covers[row])
                for k in covers[row]:
                    uncovered &= ~terms[k][1]
        return total

    def search(uncovered: int, chosen: list[int], weight: int) -> None:
        nonlocal best, least, work
        work += 1
        if work > MOST_WORK:
            raise TooMuch
        if not uncovered:
            if weight < least:
                best, least = chosen, weight
            return
        if weight + bound(uncovered) >= least:
            return
        row = min(places(uncovered), key=lambda row: len(covers[row]))
        for k in sorted(covers[row], key=lambda k: -(uncovered & terms[k][1]).bit_count()):
            search(uncovered & ~terms[k][1], [*chosen, k], weight + weights[k])

    search(on, [], 0)
    return tuple(terms[k][0] for k in sorted(best))


def row_of(values: Sequence[bool]) -> int:
    """The row of a table in which the variables have these values."""
    row = 0
    for value in values:
        row = 2 * row + value
    return row


def cyclic_core(on: int, terms: Sequence[tuple[Literals, int]], least: str) -> int:
    """The rows left when essential terms are chosen, and dominated rows and terms removed, as long as there are any.

    on     the rows to be covered, as a table
    terms  the prime terms with their tables
    least  "literals" or "terms": what a term costs
    """
    left = {i: (table, len(term) if least == "literals" else 1) for i, (term, table) in enumerate(terms)}
    rows = set(places(on))
    while True:
        covering = {row: frozenset(i for i, (table, _) in left.items() if table >> row & 1) for row in rows}
        essential = {min(inside) for inside in covering.values() if len(inside) == 1}
        if essential:
            covered = 0
            for i in essential:
                covered |= left.pop(i)[0]
            rows = {row for row in rows if not covered >> row & 1}
            continue
        kept = {row for row in rows if not any(covering[other] < covering[row] for other in rows)}
        kept = {row for row in kept if not any(covering[other] == covering[row] and other < row for other in kept)}
        mask = sum(1 << row for row in kept)
        useful = {i: (table & mask, price) for i, (table, price) in left.items() if table & mask}
        useful = {i: term for i, term in useful.items() if not any(_dominates(useful[j], term, j < i) for j in useful if j != i)}
        if kept == rows and useful == left:
            return len(rows)
        rows, left = kept, useful


def _dominates(one: tuple[int, int], other: tuple[int, int], earlier: bool) -> bool:
    """Whether a term with a table and a price makes another one needless; of equal ones the earlier does."""
    return not other[0] & ~one[0] and one[1] <= other[1] and (one != other or earlier)
