"""What a trace shows."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Behaviour = Literal["backtracking", "checking", "subgoals"]


class TraceOptions(BaseModel):
    """The behaviours of a trace.

    behaviours   backtracking: wrong choices are tried and taken back; checking: each choice is checked; subgoals: each choice is announced
    dead_ends    backtracking: how many dead ends are shown, as far as the task has so many within reach
    answers      "right", or "wrong" for a control: the trace is as it is, and a mistake of the environment takes the place of the answer
    shuffled     a control: the lines of the trace in random order
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    behaviours: tuple[Behaviour, ...] = Field((), description="behaviours that the traces show: backtracking, checking, subgoals")
    dead_ends: int = Field(3, ge=0, le=100, description="dead ends of a trace with backtracking")
    answers: Literal["right", "wrong"] = Field("right", description="the answers of the traces; wrong ones are a control")
    shuffled: bool = Field(False, description="traces whose lines are in random order, a control")
