"""Price a bond exactly: coupons, repayments and interest rates that change from year to year.

The shift asks backwards: the price is given, and the coupon that makes it fair is asked.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Quantity
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science.bonds import ASKED, BACK, COUPONS, OPENINGS, RATES
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import count_noun


class Knobs(Config):
    periods: int = knob(4, easy=1, hard=9, doc="how often a coupon is paid")
    kinds: int = knob(
        2, easy=1, hard=4, doc="1 one rate and coupon, 2 also rates that change, 3 also coupons that step up, 4 also repayments on the way"
    )
    half: int = knob(30, easy=0, hard=90, doc="percent of bonds that pay every half year, at half the yearly rate")


class Data(TaskData):
    face: int
    rates: tuple[str, ...]  # yearly, in percent, one for each period
    steps: tuple[str, ...]  # by how much the coupon is above the first one, in dollars
    repaid: tuple[int, ...]  # dollars of the face value that each period pays back
    coupon: str  # dollars of the first one
    half: bool
    price: int  # where the coupon is asked for, else 0
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """From the price to the coupon."""
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # Every payment by its own discount factor; the working goes back period by period.
    fixed, times = Fraction(0), Fraction(0)
    factor = Fraction(1)
    for rate, step, repaid in zip(task.data.rates, task.data.steps, task.data.repaid):
        factor /= 1 + Fraction(rate) / (200 if task.data.half else 100)
        fixed, times = fixed + factor * (Fraction(step) + repaid), times + factor
    if not task.data.price:
        return fixed + times * Fraction(task.data.coupon)
    return (task.data.price - fixed) / times


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.answer), "that is not the exact amount")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    undiscounted = data.face + len(data.rates) * Fraction(data.coupon) + sum(map(Fraction, data.steps))
    return [
        undiscounted,
        Fraction(round(right * 100), 100),
        Fraction(data.face),
        right * 2,
        right / (1 + Fraction(data.rates[0]) / 100),
        right + 1,
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    rate_length = sum(len(rate) for rate in data.rates) + sum(step != "0" for step in data.steps) + 2 * sum(map(bool, data.repaid))
    return float(rate_length * len(data.rates) + data.half)


def _sample_task(rng: Rng, knobs: Knobs, backwards: bool) -> Task[Data]:
    half, periods, kinds = rng.chance(knobs.half / 100), knobs.periods + backwards, knobs.kinds
    kind = "half-yearly" if half else "yearly"
    face = 100 * rng.integer(2, 50)
    rates = [str(Fraction(rng.integer(4, 48), 4)) for _ in range(periods if kinds > 1 else 1)] * (1 if kinds > 1 else periods)
    coupon = str(Fraction(face * rng.integer(4, 36), 400))
    up, jump = rng.integer(2, max(2, periods)), rng.integer(1, 20)
    steps = [str(jump if kinds > 2 and k >= up else 0) for k in range(1, periods + 1)]
    repaid = [face // 10 * rng.integer(0, 1) if kinds > 3 and k < periods else 0 for k in range(1, periods + 1)]
    repaid[-1] = face - sum(repaid)
    data = Data(face=face, rates=tuple(rates), steps=tuple(steps), repaid=tuple(repaid), coupon=coupon, half=half, price=0, answer="")
    if backwards:
        data = data.model_copy(update={"price": round(_working(data).value), "coupon": "0"})
    unit = "half-year" if half else "year"
    rate_texts = [f"{format_decimal(Fraction(rate))}%" for rate in rates]
    each = (
        f"{rate_texts[0]} in every {unit}"
        if kinds == 1 or periods == 1
        else ", ".join(f"{rate} in {unit} {k}" for k, rate in enumerate(rate_texts, 1))
    )
    lines = [phrase(rng, OPENINGS, face=face, years=count_noun(periods, unit))]
    lines.append(phrase(rng, COUPONS, period=unit, coupon="C dollars" if backwards else f"{format_decimal(Fraction(coupon))} dollars"))
    if kinds > 2 and up <= periods:
        lines.append(f"From the end of {unit} {up} on, each coupon is {count_noun(jump, 'dollar')} more than that.")
    back = [f"{amount} dollars at the end of {unit} {k}" for k, amount in enumerate(repaid, 1) if amount and k < periods]
    repayments = f", except for what is paid back earlier: {', '.join(back)}. These repayments do not change the coupons" if back else ""
    lines.append(f"The face value is paid back at the end of {unit} {periods}, together with the last coupon{repayments}.")
    lines.append(phrase(rng, RATES, rates=each))
    yearly = " These are rates per year; half of each is the rate for that half-year." if half else ""
    rule = f"{yearly} A payment at the end of a {unit} is divided by (1 + rate) of that {unit} and of each one before."
    question = phrase(rng, BACK, price=data.price, kind=kind) if backwards else phrase(rng, ASKED)
    data = data.model_copy(update={"answer": str(_working(data).value)})
    return Task(f"{' '.join(lines)}{rule} {question}", data)


def _working(data: Data) -> Working:
    """From the last payment back: what is still to come is worth so much at the beginning of each period."""
    work, parts = Working("0 1 2 100 200"), 200 if data.half else 100
    worth, ones = Fraction(0), Fraction(0)
    for k in range(len(data.rates), 0, -1):
        rate, repaid = Fraction(data.rates[k - 1]), data.repaid[k - 1]
        step = Fraction(data.steps[k - 1])
        if repaid and k == len(data.rates) and repaid != data.face:
            before = [amount for amount in data.repaid[:-1] if amount]
            work.add("face value that is left to the end", "dollars", "{}" + " - {}" * len(before), data.face, *before)
        if data.price:
            worth = work.add(
                f"worth at the start of period {k}, without C",
                "dollars",
                "({} + {} + {}) / (1 + {} / {})",
                worth,
                step,
                repaid,
                rate,
                parts,
            )
            ones = work.add(
                f"worth at the start of period {k} of 1 dollar each time", "dollars", "({} + 1) / (1 + {} / {})", ones, rate, parts
            )
        else:
            numbers = (worth, Fraction(data.coupon), step, repaid, rate, parts)
            worth = work.add(f"worth at the start of period {k}", "dollar", "({} + {} + {} + {}) / (1 + {} / {})", *numbers)
    if data.price:
        work.add("C", "dollar", "({} - {}) / {}", data.price, worth, ones)
    return work


environment = Environment(
    Knobs, Quantity("dollar", digits=6), generate, solve, verify, mistakes, cost,
    solution=solution(_working), shift=shift,
    concept="What a bond is worth at the start of a period is what it pays and is worth at the end, divided by one plus the rate.",
    version=5, inverts=True
)  # fmt: skip
