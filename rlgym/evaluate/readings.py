"""Readings: which tasks a reader who had not seen the source solved by thought alone, by environment and level.

They are a check of prompts and verifiers, and they anchor levels: a strong reader is meant to solve all tasks at level 0, about three in four at 0.5 and at
most one in four at 1.
"""

from __future__ import annotations

import json
from datetime import date
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, model_validator

FILE = Path(__file__).with_name("readings.json")


class Reading(BaseModel):
    """Tasks of one environment that one reader answered at one level.

    environment  the name, derived ones such as chain_sum:several included
    version      the environment's version at that time; a later version may be harder
    reader       who read, and with what means
    read         tasks answered, or episodes played to the end
    solved       those with the full score
    not_solved   why the others failed: the reader's error, the limit of effort, the prompt, the layout, the verifier
    knobs        those that were set by name, such as "corners=56"; such tasks are harder than the level says
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    environment: str = Field(min_length=1)
    version: int = Field(ge=1)
    level: float = Field(ge=0, le=1)
    date: date
    reader: str = Field(min_length=1)
    read: int = Field(ge=1)
    solved: int = Field(ge=0)
    not_solved: str = ""
    knobs: str = ""

    @model_validator(mode="after")
    def _counts_fit(self) -> Reading:
        if self.solved > self.read:
            raise ValueError(f"{self.environment}: {self.solved} of {self.read} tasks are solved")
        return self


@cache
def all_readings() -> tuple[Reading, ...]:
    """Every reading on record, by environment, level and date."""
    found = (Reading.model_validate(row) for row in json.loads(FILE.read_text(encoding="utf-8")))
    return tuple(sorted(found, key=lambda reading: (reading.environment, reading.level, reading.date)))


def readings_of(name: str) -> list[Reading]:
    """The readings of an environment and of what is derived from it."""
    base = name.partition(":")[0]
    return [reading for reading in all_readings() if reading.environment.partition(":")[0] == base]
