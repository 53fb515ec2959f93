"""Powers, roots and sequences modulo a number."""

from __future__ import annotations

import math
import re

import sympy

from prompt_solvers.parsing import between, problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("modular_arithmetic")
def solve_modular_arithmetic(prompt: str) -> str:
    text = problem(prompt)
    start, modulus = map(int, re.findall(r"Start with (\d+) and do these steps modulo (\d+)", text)[0])
    value = start
    for word, number in re.findall(r"^\d+\. (\w+) (?:by )?(\w+)$", text, re.MULTILINE):
        if word == "square":
            value = value * value % modulus
            continue
        n = int(number)
        operations = {"add": value + n, "subtract": value - n, "multiply": value * n}
        value = (value * pow(n, -1, modulus) if word == "divide" else operations[word]) % modulus
    return str(value)


@prompt_solver("modular_power")
def solve_modular_power(prompt: str) -> str:
    terms = between(problem(prompt), "remainder when ", " is divided by")
    modulus = int(re.search(r"is divided by (\d+)", prompt)[1])  # type: ignore[index]
    total = 0
    for sign, base, exponent in re.findall(r"([+-]?) ?(\d+)\^(\d+)", terms):
        total += (-1 if sign == "-" else 1) * pow(int(base), int(exponent), modulus)
    return str(total % modulus)


def tail_and_cycle(base: int, modulus: int) -> tuple[int, int]:
    """After how many exponents the powers of a base modulo a number repeat, and the length of what repeats."""
    tail, rest = 0, modulus
    while (common := math.gcd(base, rest)) > 1:
        tail, rest = tail + 1, rest // common
    return tail, int(sympy.n_order(base, rest)) if rest > 1 else 1


@prompt_solver("order_of_element")
def solve_order_of_element(prompt: str) -> str:
    text = problem(prompt)
    if found := re.search(r"for which (\d+)\^k leaves the remainder 1 when divided by (\d+)", text):
        return str(sympy.n_order(int(found[1]), int(found[2])))
    found = re.search(r"that (\d+)\^0, .* leave when divided by (\d+)\.", text)
    assert found is not None
    return str(sum(tail_and_cycle(int(found[1]), int(found[2]))))


@prompt_solver("power_tower")
def solve_power_tower(prompt: str) -> str:
    """The exponent matters only until the powers repeat, and then modulo the length of what repeats."""
    if counted := re.search(r"from 1 to (\d+) does (\d+)\^\(x\^x\) leave the remainder (\d+) when divided by (\d+)", prompt):
        most, base, rest, divisor = map(int, counted.groups())
        order = next(k for k in range(1, divisor) if pow(base, k, divisor) == 1)
        return str(sum(pow(base, pow(x, x, order), divisor) == rest for x in range(1, most + 1)))
    tower, modulus = re.findall(r"What remainder does ([\d^]+) leave when divided by (\d+)\?", prompt)[0]
    numbers = [int(number) for number in tower.split("^")]

    def capped(tower: list[int], limit: int) -> int:
        """The value of a tower, or the limit if it is larger."""
        value = 1
        for number in reversed(tower):
            value = number**value if number == 1 or value * math.log(number) < 60 else limit
            if value >= limit:
                value = max(limit, 64)
        return min(value, limit)

    def remainder(tower: list[int], modulus: int) -> int:
        if modulus == 1:
            return 0
        if len(tower) == 1:
            return tower[0] % modulus
        tail, cycle = tail_and_cycle(tower[0], modulus)
        exponent = remainder(tower[1:], cycle)
        if capped(tower[1:], tail + 1) <= tail:
            exponent = capped(tower[1:], tail + 1)
        else:
            exponent += -(-max(0, tail - exponent) // cycle) * cycle
        return pow(tower[0], exponent, modulus)

    return str(remainder(numbers, int(modulus)))


@prompt_solver("fibonacci_mod")
def solve_fibonacci_mod(prompt: str) -> str:
    """The powers of x modulo the characteristic polynomial."""
    text = problem(prompt)
    a, b = map(int, re.findall(r"a\(0\) = (-?\d+) and a\(1\) = (-?\d+)", text)[0])
    p, q = re.findall(r"a\(n\) = (?:(\d+)\*)?a\(n-1\) \+ (?:(\d+)\*)?a\(n-2\)", text)[0]
    p, q = int(p or 1), int(q or 1)
    if searched := re.search(r"a\(n\) leaves the remainder (\d+) when divided by (\d+)", text):
        rest, divisor = map(int, searched.groups())
        place = 1
        while b % divisor != rest:
            a, b, place = b % divisor, (p * b + q * a) % divisor, place + 1
        return str(place)
    n, modulus = map(int, re.findall(r"does a\((\d+)\) leave when divided by (\d+)", text)[0])
    constant, linear = 1, 0
    for bit in bin(n)[2:]:
        constant, linear = constant**2 + q * linear**2, 2 * constant * linear + p * linear**2
        if bit == "1":
            constant, linear = q * linear, constant + p * linear
        constant, linear = constant % modulus, linear % modulus
    return str((constant * a + linear * b) % modulus)


@prompt_solver("primitive_root")
def solve_primitive_root(prompt: str) -> str:
    prime = int(re.search(r"divided by the prime (\d+)", prompt)[1])  # type: ignore[index]
    g = int(re.search(r"smallest g greater than (\d+)", prompt)[1]) + 1  # type: ignore[index]
    while g % prime == 0 or not sympy.is_primitive_root(g % prime, prime):
        g += 1
    return str(g)


@prompt_solver("quadratic_residue")
def solve_quadratic_residue(prompt: str) -> str:
    text = problem(prompt)
    a, n = map(int, re.findall(r"square leaves the remainder (\d+) when divided by (\d+)", text)[0])
    root = sympy.sqrt_mod(a, n)
    if root is not None:
        return str(root)
    return f"impossible {next(p for p in sympy.factorint(n) if a % p and pow(a, (p - 1) // 2, p) != 1)}"


@prompt_solver("discrete_log")
def solve_discrete_log(prompt: str) -> str:
    """Baby steps and giant steps for every prime power in the order of the base."""
    text = problem(prompt)
    g, a, n = map(int, re.findall(r"such that (\d+)\^x leaves the remainder (\d+) when divided by (\d+)", text)[0])
    order = int(sympy.n_order(g, n))
    if pow(a, order, n) != 1:
        return f"impossible {order}"
    x, modulus = 0, 1
    for prime, power in sympy.factorint(order).items():
        size = prime**power
        base, target = pow(g, order // size, n), pow(a, order // size, n)
        tip = pow(base, size // prime, n)
        digit_steps = math.isqrt(prime) + 1
        baby = {pow(tip, j, n): j for j in range(digit_steps)}
        leap = pow(tip, -digit_steps, n)
        part = 0
        for i in range(power):
            rest = pow(target * pow(base, -part, n) % n, size // prime ** (i + 1), n)
            for giant in range(digit_steps + 1):
                if rest in baby:
                    part += (giant * digit_steps + baby[rest]) * prime**i
                    break
                rest = rest * leap % n
            else:
                return f"impossible {order}"
        x += modulus * ((part - x) * pow(modulus, -1, size) % size)
        modulus *= size
    assert pow(g, x, n) == a % n
    return str(x)
