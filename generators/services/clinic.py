"""A clinic's patients, appointments and free slots, and callers who want to book, move or cancel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.policy import Book, Clause, Policy, Rule, aim, goals
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.users import clinic_phrases as phrases
from rlgym.generators.users.desk import line
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS
from rlgym.generators.users.slots import WEEKDAYS

FEE = 20
WARNING_SIGNS = ("chest pain", "trouble with breathing", "a face that has gone numb")
INSURERS = ("Almira", "Borealis", "Cordial", "Delphi", "Evergreen")
KINDS = ("check-up", "operation", "blood test", "vaccination")
HOURS = tuple(f"{hour}:{minute:02}" for hour in range(8, 17) for minute in (0, 15, 30, 45))
BOOK: Book = {
    "operation": Clause(
        "If an operation is to be cancelled: put the wish through to the nurse.",
        lambda f, r: f["wish"] == "cancel" and f["kind"] == "operation",
        "nurse",
    ),
    "blood_test": Clause(
        "If a blood test is to be cancelled and it was booked by a doctor: refuse.",
        lambda f, r: f["wish"] == "cancel" and f["kind"] == "blood test" and f["booked by"] == "doctor",
        "refuse",
    ),
    "late": Clause(
        f"If an appointment less than {{number}} days ahead is to be cancelled: cancel it with a fee of {FEE} coins, but only if the caller agrees to pay "
        "this amount; if not, keep it.",
        lambda f, r: f["wish"] == "cancel" and f["days ahead"] < r.number,
        "fee",
        range(3, 9),
    ),
    "late_move": Clause(
        "If an appointment less than {number} days ahead is to be moved: refuse.",
        lambda f, r: f["wish"] == "move" and f["days ahead"] < r.number,
        "refuse",
        range(2, 7),
    ),
    "moved": Clause(
        "If an appointment is to be moved that was moved {number} or more times before: put the wish through to the nurse.",
        lambda f, r: f["wish"] == "move" and f["times moved"] >= r.number,
        "nurse",
        range(2, 4),
    ),
    "missed": Clause(
        "If the patient missed {number} or more appointments this year and wants one booked or moved: refuse.",
        lambda f, r: f["wish"] in ("book", "move") and f["missed this year"] >= r.number,
        "refuse",
        range(2, 5),
    ),
    "urgent": Clause(
        f"If an appointment is to be booked for {', '.join(WARNING_SIGNS[:-1])} or {WARNING_SIGNS[-1]}: put the wish through to the nurse.",
        lambda f, r: f["wish"] == "book" and f["urgent"] == "yes",
        "nurse",
    ),
    "referral": Clause(
        "If an appointment is to be booked and the patient's record has no referral to that department: refuse.",
        lambda f, r: f["wish"] == "book" and f["department"] not in f["referrals"],
        "refuse",
    ),
    "insurer": Clause(
        "If an appointment is to be booked and the caller is insured with {word}: refuse.",
        lambda f, r: f["wish"] == "book" and f["insurer"] == r.word,
        "refuse",
        choices=INSURERS,
    ),
    "default": Clause("do what is wanted.", lambda f, r: True, "do"),
}
WISHES = {"cancel": ("cancel",), "move": ("cancel", "move"), "book": ("cancel", "move", "book")}
_ABOUT = {
    "cancel": ("operation", "blood_test", "late"),
    "move": ("late_move", "moved", "missed"),
    "book": ("urgent", "referral", "insurer"),
}


class Clinic(NamedTuple):
    records: tuple[Record, ...]
    people: tuple[Person, ...]


class Caller(NamedTuple):
    """What a caller wants: the first wish, then the further ones, in the order in which they are said."""

    code: str
    patient: Record
    department: str
    cases: tuple[dict[str, Any], ...]
    withdrawn: bool
    honest: bool


def book(wishes: str) -> Book:
    """The clauses that calls with these wishes can need."""
    kinds = [kind for wish in WISHES[wishes] for kind in _ABOUT[wish]]
    return {kind: clause for kind, clause in BOOK.items() if kind in kinds or kind == "default"}


def clinic(rng: Rng, policy: Policy, wishes: str, calls: int, slots: int, refusals: int, checked: bool, further: bool) -> Clinic:
    """A clinic with callers. Checked callers may not be who they say they are, and further wishes come up when they are asked for."""
    patients = _patients(rng, calls, checked)
    departments = rng.sample(tuple(phrases.REASONS), calls)
    kinds_of_calls = [_kind_of_call(rng, further, checked) for _ in range(calls)]
    count = sum({"withdrawn": 0, "second": 2}.get(kind, 1) for kind in kinds_of_calls)
    due, seconds = goals(rng, policy, max(1, count), ("default",)), [kind == "second" for kind in kinds_of_calls]
    firsts, extra = due[: len(due) - sum(seconds)], [kind for kind in due if kind in (*_ABOUT["cancel"], "default")]
    if wishes != "cancel" and "default" not in firsts:
        firsts[-1:] = ["default"]
    callers = list[Caller]()
    for kind, patient, department, code in zip(kinds_of_calls, patients, departments, codes(rng, calls, "L")):
        goal = firsts.pop() if firsts and kind != "withdrawn" else "default"
        cases = [_sample_decisive_case(rng, policy, goal, wishes, department, patient)]
        if kind == "second":
            other = rng.choice([name for name in phrases.REASONS if name != department])
            second = _sample_decisive_case(rng, policy, rng.choice(extra or ["default"]), "cancel", other, patient)
            cases.append({**second, "pays": cases[0]["pays"]})
        callers.append(Caller(code, patient, department, tuple(cases), kind == "withdrawn", kind != "dishonest"))
    records, people = [*patients], list[Person]()
    for caller in callers:
        records += _records_of(rng, caller, slots, refusals, checked, further)
        forgets = (f"{caller.code} {rng.choice(('wish', 'birth_date', 'times'))}".lower(),) if calls > 1 and rng.chance(0.3) else ()
        people.append(Person(caller.code, caller.patient.word("name"), rng.choice(PERSONAS), "clinic", 6, forgets))
    return Clinic((*rng.shuffled(records),), tuple(people))


def _kind_of_call(rng: Rng, further: bool, checked: bool) -> str:
    kinds = ("plain", *(("second", "withdrawn") if further else ()), *(("dishonest",) if checked else ()))
    weights = {"plain": 5, "second": 3, "withdrawn": 1, "dishonest": 1}
    drawn: str = rng.weighted(kinds, [weights[kind] for kind in kinds])
    return drawn


def _patients(rng: Rng, calls: int, checked: bool) -> list[Record]:
    """The patients who call, and others, of whom some have the same names."""
    names = full_names(rng, min(14, calls + 3))
    twins = [name for name in names[:calls] if checked and rng.chance(0.4)]
    named = [*names, *twins]
    births = rng.sample(range(360 * 60), len(named))
    return [
        Record(
            "patient",
            code,
            {
                "name": name,
                "birth date": _date(born),
                "missed this year": rng.weighted((0, 1, 2, 3, 4), (4, 3, 2, 1, 1)),
                "referrals": tuple(rng.sample(tuple(phrases.REASONS), rng.integer(0, 2))),
            },
        )
        for name, born, code in zip(named, births, codes(rng, len(named), "P"))
    ]


def _date(day: int) -> str:
    """A date as YYYY-MM-DD, from a count of days in years of 12 months of 28 days."""
    return f"{1945 + day // 360}-{day // 30 % 12 + 1:02}-{min(day % 30 + 1, 28):02}"


def _sample_decisive_case(rng: Rng, policy: Policy, goal: str, wishes: str, department: str, patient: Record) -> dict[str, Any]:
    """A case that a rule decides. Where it rests on the patient's record, that is changed with it."""
    rules = book(wishes)
    known = policy._replace(rules=tuple(rule for rule in policy.rules if rule.kind in rules))
    # What no rule stands against is a booking or a move where there can be one, so that a slot is agreed on.
    options = WISHES[wishes][1:] if goal == "default" and wishes != "cancel" else WISHES[wishes]
    draw = partial(_sample_case, rng, policy, options, department, patient)
    case = aim(rng, rules, known, goal if goal in rules else "default", draw, _effect)
    if case["wish"] != "cancel":
        patient.facts.update({"missed this year": case["missed this year"], "referrals": case["referrals"]})
    return case


def _effect(case: dict[str, Any], rule: Rule) -> str:
    verdict: str = BOOK[rule.kind].verdict
    return str(rule.kind) if verdict == "refuse" else f"fee {case['pays']}" if verdict == "fee" else verdict


def _sample_case(rng: Rng, policy: Policy, options: Sequence[str], department: str, patient: Record) -> dict[str, Any]:
    limits = [rule.number for rule in policy.rules if rule.kind in ("late", "late_move")]
    ahead = rng.choice(limits) + rng.integer(-2, 2) if limits and rng.chance(0.7) else rng.integer(1, 40)
    own = (department,) if rng.chance(0.7) else ()
    others = [name for name in phrases.REASONS if name != department]
    rejected = [rule.word for rule in policy.rules if rule.kind == "insurer"]
    return {
        **patient.facts,
        "wish": rng.choice(options),
        "department": department,
        "kind": rng.weighted(KINDS, (4, 2, 2, 2)),
        "booked by": rng.choice(("doctor", "patient")),
        "days ahead": max(1, ahead),
        "times moved": rng.weighted((0, 1, 2, 3), (3, 2, 2, 1)),
        "missed this year": rng.weighted((0, 1, 2, 3, 4), (4, 3, 2, 1, 1)),
        "referrals": (*own, *rng.sample(others, rng.integer(0, 2))),
        "urgent": rng.weighted(("no", "yes"), (3, 1)),
        "insurer": rng.choice(rejected) if rejected and rng.chance(0.4) else rng.choice(INSURERS),
        "pays": rng.choice(("yes", "yes", "no")),
    }


def _records_of(rng: Rng, caller: Caller, slots: int, refusals: int, checked: bool, further: bool) -> list[Record]:
    """The appointments that a call is about, the free slots of its department, and all that the caller can say."""
    code, first = caller.code, caller.cases[0]
    appointments = [_appointment(rng, caller.patient.code, case) for case in caller.cases if case["wish"] != "book"]
    named = iter(appointments)
    names = [_appointment_reference(case, next(named) if case["wish"] != "book" else None, checked) for case in caller.cases]
    records = [*appointments, line(code, "wish", phrases.wish(rng, first["wish"], names[0][1]), wish=first["wish"], **names[0][0])]
    stated_date = caller.patient.word("birth date") if caller.honest else _date(rng.integer(0, 360 * 60 - 1))
    records.append(line(code, "birth_date", phrases.birth_date(rng, stated_date), **{"birth date": stated_date}))
    if first["wish"] == "book":
        records += _answers_on_booking(rng, code, first)
    if any(case["wish"] == "cancel" for case in caller.cases):
        records.append(line(code, f"charge {FEE}", phrases.agreement(rng, first["pays"]), pays=first["pays"]))
    if first["wish"] != "cancel":
        records += _slots(rng, caller, slots, refusals)
    if further:
        records += _further(rng, caller, names[1:])
    return records


def _further(rng: Rng, caller: Caller, names: Sequence[tuple[dict[str, str], str]]) -> list[Record]:
    code = caller.code
    more = [line(code, "more 1", phrases.wish(rng, "cancel", words), wish="cancel", **facts) for facts, words in names]
    if caller.withdrawn:
        more = [line(code, "more 1", phrases.withdrawal(rng), wish="withdrawn")]
    return [*more, line(code, f"more {len(more) + 1}", phrases.nothing_more(rng), wish="none")]


def _answers_on_booking(rng: Rng, code: str, case: dict[str, Any]) -> list[Record]:
    reasons = WARNING_SIGNS if case["urgent"] == "yes" else phrases.REASONS[case["department"]]
    return [
        line(code, "reason", phrases.complaint(rng, rng.choice(reasons)), urgent=case["urgent"]),
        line(code, "insurance", phrases.insurance(rng, case["insurer"]), insurer=case["insurer"]),
        line(code, "referral", phrases.referral(rng)),
    ]


def _appointment(rng: Rng, patient: str, case: dict[str, Any]) -> Record:
    shown = ("department", "kind", "booked by", "days ahead", "times moved")
    return Record("appointment", codes(rng, 1, "A")[0], {"patient": patient, **{name: case[name] for name in shown}})


def _appointment_reference(case: dict[str, Any], appointment: Record | None, checked: bool) -> tuple[dict[str, str], str]:
    """How a caller names an appointment: by its code, or by its department where the patient is known."""
    if appointment is None:
        return {"appointment": "", "department": case["department"]}, f"the {case['department']} department"
    if checked:
        return {"appointment": "", "department": case["department"]}, f"my {case['department']} appointment"
    return {"appointment": appointment.code, "department": ""}, f"appointment {appointment.code}"


def _slots(rng: Rng, caller: Caller, count: int, refusals: int) -> list[Record]:
    """Free slots of a department, with the times at which the caller can come, and an answer to the offer of each slot."""
    for _ in range(100):
        days = sorted(rng.sample(range(5), rng.integer(2, 3)))
        opens, closes = rng.choice(((0, 36), (8, 36), (14, 36), (0, 20), (0, 14)))
        places = sorted(rng.sample(range(5 * 36), count))
        fitting = [place for place in places if place // 36 in days and opens <= place % 36 < closes]
        if len(fitting) > refusals and fitting[0] != places[0]:
            break
    refused = fitting[: min(refusals, len(fitting) - 1)] if rng.chance(0.7) else []
    doctors = rng.sample(phrases.DOCTORS, 2)
    says = phrases.times(rng, [WEEKDAYS[day] for day in days], opens, closes, HOURS)
    records = [line(caller.code, "times", says, days=tuple(WEEKDAYS[day] for day in days), opens=opens, closes=closes)]
    records.append(line(caller.code, "doctor", phrases.any_doctor(rng)))
    for place, code in zip(places, codes(rng, count, "S")):
        day, time = WEEKDAYS[place // 36], HOURS[place % 36]
        facts: dict[str, Fact] = {"department": caller.department, "day": day, "time": time, "doctor": rng.choice(doctors)}
        records.append(Record("slot", code, facts))
        accepts = "yes" if place in fitting and place not in refused else "no"
        says = phrases.accepts(rng) if accepts == "yes" else phrases.engaged(rng, day) if place in refused else phrases.cannot_come(rng)
        records.append(line(caller.code, f"offer {day} at {time}", says, accepts=accepts))
    return records
