"""The OpenEnv server of a recipe's environments."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from functools import partial
from typing import Any

from rlgym.adapters.openenv.environment import RlgymAction, RlgymEnvironment, RlgymObservation
from rlgym.core.packages import extra
from rlgym.dataset import Recipe

with extra("openenv"):
    from fastapi import HTTPException
    from openenv.core.env_server import create_app
    from openenv.core.env_server.types import ConcurrencyConfig
    from pydantic import BaseModel
    from starlette.types import ASGIApp, Receive, Scope, Send
    from starlette.websockets import WebSocketDisconnect

NAME = "rlgym"


class TaskRequest(BaseModel):
    """The body of a request of the Task API: a split, and an index or a range of indices."""

    split: str
    index: int | None = None
    start: int | None = None
    stop: int | None = None


def application(
    names: str | list[str] = "all", *, split: str | None = None, sessions: int = 64, session_timeout: float | None = 3600.0, **recipe: Any
) -> Any:
    """The server, as an application for uvicorn; the rest of a Recipe's fields may be given by name.

    split            only tasks of this split
    sessions         how many episodes may be open at once
    session_timeout  seconds after which an idle session is closed, so that a client that vanished frees its place; None: never
    """
    task_recipe = Recipe(names=names, **recipe)
    make = partial(RlgymEnvironment, task_recipe, split, itertools.count(task_recipe.seed))
    concurrency = ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=session_timeout)
    app = create_app(make, RlgymAction, RlgymObservation, env_name=NAME, concurrency_config=concurrency)
    app.add_middleware(_ClientsMayLeave)
    # Releases of OpenEnv without the Task API register no routes for it.
    if not any(getattr(route, "path", "") in ("/list_environments", "/{env_name}/splits") for route in app.routes):
        _add_task_routes(app, make)
    return app


class _ClientsMayLeave:
    """OpenEnv closes a WebSocket that its client has closed already, which raises; the episode is over then, so nothing is wrong."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.app(scope, receive, send)
        except WebSocketDisconnect:
            if scope["type"] != "websocket":
                raise


def _add_task_routes(app: Any, make: Callable[[], RlgymEnvironment]) -> None:
    """OpenEnv's Task API over HTTP, at the paths and with the bodies that its guide gives."""

    def answer(method: str, *given: Any) -> Any:
        try:
            return getattr(make(), method)(*given)
        except (IndexError, ValueError) as error:
            raise HTTPException(400, str(error)) from None

    @app.get("/list_environments", tags=["Task API"])
    def list_environments() -> list[str]:
        return [NAME]

    @app.get(f"/{NAME}/splits", tags=["Task API"])
    def splits() -> list[dict[str, str]]:
        known = ("train", "validation", "test")
        return [{"name": split, "type": split if split in known else "validation"} for split in answer("list_splits")]

    @app.post(f"/{NAME}/tasks", tags=["Task API"])
    def tasks(body: TaskRequest) -> dict[str, Any]:
        return {"tasks": answer("list_tasks", body.split), "env_name": NAME}

    @app.post(f"/{NAME}/num_tasks", tags=["Task API"])
    def num_tasks(body: TaskRequest) -> dict[str, int]:
        return {"num_tasks": answer("num_tasks", body.split)}

    @app.post(f"/{NAME}/task", tags=["Task API"])
    def task(body: TaskRequest) -> dict[str, Any]:
        if body.index is None:
            raise HTTPException(422, "the body needs `index`")
        return {"task": answer("get_task", body.split, body.index)}

    @app.post(f"/{NAME}/task_range", tags=["Task API"])
    def task_range(body: TaskRequest) -> dict[str, Any]:
        return {"tasks": answer("get_task_range", body.split, body.start, body.stop)}


def from_environment_variables() -> Any:
    """The server whose arguments RLGYM_OPENENV holds as JSON: what a container runs (`uvicorn --factory`)."""
    return application(**json.loads(os.environ.get("RLGYM_OPENENV", "{}")))
