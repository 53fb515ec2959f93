"""Read the minutes of a meeting and say who is to do what by when in the end."""

from collections.abc import Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.constraints.compose import Vocabulary, bank
from rlgym.generators.constraints.minutes import KINDS, Event, State, after, drawn, told
from rlgym.generators.names import PEOPLE
from rlgym.generators.steps import Line, ended, first_wrong

NOW = Line("After item {item} the {task} report is for {person} on day {day}, {state}")
NOTHING = Line("Item {item} changes nothing for any report")
STATES = {True: "to be done", False: "dropped"}
LAST = "To be done in the end:\n"
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
    return _made(rng, knobs, newest_first=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A log with the newest item at the top."""
    return _made(rng, knobs, newest_first=True)


def solve(task: Task[Data]) -> Pairs:
    # Each report is traced back from the end; `generate` goes forwards.
    events = task.data.events
    names = dict.fromkeys(event.task for event in events if event.kind == "assign")
    last = len(events)
    return tuple(
        sorted((name, f"{_owner(events, name, last).lower()} {_day(events, name, last)}") for name in names if _open(events, name, last))
    )


def verify(task: Task[Data], answer: Pairs) -> Score:
    given, right = dict(answer), dict(task.data.right)
    if given.keys() != right.keys():
        return Score.wrong("the reports named are not those that are to be done")
    wrong = sum(_plain(given[name]) != right[name] for name in right)
    return Score.exact(not wrong, f"{wrong} of the reports have another person or day")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    first: dict[str, str] = {}
    said: dict[str, str] = {}
    for event in data.events:
        if event.task and event.person and event.day:
            first.setdefault(event.task, f"{event.person.lower()} {event.day}")
            said[event.task] = f"{event.person.lower()} {event.day}"
    without = _pairs(
        _states(tuple(event for event in data.events if event.kind not in ("all", "swap", "later", "reassign", "move", "yes")))[-1]
    )
    name, value = right[0]
    moved = ((name, f"{value.split()[0]} {int(value.split()[1]) + 1}"), *right[1:])
    return [tuple(sorted(first.items())), tuple(sorted(said.items())), without or right[1:], moved, right[1:] or (("none", "nobody 1"),)]


def cost(task: Task[Data]) -> float:
    weights = {"assign": 1, "talk": 1, "swap": 3, "all": 3, "same": 3, "if": 3, "yes": 3, "no": 2, "revive": 3}
    return float(sum(weights.get(event.kind, 2) for event in task.data.events))


def explain(task: Task[Data]) -> list[str]:
    states, steps = _states(task.data.events), list[str]()
    for item, (before, now) in enumerate(pairwise(states), 1):
        changed = [name for name in now if now[name] != before.get(name)]
        steps += [NOW.write(item=item, task=name, person=now[name][0], day=now[name][1], state=STATES[now[name][2]]) for name in changed]
        steps += [] if changed else [NOTHING.write(item=item)]
    return [*steps, LAST + environment.answer.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    events, states = task.data.events, _states(task.data.events)
    todo = [(i, name) for i in range(1, len(events) + 1) for name in states[i] if states[i][name] != states[i - 1].get(name)]
    quiet = [i for i in range(1, len(events) + 1) if not any(at == i for at, _ in todo)]

    def follows(step: str) -> bool:
        if said := NOTHING.read(step):
            return int(said["item"]) == quiet.pop(0)
        said = NOW.read(step) or {}
        item, name = todo.pop(0)
        now = (_owner(events, name, item), str(_day(events, name, item)), STATES[_open(events, name, item)])
        return (said["item"], said["task"]) == (str(item), name) and (said["person"], said["day"], said["state"]) == now

    def ends(step: str) -> bool:
        return not todo and not quiet and ended(LAST, task, environment.answer, verify)(step)

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, newest_first: bool) -> Task[Data]:
    while True:
        names = rng.sample(bank(Vocabulary(least=4, most=7)), knobs.tasks + 8)
        people, tasks, topics = rng.sample(PEOPLE, 3 + knobs.tasks // 3), names[8:], names[:8]
        events, state, pending = list[Event](), State(), dict[str, Event]()
        for _ in range(60 * knobs.events):
            kinds = ("assign",) if len(state) < 2 else KINDS[knobs.kinds]
            if event := drawn(rng, kinds, state, pending, people, tasks, topics):
                events.append(event)
                state = after(event, state)
            if len(events) == knobs.events:
                break
        right = _pairs(state)
        if len(events) == knobs.events and len(right) > 1:
            data = Data(events=tuple(events), newest_first=newest_first, right=right)
            return Task(_prompt(data), data)


def _prompt(data: Data) -> str:
    lines = [f"{i}. {told(event)}" for i, event in enumerate(data.events, 1)]
    if data.newest_first:
        lines = [f"[{told(event)}]" for event in reversed(data.events)]
    order = "the newest item stands at the top, the oldest at the bottom" if data.newest_first else "in the order in which things were said"
    return (
        f"Minutes of a meeting, {order}:\n\n"
        + "\n".join(lines)
        + "\n\nWhat is said later goes before what was said earlier. A plan that was neither agreed to "
        "nor refused changes nothing. Which reports are still to be done in the end, by whom, and on which day?"
    )


def _states(events: tuple[Event, ...]) -> list[State]:
    states: list[State] = [{}]
    for event in events:
        if event.kind == "assign" or event.kind in ("all", "talk", "if", "no") or {event.task, event.other} - {""} <= states[-1].keys():
            states.append(after(event, states[-1]))
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
        if event.kind == "all" and _open(events, task, i) and _owner(events, task, i) == event.second:
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


def _open(events: Sequence[Event], task: str, at: int) -> bool:
    kinds = [event.kind for event in events[:at] if event.task == task and event.kind in ("assign", "cancel", "revive")]
    return bool(kinds) and kinds[-1] != "cancel"


def _plain(value: str) -> str:
    """A person and a day, with or without the word day between them."""
    return " ".join(word for word in value.replace("(", " ").replace(")", " ").split() if word not in ("day", "on", "by"))


environment = Environment(
    Knobs,
    Mapping("one line `report: name day` for each report that is to be done: its first word, the person, the number of the day"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Keep a table of reports with person, day and state, and change it item by item; what was only talked about changes nothing.",
)
