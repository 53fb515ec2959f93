"""The source of an environment is pure and declared in full."""

from __future__ import annotations

import ast
from pathlib import Path

from rlgym.laws.effort import Effort
from rlgym.laws.finding import Finding
from rlgym.laws.subject import Subject

PARSES_CODE = {"literal_eval", "sympify", "parse_expr", "parse_latex"}
FORBIDDEN_CALLS = PARSES_CODE | {"eval", "exec", "compile", "__import__", "open", "input", "print", "globals"}
FORBIDDEN_IMPORTS = set("random time datetime os sys subprocess pickle marshal shelve socket secrets uuid ctypes requests numpy".split())
PLACEHOLDER = "Say in one sentence what the model has to do."
"""The docstring that `rlgym new` writes."""
HEAVY = set("sympy z3 networkx numpy torch duckdb scipy pandas".split())


def clean_source(subject: Subject, effort: Effort) -> Finding:
    """The source evaluates no text as code, uses no clock, file or other randomness, and documents every knob."""
    finding, text = Finding(), Path(subject.file).read_text(encoding="utf-8")
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            _check_call(node, finding)
        if isinstance(node, ast.Import | ast.ImportFrom):
            _check_import(node, node in tree.body, finding)
    doc = (ast.get_docstring(tree) or "").strip()
    finding.require(doc.split("\n")[0].endswith((".", "?")), "the docstring must open with one plain sentence")
    finding.require(
        not doc.startswith(PLACEHOLDER), "the docstring is still the placeholder of `rlgym new`: describe the task in one sentence"
    )
    knobs = subject.declared.config.knobs()
    for name, facts in knobs.items():
        finding.require(bool(facts["doc"]), f"the knob {name} has no doc")
        finding.require(facts["easy"] != facts["hard"] or "fixed" in facts, f"the knob {name} does not change with the level")
    finding.require(len(knobs) > 0, "there is no knob")
    finding.measured = {"lines": len(text.splitlines()), "evaluates_text": any("calls" in failure for failure in finding.failures)}
    return finding


def _check_call(node: ast.Call, finding: Finding) -> None:
    called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
    forbidden = called in (FORBIDDEN_CALLS if isinstance(node.func, ast.Name) else PARSES_CODE)
    finding.require(not forbidden, f"line {node.lineno} calls {called}()")


def _check_import(node: ast.Import | ast.ImportFrom, at_top: bool, finding: Finding) -> None:
    modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    for module in modules:
        package = module.partition(".")[0]
        finding.require(package not in FORBIDDEN_IMPORTS, f"line {node.lineno} imports {module}")
        finding.require(
            not (package in HEAVY and at_top), f"line {node.lineno} imports {module} at the top; import it inside the function that uses it"
        )
