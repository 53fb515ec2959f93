"""Choices of places, colours and partners on networks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, pairwise

import sympy
import z3

from prompt_solvers.networks import neighbours, pairs, reached, roads
from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver


def prices_of(prompt: str, marker: str) -> dict[str, int]:
    """A price for each name, as in `Prices: T1 4, T2 8.`"""
    return {name: int(price) for name, price in re.findall(r"(\w+) (\d+)", between(prompt + marker + ".", marker, "."))}


def cheapest(names: Iterable[str], prices: dict[str, int], rules: Iterable[Iterable[str]]) -> list[str]:
    """The cheapest names of which each rule has at least one."""
    chosen = {name: z3.Bool(name) for name in names}
    solver = z3.Optimize()
    solver.add(*[z3.Or([chosen[name] for name in rule]) for rule in rules])
    for name, variable in chosen.items():
        solver.add_soft(z3.Not(variable), prices.get(name, 1))
    assert solver.check() == z3.sat
    return [name for name, variable in chosen.items() if z3.is_true(solver.model().eval(variable))]


@prompt_solver("vertex_cover")
def solve_vertex_cover(prompt: str) -> str:
    links = pairs(prompt)
    return " ".join(cheapest(neighbours(links), prices_of(prompt, "A guard on a corner costs: "), links))


@prompt_solver("dominating_set")
def solve_dominating_set(prompt: str) -> str:
    near = neighbours(pairs(prompt), places=[f"T{number}" for number in range(1, int(re.findall(r"T1 to T(\d+)", prompt)[0]) + 1)])
    return " ".join(cheapest(near, prices_of(prompt, "Prices of a station: "), [[town, *others] for town, others in near.items()]))


@prompt_solver("graph_colouring")
def solve_graph_colouring(prompt: str) -> str:
    countries = between(prompt, "has the countries ", ".").split(", ")
    colours = int(re.findall(r"colours 1 to (\d+)", prompt)[0])
    colour = {country: [z3.Bool(f"{country} {number}") for number in range(colours)] for country in countries}
    solver = z3.Optimize()
    for price, number in re.findall(r"(\d+) for the colour (\d+)", prompt):
        for country, choice in colour.items():
            solver.add_soft(z3.Not(choice[int(number) - 1]), int(price) * prices_of(prompt, "The sizes are: ")[country])
    for choice in colour.values():
        solver.add(z3.PbEq([(variable, 1) for variable in choice], 1))
    for one, other in pairs(prompt):
        solver.add(*[z3.Not(z3.And(first, second)) for first, second in zip(colour[one], colour[other], strict=True)])
    for country, number in re.findall(r"^(\w+) has the colour (\d+)\.$", prompt, re.MULTILINE):
        solver.add(colour[country][int(number) - 1])
    assert solver.check() == z3.sat
    model = solver.model()
    return "\n".join(f"{country}: {[z3.is_true(model.eval(one)) for one in choice].index(True) + 1}" for country, choice in colour.items())


@prompt_solver("max_clique")
def solve_max_clique(prompt: str) -> str:
    people = between(prompt, "The people ", " are at a party").split(", ")
    near = {person: set(others) for person, others in neighbours(pairs(prompt), places=people).items()}
    points = prices_of(prompt, "Points: ")
    best: list[str] = []

    def worth(group: Iterable[str]) -> int:
        return sum(points.get(person, 1) for person in group)

    def extend(group: list[str], candidates: list[str]) -> None:
        nonlocal best
        if worth(group) > worth(best):
            best = group
        for place, person in enumerate(candidates):
            if worth(group) + worth(candidates[place:]) <= worth(best):
                return
            extend([*group, person], [other for other in candidates[place + 1 :] if other in near[person]])

    extend([], sorted(people, key=lambda person: len(near[person])))
    return " ".join(best)


@prompt_solver("degree_sequence")
def solve_degree_sequence(prompt: str) -> str:
    counts = {name: int(count) for name, count in re.findall(r"(\w+) (\d+)", between(prompt, "shook hands with: ", "."))}
    hosts = set(between(prompt + "The hosts were ;", "The hosts were ", ";").split(", "))
    shaken = {
        pair: z3.Bool("-".join(pair)) for pair in combinations(counts, 2) if len(hosts) == 1 or (pair[0] in hosts) != (pair[1] in hosts)
    }
    solver = z3.SolverFor("QF_FD")
    for name, count in counts.items():
        solver.add(z3.PbEq([(variable, 1) for pair, variable in shaken.items() if name in pair], count))
    if solver.check() == z3.unsat:
        two_sides = len(hosts) > 1
        claims = sorted([count for name, count in counts.items() if name in hosts or not two_sides], reverse=True)
        for k in range(1, len(claims) + 1):
            rest = [count for name, count in counts.items() if name not in hosts] if two_sides else claims[k:]
            most = sum(min(k, count) for count in rest) + (0 if two_sides else k * (k - 1))
            if sum(claims[:k]) > most:
                return f"impossible {k} {sum(claims[:k])} {most}"
    return " ".join("-".join(pair) for pair, variable in shaken.items() if z3.is_true(solver.model().eval(variable)))


def fairest_pairing(lists: dict[str, list[str]]) -> str:
    """By a solver of constraints: of each two who would rather have each other, one must have somebody better."""
    place = {name: {other: k for k, other in enumerate(order, 1)} for name, order in lists.items()}
    students, mentors = ([name for name in lists if name[0] == letter] for letter in "SM")
    pair = {(s, m): z3.Bool(f"{s}-{m}") for s in students for m in mentors}
    optimum = z3.Optimize()
    for name in lists:
        optimum.add(z3.PbEq([(held, 1) for both, held in pair.items() if name in both], 1))
    for s, m in pair:
        better = [pair[s, other] for other in mentors if place[s][other] <= place[s][m]]
        optimum.add(z3.Or(*better, *[pair[other, m] for other in students if place[m][other] < place[m][s]]))
    optimum.minimize(z3.Sum([z3.If(held, place[s][m] + place[m][s], 0) for (s, m), held in pair.items()]))
    assert optimum.check() == z3.sat
    model = optimum.model()
    return "\n".join(f"{s}: {m}" for (s, m), held in pair.items() if z3.is_true(model.eval(held)))


@prompt_solver("stable_marriage")
def solve_stable_marriage(prompt: str) -> str:
    lists = {name: order.split() for name, order in re.findall(r"^([SM]\d+): (.*)$", prompt, re.MULTILINE)}
    if "smallest sum over all students and all mentors" in prompt:
        return fairest_pairing(lists)
    free, asked, partner = [name for name in lists if name[0] == "M"], dict.fromkeys(lists, 0), {}
    assert "student-optimal" not in prompt
    while free:
        mentor = free.pop()
        while asked[mentor] < len(lists[mentor]):
            student = lists[mentor][asked[mentor]]
            asked[mentor] += 1
            order = lists[student]
            if mentor in order and (student not in partner or order.index(mentor) < order.index(partner[student])):
                if student in partner:
                    free.append(partner[student])
                partner[student] = mentor
                break
    return "\n".join(f"{student}: {mentor}" for student, mentor in partner.items())


@prompt_solver("stationary_share")
def solve_stationary_share(prompt: str) -> str:
    if "What is the probability p" in prompt:
        return chance_of_link(prompt)
    links = re.findall(r"^(\w) -> (\w)(?:: ([\d/]+))?$", prompt, re.MULTILINE)
    pages = sorted({page for one, other, _ in links for page in (one, other)})
    jump = Fraction(1, int(re.findall(r"One move in (\d+)", prompt)[0])) if "One move in" in prompt else Fraction(0)
    leaving = {page: sum(one == page for one, _, _ in links) for page in pages}
    chance = {(one, other): jump / len(pages) for one in pages for other in pages}
    for one, other, given in links:
        chance[one, other] += (1 - jump) * (Fraction(given) if given else Fraction(1, leaving[one]))
    # The shares stay the same under a move, and their sum is 1.
    rows = [[chance[one, other] - (one == other) for one in pages] + [Fraction(0)] for other in pages[1:]]
    rows.append([Fraction(1)] * (len(pages) + 1))
    for column in range(len(pages)):
        pivot = next(row for row in rows[column:] if row[column])
        rows.remove(pivot)
        pivot = [value / pivot[column] for value in pivot]
        rows = [[value - row[column] * part for value, part in zip(row, pivot, strict=True)] for row in rows]
        rows.insert(column, pivot)
    return str(rows[pages.index(re.findall(r"ends at page (\w)", prompt)[0])][-1])


def chance_of_link(prompt: str) -> str:
    """The shares are solved for with p as a symbol, and then p from the share that is given."""
    links = re.findall(r"^(\w) -> (\w): (.*)$", prompt, re.MULTILINE)
    share, page = re.findall(r"a share of ([\d/]+) of its moves ends at page (\w)", prompt)[0]
    p, pages = sympy.Symbol("p"), sorted({one for one, *_ in links})
    shares = sympy.symbols([f"share_{name}" for name in pages])
    coming = dict.fromkeys(pages, sympy.Integer(0))
    for one, other, chance in links:
        coming[other] += shares[pages.index(one)] * sympy.sympify(chance, locals={"p": p}, rational=True)
    equations = [*[coming[name] - shares[i] for i, name in enumerate(pages)][1:], sum(shares) - 1]
    solved = sympy.solve(equations, shares, dict=True)[0][shares[pages.index(page)]]
    return str(next(root for root in sympy.solve(sympy.together(solved - sympy.Rational(share)), p) if root.is_rational and 0 < root < 1))


@prompt_solver("steiner_tree_small")
def solve_steiner_tree(prompt: str) -> str:
    cables = sorted(roads(prompt), key=lambda cable: cable[2])
    wanted = set(between(prompt, "The places ", " must all").split(", "))
    fees = prices_of(prompt, "costs a fee once: ")
    others = sorted({place for one, other, _ in cables for place in (one, other)} - wanted)
    best: tuple[Fraction, list[str]] | None = None
    for count in range(len(others) + 1):
        for extra in combinations(others, count):
            places, parts = wanted | set(extra), {place: place for place in wanted | set(extra)}
            cost, chosen = Fraction(sum(fees.get(place, 0) for place in extra)), []
            for one, other, price in cables:
                if one in places and other in places and parts[one] != parts[other]:
                    parts = {place: parts[one] if part == parts[other] else part for place, part in parts.items()}
                    cost += price
                    chosen.append(f"{one}-{other}")
            if len(set(parts.values())) == 1 and (best is None or cost < best[0]):
                best = (cost, chosen)
    assert best
    return " ".join(best[1])


def strong_groups(near: dict[str, list[str]]) -> list[set[str]]:
    """The groups of places that can each be reached from each other."""
    ahead = {place: reached(near, place) for place in near}
    return [set(group) for group in {frozenset(other for other in ahead[place] if place in ahead[other]) for place in near}]


@prompt_solver("strongly_connected_components")
def solve_strong_components(prompt: str) -> str:
    count = int(re.findall(r"places, P1 to P(\d+)", prompt)[0])
    links = pairs(prompt)
    near = neighbours(links, both=False, places=[f"P{number}" for number in range(1, count + 1)])
    groups = sorted(map(sorted, strong_groups(near)))
    if "as few new one-way streets" not in prompt:
        return "\n".join(" ".join(group) for group in groups)
    names = {place: group[0] for group in groups for place in group}
    after_ = {group[0]: {names[other] for place in group for other in near[place]} - {group[0]} for group in groups}
    behind = {name for others in after_.values() for name in others}
    alone = [name for name, others in after_.items() if not others and name not in behind]
    sources = [name for name, others in after_.items() if others and name not in behind]
    sinks = {name for name, others in after_.items() if not others and name in behind}
    seen: set[str] = set()

    def sink_from(name: str) -> str | None:
        """A sink that no earlier search has come to (Eswaran and Tarjan)."""
        seen.add(name)
        if name in sinks:
            return name
        return next((found for other in sorted(after_[name]) if other not in seen and (found := sink_from(other))), None)

    matched = [(source, sink) for source in sources if (sink := sink_from(source))]
    free_sources = [source for source in sources if source not in dict(matched)]
    free_sinks = sorted(sinks - {sink for _, sink in matched})
    ring, extra = [*matched, *[(name, name) for name in alone]], min(len(free_sinks), len(free_sources))
    joined = [(one[1], other[0]) for one, other in pairwise(ring)] + list(zip(free_sinks, free_sources, strict=False))
    joined += [(sink, ring[0][0]) for sink in free_sinks[extra:]] + [(ring[-1][1], source) for source in free_sources[extra:]]
    if len(groups) > 1:
        joined.append((ring[-1][1], ring[0][0]))
    return "\n".join(f"{one} -> {other}" for one, other in joined)
