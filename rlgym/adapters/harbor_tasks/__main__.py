"""`python -m rlgym.adapters.harbor_tasks FOLDER`: which folders run here, and what their solutions and doing nothing earn."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rlgym.adapters.harbor_tasks.package import check_folder, write_package
from rlgym.dataset.harbor_folder import task_folders


def main(arguments: Sequence[str] | None = None) -> None:
    """Check task folders from the command line; the exit status is 1 where one cannot be played or is not sound."""
    parser = argparse.ArgumentParser(prog="python -m rlgym.adapters.harbor_tasks", description="Check Harbor task folders.")
    parser.add_argument("tasks", type=Path, help="a folder of task folders, or one of them")
    parser.add_argument("--package", type=Path, help="write a plug-in package of the sound ones to this folder")
    parser.add_argument("--base", action="append", default=[], help="a base image, besides plain ones, whose programs this machine has")
    given: Any = parser.parse_args(arguments)
    checked = {folder: check_folder(folder, given.base) for folder in task_folders(given.tasks)}
    for one in checked.values():
        earned = "" if one.solution is None else f"solution {one.solution:g}, nothing {one.nothing:g}"
        sys.stdout.write(f"{one.name}: {'; '.join(part for part in (earned, one.problem) if part)}\n")
    sound = [folder for folder, one in checked.items() if not one.problem]
    if given.package is not None:
        if not sound:
            sys.exit("no task folder can be played here, so there is nothing to write")
        name = write_package(given.package, sound, given.base)
        sys.stdout.write(f"{given.package}: {len(sound)} tasks; `pip install {given.package}` adds the environment {name}\n")
    sys.exit(len(sound) < len(checked))


if __name__ == "__main__":
    main()
