"""Constraints on variables that are true or false: satisfiable, best, unsatisfiable, refuted."""

from __future__ import annotations

import re

import z3

from prompt_solvers.parsing import after, between
from prompt_solvers.registry import prompt_solver


def literal(text: str) -> z3.BoolRef:
    """A variable, or `not` and a variable."""
    return z3.Not(z3.Bool(text[4:])) if text.startswith("not ") else z3.Bool(text)


def constraint(text: str) -> z3.BoolRef:
    """A clause, or a statement about how many of three literals are true."""
    counted = re.fullmatch(r"(exactly one|exactly one or all three|exactly three|an odd number) of (.*?)(?: is true| are true)?", text)
    if not counted:
        return z3.Or([literal(part) for part in text.split(" or ")])
    parts = [literal(part) for part in re.split(r", | and ", counted[2])]
    if counted[1] == "exactly three":
        return z3.PbEq([(part, 1) for part in parts], 3)
    one = z3.PbEq([(part, 1) for part in parts], 1)
    return one if counted[1] == "exactly one" else z3.Or(one, z3.And(parts))


def constraints(prompt: str) -> list[str]:
    """The numbered constraints of a prompt."""
    return re.findall(r"^\d+\. (.*)$", prompt, re.MULTILINE)


def variables(prompt: str) -> list[str]:
    """The names of the variables."""
    return [f"x{number}" for number in range(1, int(between(prompt, "The variables x1 to x", " ")) + 1)]


def assignment(model: z3.ModelRef, names: list[str]) -> str:
    """A line for each variable."""
    return "\n".join(f"{name}: {'true' if z3.is_true(model.eval(z3.Bool(name))) else 'false'}" for name in names)


@prompt_solver("sat_assignment")
def solve_sat_assignment(prompt: str) -> str:
    solver = z3.Solver()
    solver.add(*[constraint(text) for text in constraints(prompt)])
    assert solver.check() == z3.sat
    return assignment(solver.model(), variables(prompt))


@prompt_solver("max_sat_small")
def solve_max_sat(prompt: str) -> str:
    solver = z3.Optimize()
    for text in constraints(prompt):
        points = re.fullmatch(r"(.*) \((\d+) points?\)", text)
        solver.add_soft(constraint(points[1] if points else text), int(points[2]) if points else 1)
    assert solver.check() == z3.sat
    return assignment(solver.model(), variables(prompt))


def fewest_unsatisfiable(left: dict[int, z3.BoolRef]) -> list[int]:
    """By hitting sets: a set without a model has something of each complement of a largest set with a model."""
    complements: list[list[int]] = []
    while True:
        optimum, taken = z3.Optimize(), {number: z3.Bool(f"taken {number}") for number in left}
        optimum.add(*[z3.Or([taken[number] for number in each]) for each in complements])
        for variable in taken.values():
            optimum.add_soft(z3.Not(variable), 1)
        assert optimum.check() == z3.sat
        chosen = [number for number, variable in taken.items() if z3.is_true(optimum.model().eval(variable))]
        solver = z3.Solver()
        solver.add(*[left[number] for number in chosen])
        if solver.check() == z3.unsat:
            return chosen
        grown = set(chosen)
        for number in left:
            if number not in grown and solver.check(left[number]) == z3.sat:
                solver.add(left[number])
                grown.add(number)
        complements.append([number for number in left if number not in grown])


@prompt_solver("unsat_core")
def solve_unsat_core(prompt: str) -> str:
    left = dict(enumerate(map(constraint, constraints(prompt)), 1))
    if "as few of them as possible" in prompt:
        return " ".join(map(str, fewest_unsatisfiable(left)))
    for number in list(left):
        solver = z3.Solver()
        solver.add(*[one for other, one in left.items() if other != number])
        if solver.check() == z3.unsat:
            del left[number]
    return " ".join(map(str, left))


class Refutation:
    """Resolution steps that follow a search: each dead end gives a clause that the choices before it make false."""

    def __init__(self, clauses: list[frozenset[int]]) -> None:
        self.clauses, self.numbers, self.steps = list(clauses), {clause: at for at, clause in enumerate(clauses, 1)}, []

    def resolve(self, one: frozenset[int], other: frozenset[int], variable: int) -> frozenset[int]:
        """The resolvent, as a step unless it is known already."""
        result = (one | other) - {variable, -variable}
        if result not in self.numbers:
            self.clauses.append(result)
            self.numbers[result] = len(self.clauses)
            self.steps.append(f"{self.numbers[one]}+{self.numbers[other]}")
        return result

    def search(self, chosen: frozenset[int]) -> frozenset[int] | set[int]:
        """A clause that the chosen literals make false, or a set of literals that makes all true."""
        open_literals: list[frozenset[int]] = []
        for clause in self.clauses:
            if clause & chosen:
                continue
            rest = frozenset(one for one in clause if -one not in chosen)
            if not rest:
                return clause
            open_literals.append(rest)
        if not open_literals:
            return set(chosen)
        pick = max(min(open_literals, key=len), key=lambda one: sum(abs(one) in map(abs, rest) for rest in open_literals if len(rest) < 3))
        if_false = self.search(chosen | {-pick})
        if isinstance(if_false, set) or pick not in if_false:
            return if_false
        if_true = self.search(chosen | {pick})
        if isinstance(if_true, set) or -pick not in if_true:
            return if_true
        return self.resolve(if_false, if_true, abs(pick))


@prompt_solver("sat_decide")
def solve_sat_decide(prompt: str) -> str:
    clauses = [frozenset(int(part.replace("not x", "-").lstrip("x")) for part in text.split(" or ")) for text in constraints(prompt)]
    refutation = Refutation(clauses)
    found = refutation.search(frozenset())
    if isinstance(found, set):
        return " ".join(name if int(name[1:]) in found else f"-{name}" for name in variables(prompt))
    return " ".join(refutation.steps)


@prompt_solver("syllogism")
def solve_syllogism(prompt: str) -> str:
    stated = re.findall(r"^- (.*)\.$", prompt, re.MULTILINE)
    claims = re.findall(r"^\d+\. (.*)\.$", prompt, re.MULTILINE)
    pattern = r"(All|No|Some) (\w+) are (not )?(\w+)"
    names = sorted({name for text in stated + claims for _, one, _, other in re.findall(pattern, text) for name in (one, other)})
    # A kind of thing belongs to some of the classes; what matters is which of the kinds exist.
    kinds = [{name for place, name in enumerate(names) if number >> place & 1} for number in range(2 ** len(names))]
    exists = [z3.Bool(f"kind {number}") for number in range(len(kinds))]

    def meaning(text: str) -> z3.BoolRef:
        (quantifier, one, negation, other) = re.findall(pattern, text)[0]
        within = [here for here, kind in zip(exists, kinds, strict=True) if one in kind and other in kind]
        beyond = [here for here, kind in zip(exists, kinds, strict=True) if one in kind and other not in kind]
        return {"All": z3.Not(z3.Or(beyond)), "No": z3.Not(z3.Or(within)), "Some": z3.Or(beyond if negation else within)}[quantifier]

    solver = z3.Solver()
    solver.add(*[meaning(text) for text in stated])
    if "has at least one member" in prompt:
        solver.add(*[z3.Or([here for here, kind in zip(exists, kinds, strict=True) if name in kind]) for name in names])
    else:
        assert "may be empty" in prompt
    sure = [str(number) for number, claim in enumerate(claims, 1) if solver.check(z3.Not(meaning(claim))) == z3.unsat]
    return ", ".join(sure) or "none"


INTERVALS = {
    "before": lambda a, b, c, d: b < c,
    "meets": lambda a, b, c, d: b == c,
    "overlaps": lambda a, b, c, d: z3.And(a < c, b > c, b < d),
    "starts": lambda a, b, c, d: z3.And(a == c, b < d),
    "during": lambda a, b, c, d: z3.And(a > c, b < d),
    "finishes": lambda a, b, c, d: z3.And(b == d, a > c),
    "equals": lambda a, b, c, d: z3.And(a == c, b == d),
}
TURNED = {
    "after": "before",
    "met by": "meets",
    "overlapped by": "overlaps",
    "started by": "starts",
    "contains": "during",
    "finished by": "finishes",
}


@prompt_solver("interval_algebra")
def solve_interval_algebra(prompt: str) -> str:
    names = re.findall(r"\b[A-Z]\b", prompt.split(" are intervals of time", 1)[0])
    ends = {name: (z3.Int(f"{name} starts"), z3.Int(f"{name} ends")) for name in names}
    solver = z3.Solver()
    for start, end in ends.values():
        solver.add(start >= 0, start < end, end <= 1000)
    for one, listed, other in re.findall(r"^([A-Z]) ([a-z ]+) ([A-Z])$", after(prompt, "one of them must hold:"), re.MULTILINE):
        ways = []
        for way in listed.split(" or "):
            first, second = (other, one) if way in TURNED else (one, other)
            ways.append(INTERVALS[TURNED.get(way, way)](*ends[first], *ends[second]))
        solver.add(z3.Or(ways))
    assert solver.check() == z3.sat
    model = solver.model()
    return "\n".join(f"{name}: {model.eval(start)}-{model.eval(end)}" for name, (start, end) in ends.items())
