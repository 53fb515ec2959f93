"""Events in a house: people go through doors, take, put down and hand over things, close and open doors."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple


class Event(NamedTuple):
    kind: str  # go, take, put, hand, close or open
    who: str
    what: str  # the thing, or the room that somebody goes to, or the first room of a door
    other: str = ""  # to whom a thing is handed, the room that somebody comes from, where it happens, or the second room of a door


class House:
    """Who and what is where, and which doors are closed."""

    def __init__(self, doors: Iterable[tuple[str, str]], people: Mapping[str, str], things: Mapping[str, str]) -> None:
        self.doors = {frozenset(door) for door in doors}
        self.people, self.things = tuple(people), tuple(things)
        self.place = dict(people) | dict(things)  # a room, or the person who carries the thing
        self.closed = set[frozenset[str]]()

    def copy(self) -> "House":
        """A house that changes by itself from here on."""
        house = House.__new__(House)
        house.__dict__ |= self.__dict__ | {"place": dict(self.place), "closed": set(self.closed)}
        return house

    def key(self) -> tuple[object, ...]:
        """What tells one state of the house from others."""
        return (*sorted(self.place.items()), *sorted(tuple(sorted(door)) for door in self.closed))

    def hands(self, person: str) -> str:
        """What somebody carries; empty for nothing."""
        return next((thing for thing, place in self.place.items() if place == person), "")

    def obstacle(self, event: Event, brief: bool) -> str:
        """Why an event cannot happen now; empty where it can."""
        who, what, here = event.who, event.what, self.place[event.who]
        if event.kind == "go":
            if not brief and event.other != here:
                return f"{who} is not in the {event.other}"
            if frozenset((here, what)) not in self.doors:
                return f"no door leads from the {here} to the {what}"
            return f"the door between the {here} and the {what} is closed" if frozenset((here, what)) in self.closed else ""
        if event.kind in ("close", "open"):
            door = frozenset((what, event.other))
            if here not in door:
                return f"{who} is at neither side of that door"
            return f"that door is {'closed' if door in self.closed else 'open'}" if (door in self.closed) == (event.kind == "close") else ""
        if event.kind == "take":
            if self.hands(who):
                return f"{who} carries something"
            return "" if self.place[what] == here and event.other in ("", here) else f"the {what} does not lie where {who} is"
        if self.place[what] != who:
            return f"{who} does not carry the {what}"
        if event.kind == "put":
            return "" if event.other in ("", here) else f"{who} is not in the {event.other}"
        if self.place[event.other] != here:
            return f"{who} and {event.other} are in different rooms"
        return f"{event.other} carries something" if self.hands(event.other) else ""

    def do(self, event: Event) -> None:
        """Let an event happen, which has no obstacle."""
        if event.kind == "go":
            self.place[event.who] = event.what
        elif event.kind == "take":
            self.place[event.what] = event.who
        elif event.kind == "put":
            self.place[event.what] = self.place[event.who]
        elif event.kind == "hand":
            self.place[event.what] = event.other
        else:
            self.closed ^= {frozenset((event.what, event.other))}


def conceivable_events(house: House, brief: bool, doors: bool) -> Iterator[Event]:
    """What people might do where they are; `doors` adds closing and opening them."""
    for who in house.people:
        here = house.place[who]
        place = "" if brief else here
        for one, other in sorted(tuple(sorted(door)) for door in house.doors):
            if here in (one, other):
                yield Event("go", who, other if here == one else one, place)
                if doors:
                    yield from (Event(kind, who, one, other) for kind in ("close", "open"))
        for thing in house.things:
            yield Event("take", who, thing, place)
            yield Event("put", who, thing, place)
            yield from (Event("hand", who, thing, other) for other in house.people if other != who)


def undoes(event: Event, last: Event) -> bool:
    """Whether an event takes back the one before it, or could have been one with it."""
    if event.kind == "go":
        return last.kind == "go" and event.who == last.who
    return event.what == last.what and {event.kind, last.kind} in ({"take", "put"}, {"close", "open"}, {"hand"})


def is_idle(event: Event, events: Sequence[Event]) -> bool:
    """Whether somebody would put a thing down where they got it, or take what they put down themselves, after these events."""
    if event.kind not in ("put", "take"):
        return False
    last = next(
        (i for i in reversed(range(len(events))) if events[i].what == event.what and events[i].kind in ("take", "put", "hand")), None
    )
    if last is None:
        return False
    if event.kind == "take":
        return events[last].who == event.who
    return not any(other.kind == "go" and other.who == event.who for other in events[last:])


def count_exchanges(events: Sequence[Event]) -> int:
    """How often somebody gets a thing that another one carried before."""
    holder: dict[str, str] = {}
    exchanges = 0
    for event in events:
        if event.kind in ("take", "hand"):
            gets = event.other if event.kind == "hand" else event.who
            exchanges += holder.get(event.what, gets) != gets
            holder[event.what] = gets
    return exchanges


def say(event: Event, brief: bool) -> str:
    """An event as a sentence without its full stop; `brief` leaves out where it happens."""
    who, what, other = event.who, event.what, event.other
    if event.kind == "go":
        return f"{who} goes to the {what}" if brief else f"{who} goes from the {other} to the {what}"
    if event.kind == "hand":
        return f"{who} gives the {what} to {other}"
    if event.kind in ("close", "open"):
        return f"{who} {event.kind}s the door between the {what} and the {other}"
    place = "" if brief else f" in the {other}"
    return f"{who} takes the {what}{place}" if event.kind == "take" else f"{who} puts the {what} down{place}"


def doors_rule(events: Sequence[Event]) -> str:
    """What the closing and opening of doors among these events is bound to."""
    changes = "close or open" if any(event.kind == "open" for event in events) else "close"
    return (
        f"Somebody can {changes} a door only from one of its two rooms, and nobody goes through a closed door. All doors are open at first."
    )


def carrying_rule(events: Sequence[Event]) -> str:
    """What the events are bound to: one thing in a hand where several are carried, putting down and giving where that happens."""
    kinds = {event.kind for event in events}
    several = len({event.what for event in events if event.kind == "take"}) > 1
    rules = ["Nobody carries more than one thing at a time."] * several
    rules.append("To take a thing, one must be in the room where it lies; it then goes where its carrier goes.")
    if ways := [way for kind, way in (("put", "put it down"), ("hand", "give it away")) if kind in kinds]:
        rules.append(f"Only the carrier of a thing can {' or '.join(ways)}.")
    if "hand" in kinds:
        rules.append(f"A thing can be given only to somebody in the same room{' who carries nothing' if several else ''}.")
    return " ".join(rules)


def reason(house: House, event: Event) -> str:
    """Why an event can happen now."""
    who, what, here = event.who, event.what, house.place[event.who]
    if event.kind == "go":
        return f"{who} is in the {here}, and a door leads to the {what}"
    if event.kind == "take":
        return f"the {what} lies in the {here}, where {who} is with free hands"
    if event.kind == "put":
        return f"{who} carries the {what}"
    if event.kind == "hand":
        return f"{who} carries the {what}, and {event.other} is in the {here} too with free hands"
    return f"{who} is in the {here}, and that door is {'open' if event.kind == 'close' else 'closed'}"


def find_order(
    house: House, events: Sequence[Event], brief: bool, most_states: int
) -> tuple[tuple[int, ...], int, set[tuple[object, ...]]]:
    """The first order that a depth-first search finds, how many dead ends it meets, and the states without a way on.

    The order is empty where the search would reach more than `most_states`.
    """
    dead: set[tuple[object, ...]] = set()
    met = [0, 0]

    def complete(now: House, left: tuple[int, ...]) -> tuple[int, ...] | None:
        if not left:
            return ()
        key = (left, now.key())
        met[1] += 1
        if key in dead or met[1] > most_states:
            return None
        for i in left:
            if not now.obstacle(events[i], brief):
                then = now.copy()
                then.do(events[i])
                rest = complete(then, tuple(j for j in left if j != i))
                if rest is not None:
                    return (i, *rest)
        met[0] += 1
        dead.add(key)
        return None

    order = complete(house, tuple(range(len(events))))
    return order or (), met[0] if order else 0, dead
