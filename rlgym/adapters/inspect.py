"""Tasks for Inspect: any environments, domains or suites, in one turn, many turns, or with tools, scored by their verifiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import rlgym
from rlgym import Outcome
from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, sample, to_task_json
from rlgym.dataset.session import message_text

with extra("inspect"):
    import anyio.to_thread
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageTool, ChatMessageUser, ContentImage, ContentText
    from inspect_ai.scorer import Score, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, TaskState, solver
    from inspect_ai.tool import ToolDef, ToolParams

TASK_JSON, TURNS, IMAGE_SIZE = "rlgym_task_json", "rlgym_turns", "rlgym_image_size"
REASONS = {Outcome.UNREADABLE: "invalid_response_format"}


def gym(names: str | list[str], count: int, *, native_tools: bool = True, image_size: int = 0, **recipe: Any) -> Task:
    """A task of `count` rows over environments, domains or patterns; `recipe` as for `rlgym.dataset.sample`."""
    name = "_".join([names] if isinstance(names, str) else names)
    return from_rows(sample(names, count, **recipe), name=name, native_tools=native_tools, image_size=image_size)


def from_rows(rows: Iterable[Mapping[str, Any]], *, name: str = "rlgym", native_tools: bool = True, image_size: int = 0) -> Task:
    """A task of rows, such as those of a dataset on disk. RowError, with the row's id, for a damaged one.

    native_tools  tools are given to the model as tools; otherwise it writes its calls as text, as the prompt then asks
    image_size    with more than 0 the model sees the picture too, where the environment draws one, as a PNG of so many pixels a side
    """
    samples = [to_sample(row, image_size) for row in rows]
    return Task(dataset=MemoryDataset(samples, name=name), solver=play(native_tools), scorer=verdict(), name=f"rlgym_{name}"[:60])


def to_sample(row: Mapping[str, Any], image_size: int = 0) -> Sample:
    """The sample of a row; all that scoring needs lies in its metadata."""
    task_json = to_task_json(row)
    facts = {key: row[key] for key in ("env", "domain", "level") if key in row}
    content = _content(Session(row, image_size=image_size).content)
    given = content if isinstance(content, str) else [ChatMessageUser(content=content)]
    return Sample(input=given, id=row["id"], metadata={TASK_JSON: task_json, IMAGE_SIZE: image_size, **facts})


@solver
def play(native_tools: bool = True) -> Any:
    """Play the episode with the model, a turn a generation, until it is over."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        row = from_task_json(state.metadata[TASK_JSON])
        session = Session(row, image_size=state.metadata.get(IMAGE_SIZE, 0))
        turns: list[str] = []
        state.store.set(TURNS, turns)
        if native_tools and session.tools:
            state.tools = [_tool(schema["function"]) for schema in session.tools]
            state.messages[-1] = ChatMessageUser(content=f"{row['prompt']}\n\nYou have {session.max_turns} turns.")
        while not session.done:
            state = await generate(state, tool_calls="none")
            message = _message(state)
            turns = [*turns, message_text(message)]
            state.store.set(TURNS, turns)  # at once, since a limit may end the sample at any moment
            # A verdict may run programs; other samples go on meanwhile.
            answers = await anyio.to_thread.run_sync(session.step_message, message)
            state.messages.extend(_chat(answer, message) for answer in answers)
        state.completed = True
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def verdict() -> Any:
    """The score that `rlgym.score` gives; unscored, so left out of all metrics, where it says nothing about the model."""

    async def score(state: TaskState, target: Target) -> Score:
        row = from_task_json(state.metadata[TASK_JSON])
        turns = state.store.get(TURNS)
        if rlgym.environment(row["env"]).kind == "environment":
            response: str | list[str] = turns[0] if turns else state.output.completion
        elif turns is None:
            raise rlgym.RlgymError(f"the row {row['id']!r} has many turns: it needs the solver rlgym.adapters.inspect.play")
        else:
            response = list(turns)
        found = await anyio.to_thread.run_sync(rlgym.score, row, response)
        facts = {"outcome": found.outcome.value, "parts": dict(found.parts)}
        answer = response if isinstance(response, str) else "\n\n".join(response)
        if found.masked:
            return Score.unscored(reason="scoring_failed", answer=answer, explanation=found.reason, metadata=facts)
        return Score(value=found.value, answer=answer, explanation=found.reason, reason=REASONS.get(found.outcome), metadata=facts)

    return score


def _message(state: TaskState) -> dict[str, Any]:
    """The model's turn as a message of OpenAI's chat."""
    calls = state.output.message.tool_calls if state.output.choices else None
    if not calls:
        return {"content": state.output.completion}
    # Inspect keeps no arguments that were no JSON, and neither is an empty text.
    tool_calls = [{"id": call.id, "name": call.function, "arguments": "" if call.parse_error else call.arguments} for call in calls]
    return {"tool_calls": tool_calls}


def _content(content: Any) -> Any:
    """A message's content as Inspect has it: a text, or parts."""
    if isinstance(content, str):
        return content
    return [ContentText(text=part["text"]) if part["type"] == "text" else ContentImage(image=part["image_url"]["url"]) for part in content]


def _chat(answer: Mapping[str, Any], message: Mapping[str, Any]) -> Any:
    """What the model reads next, as Inspect has it."""
    if answer["role"] == "user":
        return ChatMessageUser(content=_content(answer["content"]))
    [name] = {call["name"] for call in message["tool_calls"] if call["id"] == answer["tool_call_id"]}
    return ChatMessageTool(content=answer["content"], tool_call_id=answer["tool_call_id"], function=name)


def _tool(function: Mapping[str, Any]) -> Any:
    """The tool as Inspect tells models of it; `play` answers its calls, so it is never run."""

    async def execute(**arguments: Any) -> str:
        raise rlgym.RlgymError("the tools of an episode are run by the solver rlgym.adapters.inspect.play")

    parameters = ToolParams.model_validate(function["parameters"])
    for name, facts in parameters.properties.items():
        facts.description = facts.description or name  # Inspect refuses parameters without a word on them
    return ToolDef(execute, name=function["name"], description=function["description"], parameters=parameters).as_tool()
