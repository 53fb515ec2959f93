"""Turing machines that sweep over their word, once or there and back: run, and found from what they make of some words.

A sweep is a table (state, symbol) -> (symbol written, next state) with states 0, 1, ... and -1 for the end of the sweep, which only a blank brings.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from rlgym.core.rng import Rng

BLANK = "_"
Sweep = dict[tuple[int, str], tuple[str, int]]
Rules = Mapping[tuple[str, str], tuple[str, str, str]]


def swept(table: Sweep, word: str, most: int = 40) -> str | None:
    """What a sweep writes from its first cell on; None where it does not end."""
    state, out = 0, list[str]()
    while state >= 0:
        read = word[len(out)] if len(out) < len(word) else BLANK
        if len(out) > most or (state, read) not in table:
            return None
        write, state = table[state, read]
        out.append(write)
    return "".join(out).rstrip(BLANK)


def inferred(pairs: Sequence[tuple[str, str]], states: int, falling: bool = False) -> Iterator[Sweep]:
    """Every sweep with so many states that makes of each first word the second, next states tried from the low or the high end."""
    table: Sweep = {}

    def going(k: int, place: int, state: int, used: int) -> Iterator[Sweep]:
        while k < len(pairs):
            read, write = pairs[k]
            if state < 0:
                if place < len(write):
                    return
                k, place, state = k + 1, 0, 0
                continue
            symbol = read[place] if place < len(read) else BLANK
            wanted = write[place] if place < len(write) else BLANK
            known = table.get((state, symbol))
            if known is None:
                ways = list(range(min(used + 1, states)))
                if symbol == BLANK:
                    ways = [-1] if wanted == BLANK else [-1, *ways]
                for after in reversed(ways) if falling else ways:
                    table[state, symbol] = wanted, after
                    yield from going(k, place + 1, after, max(used, after + 1))
                    del table[state, symbol]
                return
            if known[0] != wanted or (wanted == BLANK and known[1] >= 0):
                return
            place, state = place + 1, known[1]
        yield dict(table)

    return going(0, 0, 0, 1)


def firsts() -> Iterator[Sweep]:
    """The sweeps with two states that keep the length of a word of 0s and 1s."""
    for ways in product(product("01", (0, 1)), repeat=4):
        yield {(0, "0"): ways[0], (0, "1"): ways[1], (1, "0"): ways[2], (1, "1"): ways[3], (0, BLANK): (BLANK, -1), (1, BLANK): (BLANK, -1)}


def found(pairs: Sequence[tuple[str, str]], states: int, falling: bool = False) -> Iterator[dict[tuple[str, str], tuple[str, str, str]]]:
    """Rules of machines with so many states that make of each first word the second: one sweep, there and back, or two that both write."""
    for table in inferred(pairs, states, falling):
        yield rules([table])
    backwards = [(one[::-1], other[::-1]) for one, other in pairs]
    if states > 1:
        walk: Sweep = {(0, "0"): ("0", 0), (0, "1"): ("1", 0), (0, BLANK): (BLANK, -1)}
        for table in inferred(backwards, states - 1, falling):
            yield rules([walk, table])
    if states > 3:
        ways = list(firsts())
        for first in reversed(ways) if falling else ways:
            between = [((swept(first, one) or "")[::-1], other[::-1]) for one, other in pairs]
            for table in inferred(between, states - 2, falling):
                yield rules([first, table])


def rules(sweeps: Sequence[Sweep]) -> dict[tuple[str, str], tuple[str, str, str]]:
    """(state, symbol) -> (symbol, move, state) of a machine that makes these sweeps, to the right and back in turn."""
    out: dict[tuple[str, str], tuple[str, str, str]] = {}
    base = 0
    for turn, table in enumerate(sweeps):
        size = 1 + max(state for state, _ in table)
        for (state, read), (write, after) in sorted(table.items()):
            way, there = "RL"[turn % 2], "H" if turn == len(sweeps) - 1 else chr(65 + base + size)
            # at the end of a sweep that another one follows, the head turns round on the blank
            out[chr(65 + base + state), read] = (
                (write, way, chr(65 + base + after)) if after >= 0 else (write, way if there == "H" else "LR"[turn % 2], there)
            )
        base += size
    return out


def used(machine: Rules, word: str, most: int) -> list[tuple[str, str]]:
    """The rules by state and symbol that the machine uses on a word, each once."""
    seen: dict[tuple[str, str], None] = {}
    ran(machine, word, most, seen)
    return list(seen)


def ran(machine: Rules, word: str, most: int, seen: dict[tuple[str, str], None] | None = None) -> str | None:
    """The tape at the end, without the blanks around it; None where the machine does not come to state H in so many steps."""
    tape, head, state = dict(enumerate(word)), 0, "A"
    for _ in range(most):
        rule = state, tape.get(head, BLANK)
        after = machine.get(rule)
        if after is None:
            return None
        if seen is not None:
            seen[rule] = None
        tape[head], way, state = after
        head += 1 if way == "R" else -1
        if state == "H":
            return "".join(tape.get(cell, BLANK) for cell in range(min(tape), max(tape) + 1)).strip(BLANK)
    return None


def possible(pairs: Sequence[tuple[str, str]], states: int, walk: int) -> bool:
    """Whether one sweep does it, to the right, or back after a walk to the end (which takes a state)."""
    turned = [(one[::-1], other[::-1]) for one, other in pairs] if walk else pairs
    return next(inferred(turned, states - walk), None) is not None


def drawn(rng: Rng, states: int) -> Sweep:
    """Any sweep that writes no blank between."""
    table: Sweep = {(state, read): (rng.choice("01"), rng.integer(0, states - 1)) for state in range(states) for read in "01"}
    for state in range(states):
        table[state, BLANK] = (rng.choice("01"), -1) if rng.chance(0.25) else (BLANK, -1)
    return table


def adding(rng: Rng, states: int) -> Sweep:
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
            whole = (bit ^ turn_in) * times + carry
            table[k, str(bit)] = str(whole % 2 ^ turn_out[k]), carries.index(whole // 2)
        table[k, BLANK] = (str(carry % 2 ^ turn_out[k]), carries.index(carry // 2)) if carry else (BLANK, -1)
    return table


HALVING = next(table for table in firsts() if all(table[state, read] == (str(state), int(read)) for state in (0, 1) for read in "01"))
"""Each symbol moves one cell to the right, behind a 0."""
