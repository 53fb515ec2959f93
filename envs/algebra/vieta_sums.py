"""Work out a symmetric sum over all roots of a polynomial, without finding the roots.

The sums are of powers of the roots or of their reciprocals; the shifted family asks for sums of 1/(c - r) over the roots r.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.algebra import polynomial_fields, polynomials
from rlgym.generators.draws import draw_short

ANSWER = Rational()
CONCEPT = "The coefficients are the sums of products of roots up to sign; Newton's identities make power sums of them, one after another."


class Knobs(Config):
    degree: int = knob(4, easy=2, hard=8, doc="degree of the polynomial")
    power: int = knob(4, easy=2, hard=10, doc="power of the roots that is added up")
    leading: int = knob(2, easy=1, hard=5, doc="largest leading coefficient")
    largest: int = knob(9, easy=9, hard=15, doc="largest coefficient")


class Data(TaskData):
    polynomial: tuple[int, ...]
    power: int  # below 0: of the reciprocals
    place: int | None  # the c of the sums of 1/(c - r)


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_power_sum(rng, knobs), solve)


def _sample_power_sum(rng: Rng, knobs: Knobs) -> Task[Data]:
    polynomial = polynomial_fields.sample_polynomial(rng, knobs.degree, knobs.largest, knobs.leading)
    power = rng.integer(max(2, knobs.power - 1), knobs.power) * rng.choice((1, 1, -1))
    what = f"r^{power}" if power > 0 else f"1/r^{-power}"
    return _render_task(Data(polynomial=polynomial, power=power, place=None), what)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Sums of 1/(c - r), and of their squares."""
    return draw_short(lambda: _sample_shifted_sum(rng, knobs), solve)


def _sample_shifted_sum(rng: Rng, knobs: Knobs) -> Task[Data]:
    place = 0
    polynomial: tuple[int, ...] = (0,)
    while not polynomials.value(polynomial, Fraction(place)):
        polynomial = polynomial_fields.sample_polynomial(rng, knobs.degree, knobs.largest, knobs.leading)
        place = rng.integer(1, 5) * rng.choice((-1, 1))
    power = 1 if knobs.power < 4 else 2
    inside = f"{place} - r" if place > 0 else f"r + {-place}"
    sign = -1 if place < 0 and power == 1 else 1
    return _render_task(Data(polynomial=polynomial, power=power * sign, place=place), f"1/({inside}){'^2' if power == 2 else ''}")


def solve(task: Task[Data]) -> Fraction:
    return _calculation(task.data)[-1][2]


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == solve(task), "the sum is another number")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    first = Fraction(-task.data.polynomial[-2], task.data.polynomial[-1])
    return [-right, right * task.data.polynomial[-1] + 1, first ** min(4, abs(task.data.power)) + 1, right + 1, Fraction(0), first + right]


def cost(task: Task[Data]) -> float:
    return sum(len(formula) for _, formula, _ in _calculation(task.data))


def _lines(task: Task[Data]) -> list[str]:
    *lines, last = _calculation(task.data)
    return [*(calculations.calculation_line(name, formula) for name, formula, _ in lines), calculations.answer_line(*last[:2])]


def _render_task(data: Data, what: str) -> Task[Data]:
    prompt = (
        f"Add up {what} over all complex roots r of\n{polynomials.text(data.polynomial)} = 0\nwhere roots are counted with multiplicity."
    )
    return Task(prompt, data)


def _calculation(data: Data) -> list[tuple[str, str, Fraction]]:
    """The calculation: names, formulas and values."""
    lines: list[tuple[str, str, Fraction]] = []

    def write(name: str, formula: str) -> str:
        lines.append((name, formula, calculations.evaluate(formula)))
        return calculations.operand(lines[-1][2])

    if data.place is not None:
        values = []
        for name in ("p(c)", "p'(c)", "p''(c)")[: abs(data.power) + 1]:
            order = name.count("'")
            terms = [
                "*".join([*(str(k - i) for i in range(order)), f"({a})*({data.place})^{k - order}"]) for k, a in enumerate(data.polynomial)
            ]
            values.append(write(name, " + ".join(terms[order:])))
        if abs(data.power) == 1:
            write("p'(c)/p(c), up to the sign of c - r", f"{'-' if data.power < 0 else ''}{values[1]}/{values[0]}")
        else:
            write("(p'(c)/p(c))^2 - p''(c)/p(c)", f"({values[1]}/{values[0]})^2 - {values[2]}/{values[0]}")
        return lines
    ordered = data.polynomial if data.power > 0 else data.polynomial[::-1]
    degree = len(ordered) - 1
    what = "roots" if data.power > 0 else "reciprocals"
    elementary = ["1"]
    elementary += [
        write(
            f"sum of the products of {k} {what}" if k > 1 else f"sum of the {what}",
            f"{'-' if k % 2 else ''}({ordered[degree - k]})/({ordered[degree]})",
        )
        for k in range(1, min(degree, abs(data.power)) + 1)
    ]
    sums = [""]
    for k in range(1, abs(data.power) + 1):
        parts = [f"{elementary[i]}*{sums[k - i]}" for i in range(1, min(k, degree + 1)) if i <= degree]
        parts += [f"{k}*{elementary[k]}"] if k <= degree else []
        formula = parts[0] + "".join(f" {'-' if i % 2 else '+'} {part}" for i, part in enumerate(parts[1:], 1))
        sums.append(write(f"{what} to the power {k}", formula))
    return lines


solution = calculations.solution(
    _lines, lambda task: {name: (value, "") for name, _, value in _calculation(task.data)}, " ".join(map(str, range(20)))
)

environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=solution,
    shift=shift,
    concept=CONCEPT,
    version=3,
    shared_helpers="Drawing looks at the answer, so that its numbers stay short.",
)
