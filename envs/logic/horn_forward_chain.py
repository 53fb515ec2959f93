"""Find everything that follows from facts and if-then rules, some of which ask that something does not hold.

Rules never lead in a circle through a `not`, so that there is one reading: layer by layer, only what a rule makes holds.
"""

from collections.abc import Iterator
from itertools import permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.text.names import invent
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step

MADE = Step("By rule {rule}, {makes} holds, since before held {needs}")
BARRED = Step("By rule {rule}, {makes} holds, since before held {needs}, and never will {bars}")


class Knobs(Config):
    things: int = knob(12, easy=8, hard=40, doc="how many things may hold")
    conditions: int = knob(2, easy=1, hard=4, doc="most conditions of a rule")
    negation: str = knob(
        "none", easy="none", hard="layers", order=("none", "layers"), doc="whether rules may ask that something does not hold"
    )


class Rule(TaskData):
    makes: str
    needs: tuple[str, ...]
    bars: tuple[str, ...]


class Data(TaskData):
    facts: tuple[str, ...]
    rules: tuple[Rule, ...]
    follows: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        things = [noun[:-1] for noun in invent(rng, knobs.things)]
        layers = 3 if knobs.negation == "layers" else 1
        layer = {thing: i * layers // len(things) for i, thing in enumerate(things)}
        facts = tuple(things[: max(2, len(things) // 8)])
        rules = tuple(dict.fromkeys(_rule(rng, knobs, things[len(facts) :], layer) for _ in range(3 * len(things) // 2)))
        derived = dict.fromkeys(facts)
        rounds = 0
        for now in range(layers):
            before = -1
            while before < len(derived):
                before, rounds = len(derived), rounds + 1
                new = [rule.makes for rule in rules if layer[rule.makes] == now and _fires(rule, derived)]
                derived |= dict.fromkeys(new)
        follows = tuple(sorted(thing for thing in derived if thing not in facts))
        if rounds >= 3 and 3 <= len(follows) < len({rule.makes for rule in rules}) and 3 * len(follows) <= 2 * len(things):
            break
    facts, rules = tuple(rng.shuffled(facts)), tuple(rng.shuffled(rules))
    listing = "\n".join(f"{i}. {_render_rule(rule)}" for i, rule in enumerate(rules, 1))
    barred = " A condition not X is met if X never comes to hold; no chain of rules leads from X back to X through a not."
    prompt = (
        f"These facts hold: {', '.join(facts)}.\nThese rules derive further facts:\n{listing}\n\n"
        "Nothing holds except the given facts and what follows from them by the rules."
        f"{barred if knobs.negation == 'layers' else ''} List all the derived facts, without the given ones."
    )
    return Task(prompt, Data(facts=facts, rules=rules, follows=follows))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the prompt, and closes in from both sides: what may hold is derived from what must, and the other way round, without layers.
    head, *lines = task.prompt.split("\n\n")[0].split("\n")
    facts = head.removeprefix("These facts hold: ").removesuffix(".").split(", ")
    rules = []
    for line in lines[1:]:
        makes, _, text = line.partition(". ")[2].partition(" if ")
        parts = text.split(" and ")
        needs = tuple(part for part in parts if not part.startswith("not "))
        rules.append(Rule(makes=makes, needs=needs, bars=tuple(part[4:] for part in parts if part.startswith("not "))))
    must = _forward_chain(facts, rules, {rule.makes for rule in rules} | set(facts))
    while True:
        may = _forward_chain(facts, rules, must)
        more = _forward_chain(facts, rules, may)
        if more == must:
            return tuple(sorted(must - set(facts)))
        must = more


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = set(task.data.follows)
    if len(set(answer)) < len(answer):
        return Score.wrong("something is named twice")
    if set(answer) - right:
        return Score.wrong("something that is named does not follow, or is said to hold at the start")
    return Score.exact(len(answer) == len(right), "something that follows is not named")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    heads = tuple(sorted({rule.makes for rule in data.rules}))
    first = tuple(sorted({rule.makes for rule in data.rules if _fires(rule, dict.fromkeys(data.facts))}))
    one_step = tuple(sorted({rule.makes for rule in data.rules if any(need in data.facts for need in rule.needs)}))
    wrong = [heads, first, one_step, right[:-1], (*data.facts, *right), data.facts]
    return [answer for answer in wrong if answer and set(answer) != set(right)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.follows) * sum(1 + len(rule.needs) + 2 * len(rule.bars) for rule in task.data.rules))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    derived, final, last = set(data.facts), {*data.facts, *data.follows}, 0
    while len(derived) < len(final):
        works = [
            i
            for i, rule in enumerate(data.rules, 1)
            if rule.makes not in derived and derived.issuperset(rule.needs) and final.isdisjoint(rule.bars)
        ]
        ready = sorted((i <= last, i) for i in works)  # from the rule after the last one used
        taken = yield OneOf(tuple(_use(i, data.rules[i - 1]) for _, i in ready))
        last = int(taken["rule"])
        derived.add(data.rules[last - 1].makes)


def _use(number: int, rule: Rule) -> Due:
    needs, bars = " and ".join(rule.needs), " and ".join(rule.bars)
    return (BARRED if bars else MADE)(rule=number, makes=rule.makes, needs=needs, **({"bars": bars} if bars else {}))


def _rule(rng: Rng, knobs: Knobs, atoms: list[str], layer: dict[str, int]) -> Rule:
    makes = rng.choice(atoms)
    below = [thing for thing in layer if layer[thing] <= layer[makes] and thing != makes]
    needs = rng.sample(below, min(len(below), rng.integer(1, knobs.conditions)))
    lower = [thing for thing in layer if layer[thing] < layer[makes] and thing not in needs]
    bars = [rng.choice(lower)] if lower and rng.chance(0.5) else []
    return Rule(makes=makes, needs=tuple(needs), bars=tuple(bars))


def _fires(rule: Rule, derived: dict[str, None]) -> bool:
    return all(need in derived for need in rule.needs) and not any(bar in derived for bar in rule.bars)


def _forward_chain(facts: list[str], rules: list[Rule], against: set[str]) -> set[str]:
    """What holds in the end if exactly the things in `against` count as holding behind a `not`."""
    derived, before = set(facts), -1
    while before < len(derived):
        before = len(derived)
        derived |= {rule.makes for rule in rules if derived.issuperset(rule.needs) and against.isdisjoint(rule.bars)}
    return derived


def _render_rule(rule: Rule) -> str:
    return f"{rule.makes} if {' and '.join((*rule.needs, *(f'not {bar}' for bar in rule.bars)))}"


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """What follows, as it was found layer by layer, in every order."""
    yield from permutations(reversed(task.data.follows))


environment = Environment(
    Knobs, Words("the derived facts, in any order, separated by spaces", max_items=100, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "No other rule works. So these follow: {answer}"),
    answers="many", solutions=_solutions, version=5,
    concept="Go through the rules again and again, adding what they make, until none adds anything; settle what stands behind a not first.",
)  # fmt: skip
