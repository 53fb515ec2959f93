"""Runs programs of a part of Python by an evaluator of its own: bounded, counted and watched. No text is given to eval or exec.

A program is turned into functions once and may then be run many times. Whatever is outside the bounds (steps, depth of calls,
size of values) ends the run with Stopped; an exception of the program itself is a fact about it, reported with its line.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rlgym.core import syntax
from rlgym.generators.programs import expressions, frames, lines
from rlgym.generators.programs.bindings import assigned_names, exception_names
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.frames import Does, Frame, Function, Raised, Run, Scope

WIDER = {"IndexError": "LookupError", "KeyError": "LookupError", "ZeroDivisionError": "ArithmeticError", "UnboundLocalError": "NameError"}
BREAK, CONTINUE = object(), object()
Watch = Callable[[int, dict[str, Any]], None]


@dataclass(frozen=True)
class Ended:
    """How a run ended. `counts` says how often each line was done; the head of a loop counts each time it is looked at."""

    value: Any
    raised: Raised | None
    printed: tuple[str, ...]
    counts: Counter[int] = field(compare=False)

    @property
    def steps(self) -> int:
        return self.counts.total()


@dataclass(frozen=True)
class Program:
    """A program that can be run."""

    source: str
    body: Does
    lines: int

    def run(self, *arguments: Any, entry: str = "solve", fuel: int = 5000, watch: Watch | None = None) -> Ended:
        """Do the program, then call its function `entry` (none if empty). Lists among the arguments may be changed by it.

        fuel   lines that may be done; Stopped is raised when they are used up
        watch  called after each line that is no head of a block, with its number and the variables of the function it is in
        """
        run = Run(self.lines, fuel, watch)
        frame = Frame({}, None, run)
        value, raised = None, None
        try:
            self.body(frame)
            if entry:
                value = frame.names[entry](*arguments)
        except Raised as error:
            raised = error
        return Ended(value, raised, tuple(run.printed), Counter({line: count for line, count in enumerate(run.counts) if count}))


@lru_cache(256)
def program(source: str) -> Program:
    """A program from its text; Stopped where it uses what is outside the part of Python that is known here.

    Programs hold no state of their runs, so recent ones are cached.
    """
    body, lines = _parse_program(source), tuple(source.split("\n"))
    return Program(source, _block(body, Scope(assigned_names(body), None), lines), len(lines))


def _parse_program(source: str) -> list[ast.stmt]:
    """The statements of a program. Functions on their own are parsed one by one, as programs that differ in one share the others."""
    functions = source.split("\n\n")
    if not all(text.startswith("def ") for text in functions):
        return syntax.program(source).body
    body, line = list[ast.stmt](), 0
    for text in functions:
        body += _parsed_at(text, line)
        line += text.count("\n") + 2
    return body


@lru_cache(128)
def _parsed_at(text: str, line: int) -> list[ast.stmt]:
    return syntax.program("\n" * line + text).body


@dataclass(frozen=True)
class _Part:
    """A statement, which means the same wherever its text, its place and its scope are the same."""

    text: tuple[str, ...]
    line: int
    columns: tuple[int, int | None]
    scope: Scope
    node: ast.stmt = field(compare=False)
    source: tuple[str, ...] = field(compare=False)


@lru_cache(2048)
def _compile(part: _Part) -> Does:
    """Programs that differ in a line or grow by a line share the functions of all others."""
    return _statement(part.node, part.scope, part.source)


def _block(body: Sequence[ast.stmt], scope: Scope, source: tuple[str, ...]) -> Does:
    parts = tuple(
        _compile(_Part(source[node.lineno - 1 : node.end_lineno], node.lineno, (node.col_offset, node.end_col_offset), scope, node, source))
        for node in body
    )
    if len(parts) == 1:
        return parts[0]

    def done(frame: Frame) -> Any:
        for part in parts:
            signal = part(frame)
            if signal is not None:
                return signal
        return None

    return done


def _statement(node: ast.stmt, scope: Scope, source: tuple[str, ...]) -> Does:
    line, value = node.lineno, expressions.value
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=given) if not scope.hops(name):
            return lines.local_assignment(line, name, value(given, scope))
        case ast.Assign(targets=targets, value=given):
            read, stores = value(given, scope), [expressions.store(target, scope) for target in targets]

            def assign(frame: Frame) -> None:
                what = read(frame)
                for store in stores:
                    store(frame, what)

            return lines.line(line, assign)
        case ast.AugAssign():
            return lines.line(line, expressions.changed(node, scope))
        case ast.Expr(value=given):
            evaluate = value(given, scope)

            def say(frame: Frame) -> None:
                evaluate(frame)

            return lines.line(line, say)
        case ast.Return(value=given):
            back = value(given or ast.Constant(None), scope)
            return lines.line(line, lambda frame: (back(frame),))
        case ast.If(test=test, body=body, orelse=orelse):
            holds, yes, no = lines.line(line, value(test, scope), plain=False), _block(body, scope, source), _block(orelse, scope, source)
            return lambda frame: yes(frame) if holds(frame) else no(frame)
        case ast.While() | ast.For():
            return _loop(node, scope, source)
        case ast.FunctionDef():
            return lines.line(line, _function(node, scope, source))
        case ast.Pass() | ast.Global() | ast.Nonlocal():
            return lines.line(line, lambda frame: None) if isinstance(node, ast.Pass) else lambda frame: None
        case ast.Break():
            return lines.line(line, lambda frame: BREAK)
        case ast.Continue():
            return lines.line(line, lambda frame: CONTINUE)
        case ast.Assert(test=test):
            held = value(test, scope)

            def claim(frame: Frame) -> None:
                if not held(frame):
                    raise Raised("AssertionError", line)

            return lines.line(line, claim)
        case ast.Raise(exc=ast.Call(func=ast.Name(id=kind)) | ast.Name(id=kind)):

            def throw(frame: Frame) -> None:
                raise Raised(kind, line)

            return lines.line(line, throw)
        case ast.Try():
            return _attempt(node, scope, source)
        case ast.Delete(targets=[ast.Subscript(value=held_in, slice=place)]):
            holder, key = value(held_in, scope), value(place, scope)

            def remove(frame: Frame) -> None:
                del holder(frame)[key(frame)]

            return lines.line(line, remove)
    raise Stopped(f"line {line} is outside the part of Python that is known here: {ast.unparse(node)!r}")


def _loop(node: ast.While | ast.For, scope: Scope, source: tuple[str, ...]) -> Does:
    body, line = _block(node.body, scope, source), node.lineno
    after = _block(node.orelse, scope, source)
    if isinstance(node, ast.While):
        test = lines.line(line, expressions.value(node.test, scope), plain=False)

        def repeat(frame: Frame) -> Any:
            while test(frame):
                signal = body(frame)
                if signal is BREAK:
                    return None
                if signal is not None and signal is not CONTINUE:
                    return signal
            return after(frame)

        return repeat
    start = lines.line(line, expressions.value(node.iter, scope), plain=False)
    store = expressions.store(node.target, scope)
    unchecked = frames.MISSING

    def walk(frame: Frame) -> Any:
        try:
            items = iter(start(frame))
        except TypeError:
            raise Raised("TypeError", line) from None
        while True:
            try:
                item = next(items, unchecked)
                if item is unchecked:
                    break
                store(frame, item)
            except (RuntimeError, *lines.CAUGHT) as error:
                raise Raised(type(error).__name__, line) from None
            signal = body(frame)
            if signal is not None:
                if signal is BREAK:
                    return None
                if signal is not CONTINUE:
                    return signal
            frame.run.step(line)
        return after(frame)

    return walk


def _function(node: ast.FunctionDef, scope: Scope, source: tuple[str, ...]) -> Does:
    names = tuple(argument.arg for argument in node.args.args)
    inner = Scope(assigned_names(node.body) | frozenset(names), scope)
    body = _block(node.body, inner, source)
    defaults = [expressions.value(default, scope) for default in node.args.defaults]
    store = expressions.store(ast.Name(node.name, ast.Store()), scope)

    def define(frame: Frame) -> None:
        store(frame, Function(names, tuple(default(frame) for default in defaults), body, frame))

    return define


def _attempt(node: ast.Try, scope: Scope, source: tuple[str, ...]) -> Does:
    body, last, other = (_block(part, scope, source) for part in (node.body, node.finalbody, node.orelse))
    handlers = [(exception_names(handler.type), _block(handler.body, scope, source), handler.lineno) for handler in node.handlers]

    def handled(frame: Frame) -> Any:
        try:
            signal = body(frame)
        except Raised as error:
            for kinds, handler, line in handlers:
                frame.run.step(line)
                if error.kind in kinds or WIDER.get(error.kind) in kinds or "Exception" in kinds:
                    return handler(frame)
            raise
        return other(frame) if signal is None else signal

    def attempt(frame: Frame) -> Any:
        try:
            signal = handled(frame)
        except Raised:
            # What the last part returns takes the place of the exception.
            signal = last(frame)
            if signal is None:
                raise
            return signal
        final = last(frame)
        return signal if final is None else final

    return attempt
