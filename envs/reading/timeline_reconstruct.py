"""Put events into their order from statements that place each by others: so many days after, midway between, so far apart.

Days follow from statements one after the other; some leave two days open until another statement decides. One order fits.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.facts import numbered_list, read_statements, score_parts
from rlgym.generators.times.event_order import BANK, DATED, OPEN, PLACED, Statement, events_of, is_true, other_events, possible_days, read
from rlgym.solutions import Checks, Derivation, Solution

EVENTS = """flood fair wedding harvest concert eclipse storm trial regatta election funeral feast parade duel fire launch auction census strike
ball siege vote contest premiere sermon race hunt quarrel""".split()
SHAPES = {
    "after": ("after",),
    "middle": ("after", "mid"),
    "open": ("after", "mid", "apart"),
    "copied": ("after", "mid", "apart", "apart", "same"),
}


class Knobs(Config):
    events: int = knob(7, easy=3, hard=14, beyond=28, doc="events to put in order")
    shapes: str = knob(
        "open",
        easy="after",
        hard="copied",
        order=("after", "middle", "open", "copied"),
        doc="what statements there are besides plain distances",
    )


class Data(TaskData):
    statements: tuple[Statement, ...]
    clock: bool = False
    order: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, clock=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One long chain: each event is placed by those just before it in the telling, whose own days are found last of all."""
    return _sample_task(rng, knobs, clock=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_solutions(task))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.order)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    named = dict.fromkeys(statement.a for statement in task.data.statements)
    return [right[::-1], tuple(named), (*right[:-2], right[-1], right[-2]), right[1:], (right[1], right[0], *right[2:])]


def cost(task: Task[Data]) -> float:
    weights = {"on": 1, "after": 2, "mid": 4, "apart": 6, "same": 5, "later": 3}
    return float(sum(weights[statement.kind] for statement in task.data.statements) * len(task.data.order))


def derive(task: Task[Data]) -> Derivation:
    known: dict[str, int] = {}
    placed = -1
    while placed < len(known):
        placed = len(known)
        for at, statement in enumerate(task.data.statements, 1):
            missing = [event for event in events_of(statement) if event not in known]
            if len(missing) != 1 or statement.kind == "later":
                continue
            event = missing[0]
            days = possible_days(statement, event, known)
            if statement.kind == "on":
                yield DATED(at=at, event=event, time=days[0])
            elif len(days) == 1:
                yield PLACED(at=at, others=other_events(statement, event), event=event, time=days[0])
            elif decided := _decide(task.data, event, days, known):
                by, other, out = decided
                gaps = {"by": by, "other": other, "third": known[other], "out": out}
                yield OPEN(at=at, event=event, time=min(days), second=max(days), **gaps)
                days.remove(out)
            else:
                continue
            known[event] = days[0]


def checks(task: Task[Data]) -> Checks:
    known: dict[str, int] = {}

    def days_of(at: int, event: str) -> tuple[Statement, list[int]]:
        statement = task.data.statements[at - 1]
        if at < 1 or event in known or event not in events_of(statement):
            raise LookupError(at)
        return statement, possible_days(statement, event, known)

    def is_dated(at: int, event: str, time: int) -> bool:
        statement, days = days_of(at, event)
        if statement.kind != "on" or statement.a != event or days != [time]:
            return False
        known[event] = time
        return True

    def is_placed(at: int, others: str, event: str, time: int) -> bool:
        statement, days = days_of(at, event)
        if others != other_events(statement, event) or days != [time]:
            return False
        known[event] = time
        return True

    def is_decided(at: int, event: str, time: int, second: int, by: int, other: str, third: int, out: int) -> bool:
        statement, days = days_of(at, event)
        decider = task.data.statements[by - 1]
        if by < 1 or decider.kind != "later" or {decider.a, decider.b} != {event, other} or known[other] != third:
            return False
        rules_out = out <= third if decider.a == event else out >= third
        if statement.kind != "apart" or sorted(days) != [time, second] or out not in days or not rules_out:
            return False
        known[event] = sum(days) - out
        return True

    return {DATED: is_dated, PLACED: is_placed, OPEN: is_decided}


def _decide(data: Data, event: str, days: list[int], known: dict[str, int]) -> tuple[int, str, int] | None:
    for by, statement in enumerate(data.statements, 1):
        other = statement.b if statement.a == event else statement.a
        if statement.kind == "later" and event in (statement.a, statement.b) and other in known:
            wrong = [day for day in days if (day <= known[other] if statement.a == event else day >= known[other])]
            if len(wrong) == 1:
                return by, other, wrong[0]
    return None


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """All orders that fit what the prompt says, trying every day that a statement leaves open."""
    text = task.prompt.replace("hour", "day").replace("Hour", "Day")
    statements = [read(kind, gaps) for _, (kind, gaps) in read_statements(text, BANK)]
    seen: dict[tuple[str, ...], None] = {}

    def search(known: dict[str, int]) -> Iterator[dict[str, int]]:
        best: tuple[str, list[int]] | None = None
        complete = True
        for statement in statements:
            missing = [event for event in (statement.a, statement.b, statement.c, statement.d) if event and event not in known]
            complete &= not missing
            if not missing and not is_true(statement, known):
                return
            if len(missing) == 1 and statement.kind != "later":
                days = possible_days(statement, missing[0], known)
                if best is None or len(days) < len(best[1]):
                    best = missing[0], days
        if complete and len(set(known.values())) == len(known):
            yield known
        elif best:
            for day in best[1]:
                yield from search(known | {best[0]: day})

    for known in search({}):
        order = tuple(sorted(known, key=known.__getitem__))
        if order not in seen:
            seen[order] = None
            yield order


def _sample_task(rng: Rng, knobs: Knobs, clock: bool) -> Task[Data]:
    while True:
        events = rng.sample(EVENTS, knobs.events)
        shapes = SHAPES[knobs.shapes]
        known = {events[0]: rng.integer(20, 60)}
        statements = [Statement(kind="on", a=events[0], number=known[events[0]])]
        for k, event in enumerate(events[1:], 1):
            base = list(known)[-3:] if clock else list(known)
            kind = shapes[-1] if k == len(events) - 1 else rng.choice(shapes)
            statement = _sample_statement(rng, kind, event, base, known)
            if not statement:
                break
            if statement.kind == "apart":
                out = 2 * known[statement.b if statement.a == event else statement.a] - known[event]
                low, high = min(out, known[event]), max(out, known[event])
                between = [other for other in known if low <= known[other] <= high and known[other] not in (low, known[event])]
                if not between:
                    break
                other = rng.choice(between)
                pair = {"a": event, "b": other} if known[event] > known[other] else {"a": other, "b": event}
                statements.append(Statement(kind="later", **pair))
            statements.append(statement)
        else:
            if len(set(known.values())) == len(known) and min(known.values()) > 0:
                break
    order = tuple(sorted(known, key=known.__getitem__))
    statements = statements[::-1] if clock else rng.shuffled(statements)
    gaps = [{name: what for name, what in statement.model_dump(exclude={"kind"}).items() if what} for statement in statements]
    text = numbered_list(BANK.say(rng, statement.kind, **filled, day=statement.number) for statement, filled in zip(statements, gaps))
    unit = "hour" if clock else "day"
    text = text.replace("day", unit).replace("Day", unit.title())
    prompt = (
        f"No two of these events share a {unit}; {unit}s are numbered one after the other.\n\n{text}\n\n"
        f"In which order did the events come? Name all {len(order)} of them, the earliest first, each by its one word."
    )
    return Task(prompt, Data(statements=tuple(statements), clock=clock, order=order))


def _sample_statement(rng: Rng, kind: str, event: str, base: list[str], known: dict[str, int]) -> Statement | None:
    """A statement that places a new event by known ones, and its day in `known`; None where there is none of the kind."""
    several = {"mid": 2, "same": 3}.get(kind, 1)
    if several > len(base):
        kind, several = "after", 1
    others = rng.sample(base, several)
    number = rng.integer(2, 19)
    first = rng.chance(0.5)
    match kind:
        case "after":
            drawn = (
                Statement(kind=kind, a=event, b=others[0], number=number)
                if first
                else Statement(kind=kind, a=others[0], b=event, number=number)
            )
        case "apart":
            drawn = Statement(kind=kind, a=event, b=others[0], number=number)
        case "mid" if first:
            early, late = sorted(others, key=known.__getitem__)
            drawn = Statement(kind=kind, a=event, b=early, c=late)
        case "mid":
            middle, other = others
            pair = {"b": other, "c": event} if known[other] < known[middle] else {"b": event, "c": other}
            drawn = Statement(kind=kind, a=middle, **pair)
        case _:
            drawn = Statement(kind="same", a=event, b=others[0], c=others[1], d=others[2])
            if known[others[1]] <= known[others[2]]:
                drawn = drawn.model_copy(update={"c": others[2], "d": others[1]})
    days = [day for day in possible_days(drawn, event, known) if day not in known.values() and day > 0]
    if not days:
        return None
    known[event] = rng.choice(days)
    return drawn


environment = Environment(
    Knobs, Words("the words in order, separated by spaces", max_items=60, ignore_case=True), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}", checks=checks), answers="unique", solutions=_solutions,
    concept="Start from the one event whose day is told, and place one event after the other; where two days are open, look for what rules one out.",
)  # fmt: skip
