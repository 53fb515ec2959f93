"""Find all answers of a Datalog query: facts, rules that may be recursive, and negation in layers."""

from collections.abc import Iterator
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

Pair = tuple[str, str]
Atom = tuple[str, str, str, bool]  # predicate, two variables, whether it is negated
Rule = tuple[Atom, tuple[Atom, ...]]
FOLLOWS = Step("{fact} by rule {rule:int} with {binding:words}")
END = "Answer: {answer}"
NAMES = "ann bob cid dot eve fay gus hal ida jon kay lee".split()
HEADS = ("near", "linked", "over", "apart")


class Knobs(Config):
    people: int = knob(6, easy=4, hard=11, beyond=12, doc="constants in the facts")
    facts: int = knob(8, easy=4, hard=20, beyond=34, doc="facts")
    layers: int = knob(2, easy=1, hard=4, doc="predicates that rules define, each by those before it")
    kind: str = knob("recursive", easy="joins", hard="negation", order=("joins", "recursive", "negation"), doc="kinds of rules")


class Data(TaskData):
    people: tuple[str, ...]
    facts: tuple[tuple[str, str, str], ...]
    rules: tuple[Rule, ...]
    asked: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lambda people: (rng.choice(people), rng.choice(people)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Facts along chains, from each person to one of the next two."""

    def pair(people: list[str]) -> Pair:
        i = rng.integer(0, len(people) - 2)
        return people[i], people[min(len(people) - 1, i + rng.integer(1, 2))]

    return _sample_task(rng, knobs, pair)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Bottom up, one predicate after the other, all variable bindings tried anew until nothing is added."""
    data = task.data
    known: dict[str, set[Pair]] = {}
    for name, first, second in data.facts:
        known.setdefault(name, set()).add((first, second))
    for head in HEADS:
        rules = [rule for rule in data.rules if rule[0][0] == head]
        before = -1
        while rules and before != len(known.setdefault(head, set())):
            before = len(known[head])
            for (_, x, y, _), body in rules:
                variables = sorted({name for _, a, b, _ in body for name in (a, b)})
                for values in product(data.people, repeat=len(variables)):
                    at = dict(zip(variables, values, strict=True))
                    if all(((at[a], at[b]) in known.get(name, ())) != negated for name, a, b, negated in body):
                        known[head].add((at[x], at[y]))
    return tuple(sorted(f"{first}-{second}" for first, second in known[data.asked]))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(answer) > len(task.data.people) ** 2:
        return Score.wrong("that are more pairs than there can be")
    right = {f"{first}-{second}" for first, second in _model(task.data)[task.data.asked]}
    if len(set(answer)) < len(answer):
        return Score.wrong("a pair is given twice")
    return Score.exact(set(answer) == right, "some pair is missing or does not follow")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    turned = tuple("-".join(pair.split("-")[::-1]) for pair in right)
    base = tuple(dict.fromkeys(f"{first}-{second}" for _, first, second in data.facts))
    every = tuple(f"{person}-{other}" for person in data.people for other in data.people)
    return [turned, base, every, right[:-1] or every, (*right, next((pair for pair in every if pair not in right), "x-y"))]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.facts) + 4 * sum(len(pairs) for pairs in _model(task.data).values()) + 12 * len(task.data.rules))


def derive(task: Task[Data]) -> Derivation:
    steps = list[Due]()
    _model(task.data, steps)
    yield from in_order(steps)


def checks(task: Task[Data]) -> Checks:
    data, known, model = task.data, set(task.data.facts), _model(task.data)

    def follows(fact: str, rule: int, binding: tuple[str, ...]) -> bool:
        at = dict(part.split(" = ") for part in binding)
        (name, x, y, _), body = data.rules[rule - 1]
        holds = all(
            (at[a], at[b]) not in model.get(other, ()) if negated else (other, at[a], at[b]) in known for other, a, b, negated in body
        )
        known.add((name, at[x], at[y]))
        return holds and sorted(at) == sorted({v for _, a, b, _ in body for v in (a, b)}) and fact == f"{name}({at[x]}, {at[y]})"

    return {FOLLOWS: follows}


def _model(data: Data, steps: list[Due] | None = None) -> dict[str, dict[Pair, None]]:
    """All facts that follow, by joining the atoms of a body one after the other; each new one is a step."""
    known: dict[str, dict[Pair, None]] = {}
    for name, first, second in data.facts:
        known.setdefault(name, {})[first, second] = None
    for head in HEADS:
        rules = [(i, rule) for i, rule in enumerate(data.rules, 1) if rule[0][0] == head]
        changed = bool(rules)
        known.setdefault(head, {})
        while changed:
            changed = False
            for i, ((_, x, y, _), body) in rules:
                for at in list(_bindings(body, known, {})):
                    if (at[x], at[y]) not in known[head]:
                        known[head][at[x], at[y]] = None
                        changed = True
                        if steps is not None:
                            binding = [f"{name} = {value}" for name, value in sorted(at.items())]
                            steps.append(FOLLOWS(fact=f"{head}({at[x]}, {at[y]})", rule=i, binding=binding))
    return known


def _bindings(body: tuple[Atom, ...], known: dict[str, dict[Pair, None]], at: dict[str, str]) -> Iterator[dict[str, str]]:
    if not body:
        yield at
        return
    (name, a, b, negated), *rest = body
    if negated:
        if (at[a], at[b]) not in known.get(name, {}):
            yield from _bindings(tuple(rest), known, at)
        return
    for first, second in list(known.get(name, {})):
        if at.get(a, first) == first and at.get(b, second) == second and (a != b or first == second):
            yield from _bindings(tuple(rest), known, {**at, a: first, b: second})


def _sample_task(rng: Rng, knobs: Knobs, pair: object) -> Task[Data]:
    assert callable(pair)
    while True:
        people = rng.sample(NAMES, knobs.people)
        names = ("knows", "trusts")
        facts = {(rng.choice(names), *pair(people)): None for _ in range(4 * knobs.facts)}
        rules: list[Rule] = []
        low = list(names)
        for head in HEADS[: knobs.layers]:
            first, second = rng.choice(low), low[-1] if len(low) > 2 else rng.choice(low)
            atom: Atom = (head, "X", "Y", False)
            ways: list[list[Rule]] = [
                [(atom, ((first, "X", "Z", False), (second, "Z", "Y", False)))],
                [(atom, ((first, "X", "Y", False), (second, "Y", "X", False)))]
                if first != second
                else [(atom, ((first, "Z", "X", False), (first, "Z", "Y", False)))],
                [(atom, ((first, "X", "Z", False), (second, "Y", "Z", False)))],
            ]
            if knobs.kind != "joins":
                ways.append([(atom, ((first, "X", "Y", False),)), (atom, ((head, "X", "Z", False), (second, "Z", "Y", False)))])
                ways.append([(atom, ((first, "Y", "X", False),)), (atom, ((second, "X", "Z", False), (head, "Z", "Y", False)))])
            if knobs.kind == "negation":
                ways = [*ways[3:], [(atom, ((first, "X", "Z", False), (second, "Z", "Y", False), (rng.choice(low), "X", "Y", True)))]]
            rules += rng.choice(ways)
            low.append(head)
        data = Data(people=tuple(people), facts=tuple(list(facts)[: knobs.facts]), rules=tuple(rules), asked=HEADS[knobs.layers - 1])
        if 2 <= len(_model(data)[data.asked]) <= max(3, knobs.people**2 * 3 // 4):
            break
    shown = "\n".join(f"{name}({first}, {second})." for name, first, second in data.facts)
    rules_text = "\n".join(f"{i}. {_atom(head)} :- {', '.join(map(_atom, body))}." for i, (head, body) in enumerate(rules, 1))
    negation = "`not p(X, Y)` holds where p(X, Y) cannot be derived; " if "not " in rules_text else ""
    prompt = (
        f"Facts:\n{shown}\n\nRules (a Datalog program; {negation}different variables may stand for the same person):\n"
        f"{rules_text}\n\nFor which pairs does {data.asked}(X, Y) follow?"
    )
    return Task(prompt, data)


def _atom(atom: Atom) -> str:
    name, a, b, negated = atom
    return f"{'not ' * negated}{name}({a}, {b})"


environment = Environment(
    Knobs, Words("the pairs X-Y, such as ann-bob, separated by spaces, each once, in any order", max_items=300, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many", solutions=lambda task: [solve(task), solve(task)[::-1]],
    concept="Derive all facts of one predicate, in rounds until nothing is added, before a rule that denies it is used.",
    version=2,
)  # fmt: skip
