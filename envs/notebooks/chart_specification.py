"""Specify a chart that answers a question about data, in a part of Vega-Lite, in a Python notebook.

The specification is evaluated to the marks that it plots. Any specification that plots exactly these marks is right, whatever its steps are.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.notebooks import charts, judging, tables, world
from rlgym.generators.notebooks.chart_expressions import ChartError
from rlgym.generators.notebooks.world import LIMITS, TOOLS, Notebook, Step, act, show, skipping, tempted

CHART = "chart.json"
RULES = ("kept", "amount", "split", "window", "regions", "frequent", "share")
COLUMNS = ("order", "date", "city", "product", "channel", "units", "cents", "status")
CHANNELS, REGIONS, STATES = ("market", "phone", "shop", "web"), ("east", "north", "south", "west"), ("paid", "open", "returned")
KINDS = {"bar": {"x": ("nominal", "ordinal")}, "line": {"x": ("temporal", "ordinal")}}


class Knobs(Config):
    orders: int = knob(150, easy=16, hard=420, doc="orders")
    rules: int = knob(4, easy=1, hard=7, doc="parts of the question, plain ones first")
    cells: int = knob(6, easy=8, hard=5, doc="cells that may be run")
    characters: int = knob(1800, easy=3000, hard=1200, doc="characters of output that are shown in all")


class Question(NamedTuple):
    """What is to be plotted.

    mark   bar: places on x; line: months on x
    op     how the amounts of a mark are brought together
    first, last  the days of the window
    least  how many orders a product must have
    """

    mark: str
    op: str
    first: str
    last: str
    least: int


class State(Notebook):
    rules: tuple[str, ...]
    question: Question
    points: list[tuple[str, float, str | None]]


def start(rng: Rng, knobs: Knobs) -> State:
    rules = RULES[: knobs.rules]
    while True:
        orders, places = _sample_orders(rng, knobs.orders)
        first = rng.integer(20, 90)
        question = Question(
            rng.choice(("bar", "line")) if len(rules) > 1 else "bar", "sum" if "share" in rules else rng.choice(("sum", "mean")),
            tables.day(first), tables.day(first + rng.integer(120, 200)), 0,
        )  # fmt: skip
        question = question._replace(least=_least(orders, question, rules))
        points = _plotted(orders, places, question, rules)
        others = [_plotted(orders, places, question, [rule for rule in rules if rule != skipped]) for skipped in rules]
        values = [y for _, y, _ in points]
        if (
            len(values) >= 3
            and ("split" in rules or len(set(values)) == len(values))
            and all(not _same_points(other, points) for other in others)
        ):
            break
    files = {"orders.csv": tables.csv_text(COLUMNS, orders)}
    if "regions" in rules:
        files["cities.csv"] = tables.csv_text(("name", "region"), list(places.items()))
    return State(
        task=_task(question, rules), before=world.files(files), most_cells=knobs.cells, characters=knobs.characters,
        rules=rules, question=question, points=points,
    )  # fmt: skip


def _sample_orders(rng: Rng, count: int) -> tuple[list[tuple[Any, ...]], dict[str, str]]:
    """Orders, and the region of each city."""
    cities, products = rng.sample(tables.CITIES, 4 if count < 50 else 8), rng.sample(tables.PRODUCTS, 5 if count < 50 else 12)
    orders = [
        (
            4000 + number, tables.day(rng.integer(0, 330)), rng.choice(cities), rng.choice(products), rng.choice(CHANNELS[: 2 if count < 50 else 4]),
            rng.integer(1, 9), rng.integer(100, 5000), STATES[0] if rng.chance(0.7) else rng.choice(STATES[1:]),
        )
        for number in range(count)
    ]  # fmt: skip
    return orders, {city: REGIONS[place % 4] for place, city in enumerate(rng.shuffled(cities))}


def _least(orders: Sequence[tuple[Any, ...]], question: Question, rules: Sequence[str]) -> int:
    """A number of orders that about half of the products have, of those that the other rules leave."""
    counts = Counter(
        order[3]
        for order in orders
        if ("kept" not in rules or order[7] == "paid") and ("window" not in rules or question.first <= order[1] <= question.last)
    )
    return sorted(counts.values())[len(counts) // 2]


def _plotted(
    orders: Sequence[tuple[Any, ...]], places: Mapping[str, str], question: Question, rules: Sequence[str]
) -> list[tuple[str, float, str | None]]:
    """The marks of the chart: x, y and color."""
    kept = []
    for _, date, city, product, channel, units, cents, status in orders:
        if ("kept" not in rules or status == "paid") and ("window" not in rules or question.first <= date <= question.last):
            place = places[city] if "regions" in rules else city
            amount = units * cents if "amount" in rules else cents
            kept.append((date[:7], place, channel, product, amount))
    if "frequent" in rules:
        counts = Counter(row[3] for row in kept)
        kept = [row for row in kept if counts[row[3]] >= question.least]
    groups: dict[tuple[str, str | None], list[int]] = {}
    for month, place, channel, _, amount in kept:
        x, series = (place, channel) if question.mark == "bar" else (month, place)
        groups.setdefault((x, series if "split" in rules else None), []).append(amount)
    values = {key: sum(amounts) / (len(amounts) if question.op == "mean" else 1) for key, amounts in groups.items()}
    if "share" in rules:
        totals: dict[str, float] = {}
        for (x, _), value in values.items():
            totals[x] = totals.get(x, 0) + value
        values = {key: 100 * value / totals[key[0]] for key, value in values.items()}
    return [(x, value, series) for (x, series), value in sorted(values.items(), key=repr)]


def _same_points(given: Sequence[tuple[Any, Any, Any]], wanted: Sequence[tuple[Any, Any, Any]]) -> bool:
    """Whether two charts have the same marks, up to a millionth of each y."""
    known = {(x, series): y for x, y, series in given}
    return len(given) == len(known) == len(wanted) and all(
        (x, series) in known and judging.agrees(known[x, series], float(y), 1e-6 * max(1.0, abs(y))) for x, y, series in wanted
    )


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    try:
        plot = charts.evaluate(judging.written_json(state, CHART), _tables(state))
    except ChartError as why:
        return Score.wrong(f"{CHART}: {why}", readable=0.0, marks=0.0)
    given = {(str(x), y if isinstance(y, int | float) else None, series) for x, y, series in plot.points}
    shares = sum(
        any(x == a and series == c and judging.agrees(b, float(y), 1e-6 * max(1.0, abs(y))) for a, b, c in given)
        for x, y, series in state.points
    )
    problem = _problem(state, plot)
    return Score.exact(not problem, problem, readable=1.0, marks=shares / len(state.points))


def _problem(state: State, plot: charts.Plot) -> str:
    """What is wrong with a chart; empty where nothing is."""
    if plot.mark != state.question.mark:
        return "it has another mark than asked for"
    allowed = {**KINDS[plot.mark], "y": ("quantitative",), "color": ("nominal", "ordinal")}
    if wrong := [name for name, kind in plot.types.items() if kind not in allowed[name]]:
        return f"the type of {', '.join(wrong)} does not fit"
    if not _same_points(plot.points, state.points):
        return "it plots other marks than asked for"
    falling = [x for x, _, _ in sorted(state.points, key=lambda point: -point[1])]
    wanted = sorted(plot.order) if plot.mark == "line" else plot.order if "split" in state.rules else falling
    return "" if plot.order == wanted else "the values of x are in another order"


def _tables(state: State) -> dict[str, charts.Rows]:
    return {path: charts.read_table(entry.content) for path, entry in state.before.items()}


def specification(question: Question, rules: Sequence[str], op: str = "") -> dict[str, Any]:
    """A specification of the chart in which some rules are followed."""
    op = op or question.op
    steps: list[dict[str, Any]] = []
    if "kept" in rules:
        steps.append({"filter": {"field": "status", "equal": "paid"}})
    if "window" in rules:
        steps.append({"filter": {"field": "date", "range": [question.first, question.last]}})
    if "frequent" in rules:
        steps.append({"joinaggregate": [{"op": "count", "as": "times"}], "groupby": ["product"]})
        steps.append({"filter": f"datum.times >= {question.least}"})
    if "regions" in rules:
        steps.append({"lookup": "city", "from": {"data": {"url": "cities.csv"}, "key": "name", "fields": ["region"]}})
    steps.append({"calculate": "datum.units * datum.cents" if "amount" in rules else "datum.cents", "as": "amount"})
    place = "region" if "regions" in rules else "city"
    x, series = (place, "channel") if question.mark == "bar" else ("month", place)
    if question.mark == "line":
        steps.append({"timeUnit": "yearmonth", "field": "date", "as": "month"})
    steps.append({"aggregate": [{"op": op, "field": "amount", "as": "value"}], "groupby": [x, *([series] if "split" in rules else [])]})
    if "share" in rules:
        steps.append({"joinaggregate": [{"op": "sum", "field": "value", "as": "whole"}], "groupby": [x]})
        steps.append({"calculate": "100 * datum.value / datum.whole", "as": "value"})
    encoding: dict[str, Any] = {
        "x": {"field": x, "type": "ordinal" if question.mark == "line" else "nominal"},
        "y": {"field": "value", "type": "quantitative"},
    }
    if "split" in rules:
        encoding["color"] = {"field": series, "type": "nominal"}
    elif question.mark == "bar":
        encoding["x"]["sort"] = "-y"
    return {"data": {"url": "orders.csv"}, "transform": steps, "mark": question.mark, "encoding": encoding}


def _write(spec: Mapping[str, Any]) -> str:
    return f"import json\njson.dump({dict(spec)!r}, open({CHART!r}, 'w'))"


def plan(state: State, without: str = "") -> list[Step]:
    why = "Filter first, then compute what a mark shows, then say which column stands on which channel."
    return [Step(_write(specification(state.question, [rule for rule in state.rules if rule != without])), why)]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: skipping(plan(first, rule)) for rule in first.rules}


def mistakes(state: State) -> list[Calls]:
    """Players who take another aggregate, another mark, exchanged axes, or a y without its type."""
    right = specification(state.question, state.rules)
    other = specification(state.question, state.rules, "mean" if state.question.op == "sum" else "sum")
    if "share" in state.rules:
        other = specification(state.question, state.rules, "count")
    encoding = right["encoding"]
    exchanged = {
        **right,
        "encoding": {
            **encoding,
            "x": {"field": "value", "type": "quantitative"},
            "y": {"field": encoding["x"]["field"], "type": "nominal"},
        },
    }
    bare = {**right, "encoding": {**encoding, "y": {"field": "value"}}}
    marked = {**right, "mark": "point"}
    return tempted(state, [[_write(spec)] for spec in (other, exchanged, bare, marked)])


def cost(state: State) -> float:
    return sum(len(entry.content) for entry in state.before.values()) * (1 + len(state.rules)) / 1000


def _task(question: Question, rules: Sequence[str]) -> str:
    place = "region" if "regions" in rules else "city"
    x, series = (place, "channel") if question.mark == "bar" else ("month", place)
    amount = "the units times the cents of an order" if "amount" in rules else "the cents of an order"
    words = {
        "kept": "Only orders whose status is paid count.",
        "amount": f"The amount is {amount}.",
        "split": f"There is one color for each {series}.",
        "window": f"Only orders from {question.first} to {question.last}, both days included, count.",
        "regions": "The region of a city is in cities.csv.",
        "frequent": f"Only products that have at least {question.least} orders among those that the rules above leave count.",
        "share": f"The y is the percentage of the total of its {x}, from 0 to 100: the marks of one {x} sum to 100.",
    }
    what = "total" if question.op == "sum" else "mean"
    shape = "a bar chart" if question.mark == "bar" else "a line chart"
    ordered = " The largest bar stands first." if question.mark == "bar" and "split" not in rules else ""
    listed = [words[rule] for rule in rules]
    return (
        f"Specify {shape} of the {what} amount of the orders in orders.csv by {x}: the {x} on the x axis, the {what} amount on the y axis"
        f"{'' if 'amount' in rules else ', where the amount is ' + amount}.{' Months have the form 2023-05.' if question.mark == 'line' else ''}{ordered}\n\n"
        f"Rules:\n{world.rules_text(listed)}\n\nWrite {CHART}. {charts.MANUAL}\n\nThe specification is evaluated on the files. It is right if it plots exactly "
        "the marks that are asked for, with fitting types; titles do not matter."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns, explain=world.explain(plan),
    concept="Decide first what one mark is and what its x, y and color are; then order the steps so that each has the columns that it needs.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=2,
)  # fmt: skip
