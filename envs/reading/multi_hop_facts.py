"""Answer a question about an invented world by going from fact to fact, and name the sentences that the answer rests on."""

import re

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.facts import passage, sample_filler, score_parts, webs
from rlgym.generators.facts.webs import Fact, World
from rlgym.solutions import Derivation, Solution


class Knobs(Config):
    facts: int = knob(24, easy=6, hard=110, doc="facts in the story", scale="log")
    hops: int = knob(3, easy=1, hard=7, doc="relations to follow")
    directions: str = knob(
        "against",
        easy="forward",
        hard="older",
        order=("forward", "against", "older"),
        doc="whether relations are also followed against their direction, and whether two people are compared by age",
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
    # Reads the question and the sentences, and goes from one fact to the next.
    world = webs.SHIPS if task.data.ships else webs.GUILDS
    facts = webs.read(task.prompt, world)
    at, hops = webs.unphrase(world, re.split("\n\n(?:What|Who) is ", task.prompt)[-1].partition("?")[0])
    plain = {key: end for key, (end, _) in facts.items()}
    evidence = list[int]()
    for hop in hops:
        led = webs.step(plain, at, hop)
        assert led
        at = led[0]
        evidence += [facts[key][1] for key in led[1]]
    return (at.lower(), *map(str, sorted(set(evidence))))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    last = str(int(right[-1]) + 1)
    others = [fact.b.lower() for fact in task.data.facts if fact.relation == task.data.hops[-1].rstrip("<") and fact.b.lower() != right[0]]
    wrong = [(task.data.start.lower(), *right[1:]), right[:-1], (*right, last), (*right[:-1], last)]
    return [*wrong, *((other, *right[1:]) for other in others[:1])]


def cost(task: Task[Data]) -> float:
    return len(task.prompt) / 50 + sum(4 + 6 * hop.count("<") for hop in task.data.hops) * len(task.data.facts) / 4


def derive(task: Task[Data]) -> Derivation:
    yield from webs.follow_hops(task.data.facts, task.data.start, task.data.hops)


def _sample_task(rng: Rng, knobs: Knobs, world: World) -> Task[Data]:
    while True:
        pools = webs.things(rng, world, max(6, min(30, knobs.facts // 3)))
        facts = webs.truth(rng, world, pools)
        drawn = webs.write_question(rng, world, facts, knobs.hops, knobs.directions)
        if (
            drawn
            and (knobs.directions == "forward" or any("<" in hop for hop in drawn[1]))
            and (knobs.directions != "older" or "<<" in "".join(drawn[1]))
        ):
            break
    start, hops = drawn
    at, needed = start, list[tuple[str, str]]()
    for hop in hops:
        led = webs.step(facts, at, hop)
        assert led
        at = led[0]
        needed += [key for key in led[1] if key not in needed]
    hidden = [key for key in rng.shuffled(list(facts)) if key not in needed and key[0] != "birthyear"]
    born = [key for key in facts if key[0] == "birthyear" and key not in needed]
    stated = [*needed, *hidden[: max(2, knobs.facts - len(needed))], *(born[: knobs.facts // 6] if knobs.directions == "older" else ())]
    statements = [((key[0], key[1]), webs.fact_sentence(rng, world, key[0], key[1], facts[key])) for key in stated]
    towns = pools["island" if world.ships else "town"]
    statements += [(("", ""), text) for text in sample_filler(rng, knobs.facts // 5, towns, pools["person"])]
    statements = rng.shuffled(statements)
    placed = tuple(Fact(at=k, relation=key[0], a=key[1], b=facts[key]) for k, (key, _) in enumerate(statements, 1) if key[0])
    evidence = sorted(fact.at for fact in placed if (fact.relation, fact.a) in needed)
    prompt = (
        f"Read this description of a distant country.\n\n{passage(rng, [text for _, text in statements])}\n\n"
        f"{webs.asked(world, hops)} is {webs.phrase(world, start, hops)}? Give the name, without an article, and then the numbers of the sentences that the "
        "answer rests on, in ascending order: all that are needed, and no others."
    )
    answer = (at.lower(), *map(str, evidence))
    return Task(prompt, Data(facts=placed, ships=world.ships, start=start, hops=hops, answer=answer))


environment = Environment(
    Knobs, Words("the name and then the sentence numbers, separated by spaces", max_items=60, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Begin with the innermost name of the question and find one sentence for each step outwards.",
    version=4,
)  # fmt: skip
