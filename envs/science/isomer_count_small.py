"""Count the different molecules that arise when hydrogens of a carbon skeleton are replaced.

Places that a symmetry of the skeleton takes to each other give the same molecule. The shift has rings instead of branched chains.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.calculations import LAST
from rlgym.generators.science import skeletons
from rlgym.generators.science.skeletons import ASKED, OPENINGS
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import count_noun, join_words
from rlgym.solutions import Derivation, OneOf, Solution, Step

ELEMENTS = ("chlorine", "bromine", "fluorine")
MOST = 2500  # arrangements with numbered places
KEPT = Step("Product {p}: symmetry {k}, {turn}, keeps {count} arrangement(s)")
MEAN = Step("Product {p}: the mean over all symmetries ({turns} in all) is {formula} = {count}")


class Knobs(Config):
    carbons: int = knob(6, easy=4, hard=9, doc="how many carbon atoms")
    replaced: int = knob(3, easy=2, hard=5, doc="how many hydrogens are replaced")
    elements: int = knob(2, easy=2, hard=3, doc="by how many elements, at most")


class Data(TaskData):
    carbons: int
    bonds: tuple[tuple[int, int], ...]
    products: tuple[tuple[int, ...], ...]  # how many atoms of each other element
    totals: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rings."""
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Every arrangement is listed, and the least of its images counted; `generate` averages over the symmetries.
    data = task.data
    turns, free = list(skeletons.symmetries(data.carbons, data.bonds)), skeletons.hydrogens(data.carbons, data.bonds)
    return tuple(skeletons.by_images(turns, free, counts) for counts in data.products)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.totals):
        return Score.wrong("give one number for each product")
    return Score.exact(answer == task.data.totals, "these are not the numbers of different molecules")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    free = skeletons.hydrogens(data.carbons, data.bonds)
    unsorted = tuple(skeletons.count_fixed(tuple(range(data.carbons)), free, counts) for counts in data.products)
    return [
        unsorted,
        tuple(count + 1 for count in right),
        (*right[:-1], right[-1] - 1),
        right[::-1],
        tuple(2 * count for count in right),
        (*right, 1),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    turns = len(list(skeletons.symmetries(data.carbons, data.bonds)))
    return float(sum(data.carbons * (sum(counts) + len(counts)) ** 2 + turns for counts in data.products))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    symmetries, free = list(skeletons.symmetries(data.carbons, data.bonds)), skeletons.hydrogens(data.carbons, data.bonds)
    for p, counts in enumerate(data.products, 1):
        kept = {skeletons.write(symmetry): skeletons.count_fixed(symmetry, free, counts) for symmetry in symmetries}
        listed = dict[str, int]()
        for k in range(1, len(kept) + 1):
            taken = yield OneOf(tuple(KEPT(p=p, k=k, turn=turn, count=count) for turn, count in kept.items() if turn not in listed))
            listed[taken["turn"]] = kept[taken["turn"]]
        formula = f"({' + '.join(map(str, listed.values()))}) / {len(listed)}"
        yield MEAN(p=p, turns=len(listed), formula=formula, count=sum(listed.values()) // len(listed))


def _sample_task(rng: Rng, knobs: Knobs, rings: bool) -> Task[Data]:
    carbons = knobs.carbons + rings
    while True:
        names = rng.shuffled(range(carbons))
        bonds = [(names[a], names[b]) for a, b in (skeletons.rings if rings else skeletons.tree)(rng, carbons)]
        free = skeletons.hydrogens(carbons, bonds)
        products = _products(rng, knobs, sum(free))
        if not products or max(skeletons.count_fixed(tuple(range(carbons)), free, counts) for counts in products) > MOST:
            continue
        turns = list(skeletons.symmetries(carbons, bonds))
        # Most tasks have a symmetry: without one there is nothing to see.
        if len(turns) <= 16 and (len(turns) > 1 or rng.chance(0.1)):
            break
    totals = tuple(sum(skeletons.count_fixed(turn, free, counts) for turn in turns) // len(turns) for counts in products)
    elements = rng.sample(ELEMENTS, 3)
    shown = ", ".join(f"{min(a, b) + 1}-{max(a, b) + 1}" for a, b in rng.shuffled(bonds))
    lines = [
        f"{k}. {join_words([_replaced(count, element, i) for i, (count, element) in enumerate(zip(counts, elements))])}, and no others"
        for k, counts in enumerate(products, 1)
    ]
    question = "\n".join([phrase(rng, ASKED), *lines])
    rule = (
        "Every carbon atom has four bonds; those that are not named each go to a hydrogen atom. Molecules are different only if their atoms are joined "
        "differently; it does not matter how the atoms are numbered or arranged in space."
    )
    prompt = f"{phrase(rng, OPENINGS, n=carbons)} {shown}.\n{rule}\n{question}"
    return Task(prompt, Data(carbons=carbons, bonds=tuple(bonds), products=products, totals=totals))


def _replaced(count: int, element: str, place: int) -> str:
    return (
        f"{count} by {element}" if place else f"{count_noun(count, 'hydrogen atom')} {'is' if count == 1 else 'are'} replaced by {element}"
    )


def _products(rng: Rng, knobs: Knobs, places: int) -> tuple[tuple[int, ...], ...]:
    """Different products with one to three other elements; none where there are not so many."""
    out: list[tuple[int, ...]] = []
    product_count = min(3, knobs.replaced)
    for _ in range(20):
        elements = rng.integer(1, min(knobs.elements, knobs.replaced))
        counts = [1] * elements
        for _ in range(rng.integer(max(elements, knobs.replaced - 2), knobs.replaced) - elements):
            counts[rng.integer(0, elements - 1)] += 1
        if tuple(counts) not in out and sum(counts) < places:
            out.append(tuple(counts))
        if len(out) == product_count:
            return tuple(out)
    return ()


environment = Environment(
    Knobs, Numbers("one number for each product, in their order, separated by commas", max_items=6),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, LAST + "{answer}", whole=True), shift=shift,
    concept="The number of arrangements up to symmetry is the mean, over all symmetries, of how many arrangements each leaves as they are.",
    guessable="the smallest molecules have few counts; one is right for about 0.18",
    version=6,
)  # fmt: skip
