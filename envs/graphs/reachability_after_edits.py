"""Follow a list of roads built, closed and given back, and say at each question how many towns can be reached.

The roads may be one-way, and edits may be undone in the reverse order in which they were made.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import graphs, pictures
from rlgym.generators.steps import Line, first_wrong

Road = tuple[str, str]
Edit = tuple[str, str, str]  # build or close and the two ends; undo and how many; ask and the town


class Knobs(Config):
    towns: int = knob(9, easy=5, hard=24, doc="how many towns there are")
    edits: int = knob(14, easy=3, hard=60, doc="how many edits there are")
    questions: int = knob(4, easy=2, hard=12, doc="how many questions are asked between them")
    ways: str = knob("both", easy="both", hard="one", order=("both", "one"), doc="whether roads can be used both ways or one way only")
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
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b and (a < b or knobs.ways == "one")]
    return _made(rng, knobs, rng.sample(pairs, count * (5 if knobs.ways == "one" else 3) // 5), pairs, 5)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A whole network of neighbours at first, from which roads are taken more often than put back."""
    count = knobs.towns
    drawn = graphs.drawn(rng, rng.choice(("lattice", "near", "ring")), count, count + count // 4)
    first = [edge if rng.chance(0.5) or knobs.ways == "both" else edge[::-1] for edge in drawn]
    pairs = [pair for a, b in drawn for pair in (((a, b), (b, a)) if knobs.ways == "one" else ((a, b),))]
    return _made(rng, knobs, first, pairs, 3)


def _made(rng: Rng, knobs: Knobs, first: Sequence[graphs.Edge], pairs: Sequence[graphs.Edge], building: int) -> Task[Data]:
    names = graphs.letters(rng, knobs.towns)
    oneway = knobs.ways == "one"
    here, history, edits = dict.fromkeys(first), list[dict[graphs.Edge, None]](), list[Edit]()
    asked = {knobs.edits - 1, *rng.sample(range(1, knobs.edits - 1), min(knobs.edits - 2, knobs.questions - 1))}
    for k in range(knobs.edits):
        closed = [pair for pair in pairs if pair not in here]
        if knobs.undo == "yes" and history and rng.chance(0.2):
            back = rng.integer(1, min(4, len(history)))
            here = history[-back]
            del history[-back:]
            edits.append(("undo", str(back), ""))
        else:
            history.append(here)
            adding = bool(closed) and (rng.integer(1, 8) <= building or not here)
            a, b = rng.choice(closed if adding else list(here))
            here = {**here, (a, b): None} if adding else {road: None for road in here if road != (a, b)}
            a, b = (a, b) if oneway or rng.chance(0.5) else (b, a)
            edits.append(("build" if adding else "close", names[a], names[b]))
        if k in asked:
            edits.append(("ask", names[rng.choice([a for a, _ in here] or [0])], ""))
    roads = graphs.listed(rng, first, names) if not oneway else tuple((names[a], names[b]) for a, b in rng.shuffled(first))
    data = Data(towns=tuple(sorted(names)), roads=roads, oneway=oneway, edits=tuple(edits), counts=())
    counts = tuple(_reached(data, present)[0] for present in _presents(data))
    return Task(_prompt(data), data.model_copy(update={"counts": counts}))


def solve(task: Task[Data]) -> tuple[int, ...]:
    """By the time at which each road begins and ends, worked out backwards from the undos, and closure as bits."""
    data, counts = task.data, []
    place = {town: i for i, town in enumerate(data.towns)}
    for at, (kind, town, _) in enumerate(data.edits):
        if kind != "ask":
            continue
        kept: list[Edit] = []
        skip = 0
        for edit in data.edits[:at][::-1]:
            skip += int(edit[1]) if edit[0] == "undo" else 0
            if edit[0] in ("build", "close"):
                kept += [edit] if not skip else []
                skip -= bool(skip)
        last = {_key(data, edit[1:]): edit[0] for edit in kept[::-1]}
        roads = [road for road in data.roads if _key(data, road) not in last] + [road for road, word in last.items() if word == "build"]
        near = [1 << i for i in range(len(place))]
        for a, b in roads:
            near[place[a]] |= 1 << place[b]
            near[place[b]] |= 0 if data.oneway else 1 << place[a]
        seen = 0
        grown = 1 << place[town]
        while grown != seen:
            seen = grown
            for i, mask in enumerate(near):
                grown |= mask if seen >> i & 1 else 0
        counts.append(seen.bit_count())
    return tuple(counts)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.counts):
        return Score.wrong(f"there are {len(task.data.counts)} questions, and {len(answer)} answers were given")
    wrong = next((i for i, (one, right) in enumerate(zip(answer, task.data.counts, strict=True), 1) if one != right), 0)
    return Score.exact(not wrong, f"the answer to question {wrong} is wrong")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    never_closed = data.model_copy(update={"edits": tuple(edit for edit in data.edits if edit[0] != "close")})
    both = data.model_copy(update={"oneway": not data.oneway})
    first = tuple(_reached(data, (town, data.roads))[0] for town, _ in _presents(data))
    guesses = [first, tuple(count - 1 for count in right), (*right[:-1], right[-1] % len(data.towns) + 1), right[::-1]]
    if not any(edit[0] == "undo" for edit in data.edits):
        guesses.append(tuple(_reached(data, present)[0] for present in _presents(never_closed)))
    return [*guesses, tuple(_reached(both, (town, roads))[0] for town, roads in _presents(data))]


def cost(task: Task[Data]) -> float:
    data = task.data
    undos = sum(edit[0] == "undo" for edit in data.edits)
    return len(data.edits) + 3 * undos + len(data.counts) * len(data.towns) * (1.5 if data.oneway else 1)


PRESENT = Line("At question {number} these roads are there: {roads}")
REACHED = Line("From {town} one gets to {towns}: {count} with {itself} itself")
END = Line("The answers are {answer}")


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    for number, (town, roads) in enumerate(_presents(data), 1):
        count, seen = _reached(data, (town, roads))
        told = " ".join(sorted(f"{a}{'>' if data.oneway else '-'}{b}" for a, b in roads)) or "none"
        steps.append(PRESENT.write(number=number, roads=told))
        steps.append(REACHED.write(town=town, towns=" ".join(seen[1:]) or "nowhere else", count=count, itself=town))
    return [*steps, END.write(answer=environment.answer.render(solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, presents = task.data, _presents(task.data)
    counts: list[int] = []
    told: list[tuple[Road, ...]] = []

    def follows(step: str) -> bool:
        if said := PRESENT.read(step):
            roads = (
                tuple(tuple(road.split(">" if data.oneway else "-")) for road in said["roads"].split()) if said["roads"] != "none" else ()
            )
            told.append(tuple((a, b) for a, b in roads))
            real = {_key(data, road) for road in presents[len(told) - 1][1]}
            return (
                int(said["number"]) == len(told) == len(counts) + 1
                and {_key(data, road) for road in told[-1]} == real
                and len(roads) == len(real)
            )
        said = REACHED.read(step)
        if said is None:
            return False
        town = presents[len(counts)][0]
        count, seen = _reached(data, (town, told[len(counts)]))
        counts.append(int(said["count"]))
        towns = said["towns"].split() if said["towns"] != "nowhere else" else []
        return said["town"] == said["itself"] == town and sorted(towns) == sorted(seen[1:]) and counts[-1] == count

    def ends(step: str) -> bool:
        said = END.read(step)
        return bool(said and environment.answer.parse(said["answer"]) == tuple(counts) == data.counts)

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    return pictures.network(task.data.towns, task.data.roads, directed=task.data.oneway)


def _prompt(data: Data) -> str:
    sign = " -> " if data.oneway else " - "
    told, number = [], 0
    for kind, a, b in data.edits:
        number += kind == "ask"
        end = "s" if kind == "undo" and a != "1" else ""
        told.append({"undo": f"undo {a} edit{end}", "ask": f"question {number}: from {a}?"}.get(kind, f"{kind} {a}{sign}{b}"))
    undo = (
        " 'undo k edits' takes back the last k edits (build or close) not taken back before; an undo is itself no edit, and neither is a question."
        if any(edit[0] == "undo" for edit in data.edits)
        else ""
    )
    way = "one-way roads, each from the first town to the second" if data.oneway else "roads, which can be used both ways"
    listing = "\n".join(f"{a}{sign}{b}" for a, b in data.roads)
    return (
        f"The towns {', '.join(data.towns)} are joined by these {way}:\n{listing}\n\nThen roads are built and closed, in this order:\n"
        + "\n".join(told)
        + f"\n\n"
        f"Each question asks how many towns can be reached at that moment from the town named, directly or through others, counting itself.{undo}\n\n"
        "Answer all questions in order."
    )


def _key(data: Data, road: Sequence[str]) -> Road:
    a, b = road
    return (a, b) if data.oneway or a < b else (b, a)


def _presents(data: Data) -> list[tuple[str, tuple[Road, ...]]]:
    """For each question its town and the roads that are there."""
    here, history, out = tuple(_key(data, road) for road in data.roads), list[tuple[Road, ...]](), []
    for kind, a, b in data.edits:
        if kind == "ask":
            out.append((a, here))
        elif kind == "undo":
            here = history[-int(a)]
            del history[-int(a) :]
        else:
            history.append(here)
            road = _key(data, (a, b))
            here = (*here, road) if kind == "build" else tuple(other for other in here if other != road)
    return out


def _reached(data: Data, asked: tuple[str, tuple[Road, ...]]) -> tuple[int, list[str]]:
    town, roads = asked
    seen = [town]
    for here in seen:
        for a, b in roads:
            there = b if a == here else a if b == here and not data.oneway else here
            if there not in seen:
                seen.append(there)
    return len(seen), seen


environment = Environment(
    Knobs,
    Numbers("the answers in order, separated by commas", most=50),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    concept="Keep the list of roads as a stack of states, and at each question spread out from the town along the roads that are there.",
)
