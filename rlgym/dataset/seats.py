"""What the players of a match read when each seat is moved from outside: in self-play, and in leagues."""

from __future__ import annotations

from typing import Any

from rlgym.core.answer import Style
from rlgym.core.declare import Match
from rlgym.core.task import Task
from rlgym.episode.play import play_opponents


def seat_observation(match: Match[Any, Any, Any], first: Any, state: Any, player: int, moved: bool, style: Style) -> str:
    """What a player reads now; before its own first move (`moved` is False) with the rules, which all read as the first mover does."""
    shown = match.show(state, player)
    if state is not first and not moved:
        rules = match.show(first, player)
        shown = f'These are the rules as the first player reads them; "you" is the first player:\n\n{rules}\n\n{shown}'
    return f"{shown}\n\n{match.answer.closing_line(style)}"


def play_built_in(match: Match[Any, Any, Any], task: Task[Any], state: Any) -> tuple[Any, int]:
    """The state after the match's own players have moved up to the turn of the task's seat, or to the end; and how often they moved."""
    assert task.origin is not None
    after, replies = play_opponents(match, state, task.origin)
    return after, len(replies)
