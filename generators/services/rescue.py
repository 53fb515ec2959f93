"""Emergency calls: what has happened, which units are needed, and who gets them where there are too few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes
from rlgym.generators.text.english import count_noun
from rlgym.generators.users import rescue_phrases as phrases
from rlgym.generators.users.calls import Exchange, exchange
from rlgym.generators.users.grammar import Meaning, understand
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.worlds.desk import SURNAMES

RULES = ("order", "critical", "aid", "floor", "number")
KINDS = ("collapse", "burglary", "fire", "wound", "crash", "nuisance")
UNITS = ("ambulance", "fire engine", "police car")
DISTRICTS = ("North", "East", "South", "West", "Harbour")
QUESTIONS: Mapping[str, str] = {"collapse": "breathing", "wound": "bleeding", "fire": "inside", "crash": "hurt", "burglary": "intruder"}
"""What is asked about an event of each kind."""
INSTRUCTIONS = ("cpr", "side", "press", "leave", "hide")


class Caller(NamedTuple):
    """A caller. `grave` is what the question about the event decides: no breath, heavy bleeding, somebody inside or hurt, the burglar still there.

    panic     how often the caller must be calmed before they answer
    cries     how many questions the caller puts up with before that
    district  where the place is
    """

    person: Person
    kind: str
    grave: bool
    hurt: int
    place: str
    district: str
    panic: int
    cries: int
    floor: int
    code: int
    phone: str


class Unit(NamedTuple):
    """A free unit with the minutes that it needs to each of DISTRICTS."""

    code: str
    kind: str
    minutes: tuple[int, ...]


class Heard(NamedTuple):
    """How a call has gone: what was asked, answered and done, how much panic is left, and what broke a rule."""

    asked: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    panic: int = 0
    cries: int = 0
    broken: str = ""


class Emergency(NamedTuple):
    callers: tuple[Caller, ...]
    units: tuple[Unit, ...]


def units_needed(caller: Caller) -> tuple[str, ...]:
    match caller.kind:
        case "collapse" | "wound":
            return ("ambulance",)
        case "fire":
            return ("fire engine", "ambulance") if caller.grave else ("fire engine",)
        case "crash":
            return ("police car", "ambulance") if caller.grave else ("police car",)
        case "burglary":
            return ("police car",)
    return ()


def instruction(caller: Caller) -> str:
    """What the caller is to be told to do, or nothing."""
    match caller.kind:
        case "collapse":
            return "cpr" if caller.grave else "side"
        case "wound":
            return "press" if caller.grave else ""
        case "fire":
            return "leave"
        case "burglary":
            return "hide" if caller.grave else ""
    return ""


def needed_topics(caller: Caller, rules: Sequence[str], noted: bool) -> tuple[str, ...]:
    """What must have been answered before the call is decided, in the order of the protocol."""
    asked = () if noted else ("where",)
    question = QUESTIONS.get(caller.kind, "")
    deciding = caller.kind in ("fire", "crash") or {"critical", "aid"}.intersection(rules)
    return (
        *asked,
        "open",
        *((question,) if question and deciding else ()),
        *(("floor",) if "floor" in rules and caller.kind in ("collapse", "wound") else ()),
        *(("phone",) if "number" in rules else ()),
    )


def plan(callers: Sequence[Caller], units: Sequence[Unit], by_gravity: bool, nearest: bool = True) -> tuple[tuple[str, ...], ...]:
    """The decisions about each call: the nearest free units, call after call, the grave ones first where that is the rule."""
    free, decided = list(units), dict[int, tuple[str, ...]]()
    order = sorted(range(len(callers)), key=lambda place: (by_gravity and not callers[place].grave, place))
    for place in order:
        caller, deeds = callers[place], list[str]()
        for kind in units_needed(caller):
            possible = [unit for unit in free if unit.kind == kind]
            if not possible:
                deeds.append(f"queue {kind}")
                continue
            column = DISTRICTS.index(caller.district)
            unit = min(possible, key=lambda one, at=column: one.minutes[at]) if nearest else possible[0]  # type: ignore[misc]
            free.remove(unit)
            deeds.append(f"send {unit.code}")
        decided[place] = tuple(sorted(deeds)) or ("transfer",)
    return tuple(decided[place] for place in range(len(callers)))


def emergency(rng: Rng, rules: Sequence[str], calls: int, kinds: int, panic: int, patience: int, language: str = "english") -> Emergency:
    """Calls of one shift. Where grave calls come first, a kind of unit is too rare, and a call that is not grave is before one that is."""
    drawn = [(rng.choice(KINDS[:kinds]), rng.chance(0.5)) for _ in range(calls)]
    early, late = (0, 0) if calls == 1 else sorted(rng.sample(range(calls), 2))
    if calls > 1:
        drawn[early] = ("collapse", False)
        drawn[late] = (rng.choice(("collapse", "wound") if kinds > 3 else ("collapse",)), True)
    callers = tuple(
        _caller(rng, code, kind, grave, panic, patience, language)
        for code, (kind, grave) in zip(codes(rng, calls, "C"), drawn, strict=True)
    )
    units, unit_codes = list[Unit](), iter(codes(rng, 6 * calls + 12, "U"))
    for kind in UNITS:
        needed = sum(kind in units_needed(caller) for caller in callers)
        scarce = "critical" in rules and kind == "ambulance"
        count = max(1, needed - 1) if scarce else needed + rng.integer(1, 3)
        minutes = [rng.sample(range(3, 40), count) for _ in DISTRICTS]
        units += [Unit(next(unit_codes), kind, tuple(column[number] for column in minutes)) for number in range(count)]
    return Emergency(callers, tuple(rng.shuffled(units)))


def _caller(rng: Rng, code: str, kind: str, grave: bool, panic: int, patience: int, language: str) -> Caller:
    street = f"{rng.choice(SURNAMES)} Street"
    return Caller(
        person=Person(code, "", "brief", "rescue", patience).speaking(language),
        kind=kind,
        grave=grave and kind != "nuisance",
        hurt=rng.integer(1, 3) if grave else 0,
        place=f"{rng.integer(1, 90)} {street}",
        district=rng.choice(DISTRICTS),
        panic=0 if kind == "nuisance" else rng.integer(0, panic),
        cries=2 + patience,
        floor=rng.integer(1, 9),
        code=rng.integer(1000, 9999),
        phone=f"07{rng.integer(10_000_000, 99_999_999)}",
    )


def reply(caller: Caller, rules: Sequence[str], chat: Chat, heard: Heard, text: str) -> tuple[Heard, Exchange]:
    """How a call has gone after a message, and the conversation."""
    rng = Rng("rescue", caller.person.code, chat.messages)

    def react(held: Heard, meaning: Meaning) -> tuple[Heard, Line | None]:
        kind, _, topic = meaning.intent.partition(":")
        topic = topic or meaning.intent
        if kind == "do" and topic == "calm":
            left = max(0, held.panic - 1)
            return held._replace(panic=left), Line("", phrases.calmed(rng, left))
        if held.panic:
            return held._replace(cries=held.cries + 1), Line("", phrases.cry(rng))
        if kind == "do":
            return held._replace(done=(*held.done, topic)), Line("", phrases.done(rng, topic))
        words = _answer(rng, caller, topic)
        return (held._replace(topics=(*held.topics, topic)), Line(topic, words)) if words else (held, None)

    asked = [
        meaning.intent.partition(":")[2] or meaning.intent
        for meaning in understand("rescue", caller.person.hears(text))
        if _counts(meaning)
    ]
    broken = heard.broken or ("order" in rules and _out_of_order(caller, (*heard.asked, *asked), asked)) or ""
    heard = heard._replace(asked=(*heard.asked, *asked), broken=broken)
    heard, said = exchange(caller.person, chat, text, heard, react)
    return heard, said._replace(chat=said.chat._replace(gone=said.chat.gone or heard.cries > caller.cries))


def _counts(meaning: Meaning) -> bool:
    return (meaning.intent.startswith(("ask:", "do:")) and meaning.intent != "do:calm") or meaning.intent == "open"


def _out_of_order(caller: Caller, so_far: Sequence[str], now: Sequence[str]) -> str:
    if now and "where" not in so_far:
        return "a caller was asked for something else before the place"
    if set(now) - {"where", "open"} and "open" not in so_far:
        return "a caller was asked for something else before what had happened"
    return ""


def _answer(rng: Rng, caller: Caller, topic: str) -> str:
    """What a caller says about a topic; empty where they know nothing of it."""
    match topic:
        case "where":
            return phrases.where(rng, caller.place)
        case "open":
            return phrases.event(Rng("event", caller.person.code), caller.kind)
        case "breathing" if caller.kind == "collapse":
            return phrases.breathing(rng, not caller.grave)
        case "awake" if caller.kind == "collapse":
            return "No, there is no reaction."
        case "bleeding" if caller.kind == "wound":
            return phrases.bleeding(rng, caller.grave)
        case "inside" if caller.kind == "fire":
            return phrases.inside(rng, caller.grave)
        case "hurt" if caller.kind == "crash":
            return phrases.hurt(rng, caller.hurt)
        case "intruder" if caller.kind == "burglary":
            return phrases.intruder(rng, caller.grave)
        case "floor" if caller.kind in ("collapse", "wound"):
            return phrases.floor(rng, caller.floor, caller.code)
        case "phone":
            return f"{caller.phone}."
        case "anything_else":
            return "No. Please hurry."
    return ""


def briefing(rules: Sequence[str], callers: Sequence[Caller], kinds: int, noted: bool, panic: int) -> str:
    """The task, without the tools."""
    several = len(callers) > 1
    named = ", ".join(
        f"{caller.person.code} (from {caller.place}, district {caller.district})" if noted else caller.person.code for caller in callers
    )
    events = {
        "collapse": "somebody has collapsed: an ambulance",
        "burglary": "a burglary: a police car",
        "fire": "a fire: a fire engine, and an ambulance as well if somebody is inside",
        "wound": "somebody is wounded: an ambulance",
        "crash": "a crash: a police car, and an ambulance as well if somebody is hurt",
        "nuisance": "anything that is no emergency: no unit; transfer the call",
    }
    lines = "".join(f"\n- {text}" for kind, text in events.items() if kind in KINDS[:kinds])
    grave = {
        "collapse": "the person who has collapsed is not breathing",
        "burglary": "the burglar is still there",
        "fire": "somebody is inside a burning building",
        "wound": "a wound bleeds heavily",
        "crash": "somebody is hurt in a crash",
    }
    aids = {
        "collapse": "a person who is not breathing needs chest compressions, and one who has collapsed but is breathing must be turned on the side",
        "burglary": "if the burglar is still there, the caller must hide and lock the door",
        "fire": "in a fire the caller must leave the building",
        "wound": "if a wound bleeds heavily, the caller must press something on it",
    }
    calming = " (apart from calming them)" * (panic > 0)
    possible = [kind for kind in KINDS[:kinds] if kind in grave]
    texts = {
        "order": "Ask every caller first where the emergency is, then what has happened, and ask or tell anything else only after that. One message may "
        "ask for several of these.",
        "critical": f"Ask what decides it: a call is critical if {', '.join(grave[kind] for kind in possible[:-1])} or {grave[possible[-1]]}. Critical "
        "calls get their units before all others.",
        "aid": f"Tell each caller what to do, and give no other instructions{calming}: {'; '.join(aids[kind] for kind in possible if kind in aids)}.",
        "floor": "Where somebody has collapsed or is wounded, ask for the floor and the door code before you decide.",
        "number": "Ask every caller for the phone number before you decide.",
    }
    stated = "".join(f"\n- {text}" for rule, text in texts.items() if rule in rules)
    crying = (
        f" Callers may be in panic: they answer nothing until you have calmed them{', some of them twice' * (panic > 1)}." if panic else ""
    )
    return (
        f"You answer the emergency line. Decide about {'these calls' if several else 'this call'}: {named}.\n\nCallers are people: speak to them in plain "
        f"English.{crying} A line goes dead after more than {count_noun(callers[0].person.patience, 'message')} that were not understood or asked again for "
        "what was said"
        + (
            f", and after more than {count_noun(callers[0].cries, 'question')} or instructions in the whole call to a caller who is still in panic (one "
            "message may calm the caller and then ask)"
            if panic
            else ""
        )
        + f".\n\nUnits by what has happened:{lines}\nSend the nearest free unit of each kind, which is then not free any more"
        + ("; where two calls want the same unit, the one named first above gets it" if several else "")
        + (", save for the rule on critical calls" if "critical" in rules else "")
        + ". If no unit of a kind is left for a call, queue the call for that kind. "
        + ("" if noted else "Look up in which district a place is. ")
        + "Decide only on what callers have said and what was looked up."
        + (f"\n\nRules:{stated}" if stated else "")
        + "\n\nFinish when every call is decided"
        + (" and everybody has been told what to do." if "aid" in rules else ".")
    )
