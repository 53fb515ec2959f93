"""A house of rooms with places and things in them, what can be done to the things, and jobs about where and how they are to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng

ROOMS = ("kitchen", "bathroom", "bedroom", "study", "hall", "cellar", "attic")
OPEN_PLACES = ("table", "shelf", "desk", "bench", "windowsill", "stool")
CLOSED_PLACES = ("drawer", "cupboard", "chest", "box", "wardrobe", "crate")
APPLIANCES = {"wash": ("sink", "clean"), "heat": ("stove", "hot"), "cool": ("fridge", "cold")}
THINGS = (
    "apple",
    "potato",
    "egg",
    "cup",
    "plate",
    "spoon",
    "book",
    "pen",
    "towel",
    "soap",
    "candle",
    "key",
    "bowl",
    "pan",
    "lemon",
    "bottle",
)
COLOURS = ("red", "blue", "green", "white", "black", "yellow")
HELD = -1


class Place(NamedTuple):
    name: str
    room: str
    shuts: bool  # it can be opened and shut, and is shut at first
    appliance: str = ""  # what can be done to things here


class Thing(NamedTuple):
    name: str
    kind: str


class Job(NamedTuple):
    """`how` is what is to be done to the thing first, or empty; `wanted` things of the kind are wanted where no single one is meant."""

    kind: str
    thing: str  # its name; empty where any of the kind will do
    how: str
    target: int
    wanted: int


class House(NamedTuple):
    rooms: tuple[str, ...]
    places: tuple[Place, ...]
    things: tuple[Thing, ...]
    jobs: tuple[Job, ...]
    first: tuple[int, ...]  # the place of each thing at the beginning


def house(rng: Rng, rooms: int, places: int, things: int, jobs: int, hows: Sequence[str], several: bool) -> House:
    """A house whose kitchen has the appliances; each job's thing is somewhere else than it should be."""
    named = ["kitchen", *rng.sample(ROOMS[1:], rooms - 1)]
    stand = [Place(name, "kitchen", False, how) for how, (name, _) in APPLIANCES.items()]
    for room in named:
        kinds = rng.sample([*OPEN_PLACES, *CLOSED_PLACES], places)
        stand += [Place(f"{room} {kind}", room, kind in CLOSED_PLACES) for kind in kinds]
    kinds = rng.sample(THINGS, min(len(THINGS), max(jobs + 1, things // 2)))
    pairs = [(colour, kind) for kind in kinds for colour in rng.sample(COLOURS, 3)]
    owned = [Thing(f"{colour} {kind}", kind) for colour, kind in rng.shuffled(pairs)[: max(things, 2 * jobs + 1)]]
    free = range(len(APPLIANCES), len(stand))
    first = [rng.choice(free) for _ in owned]
    drawn_jobs: list[Job] = []
    for kind in rng.shuffled(list(dict.fromkeys(thing.kind for thing in owned)))[:jobs]:
        mine = [k for k, thing in enumerate(owned) if thing.kind == kind]
        target = rng.choice([place for place in free if all(first[k] != place for k in mine)])
        if several and len(mine) > 1 and rng.chance(0.5):
            drawn_jobs.append(Job(kind, "", "", target, len(mine)))
        elif len(mine) > 1 and rng.chance(0.5) and hows:
            drawn_jobs.append(Job(kind, "", rng.choice(hows), target, 1))
        else:
            drawn_jobs.append(Job(kind, owned[rng.choice(mine)].name, rng.choice(("", *hows, *hows)), target, 1))
    return House(tuple(named), tuple(stand), tuple(owned), tuple(drawn_jobs), tuple(first))


def describe_job(house: House, job: Job) -> str:
    where = f"the {house.places[job.target].name}"
    how = f"{APPLIANCES[job.how][1]} " if job.how else ""
    if job.wanted > 1:
        return f"put all {job.wanted} things of the kind {job.kind} on or in {where}"
    return f"put {f'the {how}{job.thing}' if job.thing else f'one {how}{job.kind}'} on or in {where}"


def meant(house: House, job: Job) -> tuple[int, ...]:
    """The things that a job may be about."""
    return tuple(k for k, thing in enumerate(house.things) if (thing.name == job.thing if job.thing else thing.kind == job.kind))


def is_done(house: House, job: Job, at: Sequence[int], states: Sequence[str]) -> bool:
    there = [k for k in meant(house, job) if at[k] == job.target and (not job.how or states[k] == APPLIANCES[job.how][1])]
    return len(there) == job.wanted
