"""One episode that a service plays, as programs: opened, stepped at most once a turn, and made again where it was lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from rlgym import Event
from rlgym.serve.client import calls
from rlgym.serve.client.calls import Call
from rlgym.serve.client.errors import Differs, EpisodeOver, Garbled, ServiceError, SessionGone, SessionLost, StaleTurn, Unknown
from rlgym.serve.client.programs import Program, Tries, Wait, ask
from rlgym.serve.client.views import View, read_view

FEW = Tries(most=3, longest=2.0)
"""How often closing a session is tried: nobody should wait long for what would happen by itself."""


@dataclass(frozen=True, slots=True)
class Path:
    """How an episode came to where it stands: what it was opened with, what was said, and what was read."""

    start: Mapping[str, Any]
    said: tuple[str, ...]
    read: tuple[str, ...]
    view: View
    prompt: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where an episode stood: as the service keeps it, and as the way there, by which any session can be brought to the same place."""

    session: str
    token: Any
    path: Path

    @property
    def observation(self) -> str:
        """What the player read there."""
        return self.path.view.observation


class Episode:
    """The client's side of a session. `recover`: where the service lost the session, make it again by the same responses."""

    def __init__(self, tries: Tries, recover: bool) -> None:
        self.tries, self.recover = tries, recover
        self.session: str | None = None
        self.path: Path | None = None

    def here(self) -> Path:
        """The way so far. Only for an episode that has begun."""
        assert self.path is not None
        return self.path

    def begin(self, start: Mapping[str, Any]) -> Program[View]:
        """Start the task that `start` names, in the session there is or else in a new one."""
        told = None
        if self.session is not None:
            again = {key: start.get(key) for key in ("seed", "level", "knobs") if key in start}
            with suppress(SessionGone, Unknown):  # nothing of the old episode is needed for the new one
                told = yield from ask(calls.reset(self.session, again), self.tries)
        if told is None:
            told = yield from ask(calls.opened(start), self.tries)
        return self._begun(start, read_view(told))

    def attach(self, session: str) -> Program[View]:
        """Go on with a session that another client opened."""
        told = yield from ask(calls.look(session), self.tries)
        view = read_view(told)
        read = [message["content"] for message in told["messages"] if message["role"] == "user"]
        said = [message["content"] for message in told["messages"] if message["role"] == "assistant"]
        origin = view.origin
        start = {"name": origin.name, "seed": origin.seed, "level": origin.level, "knobs": dict(origin.knobs)}
        self.session = view.session
        self.path = Path(start, tuple(said), (*read, *[""] * view.done), view, view.prompt or read[0])
        return view

    def step(self, response: str, doubt: bool = False) -> Program[View]:
        """Say a response, at most once. `doubt`: it was sent before, and nobody knows whether it arrived.

        A step that is sent again names the same turn. So if it had arrived, the service refuses the second, and a look at
        the session shows what came of the first.
        """
        for attempt in count():
            try:
                told = yield calls.step(self._session(), response, self.here().view.turn)
            except (StaleTurn, EpisodeOver) as error:
                if not doubt:
                    raise
                told = yield from self._found(response, error)
            except ServiceError as error:
                if lost := self._lost(error):
                    if not self.recover or attempt >= self.tries.most:
                        raise lost from None
                    yield from self.make_again(self.here())
                    doubt = False
                    continue
                wait = self.tries.wait(attempt, error)
                if wait is None:
                    raise
                doubt = doubt or not error.nothing_done
                yield Wait(wait)
                continue
            return self.went(response, read_view(told))
        raise AssertionError("unreachable")

    def went(self, response: str, view: View) -> View:
        """Note that a response brought the episode here."""
        path = self.here()
        self.path = replace(path, said=(*path.said, response), read=(*path.read, view.observation), view=view)
        return view

    def make_again(self, path: Path) -> Program[View]:
        """Bring a new session to where `path` ends, by the same responses; Differs where anything else comes of them."""
        for attempt in count():
            try:
                return (yield from self._made(path))
            except ServiceError as error:
                # Whatever became of that session, the next try has one of its own.
                lost = self._lost(error) is not None
                wait = 0.0 if lost and attempt < self.tries.most else self.tries.wait(attempt, error)
                if wait is None:
                    raise
            yield Wait(wait)
        raise AssertionError("unreachable")

    def snapshot(self) -> Program[Snapshot]:
        """Where the episode stands."""
        told = yield from self._ask(calls.snapshot)
        return Snapshot(self._session(), told["snapshot"], self.here())

    def restore(self, snapshot: Snapshot) -> Program[View]:
        """Go to a snapshot, of this session or of another one of the same environment."""
        if snapshot.session == self.session:
            try:
                told = yield from ask(calls.restore(snapshot.session, snapshot.token), self.tries)
                self.path = replace(snapshot.path, view=read_view(told))
                return self.path.view
            except SessionGone:
                if not self.recover:
                    raise
            except Unknown:
                pass  # the service keeps only the newest snapshots; the way to this one is known
        old = self.session
        view = yield from self.make_again(snapshot.path)
        if old is not None:
            yield from _forget(old)
        return view

    def look(self) -> Program[Any]:
        """The view, with the transcript and the log."""
        return (yield from self._ask(calls.look))

    def events(self) -> Program[tuple[Event, ...]]:
        """The environment's own log."""
        told = yield from self.look()
        return tuple(Event(event["turn"], event["kind"], event["what"]) for event in told["events"])

    def field(self, call: Callable[[str], Call], name: str) -> Program[str]:
        """One text of an answer."""
        told = yield from self._ask(call)
        text = told.get(name) if isinstance(told, dict) else None
        if not isinstance(text, str):
            raise Garbled(f"the answer should have a text {name!r}, it is {str(told)[:200]!r}")
        return text

    def end(self) -> Program[None]:
        """Let the service forget the session; one that is gone already is no fault."""
        session, self.session, self.path = self.session, None, None
        if session is not None:
            yield from _forget(session)

    def _begun(self, start: Mapping[str, Any], view: View) -> View:
        self.session = view.session
        self.path = Path(start, (), (view.observation,), view, view.prompt or view.observation)
        return view

    def _ask(self, call: Callable[[str], Call]) -> Program[Any]:
        for attempt in count():
            try:
                return (yield from ask(call(self._session()), self.tries))
            except ServiceError as error:
                if (lost := self._lost(error)) is None:
                    raise
                if not self.recover or attempt >= self.tries.most:
                    raise lost from None
            yield from self.make_again(self.here())
        raise AssertionError("unreachable")

    def _made(self, path: Path) -> Program[View]:
        view = read_view((yield from ask(calls.opened(path.start), self.tries)))
        _same(path.read[0], view.observation, 0)
        for said, read in zip(path.said, path.read[1:], strict=True):
            view = read_view((yield calls.step(view.session, said, view.turn)))
            _same(read, view.observation, view.turn)
        if (view.done, view.score) != (path.view.done, path.view.score):
            raise Differs(f"the episode made again has the score {view.score}, it was {path.view.score}")
        self.session, self.path = view.session, replace(path, view=view)
        return view

    def _found(self, response: str, error: ServiceError) -> Program[Any]:
        """The session after a step whose answer was lost; the error again where it was somebody else's step."""
        told = yield from self._ask(calls.look)
        said = [message["content"] for message in told["messages"] if message["role"] == "assistant"]
        if told["turn"] != self.here().view.turn + 1 or said[-1:] != [response]:
            raise error
        return told

    def _session(self) -> str:
        assert self.session is not None
        return self.session

    @staticmethod
    def _lost(error: ServiceError) -> ServiceError | None:
        """The error if it says that the session is no more, and None otherwise."""
        if isinstance(error, Unknown):
            return SessionLost(f"the service knows nothing of this session any more ({error})", status=error.status, retryable=True)
        return error if isinstance(error, SessionGone) else None


def _forget(session: str) -> Program[None]:
    with suppress(ServiceError):  # it is gone already, or will expire
        yield from ask(calls.closed(session), FEW)


def _same(before: str, now: str, turn: int) -> None:
    if before != now:
        raise Differs(f"the episode made again reads differently at turn {turn}: it was {before[:200]!r}, it is {now[:200]!r}")
