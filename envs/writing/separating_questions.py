"""Write the fewest yes-or-no questions whose answers tell all suspects apart, although some answers may be of no use.

All questions are put at once. A witness who did not see an attribute cannot answer questions about it, and at the hard end one answer, nobody knows
which, gets lost: any two suspects must then differ in two answers.
"""

from collections.abc import Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.text.english import count_noun
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.writing.criteria import Claims, Fault, at_most, score_text
from rlgym.generators.writing.items import Item, describe_items, sample_items
from rlgym.generators.writing.language import Claim, Form, Gap, Language
from rlgym.generators.writing.variants import reordered_texts, retracted_texts, without_each

Attributes = tuple[tuple[str, tuple[str, ...]], ...]


class Knobs(Config):
    suspects: int = knob(7, easy=3, hard=9, beyond=14, doc="suspects to tell apart")
    attributes: int = knob(3, easy=2, hard=5, doc="attributes of a suspect")
    values: int = knob(3, easy=2, hard=4, doc="values of an attribute")
    trouble: str = knob("unseen", easy="none", hard="lost", order=("none", "unseen", "lost"), doc="which answers are of no use")


class Data(TaskData):
    names: tuple[str, ...]
    attributes: Attributes
    items: tuple[Item, ...]
    unseen: str
    apart: int
    """In how many answers any two suspects must differ."""
    questions: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count = knobs.attributes + (knobs.trouble != "none" and knobs.attributes < 5)
    while True:
        attributes, drawn = sample_items(rng, knobs.suspects, count, knobs.values)
        hidden = rng.integer(0, count - 1) if knobs.trouble != "none" else -1
        unseen = attributes[hidden][0] if hidden >= 0 else ""
        # Suspects who differ in what the witness did not see alone could not be told apart.
        items = list({tuple(value for i, value in enumerate(item) if i != hidden): item for item in drawn}.values())
        names = tuple(sorted(rng.sample(PEOPLE, len(items))))
        apart = 2 if knobs.trouble == "lost" else 1
        data = Data(names=names, attributes=attributes, items=tuple(items), unseen=unseen, apart=apart, questions=0)
        best = _fewest(data)
        if best and len(items) > 2:
            data = data.model_copy(update={"questions": len(best)})
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _fewest(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    names = [name for name, _ in data.attributes]

    def says_yes(claim: Claim, item: Item) -> bool:
        return item[names.index(claim.form)] in claim.words(claim.form)

    def separated(claims: Claims) -> Fault | None:
        useful = [claim for claim in claims if claim.form != data.unseen]
        pairs = list(combinations(data.items, 2))
        alike = [pair for pair in pairs if sum(says_yes(claim, pair[0]) != says_yes(claim, pair[1]) for claim in useful) < data.apart]
        return Fault("two suspects may get the same answers", (), 1 - len(alike) / len(pairs)) if alike else None

    return score_text(_language(data), answer, separated=separated, length=at_most(data.questions, what="questions"))


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, language = task.data, _language(task.data)
    seen = [(name, values) for name, values in data.attributes if name != data.unseen]
    every = [(name, (value,)) for name, values in seen for value in values]
    careless = _fewest(data.model_copy(update={"apart": 1})) if data.apart > 1 else []
    whole = [(name, values) for name, values in seen][: data.questions]
    return [*retracted_texts(right), *without_each(language, right), *(_text(data, each) for each in (whole, careless) if each)] + (
        [_text(data, every)] if len(every) > data.questions else []
    )


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.items) ** 2 * data.questions * data.apart * len(data.attributes))


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    places = {name: i for i, (name, _) in enumerate(data.attributes)}
    for attribute, values in _fewest(data):
        yes = [name for name, item in zip(data.names, data.items, strict=True) if item[places[attribute]] in values]
        steps += [f"Whether the {attribute} is {' or '.join(values)} sets these apart from the others: {', '.join(yes)}."]
    return [*steps, f"Any two suspects get different answers, and fewer questions do not do it:\n{solve(task)}"]


def _fewest(data: Data) -> list[tuple[str, tuple[str, ...]]]:
    """The fewest questions, by iterative deepening on the pair that the fewest questions tell apart; empty where none do."""
    places = {name: i for i, (name, _) in enumerate(data.attributes)}
    pairs = list(combinations(data.items, 2))
    masks: dict[int, tuple[str, tuple[str, ...]]] = {}
    for name, values in data.attributes:
        if name != data.unseen:
            for asked in (asked for size in range(1, len(values)) for asked in combinations(values, size)):
                mask = sum(1 << k for k, (a, b) in enumerate(pairs) if (a[places[name]] in asked) != (b[places[name]] in asked))
                masks.setdefault(mask, (name, asked))
    masks.pop(0, None)
    order = sorted(range(len(pairs)), key=lambda k: sum(mask >> k & 1 for mask in masks))
    found = next(
        (found for depth in range(1, 9) if (found := _search(list(masks), order, (1 << len(pairs)) - 1, 0, data.apart, depth))), []
    )
    return [masks[mask] for mask in found]


def _search(masks: Sequence[int], order: Sequence[int], none: int, once: int, apart: int, depth: int) -> list[int]:
    """Questions that tell the pairs in `none` apart often enough; pairs in `once` need one answer more."""
    left = none | once
    if not left:
        return []
    best = max((mask & left).bit_count() for mask in masks)
    if not depth or best * depth < (none.bit_count() * apart if apart > 1 else none.bit_count()) + once.bit_count():
        return []
    first = next(k for k in order if left >> k & 1)
    for mask in sorted((mask for mask in masks if mask >> first & 1), key=lambda mask: -(mask & left).bit_count()):
        now_none, now_once = none & ~mask, (once & ~mask) | (none & mask if apart > 1 else 0)
        if not now_none | now_once:
            return [mask]
        if rest := _search(masks, order, now_none, now_once, apart, depth - 1):
            return [mask, *rest]
    return []


def _text(data: Data, questions: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    return " ".join(_language(data).write(name, **{name: values}) for name, values in questions)


def _language(data: Data) -> Language:
    forms = tuple(Form(name, f"Is the {name} {{{name}}}?") for name, _ in data.attributes)
    return Language(forms, tuple(Gap(name, values, "or") for name, values in data.attributes))


def _render_prompt(data: Data) -> str:
    trouble = f" The witness did not see the {data.unseen} and cannot answer questions about it." if data.unseen else ""
    lost = (
        " One of the answers, you do not know which, will get lost, and the others must still tell the suspects apart."
        if data.apart > 1
        else ""
    )
    return (
        f"Suspects:\n{describe_items(data.names, data.attributes, data.items)}\n\nA witness will answer your questions about the thief, who is one of the "
        f"suspects, truthfully with yes or no. All questions are put at once, before any answer is known.{trouble}{lost} Write at most "
        f"{count_noun(data.questions, 'question')} whose answers tell any two suspects apart. A question may be asked twice. Write only questions "
        f'of these forms:\n{_language(data).describe()}\nA word in capitals stands for one or more values of the attribute, joined with commas and "or".'
    )


environment = Environment(
    Knobs, Passage("the questions"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: reordered_texts(_language(task.data), solve(task)),
    shared_helpers="The helpers find the fewest questions, a number that the prompt states, and write the stated forms.",
    concept="List the pairs of suspects; ask each question so that it splits as many pairs as possible that are not split yet.",
)  # fmt: skip
