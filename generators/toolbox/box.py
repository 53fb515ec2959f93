"""Look-up tools over invented kinds of things, and goals that take several of them.

A tool takes codes of given kinds and gives a code that cannot be known without calling it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.text.names import invent

KINDS = tuple("harbour seal lantern ledger guild tower bell mill meadow bridge keeper stamp barge vault loom garden".split())
ADJECTIVES = tuple("old new northern southern first last hidden public royal spare narrow painted".split())
ONE = (
    "Returns the {what} of a {0}.",
    "Takes a {0} and returns its {what}.",
    "Looks up the {what} that belongs to a {0}.",
    "Given a {0}, finds the {what} of it.",
)
TWO = (
    "Returns the {what} that a {0} and a {1} share.",
    "Takes a {0} and a {1}, and tells the {what} that they share.",
    "Given a {0} and a {1}, finds their shared {what}.",
)


class Instrument(NamedTuple):
    """A tool: the kinds it takes, in order, the kind it gives, and which of several of that kind."""

    name: str
    takes: tuple[str, ...]
    adjective: str
    gives: str
    said: int
    heir: str = ""  # the tool that has taken over its work, where it does none any more
    busy: bool = False  # fails when it is first called


class Use(NamedTuple):
    """A call of the plan: the tool, and the references it takes: first the given codes are counted, then the results of the plan."""

    tool: int
    takes: tuple[int, ...]


class Box(NamedTuple):
    key: int  # of the values
    tools: tuple[Instrument, ...]
    given: tuple[str, ...]
    plan: tuple[Use, ...]
    words: tuple[tuple[str, int], ...] = ()  # invented words, each for a call of the plan together with the one before it


def box(rng: Rng, calls: int, joins: int, distractors: int, goals: int = 1) -> Box:
    """A box in which each of the goals takes `calls` calls with `joins` given codes more than one.

    The results that no call of the plan takes are the goals. No two tools do the same.
    """
    plan: list[Use] = []
    given: list[str] = []
    tools: dict[tuple[str, ...], Instrument] = {}
    starts = goals * (min(joins, calls) + 1)
    for goal in range(goals):
        more = min(joins, calls)
        pool = list(range(goal * (more + 1), (goal + 1) * (more + 1)))
        kinds = dict(zip(pool, rng.sample(KINDS, more + 1)))
        given += [_code(rng, kinds[ref]) for ref in pool]
        for calls_left in range(calls, 0, -1):
            need = len(pool) - 1
            taken = rng.sample(pool, 2) if need and (calls_left == need or rng.chance(need / calls_left)) else [rng.choice(pool)]
            gives = rng.choice([kind for kind in KINDS if kind not in kinds.values()])
            place = _tool(rng, tools, tuple(kinds[ref] for ref in taken), gives)
            ref = starts + len(plan)
            plan.append(Use(place, tuple(taken)))
            pool = [value for value in pool if value not in taken] + [ref]
            kinds = {value: kinds[value] for value in pool if value != ref} | {ref: gives}
    tool_count = len(tools) + distractors
    tool_list = list(tools.values())
    while len(tools) < tool_count:
        like = rng.choice(tool_list)
        gives = like.gives if rng.chance(0.7) else rng.choice([kind for kind in KINDS if kind not in like.takes])
        takes = like.takes if rng.chance(0.7) else (rng.choice([kind for kind in KINDS if kind != gives]),)
        _tool(rng, tools, takes, gives)
    names = invent(rng, len(tools))
    order = rng.shuffled(range(len(tools)))
    back = {old: new for new, old in enumerate(order)}
    listed = list(tools.values())
    return Box(
        rng.integer(0, 10**9),
        tuple(listed[old]._replace(name=name[:-1]) for old, name in zip(order, names)),
        tuple(given),
        tuple(Use(back[use.tool], use.takes) for use in plan),
    )


def faulty(rng: Rng, box: Box, busy: int, retired: int) -> Box:
    """The box with some tools of the plan busy at first, and with names that are retired in favour of tools of the plan."""
    tools = list(box.tools)
    needed = rng.shuffled(list(dict.fromkeys(use.tool for use in box.plan)))
    for place in needed[:busy]:
        tools[place] = tools[place]._replace(busy=True)
    names = {tool.name for tool in tools}
    spare = [name[:-1] for name in invent(rng, len(tools) + retired) if name[:-1] not in names]
    for place, name in zip(rng.sample(needed, min(retired, len(needed))), spare):
        # The tool of the plan takes a new name, and the old one leads to it.
        old = tools[place]
        tools[place] = old._replace(name=name)
        tools.append(old._replace(heir=name, busy=False))
    return box._replace(tools=tuple(tools))


def with_invented_words(rng: Rng, box: Box, count: int) -> Box:
    """The box with invented words, each for two calls of the plan in a row that take one code each."""
    starts = len(box.given)
    pairs = [
        k
        for k, use in enumerate(box.plan)
        if len(use.takes) == 1 and use.takes[0] >= starts and len(box.plan[use.takes[0] - starts].takes) == 1
    ]
    chosen: list[int] = []
    for k in rng.shuffled(pairs):
        before = box.plan[k].takes[0] - starts
        if len(chosen) < count and before not in chosen and all(box.plan[step].takes[0] - starts != k for step in chosen):
            chosen.append(k)
    names = {tool.name for tool in box.tools}
    spare = [name for name in invent(rng, len(box.tools) + len(chosen)) if name[:-1] not in names]
    return box._replace(words=tuple((name[:-1], k) for name, k in zip(spare, sorted(chosen))))


def result(box: Box, tool: Instrument, taken: Sequence[str]) -> str:
    """The code that a tool gives."""
    return code_of(box.key, tool.gives, tool.adjective, *taken)


def code_of(key: int, kind: str, *source: str) -> str:
    """The code of a thing, the same for the same key and source."""
    return _code(Rng("box", key, kind, *source), kind)


def goals(box: Box) -> list[int]:
    """The references of the plan that no call of it takes."""
    starts = len(box.given)
    taken = {ref for use in box.plan for ref in use.takes}
    return [ref for ref in range(starts, starts + len(box.plan)) if ref not in taken]


@lru_cache(maxsize=64)
def values(box: Box) -> tuple[str, ...]:
    """The codes behind all references."""
    known = list(box.given)
    for use in box.plan:
        known.append(result(box, box.tools[use.tool], [known[ref] for ref in use.takes]))
    return tuple(known)


def describe_reference(box: Box, ref: int, labels: Sequence[str] = ()) -> str:
    """What a reference stands for, in words, down to the given codes or to their labels."""
    starts = len(box.given)
    if ref < starts:
        return labels[ref] if labels else f"the {kind_of(box.given[ref])} {box.given[ref]}"
    use = box.plan[ref - starts]
    if word := {k: word for word, k in box.words}.get(ref - starts):
        return f"the {word} of {_inside(box, box.plan[use.takes[0] - starts].takes[0], labels)}"
    tool = box.tools[use.tool]
    inside = [_inside(box, value, labels) for value in use.takes]
    what = f"the {tool.adjective} {tool.gives}"
    return f"{what} of {inside[0]}" if len(inside) == 1 else f"{what} that {inside[0]} and {inside[1]} share"


def _inside(box: Box, ref: int, labels: Sequence[str]) -> str:
    """A reference within another, in brackets where two readings would be possible."""
    joined = ref >= len(box.given) and len(box.plan[ref - len(box.given)].takes) > 1
    text = describe_reference(box, ref, labels)
    return f"({text})" if joined else text


def definitions(box: Box) -> list[str]:
    """The meanings of the invented words."""
    sentences = []
    for word, k in box.words:
        use = box.plan[k]
        last, first = box.tools[use.tool], box.tools[box.plan[use.takes[0] - len(box.given)].tool]
        sentences.append(f"The {word} of a {first.takes[0]} is the {last.adjective} {last.gives} of its {first.adjective} {first.gives}.")
    return sentences


def manual(tool: Instrument) -> str:
    """What a tool does, in words."""
    sentence = (ONE if len(tool.takes) == 1 else TWO)[tool.said % (4 if len(tool.takes) == 1 else 3)]
    retired = f" Retired: its work is done by {tool.heir}." if tool.heir else ""
    return sentence.format(*tool.takes, what=f"{tool.adjective} {tool.gives}") + retired


def kind_of(code: str) -> str:
    """The kind of thing that a code names; empty for what is no code."""
    return next((kind for kind in KINDS if code.startswith(f"{kind.upper()}-")), "")


def refusal(box: Box, tool: Instrument, taken: Sequence[str]) -> str:
    """Why a tool cannot be called with these codes, or nothing."""
    if tool.heir:
        return f"{tool.name} is retired; its work is done by {tool.heir}"
    if len(taken) != len(tool.takes):
        return f"{tool.name} takes {len(tool.takes)} codes, got {len(taken)}"
    for number, (kind, code) in enumerate(zip(tool.takes, taken), 1):
        if kind_of(code) != kind:
            return f"code {number} of {tool.name} must be of a {kind}, got {code[:24]!r}"
    return ""


def instrument_named(box: Box, name: str) -> Instrument | None:
    return next((tool for tool in box.tools if tool.name == name.strip().lower()), None)


def _tool(rng: Rng, tools: dict[tuple[str, ...], Instrument], takes: tuple[str, ...], gives: str) -> int:
    """The place of a new tool, which differs from all others in its kinds or its adjective."""
    free = [adjective for adjective in ADJECTIVES if (adjective, gives, *sorted(takes)) not in tools]
    adjective = rng.choice(free) if free else ""
    if not free:
        return list(tools).index((ADJECTIVES[0], gives, *sorted(takes)))
    tools[(adjective, gives, *sorted(takes))] = Instrument("", takes, adjective, gives, rng.integer(0, 11))
    return len(tools) - 1


def _code(rng: Rng, kind: str) -> str:
    return f"{kind.upper()}-{rng.integer(10_000, 99_999)}"
