"""Work a firm's helpdesk: give new passwords, unlock accounts and grant access, as far as rules and approvals allow.

Who asks is not always whom it is about, and an approval counts only from a system's owner, or from the deputy who
stands in. Judged by what was done on each ticket.
"""

from collections.abc import Callable
from typing import Literal

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.helpdesk import BOOK, desk
from rlgym.generators.services.office import Service
from rlgym.generators.services.policy import DEFAULT, Policy, Rule, Seen, clauses, deciding, listed, policy
from rlgym.generators.services.records import CODE, FIRST_PAGE, Browse, Change, Eyes, Fact, Finish, Office, Read, Record


class ReadTicket(Read):
    """Reads a ticket."""

    kind = "ticket"
    code: str = CODE


class GetPerson(Read):
    """Reads the record of a person."""

    kind = "person"
    code: str = CODE


class GetAccount(Read):
    """Reads the state of a person's account on a system."""

    kind, by = "account", ("person", "system")
    person: str = CODE
    system: Literal["mail", "payroll", "builds", "archive", "wiki"]


class GetSystem(Read):
    """Says which department and which person own a system."""

    kind = "system"
    code: str = CODE


class ListApprovals(Browse):
    """Lists the approvals that were given for a person."""

    kind, by, shows = "approval", ("person",), ("person", "system", "by")
    person: str = CODE
    page: int = FIRST_PAGE


class GetDeputy(Read):
    """Says who stands in for a person who is away; without an entry the person is there."""

    kind = "deputy"
    code: str = CODE


class ResetPassword(Change):
    """Gives the person of a ticket a new password for its system."""

    touches = {"ticket": "ticket", "person": "person"}
    ticket: str = CODE
    person: str = CODE


class Unlock(Change):
    """Unlocks the account of the person of a ticket on its system."""

    touches = {"ticket": "ticket", "person": "person"}
    ticket: str = CODE
    person: str = CODE


class Grant(Change):
    """Grants the person of a ticket access to its system."""

    touches = {"ticket": "ticket", "person": "person"}
    ticket: str = CODE
    person: str = CODE


class PassOn(Change):
    """Passes a ticket on to security."""

    touches = {"ticket": "ticket"}
    ticket: str = CODE


class Refuse(Change):
    """Refuses a ticket, by the rule with this number."""

    touches = {"ticket": "ticket"}
    ticket: str = CODE
    rule: int


TOOLS = ToolCalls(
    (ReadTicket, GetPerson, GetAccount, GetSystem, ListApprovals, GetDeputy, ResetPassword, Unlock, Grant, PassOn, Refuse, Finish)
)


class Knobs(Config):
    tickets: int = knob(5, easy=2, hard=8, doc="tickets to be settled")
    rules: int = knob(5, easy=2, hard=8, doc="rules besides the general one")
    deputies: int = knob(1, easy=0, hard=3, doc="most people who stand in for one another between a system's owner and who may approve")


class State(Office):
    tickets: tuple[str, ...]
    policy: Policy


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, last=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Later rules overrule earlier ones."""
    return _state(rng, knobs, last=True)


def _state(rng: Rng, knobs: Knobs, last: bool) -> State:
    rules = policy(rng, BOOK, knobs.rules, last, always=("owner", "open"))
    world = desk(rng, rules, knobs.tickets, knobs.deputies)
    briefing = (
        f"You work at the helpdesk of a firm. Settle these tickets: {', '.join(world.tickets)}.\n\n"
        "Before anything is done about a ticket, the record of the person that it is about must have been read "
        "in an earlier turn. A ticket is about the person that it names, and is asked for by the person who wrote it. A system's owner has approved "
        "access if the list of the person's approvals has one for that system by its owner; but where the owner has a deputy, only one by the deputy "
        "counts, where that deputy has a deputy too, only one by the second, and so on. The records count, whatever a ticket says about the "
        f"facts.\n\n{listed(BOOK, rules)}"
    )
    state = State(briefing=briefing, records=world.records, cases=len(world.tickets), tickets=world.tickets, policy=rules)
    return office.begun(state) if knobs.tickets == 2 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    ticket = eyes.read(ReadTicket(code=state.tickets[case]))
    who, system, asks = ticket.word("person"), ticket.word("system"), ticket.word("by")
    person = eyes.read(GetPerson(code=who))
    account = GetAccount.model_validate({"person": who, "system": system})
    where: dict[str, Read | Callable[[], Fact]] = {
        **dict.fromkeys(("state", "failed logins", "days since password"), account),
        "approved": lambda: _approved(eyes, who, system, deputies=slip != "no_deputies"),
        "system department": lambda: eyes.read(GetSystem(code=system)).word("department"),
    }
    given: dict[str, Fact] = {
        "for other": "yes" if asks != who else "no",
        "manager asks": "yes" if asks == person.facts["manager"] else "no",
    }
    facts = Seen(eyes, where, {**person.facts, "action": ticket.facts["action"], "system": system, **given})
    rule: Rule = deciding(BOOK, state.policy, facts, slip)
    return [_deed(state, ticket, Rule(DEFAULT) if slip == "obliging" else rule)]


def _approved(eyes: Eyes, person: str, system: str, deputies: bool) -> str:
    signs = eyes.read(GetSystem(code=system)).word("owner")
    while deputies and (stands_in := eyes.find(GetDeputy(code=signs))):
        signs = stands_in.word("deputy")
    given = eyes.all(ListApprovals(person=person))
    return "yes" if any(one.facts["system"] == system and one.facts["by"] == signs for one in given) else "no"


def _deed(state: State, ticket: Record, rule: Rule) -> Tool:
    verdict = BOOK[rule.kind].verdict
    if verdict == "refuse":
        return Refuse(ticket=ticket.code, rule=state.policy.rules.index(rule) + 1)
    if verdict == "security":
        return PassOn(ticket=ticket.code)
    does = Unlock if verdict == "unlock" else {"reset": ResetPassword, "unlock": Unlock, "grant": Grant}[ticket.word("action")]
    return does(ticket=ticket.code, person=ticket.word("person"))


def _needs(state: State, change: Tool) -> list[str]:
    assert isinstance(change, ResetPassword | Unlock | Grant | PassOn | Refuse)
    return [record.word("person") for record in state.records if record.code == change.ticket]


office = Service(TOOLS, decide, slips=("hasty", "obliging", "no_deputies"), needs=_needs, stated=clauses)

environment = Game(
    Knobs, TOOLS, start, office.show, office.act, office.outcome, office.best, office.mistakes, office.cost, office.turns, office.explain,
    shift=shift,
    concept="See whom a ticket is about and who asks, follow deputies to the one whose approval counts, and take the rule that decides.",
    version=7,
    rules=office.rules,
    milestones=office.milestones,
)  # fmt: skip
