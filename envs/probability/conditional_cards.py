"""Find the probability of a hand of cards, perhaps knowing something about it.

Cards count by rank, by suit or by both, so that one card may count twice. In the shifted family cards are dealt to two players, and the hand
of the first one tells about that of the second.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations, stories
from rlgym.generators.draws import draw_rare
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import count_noun, join_words

ANSWER = Rational("the exact probability, as a fraction a/b")
HANDS = "hands with {split}"
KNOWN = "hands that fit what is known"
BOTH = "hands that fit both"
RANKS = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
SUITS = ("hearts", "spades", "clubs", "diamonds")
DECKS = (
    "A deck has one card for each of the ranks {ranks} in each of the suits {suits}.",
    "The cards of a game are those of the ranks {ranks}, each once in the suits {suits}.",
    "{who} has a deck with the suits {suits}; in each suit there is one card of each of the ranks {ranks}.",
    "There is exactly one card for every pair of a rank ({ranks}) and a suit ({suits}).",
)
DEALS = (
    "{who} gets {count} cards at random.",
    "{count} cards are dealt to {who} from the shuffled deck.",
    "From the well shuffled deck, {who} draws {count} cards.",
    "{who} is dealt a hand of {count} cards, all hands being equally likely.",
)
SECONDS = (
    "Before that, {other} was dealt {cards} from the same deck, openly: {open}.",
    "{other} has already drawn {cards} from this deck, face up: {open}.",
    "Before that, {cards} went to {other}, face up: {open}.",
    "From the same deck, {other} already holds {cards}, for all to see: {open}.",
)


class Knobs(Config):
    ranks: int = knob(9, easy=5, hard=13, doc="how many ranks there are")
    suits: int = knob(3, easy=2, hard=4, doc="how many suits there are")
    hand: int = knob(3, easy=2, hard=6, doc="how many cards a hand has")
    conditional: int = knob(80, easy=30, hard=100, doc="percent of questions conditioned on the hand")


class Claim(TaskData):
    what: str  # a rank or a suit
    low: int
    high: int  # as many, or at least `low` where this is the size of the hand


class Data(TaskData):
    cards: tuple[tuple[str, str], ...]  # that are left in the deck
    hand: int
    claim: Claim
    known: Claim | None
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # Card by card, as a distribution of what the hand holds; `generate` counts hands by products of binomials.
    data = task.data
    ways = {(0, 0, 0): 1}
    for card in data.cards:
        hit_a, two = (int(data.claim.what in card), int(data.known is not None and data.known.what in card))
        for (size, a, b), count in list(ways.items()):
            if size < data.hand:
                ways[size + 1, a + hit_a, b + two] = ways.get((size + 1, a + hit_a, b + two), 0) + count
    hands = {(a, b): count for (size, a, b), count in ways.items() if size == data.hand}
    fits = {pair: count for pair, count in hands.items() if data.known is None or data.known.low <= pair[1] <= data.known.high}
    return Fraction(sum(count for (a, _), count in fits.items() if data.claim.low <= a <= data.claim.high), sum(fits.values()))


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the probability is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    alone = solve(Task("", data.model_copy(update={"known": None})))
    share = Fraction(sum(data.claim.what in card for card in data.cards), len(data.cards))
    return probabilities.near_misses(right, alone, share, share**data.claim.low)


def cost(task: Task[Data]) -> float:
    return len(_splits(task.data)) * task.data.hand + len(task.data.cards) / 4


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    sizes = _sizes(data)
    known, both = [], []
    for split in _splits(data):
        formula = "*".join(str(working.choose(size, part)) for size, part in zip(sizes.values(), split, strict=True))
        count = working.let(HANDS.format(split=_split_name(data, split)), formula)
        known.append(count)
        both += [count] if _holds(data.claim, sizes, split) else []
    below = working.let(KNOWN, calculations.sum_formula(known))
    above = working.let(BOTH, calculations.sum_formula(both))
    return working.last("probability", f"{above}/{below}")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    counts = {split: _hands(data, split) for split in _splits(data)}
    named = {_split_name(data, split): count for split, count in counts.items()}
    return {
        KNOWN: lambda: sum(counts.values()),
        BOTH: lambda: sum(count for split, count in counts.items() if _holds(data.claim, _sizes(data), split)),
        HANDS: lambda split: named[split],
        "probability": lambda: Fraction(data.value),
    }


def _sample_rare(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Data]:
    """Of several tasks with small hands one whose probability is rare."""
    return draw_rare(lambda: _sample_task(rng, knobs, shifted), lambda task: task.data.value, 24 if knobs.hand < 4 else 1)


def _sample_task(rng: Rng, knobs: Knobs, second: bool) -> Task[Data]:
    length = rng.integer(max(4, knobs.ranks - 1), knobs.ranks)
    start = rng.integer(0, len(RANKS) - length)
    ranks, suits = RANKS[start : start + length], rng.sample(SUITS, knobs.suits)
    deck = [(rank, suit) for rank in ranks for suit in suits]
    hand = min(rng.integer(max(2, knobs.hand - 1), knobs.hand), len(deck) // 2 - 1)
    shown = rng.sample(deck, rng.integer(1, hand)) if second else []
    cards = tuple(card for card in deck if card not in shown)
    who, other = rng.sample(stories.PEOPLE, 2)
    given = rng.integer(1, 100) <= knobs.conditional
    for _ in range(200):
        cards_drawn = rng.sample(cards, hand)
        # One speaks of ranks and the other of suits as a rule: then one card may count for both.
        side = rng.integer(0, 1)
        subjects = [rng.choice(cards_drawn)[side], rng.choice(cards_drawn)[1 - side] if rng.chance(0.7) else rng.choice(ranks)]
        if subjects[0] == subjects[1]:
            continue
        claim = _claim(rng, cards_drawn, subjects[0], hand)
        known = _claim(rng, cards_drawn, subjects[1], hand) if given else None
        data = Data(cards=cards, hand=hand, claim=claim, known=known, value="")
        splits = _splits(data)
        value = Fraction(
            sum(_hands(data, split) for split in splits if _holds(claim, _sizes(data), split)), sum(_hands(data, split) for split in splits)
        )
        if 0 < value < 1:
            break
    lines = [phrase(rng, DECKS, who=who, ranks=join_words(list(ranks)), suits=join_words(suits))]
    if second:
        lines.append(
            phrase(
                rng,
                SECONDS,
                other=other,
                cards=count_noun(len(shown), "card"),
                open=join_words([f"the {rank} of {suit}" for rank, suit in shown]),
            )
        )
    lines.append(phrase(rng, DEALS, who=who, count=hand))
    question = probabilities.render_question(
        rng, f"{who}'s hand holds {_claim_text(claim, hand)}", f"{who}'s hand holds {_claim_text(known, hand)}" if known else ""
    )
    return Task(" ".join([*lines, question]), data.model_copy(update={"value": str(value)}))


def _claim(rng: Rng, cards_drawn: Sequence[tuple[str, str]], what: str, hand: int) -> Claim:
    """Something that is true of a hand."""
    count = sum(what in card for card in cards_drawn)
    if count and rng.chance(0.5):
        return Claim(what=what, low=rng.integer(1, count), high=hand)
    return Claim(what=what, low=count, high=count)


def _claim_text(claim: Claim, hand: int) -> str:
    exactly = "exactly" if claim.low == claim.high and claim.low < hand else "at least"
    if claim.what in SUITS:
        return f"{exactly} {claim.low} {'card' if claim.low == 1 else 'cards'} of {claim.what}"
    many = {"six": "sixes"}.get(claim.what, claim.what + "s")
    return f"{exactly} {claim.low} {claim.what if claim.low == 1 else many}"


def _sizes(data: Data) -> dict[tuple[bool, bool], int]:
    """How many cards of the deck are of what is asked about, of what is known about, of both or neither."""
    sizes: dict[tuple[bool, bool], int] = {}
    for card in data.cards:
        kind = data.claim.what in card, data.known is not None and data.known.what in card
        sizes[kind] = sizes.get(kind, 0) + 1
    return dict(sorted(sizes.items(), reverse=True))


def _splits(data: Data) -> list[tuple[int, ...]]:
    """How many cards of each kind a hand may have that fits what is known."""
    sizes = _sizes(data)
    all_splits = product(*(range(min(size, data.hand) + 1) for size in sizes.values()))
    return [split for split in all_splits if sum(split) == data.hand and (data.known is None or _holds(data.known, sizes, split, 1))]


def _holds(claim: Claim, sizes: dict[tuple[bool, bool], int], split: tuple[int, ...], side: int = 0) -> bool:
    return claim.low <= sum(part for kind, part in zip(sizes, split, strict=True) if kind[side]) <= claim.high


def _hands(data: Data, split: tuple[int, ...]) -> int:
    count = 1
    for size, part in zip(_sizes(data).values(), split, strict=True):
        count *= comb(size, part)
    return count


def _split_name(data: Data, split: tuple[int, ...]) -> str:
    other = data.known.what if data.known else ""
    names = {
        (True, True): f"{data.claim.what} and {other}",
        (True, False): data.claim.what,
        (False, True): other,
        (False, False): "of no such kind",
    }
    return ", ".join(f"{names[kind]} {part}" for kind, part in zip(_sizes(data), split, strict=True))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="Part the deck by what counts, count hands by how many of each part they hold, and compare those that fit with all that are possible.",
    version=4,
)  # fmt: skip
