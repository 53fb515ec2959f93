"""Decide, offer after offer, whether to accept it or to wait for the next one, and find the expected result of deciding best.

In the shifted family earlier offers stay open, so that what counts is the best one so far.
"""

from fractions import Fraction
from functools import cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations, stories
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase
from rlgym.generators.text import english
from rlgym.generators.text.english import join_words

ANSWER = Rational("the exact amount in dollars, as an integer or a fraction a/b")
Offer = tuple[tuple[int, int], ...]  # amounts with their relative frequencies
WORTH = "worth of waiting for offer {offer}"
HELD = "worth of waiting for offer {offer} with {best} in hand"
SALES = (
    "{who} sells {thing}. {count} buyers come, one after the other, and each makes an offer.",
    "{who} receives {count} offers for {thing}, one at a time.",
    "{who} wants to sell {thing}; exactly {count} people will make an offer, one at a time.",
    "{thing}, owned by {who}, is for sale. {count} offers will be made in turn.",
)
THINGS = "a bicycle/a boat/a painting/a piano/an old car/a rare stamp/a camera/a tent/a telescope/a violin/a vase/a clock".split("/")
FORGET = (
    "Each offer must be accepted or refused before the next one is known, and a refused offer is gone for good. One offer must be "
    "accepted: the last one, if all earlier ones were refused.",
    "Each offer is either accepted at once, which ends the sale, or lost. One must be accepted: the last one, if all the others were refused.",
    "Buyers who are refused do not come back, so each offer is accepted or lost at once. Exactly one is accepted: the last one, if all the others "
    "were refused.",
    "Exactly one offer is accepted. This must be done on the spot, since a refused offer cannot be accepted later. If all the others were refused, "
    "the last one is accepted.",
)
RECALL = (
    "All offers made so far stay open: the best of them can be accepted at any time, which ends the sale. After the last offer, the best one must "
    "be accepted.",
    "No offer is withdrawn: after each one, the seller may accept the best offer so far and stop. After the last one, the best must be accepted.",
    "Earlier offers remain valid. The highest one so far can be accepted at any time, which ends the sale; after the last offer it must be accepted.",
    "Buyers keep their word, so the seller can stop after any offer and accept the highest so far; after the last one, the seller must accept it.",
)
FEES = (
    "Waiting for another offer costs ${fee} each time.",
    "Every offer after the first costs ${fee}, paid in advance.",
    "For each offer except the first, a fee of ${fee} must be paid before it is seen.",
    "Each time the seller waits for another offer, ${fee} must be paid.",
)
ASKS = (
    "If {who} makes the best decisions, what is the expected amount that {who} ends up with{net}?",
    "What is the largest expected amount that {who} can obtain{net}?",
    "{who} decides so as to maximize the expected amount obtained{net}. What is that expected amount?",
    "If {who} decides optimally, how much does {who} obtain on average{net}?",
)


class Knobs(Config):
    offers: int = knob(3, easy=2, hard=7, doc="how many offers there are")
    amounts: int = knob(3, easy=2, hard=5, doc="how many amounts an offer may have at most")
    largest: int = knob(60, easy=30, hard=200, doc="largest amount")
    kind: str = knob(
        "fee",
        easy="alike",
        hard="varied",
        order=("alike", "fee", "varied"),
        doc="offers alike and free, alike and with a fee, or each in its own way",
    )


class Data(TaskData):
    offers: tuple[Offer, ...]
    fee: int
    recall: bool
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # From the first offer on; `generate` begins with the last one.
    data = task.data

    @cache
    def worth(offer: int, best: int) -> Fraction:
        expected = Fraction(0)
        for amount, weight in data.offers[offer]:
            best_in_hand = max(amount, best) if data.recall else amount
            later = worth(offer + 1, best_in_hand if data.recall else 0) - data.fee if offer + 1 < len(data.offers) else Fraction(0)
            expected += max(Fraction(best_in_hand), later) * weight
        return expected / sum(weight for _, weight in data.offers[offer])

    return worth(0, 0)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the expected amount is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    means = [Fraction(sum(a * w for a, w in offer), sum(w for _, w in offer)) for offer in data.offers]
    return [*means, right + data.fee, right - 1, right / 2]


def cost(task: Task[Data]) -> float:
    return len(task.data.offers) * sum(map(len, task.data.offers)) * (1 + (task.data.fee > 0))


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    worth = _worth(data)
    for offer in range(len(data.offers) - 1, 0, -1):
        for best in sorted({best for at, best in worth if at == offer}):
            name = HELD.format(offer=offer + 1, best=best) if data.recall else WORTH.format(offer=offer + 1)
            working.let(name, f"{_formula(data, worth, offer, best)} - {data.fee}" if data.fee else _formula(data, worth, offer, best))
    return working.last("expected amount", _formula(data, worth, 0, 0))


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    worth = _worth(data)

    def waiting(offer: str, best: str = "0") -> Fraction:
        if (int(best) > 0) != data.recall or int(offer) < 2:
            raise ValueError("nothing is held")
        return worth[int(offer) - 1, int(best)] - data.fee

    return {HELD: waiting, WORTH: waiting, "expected amount": lambda: Fraction(data.value)}


def _sample_task(rng: Rng, knobs: Knobs, recall: bool) -> Task[Data]:
    offers = tuple(_offer(rng, knobs) for _ in range(knobs.offers))
    if knobs.kind != "varied":
        offers = offers[:1] * knobs.offers
    fee = 0 if knobs.kind == "alike" else rng.integer(1, max(2, knobs.largest // 12))
    data = Data(offers=offers, fee=fee, recall=recall, value="")
    value = _worth(data)[0, 0]
    who, thing = rng.choice(stories.PEOPLE), rng.choice(THINGS)
    opening = phrase(rng, SALES, who=who, thing=thing, count=english.number_word(knobs.offers))
    lines = [". ".join(part[0].upper() + part[1:] for part in opening.split(". "))]
    if knobs.kind == "varied":
        lines += [f"Offer {number} is {_offer_text(offer)}." for number, offer in enumerate(offers, 1)]
    else:
        lines.append(f"Each offer is {_offer_text(offers[0])}, independently of the others.")
    lines += ["The offers are independent of one another."] if knobs.kind == "varied" else []
    lines += rng.shuffled([phrase(rng, RECALL if recall else FORGET), *([phrase(rng, FEES, fee=fee)] if fee else [])])
    lines.append(phrase(rng, ASKS, who=who, net=" after all fees" if fee else ""))
    return Task(" ".join(lines), data.model_copy(update={"value": str(value)}))


def _offer(rng: Rng, knobs: Knobs) -> Offer:
    amounts = sorted(rng.sample(range(5, knobs.largest + 1), rng.integer(2, knobs.amounts)))
    return tuple((amount, rng.integer(1, 3)) for amount in amounts)


def _offer_text(offer: Offer) -> str:
    cases = sum(weight for _, weight in offer)
    return join_words([f"${amount} with probability {Fraction(weight, cases)}" for amount, weight in offer], "or")


def _worth(data: Data) -> dict[tuple[int, int], Fraction]:
    """The expected result of seeing an offer, without its fee, for each best amount in hand; 0 where nothing is kept."""
    worth: dict[tuple[int, int], Fraction] = {}
    hands = [{0}]
    for seen in data.offers[:-1]:
        hands.append({max(best, amount) if data.recall else 0 for best in hands[-1] for amount, _ in seen})
    for offer in range(len(data.offers) - 1, -1, -1):
        for best in hands[offer]:
            cases = sum(weight for _, weight in data.offers[offer])
            worth[offer, best] = sum((_result(data, worth, offer, best, a) * w for a, w in data.offers[offer]), Fraction(0)) / cases
    return worth


def _result(data: Data, worth: dict[tuple[int, int], Fraction], offer: int, best: int, amount: int) -> Fraction:
    """What an amount leads to: itself or what is in hand, or waiting on."""
    best_in_hand = max(best, amount) if data.recall else amount
    if offer + 1 == len(data.offers):
        return Fraction(best_in_hand)
    return max(Fraction(best_in_hand), worth[offer + 1, best_in_hand if data.recall else 0] - data.fee)


def _formula(data: Data, worth: dict[tuple[int, int], Fraction], offer: int, best: int) -> str:
    cases = sum(weight for _, weight in data.offers[offer])
    terms = [
        f"{calculations.operand(Fraction(w, cases))}*{calculations.operand(_result(data, worth, offer, best, a))}"
        for a, w in data.offers[offer]
    ]
    return " + ".join(terms)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="Work back from the last offer: an offer is accepted when it is more than waiting on is worth.",
    version=4,
)  # fmt: skip
