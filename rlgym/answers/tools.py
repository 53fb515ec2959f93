"""Calls of declared tools, as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, NoReturn

from pydantic import BaseModel, ConfigDict, ValidationError

from rlgym.core.answer import Answer, Style, Unreadable, wrap
from rlgym.core.answer_extraction import extract_marked
from rlgym.core.json_objects import refuse_duplicate_keys
from rlgym.core.layout import PROGRAM
from rlgym.core.layout.layers import Layers


class Tool(BaseModel):
    """One call of a tool. A subclass declares a tool: the model sees its name (in snake case), its docstring and its fields.

    Arguments are checked strictly: `"2"`, `2.0` and `true` are not integers, and unknown arguments are errors.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


@dataclass(frozen=True)
class Misuse:
    """A call that no tool accepts: the call as JSON, and the problem in words. The model sees the problem; the state does not change."""

    call: str
    problem: str


Call = Tool | Misuse
Calls = tuple[Call, ...]


@dataclass(frozen=True)
class ToolCalls(Answer[Calls]):
    """One or more calls of the declared tools, each a JSON object with the tool's name and its arguments.

    Calls are read between the answer's marks, in `<tool_call>` blocks, in one fenced block, or from a response that is JSON as a
    whole, in the requested notation or in OpenAI's. Every call becomes an instance of its tool, or a Misuse.
    """

    tools: tuple[type[Tool], ...]
    max_calls: int = 8
    limit_in_prompt: bool = False  # whether the prompt says how many calls of a turn are run, as the number differs between tasks
    max_characters: int = 8000
    layers: ClassVar[Layers] = PROGRAM
    format: ClassVar[str] = "tool_calls"

    @property
    def instructions(self) -> str:
        call_format = 'one tool call as a JSON object {"tool": NAME, "arguments": {...}}'
        if self.max_calls == 1:
            return call_format
        if self.limit_in_prompt:
            return f"{call_format}, or several of them if a turn may have several, one per line, which are run in order"
        return f"{call_format}, or up to {self.max_calls} of them, one per line, which are run in order"

    def manual(self) -> str:
        """The description of the tools for the model, one line each."""
        return "\n".join(f"- {_signature(tool)}: {_description(tool)}" for tool in self.tools)

    def schemas(self) -> list[dict[str, Any]]:
        """The tools as OpenAI function schemas, a fresh copy."""
        schemas: list[dict[str, Any]] = json.loads(_schemas(self.tools))
        return schemas

    def parse(self, text: str) -> Calls:
        plain = text.strip()
        if len(plain) > self.max_characters:
            raise Unreadable(f"expected tool calls of at most {self.max_characters} characters, got {len(plain)}")
        if fenced := _FENCED.fullmatch(plain):
            plain = fenced[1]
        calls = [call for value in _values(plain) for call in _calls_in(value)]
        if not 1 <= len(calls) <= self.max_calls:
            raise Unreadable(f"expected 1 to {self.max_calls} tool calls, got {len(calls)}")
        return tuple(self._call(*_parts(call)) for call in calls)

    def render(self, value: Calls) -> str:
        return "\n".join(call.call if isinstance(call, Misuse) else _line(call) for call in value)

    def extract(self, response: str, style: Style) -> list[str]:
        if marked := extract_marked(response, style):
            return marked
        text = response.rpartition("</think>")[2]
        blocks = [piece.partition("</tool_call>") for piece in text.split("<tool_call>")[1:]]
        if blocks:
            # An unclosed block runs to the end of the response; so must its JSON.
            return ["\n".join(inside for inside, _, _ in blocks)]
        return [text] if text.lstrip()[:1] in ("{", "[") else extract_marked(response, "fence")

    def variants(self, value: Calls) -> Iterator[str]:
        calls = [_parts(json.loads(line)) for line in self.render(value).split("\n")]
        openai = [
            {"id": "call_1", "type": "function", "function": {"name": name, "arguments": _json(arguments)}} for name, arguments in calls
        ]
        plain = [{"name": name, "arguments": arguments} for name, arguments in calls]
        yield f"Let me look.\n{wrap(self.render(value), 'tag')}\n"
        yield wrap(f"```json\n{self.render(value)}\n```", "tag")
        yield wrap(json.dumps(plain, indent=2), "tag")
        yield wrap(_json({"tool_calls": openai}), "tag")
        yield "\n".join(f"<tool_call>\n{json.dumps(call)}\n</tool_call>" for call in plain)
        yield f"I call:\n\n```json\n{_json([{'parameters': arguments, 'name': name} for name, arguments in calls])}\n```"
        yield "<think>First <answer>{}</answer>.</think>" + json.dumps(plain if len(plain) > 1 else plain[0])

    def near_misses(self, value: Calls) -> Iterator[Calls]:
        if len(value) > 1:
            yield value[:-1]
            yield value[::-1]
        if len(value) < self.max_calls:
            yield (*value, value[-1])

    def _call(self, name: str, arguments: dict[str, Any]) -> Call:
        tool = next((tool for tool in self.tools if _name(tool) == name), None)
        if tool is None:
            return Misuse(
                _render_call(name, arguments), f"there is no tool {name[:40]!r}; the tools are {', '.join(map(_name, self.tools))}"
            )
        try:
            return tool.model_validate_json(_json(arguments))
        except ValidationError as error:
            return Misuse(_render_call(name, arguments), f"{_name(tool)} was not run: {'; '.join(_problems(error))}")


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_FENCED = re.compile(r"```[A-Za-z_]{0,20}[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
# An unclosed string matches too: searching again from each of its quotes would take quadratic time.
_NESTING = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)
_SPACE = re.compile(r"\s*")
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_MOST_NESTED = 12


@cache
def _schemas(tools: tuple[type[Tool], ...]) -> str:
    functions = [{"name": _name(tool), "description": _description(tool), "parameters": json.loads(_schema(tool))} for tool in tools]
    return _json([{"type": "function", "function": function} for function in functions])


@cache
def _name(tool: type[Tool]) -> str:
    return _CAPITAL.sub("_", tool.__name__).lower()


def _description(tool: type[Tool]) -> str:
    return " ".join((tool.__doc__ or "").split())


@cache
def _schema(tool: type[Tool]) -> str:
    """The JSON Schema of a tool's arguments, as JSON, without the titles that pydantic adds."""
    schema = tool.model_json_schema()
    fields = {name: {key: fact for key, fact in facts.items() if key != "title"} for name, facts in schema["properties"].items()}
    required = [name for name in fields if name in schema.get("required", ())]
    return _json({"type": "object", "properties": fields, "required": required, "additionalProperties": False})


def _signature(tool: type[Tool]) -> str:
    """`search(words: string, page: integer = 1)`"""
    return f"{_name(tool)}({', '.join(_parameter(name, facts) for name, facts in json.loads(_schema(tool))['properties'].items())})"


def _parameter(name: str, facts: dict[str, Any]) -> str:
    kind = " or ".join(map(_json, facts["enum"])) if "enum" in facts else facts.get("type", "value")
    kind = f"list of {facts['items'].get('type', 'value')}s" if kind == "array" else kind
    return f"{name}: {kind}" + (f" = {_json(facts['default'])}" if "default" in facts else "")


def _values(text: str) -> list[Any]:
    """The JSON values of a text, one after the other."""
    nested = 0
    for mark in _NESTING.finditer(text):
        nested += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark[0], 0)
        if nested > _MOST_NESTED:
            raise Unreadable(f"the JSON is nested more than {_MOST_NESTED} deep")
    values: list[Any] = []
    at = len(text) - len(text.lstrip())
    try:
        while at < len(text):
            value, after = _DECODER.raw_decode(text, at)
            _json(value).encode()
            values.append(value)
            space = _SPACE.match(text, after)
            at = space.end() if space else after
    except ValueError as error:  # so are half a surrogate pair, a number of too many digits, and one too large for a float
        raise Unreadable(f"expected tool calls as JSON, got {text[at : at + 40]!r}: {str(error)[:80]}") from None
    return values


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=refuse_duplicate_keys, parse_constant=_no_constant)


def _calls_in(value: Any) -> list[Any]:
    """The calls that a JSON value holds: a list of them, OpenAI's message with `tool_calls`, or one."""
    if isinstance(value, dict) and set(value) == {"tool_calls"}:
        value = value["tool_calls"]
    return value if isinstance(value, list) else [value]


def _parts(call: Any) -> tuple[str, dict[str, Any]]:
    """The name and the arguments of one call, in any accepted spelling."""
    if isinstance(call, dict) and isinstance(call.get("function"), dict) and set(call) <= {"function", "id", "type", "index"}:
        call = call["function"]
    if not isinstance(call, dict):
        raise Unreadable(f'expected a tool call {{"tool": NAME, "arguments": {{...}}}}, got {_json(call)[:40]}')
    names = [call[key] for key in ("tool", "name") if key in call]
    given = [call[key] for key in ("arguments", "parameters") if key in call] or [{}]
    if len(names) != 1 or len(given) != 1 or not set(call) <= {"tool", "name", "arguments", "parameters"}:
        raise Unreadable(f"expected a tool call with the keys tool and arguments only, got {_json(call)[:60]}")
    arguments = given[0]
    if isinstance(arguments, str):
        values = _values(arguments)
        arguments = values[0] if len(values) == 1 else None
    if not isinstance(names[0], str) or not isinstance(arguments, dict):
        raise Unreadable(f"expected the tool's name as a string and its arguments as an object, got {_json(call)[:60]}")
    return names[0], arguments


def _problems(error: ValidationError) -> list[str]:
    problems = []
    for problem in error.errors(include_url=False, include_context=False)[:4]:
        name = ".".join(map(str, problem["loc"]))[:40]
        match problem["type"]:
            case "missing":
                problems.append(f"the argument {name} is missing")
            case "extra_forbidden":
                problems.append(f"it has no argument {name!r}")
            case _:
                problems.append(
                    f"{name}: {problem['msg'].removeprefix('Input ').removeprefix('Value error, ')}, got {_json(problem['input'])[:40]}"
                )
    return problems


def _line(call: Tool) -> str:
    """A call as one line of JSON. Oracles of long episodes write the same calls at every turn, so those of plain arguments are kept."""
    values = call.__dict__.values()
    if all(type(value) in (str, int, bool) for value in values):
        return _plain_line(call, tuple(map(type, values)))
    return _render_call(_name(type(call)), _arguments(call))


@lru_cache(maxsize=4096)
def _plain_line(call: Tool, types: tuple[type, ...]) -> str:
    """types: of the arguments, since True equals 1."""
    return _render_call(_name(type(call)), _arguments(call))


def _arguments(call: Tool) -> dict[str, Any]:
    arguments: dict[str, Any] = call.model_dump(mode="json", exclude_defaults=True)
    return arguments


def _render_call(name: str, arguments: dict[str, Any]) -> str:
    return _json({"tool": name, "arguments": arguments})


def _json(value: Any) -> str:
    return _ENCODER.encode(value)
