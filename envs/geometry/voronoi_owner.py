"""Say which of some sites each place belongs to: the nearest one, by the rule for distances of the task."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import pictures, scatters
from rlgym.generators.planes import NAMES, Point, written
from rlgym.generators.steps import Line, ended, first_wrong

MEASURES = ("taxi", "straight", "weighted")
PLACE = Line("Place {number} at {place}: {distances}; the least is {least}, so it belongs to {owner}")
END = "The owners: "
RULES = {
    "taxi": "The distance of a place from a site is the difference of their x plus the difference of their y, both without sign.",
    "straight": "The distance of a place from a site is the square of the difference of their x plus the square of the difference of their y.",
    "weighted": "The distance of a place from a site is the square of the difference of their x plus the square of the difference of their y, "
    "less the weight of the site (so it may be negative).",
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
    return _made(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A world that comes back to itself in both directions."""
    return _made(rng, knobs, max(knobs.size, knobs.sites + knobs.places) + 1)


def _made(rng: Rng, knobs: Knobs, around: int) -> Task[Data]:
    spots = [(x, y) for x, y in scatters.scattered(rng, knobs.sites + knobs.places, knobs.size)]
    sites, places = spots[: knobs.sites], spots[knobs.sites :]
    heavy = max(9, knobs.size**2 // 8) if knobs.measure == "weighted" else 0
    weights = tuple(rng.integer(0, heavy) for _ in sites)
    data = Data(sites=tuple(sites), weights=weights, places=tuple(places), measure=knobs.measure, around=around, owners=())
    owners = tuple(min((_distance(data, k, place), NAMES[k]) for k in range(len(sites)))[1] for place in places)
    told = scatters.told(sites)
    if heavy:
        told = ", ".join(f"{name} = {written(site)} with weight {weight}" for name, site, weight in zip(NAMES, sites, weights))
    world = (
        f" The world comes back to itself: who goes {around} steps along x, or along y, is back, so a difference d of coordinates counts as "
        f"{around} - d where that is less."
        if around
        else ""
    )
    prompt = (
        f"Sites: {told}.\nPlaces: {', '.join(f'{k}: {written(place)}' for k, place in enumerate(places, 1))}.\n\n{RULES[knobs.measure]}{world} "
        "Each place belongs to the site with the least distance, of several such sites to the one that comes first in the list of sites. "
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
    data, found = task.data, []
    turns = (-data.around, 0, data.around) if data.around else (0,)
    for x, y in data.places:
        best, owner = None, ""
        for name, (a, b), weight in zip(NAMES, data.sites, data.weights):
            for u, v in ((x - a - i, y - b - j) for i in turns for j in turns):
                far = abs(u) + abs(v) if data.measure == "taxi" else (u + v) ** 2 - 2 * u * v - weight
                if best is None or far < best:
                    best, owner = far, name
        found.append(owner)
    return tuple(found)


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


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    for k, place in enumerate(data.places):
        far = [_distance(data, site, place) for site in range(len(data.sites))]
        told = ", ".join(f"{name} {distance}" for name, distance in zip(NAMES, far))
        steps.append(PLACE.write(number=k + 1, place=written(place), distances=told, least=min(far), owner=data.owners[k]))
    return [*steps, END + environment.answer.render(data.owners)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    left = list(enumerate(data.places, 1))

    def follows(step: str) -> bool:
        said = PLACE.read(step) or {}
        number, place = left.pop(0)
        told = {name: int(far) for name, far in (pair.split() for pair in said["distances"].split(", "))}
        if told != {name: _distance(data, k, place) for k, name in enumerate(NAMES[: len(data.sites)])}:
            return False
        owner = min(NAMES[: len(data.sites)], key=lambda name: told[name])
        return [said[part] for part in ("number", "place", "least", "owner")] == [str(number), written(place), str(told[owner]), owner]

    judged = ended(END, task, environment.answer, verify)
    return first_wrong(steps, follows, lambda step: judged(step) and not left)


def picture(task: Task[Data]) -> str:
    sites = dict(zip(NAMES, task.data.sites))
    return pictures.plane(sites | {str(k): place for k, place in enumerate(task.data.places, 1)})


environment = Environment(
    Knobs,
    Words("the names of the owners in the order of the places, separated by spaces", most=100),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    picture=picture,
    concept="Work out the distance from each site, and keep the least.",
)
