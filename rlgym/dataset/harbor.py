"""Rows as task folders in the Harbor format: an instruction, the agent's image, a verifier in an image of its own, and the oracle's solution."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rlgym.core.errors import RecipeError, RowError
from rlgym.core.paths import local_path
from rlgym.dataset.harbor_files import (
    AGENT_DOCKERFILE,
    COMPOSE,
    IGNORED,
    MANY_TURNS,
    ONE_TURN,
    RESPOND,
    SOLVE_MANY_TURNS,
    SOLVE_ONE_TURN,
    TASK,
    TASK_ANSWER,
    TASK_WORLD,
    TEST_MANY_TURNS,
    TEST_ONE_TURN,
    VERIFIER_DOCKERFILE,
    WORLD_DOCKERFILE,
)
from rlgym.dataset.harbor_folder import task_folders
from rlgym.dataset.rows import Row
from rlgym.dataset.session import Session
from rlgym.dataset.task_json import from_task_json, to_task_json
from rlgym.episode.play import EXTRAS
from rlgym.registry import environment

Files = dict[str, str]


def write_tasks(rows: Iterable[Row], out: str | Path, *, wheel: str | Path | None = None) -> int:
    """Write one task folder for each row below `out`, which must not exist or be empty; returns their number.

    wheel  a wheel of rlgym that the images install, from `pip wheel --no-deps .` in a clone; without one they install the published package
    """
    folder, installed = local_path(out), None if wheel is None else local_path(wheel)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RecipeError(f"task folders are written to a new or empty folder, and {str(folder)!r} holds files: give another one")
    if installed is not None and (installed.suffix != ".whl" or not installed.is_file()):
        raise RecipeError(f"the wheel must be a .whl file that exists, got {str(installed)!r}")
    unfinished = folder.with_name(f"{folder.name}.{os.getpid()}.unfinished")
    count = 0
    try:
        unfinished.mkdir(parents=True)
        for row in rows:
            _write_folder(unfinished / task_name(row), task_files(row, installed), installed)
            count += 1
        if not count:
            raise RowError("there is no task to write: the dataset or split has no rows that this layout takes")
        if folder.exists():
            folder.rmdir()
        os.replace(unfinished, folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return count


def read_tasks(tasks: str | Path) -> Iterator[Row]:
    """The rows of task folders that `write_tasks` wrote, with the columns that scoring needs. RowError for the folder of another program."""
    for folder in task_folders(tasks):
        found = [file for path in ("tests/task.json", "environment/world/task.json") if (file := folder / path).is_file()]
        if not found:
            raise RowError(
                f"the task folder {folder.name!r} holds no task of rlgym: rlgym.adapters.harbor_tasks plays those of other programs"
            )
        yield from_task_json(found[0].read_text(encoding="utf-8"))


def task_name(row: Row) -> str:
    """The name of a row's folder. It does not hold the seed, from which a reader with rlgym could make the task and its solution."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", row["env"])
    return f"{name}-v{row['version']}-{hashlib.sha256(row['id'].encode()).hexdigest()[:12]}"


def task_files(row: Row, wheel: Path | None = None) -> Files:
    """The text files of a row's folder, by path. Paths below `tests`, `solution` and `environment/world` are never shown to the agent."""
    one_turn = row["kind"] == "environment"
    requirement, copy = _requirement(row["env"], wheel)
    install = {"requirement": requirement, "copy": copy}
    files = _is_single_turn(row, install) if one_turn else _many_turns(row, install)
    about = {"id": row["id"], "environment": row["env"], "version": row["version"], "domain": row["domain"], "kind": row["kind"]}
    about |= {"level": row["level"], "split": row.get("split") or ""}
    tables = TASK_ANSWER if one_turn else TASK_WORLD
    files["task.toml"] = TASK.format(
        name=_toml(f"rlgym/{task_name(row)}"),
        keywords=_toml([row["domain"], row["env"]]),
        metadata="\n".join(f"{key} = {_toml(value)}" for key, value in about.items() if value is not None),
        artifacts=tables,
    )
    return files


def _is_single_turn(row: Row, install: Mapping[str, str]) -> Files:
    return {
        "instruction.md": _prompt(row) + ONE_TURN,
        "environment/Dockerfile": AGENT_DOCKERFILE,
        "tests/Dockerfile": VERIFIER_DOCKERFILE.format(**install),
        "tests/test.sh": TEST_ONE_TURN.format(requirement=install["requirement"]),
        "tests/task.json": to_task_json(row),
        "solution/solve.sh": SOLVE_ONE_TURN,
        "solution/response.txt": row["oracle_response"],
    }


def _many_turns(row: Row, install: Mapping[str, str]) -> Files:
    session = Session(row)
    return {
        "instruction.md": _prompt(row) + MANY_TURNS.format(turns=session.max_turns),
        "environment/Dockerfile": AGENT_DOCKERFILE + "COPY --chmod=755 respond /usr/local/bin/respond\n",
        "environment/.dockerignore": IGNORED,
        "environment/respond": RESPOND,
        "environment/docker-compose.yaml": COMPOSE,
        "environment/world/Dockerfile": WORLD_DOCKERFILE.format(**install),
        "environment/world/task.json": to_task_json(row),
        "tests/Dockerfile": "FROM python:3.12-slim\nCOPY . /tests\n",
        "tests/test.sh": TEST_MANY_TURNS,
        "solution/solve.sh": SOLVE_MANY_TURNS,
        "solution/turns.json": row["oracle_response"],
    }


def _prompt(row: Row) -> str:
    prompt: str = row["messages"][0]["content"]
    # Harbor drops comment lines with the word "canary" from the start of an instruction.
    return f"# Task\n\n{prompt}" if re.match(r"\s*(<!--|#)", prompt) else prompt


def _requirement(name: str, wheel: Path | None) -> tuple[str, str]:
    """What pip installs in an image, and the lines of the Dockerfile before: programs of the system, and what is copied there."""
    from rlgym import __version__

    extras = ",".join(EXTRAS.get(package, package) for package in getattr(environment(name), "needs", ()) if package not in _BASE)
    extras = f"[{extras}]" if extras else ""
    programs = " ".join(_SYSTEM_PACKAGES.get(program, program) for program in getattr(environment(name), "programs", ()))
    system = (
        f"RUN apt-get update && apt-get install -y --no-install-recommends {programs} && rm -rf /var/lib/apt/lists/*\n" if programs else ""
    )
    if wheel is None:
        return f"rlvrgym{extras}=={__version__}", system
    return f"/wheels/{wheel.name}{extras}", f"{system}COPY {wheel.name} /wheels/\n"


_SYSTEM_PACKAGES = {"gcc": "gcc libc6-dev"}  # of programs that need more than the package of their name
_BASE = {"z3", "sympy"}
"""Packages that come with rlgym."""


def _write_folder(folder: Path, files: Files, wheel: Path | None) -> None:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if text.startswith("#!"):
            file.chmod(0o755)
    if wheel is not None:
        _link(wheel, folder / ("tests" if "tests/task.json" in files else "environment/world") / wheel.name)


def _link(source: Path, target: Path) -> None:
    """A hard link where the file system allows one: each folder has the wheel, and a thousand copies would fill gigabytes."""
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copy(source, target)


def _toml(value: object) -> str:
    """A text, number or list of texts in TOML, whose basic strings are those of JSON."""
    return json.dumps(value)
