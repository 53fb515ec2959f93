"""Run a Turing machine for a number of steps, and say what it has written.

The hard end has two tapes, whose heads move on their own.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Words(
    "the state, the cell of the head and the symbols in the order asked for, separated by spaces", max_items=12, ignore_case=True
)
CONCEPT = "Keep the state, the place of each head and the tape, and look up exactly one rule for each step."
SYMBOLS = "_1023"
Rule = tuple[str, str, str, str, str]
STEP = Step("Step {count}, from state {before}: now state {after}, {cells}")


class Knobs(Config):
    states: int = knob(3, easy=2, hard=6, doc="states of the machine")
    symbols: int = knob(3, easy=2, hard=4, doc="symbols on the tape, the blank included")
    steps: int = knob(20, easy=3, hard=160, scale="log", doc="steps that are run")
    tapes: int = knob(1, easy=1, hard=2, doc="tapes, each with a head of its own")


class Data(TaskData):
    rules: tuple[Rule, ...]
    """State, symbols read, symbols written, moves, next state; one letter for each tape."""
    starts: tuple[str, ...]
    steps: int
    final: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, period=0)


def _sample_task(rng: Rng, knobs: Knobs, period: int) -> Task[Data]:
    states, symbols = "ABCDEF"[: knobs.states], SYMBOLS[: knobs.symbols]
    while True:
        starts = tuple("".join(rng.choice(symbols[1:]) for _ in range(rng.integer(3, 4 + knobs.states))) for _ in range(knobs.tapes))
        starts = tuple((start[:period] * len(start))[: len(start)] for start in starts) if period else starts
        rules = tuple(
            _sample_rule(rng, state, read, states, symbols) for state in states for read in _symbol_combinations(symbols, knobs.tapes)
        )
        final, direction_changes, rules_used = _run(rules, starts, knobs.steps)
        if direction_changes * 5 >= knobs.steps - 4 and rules_used >= min(len(rules) // 2, 2 + knobs.steps // 8):
            break
    listing = "\n".join(
        f"{state} {' '.join(read)} -> {' '.join(a + b for a, b in zip(write, move, strict=True))} {after}"
        for state, read, write, move, after in rules
    )
    prompt = _render_prompt(knobs.tapes, states, symbols, starts, listing, knobs.steps)
    return Task(prompt, Data(rules=rules, starts=starts, steps=knobs.steps, final=final))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Tapes that repeat a piece of two symbols."""
    return _sample_task(rng, knobs, period=2)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Each tape as two stacks: what lies left of the head, and what lies under it and to its right."""
    data = task.data
    table = {(state, read): (write, move, after) for state, read, write, move, after in data.rules}
    lefts: list[list[str]] = [[] for _ in data.starts]
    rights = [list(reversed(start)) for start in data.starts]
    heads, state = [0] * len(rights), "A"
    for _ in range(data.steps):
        read = "".join(right.pop() if right else "_" for right in rights)
        write, move, state = table[state, read]
        for tape, (symbol, direction) in enumerate(zip(write, move, strict=True)):
            if direction == "R":
                lefts[tape].append(symbol)
                heads[tape] += 1
            else:
                rights[tape] += [symbol, lefts[tape].pop() if lefts[tape] else "_"]
                heads[tape] -= 1
    final = [state.lower()]
    for left, right, head in zip(lefts, rights, heads, strict=True):
        final += [str(head), "".join(left + right[::-1]).strip("_") or "empty"]
    return tuple(final)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.final
    if len(answer) != len(right):
        return Score.wrong(f"the answer must have {len(right)} words: the state, and for each tape the cell of the head and the symbols")
    if answer[0] != right[0]:
        return Score.wrong("the machine ends in a different state")
    plain = tuple(word.replace("−", "-").removeprefix("+") for word in answer)
    return Score.exact(plain == right, "a head or a tape is different at the end")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    moved = (right[0], str(int(right[1]) + 1), *right[2:])
    early, late = (_run(data.rules, data.starts, data.steps + more)[0] for more in (-1, 1))
    return [early, late, moved, (right[0], right[1], right[2][::-1], *right[3:]), (right[0], right[1], data.starts[0], *right[3:])]


def cost(task: Task[Data]) -> float:
    return float(task.data.steps * len(task.data.starts) + len(task.data.rules))


def derive(task: Task[Data]) -> Derivation:
    data, machine = task.data, _Machine(task.data.rules, task.data.starts)
    for count in range(1, data.steps):
        before = machine.state
        machine.step()
        cells = [f"head on cell {head} of {machine.written(i)}" for i, head in enumerate(machine.heads)]
        yield STEP(count=count, before=before, after=machine.state, cells=cells)


def _render_prompt(tapes: int, states: str, symbols: str, starts: tuple[str, ...], listing: str, steps: int) -> str:
    several = tapes > 1
    contents = " ".join(
        f"{f'On tape {i}, cells' if several else 'Cells'} 0 to {len(start) - 1} hold {' '.join(start)}."
        for i, start in enumerate(starts, 1)
    )
    what = "two tapes, each with a head" if several else "a tape with a head"
    rule = (
        "A rule `S a b -> cX dY T` means: in state S with a under the head of tape 1 and b under the head of tape 2, write c on tape 1 and d on tape 2, "
        "then move the first head one cell as X says and the second as Y says"
        if several
        else "A rule `S a -> cX T` means: in state S with a under the head, write c there, then move the head one cell as X says"
    )
    question = (
        "Give the state, then the cell number of head 1, the symbols on tape 1, the cell number of head 2, the symbols on tape 2"
        if several
        else "Give the state, then the cell number of the head, then the symbols on the tape"
    )
    return (
        f"A machine has the states {', '.join(states)} and {what}. The cells of a tape are numbered ..., -1, 0, 1, 2, ... from left to right without end, "
        f"and each holds one of the symbols {' '.join(symbols)}, where _ is the blank. {contents} All other cells are blank. The machine starts in state A "
        f"with {'both heads' if several else 'its head'} on cell 0. Its rules are:\n{listing}\n\n{rule} (R right, L left), and go to state T.\n\n"
        f"Run the machine for {steps} steps; in each step exactly one rule is used. {question}. The symbols of a tape run from its leftmost to its rightmost "
        "cell that is not blank, without spaces, with _ for blank cells in between, or are the word empty if all of its cells are blank."
    )


def _sample_rule(rng: Rng, state: str, read: str, states: str, symbols: str) -> Rule:
    write = "".join(rng.choice(symbols) for _ in read)
    return state, read, write, "".join(rng.choice("LR") for _ in read), rng.choice(states)


def _symbol_combinations(symbols: str, length: int) -> list[str]:
    return list(symbols) if length == 1 else [a + b for a in symbols for b in symbols]


class _Machine:
    """Runs step by step, with each tape as a dictionary of its cells."""

    def __init__(self, rules: tuple[Rule, ...], starts: tuple[str, ...]) -> None:
        self.table = {(state, read): (write, move, after) for state, read, write, move, after in rules}
        self.tapes = [dict(enumerate(start)) for start in starts]
        self.heads, self.state, self.used = [0] * len(starts), "A", set[tuple[str, str]]()

    def step(self) -> str:
        """Carries out one rule; returns its moves."""
        read = "".join([tape.get(head, "_") for tape, head in zip(self.tapes, self.heads, strict=True)])
        self.used.add((self.state, read))
        write, move, self.state = self.table[self.state, read]
        for i, tape in enumerate(self.tapes):
            tape[self.heads[i]] = write[i]
            self.heads[i] += 1 if move[i] == "R" else -1
        return move

    def written(self, i: int) -> str:
        """The symbols of a tape, from the leftmost to the rightmost cell that is not blank."""
        tape = self.tapes[i]
        return "".join(tape.get(cell, "_") for cell in range(min(tape), max(tape) + 1)).strip("_") or "empty"


def _run(rules: tuple[Rule, ...], starts: tuple[str, ...], steps: int) -> tuple[tuple[str, ...], int, int]:
    """State, heads and tapes at the end; how often the first head turned round; how many different rules were used."""
    machine, direction_changes, last = _Machine(rules, starts), 0, ""
    for _ in range(steps):
        move = machine.step()
        direction_changes, last = direction_changes + (move[0] != last), move[0]
    final = [machine.state.lower()]
    for i, head in enumerate(machine.heads):
        final += [str(head), machine.written(i)]
    return tuple(final), direction_changes, len(machine.used)


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, "After step {steps}: {answer}"),
    shift=shift,
    concept=CONCEPT,
    long_numbers="The digits of a tape are symbols and no number.",
)
