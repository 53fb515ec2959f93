"""Put events into their order from statements that place each by others: so many days after, midway between, so far apart.

Days follow from statements one after the other; some leave two days open until another statement decides. One order fits.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.facts import Bank, numbered, read_statements, score_parts
from rlgym.solutions import Checks, Derivation, Solution, Step

DATED = Step("Statement {at:int} puts the {event} at {time:int}.")
PLACED = Step("By statement {at:int} and what is known of the {others}, the {event} is at {time:int}.")
OPEN = Step(
    "By statement {at:int}, the {event} is at {time:int} or {second:int}; statement {by:int} with the {other} at {third:int} rules out {out:int}."
)
BANK = Bank("""
on: The {a} is written down under day {day}. | It was day {day} when the {a} took place. | Day {day} was the day of the {a}.
on: With day {day} came the {a}.
after: The {a} took place exactly {number} days after the {b}. | Exactly {number} days before the {a} came the {b}.
after: From the {b} to the {a}, exactly {number} days went by. | The {b} came exactly {number} days earlier than the {a}.
mid: The {a} took place exactly midway between the {b} and the {c}. | It was as long from the {b} to the {a} as from the {a} on to the {c}.
mid: Between the {b} and the {c}, at the very middle, came the {a}.
mid: The {b} and the {c} lie equally far from the {a}, one before it and one after it.
apart: The {a} and the {b} were exactly {number} days apart, whichever came first.
apart: The days of the {a} and of the {b} differ by exactly {number}.
apart: The {a} was exactly {number} days before or after the {b}.
apart: Between the {a} and the {b} passed exactly {number} days, in one order or the other.
same: From the {b} to the {a}, as many days went by as from the {d} to the {c}.
same: The {a} came as long after the {b} as the {c} came after the {d}.
same: As long as the {c} was behind the {d}, so long was the {a} behind the {b}.
same: The {a} followed the {b} after as many days as the {c} followed the {d}.
later: The {a} came later than the {b}. | The {b} was before the {a}. | Not until after the {b} was it time for the {a}.
later: The {b} was already over when the {a} came.
""")
EVENTS = """flood fair wedding harvest concert eclipse storm trial regatta election funeral feast parade duel fire launch auction census strike
ball siege vote contest premiere sermon race hunt quarrel""".split()
SHAPES = {
    "after": ("after",),
    "middle": ("after", "mid"),
    "open": ("after", "mid", "apart"),
    "copied": ("after", "mid", "apart", "apart", "same"),
}


class Knobs(Config):
    events: int = knob(7, easy=3, hard=14, doc="events to put in order")
    shapes: str = knob(
        "open",
        easy="after",
        hard="copied",
        order=("after", "middle", "open", "copied"),
        doc="what statements there are besides plain distances",
    )


class Statement(TaskData):
    kind: str
    a: str
    b: str = ""
    c: str = ""
    d: str = ""
    number: int = 0


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
            missing = [event for event in _events(statement) if event not in known]
            if len(missing) != 1 or statement.kind == "later":
                continue
            event = missing[0]
            days = _days(statement, event, known)
            if statement.kind == "on":
                yield DATED(at=at, event=event, time=days[0])
            elif len(days) == 1:
                yield PLACED(at=at, others=_others(statement, event), event=event, time=days[0])
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
        if at < 1 or event in known or event not in _events(statement):
            raise LookupError(at)
        return statement, _days(statement, event, known)

    def is_dated(at: int, event: str, time: int) -> bool:
        statement, days = days_of(at, event)
        if statement.kind != "on" or statement.a != event or days != [time]:
            return False
        known[event] = time
        return True

    def is_placed(at: int, others: str, event: str, time: int) -> bool:
        statement, days = days_of(at, event)
        if others != _others(statement, event) or days != [time]:
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


def _events(statement: Statement) -> list[str]:
    return [event for event in (statement.a, statement.b, statement.c, statement.d) if event]


def _others(statement: Statement, event: str) -> str:
    """The events that a statement is about apart from one, in words."""
    return " and the ".join(sorted({*_events(statement)} - {event}))


def _days(statement: Statement, event: str, known: dict[str, int]) -> list[int]:
    """The days that a statement leaves for an event, where those of the others are known."""
    match statement.kind:
        case "on":
            return [statement.number]
        case "after":
            return [known[statement.b] + statement.number] if event == statement.a else [known[statement.a] - statement.number]
        case "apart":
            other = known[statement.b if event == statement.a else statement.a]
            return [other - statement.number, other + statement.number]
        case "mid":
            if event == statement.a:
                return [(known[statement.b] + known[statement.c]) // 2] if (known[statement.b] + known[statement.c]) % 2 == 0 else []
            return [2 * known[statement.a] - known[statement.c if event == statement.b else statement.b]]
    gap = {
        "a": (1, statement.b, statement.c, statement.d),
        "b": (1, statement.a, statement.d, statement.c),
        "c": (1, statement.d, statement.a, statement.b),
        "d": (1, statement.c, statement.b, statement.a),
    }
    _, base, plus, minus = gap[next(name for name in "abcd" if getattr(statement, name) == event)]
    return [known[base] + known[plus] - known[minus]]


def _read(kind: str, gaps: dict[str, str]) -> Statement:
    number = int(gaps.get("number", gaps.get("day", "0")))
    return Statement(kind=kind, number=number, **{name: gaps[name] for name in "abcd" if name in gaps})


def _fits(statement: Statement, known: dict[str, int]) -> bool:
    """Whether a statement whose events are all known is true."""
    if statement.kind == "later":
        return known[statement.a] > known[statement.b]
    if statement.kind == "mid":
        return 2 * known[statement.a] == known[statement.b] + known[statement.c]
    if statement.kind == "same":
        return known[statement.a] - known[statement.b] == known[statement.c] - known[statement.d]
    return known[statement.a] in _days(statement, statement.a, known)


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
    statements = [_read(kind, gaps) for _, (kind, gaps) in read_statements(text, BANK)]
    seen: dict[tuple[str, ...], None] = {}

    def search(known: dict[str, int]) -> Iterator[dict[str, int]]:
        best: tuple[str, list[int]] | None = None
        complete = True
        for statement in statements:
            missing = [event for event in (statement.a, statement.b, statement.c, statement.d) if event and event not in known]
            complete &= not missing
            if not missing and not _fits(statement, known):
                return
            if len(missing) == 1 and statement.kind != "later":
                days = _days(statement, missing[0], known)
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
            statement = _statement(rng, kind, event, base, known)
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
    text = numbered(BANK.say(rng, statement.kind, **filled, day=statement.number) for statement, filled in zip(statements, gaps))
    unit = "hour" if clock else "day"
    text = text.replace("day", unit).replace("Day", unit.title())
    prompt = (
        f"No two of these events share a {unit}; {unit}s are numbered one after the other.\n\n{text}\n\n"
        f"In which order did the events come? Name all {len(order)} of them, the earliest first, each by its one word."
    )
    return Task(prompt, Data(statements=tuple(statements), clock=clock, order=order))


def _statement(rng: Rng, kind: str, event: str, base: list[str], known: dict[str, int]) -> Statement | None:
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
    days = [day for day in _days(drawn, event, known) if day not in known.values() and day > 0]
    if not days:
        return None
    known[event] = rng.choice(days)
    return drawn


environment = Environment(
    Knobs, Words("the words in order, separated by spaces", max_items=60, ignore_case=True), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}", checks=checks), answers="unique", solutions=_solutions,
    concept="Start from the one event whose day is told, and place one event after the other; where two days are open, look for what rules one out.",
)  # fmt: skip
