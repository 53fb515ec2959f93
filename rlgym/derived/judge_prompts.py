"""The prompts of NAME:grade_solution, NAME:pairwise and NAME:best_of, in the words of a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from rlgym.derived.judge_words import ENGLISH, JudgeWords

LETTERS = "ABCDEF"  # of the candidates of NAME:best_of
SHOWN = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)


def shown(solution: str, words: JudgeWords = ENGLISH) -> str:
    """A solution as a prompt shows it: an answer between marks would be an answer of whoever repeats the prompt."""
    head = f"{words.final_answer}{words.colon}"
    return SHOWN.sub(lambda match: f"{head}{chr(10) if chr(10) in match[1] else ' '}{match[1]}", solution)


def grading_prompt(parts: Sequence[Any], words: JudgeWords = ENGLISH) -> str:
    """Tasks with a solution each."""
    listed = "\n".join(
        f"--- {words.task} {number} ---\n{part.question}\n--- {words.solution} {number} ---\n{shown(part.solutions[0], words)}"
        for number, part in enumerate(parts, 1)
    )
    return f"{words.grading.format(count=len(parts))}\n\n{listed}\n--- {words.end} ---\n\n{words.graded_by}"


def pair_prompt(parts: Sequence[Any], words: JudgeWords = ENGLISH) -> str:
    """Tasks with two solutions each."""
    # A heading of two nouns: English writes the second in small letters, German writes it as ever.
    solution = words.solution.lower() if words is ENGLISH else words.solution
    listed = "\n".join(
        f"--- {words.task} {number} ---\n{part.question}\n"
        + "\n".join(
            f"--- {words.pair} {number}, {solution} {letter} ---\n{shown(text, words)}" for letter, text in zip(LETTERS, part.solutions)
        )
        for number, part in enumerate(parts, 1)
    )
    return f"{words.comparing.format(count=len(parts))}\n\n{listed}\n--- {words.end} ---\n\n{words.compared_by}"


def candidate_prompt(parts: Sequence[Any], words: JudgeWords = ENGLISH) -> str:
    """One task with all its candidates."""
    [part] = parts
    listed = "\n".join(f"--- {words.solution} {letter} ---\n{shown(text, words)}" for letter, text in zip(LETTERS, part.solutions))
    return f"{words.choosing}\n\n--- {words.task} ---\n{part.question}\n{listed}\n--- {words.end} ---\n\n{words.chosen_by}"


PROMPTS: dict[str, Callable[..., str]] = {"grade_solution": grading_prompt, "pairwise": pair_prompt, "best_of": candidate_prompt}
"""The prompt of a judge task from its items, each with a question and solutions."""
