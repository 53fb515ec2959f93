"""Sentences of first-order logic over small finite structures: drawn, written, read back, and judged in one structure or in all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from rlgym.core.rng import Rng
from rlgym.generators.logic import truth_tables

VARIABLES = "xyzuvw"
_TOKEN = re.compile(r"for every|for some|[A-Z]|[a-z]+|->|[():,=]")

Atoms = Sequence[tuple[str, tuple[int, ...]]]


@dataclass(frozen=True)
class Sentence:
    """`every` or `some` with a variable and one part; `not`, `and`, `or`, `implies` with parts; an atom or `=` with variables."""

    head: str
    names: tuple[str, ...] = ()
    parts: tuple[Sentence, ...] = ()


def atoms(predicates: Mapping[str, int], size: int) -> list[tuple[str, tuple[int, ...]]]:
    """Each predicate with each choice of things, from 1."""
    return [(name, values) for name, arity in predicates.items() for values in product(range(1, size + 1), repeat=arity)]


def sample(rng: Rng, predicates: Mapping[str, int], depth: int, known: tuple[str, ...] = ()) -> Sentence:
    """A sentence with `depth` quantifiers, one inside the other."""
    if depth == 0:
        first, second = _literal(rng, predicates, known), _literal(rng, predicates, known)
        while _bare(first) == _bare(second):
            second = _literal(rng, predicates, known)
        return first if rng.chance(0.4) else Sentence(rng.choice(("and", "or", "implies")), (), (first, second))
    head = rng.choice(("every", "some"))
    now = (*known, VARIABLES[len(known)])
    inner = sample(rng, predicates, depth - 1, now)
    if depth > 1 and rng.chance(0.5):
        joined = rng.choice(("implies", "or")) if head == "every" else "and"
        inner = Sentence(joined, (), (_literal(rng, predicates, now), inner))
    quantified = Sentence(head, (now[-1],), (inner,))
    return Sentence("not", (), (quantified,)) if rng.chance(0.15) else quantified


def _literal(rng: Rng, predicates: Mapping[str, int], known: tuple[str, ...]) -> Sentence:
    name = rng.choice(tuple(predicates))
    # The newest variable stands in every atom, so that no quantifier is idle.
    names = [rng.choice(known) for _ in range(predicates[name])]
    names[rng.integer(0, len(names) - 1)] = known[-1]
    atom = Sentence("=", (known[0], known[-1])) if len(known) > 1 and rng.chance(0.12) else Sentence(name, tuple(names))
    return Sentence("not", (), (atom,)) if rng.chance(0.35) else atom


def _bare(literal: Sentence) -> Sentence:
    return literal.parts[0] if literal.head == "not" else literal


def write(sentence: Sentence) -> str:
    """The sentence in words and brackets."""
    match sentence.head:
        case "every" | "some":
            return f"for {sentence.head} {sentence.names[0]}: {_part(sentence.parts[0])}"
        case "not":
            return f"not {_part(sentence.parts[0])}"
        case "and" | "or" | "implies":
            return f" {'->' if sentence.head == 'implies' else sentence.head} ".join(map(_part, sentence.parts))
        case "=":
            return f"{sentence.names[0]} = {sentence.names[1]}"
        case _:
            return f"{sentence.head}({', '.join(sentence.names)})"


def _part(sentence: Sentence) -> str:
    plain = sentence.head in ("not", "every", "some") or (not sentence.parts and sentence.head != "=")
    return write(sentence) if plain else f"({write(sentence)})"


def read(text: str) -> Sentence:
    """The sentence that `written` spells; never used on an answer."""
    tokens = _TOKEN.findall(text)[::-1]

    def single() -> Sentence:
        token = tokens.pop()
        if token.startswith("for "):
            name = tokens.pop()
            tokens.pop()
            return Sentence(token[4:], (name,), (single(),))
        if token == "not":
            return Sentence("not", (), (single(),))
        if token == "(":
            inner = parse_implication()
            tokens.pop()
            return inner
        if token.islower():
            tokens.pop()
            return Sentence("=", (token, tokens.pop()))
        names = []
        while tokens.pop() != ")":
            names.append(tokens.pop())
        return Sentence(token, tuple(names))

    def parse_implication() -> Sentence:
        left = single()
        if tokens and tokens[-1] in ("and", "or", "->"):
            head = tokens.pop()
            return Sentence("implies" if head == "->" else head, (), (left, single()))
        return left

    return parse_implication()


def table(sentence: Sentence, places: Mapping[tuple[str, tuple[int, ...]], int], size: int, known: Mapping[str, int] | None = None) -> int:
    """The structures in which the sentence holds, as bits; in structure r an atom holds where bit `places[atom]` of r is set."""
    known = known or {}
    every = truth_tables.every(len(places))
    match sentence.head:
        case "every" | "some":
            inner = [table(sentence.parts[0], places, size, {**known, sentence.names[0]: element}) for element in range(1, size + 1)]
            out = inner[0]
            for second in inner[1:]:
                out = out & second if sentence.head == "every" else out | second
            return out
        case "not":
            return every ^ table(sentence.parts[0], places, size, known)
        case "and" | "or" | "implies":
            first, second = (table(part, places, size, known) for part in sentence.parts)
            return first & second if sentence.head == "and" else (first if sentence.head == "or" else every ^ first) | second
        case "=":
            return every if known[sentence.names[0]] == known[sentence.names[1]] else 0
        case _:
            return truth_tables.columns(len(places))[places[sentence.head, tuple(known[name] for name in sentence.names)]]


def holds(
    sentence: Sentence, facts: Mapping[tuple[str, tuple[int, ...]], bool], size: int, known: Mapping[str, int] | None = None
) -> bool | None:
    """Whether the sentence holds where these atoms do; None where that hangs on an atom that `facts` does not settle."""
    known = known or {}
    match sentence.head:
        case "every" | "some":
            deciding = sentence.head == "some"
            inner = (holds(sentence.parts[0], facts, size, {**known, sentence.names[0]: element}) for element in range(1, size + 1))
        case "and" | "or" | "implies":
            deciding = sentence.head != "and"
            first, second = sentence.parts
            inner = (
                holds(part, facts, size, known) for part in (Sentence("not", (), (first,)) if sentence.head == "implies" else first, second)
            )
        case "not":
            value = holds(sentence.parts[0], facts, size, known)
            return None if value is None else not value
        case "=":
            return known[sentence.names[0]] == known[sentence.names[1]]
        case _:
            return facts.get((sentence.head, tuple(known[name] for name in sentence.names)))
    open_ = False
    for value in inner:
        if value is deciding:
            return deciding
        open_ = open_ or value is None
    return None if open_ else not deciding


def structure(sentences: Sequence[Sentence], predicates: Mapping[str, int], size: int) -> dict[tuple[str, tuple[int, ...]], bool] | None:
    """A structure in which all the sentences hold, found atom by atom, or None where there is none."""
    order = atoms(predicates, size)
    order.sort(key=lambda atom: (max(atom[1]), atom))

    def search(
        facts: dict[tuple[str, tuple[int, ...]], bool], sentences: Sequence[Sentence]
    ) -> dict[tuple[str, tuple[int, ...]], bool] | None:
        unsettled = []
        for sentence in sentences:
            value = holds(sentence, facts, size)
            if value is False:
                return None
            if value is None:
                unsettled.append(sentence)
        if len(facts) == len(order):
            return dict(facts)
        atom = order[len(facts)]
        for value in (False, True):
            facts[atom] = value
            model = search(facts, unsettled)
            if model is not None:
                return model
            del facts[atom]
        return None

    return search({}, list(sentences))
