"""Explain to a given reader why a device came on: every link of the actual chain of causes, in order, and nothing that did not contribute.

The machine has numbered rules; some need two devices, some are blocked by others. The reader limits the length of sentences and the words.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.text.english import join_words
from rlgym.generators.writing.composing import compose, in_words, write_sentence
from rlgym.rubrics import Check, Fact, FactSheet, Finding, Term, checks, read_facts, rubric_of_facts
from rlgym.solutions import Derivation, Solution, Step

DEVICES = tuple("pump fan lamp bell valve motor heater belt siren shutter crane mixer press drill oven gate winch".split())
PEOPLE = tuple("Ada Ben Cleo Dan Eva Finn Gia Hugo Ines Jack Kira Leo Mia Nils Olga Paul Rosa Tara".split())
READERS = {
    "a child": (14, ("activates", "initiates", "circuit", "condition", "consequently")),
    "a visitor in a hurry": (16, ("actually", "basically", "very", "simply", "clearly")),
    "an inspector": (20, ("thing", "stuff", "somehow", "kind", "guess")),
}
RULES = {
    True: "When {causes} {verb} on, {effect} comes on{unless}.",
    False: "When {causes} {verb} the news, {effect} hears it too{unless}.",
}
SENTENCES = {
    "device": (
        "By rule {r}, {a} switched on {b}.", "With {a} on, rule {r} started {b}.", "Next, {a} brought {b} on by rule {r}.",
        "Rule {r} let {a} start {b}.",
    ),
    "person": (
        "By rule {r}, {a} passed the news to {b}.", "What {a} knew reached {b} by rule {r}.", "Then rule {r} took the news from {a} to {b}.",
        "Rule {r} carried the news of {a} on to {b}.",
    ),
}  # fmt: skip
OPENINGS = ("Here is what happened.", "I will explain it step by step.", "The order of events was this.")
CLOSINGS = ("That is the whole story.", "This explains what you saw.", "So it had to happen.")
FIRED = Step("Rule {number:int} holds: {causes} came before, and {effect} follows.")


class Knobs(Config):
    links: int = knob(3, easy=2, hard=7, doc="rules that lead to the device")
    distractors: int = knob(4, easy=1, hard=14, doc="rules that do not")
    forms: str = knob(
        "joint",
        easy="simple",
        hard="blocked",
        order=("simple", "joint", "blocked"),
        doc="rules with one cause, with two, or also with a block",
    )


class Rule(TaskData):
    causes: tuple[str, ...]
    effect: str
    unless: str = ""


class Data(TaskData):
    sheet: FactSheet
    chain: tuple[int, ...]
    """The numbers of the rules that lead to the target, each after those it rests on."""
    rules: tuple[Rule, ...]
    reader: str
    most_words: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, DEVICES, machine=True)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """News that people pass on, instead of devices that switch each other."""
    return _sample_task(rng, knobs, PEOPLE, machine=False)


def solve(task: Task[Data]) -> str:
    return _written(task.prompt, 0)


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    names = [f"rule {number}" for number in data.chain]
    longest, forbidden = READERS[data.reader]
    further = (
        checks.max_sentence_words(longest), checks.avoids(forbidden), Check(name="order", test=lambda text: _in_order(data, text)),
        checks.no_other_mentions(data.sheet),
    )  # fmt: skip
    return rubric_of_facts(data.sheet, names, data.most_words, further).score(answer)


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    sentences = re.split(r"(?<=\.)\s+", right)
    linking = [text for text in sentences if re.search(r"\d", text)]
    other = next((k for k in range(1, len(data.rules) + 1) if k not in data.chain), 0)
    causes = join_words([_the(cause) for cause in data.rules[other - 1].causes]) if other else ""
    kind = "device" if data.rules[0].effect in DEVICES else "person"
    more = f"{right} {SENTENCES[kind][0].format(r=other, a=causes, b=_the(data.rules[other - 1].effect))}" if other else ""
    backwards = " ".join(linking[::-1])
    forbidden = f"{right} {READERS[data.reader][1][0].title()} is a word for it."
    return [text for text in (" ".join(linking[:-1]), " ".join(linking[1:]), backwards, more, forbidden, task.prompt) if text]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.rules) + sum(3 * len(task.data.rules[k - 1].causes) for k in task.data.chain))


def derive(task: Task[Data]) -> Derivation:
    for number in task.data.chain:
        rule = task.data.rules[number - 1]
        yield FIRED(number=number, causes=join_words(rule.causes), effect=rule.effect)


def _in_order(data: Data, text: str) -> Finding:
    """Whether each link is stated after those that its causes rest on."""
    stated = read_facts(data.sheet, text).stated
    first = {number: stated[f"rule {number}"][0] for number in data.chain if stated[f"rule {number}"]}
    makes = {data.rules[number - 1].effect: number for number in data.chain}
    early = [
        first[number]
        for number in first
        for cause in data.rules[number - 1].causes
        if cause in makes and first.get(makes[cause], (-1, -1)) > first[number]
    ]
    return Finding(float(not early), "a link is stated before what it rests on" if early else "", tuple(early))


def _sample_task(rng: Rng, knobs: Knobs, names: Sequence[str], machine: bool) -> Task[Data]:
    while True:
        order = rng.sample(names, min(len(names), knobs.links + 4 + knobs.distractors // 2))
        rules = list[Rule]()
        for at, (cause, effect) in enumerate(pairwise(order[: knobs.links + 1])):
            joint = knobs.forms != "simple" and at and rng.chance(0.35)
            more = (rng.choice([name for name in order[:at] if name != cause]),) if joint and at > 0 else ()
            rules.append(Rule(causes=tuple(rng.shuffled((cause, *more))), effect=effect))
        for _ in range(knobs.distractors):
            low, high = sorted(rng.sample(range(len(order)), 2))
            others = [name for name in order[:high] if name != order[low]]
            more = (rng.choice(others),) if others and knobs.forms != "simple" and rng.chance(0.4) else ()
            rules.append(Rule(causes=tuple(rng.shuffled((order[low], *more))), effect=order[high]))
        if knobs.forms == "blocked":
            places = {name: k for k, name in enumerate(order)}
            for k, rule in enumerate(rules):
                lower = [name for name in order[: places[rule.effect]] if name not in rule.causes]
                if lower and rng.chance(0.5):
                    rules[k] = rule.model_copy(update={"unless": rng.choice(lower)})
        rules = rng.shuffled(rules)
        starts = [order[0], *(name for name in order[knobs.links + 1 :] if rng.chance(0.3))]
        fired = _fired(rules, starts, order)
        target = order[knobs.links]
        chain = _chain(rules, fired, target)
        if chain and len(chain) >= knobs.links and len({(rule.causes, rule.effect) for rule in rules}) == len(rules):
            break
    reader = rng.choice(list(READERS))
    longest, forbidden = READERS[reader]
    facts = tuple(_fact(number, rules[number - 1]) for number in chain)
    sheet = FactSheet(facts=facts, vocabulary=tuple(Term(aliases=(name,)) for name in order))
    most = 14 * len(chain) + 40
    listed = "\n".join(f"{k}. {_rule_text(rule, machine)}" for k, rule in enumerate(rules, 1))
    shown = join_words([_the(name) for name in starts])
    state = f"At first {shown} {'is' if len(starts) == 1 else 'are'} on, and nothing else."
    if not machine:
        state = f"At first only {shown} {'knows' if len(starts) == 1 else 'know'} the news."
    asked = f"why {_the(target)} came on" if machine else f"how the news came to {_the(target)}"
    prompt = (
        f"{'A machine' if machine else 'A village'} follows these rules:\n\n{listed}\n\n{state}\n\n"
        f"Explain to {reader} {asked}. Each rule that led to it gets exactly one "
        "sentence with its number, as in rule 1, which names what the rule needs, in the order of the rule, and then what follows from it. A rule comes "
        f"after those that it rests on. No other rule, {'device' if machine else 'person'} or figure is mentioned anywhere; other sentences name none. "
        f"For this reader, no sentence has more than {longest} words, and the words {', '.join(forbidden)} are not used. "
        f"Write at most {most} words of plain text, without lists."
    )
    return Task(prompt, Data(sheet=sheet, chain=chain, rules=tuple(rules), reader=reader, most_words=most))


def _the(name: str) -> str:
    return f"the {name}" if name in DEVICES else name


def _rule_text(rule: Rule, machine: bool) -> str:
    verb = ("is" if len(rule.causes) == 1 else "are") if machine else ("hears" if len(rule.causes) == 1 else "hear")
    unless = f", unless {_the(rule.unless)} {'is on' if machine else 'knows it'}" if rule.unless else ""
    causes = join_words([_the(cause) for cause in rule.causes])
    return RULES[machine].format(causes=causes, verb=verb, effect=_the(rule.effect), unless=unless)


def _fact(number: int, rule: Rule) -> Fact:
    terms = (
        *(Term(aliases=(cause,)) for cause in rule.causes),
        Term(aliases=(rule.effect,)),
        Term(aliases=(f"rule {number}", *(("rule one",) if number == 1 else ()))),
    )
    return Fact(name=f"rule {number}", terms=terms, keys=len(rule.causes), ordered=len(rule.causes) + 1)


def _fired(rules: list[Rule], starts: list[str], order: list[str]) -> dict[str, list[int]]:
    """For each device that is on the numbers of the rules that hold for it, in the order in which rules lead on; none for those on at first."""
    fired: dict[str, list[int]] = {name: [] for name in starts}
    for name in order:
        if name in starts:
            continue
        holding = [
            number
            for number, rule in enumerate(rules, 1)
            if rule.effect == name and all(cause in fired for cause in rule.causes) and not (rule.unless and rule.unless in fired)
        ]
        if holding:
            fired[name] = holding
    return fired


def _chain(rules: list[Rule], fired: dict[str, list[int]], target: str) -> tuple[int, ...]:
    """The rules that lead to the target, each after those it rests on; empty where one device has two."""
    chain, waiting = list[int](), [target]
    while waiting:
        name = waiting.pop(0)
        if name not in fired or len(fired[name]) > 1:
            return ()
        for number in fired[name]:
            if number in chain:
                chain.remove(number)
            chain.append(number)
            waiting += rules[number - 1].causes
    return tuple(chain[::-1])


def _written(prompt: str, key: int) -> str:
    """An explanation, from what the prompt shows: what is asked for is traced back, rule by rule."""
    rng = Rng("explanation", key, prompt)
    rules = dict[int, tuple[list[str], str, str]]()
    pattern = (
        r"^(\d+)\. When (.*?) (?:is|are|hears?) (?:on|the news), (.*?) (?:comes|hears) (?:on|it too)"
        r"(?:, unless (.*?) (?:is on|knows it))?\.$"
    )
    for number, causes, effect, unless in re.findall(pattern, prompt, re.MULTILINE):
        rules[int(number)] = (causes.split(" and "), effect, unless)
    start = re.search(r"At first (?:only )?(.*?) (?:is|are|knows?) (?:on|the news)", prompt)
    target = re.search(r"Explain to [a-z ]+? (?:why (.*?) came on|how the news came to (.*?))\. Each", prompt)
    if not start or not target:
        raise ValueError(f"the prompt names no start or no target: {prompt[-300:]!r}")
    given = set(re.split(r", | and ", start[1]))
    known = dict.fromkeys(given, 0)

    def rule_for(name: str) -> int:
        """The rule that brings a device on, 0 if it was on at first, -1 if it stays off."""
        if name not in known:
            known[name] = -1
            for number, (causes, effect, unless) in rules.items():
                if effect == name and all(rule_for(cause) >= 0 for cause in causes) and (not unless or rule_for(unless) < 0):
                    known[name] = number
        return known[name]

    done = list[int]()

    def trace(name: str) -> None:
        number = rule_for(name)
        if number > 0 and number not in done:
            for cause in rules[number][0]:
                trace(cause)
            done.append(number)

    trace(target[1] or target[2])
    kind = "device" if prompt.startswith("A machine") else "person"
    number = in_words if key % 3 == 2 else str
    sentences = [write_sentence(rng, SENTENCES, kind, r=number(each), a=" and ".join(rules[each][0]), b=rules[each][1]) for each in done]
    return compose(rng, sentences, OPENINGS, CLOSINGS)


def _solutions(task: Task[Data]) -> Iterator[str]:
    yield from (_written(task.prompt, key) for key in range(1, 6))


environment = Environment(
    Knobs, Passage("the explanation"), generate, solve, verify, mistakes, cost,
    shift=shift, answers="many", solutions=_solutions, solution=Solution(derive, "So this text explains it:\n{answer}"),
    concept="Find out what comes on, rule by rule, and trace the one asked about back to the start; then write the links from first to last.",
)  # fmt: skip
