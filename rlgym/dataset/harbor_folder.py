"""Reads task folders in the Harbor format, and says what in them needs a container."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.core.paths import local_path
from rlgym.dataset.dockerfile import Image, network_commands, read_dockerfile, read_files

SHELLS = ("bash", "sh")


class TaskFolderError(RlgymError, ValueError):
    """A task folder is incomplete, or needs a container."""


@dataclass(frozen=True)
class TaskFolder:
    """A task that needs no container.

    name         the name in task.toml, or the folder's
    instruction  what the agent reads
    image        the agent's files, folders, variables and working directory
    tests        the files of `tests`, which are never shown
    solution     the files of `solution`, which are never shown
    artifacts    for a verifier of its own: the paths that it gets from the agent's files; None where it sees all of them
    test_env     variables of the tests
    seconds      time limit of the tests
    memory_mb    memory limit
    """

    name: str
    instruction: str
    image: Image
    tests: Mapping[str, bytes]
    solution: Mapping[str, bytes]
    artifacts: tuple[str, ...] | None = None
    test_env: Mapping[str, str] = field(default_factory=dict)
    solution_env: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 600.0
    memory_mb: int = 2048


def is_task_folder(folder: Path) -> bool:
    """Whether a folder has the two files that every task has."""
    return (folder / "task.toml").is_file() and (folder / "instruction.md").is_file()


def task_folders(place: str | Path) -> list[Path]:
    """The task folders of a dataset, sorted, or the folder itself. TaskFolderError where there is none."""
    root = local_path(place)
    found = [root] if is_task_folder(root) else sorted(path for path in root.glob("*") if is_task_folder(path))
    if not found:
        raise TaskFolderError(f"{str(root)!r} holds no task folder: each has an instruction.md and a task.toml")
    return found


def read_task_folder(folder: str | Path, bases: Sequence[str] = ()) -> TaskFolder:
    """Read a task folder. TaskFolderError names everything that needs a container, or is missing.

    bases  names of base images, besides plain ones, whose programs this machine has
    """
    place = local_path(folder)
    if not is_task_folder(place):
        raise TaskFolderError(f"{str(place)!r} is not a task folder: it needs an instruction.md and a task.toml")
    try:
        settings = tomllib.loads((place / "task.toml").read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskFolderError(f"{str(place / 'task.toml')!r} cannot be read: {error}") from None
    dockerfile = place / "environment" / "Dockerfile"
    image = read_dockerfile(dockerfile, bases) if dockerfile.is_file() else Image(workdir="/app", folders=["app"])
    environment, verifier = settings.get("environment", {}), settings.get("verifier", {})
    image.workdir = environment.get("workdir") or image.workdir
    image.env |= environment.get("env", {})
    tests = read_files(place / "tests")
    if problems := [*image.problems, *_setting_problems(settings), *_file_problems(place, tests, bases)]:
        raise TaskFolderError(
            f"the task folder {place.name!r} needs a container, or is not complete: {'; '.join(problems)}. Run it with Harbor"
        )
    tests = {name: data for name, data in tests.items() if name != "Dockerfile"}
    return TaskFolder(
        name=str(settings.get("task", {}).get("name") or place.name),
        instruction=(place / "instruction.md").read_text(encoding="utf-8").strip(),
        image=image,
        tests=tests,
        solution=read_files(place / "solution"),
        artifacts=tuple(settings.get("artifacts", ())) if _separate(verifier) else None,
        test_env=verifier.get("env", {}),
        solution_env=settings.get("solution", {}).get("env", {}),
        seconds=_limit(verifier.get("timeout_sec"), 600.0),
        memory_mb=int(_limit(environment.get("memory_mb"), 2048)),
    )


def _separate(verifier: Mapping[str, Any]) -> bool:
    return verifier.get("environment_mode") == "separate" or ("environment_mode" not in verifier and "environment" in verifier)


def _limit(value: Any, default: float) -> float:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) and value > 0 else default


def _setting_problems(settings: Mapping[str, Any]) -> list[str]:
    environment, verifier = settings.get("environment", {}), settings.get("verifier", {})
    variables = {**environment.get("env", {}), **verifier.get("env", {}), **settings.get("solution", {}).get("env", {})}
    checks = {
        "several steps": settings.get("steps"),
        f"the image {environment.get('docker_image')!r}": environment.get("docker_image"),
        "an accelerator": environment.get("gpus") or environment.get("tpu"),
        f"the operating system {environment.get('os')!r}": environment.get("os", "linux") != "linux",
        "MCP servers": environment.get("mcp_servers"),
        "collect hooks": verifier.get("collect"),
        "artifacts of a service": any(not isinstance(artifact, str) for artifact in settings.get("artifacts", ())),
        "variables of the host": any("${" in str(value) for value in variables.values()),
    }
    return [name for name, there in checks.items() if there]


def _file_problems(place: Path, tests: Mapping[str, bytes], bases: Sequence[str]) -> list[str]:
    composed = [place / "environment" / f"docker-compose.{ending}" for ending in ("yaml", "yml")]
    problems = [problem for file in composed if file.is_file() for problem in _compose_problems(file)]
    if (place / "tests" / "Dockerfile").is_file():
        image = read_dockerfile(place / "tests" / "Dockerfile", bases)
        problems += [f"{problem} of the tests' image" for problem in image.problems]
    for name, files in (("tests/test.sh", tests), ("solution/solve.sh", read_files(place / "solution"))):
        problems += _script_problems(name, files.get(name.partition("/")[2]))
    return problems


def _compose_problems(file: Path) -> list[str]:
    """The services besides the agent's own container, which a Compose file may configure."""
    import yaml

    try:
        read = yaml.safe_load(file.read_text(encoding="utf-8"))
        services = sorted(map(str, read["services"]))
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError):
        return [f"{file.name} cannot be read"]
    return [f"the service {name} of {file.name}" for name in services if name != "main"]


def _script_problems(name: str, data: bytes | None) -> list[str]:
    if data is None:
        return [f"{name} does not exist"]
    text = data.decode("utf-8", "replace")
    first = text.split("\n", 1)[0]
    interpreter = first.removeprefix("#!").split()[-1].rpartition("/")[2] if first.startswith("#!") and first[2:].split() else "bash"
    commands = network_commands(text)
    return [
        *([f"{name} is no shell script"] if interpreter not in SHELLS else []),
        *(f"{name} runs `{command[:60]}`" for command in commands),
    ]
