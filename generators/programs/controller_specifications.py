"""Invented controllers: states, events that lead from one to another, conditions on counters, timers and what has priority."""

from __future__ import annotations

import json
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.controllers import jumped, stepped
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.suites import Inputs

STATES = tuple("idle armed open busy locked".split())


EVENTS = tuple("go stop hit card push".split())


COUNTERS = ("n", "m")


MOST_GAP, MOST_EVENTS = 9, 24


def specification(rng: Rng, states: int, rows: int, timers: int, conditions: int, policies: int) -> Specification:
    """`timers` is how many states are left after a while; `conditions` how many rules in ten have one; `policies`, 0 to 2, adds stranger rules."""
    names, events = rng.sample(STATES, states), rng.sample(EVENTS, min(5, 2 + states // 2))
    table = _table(rng, names, events, rows, conditions, policies)
    waits = {
        name: (rng.integer(3, 8), rng.choice([other for other in names if other != name]))
        for name in rng.sample(names, min(timers, states))
    }
    rules: dict[str, Any] = {
        "start": names[0],
        "table": table,
        "waits": waits,
        "renewed": bool(timers) and rng.chance(0.5),
        "tie": rng.choice(("timer", "event")) if timers else "timer",
        "last": policies > 0 and rng.chance(0.5),
        "most": rng.integer(2, 4) if conditions and policies > 1 else 0,
        "reset": rng.choice(names[1:]) if conditions and policies > 0 else "",
        "ignored": rng.choice(("none", "stay", "reject")),
        "told": rng.choice(("state", "change")),
        "until": policies > 1 and bool(timers),
    }
    kind = json.dumps([events, [row[:4] for row in table], names[0]])
    drawn = [(*events,) for events in inputs(rng.child("inputs"), 180, kind)]
    shown = [arguments for arguments in drawn if 4 <= len(arguments[0]) <= 6][:40]
    weight = states + rows / 2 + 3.0 * timers + 0.3 * conditions + 3 * policies
    return Specification(
        _words(rules, events), stepped, jumped, rules, _near_misses(rules, names), [([],), *drawn], weight, shown=shown, kind=kind
    )


def _table(rng: Rng, names: list[str], events: list[str], rows: int, conditions: int, policies: int) -> tuple[tuple[Any, ...], ...]:
    # A way through all states first, so that each can be reached.
    found: list[tuple[Any, ...]] = []
    for number in range(max(rows, len(names))):
        state, target = (names[number], names[(number + 1) % len(names)]) if number < len(names) else (rng.choice(names), rng.choice(names))
        event = rng.choice(events)
        condition: tuple[Any, ...] = ()
        if number >= len(names) and rng.integer(1, 10) <= conditions:
            condition = (rng.choice(COUNTERS), rng.choice((">=", "==", "<")), rng.integer(1, 2))
            state = "any" if policies > 1 and rng.chance(0.3) else state
        action = (rng.choice(COUNTERS), rng.choice((1, 1, 2, -1))) if conditions and rng.chance(0.7) else ()
        found.append((state, event, condition, target, action))
    return tuple(found[len(names) :] + found[: len(names)])


def _near_misses(rules: Rules, names: list[str]) -> list[Rules]:
    table = rules["table"]
    variants: list[Rules] = [{**rules, "last": not rules["last"]}, {**rules, "told": "change" if rules["told"] == "state" else "state"}]
    variants += [{**rules, "ignored": ignored} for ignored in ("none", "stay", "reject")]
    variants += [{**rules, "table": table[:i] + table[i + 1 :]} for i in range(len(table))][:6]
    variants += [{**rules, "table": (*table[:i], (*row[:2], (), *row[3:]), *table[i + 1 :])} for i, row in enumerate(table) if row[2]][:3]
    variants += [{**rules, "table": (*table[:i], (*row[:4], ()), *table[i + 1 :])} for i, row in enumerate(table) if row[4]][:3]
    if rules["waits"]:
        variants += [{**rules, name: not rules[name]} for name in ("renewed", "until")]
        variants.append({**rules, "tie": "event" if rules["tie"] == "timer" else "timer"})
        variants += [{**rules, "waits": {**rules["waits"], name: (wait + 1, to)}} for name, (wait, to) in rules["waits"].items()]
        variants.append({**rules, "waits": {}})
    if rules["reset"]:
        variants += [{**rules, "reset": reset} for reset in ("", *names) if reset != rules["reset"]]
    if rules["most"]:
        variants += [{**rules, "most": most} for most in (0, rules["most"] + 1, rules["most"] - 1)]
    return variants


def _words(rules: Rules, events: list[str]) -> str:
    rows = []
    for number, (state, event, condition, target, action) in enumerate(rules["table"], 1):
        where = "in any state" if state == "any" else f"in state {state}"
        when = f", if {condition[0]} {condition[1]} {condition[2]}" if condition else ""
        does = f", and {action[0]} changes by {action[1]:+d}" if action else ""
        rows.append(f"{number}. {where}, at event {event}{when}: go to {target}{does}")
    counted = any(row[4] or row[2] for row in rules["table"])
    lines = [
        f"The controller is in state {rules['start']} at time 0, which counts as entering it."
        + (" The counters n and m are 0 then." if counted else "")
    ]
    fit = (
        "state, event and, where there is one, the condition on a counter as it is before the event"
        if any(row[2] for row in rules["table"])
        else "state and event"
    )
    lines.append(
        f"At an event, of the rows above that fit ({fit}), only the "
        f"{'last' if rules['last'] else 'first'} one is applied. Going to the state that it is in already counts as entering it "
        f"anew."
    )
    if rules["most"]:
        lines.append(
            f"A counter that a row would bring above {rules['most']} is {rules['most']}, and one that it would bring below 0 is 0."
        )
    if rules["reset"]:
        lines.append(f"When {rules['reset']} is entered, in any way, both counters become 0, after the row has changed them.")
    if rules["waits"]:
        waits = "; ".join(f"after {wait} in {name} it goes to {target}" for name, (wait, target) in rules["waits"].items())
        lines.append(
            f"Timers: {waits}. It does so by itself, at the moment when that much time has passed since the state was last entered."
        )
        if rules["renewed"]:
            lines.append("An event for which no row fits restarts the time of the current state, too.")
        if rules["tie"] == "timer":
            lines.append(
                "If a timer runs out exactly at the time of an event, the timer fires first, and the event is handled in the state it leads to."
            )
        else:
            lines.append(
                "If a timer runs out exactly at the time of events, all events of that time are handled first; after them the timer fires only if they "
                "have neither left its state nor restarted its time."
            )
    result_form = "(time, state)" if rules["told"] == "state" else "(time, state before, state after)"
    lines.append(
        f"solve returns the list of tuples {result_form}, in the order in which things happen: one whenever it goes to a state by a row"
        + (" or a timer" if rules["waits"] else "")
        + ", with the time of that and "
        + ("the state gone to." if rules["told"] == "state" else "both states.")
    )
    nothing = {
        "none": "gives no tuple",
        "stay": "gives a tuple too, with the state that it stays in" + ("" if rules["told"] == "state" else " twice"),
        "reject": 'gives the tuple (time, "ignored")',
    }[rules["ignored"]]
    lines.append(f"An event for which no row fits {nothing}, and changes nothing" + (" else." if rules["renewed"] else "."))
    if rules["waits"]:
        by_event = rules["tie"] == "event"
        end = (
            "When all events have been handled, at most one more timer fires, that of the state then reached"
            f"{' (perhaps at the time of the last event)' if by_event else ''}; then nothing more happens."
            if rules["until"]
            else f"After the last event nothing more happens: a timer that runs out {'at its time or ' if by_event else ''}later does not fire."
        )
        lines.append(end + (" Without events the list is empty." if rules["until"] else ""))
    listed = "\n".join(f"- {line}" for line in lines)
    return (
        "Write a Python function solve(events) that follows a controller. events is a list of pairs (time, event), whose times are non-negative "
        "integers that never decrease; events at the same time are handled in the order of the list. An event is one of "
        f"{', '.join(events)}. The list may be empty.\n\n" + "\n".join(rows) + f"\n\n{listed}\nThere are at most {MOST_EVENTS} events."
    )


def inputs(rng: Rng, count: int, kind: str) -> Inputs:
    """Lists of events, close together and far apart, most of which some row is for."""
    events, rows, start = json.loads(kind)
    lists = []
    for number in range(count):
        time, state, listed = 0, start, list[tuple[int, str]]()
        gap = rng.choice((1, 2, 4, MOST_GAP))
        for _ in range(rng.integer(2, 7) if number % 2 else rng.integer(12, MOST_EVENTS)):
            time += rng.integer(0, gap)
            # Where conditions and timers lead elsewhere does not matter here.
            fitting = [row for row in rows if row[0] in ("any", state)]
            row = rng.choice(fitting) if fitting and rng.chance(0.8) else ["", rng.choice(events), "", rng.choice(rows)[0]]
            listed.append((time, row[1]))
            state = row[3] if row[3] != "any" else start
        lists.append((listed,))
    return lists
