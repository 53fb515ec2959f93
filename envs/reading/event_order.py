"""Put shuffled events into an order in which each can happen: people go through a house, take, put down and hand over things.

Any order that the rules allow is right. In the shifted family people also close and open doors.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import sample_hard
from rlgym.generators.simulations.house_events import (
    Event,
    House,
    carrying_rule,
    conceivable_events,
    count_exchanges,
    doors_rule,
    find_order,
    is_idle,
    reason,
    say,
    undoes,
)
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Solution, Step

ROOMS = ("kitchen", "hall", "study", "cellar", "attic", "garage", "library", "pantry")
THINGS = ("lamp", "key", "vase", "book", "clock", "basket", "violin", "map")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TRIES = 8  # stories of which the hardest is taken
MOST_STATES = 3000  # that a search for an order may reach
HAPPENS = Step("{letter} happens: {sentence}. It can, since {because}")
STUCK = Step("{letters} could happen now too, but every way on from there gets stuck before all events have happened")
DONE = Step("All have happened: {answer}")


class Knobs(Config):
    events: int = knob(9, easy=6, hard=15, beyond=20, doc="events to order")
    people: int = knob(3, easy=2, hard=3, beyond=4, doc="people in the house")
    rooms: int = knob(4, easy=3, hard=5, doc="rooms")
    things: int = knob(2, easy=1, hard=3, doc="things that are carried about")
    detail: str = knob("full", easy="full", hard="brief", order=("full", "brief"), doc="whether events say where they happen")
    exchanges: int = knob(
        2, easy=0, hard=5, doc="times that somebody gets a thing which another one carried, as far as a few stories have them"
    )


class Data(TaskData):
    rooms: tuple[tuple[str, str], ...]  # the rooms on both sides of each door
    people: dict[str, str]  # where each stands at first
    things: dict[str, str]
    events: tuple[Event, ...]  # as listed
    brief: bool
    exchanges: int = 0  # times that somebody gets a thing which another one carried before


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, doors=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """People also close and open doors."""
    return _sample_task(rng, knobs, doors=True)


def _sample_task(rng: Rng, knobs: Knobs, doors: bool) -> Task[Data]:
    data = sample_hard(lambda: _sample_story(rng, knobs, doors), lambda data: data.exchanges, knobs.exchanges, TRIES)
    people = [f"{name} is in the {room}." for name, room in data.people.items()]
    things = [f"The {thing} lies in the {room}." for thing, room in data.things.items()]
    links = "; ".join(f"{one} and {other}" for one, other in data.rooms)
    of_doors = f" {doors_rule(data.events)}" if doors else ""
    listing = "\n".join(f"{letter}: {say(event, data.brief)}." for letter, event in zip(LETTERS, data.events))
    prompt = (
        f"A house has doors between these rooms: {links}. Each move goes through one of these doors.{of_doors} {carrying_rule(data.events)} At first: "
        f"{' '.join(people + things)}\n\nThen these events happened, each exactly once, but not in this order:\n{listing}\n\n"
        "In which order can all of them have happened? Where several orders are possible, give one of them."
    )
    return Task(prompt, data)


def _sample_story(rng: Rng, knobs: Knobs, doors: bool) -> Data:
    brief = knobs.detail == "brief"
    differing = knobs.people * (knobs.rooms + knobs.things * (knobs.people + 1))  # events told briefly, without doors
    most = 2 if brief and 3 * differing < 4 * knobs.events else 1
    while True:
        rooms = rng.sample(ROOMS, knobs.rooms)
        links = [(rng.choice(rooms[:i]), room) for i, room in enumerate(rooms) if i]
        spare = [
            (one, other)
            for i, one in enumerate(rooms)
            for other in rooms[i + 1 :]
            if (one, other) not in links and (other, one) not in links
        ]
        if spare and knobs.rooms > 3:
            links.append(rng.choice(spare))
        people = {name: rng.choice(rooms) for name in rng.sample(PEOPLE, knobs.people)}
        things = {thing: rng.choice(rooms) for thing in rng.sample(THINGS, knobs.things)}
        data = Data(rooms=tuple(links), people=people, things=things, events=(), brief=brief)
        events = _sample_events(rng, data, knobs.events, doors, most)
        kinds = {event.kind for event in events}
        if len(events) < knobs.events or "take" not in kinds or (doors and "close" not in kinds):
            continue
        data = data.model_copy(update={"events": tuple(rng.shuffled(events)), "exchanges": count_exchanges(events)})
        places = range(len(events))
        if _first_obstacle(data, places) and _first_obstacle(data, places[::-1]) and _search(data)[0]:
            return data


def _sample_events(rng: Rng, data: Data, count: int, doors: bool, most: int) -> list[Event]:
    """Events one after the other, of which none undoes the one before it and none happens more often than `most`."""
    house, events = _house(data), list[Event]()
    while len(events) < count:
        found = [event for event in conceivable_events(house, data.brief, doors) if events.count(event) < most]
        found = [event for event in found if not house.obstacle(event, data.brief)]
        found = [event for event in found if not (events and undoes(event, events[-1]))]
        found = [event for event in found if not is_idle(event, events)]
        if not found:
            break
        moves = [event for event in found if event.kind == "go"]
        others = [event for event in found if event.kind != "go"]
        if others and (not moves or rng.chance(0.6)):
            kind = rng.choice(sorted({event.kind for event in others}))
            moves = [event for event in others if event.kind == kind]
        event = rng.choice(moves)
        house.do(event)
        events.append(event)
    return events


def _house(data: Data) -> House:
    return House(data.rooms, data.people, data.things)


def _first_obstacle(data: Data, order: Sequence[int]) -> str:
    house = _house(data)
    for i in order:
        if obstacle := house.obstacle(data.events[i], data.brief):
            return f"{LETTERS[i]} cannot happen then: {obstacle}"
        house.do(data.events[i])
    return ""


def _search(data: Data) -> tuple[tuple[int, ...], int, set[tuple[object, ...]]]:
    return find_order(_house(data), data.events, data.brief, MOST_STATES)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Depth-first search over what the prompt says, with the states kept from which it got stuck."""
    text = task.prompt
    doors = {frozenset(pair) for pair in re.findall(r"(\w+) and (\w+)", text.partition(".")[0])}
    place = dict(re.findall(r"(\w+) is in the (\w+)\.", text)) | dict(re.findall(r"The (\w+) lies in the (\w+)\.", text))
    sentences = dict(re.findall(r"^([A-Z]): (.+)\.$", text, re.MULTILINE))
    stuck: set[object] = set()

    def search(left: frozenset[str], place: dict[str, str], closed: frozenset[frozenset[str]]) -> list[str] | None:
        if not left:
            return []
        key = (left, tuple(sorted(place.items())), closed)
        if key not in stuck:
            for letter in sorted(left):
                then = _read_event(sentences[letter].split(), place, closed, doors)
                if then and (rest := search(left - {letter}, *then)) is not None:
                    return [letter, *rest]
            stuck.add(key)
        return None

    found = search(frozenset(sentences), place, frozenset())
    assert found is not None, "the events did happen in some order"
    return tuple(found)


def _read_event(
    words: list[str], place: dict[str, str], closed: frozenset[frozenset[str]], doors: set[frozenset[str]]
) -> tuple[dict[str, str], frozenset[frozenset[str]]] | None:
    """Where everything is after the event of a sentence; None where it cannot happen."""
    who, verb, rest = words[0], words[1], [word for word in words[2:] if word not in ("the", "to", "from", "in", "down", "and", "between")]
    here, full = place[who], set(place.values())
    if verb == "goes":
        door = frozenset((here, rest[-1]))
        is_possible = door in doors - closed and (len(rest) == 1 or rest[0] == here)
        return ({**place, who: rest[-1]}, closed) if is_possible else None
    if verb in ("closes", "opens"):
        door = frozenset(rest[1:])
        return (place, closed ^ {door}) if here in door and (door in closed) == (verb == "opens") else None
    if rest[1:] and verb != "gives" and rest[1] != here:
        return None
    if verb == "takes":
        return ({**place, rest[0]: who}, closed) if place[rest[0]] == here and who not in full else None
    if place[rest[0]] != who:
        return None
    if verb == "puts":
        return {**place, rest[0]: here}, closed
    return ({**place, rest[0]: rest[1]}, closed) if place[rest[1]] == here and rest[1] not in full else None


def verify(task: Task[Data], answer: Sequence[str]) -> Score:
    letters = "".join(answer).upper()
    if sorted(letters) != list(LETTERS[: len(task.data.events)]):
        return Score.wrong("the order must have the letter of each event exactly once")
    obstacle = _first_obstacle(task.data, [LETTERS.index(letter) for letter in letters])
    return Score.exact(not obstacle, obstacle)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    swapped = [(*right[:i], right[i + 1], right[i], *right[i + 2 :]) for i in range(len(right) - 1)]
    answers = [tuple(sorted(right)), right[::-1], right[1:], _greedy(task.data), *swapped]
    return [answer for answer in answers if verify(task, answer).value == 0]


def _greedy(data: Data) -> tuple[str, ...]:
    """The first event of the list that can happen, again and again, and the rest as it stands."""
    house, left, order = _house(data), list(range(len(data.events))), list[int]()
    while possible := [i for i in left if not house.obstacle(data.events[i], data.brief)]:
        house.do(data.events[possible[0]])
        order.append(possible[0])
        left.remove(possible[0])
    return tuple(LETTERS[i] for i in order + left)


def cost(task: Task[Data]) -> float:
    """Pairs of events to compare, and the things that pass from one to another."""
    return float(len(task.data.events) ** 2 * (1 + task.data.brief) + 5 * task.data.exchanges)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    order, _, dead = _search(data)
    house, left = _house(data), list(range(len(data.events)))
    for i in order:
        refuted = [LETTERS[j] for j in left if j < i and _is_stuck(data, house, left, j, dead)]
        if refuted:
            yield STUCK(letters=", ".join(refuted))
        event = data.events[i]
        yield HAPPENS(letter=LETTERS[i], sentence=say(event, data.brief), because=reason(house, event))
        house.do(event)
        left.remove(i)
    yield DONE(answer=" ".join(LETTERS[i] for i in order))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    dead = _search(data)[2]
    house, left = _house(data), list(range(len(data.events)))

    def is_stuck(letters: str) -> bool:
        return all(
            LETTERS.index(letter) in left and _is_stuck(data, house, left, LETTERS.index(letter), dead) for letter in letters.split(", ")
        )

    def happens(letter: str, sentence: str, because: str) -> bool:
        i = LETTERS.index(letter)
        event = data.events[i]
        can = i in left and not house.obstacle(event, data.brief) and (sentence, because) == (say(event, data.brief), reason(house, event))
        if can:
            house.do(event)
            left.remove(i)
        return can

    return {STUCK: is_stuck, HAPPENS: happens, DONE: lambda answer: not left}


def _is_stuck(data: Data, house: House, left: Sequence[int], i: int, dead: set[tuple[object, ...]]) -> bool:
    """Whether an event can happen now, and the search found no way on after it."""
    if house.obstacle(data.events[i], data.brief):
        return False
    then = house.copy()
    then.do(data.events[i])
    return (tuple(j for j in left if j != i), then.key()) in dead


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Orders found from the last listed event on."""
    data = task.data

    def orders(house: House, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not left:
            yield ()
        for i in reversed(left):
            if not house.obstacle(data.events[i], data.brief):
                then = house.copy()
                then.do(data.events[i])
                yield from ((i, *rest) for rest in orders(then, tuple(j for j in left if j != i)))

    for order in islice(orders(_house(data), tuple(range(len(data.events)))), 50):
        yield tuple(LETTERS[i] for i in order)


environment = Environment(
    Knobs, Words("the letters of all events in order, separated by spaces"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers, version=4,
    concept="Follow each person and each thing by themselves: what takes somebody to a room comes before what happens there, and one who is to take a "
    "thing must have free hands.",
)  # fmt: skip
