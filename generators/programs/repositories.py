"""Small repositories of Python modules that can be planted with faults, and the program that runs them without any files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import indent

from rlgym.core.rng import Rng
from rlgym.generators.programs import pipelines
from rlgym.generators.programs.pipeline_steps import Step

PACKAGES = "orders ledger sensors parcels tickets scores harvest timetable rainfall traffic stock voyage library weights tides".split()
MODULES = "intake cleaning shaping measure report filters ranking windows totals checks merge rounds layers".split()
NAMES = "prepare tidy arrange refine adjust narrow settle compile align distil sift spread gather trim".split()

# Put before a program, it makes modules of a dictionary of texts importable; no file is read.
IMPORTER = """
import importlib.abc, importlib.util, sys
class _Texts(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        place = name.replace(".", "/")
        for text, package in ((place + "/__init__.py", True), (place + ".py", False)):
            if text in FILES:
                return importlib.util.spec_from_loader(name, self, origin=text, is_package=package)
        return None
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        exec(compile(FILES[module.__spec__.origin], module.__spec__.origin, "exec"), module.__dict__)
sys.meta_path.insert(0, _Texts())
"""

RUN_TESTS = """
def solve():
    said = []
    for path in sorted(FILES):
        if not (path.startswith("tests/") and path.endswith(".py")):
            continue
        scope = {"__name__": path[:-3].replace("/", ".")}
        try:
            exec(compile(FILES[path], path, "exec"), scope)
        except Exception as error:
            said.append((path, "cannot be loaded: " + type(error).__name__ + ": " + str(error)))
            continue
        for name in [name for name in scope if name.startswith("test")]:
            try:
                scope[name]()
            except Exception as error:
                said.append((path + ":" + name, "fails: " + type(error).__name__ + ": " + str(error)))
            else:
                said.append((path + ":" + name, ""))
    return said
"""


def program(files: Mapping[str, str], rest: str) -> str:
    """One program that holds the files as texts, can import them, and ends with `rest`."""
    return f"FILES = {dict(files)!r}\n{IMPORTER}\n{rest}"


def repository(
    rng: Rng, steps: Sequence[Step], codes: Sequence[str], examples: Sequence[tuple[str, str]], described: str
) -> dict[str, str]:
    """A package whose `run.solve` does the steps, each in a function of some module, with tests that hold for the right one.

    codes      what the functions do, step by step
    described  "docstrings": each function says what its step should do; "readme": only a list in README.md does
    """
    package = rng.choice(PACKAGES)
    modules = rng.sample(MODULES, max(1, (len(steps) + 1) // 2))
    names = [f"{name}_{i + 1}" if i >= len(NAMES) else name for i, name in enumerate(rng.sample(NAMES, min(len(steps), len(NAMES))))]
    homes = [rng.choice(modules) for _ in steps]
    texts: dict[str, list[str]] = {}
    for step, code, name, home in zip(steps, codes, names, homes, strict=True):
        words = f'    """{step.words[0].upper()}{step.words[1:]}."""\n' if described == "docstrings" else ""
        texts.setdefault(home, []).append(f"def {name}(values):\n{words}{indent(code, '    ')}\n    return values\n")
    files = {f"{package}/__init__.py": ""}
    for home, functions in texts.items():
        files[f"{package}/{home}.py"] = "\n\n".join(rng.shuffled(functions))
    imports = "\n".join(f"from {package}.{home} import {name}" for home, name in sorted(zip(homes, names, strict=True)))
    calls = "\n".join(f"    values = {name}(values)" for name in names)
    files[f"{package}/run.py"] = f"{imports}\n\n\ndef solve(values):\n{calls}\n    return values\n"
    tests = "\n\n".join(f"def test_{number}():\n    check({test[0][1:-2]}, {test[1]})\n" for number, test in enumerate(examples, 1))
    asserted = "def check(values, wanted):\n    got = solve(list(values))\n    assert got == wanted, f'solve({values}) returns {got}, not {wanted}'\n"
    files["tests/test_run.py"] = f"from {package}.run import solve\n\n\n{asserted}\n\n{tests}"
    listed = pipelines.statement(steps) if described == "readme" else "What each step does stands in its function."
    files["README.md"] = (
        f"# {package}\n\n`{package}.run.solve(values)` takes a list of at most {pipelines.LONGEST} integers from {pipelines.LEAST} to "
        f"{pipelines.MOST} and does the following, one step after the other, each with what the step before has left.\n\n{listed}\n"
    )
    return dict(sorted(files.items()))
