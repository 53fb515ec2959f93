"""Sentences of first-order logic over the domain 1 to n, without constants: written, judged in a model, and a search for models.

A sentence has a prefix of quantifiers for x, y and z, and says that some literals together imply one of others.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from rlgym.core.task import TaskData

Model = Mapping[str, frozenset[tuple[int, ...]]]
Atom = tuple[str, tuple[int, ...]]
Fact = tuple[str, tuple[int, ...], bool]
Clause = list[int]
PAIR = re.compile(r"[(<\[]\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*[)>\]]")


class Literal(TaskData):
    """A predicate of variables, or = of two, or its negation."""

    name: str
    variables: str
    holds: bool = True


class Sentence(TaskData):
    """The quantifiers, "A" or "E" for x, y and z in order; what is assumed; what follows, all of it or at least one of it."""

    quantifiers: str
    premises: tuple[Literal, ...]
    conclusions: tuple[Literal, ...]
    every: bool = False


def write(sentence: Sentence) -> str:
    prefix = " ".join(f"{'for all' if kind == 'A' else 'there is'} {name}" for kind, name in zip(sentence.quantifiers, "xyz", strict=False))
    premises = " and ".join(map(_literal, sentence.premises))
    conclusions = (" and " if sentence.every else " or ").join(map(_literal, sentence.conclusions))
    return f"{prefix}: {f'if {premises} then ' if premises else ''}{conclusions}"


def is_true(sentence: Sentence, model: Model, size: int, start: Sequence[int] = ()) -> bool:
    """Whether the sentence is true in the model; what comes behind the first quantifiers, for given values of their variables."""

    def compiled(literals: Sequence[Literal]) -> list[tuple[frozenset[tuple[int, ...]], tuple[int, ...], bool]]:
        same = frozenset((k, k) for k in range(1, size + 1))
        return [
            (same if literal.name == "=" else model[literal.name], tuple("xyz".index(v) for v in literal.variables), literal.holds)
            for literal in literals
        ]

    premises, conclusions = compiled(sentence.premises), compiled(sentence.conclusions)
    at, kinds, combined = [*start, 0, 0, 0][:3], sentence.quantifiers, all if sentence.every else any

    def judged(depth: int) -> bool:
        if depth == len(kinds):
            for table, places, holds in premises:
                if (tuple([at[k] for k in places]) in table) != holds:
                    return True
            return combined((tuple([at[k] for k in places]) in table) == holds for table, places, holds in conclusions)
        existential = kinds[depth] == "E"
        for value in range(1, size + 1):
            at[depth] = value
            if judged(depth + 1) == existential:
                return existential
        return not existential

    return judged(len(start))


def cases(sentence: Sentence, model: Model, size: int) -> list[tuple[int, ...]]:
    """Of a sentence for all x, y, ...: the values for which the premises are true."""
    never = sentence.model_copy(update={"conclusions": ()})
    return [at for at in product(range(1, size + 1), repeat=len(sentence.quantifiers)) if not is_true(never, model, size, at)]


def choices(sentence: Sentence, model: Model, size: int) -> list[tuple[tuple[int, ...], int]]:
    """For all values of the variables before the first `there is`, a value that makes the rest true; LookupError where there is none."""
    before = product(range(1, size + 1), repeat=sentence.quantifiers.index("E"))
    return [(at, next(value for value in range(1, size + 1) if is_true(sentence, model, size, (*at, value)))) for at in before]


def models(
    sentences: Sequence[Sentence], arities: Mapping[str, int], size: int, first: bool, facts: Sequence[Fact] = (), budget: int = 150
) -> Iterator[Model]:
    """A model, if one is found within so many choices: sentences written out for all elements as clauses, and values tried, `first` first."""
    number: dict[Atom, int] = {}
    for name, arity in arities.items():
        for values in product(range(1, size + 1), repeat=arity):
            number[name, values] = len(number) + 1
    clauses: list[Clause] = [[number[name, values] if holds else -number[name, values]] for name, values, holds in facts]
    extra = [len(number)]

    def literal(said: Literal, at: Mapping[str, int]) -> int | bool:
        values = tuple(at[name] for name in said.variables)
        if said.name == "=":
            return (values[0] == values[1]) == said.holds
        return number[said.name, values] if said.holds else -number[said.name, values]

    def case(sentence: Sentence, at: Mapping[str, int]) -> list[Clause]:
        """The clauses for one choice of the variables."""
        given = [literal(premise, at) for premise in sentence.premises]
        literals = [literal(conclusion, at) for conclusion in sentence.conclusions]
        if any(value is False for value in given):
            return []
        start = [-value for value in given if not isinstance(value, bool)]
        rows = [[one] for one in literals] if sentence.every else [literals]
        return [start + [one for one in row if not isinstance(one, bool)] for row in rows if not any(one is True for one in row)]

    def grounded(sentence: Sentence, depth: int, at: Mapping[str, int]) -> list[Clause]:
        if depth == len(sentence.quantifiers):
            return case(sentence, at)
        parts = [grounded(sentence, depth + 1, {**at, "xyz"[depth]: value}) for value in range(1, size + 1)]
        if sentence.quantifiers[depth] == "A":
            return [clause for part in parts for clause in part]
        # a new variable for each element says that it is the one there is
        picks = []
        out: list[Clause] = []
        for part in parts:
            extra[0] += 1
            picks.append(extra[0])
            out += [[-extra[0], *clause] for clause in part]
        return [picks, *out]

    for sentence in sentences:
        clauses += grounded(sentence, 0, {})
    model = _satisfy(clauses, extra[0], first, budget)
    if model:
        yield {
            name: frozenset(values for (other, values), k in number.items() if other == name and model.get(k, first)) for name in arities
        }


def _satisfy(clauses: list[Clause], count: int, first: bool, budget: int) -> dict[int, bool] | None:
    """Values for the variables by unit propagation and trying."""
    holds_in: dict[int, list[Clause]] = {sign * k: [] for k in range(1, count + 1) for sign in (1, -1)}
    for clause in clauses:
        for literal in clause:
            holds_in[literal].append(clause)
    value: dict[int, bool] = {}
    budget_left = [budget]

    def put(literal: int, trail: list[int]) -> bool:
        waiting = [literal]
        while waiting:
            literal = waiting.pop()
            if abs(literal) in value:
                if value[abs(literal)] != (literal > 0):
                    return False
                continue
            value[abs(literal)] = literal > 0
            trail.append(abs(literal))
            for clause in holds_in[-literal]:
                unset = [other for other in clause if abs(other) not in value]
                if len(unset) < 2 and not any(value.get(abs(other)) == (other > 0) for other in clause):
                    if not unset:
                        return False
                    waiting.append(unset[0])
        return True

    def tried() -> bool:
        budget_left[0] -= 1
        if budget_left[0] < 0:
            return False
        open_ones = [c for c in clauses if not any(value.get(abs(literal)) == (literal > 0) for literal in c)]
        if not open_ones:
            return True
        shortest = min(open_ones, key=lambda clause: sum(abs(literal) not in value for literal in clause))
        choices = [literal for literal in shortest if abs(literal) not in value]
        literal = next((choice for choice in choices if (choice > 0) == first), choices[0])
        for guess in (literal, -literal):
            trail: list[int] = []
            if put(guess, trail) and tried():
                return True
            for k in trail:
                del value[k]
        return False

    ground: list[int] = []
    if all(put(clause[0], ground) for clause in clauses if len(clause) == 1) and all(clauses) and tried():
        return value
    return None


def _literal(literal: Literal) -> str:
    if literal.name == "=":
        return f"{literal.variables[0]} {'=' if literal.holds else '!='} {literal.variables[1]}"
    return f"{'' if literal.holds else 'not '}{literal.name}({', '.join(literal.variables)})"


def describe(name: str, values: Sequence[int], holds: bool) -> str:
    return f"{'' if holds else 'not '}{name}({', '.join(map(str, values))})"


def elements(text: str, arity: int, size: int) -> frozenset[tuple[int, ...]] | None:
    """The elements or pairs that a line lists, None where it lists anything else or one of them twice."""
    plain = PAIR.sub(r" \1-\2 ", text) if arity == 2 else text
    plain = plain.strip().strip("*`").strip().removesuffix(".")
    plain = plain[1:-1] if plain[:1] == "{" and plain[-1:] == "}" else plain
    if plain.strip().lower() in ("none", ""):
        return frozenset()
    words = [word for word in re.split(r"[\s,;]+", plain.strip()) if word]
    shape = re.compile("-".join(["[0-9]{1,3}"] * arity))
    if not all(shape.fullmatch(word) for word in words):
        return None
    tuples = [tuple(map(int, word.split("-"))) for word in words]
    inside = all(1 <= value <= size for values in tuples for value in values)
    return frozenset(tuples) if inside and len(set(tuples)) == len(tuples) else None
