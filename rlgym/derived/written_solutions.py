"""Whole solutions of a task, right, wrong and invalid, all in one style: worked steps where the task explains them, and a marked answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rlgym.core.answer import Unreadable, wrap
from rlgym.core.declare import Environment
from rlgym.core.rng import Rng
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.solutions.corrupted_steps import corrupted

RIGHT, WRONG, INVALID = "right", "wrong", "invalid"
MOST_STEPS, MOST_CHARACTERS = 24, 1_800  # of a worked solution that is shown; of a longer one only the answer is
LONGEST_ANSWER = 1_200
TRIED = 24  # mistakes and near misses among which wrong answers are sought


@dataclass(frozen=True)
class Solutions:
    """Writes solutions of one task. The verdict on each is the verifier's."""

    declared: Environment[Any, Any, Any]
    base: Task[Any]
    right: Any
    steps: tuple[str, ...]
    longest: int = LONGEST_ANSWER

    @classmethod
    def of(cls, declared: Environment[Any, Any, Any], base: Task[Any], any_length: bool = False) -> Solutions:
        """The writer for a task. Steps are left out where they are not explained, or too long to be shown, as are long answers by default."""
        steps = tuple(declared.explain(base)[:-1]) if declared.explain else ()
        short = len(steps) <= MOST_STEPS and sum(map(len, steps)) <= MOST_CHARACTERS
        return cls(
            declared,
            base,
            declared.solve(base),
            steps if short and "<answer>" not in "".join(steps) else (),
            10**9 if any_length else LONGEST_ANSWER,
        )

    def write(self, rng: Rng, verdict: str, count: int = 1) -> list[str]:
        """At most `count` different solutions with this verdict."""
        source = {RIGHT: self._right_texts, WRONG: self._wrong_texts, INVALID: self._invalid}[verdict](rng)
        found: list[str] = []
        for text in source:
            if len(found) == count:
                break
            if text not in found and verdict_on(self.declared, self.base, text) == verdict:
                found.append(text)
        return found

    def _right_texts(self, rng: Rng) -> Iterator[str]:
        others = islice(self.declared.solutions(self.base), 3) if self.declared.answers == "many" and self.declared.solutions else ()
        spelled = self.declared.answer.render(self.right)
        # Other right answers do not follow from the steps, which lead to the oracle's.
        other = [] if self.steps else base_task.rendered(self.declared, [*others])
        texts = list(dict.fromkeys([spelled, *other]))
        variants = [text.strip() for text in islice(self.declared.answer.variants(self.right), 8) if "<" not in text]
        yield from (self._text(self.steps, answer) for answer in [*rng.shuffled(texts), *variants] if len(answer) <= self.longest)

    def _wrong_texts(self, rng: Rng) -> Iterator[str]:
        mistakes = rng.shuffled([*islice(self.declared.mistakes(self.base, self.right), TRIED)])
        near = rng.shuffled([*islice(self.declared.answer.near_misses(self.right), TRIED)])
        for answer in base_task.rendered(self.declared, [*mistakes, *near]):
            if len(answer) <= self.longest:
                yield self._text(self._steps_with_slip(rng, answer), answer)

    def _steps_with_slip(self, rng: Rng, answer: str) -> tuple[str, ...]:
        """The steps with one that slips, and with the wrong answer in place of the right one after it; of a single step only the latter."""
        spelled = self.declared.answer.render(self.right)
        own = re.compile(rf"(?<![\w.]){re.escape(spelled)}(?!\w|\.\w)")
        at, steps = next(corrupted(rng, self.steps), (-1, [*self.steps])) if len(self.steps) > 1 else (-1, [*self.steps])
        return (*steps[: at + 1], *(own.sub(lambda _: answer, step) for step in steps[at + 1 :]))

    def _invalid(self, rng: Rng) -> Iterator[str]:
        spelled = self.declared.answer.render(self.right)
        wrong = next(iter(base_task.rendered(self.declared, [*islice(self.declared.mistakes(self.base, self.right), 1)])), "")
        whole, cut = self._text(self.steps, spelled), self.steps[: max(1, len(self.steps) // 2)]
        forms = (
            "\n".join(cut) or "I begin with what is given, and work through it",
            f"{whole}\nOn second thought: {wrap(wrong, 'tag')}",
            self._text(cut, "..."),
            "\n".join([*cut, "I am not sure how to continue, so I give no answer."]),
        )
        yield from (text for text in rng.shuffled(forms) if len(text) <= MOST_CHARACTERS + 2 * self.longest)

    @staticmethod
    def _text(steps: tuple[str, ...], answer: str) -> str:
        return "\n".join([*steps, wrap(answer, "tag")])


def verdict_on(declared: Environment[Any, Any, Any], base: Task[Any], text: str) -> str:
    """The verifier's verdict on a whole solution: right, wrong, or invalid if it gives no answer or several that contradict each other."""
    try:
        readings = declared.answer.readings(text, "tag", base.prompt)
    except Unreadable:
        return INVALID
    return RIGHT if any(declared.verify(base, reading).value == 1.0 for reading in readings) else WRONG
