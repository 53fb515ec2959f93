"""Measure out an amount of water with jugs that have no marks, or show by a divisor that this cannot be done.

Any plan within the allowed number of steps is accepted; the number is the proved fewest, or the fewest and some to spare. That it is
impossible counts only with a number that divides everything that can be poured but not some amount asked for.
"""

from collections.abc import Iterator, Sequence
from math import gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.draws import draw_rare
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves, Plan
from rlgym.generators.text.english import count_noun
from rlgym.solutions import Checks, Derivation, Solution, Step

Levels = tuple[int, ...]
SPARE = {"loose": 8, "near": 2, "tight": 0}
WORK = 2500
FAR = 12
FACTORS = (2, 3, 5, 7)
DIVIDES = Step("{number:int} divides {sizes}, so every step leaves only multiples of it in the jugs")
REST = Step("{amount:int} divided by {number:int} leaves {rest:int}, so it is no such multiple")
ANSWER = Lines("the steps, one per line, or the word impossible and the number", max_items=100)


class Knobs(Config):
    jugs: int = knob(3, easy=2, hard=4, doc="how many jugs there are, three at most where more than 12 steps are needed")
    largest: int = knob(24, easy=12, hard=40, doc="most litres that a jug holds")
    steps: int = knob(7, easy=4, hard=24, scale="log", doc="about how many steps are needed, as far as the jugs allow")
    goal: str = knob(
        "two", easy="any", hard="all", order=("any", "one", "two", "all"), doc="an amount in any jug, in one named jug, in two, or in all"
    )
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="steps to spare: 8, 2 or none")


class Data(TaskData):
    sizes: Levels
    start: Levels
    tap: bool
    goal: tuple[tuple[int, int], ...]  # jug (-1 for any) and amount
    most: int  # 0 where it is impossible
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_rare(lambda: _sample_task(rng, knobs, True), solve, 6 if knobs.steps < 6 else 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """No tap and no drain: what is there is poured to and fro."""
    return draw_rare(lambda: _sample_task(rng, knobs, False), solve, 6 if knobs.steps < 6 else 1)


def _sample_task(rng: Rng, knobs: Knobs, tap: bool) -> Task[Data]:
    # The water of four jugs gets nearly everywhere within 12 steps; with three, some places are far.
    jugs = min(knobs.jugs, 3) if tap and knobs.steps > FAR else knobs.jugs if tap else max(knobs.jugs, 3)
    impossible, steps_wanted, tries = rng.chance(0.13 if knobs.steps <= FAR else 0.03), float(knobs.steps), 0
    while True:
        tries += 1
        # Jugs with a common factor also stand in tasks that can be done, so that it gives nothing away.
        factor = rng.choice(FACTORS) if impossible or rng.chance(0.2) else 1
        # Many large jugs reach too many positions to look through them all.
        most = max(int(min(knobs.largest, 3 * steps_wanted + 12, 48 / (jugs - 1))) // factor, jugs + 2)
        sizes = tuple(factor * size for size in rng.sample(range(1 + (most > 8), most + 1), jugs))
        start = (0,) * jugs
        if not tap:
            start = tuple(factor * rng.integer(0, size // factor) for size in sizes)
        if not tap and (not any(start) or start == sizes):
            continue
        known = move_puzzles.reachable_states(_puzzle(sizes, start, tap, ()), WORK, knobs.steps + 1)
        steps_wanted -= 0.25
        if known is None:
            continue
        goals = _goals(known, start, knobs.goal)
        goals = [each for each in goals if steps_wanted <= each[1] <= knobs.steps + 1]
        if not goals:
            continue
        goal, fewest = rng.choice(goals)
        if not impossible:
            break
        goal, fewest = _spoil_goal(rng, sizes, sum(start), tap, goal), 0
        if any(amount % factor for _, amount in goal):
            break
    spare = SPARE[knobs.limit]
    data = Data(sizes=sizes, start=start, tap=tap, goal=goal, most=fewest and fewest + spare, fewest=fewest)
    names = "ABCDE"[:jugs]
    listed = "\n".join(f"{name}: capacity {size}, now {now}" for name, size, now in zip(names, sizes, start))
    question = " and ".join(
        f"exactly {count_noun(amount, 'litre')} in {f'jug {names[jug]}' if jug >= 0 else 'one of the jugs, no matter which'}"
        for jug, amount in goal
    )
    pour = "`pour A B`: pour from jug A into jug B until A is empty or B is full"
    steps = (
        f"The steps, written here for jugs A and B, are:\n- `fill A`: fill jug A to the brim from the tap\n- `empty A`: empty jug A into the drain\n- {pour}\n"
        if tap
        else f"The only step, written here for jugs A and B, is {pour}. There is no other water, and none may be thrown away. "
    )
    free = jugs - len(goal)
    others = f" The other {'jug' if free == 1 else 'jugs'} may hold any amount at the end." if free else ""
    divided = "the capacity of every jug" + (" and the amount of water that is now in every jug" if any(start) else "")
    undivided = "the amount asked for" if len(goal) == 1 else "at least one of the amounts asked for"
    room = data.most or rng.integer(knobs.steps, knobs.steps + 2) + spare
    prompt = (
        f"Jugs without marks, in litres:\n{listed}\n\n{steps}Every step must move some water.\n\nGet {question}, with at most {room} steps.{others} Write "
        "one step per line. If this cannot be done with any number of steps, write instead the word `impossible` followed by a whole number greater than "
        f"1 that divides {divided}, but does not divide {undivided}."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Plan:
    data = task.data
    divisor = gcd(*data.sizes, *data.start)
    if any(amount % divisor for _, amount in data.goal):  # a multiple of nothing else is ever in a jug
        return (f"impossible {divisor}",)
    return move_puzzles.a_star(_moves_of(data), 10**6) or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    data = task.data
    plan = [_normalize_line(line) for line in answer]
    if plan and plan[0].startswith("impossible"):
        number = plan[0].split()[-1]
        if len(plan) > 1 or len(plan[0].split()) != 2 or not number.isascii() or not number.isdigit() or len(number) > 6 or int(number) < 2:
            return Score.wrong("impossible must be followed by one whole number greater than 1, and by nothing else")
        if any(each % int(number) for each in (*data.sizes, *data.start)):
            return Score.wrong("the number does not divide the capacity of every jug and all that is in the jugs")
        return Score.exact(any(amount % int(number) for _, amount in data.goal), "the number divides the amount asked for as well")
    if not data.most:
        return Score.wrong("these steps do not lead there")
    return move_puzzles.verify_plan(_moves_of(data), plan, data.most, "the jugs do not hold what is asked for")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    if not task.data.most:
        return [("impossible 1",), (f"impossible {max(task.data.sizes) + 1}",), ("pour A B",), ("pour B A", "pour A B")]
    return (
        [("impossible 2",), *move_puzzles.near_misses(right)]
        if any(size % 2 for size in task.data.sizes)
        else move_puzzles.near_misses(right)
    )


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return task.data.fewest**2 * len(task.data.sizes) ** 2 * (1 if spare > 5 else 2 if spare else 3) + max(task.data.sizes)


def prove(task: Task[Data]) -> Derivation:
    """That the amount cannot be had, by a common divisor."""
    data = task.data
    divisor = gcd(*data.sizes, *data.start)
    amount = next(amount for _, amount in data.goal if amount % divisor)
    yield DIVIDES(number=divisor, sizes=_all_sizes(data))
    yield REST(amount=amount, number=divisor, rest=amount % divisor)


def checks(task: Task[Data]) -> Checks:
    data = task.data

    def divides(number: int) -> bool:
        return not any(size % number for size in (*data.sizes, *data.start))

    def leaves(amount: int, number: int, rest: int) -> bool:
        return amount in [wanted for _, wanted in data.goal] and divides(number) and amount % number == rest > 0

    return {DIVIDES: lambda number, sizes: sizes == _all_sizes(data) and divides(number), REST: leaves}


def _spoil_goal(rng: Rng, sizes: Levels, total: int, tap: bool, goal: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The same goal with another amount in it; water that cannot come or go is taken from, or given to, another jug of the goal."""
    at = rng.integer(0, len(goal) - 1)
    jug, amount = goal[at]
    other = rng.integer(1, (sizes[jug] if jug >= 0 else max(sizes)) - 1)
    changed = [*goal[:at], (jug, other), *goal[at + 1 :]]
    if not tap and len(goal) == len(sizes):
        along = (at + rng.integer(1, len(goal) - 1)) % len(goal)
        changed[along] = (along, goal[along][1] + amount - other)
    fine = all(0 <= amount <= sizes[jug] for jug, amount in changed) and (tap or sum(amount for _, amount in changed) <= total)
    return tuple(changed) if fine else goal


def _goals(known: dict[Levels, int], start: Levels, kind: str) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """What can be asked for, with the fewest steps to it; nearest first."""
    first: dict[tuple[tuple[int, int], ...], int] = {}
    for state, depth in known.items():
        jugs = range(len(state))
        goals: list[tuple[tuple[int, int], ...]]
        if kind == "any":
            goals = [((-1, state[a]),) for a in jugs]
        elif kind == "one":
            goals = [((a, state[a]),) for a in jugs]
        elif kind == "two":
            goals = [((a, state[a]), (b, state[b])) for a in jugs for b in jugs if a < b]
        else:
            goals = [tuple(enumerate(state))]
        for goal in goals:
            if kind == "all" or all(amount for _, amount in goal):
                first.setdefault(goal, depth)
    return [(goal, depth) for goal, depth in first.items() if depth > 1]


def _all_sizes(data: Data) -> str:
    return " and ".join(map(str, sorted({*data.sizes, *data.start} - {0})))


def _moves_of(data: Data) -> Moves[Levels]:
    return _puzzle(data.sizes, data.start, data.tap, data.goal)


def _puzzle(sizes: Levels, start: Levels, tap: bool, goal: Sequence[tuple[int, int]]) -> Moves[Levels]:
    names, jugs = "abcde", range(len(sizes))

    def options(state: Levels) -> list[tuple[str, Levels]]:
        steps_found = []
        if tap:
            steps_found += [(f"fill {names[a]}", (*state[:a], sizes[a], *state[a + 1 :])) for a in jugs if state[a] < sizes[a]]
            steps_found += [(f"empty {names[a]}", (*state[:a], 0, *state[a + 1 :])) for a in jugs if state[a]]
        for a in jugs:
            for b in jugs:
                if a != b and state[a] and state[b] < sizes[b]:
                    poured, changed = min(state[a], sizes[b] - state[b]), list(state)
                    changed[a] -= poured
                    changed[b] += poured
                    steps_found.append((f"pour {names[a]} {names[b]}", tuple(changed)))
        return steps_found

    def done(state: Levels) -> bool:
        return all(amount in state if jug < 0 else state[jug] == amount for jug, amount in goal)

    def describe(state: Levels) -> str:
        inside = [f"{name} holds {now} and has room for {size - now}" for name, now, size in zip("ABCDE", state, sizes)]
        return f"{'; '.join(inside)}; {sum(state)} litres in all"

    return Moves(start, options, done, describe)


def _normalize_line(line: str) -> str:
    words = line.casefold().replace(",", " ").replace("->", " ").replace(":", " ").strip(" .;`*").split()
    words = words[1:] if words and words[0].rstrip(".)").isdigit() else words
    return " ".join(word for word in words if word not in ("jug", "into", "to", "from", "the", "in", "-"))


def solutions(task: Task[Data]) -> Iterator[Plan]:
    data = task.data
    if data.most:
        yield from move_puzzles.other_plans(_moves_of(data), solve(task), data.most, 10**6)
        return
    for number in range(2, max(data.sizes) + 1):
        if not any(size % number for size in (*data.sizes, *data.start)) and any(amount % number for _, amount in data.goal):
            yield (f"impossible {number}",)


SOLUTION = move_puzzles.PlanOrProof(
    lambda data: data.most > 0, move_puzzles.solution(_moves_of, solve, ANSWER), Solution(prove, "The answer is {answer}", checks)
)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=SOLUTION, shift=shift, answers="many", solutions=solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="Whatever is poured, every amount stays a multiple of the common divisor; each pour makes a difference or a sum of what is there.",
    guessable="the smallest jugs are often measured out by filling and pouring twice, in up to 0.3 of the tasks",
    version=5,
)  # fmt: skip
