"""Suites: named, fixed collections of tasks to evaluate models on. What a suite holds is pinned by seeds, versions and hashes in a file.

A suite never changes: a task made otherwise, or another choice of tasks, is a suite of another name. No task of a pinned suite belongs
to the train split of datasets made with the usual shares, nor to what the trainer trains on by default.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import rlgym
from rlgym import RlgymError
from rlgym.dataset import Recipe, bare_row, missing, sample

Row = dict[str, Any]
"""A task with what `rlgym.dataset.Session` needs to play it, its `difficulty`, and its `split`, "main" or "shift"."""
Style = Literal["tag", "boxed", "fence"]
FOLDER = Path(__file__).parent / "pinned"


class SuiteError(RlgymError, ValueError):
    """A suite is unknown or damaged, or this version of the library cannot make its tasks."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Tasks to evaluate on.

    name     what reports call it; it says what was left out
    hash     of all rows' ids and prompts, in order: two runs with equal hashes were asked the same
    skipped  environments that were left out because they cannot be judged here, with what is missing
    """

    name: str
    hash: str
    rows: tuple[Row, ...]
    description: str = ""
    skipped: Mapping[str, str] = field(default_factory=dict)

    def first(self, count: int) -> Suite:
        """The first tasks of it, as a suite of its own: the order is mixed, so that they are of all kinds."""
        if count >= len(self.rows):
            return self
        rows = self.rows[:count]
        return replace(self, name=f"{self.name} (first {count})", hash=digest(rows), rows=rows)


class Pin(BaseModel):
    """The tasks of one environment: its version, the seeds at each level, and the start of the hash of its tasks in the order of the suite."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    version: int
    hash: str
    seeds: dict[float, list[int]] = Field(min_length=1)


class Pinned(BaseModel):
    """What the file of a suite holds. `environments` are names as `rlgym.task` takes them, such as chain_sum:shift."""

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
        """The domains of its environments, sorted; those of environments that this library lacks are left out."""
        domain_of = {name: domain for domain in rlgym.domains() for name in rlgym.names(domain)}
        return sorted({domain_of[base(name)] for name in self.environments if base(name) in domain_of})


def names() -> list[str]:
    """The names of the pinned suites, sorted."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def load(name: str | Path, *, verify: bool = True) -> Suite:
    """The pinned suite of a name, or of a file of that form. It takes seconds, since all of its tasks are made.

    Environments that cannot be judged here are left out, which the suite's name then says. SuiteError where there is no such suite, where
    the file is damaged, where an environment has another version now and, unless `verify` is False, where a task differs from the pinned one.
    """
    return load_pinned(read(name), verify=verify)


def load_pinned(pinned: Pinned, *, verify: bool = True) -> Suite:
    """`load` for what `read` gave."""
    check_versions(pinned)
    skipped = {one: why for one in pinned.environments if (why := missing(one))}
    kept = [one for one in pinned.environments if one not in skipped]
    if not kept:
        raise SuiteError(f"nothing of {pinned.name} can be judged here: {next(iter(skipped.values()))}")
    rows = pinned_rows(pinned, kept)
    if verify and (bad := differing(pinned, rows)):
        raise SuiteError(_differs(pinned, bad))
    label = f"{pinned.name} ({_without(list(skipped), len(pinned.environments))})" if skipped else pinned.name
    return Suite(label, digest(rows), tuple(rows), pinned.description, skipped)


def read(name: str | Path) -> Pinned:
    """What the file of a suite holds, without its tasks."""
    file = Path(name) if str(name).endswith(".json") else FOLDER / f"{name}.json"
    if not file.is_file():
        near = difflib.get_close_matches(str(name), names(), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise SuiteError(f"there is no suite {str(name)!r}.{hint} The suites are {', '.join(names())}")
    try:
        return Pinned.model_validate_json(file.read_bytes())
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"])) or "it"
        raise SuiteError(f"the suite {file.name!r} is damaged: {where}: {problem['msg']}") from None


def check_versions(pinned: Pinned) -> None:
    """SuiteError unless this library has all the environments of a suite, in the versions that it pins."""
    other = {}
    for name, pin in pinned.environments.items():
        try:
            version = rlgym.environment(name).version
        except RlgymError as error:
            raise SuiteError(f"{pinned.name} pins {name} v{pin.version}, which this rlgym lacks ({error}): {_instead(pinned)}") from None
        if version != pin.version:
            other[name] = f"{name} v{pin.version}, this rlgym has v{version}"
    if other:
        more = f" (and {len(other) - 1} more differ)" if len(other) > 1 else ""
        raise SuiteError(f"{pinned.name} pins {next(iter(other.values()))}{more}: {_instead(pinned)}")


def pinned_rows(pinned: Pinned, chosen: Iterable[str]) -> list[Row]:
    """The tasks of some of a suite's environments, in the order of the suite."""
    places = [
        (_place(pinned.name, name, level, seed), name, level, seed)
        for name in chosen
        for level, seeds in pinned.environments[name].seeds.items()
        for seed in seeds
    ]
    return [_row(bare_row(name, seed, level, answer_style=pinned.answer_style)) for _, name, level, seed in sorted(places)]


def differing(pinned: Pinned, rows: Sequence[Row]) -> list[str]:
    """The environments of rows whose tasks are not those that are pinned; all rows of an environment must be there."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["env"], []).append(row)
    bad = [name for name, own in found.items() if not digest(own).startswith(pinned.environments[name].hash)]
    if not bad and set(found) == set(pinned.environments) and (len(rows), digest(rows)) != (pinned.tasks, pinned.hash):
        return list(found)  # each is as pinned, but the whole is not: the file was changed by hand
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
    """A suite of `count` tasks over environments, domains, patterns such as "poly*", or "all"; levels are mixed evenly and no task is there twice.

    shift   tasks of the environments' structurally different families too, where they have one
    split   only tasks that belong to this split of datasets by their content: "train", "validation" or "test"
    """
    asked = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
    found = Recipe(names=asked, count=1, levels=list(levels)).environments()
    if shift:
        found += [f"{one}:shift" for one in found if ":" not in one and f"{one}:shift" in rlgym.spec(one)["derived"]]
    skipped = {one: why for one in found if (why := missing(one))}
    kept = [one for one in found if one not in skipped]
    if not kept:
        raise SuiteError(f"nothing of {', '.join(asked)} can be judged here: {next(iter(skipped.values()))}")
    more: dict[str, Any] = {"levels": list(levels), "seed": seed, "answer_style": answer_style}
    given = {one: dict(values) for one, values in (knobs or {}).items() if one not in skipped}
    rows = tuple(_row(row) for row in sample(kept, count, split=split, solved=False, knobs=given, **more))
    title = name or ",".join(asked)
    label = f"{title} ({_without(list(skipped), len(found))})" if skipped else title
    return Suite(label, digest(rows), rows, f"{len(rows)} tasks of {len(kept)} environments, drawn with seed {seed}", skipped)


def digest(rows: Iterable[Mapping[str, Any]]) -> str:
    """The hash of what a suite asks: of all rows' ids and prompts, in order."""
    whole = hashlib.sha256()
    for row in rows:
        whole.update(f"{row['id']}\n{row['prompt']}\0".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


def base(name: str) -> str:
    """The environment that a derived name such as chain_sum:shift comes from."""
    return name.partition(":")[0]


def _row(made: Row) -> Row:
    row = {column: value for column, value in made.items() if column not in ("cost", "split")}
    return row | {"difficulty": made["cost"], "split": "shift" if made["env"].endswith(":shift") else "main"}


def _place(suite: str, name: str, level: float, seed: int) -> bytes:
    """Where a task stands in the order of a suite: mixed, so that the first tasks are of all kinds."""
    return hashlib.sha256(f"{suite}\n{name}\n{level!r}\n{seed}".encode()).digest()


def _without(left_out: Sequence[str], of: int) -> str:
    return f"without {', '.join(left_out)}" if len(left_out) <= 3 else f"without {len(left_out)} of {of} environments"


def _instead(pinned: Pinned) -> str:
    stem, number = _numbered(pinned.name)
    later = max((one for one in map(_numbered, names()) if one[0] == stem and one[1] > number), default=None)
    return f"install rlvrgym=={pinned.rlgym}" + (f", or use {later[0]}-v{later[1]}" if later else "")


def _numbered(name: str) -> tuple[str, int]:
    stem, _, number = name.rpartition("-v")
    return stem, int(number) if number.isdecimal() else 0


def _differs(pinned: Pinned, bad: Sequence[str]) -> str:
    shown = ", ".join(bad[:3]) + (f" and {len(bad) - 3} more" if len(bad) > 3 else "")
    return (
        f"the tasks of {shown} are not those that {pinned.name} pins, though their versions are: {_instead(pinned)}; "
        "an environment of your own checkout that makes other tasks needs a higher version"
    )
