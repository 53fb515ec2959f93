"""Clean up a company's contacts: merge the entries of one person, and put right what the entries say differently.

Entries are linked by e-mail or by phone and surname, also over a third one, and phone numbers and addresses are written
in several ways. Each field has a rule for which entry is believed. Judged by merges and fields at the end.
"""

from typing import Literal

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.contacts import FIELDS, PRECEDENCE, contacts, groups, right_value
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Finish, Office, Read, Record


class ListContacts(Browse):
    """Lists the entries of a company."""

    kind, by, shows = "contact", ("company",), ("name", "e-mail", "phone")
    company: str = TEXT
    page: int = FIRST_PAGE


class GetContact(Read):
    """Reads an entry; days are counted upwards."""

    kind = "contact"
    code: str = CODE


class Merge(Change):
    """Merges an entry that is dropped into one that is kept; the fields of the one kept stay as they are."""

    touches = {"keep": "contact", "drop": "contact"}
    keep: str = CODE
    drop: str = CODE


class SetField(Change):
    """Sets a field of an entry, spelled as it stands in the entry that it is taken from."""

    touches = {"contact": "contact"}
    contact: str = CODE
    field: Literal["phone", "town", "title", "plan"]
    value: str = TEXT


TOOLS = ToolCalls((ListContacts, GetContact, Merge, SetField, Finish))


class Knobs(Config):
    people: int = knob(3, easy=1, hard=6, doc="persons of the company that stand in the list, traps not counted")
    copies: int = knob(3, easy=2, hard=4, doc="most entries of one person")
    fields: int = knob(2, easy=0, hard=4, doc="fields whose rule may be another than that the newest is believed")
    traps: int = knob(1, easy=0, hard=2, doc="most other persons with the same name or phone")


class State(Office):
    company: str
    rules: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    world = contacts(rng, knobs.people, knobs.copies, knobs.fields, knobs.traps)
    believed = "\n".join(f"- {field}: {PRECEDENCE[rule]}." for field, rule in zip(FIELDS, world.rules))
    number = sum(record.facts["company"] == world.company for record in world.records)
    briefing = (
        f"Clean up the contacts of the company {world.company!r}, which has {number} entries; leave other companies alone.\n\n"
        "Two entries belong to the same person if their e-mail addresses are equal (ignoring case), or if both their phone numbers and their surnames "
        "(the last word of the name) are equal. In this comparison, spaces and slashes in a phone number are ignored, and +49 stands for the 0 at "
        "the beginning. If one entry belongs to the same person as a second, and the second as a third, all three belong to the same person.\n"
        "If a person has several entries, keep the one that was made first, and merge each of the others into it. Then correct the fields of the "
        "entry that is kept: name and e-mail stay as they are, and each of these fields must hold the right value, taken from all entries of the "
        f"person:\n{believed}\n"
        "Set only fields whose text differs from the right value as it is spelled (phone numbers too). Leave persons with one entry as they are."
    )
    state = State(briefing=briefing, records=world.records, cases=1, company=world.company, rules=world.rules)
    return desk.begun(state) if knobs.people == 1 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    rows = eyes.all(ListContacts(company=state.company))
    # Who belongs together shows in the list; all else stands in the entries.
    undated = {row.code: row._replace(facts={**row.facts, "made on day": 0}) for row in rows}
    several = [group for group in groups(list(undated.values()), chained=slip != "unchained") if len(group) > 1]
    read = eyes.reads([GetContact(code=one.code) for group in several for one in group])
    known = {record.code: record for record in read}
    return [deed for group in several for deed in _merge(state, [known[one.code] for one in group], slip)]


def _merge(state: State, entries: list[Record], slip: str) -> list[Tool]:
    group = sorted(entries, key=lambda row: row.number("made on day"))
    if slip == "keeps_newest":
        group = group[::-1]
    survivor, *rest = group
    deeds: list[Tool] = [Merge(keep=survivor.code, drop=one.code) for one in rest]
    for field, rule in zip(FIELDS, state.rules):
        value = right_value("newest" if slip == "always_newest" else rule, field, group)
        if value != survivor.facts[field]:
            deeds.append(SetField.model_validate({"contact": survivor.code, "field": field, "value": value}))
    return deeds


desk = Service(TOOLS, decide, slips=("unchained", "keeps_newest", "always_newest"))

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Link the entries by e-mail and by phone with surname, keep the first of each group, and find for each field the entry that is believed.",
    rules=desk.rules,
    version=5,
    milestones=desk.milestones,
)  # fmt: skip
