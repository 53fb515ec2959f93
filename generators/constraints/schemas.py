"""JSON Schemas: a validator for a named part of the keywords, values that satisfy a schema, and schemas drawn around a value."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.text.words import WORDS

TYPES: dict[str, Callable[[Any], bool]] = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
MOST_DEPTH = 40
Schema = dict[str, Any]
Given = Mapping[str, Any]
"""Values by their JSON pointers."""


def same(first: Any, second: Any) -> bool:
    """Whether two JSON values are equal, types included."""
    return json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


def find_violation(value: Any, schema: Any, root: Schema, at: str = "", depth: int = 0) -> str | None:
    """Where and by which keyword a value breaks a schema; None where it is valid. Unknown keywords are an error."""
    if schema is True or schema is False or depth > MOST_DEPTH:
        return None if schema is True else f"{at or 'the root'}: false"
    for keyword, operand in schema.items():
        if keyword in ("$defs", "then", "else", "$schema"):
            continue
        if not _KEYWORDS[keyword](
            value, operand, schema, lambda inner, part, name="": find_violation(inner, part, root, f"{at}{name}", depth + 1), root
        ):
            return f"{at or 'the root'}: {keyword}"
    return _fault_inside(value, schema, root, at, depth)


def _fault_inside(value: Any, schema: Schema, root: Schema, at: str, depth: int) -> str | None:
    """The same for the items of a list and the properties of an object."""
    parts: list[tuple[str, Any, Any]] = []
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        parts = [(f"{at}/{i}", item, first[i] if i < len(first) else schema.get("items", True)) for i, item in enumerate(value)]
    elif isinstance(value, dict):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        parts = [(f"{at}/{key}", inner, known.get(key, rest)) for key, inner in value.items()]
    return next((fault for name, inner, part in parts if (fault := find_violation(inner, part, root, name, depth + 1))), None)


def _number(test: Callable[[int, int], bool]) -> Callable[..., bool]:
    return lambda value, operand, *_: not TYPES["integer"](value) or test(value, operand)


def _size(kind: type[str] | type[list[Any]] | type[dict[str, Any]], test: Callable[[int, int], bool]) -> Callable[..., bool]:
    return lambda value, operand, *_: not isinstance(value, kind) or test(len(value), operand)


def _branch(value: Any, operand: Any, schema: Schema, inner: Callable[..., Any], root: Schema) -> bool:
    return inner(value, schema.get("then" if inner(value, operand) is None else "else", True)) is None


def _refer(root: Schema, name: str) -> Any:
    return root["$defs"][name.removeprefix("#/$defs/")]


_KEYWORDS: dict[str, Callable[..., bool]] = {
    "type": lambda value, operand, *_: TYPES[operand](value),
    "enum": lambda value, operand, *_: any(same(value, option) for option in operand),
    "const": lambda value, operand, *_: same(value, operand),
    "minimum": _number(lambda value, operand: value >= operand),
    "maximum": _number(lambda value, operand: value <= operand),
    "multipleOf": _number(lambda value, operand: value % operand == 0),
    "minLength": _size(str, lambda size, operand: size >= operand),
    "maxLength": _size(str, lambda size, operand: size <= operand),
    "pattern": lambda value, operand, *_: not isinstance(value, str) or re.fullmatch(operand.strip("^$"), value, re.ASCII) is not None,
    "minItems": _size(list, lambda size, operand: size >= operand),
    "maxItems": _size(list, lambda size, operand: size <= operand),
    "uniqueItems": lambda value, *_: not isinstance(value, list) or len({json.dumps(item, sort_keys=True) for item in value}) == len(value),
    "contains": lambda value, operand, _s, inner, _r: not isinstance(value, list) or any(inner(item, operand) is None for item in value),
    "minProperties": _size(dict, lambda size, operand: size >= operand),
    "maxProperties": _size(dict, lambda size, operand: size <= operand),
    "required": lambda value, operand, *_: not isinstance(value, dict) or all(key in value for key in operand),
    "dependentRequired": lambda value, operand, *_: (
        not isinstance(value, dict) or all(key in value for name, keys in operand.items() if name in value for key in keys)
    ),
    "not": lambda value, operand, _s, inner, _r: inner(value, operand) is not None,
    "oneOf": lambda value, operand, _s, inner, _r: sum(inner(value, option) is None for option in operand) == 1,
    "allOf": lambda value, operand, _s, inner, _r: all(inner(value, part) is None for part in operand),
    "anyOf": lambda value, operand, _s, inner, _r: any(inner(value, option) is None for option in operand),
    "if": _branch,
    "$ref": lambda value, operand, _s, inner, root: inner(value, _refer(root, operand)) is None,
    **dict.fromkeys(("properties", "additionalProperties", "items", "prefixItems"), lambda *_: True),
}


def sample_valid_value(rng: Rng, schema: Any, root: Schema, given: Given, at: str = "", depth: int = 0) -> Any:
    """A value that satisfies a schema and holds the given ones; LookupError where a fixed number of tries finds none."""
    for _ in range(30):
        value = given[at] if at in given else _candidate(rng, schema, root, given, at, depth)
        if find_violation(value, schema, root) is None:
            return value
    raise LookupError(f"nothing was found at {at!r}")


def _candidate(rng: Rng, schema: Any, root: Schema, given: Given, at: str, depth: int) -> Any:
    """A value that may satisfy the schema."""
    if "$ref" in schema:
        return sample_valid_value(rng, _refer(root, schema["$ref"]), root, given, at, depth)
    if "oneOf" in schema:
        return sample_valid_value(rng, rng.choice(schema["oneOf"]), root, given, at, depth)
    if "const" in schema or "enum" in schema:
        return schema.get("const", rng.choice(schema.get("enum", [None])))
    match schema.get("type"):
        case "integer":
            step = schema.get("multipleOf", 1)
            low, high = schema.get("minimum", 0), schema.get("maximum", schema.get("minimum", 0) + 20 * step)
            return step * rng.integer(-(-low // step), max(-(-low // step), high // step))
        case "string" if "pattern" in schema:
            return _sample_matching_text(rng, schema["pattern"])
        case "string":
            low, high = schema.get("minLength", 0), schema.get("maxLength", 12)
            fit = [word for word in rng.sample(WORDS, 16) if low <= len(word) <= high]
            return fit[0] if fit else "x" * low
        case "boolean":
            return rng.chance(0.5)
        case "array":
            return _list(rng, schema, root, given, at, depth)
        case "object":
            return _object(rng, schema, root, given, at, depth)
    return None


def _list(rng: Rng, schema: Schema, root: Schema, given: Given, at: str, depth: int) -> list[Any]:
    first = schema.get("prefixItems", [])
    indices = [int(name[len(at) + 1 :].split("/")[0]) for name in given if name.startswith(f"{at}/")]
    least = max(schema.get("minItems", 0), *(index + 1 for index in indices), len(first)) if indices or first else schema.get("minItems", 0)
    size = (
        least
        if depth > 3
        else rng.integer(least, max(least, min(least + 1, schema.get("maxItems", least + 1))))
        if schema.get("items")
        else least
    )
    items = [
        sample_valid_value(rng, first[i] if i < len(first) else schema["items"], root, given, f"{at}/{i}", depth + 1) for i in range(size)
    ]
    free = [i for i in range(size) if not any((name + "/").startswith(f"{at}/{i}/") for name in given)]
    if "contains" in schema and free:
        i = rng.choice(free)
        items[i] = sample_valid_value(rng, {**schema["items"], **schema["contains"]}, root, given, f"{at}/{i}", depth + 1)
    return items


def _object(rng: Rng, schema: Schema, root: Schema, given: Given, at: str, depth: int) -> dict[str, Any]:
    known = schema.get("properties", {})
    properties = [name[len(at) + 1 :].split("/")[0] for name in given if name.startswith(f"{at}/")]
    keys = dict.fromkeys([*schema.get("required", []), *properties, *(key for key in known if rng.chance(0.3))])
    value: dict[str, Any] = {}
    while len(keys) < schema.get("minProperties", 0):
        keys[rng.choice([key for key in known if key not in keys])] = None
    todo = list(keys)
    while todo:
        key = todo.pop(0)
        if key not in value:
            value[key] = sample_valid_value(rng, known[key], root, given, f"{at}/{key}", depth + 1)
        more = schema.get("dependentRequired", {}).get(key, [])
        if "if" in schema and not todo:
            side = schema.get("then" if find_violation(value, schema["if"], root) is None else "else", {})
            more = [*more, *side.get("required", [])]
        todo += [name for name in more if name not in value]
    return value


def _sample_matching_text(rng: Rng, pattern: str) -> str:
    """A text for a pattern made of sets with a count, as ^[A-Z]{2}-[0-9]{3}$."""
    out = ""
    for first, last, count, plain in re.findall(r"\[(.)-(.)\]\{(\d)\}|([^\[\]{}^$])", pattern):
        out += plain or "".join(chr(rng.integer(ord(first), ord(last))) for _ in range(int(count)))
    return out


def places(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """The plain values inside a value, with their pointers."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, f"{at}/{key}")
    else:
        yield at, value


def sample(rng: Rng, keys: list[str], depth: int, kind: str, most: int) -> Schema:
    """A schema for an object; `kind` says which keywords it has, each a superset of the one before: types, bounds, combined, referring."""
    names = [keys.pop() for _ in range(rng.integer(max(2, most - 1), most))]
    inner = rng.sample(names, min(len(names) - 1, 1 + (most > 3))) if depth > 1 else []
    properties = {
        name: sample(rng, keys, depth - 1, kind, most)
        if name in inner and rng.chance(0.6)
        else _simple(rng, keys, depth, kind, name in inner)
        for name in names
    }
    schema: Schema = {"type": "object", "properties": properties, "required": rng.shuffled(names)[: max(1, len(names) - 1)]}
    if kind != "types":
        schema["additionalProperties"] = False
    if kind in ("combined", "referring"):
        _combine(rng, keys, schema, names)
    return schema


def _combine(rng: Rng, keys: list[str], schema: Schema, names: list[str]) -> None:
    """Adds what ties properties to each other, in place."""
    name_a, two, three = (keys.pop() for _ in range(3))
    if rng.chance(0.5):
        values = rng.sample(WORDS, 3)
        schema["properties"] |= {name_a: {"enum": values}, two: {"type": "integer", "minimum": 1}, three: {"type": "boolean"}}
        schema["required"] = [*schema["required"], name_a]
        schema |= {"if": {"properties": {name_a: {"const": values[0]}}}, "then": {"required": [two]}, "else": {"required": [three]}}
    else:
        schema["properties"] |= {name_a: {"type": "string", "minLength": 3}, two: {"type": "integer", "multipleOf": rng.integer(3, 9)}}
        schema["dependentRequired"] = {rng.choice(schema["required"]): [name_a], name_a: [two]}


def _simple(rng: Rng, keys: list[str], depth: int, kind: str, listed: bool) -> Schema:
    """A schema for a plain value, or for a list."""
    if listed:
        items = sample(rng, keys, 1, kind, 2) if depth > 1 and rng.chance(0.5) else sample_scalar_schema(rng, kind)
        low = rng.integer(1, 3)
        schema: Schema = {"type": "array", "items": items, "minItems": low, "maxItems": low + rng.integer(0, 2)}
        if kind != "types" and items.get("type") in ("integer", "string") and "maximum" not in items:
            schema["uniqueItems"] = True
        return schema
    if kind == "referring" and rng.chance(0.4):
        return {"$ref": f"#/$defs/{rng.choice(('code', 'amount', 'pair'))}"}
    if kind in ("combined", "referring") and rng.chance(0.3):
        divisor, two = rng.sample((3, 4, 5, 7), 2)
        low = rng.integer(10, 60)
        return {"oneOf": [{"type": "integer", "minimum": low, "maximum": low + 80, "multipleOf": factor} for factor in (divisor, two)]}
    return sample_scalar_schema(rng, kind)


def sample_scalar_schema(rng: Rng, kind: str) -> Schema:
    if kind == "types":
        return {"type": rng.choice(("integer", "string", "boolean"))}
    low = rng.integer(2, 90)
    return rng.choice(
        [
            {"type": "integer", "minimum": low, "maximum": low + rng.integer(3, 20)},
            {"type": "integer", "minimum": low, "multipleOf": rng.integer(3, 12)},
            {"type": "string", "minLength": low % 5 + 3, "maxLength": low % 5 + 3 + rng.integer(0, 2)},
            {"type": "string", "pattern": f"^[A-{rng.choice('FKPZ')}]{{{rng.integer(1, 3)}}}-[0-9]{{{rng.integer(2, 4)}}}$"},
            {"enum": rng.sample(WORDS, 3)},
            {"type": "boolean"},
        ]
    )


def definitions(rng: Rng) -> Schema:
    """What `$ref` may refer to."""
    low = rng.integer(5, 50)
    return {
        "code": {"type": "string", "pattern": f"^[A-Z]{{2}}/[{rng.integer(1, 4)}-9]{{3}}$"},
        "amount": {"type": "integer", "minimum": low, "maximum": low + 40, "not": {"multipleOf": rng.integer(2, 5)}},
        "pair": {"type": "array", "prefixItems": [{"$ref": "#/$defs/code"}, {"$ref": "#/$defs/amount"}], "items": False, "minItems": 2},
    }
