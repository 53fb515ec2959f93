"""NAME:rank_by_principle and NAME:rank_by_new_principle: rank solutions of a task by a principle that the prompt states and code applies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.judge_prompts import shown
from rlgym.derived.verdicts import Verdicts
from rlgym.derived.written_solutions import RIGHT, Solutions, verdict_on

LETTERS = ("A", "B", "C", "D")
REMARKS = (
    "I read the task once more.",
    "This needs some care.",
    "Let me go through it in order.",
    "There are 2 things to watch here.",
    "I checked it 3 times, from the end to the start as well.",
    "Nothing else is given.",
)
"""Sentences that say nothing of the answer, so that solutions differ in length, lines and digits."""
REDRAWS = 6  # of the solutions, until the principle tells them all apart

CRITERIA = {
    "right": "a right final answer is better than a wrong one",
    "short": "fewer words are better",
    "long": "more words are better",
    "few lines": "fewer lines are better",
    "many lines": "more lines are better",
    "few digits": "fewer digits (0 to 9) are better",
    "many digits": "more digits (0 to 9) are better",
}
OPPOSITES = ({"short", "long"}, {"few lines", "many lines"}, {"few digits", "many digits"})
PRINCIPLES = tuple(
    order
    for size in (2, 3)
    for order in permutations(CRITERIA, size)
    if "right" in order and not any(pair <= set(order) for pair in OPPOSITES)
)
HELD_OUT = tuple(principle for principle in PRINCIPLES if hashlib.sha256(" ".join(principle).encode()).digest()[0] % 4 == 0)
"""Principles of NAME:rank_by_new_principle alone: whoever learned the others has not seen them."""
SEEN = tuple(principle for principle in PRINCIPLES if principle not in HELD_OUT)
Ranking = Environment[Any, Any, Any]


def rank_by_principle(declared: Declaration) -> Ranking | None:
    """Four solutions to rank by a principle such as "right first, then shorter"; None where scoring runs programs or has many turns."""
    return _ranking(declared, SEEN)


def rank_by_new_principle(declared: Declaration) -> Ranking | None:
    """The same with principles that NAME:rank_by_principle never has."""
    return _ranking(declared, HELD_OUT)


def _ranking(declared: Declaration, principles: Sequence[tuple[str, ...]]) -> Ranking | None:
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    answer = Verdicts(LETTERS, "place")
    data = base_task.data_class(declared, "Ranked", solutions=(tuple[str, ...], ...), principle=(tuple[str, ...], ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        principle = rng.choice(principles)
        writer = Solutions.of(declared, base, any_length=True)
        for draw in range(REDRAWS):
            texts = _written(rng.child("solutions", draw), writer)
            if len(set(_keys(declared, base, texts, principle))) == len(LETTERS):
                break
        drawn = data(question=base.prompt, inner=base.data, solutions=tuple(texts), principle=principle)
        return Task(_prompt(drawn), drawn)

    def solve(task: Task[Any]) -> tuple[str, ...]:
        keys = _keys(declared, base_task.unwrap(task), task.data.solutions, task.data.principle)
        return tuple(LETTERS[place] for place in sorted(range(len(LETTERS)), key=lambda place: (keys[place], place)))

    def verify(task: Task[Any], given: tuple[str, ...]) -> Score:
        right = solve(task)
        if sorted(given) != sorted(right):
            return Score.wrong("each letter is needed once", rank_agreement=0.0)
        agreement = rank_agreement(right, given)
        return Score.exact(given == right, "the order is another one", rank_agreement=agreement)

    def mistakes(task: Task[Any], right: tuple[str, ...]) -> list[tuple[str, ...]]:
        swapped = [_swapped(right, place) for place in range(len(right) - 1)]
        return [other for other in (LETTERS, right[::-1], *swapped) if other != right]

    def explain(task: Task[Any]) -> list[str]:
        base, lines = base_task.unwrap(task), []
        for letter, text in zip(LETTERS, task.data.solutions):
            counted = f"{len(shown(text).split())} words, {_lines(text)} lines, {_digits(text)} digits"
            lines.append(f"{letter} is {'right' if verdict_on(declared, base, text) == RIGHT else 'wrong'}, with {counted}.")
        return [*lines, f"So the order is {answer.render(solve(task))}"]

    return Environment(
        declared.config,
        answer,
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: declared.cost(base_task.unwrap(task)),
        explain,
        guessable="four solutions have 24 orders",
        concept="Apply the first criterion to all solutions, and the next one only among equals.",
        version=declared.version,
    )


def rank_agreement(right: Sequence[str], given: Sequence[str]) -> float:
    """The share of pairs that both orders put alike: 1 for equal ones, 0 for opposite ones; Kendall's tau is twice this, minus 1."""
    places = {letter: place for place, letter in enumerate(given)}
    pairs = [(one, other) for at, one in enumerate(right) for other in right[at + 1 :]]
    return sum(places[one] < places[other] for one, other in pairs) / len(pairs)


def _written(rng: Rng, writer: Solutions) -> list[str]:
    """Four solutions, about half of them right, with different remarks before and with fewer of their first steps."""
    right = writer.write(rng.child("right"), RIGHT, 2)
    wrong = writer.write(rng.child("wrong"), "wrong", 3) or writer.write(rng.child("wrong"), "invalid", 3)
    texts = [rng.choice(right if place < 2 else wrong) for place in range(len(LETTERS))]
    changed = []
    for text in texts:
        lines = text.split("\n")
        dropped = rng.integer(0, max(0, min(len(writer.steps), len(lines) - 1) - 1))
        remarks = rng.sample(REMARKS, rng.integer(0, 3))
        changed.append("\n".join([*remarks, *lines[dropped:]]))
    return rng.shuffled(changed)


def _keys(declared: Environment[Any, Any, Any], base: Task[Any], texts: Sequence[str], principle: Sequence[str]) -> list[tuple[int, ...]]:
    """A key for each text, of which a smaller one is better."""
    verdicts = [verdict_on(declared, base, text) for text in texts] if "right" in principle else ["" for _ in texts]
    measures: dict[str, Callable[[str], int]] = {
        "short": lambda text: len(shown(text).split()),
        "long": lambda text: -len(shown(text).split()),
        "few lines": _lines,
        "many lines": lambda text: -_lines(text),
        "few digits": _digits,
        "many digits": lambda text: -_digits(text),
    }
    return [
        tuple(int(verdict != RIGHT) if each == "right" else measures[each](text) for each in principle)
        for text, verdict in zip(texts, verdicts, strict=True)
    ]


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in shown(text).split("\n"))


def _digits(text: str) -> int:
    return sum(character in "0123456789" for character in shown(text))


def _swapped(order: tuple[str, ...], place: int) -> tuple[str, ...]:
    return (*order[:place], order[place + 1], order[place], *order[place + 2 :])


def _prompt(drawn: Any) -> str:
    listed = "\n".join(f"--- Solution {letter} ---\n{shown(text)}" for letter, text in zip(LETTERS, drawn.solutions))
    first, *rest = drawn.principle
    stated = "; ".join([f"first, {CRITERIA[first]}", *(f"among equals, {CRITERIA[each]}" for each in rest)])
    counted = [
        ("words", "Words are what spaces and line breaks separate."),
        ("lines", "Empty lines do not count."),
        ("", "The heading of a solution is no part of it."),
    ]
    notes = [note for what, note in counted if what in stated]
    return (
        f"Here is a task, and solutions of it by others.\n\n--- Task ---\n{drawn.question}\n{listed}\n--- End ---\n\n"
        f"Rank the solutions from the best to the worst by this principle alone: {stated}. Of solutions that are equal in all of this, the one with the "
        f"earlier letter is better. {' '.join(notes)}"
    )
