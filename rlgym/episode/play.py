"""One episode as an immutable value that advances turn by turn. Independent of gymnasium."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.util import find_spec
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rlgym.core.answer import Style, Unreadable
from rlgym.core.declare import Declaration, Environment, Game, Match, describe_return
from rlgym.core.errors import DeclarationError, PackageMissing
from rlgym.core.rng import Rng
from rlgym.core.score import Outcome, Score
from rlgym.core.task import Origin, Task

if TYPE_CHECKING:
    from rlgym.sandbox import Runner


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the environment's own log. Tool use and side effects are scored from it, never from the model's claims."""

    turn: int
    kind: str  # "answer", "unreadable", "illegal", "opponent"
    what: str


@dataclass(frozen=True, slots=True)
class EpisodeState:
    """The state of an episode. `observation` is what the model reads now; `score` is set once the episode is over."""

    task: Task[Any]
    state: Any
    observation: str
    turn: int = 0
    limit: int = 1
    score: Score | None = None
    feedback: str = ""
    transcript: tuple[tuple[str, str], ...] = ()
    events: tuple[Event, ...] = ()


def start_episode(declared: Declaration, task: Task[Any], style: Style) -> EpisodeState:
    """The first state of an episode: the prompt and its closing line about the answer's format."""
    if isinstance(declared, Environment):
        text = f"{task.prompt}\n\n{declared.answer.closing_line(style)}"
        return EpisodeState(task, None, text, transcript=(("user", text),))
    limit = declared.turns(task.data)
    rules = "" if isinstance(declared, Game) else " An illegal or unreadable move loses at once."
    text = f"{task.prompt}\n\n{_each_turn(declared.answer.closing_line(style))} You have {_turns(limit)}.{rules}"
    return EpisodeState(task, task.data, text, limit=limit, transcript=(("user", text),))


def advance(declared: Declaration, position: EpisodeState, response: str, style: Style) -> EpisodeState:
    """The state after the model's response. A verifier that raises ends the episode with Outcome.ERROR."""
    transcript = (*position.transcript, ("assistant", response))
    try:
        return _judge(declared, replace(position, turn=position.turn + 1, transcript=transcript), response, style)
    except Exception as error:
        broken = Score.nothing(Outcome.ERROR, f"the verifier raised {type(error).__name__}: {error}")
        return replace(position, turn=position.turn + 1, transcript=transcript, observation="", score=broken)


def oracle_answer(declared: Declaration, position: EpisodeState) -> Any:
    """The oracle's answer in this state."""
    return declared.solve(position.task) if isinstance(declared, Environment) else declared.best(position.state)


def oracle_response(declared: Declaration, position: EpisodeState, style: Style) -> str:
    """The oracle's answer in this state as a whole response."""
    return declared.answer.render_response(oracle_answer(declared, position), style, position.task.prompt)


def render_svg(declared: Declaration, position: EpisodeState) -> str:
    """What the player may see now, as SVG: the declaration's picture, or the text where it has none."""
    if declared.picture is None:
        return _text_as_svg(position.observation or position.feedback)
    if isinstance(declared, Environment):
        return declared.picture(position.task)
    if isinstance(declared, Match):
        return declared.picture(position.state, declared.seat(position.state))
    return declared.picture(position.state)


def _text_as_svg(text: str) -> str:
    """A text as SVG, in lines of fixed width."""
    lines = [piece for line in text.splitlines() for piece in (wrap(line, 100, replace_whitespace=False) or [""])]
    rows = "".join(f'<text x="12" y="{24 + 18 * i}" xml:space="preserve">{escape(line)}</text>' for i, line in enumerate(lines))
    size = f"{24 + 8 * max((len(line) for line in lines), default=0)} {24 + 18 * len(lines)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="monospace" font-size="13">{rows}</svg>'


def score_response(declared: Environment[Any, Any, Any], task: Task[Any], response: str, style: Style) -> Score:
    """The score of one response to a single-turn task; an unreadable one is data, a verifier that raises is not caught.

    Where the answer's layout leaves several readings, the best one counts. A wrong answer in a layout that is not understood is unreadable.
    """
    try:
        readings = declared.answer.readings(response, style, task.prompt)
    except Unreadable as why:
        return Score.nothing(Outcome.UNREADABLE, str(why))
    runner = [] if declared.sandbox is None else [runner_for(declared)]
    best: Score | None = None
    for answer in readings:
        score = declared.verify(task, answer, *runner)
        best = score if best is None or score.value > best.value else best
        if best.value == 1.0:
            return best
    assert best is not None, "a readable response has at least one reading"
    if best.outcome is Outcome.WRONG and (layout := declared.answer.unknown_layout(response, style)):
        return Score.nothing(Outcome.UNREADABLE, f"{layout} around the answer is not understood: expected {declared.answer.instructions}")
    return best


EXTRAS = {"quickjs": "javascript"}
"""The extras whose name differs from that of the package they install."""
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where commands in the sandbox find the programs of the machine."""


def missing_package(name: str, declared: Declaration) -> str:
    """A sentence that names the package or program that scoring needs and that is not installed, or nothing."""
    for package in getattr(declared, "needs", ()):
        if find_spec(package) is None:
            extra = EXTRAS.get(package, package)
            return f"{name} needs {package} to score answers: install it with `pip install 'rlvrgym[{extra}]'`"
    programs = getattr(declared, "programs", ())
    if programs:
        from rlgym.sandbox.terminal import is_remote

        programs = () if is_remote() else programs
    for program in programs:
        if shutil.which(program, path=SYSTEM_PATH) is None:
            return (
                f"{name} needs the program {program}, which is not installed in {SYSTEM_PATH}: install it with the system's package manager"
            )
    return ""


def check_requirements(name: str, declared: Declaration) -> None:
    """Raise PackageMissing or SandboxMissing if answers cannot be scored on this machine."""
    if missing := missing_package(name, declared):
        raise PackageMissing(missing)
    if not isinstance(declared, Match) and declared.sandbox is not None:
        runner_for(declared)
        if programs := getattr(declared, "programs", ()):
            _check_programs_elsewhere(name, programs)


def _check_programs_elsewhere(name: str, programs: Sequence[str]) -> None:
    """PackageMissing if commands run on the machine of a service and a program is missing there."""
    from rlgym.sandbox.terminal import is_remote, run_command

    for program in programs if is_remote() else ():
        if run_command({}, f"command -v {program}", 0).exit_code:
            raise PackageMissing(f"{name} needs the program {program}, which is not installed on the machine of the sandbox service")


def runner_for(declared: Environment[Any, Any, Any] | Game[Any, Any, Any]) -> Runner:
    """The runner of untrusted programs, within the limits of a declaration."""
    from rlgym.sandbox import get_runner

    assert declared.sandbox is not None
    return get_runner(declared.sandbox)


def _judge(declared: Declaration, position: EpisodeState, response: str, style: Style) -> EpisodeState:
    if isinstance(declared, Environment):
        score = score_response(declared, position.task, response, style)
        kind = "unreadable" if score.outcome is Outcome.UNREADABLE else "answer"
        return _finish(position, score, Event(position.turn, kind, response))
    try:
        answer = declared.answer.parse_response(response, style, position.observation)
    except Unreadable as why:
        event = Event(position.turn, "unreadable", str(why))
        if isinstance(declared, Match):
            return _finish(position, Score.nothing(Outcome.UNREADABLE, f"an unreadable move loses: {why}"), event)
        return _continue(position, f"That answer could not be read: {why}. It used up a turn.", event)
    event = Event(position.turn, "answer", declared.answer.render(answer))
    if isinstance(declared, Match):
        return _play_move(declared, position, answer, event)
    return _play_turn(declared, position, answer, event)


def _play_turn(game: Game[Any, Any, Any], position: EpisodeState, answer: Any, event: Event) -> EpisodeState:
    state = game.act(position.state, answer, *([runner_for(game)] if game.sandbox else []))
    score = game.outcome(state)
    return _finish(position, score, event, state) if score else _continue(position, game.show(state), event, state)


def _play_move(match: Match[Any, Any, Any], position: EpisodeState, move: Any, event: Event) -> EpisodeState:
    if move not in match.legal(position.state):
        refused = Score.nothing(Outcome.REFUSED, f"the move {match.answer.render(move)} is not legal; an illegal move loses")
        return _finish(position, refused, replace(event, kind="illegal"))
    origin = position.task.origin
    assert origin is not None, "a match is drawn with its origin, which seeds the other players"
    state, replies = play_opponents(match, match.act(position.state, move), origin)
    position = replace(position, state=state, events=(*position.events, event))
    answered = tuple(Event(position.turn, "opponent", match.answer.render(reply)) for reply in replies)
    position = replace(position, events=(*position.events, *answered))
    paid = match.returns(state)
    if paid is None:
        return _continue(position, match.show(state, match.seat(state)), None)
    reward, target = paid[match.seat(state)], match.target_return(position.task.data)
    return _finish(position, Score.exact(reward >= target, describe_return(reward, target)), None)


def play_opponents(match: Match[Any, Any, Any], state: Any, origin: Origin) -> tuple[Any, list[Any]]:
    """Plays the built-in players up to the model's next turn or the end; returns the state and their moves."""
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
    if who == "lookahead" and match.lookahead is not None:
        return match.lookahead(state)
    if who == "random":
        # The choice depends on the whole state, so a restored or replayed match continues in the same way.
        rng = Rng(origin.name, origin.version, origin.seed, "opponent", state.model_dump_json())
        return rng.choice(match.legal(state))
    raise DeclarationError(
        f"{origin.name}.opponent must be 'random', 'greedy', 'lookahead' (with a lookahead function) or 'exact', got {who!r}"
    )


def _finish(position: EpisodeState, score: Score, event: Event | None, state: Any = None) -> EpisodeState:
    """The end of the episode, in the new state if there is one."""
    events = position.events if event is None else (*position.events, event)
    last = position.state if state is None else state
    return replace(position, state=last, observation="", score=score, feedback=feedback(score), events=events)


def _continue(position: EpisodeState, text: str, event: Event | None, state: Any = None) -> EpisodeState:
    """The next turn, with what it shows in the transcript; in the new state if there is one."""
    turns_left = position.limit - position.turn
    if turns_left <= 0:
        return _finish(position, Score.wrong("there are no turns left"), event, state)
    events = position.events if event is None else (*position.events, event)
    observation = f"{text}\n\nYou have {_turns(turns_left)} left."
    return replace(
        position,
        state=position.state if state is None else state,
        observation=observation,
        feedback=text,
        events=events,
        transcript=(*position.transcript, ("user", observation)),
    )


def feedback(score: Score) -> str:
    """The feedback on a score that a model may be shown."""
    opening: Callable[[str], str] = lambda text: f"{text}: {score.reason}." if score.reason else f"{text}."  # noqa: E731
    match score.outcome:
        case Outcome.RIGHT:
            return "Your answer is right."
        case Outcome.PARTIAL:
            return opening("Your answer is partly right")
        case Outcome.WRONG:
            return opening("Your answer is wrong")
        case Outcome.ERROR:
            return "Your answer could not be scored."
        case _:
            return opening(f"Your answer was {score.outcome.value}")


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"


def _each_turn(closing: str) -> str:
    return closing.replace("End your response with your final answer", "End each of your responses with your answer")
