"""The environment under test, with the tasks, answers and scores that the laws share."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from zlib import crc32

from rlgym.core.answer import Style
from rlgym.core.config import Config
from rlgym.core.declare import Declaration, Environment
from rlgym.core.score import Outcome, Score
from rlgym.core.task import Task
from rlgym.episode.play import EpisodeState, advance, oracle_answer, score_response, start_episode
from rlgym.episode.sampling import sample_task
from rlgym.laws.effort import Effort, Samples

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
FROZEN_LEVELS = (0.0, 0.5, 1.0)
"""The levels of the frozen samples. The small efforts look at these, so that their tasks are drawn once for all laws."""

TOP_SEEDS = Samples(least=1, quick=3, standard=10_000, certificate=10_000)
"""The most tasks of level 1 that laws look at together, since these take longest to generate."""

Policy = Callable[[EpisodeState], str]


@dataclass(frozen=True)
class Subject:
    """A declaration with its name and its file.

    Tasks, the oracle's answers, its episodes and verdicts are computed once and shared: each law looks at the same tasks from another side.
    """

    name: str
    declared: Declaration
    file: str
    generation_seconds: dict[tuple[int, float], float] = field(default_factory=dict, repr=False, compare=False)
    """CPU seconds that each shared task took to generate."""
    _tasks: dict[tuple[int, float], Task[Any]] = field(default_factory=dict, repr=False, compare=False)
    # The entries hold the task, so that its id is not used again while they live.
    _answers: dict[int, tuple[Task[Any], Any]] = field(default_factory=dict, repr=False, compare=False)
    _mistakes: dict[int, tuple[Task[Any], list[Any]]] = field(default_factory=dict, repr=False, compare=False)
    _explanations: dict[int, tuple[Task[Any], tuple[Any, ...]]] = field(default_factory=dict, repr=False, compare=False)
    _scores: dict[tuple[int, str, Style], tuple[Task[Any], Score]] = field(default_factory=dict, repr=False, compare=False)
    _solved: dict[tuple[int, float, Style], EpisodeState] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def single(self) -> Environment[Any, Any, Any] | None:
        """The declaration if it is single-turn."""
        return self.declared if isinstance(self.declared, Environment) else None

    @cached_property
    def sandboxed(self) -> bool:
        """Whether every verdict runs a program in another process."""
        return getattr(self.declared, "sandbox", None) is not None

    @cached_property
    def runs_programs(self) -> bool:
        """Whether every verdict runs a program in the sandbox, or a query in DuckDB, which takes as long."""
        return self.sandboxed or "duckdb" in getattr(self.declared, "needs", ())

    @cached_property
    def configs(self) -> dict[float, Config]:
        return {level: self.declared.config.at(level) for level in LEVELS}

    def levels(self, effort: Effort) -> tuple[float, ...]:
        """The levels that a law looks at; at the small efforts three, and one where every verdict runs a program."""
        if not effort.is_small:
            return LEVELS
        return (0.5,) if self.runs_programs else FROZEN_LEVELS

    def chosen_levels(self, effort: Effort) -> tuple[float, ...]:
        """The levels of a law that takes long for each task, as one that plays an episode for each mistake.

        At the least effort it is one, which the name chooses, so that each level has its environments.
        """
        levels = self.levels(effort)
        return levels if effort is not Effort.LEAST else (levels[crc32(self.name.encode()) % len(levels)],)

    def sample(self, samples: Samples, effort: Effort) -> Iterator[tuple[int, float]]:
        """(seed, level) of every task of a sample. Seeds start at 1, as those of the frozen samples do."""
        for seed in range(1, samples.at(effort, self.runs_programs) + 1):
            for level in self.levels(effort):
                if level < 1.0 or seed <= TOP_SEEDS.at(effort):
                    yield seed, level

    def task(self, seed: int, level: float = 0.5) -> Task[Any]:
        """The task of a seed, shared by all laws."""
        if (seed, level) not in self._tasks:
            begun = time.process_time()
            self._tasks[seed, level] = self.fresh(seed, level)
            self.generation_seconds[seed, level] = time.process_time() - begun
        return self._tasks[seed, level]

    def fresh(self, seed: int, level: float = 0.5) -> Task[Any]:
        """The task of a seed, generated anew."""
        config = self.configs.get(level) or self.declared.config.at(level)
        return sample_task(self.name, self.declared, seed, config, level)

    def score(self, task: Task[Any], response: str, style: Style = "tag") -> Score:
        """The score of a response to a single-turn task, computed once; a raising verifier gives Outcome.ERROR."""
        key = (id(task), response, style)
        if key not in self._scores:
            self._scores[key] = (task, self.score_again(task, response, style))
        return self._scores[key][1]

    def score_again(self, task: Task[Any], response: str, style: Style = "tag") -> Score:
        """`score`, computed anew."""
        assert self.single is not None
        try:
            return score_response(self.single, task, response, style)
        except Exception as error:
            return Score.nothing(Outcome.ERROR, f"{type(error).__name__}: {error}")

    def value(self, task: Task[Any], response: str) -> float:
        """What an episode earns in which every response is this one."""
        if self.single:
            return self.score(task, response).value
        score = self.play(task, lambda _: response).score
        return score.value if score else 0.0

    def write(self, answer: Any, style: Style = "tag") -> str:
        """The response that gives an answer."""
        return self.declared.answer.render_response(answer, style)

    def play(self, task: Task[Any], policy: Policy, style: Style = "tag") -> EpisodeState:
        """The position at the end of an episode; single-turn environments, games and matches are played alike."""
        position = start_episode(self.declared, task, style)
        for _ in range(position.limit + 1):
            if position.score is not None:
                return position
            position = advance(self.declared, position, policy(position), style)
        return position

    def solved(self, seed: int, level: float, style: Style = "tag") -> EpisodeState:
        """The end of the oracle's episode on a shared task, played once."""
        if (seed, level, style) not in self._solved:
            self._solved[seed, level, style] = self.play(self.task(seed, level), self.oracle(style), style)
        return self._solved[seed, level, style]

    def oracle(self, style: Style = "tag") -> Policy:
        def policy(position: EpisodeState) -> str:
            right = self.right(position.task) if self.single else oracle_answer(self.declared, position)
            return self.declared.answer.render_response(right, style, position.task.prompt)

        return policy

    def right(self, task: Task[Any]) -> Any:
        """The oracle's (first) answer to a task, computed once."""
        if id(task) not in self._answers:
            self._answers[id(task)] = (task, oracle_answer(self.declared, start_episode(self.declared, task, "tag")))
        return self._answers[id(task)][1]

    def explanation(self, task: Task[Any]) -> list[Any]:
        """The steps of the worked solution of a task, computed once; none where the environment does not explain."""
        if self.declared.explain is None:
            return []
        if id(task) not in self._explanations:
            self._explanations[id(task)] = (task, tuple(self.declared.explain(task if self.single else task.data)))
        return list(self._explanations[id(task)][1])

    def mistakes(self, position: EpisodeState) -> list[Any]:
        """The declared mistakes at a position; those of a single-turn task are computed once."""
        if self.single is None:
            assert not isinstance(self.declared, Environment)
            return list(self.declared.mistakes(position.state))
        task = position.task
        if id(task) not in self._mistakes:
            self._mistakes[id(task)] = (task, list(self.single.mistakes(task, self.right(task))))
        return self._mistakes[id(task)][1]


def fingerprint(task: Task[Any]) -> str:
    """Every byte of a task that must never change, as JSON."""
    return json.dumps([task.prompt, task.data.model_dump(mode="json")], ensure_ascii=False, sort_keys=True)


def short(text: str, most: int = 60) -> str:
    """A text cut short for a failure message."""
    return repr(text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)")
