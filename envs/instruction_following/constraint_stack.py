"""Write a text that meets many rules at once: on length, words, letters, marks and form.

The rules can always be met together. They come from one family or several, act on the same words, and at the hard end some of them are taken back
or replaced further down.
"""

from collections.abc import Iterator
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.constraints.broken import breaking_texts
from rlgym.generators.constraints.compose import compose_text, meets, right_texts
from rlgym.generators.constraints.derivation import derive_text
from rlgym.generators.constraints.kinds import KINDS, Constraint, agree, describe, holds, notes_of
from rlgym.generators.constraints.stacks import Stack, sample_kinds, stack
from rlgym.generators.constraints.views import View
from rlgym.solutions import Derivation, Solution

COMPOSING = ("family", "families", "interlocked", "revised")
ANCHORS = ("include", "count", "order", "start_word", "end_word", "line_has", "anaphora", "nth_word", "acrostic", "telestich")
SIZES = ("words_exact", "words_between", "sentences", "lines", "line_words", "paragraphs")
FORMS = ("table", "json_keys", "numbered", "bullets", "headings")
INTERLOCKED = (
    *(
        "acrostic",
        "telestich",
        "chain",
        "refrain",
        "palindromic_lines",
        "rising_lines",
        "no_repeats",
        "avoid_letter",
        "letter_count",
        "all_begin",
    ),
    *("nth_word", "line_has", "order", "words_exact", "sentences", "paragraphs", "commas", "line_most", "sentence_most"),
)
END = "So this text meets all rules:\n{answer}"


class Knobs(Config):
    constraints: int = knob(6, easy=2, hard=13, doc="how many rules there are")
    lines: int = knob(4, easy=2, hard=8, doc="about how many lines a text that meets them has")
    composing: str = knob(
        "interlocked",
        easy="family",
        hard="revised",
        order=COMPOSING,
        doc="rules of one family, of several, on the same words and lines, or with some that are taken back or replaced",
    )


class Data(TaskData):
    constraints: tuple[Constraint, ...]
    witness: str
    composing: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ())


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rules on a table, a JSON object or a list, stated one after the other in a single paragraph."""
    return _sample_task(rng, knobs, FORMS)


def solve(task: Task[Data]) -> str:
    # Found from the rules alone; `generate` wrote a text first and measured it.
    return compose_text(task.data.constraints) or task.data.witness


def verify(task: Task[Data], answer: str) -> Score:
    view = View(answer)
    for constraint in task.data.constraints:
        if not holds(constraint, view):
            return Score.wrong(f"the text does not meet this rule: {describe(constraint)}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: str) -> list[str]:
    near = [list(islice(breaking_texts(constraint, right), 40)) for constraint in task.data.constraints]
    return [texts[(7 * i + len(right)) % len(texts)] for i, texts in enumerate(near)][:6]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.constraints) * (4.0 + COMPOSING.index(data.composing)) + len(data.witness.split())


def derive(task: Task[Data]) -> Derivation:
    yield from derive_text(task.data.constraints, solve(task))


def _sample_task(rng: Rng, knobs: Knobs, forms: tuple[str, ...]) -> Task[Data]:
    while True:
        drawn = stack(rng, _kinds(rng, knobs, forms), max(2, knobs.lines + rng.integer(-1, 1)))
        if drawn:
            prompt = _render_prompt(rng, knobs, drawn, bool(forms))
            pieces = (prompt, *prompt.split("\n"))
            if not any(meets(drawn.constraints, piece) for piece in pieces):
                return Task(prompt, Data(constraints=drawn.constraints, witness=drawn.witness, composing=knobs.composing))


def _kinds(rng: Rng, knobs: Knobs, forms: tuple[str, ...]) -> list[str]:
    """Kinds of rules that can stand together: always a word or letters that must occur, and a size that the text of the rules does not have."""
    while True:
        must = [rng.choice(ANCHORS), rng.choice((*SIZES, *forms * 2))]
        if not agree(*must):
            continue
        if knobs.composing == "family":
            among = [kind for kind in KINDS if KINDS[kind].family in ("size", "keywords")]
        elif knobs.composing == "families":
            among = list(KINDS)
        else:
            must = sample_kinds(rng, max(2, (knobs.constraints + 1) // 2), INTERLOCKED, must)
            among = list(KINDS)
        if forms and not set(must) & set(forms) and not any(all(agree(form, kind) for kind in must) for form in forms):
            continue
        first = [form for form in rng.shuffled(forms) if all(agree(form, kind) for kind in must)][: int(not set(must) & set(forms))]
        kinds = sample_kinds(rng, max(2, knobs.constraints), among, [*must, *first])
        return rng.shuffled(kinds[: max(len(must), knobs.constraints)] if not first else kinds)


def _render_prompt(rng: Rng, knobs: Knobs, stack_drawn: Stack, inline: bool) -> str:
    rules = [describe(constraint) for constraint in stack_drawn.constraints]
    later = list[str]()
    if knobs.composing == "revised":
        rules, later = _sample_revisions(rng, stack_drawn.constraints, rules)
    opening = "Write a text that meets all of these rules. It need not make sense: only the rules are judged."
    numbered = (
        " ".join(f"({i}) {rule}" for i, rule in enumerate(rules, 1))
        if inline
        else "\n".join(f"{i}. {rule}" for i, rule in enumerate(rules, 1))
    )
    notes = " ".join(notes_of(stack_drawn.constraints))
    parts = [opening, numbered, ("Changes to the rules, which count: " + " ".join(later)) if later else "", notes]
    return "\n\n".join(part for part in parts if part)


def _sample_revisions(rng: Rng, constraints: tuple[Constraint, ...], rules: list[str]) -> tuple[list[str], list[str]]:
    """The rules as first stated, some of them different from those that hold in the end, and the changes."""
    others = [drawn_stack.constraints[0] for kind in rng.shuffled(tuple(KINDS))[:8] if (drawn_stack := stack(rng, [kind], 3))]
    shown: list[tuple[str, str]] = [(rule, "") for rule in rules]
    for other in others[: 1 + len(rules) // 3]:
        if rng.chance(0.5) and (plain := [i for i, (_, change) in enumerate(shown) if not change]):
            at = rng.choice(plain)
            shown[at] = (describe(other), f"In place of rule {{at}}, this holds: {shown[at][0]}")
        else:
            shown.insert(rng.integer(0, len(shown)), (describe(other), "Rule {at} is taken back."))
    changes = [change.replace("{at}", str(at)) for at, (_, change) in enumerate(shown, 1) if change]
    return [rule for rule, _ in shown], rng.shuffled(changes)


def _solutions(task: Task[Data]) -> Iterator[str]:
    return right_texts(task.data.witness, task.data.constraints)


environment = Environment(
    Knobs, Passage("the text, with its line breaks"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=_solutions,
    concept="Settle the skeleton first (lines, sentences, word counts), then the words whose place or letters are fixed, and count again at the end.",
    version=4,
)  # fmt: skip
