"""Which transcripts a report holds, cut to a size that a browser opens at once."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from rlgym.evaluate.metrics.tasks import Row, environment_of

MOST = 300
MOST_BYTES = 2_800_000
LONGEST = 12_000


def chosen(rows: Iterable[Row], most: int = MOST) -> list[Row]:
    """At most `most` rows in which every environment and outcome is met, as far as there is room.

    First one row of each (environment, outcome), so that the outcomes seen least come first; where those are too many, the
    environments take turns. Then second rows, and so on.
    """
    piles: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        piles[environment_of(row), "masked" if row["masked"] else str(row["outcome"])].append(row)
    total: dict[str, int] = defaultdict(int)
    for (_, outcome), pile in piles.items():
        total[outcome] += len(pile)
    by_env: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name in sorted(piles, key=lambda name: (name[0], total[name[1]], name[1])):
        by_env[name[0]].append(name)
    _vary(by_env)
    found: list[Row] = []
    depth = 0
    while len(found) < most and any(len(pile) > depth for pile in piles.values()):
        turns = max(len(names) for names in by_env.values())
        for turn in range(turns):
            for names in by_env.values():
                if turn < len(names) and depth < len(piles[names[turn]]) and len(found) < most:
                    found.append(_at(piles[names[turn]], depth))
        depth += 1
    return found


def _vary(by_env: dict[str, list[tuple[str, str]]]) -> None:
    """Let the environments begin with different outcomes, so that few places show all of them."""
    for turn, names in enumerate(by_env.values()):
        begin = turn % len(names)
        names[:] = names[begin:] + names[:begin]


def _at(pile: list[Row], depth: int) -> Row:
    """The rows of a pile from far apart: first, last, middle, and so on."""
    order = [0, len(pile) - 1, len(pile) // 2]
    seen = list(dict.fromkeys(place for place in order if place < len(pile)))
    rest = [place for place in range(len(pile)) if place not in seen]
    return pile[(seen + rest)[depth]]


def readable(row: Row, longest: int = LONGEST) -> dict[str, Any]:
    """A row as the page shows it: facts, and messages as (role, text)."""
    kept = ("id", "sample", "domain", "split", "level", "value", "right", "masked", "outcome", "turns", "completion_tokens", "finish")
    facts = {name: row[name] for name in kept}
    said = [(str(message.get("role", "?")), _text(message)) for message in _messages(row["messages"])]
    each = max(400, longest // max(1, len(said)))
    total = sum(len(text) for _, text in said)
    messages = [(role, text if total <= longest else cut(text, each)) for role, text in said]
    facts |= {
        "env": environment_of(row),
        "reason": str((row["error"] if row["masked"] else row["reason"]) or "")[:500],
        "messages": messages,
    }
    return facts | ({} if row["confidence"] is None else {"confidence": row["confidence"]})


def _messages(text: Any) -> Sequence[dict[str, Any]]:
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return [{"role": "unreadable", "content": str(text)}]
    return [message for message in found if isinstance(message, dict)] if isinstance(found, list) else []


def _text(message: dict[str, Any]) -> str:
    """What a message says, with its tool calls."""
    content = message.get("content")
    if isinstance(content, list):  # a message in parts
        content = "\n".join(str(part.get("text", part)) if isinstance(part, dict) else str(part) for part in content)
    parts = [] if content is None else [str(content)]
    for call in message.get("tool_calls") or []:
        function = call.get("function", call) if isinstance(call, dict) else {"name": str(call)}
        parts.append(f"→ {function.get('name')}({function.get('arguments', '')})")
    return "\n".join(parts)


def cut(text: str, longest: int) -> str:
    """A text without its middle where it is too long, with how much is left out."""
    if len(text) <= longest:
        return text
    end = longest // 2
    return f"{text[: longest - end]}\n[… {len(text) - longest:,} characters left out …]\n{text[-end:]}"


def island(rows: Sequence[Row], most_bytes: int = MOST_BYTES) -> str:
    """The rows as JSON that may stand inside a script element, within so many bytes: long texts are cut until they fit."""
    longest = LONGEST
    while True:
        text = safe_json([readable(row, longest) for row in rows])
        if len(text) <= most_bytes or longest <= 400:
            return text
        longest //= 2


def safe_json(value: Any) -> str:
    """JSON in ASCII without `<`, `>` and `&`: no tag, comment or entity can begin in it, whatever a model wrote."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
