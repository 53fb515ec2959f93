"""In a diagram of causes, find a path along which two variables depend on each other, or a set of variables that makes them independent.

Any open path and any separating set of the size allowed is accepted. The shifted family has variables that repeat over time.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import causal, pictures
from rlgym.generators.causal_statements import statement
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.stories import listed, told

COLLIDER = Line("At {node}, the arrows from {before} and {after} meet, and {known}, which it leads to or is, is known: open")
PASSED = Line("At {node}, between {before} and {after}, not both arrows point at it, and it is not known: open")
CHOSEN = Line("Take as known: {known}")
ABOVE = Line("The variables, those known, and all that lead to them: {nodes}")
REACHED = Line("With arrows as lines, parents of a common child joined, and what is known cut out, {one} reaches only {nodes}")
LAST = "Answer: "
OPENINGS = (
    "A diagram of causes has these arrows: {arrows}.",
    "In a Bayesian network the arrows are {arrows}.",
    "Variables influence each other along the arrows {arrows}, and in no other way.",
    "A causal graph consists of the arrows {arrows}.",
)
PATHS = (
    (
        "{known} known. Give a path from {one} to {other}, without repeated variables and along arrows in either direction, that is "
        "open (d-connecting)."
    ),
    (
        "Once {known} known, {one} and {other} may still depend on each other. Show an active path between them, arrows taken in "
        "either direction, no variable twice."
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
    "Give at most {most} variables, none of them {banned}, that d-separate {one} from {other}.",
    (
        "Which at most {most} variables have to be known so that {one} and {other} become independent by the graph (d-separated)? "
        "None may be {banned}."
    ),
    "Find a set of at most {most} variables which blocks every path between {one} and {other}. Not allowed in it: {banned}.",
    "Choose at most {most} variables, without {banned}, so that given them {one} and {other} are d-separated.",
)


class Knobs(Config):
    nodes: int = knob(8, easy=5, hard=14, doc="how many variables there are")
    parents: int = knob(2, easy=2, hard=3, doc="how many arrows may lead to a variable")
    known: int = knob(2, easy=1, hard=4, doc="how many variables are known at most, or may be chosen")
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
        if task := _asked(rng, knobs, names, edges):
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
        if task := _asked(rng, knobs, names, edges):
            return task


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    if data.known is not None:
        return next(causal.open_paths(data.edges, data.one, data.other, data.known))
    return next(_sets(data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if data.known is not None:
        ends = len(answer) > 1 and {answer[0], answer[-1]} == {data.one, data.other}
        return Score.exact(
            ends and len(answer) < 40 and causal.is_open(data.edges, answer, data.known), "that is no open path between the two"
        )
    names = {node for edge in data.edges for node in edge} - {data.one, data.other, *data.banned}
    if len(set(answer)) != len(answer) or len(answer) > data.most or not set(answer) <= names:
        return Score.wrong("those are too many variables, or some that are not allowed")
    return Score.exact(causal.separated(data.edges, data.one, data.other, answer), "the two still depend on each other")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    names = sorted({node for edge in data.edges for node in edge} - {data.one, data.other, *data.banned})
    if data.known is not None:
        return [(data.one, data.other), (data.one, *data.known, data.other), right[:-1], (right[0], *right)]
    return [right[:-1] or (data.one,), (data.one,), tuple(names[: data.most]), tuple(names[-data.most :]), (*right, *right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.edges) * (2 + (data.most if data.known is None else len(data.known))) + 3 * len(data.banned)


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    if data.known is None:
        everything = causal.ancestors(data.edges, {data.one, data.other, *right})
        seen = causal.reached(causal.moral(data.edges, everything), data.one, right)
        steps = [CHOSEN.write(known=" ".join(right)), ABOVE.write(nodes=" ".join(sorted(everything)))]
        return [*steps, REACHED.write(one=data.one, nodes=" ".join(sorted(seen))), LAST + _ANSWER.render(right)]
    steps = []
    for before, node, after in zip(right, right[1:], right[2:], strict=False):
        if causal.collides(data.edges, before, node, after):
            known = min(causal.below(data.edges, node) & set(data.known))
            steps.append(COLLIDER.write(node=node, before=before, after=after, known=known))
        else:
            steps.append(PASSED.write(node=node, before=before, after=after))
    return [*steps, LAST + _ANSWER.render(right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    path: list[str] = []
    chosen: list[str] = []
    end = ended(LAST, task, _ANSWER, verify)

    def follows(step: str) -> bool:
        if data.known is None:
            if found := CHOSEN.read(step):
                chosen[:] = found["known"].split()
                return verify(task, tuple(chosen)).value == 1
            everything = causal.ancestors(data.edges, {data.one, data.other, *chosen})
            if found := ABOVE.read(step):
                return found["nodes"].split() == sorted(everything)
            found = REACHED.read(step)
            seen = causal.reached(causal.moral(data.edges, everything), data.one, chosen)
            return bool(found) and found is not None and found["one"] == data.one and found["nodes"].split() == sorted(seen)
        found = COLLIDER.read(step) or PASSED.read(step)
        if not found or (path and (found["before"], found["node"]) != tuple(path[-2:])) or (not path and found["before"] != data.one):
            return False
        before, node, after = found["before"], found["node"], found["after"]
        path[:] = [*path, after] if path else [before, node, after]
        if "known" in found and found["known"] not in causal.below(data.edges, node) & set(data.known):
            return False
        return ("known" in found) == causal.collides(data.edges, before, node, after) and causal.is_open(data.edges, path, data.known)

    def ends(step: str) -> bool:
        stated = path if data.known is not None else chosen
        return end(step) and (len(steps) == 1 or _ANSWER.parse(step.removeprefix(LAST)) == tuple(stated))

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    data = task.data
    names = sorted({node for edge in data.edges for node in edge})
    return pictures.network(names, [(a, b) for a, b in data.edges], directed=True, marked={data.one, data.other})


def _asked(rng: Rng, knobs: Knobs, names: list[str], edges: list[tuple[str, str]]) -> Task[Data] | None:
    """A question about two nodes that are not neighbours; None where the draw allows none."""
    one, other = rng.sample(names, 2)
    edges = rng.shuffled(edges)
    rest = [name for name in names if name not in (one, other)]
    if (one, other) in edges or (other, one) in edges or {one, other} - {node for edge in edges for node in edge}:
        return None
    opening = told(rng, OPENINGS, arrows=", ".join(f"{a} -> {b}" for a, b in edges))
    if rng.chance(0.6):
        known = sorted(rng.sample(rest, min(knobs.known, len(rest) - 1)))
        data = Data(edges=tuple(edges), one=one, other=other, known=tuple(known), banned=(), most=0)
        found = list(islice(causal.open_paths(edges, one, other, known), 3))
        # A path that is open whatever is known asks for nothing.
        if not found or causal.separated(edges, one, other, known) or len(found) > 2 or len(found[0]) < 3 + (knobs.nodes > 9):
            return None
        said = f"{listed(known)} {'is' if len(known) == 1 else 'are'}"
        text = told(rng, PATHS, known=said, one=one, other=other)
        return Task(f"{opening} {text[0].upper() + text[1:]}", data)
    banned = sorted(rng.sample(rest, min(knobs.hidden, len(rest) - 2)))
    if causal.separated(edges, one, other, ()):
        return None
    data = Data(edges=tuple(edges), one=one, other=other, known=None, banned=tuple(banned), most=knobs.known)
    right = next(_sets(data), None)
    # One variable that does it is easily guessed.
    if right is None or len(right) < min(2, knobs.known):
        return None
    text = told(rng, SETS, most=len(right), one=one, other=other, banned=listed([one, other, *banned], "or"))
    return Task(f"{opening} {text}", data.model_copy(update={"most": len(right)}))


def _sets(data: Data) -> Iterator[tuple[str, ...]]:
    """The separating sets, smallest first."""
    names = sorted({node for edge in data.edges for node in edge} - {data.one, data.other, *data.banned})
    for size in range(1, data.most + 1):
        for chosen in combinations(names, size):
            if causal.separated(data.edges, data.one, data.other, chosen):
                yield chosen


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The paths from the other end, or the sets in another order."""
    data = task.data
    if data.known is not None:
        yield from (path for path in islice(causal.open_paths(data.edges, data.other, data.one, data.known), 3))
    else:
        yield from (chosen[::-1] for chosen in islice(_sets(data), 3))


_ANSWER = Words("the variables of the path in order, or those of the set, separated by spaces", most=40)

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    answers="many",
    solutions=_others,
    replay=replay,
    shift=shift,
    picture=picture,
    statement=statement,
    concept="Knowing a middle or a common cause closes a path; knowing a common effect, or anything it leads to, opens it.",
)
