"""Reports on how many jars people sold: sentences that state linear equations, and errors in them of which one word is the only repair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.algebra.eliminations import rank
from rlgym.generators.facts.sentence_banks import Bank

BANK = Bank("""
value: {a} sold {number} jars. | The sales of {a} came to {number} jars.
diff: {a} sold {number} {cmp} jars than {b}. | Compared with {b}, {a} sold {number} {cmp} jars.
sum: {a} and {b} sold {number} jars in all. | Between them, {a} and {b} sold {number} jars.
times: {a} sold {times} as many jars as {b}. | Compared with {b}, {a} sold {times} as many jars.
pair: {a} sold as many jars as {b} and {c} together. | {b} and {c} together sold as many jars as {a}.
trio: {a} and {b} together sold {number} {cmp} jars than {c}. | Together, {a} and {b} sold {number} {cmp} jars than {c}.
""")
SEASONAL = Bank("""
value: In {sa}, {a} sold {number} jars. | The sales of {a} in {sa} came to {number} jars.
diff: {a} sold {number} {cmp} jars in {sa} than {b} in {sb}. | Compared with {b} in {sb}, {a} sold {number} {cmp} jars in {sa}.
sum: {a} in {sa} and {b} in {sb} sold {number} jars in all. | Between them, {a} in {sa} and {b} in {sb} sold {number} jars.
times: {a} in {sa} sold {times} as many jars as {b} in {sb}. | Compared with {b} in {sb}, {a} sold {times} as many jars in {sa}.
pair: {a} in {sa} sold as many jars as {b} in {sb} and {c} in {sc} together.
trio: {a} in {sa} and {b} in {sb} together sold {number} {cmp} jars than {c} in {sc}.
""")
TERMS = {
    "value": {"a": 1}, "diff": {"a": 1, "b": -1}, "sum": {"a": 1, "b": 1}, "times": {"a": 1, "b": -1}, "pair": {"a": 1, "b": -1, "c": -1},
    "trio": {"a": 1, "b": 1, "c": -1},
}  # fmt: skip
"""The signs of the amounts in the equation that a sentence states."""
FORMS = {
    "plain": ("value", "diff", "sum"),
    "compared": ("diff", "diff", "sum", "times", "pair"),
    "joint": ("trio", "trio", "trio", "pair", "sum", "times"),
}
COMPARISONS, SEASONS = ("more", "fewer"), ("spring", "autumn")
MULTIPLES = {"half": (2, 1), "twice": (1, 2), "thrice": (1, 3)}
ERRORS = {"number": ("number",), "name": ("a", "b", "c"), "word": ("cmp", "times", "sa", "sb", "sc")}
Values = Mapping[str, int | Fraction]
LEAST_CONSPICUOUS = 9
"""A comparison is only turned round where its number is at most this; else it is plainly impossible."""
PRIME = 2**61 - 1
"""Above every minor of the equations, so that ranks modulo it are exact."""


class Statement(TaskData):
    kind: str
    gaps: dict[str, str]


def equation(statement: Statement, amounts: Sequence[str]) -> list[int]:
    """The equation that a sentence states: the factor of each amount, and what they add up to."""
    gaps = statement.gaps
    row = [0] * (len(amounts) + 1)
    for gap, sign in TERMS[statement.kind].items():
        row[amounts.index(amount(gaps, gap))] += sign * MULTIPLES[gaps["times"]][gap == "b"] if "times" in gaps else sign
    row[-1] = int(gaps.get("number", 0)) * (-1 if gaps.get("cmp") == "fewer" else 1)
    return row


def amount(gaps: Mapping[str, str], gap: str) -> str:
    """The amount that a gap speaks of: a person, or a person in a season."""
    return f"{gaps[gap]} in {gaps['s' + gap]}" if f"s{gap}" in gaps else gaps[gap]


def is_amount(name: str, number: int, amounts: Sequence[str]) -> list[int]:
    """The equation that an amount is this number."""
    return [*(int(other == name) for other in amounts), number]


def is_true(statement: Statement, values: Values) -> bool:
    """Whether a sentence is true of these amounts and speaks of different ones."""
    spoken_of = [amount(statement.gaps, gap) for gap in TERMS[statement.kind]]
    names = list(dict.fromkeys(spoken_of))
    *row, said = equation(statement, names)
    return len(names) == len(spoken_of) and sum(factor * values[name] for factor, name in zip(row, names)) == said


def repairs(statement: Statement, values: Values, people: Sequence[str]) -> Iterator[tuple[str, str]]:
    """All changes of one word or number, as (gap, word), that make a sentence true of these amounts."""
    for gap, word in statement.gaps.items():
        if gap == "number":
            *row, _ = equation(statement, list(values))
            options: Sequence[str] = [str(abs(sum(factor * value for factor, value in zip(row, values.values()))))]
        else:
            options = _words(gap, people)
        for option in options:
            changed = Statement(kind=statement.kind, gaps=statement.gaps | {gap: option})
            if option not in (word, "0") and is_true(changed, values):
                yield gap, option


def _words(gap: str, people: Sequence[str]) -> Sequence[str]:
    """The words that can stand in a gap."""
    return COMPARISONS if gap == "cmp" else list(MULTIPLES) if gap == "times" else people if gap in TERMS["trio"] else SEASONS


def sample_statements(rng: Rng, forms: str, values: Mapping[str, int], size: int) -> list[Statement]:
    """True sentences of these forms, no two of a form about the same amounts; fewer than `size` where the dice find no more."""
    found = dict[tuple[str, ...], Statement]()
    for _ in range(6 * size):
        if len(found) < size and (statement := sample_statement(rng, rng.choice(FORMS[forms]), values)):
            spoken_of = [amount(statement.gaps, gap) for gap in TERMS[statement.kind]]
            found.setdefault((statement.kind, *sorted(spoken_of[:2]), *spoken_of[2:]), statement)
    return list(found.values())


def sample_statement(rng: Rng, kind: str, values: Mapping[str, int]) -> Statement | None:
    """A true sentence of a kind; None where there is none."""
    ways = list(permutations(values, len(TERMS[kind])))
    for names in rng.sample(ways, min(len(ways), 20)) if kind in ("pair", "times") else [rng.choice(ways)]:
        gaps = {gap: name.partition(" in ")[0] for gap, name in zip("abc", names)}
        gaps |= {f"s{gap}": name.partition(" in ")[2] for gap, name in zip("abc", names) if " in " in name}
        if kind == "times":
            options = [gaps | {"times": word} for word in MULTIPLES]
        elif kind == "pair":
            options = [gaps]
        else:
            total = sum(sign * values[name] for sign, name in zip(TERMS[kind].values(), names))
            numbered = gaps | {"number": str(abs(total))}
            compared = {"cmp": COMPARISONS[total < 0]} if kind in ("diff", "trio") else {}
            options = [numbered | compared] if abs(total) > 1 else []
        for option in options:
            if is_true(statement := Statement(kind=kind, gaps=option), values):
                return statement
    return None


def sample_error(
    rng: Rng, kind: str, true: Sequence[Statement], values: Mapping[str, int], people: Sequence[str]
) -> tuple[int, str, Statement] | None:
    """The place of a sentence, the gap that becomes wrong, and the sentence with the error; None where the dice find none with a single repair."""
    for _ in range(30):
        at = rng.integer(0, len(true) - 1)
        gaps = true[at].gaps
        gap = rng.choice([gap for gap in gaps if gap in ERRORS[kind]] or [""])
        if not gap or (gap == "cmp" and int(gaps["number"]) > LEAST_CONSPICUOUS):
            continue
        if gap == "number":
            others = [number for number in range(max(2, int(gaps[gap]) - 9), int(gaps[gap]) + 10) if str(number) != gaps[gap]]
            changed = Statement(kind=true[at].kind, gaps=gaps | {gap: str(rng.choice(others))})
        else:
            changed = Statement(
                kind=true[at].kind, gaps=gaps | {gap: rng.choice([word for word in _words(gap, people) if word != gaps[gap]])}
            )
        spoken_of = {amount(changed.gaps, part) for part in TERMS[changed.kind]}
        if len(spoken_of) < len(TERMS[changed.kind]) or is_true(changed, values):
            continue
        if list(repairs(changed, values, people)) == [(gap, gaps[gap])]:
            return at, gap, changed
    return None


def is_found(at: int, rows: Sequence[Sequence[int]], table: Sequence[Sequence[int]], least: int) -> bool:
    """Whether the equation at this place, whose right side is wrong, is the only one without which the others agree, and they have one solution.

    No `least` of the others alone contradict it.
    """
    wrong = rows[at][:-1]
    others = [row[:-1] for k, row in enumerate(rows) if k != at]
    known = [row[:-1] for row in table]
    if rank([*known, *others], PRIME) < len(wrong):
        return False
    for other in range(len(others)):
        rest = [*known, *others[:other], *others[other + 1 :]]
        if rank([*rest, wrong], PRIME) > rank(rest, PRIME):
            return False
    return not any(_is_combination(wrong, few) for few in combinations(others, least))


def _is_combination(row: Sequence[int], rows: Sequence[Sequence[int]]) -> bool:
    """Whether a row is a combination of a few others that all count; cheap to deny where an amount occurs in one row alone."""
    columns = zip(row, *rows)
    if not rows or any(sum(map(bool, column)) == 1 for column in columns):
        return False
    return rank([*rows, row], PRIME) == rank(rows, PRIME)
