"""What a dataset is to hold, and the plan that follows from it."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rlgym.core.answer import Style
from rlgym.core.errors import KnobError, RecipeError, suggestion
from rlgym.episode.draw import configure
from rlgym.registry import derived, domains, environment, names


class Recipe(BaseModel):
    """What a dataset is to hold. The same recipe makes the same bytes, on any machine and with any number of workers.

    names       environments, domains, patterns such as "poly*", or "all"
    levels      difficulties, mixed evenly
    weights     how often an environment is drawn, 1 unless given
    count       how many tasks
    seed        from which all tasks' seeds are hashed
    splits      shares by name; a task's split is decided by its content
    knobs       knobs set by name for single environments, over those of the level
    shard_rows  rows per file
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field("dataset", min_length=1, max_length=100)
    names: list[str] = ["all"]
    levels: list[float] = Field([0.0, 0.25, 0.5, 0.75, 1.0], min_length=1)
    weights: dict[str, float] = {}
    count: int = Field(1000, ge=1)
    seed: int = Field(0, ge=0)
    answer_style: Style = "tag"
    splits: dict[str, float] = {"train": 0.9, "validation": 0.05, "test": 0.05}
    knobs: dict[str, dict[str, int | float | str]] = {}
    shard_rows: int = Field(5000, ge=1)
    format: Literal["parquet", "jsonl"] = "parquet"
    licence: str = "Apache-2.0"

    def __init__(self, **given: Any) -> None:
        if isinstance(given.get("names"), str):
            given["names"] = [name.strip() for name in given["names"].split(",")]
        if isinstance(given.get("splits"), dict):
            # One order for all recipes: a task's place decides its split, so that it must not depend on how they are written.
            given["splits"] = dict(
                sorted(given["splits"].items(), key=lambda item: ({"train": 0, "test": 2}.get(item[0], 1), str(item[0])))
            )
        try:
            super().__init__(**given)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            where = ".".join(map(str, problem["loc"])) or "the recipe"
            hint = suggestion(where, type(self).model_fields) if problem["type"] == "extra_forbidden" else ""
            raise RecipeError(f"{where}: {problem['msg']}, got {problem['input']!r:.60}.{hint}") from None
        self._check()

    def _check(self) -> None:
        chosen = self.environments()
        if not all(share >= 0 for share in self.splits.values()) or abs(sum(self.splits.values()) - 1) > 1e-9:
            raise RecipeError(f"the shares of the splits must be 0 or more and sum to 1, got {self.splits}")
        if bad := [name for name in self.splits if not name.isidentifier()]:
            raise RecipeError(f"a split's name must be letters, digits and underscores, got {bad[0]!r}")
        for name in [*self.weights, *self.knobs]:
            if name not in chosen:
                raise RecipeError(
                    f"weights and knobs are for environments of the recipe; {name!r} is none of them.{suggestion(name, chosen)}"
                )
        if not all(0 <= weight < math.inf for weight in self.weights.values()) or not any(self.weights.get(name, 1) for name in chosen):
            raise RecipeError("weights must be finite numbers, 0 or more, and not all of them 0")
        for name in chosen:
            for level in self.levels:
                try:
                    configure(environment(name), level, self.knobs.get(name, {}))
                except KnobError as error:
                    raise RecipeError(f"{name}: {error}") from None

    def environments(self) -> list[str]:
        """The names that the recipe asks for, sorted, each once."""
        found = dict[str, None]()
        for wanted in self.names:
            base, mark, kind = wanted.partition(":")
            matching = _matching(base)
            if mark:
                matching = [f"{name}:{kind}" for name in matching if f"{name}:{kind}" in derived(name)]
                if not matching:
                    raise RecipeError(f"{base} derives no {kind!r}; rlgym.spec(NAME)['derived'] says what an environment derives")
            found.update(dict.fromkeys(matching))
        if not found:
            raise RecipeError("the recipe names no environment")
        return sorted(found)

    @property
    def digest(self) -> str:
        """A hash of all that decides the bytes: the recipe, the environments it resolves to, their versions and ours."""
        from rlgym import __version__

        versions = {name: environment(name).version for name in self.environments()}
        return hashlib.sha256(json.dumps([self.model_dump(), versions, __version__], sort_keys=True).encode()).hexdigest()

    @classmethod
    def read(cls, file: str | Path) -> Recipe:
        """The recipe in a YAML or JSON file."""
        import yaml

        try:
            given = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
        except OSError as error:
            raise RecipeError(f"the recipe {str(file)!r} cannot be read: {error.strerror}") from None
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise RecipeError(f"the recipe {str(file)!r} is not YAML: {str(error).splitlines()[0]}") from None
        if not isinstance(given, dict):
            raise RecipeError(f"the recipe {str(file)!r} must hold a mapping, got {type(given).__name__}")
        return cls(**{str(field): value for field, value in given.items()})


@dataclass(frozen=True, slots=True)
class Slot:
    """One place in a dataset: which environment, at which level, and which of its tasks."""

    name: str
    level: float
    index: int

    def seed(self, recipe_seed: int, attempt: int) -> int:
        """The seed to try at this attempt; another follows only where the task was there already."""
        key = json.dumps([recipe_seed, self.name, self.index, attempt]).encode()
        return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") >> 1


def plan(recipe: Recipe) -> list[Slot]:
    """Every slot of the dataset, in the order of its rows: environments and levels evenly mixed."""
    slots: list[Slot] = []
    for name, count in _shares(recipe).items():
        # Each share goes on where the one before it stopped, so that small shares are not all of the first levels.
        first = len(slots)
        slots += [Slot(name, recipe.levels[(first + i) % len(recipe.levels)], i) for i in range(count)]
    return sorted(slots, key=lambda slot: (slot.seed(recipe.seed, -1), slot.name, slot.index))


def _matching(wanted: str) -> list[str]:
    """The environments that a name, a domain, a pattern or `all` stands for."""
    known = names()
    if wanted == "all":
        return known
    if wanted in known:
        return [wanted]
    matching = names(wanted) if wanted in domains() else [name for name in known if fnmatchcase(name, wanted)]
    if not matching:
        hint = suggestion(wanted, [*known, *domains()])
        raise RecipeError(f"no environment or domain is called {wanted!r}, and no name matches it.{hint}")
    return matching


def _shares(recipe: Recipe) -> dict[str, int]:
    """How many tasks each environment gives: proportional to the weights, remainders to the largest fractions."""
    chosen = recipe.environments()
    weights = [recipe.weights.get(name, 1.0) for name in chosen]
    exact = [recipe.count * weight / sum(weights) for weight in weights]
    counts = [int(share) for share in exact]
    order = sorted(range(len(chosen)), key=lambda i: (counts[i] - exact[i], chosen[i]))
    for i in order[: recipe.count - sum(counts)]:
        counts[i] += 1
    return dict(zip(chosen, counts, strict=True))
