"""Recursive functions put together from branches, and programs without recursion that do the same.

A call depends on calls with smaller numbers only, so that a table from below, or the way down kept in a list, takes the place of the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from textwrap import indent

from rlgym.core.rng import Rng

LOWEST = -3  # no call is made with a smaller number
NAMES = ("solve", "fold", "turn", "climb")
Number = Callable[[int, int, int, int], int]


@dataclass(frozen=True)
class Form:
    """An expression of n, a (what is carried down), r and q (what the first and the second call return)."""

    text: str
    value: Number


@dataclass(frozen=True)
class Call:
    """A call of a function for a number below n."""

    to: int
    number: Form


@dataclass(frozen=True)
class Branch:
    """What is done where n leaves `rest` on division by `by`; the last branch of a function is for all others."""

    by: int
    rest: int
    first: Call
    second: Call | None
    carried: Form
    result: Form


@dataclass(frozen=True)
class Function:
    lowest: int  # up to this number the function calls nothing
    base: Form
    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class Rules:
    carry: bool
    functions: tuple[Function, ...]


def sample(rng: Rng, functions: int, branches: int, calls: str) -> Rules:
    """Rules for functions that all can be reached; calls: "one", "two" or "nested" in a branch, or one with a number to "carry"."""
    drawn = [_function(rng, i, functions, branches, calls) for i in range(functions)]
    return Rules(calls == "carry", tuple(drawn))


def _function(rng: Rng, at: int, functions: int, branches: int, calls: str) -> Function:
    p = rng.integer(2, 9)
    base = [Form(f"{p} - n", lambda n, a, r, q: p - n), Form(f"n * {p} + 1", lambda n, a, r, q: n * p + 1)]
    if calls == "carry":
        base = [Form("a + n", lambda n, a, r, q: a + n), Form(f"{p} * a - n", lambda n, a, r, q: p * a - n)]
    by = rng.integer(max(2, branches), 5)
    rests, drawn = rng.sample(range(by), branches), []
    for i in range(branches):
        # The first branch leads on to the next function, so that each is reached; all steps being short, many n take it.
        to = (at + 1) % functions if i == 0 else rng.integer(0, functions - 1)
        drawn.append(_branch(rng, by, rests[i], to, functions, calls))
    return Function(rng.integer(0, 2), rng.choice(base), tuple(drawn))


def _less(step: int) -> Form:
    return Form(f"n - {step}", lambda n, a, r, q: n - step)


def _branch(rng: Rng, by: int, rest: int, to: int, functions: int, calls: str) -> Branch:
    p, m, step = rng.integer(2, 7), rng.choice((31, 47, 61, 97, 101)), rng.integer(1, 3)
    carried = rng.choice(
        (
            Form(f"(a * {p} + n) % {m}", lambda n, a, r, q: (a * p + n) % m),
            Form(f"a + n % {p}", lambda n, a, r, q: a + n % p),
            Form(f"abs(a - n) % {m}", lambda n, a, r, q: abs(a - n) % m),
        )
    )
    second = None
    if calls in ("two", "nested"):
        back = [_less(step % 3 + 1), Form("n // 2", lambda n, a, r, q: n // 2)]
        inner = [Form("r % n", lambda n, a, r, q: r % n), Form("n - 1 - r % 3", lambda n, a, r, q: n - 1 - r % 3)]
        second = Call(rng.integer(0, functions - 1), rng.choice(inner if calls == "nested" and rng.chance(0.7) else back))
    return Branch(by, rest, Call(to, _less(step)), second, carried, rng.choice(_results(rng, calls)))


def _results(rng: Rng, calls: str) -> tuple[Form, ...]:
    p, m = rng.integer(2, 9), rng.integer(41, 109)
    if calls == "carry":
        return (
            Form(f"(r + {p} * a) % {m}", lambda n, a, r, q: (r + p * a) % m),
            Form(f"r + a if (r + n) % {p} else abs(r - a)", lambda n, a, r, q: r + a if (r + n) % p else abs(r - a)),
            Form(f"({p} * r + a) % {m}", lambda n, a, r, q: (p * r + a) % m),
            Form(f"max(r, a) + n % {p}", lambda n, a, r, q: max(r, a) + n % p),
        )
    if calls != "one":
        return (
            Form(f"(r + {p} * q + n) % {m}", lambda n, a, r, q: (r + p * q + n) % m),
            Form(f"max(r, q) + n % {p}", lambda n, a, r, q: max(r, q) + n % p),
            Form(f"abs(r - q) + {p}", lambda n, a, r, q: abs(r - q) + p),
            Form(f"r + 1 if r < q else q + n % {p}", lambda n, a, r, q: r + 1 if r < q else q + n % p),
        )
    return (
        Form(f"({p} * r + n) % {m}", lambda n, a, r, q: (p * r + n) % m),
        Form(f"r + n % {p}", lambda n, a, r, q: r + n % p),
        Form(f"r - {p} if r > n % {m} else r + n", lambda n, a, r, q: r - p if r > n % m else r + n),
        Form(f"abs(r - n % {m})", lambda n, a, r, q: abs(r - n % m)),
        Form(f"max(r, n * {p} % {m}) - 1", lambda n, a, r, q: max(r, n * p % m) - 1),
    )


def meaning(rules: Rules) -> Callable[..., int]:
    """What the first function returns, with results cached between calls."""
    return partial(_value, rules, {})


def _value(rules: Rules, known: dict[tuple[int, int, int], int], n: int, a: int = 0) -> int:
    goal = (0, n, a)
    todo = [goal] if goal not in known else []
    while todo:
        at, n, a = todo[-1]
        function = rules.functions[at]
        if n <= function.lowest:
            known[todo.pop()] = function.base.value(n, a, 0, 0)
            continue
        branch = branch_taken(function, n)
        below = branch.carried.value(n, a, 0, 0) if rules.carry else 0
        first = (branch.first.to, branch.first.number.value(n, a, 0, 0), below)
        if first not in known:
            todo.append(first)
            continue
        r, q = known[first], 0
        if branch.second:
            second = (branch.second.to, branch.second.number.value(n, a, r, 0), below)
            if second not in known:
                todo.append(second)
                continue
            q = known[second]
        known[todo.pop()] = branch.result.value(n, a, r, q)
    return known[goal]


def branch_taken(function: Function, n: int) -> Branch:
    """The branch for n."""
    return next((branch for branch in function.branches[:-1] if n % branch.by == branch.rest), function.branches[-1])


def near_miss_rules(rules: Rules) -> Iterator[Rules]:
    """Rules that a careless reader would take for these."""
    for i, function in enumerate(rules.functions):
        for changed in _mutants(function):
            yield replace(rules, functions=(*rules.functions[:i], changed, *rules.functions[i + 1 :]))
    if len(rules.functions) > 1:
        yield replace(rules, functions=tuple(map(_only_itself, range(len(rules.functions)), rules.functions)))


def _mutants(function: Function) -> Iterator[Function]:
    if function.lowest:
        yield replace(function, lowest=function.lowest - 1)
    yield replace(function, lowest=function.lowest + 1)
    branches = function.branches
    if len(branches) > 1:
        swapped = replace(branches[0], by=branches[1].by, rest=branches[1].rest), replace(branches[1], rest=branches[0].rest)
        yield replace(function, branches=(swapped[1], swapped[0], *branches[2:]))
        yield replace(function, branches=branches[1:])
    last = branches[-1]
    if last.second:
        yield replace(function, branches=(*branches[:-1], replace(last, second=Call(last.second.to, _less(1)))))
        yield replace(function, branches=(*branches[:-1], replace(last, first=replace(last.second, number=last.first.number))))


def _only_itself(at: int, function: Function) -> Function:
    return replace(function, branches=tuple(replace(branch, first=Call(at, branch.first.number)) for branch in function.branches))


def recursive(rules: Rules) -> str:
    """The program as it is thought of."""
    takes, more = ("n, a", True) if rules.carry else ("n", False)
    return "\n\n".join(f"def {NAMES[i]}({takes}):\n{indent(_body(function, more), '    ')}" for i, function in enumerate(rules.functions))


def _body(function: Function, carry: bool) -> str:
    lines = [f"if n <= {function.lowest}:", f"    return {function.base.text}"]
    for i, branch in enumerate(function.branches):
        last = i == len(function.branches) - 1
        below = f", {branch.carried.text}" if carry else ""
        done = [f"r = {NAMES[branch.first.to]}({branch.first.number.text}{below})"]
        if branch.second:
            done.append(f"q = {NAMES[branch.second.to]}({branch.second.number.text}{below})")
        done.append(f"return {branch.result.text}")
        lines += done if last else [f"if n % {branch.by} == {branch.rest}:", *(f"    {line}" for line in done)]
    return "\n".join(lines)


def _cases(parts: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """An if with a body for each test; the last one, whose test is empty, is for all others."""
    if len(parts) == 1:
        return list(parts[0][1])
    lines = []
    for i, (test, body) in enumerate(parts):
        lines += [f"{'if' if i == 0 else 'elif'} {test}:" if test else "else:", *(f"    {line}" for line in body)]
    return lines


def _branch_cases(function: Function, done: Callable[[Branch], Sequence[str]], base: Sequence[str]) -> list[str]:
    parts = [(f"n <= {function.lowest}", base)]
    parts += [
        (f"n % {branch.by} == {branch.rest}" if branch is not function.branches[-1] else "", done(branch)) for branch in function.branches
    ]
    return _cases(parts)


def iterative(rules: Rules) -> str:
    """A program that works from below, or down and back up again where something is carried."""
    return _stack_program(rules) if rules.carry else _bottom_up_program(rules)


def _bottom_up_program(rules: Rules) -> str:
    tables = [f"known_{i}" for i in range(len(rules.functions))]
    lines = [*(f"{table} = {{}}" for table in tables), f"for n in range({LOWEST}, last + 1):"]
    for i, function in enumerate(rules.functions):

        def done(branch: Branch, table: str = tables[i]) -> list[str]:
            first = f"r = {tables[branch.first.to]}[{branch.first.number.text}]"
            second = [f"q = {tables[branch.second.to]}[{branch.second.number.text}]"] if branch.second else []
            return [first, *second, f"{table}[n] = {branch.result.text}"]

        lines += [f"    {line}" for line in _branch_cases(function, done, [f"{tables[i]}[n] = {function.base.text}"])]
    return "def solve(last):\n" + indent("\n".join([*lines, "return known_0[last]"]), "    ")


def _stack_program(rules: Rules) -> str:
    ways = [branch for function in rules.functions for branch in function.branches]
    number = {id(branch): i for i, branch in enumerate(ways)}

    def down(branch: Branch) -> list[str]:
        goes = f"at, n, a = {branch.first.to}, {branch.first.number.text}, {branch.carried.text}"
        return [f"path.append(({number[id(branch)]}, n, a))", goes]

    places = [
        (f"at == {i}" if i < len(rules.functions) - 1 else "", _branch_cases(function, down, [f"r = {function.base.text}", "break"]))
        for i, function in enumerate(rules.functions)
    ]
    ups = [(f"way == {i}" if i < len(ways) - 1 else "", [f"r = {branch.result.text}"]) for i, branch in enumerate(ways)]
    lines = ["at, path = 0, []", "while True:", *(f"    {line}" for line in _cases(places))]
    lines += ["for way, n, a in reversed(path):", *(f"    {line}" for line in _cases(ups)), "return r"]
    return "def solve(n, a):\n" + indent("\n".join(lines), "    ")


def program_with_stack(rules: Rules) -> str:
    """A program that keeps the calls that wait in a list, and what is known in a dictionary."""
    takes = "n, a" if rules.carry else "n"

    def call_lines(call: Call, name: str, below: str, then: Sequence[str]) -> list[str]:
        key = f"({call.to}, {call.number.text}{below})"
        rest = [f"    {line}" for line in [f"{name} = known[key]", *then]]
        return [f"key = {key}", "if key not in known:", "    todo.append(key)", "else:", *rest]

    def done(branch: Branch) -> list[str]:
        below = f", {branch.carried.text}" if rules.carry else ""
        then = [f"known[todo.pop()] = {branch.result.text}"]
        return call_lines(branch.first, "r", below, call_lines(branch.second, "q", below, then) if branch.second else then)

    places = [
        (f"at == {i}" if i < len(rules.functions) - 1 else "", _branch_cases(function, done, [f"known[todo.pop()] = {function.base.text}"]))
        for i, function in enumerate(rules.functions)
    ]
    lines = ["known = {}", f"goal = (0, {takes})", "todo = [goal]", "while todo:", f"    at, {takes} = todo[-1]"]
    lines += [*(f"    {line}" for line in _cases(places)), "return known[goal]"]
    return f"def solve({takes}):\n" + indent("\n".join(lines), "    ")
