"""Bulletins: messages day by day that set and change what holds of several subjects, and the sentences that sum it up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MONTHS: tuple[str, ...] = tuple("January February March April May June July August September October November December".split())


@dataclass(frozen=True)
class World:
    """Words of one kind of subject.

    subjects   their names
    messages   for each kind of message the templates of the source
    sentences  for each attribute the templates of a summary, in other words than the source
    cues       for each attribute the words by which a summary may name it
    names      how the prompt names each attribute
    """

    subjects: tuple[str, ...]
    messages: Mapping[str, tuple[str, ...]]
    sentences: Mapping[str, tuple[str, ...]]
    cues: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]


PROJECTS = World(
    tuple("Skylark Redwood Falcon Granite Juniper Beacon Marigold Comet Sequoia Lantern".split()),
    {
        "money": ("{p} may spend {n} thousand euros.", "For {p}, the board fixed the spending at {n} thousand euros."),
        "more": ("The board lets {p} spend {n} thousand euros more than before.",),
        "shift": ("{n} thousand euros were taken from {p} and given to {q}.",),
        "crew": ("{p} now employs {n} people.", "Today {n} people work for {p}."),
        "join": ("{n} people joined {p}.",),
        "move": ("{n} people moved from {p} to {q}.",),
        "head": ("{x} took over {p}.", "From today on {p} is in the hands of {x}."),
        "trade": ("The leaders of {p} and {q} traded places.",),
        "open": ("{p} is to be finished in {m}.", "The plan for {p} names {m} as the month of completion."),
        "late": ("The completion of {p} is put off by {k}.",),
        "error": ("The message of day {d} was an error: nothing in it happened.", "Nothing that was reported on day {d} is true."),
    },
    {
        "money": (
            "{p} has a budget of {n} thousand euros.",
            "The budget of {p} stands at {n} thousand euros.",
            "A budget of {n} thousand euros is set aside for {p}.",
        ),
        "crew": ("{p} has a staff of {n}.", "The staff of {p} counts {n} in all.", "There is a staff of {n} at {p}."),
        "head": ("{p} is led by {x}.", "{x} is the leader of {p}.", "The leader at {p} is {x}."),
        "open": ("{p} will be completed in {m}.", "Completion of {p} is expected in {m}.", "We expect that {p} will be ready in {m}."),
    },
    {
        "money": ("budget", "spend", "spends", "spending", "money", "funds", "funding"),
        "crew": ("staff", "people", "employees", "workers", "employs", "team", "workforce", "headcount"),
        "head": (
            "leader",
            "led",
            "leads",
            "lead",
            "leadership",
            "head",
            "heads",
            "headed",
            "charge",
            "runs",
            "run by",
            "manager",
            "managed",
            "manages",
        ),
        "open": ("completed", "completion", "complete", "finished", "finish", "ready", "done", "completes"),
    },
    {"money": "budget", "crew": "staff", "head": "leader", "open": "month of completion"},
)  # fmt: skip
SHIPS = World(
    tuple("Heron Petrel Dolphin Aurora Meteor Swallow Corsair Mermaid Tempest Pelican".split()),
    {
        "money": ("{p} was loaded with {n} tonnes of grain.", "In the hold of {p} lie {n} tonnes of grain."),
        "more": ("{n} tonnes of grain were added to what {p} carries.",),
        "shift": ("{n} tonnes of grain went from {p} to {q}.",),
        "crew": ("{n} sailors signed on and make up all hands of {p}.", "All hands of {p} are {n} sailors."),
        "join": ("{n} sailors came aboard {p}.",),
        "move": ("{n} sailors changed from {p} to {q}.",),
        "head": ("{x} took command of {p}.", "Command of {p} passed to {x}."),
        "trade": ("Those in command of {p} and {q} traded places.",),
        "open": ("{p} is bound to arrive in {m}.", "The port looks out for {p} in {m}."),
        "late": ("Storms delay the arrival of {p} by {k}.",),
        "error": ("The message of day {d} was an error: nothing in it happened.", "Nothing that was reported on day {d} is true."),
    },
    {
        "money": ("{p} has a cargo of {n} tonnes.", "The cargo of {p} weighs {n} tonnes.", "A cargo of {n} tonnes is on {p}."),
        "crew": ("{p} has a crew of {n}.", "The crew of {p} counts {n} in all.", "There is a crew of {n} on {p}."),
        "head": ("{p} sails under captain {x}.", "{x} is the captain of {p}, which is well led.", "The captain of {p} is {x}."),
        "open": (
            "{p} should reach port in {m}, its month of arrival.",
            "Arrival of {p} is expected in {m}.",
            "We expect that {p} will arrive in {m}.",
        ),
    },
    {
        "money": ("cargo", "grain", "load", "loaded", "carries", "freight"),
        "crew": ("crew", "sailors", "hands", "seamen"),
        "head": ("captain", "command", "commands", "commanded", "commander", "skipper"),
        "open": ("arrive", "arrives", "arrival", "arriving", "due", "reaches port"),
    },
    {"money": "cargo", "crew": "crew", "head": "captain", "open": "month of arrival"},
)  # fmt: skip
