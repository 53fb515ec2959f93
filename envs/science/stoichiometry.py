"""Find how much of a product a chain of reactions gives, with limiting reagents and yields.

At higher levels the equations are not balanced yet, and reagents come as solutions. The shift asks backwards: how much impure starting
material must be taken for a wanted mass of the product?
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Quantity
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science import chemistry, reaction_chains
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.science.reaction_chains import ASKED, BACK, STEP, TAKEN, YIELD, Step
from rlgym.generators.stories import phrase


class Knobs(Config):
    reactions: int = knob(2, easy=1, hard=5, doc="how many reactions follow each other")
    solutions: int = knob(30, easy=0, hard=70, doc="percent of the reagents that come as a solution")
    balancing: int = knob(40, easy=0, hard=100, doc="percent of equations that must be balanced first")


class Data(TaskData):
    steps: tuple[Step, ...]
    grams: str  # of the starting material; backwards, of the product that is wanted
    pure: int  # percent; 0 forwards
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Backwards, from the mass of the product to that of an impure starting material."""
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # By ratios of masses; the working goes through moles.
    data = task.data
    return reaction_chains.by_masses(data.steps, Fraction(data.grams), data.pure)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.answer), "that is not the mass")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    last, percent = task.data.steps[-1], Fraction(task.data.steps[-1].percent, 100)
    return [
        right / percent,
        right * Fraction(last.coefficients[0], last.coefficients[2]),
        right * 2,
        Fraction(task.data.grams),
        right * percent,
        right + 1,
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(
        sum(sum(map(len, step.formulas)) + 8 * len(step.reagent) + 3 * sum(step.coefficients) for step in data.steps) * len(data.steps)
    )


def _sample_task(rng: Rng, knobs: Knobs, back: bool) -> Task[Data]:
    steps, step_texts, used = [], [], set[str]()
    grams, moles = Fraction(rng.integer(200, 2000), 10), Fraction(0)
    for k, reaction in enumerate(chemistry.exchanges(rng, knobs.reactions), 1):
        formulas = (*reaction[0], *reaction[1])
        coefficients = chemistry.balance(reaction)
        assert coefficients is not None
        solution = not back and chemistry.soluble(formulas[1]) and rng.chance(knobs.solutions / 50)
        moles = moles or grams / chemistry.molar_mass(formulas[0])
        ratio = Fraction(rng.integer(5, 16), 10)
        amount: tuple[str, ...]
        there = moles * coefficients[1] / coefficients[0] * ratio
        if solution:
            molar = Fraction(rng.integer(1, 40), 10)
            amount = (str(max(1, round(there / molar * 1000))), str(molar))
            weighed = f"{amount[0]} mL of a {format_decimal(molar)} mol/L solution"
        else:
            amount = (str(Fraction(max(1, round(there * chemistry.molar_mass(formulas[1]) * 10)), 10)),)
            weighed = f"{format_decimal(Fraction(amount[0]))} g"
        enough = back or (k == 1 and knobs.reactions == 1 and not knobs.solutions)
        percent = 100 if knobs.reactions == 1 and not knobs.solutions else rng.integer(12, 19) * 5
        step = Step(formulas=formulas, coefficients=coefficients, reagent=() if enough else amount, percent=percent)
        steps.append(step)
        moles *= Fraction(coefficients[2] * percent, 100 * coefficients[0]) * min(Fraction(1), ratio)
        plenty = phrase(rng, ("There is more than enough {what}.", "{what} is present in excess."), what=formulas[1])
        taken = plenty if enough else phrase(rng, TAKEN, amount=weighed, what=formulas[1])
        lost = "" if percent == 100 else " " + phrase(rng, YIELD, what=formulas[2], percent=percent)
        raw = rng.chance(knobs.balancing / 100)
        equation = chemistry.write(reaction) + " (unbalanced)" if raw else chemistry.with_coefficients(reaction, coefficients)
        step_texts.append(phrase(rng, STEP, k=k, equation=equation, amount=taken + lost))
        used |= {element for formula in formulas for element in chemistry.atoms(formula)}
    start, product = steps[0].formulas[0], steps[-1].formulas[2]
    data = Data(steps=tuple(steps), grams=str(grams), pure=rng.integer(8, 19) * 5 if back else 0, answer="")
    if back:
        question = phrase(rng, BACK, start=start, product=product, pure=data.pure, mass=format_decimal(grams))
    else:
        question = f"The {'first ' if len(steps) > 1 else ''}reaction starts with {format_decimal(grams)} g of {start}. {phrase(rng, ASKED, product=product)}"
    follow = " All of the product obtained from each reaction goes into the next one." if len(steps) > 1 else ""
    reaction_text = "Each reaction" if len(steps) > 1 else "The reaction"
    masses = ", ".join(f"{element} {chemistry.MASSES[element]}" for element in sorted(used))
    steps_text = "\n".join(step_texts)
    prompt = f"{steps_text}\n{reaction_text} continues until one of its reagents is used up.{follow} {question}\nMolar masses in g/mol: {masses}."
    return Task(prompt, data.model_copy(update={"answer": str(_working(data).value)}))


def _working(data: Data) -> Working:
    return reaction_chains.working(data.steps, Fraction(data.grams), data.pure)


environment = Environment(
    Knobs, Quantity("g", digits=4), generate, solve, verify, mistakes, cost,
    solution=solution(_working), shift=shift,
    version=4, concept="Turn masses and volumes into moles, divide by the coefficients, and let the smallest share limit each reaction.",
)  # fmt: skip
