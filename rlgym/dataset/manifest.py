"""The record of a finished dataset; it is written last, so that a folder with a manifest is whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from rlgym.core.errors import RowError
from rlgym.dataset.files import sha256_of
from rlgym.episode.draw import first_problem

MANIFEST = "manifest.json"


class Shard(BaseModel):
    """One file of rows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    split: str
    rows: int
    bytes: int
    sha256: str


class Part(BaseModel):
    """What one environment gave: tasks by level and split, repeats refused, and levels that ran out of different tasks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    domain: str
    version: int
    tasks: int
    levels: dict[str, int]
    splits: dict[str, int]
    duplicates: int
    exhausted: dict[str, dict[str, int]]


class Manifest(BaseModel):
    """What a dataset holds, what made it, and the hashes of its files.

    count         tasks in all
    duplicates    repeated tasks that were refused while it was built
    splits        tasks by split
    levels        tasks by level
    environments  each environment's part
    recipe        the recipe that made it
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    made_by: Literal["rlgym dataset"]
    layout: Literal[1]
    name: str
    licence: str
    rlgym: str
    count: int
    duplicates: int
    splits: dict[str, int]
    levels: dict[str, int]
    environments: dict[str, Part]
    shards: list[Shard]
    recipe: dict[str, Any]

    @property
    def exhausted(self) -> list[str]:
        """One sentence for each level that ran out of different tasks."""
        return [
            f"{name} has {lack['made']} tasks at level {level} in place of {lack['wanted']}: there are hardly any more; other levels make up for them"
            for name, part in self.environments.items()
            for level, lack in part.exhausted.items()
        ]

    @property
    def identity(self) -> dict[str, Any]:
        """All that the dataset's bytes depend on; compare `rlgym.dataset.plan.identity`."""
        versions = {name: part.version for name, part in self.environments.items()}
        return {"layout": self.layout, "rlgym": self.rlgym, "recipe": self.recipe, "versions": versions}

    def to_json(self) -> str:
        """The manifest as it is written to its file."""
        return self.model_dump_json(indent=2) + "\n"


def read_manifest(folder: str | Path) -> Manifest:
    """The manifest of a dataset; RowError where the folder holds none, or a damaged or foreign one."""
    path = Path(folder) / MANIFEST
    if not Path(folder).is_dir():
        raise RowError(f"there is no folder {folder}")
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise RowError(f"{folder} has no {MANIFEST}: it is not a dataset made by `rlgym dataset build`, or its build was not finished") from None
    except ValidationError as error:
        raise RowError(f"{path} is not the manifest of a dataset: {first_problem(error)}") from None


def check_shard(folder: Path, shard: Shard) -> Path:
    """The path of a shard; RowError where it has gone or its bytes are not those that were written."""
    path = folder / shard.file
    if Path(shard.file).name != shard.file:
        raise RowError(f"the manifest of {folder} names a file outside it: {shard.file!r}")
    if not path.is_file():
        raise RowError(f"{path} has gone; the manifest lists it. Delete the folder and build the dataset again")
    if path.stat().st_size != shard.bytes or sha256_of(path) != shard.sha256:
        raise RowError(f"{path} is damaged: its bytes are not those that were written. Delete the folder and build the dataset again")
    return path


def verify(folder: str | Path) -> Manifest:
    """The manifest, once every file of the dataset has been found whole."""
    manifest = read_manifest(folder)
    for shard in manifest.shards:
        check_shard(Path(folder), shard)
    return manifest
