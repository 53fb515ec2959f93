"""A house with rooms and locked chests, and two workers who follow instructions in a small language, as far as they may."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from rlgym.core.rng import Rng

T = TypeVar("T")

ROOMS = ("archive", "cellar", "gallery", "kitchen", "library", "loft", "office", "pantry", "studio", "tower", "vault", "yard")
THINGS = ("anchor", "bugle", "crown", "diary", "easel", "flute", "globe", "harp", "idol", "jewel", "ledger", "mask", "opal", "quill")
WORKERS = (("Ada", "Ben"), ("Cleo", "Dan"), ("Eva", "Finn"), ("Gia", "Hugo"), ("Ines", "Jack"), ("Kira", "Leo"))
COLOURS = ("red", "blue", "green", "white")


class Worker(NamedTuple):
    name: str
    rooms: tuple[str, ...]  # that this worker may enter and hear of
    colours: tuple[str, ...]  # of the chests whose codes this worker may hear


class Chest(NamedTuple):
    label: str
    room: str
    colour: str
    code: str


class Item(NamedTuple):
    label: str  # what the workers call it
    thing: str  # what it is, which no worker may hear
    room: str
    chest: str  # empty where it lies open


class House(NamedTuple):
    rooms: tuple[str, ...]  # the first is the one that both may enter
    workers: tuple[Worker, ...]
    chests: tuple[Chest, ...]
    items: tuple[Item, ...]
    goals: tuple[tuple[int, str], ...]  # items and the rooms they shall lie in


class Now(NamedTuple):
    """Where everything is: workers, what they carry, the items that were moved, and the chests that stand open."""

    at: tuple[str, ...]
    carried: tuple[int, ...]  # an item, or -1
    moved: tuple[tuple[int, str], ...] = ()
    opened: tuple[str, ...] = ()
    looked: tuple[str, ...] = ()  # rooms
    leaked: bool = False


def house(rng: Rng, rooms: int, goals: int, others: int, chests: int, apart: bool) -> House:
    """A house in which every item can be got by somebody; with `apart` the workers share no room but the first."""
    used = tuple(rng.sample(ROOMS, rooms))
    colours = rng.sample(COLOURS, 4)
    mine = [rng.chance(0.5) for _ in used]
    mine[1:3] = [True, False]
    entered = [tuple(room for k, room in enumerate(used) if k == 0 or not apart or mine[k] == who) for who in (True, False)]
    names = rng.choice(WORKERS)
    workers = tuple(Worker(name, room, tuple(sorted(colours[2 * k : 2 * k + 2]))) for k, (name, room) in enumerate(zip(names, entered)))
    codes = [str(number) for number in rng.sample(range(1000, 9999), chests)]
    boxes = []
    for k, code in enumerate(codes):
        worker = workers[k % 2]
        boxes.append(Chest(f"k{k + 1}", rng.choice(worker.rooms), rng.choice(worker.colours), code))
    labels = [f"parcel-{number}" for number in rng.sample(range(10, 99), goals + others)]
    items = []
    for label, thing in zip(labels, rng.sample(THINGS, goals + others)):
        chest = rng.choice(boxes) if boxes and rng.chance(0.7) else None
        items.append(Item(label, thing, chest.room if chest else rng.choice(used), chest.label if chest else ""))
    goal_rooms = tuple((k, rng.choice([room for room in used if room != items[k].room])) for k in range(goals))
    return House(used, workers, tuple(rng.shuffled(boxes)), tuple(items), goal_rooms)


def begun(house: House) -> Now:
    return Now((house.rooms[0],) * 2, (-1, -1))


def forbidden(house: House, who: int) -> set[str]:
    """The words that a worker may not hear."""
    worker = house.workers[who]
    words = {item.thing for item in house.items} | {room for room in house.rooms if room not in worker.rooms}
    return words | {chest.code for chest in house.chests if chest.colour not in worker.colours}


def place_of(house: House, now: Now, item: int) -> tuple[str, str]:
    """The room and the chest of an item that nobody carries."""
    moved = dict(now.moved)
    return (moved[item], "") if item in moved else (house.items[item].room, house.items[item].chest)


def describe(house: House, now: Now, who: int, command: str) -> tuple[Now, str]:
    """What a worker does on one command, and reports."""
    name, room = house.workers[who].name, now.at[who]
    match command.lower().split():
        case ["go", target]:
            if target not in house.workers[who].rooms:
                return now, f"{name} knows no room {target!r}"
            return now._replace(at=_put(now.at, who, target)), f"{name} is in the {target}"
        case ["look"]:
            return now._replace(
                looked=tuple(dict.fromkeys((*now.looked, room)))
            ), f"{name} sees in the {room}: {_describe_room(house, now, room)}"
        case ["open", label, code]:
            chest = next((chest for chest in house.chests if chest.label == label and chest.room == room), None)
            if chest is None or chest.code != code:
                return now, f"{name} cannot open {label}: {'the code is wrong' if chest else 'it is not here'}"
            now = now._replace(opened=tuple(dict.fromkeys((*now.opened, label))))
            return now, f"{name} has opened {label}: {_inside(house, now, label)}"
        case ["take", label]:
            return _take(house, now, who, label)
        case ["drop"]:
            item = now.carried[who]
            if item < 0:
                return now, f"{name} carries nothing"
            moved = tuple({**dict(now.moved), item: room}.items())
            return now._replace(
                carried=_put(now.carried, who, -1), moved=moved
            ), f"{name} has put {house.items[item].label} down in the {room}"
    return now, f"{name} does not understand {command.strip()[:40]!r}"


def is_known(house: House, now: Now, item: int) -> bool:
    """Whether it was reported where an item is."""
    room, chest = place_of(house, now, item)
    return item in now.carried or (chest in now.opened if chest else room in now.looked or item in dict(now.moved))


def _take(house: House, now: Now, who: int, label: str) -> tuple[Now, str]:
    name, room = house.workers[who].name, now.at[who]
    item = next((k for k, item in enumerate(house.items) if item.label == label), -1)
    free = item >= 0 and item not in now.carried
    if not free or place_of(house, now, item)[0] != room or (place_of(house, now, item)[1] or "") not in ("", *now.opened):
        return now, f"{name} sees no {label!r} to take"
    if now.carried[who] >= 0:
        return now, f"{name} carries something already"
    return now._replace(carried=_put(now.carried, who, item)), f"{name} has taken {label}"


def _describe_room(house: House, now: Now, room: str) -> str:
    things = [house.items[k].label for k in range(len(house.items)) if k not in now.carried and place_of(house, now, k) == (room, "")]
    chests = [
        f"the chest {chest.label} ({chest.colour}, {_inside(house, now, chest.label) if chest.label in now.opened else 'locked'})"
        for chest in house.chests
        if chest.room == room
    ]
    return ", ".join([*things, *chests]) or "nothing"


def _inside(house: House, now: Now, label: str) -> str:
    things = [house.items[k].label for k in range(len(house.items)) if k not in now.carried and place_of(house, now, k)[1] == label]
    return f"in it {', '.join(things)}" if things else "it is empty"


def _put(row: tuple[T, ...], who: int, value: T) -> tuple[T, ...]:
    return tuple(value if k == who else old for k, old in enumerate(row))
