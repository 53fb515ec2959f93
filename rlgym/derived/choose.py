"""NAME:choose and NAME:grade: tell right answers from near misses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlgym.answers import Choice, Letters
from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task

LETTERS = "ABCDEFGH"
PROPOSALS = 6  # answers to grade in one task
MAX_CHARACTERS = 4_000  # of one proposal


def choose(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """One proposal is right, the others are mistakes and near misses; None where scoring runs programs or has many turns."""
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    data = base_task.data_class(declared, "Options", options=(tuple[str, ...], ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base, options = sampled_options(declared, rng, knobs)
        return Task(choice_prompt(base.prompt, options), data(question=base.prompt, inner=base.data, options=tuple(options)))

    def solve(task: Task[Any]) -> str:
        """Solves the task and compares, or scores each option."""
        return _right_letters(declared, task)[0]

    def verify(task: Task[Any], answer: str) -> Score:
        at = LETTERS.index(answer)
        is_right = at < len(task.data.options) and base_task.score_text(declared, base_task.unwrap(task), task.data.options[at]) == 1.0
        return Score.exact(is_right, "this answer is not right")

    return Environment(
        declared.config,
        Choice(tuple(LETTERS)),
        base_task.with_data_type(generate, data),
        solve,
        verify,
        lambda task, right: [letter for letter, _ in zip(LETTERS, task.data.options) if letter != right],
        lambda task: declared.cost(base_task.unwrap(task)),
        lambda task: [*_reasons(declared, task), f"So the right answer is {_right_letters(declared, task)[0]}"],
        guessable="one of at most eight options is right",
        concept=declared.concept,
        version=declared.version,
    )


def grade(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """Several proposals, each right or wrong; None where scoring runs programs or has many turns."""
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    data = base_task.data_class(declared, "Proposals", options=(tuple[str, ...], ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        right = declared.solve(base)
        good = _short_enough(base_task.right_texts(declared, base, right, 1 + PROPOSALS // 2))
        spellings = [text for text in declared.answer.variants(right) if text.strip() == text and text not in good]
        good += [text for text in _short_enough(spellings) if base_task.score_text(declared, base, text) == 1.0]
        bad = _short_enough(base_task.wrong_texts(declared, base, right))
        correct_flags = [rng.chance(0.5) for _ in range(PROPOSALS)]
        shown = rng.sample(good, min(len(good), sum(correct_flags))) + rng.sample(bad, min(len(bad), PROPOSALS - sum(correct_flags)))
        shown = shown or rng.sample(bad, min(len(bad), PROPOSALS))  # where right answers are too long to be shown
        task_data = data(question=base.prompt, inner=base.data, options=tuple(rng.shuffled(shown)))
        question = "Which of these answers are right? Each may be right or wrong, whatever the others are; the way an answer is spelled does not matter."
        return Task(_prompt(task_data.question, task_data.options, question), task_data)

    def solve(task: Task[Any]) -> tuple[str, ...]:
        return tuple(_right_letters(declared, task))

    def verify(task: Task[Any], answer: tuple[str, ...]) -> Score:
        judged = [base_task.score_text(declared, base_task.unwrap(task), text) == 1.0 for text in task.data.options]
        right = tuple(letter for letter, good in zip(LETTERS, judged) if good)
        return Score.exact(answer == right, "some answer is judged wrongly")

    def mistakes(task: Task[Any], right: tuple[str, ...]) -> list[tuple[str, ...]]:
        letters = tuple(letter for letter, _ in zip(LETTERS, task.data.options))
        others = [tuple(letter for letter in letters if (letter in right) != (letter == other)) for other in letters]
        return [other for other in (letters, (), *others) if other != right]

    return Environment(
        declared.config,
        Letters(LETTERS),
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: declared.cost(base_task.unwrap(task)),
        lambda task: [*_reasons(declared, task), f"So the right answers are {' '.join(solve(task)) or 'none'}"],
        guessable="six proposals make few sets",
        concept=declared.concept,
        version=declared.version,
    )


def sampled_options(declared: Environment[Any, Any, Any], rng: Rng, knobs: Any) -> tuple[Task[Any], list[str]]:
    """A task, and the right answer among wrong ones in random order."""
    base = declared.generate(rng.child("task"), knobs)
    right = declared.solve(base)
    wrong = _short_enough(base_task.confusable_texts(declared, base, rng, right, len(LETTERS) - 1))
    return base, rng.shuffled([declared.answer.render(right), *wrong])


def choice_prompt(question: str, options: Sequence[str]) -> str:
    """The prompt of a choice of which exactly one option is right."""
    return _prompt(question, tuple(options), "Exactly one of these answers is right. Which one?")


def right_letters(declared: Environment[Any, Any, Any], base: Task[Any], options: Sequence[str]) -> list[str]:
    """The letters of the right options: those that equal the oracle's answer and those that score 1."""
    right = declared.solve(base)
    good = [_parses_to(declared, text, right) or base_task.score_text(declared, base, text) == 1.0 for text in options]
    return [letter for letter, is_good in zip(LETTERS, good) if is_good]


def _right_letters(declared: Environment[Any, Any, Any], task: Task[Any]) -> list[str]:
    return right_letters(declared, base_task.unwrap(task), task.data.options)


def _parses_to(declared: Environment[Any, Any, Any], text: str, right: Any) -> bool:
    try:
        return bool(declared.answer.parse(text) == right)
    except ValueError:
        return False


def _reasons(declared: Environment[Any, Any, Any], task: Task[Any]) -> list[str]:
    """The verifier's reason for each proposal."""
    base, reasons = base_task.unwrap(task), []
    for letter, text in zip(LETTERS, task.data.options):
        score = declared.verify(base, declared.answer.parse(text))
        reasons.append(f"{letter}: {'right' if score.value == 1.0 else 'wrong, ' + (score.reason or 'it is another one')}")
    return reasons


def _short_enough(options: list[str]) -> list[str]:
    return [text for text in options if len(text) <= MAX_CHARACTERS]


def _prompt(question: str, options: tuple[str, ...], question_line: str) -> str:
    listed = "\n".join(f"{letter}:{chr(10) if chr(10) in text else ' '}{text}" for letter, text in zip(LETTERS, options))
    return f"Here is a task, and answers to it by others.\n\n--- Task ---\n{question}\n\n--- Answers ---\n{listed}\n--- End ---\n\n{question_line}"
