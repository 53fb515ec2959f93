"""The kernel of equational proofs, and chains of terms from both sides of an equation in a group to their common normal form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from rlgym.generators.proofs.terms import Bindings, Term, parse

Law = tuple[Term, Term]
Path = tuple[int, ...]
MOST_LINES = 1500

_START = re.compile(r"(?:\d{1,4}\s*[.):]\s*)?=?\s*", re.ASCII)


def law(text: str) -> Law:
    """A law from the library's own notation `left = right`."""
    left, right = (parse(side) for side in text.split(" = "))
    assert left is not None
    assert right is not None
    return left, right


def fault(laws: Sequence[Law], first: Term, last: Term, lines: Sequence[str]) -> str:
    """What is wrong with a chain of terms, or nothing."""
    if len(lines) > MOST_LINES:
        return f"the chain has more than {MOST_LINES} terms"
    before: Term | None = None
    for number, line in enumerate(lines, 1):
        term = parse(line[len(_START.match(line)[0]) :]) if len(line) < 2000 else None  # type: ignore[index]
        if term is None:
            return f"line {number} is not a term"
        if before is None and term != first:
            return "the chain must open with the left side"
        if before is not None and apply(laws, before, term) is None:
            return f"line {number} does not come from the line before it by one law used once"
        before = term
    return "" if before == last else "the chain must close with the right side"


def apply(laws: Sequence[Law], before: Term, after: Term) -> tuple[int, bool, Path, Bindings] | None:
    """The law, by number from 0, that turns one term into the other, whether from left to right, and where; or None."""
    current: tuple[Path, Term, Term] = (), before, after
    # From the innermost place that holds all that changes outwards: the law was most often used there, or just around it.
    for path, old, new in reversed([current, *_differing_subterms(*current)]):
        for number, (left, right) in enumerate(laws):
            for forwards in (True, False):
                first, second = (left, right) if forwards else (right, left)
                bindings: Bindings = {}
                if match(first, old, bindings) and match(second, new, bindings):
                    return number, forwards, path, bindings
    return None


def _differing_subterms(path: Path, before: Term, after: Term) -> Iterator[tuple[Path, Term, Term]]:
    """The places within two terms, from outside in, that hold all in which they differ."""
    while not isinstance(before, str) and not isinstance(after, str) and before[0] == after[0] and len(before) == len(after):
        different = [i for i in range(1, len(before)) if before[i] != after[i]]
        if len(different) != 1:
            return
        path, before, after = (*path, different[0]), before[different[0]], after[different[0]]
        yield path, before, after


def match(pattern: Term, term: Term, bindings: Bindings) -> bool:
    """Whether terms put in for the pattern's variables give the term; they are added to the bindings."""
    if isinstance(pattern, str):
        return bindings.setdefault(pattern, term) == term
    if isinstance(term, str) or pattern[0] != term[0] or len(pattern) != len(term):
        return False
    for i in range(1, len(pattern)):
        part, inner = pattern[i], term[i]
        # Variables at once: half of all calls would be for them.
        if not (bindings.setdefault(part, inner) == inner if isinstance(part, str) else match(part, inner, bindings)):
            return False
    return True


def instance(pattern: Term, bindings: Bindings) -> Term:
    """The pattern with its variables replaced once."""
    return bindings.get(pattern, pattern) if isinstance(pattern, str) else (pattern[0], *(instance(part, bindings) for part in pattern[1:]))


ASSOCIATIVE, LEFT_UNIT, RIGHT_UNIT = "m(m(x, y), z) = m(x, m(y, z))", "m(e, x) = x", "m(x, e) = x"
LEFT_INVERSE, RIGHT_INVERSE = "m(i(x), x) = e", "m(x, i(x)) = e"
THEORIES = {
    "monoid": (ASSOCIATIVE, LEFT_UNIT, RIGHT_UNIT),
    "group": (ASSOCIATIVE, LEFT_UNIT, RIGHT_UNIT, LEFT_INVERSE, RIGHT_INVERSE),
    "left": (ASSOCIATIVE, LEFT_UNIT, LEFT_INVERSE),
}
# Each lemma is a chain in which one law, or one lemma before it, is used from term to term.
_LEMMAS = """
m(x, i(x)); m(e, m(x, i(x))); m(m(i(i(x)), i(x)), m(x, i(x))); m(i(i(x)), m(i(x), m(x, i(x)))); m(i(i(x)), m(m(i(x), x), i(x))); \
m(i(i(x)), m(e, i(x))); m(i(i(x)), i(x)); e
m(x, e); m(x, m(i(x), x)); m(m(x, i(x)), x); m(e, x); x
i(e); m(i(e), e); e
i(i(x)); m(i(i(x)), e); m(i(i(x)), m(i(x), x)); m(m(i(i(x)), i(x)), x); m(e, x); x
m(i(x), m(x, y)); m(m(i(x), x), y); m(e, y); y
m(x, m(i(x), y)); m(m(x, i(x)), y); m(e, y); y
i(m(x, y)); m(i(m(x, y)), e); m(i(m(x, y)), m(x, i(x))); m(i(m(x, y)), m(x, m(e, i(x)))); m(i(m(x, y)), m(x, m(m(y, i(y)), i(x)))); \
m(i(m(x, y)), m(x, m(y, m(i(y), i(x))))); m(i(m(x, y)), m(m(x, y), m(i(y), i(x)))); m(m(i(m(x, y)), m(x, y)), m(i(y), i(x))); \
m(e, m(i(y), i(x))); m(i(y), i(x))
"""


@cache
def _rules(theory: str) -> tuple[tuple[Term, ...], ...]:
    """Rules from left to right, each as a chain that uses the laws only: the laws that make terms simpler, and the lemmas."""
    laws = [law(text) for text in THEORIES[theory]]
    chains: list[tuple[Term, ...]] = [tuple(sides) for sides in laws]
    if theory != "monoid":
        for line in _LEMMAS.strip().split("\n"):
            terms = [term for term in map(parse, line.split("; ")) if term is not None]
            if (terms[0], terms[-1]) not in laws:
                chains.append(_expand_chains(terms, chains))
    return (*chains[1:], chains[0])


def _expand_chains(terms: list[Term], chains: list[tuple[Term, ...]]) -> tuple[Term, ...]:
    out = [terms[0]]
    for before, after in pairwise(terms):
        steps = apply([(chain[0], chain[-1]) for chain in chains], before, after)
        assert steps is not None, (before, after)
        number, forwards, path, bindings = steps
        chain = chains[number] if forwards else chains[number][::-1]
        out += [_place(before, path, instance(term, bindings)) for term in chain[1:]]
    return tuple(out)


def _place(term: Term, path: Path, new: Term) -> Term:
    if not path:
        return new
    assert not isinstance(term, str)
    return (*term[: path[0]], _place(term[path[0]], path[1:], new), *term[path[0] + 1 :])


def _places(term: Term, path: Path = ()) -> Iterator[tuple[Path, Term]]:
    yield path, term
    if not isinstance(term, str):
        for i in range(1, len(term)):
            yield from _places(term[i], (*path, i))


def chain(theory: str, first: Term, last: Term, *, inner: bool = True) -> list[Term]:
    """Terms from one to the other that is equal to it, each by one law; with `inner` inner parts are made simple before outer ones, else after."""
    there, back = (_simplify(theory, term, inner) for term in (first, last))
    if there[-1] != back[-1]:
        raise ValueError(f"the two terms are not equal in every {theory}")
    out: list[Term] = []
    places: dict[Term, int] = {}
    for term in (*there, *back[::-1]):
        if term in places:
            for dropped in out[places[term] + 1 :]:
                del places[dropped]
            del out[places[term] + 1 :]
        else:
            places[term] = len(out)
            out.append(term)
    return out


def _simplify(theory: str, term: Term, inner: bool) -> list[Term]:
    out = [term]
    while True:
        found = _next(theory, out[-1], inner)
        if found is None:
            return out
        path, bindings, rule = found
        now = out[-1]
        out += [_place(now, path, instance(step, bindings)) for step in rule[1:]]


def _next(theory: str, term: Term, inner: bool) -> tuple[Path, Bindings, tuple[Term, ...]] | None:
    places = list(_places(term))
    for rule in _rules(theory):
        for path, part in reversed(places) if inner else places:
            bindings: Bindings = {}
            if match(rule[0], part, bindings):
                return path, bindings, rule
    return None
