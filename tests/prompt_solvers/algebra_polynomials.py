"""Polynomials, sequences and expressions."""

from __future__ import annotations

import re

import sympy
from sympy.concrete.gosper import gosper_sum

from prompt_solvers.parsing import between, formula, problem, written
from prompt_solvers.registry import prompt_solver

X, N, K = sympy.symbols("x n k")


def named_polynomials(text: str) -> dict[str, sympy.Poly]:
    """The polynomials that lines such as `p = x + 1` give, modulo a prime where the text says so."""
    modulus = re.search(r"modulo (\d+)", text)
    options = {"modulus": int(modulus[1]), "symmetric": False} if modulus else {"domain": "QQ"}
    return {line[0]: sympy.Poly(formula(line[4:]), X, **options) for line in text.splitlines() if re.match(r"[a-z] = ", line)}


@prompt_solver("polynomial_division")
def solve_polynomial_division(prompt: str) -> str:
    given = named_polynomials(problem(prompt))
    quotient, remainder = sympy.div(given["p"], given["d"])
    return f"q = {written(quotient.as_expr())}, r = {written(remainder.as_expr())}"


@prompt_solver("polynomial_gcd", highest_level=0.5)
def solve_polynomial_gcd(prompt: str) -> str:
    given = named_polynomials(problem(prompt))
    return written(sympy.gcd(given["p"], given["s"]).monic().as_expr())


@prompt_solver("polynomial_factorization")
def solve_polynomial_factorization(prompt: str) -> str:
    content, factors = sympy.factor_list(formula(problem(prompt).splitlines()[1]))
    parts = [f"({written(factor)})^{count}" for factor, count in factors]
    primes = sympy.factorint(abs(content))
    parts += [f"{prime}^{count}" for prime, count in primes.items()]
    return ("-1*" if content < 0 else "") + "*".join(parts)


@prompt_solver("polynomial_interpolation")
def solve_polynomial_interpolation(prompt: str) -> str:
    points = [(int(a), int(b)) for a, b in re.findall(r"p\((-?\d+)\) = (-?\d+)", problem(prompt))]
    return written(sympy.expand(sympy.interpolate(points, X)))


@prompt_solver("polynomial_roots")
def solve_polynomial_roots(prompt: str) -> str:
    roots = sympy.roots(sympy.Poly(formula(between(problem(prompt), "p(x) = ", ".\n")), X), filter="Q")
    return ", ".join(str(root) for root, count in roots.items() for _ in range(count))


@prompt_solver("partial_fractions")
def solve_partial_fractions(prompt: str) -> str:
    return written(sympy.apart(formula(problem(prompt).splitlines()[1]), X))


@prompt_solver("vieta_sums")
def solve_vieta_sums(prompt: str) -> str:
    """The trace of a power of the companion matrix."""
    text = problem(prompt)
    power = re.search(r"Add up (1/)?r\^(\d+)", text)
    assert power is not None
    poly = sympy.Poly(formula(text.splitlines()[1].split(" = ")[0]), X).monic()
    degree = poly.degree()
    companion = sympy.Matrix(degree, degree, lambda i, j: -poly.coeff_monomial(X**i) if j == degree - 1 else int(i == j + 1))
    return str((companion ** (-int(power[2]) if power[1] else int(power[2]))).trace())


@prompt_solver("function_composition")
def solve_function_composition(prompt: str) -> str:
    text = problem(prompt)
    functions = {line[0]: formula(line.split(" = ")[1]) for line in text.splitlines() if re.match(r"[a-z]\(x\) = ", line)}
    result: sympy.Expr = X
    for name, inverse in reversed(re.findall(r"([a-z])(\^-1)?(?=\()", between(text, "h(x) = ", "x)"))):
        if inverse:
            y = sympy.Symbol("y")
            (step,) = sympy.solve(functions[name] - y, X)
            result = sympy.cancel(step.subs(y, result))
        else:
            result = sympy.cancel(functions[name].subs(X, result))
    return written(result)


@prompt_solver("recurrence_solve")
def solve_recurrence_solve(prompt: str) -> str:
    """Fits powers of the characteristic roots and of the bases of the extra term to the first terms of the sequence."""
    text = problem(prompt)
    values = [sympy.Integer(value) for value in re.findall(r"a\(\d+\) = (-?\d+)", text)]
    rule = between(text, "a(n) = ", " for n >=")
    parts = re.findall(r"(-?)\s*(?:([\d/]+)\*)?a\(n-(\d+)\)", rule.replace("- ", "-"))
    extra = formula(re.sub(r"[+-]?(?:[\d/]+\*)?a\(n-\d+\)", "", rule.replace(" ", "")) or "0").subs(sympy.Symbol("n"), N)
    order = max(int(lag) for _, _, lag in parts)
    characteristic = X**order
    coefficients = {int(lag): sympy.Rational(sign + (size or "1")) for sign, size, lag in parts}
    for lag, coefficient in coefficients.items():
        characteristic -= coefficient * X ** (order - lag)
    bases = dict(sympy.roots(sympy.Poly(characteristic, X)))
    for term in sympy.Add.make_args(sympy.expand(extra)):
        if term != 0:
            power = next((atom for atom in term.atoms(sympy.Pow) if atom.exp == N), None)
            base = power.base if power else sympy.Integer(1)
            factor = sympy.simplify(term / power) if power else term
            degree = sympy.degree(factor, N) if factor.has(N) else 0
            roots_there = sympy.roots(sympy.Poly(characteristic, X)).get(base, 0)
            bases[base] = max(bases.get(base, 0), roots_there + int(degree) + 1)
    functions = [N**j * base**N for base, count in bases.items() for j in range(count)]
    for n in range(len(values), len(functions) + 3):
        values.append(sum(coefficient * values[n - lag] for lag, coefficient in coefficients.items()) + extra.subs(N, n))
    count = len(functions)
    at = lambda function, n: sympy.Integer(0) ** 0 if n == 0 and function == 1 else function.subs(N, n)  # noqa: E731
    matrix = sympy.Matrix(count, count, lambda i, j: at(functions[j], i))
    solution = matrix.LUsolve(sympy.Matrix(values[:count]))
    closed = sum(c * function for c, function in zip(solution, functions, strict=True))
    assert all(sympy.simplify(closed.subs(N, n) - values[n]) == 0 for n in range(count, len(values)))
    return written(closed)


@prompt_solver("sum_closed_form")
def solve_sum_closed_form(prompt: str) -> str:
    term = formula(between(problem(prompt), "the sum of ", " over k"))
    parts = [sympy.together(part) for part in (sympy.Add.make_args(term) if "/" in str(term) else [term])]
    total = sum(gosper_sum(part, (K, 1, N)) for part in parts)
    return written(sympy.factor(total))


def length_of(text: str) -> int:
    """Numbers, letters, operators and minus signs, with omitted products of a number and a letter counted."""
    return len(re.findall(r"\d+|[a-z]|[-+*/^]", text))


@prompt_solver("simplify_equivalent")
def solve_simplify_equivalent(prompt: str) -> str:
    text = problem(prompt)
    limit = int(between(text, "of length at most ", ":"))
    reduced = sympy.cancel(formula(text.splitlines()[1]))
    top, bottom = sympy.fraction(reduced)
    options = [
        [part, sympy.factor(part), shifted(part), sympy.horner(part, X) if part.free_symbols == {X} else part] for part in (top, bottom)
    ]
    quotients = [f"({written(a)})/({written(b)})" if b != 1 else written(a) for a in options[0] for b in options[1]]
    quotients += [written(reduced), written(sympy.factor(reduced))]
    if bottom.has(X):
        terms = sorted(sympy.Add.make_args(sympy.apart(reduced, X)), key=lambda term: term.could_extract_minus_sign())
        quotients.append(" + ".join(map(written, terms)).replace("+ -", "- "))
    shortest = min(quotients, key=length_of)
    assert length_of(shortest) <= limit, (shortest, limit)
    return shortest


def shifted(part: sympy.Expr) -> sympy.Expr:
    """A polynomial in x as one in x - h, without the second highest power."""
    if part.free_symbols != {X}:
        return part
    poly = sympy.Poly(part, X)
    n = poly.degree()
    h = -poly.coeff_monomial(X ** (n - 1)) / (n * poly.LC())
    return sum(c * (X - h) ** m[0] for m, c in poly.compose(sympy.Poly(X + h, X)).terms())
