"""Find every smallest set of assumptions from which the observations follow by the rules.

Some assumptions may not be made together. All sets of the least possible size are asked for, in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.logic.horn_rules import Rule, closure, smallest
from rlgym.generators.numbers.bitsets import places
from rlgym.generators.text.names import invent
from rlgym.solutions import Derivation, Solution, Step, any_order

FACT = Step("{name} follows from the assumptions {sets}, and from no others of at most {size} that hold none of these")
BOTH = Step("All observations together follow from {sets}, and from no others of at most {size} that hold none of these")
OUT = Step("{set} is out, as {pair} may not be assumed together")


class Knobs(Config):
    assumptions: int = knob(6, easy=5, hard=11, beyond=16, doc="what may be assumed")
    derived: int = knob(6, easy=3, hard=18, beyond=28, doc="what only follows by rules")
    observations: int = knob(2, easy=1, hard=3, beyond=5, doc="what is observed")
    conflicts: int = knob(1, easy=0, hard=6, beyond=10, doc="pairs that may not be assumed together")


class Data(TaskData):
    assumptions: tuple[str, ...]
    derived: tuple[str, ...]
    rules: tuple[tuple[str, tuple[str, ...]], ...]
    observed: tuple[str, ...]
    conflicts: tuple[tuple[str, str], ...]
    sets: tuple[tuple[str, ...], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, deep: bool) -> Task[Data]:
    count, total = knobs.assumptions, knobs.assumptions + knobs.derived
    least_size = 1 if count < 4 else 2 if count < 7 else 3
    while True:
        rules = _ladder(rng, count, total) if deep else _sample_mixed_rules(rng, count, total)
        observed = sorted(rng.sample(range(total - max(2, knobs.observations + 1), total), knobs.observations))
        pairs = rng.sample(list(combinations(range(count), 2)), min(knobs.conflicts, count * (count - 1) // 4))
        target = sum(1 << fact for fact in observed)
        size, sets = next(_explanations(count, rules, target, [1 << i | 1 << j for i, j in pairs]), (0, []))
        is_shown = len(sets) == 1 and any(rule.needs == sets[0] for rule in rules)  # copied from one rule
        if size >= least_size and len(sets) <= 6 and (count < 6 or len(sets) > 1) and not is_shown:
            break
    names = [noun[:-1] for noun in invent(rng, total)]
    written = tuple((names[rule.head], tuple(names[i] for i in rng.shuffled(places(rule.needs)))) for rule in rng.shuffled(rules))
    conflicts = tuple((names[i], names[j]) for i, j in pairs)
    listing = "\n".join(f"{i}. {head} if {' and '.join(needs)}" for i, (head, needs) in enumerate(written, 1))
    seen = [names[fact] for fact in observed]
    against = "".join(f"\n{first} and {second} may not be assumed together." for first, second in conflicts)
    shows = f"{'These are' if len(seen) > 1 else 'This is'} observed: {', '.join(seen)}."
    prompt = (
        f"These rules say what follows:\n{listing}\n\nThese may be assumed: {', '.join(names[:count])}.{against}\n{shows}\n\n"
        f"Only assumptions, and what follows from them by the rules, hold. An explanation is a set of assumptions from which "
        f"{'everything observed' if len(seen) > 1 else 'what is observed'} follows{' and that holds no forbidden pair' if conflicts else ''}. "
        "Name all explanations that have the fewest assumptions."
    )
    data = Data(
        assumptions=tuple(names[:count]),
        derived=tuple(names[count:]),
        rules=written,
        observed=tuple(seen),
        conflicts=conflicts,
        sets=tuple(tuple(sorted(names[i] for i in places(explanation))) for explanation in sets),
    )
    return Task(prompt, data)


def _sample_mixed_rules(rng: Rng, count: int, total: int) -> list[Rule]:
    """Each derived fact has one to three rules that take anything before it."""
    rules: dict[Rule, None] = {}
    for head in range(count, total):
        for _ in range(rng.integer(1, 3)):
            rules[Rule(head, sum(1 << i for i in rng.sample(range(head), rng.integer(1, min(3, head)))))] = None
    return list(rules)


def _ladder(rng: Rng, count: int, total: int) -> list[Rule]:
    """Each derived fact rests on one of the two before it, by one way or another, so that rules must be followed far down."""
    rules: dict[Rule, None] = {}
    for head in range(count, total):
        for _ in range(2):
            below = 1 << rng.integer(max(count, head - 2), head - 1) if head > count else 1 << rng.integer(0, count - 1)
            rules[Rule(head, below | (1 << rng.integer(0, count - 1) if rng.chance(0.6) else 0))] = None
    return list(rules)


def _explanations(count: int, rules: Sequence[Rule], target: int, pairs: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The sizes of explanations with all explanations of that size, by trying all sets."""
    for size in range(1, min(count, 5) + 1):
        solutions = []
        for chosen in combinations(range(count), size):
            facts = sum(1 << i for i in chosen)
            if not any(pair & facts == pair for pair in pairs) and closure(facts, rules) & target == target:
                solutions.append(facts)
        if solutions:
            yield size, solutions


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the prompt, and works from the rules up: for each fact the sets of assumptions that it follows from. `generate` tries all sets.
    rules_text, givens, _ = task.prompt.split("\n\n")
    rules = [tuple(line.partition(". ")[2].split(" if ")) for line in rules_text.split("\n")[1:]]
    lines = givens.split("\n")
    names = lines[0].partition(": ")[2].rstrip(".").split(", ")
    pairs = [line.removesuffix(" may not be assumed together.").split(" and ") for line in lines[1:-1]]
    labels: dict[str, list[int]] = {name: [1 << i] for i, name in enumerate(names)}
    changed = True
    while changed:
        changed = False
        for head, needs in rules:
            label = smallest([*labels.get(head, []), *_join([labels.get(need, []) for need in needs.split(" and ")])])
            if label != labels.get(head, []):
                labels[head], changed = label, True
    seen = lines[-1].partition(": ")[2].rstrip(".").split(", ")
    bits = {name: 1 << i for i, name in enumerate(names)}
    explanations = [
        candidate
        for candidate in _join([labels[name] for name in seen])
        if not any(candidate & bits[i] and candidate & bits[j] for i, j in pairs)
    ]
    least = min(explanation.bit_count() for explanation in explanations)
    return tuple(
        sorted(" ".join(sorted(names[i] for i in places(explanation))) for explanation in explanations if explanation.bit_count() == least)
    )


def _join(labels: Sequence[Sequence[int]]) -> list[int]:
    out = [0]
    for label in labels:
        out = smallest(first | second for first in out for second in label)
    return out


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > 30:
        return Score.wrong("that are more sets than there are")
    given = [line.lower().replace(",", " ").replace("{", " ").replace("}", " ").split() for line in answer]
    sets = {tuple(sorted(names)) for names in given}
    if len(sets) < len(given) or any(len(set(names)) < len(names) for names in given):
        return Score.wrong("a set, or something in one, is named twice")
    if any(name not in data.assumptions for names in given for name in names):
        return Score.wrong("something is named that may not be assumed")
    if sets - set(data.sets):
        return Score.wrong("one of the sets is no explanation of the least size")
    return Score.exact(len(sets) == len(data.sets), "an explanation of the least size is not named")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    return [
        data.assumptions,
        (" ".join(data.assumptions),),
        (" ".join(data.observed),),
        right[:-1] or ("none",),
        (*right, " ".join(data.assumptions)),
        tuple(" ".join(line.split()[1:]) for line in right if len(line.split()) > 1) or data.derived[:1],
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(len(needs) for _, needs in data.rules) * len(data.assumptions) * len(data.sets[0]) + 3 * len(data.conflicts))


def derive(task: Task[Data]) -> Derivation:
    data, size = task.data, len(task.data.sets[0])
    labels = {name: [1 << i] for i, name in enumerate(data.assumptions)}
    for name in data.derived:
        labels[name] = _label(data, name, labels, size)
        yield FACT(name=name, sets=_sets(labels[name], data), size=size)
    together = [label for label in _join([labels[name] for name in data.observed]) if label.bit_count() <= size]
    yield BOTH(sets=_sets(together, data), size=size)
    yield from any_order(OUT(set=_sets([label], data), pair=" and ".join(pair)) for label in together if (pair := _forbidden(label, data)))


def _label(data: Data, name: str, labels: dict[str, list[int]], size: int) -> list[int]:
    """The smallest sets of assumptions for a fact, from those of the facts before it."""
    made = [explanation for head, needs in data.rules if head == name for explanation in _join([labels[need] for need in needs])]
    return [explanation for explanation in smallest(made) if explanation.bit_count() <= size]


def _sets(sets: Sequence[int], data: Data) -> str:
    return " or ".join("+".join(sorted(data.assumptions[i] for i in places(explanation))) for explanation in sets) or "nothing"


def _forbidden(explanation: int, data: Data) -> tuple[str, str] | tuple[()]:
    assumed = [data.assumptions[i] for i in places(explanation)]
    return next((pair for pair in data.conflicts if pair[0] in assumed and pair[1] in assumed), ())


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The sets that were found by trying all, in every order, written with commas."""
    yield from permutations(", ".join(names[::-1]) for names in task.data.sets)


environment = Environment(
    Knobs, Lines("the smallest explanations, one per line, each as its assumptions separated by spaces", max_items=40),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "What is left of these:\n{answer}"), answers="many", solutions=_solutions,
    concept="Go back from what is observed: for each fact keep the smallest sets of assumptions that lead to it, join them, and drop what is forbidden.",
    version=4,
)  # fmt: skip
