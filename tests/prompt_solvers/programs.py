"""Programs that a prompt shows, run by Python itself, and programs of a small stack machine."""

from __future__ import annotations

import ast
import itertools
import re
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Any

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group

FILE = "<shown>"


def program_and_call(prompt: str) -> tuple[str, str]:
    """The source of the program, without line numbers, and the call that runs it."""
    numbered = re.findall(r"^ {0,2}(\d+)(?:  (.*))?$", prompt, re.M)
    if numbered:
        return "\n".join(line for _, line in numbered) + "\n", group(r"is run as (solve\(.*?\))\.", prompt)
    return prompt[prompt.index("def ") : prompt.index("\n\nEnd your")] + "\n", group(r"return for (solve\(.*?\))\?", prompt)


def evaluated(source: str | ast.Module, call: str, names: dict[str, Any] | None = None) -> Any:
    """What the call returns after the program was executed."""
    scope: dict[str, Any] = dict(names or {})
    exec(compile(source, FILE, "exec"), scope)  # noqa: S102 -- a program of the environment's own generator
    return eval(call, scope)  # noqa: S307 -- likewise


@prompt_solver("predict_output")
def solve_predict_output(prompt: str) -> str:
    source, call = program_and_call(prompt)
    # A loop of millions of passes comes back to a list that it had before.
    source = re.sub(r"for _ in range\((\d{5,})\):\n +values = (.*)", r"values = after_passes(lambda values: \2, values, \1)", source)
    return repr(evaluated(source, call, {"after_passes": after_passes}))


def after_passes(one_pass: Callable[[list[int]], list[int]], values: list[int], count: int) -> list[int]:
    """The list after so many passes, by the first list that comes twice."""
    lists, number = [values], {tuple(values): 0}
    while len(lists) <= count:
        values = one_pass(values)
        if tuple(values) in number:
            begin = number[tuple(values)]
            return lists[begin + (count - begin) % (len(lists) - begin)]
        number[tuple(values)] = len(lists)
        lists.append(values)
    return values


def type_text(value: Any) -> str:
    """The type of a value as in annotations, with what is inside."""
    if value is None:
        return "None"
    name = type(value).__name__
    if isinstance(value, bool | int | str):
        return name
    columns = [[item] for item in value] if isinstance(value, tuple) else [list(value)]
    columns += [list(value.values())] if isinstance(value, dict) else []
    return f"{name}[{', '.join(type_text(column[0]) for column in columns)}]"


@prompt_solver("type_infer")
def solve_type_infer(prompt: str) -> str:
    source = "\n".join(line for _, line in re.findall(r"^ {0,2}(\d+)(?:  (.*))?$", prompt, re.M))
    source = re.sub(r"^    return .*$", "    return locals()", source, flags=re.M)
    if questions := re.findall(r"^(\w+): (.+)$", prompt.partition("have the type given beside it?")[2].partition("End your")[0], re.M):
        first, last = map(int, re.findall(r"every integer n from (\d+) to (\d+)", prompt)[0])
        runs = [{name: type_text(value) for name, value in evaluated(source, f"solve({n})").items()} for n in range(first, last + 1)]
        return "\n".join(str(sum(run[name] == kind for run in runs)) for name, kind in questions)
    names = group(r"when solve returns\?\n\n([\w, ]+)\n", prompt).split(", ")
    held = evaluated(source, group(r"is run as (solve\(.*?\))\.", prompt))
    return "\n".join(type_text(held[name]) for name in names)


@prompt_solver("exception_predict")
def solve_exception_predict(prompt: str) -> str:
    try:
        return repr(("returned", evaluated(*program_and_call(prompt))))
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
        return repr((type(error).__name__, lines[-1]))


@prompt_solver("state_at_line")
def solve_state_at_line(prompt: str) -> str:
    line, times = map(int, re.search(r"right after line (\d+) has been executed for the (\d+)", prompt).groups())  # type: ignore[union-attr]
    names = re.findall(r"\w+", group(r"the values of the variables? ([\w, ]+) right after", prompt))
    seen, waiting, answer = 0, None, ""

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal seen, waiting, answer
        if frame.f_code.co_filename != FILE:
            return None
        if waiting is frame and event in ("line", "return") and not answer:
            values = ", ".join(repr(frame.f_locals[name]) for name in names)
            answer = f"({values}{',' * (len(names) == 1)})"
        if event == "line" and frame.f_lineno == line:
            seen += 1
            waiting = frame if seen == times else waiting
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        evaluated(*program_and_call(prompt))
    finally:
        sys.settrace(before)
    return answer


class Counting(ast.NodeTransformer):
    """Puts calls of a counter around all operators, tests and statements of a program."""

    signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}

    def counted(self, key: str, value: ast.expr) -> ast.expr:
        """The value, with a count of its evaluations."""
        return ast.Call(ast.Name("count_", ast.Load()), [ast.Constant(key), value], [])

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """The statement after a count of it."""
        return [ast.Expr(self.counted(f"line {node.lineno}", ast.Constant(None))), node]

    def generic_visit(self, node: ast.AST) -> Any:
        """Counts operators, tests and simple statements."""
        super().generic_visit(node)
        if isinstance(node, ast.BinOp):
            # The count comes last: an operator is applied once both values are known.
            return self.counted(f"operator {self.signs.get(type(node.op), '?')}", node)
        if isinstance(node, ast.If | ast.While):
            node.test = self.counted(f"test {node.lineno}", node.test)
        if isinstance(node, ast.FunctionDef):
            node.body = [ast.Expr(self.counted(f"function {node.name}", ast.Constant(None))), *node.body]
            return node
        if isinstance(node, ast.AugAssign):
            counter = ast.Expr(self.counted(f"operator {self.signs.get(type(node.op), '?')}", ast.Constant(None)))
            return [*self.statement(node), counter]
        if isinstance(node, ast.stmt) and not isinstance(node, ast.While):
            return self.statement(node)
        return node


@prompt_solver("count_operations")
def solve_count_operations(prompt: str) -> str:
    counts: dict[str, int] = {}

    def count(key: str, value: Any) -> Any:
        counts[key] = counts.get(key, 0) + 1
        return value

    source, call = program_and_call(prompt)
    evaluated(ast.fix_missing_locations(Counting().visit(ast.parse(source))), call, {"count_": count})
    answers = []
    for question in re.findall(r"^\d+\. (.*)$", prompt, re.M):
        if found := re.match(r"line (\d+) is executed", question):
            answers.append(counts.get(f"line {found[1]}", 0))
        elif found := re.match(r"the test in line (\d+) is evaluated", question):
            answers.append(counts.get(f"test {found[1]}", 0))
        elif found := re.match(r"the operator (\S+) is applied to two values", question):
            answers.append(counts.get(f"operator {found[1]}", 0))
        elif found := re.match(r"the function (\w+) is called", question):
            answers.append(counts.get(f"function {found[1]}", 0))
        else:
            raise ValueError(question)
    return repr(answers)


STACK = {  # how many values are taken from the top, and what is pushed; the last value is the top one
    "removes the top two values and pushes their sum": (2, lambda a, b: [a + b]),
    "removes the top two values and pushes their product": (2, lambda a, b: [a * b]),
    "removes the top two values and pushes the one below the top value minus the top value": (2, lambda a, b: [a - b]),
    "removes the top two values and pushes the top value minus the one below it": (2, lambda a, b: [b - a]),
    "swaps the top two values": (2, lambda a, b: [b, a]),
    "pushes a copy of the top value": (1, lambda a: [a, a]),
    "pushes a copy of the value below the top one": (2, lambda a, b: [a, b, a]),
}


@prompt_solver("bytecode_trace")
def solve_bytecode_trace(prompt: str) -> str:
    if "What may A and B be?" not in prompt:
        return repr(printed_by(prompt))
    wanted = [int(number) for number in group(r"The program prints ([\d, ]+), in this order", prompt).split(", ")]
    first, last = (int(number) for number in re.findall(r"integers from (\d+) to (\d+) that", prompt)[0])
    for pair in itertools.product(range(first, last + 1), repeat=2):
        filled = re.sub(r"^(\d+: \w+) ([AB])$", lambda line, pair=pair: f"{line[1]} {pair['AB'.index(line[2])]}", prompt, flags=re.M)
        if printed_by(filled) == wanted:
            return repr(list(pair))
    raise ValueError(prompt)


def printed_by(prompt: str) -> list[int]:
    """What the program of a prompt prints on its machine."""
    meanings = dict(re.findall(r"^- (\w+)(?: n)?: (.*)$", prompt, re.M))
    program = re.findall(r"^\d+: (\w+)(?: (-?\d+))?$", prompt, re.M)
    reduced = re.search(r"Every value that ([\w, ]+) pushes is first reduced modulo (\d+)", prompt)
    modular = set(re.findall(r"\w+", reduced[1])) - {"or"} if reduced else set()
    strict = "ends the program at once" in prompt
    stack: list[int] = []
    cells: dict[int, int] = {}
    printed: list[int] = []
    place = 0
    for _ in range(int(group(r"after (\d+) executed instructions", prompt))):
        if not 0 <= place < len(program):
            break
        name, text = program[place]
        number, meaning, following = int(text or 0), meanings[name], place + 1
        conditional = re.match(r"removes the top value, and if it is (above 0|below 0|0), (jumps .*)", meaning)
        jump = conditional[2] if conditional else meaning if meaning.startswith("jumps") else ""
        needed = STACK[meaning][0] if meaning in STACK else int("the top value" in meaning)
        if len(stack) < needed:
            if strict:
                break
            stack = [0] * (needed - len(stack)) + stack
        taken = stack[len(stack) - needed :]
        del stack[len(stack) - needed :]
        pushed: list[int] = []
        if meaning in STACK:
            pushed = STACK[meaning][1](*taken)
            kept = len(pushed) - 1 if "copy" in meaning else 0
        elif meaning == "pushes n onto the stack":
            pushed, kept = [number], 0
        elif meaning.startswith("pushes the value of cell n"):
            pushed, kept = [cells.get(number, 0)], 0
        elif "prints" in meaning:
            printed += taken
            pushed, kept = (taken, 1) if "stays on the stack" in meaning else ([], 0)
        elif "stores it in cell n" in meaning:
            cells[number], kept = taken[0], 0
        else:
            assert jump, meaning
            kept = 0
            top = taken[0] if taken else 0
            if not conditional or {"above 0": top > 0, "below 0": top < 0, "0": top == 0}[conditional[1]]:
                base = 0 if "to instruction n" in jump else place if "from this instruction" in jump else place + 1
                following = base + number
        if name in modular and reduced:
            pushed = pushed[:kept] + [value % int(reduced[2]) for value in pushed[kept:]]
        stack += pushed
        place = following
    return printed
