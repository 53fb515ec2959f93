"""The routes of sessions: /v1/sessions and /v1/steps."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response

from rlgym.serve.access.keys import ApiKey
from rlgym.serve.api.limits import check_batch_size
from rlgym.serve.protocol import requests, responses
from rlgym.serve.protocol.encoding import JsonTextResponse
from rlgym.serve.protocol.responses import error_responses
from rlgym.serve.sessions.service import SessionService

SessionId = Annotated[str, Path(min_length=1, max_length=200)]

SESSION_ERRORS = ("not_found", "session_expired", "session_lost", "worker_lost")
MOVE_ERRORS = (*SESSION_ERRORS, "session_busy", "timed_out")
ANSWER_ERRORS = (*SESSION_ERRORS, "forbidden", "episode_over", "timed_out")


def create_session_router(service: SessionService) -> APIRouter:
    """All routes of sessions."""
    router = APIRouter(tags=["sessions"])
    _add_lifecycle_routes(router, service)
    _add_move_routes(router, service)
    _add_answer_routes(router, service)
    return router


def _add_lifecycle_routes(router: APIRouter, service: SessionService) -> None:
    opened = error_responses("not_found", "draining", "timed_out")

    @router.post("/v1/sessions", status_code=201, response_model=responses.SessionView, responses=opened)
    async def open_session(request: Request, body: requests.TaskRequest) -> Response:
        """Open a session at the first turn of a task. Returns a session view."""
        open_request = requests.OpenRequest.model_construct(**body.__dict__, persistent=True)
        _, view = await service.open(request.state.key, open_request)
        return JsonTextResponse(view, status_code=201)

    @router.get("/v1/sessions/{session}", response_model=responses.SessionDetail, responses=error_responses(*SESSION_ERRORS))
    async def get_session(request: Request, session: SessionId) -> Response:
        """Return the session view with the transcript and the event log."""
        return await _dispatch(service, request, "get", session, requests.EmptyRequest())

    @router.delete("/v1/sessions/{session}", status_code=204, response_class=Response, responses=error_responses(*SESSION_ERRORS))
    async def close_session(request: Request, session: SessionId) -> Response:
        """Close a session."""
        await _dispatch(service, request, "close", session, requests.EmptyRequest())
        return Response(status_code=204)


def _add_move_routes(router: APIRouter, service: SessionService) -> None:
    moved = error_responses(*MOVE_ERRORS)

    @router.post("/v1/sessions/{session}/reset", response_model=responses.SessionView, responses=moved)
    async def reset(request: Request, session: SessionId, body: requests.ResetRequest) -> Response:
        """Start the next episode of the same environment. Returns a session view."""
        return await _dispatch(service, request, "reset", session, body)

    stepped = error_responses(*MOVE_ERRORS, "stale_turn", "episode_over")

    @router.post("/v1/sessions/{session}/step", response_model=responses.SessionView, responses=stepped)
    async def step(request: Request, session: SessionId, body: requests.StepRequest) -> Response:
        """Step the episode with a model response. Returns a session view."""
        return await _dispatch(service, request, "step", session, body)

    @router.post("/v1/steps", response_model=responses.BatchStepResponse, responses=error_responses("worker_lost"))
    async def step_batch(request: Request, body: requests.BatchStepRequest) -> Response:
        """Step many sessions. Two fast steps of the same session are taken in order."""
        check_batch_size(service.settings, len(body.steps), "steps")
        return JsonTextResponse(await service.step_batch(request.state.key, body.steps))

    @router.post("/v1/sessions/{session}/snapshot", response_model=responses.SnapshotResponse, responses=error_responses(*SESSION_ERRORS))
    async def snapshot(request: Request, session: SessionId) -> Response:
        """Save the state of the episode."""
        return await _dispatch(service, request, "snapshot", session, requests.EmptyRequest())

    @router.post("/v1/sessions/{session}/restore", response_model=responses.SessionView, responses=moved)
    async def restore(request: Request, session: SessionId, body: requests.RestoreRequest) -> Response:
        """Restore a snapshot of this session. Returns a session view."""
        return await _dispatch(service, request, "restore", session, body)

    rendered: dict[str, Any] = {"responses": error_responses(*SESSION_ERRORS, "timed_out")}

    @router.get("/v1/sessions/{session}/render", response_model=responses.SvgResponse | responses.TextResponse, **rendered)
    async def render(request: Request, session: SessionId, mode: Literal["svg", "ansi"] = "svg") -> Response:
        """Draw what the player currently sees, or return the transcript as text."""
        return await _dispatch(service, request, "render", session, requests.RenderRequest(mode=mode))


def _add_answer_routes(router: APIRouter, service: SessionService) -> None:
    answered: dict[str, Any] = {"responses": error_responses(*ANSWER_ERRORS)}

    @router.post("/v1/sessions/{session}/oracle", response_model=responses.OracleResponse, **answered)
    async def oracle(request: Request, session: SessionId) -> Response:
        """Return the oracle's response at this turn. Requires a key that may see answers."""
        return await _dispatch(service, request, "oracle", session, requests.EmptyRequest())

    @router.post("/v1/sessions/{session}/mistake", response_model=responses.MistakeResponse, **answered)
    async def mistake(request: Request, session: SessionId, body: requests.MistakeRequest) -> Response:
        """Return a plausible wrong response at this turn. Requires a key that may see answers."""
        return await _dispatch(service, request, "mistake", session, body)

    @router.post("/v1/sessions/{session}/hint", response_model=responses.HintResponse, **answered)
    async def hint(request: Request, session: SessionId, body: requests.HintRequest) -> Response:
        """Return a hint. Requires a key that may see answers."""
        return await _dispatch(service, request, "hint", session, body)


async def _dispatch(service: SessionService, request: Request, operation: str, session: str, body: requests.Request) -> JsonTextResponse:
    key: ApiKey = request.state.key
    request.scope["session"] = session
    return JsonTextResponse(await service.dispatch(key, operation, session, body))
