"""Answer a question from a text, or say which fact it would take that the text does not tell.

Plans that come to nothing, denials and facts about others look like the missing fact, and are not. Above the middle level no sentence tells
who governs where: only together do remarks settle it for some places, and for the others two arrangements or more agree with all of them.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.facts import Bank, arrangements, passage, read_statements, sample_filler, score_parts, webs
from rlgym.generators.facts.abstaining import abstention_parts
from rlgym.generators.facts.arrangements import Remark
from rlgym.generators.facts.webs import Fact, World
from rlgym.generators.text.english import join_words
from rlgym.solutions import Derivation, Solution, Step

SILENT = Step("No sentence says what the {relation} of {thing} is.")
FITS = Step("Arrangement {number:int} agrees with all sentences: {who}.")
BREAKS = Step("With {who}, {name} cannot be in {where}.")
SETTLED = Step("{who} governs {town} in every arrangement.")
UNSETTLED = Step("{town} is governed by {who} in arrangement {first:int}, but by {other} in arrangement {second:int}.")
LURES = Bank("""
nothing: There was a plan to make {b} the {relation} of {a}, but it came to nothing.
nothing: At one time {b} nearly became the {relation} of {a}.
nothing: People hoped in vain that {b} would become the {relation} of {a}.
nothing: {b} would have been the {relation} of {a}, had times been better.
denied: {b} is not the {relation} of {a}. | Whoever says that {b} is the {relation} of {a} is wrong.
denied: It is a fable that {b} is the {relation} of {a}.
denied: In truth {b} was never the {relation} of {a}.
doubted: Some hold that {b} is the {relation} of {a}, and others doubt it.
doubted: It is rumoured, and no more, that {b} is the {relation} of {a}.
doubted: Nobody can say for sure whether {b} is the {relation} of {a}. | A torn page may once have named {b} as the {relation} of {a}.
""")
KINDS = {"nothing": ("nothing",), "denied": ("nothing", "denied"), "doubted": ("nothing", "denied", "doubted")}


class Knobs(Config):
    facts: int = knob(24, easy=6, hard=600, doc="facts in the story", scale="log")
    hops: int = knob(3, easy=1, hard=10, doc="relations to follow")
    lures: str = knob(
        "denied", easy="nothing", hard="doubted", order=("nothing", "denied", "doubted"), doc="sentences that look like the missing fact"
    )
    told: str = knob(
        "outright", easy="outright", hard="together", order=("outright", "together"),
        doc="whether facts are stated outright, or follow from remarks on several people taken together (then only the next two knobs count)",
    )  # fmt: skip
    people: int = knob(5, easy=5, hard=8, doc="people who each govern a place")
    arrangements: int = knob(4, easy=2, hard=12, doc="most arrangements that agree with all remarks")


class Data(TaskData):
    facts: tuple[Fact, ...] = ()
    ships: bool = False
    start: str = ""
    hops: tuple[str, ...] = ()
    answer: tuple[str, ...]
    remarks: tuple[Remark, ...] = ()
    places: tuple[str, ...] = ()
    people: tuple[str, ...] = ()


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_together(rng, knobs, ships=False) if knobs.told == "together" else _sample_task(rng, knobs, webs.GUILDS)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Sailors, ships and islands, which other relations hold together."""
    return _sample_together(rng, knobs, ships=True) if knobs.told == "together" else _sample_task(rng, knobs, webs.SHIPS)


def solve(task: Task[Data]) -> tuple[str, ...]:
    if found := re.search(r"in this order[^:]*: ([^.]*)\.[^:]*: ([^.]*)\.", task.prompt):
        return _settled(task.prompt, *(tuple(part.replace(" and ", ", ").split(", ")) for part in found.groups()))
    # Reads the question and the sentences, and goes from one fact to the next until one is missing.
    world = webs.SHIPS if task.data.ships else webs.GUILDS
    facts = webs.read(task.prompt, world)
    at, hops = webs.unphrase(world, re.split("\n\n(?:What|Who) is ", task.prompt)[-1].partition("?")[0])
    evidence = list[int]()
    for hop in hops:
        if (hop, at) not in facts:
            return ("missing", hop, at.lower())
        at, number = facts[hop, at]
        evidence.append(number)
    return (at.lower(), *map(str, sorted(evidence)))


def _settled(prompt: str, places: tuple[str, ...], people: tuple[str, ...]) -> tuple[str, ...]:
    """For each place who governs it in every arrangement that agrees with the remarks of a prompt, or `missing`."""
    remarks = list[Remark]()
    for _, (kind, gaps) in read_statements(prompt, arrangements.BANK):
        who = tuple(gaps[gap] for gap in "abcd" if gap in gaps)
        remarks.append(Remark(kind=kind, people=who, before=places.index(gaps["town"]) if "town" in gaps else 0))
    found = [at for at, broken in arrangements.search(remarks, people) if not broken]
    holders = [{name for at in found for name in people if at[name] == k} for k in range(len(places))]
    return tuple("missing" if len(names) > 1 else names.pop().lower() for names in holders)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.answer
    if task.data.remarks:
        parts = abstention_parts(zip(right, answer), "missing") if len(answer) == len(right) else {}
        return replace(score_parts(answer, right), parts=parts)
    parts = abstention_parts([(" ".join(right), " ".join(answer))], "missing")
    if (answer[0] == "missing") != (right[0] == "missing"):
        why = "the text tells all that is needed" if answer[0] == "missing" else "the text does not tell all that is needed"
        return Score.wrong(why, **parts)
    return replace(score_parts(answer, right), parts=parts)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    if data.remarks:
        fitting = next(at for at, broken in arrangements.search(data.remarks, data.people) if not broken)
        one = tuple(name.lower() for name in sorted(fitting, key=fitting.__getitem__))
        near = [tuple(other if k == at else part for k, part in enumerate(right)) for at, other in enumerate(one) if right[at] == "missing"]
        doubted = [
            tuple("missing" if k == at else part for k, part in enumerate(right)) for at in range(len(right)) if right[at] != "missing"
        ]
        return [one, *near, *doubted, ("missing",) * len(right), right[::-1], right[:-1]]
    others = [fact for fact in data.facts if fact.relation == data.hops[-1]]
    guess = [(fact.b.lower(), str(fact.at)) for fact in others if fact.a != data.start][:1]
    missing = [("missing", hop, data.start.lower()) for hop in (data.hops[0], data.hops[-1])]
    return [*guess, *missing, ("missing",), right[:-1], (*right, "1")]


def cost(task: Task[Data]) -> float:
    if task.data.remarks:
        # Each arrangement is to be found, and each place to be compared between them.
        return (
            5000
            + 1000 * len(task.data.people)
            + 10 * sum(not broken for _, broken in arrangements.search(task.data.remarks, task.data.people))
        )
    return len(task.prompt) / 50 + len(task.data.hops) * len(task.data.facts)


def derive(task: Task[Data]) -> Derivation:
    if task.data.remarks:
        yield from _derive_together(task.data)
        return
    reached = yield from webs.follow_hops(task.data.facts, task.data.start, task.data.hops)
    right = solve(task)
    if right[0] == "missing":
        yield SILENT(relation=right[1], thing=reached)


def _derive_together(data: Data) -> Derivation:
    def placed(at: dict[str, int]) -> str:
        return ", ".join(f"{name} in {data.places[place]}" for name, place in at.items()) or "nobody placed yet"

    found = list[dict[str, int]]()
    for before, leaves in groupby(
        arrangements.search(data.remarks, data.people), lambda leaf: dict([*leaf[0].items()][: -1 if leaf[1] else None])
    ):
        broken = [([*at.items()][-1], number) for at, number in leaves]
        if len(before) == len(data.people):
            found.append(before)
            yield FITS(number=len(found), who=placed(before))
        else:
            where = ", ".join(f"{data.places[place]} (sentence {number})" for (_, place), number in broken)
            yield BREAKS(who=placed(before), name=broken[0][0][0], where=where)
    for k, town in enumerate(data.places):
        holders = [next(name for name in data.people if at[name] == k) for at in found]
        second = next((number for number, name in enumerate(holders) if name != holders[0]), 0)
        if second:
            yield UNSETTLED(town=town, who=holders[0], first=1, other=holders[second], second=second + 1)
        else:
            yield SETTLED(who=holders[0], town=town)


def _sample_together(rng: Rng, knobs: Knobs, ships: bool) -> Task[Data]:
    world = webs.SHIPS if ships else webs.GUILDS
    pools = webs.things(rng, world, 3 * knobs.people)
    place, post, places = (
        "island" if ships else "town",
        "governor" if ships else "mayor",
        tuple(pools["island" if ships else "town"][: knobs.people]),
    )
    people = tuple(sorted(pools["person"][: knobs.people]))
    drawn, settled = arrangements.sample(rng, people, knobs.arrangements)
    remarks = rng.shuffled(drawn)
    texts = [
        arrangements.BANK.say(rng, remark.kind, place=place, town=places[remark.before], **dict(zip("abcd", remark.people)))
        for remark in remarks
    ]
    prompt = (
        f"Read this description of a distant country. Believe what it says, and assume nothing that it does not say.\n\n"
        f"{'From west to east, the islands lie' if ships else 'Along the only road, the towns lie'} in this order, at equal "
        f"distances: {join_words(places)}. Each has one {post}, and each {post} governs one {place}. The {post}s, in alphabetical order, are: "
        f"{join_words(people)}.\n\n{passage(rng, texts)}\n\n"
        f"Who is the {post} of each {place}? For the {place}s in the order given, give the name of the {post} where the text settles it, "
        f"and the word missing where it does not."
    )
    answer = tuple(settled.get(k, "missing").lower() for k in range(len(places)))
    return Task(prompt, Data(ships=ships, answer=answer, remarks=tuple(remarks), places=places, people=people))


def _sample_task(rng: Rng, knobs: Knobs, world: World) -> Task[Data]:
    pools = webs.things(rng, world, max(7, min(30, knobs.facts // 3)))
    facts = webs.truth(rng, world, pools)
    question = None
    while not question:
        question = webs.write_question(rng, world, facts, knobs.hops, "forward")
        if not question:
            facts = webs.truth(rng, world, pools)
    start, hops = question
    at, needed = start, list[tuple[str, str]]()
    for hop in hops:
        needed.append((hop, at))
        at = facts[hop, at]
    missing_hop = rng.integer(0, len(hops) - 1) if rng.chance(0.4) else None
    stated_keys = [key for k, key in enumerate(needed) if k != missing_hop]
    hidden = [key for key in rng.shuffled(list(facts)) if key not in needed and key[0] != "birthyear"]
    stated_keys += hidden[: max(2, knobs.facts - len(stated_keys))]
    statements: list[tuple[tuple[str, str], str]] = [
        (key, webs.fact_sentence(rng, world, key[0], key[1], facts[key])) for key in stated_keys
    ]

    def lured(key: tuple[str, str], wrong: Callable[[str], bool]) -> tuple[tuple[str, str], str]:
        ends = [end for end in pools[world.relations[key[0]][1]] if wrong(end) and end != key[1]]
        text = LURES.say(
            rng,
            rng.choice(KINDS[knobs.lures]),
            relation=key[0],
            a=webs.name_with_article(key[1]),
            b=webs.end_with_article(key[0], rng.choice(ends)),
        )
        return ("", ""), text[0].upper() + text[1:]

    # Each fact that matters has a lure, so that a lure betrays nothing; a stated fact is never denied.
    lures = [lured(key, lambda end, key=key: end != facts[key]) for key in needed]  # type: ignore[misc]
    lures += [lured(key, lambda end, key=key: end != facts[key]) for key in rng.sample(hidden, min(len(hidden), knobs.facts // 8))]  # type: ignore[misc]
    towns = pools["island" if world.ships else "town"]
    statements += lures + [(("", ""), text) for text in sample_filler(rng, knobs.facts // 6, towns, pools["person"])]
    statements = rng.shuffled(statements)
    placed = tuple(Fact(at=k, relation=key[0], a=key[1], b=facts[key]) for k, (key, _) in enumerate(statements, 1) if key[0])
    if missing_hop is None:
        answer = (at.lower(), *map(str, sorted(fact.at for fact in placed if (fact.relation, fact.a) in needed)))
    else:
        answer = ("missing", needed[missing_hop][0], needed[missing_hop][1].lower())
    asked = f"{webs.asked(world, hops)} is {webs.phrase(world, start, hops)}?"
    prompt = (
        f"Read this description of a distant country. Believe what it says, and assume nothing that it does not say.\n\n"
        f"{passage(rng, [text for _, text in statements])}\n\n{asked}\n"
        "If the text says enough to answer this, give the name, without an article, and then the numbers of the sentences that the answer rests on, in "
        "ascending order. If it does not, give the word missing, then the first relation needed that the text does not give "
        f"({join_words([name for name in world.relations if name != 'birthyear'], 'or')}), then the name, without an article, of the person "
        "or thing for which it is missing."
    )
    return Task(prompt, Data(facts=placed, ships=world.ships, start=start, hops=hops, answer=answer))


environment = Environment(
    Knobs, Words("what the question asks for, separated by spaces", max_items=60, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Go through the question from the inside outwards, and stop at the first step for which no sentence says outright what is needed.",
    version=9,
)  # fmt: skip
