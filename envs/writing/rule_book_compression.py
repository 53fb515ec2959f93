"""Rewrite a rule book with the same consequences in as few rules as possible.

A rule concludes one or more statements from one or more others. What a smallest equivalent rule book needs is known: a rule for each set of statements that
the smaller ones do not yet complete (Guigues and Duquenne). Joining rules of the same premises, or leaving out those that follow, is not enough.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import count_noun, join_words
from rlgym.generators.writing.criteria import Claims, Fault, at_most, every, score_text
from rlgym.generators.writing.language import Claim, Form, Gap, Language
from rlgym.generators.writing.statements import Rule, closure, mask_of, names_of, sample_statements
from rlgym.generators.writing.variants import reordered_texts, retracted_texts, without_each


class Knobs(Config):
    statements: int = knob(6, easy=3, hard=8, doc="statements that the rules speak of")
    rules: int = knob(6, easy=2, hard=11, doc="rules of the book")
    premises: int = knob(2, easy=1, hard=3, doc="the most premises of a rule")


class Data(TaskData):
    statements: tuple[str, ...]
    rules: tuple[Rule, ...]
    sentences: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = draw_against(
        lambda: _sample_data(rng, knobs), lambda data: knobs.rules > 5 and data.sentences >= _count_merged_rules(data.rules), 60
    )
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _smallest(task.data.rules, len(task.data.statements)))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data

    def rule(claim: Claim) -> Rule:
        return mask_of(claim.words("premises"), data.statements), mask_of(claim.words("conclusions"), data.statements)

    def complete(claims: Claims) -> Fault | None:
        written = [rule(claim) for claim in claims]
        lost = [premises for premises, conclusions in data.rules if conclusions & ~closure(premises, written)]
        return (
            Fault("something that follows from the book does not follow from the text", (), 1 - len(lost) / len(data.rules))
            if lost
            else None
        )

    return score_text(
        _language(data), answer,
        true=every(lambda claim: not rule(claim)[1] & ~closure(rule(claim)[0], data.rules), "a sentence does not follow from the book"),
        complete=complete, length=at_most(data.sentences),
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, language = task.data, _language(task.data)
    turned = tuple((conclusions, premises) for premises, conclusions in data.rules)
    return [_text(data, data.rules), _text(data, turned), *retracted_texts(right), *without_each(language, right)]


def cost(task: Task[Data]) -> float:
    return float(2 ** len(task.data.statements) * len(task.data.rules))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps = [
        f"From {join_words(names_of(premises, data.statements))} alone it follows that {join_words(names_of(conclusions, data.statements))}."
        for premises, conclusions in _smallest(data.rules, len(data.statements))
    ]
    return [*steps, f"Every other rule of the book follows from these:\n{solve(task)}"]


def _rule(rng: Rng, knobs: Knobs) -> Rule:
    most = rng.integer(1, knobs.premises) + rng.integer(1, 2 if knobs.statements > 4 else 1)
    chosen = rng.sample(range(knobs.statements), min(most, knobs.statements))
    size = rng.integer(1, min(knobs.premises, len(chosen) - 1))
    return sum(1 << i for i in chosen[:size]), sum(1 << i for i in chosen[size:])


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    while True:
        rules = tuple(_rule(rng, knobs) for _ in range(knobs.rules))
        best = len(_smallest(rules, knobs.statements))
        if best < len(rules):
            return Data(statements=sample_statements(rng, knobs.statements), rules=rules, sentences=best)


def _count_merged_rules(rules: tuple[Rule, ...]) -> int:
    """How many rules are left without those that follow from the others, and with those of the same premises joined."""
    kept = list(rules)
    for rule in rules:
        others = [other for other in kept if other is not rule]
        if not rule[1] & ~closure(rule[0], others):
            kept = others
    return len({premises for premises, _ in kept})


def _smallest(rules: tuple[Rule, ...], statements: int) -> list[Rule]:
    """The canonical basis: a rule for each pseudo-closed set, found from the smallest sets upwards."""
    found = list[Rule]()
    for known in sorted(range(1, 1 << statements), key=int.bit_count):
        whole = closure(known, rules)
        inside = all(premises == known or premises & known != premises or not conclusions & ~known for premises, conclusions in found)
        if whole != known and inside:
            found.append((known, whole))
    # A premise that the rest of the premises gives with the other rules is left out, which keeps the number of rules.
    for at, (premises, conclusions) in enumerate(found):
        others = found[:at] + found[at + 1 :]
        for bit in (1 << i for i in range(statements)):
            if premises & bit and premises != bit and closure(premises & ~bit, others) & bit:
                premises &= ~bit
        found[at] = (premises, conclusions & ~premises)
    return found


def _text(data: Data, rules: tuple[Rule, ...] | list[Rule]) -> str:
    language, names = _language(data), data.statements
    return " ".join(language.write("if", premises=names_of(p, names), conclusions=names_of(c, names)) for p, c in rules)


def _language(data: Data) -> Language:
    note = "one or more of the statements"
    gaps = (Gap("premises", data.statements, "and", note=note), Gap("conclusions", data.statements, "and", note=note))
    return Language((Form("if", "If {premises}, then {conclusions}."),), gaps)


def _render_prompt(data: Data) -> str:
    return (
        f"A rule book speaks of these statements: {join_words(data.statements)}. It says:\n\n{_text(data, data.rules)}\n\n"
        f"Rewrite it in at most {count_noun(data.sentences, 'sentence')} so that exactly the same follows: every sentence of yours must follow from the book, "
        f"and every rule of the book from yours. Write only sentences of this form:\n{_language(data).describe()}"
    )


environment = Environment(
    Knobs, Passage("the new rule book"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: reordered_texts(_language(task.data), solve(task)),
    shared_helpers="The helpers compute what follows from rules, by the definition of following, and write the stated form.",
    concept="Ask of each set of premises what follows from it in the end, and chain rules so that one sentence does the work of several.",
)  # fmt: skip
