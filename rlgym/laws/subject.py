"""The environment under test, and ways to draw from it and play it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rlgym.core.answer import Style
from rlgym.core.config import Config
from rlgym.core.declare import Declaration, Environment
from rlgym.core.score import Outcome, Score
from rlgym.core.task import Task
from rlgym.episode.draw import draw
from rlgym.episode.play import Position, advance, judge, opening, oracle_answer

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
Policy = Callable[[Position], str]


@dataclass(frozen=True)
class Subject:
    """A declaration with its name and the file it comes from."""

    name: str
    declared: Declaration
    file: str
    drawn: dict[tuple[int, float], Task[Any]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def single(self) -> Environment[Any, Any, Any] | None:
        """The declaration, where it is of the single-turn kind."""
        return self.declared if isinstance(self.declared, Environment) else None

    @cached_property
    def configs(self) -> dict[float, Config]:
        return {level: self.declared.config.at(level) for level in LEVELS}

    def task(self, seed: int, level: float = 0.5) -> Task[Any]:
        """The task of a seed, drawn once: the laws look at the same tasks, from different sides."""
        if (seed, level) not in self.drawn:
            self.drawn[seed, level] = self.fresh(seed, level)
        return self.drawn[seed, level]

    def fresh(self, seed: int, level: float = 0.5) -> Task[Any]:
        """The task of a seed, drawn anew."""
        return draw(self.name, self.declared, seed, self.configs[level], level)

    def score(self, task: Task[Any], response: str, style: Style = "tag") -> Score:
        """The score of a response to a single-turn task, with a raising verifier reported as Outcome.ERROR."""
        assert self.single is not None
        try:
            return judge(self.single, task, response, style)
        except Exception as error:
            return Score.nothing(Outcome.ERROR, f"{type(error).__name__}: {error}")

    def says(self, answer: Any, style: Style = "tag") -> str:
        return self.declared.answer.write(answer, style)

    def play(self, task: Task[Any], policy: Policy, style: Style = "tag") -> Position:
        """The position at the end of an episode; every kind of declaration is played alike."""
        position = opening(self.declared, task, style)
        for _ in range(position.limit + 1):
            if position.score is not None:
                return position
            position = advance(self.declared, position, policy(position), style)
        return position

    def oracle(self, style: Style = "tag") -> Policy:
        return lambda position: self.says(oracle_answer(self.declared, position), style)

    def right(self, task: Task[Any]) -> Any:
        """The oracle's (first) answer to a task."""
        return oracle_answer(self.declared, opening(self.declared, task, "tag"))

    def mistakes(self, position: Position) -> list[Any]:
        """The declared mistakes at a position."""
        if self.single:
            return list(self.single.mistakes(position.task, self.single.solve(position.task)))
        assert not isinstance(self.declared, Environment)
        return list(self.declared.mistakes(position.state))


def fingerprint(task: Task[Any]) -> str:
    """Every byte of a task that must never change, as JSON."""
    return json.dumps([task.prompt, task.data.model_dump(mode="json")], ensure_ascii=False, sort_keys=True)


def short(text: str, most: int = 60) -> str:
    """A text cut short for a failure message."""
    return repr(text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)")
