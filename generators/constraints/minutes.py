"""Minutes of a meeting: who is to do what by when, assigned, moved, exchanged, dropped and taken up again, and what was only talked about."""

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

State = dict[str, tuple[str, int, bool]]
"""Of each task who does it, by which day, and whether it is still to be done."""

SAID = {
    "assign": ("{person} takes on the {task} report, due on day {day}.", "The {task} report goes to {person}, to be ready on day {day}."),
    "talk": (
        "{person} could do the {task} report by day {day}, somebody said, but this was not taken up.",
        "It was asked whether {person} should do the {task} report; the answer was no.",
    ),
    "reassign": ("The {task} report is now for {person}.", "{person} does the {task} report instead; the day stays."),
    "move": ("The {task} report is now due on day {day}.", "Day {day} is the new day for the {task} report."),
    "later": ("The {task} report is now due {day} days later than before.", "The {task} report gets {day} more days."),
    "swap": ("Those who do the {task} report and the {other} report exchange them; the days stay with the reports.",),
    "all": ("All that {second} still had to do goes to {person}, with its days.", "{person} takes over every open report of {second}."),
    "same": ("The {task} report is now due on the day on which the {other} report is due at this point.",),
    "cancel": ("The {task} report is dropped.", "Nobody needs the {task} report any more."),
    "revive": ("The {task} report is wanted after all, by the same person and on the same day as when it was dropped.",),
    "if": (
        "Should the {topic} plan be agreed to later on, the {task} report goes to {person} at that moment.",
        "Once the {topic} plan is agreed to, and only then, {person} gets the {task} report.",
    ),
    "yes": ("The {topic} plan was agreed to.",),
    "no": ("The {topic} plan was refused.",),
}
KINDS = {
    "plain": ("assign", "talk", "reassign", "move"),
    "linked": ("assign", "talk", "reassign", "move", "later", "swap", "all", "same"),
    "reversed": (
        "assign",
        "talk",
        "reassign",
        "later",
        "swap",
        "all",
        "same",
        "cancel",
        "cancel",
        "revive",
        "if",
        "if",
        "yes",
        "yes",
        "no",
    ),
}


class Event(TaskData):
    kind: str
    task: str = ""
    other: str = ""
    person: str = ""
    second: str = ""
    day: int = 0
    topic: str = ""
    phrase: int = 0


def describe(event: Event) -> str:
    return SAID[event.kind][event.phrase].format(**event.model_dump())


def state_after(event: Event, state: State) -> State:
    """The state after an event."""
    state = dict(state)
    owner, day, is_open = state.get(event.task, ("", 0, False))
    match event.kind:
        case "assign":
            state[event.task] = (event.person, event.day, True)
        case "reassign" | "yes" if event.task:
            state[event.task] = (event.person, day, is_open)
        case "move":
            state[event.task] = (owner, event.day, is_open)
        case "later":
            state[event.task] = (owner, day + event.day, is_open)
        case "same":
            state[event.task] = (owner, state[event.other][1], is_open)
        case "swap":
            state[event.task] = (state[event.other][0], day, is_open)
            state[event.other] = (owner, *state[event.other][1:])
        case "all":
            state = {
                task: (event.person if who == event.second and open_ else who, due, open_) for task, (who, due, open_) in state.items()
            }
        case "cancel" | "revive":
            state[event.task] = (owner, day, event.kind == "revive")
    return state


def sample(
    rng: Rng, kinds: tuple[str, ...], state: State, pending: dict[str, Event], people: list[str], tasks: list[str], topics: list[str]
) -> Event | None:
    """An event that makes sense now; None where this draw makes none. `pending` plans are put in and taken out in place."""
    kind = rng.choice(kinds)
    phrase = rng.integer(0, len(SAID[kind]) - 1)
    running = [task for task, (_, _, is_open) in state.items() if is_open and not any(task == order.task for order in pending.values())]
    fresh = [task for task in tasks if task not in state]
    person, day = rng.choice(people), rng.integer(1, 28)
    if kind in ("assign", "talk"):
        # Refusing a report to the person who has it already would read as taking it away.
        names = fresh if kind == "assign" else [task for task in tasks if task not in state or state[task][0] != person]
        return Event(kind=kind, task=rng.choice(names), person=person, day=day, phrase=phrase) if names else None
    if kind in ("yes", "no"):
        if not pending:
            return None
        plan = pending.pop(rng.choice(sorted(pending)))
        return Event(
            kind=kind, task=plan.task if kind == "yes" else "", person=plan.person if kind == "yes" else "", topic=plan.topic, phrase=phrase
        )
    if kind == "revive":
        dropped = [task for task, (_, _, is_open) in state.items() if not is_open]
        return Event(kind=kind, task=rng.choice(dropped), phrase=phrase) if dropped else None
    if len(running) < 2:
        return None
    task, other = rng.sample(running, 2)
    owner = state[task][0]
    if kind == "swap":
        return Event(kind=kind, task=task, other=other) if owner != state[other][0] else None
    if kind == "same":
        return Event(kind=kind, task=task, other=other) if state[task][1] != state[other][1] else None
    if kind in ("cancel", "later", "move"):
        return Event(kind=kind, task=task, day=0 if kind == "cancel" else rng.integer(2, 6) if kind == "later" else day, phrase=phrase)
    if person == owner:
        return None
    if kind == "all":
        return Event(kind=kind, person=person, second=owner, phrase=phrase)
    if kind == "if":
        if not topics:
            return None
        plan = Event(kind=kind, task=task, person=person, topic=topics.pop(), phrase=phrase)
        pending[plan.topic] = plan
        return plan
    return Event(kind=kind, task=task, person=person, phrase=phrase)
