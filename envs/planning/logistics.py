"""Carry packages to their goals with a truck in each city and one plane between the airports.

Any plan within the allowed number of steps is accepted. The limit is what a plan by a known rule needs; it is never said to be the
fewest steps.
"""

from collections.abc import Iterator
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.text.words import SITES
from rlgym.solutions import Checks, Derivation, Solution, Step

PLANE = "plane"


GOES = Step("{vehicle} goes to {place} with {load} aboard")
LOADED, TAKEN = Step("At {place} {package} is loaded into {vehicle}"), Step("At {place} {package} is taken out of {vehicle}")
ANSWER = Lines("the steps, each on a line of its own", max_items=400)
CONCEPT = "A package for another city goes by truck to the airport, by plane, and by truck again; carry together what shares a way."


class Knobs(Config):
    cities: int = knob(3, easy=1, hard=6, doc="cities; with one there is nothing to fly")
    places: int = knob(4, easy=4, hard=5, doc="places in each city")
    packages: int = knob(5, easy=2, hard=16, doc="packages to carry")
    limit: str = knob(
        "simple",
        easy="simple",
        hard="tight",
        order=("simple", "tight"),
        doc="steps allowed: what one package at a time needs, or carrying many at once",
    )


class Data(TaskData):
    cities: tuple[tuple[str, ...], ...]  # the places of each city, its airport first
    trucks: tuple[str, ...]  # where the truck of each city stands
    plane: str
    packages: tuple[tuple[str, str], ...]  # from where to where
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, meeting=False)


def _sample_task(rng: Rng, knobs: Knobs, meeting: bool) -> Task[Data]:
    names = rng.sample(SITES, knobs.cities * knobs.places)
    cities = tuple(tuple(names[i * knobs.places : (i + 1) * knobs.places]) for i in range(knobs.cities))
    trucks = tuple(rng.choice(city) for city in cities)
    packages = []
    for _ in range(knobs.packages):
        home = rng.integer(0, knobs.cities - 1)
        away = home if rng.chance(0.25) else rng.integer(0, knobs.cities - 1)
        away = 0 if meeting else away
        start = rng.choice(cities[home])
        packages.append((start, rng.choice([place for place in cities[away] if place != start])))
    plane = rng.choice(cities)[0] if knobs.cities > 1 else ""
    data = Data(cities=cities, trucks=trucks, plane=plane, packages=tuple(packages), most=0)
    one_by_one, together = len(_deliver_sequentially(data)), len(_shortest(data))
    data = data.model_copy(update={"most": one_by_one if knobs.limit == "simple" else together})
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """All packages go to one city, where they meet."""
    return _sample_task(rng, knobs, meeting=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _shortest(task.data)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > data.most:
        return Score.wrong(f"at most {data.most} steps are allowed")
    at = _vehicles(data) | {f"p{i}": start for i, (start, _) in enumerate(data.packages, 1)}
    city = {place: i for i, places in enumerate(data.cities, 1) for place in places}
    airports = {places[0] for places in data.cities}
    for number, line in enumerate(answer, 1):
        words = [word for word in line.lower().strip(" .;").lstrip("0123456789.)- ").split() if word not in ("to", "into", "from", "the")]
        if len(words) != 3:
            return Score.wrong(f"step {number} does not name an action and what it acts on")
        action, first, second = words
        if action == "move" and first in at and first[0] == "t" and second in city:
            if city[second] != int(first.removeprefix("truck")):
                return Score.wrong(f"in step {number} a truck would leave its city")
            at[first] = second
        elif action == "move" and first == PLANE and data.plane and second in city:
            if second not in airports:
                return Score.wrong(f"in step {number} the plane would land where there is no airport")
            at[first] = second
        elif (
            action in ("load", "unload")
            and first in at
            and first[1:].isdigit()
            and (second == PLANE or second.startswith("truck"))
            and second in at
        ):
            if at[first] != (at[second] if action == "load" else second):
                return Score.wrong(f"in step {number} the package is not there")
            at[first] = second if action == "load" else at[second]
        else:
            return Score.wrong(f"step {number} is not one of the three actions with things that exist")
    arrived = all(at[f"p{i}"] == goal for i, (_, goal) in enumerate(data.packages, 1))
    return Score.exact(arrived, "not every package is at its goal after the last step")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    # The last step left out, backwards, no vehicle ever moves, packages carried straight from city to city by truck.
    still = tuple(line for line in right if not line.startswith("move"))
    straight = tuple(f"move truck1 {goal}" for _, goal in task.data.packages)
    return [right[:-1], right[::-1], still, straight, (*right, *right)]


def cost(task: Task[Data]) -> float:
    plan = len(_shortest(task.data))
    return plan * len(task.data.cities) * (2 if task.data.most == plan else 1)


def derive(task: Task[Data]) -> Derivation:
    at = _vehicles(task.data)
    aboard: dict[str, list[str]] = {vehicle: [] for vehicle in at}
    for line in solve(task):
        action, first, second = line.split()
        if action == "move":
            at[first] = second
            yield GOES(vehicle=first, place=second, load=", ".join(aboard[first]) or "nothing")
        elif action == "load":
            aboard[second].append(first)
            yield LOADED(place=at[second], package=first, vehicle=second)
        else:
            aboard[second].remove(first)
            yield TAKEN(place=at[second], package=first, vehicle=second)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    at, city = _vehicles(data), {place: i for i, places in enumerate(data.cities, 1) for place in places}
    lying = {f"p{i}": start for i, (start, _) in enumerate(data.packages, 1)}
    aboard: dict[str, list[str]] = {vehicle: [] for vehicle in at}
    airports = {places[0] for places in data.cities}

    def goes(vehicle: str, place: str, load: str) -> bool:
        reaches = place in airports if vehicle == PLANE else vehicle == f"truck{city[place]}"
        if not reaches or load != (", ".join(aboard[vehicle]) or "nothing"):
            return False
        at[vehicle] = place
        return True

    def loaded(place: str, package: str, vehicle: str) -> bool:
        if lying[package] != place or at[vehicle] != place:
            return False
        del lying[package]
        aboard[vehicle].append(package)
        return True

    def taken_out(place: str, package: str, vehicle: str) -> bool:
        if package not in aboard[vehicle] or at[vehicle] != place:
            return False
        aboard[vehicle].remove(package)
        lying[package] = place
        return True

    return {GOES: goes, LOADED: loaded, TAKEN: taken_out}


def _render_prompt(data: Data) -> str:
    cities = []
    for i, (places, truck) in enumerate(zip(data.cities, data.trucks, strict=True), 1):
        airport = f"; its airport is {places[0]}" if data.plane else ""
        cities.append(f"City {i} has the places {', '.join(places)}{airport}. Its truck, truck{i}, is at {truck}.")
    flying = f"\nThe plane is at {data.plane}." if data.plane else ""
    loads = "\n".join(f"p{i} is at {start} and must get to {goal}." for i, (start, goal) in enumerate(data.packages, 1))
    flight = " The plane goes from any airport to any other in one step." if data.plane else ""
    listing = "\n".join(cities)
    example = "load p1 truck1, move truck1 PLACE, unload p1 truck1" + (
        ", load p1 plane, move plane PLACE, unload p1 plane" if data.plane else ""
    )
    return (
        f"{listing}{flying}\n\n{loads}\n\nA truck goes from any place of its city to any other in one step and never leaves the city.{flight} A vehicle "
        "carries any number of packages. Loading a package into a vehicle at the same place, or unloading it where the vehicle is, takes one step for each "
        f"package. Find a plan of at most {data.most} steps that brings every package to its goal. Write each step on a line of its own, such as: {example}."
    )


def _vehicles(data: Data) -> dict[str, str]:
    trucks = {f"truck{i}": place for i, place in enumerate(data.trucks, 1)}
    return trucks | ({PLANE: data.plane} if data.plane else {})


def _shortest(data: Data) -> tuple[str, ...]:
    return min((_together(data, False), _together(data, True), _deliver_sequentially(data)), key=len)


def _drive(at: dict[str, str], vehicle: str, place: str, plan: list[str]) -> None:
    if at[vehicle] != place:
        at[vehicle] = place
        plan.append(f"move {vehicle} {place}")


def _deliver_sequentially(data: Data) -> tuple[str, ...]:
    """Each package alone, from its place to the goal."""
    at, plan = _vehicles(data), list[str]()
    city = {place: i for i, places in enumerate(data.cities, 1) for place in places}
    for i, (start, goal) in enumerate(data.packages, 1):
        first, second = city[start], city[goal]
        legs = [(f"truck{first}", start, goal)]
        if first != second:
            home, away = data.cities[first - 1][0], data.cities[second - 1][0]
            legs = [(f"truck{first}", start, home), (PLANE, home, away), (f"truck{second}", away, goal)]
        for vehicle, source, there in legs:
            if source != there:
                _drive(at, vehicle, source, plan)
                plan.append(f"load p{i} {vehicle}")
                _drive(at, vehicle, there, plan)
                plan.append(f"unload p{i} {vehicle}")
    return tuple(plan)


def _together(data: Data, backwards: bool) -> tuple[str, ...]:
    """Every truck collects, the plane goes round, every truck hands out."""
    at, plan = _vehicles(data), list[str]()
    city = {place: i for i, places in enumerate(data.cities, 1) for place in places}
    packages = [(f"p{i}", start, goal) for i, (start, goal) in enumerate(data.packages, 1)]
    order = list(enumerate(data.cities, 1))
    if backwards:
        packages.reverse()
        order.reverse()
    legs: list[tuple[str, list[tuple[str, str, str]]]] = []
    for number, (airport, *_) in order:
        mine = [(p, a, b if city[b] == number else airport) for p, a, b in packages if city[a] == number]
        legs.append((f"truck{number}", mine))
    if data.plane:
        flown = [(p, data.cities[city[a] - 1][0], data.cities[city[b] - 1][0]) for p, a, b in packages if city[a] != city[b]]
        legs.append((PLANE, flown))
    for number, (airport, *_) in order:
        legs.append((f"truck{number}", [(p, airport, b) for p, a, b in packages if city[a] != number == city[b]]))
    for vehicle, carried in legs:
        _plan_round(at, vehicle, [parcel for parcel in carried if parcel[1] != parcel[2]], plan)
    return tuple(plan)


def _plan_round(at: dict[str, str], vehicle: str, carried: list[tuple[str, str, str]], plan: list[str]) -> None:
    """Visit every place that something is fetched from, handing out on the way, then every goal that is left."""
    aboard: list[tuple[str, str, str]] = []
    waiting = carried.copy()
    while waiting or aboard:
        loading = [parcel for parcel in waiting if parcel[1] == at[vehicle]]
        out = [parcel for parcel in aboard if parcel[2] == at[vehicle]]
        plan += [f"load {parcel[0]} {vehicle}" for parcel in loading] + [f"unload {parcel[0]} {vehicle}" for parcel in out]
        waiting = [parcel for parcel in waiting if parcel not in loading]
        aboard = [parcel for parcel in aboard if parcel not in out] + loading
        if waiting:
            _drive(at, vehicle, waiting[0][1], plan)
        elif aboard:
            _drive(at, vehicle, aboard[0][2], plan)


def solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The other rules where they keep within the limit, and the plan with neighbouring loads swapped."""
    plan = list(_shortest(task.data))
    for second in (_together(task.data, True), _together(task.data, False), _deliver_sequentially(task.data)):
        if len(second) <= task.data.most:
            yield second
    for i, (first, two) in enumerate(pairwise(plan)):
        if first.split()[0] == two.split()[0] != "move":
            yield (*plan[:i], two, first, *plan[i + 2 :])


SOLUTION = Solution(derive, "All steps, each on a line:\n{answer}", checks)
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SOLUTION,
    shift=shift,
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
    version=3,
)
