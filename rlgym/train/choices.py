"""Algorithms by name, each with the paper it comes from and the options it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from rlgym.core.errors import RlgymError, UnknownName, suggestion

P = ParamSpec("P")
R = TypeVar("R")


class OptionError(RlgymError, ValueError):
    """An option of an algorithm is unknown, of the wrong type or out of its range, or the batch lacks what it needs."""


class Options(BaseModel):
    """What can be set about an algorithm; every field states its range and its meaning."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Options from plain data, defaults elsewhere; an OptionError says what is wrong with them."""
        try:
            return cls(**given)
        except ValidationError as error:
            raise OptionError("; ".join(_said(cls, problem) for problem in error.errors(include_url=False))) from None


def _said(options: type[Options], problem: Mapping[str, Any]) -> str:
    if not problem["loc"]:
        return str(problem["msg"]).removeprefix("Value error, ")
    name, known = str(problem["loc"][0]), list(options.model_fields)
    if problem["type"] == "extra_forbidden":
        listed = f" it takes {', '.join(known)}" if known else " it takes none"
        return f"there is no option {name!r};{suggestion(name, known)}{listed}"
    if problem["type"] == "missing":
        return f"the option {name!r} must be given"
    return f"{name}={problem['input']!r}: {problem['msg'].removeprefix('Value error, ')}"


@dataclass(frozen=True)
class Algorithm(Generic[P, R]):
    """A function of the field: what it is called, the title of its paper, the function, and the type of its last argument."""

    name: str
    paper: str
    run: Callable[P, R]
    options: type[Options]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.run(*args, **kwargs)


class Choices(Generic[P, R]):
    """The algorithms of one kind; UnknownName, with the nearest name, where there is none."""

    def __init__(self, kind: str, *algorithms: Algorithm[P, R]) -> None:
        self._kind = kind
        self._by_name = {algorithm.name: algorithm for algorithm in algorithms}

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order of the table."""
        return tuple(self._by_name)

    def __getitem__(self, name: str) -> Algorithm[P, R]:
        if name not in self._by_name:
            raise UnknownName(f"there is no {self._kind} {name!r};{suggestion(name, self.names)} use one of {', '.join(self.names)}")
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)
