"""Tasks of repositories as rows in the columns of SWE-bench, and such rows of our own packages as tasks; patches judged by their tests.

The columns are those of the paper "SWE-bench: Can Language Models Resolve Real-World GitHub Issues?", and `files`, the tree at the base commit as JSON, which
stands for the repository.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Mapping, Sequence

from rlgym.core import syntax
from rlgym.core.score import Score
from rlgym.generators.programs.patches import Refused, apply, read
from rlgym.generators.programs.repositories import program
from rlgym.generators.programs.suites import Test
from rlgym.generators.repository.commits import unified
from rlgym.generators.repository.world import CALL, Repository
from rlgym.sandbox.grading import grade, parse_case
from rlgym.sandbox.interface import Runner

TESTS = "tests/test_hidden.py"
COLUMNS = (
    "instance_id", "repo", "base_commit", "problem_statement", "hints_text", "created_at", "version", "patch", "test_patch", "FAIL_TO_PASS",
    "PASS_TO_PASS", "environment_setup_commit", "files",
)  # fmt: skip
_HEAD = """\
import importlib


def call(name, *arguments):
    module, _, function = name.rpartition(":")
    return getattr(importlib.import_module(module), function)(*arguments)
"""
_FILE = re.compile(r"^diff --git a/(\S+) b/\S+\n", re.MULTILINE)
Row = dict[str, str]


def to_row(state: Repository, runner: Runner, version: str = "1") -> Row:
    """A task that hidden tests judge, as a row. ValueError for one that is judged in another way.

    The tests run in the sandbox before and after the patch, which tells FAIL_TO_PASS from PASS_TO_PASS.
    """
    if not state.tests:
        raise ValueError("only tasks that hidden tests judge have a row of SWE-bench")
    tree = json.dumps(state.files, sort_keys=True)
    after = _apply_solution(state.files, state.solution)
    before_passed, after_passed = _which_pass(state.files, state.tests, runner), _which_pass(after, state.tests, runner)
    names = [f"{TESTS}::test_{number}" for number in range(1, len(state.tests) + 1)]
    fail = [name for name, before, then in zip(names, before_passed, after_passed, strict=True) if then and not before]
    kept = [name for name, before, then in zip(names, before_passed, after_passed, strict=True) if then and before]
    commit = hashlib.sha1(tree.encode(), usedforsecurity=False).hexdigest()
    return {
        "instance_id": f"rlgym__{state.package}-{commit[:12]}",
        "repo": f"rlgym/{state.package}",
        "base_commit": commit,
        "problem_statement": state.task.partition("\n\nYou work with these tools:")[0],
        "hints_text": "",
        "created_at": "2024-05-17T12:00:00Z",
        "version": version,
        "patch": unified(state.files, state.solution),
        "test_patch": unified(state.files, {TESTS: test_module(state.tests)}),
        "FAIL_TO_PASS": json.dumps(fail),
        "PASS_TO_PASS": json.dumps(kept),
        "environment_setup_commit": commit,
        "files": tree,
    }


def from_row(row: Mapping[str, str], calls: int = 30) -> Repository:
    """The task of a row that `to_row` wrote. ValueError where a column is missing or does not fit."""
    missing = [column for column in COLUMNS if column not in row]
    if missing:
        raise ValueError(f"the row has no column {', '.join(missing)}")
    files = _tree(row["files"])
    solution = patched(files, row["patch"])
    changed: dict[str, str | None] = {path: text for path, text in solution.items() if files.get(path) != text}
    changed |= {path: None for path in files if path not in solution}
    tests = read_tests(patched(files, row["test_patch"]).get(TESTS, ""))
    return Repository(
        task=row["problem_statement"], package=row["repo"].partition("/")[2], files=files, solution=changed, tests=tests, calls=calls
    )


def resolved(row: Mapping[str, str], patch: str, runner: Runner) -> Score:
    """Whether a patch resolves the task of a row: every test of FAIL_TO_PASS and PASS_TO_PASS passes after it."""
    state = from_row(row)
    try:
        files = patched(state.files, patch)
    except ValueError as why:
        return Score.wrong(f"the patch does not apply: {why}")
    passed = _which_pass(files, state.tests, runner)
    wanted = [f"{TESTS}::test_{number}" in json.loads(row["FAIL_TO_PASS"]) for number in range(1, len(passed) + 1)]
    shares = {
        "fail_to_pass": _share([each for each, is_new in zip(passed, wanted, strict=True) if is_new]),
        "pass_to_pass": _share([each for each, is_new in zip(passed, wanted, strict=True) if not is_new]),
    }
    return Score.exact(all(passed), f"{sum(passed)} of {len(passed)} tests pass", **shares)


def test_module(tests: Sequence[Test]) -> str:
    """The hidden tests as a module for pytest."""
    functions = [
        f"\n\ndef test_{number}():\n    assert call(*{arguments}) == {expected}\n" for number, (arguments, expected) in enumerate(tests, 1)
    ]
    return _HEAD + "".join(functions)


def read_tests(module: str) -> tuple[Test, ...]:
    """The tests of a module that `test_module` wrote."""
    found = list[Test]()
    for node in syntax.program(module).body:
        match node:
            case ast.FunctionDef(
                body=[ast.Assert(test=ast.Compare(left=ast.Call(args=[ast.Starred(value=arguments)]), comparators=[expected]))]
            ):
                found.append((ast.unparse(arguments), ast.unparse(expected)))
    return tuple(found)


def patched(files: Mapping[str, str], patch: str) -> dict[str, str]:
    """The files after a unified diff over several files. ValueError where it does not apply."""
    after = dict(files)
    starts = [*_FILE.finditer(patch)]
    if patch.strip() and not starts:
        raise ValueError("the patch has no line that begins with diff --git")
    for match, following in zip(starts, [*starts[1:], None], strict=True):
        path, body = match[1], patch[match.end() : following.start() if following else len(patch)]
        gone = "\n+++ /dev/null" in f"\n{body}"
        body = body[body.find("--- ") :].replace("--- /dev/null", f"--- a/{path}", 1).replace("+++ /dev/null", f"+++ b/{path}", 1)
        try:
            text = apply(after.get(path, ""), read(body.rstrip("\n"), path))
        except Refused as why:
            raise ValueError(f"{path}: {why}") from None
        if gone:
            after.pop(path, None)
        else:
            after[path] = text
    return after


def _apply_solution(files: Mapping[str, str], solution: Mapping[str, str | None]) -> dict[str, str]:
    merged = {**files, **solution}
    return {path: text for path, text in merged.items() if text is not None}


def _which_pass(files: Mapping[str, str], tests: Sequence[Test], runner: Runner) -> tuple[bool, ...]:
    return grade(runner, program(files, CALL), [parse_case(test) for test in tests]).passed


def _tree(text: str) -> dict[str, str]:
    tree = json.loads(text)
    if not isinstance(tree, dict) or not all(isinstance(path, str) and isinstance(content, str) for path, content in tree.items()):
        raise ValueError("the column files must be a JSON object from paths to texts")
    return {path: content for path, content in tree.items() if path}


def _share(passed: Sequence[bool]) -> float:
    return sum(passed) / max(1, len(passed))
