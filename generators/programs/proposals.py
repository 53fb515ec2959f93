"""Programs with inputs as a model proposes them: what runs, and gives the same twice, in the sandbox.

From "Absolute Zero: Reinforced Self-play Reasoning with Zero Data": a program is valid if it runs, is safe and is deterministic.
"""

from __future__ import annotations

import ast
import re

from rlgym.answers import Code
from rlgym.answers.literal import value_of, written
from rlgym.core import syntax
from rlgym.core.answer import Unreadable
from rlgym.core.limits import Limits
from rlgym.core.proposals import Refused
from rlgym.generators.programs import pipelines
from rlgym.sandbox import Returned, Runner

MODULES = frozenset(("bisect", "collections", "functools", "heapq", "itertools", "math", "operator", "re", "statistics", "string"))
LIMITS = Limits(seconds=1, memory_mb=128)
MOST_PROGRAM, MOST_RESULT = 1500, 400
_INPUT = re.compile(r"#\s*solve\((.*)\)\s*", re.ASCII)

RULES = (
    f"Its program defines solve(values), where values is {pipelines.RANGE}, has at most {MOST_PROGRAM} characters, and always returns the same for the "
    f"same list: a value of at most {MOST_RESULT} characters as repr writes it, made of None, True, False, finite numbers, strings, bytes, lists, tuples, "
    f"sets and dictionaries. It imports nothing but {', '.join(sorted(MODULES))}."
)


def answer(inputs: str) -> Code:
    """The format of a proposal; `inputs` says how many lines with an input follow the program."""
    return Code(f"a Python program, followed by {inputs}, like # solve([3, 1, 2])")


def write(program: str, inputs: list[str]) -> str:
    """A program and its inputs, each the text of a list, as a proposal."""
    return "\n".join([program.rstrip(), *(f"# solve({values})" for values in inputs)])


def read(proposal: str, least: int, most: int) -> tuple[str, list[list[int]]]:
    """The program of a proposal and its `least` to `most` different inputs, not yet run. Raises Refused."""
    lines = proposal.rstrip().split("\n")
    found = [_INPUT.fullmatch(line.strip()) for line in lines]
    program = "\n".join(line for line, is_input in zip(lines, found, strict=True) if not is_input)
    try:
        inputs = [value_of(match[1]) for match in found if match]
    except Unreadable as why:
        raise Refused(f"an input is no Python value: {why}") from None
    if not least <= len(inputs) <= most or not all(map(pipelines.within, inputs)) or len(set(map(written, inputs))) < len(inputs):
        raise Refused(f"the proposal needs {least} to {most} different inputs, each {pipelines.RANGE}")
    if len(program) > MOST_PROGRAM:
        raise Refused(f"the program has more than {MOST_PROGRAM} characters")
    try:
        tree = syntax.program(program)
    except (SyntaxError, ValueError) as why:
        raise Refused(f"the program is not Python: {why}") from None
    for node in ast.walk(tree):
        names = (
            [name.name for name in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        if unknown := [name for name in names if name.split(".")[0] not in MODULES]:
            raise Refused(f"the program imports {unknown[0]}")
    return program, inputs


def results(program: str, inputs: list[list[int]], runner: Runner) -> list[str]:
    """What the program returns for each input, as text; Refused where a run fails or a second one, in reverse order, gives something else.

    A value that no answer can state, such as nan, is refused too.
    """
    first = _run(program, inputs, runner)
    second = _run(program, inputs[::-1], runner)
    for text, other in zip(first, second[::-1], strict=True):
        if text != other:
            raise Refused("the program does not return the same twice")
        if len(text) > MOST_RESULT:
            raise Refused(f"the program returns a value of more than {MOST_RESULT} characters")
        try:
            value_of(text)
        except Unreadable as why:
            raise Refused(f"the program returns a value that no answer can state: {why}") from None
    return first


def _run(program: str, inputs: list[list[int]], runner: Runner) -> list[str]:
    """What the program returns for each input, as text. Raises Refused."""
    found = runner.run(program, [(list(values),) for values in inputs])
    returned = [answer for answer in map(found.answer, range(len(inputs))) if isinstance(answer, Returned)]
    if len(returned) < len(inputs):
        raise Refused("the program does not return a value for each input within the limits of time and memory")
    return [written(answer.value) for answer in returned]
