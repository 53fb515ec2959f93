"""Find the exact chance that children of two parents show given traits.

Several genes with dominant or mixed looks, and several children at higher levels. The shift has linked genes that recombine now and then.
"""

from fractions import Fraction
from itertools import pairwise
from math import comb

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators.draws import draw_rare
from rlgym.generators.science import mendel
from rlgym.generators.science.mendel import ASKED, KINDS, LINKED, ONE, Gene
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase

ANSWER = Rational("the probability, as an exact fraction a/b or rounded to 4 significant digits", digits=4)


class Knobs(Config):
    genes: int = knob(3, easy=2, hard=6, doc="how many genes")
    mixed: int = knob(30, easy=0, hard=70, doc="percent of genes without a dominant allele")
    children: int = knob(2, easy=1, hard=6, doc="largest number of children in question")


class Data(TaskData):
    genes: tuple[Gene, ...]
    mother: tuple[tuple[str, str], ...]
    father: tuple[tuple[str, str], ...]
    wanted: tuple[str, ...]
    children: int
    least: int
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Neighbouring genes are linked."""
    return _sample_rare(rng, knobs, 75)


def solve(task: Task[Data]) -> Fraction:
    # From all pairs of gametes, and by what is left when fewer children look like this; the working takes one group of genes at a time.
    data = task.data
    p = mendel.by_all_pairs(data.genes, data.mother, data.father, data.wanted)
    return 1 - sum((comb(data.children, k) * p**k * (1 - p) ** (data.children - k) for k in range(data.least)), Fraction(0))


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.answer), "that is not the chance")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    one = mendel.by_all_pairs(data.genes, data.mother, data.father, data.wanted)
    unlinked = [gene.model_copy(update={"percent": 50}) for gene in data.genes]
    naive = mendel.by_all_pairs(unlinked, data.mother, data.father, data.wanted)
    return [
        1 - right,
        one,
        naive,
        one**data.children,
        comb(data.children, data.least) * one**data.least,
        Fraction(3, 4) ** len(data.genes),
        right / 2,
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    linked = sum(gene.percent != 50 for gene in data.genes)
    return float((3 * len(data.genes) + 4 * linked + sum(gene.looks[0] != gene.looks[1] for gene in data.genes)) * (1 + data.children))


def _sample_rare(rng: Rng, knobs: Knobs, linked: int) -> Task[Data]:
    """Few genes have few different chances, so a task with a rare one is taken."""
    return draw_rare(lambda: _sample_task(rng, knobs, linked), lambda task: task.data.answer, 6 if knobs.genes < 4 else 1)


def _sample_task(rng: Rng, knobs: Knobs, linked: int) -> Task[Data]:
    species = rng.choice(tuple(KINDS))
    while True:
        traits = rng.sample(mendel.TRAITS[species], knobs.genes + bool(linked))
        genes, together = list[Gene](), 1
        for letter, (_, top, middle, bottom) in zip("ABDEGHK", traits):
            together = together + 1 if linked and genes and together < 3 and (len(genes) == 1 or rng.chance(linked / 100)) else 1
            looks = (top, middle if rng.chance(knobs.mixed / 100) else top, bottom)
            genes.append(Gene(letter=letter, looks=looks, percent=rng.integer(1, 9) * 5 if together > 1 else 50))
        mother, father = (tuple(mendel.pair(rng, gene.letter) for gene in genes) for _ in range(2))
        look_list = tuple(rng.choice(sorted(set(gene.looks))) if rng.chance(0.8) else "" for gene in genes)
        p = mendel.working(genes, mother, father, look_list, Working()) if any(look_list) else Fraction(0)
        words = [look for gene in genes for look in set(gene.looks)]
        if 0 < p < 1 and all(words.count(look) == 1 for look in look_list if look):  # or it would be open which gene is meant
            break
    children = rng.integer(max(1, knobs.children - 1), knobs.children)
    while p.denominator**children > 10**36:
        children -= 1
    least = rng.integer(1, children)
    data = Data(genes=tuple(genes), mother=mother, father=father, wanted=look_list, children=children, least=least, answer="")
    lines = []
    for gene, trait in zip(genes, traits):
        pairs = dict(zip((gene.letter * 2, gene.letter + gene.letter.lower(), gene.letter.lower() * 2), gene.looks))
        lines.append(f"- {gene.letter} decides the {trait[0]}: " + ", ".join(f"{pair} {look}" for pair, look in pairs.items()))
    linkage_text = ", ".join(f"{before.letter}-{gene.letter} {gene.percent}%" for before, gene in pairwise(genes) if gene.percent != 50)
    free = LINKED.format(said=linkage_text) if linkage_text else "All genes are inherited independently."
    shown = [look for look in look_list if look]
    looks_said = f"the phenotype {' and '.join(filter(None, (', '.join(shown[:-1]), shown[-1])))}"
    share = "all have" if least == children else f"at least {least} {'has' if least == 1 else 'have'}"
    question = phrase(rng, ONE, looks=looks_said) if children == 1 else phrase(rng, ASKED, count=children, least=share, looks=looks_said)
    opening = f"In these {rng.choice(KINDS[species])}, each letter stands for a gene, whose two alleles are written as the capital and the small letter.\n"
    genotypes = f"The first parent is {mendel.genotype(genes, mother)}, the second {mendel.genotype(genes, father)}."
    prompt = opening + "\n".join(lines) + f"\n{free} {genotypes}\n{question}"
    return Task(prompt, data.model_copy(update={"answer": str(_working(data).value)}))


def _working(data: Data) -> Working:
    work = Working(" ".join(map(str, range(101))))
    p, n = mendel.working(data.genes, data.mother, data.father, data.wanted, work), data.children
    if n > 1:
        formula = "{} * {} ^ {} * (1 - {}) ^ {}"
        work.total(
            "chance of that many",
            "",
            [work.add(f"chance of exactly {k}", "", formula, comb(n, k), p, k, p, n - k) for k in range(data.least, n + 1)],
        )
    return work


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=solution(_working), shift=shift,
    concept="Independent genes multiply; linked ones go together but for recombination; several children follow the binomial law.",
    guessable="few genes have few chances; 3/4 is right for about 0.19 of the smallest crosses",
    version=8,
)  # fmt: skip
