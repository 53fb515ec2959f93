"""Follow a list of roads built, closed and given back, and say at each question how many towns can be reached.

The roads may be one-way, and edits may be undone in the reverse order in which they were made.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import random_graphs
from rlgym.solutions import Derivation, Solution, Step

FEW_TOWNS, PATIENCE = 12, 60
Road = tuple[str, str]


class Edit(NamedTuple):
    kind: str  # build, close, undo, or ask
    first: str  # an end of the road; how many edits are undone; the town asked about
    second: str  # the other end of the road, else empty


class Knobs(Config):
    towns: int = knob(10, easy=7, hard=24, doc="how many towns there are")
    edits: int = knob(14, easy=3, hard=60, doc="how many edits there are")
    questions: int = knob(4, easy=2, hard=12, doc="how many questions are asked between them")
    directions: str = knob(
        "both", easy="both", hard="one", order=("both", "one"), doc="whether roads can be used both ways or one way only"
    )
    undo: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether some edits undo several ones before them")


class Data(TaskData):
    towns: tuple[str, ...]
    roads: tuple[Road, ...]
    oneway: bool
    edits: tuple[Edit, ...]
    counts: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Few roads at first, edits anywhere."""
    count = knobs.towns
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b and (a < b or knobs.directions == "one")]
    return _sample_task(rng, knobs, rng.sample(pairs, count * (5 if knobs.directions == "one" else 3) // 5), pairs, 5)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A whole network of neighbours at first, from which roads are taken more often than put back."""
    count = knobs.towns
    edges = random_graphs.sample_graph(rng, rng.choice(("lattice", "near", "ring")), count, count + count // 4)
    first = [edge if rng.chance(0.5) or knobs.directions == "both" else edge[::-1] for edge in edges]
    pairs = [pair for a, b in edges for pair in (((a, b), (b, a)) if knobs.directions == "one" else ((a, b),))]
    return _sample_task(rng, knobs, first, pairs, 3)


def _sample_task(
    rng: Rng, knobs: Knobs, first: Sequence[random_graphs.Edge], pairs: Sequence[random_graphs.Edge], building: int
) -> Task[Data]:
    """A task whose last answer is drawn first where there are few towns, since of those mostly almost all can be reached."""
    target = rng.integer(2, knobs.towns - 1)
    for _ in range(PATIENCE if knobs.towns <= FEW_TOWNS else 1):
        task = _sample_edits(rng, knobs, first, pairs, building)
        if task.data.counts[-1] == target:
            break
    return task


def _sample_edits(
    rng: Rng, knobs: Knobs, first: Sequence[random_graphs.Edge], pairs: Sequence[random_graphs.Edge], building: int
) -> Task[Data]:
    names = random_graphs.sample_names(rng, knobs.towns)
    oneway = knobs.directions == "one"
    present, history, edits = dict.fromkeys(first), list[dict[random_graphs.Edge, None]](), list[Edit]()
    question_places = {knobs.edits - 1, *rng.sample(range(1, knobs.edits - 1), min(knobs.edits - 2, knobs.questions - 1))}
    for k in range(knobs.edits):
        closed = [pair for pair in pairs if pair not in present]
        if knobs.undo == "yes" and history and rng.chance(0.2):
            back = rng.integer(1, min(4, len(history)))
            present = history[-back]
            del history[-back:]
            edits.append(Edit("undo", str(back), ""))
        else:
            history.append(present)
            adding = bool(closed) and (rng.integer(1, 8) <= building or not present)
            a, b = rng.choice(closed if adding else list(present))
            present = {**present, (a, b): None} if adding else {road: None for road in present if road != (a, b)}
            a, b = (a, b) if oneway or rng.chance(0.5) else (b, a)
            edits.append(Edit("build" if adding else "close", names[a], names[b]))
        if k in question_places:
            edits.append(Edit("ask", names[rng.choice([a for a, _ in present] or [0])], ""))
    roads = random_graphs.sample_edge_list(rng, first, names) if not oneway else tuple((names[a], names[b]) for a, b in rng.shuffled(first))
    data = Data(towns=tuple(sorted(names)), roads=roads, oneway=oneway, edits=tuple(edits), counts=())
    counts = tuple(len(_breadth_first_search(data, question)) for question in _questions(data))
    return Task(_render_prompt(data), data.model_copy(update={"counts": counts}))


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Resolves the undos backwards, then takes the transitive closure with bit masks."""
    data, counts = task.data, []
    place = {town: i for i, town in enumerate(data.towns)}
    for at, (kind, town, _) in enumerate(data.edits):
        if kind != "ask":
            continue
        kept: list[Edit] = []
        skip = 0
        for edit in data.edits[:at][::-1]:
            skip += int(edit.first) if edit.kind == "undo" else 0
            if edit.kind in ("build", "close"):
                kept += [edit] if not skip else []
                skip -= bool(skip)
        last = {_key(data, edit[1:]): edit.kind for edit in kept[::-1]}
        roads = [road for road in data.roads if _key(data, road) not in last] + [road for road, word in last.items() if word == "build"]
        neighbours = [1 << i for i in range(len(place))]
        for a, b in roads:
            neighbours[place[a]] |= 1 << place[b]
            neighbours[place[b]] |= 0 if data.oneway else 1 << place[a]
        seen = 0
        closure = 1 << place[town]
        while closure != seen:
            seen = closure
            for i, mask in enumerate(neighbours):
                closure |= mask if seen >> i & 1 else 0
        counts.append(seen.bit_count())
    return tuple(counts)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.counts):
        return Score.wrong(f"there are {len(task.data.counts)} questions, and {len(answer)} answers were given")
    wrong = next((i for i, (count, right) in enumerate(zip(answer, task.data.counts, strict=True), 1) if count != right), 0)
    return Score.exact(not wrong, f"the answer to question {wrong} is wrong")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    never_closed = data.model_copy(update={"edits": tuple(edit for edit in data.edits if edit.kind != "close")})
    both = data.model_copy(update={"oneway": not data.oneway})
    first = tuple(len(_breadth_first_search(data, Question(question.town, data.roads))) for question in _questions(data))
    guesses = [first, tuple(count - 1 for count in right), (*right[:-1], right[-1] % len(data.towns) + 1), right[::-1]]
    if not any(edit.kind == "undo" for edit in data.edits):
        guesses.append(tuple(len(_breadth_first_search(data, question)) for question in _questions(never_closed)))
    return [*guesses, tuple(len(_breadth_first_search(both, question)) for question in _questions(data))]


def cost(task: Task[Data]) -> float:
    data = task.data
    undos = sum(edit.kind == "undo" for edit in data.edits)
    return len(data.edits) + 3 * undos + len(data.counts) * len(data.towns) * (1.5 if data.oneway else 1)


PRESENT = Step("At question {number:int} these roads are there: {roads}")
REACHED = Step("From {town} one gets to {towns}: {count:int} with {town} itself")


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for number, question in enumerate(_questions(data), 1):
        roads = sorted(f"{a}{'>' if data.oneway else '-'}{b}" for a, b in question.roads)
        seen = _breadth_first_search(data, question)
        yield PRESENT(number=number, roads=" ".join(roads) or "none").accepting(_lists_roads(data, number, question.roads))
        step = REACHED(town=question.town, towns=" ".join(seen[1:]) or "nowhere else", count=len(seen))
        yield step.accepting(_lists_towns(seen))


def _lists_roads(data: Data, number_expected: int, present: tuple[Road, ...]) -> Callable[..., bool]:
    """Whether a step names the roads that are there, in any order."""

    def lists(number: int, roads: str) -> bool:
        named = [_key(data, road.split(">" if data.oneway else "-")) for road in roads.split()] if roads != "none" else []
        return number == number_expected and len(named) == len(present) and set(named) == {_key(data, road) for road in present}

    return lists


def _lists_towns(seen: list[str]) -> Callable[..., bool]:
    """Whether a step names the towns that are reached, in any order."""

    def lists(town: str, towns: str, count: int) -> bool:
        named = towns.split() if towns != "nowhere else" else []
        return town == seen[0] and sorted(named) == sorted(seen[1:]) and count == len(seen)

    return lists


def picture(task: Task[Data]) -> str:
    return pictures.network(task.data.towns, task.data.roads, directed=task.data.oneway)


def _render_prompt(data: Data) -> str:
    sign = " -> " if data.oneway else " - "
    lines, number = [], 0
    for kind, a, b in data.edits:
        number += kind == "ask"
        end = "s" if kind == "undo" and a != "1" else ""
        lines.append({"undo": f"undo {a} edit{end}", "ask": f"question {number}: from {a}?"}.get(kind, f"{kind} {a}{sign}{b}"))
    undo = (
        " 'undo k edits' takes back the last k edits (build or close) not taken back before; an undo is itself no edit, and neither is a question."
        if any(edit.kind == "undo" for edit in data.edits)
        else ""
    )
    road_text = "one-way roads, each from the first town to the second" if data.oneway else "roads, which can be used both ways"
    listing = "\n".join(f"{a}{sign}{b}" for a, b in data.roads)
    return (
        f"The towns {', '.join(data.towns)} are joined by these {road_text}:\n{listing}\n\nThen roads are built and closed, in this order:\n"
        + "\n".join(lines)
        + f"\n\n"
        f"Each question asks how many towns can be reached at that moment from the town named, directly or through others, counting itself.{undo}\n\n"
        "Answer all questions in order."
    )


def _key(data: Data, road: Sequence[str]) -> Road:
    a, b = road
    return (a, b) if data.oneway or a < b else (b, a)


class Question(NamedTuple):
    town: str
    roads: tuple[Road, ...]
    """Those that are there at the moment of the question."""


def _questions(data: Data) -> list[Question]:
    present, history, out = tuple(_key(data, road) for road in data.roads), list[tuple[Road, ...]](), []
    for kind, a, b in data.edits:
        if kind == "ask":
            out.append(Question(a, present))
        elif kind == "undo":
            present = history[-int(a)]
            del history[-int(a) :]
        else:
            history.append(present)
            road = _key(data, (a, b))
            present = (*present, road) if kind == "build" else tuple(other for other in present if other != road)
    return out


def _breadth_first_search(data: Data, question: Question) -> list[str]:
    """The towns that can be reached, the town asked about first."""
    seen = [question.town]
    for town in seen:
        for a, b in question.roads:
            neighbour = b if a == town else a if b == town and not data.oneway else town
            if neighbour not in seen:
                seen.append(neighbour)
    return seen


environment = Environment(
    Knobs, Numbers("the answers in order, separated by commas", max_items=50), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The answers are {answer}", whole=True), shift=shift, picture=picture,
    concept="Keep the list of roads as a stack of states, and at each question spread out from the town along the roads that are there.",
    version=2,
)  # fmt: skip
