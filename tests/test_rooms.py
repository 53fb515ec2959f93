"""Who may import whom, read from the sources."""

import ast
import os
import re
from pathlib import Path

import pytest
from import_statements import import_statements

import rlgym

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
ROOMS = ("envs", "generators", "sandbox")
IN_RLGYM = {path.name.removesuffix(".py") for path in (ROOT / "rlgym").iterdir()}
PUBLIC = {"rlgym", "rlgym.answers", "rlgym.rubrics", "rlgym.solutions"}

# room -> what of ours it may import, as prefixes; a room may always import itself
MAY = {
    "core": (),
    "answers": ("rlgym.core",),
    "solutions": ("rlgym.core",),
    # A judge may run programs as a tool.
    "rubrics": ("rlgym.core", "rlgym.answers", "rlgym.sandbox"),
    # Generators read worked steps, and the SQL engine decides facts about databases.
    "generators": ("rlgym.core", "rlgym.answers", "rlgym.rubrics", "rlgym.solutions", "rlgym.sandbox"),
    "sandbox": ("rlgym.core",),
    "envs": ("rlgym", "rlgym.answers", "rlgym.rubrics", "rlgym.generators", "rlgym.sandbox", "rlgym.solutions"),
    # The table of derived environments.
    "registry": ("rlgym.core", "rlgym.envs", "rlgym.derived"),
    # NAME:with_python runs programs.
    "derived": ("rlgym.core", "rlgym.answers", "rlgym.solutions", "rlgym.sandbox"),
    "gymnasium_ids": ("rlgym.registry",),
    "episode": ("rlgym.core", "rlgym.registry", "rlgym.sandbox", "rlgym.solutions"),
    # A judge labels what the world shows.
    "rewards": ("rlgym.core", "rlgym.answers", "rlgym.episode", "rlgym.rubrics"),
    "laws": ("rlgym.core", "rlgym.answers", "rlgym.registry", "rlgym.episode", "rlgym.solutions"),
    # Tasks of repositories are written in the columns of SWE-bench, and recorded responses are read step by step.
    "dataset": (
        "rlgym.core",
        "rlgym.answers",
        "rlgym.registry",
        "rlgym.derived",
        "rlgym.episode",
        "rlgym.solutions",
        "rlgym.generators.repository",
        "rlgym",
    ),
    # Queries that a model wrote are compiled in the sandbox, and reward programs are accepted by the audit.
    "train": ("rlgym", "rlgym.core", "rlgym.sandbox", "rlgym.solutions", "rlgym.dataset", "rlgym.rewards", "rlgym.evaluate", "rlgym.audit"),
    "users": ("rlgym.core", "rlgym.episode", "rlgym.rubrics"),
    # A strategy runs the programs that a model writes as a check.
    "evaluate": ("rlgym", "rlgym.sandbox", "rlgym.core", "rlgym.dataset", "rlgym.solutions", "rlgym.users"),
    "serve": ("rlgym", "rlgym.dataset"),
    "audit": ("rlgym", "rlgym.core", "rlgym.answers", "rlgym.dataset", "rlgym.evaluate", "rlgym.sandbox"),
    # Task folders of other programs are played in the sandbox.
    "adapters": ("rlgym", "rlgym.answers", "rlgym.core", "rlgym.dataset", "rlgym.sandbox"),
    "cli": ("rlgym",),
}


def _room(file: Path) -> str:
    parts = file.relative_to(ROOT).parts
    if parts[0] in ROOMS:
        return parts[0]
    return parts[1].removesuffix(".py") if len(parts) > 1 else parts[0]


def _imports(file: Path) -> list[str]:
    found = []
    for node, _ in import_statements(file):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        else:
            if node.level and "inside" in file.parts:
                # The far side of the sandbox runs apart from the library: it may import nothing but its own neighbours.
                assert node.module is None, f"{file} imports from {node.module}"
                continue
            assert node.level == 0, f"{file}: relative imports hide which room is meant"
            if node.module in ("rlgym", "rlgym.generators"):
                found += [
                    f"rlgym.{alias.name}" if alias.name in IN_RLGYM and node.module == "rlgym" else node.module for alias in node.names
                ]
            else:
                found.append(node.module)
    return [name for name in found if name == "rlgym" or name.startswith("rlgym.")]


def _sources() -> dict[str, list[Path]]:
    """The files of each room."""
    inside = [path for path in (ROOT / "rlgym").rglob("*.py") if path.relative_to(ROOT).parts[1] not in ROOMS]
    rooms: dict[str, list[Path]] = {}
    for file in (*inside, *(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))):
        rooms.setdefault(_room(file), []).append(file)
    return rooms


def _may_import(room: str, name: str) -> bool:
    if room == "envs":
        return name in PUBLIC or name.startswith(("rlgym.generators", "rlgym.answers.", "rlgym.sandbox"))
    allowed = (f"rlgym.{room}", *MAY[room])
    inside = [prefix for prefix in allowed if prefix != "rlgym" or room == "cli"]
    return name in allowed or any(name.startswith(f"{prefix}.") for prefix in inside)


SOURCES = _sources()


@pytest.mark.parametrize("room", sorted(SOURCES.keys() - {"__init__", "__main__"}))
def test_rooms_import_downwards_only(room):
    wrong = [f"{file.relative_to(ROOT)} imports {name}" for file in SOURCES[room] for name in _imports(file) if not _may_import(room, name)]
    assert not wrong


def test_the_page_lists_what_each_room_may_import():
    listed = {}
    for room, may in re.findall(r"^\| `([^`]+)` \| [^|]+ \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        name = room.removeprefix("rlgym/").partition("/")[0].removesuffix(".py")
        words = [] if may == "nothing of ours" else may.split(", ")
        listed[name] = {"rlgym" if word in ("public names", "everything") else f"rlgym.{word}" for word in words}
    assert listed == {room: set(names) for room, names in MAY.items()}


def test_no_two_folders_of_evaluate_import_each_other():
    """Steps import strategies, strategies import models, and never the other way round, over any number of folders."""
    below: dict[str, set[str]] = {}
    for file in SOURCES["evaluate"]:
        folder = file.parent.name
        names = {name.split(".")[2] for name in _imports(file) if name.startswith("rlgym.evaluate.")}
        if folder != "evaluate":
            below.setdefault(folder, set()).update(name for name in names - {folder} if (ROOT / "rlgym" / "evaluate" / name).is_dir())
    while leaves := {folder for folder, names in below.items() if not names & below.keys()}:
        below = {folder: names for folder, names in below.items() if folder not in leaves}
    assert not below


def test_the_links_are_the_rooms():
    for room in ROOMS:
        assert os.path.samefile(ROOT / room, ROOT / "rlgym" / room)


def test_every_folder_is_a_package():
    # A folder without __init__.py is left out of the wheel without a word.
    for room in ROOMS:
        for file in (ROOT / room).rglob("*.py"):
            assert (file.parent / "__init__.py").exists(), f"{file.parent} has no __init__.py"


def test_every_file_is_an_environment():
    files = {path.stem for path in (ROOT / "envs").glob("*/*.py") if not path.name.startswith("_")}
    assert files <= set(rlgym.names())
