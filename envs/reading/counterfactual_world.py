"""Answer questions about a world as it is, and as it would be under nested suppositions.

A supposition changes one custom; all that is not changed stays. Inside a supposition another one may be made, and holds until it is left.
"""

import re
from collections.abc import Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.facts import Bank, numbered_list, score_parts, sentences
from rlgym.generators.text import names
from rlgym.solutions import Derivation, Solution, Step

Facts = dict[tuple[str, str], str]
SUPPOSED = Step("At line {at:int} the {relation} of {a} is supposed to be {b}.")
LED = Step("Line {at:int} leads to {b}.")
BANK = Bank("""
town: {a} lives in {b}. | The home of {a} is {b}. | {b} is where {a} lives. | {a} is at home in {b}.
guild: The people of {a} all belong to the {b}. | In {a} everybody belongs to the {b}. | All of {a} is sworn to the {b}.
guild: The {b} takes in all who live in {a}.
colour: The {a} wears {b}. | Members of the {a} go in {b}. | One knows the {a} by its coats, which are {b}. | The coats of the {a} are {b}.
feast: Those who wear {a} feast in {b}. | The feast of all who wear {a} is in {b}. | {b} is the month in which those who wear {a} feast.
feast: To wear {a} means to feast in {b}.
dish: In {a} one eats {b} at a feast. | A feast in {a} comes with {b}. | At the feasts of {a} people eat {b}.
dish: Whoever feasts in {a} is given {b}.
""")
TALK = Bank("""
change: Suppose that the {relation} of {a} were {b} instead. | Imagine that {b} were the {relation} of {a}.
change: Assume that the {relation} of {a} is {b}. | Let {b} be the {relation} of {a}.
swap: Suppose that {a} and {c} had each other's {relation}. | Imagine that the {relation} of {a} and that of {c} were exchanged.
swap: Assume that {a} has the {relation} of {c} and {c} that of {a}. | Let {a} and {c} swap their {relation}.
drop: Drop the innermost supposition. | Drop the most recent supposition that is still in force.
drop: Return to how things were before the last supposition still in force. | End the last supposition that is still in force.
ask: What is the {last} of {a}? | State the {last} of {a}. | Give the {last} of {a}. | Name the {last} of {a}.
""")
RELATIONS = ("town", "guild", "colour", "feast", "dish")
COLOURS = "red white green black yellow blue grey brown".split()
MONTHS = "January February March April May June July August September October November December".split()
DISHES = "soup eel dumplings bread cakes cabbage stew chestnuts pudding cheese".split()


class Knobs(Config):
    customs: int = knob(4, easy=2, hard=6, doc="people, towns, guilds and so on, of each as many")
    lines: int = knob(9, easy=3, hard=24, doc="suppositions made and left")
    suppositions: str = knob(
        "nested",
        easy="one",
        hard="swapped",
        order=("one", "nested", "swapped"),
        doc="whether one supposition holds at a time, or several inside each other, and whether things are swapped",
    )


class Talk(TaskData):
    kind: str
    relation: str = ""
    a: str = ""
    b: str = ""
    c: str = ""
    last: str = ""


class Data(TaskData):
    facts: tuple[tuple[str, str, str], ...]
    talk: tuple[Talk, ...]
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, full=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Suppositions are piled up first and left one by one afterwards, with questions on the way up and on the way down."""
    return _sample_task(rng, knobs, full=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the prompt; keeps no copies of the world, but looks each link up in the suppositions that stand, the innermost first.
    world, _, talk = task.prompt.partition("\n\nNow go through")
    facts = {(statement.kind, statement.gaps["a"]): statement.gaps["b"] for line in world.split("\n") if (statement := BANK.read(line))}
    standing = list[Talk]()
    out = []
    for line in sentences(talk).values():
        statement = TALK.read(re.sub(r"\b[Tt]he (?=\S+-guild)", "", line))
        assert statement
        talk_line = Talk(kind=statement.kind, **statement.gaps)
        if talk_line.kind == "drop":
            standing.pop()
        elif talk_line.kind == "ask":
            at = talk_line.a
            for relation in RELATIONS[_level(facts, at) : RELATIONS.index(talk_line.last) + 1]:
                at = _look_up(facts, standing, relation, at)
            out.append(at.lower())
        else:
            standing.append(talk_line)
    return tuple(out)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    facts = {(relation, a): b for relation, a, b in task.data.facts}
    plain = tuple(_follow_relations(facts, talk_line)[-1].lower() for talk_line in task.data.talk if talk_line.kind == "ask")
    last = [b.lower() for relation, _, b in task.data.facts if relation == task.data.talk[-1].last and b.lower() != right[-1]]
    return [plain, right[::-1], right[:-1], *((*right[:-1], other) for other in last[:2]), (*right, right[-1])]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.facts) + sum({"ask": 5, "change": 3, "swap": 6, "drop": 4}[talk_line.kind] for talk_line in task.data.talk))


def derive(task: Task[Data]) -> Derivation:
    worlds = [{(relation, a): b for relation, a, b in task.data.facts}]
    facts, standing = worlds[0], list[Talk]()
    for at, line in enumerate(task.data.talk, 1):
        if line.kind == "drop":
            worlds.pop()
            standing.pop()
        elif line.kind == "ask":
            step = LED(at=at, b=" then ".join(_follow_relations(worlds[-1], line)))
            yield step.accepting(partial(_leads, facts, tuple(standing), at, line))
        else:
            worlds.append(_suppose(worlds[-1], line))
            standing.append(line)
            for thing in (line.a, line.c):
                if thing:
                    step = SUPPOSED(at=at, relation=line.relation, a=thing, b=worlds[-1][line.relation, thing])
                    yield step.accepting(partial(_is_supposed, facts, tuple(standing), at, line.relation, thing))


def _is_supposed(
    facts: Facts, standing: Sequence[Talk], line: int, link: str, thing: str, /, at: int, relation: str, a: str, b: str
) -> bool:
    return (at, relation, a) == (line, link, thing) and _look_up(facts, standing, relation, a) == b


def _leads(facts: Facts, standing: Sequence[Talk], line: int, question: Talk, /, at: int, b: str) -> bool:
    reached, path = question.a, list[str]()
    for relation in RELATIONS[_level(facts, reached) : RELATIONS.index(question.last) + 1]:
        reached = _look_up(facts, standing, relation, reached)
        path.append(reached)
    return at == line and b == " then ".join(path)


def _level(facts: dict[tuple[str, str], str], thing: str) -> int:
    return [(relation, thing) in facts for relation in RELATIONS].index(True)


def _look_up(facts: Facts, standing: Sequence[Talk], relation: str, a: str) -> str:
    """Where a relation leads under the suppositions that stand, found from the innermost outwards."""
    for supposed in reversed(standing):
        if supposed.relation == relation and a in (supposed.a, supposed.c):
            if supposed.kind == "change":
                return supposed.b
            a = supposed.c if a == supposed.a else supposed.a
    return facts[relation, a]


def _suppose(world: dict[tuple[str, str], str], talk: Talk) -> dict[tuple[str, str], str]:
    if talk.kind == "change":
        return world | {(talk.relation, talk.a): talk.b}
    return world | {(talk.relation, talk.a): world[talk.relation, talk.c], (talk.relation, talk.c): world[talk.relation, talk.a]}


def _follow_relations(world: dict[tuple[str, str], str], talk: Talk) -> list[str]:
    at, path = talk.a, list[str]()
    for relation in RELATIONS[_level(world, at) : RELATIONS.index(talk.last) + 1]:
        at = world[relation, at]
        path.append(at)
    return path


def _sample_task(rng: Rng, knobs: Knobs, full: bool) -> Task[Data]:
    size = knobs.customs
    invented = [f"{noun[:-1].title()}-guild" for noun in names.invent(rng, size)]
    pools = [stories.people(rng, size), stories.places(rng, size), invented]
    pools += [rng.sample(bank, size) for bank in (COLOURS, MONTHS, DISHES)]
    world = dict[tuple[str, str], str]()
    for relation, ones, others in zip(RELATIONS, pools, pools[1:]):
        ends = rng.shuffled(others)
        world |= {(relation, subject): ends[k] if rng.chance(0.7) else rng.choice(ends) for k, subject in enumerate(ones)}
    worlds, talk, answers = [world], list[Talk](), list[str]()
    most = 1 if knobs.suppositions == "one" else 2 + knobs.lines // 4
    half = (knobs.lines + 1) // 2

    def ask() -> None:
        for _ in range(30):
            level = rng.integer(0, 2)
            talk_line = Talk(kind="ask", a=rng.choice(pools[level]), last=RELATIONS[rng.integer(max(level, 2), 4)])
            if _follow_relations(worlds[-1], talk_line) != _follow_relations(world, talk_line) or rng.chance(0.05):
                break
        talk.append(talk_line)
        answers.append(_follow_relations(worlds[-1], talk_line)[-1].lower())

    for k in range(knobs.lines):
        down = k >= half if full and most > 1 else len(worlds) > most or rng.chance(0.35)
        if len(worlds) > 1 and down:
            worlds.pop()
            talk.append(Talk(kind="drop"))
        else:
            level = rng.integer(0, 4)
            relation = RELATIONS[level]
            first, second = rng.sample(pools[level], 2)
            kind = (
                "swap"
                if knobs.suppositions == "swapped" and rng.chance(0.6) and worlds[-1][relation, first] != worlds[-1][relation, second]
                else "change"
            )
            if kind == "swap":
                talk_line = Talk(kind="swap", relation=relation, a=first, c=second)
            else:
                ends = [end for end in pools[level + 1] if end != worlds[-1][relation, first]]
                talk_line = Talk(kind="change", relation=relation, a=first, b=rng.choice(ends))
            worlds.append(_suppose(worlds[-1], talk_line))
            talk.append(talk_line)
        if k in (knobs.lines // 3, 2 * knobs.lines // 3, knobs.lines - 1):
            ask()
    facts = tuple((relation, a, b) for (relation, a), b in world.items())
    facts_text = "\n".join(rng.shuffled([BANK.say(rng, relation, a=a, b=b) for relation, a, b in facts]))
    text = numbered_list(
        re.sub(
            r"\S+-guild",
            r"the \g<0>",
            TALK.say(rng, talk_line.kind, **{name: what for name, what in talk_line.model_dump(exclude={"kind"}).items() if what}),
        )
        for talk_line in talk
    )
    chain = (
        "people belong to the guild of the town that they live in, have the colour of their guild, the feast of that colour and the dish of that month; "
        "likewise, a town has the colour, feast and dish of its guild, a guild the feast and dish of its colour, and a colour the dish of its feast"
    )
    prompt = (
        f"This is how things are in a distant country:\n{facts_text}\n\nNow go through these lines. A supposition is in force until it is dropped, and "
        "others can be made inside it. It changes only the facts that it names and what follows from them, and it is made in addition to all "
        "suppositions that are in force already. Each "
        f"question is answered under the suppositions in force at that line. Some facts follow from others: {chain}.\n\n{text}\n\n"
        "Give the answers to the questions, in their order."
    )
    return Task(prompt, Data(facts=facts, talk=tuple(talk), answer=tuple(answers)))


environment = Environment(
    Knobs, Words("the answers in order, one word each, separated by spaces", max_items=40, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Keep a stack of suppositions; for every link of a question look from the top of the stack downwards for what it says of it.",
    version=4,
)  # fmt: skip
