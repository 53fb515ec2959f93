"""Difficulty knobs. Each knob states its default, its easy and hard ends, and its meaning once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rlgym.core.errors import DeclarationError, KnobError, suggestion

Value = int | float | str


def knob(
    default: Value,
    *,
    easy: Value,
    hard: Value,
    doc: str,
    scale: Literal["linear", "log"] = "linear",
    order: Sequence[str] = (),
    fixed: bool = False,
    beyond: int | float | None = None,
) -> Any:
    """One difficulty setting.

    `easy` and `hard` are its values at level 0 and level 1, and its whole range, unless `beyond` names a value past `hard` up to
    which the knob may be set by name; no level goes past `hard`. Integers and floats move between `easy` and `hard`, evenly or
    (`scale="log"`) by equal ratios. A text knob names its values from easy to hard in `order`. A `fixed` knob is the same at every level, as
    a language is: it makes nothing easier or harder, and its `easy`, `hard` and `default` are one value.
    """
    extra: dict[str, Any] = {"easy": easy, "hard": hard, "scale": scale, **({"fixed": True} if fixed else {})}
    if fixed and not easy == hard == default:
        raise DeclarationError(f"a fixed knob has one value at every level, got easy={easy!r}, hard={hard!r} and default={default!r}")
    if order:
        if easy not in order or hard not in order or default not in order:
            raise DeclarationError(f"easy={easy!r}, hard={hard!r} and default={default!r} must be among order={list(order)}")
        return Field(default, description=doc, json_schema_extra={**extra, "order": list(order)}, pattern=f"^({'|'.join(order)})$")
    if isinstance(default, str) or isinstance(easy, str) or isinstance(hard, str):
        raise DeclarationError("a text knob needs order=(...), its values from easy to hard")
    low, high = min(easy, hard), max(easy, hard)
    if not low <= default <= high:
        raise DeclarationError(f"default={default} is outside {low} to {high}")
    if beyond is not None:
        if (beyond - hard) * (hard - easy) <= 0:
            raise DeclarationError(f"beyond={beyond} must lie past hard={hard}, on the side away from easy={easy}")
        extra["beyond"] = beyond
        low, high = min(low, beyond), max(high, beyond)
    return Field(default, ge=low, le=high, description=doc, json_schema_extra=extra)


class Config(BaseModel):
    """The difficulty knobs of one environment."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def at(cls, level: float, **knobs: Value) -> Self:
        """The knobs at a level from easy (0) to hard (1); knobs passed by name override it."""
        if isinstance(level, bool) or not isinstance(level, int | float) or not 0 <= level <= 1:
            raise KnobError(f"level must be from 0 (easiest) to 1 (hardest), got level={level!r}")
        return cls.from_knobs({name: _between(facts, level) for name, facts in cls.knobs().items()} | knobs)

    @classmethod
    def from_knobs(cls, knobs: Mapping[str, Any]) -> Self:
        """A config from named knobs, with defaults elsewhere. KnobError names every invalid knob."""
        try:
            return cls(**knobs)
        except ValidationError as error:
            raise KnobError(_explain(cls, error)) from None

    @classmethod
    def knobs(cls) -> dict[str, dict[str, Any]]:
        """Facts about each knob: type, default, easy, hard, scale, order (text knobs), beyond (where it may go past `hard`) and doc."""
        return _facts(cls)


@cache
def _facts(config: type[Config]) -> dict[str, dict[str, Any]]:
    out = {}
    for name, info in config.model_fields.items():
        if not isinstance(info.json_schema_extra, dict) or info.annotation not in (int, float, str):
            raise TypeError(f"{config.__qualname__}.{name} must be an int, float or str made by knob(...)")
        out[name] = {"type": info.annotation.__name__, "default": info.default, **info.json_schema_extra, "doc": info.description}
    return out


def _between(facts: Mapping[str, Any], level: float) -> Value:
    easy, hard = facts["easy"], facts["hard"]
    if "order" in facts:
        order: list[str] = facts["order"]
        first, last = order.index(easy), order.index(hard)
        return order[round(first + level * (last - first))]
    value: float
    if facts["scale"] == "log" and level not in (0, 1):
        value = easy * math.exp(level * math.log(hard / easy))
    else:
        # Rounding must not carry a float past the end: 0.3 + (0.9 - 0.3) is above 0.9.
        value = min(max(easy + level * (hard - easy), min(easy, hard)), max(easy, hard))
    return round(value) if facts["type"] == "int" else float(value)


def knob_position(config: Config, name: str) -> float:
    """Where the value of a knob lies between its easy end, 0, and its hard end, 1; 0 for a knob with one value."""
    facts, value = config.knobs()[name], getattr(config, name)
    easy, hard = facts["easy"], facts["hard"]
    if easy == hard:
        return 0.0
    if "order" in facts:
        order: list[str] = facts["order"]
        return (order.index(str(value)) - order.index(easy)) / (order.index(hard) - order.index(easy))
    if facts["scale"] == "log":
        return math.log(float(value) / easy) / math.log(hard / easy)
    return float((float(value) - easy) / (hard - easy))


def _explain(config: type[Config], error: ValidationError) -> str:
    problems = []
    for problem in error.errors():
        name = str(problem["loc"][0]) if problem["loc"] else ""
        facts = config.knobs().get(name)
        if name and facts is None:
            problems.append(f"there is no knob {name!r}.{suggestion(name, config.knobs())} The knobs are {', '.join(config.knobs())}")
        elif facts is None:
            problems.append(problem["msg"].removeprefix("Value error, "))
        elif "order" in facts:
            problems.append(f"{name} must be one of {', '.join(facts['order'])}, got {name}={problem['input']!r}")
        else:
            low, high = sorted((facts["easy"], facts.get("beyond", facts["hard"])))
            kind = "an integer" if facts["type"] == "int" else "a number"
            problems.append(f"{name} must be {kind} from {low} to {high}, got {name}={problem['input']!r}")
    return "; ".join(problems)
