"""Find the exact probabilities of what a small quantum circuit measures.

Circuits of H, phase and controlled gates. In the shift a function is evaluated between two layers of H gates, as in the famous algorithms,
so that everything hangs on interference.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.calculations import LAST
from rlgym.generators.draws import draw_rare
from rlgym.generators.science import qubits
from rlgym.generators.science.qubits import ASKED, OPENINGS
from rlgym.generators.stories import phrase
from rlgym.solutions import Derivation, Solution, Step

Found = tuple[tuple[str, Fraction], ...]
DRAWS = 16  # of so many circuits on two qubits the one with the rarest probabilities is taken
NAMES = tuple("".join(bits) for size in (1, 2, 3) for bits in product("01", repeat=size))
AFTER = Step("After gate {k}, {gate}, over sqrt(2)^{halves}: {state}")
SQUARES = Step("Outcome {bits}: the squares add up to {squares:int} of {whole:int}")


class Knobs(Config):
    qubits: int = knob(3, easy=2, hard=5, beyond=7, doc="how many qubits")
    gates: int = knob(8, easy=6, hard=24, beyond=44, doc="how many gates")
    halves: int = knob(4, easy=3, hard=8, beyond=14, doc="how many of the gates are H")


class Data(TaskData):
    qubits: int
    gates: tuple[tuple[str, tuple[int, ...]], ...]
    measured: tuple[int, ...]
    answer: tuple[tuple[str, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def gates() -> list[qubits.Gate]:
        halves = [_gate(rng, knobs.qubits, ("H",)) for _ in range(knobs.halves)]
        others = [
            _gate(rng, knobs.qubits, ("X", "Z", "S", "CX", "CX", "CZ", "SWAP", "CCX", "CS", "CS"))
            for _ in range(knobs.gates - knobs.halves)
        ]
        return rng.shuffled([*halves, *others])

    return draw_rare(lambda: _sample_task(rng, knobs, gates), solve, DRAWS if knobs.qubits < 3 else 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A function between two layers of H; on two qubits, which have few functions, with one more H within."""
    layer: list[qubits.Gate] = [("H", (k,)) for k in range(1, knobs.qubits + 1)]

    def gates() -> list[qubits.Gate]:
        first = [_gate(rng, knobs.qubits, ("X",)) for _ in range(rng.integer(0, 1))]
        inner = [_gate(rng, knobs.qubits, ("Z", "S", "CZ", "CS", "CX", "CCX")) for _ in range(max(2, knobs.gates - 5))]
        if knobs.qubits < 3:
            more = [_gate(rng, knobs.qubits, ("Z", "S", "CZ", "CS", "CX")) for _ in range(2)]
            inner = [*inner, _gate(rng, knobs.qubits, ("H",)), *more]
        return [*first, *layer, *inner, *layer]

    return draw_rare(lambda: _sample_task(rng, knobs, gates), solve, DRAWS if knobs.qubits < 3 else 1)


def solve(task: Task[Data]) -> Found:
    # By the sum over all paths; `generate` carries the state along.
    outcomes = qubits.by_paths(task.data.qubits, task.data.gates, task.data.measured)
    return tuple((name, outcomes[name]) for name in NAMES if name in outcomes)


def verify(task: Task[Data], answer: Found) -> Score:
    right = tuple((name, Fraction(value)) for name, value in task.data.answer)
    return Score.exact(tuple(pair for pair in answer if pair[1]) == right, "these are not the probabilities")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
    size = len(task.data.measured)
    names = [name for name in NAMES if len(name) == size]
    turned = {name[::-1]: value for name, value in right}
    return [
        tuple((name, Fraction(1, len(names))) for name in names),
        tuple((name, turned[name]) for name in names if name in turned),
        right[:1],
        (("0" * size, Fraction(1)),),
        tuple((name, Fraction(1, len(right) + 1)) for name, _ in right),
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.gates) * 2**task.data.qubits + 2 ** sum(name == "H" for name, _ in task.data.gates))


def derive(task: Task[Data]) -> Derivation:
    data, halves = task.data, 0
    state: qubits.State = {"0" * data.qubits: (1, 0)}
    for k, gate in enumerate(data.gates, 1):
        state, halves = qubits.apply_gate(state, gate), halves + (gate[0] == "H")
        yield AFTER(k=k, gate=qubits.write_gate(gate), halves=halves, state=qubits.write_state(state))
    outcomes = qubits.outcomes(state, data.measured)

    def adds_up(bits: str, squares: int, whole: int) -> bool:
        return outcomes.get(bits) == squares and whole == 2**halves

    for bits, squares in outcomes.items():
        yield SQUARES(bits=bits, squares=squares, whole=2**halves).accepting(adds_up)


def _gate(rng: Rng, count: int, names: Sequence[str]) -> qubits.Gate:
    name = rng.choice([name for name in names if qubits.SIZES[name] <= count])
    return name, tuple(rng.sample(range(1, count + 1), qubits.SIZES[name]))


def _sample_task(rng: Rng, knobs: Knobs, draw: Callable[[], list[qubits.Gate]]) -> Task[Data]:
    measured = rng.sample(range(1, knobs.qubits + 1), min(3, knobs.qubits))
    for _ in range(200):
        state: qubits.State = {"0" * knobs.qubits: (1, 0)}
        for gate in (gates := draw()):
            state = qubits.apply_gate(state, gate)
        outcomes = qubits.outcomes(state, measured)
        if len(set(outcomes.values())) > 1:  # chances that are all alike could be guessed
            break
    total = 2 ** sum(name == "H" for name, _ in gates)
    answer = tuple((name, str(Fraction(outcomes[name], total))) for name in NAMES if name in outcomes)
    rules = "; ".join(rule for name, rule in qubits.RULES.items() if any(gate[0] == name for gate in gates))
    listing = "\n".join(f"{k}. {qubits.write_gate(gate)}" for k, gate in enumerate(gates, 1))
    *some, last = map(str, measured)
    qubits_text = f"qubits {', '.join(some)} and {last} are" if some else f"qubit {last} is"
    ordered = (
        f"An outcome lists the values of qubits {', '.join(some)} and {last} in this order"
        if some
        else f"An outcome is the value of qubit {last}"
    )
    opening = phrase(rng, OPENINGS, n=knobs.qubits, zeros="0" * knobs.qubits)
    example = "011"[-len(measured) :]
    prompt = (
        f"{opening}\n{listing}\n{rules}.\n{phrase(rng, ASKED, measured=qubits_text)} {ordered}. "
        f"Write each outcome with its probability, as in {example} = 1/4. Outcomes that cannot appear may be left out."
    )
    return Task(prompt, Data(qubits=knobs.qubits, gates=tuple(gates), measured=tuple(measured), answer=answer))


environment = Environment(
    Knobs, Assignment(NAMES, "each possible outcome with its exact probability, separated by commas"),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, LAST + "{answer}", whole=True), shift=shift,
    concept="Carry the amplitudes through the gates one by one; those that lead to the same digits add up before they are squared.",
    guessable="two qubits have few distributions; one is right for about a fifth of the smallest circuits",
    version=6,
)  # fmt: skip
