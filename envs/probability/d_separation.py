"""In a diagram of causes, find a path along which two variables depend on each other, or a set of variables that makes them independent.

Any open path and any separating set of the size allowed is accepted. The shifted family has variables that repeat over time.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import causal_graphs
from rlgym.generators.graphs.independence_statements import statement
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import count_noun, join_words
from rlgym.solutions import Checks, Derivation, Solution, Step

ANSWER = Words("the variables, separated by spaces", max_items=40)
COLLIDER = Step("At {node}, the arrows from {before} and {after} meet, and {known}, which it leads to or is, is known: open")
PASSED = Step("At {node}, between {before} and {after}, not both arrows point at it, and it is not known: open")
CHOSEN = Step("Take as known: {known}")
ABOVE = Step("The variables, those known, and all that lead to them: {nodes}")
REACHED = Step("With arrows as lines, parents of a common child joined, and what is known cut out, {one} reaches only {nodes}")
LAST = Step("Answer: {answer}")
OPENINGS = (
    "A diagram of causes has these arrows: {arrows}.",
    "In a Bayesian network the arrows are {arrows}.",
    "Variables influence each other along the arrows {arrows}, and in no other way.",
    "A causal graph consists of the arrows {arrows}.",
)
PATHS = (
    (
        "{known} known. Give a path from {one} to {other}, without repeated variables and along arrows in either direction, that is "
        "open (not blocked)."
    ),
    (
        "Once {known} known, {one} and {other} may still depend on each other. Show an active path (one that is not blocked) between them, "
        "arrows taken in either direction, no variable twice."
    ),
    (
        "Find a path between {one} and {other}, from one to the other along arrows forwards or backwards, that is not blocked when "
        "{known} known."
    ),
    (
        "The values of some variables are fixed: {known} known. Name an unblocked path from {one} to {other} (arrows may be followed "
        "backwards; no repeats)."
    ),
)
SETS = (
    "Give at most {most}, none of them {banned}, that d-separate {one} from {other}, that is, block every path between them.",
    (
        "What set of at most {most} must be known so that {one} and {other} become independent by the graph (every path between them is blocked)? "
        "None may be {banned}."
    ),
    "Find a set of at most {most} which blocks every path between {one} and {other}. Not allowed in it: {banned}.",
    "Choose at most {most}, without {banned}, so that they d-separate {one} and {other}, that is, block every path between them.",
)
BLOCKED = (
    " {way}Each variable between the ends of a path blocks it in two cases: the variable is {given}, and the path's two arrows at it do not both point "
    "to it; or both do, and neither the variable nor any variable reached from it along arrows is {given}."
)


class Knobs(Config):
    nodes: int = knob(8, easy=7, hard=14, doc="how many variables there are")
    parents: int = knob(2, easy=2, hard=3, doc="maximum number of parents of a variable")
    conditioned: int = knob(2, easy=2, hard=4, doc="maximum number of variables that are conditioned on, or may be chosen")
    hidden: int = knob(1, easy=0, hard=4, doc="how many further variables may not be chosen")


class Data(TaskData):
    edges: tuple[tuple[str, str], ...]
    one: str
    other: str
    known: tuple[str, ...] | None  # where a path is asked for
    banned: tuple[str, ...]
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    names = [*"ABCDEFGHIJKLMNOPQRSTUVW"[: knobs.nodes]]
    while True:
        order = rng.shuffled(names)
        edges = [(a, b) for k, b in enumerate(order) if k for a in rng.sample(order[:k], min(k, rng.integer(1, knobs.parents)))]
        if task := _sample_question(rng, knobs, names, edges):
            return task


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    letters = rng.sample("ABCXYZ", rng.integer(2, 3))
    steps = max(2, -(-knobs.nodes // len(letters)))
    names = [f"{letter}{step}" for step in range(1, steps + 1) for letter in letters]
    while True:
        within = rng.sample(list(combinations(letters, 2)), 1)
        across = rng.sample([(a, b) for a in letters for b in letters], rng.integer(2, len(letters) + knobs.parents - 1))
        edges = [(f"{a}{step}", f"{b}{step}") for step in range(1, steps + 1) for a, b in within]
        edges += [(f"{a}{step}", f"{b}{step + 1}") for step in range(1, steps) for a, b in across]
        if task := _sample_question(rng, knobs, names, edges):
            return task


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    if data.known is not None:
        return next(causal_graphs.iterate_open_paths(data.edges, data.one, data.other, data.known))
    return next(_separating_sets(data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if data.known is not None:
        ends = len(answer) > 1 and {answer[0], answer[-1]} == {data.one, data.other}
        return Score.exact(
            ends and len(answer) < 40 and causal_graphs.is_open(data.edges, answer, data.known), "that is no open path between the two"
        )
    names = {node for edge in data.edges for node in edge} - {data.one, data.other, *data.banned}
    if len(set(answer)) != len(answer) or len(answer) > data.most or not set(answer) <= names:
        return Score.wrong("the set is too large or contains variables that are not allowed")
    return Score.exact(causal_graphs.d_separated(data.edges, data.one, data.other, answer), "the two still depend on each other")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    names = sorted({node for edge in data.edges for node in edge} - {data.one, data.other, *data.banned})
    if data.known is not None:
        return [(data.one, data.other), (data.one, *data.known, data.other), right[:-1], (right[0], *right)]
    return [right[:-1] or (data.one,), (data.one,), tuple(names[: data.most]), tuple(names[-data.most :]), (*right, *right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.edges) * (2 + (data.most if data.known is None else len(data.known))) + 3 * len(data.banned)


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    if data.known is None:
        yield CHOSEN(known=" ".join(right))
        yield ABOVE(nodes=" ".join(sorted(_ancestral_set(data, right))))
        yield REACHED(one=data.one, nodes=" ".join(sorted(_moral_component(data, right))))
    else:
        for before, node, after in zip(right, right[1:], right[2:], strict=False):
            if causal_graphs.is_collider(data.edges, before, node, after):
                known = min(causal_graphs.descendants(data.edges, node) & set(data.known))
                yield COLLIDER(node=node, before=before, after=after, known=known)
            else:
                yield PASSED(node=node, before=before, after=after)
    yield LAST(answer=ANSWER.render(right))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    return _path_checks(data, data.known) if data.known is not None else _set_checks(task)


def _path_checks(data: Data, given: tuple[str, ...]) -> Checks:
    path: list[str] = []

    def is_open(node: str, before: str, after: str, known: str | None = None) -> bool:
        if (before, node) != tuple(path[-2:]) if path else before != data.one:
            return False
        path[:] = [*path, after] if path else [before, node, after]
        if known is not None and known not in causal_graphs.descendants(data.edges, node) & set(given):
            return False
        collides = causal_graphs.is_collider(data.edges, before, node, after)
        return collides == (known is not None) and causal_graphs.is_open(data.edges, path, given)

    return {COLLIDER: is_open, PASSED: is_open, LAST: lambda answer: not path or ANSWER.parse(answer) == tuple(path)}


def _set_checks(task: Task[Data]) -> Checks:
    data = task.data
    chosen: list[str] = []
    begun: list[str] = []  # the steps that were read

    def is_chosen(known: str) -> bool:
        begun.append("chosen")
        chosen[:] = known.split()
        return verify(task, tuple(chosen)).value == 1

    def is_kept(nodes: str) -> bool:
        begun.append("kept")
        return nodes.split() == sorted(_ancestral_set(data, chosen))

    def is_reached(one: str, nodes: str) -> bool:
        begun.append("reached")
        return one == data.one and nodes.split() == sorted(_moral_component(data, chosen))

    return {CHOSEN: is_chosen, ABOVE: is_kept, REACHED: is_reached, LAST: lambda answer: not begun or ANSWER.parse(answer) == tuple(chosen)}


def picture(task: Task[Data]) -> str:
    data = task.data
    names = sorted({node for edge in data.edges for node in edge})
    return pictures.network(names, [(a, b) for a, b in data.edges], directed=True, marked={data.one, data.other})


def _ancestral_set(data: Data, known: Sequence[str]) -> set[str]:
    """The variables, those known, and all that lead to them."""
    return causal_graphs.ancestors(data.edges, {data.one, data.other, *known})


def _moral_component(data: Data, known: Sequence[str]) -> set[str]:
    """What the first variable is joined to in the moral graph without the known ones."""
    return causal_graphs.reachable(causal_graphs.moral_graph(data.edges, _ancestral_set(data, known)), data.one, known)


def _sample_question(rng: Rng, knobs: Knobs, names: list[str], edges: list[tuple[str, str]]) -> Task[Data] | None:
    """A question about two nodes that are not neighbours; None where the draw allows none."""
    first, second = rng.sample(names, 2)
    edges = rng.shuffled(edges)
    rest = [name for name in names if name not in (first, second)]
    if (first, second) in edges or (second, first) in edges or {first, second} - {node for edge in edges for node in edge}:
        return None
    opening = phrase(rng, OPENINGS, arrows=", ".join(f"{a} -> {b}" for a, b in edges))
    if rng.chance(0.6):
        known = sorted(rng.sample(rest, min(knobs.conditioned, len(rest) - 1)))
        data = Data(edges=tuple(edges), one=first, other=second, known=tuple(known), banned=(), most=0)
        paths = list(islice(causal_graphs.iterate_open_paths(edges, first, second, known), 3))
        # A path that is open whatever is known asks for nothing.
        if not paths or causal_graphs.d_separated(edges, first, second, known) or len(paths) > 2 or len(paths[0]) < 3 + (knobs.nodes > 9):
            return None
        # Neither a shortest path nor a shortest one without common effects is open.
        free = list(islice(causal_graphs.iterate_open_paths(edges, first, second, ()), 50))
        shortest = min(map(len, free), default=0)
        if any(len(path) <= _distance(edges, first, second) or (path in free and len(path) == shortest) for path in paths):
            return None
        known_clause = f"{join_words(known)} {'is' if len(known) == 1 else 'are'}"
        text = phrase(rng, PATHS, known=known_clause, one=first, other=second)
        return Task(f"{opening} {text[0].upper() + text[1:]}{BLOCKED.format(way='', given='known')}", data)
    banned = sorted(rng.sample(rest, min(knobs.hidden, len(rest) - 2)))
    if causal_graphs.d_separated(edges, first, second, ()):
        return None
    data = Data(edges=tuple(edges), one=first, other=second, known=None, banned=tuple(banned), most=knobs.conditioned)
    right = next(_separating_sets(data), None)
    # The neighbours of one end must not do.
    around = [
        tuple(sorted({b if a == end else a for a, b in edges if end in (a, b)} - {first, second, *banned})) for end in (first, second)
    ]
    if any(len(each) <= knobs.conditioned and causal_graphs.d_separated(edges, first, second, each) for each in around):
        return None
    # One variable that does it is easily guessed.
    if right is None or len(right) < min(2, knobs.conditioned):
        return None
    text = phrase(
        rng, SETS, most=count_noun(len(right), "variable"), one=first, other=second, banned=join_words([first, second, *banned], "or")
    )
    blocked = BLOCKED.format(way="Paths may follow arrows in either direction. ", given="in the set")
    return Task(f"{opening} {text}{blocked}", data.model_copy(update={"most": len(right)}))


def _distance(edges: Sequence[tuple[str, str]], first: str, second: str) -> int:
    """How many nodes lie on a shortest path, arrows taken in either direction, both ends included."""
    reached, nodes = {first}, 1
    while second not in reached and nodes <= len(edges) + 1:
        reached |= {b if a in reached else a for a, b in edges if (a in reached) != (b in reached)}
        nodes += 1
    return nodes


def _separating_sets(data: Data) -> Iterator[tuple[str, ...]]:
    """The separating sets, smallest first."""
    names = sorted({node for edge in data.edges for node in edge} - {data.one, data.other, *data.banned})
    for size in range(1, data.most + 1):
        for chosen in combinations(names, size):
            if causal_graphs.d_separated(data.edges, data.one, data.other, chosen):
                yield chosen


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The paths from the other end, or the sets in another order."""
    data = task.data
    if data.known is not None:
        yield from (path for path in islice(causal_graphs.iterate_open_paths(data.edges, data.other, data.one, data.known), 3))
    else:
        yield from (chosen[::-1] for chosen in islice(_separating_sets(data), 3))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, LAST, checks), shift=shift, picture=picture, statement=statement, answers="many", solutions=_other_answers,
    shared_helpers="The helper collects descendants in a graph, which the definition of a blocked path needs.",
    concept="Knowing a middle or a common cause closes a path; knowing a common effect, or anything it leads to, opens it.",
    version=4,
)  # fmt: skip
