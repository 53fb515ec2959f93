"""Doing nothing, or anything at random, does not win a world of tools or a match."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from rlgym.core.answer import wrap
from rlgym.core.declare import Match
from rlgym.core.rng import Rng
from rlgym.core.score import Outcome
from rlgym.core.task import Task
from rlgym.episode.play import EpisodeState
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.margins import exceeds
from rlgym.laws.subject import Policy, Subject

TASKS = Samples(least=1, standard=2, certificate=8)
PLAYERS_PER_TASK = 3
MATCHES = Samples(least=10, standard=20, certificate=100)
ALL_MATCHES = 100
"""The margin at 100 matches and a limit of 0.5 is 65 matches won."""
MOST_WON = 0.5
MOST_EARNED = 0.05  # on average, where partial credit is declared
_TOKEN = re.compile(r"[A-Za-z0-9][\w.@:/-]*")


def random_policy(subject: Subject, effort: Effort) -> Finding:
    """An idle player and one that calls random tools with shown words and numbers earn 0 in a world of tools.

    In a match, a player of random legal moves wins no more than half of the matches at the middle level.
    """
    if isinstance(subject.declared, Match):
        return _random_matches(subject, subject.declared, effort)
    tools = getattr(subject.declared.answer, "schemas", None)
    if tools is None:
        return Finding()
    return _random_calls(subject, [each["function"] for each in tools()], effort)


def _random_calls(subject: Subject, schemas: Sequence[dict[str, Any]], effort: Effort) -> Finding:
    finding, idle, values = Finding(), 0, []
    most_calls = getattr(subject.declared.answer, "max_calls", 1)
    for seed, level in subject.sample(TASKS, effort):
        task, location = subject.task(seed, level), f"seed {seed} level {level}"
        for response in _idle_responses(schemas):
            idle += 1
            value = _play(subject, task, lambda _, response=response: response, finding, location)  # type: ignore[misc]
            finding.require(value == 0, f"a player who only answers {response[:60]!r} earns {value:g}, {location}")
        for k in range(PLAYERS_PER_TASK):
            values.append(_play(subject, task, _random_caller(Rng("flail", subject.name, seed, k), schemas, most_calls), finding, location))
            unearned = values[-1] == 1 or (values[-1] > 0 and not subject.declared.partial)
            finding.require(not unearned, f"a player of random calls earns {values[-1]:g}, {location}")
    mean = sum(values) / max(1, len(values))
    finding.require(not exceeds(sum(values), len(values), MOST_EARNED), f"players of random calls earn {mean:.3f} on average")
    finding.measured = {"idle_players": idle, "random_players": len(values), "earned_at_random": round(mean, 4)}
    return finding


def _random_matches(subject: Subject, match: Match[Any, Any, Any], effort: Effort) -> Finding:
    finding, won = Finding(), 0.0
    seeds = range(1, ALL_MATCHES + 1)
    first = MATCHES.at(effort)
    for played in seeds:
        rng = Rng("random player", subject.name, played)
        won += _play(
            subject,
            subject.task(played),
            lambda position, rng=rng: subject.write(rng.choice(match.legal(position.state))),  # type: ignore[misc]
            finding,
            f"seed {played} level 0.5",
        )
        # A first sample above the limit is enlarged to all matches, which decide.
        if played >= first and (won <= MOST_WON * played or exceeds(won, played, MOST_WON)):
            break
    finding.require(not exceeds(won, played, MOST_WON), f"a player of random legal moves wins {won:g} of {played} matches of level 0.5")
    finding.measured = {"won_at_random": round(won / played, 3), "matches": played}
    return finding


def _play(subject: Subject, task: Task[Any], policy: Policy, finding: Finding, location: str) -> float:
    score = subject.play(task, policy).score
    finding.require(score is None or score.outcome is not Outcome.ERROR, f"the world raises, {location}: {score.reason if score else ''}")
    return score.value if score else 0.0


def _idle_responses(schemas: Sequence[dict[str, Any]]) -> list[str]:
    """An empty response, and a call of each tool that requires no argument."""
    bare = [tool["name"] for tool in schemas if not tool["parameters"]["required"]]
    return ["", *(wrap(f'{{"tool": "{name}", "arguments": {{}}}}', "tag") for name in bare)]


def _random_caller(rng: Rng, schemas: Sequence[dict[str, Any]], most_calls: int) -> Policy:
    """A policy that calls random tools with words and numbers that the observations have shown."""
    seen: dict[str, None] = {}

    def policy(position: EpisodeState) -> str:
        seen.update(dict.fromkeys(_TOKEN.findall(position.observation[-20_000:])))
        words = list(seen) or ["a"]
        calls = []
        for _ in range(rng.integer(1, min(3, most_calls))):
            tool = rng.choice(schemas)
            arguments = {
                name: _random_value(rng, schema, words)
                for name, schema in tool["parameters"]["properties"].items()
                if name in tool["parameters"]["required"] or rng.chance(0.5)
            }
            calls.append(json.dumps({"tool": tool["name"], "arguments": arguments}, ensure_ascii=False))
        return wrap("\n".join(calls), "tag")

    return policy


def _random_value(rng: Rng, schema: dict[str, Any], words: Sequence[str], depth: int = 0) -> Any:
    """A value of the type that a JSON schema asks for, taken from the shown words where possible."""
    if "anyOf" in schema:
        schema = rng.choice(schema["anyOf"])
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema.get("type"):
        case "integer":
            low, high = schema.get("minimum", 0), schema.get("maximum", 10**6)
            shown = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 10 and low <= int(word) <= high]
            return rng.choice(shown) if shown and rng.chance(0.8) else rng.integer(low, min(high, low + 9))
        case "number":
            return rng.integer(0, 100)
        case "boolean":
            return rng.chance(0.5)
        case "array" if depth < 3:
            return [_random_value(rng, schema.get("items", {}), words, depth + 1) for _ in range(rng.integer(1, 3))]
        case "object" if depth < 3:
            return {name: _random_value(rng, inner, words, depth + 1) for name, inner in schema.get("properties", {}).items()}
    return rng.choice(words) if rng.chance(0.8) else " ".join(rng.choice(words) for _ in range(2))
