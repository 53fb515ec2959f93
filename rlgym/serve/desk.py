"""All operations on episodes, whichever way they are asked for; answers are JSON texts."""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from pydantic import BaseModel

import rlgym
from rlgym.serve import revealed
from rlgym.serve.catalogue import Catalogue
from rlgym.serve.errors import ServiceError, as_service_error, read
from rlgym.serve.keys import Key, Quotas, spend
from rlgym.serve.logs import Log
from rlgym.serve.metrics import Metrics
from rlgym.serve.reply import encode
from rlgym.serve.sessions import Session, Store, lost
from rlgym.serve.settings import Settings
from rlgym.serve.shapes import AskHint, AskMistake, AskNothing, AskOpen, AskRender, AskReset, AskRestore, AskStep
from rlgym.serve.tasks import opened, origin
from rlgym.serve.threads import Threads

Elsewhere = Callable[[Key, str, str, dict[str, Any]], Awaitable[str]]
"""(key, operation, session, fields) -> the answer of the worker that holds the session, as JSON; ServiceError where it refuses."""

LIGHT_TEXT = 20_000
BUNCH = 64

OPERATIONS: dict[str, type[BaseModel]] = {
    "reset": AskReset,
    "step": AskStep,
    "snapshot": AskNothing,
    "restore": AskRestore,
    "render": AskRender,
    "oracle": AskNothing,
    "mistake": AskMistake,
    "hint": AskHint,
    "look": AskNothing,
    "close": AskNothing,
}
"""What may be asked of a session, and with which fields."""


QUICK = ("look", "snapshot", "restore", "close")
"""Operations that never wait."""


async def nowhere(key: Key, operation: str, session: str, fields: dict[str, Any]) -> str:
    """What is done about other workers' sessions where there are no other workers."""
    raise lost()


class Desk:
    """The operations of one worker. `elsewhere` is asked for the sessions of other workers."""

    def __init__(
        self, settings: Settings, quotas: Quotas, metrics: Metrics, threads: Threads, log: Log, clock: Callable[[], float]
    ) -> None:
        self.settings, self.quotas, self.metrics, self.threads, self.log = settings, quotas, metrics, threads, log
        self.catalogue = Catalogue(settings)
        self.store = Store(settings, quotas, clock)
        self.elsewhere: Elsewhere = nowhere
        self.draining = False
        self._slow: dict[str, float] = {}
        self._acts: dict[str, Callable[[Session, Key, Any], Awaitable[str]]] = {
            operation: getattr(self, f"_{operation}") for operation in OPERATIONS
        }

    async def ask(self, key: Key, operation: str, session: str, fields: BaseModel) -> str:
        """Do an operation on a session, here or where it lives."""
        if not self.store.mine(session):
            return await self.elsewhere(key, operation, session, fields.model_dump(exclude_unset=True))
        return await self._acts[operation](self.store.find(session, key), key, fields)

    async def asked(self, key: Key, operation: str, session: str, fields: dict[str, Any]) -> str:
        """`ask` with fields that are still to be read: what another worker passes on."""
        if operation not in OPERATIONS:
            raise ServiceError("invalid", f"there is no operation {operation!r}; there are {', '.join(OPERATIONS)}")
        return await self._acts[operation](self.store.find(session, key), key, read(OPERATIONS[operation], fields))

    async def open(self, key: Key, ask: AskOpen) -> tuple[str, str]:
        """Open a session; returns its id and its view."""
        if self.draining:
            raise ServiceError("draining", "this server is about to stop: open the session elsewhere, or later", retry_after=5)
        self.store.admit(key)
        try:
            env, _ = await self.draw(partial(opened, ask), ask.name)
            tools = self.catalogue.tools(env.name)
        except BaseException:
            self.store.dismiss(key.name)
            raise
        session = self.store.add(key, env, ask.name, ask.split, _facts(env, ask.name, ask.split, tools))
        self.metrics.sessions.set(len(self.store))
        return session.id, self.view(session, key, prompt=True)

    async def draw(self, work: Callable[[], Any], name: str) -> Any:
        """Do in a thread what makes tasks of an environment."""
        return await self.threads.run(work, self.settings.draw_seconds, f"making a task of {name[:100]}")

    async def steps(self, key: Key, given: list[dict[str, Any]]) -> str:
        """Steps of many sessions; one that is refused is an error in its place."""
        told: list[str] = []
        for first in range(0, len(given), BUNCH):
            told += await asyncio.gather(*(self._one(key, fields) for fields in given[first : first + BUNCH]))
            await asyncio.sleep(0)
        return f'{{"results":[{",".join(told)}]}}'

    async def _one(self, key: Key, fields: dict[str, Any]) -> str:
        try:
            session = fields.get("session")
            if not isinstance(session, str):
                raise ServiceError("invalid", "session: must be a string")
            step = read(AskStep, {name: value for name, value in fields.items() if name != "session"})
            return await self.ask(key, "step", session, step)
        except Exception as error:
            refused = as_service_error(error)
            if refused.code == "broken":
                self.log.broken(error, route="/v1/steps")
            self.metrics.refused.labels(refused.code).inc()
            return encode({"error": refused.to_dict()})

    def view(self, session: Session, key: Key, prompt: bool = False) -> str:
        """Where a session stands, as JSON. The prompt stays the same through an episode, so it is told at its beginning only."""
        position = session.position
        score = position.score
        told = encode(
            {
                "session": session.id,
                "observation": position.observation,
                "turn": position.turn,
                "turns": position.limit,
                "done": score is not None,
                "reward": 0.0 if score is None else score.value,
                "terminated": score is not None,
                "truncated": False,
                "feedback": position.feedback,
                "score": None if score is None else scored(score, key),
                "masked": score is not None and score.masked,
                "expires_in": self.store.seconds_left(session),
                **({"prompt": position.task.prompt} if prompt else {}),
            }
        )
        return f"{told[:-1]},{session.facts}"

    def at_once(self, operation: str, number: str, ask: Any) -> bool:
        """Whether an operation would be answered without waiting for anything."""
        session = self.store.peek(number)
        return session is not None and (operation in QUICK or (operation == "step" and self._light(session, ask.response)))

    def drop(self, number: str) -> None:
        """Close a session whose client is gone."""
        if (session := self.store.peek(number)) is not None:
            self.store.close(session)
            self.metrics.sessions.set(len(self.store))

    def sweep(self) -> None:
        """Close the sessions that nobody used for too long."""
        if self.store.sweep():
            self.metrics.sessions.set(len(self.store))
        self.metrics.stuck.set(self.threads.stuck)

    async def _look(self, session: Session, key: Key, ask: AskNothing) -> str:
        # What another player did may be hidden from the model for now; what it may know of it, observations say.
        events = [
            {"turn": event.turn, "kind": event.kind, "what": event.what}
            for event in session.env.events
            if key.reveal or event.kind != "opponent"
        ]
        return f"{encode({'messages': session.env.messages, 'events': events})[:-1]},{self.view(session, key, prompt=True)[1:]}"

    async def _close(self, session: Session, key: Key, ask: AskNothing) -> str:
        self.store.close(session)
        self.metrics.sessions.set(len(self.store))
        return "{}"

    async def _reset(self, session: Session, key: Key, ask: AskReset) -> str:
        options = {name: value for name, value in (("level", ask.level), ("knobs", ask.knobs)) if value is not None}
        _free(session)
        env = copy.copy(session.env)
        session.busy = True
        try:
            await self.draw(lambda: env.reset(seed=ask.seed, options=options or None), session.name)
        finally:
            session.busy = False
        session.env = env
        session.measure()
        session.facts = _facts(env, session.name, session.split, self.catalogue.tools(env.name))
        return self.view(session, key, prompt=True)

    async def _step(self, session: Session, key: Key, ask: AskStep) -> str:
        position, text = session.position, ask.response
        check_text(text, self.settings)
        _free(session)
        if ask.turn is not None and ask.turn != position.turn:
            raise ServiceError("stale_turn", f"the episode is at turn {position.turn}, not at turn {ask.turn}: look before the next step")
        if position.score is not None:
            raise ServiceError("episode_over", "the episode is over: reset the session before the next step")
        if session.length + len(text) > self.settings.max_transcript:
            raise ServiceError("too_large", f"a conversation may have {self.settings.max_transcript} characters: reset the session")
        spend(self.quotas, key, "steps")
        if self._light(session, text):
            self._timed(session.env, text)
        else:
            await self._step_in_thread(session, text)
        session.length += len(text) + len(session.position.observation)
        self.metrics.steps.inc()
        if (score := session.position.score) is not None:
            self.metrics.scores.labels(score.outcome.value).inc()
        return self.view(session, key)

    async def _step_in_thread(self, session: Session, text: str) -> None:
        # The thread moves a copy: if it is given up, the session stays where it was.
        env, session.busy = copy.copy(session.env), True
        try:
            await self.threads.run(lambda: self._timed(env, text), self.settings.judge_seconds, f"judging a step of {session.name}")
        finally:
            session.busy = False
        session.env = env

    def _light(self, session: Session, text: str) -> bool:
        """Whether a step is so short that it is made at once. The first steps of an environment show how long its steps take."""
        declared = session.env.declared
        if len(text) > LIGHT_TEXT or getattr(declared, "sandbox", None) is not None:
            return False
        return self._slow.get(session.env.name, 1.0) < self.settings.light_seconds

    def _timed(self, env: Any, text: str) -> None:
        """Take a step, and remember how much work the slowest of late was."""
        began = time.thread_time()
        env.step(text)
        took = time.thread_time() - began
        before = self._slow.get(env.name)
        self._slow[env.name] = took if before is None else max(took, before * 0.9)

    async def _snapshot(self, session: Session, key: Key, ask: AskNothing) -> str:
        return encode({"snapshot": session.keep(self.settings.snapshots, 4 * self.settings.max_transcript)})

    async def _restore(self, session: Session, key: Key, ask: AskRestore) -> str:
        _free(session)
        if ask.snapshot not in session.snapshots:
            raise ServiceError("unknown", f"this session keeps no snapshot of this name; it keeps the newest {self.settings.snapshots}")
        session.env.restore(session.snapshots[ask.snapshot][0])
        session.measure()
        session.facts = _facts(session.env, session.name, session.split, self.catalogue.tools(session.env.name))
        return self.view(session, key, prompt=True)

    async def _render(self, session: Session, key: Key, ask: AskRender) -> str:
        env = copy.copy(session.env)
        env.render_mode = ask.mode
        shown = await self._judge(env.render, session)
        return encode({"svg" if ask.mode == "svg" else "text": shown})

    async def _oracle(self, session: Session, key: Key, ask: AskNothing) -> str:
        env = self._revealing(session, key)
        return encode({"response": await self._judge(env.oracle, session)})

    async def _mistake(self, session: Session, key: Key, ask: AskMistake) -> str:
        env = self._revealing(session, key)
        return encode(await self._judge(lambda: revealed.mistake(env, ask.which), session))

    async def _hint(self, session: Session, key: Key, ask: AskHint) -> str:
        env = self._revealing(session, key)
        return encode({"hint": await self._judge(lambda: env.hint(ask.tier), session)})

    def _revealing(self, session: Session, key: Key) -> Any:
        """A copy of the session's Env that another thread may ask for answers."""
        if not key.reveal:
            raise ServiceError("forbidden", "this key may not see answers")
        if session.position.score is not None:
            raise ServiceError("episode_over", "the episode is over: there is nothing left to answer")
        return copy.copy(session.env)

    async def _judge(self, work: Callable[[], Any], session: Session) -> Any:
        return await self.threads.run(work, self.settings.judge_seconds, f"working out an answer of {session.name}")


def scored(score: rlgym.Score, key: Key) -> dict[str, Any]:
    """A score as clients read it. What a broken verifier said may hold the task's data, so few may read it."""
    told = {**score.to_dict(), "masked": score.masked}
    return {**told, "reason": "the answer could not be judged"} if score.masked and not key.reveal else told


def check_text(text: str, settings: Settings) -> None:
    """ServiceError for a response that is too long."""
    if len(text) > settings.max_text:
        raise ServiceError("too_large", f"a response may have {settings.max_text} characters, this one has {len(text)}")


def _free(session: Session) -> None:
    if session.busy:
        raise ServiceError("busy", "another request of this session is under way: wait for its answer", retry_after=0.1)


def _facts(env: Any, name: str, split: str, tools: str) -> str:
    """The end of every view of an episode, as JSON."""
    return f'"tools":{tools},"task":{encode(origin(env, name, split))}}}'
