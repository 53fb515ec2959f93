"""The routes under /v1 that play, draw, score and tell of environments."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from rlgym.serve import shapes, told
from rlgym.serve.desk import Desk
from rlgym.serve.errors import ServiceError
from rlgym.serve.keys import Key
from rlgym.serve.reply import Reply
from rlgym.serve.scoring import Scorer
from rlgym.serve.tasks import described, planned, sampled, some
from rlgym.serve.told import refusals

Id = Annotated[str, Path(min_length=1, max_length=200)]
Environment = Annotated[str, Path(min_length=1, max_length=200)]
Word = Annotated[str, Query(max_length=200)]
Kind = Annotated[Literal["", "environment", "game", "match"], Query()]

IMPORTS = 600.0  # seconds: importing every environment takes ten or so, and is done once
BUNCH = 16  # sampled tasks drawn in one go: others have their turn in between

GONE = ("unknown", "session_expired", "session_lost", "worker_lost")
MOVING = (*GONE, "busy", "too_slow")


def router(desk: Desk) -> APIRouter:
    """All of these routes."""
    made = APIRouter()
    _catalogue(made, desk)
    _tasks(made, desk)
    _batches(made, desk)
    _sessions(made, desk)
    _moves(made, desk)
    _answers(made, desk)
    return made


def _catalogue(made: APIRouter, desk: Desk) -> None:
    """The routes that tell of environments."""

    @made.get("/v1/environments", response_model=told.EnvironmentsTold, responses=refusals("too_slow"))
    async def environments(search: Word = "", domain: Word = "", kind: Kind = "") -> Response:
        """Environments of a domain and kind whose name, domain or title holds every word of `search`."""
        work = partial(desk.catalogue.listed, search, domain, kind)
        # The first list imports every environment.
        return Reply(work() if desk.catalogue.ready else await desk.threads.run(work, IMPORTS, "making the catalogue"))

    @made.get("/v1/environments/{name}", response_model=told.SpecTold, responses=refusals("unknown", "too_slow"))
    async def environment(name: Environment) -> Response:
        """All about one environment, its certificate among it."""
        return Reply(await desk.draw(partial(desk.catalogue.details, name), name))


def _tasks(made: APIRouter, desk: Desk) -> None:
    """The routes that draw tasks."""

    @made.post("/v1/tasks", response_model=told.TaskTold, responses=refusals("unknown", "too_slow"))
    async def task(ask: shapes.AskTask) -> Response:
        """A task as a player sees it."""
        return Reply(await desk.draw(partial(_described, desk, ask), ask.name))

    @made.post("/v1/tasks/sample", response_model=told.TasksTold, responses=refusals("unknown", "too_slow"))
    async def sample(request: Request, ask: shapes.AskSample) -> Response:
        """Tasks over environments, domains or patterns, no task twice."""
        _few(desk, ask.count, "tasks")
        slots = await desk.threads.run(partial(planned, ask), IMPORTS, "finding the environments")
        tasks, texts = sampled(ask, slots, desk.catalogue.tools), []
        # Half the time that a task may take, so that one begun at its end has as much again.
        work = partial(some, tasks, BUNCH, desk.settings.draw_seconds / 2)
        while few := await desk.draw(work, "a sample"):
            texts += few
            if await request.is_disconnected():
                break
        return Reply(f'{{"tasks":[{",".join(texts)}]}}')


def _batches(made: APIRouter, desk: Desk) -> None:
    """The routes that judge many responses at once."""
    scorer = Scorer(desk)

    @made.post("/v1/score", response_model=told.ScoresTold, responses=refusals("too_slow"))
    async def score(request: Request, ask: shapes.AskScore) -> Response:
        """Scores of responses to tasks or to rows of datasets."""
        _few(desk, len(ask.items), "items")
        return Reply(await scorer.judge(request.state.key, ask.items))

    @made.post("/v1/steps", response_model=told.StepsTold, responses=refusals("worker_lost"))
    async def steps(request: Request, ask: shapes.AskSteps) -> Response:
        """Steps of many sessions at once; two of the same session are taken in their order where none of them is slow."""
        _few(desk, len(ask.steps), "steps")
        return Reply(await desk.steps(request.state.key, ask.steps))


def _sessions(made: APIRouter, desk: Desk) -> None:
    """The routes that open, show and close sessions."""

    @made.post("/v1/sessions", status_code=201, response_model=told.View, responses=refusals("unknown", "draining", "too_slow"))
    async def open_session(request: Request, ask: shapes.AskTask) -> Response:
        """Open a session at the first turn of a task."""
        opening = shapes.AskOpen.model_construct(**ask.__dict__, keep=True)
        _, view = await desk.open(request.state.key, opening)
        return Reply(view, status_code=201)

    @made.get("/v1/sessions/{session}", response_model=told.Look, responses=refusals(*GONE))
    async def look(request: Request, session: Id) -> Response:
        """Where a session stands, its conversation, and the environment's log."""
        return await _asked(desk, request, "look", session, shapes.AskNothing())

    @made.delete("/v1/sessions/{session}", status_code=204, response_class=Response, responses=refusals(*GONE))
    async def close(request: Request, session: Id) -> Response:
        """Close a session."""
        await _asked(desk, request, "close", session, shapes.AskNothing())
        return Response(status_code=204)


def _moves(made: APIRouter, desk: Desk) -> None:
    """The routes that move sessions."""

    @made.post("/v1/sessions/{session}/reset", response_model=told.View, responses=refusals(*MOVING))
    async def reset(request: Request, session: Id, ask: shapes.AskReset) -> Response:
        """Begin another episode of the same environment."""
        return await _asked(desk, request, "reset", session, ask)

    @made.post("/v1/sessions/{session}/step", response_model=told.View, responses=refusals(*MOVING, "stale_turn", "episode_over"))
    async def step(request: Request, session: Id, ask: shapes.AskStep) -> Response:
        """Give the model's response."""
        return await _asked(desk, request, "step", session, ask)

    @made.post("/v1/sessions/{session}/snapshot", response_model=told.SnapshotTold, responses=refusals(*GONE))
    async def snapshot(request: Request, session: Id) -> Response:
        """Keep where the session stands."""
        return await _asked(desk, request, "snapshot", session, shapes.AskNothing())

    @made.post("/v1/sessions/{session}/restore", response_model=told.View, responses=refusals(*MOVING))
    async def restore(request: Request, session: Id, ask: shapes.AskRestore) -> Response:
        """Go back to a snapshot of this session."""
        return await _asked(desk, request, "restore", session, ask)

    @made.get("/v1/sessions/{session}/render", response_model=told.Svg | told.Plain, responses=refusals(*GONE, "too_slow"))
    async def render(request: Request, session: Id, mode: Literal["svg", "ansi"] = "svg") -> Response:
        """What the player sees now, as a picture, or the conversation as text."""
        return await _asked(desk, request, "render", session, shapes.AskRender(mode=mode))


def _answers(made: APIRouter, desk: Desk) -> None:
    """The routes for those who may see answers."""
    seeing: dict[str, Any] = {"responses": refusals(*GONE, "forbidden", "episode_over", "too_slow")}

    @made.post("/v1/sessions/{session}/oracle", response_model=told.ResponseTold, **seeing)
    async def oracle(request: Request, session: Id) -> Response:
        """What the oracle would say now."""
        return await _asked(desk, request, "oracle", session, shapes.AskNothing())

    @made.post("/v1/sessions/{session}/mistake", response_model=told.MistakeTold, **seeing)
    async def mistake(request: Request, session: Id, ask: shapes.AskMistake) -> Response:
        """A wrong answer that a tempted model would give now."""
        return await _asked(desk, request, "mistake", session, ask)

    @made.post("/v1/sessions/{session}/hint", response_model=told.HintTold, **seeing)
    async def hint(request: Request, session: Id, ask: shapes.AskHint) -> Response:
        """A hint."""
        return await _asked(desk, request, "hint", session, ask)


async def _asked(desk: Desk, request: Request, operation: str, session: str, ask: shapes.Asked) -> Reply:
    key: Key = request.state.key
    request.scope["session"] = session
    return Reply(await desk.ask(key, operation, session, ask))


def _described(desk: Desk, ask: shapes.AskTask) -> str:
    return described(ask, desk.catalogue.tools)


def _few(desk: Desk, count: int, what: str) -> None:
    if count > desk.settings.most_items:
        raise ServiceError("too_large", f"one request may hold {desk.settings.most_items} {what}, this one asks for {count}")
