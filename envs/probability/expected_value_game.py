"""Turn over cards as long as it pays: the expected result of a game in which one may stop at any time.

The deck is known and cards do not go back, so that each card changes what is to be expected. In the shifted family all cards win, but
some end the game and take everything won.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import chances, stories, worked
from rlgym.generators.stories import counted, listed, told

AHEAD = "worth of turning over a card when {taken} are gone"
OPENINGS = (
    "{who} plays a game with a shuffled deck that consists of {cards}.",
    "A deck of {cards} is shuffled and laid face down before {who}.",
    "{who} knows that a shuffled deck holds {cards}, and nothing else.",
    "For a game, {cards} are shuffled well and put in a pile, face down, in front of {who}.",
)
RULES = (
    "Cards are turned over one by one and put aside. Their points add up; before each card one may stop and keep the sum so far (0 at the start).",
    "One card after the other is turned over and not put back. At any moment, even before the first card, one may stop and keep the sum of the points so far.",
    "The score is the sum of the points on the cards turned over, which do not go back. One may stop whenever one likes, also at once with 0 points.",
    "Turned-over cards stay on the table and their points add up. Before any card, the first included, one may end the game with the points on the table.",
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
    "Find the largest expected score that {who} can reach by stopping well.",
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
    return _told(rng, points, copies, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    points = rng.sample(range(1, knobs.points + 1), knobs.kinds)
    return _told(rng, points, [rng.integer(1, knobs.copies) for _ in points], rng.integer(max(1, knobs.bad - 1), knobs.bad))


def solve(task: Task[Data]) -> Fraction:
    # From the full deck on, counting what is left; `generate` begins with the empty deck and counts what is gone.
    points = [points for points, _ in task.data.cards]

    @cache
    def more(left: tuple[int, ...]) -> Fraction:
        """What going on as well as possible adds to the sum so far."""
        size = sum(left) + task.data.bombs
        if not size:
            return Fraction(0)
        so_far = sum(p * (copies - count) for (p, copies), count in zip(task.data.cards, left, strict=True))
        gained = Fraction(-so_far * task.data.bombs, size)
        for k, count in enumerate(left):
            if count:
                gained += Fraction(count, size) * (points[k] + more((*left[:k], count - 1, *left[k + 1 :])))
        return max(Fraction(0), gained)

    return more(tuple(copies for _, copies in task.data.cards))


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "that is another score")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    cards = task.data.cards
    total, size = sum(points * copies for points, copies in cards), sum(copies for _, copies in cards) + task.data.bombs
    return [Fraction(total), Fraction(total, size), right + 1, right / 2, Fraction(max(points for points, _ in cards))]


def cost(task: Task[Data]) -> float:
    states = 1
    for _, copies in task.data.cards:
        states *= copies + 1
    return states * len(task.data.cards) * (1 + task.data.bombs / 10) + max(points for points, _ in task.data.cards) / 10


def explain(task: Task[Data]) -> list[str]:
    points, copies, bombs = _deck(task.data)
    working = chances.Working()
    worth = _worth(points, copies, bombs)
    for gone in reversed(list(product(*(range(count + 1) for count in copies)))):
        size = sum(copies) - sum(gone) + bombs
        terms = [
            f"({count - out}/{size})*{worked.inside(max(_so_far(points, after), worth[after]))}"
            for k, (count, out) in enumerate(zip(copies, gone, strict=True))
            if count > out and (after := (*gone[:k], out + 1, *gone[k + 1 :]))
        ]
        if not any(gone):
            return working.last("expected score", " + ".join(terms))
        if terms:
            working.let(AHEAD.format(taken=_named(points, gone)), " + ".join(terms))
    raise AssertionError("unreachable: the full deck is the last one")


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    points, copies, bombs = _deck(task.data)
    named = {_named(points, gone): value for gone, value in _worth(points, copies, bombs).items() if any(gone)}
    kinds: chances.Kinds = {AHEAD: lambda taken: named[taken], "expected score": lambda: Fraction(task.data.value)}
    return chances.replayed(task, steps, kinds, _ANSWER, verify)


def _told(rng: Rng, points: list[int], copies: list[int], bombs: int) -> Task[Data]:
    value = max(Fraction(0), _worth(points, copies, bombs)[(0,) * len(points)])
    cards = [counted(count, "card", "cards") + f" of {_points(p)} points" for p, count in zip(points, copies, strict=True)]
    cards = rng.shuffled([card.replace(" of 1 points", " of 1 point") for card in cards] + [counted(bombs, "bomb")] * (bombs > 0))
    who = rng.choice(stories.PEOPLE)
    lines = [told(rng, OPENINGS, who=who, cards=listed(cards)), told(rng, RULES)]
    lines += [told(rng, BUSTS)] if bombs else []
    lines.append(told(rng, ASKS, who=who))
    data = Data(cards=tuple(zip(points, copies, strict=True)), bombs=bombs, value=str(value))
    return Task(" ".join(lines), data)


def _points(points: int) -> str:
    return f"minus {-points}" if points < 0 else str(points)


def _deck(data: Data) -> tuple[list[int], list[int], int]:
    return [points for points, _ in data.cards], [copies for _, copies in data.cards], data.bombs


def _named(points: list[int], gone: tuple[int, ...]) -> str:
    return listed([f"{count} of {_points(p)}" for p, count in zip(points, gone, strict=True) if count]) if any(gone) else "none"


def _so_far(points: list[int], gone: tuple[int, ...]) -> Fraction:
    return Fraction(sum(p * count for p, count in zip(points, gone, strict=True)))


def _worth(points: list[int], copies: list[int], bombs: int) -> dict[tuple[int, ...], Fraction]:
    """For what is gone of each kind, the expected score of turning over one more card and playing best from there."""
    worth: dict[tuple[int, ...], Fraction] = {}
    for gone in reversed(list(product(*(range(count + 1) for count in copies)))):
        size = sum(copies) - sum(gone) + bombs
        found = Fraction(0)
        for k, (count, out) in enumerate(zip(copies, gone, strict=True)):
            if count > out:
                after = (*gone[:k], out + 1, *gone[k + 1 :])
                found += Fraction(count - out, size) * max(_so_far(points, after), worth[after])
        worth[gone] = found if sum(gone) < sum(copies) else _so_far(points, gone) if not bombs else Fraction(0)
    return worth


_ANSWER = Rational("the exact expected score, as an integer or a fraction a/b")

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Work back from the empty deck: go on where the average of what the next card leads to is more than what is on the table.",
)
