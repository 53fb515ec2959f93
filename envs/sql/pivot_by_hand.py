"""Make the pivot table of a list of sales: groups as rows, groups as columns, sums or counts in the cells, totals at the edges."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

Sale = tuple[str, str, str, int]  # town, item, way, amount
TOWNS, ITEMS, WAYS = ("Oslo", "Lima", "Cairo", "Quito", "Hanoi", "Turin"), ("lamp", "chair", "rug", "desk", "clock"), ("shop", "web")
Cells = tuple[tuple[str, ...], ...]
CELL = Step("{town}, {item}: {rows}; the cell is {value:int}")
END = "So the table is:\n{answer}"


class Knobs(Config):
    sales: int = knob(12, easy=5, hard=40, doc="rows of the list")
    towns: int = knob(3, easy=2, hard=6, doc="rows of the pivot table")
    items: int = knob(3, easy=2, hard=5, doc="columns of the pivot table")
    cells: str = knob("net", easy="count", hard="largest", order=("count", "sum", "net", "largest"), doc="what a cell holds")


class Data(TaskData):
    sales: tuple[Sale, ...]
    towns: tuple[str, ...]
    items: tuple[str, ...]
    cells: str
    right: Cells


SAID = {
    "count": "the number of these rows",
    "sum": "the sum of the amounts of these rows",
    "net": "the sum of the amounts of these rows sold in the shop less the sum of those sold on the web",
    "largest": "the largest amount of these rows less the smallest one",
}


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, dense=True)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Lists in which half of the rows are of one town and one item, so that most cells are empty."""
    return _sample_task(rng, knobs, dense=False)


def solve(task: Task[Data]) -> Cells:
    """Cell by cell, from all rows each time."""
    data = task.data

    def cell(town: str, item: str) -> str:
        rows = [sale for sale in data.sales if town in ("all", sale[0]) and item in ("all", sale[1])]
        amounts = [amount for *_, amount in rows]
        if not rows:
            return "0"
        match data.cells:
            case "count":
                return str(len(rows))
            case "sum":
                return str(sum(amounts))
            case "net":
                return str(sum(amount if channel == "shop" else -amount for _, _, channel, amount in rows))
        return str(max(amounts) - min(amounts))

    return tuple(tuple(cell(town, item) for item in (*data.items, "all")) for town in (*data.towns, "all"))


def verify(task: Task[Data], answer: Cells) -> Score:
    right = task.data.right
    if (len(answer), len(answer[0])) != (len(right), len(right[0])):
        return Score.wrong(f"{len(answer)} rows of {len(answer[0])} numbers are not the shape asked for")
    plain = tuple(tuple(cell.replace("−", "-").removeprefix("+") for cell in row) for row in answer)
    good = sum(first == second for row, line in zip(plain, right, strict=True) for first, second in zip(row, line, strict=True))
    return Score.exact(plain == right, "some cell holds another number", cells=good / (len(right) * len(right[0])))


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    data = task.data
    others = [cells for cells in SAID if cells != data.cells]
    inner = tuple(row[:-1] for row in right[:-1])
    less = _table(data.model_copy(update={"sales": data.sales[:-1]}))
    return [inner, less, *(_table(data.model_copy(update={"cells": cells})) for cells in others[:2]), (*right[:-1], ("0",) * len(right[0]))]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.sales) * (1.0 + ("count", "sum", "net", "largest").index(data.cells)) + (1 + len(data.towns)) * (1 + len(data.items))


def derive(task: Task[Data]) -> Derivation:
    """Each cell from its rows of the list, those at the edges too."""
    data, steps = task.data, list[Due]()
    for town, cells in zip((*data.towns, "all"), data.right, strict=True):
        for item, value in zip((*data.items, "all"), cells, strict=True):
            rows = [f"{amount} ({way})" for one, other, way, amount in data.sales if town in (one, "all") and item in (other, "all")]
            steps.append(CELL(town=town, item=item, rows=", ".join(rows) or "no row", value=value))
    yield from any_order(steps)


def _table(data: Data) -> Cells:
    """In one pass over the list, each row going to its cell and to the edges."""
    kept: dict[tuple[str, str], list[int]] = {}
    for town, item, channel, amount in data.sales:
        value = 1 if data.cells == "count" else -amount if data.cells == "net" and channel == "web" else amount
        for place in ((town, item), (town, "all"), ("all", item), ("all", "all")):
            kept.setdefault(place, []).append(value)
    reduced = {place: max(values) - min(values) if data.cells == "largest" else sum(values) for place, values in kept.items()}
    return tuple(tuple(str(reduced.get((town, item), 0)) for item in (*data.items, "all")) for town in (*data.towns, "all"))


def _sample_task(rng: Rng, knobs: Knobs, *, dense: bool) -> Task[Data]:
    towns, items = rng.sample(TOWNS, knobs.towns), rng.sample(ITEMS, knobs.items)
    sales: list[Sale] = []
    for _ in range(knobs.sales):
        place = (rng.choice(towns), rng.choice(items)) if dense or rng.chance(0.5) else (towns[0], items[0])
        sales.append((*place, rng.choice(WAYS), rng.integer(2, 60)))
    data = Data(sales=tuple(sales), towns=tuple(sorted(towns)), items=tuple(sorted(items)), cells=knobs.cells, right=())
    shown = "\n".join(f"{town} | {item} | {channel} | {amount}" for town, item, channel, amount in sales)
    prompt = (
        f"A list of sales (town | item | way | amount):\n\n{shown}\n\nMake the pivot table with a row for each of "
        f"{', '.join(data.towns)}, in this order, and a "
        f"last row for all towns together, and a column for each of {', '.join(data.items)}, in this order, and a last column for all "
        f"items together. Consider for each cell the rows of the list with its town and item (in the last row all towns, in the last column all items). "
        f"The cell holds {SAID[knobs.cells]}, or 0 if there are none."
    )
    return Task(prompt, data.model_copy(update={"right": _table(data)}))


environment = Environment(
    Knobs, Grid("the numbers of the pivot table without headings, one row per line, separated by spaces"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift,
    concept="Send each row of the list to its cell, then reduce the cells; an edge is reduced from the rows, not from the cells beside it.",
    version=2,
)  # fmt: skip
