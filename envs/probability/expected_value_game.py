"""Turn over cards as long as it pays: the expected result of a game in which one may stop at any time.

The deck is known and cards do not go back, so that each card changes what is to be expected. In the shifted family all cards win, but
some end the game and take everything won.
"""

from fractions import Fraction
from functools import cache
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations, stories
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import count_noun, join_words

ANSWER = Rational("the exact expected score, as an integer or a fraction a/b")
AHEAD = "worth of turning over a card when {taken} are gone"
OPENINGS = (
    "{who} plays a game with a shuffled deck that consists of {cards}.",
    "A deck of {cards} is shuffled and laid face down before {who}.",
    "{who} knows that a shuffled deck holds {cards}, and nothing else.",
    "For a game, {cards} are shuffled well and put in a pile, face down, in front of {who}.",
)
RULES = (
    "Cards are turned over one by one and put aside. Their points add up; before each card the player may stop and keep the sum so far (0 at the start).",
    "Cards are turned over one by one and not put back. "
    "At any moment, even before the first card, the player may stop and keep the sum of the points so far.",
    "The score is the sum of the points on the cards turned over, which do not go back. The player may stop at any time, even at once with 0 points.",
    "Turned-over cards stay on the table and their points add up. Before each card, including the first, the player may end the game with that sum.",
)
BUSTS = (
    "But a bomb ends the game at once with 0 points.",
    "If a bomb turns up, everything is lost: the game is over with 0 points.",
    "A bomb takes all points away and ends the game.",
    "Whoever turns over a bomb goes away with 0 points.",
)
ASKS = (
    "What is the expected score under the best play?",
    "How many points does {who} get on average when playing as well as possible?",
    "Find the largest expected score that {who} can reach by stopping optimally.",
    "Played so as to make the average score as large as possible, what is that average, exactly?",
)


class Knobs(Config):
    kinds: int = knob(2, easy=2, hard=3, doc="how many kinds of cards with points there are")
    copies: int = knob(3, easy=2, hard=5, doc="how many there are of a kind at most")
    points: int = knob(12, easy=6, hard=40, doc="most points on a card")
    bad: int = knob(2, easy=1, hard=3, doc="how many cards are bad, at least")


class Data(TaskData):
    cards: tuple[tuple[int, int], ...]  # points, and how many cards
    bombs: int
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    for _ in range(100):
        points = [rng.integer(1, knobs.points) for _ in range(knobs.kinds)]
        copies = [rng.integer(1, knobs.copies) for _ in points]
        points[0], copies[0] = -rng.integer(1, knobs.points), max(copies[0], knobs.bad)
        if len(set(points)) == knobs.kinds and _worth(points, copies, 0)[(0,) * knobs.kinds] > 0:
            break
    return _finish_task(rng, points, copies, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    points = rng.sample(range(1, knobs.points + 1), knobs.kinds)
    return _finish_task(rng, points, [rng.integer(1, knobs.copies) for _ in points], rng.integer(max(1, knobs.bad - 1), knobs.bad))


def solve(task: Task[Data]) -> Fraction:
    # From the full deck on, counting what is left; `generate` begins with the empty deck and counts what is gone.
    points = [points for points, _ in task.data.cards]

    @cache
    def more(cards_left: tuple[int, ...]) -> Fraction:
        """What going on as well as possible adds to the sum so far."""
        size = sum(cards_left) + task.data.bombs
        if not size:
            return Fraction(0)
        so_far = sum(p * (copies - count) for (p, copies), count in zip(task.data.cards, cards_left, strict=True))
        gained = Fraction(-so_far * task.data.bombs, size)
        for k, count in enumerate(cards_left):
            if count:
                gained += Fraction(count, size) * (points[k] + more((*cards_left[:k], count - 1, *cards_left[k + 1 :])))
        return max(Fraction(0), gained)

    return more(tuple(copies for _, copies in task.data.cards))


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the expected score is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    cards = task.data.cards
    total, size = sum(points * copies for points, copies in cards), sum(copies for _, copies in cards) + task.data.bombs
    return [Fraction(total), Fraction(total, size), right + 1, right / 2, Fraction(max(points for points, _ in cards))]


def cost(task: Task[Data]) -> float:
    states = 1
    for _, copies in task.data.cards:
        states *= copies + 1
    return states * len(task.data.cards) * (1 + task.data.bombs / 10) + max(points for points, _ in task.data.cards) / 10


def calculation(task: Task[Data]) -> list[str]:
    points, copies, bombs = _deck(task.data)
    working = probabilities.Working()
    worth = _worth(points, copies, bombs)
    for cards_gone in reversed(list(product(*(range(count + 1) for count in copies)))):
        size = sum(copies) - sum(cards_gone) + bombs
        terms = [
            f"({count - out}/{size})*{calculations.operand(max(_collected_points(points, after), worth[after]))}"
            for k, (count, out) in enumerate(zip(copies, cards_gone, strict=True))
            if count > out and (after := (*cards_gone[:k], out + 1, *cards_gone[k + 1 :]))
        ]
        if not any(cards_gone):
            return working.last("expected score", " + ".join(terms))
        if terms:
            working.let(AHEAD.format(taken=_describe_drawn_cards(points, cards_gone)), " + ".join(terms))
    raise AssertionError("unreachable: the full deck is the last one")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    points, copies, bombs = _deck(task.data)
    named = {
        _describe_drawn_cards(points, cards_gone): value for cards_gone, value in _worth(points, copies, bombs).items() if any(cards_gone)
    }
    return {AHEAD: lambda taken: named[taken], "expected score": lambda: Fraction(task.data.value)}


def _finish_task(rng: Rng, points: list[int], copies: list[int], bombs: int) -> Task[Data]:
    value = max(Fraction(0), _worth(points, copies, bombs)[(0,) * len(points)])
    cards = [
        count_noun(count, "card", "cards") + f" worth {_points(p)} {'point' if abs(p) == 1 else 'points'}"
        for p, count in zip(points, copies, strict=True)
    ]
    cards = rng.shuffled([card.replace(" of 1 points", " of 1 point") for card in cards] + [count_noun(bombs, "bomb")] * (bombs > 0))
    who = rng.choice(stories.PEOPLE)
    lines = [phrase(rng, OPENINGS, who=who, cards=join_words(cards)), phrase(rng, RULES)]
    lines += [phrase(rng, BUSTS)] if bombs else []
    lines.append(phrase(rng, ASKS, who=who))
    data = Data(cards=tuple(zip(points, copies, strict=True)), bombs=bombs, value=str(value))
    return Task(" ".join(lines), data)


def _points(points: int) -> str:
    return f"minus {-points}" if points < 0 else str(points)


def _deck(data: Data) -> tuple[list[int], list[int], int]:
    return [points for points, _ in data.cards], [copies for _, copies in data.cards], data.bombs


def _describe_drawn_cards(points: list[int], cards_gone: tuple[int, ...]) -> str:
    return (
        join_words([f"{count} of {_points(p)}" for p, count in zip(points, cards_gone, strict=True) if count])
        if any(cards_gone)
        else "none"
    )


def _collected_points(points: list[int], cards_gone: tuple[int, ...]) -> Fraction:
    return Fraction(sum(p * count for p, count in zip(points, cards_gone, strict=True)))


def _worth(points: list[int], copies: list[int], bombs: int) -> dict[tuple[int, ...], Fraction]:
    """For each number of cards drawn of each kind, the expected score of drawing one more card and then playing best."""
    worth: dict[tuple[int, ...], Fraction] = {}
    for cards_gone in reversed(list(product(*(range(count + 1) for count in copies)))):
        size = sum(copies) - sum(cards_gone) + bombs
        expected = Fraction(0)
        for k, (count, out) in enumerate(zip(copies, cards_gone, strict=True)):
            if count > out:
                after = (*cards_gone[:k], out + 1, *cards_gone[k + 1 :])
                expected += Fraction(count - out, size) * max(_collected_points(points, after), worth[after])
        worth[cards_gone] = (
            expected if sum(cards_gone) < sum(copies) else _collected_points(points, cards_gone) if not bombs else Fraction(0)
        )
    return worth


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="Work back from the empty deck: go on where the average of what the next card leads to is more than what is on the table.",
    version=4, inverts=True
)  # fmt: skip
