"""Summarise a chronicle within a word limit so that the events told are worth the most.

Events of one person in one year can share a sentence, which saves words; some events may be told only after the event that they rest on. The target is the
greatest worth that the limit allows.
"""

from collections.abc import Iterator
from itertools import groupby

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import count_noun
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.writing.criteria import Claims, Fault, at_most, every, score_text
from rlgym.generators.writing.language import Form, Gap, Language, count_words
from rlgym.generators.writing.variants import retracted_texts, without_each

VERBS = ("built", "sold", "mended", "lost", "painted", "moved", "closed")
OBJECTS = (
    "the mill", "a bridge", "the old market hall", "two ferries", "the north gate", "a school", "the long wall by the river", "the inn",
    "a well", "the granary of the abbey", "three barns", "the lighthouse",
)  # fmt: skip


class Event(TaskData):
    year: int
    person: str
    deed: str
    worth: int
    rests_on: int = -1


class Knobs(Config):
    events: int = knob(8, easy=4, hard=13, beyond=24, doc="events of the chronicle")
    people: int = knob(3, easy=2, hard=4, doc="people who act")
    years: int = knob(4, easy=3, hard=5, doc="years in which events happen")
    links: int = knob(2, easy=0, hard=6, beyond=12, doc="events that rest on another one")
    room: float = knob(0.5, easy=0.6, hard=0.45, beyond=0.35, doc="word limit as a share of the words of a full account")


class Data(TaskData):
    events: tuple[Event, ...]
    words: int
    worth: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def is_plain(data: Data) -> bool:
        """Whether taking events by their worth for each word is good enough."""
        return knobs.events > 6 and sum(data.events[i].worth for i in _greedy_by_density(data)) == data.worth

    data = draw_against(lambda: _sample_data(rng, knobs), is_plain, 20)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _best(task.data.events, task.data.words)[0])


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    places = {(event.year, event.person, event.deed): i for i, event in enumerate(data.events)}

    def events_told(claims: Claims) -> list[int]:
        found = [(claim.number("year"), claim.word("person"), deed) for claim in claims for deed in claim.words("deeds")]
        return [places[event] for event in found if event in places]

    def founded(claims: Claims) -> Fault | None:
        order = events_told(claims)
        loose = [i for at, i in enumerate(order) if data.events[i].rests_on not in (-1, *order[:at])]
        return Fault("an event is told without, or before, the one that it rests on", (), 1 - len(loose) / len(order)) if loose else None

    def worthy(claims: Claims) -> Fault | None:
        worth = sum(data.events[i].worth for i in set(events_told(claims)))
        return Fault("other events are worth more within the limit", (), worth / data.worth) if worth < data.worth else None

    return score_text(
        _language(data), answer,
        true=every(
            lambda claim: all((claim.number("year"), claim.word("person"), deed) in places for deed in claim.words("deeds")),
            "a sentence tells what the chronicle does not have",
        ),
        founded=founded, worth=worthy, length=at_most(data.words, lambda claims: count_words(answer), "words"),
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    by_worth = sorted(range(len(data.events)), key=lambda i: -data.events[i].worth)
    first = data.events[_best(data.events, data.words)[0][0]]
    return [
        _text(data, range(len(data.events))), _text(data, by_worth[:1]), right.replace(str(first.year), str(first.year + 1)),
        *retracted_texts(right), *without_each(_language(data), right),
    ]  # fmt: skip


def cost(task: Task[Data]) -> float:
    return float(2 ** len(task.data.events) * (1 + sum(event.rests_on >= 0 for event in task.data.events)))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    chosen = _best(data.events, data.words)[0]
    steps = [
        f"Event {i + 1} is worth {data.events[i].worth} and takes {len(data.events[i].deed.split())} words for the deed." for i in chosen
    ]
    used = count_noun(_words(data.events, chosen), "word")
    return [
        *steps,
        f"Together they are worth {data.worth} in {used}, and no other choice within the limit is worth as much:\n{solve(task)}",
    ]


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    while True:
        people, start = rng.sample(PEOPLE, knobs.people), rng.integer(1100, 1800)
        years = sorted(rng.sample(range(start, start + 40), knobs.years))
        dates = sorted((rng.choice(years), rng.choice(people)) for _ in range(knobs.events))
        deeds = [f"{rng.choice(VERBS)} {item}" for item in rng.sample(OBJECTS * 2, knobs.events)]
        linked = set(rng.sample(range(1, knobs.events), min(knobs.links, knobs.events - 1)))
        events = tuple(
            Event(year=year, person=who, deed=deed, worth=rng.integer(2, 9), rests_on=rng.integer(0, i - 1) if i in linked else -1)
            for i, ((year, who), deed) in enumerate(zip(dates, deeds, strict=True))
        )
        words = int(knobs.room * _words(events, range(len(events))))
        chosen, worth = _best(events, words)
        if len(set(deeds)) == len(deeds) and 2 <= len(chosen) < len(events):
            return Data(events=events, words=words, worth=worth)


def _greedy_by_density(data: Data) -> list[int]:
    """The events that fit when they are taken by their worth for each word, each with those it rests on."""
    events, chosen = data.events, list[int]()
    for i in sorted(range(len(events)), key=lambda i: -events[i].worth / (3 + len(events[i].deed.split()))):
        wanted, at = {*chosen, i}, events[i].rests_on
        while at >= 0:
            wanted.add(at)
            at = events[at].rests_on
        if _words(events, sorted(wanted)) <= data.words:
            chosen = sorted(wanted)
    return chosen


def _groups(events: tuple[Event, ...], chosen: Iterator[int] | range | list[int]) -> list[tuple[tuple[int, str], list[int]]]:
    """The chosen events by year and person, in the order of the chronicle."""
    return [(key, list(group)) for key, group in groupby(sorted(chosen), lambda i: (events[i].year, events[i].person))]


def _words(events: tuple[Event, ...], chosen: range | list[int]) -> int:
    return sum(3 + (len(group) > 1) + sum(len(events[i].deed.split()) for i in group) for _, group in _groups(events, chosen))


def _best(events: tuple[Event, ...], words: int) -> tuple[list[int], int]:
    """The choice of the greatest worth within so many words: every event in turn is taken or left, and states dominated by another are dropped."""
    # The last event taken decides what another deed costs: "In", the year and the person, or at most one "and".
    needed = {event.rests_on for event in events}
    states: dict[tuple[tuple[int, ...], tuple[int, str], int], dict[int, tuple[int, tuple[int, ...]]]] = {((), (0, ""), 0): {0: (0, ())}}
    for i, event in enumerate(events):
        key, after = (event.year, event.person), dict(states)
        for (held, last, size), costs in states.items():
            if event.rests_on in (-1, *held):
                run = size + 1 if last == key else 1
                extra = len(event.deed.split()) + (3 if run == 1 else run == 2)
                state = ((*held, i) if i in needed else held, key, min(run, 2))
                kept = dict(after.get(state, {}))
                for used, (worth, chosen) in costs.items():
                    if used + extra <= words and kept.get(used + extra, (-1, ()))[0] < worth + event.worth:
                        kept[used + extra] = (worth + event.worth, (*chosen, i))
                after[state] = kept
        states = after
    worth, chosen = max((best for costs in states.values() for best in costs.values()), key=lambda best: best[0])
    return list(chosen), worth


def _text(data: Data, chosen: range | list[int]) -> str:
    language, groups = _language(data), _groups(data.events, chosen)
    return " ".join(
        language.write("event", year=year, person=person, deeds=tuple(data.events[i].deed for i in group))
        for (year, person), group in groups
    )


def _language(data: Data) -> Language:
    people = tuple(dict.fromkeys(event.person for event in data.events))
    gaps = (
        Gap("year"), Gap("person", people),
        Gap("deeds", tuple(event.deed for event in data.events), "and", note="one or more deeds in the words of the chronicle"),
    )  # fmt: skip
    return Language((Form("event", "In {year} {person} {deeds}."),), gaps)


def _render_prompt(data: Data) -> str:
    lines = [
        f"{i}. {event.year}, {event.person}: {event.deed} (worth {event.worth}{_rests(event)})" for i, event in enumerate(data.events, 1)
    ]
    rule = (
        " An event that rests on another one may be told only after it, in a later sentence or later in the same one."
        if any(event.rests_on >= 0 for event in data.events)
        else ""
    )
    return (
        "A chronicle:\n" + "\n".join(lines) + f"\n\nSummarise it in at most {data.words} words, so that the events told are together worth at least "
        f"{data.worth}.{rule} Write only sentences of this form:\n{_language(data).describe()}\nWords are separated by spaces, and a year is one word. "
        "The sentences may stand in any order."
    )  # fmt: skip


def _rests(event: Event) -> str:
    return f", rests on {event.rests_on + 1}" if event.rests_on >= 0 else ""


environment = Environment(
    Knobs, Passage("the summary"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: [solve(task), solve(task).replace(". ", ".\n")],
    shared_helpers="The helper finds the greatest worth, which the prompt states and the oracle reaches.",
    concept="Compare the worth of events with the words they take: a second deed of the same person and year is cheap, and a link costs two events.",
)  # fmt: skip
