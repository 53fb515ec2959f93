"""Families with a recessive disease: how likely genotypes are, given who is ill."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.science.quantities import Working

ZERO, ONE = Fraction(0), Fraction(1)
WOMEN = tuple(
    "Ada Bea Clara Dora Eva Flora Greta Hanna Ida Julia Karin Lena Maria Nora Olga Paula Rosa Sara Tina Vera Wanda Yara Zoe Anna".split()
)
MEN = tuple(
    "Adam Ben Carl David Emil Frank Georg Hugo Ivan Jan Kurt Leo Max Nils Otto Paul Ralf Sven Tom Viktor Walter Yuri Zeno Aron".split()
)


class Person(TaskData):
    """Parents are numbers of people before; those who have none are carriers with the chance 1/odds."""

    name: str
    male: bool
    mother: int  # -1: none
    father: int
    ill: bool
    odds: int  # 0: cannot be a carrier, or has parents


def genotypes(person: Person, linked: bool) -> tuple[int, ...]:
    """The possible numbers of faulty alleles, given whether the person is ill; `linked`: to the X chromosome, of which men have one."""
    if person.male and linked:
        return (1,) if person.ill else (0,)
    return (2,) if person.ill else (0, 1)


def transmission_probability(mother: int, father: int, person: Person, own: int, linked: bool) -> Fraction:
    """The chance that parents with so many faulty alleles have a child with `own`."""
    chance_of_one = Fraction(mother, 2)
    if linked and person.male:
        return chance_of_one if own else 1 - chance_of_one
    two = Fraction(father) if linked else Fraction(father, 2)
    return ((1 - chance_of_one) * (1 - two), chance_of_one * (1 - two) + two * (1 - chance_of_one), chance_of_one * two)[own]


def prior(person: Person, own: int) -> Fraction:
    """The chance of a genotype of somebody without parents here."""
    carrier = Fraction(1, person.odds) if person.odds else ZERO
    return {0: 1 - carrier, 1: carrier}.get(own, ZERO)


def by_all_genotypes(people: Sequence[Person], linked: bool) -> Fraction:
    """How likely it is that just these people are ill, and the carriers as they are thought: the sum over all genotypes of all people."""
    known: dict[tuple[int, ...], Fraction] = {(): ONE}
    last = [max([i, *(k for k, relative in enumerate(people) if i in (relative.mother, relative.father))]) for i in range(len(people))]
    for i, person in enumerate(people):
        following: dict[tuple[int, ...], Fraction] = {}
        for held, chance in known.items():
            for own in genotypes(person, linked):
                if person.mother >= 0:
                    share = transmission_probability(held[person.mother], held[person.father], person, own, linked)
                else:
                    share = ONE if linked and person.male else prior(person, own)
                # The genotype of somebody without later children need not be distinguished any more.
                key = tuple(0 if last[k] <= i else genotype for k, genotype in enumerate((*held, own)))
                if share:
                    following[key] = following.get(key, ZERO) + chance * share
        known = following
    return sum(known.values(), ZERO)


class Peeling:
    """The same from the youngest upwards, a line for each person and each genotype of the parents."""

    def __init__(self, people: Sequence[Person], linked: bool, work: Working, note: str) -> None:
        self.people, self.linked, self.work, self.note = people, linked, work, note

    def whole(self) -> Fraction:
        """The chance of all that is known, from the oldest couple on."""
        return self._couple(0, 1, None, f"chance of all that is known{self.note}")

    def _children(self, mother: int, father: int) -> list[int]:
        return [i for i, person in enumerate(self.people) if (person.mother, person.father) == (mother, father)]

    def _spouse(self, person: int) -> int | None:
        pairs = [(couple.mother, couple.father) for couple in self.people if person in (couple.mother, couple.father)]
        return None if not pairs else pairs[0][1] if pairs[0][0] == person else pairs[0][0]

    def _founder(self, person: int) -> list[tuple[int, Fraction]]:
        allele_chance = self.people[person]
        if self.linked and allele_chance.male:
            return [(own, ONE) for own in genotypes(allele_chance, True)]
        return [(own, prior(allele_chance, own)) for own in genotypes(allele_chance, self.linked) if prior(allele_chance, own)]

    def _couple(self, mother: int, father: int, fixed: tuple[int, int] | None, name: str) -> Fraction:
        """The chance of what is known of a couple's descendants (and of those of the two who have no parents here); one genotype may be fixed."""
        terms, numbers = [], list[Fraction]()
        options = [[(fixed[1], ONE)] if fixed and fixed[0] == person else self._founder(person) for person in (mother, father)]
        for (a, p), (b, q) in product(*options):
            shares = [self._child(child, a, b) for child in self._children(mother, father)]
            terms.append(" * ".join(["{}"] * (2 + len(shares))))
            numbers += [p, q, *shares]
        return self.work.add(name, "", " + ".join(terms), *numbers)

    def _child(self, child: int, a: int, b: int) -> Fraction:
        """The chance of what is known of a child and its descendants, if its parents have so many faulty alleles."""
        person, spouse = self.people[child], self._spouse(child)
        name = f"chance of what is known of {person.name}{'' if spouse is None else ' and descendants'} if the parents have {a} and {b}{self.note}"
        if name in self.work.facts:
            return self.work.facts[name][0]
        terms, numbers = [], list[Fraction]()
        for own in genotypes(person, self.linked):
            share = transmission_probability(a, b, person, own, self.linked)
            if not share:
                continue
            below = ONE
            if spouse is not None:
                mother, father = (spouse, child) if person.male else (child, spouse)
                title = f"chance of what is known of the descendants of {person.name} who has {own}{self.note}"
                entry = self.work.facts.get(title)
                below = entry[0] if entry else self._couple(mother, father, (child, own), title)
            terms.append("{} * {}")
            numbers += [share, below]
        return self.work.add(name, "", " + ".join(terms) or "0", *numbers)


def family(rng: Rng, size: int, generations: int, linked: bool) -> list[Person]:
    """A family of about this size, drawn with genotypes, so that what is known fits."""
    women, men = rng.shuffled(WOMEN), rng.shuffled(MEN)
    people: list[Person] = []
    affected: list[int] = []

    def founder(male: bool) -> int:
        odds = 0 if linked and male else rng.integer(2, 40)
        affected.append(int(bool(odds) and rng.chance(0.6)))
        people.append(Person(name=(men if male else women).pop(), male=male, mother=-1, father=-1, ill=False, odds=odds))
        return len(people) - 1

    def born(mother: int, father: int) -> int:
        male = rng.chance(0.5)
        shares = [
            transmission_probability(
                affected[mother], affected[father], Person(name="", male=male, mother=0, father=0, ill=False, odds=0), own, linked
            )
            for own in range(3 - (linked and male))
        ]
        affected.append(rng.weighted(range(len(shares)), [int(4 * share) for share in shares]))
        ill = affected[-1] == len(shares) - 1
        people.append(Person(name=(men if male else women).pop(), male=male, mother=mother, father=father, ill=ill, odds=0))
        return len(people) - 1

    couples = [(founder(False), founder(True))]
    for depth in range(generations):
        following: list[tuple[int, int]] = []
        for mother, father in couples:
            children = [born(mother, father) for _ in range(rng.integer(1, 2) + (len(people) + 3 < size))]
            for child in children:
                if depth + 1 < generations and (len(people) + 2 < size or not following):
                    spouse = founder(not people[child].male)
                    following.append((spouse, child) if people[child].male else (child, spouse))
        couples = following
    return people
