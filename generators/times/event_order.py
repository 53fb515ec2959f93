"""Statements that place events by others, and the days that they leave."""

from rlgym.core.task import TaskData
from rlgym.generators.facts import Bank
from rlgym.solutions import Step

DATED = Step("Statement {at:int} itself says: the {event} is at {time:int}.")


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


class Statement(TaskData):
    kind: str
    a: str
    b: str = ""
    c: str = ""
    d: str = ""
    number: int = 0


def events_of(statement: Statement) -> list[str]:
    return [event for event in (statement.a, statement.b, statement.c, statement.d) if event]


def other_events(statement: Statement, event: str) -> str:
    """The events that a statement is about apart from one, in words."""
    return " and the ".join(sorted({*events_of(statement)} - {event}))


def possible_days(statement: Statement, event: str, known: dict[str, int]) -> list[int]:
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


def read(kind: str, gaps: dict[str, str]) -> Statement:
    number = int(gaps.get("number", gaps.get("day", "0")))
    return Statement(kind=kind, number=number, **{name: gaps[name] for name in "abcd" if name in gaps})


def is_true(statement: Statement, known: dict[str, int]) -> bool:
    """Whether a statement whose events are all known is true."""
    if statement.kind == "later":
        return known[statement.a] > known[statement.b]
    if statement.kind == "mid":
        return 2 * known[statement.a] == known[statement.b] + known[statement.c]
    if statement.kind == "same":
        return known[statement.a] - known[statement.b] == known[statement.c] - known[statement.d]
    return known[statement.a] in possible_days(statement, statement.a, known)
