"""Pupils who get sums wrong in a systematic way: the faulty procedures, and what each of them answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.text.english import count_noun
from rlgym.generators.users.calls import Exchange, exchange
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.phrases import PERSONAS
from rlgym.generators.users.sums import Sum, sums

RULES = ("topic", "praise", "explain", "twice")
MOST = 9999
"""Numbers above this are too large for the pupils."""


def _digits(number: int) -> list[int]:
    """The digits from the ones up."""
    return [int(digit) for digit in reversed(str(number))]


def _number(digits: Sequence[int]) -> int:
    return int("".join(str(digit) for digit in reversed(digits)) or "0")


def _columns(left: int, right: int) -> list[tuple[int, int]]:
    tops, bottoms = _digits(left), _digits(right)
    length = max(len(tops), len(bottoms))
    return list(zip(tops + [0] * (length - len(tops)), bottoms + [0] * (length - len(bottoms))))


def smaller_from_larger(left: int, right: int) -> int:
    return _number([abs(top - bottom) for top, bottom in _columns(left, right)])


def borrows_for_free(left: int, right: int) -> int:
    return _number([top - bottom if top >= bottom else top + 10 - bottom for top, bottom in _columns(left, right)])


def writes_zero(left: int, right: int) -> int:
    return _number([max(0, top - bottom) for top, bottom in _columns(left, right)])


def zero_gives_the_digit(left: int, right: int) -> int:
    """Subtracts rightly, save that nothing less something gives that something."""
    written, borrowed = list[int](), 0
    for top, bottom in _columns(left, right):
        if top == 0 and bottom:
            written.append(bottom)
            borrowed = 0
            continue
        value = top - borrowed - bottom
        borrowed = int(value < 0)
        written.append(value + 10 * borrowed)
    return _number(written)


def forgets_the_carry(left: int, right: int) -> int:
    return _number([(top + bottom) % 10 for top, bottom in _columns(left, right)])


def writes_whole_sums(left: int, right: int) -> int:
    return int("".join(str(top + bottom) for top, bottom in reversed(_columns(left, right))))


def carries_too_often(left: int, right: int) -> int:
    """Adds one to every column after the ones."""
    columns = [top + bottom + (place > 0) for place, (top, bottom) in enumerate(_columns(left, right))]
    return _number([value % 10 for value in columns[:-1]]) + columns[-1] * int("1" + "0" * (len(columns) - 1))


def multiplies_each_alone(left: int, right: int) -> int:
    """Multiplies digit by digit and forgets what is carried."""
    return _number([top * right % 10 for top in _digits(left)])


def multiplies_the_ones_only(left: int, right: int) -> int:
    ones, *others = _digits(left)
    return _number([ones * right % 10, *others]) + 10 * (ones * right // 10)


class Fault(NamedTuple):
    sign: str
    words: str
    answer: Callable[[int, int], int]


FAULTS: Mapping[str, Fault] = {
    "smaller_from_larger": Fault("-", "takes the smaller digit of each column from the larger one", smaller_from_larger),
    "forgets_carry": Fault("+", "writes the last digit of each column and forgets the carry", forgets_the_carry),
    "free_borrow": Fault("-", "borrows ten for a column without taking one from the next", borrows_for_free),
    "whole_sums": Fault("+", "writes down the whole sum of each column, such as both digits of 12 for 4 + 8", writes_whole_sums),
    "writes_zero": Fault("-", "writes 0 in each column where the upper digit is smaller", writes_zero),
    "multiplies_alone": Fault("x", "multiplies each digit and forgets the carry", multiplies_each_alone),
    "always_carries": Fault("+", "adds 1 to every column after the ones, whether there is a carry or not", carries_too_often),
    "zero_digit": Fault("-", "says that 0 less a digit is that digit, without borrowing", zero_gives_the_digit),
    "ones_only": Fault("x", "multiplies the ones only, adds the carry, and copies the other digits", multiplies_the_ones_only),
}


class Pupil(NamedTuple):
    """A pupil with a fault. `slips` is the number of the sum in which they also miscount, or 0."""

    person: Person
    fault: str
    slips: int


class Heard(NamedTuple):
    """The sums that a pupil was given with the answers, and what else has happened."""

    answers: tuple[tuple[Sum, int], ...] = ()
    topics: tuple[str, ...] = ()
    praised: bool = False
    broken: str = ""


def possible(sum_: Sum) -> bool:
    """Whether pupils can be given a sum: products have one digit on the right."""
    small = min(sum_.left, sum_.right) >= 0 and max(sum_.left, sum_.right) <= MOST
    return small and sum_.result >= 0 and (sum_.sign != "x" or sum_.right < 10)


@lru_cache(maxsize=4096)
def answer(fault: str, sum_: Sum) -> int:
    """What a pupil with a fault answers; the right result where the fault is about another operation."""
    known = FAULTS[fault]
    return known.answer(sum_.left, sum_.right) if known.sign == sum_.sign else sum_.result


def candidates(answers: Sequence[tuple[Sum, int]], faults: Sequence[str]) -> list[str]:
    """The faults that explain the answers, each sum by its last answer. An answer that none of them explains is a slip and tells nothing."""
    last = dict(answers)
    telling = {each: said for each, said in last.items() if any(answer(fault, each) == said for fault in faults)}
    return [fault for fault in faults if all(answer(fault, each) == said for each, said in telling.items())]


def signs(answers: Sequence[tuple[Sum, int]], fault: str) -> int:
    """How many sums show a fault: their answer is the fault's, and not the right one."""
    return sum(said == answer(fault, each) != each.result for each, said in dict(answers).items())


def school_class(rng: Rng, pupils: int, faults: Sequence[str], slips: bool, patience: int) -> tuple[Pupil, ...]:
    names, ids = full_names(rng, pupils), codes(rng, pupils, "P")
    return tuple(
        Pupil(
            Person(code, name, rng.choice([one for one in PERSONAS if one != "formal"]), "pupil", patience),
            rng.choice(faults),
            rng.integer(1, 2) if slips and rng.chance(0.7) else 0,
        )
        for code, name in zip(ids, names)
    )


def reply(
    pupil: Pupil, faults: Sequence[str], rules: Sequence[str], limit: int, chat: Chat, heard: Heard, text: str
) -> tuple[Heard, Exchange]:
    """What a pupil has answered after a message, and the conversation."""
    rng = Rng("pupil", pupil.person.code, chat.messages)

    def react(held: Heard, meaning: Meaning) -> tuple[Heard, Line | None]:
        match meaning.intent:
            case "ask:solve":
                return _solved(pupil, faults, rules, limit, held, sums(pupil.person.hears(text))[:3])
            case "do:praise":
                return held._replace(praised=True), Line("", rng.choice(("Thank you!", "Really? That is nice.", "I try my best.")))
            case "ask:explain":
                said = held._replace(topics=(*held.topics, "explain"))
                return said, Line("", rng.choice(("I go from right to left, as we learned it.", "Column by column, in my head.")))
            case "ask:topic" | "open":
                said = held._replace(topics=(*held.topics, "topic"))
                word = {"-": "minus", "+": "plus", "x": "times"}[FAULTS[pupil.fault].sign]
                return said, Line("", rng.choice(("I get sums with {} wrong.", "It is {} that my teacher marks red.")).format(word))
            case "ask:tired":
                return held, Line("", "No, I can go on.")
            case "anything_else":
                return held, Line("", "No, only that.")
        return held, None

    return exchange(pupil.person, chat, text, heard, react)


def _solved(
    pupil: Pupil, faults: Sequence[str], rules: Sequence[str], limit: int, heard: Heard, given: Sequence[Sum]
) -> tuple[Heard, Line]:
    words = list[str]()
    broken = "a pupil was given a sum before being asked what they find hard" if "topic" in rules and "topic" not in heard.topics else ""
    for each in given:
        if not possible(each):
            words.append(f"{each} is too hard for me.")
            continue
        said = answer(pupil.fault, each)
        if len(heard.answers) + 1 == pupil.slips:
            said = next(
                said + more for more in (3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14) if all(answer(fault, each) != said + more for fault in faults)
            )
        heard = heard._replace(answers=(*heard.answers, (each, said)))
        words.append(f"{each} is {said}.")
    broken = broken or ("a pupil was given too many sums" if len(heard.answers) > limit else "")
    return heard._replace(broken=heard.broken or broken), Line("", " ".join(words) or "Which numbers?")


def gap(heard: Heard, fault: str, faults: Sequence[str], rules: Sequence[str]) -> str:
    """What should have been heard or said before a diagnosis, or nothing."""
    if candidates(heard.answers, faults) != [fault] or not signs(heard.answers, fault):
        return "a fault was named that the answers do not prove"
    if "twice" in rules and signs(heard.answers, fault) < 2:
        return "a fault was named that had shown only once"
    if "explain" in rules and "explain" not in heard.topics:
        return "a pupil had not been asked how they did it"
    return "a pupil had not been praised" if "praise" in rules and not heard.praised else ""


def briefing(pupils: Sequence[Pupil], faults: Sequence[str], rules: Sequence[str], limit: int, slips: bool) -> str:
    """The task, without the tools."""
    named = ", ".join(f"{pupil.person.code} ({pupil.person.name})" for pupil in pupils)
    each, several = ("each pupil", True) if len(pupils) > 1 else ("the pupil", False)
    word = {"-": "Subtraction", "+": "Addition", "x": "Multiplication by one digit"}
    lines = "".join(f"\n- {fault}: {word[FAULTS[fault].sign]}: {FAULTS[fault].words}." for fault in faults)
    texts = {
        "topic": f"Ask {each} what they find hard before you give a sum.",
        "praise": f"Praise {each} at least once.",
        "explain": f"Ask {each} at least once how they did it. What they say may not help.",
        "twice": "Name a fault only when two different sums have shown it by a wrong answer.",
    }
    stated = "".join(f"\n- {text}" for rule, text in texts.items() if rule in rules)
    wrong = "" if "twice" in rules else ", and at least one of them is wrong because of it"
    careless = (
        " A pupil may miscount once: an answer that no fault in the list explains says nothing; give that sum again or another one."
        if slips
        else ""
    )
    return (
        f"You are a tutor. Find out what {'these pupils do' if several else 'this pupil does'} wrong: {named}.\n\nPupils are people: speak to them in plain "
        f"English, and give them sums with numbers of at most four digits. {each.capitalize()} has exactly one of these faults, and does everything else "
        f"rightly:{lines}\n\nName the fault only when the answers leave no other in the list{wrong}; naming it too "
        f"early or wrongly loses the task. {each.capitalize()} can be given at most {count_noun(limit, 'sum')}, and leaves after more than "
        f"{count_noun(pupils[0].person.patience, 'message')} that they do not understand.{careless}"
        + (f"\n\nRules:{stated}" if stated else "")
    )
