"""Problems to write a program for: two solutions with their rules as keyword arguments, written out for one set of rules, tests and wrong programs."""

from __future__ import annotations

import ast
import inspect
import operator
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from rlgym.core import syntax
from rlgym.core.declare import Audit
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.generators.programs import suites
from rlgym.generators.programs.suites import Inputs, Meaning
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import judged

Rules = Mapping[str, Any]
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}
MOST_MUTANTS = 12
MOST_WRONG = 5


@dataclass(frozen=True)
class Specification:
    """What a program is to do.

    words   the statement, which names the function and its arguments
    plain   the specification as a function, as plain as can be: brute force where there is a choice to make
    swift   an independent solution that is quick on large inputs too
    rules   the keyword arguments of both
    near    rules that a careless reader would take for these
    hasty   solutions that look right: greedy, an edge case forgotten
    inputs  arguments for tests, small enough for `plain`, the plainest first
    large   arguments for tests that only `swift` can answer in time
    weight  how much there is to think of
    kind    what `inputs` of the same family takes to make more of them
    """

    words: str
    plain: Meaning
    swift: Meaning
    rules: Rules
    near: Sequence[Rules]
    inputs: Inputs
    weight: float
    hasty: Sequence[Meaning] = ()
    large: Inputs = ()
    kind: str = ""
    shown: Inputs = field(default=())  # inputs fit to be shown; some of `inputs` where empty


class Data(TaskData):
    weight: float
    reference: str
    other: str  # too slow for large inputs
    wrong: tuple[str, ...]
    shown: int
    large: int
    kind: str
    tests: tuple[suites.Test, ...]


def posed(rng: Rng, told: Specification, examples: int) -> Task[Data]:
    """The task to write a program for this specification, with this many of the tests shown."""
    right, swift = _remembered(partial(told.plain, **told.rules)), partial(told.swift, **told.rules)
    near = [rules for rules in told.near if rules != told.rules]
    wrong = [(told.swift, rules) for rules in near] + [(hasty, told.rules) for hasty in told.hasty]
    fit = rng.shuffled(told.shown or [one for one in told.inputs[4:80] if 14 <= len(repr(one)) <= 110] or told.inputs[4:80])
    # Inputs that tell the rules from what they might be taken for make better examples.
    telling = {repr(one): sum(not suites.agree(right, partial(other, **rules), one) for other, rules in wrong) for one in fit[:10]}
    ranked = sorted(fit[:10], key=lambda one: -telling[repr(one)])
    shown = [(repr(one), repr(right(*one))) for one in ranked[:examples]]
    tests = suites.chosen(right, [partial(other, **rules) for other, rules in wrong], told.inputs, least=26, most=60, twice=3)
    large = [(repr(one), repr(swift(*one))) for one in told.large]
    calls = "\n".join(f"solve{arguments.removesuffix(',)').removesuffix(')')}) returns {value}" for arguments, value in shown)
    data = Data(
        weight=told.weight,
        reference=written(told.swift, told.rules),
        other=written(told.plain, told.rules),
        wrong=tuple(dict.fromkeys(written(other, rules) for other, rules in rng.sample(wrong, min(MOST_WRONG, len(wrong))))),
        shown=len(shown),
        large=len(large),
        kind=told.kind,
        tests=(*shown, *tests, *large),
    )
    return Task(f"{told.words}\n\nFor example:\n{calls}\n\nOther inputs are tested too.", data)


def _remembered(function: Meaning) -> Meaning:
    """The function, which works out nothing twice."""
    known: dict[str, Any] = {}

    def remembered(*arguments: Any) -> Any:
        key = repr(arguments)
        if key not in known:
            known[key] = function(*arguments)
        return known[key]

    return remembered


def solve(task: Task[Data]) -> str:
    # What the tests expect was worked out by the other program, but for large inputs.
    return task.data.reference


def solutions(task: Task[Data]) -> list[str]:
    """Right programs; brute force is one where it ends in time."""
    return [task.data.reference, *([] if task.data.large else [task.data.other])]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    return judged(runner, answer, task.data.tests, shown=task.data.shown)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [suites.learnt(task.data.tests[: task.data.shown]), *task.data.wrong[:3]]


def cost(task: Task[Data]) -> float:
    return task.data.weight


def audited(task: Task[Data], runner: Runner, inputs: Callable[[Rng, int, str], Inputs], count: int = 120) -> Audit:
    """Wrong programs found out by other inputs of the same family, and programs that are right."""
    data = task.data
    more = inputs(Rng("audit", data.reference), count, data.kind)
    return suites.audited(runner, data.reference, more, bank=data.wrong, equal=solutions(task), most=MOST_MUTANTS)


def written(function: Meaning, rules: Rules) -> str:
    """The program `solve` that a function is once its keyword arguments are these.

    The functions of its module that it calls come with it, each once for every set of keyword arguments that it is called with.
    """
    texts: list[str] = []
    names: dict[tuple[str, str], str] = {}

    def write(one: Meaning, known: Rules, name: str) -> None:
        tree = _Specialised(known, _helpers(one), called).visit(_parsed(one))
        tree.name = name
        texts.append(ast.unparse(ast.fix_missing_locations(tree)))

    def called(helper: Meaning, known: Rules) -> str:
        key = helper.__name__, repr(known)
        if key not in names:
            like = sum(name == helper.__name__ for name, _ in names)
            names[key] = helper.__name__ if not like else f"{helper.__name__}_{like + 1}"
            write(helper, known, names[key])
        return names[key]

    write(function, rules, "solve")
    return "\n\n".join(texts)


@cache
def _helpers(function: Meaning) -> dict[str, Meaning]:
    around = inspect.unwrap(function).__globals__
    names = dict.fromkeys(node.id for node in ast.walk(_parsed(function)) if isinstance(node, ast.Name))
    return {name: around[name] for name in names if inspect.isfunction(around.get(name))}


@cache
def _source(function: Meaning) -> str:
    return textwrap.dedent(inspect.getsource(function))


def _parsed(function: Meaning) -> ast.FunctionDef:
    tree = syntax.program(_source(function)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    tree.args.kwonlyargs, tree.args.kw_defaults, tree.args.kwarg = [], [], None
    if isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant):
        del tree.body[0]
    return tree


class _Specialised(ast.NodeTransformer):
    """Puts values for names, works out what is then known and drops what is never done; annotations go."""

    def __init__(self, rules: Rules, helpers: Mapping[str, Meaning], called: Callable[[Meaning, Rules], str]) -> None:
        self._rules, self._helpers, self._called = rules, helpers, called

    def visit(self, node: ast.AST) -> Any:
        changed = super().visit(node)
        if isinstance(changed, ast.FunctionDef | ast.For | ast.While | ast.If) and not changed.body:
            changed.body = [ast.Pass()]
        return changed

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        self.generic_visit(node)
        ends = next((i for i, one in enumerate(node.body) if isinstance(one, ast.Return)), len(node.body))
        node.body = node.body[: ends + 1]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        assert node.value
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id in self._rules:
            value = self._rules[node.id]
            return ast.Constant(value) if isinstance(value, str | bool | None) else syntax.expression(repr(value))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._helpers:
            known = {str(given.arg): ast.literal_eval(given.value) for given in node.keywords}
            node.keywords = []
            node.func.id = self._called(self._helpers[node.func.id], known)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and _is_known(node.left) and _is_known(node.comparators[0]):
            worked = COMPARED[type(node.ops[0])](ast.literal_eval(node.left), ast.literal_eval(node.comparators[0]))
            return ast.Constant(worked)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and _is_known(node.operand):
            return ast.Constant(not ast.literal_eval(node.operand))
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)  # the truth that ends it
        left: list[ast.expr] = []
        for part in node.values:
            if not (isinstance(part, ast.Constant) and isinstance(part.value, bool)):
                left.append(part)
            elif part.value == decides:
                left.append(ast.Constant(decides))
                break
        if not left:
            return ast.Constant(not decides)
        return left[0] if len(left) == 1 or (isinstance(left[0], ast.Constant)) else ast.BoolOp(node.op, left)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test = self.visit(node.test)
        if _is_known(test):
            only: ast.AST = self.visit(node.body if ast.literal_eval(test) else node.orelse)
            return only
        return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_If(self, node: ast.If) -> Any:
        test = self.visit(node.test)
        if _is_known(test):
            return self._each(node.body if ast.literal_eval(test) else node.orelse)
        return ast.If(test, self._each(node.body), self._each(node.orelse))

    def _each(self, body: list[ast.stmt]) -> list[ast.stmt]:
        changed = [self.visit(one) for one in body]
        return [one for some in changed for one in (some if isinstance(some, list) else [some])]

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Dict) and isinstance(node.slice, ast.Constant):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == node.slice.value:
                    return value
        return node


def _is_known(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple):
        return all(map(_is_known, node.elts))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
    return isinstance(node, ast.Constant)
