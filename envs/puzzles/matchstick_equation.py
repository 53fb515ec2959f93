"""Move matches so that an equation laid with them comes out right.

Any right equation that exactly the allowed number of moved matches makes is accepted.
"""

import re
from collections.abc import Iterator
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import matchsticks
from rlgym.generators.puzzles.matchsticks import Equation
from rlgym.solutions import Checks, Derivation, Solution, Step

TURNS = Step("Sign {number:int}, {one}, becomes {other}: taken away {taken}, put {put}")
MOVED = Step("So the number of matches taken away, and of those put, is {taken:int}")
SIDES = Step("The left side is {left:int} and so is the right side")
END = Step("The equation is now\n{answer}")


class Knobs(Config):
    digits: int = knob(2, easy=1, hard=3, doc="most digits of a number")
    terms: int = knob(3, easy=3, hard=4, doc="numbers in the equation")
    moves: int = knob(2, easy=1, hard=4, doc="matches to move")


class Data(TaskData):
    equation: Equation
    moves: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The sum stands on the right, or sums on both sides."""
    return _sample_task(rng, knobs, 2)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # All right equations within the moves, by two halves; `generate` moves matches of a right one at random.
    return (" ".join(next(matchsticks.meet_in_the_middle(task.data.equation, task.data.moves))),)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, line = task.data, answer[0][:61].replace("\N{MINUS SIGN}", "-")
    given = tuple(re.findall(r"[0-9]+|[+=-]", line))
    if len(answer) != 1 or len(line) > 60 or "".join(given) != "".join(line.split()):
        return Score.wrong("the answer must be one equation of numbers, +, - and =")
    moves_made = matchsticks.count_moves(data.equation, given)
    if moves_made is None or any(len(word) > 1 and word[0] == "0" for word in given):
        return Score.wrong("the equation must keep its numbers of digits and its =, and no number may begin with 0")
    if moves_made != (data.moves, data.moves):
        return Score.wrong(f"that takes {moves_made[0]} matches away and puts {moves_made[1]}, not {data.moves} each")
    left, right = matchsticks.evaluate_sides(given)
    return Score.exact(left == right, "the two sides are not equal")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    words = right[0].split()
    fixed = [*data.equation[:-1], str(matchsticks.evaluate_sides((*data.equation[:-1], "0"))[0])]
    longer = [*words[:-1], str(int(words[-1]) + 1)]
    return [(" ".join(data.equation),), (" ".join(fixed),), (" ".join(longer),), (" ".join(words[::-1]),), (" ".join(words[:-2]),)]


def cost(task: Task[Data]) -> float:
    """Ways of moving a match, for each one that is to be moved."""
    signs = "".join(word for word in task.data.equation if word != "=")
    return float(sum(len(matchsticks.PLACES[sign]) for sign in signs) ** task.data.moves)


def derive(task: Task[Data]) -> Derivation:
    data, (right,) = task.data, solve(task)
    words = tuple(right.split())
    for number, (first, second) in enumerate(zip("".join(data.equation), "".join(words), strict=True), 1):
        if first != second:
            taken, put = matchsticks.sign_difference(first, second)
            yield TURNS(number=number, one=first, other=second, taken=taken or "nothing", put=put or "nothing")
    yield MOVED(taken=data.moves)
    yield SIDES(left=matchsticks.evaluate_sides(words)[0])
    yield END(answer=right)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    shape, signs = [len(word) for word in data.equation], list("".join(data.equation))
    changes = dict[int, tuple[str, str]]()  # the matches taken and put, by position

    def words() -> Equation:
        rest = iter(signs)
        return tuple("".join(islice(rest, length)) for length in shape)

    def moved() -> tuple[int, int]:
        return sum(len(taken) for taken, _ in changes.values()), sum(len(put) for _, put in changes.values())

    def turns(number: int, one: str, other: str, taken: str, put: str) -> bool:
        at, change = number - 1, matchsticks.sign_difference(one, other)
        if at <= max(changes, default=-1) or signs[at] != one or one == other:
            return False
        away, there = moved()
        within = away + len(change[0]) <= data.moves and there + len(change[1]) <= data.moves
        same_kind = one.isdigit() == other.isdigit() and "=" not in (one, other)
        if not within or not same_kind or (taken, put) != tuple(part or "nothing" for part in change):
            return False
        changes[at], signs[at] = change, other
        return True

    return {
        TURNS: turns,
        MOVED: lambda taken: moved() == (taken, taken),
        SIDES: lambda left: matchsticks.evaluate_sides(words()) == (left, left),
        END: lambda answer: answer == " ".join(words()),
    }


def picture(task: Task[Data]) -> str:
    return pictures.board([list("".join(task.data.equation))])


def _sample_task(rng: Rng, knobs: Knobs, right_terms: int) -> Task[Data]:
    least, most = 10 ** (knobs.digits - 1), 10**knobs.digits - 1
    while True:
        numbers = [rng.integer(max(1, least // rng.choice((1, 1, 10))), most) for _ in range(knobs.terms)]
        signs = [rng.choice("+-") for _ in range(knobs.terms - 1)]
        signs[knobs.terms - 1 - right_terms] = "="
        words = [word for number, sign in zip(numbers, [*signs, ""], strict=True) for word in (str(number), sign)][:-1]
        # Only the last number of a sum is computed, so that the equation is right.
        left, rest = matchsticks.evaluate_sides((*words[:-1], "0"))
        last = left - rest if words[-2] != "-" else rest - left
        if not 0 <= last <= most:
            continue
        right = (*words[:-1], str(last))
        equation = _move_matches(rng, right, knobs.moves)
        if equation and matchsticks.evaluate_sides(equation)[0] != matchsticks.evaluate_sides(equation)[1]:
            break
    many = f"{knobs.moves} matches" if knobs.moves > 1 else "1 match"
    table = ", ".join(f"{sign} {places}" for sign, places in matchsticks.PLACES.items() if sign != "=")
    prompt = (
        f"This equation is laid with matches, and it is wrong:\n{' '.join(equation)}\n\nA digit has seven places for a match: a at the top, b at the upper "
        "right, c at the lower right, d at the bottom, e at the lower left, f at the upper left, g in the middle. The sign + is a horizontal match h "
        f"across a vertical match v, and - is a match h alone. So the symbols are laid like this: {table}.\n\nMove {'' if knobs.moves < 2 else 'exactly '}"
        f"{many} so that the equation becomes right (any way that works counts): a moved match is taken from its place and laid on another place that "
        "was free before, in the same symbol or in another one. Afterwards every symbol must be one of these, a digit in place of a digit and + or - in "
        "place of + or -; = stays as it is, and no number of two or more digits may begin with 0."
    )
    return Task(prompt, Data(equation=equation, moves=knobs.moves))


def _move_matches(rng: Rng, right: Equation, moves: int) -> Equation | None:
    """An equation of the same shape from which exactly that many matches must move; None where chance finds none."""
    for _ in range(60):
        signs = list("".join(right))
        for at in rng.sample(range(len(signs)), min(len(signs), rng.integer(1, moves + 1))):
            if signs[at] != "=":
                signs[at] = rng.choice("0123456789") if signs[at].isdigit() else rng.choice("+-")
        rest = iter(signs)
        equation = tuple("".join(islice(rest, len(word))) for word in right)
        if matchsticks.count_moves(equation, right) == (moves, moves) and not any(len(word) > 1 and word[0] == "0" for word in equation):
            return equation
    return None


def solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """With the sides exchanged while searching."""
    for equation in islice(matchsticks.meet_in_the_middle(_exchange_sides(task.data.equation), task.data.moves), 4):
        yield ("".join(_exchange_sides(equation)),)


def _exchange_sides(equation: Equation) -> Equation:
    at = equation.index("=")
    return (*equation[at + 1 :], "=", *equation[:at])


environment = Environment(
    Knobs, Lines("the equation after the moves, on one line", max_items=20), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="Count for each digit what it can turn into and what that takes or leaves over; what one sign gives, another must take.",
    version=3,
)  # fmt: skip
