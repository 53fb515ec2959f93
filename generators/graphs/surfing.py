"""Random walks along links between pages: transition probabilities and the share of moves that end at each page."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

Chances = dict[tuple[str, str], Fraction]


def share_by_elimination(chances: Chances, page: str) -> Fraction:
    names = page_names(chances)
    rows = [[chances.get((a, b), Fraction(0)) - (a == b) for a in names] + [Fraction(0)] for b in names[1:]]
    rows.append([Fraction(1)] * (len(names) + 1))
    for i in range(len(names)):
        lead = next(k for k in range(i, len(names)) if rows[k][i])
        rows[i], rows[lead] = rows[lead], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        rows = [row if k == i else [x - row[i] * y for x, y in zip(row, rows[i], strict=True)] for k, row in enumerate(rows)]
    return rows[names.index(page)][-1]


def page_names(chances: Chances) -> list[str]:
    return sorted({name for pair in chances for name in pair})


def chances_of(links: Sequence[tuple[str, str, int, int]], jump: int) -> Chances:
    chances = {(a, b): Fraction(top, bottom) for a, b, top, bottom in links}
    names = page_names(chances)
    if jump:
        share = Fraction(1, jump)
        return {(a, b): (1 - share) * chances.get((a, b), 0) + share / len(names) for a in names for b in names}
    return chances


def leave_out(chances: Chances, page: str) -> Chances:
    """The transition probabilities of the walk observed only while it is not at a page (censored chain)."""
    leave = 1 - chances.get((page, page), Fraction(0))
    out = {pair: chance for pair, chance in chances.items() if page not in pair}
    for a, first in [(a, chance) for (a, b), chance in chances.items() if b == page != a]:
        for b, second in [(b, chance) for (a_, b), chance in chances.items() if a_ == page != b]:
            out[a, b] = out.get((a, b), Fraction(0)) + first * second / leave
    return out


def censored_chains(chances: Chances) -> dict[int, Chances]:
    """The chances when only the first k pages are watched, for each k."""
    names = page_names(chances)
    kept = {len(names): chances}
    for k in range(len(names) - 1, 0, -1):
        kept[k] = leave_out(kept[k + 1], names[k])
    return kept


def weight_of(names: list[str], kept: dict[int, Chances], weights: dict[str, Fraction], page: str) -> tuple[Fraction, Fraction, Fraction]:
    """What comes to a page from those before it, its chance of staying, and its weight."""
    k = names.index(page) + 1
    incoming = sum((weights[a] * kept[k].get((a, page), 0) for a in names[: k - 1]), Fraction(0))
    stay = kept[k].get((page, page), Fraction(0))
    return incoming, stay, incoming / (1 - stay)


def stationary_shares(chances: Chances) -> dict[str, Fraction]:
    """The share of each page: leave out one page after the other, and bring them back in."""
    names = page_names(chances)
    if len(names) == 1:
        return {names[0]: Fraction(1)}
    last = names[-1]
    rest = stationary_shares(leave_out(chances, last))
    into = sum((rest[a] * chances.get((a, last), 0) for a in names[:-1]), Fraction(0))
    total_share = 1 + into / (1 - chances.get((last, last), Fraction(0)))
    return {**{name: share / total_share for name, share in rest.items()}, last: (total_share - 1) / total_share}


def determinant_weights(chances: Chances) -> dict[str, Fraction]:
    """Weights in proportion to the shares: for each page the determinant of I - P without its row and column."""
    names = page_names(chances)
    rows = {a: {b: (a == b) - chances.get((a, b), Fraction(0)) for b in names} for a in names}
    return {name: _determinant([[rows[a][b] for b in names if b != name] for a in names if a != name]) for name in names}


def quadratic_roots(start: Fraction, middle: Fraction, end: Fraction) -> list[Fraction]:
    """The rational zeros of the polynomial of degree 2 at most with these values at 0, 1/2 and 1."""
    c, a = start, 2 * (start - 2 * middle + end)
    b = end - start - a
    if not a:
        return [-c / b] if b else []
    discriminant = b * b - 4 * a * c
    if (
        discriminant < 0
        or isqrt(discriminant.numerator) ** 2 != discriminant.numerator
        or isqrt(discriminant.denominator) ** 2 != discriminant.denominator
    ):
        return []
    root = Fraction(isqrt(discriminant.numerator), isqrt(discriminant.denominator))
    return sorted({(-b - root) / (2 * a), (-b + root) / (2 * a)})


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    """By expansion along the first row."""
    if not rows:
        return Fraction(1)
    return sum(
        ((-1) ** j * entry * _determinant([row[:j] + row[j + 1 :] for row in rows[1:]]) for j, entry in enumerate(rows[0]) if entry),
        Fraction(0),
    )
