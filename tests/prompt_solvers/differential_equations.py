"""Differential equations."""

from __future__ import annotations

import re
from itertools import combinations

import sympy

from prompt_solvers.calculus import X, Y, out, read
from prompt_solvers.parsing import problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("ode_linear")
def solve_ode_linear(prompt: str) -> str:
    text = problem(prompt)
    if reach := re.search(r"has (\d+) different integer roots from -(\d+) to", text):
        values = [int(value) for value in re.findall(r"y'*\(0\) = (-?\d+)", text)]
        for roots in combinations(range(-int(reach[2]), int(reach[2]) + 1), int(reach[1])):
            powers = sympy.Matrix([[root**k for root in roots] for k in range(len(roots))])
            weights = powers.LUsolve(sympy.Matrix(values[:-1]))
            if sum(weight * root ** len(roots) for weight, root in zip(weights, roots, strict=True)) == values[-1]:
                return out(sum(weight * sympy.exp(root * X) for weight, root in zip(weights, roots, strict=True)))
    equation = re.search(r"y'' .*? = .*?(?=,? (?:and|with) y\(|, y\()", text)
    start, slope = (int(re.search(rf"y{mark}\(0\) = (-?\d+)", text)[1]) for mark in ("", "'"))  # type: ignore[index]
    assert equation is not None
    f = sympy.Function("y")
    left, right = (read(re.sub(r"y''", "u", side).replace("y'", "v")) for side in equation[0].split(" = "))
    u, v = sympy.symbols("u v")
    ode = (left - right).subs({u: f(X).diff(X, 2), v: f(X).diff(X), Y: f(X)})
    return out(sympy.dsolve(ode, f(X), ics={f(0): start, f(X).diff(X).subs(X, 0): slope}).rhs)


@prompt_solver("ode_separable")
def solve_ode_separable(prompt: str) -> str:
    """Separates the variables and keeps the branch that goes through the given point."""
    text = problem(prompt)
    start, value = map(int, re.findall(r"y\((-?\d+)\) = (-?\d+)", text)[0])
    product = re.search(r"(?:y'|dy/dx) = (\(.*?\))\*\((.*)\)(?=[ ,.])", text)
    assert product is not None
    of_y = read(product[2].split(") and")[0].split("), y(")[0].split(") with")[0])
    of_x = read(product[1])
    left = sympy.integrate(1 / of_y, Y)
    right = sympy.integrate(of_x, (X, start, X))
    if left.has(sympy.log):
        shift = sympy.solve(of_y, Y)[0]
        rate = sympy.simplify(of_y / (Y - shift))
        return out(shift + (value - shift) * sympy.exp(rate * right))
    for branch in sympy.solve(left - left.subs(Y, value) - right, Y):
        if sympy.simplify(branch.subs(X, start) - value) == 0:
            return out(branch)
    raise ValueError("no branch")
