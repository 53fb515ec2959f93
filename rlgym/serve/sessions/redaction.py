"""What is withheld from keys that may not see answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rlgym import Event, Score
from rlgym.serve.access.keys import ApiKey
from rlgym.serve.protocol.errors import ServiceError


def require_reveal(key: ApiKey) -> None:
    """ServiceError unless the key may see answers."""
    if not key.reveal_answers:
        raise ServiceError("forbidden", "this key may not see answers; it needs `reveal_answers = true` in the key file")


def score_fields(score: Score, key: ApiKey) -> dict[str, Any]:
    """A score as clients see it. The message of a verifier that failed may quote the task's data, so only some keys may read it."""
    fields = {**score.to_dict(), "masked": score.masked}
    return {**fields, "reason": "the answer could not be scored"} if score.masked and not key.reveal_answers else fields


def event_fields(events: Iterable[Event], key: ApiKey) -> list[dict[str, Any]]:
    """The event log as clients see it. The moves of other players may be hidden information, which observations reveal in time."""
    return [
        {"turn": event.turn, "kind": event.kind, "what": event.what} for event in events if key.reveal_answers or event.kind != "opponent"
    ]
