"""What a finished dataset says about itself: the manifest and the card."""

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
    """Versions, counts and hashes of a dataset. `duplicates` is how many were met and refused while building."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    made_by: str
    licence: str
    digest: str
    recipe: dict[str, Any]
    versions: dict[str, int]
    rows: int
    duplicates: int
    splits: dict[str, int]
    environments: dict[str, int]
    domains: dict[str, int]
    levels: dict[str, int]
    shards: list[Shard]

    def text(self) -> str:
        """The manifest as it is written."""
        return json.dumps(self.model_dump(), indent=1, ensure_ascii=False) + "\n"


def card(manifest: Manifest) -> str:
    """The dataset card, with the front matter from which the `datasets` library finds the splits."""
    kind = manifest.recipe["format"]
    lines = [
        "---",
        f"license: {json.dumps(manifest.licence.lower())}",
        f"pretty_name: {json.dumps(manifest.name)}",
        "configs:",
        "- config_name: default",
    ]
    lines.append("  data_files:")
    for split, rows in manifest.splits.items():
        if rows:
            lines += [f"  - split: {split}", f"    path: {split}-*.{kind}"]
    lines += ["---", "", f"# {manifest.name}", "", f"{manifest.rows} verifiable tasks, made by {manifest.made_by}.", ""]
    lines += ["| split | rows |", "|---|---|", *(f"| {split} | {rows} |" for split, rows in manifest.splits.items()), ""]
    lines += ["| environment | version | rows |", "|---|---|---|"]
    lines += [f"| {name} | {manifest.versions[name]} | {rows} |" for name, rows in manifest.environments.items()]
    lines += [
        "",
        "No two rows hold the same task, and no two splits share one: a task's split is decided by a hash of its content. Every",
        "`oracle_response` has been scored, and is right. Score responses to these rows with `rlgym.score(row, response)` or",
        "`rlgym dataset score`; the verifier needs no more than the row.",
        "",
        "The recipe:",
        "",
        "```json",
        json.dumps(manifest.recipe, indent=1, ensure_ascii=False),
        "```",
    ]
    return "\n".join(lines) + "\n"
