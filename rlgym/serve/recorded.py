"""Samples of environments with all that the service answers about them, recorded for a page that has no service.

Of each sample there is a tree: at its root the task, from it the oracle's way to the end and, beside it, what mistakes lead to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from typing import Any

from rlgym import RlgymError
from rlgym.serve.app import application
from rlgym.serve.desk import Desk
from rlgym.serve.errors import ServiceError
from rlgym.serve.keys import EVERYBODY
from rlgym.serve.settings import Settings
from rlgym.serve.shapes import AskOpen, AskTask
from rlgym.serve.tasks import described

PATIENCE = 600.0
"""Seconds for a task or a verdict: other work on the machine must not end a build."""
MISTAKES = 4
MOST_TURNS = 400
MOST_WRONG_TURNS = 40
TIERS = ("concept", "plan", "partial", "solution")
KEPT = "observation turn turns done reward terminated truncated feedback score masked".split()
"""What of a view differs between the turns of an episode."""
LISTED = "name id domain kind title derived shift picture".split()


class RecordError(RlgymError):
    """The service refused something that a sample needs."""


async def record(names: Iterable[str], levels: Iterable[float], seeds: Iterable[int]) -> dict[str, dict[str, Any]]:
    """By name what the page is to know of each environment. RecordError, with its name, where one fails."""
    desk: Desk = application(Settings(page=False, draw_seconds=PATIENCE, judge_seconds=PATIENCE)).state.desk
    asks, out = [(level, seed) for level in levels for seed in seeds], {}
    try:
        for name in names:
            spec = json.loads(desk.catalogue.details(name))
            samples = [await _sample(desk, AskOpen(name=name, level=level, seed=seed), spec) for level, seed in asks]
            out[name] = {"environment": spec, "samples": samples}
    finally:
        desk.threads.close()
    return out


def entry(spec: dict[str, Any]) -> dict[str, Any]:
    """The line of an environment in the list, from all that is known of it."""
    return {"format": spec["answer"]["format"], **{part: spec[part] for part in LISTED}}


async def _sample(desk: Desk, ask: AskOpen, spec: dict[str, Any]) -> dict[str, Any]:
    what = f"{ask.name} (level {ask.level:g}, seed {ask.seed})"
    try:
        # A task is described as it is to whoever only looks at it.
        task = await desk.draw(partial(described, AskTask.model_validate(ask.model_dump(exclude={"keep"})), desk.catalogue.tools), ask.name)
        tree = Tree(desk, what, spec["pictures"])
        await tree.open(ask)
        await tree.oracle()
        await (tree.mistakes() if spec["kind"] == "environment" else tree.mistaken())
        await tree.close()
    except RecordError:
        raise
    except Exception as error:
        raise RecordError(f"{what} could not be recorded: {type(error).__name__}: {error}") from error
    return {"level": ask.level, "seed": ask.seed, "split": "main", "task": json.loads(task), "nodes": tree.nodes}


class Tree:
    """The positions of one sample that have been visited, the first one first, and the session that visits them."""

    def __init__(self, desk: Desk, what: str, drawn: bool) -> None:
        self.nodes: list[dict[str, Any]] = []
        self._desk, self._what, self._drawn = desk, what, drawn
        self._session = self._start = ""
        self._at = self._events = 0

    async def open(self, ask: AskOpen) -> None:
        """Begin at the root."""
        self._session, view = await self._desk.open(EVERYBODY, ask)
        self._start = (await self._asked("snapshot"))["snapshot"]
        hints = {tier: await self._hint(tier) for tier in TIERS}
        self.nodes.append({"view": _kept(json.loads(view)), "hints": {tier: said for tier, said in hints.items() if said}})

    async def oracle(self) -> None:
        """Play as the oracle does, from the root to the end."""
        while not self._done and len(self.nodes) <= MOST_TURNS:
            response = (await self._asked("oracle"))["response"]
            self.nodes[self._at]["oracle"] = response
            await self._step(response)
        end = self.nodes[self._at]["view"]
        if not end["done"] or end["score"]["outcome"] != "right":
            said = f"{end['score']['outcome']}: {end['score']['reason']}" if end["done"] else f"no end after {MOST_TURNS} turns"
            raise RecordError(f"{self._what} could not be recorded: the oracle's answer is not judged right, but {said}")

    async def mistakes(self) -> None:
        """Make each of the first mistakes at the root."""
        of, number = 1, 0
        while number < min(of, MISTAKES):
            await self._restart()
            made = await self._mistake(number)
            if made is None:
                return
            of, number = made["of"], number + 1
            self.nodes[0].setdefault("mistakes", []).append(made["response"])
            await self._step(made["response"])

    async def mistaken(self) -> None:
        """Make the first mistake at every turn, from the root on."""
        await self._restart()
        for _ in range(MOST_WRONG_TURNS):
            made = None if self._done else await self._mistake(0)
            if made is None:
                return
            self.nodes[self._at]["mistakes"] = [made["response"]]
            await self._step(made["response"])

    async def close(self) -> None:
        """Let the session go."""
        await self._desk.asked(EVERYBODY, "close", self._session, {})

    @property
    def _done(self) -> bool:
        return bool(self.nodes[self._at]["view"]["done"])

    async def _restart(self) -> None:
        await self._asked("restore", snapshot=self._start)
        self._at = self._events = 0

    async def _step(self, response: str) -> None:
        """Go on by a response, to a node that is new or was there."""
        ways = self.nodes[self._at].setdefault("next", {})
        view = await self._asked("step", response=response)
        node: dict[str, Any] = {"view": _kept(view)}
        if view["turns"] > 1:
            events = (await self._asked("look"))["events"]
            node["events"], self._events = events[self._events :], len(events)
        if response not in ways:
            if self._drawn and view["turns"] > 1:
                node["svg"] = (await self._asked("render", mode="svg"))["svg"]
            ways[response] = len(self.nodes)
            self.nodes.append(node)
        self._at = ways[response]

    async def _mistake(self, which: int) -> dict[str, Any] | None:
        """A mistake, or None where none is listed."""
        found: dict[str, Any] | None = await self._listed("mistake", which=which)
        return found

    async def _hint(self, tier: str) -> str:
        """A hint, empty where there is none of this kind."""
        found = await self._listed("hint", tier=tier)
        return str(found["hint"]) if found else ""

    async def _listed(self, operation: str, **fields: Any) -> Any:
        try:
            return await self._asked(operation, **fields)
        except ServiceError as error:
            if error.code == "unknown":
                return None
            raise

    async def _asked(self, operation: str, **fields: Any) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(await self._desk.asked(EVERYBODY, operation, self._session, fields))
        return told


def _kept(view: dict[str, Any]) -> dict[str, Any]:
    return {part: view[part] for part in KEPT}
