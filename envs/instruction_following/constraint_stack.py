"""Write a text that meets many rules at once: on length, words, letters, marks and form.

The rules can always be met together. They come from one family or several, act on the same words, may prescribe a language, and at the hard end some
of them are taken back or replaced further down. They are listed, listed with examples of texts that meet one of them, or incorporated into the prose of
a request: the three patterns of MulDimIF.
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
PATTERNS = ("listing", "example", "incorporation")
EXAMPLE_WORDS = 30  # that an example may have
PURPOSES = (
    "fills the space of a page until the real text arrives",
    "tests how a page is set",
    "serves as a sample for a font",
    "stands on a poster that nobody is to read",
    "lets a new printer be tried out",
)
CONNECTIVES = (
    "Also,",
    "Besides,",
    "In addition,",
    "Moreover,",
    "Apart from that,",
    "What is more,",
    "At the same time,",
    "On top of that,",
)
END = "So this text meets all rules:\n{answer}"


class Knobs(Config):
    constraints: int = knob(6, easy=2, hard=13, beyond=20, doc="how many rules there are")
    lines: int = knob(4, easy=2, hard=8, beyond=10, doc="about how many lines a text that meets them has")
    composing: str = knob(
        "interlocked",
        easy="family",
        hard="revised",
        order=COMPOSING,
        doc="rules of one family, of several, on the same words and lines, or with some that are taken back or replaced",
    )
    pattern: str = knob(
        "any",
        easy="any",
        hard="any",
        order=(*PATTERNS, "any"),
        fixed=True,
        doc="rules as a list, as a list with examples, or incorporated into prose; any of them",
    )


class Data(TaskData):
    constraints: tuple[Constraint, ...]
    witness: str
    composing: str
    pattern: str


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
    pattern = "listing" if forms else rng.choice(PATTERNS) if knobs.pattern == "any" else knobs.pattern
    while True:
        drawn = stack(rng, _kinds(rng, knobs, forms), max(2, knobs.lines + rng.integer(-1, 1)))
        if drawn:
            prompt = _render_prompt(rng, knobs, drawn, pattern, bool(forms))
            pieces = (prompt, *prompt.split("\n"), *prompt.split("\n\n"))
            if prompt and not any(meets(drawn.constraints, piece) for piece in pieces):
                data = Data(constraints=drawn.constraints, witness=drawn.witness, composing=knobs.composing, pattern=pattern)
                return Task(prompt, data)


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
        if knobs.composing != "family" and rng.chance(0.3) and all(agree("language", kind) for kind in must):
            must = [*must, "language"]
        if forms and not set(must) & set(forms) and not any(all(agree(form, kind) for kind in must) for form in forms):
            continue
        first = [form for form in rng.shuffled(forms) if all(agree(form, kind) for kind in must)][: int(not set(must) & set(forms))]
        kinds = sample_kinds(rng, max(2, knobs.constraints), among, [*must, *first])
        return rng.shuffled(kinds[: max(len(must), knobs.constraints)] if not first else kinds)


def _render_prompt(rng: Rng, knobs: Knobs, stack_drawn: Stack, pattern: str, inline: bool) -> str:
    """The prompt in a pattern; empty where no rule has an example."""
    rules = [describe(constraint) for constraint in stack_drawn.constraints]
    changes = list[tuple[int, str]]()
    if knobs.composing == "revised":
        rules, changes = _sample_revisions(rng, stack_drawn.constraints, rules)
    notes = " ".join(notes_of(stack_drawn.constraints))
    if pattern == "incorporation":
        return "\n\n".join(part for part in (_incorporate(rng, rules, changes), notes) if part)
    opening = "Write a text that meets all of these rules. It need not make sense: only the rules are judged."
    numbered = (
        " ".join(f"({i}) {rule}" for i, rule in enumerate(rules, 1))
        if inline
        else "\n".join(f"{i}. {rule}" for i, rule in enumerate(rules, 1))
    )
    examples = ""
    if pattern == "example" and not (examples := _sample_examples(rng, stack_drawn, rules)):
        return ""
    later = " ".join(f"In place of rule {at}, this holds: {new}" if new else f"Rule {at} no longer applies." for at, new in changes)
    parts = [opening, numbered, examples, f"These changes to the rules apply: {later}" if later else "", notes]
    return "\n\n".join(part for part in parts if part)


def _incorporate(rng: Rng, rules: list[str], changes: list[tuple[int, str]]) -> str:
    """The rules within the prose of a request, without numbers; a change quotes the rule that it changes."""
    opening = f"I need a text that {rng.choice(PURPOSES)}. What it says does not matter and it need not make sense, but it has to be exactly as I say."
    said = [rule if i in (0, 2, 5) else f"{rng.choice(CONNECTIVES)} {rule[0].lower()}{rule[1:]}" for i, rule in enumerate(rules)]
    later = [
        f"Instead of \u201c{rules[at - 1].removesuffix('.')}\u201d, this holds: {new}"
        if new
        else f"I take this back: \u201c{rules[at - 1].removesuffix('.')}\u201d."
        for at, new in changes
    ]
    return "\n\n".join(part for part in (f"{opening} {' '.join(said)}", " ".join(later)) if part)


def _sample_examples(rng: Rng, stack_drawn: Stack, rules: list[str]) -> str:
    """For one or two of the stated rules, a short text that meets this one and another that does not."""
    found = list[str]()
    for constraint in rng.shuffled(stack_drawn.constraints):
        rule = describe(constraint)
        text = compose_text((constraint,), key=9) if rule in rules and constraint.kind not in FORMS else None
        if text is None or len(text.split()) > EXAMPLE_WORDS or meets(stack_drawn.constraints, text):
            continue
        broken = list(islice((other for other in breaking_texts(constraint, text) if len(other) < 2 * len(text)), 20))
        at = rules.index(rule) + 1
        if broken:
            found.append(f"This text meets rule {at}:\n\n{text}\n\nThis one does not meet rule {at}:\n\n{rng.choice(broken)}")
        if len(found) == 2:
            break
    return "\n\n".join(("The examples show one rule each and need not meet the others.", *found)) if found else ""


def _sample_revisions(rng: Rng, constraints: tuple[Constraint, ...], rules: list[str]) -> tuple[list[str], list[tuple[int, str]]]:
    """The rules as first stated, some of them different from those that hold in the end, and the changes: a number and what holds instead, if any."""
    kinds = [kind for kind in rng.shuffled(tuple(KINDS)) if kind != "language"][:8]
    others = [drawn_stack.constraints[0] for kind in kinds if (drawn_stack := stack(rng, [kind], 3))]
    shown: list[tuple[str, str | None]] = [(rule, None) for rule in rules]
    for other in others[: 1 + len(rules) // 3]:
        if describe(other) in rules:
            continue
        if rng.chance(0.5) and (plain := [i for i, (_, change) in enumerate(shown) if change is None]):
            at = rng.choice(plain)
            shown[at] = (describe(other), shown[at][0])
        else:
            shown.insert(rng.integer(0, len(shown)), (describe(other), ""))
    changes = [(at, change) for at, (_, change) in enumerate(shown, 1) if change is not None]
    return [rule for rule, _ in shown], rng.shuffled(changes)


def _solutions(task: Task[Data]) -> Iterator[str]:
    return right_texts(task.data.witness, task.data.constraints)


environment = Environment(
    Knobs, Passage("the text, with its line breaks"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=_solutions,
    concept="Settle the skeleton first (lines, sentences, word counts), then the words whose place or letters are fixed, and count again at the end.",
    version=6,
)  # fmt: skip
