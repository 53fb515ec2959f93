"""One episode on the service, without I/O: each turn is stepped at most once, and a lost episode can be recreated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from rlgym import Event
from rlgym.serve.client import calls
from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import (
    EpisodeOver,
    InvalidResponse,
    NotFound,
    ReplayMismatch,
    ServiceError,
    SessionGone,
    SessionLost,
    StaleTurn,
)
from rlgym.serve.client.models import SessionView, parse_session_view
from rlgym.serve.client.sans_io import RetryPolicy, SansIO, Sleep, call_with_retries

CLOSE_POLICY = RetryPolicy(max_retries=3, max_seconds=2.0)
"""Closing a session is retried briefly: the service closes idle sessions anyway."""


@dataclass(frozen=True, slots=True)
class History:
    """How an episode reached its state: the opening request, the responses, and the observations that followed."""

    start: Mapping[str, Any]
    responses: tuple[str, ...]
    observations: tuple[str, ...]
    view: SessionView
    prompt: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of an episode: the service's snapshot of it, and its history, which brings any session to the same state."""

    session_id: str
    snapshot_id: str
    history: History

    @property
    def observation(self) -> str:
        """The observation in this state."""
        return self.history.view.observation


class Episode:
    """The client's side of a session. With `recover`, a session that the service lost is recreated from its history."""

    def __init__(self, policy: RetryPolicy, recover: bool) -> None:
        self.policy, self.recover = policy, recover
        self.session_id: str | None = None
        self.history: History | None = None

    def require_history(self) -> History:
        """The history of an episode that has started."""
        assert self.history is not None
        return self.history

    def begin(self, start: Mapping[str, Any]) -> SansIO[SessionView]:
        """Start the task that `start` names, in the existing session or in a new one."""
        body = None
        if self.session_id is not None:
            fields = {key: start.get(key) for key in ("seed", "level", "knobs") if key in start}
            with suppress(SessionGone, NotFound):  # the new episode does not depend on the old session
                body = yield from call_with_retries(calls.reset(self.session_id, fields), self.policy)
        if body is None:
            body = yield from call_with_retries(calls.open_session(start), self.policy)
        view = parse_session_view(body)
        self.session_id = view.session_id
        self.history = History(start, (), (view.observation,), view, view.prompt or view.observation)
        return view

    def attach(self, session_id: str) -> SansIO[SessionView]:
        """Continue a session that another client opened."""
        body = yield from call_with_retries(calls.get_session(session_id), self.policy)
        view = parse_session_view(body)
        observations = [message["content"] for message in body["messages"] if message["role"] == "user"]
        responses = [message["content"] for message in body["messages"] if message["role"] == "assistant"]
        origin = view.origin
        start = {"name": origin.name, "seed": origin.seed, "level": origin.level, "knobs": dict(origin.knobs)}
        self.session_id = view.session_id
        final = [""] * view.done  # the transcript has no observation after the last response
        self.history = History(start, tuple(responses), (*observations, *final), view, view.prompt or observations[0])
        return view

    def step(self, response: str, maybe_taken: bool = False) -> SansIO[SessionView]:
        """Step at most once. `maybe_taken`: the step was sent before, and its response was lost.

        A repeated step names the same turn. If the first one took effect, the service rejects the second, and reading the session
        shows its result.
        """
        for attempt in count():
            try:
                body = yield calls.step(self._require_session(), response, self.require_history().view.turn)
            except (StaleTurn, EpisodeOver) as error:
                if not maybe_taken:
                    raise
                body = yield from self._read_step_result(response, error)
            except ServiceError as error:
                if lost := self._session_lost(error):
                    if not self.recover or attempt >= self.policy.max_retries:
                        raise lost from None
                    yield from self.recreate(self.require_history())
                    maybe_taken = False
                    continue
                wait = self.policy.wait_before_retry(attempt, error)
                if wait is None:
                    raise
                maybe_taken = maybe_taken or not error.has_no_effect
                yield Sleep(wait)
                continue
            return self.record_step(response, parse_session_view(body))
        raise AssertionError("unreachable")

    def record_step(self, response: str, view: SessionView) -> SessionView:
        """Append a step to the history."""
        history = self.require_history()
        self.history = replace(
            history, responses=(*history.responses, response), observations=(*history.observations, view.observation), view=view
        )
        return view

    def recreate(self, history: History) -> SansIO[SessionView]:
        """Bring a new session to the end of a history by the same responses; ReplayMismatch if the observations differ."""
        for attempt in count():
            try:
                return (yield from self._replay(history))
            except ServiceError as error:
                # Each attempt opens its own session, whatever happened to the last one.
                session_gone = self._session_lost(error) is not None
                wait = 0.0 if session_gone and attempt < self.policy.max_retries else self.policy.wait_before_retry(attempt, error)
                if wait is None:
                    raise
            yield Sleep(wait)
        raise AssertionError("unreachable")

    def snapshot(self) -> SansIO[Snapshot]:
        """Save the state of the episode."""
        body = yield from self._call(calls.snapshot)
        return Snapshot(self._require_session(), body["snapshot"], self.require_history())

    def restore(self, snapshot: Snapshot) -> SansIO[SessionView]:
        """Restore a snapshot, of this session or of another one of the same environment."""
        if snapshot.session_id == self.session_id:
            try:
                body = yield from call_with_retries(calls.restore(snapshot.session_id, snapshot.snapshot_id), self.policy)
                self.history = replace(snapshot.history, view=parse_session_view(body))
                return self.history.view
            except SessionGone:
                if not self.recover:
                    raise
            except NotFound:
                pass  # the service keeps only the newest snapshots, but the history recreates the state
        old_session_id = self.session_id
        view = yield from self.recreate(snapshot.history)
        if old_session_id is not None:
            yield from _close_quietly(old_session_id)
        return view

    def read(self) -> SansIO[Any]:
        """The session view with the transcript and the event log."""
        return (yield from self._call(calls.get_session))

    def events(self) -> SansIO[tuple[Event, ...]]:
        """The environment's event log."""
        body = yield from self.read()
        return tuple(Event(event["turn"], event["kind"], event["what"]) for event in body["events"])

    def text_field(self, make_call: Callable[[str], Call], name: str) -> SansIO[str]:
        """One string field of a response."""
        body = yield from self._call(make_call)
        text = body.get(name) if isinstance(body, dict) else None
        if not isinstance(text, str):
            raise InvalidResponse(f"expected a response with a string {name!r}, got {str(body)[:200]!r}")
        return text

    def end(self) -> SansIO[None]:
        """Close the session; it is not an error if it is gone."""
        session_id, self.session_id, self.history = self.session_id, None, None
        if session_id is not None:
            yield from _close_quietly(session_id)

    def _call(self, make_call: Callable[[str], Call]) -> SansIO[Any]:
        """The response to a call on the session, which is recreated if it was lost."""
        for attempt in count():
            try:
                return (yield from call_with_retries(make_call(self._require_session()), self.policy))
            except ServiceError as error:
                if (lost := self._session_lost(error)) is None:
                    raise
                if not self.recover or attempt >= self.policy.max_retries:
                    raise lost from None
            yield from self.recreate(self.require_history())
        raise AssertionError("unreachable")

    def _replay(self, history: History) -> SansIO[SessionView]:
        view = parse_session_view((yield from call_with_retries(calls.open_session(history.start), self.policy)))
        _check_same(history.observations[0], view.observation, 0)
        for response, observation in zip(history.responses, history.observations[1:], strict=True):
            view = parse_session_view((yield calls.step(view.session_id, response, view.turn)))
            _check_same(observation, view.observation, view.turn)
        if (view.done, view.score) != (history.view.done, history.view.score):
            raise ReplayMismatch(f"the recreated episode has the score {view.score}, the original had {history.view.score}")
        self.session_id, self.history = view.session_id, replace(history, view=view)
        return view

    def _read_step_result(self, response: str, error: ServiceError) -> SansIO[Any]:
        """The session after a step whose response was lost; raises `error` if another client took the step."""
        body = yield from self._call(calls.get_session)
        responses = [message["content"] for message in body["messages"] if message["role"] == "assistant"]
        if body["turn"] != self.require_history().view.turn + 1 or responses[-1:] != [response]:
            raise error
        return body

    def _require_session(self) -> str:
        assert self.session_id is not None
        return self.session_id

    @staticmethod
    def _session_lost(error: ServiceError) -> ServiceError | None:
        """The error if it means that the session is gone, otherwise None."""
        if isinstance(error, NotFound):
            return SessionLost(f"the service no longer knows this session ({error})", status=error.status, retryable=True)
        return error if isinstance(error, SessionGone) else None


def _close_quietly(session_id: str) -> SansIO[None]:
    with suppress(ServiceError):  # it is gone already, or will expire
        yield from call_with_retries(calls.close_session(session_id), CLOSE_POLICY)


def _check_same(original: str, recreated: str, turn: int) -> None:
    if original != recreated:
        raise ReplayMismatch(f"the recreated episode differs at turn {turn}: expected {original[:200]!r}, got {recreated[:200]!r}")
