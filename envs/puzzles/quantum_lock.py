"""Open a lock with buttons that calculate and change the colour of its lamp, with as few presses as can be.

What a button does depends on the colour. The fewest presses are known from going through all states of the lock. On the upper levels the numbers go
round and are multiplied by more than 3, so that no number is near another one and both ends must be searched.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Checks, Derivation, Solution, Step

COLOURS = ("red", "green", "blue")
OPENING = Step("The lock shows {number:int} and is {colour}; {least:int} presses are needed at least, as going through all states shows.")
PRESS = Step("Press {button}: the lock shows {number:int} and is {colour}, and {least:int} more presses are needed.")
END = Step("The lock is open after pressing {answer}")
ATTEMPTS = 8  # locks tried for one with a number so far away
State = tuple[int, int]


class Knobs(Config):
    presses: int = knob(6, easy=4, hard=8, doc="fewest presses that open the lock, or a few less where no number is so far away")
    buttons: int = knob(4, easy=3, hard=5, doc="buttons")
    limit: int = knob(150, easy=30, hard=2000, scale="log", doc="largest number that the lock can show")
    colours: str = knob("2", easy="1", hard="3", order=("1", "2", "3"), doc="colours of the lamp, which decide what buttons do")
    edge: str = knob(
        "stop", easy="stop", hard="round", order=("stop", "round"), doc="whether numbers end at the limit, or go round with greater factors"
    )


class Button(TaskData):
    """What a button does in each colour, as an operation and a number, and by how many colours it moves the lamp on."""

    effects: tuple[tuple[str, int], ...]
    moves: int


class Lock(TaskData):
    start: int
    goal: int
    limit: int
    around: bool
    buttons: tuple[Button, ...]
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Lock]:
    return _sample_task(rng, knobs, around=knobs.edge == "round")


def shift(rng: Rng, knobs: Knobs) -> Task[Lock]:
    """Locks that count round (after the largest number comes 0 again), or on the upper levels such that do not."""
    return _sample_task(rng, knobs, around=knobs.edge != "round")


def solve(task: Task[Lock]) -> tuple[str, ...]:
    return next(solutions(task))


def verify(task: Task[Lock], answer: tuple[str, ...]) -> Score:
    lock = task.data
    names = _names(lock)
    if len(answer) != lock.least:
        return Score.wrong("the number of presses is not the fewest possible")
    state: State | None = (lock.start, 0)
    for name in answer:
        if name not in names:
            return Score.wrong("there is no such button")
        state = _press(lock, state, names.index(name)) if state else None
        if state is None:
            return Score.wrong("a press leads out of the numbers that the lock can show")
    return Score.exact(state is not None and state[0] == lock.goal, "the lock does not show the number that opens it")


def mistakes(task: Task[Lock], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Other orders, the button that comes nearest each time, one press too few or too many."""
    lock, state, greedy = task.data, (task.data.start, 0), []
    for _ in range(lock.least):
        reached = [(abs(after[0] - lock.goal), i, after) for i in range(len(lock.buttons)) if (after := _press(lock, state, i))]
        if not reached:
            break
        _, i, state = min(reached)
        greedy.append(_names(lock)[i])
    return [tuple(greedy), right[::-1], right[:-1], (*right, right[-1]), (right[0],) * len(right)]


def cost(task: Task[Lock]) -> float:
    return float(task.data.least * len(task.data.buttons) * len(task.data.buttons[0].effects)) + len(
        _distances_from_start(task.data, task.data.least)
    )


def derive(task: Task[Lock]) -> Derivation:
    lock, state, buttons = task.data, (task.data.start, 0), solve(task)
    yield OPENING(number=lock.start, colour=COLOURS[0], least=lock.least)
    for count, name in enumerate(buttons, 1):
        state = _press(lock, state, _names(lock).index(name)) or state
        yield PRESS(button=name, number=state[0], colour=COLOURS[state[1]], least=lock.least - count)
    yield END(answer=" ".join(buttons))


def checks(task: Task[Lock]) -> Checks:
    lock, distances = task.data, _distances_to_goal(task.data)
    states: list[State] = [(lock.start, 0)]
    pressed = list[str]()

    def opens(number: int, colour: str, least: int) -> bool:
        return not pressed and (number, colour, least) == (lock.start, COLOURS[0], distances[states[0]])

    def press(button: str, number: int, colour: str, least: int) -> bool:
        after = _press(lock, states[-1], _names(lock).index(button))
        if (
            not after
            or distances.get(after) != distances[states[-1]] - 1
            or (number, colour, least) != (after[0], COLOURS[after[1]], distances[after])
        ):
            return False
        states.append(after)
        pressed.append(button)
        return True

    return {OPENING: opens, PRESS: press, END: lambda answer: answer.split(" ") == pressed}


def _sample_task(rng: Rng, knobs: Knobs, around: bool) -> Task[Lock]:
    colours = int(knobs.colours)
    best: Lock | None = None
    for _ in range(ATTEMPTS):
        lock = Lock(
            start=rng.integer(1, 20),
            goal=0,
            limit=knobs.limit,
            around=around,
            buttons=_buttons(rng, knobs.buttons, colours, 9 if around and knobs.edge == "round" else 3),
            least=0,
        )
        first = dict[int, int]()
        for state, presses in _distances_from_start(lock, knobs.presses).items():
            first.setdefault(state[0], presses)
        most = max(first.values())
        if best is None or most > best.least:
            goal = rng.choice([number for number, presses in first.items() if presses == most])
            best = lock.model_copy(update={"goal": goal, "least": most})
        if best.least == knobs.presses:
            break
    assert best is not None
    return Task(_render_prompt(best), best)


def _buttons(rng: Rng, count: int, colours: int, most_factor: int) -> tuple[Button, ...]:
    buttons: list[Button] = []
    kinds = ("add", "add", "subtract", "multiply") if most_factor < 4 else ("add", "subtract", "multiply", "multiply")
    while len(buttons) < count:
        does = [rng.choice(kinds) for _ in range(colours)]
        effects = tuple(
            (kind, rng.integer(max(2, most_factor // 2), most_factor) if kind == "multiply" else rng.integer(2, 9)) for kind in does
        )
        moves = 0 if colours == 1 else 1 if not buttons else rng.integer(0, colours - 1)
        button = Button(effects=effects, moves=moves)
        if button not in buttons and (buttons or effects[0][0] != "subtract"):
            buttons.append(button)
    return tuple(buttons)


def _render_prompt(lock: Lock) -> str:
    colours = len(lock.buttons[0].effects)
    lamp = "" if colours == 1 else f" and has a lamp, which is red and changes in the cycle {', '.join(COLOURS[:colours])}, red"
    lines = []
    for name, button in zip(_names(lock), lock.buttons):
        does = [
            f"{'' if colours == 1 else f'when {colour}: '}{kind}{' by' * (kind == 'multiply')} {number}"
            for colour, (kind, number) in zip(COLOURS, button.effects)
        ]
        after = ("", "; in each case, the lamp then changes to the next colour", "; in each case, the lamp then advances by two colours")[
            button.moves
        ]
        lines.append(f"{name}: {'; '.join(does)}{after}")
    if lock.around:
        edge = f"Results are taken modulo {lock.limit + 1}, so that the lock always shows a number from 0 to {lock.limit}."
    else:
        edge = f"The lock shows numbers from 0 to {lock.limit} only; a press that would leave this range is not allowed."
    keep = (
        " Where no change of the lamp is stated, its colour stays."
        if colours > 1 and not all(button.moves for button in lock.buttons)
        else ""
    )
    listed = "\n".join(lines)
    return (
        f"A lock shows the number {lock.start}{lamp}. It opens when it shows {lock.goal}{', whatever the colour' if colours > 1 else ''}. "
        f"Its buttons change the number:\n{listed}\n{edge}{keep} "
        "Find a shortest sequence of presses that opens the lock. If there are several, give any one of them."
    )


def _names(lock: Lock) -> str:
    return "abcdef"[: len(lock.buttons)]


def _press(lock: Lock, state: State, button: int) -> State | None:
    number, colour = state
    effect, by = lock.buttons[button].effects[colour]
    number = number * by if effect == "multiply" else number + by if effect == "add" else number - by
    colour = (colour + lock.buttons[button].moves) % len(lock.buttons[button].effects)
    if lock.around:
        return number % (lock.limit + 1), colour
    return (number, colour) if 0 <= number <= lock.limit else None


def _distances_from_start(lock: Lock, most: int) -> dict[State, int]:
    """The states that up to `most` presses reach, with the fewest presses, nearest first."""
    effects = _effects(lock)
    distances = {(lock.start, 0): 0}
    queue = [(lock.start, 0)]
    for state in queue:
        number, colour = state
        depth = distances[state] + 1
        if depth > most:
            break
        for factor, term, lit in effects[colour]:
            value = number * factor + term
            after = (value % (lock.limit + 1) if lock.around else value), lit
            if after not in distances and 0 <= after[0] <= lock.limit:
                distances[after] = depth
                queue.append(after)
    return distances


def _effects(lock: Lock) -> list[list[tuple[int, int, int]]]:
    """For each colour and button: by what the number is multiplied, what is added then, and the colour after it."""
    rows = [
        [(*button.effects[colour], (colour + button.moves) % len(button.effects)) for button in lock.buttons]
        for colour in range(len(lock.buttons[0].effects))
    ]
    return [[(by, 0, lit) if kind == "multiply" else (1, by if kind == "add" else -by, lit) for kind, by, lit in row] for row in rows]


def _distances_to_goal(lock: Lock) -> dict[State, int]:
    """How many presses each state is away from an open lock, computed backwards from it."""
    colours = len(lock.buttons[0].effects)
    before: dict[State, list[State]] = {}
    for number in range(lock.limit + 1):
        for colour in range(colours):
            for i in range(len(lock.buttons)):
                if after := _press(lock, (number, colour), i):
                    before.setdefault(after, []).append((number, colour))
    distances = {(lock.goal, colour): 0 for colour in range(colours)}
    queue = list(distances)
    for state in queue:
        for other in before.get(state, ()):
            if other not in distances:
                distances[other] = distances[state] + 1
                queue.append(other)
    return distances


def solutions(task: Task[Lock]) -> Iterator[tuple[str, ...]]:
    lock, distances = task.data, _distances_to_goal(task.data)

    def going(state: State, pressed: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if distances[state] == 0:
            yield pressed
            return
        for i, name in enumerate(_names(lock)):
            after = _press(lock, state, i)
            if after is not None and distances.get(after) == distances[state] - 1:
                yield from going(after, (*pressed, name))

    yield from going((lock.start, 0), ())


def _forward_solutions(task: Task[Lock]) -> Iterator[tuple[str, ...]]:
    """Shortest ways found forwards: back from each open state through the layers that led to it."""
    lock = task.data
    layers = _distances_from_start(lock, lock.least)

    def back(state: State, pressed: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if layers[state] == 0:
            yield pressed
            return
        for other, presses in layers.items():
            if presses == layers[state] - 1:
                for i, name in enumerate(_names(lock)):
                    if _press(lock, other, i) == state:
                        yield from back(other, (name, *pressed))

    for state, presses in layers.items():
        if state[0] == lock.goal and presses == lock.least:
            yield from back(state, ())


environment = Environment(
    Knobs, Words("the letters of the buttons in the order of the presses, separated by spaces", max_items=200, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many", solutions=_forward_solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="Go through the states that one press reaches, then two, and so on; or back from the number that opens the lock.",
    version=7,
)  # fmt: skip
