"""Read the minutes of a meeting and say who is to do what by when in the end."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.constraints.compose import Vocabulary, bank
from rlgym.generators.constraints.minutes import KINDS, Event, State, describe, sample, state_after
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Derivation, Solution, Step

NOW = Step("After item {item:int} the {task} report is for {person} on day {day:int}, {state}")
NOTHING = Step("Item {item:int} changes nothing for any report")
STATES = {True: "to be done", False: "dropped"}
Pairs = tuple[tuple[str, str], ...]


class Knobs(Config):
    events: int = knob(12, easy=3, hard=36, doc="items of the minutes")
    tasks: int = knob(5, easy=2, hard=10, doc="reports that may be spoken of")
    kinds: str = knob(
        "linked",
        easy="plain",
        hard="reversed",
        order=tuple(KINDS),
        doc="plain changes, changes that link reports, or also dropped ones and conditions",
    )


class Data(TaskData):
    events: tuple[Event, ...]
    """In the order in which they happened."""
    newest_first: bool
    right: tuple[tuple[str, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, newest_first=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A log with the newest item at the top."""
    return _sample_task(rng, knobs, newest_first=True)


def solve(task: Task[Data]) -> Pairs:
    # Each report is traced back from the end; `generate` goes forwards.
    events = task.data.events
    names = dict.fromkeys(event.task for event in events if event.kind == "assign")
    last = len(events)
    return tuple(
        sorted((name, f"{_owner(events, name, last).lower()} {_day(events, name, last)}") for name in names if _is_open(events, name, last))
    )


def verify(task: Task[Data], answer: Pairs) -> Score:
    given, right = dict(answer), dict(task.data.right)
    if given.keys() != right.keys():
        return Score.wrong("the reports named are not those that are to be done")
    wrong = sum(_normalize(given[name]) != right[name] for name in right)
    return Score.exact(not wrong, f"{wrong} of the reports have another person or day")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    first: dict[str, str] = {}
    assignments: dict[str, str] = {}
    for event in data.events:
        if event.task and event.person and event.day:
            first.setdefault(event.task, f"{event.person.lower()} {event.day}")
            assignments[event.task] = f"{event.person.lower()} {event.day}"
    without = _pairs(
        _states(tuple(event for event in data.events if event.kind not in ("all", "swap", "later", "reassign", "move", "yes")))[-1]
    )
    name, value = right[0]
    moved = ((name, f"{value.split()[0]} {int(value.split()[1]) + 1}"), *right[1:])
    return [
        tuple(sorted(first.items())),
        tuple(sorted(assignments.items())),
        without or right[1:],
        moved,
        right[1:] or (("none", "nobody 1"),),
    ]


def cost(task: Task[Data]) -> float:
    weights = {"assign": 1, "talk": 1, "swap": 3, "all": 3, "same": 3, "if": 3, "yes": 3, "no": 2, "revive": 3}
    return float(sum(weights.get(event.kind, 2) for event in task.data.events))


def derive(task: Task[Data]) -> Derivation:
    events, states = task.data.events, _states(task.data.events)
    for item, (before, now) in enumerate(pairwise(states), 1):
        changed = [report for report, state in now.items() if state != before.get(report)]
        for report in changed:
            person, day, is_open = now[report]
            step = NOW(item=item, task=report, person=person, day=day, state=STATES[is_open])
            yield step.accepting(partial(_is_state, events, item, report))
        if not changed:
            yield NOTHING(item=item)


def _is_state(events: tuple[Event, ...], due: int, report: str, /, item: int, task: str, person: str, day: int, state: str) -> bool:
    """Whether this is the state of a report, found for this report alone from the last item backwards."""
    right = (_owner(events, report, due), _day(events, report, due), STATES[_is_open(events, report, due)])
    return (item, task) == (due, report) and (person, day, state) == right


def _sample_task(rng: Rng, knobs: Knobs, newest_first: bool) -> Task[Data]:
    while True:
        names = rng.sample(bank(Vocabulary(least=4, most=7)), knobs.tasks + 8)
        people, tasks, topics = rng.sample(PEOPLE, 3 + knobs.tasks // 3), names[8:], names[:8]
        events, state, pending = list[Event](), State(), dict[str, Event]()
        for _ in range(60 * knobs.events):
            kinds = ("assign",) if len(state) < 2 else KINDS[knobs.kinds]
            if event := sample(rng, kinds, state, pending, people, tasks, topics):
                events.append(event)
                state = state_after(event, state)
            if len(events) == knobs.events:
                break
        right = _pairs(state)
        if len(events) == knobs.events and len(right) > 1:
            data = Data(events=tuple(events), newest_first=newest_first, right=right)
            return Task(_render_prompt(data), data)


def _render_prompt(data: Data) -> str:
    lines = [f"{i}. {describe(event)}" for i, event in enumerate(data.events, 1)]
    if data.newest_first:
        lines = [f"[{describe(event)}]" for event in reversed(data.events)]
    order = (
        "with the newest item at the top and the oldest at the bottom" if data.newest_first else "in the order in which things were said"
    )
    kinds = {event.kind for event in data.events}
    only_asked = " A proposal that was refused or not taken up changes nothing." if "talk" in kinds else ""
    if any("open report" in line for line in lines):
        only_asked += " A report is open if it still has to be done."
    if "if" in kinds:
        only_asked += " A plan that was refused or left open changes nothing."
    return (
        f"Minutes of a meeting, {order}:\n\n"
        + "\n".join(lines)
        + f"\n\nLater statements override earlier ones.{only_asked} Which reports still have to be done in the end, by whom, and by which day?"
    )


def _states(events: tuple[Event, ...]) -> list[State]:
    states: list[State] = [{}]
    for event in events:
        if event.kind == "assign" or event.kind in ("all", "talk", "if", "no") or {event.task, event.other} - {""} <= states[-1].keys():
            states.append(state_after(event, states[-1]))
    return states


def _pairs(state: State) -> Pairs:
    return tuple(sorted((name, f"{who.lower()} {day}") for name, (who, day, is_open) in state.items() if is_open))


def _owner(events: Sequence[Event], task: str, at: int) -> str:
    """Who does a report after so many items, read backwards."""
    for i in range(at - 1, -1, -1):
        event = events[i]
        if event.kind in ("assign", "reassign", "yes") and event.task == task:
            return event.person
        if event.kind == "swap" and task in (event.task, event.other):
            return _owner(events, event.other if task == event.task else event.task, i)
        if event.kind == "all" and _is_open(events, task, i) and _owner(events, task, i) == event.second:
            return event.person
    return ""


def _day(events: Sequence[Event], task: str, at: int) -> int:
    for i in range(at - 1, -1, -1):
        event = events[i]
        if event.task == task and event.kind in ("assign", "move"):
            return event.day
        if event.task == task and event.kind in ("later", "same"):
            return event.day + _day(events, event.task, i) if event.kind == "later" else _day(events, event.other, i)
    return 0


def _is_open(events: Sequence[Event], task: str, at: int) -> bool:
    kinds = [event.kind for event in events[:at] if event.task == task and event.kind in ("assign", "cancel", "revive")]
    return bool(kinds) and kinds[-1] != "cancel"


def _normalize(value: str) -> str:
    """A person and a day, with or without the word day between them."""
    return " ".join(word for word in value.replace("(", " ").replace(")", " ").split() if word not in ("day", "on", "by"))


environment = Environment(
    Knobs,
    Mapping(
        "one line `report: person day` for each report still to be done, with the first word of its name and the number of the day",
        several_words=True,
    ),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "To be done in the end:\n{answer}", whole=True),
    concept="Keep a table of reports with person, day and state, and change it item by item; what was only talked about changes nothing.",
    version=5,
)  # fmt: skip
