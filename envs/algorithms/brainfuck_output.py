"""Say what a program of eight signs writes: a pointer goes along cells and counts them up and down, and brackets repeat.

On the upper levels what is printed is given, and three unknown numbers at the start are asked for. Loops that count by 2 or 3 run as often as a division
modulo a prime says, and loops within loops multiply: the program must be understood as a system of equations.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import draw_against
from rlgym.generators.programs import counting_loops
from rlgym.solutions import Derivation, Solution, Step

AT = Step("Sign {place} is {sign}: the pointer is at cell {cell}, and the cells hold {cells}")
SUM = Step("With x, y and z in cells 0, 1 and 2, printed number {index:int} is {terms}, modulo {modulus:int}")
FOUND = Step("With x = {x:int}, y = {y:int} and z = {z:int} these are {printed:words}")
MOST_STEPS = 4000


class State(NamedTuple):
    place: int  # of the sign that is carried out next
    pointer: int
    cells: tuple[int, ...]


class Knobs(Config):
    blocks: int = knob(5, easy=2, hard=11, doc="pieces of the program")
    depth: int = knob(1, easy=0, hard=3, doc="how deep repetitions are nested")
    largest: int = knob(4, easy=3, hard=6, doc="longest run of the same counting sign")
    modulus: str = knob(
        "plain", easy="plain", hard="round", order=("plain", "round"), doc="whether counting wraps around after a few numbers"
    )
    question: str = knob(
        "output",
        easy="output",
        hard="input",
        order=("output", "input"),
        doc="whether the output is asked for, or numbers at the start that lead to it",
    )


class Data(TaskData):
    program: str
    modulus: int
    cells: int
    right: tuple[int, ...]
    printed: tuple[int, ...] = ()
    """What is printed, where the numbers at the start are asked for."""

    @property
    def lead(self) -> str:
        return "The numbers at the start are" if self.printed else "The numbers written are"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_inverse(rng, knobs, backwards=False) if knobs.question == "input" else _sample_task(rng, knobs, copying=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Programs that copy numbers to two other cells and back instead of counting in the loops. Unknown numbers are used up from the last to the first."""
    return _sample_inverse(rng, knobs, backwards=True) if knobs.question == "input" else _sample_task(rng, knobs, copying=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Interprets sign by sign and finds the partner of a bracket only when jumping to it."""
    data, out = task.data, list[int]()
    if data.printed:
        return next(_starts(data))
    cells, at, place = [0] * data.cells, 0, 0
    while place < len(data.program):
        sign = data.program[place]
        at += (sign == ">") - (sign == "<")
        cells[at] = (cells[at] + (sign == "+") - (sign == "-")) % data.modulus
        if sign == ".":
            out.append(cells[at])
        if (sign == "[" and not cells[at]) or (sign == "]" and cells[at]):
            (step, opening), open_brackets = (1, "[") if sign == "[" else (-1, "]"), 0
            while True:
                if data.program[place] in "[]":
                    open_brackets += 1 if data.program[place] == opening else -1
                if not open_brackets:
                    break
                place += step
        place += 1
    return tuple(out)


def _starts(data: Data) -> Iterator[tuple[int, ...]]:
    sums = counting_loops.interpolate(data.program, data.cells, data.modulus)
    yield from counting_loops.preimages(sums, data.printed, data.modulus)


def _right_answers(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    yield from _starts(task.data) if task.data.printed else [task.data.right]


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    if task.data.printed:
        return _verify_start(task.data, answer)
    return Score.exact(tuple(answer) == task.data.right, "the program writes different numbers")


def _verify_start(data: Data, answer: Sequence[int]) -> Score:
    if len(answer) != 3 or not all(0 <= number < data.modulus for number in answer):
        return Score.wrong(f"expected three numbers from 0 to {data.modulus - 1}")
    states = _run(data, tuple(answer), counting_loops.MOST_STEPS)
    printed = tuple(state.cells[state.pointer] for state in states if data.program[state.place] == ".")
    return Score.exact(printed == data.printed, "with these numbers at the start the program prints something else")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    if task.data.printed:
        tempting = [right[::-1], task.data.printed, *(tuple((right[i] + (i == k)) % task.data.modulus for i in range(3)) for k in range(3))]
        tempting += [right[:2], (*right, 0)]
        return [answer for answer in tempting if not verify(task, answer).value]
    more = tuple(number + 1 for number in right)
    return [right[::-1], right[:-1], more, (0,) * len(right), (*right, right[-1]), (right[0] + 1, *right[1:])]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.printed:
        # The program is understood sign by sign; then one number is tried, and the linear sum gives another for each.
        return 10.0 * len(data.program) + 10.0 * data.modulus**2
    # Numbers that run round soon cannot be taken over a whole repetition at once.
    return (len(list(_run(data))) + len(data.program)) * (1.4 if data.modulus < 256 else 1)


def derive(task: Task[Data]) -> Derivation:
    if task.data.printed:
        yield from _derive_start(task.data)
        return
    for state in _run(task.data):
        sign = task.data.program[state.place]
        if sign in "[].":
            yield AT(place=state.place + 1, sign=sign, cell=state.pointer, cells=" ".join(map(str, state.cells)))


def _derive_start(data: Data) -> Derivation:
    for index, terms in enumerate(counting_loops.interpolate(data.program, data.cells, data.modulus), 1):
        named = [
            f"{factor}{''.join(name for name, power in zip('xyz', bits, strict=True) if power)}" for bits, factor in terms.items() if factor
        ]
        yield SUM(index=index, terms=" + ".join(named) or "0", modulus=data.modulus)
    x, y, z = next(_starts(data))
    yield FOUND(x=x, y=y, z=z, printed=[str(number) for number in data.printed])


def _sample_inverse(rng: Rng, knobs: Knobs, *, backwards: bool) -> Task[Data]:
    """A program and an output that one or two starts lead to."""
    modulus = 7 if knobs.blocks < 6 else 11 if knobs.blocks < 10 else 13

    def draw() -> tuple[counting_loops.Mixture, tuple[int, ...], int]:
        mixture = counting_loops.sample_mixture(rng, modulus, backwards=backwards)
        x, y, z = (rng.integer(1, modulus - 1) for _ in range(3))
        printed = mixture.outputs((x, y, z))
        starts = sum(mixture.outputs((a, b, c)) == printed for a, b, c in product(range(modulus), repeat=3))
        return mixture, printed, starts

    mixture, printed, _ = draw_against(draw, lambda drawn: drawn[2] > 2 or len(set(drawn[1])) < 2, 12)
    data = Data(program=mixture.program(), modulus=modulus, cells=counting_loops.CELLS, right=(), printed=printed)
    prompt = (
        f"Cells 0, 1 and 2 hold three unknown numbers from 0 to {modulus - 1}, cells 3 to {data.cells - 1} hold 0, and a pointer is at cell 0. A program of "
        f"single characters is executed from left to right:\n{_render_signs(modulus)}\n\n{data.program}\n\n"
        f"The program prints the numbers {', '.join(map(str, printed))}. Which numbers did cells 0, 1 and 2 hold at the beginning? If several choices lead to "
        "this output, give any one of them. Give the numbers in the order of the cells."
    )
    return Task(prompt, data)


def _render_signs(modulus: int) -> str:
    return (
        "> moves the pointer one cell to the right, < one to the left\n"
        f"+ adds 1 to the cell at the pointer, - subtracts 1; {modulus - 1} plus 1 is 0, and 0 minus 1 is {modulus - 1}\n"
        ". prints the value of the cell at the pointer\n[ jumps past its ] if the cell at the pointer is 0\n"
        "] jumps back to its [ if the cell at the pointer is not 0\nBrackets match as usual."
    )


def _sample_task(rng: Rng, knobs: Knobs, *, copying: bool) -> Task[Data]:
    modulus = rng.integer(7, 16) if knobs.modulus == "round" else 256
    depth = min(knobs.depth, 2) if copying else knobs.depth
    # What a repetition leaves stands as many cells further on as it is deep.
    written = ">" * depth + "." + "<" * depth
    for attempt in range(100_000):
        program = ""
        # Some numbers grow too fast for as many pieces as are wanted: after a while a piece less will do.
        for _ in range(max(2, knobs.blocks - attempt // 8)):
            program += "+" * rng.integer(1, knobs.largest) + _sample_block(rng, knobs, depth, copying=copying) + rng.choice((">", written))
        reach = list(_pointer_positions(program))
        program += ".>" * (max(reach) - reach[-1]) + "."
        data = Data(program=program, modulus=modulus, cells=max(reach) + 1, right=())
        most_states = 400 * (1 + knobs.blocks // 2)
        states = sum(1 for _ in _run(data, most_steps=most_states)) if max(reach) < 20 else 0
        right = solve(Task("", data)) if 12 * (1 + knobs.depth) <= states < most_states else ()
        if len(set(right)) > 1:
            break
    prompt = (
        f"Cells 0 to {data.cells - 1} hold 0, and a pointer is at cell 0. A program of single characters is "
        f"executed from left to right:\n{_render_signs(modulus)}\n\n"
        f"{program}\n\nWhich numbers does the program print?"
    )
    return Task(prompt, data.model_copy(update={"right": right}))


def _sample_block(rng: Rng, knobs: Knobs, depth: int, *, copying: bool) -> str:
    """A block that restores the pointer; a loop changes its own cell only by decrementing it."""
    if not depth:
        return (
            ">" + rng.choice("++-" if knobs.modulus == "round" else "+") * rng.integer(1, knobs.largest) + "<"
            if rng.chance(0.7)
            else "-" * rng.integer(0, 1)
        )
    if copying:
        back = ">[-<+>]<" if rng.chance(0.5) else ""
        inner = _sample_block(rng, knobs, depth - 1, copying=True) if depth > 1 else ""
        return f"[->{'+' * rng.integer(1, 3)}>+<{inner}<]>{inner}<{back}"
    inside = "".join(_sample_block(rng, knobs, depth - 1, copying=False) for _ in range(rng.integer(1, 2)))
    return f"[->{'+' * rng.integer(1, 2)}{inside}<]"


def _pointer_positions(program: str) -> Iterator[int]:
    """Where the pointer can be: repetitions leave it where it was."""
    at = 0
    for sign in program:
        at += (sign == ">") - (sign == "<")
        yield at


def _run(data: Data, start: tuple[int, ...] = (), most_steps: int = MOST_STEPS) -> Iterator[State]:
    """The sign about to be carried out, pointer and cells, step after step, up to a bound."""
    state = State(-1, 0, (start + (0,) * data.cells)[: data.cells])
    for _ in range(most_steps):
        state = _step(data, state)
        if state.place >= len(data.program):
            return
        yield state


def _step(data: Data, state: State) -> State:
    """The state before the sign after this one."""
    place, at, cells = state
    sign = data.program[place] if place >= 0 else ""
    if sign in ("+", "-"):
        value = (cells[at] + (1 if sign == "+" else -1)) % data.modulus
        cells = (*cells[:at], value, *cells[at + 1 :])
    at += (sign == ">") - (sign == "<")
    if (sign == "[" and not cells[at]) or (sign == "]" and cells[at]):
        depth, direction = 1, 1 if sign == "[" else -1
        while depth:
            place += direction
            depth += {"[": direction, "]": -direction}.get(data.program[place], 0)
    return State(place + 1, at, cells)


environment = Environment(
    Knobs, Numbers("the numbers asked for, in order, separated by commas", max_items=200),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "{lead} {answer}", whole=True),
    shift=shift,
    concept="See what one turn of a repetition does to the cells; the number in its own cell says how often that happens.",
    answers="many", solutions=_right_answers, version=4,
)  # fmt: skip
