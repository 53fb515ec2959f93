"""Checks task folders, and writes plug-in packages of them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rlgym import RlgymError
from rlgym.adapters.harbor_tasks.game import act, best, first_state, run_tests
from rlgym.core.paths import local_path
from rlgym.dataset.harbor_folder import TaskFolderError, read_task_folder, task_folders
from rlgym.sandbox import SandboxError


@dataclass(frozen=True)
class Checked:
    """What a task folder is worth here.

    name      the folder
    solution  what its solution earns; None where the folder cannot be played
    nothing   what an agent that does nothing earns
    problem   why it cannot be played, or should not be
    """

    name: str
    solution: float | None = None
    nothing: float | None = None
    problem: str = ""


def check_folder(folder: str | Path, bases: Sequence[str] = ()) -> Checked:
    """Play a folder's solution, and nothing. A folder is sound where the solution earns 1 and nothing less. SandboxMissing without a sandbox."""
    place = local_path(folder)
    try:
        state = first_state(read_task_folder(place, bases), 2)
    except TaskFolderError as error:
        return Checked(place.name, problem=str(error))
    try:
        solved, nothing = run_tests(act(state, best(state), None)), run_tests(state)
    except SandboxError as error:
        raise RlgymError(f"the sandbox cannot run {place.name!r}: {error}") from None
    problem = f"its solution fails: {solved.reason}" if solved.value < 1 else "doing nothing solves it" if nothing.value == 1 else ""
    return Checked(place.name, solved.value, nothing.value, problem)


PROJECT = """\
[project]
name = "{project}"
version = "1"
dependencies = ["rlvrgym"]

[project.entry-points."rlgym.envs"]
{package} = "{package}"

[tool.setuptools]
packages = ["{package}"]

[tool.setuptools.package-data]
{package} = ["tasks/**/*"]

[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
"""
MODULE = '''\
"""{title}: task folders in the Harbor format, played with a shell in the sandbox."""

from pathlib import Path

from rlgym.adapters.harbor_tasks import harbor_game

environment = harbor_game(Path(__file__).parent / "tasks", bases={bases})
'''


def write_package(out: str | Path, tasks: str | Path | Sequence[Path], bases: Sequence[str] = ()) -> str:
    """Write a plug-in package with a copy of the task folders; returns the name of its environment, which is the folder's name.

    tasks  a folder of task folders, or a list of them
    bases  names of base images, besides plain ones, whose programs this machine has

    Once it is installed with pip, the environment is there under its name for `rlgym.make`, datasets, adapters and evaluation.
    """
    folder, found = local_path(out), task_folders(tasks) if isinstance(tasks, str | Path) else tasks
    name = folder.name.replace("-", "_").lower()
    if not name.isidentifier():
        raise RlgymError(f"an environment's name consists of letters, digits and underscores, got {folder.name!r}")
    package = f"{name}_tasks"
    if (folder / package).exists():
        raise RlgymError(f"{str(folder / package)!r} exists already: give another folder")
    (folder / package / "tasks").mkdir(parents=True)
    (folder / package / "__init__.py").write_text("")
    (folder / package / f"{name}.py").write_text(MODULE.format(title=name, bases=repr(tuple(bases))))
    (folder / "pyproject.toml").write_text(PROJECT.format(project=folder.name.replace("_", "-"), package=package))
    for task in found:
        shutil.copytree(task, folder / package / "tasks" / task.name)
    return name
