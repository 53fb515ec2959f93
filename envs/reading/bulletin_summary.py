"""Summarise the current state of a few subjects from a long bulletin, in own words, each fact in a sentence.

Messages change values, move people and money between subjects, swap leaders, and take back what earlier messages said. Outdated values, facts that were
not requested and runs of words copied from the bulletin cost the reward.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.text.english import count_noun
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.writing.bulletins import MONTHS, PROJECTS, SHIPS, World
from rlgym.generators.writing.composing import compose, grouped, in_words, write_sentence
from rlgym.rubrics import Fact, FactSheet, NoContradiction, Nugget, Rubric, Term, checks
from rlgym.solutions import Derivation, Solution, Step

ATTRIBUTES = ("money", "crew", "head", "open")
COPIED_WORDS = 6
LEADERS = tuple(name for name in PEOPLE if name != "Will")  # which is a verb too
OPENINGS = ("This is how things stand today.", "Here is the summary.", "The present state is as follows.")
CLOSINGS = ("This takes all messages into account.", "Older values are left out.", "That is the latest news.")
FOUND = Step("After all messages that hold, the {attribute} of {subject} is {value}.")
KINDS = {
    "money": ("money", "more", "shift"),
    "crew": ("crew", "join", "move"),
    "head": ("head", "head", "trade"),
    "open": ("open", "late", "late"),
}
ROOT = {kind: attribute for attribute, kinds in KINDS.items() for kind in kinds}
State = dict[tuple[str, str], int | str]


class Event(NamedTuple):
    """A message: its kind, its subjects, a number (an amount, a month or a day) and a person."""

    kind: str
    subject: str
    other: str
    number: int
    person: str = ""


class Knobs(Config):
    subjects: int = knob(4, easy=2, hard=7, doc="subjects of the bulletin")
    messages: int = knob(10, easy=3, hard=50, doc="messages after the first about each attribute")
    facts: int = knob(4, easy=2, hard=9, doc="facts that the summary states")
    changes: str = knob(
        "relative", easy="absolute", hard="linked", order=("absolute", "relative", "linked"),
        doc="messages give new values, or differences, or also swaps, moves and errors",
    )  # fmt: skip


class Data(TaskData):
    sheet: FactSheet
    facts: tuple[tuple[str, str, str], ...]
    """(attribute, subject, value) of each requested fact."""
    source: str
    most_words: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, PROJECTS)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Ships with cargo, crew, captain and arrival instead of projects."""
    return _sample_task(rng, knobs, SHIPS)


def solve(task: Task[Data]) -> str:
    return _written(task.prompt, 0)


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    requested = [_name(attribute, subject) for attribute, subject, _ in data.facts]
    facts = {fact.name: fact for fact in data.sheet.facts}
    return Rubric(
        (
            checks.max_words(data.most_words), checks.prose(), checks.not_copied(data.source, COPIED_WORDS),
            *(Nugget(name=name, fact=facts[name], sheet=data.sheet) for name in requested),
            NoContradiction(name="no other claim", sheet=data.sheet), checks.each_once(data.sheet), checks.only_these(data.sheet, requested),
        )
    ).score(answer)  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    lines = task.data.source.split("\n")
    start = next((k for k, line in enumerate(lines) if "error" in line or "Nothing that" in line), len(lines))
    early = (
        _written(task.prompt.replace(task.data.source, "\n".join(lines[: min(start, max(len(lines) - 3, 4))])), 0)
        if len(lines) > 60
        else ""
    )
    believed = _written("\n".join(line for line in task.prompt.split("\n") if not re.search(r"was an error|Nothing that was", line)), 0)
    listed = " ".join(f"{subject}: {value}." for _, subject, value in task.data.facts)
    sentences = re.split(r"(?<=\.)\s+", right)
    changed = re.sub(r"\d+", lambda match: str(int(match[0]) + 1), right)
    texts = (early, believed, listed, task.data.source, changed, " ".join(sentences[2:]))
    return [text for text in texts if text and text != right]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.source.split("\n")) * (1 + 0.1 * len(task.data.facts)))


def derive(task: Task[Data]) -> Derivation:
    names = (PROJECTS if task.data.facts[0][1] in PROJECTS.subjects else SHIPS).names
    for attribute, subject, value in task.data.facts:
        yield FOUND(attribute=names[attribute], subject=subject, value=value)


def _name(attribute: str, subject: str) -> str:
    return f"{attribute} of {subject}"


def _sample_task(rng: Rng, knobs: Knobs, world: World) -> Task[Data]:
    subjects, people = rng.sample(world.subjects, knobs.subjects), rng.sample(LEADERS, 14)
    pairs = [(attribute, subject) for subject in subjects for attribute in ATTRIBUTES]
    chosen = rng.sample(pairs, min(knobs.facts, len(pairs)))
    while True:
        events = [_event(rng, attribute, subject, subjects, people) for attribute, subject in rng.shuffled(pairs)]
        first = len(events)
        while len(events) < first + knobs.messages:
            if knobs.changes == "linked" and len(events) > first + 1 and rng.chance(0.15):
                taken_back = {event.number for event in events if event.kind == "error"}
                days = [day for day in range(first + 1, len(events) + 1) if day not in taken_back and events[day - 1].kind != "error"]
                if days:
                    events.append(Event("error", "", "", rng.choice(days)))
                    continue
            attribute, subject = rng.choice(chosen if rng.chance(0.7) else pairs)
            kinds = {"absolute": KINDS[attribute][:1], "relative": KINDS[attribute][:2], "linked": KINDS[attribute]}[knobs.changes]
            events.append(_event(rng, rng.choice(kinds), subject, subjects, people))
        errors = {event.number for event in events if event.kind == "error"}
        state: State = {}
        for day, event in enumerate(events, 1):
            if day not in errors:
                _apply(state, event)
        if all(not isinstance(value, int) or value > 1 for value in state.values()):
            break
    return _task(rng, world, events, state, chosen, people, subjects)


def _event(rng: Rng, kind: str, subject: str, subjects: list[str], people: list[str]) -> Event:
    other = rng.choice([each for each in subjects if each != subject])
    large, small = rng.integer(120, 900), rng.integer(5, 40)
    if kind == "head":
        return Event(kind, subject, "", 0, rng.choice(people))
    if kind == "open":
        return Event(kind, subject, "", rng.integer(0, 11))
    return Event(kind, subject, other, large if kind in ("money", "crew") else rng.integer(1, 5) if kind == "late" else small)


def _apply(state: State, event: Event) -> None:
    """What a message changes."""
    kind, p, q, n = event.kind, event.subject, event.other, event.number
    if kind in ("money", "crew", "open"):
        state[kind, p] = n
    elif kind == "head":
        state[kind, p] = event.person
    elif kind in ("more", "join"):
        state[ROOT[kind], p] = int(state[ROOT[kind], p]) + n
    elif kind in ("shift", "move"):
        state[ROOT[kind], p] = int(state[ROOT[kind], p]) - n
        state[ROOT[kind], q] = int(state[ROOT[kind], q]) + n
    elif kind == "trade":
        state["head", p], state["head", q] = state["head", q], state["head", p]
    elif kind == "late":
        state["open", p] = (int(state["open", p]) + n) % 12


def _task(
    rng: Rng, world: World, events: list[Event], state: State, chosen: list[tuple[str, str]], people: list[str], subjects: list[str]
) -> Task[Data]:
    texts = [
        rng.choice(world.messages[event.kind]).format(
            p=event.subject,
            q=event.other,
            n=event.number,
            x=event.person,
            m=MONTHS[event.number % 12],
            k=count_noun(event.number, "month"),
            d=event.number,
        )
        for event in events
    ]
    source = "\n".join(f"Day {day}: {text}" for day, text in enumerate(texts, 1))
    values = {pair: MONTHS[int(value)] if pair[0] == "open" else str(value) for pair, value in state.items()}
    facts = tuple(_fact(world, attribute, subject, value) for (attribute, subject), value in sorted(values.items()))
    names = (*subjects, *people, *MONTHS)
    vocabulary = (*(Term(aliases=(name,)) for name in names), *(Term(aliases=world.cues[attribute]) for attribute in ATTRIBUTES))
    most = 16 * len(chosen) + 30
    requested = "\n".join(f"- {subject}: {world.names[attribute]}" for attribute, subject in chosen)
    prompt = (
        f"Read this bulletin.\n\n{source}\n\nSummarise the state at the end, with these facts and no others:\n{requested}\n\n"
        "Each fact gets exactly one sentence, which names its subject, says which of these facts it is (by the word after the colon or a synonym) and "
        "gives the value. It mentions no other subject, fact or value, and no outdated value. Other sentences are allowed, but they have no names and no "
        f"figures. Use your own words: no {COPIED_WORDS} words in a row come from the bulletin. Write at most {most} words of plain text, without lists."
    )
    data = Data(
        sheet=FactSheet(facts=facts, vocabulary=vocabulary),
        facts=tuple((*pair, values[pair]) for pair in chosen),
        source=source,
        most_words=most,
    )
    return Task(prompt, data)


def _fact(world: World, attribute: str, subject: str, value: str) -> Fact:
    aliases = (f"{value} thousand", f"{value}000") if attribute == "money" and world is PROJECTS else (value,)
    terms = (Term(aliases=(subject,)), Term(aliases=world.cues[attribute]), Term(aliases=aliases))
    return Fact(name=_name(attribute, subject), terms=terms, keys=2)


def _written(prompt: str, key: int) -> str:
    """A summary, from what the prompt shows: each requested value is followed back from the last day that speaks of it."""
    rng, world = Rng("summary", key, prompt), PROJECTS if any(name in prompt for name in PROJECTS.subjects) else SHIPS
    patterns = {kind: [_pattern(template) for template in templates] for kind, templates in world.messages.items()}
    days = dict[int, tuple[str, dict[str, str]]]()
    for line in prompt.split("\n"):
        if line.startswith("Day "):
            day, _, text = line.removeprefix("Day ").partition(": ")
            days[int(day)] = next(
                (kind, match.groupdict()) for kind, each in patterns.items() for one in each if (match := one.fullmatch(text))
            )
    days = {day: read for day, read in days.items() if str(day) not in {gaps["d"] for kind, gaps in days.values() if kind == "error"}}
    sentences = list[str]()
    number = (str, grouped, in_words)[key % 3]
    for line in prompt.split("\n"):
        if line.startswith("- "):
            subject, _, named = line.removeprefix("- ").partition(": ")
            attribute = next(attribute for attribute, name in world.names.items() if name == named)
            value = _traced(days, attribute, subject, max(days))
            gaps = (
                {"x": value}
                if attribute == "head"
                else {"m": MONTHS[int(value) % 12]}
                if attribute == "open"
                else {"n": number(int(value))}
            )
            sentences.append(write_sentence(rng, world.sentences, attribute, p=subject, **gaps))
    return compose(rng, rng.shuffled(sentences) if key else sentences, OPENINGS, CLOSINGS)


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w)\\}", r"(?P<\1>.+?)", re.escape(template)))


def _traced(days: dict[int, tuple[str, dict[str, str]]], attribute: str, subject: str, day: int) -> str:
    """The value after a day, from the last message that speaks of it and the value before that."""
    for at in range(day, 0, -1):
        kind, gaps = days.get(at, ("", {}))
        if ROOT.get(kind) != attribute or subject not in (gaps["p"], gaps.get("q")):
            continue
        if kind == "open":
            return str(MONTHS.index(gaps["m"]))
        if kind in ("money", "crew", "head"):
            return gaps["x" if kind == "head" else "n"]
        if kind == "trade":
            return _traced(days, attribute, gaps["q"] if subject == gaps["p"] else gaps["p"], at - 1)
        before = int(_traced(days, attribute, subject, at - 1))
        if kind == "late":
            return str(before + int(gaps["k"].split()[0]))
        return str(before + (-1 if kind in ("shift", "move") and subject == gaps["p"] else 1) * int(gaps["n"]))
    raise ValueError(f"nothing sets the {attribute} of {subject}")


def _solutions(task: Task[Data]) -> Iterator[str]:
    yield from (_written(task.prompt, key) for key in range(1, 6))


environment = Environment(
    Knobs, Passage("the summary"), generate, solve, verify, mistakes, cost,
    shift=shift, answers="many", solutions=_solutions, solution=Solution(derive, "So this summary states all facts:\n{answer}"),
    concept="Strike out what was taken back, then follow each requested value day by day; write each in a sentence of your own.",
)  # fmt: skip
