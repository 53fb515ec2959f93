"""Laws beyond the eleven: explanations, hints and feedback help without giving the answer away, and the source is clean."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

from rlgym.episode.hints import Tier, hint, holds
from rlgym.episode.play import feedback, opening
from rlgym.laws.finding import Effort, Finding
from rlgym.laws.subject import LEVELS, Subject

LONG_ENOUGH = 4  # shorter answers turn up in any text by chance


def helpful(subject: Subject, effort: Effort) -> Finding:
    """An explanation ends with the answer; hints below the last tier and feedback never hold it."""
    found, explained = Finding(), 0
    found.require(bool(subject.declared.concept), "there is no `concept`, the idea given as the first hint")
    for i in effort.samples(2, 20):
        for level in LEVELS:
            task = subject.task(i, level)
            where = f"seed {i} level {level}"
            position = opening(subject.declared, task, "tag")
            answer = subject.declared.answer.render(subject.right(task))
            if subject.declared.explain is not None:
                steps = subject.declared.explain(task if subject.single else task.data)
                explained += 1
                if found.require(
                    bool(steps) and all(isinstance(step, str) and step.strip() for step in steps),
                    f"the explanation of {where} has empty steps",
                ):
                    found.require(answer in steps[-1], f"the explanation of {where} does not end with the answer {answer!r:.60}")
            if len(answer) < LONG_ENOUGH or holds(task.prompt, answer):
                continue
            for tier in get_args(Tier)[:-1]:
                found.require(not holds(hint(subject.declared, position, tier), answer), f"the hint {tier!r} of {where} holds the answer")
            if subject.single:
                for mistake in subject.mistakes(position)[:4]:
                    told = feedback(subject.score(task, subject.says(mistake)))
                    given = subject.declared.answer.render(mistake)
                    found.require(
                        holds(given, answer) or not holds(told, answer), f"the feedback on {where} holds the answer: {told!r:.80}"
                    )
    found.measured = {"explains": subject.declared.explain is not None, "explained": explained}
    return found


FORBIDDEN_CALLS = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "literal_eval",
    "sympify",
    "parse_expr",
    "parse_latex",
    "open",
    "input",
    "print",
    "globals",
}
FORBIDDEN_IMPORTS = {
    "random",
    "time",
    "datetime",
    "os",
    "sys",
    "subprocess",
    "pickle",
    "marshal",
    "shelve",
    "socket",
    "secrets",
    "uuid",
    "ctypes",
    "requests",
    "numpy",
}
HEAVY = {"sympy", "z3", "networkx", "numpy", "torch", "duckdb", "scipy", "pandas"}


def clean(subject: Subject, effort: Effort) -> Finding:
    """The source evaluates no text as code, draws on no clock, file or other randomness, and is declared in full."""
    found = Finding()
    tree = ast.parse(Path(subject.file).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
            plain = isinstance(node.func, ast.Name) or called in {"literal_eval", "sympify", "parse_expr", "parse_latex"}
            found.require(not (plain and called in FORBIDDEN_CALLS), f"line {node.lineno} calls {called}()")
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            for module in modules:
                top = module.partition(".")[0]
                found.require(top not in FORBIDDEN_IMPORTS, f"line {node.lineno} imports {module}")
                found.require(
                    not (top in HEAVY and node in tree.body), f"line {node.lineno} imports {module} at the top; import it where it is used"
                )
    doc = (ast.get_docstring(tree) or "").strip()
    found.require(doc.split("\n")[0].endswith((".", "?")), "the docstring must open with one plain sentence")
    for name, facts in subject.declared.config.knobs().items():
        found.require(bool(facts["doc"]), f"the knob {name} has no doc")
        found.require(facts["easy"] != facts["hard"], f"the knob {name} does not move with the level")
    found.require(len(subject.declared.config.knobs()) > 0, "there is no knob")
    found.measured = {
        "lines": len(Path(subject.file).read_text(encoding="utf-8").splitlines()),
        "evaluates_text": any("calls" in said for said in found.failures),
    }
    return found
