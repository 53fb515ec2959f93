"""The three kinds of declaration: Environment (one answer), Game (many turns), Match (several players)."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from rlgym.core.answer import Answer
from rlgym.core.config import Config
from rlgym.core.errors import DeclarationError
from rlgym.core.limits import Limits
from rlgym.core.proposals import Proposals
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.core.user import UserModel

C = TypeVar("C", bound=Config)
D = TypeVar("D", bound=TaskData)
S = TypeVar("S", bound=TaskData)
A = TypeVar("A")

Answers = Literal["computed", "unique", "many"]


@dataclass(frozen=True, slots=True)
class Audit:
    """Answers that measure the quality of hidden tests: programs, queries, schemas, contracts.

    wrong  plausible wrong answers; inputs outside the tests, or a proof, have shown that they differ from the specification
    equal  equivalent answers, written in another way
    """

    wrong: tuple[Any, ...]
    equal: tuple[Any, ...]


class WorkedSolution(Protocol):
    """A solution declared once, from which `explain` and `replay` come; `rlgym.solutions.Solution` is one."""

    def explain(self, task: Any, answer: Answer[Any], solve: Callable[[Any], Any]) -> list[str]: ...

    def replay(self, task: Any, steps: Sequence[str], answer: Answer[Any], verify: Callable[..., Score]) -> int | None: ...


def _return_type(function: Callable[..., Any]) -> Any:
    try:
        return typing.get_type_hints(function)["return"]
    except (KeyError, NameError) as error:
        raise DeclarationError(f"{function.__module__}.{function.__name__} must annotate what it returns: {error}") from None


@dataclass(frozen=True)
class Environment(Generic[C, D, A]):
    """One family of tasks with one prompt and one answer.

    config    the knobs
    answer    the answer format
    generate  (rng, knobs) -> Task: prompt (problem text only) and data
    solve     (task) -> A: the oracle, computed from what the prompt shows, by another route than generate
    verify    (task, answer) -> Score: accepts every right answer; with `sandbox` it gets a Runner as third argument
    mistakes  (task, right) -> wrong answers that a tempted model would give (right ones among them are skipped)
    cost      (task) -> work an ideal solver does; must rise with the level
    solution  the worked solution, declared once: `explain` and `replay` come from it
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
    guessable why a constant answer or a copying routine earns up to 0.3 on average; empty where none does
    concept   the idea needed, in a sentence, given as the first hint
    needs     packages that verifying requires besides the core dependencies; making the environment reports a missing one
    audit     (task) -> Audit, with `sandbox` (task, runner) -> Audit: answers that the hidden tests must tell from right ones, where answers
              are programs, queries, schemas, contracts or the like
    prompt_solver (prompt) -> a right answer, found from the prompt alone by code that the rest of the declaration does not use
    long_numbers why numbers of the answer have more than 12 digits; empty where they have not
    chains    the tasks have a number on which the answer depends, and which the rest of the prompt does not reveal: NAME:chained replaces it by
              one that follows from the answer to the task before
    inverts   the tasks have such a number, nothing else in the prompt follows from it, and the answer, of any type, tells which it is:
              NAME:inverse gives the answer and asks for the number
    tasks_inside (task) -> how many tasks of another environment this one is composed of; the limits on time hold for each of them
    shared_helpers why generate and solve, verify or solutions use a helper in common and no `prompt_solver` checks it; empty where there is one
    proposals how a model states new tasks, for `algorithm.proposer`
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
    audit: Callable[..., Audit] | None = None
    prompt_solver: Callable[[str], A] | None = None
    shared_helpers: str = ""
    long_numbers: str = ""
    version: int = 1
    solution: WorkedSolution | None = None
    chains: bool = False
    inverts: bool = False
    tasks_inside: Callable[[Task[D]], int] | None = None
    proposals: Proposals | None = None
    kind: ClassVar[str] = "environment"

    def __post_init__(self) -> None:
        worked = self.solution
        if worked is not None and self.explain is None and self.replay is None:
            # Written through object, since a declaration is frozen.
            object.__setattr__(self, "explain", lambda task: worked.explain(task, self.answer, self.solve))
            object.__setattr__(self, "replay", lambda task, steps: worked.replay(task, steps, self.answer, self.verify))

    @cached_property
    def data(self) -> type[TaskData]:
        """The class of the tasks' data, read from the return annotation of `generate`."""
        inside = typing.get_args(_return_type(self.generate))
        if len(inside) != 1 or not (isinstance(inside[0], type) and issubclass(inside[0], TaskData)):
            raise DeclarationError(f"{self.generate.__module__}.generate must return Task[Data], with Data a TaskData")
        return inside[0]


@dataclass(frozen=True)
class Game(Generic[C, S, A]):
    """One family of many-turn tasks. States are values: `act` returns a new one.

    start     (rng, knobs) -> first state
    show      (state) -> what the model reads now; of the first state, the whole task
    act       (state, answer) -> next state; an answer that is not allowed leads to a state that reports it; with `sandbox` it gets
              a Runner as third argument
    outcome   (state) -> Score when the game is over, else None
    best      (state) -> the oracle's answer now; it sees only what `show` has shown, unless `planted`
    mistakes  (state) -> wrong answers now; a player who always gives the k-th of them must not win
    cost      (first state) -> work an ideal player does
    turns     (first state) -> how many answers the player may give, unreadable ones included
    explain   (state) -> how the oracle finds its answer now, as steps
    shift     (rng, knobs) -> a first state under the same rules from a structurally different family; played as "NAME:shift"
    picture   (state) -> what the player may see now, drawn as SVG
    rules     (first state) -> for each rule or duty that this task states, its name and an oracle that skips it: a policy as `best` is,
              which knows everything and does everything else
    milestones (state) -> the parts of the final check by name, each with the share of it, from 0 to 1, that holds now; a state that can no
              longer be won has 0 in all of them. `make(..., turn_rewards=True)` pays their progress turn by turn
    no_rules  why a world of tools states no rule beyond its goal; empty where `rules` has them
    with_user (user) -> `act` in which a model speaks for the people of the world; what is true stays as it is
    moods     (state) -> the mood, from 0 to 1, of each person who takes part, by name. `make(..., turn_rewards="emotion")` pays it
    needs     packages that playing requires besides the core dependencies; making the environment reports a missing one
    programs  programs that the machine must have, such as git; making the environment reports a missing one
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
    rules: Callable[[S], Mapping[str, Callable[[S], A]]] | None = None
    milestones: Callable[[S], Mapping[str, float]] | None = None
    no_rules: str = ""
    with_user: Callable[[UserModel], Callable[..., S]] | None = None
    moods: Callable[[S], Mapping[str, float]] | None = None
    needs: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
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
    target_return (first state) -> the return that the model must reach to score 1: the one that perfect play guarantees
    mistakes  (state) -> answers that break the rules or throw the match away
    opponent  (first state) -> "random", "greedy", "lookahead" or "exact": who plays the other seats
    greedy    (state) -> a move that looks good at once
    lookahead (state) -> the move of a search of limited size, for an opponent between greedy and exact
    engine    (state, positions) -> the move of a search of at most so many positions, for players of any strength in league play
    seat      (first state) -> the player that the model plays
    players   the most players that a match of this family has
    seats     (first state) -> how many players this match has; `players` where it is None
    picture   (state, player) -> what this player may see now, drawn as SVG
    short_matches why the oracle makes fewer than six moves in the median match of level 1; empty where it makes more
    recoverable_first_move why perfect play after a random first move still wins half of the matches of level 0.5; empty where it does not
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
    target_return: Callable[[S], float]
    opponent: Callable[[S], str]
    seat: Callable[[S], int]
    mistakes: Callable[[S], Iterable[A]]
    cost: Callable[[S], float]
    turns: Callable[[S], int]
    players: int = 2
    seats: Callable[[S], int] | None = None
    explain: Callable[[S], list[str]] | None = None
    picture: Callable[[S, int], str] | None = None
    lookahead: Callable[[S], A] | None = None
    engine: Callable[[S, int], A] | None = None
    short_matches: str = ""
    recoverable_first_move: str = ""
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

    def players_of(self, first: S) -> int:
        """How many players a match has that starts so."""
        return self.players if self.seats is None else self.seats(first)


Declaration = Environment[Any, Any, Any] | Game[Any, Any, Any] | Match[Any, Any, Any]


def _state(start: Callable[..., Any]) -> type[TaskData]:
    state = _return_type(start)
    if not (isinstance(state, type) and issubclass(state, TaskData)):
        raise DeclarationError(f"{start.__module__}.start must return a TaskData")
    return state


def describe_return(reward: float, target: float) -> str:
    """How a match ended for the model's seat, and what would have won it."""
    ended = "was lost" if reward < 0 else "was drawn" if reward == 0 else "was won"
    return f"the match {ended} (return {reward:g}, and at least {target:g} counts as solved)"
