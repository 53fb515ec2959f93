"""Find the rows that a small graph query language gives on a graph of labelled nodes and edges."""

from collections.abc import Iterator
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Derivation, Solution, Step

LABELS, KINDS = ("Person", "Firm", "Town"), ("KNOWS", "OWNS", "VISITS")
Node = tuple[str, str, int]  # name, label, size
Edge = tuple[str, str, str]  # from, kind, to
Hop = tuple[str, str, str, bool]  # variable, kind, variable, whether any number of edges from 1 on will do
MEANINGS = {
    ":Person)": "(a:Person) means that a has the label Person",
    "S]->": "(a)-[:KNOWS]->(b) means that an edge KNOWS goes from a to b",
    "S*]->": "(a)-[:KNOWS*]->(b) means that b can be reached from a along one or more edges KNOWS",
    "NOT": "NOT before a pattern means that the pattern does not hold",
    ".size": "a.size is the number given for a node",
}
MOST_SHOWN = 40  # rows of an intermediate table in a worked solution
PAIRS = Step("{pattern} holds for {pairs:words}")
JOINED = Step("Joined on the common variables, with the labels and numbers asked for, {variables} may be: {rows}")
ABSENT = Step("{pattern} must not hold, but does for {pairs:words}; this leaves for {variables}: {rows}")
END = "The rows are {answer}"


class Knobs(Config):
    nodes: int = knob(7, easy=4, hard=13, doc="nodes of the graph")
    edges: int = knob(12, easy=5, hard=34, doc="edges")
    hops: int = knob(2, easy=1, hard=3, doc="edges in the pattern")
    extra: str = knob(
        "where", easy="plain", hard="reach", order=("plain", "where", "not", "reach"), doc="conditions, absent edges, paths of any length"
    )


class Data(TaskData):
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    labels: tuple[tuple[str, str], ...]
    hops: tuple[Hop, ...]
    absent: tuple[Hop, ...]
    bounds: tuple[tuple[str, str, int], ...]
    returned: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, hub=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Graphs in which most edges begin or end at two nodes."""
    return _sample_task(rng, knobs, hub=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """As joins of tables: every pattern is a table of pairs, the rows are joined one pattern after the other."""
    data = task.data
    rows: list[dict[str, str]] = [{}]
    for first, kind, second, is_transitive in data.hops:
        pairs = _reach(data, kind) if is_transitive else {(a, b) for a, k, b in data.edges if k == kind}
        rows = [
            {**row, first: a, second: b}
            for row in rows
            for a, b in sorted(pairs)
            if row.get(first, a) == a and row.get(second, b) == b and (first != second or a == b)
        ]
    label, size = {name: mark for name, mark, _ in data.nodes}, {name: number for name, _, number in data.nodes}
    kept = [row for row in rows if all(label[row[v]] == mark for v, mark in data.labels)]
    kept = [row for row in kept if all(size[row[v]] > n if sign == ">" else size[row[v]] < n for v, sign, n in data.bounds)]
    for first, kind, second, is_transitive in data.absent:
        pairs = _reach(data, kind) if is_transitive else {(a, b) for a, k, b in data.edges if k == kind}
        kept = [row for row in kept if (row[first], row[second]) not in pairs]
    return tuple(sorted({"-".join(row[v] for v in data.returned) for row in kept}))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(set(answer)) < len(answer) or len(answer) > 400:
        return Score.wrong("a row is given twice, or there are far too many")
    return Score.exact(set(answer) == set(_rows(task.data)), "some row is missing or does not belong there")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    others = [
        data.model_copy(update={"absent": ()}),
        data.model_copy(update={"bounds": (), "labels": ()}),
        data.model_copy(update={"edges": tuple((b, k, a) for a, k, b in data.edges)}),
    ]
    return [
        *(rows for other in others if (rows := tuple(sorted(_rows(other))))),
        right[1:] or ("none-none",),
        (*right, "-".join(right[0].split("-")[::-1]) + "x"),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(
        len(data.edges) * (1 + len(data.hops))
        + 10 * len(data.bounds)
        + 25 * len(data.absent)
        + 60 * any(hop[3] for hop in (*data.hops, *data.absent))
    )


def derive(task: Task[Data]) -> Derivation:
    """The pairs of each hop, their join, and the rows that are left without what must be absent."""
    data = task.data
    for hop in data.hops:
        yield PAIRS(pattern=_hop(hop), pairs=_pairs(data, hop))
    variables = "-".join(data.returned)
    yield JOINED(variables=variables, rows=_render_rows(data.model_copy(update={"absent": ()})))
    for hop in data.absent:
        yield ABSENT(pattern=_hop(hop), pairs=_pairs(data, hop), variables=variables, rows=_render_rows(data))


def _pairs(data: Data, hop: Hop) -> list[str]:
    _, kind, _, far = hop
    return [f"{a}-{b}" for a, b in sorted(_reach(data, kind) if far else {(a, b) for a, k, b in data.edges if k == kind})] or ["no pair"]


def _render_rows(data: Data) -> str:
    rows = sorted(set(_rows(data)))
    return ", ".join([*rows[:MOST_SHOWN], *["..."] * (len(rows) > MOST_SHOWN)])


def _rows(data: Data) -> Iterator[str]:
    """By going through all ways to put nodes for the variables, hop by hop."""
    after: dict[tuple[str, str], list[str]] = {}
    for a, kind, b in data.edges:
        after.setdefault((a, kind), []).append(b)
    facts = {name: (label, size) for name, label, size in data.nodes}

    def reached(a: str, kind: str, is_transitive: bool) -> list[str]:
        reachable = list(dict.fromkeys(after.get((a, kind), ())))
        for b in reachable if is_transitive else ():
            reachable += [c for c in dict.fromkeys(after.get((b, kind), ())) if c not in reachable]
        return reachable

    def fits(variable: str, name: str) -> bool:
        label, size = facts[name]
        marks = all(mark == label for v, mark in data.labels if v == variable)
        return marks and all(size > n if sign == ">" else size < n for v, sign, n in data.bounds if v == variable)

    def put(at: dict[str, str], hops_left: tuple[Hop, ...]) -> Iterator[dict[str, str]]:
        if not hops_left:
            if not any(at[second] in reached(at[first], kind, is_transitive) for first, kind, second, is_transitive in data.absent):
                yield at
            return
        first, kind, second, is_transitive = hops_left[0]
        for a in [at[first]] if first in at else [name for name in facts if fits(first, name)]:
            for b in reached(a, kind, is_transitive):
                if fits(second, b) and at.get(second, b) == b and (first != second or a == b):
                    yield from put({**at, first: a, second: b}, hops_left[1:])

    for at in put({}, data.hops):
        yield "-".join(at[v] for v in data.returned)


def _reach(data: Data, kind: str) -> set[tuple[str, str]]:
    pairs = {(a, b) for a, k, b in data.edges if k == kind}
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs


def _sample_task(rng: Rng, knobs: Knobs, *, hub: bool) -> Task[Data]:
    while True:
        names = [f"n{i}" for i in range(1, knobs.nodes + 1)]
        nodes = tuple((name, rng.choice(LABELS[:2] if knobs.nodes < 8 else LABELS), rng.integer(1, 30)) for name in names)
        middle = rng.sample(names, 2)
        edges: dict[Edge, None] = {}
        for _ in range(4 * knobs.edges):
            a, b = rng.choice(names), rng.choice(names)
            if hub and rng.chance(0.7):
                a, b = rng.choice(((rng.choice(middle), b), (a, rng.choice(middle))))
            if a != b and len(edges) < knobs.edges:
                edges[a, rng.choice(KINDS[: 2 if knobs.edges < 15 else 3]), b] = None
        kinds = tuple(dict.fromkeys(kind for _, kind, _ in edges))
        variables = "abcd"[: knobs.hops + 1]
        hops = [(x, rng.choice(kinds), y, False) if rng.chance(0.7) else (y, rng.choice(kinds), x, False) for x, y in pairwise(variables)]
        level = ("plain", "where", "not", "reach").index(knobs.extra)
        if level == 3:
            i = rng.integer(0, len(hops) - 1)
            hops[i] = (*hops[i][:3], True)
        data = Data(
            nodes=nodes,
            edges=tuple(edges),
            labels=((rng.choice(variables), rng.choice(LABELS[:2])),),
            hops=tuple(hops),
            absent=((variables[0], rng.choice(kinds), variables[-1], level == 3 and rng.chance(0.3)),) if level >= 2 else (),
            bounds=((rng.choice(variables), rng.choice("<>"), rng.integer(8, 22)),) if level >= 1 else (),
            returned=(variables[0], variables[-1]),
        )
        rows = set(_rows(data))
        if 1 < len(rows) <= 30:
            break
    shown = "\n".join(f"({name}:{label} size {size})" for name, label, size in nodes)
    arrows = "\n".join(f"({a})-[:{kind}]->({b})" for a, kind, b in data.edges)
    prompt = f"Nodes:\n{shown}\n\nEdges:\n{arrows}\n\n{_rules(data)}\n\nWhich rows does this query return?\n\n{_query(data)}"
    return Task(prompt, data)


def _rules(data: Data) -> str:
    """What a query returns, and the meaning of the forms that this one has."""
    query = _query(data)
    forms = "; ".join(meaning for form, meaning in MEANINGS.items() if form in query or (form == ":Person)" and data.labels))
    where = " WHERE conditions" if " WHERE " in query else ""
    every = "patterns and conditions hold" if where else "patterns hold"
    return (
        f"A query MATCH patterns{where} RETURN variables finds all assignments of nodes to the variables for which all {every}, and returns the nodes of "
        "the variables after RETURN as a row. Different variables may stand for the same node; the same variable stands for the same node everywhere. "
        f"{forms}. A row that is found several times is returned once."
    )


def _hop(hop: Hop) -> str:
    first, kind, second, is_transitive = hop
    return f"({first})-[:{kind}{'*' * is_transitive}]->({second})"


def _query(data: Data) -> str:
    patterns = [*(f"({v}:{label})" for v, label in data.labels), *map(_hop, data.hops)]
    conditions = [*(f"{v}.size {sign} {n}" for v, sign, n in data.bounds), *(f"NOT {_hop(hop)}" for hop in data.absent)]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"MATCH {', '.join(patterns)}{where} RETURN {', '.join(data.returned)}"


environment = Environment(
    Knobs,
    Words(
        "the rows in any order, each as the names of its two nodes in the order of RETURN, joined by a hyphen, such as n1-n2, separated by spaces",
        max_items=500,
        ignore_case=True,
    ),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=lambda task: [solve(task), solve(task)[::-1]],
    concept="Go along the pattern edge by edge, keep the nodes put so far, and check labels, numbers and absent edges for each.",
    version=4,
)  # fmt: skip
