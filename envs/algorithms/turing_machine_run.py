"""Run a Turing machine for a number of steps, and say what it has written.

The hard end has two tapes, whose heads move on their own.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.steps import Line, ended, first_wrong

SYMBOLS = "_1023"
Rule = tuple[str, str, str, str, str]
STEP = Line("Step {count}, from state {before}: now state {after}, {cells}")
Place = tuple[str, int, str]


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
    states, symbols = "ABCDEF"[: knobs.states], SYMBOLS[: knobs.symbols]
    while True:
        starts = tuple("".join(rng.choice(symbols[1:]) for _ in range(rng.integer(3, 4 + knobs.states))) for _ in range(knobs.tapes))
        rules = tuple(_rule(rng, state, read, states, symbols) for state in states for read in _words(symbols, knobs.tapes))
        final, turns, used = _run(rules, starts, knobs.steps)
        if turns * 5 >= knobs.steps - 4 and used >= min(len(rules) // 2, 2 + knobs.steps // 8):
            break
    listing = "\n".join(
        f"{state} {' '.join(read)} -> {' '.join(a + b for a, b in zip(write, move, strict=True))} {after}"
        for state, read, write, move, after in rules
    )
    prompt = _told(knobs.tapes, states, symbols, starts, listing, knobs.steps)
    return Task(prompt, Data(rules=rules, starts=starts, steps=knobs.steps, final=final))


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Each tape as two stacks: what lies left of the head, and what lies under it and to its right."""
    data = task.data
    looked_up = {(state, read): (write, move, after) for state, read, write, move, after in data.rules}
    lefts: list[list[str]] = [[] for _ in data.starts]
    rights = [list(reversed(start)) for start in data.starts]
    heads, state = [0] * len(rights), "A"
    for _ in range(data.steps):
        read = "".join(right.pop() if right else "_" for right in rights)
        write, move, state = looked_up[state, read]
        for tape, (symbol, way) in enumerate(zip(write, move, strict=True)):
            if way == "R":
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
        return Score.wrong("the machine ends in another state")
    plain = tuple(word.replace("−", "-").removeprefix("+") for word in answer)
    return Score.exact(plain == right, "a head or a tape is different at the end")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    moved = (right[0], str(int(right[1]) + 1), *right[2:])
    early, late = (_run(data.rules, data.starts, data.steps + more)[0] for more in (-1, 1))
    return [early, late, moved, (right[0], right[1], right[2][::-1], *right[3:]), (right[0], right[1], data.starts[0], *right[3:])]


def cost(task: Task[Data]) -> float:
    return float(task.data.steps * len(task.data.starts) + len(task.data.rules))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps = []
    for count in range(data.steps):
        before, after = (_run(data.rules, data.starts, steps_run)[0] for steps_run in (count, count + 1))
        cells = ", ".join(f"head on cell {head} of {tape}" for head, tape in zip(after[1::2], after[2::2], strict=True))
        steps.append(STEP.write(count=count + 1, before=before[0].upper(), after=after[0].upper(), cells=cells))
    return [*steps[:-1], f"After step {data.steps}: {' '.join(solve(task))}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    looked_up = {(state, read): (write, move, after) for state, read, write, move, after in data.rules}
    tapes, heads, states = [dict(enumerate(start)) for start in data.starts], [0] * len(data.starts), ["A"]

    def follows(step: str) -> bool:
        read = STEP.read(step)
        if not read:
            return False
        before = states[-1]
        write, move, after = looked_up[before, "".join(tape.get(head, "_") for tape, head in zip(tapes, heads, strict=True))]
        states.append(after)
        told = []
        for i, (tape, symbol, way) in enumerate(zip(tapes, write, move, strict=True)):
            tape[heads[i]] = symbol
            heads[i] += 1 if way == "R" else -1
            written = "".join(tape.get(cell, "_") for cell in range(min(tape), max(tape) + 1)).strip("_") or "empty"
            told.append(f"head on cell {heads[i]} of {written}")
        return list(read.values()) == [str(len(states) - 1), before, after, ", ".join(told)]

    return first_wrong(steps, follows, ended(f"After step {task.data.steps}: ", task, environment.answer, verify))


def _told(tapes: int, states: str, symbols: str, starts: tuple[str, ...], listing: str, steps: int) -> str:
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
    asked = (
        "Give the state, then the cell number of head 1, the symbols on tape 1, the cell number of head 2, the symbols on tape 2"
        if several
        else "Give the state, then the cell number of the head, then the symbols on the tape"
    )
    return (
        f"A machine has the states {', '.join(states)} and {what}. The cells of a tape are numbered ..., -1, 0, 1, 2, ... from left to right without end, "
        f"and each holds one of the symbols {' '.join(symbols)}, where _ is the blank. {contents} All other cells are blank. The machine starts in state A "
        f"with {'both heads' if several else 'its head'} on cell 0. Its rules are:\n{listing}\n\n{rule} (R right, L left), and go to state T.\n\n"
        f"Run the machine for {steps} steps; in each step exactly one rule is used. {asked}. The symbols of a tape run from its leftmost to its rightmost "
        "cell that is not blank, without spaces, with _ for blank cells in between, or are the word empty if all of its cells are blank."
    )


def _rule(rng: Rng, state: str, read: str, states: str, symbols: str) -> Rule:
    write = "".join(rng.choice(symbols) for _ in read)
    return state, read, write, "".join(rng.choice("LR") for _ in read), rng.choice(states)


def _words(symbols: str, length: int) -> list[str]:
    return list(symbols) if length == 1 else [a + b for a in symbols for b in symbols]


def _run(rules: tuple[Rule, ...], starts: tuple[str, ...], steps: int) -> tuple[tuple[str, ...], int, int]:
    """State, heads and tapes at the end; how often the first head turned round; how many different rules were used."""
    looked_up = {(state, read): (write, move, after) for state, read, write, move, after in rules}
    tapes = [dict(enumerate(start)) for start in starts]
    heads, state, turns, last, used = [0] * len(tapes), "A", 0, "", dict[tuple[str, str], None]()
    for _ in range(steps):
        read = "".join([tape.get(head, "_") for tape, head in zip(tapes, heads, strict=True)])
        used[state, read] = None
        write, move, state = looked_up[state, read]
        for i, tape in enumerate(tapes):
            tape[heads[i]] = write[i]
            heads[i] += 1 if move[i] == "R" else -1
        turns, last = turns + (move[0] != last), move[0]
    final = [state.lower()]
    for tape, head in zip(tapes, heads, strict=True):
        written = "".join(tape.get(cell, "_") for cell in range(min(tape), max(tape) + 1)) if tape else ""
        final += [str(head), written.strip("_") or "empty"]
    return tuple(final), turns, len(used)


environment = Environment(
    Knobs,
    Words("the state, the cell of the head and the symbols in the order asked for, separated by spaces", most=12, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="Keep the state, the place of each head and the tape, and look up exactly one rule for each step.",
)
