"""The routes without sessions: environments, tasks and scores."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from rlgym.serve.api.limits import check_batch_size
from rlgym.serve.protocol import requests, responses
from rlgym.serve.protocol.encoding import JsonText, JsonTextResponse, encode_list_field
from rlgym.serve.protocol.responses import error_responses
from rlgym.serve.sessions.scoring import BatchScorer
from rlgym.serve.sessions.service import SessionService
from rlgym.serve.sessions.tasks import encode_task, plan_sample, sample_tasks, take_batch

EnvironmentName = Annotated[str, Path(min_length=1, max_length=200)]
Filter = Annotated[str, Query(max_length=200)]
KindFilter = Annotated[Literal["", "environment", "game", "match"], Query()]

IMPORT_TIMEOUT_SECONDS = 600.0  # importing every environment takes some ten seconds and happens once
SAMPLE_CHUNK = 16  # sampled tasks per turn on a thread, so that other requests get their turn in between


def create_task_router(service: SessionService) -> APIRouter:
    """All routes without sessions."""
    router = APIRouter()
    _add_environment_routes(router, service)
    _add_task_routes(router, service)
    _add_score_route(router, service)
    return router


def _add_environment_routes(router: APIRouter, service: SessionService) -> None:
    @router.get("/v1/environments", response_model=responses.EnvironmentsResponse, responses=error_responses("timed_out"))
    async def list_environments(search: Filter = "", domain: Filter = "", kind: KindFilter = "") -> Response:
        """List the environments of a domain and kind whose name, domain or title contains every word of `search`."""
        find = partial(service.catalogue.search, search, domain, kind)
        if service.catalogue.is_built:
            return JsonTextResponse(find())
        return JsonTextResponse(await service.thread_pool.run(find, IMPORT_TIMEOUT_SECONDS, "building the catalogue"))

    spec_errors = error_responses("not_found", "timed_out")

    @router.get("/v1/environments/{name}", response_model=responses.EnvironmentResponse, responses=spec_errors)
    async def get_environment(name: EnvironmentName) -> Response:
        """Return the full specification of an environment with its certificate."""
        return JsonTextResponse(await service.generate(partial(service.catalogue.spec_json, name), name))


def _add_task_routes(router: APIRouter, service: SessionService) -> None:
    tools_of = service.catalogue.tools_json

    @router.post("/v1/tasks", response_model=responses.TaskResponse, responses=error_responses("not_found", "timed_out"))
    async def generate_task(body: requests.TaskRequest) -> Response:
        """Generate a task, as a player sees it."""
        return JsonTextResponse(await service.generate(partial(encode_task, body, tools_of), body.name))

    @router.post("/v1/tasks/sample", response_model=responses.TasksResponse, responses=error_responses("not_found", "timed_out"))
    async def sample(request: Request, body: requests.SampleRequest) -> Response:
        """Sample distinct tasks from environments, domains or patterns."""
        check_batch_size(service.settings, body.count, "tasks")
        slots = await service.thread_pool.run(partial(plan_sample, body), IMPORT_TIMEOUT_SECONDS, "importing the environments")
        remaining, tasks = sample_tasks(body, slots, tools_of), list[JsonText]()
        # Half of the time limit, so that a task that starts at its end still has the other half.
        next_tasks = partial(take_batch, remaining, SAMPLE_CHUNK, service.settings.generate_timeout_seconds / 2)
        while chunk := await service.generate(next_tasks, "a sample"):
            tasks += chunk
            if await request.is_disconnected():
                break
        return JsonTextResponse(encode_list_field("tasks", tasks))


def _add_score_route(router: APIRouter, service: SessionService) -> None:
    scorer = BatchScorer(service)

    @router.post("/v1/score", response_model=responses.ScoresResponse, responses=error_responses("timed_out"))
    async def score(request: Request, body: requests.ScoreRequest) -> Response:
        """Score responses to tasks or to dataset rows."""
        check_batch_size(service.settings, len(body.items), "items")
        return JsonTextResponse(await scorer.score(request.state.key, body.items))
