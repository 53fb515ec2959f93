"""Crosses of parents with several genes, some of them linked: exact chances of gametes and children."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.science.quantities import Working

KINDS = {
    "animals": ("mice", "rabbits", "goats", "cats", "guinea pigs", "sheep", "ponies"),
    "plants": ("peas", "orchids", "lilies", "tomatoes", "peppers", "snapdragons", "primroses"),
}
ASKED = (
    "What is the chance that, of {count} offspring of these parents, {least} {looks}?",
    "These parents have {count} offspring. How likely is it that {least} {looks}?",
    "If these parents have {count} offspring, what is the probability that {least} {looks}?",
    "Find the probability that, among {count} offspring of theirs, {least} {looks}.",
)
LINKED = (
    "Genes that are written together, as on the two chromosomes of a pair, are linked; between these neighbours a gamete recombines with the given "
    "frequency, independently of what happens between others: {said}. All other genes are inherited independently."
)
ONE = (
    "What is the chance that an offspring of these parents has {looks}?",
    "How likely is an offspring with {looks}?",
    "What is the probability that their offspring has {looks}?",
    "Find the probability that an offspring of theirs has {looks}.",
)


# What a gene decides: the look of AA, of Aa where that is a look of its own, and of aa.
def _traits(text: str) -> tuple[tuple[str, str, str, str], ...]:
    rows = (row.split("/") for row in text.replace("\n", " ").split(", "))
    return tuple((name, large, mixed, small) for name, large, mixed, small in rows)


TRAITS = {
    "animals": _traits("""coat colour/black/grey/cream, eye colour/brown/hazel/blue, coat pattern/banded/dotted/plain, tail shape/straight/bent/curled,
fur length/long/half-long/short, ear shape/upright/half-lop/lop, nose colour/black/brown/pink, fur texture/wavy/coarse/smooth"""),
    "plants": _traits("""seed colour/yellow/olive/green, flower colour/red/pink/white, stem length/tall/medium/dwarf, leaf edge/toothed/wavy/smooth,
fruit shape/round/oval/flat, petal number/double/mixed/single, seed surface/rough/grainy/glossy, scent/sweet/faint/none"""),
}
Phases = Sequence[tuple[str, str]]  # of each gene the alleles on the two chromosomes


class Gene(TaskData):
    """A gene with the alleles of its letter, large and small."""

    letter: str
    looks: tuple[str, str, str]  # of AA, Aa and aa
    percent: int  # how often it recombines with the gene before; 50 where they are not linked

    def seen(self, allele: str, two: str) -> str:
        """How a child with these two alleles looks."""
        return self.looks[allele.islower() + two.islower()]


def gametes(genes: Sequence[Gene], phases: Phases) -> dict[str, Fraction]:
    """The chance of each gamete, found gene by gene along the chromosomes."""
    by_gamete = {("", strand): Fraction(1, 2) for strand in (0, 1)}
    for gene, pair in zip(genes, phases):
        crossed, following = Fraction(gene.percent, 100), dict[tuple[str, int], Fraction]()
        for (alleles, strand), chance in by_gamete.items():
            for now, share in ((strand, 1 - crossed), (1 - strand, crossed)):
                following[alleles + pair[now], now] = following.get((alleles + pair[now], now), Fraction(0)) + chance * share
        by_gamete = following
    out: dict[str, Fraction] = {}
    for (alleles, _), chance in by_gamete.items():
        out[alleles] = out.get(alleles, Fraction(0)) + chance
    return out


def by_all_pairs(genes: Sequence[Gene], mother: Phases, father: Phases, looks: Sequence[str]) -> Fraction:
    """How likely a child looks like this ("" where anything will do), from all pairs of gametes of the whole genome."""
    total = Fraction(0)
    for (gamete_a, p), (two, q) in product(gametes(genes, mother).items(), gametes(genes, father).items()):
        if all(not look or look == gene.seen(a, b) for gene, a, b, look in zip(genes, gamete_a, two, looks)):
            total += p * q
    return total


def groups(genes: Sequence[Gene]) -> list[list[int]]:
    """The numbers of the genes that are linked with each other."""
    out: list[list[int]] = []
    for k, gene in enumerate(genes):
        if gene.percent == 50 or not out:
            out.append([])
        out[-1].append(k)
    return out


def working(genes: Sequence[Gene], mother: Phases, father: Phases, looks: Sequence[str], work: Working) -> Fraction:
    """The same, one group of linked genes at a time."""
    shares = []
    for group in groups(genes):
        if not any(looks[k] for k in group):
            continue
        group_genes = [genes[k] for k in group]
        letters = "".join(gene.letter for gene in group_genes)
        given = [
            {
                gamete: _gamete(work, name, group_genes, [phases[k] for k in group], gamete)
                for gamete in sorted(gametes(group_genes, [phases[k] for k in group]))
            }
            for name, phases in (("first parent", mother), ("second parent", father))
        ]
        terms = []
        for (gamete_a, p), (two, q) in product(given[0].items(), given[1].items()):
            if all(not looks[k] or looks[k] == genes[k].seen(a, b) for k, a, b in zip(group, gamete_a, two)):
                terms += [p, q] if p and q else []
        shares.append(work.add(f"chance of these looks in {letters}", "", " + ".join(["{} * {}"] * (len(terms) // 2)) or "0", *terms))
    return work.add("chance that an offspring looks like this", "", " * ".join(["{}"] * len(shares)), *shares)


def _gamete(work: Working, parent: str, genes: Sequence[Gene], phases: Phases, gamete: str) -> Fraction:
    """Each way in which the strands can give it: half for the first strand, then whether each further gene recombines."""
    ways, numbers = [], list[int]()
    for strands in product((0, 1), repeat=len(genes)):
        if all(pair[strand] == letter for pair, strand, letter in zip(phases, strands, gamete)):
            ways.append("1 / 2")
            for before, now, gene in zip(strands, strands[1:], genes[1:]):
                ways[-1] += " * {} / 100" if before != now else " * (1 - {} / 100)"
                numbers.append(gene.percent)
    return work.add(f"chance that the {parent} gives {gamete}", "", " + ".join(ways), *numbers)


def pair(rng: Rng, letter: str) -> tuple[str, str]:
    """The alleles on the two chromosomes of a parent, often different ones."""
    large = rng.choice(((True, False), (True, False), (False, True), (False, False), (True, True)))
    allele_a, two = (letter if up else letter.lower() for up in large)
    return allele_a, two


def genotype(genes: Sequence[Gene], phases: Phases) -> str:
    """Aa Bb, or AB/ab for linked genes."""
    out = []
    for group in groups(genes):
        strand_a, two = ("".join(phases[k][strand] for k in group) for strand in (0, 1))
        out.append(f"{strand_a}/{two}" if len(group) > 1 else "".join(sorted(strand_a + two)))
    return " ".join(out)
