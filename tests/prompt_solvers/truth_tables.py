"""Formulas of propositional and modal logic, read and evaluated."""

from __future__ import annotations

import re
from itertools import product

import z3

from prompt_solvers.formulas import Tree, atom, grounded, read, true_in
from prompt_solvers.parsing import after, between
from prompt_solvers.registry import prompt_solver


def valuations(letters: list[str]) -> list[dict[str, bool]]:
    """All valuations, in the order of binary numbers."""
    return [dict(zip(letters, values, strict=True)) for values in product((False, True), repeat=len(letters))]


@prompt_solver("truth_table_query")
def solve_truth_table_query(prompt: str) -> str:
    letters = re.split(r", | and ", between(prompt, "says which of ", " are true"))
    formulas = [read(text) for text in re.findall(r"^\d+\. (.*)$", prompt, re.MULTILINE)]
    question = between(prompt, "In which rows ", "?")
    exact = re.match(r"(?:is|are) exactly (\d+) of", question)
    rows = []
    for row, valuation in enumerate(valuations(letters)):
        count = sum(true_in(formula, valuation) for formula in formulas)
        if exact:
            fits = count == int(exact[1])
        elif question.startswith("are all"):
            fits = count == len(formulas)
        elif question.startswith("are an odd number"):
            fits = count % 2 == 1
        else:
            assert re.fullmatch(r"are more of the \d+ formulas true than false", question)
            fits = 2 * count > len(formulas)
        rows += [str(row)] if fits else []
    return ", ".join(rows)


@prompt_solver("propositional_equivalence")
def solve_propositional_equivalence(prompt: str) -> str:
    letters = between(prompt, "formulas over ", ":").split(", ")
    one, other = (read(text) for text in re.findall(r"^[AB]: (.*)$", prompt, re.MULTILINE))
    different = [values for values in valuations(letters) if true_in(one, values) != true_in(other, values)]
    return " ".join("".join("FT"[values[letter]] for letter in letters) for values in different) or "none"


Cube = tuple[int | None, ...]


def prime_implicants(ones: set[Cube]) -> list[Cube]:
    """The largest cubes that lie within a set of points, by Quine and McCluskey's method."""
    primes, cubes = [], ones
    while cubes:
        merged: dict[Cube, bool] = dict.fromkeys(cubes, False)
        larger = set()
        for cube in cubes:
            for place, value in enumerate(cube):
                other = (*cube[:place], 1 - value, *cube[place + 1 :]) if value is not None else None
                if other in cubes:
                    merged[cube] = True
                    larger.add((*cube[:place], None, *cube[place + 1 :]))
        primes += [cube for cube, used in merged.items() if not used]
        cubes = larger
    return primes


def covers(cube: Cube, point: Cube) -> bool:
    """A cube contains a point."""
    return all(value is None or value == here for value, here in zip(cube, point, strict=True))


def least_cover(primes: list[Cube], points: set[Cube], by_literals: bool) -> list[Cube]:
    """Cubes that cover all points, as few as possible or with as few literals as possible."""
    chosen = {cube: z3.Bool(str(cube)) for cube in primes}
    weights = {cube: sum(value is not None for value in cube) if by_literals else 1 for cube in primes}
    solver = z3.Optimize()
    for point in points:
        solver.add(z3.Or([chosen[cube] for cube in primes if covers(cube, point)]))
    solver.minimize(z3.Sum([z3.If(variable, weights[cube], 0) for cube, variable in chosen.items()]))
    assert solver.check() == z3.sat
    return [cube for cube, variable in chosen.items() if z3.is_true(solver.model().eval(variable))]


def literals(cube: Cube, letters: list[str], joined: str) -> str:
    """A cube as literals."""
    return joined.join(letter if value else f"not {letter}" for letter, value in zip(letters, cube, strict=True) if value is not None)


@prompt_solver("dnf_minimal")
def solve_dnf_minimal(prompt: str) -> str:
    letters = between(prompt, "Boolean function of ", ".").split(", ")
    table = {tuple(int(bit) for bit in row): value for row, value in re.findall(r"^([01]+): ([01*])$", prompt, re.MULTILINE)}
    primes = prime_implicants({row for row, value in table.items() if value != "0"})
    chosen = least_cover(primes, {row for row, value in table.items() if value == "1"}, "literals in all" in prompt)
    return "\n".join(literals(cube, letters, " and ") for cube in chosen)


@prompt_solver("cnf_conversion")
def solve_cnf_conversion(prompt: str) -> str:
    letters = between(prompt, "formula over ", ":").split(", ")
    formula = read(between(prompt, ":\n", "\n"))
    zeros = {tuple(map(int, values.values())) for values in valuations(letters) if not true_in(formula, values)}
    chosen = least_cover(prime_implicants(zeros), zeros, False)
    return "\n".join(literals(tuple(None if value is None else 1 - value for value in cube), letters, " or ") for cube in chosen)


@prompt_solver("modal_kripke")
def solve_modal_kripke(prompt: str) -> str:
    worlds = {}
    arrows: dict[str, dict[int, set[int]]] = {}
    for world, letters, rest in re.findall(r"^World (\d+): (.*?) true; (.*)$", prompt, re.MULTILINE):
        worlds[int(world)] = set(letters.split(", "))
        for kind, to in re.findall(r"(\w)-arrows to ([\d, ]+|nowhere)", rest):
            arrows.setdefault(kind, {})[int(world)] = {int(other) for other in re.findall(r"\d+", to)}
    for kind in list(arrows):
        closure = {world: {world} for world in worlds}
        for _ in worlds:
            closure = {world: seen.union(*[arrows[kind].get(other, set()) for other in seen]) for world, seen in closure.items()}
        arrows[kind + "*"] = closure

    def holds(tree: Tree) -> set[int]:
        if isinstance(tree, str):
            return {world for world, letters in worlds.items() if tree in letters}
        parts = [holds(part) for part in tree[1:]]
        if tree[0][0] in "[<" and tree[0] != "<->":
            to = arrows[tree[0][1:-1]]
            if tree[0][0] == "[":
                return {world for world in worlds if to.get(world, set()) <= parts[0]}
            return {world for world in worlds if to.get(world, set()) & parts[0]}
        if tree[0] == "not":
            return set(worlds) - parts[0]
        return {"and": parts[0] & parts[1], "or": parts[0] | parts[1], "->": (set(worlds) - parts[0]) | parts[1]}[tree[0]]

    formula = re.search(r"is this formula true\?\n(.*)", prompt)
    assert formula
    return ", ".join(map(str, sorted(holds(read(formula[1]))))) or "none"


@prompt_solver("temporal_formula_trace")
def solve_temporal_formula(prompt: str) -> str:
    trace = [set(letters.split()) for letters in re.findall(r"^\d+: (.*)$", prompt, re.MULTILINE)]
    size = len(trace)
    loop = int(between(prompt, "the trace repeats positions ", " to "))

    def path(start: int) -> list[int]:
        """The positions from one on, each that can be reached at least once."""
        found = list(range(start, size))
        return found + list(range(loop, size)) if start > loop else found

    def at(tree: Tree, start: int) -> bool:
        return start in where(tree)

    memo: dict[Tree, set[int]] = {}

    def where(tree: Tree) -> set[int]:
        if tree not in memo:
            memo[tree] = {position for position in range(size) if holds(tree, position)}
        return memo[tree]

    def until(first: Tree, second: Tree, start: int) -> bool:
        for position in path(start):
            if at(second, position):
                return True
            if not at(first, position):
                return False
        return False

    def holds(tree: Tree, here: int) -> bool:
        if isinstance(tree, str):
            return tree in trace[here]
        match tree[0]:
            case "next":
                return at(tree[1], here + 1 if here + 1 < size else loop)
            case "eventually":
                return any(at(tree[1], position) for position in path(here))
            case "always":
                return all(at(tree[1], position) for position in path(here))
            case "until":
                return until(tree[1], tree[2], here)
            case "unless":
                return until(tree[1], tree[2], here) or all(at(tree[1], position) for position in path(here))
            case "release":
                return until(tree[2], ("and", tree[1], tree[2]), here) or all(at(tree[2], position) for position in path(here))
            case "not":
                return not at(tree[1], here)
        first, second = at(tree[1], here), at(tree[2], here)
        return {"and": first and second, "or": first or second, "->": not first or second}[tree[0]]

    formula = re.search(r"is this formula true\?\n(.*)", prompt)
    assert formula
    return ", ".join(map(str, sorted(where(read(formula[1]))))) or "none"


def structure(model: z3.ModelRef, domain: list[str], arities: dict[str, int]) -> dict[str, list[str]]:
    """What each predicate holds of in a model."""
    places = {predicate: product(domain, repeat=arity) for predicate, arity in arities.items()}
    return {
        predicate: ["-".join(things) for things in tuples if z3.is_true(model.eval(atom(predicate, list(things)), model_completion=True))]
        for predicate, tuples in places.items()
    }


@prompt_solver("fol_entailment_finite")
def solve_fol_entailment(prompt: str) -> str:
    domain = between(prompt, "the things ", ".").split(", ")
    arities = {"P": 1, "Q": 1} | ({"R": 2} if "whether R holds" in prompt else {})
    premises, sentences = (
        [read(text) for text in re.findall(r"^\d+\. (.*)$", part, re.MULTILINE)]
        for part in (between(prompt, "Premises:", "Sentences:"), after(prompt, "Sentences:"))
    )
    answers = []
    for number, sentence in enumerate(sentences, 1):
        solver = z3.Solver()
        solver.add(*[grounded(premise, domain, {}) for premise in premises], z3.Not(grounded(sentence, domain, {})))
        if solver.check() == z3.unsat:
            answers.append(f"{number}: follows")
        else:
            found = structure(solver.model(), domain, arities)
            answers.append(f"{number}: " + "; ".join(f"{predicate} {' '.join(things) or 'none'}" for predicate, things in found.items()))
    return "\n".join(answers)


@prompt_solver("fol_model_finding")
def solve_fol_model(prompt: str) -> str:
    domain = [str(thing) for thing in range(1, int(re.findall(r"elements 1 to (\d+)", prompt)[0]) + 1)]
    stated = re.search(r"The predicates? (.*?) hold of single elements(?:, (.*?) of ordered pairs)?", prompt)
    assert stated
    arities = dict.fromkeys(re.findall(r"[A-Z]", stated[1]), 1) | dict.fromkeys(re.findall(r"[A-Z]", stated[2] or ""), 2)
    solver = z3.Solver()
    for text in re.findall(r"^\d+\. (.*)$", prompt, re.MULTILINE):
        solver.add(grounded(read(text, wide=True), domain, {}))
    for negation, predicate, things in re.findall(r"(not )?([A-Z])\(([\d, ]+)\)", between(prompt, "It is known that ", ". Say")):
        known = atom(predicate, things.split(", "))
        solver.add(z3.Not(known) if negation else known)
    assert solver.check() == z3.sat
    return "\n".join(f"{name}: {' '.join(things) or 'none'}" for name, things in structure(solver.model(), domain, arities).items())
