"""Gases, heat, solutions and reactions, in exact fractions."""

from __future__ import annotations

import re
from collections import Counter, deque
from fractions import Fraction
from math import lcm

import sympy

from prompt_solvers.registry import prompt_solver
from prompt_solvers.science_mechanics import NUMBER, amounts
from prompt_solvers.templates import group, listed


def kelvin(text: str) -> Fraction:
    """The temperature that a text names."""
    celsius = amounts(text, "degrees Celsius")
    return celsius[0] + 273 if celsius else amounts(text, "K")[0]


def pressure_in(text: str) -> Fraction:
    """The pressure in kPa that a text names."""
    return [*amounts(text, "kPa"), *(100 * bar for bar in amounts(text, "bar"))][0]


def gas_after(line: str, volume: Fraction, temperature: Fraction, amount: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Volume, temperature and pV/T after the change that a line describes."""
    litres = amounts(line, "L")
    if "empty vessel" in line:
        amount *= volume / temperature / (volume / temperature + litres[0] / kelvin(line))
    elif "bar" in line or "kPa" in line:
        amount += pressure_in(line) * litres[0] / temperature
        volume += litres[0]
    elif "%" in line:
        amount *= 1 - Fraction(group(rf"({NUMBER})%", line)) / 100
    elif litres:
        volume = litres[0]
    else:
        temperature = kelvin(line)
    return volume, temperature, amount


@prompt_solver("gas_laws")
def solve_gas_laws(prompt: str) -> str:
    head, lines = prompt.split("\n1. ")[0], list(listed(prompt).values())
    volume, temperature = amounts(head, "L")[0], kelvin(head)
    gas = (volume, temperature, pressure_in(head) * volume / temperature)
    if limit := re.search(rf"must not be above ({NUMBER}) kPa", prompt):
        ends = [(gas, frozenset[int]())]
        for _ in lines:
            after = [(gas_after(lines[k], *now), done | {k}) for now, done in ends for k in range(len(lines)) if k not in done]
            ends = [(now, done) for now, done in after if now[2] * now[1] / now[0] <= Fraction(limit[1])]
        return f"{max(amount * temperature / volume for (volume, temperature, amount), _ in ends)} kPa"
    for line in lines:
        gas = gas_after(line, *gas)
    return f"{gas[2] * gas[1] / gas[0]} kPa"


@prompt_solver("heat_balance")
def solve_heat_balance(prompt: str) -> str:
    ice, water, steam, melting, boiling = (
        Fraction(found)
        for found in re.search(  # type: ignore[union-attr]
            rf"Ice takes ({NUMBER}) J per gram and degree, water ({NUMBER}), steam ({NUMBER}); "
            rf"melting takes ({NUMBER}) J per gram at 0 degrees, boiling ({NUMBER}) J",
            prompt,
        ).groups()
    )
    metals = {name.lower(): Fraction(value) for name, value in re.findall(rf"(\w+) takes ({NUMBER})(?= J|,)", prompt)}
    parts = []
    for line in re.findall(r"^- .*$", prompt, re.M):
        grams = sum(amounts(line, "g")) + 1000 * sum(amounts(line, "kg"))
        parts.append((line.split(" of ")[1].split(" at ")[0], grams, amounts(line, "degrees Celsius")[0]))
    total = sum(grams for kind, grams, _ in parts if kind in ("ice", "water", "steam"))
    capacity = sum(metals[kind] * grams for kind, grams, _ in parts if kind not in ("ice", "water", "steam"))
    heat = Fraction(0)  # above everything at 0 degrees and liquid
    for kind, grams, t in parts:
        if kind == "ice":
            heat += grams * (ice * t - melting)
        elif kind == "water":
            heat += grams * water * t
        elif kind == "steam":
            heat += grams * (100 * water + boiling + steam * (t - 100))
        else:
            heat += grams * metals[kind] * t
    frozen, hot = -total * melting, 100 * (total * water + capacity)
    if heat < frozen:
        return f"t = {(heat - frozen) / (total * ice + capacity)}, ice = {total}, steam = 0"
    if heat <= 0:
        return f"t = 0, ice = {-heat / melting}, steam = 0"
    if heat <= hot:
        return f"t = {heat / (total * water + capacity)}, ice = 0, steam = 0"
    if heat <= hot + total * boiling:
        return f"t = 100, ice = 0, steam = {(heat - hot) / boiling}"
    return f"t = {100 + (heat - hot - total * boiling) / (total * steam + capacity)}, ice = 0, steam = {total}"


def litres_in(text: str) -> Fraction:
    """The volume that a text names."""
    return [*amounts(text, "L"), *(ml / 1000 for ml in amounts(text, "mL"))][0]


def acid_in(line: str) -> Fraction:
    """Moles of H+ in a portion, less those of OH-."""
    solute = re.search(r"\b(H\w+|[A-Z][a-z]?OH|[A-Z][a-z]?\(OH\)2)(?=[ ,])", line)
    if not solute or "mol/L" not in line:
        return Fraction(0)
    formula = solute[1]
    ions = -2 if "(OH)2" in formula else -1 if formula.endswith("OH") else 2 if formula.startswith("H2") else 1
    return ions * litres_in(line) * amounts(line, "mol/L")[0]


@prompt_solver("titration")
def solve_titration(prompt: str) -> str:
    head = prompt.split("\n1. ")[0].split("\n")[-1]
    volume, acid = litres_in(head), acid_in(head)
    if "whole or not at all" in head:
        most = Fraction(group(r"holds at most (\d+) mL", prompt)) / 1000
        mixtures = {(volume, acid)}
        for line in listed(prompt).values():
            mixtures |= {(filled + litres_in(line), left + acid_in(line)) for filled, left in mixtures}
        return f"{min(left / filled for filled, left in mixtures if left > 0 and filled <= most)} mol/L"
    for line in listed(prompt).values():
        if re.search("poured away|thrown out|taken away", line):
            acid *= 1 - litres_in(line) / volume
            volume -= litres_in(line)
        elif re.search("evaporat|boiled off", line):
            volume -= litres_in(line)
        else:
            assert "water" in line or acid_in(line), line
            acid += acid_in(line)
            volume += litres_in(line)
    return f"{max(acid / volume, Fraction(0))} mol/L"


def atoms(formula: str) -> Counter[str]:
    """How many atoms of each element a formula has; the charge counts as the element +."""
    formula, _, charge = formula.partition("^")
    counts: Counter[str] = Counter()
    if charge:
        counts["+"] = int(charge[:-1] or 1) * (1 if charge[-1] == "+" else -1)
    stack = [Counter[str]()]
    for element, count, opened, closed, times in re.findall(r"([A-Z][a-z]?)(\d*)|(\()|(\))(\d*)", formula):
        if opened:
            stack.append(Counter())
        elif closed:
            inner = stack.pop()
            stack[-1].update({name: number * int(times or 1) for name, number in inner.items()})
        else:
            stack[-1][element] += int(count or 1)
    counts.update(stack[0])
    return counts


def balanced(left: list[str], right: list[str]) -> list[int]:
    """Positive coefficients of a reaction equation, by the null space of its matrix of atoms."""
    columns = [atoms(formula) for formula in left] + [Counter({k: -n for k, n in atoms(formula).items()}) for formula in right]
    elements = sorted({name for column in columns for name in column})
    space = sympy.Matrix([[column[name] for column in columns] for name in elements]).nullspace()
    if len(space) == 1:
        vector = space[0]
    else:
        import z3

        numbers = [z3.Int(f"n{i}") for i in range(len(columns))]
        solver = z3.Solver()
        solver.add(*(number >= 1 for number in numbers))
        solver.add(*(z3.Sum([column[name] * number for column, number in zip(columns, numbers, strict=True)]) == 0 for name in elements))
        assert solver.check() == z3.sat
        vector = sympy.Matrix([solver.model()[number].as_long() for number in numbers])
    whole = vector * lcm(*(int(entry.q) for entry in vector))
    coefficients = [int(entry) for entry in whole]
    return [-n for n in coefficients] if coefficients[0] < 0 else coefficients


@prompt_solver("balance_equation")
def solve_balance_equation(prompt: str) -> str:
    left, right = (side.strip().split(" + ") for side in group(r"\n(.* -> .*)\n", prompt).split("->"))
    coefficients = balanced(left, right)
    assert min(coefficients) >= 1
    return ", ".join(map(str, coefficients))


@prompt_solver("stoichiometry")
def solve_stoichiometry(prompt: str) -> str:
    masses = {name: Fraction(value) for name, value in re.findall(rf"([A-Z][a-z]?) ({NUMBER})(?=[,.])", prompt.split("Molar masses")[1])}

    def molar(formula: str) -> Fraction:
        return sum((masses[name] * count for name, count in atoms(formula).items()), Fraction(0))

    amount_text, start = re.search(rf"reaction starts with ({NUMBER}) g of (\S+?)\. ", prompt).groups()  # type: ignore[union-attr]
    moles, product = Fraction(amount_text) / molar(start), start
    for line in re.findall(r"^.*->.*$", prompt, re.M):
        term = r"(?:\d+ )?[A-Z(][\w()]*"
        equation = re.search(rf"({term} \+ {term}) -> ({term} \+ {term})(?: \(unbalanced\))?\.", line)
        assert equation, line
        left, right = ([re.sub(r"^\d+ ", "", term) for term in side.split(" + ")] for side in equation.groups())
        coefficients = dict(zip(left + right, balanced(left, right), strict=True))
        assert product in left
        (other,) = set(left) - {product}
        extent = moles / coefficients[product]
        rest = line[equation.end() - 1 :]
        if "excess" not in rest and "more than enough" not in rest:
            solution = re.search(rf"({NUMBER}) mL of a ({NUMBER}) mol/L", rest)
            grams = re.search(rf"({NUMBER}) g\b", rest)
            assert solution or grams, rest
            available = Fraction(solution[1]) / 1000 * Fraction(solution[2]) if solution else Fraction(grams[1]) / molar(other)  # type: ignore[index]
            extent = min(extent, available / coefficients[other])
        made = re.search(r"yield of (\S+) is", rest)
        share = re.search(rf"({NUMBER})%", rest)
        nexts = re.findall(r"(?:mass of|grams of) (\S+)", prompt)
        following = [term for term in right if made and term == made[1]]
        product = following[0] if following else nexts[-1]
        moles = extent * coefficients[product] * (Fraction(share[1]) / 100 if share else 1)
    return f"{moles * molar(product)} g"


@prompt_solver("reaction_network_path")
def solve_reaction_network_path(prompt: str) -> str:
    def molecules(text: str) -> Counter[str]:
        return Counter({name: int(count or 1) for count, name in re.findall(r"(?:(\d+) )?\b([A-Z])\b", text)})

    start = molecules(group(r"\b((?:\d+ )?[A-Z](?: \+ (?:\d+ )?[A-Z])*)[.,]", prompt))
    rules = {n: [molecules(side) for side in line.split("->")] for n, line in listed(prompt).items()}
    goal = re.search(r"(?:get|at least|that) (\d+)(?: or more)? ([A-Z])\b", prompt.split("\n")[-3])
    most = int(group(r"(?:at most|more than) (\d+) reactions", prompt))
    assert goal, prompt
    first = tuple(sorted((+start).items()))
    queue, seen = deque([(first, [])]), {first}
    while queue:
        state, run = queue.popleft()
        pot = Counter(dict(state))
        if pot[goal[2]] >= int(goal[1]):
            return ", ".join(map(str, run))
        if len(run) == most:
            continue
        for number, (left, right) in rules.items():
            if all(pot[name] >= count for name, count in left.items()):
                after = Counter(pot)
                after.subtract(left)
                after.update(right)
                new = tuple(sorted((+after).items()))
                if new not in seen:
                    seen.add(new)
                    queue.append((new, [*run, number]))
    raise ValueError("no run of the reactions")
