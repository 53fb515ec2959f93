"""Maps compared with maps, walks through all towns, trees from distances, and switches that force each other."""

from __future__ import annotations

import re
from itertools import combinations

import z3

from prompt_solvers.networks import neighbours, pairs, shortest_walk
from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver


def embedded(pattern: set[tuple[str, str]], host: set[tuple[str, str]], exact: bool) -> dict[str, str]:
    """A different place of the host for each place of the pattern; roads are pairs in their direction."""
    places = sorted({place for road in pattern for place in road})
    towns = sorted({place for road in host for place in road})
    near = {place: {other for road in pattern if place in road for other in road} - {place} for place in places}
    order = [max(places, key=lambda place: len(near[place]))]
    while len(order) < len(places):
        order.append(max(set(places) - set(order), key=lambda place: (len(near[place] & set(order)), len(near[place]), place)))
    out = {town: sum(one == town for one, _ in host) for town in towns}
    needed = {place: sum(one == place for one, _ in pattern) for place in places}

    def fits(place: str, town: str, chosen: dict[str, str]) -> bool:
        if town in chosen.values() or out[town] < needed[place]:
            return False
        for other, there in chosen.items():
            for road, image in (((place, other), (town, there)), ((other, place), (there, town))):
                if (road in pattern and image not in host) or (exact and image in host and road not in pattern):
                    return False
        return True

    def extend(chosen: dict[str, str]) -> dict[str, str] | None:
        if len(chosen) == len(order):
            return chosen
        place = order[len(chosen)]
        for town in towns:
            if fits(place, town, chosen) and (found := extend({**chosen, place: town})):
                return found
        return None

    found = extend({})
    assert found
    return found


@prompt_solver("subgraph_isomorphism")
def solve_subgraph(prompt: str) -> str:
    host, pattern = (set(pairs(part)) for part in prompt.split("A pattern has the places", 1))
    exact = "there must be no road where the pattern has none" in prompt
    if "can be used both ways" in prompt:
        host, pattern = ({*links, *[link[::-1] for link in links]} for links in (host, pattern))
    return "\n".join(f"{place}: {town}" for place, town in embedded(pattern, host, exact).items())


@prompt_solver("graph_isomorphism")
def solve_graph_isomorphism(prompt: str) -> str:
    links = set(pairs(prompt))
    if "All roads go both ways" in prompt:
        links |= {link[::-1] for link in links}
    first, second = ({link for link in links if link[0][0] == letter} for letter in "AB")
    sizes = [int(size) for size in re.findall(r"the towns [AB]1 to [AB](\d+)", prompt)]
    found = embedded(first, second, True)
    alone = [[f"{letter}{number}" for number in range(1, size + 1)] for letter, size in zip("AB", sizes, strict=True)]
    rest = zip([town for town in alone[0] if town not in found], [town for town in alone[1] if town not in found.values()], strict=True)
    return "\n".join(f"{one}: {other}" for one, other in {**found, **dict(rest)}.items())


@prompt_solver("hamiltonian_path")
def solve_hamiltonian_path(prompt: str) -> str:
    towns = [f"T{number}" for number in range(1, int(re.findall(r"T1 to T(\d+)", prompt)[0]) + 1)]
    links = pairs(prompt)
    if "can be used both ways" in prompt:
        links = links + [link[::-1] for link in links]
    # Arcs from and to an outside place close the walk to one round through all.
    links += [("outside", town) for town in towns] + [(town, "outside") for town in towns]
    arcs = {link: z3.Bool("->".join(link)) for link in links}
    solver = z3.SolverFor("QF_FD")
    for town in [*towns, "outside"]:
        solver.add(z3.PbEq([(arc, 1) for link, arc in arcs.items() if link[0] == town], 1))
        solver.add(z3.PbEq([(arc, 1) for link, arc in arcs.items() if link[1] == town], 1))
    while solver.check() == z3.sat:
        model = solver.model()
        follows = {one: other for (one, other), arc in arcs.items() if z3.is_true(model.eval(arc))}
        left, rounds = set(follows), []
        while left:
            walk = ["outside" if "outside" in left else min(left)]
            while follows[walk[-1]] != walk[0]:
                walk.append(follows[walk[-1]])
            rounds.append(walk)
            left -= set(walk)
        if len(rounds) == 1:
            return " ".join(rounds[0][1:])
        for walk in rounds:
            solver.add(z3.Or([arc for link, arc in arcs.items() if link[0] in walk and link[1] not in walk]))
    raise ValueError("there is no such walk")


@prompt_solver("graph_from_distances")
def solve_tree_from_distances(prompt: str) -> str:
    lines = [line.split() for line in between(prompt, "length of this path:\n", "\n\n").splitlines()]
    names = lines[0][1:]
    table = {(line[0], name): int(cell) for line in lines[1:] for name, cell in zip(names, line[1:], strict=True)}
    tree: dict[frozenset[str], int] = {frozenset(names[:2]): table[names[0], names[1]]}
    forks = 0

    def walk(start: str, end: str) -> list[str]:
        found = shortest_walk(neighbours([tuple(road) for road in tree]), start, end)
        assert found
        return found

    for place, name in enumerate(names[2:], 2):
        # The new place hangs from the path between two others as deep in the tree as any pair allows.
        depth, one, other = min(((table[a, name] + table[b, name] - table[a, b]) // 2, a, b) for a, b in combinations(names[:place], 2))
        along = table[one, name] - depth
        here = one
        for following in walk(one, other)[1:]:
            length = tree[frozenset((here, following))]
            if along < length:
                break
            along, here = along - length, following
        if along:
            fork = name
            if depth:
                forks += 1
                fork = f"X{forks}"
            del tree[frozenset((here, following))]
            tree[frozenset((here, fork))], tree[frozenset((fork, following))] = along, length - along
            here = fork
        if depth:
            tree[frozenset((here, name))] = depth
        elif here != name:
            tree = {frozenset(name if end == here else end for end in road): length for road, length in tree.items()}
    return "\n".join(f"{' '.join(sorted(road))} {length}" for road, length in tree.items())


@prompt_solver("two_sat")
def solve_two_sat(prompt: str) -> str:
    switches = [f"S{number}" for number in range(1, int(re.findall(r"switches, S1 to S(\d+)", prompt)[0]) + 1)]

    def negated(literal: str) -> str:
        return literal.removeprefix("-") if literal.startswith("-") else f"-{literal}"

    forced: list[tuple[str, str]] = []
    for rule in re.findall(r"^\d+\. (.*)\.$", prompt, re.MULTILINE):
        one, other = (name if state == "on" else f"-{name}" for name, state in re.findall(r"(S\d+) is (on|off)", rule))
        if rule.startswith("It is not the case"):
            clauses = [(negated(one), negated(other))]
        elif rule.startswith("If "):
            clauses = [(negated(one), other)]
        elif rule.endswith("but not both"):
            clauses = [(one, other), (negated(one), negated(other))]
        elif " if and only if " in rule:
            clauses = [(negated(one), other), (one, negated(other))]
        else:
            assert rule.endswith("(or both)"), rule
            clauses = [(one, other)]
        for first, second in clauses:
            forced += [(negated(first), second), (negated(second), first)]
    near = neighbours(forced, both=False, places=[*switches, *map(negated, switches)])
    for switch in switches:
        there, back = shortest_walk(near, switch, negated(switch)), shortest_walk(near, negated(switch), switch)
        if there and back:
            return " ".join(there + back[1:])
    setting: list[str] = []
    for switch in switches:
        literals = {switch, negated(switch)} - set(setting)
        if len(literals) == 2:
            literal = switch if shortest_walk(near, switch, negated(switch)) is None else negated(switch)
            setting += [other for other in near if other not in setting and shortest_walk(near, literal, other)]
    return " ".join(setting)
