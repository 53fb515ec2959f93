"""Chart specifications: many right ones, near misses, and hostile ones."""

import json

import pytest

import rlgym
from rlgym.envs.notebooks import chart_specification
from rlgym.envs.notebooks.chart_specification import CHART, outcome, specification
from rlgym.generators.notebooks import charts, world
from rlgym.generators.notebooks.chart_expressions import ChartError, parse_expression

TABLE = {"t.csv": charts.read_table("day,town,units,cents\n2023-01-05,Oslo,2,300\n2023-01-09,Riga,1,50.5\n2023-02-01,Oslo,4,10\n")}
ENCODING = {"x": {"field": "town", "type": "nominal"}, "y": {"field": "units", "aggregate": "sum"}}


def plot(transform=(), encoding=ENCODING, mark="bar"):
    return charts.evaluate({"data": {"url": "t.csv"}, "transform": list(transform), "mark": mark, "encoding": encoding}, TABLE)


def value(state, spec):
    files = world.files({CHART: json.dumps(spec)})
    return outcome(state.model_copy(update={"finished": True, "written": files})).value


def by_hand(state):
    """A right specification of another form: one test, aggregation in the channels where no share is asked for."""
    rules, question = state.rules, state.question
    spec = json.loads(json.dumps(specification(question, rules)))
    first = [step for step in spec["transform"] if "aggregate" not in step]
    tests = {"kept": "datum.status == 'paid'", "window": f"datum['date'] >= '{question.first}' && !(datum.date > \"{question.last}\")"}
    step = {"filter": " && ".join(f"({tests[rule]})" for rule in tests if rule in rules)}
    spec["transform"] = [step, *(step for step in first if step.get("filter", {}) == {} or isinstance(step["filter"], str))]
    spec["encoding"]["y"] = {"field": "amount", "aggregate": question.op, "type": "quantitative", "title": "amount"}
    if question.mark == "line":
        spec["transform"] = [step for step in spec["transform"] if "timeUnit" not in step]
        spec["encoding"]["x"] = {"field": "date", "timeUnit": "yearmonth"}
    return spec


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("level", [0.0, 0.25, 0.5, 0.75])
def test_right_specifications_of_other_forms_are_right(level, seed):
    state = rlgym.task("chart_specification", seed, level=level).data
    assert "share" not in state.rules
    assert value(state, specification(state.question, state.rules)) == value(state, by_hand(state)) == 1.0


@pytest.mark.parametrize("seed", range(1, 5))
def test_near_misses_are_wrong(seed):
    state = rlgym.task("chart_specification", seed, level=0.5).data
    right = specification(state.question, state.rules)

    def changed(**channels):
        return {**right, "encoding": {**right["encoding"], **channels}}

    x, y = right["encoding"]["x"], right["encoding"]["y"]
    assert value(state, right) == 1.0
    for wrong in (
        {**right, "mark": "point"},
        {**right, "transform": right["transform"][:-1]},
        {**right, "transform": right["transform"][::-1]},
        changed(x=y, y=x),
        changed(y={"field": "value"}),
        changed(y={**y, "type": "ordinal"}),
        changed(y={**y, "stack": "normalize"}),
        changed(x={**x, "type": "quantitative"}),
        changed(color={"field": "value", "type": "quantitative"}),
        changed(size=y),
        {**right, "layer": []},
        [right],
        None,
    ):
        assert value(state, wrong) == 0.0, wrong


def test_transforms_and_channels_are_evaluated():
    assert plot().points == [("Oslo", 6, None), ("Riga", 1, None)]
    assert plot([{"filter": {"field": "units", "gte": 2, "lt": 4}}]).points == [("Oslo", 2, None)]
    assert plot([{"filter": {"or": [{"field": "town", "equal": "Riga"}, {"not": "datum.units < 4"}]}}]).points == [
        ("Riga", 1, None),
        ("Oslo", 4, None),
    ]
    months = plot(
        encoding={"x": {"field": "day", "timeUnit": "yearmonth"}, "y": {"aggregate": "count"}, "color": {"field": "town"}}, mark="line"
    )
    assert months.points == [("2023-01", 1, "Oslo"), ("2023-01", 1, "Riga"), ("2023-02", 1, "Oslo")]
    assert months.types == {"x": "temporal", "y": "quantitative", "color": "nominal"}
    assert plot(encoding={**ENCODING, "x": {"field": "town", "sort": "y"}}).order == ["Riga", "Oslo"]
    joined = plot(
        [{"joinaggregate": [{"op": "max", "field": "cents", "as": "most"}], "groupby": ["town"]}, {"filter": "datum.cents == datum.most"}]
    )
    assert joined.points == [("Oslo", 2, None), ("Riga", 1, None)]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1 + 2 * 3", 7), ("(1 + 2) * 3 % 4", 1), ("-datum.a / 2", -2.5), ("datum['b'] === 'x' ? 1 : 2", 1), ("!(datum.a > 3) || datum.a != 5", False),
        ("substring(datum.b + 'yz', 0, 2)", "xy"), ("max(1, datum.a, 3)", 5), ("round(2.5)", 3), ("1 < 2 == true", True), ("2 - 1 - 1", 0),
    ],
)  # fmt: skip
def test_expressions_have_the_values_of_vega(text, result):
    assert parse_expression(text)({"a": 5, "b": "x"}) == result


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "datum.__class__", "'a' * 999999999", "'%99999999d' % 1", "datum.a ** 9", "9999999999 * 9999999999", "(" * 5000, "!" * 300,
        "", "1 +",
        "datum", "datum.a.b", "constructor", "datum.zzz", "a => a", "1 / 0", "'x' - 1", "max()", "substring('a', 'b', 'c')", "x" * 999, 7, None,
        "-" * 399 + "1",
    ],
)  # fmt: skip
def test_hostile_expressions_are_refused(text):
    with pytest.raises(ChartError):
        plot([{"calculate": text, "as": "units"}])


@pytest.mark.parametrize(
    "spec",
    [
        {"data": {"url": "../../etc/passwd"}}, {"data": {"url": ["t.csv"]}}, {"mark": ["bar"]}, {"mark": {"type": {}}}, {"encoding": {"x": {}, "y": {}}},
        {"transform": 7},
        {"transform": [{"filter": {"field": ["town"], "equal": 1}}]}, {"transform": [{"filter": {"and": [{"and": []}] * 50}}]},
        {"transform": [{"aggregate": [{"op": "__class__", "field": "units"}], "groupby": []}]}, {"transform": [{"aggregate": [7]}]},
        {"transform": [{"lookup": "town", "from": {"data": {"url": "t.csv"}, "key": "town", "fields": "units"}}]}, 
        {"transform": [{"calculate": "1", "as": "town"}] * 99},
        {"encoding": {"x": {"field": "town", "sort": {"op": "sum"}}, "y": {"field": "units"}}}, {"encoding": {"x": {"field": {}}, "y": {"field": "units"}}},
    ],
)  # fmt: skip
def test_hostile_specifications_are_refused(spec):
    with pytest.raises(ChartError):
        charts.evaluate({"data": {"url": "t.csv"}, "mark": "bar", "encoding": ENCODING, **spec}, TABLE)


def test_a_chain_of_products_does_not_grow():
    steps = [{"calculate": "datum.units * datum.units * datum.units", "as": "units"}] * 20
    with pytest.raises(ChartError, match="too large"):
        plot(steps)


def test_every_mistake_is_wrong_at_the_highest_level():
    for seed in range(1, 5):
        state = rlgym.task("chart_specification", seed, level=1.0).data
        assert value(state, specification(state.question, state.rules)) == 1.0
        for rule in chart_specification.RULES:
            assert value(state, specification(state.question, [each for each in state.rules if each != rule])) == 0.0
