"""Genes, molecules, queues, qubits and dimensions."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod

import networkx as nx
import numpy as np
import sympy

from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver
from prompt_solvers.science_mechanics import NUMBER
from prompt_solvers.templates import group, listed


@prompt_solver("codon_translate")
def solve_codon_translate(prompt: str) -> str:
    strand = group(r"\b([ACGT]{10,})\b", prompt)
    for line in listed(prompt).values():
        places = [int(number) for number in re.findall(r"\d+", line)]
        letters = re.findall(r"\b[ACGT]+\b", line)
        first, last = places[0] - 1, places[-1]
        if re.search("cut out|are lost|are deleted", line):
            strand = strand[:first] + strand[last:]
        elif "revers" in line:
            strand = strand[:first] + strand[first:last][::-1] + strand[last:]
        elif re.search("inserted|extra", line):
            strand = strand[: first + 1] + letters[-1] + strand[first + 1 :]
        else:
            assert re.search("becomes|replaced by|takes the place", line), line
            strand = strand[:first] + (letters[0] if "takes" in line else letters[-1]) + strand[last:]
    if "other strand is read" in prompt:
        strand = strand[::-1].translate(str.maketrans("ACGT", "TGCA"))
    code = {
        codon: name
        for name, codons in re.findall(r"(\w+): ([ACGT ]+)[;.]", between(prompt + "\n", "The code", "\n"))
        for codon in codons.split()
    }
    reading = strand[strand.index("ATG") :]
    protein = ""
    for at in range(0, len(reading) - 2, 3):
        name = code[reading[at : at + 3]]
        if name == "stop":
            return protein
        protein += name
    raise ValueError("the gene has no stop")


@prompt_solver("genetics_cross")
def solve_genetics_cross(prompt: str) -> str:
    looks = {}
    for gene, text in re.findall(r"^- (\w) decides [^:]*: (.*)$", prompt, re.M):
        looks[gene] = dict(part.split(" ", 1) for part in text.split(", "))
    mother, father = (
        dict(zip(looks, genes.split(), strict=True)) for genes in re.findall(r"(?:first parent is|the second) ((?:\w\w ?)+)", prompt)
    )
    question = group(r"the phenotype ([a-z, -]+?)(?:[?.]|$)", prompt.split("inherited independently")[1].split("\n")[1])
    chance = Fraction(1)
    for look in re.split(", | and ", question):
        (gene,) = (gene for gene, table in looks.items() if look in table.values())
        children = ["".join(sorted(pair)) for pair in product(mother[gene], father[gene])]
        chance *= Fraction(sum(looks[gene][child] == look for child in children), 4)
    number = re.search(r"(\d+) offspring", prompt)
    if number is None:
        return str(chance)
    n = int(number[1])
    least = re.search(r"at least (\d+)", prompt)
    low = int(least[1]) if least else n
    assert least or re.search(r"\ball\b", prompt.split("inherited")[1])
    return str(sum(comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(low, n + 1)))


@prompt_solver("pedigree_inference")
def solve_pedigree_inference(prompt: str) -> str:
    people = re.findall(r"^- (\w+), (?:a|an) (healthy|ill) \w+(?:,.* with probability (\S+)| of (\w+) and (\w+))$", prompt, re.M)
    couple = re.search(r"child of (\w+) and (\w+)|(\w+) and (\w+) expect", prompt.split("no new mutations")[1])
    assert couple
    parents = [name for name in couple.groups() if name]
    worlds: dict[tuple[tuple[str, int], ...], Fraction] = {(): Fraction(1)}  # numbers of faulty copies of those who still matter
    for i, (name, health, chance, mother, father) in enumerate(people):
        later = {*parents, *(parent for person in people[i + 1 :] for parent in person[3:] if parent)}
        new: Counter[tuple[tuple[str, int], ...]] = Counter()
        for world, weight in worlds.items():
            copies = dict(world)
            if chance:
                odds = {0: 1 - Fraction(chance), 1: Fraction(chance)}
            else:
                a, b = Fraction(copies[mother], 2), Fraction(copies[father], 2)
                odds = {0: (1 - a) * (1 - b), 1: a * (1 - b) + b * (1 - a), 2: a * b}
            for count, odd in odds.items():
                if odd and (count == 2) == (health == "ill"):
                    kept = tuple((who, n) for who, n in (*world, (name, count)) if who in later)
                    new[kept] += weight * odd
        worlds = new
    ill = sum((weight * prod(Fraction(dict(world)[parent], 2) for parent in parents) for world, weight in worlds.items()), Fraction(0))
    return str(ill / sum(worlds.values()))


@prompt_solver("isomer_count_small")
def solve_isomer_count_small(prompt: str) -> str:
    bonds = re.findall(r"\b(\d+)-(\d+)\b", prompt)
    graph = nx.Graph(bonds)
    room = {carbon: 4 - degree for carbon, degree in graph.degree}
    turns = list(nx.algorithms.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter())
    answers = []
    for line in listed(prompt).values():
        counts = [int(n) for n in re.findall(r"(\d+)(?: hydrogen atoms? (?:is|are) replaced)? by", line)]
        kinds = [list(combinations_with_replacement(sorted(room), count)) for count in counts]
        found = set()
        for places in product(*kinds):
            used = Counter(carbon for kind in places for carbon in kind)
            if all(room[carbon] >= n for carbon, n in used.items()):
                found.add(places)
        classes = 0
        while found:
            places = found.pop()
            classes += 1
            found -= {tuple(tuple(sorted(turn[carbon] for carbon in kind)) for kind in places) for turn in turns}
        answers.append(classes)
    return ", ".join(map(str, answers))


@prompt_solver("queueing_exact")
def solve_queueing_exact(prompt: str) -> str:
    arrivals = Fraction(group(rf"on average ({NUMBER}) an hour", prompt))
    minutes = Fraction(group(rf"({NUMBER}) minutes", prompt))
    servers = int((re.search(r"(\d+) servers", prompt) or [0, "1"])[1])
    room = int(group(r"room for (\d+) customers?", prompt))
    leaves = {int(n): Fraction(share) / 100 for share, n in re.findall(rf"({NUMBER})% when (\d+) (?:is|are) there", prompt)}
    weights = [Fraction(1)]
    for n in range(room):
        weights.append(weights[-1] * arrivals * (1 - leaves.get(n, 0)) / (60 / minutes * min(n + 1, servers)))
    total = sum(weights)
    return f"p = {weights[-1] / total}, n = {sum(n * weight for n, weight in enumerate(weights)) / total}"


@prompt_solver("quantum_circuit_output")
def solve_quantum_circuit_output(prompt: str) -> str:
    qubits = int(group(r"(\d+) qubits", prompt))
    state = np.zeros((2,) * qubits, dtype=complex)
    state[(0,) * qubits] = 1
    single = {
        "X": [[0, 1], [1, 0]],
        "Y": [[0, -1j], [1j, 0]],
        "Z": [[1, 0], [0, -1]],
        "S": [[1, 0], [0, 1j]],
        "H": np.array([[1, 1], [1, -1]]) / np.sqrt(2),
    }
    for line in listed(prompt).values():
        gate, *numbers = line.split()
        axes = [int(number) - 1 for number in numbers]
        if gate == "SWAP":
            state = np.swapaxes(state, *axes)
            continue
        matrix = np.eye(2 ** len(axes), dtype=complex)
        matrix[-2:, -2:] = single[gate.lstrip("C")]
        matrix = matrix.reshape((2,) * (2 * len(axes)))
        state = np.moveaxis(np.tensordot(matrix, state, axes=(range(len(axes), 2 * len(axes)), axes)), range(len(axes)), axes)
    measured = [int(n) - 1 for n in re.findall(r"\d", group(r"qubits ([\d, and]+) are measured", prompt))]
    chances = np.abs(state) ** 2
    chances = chances.sum(axis=tuple(set(range(qubits)) - set(measured)))
    chances = np.transpose(chances, [sorted(measured).index(q) for q in measured])
    outcomes = {"".join(map(str, index)): Fraction(float(p)).limit_denominator(1 << 12) for index, p in np.ndenumerate(chances)}
    assert sum(outcomes.values()) == 1
    return ", ".join(f"{outcome} = {p}" for outcome, p in outcomes.items() if p)


@prompt_solver("unit_dimension_check")
def solve_unit_dimension_check(prompt: str) -> str:
    def unit(text: str) -> dict[str, sympy.Rational]:
        return {name: sympy.Rational(power or 1) for name, power in re.findall(r"([A-Za-z]+)(?:\^\(?([-\d/]+)\)?)?", text)}

    quantities = {name: unit(text) for name, text in re.findall(r"^- (\w), .*, in (.*)$", prompt, re.M)}
    goal = unit(group(r"measured in ([^.?)]*?)(?: and is|\)(?! ?[a-z]*\^)|\.|\?)", re.sub(r"\^\(([-\d/]+)\)", r"^\1", prompt)))
    bases = sorted({base for text in (*quantities.values(), goal) for base in text})
    matrix = sympy.Matrix([[text.get(base, 0) for text in quantities.values()] for base in bases])
    symbols = sympy.symbols(" ".join(f"e_{name}" for name in quantities), seq=True)
    (solution,) = sympy.linsolve((matrix, sympy.Matrix([goal.get(base, 0) for base in bases])), symbols)
    assert not solution.free_symbols
    return ", ".join(f"{name} = {value}" for name, value in zip(quantities, solution, strict=True))
