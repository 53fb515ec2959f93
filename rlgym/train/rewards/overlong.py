"""The soft penalty for long rollouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from rlgym.train.registry import Options

if TYPE_CHECKING:
    from torch import Tensor


class OverlongOptions(Options):
    """Options of `soft_overlong`."""

    max_tokens: int = Field(..., ge=1, description="tokens at which the full penalty applies")
    buffer_tokens: int = Field(..., ge=1, description="tokens before `max_tokens` at which the penalty begins")
    penalty: float = Field(1.0, ge=0, le=10, description="penalty of a rollout of `max_tokens` tokens or more")

    @model_validator(mode="after")
    def _check_buffer(self) -> Self:
        if self.buffer_tokens > self.max_tokens:
            raise ValueError(
                "buffer_tokens must not exceed max_tokens, or the shortest rollout is penalised, "
                f"got buffer_tokens={self.buffer_tokens} and max_tokens={self.max_tokens}"
            )
        return self


def soft_overlong(length_N: Tensor, options: OverlongOptions) -> Tensor:
    """The reward penalty for rollouts of these lengths: 0 up to max_tokens - buffer_tokens, then linear to -penalty. From "DAPO"."""
    over_N = (length_N.float() - (options.max_tokens - options.buffer_tokens)) / options.buffer_tokens
    return -options.penalty * over_N.clamp(0, 1)
