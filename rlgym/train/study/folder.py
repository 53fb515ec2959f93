"""The folder of a study: its settings, which must not be mixed, files that are written whole, and the version of the code."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.dataset.files import write_atomically


def versions(environments: Iterable[str]) -> dict[str, Any]:
    """The versions of the environments, of rlgym, torch and Python."""
    return {
        "environments": {name: rlgym.environment(name).version for name in sorted(set(environments))},
        "rlgym": rlgym.__version__,
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


@cache
def code_version() -> str:
    """A hash of the trainer's source files, as 12 hexadecimal digits: equal versions compute equal numbers from equal settings."""
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py"), key=lambda file: file.relative_to(folder).as_posix()):
        digest.update(f"{file.relative_to(folder).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def note_code(folder: Path) -> None:
    """Note beside the folder of a run, in NAME.code.json, that the present code works on it."""
    file = _code_file(folder)
    known = read_json(file) or []
    if code_version() not in known:
        write_json(file, [*known, code_version()])


def _code_file(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.code.json")


def codes_of(folders: Iterable[Path]) -> list[str]:
    """The versions of the code that worked on the runs in some folders; "unknown" where a run has no note of it."""
    return sorted({code for folder in folders for code in read_json(_code_file(folder)) or ["unknown"]})


def mixed_code(codes: Sequence[str]) -> list[str]:
    """A warning where the runs of a study are not all of one version of the code; empty otherwise."""
    if len(codes) < 2:
        return []
    return [
        f"The runs were made by different versions of the trainer's source ({', '.join(codes)}): they may differ by more than what is compared."
    ]


def keep_settings(folder: Path, facts: dict[str, Any]) -> None:
    """Write settings.json, or refuse a folder with other settings."""
    file = folder / "settings.json"
    if file.exists():
        known = json.loads(file.read_text(encoding="utf-8"))
        different = sorted(key for key in known | facts if known.get(key) != json.loads(json.dumps(facts.get(key))))
        if different:
            raise RlgymError(f"{str(folder)!r} holds this study with another {' and '.join(different)}: choose another folder with --out")
        return
    write_json(file, facts)


def write_json(file: Path, data: Any) -> None:
    """Write data as JSON, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, (json.dumps(data, indent=1) + "\n").encode())


def read_json(file: Path) -> Any:
    """The data of a JSON file, or None if there is no file."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
