"""Puzzles about unknown numbers: linear links between them, and one condition or one known number that determines them all.

Such a puzzle is solved by following the links from its first number. Where that is not known, it is tried as 0 and as 1: everything is
linear, so the two trials show by how much the last condition is missed, and what the first number must be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.generators import calculations
from rlgym.generators.calculations import Facts, answer_line, calculation_line, format_fraction, operand
from rlgym.solutions import Solution

ASKED = "the number asked for"


class Link(TaskData):
    """The number of `who[0]` plus `later` is `times` the sum of the others' numbers and `inner`, plus `add` * `each`; with no others it is `add` * `each`."""

    who: tuple[int, ...]
    times: tuple[int, int] = (1, 1)
    inner: int = 0
    add: int = 0
    later: int = 0
    each: int = 1


class Weighed(TaskData):
    """The sum of each number times its weight, plus `add`, divided by `over`."""

    weights: tuple[int, ...]
    add: int = 0
    over: int = 1


class Puzzle(TaskData):
    """`names[0]` has the number `known`, or such a number that the link `closing` holds or the weighed sum `closing` is 0."""

    names: tuple[str, ...]
    links: tuple[Link, ...]
    known: int | None
    closing: Link | Weighed | None
    wanted: Weighed
    right: tuple[int, int]


def comparison(kind: str, n: int, m: int) -> tuple[tuple[int, int], int]:
    """Factor and difference of the comparisons in `comparing`: more and fewer by m, n times, 1/n, m over and under n times."""
    times = (1, n) if kind == "part" else (1, 1) if kind in ("more", "fewer") else (n, 1)
    return times, m if kind in ("more", "over") else -m if kind in ("fewer", "under") else 0


def make_puzzle(
    names: Sequence[str],
    links: Sequence[Link],
    counts: Sequence[int | Fraction],
    target: Weighed,
    *,
    known: int | None = None,
    closing: Link | Weighed | None = None,
    whole: bool = True,
) -> Puzzle | None:
    """The puzzle of these links; None where the last condition does not determine it, or (with `whole`) the number asked for is not an integer."""
    if closing and len({condition_gap(closing, _solve_links(links, x)) for x in (0, 1)}) == 1:
        return None
    right = weighted_sum(target, dict(enumerate(map(Fraction, counts))))
    if right.denominator > 1 and whole:
        return None
    ends = (right.numerator, right.denominator)
    return Puzzle(names=tuple(names), links=tuple(links), known=known, closing=closing, wanted=target, right=ends)


def solve(task: Task[Puzzle]) -> int:
    return int(solve_exactly(task))


def solve_exactly(task: Task[Puzzle]) -> Fraction:
    puzzle = task.data
    return weighted_sum(puzzle.wanted, solve_links(puzzle.links, first_number(puzzle)))


def verify(task: Task[Puzzle], answer: int | Fraction) -> Score:
    return Score.exact(answer == Fraction(*task.data.right), "that number does not fit all the sentences")


def mistakes(task: Task[Puzzle], right: int) -> list[int]:
    puzzle = task.data
    values = solve_links(puzzle.links, first_number(puzzle))
    lone = dict.fromkeys(int(number) for number in values.values() if number.denominator == 1)
    return [*list(lone)[-3:], right + 1, 2 * right or 3, right - (puzzle.links[-1].add or 2)]


def mistakes_exactly(task: Task[Puzzle], right: Fraction) -> list[Fraction]:
    values = list(solve_links(task.data.links, first_number(task.data)).values())
    return [*values[-2:], values[0], right + 1, 2 * right or Fraction(3), right / 100]


def cost(task: Task[Puzzle]) -> float:
    puzzle = task.data
    turned = sum(1 for new, link in _order(puzzle.links) if new != link.who[0])
    parts = sum(len(link.who) + (link.times != (1, 1)) + bool(link.inner) + bool(link.add) + bool(link.later) for link in puzzle.links)
    return parts + 2 * turned + sum(map(bool, puzzle.wanted.weights)) + (len(puzzle.links) + 4 if puzzle.closing else 0)


def worked_lines(task: Task[Puzzle]) -> list[str]:
    """The lines of the worked solution: forwards from the known number, or by two trials of the first one."""
    puzzle, names = task.data, task.data.names
    if puzzle.closing is None:
        assert puzzle.known is not None
        values, steps = _steps(puzzle, Fraction(puzzle.known), "")
        return [*steps, answer_line(ASKED, _weighted_sum(puzzle.wanted, values))]
    trials = [_steps(puzzle, Fraction(x), f" if {names[0]} is {x}") for x in (0, 1)]
    gaps = [condition_gap(puzzle.closing, values) for values, _ in trials]
    steps = [*trials[0][1], calculation_line("miss for 0", _gap(puzzle.closing, trials[0][0]))]
    steps += [*trials[1][1], calculation_line("miss for 1", _gap(puzzle.closing, trials[1][0]))]
    x = first_number(puzzle)
    steps.append(calculation_line(names[0], f"{operand(gaps[0])} / ({operand(gaps[0])} - {operand(gaps[1])})"))
    values = solve_links(puzzle.links, x)
    for i in range(1, len(names)):
        low, high = (trial[0][i] for trial in trials)
        if puzzle.wanted.weights[i]:
            steps.append(calculation_line(names[i], f"{operand(low)} + {operand(x)} * ({operand(high)} - {operand(low)})"))
    return [*steps, answer_line(ASKED, _weighted_sum(puzzle.wanted, values))]


def first_number(puzzle: Puzzle) -> Fraction:
    """The number that all others follow from."""
    if puzzle.closing is None:
        assert puzzle.known is not None
        return Fraction(puzzle.known)
    low, high = (condition_gap(puzzle.closing, solve_links(puzzle.links, Fraction(x))) for x in (0, 1))
    return low / (low - high)


def solve_links(links: Sequence[Link], start: Fraction) -> dict[int, Fraction]:
    """All numbers, with this one as the first."""
    return {i: Fraction(value) for i, value in _solve_links(links, start).items()}


def _solve_links(links: Sequence[Link], start: int | Fraction) -> dict[int, Any]:
    """`solve_links` that leaves integers as such, which are added faster."""
    values: dict[int, Any] = {0: start}
    for new, link in _order(links):
        over, under = link.times
        others = sum([values[i] for i in link.who if i != new])
        if new == link.who[0]:
            total = over * (others + link.inner)
            values[new] = (total if under == 1 else Fraction(total, under)) + link.add * link.each - link.later
        else:
            total = under * (others + link.later - link.add * link.each)
            values[new] = (total if over == 1 else Fraction(total, over)) - link.inner
    return values


def condition_gap(closing: Link | Weighed, values: Mapping[int, Fraction]) -> Fraction:
    """The amount by which these numbers miss the last condition."""
    if isinstance(closing, Weighed):
        return weighted_sum(closing, values)
    others = sum(values[i] for i in closing.who[1:]) + closing.inner
    return values[closing.who[0]] + closing.later - Fraction(*closing.times) * others - closing.add


def weighted_sum(sum_of: Weighed, values: Mapping[int, Fraction]) -> Fraction:
    return Fraction(sum(weight * values[i] for i, weight in enumerate(sum_of.weights)) + sum_of.add) / sum_of.over


def _order(links: Sequence[Link]) -> Iterator[tuple[int, Link]]:
    """The links in an order in which each gives one new number, and which."""
    met, waiting = {0}, list(links)
    while waiting:
        link = next(link for link in waiting if sum(i not in met for i in link.who) == 1)
        waiting.remove(link)
        new = next(i for i in link.who if i not in met)
        met.add(new)
        yield new, link


def _steps(puzzle: Puzzle, start: Fraction, suffix: str) -> tuple[dict[int, Fraction], list[str]]:
    values = solve_links(puzzle.links, start)
    steps = [calculation_line(puzzle.names[0] + suffix, operand(start))]
    for new, link in _order(puzzle.links):
        steps.append(calculation_line(puzzle.names[new] + suffix, _link(link, new, values)))
    return values, steps


def _link(link: Link, new: int, values: Mapping[int, Fraction]) -> str:
    n, d = link.times
    parts = [operand(values[i]) for i in link.who if i != new]
    each = f" * {link.each}" if link.each > 1 and link.add else ""
    if not parts:
        return f"{link.add}{each}"
    if new != link.who[0]:
        top = f"{parts[0]}{_plus(link.later)}{_plus(-link.add)}{each}"
        return _scale(top, d, n, bool(link.later or link.add)) + _plus(-link.inner)
    text = _scale(" + ".join(parts) + _plus(link.inner), abs(n), d, len(parts) > 1 or bool(link.inner))
    if n < 0:
        text = f"{link.add}{each} - ({text})" if len(parts) > 1 or link.inner else f"{link.add}{each} - {text}"
        return text + _plus(-link.later)
    return f"{text}{_plus(link.add)}{each}{_plus(-link.later)}"


def _scale(text: str, n: int, d: int, many: bool) -> str:
    text = f"({text})" if many and (n, d) != (1, 1) else text
    text = f"{n} * {text}" if n != 1 else text
    return f"{text} / {d}" if d != 1 else text


def _plus(number: int) -> str:
    return f" + {number}" if number > 0 else f" - {-number}" if number else ""


def _weighted_sum(sum_of: Weighed, values: Mapping[int, Fraction]) -> str:
    text = ""
    for i, weight in sorted(enumerate(sum_of.weights), key=lambda pair: pair[1] < 0):
        if weight:
            sign = " - " if weight < 0 else " + "
            text += (sign if text else "0 - " if weight < 0 else "") + (f"{abs(weight)} * " if abs(weight) > 1 else "") + operand(values[i])
    alone = sum(map(bool, sum_of.weights)) == 1 and not sum_of.add
    text += _plus(sum_of.add)
    return text if sum_of.over == 1 else f"{text} / {sum_of.over}" if alone else f"({text}) / {sum_of.over}"


def _gap(closing: Link | Weighed, values: Mapping[int, Fraction]) -> str:
    if isinstance(closing, Weighed):
        return _weighted_sum(closing, values)
    others = " + ".join(operand(values[i]) for i in closing.who[1:]) + _plus(closing.inner)
    return f"{operand(values[closing.who[0]])}{_plus(closing.later)} - ({_scale(others, *closing.times, True)}){_plus(-closing.add)}"


def _facts(puzzle: Puzzle) -> Facts:
    values = solve_links(puzzle.links, first_number(puzzle))
    facts = {name: values[i] for i, name in enumerate(puzzle.names)} | {ASKED: weighted_sum(puzzle.wanted, values)}
    closing = puzzle.closing
    for x in (0, 1) if closing else ():
        assert closing is not None
        trial = solve_links(puzzle.links, Fraction(x))
        facts |= {f"{name} if {puzzle.names[0]} is {x}": trial[i] for i, name in enumerate(puzzle.names)}
        facts[f"miss for {x}"] = condition_gap(closing, trial)
    return {name: (value, "") for name, value in facts.items()}


def _plain_numbers(puzzle: Puzzle) -> list[str]:
    """Numbers that the prompt may write in words or in other units."""
    conditions = [puzzle.closing] if puzzle.closing else []
    sums = [
        abs(part)
        for sum_of in (*conditions, puzzle.wanted)
        if isinstance(sum_of, Weighed)
        for part in (sum_of.add, sum_of.over, *sum_of.weights)
    ]
    sums += [
        abs(part)
        for link in (*puzzle.links, *conditions)
        if isinstance(link, Link)
        for part in (link.inner, link.add, link.later, link.each, *link.times)
    ]
    return [format_fraction(number) for number in sums]


def solution_of(puzzle_task: Callable[[Task[Any]], Task[Puzzle]]) -> Solution[Any]:
    """The worked solution of tasks from which `puzzle_task` gets the puzzle."""
    return calculations.solution(
        lambda task: worked_lines(puzzle_task(task)),
        facts=lambda task: _facts(puzzle_task(task).data),
        constants="0 1 2",
        known=lambda task: _plain_numbers(puzzle_task(task).data),
        closing=calculations.CalculationStep(f"{calculations.LAST}{ASKED} = {{formula}} = {{answer}}"),
    )


solution = solution_of(lambda task: task)
