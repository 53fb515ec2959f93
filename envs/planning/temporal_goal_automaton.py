"""Find a shortest walk through coloured places that keeps rules on what must come before, after, how often, and never.

Each rule remembers a little of the walk; any shortest walk that keeps all rules is accepted.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import random_graphs
from rlgym.solutions import Derivation, Solution, Step

Rule = tuple[str, str, str]  # kind, a colour, another colour or a number
State = tuple[str, tuple[int, ...]]  # the place, and what each rule remembers
COLOURS = ("red", "blue", "green", "white", "black", "gold")
RING = Step("After {steps:int} step(s) these are new: {states:words}")
MARKS = Step("Beside each place stands what every rule remembers: {marks}")


class Knobs(Config):
    places: int = knob(9, easy=5, hard=20, doc="how many places there are")
    rules: int = knob(2, easy=1, hard=5, doc="how many rules there are")
    memory: str = knob(
        "order", easy="visit", hard="counts", order=("visit", "order", "counts"), doc="what rules speak of: visits, order, or numbers too"
    )
    directions: str = knob(
        "both", easy="both", hard="one", order=("both", "one"), doc="whether roads can be walked both ways or one way only"
    )


class Data(TaskData):
    colours: tuple[tuple[str, str], ...]
    roads: tuple[tuple[str, str], ...]
    oneway: bool
    rules: tuple[Rule, ...]
    start: str
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ("random", "hubs"), ("before", "count"))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long maps, and rules that leave something to be done or that look at neighbours on the walk."""
    return _sample_task(rng, knobs, ("lattice", "ring", "tree"), ("then", "apart", "even"))


def _sample_task(rng: Rng, knobs: Knobs, families: tuple[str, ...], kinds: tuple[str, ...]) -> Task[Data]:
    count, oneway = knobs.places, knobs.directions == "one"
    allowed = {"visit": ("visit",), "order": ("visit", kinds[0]), "counts": ("visit", *kinds)}[knobs.memory]
    best, longest, tries = None, 2, 0
    # Of a few maps the one with the longest walk is taken.
    while best is None or tries < 2 * knobs.rules:
        tries += 1
        names = random_graphs.sample_names(rng, count)
        hues = COLOURS[: max(3, min(6, count // 3))]
        colours = tuple((name, rng.choice(hues)) for name in sorted(names))
        edges = random_graphs.sample_graph(rng, rng.choice(families), count, count * 12 // 10)
        roads = random_graphs.sample_edge_list(rng, edges, names)
        if oneway:
            roads = tuple(dict.fromkeys((*roads, *(road[::-1] for road in roads if rng.chance(0.5)))))
        rules: dict[Rule, None] = {("visit", rng.choice(hues), ""): None}
        for _ in range(60):
            if len(rules) < knobs.rules:
                rules[_rule(rng, rng.choice(allowed), hues)] = None
        data = Data(colours=colours, roads=roads, oneway=oneway, rules=tuple(rng.shuffled(list(rules))), start=rng.choice(names), least=0)
        rings = list(_breadth_first_rings(data))
        if len(rings) > longest and any(_is_accepting(data, state) for state in rings[-1]):
            best, longest = data, len(rings)
    return Task(_render_prompt(best), best.model_copy(update={"least": longest - 1}))


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_walks(task.data, 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if answer[0].upper() != data.start:
        return Score.wrong(f"the walk must start at {data.start}")
    if len(answer) > data.least + 1:
        return Score.wrong("there is a shorter walk, or this one breaks a rule")
    state = _start_state(data)
    for name in answer[1:]:
        if (state[0], name.upper()) not in data.roads and (data.oneway or (name.upper(), state[0]) not in data.roads):
            return Score.wrong(f"no road leads from {state[0]} to {name[:20]}")
        after = _advance(data, state, name.upper())
        if after is None:
            return Score.wrong(f"a rule is broken on the step from {state[0]} to {name}")
        state = after
    return Score.exact(_is_accepting(data, state), "at the end of the walk a rule is not kept")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    alone = []
    for rule in data.rules:
        easier = data.model_copy(update={"rules": (rule,)})
        alone += [walk for walk in [next(_walks(easier, 1), ())] if walk]
    return [*alone, right[:-1], right[::-1], (right[0], right[1], *right), right[:1] + right[2:]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.roads) * (1 + len(data.rules)) * data.least * (1.3 if data.oneway else 1)


END = "The first that keeps all rules comes after {least} steps, by the walk {answer}"


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    yield MARKS(marks="; ".join(f"{i}: {_MARKS[rule[0]]}" for i, rule in enumerate(data.rules, 1)))
    for steps, ring in enumerate(_breadth_first_rings(data)):
        new = tuple(map(_describe_state, ring))
        yield RING(steps=steps, states=new).accepting(partial(_same_states, steps, new))


def _same_states(number: int, new: tuple[str, ...], steps: int, states: tuple[str, ...]) -> bool:
    return steps == number and sorted(states) == sorted(new)


_MARKS = {
    "visit": "1 once it is done",
    "before": "1 once it is allowed",
    "count": "how often, up to what is wanted",
    "then": "1 while something is left to be done",
    "apart": "1 if the last place counts",
    "even": "1 if the number is odd",
}


def picture(task: Task[Data]) -> str:
    label = {name: f"{name} {colour}" for name, colour in task.data.colours}
    roads = [(label[a], label[b]) for a, b in task.data.roads]
    return pictures.network(list(label.values()), roads, directed=task.data.oneway, marked=(label[task.data.start],))


def _rule(rng: Rng, kind: str, hues: Sequence[str]) -> Rule:
    first, second = rng.sample(hues, 2)
    return (kind, first, {"before": second, "then": second, "count": str(rng.integer(2, 3))}.get(kind, ""))


def _describe_rule(rule: Rule) -> str:
    kind, first, second = rule
    return {
        "visit": f"It visits a {first} place.",
        "before": f"It visits no {first} place before it has visited a {second} place.",
        "count": f"It is at a {first} place at least {second} times (the same place counts each time).",
        "then": f"After each visit to a {first} place it visits a {second} place at some later time.",
        "apart": f"It never goes from one {first} place straight to another {first} place.",
        "even": f"It is at {first} places an even number of times in total (0 is even; the same place counts each time).",
    }[kind]


def _render_prompt(data: Data) -> str:
    sign = " -> " if data.oneway else " - "
    listing = "\n".join(f"{a}{sign}{b}" for a, b in data.roads)
    road_text = (
        "These one-way roads join them, each from the first to the second"
        if data.oneway
        else "These roads join them and can be walked both ways"
    )
    rules = "\n".join(f"{i}. {_describe_rule(rule)}" for i, rule in enumerate(data.rules, 1))
    return (
        f"Places have colours: {', '.join(f'{name} {colour}' for name, colour in data.colours)}. {road_text}:\n{listing}\n\nA walk "
        f"starts at {data.start}, which "
        f"counts as visited first, and may end anywhere. It must keep {'these rules' if chr(10) in rules else 'this rule'}:\n{rules}\n\nFind such a "
        f"walk with the fewest roads; a road used again "
        "counts again. Name its places in order, from the start on."
    )


def _start_state(data: Data) -> State:
    """The start; a rule that it breaks at once is marked with -1."""
    return (data.start, tuple(_next_memory(rule, 0, dict(data.colours)[data.start]) for rule in data.rules))


def _next_memory(rule: Rule, memory: int, colour: str) -> int:
    """What a rule remembers after one more place; -1 if it is broken."""
    kind, first, second = rule
    match kind:
        case "visit":
            return 1 if colour == first else memory
        case "before":
            return 1 if colour == second else -1 if colour == first and not memory else memory
        case "count":
            return min(int(second), memory + (colour == first))
        case "then":
            return 1 if colour == first else 0 if colour == second else memory
        case "apart":
            return -1 if colour == first and memory else int(colour == first)
        case _:
            return memory ^ (colour == first)


def _advance(data: Data, state: State, place: str) -> State | None:
    colour = next(colour for name, colour in data.colours if name == place)
    memories = tuple(_next_memory(rule, memory, colour) for rule, memory in zip(data.rules, state[1], strict=True))
    return None if min(memories) < 0 else (place, memories)


def _is_accepting(data: Data, state: State) -> bool:
    tests = {"visit": lambda rule, memory: memory == 1, "count": lambda rule, memory: memory == int(rule[2])}
    tests |= {"then": lambda rule, memory: memory == 0, "even": lambda rule, memory: memory == 0}
    return all(rule[0] not in tests or tests[rule[0]](rule, memory) for rule, memory in zip(data.rules, state[1], strict=True))


def _successors(data: Data, state: State) -> Iterator[State]:
    place = state[0]
    for a, b in data.roads:
        there = b if a == place else a if b == place and not data.oneway else ""
        after = _advance(data, state, there) if there else None
        if after:
            yield after


def _describe_state(state: State) -> str:
    return f"{state[0]}({''.join(map(str, state[1]))})"


def _breadth_first_rings(data: Data) -> Iterator[list[State]]:
    """What is reached first after 0, 1, 2... steps, up to the first ring in which all rules are kept."""
    ring = [_start_state(data)]
    seen = set(ring)
    if min(ring[0][1]) < 0:
        return
    while ring:
        yield ring
        if any(_is_accepting(data, state) for state in ring):
            return
        ring = sorted({after for state in ring for after in _successors(data, state)} - seen)
        seen |= set(ring)


def _walks(data: Data, direction: int) -> Iterator[tuple[str, ...]]:
    """Shortest walks that keep the rules, by going on only to what is new after as many steps."""
    rings = [set(ring) for ring in _breadth_first_rings(data)]
    waiting: list[tuple[State, ...]] = [(_start_state(data),)] if rings else []
    while waiting:
        walk = waiting.pop()
        if len(walk) == len(rings):
            if _is_accepting(data, walk[-1]):
                yield tuple(name.lower() for name, _ in walk)
            continue
        waiting += [(*walk, after) for after in sorted(set(_successors(data, walk[-1])))[::direction] if after in rings[len(walk)]]


environment = Environment(
    Knobs, Words("the names of the places in order, separated by spaces", max_items=200, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, whole=True), shift=shift, picture=picture, answers="many", solutions=lambda task: _walks(task.data, -1),
    shared_helpers="The helper keeps track of a goal over time, by the meanings in the prompt.",
    concept="Being somewhere with one memory of the rules is not the same as being there with another: search over places and memories together.",
    version=3,
)  # fmt: skip
