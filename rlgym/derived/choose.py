"""NAME:choose and NAME:grade: tell right answers from near misses."""

from __future__ import annotations

from typing import Any

from rlgym.answers import Choice, Letters
from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import inner as of

LETTERS = "ABCDEFGH"
PROPOSED = 6  # answers that are graded in one task
LONGEST = 4_000  # characters of one proposal


def choose(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """One proposal is right, the others are mistakes and near misses; None where answers cannot be judged at once."""
    if not of.judges_without_programs(declared):
        return None
    assert isinstance(declared, Environment)
    data = of.model(declared, "Options", options=(tuple[str, ...], ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        right = declared.solve(base)
        wrong = _short(of.wrong_texts(declared, base, right))
        options = [declared.answer.render(right), *rng.sample(wrong, min(len(wrong), len(LETTERS) - 1))]
        made = data(question=base.prompt, inner=base.data, options=tuple(rng.shuffled(options)))
        prompt = _prompt(made.question, made.options, "Exactly one of these answers is right. Which one?")
        return Task(prompt, made)

    def solve(task: Task[Any]) -> str:
        """By solving the task first where it has one answer, else by judging each."""
        return _right(declared, task)[0]

    def verify(task: Task[Any], answer: str) -> Score:
        at = LETTERS.index(answer)
        here = at < len(task.data.options) and of.judged(declared, of.inner(task), task.data.options[at]) == 1.0
        return Score.exact(here, "this answer is not right")

    return Environment(
        declared.config,
        Choice(tuple(LETTERS)),
        of.made(generate, data),
        solve,
        verify,
        lambda task, right: [letter for letter, _ in zip(LETTERS, task.data.options) if letter != right],
        lambda task: declared.cost(of.inner(task)),
        lambda task: [*_reasons(declared, task), f"So the right answer is {_right(declared, task)[0]}"],
        guessable="one of at most eight options is right",
        concept=declared.concept,
        version=declared.version,
    )


def grade(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """Several proposals, each right or wrong; None where answers cannot be judged at once."""
    if not of.judges_without_programs(declared):
        return None
    assert isinstance(declared, Environment)
    data = of.model(declared, "Proposals", options=(tuple[str, ...], ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        right = declared.solve(base)
        good = _short(of.right_texts(declared, base, right, 1 + PROPOSED // 2))
        spellings = [text for text in declared.answer.variants(right) if text.strip() == text and text not in good]
        good += [text for text in _short(spellings) if of.judged(declared, base, text) == 1.0]
        bad = _short(of.wrong_texts(declared, base, right))
        wanted = [rng.chance(0.5) for _ in range(PROPOSED)]
        shown = rng.sample(good, min(len(good), sum(wanted))) + rng.sample(bad, min(len(bad), PROPOSED - sum(wanted)))
        made = data(question=base.prompt, inner=base.data, options=tuple(rng.shuffled(shown)))
        asked = "Which of these answers are right? Each may be right or wrong, whatever the others are; the way an answer is spelled does not matter."
        return Task(_prompt(made.question, made.options, asked), made)

    def solve(task: Task[Any]) -> tuple[str, ...]:
        return tuple(_right(declared, task))

    def verify(task: Task[Any], answer: tuple[str, ...]) -> Score:
        judged = [of.judged(declared, of.inner(task), text) == 1.0 for text in task.data.options]
        right = tuple(letter for letter, good in zip(LETTERS, judged) if good)
        return Score.exact(answer == right, "some answer is judged wrongly")

    def mistakes(task: Task[Any], right: tuple[str, ...]) -> list[tuple[str, ...]]:
        letters = tuple(letter for letter, _ in zip(LETTERS, task.data.options))
        others = [tuple(letter for letter in letters if (letter in right) != (letter == other)) for other in letters]
        return [other for other in (letters, (), *others) if other != right]

    return Environment(
        declared.config,
        Letters(LETTERS),
        of.made(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: declared.cost(of.inner(task)),
        lambda task: [*_reasons(declared, task), f"So the right answers are {' '.join(solve(task)) or 'none'}"],
        guessable="six proposals make few sets",
        concept=declared.concept,
        version=declared.version,
    )


def _right(declared: Environment[Any, Any, Any], task: Task[Any]) -> list[str]:
    """The letters of the right options: those that say what the oracle does, and those that are judged to be worth the same."""
    base = of.inner(task)
    right = declared.solve(base)
    good = [_same(declared, text, right) or of.judged(declared, base, text) == 1.0 for text in task.data.options]
    return [letter for letter, found in zip(LETTERS, good) if found]


def _same(declared: Environment[Any, Any, Any], text: str, right: Any) -> bool:
    try:
        return bool(declared.answer.parse(text) == right)
    except ValueError:
        return False


def _reasons(declared: Environment[Any, Any, Any], task: Task[Any]) -> list[str]:
    """What is wrong with each proposal, in the verifier's words."""
    base, said = of.inner(task), []
    for letter, text in zip(LETTERS, task.data.options):
        score = declared.verify(base, declared.answer.parse(text))
        said.append(f"{letter}: {'right' if score.value == 1.0 else 'wrong, ' + (score.reason or 'it is another one')}")
    return said


def _short(options: list[str]) -> list[str]:
    return [text for text in options if len(text) <= LONGEST]


def _prompt(question: str, options: tuple[str, ...], asked: str) -> str:
    listed = "\n".join(f"{letter}:{chr(10) if chr(10) in text else ' '}{text}" for letter, text in zip(LETTERS, options))
    return f"Here is a task, and answers to it by others.\n\n--- Task ---\n{question}\n\n--- Answers ---\n{listed}\n--- End ---\n\n{asked}"
