"""Players of many turns who do not work: they finish at once, cycle the actions, look everything up and finish, or look one action ahead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from rlgym.core.answer import Unreadable, wrap
from rlgym.core.declare import Game
from rlgym.core.task import Task
from rlgym.episode.play import EpisodeState
from rlgym.laws.copying_routines import copied_answers
from rlgym.laws.prompt_parts import PromptParts
from rlgym.laws.subject import Policy

MOST_COPIES = 40
MOST_SHOWN = 400
_WORD = re.compile(r"[A-Za-z0-9][\w.@:/-]*\w|\w")
_LIST = re.compile(r"\w+(?:, \w+)+(?:,? (?:or|and) \w+)?")
_LOOKS = re.compile(r"^(?:list|get|read|find|check|search|look|ask|show|view|open|fetch|query|count|describe|inspect|cat|ls)")


def lazy_players(game: Game[Any, Any, Any], task: Task[Any]) -> dict[str, str | Policy]:
    """The lazy players of a task: a response that is given in every turn, or a policy. Those without anything to answer are left out."""
    schemas = getattr(game.answer, "schemas", None)
    if schemas is not None:
        return dict(_tool_players([each["function"] for each in schemas()], getattr(game.answer, "max_calls", 1)))
    copies = islice(copied_answers(task.prompt, game.answer), MOST_COPIES)
    return {f"{routine}, in every turn": wrap(text, "tag") for routine, text in copied_once(copies)} | dict(_action_players(game, task))


def copied_once(copies: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Each text once, under the first routine that gives it."""
    seen: set[str] = set()
    for routine, text in copies:
        if text not in seen:
            seen.add(text)
            yield routine, text


def _action_players(game: Game[Any, Any, Any], task: Task[Any]) -> Iterator[tuple[str, Policy]]:
    """Players of a game without tools: cycles over what the prompt lists, and a greedy player where the answer format names the actions."""
    parts, actions = PromptParts(task.prompt), _actions(game, task.prompt)
    alphabets = {"actions": actions, **{kind: list(dict.fromkeys(items)) for kind, items in parts.sequences.items()}}
    for kind, items in alphabets.items():
        if readable := [item for item in items if _is_readable(game, item)]:
            yield f"one of the {kind} after the other", partial(_next_item, readable)
    if len(actions) > 1 and game.sandbox is None:
        yield "one action ahead", lambda position: wrap(_greedy(game, position, actions), "tag")


def _next_item(items: Sequence[str], position: EpisodeState) -> str:
    return wrap(items[position.turn % len(items)], "tag")


def _actions(game: Game[Any, Any, Any], prompt: str) -> list[str]:
    """The actions that the answer format names."""
    if options := getattr(game.answer, "options", ()):
        return [game.answer.render(option) for option in options]
    named = _LIST.search(game.answer.instructions)
    words = re.split(r", (?:or |and )?| or | and ", named[0]) if named else []
    return [word for word in words if re.search(rf"\b{re.escape(word)}\b", prompt) and _is_readable(game, word)]


def _greedy(game: Game[Any, Any, Any], position: EpisodeState, actions: Sequence[str]) -> str:
    """The next action in turn that wins at once; else the next one that does not lose at once."""
    turned = [actions[(position.turn + k) % len(actions)] for k in range(len(actions))]
    best, most = turned[0], -2.0
    for action in turned:
        score = game.outcome(game.act(position.state, game.answer.parse(action)))
        value = 0.0 if score is None else score.value or -1.0
        if value > most:
            best, most = action, value
    return best


def _is_readable(game: Game[Any, Any, Any], text: str) -> bool:
    try:
        game.answer.parse(text)
    except Unreadable:
        return False
    return True


def _tool_players(schemas: Sequence[dict[str, Any]], most_calls: int) -> Iterator[tuple[str, str | Policy]]:
    """Players of a world of tools."""
    bare = [tool["name"] for tool in schemas if not tool["parameters"]["required"]]
    looks = [tool for tool in schemas if _LOOKS.search(tool["name"])]
    for name in bare:
        yield f"{name} in every turn", wrap(_call(name, {}), "tag")
    yield "one tool after the other", lambda position: _cycle(schemas, position)
    if looks:
        yield "every look-up, then the other tools", lambda position: _look_up(schemas, looks, position, most_calls)


def _cycle(schemas: Sequence[dict[str, Any]], position: EpisodeState) -> str:
    """The next tool, with what was shown last."""
    tool = schemas[position.turn % len(schemas)]
    return wrap(_call(tool["name"], _arguments(tool, _words_shown(position), position.turn)), "tag")


def _look_up(schemas: Sequence[dict[str, Any]], looks: Sequence[dict[str, Any]], position: EpisodeState, most_calls: int) -> str:
    """All look-ups with every word shown, in turn; in the last turns the other tools, those without arguments at the end."""
    turns_left = position.limit - position.turn
    others = sorted((tool for tool in schemas if tool not in looks), key=lambda tool: bool(tool["parameters"]["required"]), reverse=True)
    words = _words_shown(position)
    if turns_left <= len(others):
        tool = others[len(others) - turns_left]
        return wrap(_call(tool["name"], _arguments(tool, words, turns_left)), "tag")
    start = position.turn * most_calls
    tools = [(looks[k % len(looks)], k // len(looks)) for k in range(start, start + most_calls)]
    return wrap("\n".join(_call(tool["name"], _arguments(tool, words, k)) for tool, k in tools), "tag")


def _words_shown(position: EpisodeState) -> list[str]:
    """The words shown so far, those with digits first, which are mostly codes."""
    texts = (text for role, text in position.transcript if role == "user")
    words = list(islice(dict.fromkeys(word for text in texts for word in _words(text)), MOST_SHOWN))
    return sorted(words, key=_is_plain) or ["a"]


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_WORD.findall(text[-20_000:])))


@lru_cache(maxsize=8192)
def _is_plain(word: str) -> bool:
    return not any(letter.isdigit() for letter in word)


def _arguments(tool: dict[str, Any], words: Sequence[str], k: int) -> dict[str, Any]:
    schemas = tool["parameters"]["properties"]
    return {name: _argument(schemas[name], words, k) for name in tool["parameters"]["required"]}


def _argument(schema: dict[str, Any], words: Sequence[str], k: int) -> Any:
    """The k-th value of a type, in turn."""
    if "anyOf" in schema:
        schema = schema["anyOf"][0]
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][k % len(schema["enum"])]
    match schema.get("type"):
        case "integer" | "number":
            numbers = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 10]
            return numbers[k % len(numbers)] if numbers else k
        case "boolean":
            return k % 2 == 0
        case "array":
            return [_argument(schema.get("items", {}), words, k)]
        case "object":
            return {name: _argument(inner, words, k) for name, inner in schema.get("properties", {}).items()}
    return words[k % len(words)]


def _call(name: str, arguments: dict[str, Any]) -> str:
    return json.dumps({"tool": name, "arguments": arguments}, ensure_ascii=False)
