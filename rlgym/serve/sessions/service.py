"""The operations on sessions, for every transport; their results are JSON texts."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from pydantic import BaseModel

from rlgym.serve.access.keys import ApiKey
from rlgym.serve.access.quotas import Quotas, charge
from rlgym.serve.protocol.encoding import JsonText, encode, encode_list_field
from rlgym.serve.protocol.errors import ServiceError, as_service_error, validate
from rlgym.serve.protocol.requests import (
    EmptyRequest,
    HintRequest,
    MistakeRequest,
    OpenRequest,
    RenderRequest,
    ResetRequest,
    RestoreRequest,
    StepRequest,
)
from rlgym.serve.sessions.catalogue import Catalogue
from rlgym.serve.sessions.mistakes import select_mistake
from rlgym.serve.sessions.redaction import require_reveal
from rlgym.serve.sessions.step_runner import StepRunner, require_idle
from rlgym.serve.sessions.store import Session, SessionStore, session_lost_error
from rlgym.serve.sessions.tasks import start_env
from rlgym.serve.sessions.thread_pool import ThreadPool
from rlgym.serve.sessions.views import encode_constant_view, encode_session_detail, encode_session_view
from rlgym.serve.settings import Settings
from rlgym.serve.telemetry.metrics import Metrics
from rlgym.serve.telemetry.request_log import RequestLog

ForwardToOwner = Callable[[ApiKey, str, str, dict[str, Any]], Awaitable[JsonText]]
"""(key, operation, session id, fields) -> the response of the worker that owns the session; ServiceError if it rejects the request."""

CONCURRENT_STEPS = 64
SNAPSHOT_TRANSCRIPTS = 4  # a session's snapshots may hold this many times the longest transcript

OPERATIONS: dict[str, type[BaseModel]] = {
    "get": EmptyRequest,
    "step": StepRequest,
    "reset": ResetRequest,
    "snapshot": EmptyRequest,
    "restore": RestoreRequest,
    "render": RenderRequest,
    "oracle": EmptyRequest,
    "mistake": MistakeRequest,
    "hint": HintRequest,
    "close": EmptyRequest,
}
"""The operations on a session, and the fields of each."""

NONBLOCKING_OPERATIONS = ("get", "snapshot", "restore", "close")


async def no_other_workers(key: ApiKey, operation: str, session_id: str, fields: dict[str, Any]) -> JsonText:
    """Forwarding in a service of one worker: the owner of the session cannot exist."""
    raise session_lost_error()


class SessionService:
    """The operations of one worker. Requests for sessions of other workers go to `forward_to_owner`."""

    def __init__(
        self, settings: Settings, quotas: Quotas, metrics: Metrics, thread_pool: ThreadPool, log: RequestLog, clock: Callable[[], float]
    ) -> None:
        self.settings, self.quotas, self.metrics, self.thread_pool, self.log = settings, quotas, metrics, thread_pool, log
        self.catalogue = Catalogue(settings)
        self.store = SessionStore(settings, quotas, clock)
        self.forward_to_owner: ForwardToOwner = no_other_workers
        self.draining = False
        self._step_runner = StepRunner(settings, thread_pool)
        self._handlers: dict[str, Callable[[Session, ApiKey, Any], Awaitable[JsonText]]] = {
            operation: getattr(self, f"_{operation}") for operation in OPERATIONS
        }

    async def dispatch(self, key: ApiKey, operation: str, session_id: str, request: BaseModel) -> JsonText:
        """Run an operation on a session, here or in the worker that owns it."""
        if not self.store.is_local(session_id):
            return await self.forward_to_owner(key, operation, session_id, request.model_dump(exclude_unset=True))
        return await self._handlers[operation](self.store.get(session_id, key), key, request)

    async def dispatch_forwarded(self, key: ApiKey, operation: str, session_id: str, fields: dict[str, Any]) -> JsonText:
        """Run an operation that another worker forwarded, with fields that are still to be validated."""
        if operation not in OPERATIONS:
            raise ServiceError("invalid_request", f"there is no operation {operation!r}; the operations are {', '.join(OPERATIONS)}")
        return await self._handlers[operation](self.store.get(session_id, key), key, validate(OPERATIONS[operation], fields))

    async def open(self, key: ApiKey, request: OpenRequest) -> tuple[str, JsonText]:
        """Open a session; returns its id and its view."""
        if self.draining:
            raise ServiceError("draining", "this server is shutting down; open the session elsewhere or later", retry_after=5)
        self.store.reserve(key)
        try:
            env, _ = await self.generate(partial(start_env, request), request.name)
            tools = self.catalogue.tools_json(env.name)
        except BaseException:
            self.store.release(key.name)
            raise
        constant_view = encode_constant_view(env, request.name, request.split, tools)
        session = self.store.add(key, env, request.name, request.split, constant_view)
        self.metrics.open_sessions.set(len(self.store))
        return session.id, self._view(session, key, with_prompt=True)

    async def generate(self, function: Callable[[], Any], name: str) -> Any:
        """Run a function that generates tasks of an environment in a thread."""
        return await self.thread_pool.run(function, self.settings.generate_timeout_seconds, f"generating a task of {name[:100]}")

    async def step_batch(self, key: ApiKey, steps: list[dict[str, Any]]) -> JsonText:
        """Step many sessions. A rejected step has an error in its place."""
        results: list[JsonText] = []
        for start in range(0, len(steps), CONCURRENT_STEPS):
            chunk = steps[start : start + CONCURRENT_STEPS]
            results += await asyncio.gather(*(self._step_or_error(key, fields) for fields in chunk))
            await asyncio.sleep(0)  # let other requests run
        return encode_list_field("results", results)

    async def _step_or_error(self, key: ApiKey, fields: dict[str, Any]) -> JsonText:
        try:
            session_id = fields.get("session")
            if not isinstance(session_id, str):
                raise ServiceError("invalid_request", "session: must be a string")
            request = validate(StepRequest, {name: value for name, value in fields.items() if name != "session"})
            return await self.dispatch(key, "step", session_id, request)
        except Exception as raised:
            error = as_service_error(raised)
            if error.code == "internal_error":
                self.log.log_failure(raised, route="/v1/steps")
            self.metrics.errors.labels(error.code).inc()
            return encode({"error": error.to_dict()})

    def is_nonblocking(self, operation: str, session_id: str, request: Any) -> bool:
        """Whether an operation completes without waiting for anything."""
        session = self.store.peek(session_id)
        if session is None:
            return False
        return operation in NONBLOCKING_OPERATIONS or (operation == "step" and self._step_runner.runs_inline(session, request.response))

    def discard(self, session_id: str) -> None:
        """Close the session of a client that disconnected."""
        if (session := self.store.peek(session_id)) is not None:
            self._remove(session)

    def reap_idle_sessions(self) -> None:
        """Close the sessions that were idle for too long."""
        if self.store.expire_idle():
            self.metrics.open_sessions.set(len(self.store))
        self.metrics.stuck_threads.set(self.thread_pool.stuck)

    def _view(self, session: Session, key: ApiKey, with_prompt: bool = False) -> JsonText:
        return encode_session_view(session, key, self.store.seconds_left(session), with_prompt)

    def _remove(self, session: Session) -> None:
        self.store.remove(session)
        self.metrics.open_sessions.set(len(self.store))

    async def _get(self, session: Session, key: ApiKey, request: EmptyRequest) -> JsonText:
        return encode_session_detail(session, key, self.store.seconds_left(session))

    async def _close(self, session: Session, key: ApiKey, request: EmptyRequest) -> JsonText:
        self._remove(session)
        return JsonText("{}")

    async def _reset(self, session: Session, key: ApiKey, request: ResetRequest) -> JsonText:
        options = {name: value for name, value in (("level", request.level), ("knobs", request.knobs)) if value is not None}
        require_idle(session)
        env, session.busy = copy.copy(session.env), True
        try:
            await self.generate(lambda: env.reset(seed=request.seed, options=options or None), session.name)
        finally:
            session.busy = False
        session.env = env
        return self._start_of_episode(session, key)

    async def _restore(self, session: Session, key: ApiKey, request: RestoreRequest) -> JsonText:
        require_idle(session)
        if request.snapshot not in session.snapshots:
            max_snapshots = self.settings.max_snapshots
            raise ServiceError("not_found", f"this session has no snapshot of this id; it keeps the newest {max_snapshots}")
        session.env.restore(session.snapshots[request.snapshot].env_snapshot)
        return self._start_of_episode(session, key)

    def _start_of_episode(self, session: Session, key: ApiKey) -> JsonText:
        """Update what the session knows of its Env after it moved to another episode, and return the view."""
        session.recount_transcript()
        tools = self.catalogue.tools_json(session.env.name)
        session.constant_view = encode_constant_view(session.env, session.name, session.split, tools)
        return self._view(session, key, with_prompt=True)

    async def _step(self, session: Session, key: ApiKey, request: StepRequest) -> JsonText:
        self._check_step(session, request)
        charge(self.quotas, key, "steps")
        await self._step_runner.run(session, request.response)
        session.transcript_chars += len(request.response) + len(session.position.observation)
        self.metrics.steps.inc()
        if (score := session.position.score) is not None:
            self.metrics.scores.labels(score.outcome.value).inc()
        return self._view(session, key)

    def _check_step(self, session: Session, request: StepRequest) -> None:
        """ServiceError if the session cannot take this step."""
        position, max_chars = session.position, self.settings.max_transcript_chars
        check_length(request.response, self.settings)
        require_idle(session)
        if request.turn is not None and request.turn != position.turn:
            message = f"the episode is at turn {position.turn}, not at turn {request.turn}; read the session before the next step"
            raise ServiceError("stale_turn", message)
        if position.score is not None:
            raise ServiceError("episode_over", "the episode is over; reset the session before the next step")
        if session.transcript_chars + len(request.response) > max_chars:
            raise ServiceError("too_large", f"a transcript may have at most {max_chars} characters; reset the session")

    async def _snapshot(self, session: Session, key: ApiKey, request: EmptyRequest) -> JsonText:
        max_chars = SNAPSHOT_TRANSCRIPTS * self.settings.max_transcript_chars
        return encode({"snapshot": session.save_snapshot(self.settings.max_snapshots, max_chars)})

    async def _render(self, session: Session, key: ApiKey, request: RenderRequest) -> JsonText:
        env = copy.copy(session.env)
        env.render_mode = request.mode
        rendered = await self._compute(env.render, f"rendering {session.name}")
        return encode({"svg" if request.mode == "svg" else "text": rendered})

    async def _oracle(self, session: Session, key: ApiKey, request: EmptyRequest) -> JsonText:
        env = self._env_for_answers(session, key)
        return encode({"response": await self._compute(env.oracle, f"the oracle of {session.name}")})

    async def _mistake(self, session: Session, key: ApiKey, request: MistakeRequest) -> JsonText:
        env = self._env_for_answers(session, key)
        return encode(await self._compute(lambda: select_mistake(env, request.index), f"a mistake of {session.name}"))

    async def _hint(self, session: Session, key: ApiKey, request: HintRequest) -> JsonText:
        env = self._env_for_answers(session, key)
        return encode({"hint": await self._compute(lambda: env.hint(request.tier), f"a hint of {session.name}")})

    def _env_for_answers(self, session: Session, key: ApiKey) -> Any:
        """A copy of the session's Env, from which a thread may compute answers."""
        require_reveal(key)
        if session.position.score is not None:
            raise ServiceError("episode_over", "the episode is over; reset the session first")
        return copy.copy(session.env)

    async def _compute(self, function: Callable[[], Any], description: str) -> Any:
        return await self.thread_pool.run(function, self.settings.score_timeout_seconds, description)


def check_length(response: str, settings: Settings) -> None:
    """ServiceError if a response is too long."""
    limit = settings.max_response_chars
    if len(response) > limit:
        raise ServiceError("too_large", f"a response may have at most {limit} characters, got {len(response)}")
