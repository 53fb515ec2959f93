"""Sort coloured marbles in tubes, of which only the top marble can be reached, until each tube holds one colour.

Any legal moves within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves, Plan

Tubes = tuple[str, ...]  # each from bottom to top
SPARE = {"loose": 10, "near": 3, "tight": 0}
WORK = 1000
NAMES = "abcdefghi"
ANSWER = Words("the moves in order as pairs of letters, separated by spaces", max_items=200, ignore_case=True)


class Knobs(Config):
    colours: int = knob(4, easy=3, hard=6, doc="how many colours there are")
    height: int = knob(3, easy=2, hard=5, doc="marbles of each colour, and how many a tube holds")
    rule: str = knob("same", easy="any", hard="same", order=("any", "same"), doc="whether a marble may only go on one of its own colour")
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="moves to spare: 10, 3 or none")


class Data(TaskData):
    tubes: Tubes
    room: tuple[int, ...]  # most marbles in each tube
    same: bool
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Tubes of different heights, and colours that are not equally frequent."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, uneven: bool) -> Task[Data]:
    colours, height, tries = knobs.colours, knobs.height, 0
    while True:
        tries += 1
        # Where every move is allowed, a proof for many marbles would take too long.
        if tries % 4 == 0:
            height, colours = (height - 1, colours) if height > 2 else (height, max(3, colours - 1))
        letters = rng.sample("RGBYPOWK", colours)
        counts = [max(2, height - rng.integer(0, 1)) if uneven else height for _ in letters]
        marbles = rng.shuffled([letter for letter, count in zip(letters, counts) for _ in range(count)])
        spare = 1 if colours < 4 and height < 4 else 2
        room = [count + (uneven and rng.chance(0.5)) for count in counts] + ([height, rng.integer(1, 2)] if uneven else [height] * spare)
        tubes = [""] * len(room)
        for marble in marbles:
            free = [k for k in range(len(counts)) if len(tubes[k]) < room[k]]
            k = rng.choice(free) if uneven else free[0]
            tubes[k] += marble
        order = rng.shuffled(range(len(room)))
        data = Data(tubes=tuple(tubes[k] for k in order), room=tuple(room[k] for k in order), same=knobs.rule == "same", most=0, fewest=0)
        puzzle = _puzzle(data)
        # Many plans differ only in the order of their moves, so the proof is cut off early where it would be long.
        plan = (
            move_puzzles.a_star(puzzle, WORK if data.same else WORK // 5)
            if puzzle.lower_bound(data.tubes) > (colours * height) // 3 or tries > 3
            else None
        )
        if plan:
            break
    best = data.model_copy(update={"most": len(plan) + SPARE[knobs.limit], "fewest": len(plan)})
    rule = "onto a marble of its own colour or into an empty tube" if best.same else "into any other tube that has room"
    tube_lines = "\n".join(
        f"{name}: {' '.join(tube) or 'empty'} (holds at most {most})" for name, tube, most in zip(NAMES, best.tubes, best.room)
    )
    prompt = (
        "Tubes contain marbles. Each line is a tube with its marbles from bottom to top; each capital letter is a marble of that colour:\n"
        f"{tube_lines}\n\nA move takes the top marble of a tube and puts it {rule}, never into a full tube. Find any sequence of at most {best.most} moves "
        "after which no tube contains two colours and no colour is in two tubes. Write a move as two letters: the tube that the marble "
        "leaves, then the tube that it enters."
    )
    return Task(prompt, best)


def solve(task: Task[Data]) -> Plan:
    return move_puzzles.a_star(_puzzle(task.data), 10**6) or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    return move_puzzles.verify_plan(_puzzle(task.data), answer, task.data.most, "the marbles are not sorted")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    return move_puzzles.near_misses(right)


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return task.data.fewest**2 * len(task.data.tubes) * (1 if spare > 9 else 2 if spare else 3)


def picture(task: Task[Data]) -> str:
    high = max(task.data.room)
    rows = [[tube[level] if level < len(tube) else "." for tube in task.data.tubes] for level in range(high - 1, -1, -1)]
    outside = [(high - 1 - level) * len(rows[0]) + k for k, most in enumerate(task.data.room) for level in range(most, high)]
    return pictures.board(rows, shaded=outside, top=NAMES[: len(rows[0])])


def _puzzle(data: Data) -> Moves[Tubes]:
    names = NAMES[: len(data.tubes)]

    def options(tubes: Tubes) -> list[tuple[str, Tubes]]:
        moves = []
        for a, first in enumerate(tubes):
            if not first:
                continue
            marble, rest = first[-1], first[:-1]
            for b, second in enumerate(tubes):
                if a != b and len(second) < data.room[b] and (not data.same or not second or second[-1] == marble):
                    changed = list(tubes)
                    changed[a], changed[b] = rest, second + marble
                    moves.append((names[a] + names[b], tuple(changed)))
        return moves

    def done(tubes: Tubes) -> bool:
        kinds = [tube[0] for tube in tubes if tube]
        return len(set(kinds)) == len(kinds) and all(tube == tube[0] * len(tube) for tube in tubes if tube)

    def least(tubes: Tubes) -> int:
        """Marbles that lie on another colour must move, and of each colour all bottom runs but the longest."""
        count, longest = 0, dict[str, int]()
        for tube in tubes:
            if tube:
                run = len(tube) - len(tube.lstrip(tube[0]))
                count += len(tube)
                longest[tube[0]] = max(longest.get(tube[0], 0), run)
        return count - sum(longest.values())

    def describe(tubes: Tubes) -> str:
        inside = "; ".join(f"{name}: {' '.join(tube) or 'empty'}" for name, tube in zip(names, tubes))
        return f"{inside}; marbles that must still move: {least(tubes)}"

    return Moves(data.tubes, options, done, describe, least)


def solutions(task: Task[Data]) -> Iterator[Plan]:
    yield from move_puzzles.other_plans(_puzzle(task.data), solve(task), task.data.most, 10**6)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_puzzle, solve, ANSWER), shift=shift, picture=picture, answers="many", solutions=solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="Every marble that lies on another colour must move at least once, so empty a tube first in which few do.",
    version=3,
)  # fmt: skip
