"""What identifies the replies in a folder of labelled steps or trees, so that replies of another model are never taken for this one's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rlgym.dataset.files import write_atomically
from rlgym.evaluate.models.base import Model, Sampling
from rlgym.evaluate.steps.records import StepsError

INFO = "replies.json"


def check_replies(folder: Path, models: Mapping[str, Model | None], sampling: Sampling, separator: str) -> None:
    """Record who replies and how, or check it against the record. A model that is not used now or was not before does not matter.

    Raises StepsError if the folder holds replies of another model, or under other sampling parameters.
    """
    named = {role: None if model is None else [model.kind, model.name] for role, model in models.items()}
    info: dict[str, Any] = json.loads(json.dumps(named | {"sampling": asdict(sampling), "separator": separator}))
    file = folder / INFO
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for name, value in info.items():
        known = stored.get(name)
        if known is not None and value is not None and known != value:
            raise StepsError(f"{folder} holds replies with another {name} ({known!r}, now {value!r}): choose another folder with --out")
    kept = {name: stored.get(name) if value is None else value for name, value in info.items()}
    write_atomically(file, (json.dumps(kept, indent=1) + "\n").encode())
