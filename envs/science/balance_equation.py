"""Balance a chemical equation: as many atoms of each element, and as much charge, on both sides.

Any positive whole coefficients that balance are right. The shift has made-up elements, so that no known reaction helps.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import gcd, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.algebra import linear_lines
from rlgym.generators.draws import draw_rare
from rlgym.generators.science import chemistry
from rlgym.generators.science.chemistry import Reaction
from rlgym.solutions import Checks, Derivation, Solution, Step, in_order

START = Step("Let a, the coefficient of {formula}, be 1 for now")
END = Step("All of them times their common denominator are whole: {answer}")
ASKED = (
    "Balance this chemical equation:\n{equation}",
    "The coefficients of this reaction are missing:\n{equation}",
    "Find how many of each substance take part in\n{equation}",
    "Which coefficients balance this reaction?\n{equation}",
)


class Knobs(Config):
    kind: str = knob(
        "burning", easy="salts", hard="ashes", order=("salts", "burning", "redox", "ashes"), doc="what reacts; the last two with charges"
    )
    atoms: int = knob(4, easy=2, hard=9, doc="largest count of an element in a molecule")
    elements: int = knob(3, easy=1, hard=6, beyond=9, doc="elements besides carbon, hydrogen and oxygen, or substances besides three")


class Data(TaskData):
    reactants: tuple[str, ...]
    products: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, lambda: _sample_reaction(rng, knobs), 1)


def _sample_reaction(rng: Rng, knobs: Knobs) -> Reaction:
    if knobs.kind == "salts":
        reaction = rng.choice((chemistry.exchange, chemistry.acid_and_base, chemistry.metal_and_oxide, chemistry.formation))(rng)
    elif knobs.kind == "burning":
        reaction = chemistry.sample_combustion(rng, 2 * knobs.atoms, "O" + "".join(rng.sample("NSP", min(3, knobs.elements // 2))))
    else:
        reaction = chemistry.ashes(rng, max(1, knobs.elements - (knobs.kind == "redox")), knobs.atoms)
    return reaction


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Substances of made-up elements, with planted coefficients."""
    substances = 3 + (knobs.elements + 1) // 2 + (knobs.kind in ("redox", "ashes"))
    draws = 24 if knobs.atoms > 2 and substances < 6 else 1
    return draw_rare(lambda: _sample_task(rng, lambda: chemistry.invent(rng, substances, knobs.atoms), 2), solve, draws)


def solve(task: Task[Data]) -> tuple[int, ...]:
    equation = next(line for line in task.prompt.split("\n") if " -> " in line)
    left, right = (tuple(side.split(" + ")) for side in equation.split(" -> "))
    basis = chemistry.balance((left, right))
    if basis is None:
        raise AssertionError("no coefficients balance, or several do")
    return basis


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data = task.data
    if len(answer) != len(data.reactants) + len(data.products):
        return Score.wrong("there must be one coefficient for each substance")
    if min(answer) < 1:
        return Score.wrong("every coefficient must be at least 1")
    if any(sum(map(int.__mul__, row, answer)) for row in data.rows):
        return Score.wrong("the two sides do not hold the same")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    ones = (1,) * len(right)
    zeros = (0,) * len(right)
    return [ones, zeros, tuple(-value for value in right), right[:-1], (right[0] + 1, *right[1:]), right[::-1], (*right, 1)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.rows[0]) ** 2 * sum(len(bin(value)) - 2 for row in task.data.rows for value in row))


def derive(task: Task[Data]) -> Derivation:
    yield START(formula=task.data.reactants[0])
    yield from in_order(linear_lines.lines(_rows(task.data), {0: Fraction(1)}))
    yield END(answer=environment.answer.render(solve(task)))


def checks(task: Task[Data]) -> Checks:
    known: list[linear_lines.Row] = []
    line_follows = linear_lines.line_check(_rows(task.data), known)

    def follows(step: str) -> bool:
        if not known:  # the first step, which sets a to 1
            if step != START.write(formula=task.data.reactants[0]):
                return False
            known.append([Fraction(-1)] + [Fraction(0)] * (len(task.data.rows[0]) - 1) + [Fraction(1)])
            return True
        if closing := END.read(step):
            answer = environment.answer.parse(closing["answer"])
            return gcd(*answer) == 1 and all(sum(x * y for x, y in zip(row, answer)) + row[-1] * answer[0] == 0 for row in known)
        return line_follows(step)

    return follows


def _sample_task(rng: Rng, sample: Callable[[], Reaction], small: int) -> Task[Data]:
    """A reaction, seldom one whose coefficients are all at most `small`."""
    reaction = sample()
    while max(chemistry.balance(reaction) or (small + 1,)) <= small and not rng.chance(0.02):
        reaction = sample()
    charged = " A sign after ^ is the charge of an ion, as in SO4^2-; the charge must be the same on both sides too."
    question = rng.choice(ASKED).format(equation=chemistry.write(reaction))
    rule = (
        "Each substance, in the order in which they are written, gets a whole number of at least 1, so that every element has as many "
        "atoms on the left as on the right."
    )
    text = f"{question}\n\n{rule}{charged if '^' in question else ''} Any such numbers will do."
    return Task(text, Data(reactants=reaction[0], products=reaction[1], rows=chemistry.table(reaction)[1]))


def _rows(data: Data) -> dict[str, linear_lines.Row]:
    """The equation of each element, and of the charge."""
    elements, rows = chemistry.table((data.reactants, data.products))
    return {
        f"the {element}" if element == "charge" else element: [*map(Fraction, row), Fraction(0)] for element, row in zip(elements, rows)
    }


def _solutions(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """Multiples of the null vector of the elements' matrix, by sympy."""
    from sympy import Matrix

    vector = Matrix([list(row) for row in task.data.rows]).nullspace()[0]
    scale = lcm(*(int(value.q) for value in vector))
    for times in (1, 2, 7):
        yield tuple(abs(int(value * scale)) * times for value in vector)


environment = Environment(
    Knobs, Numbers("the coefficients in the order of the substances, whole numbers separated by commas", max_items=40),
    generate, solve, verify, mistakes, cost, version=3,
    solution=Solution(derive, END, checks), shift=shift, answers="many", solutions=_solutions,
    concept="Each element gives one linear equation for the coefficients; set one coefficient to 1, work out the others, then clear denominators.",
)  # fmt: skip
