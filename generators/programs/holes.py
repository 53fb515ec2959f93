"""Programs with holes for expressions: cutting them, filling them, and telling whether only they were filled."""

from __future__ import annotations

import ast
import re
from functools import partial

from rlgym.core import syntax
from rlgym.core.rng import Rng
from rlgym.generators.programs import interpreter, mutants
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.suites import Meaning

HOLE = "HOLE_"
WIDEST = 12  # nodes that a hole may have more than the least


def mutate(template: str, reference: str, most: int = 12) -> list[str]:
    """Mutants of the program that differ from it in a hole only."""
    holes = cut_out(template, reference)
    changed = [(hole, other) for hole, text in holes.items() for other in mutants.mutants(text) if other != "pass"]
    return [fill(template, {**holes, hole: other}) for hole, other in changed[:: len(changed) // most + 1]]


def slips(template: str, reference: str) -> list[Meaning]:
    """What these mutants do, where our own evaluator knows their part of Python."""
    programs = []
    for text in mutate(template, reference):
        try:
            programs.append(interpreter.program(text))
        except Stopped:
            continue
    return [partial(slip, wrong_program) for wrong_program in programs]


def slip(program: interpreter.Program, values: list[int]) -> object:
    """What the program returns; nothing if it fails."""
    try:
        return program.run(list(values)).value
    except Stopped:
        return None


def cut_out(template: str, reference: str) -> dict[str, str]:
    """The expressions that were cut out, by the names of their holes."""
    return {hole: ast.unparse(node) for hole, node in match_template(template, reference) or ()}


def cut(rng: Rng, program: str, count: int, least: int) -> str:
    """The program with names put for `count` expressions that do not touch; nothing if there are too few of them."""
    targets_left = [node for node in ast.walk(syntax.program(program)) if isinstance(node, ast.expr) and fit(node, least)]
    taken: list[ast.expr] = []
    while targets_left and len(taken) < count:
        taken.append(rng.choice(targets_left))
        targets_left = [node for node in targets_left if node not in ast.walk(taken[-1]) and taken[-1] not in ast.walk(node)]
    if len(taken) < count:
        return ""
    lines = program.split("\n")
    for number, node in sorted(enumerate(sorted(taken, key=lambda node: (node.lineno, node.col_offset)), 1), reverse=True):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = f"{line[: node.col_offset]}{HOLE}{number}{line[node.end_col_offset :]}"
    return "\n".join(lines)


def fit(node: ast.expr, least: int) -> bool:
    """Whether the expression may be cut out: it is read, not written to, stands on one line, and is of the size wanted."""
    size = sum(isinstance(inner, ast.expr) for inner in ast.walk(node))
    plain = not isinstance(node, ast.Slice | ast.Starred | ast.GeneratorExp) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    return plain and node.lineno == node.end_lineno and least <= size <= least + WIDEST


def fill(template: str, holes: dict[str, str], rest: str = "") -> str:
    """The template with these expressions, in parentheses, for the holes."""
    return re.sub(rf"{HOLE}\d", lambda hole: f"({holes.get(hole[0], rest)})", template)


def misfit(template: str, program: str) -> str:
    """Why the program is not the template with expressions for its holes; nothing if it is."""
    fillers = match_template(template, program)
    if fillers is None:
        return "more than the holes was changed"
    return "a hole is left" if any(isinstance(node, ast.Name) and node.id == hole for hole, node in fillers) else ""


def match_template(template: str, program: str) -> list[tuple[str, ast.AST]] | None:
    """What stands in the place of each hole, if the programs are equal everywhere else."""
    fillers: list[tuple[str, ast.AST]] = []
    todo: list[tuple[object, object]] = [(syntax.program(template), syntax.program(program))]
    while todo:
        pattern, given = todo.pop()
        if isinstance(pattern, ast.Name) and pattern.id.startswith(HOLE) and isinstance(given, ast.expr):
            fillers.append((pattern.id, given))
        elif type(pattern) is not type(given):
            return None
        elif isinstance(pattern, ast.AST):
            todo += [(getattr(pattern, name, None), getattr(given, name, None)) for name in pattern._fields if name != "kind"]
        elif isinstance(pattern, list) and isinstance(given, list):
            if len(pattern) != len(given):
                return None
            todo += zip(pattern, given, strict=True)
        elif pattern != given:
            return None
    return fillers
