"""Registries of algorithms: advantages, losses, rewards, group rewards, filters and curricula by name, each with its options and its paper.

A decorator registers a function, and the annotation of the function's parameter `options` names the class of its options:

    class ClipOptions(Options):
        clip: float = Field(0.2, gt=0, le=1, description="the ratio stays within 1 - clip and 1 + clip")

    @loss("my_loss", paper="A Paper")
    def my_loss(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: ClipOptions) -> Loss: ...

A package of your own registers its algorithms when it is imported: its entry points of the group `rlgym.train` name the modules.
The field `plugins` of a configuration lists further modules and files.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from rlgym.core.errors import RlgymError, UnknownName, suggestion
from rlgym.train.config.renamed import new_option

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.losses.common import Loss
    from rlgym.train.rewards.group.context import GroupContext
    from rlgym.train.rewards.scored import ScoredResponse
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.tasks.cells import CurriculumCell

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

ENTRY_POINT_GROUP = "rlgym.train"
"""The entry points of outside packages. Each names a module, which registers its algorithms when it is imported."""
LARGEST = 1e30
"""Larger numbers are refused: sums and squares of them are no longer finite in float32."""


class OptionError(RlgymError, ValueError):
    """An option is unknown, has the wrong type or is out of range, or the batch lacks what the algorithm needs."""


class Options(BaseModel):
    """The options of an algorithm; every field states its range and its meaning."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        """Options from plain data, with defaults for the rest. Raises OptionError with all problems."""
        try:
            return cls(**given)
        except ValidationError as error:
            raise OptionError("; ".join(_describe(cls, problem) for problem in error.errors(include_url=False))) from None


def _describe(options: type[Options], problem: Mapping[str, Any]) -> str:
    if not problem["loc"]:
        return str(problem["msg"]).removeprefix("Value error, ")
    name, known = str(problem["loc"][0]), list(options.model_fields)
    if problem["type"] == "extra_forbidden":
        if renamed := new_option(options, name):
            return f"the option {name} is now {renamed}"
        listed = f" Known options: {', '.join(known)}" if known else " This algorithm has no options"
        return f"unknown option {name!r}.{suggestion(name, known)}{listed}"
    if problem["type"] == "missing":
        return f"the option {name!r} is required"
    return f"{name}={problem['input']!r}: {problem['msg'].removeprefix('Value error, ')}"


@dataclass(frozen=True)
class Algorithm(Generic[P, R]):
    """A registered algorithm: its name, the title of its paper, the function, and the class of its options.

    group_relative  of an advantage: it compares the rollouts of a group, and is 0 where their rewards are equal
    uses_advantage  of a loss: False if it works from rewards alone, so that groups of equal rewards still carry a signal
    needs_reference of a loss: it compares with a reference policy
    token_rewards   it needs `algorithm.token_rewards`
    by_level        of a curriculum: it weighs each level of an environment by itself
    field           where a configuration selects it, for messages
    """

    name: str
    paper: str
    run: Callable[P, R]
    options: type[Options]
    field: str
    group_relative: bool = False
    uses_advantage: bool = True
    needs_reference: bool = False
    token_rewards: bool = False
    by_level: bool = False

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function. Raises OptionError, with the place in the code, for whatever it raises."""
        try:
            return self.run(*args, **kwargs)
        except RlgymError:
            raise
        except Exception as error:
            raise OptionError(f"{self.field}={self.name!r} raised {describe_error(error)}") from error


def describe_error(error: Exception) -> str:
    """The type and message of an exception, and the innermost line of code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" (line {frames[-1].lineno} of {Path(frames[-1].filename).name})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def finite_number(value: object) -> float | None:
    """A number that has a finite value in float32 as a float; None for anything else, also for text and tensors."""
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:
        return None
    return number if abs(number) <= LARGEST else None


class Registry(Generic[P, R]):
    """The algorithms of one kind, by name. Unknown names raise UnknownName with the nearest known name.

    `field` is where a configuration selects them; `package` registers the algorithms that come with the library when it is imported.
    """

    def __init__(self, kind: str, field: str, package: str) -> None:
        self.kind, self._field, self._package = kind, field, package
        self._by_name: dict[str, Algorithm[P, R]] = {}

    def register(self, name: str, *, paper: str = "", **traits: bool) -> Callable[[F], F]:
        """The decorator that registers a function under a name. Raises OptionError for a name that another function has."""

        def add(function: F) -> F:
            known = self._by_name.get(name)
            if known is not None and _origin(known.run) != _origin(function):
                raise OptionError(
                    f"the {self.kind} {name!r} is registered twice, by {_origin(known.run)} and by {_origin(function)}: rename one"
                )
            self._by_name[name] = Algorithm(name, paper, function, _options_of(function, self.kind), self._field, **traits)
            return function

        return add

    def _all(self) -> dict[str, Algorithm[P, R]]:
        importlib.import_module(self._package)
        _import_entry_points()
        return self._by_name

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in order of registration."""
        return tuple(self._all())

    def __getitem__(self, name: str) -> Algorithm[P, R]:
        known = self._all()
        if name not in known:
            raise UnknownName(f"unknown {self.kind} {name!r}.{suggestion(name, self.names)} Use one of {', '.join(self.names)}")
        return known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def _origin(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _options_of(function: Callable[..., Any], kind: str) -> type[Options]:
    """The class that annotates the parameter `options`; the other annotations may be names that exist for type checkers only."""
    annotation = inspect.get_annotations(function).get("options")
    if isinstance(annotation, str):
        variables = inspect.getclosurevars(function)
        annotation = {**function.__globals__, **variables.nonlocals}.get(annotation, annotation)
    if not (isinstance(annotation, type) and issubclass(annotation, Options)):
        raise OptionError(
            f"the {kind} {_origin(function)} needs a last parameter `options`, annotated with a subclass of Options at module level, "
            f"got {annotation!r}"
        )
    return annotation


@cache
def _import_entry_points() -> None:
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        _import_plugin(entry.value, f"the entry point {entry.name!r} of the group {ENTRY_POINT_GROUP!r}")


def import_plugins(plugins: Sequence[str]) -> None:
    """Import modules, or Python files, that register algorithms. Raises OptionError if one cannot be imported."""
    for plugin in plugins:
        _import_plugin(plugin, f"the plug-in {plugin!r}")


def _import_plugin(plugin: str, description: str) -> None:
    try:
        if not plugin.endswith(".py"):
            importlib.import_module(plugin.partition(":")[0])
            return
        path = Path(plugin).resolve()
        name = f"rlgym_plugin_{path.stem}"
        if getattr(sys.modules.get(name), "__file__", None) == str(path):
            return
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    except Exception as error:
        raise OptionError(f"{description} cannot be imported: {type(error).__name__}: {error}") from error


ADVANTAGES: Registry[[Batch, Any], Tensor] = Registry("advantage", "algorithm.advantage", "rlgym.train.advantages")
LOSSES: Registry[[Tensor, Batch, Tensor, Any], Loss] = Registry("loss", "algorithm.loss", "rlgym.train.losses")
REWARDS: Registry[[ScoredResponse, Any], float] = Registry("reward", "algorithm.reward_shaping", "rlgym.train.rewards.shaping")
GROUP_REWARDS: Registry[[Sequence[Episode], GroupContext, Any], list[float]] = Registry(
    "group_reward", "algorithm.group_rewards", "rlgym.train.rewards.group"
)
FILTERS: Registry[[Sequence[Episode], Any], list[Episode]] = Registry("filter", "algorithm.filters", "rlgym.train.tasks.filters")
CURRICULA: Registry[[CurriculumCell, Any], float] = Registry("curriculum", "task_sampling", "rlgym.train.tasks.weights")
REGISTRIES: dict[str, Registry[..., Any]] = {
    registry.kind: registry for registry in (ADVANTAGES, LOSSES, REWARDS, GROUP_REWARDS, FILTERS, CURRICULA)
}


@contextmanager
def restored_registries() -> Iterator[None]:
    """Within it algorithms may be registered; afterwards the registries hold what they held before. For tests of plug-ins."""
    for registry in REGISTRIES.values():
        len(registry)
    before = {kind: dict(registry._by_name) for kind, registry in REGISTRIES.items()}
    try:
        yield
    finally:
        for kind, registry in REGISTRIES.items():
            registry._by_name = before[kind]


def advantage(name: str, *, paper: str = "", group_relative: bool = False, token_rewards: bool = False) -> Callable[[F], F]:
    """Register an advantage: (batch, options) -> how much better than expected each token was, over T."""
    return ADVANTAGES.register(name, paper=paper, group_relative=group_relative, token_rewards=token_rewards)


def loss(name: str, *, paper: str = "", uses_advantage: bool = True, needs_reference: bool = False) -> Callable[[F], F]:
    """Register a loss: (new_logprobs_T, batch, advantage_T, options) -> the scalar to minimise, and metrics."""
    return LOSSES.register(name, paper=paper, uses_advantage=uses_advantage, needs_reference=needs_reference)


def reward(name: str, *, paper: str = "", token_rewards: bool = False) -> Callable[[F], F]:
    """Register a reward shaping: (scored response, options) -> a number that is added to the reward."""
    return REWARDS.register(name, paper=paper, token_rewards=token_rewards)


def group_reward(name: str, *, paper: str = "", token_rewards: bool = False) -> Callable[[F], F]:
    """Register a group reward: (scored episodes of a group, context, options) -> the amounts that are added to their rewards."""
    return GROUP_REWARDS.register(name, paper=paper, token_rewards=token_rewards)


def filter(name: str, *, paper: str = "", token_rewards: bool = False) -> Callable[[F], F]:
    """Register a filter: (episodes of a step, options) -> the episodes that an update learns from."""
    return FILTERS.register(name, paper=paper, token_rewards=token_rewards)


def curriculum(name: str, *, paper: str = "", by_level: bool = False) -> Callable[[F], F]:
    """Register a curriculum: (cell, options) -> the weight of one environment of the mixture, or of one of its levels, relative to its share."""
    return CURRICULA.register(name, paper=paper, by_level=by_level)
