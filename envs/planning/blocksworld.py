"""Move blocks one at a time until they stand as asked.

Any plan within the allowed number of moves is accepted. The limit is what a plan by a simple rule needs; it is never said to be
the fewest moves.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.solutions import Checks, Derivation, Solution, Step

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TABLE = "table"
Stacks = tuple[str, ...]  # each from bottom to top


MOVE = Step("{move}: the stacks are {stacks:words}")
ANSWER = Lines("the moves, one per line: a block, and the block on which it is put or the word table", max_items=400)
CONCEPT = "A block that can go to its final place at once goes there; otherwise put something that is in the way on the table."


class Knobs(Config):
    blocks: int = knob(6, easy=3, hard=20, doc="how many blocks there are")
    limit: str = knob(
        "simple",
        easy="simple",
        hard="tight",
        order=("simple", "tight"),
        doc="moves allowed: what unstacking everything needs, or what a careful plan needs",
    )


class Data(TaskData):
    start: Stacks
    goal: Stacks
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, NAMES[: knobs.blocks], knobs.limit, _stacks)


def _sample_task(rng: Rng, blocks: str, limit: str, sample_stacks: Callable[[Rng, str], Stacks]) -> Task[Data]:
    while True:
        start, goal = sample_stacks(rng, blocks), sample_stacks(rng, blocks)
        if set(start) != set(goal):
            break
    most = _count_table_moves(start, goal) if limit == "simple" else len(_shorter(start, goal))
    limit_words = "one move that gets" if most == 1 else f"at most {most} moves that get"
    prompt = (
        f"Blocks stand in stacks on a table. Each line is one stack, from the bottom block to the top block. Now:\n{_render_stacks(start)}\n\n"
        f"They are to stand like this, with the stacks in any order:\n{_render_stacks(goal)}\n\n"
        f"In a move the top block of one stack is put on the top block of another stack, or on the table, where it starts a new stack. "
        f"Find {limit_words} there. Write each move on a line of its own, the block and then the block on which it is put "
        f"or the word table, such as: X Y or X table."
    )
    return Task(prompt, Data(start=start, goal=goal, most=most))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One tower that is to become one tower in another order."""
    blocks = "".join(sorted(rng.sample(NAMES, knobs.blocks)))
    return _sample_task(rng, blocks, knobs.limit, lambda rng, blocks: ("".join(rng.shuffled(blocks)),))


def solve(task: Task[Data]) -> tuple[str, ...]:
    return tuple(_shorter(task.data.start, task.data.goal))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > data.most:
        return Score.wrong(f"at most {data.most} moves are allowed")
    on = _supports(data.start)
    covered = set(on.values()) - {TABLE}
    for number, line in enumerate(answer, 1):
        words = [word for word in _normalize_line(line).split() if word not in ("MOVE", "ONTO", "ON", "TO", "THE", "BLOCK", "->")]
        if len(words) != 2 or words[0] not in on or (words[1] not in on and words[1] != TABLE.upper()) or words[0] == words[1]:
            return Score.wrong(f"move {number} does not name a block and where it is put")
        block, place = words[0], TABLE if words[1] == TABLE.upper() else words[1]
        if block in covered:
            return Score.wrong(f"in move {number} block {block} is not on top of its stack")
        if place in covered:
            return Score.wrong(f"in move {number} block {place} has another block on it")
        covered.discard(on[block])
        on[block] = place
        if place != TABLE:
            covered.add(place)
    return Score.exact(on == _supports(data.goal), "the blocks do not stand as asked after the last move")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    # One move too few, backwards, goal stacks built without clearing, everything put on the table only.
    down = tuple(f"{block} table" for stack in task.data.start for block in reversed(stack[1:]))
    built = tuple(f"{top} {below}" for stack in task.data.goal for below, top in pairwise(stack))
    wrong = [right[:-1] or ("A A",), right[::-1], down or ("A A",), built or ("A A",), (*right, right[-1])]
    return [plan for plan in wrong if verify(task, plan).value == 0]


def cost(task: Task[Data]) -> float:
    blocks = sum(map(len, task.data.start))
    return len(solve(task)) * blocks * (2 if task.data.most == len(solve(task)) else 1)


def derive(task: Task[Data]) -> Derivation:
    stacks = list(task.data.start)
    for move in solve(task):
        stacks = _apply_move(stacks, move)
        yield MOVE(move=move, stacks=stacks)


def checks(task: Task[Data]) -> Checks:
    on = _supports(task.data.start)

    def moves(move: str, stacks: tuple[str, ...]) -> bool:
        block, place = move.split(" ")
        free = [other for other in on if other not in on.values()]
        after = on | {block: place}
        if block not in free or place not in [*free, TABLE] or block == place:
            return False
        if sorted("".join(stacks)) != sorted(on) or _supports(stacks) != after:
            return False
        on.update(after)
        return True

    return {MOVE: moves}


def _stacks(rng: Rng, blocks: str) -> Stacks:
    stacks: list[str] = []
    for block in rng.shuffled(blocks):
        place = rng.integer(0, len(stacks) + len(stacks) // 3)
        if place < len(stacks):
            stacks[place] += block
        else:
            stacks.append(block)
    return tuple(stacks)


def _render_stacks(stacks: Sequence[str]) -> str:
    return "\n".join(" ".join(stack) for stack in stacks)


def _normalize_line(line: str) -> str:
    return line.upper().replace(",", " ").strip(" .;()").lstrip("0123456789.)- ")


def _supports(stacks: Sequence[str]) -> dict[str, str]:
    """What each block stands on."""
    return {block: stack[i - 1] if i else TABLE for stack in stacks for i, block in enumerate(stack)}


def _count_table_moves(start: Stacks, goal: Stacks) -> int:
    """Moves to put every block on the table and to build from there."""
    return sum(len(stack) - 1 for stack in start) + sum(len(stack) - 1 for stack in goal)


def _shorter(start: Sequence[str], goal: Sequence[str]) -> list[str]:
    return min(_careful(start, goal), _careful(start, goal, True), key=len)


def _careful(start: Sequence[str], goal: Sequence[str], last: bool = False) -> list[str]:
    """Blocks that can go home go home; otherwise one that is in the way goes to the table (Gupta and Nau's second rule)."""
    stacks, supports, moves = list(start), _supports(goal), list[str]()
    while True:
        done = _blocks_in_place(stacks, supports)
        tops = [stack[-1] for stack in stacks]
        home = [
            block
            for block in tops
            if block not in done and (supports[block] == TABLE or (supports[block] in done and supports[block] in tops))
        ]
        away = [stack[-1] for stack in stacks if len(stack) > 1 and stack[-1] not in done]
        if home:
            block = home[-1 if last else 0]
            move = f"{block} {supports[block]}"
        elif away:
            move = f"{_block_to_clear(stacks, away, done, supports, last)} {TABLE}"
        else:
            return moves
        moves.append(move)
        stacks = _apply_move(stacks, move)


def _block_to_clear(stacks: list[str], away: list[str], done: set[str], supports: dict[str, str], last: bool) -> str:
    """Of the blocks in the way, one on the stack with fewest blocks above a block that something waits for."""
    waited = {supports[block] for stack in stacks for block in stack if block not in done} & (
        done | {block for stack in stacks for block in stack}
    )

    def above(block: str) -> int:
        stack = next(stack for stack in stacks if stack[-1] == block)
        return min(
            (
                len(stack) - 1 - i
                for i, other in enumerate(stack[:-1])
                if other in waited and supports[other] in (*stack[max(0, i - 1) : i], TABLE)
            ),
            default=99,
        )

    return min(away[::-1] if last else away, key=above)


def _blocks_in_place(stacks: list[str], supports: dict[str, str]) -> set[str]:
    """Blocks that stand where they belong, on blocks that do."""
    done: set[str] = set()
    for stack in stacks:
        below = TABLE
        for block in stack:
            if supports[block] != below:
                break
            done.add(block)
            below = block
    return done


def _apply_move(stacks: list[str], move: str) -> list[str]:
    block, place = move.split()
    others = [stack.removesuffix(block) for stack in stacks]
    if place == TABLE:
        others.append(block)
    else:
        others = [stack + block if stack.endswith(place) else stack for stack in others]
    return [stack for stack in others if stack]


def solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Both plans by the careful rule, the one over the table, and plans with two neighbouring moves exchanged, as far as allowed."""
    data = task.data
    down = [f"{block} {TABLE}" for stack in data.start for block in reversed(stack[1:])]
    up = [f"{top} {below}" for stack in data.goal for below, top in pairwise(stack)]
    plans = [_careful(data.start, data.goal, True), _careful(data.start, data.goal), [*down, *up]]
    short_plans = [plan for plan in plans if len(plan) <= data.most]
    yield from map(tuple, short_plans)
    for i in range(len(short_plans[0]) - 1):
        first, second = short_plans[0][i : i + 2]
        if not set(first.replace(TABLE, "").split()) & set(second.replace(TABLE, "").split()):
            plan = (*short_plans[0][:i], second, first, *short_plans[0][i + 2 :])
            if verify(task, plan).value:
                yield plan


SOLUTION = Solution(derive, "All moves, each on a line:\n{answer}", checks)
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SOLUTION,
    shift=shift,
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
    version=2,
)
