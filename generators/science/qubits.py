"""Small quantum circuits with exact amplitudes: Gaussian integers over a power of the square root of 2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product

OPENINGS = (
    "{n} qubits, numbered 1 to {n}, all begin as 0. These gates act on them in order:",
    "A quantum circuit on {n} qubits (1 to {n}, all 0 at first) has these gates, one after another:",
    "Start with {n} qubits in the state {zeros} (qubit 1 is the first digit) and apply in order:",
    "A register of {n} qubits, 1 to {n}, is set to zeros and goes through these gates in order:",
)
ASKED = (
    "Then {measured} measured. How likely is each outcome?",
    "With what probability does each outcome appear when {measured} measured in the end?",
    "Give the probability of each possible outcome when {measured} measured afterwards.",
    "At the end {measured} measured. Find the probabilities of the outcomes.",
)

Gate = tuple[str, tuple[int, ...]]  # its name and its qubits, from 1
State = dict[str, tuple[int, int]]  # amplitudes that are not 0, real and imaginary part, of bit strings
RULES = {
    "X": "X exchanges 0 and 1",
    "Z": "Z multiplies the amplitude by -1 where the qubit is 1",
    "S": "S multiplies the amplitude by i where the qubit is 1",
    "H": "H takes |0> to (|0> + |1>)/sqrt(2) and |1> to (|0> - |1>)/sqrt(2)",
    "CX": "CX a b exchanges 0 and 1 on b where a is 1",
    "CZ": "CZ a b multiplies the amplitude by -1 where a and b are both 1",
    "CS": "CS a b multiplies the amplitude by i where a and b are both 1",
    "SWAP": "SWAP a b exchanges the two qubits",
    "CCX": "CCX a b c exchanges 0 and 1 on c where a and b are both 1",
}
SIZES = {"X": 1, "Z": 1, "S": 1, "H": 1, "CX": 2, "CZ": 2, "CS": 2, "SWAP": 2, "CCX": 3}


def apply_gate(state: State, gate: Gate) -> State:
    """The state after a gate, where H leaves out its 1/sqrt(2)."""
    name, qubits = gate
    at = [qubit - 1 for qubit in qubits]
    out: State = {}
    for bits, (re, im) in state.items():
        ones = [bits[k] == "1" for k in at]
        if name == "H":
            for bit in "01":
                sign = -1 if ones[0] and bit == "1" else 1
                key = bits[: at[0]] + bit + bits[at[0] + 1 :]
                x, y = out.get(key, (0, 0))
                out[key] = (x + sign * re, y + sign * im)
            continue
        if name in ("Z", "CZ") and all(ones):
            re, im = -re, -im
        if name in ("S", "CS") and all(ones):
            re, im = -im, re
        if (name == "X") or (name in ("CX", "CCX") and all(ones[:-1])):
            bits = bits[: at[-1]] + ("0" if ones[-1] else "1") + bits[at[-1] + 1 :]
        if name == "SWAP":
            qubit_a, two = sorted(at)
            bits = bits[:qubit_a] + bits[two] + bits[qubit_a + 1 : two] + bits[qubit_a] + bits[two + 1 :]
        out[bits] = (re, im)
    return {bits: value for bits, value in sorted(out.items()) if value != (0, 0)}


def write_state(state: State) -> str:
    """000: 1, 010: -i, 011: 1+i."""
    return ", ".join(f"{bits}: {_amplitude(*value)}" for bits, value in state.items())


def write_gate(gate: Gate) -> str:
    """CX 1 3."""
    return f"{gate[0]} {' '.join(map(str, gate[1]))}"


def outcomes(state: State, measured: Sequence[int]) -> dict[str, int]:
    """For each outcome of the measured qubits, the sum of the squares."""
    out: dict[str, int] = {}
    for bits, (re, im) in state.items():
        key = "".join(bits[qubit - 1] for qubit in measured)
        out[key] = out.get(key, 0) + re * re + im * im
    return dict(sorted(out.items()))


def by_paths(qubits: int, gates: Iterable[Gate], measured: Sequence[int]) -> dict[str, Fraction]:
    """The probabilities by another route: every choice that the H gates leave is followed to its end, and paths with one end add up."""
    gates = list(gates)
    splits = sum(name == "H" for name, _ in gates)
    ends: dict[str, tuple[int, int]] = {}
    for choice in product((0, 1), repeat=splits):
        bits, turns, coins = [0] * qubits, 0, iter(choice)
        for name, at in gates:
            ones = [bits[k - 1] for k in at]
            if name == "H":
                coin = next(coins)
                turns += 2 * (ones[0] & coin)
                bits[at[0] - 1] = coin
            elif name in ("Z", "CZ", "S", "CS"):
                turns += (1 if "S" in name else 2) * all(ones)
            elif name == "SWAP":
                bits[at[0] - 1], bits[at[1] - 1] = ones[1], ones[0]
            else:
                bits[at[-1] - 1] ^= all(ones[:-1])
        key = "".join(map(str, bits))
        re, im = ends.get(key, (0, 0))
        dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[turns % 4]
        ends[key] = (re + dx, im + dy)
    return {key: Fraction(value, 2**splits) for key, value in outcomes(dict(sorted(ends.items())), measured).items() if value}


def _amplitude(re: int, im: int) -> str:
    imaginary = f"{'-' if im < 0 else '+'}{abs(im) if abs(im) != 1 else ''}i" if im else ""
    return f"{re}{imaginary}" if re else imaginary.removeprefix("+")
