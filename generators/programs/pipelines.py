"""Specifications of functions on lists of integers, put together from steps.

Every step is said in words, written as code in two ways, and meant by a function; so a pipeline of them has a statement, a
reference program, a second program, and misreadings in which one step is taken for a near one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import accumulate
from textwrap import indent
from typing import Any

from rlgym.core.config import Config, knob
from rlgym.core.rng import Rng
from rlgym.generators.programs.list_ends import ENDS
from rlgym.generators.programs.list_steps import STEPS
from rlgym.generators.programs.pipeline_steps import Input, Meaning, Step
from rlgym.generators.programs.step_chains import pipeline
from rlgym.generators.programs.suites import choose_tests, differs

REDRAWN = 24

LEAST, MOST, LONGEST = -50, 50, 20  # of the values, and of a list


class Knobs(Config):
    """What makes a pipeline hard; environments add knobs of their own."""

    steps: int = knob(3, easy=1, hard=7, doc="steps before the ending")
    kinds: int = knob(10, easy=5, hard=15, doc="how many kinds of steps there are to draw from, plain ones first")
    branches: int = knob(1, easy=0, hard=4, doc="steps that depend on the list so far, or take a number from it")


@dataclass(frozen=True)
class Drawn:
    """A pipeline that was drawn, and inputs that show what it does."""

    steps: tuple[Step, ...]
    inputs: tuple[Input, ...]

    @cached_property
    def right(self) -> Meaning:
        return meant([step.meaning for step in self.steps])

    @cached_property
    def reference(self) -> str:
        return program([step.code for step in self.steps])

    @cached_property
    def other(self) -> str:
        return program([step.other for step in self.steps])

    @cached_property
    def misread(self) -> list[tuple[str, Meaning]]:
        return misread(self.steps)

    @cached_property
    def renumbered(self) -> list[Meaning]:
        """What the pipeline comes to with other numbers in one step."""
        return renumbered_meanings(self.steps)

    @property
    def few(self) -> tuple[Input, ...]:
        return self.inputs[:60]

    def tests(self, *more: Meaning) -> list[tuple[str, str]]:
        """Hidden tests that tell the pipeline from its misreadings, from those with other numbers, and from further wrong programs."""
        wrong = [*more, *(meaning for _, meaning in self.misread), *self.renumbered]
        return choose_tests(self.right, wrong, self.inputs, least=30, most=80, twice=3)

    def example(self, arguments: Input) -> tuple[str, str]:
        return repr(arguments), repr(self.right(*arguments))


def sample(rng: Rng, knobs: Knobs, count: int = 300) -> Drawn:
    """A pipeline in which every step is seen in the end, with `count` inputs."""
    drawn_inputs = inputs(rng.child("inputs"), count)
    return Drawn(tuple(sample_identifiable_pipeline(rng, knobs.steps, knobs.kinds, knobs.branches, drawn_inputs[:60])), tuple(drawn_inputs))


def call(example: tuple[str, str]) -> str:
    """An example in words: what solve returns for its arguments."""
    return f"solve{example[0].replace(',)', ')')} returns {example[1]}"


RANGE = f"a list of at most {LONGEST} integers from {LEAST} to {MOST}"


def within(values: object) -> bool:
    """Whether this is a list that a pipeline takes."""
    return isinstance(values, list) and len(values) <= LONGEST and all(type(value) is int and LEAST <= value <= MOST for value in values)


def statement(steps: Sequence[Step]) -> str:
    """The steps in words, numbered."""
    return "\n".join(f"{number}. {step.words[0].upper()}{step.words[1:]}." for number, step in enumerate(steps, 1))


def program(codes: Sequence[str]) -> str:
    """A program that does these statements one after the other."""
    return f"def solve(values):\n{inner(*codes)}"


def compose_functions(rng: Rng, codes: Sequence[str]) -> str:
    """The same program with a function for each statement, defined in any order, and all of them applied in one expression."""
    names = rng.sample(
        ("fold", "pass_on", "turn", "reduce", "step", "adapt", "shape", "trim", "merge", "pick", "move", "rank"), min(12, len(codes))
    )
    names += [f"work_{i}" for i in range(len(codes) - len(names))]
    functions = [f"def {name}(values):\n{inner(code)}" for name, code in zip(names, codes, strict=True)]
    call = reduce(lambda so_far, name: f"{name}({so_far})", names, "values")
    return "\n\n".join([*rng.shuffled(functions), f"def solve(values):\n    return {call}"])


def inner(*codes: str) -> str:
    """The inside of a function that does these statements one after the other."""
    return indent("\n".join([*codes, "return values"]), "    ")


def meant(meanings: Sequence[Meaning]) -> Meaning:
    """What a sequence of steps comes to."""
    return lambda values: reduce(lambda so_far, meaning: meaning(so_far), meanings, list(values))


def misread(steps: Sequence[Step]) -> list[tuple[str, Meaning]]:
    """Programs, and what they do, in which one step is taken for a near one, left out, or done too early."""
    codes, changed = [step.code for step in steps], _changes(steps)
    near = [(i, code, meaning) for i, step in enumerate(steps) for code, meaning in step.near]
    out = [(program([*codes[:i], code, *codes[i + 1 :]]), changed(i, [meaning], i + 1)) for i, code, meaning in near]
    out += [(program(codes[:i] + codes[i + 1 :]), meaning) for i, meaning in enumerate(meanings_without_a_step(steps))]
    for i in range(len(steps) - 2):
        swapped = program([*codes[:i], codes[i + 1], codes[i], *codes[i + 2 :]])
        out.append((swapped, changed(i, [steps[i + 1].meaning, steps[i].meaning], i + 2)))
    return out


def renumbered_meanings(steps: Sequence[Step]) -> list[Meaning]:
    """What the steps come to if one of them has other numbers or conditions, each kind drawn REDRAWN times."""
    rng, changed = Rng("renumbered", *(step.code for step in steps)), _changes(steps)
    out: list[Meaning] = []
    for i, step in enumerate(steps):
        if step.redrawn is not None:
            others = {other.code: other.meaning for other in map(step.redrawn, map(rng.child, range(REDRAWN)))}
            out += [changed(i, [meaning], i + 1) for code, meaning in others.items() if code != step.code]
    return out


def _changes(steps: Sequence[Step]) -> Callable[[int, Sequence[Meaning], int], Meaning]:
    """The result of the steps with those from one number up to another replaced. Intermediate states are computed once per input."""
    meanings = [step.meaning for step in steps]

    @lru_cache(maxsize=512)
    def trail(values: tuple[int, ...]) -> tuple[list[Any], dict[Any, Any]]:
        return list(accumulate(meanings, lambda so_far, meaning: meaning(so_far), initial=list(values))), {}

    def changed(begin: int, others: Sequence[Meaning], end: int) -> Meaning:
        rest = meanings[end:]

        def result(values: Sequence[int]) -> Any:
            states, ends = trail(tuple(values))
            there = states[begin]
            for meaning in others:
                there = meaning(there)
            if type(there) is type(states[end]) and there == states[end]:
                return states[-1]
            if not rest:
                return there
            # Different changes of one step often come to the same list.
            key = end, tuple(there)
            if key not in ends:
                for meaning in rest:
                    there = meaning(there)
                ends[key] = there
            return ends[key]

        return result

    return changed


def faulty(rng: Rng, steps: Sequence[Step], count: int) -> tuple[list[int], list[str], Meaning]:
    """Which steps are wrong, the code of all, and what that does: `count` steps are taken for near ones."""
    codes, meanings = [step.code for step in steps], [step.meaning for step in steps]
    able = [i for i, step in enumerate(steps) if step.near]
    places = sorted(rng.sample(able, min(count, len(able))))
    for i in places:
        codes[i], meanings[i] = rng.choice(steps[i].near)
    return places, codes, meant(meanings)


def sample_identifiable_pipeline(rng: Rng, length: int, kinds: int, branches: int, few: Sequence[Input]) -> list[Step]:
    """A pipeline in which every step is seen in the end, and which gives many different results on these inputs."""
    while True:
        steps = pipeline(rng, length, kinds, branches)
        right = meant([step.meaning for step in steps])
        if _outputs_vary(right, few) and all(
            differs(right, without, few) for without in [*meanings_without_a_step(steps), *_single_branch_meanings(steps)]
        ):
            return steps


def _outputs_vary(meaning: Meaning, few: Sequence[Input]) -> bool:
    seen: set[str] = set()
    for arguments in few:
        seen.add(repr(meaning(*arguments)))
        if len(seen) >= min(10, len(few) // 2):
            return True
    return False


def _single_branch_meanings(steps: Sequence[Step]) -> list[Meaning]:
    """What the steps come to if a branch is always the same, one branch after the other."""
    changed = _changes(steps)
    return [changed(i, [variant], i + 1) for i, step in enumerate(steps) for variant in step.ways]


def meanings_without_a_step(steps: Sequence[Step]) -> list[Meaning]:
    """What the steps come to without the first, without the second, and so on; the ending is always there."""
    changed = _changes(steps)
    return [changed(i, [], i + 1) for i in range(len(steps) - 1)]


def inputs(rng: Rng, count: int) -> list[Input]:
    """Boundary cases, then random lists: short and long, of few and of many different values."""
    value = rng.integer(1, 9)
    lists: list[list[int]] = [
        [],
        [value],
        [-value],
        [0],
        [value, value],
        [value, -value],
        [LEAST, MOST],
        list(range(1, 11)),
        list(range(9, -1, -1)),
        [2] * 7,
    ]
    while len(lists) < count:
        most = rng.choice((3, 6, 12, MOST))
        lists.append([rng.integer(-most if rng.chance(0.6) else 0, most) for _ in range(rng.integer(2, rng.choice((6, 12, LONGEST))))])
    return [(values,) for values in lists[:count]]


def specifications(length: int, kinds: int) -> int:
    """A lower bound on how many pipelines of that length can be drawn: orders of steps and choices of endings, numbers aside."""
    count = len(ENDS[:kinds])
    for i in range(length):
        count *= max(1, min(kinds, len(STEPS)) - i)
    return count


def examples(kinds: int) -> tuple[str, str]:
    """Steps and endings of the first kinds in words, a line each, with numbers that stand for any."""
    rng = Rng("examples of pipelines")
    steps, ends = (tuple(maker(rng).words for maker in makers[:kinds]) for makers in (STEPS, ENDS))
    return "\n".join(f"- {words}" for words in steps), "\n".join(f"- {words}" for words in ends)
