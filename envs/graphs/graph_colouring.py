"""Colour a map so that neighbours differ, with few colours and some countries already coloured.

Any colouring that keeps the rules is accepted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators import pictures
from rlgym.generators.steps import Line, ended, first_wrong

NAMES = tuple(f"{letter}{number}".rstrip("0") for number in range(3) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
Pairs = tuple[tuple[str, str], ...]


GIVEN, FREE = Line("{name} has the given colour {colour}"), Line("{name} may have the colour {colour}")
BECAUSE = Line("{name} may have the colour {colour} because {seen}")


class Knobs(Config):
    countries: int = knob(14, easy=5, hard=45, doc="countries on the map")
    colours: int = knob(3, easy=3, hard=4, doc="how many colours there are")
    degree: int = knob(34, easy=20, hard=44, doc="tenths of neighbours a country has on average")
    fixed: int = knob(2, easy=0, hard=6, doc="countries whose colour is given")


class Data(TaskData):
    countries: int
    colours: int
    borders: tuple[tuple[int, int], ...]
    fixed: tuple[tuple[int, int], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count = knobs.countries
    planted = [1 + place * knobs.colours // count for place in rng.shuffled(range(count))]
    possible = [(a, b) for a in range(count) for b in range(a + 1, count) if planted[a] != planted[b]]
    borders = tuple(sorted(rng.sample(possible, min(len(possible), max(count - 1, count * knobs.degree // 20)))))
    fixed = tuple(sorted((place, planted[place]) for place in rng.sample(range(count), min(knobs.fixed, count // 2))))
    data = Data(countries=count, colours=knobs.colours, borders=borders, fixed=fixed)
    listing = "\n".join(f"{NAMES[a]} - {NAMES[b]}" for a, b in rng.shuffled(borders))
    given = "".join(f"\n{NAMES[place]} has the colour {colour}." for place, colour in fixed)
    prompt = (
        f"A map has the countries {', '.join(NAMES[:count])}. These pairs share a border:\n{listing}\n{given}\n\n"
        f"Give every country one of the colours 1 to {knobs.colours} so that no two countries with a common border have the same colour"
        + (" and the given colours stay as they are." if fixed else ".")
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Pairs:
    return next(_colourings(task.data, range(1, task.data.colours + 1)))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    if len(given) != data.countries:
        return Score.wrong(f"{data.countries} countries need a colour, got {len(given)}")
    colours = []
    for name in NAMES[: data.countries]:
        colour = given.get(name.lower(), "").removeprefix("colour ").removeprefix("color ")
        if colour not in _WRITTEN[: data.colours]:
            return Score.wrong(f"{name} has no colour from 1 to {data.colours}")
        colours.append(colour)
    for place, wanted in data.fixed:
        if colours[place] != str(wanted):
            return Score.wrong(f"{NAMES[place]} must keep its colour")
    for a, b in data.borders:
        if colours[a] == colours[b]:
            return Score.wrong(f"{NAMES[a]} and {NAMES[b]} share a border and a colour")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    # One colour for all, two countries across a border alike, one country left out.
    colours = dict(right)
    a, b = task.data.borders[0]
    alike = tuple((name, colours[NAMES[a].lower()] if name == NAMES[b].lower() else colour) for name, colour in right)
    return [tuple((name, "1") for name, _ in right), alike, right[1:], tuple((name, "0") for name, _ in right)]


def cost(task: Task[Data]) -> float:
    return len(task.data.borders) * task.data.colours + task.data.countries


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, dict(solve(task))
    near = _neighbours(data)
    steps = [GIVEN.write(name=NAMES[place], colour=colour) for place, colour in data.fixed]
    done = {place for place, _ in data.fixed}
    for place in sorted(range(data.countries), key=lambda place: (-len(near[place]), place)):
        if place in done:
            continue
        seen = [f"{NAMES[other]} has {right[NAMES[other].lower()]}" for other in near[place] if other in done]
        done.add(place)
        told = {"name": NAMES[place], "colour": right[NAMES[place].lower()]}
        steps.append(BECAUSE.write(**told, seen=", ".join(seen)) if seen else FREE.write(**told))
    return [*steps, "All together: " + environment.answer.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    near, number = _neighbours(data), {name: i for i, name in enumerate(NAMES[: data.countries])}
    colours: dict[int, int] = {}

    def follows(step: str) -> bool:
        if read := GIVEN.read(step):
            place, colour = number[read["name"]], int(read["colour"])
            colours[place] = colour
            return (place, colour) in data.fixed
        read = BECAUSE.read(step) or FREE.read(step)
        if not read:
            return False
        place, colour = number[read["name"]], int(read["colour"])
        seen = {other: colours[other] for other in near[place] if other in colours}
        told = ", ".join(f"{NAMES[other]} has {there}" for other, there in seen.items())
        new = place not in colours and 1 <= colour <= data.colours
        colours[place] = colour
        return new and read.get("seen", "") == told and colour not in seen.values()

    return first_wrong(steps, follows, ended("All together: ", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    data = task.data
    given = dict(data.fixed)
    names = [f"{NAMES[i]}: {given[i]}" if i in given else NAMES[i] for i in range(data.countries)]
    return pictures.network(names, [(names[a], names[b]) for a, b in data.borders])


_WRITTEN = ("1", "2", "3", "4", "5", "6")


def _colourings(data: Data, order: range) -> Iterator[Pairs]:
    """Every colouring: always the country with the fewest colours left, the one with most neighbours among those."""
    near = _neighbours(data)
    left = [(1 << data.colours) - 1] * data.countries
    for place, colour in data.fixed:
        left[place] = 1 << colour - 1
    stack: list[tuple[list[int], frozenset[int]]] = [(left, frozenset())]
    while stack:
        left, done = stack.pop()
        if len(done) == data.countries:
            yield tuple(sorted((NAMES[place].lower(), str(mask.bit_length())) for place, mask in enumerate(left)))
            continue
        place = min((i for i in range(data.countries) if i not in done), key=lambda i: (left[i].bit_count(), -len(near[i]), i))
        for colour in reversed(order):
            bit = 1 << colour - 1
            if left[place] & bit:
                after = left.copy()
                after[place] = bit
                for other in near[place]:
                    after[other] &= ~bit
                if all(after[other] for other in near[place]):
                    stack.append((after, done | {place}))


def _neighbours(data: Data) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in range(data.countries)]
    for a, b in data.borders:
        near[a].append(b)
        near[b].append(a)
    return near


def _others(task: Task[Data]) -> Iterator[Pairs]:
    return _colourings(task.data, range(task.data.colours, 0, -1))


environment = Environment(
    Knobs,
    Mapping("one line `country: colour` for each country, the colour as a number"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    picture=picture,
    answers="many",
    solutions=_others,
    concept="Colour next the country that has the fewest colours left; when none is left for some country, take the last choice back.",
)
