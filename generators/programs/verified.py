"""Proofs of annotated programs: their contract, the program without annotations, and what remains to be proved of it.

Verification conditions as in Dafny: a loop forgets what its body assigns and knows its invariant instead. Programs are those that
`rlgym.answers.AnnotatedProgram` reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from rlgym.core import syntax
from rlgym.generators.programs import interpreter, proofs

ANNOTATIONS = ("requires", "ensures", "invariant", "decreases")
Part = Literal["invariant", "termination"]


@dataclass(frozen=True)
class Contract:
    """What a function takes, requires and ensures."""

    inputs: tuple[str, ...]
    requires: str
    ensures: str


@dataclass(frozen=True)
class Obligation:
    """A claim that must hold wherever all of `known` does; `fault` says what is wrong if it does not."""

    part: Part
    fault: str
    claim: Any
    known: tuple[Any, ...]


@lru_cache(256)
def _function(source: str) -> ast.FunctionDef:
    function = syntax.program(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    return function


def contract(source: str) -> Contract:
    """The contract of an annotated program; conditions that are stated one by one are joined."""
    function = _function(source)
    joined = {kind: " and ".join(f"({claim})" for claim in _claims(function.body, kind)) for kind in ("requires", "ensures")}
    return Contract(tuple(argument.arg for argument in function.args.args), joined["requires"] or "True", joined["ensures"] or "True")


def plain(source: str) -> interpreter.Program:
    """The program without its annotations."""
    lines = source.split("\n")
    kept = [line for line in lines if not line.strip().startswith(tuple(f"{kind}(" for kind in ANNOTATIONS))]
    out = list[str]()
    for line, following in zip(kept, [*kept[1:], ""], strict=True):
        out.append(line)
        if line.endswith(":") and _indent(following) <= _indent(line):
            out.append(" " * (_indent(line) + 4) + "pass")
    return interpreter.program("\n".join(out))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def obligations(source: str, values: Mapping[str, Any]) -> list[Obligation]:
    """What must be proved so that every call that the contract allows ends and returns what the contract ensures.

    values  the solver's integers for the arguments
    """
    run = _Proof(dict(values), [proofs.formula(contract(source).requires, values)])
    function = _function(source)
    last = function.body[-1]
    assert isinstance(last, ast.Return)
    assert last.value is not None
    run.execute(_statements(function.body[:-1]))
    returned = proofs.formula(ast.unparse(last.value), run.values)
    run.claim("invariant", "what is ensured does not follow", proofs.formula(contract(source).ensures, {**values, "result": returned}))
    return run.found


def _claims(body: Sequence[ast.stmt], kind: str) -> Iterator[str]:
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=[claim])) if name == kind:
                yield ast.unparse(claim)


def _statements(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [statement for statement in body if not isinstance(statement, ast.Expr | ast.Pass)]


@dataclass
class _Proof:
    """A symbolic run: the value of each name, what is known, and what has been found to prove."""

    values: dict[str, Any]
    known: list[Any]
    found: list[Obligation] = field(default_factory=list)
    fresh: int = 0

    def claim(self, part: Part, fault: str, claim: Any) -> None:
        self.found.append(Obligation(part, fault, claim, tuple(self.known)))

    def execute(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=term):
                    self.values[name] = self.read(term)
                case ast.If(test=test, body=yes, orelse=no):
                    self._branch(self.read(test), _statements(yes), _statements(no))
                case ast.While():
                    self._loop(statement)

    def read(self, node: ast.expr) -> Any:
        return proofs.formula(ast.unparse(node), self.values)

    def _branch(self, test: Any, yes: Sequence[ast.stmt], no: Sequence[ast.stmt]) -> None:
        import z3

        before, known = self.values, self.known
        ends = []
        for holds, body in ((test, yes), (z3.Not(test), no)):
            self.values, self.known = dict(before), [*known, holds]
            self.execute(body)
            ends.append((self.values, [z3.Implies(holds, fact) for fact in self.known[len(known) + 1 :]]))
        (first, first_facts), (second, second_facts) = ends
        self.known = [*known, *first_facts, *second_facts]
        self.values = {
            name: first[name] if first[name] is second[name] else z3.If(test, first[name], second[name]) for name in first if name in second
        }

    def _loop(self, loop: ast.While) -> None:
        import z3

        line = ast.unparse(loop.test)
        invariant = " and ".join(f"({claim})" for claim in _claims(loop.body, "invariant")) or "True"
        (measure,) = _claims(loop.body, "decreases")
        self.claim("invariant", f"an invariant of `while {line}` does not hold before it", proofs.formula(invariant, self.values))
        assigned = {node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for name in sorted(assigned & set(self.values)):
            self.fresh += 1
            self.values[name] = proofs.variables([f"{name}#{self.fresh}"], self.values)[f"{name}#{self.fresh}"]
        self.known = [*self.known, proofs.formula(invariant, self.values)]
        before, known, test = dict(self.values), self.known, self.read(loop.test)
        self.known, size = [*known, test], proofs.formula(measure, self.values)
        self.claim("termination", f"what decreases in `while {line}` may be negative when an iteration begins", size >= 0)
        self.execute(_statements(loop.body))
        self.claim("invariant", f"an iteration of `while {line}` does not preserve its invariant", proofs.formula(invariant, self.values))
        self.claim("termination", f"an iteration of `while {line}` does not decrease the term", proofs.formula(measure, self.values) < size)
        self.values, self.known = before, [*known, z3.Not(test)]
