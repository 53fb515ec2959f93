"""Divisors, primes and equations in integers."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import combinations

import sympy
from sympy.ntheory.continued_fraction import continued_fraction_periodic

from prompt_solvers.parsing import between, formula, integers, problem
from prompt_solvers.registry import prompt_solver

X, Y = sympy.symbols("x y")


@prompt_solver("bezout")
def solve_bezout(prompt: str) -> str:
    a, b = re.findall(r"integers x and y with (\d+)\*x \+ (\d+)\*y", prompt)[0]
    x, y, _ = sympy.gcdex(int(a), int(b))
    return f"{x}, {y}"


@prompt_solver("gcd_lcm")
def solve_gcd_lcm(prompt: str) -> str:
    numbers = integers(between(problem(prompt) + "\n", "common multiple of ", ".\n"))
    return f"{math.gcd(*numbers)}, {math.lcm(*numbers)}"


@prompt_solver("diophantine_linear")
def solve_diophantine_linear(prompt: str) -> str:
    text = problem(prompt)
    line = next(line for line in text.splitlines() if " = " in line)
    left, right = map(formula, line.split(" = "))
    poly = sympy.Poly(sympy.expand(left - right), X, Y)
    a, b, c = (int(poly.coeff_monomial(monomial)) for monomial in (X, Y, 1))
    bounds = re.search(r"each from (-?\d+) to (-?\d+)", text)
    u, v, g = map(int, sympy.gcdex(a, b))
    if c % g:
        return f"impossible {abs(g)}"
    x, y = u * (-c // g), v * (-c // g)
    step_x, step_y = b // g, -a // g
    if bounds is None:
        shift = round(Fraction(-x, step_x))
        return f"{x + shift * step_x} {y + shift * step_y}"
    low, high = int(bounds[1]), int(bounds[2])
    middle = round(Fraction(-x, step_x))
    for shift in (shift for distance in range(10) for shift in (middle + distance, middle - distance)):
        if all(low <= value <= high for value in (x + shift * step_x, y + shift * step_y)):
            return f"{x + shift * step_x} {y + shift * step_y}"
    ends = [sorted((Fraction(low - start, step), Fraction(high - start, step))) for start, step in ((x, step_x), (y, step_y))]
    shift = math.ceil(max(end[0] for end in ends))
    assert shift <= min(end[1] for end in ends), "no solution in the bounds"
    return f"{x + shift * step_x} {y + shift * step_y}"


@prompt_solver("egyptian_fraction")
def solve_egyptian_fraction(prompt: str) -> str:
    text = problem(prompt)
    found = re.search(r"Find (\d+) different (odd |even )?integers from (\d+) to (\d+) whose reciprocals add up to (\d+/\d+)", text)
    assert found is not None
    count, total = int(found[1]), Fraction(found[5])
    numbers = [n for n in range(int(found[3]), int(found[4]) + 1) if not found[2] or n % 2 == (found[2] == "odd ")]
    scale = math.lcm(*numbers)
    weights = {n: scale // n for n in numbers}
    goal = total * scale
    halves: dict[int, tuple[int, ...]] = {}
    for part in combinations(numbers, count // 2):
        halves.setdefault(sum(weights[n] for n in part), part)
    for part in combinations(numbers, count - count // 2):
        other = halves.get(int(goal) - sum(weights[n] for n in part))
        if goal.denominator == 1 and other and not set(other) & set(part):
            return ", ".join(map(str, sorted(part + other)))
    raise ValueError("no such integers")


@prompt_solver("frobenius_coin")
def solve_frobenius_coin(prompt: str) -> str:
    text = problem(prompt)
    coins = integers(between(text, "coins of ", " as many").replace(",", " "))
    odd = re.search(r"largest (even|odd) amount", text)
    kept = (lambda n: n % 2 == (odd[1] == "odd")) if odd else (lambda n: True)
    payable, largest, run, amount = [True], 0, 0, 0
    while run < 2 * max(coins):
        amount += 1
        payable.append(any(coin <= amount and payable[amount - coin] for coin in coins))
        run = run + 1 if payable[-1] or not kept(amount) else 0
        largest = largest if payable[-1] or not kept(amount) else amount
    return str(largest)


@prompt_solver("pell_equation")
def solve_pell_equation(prompt: str) -> str:
    """The method of Lagrange, Matthews and Mollin: expands (z + sqrt(d))/|m| for all square divisors f*f = n/m and all z with m | z*z - d."""
    d, n = map(int, re.findall(r"x\^2 - (\d+)\*y\^2 = (-?\d+)", prompt)[0])
    root = math.isqrt(d)
    for f in (f for f in range(1, math.isqrt(abs(n)) + 1) if n % (f * f) == 0):
        m = n // (f * f)
        for z in (z for z in range(-abs(m) // 2, abs(m) // 2 + 1) if (z * z - d) % m == 0):
            p, q, before, last = z, abs(m), (-z, 1), (abs(m), 0)
            for _ in range(5000):
                if last[1] and last[0] ** 2 - d * last[1] ** 2 == m:
                    if last[0]:
                        return f"{abs(f * last[0])}, {abs(f * last[1])}"
                    break
                digit = (p + root) // q if q > 0 else (p + root + 1) // q
                before, last = last, (digit * last[0] + before[0], digit * last[1] + before[1])
                p = digit * q - p
                q = (d - p * p) // q
                if len(str(last[0])) > 60:
                    break
    raise ValueError("no solution")


@prompt_solver("continued_fraction")
def solve_continued_fraction(prompt: str) -> str:
    found = re.search(r"The number \(?sqrt\((\d+)\)(?: ([+-]) (\d+)\))?(?: ([+-]) (\d+))?(?:/(\d+))? is", problem(prompt))
    assert found is not None
    added = int((found[2] or found[4] or "+") + (found[3] or found[5] or "0"))
    block = continued_fraction_periodic(added, int(found[6] or 1), int(found[1]))[-1]
    return ", ".join(map(str, block))


@prompt_solver("smooth_number_next")
def solve_smooth_number_next(prompt: str) -> str:
    text = problem(prompt)
    bound = int(between(text, "greater than ", " that"))
    primes = integers(between(text, "other than ", " (").replace(",", " "))
    multiple = re.search(r"a multiple of (\d+)", text)
    unit = int(multiple[1]) if multiple else 1
    numbers = {1}
    for prime in primes:
        numbers |= {
            n * prime**power for n in numbers for power in range(1, bound.bit_length() + 1) if n * prime**power <= bound * primes[0]
        }
    return str(min(n for n in numbers if n > bound and n % unit == 0))


@prompt_solver("sum_of_squares")
def solve_sum_of_squares(prompt: str) -> str:
    total = int(re.search(r"squares add up to (\d+)", prompt)[1])  # type: ignore[index]
    for x in range(math.isqrt(total // 2) + 1):
        y = math.isqrt(total - x * x)
        if x * x + y * y == total:
            return f"{x} {y}"
    return f"impossible {next(p for p, e in sympy.factorint(total).items() if p % 4 == 3 and e % 2)}"


@prompt_solver("factorial_zeros")
def solve_factorial_zeros(prompt: str) -> str:
    if searched := re.search(
        r"smallest n greater than (\d+) for which C\((\d)n, n\) ends with at least (\d+) zeros? .* in base (\d+)", prompt
    ):
        n, multiple, zeros, base = map(int, searched.groups())
        while math.comb(multiple * (n + 1), n + 1) % base**zeros:
            n += 1
        return str(n + 1)
    n, base = map(int, re.findall(r"does (\d+)! end when it is written in base (\d+)", prompt)[0])
    best = []
    for prime, power in sympy.factorint(base).items():
        count, size = 0, prime
        while size <= n:
            count, size = count + n // size, size * prime
        best.append(count // power)
    return str(min(best))


@prompt_solver("prime_factorization")
def solve_prime_factorization(prompt: str) -> str:
    number = int(between(problem(prompt), "Write ", " as"))
    return ", ".join(str(p) for p, e in sorted(sympy.factorint(number).items()) for _ in range(e))


@prompt_solver("korselt_criterion")
def solve_korselt_criterion(prompt: str) -> str:
    n, k = map(int, re.findall(r"Does (\d+) divide a\^(\d+) - a for", prompt)[0])
    factors = sympy.factorint(n)
    for p, e in factors.items():
        root = sympy.primitive_root(p) or 1
        if e > 1 or pow(root, k, p) != root % p:
            return f"no {p}"
    return "yes " + " ".join(map(str, sorted(factors)))


@prompt_solver("chinese_remainder")
def solve_chinese_remainder(prompt: str) -> str:
    text = problem(prompt)
    rules = [(int(r), int(m)) for r, m in re.findall(r"leaves the remainder (\d+) when divided by (\d+)", text)]
    if "as many of them as possible" in text:
        powers = [2 if word == "x^2" else 1 for word in re.findall(r"\d\. (x\S*) leaves", text)]
        held = [
            sum(pow(x, power, m) == r for (r, m), power in zip(rules, powers, strict=True)) for x in range(math.lcm(*(m for _, m in rules)))
        ]
        return str(held.index(max(held)))
    for (i, (r, m)), (j, (s, n)) in combinations(enumerate(rules, 1), 2):
        if (r - s) % math.gcd(m, n):
            return f"clash {i} {j}"
    x, step = 0, 1
    for r, m in rules:
        while x % m != r:
            x += step
        step = math.lcm(step, m)
    return str(x)


@prompt_solver("polynomial_congruence")
def solve_polynomial_congruence(prompt: str) -> str:
    high, modulus, poly = re.findall(r"from 0 to (\d+) for which (\d+) divides (.*?)\.", prompt)[0]
    coefficients = [int(c) for c in sympy.Poly(formula(poly), X).all_coeffs()]
    found = []
    for x in range(int(high) + 1):
        value = 0
        for c in coefficients:
            value = value * x + c
        if value % int(modulus) == 0:
            found.append(x)
    return ", ".join(map(str, found))
