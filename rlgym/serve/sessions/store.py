"""Open sessions: who owns them, when they expire, and what happened to those that are gone."""

from __future__ import annotations

import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from rlgym.serve.access.keys import ApiKey
from rlgym.serve.access.quotas import Quotas
from rlgym.serve.protocol.encoding import JsonText
from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.settings import Settings

if TYPE_CHECKING:
    from rlgym import Env

_SESSION_ID = re.compile(r"w(\d{1,6})-([0-9A-Za-z]{1,40})-[0-9A-Za-z]{1,40}", re.ASCII)
MAX_EXPIRED_IDS = 100_000


class SessionLocation(NamedTuple):
    """The worker, and the start of it, that a session id names."""

    worker_id: int
    incarnation: str


class SavedPosition(NamedTuple):
    """A snapshot of a session: the Env's own snapshot, and the length of its transcript."""

    env_snapshot: Any
    transcript_chars: int


@dataclass(slots=True)
class Session:
    """One open episode.

    constant_view     the fields of the session view that stay the same during an episode (tools and task), encoded once
    deadline          when it expires, by the store's clock
    busy              whether a thread is changing it
    transcript_chars  the length of its transcript
    """

    id: str
    owner: str
    env: Env
    name: str
    split: str
    constant_view: JsonText
    deadline: float
    busy: bool = False
    snapshots: OrderedDict[str, SavedPosition] = field(default_factory=OrderedDict)
    num_snapshots_taken: int = 0
    transcript_chars: int = 0

    @property
    def position(self) -> Any:
        """The state of the episode, as the Env's snapshot."""
        return self.env.snapshot()

    def recount_transcript(self) -> None:
        """Recompute the length of the transcript."""
        self.transcript_chars = sum(len(text) for _, text in self.position.transcript)

    def save_snapshot(self, max_snapshots: int, max_chars: int) -> str:
        """Save the state of the episode under a new id, and drop the oldest snapshots beyond the limits."""
        self.num_snapshots_taken += 1
        snapshot_id = f"s{self.num_snapshots_taken}"
        self.snapshots[snapshot_id] = SavedPosition(self.position, self.transcript_chars)
        while len(self.snapshots) > max_snapshots or (len(self.snapshots) > 1 and self._snapshot_chars() > max_chars):
            self.snapshots.popitem(last=False)
        return snapshot_id

    def _snapshot_chars(self) -> int:
        return sum(saved.transcript_chars for saved in self.snapshots.values())


class SessionStore:
    """The sessions of one worker. Used from its event loop only."""

    def __init__(self, settings: Settings, quotas: Quotas, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings, self._quotas, self._clock = settings, quotas, clock
        # Ordered by last use, so that expire_idle reads the expired sessions and one more.
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._expired_owners: OrderedDict[str, str] = OrderedDict()
        self._id_prefix = f"w{settings.worker_id}-{settings.incarnation}-"

    def __len__(self) -> int:
        return len(self._sessions)

    def reserve(self, key: ApiKey) -> None:
        """Count one more session of a key before its task is generated; ServiceError if there is no room."""
        if not self._quotas.acquire_session("all", self._settings.max_sessions):
            raise ServiceError("overloaded", f"the service has reached its limit of {self._settings.max_sessions} sessions", retry_after=5)
        if not self._quotas.acquire_session(f"key:{key.name}", key.max_sessions):
            self._quotas.release_session("all")
            message = f"this key has reached its limit of {key.max_sessions} open sessions; close one"
            raise ServiceError("quota_exceeded", message, retry_after=5)

    def release(self, owner: str) -> None:
        """Count one session less."""
        self._quotas.release_session("all")
        self._quotas.release_session(f"key:{owner}")

    def add(self, key: ApiKey, env: Env, name: str, split: str, constant_view: JsonText) -> Session:
        """Create a session for a key that reserved one."""
        session_id = f"{self._id_prefix}{secrets.token_hex(8)}"
        deadline = self._clock() + self._settings.session_timeout_seconds
        session = Session(session_id, key.name, env, name, split, constant_view, deadline)
        self._sessions[session_id] = session
        return session

    def get(self, session_id: str, key: ApiKey) -> Session:
        """A key's open session, whose deadline is extended. Another key's session is reported like one that never existed."""
        session = self._sessions.get(session_id)
        if session is not None and session.owner == key.name:
            now = self._clock()
            if now < session.deadline or session.busy:
                session.deadline = now + self._settings.session_timeout_seconds
                self._sessions.move_to_end(session_id)
                return session
            self.expire_idle()
        if self._expired_owners.get(session_id) == key.name:
            idle = self._settings.session_timeout_seconds
            raise ServiceError("session_expired", f"this session was idle for {idle:g} s and is closed; open another")
        location = parse_session_id(session_id)
        if location and location.worker_id == self._settings.worker_id and location.incarnation != self._settings.incarnation:
            raise session_lost_error()
        raise ServiceError("not_found", "this key has no session with this id")

    def peek(self, session_id: str) -> Session | None:
        """A session of any key, without extending its deadline."""
        return self._sessions.get(session_id)

    def remove(self, session: Session) -> None:
        """Close a session."""
        if self._sessions.pop(session.id, None) is not None:
            self.release(session.owner)

    def expire_idle(self) -> int:
        """Close the sessions whose deadline has passed and return their number. A busy session gets a new deadline."""
        now, num_expired, busy = self._clock(), 0, []
        while self._sessions:
            session_id, session = next(iter(self._sessions.items()))
            if session.deadline > now:
                break
            del self._sessions[session_id]
            if session.busy:
                busy.append(session)
                continue
            self.release(session.owner)
            self._expired_owners[session_id] = session.owner
            num_expired += 1
        for session in busy:
            session.deadline = now + self._settings.session_timeout_seconds
            self._sessions[session.id] = session
        while len(self._expired_owners) > MAX_EXPIRED_IDS:
            self._expired_owners.popitem(last=False)
        return num_expired

    def seconds_left(self, session: Session) -> float:
        """Seconds until an idle session expires."""
        return round(max(0.0, session.deadline - self._clock()), 3)

    def is_local(self, session_id: str) -> bool:
        """Whether this worker answers for a session id; it also answers for malformed ones."""
        if session_id.startswith(self._id_prefix):
            return True
        location = parse_session_id(session_id)
        return location is None or location.worker_id == self._settings.worker_id


def parse_session_id(session_id: str) -> SessionLocation | None:
    """The worker that a session id names, or None if the id is malformed."""
    match = _SESSION_ID.fullmatch(session_id)
    return SessionLocation(int(match[1]), match[2]) if match else None


def session_lost_error() -> ServiceError:
    """The error for a session whose worker is gone."""
    return ServiceError("session_lost", "the process that held this session has ended; open another session")
