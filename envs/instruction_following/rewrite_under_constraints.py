"""Rewrite a few sentences of facts: keep every fact, use none of the old verbs, and meet rules on form, words and letters."""

from collections.abc import Iterator
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.constraints.broken import breaking_texts
from rlgym.generators.constraints.compose import Vocabulary, bank, compose_text, meets, right_texts
from rlgym.generators.constraints.derivation import derive_text
from rlgym.generators.constraints.kinds import Constraint, agree, describe, holds, notes_of
from rlgym.generators.constraints.stacks import Stack, sample_kinds, stack
from rlgym.generators.constraints.views import View
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Derivation, Solution

NUMBERS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
VERBS = ("bought", "sold", "found", "lost", "painted", "counted", "carried", "hid", "packed", "washed", "gave", "took")
SAID = (
    "On {day} {person} {verb} {number} {thing} cards.",
    "{person}, who is fond of such things, {verb} {number} {thing} cards on {day}.",
    "It was on {day} that {person} {verb} the {number} {thing} cards.",
    "{number} {thing} cards were what {person} {verb} on {day}.",
)
TASKS = (
    "{person} asked for {number} {thing} cards to be ready by {day}.",
    "By {day}, {number} {thing} cards must be with {person}, it was agreed.",
    "Nobody but {person} may see the {number} {thing} cards before {day}.",
    "For {day}, {person} wants {number} {thing} cards and not one more.",
)
FORM = (
    "words_exact",
    "words_between",
    "sentences",
    "paragraphs",
    "line_words",
    "upper",
    "lower",
    "title",
    "bullets",
    "no_stop",
    "ends_mark",
)
PATTERN = (
    "palindromic_lines",
    "rising_lines",
    "commas",
    "questions",
    "bold",
    "sentence_most",
    "line_most",
    "postscript",
    "headings",
    "length_least",
)
PLACED = ("start_word", "end_word", "count", "include", "nth_word", "telestich", "order")
END = "So this text meets all rules:\n{answer}"


class Knobs(Config):
    facts: int = knob(3, easy=2, hard=6, doc="sentences to rewrite")
    rules: int = knob(4, easy=1, hard=9, doc="rules besides those on facts and verbs")
    order: str = knob(
        "any", easy="any", hard="name", order=("any", "same", "name"), doc="the facts come in any order, the same one, or that of the names"
    )
    mixed: str = knob(
        "pattern", easy="form", hard="placed", order=("form", "pattern", "placed"), doc="rules on form, on patterns too, or also on places"
    )


class Data(TaskData):
    constraints: tuple[Constraint, ...]
    witness: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, SAID, letter=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Notes of what is wanted instead of what was done, and a letter that must not occur."""
    return _sample_task(rng, knobs, TASKS, letter=True)


def solve(task: Task[Data]) -> str:
    # Found from the rules alone; `generate` wrote a text first and measured it.
    return compose_text(task.data.constraints) or task.data.witness


def verify(task: Task[Data], answer: str) -> Score:
    view = View(answer)
    for constraint in task.data.constraints:
        if not holds(constraint, view):
            return Score.wrong(
                "some fact is not kept as told"
                if "together" in constraint.kind
                else f"the text does not meet this rule: {describe(constraint)}"
            )
    return Score.exact(True)


def mistakes(task: Task[Data], right: str) -> list[str]:
    near = [list(islice(breaking_texts(constraint, right), 40)) for constraint in task.data.constraints]
    return [texts[(7 * i + len(right)) % len(texts)] for i, texts in enumerate(near)][:6]


def cost(task: Task[Data]) -> float:
    return (
        len(task.data.witness.split())
        + 6.0 * len(task.data.constraints)
        + 10.0 * any("order" in constraint.kind for constraint in task.data.constraints)
    )


def derive(task: Task[Data]) -> Derivation:
    yield from derive_text(task.data.constraints, solve(task))


def _sample_task(rng: Rng, knobs: Knobs, sayings: tuple[str, ...], letter: bool) -> Task[Data]:
    among = {"form": FORM, "pattern": FORM + PATTERN, "placed": FORM + PATTERN + PLACED}[knobs.mixed]
    while True:
        avoided = rng.choice("eioun") if letter else ""
        facts = _facts(rng, knobs, avoided)
        kind = "together" if knobs.order == "any" else "together_in_order"
        lines = sorted(facts, key=lambda fact: fact[0]) if knobs.order == "name" else facts
        given = [
            Constraint(kind=kind, words=tuple(" ".join(fact) for fact in lines)),
            Constraint(kind="exclude", words=VERBS if not letter else ("cards",)),
        ]
        if avoided:
            given.append(Constraint(kind="avoid_letter", words=(avoided,)))
        kinds = sample_kinds(
            rng,
            len(given) + knobs.rules,
            [drawn_kind for drawn_kind in among if agree(drawn_kind, kind)],
            [other_kind.kind for other_kind in given],
        )
        drawn = stack(rng, kinds, knobs.facts + rng.integer(0, 2), given=given)
        if drawn:
            prompt = _render_prompt(rng, knobs, facts, drawn, sayings)
            if not any(meets(drawn.constraints, piece) for piece in (prompt, *prompt.split("\n\n"))):
                return Task(prompt, Data(constraints=drawn.constraints, witness=drawn.witness))


def _facts(rng: Rng, knobs: Knobs, avoided: str) -> list[tuple[str, ...]]:
    """Of each fact the person, the number, the thing and the day, all without the letter."""
    free = [[word for word in words if not avoided or avoided not in word] for words in (tuple(map(str.lower, PEOPLE)), NUMBERS, DAYS)]
    things = rng.sample(bank(Vocabulary(avoided=avoided, least=4)), knobs.facts)
    people, numbers = rng.sample(free[0], knobs.facts), rng.sample(free[1], min(knobs.facts, len(free[1])))
    days = [rng.choice(free[2] or ["today"]) for _ in things]
    days = rng.shuffled(free[2])[: knobs.facts] if len(free[2]) >= knobs.facts else []
    if not days or len(numbers) < knobs.facts:
        return _facts(rng, knobs, "")
    return list(zip(people, numbers, things, days, strict=True))


def _render_prompt(rng: Rng, knobs: Knobs, facts: list[tuple[str, ...]], stack_drawn: Stack, sayings: tuple[str, ...]) -> str:
    shown = []
    for person, number, thing, day in facts:
        sentence = rng.choice(sayings).format(person=person.title(), number=number, thing=thing, day=day.title(), verb=rng.choice(VERBS))
        shown.append(sentence[0].upper() + sentence[1:])
    order = {"any": "in any order", "same": "in the order given here", "name": "in the alphabetical order of the names"}[knobs.order]
    rules = [describe(constraint) for constraint in stack_drawn.constraints if "together" not in constraint.kind]
    listed = "\n".join(f"{i}. {rule}" for i, rule in enumerate(rng.shuffled(rules), 1))
    notes = " ".join(notes_of(stack_drawn.constraints))
    return (
        f'Rewrite these notes.\n\n{" ".join(shown)}\n\nEach note holds four key words: a name, a number, a kind of card (the word before "cards") and a '
        "day. In your text each note gets a line of its own that holds its four key words, spelled as here except for letter case, in any order and with "
        f"other words between them; these key words are on no other line. The notes come {order}; there may be further lines between, before and after them. "
        f"Your text need not make sense otherwise: only the rules above and those below are judged.\n\n{listed}\n\n{notes}"
    )


def _solutions(task: Task[Data]) -> Iterator[str]:
    return right_texts(task.data.witness, task.data.constraints)


environment = Environment(
    Knobs, Passage("the text, with its line breaks"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=_solutions,
    concept="Give each fact its line first, then fill up with other words until every rule on form, places and letters is met.",
    version=6,
)  # fmt: skip
