"""The `environment_factory` of a GRPOTrainer: episodes that the model plays by calling tools."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from inspect import Parameter, Signature
from typing import Any

import rlgym
from rlgym.adapters.trl.rewards import Columns, episode_reward
from rlgym.dataset import Recipe, Session, from_task_json
from rlgym.dataset.session import to_image, tool_calls_text

OVER = "The episode is over: no further call counts."


def environments(names: str | list[str]) -> dict[str, Callable[[], Any]]:
    """The `environment_factory` of a GRPOTrainer, by environment: a many-turn one is played by calling tools.

    Those of a tool environment are its own. Every other many-turn environment has one, `respond`, which takes a response
    and gives what is read next. Single-turn ones have none, and are scored by `score`, so that both kinds mix in one run.
    """
    return {name: _player(name) for name in Recipe(names=names).environments()}


class _Single:
    """A single-turn environment has nothing to call."""

    def reset(self, **row: Any) -> None:
        """Nothing is to be set."""


class _Player:
    """An episode that is played by calls. It pays its own reward, which is that of `rlgym.score` for the same turns."""

    tells = ""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._draw: Callable[[], Session] | None = None
        self._image_size = 0

    def reset(self, task_json: str | None = None, **row: Any) -> Any:
        """Start the episode of a task JSON, or of the next task of `OwnTasks`; what it returns is appended to the prompt."""
        if task_json is not None:
            self._session = Session(from_task_json(task_json))
            return f"\n\n{self.tells}"
        if self._draw is None:
            raise ValueError(
                "this dataset has no column 'task_json': make it with rlgym.adapters.trl.dataset, or give OwnTasks and no dataset"
            )
        self._session = self._draw()
        return self._render_observation(f"{self._session.observation}\n\n{self.tells}")

    def get_reward(self) -> float | None:
        """The reward, which TRL asks for once the model has stopped to call."""
        assert self._session is not None
        return episode_reward(self._session)

    def _say(self, response: str) -> Any:
        assert self._session is not None
        return OVER if self._session.done else self._render_observation(self._session.step(response) or OVER)

    def _render_observation(self, text: str) -> Any:
        """A text, or with an image size the picture and the text as parts of a message."""
        assert self._session is not None
        png = self._session.image(self._image_size) if self._image_size else None
        return text if png is None else [{"type": "image", "image": to_image(png)}, {"type": "text", "text": text}]


class _Talker(_Player):
    tells = "Give each of your responses by calling the tool `respond`."

    def respond(self, response: str) -> str:
        """
        Give one response of yours, and read what comes next.

        Args:
            response: The whole response, with the answer in the format that was asked for.
        """
        return self._say(response)


def _player(name: str) -> type:
    """The class that plays an environment."""
    return _Single if rlgym.environment(name).kind == "environment" else player_class(name)


def player_class(name: str) -> type:
    """The class that plays a many-turn environment; with an empty name one that plays any environment by `respond`."""
    if not name:
        return type("rlgym", (_Talker,), {})
    declared = rlgym.environment(name)
    schemas: list[Columns] = getattr(declared.answer, "schemas", list)()
    tools = {tool["function"]["name"]: _method(tool["function"]) for tool in schemas}
    if clashes := {"reset", "get_reward"} & set(tools):
        raise ValueError(f"{name} has a tool {min(clashes)!r}, a name that TRL takes for itself: play it with Rollout")
    # TRL names the reward's column after the class.
    body = {**tools, "tells": "Call the tools themselves."} if tools else {}
    return type(name, (_Player if tools else _Talker,), body)


def _method(schema: Columns) -> Callable[..., str]:
    """A method for a tool, as transformers reads it: from its signature and docstring."""
    fields, required = schema["parameters"]["properties"], schema["parameters"].get("required", [])

    def method(self: _Player, **given: Any) -> str:
        return self._say(tool_calls_text([(schema["name"], given)]))

    types = {name: _type(facts) for name, facts in fields.items()}
    own = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=types[name], default=Parameter.empty if name in required else None)
        for name in fields
    ]
    argument_lines = "\n".join(f"    {name}: {facts.get('description') or name.replace('_', ' ')}" for name, facts in fields.items())
    method.__name__ = method.__qualname__ = schema["name"]
    method.__doc__ = f"{schema['description']}\n\nArgs:\n{argument_lines}" if fields else schema["description"]
    method.__annotations__ = types
    method.__signature__ = Signature([own, *parameters])  # type: ignore[attr-defined]
    return method


def _type(facts: Columns) -> Any:
    """The Python type of a JSON Schema."""
    plain = {"string": str, "integer": int, "number": float, "boolean": bool, "object": dict}
    with suppress(KeyError, TypeError):
        if facts["type"] == "array":
            return list[_type(facts["items"])]
        return plain[facts["type"]]
    return str if all(isinstance(value, str) for value in facts.get("enum", ())) else Any
