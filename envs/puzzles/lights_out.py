"""Press buttons, each of which switches several lamps, until all lamps are off, or show by a set of lamps that this cannot be done.

Any presses that put all lamps out are accepted, within the proved fewest where a limit is given. That it is impossible counts only with
lamps of which each button switches an even number while an odd number of them is lit.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import pictures
from rlgym.generators.steps import Line, first_wrong

SUM = Line("Sum {number}: lamp {lamp} with sums {sums}: of the buttons {buttons}, an {parity} number is pressed")
FREE = Line("Button {button} is left free by the sums: {choice}")
READ = Line("Button {button}, by sum {number}, with {count} of its other buttons pressed: {choice}")
ANSWER = "The answer: "
SHAPES = {
    "plus": ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)),
    "ring": ((0, 1), (0, -1), (1, 0), (-1, 0)),
    "cross": ((0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)),
}
WORDS = {
    "plus": "its own lamp and the lamps directly above, below, left and right of it",
    "ring": "the lamps directly above, below, left and right of it, but not its own lamp",
    "cross": "its own lamp and the lamps diagonally beside it",
}


class Knobs(Config):
    size: int = knob(5, easy=3, hard=7, doc="rows and columns, or about the root of the number of lamps")
    presses: int = knob(8, easy=3, hard=20, doc="buttons pressed to make the puzzle")
    shape: str = knob("ring", easy="plus", hard="cross", order=("plus", "ring", "cross"), doc="which lamps a button switches")
    holes: int = knob(15, easy=12, hard=20, doc="percent of cells without lamp and button")
    limit: str = knob("any", easy="any", hard="fewest", order=("any", "fewest"), doc="whether as few presses as possible are asked for")


class Data(TaskData):
    lamps: tuple[str, ...]
    buttons: tuple[str, ...]
    switched: tuple[tuple[int, ...], ...]  # for each button, the positions of its lamps
    lit: tuple[int, ...]
    most: int  # presses allowed, 0 where it is impossible
    columns: int  # 0 where the lamps stand on no board


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, _board)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, _wired)


def _board(rng: Rng, knobs: Knobs) -> tuple[list[str], list[str], list[tuple[int, ...]], int]:
    size, cells = knobs.size, range(knobs.size**2)
    holes = rng.sample(cells, len(cells) * knobs.holes // 100)
    kept = [cell for cell in cells if cell not in holes]
    spots = {divmod(cell, size): i for i, cell in enumerate(kept)}
    names = [f"r{row + 1}c{column + 1}" for row, column in spots]
    switched = [
        tuple(sorted(spots[row + r, column + c] for r, c in SHAPES[knobs.shape] if (row + r, column + c) in spots)) for row, column in spots
    ]
    return names, names, switched, size


def _wired(rng: Rng, knobs: Knobs) -> tuple[list[str], list[str], list[tuple[int, ...]], int]:
    count = 4 * knobs.size - 4
    wide = {"plus": 3, "ring": 4, "cross": 5}[knobs.shape]
    buttons = "abcdefghijklmnopqrstuvwxyz"[:count]
    switched = [tuple(sorted(rng.sample(range(count), min(rng.integer(2, wide), count - 1)))) for _ in buttons]
    if len(set(switched)) < 2 * count // 3:
        return _wired(rng, knobs)
    return [str(i + 1) for i in range(count)], list(buttons), switched, 0


def _made(rng: Rng, knobs: Knobs, family: object) -> Task[Data]:
    wanted = rng.chance(0.15)
    while True:
        lamps, buttons, switched, columns = (_board if family is _board else _wired)(rng, knobs)
        pressed = rng.sample(range(len(buttons)), min(knobs.presses, 2 * len(buttons) // 3))
        lit = 0
        for button in pressed:
            lit ^= _set(switched[button])
        if wanted:
            for lamp in rng.sample(range(len(lamps)), rng.integer(1, 2)):
                lit ^= 1 << lamp
        kernel = sum(not row for row, _, _ in _eliminated(switched, lit, len(lamps)))
        best = _fewest(switched, lit, len(lamps)) if lit and kernel <= 8 else ()
        # A board on which every pattern can be put out would give away that the answer is no witness.
        if lit and kernel <= 8 and (best is None) == wanted and (kernel or rng.chance(0.3)) and best != ():
            break
        wanted = wanted and rng.chance(0.9)
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
        rows = _shown(data)
        shown = (
            f"On this board * is a lamp that is lit, o a lamp that is off, and . a cell with neither lamp nor button:\n{rows}\n\nEvery lamp "
            "has a button. A press "
            f"of it switches {WORDS[knobs.shape]}, as far as there are such lamps: those that are lit go off, and those that are off are lit. "
            "r2c3 is the cell "
            "in row 2 and column 3, counted from the top left corner, from 1."
        )
    else:
        wires = "\n".join(f"{button}: {' '.join(str(lamp + 1) for lamp in its)}" for button, its in zip(buttons, switched))
        on = " ".join(str(lamp + 1) for lamp in data.lit)
        shown = (
            f"There are lamps 1 to {len(lamps)}; lit now: {on}. A press of a button switches each of its lamps: if lit it goes off, if off it "
            "is lit. The buttons "
            f"and their lamps:\n{wires}\n"
        )
    fewest = " with as few presses as possible" if knobs.limit == "fewest" else ""
    prompt = (
        f"{shown} Put all lamps out{fewest}. If that cannot be done, name instead lamps that prove it: an odd number of them is lit, and each "
        "button switches an "
        "even number of them (0 counts as even)."
    )
    return Task(prompt.replace("\n ", "\n"), data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    data = task.data
    lit = _set(data.lit)
    best = _fewest(data.switched, lit, len(data.lamps))
    if best is None:
        proof = next(used for row, odd, used in _eliminated(data.switched, lit, len(data.lamps)) if odd and not row)
        return ("impossible", *_named(data.lamps, proof))
    return ("press", *(data.buttons[i] for i in best))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    names = data.buttons if answer[0] == "press" else data.lamps
    if answer[0] not in ("press", "impossible") or not set(answer[1:]) <= set(names) or len(set(answer)) < len(answer):
        return Score.wrong("the answer is not press or impossible followed by names, each at most once")
    if answer[0] == "press":
        left = _set(data.lit)
        for name in answer[1:]:
            left ^= _set(data.switched[names.index(name)])
        if data.most and len(answer) - 1 > data.most:
            return Score.wrong("all lamps can be put out with fewer presses")
        return Score.exact(not left, "some lamps are lit after these presses")
    chosen = _set([names.index(name) for name in answer[1:]])
    if (chosen & _set(data.lit)).bit_count() % 2 == 0:
        return Score.wrong("an even number of these lamps is lit")
    odd = any((chosen & _set(its)).bit_count() % 2 for its in data.switched)
    return Score.exact(not odd, "some button switches an odd number of these lamps")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    lit = tuple(task.data.lamps[i] for i in task.data.lit)
    pressed = tuple(task.data.buttons[i % len(task.data.buttons)] for i in task.data.lit)
    wrong = [right[:-1], ("press", *dict.fromkeys(pressed)), ("impossible", *lit), ("impossible", lit[0]), ("press", *task.data.buttons)]
    return [answer for answer in wrong if verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    tight = 2 if 0 < task.data.most < len(task.data.buttons) else 1
    return len(task.data.lamps) ** 3 * tight


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    steps, pivots, count = list[str](), list[tuple[int, int, int, int]](), len(data.buttons)
    for lamp in range(len(data.lamps)):
        row, odd, used = _equation(data, lamp), int(lamp in data.lit), list[int]()
        for number, (pivot, known, parity, _) in enumerate(pivots, 1):
            if row >> pivot & 1:
                row, odd, used = row ^ known, odd ^ parity, [*used, number]
        number = len(steps) + 1
        if row or odd:
            steps.append(_sum(data, number, lamp, used, row, odd))
            pivots.append((row.bit_length() - 1, row, odd, number))
        if odd and not row:
            return [*steps, ANSWER + environment.answer.render(right)]
    chosen = _set([data.buttons.index(name) for name in right[1:]])
    free = [button for button in range(count) if button not in [pivot for pivot, *_ in pivots]]
    choice = {0: "not pressed", 1: "pressed"}
    steps += [FREE.write(button=data.buttons[button], choice=choice[chosen >> button & 1]) for button in free]
    for pivot, row, _, number in sorted(pivots):
        others = (chosen & row & ~(1 << pivot)).bit_count()
        steps.append(READ.write(button=data.buttons[pivot], number=number, count=others, choice=choice[chosen >> pivot & 1]))
    return [*steps, ANSWER + environment.answer.render(right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    sums, pressed = list[tuple[int, int]](), dict[int, int]()

    def follows(step: str) -> bool:
        if found := SUM.read(step):
            lamp = data.lamps.index(found["lamp"])
            row, odd = _equation(data, lamp), int(lamp in data.lit)
            for number in [] if found["sums"] == "none" else found["sums"].split(" "):
                row, odd = row ^ sums[int(number) - 1][0], odd ^ sums[int(number) - 1][1]
            sums.append((row, odd))
            parity = {0: "even", 1: "odd"}[odd]
            said = found["buttons"] == (" ".join(_named(data.buttons, row)) or "none") and found["parity"] == parity
            return said and found["number"] == str(len(sums)) and "0" not in found["sums"].split(" ")
        if found := READ.read(step):
            button, (row, odd) = data.buttons.index(found["button"]), sums[int(found["number"]) - 1]
            rest = [other for other in range(len(data.buttons)) if row >> other & 1 and other != button]
            count = sum(pressed[other] for other in rest)
            pressed[button] = (count + odd) % 2
            said = found["count"] == str(count) and found["choice"] == ("pressed" if pressed[button] else "not pressed")
            return said and bool(row >> button & 1) and found["number"] != "0"
        found = FREE.read(step)
        button = data.buttons.index(found["button"]) if found else -1
        if not found or button in pressed or found["choice"] not in ("pressed", "not pressed"):
            return False
        pressed[button] = int(found["choice"] == "pressed")
        return True

    def ends(step: str) -> bool:
        answer = environment.answer.parse(step.removeprefix(ANSWER))
        found = {data.buttons[button] for button, chosen in pressed.items() if chosen}
        agrees = answer[0] == "impossible" or set(answer[1:]) == found
        return step.startswith(ANSWER) and agrees and verify(task, answer).value == 1

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    data = task.data
    if data.columns:
        return pictures.board([row.split() for row in _shown(data).split("\n")])
    nodes = [*(f"{button}" for button in data.buttons), *data.lamps]
    edges = [(button, data.lamps[lamp]) for button, its in zip(data.buttons, data.switched) for lamp in its]
    return pictures.network(nodes, edges, marked=[data.lamps[lamp] for lamp in data.lit])


def _set(members: Sequence[int]) -> int:
    return sum([1 << member for member in members])


def _named(names: Sequence[str], chosen: int) -> list[str]:
    return [name for i, name in enumerate(names) if chosen >> i & 1]


def _equation(data: Data, lamp: int) -> int:
    """The buttons that switch a lamp."""
    return _set([button for button, its in enumerate(data.switched) if lamp in its])


def _sum(data: Data, number: int, lamp: int, used: Sequence[int], row: int, odd: int) -> str:
    buttons = " ".join(_named(data.buttons, row)) or "none"
    parity = "odd" if odd else "even"
    return SUM.write(number=number, lamp=data.lamps[lamp], sums=" ".join(map(str, used)) or "none", buttons=buttons, parity=parity)


def _eliminated(switched: Sequence[Sequence[int]], lit: int, lamps: int) -> list[tuple[int, int, int]]:
    """One equation for each lamp, each rid of the leading buttons of those before: buttons, parity, and the lamps added up in it."""
    rows = [0] * lamps
    for button, its in enumerate(switched):
        for lamp in its:
            rows[lamp] |= 1 << button
    done: list[tuple[int, int, int]] = []
    for lamp, row in enumerate(rows):
        odd, used = lit >> lamp & 1, 1 << lamp
        for other, parity, with_ in done:
            if other and row >> other.bit_length() - 1 & 1:
                row, odd, used = row ^ other, odd ^ parity, used ^ with_
        done.append((row, odd, used))
    return done


def _fewest(switched: Sequence[Sequence[int]], lit: int, lamps: int) -> tuple[int, ...] | None:
    """The smallest set of buttons that puts all lamps out, by trying every choice of the free buttons; None where there is none."""
    rows = _eliminated(switched, lit, lamps)
    if any(odd and not row for row, odd, _ in rows):
        return None
    pivots = sorted((row.bit_length() - 1, row, odd) for row, odd, _ in rows if row)
    free = [button for button in range(len(switched)) if button not in {pivot for pivot, *_ in pivots}]
    best: int | None = None
    for choice in product((0, 1), repeat=len(free)):
        chosen = sum(1 << button for button, on in zip(free, choice) if on)
        for pivot, row, odd in pivots:
            if ((row & chosen).bit_count() + odd) % 2:
                chosen |= 1 << pivot
        if best is None or chosen.bit_count() < best.bit_count():
            best = chosen
    return tuple(i for i in range(len(switched)) if (best or 0) >> i & 1)


def _shown(data: Data) -> str:
    signs = {name: "*" if i in data.lit else "o" for i, name in enumerate(data.lamps)}
    cells = range(1, data.columns + 1)
    return "\n".join(" ".join(signs.get(f"r{row}c{column}", ".") for column in cells) for row in cells)


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    right = solve(task)
    yield (right[0], *right[:0:-1])
    if right[0] == "press" and task.data.most == len(task.data.buttons):
        # Buttons whose presses change nothing together may be pressed as well.
        for row, _, used in _eliminated(_transposed(task.data), 0, len(task.data.buttons)):
            if not row:
                extra = _named(task.data.buttons, used)
                yield ("press", *[name for name in task.data.buttons if (name in right[1:]) != (name in extra)])


def _transposed(data: Data) -> list[list[int]]:
    return [[button for button, its in enumerate(data.switched) if lamp in its] for lamp in range(len(data.lamps))]


environment = Environment(
    Knobs,
    Words("press and the buttons to press, or impossible and the lamps that prove it, separated by spaces", most=60, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="many",
    solutions=_others,
    concept="Order and repetition do not matter: write for each lamp which buttons must be pressed an odd or even number of times, and add these sums up.",
)
