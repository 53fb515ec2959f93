"""Makes suite files: held-out tasks of chosen environments, drawn in an order that the suite's name decides."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import rlgym
from rlgym.core.config import Value
from rlgym.core.names import without_language
from rlgym.dataset.rows import content_hash, split_of
from rlgym.evaluate.suites import Pin, Pinned, SuiteError, digest, pinned_rows

HELD_OUT = {"train": 0.9, "test": 0.1}  # the train split of datasets with the usual shares, and of the trainer
ATTEMPTS = 600


@dataclass(frozen=True, slots=True)
class Part:
    """Tasks of one environment: `seeds` different ones at each of these levels, with these knobs set by name."""

    name: str
    levels: tuple[float, ...]
    seeds: int
    knobs: Mapping[str, Value] = field(default_factory=dict)


def drawn(suite: str, part: Part) -> dict[float, list[int]]:
    """The seeds of a part at each level: the first, in the order that the suite's name gives, whose tasks are new and held out.

    A judge task in another language has the seeds of the English one, so that all languages show the same instances.
    """
    seen: set[str] = set()
    return {level: list(_fitting(suite, part, level, seen)) for level in part.levels}


def _fitting(suite: str, part: Part, level: float, seen: set[str]) -> Iterator[int]:
    count, english = 0, without_language(part.name)
    for attempt in range(ATTEMPTS):
        key = f"{suite}\n{english}\n{level!r}\n{attempt}".encode()
        seed = int.from_bytes(hashlib.sha256(key).digest()[:4], "big")
        prompt = rlgym.task(english, seed, level=level, **dict[str, Any](part.knobs)).prompt
        # A task with a confidence is the environment's own task in other clothes, as is one in another language of the English task, so that
        # this one must be held out.
        own = {"env": english.removesuffix(":with_confidence"), "prompt": prompt}
        if prompt not in seen and split_of(content_hash(own), HELD_OUT) == "test":
            seen.add(prompt)
            yield seed
            count += 1
            if count == part.seeds:
                return
    raise SuiteError(f"{part.name} has too few tasks at level {level:g} for {suite}")


def draft(
    suite: str, description: str, seeds: Mapping[str, dict[float, list[int]]], knobs: Mapping[str, Mapping[str, Value]] | None = None
) -> tuple[Pinned, list[dict[str, Any]]]:
    """A suite with the hash of no environment, and its rows; `knobs` are those that are set by name. SuiteError if two tasks have one prompt."""
    pins = {
        name: Pin(version=rlgym.environment(name).version, hash="", seeds=of_level, knobs=dict((knobs or {}).get(name, {})))
        for name, of_level in seeds.items()
    }
    tasks = sum(len(some) for pinned_environment in pins.values() for some in pinned_environment.seeds.values())
    made = Pinned(
        format=1,
        name=suite,
        description=description,
        rlgym=rlgym.__version__,
        answer_style="tag",
        tasks=tasks,
        hash="0" * 64,
        environments=pins,
    )
    rows = pinned_rows(made, pins)
    if len({row["prompt"] for row in rows}) < tasks:
        raise SuiteError(f"{suite} has two tasks with one prompt")
    return made.model_copy(update={"hash": digest(rows)}), rows


def with_hashes(made: Pinned, rows: Sequence[Mapping[str, Any]]) -> Pinned:
    """The suite with the hash of each environment's rows."""
    hashed = {
        name: each.model_copy(update={"hash": digest(row for row in rows if row["env"] == name)[:16]})
        for name, each in made.environments.items()
    }
    return made.model_copy(update={"environments": hashed})


def text_of(pinned: Pinned) -> str:
    """A suite's file, one line for each environment."""
    fields = pinned.model_dump(mode="json")
    for pin in fields["environments"].values():
        if not pin["knobs"]:
            del pin["knobs"]
    lines = [f"    {json.dumps(name)}: {json.dumps(pinned_environment)}" for name, pinned_environment in fields.pop("environments").items()]
    head = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in fields.items())
    return "{\n" + head + '  "environments": {\n' + ",\n".join(lines) + "\n  }\n}\n"
