"""Recipes: what a dataset contains, and the plan that follows from it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from rlgym.core.answer import Style
from rlgym.core.errors import KnobError, RecipeError, suggestion
from rlgym.core.names import without_language
from rlgym.dataset.traces.options import TraceOptions
from rlgym.dataset.traces.searches import SEARCHES
from rlgym.episode.play import missing_package
from rlgym.episode.sampling import configure
from rlgym.registry import derives, domains, environment, names

Kind = Literal["environment", "game", "match"]


class Recipe(BaseModel):
    """What a dataset contains. The same recipe gives the same bytes, on any machine and with any number of workers.

    names            environments, domains, patterns such as "poly*", or "all"
    exclude          environments, domains or patterns that are left out of `names`
    kinds            only environments of these kinds: "environment" (one turn), "game", "match"
    levels           difficulties, mixed evenly
    levels_by_env    difficulties of single environments, in place of `levels`, such as those that a model solves at certain rates
    weights          sampling weight of an environment, 1 unless given
    count            number of tasks
    seed             the seeds of all tasks are hashed from it
    splits           share of each split; a hash of a task's content decides its split
    knobs            knobs of single environments, set by name over those of the level
    cap              in a build, an environment with too few different tasks gives what it has, and the others give the rest
    near_duplicates  "keep", or in a build "remove": no two prompts of an environment are equal once numbers and names are masked
    traces           behaviours of the worked solutions, which are searches then; for environments with a search
    shard_rows       rows per file
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field("dataset", min_length=1, max_length=100)
    names: list[str] = ["all"]
    exclude: list[str] = []
    kinds: list[Kind] = Field(["environment", "game", "match"], min_length=1)
    levels: list[float] = Field([0.0, 0.25, 0.5, 0.75, 1.0], min_length=1)
    levels_by_env: dict[str, list[float]] = {}
    weights: dict[str, float] = {}
    count: int = Field(1000, ge=1)
    seed: int = Field(0, ge=0)
    answer_style: Style = "tag"
    splits: dict[str, float] = {"train": 0.9, "validation": 0.05, "test": 0.05}
    knobs: dict[str, dict[str, int | float | str]] = {}
    cap: bool = False
    near_duplicates: Literal["keep", "remove"] = "keep"
    traces: TraceOptions | None = None
    shard_rows: int = Field(5000, ge=1)
    format: Literal["parquet", "jsonl"] = "parquet"
    licence: str = "Apache-2.0"
    _known: tuple[str, ...] = PrivateAttr(())

    def __init__(self, **fields: Any) -> None:
        for field in ("names", "exclude", "kinds"):
            if isinstance(fields.get(field), str):
                fields[field] = [name.strip() for name in fields[field].split(",")]
        if isinstance(fields.get("splits"), dict):
            # One order for all recipes: the order of splits decides the split of a hash, so it must not depend on the recipe's text.
            fields["splits"] = dict(
                sorted(fields["splits"].items(), key=lambda item: ({"train": 0, "test": 2}.get(item[0], 1), str(item[0])))
            )
        try:
            super().__init__(**fields)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            field_name = ".".join(map(str, problem["loc"])) or "the recipe"
            hint = suggestion(field_name, type(self).model_fields) if problem["type"] == "extra_forbidden" else ""
            raise RecipeError(f"{field_name}: {problem['msg']}, got {problem['input']!r:.60}.{hint}") from None
        self._check()

    def _check(self) -> None:
        chosen, known = self.environments(), self._before_exclusion()
        self._known = tuple(known)
        if not all(share >= 0 for share in self.splits.values()) or abs(sum(self.splits.values()) - 1) > 1e-9:
            raise RecipeError(f"the shares of the splits must be 0 or more and sum to 1, got {self.splits}")
        if bad := [name for name in self.splits if not name.isidentifier()]:
            raise RecipeError(f"a split's name must be letters, digits and underscores, got {bad[0]!r}")
        if empty := [name for name, levels in self.levels_by_env.items() if not levels]:
            raise RecipeError(f"levels_by_env needs one level or more for {empty[0]}")
        if self.traces is not None and (without := [name for name in chosen if name not in SEARCHES]):
            raise RecipeError(f"traces need a search, and {without[0]} has none: choose among {', '.join(SEARCHES)}")
        for name in [*self.weights, *self.knobs, *self.levels_by_env]:
            if name not in known:
                raise RecipeError(
                    f"weights, knobs and levels_by_env are for environments of the recipe; {name!r} is none of them.{suggestion(name, chosen)}"
                )
        if not all(0 <= weight < math.inf for weight in self.weights.values()) or not any(self.weights.get(name, 1) for name in chosen):
            raise RecipeError("weights must be finite numbers, 0 or more, and not all of them 0")
        for name in chosen:
            for level in self.levels_for(name):
                try:
                    configure(environment(name), level, self.knobs.get(name, {}))
                except KnobError as error:
                    raise RecipeError(f"{name}: {error}") from None

    def levels_for(self, name: str) -> list[float]:
        """The levels of an environment."""
        return self.levels_by_env.get(name, self.levels)

    def environments(self) -> list[str]:
        """The environments that the recipe selects, sorted, without duplicates and without those in `skipped`."""
        skipped = self.skipped()
        chosen = [name for name in self._selected_names() if name not in skipped]
        if not chosen:
            raise RecipeError("; ".join(skipped.values()) or "the recipe names no environment")
        return chosen

    def skipped(self) -> dict[str, str]:
        """The environments that `all`, a domain or a pattern includes but that need a package that is not installed, with the reason.

        An environment that is asked for by its own name is never skipped: scoring it says what is missing.
        """
        by_name = set(self.names)
        reasons = {name: missing_package(name, environment(name)) for name in self._selected_names() if name not in by_name}
        return {name: reason for name, reason in reasons.items() if reason}

    def _selected_names(self) -> list[str]:
        excluded = {name for pattern in self.exclude for name in _names_matching(pattern.partition(":")[0]) if ":" not in pattern}
        excluded |= {pattern for pattern in self.exclude if ":" in pattern}
        return [name for name in self._included_names() if name not in excluded and name.partition(":")[0] not in excluded]

    def _before_exclusion(self) -> list[str]:
        """The environments that the recipe would select without `exclude`."""
        by_name = set(self.names)
        return [name for name in self._included_names() if name in by_name or not missing_package(name, environment(name))]

    def _included_names(self) -> list[str]:
        selected = dict[str, None]()
        for wanted in self.names:
            base, mark, kind = wanted.partition(":")
            matching = _names_matching(base)
            if mark:
                matching = [f"{name}:{kind}" for name in matching if derives(name, kind)]
                if not matching:
                    raise RecipeError(f"{base} derives no {kind!r}; rlgym.spec(NAME)['derived'] lists the derived environments")
            selected.update(dict.fromkeys(matching))
        if len(set(self.kinds)) == len(get_args(Kind)):
            return sorted(selected)
        return sorted(name for name in selected if environment(name).kind in self.kinds)

    @property
    def digest(self) -> str:
        """A hash of everything that decides the bytes: the recipe, its environments, their versions and the library's version."""
        from rlgym import __version__

        versions = {name: environment(name).version for name in self.environments()}
        fields = self.model_dump(exclude={"traces"} if self.traces is None else None)
        return hashlib.sha256(json.dumps([fields, versions, __version__], sort_keys=True).encode()).hexdigest()

    @classmethod
    def read(cls, file: str | Path) -> Recipe:
        """The recipe in a YAML or JSON file."""
        import yaml

        try:
            fields = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
        except OSError as error:
            raise RecipeError(f"the recipe {str(file)!r} cannot be read: {error.strerror}") from None
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise RecipeError(f"the recipe {str(file)!r} is not YAML: {str(error).splitlines()[0]}") from None
        if not isinstance(fields, dict):
            raise RecipeError(f"the recipe {str(file)!r} must hold a mapping, got {type(fields).__name__}")
        return cls(**{str(field): value for field, value in fields.items()})


@dataclass(frozen=True, slots=True)
class Slot:
    """One planned row: the environment, the level, and the index of the task."""

    name: str
    level: float
    index: int

    def seed(self, recipe_seed: int, attempt: int) -> int:
        """The seed of this attempt; the next attempt follows only if the task is a duplicate."""
        key = json.dumps([recipe_seed, without_language(self.name), self.index, attempt]).encode()
        return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") >> 1


def plan(recipe: Recipe, shares: Mapping[str, int] | None = None) -> list[Slot]:
    """Every slot of the dataset, in the order of its rows: environments and levels evenly mixed. `shares` are those of `shares_of`."""
    counts = shares_of(recipe) if shares is None else shares
    return in_order(recipe, [slot for name, count in counts.items() for slot in slots_of(recipe, name, count)])


def in_order(recipe: Recipe, slots: list[Slot]) -> list[Slot]:
    """Slots in the order of a dataset's rows."""
    return sorted(slots, key=lambda slot: (slot.seed(recipe.seed, -1), slot.name, slot.index))


def slots_of(recipe: Recipe, name: str, stop: int, start: int = 0) -> list[Slot]:
    """The slots of an environment from index `start` up to `stop`. They do not depend on what the recipe excludes or caps."""
    first, levels = _first_levels(recipe)[name], recipe.levels_for(name)
    return [Slot(name, levels[(first + i) % len(levels)], i) for i in range(start, stop)]


def shares_of(recipe: Recipe, most: Mapping[str, int] | None = None) -> dict[str, int]:
    """The number of tasks per environment, proportional to the weights. `most` limits the number for some environments."""
    weights = {name: recipe.weights.get(name, 1.0) for name in recipe.environments()}
    full: dict[str, int] = {}
    while True:
        counts = _apportion(recipe.count - sum(full.values()), {name: weight for name, weight in weights.items() if name not in full})
        over = {name: most[name] for name, count in counts.items() if most and count > most.get(name, count)}
        if not over:
            return {name: full.get(name, counts.get(name, 0)) for name in weights}
        full |= over
        if not any(weight for name, weight in weights.items() if name not in full):
            raise RecipeError(
                f"the environments of this recipe have {sum(full.values())} different tasks together, fewer than {recipe.count}"
            )


_offsets: dict[str, dict[str, int]] = {}


def _first_levels(recipe: Recipe) -> dict[str, int]:
    """Where the cycle of levels starts for each environment: where that of the one before it stopped.

    Otherwise small shares would have only the first levels. Exclusions and caps are ignored, so that they leave the slots of the others as
    they are.
    """
    key = json.dumps([recipe._known, recipe.count, recipe.weights])
    if key not in _offsets:
        counts = _apportion(recipe.count, {name: recipe.weights.get(name, 1.0) for name in recipe._known})
        starts: dict[str, int] = {}
        first = 0
        for name, count in counts.items():
            # A judge task has the same levels in every language.
            instance = without_language(name)
            starts[name] = next((at for other, at in starts.items() if without_language(other) == instance), first)
            first += count
        _offsets.clear()
        _offsets[key] = starts
    return _offsets[key]


def _apportion(count: int, weights: Mapping[str, float]) -> dict[str, int]:
    """Whole numbers that sum to `count`, proportional to the weights; remainders go to the largest fractions."""
    names_, total = list(weights), sum(weights.values())
    exact = [count * weights[name] / total for name in names_]
    counts = [int(share) for share in exact]
    order = sorted(range(len(names_)), key=lambda i: (counts[i] - exact[i], names_[i]))
    for i in order[: count - sum(counts)]:
        counts[i] += 1
    return dict(zip(names_, counts, strict=True))


def _names_matching(pattern: str) -> list[str]:
    """The environments that a name, a domain, a pattern or `all` selects."""
    known = names()
    if pattern == "all":
        return known
    if pattern in known:
        return [pattern]
    matching = names(pattern) if pattern in domains() else [name for name in known if fnmatchcase(name, pattern)]
    if not matching:
        hint = suggestion(pattern, [*known, *domains()])
        raise RecipeError(f"no environment or domain is called {pattern!r}, and no name matches it.{hint}")
    return matching
