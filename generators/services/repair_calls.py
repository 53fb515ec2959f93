"""Calls of tenants: what the agent has heard, what a tenant says and does, and the landlord's rules in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.clinic import HOURS
from rlgym.generators.services.repairs import KINDS, LOW_PRESSURE, Ending, Fault, Firm, Policy, Tenant, Visit, comes, trade
from rlgym.generators.users import clinic_phrases, tenant_phrases
from rlgym.generators.users.calls import NOTHING_ELSE, Payment, exchange
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.person import Chat, Line
from rlgym.generators.users.slots import WEEKDAYS, When


class Heard(NamedTuple):
    """What was asked and answered in a call so far."""

    topics: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    turned_down: tuple[str, ...] = ()
    agreed: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()

    def knows(self, *topics: str) -> bool:
        return set(topics) <= set(self.topics)


def reply(tenant: Tenant, fault: Fault, prices: Sequence[int], chat: Chat, heard: Heard, text: str) -> tuple[Chat, Heard, str]:
    """The conversation and what was heard in it after a message, and the tenant's words."""
    rng = Rng("tenant", tenant.person.code, chat.messages)

    def react(heard: Heard, meaning: Meaning) -> tuple[Heard, Line | None]:
        if meaning.intent == "offer" and meaning.when is not None:
            return _offered(rng, tenant, heard, meaning.when)
        if meaning.intent == "go_ahead":
            return _agreement(rng, tenant, prices if fault.by_tenant else (), heard, meaning.amount)
        topic = meaning.intent.partition(":")[2] or meaning.intent
        words = _words(rng, tenant, fault, topic)
        return (heard._replace(topics=(*heard.topics, topic)), Line(topic, words)) if words else (heard, None)

    heard, said = exchange(tenant.person, chat, text, heard, react)
    return said.chat, heard, said.words


def _offered(rng: Rng, tenant: Tenant, heard: Heard, when: When) -> tuple[Heard, Line]:
    possible = when.day in WEEKDAYS and when.time in HOURS and comes(tenant, Visit("", when.day, when.time))
    field = "accepted" if possible else "turned_down"
    heard = heard._replace(**{field: (*getattr(heard, field), str(when))})
    words = clinic_phrases.engaged(rng, when.day) if str(when) in tenant.refuses else clinic_phrases.cannot_come(rng)
    return heard, Line("", clinic_phrases.accepts(rng) if possible else words)


def _agreement(rng: Rng, tenant: Tenant, known: Sequence[int], heard: Heard, amount: int | None) -> tuple[Heard, Line]:
    yes, no = clinic_phrases.agreement(rng, "yes"), "No, I will not pay for that."
    agrees, words = Payment(
        known, tenant.pays, "If it costs me nothing, go ahead; if it does, tell me how much.", "No. Why should I pay that?", yes, no
    ).answer(amount)
    if agrees is None or amount is None:
        return heard, Line("", words)
    field = "agreed" if agrees else "refused"
    return heard._replace(**{field: (*getattr(heard, field), amount)}), Line("", words)


def _words(rng: Rng, tenant: Tenant, fault: Fault, topic: str) -> str:
    """What a tenant says about a topic; empty where they know nothing of it."""
    match topic:
        case "open":
            return tenant_phrases.report(rng, fault.kind)
        case "flat":
            return tenant_phrases.flat(rng, tenant.flat)
        case "danger":
            return tenant_phrases.danger(rng, fault.danger)
        case "since":
            return tenant_phrases.since(rng, fault.days)
        case "cause":
            return tenant_phrases.cause(Rng("cause", tenant.person.code), fault.by_tenant)
        case "times":
            return clinic_phrases.times(rng, [WEEKDAYS[day] for day in tenant.days], tenant.opens, tenant.closes, HOURS)
        case "breaker" if fault.kind == "socket":
            return tenant_phrases.breaker(rng, fault.tripped)
        case "valve" if fault.kind == "leak":
            return tenant_phrases.valve(rng)
        case "gauge" if fault.kind == "heating":
            return tenant_phrases.gauge(rng, fault.tenths)
        case "anything_else":
            return NOTHING_ELSE
    return ""


def gap(goal: Ending, fault: Fault, tenant: Tenant, firm: Firm | None, heard: Heard, files: bool, policy: Policy) -> str:
    """What should have been asked or done before the call was ended, or nothing."""
    if "identify" in policy.rules and not (heard.knows("flat") and files):
        return "a call was ended before the flat had been asked for and looked up"
    if goal.reason == "not_the_tenant":
        return ""
    if "danger" in policy.rules and not heard.knows("danger"):
        return "a call was ended before the caller had been asked for danger"
    if goal.how == "alarm":
        return ""
    if fault.kind == "socket" and not heard.knows("breaker"):
        return "a call was ended before the caller had looked at the fuse box"
    if goal.how == "solved":
        return ""
    if fault.kind == "heating" and not heard.knows("gauge"):
        return "a call was ended before the caller had read the gauge"
    if "danger" in policy.rules and fault.danger == "water" and not heard.knows("valve"):
        return "a call was ended while water was running"
    if "cause" in policy.rules and not heard.knows("cause"):
        return "a call was ended before the caller had been asked for the cause"
    if goal.how == "refuse":
        return "" if heard.refused else "a caller was refused who had not been asked whether they pay"
    if "old" in policy.rules and not heard.knows("since"):
        return "a visit was booked before the caller had been asked since when"
    if firm is None:
        return "no such firm"
    visit = next((visit for visit in firm.visits if visit.code == goal.visit), None)
    if visit is None or f"{visit.day} at {visit.time}" not in heard.accepted:
        return "a visit was booked that the caller had not accepted"
    return "a caller had not agreed to pay" if goal.payer == "tenant" and firm.price not in heard.agreed else ""


def briefing(policy: Policy, tenants: Sequence[Tenant], faults: Sequence[Fault], kinds: int, noted: bool) -> str:
    """The task, without the tools."""
    several = len(tenants) > 1
    named = [f"{tenant.person.code} ({tenant.person.name})" for tenant in tenants]
    if noted:
        notes = [
            " has already said: "
            + tenant.person.says(
                f"{tenant_phrases.report(Rng('note', tenant.person.code), fault.kind)} "
                f"{clinic_phrases.times(Rng('note', tenant.person.code), [WEEKDAYS[day] for day in tenant.days], tenant.opens, tenant.closes, HOURS)}"
            )
            for tenant, fault in zip(tenants, faults, strict=True)
        ]
        named = [name + note for name, note in zip(named, notes, strict=True)]
    callers = "; ".join(named)
    some = {*tuple(KINDS)[:kinds], *(("leak", "socket", "heating") if "danger" in policy.rules else ())}
    trades = {
        "window": "A broken window is for a glazier.",
        "lock": "A lock is for a locksmith.",
        "leak": "A leak is for a plumber.",
        "socket": "Sockets without power: first have the caller look into the fuse box. If that brings the power back, mark the call as solved; otherwise "
        "it is for an electrician.",
        "heating": f"Heating that stays cold: have the caller read the pressure gauge. Below {LOW_PRESSURE / 10:.1f} bar it is for a plumber, from "
        f"{LOW_PRESSURE / 10:.1f} bar on for a heating engineer.",
    }
    lines = "\n".join(f"- {text}" for kind, text in trades.items() if kind in some)
    rules = "\n".join(f"- {text}" for text in _rules(policy))
    end = "" if noted else " Let every caller say what is wrong."
    return (
        f"You answer the telephone of a landlord. {'End each of these calls in exactly one way' if several else 'End this call in exactly one way'}: "
        f"{callers}{'' if noted else '.'}\n\n"
        f"Callers are people: speak to them in plain English. They answer what they are asked, and hang up when their patience ends.{end}\n"
        f"{lines}\n- Book the cheapest firm of the trade{', unless a rule says otherwise' if 'warranty' in policy.rules else ''}, and of its visits the "
        "earliest that the caller accepts: offer it by its day and time, and if it is turned down, offer the next that suits the caller's times.\n"
        f"- The landlord pays{' unless a rule says otherwise' if 'cause' in policy.rules else ''}. Leave `reported` false"
        f"{' unless a rule says otherwise' if 'old' in policy.rules else ''}.\n" + (f"\nRules:\n{rules}\n" if rules else "")
    )


def _rules(policy: Policy) -> list[str]:
    texts = {
        "identify": "Ask every caller for the flat first. If the files name another tenant of that flat than the caller, refuse with the reason "
        "not_the_tenant, and do nothing else for the call.",
        "danger": "Ask every caller whether there is danger. If it smells of gas or sparks are seen, raise the alarm and do nothing else for the call. If "
        "water is running, have the caller close the valve before you end the call.",
        "cause": "Ask every caller for the cause, unless the call is solved or there is an alarm. If the caller, the family or a guest caused the damage, the "
        "tenant pays the firm's price: name the amount, and book if the caller agrees; if not, refuse with the reason not_paid.",
        "old": f"Ask since when it has been so, before you book. If it has lasted more than {policy.old_days} days, mark the visit as reported.",
        "warranty": "If the files name a firm that has a warranty on its work in the flat, and the fault is for the trade of that firm, book that firm.",
    }
    return [text for rule, text in texts.items() if rule in policy.rules]


def trade_of(fault: Fault, heard: Heard) -> str:
    """The trade that a fault is for; of a heating it is known only from its gauge."""
    return trade(fault) if fault.kind != "heating" or heard.knows("gauge") else ""
