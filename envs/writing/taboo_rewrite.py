"""Rewrite a text so that it says exactly the same without negation, "unless" and "only if", in as few sentences as possible.

Only conditionals between positive statements and exclusive alternatives are allowed. What a negation said must come from the other half of an alternative, and
one sentence may take the place of several. Two texts say the same if they are true in the same cases of the truth table.
"""

from functools import cache
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import count_noun, join_words
from rlgym.generators.writing.covers import Cover, greedy_cover, minimum_cover
from rlgym.generators.writing.criteria import Claims, Fault, at_most, every, score_text
from rlgym.generators.writing.language import Claim, Form, Gap, Language
from rlgym.generators.writing.statements import mask_of, names_of, sample_statements
from rlgym.generators.writing.variants import reordered_texts, retracted_texts, without_each

Literal = tuple[int, bool]
Sentence = tuple[str, int, int]
"""A form, and its two sets of statements as bit masks."""
MEANINGS = {
    " unless ": '"X unless Y" means that at least one of the two is true.',
    " only if ": '"X only if Y" means that X is never true without Y.',
    "When ": '"When X, ..." says nothing about cases in which X is not true.',
}


class Knobs(Config):
    statements: int = knob(5, easy=3, hard=7, beyond=9, doc="statements that the text speaks of")
    pairs: int = knob(2, easy=1, hard=3, beyond=4, doc="pairs of statements of which exactly one is true")
    clauses: int = knob(3, easy=1, hard=6, beyond=9, doc="further sentences of the text")
    literals: int = knob(2, easy=2, hard=3, doc="the most statements in one of these sentences")


class Data(TaskData):
    statements: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    clauses: tuple[tuple[Literal, ...], ...]
    sentences: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def is_plain(data: Data) -> bool:
        """Whether always taking the sentence that rules out the most is short enough."""
        return knobs.clauses > 4 and len(_fewest(data, greedy_cover)) == data.sentences

    data = draw_against(lambda: _sample_data(rng, knobs), is_plain, 15)
    return Task(_render_prompt(rng, data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _fewest(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data, table = task.data, _table(task.data)
    size = len(data.statements)

    def said(claim: Claim) -> int:
        if claim.form == "if":
            return _satisfying_rows(
                ("if", mask_of(claim.words("premises"), data.statements), mask_of(claim.words("conclusions"), data.statements)), size
            )
        return _satisfying_rows(
            ("either", mask_of([claim.word("first")], data.statements), mask_of([claim.word("second")], data.statements)), size
        )

    def complete(claims: Claims) -> Fault | None:
        left = (1 << (1 << size)) - 1
        for claim in claims:
            left &= said(claim)
        more = (left & ~table).bit_count()
        return Fault("the text leaves cases open that the original rules out", (), 1 - more / (1 << size)) if more else None

    return score_text(
        _language(data), answer,
        true=every(lambda claim: not table & ~said(claim), "a sentence rules out a case that the original allows"),
        complete=complete, length=at_most(data.sentences),
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, best = task.data, _fewest(task.data)
    turned = [(form, second, first) if form == "if" else (form, first, second) for form, first, second in best]
    table = _table(data)
    converse = [_text(data, turned)] if any(table & ~_satisfying_rows(each, len(data.statements)) for each in turned) else []
    return [*converse, *retracted_texts(right), *without_each(_language(data), right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(2 ** len(data.statements) * (len(data.pairs) + sum(len(clause) for clause in data.clauses)))


def explain(task: Task[Data]) -> list[str]:
    data, size = task.data, len(task.data.statements)
    steps = [f"The original is true in {count_noun(_table(data).bit_count(), 'case')} of {1 << size}."]
    for sentence in _fewest(data):
        steps += [
            f"This follows from it and rules out {count_noun((1 << size) - _satisfying_rows(sentence, size).bit_count(), 'case')}: {_text(data, [sentence])}"
        ]
    return [*steps, f"Together they rule out all the other cases:\n{solve(task)}"]


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    pairs_wanted = min(knobs.pairs, knobs.statements // 2)
    while True:
        statements = sample_statements(rng, knobs.statements)
        order = rng.shuffled(range(knobs.statements))
        pairs = tuple((order[2 * i], order[2 * i + 1]) for i in range(pairs_wanted))
        clauses = tuple(dict.fromkeys(_clause(rng, knobs, order, 2 * pairs_wanted) for _ in range(knobs.clauses)))
        data = Data(statements=statements, pairs=pairs, clauses=clauses, sentences=0)
        best = _fewest(data)
        if best and _table(data).bit_count() > 1 + (knobs.statements > 4) and len(best) > (knobs.clauses > 1):
            return data.model_copy(update={"sentences": len(best)})


def _clause(rng: Rng, knobs: Knobs, order: list[int], paired: int) -> tuple[Literal, ...]:
    """Literals of which at least one is true: a conditional of positive statements in which some are replaced by the negation of the other of their pair."""
    while True:
        chosen = rng.sample(range(knobs.statements), min(knobs.statements, rng.integer(2, knobs.literals)))
        turned = [(at ^ 1, place > 0) if at < paired and rng.chance(0.6) else (at, place == 0) for place, at in enumerate(chosen)]
        if len({at for at, _ in turned}) == len(turned):
            return tuple(sorted((order[at], positive) for at, positive in turned))


@cache
def _columns(size: int) -> tuple[int, ...]:
    """For each statement, the rows of the truth table in which it is true, as a bit mask."""
    return tuple(sum(1 << row for row in range(1 << size) if row >> i & 1) for i in range(size))


def _table(data: Data) -> int:
    """The rows in which the original is true."""
    size = len(data.statements)
    columns, every_row = _columns(size), (1 << (1 << size)) - 1
    table = every_row
    for first, second in data.pairs:
        table &= columns[first] ^ columns[second]
    for clause in data.clauses:
        some = 0
        for at, positive in clause:
            some |= columns[at] if positive else every_row & ~columns[at]
        table &= some
    return table


def _satisfying_rows(sentence: Sentence, size: int) -> int:
    """The rows in which a sentence is true."""
    form, first, second = sentence
    columns, every_row = _columns(size), (1 << (1 << size)) - 1
    sides = []
    for mask in (first, second):
        rows = every_row
        for i in range(size):
            rows &= columns[i] if mask >> i & 1 else every_row
        sides.append(rows)
    return sides[0] ^ sides[1] if form == "either" else every_row & ~sides[0] | sides[1]


def _fewest(data: Data, cover: Cover = minimum_cover) -> list[Sentence]:
    """The fewest allowed sentences that say the same: a smallest cover of what is ruled out by sentences that follow, each as strong as possible."""
    size, table = len(data.statements), _table(data)
    columns, every_row = _columns(size), (1 << (1 << size)) - 1
    allowed: list[Sentence] = [
        ("either", 1 << a, 1 << b) for a, b in combinations(range(size), 2) if not table & ~(columns[a] ^ columns[b])
    ]
    for premises in range(1, 1 << size):
        rows = table
        for i in range(size):
            rows &= columns[i] if premises >> i & 1 else every_row
        conclusions = sum(1 << i for i in range(size) if not premises >> i & 1 and not rows & ~columns[i])
        if conclusions:
            allowed.append(("if", premises, conclusions))
    ruled_out = [every_row & ~_satisfying_rows(sentence, size) for sentence in allowed]
    return [allowed[at] for at in cover(every_row & ~table, ruled_out) or []]


def _text(data: Data, sentences: list[Sentence]) -> str:
    language, names = _language(data), data.statements
    return " ".join(
        language.write("if", premises=names_of(first, names), conclusions=names_of(second, names))
        if form == "if"
        else language.write("either", first=names_of(first, names)[0], second=names_of(second, names)[0])
        for form, first, second in sentences
    )


def _language(data: Data) -> Language:
    names = data.statements
    gaps = (
        Gap("premises", names, "and", note="one or more of the statements"), Gap("conclusions", names, "and", note="one or more of the statements"),
        Gap("first", names, note="one statement"), Gap("second", names, note="one statement"),
    )  # fmt: skip
    forms = (Form("if", "If {premises}, then {conclusions}."), Form("either", "Either {first} or {second}, but never both."))
    return Language(forms, gaps)


def _render_prompt(rng: Rng, data: Data) -> str:
    sentences = [f"{data.statements[a]} if and only if it is not true that {data.statements[b]}." for a, b in data.pairs]
    sentences += [_phrase(data, clause) for clause in data.clauses]
    text = " ".join(sentence[0].upper() + sentence[1:] for sentence in rng.shuffled(sentences))
    meanings = " ".join(meaning for word, meaning in MEANINGS.items() if word in text)
    return (
        f"A text about these statements, each of which may be true or not: {join_words(data.statements)}.\n\n{text}\n\n{meanings} Rewrite the text in at most "
        f"{count_noun(data.sentences, 'sentence')} so that it is true in exactly the same cases. Write only sentences of these "
        f"forms:\n{_language(data).describe()}"
    )


def _phrase(data: Data, clause: tuple[Literal, ...]) -> str:
    """A sentence that says that one of the literals is true, with a word that the rewriting must avoid."""
    positive = [data.statements[at] for at, is_true in clause if is_true]
    negative = [data.statements[at] for at, is_true in clause if not is_true]
    if not negative:
        return f"{positive[0]} unless {join_words(positive[1:], 'or')}."
    when = f"when {negative.pop()}, " if len(clause) > 2 else ""
    if not positive:
        return f"{when}it is never true both that {negative[0]} and that {negative[1]}."
    if not negative:
        return f"{when}{positive[0]} unless {positive[1]}."
    return f"{when}{negative[0]} only if {positive[0]}."


environment = Environment(
    Knobs, Passage("the rewritten text"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: reordered_texts(_language(task.data), solve(task)),
    shared_helpers="The helpers compute truth tables, which define what a sentence says, and the fewest sentences, which the prompt states.",
    concept="Where one of two statements is always true and the other is not, each can stand for the negation of the other.",
)  # fmt: skip
