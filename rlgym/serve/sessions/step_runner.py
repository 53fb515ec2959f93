"""Runs steps: short ones on the event loop, since handing over to a thread costs more than they do, others in threads."""

from __future__ import annotations

import copy
import time
from typing import Any

from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.sessions.store import Session
from rlgym.serve.sessions.thread_pool import ThreadPool
from rlgym.serve.settings import Settings

MAX_INLINE_CHARS = 20_000
UNKNOWN_STEP_SECONDS = 1.0
DECAY = 0.9


class StepRunner:
    """Steps sessions, and tracks how long the steps of each environment take."""

    def __init__(self, settings: Settings, thread_pool: ThreadPool) -> None:
        self._settings, self._thread_pool = settings, thread_pool
        self._max_step_seconds: dict[str, float] = {}

    async def run(self, session: Session, response: str) -> None:
        """Step a session."""
        if self.runs_inline(session, response):
            self._timed_step(session.env, response)
            return
        # The thread steps a copy, so that after a time-out the session is unchanged.
        env, session.busy = copy.copy(session.env), True
        try:
            timeout = self._settings.score_timeout_seconds
            await self._thread_pool.run(lambda: self._timed_step(env, response), timeout, f"a step of {session.name}")
        finally:
            session.busy = False
        session.env = env

    def runs_inline(self, session: Session, response: str) -> bool:
        """Whether a step is short enough for the event loop, judged by the environment's earlier steps."""
        if len(response) > MAX_INLINE_CHARS or getattr(session.env.declared, "sandbox", None) is not None:
            return False
        return self._max_step_seconds.get(session.env.name, UNKNOWN_STEP_SECONDS) < self._settings.inline_step_seconds

    def _timed_step(self, env: Any, response: str) -> None:
        """Step, and update the environment's decaying maximum of CPU time."""
        started = time.thread_time()
        env.step(response)
        seconds = time.thread_time() - started
        known = self._max_step_seconds.get(env.name)
        self._max_step_seconds[env.name] = seconds if known is None else max(seconds, known * DECAY)


def require_idle(session: Session) -> None:
    """ServiceError if another request is changing the session."""
    if session.busy:
        raise ServiceError("session_busy", "another request of this session is in progress; wait for its response", retry_after=0.1)
