"""Work out what a pipeline of a small JSON language makes of a list of records."""

import re
from collections.abc import Callable
from itertools import chain
from operator import itemgetter
from typing import Any

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import written
from rlgym.solutions import Derivation, Solution, Step

Record = tuple[str, str, int, tuple[int, ...]]  # name, team, points, marks
MEANINGS = {
    "map": "`map(.k)` replaces each record of a list by its field k",
    "select": "`select(.k > n)` and `select(.k < n)` keep the records of a list whose field k satisfies the comparison",
    "sort": "`sort(.k)` sorts the records of a list by field k in ascending order (texts from A to Z), keeping the order of equal ones",
    "reverse": "`reverse` reverses a list",
    "take": "`take(n)` keeps the first n elements of a list, or all if there are fewer",
    "skip": "`skip(n)` drops the first n elements of a list",
    "group": "`group(.k)` makes an object with the distinct values of field k as keys and, under each, the list of its records in their order",
    "each": "`each(stages)` applies stages to every value of an object, keeping its keys",
    "flatten": "`flatten` joins the lists in a list into one list",
    "sum": "`sum` adds up a list",
    "unique": "`unique` keeps the first occurrence of each element of a list",
}
STAGE = Step("After `{stage}`, stage {count:int}: {value}")
END = "So the pipeline produces {answer}"


class Knobs(Config):
    records: int = knob(6, easy=3, hard=12, doc="records of the list")
    stages: int = knob(3, easy=1, hard=5, doc="stages before the last ones")
    nested: str = knob(
        "lists", easy="fields", hard="groups", order=("fields", "lists", "groups"), doc="what the end of the pipeline is about"
    )


class Data(TaskData):
    records: tuple[Record, ...]
    stages: tuple[str, ...]
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, rng.sample("ann bob cid dot eve fay gus hal ida jon kay lee max ned".split(), knobs.records), 20)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Records full of equal values, so that ties and doubles decide."""
    return _sample_task(rng, knobs, [rng.choice(("ann", "bob", "cid", "dot")) for _ in range(knobs.records)], 5)


def solve(task: Task[Data]) -> str:
    """By reading the pipeline as a text, stage by stage, over dictionaries."""
    value: Any = [{"name": a, "team": b, "points": c, "marks": list(d)} for a, b, c, d in task.data.records]

    return written(_run(value, " | ".join(task.data.stages)))


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "the pipeline makes another value")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    fewer = [
        data.stages[:i] + data.stages[i + 1 :]
        for i in range(len(data.stages) - 1)
        if not data.stages[i].startswith(("map", "group", "flatten"))
    ]
    return [*(written(_value(data.records, stages)) for stages in fewer), f"[{right}]", "[]", "0"]


def cost(task: Task[Data]) -> float:
    return float(
        sum(2 + stage.count("|") * 3 + 4 * stage.startswith(("group", "each")) for stage in task.data.stages) * (2 + len(task.data.records))
    )


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for count, stage in enumerate(data.stages, 1):
        yield STAGE(stage=stage, count=count, value=_abbreviate(_value(data.records, data.stages[:count])))


def _run(value: Any, text: str) -> Any:
    """What a pipeline, read from its text, makes of lists of dictionaries."""
    for stage in _split(text):
        word, _, inside = stage.partition("(")
        inside = inside[:-1]
        field = inside.lstrip(".").split(" ")[0]
        if word == "each":
            value = {key: _run(part, inside) for key, part in value.items()}
        elif word == "group":
            groups: dict[str, list[Any]] = {}
            for row in value:
                groups.setdefault(row[field], []).append(row)
            value = groups
        elif word == "select":
            _, sign, bound = inside.split(" ")
            value = [row for row in value if (row[field] > int(bound) if sign == ">" else row[field] < int(bound))]
        elif word == "sort":
            value = sorted(value, key=itemgetter(field))
        else:
            value = _simple(value, word, inside)
    return value


def _split(text: str) -> list[str]:
    """The stages of a pipeline, parted at the bars that stand in no brackets."""
    stages, depth = [""], 0
    for sign in text.replace(" | ", "|"):
        depth += (sign == "(") - (sign == ")")
        stages = [*stages, ""] if sign == "|" and not depth else [*stages[:-1], stages[-1] + (" | " if sign == "|" else sign)]
    return stages


def _simple(value: Any, word: str, inside: str) -> Any:
    match word:
        case "map":
            return list(map(itemgetter(inside.lstrip(".")), value))
        case "reverse":
            return value[::-1]
        case "take":
            return value[: int(inside)]
        case "skip":
            return value[int(inside) :]
        case "flatten":
            return [x for row in value for x in row]
        case "unique":
            return list(dict.fromkeys(value))
    return sum(value) if word == "sum" else max(value) if word == "max" else len(value)


def _abbreviate(value: Any) -> str:
    """A value with its records as their names and points."""
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_abbreviate(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(str(item) if isinstance(item, list) else _abbreviate(item) for item in value) or "nothing"
    return f"{value[0]} {value[2]}" if isinstance(value, tuple) else str(value)


def _value(records: tuple[Record, ...], stages: tuple[str, ...]) -> Any:
    """By functions, over the records as tuples."""
    value: Any = list(records)
    for stage in stages:
        value = _stage(stage)(value)
    return value


_FIELDS = {"name": 0, "team": 1, "points": 2, "marks": 3}


def _stage(stage: str) -> Callable[[Any], Any]:
    if stage.startswith("each("):
        inner = [_stage(part_text) for part_text in stage[5:-1].split(" | ")]

        def each(groups: dict[str, Any]) -> dict[str, Any]:
            out = {}
            for key in groups:
                part = groups[key]
                for stage_part in inner:
                    part = stage_part(part)
                out[key] = part
            return out

        return each
    match = re.fullmatch(r"(\w+)(?:\(\.?(\w+)(?: (.) (\w+))?\))?", stage)
    assert match
    word, field, sign, bound = match.groups()
    place = _FIELDS.get(field or "", 0)
    match word:
        case "select":
            limit, turn = int(bound), 1 if sign == ">" else -1
            return lambda rows: [row for row in rows if turn * row[place] > turn * limit]
        case "map":
            return lambda rows: [list(row[place]) if place == 3 else row[place] for row in rows]
        case "sort":
            return lambda rows: [row for _, row in sorted(enumerate(rows), key=lambda pair: (pair[1][place], pair[0]))]
        case "group":
            return lambda rows: {key: [row for row in rows if row[place] == key] for key in dict.fromkeys(row[place] for row in rows)}
        case "take" | "skip":
            first, last = (0, int(field)) if word == "take" else (int(field), None)
            return lambda rows: rows[first:last]
        case "flatten":
            return lambda rows: list(chain.from_iterable(rows))
        case "reverse":
            return lambda rows: list(reversed(rows))
        case "unique":
            return lambda rows: [row for i, row in enumerate(rows) if row not in rows[:i]]
    ways: dict[str, Callable[[Any], Any]] = {"sum": sum, "length": len, "max": max}
    return ways[word]


def _sample_task(rng: Rng, knobs: Knobs, names: list[str], spread: int) -> Task[Data]:
    while True:
        records = tuple(
            (name, rng.choice(("red", "blue", "gold")), rng.integer(1, spread), tuple(rng.integer(1, 6) for _ in range(rng.integer(1, 3))))
            for name in names
        )
        ways = [
            f"select(.points > {rng.integer(1, max(1, spread // 2))})", f"select(.points < {rng.integer(spread // 2, spread)})", "sort(.points)", "sort(.name)",
            "reverse", f"skip({rng.integer(1, 2)})", f"take({max(2, knobs.records - rng.integer(1, 2))})", "sort(.team)",
        ]  # fmt: skip
        begin = rng.sample(ways, knobs.stages)
        ends = {
            "fields": (["map(.name)"], ["map(.points)", "sum"], ["map(.points)"], ["map(.team)", "unique"]),
            "lists": (["map(.marks)", "flatten"], ["map(.marks)", "flatten", "unique"], ["map(.marks)", "flatten", "reverse"], ["map(.marks)", "skip(1)"]),
            "groups": (
                ["group(.team)", "each(map(.name))"], ["group(.team)", "each(map(.points) | sum)"], ["group(.team)", "each(map(.marks) | flatten | unique)"],
                ["group(.team)", f"each(sort(.points) | reverse | take({rng.integer(1, 2)}) | map(.name))"],
            ),
        }  # fmt: skip
        stages = (*begin, *rng.choice(ends[knobs.nested]))
        value = _value(records, stages)
        if value and (isinstance(value, int) or len(value) > 1):
            break
    shown = "\n".join(f'{{"name": "{a}", "team": "{b}", "points": {c}, "marks": {list(d)}}}' for a, b, c, d in records)
    prompt = f"This is a list of records:\n\n{shown}\n\n{_manual(stages)}\n\nWhat value does this pipeline produce?\n\n{' | '.join(stages)}"
    return Task(prompt, Data(records=records, stages=stages, right=written(value)))


def _manual(stages: tuple[str, ...]) -> str:
    """What a pipeline is, and what the stages of this one do."""
    words = set(re.findall(r"[a-z]+", " ".join(stages)))
    meanings = "; ".join(meaning for word, meaning in MEANINGS.items() if word in words)
    return f"A pipeline is a sequence of stages joined by `|`; each stage gets the value produced by the one before it. {meanings}."


environment = Environment(
    Knobs, Literal('the value as JSON: a number, a list such as [1, 2] or an object such as {"red": 3}'),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift,
    concept="Write down the whole value after each stage before the next one is applied.",
    version=4,
)  # fmt: skip
