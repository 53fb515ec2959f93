"""Loads finished datasets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from rlgym.core.errors import RowError, suggestion
from rlgym.dataset.files import read_shard, sha256_of
from rlgym.dataset.manifest import Manifest, Shard
from rlgym.dataset.rows import Row


def read_manifest(folder: str | Path, *, verify: bool = False) -> Manifest:
    """The manifest of a dataset; `verify` compares the hashes of all shards with it."""
    file = Path(folder) / "manifest.json"
    try:
        manifest = Manifest.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        raise RowError(f"{str(folder)!r} holds no finished dataset: there is no manifest.json in it") from None
    except (OSError, ValidationError) as error:
        raise RowError(f"the manifest {str(file)!r} is damaged: {str(error).splitlines()[0]}") from None
    for shard in manifest.shards:
        path = Path(folder) / shard.file
        if not path.exists():
            raise RowError(f"the dataset {str(folder)!r} lacks its shard {shard.file}")
        if verify:
            _check(path, shard)
    return manifest


def load(folder: str | Path, split: str | None = None) -> Iterator[Row]:
    """The rows of a dataset (of one split, if named), in order. Rows are read lazily."""
    manifest = read_manifest(folder)
    if split is not None and split not in manifest.splits:
        raise RowError(f"there is no split {split!r}.{suggestion(split, manifest.splits)} The splits are {', '.join(manifest.splits)}")
    return _rows(Path(folder), [shard for shard in manifest.shards if split in (None, shard.split)])


def _rows(folder: Path, shards: list[Shard]) -> Iterator[Row]:
    for shard in shards:
        _check(folder / shard.file, shard)
        yield from read_shard(folder / shard.file)


def _check(path: Path, shard: Shard) -> None:
    if sha256_of(path) != shard.sha256:
        raise RowError(f"the shard {str(path)!r} is damaged: its hash is not the one in the manifest")
