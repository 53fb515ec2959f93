"""The registry of test-time strategies.

A decorator registers an async function, and the annotation of its parameter `options` names the class of its options:

    class Options(StrategyOptions):
        n: int = Field(8, ge=1, description="samples")

    @strategy("shortest", paper="A Paper")
    async def shortest(problem: Problem, options: Options) -> Candidate: ...

A package of your own names the module that registers its strategies in an entry point of the group `rlgym.strategies`.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from rlgym import RlgymError
from rlgym.evaluate.strategies.problem import Candidate, Problem

ENTRY_POINT_GROUP = "rlgym.strategies"
"""The entry points of outside packages. Each names a module, which registers its strategies when it is imported."""

Run = Callable[[Problem, Any], Awaitable[Candidate]]


class StrategyError(RlgymError, ValueError):
    """A strategy is registered wrongly, or an option is unknown, of the wrong type or out of range."""


class UnknownStrategy(RlgymError, LookupError):
    """No strategy has that name."""


class StrategyOptions(BaseModel):
    """The options of a strategy."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    logprobs: ClassVar[bool] = False
    """Whether samples must come with log-probabilities."""
    many_turns: ClassVar[bool] = False
    """Whether the strategy plays tasks of many turns instead of tasks of one turn."""

    @property
    def needs_scorer(self) -> bool:
        """Whether the strategy asks trained scorers of steps: with its option `value="scorer"`, or always."""
        return getattr(self, "value", None) == "scorer"

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        """Options from plain data, with defaults for the rest; StrategyError names the first problem."""
        try:
            return cls(**given)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            name = ".".join(map(str, problem["loc"]))
            raise StrategyError(f"option {name}={problem['input']!r}: {problem['msg']}. Options: {', '.join(cls.model_fields)}") from None


@dataclass(frozen=True)
class Strategy:
    """A registered strategy: its name, the title of its paper, the function, and the class of its options."""

    name: str
    paper: str
    run: Run
    options: type[StrategyOptions]


class Strategies(Mapping[str, Strategy]):
    """All strategies by name. Unknown names raise UnknownStrategy with the nearest known name."""

    def __init__(self) -> None:
        self._by_name: dict[str, Strategy] = {}

    def add(self, added: Strategy) -> None:
        """Add a strategy; StrategyError if another function has its name."""
        known = self._by_name.get(added.name)
        if known is not None and known.run.__qualname__ != added.run.__qualname__:
            raise StrategyError(f"the strategy {added.name!r} is registered twice: rename one")
        self._by_name[added.name] = added

    def _all(self) -> dict[str, Strategy]:
        importlib.import_module("rlgym.evaluate.strategies.builtin")
        for module in (
            "certainty",
            "combining",
            "graph",
            "programs",
            "refining",
            "scored",
            "search",
            "tree_search",
            "verification",
            "world_model",
        ):
            importlib.import_module(f"rlgym.evaluate.strategies.{module}")
        _import_entry_points()
        return self._by_name

    def __getitem__(self, name: str) -> Strategy:
        known = self._all()
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise UnknownStrategy(f"unknown strategy {name!r}.{hint} Use one of {', '.join(known)}")
        return known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


@cache
def _import_entry_points() -> None:
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            importlib.import_module(entry.value.partition(":")[0])
        except Exception as error:
            raise StrategyError(f"the entry point {entry.name!r} of {ENTRY_POINT_GROUP!r} cannot be imported: {error}") from error


STRATEGIES = Strategies()


def strategy(name: str, *, paper: str = "") -> Callable[[Run], Run]:
    """Register a strategy: (problem, options) -> the candidate that it chooses."""

    def add(function: Run) -> Run:
        annotation = inspect.get_annotations(function).get("options")
        if isinstance(annotation, str):
            annotation = function.__globals__.get(annotation)
        if not (isinstance(annotation, type) and issubclass(annotation, StrategyOptions)):
            raise StrategyError(f"the strategy {name!r} needs a parameter `options`, annotated with a subclass of StrategyOptions")
        STRATEGIES.add(Strategy(name, paper, function, annotation))
        return function

    return add
