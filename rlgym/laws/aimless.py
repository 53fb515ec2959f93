"""Law 4 of worlds and matches: who does nothing, or anything at random, does not win."""

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
from rlgym.episode.play import Position
from rlgym.laws.finding import Effort, Finding
from rlgym.laws.subject import Policy, Subject

MOST_WON_AT_RANDOM = 0.5
MOST_EARNED_AT_RANDOM = 0.05  # on average, where partial credit is declared
_TOKEN = re.compile(r"[A-Za-z0-9][\w.@:/-]*")


def aimless(subject: Subject, effort: Effort) -> Finding:
    """In a world of tools a player who does nothing, and one who calls any tool with words and numbers that were shown, earn 0.

    In a match a player of random legal moves wins no more than half of the middle level.
    """
    if isinstance(subject.declared, Match):
        return _at_random(subject, effort)
    found, idle, flails = Finding(), 0, 0
    tools = getattr(subject.declared.answer, "schemas", None)
    if tools is None:
        return found
    earned, most = 0.0, getattr(subject.declared.answer, "most", 1)
    schemas = [one["function"] for one in tools()]
    for i in effort.samples(2, 20):
        for level in effort.levels:
            task, where = subject.task(i, level), f"seed {i} level {level}"
            for does in _idle(schemas):
                idle += 1
                value = _value(subject, task, lambda _, said=does: said, found)  # type: ignore[misc]
                found.require(value == 0, f"a player who only says {does[:60]!r} earns {value:g}, {where}")
            for k in range(3):
                flails += 1
                value = _value(subject, task, _flail(Rng("flail", subject.name, i, k), schemas, most), found)
                earned += value
                unearned = value == 1 or (value > 0 and not subject.declared.partial)
                found.require(not unearned, f"a player of random calls earns {value:g}, {where}")
    found.require(earned <= MOST_EARNED_AT_RANDOM * flails, f"players of random calls earn {earned / max(1, flails):.3f} on average")
    found.measured = {"idle_players": idle, "random_players": flails, "earned_at_random": round(earned / max(1, flails), 4)}
    return found


def _at_random(subject: Subject, effort: Effort) -> Finding:
    assert isinstance(subject.declared, Match)
    found, match, won = Finding(), subject.declared, []
    for i in effort.samples(10, 100):
        rng = Rng("random player", subject.name, i)
        won.append(_value(subject, subject.task(i), lambda position, rng=rng: subject.says(rng.choice(match.legal(position.state))), found))  # type: ignore[misc]
    share = sum(won) / len(won)
    if share > MOST_WON_AT_RANDOM and len(won) < 100:
        return _at_random(subject, Effort(60.0))
    found.require(share <= MOST_WON_AT_RANDOM, f"a player of random legal moves wins {share:.2f} of the matches of the middle level")
    found.measured = {"won_at_random": round(share, 3), "matches": len(won)}
    return found


def _value(subject: Subject, task: Task[Any], policy: Policy, found: Finding) -> float:
    score = subject.play(task, policy).score
    found.require(score is None or score.outcome is not Outcome.ERROR, f"the world raises: {score.reason if score else ''}")
    return score.value if score else 0.0


def _idle(schemas: Sequence[dict[str, Any]]) -> list[str]:
    """Nothing at all, and each tool that wants no argument, called alone."""
    bare = [tool["name"] for tool in schemas if not tool["parameters"]["required"]]
    return ["", *(wrap(f'{{"tool": "{name}", "arguments": {{}}}}', "tag") for name in bare)]


def _flail(rng: Rng, schemas: Sequence[dict[str, Any]], most: int) -> Policy:
    seen: dict[str, None] = {}

    def policy(position: Position) -> str:
        seen.update(dict.fromkeys(_TOKEN.findall(position.observation[-20_000:])))
        words = list(seen) or ["a"]
        calls = []
        for _ in range(rng.integer(1, min(3, most))):
            tool = rng.choice(schemas)
            given = {
                name: _given(rng, facts, words)
                for name, facts in tool["parameters"]["properties"].items()
                if name in tool["parameters"]["required"] or rng.chance(0.5)
            }
            calls.append(json.dumps({"tool": tool["name"], "arguments": given}, ensure_ascii=False))
        return wrap("\n".join(calls), "tag")

    return policy


def _given(rng: Rng, facts: dict[str, Any], words: Sequence[str], deep: int = 0) -> Any:
    """A value that a schema allows, as far as types go, of what was shown."""
    if "anyOf" in facts:
        facts = rng.choice(facts["anyOf"])
    if "const" in facts:
        return facts["const"]
    if "enum" in facts:
        return rng.choice(facts["enum"])
    match facts.get("type"):
        case "integer":
            low, high = facts.get("minimum", 0), facts.get("maximum", 10**6)
            shown = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 10 and low <= int(word) <= high]
            return rng.choice(shown) if shown and rng.chance(0.8) else rng.integer(low, min(high, low + 9))
        case "number":
            return rng.integer(0, 100)
        case "boolean":
            return rng.chance(0.5)
        case "array" if deep < 3:
            return [_given(rng, facts.get("items", {}), words, deep + 1) for _ in range(rng.integer(1, 3))]
        case "object" if deep < 3:
            return {name: _given(rng, inside, words, deep + 1) for name, inside in facts.get("properties", {}).items()}
    return rng.choice(words) if rng.chance(0.8) else " ".join(rng.choice(words) for _ in range(2))
