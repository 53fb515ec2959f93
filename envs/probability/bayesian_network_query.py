"""Work out the probability of a variable in a small Bayesian network, given what is known of others.

In the shifted family a hidden state changes step by step and leaves a sign at each step, with the same chances every time.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.probability import networks, probabilities
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import join_words

ANSWER = Rational("the exact probability, as a fraction a/b")
KNOWN = "weight of all that fits what is known"
OPENINGS = (
    "Each of the variables {names} is either on or off. Their joint distribution is a Bayesian network:",
    "In a Bayesian network the variables {names} take the values on and off:",
    "The variables {names}, each on or off, depend on each other as in this Bayesian network:",
    "Consider a Bayesian network of the variables {names}, which are on or off:",
)
CHAINS = (
    (
        "A hidden state is on or off. At step 1 it is on with probability {first}. From one step to the next, it is on with "
        "probability {stay} after being on, and with probability {come} after being off."
    ),
    (
        "A machine has an inner state, on or off, that cannot be seen: at step 1 it is on with probability {first}; later it is on "
        "with probability {stay} if it was on one step before, else with probability {come}."
    ),
    (
        "The state of a system is on at step 1 with probability {first}. Whenever it is on, it is on at the next step with "
        "probability {stay}; whenever it is off, with probability {come}."
    ),
    (
        "Step by step a state is on or off; at step 1 on with probability {first}, afterwards on with probability {stay} where it was "
        "on before and {come} where it was off, independently of what was earlier."
    ),
)
SIGNALS = (
    (
        "At each step a lamp is on with probability {true} if the state is on, and with probability {false} if it is off, "
        "independently of all else."
    ),
    (
        "Each time a sensor is on with probability {true} where the state is on and with probability {false} where it is off; given "
        "the states, its readings are independent."
    ),
    (
        "At every step an alarm is on, with probability {true} in the state on and with probability {false} in the state off, each "
        "time independently."
    ),
    (
        "A signal shows at each step: it is on with probability {true} given that the state is on, with probability {false} given "
        "that it is off, independently from step to step."
    ),
)


class Knobs(Config):
    nodes: int = knob(4, easy=2, hard=7, doc="how many variables there are, or about how many")
    observed: int = knob(2, easy=1, hard=3, doc="number of observed variables")
    parts: int = knob(9, easy=6, hard=15, doc="largest denominator of a probability")


class Data(TaskData):
    names: tuple[str, ...]  # parents before children
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[tuple[str, ...], ...]  # the chance of being on, for each case of the parents: on before off, the last one fastest
    query: tuple[int, bool]
    known: tuple[tuple[int, bool], ...]
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _first(_sample_network, rng, knobs)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A hidden chain of states, each with a signal."""
    return _first(_sample_chain, rng, knobs)


def _first(sample: Callable[[Rng, Knobs], Task[Data] | None], rng: Rng, knobs: Knobs) -> Task[Data]:
    while (task := sample(rng, knobs)) is None:
        pass
    return task


def _sample_network(rng: Rng, knobs: Knobs) -> Task[Data] | None:
    names = rng.sample("ABCDEFGHJKLM", knobs.nodes)
    parents = [tuple(sorted(rng.sample(range(k), rng.integer(1, min(k, 2))))) if k else () for k in range(knobs.nodes)]
    tables = [tuple(_chance(rng, knobs) for _ in range(2 ** len(above))) for above in parents]
    query, *known = rng.sample(range(knobs.nodes), 1 + min(knobs.observed, knobs.nodes - 1))
    lines = []
    for name, above, table in zip(names, parents, tables, strict=True):
        for case, chance in zip(product((True, False), repeat=len(above)), table, strict=True):
            given = join_words([f"{names[parent]} is {_word(on)}" for parent, on in zip(above, case, strict=True)]) if above else ""
            lines.append(f"- {name} is on with probability {chance}{f' where {given}' if given else ''}.")
    opening = phrase(rng, OPENINGS, names=join_words(names))
    return _finish_task(rng, names, parents, tables, query, known, "\n".join([opening, *lines]) + "\n\n", "{name} is {word}")


def _sample_chain(rng: Rng, knobs: Knobs) -> Task[Data] | None:
    steps = max(2, (knobs.nodes + 2) // 2)
    first, stay, come, true, false = (_chance(rng, knobs) for _ in range(5))
    names, parents, tables = [], list[tuple[int, ...]](), list[tuple[str, ...]]()
    for step in range(steps):
        names += [f"state {step + 1}", f"signal {step + 1}"]
        parents += [(2 * step - 2,) if step else (), (2 * step,)]
        tables += [(stay, come) if step else (first,), (true, false)]
    signals = sorted(rng.sample(range(1, 2 * steps, 2), min(knobs.observed, steps)))
    query = rng.choice(range(0, 2 * steps, 2))
    text = phrase(rng, CHAINS, first=first, stay=stay, come=come) + " " + phrase(rng, SIGNALS, true=true, false=false)
    text += f" Let state k be the state at step k and signal k what is shown then, for k from 1 to {steps}. "
    return _finish_task(rng, names, parents, tables, query, signals, text, "{name} is {word}")


def solve(task: Task[Data]) -> Fraction:
    # Variable after variable with sums over each at once; `generate` adds up all cases.
    data = task.data

    def total(fixed: dict[int, bool]) -> Fraction:
        """The sum of the weights of all cases with these values, by the last free variable first."""
        factors = [_factor(data, k, fixed) for k in range(len(data.names))]
        for eliminated in reversed(range(len(data.names))):
            if eliminated in fixed:
                continue
            touching = [factor for factor in factors if eliminated in factor[0]]
            scope = sorted({k for names, _ in touching for k in names} - {eliminated})
            table = {}
            for case in product((True, False), repeat=len(scope)):
                values = dict(zip(scope, case, strict=True))
                table[case] = sum(
                    (
                        prod((cells[tuple((values | {eliminated: on})[k] for k in names)] for names, cells in touching), start=Fraction(1))
                        for on in (True, False)
                    ),
                    Fraction(0),
                )
            factors = [factor for factor in factors if eliminated not in factor[0]] + [(tuple(scope), table)]
        return prod((cells[()] for _, cells in factors), start=Fraction(1))

    known = dict(data.known)
    return total(known | {data.query[0]: data.query[1]}) / total(known)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the probability is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    alone = solve(Task("", data.model_copy(update={"known": ()})))
    return probabilities.near_misses(
        right, alone, sum(map(Fraction, data.tables[data.query[0]]), Fraction(0)) / len(data.tables[data.query[0]])
    )


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.names) ** 2 * (1 + len(data.known)) + sum(len(chance) for table in data.tables for chance in table)


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    weights = []
    for case in _cases(data):
        factors = [_probability_on(data, k, case) if on else f"(1 - {_probability_on(data, k, case)})" for k, on in enumerate(case)]
        weights.append(working.let(networks.WEIGHT.format(case=_case_name(data, case)), "*".join(factors)))
    fitting = [weight for weight, case in zip(weights, _cases(data), strict=True) if case[data.query[0]] == data.query[1]]
    return networks.probability_lines(working, KNOWN, weights, fitting)


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    weights = {_case_name(data, case): _weight(data, case) for case in _cases(data)}
    fitting = [_weight(data, case) for case in _cases(data) if case[data.query[0]] == data.query[1]]
    return networks.quantities(KNOWN, weights, fitting, data.value)


def picture(task: Task[Data]) -> str:
    data = task.data
    return networks.picture(data.names, data.parents, data.tables, [k for k, _ in data.known])


def _finish_task(
    rng: Rng,
    names: list[str],
    parents: list[tuple[int, ...]],
    tables: list[tuple[str, ...]],
    query: int,
    known: list[int],
    text: str,
    clause: str,
) -> Task[Data] | None:
    """A question about the network, or None where its answer stands in a table."""
    wanted = (query, rng.chance(0.6))
    seen = tuple((k, rng.chance(0.6)) for k in known)
    data = Data(names=tuple(names), parents=tuple(parents), tables=tuple(tables), query=wanted, known=seen, value="")
    weights = [(_weight(data, case), case[query] == wanted[1]) for case in _cases(data)]
    value = sum(weight for weight, fits in weights if fits) / sum(weight for weight, _ in weights)
    given = {Fraction(chance) for table in tables for chance in table}
    if value in given or 1 - value in given:  # nothing needs to be computed
        return None
    event, *facts = (clause.format(name=names[k], word=_word(on)) for k, on in (wanted, *rng.shuffled(seen)))
    return Task(text + probabilities.render_question(rng, event, join_words(facts)), data.model_copy(update={"value": str(value)}))


def _chance(rng: Rng, knobs: Knobs) -> str:
    below = rng.integer(3, knobs.parts)
    return str(Fraction(rng.integer(1, below - 1), below))


def _word(on: bool) -> str:
    return "on" if on else "off"


def _probability_on(data: Data, k: int, case: Sequence[bool]) -> str:
    """The chance that a variable is on where its parents are as in a case."""
    place = 0
    for parent in data.parents[k]:
        place = 2 * place + (not case[parent])
    return calculations.operand(Fraction(data.tables[k][place]))


def _weight(data: Data, case: Sequence[bool]) -> Fraction:
    chance = Fraction(1)
    for k, on in enumerate(case):
        probability_on = Fraction(_probability_on(data, k, case).strip("()"))
        chance *= probability_on if on else 1 - probability_on
    return chance


def _cases(data: Data) -> list[tuple[bool, ...]]:
    """All cases that fit what is known."""
    known = dict(data.known)
    return list(product(*((known[k],) if k in known else (True, False) for k in range(len(data.names)))))


def _case_name(data: Data, case: Sequence[bool]) -> str:
    return ", ".join(f"{name} {_word(on)}" for name, on in zip(data.names, case, strict=True))


def _factor(data: Data, k: int, fixed: dict[int, bool]) -> tuple[tuple[int, ...], dict[tuple[bool, ...], Fraction]]:
    """The table of a variable over those of it and its parents that are free."""
    scope = (*data.parents[k], k)
    free = tuple(j for j in scope if j not in fixed)
    cells = {}
    for case in product((True, False), repeat=len(free)):
        values = fixed | dict(zip(free, case, strict=True))
        place = 0
        for parent in data.parents[k]:
            place = 2 * place + (not values[parent])
        chance = Fraction(data.tables[k][place])
        cells[case] = chance if values[k] else 1 - chance
    return free, cells


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift, picture=picture,
    concept="The weight of a case is the product of one entry of each table; add up the cases that fit, and divide.",
    version=4,
)  # fmt: skip
