"""Switches and rules about two of them: set all switches, or show a chain of forced steps that proves it cannot be done.

Any setting that keeps the rules is accepted, and any correct chain; the bare claim that it is impossible is never an answer.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import pictures
from rlgym.generators.steps import Line, ended, first_wrong

Rule = tuple[str, int, int]
FORCES = Line("{a} forces {b} by rule {rule}")
KEPT = Line("{choice} forces {told} and no contradiction: keep them")
BROKEN = Line("{choice} would force {told}, which contradicts itself")


class Knobs(Config):
    switches: int = knob(8, easy=3, hard=40, doc="how many switches there are")
    kinds: int = knob(3, easy=1, hard=5, doc="how many kinds of rules are used")
    tightness: int = knob(90, easy=60, hard=100, doc="percent of the rules that can be kept together, or nearly")
    impossible: int = knob(25, easy=0, hard=45, doc="percent of tasks whose rules contradict each other")


class Data(TaskData):
    switches: int
    rules: tuple[Rule, ...]
    possible: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, chained=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rules between switches with near numbers only."""
    return _made(rng, knobs, chained=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    setting = _setting(data.switches, data.rules, range(1, data.switches + 1))
    return _named(sorted(setting, key=abs) if setting is not None else _chain(data, 1))


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
        forced = _forced(data.rules)
        for a, b in pairwise(given):
            if b not in forced.get(a, ()):
                return Score.wrong(f"no single rule makes {_named([b])[0].upper()} follow from {_named([a])[0].upper()}")
        return Score.exact(-given[0] in given, "the chain does not pass the opposite of its start")
    on = set(given)
    if len(given) != data.switches or len({abs(one) for one in on}) != data.switches:
        return Score.wrong(f"each of the {data.switches} switches must be set once")
    for i, rule in enumerate(data.rules, 1):
        if any(-a in on and -b in on for a, b in _clauses(rule)):
            return Score.wrong(f"rule {i} is broken")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    every = range(1, task.data.switches + 1)
    all_on, all_off = _named(every), _named([-i for i in every])
    turned = _named([-int(word.replace("s", "")) for word in right])
    return [all_on, all_off, turned, right[:-1], ("s1", "-s1", "s1"), ("impossible",)]


def cost(task: Task[Data]) -> float:
    return float(task.data.switches + sum(len(_clauses(rule)) for rule in task.data.rules))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    forced = _forced(data.rules)
    if not data.possible:
        steps = []
        for a, b in pairwise(_chain(data, 1)):
            rule = next(i for i, rule in enumerate(data.rules, 1) if any(pair in ((-a, b), (b, -a)) for pair in _clauses(rule)))
            steps.append(FORCES.write(a=_named([a])[0].upper(), b=_named([b])[0].upper(), rule=rule))
        return [*steps, f"So neither can hold: {' '.join(right)}"]
    steps, on = [], set[int]()
    for switch in range(1, data.switches + 1):
        if switch in on or -switch in on:
            continue
        for choice in (switch, -switch):
            follows = _follows(forced, choice)
            told = ", ".join(_named(sorted(follows - on, key=abs))).upper()
            if any(-one in follows for one in follows):
                steps.append(BROKEN.write(choice=_named([choice])[0].upper(), told=told))
                continue
            steps.append(KEPT.write(choice=_named([choice])[0].upper(), told=told))
            on |= follows
            break
    return [*steps, f"The setting is {' '.join(right)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    forced = _forced(data.rules)
    numbers = {f"{'-' * (sign < 0)}S{i}": sign * i for i in range(1, data.switches + 1) for sign in (1, -1)}
    on, chain = set[int](), list[int]()

    def follows(step: str) -> bool:
        if read := FORCES.read(step):
            a, b, rule = numbers[read["a"]], numbers[read["b"]], data.rules[int(read["rule"]) - 1]
            joined = chain[-1:] in ([], [a]) and int(read["rule"]) > 0
            chain.append(b)
            return joined and any(pair in ((-a, b), (b, -a)) for pair in _clauses(rule))
        kept = KEPT.read(step)
        read = kept or BROKEN.read(step)
        if not read:
            return False
        choice, told = numbers[read["choice"]], {numbers[name] for name in read["told"].split(", ")}
        follow = _follows(forced, choice)
        fine = not any(-one in follow for one in follow)
        new = choice not in on and -choice not in on and told == follow - on
        on.update(follow if fine else ())
        return new and fine == (kept is not None)

    lead = "The setting is " if data.possible else "So neither can hold: "
    return first_wrong(steps, follows, ended(lead, task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    names = {"or": "or", "then": "then", "not both": "not both", "differ": "either", "same": "same"}
    rules = []
    for kind, a, b in task.data.rules:
        one, other = ("on" if x > 0 else "off" for x in (a, b))
        rules.append((f"S{abs(a)}", f"S{abs(b)}", f"{one} {names[kind]} {other}"))
    return pictures.network([f"S{i + 1}" for i in range(task.data.switches)], rules)


def _made(rng: Rng, knobs: Knobs, chained: bool) -> Task[Data]:
    count, possible = knobs.switches, not rng.chance(knobs.impossible / 100)
    kinds = ("or", "then", "not both", "differ", "same")[: knobs.kinds]
    rules: dict[Rule, None] = {}
    # Rules are added until one more would contradict the rest.
    while True:
        one, two = rng.sample(range(1, count + 1), 2)
        two = (one + rng.integer(0, 1)) % count + 1 if chained else two
        a, b = (i if rng.chance(0.5) else -i for i in (one, two))
        rule = rng.weighted(kinds, (8, 8, 8, 1, 1)[: knobs.kinds]), a, b
        if _setting(count, (*rules, rule), range(1, count + 1)) is None:
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
    listing = "\n".join(f"{i}. {_told(rule)}" for i, rule in enumerate(kept, 1))
    chain = (
        "\n\nIf no setting keeps all rules, prove it by a chain. Each step says that one thing forces the next because of a single rule: for example, if a "
        "rule forces S2 to be off whenever S1 is on, then S1 may be followed by -S2. The chain must start at some switch (on or off), come to its opposite, "
        "and come back to what it started from: it ends as it starts and has the opposite on its way."
    )
    prompt = (
        f"There are {count} switches, S1 to S{count}, each of which is on or off. The rules:\n{listing}\n\n"
        f"Set all switches so that every rule is kept. Write S1 if S1 is on and -S1 if S1 is off, and so on for every switch, each once, in any order."
        f"{chain if knobs.impossible else ''}"
    )
    return Task(prompt, Data(switches=count, rules=kept, possible=possible))


def _named(literals: list[int] | range) -> tuple[str, ...]:
    return tuple(f"s{one}" if one > 0 else f"-s{-one}" for one in literals)


def _told(rule: Rule) -> str:
    kind, a, b = rule
    one, other = (f"S{abs(x)} is {'on' if x > 0 else 'off'}" for x in (a, b))
    match kind:
        case "or":
            return f"{one} or {other} (or both)."
        case "then":
            return f"If {one}, then {other}."
        case "not both":
            return f"It is not so that {one} and {other}."
        case "differ":
            return f"Either {one} or {other}, but not both."
        case _:
            return f"{one} if and only if {other}."


def _clauses(rule: Rule) -> tuple[tuple[int, int], ...]:
    """The rule as pairs of which at least one must hold."""
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


def _forced(rules: tuple[Rule, ...]) -> dict[int, list[int]]:
    """What each literal forces by a single rule."""
    forced: dict[int, list[int]] = {}
    for rule in rules:
        for a, b in _clauses(rule):
            forced.setdefault(-a, []).append(b)
            forced.setdefault(-b, []).append(a)
    return forced


def _follows(forced: dict[int, list[int]], start: int) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        for there in forced.get(waiting.pop(), ()):
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return seen


def _setting(count: int, rules: tuple[Rule, ...], order: range) -> list[int] | None:
    """Switch by switch, the first choice that forces no contradiction; what it forces stays. None if there is no setting."""
    forced = _forced(rules)
    on: set[int] = set()
    for switch in order:
        if switch in on or -switch in on:
            continue
        for choice in (switch, -switch):
            follows = _follows(forced, choice)
            if not any(-one in follows for one in follows):
                on |= follows
                break
        else:
            return None
    return sorted(on)


def _chain(data: Data, step: int) -> list[int]:
    """From a literal by the shortest way to its opposite, and by the shortest way back."""
    forced = _forced(data.rules)
    for start in range(1, data.switches + 1)[::step]:
        there, back = _way(forced, start, -start), _way(forced, -start, start)
        if there and back:
            return there + back[1:]
    raise AssertionError("rules without a contradiction have no such chain")


def _way(forced: dict[int, list[int]], start: int, end: int) -> list[int]:
    ways, seen = [[start]], {start}
    for way in ways:
        if way[-1] == end:
            return way
        for there in forced.get(way[-1], ()):
            if there not in seen:
                seen.add(there)
                ways.append([*way, there])
    return []


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data = task.data
    if not data.possible:
        chain = _chain(data, -1)
        middle = chain.index(-chain[0])
        yield _named(chain)
        yield _named(chain[middle:] + chain[1 : middle + 1])
        return
    for order in (range(-data.switches, 0), range(data.switches, 0, -1)):
        yield _named((_setting(data.switches, data.rules, order) or [])[::-1])


environment = Environment(
    Knobs,
    Words("the words for the switches, or for the steps of the chain in order, separated by spaces", most=300, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    picture=picture,
    answers="many",
    solutions=_others,
    concept="Set one switch and follow everything that it forces: without a contradiction keep it all, else set that switch the other way.",
)
