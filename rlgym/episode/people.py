"""Environments whose people are played by a model instead of by the script alone."""

from __future__ import annotations

from dataclasses import replace

from rlgym.core.declare import Declaration, Game
from rlgym.core.errors import EpisodeError
from rlgym.core.user import UserModel


def has_people(name: str, declared: Declaration) -> bool:
    """Whether people whom a model can play take part in an environment."""
    return isinstance(declared, Game) and declared.with_user is not None and name.partition(":")[2] in ("", "shift")


def play_people(name: str, declared: Declaration, user: UserModel | None) -> Declaration:
    """The environment with its people played by a model; EpisodeError where it has none."""
    if user is None:
        return declared
    if not isinstance(declared, Game) or declared.with_user is None or not has_people(name, declared):
        raise EpisodeError(f"{name} has no people whom a user model can play: leave `user` out")
    return replace(declared, act=declared.with_user(user), with_user=None)
