"""Say what a program of eight signs writes: a pointer goes along cells and counts them up and down, and brackets repeat."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

AT = Step("Sign {place} is {sign}: the pointer is at cell {cell}, and the cells hold {cells}")
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


class Data(TaskData):
    program: str
    modulus: int
    cells: int
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, copying=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Programs that copy numbers to two other cells and back instead of counting in the loops."""
    return _sample_task(rng, knobs, copying=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """Interprets sign by sign and finds the partner of a bracket only when jumping to it."""
    data, out = task.data, list[int]()
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


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "the program writes different numbers")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    more = tuple(number + 1 for number in right)
    return [right[::-1], right[:-1], more, (0,) * len(right), (*right, right[-1]), (right[0] + 1, *right[1:])]


def cost(task: Task[Data]) -> float:
    data = task.data
    # Numbers that run round soon cannot be taken over a whole repetition at once.
    return (len(list(_run(data))) + len(data.program)) * (1.4 if data.modulus < 256 else 1)


def derive(task: Task[Data]) -> Derivation:
    for state in _run(task.data):
        sign = task.data.program[state.place]
        if sign in "[].":
            yield AT(place=state.place + 1, sign=sign, cell=state.pointer, cells=" ".join(map(str, state.cells)))


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
        states = sum(1 for _ in _run(data))
        right = solve(Task("", data)) if 12 * (1 + knobs.depth) <= states < 400 * (1 + knobs.blocks // 2) and max(reach) < 20 else ()
        if len(set(right)) > 1:
            break
    counting = f"{modulus - 1} plus 1 is 0, and 0 minus 1 is {modulus - 1}"
    prompt = (
        f"Cells 0 to {data.cells - 1} hold 0, and a pointer is at cell 0. A program of single characters is "
        "executed from left to right:\n> moves the pointer one cell to the right, < one to the left\n"
        f"+ adds 1 to the cell at the pointer, - subtracts 1; {counting}\n"
        ". prints the value of the cell at the pointer\n[ jumps past its ] if the cell at the pointer is 0\n"
        "] jumps back to its [ if the cell at the pointer is not 0\nBrackets match as usual.\n\n"
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


def _run(data: Data) -> Iterator[State]:
    """The sign about to be carried out, pointer and cells, step after step, up to a bound."""
    state = State(-1, 0, (0,) * data.cells)
    for _ in range(MOST_STEPS):
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
    Knobs, Numbers("the numbers in the order in which they are printed, separated by commas", max_items=200),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The numbers written are {answer}", whole=True),
    shift=shift,
    concept="See what one turn of a repetition does to the cells; the number in its own cell says how often that happens.", version=3,
)  # fmt: skip
