"""Statements that two variables of a diagram of causes are independent: proved by a closed set, or refuted by an open path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rlgym.answers.words import Words
from rlgym.core.config import Config, knob
from rlgym.core.declare import Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.generators.graphs import causal_graphs
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import join_words

TRUE, FALSE = "separated", "path"
STATEMENTS = (
    "Statement: given {known}, {one} and {other} are d-separated.",
    "Statement: every path between {one} and {other} is blocked once {known} {are} known.",
    "Statement: the graph makes {one} and {other} independent given {known}.",
    "Statement: no open path joins {one} and {other} when {known} {are} known.",
)
RULES = (
    "Prove or refute it. If it is false, give the word path and then an open path from {one} to {other}: its variables in order, along arrows in "
    "either direction, none twice. If it is true, give the word separated and then all variables, {one} included, that {one} is joined to after "
    "this: keep only {one}, {other}, what is known, and everything from which arrows lead to one of these; join any two with a common child that "
    "is kept; drop the directions; cut out what is known."
)


class Knobs(Config):
    nodes: int = knob(8, easy=5, hard=14, doc="how many variables there are")
    parents: int = knob(2, easy=2, hard=3, doc="how many arrows may lead to a variable")
    conditioned: int = knob(2, easy=1, hard=4, doc="variables in the conditioning set")


class Data(TaskData):
    edges: tuple[tuple[str, str], ...]
    one: str
    other: str
    known: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    names = [*"ABCDEFGHIJKLMNOPQRSTUVW"[: knobs.nodes]]
    is_separated = rng.chance(0.5)
    while True:
        order = rng.shuffled(names)
        edges = [(a, b) for k, b in enumerate(order) if k for a in rng.sample(order[:k], min(k, rng.integer(1, knobs.parents)))]
        first, second, *known = rng.sample(names, 2 + min(knobs.conditioned, knobs.nodes - 3))
        if (first, second) in edges or (second, first) in edges or causal_graphs.d_separated(edges, first, second, known) != is_separated:
            continue
        data = Data(edges=tuple(rng.shuffled(edges)), one=first, other=second, known=tuple(sorted(known)))
        if len(_solution(data)) > 2 + (not is_separated and knobs.nodes > 6):
            break
    arrows = ", ".join(f"{a} -> {b}" for a, b in data.edges)
    gaps = {"one": first, "other": second, "known": join_words(list(data.known)), "are": "is" if len(known) == 1 else "are"}
    return Task(f"A diagram of causes has the arrows {arrows}. {phrase(rng, STATEMENTS, **gaps)} {RULES.format(**gaps)}", data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _solution(task.data)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    word, *names = answer
    if word == FALSE:
        ends = len(names) > 1 and {names[0], names[-1]} == {data.one, data.other}
        return Score.exact(
            ends and len(names) < 40 and causal_graphs.is_open(data.edges, names, data.known), "that is no open path between the two"
        )
    if word != TRUE or len(set(names)) != len(names):
        return Score.wrong(f"the answer begins with {TRUE} or {FALSE}, and names no variable twice")
    kept = causal_graphs.ancestors(data.edges, {data.one, data.other, *data.known})
    joined = causal_graphs.reachable(causal_graphs.moral_graph(data.edges, kept), data.one, data.known)
    return Score.exact(
        set(names) == joined and data.other not in joined, "those are not the variables joined to it, or the two are not separated"
    )


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    return [
        (TRUE, data.one),
        (FALSE, data.one, data.other),
        (TRUE,),
        right[:-1],
        (TRUE, data.one, data.other),
        (*right, data.other, data.one),
    ]


def cost(task: Task[Data]) -> float:
    return len(task.data.edges) * (2 + len(task.data.known))


def _solution(data: Data) -> tuple[str, ...]:
    path = next(causal_graphs.iterate_open_paths(data.edges, data.one, data.other, data.known), None)
    if path:
        return (FALSE, *path)
    kept = causal_graphs.ancestors(data.edges, {data.one, data.other, *data.known})
    return (TRUE, *sorted(causal_graphs.reachable(causal_graphs.moral_graph(data.edges, kept), data.one, data.known)))


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The paths from the other end, or the same variables in another order."""
    data = task.data
    paths = list(islice(causal_graphs.iterate_open_paths(data.edges, data.other, data.one, data.known), 3))
    yield from ((FALSE, *path) for path in paths)
    if not paths:
        yield (TRUE, *_solution(data)[:0:-1])


statement = Environment(
    Knobs,
    Words("the word path or separated and then the variables, separated by spaces", max_items=40),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    answers="many",
    solutions=_other_answers,
    concept="A statement of independence is refuted by one open path, and proved by the set of all variables still connected to one of the two.",
)
