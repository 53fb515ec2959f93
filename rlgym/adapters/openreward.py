"""Environments for OpenReward: servers of the Open Reward Standard (ORS), whose tools are those of the task's world.

`python -m rlgym.adapters.openreward NAME ... --port PORT` serves environments with OpenReward's own server.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

import rlgym
from rlgym import RlgymError
from rlgym.answers import Tool, ToolCalls
from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, sample, to_task_json
from rlgym.dataset.session import tool_calls_text

with extra("openreward"):
    from openreward.environments import Environment, Server, TextBlock, ToolOutput, tool

TASK_JSON = "task_json"
OVER = "The episode is over."


class Response(BaseModel):
    """The one argument of the tool `respond`."""

    response: str = Field(description="the whole response, final answer included")


class RlgymEnvironment(Environment):
    """One environment of rlgym; `environment_class` makes a subclass with its tools. A task holds the task JSON of a row, never shown to the model."""

    rows: Mapping[str, Sequence[Mapping[str, Any]]] = {}
    title = ""

    def __init__(self, task_spec: Any = None, secrets: Any = None) -> None:
        super().__init__(task_spec or {}, secrets or {})
        self.row = from_task_json(str(self.task_spec.get(TASK_JSON)))
        if self.row["env"] != self.title:
            raise RlgymError(f"the task is of {self.row['env']!r}, and this environment is {self.title!r}")
        self.session = Session(self.row)
        self._turn = asyncio.Lock()

    @classmethod
    def name(cls) -> str:
        """The name in the server's paths."""
        return cls.title.replace(":", "_")

    @classmethod
    def list_splits(cls) -> list[str]:
        """The splits of the rows."""
        return list(cls.rows)

    @classmethod
    def list_tasks(cls, split: str) -> list[dict[str, str]]:
        """The tasks of a split."""
        return [{"id": row["id"], TASK_JSON: to_task_json(row)} for row in cls.rows[split]]

    def get_prompt(self) -> list[TextBlock]:
        """The task, without the line that asks for calls as text: here the protocol carries them."""
        limit = f"Each tool call is a turn. You have {self.session.max_turns} turns."
        return [TextBlock(text=f"{self.row['prompt']}\n\n{limit}" if self.session.tools else self.session.observation)]

    async def take_turn(self, response: str) -> ToolOutput:
        """Submit a turn; the reward of the last one completes the score. A verdict that says nothing about the model raises."""
        async with self._turn:  # the server runs calls of different tools at the same time
            observation = await asyncio.to_thread(self.session.step, response)
            score = self.session.score
            if score is not None and score.masked:
                raise RlgymError(f"the row {self.row['id']!r} could not be scored: {score.reason}")
            reward = self.session.turn_rewards[-1]
        metadata = {"score": score.to_dict()} if score is not None else None
        return ToolOutput(
            blocks=[TextBlock(text=OVER if score else observation)], reward=reward, finished=score is not None, metadata=metadata
        )


def environment_class(name: str, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> type[RlgymEnvironment]:
    """The environment `name` for OpenReward's `Server`. `rows` holds the rows of each split; RowError for a damaged one."""
    others = {row["env"] for split in rows.values() for row in split} - {name}
    if others or not any(rows.values()):
        raise RlgymError(f"the environment {name!r} needs rows of its own, got rows of {', '.join(sorted(others)) or 'nothing'}")
    for split in rows.values():
        for row in split:
            Session(row)
    answer = rlgym.environment(name).answer
    own = answer.tools if isinstance(answer, ToolCalls) else ()
    members: dict[str, Any] = {"rows": rows, "title": name}
    if own:
        functions = [schema["function"] for schema in answer.schemas()]  # type: ignore[attr-defined]
        members |= {function["name"]: _tool(function, cls) for function, cls in zip(functions, own, strict=True)}
    else:
        members["respond"] = _respond()
    return type(f"Rlgym_{name.replace(':', '_')}", (RlgymEnvironment,), members)


def _tool(function: Mapping[str, Any], arguments: type[Tool]) -> Any:
    """A method that OpenReward lists as a tool, with the arguments' own schema."""

    async def call(self: RlgymEnvironment, params: Any) -> ToolOutput:
        return await self.take_turn(tool_calls_text([(function["name"], params.model_dump(mode="json", exclude_unset=True))]))

    call.__name__, call.__doc__ = function["name"], function["description"]
    call.__annotations__ = {"params": arguments, "return": ToolOutput}
    return tool(call)


def _respond() -> Any:
    async def respond(self: RlgymEnvironment, params: Any) -> ToolOutput:
        """Submits the response to the task, or to the latest observation."""
        return await self.take_turn(params.response)

    respond.__annotations__ = {"params": Response, "return": ToolOutput}
    return tool(respond)


def environment_classes(names: str | list[str], count: int, **recipe: Any) -> list[type[RlgymEnvironment]]:
    """Environments with `count` rows over all of them in the split `train`; `recipe` as for `rlgym.dataset.sample`."""
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for row in sample(names, count, **recipe):
        by_name.setdefault(row["env"], []).append(row)
    return [environment_class(name, {"train": rows}) for name, rows in by_name.items()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m rlgym.adapters.openreward", description="Serve environments by the Open Reward Standard."
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="an environment, a domain or a pattern")
    parser.add_argument("--level", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="rows to serve")
    parser.add_argument("--port", type=int, default=8080, help="served at 127.0.0.1")
    given = parser.parse_args(arguments)
    import uvicorn

    served = environment_classes(given.names, given.count, levels=[given.level], seed=given.seed)
    uvicorn.run(Server(served).app, host="127.0.0.1", port=given.port)


if __name__ == "__main__":
    main()
