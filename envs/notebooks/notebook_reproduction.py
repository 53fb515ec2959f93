"""Reproduce a colleague's notebook: say which cells do not do what their texts say, and give the right figures.

A right cell shows a wrong figure where an earlier one spoiled its data, and a cell may be wrong although its own figure is right.
"""

import json
from collections.abc import Callable, Mapping, Sequence

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import judging, tables, world
from rlgym.generators.notebooks.analyses import ANALYSES, COLUMNS, NUMBERS, PAID, READ, WRONG_PAID, sample_orders
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, show, skipping, tempted

TOLERANCE = 0.01
SOURCE = "colleague.json"
LOOK = f"import json\nfor c in json.load(open({SOURCE!r})):\n    print(c['cell'], c['text'], c['code'], sep='\\n')"


class Knobs(Config):
    orders: int = knob(240, easy=12, hard=470, doc="orders in the data")
    figures: int = knob(6, easy=2, hard=10, doc="figures of the notebook")
    wrong: int = knob(2, easy=1, hard=4, doc="cells that compute something else than their texts say")
    spoiled: int = knob(1, easy=0, hard=2, doc="cells that change the data for later ones although their own figures are right")
    cells: int = knob(8, easy=10, hard=7, doc="cells that may be run")
    characters: int = knob(4200, easy=4000, hard=4600, doc="characters of output that are shown in all")


class State(Notebook):
    right: list[str]
    wanted: dict[str, list[int] | dict[str, float | str]]


def start(rng: Rng, knobs: Knobs) -> State:
    days = [tables.day(number) for number in rng.sample(range(300), max(3, knobs.orders // 8))]
    spoiling = min(knobs.spoiled, knobs.figures // 3)
    while True:
        orders = sample_orders(rng, knobs.orders, rng.sample(tables.CITIES, 4), days)
        paid = [order for order in orders if order.status == "paid"]
        chosen = rng.sample(ANALYSES, knobs.figures)
        able = [place for place, each in enumerate(chosen) if each.spoils and place < len(chosen) - 1]
        if len(paid) < 5 or len(able) < spoiling:
            continue
        spoiled = set(rng.sample(able, spoiling))
        plain = [place for place in range(-1 if knobs.figures > 3 else 0, len(chosen)) if place not in spoiled]
        wrong = set(rng.sample(plain, min(knobs.wrong, len(plain))))
        slips = {place: rng.choice(each.slips) for place, each in enumerate(chosen) if place in wrong}
        if all(not judging.agrees(slip.figure(orders, paid), chosen[place].figure(paid), 1) for place, slip in slips.items()):
            break
    cells = [("Read orders.csv, with `quantity` and `cents` as integers; the `total` of an order is quantity times cents.", READ + NUMBERS)]
    cells.append(("`paid` holds the orders whose status is `paid`.", rng.choice(WRONG_PAID) if -1 in wrong else PAID))
    for place, each in enumerate(chosen):
        cells.append((each.text, each.spoils if place in spoiled else slips[place].code if place in wrong else each.code))
    figures = {each.name: _rounded(each.figure(paid)) for each in chosen}
    listed = [{"cell": number, "text": text, "code": code} for number, (text, code) in enumerate(cells, 1)]
    files = {SOURCE: json.dumps(listed, indent=1) + "\n", "orders.csv": tables.csv_text(COLUMNS, orders)}
    return State(
        task=_task(spoiling), before=world.files(files), most_cells=knobs.cells, characters=knobs.characters,
        right=[READ + NUMBERS, PAID, *(each.code for each in chosen)],
        wanted={"wrong_cells": sorted(place + 3 for place in wrong | spoiled), "figures": figures},
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return judging.judged_answer(state, state.wanted, TOLERANCE)


def plan(state: State, wrong: Sequence[int] | None = None, right: Sequence[str] | None = None) -> list[Step]:
    names, cells = state.wanted["figures"], state.wanted["wrong_cells"] if wrong is None else list(wrong)
    code = "\n".join([*(right or state.right), "import json", f"figures = {{{', '.join(f'{name!r}: {name}' for name in names)}}}"])
    code += f"\nanswer = {{'wrong_cells': {cells}, 'figures': figures}}\njson.dump(answer, open('answer.json', 'w'))\nanswer"
    why = "Compare each code with its text, and ask of each cell what it changes besides its own figure; then run the notebook as the texts mean it."
    return [Step(LOOK, "First read the notebook."), Step(code, why)]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    wrong = first.wanted["wrong_cells"]
    assert isinstance(wrong, list), "the wrong cells are listed"
    return {"all_wrong_cells": skipping(plan(first, wrong[:-1])), "right_figures": skipping(plan(first, wrong, _codes(first)))}


def mistakes(state: State) -> list[Calls]:
    # Runs the notebook as it is and finds nothing, or blames every cell.
    look, _ = [step.code for step in plan(state)]
    as_it_is = [step.code for step in plan(state, [], _codes(state))]
    every = [look, plan(state, range(1, len(state.right) + 1))[1].code]
    return tempted(state, [as_it_is, every])


def cost(state: State) -> float:
    wrong = state.wanted["wrong_cells"]
    return float(len(state.right) * len(wrong)) + len(state.before["orders.csv"].content) / 1000


def _codes(state: State) -> list[str]:
    return [str(cell["code"]) for cell in json.loads(state.before[SOURCE].content)]


def _rounded(figure: float | str) -> float | str:
    return round(figure, 6) if isinstance(figure, float) else figure


def _task(spoiled: int) -> str:
    more = (
        " or if it removes or changes orders of `orders` or `paid` in a way that its text does not mention; the order of a list does not matter"
        if spoiled
        else ""
    )
    return (
        f"A colleague left a notebook in {SOURCE}: a list of cells, each with its number, a text that says what the cell is to do, and its code. The cells run "
        "one after the other in one interpreter, over orders.csv. The texts are right; some codes are wrong.\n\n"
        f"A cell is wrong if it does not compute what its text says from the data that right cells would have left to it{more}. A cell that goes wrong only "
        "because of an earlier cell is not wrong itself.\n\nWrite answer.json, an object with two keys: `wrong_cells`, the list of the numbers of the wrong "
        f"cells, and `figures`, an object from the name of each figure (all names that the texts define after `paid`) to its right value. Values that are not "
        f"whole may differ by {TOLERANCE}."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="Read each code against its text, write what it should be, and check what each cell leaves behind for the next ones.",
    rules=rules, milestones=world.milestones(outcome), planted=True, sandbox=LIMITS,
    version=2,
)  # fmt: skip
