"""Find sets of three cards that are alike or all different in each feature: one, all of them, or as many as possible without a common card."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators import card_sets, pictures
from rlgym.generators.card_sets import Card
from rlgym.generators.steps import Line, first_wrong

ASKED = {
    "one": "Find a set.",
    "all": "Find all sets.",
    "apart": "Find as many sets as possible of which no two have a card in common.",
}
PAIR = Line("Cards {one} and {two} want {third} for a set: {where}")
FOUND, MISSING = Line("that is card {card}"), "there is none"
HIT = Line("Each set holds one of the cards {cards}, so no more than {count} sets can be without a common card")
END = Line("So these are asked for:\n{answer}")


class Knobs(Config):
    cards: int = knob(12, easy=6, hard=20, doc="cards on the table")
    features: int = knob(4, easy=3, hard=4, doc="features of a card")
    asked: str = knob("all", easy="one", hard="apart", order=tuple(ASKED), doc="how many sets are to be found")


class Data(TaskData):
    cards: tuple[Card, ...]
    asked: str
    best: int  # how many sets a right answer has


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def drawn() -> Card:
        return tuple(rng.integer(0, 2) for _ in range(knobs.features))

    return _made(rng, knobs, lambda: list({drawn(): None for _ in range(40 * knobs.cards)})[: _count(knobs)])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Cards beside one another: most differ from an earlier card in one feature only, so that many triples are almost sets."""

    def drawn() -> list[Card]:
        cards: dict[Card, None] = {tuple(rng.integer(0, 2) for _ in range(knobs.features)): None}
        while len(cards) < _count(knobs):
            near = list(rng.choice(list(cards)))
            for at in rng.sample(range(knobs.features), rng.weighted((1, 2), (5, 1))):
                near[at] = (near[at] + rng.integer(1, 2)) % 3
            cards[tuple(near)] = None
        return rng.shuffled(list(cards))

    return _made(rng, knobs, drawn)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Two cards ask for a third one; `generate` looks at all triples.
    data = task.data
    at = {card: i for i, card in enumerate(data.cards, 1)}
    sets = [
        (i, j, k)
        for i, j in combinations(range(1, len(data.cards) + 1), 2)
        if (k := at.get(card_sets.third(data.cards[i - 1], data.cards[j - 1]), 0)) > j
    ]
    found = sets[:1] if data.asked == "one" else sets if data.asked == "all" else card_sets.packed(sets)
    return tuple(" ".join(map(str, one)) for one in found)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, given = task.data, list[frozenset[int]]()
    if len(answer) > len(data.cards) ** 2:
        return Score.wrong("that are more sets than there are")
    for line in answer:
        numbers = line.replace(",", " ").split()
        if len(numbers) != 3 or not all(number in {str(i) for i in range(1, len(data.cards) + 1)} for number in numbers):
            return Score.wrong("each line must name three cards of the table by their numbers")
        cards = sorted(map(int, numbers))
        if len(set(cards)) < 3 or card_sets.third(data.cards[cards[0] - 1], data.cards[cards[1] - 1]) != data.cards[cards[2] - 1]:
            return Score.wrong("three of the cards named together are no set")
        given.append(frozenset(cards))
    if len(set(given)) < len(given):
        return Score.wrong("a set is named twice")
    if data.asked == "apart" and len(frozenset[int]().union(*given)) < 3 * len(given):
        return Score.wrong("two of the sets have a card in common")
    return Score.exact(len(given) == data.best, "so many sets are not asked for")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    near = [triple for triple in combinations(range(len(data.cards)), 3) if card_sets.faults([data.cards[i] for i in triple]) == 1]
    almost = [" ".join(str(i + 1) for i in triple) for triple in near[:2] or [(0, 0, 1)]]
    return [
        (*right[:-1], almost[0]),
        (*right, almost[-1]),
        right[:-1] or (almost[0],),
        (*right, right[0]),
        tuple(line[:-2] for line in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    pairs = len(data.cards) * (len(data.cards) - 1) // 2
    return float(pairs * len(data.cards[0]) * (1 + list(ASKED).index(data.asked)))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    at = {card: i for i, card in enumerate(data.cards, 1)}
    steps = []
    for i, j in combinations(range(1, len(data.cards) + 1), 2):
        card = at.get(third := card_sets.third(data.cards[i - 1], data.cards[j - 1]))
        steps.append(PAIR.write(one=i, two=j, third=card_sets.said(third), where=FOUND.write(card=card) if card else MISSING))
        if card and data.asked == "one":
            break
    if data.asked == "apart":
        steps.append(HIT.write(cards=", ".join(map(str, card_sets.hit(card_sets.sets(data.cards), data.best) or ())), count=data.best))
    return [*steps, END.write(answer="\n".join(right))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    waiting = list(combinations(range(1, len(data.cards) + 1), 2))
    bounds: list[int] = []

    def follows(step: str) -> bool:
        if said := PAIR.read(step):
            i, j = waiting.pop(0)
            third = tuple(one if one == two else 3 - one - two for one, two in zip(data.cards[i - 1], data.cards[j - 1], strict=True))
            where = FOUND.write(card=data.cards.index(third) + 1) if third in data.cards else MISSING
            return said == {"one": str(i), "two": str(j), "third": card_sets.said(third), "where": where}
        said = HIT.read(step) or {}
        cards = set(map(int, said["cards"].split(", ")))
        bounds.append(int(said["count"]))
        return not waiting and len(cards) == bounds[-1] and all(cards & set(one) for one in card_sets.sets(data.cards))

    def ends(step: str) -> bool:
        lines = tuple((END.read(step) or {})["answer"].split("\n"))
        done = data.asked == "one" or (not waiting and (data.asked == "all" or len(lines) in bounds))
        return done and verify(task, lines).value == 1

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    return pictures.board([[str(i), *card_sets.said(card).split()] for i, card in enumerate(task.data.cards, 1)])


def _made(rng: Rng, knobs: Knobs, drawn: object) -> Task[Data]:
    assert callable(drawn)
    while True:
        cards = tuple(drawn())
        sets = card_sets.sets(cards)
        least = 2 if knobs.asked != "one" and len(cards) > 8 else 1
        if len(cards) < _count(knobs) or len(sets) < least:
            continue
        best = 1 if knobs.asked == "one" else len(sets) if knobs.asked == "all" else len(card_sets.packed(sets[::-1]))
        if knobs.asked != "apart" or (best >= least and card_sets.hit(sets, best)):
            break
    listing = "\n".join(f"{i}. {card_sets.said(card)}" for i, card in enumerate(cards, 1))
    prompt = (
        f"These cards lie on the table:\n{listing}\n\nThree different cards are a set if, for each of the {knobs.features} features by itself, they are "
        f"all alike or all different. The features are {card_sets.features(knobs.features)}. {ASKED[knobs.asked]}"
    )
    return Task(prompt, Data(cards=cards, asked=knobs.asked, best=best))


def _count(knobs: Knobs) -> int:
    """Of cards with few features, no more than a third of all."""
    return min(knobs.cards, int(3 ** (knobs.features - 1)))


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """From the last sets and cards to the first."""
    data = task.data
    sets = card_sets.sets(data.cards)[::-1]
    found = [[one] for one in sets] if data.asked == "one" else [sets] if data.asked == "all" else [card_sets.packed(sets)]
    for one in found:
        yield tuple(", ".join(map(str, cards[::-1])) for cards in one)


environment = Environment(
    Knobs,
    Lines("the sets, one on each line, each as the numbers of its three cards separated by spaces", most=500),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="many",
    solutions=_solutions,
    concept="Two cards determine the third one: what is alike stays, what differs takes the value that is left; look whether it is there.",
)
