"""Find a short formula of yes-no variables that gives every row of a table its verdict."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.text.english import number_word
from rlgym.solutions import Derivation, Solution, Step

Term = tuple[str, ...]
LETTERS = "abcdefghijkl"
TAKE = Step("Take the formula {formula}, of {terms:int} term(s) with at most {literals:int} letter(s) each")
ROW = Step("Row {row}, {cells}: {why}, so {verdict} as in the table")


class Knobs(Config):
    variables: int = knob(5, easy=4, hard=9, beyond=12, doc="how many variables")
    terms: int = knob(2, easy=1, hard=4, beyond=6, doc="terms of the formula at most")
    literals: int = knob(2, easy=2, hard=3, doc="letters of a term at most")
    rows: int = knob(12, easy=8, hard=40, beyond=64, doc="rows of the table at most")


class Data(TaskData):
    rows: tuple[tuple[int, ...], ...]
    verdicts: tuple[bool, ...]
    terms: int
    literals: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Any terms."""
    while True:
        terms = [_sample_term(rng, rng.sample(LETTERS[: knobs.variables], knobs.literals)) for _ in range(knobs.terms)]
        if task := _sample_task(rng, knobs, terms):
            return task


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """All terms over the same few variables, so that no variable alone tells anything."""
    while True:
        first = _sample_term(rng, rng.sample(LETTERS[: knobs.variables], knobs.literals))
        terms = [first, *(tuple(_negated_literal(word) if rng.chance(0.6) else word for word in first) for _ in range(knobs.terms - 1))]
        if task := _sample_task(rng, knobs, terms):
            return task


def _sample_term(rng: Rng, letters: Sequence[str]) -> Term:
    return tuple(rng.choice(("", "!")) + letter for letter in sorted(letters))


def _negated_literal(word: str) -> str:
    return word[1:] if word[0] == "!" else f"!{word}"


def _sample_task(rng: Rng, knobs: Knobs, terms: Sequence[Term]) -> Task[Data] | None:
    every = list(product((0, 1), repeat=knobs.variables))
    yes, no = ([row for row in every if any(_term_holds(term, row) for term in terms) == truth] for truth in (True, False))
    if len(no) < 2:
        return None
    half = knobs.rows // 2
    rows = rng.shuffled(rng.shuffled(yes)[:half] + rng.shuffled(no)[: knobs.rows - half])
    verdicts = tuple(any(_term_holds(term, row) for term in terms) for row in rows)
    columns = [tuple(map(bool, column)) for column in zip(*rows)]
    if any(column in (verdicts, tuple(not verdict for verdict in verdicts)) for column in columns):
        return None  # one letter would do
    names = " ".join(LETTERS[: knobs.variables])
    listing = "\n".join(f"{' '.join(map(str, row))} {'yes' if verdict else 'no'}" for row, verdict in zip(rows, verdicts))
    holds = "the term holds" if knobs.terms == 1 else "at least one of its terms holds"
    formula = "one term" if knobs.terms == 1 else f'{_one_up_to(knobs.terms)} terms with the word "or" between them'
    example = "a !b" if knobs.terms == 1 else "a !b or c"
    prompt = (
        f"A table of the variables {', '.join(names.split())}, each 0 or 1, with a verdict for each row:\n{names} verdict\n{listing}\n\nA term is "
        f"{_one_up_to(knobs.literals)} variable{'s' * (knobs.literals > 1)}, each with or without ! before it; it holds in a row if all its variables "
        f"without ! are 1 in that row and all those with ! are 0. A formula is {formula}; its verdict for a row is yes if {holds}, "
        f"and no otherwise. Write a formula that gives every row of the table its verdict, in one line such as: {example}. Any such formula is accepted."
    )
    return Task(prompt, Data(rows=tuple(rows), verdicts=verdicts, terms=knobs.terms, literals=knobs.literals))


def _term_holds(term: Term, row: Sequence[int]) -> bool:
    return all(row[LETTERS.index(word[-1])] == (word[0] != "!") for word in term)


def _split_terms(answer: Sequence[str]) -> list[Term]:
    terms: list[list[str]] = [[]]
    for word in answer:
        if word == "or":
            terms.append([])
        else:
            terms[-1].append(word)
    return [tuple(term) for term in terms]


def _covering_terms(data: Data, order: int) -> Iterator[list[Term]]:
    """Sets of terms that hold in no row with no, and together in all rows with yes."""
    positives = sum(1 << k for k, verdict in enumerate(data.verdicts) if verdict)
    covers: dict[int, Term] = {}
    for size in range(1, data.literals + 1):
        for letters in list(combinations(LETTERS[: len(data.rows[0])], size))[::order]:
            for signs in product(("", "!"), repeat=size):
                term = tuple(sign + letter for sign, letter in zip(signs, letters))
                covered = sum(1 << k for k, row in enumerate(data.rows) if _term_holds(term, row))
                if covered and not covered & ~positives:
                    covers.setdefault(covered, term)

    def chosen(uncovered: int, terms: int) -> Iterator[list[Term]]:
        if not uncovered:
            yield []
        elif terms:
            first = uncovered & -uncovered
            for covered, term in covers.items():
                if covered & first:
                    yield from ([term, *rest] for rest in chosen(uncovered & ~covered, terms - 1))

    yield from chosen(positives, data.terms)


def solve(task: Task[Data]) -> Term:
    return _join_terms(next(_covering_terms(task.data, 1)))


def solutions(task: Task[Data]) -> list[Term]:
    """With the variables from the last on."""
    return [_join_terms(next(_covering_terms(task.data, -1))), solve(task)]


def _join_terms(terms: Sequence[Term]) -> Term:
    return tuple(word for k, term in enumerate(terms) for word in (("or",) if k else ()) + term)


def verify(task: Task[Data], answer: Term) -> Score:
    data, letters = task.data, LETTERS[: len(task.data.rows[0])]
    terms = _split_terms(answer)
    if len(terms) > data.terms or not all(1 <= len(term) <= data.literals for term in terms):
        return Score.wrong(f"expected at most {data.terms} terms of 1 to {data.literals} letters")
    if not all(len(word.removeprefix("!")) == 1 and word[-1] in letters for term in terms for word in term):
        return Score.wrong("expected variables, with or without ! before them, and the word or")
    wrong = sum(any(_term_holds(term, row) for term in terms) != verdict for row, verdict in zip(data.rows, data.verdicts))
    return Score.exact(not wrong, f"{wrong} rows get another verdict")


def mistakes(task: Task[Data], right: Term) -> list[Term]:
    flipped = tuple(word if word == "or" else _negated_literal(word) for word in right)
    return [flipped, (_negated_literal(right[0]), *right[1:]), right[:1], (*right, "or"), (*right, "or", *right), ("a", "!a")]


def cost(task: Task[Data]) -> float:
    data, count = task.data, 1
    for _ in range(data.literals):
        count *= 2 * len(data.rows[0])
    return float(count * data.terms * len(data.rows))


def derive(task: Task[Data]) -> Derivation:
    data = task.data

    def fits(formula: str, terms: int, literals: int) -> bool:
        words = tuple(formula.split())
        return verify(task, words).value == 1 and (terms, literals) == (len(_split_terms(words)), max(map(len, _split_terms(words))))

    shortest = next(_covering_terms(data, 1))
    taken = yield TAKE(formula=" ".join(_join_terms(shortest)), terms=len(shortest), literals=max(map(len, shortest))).accepting(fits)
    terms = _split_terms(taken["formula"].split())
    for number, row in enumerate(data.rows, 1):
        holding = [" ".join(term) for term in terms if _term_holds(term, row)]
        why = f"{holding[0]} holds" if holding else "no term holds"
        yield ROW(row=number, cells=" ".join(map(str, row)), why=why, verdict="yes" if holding else "no")


def _one_up_to(most: int) -> str:
    return {1: "one", 2: "one or two"}.get(most, f"one to {number_word(most)}")


environment = Environment(
    Knobs, Words("the formula as words separated by spaces", max_items=60, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The formula: {answer}", whole=True), shift=shift, answers="many", solutions=solutions, version=6,
    concept="Find terms that hold in no row with no, and choose few of them that hold in all rows with yes.",
)  # fmt: skip
