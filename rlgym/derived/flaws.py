"""NAME:name_flaws: worked solutions of several tasks, some with a wrong step; name each wrong solution with its first wrong step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived.audit import LETTERS, QUESTION, audit

Flaws = tuple[tuple[str, int], ...]
"""The letters of wrong solutions with the number of the first wrong step of each, in the order of the letters."""
_ONE = r"(?:solution )?([A-H]) ?:? ?(?:step )?([0-9]{1,4})"
_FLAW = re.compile(_ONE, re.IGNORECASE)
_LIST = re.compile(f"{_ONE}(?:(?: ?[,;] ?(?:and )?| and | ){_ONE})*", re.IGNORECASE)
MOST_CHARACTERS = 400
REVISION = 1  # what is added to the version of NAME: it grows where the verdicts of this kind change
ASKED = (
    "Which solutions are wrong, and which is the first wrong step of each? A solution may end early; that alone is no error. The right pairs earn 1; any "
    "others the F1 of the pairs that you name against the right ones, less the most that naming the same step of every solution, or the last, would earn."
)


@dataclass(frozen=True)
class FlawList(Answer[Flaws]):
    """Pairs of a letter and a number, each letter once, in any order; the word none is no pair."""

    instructions: str = "the letter and the number of each first wrong step, such as A3 C1, or the word none if no solution is wrong"
    format: ClassVar[str] = "flaws"

    def parse(self, text: str) -> Flaws:
        plain = " ".join(text.split()).rstrip(".") if len(text) < MOST_CHARACTERS else "?"
        if plain.casefold() == "none":
            return ()
        pairs = [(letter.upper(), int(number)) for letter, number in _FLAW.findall(plain)]
        if not _LIST.fullmatch(plain) or len({letter for letter, _ in pairs}) < len(pairs) or not all(number for _, number in pairs):
            raise Unreadable(f"expected {self.instructions}; each letter once, got {text[:40]!r}")
        return tuple(sorted(pairs))

    def render(self, value: Flaws) -> str:
        return " ".join(f"{letter}{number}" for letter, number in value) or "none"

    def variants(self, value: Flaws) -> Iterator[str]:
        if not value:
            yield " None.\n"
            return
        for form in ("{0}{1}", "{0} {1}", "{0}: {1}", "{0} step {1}", "{0}: step {1}"):
            yield ", ".join(form.format(*pair) for pair in reversed(value))
        yield "\n".join(f"Solution {letter}: step {number}" for letter, number in value)
        yield self.render(value).lower()

    def near_misses(self, value: Flaws) -> Iterator[Flaws]:
        for at, (letter, number) in enumerate(value):
            yield (*value[:at], (letter, number + 1), *value[at + 1 :])
            yield (*value[:at], *value[at + 1 :])
        if "A" not in dict(value):
            yield (("A", 1), *value)


def name_flaws(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """Tasks like those of NAME:audit with the flaws as the answer, paid by their overlap with the known ones (F1) beyond that of blind guesses.

    None where steps are not replayed.

    From "Reward Modeling from Human Natural Language Feedback" (RM-NLHF): a critique that is rewarded for its verdict alone is rewarded for guesses.
    """
    found = audit(declared)
    if found is None:
        return None
    base = found

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        task = base.generate(rng, knobs)
        return Task(task.prompt.removesuffix(QUESTION) + ASKED, task.data)

    generate.__annotations__["return"] = base.generate.__annotations__["return"]

    def verify(task: Task[Any], answer: Flaws) -> Score:
        known = _known(task)
        hits = len(set(answer) & set(known))
        precision = hits / len(answer) if answer else float(not known)
        recall = hits / len(known) if known else float(not answer)
        f1 = _f1(answer, known)
        value = f1 if f1 == 1.0 else max(0.0, f1 - _blind(task, known))
        verdicts = {letter for letter, _ in answer} == {letter for letter, _ in known}
        parts = {"precision": precision, "recall": recall, "f1": f1, "verdicts": float(verdicts)}
        return Score.partial(value, f"{hits} of {len(known)} wrong steps are named, {len(answer) - hits} others are", **parts)

    def mistakes(task: Task[Any], right: Flaws) -> Iterator[Flaws]:
        every = [(letter, len(part.steps)) for letter, part in zip(LETTERS, task.data.parts)]
        yield from ((), tuple(every), tuple((letter, 1) for letter, _ in every))
        yield tuple(
            (letter, number % len(part.steps) + 1) for letter, part in zip(LETTERS, task.data.parts) for at, number in right if at == letter
        )

    def explained(task: Task[Any]) -> list[str]:
        assert base.explain is not None
        return [*base.explain(task)[:-1], f"So the wrong steps are {FlawList().render(_known(task))}"]

    return replace(
        base,
        answer=FlawList(),
        generate=generate,
        solve=lambda task: tuple((letter, dict(zip(LETTERS, task.data.parts))[letter].wrong) for letter in base.solve(task)),
        verify=verify,
        mistakes=mistakes,
        explain=explained,
        partial=True,
        version=base.version + REVISION,
    )


def _known(task: Task[Any]) -> Flaws:
    return tuple((letter, part.wrong) for letter, part in zip(LETTERS, task.data.parts) if part.wrong)


def _f1(named: Flaws, known: Flaws) -> float:
    return 2 * len(set(named) & set(known)) / (len(named) + len(known)) if named or known else 1.0


def _blind(task: Task[Any], known: Flaws) -> float:
    """The most that a player earns who names the same step of every solution, or the last."""
    lengths = [(letter, len(part.steps)) for letter, part in zip(LETTERS, task.data.parts)]
    same = range(1, max(length for _, length in lengths) + 1)
    return max(_f1(guess, known) for guess in (tuple(lengths), *(tuple((letter, number) for letter, _ in lengths) for number in same)))
