"""Reward machines: a finite automaton over the events of an episode pays its turns, as a specification of goals in time.

From "Using Reward Machines for High-Level Task Specification and Decomposition in Reinforcement Learning".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rlgym.core.answer import Unreadable, wrap
from rlgym.core.errors import RlgymError
from rlgym.core.score import Score
from rlgym.episode.play import Event
from rlgym.rewards.tool_calls import read_calls

KINDS = ("answer", "unreadable", "illegal", "opponent")
OUTCOMES = ("right", "partial", "wrong", "refused", "timed_out")
FIXED_LABELS = ("turn", "end", *KINDS, *OUTCOMES)
"""Labels that every environment gives: each turn, its last one, what was logged, and the outcome of the episode."""
CALL = "call:"
LONGEST_ANSWER = 4_000
"""Characters of an answer in which the patterns of labels are searched."""


class MachineTransition(BaseModel):
    """An edge of a reward machine."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    source: str = Field(description="state in which it may be taken")
    when: tuple[str, ...] = Field(min_length=1, description="labels that the turn must have, all of them")
    unless: tuple[str, ...] = Field((), description="labels that the turn must not have")
    target: str = Field(description="state after the turn")
    reward: float = Field(0.0, ge=-100, le=100, description="reward of the turn")


class MachineLabel(BaseModel):
    """A label of turns of one's own: a pattern that is searched in the environment's log of answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str = Field(min_length=1, description="name of the label")
    pattern: str = Field(
        min_length=1, max_length=500, description="regular expression that is searched in the answers of the turn as logged"
    )


class RewardMachine(BaseModel):
    """A finite automaton whose transitions are taken by the labels of turns, and pay them.

    In each turn the first transition of the present state that fits is taken; where none fits, the state stays and nothing is paid. A
    state without transitions ends all payment. Labels: `turn` (every turn), `end` (the last one), `answer`, `unreadable`, `illegal` and `opponent`
    (what the environment logged), `call:NAME` (a tool was called), the outcomes `right`, `partial`, `wrong`, `refused` and `timed_out` of the
    last turn, and those of `labels`. They come from the environment's own log, never from what the model claims.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    start: str = Field(description="state before the first turn")
    transitions: tuple[MachineTransition, ...] = Field(min_length=1, description="edges; of one state the first that fits is taken")
    labels: tuple[MachineLabel, ...] = Field((), description="labels of one's own, by patterns")

    @model_validator(mode="after")
    def _check(self) -> Self:
        own = {label.name for label in self.labels}
        for label in self.labels:
            try:
                re.compile(label.pattern)
            except re.error as error:
                raise ValueError(f"the pattern of the label {label.name!r} is no regular expression: {error}") from None
            if label.name in FIXED_LABELS or label.name.startswith(CALL):
                raise ValueError(f"the label {label.name!r} has a meaning already: choose another name")
        for edge in self.transitions:
            for given in (*edge.when, *edge.unless):
                if given not in FIXED_LABELS and given not in own and not given.startswith(CALL):
                    raise ValueError(
                        f"there is no label {given!r}; there are {', '.join([*FIXED_LABELS, 'call:NAME', *sorted(own)])}; others are added by `labels`"
                    )
        reached, waiting = {self.start}, [self.start]
        while waiting:
            state = waiting.pop()
            new = {edge.target for edge in self.transitions if edge.source == state} - reached
            reached |= new
            waiting += new
        if unreachable := sorted({edge.source for edge in self.transitions} - reached):
            raise ValueError(f"the states {', '.join(unreachable)} cannot be reached from {self.start!r}")
        return self

    def step(self, state: str, labels: Iterable[str]) -> tuple[str, float]:
        """The state after a turn with these labels, and the reward of the turn."""
        given = frozenset(labels)
        for edge in self.transitions:
            if edge.source == state and given.issuperset(edge.when) and given.isdisjoint(edge.unless):
                return edge.target, edge.reward
        return state, 0.0

    def run(self, turns: Iterable[Iterable[str]]) -> tuple[str, list[float]]:
        """The state after turns with these labels, and the reward of each turn."""
        state, rewards = self.start, list[float]()
        for labels in turns:
            state, reward = self.step(state, labels)
            rewards.append(reward)
        return state, rewards

    def rewards(self, events: Sequence[Event], turns: int, score: Score | None) -> list[float]:
        """The reward of each of the first `turns` turns of an episode; `score` is that of an episode which is over.

        `env.events` is the log, and `env.snapshot()` has the number of turns and the score.
        """
        return self.run([self.turn_labels(events, turn, score if turn == turns else None) for turn in range(1, turns + 1)])[1]

    def turn_labels(self, events: Sequence[Event], turn: int, score: Score | None = None) -> frozenset[str]:
        """The labels of a turn, counted from 1; `score` ends the episode with it."""
        logged = [event for event in events if event.turn == turn]
        answers = [event.what for event in logged if event.kind == "answer"]
        found = {"turn", *(event.kind for event in logged)}
        found |= {f"{CALL}{tool}" for answer in answers for tool in _called(answer)}
        found |= {label.name for label in self.labels if any(re.search(label.pattern, answer[:LONGEST_ANSWER]) for answer in answers)}
        if score is not None:
            found |= {"end", score.outcome.value.replace(" ", "_")}
        return frozenset(found)


def machine_of(description: object) -> RewardMachine:
    """The machine of a description in plain data. RlgymError where it is none."""
    try:
        return RewardMachine.model_validate(description)
    except ValueError as error:
        raise RlgymError(f"this is no reward machine: {error}") from None


def _called(answer: str) -> set[str]:
    """The names of the tools in an answer as logged; none where it holds no calls."""
    try:
        return {name for name, _ in read_calls(wrap(answer, "tag"))}
    except Unreadable:
        return set()
