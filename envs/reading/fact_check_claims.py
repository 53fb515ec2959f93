"""Judge several claims by a text: supported, refuted or left open, each with the sentences that decide it.

A claim may rest on one sentence or on several together, and denials decide too; a fact that is not stated leaves a claim open, and so does
a claim about somebody of whom the text has no fact.
"""

import re
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators import stories
from rlgym.generators.facts import Bank, passage, read_statements, sample_filler, sentences, webs
from rlgym.generators.facts.abstaining import abstention_parts
from rlgym.generators.facts.webs import Fact, World
from rlgym.generators.text import english
from rlgym.solutions import Checks, Derivation, Solution, Step

TOLD = Step("Claim {number:int}: by sentence {at:int}, the {relation} of {a} is {b}.")
DENIED = Step("Claim {number:int}: by sentence {at:int}, the {relation} of {a} is not {b}.")
SILENT = Step("Claim {number:int}: nothing is told of the {relation} of {a} that decides it.")
SO = Step("Claim {number:int} is {verdict}.")
CLAIMS = Bank("""
claim: {The_words} is {no}{end_words}. | {End_words} is {no}{the_words}.
""")
DENIALS = Bank("""
denied: Whoever says that {b_words} is the {relation} of {a_words} is wrong. | It is a fable that {b_words} is the {relation} of {a_words}.
denied: {b_words} has been named in error as the {relation} of {a_words}.
denied: In truth the {relation} of {a_words} is not {b_words}.
""")
VERDICTS = ("supported", "refuted", "open")
STRANGERS = 0.4  # the share of tasks with a claim about somebody of whom the text has no fact
Told = dict[tuple[str, str], tuple[str, int]]
Denials = dict[tuple[str, str, str], int]


class Knobs(Config):
    facts: int = knob(20, easy=6, hard=80, doc="facts in the story", scale="log")
    claims: int = knob(4, easy=3, hard=7, doc="claims to judge")
    hops: int = knob(2, easy=1, hard=5, doc="most relations that a claim goes through")
    forms: str = knob(
        "negated", easy="plain", hard="denied", order=("plain", "negated", "denied"), doc="whether claims and sentences say what is not so"
    )


class Claim(TaskData):
    start: str
    hops: tuple[str, ...]
    end: str
    negated: bool


class Data(TaskData):
    facts: tuple[Fact, ...]
    denials: tuple[Fact, ...]
    ships: bool = False
    claims: tuple[Claim, ...]
    lines: tuple[tuple[str, str], ...]


class Found(NamedTuple):
    """How a claim is decided: the facts on the way, the denial or None, the verdict, and where the way ends."""

    way: list[tuple[str, str]]
    denial: int
    verdict: str
    at: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, webs.GUILDS)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Sailors, ships and islands, which other relations hold together."""
    return _sample_task(rng, knobs, webs.SHIPS)


def solve(task: Task[Data]) -> tuple[tuple[str, str], ...]:
    # Reads text and claims, and follows each claim from fact to fact.
    world = webs.SHIPS if task.data.ships else webs.GUILDS
    text, _, claims_text = task.prompt.partition("\n\nThe claims:\n")
    facts = webs.read(text, world)
    denials = {
        (gaps["relation"], gaps["a_words"].removeprefix("the "), re.sub("^[Tt]he ", "", gaps["b_words"])): at
        for at, (_, gaps) in read_statements(text, DENIALS)
    }
    lines = []
    for number, line in sentences(claims_text.partition("\n\n")[0]).items():
        plain = line.removesuffix(".")
        parts = re.fullmatch(r"(?:[Tt]he )?(?P<end>\S+) is (?P<no>not )?(?P<chain>the .*)", plain)
        parts = parts or re.fullmatch(r"(?P<chain>The .*) is (?P<no>not )?(?:the )?(?P<end>\S+)", plain)
        assert parts
        start, hops = webs.unphrase(world, parts["chain"][0].lower() + parts["chain"][1:])
        claim = Claim(start=start, hops=hops, end=parts["end"], negated=bool(parts["no"]))
        lines.append(_line(number, facts, denials, claim))
    return tuple(sorted(lines))


def verify(task: Task[Data], answer: tuple[tuple[str, str], ...]) -> Score:
    right = dict(task.data.lines)
    given = {name: what.split() for name, what in answer}
    if given.keys() != right.keys():
        return Score.wrong("the answer must have one line for each claim, and no other")
    parts = abstention_parts([(right[number], what) for number, what in answer], "open")
    for number, words in given.items():
        verdict, *evidence = right[number].split()
        if words[0] != verdict:
            return Score.wrong(f"claim {number} is not {words[0][:12]}", **parts)
        if words[1:] != evidence:
            return Score.wrong(f"these sentences are not those that decide claim {number}, in ascending order", **parts)
    return Score.exact(True, "", **parts)


def mistakes(task: Task[Data], right: tuple[tuple[str, str], ...]) -> list[tuple[tuple[str, str], ...]]:
    (number, verdict_text), *rest = right
    verdict, *evidence = verdict_text.split()
    others = [" ".join((other, *evidence)) for other in VERDICTS if other != verdict]
    return [
        *(((number, other), *rest) for other in others),
        ((number, " ".join((verdict, *evidence, "1"))), *rest),
        tuple((name, "supported") for name, _ in right),
        tuple((name, what.split()[0]) for name, what in right),
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    return len(task.prompt) / 50 + len(task.data.facts) * sum(len(claim.hops) + claim.negated for claim in task.data.claims)


def derive(task: Task[Data]) -> Derivation:
    facts, denials = _index_facts(task.data)
    for number, claim in enumerate(task.data.claims, 1):
        checked = _check_claim(facts, denials, claim)
        for key in checked.way:
            yield TOLD(number=number, at=facts[key][1], relation=key[0], a=key[1], b=facts[key][0])
        if checked.denial:
            yield DENIED(number=number, at=checked.denial, relation=claim.hops[-1], a=checked.at, b=claim.end)
        elif checked.verdict == "open":
            yield SILENT(number=number, relation=claim.hops[len(checked.way)], a=checked.at)
        yield SO(number=number, verdict=checked.verdict)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    facts = {(fact.relation, fact.a): fact for fact in data.facts}
    paths = [[claim.start] for claim in data.claims]
    verdicts: dict[int, str] = {}  # of the claims whose path ends early
    done = 0

    def current(number: int) -> tuple[Claim, list[str]]:
        if number != done + 1:
            raise LookupError(number)
        return data.claims[done], paths[done]

    def is_told(number: int, at: int, relation: str, a: str, b: str) -> bool:
        claim, path = current(number)
        fact = facts[relation, a]
        if (fact.at, fact.b) != (at, b) or a != path[-1] or claim.hops[len(path) - 1] != relation:
            return False
        path.append(b)
        return True

    def is_denied(number: int, at: int, relation: str, a: str, b: str) -> bool:
        claim, path = current(number)
        if len(path) != len(claim.hops) or (relation, a, b) != (claim.hops[-1], path[-1], claim.end) or (relation, a) in facts:
            return False
        verdicts[number] = "supported" if claim.negated else "refuted"
        return any((denial.at, denial.relation, denial.a, denial.b) == (at, relation, a, b) for denial in data.denials)

    def is_silent(number: int, relation: str, a: str) -> bool:
        claim, path = current(number)
        denied = any((denial.relation, denial.a, denial.b) == (relation, a, claim.end) for denial in data.denials)
        if (relation, a) != (claim.hops[len(path) - 1], path[-1]) or (relation, a) in facts or (denied and len(path) == len(claim.hops)):
            return False
        verdicts[number] = "open"
        return True

    def is_verdict(number: int, verdict: str) -> bool:
        nonlocal done
        claim, path = current(number)
        reached = "supported" if (path[-1] == claim.end) != claim.negated else "refuted"
        right = verdict == (reached if len(path) == len(claim.hops) + 1 else verdicts[number])
        done += right
        return right

    return {DENIED: is_denied, TOLD: is_told, SILENT: is_silent, SO: is_verdict}


def _index_facts(data: Data) -> tuple[Told, Denials]:
    facts = {(fact.relation, fact.a): (fact.b, fact.at) for fact in data.facts}
    return facts, {(denial.relation, denial.a, denial.b): denial.at for denial in data.denials}


def _check_claim(facts: Told, denials: Denials, claim: Claim) -> Found:
    at, path = claim.start, list[tuple[str, str]]()
    for hop in claim.hops:
        if (hop, at) not in facts:
            denial = denials.get((hop, at, claim.end), 0) if len(path) == len(claim.hops) - 1 else 0
            verdict = ("supported" if claim.negated else "refuted") if denial else "open"
            return Found(path, denial, verdict, at)
        path.append((hop, at))
        at = facts[hop, at][0]
    return Found(path, 0, "supported" if (at == claim.end) != claim.negated else "refuted", at)


def _line(number: int, facts: Told, denials: Denials, claim: Claim) -> tuple[str, str]:
    checked = _check_claim(facts, denials, claim)
    evidence = {facts[key][1] for key in checked.way} | ({checked.denial} if checked.denial else set())
    return str(number), " ".join((checked.verdict, *map(str, sorted(evidence) if checked.verdict != "open" else ())))


def _sample_task(rng: Rng, knobs: Knobs, world: World) -> Task[Data]:
    pools = webs.things(rng, world, max(6, min(28, knobs.facts // 3)))
    truth = webs.truth(rng, world, pools)
    asked = list[tuple[str, tuple[str, ...]]]()
    for _ in range(400):
        if len(asked) < knobs.claims:
            claim_drawn = webs.write_question(rng, world, truth, rng.integer(1, knobs.hops), "forward")
            if claim_drawn and claim_drawn not in asked:
                asked.append(claim_drawn)
    ways = [list(webs.walk(truth, start, hops)) for start, hops in asked]
    verdicts = rng.shuffled(["supported", "refuted", "open"] * 3)[: len(asked)]
    dropped = {rng.choice(path) for path, verdict in zip(ways, verdicts) if verdict == "open"}
    denied = dict[tuple[str, str], str]()
    claims = list[Claim]()
    stranger = rng.choice([name for name in stories.PEOPLE if name not in pools["person"]]) if rng.chance(STRANGERS) else ""
    for (start, hops), path, verdict in zip(asked, ways, verdicts):
        if verdict == "open" and stranger:  # the text has no fact about this person
            start, stranger = stranger, ""
        end = truth[path[-1]]
        others = [other for other in pools[world.relations[hops[-1]][1]] if other != end and other != path[-1][1]]
        shown = end if verdict == "supported" or (verdict == "open" and rng.chance(0.5)) else rng.choice(others)
        negated = knobs.forms != "plain" and rng.chance(0.4)
        if knobs.forms == "denied" and rng.chance(0.4):
            dropped.add(path[-1])
            shown = denied.setdefault(path[-1], rng.choice(others))
        claims.append(Claim(start=start, hops=hops, end=shown, negated=negated))
    if knobs.forms == "denied":  # what is denied besides the claims
        for key in rng.sample(list(truth), knobs.facts // 10):
            if key[0] != "birthyear" and not any(key in path for path in ways):
                denied.setdefault(key, rng.choice([end for end in pools[world.relations[key[0]][1]] if end not in (truth[key], key[1])]))
    needed = list(dict.fromkeys(key for path in ways for key in path if key not in dropped))
    hidden = [key for key in rng.shuffled(list(truth)) if key not in needed and key not in dropped and key[0] != "birthyear"]
    told_keys = [*needed, *hidden[: max(1, knobs.facts - len(needed))]]
    statements = [(("fact", *key, truth[key]), webs.fact_sentence(rng, world, key[0], key[1], truth[key])) for key in told_keys]
    for (relation, a), b in denied.items():
        text = DENIALS.say(rng, "denied", relation=relation, a_words=webs.name_with_article(a), b_words=webs.end_with_article(relation, b))
        statements.append((("denial", relation, a, b), text[0].upper() + text[1:]))
    towns = pools["island" if world.ships else "town"]
    statements += [(("", "", "", ""), text) for text in sample_filler(rng, knobs.facts // 6, towns, pools["person"])]
    statements = rng.shuffled(statements)
    placed = {
        kind: tuple(Fact(at=k, relation=key[1], a=key[2], b=key[3]) for k, (key, _) in enumerate(statements, 1) if key[0] == kind)
        for kind in ("fact", "denial")
    }
    data = Data(facts=placed["fact"], denials=placed["denial"], ships=world.ships, claims=tuple(claims), lines=())
    lines = tuple(sorted(_line(k, *_index_facts(data), claim) for k, claim in enumerate(claims, 1)))
    listed = "\n".join(f"{k}. {_render_claim(rng, world, claim)}" for k, claim in enumerate(claims, 1))
    prompt = (
        f"Read this description of a distant country. Every {_subjects(world)}, whether stated or not. "
        "Different names are different people and things, and there may be others that the text does not name.\n\n"
        f"{passage(rng, [text for _, text in statements])}\n\nThe claims:\n{listed}\n\n"
        "Judge each claim by the text alone: it is supported if it follows from the text, refuted if its negation follows, and open otherwise. After "
        "supported or refuted, give the numbers of the sentences from which this follows, all that are needed and no others, in "
        "ascending order; after open, give nothing."
    )
    return Task(prompt, data.model_copy(update={"lines": lines}))


def _render_claim(rng: Rng, world: World, claim: Claim) -> str:
    phrase = webs.phrase(world, claim.start, claim.hops)
    no, end = "not " if claim.negated else "", webs.end_with_article(claim.hops[-1], claim.end)
    capital = {"The_words": phrase[0].upper() + phrase[1:], "End_words": end[0].upper() + end[1:]}
    return CLAIMS.say(rng, "claim", **capital, the_words=phrase, no=no, end_words=end)


def _subjects(world: World) -> str:
    """What has exactly one of each relation: every person has exactly one teacher, ..."""
    owned: dict[str, list[str]] = {}
    for relation, (kind, _) in world.relations.items():
        if relation != "birthyear":
            owned.setdefault(kind, []).append(relation)
    return ", every ".join(f"{kind} has exactly one {english.join_words(names)}" for kind, names in owned.items())


environment = Environment(
    Knobs,
    Mapping("one line for each claim: its number, a colon, the verdict, and the numbers of sentences, separated by spaces", 20, several_words=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer:\n{answer}", checks=checks),
    concept="Follow each claim from its innermost name; it is decided only when every step of the way is told, or its last step is denied.",
    version=6,
)  # fmt: skip
