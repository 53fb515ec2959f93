"""Run a Turing machine for a number of steps, and say what it has written.

Some levels have two tapes, whose heads move on their own. On the upper levels the end is given, and a start that leads to it is asked for:
going backwards, several rules can have been the last one, and most of these ways end where no rule can have been used.
"""

from collections.abc import Iterator
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import draw_against
from rlgym.generators.languages import predecessors
from rlgym.generators.languages.multi_tape_machines import TuringMachine
from rlgym.generators.languages.predecessors import Rule
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Words("the items asked for, in that order, with a space between two items", max_items=12, ignore_case=True)
CONCEPT = "Keep the state, the place of each head and the tape, and look up exactly one rule for each step."
SYMBOLS = "_1023"
STEP = Step("Step {count}, from state {before}: now state {after}, {cells}")


class Knobs(Config):
    states: int = knob(3, easy=2, hard=6, doc="states of the machine")
    symbols: int = knob(3, easy=2, hard=4, doc="symbols on the tape, the blank included")
    steps: int = knob(20, easy=3, hard=160, scale="log", doc="steps that are run; about the square root of it where the start is asked for")
    tapes: int = knob(1, easy=1, hard=2, doc="tapes, each with a head of its own; one where the start is asked for")
    question: str = knob(
        "end", easy="end", hard="start", order=("end", "start"), doc="whether the end is asked for, or a start that leads to it"
    )


class Data(TaskData):
    rules: tuple[Rule, ...]
    """State, symbols read, symbols written, moves, next state; one letter for each tape."""
    starts: tuple[str, ...]
    steps: int
    final: tuple[str, ...]
    tape_at_end: tuple[tuple[int, str], ...] = ()
    """The cells that are not blank at the end, where the start is asked for; the tape at the start is then not shown."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_inverse(rng, knobs, period=0) if knobs.question == "start" else _sample_task(rng, knobs, period=0)


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
    return _sample_inverse(rng, knobs, period=2) if knobs.question == "start" else _sample_task(rng, knobs, period=2)


def _sample_inverse(rng: Rng, knobs: Knobs, period: int) -> Task[Data]:
    """A machine and the end of a run, with many ways back of which few lead to a start."""
    states, symbols, steps = "ABCDEF"[: knobs.states], SYMBOLS[: knobs.symbols], isqrt(knobs.steps) + 5

    def draw() -> Data:
        while not (data := sample_data()).tape_at_end:
            continue
        return data

    def sample_data() -> Data:
        start = "".join(rng.choice(symbols[1:]) for _ in range(rng.integer(4, 8)))
        start = (start[:period] * 4)[: len(start)] if period else start
        rules = tuple(_sample_rule(rng, state, read, states, symbols) for state in states for read in symbols)
        machine = TuringMachine(rules, (start,))
        for _ in range(steps):
            machine.step()
        end = predecessors.configuration(machine.state, machine.heads[0], machine.tapes[0])
        return Data(rules=rules, starts=(start,), steps=steps, final=(end.state, str(end.head)), tape_at_end=end.cells)

    def is_unfit(data: Data) -> bool:
        layers = predecessors.layers_back(data.rules, _final_configuration(data), steps, 30 * steps)
        starts = [before for before in layers[-1] if before.state == "A" and before.head == 0 and before.word]
        return not steps * steps * 2 // 3 <= sum(map(len, layers)) <= 30 * steps or len(starts) > 2

    data = draw_against(draw, is_unfit, 100)
    return Task(_render_inverse(states, symbols, data), data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Each tape as two stacks: what lies left of the head, and what lies under it and to its right."""
    data = task.data
    if data.tape_at_end:
        return (next(_starts(data)),)
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
    if task.data.tape_at_end:
        return _verify_start(task.data, answer)
    if len(answer) != len(right):
        return Score.wrong(f"the answer must have {len(right)} words: the state, and for each tape the cell of the head and the symbols")
    if answer[0] != right[0]:
        return Score.wrong("the machine ends in a different state")
    plain = tuple(word.replace("−", "-").removeprefix("+") for word in answer)
    return Score.exact(plain == right, "a head or a tape is different at the end")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    if data.tape_at_end:
        end, (start,) = "".join(symbol for _, symbol in data.tape_at_end), right
        letters = SYMBOLS[1 : len({read for _, read, *_ in data.rules})]
        changed = [start[:i] + letters[(letters.index(start[i]) + 1) % len(letters)] + start[i + 1 :] for i in range(len(start))]
        tempting = [(word,) for word in (end, start[::-1], start[:-1], start + start[-1], *changed) if word]
        return [answer for answer in tempting if not verify(task, answer).value]
    moved = (right[0], str(int(right[1]) + 1), *right[2:])
    early, late = (_run(data.rules, data.starts, data.steps + more)[0] for more in (-1, 1))
    return [early, late, moved, (right[0], right[1], right[2][::-1], *right[3:]), (right[0], right[1], data.starts[0], *right[3:])]


def cost(task: Task[Data]) -> float:
    if task.data.tape_at_end:
        layers = predecessors.layers_back(task.data.rules, _final_configuration(task.data), task.data.steps, 30 * task.data.steps)
        return 3.0 * sum(map(len, layers)) + len(task.data.rules)
    return float(task.data.steps * len(task.data.starts) + len(task.data.rules))


def derive(task: Task[Data]) -> Derivation:
    data, machine = task.data, TuringMachine(task.data.rules, solve(task) if task.data.tape_at_end else task.data.starts)
    for count in range(1, data.steps + bool(data.tape_at_end)):
        before = machine.state
        machine.step()
        cells = [f"head on cell {head} of {machine.written(i)}" for i, head in enumerate(machine.heads)]
        yield STEP(count=count, before=before, after=machine.state, cells=cells)


def _final_configuration(data: Data) -> predecessors.Configuration:
    return predecessors.Configuration(data.final[0], int(data.final[1]), data.tape_at_end)


def _verify_start(data: Data, answer: tuple[str, ...]) -> Score:
    symbols = {read for _, read, *_ in data.rules} - {"_"}
    if len(answer) != 1 or not set(answer[0]) <= symbols:
        return Score.wrong("expected the symbols at the start as one word without blanks")
    machine = TuringMachine(data.rules, answer)
    for _ in range(data.steps):
        machine.step()
    end = predecessors.configuration(machine.state, machine.heads[0], machine.tapes[0])
    return Score.exact(end == _final_configuration(data), "from this start the machine does not come to this end")


def _starts(data: Data) -> Iterator[str]:
    """All starts that lead to the end, depth first from the end backwards."""
    waiting = [(_final_configuration(data), data.steps)]
    while waiting:
        after, left = waiting.pop()
        if left:
            waiting += [(before, left - 1) for before in predecessors.step_back(data.rules, after)]
        elif after.state == "A" and after.head == 0 and after.word:
            yield after.word


def _right_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    yield from ((start,) for start in dict.fromkeys(_starts(task.data))) if task.data.tape_at_end else [task.data.final]


def _render_inverse(states: str, symbols: str, data: Data) -> str:
    listing = "\n".join(f"{state} {read} -> {write}{move} {after}" for state, read, write, move, after in data.rules)
    tape = dict(data.tape_at_end)
    first, last = min(tape), max(tape)
    held = " ".join(tape.get(cell, "_") for cell in range(first, last + 1))
    where = f"cells {first} to {last} hold {held}" if first < last else f"cell {first} holds {held}"
    return (
        f"A machine has the states {', '.join(states)} and a tape with a head. The cells of the tape are numbered ..., -1, 0, 1, 2, ... from left to right "
        f"without end, and each holds one of the symbols {' '.join(symbols)}, where _ is the blank. Its rules are:\n{listing}\n\n"
        "A rule `S a -> cX T` means: in state S with a under the head, write c there, then move the head one cell as X says (R right, L left), and go to "
        "state T. In each step exactly one rule is used.\n\n"
        "The machine started in state A with its head on cell 0. At the start, cell 0 and perhaps some cells next to it on its right (1, 2 and so on, without "
        f"a gap) held symbols other than the blank; all other cells were blank. After {data.steps} steps it is in state {data.final[0]}, its head is on cell "
        f"{data.final[1]}, {where}, and all other cells are blank.\n\n"
        "Which symbols were on the tape at the start? Give one item: those that are not blank, from left to right, written together as one word. If several "
        "starts lead to this end, give any one of them."
    )


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
        f"Run the machine for {steps} steps; in each step exactly one rule is used. {question}. The symbols of a tape are one item: they run from its "
        "leftmost to its rightmost cell that is not blank, written together as one word with _ for blank cells in between, or are the word empty if all of "
        "its cells are blank."
    )


def _sample_rule(rng: Rng, state: str, read: str, states: str, symbols: str) -> Rule:
    write = "".join(rng.choice(symbols) for _ in read)
    return state, read, write, "".join(rng.choice("LR") for _ in read), rng.choice(states)


def _symbol_combinations(symbols: str, length: int) -> list[str]:
    return list(symbols) if length == 1 else [a + b for a in symbols for b in symbols]


def _run(rules: tuple[Rule, ...], starts: tuple[str, ...], steps: int) -> tuple[tuple[str, ...], int, int]:
    """State, heads and tapes at the end; how often the first head turned round; how many different rules were used."""
    machine, direction_changes, last = TuringMachine(rules, starts), 0, ""
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
    answers="many",
    solutions=_right_answers,
    version=3,
    long_numbers="The digits of a tape are symbols and no number.",
)
