"""Work out the probability of something once variables of a causal model have been set by force, perhaps with others seen.

In the shifted family the model is not given: there are counts of all cases, seen without force, and the order in which the variables act.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.graphs import causal_graphs
from rlgym.generators.probability import networks, probabilities
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import join_words
from rlgym.solutions import Checks, Derivation, Solution, Step

CUT = Step("Set by force: {forced}; so the causes of {those} no longer count; what is left to look at: {relevant}")
KNOWN = "weight of all that fits what is seen"
OPENINGS = (
    "A machine has the switches {names}, each on or off. Causes and chances:",
    "In a causal model, the variables {names} are on or off, each by its own chance mechanism, independent of the other mechanisms:",
    "Each of {names} is on or off. Their values are determined one after another by these mechanisms and no others:",
    "These mechanisms, and nothing else, determine whether {names} are on or off:",
)
COUNTS = (
    "The variables {names}, each on or off, are determined in this order: each depends only on earlier ones, and no two of them have a hidden "
    "common cause. These cases were counted without any intervention; take their proportions as exact:",
    "Each of {names} is on or off. Each can be caused only by those named before it, and there are no hidden common causes. Counts of cases "
    "without any intervention, whose proportions are exact:",
    "A study counted the combinations of {names} that occur without any intervention; take the proportions as exact. Each variable can be influenced "
    "only by those named before it, and there are no hidden common causes:",
    "In this order, {names} are switched on or off, each depending only on earlier ones; there are no hidden common causes. "
    "Counts of cases without any intervention, whose proportions are exact:",
)
FORCES = (
    "Now an intervention ensures that {forced}, whatever the causes; everything else works as before.",
    "Suppose an intervention ensures that {forced}, regardless of the causes, and changes nothing else.",
    "An intervention ensures that {forced} and changes no other mechanism.",
    "Through an intervention from outside, {forced}, no matter what; the other mechanisms remain as they are.",
)
ANSWER = Rational()
CONCEPT = "Force cuts a variable off from its causes: leave its own chance out and let all the other mechanisms run."


class Knobs(Config):
    nodes: int = knob(4, easy=3, hard=7, beyond=9, doc="how many variables there are; in the shifted family six at most")
    forced: int = knob(1, easy=1, hard=2, doc="how many are set by force; in the shifted family one")
    observed: int = knob(1, easy=0, hard=3, doc="number of other variables whose value is observed")
    parts: int = knob(8, easy=5, hard=14, beyond=20, doc="largest denominator of a probability")


class Data(TaskData):
    names: tuple[str, ...]  # causes before effects
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[tuple[str, ...], ...]  # the chance of being on, for each case of the parents: on before off, the last one fastest
    forced: tuple[tuple[int, bool], ...]
    seen: tuple[tuple[int, bool], ...]
    query: tuple[int, bool]
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """All mechanisms are given."""
    return _sample_confounded_task(lambda: _sample_mechanisms(rng, knobs))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Only counts are given."""
    return _sample_confounded_task(lambda: _sample_counts(rng, knobs))


def _sample_confounded_task(draw: Callable[[], Task[Data]]) -> Task[Data]:
    """A task where force is not the same as seeing, and no chance of the prompt is the answer."""
    while True:
        task = draw()
        value = Fraction(task.data.value)
        plain = {Fraction(chance) for table in task.data.tables for chance in table}
        seen_only = task.data.model_copy(update={"forced": (), "seen": task.data.forced + task.data.seen})
        if not {value, 1 - value} & {*plain, Fraction(1, 2)} and solve(Task("", seen_only)) != value:
            return task


def _sample_mechanisms(rng: Rng, knobs: Knobs) -> Task[Data]:
    names = rng.sample("ABCDEFGHJKLM", knobs.nodes)
    parents = [tuple(sorted(rng.sample(range(k), min(k, rng.integer(1, 2))))) for k in range(knobs.nodes)]
    tables = [tuple(_chance(rng, knobs.parts) for _ in range(2 ** len(above))) for above in parents]
    lines = []
    for name, above, table in zip(names, parents, tables, strict=True):
        for case, chance in zip(product((True, False), repeat=len(above)), table, strict=True):
            given = join_words([f"{names[parent]} is {_word(on)}" for parent, on in zip(above, case, strict=True)]) if above else ""
            lines.append(f"- {name} is on with probability {chance}{f' if {given}' if given else ''}.")
    opening = phrase(rng, OPENINGS, names=join_words(names))
    return _sample_task(rng, knobs, names, parents, tables, "\n".join([opening, *lines]))


def _sample_counts(rng: Rng, knobs: Knobs) -> Task[Data]:
    names = rng.sample("ABCDEFGHJKLM", min(knobs.nodes, 6))
    counts = {case: rng.integer(1, min(2 * knobs.parts, 560 // 2 ** len(names))) for case in product((True, False), repeat=len(names))}
    tables = []
    for k in range(len(names)):
        table = []
        for above in product((True, False), repeat=k):
            fitting = [(case, count) for case, count in counts.items() if case[:k] == above]
            table.append(f"{sum(count for case, count in fitting if case[k])}/{sum(count for _, count in fitting)}")
        tables.append(tuple(table))
    lines = [f"- {', '.join(f'{name} {_word(on)}' for name, on in zip(names, case))}: {count}" for case, count in counts.items()]
    opening = phrase(rng, COUNTS, names=join_words(names))
    knobs = knobs.model_copy(update={"forced": 1})
    return _sample_task(rng, knobs, names, [tuple(range(k)) for k in range(len(names))], tables, "\n".join([opening, *lines]))


def _chance(rng: Rng, parts: int) -> str:
    below = rng.integer(3, parts)
    return str(Fraction(rng.integer(1, below - 1), below))


def _sample_task(
    rng: Rng, knobs: Knobs, names: Sequence[str], parents: Sequence[tuple[int, ...]], tables: Sequence[tuple[str, ...]], text: str
) -> Task[Data]:
    """The last variable is asked for; those set by force are causes of it with causes of their own, where there are enough of them."""
    last = len(names) - 1
    above = causal_graphs.ancestors([(names[a], names[b]) for b, those in enumerate(parents) for a in those], {names[last]})
    order = sorted(rng.shuffled(range(last)), key=lambda k: (names[k] not in above, not parents[k]))
    forced = sorted(order[: min(knobs.forced, last - 1)])
    seen = sorted(rng.sample([k for k in range(last) if k not in forced], min(knobs.observed, last - len(forced) - 1)))
    valued = [(k, rng.chance(0.6)) for k in (last, *forced, *seen)]
    data = Data(
        names=tuple(names),
        parents=tuple(parents),
        tables=tuple(tables),
        forced=tuple(valued[1 : 1 + len(forced)]),
        seen=tuple(valued[1 + len(forced) :]),
        query=valued[0],
        value="",
    )
    weights = [(_weight(data, case), case[last] == data.query[1]) for case in _cases(data)]
    value = sum(weight for weight, fits in weights if fits) / sum(weight for weight, _ in weights)
    event, *conditions = (f"{names[k]} is {_word(on)}" for k, on in valued)
    force = phrase(rng, FORCES, forced=join_words(conditions[: len(forced)]))
    facts = conditions[len(forced) :]
    question = probabilities.render_question(rng, event, f"{join_words(facts)} after the intervention" if facts else "")
    return Task(f"{text}\n\n{force} {question}", data.model_copy(update={"value": str(value)}))


def _word(on: bool) -> str:
    return "on" if on else "off"


def _relevant(data: Data) -> list[int]:
    """What is asked or seen, and the causes of it that force has not cut off."""
    waiting, needed = [data.query[0], *(k for k, _ in data.seen)], set[int]()
    forced = dict(data.forced)
    while waiting:
        k = waiting.pop()
        if k not in needed and k not in forced:
            needed.add(k)
            waiting += data.parents[k]
    return sorted(needed)


def _cases(data: Data) -> Iterator[dict[int, bool]]:
    """All cases of what matters that fit what is set and seen."""
    forced, seen, relevant = dict(data.forced), dict(data.seen), _relevant(data)
    for values in product(*((seen[k],) if k in seen else (True, False) for k in relevant)):
        yield forced | dict(zip(relevant, values, strict=True))


def _factor(data: Data, k: int, case: dict[int, bool]) -> str:
    place = 0
    for parent in data.parents[k]:
        place = 2 * place + (not case[parent])
    chance = data.tables[k][place]
    return f"({chance})" if case[k] else f"(1 - {chance})"


def _weight(data: Data, case: dict[int, bool]) -> Fraction:
    forced = dict(data.forced)
    return prod((calculations.evaluate(_factor(data, k, case)) for k in case if k not in forced), start=Fraction(1))


def _name_case(data: Data, case: dict[int, bool]) -> str:
    return " ".join(f"{data.names[k]} {_word(case[k])}" for k in _relevant(data))


def solve(task: Task[Data]) -> Fraction:
    """Through all variables in their order, with those that do not matter."""
    data = task.data
    fixed = dict(data.forced + data.seen)

    def total(case: dict[int, bool], known: dict[int, bool]) -> Fraction:
        k = len(case)
        if k == len(data.names):
            return Fraction(1)
        place = sum((not case[parent]) << i for i, parent in enumerate(reversed(data.parents[k])))
        chance, chance_sum = Fraction(data.tables[k][place]), Fraction(0)
        for on in (True, False):
            if known.get(k, on) == on:
                share = 1 if any(k == number for number, _ in data.forced) else chance if on else 1 - chance
                chance_sum += share * total(case | {k: on}, known)
        return chance_sum

    return total({}, fixed | dict([data.query])) / total({}, fixed)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "that is another probability")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    """With what is set taken for seen, what is seen forgotten, and what is seen taken for set."""
    data = task.data
    changes = ({"forced": (), "seen": data.forced + data.seen}, {"seen": ()}, {"forced": data.forced + data.seen, "seen": ()})
    return probabilities.near_misses(right, *(solve(Task("", data.model_copy(update=change))) for change in changes))


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(2 ** len(data.names) * (1 + len(data.seen)) + sum(len(chance) for table in data.tables for chance in table))


def derive(task: Task[Data]) -> Derivation:
    yield CUT(**_intervention_gaps(task.data))
    yield from WORKING.derive(task)


def checks(task: Task[Data]) -> Checks:
    assert WORKING.checks is not None
    calculation, cut = WORKING.checks(task), list[str]()
    assert not isinstance(calculation, Mapping)

    def follows(step: str) -> bool:
        """The intervention first, then lines of the calculation."""
        if cut:
            return calculation(step)
        if CUT.read(step) != _intervention_gaps(task.data):
            return False
        cut.append(step)
        return True

    return follows


def _lines(task: Task[Data]) -> list[str]:
    data, working, weights = task.data, probabilities.Working(), list[Fraction]()
    forced = dict(data.forced)
    for case in _cases(data):
        formula = "*".join(_factor(data, k, case) for k in case if k not in forced)
        weights.append(working.let(networks.WEIGHT.format(case=_name_case(data, case)), formula))
    fitting = [weight for weight, case in zip(weights, _cases(data), strict=True) if case[data.query[0]] == data.query[1]]
    return networks.probability_lines(working, KNOWN, weights, fitting)


def _quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    weights = {_name_case(data, case): _weight(data, case) for case in _cases(data)}
    fitting = [_weight(data, case) for case in _cases(data) if case[data.query[0]] == data.query[1]]
    return networks.quantities(KNOWN, weights, fitting, data.value)


def _intervention_gaps(data: Data) -> dict[str, str]:
    names = [data.names[k] for k, _ in data.forced]
    relevant = " ".join(data.names[k] for k in _relevant(data))
    return {"forced": " ".join(f"{data.names[k]} {_word(on)}" for k, on in data.forced), "those": " ".join(names), "relevant": relevant}


def picture(task: Task[Data]) -> str:
    data = task.data
    return networks.picture(data.names, data.parents, data.tables, [k for k, _ in data.forced])


WORKING = probabilities.solution(_lines, _quantities)
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, WORKING.closing, checks),
    shift=shift,
    concept=CONCEPT,
    version=6,
)
