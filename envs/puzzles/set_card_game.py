"""Find sets of three cards that are alike or all different in each feature: one, all of them, or as many as possible without a common card."""

from collections.abc import Iterator
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import card_sets
from rlgym.generators.puzzles.card_sets import Card
from rlgym.solutions import Checks, Derivation, Solution, Step

ASKED = {"one": "Find a set.", "all": "Find all sets.", "apart": "Find as many sets as possible of which no two have a card in common."}
PAIR = Step("Cards {one:int} and {two:int} want {third} for a set: {where}")
FOUND, MISSING = Step("that is card {card}"), "there is none"
HIT = Step("Each set holds one of the cards {cards:ints}, so no more than {count:int} sets can be without a common card")
END = Step("So these are asked for:\n{answer}")


class Knobs(Config):
    cards: int = knob(12, easy=6, hard=20, doc="cards on the table")
    features: int = knob(4, easy=3, hard=4, doc="features of a card")
    question: str = knob("all", easy="one", hard="apart", order=tuple(ASKED), doc="how many sets to find")


class Data(TaskData):
    cards: tuple[Card, ...]
    asked: str
    best: int  # how many sets a right answer has


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def drawn() -> Card:
        return tuple(rng.integer(0, 2) for _ in range(knobs.features))

    return _sample_task(rng, knobs, lambda: list({drawn(): None for _ in range(40 * knobs.cards)})[: _card_count(knobs)])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Neighbouring cards: most differ from an earlier card in one feature only, so that many triples are almost sets."""

    def drawn() -> list[Card]:
        cards: dict[Card, None] = {tuple(rng.integer(0, 2) for _ in range(knobs.features)): None}
        while len(cards) < _card_count(knobs):
            near = list(rng.choice(list(cards)))
            for at in rng.sample(range(knobs.features), rng.weighted((1, 2), (5, 1))):
                near[at] = (near[at] + rng.integer(1, 2)) % 3
            cards[tuple(near)] = None
        return rng.shuffled(list(cards))

    return _sample_task(rng, knobs, drawn)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Two cards ask for a third one; `generate` looks at all triples.
    data = task.data
    at = {card: i for i, card in enumerate(data.cards, 1)}
    sets = [
        (i, j, k)
        for i, j in combinations(range(1, len(data.cards) + 1), 2)
        if (k := at.get(card_sets.completing_card(data.cards[i - 1], data.cards[j - 1]), 0)) > j
    ]
    chosen = sets[:1] if data.asked == "one" else sets if data.asked == "all" else card_sets.max_set_packing(sets)
    return tuple(" ".join(map(str, triple)) for triple in chosen)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, given = task.data, list[frozenset[int]]()
    if len(answer) > len(data.cards) ** 2:
        return Score.wrong("that are more sets than there are")
    for line in answer:
        numbers = line.replace(",", " ").split()
        if len(numbers) != 3 or not all(number in {str(i) for i in range(1, len(data.cards) + 1)} for number in numbers):
            return Score.wrong("each line must name three cards of the table by their numbers")
        cards = sorted(map(int, numbers))
        if len(set(cards)) < 3 or card_sets.completing_card(data.cards[cards[0] - 1], data.cards[cards[1] - 1]) != data.cards[cards[2] - 1]:
            return Score.wrong("three of the cards named together are no set")
        given.append(frozenset(cards))
    if len(set(given)) < len(given):
        return Score.wrong("a set is named twice")
    if data.asked == "apart" and len(frozenset[int]().union(*given)) < 3 * len(given):
        return Score.wrong("two of the sets have a card in common")
    return Score.exact(len(given) == data.best, "that is not the number of sets asked for")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    near = [triple for triple in combinations(range(len(data.cards)), 3) if card_sets.count_faults([data.cards[i] for i in triple]) == 1]
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


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    places = {card: i for i, card in enumerate(data.cards, 1)}
    for i, j in combinations(range(1, len(data.cards) + 1), 2):
        third = card_sets.completing_card(data.cards[i - 1], data.cards[j - 1])
        card = places.get(third)
        yield PAIR(one=i, two=j, third=card_sets.describe_card(third), where=FOUND.write(card=card) if card else MISSING)
        if card and data.asked == "one":
            break
    if data.asked == "apart":
        yield HIT(cards=card_sets.hitting_set(card_sets.find_sets(data.cards), data.best) or (), count=data.best)
    yield END(answer="\n".join(right))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    pairs = list(combinations(range(1, len(data.cards) + 1), 2))
    seen, bounds = list[tuple[int, int]](), list[int]()

    def pair(one: int, two: int, third: str, where: str) -> bool:
        i, j = pairs[len(seen)]
        values = zip(data.cards[i - 1], data.cards[j - 1], strict=True)
        third_card = tuple(first if first == second else 3 - first - second for first, second in values)
        place = FOUND.write(card=data.cards.index(third_card) + 1) if third_card in data.cards else MISSING
        if (one, two, third, where) != (i, j, card_sets.describe_card(third_card), place):
            return False
        seen.append((i, j))
        return True

    def hit(cards: tuple[int, ...], count: int) -> bool:
        complete = len(seen) == len(pairs) and len(set(cards)) == count
        if not complete or not all(set(cards) & set(triple) for triple in card_sets.find_sets(data.cards)):
            return False
        bounds.append(count)
        return True

    def done(answer: str) -> bool:
        return data.asked == "one" or (len(seen) == len(pairs) and (data.asked == "all" or len(answer.split("\n")) in bounds))

    return {PAIR: pair, HIT: hit, END: done}


def picture(task: Task[Data]) -> str:
    return pictures.board([[str(i), *card_sets.describe_card(card).split()] for i, card in enumerate(task.data.cards, 1)])


def _sample_task(rng: Rng, knobs: Knobs, drawn: object) -> Task[Data]:
    assert callable(drawn)
    while True:
        cards = tuple(drawn())
        sets = card_sets.find_sets(cards)
        least = 2 if knobs.question != "one" and len(cards) > 8 else 1
        if len(cards) < _card_count(knobs) or len(sets) < least:
            continue
        best = 1 if knobs.question == "one" else len(sets) if knobs.question == "all" else len(card_sets.max_set_packing(sets[::-1]))
        if knobs.question != "apart" or (best >= least and card_sets.hitting_set(sets, best)):
            break
    listing = "\n".join(f"{i}. {card_sets.describe_card(card)}" for i, card in enumerate(cards, 1))
    prompt = (
        f"These cards lie on the table:\n{listing}\n\nThree different cards form a set if, for each of the {knobs.features} features, they are all "
        f"equal or all different in it. The features are {card_sets.features(knobs.features)}. {ASKED[knobs.question]}"
    )
    return Task(prompt, Data(cards=cards, asked=knobs.question, best=best))


def _card_count(knobs: Knobs) -> int:
    """Of cards with few features, no more than a third of all."""
    return min(knobs.cards, int(3 ** (knobs.features - 1)))


def solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """From the last sets and cards to the first."""
    data = task.data
    sets = card_sets.find_sets(data.cards)[::-1]
    solutions_found = (
        [[triple] for triple in sets] if data.asked == "one" else [sets] if data.asked == "all" else [card_sets.max_set_packing(sets)]
    )
    for solution in solutions_found:
        yield tuple(", ".join(map(str, cards[::-1])) for cards in solution)


environment = Environment(
    Knobs, Lines("each set on a line of its own, as the numbers of its three cards separated by spaces", max_items=500),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="Two cards determine the third one: what is alike stays, what differs takes the value that is left; look whether it is there.",
    version=3,
)  # fmt: skip
