"""Property graphs, spreadsheets and access rights."""

from __future__ import annotations

import operator
import re
from itertools import product

import networkx as nx

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import listed


@prompt_solver("graph_query")
def solve_graph_query(prompt: str) -> str:
    labels = {node: label for node, label, _ in re.findall(r"^\((n\d+):(\w+) size (\d+)\)$", prompt, re.M)}
    sizes = {node: int(size) for node, _, size in re.findall(r"^\((n\d+):(\w+) size (\d+)\)$", prompt, re.M)}
    edges = {(a, kind, b) for a, kind, b in re.findall(r"^\((n\d+)\)-\[:(\w+)\]->\((n\d+)\)$", prompt, re.M)}
    for kind in {kind for _, kind, _ in edges}:
        graph = nx.DiGraph([(a, b) for a, name, b in edges if name == kind])
        edges |= {(a, kind + "*", b) for a, b in nx.transitive_closure(graph, reflexive=False).edges}
    match, where, returned = re.search(r"^MATCH (.*?)(?: WHERE (.*))? RETURN (.*)$", prompt, re.M).groups()  # type: ignore[union-attr]
    comparisons = {"<": operator.lt, ">": operator.gt, "=": operator.eq, "<>": operator.ne, "<=": operator.le, ">=": operator.ge}
    variables = sorted(set(re.findall(r"\((\w)[:)]", match)))
    rows = set()

    def holds(test: str, nodes: dict[str, str]) -> bool:
        if found := re.fullmatch(r"(NOT )?\((\w)\)-\[:(\w+\*?)\]->\((\w)\)", test):
            return ((nodes[found[2]], found[3], nodes[found[4]]) in edges) != bool(found[1])
        if found := re.fullmatch(r"\((\w):(\w+)\)", test):
            return labels[nodes[found[1]]] == found[2]
        if found := re.fullmatch(r"(\w)\.size (\S+) (\w)\.size", test):
            return comparisons[found[2]](sizes[nodes[found[1]]], sizes[nodes[found[3]]])
        if found := re.fullmatch(r"(\w)\.size (\S+) (\d+)", test):
            return comparisons[found[2]](sizes[nodes[found[1]]], int(found[3]))
        raise ValueError(test)

    tests = [*match.split(", "), *(where.split(" AND ") if where else [])]
    tests.sort(key=len)
    for values in product(labels, repeat=len(variables)):
        nodes = dict(zip(variables, values, strict=True))
        if all(holds(test, nodes) for test in tests):
            rows.add("-".join(nodes[name] for name in returned.split(", ")))
    return " ".join(sorted(rows))


def recalculated(cells: dict[str, str]) -> dict[str, int]:
    """The values of all cells of a sheet of integers and formulas."""
    values: dict[str, int] = {}
    functions = {"MAX": max, "MIN": min, "MOD": lambda a, n: a % n, "IF": lambda test, x, y: x if test else y, "ABS": abs}

    def value(cell: str) -> int:
        if cell not in values:
            text = cells[cell]
            assert re.fullmatch(r"(= )?[-A-Z0-9 +*(),<>=]+", text), text
            needed = re.findall(r"\b[A-Z]\d+\b", text) if text.startswith("=") else []
            scope = {name: value(name) for name in needed}
            values[cell] = eval(text.lstrip("= "), {"__builtins__": {}, **functions}, scope)  # noqa: S307 -- cells, numbers and functions alone, as asserted
        return values[cell]

    return {cell: value(cell) for cell in cells}


@prompt_solver("spreadsheet_recalculate")
def solve_spreadsheet_recalculate(prompt: str) -> str:
    cells = dict(re.findall(r"^([A-Z]\d+): (.*)$", prompt, re.M))
    changes = dict(re.findall(r"([A-Z]\d+) is set to (-?\d+)", prompt))
    before, after = recalculated(cells), recalculated({**cells, **changes})
    return "\n".join(f"{cell}: {after[cell]}" for cell, text in cells.items() if text.startswith("=") and after[cell] != before[cell])


@prompt_solver("access_control_query")
def solve_access_control_query(prompt: str) -> str:
    roles: dict[str, set[str]] = {}
    for person, role in re.findall(r"^- ([A-Z]\w+): (\w+)$", prompt, re.M):
        roles.setdefault(person, set()).add(role)
    includes = nx.DiGraph(re.findall(r"^- everyone who has the role (\w+) also has the role (\w+)$", prompt, re.M))
    inside = dict(re.findall(r"^- (\w+) lies directly in (\w+)$", prompt, re.M))
    owners = {folder: person for person, folder in re.findall(r"^- (\w+) owns (\w+)$", prompt, re.M)}
    action, folder, people = re.search(r"^Which of these people may (\w+) (\w+): ([\w, ]+)\?", prompt, re.M).groups()  # type: ignore[union-attr]
    above = [folder]
    while above[-1] in inside:
        above.append(inside[above[-1]])
    allowed = []
    for person in people.split(", "):
        names = {person, *roles.get(person, set())}
        names |= {other for role in names if role in includes for other in nx.descendants(includes, role)}
        grants = []
        for rule in listed(prompt).values():
            who, verb, what, where = re.fullmatch(r"(\w+) (may|must not) (\w+) (\w+)", rule).groups()  # type: ignore[union-attr]
            if who in names and what == action and where in above:
                grants.append(verb == "may")
        if owners.get(folder) == person or (grants and all(grants)):
            allowed.append(person)
    return " ".join(sorted(allowed))
