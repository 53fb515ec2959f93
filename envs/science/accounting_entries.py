"""Keep the books of a small trading firm: its cash, the value of its stock and its profit after a list of events.

Credit, write-offs, interest and lost goods at higher levels. The base values stock by first in, first out; the shift by average cost or last in, first out.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.draws import draw_short
from rlgym.generators.science import ledgers
from rlgym.generators.science.ledgers import ASKED, SAID, Event
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import goods, people, phrase

Found = tuple[tuple[str, Fraction], ...]
NAMES = ("cash", "stock", "profit")

ANSWER = Assignment(
    NAMES,
    "the three exact amounts in dollars, each an integer, a decimal or a fraction, as in cash = 1, stock = 2.5, profit = 10/3",
    as_decimal=True,
)


class Knobs(Config):
    events: int = knob(8, easy=3, hard=24, doc="how many events")
    credit: int = knob(40, easy=0, hard=90, doc="percent of purchases and sales of which part is owed")
    kinds: int = knob(5, easy=3, hard=10, doc="how many kinds of events there may be")


class Data(TaskData):
    method: str
    events: tuple[Event, ...]
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_task(rng, knobs, "fifo"), solve)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Stock is valued in another way."""
    way = rng.choice(("average", "average", "lifo"))
    return draw_short(lambda: _sample_task(rng, knobs, way), solve)


def solve(task: Task[Data]) -> Found:
    # From what is owned and owed in the end; the working books every event.
    return tuple(zip(NAMES, ledgers.by_totals(task.data.method, task.data.events)))


def verify(task: Task[Data], answer: Found) -> Score:
    right = tuple((name, Fraction(value)) for name, value in zip(NAMES, task.data.answer))
    return Score.exact(answer == right, "the books do not agree with this")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
    (_, cash), (_, stock), (_, profit) = right
    other = ledgers.by_totals("average" if task.data.method == "lifo" else "lifo", task.data.events)
    capital = task.data.events[0].numbers[0]
    return [
        tuple(zip(NAMES, other)),
        tuple(zip(NAMES, (cash, stock, cash - capital))),
        tuple(zip(NAMES, (cash, profit, stock))),
        tuple(zip(NAMES, (cash, stock, profit + capital))),
        tuple(zip(NAMES, (cash + 1, stock, profit))),
    ]


def cost(task: Task[Data]) -> float:
    return float(sum(1 + len(event.numbers) ** 2 for event in task.data.events))


def _sample_task(rng: Rng, knobs: Knobs, method: str) -> Task[Data]:
    what, who = goods(rng, 1)[0].many, people(rng, 1)[0]
    kinds = ("bought", "sold", "wages", "paid", "collected", "lost", "machine", "loan", "written")[: max(2, knobs.kinds - 1)]
    events = [Event(kind="capital", numbers=(500 * rng.integer(2, 60),))]
    stock, fair, owed, due = 0, rng.integer(4, 60), False, False

    def part() -> int:
        return 5 * rng.integer(0, 19) if rng.chance(knobs.credit / 100) else 100

    for k in range(1, knobs.events):
        kind = "bought" if k == 1 else "sold" if k == 2 else rng.choice((*kinds, "bought", "sold"))
        if (kind == "paid" and not owed) or (kind in ("collected", "written") and not due):
            kind = "sold"  # nothing is on credit yet
        kind = "bought" if kind in ("sold", "lost") and stock < 4 else kind
        if kind in ("bought", "sold"):
            units = rng.integer(5, 60) if kind == "bought" else rng.integer(2, stock - 1)
            price = max(2, fair + rng.integer(-3, 3)) * (1 if kind == "bought" else 2)
            numbers: tuple[int, ...] = (units, price, part())
            owed |= kind == "bought" and numbers[2] < 100
            due |= kind == "sold" and numbers[2] < 100
        else:
            span = {
                "wages": (20, 900),
                "paid": (1, 10),
                "collected": (1, 10),
                "written": (1, 4),
                "lost": (2, max(2, stock // 3)),
                "machine": (2, 40),
                "loan": (2, 40),
            }[kind]
            first = rng.integer(*span) * (1 if kind in ("wages", "lost") else 10 if kind in ("paid", "collected", "written") else 100)
            numbers = (first, rng.integer(3, 10)) if kind in ("machine", "loan") else (first,)
        stock += numbers[0] * ((kind == "bought") - (kind in ("sold", "lost")))
        events.append(Event(kind=kind, numbers=numbers))
    lines = []
    for k, event in enumerate(events, 1):
        gaps = dict(zip("abc", event.numbers))
        plain = event.kind + " for cash" * (event.numbers[2:] == (100,))
        lines.append(f"{k}. {phrase(rng, SAID[plain], who=who, what=what, **gaps)}")
    seen = {event.kind for event in events}
    goods_gone = "sold or lost" if "lost" in seen else "sold"
    others = " and all other costs" if seen & {"wages", "machine", "loan", "written"} else ""
    credit = "; sales and purchases on credit count when they are made" if owed or due else ""
    rule = (
        f"Profit is the value of all sales, less the cost of the goods {goods_gone}{others}{credit}. Cash may be below 0. There is no tax."
    )
    data = Data(method=method, events=tuple(events), answer=tuple(str(value) for value in ledgers.by_totals(method, events)))
    listed = "\n".join(lines)
    return Task(
        f"A firm trades in {what}. These things happen one after another:\n{listed}\n{ledgers.METHODS[method]} {rule}\n{phrase(rng, ASKED)}",
        data,
    )


def _working(data: Data) -> Working:
    books = ledgers.Books(data.method, Working(f"{' '.join(map(str, range(101)))}"))
    for k, event in enumerate(data.events, 1):
        books.book(k, event)
    return books.work


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=solution(_working, lambda task: Assignment(NAMES).render(solve(task))), shift=shift,
    version=8, concept="Every event changes two or more accounts; the cost of goods that leave depends on which of them are taken to leave.",
)  # fmt: skip
