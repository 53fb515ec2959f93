"""Environments for verifiers (and prime-rl): a taskset of rows, a harness that plays them, and the environment of both."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import rlgym
from rlgym.answers import Style
from rlgym.core.packages import extra
from rlgym.dataset import Session, TaskStream, from_task_json, sample, to_task_json
from rlgym.dataset.session import message_text

with extra("verifiers"):
    import openai
    import verifiers.v1 as vf
    from verifiers.v1.configs.harness import HarnessConfig


class RlgymData(vf.TaskData):
    """One row: its opening prompt, and the task JSON that scoring needs, which no model is shown."""

    id: str | None = None  # verifiers has it too, but not in the version that prime-rl pins
    task_json: str
    image_size: int = 0


class RlgymTask(vf.Task[RlgymData]):
    """Scores the turns that the model took. It needs the trace only, so that `vf-replay` gives the same rewards again."""

    @classmethod
    def of(cls, row: Mapping[str, Any], config: vf.TaskConfig | None = None, image_size: int = 0) -> RlgymTask:
        """The task of a row; RowError for a damaged one."""
        content = Session(row, image_size=image_size).content
        prompt: Any = content if isinstance(content, str) else [{"role": "user", "content": content}]
        data = RlgymData(id=row["id"], name=row["env"], prompt=prompt, task_json=to_task_json(row), image_size=image_size)
        return cls(data, config or vf.TaskConfig())

    @property
    def key(self) -> str:
        """The row's id: environment, version, seed and a hash of the knobs. It does not depend on the place in the taskset."""
        return str(self.data.id)

    @vf.reward
    async def right(self, trace: vf.Trace[Any, Any, Any]) -> float:
        """The score, from 0 to 1. A failure that is not the model's fault raises; the trace then counts as failed and has no reward."""
        row = from_task_json(self.data.task_json)
        turns = [message_text(message.model_dump(exclude_none=True)) for message in trace.assistant_messages]
        single = isinstance(rlgym.environment(row["env"]), rlgym.Environment)
        # Verifiers that run programs block, and a loop that serves many rollouts must not.
        score = await asyncio.to_thread(rlgym.score, row, (turns or [""])[-1] if single else turns)
        if score.masked:
            raise RuntimeError(f"the row {row['id']!r} cannot be scored: {score.reason}")
        rewards = [score.value] if single else await asyncio.to_thread(_turn_rewards, row, turns)
        trace.info["rlgym"] = score.to_dict() | {"turn_rewards": rewards}
        return score.value


def _turn_rewards(row: Mapping[str, Any], turns: list[str]) -> list[float]:
    """The reward of each turn of a many-turn row."""
    session = Session(row)
    for turn in turns:
        if not session.done:
            session.step(turn)
    return session.turn_rewards


class RlgymConfig(vf.TasksetConfig):
    """Which tasks: environments, domains or patterns, how many, at which levels, from which seed and split.

    With `count` None the tasks never end, and the taskset is one of verifiers' infinite ones. With an `image_size` above 0 the prompt has the
    task's picture too, where the environment draws one, as a PNG of so many pixels a side.
    """

    names: list[str] = ["all"]
    count: int | None = 1000
    levels: list[float] = [0.0, 0.25, 0.5, 0.75, 1.0]
    seed: int = 0
    split: str | None = None
    answer_style: Style = "tag"
    image_size: int = 0


class RlgymTaskset(vf.Taskset[RlgymTask, RlgymConfig]):
    """The tasks of a recipe, generated on request; endless if no count is given."""

    def __new__(cls, config: RlgymConfig | None = None) -> RlgymTaskset:
        """An EndlessTaskset where no count is given: prime-rl asks the class whether its tasks end. A copy is made without arguments."""
        return super().__new__(EndlessTaskset if config is not None and config.count is None else cls)

    def load(self) -> Iterator[RlgymTask]:
        """The tasks in order. The task at a position does not depend on what was taken before it."""
        config = self.config
        recipe = {"levels": config.levels, "seed": config.seed, "answer_style": config.answer_style, "split": config.split}
        rows = TaskStream(config.names, **recipe) if config.count is None else sample(config.names, config.count, **recipe)
        for row in rows:
            yield RlgymTask.of(row, config.task, config.image_size)


class EndlessTaskset(RlgymTaskset):
    """Tasks without an end."""

    INFINITE = True


class RlgymHarness(vf.Harness[HarnessConfig]):
    """Plays a row in this process: each turn is one call of the model, each observation the next message to it.

    If an environment has tools, the prompt describes them; the model may call them natively or write the calls into its text.
    """

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace[Any, Any, Any],
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        assert isinstance(data, RlgymData), "this harness plays tasks of RlgymTaskset only"
        session = Session(from_task_json(data.task_json), image_size=data.image_size)
        system, _ = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": session.content})
        more = {"tools": session.tools} if session.tools else {}
        async with openai.AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0, timeout=None) as client:
            while not session.done:
                try:
                    answer = await client.chat.completions.create(model=ctx.model, messages=messages, **more)
                except openai.OpenAIError as error:
                    # A limit that was reached comes here too; verifiers knows which of the two it was.
                    return vf.ProgramResult(1, "", f"{type(error).__name__}: {error}")
                messages.append(answer.choices[0].message.model_dump(exclude_none=True))
                messages += await asyncio.to_thread(session.step_message, messages[-1])
        # Scoring plays the turns again, which may well go right then, and find an episode without an end.
        if session.score is not None and session.score.masked:
            raise RuntimeError(f"the row {session.row['id']!r} cannot be scored: {session.score.reason}")
        return vf.ProgramResult(0, "", "")


class RlgymEnvConfig(vf.SingleAgentEnvConfig):
    """The one agent plays in this process, since nothing of what it says is run outside of rlgym's sandbox."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class RlgymEnv(vf.SingleAgentEnv, vf.Env[RlgymEnvConfig]):
    """One agent on one task; what rlgym has no say in is as in any environment of verifiers."""


PACKAGE = """\
from rlgym.adapters.verifiers import RlgymEnv, RlgymHarness, RlgymTaskset

__all__ = ["RlgymEnv", "RlgymHarness", "RlgymTaskset"]
"""

PROJECT = """\
[project]
name = "{name}"
version = "0.1.0"
description = "Verifiable tasks of rlgym as an environment of verifiers"
requires-python = ">=3.11"
dependencies = ["rlvrgym[verifiers]"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""


def write_package(folder: str | Path) -> str:
    """Write an environment package, as `vf-init` would; returns its id, which is the folder's name.

    verifiers finds environments by the name of a top-level package. Install the folder with pip, or put it on the path.
    """
    folder = Path(folder)
    package = folder.name.replace("-", "_").lower()
    (folder / package).mkdir(parents=True, exist_ok=True)
    (folder / package / "__init__.py").write_text(PACKAGE)
    (folder / "pyproject.toml").write_text(PROJECT.format(name=folder.name, package=package))
    return folder.name


__all__ = ["RlgymConfig", "RlgymEnv", "RlgymHarness", "RlgymTask", "RlgymTaskset", "write_package"]
