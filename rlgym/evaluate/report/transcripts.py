"""Selects the transcripts of a report and limits their size, so that the page opens quickly."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from rlgym.evaluate.metrics.task_table import Row, environment_of

MOST = 300
MOST_BYTES = 2_800_000
LONGEST = 12_000


def select_transcripts(rows: Iterable[Row], most: int = MOST) -> list[Row]:
    """At most `most` rows that cover every environment and outcome, as far as possible.

    First one row of each (environment, outcome), rare outcomes first; if these are too many, the environments take turns.
    Then second rows, and so on.
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
    chosen: list[Row] = []
    depth = 0
    while len(chosen) < most and any(len(pile) > depth for pile in piles.values()):
        turns = max(len(names) for names in by_env.values())
        for turn in range(turns):
            for names in by_env.values():
                if turn < len(names) and depth < len(piles[names[turn]]) and len(chosen) < most:
                    chosen.append(_row_at(piles[names[turn]], depth))
        depth += 1
    return chosen


def _vary(by_env: dict[str, list[tuple[str, str]]]) -> None:
    """Rotate the outcomes of the environments, so that few rows cover all outcomes."""
    for turn, names in enumerate(by_env.values()):
        begin = turn % len(names)
        names[:] = names[begin:] + names[:begin]


def _row_at(pile: list[Row], depth: int) -> Row:
    """The row of a pile at a depth: the first, the last, the middle one, then the others."""
    order = [0, len(pile) - 1, len(pile) // 2]
    seen = list(dict.fromkeys(place for place in order if place < len(pile)))
    rest = [place for place in range(len(pile)) if place not in seen]
    return pile[(seen + rest)[depth]]


def displayed_row(row: Row, longest: int = LONGEST) -> dict[str, Any]:
    """A row for the page: its columns, and its messages as (role, text)."""
    columns = (
        "id",
        "sample",
        "domain",
        "split",
        "level",
        "value",
        "right",
        "masked",
        "outcome",
        "turns",
        "completion_tokens",
        "finish_reason",
    )
    facts = {name: row[name] for name in columns}
    texts = [(str(message.get("role", "?")), _text(message)) for message in _messages(row["messages"])]
    each = max(400, longest // max(1, len(texts)))
    total = sum(len(text) for _, text in texts)
    messages = [(role, text if total <= longest else cut(text, each)) for role, text in texts]
    facts |= {
        "env": environment_of(row),
        "reason": str((row["error"] if row["masked"] else row["reason"]) or "")[:500],
        "messages": messages,
    }
    return facts | ({} if row["confidence"] is None else {"confidence": row["confidence"]})


def _messages(text: Any) -> Sequence[dict[str, Any]]:
    try:
        messages = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return [{"role": "unreadable", "content": str(text)}]
    return [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []


def _text(message: dict[str, Any]) -> str:
    """The text of a message with its tool calls."""
    content = message.get("content")
    if isinstance(content, list):  # a message in parts
        content = "\n".join(str(part.get("text", part)) if isinstance(part, dict) else str(part) for part in content)
    parts = [] if content is None else [str(content)]
    for call in message.get("tool_calls") or []:
        function = call.get("function", call) if isinstance(call, dict) else {"name": str(call)}
        parts.append(f"→ {function.get('name')}({function.get('arguments', '')})")
    return "\n".join(parts)


def cut(text: str, longest: int) -> str:
    """A long text without its middle, with the number of omitted characters."""
    if len(text) <= longest:
        return text
    end = longest // 2
    return f"{text[: longest - end]}\n[… {len(text) - longest:,} characters left out …]\n{text[-end:]}"


def embedded_json(rows: Sequence[Row], most_bytes: int = MOST_BYTES) -> str:
    """The rows as JSON for a script element, within `most_bytes`: long texts are cut until they fit."""
    longest = LONGEST
    while True:
        text = safe_json([displayed_row(row, longest) for row in rows])
        if len(text) <= most_bytes or longest <= 400:
            return text
        longest //= 2


def safe_json(value: Any) -> str:
    """JSON in ASCII without `<`, `>` and `&`, so that no tag, comment or entity starts in it, whatever a model wrote."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
