"""Press buttons, each of which switches several lamps, until all lamps are off, or prove by a set of lamps that this is impossible.

Any presses that put all lamps out are accepted, within the proved fewest where a limit is given. That it is impossible counts only with
lamps of which each button switches an even number while an odd number of them is lit.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.algebra.parity_equations import as_set, gaussian_elimination, smallest_press_set
from rlgym.generators.drawing import pictures
from rlgym.solutions import Checks, Derivation, Solution, Step

SUM = Step("Sum {number:int}: lamp {lamp} with sums {sums}: of the buttons {buttons}, an {parity} number is pressed")
FREE = Step("Button {button} is left free by the sums: {choice}")
READ = Step("Button {button}, by sum {number:int}, with {count:int} of its other buttons pressed: {choice}")
END = Step("The answer: {answer}")
PARITY = ("even", "odd")
CHOICE = ("not pressed", "pressed")
SHAPES = {
    "plus": ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)),
    "ring": ((0, 1), (0, -1), (1, 0), (-1, 0)),
    "cross": ((0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)),
}
WORDS = {
    "plus": "its own lamp and each lamp directly above, below, left or right of it (lit to off, off to lit)",
    "ring": "each lamp directly above, below, left or right of it (lit to off, off to lit), but not its own lamp",
    "cross": "its own lamp and each lamp diagonally next to it (lit to off, off to lit)",
}
ANSWER = Words(
    "the word `press` followed by the buttons to press, or the word `impossible` followed by the lamps that prove it, separated by spaces",
    max_items=60,
    ignore_case=True,
)


class Knobs(Config):
    size: int = knob(5, easy=3, hard=7, doc="rows and columns, or about the root of the number of lamps")
    presses: int = knob(8, easy=3, hard=20, doc="buttons pressed to make the puzzle")
    shape: str = knob("ring", easy="plus", hard="cross", order=("plus", "ring", "cross"), doc="which lamps a button switches")
    holes: int = knob(15, easy=12, hard=20, doc="percent of cells without lamp and button")
    limit: str = knob("any", easy="any", hard="fewest", order=("any", "fewest"), doc="whether as few presses as possible are requested")


class Data(TaskData):
    lamps: tuple[str, ...]
    buttons: tuple[str, ...]
    switched: tuple[tuple[int, ...], ...]  # for each button, the positions of its lamps
    lit: tuple[int, ...]
    most: int  # presses allowed, 0 where it is impossible
    columns: int  # 0 where the lamps stand on no board


class Sum(NamedTuple):
    """Of a set of buttons an odd or an even number is pressed."""

    buttons: int
    odd: int

    @property
    def pivot(self) -> int:
        """The last of the buttons."""
        return self.buttons.bit_length() - 1


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _sample_board)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _sample_wiring)


def _sample_board(rng: Rng, knobs: Knobs) -> tuple[list[str], list[str], list[tuple[int, ...]], int]:
    size, cells = knobs.size, range(knobs.size**2)
    holes = rng.sample(cells, len(cells) * knobs.holes // 100)
    kept = [cell for cell in cells if cell not in holes]
    spots = {divmod(cell, size): i for i, cell in enumerate(kept)}
    names = [f"r{row + 1}c{column + 1}" for row, column in spots]
    switched = [
        tuple(sorted(spots[row + r, column + c] for r, c in SHAPES[knobs.shape] if (row + r, column + c) in spots)) for row, column in spots
    ]
    return names, names, switched, size


def _sample_wiring(rng: Rng, knobs: Knobs) -> tuple[list[str], list[str], list[tuple[int, ...]], int]:
    count = 4 * knobs.size - 4
    wide = {"plus": 3, "ring": 4, "cross": 5}[knobs.shape]
    buttons = "abcdefghijklmnopqrstuvwxyz"[:count]
    switched = [tuple(sorted(rng.sample(range(count), min(rng.integer(2, wide), count - 1)))) for _ in buttons]
    if len(set(switched)) < 2 * count // 3:
        return _sample_wiring(rng, knobs)
    return [str(i + 1) for i in range(count)], list(buttons), switched, 0


def _sample_task(rng: Rng, knobs: Knobs, family: object) -> Task[Data]:
    is_impossible = rng.chance(0.15)
    while True:
        lamps, buttons, switched, columns = (_sample_board if family is _sample_board else _sample_wiring)(rng, knobs)
        pressed = rng.sample(range(len(buttons)), min(knobs.presses, 2 * len(buttons) // 3))
        lit = 0
        for button in pressed:
            lit ^= as_set(switched[button])
        if is_impossible:
            for lamp in rng.sample(range(len(lamps)), rng.integer(1, 2)):
                lit ^= 1 << lamp
        kernel = sum(not row for row, _, _ in gaussian_elimination(switched, lit, len(lamps)))
        best = smallest_press_set(switched, lit, len(lamps)) if lit and kernel <= 8 else ()
        # A board on which every pattern can be put out would give away that the answer is no witness.
        if lit and kernel <= 8 and (best is None) == is_impossible and (kernel or rng.chance(0.3)) and best != ():
            break
        is_impossible = is_impossible and rng.chance(0.9)
    most = 0 if best is None else len(best) if knobs.limit == "fewest" else len(buttons)
    data = Data(
        lamps=tuple(lamps),
        buttons=tuple(buttons),
        switched=tuple(switched),
        lit=tuple(i for i in range(len(lamps)) if lit >> i & 1),
        most=most,
        columns=columns,
    )
    if columns:
        rows = _render_board(data)
        meanings = {"*": "* is a lamp that is lit", "o": "o is a lamp that is off", ".": ". is a cell with neither lamp nor button"}
        signs = [meaning for sign, meaning in meanings.items() if sign in rows]
        shown = (
            f"On this board {', '.join(signs[:-1])} and {signs[-1]}:\n{rows}\n\nEvery lamp has a button in its cell. A press of the button switches "
            f"{WORDS[knobs.shape]}. Lamps and buttons are named by their cells: r2c3 is the cell in row 2 and column 3, where r1c1 is the top left corner."
        )
    else:
        wires = "\n".join(f"{button}: {' '.join(str(lamp + 1) for lamp in its)}" for button, its in zip(buttons, switched))
        on = " ".join(str(lamp + 1) for lamp in data.lit)
        shown = (
            f"There are lamps 1 to {len(lamps)}; lit now: {on}. A press of a button switches each of its lamps (lit to off, off to "
            f"lit). The buttons and their lamps:\n{wires}"
        )
    fewest = " with as few presses as possible" if knobs.limit == "fewest" else ""
    example = "`press r1c1 r2c3` or `impossible r1c1 r2c3`" if columns else "`press a c` or `impossible 1 3`"
    prompt = (
        f"{shown}\n\nSwitch all lamps off{fewest}; if there are several ways, any one will do. If it cannot be done, name instead lamps that prove it: "
        "an odd number of them is lit, and each button switches an even number of them (0 counts as even). Begin the answer with the word `press` or the "
        f"word `impossible`, as in {example}."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    lit = as_set(data.lit)
    best = smallest_press_set(data.switched, lit, len(data.lamps))
    if best is None:
        proof = next(used for row, odd, used in gaussian_elimination(data.switched, lit, len(data.lamps)) if odd and not row)
        return ("impossible", *_names_in(data.lamps, proof))
    return ("press", *(data.buttons[i] for i in best))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    names = data.buttons if answer[0] == "press" else data.lamps
    if answer[0] not in ("press", "impossible") or not set(answer[1:]) <= set(names) or len(set(answer)) < len(answer):
        return Score.wrong("the answer is not press or impossible followed by names, each at most once")
    if answer[0] == "press":
        still_lit = as_set(data.lit)
        for name in answer[1:]:
            still_lit ^= as_set(data.switched[names.index(name)])
        if data.most and len(answer) - 1 > data.most:
            return Score.wrong("all lamps can be put out with fewer presses")
        return Score.exact(not still_lit, "some lamps are lit after these presses")
    chosen = as_set([names.index(name) for name in answer[1:]])
    if (chosen & as_set(data.lit)).bit_count() % 2 == 0:
        return Score.wrong("an even number of these lamps is lit")
    odd = any((chosen & as_set(its)).bit_count() % 2 for its in data.switched)
    return Score.exact(not odd, "some button switches an odd number of these lamps")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    lit = tuple(task.data.lamps[i] for i in task.data.lit)
    pressed = tuple(task.data.buttons[i % len(task.data.buttons)] for i in task.data.lit)
    wrong = [right[:-1], ("press", *dict.fromkeys(pressed)), ("impossible", *lit), ("impossible", lit[0]), ("press", *task.data.buttons)]
    return [answer for answer in wrong if verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    tight = 2 if 0 < task.data.most < len(task.data.buttons) else 1
    return len(task.data.lamps) ** 3 * tight


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    sums = list[Sum]()
    for lamp in range(len(data.lamps)):
        buttons, odd, used = _buttons_of(data, lamp), int(lamp in data.lit), list[int]()
        for number, known in enumerate(sums, 1):
            if buttons >> known.pivot & 1:
                buttons, odd, used = buttons ^ known.buttons, odd ^ known.odd, [*used, number]
        if buttons or odd:
            sums.append(Sum(buttons, odd))
            names = " ".join(_names_in(data.buttons, buttons)) or "none"
            yield SUM(number=len(sums), lamp=data.lamps[lamp], sums=" ".join(map(str, used)) or "none", buttons=names, parity=PARITY[odd])
        if odd and not buttons:
            yield END(answer=ANSWER.render(right))
            return
    chosen = as_set([data.buttons.index(name) for name in right[1:]])
    pivots = {known.pivot: number for number, known in enumerate(sums, 1)}
    for button, name in enumerate(data.buttons):
        if button not in pivots:
            yield FREE(button=name, choice=CHOICE[chosen >> button & 1])
    for pivot, number in sorted(pivots.items()):
        others = (chosen & sums[number - 1].buttons & ~(1 << pivot)).bit_count()
        yield READ(button=data.buttons[pivot], number=number, count=others, choice=CHOICE[chosen >> pivot & 1])
    yield END(answer=ANSWER.render(right))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    known, pressed = list[Sum](), dict[int, int]()

    def adds_up(number: int, lamp: str, sums: str, buttons: str, parity: str) -> bool:
        at = data.lamps.index(lamp)
        row, odd = _buttons_of(data, at), int(at in data.lit)
        for used in [] if sums == "none" else map(int, sums.split(" ")):
            if not 1 <= used <= len(known):
                return False
            row, odd = row ^ known[used - 1].buttons, odd ^ known[used - 1].odd
        known.append(Sum(row, odd))
        return number == len(known) and buttons == (" ".join(_names_in(data.buttons, row)) or "none") and parity == PARITY[odd]

    def follows_from_sum(button: str, number: int, count: int, choice: str) -> bool:
        at, used = data.buttons.index(button), known[number - 1]
        others = sum(pressed[other] for other in range(len(data.buttons)) if used.buttons >> other & 1 and other != at)
        pressed[at] = (others + used.odd) % 2
        return number > 0 and bool(used.buttons >> at & 1) and count == others and choice == CHOICE[pressed[at]]

    def is_free(button: str, choice: str) -> bool:
        at = data.buttons.index(button)
        new = at not in pressed
        pressed[at] = CHOICE.index(choice)
        return new

    def agrees(answer: str) -> bool:
        kind, *named = ANSWER.parse(answer)
        return kind == "impossible" or set(named) == {data.buttons[button] for button, chosen in pressed.items() if chosen}

    return {SUM: adds_up, READ: follows_from_sum, FREE: is_free, END: agrees}


def picture(task: Task[Data]) -> str:
    data = task.data
    if data.columns:
        return pictures.board([row.split() for row in _render_board(data).split("\n")])
    nodes = [*(f"{button}" for button in data.buttons), *data.lamps]
    edges = [(button, data.lamps[lamp]) for button, its in zip(data.buttons, data.switched) for lamp in its]
    return pictures.network(nodes, edges, marked=[data.lamps[lamp] for lamp in data.lit])


def _names_in(names: Sequence[str], chosen: int) -> list[str]:
    return [name for i, name in enumerate(names) if chosen >> i & 1]


def _buttons_of(data: Data, lamp: int) -> int:
    """The buttons that switch a lamp."""
    return as_set([button for button, its in enumerate(data.switched) if lamp in its])


def _render_board(data: Data) -> str:
    signs = {name: "*" if i in data.lit else "o" for i, name in enumerate(data.lamps)}
    cells = range(1, data.columns + 1)
    return "\n".join(" ".join(signs.get(f"r{row}c{column}", ".") for column in cells) for row in cells)


def solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    right = solve(task)
    yield (right[0], *right[:0:-1])
    if right[0] == "press" and task.data.most == len(task.data.buttons):
        # Buttons whose presses change nothing together may be pressed as well.
        for row, _, used in gaussian_elimination(_transpose(task.data), 0, len(task.data.buttons)):
            if not row:
                extra = _names_in(task.data.buttons, used)
                yield ("press", *[name for name in task.data.buttons if (name in right[1:]) != (name in extra)])


def _transpose(data: Data) -> list[list[int]]:
    return [[button for button, its in enumerate(data.switched) if lamp in its] for lamp in range(len(data.lamps))]


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="Order and repetition do not matter: write for each lamp which buttons must be pressed an odd or even number of times, and add these sums up.",
    version=3,
)  # fmt: skip
