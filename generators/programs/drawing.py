"""Programs in which every line does something, and inputs that show it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar

from rlgym.core import syntax
from rlgym.core.rng import Rng
from rlgym.generators.programs import grammar, interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.generators.programs.interpreter import Ended, Program, Watch

FUEL = 3000
Arguments = tuple[Any, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Lively:
    """A program, inputs for it, and how its runs on them ended."""

    program: Program
    inputs: tuple[Arguments, ...]
    ends: tuple[Ended, ...]


def lively(rng: Rng, shape: Shape, *, longest: int = 7, most_steps: int = 400, inputs: int = 6) -> Lively:
    """A random program of this shape: over the inputs every line is done, and most of them give different results.

    longest     most values in a list
    most_steps  lines done in any one run
    """
    drawn = None
    while drawn is None:
        drawn = _sample_lively_program(rng, shape, [arguments(rng, shape.takes, longest) for _ in range(inputs)], most_steps)
    return drawn


def _sample_lively_program(rng: Rng, shape: Shape, given: Sequence[Arguments], most_steps: int) -> Lively | None:
    source = grammar.program(rng, shape, lambda text: _ends(interpreter.program(text), given, most_steps) is not None)
    program = interpreter.program(source)
    ends = _ends(program, given, most_steps)
    if ends is None or len({repr(end.value) for end in ends}) <= 0.6 * len(given):
        return None
    return Lively(program, tuple(given), tuple(ends))


def find(draw: Callable[[], tuple[float, T] | None], enough: float, tries: int = 12) -> T:
    """The first thing drawn that is good enough; after some tries the best of them, as small programs may have nothing better."""
    best: tuple[float, T] | None = None
    while best is None or (best[0] < enough and tries > 0):
        tries -= 1
        drawn = draw()
        if drawn is not None and (best is None or drawn[0] > best[0]):
            best = drawn
    return best[1]


def _ends(program: Program, given: Sequence[Arguments], most_steps: int) -> list[Ended] | None:
    """How the runs end, if they do, and do every line between them."""
    try:
        ends = [run(program, arguments, most_steps) for arguments in given]
    except Stopped:
        return None
    before, head, inside = program.source.partition("def solve")
    first = before.count("\n") + 1
    done = {line for end in ends for line in end.counts if line > first}
    return ends if len(done) >= lines_to_do(head + inside) - 1 and not any(end.raised for end in ends) else None


def run(program: Program, arguments: Arguments, fuel: int = FUEL, watch: Watch | None = None) -> Ended:
    """Run a program on copies of these arguments."""
    return program.run(*_copied(arguments), fuel=fuel, watch=watch)


def _copied(arguments: Arguments) -> Arguments:
    """A deep copy. Most arguments are a list of integers or integers alone, for which `deepcopy` takes as long as a short run."""
    values, *rest = arguments or (0,)
    if not all(type(value) is int for value in rest):
        return deepcopy(arguments)
    if type(values) is list and all(type(value) is int for value in values):
        return values[:], *rest
    return arguments if type(values) is int else deepcopy(arguments)


def arguments(rng: Rng, takes: str, longest: int) -> Arguments:
    """Something that a program of this kind can be called with."""
    values = [rng.integer(-9, 20) for _ in range(rng.integer(max(1, longest // 2), longest))]
    match takes:
        case "list":
            return (values,)
        case "both":
            return values, rng.integer(0, 9)
    return rng.integer(0, 30), rng.integer(0, 30)


def lines_to_do(source: str) -> int:
    """How many lines of a program are there to be done: all but blank ones and `else:`, `try:` and `finally:`."""
    return sum(line.strip() not in ("", "else:", "try:", "finally:") for line in source.split("\n"))


def number_lines(source: str) -> str:
    """The program with its lines numbered from 1."""
    lines = source.split("\n")
    width = len(str(len(lines)))
    return "\n".join(f"{number:>{width}}  {line}".rstrip() for number, line in enumerate(lines, 1))


def call(arguments: Arguments, name: str = "solve") -> str:
    """The call with these arguments, as one writes it."""
    return f"{name}({', '.join(map(repr, arguments))})"


def arguments_of(text: str, name: str = "solve") -> Arguments:
    """The arguments of a call that `call` has written."""
    return tuple(syntax.literal(f"({text.removeprefix(f'{name}(').removesuffix(')')},)"))


def history(program: Program, arguments: Arguments) -> list[tuple[int, dict[str, Any]]]:
    """After each line that is no head of a block: its number, and the variables of the function it stands in."""
    seen: list[tuple[int, dict[str, Any]]] = []

    def watch(line: int, names: dict[str, Any]) -> None:
        seen.append((line, {name: deepcopy(value) for name, value in names.items() if not callable(value)}))

    run(program, arguments, watch=watch)
    return seen


def targets(source: str) -> dict[int, str]:
    """Of each line that changes one variable, or a list or dict in one, the variable's name."""
    by_line = {}
    for node in ast.walk(syntax.program(source)):
        match node:
            case ast.Assign(targets=[target]) | ast.AugAssign(target=target):
                while isinstance(target, ast.Subscript):
                    target = target.value
                if isinstance(target, ast.Name):
                    by_line[node.lineno] = target.id
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
                by_line[node.lineno] = name
    return by_line


def tests_around(source: str, line: int) -> list[tuple[int, str]]:
    """The tests of the `if` and `while` statements whose body holds a line, with their own lines, from the inside out."""
    tests = [node for node in ast.walk(syntax.program(source)) if isinstance(node, (ast.If, ast.While))]
    around = [node for node in tests if node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)]
    return sorted(((node.lineno, ast.unparse(node.test)) for node in around), reverse=True)
