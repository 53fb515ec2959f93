"""Answer a question from a text, or say which fact it would take that the text does not tell.

Plans that come to nothing, denials and facts about others look like the missing fact, and are not.
"""

import re
from collections.abc import Callable

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.facts import Bank, passage, sample_filler, score_parts, webs
from rlgym.generators.facts.webs import Fact, World
from rlgym.solutions import Derivation, Solution, Step

SILENT = Step("No sentence says what the {relation} of {thing} is.")
LURES = Bank("""
nothing: There was a plan to make {b} the {relation} of {a}, but it came to nothing.
nothing: Once it nearly came to pass that {b} was the {relation} of {a}.
nothing: For years {a} hoped that {b} would turn out to be the right {relation}, in vain.
nothing: {b} would have been the {relation} of {a}, had times been better.
denied: {b} is not the {relation} of {a}. | Whoever says that {b} is the {relation} of {a} is wrong.
denied: It is a fable that {b} is the {relation} of {a}.
denied: In truth {b} was never the {relation} of {a}.
doubted: Some hold that {b} is the {relation} of {a}, and others laugh at it.
doubted: It is rumoured, and no more, that {b} is the {relation} of {a}.
doubted: Nobody can say for sure whether {b} is the {relation} of {a}. | A torn page may once have named {b} as the {relation} of {a}.
""")
KINDS = {"nothing": ("nothing",), "denied": ("nothing", "denied"), "doubted": ("nothing", "denied", "doubted")}


class Knobs(Config):
    facts: int = knob(24, easy=6, hard=100, doc="facts in the story", scale="log")
    hops: int = knob(3, easy=1, hard=7, doc="relations to follow")
    lures: str = knob(
        "denied", easy="nothing", hard="doubted", order=("nothing", "denied", "doubted"), doc="sentences that look like the missing fact"
    )


class Data(TaskData):
    facts: tuple[Fact, ...]
    ships: bool = False
    start: str
    hops: tuple[str, ...]
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, webs.GUILDS)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Sailors, ships and islands, which other relations hold together."""
    return _sample_task(rng, knobs, webs.SHIPS)


def solve(task: Task[Data]) -> tuple[str, ...]:
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


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.answer
    if (answer[0] == "missing") != (right[0] == "missing"):
        return Score.wrong("the text tells all that is needed" if answer[0] == "missing" else "the text does not tell all that is needed")
    return score_parts(answer, right)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    others = [fact for fact in data.facts if fact.relation == data.hops[-1]]
    guess = [(fact.b.lower(), str(fact.at)) for fact in others if fact.a != data.start][:1]
    missing = [("missing", hop, data.start.lower()) for hop in (data.hops[0], data.hops[-1])]
    return [*guess, *missing, ("missing",), right[:-1], (*right, "1")]


def cost(task: Task[Data]) -> float:
    return len(task.prompt) / 50 + len(task.data.hops) * len(task.data.facts)


def derive(task: Task[Data]) -> Derivation:
    reached = yield from webs.follow_hops(task.data.facts, task.data.start, task.data.hops)
    right = solve(task)
    if right[0] == "missing":
        yield SILENT(relation=right[1], thing=reached)


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
            b=webs.name_with_article(rng.choice(ends)),
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
    asked = f"{'Who' if world.relations[hops[-1]][1] == 'person' else 'What'} is {webs.phrase(world, start, hops)}?"
    prompt = (
        f"Read this description of a far country. Believe what it says, and assume nothing that it does not say.\n\n"
        f"{passage(rng, [text for _, text in statements])}\n\n{asked}\n"
        "If the text says enough to answer this, give the name, without an article, and then the numbers of the sentences that the answer rests on, in "
        f"ascending order. If it does not, give the word missing, then the relation "
        f"({', '.join(name for name in world.relations if name != 'birthyear')}) that "
        "the text does not give and that is needed first, then the one name (without an article) for which it is missing."
    )
    return Task(prompt, Data(facts=placed, ships=world.ships, start=start, hops=hops, answer=answer))


environment = Environment(
    Knobs, Words("the words and numbers asked for, separated by spaces", max_items=60, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Go through the question from the inside outwards, and stop at the first step for which no sentence says outright what is needed.",
    version=3,
)  # fmt: skip
