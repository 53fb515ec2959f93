"""Environments over OpenEnv's protocol: a server for any of them, its client, and the files of its container."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State

from rlgym.dataset import Recipe, Session, read_ticket, sample


class Say(Action):
    """The model's response."""

    message: str


class Heard(Observation):
    """What the model reads now. `outcome` and `reason` are empty until there is a score."""

    text: str
    id: str
    env: str
    turns_left: int
    tools: list[dict[str, Any]] = []
    outcome: str = ""
    reason: str = ""


class RlgymEnvironment(Environment[Say, Heard, State]):
    """One session's episode. `seeds` is shared by all sessions of a server, so that no two of them play the same task unasked."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, recipe: Recipe, split: str | None, seeds: Any) -> None:
        super().__init__()
        self._recipe, self._split, self._seeds = recipe, split, seeds
        self._session: Session | None = None
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, ticket: str | None = None, **_: Any) -> Heard:
        """Start the task of a seed (without one, the next of the server's own), or that of a row's ticket."""
        row = read_ticket(ticket) if ticket is not None else self._row(next(self._seeds) if seed is None else seed)
        self._session = Session(row)
        self._state = State(episode_id=episode_id or row["id"], step_count=0, env=row["env"])
        return self._heard()

    def step(self, action: Say, timeout_s: float | None = None, **_: Any) -> Heard:
        """Take the model's response. What is not the model's fault is raised: the client gets an error, and never a reward."""
        if self._session is None:
            raise RuntimeError("call reset before step")
        self._session.say(action.message)
        self._state.step_count += 1
        score = self._session.score
        if score is not None and score.masked:
            raise RuntimeError(f"the row {self._session.row['id']!r} cannot be scored: {score.reason}")
        return self._heard()

    @property
    def state(self) -> State:
        """How far the episode is; nothing of the answer."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server offers."""
        return EnvironmentMetadata(name="rlgym", description="Verifiable tasks: " + ", ".join(self._recipe.environments()), version="1")

    def _row(self, seed: int) -> Mapping[str, Any]:
        # A sample of one always takes the same environment; so the seed chooses it, and its level.
        known, levels = self._recipe.environments(), self._recipe.levels
        name, level = known[seed % len(known)], levels[seed // len(known) % len(levels)]
        knobs = {name: self._recipe.knobs[name]} if name in self._recipe.knobs else {}
        more: dict[str, Any] = {"knobs": knobs, "answer_style": self._recipe.answer_style, "splits": self._recipe.splits}
        return next(iter(sample(name, 1, levels=[level], seed=seed, split=self._split, **more)))

    def _heard(self) -> Heard:
        assert self._session is not None
        session, score = self._session, self._session.score
        return Heard(
            text=session.observation,
            id=session.row["id"],
            env=session.row["env"],
            turns_left=session.turns - self._state.step_count,
            tools=session.tools,
            done=session.done,
            reward=None if score is None else score.value,
            outcome="" if score is None else score.outcome.value,
            reason="" if score is None else score.reason,
        )


def application(names: str | list[str] = "all", *, split: str | None = None, sessions: int = 64, **recipe: Any) -> Any:
    """The server, as an application for uvicorn; the rest of a Recipe's fields may be given by name."""
    made = Recipe(names=names, **recipe)
    make = partial(RlgymEnvironment, made, split, itertools.count(made.seed))
    return create_app(make, Say, Heard, env_name="rlgym", max_concurrent_envs=sessions)


def from_surroundings() -> Any:
    """The server whose arguments RLGYM_OPENENV holds as JSON: what a container runs (`uvicorn --factory`)."""
    return application(**json.loads(os.environ.get("RLGYM_OPENENV", "{}")))


class RlgymEnv(EnvClient[Say, Heard, State]):
    """The client. `reset(seed=...)` or `reset(ticket=...)`, then `step(Say(message=...))` until it is done."""

    def _step_payload(self, action: Say) -> dict[str, Any]:
        return {"message": action.message}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Heard]:
        done, reward = payload.get("done", False), payload.get("reward")
        return StepResult(observation=Heard(**payload["observation"], done=done, reward=reward), reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


DOCKERFILE = """\
FROM python:3.11-slim
RUN useradd --create-home player && pip install --no-cache-dir "rlvrgym[openenv]=={version}"
USER player
ENV RLGYM_OPENENV='{arguments}'
EXPOSE 8000
HEALTHCHECK CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health')"
CMD ["uvicorn", "--factory", "rlgym.adapters.openenv:from_surroundings", "--host", "0.0.0.0", "--port", "8000"]
"""

APP = '''\
"""The server of this environment."""

import json

import uvicorn

from rlgym.adapters.openenv import application

app = application(**json.loads({arguments!r}))


def main(host: str = "0.0.0.0", port: int = 8000) -> None:
    """Serve until interrupted."""
    uvicorn.run(app, host=host, port=port)


if __name__ == "__main__":
    main()
'''

PROJECT = """\
[project]
name = "openenv-{name}"
version = "0.1.0"
description = "Verifiable tasks of rlgym over OpenEnv"
requires-python = ">=3.11"
dependencies = ["rlvrgym[openenv]=={version}", "openenv-core>=0.3"]

[project.scripts]
server = "server.app:main"

[build-system]
requires = ["setuptools>=80"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
packages = ["server"]
"""

MANIFEST = """\
spec_version: 1
name: {name}
type: space
runtime: fastapi
app: server.app:app
port: 8000
"""


def write_container(folder: str | Path, names: str | list[str] = "all", **arguments: Any) -> Path:
    """Write an environment folder as `openenv init` would: Dockerfile, manifest, project and server. Its name is the environment's."""
    from rlgym import __version__

    folder = Path(folder)
    given = json.dumps({"names": names, **arguments})
    if "'" in given:
        raise ValueError(f"the arguments go into a container file and must hold no single quote, got {given}")
    application(**json.loads(given))  # refuses what no server would start with
    (folder / "server").mkdir(parents=True, exist_ok=True)
    files = {
        "server/Dockerfile": DOCKERFILE.format(version=__version__, arguments=given),
        "server/__init__.py": "",
        "server/app.py": APP.format(arguments=given),
        "pyproject.toml": PROJECT.format(version=__version__, name=folder.name),
        "openenv.yaml": MANIFEST.format(name=folder.name),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


__all__ = ["Heard", "RlgymEnv", "RlgymEnvironment", "Say", "application", "from_surroundings", "write_container"]
