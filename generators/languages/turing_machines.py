"""Turing machines that sweep over their word, once or there and back: run, and found from what they make of some words.

A sweep is a table (state, symbol) -> (symbol written, next state) with states 0, 1, ... and -1 for the end of the sweep, which only a blank brings.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from rlgym.core.rng import Rng

BLANK = "_"
Sweep = dict[tuple[int, str], tuple[str, int]]
Rules = Mapping[tuple[str, str], tuple[str, str, str]]


def run_sweep(table: Sweep, word: str, max_steps: int = 40) -> str | None:
    """What a sweep writes from its first cell on; None where it does not end."""
    state, output = 0, list[str]()
    while state >= 0:
        read = word[len(output)] if len(output) < len(word) else BLANK
        if len(output) > max_steps or (state, read) not in table:
            return None
        write, state = table[state, read]
        output.append(write)
    return "".join(output).rstrip(BLANK)


def infer_sweeps(pairs: Sequence[tuple[str, str]], states: int, descending: bool = False) -> Iterator[Sweep]:
    """Every sweep with so many states that makes of each first word the second, next states tried from the low or the high end."""
    table: Sweep = {}

    def extend(k: int, place: int, state: int, used: int) -> Iterator[Sweep]:
        while k < len(pairs):
            read, write = pairs[k]
            if state < 0:
                if place < len(write):
                    return
                k, place, state = k + 1, 0, 0
                continue
            symbol = read[place] if place < len(read) else BLANK
            written = write[place] if place < len(write) else BLANK
            known = table.get((state, symbol))
            if known is None:
                choices = list(range(min(used + 1, states)))
                if symbol == BLANK:
                    choices = [-1] if written == BLANK else [-1, *choices]
                for after in reversed(choices) if descending else choices:
                    table[state, symbol] = written, after
                    yield from extend(k, place + 1, after, max(used, after + 1))
                    del table[state, symbol]
                return
            if known[0] != written or (written == BLANK and known[1] >= 0):
                return
            place, state = place + 1, known[1]
        yield dict(table)

    return extend(0, 0, 0, 1)


def two_state_sweeps() -> Iterator[Sweep]:
    """The sweeps with two states that keep the length of a word of 0s and 1s."""
    for choices in product(product("01", (0, 1)), repeat=4):
        yield {
            (0, "0"): choices[0],
            (0, "1"): choices[1],
            (1, "0"): choices[2],
            (1, "1"): choices[3],
            (0, BLANK): (BLANK, -1),
            (1, BLANK): (BLANK, -1),
        }


def infer_machines(
    pairs: Sequence[tuple[str, str]], states: int, descending: bool = False
) -> Iterator[dict[tuple[str, str], tuple[str, str, str]]]:
    """Rules of machines with so many states that make of each first word the second: one sweep, there and back, or two that both write."""
    for table in infer_sweeps(pairs, states, descending):
        yield compile_rules([table])
    backwards = [(first[::-1], second[::-1]) for first, second in pairs]
    if states > 1:
        walk: Sweep = {(0, "0"): ("0", 0), (0, "1"): ("1", 0), (0, BLANK): (BLANK, -1)}
        for table in infer_sweeps(backwards, states - 1, descending):
            yield compile_rules([walk, table])
    if states > 3:
        choices = list(two_state_sweeps())
        for first in reversed(choices) if descending else choices:
            after_first = [((run_sweep(first, one) or "")[::-1], second[::-1]) for one, second in pairs]
            for table in infer_sweeps(after_first, states - 2, descending):
                yield compile_rules([first, table])


def compile_rules(sweeps: Sequence[Sweep]) -> dict[tuple[str, str], tuple[str, str, str]]:
    """(state, symbol) -> (symbol, move, state) of a machine that makes these sweeps, to the right and back in turn."""
    output: dict[tuple[str, str], tuple[str, str, str]] = {}
    base = 0
    for turn, table in enumerate(sweeps):
        size = 1 + max(state for state, _ in table)
        for (state, read), (write, after) in sorted(table.items()):
            direction, following = "RL"[turn % 2], "H" if turn == len(sweeps) - 1 else chr(65 + base + size)
            # at the end of a sweep that another one follows, the head turns round on the blank
            output[chr(65 + base + state), read] = (
                (write, direction, chr(65 + base + after))
                if after >= 0
                else (write, direction if following == "H" else "LR"[turn % 2], following)
            )
        base += size
    return output


def used_rules(machine: Rules, word: str, max_steps: int) -> list[tuple[str, str]]:
    """The rules by state and symbol that the machine uses on a word, each once."""
    seen: dict[tuple[str, str], None] = {}
    run_machine(machine, word, max_steps, seen)
    return list(seen)


def run_machine(machine: Rules, word: str, max_steps: int, seen: dict[tuple[str, str], None] | None = None) -> str | None:
    """The tape at the end, without the blanks around it; None where the machine does not come to state H in so many steps."""
    tape, head, state = dict(enumerate(word)), 0, "A"
    for _ in range(max_steps):
        rule = state, tape.get(head, BLANK)
        after = machine.get(rule)
        if after is None:
            return None
        if seen is not None:
            seen[rule] = None
        tape[head], direction, state = after
        head += 1 if direction == "R" else -1
        if state == "H":
            return "".join(tape.get(cell, BLANK) for cell in range(min(tape), max(tape) + 1)).strip(BLANK)
    return None


def can_be_swept(pairs: Sequence[tuple[str, str]], states: int, walk: int) -> bool:
    """Whether one sweep does it, to the right, or back after a walk to the end (which takes a state)."""
    oriented = [(first[::-1], second[::-1]) for first, second in pairs] if walk else pairs
    return next(infer_sweeps(oriented, states - walk), None) is not None


def sample_sweep(rng: Rng, states: int) -> Sweep:
    """Any sweep that writes no blank between."""
    table: Sweep = {(state, read): (rng.choice("01"), rng.integer(0, states - 1)) for state in range(states) for read in "01"}
    for state in range(states):
        table[state, BLANK] = (rng.choice("01"), -1) if rng.chance(0.25) else (BLANK, -1)
    return table


def sample_arithmetic_sweep(rng: Rng, states: int) -> Sweep:
    """Times a plus b, from the last digit on, perhaps with 0 and 1 exchanged in what is read, or in what is written at some carries."""
    while True:
        times, plus = rng.integer(1, 5), rng.integer(0, 6)
        turn_in, turn_out = rng.integer(0, 1), [rng.integer(0, 1) for _ in range(states)]
        carries = [plus]
        for carry in carries:
            carries += [c for c in dict.fromkeys((bit * times + carry) // 2 for bit in (0, 1)) if c not in carries]
        if len(carries) == states:
            break
    table: Sweep = {}
    for k, carry in enumerate(carries):
        for bit in (0, 1):
            value = (bit ^ turn_in) * times + carry
            table[k, str(bit)] = str(value % 2 ^ turn_out[k]), carries.index(value // 2)
        table[k, BLANK] = (str(carry % 2 ^ turn_out[k]), carries.index(carry // 2)) if carry else (BLANK, -1)
    return table


HALVING = next(
    table for table in two_state_sweeps() if all(table[state, read] == (str(state), int(read)) for state in (0, 1) for read in "01")
)
"""Each symbol moves one cell to the right, behind a 0."""
