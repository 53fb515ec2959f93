"""Programs for what is asked of the service outside of an episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rlgym import Score
from rlgym.serve.client import calls
from rlgym.serve.client.calls import Call, given
from rlgym.serve.client.errors import Garbled, Invalid, ServiceError, from_wire
from rlgym.serve.client.player import Player, Stepped, Wanted
from rlgym.serve.client.programs import Program, Tries, ask
from rlgym.serve.client.views import Drawn, RemoteTask, read_drawn, read_score, read_view

AT_ONCE = 256
"""Items in one request; longer lists go in several."""

Item = tuple[Any, str | Sequence[str]]
"""A task (drawn by this client, or a mapping with name and seed, or a dataset row) and the response to it."""

REFUSED = {"session_lost", "session_expired", "busy", "stale_turn", "episode_over", "unknown"}


def field(call: Call, name: str, tries: Tries) -> Program[Any]:
    """One field of an answer."""
    told = yield from ask(call, tries)
    if not isinstance(told, dict) or name not in told:
        raise Garbled(f"the answer should have {name!r}, it is {str(told)[:200]!r}")
    return told[name]


def draw(wanted: Wanted, seed: int, tries: Tries) -> Program[Drawn]:
    """The task that a seed makes."""
    start = wanted.start(seed, None)
    start.pop("keep", None)
    return read_drawn((yield from ask(calls.task(start), tries)))


def sample(fields: Mapping[str, Any], tries: Tries) -> Program[list[Drawn]]:
    """Tasks drawn as `rlgym.dataset.sample` draws them."""
    return [read_drawn(one) for one in (yield from field(calls.sample(fields), "tasks", tries))]


def score(items: Iterable[Item], answer_style: str | None, tries: Tries) -> Program[list[Score | ServiceError]]:
    """The score of each item in order, or the error that it met."""
    wanted = [item(task, response, answer_style) for task, response in items]
    found: list[Score | ServiceError] = []
    for first in range(0, len(wanted), AT_ONCE):
        part = wanted[first : first + AT_ONCE]
        told = yield from field(calls.score(part), "scores", tries)
        if len(told) != len(part):
            raise Garbled(f"{len(part)} items were sent, {len(told)} scores came back")
        found += [from_wire(one["error"]) if "error" in one else read_score(one) for one in told]
    return found


def item(task: Any, response: str | Sequence[str], answer_style: str | None) -> dict[str, Any]:
    """One item of a request for scores."""
    said = response if isinstance(response, str) else list(response)
    if isinstance(task, Drawn):
        task = task.task
    if isinstance(task, Mapping) and "env" in task:
        return {"row": dict(task), "response": said}
    if isinstance(task, Mapping) and "name" in task:
        return {"task": {**given(answer_style=answer_style), **task}, "response": said}
    if isinstance(task, RemoteTask):
        origin = task.origin
        named = {"name": origin.name, "version": origin.version, "seed": origin.seed, "level": origin.level}
        return {"task": {**named, "knobs": dict(origin.knobs), **given(answer_style=answer_style)}, "response": said}
    raise Invalid(f"a task to score is one that this client drew, a mapping with name and seed, or a dataset row; got {task!r:.200}")


def whole(found: Sequence[Score | ServiceError]) -> list[Score]:
    """The scores; the first error among them raised."""
    for number, one in enumerate(found):
        if isinstance(one, ServiceError):
            one.add_note(f"this was item {number} of {len(found)}; errors='return' gives the others their scores")
            raise one
    return [one for one in found if isinstance(one, Score)]


def steps(each: Sequence[tuple[Player, str]], tries: Tries) -> Program[list[Stepped | ServiceError]]:
    """A step of many episodes, many in a request; each has its result or the error that it met.

    Where a request's answer was lost, or a session, each step of it is found out by itself.
    """
    if len({id(player) for player, _ in each}) < len(each):
        raise Invalid("an Env may be stepped only once in a batch")
    for player, action in each:
        player.may_step(action)
    done: list[Stepped | ServiceError] = []
    for first in range(0, len(each), AT_ONCE):
        done += yield from _some(each[first : first + AT_ONCE], tries)
    return done


def _some(each: Sequence[tuple[Player, str]], tries: Tries) -> Program[list[Stepped | ServiceError]]:
    now = [(player.episode.session or "", action, player.view.turn) for player, action in each]
    doubt, told = False, []
    try:
        told = yield from field(calls.steps(now), "results", tries)
    except ServiceError as error:
        if error.nothing_done or not error.retryable:
            raise
        doubt = True
    done: list[Stepped | ServiceError] = []
    for number, (player, action) in enumerate(each):
        done.append((yield from _one(player, action, None if doubt else told[number], doubt)))
    return done


def _one(player: Player, action: str, told: Any, doubt: bool) -> Program[Stepped | ServiceError]:
    try:
        error = from_wire(told["error"]) if told is not None and "error" in told else None
        if told is not None and error is None:
            player.episode.went(action, read_view(told))
        elif error is not None and not error.retryable and error.code not in REFUSED:
            return error
        else:
            yield from player.episode.step(action, doubt or (error is not None and not error.nothing_done))
        return player.stepped(action)
    except ServiceError as failed:
        return failed
