"""Switches and rules about two of them: set all switches, or show a chain of forced steps that proves it cannot be done.

Any setting that keeps the rules is accepted, and any correct chain; the bare claim that it is impossible is never an answer.
"""

from collections.abc import Iterator
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs.adjacency import breadth_first_search
from rlgym.solutions import Checks, Derivation, Solution, Step

Rule = tuple[str, int, int]
FORCES = Step("{a} forces {b} by rule {rule:int}")
KEPT = Step("{choice} forces {forced:words} and no contradiction: keep them")
BROKEN = Step("{choice} would force {forced:words}, which contradicts itself")


class Knobs(Config):
    switches: int = knob(8, easy=6, hard=40, doc="how many switches there are")
    kinds: int = knob(3, easy=1, hard=5, doc="how many kinds of rules are used")
    tightness: int = knob(90, easy=85, hard=100, doc="percent of the rules that can be kept together, or nearly")
    impossible: int = knob(25, easy=0, hard=45, doc="percent of tasks whose rules contradict each other")


class Data(TaskData):
    switches: int
    rules: tuple[Rule, ...]
    possible: bool

    @property
    def lead(self) -> str:
        return "The setting is" if self.possible else "So neither can hold:"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, chained=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rules between switches with near numbers only."""
    return _sample_task(rng, knobs, chained=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    setting = _find_setting(data.switches, data.rules, range(1, data.switches + 1))
    return _words(sorted(setting, key=abs) if setting is not None else _contradiction_chain(data, 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    numbers = {f"s{i}": i for i in range(1, data.switches + 1)}
    given = []
    for word in answer:
        name = word.replace("−", "-").replace("¬", "-")
        if name.removeprefix("-") not in numbers:
            return Score.wrong(f"every word must be one of S1 to S{data.switches}, with a minus sign or not")
        given.append(-numbers[name[1:]] if name.startswith("-") else numbers[name])
    if len(given) > 2 and given[0] == given[-1]:
        implied = _implications(data.rules)
        for a, b in pairwise(given):
            if b not in implied.get(a, ()):
                return Score.wrong(f"no single rule makes {_name(b)} follow from {_name(a)}")
        return Score.exact(-given[0] in given, "the chain does not contain the negation of its first literal")
    on = set(given)
    if len(given) != data.switches or len({abs(literal) for literal in on}) != data.switches:
        return Score.wrong(f"each of the {data.switches} switches must be set once")
    for i, rule in enumerate(data.rules, 1):
        if any(-a in on and -b in on for a, b in _clauses(rule)):
            return Score.wrong(f"rule {i} is broken")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    all_switches = range(1, task.data.switches + 1)
    all_on, all_off = _words(all_switches), _words([-i for i in all_switches])
    negated = _words([-int(word.replace("s", "")) for word in right])
    return [all_on, all_off, negated, right[:-1], ("s1", "-s1", "s1"), ("impossible",)]


def cost(task: Task[Data]) -> float:
    return float(task.data.switches + sum(len(_clauses(rule)) for rule in task.data.rules))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    implied = _implications(data.rules)
    if not data.possible:
        for a, b in pairwise(_contradiction_chain(data, 1)):
            rule = next(i for i, rule in enumerate(data.rules, 1) if any(pair in ((-a, b), (b, -a)) for pair in _clauses(rule)))
            yield FORCES(a=_name(a), b=_name(b), rule=rule)
        return
    on = set[int]()
    for switch in range(1, data.switches + 1):
        if switch in on or -switch in on:
            continue
        for choice in (switch, -switch):
            consequences = _unit_propagation(implied, choice)
            new = [_name(literal) for literal in sorted(consequences - on, key=abs)]
            if not any(-literal in consequences for literal in consequences):
                yield KEPT(choice=_name(choice), forced=new)
                on |= consequences
                break
            yield BROKEN(choice=_name(choice), forced=new)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    implied = _implications(data.rules)
    numbers = {_name(sign * i): sign * i for i in range(1, data.switches + 1) for sign in (1, -1)}
    on, chain = set[int](), list[int]()

    def is_forced(a: str, b: str, rule: int) -> bool:
        literal, other = numbers[a], numbers[b]
        joined = chain[-1:] in ([], [literal]) and rule > 0
        chain.append(other)
        return joined and any(pair in ((-literal, other), (other, -literal)) for pair in _clauses(data.rules[rule - 1]))

    def is_tried(choice: str, forced: tuple[str, ...], kept: bool) -> bool:
        literal, named = numbers[choice], {numbers[name] for name in forced}
        consequences = _unit_propagation(implied, literal)
        consistent = not any(-literal in consequences for literal in consequences)
        new = literal not in on and -literal not in on and named == consequences - on
        on.update(consequences if consistent else ())
        return new and consistent == kept

    return {
        FORCES: is_forced,
        KEPT: lambda choice, forced: is_tried(choice, forced, kept=True),
        BROKEN: lambda choice, forced: is_tried(choice, forced, kept=False),
    }


def picture(task: Task[Data]) -> str:
    names = {"or": "or", "then": "then", "not both": "not both", "differ": "either", "same": "same"}
    rules = []
    for kind, a, b in task.data.rules:
        first, second = ("on" if literal > 0 else "off" for literal in (a, b))
        rules.append((f"S{abs(a)}", f"S{abs(b)}", f"{first} {names[kind]} {second}"))
    return pictures.network([f"S{i + 1}" for i in range(task.data.switches)], rules)


def _sample_task(rng: Rng, knobs: Knobs, chained: bool) -> Task[Data]:
    count, possible = knobs.switches, not rng.chance(knobs.impossible / 100)
    kinds = ("or", "then", "not both", "differ", "same")[: knobs.kinds]
    rules: dict[Rule, None] = {}
    # Rules are added until one more would contradict the rest.
    while True:
        first, second = rng.sample(range(1, count + 1), 2)
        second = (first + rng.integer(0, 1)) % count + 1 if chained else second
        a, b = (i if rng.chance(0.5) else -i for i in (first, second))
        rule = rng.weighted(kinds, (8, 8, 8, 1, 1)[: knobs.kinds]), a, b
        if _find_setting(count, (*rules, rule), range(1, count + 1)) is None:
            if not possible:
                rules[rule] = None
            if len(rules) > count // 2:
                break
            rules = {}
        else:
            rules[rule] = None
    kept = tuple(rng.shuffled(list(rules)))
    if possible:
        kept = kept[: max(2, len(kept) * knobs.tightness // 100)]
    listing = "\n".join(f"{i}. {_render_rule(rule)}" for i, rule in enumerate(kept, 1))
    chain = (
        "\n\nIf no setting keeps all rules, prove it by a chain. Each step says that one thing forces the next because of a single rule: for example, if a "
        "rule forces S2 to be off whenever S1 is on, then S1 may be followed by -S2. The chain must start at some switch (on or off), come to its opposite, "
        "and come back to what it started from: it ends as it starts and passes through the opposite."
    )
    prompt = (
        f"There are {count} switches, S1 to S{count}, each of which is on or off. The rules:\n{listing}\n\n"
        f"Set all switches so that every rule is kept. Write S1 if S1 is on and -S1 if S1 is off, and so on for every switch, each once, in any order."
        f"{chain if knobs.impossible else ''}"
    )
    return Task(prompt, Data(switches=count, rules=kept, possible=possible))


def _words(literals: list[int] | range) -> tuple[str, ...]:
    return tuple(f"s{literal}" if literal > 0 else f"-s{-literal}" for literal in literals)


def _name(literal: int) -> str:
    return f"S{literal}" if literal > 0 else f"-S{-literal}"


def _render_rule(rule: Rule) -> str:
    kind, a, b = rule
    first, second = (f"S{abs(x)} is {'on' if x > 0 else 'off'}" for x in (a, b))
    match kind:
        case "or":
            return f"{first} or {second} (or both)."
        case "then":
            return f"If {first}, then {second}."
        case "not both":
            return f"It is not the case that {first} and {second}."
        case "differ":
            return f"Either {first} or {second}, but not both."
        case _:
            return f"{first} if and only if {second}."


def _clauses(rule: Rule) -> tuple[tuple[int, int], ...]:
    """The rule as clauses of two literals."""
    kind, a, b = rule
    match kind:
        case "or":
            return ((a, b),)
        case "then":
            return ((-a, b),)
        case "not both":
            return ((-a, -b),)
        case "differ":
            return ((a, b), (-a, -b))
        case _:
            return ((-a, b), (a, -b))


def _implications(rules: tuple[Rule, ...]) -> dict[int, list[int]]:
    """The implication graph: what each literal forces by a single rule."""
    implied: dict[int, list[int]] = {}
    for rule in rules:
        for a, b in _clauses(rule):
            implied.setdefault(-a, []).append(b)
            implied.setdefault(-b, []).append(a)
    return implied


def _unit_propagation(implied: dict[int, list[int]], start: int) -> set[int]:
    """All literals that a literal forces, itself included."""
    return set(breadth_first_search(implied, start))


def _find_setting(count: int, rules: tuple[Rule, ...], order: range) -> list[int] | None:
    """A satisfying setting by unit propagation: each open switch takes the first value without a contradiction. None if there is none."""
    implied = _implications(rules)
    on: set[int] = set()
    for switch in order:
        if switch in on or -switch in on:
            continue
        for choice in (switch, -switch):
            consequences = _unit_propagation(implied, choice)
            if not any(-literal in consequences for literal in consequences):
                on |= consequences
                break
        else:
            return None
    return sorted(on)


def _contradiction_chain(data: Data, step: int) -> list[int]:
    """A shortest chain from a literal to its negation and back."""
    implied = _implications(data.rules)
    for start in range(1, data.switches + 1)[::step]:
        forward, back = _shortest_path(implied, start, -start), _shortest_path(implied, -start, start)
        if forward and back:
            return forward + back[1:]
    raise AssertionError("rules without a contradiction have no such chain")


def _shortest_path(implied: dict[int, list[int]], start: int, end: int) -> list[int]:
    paths, seen = [[start]], {start}
    for path in paths:
        if path[-1] == end:
            return path
        for implied_literal in implied.get(path[-1], ()):
            if implied_literal not in seen:
                seen.add(implied_literal)
                paths.append([*path, implied_literal])
    return []


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data = task.data
    if not data.possible:
        chain = _contradiction_chain(data, -1)
        middle = chain.index(-chain[0])
        yield _words(chain)
        yield _words(chain[middle:] + chain[1 : middle + 1])
        return
    for order in (range(-data.switches, 0), range(data.switches, 0, -1)):
        yield _words((_find_setting(data.switches, data.rules, order) or [])[::-1])


environment = Environment(
    Knobs,
    Words("the words for the switches, or for the steps of the chain in order, separated by spaces", max_items=300, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "{lead} {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    shared_helpers="The helper reads the rules as clauses.",
    concept="Set one switch and follow everything that it forces: without a contradiction keep it all, else set that switch the other way.",
    version=3,
)  # fmt: skip
