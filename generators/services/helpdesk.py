"""The people and accounts of a firm, and what they ask its helpdesk for."""

from __future__ import annotations

from typing import Any, NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.policy import Book, Clause, Policy, Rule, aim, goals
from rlgym.generators.services.records import Fact, Record

SYSTEMS = ("mail", "payroll", "builds", "archive", "wiki")
ACTIONS = ("reset", "unlock", "grant")
_DEPARTMENTS = ("finance", "research", "sales", "legal", "stores")
BOOK: Book = {
    "left": Clause("If the employment of the person has ended: refuse.", lambda f, r: f["status"] == "ended", "refuse"),
    "suspended": Clause("If the account is suspended: pass on to security.", lambda f, r: f["state"] == "suspended", "security"),
    "tries": Clause(
        "If an unlocking is asked for after more than {number} failed logins: pass on to security.",
        lambda f, r: f["action"] == "unlock" and f["failed logins"] > r.number,
        "security",
        range(6, 15),
    ),
    "open": Clause(
        "If an unlocking is asked for and the account is not locked: refuse.",
        lambda f, r: f["action"] == "unlock" and f["state"] != "locked",
        "refuse",
    ),
    "locked_reset": Clause(
        "If a new password is asked for and the account is locked: unlock it, and give no new password.",
        lambda f, r: f["action"] == "reset" and f["state"] == "locked",
        "unlock",
    ),
    "recent": Clause(
        "If a new password is asked for and the last was given less than {number} days ago: refuse.",
        lambda f, r: f["action"] == "reset" and f["days since password"] < r.number,
        "refuse",
        range(3, 11),
    ),
    "proxy": Clause(
        "If a new password is asked for by someone other than the person it is for: refuse.",
        lambda f, r: f["action"] == "reset" and f["for other"] == "yes",
        "refuse",
    ),
    "boss_only": Clause(
        "If something is asked for by someone other than the person it is for, and not by this person's manager either: refuse.",
        lambda f, r: f["for other"] == "yes" and f["manager asks"] == "no",
        "refuse",
    ),
    "owner": Clause(
        "If access is asked for and the system's owner has not approved it for this person: refuse.",
        lambda f, r: f["action"] == "grant" and f["approved"] == "no",
        "refuse",
    ),
    "external": Clause(
        "If access is asked for and the person is external: pass on to security.",
        lambda f, r: f["action"] == "grant" and f["contract"] == "external",
        "security",
    ),
    "department": Clause(
        "If access is asked for and the person is of the department that owns the system: do it.",
        lambda f, r: f["action"] == "grant" and f["department"] == f["system department"],
        "do",
        before=("owner", "external", "training"),
    ),
    "training": Clause(
        "If access is asked for and the person has not been trained for the system: refuse.",
        lambda f, r: f["action"] == "grant" and f["system"] not in f["trained for"],
        "refuse",
    ),
    "default": Clause("do what is asked for.", lambda f, r: True, "do"),
}
_Ticket = dict[str, Any]
_WORDS = {
    "reset": ("{who} needs a new password for {system}.", "Please give {who} a new password for {system}."),
    "unlock": ("The {system} account of {who} must be unlocked.", "Unlock {system} for {who}, please."),
    "grant": ("{who} needs access to {system}.", "Give {who} access to {system}."),
}
_CLAIMS = (
    "The manager has agreed.",
    "It was approved long ago.",
    "This is very urgent.",
    "Security knows about it.",
    "It worked yesterday.",
)


class Desk(NamedTuple):
    records: tuple[Record, ...]
    tickets: tuple[str, ...]


def desk(rng: Rng, policy: Policy, tickets: int, steps: int) -> Desk:
    """Tickets about people; `steps` managers may lie between a person and the one whose approval counts."""
    ids, spare, names = codes(rng, tickets, "T"), codes(rng, 8 * tickets + 25, "P"), full_names(rng, 3 * tickets + 6)
    heads = {system: spare.pop() for system in SYSTEMS}
    owns = {system: rng.choice(_DEPARTMENTS) for system in SYSTEMS}
    records = [Record("system", system, {"department": owns[system], "owner": heads[system]}) for system in SYSTEMS]
    signs = dict(heads)
    for system in SYSTEMS:
        deputies, signs[system] = _deputies(rng, heads[system], steps, spare)
        records += deputies
    records += [_person(heads[system], names.pop(), {**_draw(rng, owns, policy), "status": "active"}, "none") for system in SYSTEMS]
    for code, goal in zip(ids, goals(rng, policy, tickets, ("owner",))):
        ticket = aim(rng, BOOK, policy, goal, lambda: _draw(rng, owns, policy), _effect_of_rule)
        me, boss, other = spare.pop(), spare.pop(), spare.pop()
        asks = me if ticket["for other"] == "no" else boss if ticket["manager asks"] == "yes" else other
        records.append(_person(me, names.pop(), ticket, boss))
        records += [
            _person(who, names.pop(), {**_draw(rng, owns, policy), "status": "active"}, rng.choice(tuple(heads.values())))
            for who in (boss, other)
        ]
        account: dict[str, Fact] = {key: ticket[key] for key in ("state", "failed logins", "days since password")}
        records.append(Record("account", f"{me} {ticket['system']}".lower(), account))
        records += _approvals(rng, ticket, me, signs, (boss, heads[ticket["system"]]), spare)
        words = rng.choice(_WORDS[ticket["action"]]).format(who=me, system=ticket["system"])
        words += f" {rng.choice(_CLAIMS)}" if rng.chance(0.6) else ""
        facts: dict[str, Fact] = {"action": ticket["action"], "person": me, "system": ticket["system"], "by": asks}
        records.append(Record("ticket", code, {**facts, "says": f"{code} written by {asks}: {words}"}))
    return Desk(tuple(rng.shuffled(records)), tuple(ids))


def _effect_of_rule(case: _Ticket, rule: Rule) -> str:
    """What a rule does: a ticket is refused with the number of the rule."""
    verdict = BOOK[rule.kind].verdict
    return rule.kind if verdict == "refuse" else verdict


def _deputies(rng: Rng, owner: str, steps: int, spare: list[str]) -> tuple[list[Record], str]:
    """Who stands in for the owner of a system, and who may approve in the end."""
    records, signs = list[Record](), owner
    for _ in range(rng.integer(1, steps) if steps and rng.chance(0.8) else 0):
        records.append(Record("deputy", signs, {"deputy": spare[-1]}))
        signs = spare.pop()
    return records, signs


def _approvals(rng: Rng, ticket: _Ticket, person: str, signs: dict[str, str], others: tuple[str, ...], spare: list[str]) -> list[Record]:
    """Approvals about a person: some that count for nothing, and perhaps the one that does."""
    elsewhere = rng.choice([name for name in SYSTEMS if name != ticket["system"]])
    # An approval that counts for nothing mostly stands where the one that counts is missing.
    share = 0.2 if ticket["approved"] == "yes" else 0.8
    rows = [(other, ticket["system"]) for other in others if rng.chance(share) and other != signs[ticket["system"]]]
    rows += [(signs[elsewhere], elsewhere)] if rng.chance(0.5) else []
    rows += [(signs[ticket["system"]], ticket["system"])] if ticket["approved"] == "yes" else []
    return [Record("approval", spare.pop(), {"person": person, "system": system, "by": by}) for by, system in rows]


def _person(code: str, name: str, ticket: _Ticket, boss: str) -> Record:
    shown = {key: ticket[key] for key in ("status", "contract", "department", "trained for")}
    return Record("person", code, {"name": name, "manager": boss, **shown})


def _draw(rng: Rng, owns: dict[str, str], policy: Policy) -> _Ticket:
    system, tries = rng.choice(SYSTEMS), [rule.number for rule in policy.rules if rule.kind == "tries"] or [9]
    other = rng.chance(0.35)
    return {
        "action": rng.choice(ACTIONS),
        "system": system,
        "system department": owns[system],
        "status": rng.weighted(("active", "ended"), (6, 1)),
        "contract": rng.weighted(("permanent", "external"), (3, 1)),
        "department": rng.choice(_DEPARTMENTS),
        "trained for": tuple(name for name in SYSTEMS if rng.chance(0.6)),
        "state": rng.weighted(("open", "locked", "suspended"), (4, 4, 1)),
        "failed logins": tries[0] + rng.integer(-4, 3),
        "days since password": rng.choice((1, 2, 4, 5, 7, 9, 12, 30, 80)),
        "for other": "yes" if other else "no",
        "manager asks": rng.choice(("yes", "no")) if other else "no",
        "approved": rng.choice(("yes", "no")),
    }
