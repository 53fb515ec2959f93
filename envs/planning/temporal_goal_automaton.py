"""Find a shortest walk through coloured places that keeps rules on what must come before, after, how often, and never.

Each rule remembers a little of the walk; any shortest walk that keeps all rules is accepted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import graphs, pictures
from rlgym.generators.steps import Line, first_wrong

Rule = tuple[str, str, str]  # kind, a colour, another colour or a number
State = tuple[str, tuple[int, ...]]  # the place, and what each rule remembers
COLOURS = ("red", "blue", "green", "white", "black", "gold")


class Knobs(Config):
    places: int = knob(9, easy=5, hard=20, doc="how many places there are")
    rules: int = knob(2, easy=1, hard=5, doc="how many rules there are")
    memory: str = knob(
        "order", easy="visit", hard="counts", order=("visit", "order", "counts"), doc="what rules speak of: visits, order, or numbers too"
    )
    ways: str = knob("both", easy="both", hard="one", order=("both", "one"), doc="whether roads can be walked both ways or one way only")


class Data(TaskData):
    colours: tuple[tuple[str, str], ...]
    roads: tuple[tuple[str, str], ...]
    oneway: bool
    rules: tuple[Rule, ...]
    start: str
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, ("random", "hubs"), ("before", "count"))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long maps, and rules that leave something to be done or that look at neighbours on the walk."""
    return _made(rng, knobs, ("lattice", "ring", "tree"), ("then", "apart", "even"))


def _made(rng: Rng, knobs: Knobs, families: tuple[str, ...], kinds: tuple[str, ...]) -> Task[Data]:
    count, oneway = knobs.places, knobs.ways == "one"
    allowed = {"visit": ("visit",), "order": ("visit", kinds[0]), "counts": ("visit", *kinds)}[knobs.memory]
    best, longest, tries = None, 2, 0
    # Of a few maps the one with the longest walk is taken.
    while best is None or tries < 2 * knobs.rules:
        tries += 1
        names = graphs.letters(rng, count)
        hues = COLOURS[: max(3, min(6, count // 3))]
        colours = tuple((name, rng.choice(hues)) for name in sorted(names))
        edges = graphs.drawn(rng, rng.choice(families), count, count * 12 // 10)
        roads = graphs.listed(rng, edges, names)
        if oneway:
            roads = tuple(dict.fromkeys((*roads, *(road[::-1] for road in roads if rng.chance(0.5)))))
        rules: dict[Rule, None] = {("visit", rng.choice(hues), ""): None}
        for _ in range(60):
            if len(rules) < knobs.rules:
                rules[_rule(rng, rng.choice(allowed), hues)] = None
        data = Data(colours=colours, roads=roads, oneway=oneway, rules=tuple(rng.shuffled(list(rules))), start=rng.choice(names), least=0)
        rings = list(_rings(data))
        if len(rings) > longest and any(_kept(data, state) for state in rings[-1]):
            best, longest = data, len(rings)
    return Task(_prompt(best), best.model_copy(update={"least": longest - 1}))


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_walks(task.data, 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if answer[0].upper() != data.start:
        return Score.wrong(f"the walk must start at {data.start}")
    if len(answer) > data.least + 1:
        return Score.wrong("there is a shorter walk, or this one breaks a rule")
    state = _first(data)
    for name in answer[1:]:
        if (state[0], name.upper()) not in data.roads and (data.oneway or (name.upper(), state[0]) not in data.roads):
            return Score.wrong(f"no road leads from {state[0]} to {name[:20]}")
        after = _moved(data, state, name.upper())
        if after is None:
            return Score.wrong(f"a rule is broken on the step from {state[0]} to {name}")
        state = after
    return Score.exact(_kept(data, state), "at the end of the walk a rule is not kept")


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


RING = Line("After {steps} steps these are new: {states}")
END = Line("The first that keeps all rules comes after {steps} steps, by the walk {answer}")


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    for k, ring in enumerate(_rings(data)):
        steps.append(RING.write(steps=k, states=", ".join(map(_said, ring))))
    marks = "Beside each place stands what every rule remembers: " + "; ".join(
        f"{i}: {_MARKS[rule[0]]}" for i, rule in enumerate(data.rules, 1)
    )
    return [marks, *steps, END.write(steps=data.least, answer=" ".join(solve(task)))]


_MARKS = {
    "visit": "1 once it is done",
    "before": "1 once it is allowed",
    "count": "how often, up to what is wanted",
    "then": "1 while something is left to be done",
    "apart": "1 if the last place counts",
    "even": "1 if the number is odd",
}


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    seen: list[list[str]] = []
    known: dict[str, State] = {}

    def follows(step: str) -> bool:
        said = RING.read(step)
        if said is None:
            return not seen and step == "Beside each place stands what every rule remembers: " + "; ".join(
                f"{i}: {_MARKS[rule[0]]}" for i, rule in enumerate(data.rules, 1)
            )
        last = [known[text] for text in seen[-1]] if seen else []
        new = {_said(after): after for state in last for after in _after(data, state)} if seen else {_said(_first(data)): _first(data)}
        fits = set(said["states"].split(", ")) == set(new) - set(known) and int(said["steps"]) == len(seen)
        fits = fits and not any(_kept(data, state) for state in last)
        seen.append(said["states"].split(", "))
        known.update(new)
        return fits

    def ends(step: str) -> bool:
        said = END.read(step)
        if said is None or int(said["steps"]) != len(seen) - 1 or not any(_kept(data, known[text]) for text in seen[-1]):
            return False
        return verify(task, tuple(said["answer"].split())).value == 1

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    label = {name: f"{name} {colour}" for name, colour in task.data.colours}
    roads = [(label[a], label[b]) for a, b in task.data.roads]
    return pictures.network(list(label.values()), roads, directed=task.data.oneway, marked=(label[task.data.start],))


def _rule(rng: Rng, kind: str, hues: Sequence[str]) -> Rule:
    one, other = rng.sample(hues, 2)
    return (kind, one, {"before": other, "then": other, "count": str(rng.integer(2, 3))}.get(kind, ""))


def _told(rule: Rule) -> str:
    kind, one, other = rule
    return {
        "visit": f"It visits a {one} place.",
        "before": f"It visits no {one} place before it has visited a {other} place.",
        "count": f"It is at a {one} place at least {other} times (the same place counts each time).",
        "then": f"After each visit to a {one} place it visits a {other} place at some later time.",
        "apart": f"It never goes from one {one} place straight to another {one} place.",
        "even": f"It is at {one} places an even number of times in total (0 is even; the same place counts each time).",
    }[kind]


def _prompt(data: Data) -> str:
    sign = " -> " if data.oneway else " - "
    listing = "\n".join(f"{a}{sign}{b}" for a, b in data.roads)
    way = (
        "These one-way roads join them, each from the first to the second"
        if data.oneway
        else "These roads join them and can be walked both ways"
    )
    rules = "\n".join(f"{i}. {_told(rule)}" for i, rule in enumerate(data.rules, 1))
    return (
        f"Places have colours: {', '.join(f'{name} {colour}' for name, colour in data.colours)}. {way}:\n{listing}\n\nA walk starts at {data.start}, which "
        f"counts as visited first, and may end anywhere. It must keep these rules:\n{rules}\n\nFind such a walk with fewest roads; a road used again "
        "counts again. Name its places in order, from the start on."
    )


def _first(data: Data) -> State:
    """The start; a rule that it breaks at once is marked with -1."""
    return (data.start, tuple(_next(rule, 0, dict(data.colours)[data.start]) for rule in data.rules))


def _next(rule: Rule, memory: int, colour: str) -> int:
    """What a rule remembers after one more place; -1 if it is broken."""
    kind, one, other = rule
    match kind:
        case "visit":
            return 1 if colour == one else memory
        case "before":
            return 1 if colour == other else -1 if colour == one and not memory else memory
        case "count":
            return min(int(other), memory + (colour == one))
        case "then":
            return 1 if colour == one else 0 if colour == other else memory
        case "apart":
            return -1 if colour == one and memory else int(colour == one)
        case _:
            return memory ^ (colour == one)


def _moved(data: Data, state: State, place: str) -> State | None:
    colour = next(colour for name, colour in data.colours if name == place)
    memories = tuple(_next(rule, memory, colour) for rule, memory in zip(data.rules, state[1], strict=True))
    return None if min(memories) < 0 else (place, memories)


def _kept(data: Data, state: State) -> bool:
    wanted = {"visit": lambda rule, memory: memory == 1, "count": lambda rule, memory: memory == int(rule[2])}
    wanted |= {"then": lambda rule, memory: memory == 0, "even": lambda rule, memory: memory == 0}
    return all(rule[0] not in wanted or wanted[rule[0]](rule, memory) for rule, memory in zip(data.rules, state[1], strict=True))


def _after(data: Data, state: State) -> Iterator[State]:
    here = state[0]
    for a, b in data.roads:
        there = b if a == here else a if b == here and not data.oneway else ""
        after = _moved(data, state, there) if there else None
        if after:
            yield after


def _said(state: State) -> str:
    return f"{state[0]}({''.join(map(str, state[1]))})"


def _rings(data: Data) -> Iterator[list[State]]:
    """What is reached first after 0, 1, 2... steps, up to the first ring in which all rules are kept."""
    ring = [_first(data)]
    seen = set(ring)
    if min(ring[0][1]) < 0:
        return
    while ring:
        yield ring
        if any(_kept(data, state) for state in ring):
            return
        ring = sorted({after for state in ring for after in _after(data, state)} - seen)
        seen |= set(ring)


def _walks(data: Data, way: int) -> Iterator[tuple[str, ...]]:
    """Shortest walks that keep the rules, by going on only to what is new after as many steps."""
    rings = [set(ring) for ring in _rings(data)]
    waiting: list[tuple[State, ...]] = [(_first(data),)] if rings else []
    while waiting:
        walk = waiting.pop()
        if len(walk) == len(rings):
            if _kept(data, walk[-1]):
                yield tuple(name.lower() for name, _ in walk)
            continue
        waiting += [(*walk, after) for after in sorted(set(_after(data, walk[-1])))[::way] if after in rings[len(walk)]]


environment = Environment(
    Knobs,
    Words("the names of the places in order, separated by spaces", most=200, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="many",
    solutions=lambda task: _walks(task.data, -1),
    concept="Being somewhere with one memory of the rules is not the same as being there with another: search over places and memories together.",
)
