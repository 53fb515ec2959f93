"""Find exact long-run shares of a waiting line with limited room.

Arrivals and services are memoryless; there may be several servers, and customers who turn away from a long line. The shift is a repair shop for a few
machines: the more are broken, the fewer are left to break, and those that wait may be taken elsewhere.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.algebra.linear import solve_linear
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.science.queues import ASKED, OPENINGS, PLACES, SERVED, SHOPS
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import count_noun

Found = tuple[tuple[str, Fraction], ...]
LEAST_SHARE = Fraction(1, 1000)  # of the time in which the place is full, where some of the draws reach it
MOST_DRAWS = 40

ANSWER = Assignment(
    ("p", "n"), "the two numbers in the form p = number, n = number, each exact or rounded to 4 significant digits", digits=4
)


class Knobs(Config):
    room: int = knob(4, easy=3, hard=9, doc="largest number of customers, or of machines")
    servers: int = knob(2, easy=1, hard=4, doc="largest number of servers")
    leaving: int = knob(50, easy=0, hard=100, doc="percent of tasks in which customers turn away, or broken machines are taken elsewhere")


class Data(TaskData):
    up: tuple[tuple[str, tuple[int, ...]], ...]  # rates per hour from 0, 1, 2 ... upwards, as formulas with their numbers
    down: tuple[tuple[str, tuple[int, ...]], ...]  # and from 1, 2, 3 ... downwards
    answer: tuple[str, str]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _draw_visible(lambda: _sample_line(rng, knobs))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A few machines, which break down and are repaired."""
    return _draw_visible(lambda: _sample_shop(rng, knobs))


def solve(task: Task[Data]) -> Found:
    # By the balance of what goes into and out of each state; the working goes from each state to the next one.
    up, down = ([_rate(rate) for rate in rates] for rates in (task.data.up, task.data.down))
    size = len(up) + 1
    rows = [[Fraction(0)] * (size + 1) for _ in range(size)]
    for k, (more, less) in enumerate(zip(up, down)):
        for row, sign in ((k, -1), (k + 1, 1)):
            rows[row][k] += sign * more
            rows[row][k + 1] -= sign * less
    shares = solve_linear([*rows[1:], [Fraction(1)] * (size + 1)])
    return ("p", shares[-1]), ("n", sum((k * share for k, share in enumerate(shares)), Fraction(0)))


def verify(task: Task[Data], answer: Found) -> Score:
    right = tuple((name, Fraction(value)) for name, value in zip("pn", task.data.answer))
    return Score.exact(answer == right, "these are not the long-run values")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
    (_, p), (_, n) = right
    room = len(task.data.up)
    return [
        (("p", 1 - p), ("n", n)),
        (("p", p), ("n", n + 1)),
        (("p", Fraction(1, room + 1)), ("n", Fraction(room, 2))),
        (("p", n), ("n", p)),
        right[:1],
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.up) * sum(len(numbers) for _, numbers in (*task.data.up, *task.data.down)))


def _draw_visible(draw: Callable[[], Task[Data]]) -> Task[Data]:
    """The first task of several whose place is full now and then, or the one in which it is full most often."""
    best = draw()
    for _ in range(MOST_DRAWS):
        if Fraction(best.data.answer[0]) >= LEAST_SHARE:
            break
        best = max(best, draw(), key=lambda task: Fraction(task.data.answer[0]))
    return best


def _sample_line(rng: Rng, knobs: Knobs) -> Task[Data]:
    room, servers = knobs.room - rng.integer(0, knobs.room // 4), min(rng.integer(max(1, knobs.servers - 1), knobs.servers), knobs.room)
    # Arrivals that are as fast as one server, or half or twice as fast, always give the same few shares.
    for _ in range(8):
        mean = rng.choice((2, 3, 4, 5, 6, 10, 12, 15, 20, 30))
        rate = max(2, 60 * servers * rng.integer(40, 200) // (100 * mean))
        if 2 * rate * mean % 60 or rng.chance(0.05):
            break
    shy = [rng.integer(1, 9) * 10 for _ in range(room)] if rng.chance(knobs.leaving / 100) else []
    up = [("{} * (1 - {} / 100)", (rate, percent)) if percent else ("{}", (rate,)) for percent in sorted(shy) or [0] * room]
    down = [("{} * 60 / {}", (min(k, servers), mean)) for k in range(1, room + 1)]
    turned = ", ".join(f"{percent}% when {k} {'is' if k == 1 else 'are'} there" for k, percent in enumerate(sorted(shy)))
    away = (
        f" Each arrival turns away at once and for good with a probability that depends on how many are there already (being served or waiting): {turned}."
        if shy
        else ""
    )
    who = "one server" if servers == 1 else f"{servers} servers"
    opening = phrase(rng, OPENINGS, place=rng.choice(PLACES), rate=f"{rate} an hour")
    text = (
        f"{opening} {phrase(rng, SERVED, servers=who, time=f'{mean} minutes')} There is room for {room} customers in all, those being served included; "
        f"whoever comes when it is full goes away for good.{away}"
    )
    return _task(
        rng,
        text,
        up,
        down,
        f"{count_noun(room, 'customer')} {'is' if room == 1 else 'are'} there",
        "customers there, waiting or being served",
    )


def _sample_shop(rng: Rng, knobs: Knobs) -> Task[Data]:
    room, servers = knobs.room, min(rng.integer(max(1, knobs.servers - 1), knobs.servers), knobs.room)
    hours, mean = rng.integer(1, 6), 2 * rng.integer(5, 45)
    patience = 5 * rng.integer(3, 24) if rng.chance(knobs.leaving / 100) and room > servers else 0
    up = [("{} / {}", (room - k, hours)) for k in range(room)]
    down = []
    for k in range(1, room + 1):
        busy, waiting = min(k, servers), max(0, k - servers)
        down.append(
            ("{} * 60 / {} + {} * 60 / {}", (busy, mean, waiting, patience)) if patience and waiting else ("{} * 60 / {}", (busy, mean))
        )
    repair_text = (
        f" One that waits for its repair is taken to another shop after an exponential time of mean {patience} minutes, unless its repair has begun; "
        "a working one replaces it at once."
        if patience
        else ""
    )
    text = (
        f"{phrase(rng, SHOPS, room=room, hours=count_noun(hours, 'hour'))} "
        f"{'One mechanic repairs' if servers == 1 else f'{servers} mechanics repair'} what is broken, each one at a time, in an "
        f"exponential time of mean {mean} minutes; the other broken ones wait.{repair_text} All these times are independent."
    )
    return _task(rng, text, up, down, "all are broken", "broken ones")


def _task(
    rng: Rng, text: str, up: Sequence[tuple[str, tuple[int, ...]]], down: Sequence[tuple[str, tuple[int, ...]]], full: str, what: str
) -> Task[Data]:
    data = Data(up=tuple(up), down=tuple(down), answer=("0", "0"))
    facts = _working(data).facts
    answer = (str(facts["p"][0]), str(facts["n"][0]))
    return Task(f"{text}\n{phrase(rng, ASKED, all=full, what=what)}", data.model_copy(update={"answer": answer}))


def _rate(rate: tuple[str, tuple[int, ...]]) -> Fraction:
    return Working().add("rate", "", rate[0], *rate[1])


def _working(data: Data) -> Working:
    """Between neighbouring states as many go up as down."""
    work = Working(f"{' '.join(map(str, range(13)))} 60 100")
    weights = [Fraction(1)]
    for k, (more, less) in enumerate(zip(data.up, data.down)):
        rise = work.add(f"rate from {k} to {k + 1}", "per hour", more[0], *more[1])
        fall = work.add(f"rate from {k + 1} to {k}", "per hour", less[0], *less[1])
        weights.append(work.add(f"time with {k + 1} for each hour with 0", "hours", "{} * {} / {}", weights[-1], rise, fall))
    total_time = work.total("all time for each hour with 0", "hours", weights)
    work.add("p", "", "{} / {}", weights[-1], total_time)
    pairs = [number for k, weight in enumerate(weights) for number in (k, weight)]
    work.add("n", "", f"({' + '.join(['{} * {}'] * len(weights))}) / {{}}", *pairs, total_time)
    return work


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=solution(_working, lambda task: Assignment(ANSWER.names).render(solve(task))), shift=shift,
    concept="In the long run the state goes up between two neighbouring numbers as often as down, which gives their shares one after another.",
    version=8,
)  # fmt: skip
