"""Find all stable models of a small logic program with negation as failure.

A guess at what does not hold is checked by following the rules; programs with loops through `not` have several models, or none for a part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, permutations
from itertools import count as naturals

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.draws import draw_rare
from rlgym.generators.logic.horn_rules import Rule, closure, reduct_closure
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Derivation, Solution, Step

NAMES = "abcdefghijkl"
GUESS = Step("Suppose that of the atoms behind a not these hold: {guess}; then the rules make {made}, {verdict}")
STABLE, BROKEN, OTHER = "which fits", "which fits but is ruled out by a rule without a head", "which does not fit"


class Knobs(Config):
    atoms: int = knob(5, easy=4, hard=10, doc="atoms of the program")
    rules: int = knob(8, easy=6, hard=18, doc="rules of the program")
    negated: int = knob(3, easy=1, hard=5, doc="atoms that stand behind a not")
    limits: int = knob(1, easy=0, hard=3, doc="rules that only forbid something")


class Data(TaskData):
    rules: tuple[str, ...]
    atoms: str
    models: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, True)


def _sample_rare(rng: Rng, knobs: Knobs, looped: bool) -> Task[Data]:
    """Programs of few atoms have few different models, so one with rare models is taken."""
    return draw_rare(lambda: _sample_task(rng, knobs, looped), lambda task: task.data.models, 6 if knobs.atoms < 6 else 1)


def _sample_task(rng: Rng, knobs: Knobs, looped: bool) -> Task[Data]:
    count = knobs.atoms
    for tries in naturals():
        negatable = rng.sample(range(count), min(knobs.negated, count - 1))
        drawn: dict[Rule, None] = {}
        if looped:  # rings in which each atom bars the next: even ones give a choice, odd ones a contradiction that others must lift
            for k in range(0, len(negatable) - 1, 2):
                drawn |= dict.fromkeys((Rule(negatable[k], 0, 1 << negatable[k + 1]), Rule(negatable[k + 1], 0, 1 << negatable[k])))
        for _ in range(10 * knobs.rules):
            if len(drawn) >= max(3, min(knobs.rules, 2 * count) - tries // 20):
                break
            drawn[_rule(rng, count, negatable, 0.3 if looped else 0.55)] = None
        rules = list(drawn)
        for _ in range(max(0, knobs.limits - tries // 30)):
            needs = sum(1 << i for i in rng.sample(range(count), rng.integer(1, 2)))
            bars = 1 << rng.choice(negatable)
            rules.append(Rule(-1, needs, 0 if needs & bars or rng.chance(0.5) else bars))
        models = [
            reduct_closure(guess, rules) for guess in _guesses(rules) if _verdict(guess, reduct_closure(guess, rules), rules) == STABLE
        ]
        little = count > 4 and tries < 300 and sum(model.bit_count() for model in models) < (5 if tries < 60 else 3)
        if not little and 1 <= len(models) <= 6 and models != [0] and (knobs.negated < 3 or len(models) > 1 or rng.chance(0.2)):
            break
    written = tuple(rng.shuffled([_render_rule(rule) for rule in dict.fromkeys(rules)]))
    headless = any(rule.startswith(":-") for rule in written)
    facts = '; "a." says that a holds' if any(":-" not in rule for rule in written) else ""
    forbids = '; a rule without a head, such as ":- b, not c.", rules out that b holds while c does not' if headless else ""
    headed = "that has a head and whose body contains" if headless else "whose body contains"
    breaks = " It must also break no rule without a head." if headless else ""
    listing = "\n".join(written)
    prompt = (
        f'Here is a logic program:\n{listing}\n\n"a :- b, not c." says that a holds if b holds and c does not{facts}{forbids}. '
        "A set of atoms is a stable model if the following gives back exactly that set: remove every rule "
        f"{headed} not x for some x in the set, remove the parts with not from the other rules, and collect everything that follows from the remaining rules."
        f"{breaks} Find all stable models; there is at least one."
    )
    return Task(prompt, Data(rules=written, atoms=NAMES[:count], models=tuple(sorted(_atoms(model) for model in models))))


def _rule(rng: Rng, count: int, negatable: Sequence[int], barred: float) -> Rule:
    head = rng.integer(0, count - 1)
    others = [i for i in range(count) if i != head]
    needs = rng.sample(others, rng.weighted((0, 1, 2), (2, 5, 3)))
    bars = [i for i in negatable if i not in needs]
    chosen = rng.sample(bars, min(len(bars), rng.integer(1, 2))) if rng.chance(barred) or not needs else []
    return Rule(head, sum(1 << i for i in needs), sum(1 << i for i in chosen))


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the program from the prompt and tries all sets of atoms that break no rule; `generate` guesses what stands behind a not.
    rules = [_read(line) for line in task.prompt.partition("\n\n")[0].split("\n")[1:]]
    highest = max(max(rule.head, rule.needs.bit_length() - 1, rule.bars.bit_length() - 1) for rule in rules)
    atoms = []
    for model in range(1 << highest + 1):
        if all(rule.needs & ~model or rule.bars & model or (rule.head >= 0 and model >> rule.head & 1) for rule in rules):
            atoms += [_atoms(model)] * (reduct_closure(model, rules) == model)
    return tuple(sorted(atoms))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(answer) > 40:
        return Score.wrong("that are more models than there are")
    given = []
    for line in answer:
        names = line.lower().replace(",", " ").replace("{", " ").replace("}", " ").split() if line.lower() != "empty" else []
        if any(len(name) != 1 or name not in task.data.atoms for name in names) or len(set(names)) < len(names):
            return Score.wrong("every line must be the word empty, or atoms of the program, each once")
        given.append(" ".join(sorted(names)) or "empty")
    if len(set(given)) < len(given):
        return Score.wrong("a model is given twice")
    if set(given) - set(task.data.models):
        return Score.wrong("one of the sets is no stable model")
    return Score.exact(len(given) == len(task.data.models), "a stable model is missing")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    rules = [_read(line) for line in task.data.rules]
    blind = closure(0, [Rule(rule.head, rule.needs) for rule in rules])
    return [
        right[:-1] or ("empty",),
        (_atoms(blind),),
        (_atoms(reduct_closure(blind, rules)),),
        (" ".join(task.data.atoms),),
        (*right, " ".join(task.data.atoms)),
        ("empty",),
    ]


def cost(task: Task[Data]) -> float:
    barred = {word for line in task.data.rules for word in line.split("not ")[1:]}
    return 2.0 ** len({word[0] for word in barred}) * sum(len(line.split()) for line in task.data.rules)


def derive(task: Task[Data]) -> Derivation:
    rules = [_read(line) for line in task.data.rules]
    for guess in _guesses(rules):
        derived = reduct_closure(guess, rules)
        step = GUESS(guess=_atoms(guess, "none"), made=_atoms(derived, "nothing"), verdict=_verdict(guess, derived, rules))
        yield step.accepting(partial(_follows_from_guess, rules, guess))


def _follows_from_guess(rules: Sequence[Rule], supposed: int, /, guess: str, made: str, verdict: str) -> bool:
    """Checks a step by the reduct: the rules whose negated atoms are not supposed, without their negated atoms."""
    model = closure(0, [Rule(rule.head, rule.needs) for rule in rules if not rule.bars & supposed])
    return (guess, made, verdict) == (_atoms(supposed, "none"), _atoms(model, "nothing"), _verdict(supposed, model, rules))


def _guesses(rules: Sequence[Rule]) -> list[int]:
    barred = 0
    for rule in rules:
        barred |= rule.bars
    return [sum(1 << i for i in chosen) for size in range(barred.bit_count() + 1) for chosen in combinations(places(barred), size)]


def _verdict(guess: int, derived: int, rules: Sequence[Rule]) -> str:
    barred = 0
    for rule in rules:
        barred |= rule.bars
    return OTHER if derived & barred != guess else BROKEN if _violates_constraint(derived, rules) else STABLE


def _violates_constraint(model: int, rules: Sequence[Rule]) -> bool:
    return any(rule.head < 0 and rule.needs & model == rule.needs and not rule.bars & model for rule in rules)


def _atoms(bits: int, nothing: str = "empty") -> str:
    return " ".join(NAMES[i] for i in places(bits)) or nothing


def _render_rule(rule: Rule) -> str:
    body = ", ".join([*(NAMES[i] for i in places(rule.needs)), *(f"not {NAMES[i]}" for i in places(rule.bars))])
    return f"{NAMES[rule.head]} :- {body}." if rule.head >= 0 and body else f"{NAMES[rule.head]}." if rule.head >= 0 else f":- {body}."


def _read(line: str) -> Rule:
    head, _, body = line.rstrip(".").partition(":-")
    needs = bars = 0
    for part in filter(None, body.strip().split(", ")):
        if part.startswith("not "):
            bars |= 1 << NAMES.index(part[4:])
        else:
            needs |= 1 << NAMES.index(part)
    return Rule(NAMES.index(head.strip()) if head.strip() else -1, needs, bars)


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The models that were found by trying all sets, in every order, written in braces."""
    yield from permutations("{" + ", ".join(model.split()[::-1]) + "}" if model != "empty" else model for model in task.data.models)


environment = Environment(
    Knobs,
    Lines("the stable models, one on each line, each as its atoms separated by spaces, or the word empty for the empty set", max_items=50),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The sets that fit and are not ruled out:\n{answer}", whole=True),
    answers="many", solutions=_solutions,
    concept="Guess which atoms behind a not hold, follow the rules under that guess, and keep the guess if exactly these come out.",
    version=5,
    guessable="few atoms have few models; one of them is right for about 0.17 of the smallest programs",
)  # fmt: skip
