"""The metadata of a finished dataset."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict


class Shard(BaseModel):
    """One file of a dataset."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    file: str
    split: str
    rows: int
    bytes: int
    sha256: str


class Manifest(BaseModel):
    """Versions, counts and hashes of a dataset.

    duplicates                tasks that the build discarded because an equal one was there
    near_duplicates           rows whose prompt, with numbers and names masked, an earlier row has too
    near_duplicates_of_train  of each other split, the rows that have a near-duplicate in the train split
    capped                    environments that gave fewer rows than their share because they have no more different tasks
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    made_by: str
    licence: str
    digest: str
    recipe: dict[str, Any]
    versions: dict[str, int]
    rows: int
    duplicates: int
    near_duplicates: int = 0
    near_duplicates_of_train: dict[str, int] = {}
    capped: dict[str, int] = {}
    splits: dict[str, int]
    environments: dict[str, int]
    domains: dict[str, int]
    kinds: dict[str, int] = {}
    levels: dict[str, int]
    shards: list[Shard]

    def text(self) -> str:
        """The manifest as JSON text."""
        return json.dumps(self.model_dump(), indent=1, ensure_ascii=False) + "\n"
