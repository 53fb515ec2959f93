"""Give a JSON value that is valid under a given JSON Schema and carries some given values at their places.

At the hard end the keywords tie the keys of one object to each other (in the shifted family the items of one list), so that finding out which of
them may stand together is a search with dead ends, in which the key that meets the most demands is often the wrong one.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Json
from rlgym.generators.constraints import tied_keys
from rlgym.generators.constraints.schemas import (
    Schema,
    definitions,
    find_violation,
    places,
    same,
    sample,
    sample_scalar_schema,
    sample_valid_value,
)
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step, any_order

KEYWORDS = ("types", "bounds", "combined", "referring", "tied", "tied")
GIVEN = Step("At {pointer} the value must be {value}, as given")
MET = Step("{kind} of {names}: {present} is there")
CHOSEN = Step("At {pointer} the schema allows {value}")
END = "Put together: {answer}"


class Knobs(Config):
    depth: int = knob(2, easy=1, hard=3, doc="how deeply objects are nested")
    max_properties: int = knob(3, easy=2, hard=6, doc="maximum number of properties of an object, besides those that relate others")
    required_values: int = knob(2, easy=1, hard=6, doc="values that the answer must carry")
    keywords: str = knob(
        "bounds",
        easy="types",
        hard="tied",
        order=KEYWORDS,
        doc="which keywords the schema has, each step adds some; at last those that tie keys",
    )


class Data(TaskData):
    schema_text: str
    given: tuple[tuple[str, str], ...]
    """Pointers, and the values there as JSON texts."""
    witness: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.keywords == "tied":
        return _sample_tied(rng, knobs, listed=False)

    def schema(rng: Rng) -> Schema:
        schema_drawn = sample(rng, rng.sample(WORDS, 500), knobs.depth, knobs.keywords, knobs.max_properties)
        return schema_drawn | ({"$defs": definitions(rng)} if "$ref" in json.dumps(schema_drawn) else {})

    return _sample_task(rng, knobs, schema)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A schema that refers to itself: parts of parts of the same kind. At the hard end the items of a list are tied to each other."""
    if knobs.keywords == "tied":
        return _sample_tied(rng, knobs, listed=True)

    def schema(rng: Rng) -> Schema:
        node = sample(rng, rng.sample(WORDS, 60), 1, "bounds" if knobs.keywords == "types" else knobs.keywords, knobs.max_properties)
        parts = rng.choice(WORDS)
        while parts in node["properties"]:
            parts = rng.choice(WORDS)
        node["properties"][parts] = {"type": "array", "items": {"$ref": "#/$defs/node"}, "maxItems": 3, "minItems": 0}
        node["required"] = [*node["required"], parts]
        root = {"type": "array", "items": {"$ref": "#/$defs/node"}, "minItems": knobs.depth, "maxItems": knobs.depth + 1}
        return {**root, "$defs": {"node": node, **definitions(rng)}}

    return _sample_task(rng, knobs, schema)


def solve(task: Task[Data]) -> str:
    # Built from the schema and the given values; `generate` drew a value first and took the given ones out of it.
    return next(_solutions(task), task.data.witness)


def verify(task: Task[Data], answer: str) -> Score:
    value, schema = json.loads(answer), _schema(task.data.schema_text)
    if fault := find_violation(value, schema, schema):
        return Score.wrong(f"the value is not valid, at {fault[:200]}")
    for pointer, text in task.data.given:
        if not same(_value_at(value, pointer), json.loads(text)):
            return Score.wrong(f"the value at {pointer} is not the given one")
    return Score.exact(True)


def mistakes(task: Task[Data], right: str) -> list[str]:
    value = json.loads(right)
    pointer, text = task.data.given[0]
    inside = list(places(value))
    changed = [
        _with(value, pointer, None),
        _with(value, pointer, [json.loads(text)]),
        _with(value, inside[-1][0], {"value": inside[-1][1]}),
    ]
    return [
        environment.answer.render(json.dumps(variant, sort_keys=True, ensure_ascii=False))
        for variant in [*changed, [value], {"answer": value}]
    ]


def cost(task: Task[Data]) -> float:
    tied = tied_keys.read(_schema(task.data.schema_text))
    return len(task.data.schema_text) / 10 + 15.0 * len(task.data.given) + (20 * len(tied.rules) if tied else 0)


def derive(task: Task[Data]) -> Derivation:
    """The given values, then the others, each checked against the part of the schema for its place."""
    given = dict(task.data.given)
    if tied := tied_keys.read(_schema(task.data.schema_text)):
        keys = set(json.loads(solve(task)))
        groups = [(kind, names) for kind, names in tied.rules if kind in (tied_keys.SOME, tied_keys.ONE)]
        yield from any_order(
            [MET(kind=kind, names=", ".join(names), present=next(name for name in names if name in keys)) for kind, names in groups]
        )
    yield from any_order([GIVEN(pointer=pointer, value=value) for pointer, value in given.items()])
    free = [(at, inner) for at, inner in places(json.loads(solve(task))) if at not in given and not isinstance(inner, (dict, list))]
    yield from any_order([CHOSEN(pointer=at, value=json.dumps(inner, ensure_ascii=False)) for at, inner in free])


def _sample_task(rng: Rng, knobs: Knobs, schema_of: Any) -> Task[Data]:
    while True:
        schema = schema_of(rng)
        try:
            value = sample_valid_value(rng, schema, schema, {})
            inside = [(at, inner) for at, inner in places(value) if not isinstance(inner, bool)]
            if not inside:
                continue
            chosen = sorted(rng.sample(inside, min(knobs.required_values, len(inside))))
            data = Data(
                schema_text=json.dumps(schema),
                given=tuple((at, json.dumps(inner)) for at, inner in chosen),
                witness=json.dumps(value, sort_keys=True, ensure_ascii=False),
            )
            task = Task(_render_prompt(data), data)
            if len(data.witness) < 6000 and len(list(islice(_solutions(task), 2))) > 1:
                return task
        except (LookupError, IndexError):
            continue


def _sample_tied(rng: Rng, knobs: Knobs, *, listed: bool) -> Task[Data]:
    names = rng.sample(WORDS, 3 * knobs.max_properties + 6)
    tied = tied_keys.sample(rng, names, knobs.max_properties + 1)
    schema = (
        tied_keys.list_schema(tied)
        if listed
        else tied_keys.object_schema(tied, {name: sample_scalar_schema(rng, "bounds") for name in tied.names})
    )
    keys = rng.shuffled(sorted(next(tied_keys.choices(tied))))
    value = keys if listed else {key: sample_valid_value(rng, schema["properties"][key], schema, {}) for key in keys}
    # One value is given, of the key that the fewest rules name: more would say too much about the others.
    named = {key: sum(key in rule_names for _, rule_names in tied.rules) for key in keys}
    at, inner = min(places(value), key=lambda place: named[place[1] if listed else place[0][1:]])
    data = Data(
        schema_text=json.dumps(schema), given=((at, json.dumps(inner)),), witness=json.dumps(value, sort_keys=True, ensure_ascii=False)
    )
    return Task(_render_prompt(data), data)


def _tied_value(rng: Rng, schema: Schema, tied: tied_keys.TiedKeys, given: dict[str, Any]) -> Any:
    """A value with the keys or items that the rules let stand together."""
    ((at, inner),) = given.items()
    keys = next(tied_keys.choices(tied, [inner if "items" in schema else at[1:]]))
    if "properties" in schema:
        return {key: sample_valid_value(rng, schema["properties"][key], schema, given, f"/{key}") for key in sorted(keys)}
    items = rng.shuffled(sorted(keys - {inner}))
    return [*items[: int(at[1:])], inner, *items[int(at[1:]) :]]


def _render_prompt(data: Data) -> str:
    listed = "\n".join(f"- at {at}: {text}" for at, text in data.given)
    return (
        f"Here is a JSON Schema (draft 2020-12):\n\n{data.schema_text}\n\nGive a JSON value that is valid under it and has "
        f"{'these values at these places' if len(data.given) > 1 else 'this value at this place'} (JSON pointers: keys and list positions, from 0, one "
        f"after the other):\n{listed}"
    )


@lru_cache(256)
def _schema(text: str) -> Schema:
    parsed: Schema = json.loads(text)
    return parsed


def _solutions(task: Task[Data]) -> Iterator[str]:
    """Values built from the schema with other choices."""
    schema, given = _schema(task.data.schema_text), {at: json.loads(text) for at, text in task.data.given}
    texts = dict[str, None]()
    for key in range(12):
        try:
            rng, tied = Rng("schema", key, task.data.schema_text), tied_keys.read(schema)
            value = _tied_value(rng, schema, tied, given) if tied else sample_valid_value(rng, schema, schema, given)
            text = json.dumps(value, sort_keys=True, ensure_ascii=False)
        except LookupError:
            continue
        if text not in texts and len(texts) < 3 and verify(task, text).value == 1:
            texts[text] = None
            yield text


def _value_at(value: Any, pointer: str) -> Any:
    """The value at a pointer; a list of nothing, which no given value is, where there is none."""
    for name in pointer.split("/")[1:]:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return []
    return value


def _with(value: Any, pointer: str, new: Any) -> Any:
    """A copy of a value with another one at a pointer."""
    first, _, rest = pointer[1:].partition("/")
    inner = new if not rest else None
    if isinstance(value, list):
        return [
            _with(item, f"/{rest}", new) if rest and str(i) == first else new if str(i) == first else item for i, item in enumerate(value)
        ]
    return {key: (_with(item, f"/{rest}", new) if rest else inner) if key == first else item for key, item in value.items()}


environment = Environment(
    Knobs, Json("one JSON value"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=_solutions,
    version=3,
    shared_helpers="The helper checks a value against a schema; tests compare it with jsonschema.",
    concept="Put in the given values and what is required first, then follow what these make required in turn, and check each value against its bounds.",
)  # fmt: skip
