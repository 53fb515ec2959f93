"""Estimate a causal effect from observed data by the graph that is given: find the columns to adjust for, and standardise over them.

The crude comparison has the other sign. Mediators, colliders and columns that nobody recorded make the tempting adjustments wrong.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, tables, world
from rlgym.generators.notebooks.causal import Graph, backdoor_sets, blocks, sample_graph
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, codes, select, show, skipping, tempted

TOLERANCE = 5e-4
MOST_TRIED = 400  # graphs after which the number of columns to adjust for may be another one
NAMES = tuple(
    "age area basket channel climate contract diet distance exercise fuel height housing income noise pension rank region season shift sleep speed stock "
    "stress tenure training traffic visits weight".split()
)
STORIES = (
    ("coupon", "returned", "customers of a shop"), ("tutoring", "passed", "pupils"), ("coating", "intact", "parts of a machine"),
    ("vaccine", "healthy", "animals of a farm"), ("reminder", "paid", "accounts"), ("fertiliser", "sprouted", "plots of a field"),
)  # fmt: skip


class Rows(NamedTuple):
    """Rows of values of 0 and 1, each as the sum of the bits of the columns that are 1.

    counts  how often each row occurs, in the order of the first occurrence
    """

    bits: Mapping[str, int]
    listed: Sequence[int]
    counts: Mapping[int, int]


class Knobs(Config):
    columns: int = knob(6, easy=1, hard=9, doc="variables besides the treatment and the outcome")
    hidden: int = knob(1, easy=0, hard=2, doc="variables of the graph that the data lack")
    adjusted: int = knob(2, easy=1, hard=3, doc="columns that must be adjusted for")
    rows: int = knob(500, easy=60, hard=900, doc="rows, about")
    cells: int = knob(8, easy=10, hard=6, doc="cells that may be run")
    characters: int = knob(2000, easy=3000, hard=1200, doc="characters of output that are shown in all")


class State(Notebook):
    treatment: str
    result: str
    columns: tuple[str, ...]
    adjustment: tuple[str, ...]
    wanted: dict[str, float | list[str]]


def start(rng: Rng, knobs: Knobs) -> State:
    treatment, result, people = rng.choice(STORIES)
    tried = 0
    while True:
        tried += 1
        names = rng.sample(NAMES, knobs.columns)
        graph, hidden = sample_graph(rng, treatment, result, names, min(knobs.hidden, knobs.columns // 3))
        seen = [name for name in names if name not in hidden]
        if not _is_hard(graph, treatment, result, names, seen):
            continue
        sets = backdoor_sets(graph, treatment, result, seen, knobs.adjusted if tried <= MOST_TRIED else 3)
        smallest = [chosen for chosen in sets if len(chosen) == len(sets[0])]
        if len(smallest) != 1 or not smallest[0] or (tried <= MOST_TRIED and len(smallest[0]) != knobs.adjusted):
            continue
        rows = _rows(rng, graph, treatment, result, knobs.rows, sets[0])
        effect, crude = _effect(rows, treatment, result, sets[0]), _effect(rows, treatment, result, ())
        if not effect or not crude or effect * crude >= 0:
            continue
        others = (_effect(rows, treatment, result, subset) for subset in _tempting(seen, sets[0]))
        unweighted = _effect(rows, treatment, result, sets[0], weighted=False)
        if all(other is None or abs(other - effect) > 4 * TOLERANCE for other in chain([unweighted], others)):
            break
    columns = rng.shuffled([treatment, result, *seen])
    text = tables.csv_text(columns, [[int(bool(row & rows.bits[name])) for name in columns] for row in rows.listed])
    return State(
        task=_task(rng, graph, treatment, result, people, hidden), before=world.files({"observed.csv": text}), most_cells=knobs.cells,
        characters=knobs.characters, treatment=treatment, result=result, columns=tuple(sorted(seen)), adjustment=sets[0],
        wanted={"adjusted_for": sorted(sets[0]), "effect": round(effect, 6), "crude": round(crude, 6)},
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return judging.judged_answer(state, state.wanted, TOLERANCE)


CODE = """
import csv, json
rows = list(csv.DictReader(open('observed.csv')))
treatment, outcome, adjusted_for = <<treatment>>, <<result>>, <<adjustment>>
def effect(columns):
    strata = {}
    for row in rows:
        key = tuple(row[name] for name in columns)
        strata.setdefault(key, {'0': [], '1': []})[row[treatment]].append(int(row[outcome]))
    kept = [arms for arms in strata.values() if arms['0'] and arms['1']]
    size = sum(len(arms['0']) + len(arms['1']) for arms in kept)
    return sum((len(arms['0']) + len(arms['1'])) / size * (sum(arms['1']) / len(arms['1']) - sum(arms['0']) / len(arms['0'])) for arms in kept)
answer = {'adjusted_for': adjusted_for, 'effect': effect(adjusted_for), 'crude': effect([])}
json.dump(answer, open('answer.json', 'w'))
answer
"""


def plan(state: State, columns: Sequence[str] | None = None) -> list[Step]:
    chosen = list(state.adjustment if columns is None else columns)
    why = f"These columns block every back-door path, and no smaller set does: {', '.join(chosen)}. Compare within their strata, and weight by all rows."
    return [Step(select(CODE, [], treatment=state.treatment, result=state.result, adjustment=chosen), why)]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    extra = [name for name in first.columns if name not in first.adjustment][:1]
    found = {"smallest_set": skipping(plan(first, first.adjustment[1:] + tuple(extra)))}
    weighted = codes(plan(first))[0].replace("(len(arms['0']) + len(arms['1'])) / size *", "1 / len(kept) *")
    return found | {"weights": skipping([Step(weighted, "")])}


def mistakes(state: State) -> list[Calls]:
    # Adjusts for nothing, for everything, and for all but one of the columns.
    return tempted(state, [codes(plan(state, ())), *([codes(plan(state, state.columns))] if len(state.columns) > 1 else [])])


def cost(state: State) -> float:
    return float(2 ** len(state.columns) * len(state.adjustment) + len(state.before["observed.csv"].content) / 1000)


def _is_hard(graph: Graph, treatment: str, result: str, names: Sequence[str], seen: Sequence[str]) -> bool:
    """Whether all variables are linked, and two that nobody recorded open a path where all early columns are adjusted for."""
    if not {name for arrow in graph.arrows for name in arrow}.issuperset(names):
        return False
    below = graph.descendants(treatment)
    return len(names) - len(seen) < 2 or not blocks(graph, treatment, result, [name for name in seen if name not in below])


def _tempting(seen: Sequence[str], right: Sequence[str]) -> list[tuple[str, ...]]:
    """Other sets of columns: all, all but one, one more, one less."""
    others = [tuple(seen), *combinations(seen, len(seen) - 1), *combinations(right, len(right) - 1)]
    others += [(*right, name) for name in seen if name not in right]
    return [each for each in dict.fromkeys(tuple(sorted(other)) for other in others) if each and each != tuple(sorted(right))]


def _rows(rng: Rng, graph: Graph, treatment: str, result: str, count: int, strong: Sequence[str]) -> Rows:
    """Values of 0 and 1, each drawn with a probability that its causes push up or down."""
    pushes = {(one, other): rng.choice((-1, 1)) * rng.real(0.1, 0.18) for one, other in graph.arrows}
    # Confounders push the treatment and the outcome against the effect.
    sign = rng.choice((-1, 1))
    for one, other in graph.arrows:
        if one in strong and other in (treatment, result):
            pushes[one, other] = 0.22 if other == treatment else -0.22 * sign
        elif (one, other) == (treatment, result):
            pushes[one, other] = 0.07 * sign
    bits = {name: 1 << place for place, name in enumerate(graph.names)}
    causes = [(bits[name], [(bits[cause], pushes[cause, name]) for cause in graph.causes(name)]) for name in graph.names]
    masks = [sum(bit for bit, _ in pushed_by) for _, pushed_by in causes]
    chances: list[dict[int, float]] = [{} for _ in causes]
    rows = []
    for _ in range(count + rng.integer(-count // 10, count // 10)):
        row = 0
        for (bit, pushed_by), mask, known in zip(causes, masks, chances, strict=True):
            chance = known.get(row & mask)
            if chance is None:
                chance = 0.5
                for cause, push in pushed_by:
                    chance += push if row & cause else -push
                chance = known[row & mask] = min(0.92, max(0.08, chance))
            if rng.real() < chance:
                row |= bit
        rows.append(row)
    return Rows(bits, rows, Counter(rows))


def _effect(rows: Rows, treatment: str, result: str, columns: Sequence[str], weighted: bool = True) -> float | None:
    """The standardised difference of risks; None where no stratum has both arms."""
    tallies: dict[int, list[int]] = {}
    strata, treated, happened = sum(rows.bits[name] for name in columns), rows.bits[treatment], rows.bits[result]
    for row, count in rows.counts.items():
        tally = tallies.setdefault(row & strata, [0, 0, 0, 0])
        arm = 2 if row & treated else 0
        tally[arm] += count
        tally[arm + 1] += count if row & happened else 0
    both = [tally for tally in tallies.values() if tally[0] and tally[2]]
    if not weighted:
        return sum(s1 / n1 - s0 / n0 for n0, s0, n1, s1 in both) / len(both) if both else None
    size = sum(tally[0] + tally[2] for tally in both)
    return sum((n0 + n1) * (s1 / n1 - s0 / n0) for n0, s0, n1, s1 in both) / size if size else None


def _task(rng: Rng, graph: Graph, treatment: str, result: str, people: str, hidden: Sequence[str]) -> str:
    arrows = ", ".join(f"{one} -> {other}" for one, other in rng.shuffled(graph.arrows))
    lacking = (
        f"The data have no column for {' or '.join(sorted(hidden))}, so you cannot adjust for {'them' if len(hidden) > 1 else 'it'}."
        if hidden
        else ""
    )
    listed = [
        "Adjust for the smallest set of columns that satisfies the back-door criterion for the effect of "
        f"`{treatment}` on `{result}`: no column of the set is a descendant of `{treatment}`, and the set blocks every path between the two that begins "
        f"with an arrow into `{treatment}`. There is exactly one smallest set.",
        f"A stratum is a combination of values of these columns. Strata that lack one of the two values of `{treatment}` are left out.",
        f"In each stratum, take the share of `{result}` = 1 among rows with `{treatment}` = 1, minus that among rows with `{treatment}` = 0. The effect is "
        "the mean of these differences, weighted by the number of rows in the stratum.",
        "The crude difference is the same for all rows as a single stratum.",
    ]
    return (
        f"observed.csv holds {people}, one in each row; all columns are 0 or 1. Nobody was assigned at random. This causal graph holds, in which an arrow "
        f"leads from a cause to what it affects directly:\n{arrows}\n{lacking}\n"
        f"What is the average effect of `{treatment}` on `{result}`?\n\nRules:\n{world.rules_text(listed)}\n\nWrite answer.json, an object with the keys "
        f"`adjusted_for` (the list of the columns), `effect` and `crude` (numbers, within {TOLERANCE})."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="List the paths that begin with an arrow into the treatment, and see which columns block each without opening one at a collider.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
