"""Chart specifications in a part of Vega-Lite, evaluated to the marks that they plot."""

from __future__ import annotations

import csv
import io
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rlgym.generators.notebooks.chart_expressions import ChartError, Node, parse_expression

Rows = list[dict[str, Any]]
MARKS, TYPES, CHANNELS = ("bar", "line", "point"), ("nominal", "ordinal", "quantitative", "temporal"), ("x", "y", "color")
MOST_STEPS, MOST_ITEMS, DEEPEST = 20, 40, 8
MANUAL = """\
chart.json is a chart specification in a part of Vega-Lite: an object with `data`, `mark`, `encoding` and, where needed, `transform`.
- `data` is {"url": FILE}. `mark` is "bar", "line" or "point".
- `encoding` maps `x`, `y` and, where needed, `color` to objects with `field`, `type` and, where needed, \
`aggregate`, `timeUnit` ("yearmonth") and, for `x`, `sort` ("ascending", "descending", "y", "-y" or a list). If a channel has an `aggregate`, the rows \
are grouped by the values of the other channels.
- `type` is "quantitative" for amounts, "nominal" or "ordinal" for names, and "ordinal" or "temporal" for months.
- `transform` is a list of steps in the order in which they are applied: {"filter": TEST}; {"calculate": EXPRESSION, "as": NAME}; \
{"timeUnit": "yearmonth", "field": NAME, "as": NAME}; {"aggregate": [{"op": OP, "field": NAME, "as": NAME}, ...], "groupby": [NAME, ...]}; \
{"joinaggregate": [...], "groupby": [...]}, which adds the aggregates of its group to each row; \
{"lookup": NAME, "from": {"data": {"url": FILE}, "key": NAME, "fields": [NAME, ...]}}.
- OP is count (without a field), sum, mean, median, min, max or distinct.
- TEST is an EXPRESSION or an object: {"field": NAME, ...} with `equal`, `oneOf`, `lt`, `lte`, `gt`, `gte` or `range`, or {"and": [...]}, \
{"or": [...]}, {"not": TEST}.
- EXPRESSION is made of datum.NAME, numbers, text in quotes, + - * / %, comparisons, &&, ||, !, ?: and parentheses, and of \
substring(text, first, end), abs, round, min and max.
Columns that hold only numbers are numbers, others are text. The time unit yearmonth turns the date 2023-05-17 into 2023-05."""


class Plot(NamedTuple):
    """The marks that a specification plots.

    points  the x, the y and the color of each mark, None where there is no such channel
    types   of the channels
    order   the values of x from left to right
    """

    mark: str
    points: list[tuple[Any, Any, Any]]
    types: dict[str, str]
    order: list[Any]


def read_table(text: str) -> Rows:
    """The rows of a CSV file; columns of numbers as numbers."""
    rows: Rows = [dict(row) for row in csv.DictReader(io.StringIO(text, newline=""))]
    for column in rows[0] if rows else ():
        values = [_number(row[column]) for row in rows]
        if all(value is not None for value in values):
            for row, value in zip(rows, values, strict=True):
                row[column] = value
    return rows


def _number(text: str) -> int | float | None:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return None


def evaluate(spec: Any, tables: Mapping[str, Rows]) -> Plot:
    """What a specification plots from these tables by the names of their files. ChartError where it cannot be read or evaluated."""
    try:
        return _evaluate(spec, tables)
    except ChartError:
        raise
    except KeyError as missing:
        raise ChartError(f"there is no {missing.args[0]!r:.40}") from None
    except (ArithmeticError, TypeError, ValueError, AttributeError, LookupError, RecursionError, statistics.StatisticsError) as error:
        raise ChartError(f"the specification cannot be evaluated: {type(error).__name__}") from None


def _evaluate(spec: Any, tables: Mapping[str, Rows]) -> Plot:
    spec = _object(
        spec, "the specification", {"data", "mark", "encoding"}, {"transform", "title", "description", "width", "height", "$schema"}
    )
    rows = [dict(row) for row in _table(spec["data"], tables)]
    for step in _list(spec.get("transform", []), "`transform`", MOST_STEPS):
        rows = _transformed(step, rows, tables)
    mark = spec["mark"]["type"] if isinstance(spec["mark"], dict) else spec["mark"]
    if mark not in MARKS:
        raise ChartError(f"`mark` must be one of {', '.join(MARKS)}")
    encoding = _object(spec["encoding"], "`encoding`", {"x", "y"}, {"color", "tooltip"})
    channels = {name: _channel(name, encoding[name]) for name in CHANNELS if name in encoding}
    points = _points(channels, rows)
    order = _order(channels["x"].get("sort", "ascending"), points)
    return Plot(mark, points, {name: _type(channel) for name, channel in channels.items()}, order)


def _object(value: Any, what: str, needed: set[str], others: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ChartError(f"{what} must be an object")
    if lacking := needed - value.keys():
        raise ChartError(f"{what} lacks {', '.join(sorted(lacking))}")
    if unknown := value.keys() - needed - others:
        raise ChartError(f"{what} may not have {', '.join(sorted(map(str, unknown)))[:60]}")
    return dict(value)


def _list(value: Any, what: str, most: int = MOST_ITEMS) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise ChartError(f"{what} must be a list of at most {most} items")
    return value


def _table(data: Any, tables: Mapping[str, Rows]) -> Rows:
    return tables[_object(data, "`data`", {"url"}, set())["url"].removeprefix("./")]


def _transformed(step: Any, rows: Rows, tables: Mapping[str, Rows]) -> Rows:
    match step:
        case {"filter": test}:
            keeps = _test(test)
            return [row for row in rows if keeps(row)]
        case {"calculate": text, "as": str(name)}:
            value = parse_expression(text)
            return [{**row, name: value(row)} for row in rows]
        case {"timeUnit": "yearmonth", "field": field, "as": str(name)}:
            return [{**row, name: year_month(row[field])} for row in rows]
        case {"aggregate": list(wanted)}:
            return [{**dict(zip(step.get("groupby", []), key)), **_aggregates(wanted, group)} for key, group in _groups(step, rows)]
        case {"joinaggregate": list(wanted)}:
            return [{**row, **found} for _, group in _groups(step, rows) for found in [_aggregates(wanted, group)] for row in group]
        case {"lookup": field, "from": {"data": data, "key": key, "fields": fields}}:
            known = {row[key]: row for row in _table(data, tables)}
            return [
                {**row, **{name: known[row[field]][name] if row[field] in known else None for name in _list(fields, "`fields`")}}
                for row in rows
            ]
    raise ChartError("a step of `transform` is none that the task names")


def _groups(step: Mapping[str, Any], rows: Rows) -> list[tuple[tuple[Any, ...], Rows]]:
    names = _list(step.get("groupby", []), "`groupby`")
    groups: dict[tuple[Any, ...], Rows] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return list(groups.items())


def _aggregates(wanted: Sequence[Any], rows: Rows) -> dict[str, Any]:
    found = {}
    for each in _list(wanted, "the aggregates"):
        name = each.get("as") or f"{each['op']}_{each.get('field', '')}"
        found[name] = aggregate(each["op"], None if each["op"] == "count" else [row[each["field"]] for row in rows], len(rows))
    return found


def aggregate(op: str, values: Sequence[Any] | None, count: int) -> Any:
    """An aggregate of the values of a group."""
    if op == "count":
        return count
    assert values is not None
    functions: dict[str, Callable[[Sequence[Any]], Any]] = {
        "sum": _sum, "mean": _mean, "average": _mean, "median": statistics.median, "min": min, "max": max, "distinct": lambda each: len(set(each)),
    }  # fmt: skip
    return functions[op](values)


def _sum(numbers: Sequence[Any]) -> Any:
    return math.fsum(numbers) if any(isinstance(number, float) for number in numbers) else sum(numbers)


def _mean(numbers: Sequence[Any]) -> float:
    return math.fsum(numbers) / len(numbers)


def _test(test: Any, depth: int = 0) -> Node:
    if depth > DEEPEST:
        raise ChartError("a test is nested too deeply")
    match test:
        case str():
            return parse_expression(test)
        case {"and": parts}:
            both = [_test(part, depth + 1) for part in _list(parts, "`and`")]
            return lambda row: all(part(row) for part in both)
        case {"or": parts}:
            either = [_test(part, depth + 1) for part in _list(parts, "`or`")]
            return lambda row: any(part(row) for part in either)
        case {"not": part}:
            inner = _test(part, depth + 1)
            return lambda row: not inner(row)
        case {"field": field} if len(test) > 1 and test.keys() <= {"field", *_COMPARISONS}:
            pairs = [(_COMPARISONS[name], bound) for name, bound in test.items() if name != "field"]
            return lambda row: all(compare(row[field], bound) for compare, bound in pairs)
    raise ChartError("a filter has a test that the task does not name")


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "equal": lambda value, bound: bool(value == bound), "oneOf": lambda value, bound: value in _list(bound, "`oneOf`"),
    "lt": lambda value, bound: bool(value < bound), "lte": lambda value, bound: bool(value <= bound),
    "gt": lambda value, bound: bool(value > bound), "gte": lambda value, bound: bool(value >= bound),
    "range": lambda value, bound: bool(bound[0] <= value <= bound[1]),
}  # fmt: skip


def year_month(date: str) -> str:
    """The year and month of an ISO date."""
    if len(date) < 7 or date[4] != "-":
        raise ChartError("yearmonth needs dates")
    return date[:7]


def _channel(name: str, given: Any) -> dict[str, Any]:
    channel = _object(
        given, f"the channel {name}", set(), {"field", "type", "aggregate", "timeUnit", "sort", "title", "axis", "legend", "stack", "scale"}
    )
    if "scale" in channel or channel.get("stack") == "normalize":
        raise ChartError("scales and normalised stacks are not supported")
    if channel.get("timeUnit", "yearmonth") != "yearmonth" or channel.get("type", "nominal") not in TYPES:
        raise ChartError(f"the channel {name} has an unknown type or time unit")
    if "field" not in channel and channel.get("aggregate") != "count":
        raise ChartError(f"the channel {name} lacks a field")
    return channel


def _type(channel: Mapping[str, Any]) -> str:
    default = "quantitative" if "aggregate" in channel else "temporal" if "timeUnit" in channel else "nominal"
    return str(channel.get("type", default))


def _value(channel: Mapping[str, Any], row: Mapping[str, Any]) -> Any:
    value = row[channel["field"]]
    return year_month(value) if "timeUnit" in channel else value


def _points(channels: Mapping[str, Mapping[str, Any]], rows: Rows) -> list[tuple[Any, Any, Any]]:
    plain = {name: channel for name, channel in channels.items() if "aggregate" not in channel}
    if len(plain) == len(channels):
        found = [{name: _value(channel, row) for name, channel in plain.items()} for row in rows]
    else:
        groups: dict[tuple[Any, ...], Rows] = {}
        for row in rows:
            groups.setdefault(tuple(_value(channel, row) for channel in plain.values()), []).append(row)
        found = []
        for key, group in groups.items():
            point = dict(zip(plain, key, strict=True))
            for name, channel in channels.items():
                if name not in plain:
                    op = channel["aggregate"]
                    point[name] = aggregate(op, None if op == "count" else [_value(channel, row) for row in group], len(group))
            found.append(point)
    return [(point["x"], point["y"], point.get("color")) for point in found]


def _order(sort: Any, points: Sequence[tuple[Any, Any, Any]]) -> list[Any]:
    values = list(dict.fromkeys(x for x, _, _ in points))
    totals: dict[Any, Any] = {}
    match sort:
        case None:
            return values
        case "ascending" | "descending":
            return sorted(values, reverse=sort == "descending")
        case "y" | "-y" | {"encoding": "y"} | {"op": "sum"} | {"field": _}:
            if isinstance(sort, dict) and "encoding" not in sort:
                raise ChartError("`sort` must be one that the task names")
            for x, y, _ in points:
                totals[x] = totals.get(x, 0) + y
            falls = sort == "-y" or (isinstance(sort, dict) and sort.get("order") == "descending")
            return sorted(sorted(values), key=lambda x: totals[x], reverse=falls)
        case list():
            return [*(x for x in _list(sort, "`sort`") if x in values), *(x for x in sorted(values) if x not in sort)]
    raise ChartError("`sort` must be one that the task names")
