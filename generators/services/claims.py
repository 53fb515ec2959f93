"""Claims on an insurance: what happened, what the claimant says, what the police wrote down, and what is paid by the insurer's rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.users import claims_phrases
from rlgym.generators.users.claims_phrases import PLACES, THINGS
from rlgym.generators.users.desk import line
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS

RULES = ("consistent", "waiting", "late", "lock", "agree")
MOST_PLAIN = 3
"""With more claims than this, one is about no rule."""
KINDS = ("theft", "vandalism", "fire")
_REFUSE = ("waiting", "late")
_FIRST, _LAST = 8, 24
"""The days of the month on which things happen; a claim and its policy have one month."""


class Policy(NamedTuple):
    """The rules that a task states beyond the general ones, and their numbers in days."""

    rules: tuple[str, ...]
    waiting: int
    late: int


class Case(NamedTuple):
    """What is true of a claim, and what the claimant says.

    wrong     what the claimant's account has wrong: day, place, things or nothing
    insists   whether they stick to it when they are told what the police wrote down
    """

    kind: str
    month: str
    since: int
    day: int
    reported: int
    place: str
    things: tuple[str, ...]
    stated_day: int
    stated_place: str
    stated_things: tuple[str, ...]
    wrong: str
    insists: bool
    locked: bool
    agrees: bool


class Insurer(NamedTuple):
    records: tuple[Record, ...]
    people: tuple[Person, ...]


def payment(receipts: Sequence[Record], things: Sequence[str], deductible: int, limit: int, halved: bool) -> int:
    """What is paid for things: the sum of their prices, half of it where they were not locked, less the deductible, up to the limit."""
    total = sum(receipt.number("price") for receipt in receipts if receipt.facts["thing"] in things)
    return max(0, min(limit, (total // 2 if halved else total) - deductible))


def insurer(rng: Rng, policy: Policy, claims: int, things: int, told: bool, patience: int) -> Insurer:
    """Calls about claims; each stated rule decides something in one of them. `things` is the most things of a claim."""
    records, people = list[Record](), list[Person]()
    ids, names = codes(rng, claims, "C"), full_names(rng, claims)
    spare = iter(codes(rng, 24 * claims, "P"))
    for code, name, about in zip(ids, names, _subjects(rng, policy.rules, claims)):
        case = _case(rng, policy, about, things)
        number, report = next(spare), next(spare)
        covers = [kind for kind in KINDS if kind == case.kind or rng.chance(0.4)]
        if not about and rng.chance(0.8 if claims > MOST_PLAIN else 0.3):
            covers = [kind for kind in KINDS if kind != case.kind]
        deductible, limit = 10 * rng.integer(2, 5), 100 * rng.integer(8, 25)
        records.append(
            Record(
                "policy",
                number,
                {"holder": name, "since": f"{case.month} {case.since}", "covers": tuple(covers), "deductible": deductible, "limit": limit},
            )
        )
        seen: dict[str, Fact] = {
            "day": f"{case.month} {case.day}",
            "reported": f"{case.month} {case.reported}",
            "place": case.place,
            "things": case.things,
        }
        records.append(Record("report", report, seen))
        bought = {*case.things, *case.stated_things, *rng.sample(THINGS, 2)}
        records += [
            Record("receipt", next(spare), {"holder": name, "thing": thing, "price": 20 * rng.integer(3, 30)}) for thing in sorted(bought)
        ]
        records += _lines(rng, code, name, case, (number, report), told)
        receipts = [record for record in records if record.kind == "receipt" and record.facts["holder"] == name]
        sums = {
            payment(receipts, listed, deductible, limit, halved) for listed in (case.things, case.stated_things) for halved in (False, True)
        }
        due = payment(
            receipts, _due_things(policy, case), deductible, limit, "lock" in policy.rules and case.kind == "theft" and not case.locked
        )
        records += [_offered(rng, code, case, amount, amount == due) for amount in sorted(sums)]
        persona = rng.choice(PERSONAS)
        forgets = (f"{code} {rng.choice(('policy', 'report', 'date'))}".lower(),) if persona == "forgetful" else ()
        people.append(Person(code, name, persona, "claims", patience, forgets))
    return Insurer(tuple(rng.shuffled(records)), tuple(people))


def _due_things(policy: Policy, case: Case) -> tuple[str, ...]:
    """The things that are paid for: those of the report where it is compared, and those that were stated otherwise."""
    return case.things if "consistent" in policy.rules else case.stated_things


def _offered(rng: Rng, code: str, case: Case, amount: int, due: bool) -> Record:
    """What a claimant says to a sum: whether they agree to the one that is due, and an objection to any other."""
    if due:
        return line(code, f"charge {amount}", claims_phrases.offered(rng, case.agrees), agrees=case.agrees)
    return line(code, f"charge {amount}", claims_phrases.objection(rng, amount), agrees=case.agrees, objects=True)


def _subjects(rng: Rng, rules: Sequence[str], claims: int) -> list[tuple[str, ...]]:
    """Which rules each claim is about. One that refuses a claim leaves nothing for the rules on what is paid."""
    spare = claims > MOST_PLAIN  # one that the policy may not cover
    claims -= spare
    drawn: list[list[str]] = [[rule] for rule in rng.shuffled([rule for rule in rules if rule in _REFUSE])][:claims]
    drawn += [[] for _ in range(claims - len(drawn))]
    paid = [about for about in drawn if not about] or drawn[-1:]
    for place, rule in enumerate(rng.shuffled([rule for rule in rules if rule not in _REFUSE])):
        paid[place % len(paid)].append(rule)
    return rng.shuffled([*(tuple(about) for about in drawn), *([()] if spare else [])])


def _case(rng: Rng, policy: Policy, about: Sequence[str], most: int) -> Case:
    day = rng.integer(_FIRST + 2, _LAST - 6)
    since = day - rng.integer(1, policy.waiting) if "waiting" in about else day - policy.waiting - rng.integer(1, 3)
    reported = day + (policy.late + rng.integer(1, 4) if "late" in about else rng.integer(0, policy.late))
    place, *others = rng.sample(PLACES, 3)
    taken = rng.sample(THINGS, rng.integer(2, most) + 1)
    confronted = "consistent" in about or ("consistent" in policy.rules and rng.chance(0.5))
    wrong = rng.choice(("day", "place", "things")) if confronted else ""
    # A claimant who is wrong about the day names one that would suit the rules better.
    other_day = day + rng.integer(2, 4) if "waiting" not in about else since + policy.waiting + rng.integer(1, 3)
    return Case(
        kind="theft" if "lock" in about else rng.choice(KINDS),
        month=rng.choice(("March", "May", "July", "October")),
        since=max(1, since),
        day=day,
        reported=reported,
        place=place,
        things=tuple(taken[:-1]),
        stated_day=min(other_day, reported) if wrong == "day" and min(other_day, reported) != day else day - 1 if wrong == "day" else day,
        stated_place=others[0] if wrong == "place" else place,
        stated_things=tuple(rng.shuffled(taken if wrong == "things" else taken[:-1])),
        wrong=wrong,
        insists=bool(wrong) and tuple(about) in ((), ("consistent",)) and rng.chance(0.5),
        locked="lock" not in about and rng.chance(0.7),
        agrees=not ("agree" in about and rng.chance(0.5)),
    )


def _lines(rng: Rng, code: str, name: str, case: Case, numbers: tuple[str, str], told: bool) -> list[Record]:
    """What a claimant says."""
    number, report = numbers
    words = claims_phrases.opening(rng, name, case.kind)
    known = {"number": number, "things": case.stated_things} if told else {}
    words += f" My policy is {number}. {claims_phrases.things(rng, case.stated_things)}" if told else ""
    stated_day = f"{case.month} {case.stated_day}"
    lines = [
        line(code, "wish", words, kind=case.kind, **known),
        line(code, "name", f"{name}."),
        line(code, "policy", claims_phrases.number(rng, number), number=number),
        line(code, "report", claims_phrases.number(rng, report), number=report),
        line(code, "date", claims_phrases.date(rng, stated_day), day=stated_day),
        line(code, "place", claims_phrases.place(rng, case.stated_place), place=case.stated_place),
        line(code, "items", claims_phrases.things(rng, case.stated_things), things=case.stated_things),
        line(code, "lock", claims_phrases.locked(rng, case.locked), locked=case.locked),
        line(code, "phone", "The one from which I am calling."),
        line(code, "more 1", "No, that is all."),
    ]
    for topic, wrong in (("date", "day"), ("place", "place"), ("items", "things")):
        differs = case.wrong == wrong
        says = claims_phrases.confronted(rng, case.insists) if differs else "But that is what I have told you."
        lines.append(line(code, f"differs_{topic}", says, insists=differs and case.insists))
    return lines


def rules_in_words(policy: Policy) -> list[str]:
    texts = {
        "consistent": "Ask for the day, the place and the number of the police report as well, and compare the caller's account with the report. Where the "
        "day, the place or the things differ, tell the caller so. If they give in, the report holds. If they insist, refer the claim to the investigators.",
        "waiting": f"Ask when it happened. If that is {policy.waiting} days or less after the start of the policy, refuse with waiting.",
        "late": f"Ask when it happened and for the number of the police report. If it was reported to the police more than {policy.late} days later, refuse "
        "with late.",
        "lock": "In a case of theft, ask whether the things were locked. If not, half of the sum is paid, less the deductible.",
        "agree": "Name what will be paid, and ask whether the caller agrees. If not, send the claim to arbitration.",
    }
    return [text for rule, text in texts.items() if rule in policy.rules]
