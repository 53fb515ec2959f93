"""Say which of some sites each place belongs to: the nearest one, by the rule for distances of the task."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.geometry import scatters
from rlgym.generators.geometry.planes import NAMES, Point, write
from rlgym.solutions import Derivation, Solution, Step

MEASURES = ("taxi", "straight", "weighted")
PLACE = Step("Place {number} at {place}: {distances:words}; the least is {least}, so it belongs to {owner}")
END = "The owners: {answer}"
RULES = {
    "taxi": "The distance between a place and a site is the Manhattan distance: the absolute difference of their x plus that of their y.",
    "straight": "As the distance between a place and a site we use the square of the Euclidean one: the sum of the squared differences of x and of y.",
    "weighted": "The distance between a place and a site is the sum of the squared differences of x and of y, minus the weight of the site (so it may "
    "be negative).",
}


class Knobs(Config):
    sites: int = knob(7, easy=3, hard=20, doc="how many sites")
    places: int = knob(6, easy=3, hard=16, doc="how many places")
    size: int = knob(20, easy=8, hard=300, scale="log", doc="largest coordinate")
    measure: str = knob("straight", easy="taxi", hard="weighted", order=MEASURES, doc="the rule for distances")


class Data(TaskData):
    sites: tuple[Point, ...]
    weights: tuple[int, ...]
    places: tuple[Point, ...]
    measure: str
    around: int  # the plane comes back to itself after so many steps each way; 0 where it does not
    owners: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A world that comes back to itself in both directions."""
    return _sample_task(rng, knobs, max(knobs.size, knobs.sites + knobs.places) + 1)


def _sample_task(rng: Rng, knobs: Knobs, around: int) -> Task[Data]:
    spots = [(x, y) for x, y in scatters.scatter(rng, knobs.sites + knobs.places, knobs.size)]
    sites, places = spots[: knobs.sites], spots[knobs.sites :]
    heavy = max(9, knobs.size**2 // 8) if knobs.measure == "weighted" else 0
    weights = tuple(rng.integer(0, heavy) for _ in sites)
    data = Data(sites=tuple(sites), weights=weights, places=tuple(places), measure=knobs.measure, around=around, owners=())
    owners = tuple(min((_distance(data, k, place), NAMES[k]) for k in range(len(sites)))[1] for place in places)
    site_text = scatters.describe(sites)
    if heavy:
        site_text = ", ".join(f"{name} = {write(site)} with weight {weight}" for name, site, weight in zip(NAMES, sites, weights))
    world = (
        f" The world wraps around: going {around} steps along x, or along y, leads back to the start, so a difference d of coordinates counts as "
        f"{around} - d where that is less."
        if around
        else ""
    )
    prompt = (
        f"Sites: {site_text}.\nPlaces: {', '.join(f'{k}: {write(place)}' for k, place in enumerate(places, 1))}.\n\n{RULES[knobs.measure]}{world} "
        "Each place belongs to the nearest site; if several are equally near, to the one listed first. "
        "Name the owner of each place, in the order of the places."
    )
    return Task(prompt, data.model_copy(update={"owners": owners}))


def _distance(data: Data, site: int, place: Point) -> int:
    dx, dy = (abs(a - b) for a, b in zip(data.sites[site], place))
    if data.around:
        dx, dy = min(dx, data.around - dx), min(dy, data.around - dy)
    return dx + dy if data.measure == "taxi" else dx * dx + dy * dy - data.weights[site]


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Each site against the best so far, and all copies of it in a world that comes back."""
    data, owners = task.data, []
    turns = (-data.around, 0, data.around) if data.around else (0,)
    for x, y in data.places:
        best, owner = None, ""
        for name, (a, b), weight in zip(NAMES, data.sites, data.weights):
            for u, v in ((x - a - i, y - b - j) for i in turns for j in turns):
                distance = abs(u) + abs(v) if data.measure == "taxi" else (u + v) ** 2 - 2 * u * v - weight
                if best is None or distance < best:
                    best, owner = distance, name
        owners.append(owner)
    return tuple(owners)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(answer) != len(task.data.places):
        return Score.wrong(f"expected {len(task.data.places)} names")
    return Score.exact(answer == task.data.owners, "some place belongs to another site")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    flat = data.model_copy(update={"around": 0, "weights": (0,) * len(data.sites)})
    taxi = flat.model_copy(update={"measure": "taxi"})
    near = [
        tuple(NAMES[min(range(len(data.sites)), key=lambda k: _distance(other, k, place))] for place in data.places)
        for other in (flat, taxi)
    ]
    changed = NAMES[(NAMES.index(right[0]) + 1) % len(data.sites)]
    return [*near, (changed, *right[1:]), right[:-1], right[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.sites) * len(data.places) * (1 + (data.measure != "taxi") + any(data.weights)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for k, place in enumerate(data.places, 1):
        distances = {name: _distance(data, site, place) for site, name in enumerate(NAMES[: len(data.sites)])}
        owner = min(distances, key=lambda name: distances[name])
        listing = [f"{name} {distance}" for name, distance in distances.items()]
        yield PLACE(number=k, place=write(place), distances=listing, least=distances[owner], owner=owner)


def picture(task: Task[Data]) -> str:
    sites = dict(zip(NAMES, task.data.sites))
    return pictures.plane(sites | {str(k): place for k, place in enumerate(task.data.places, 1)})


environment = Environment(
    Knobs, Words("the names of the owners in the order of the places, separated by spaces", max_items=100),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, whole=True), shift=shift, picture=picture,
    concept="Work out the distance from each site, and keep the least.",
    version=3,
)  # fmt: skip
