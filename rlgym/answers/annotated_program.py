"""A function on integers with its contract and the annotations of its loops, from which its proof follows."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rlgym.answers.code import Code
from rlgym.answers.condition import MOST_DIGITS, read_formula
from rlgym.core import syntax
from rlgym.core.answer import Unreadable

RESULT = "result"
MOST_STATEMENTS, MOST_NESTING = 60, 4
_RESERVED = frozenset({RESULT, "requires", "ensures", "invariant", "decreases"})
Names = frozenset[str]


@dataclass(frozen=True)
class AnnotatedProgram(Code):
    """One function in the form of Dafny, written in Python's notation, as text in one layout.

    `requires(...)` and `ensures(...)` come first; assignments, `if` and `while` follow, and one `return` ends it. A loop's body opens
    with `invariant(...)` and one `decreases(...)`. The code adds, subtracts and multiplies by numbers; annotations also multiply
    terms, and use // and % by positive numbers. Arguments are not assigned. A name is assigned on every path before it is used.
    """

    instructions: str = "the annotated function"
    max_characters: int = 6000
    format: ClassVar[str] = "annotated program"

    def parse(self, text: str) -> str:
        source = super().parse(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return _read_program(syntax.program(source))
            except Unreadable:
                raise
            except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
                raise Unreadable(f"not a program: {str(error)[:80]}") from None

    def near_misses(self, value: str) -> Iterator[str]:
        yield "\n".join(value.split("\n")[:-1])


def _read_program(tree: ast.Module) -> str:
    match tree.body:
        case [ast.FunctionDef(name="f", args=arguments, decorator_list=[], returns=None) as function] if _is_plain(arguments):
            return _read_function(function)
    raise Unreadable("expected one function f with plain arguments, and nothing else")


def _is_plain(arguments: ast.arguments) -> bool:
    others = (arguments.vararg, arguments.kwarg, *arguments.posonlyargs, *arguments.kwonlyargs, *arguments.defaults)
    return not any(others) and not any(argument.annotation for argument in arguments.args)


def _read_function(function: ast.FunctionDef) -> str:
    inputs = [argument.arg for argument in function.args.args]
    known, body = _check_names(inputs), list(function.body)
    if sum(isinstance(node, ast.stmt) for node in ast.walk(function)) > MOST_STATEMENTS:
        raise Unreadable(f"expected at most {MOST_STATEMENTS} statements")
    lines = [f"def f({', '.join(inputs)}):"]
    for kind, names in (("requires", known), ("ensures", known | {RESULT})):
        while body and (claim := _annotation(body[0], kind)):
            lines.append(f"    {kind}({_formula(claim, names)})")
            body.pop(0)
    if not body or not isinstance(body[-1], ast.Return) or body[-1].value is None:
        raise Unreadable("expected `return TERM` as the last statement")
    inner, known = _read_block(body[:-1], known, known, 1)
    return "\n".join([*lines, *inner, f"    return {_term(body[-1].value, known)}"])


def _check_names(names: Sequence[str]) -> Names:
    if len(set(names)) < len(names) or _RESERVED & set(names):
        raise Unreadable(f"expected different names other than {', '.join(sorted(_RESERVED))}")
    return frozenset(names)


def _read_block(body: Sequence[ast.stmt], known: Names, inputs: Names, depth: int) -> tuple[list[str], Names]:
    """The lines of the statements, and the names that have a value after them."""
    if depth > MOST_NESTING:
        raise Unreadable(f"expected statements nested at most {MOST_NESTING} deep")
    lines, indent = list[str](), "    " * depth
    for statement in body:
        match statement:
            case ast.Pass():
                lines.append(f"{indent}pass")
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                lines.append(f"{indent}{name} = {_term(value, known)}")
                known |= _assigned(name, inputs)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() as sign, value=value):
                total = f"{_known(name, known)} {'+' if isinstance(sign, ast.Add) else '-'} ({_term(value, known)})"
                lines.append(f"{indent}{name} = {total}")
                _assigned(name, inputs)
            case ast.If(test=test, body=yes, orelse=no):
                first, after_first = _read_block(yes, known, inputs, depth + 1)
                second, after_second = _read_block(no, known, inputs, depth + 1)
                lines += [f"{indent}if {_condition(test, known)}:", *first]
                lines += [f"{indent}else:", *second] if no else []
                known = after_first & after_second
            case ast.While(test=test, body=inner, orelse=[]):
                lines += [f"{indent}while {_condition(test, known)}:", *_read_loop(inner, known, inputs, depth + 1)]
            case _:
                raise Unreadable(f"{ast.unparse(statement)[:60]!r} is not allowed there")
    return lines, known


def _read_loop(body: Sequence[ast.stmt], known: Names, inputs: Names, depth: int) -> list[str]:
    rest, lines, decreases = list(body), list[str](), list[str]()
    while rest:
        if claim := _annotation(rest[0], "invariant"):
            lines.append(f"{'    ' * depth}invariant({_formula(claim, known)})")
        elif claim := _annotation(rest[0], "decreases"):
            decreases.append(f"{'    ' * depth}decreases({_formula(claim, known, wants_number=True)})")
        else:
            break
        rest.pop(0)
    if len(decreases) != 1:
        raise Unreadable("expected exactly one decreases(TERM) at the beginning of each loop's body")
    return [*lines, *decreases, *_read_block(rest, known, inputs, depth)[0]]


def _annotation(statement: ast.stmt, kind: str) -> ast.expr | None:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=[claim], keywords=[])) if name == kind:
            return claim
    return None


def _assigned(name: str, inputs: Names) -> Names:
    if name in inputs:
        raise Unreadable(f"the argument {name} must not be assigned")
    return _check_names([name])


def _known(name: str, known: Names) -> str:
    if name not in known:
        raise Unreadable(f"{name[:30]} may have no value there")
    return name


def _formula(node: ast.expr, names: Names, *, wants_number: bool = False) -> str:
    return read_formula(_text(node), names, wants_number=wants_number, products=True)


def _term(node: ast.expr, names: Names) -> str:
    return read_formula(_without_division(node), names, wants_number=True)


def _condition(node: ast.expr, names: Names) -> str:
    return read_formula(_without_division(node), names)


def _without_division(node: ast.expr) -> str:
    for part in ast.walk(node):
        if isinstance(part, ast.FloorDiv | ast.Mod):
            raise Unreadable("the code must do without // and %")
    return _text(node)


def _text(node: ast.expr) -> str:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and type(part.value) is int and part.value >= 10**MOST_DIGITS:
            raise Unreadable(f"a number may have at most {MOST_DIGITS} digits")
    return ast.unparse(node)
