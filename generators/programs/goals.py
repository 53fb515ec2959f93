"""Composed functions of integers: stated in words, evaluated, and compiled for an invented stack machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.machine_programs import jump_offset
from rlgym.generators.programs.machines import CELLS, Instruction, Machine

# A number, a letter, ("+" | "-" | "*", e, f), ("if", (sign, e, f), g, h), or ("sum" | "product", letter, count, e): over letter = 1 to count.
Goal = Any
COUNTED = "k"
SIGNS = {"zero": ("==", "!="), "negative": ("<", ">=", ">", "<="), "positive": ("<", ">=", ">", "<=")}
REVERSED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def sample(rng: Rng, machine: Machine, letters: str, depth: int, loops: int) -> Goal:
    """A function of these letters; with `loops` it goes round, as its outermost part or inside."""
    if loops:
        inside = sample(rng, machine, letters[0] + COUNTED, depth - 1, 0)
        looped = (
            rng.choice(("sum", "sum", "product") if "mul" in machine.kinds else ("sum",)),
            COUNTED,
            letters[-1],
            _with_letter(rng, inside, COUNTED),
        )
        return looped if loops == 1 else (rng.choice("+-"), looped, sample(rng, machine, letters, depth - 1, 0))
    if depth <= 0:
        return _leaf(rng, letters)
    if depth >= 2 and "jump_if" in machine.kinds and rng.chance(0.6):
        condition = (rng.choice(SIGNS[machine.test]), *(_sample_expression(rng, machine, letters, 1) for _ in range(2)))
        return ("if", condition, sample(rng, machine, letters, depth - 1, 0), _sample_expression(rng, machine, letters, depth - 2))
    return _sample_expression(rng, machine, letters, depth)


def _sample_expression(rng: Rng, machine: Machine, letters: str, depth: int) -> Goal:
    if depth <= 0:
        return _leaf(rng, letters)
    sign = rng.choice("+-*" if "mul" in machine.kinds else "+-")
    return (
        sign,
        _sample_expression(rng, machine, letters, depth - 1),
        _sample_expression(rng, machine, letters, depth - 1 - rng.integer(0, 1)),
    )


def _leaf(rng: Rng, letters: str) -> Goal:
    return rng.choice(letters) if rng.chance(0.7) else rng.integer(1, 9)


def _with_letter(rng: Rng, goal: Goal, letter: str) -> Goal:
    return goal if letter in letters_of(goal) else (rng.choice("+-"), goal, letter)


def letters_of(goal: Goal) -> set[str]:
    if isinstance(goal, str):
        return {goal} if goal.isalpha() else set()
    return set() if isinstance(goal, int) else set().union(*map(letters_of, goal)) - {"if", "sum", "product"}


def words(goal: Goal) -> str:
    match goal:
        case int() | str():
            return str(goal)
        case ("if", (sign, left, right), yes, no):
            return f"({words(yes)} if {words(left)} {sign} {words(right)}, otherwise {words(no)})"
        case ("sum" | "product" as kind, letter, count, inside):
            nothing = 0 if kind == "sum" else 1
            return f"(the {kind} of {words(inside)} over all integers {letter} from 1 to {count}, which is {nothing} if {count} is 0)"
        case (sign, left, right):
            return f"({words(left)} {sign} {words(right)})"
    raise AssertionError(goal)


def value(goal: Goal, given: dict[str, int]) -> int:
    match goal:
        case int():
            return goal
        case str():
            return given[goal]
        case ("if", (sign, left, right), yes, no):
            difference = value(left, given) - value(right, given)
            holds = {"==": difference == 0, "<": difference < 0, ">": difference > 0}
            holds |= {opposite: not holds[plain] for plain, opposite in (("==", "!="), ("<", ">="), (">", "<="))}
            return value(yes if holds[sign] else no, given)
        case ("sum" | "product" as kind, letter, count, inside):
            total = 0 if kind == "sum" else 1
            for number in range(1, given[count] + 1):
                part = value(inside, given | {letter: number})
                total = total + part if kind == "sum" else total * part
            return total
        case (sign, left, right):
            first, second = value(left, given), value(right, given)
            return first + second if sign == "+" else first - second if sign == "-" else first * second
    raise AssertionError(goal)


@dataclass
class _Line:
    """An instruction whose number, where it jumps, is still a label."""

    kind: str
    number: int | str | None = None


def compile_goal(machine: Machine, goal: Goal, letters: str, *, mirrored: bool = False) -> list[Instruction]:
    """A program that finds the letters' values on the stack, the last on top, and puts out the goal's value.

    `mirrored` makes another one: sides exchanged, conditions reversed, loops counted the other way where both can be.
    """
    lines = _Compiler(machine, mirrored).program(goal, letters)
    places: dict[int | str | None, int] = {}
    done: list[_Line] = []
    for line in lines:
        if line.kind == "label":
            places[line.number] = len(done)
        else:
            done.append(line)
    program: list[Instruction] = []
    for place, line in enumerate(done):
        number = jump_offset(machine, place, places[line.number]) if isinstance(line.number, str) else line.number
        program.append((machine.name(line.kind),) if number is None else (machine.name(line.kind), number))
    return program


class _Compiler:
    def __init__(self, machine: Machine, mirrored: bool) -> None:
        self.machine, self.mirrored, self.labels, self.cells = machine, mirrored, 0, dict[str, int]()

    def program(self, goal: Goal, letters: str) -> list[_Line]:
        order = range(CELLS)[::-1] if self.mirrored else range(CELLS)
        self.cells = dict(zip((*letters, COUNTED, "found"), order, strict=False))
        return [*(_Line("store", self.cells[letter]) for letter in reversed(letters)), *self.value(goal), _Line("out")]

    def value(self, goal: Goal) -> list[_Line]:
        match goal:
            case int():
                return [_Line("push", goal)]
            case str():
                return [_Line("load", self.cells[goal])]
            case ("if", (sign, left, right), yes, no):
                if self.mirrored:
                    sign, yes, no = REVERSED[sign], no, yes
                then, end = self.label(), self.label()
                test = self.condition(sign, left, right, then)
                return [*test, *self.value(no), *self.jump(end), _Line("label", then), *self.value(yes), _Line("label", end)]
            case ("sum" | "product" as kind, letter, count, inside):
                return self.loop(kind, letter, count, inside)
            case ("-", left, right):
                return self.minus(self.value(left), self.value(right))
            case (sign, left, right):
                first, second = self.value(left), self.value(right)
                if self.mirrored:
                    first, second = second, first
                return self.plus(first, second) if sign == "+" else [*first, *second, _Line("mul")]
        raise AssertionError(goal)

    def label(self) -> str:
        self.labels += 1
        return f"label {self.labels}"

    def jump(self, label: str) -> list[_Line]:
        if "jump" in self.machine.kinds and not (self.mirrored and "jump_if" in self.machine.kinds):
            return [_Line("jump", label)]
        return [_Line("push", {"zero": 0, "negative": -1, "positive": 1}[self.machine.test]), _Line("jump_if", label)]

    def minus(self, first: list[_Line], second: list[_Line]) -> list[_Line]:
        return [*second, *first, _Line("sub")] if self.machine.swapped else [*first, *second, _Line("sub")]

    def plus(self, first: list[_Line], second: list[_Line]) -> list[_Line]:
        if "add" in self.machine.kinds:
            return [*first, *second, _Line("add")]
        return self.minus(first, self.minus([_Line("push", 0)], second))

    def condition(self, sign: str, left: Goal, right: Goal, label: str) -> list[_Line]:
        """Goes to the label if it holds, else on."""
        if sign in ("!=", ">=", "<="):
            past = self.label()
            return [*self.condition(REVERSED[sign], left, right, past), *self.jump(label), _Line("label", past)]
        above = (sign == ">") == (self.machine.test == "positive")
        first, second = (left, right) if above or sign == "==" else (right, left)
        return [*self.minus(self.value(first), self.value(second)), _Line("jump_if", label)]

    def loop(self, kind: str, letter: str, count: str, inside: Goal) -> list[_Line]:
        start_label, done, body = self.label(), self.label(), self.label()
        at, result_cell, push_one, counter = self.cells[letter], self.cells["found"], [_Line("push", 1)], self.value(letter)
        if self.mirrored:
            start, following = push_one, self.plus(counter, push_one)
            remaining = self.minus(self.plus(self.value(count), push_one), counter)
        else:
            start, following, remaining = self.value(count), self.minus(counter, push_one), counter
        # `left` is how often it goes round from here, the last time included.
        test = {
            "zero": [*remaining, _Line("jump_if", done)],
            "positive": [*remaining, _Line("jump_if", body), *self.jump(done), _Line("label", body)],
            "negative": [*self.minus(remaining, push_one), _Line("jump_if", done)],
        }[self.machine.test]
        so_far, part = [_Line("load", result_cell)], self.value(inside)
        step = self.plus(so_far, part) if kind == "sum" else [*so_far, *part, _Line("mul")]
        return [
            *(_Line("push", 0 if kind == "sum" else 1), _Line("store", result_cell), *start, _Line("store", at)),
            *(
                _Line("label", start_label),
                *test,
                *step,
                _Line("store", result_cell),
                *following,
                _Line("store", at),
                *self.jump(start_label),
            ),
            *(_Line("label", done), _Line("load", result_cell)),
        ]


def shortcuts(goal: Goal) -> list[Goal]:
    """The goal with one of its conditions taken to hold always, or never."""
    if not isinstance(goal, tuple):
        return []
    goals: list[Goal] = list(goal[2:]) if goal[0] == "if" else []
    for place, part in enumerate(goal):
        goals += [(*goal[:place], other, *goal[place + 1 :]) for other in shortcuts(part)]
    return goals


def inputs(rng: Rng, letters: str, counted: str, count: int) -> list[dict[str, int]]:
    """Values from -20 to 20 for the letters, from 0 to 12 for those counted to; small and large ones in turn, and first 0 for the latter."""
    drawn = []
    for number in range(count):
        size = (3, 20)[number % 2]
        drawn.append(
            {
                letter: (rng.integer(0, min(2 * size, 12)) if number > 1 else 0) if letter in counted else rng.integer(-size, size)
                for letter in letters
            }
        )
    return drawn
