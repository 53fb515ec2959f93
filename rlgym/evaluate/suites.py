"""Suites: named, fixed sets of tasks for evaluation. A suite file pins seeds, versions and hashes.

A suite never changes: other tasks make a suite of another name. No task of a pinned suite belongs to the train split of datasets with the
default shares, or to the trainer's default data.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import rlgym
from rlgym import RlgymError
from rlgym.dataset import Recipe, missing_requirement, row_without_oracle, sample

Row = dict[str, Any]
"""A task with the columns that `rlgym.dataset.Session` needs, its `difficulty`, and its `split`, "main" or "shift"."""
Style = Literal["tag", "boxed", "fence"]
FOLDER = Path(__file__).parent / "pinned"


class SuiteError(RlgymError, ValueError):
    """A suite is unknown or damaged, or this version of the library cannot generate its tasks."""


@dataclass(frozen=True, slots=True)
class Suite:
    """The tasks of an evaluation.

    name     the name in reports; it says which environments were left out
    hash     of all rows' ids and prompts in order; equal hashes mean equal tasks
    skipped  environments that cannot run here, and why
    """

    name: str
    hash: str
    rows: tuple[Row, ...]
    description: str = ""
    skipped: Mapping[str, str] = field(default_factory=dict)

    def first(self, count: int) -> Suite:
        """The first tasks as a suite of their own. The order is shuffled, so they cover all kinds."""
        if count >= len(self.rows):
            return self
        rows = self.rows[:count]
        return replace(self, name=f"{self.name} (first {count})", hash=digest(rows), rows=rows)


class Pin(BaseModel):
    """The tasks of one environment: its version, the seeds at each level, and the start of the hash of its tasks in the order of the suite.

    `knobs` are set by name at every level; a file states them only where there are some.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    version: int
    hash: str
    seeds: dict[float, list[int]] = Field(min_length=1)
    knobs: dict[str, int | float | str] = Field(default_factory=dict)


class Pinned(BaseModel):
    """The content of a suite file. `environments` are names as `rlgym.task` takes them, such as chain_sum:shift."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    format: Literal[1]
    name: str = Field(min_length=1)
    description: str
    rlgym: str
    answer_style: Style
    tasks: int = Field(ge=1)
    hash: str = Field(pattern="^[0-9a-f]{64}$")
    environments: dict[str, Pin] = Field(min_length=1)

    @property
    def domains(self) -> list[str]:
        """The domains of its environments, sorted; unknown environments are left out."""
        domain_of = {name: domain for domain in rlgym.domains() for name in rlgym.names(domain)}
        return sorted({domain_of[base(name)] for name in self.environments if base(name) in domain_of})


def names() -> list[str]:
    """The names of the pinned suites, sorted."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def load(name: str | Path, *, verify: bool = True) -> Suite:
    """A pinned suite by name, or from a suite file. It generates all tasks, which takes seconds.

    Environments that cannot run here are left out, and the suite's name says so. Raises SuiteError if the suite is unknown, its file is
    damaged, an environment has another version, or (unless `verify` is False) a task differs from the pinned one.
    """
    return load_pinned(read(name), verify=verify)


def load_pinned(pinned: Pinned, *, verify: bool = True) -> Suite:
    """`load` for the content of a suite file."""
    check_versions(pinned)
    skipped = {environment: why for environment in pinned.environments if (why := missing_requirement(environment))}
    environments = [environment for environment in pinned.environments if environment not in skipped]
    if not environments:
        raise SuiteError(f"no environment of {pinned.name} can run here: {next(iter(skipped.values()))}")
    rows = pinned_rows(pinned, environments)
    if verify and (bad := differing(pinned, rows)):
        raise SuiteError(_differs(pinned, bad))
    label = f"{pinned.name} ({_without(list(skipped), len(pinned.environments))})" if skipped else pinned.name
    return Suite(label, digest(rows), tuple(rows), pinned.description, skipped)


def read(name: str | Path) -> Pinned:
    """The content of a suite file, without its tasks."""
    file = Path(name) if str(name).endswith(".json") else FOLDER / f"{name}.json"
    if not file.is_file():
        near = difflib.get_close_matches(str(name), names(), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise SuiteError(f"unknown suite {str(name)!r}.{hint} The suites are {', '.join(names())}")
    try:
        return Pinned.model_validate_json(file.read_bytes())
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        field_name = ".".join(map(str, problem["loc"])) or "it"
        raise SuiteError(f"the suite {file.name!r} is damaged: {field_name}: {problem['msg']}") from None


def check_versions(pinned: Pinned) -> None:
    """Raise SuiteError unless this library has all environments of a suite in the pinned versions."""
    other = {}
    for name, pin in pinned.environments.items():
        try:
            version = rlgym.environment(name).version
        except RlgymError as error:
            raise SuiteError(
                f"{pinned.name} pins {name} v{pin.version}, which this rlgym lacks ({error}): {_alternatives(pinned)}"
            ) from None
        if version != pin.version:
            other[name] = f"{name} v{pin.version}, this rlgym has v{version}"
    if other:
        more = f" (and {len(other) - 1} more differ)" if len(other) > 1 else ""
        raise SuiteError(f"{pinned.name} pins {next(iter(other.values()))}{more}: {_alternatives(pinned)}")


def pinned_rows(pinned: Pinned, chosen: Iterable[str]) -> list[Row]:
    """The tasks of some of a suite's environments, in the order of the suite."""
    places = [
        (_sort_key(pinned.name, name, level, seed), name, level, seed)
        for name in chosen
        for level, seeds in pinned.environments[name].seeds.items()
        for seed in seeds
    ]
    return [
        _row(row_without_oracle(name, seed, level, knobs=pinned.environments[name].knobs, answer_style=pinned.answer_style))
        for _, name, level, seed in sorted(places)
    ]


def differing(pinned: Pinned, rows: Sequence[Row]) -> list[str]:
    """The environments whose tasks differ from the pinned ones; all rows of an environment must be present."""
    rows_by_name: dict[str, list[Row]] = {}
    for row in rows:
        rows_by_name.setdefault(row["env"], []).append(row)
    bad = [name for name, own in rows_by_name.items() if not digest(own).startswith(pinned.environments[name].hash)]
    if not bad and set(rows_by_name) == set(pinned.environments) and (len(rows), digest(rows)) != (pinned.tasks, pinned.hash):
        return list(rows_by_name)  # each environment matches but the suite does not: the file was edited by hand
    return bad


def from_names(
    names: str | Sequence[str],
    *,
    levels: Sequence[float] = (0.0, 0.25, 0.5, 0.75, 1.0),
    count: int = 200,
    seed: int = 0,
    shift: bool = False,
    answer_style: Style = "tag",
    split: str | None = None,
    knobs: Mapping[str, Mapping[str, Any]] | None = None,
    name: str | None = None,
) -> Suite:
    """A suite of `count` tasks over environments, domains, patterns such as "poly*", or "all"; levels are balanced, and no task occurs twice.

    shift   include the structurally shifted families
    split   only tasks whose content assigns them to this dataset split: "train", "validation" or "test"
    """
    requested = [requested_name.strip() for requested_name in names.split(",")] if isinstance(names, str) else list(names)
    matching_names = Recipe(names=requested, count=1, levels=list(levels)).environments()
    if shift:
        matching_names += [
            f"{requested_name}:shift"
            for requested_name in matching_names
            if ":" not in requested_name and f"{requested_name}:shift" in rlgym.spec(requested_name)["derived"]
        ]
    skipped = {requested_name: why for requested_name in matching_names if (why := missing_requirement(requested_name))}
    included_names = [requested_name for requested_name in matching_names if requested_name not in skipped]
    if not included_names:
        raise SuiteError(f"no environment of {', '.join(requested)} can run here: {next(iter(skipped.values()))}")
    more: dict[str, Any] = {"levels": list(levels), "seed": seed, "answer_style": answer_style}
    overrides = {requested_name: dict(values) for requested_name, values in (knobs or {}).items() if requested_name not in skipped}
    rows = tuple(_row(row) for row in sample(included_names, count, split=split, solved=False, knobs=overrides, **more))
    title = name or ",".join(requested)
    label = f"{title} ({_without(list(skipped), len(matching_names))})" if skipped else title
    return Suite(label, digest(rows), rows, f"{len(rows)} tasks of {len(included_names)} environments, drawn with seed {seed}", skipped)


def digest(rows: Iterable[Mapping[str, Any]]) -> str:
    """The SHA-256 of all rows' ids and prompts, in order."""
    hasher = hashlib.sha256()
    for row in rows:
        hasher.update(f"{row['id']}\n{row['prompt']}\0".encode("utf-8", "surrogatepass"))
    return hasher.hexdigest()


def base(name: str) -> str:
    """The environment behind a derived name such as chain_sum:shift."""
    return name.partition(":")[0]


def _row(source_row: Row) -> Row:
    row = {column: value for column, value in source_row.items() if column not in ("cost", "split")}
    return row | {"difficulty": source_row["cost"], "split": "shift" if source_row["env"].endswith(":shift") else "main"}


def with_knobs(row: Mapping[str, Any], knobs: Mapping[str, Any]) -> Row:
    """The task of a row's environment, seed and level with these knobs."""
    style = json.loads(row["answer_format"])["style"]
    return _row(row_without_oracle(str(row["env"]), int(row["seed"]), float(row["level"]), knobs=knobs, answer_style=style))


def _sort_key(suite: str, name: str, level: float, seed: int) -> bytes:
    """The sort key of a task: a hash, which shuffles the suite reproducibly."""
    return hashlib.sha256(f"{suite}\n{name}\n{level!r}\n{seed}".encode()).digest()


def _without(left_out: Sequence[str], of: int) -> str:
    return f"without {', '.join(left_out)}" if len(left_out) <= 3 else f"without {len(left_out)} of {of} environments"


def _alternatives(pinned: Pinned) -> str:
    stem, number = _split_version(pinned.name)
    later = max((numbered for numbered in map(_split_version, names()) if numbered[0] == stem and numbered[1] > number), default=None)
    return f"install rlvrgym=={pinned.rlgym}" + (f", or use {later[0]}-v{later[1]}" if later else "")


def _split_version(name: str) -> tuple[str, int]:
    stem, _, number = name.rpartition("-v")
    return stem, int(number) if number.isdecimal() else 0


def _differs(pinned: Pinned, bad: Sequence[str]) -> str:
    shown = ", ".join(bad[:3]) + (f" and {len(bad) - 3} more" if len(bad) > 3 else "")
    return (
        f"the tasks of {shown} differ from those that {pinned.name} pins, although the versions agree: {_alternatives(pinned)}; "
        "an environment that you changed needs a higher version"
    )
