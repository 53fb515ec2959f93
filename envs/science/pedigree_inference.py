"""Find how likely a couple's next child has a hereditary disease, from what is known of the whole family.

Whoever is healthy may be a carrier, and every relative changes how likely that is. The shift is a disease linked to the X chromosome.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators.draws import draw_short
from rlgym.generators.science import pedigrees
from rlgym.generators.science.pedigrees import Person
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase

DISEASE = (
    "A disease appears only in people both of whose copies of one gene are faulty; a carrier has one faulty copy and is healthy.",
    "An illness is recessive and not linked to sex: a person has it only if both copies of a gene are faulty. With one faulty copy one is a healthy carrier.",
    "Only two faulty copies of a certain gene (one from each parent) cause a disease; people with one such copy are healthy carriers.",
    "A recessive disease needs two faulty copies of a gene on an ordinary chromosome. People with one are carriers, and healthy.",
)
LINKED = (
    "A recessive disease is linked to the X chromosome. Men, who have one X, from their mother, are ill if it is faulty; women have two and are ill only if "
    "both are. A carrier is a woman with one faulty X.",
    "The gene of a disease lies on the X chromosome. A woman has two copies, one from each parent, and is ill if both are faulty; with one faulty copy she "
    "is a healthy carrier. A man has one copy, from his mother, and is ill if it is faulty.",
)
ASKED = (
    "How likely is it that the next {child} of {a} and {b} has the disease?",
    "With what probability will the next {child} of {a} and {b} be ill?",
    "{a} and {b} expect another {child}. What is the chance that this {child} has the disease?",
    "What is the probability that a further {child} of {a} and {b} will have the disease?",
)


class Knobs(Config):
    size: int = knob(8, easy=3, hard=15, beyond=20, doc="people in the family, about")
    generations: int = knob(2, easy=1, hard=3, doc="generations after the first couple")


class Data(TaskData):
    people: tuple[Person, ...]
    linked: bool
    parents: tuple[int, int]
    son: bool  # whether the next child is a son, which matters only if linked
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_task(rng, knobs, False), lambda task: task.data.answer)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Linked to the X chromosome."""
    return draw_short(lambda: _sample_task(rng, knobs, True), lambda task: task.data.answer)


def solve(task: Task[Data]) -> Fraction:
    # All genotypes of all people; the working goes upwards from the youngest.
    data = task.data
    return pedigrees.by_all_genotypes(_with_child(data), data.linked) / pedigrees.by_all_genotypes(data.people, data.linked)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.answer), "that is not the probability")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    return [1 - right, Fraction(1, 4), Fraction(1, 2), right / 2, right * 2, Fraction(1, 4) * Fraction(4, 9)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.people) ** 2)


def _sample_task(rng: Rng, knobs: Knobs, linked: bool) -> Task[Data]:
    while True:
        family = pedigrees.family(rng, knobs.size, knobs.generations, linked)
        couples = sorted({(person.mother, person.father) for person in family if person.mother >= 0})
        parents = rng.choice(couples)
        son = linked and (not family[parents[1]].ill or rng.chance(0.3))
        data = Data(people=tuple(family), linked=linked, parents=parents, son=son, answer="")
        work = _working(data)
        if work.value and work.value.denominator > (14 if knobs.size > 4 else 4):
            break
    lines = []
    for person in family:
        kind = "man" if person.male else "woman"
        state = "an ill" if person.ill else "a healthy"
        if person.mother < 0:
            odds = f", a carrier with probability 1/{person.odds}" if person.odds else ""
            lines.append(f"- {person.name}, {state} {kind}{odds}")
        else:
            child = "son" if person.male else "daughter"
            lines.append(f"- {person.name}, {state} {child} of {family[person.mother].name} and {family[person.father].name}")
    question = phrase(
        rng, ASKED, child=("son" if son else "daughter") if linked else "child", a=family[parents[0]].name, b=family[parents[1]].name
    )
    start = phrase(rng, LINKED if linked else DISEASE)
    each = "A mother passes on either of her two copies" if linked else "Each parent passes on either of their two copies of the gene"
    rule = (
        "The probabilities of being a carrier take into account each person's own health and relatives who are not listed, but not yet the other people "
        f"listed; they are independent of each other. {each} with equal probability, independently for each child; there are no "
        "new mutations."
    )
    body = "\n".join(lines)
    return Task(f"{start} This is known of a family:\n{body}\n{rule}\n{question}", data.model_copy(update={"answer": str(work.value)}))


def _with_child(data: Data) -> list[Person]:
    """The family with one more child, who is ill."""
    mother, father = data.parents
    return [*data.people, Person(name="the next child", male=data.son, mother=mother, father=father, ill=True, odds=0)]


def _working(data: Data) -> Working:
    work = Working(" ".join(map(str, range(41))))
    before = pedigrees.Peeling(data.people, data.linked, work, "").whole()
    both = pedigrees.Peeling(_with_child(data), data.linked, work, ", with the next child ill").whole()
    work.add("chance that the next child is ill", "", "{} / {}", both, before)
    return work


environment = Environment(
    Knobs, Rational(), generate, solve, verify, mistakes, cost,
    solution=solution(_working), shift=shift,
    concept="Compare how likely all that is known is together with an ill next child, and without it, over all possible genotypes.",
    version=6,
)  # fmt: skip
