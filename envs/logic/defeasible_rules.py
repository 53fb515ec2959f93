"""Find what holds when rules have exceptions: a rule counts only if it beats every rule that speaks against it.

Rules are compared by numbers, by which of them comes later, or by a list of which beats which, in which some pairs are left open.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.text.names import invent
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step

Pairs = tuple[tuple[str, str], ...]
SAYS = {"true": "it is true", "false": "it is false", "open": "it stays open"}
CASE = Step("{thing}: what applies is {forward} for it and {against} against it; {reason}, so {verdict}")
BEST = Step("rule {winner} beats all that speak against it")
NOBODY = "no rule beats all that speak against it"
NEEDLESS = "no rule applies"


class Knobs(Config):
    things: int = knob(9, easy=4, hard=26, doc="how many things are to be settled")
    conditions: int = knob(2, easy=1, hard=4, doc="most conditions of a rule")
    order: str = knob(
        "numbers", easy="later", hard="pairs", order=("later", "numbers", "pairs"), doc="how the prompt states which rule beats which"
    )
    unless: str = knob("none", easy="none", hard="many", order=("none", "some", "many"), doc="how often a rule has an exception of its own")


class Rule(TaskData):
    thing: str
    says: bool
    needs: tuple[tuple[str, bool], ...]
    unless: tuple[tuple[str, bool], ...]


class Data(TaskData):
    facts: tuple[tuple[str, bool], ...]
    rules: tuple[Rule, ...]  # numbered from 1
    strengths: tuple[int, ...]  # empty where rules have none
    beats: tuple[tuple[int, int], ...]
    answer: Pairs


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, chained=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Kinds within kinds: each thing follows from the one before, and exceptions to exceptions turn it round."""
    return _sample_task(rng, knobs, chained=True)


def solve(task: Task[Data]) -> Pairs:
    # From the question backwards: a thing asks for the conditions of its rules, and these for theirs.
    data = task.data
    known: dict[str, str] = {thing: "true" if value else "false" for thing, value in data.facts}

    def value(thing: str) -> str:
        if thing not in known:
            speaking = [i for i, rule in enumerate(data.rules, 1) if rule.thing == thing and applies(rule)]
            winners = [
                data.rules[i - 1].says
                for i in speaking
                if all((i, j) in data.beats for j in speaking if data.rules[j - 1].says != data.rules[i - 1].says)
            ]
            known[thing] = ("true" if winners[0] else "false") if winners else "open"
        return known[thing]

    def applies(rule: Rule) -> bool:
        met = [value(thing) == ("true" if expected else "false") for thing, expected in rule.needs]
        barred = [value(thing) == ("true" if expected else "false") for thing, expected in rule.unless]
        return all(met) and not any(barred)

    given = {thing for thing, _ in data.facts}
    return tuple(sorted((thing, value(thing)) for thing in {rule.thing for rule in data.rules} - given))


def verify(task: Task[Data], answer: Pairs) -> Score:
    given, right = dict(answer), dict(task.data.answer)
    if set(given) != set(right):
        return Score.wrong("exactly the things that rules speak of must each be called true, false or open")
    if not set(given.values()) <= set(SAYS):
        return Score.wrong("each thing is true, false or open")
    return Score.exact(given == right, "a thing is not as it is said to be")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    turned = {"true": "false", "false": "open", "open": "true"}
    (first, value), *rest = right
    bold = _evaluate(data.model_copy(update={"beats": ()}))
    last = {rule.thing: "true" if rule.says else "false" for rule in data.rules}
    return [
        ((first, turned[value]), *rest),
        tuple((thing, bold[thing]) for thing, _ in right),
        tuple((thing, last[thing]) for thing, _ in right),
        tuple((thing, "true" if value == "open" else value) for thing, value in right),
        tuple((thing, "open") for thing, _ in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    weights = sum(1 + len(rule.needs) + 2 * len(rule.unless) for rule in data.rules)
    return float(weights * (1 + len(data.answer)) + len(data.beats))


def derive(task: Task[Data]) -> Derivation:
    data, pending = task.data, _topological_order(task.data)
    value = {thing: "true" if is_so else "false" for thing, is_so in data.facts}
    while pending:
        ready = [thing for thing in pending if _conditions(data, thing) <= value.keys()]
        taken = yield OneOf(tuple(_case(data, thing, value).accepting(partial(_is_case, data, thing, dict(value))) for thing in ready))
        pending.remove(taken["thing"])
        value[taken["thing"]] = next(verdict for verdict, words in SAYS.items() if words == taken["verdict"])


def _is_case(data: Data, due: str, value: dict[str, str], /, thing: str, forward: str, against: str, reason: str, verdict: str) -> bool:
    """Checks a case on its own: the stated reason must be so, and give the verdict."""
    speaking_for, speaking_against = _applicable_rules(data, due, value)
    speaking, sound = {*speaking_for, *speaking_against}, False
    if reason == NEEDLESS:
        right, sound = "open", not speaking
    elif reason == NOBODY:
        right = "open"
        sound = bool(speaking) and not any(_beats_all(data, i, speaking_against if i in speaking_for else speaking_for) for i in speaking)
    else:
        winner = int((BEST.read(reason) or {})["winner"])
        right = "true" if winner in speaking_for else "false"
        sound = winner in speaking and _beats_all(data, winner, speaking_against if winner in speaking_for else speaking_for)
    return sound and (thing, forward, against, verdict) == (due, _rules(speaking_for), _rules(speaking_against), SAYS[right])


def _conditions(data: Data, thing: str) -> set[str]:
    """The things that the rules on this one ask for."""
    return {name for rule in data.rules if rule.thing == thing for name, _ in (*rule.needs, *rule.unless)}


def _sample_task(rng: Rng, knobs: Knobs, chained: bool) -> Task[Data]:
    while True:
        facts_count = 2 + knobs.things // 5
        names = [noun[:-1] for noun in invent(rng, knobs.things + facts_count)]
        facts = tuple((name, rng.chance(0.75)) for name in names[:facts_count])
        rules = rng.shuffled(list(dict.fromkeys((_chain if chained else _tangle)(rng, knobs, names, facts))))
        strengths = tuple(rng.integer(1, 5) for _ in rules) if knobs.order == "numbers" else ()
        beats = tuple(sorted(_beats(rng, rules, strengths, knobs.order == "later")))
        data = Data(facts=facts, rules=tuple(rules), strengths=strengths, beats=beats, answer=())
        value = _evaluate(data)
        answer = tuple(sorted((name, value[name]) for name in names[facts_count:]))
        counts = [sum(status == kind for _, status in answer) for kind in SAYS]
        fought = [
            thing
            for thing in names[facts_count:]
            if len({rule.says for rule in rules if rule.thing == thing and _applies(rule, value)}) == 2
        ]
        if 10 * max(counts) <= 8 * len(answer) and len(fought) > len(answer) // 6 and min(counts[:2]) > 0:
            break
    data = data.model_copy(update={"answer": answer})
    return Task(_render_prompt(data, knobs), data)


def _tangle(rng: Rng, knobs: Knobs, names: Sequence[str], facts: Sequence[tuple[str, bool]]) -> Iterator[Rule]:
    """Two to four rules for each thing, with conditions among all things before it."""
    value = dict(facts)
    for k, name in enumerate(names[len(facts) :], len(facts)):
        for says in [True, False, *(rng.chance(0.5) for _ in range(rng.integer(0, 2)))]:
            needs = rng.sample(names[:k], rng.integer(1, min(knobs.conditions, k)))
            rest = [other for other in names[:k] if other not in needs]
            bars = rng.sample(rest, 1) if rest and rng.chance({"none": 0.0, "some": 0.3, "many": 0.6}[knobs.unless]) else []
            # Conditions mostly ask for what is so, or nothing would ever apply.
            signs = [value[other] if other in value and rng.chance(0.85) else rng.chance(0.5) for other in needs]
            yield Rule(
                thing=name, says=says, needs=tuple(zip(needs, signs, strict=True)), unless=tuple((bar, rng.chance(0.5)) for bar in bars)
            )
        value[name] = rng.chance(0.5)


def _chain(rng: Rng, knobs: Knobs, names: Sequence[str], facts: Sequence[tuple[str, bool]]) -> Iterator[Rule]:
    """Each thing has a rule from the one before it, and exceptions from things further back, which have exceptions in their turn."""
    for k, name in enumerate(names[len(facts) :], len(facts)):
        near = names[k - 1]
        says = rng.chance(0.5)
        yield Rule(thing=name, says=says, needs=((near, facts[-1][1] if k == len(facts) else rng.chance(0.5)),), unless=())
        for depth in range(rng.integer(1, 3)):
            back = rng.sample(names[: k - 1], rng.integer(1, min(knobs.conditions, k - 1)))
            signs = [dict(facts).get(other, rng.chance(0.5)) for other in back]
            rest = [other for other in names[:k] if other not in back]
            bars = rng.sample(rest, 1) if rest and rng.chance({"none": 0.0, "some": 0.3, "many": 0.6}[knobs.unless]) else []
            yield Rule(
                thing=name,
                says=says ^ (depth % 2 == 0),
                needs=tuple(zip(back, signs, strict=True)),
                unless=tuple((bar, rng.chance(0.5)) for bar in bars),
            )


def _beats(rng: Rng, rules: Sequence[Rule], strengths: Sequence[int], later: bool) -> Iterator[tuple[int, int]]:
    """Which rule beats which among those that speak against each other, by number from 1."""
    for (i, rule_a), (j, two) in combinations(enumerate(rules, 1), 2):
        if rule_a.thing == two.thing and rule_a.says != two.says:
            if later:
                yield j, i
            elif strengths:
                if strengths[i - 1] != strengths[j - 1]:
                    yield (i, j) if strengths[i - 1] > strengths[j - 1] else (j, i)
            elif rng.chance(0.8):
                yield (i, j) if rng.chance(0.5) else (j, i)


def _render_prompt(data: Data, knobs: Knobs) -> str:
    text = {
        "later": "Of two rules that speak against each other, the one with the larger number beats the other.",
        "numbers": "A rule beats another one if its strength is larger; of two rules of the same strength neither beats the other.",
        "pairs": "One rule beats another one only where that is listed (if 1 beats 2 and 2 beats 3, 1 need not beat 3):\n"
        + ("\n".join(f"{i} beats {j}" for i, j in data.beats) or "(none)"),
    }[knobs.order]
    strong = [f" (strength {strength})" for strength in data.strengths] or [""] * len(data.rules)
    listing = "\n".join(f"{i}. {_render_rule(rule)}{strong[i - 1]}" for i, rule in enumerate(data.rules, 1))
    facts = ", ".join(f"{'' if is_so else 'not '}{name}" for name, is_so in data.facts)
    barred = ', and no condition after its "unless" is' if any(rule.unless for rule in data.rules) else ""
    return (
        f"These things are certain: {facts}.\nThese rules say what is usually so; each is for or against something:\n{listing}\n\n"
        f"A rule applies if all its conditions are settled as it asks (x is settled as true, not x: x is settled as false){barred}. "
        "A thing is settled as true if a rule that applies and is for it beats every rule that applies and is against it, and as false if a "
        "rule that applies and is against it beats every rule that applies and is for it (so one rule is enough where none that applies speaks against "
        f"it). Otherwise it stays open, and then neither it nor its negation is settled. No thing depends on "
        f"itself: settle each thing after all those that the rules for or against it mention.\n{text}\n\n"
        "For each thing that the rules are for or against, say whether it is settled as true, settled as false, or stays open."
    )


def _render_rule(rule: Rule) -> str:
    needs = " and ".join(f"{'' if is_so else 'not '}{name}" for name, is_so in rule.needs)
    bars = "".join(f", unless {'' if is_so else 'not '}{name}" for name, is_so in rule.unless)
    return f"{'' if rule.says else 'not '}{rule.thing} if {needs}{bars}"


def _applies(rule: Rule, value: dict[str, str]) -> bool:
    met = all(value[name] == ("true" if is_so else "false") for name, is_so in rule.needs)
    return met and not any(value[name] == ("true" if is_so else "false") for name, is_so in rule.unless)


def _verdict(data: Data, thing: str, value: dict[str, str]) -> tuple[int, str]:
    """The rule that settles a thing whose conditions are settled, 0 for none, and what the thing is."""
    forward, against = _applicable_rules(data, thing, value)
    winner = next((i for i in forward if _beats_all(data, i, against)), 0) or next((i for i in against if _beats_all(data, i, forward)), 0)
    return winner, "true" if winner in forward else "false" if winner else "open"


def _case(data: Data, thing: str, value: dict[str, str]) -> Due:
    forward, against = _applicable_rules(data, thing, value)
    winner, verdict = _verdict(data, thing, value)
    reason = BEST.write(winner=winner) if winner else NOBODY if forward else NEEDLESS
    return CASE(thing=thing, forward=_rules(forward), against=_rules(against), reason=reason, verdict=SAYS[verdict])


def _applicable_rules(data: Data, thing: str, value: dict[str, str]) -> tuple[list[int], list[int]]:
    """The numbers of the rules that apply, for the thing and against it."""
    speaking = {i: rule.says for i, rule in enumerate(data.rules, 1) if rule.thing == thing and _applies(rule, value)}
    return [i for i, says in speaking.items() if says], [i for i, says in speaking.items() if not says]


def _beats_all(data: Data, rule: int, others: Sequence[int]) -> bool:
    return all((rule, other) in data.beats for other in others)


def _rules(numbers: Sequence[int]) -> str:
    return f"rule{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}" if numbers else "no rules"


def _topological_order(data: Data) -> list[str]:
    """Each thing after those that its rules ask for."""
    done = {thing for thing, _ in data.facts}
    pending = list(dict.fromkeys(rule.thing for rule in data.rules))
    out = []
    while pending:
        ready = next(thing for thing in pending if _conditions(data, thing) <= done)
        pending.remove(ready)
        done.add(ready)
        out.append(ready)
    return out


def _evaluate(data: Data) -> dict[str, str]:
    value = {thing: "true" if is_so else "false" for thing, is_so in data.facts}
    for thing in _topological_order(data):
        value[thing] = _verdict(data, thing, value)[1]
    return value


environment = Environment(
    Knobs, Mapping("one line `thing: value` for each such thing, where value is true, false or open", max_items=60),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "That settles all of them:\n{answer}", whole=True),
    concept="Settle first what depends only on what is settled already; for each thing list the rules that apply on both sides, and see whether one beats all "
    "on the other side.",
    version=5,
)  # fmt: skip
