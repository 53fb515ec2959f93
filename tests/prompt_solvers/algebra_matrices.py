"""Matrices and systems of linear equations."""

from __future__ import annotations

import re

import sympy
from sympy.polys.matrices import DomainMatrix

from prompt_solvers.parsing import formula, integers, matrix_rows, problem, written
from prompt_solvers.registry import prompt_solver


def modulus_of(text: str) -> int | None:
    """The modulus, if a task is about remainders."""
    found = re.search(r"modulo (\d+)", text)
    return int(found[1]) if found else None


def rows_written(matrix: sympy.Matrix) -> str:
    return "[" + ", ".join("[" + ", ".join(map(written, row)) + "]" for row in matrix.tolist()) + "]"


@prompt_solver("determinant")
def solve_determinant(prompt: str) -> str:
    return str(sympy.Matrix(matrix_rows(problem(prompt))).det(method="berkowitz"))


@prompt_solver("inverse_matrix")
def solve_inverse_matrix(prompt: str) -> str:
    text = problem(prompt)
    if "\nB =\n" in text:
        return rows_written(completed_inverse(text))
    matrix, modulus = sympy.Matrix(matrix_rows(text)), modulus_of(text)
    return rows_written(matrix.inv_mod(modulus) if modulus else matrix.inv())


def completed_inverse(text: str) -> sympy.Matrix:
    """The equations A*B = I and B*A = I that are linear are solved, again and again."""
    names = iter(sympy.symbols("t:200"))
    parts = text.replace("\nFind B.", "").split("\nB =\n")
    rows = [
        [[next(names) if cell == "?" else int(cell) for cell in line.strip("[]").split()] for line in part.splitlines() if "[" in line]
        for part in parts
    ]
    a, b = map(sympy.Matrix, rows)
    while a.free_symbols | b.free_symbols:
        unit = sympy.eye(a.rows)
        equations = [sympy.expand(equation) for equation in (*(a * b - unit), *(b * a - unit))]
        unknown = sorted(a.free_symbols | b.free_symbols, key=str)
        linear = [each for each in equations if each.free_symbols and sympy.Poly(each, *unknown).total_degree() == 1]
        (values,) = sympy.linsolve(linear, unknown)
        found = {name: value for name, value in zip(unknown, values, strict=True) if not value.free_symbols}
        assert found
        a, b = a.subs(found), b.subs(found)
    return b


@prompt_solver("null_space")
def solve_null_space(prompt: str) -> str:
    text = problem(prompt)
    matrix, modulus = sympy.Matrix(matrix_rows(text)), modulus_of(text)
    if "sum of squares is as small as possible" in text:
        return str([shortest_solution(matrix_rows(text))])
    if modulus is None:
        return rows_written(sympy.Matrix.hstack(*matrix.nullspace()).T)
    basis = DomainMatrix.from_Matrix(matrix).convert_to(sympy.GF(modulus)).nullspace().to_Matrix()
    return rows_written(basis.applyfunc(lambda entry: entry % modulus))


def shortest_solution(rows: list[list[int]]) -> list[int]:
    """Three entries are tried, the other two follow; the length found so far bounds the entries still to be tried."""
    best: list[int] = []
    least = 400
    (a, b), (c, d) = (row[3:] for row in rows)
    for x in range(21):
        for y in range(-20, 21):
            for z in range(-20, 21):
                if x * x + y * y + z * z > least or x * x > least:
                    continue
                e, f = (-(row[0] * x + row[1] * y + row[2] * z) for row in rows)
                determinant = a * d - b * c
                if (e * d - b * f) % determinant or (a * f - c * e) % determinant:
                    continue
                vector = [x, y, z, (e * d - b * f) // determinant, (a * f - c * e) // determinant]
                if any(vector) and sum(v * v for v in vector) < least:
                    best, least = vector, sum(v * v for v in vector)
    return best


@prompt_solver("eigenvalues_exact")
def solve_eigenvalues_exact(prompt: str) -> str:
    values = sympy.roots(sympy.Matrix(matrix_rows(problem(prompt))).charpoly())
    return ", ".join(written(value) for value, count in values.items() for _ in range(count))


@prompt_solver("linear_system")
def solve_linear_system(prompt: str) -> str:
    text = problem(prompt)
    sides = [
        re.sub(r"(\d)([a-z])", r"\1*\2", line[line.index(")") + 2 :]).split(" = ")
        for line in text.splitlines()
        if re.match(r"\(\d+\) ", line)
    ]
    found = re.search(r"unknowns (.*?):", text)
    assert found is not None
    names = sympy.symbols(found[1].split(", "))
    matrix, right = sympy.linear_eq_to_matrix([formula(left) - formula(other) for left, other in sides], names)
    if solutions := sympy.linsolve((matrix, right), names):
        (values,) = solutions
        assert not any(value.free_symbols for value in values)
        return ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))
    for multipliers in matrix.T.nullspace():
        if (right.T * multipliers)[0] != 0:
            return ", ".join(f"e{i} = {value}" for i, value in enumerate(multipliers, 1))
    raise ValueError("neither solvable nor contradictory")


@prompt_solver("elimination_wrong_step")
def solve_elimination_wrong_step(prompt: str) -> str:
    text = problem(prompt)
    rows = matrix_rows(text)
    for line in text.splitlines():
        multiple = r"(?:(-?\d+) times )?row (\d+)"
        step = re.fullmatch(rf"(\d+)\. Replace row (\d+) by {multiple} (plus|minus) {multiple}: \[(.*)\]", line)
        if step is None:
            continue
        number, target, one, two = (int(step[k]) for k in (1, 2, 4, 7))
        a, b = int(step[3] or 1), int(step[6] or 1) * (1 if step[5] == "plus" else -1)
        new = [a * x + b * y for x, y in zip(rows[one - 1], rows[two - 1], strict=True)]
        if new != integers(step[8]):
            return ", ".join(map(str, [number, *new]))
        rows[target - 1] = new
    raise ValueError("all steps are right")
