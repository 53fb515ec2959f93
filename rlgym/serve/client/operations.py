"""The client's operations outside of a single episode, without I/O."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rlgym import Score
from rlgym.serve.client import calls
from rlgym.serve.client.calls import BatchStep, Call, drop_none
from rlgym.serve.client.env_core import EnvCore, EnvSpec, StepResult
from rlgym.serve.client.errors import InvalidRequest, InvalidResponse, ServiceError, parse_error
from rlgym.serve.client.models import RemoteTask, TaskView, parse_score, parse_session_view, parse_task_view
from rlgym.serve.client.sans_io import RetryPolicy, SansIO, call_with_retries

BATCH_SIZE = 256
"""Items per request; longer lists are split."""

ScoreItem = tuple[Any, str | Sequence[str]]
"""A task (one that this client generated, a mapping with name and seed, or a dataset row) and the response to it."""

RECHECKED_CODES = {"session_lost", "session_expired", "session_busy", "stale_turn", "episode_over", "not_found"}
"""Errors of a batched step that the step is repeated for on its own: retrying or recovering the session may resolve them."""


def get_field(call: Call, name: str, policy: RetryPolicy) -> SansIO[Any]:
    """One field of a response."""
    body = yield from call_with_retries(call, policy)
    if not isinstance(body, dict) or name not in body:
        raise InvalidResponse(f"expected a response with {name!r}, got {str(body)[:200]!r}")
    return body[name]


def generate_task(spec: EnvSpec, seed: int, policy: RetryPolicy) -> SansIO[TaskView]:
    """The task with this seed."""
    fields = spec.open_fields(seed, None)
    fields.pop("persistent", None)
    return parse_task_view((yield from call_with_retries(calls.generate_task(fields), policy)))


def sample_tasks(fields: Mapping[str, Any], policy: RetryPolicy) -> SansIO[list[TaskView]]:
    """Tasks as `rlgym.dataset.sample` samples them."""
    return [parse_task_view(body) for body in (yield from get_field(calls.sample_tasks(fields), "tasks", policy))]


def score(items: Iterable[ScoreItem], answer_style: str | None, policy: RetryPolicy) -> SansIO[list[Score | ServiceError]]:
    """The score of each item in order, or its error."""
    fields = [score_item_fields(task, response, answer_style) for task, response in items]
    scores: list[Score | ServiceError] = []
    for start in range(0, len(fields), BATCH_SIZE):
        batch = fields[start : start + BATCH_SIZE]
        bodies = yield from get_field(calls.score(batch), "scores", policy)
        if len(bodies) != len(batch):
            raise InvalidResponse(f"sent {len(batch)} items, received {len(bodies)} scores")
        scores += [parse_error(body["error"]) if "error" in body else parse_score(body) for body in bodies]
    return scores


def score_item_fields(task: Any, response: str | Sequence[str], answer_style: str | None) -> dict[str, Any]:
    """One item of a score request."""
    turns = response if isinstance(response, str) else list(response)
    if isinstance(task, TaskView):
        task = task.task
    if isinstance(task, Mapping) and "env" in task:
        return {"row": dict(task), "response": turns}
    if isinstance(task, Mapping) and "name" in task:
        return {"task": {**drop_none(answer_style=answer_style), **task}, "response": turns}
    if isinstance(task, RemoteTask):
        origin = task.origin
        fields = {"name": origin.name, "version": origin.version, "seed": origin.seed, "level": origin.level}
        return {"task": {**fields, "knobs": dict(origin.knobs), **drop_none(answer_style=answer_style)}, "response": turns}
    raise InvalidRequest(
        f"a task to score must be one that this client generated, a mapping with name and seed, or a dataset row; got {task!r:.200}"
    )


def raise_first_error(scores: Sequence[Score | ServiceError]) -> list[Score]:
    """The scores; raises the first error among them."""
    for index, score_or_error in enumerate(scores):
        if isinstance(score_or_error, ServiceError):
            score_or_error.add_note(f"item {index} of {len(scores)}; errors='return' returns the scores of the others")
            raise score_or_error
    return [item for item in scores if isinstance(item, Score)]


def step_batch(steps: Sequence[tuple[EnvCore, str]], policy: RetryPolicy) -> SansIO[list[StepResult | ServiceError]]:
    """Step many episodes, many per request; each has its result or its error.

    If the response to a request is lost, or a session, each affected step is resolved on its own.
    """
    if len({id(core) for core, _ in steps}) < len(steps):
        raise InvalidRequest("an Env may appear only once in a batch of steps")
    for core, action in steps:
        core.check_action(action)
    results: list[StepResult | ServiceError] = []
    for start in range(0, len(steps), BATCH_SIZE):
        results += yield from _step_one_request(steps[start : start + BATCH_SIZE], policy)
    return results


def _step_one_request(steps: Sequence[tuple[EnvCore, str]], policy: RetryPolicy) -> SansIO[list[StepResult | ServiceError]]:
    batch = [BatchStep(core.episode.session_id or "", action, core.view.turn) for core, action in steps]
    bodies: list[Any] | None = None
    try:
        bodies = yield from get_field(calls.step_batch(batch), "results", policy)
    except ServiceError as error:
        if error.has_no_effect or not error.retryable:
            raise
    results: list[StepResult | ServiceError] = []
    for index, (core, action) in enumerate(steps):
        results.append((yield from _resolve_step(core, action, None if bodies is None else bodies[index])))
    return results


def _resolve_step(core: EnvCore, action: str, body: Any) -> SansIO[StepResult | ServiceError]:
    """The result of one step of a batch; `body` is None if the response was lost."""
    try:
        error = parse_error(body["error"]) if body is not None and "error" in body else None
        if body is not None and error is None:
            core.episode.record_step(action, parse_session_view(body))
        elif error is not None and not error.retryable and error.code not in RECHECKED_CODES:
            return error
        else:
            yield from core.episode.step(action, maybe_taken=error is None or not error.has_no_effect)
        return core.step_result(action)
    except ServiceError as failure:
        return failure
