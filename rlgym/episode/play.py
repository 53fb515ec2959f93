"""One episode as a value that moves from turn to turn; knows nothing of gymnasium."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from importlib.util import find_spec
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rlgym.core.answer import Style, Unreadable
from rlgym.core.declare import Declaration, Environment, Game, Match
from rlgym.core.errors import DeclarationError, PackageMissing
from rlgym.core.rng import Rng
from rlgym.core.score import Outcome, Score
from rlgym.core.task import Origin, Task

if TYPE_CHECKING:
    from rlgym.sandbox import Runner


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the environment's own log; tool use and side effects are judged from it, never from what a text claims."""

    turn: int
    kind: str  # "answer", "unreadable", "illegal", "opponent"
    what: str


@dataclass(frozen=True, slots=True)
class Position:
    """Where an episode stands. `observation` is what the model reads now; `score` is set once it is over."""

    task: Task[Any]
    state: Any
    observation: str
    turn: int = 0
    limit: int = 1
    score: Score | None = None
    feedback: str = ""
    transcript: tuple[tuple[str, str], ...] = ()
    events: tuple[Event, ...] = ()


def opening(declared: Declaration, task: Task[Any], style: Style) -> Position:
    """The first position of a task: its prompt and the line that asks for the answer's format."""
    if isinstance(declared, Environment):
        text = f"{task.prompt}\n\n{declared.answer.closing(style)}"
        return Position(task, None, text, transcript=(("user", text),))
    limit = declared.turns(task.data)
    rules = "" if isinstance(declared, Game) else " An illegal or unreadable move loses at once."
    text = f"{task.prompt}\n\n{_each_turn(declared.answer.closing(style))} You have {_turns(limit)}.{rules}"
    return Position(task, task.data, text, limit=limit, transcript=(("user", text),))


def advance(declared: Declaration, position: Position, response: str, style: Style) -> Position:
    """The position after the model's response. A verifier that raises ends the episode with Outcome.ERROR."""
    said = (*position.transcript, ("assistant", response))
    try:
        moved = _judged(declared, replace(position, turn=position.turn + 1, transcript=said), response, style)
    except Exception as error:
        broken = Score.nothing(Outcome.ERROR, f"the verifier raised {type(error).__name__}: {error}")
        return replace(position, turn=position.turn + 1, transcript=said, observation="", score=broken)
    if moved.observation:
        moved = replace(moved, transcript=(*moved.transcript, ("user", moved.observation)))
    return moved


def oracle_answer(declared: Declaration, position: Position) -> Any:
    """What the oracle would answer now."""
    return declared.solve(position.task) if isinstance(declared, Environment) else declared.best(position.state)


def picture(declared: Declaration, position: Position) -> str:
    """What the player may see now as SVG: drawn, where the declaration has a picture, else written."""
    if declared.picture is None:
        return _written(position.observation or position.feedback)
    if isinstance(declared, Environment):
        return declared.picture(position.task)
    if isinstance(declared, Match):
        return declared.picture(position.state, declared.seat(position.state))
    return declared.picture(position.state)


def _written(text: str) -> str:
    """A text as SVG, in lines of fixed width."""
    lines = [piece for line in text.splitlines() for piece in (wrap(line, 100, replace_whitespace=False) or [""])]
    rows = "".join(f'<text x="12" y="{24 + 18 * i}" xml:space="preserve">{escape(line)}</text>' for i, line in enumerate(lines))
    size = f"{24 + 8 * max((len(line) for line in lines), default=0)} {24 + 18 * len(lines)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="monospace" font-size="13">{rows}</svg>'


def judge(declared: Environment[Any, Any, Any], task: Task[Any], response: str, style: Style) -> Score:
    """The score of one response to a single-turn task; an unreadable one is data, a verifier that raises is not caught."""
    try:
        answer = declared.answer.read(response, style)
    except Unreadable as why:
        return Score.nothing(Outcome.UNREADABLE, str(why))
    if declared.sandbox is None:
        return declared.verify(task, answer)
    return declared.verify(task, answer, runner_for(declared))


EXTRAS = {"quickjs": "javascript"}
"""The extras whose name is not that of the package they bring."""


def can_judge(name: str, declared: Declaration) -> None:
    """Say what is missing for judging answers here: PackageMissing or SandboxMissing."""
    for package in getattr(declared, "needs", ()):
        if find_spec(package) is None:
            extra = EXTRAS.get(package, package)
            raise PackageMissing(f"{name} needs {package} to judge answers: install it with `pip install 'rlvrgym[{extra}]'`")
    if not isinstance(declared, Match) and declared.sandbox is not None:
        runner_for(declared)


def runner_for(declared: Environment[Any, Any, Any] | Game[Any, Any, Any]) -> Runner:
    """What runs untrusted programs within the limits that a declaration states."""
    from rlgym.sandbox import runner

    assert declared.sandbox is not None
    return runner(declared.sandbox)


def _judged(declared: Declaration, position: Position, response: str, style: Style) -> Position:
    if isinstance(declared, Environment):
        score = judge(declared, position.task, response, style)
        kind = "unreadable" if score.outcome is Outcome.UNREADABLE else "answer"
        return _over(position, score, Event(position.turn, kind, response))
    try:
        answer = declared.answer.read(response, style)
    except Unreadable as why:
        event = Event(position.turn, "unreadable", str(why))
        if isinstance(declared, Match):
            return _over(position, Score.nothing(Outcome.UNREADABLE, f"an unreadable move loses: {why}"), event)
        return _go_on(position, f"That answer could not be read: {why}. It used up a turn.", event)
    event = Event(position.turn, "answer", declared.answer.render(answer))
    if isinstance(declared, Match):
        return _moved(declared, position, answer, event)
    return _acted(declared, position, answer, event)


def _acted(game: Game[Any, Any, Any], position: Position, answer: Any, event: Event) -> Position:
    state = game.act(position.state, answer, *([runner_for(game)] if game.sandbox else []))
    position = replace(position, state=state)
    score = game.outcome(state)
    return _over(position, score, event) if score else _go_on(position, game.show(state), event)


def _moved(match: Match[Any, Any, Any], position: Position, move: Any, event: Event) -> Position:
    if move not in match.legal(position.state):
        refused = Score.nothing(Outcome.REFUSED, f"the move {match.answer.render(move)} is not legal; an illegal move loses")
        return _over(position, refused, replace(event, kind="illegal"))
    origin = position.task.origin
    assert origin is not None, "a match is drawn with its origin, which seeds the other players"
    state, replies = others_move(match, match.act(position.state, move), origin)
    position = replace(position, state=state, events=(*position.events, event))
    answered = tuple(Event(position.turn, "opponent", match.answer.render(reply)) for reply in replies)
    position = replace(position, events=(*position.events, *answered))
    paid = match.returns(state)
    if paid is None:
        return _go_on(position, match.show(state, match.seat(state)), None)
    got, goal = paid[match.seat(state)], match.goal(position.task.data)
    return _over(position, Score.exact(got >= goal, f"the match ended with {got:g}; {goal:g} was needed"), None)


def others_move(match: Match[Any, Any, Any], state: Any, origin: Origin) -> tuple[Any, list[Any]]:
    """The state once the built-in players have moved up to the model's next turn or the end, and their moves."""
    replies: list[Any] = []
    while match.returns(state) is None and match.player(state) != match.seat(state):
        replies.append(_reply(match, state, origin))
        state = match.act(state, replies[-1])
    return state, replies


def _reply(match: Match[Any, Any, Any], state: Any, origin: Origin) -> Any:
    who = match.opponent(state)
    if who == "exact":
        return match.best(state)
    if who == "greedy":
        return match.greedy(state)
    if who == "random":
        # The draw depends on the whole state, so that a restored or replayed match goes the same way.
        rng = Rng(origin.name, origin.version, origin.seed, "opponent", state.model_dump_json())
        return rng.choice(match.legal(state))
    raise DeclarationError(f"{origin.name}.opponent must be 'random', 'greedy' or 'exact', got {who!r}")


def _over(position: Position, score: Score, event: Event | None) -> Position:
    events = position.events if event is None else (*position.events, event)
    return replace(position, observation="", score=score, feedback=feedback(score), events=events)


def _go_on(position: Position, text: str, event: Event | None) -> Position:
    left = position.limit - position.turn
    if left <= 0:
        return _over(position, Score.wrong("there are no turns left"), event)
    events = position.events if event is None else (*position.events, event)
    return replace(position, observation=f"{text}\n\nYou have {_turns(left)} left.", feedback=text, events=events)


def feedback(score: Score) -> str:
    """What a model may be told about its score."""
    opening: Callable[[str], str] = lambda said: f"{said}: {score.reason}." if score.reason else f"{said}."  # noqa: E731
    match score.outcome:
        case Outcome.RIGHT:
            return "Your answer is right."
        case Outcome.PARTIAL:
            return opening("Your answer is partly right")
        case Outcome.WRONG:
            return opening("Your answer is wrong")
        case Outcome.ERROR:
            return "Your answer could not be judged."
        case _:
            return opening(f"Your answer was {score.outcome.value}")


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"


def _each_turn(closing: str) -> str:
    return closing.replace("End your response with your final answer", "End each of your responses with your answer")
