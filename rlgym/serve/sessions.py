"""Open episodes: whose they are, how long they live, and what became of those that are gone."""

from __future__ import annotations

import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rlgym.serve.errors import ServiceError
from rlgym.serve.keys import Key, Quotas
from rlgym.serve.settings import Settings

if TYPE_CHECKING:
    from rlgym import Env

_ID = re.compile(r"w(\d{1,6})-([0-9A-Za-z]{1,40})-[0-9A-Za-z]{1,40}", re.ASCII)
REMEMBERED = 100_000


@dataclass(slots=True)
class Session:
    """One open episode. `facts` is what every view of it ends with, as JSON; `length` counts the characters of its conversation."""

    id: str
    owner: str
    env: Env
    name: str
    split: str
    facts: str
    deadline: float
    busy: bool = False
    snapshots: OrderedDict[str, tuple[Any, int]] = field(default_factory=OrderedDict)
    taken: int = 0
    length: int = 0

    @property
    def position(self) -> Any:
        """Where the episode stands, as the value that the Env gives."""
        return self.env.snapshot()

    def measure(self) -> None:
        """Count the conversation anew."""
        self.length = sum(len(text) for _, text in self.position.transcript)

    def keep(self, most: int, longest: int) -> str:
        """Keep where the episode stands, under a new name; the oldest that are kept make room."""
        self.taken += 1
        name = f"s{self.taken}"
        self.snapshots[name] = (self.position, self.length)
        while len(self.snapshots) > most or (len(self.snapshots) > 1 and sum(size for _, size in self.snapshots.values()) > longest):
            self.snapshots.popitem(last=False)
        return name


class Store:
    """The sessions of one worker. Used from its event loop only."""

    def __init__(self, settings: Settings, quotas: Quotas, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings, self._quotas, self._clock = settings, quotas, clock
        # The session that was used longest ago comes first, so that sweeping looks at those that are over and at one more.
        self._open: OrderedDict[str, Session] = OrderedDict()
        self._expired: OrderedDict[str, str] = OrderedDict()
        self._prefix = f"w{settings.worker}-{settings.incarnation}-"

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, key: Key) -> None:
        """Count one more session of a key, before its task is drawn; ServiceError where there is no room."""
        if not self._quotas.hold("all", self._settings.most_sessions):
            raise ServiceError("full", f"{self._settings.most_sessions} sessions are open, the most there may be", retry_after=5)
        if not self._quotas.hold(f"key:{key.name}", key.sessions):
            self._quotas.release("all")
            raise ServiceError("quota", f"this key has {key.sessions} sessions open, the most it may: close one", retry_after=5)

    def dismiss(self, owner: str) -> None:
        """Count one session less."""
        self._quotas.release("all")
        self._quotas.release(f"key:{owner}")

    def add(self, key: Key, env: Env, name: str, split: str, facts: str) -> Session:
        """A new session of an admitted key."""
        number = f"{self._prefix}{secrets.token_hex(8)}"
        made = Session(number, key.name, env, name, split, facts, self._clock() + self._settings.session_seconds)
        self._open[number] = made
        return made

    def find(self, number: str, key: Key) -> Session:
        """An open session of a key, which lives on from now; another key's is as unknown as one that never was."""
        session = self._open.get(number)
        if session is not None and session.owner == key.name:
            now = self._clock()
            if now < session.deadline or session.busy:
                session.deadline = now + self._settings.session_seconds
                self._open.move_to_end(number)
                return session
            self.sweep()
        if self._expired.get(number) == key.name:
            raise ServiceError("session_expired", f"nobody used this session for {self._settings.session_seconds:g} seconds: open another")
        place = _ID.fullmatch(number)
        if place and int(place[1]) == self._settings.worker and place[2] != self._settings.incarnation:
            raise lost()
        raise ServiceError("unknown", "no session of this key has this id")

    def peek(self, number: str) -> Session | None:
        """A session of any key, which is not kept alive by this."""
        return self._open.get(number)

    def close(self, session: Session) -> None:
        """End a session."""
        if self._open.pop(session.id, None) is not None:
            self.dismiss(session.owner)

    def sweep(self) -> int:
        """End the sessions that nobody used for too long; returns how many. One that is at work is left alone."""
        now, ended, busy = self._clock(), 0, []
        while self._open:
            number, session = next(iter(self._open.items()))
            if session.deadline > now:
                break
            del self._open[number]
            if session.busy:
                busy.append(session)
                continue
            self.dismiss(session.owner)
            self._expired[number] = session.owner
            ended += 1
        for session in busy:
            session.deadline = now + self._settings.session_seconds
            self._open[session.id] = session
        while len(self._expired) > REMEMBERED:
            self._expired.popitem(last=False)
        return ended

    def seconds_left(self, session: Session) -> float:
        """How long a session lives if nobody uses it."""
        return round(max(0.0, session.deadline - self._clock()), 3)

    def mine(self, number: str) -> bool:
        """Whether a session of this id would be this worker's; what is no id at all is answered here too."""
        if number.startswith(self._prefix):
            return True
        place = _ID.fullmatch(number)
        return place is None or int(place[1]) == self._settings.worker


def place_of(number: str) -> tuple[int, str] | None:
    """The worker and incarnation in a session's id; None where it is no id."""
    place = _ID.fullmatch(number)
    return (int(place[1]), place[2]) if place else None


def lost() -> ServiceError:
    """The refusal for a session whose worker is no more."""
    return ServiceError("session_lost", "the process that held this session is gone: open another")
