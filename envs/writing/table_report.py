"""Report every material change of a table in as few sentences as possible.

A sentence may state that several measures rose, or fell, in several places, and is false if one of these changes is not material. So the report is
a smallest cover of a relation by rectangles, which may overlap; a sentence for each row or each column is too long.
"""

from collections.abc import Iterator
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import count_noun
from rlgym.generators.writing.covers import Cover, greedy_cover, minimum_cover
from rlgym.generators.writing.criteria import at_most, covers, every, score_text
from rlgym.generators.writing.language import Claim, Form, Gap, Language
from rlgym.generators.writing.variants import reordered_texts, retracted_texts, without_each

MEASURES = ("sales", "costs", "staff", "stock", "orders", "returns", "visits")
PLACES = ("Arden", "Bergen", "Cadiz", "Delft", "Essen", "Fulda", "Genoa", "Halle")
VERBS = {1: "rose", -1: "fell"}
Cell = tuple[str, str, str]


class Knobs(Config):
    measures: int = knob(4, easy=2, hard=6, doc="rows of the table")
    places: int = knob(4, easy=2, hard=7, doc="columns of the table")
    blocks: int = knob(3, easy=1, hard=6, doc="overlapping blocks of equal changes from which the table is drawn")
    border: float = knob(0.4, easy=0.0, hard=1.0, doc="share of changes that are close to the limit of what is material")


class Data(TaskData):
    measures: tuple[str, ...]
    places: tuple[str, ...]
    percent: int
    before: tuple[tuple[int, ...], ...]
    now: tuple[tuple[int, ...], ...]
    sentences: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def is_plain(data: Data) -> bool:
        """Whether always taking the largest block, or a sentence for each measure, would be short enough."""
        rows = len({(verb, measure) for verb, measure, _ in _material(data)})
        return knobs.blocks > 3 and data.sentences in (rows, len(_shortest(data, greedy_cover)))

    data = draw_against(lambda: _sample_data(rng, knobs), is_plain, 40)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return " ".join(_language(task.data).write(verb, measures=measures, places=places) for verb, measures, places in _shortest(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    cells = _material(data)
    return score_text(
        _language(data), answer,
        true=every(lambda claim: cells.issuperset(_stated_cells(claim)), "a sentence states a change that is not material"),
        complete=covers(cells, _stated_cells, "a material change is missing"),
        length=at_most(data.sentences),
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    language = _language(task.data)
    turned = right.replace(" rose ", " # ").replace(" fell ", " rose ").replace(" # ", " fell ")
    rows = [language.write(verb, measures=(m,), places=(p,)) for verb, m, p in sorted(_material(task.data))]
    return [turned, *retracted_texts(right), *without_each(language, right), *([" ".join(rows)] if len(rows) > task.data.sentences else [])]


def cost(task: Task[Data]) -> float:
    return float(len(_material(task.data)) * task.data.sentences)


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    found = [(verb, m, [p for p in data.places if (verb, m, p) in _material(data)]) for verb in VERBS.values() for m in data.measures]
    steps = [f"By {data.percent} % or more, {measure} {verb} in {', '.join(places)}." for verb, measure, places in found if places]
    return [*steps, f"Blocks of measures and places that have all their changes in common cover this:\n{solve(task)}"]


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    while True:
        measures = tuple(rng.sample(MEASURES, knobs.measures))
        places = tuple(sorted(rng.sample(PLACES, knobs.places)))
        percent = rng.choice((5, 10, 20))
        before = tuple(tuple(20 * rng.integer(5, 60) for _ in places) for _ in measures)
        now = tuple(
            tuple(old + _change(rng, knobs, old * percent // 100, sign) for old, sign in zip(olds, row, strict=True))
            for olds, row in zip(before, _blocks(rng, knobs), strict=True)
        )
        data = Data(measures=measures, places=places, percent=percent, before=before, now=now, sentences=0)
        best = len(_shortest(data))
        if best >= min(2, knobs.blocks):
            return data.model_copy(update={"sentences": best})


def _blocks(rng: Rng, knobs: Knobs) -> list[list[int]]:
    """Signs of the material changes, as a union of blocks; 0 where the change is not material."""
    signs = [[0] * knobs.places for _ in range(knobs.measures)]
    for block in range(knobs.blocks):
        rows = rng.sample(range(knobs.measures), rng.integer(1, max(1, knobs.measures - 2)))
        columns = rng.sample(range(knobs.places), rng.integer(1, max(1, knobs.places - 3)))
        sign = 1 if block % 3 < 2 else -1
        for row, column in ((row, column) for row in rows for column in columns):
            signs[row][column] = signs[row][column] or sign
    return signs


def _change(rng: Rng, knobs: Knobs, limit: int, sign: int) -> int:
    """A change that is material with this sign, or not material; some are close to the limit, which is itself material."""
    near = rng.chance(knobs.border)
    if sign:
        return sign * (limit + (rng.integer(0, 2) if near else rng.integer(limit, 2 * limit)))
    return rng.choice((1, -1)) * (limit - rng.integer(1, 2) if near else rng.integer(0, limit // 3))


def _material(data: Data) -> set[Cell]:
    return {
        (VERBS[1 if new > old else -1], measure, place)
        for measure, olds, news in zip(data.measures, data.before, data.now, strict=True)
        for place, old, new in zip(data.places, olds, news, strict=True)
        if 100 * abs(new - old) >= data.percent * old
    }


def _stated_cells(claim: Claim) -> Iterator[Cell]:
    return ((claim.form, measure, place) for measure in claim.words("measures") for place in claim.words("places"))


def _shortest(data: Data, cover: Cover = minimum_cover) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The fewest blocks that cover the material changes: a smallest cover by the largest blocks of all sets of measures."""
    material, found = _material(data), []
    for verb in VERBS.values():
        cells = sorted(cell for cell in material if cell[0] == verb)
        groups = [group for size in range(1, len(data.measures) + 1) for group in combinations(data.measures, size)]
        wide = [(verb, group, tuple(p for p in data.places if all((verb, m, p) in material for m in group))) for group in groups]
        blocks = [block for block in wide if block[2]]
        masks = [sum(1 << i for i, (_, m, p) in enumerate(cells) if m in measures and p in places) for _, measures, places in blocks]
        found += [blocks[at] for at in cover((1 << len(cells)) - 1, masks) or []]
    return found


def _language(data: Data) -> Language:
    gaps = (
        Gap("measures", data.measures, "and", note="one or more of the measures"),
        Gap("places", data.places, "and", note="one or more of the places"),
    )
    return Language(tuple(Form(verb, f"{{measures}} {verb} in {{places}}.") for verb in VERBS.values()), gaps)


def _render_prompt(data: Data) -> str:
    lines = [
        f"- {measure}: " + ", ".join(f"{place} {old} -> {new}" for place, old, new in zip(data.places, olds, news, strict=True))
        for measure, olds, news in zip(data.measures, data.before, data.now, strict=True)
    ]
    return (
        "Figures of last year and of this year:\n"
        + "\n".join(lines)
        + f"\n\nA change is material if it is at least {data.percent} % of last "
        "year's figure. Write a report that states every material change and no other change. It has at most "
        f"{count_noun(data.sentences, 'sentence')}, and all of them have these forms:\n{_language(data).describe()}\n"
        "A sentence speaks of every measure it names in every place it names. A change may be stated more than once."
    )


environment = Environment(
    Knobs, Passage("the report"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: reordered_texts(_language(task.data), solve(task)),
    shared_helpers="The helpers list the material changes, by their definition, and the stated language.",
    concept="Mark the material changes in a grid, then look for blocks of rows and columns that overlap rather than for single rows.",
)  # fmt: skip
