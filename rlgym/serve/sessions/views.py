"""Encodes session views: the state of an episode as clients see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlgym.serve.access.keys import ApiKey
from rlgym.serve.protocol.encoding import JsonText, encode, encode_field, merge_objects
from rlgym.serve.sessions.redaction import event_fields, score_fields
from rlgym.serve.sessions.store import Session
from rlgym.serve.sessions.tasks import origin_fields

if TYPE_CHECKING:
    from rlgym import Env


def encode_constant_view(env: Env, name: str, split: str, tools: JsonText) -> JsonText:
    """The fields of a session view that stay the same during an episode."""
    return merge_objects(encode_field("tools", tools), encode({"task": origin_fields(env, name, split)}))


def encode_session_view(session: Session, key: ApiKey, expires_in: float, with_prompt: bool = False) -> JsonText:
    """The state of an episode. The prompt stays the same during an episode, so it is included only at its start."""
    position = session.position
    score = position.score
    changing = encode(
        {
            "session": session.id,
            "observation": position.observation,
            "turn": position.turn,
            "max_turns": position.limit,
            "done": score is not None,
            "reward": 0.0 if score is None else score.value,
            "terminated": score is not None,
            "truncated": False,
            "feedback": position.feedback,
            "score": None if score is None else score_fields(score, key),
            "masked": score is not None and score.masked,
            "expires_in": expires_in,
            **({"prompt": position.task.prompt} if with_prompt else {}),
        }
    )
    return merge_objects(changing, session.constant_view)


def encode_session_detail(session: Session, key: ApiKey, expires_in: float) -> JsonText:
    """The state of an episode with its transcript and event log."""
    history = encode({"messages": session.env.messages, "events": event_fields(session.env.events, key)})
    return merge_objects(history, encode_session_view(session, key, expires_in, with_prompt=True))
