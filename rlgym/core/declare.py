"""The three kinds of declaration: Environment (one answer), Game (many turns), Match (several players)."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, TypeVar

from rlgym.core.answer import Answer
from rlgym.core.config import Config
from rlgym.core.errors import DeclarationError
from rlgym.core.limits import Limits
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData

C = TypeVar("C", bound=Config)
D = TypeVar("D", bound=TaskData)
S = TypeVar("S", bound=TaskData)
A = TypeVar("A")

Answers = Literal["computed", "unique", "many"]


@dataclass(frozen=True, slots=True)
class Audit:
    """What the quality of a hidden test suite is measured with, as answers.

    wrong  plausible programs that differ from the specification somewhere, found so by other inputs than the tests
    equal  right programs written in another way
    """

    wrong: tuple[str, ...]
    equal: tuple[str, ...]


def _returned(function: Callable[..., Any]) -> Any:
    try:
        return typing.get_type_hints(function)["return"]
    except (KeyError, NameError) as error:
        raise DeclarationError(f"{function.__module__}.{function.__name__} must say what it returns: {error}") from None


@dataclass(frozen=True)
class Environment(Generic[C, D, A]):
    """One family of tasks with one prompt and one answer.

    config    the knobs
    answer    the answer format
    generate  (rng, knobs) -> Task: prompt (problem text only) and data
    solve     (task) -> A: the oracle, worked out from what the prompt shows, by another route than generate
    verify    (task, answer) -> Score: accepts every right answer; with `sandbox` it gets a Runner as third argument
    mistakes  (task, right) -> wrong answers that a tempted model would give (right ones among them are skipped)
    cost      (task) -> work an ideal solver does; must rise with the level
    explain   (task) -> the solution as checkable steps; the last one states the answer
    replay    (task, steps) -> the position, from 0, of the first step that does not follow from the task and the steps before it, None
              where all do. It reads the steps' own words and does not ask `explain`
    shift     (rng, knobs) -> a Task under the same rules from a structurally different family, for measuring generalisation; everything
              else holds for it too. It is played as "NAME:shift", or with split="shift"
    picture   (task) -> what the task shows, drawn as SVG
    statement an environment of statements about the same matter, each to be proved or refuted: the answer is a proof or a counterexample that
              is checked. It is played as NAME:prove_or_refute
    answers   "computed": the prompt determines one value. "unique": one solution, proved (needs `solutions`).
              "many": several right answers, all accepted (needs `solutions`)
    solutions (task) -> right answers found by another route than `solve`; for "unique" the search must be exhaustive
    planted   the oracle reads a planted solution from the data instead of finding it
    partial   partial credit is real here
    guessable why one constant answer earns 0.05 to 0.5 on average; empty where it does not
    concept   the idea needed, in a sentence, given as the first hint
    needs     packages that verifying needs beside those that are always there; a missing one is said when the environment is made
    audit     (task, runner) -> Audit: programs that the hidden tests must tell from right ones, where answers are programs
    """

    config: type[C]
    answer: Answer[A]
    generate: Callable[[Rng, C], Task[D]]
    solve: Callable[[Task[D]], A]
    verify: Callable[..., Score]
    mistakes: Callable[[Task[D], A], Iterable[A]]
    cost: Callable[[Task[D]], float]
    explain: Callable[[Task[D]], list[str]] | None = None
    replay: Callable[[Task[D], Sequence[str]], int | None] | None = None
    shift: Callable[[Rng, C], Task[D]] | None = None
    picture: Callable[[Task[D]], str] | None = None
    statement: Environment[Any, Any, Any] | None = None
    answers: Answers = "computed"
    solutions: Callable[[Task[D]], Iterable[A]] | None = None
    planted: bool = False
    partial: bool = False
    guessable: str = ""
    concept: str = ""
    sandbox: Limits | None = None
    needs: tuple[str, ...] = ()
    audit: Callable[[Task[D], Any], Audit] | None = None
    version: int = 1
    kind: ClassVar[str] = "environment"

    @cached_property
    def data(self) -> type[TaskData]:
        """The class of the tasks' data, read from what `generate` says it returns."""
        inside = typing.get_args(_returned(self.generate))
        if len(inside) != 1 or not (isinstance(inside[0], type) and issubclass(inside[0], TaskData)):
            raise DeclarationError(f"{self.generate.__module__}.generate must return Task[Data], with Data a TaskData")
        return inside[0]


@dataclass(frozen=True)
class Game(Generic[C, S, A]):
    """One family of many-turn tasks. States are values: `act` returns a new one.

    start     (rng, knobs) -> first state
    show      (state) -> what the model reads now; of the first state, the whole task
    act       (state, answer) -> next state; an answer that is not allowed leads to a state that says so; with `sandbox` it gets
              a Runner as third argument
    outcome   (state) -> Score when the game is over, else None
    best      (state) -> the oracle's answer now; it sees only what `show` has shown, unless `planted`
    mistakes  (state) -> wrong answers now; a player who always gives the k-th of them must not win
    cost      (first state) -> work an ideal player does
    turns     (first state) -> how many answers the player may give, unreadable ones included
    explain   (state) -> how the oracle finds its answer now, as steps
    shift     (rng, knobs) -> a first state under the same rules from a structurally different family; played as "NAME:shift"
    picture   (state) -> what the player may see now, drawn as SVG
    """

    config: type[C]
    answer: Answer[A]
    start: Callable[[Rng, C], S]
    show: Callable[[S], str]
    act: Callable[..., S]
    outcome: Callable[[S], Score | None]
    best: Callable[[S], A]
    mistakes: Callable[[S], Iterable[A]]
    cost: Callable[[S], float]
    turns: Callable[[S], int]
    explain: Callable[[S], list[str]] | None = None
    shift: Callable[[Rng, C], S] | None = None
    picture: Callable[[S], str] | None = None
    planted: bool = False
    partial: bool = False
    guessable: str = ""
    concept: str = ""
    sandbox: Limits | None = None
    version: int = 1
    kind: ClassVar[str] = "game"

    @cached_property
    def data(self) -> type[TaskData]:
        """The class of the states."""
        return _state(self.start)


@dataclass(frozen=True)
class Match(Generic[C, S, A]):
    """One family of games for two or more players who move in turn.

    start     (rng, knobs) -> first state; the model plays seat `seat(state)`
    show      (state, player) -> what this player may see now
    player    (state) -> who moves next, from 0
    legal     (state) -> the legal moves, in a fixed order; never empty while the match runs
    act       (state, move) -> next state, for a legal move
    returns   (state) -> payoff per player in [-1, 1] when the match is over, else None
    best      (state) -> an exact best move for the player to move
    goal      (first state) -> the payoff that the model must reach to score 1: what perfect play is sure of
    mistakes  (state) -> answers that break the rules or throw the match away
    opponent  (first state) -> "random", "greedy" or "exact": who plays the other seats
    greedy    (state) -> a move that looks good at once
    seat      (first state) -> the player that the model plays
    picture   (state, player) -> what this player may see now, drawn as SVG
    """

    config: type[C]
    answer: Answer[A]
    start: Callable[[Rng, C], S]
    show: Callable[[S, int], str]
    player: Callable[[S], int]
    legal: Callable[[S], Sequence[A]]
    act: Callable[[S, A], S]
    returns: Callable[[S], tuple[float, ...] | None]
    best: Callable[[S], A]
    greedy: Callable[[S], A]
    goal: Callable[[S], float]
    opponent: Callable[[S], str]
    seat: Callable[[S], int]
    mistakes: Callable[[S], Iterable[A]]
    cost: Callable[[S], float]
    turns: Callable[[S], int]
    players: int = 2
    explain: Callable[[S], list[str]] | None = None
    picture: Callable[[S, int], str] | None = None
    planted: bool = False
    partial: bool = False
    guessable: str = ""
    concept: str = ""
    version: int = 1
    kind: ClassVar[str] = "match"

    @cached_property
    def data(self) -> type[TaskData]:
        """The class of the states."""
        return _state(self.start)


Declaration = Environment[Any, Any, Any] | Game[Any, Any, Any] | Match[Any, Any, Any]


def _state(start: Callable[..., Any]) -> type[TaskData]:
    state = _returned(start)
    if not (isinstance(state, type) and issubclass(state, TaskData)):
        raise DeclarationError(f"{start.__module__}.start must return a TaskData")
    return state
