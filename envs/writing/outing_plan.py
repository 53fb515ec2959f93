"""Announce a day's outing that fits opening hours, walks, lunch and a budget, and is worth as much as any.

Any plan of the greatest worth is right, in any order of visits that the clock allows. Waiting is allowed, so an early closing time or a narrow lunch decides
more than distances do.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.writing.criteria import Claims, Fault, every, score_text
from rlgym.generators.writing.language import Form, Gap, Language
from rlgym.generators.writing.variants import retracted_texts, without_each

PLACES = ("museum", "castle", "garden", "aquarium", "tower", "harbour tour", "gallery", "old mine", "zoo", "planetarium")
CAFE = "café"
START, PACE = 9 * 60, 5
"""The outing begins at 9:00 at the hotel, and a block takes five minutes."""
Plan = list[tuple[int, int]]
"""The visits in order: place by position, and time of arrival in minutes."""


class Place(TaskData):
    name: str
    street: int
    avenue: int
    opens: int
    closes: int
    minutes: int
    price: int
    worth: int


class Knobs(Config):
    places: int = knob(5, easy=2, hard=8, doc="places that may be visited")
    hours: float = knob(5.0, easy=4.0, hard=7.5, doc="hours until the guests must be back at the hotel")
    lunch: str = knob("café", easy="none", hard="café", order=("none", "café"), doc="whether there must be a lunch")
    narrow: float = knob(0.4, easy=0.0, hard=0.9, doc="share of places that are open for a short time only")


class Data(TaskData):
    places: tuple[Place, ...]
    back: int
    budget: int
    worth: int
    lunch: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def is_easy(data: Data) -> bool:
        """Whether everything fits, or visiting the best places first is good enough."""
        greedy = sum(data.places[i].worth for i, _ in _greedy(data))
        return data.worth in (sum(place.worth for place in data.places), greedy)

    data = draw_against(lambda: _sample_data(rng, knobs), is_easy, 8 if knobs.places > 2 else 0)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _best(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    by_name = {place.name: place for place in data.places}

    def on_time(claims: Claims) -> Fault | None:
        at, clock = (0, 0), START
        for claim in claims:
            place = by_name[claim.word("place")]
            clock += PACE * _blocks(at, (place.street, place.avenue))
            if claim.number("arrival") < clock or claim.number("leave") < claim.number("arrival"):
                return Fault("a place cannot be reached by the time stated", (claim,))
            at, clock = (place.street, place.avenue), claim.number("leave")
        late = clock + PACE * _blocks(at, (0, 0)) > data.back
        return Fault("the guests are not back in time", claims[-1:]) if late else None

    def visits(claim_place: str, arrival: int, leave: int) -> bool:
        place = by_name[claim_place]
        return place.opens <= arrival and leave <= place.closes and leave - arrival >= place.minutes

    def once(claims: Claims) -> Fault | None:
        names = [claim.word("place") for claim in claims]
        return Fault("a place is visited twice", claims) if len(set(names)) < len(names) else None

    def lunch(claims: Claims) -> Fault | None:
        return None if not data.lunch or any(claim.word("place") == CAFE for claim in claims) else Fault("there is no lunch")

    def total(claims: Claims, field: str) -> int:
        return sum(getattr(by_name[name], field) for name in {claim.word("place") for claim in claims})

    def affordable(claims: Claims) -> Fault | None:
        return Fault("the tickets cost more than the budget") if total(claims, "price") > data.budget else None

    def worthy(claims: Claims) -> Fault | None:
        worth = total(claims, "worth")
        return Fault("another plan is worth more", (), worth / data.worth) if worth < data.worth else None

    return score_text(
        _language(data), answer,
        open=every(
            lambda claim: visits(claim.word("place"), claim.number("arrival"), claim.number("leave")),
            "a visit is outside the opening hours, or too short",
        ),
        on_time=on_time, once=once, lunch=lunch, affordable=affordable, worth=worthy,
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, best = task.data, _best(task.data)
    late = [(i, data.places[i].closes) for i, _ in best]
    every_place = [(i, place.opens) for i, place in enumerate(data.places)] * 2
    return [_text(data, late), _text(data, every_place), f"{right} {right}", *retracted_texts(right), *without_each(_language(data), right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(2 ** len(data.places) * len(_best(data)) * (1 + data.lunch))


def explain(task: Task[Data]) -> list[str]:
    data, at, clock, steps = task.data, (0, 0), START, list[str]()
    for i, arrival in _best(data):
        place = data.places[i]
        clock += PACE * _blocks(at, (place.street, place.avenue))
        steps.append(
            f"The {place.name} can be reached at {_clock(clock)}, opens at {_clock(place.opens)}, and is left at {_clock(arrival + place.minutes)}."
        )
        at, clock = (place.street, place.avenue), arrival + place.minutes
    spent = sum(data.places[i].price for i, _ in _best(data))
    return [*steps, f"The tickets cost {spent} EUR, the worth is {data.worth}, and no other plan is worth more:\n{solve(task)}"]


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    back = START + 15 * round(4 * knobs.hours)
    while True:
        places = [_place(rng, knobs, name, back) for name in rng.sample(PLACES, knobs.places)]
        if knobs.lunch == CAFE:
            opens = 12 * 60 + 15 * rng.integer(-4, 2)
            cafe = Place(
                name=CAFE,
                street=rng.integer(-4, 4),
                avenue=rng.integer(-4, 4),
                opens=opens,
                closes=opens + 75,
                minutes=45,
                price=9,
                worth=1,
            )
            places.append(cafe)
        budget = sum(place.price for place in places) * rng.integer(5, 7) // 10
        data = Data(places=tuple(places), back=back, budget=budget, worth=0, lunch=knobs.lunch == CAFE)
        best = _best(data)
        if len(best) > (knobs.places > 2):
            return data.model_copy(update={"worth": sum(data.places[i].worth for i, _ in best)})


def _place(rng: Rng, knobs: Knobs, name: str, back: int) -> Place:
    minutes = 15 * rng.integer(2, 5)
    opens, closes = START, back
    if rng.chance(knobs.narrow):
        opens = START + 15 * rng.integer(0, (back - START - minutes) // 15)
        closes = min(back, opens + minutes + 15 * rng.integer(0, 4))
    return Place(
        name=name, street=rng.integer(-5, 5), avenue=rng.integer(-5, 5), opens=opens, closes=closes, minutes=minutes, price=rng.integer(2, 15),
        worth=rng.integer(3, 9),
    )  # fmt: skip


def _blocks(first: tuple[int, int], second: tuple[int, int]) -> int:
    return abs(first[0] - second[0]) + abs(first[1] - second[1])


def _best(data: Data) -> Plan:
    """A plan of the greatest worth: for each set of places and last place, the earliest time at which they can all have been visited."""
    spots = [(place.street, place.avenue) for place in data.places]
    earliest: dict[tuple[int, int], tuple[int, Plan]] = {(0, -1): (START, [])}
    best: tuple[int, Plan] = (-1, [])
    for mask in range(1 << len(data.places)):
        inside = [place for i, place in enumerate(data.places) if mask >> i & 1]
        if sum(place.price for place in inside) > data.budget:
            continue
        worth, fed = sum(place.worth for place in inside), not data.lunch or any(place.name == CAFE for place in inside)
        for last in range(-1, len(data.places)):
            if (mask, last) not in earliest:
                continue
            clock, plan = earliest[mask, last]
            here = spots[last] if last >= 0 else (0, 0)
            if fed and worth > best[0] and plan:
                best = (worth, plan)
            for i, place in enumerate(data.places):
                arrival = max(place.opens, clock + PACE * _blocks(here, spots[i]))
                done = arrival + place.minutes
                fits = not mask >> i & 1 and done <= place.closes and done + PACE * _blocks(spots[i], (0, 0)) <= data.back
                if fits and done < earliest.get((mask | 1 << i, i), (data.back + 1, []))[0]:
                    earliest[mask | 1 << i, i] = (done, [*plan, (i, arrival)])
    return best[1]


def _greedy(data: Data) -> Iterator[tuple[int, int]]:
    """The plan of somebody who always goes on to the place of the greatest worth that is still possible."""
    at, clock, money = (0, 0), START, data.budget
    left = sorted(range(len(data.places)), key=lambda i: (data.places[i].name != CAFE, -data.places[i].worth))
    for i in left:
        place = data.places[i]
        arrival = max(place.opens, clock + PACE * _blocks(at, (place.street, place.avenue)))
        done = arrival + place.minutes
        if place.price <= money and done <= place.closes and done + PACE * _blocks((place.street, place.avenue), (0, 0)) <= data.back:
            at, clock, money = (place.street, place.avenue), done, money - place.price
            yield i, arrival


def _text(data: Data, plan: Plan) -> str:
    language = _language(data)
    return " ".join(
        language.write("visit", arrival=arrival, place=data.places[i].name, leave=arrival + data.places[i].minutes) for i, arrival in plan
    )


def _language(data: Data) -> Language:
    gaps = (
        Gap("arrival", kind="time", note="a time such as 9:05"), Gap("place", tuple(place.name for place in data.places)),
        Gap("leave", kind="time", note="a time too"),
    )  # fmt: skip
    return Language((Form("visit", "At {arrival} we arrive at the {place} and stay until {leave}."),), gaps)


def _clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


def _side(blocks: int, plus: str, minus: str) -> str:
    return f"{abs(blocks)} {plus if blocks > 0 else minus}" if blocks else ""


def _describe_location(place: Place) -> str:
    sides = [side for side in (_side(place.avenue, "north", "south"), _side(place.street, "east", "west")) if side]
    return " and ".join(sides) or "at the hotel"


def _render_prompt(data: Data) -> str:
    lines = "\n".join(
        f"- {place.name}: {_describe_location(place)}; open {_clock(place.opens)} to {_clock(place.closes)}; visit {place.minutes} minutes; {place.price} EUR; "
        f"worth {place.worth}"
        for place in data.places
    )
    lunch = f" One of the visits must be lunch at the {CAFE}." if data.lunch else ""
    return (
        f"Places in a town, with blocks from the hotel:\n{lines}\n\nStreets run north to south and east to west, and walking a block takes {PACE} minutes. "
        f"Plan an outing: the guests leave the hotel at {_clock(START)} at the earliest and are back by {_clock(data.back)}. A visit, from arrival to leaving, "
        "lies within the opening hours and lasts at least as long as stated; time may pass between visits, and no place is visited twice."
        f"{lunch} The tickets cost at most {data.budget} EUR together, and the worth of all visits is at least {data.worth}. Announce the visits in the order "
        f"of the day. Write only sentences of this form:\n{_language(data).describe()}"
    )


environment = Environment(
    Knobs, Passage("the announcement"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: [solve(task), solve(task).replace(". ", ".\n")],
    shared_helpers="The helper finds the greatest worth, which the prompt states and the oracle reaches.",
    concept="Place the visits with narrow opening hours first, then see what fits between them; check walks, waiting and money together.",
)  # fmt: skip
