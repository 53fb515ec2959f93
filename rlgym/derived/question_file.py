"""An environment whose tasks are the questions of a file, as `rlgym dataset adopt` writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlgym.answers.questions import option_letters, same_answer
from rlgym.answers.text import Text
from rlgym.core.config import Config, knob
from rlgym.core.declare import Environment
from rlgym.core.errors import DeclarationError
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData

INSTRUCTIONS = "the final answer alone: a number, a formula, a letter or a few words, as the question asks"
WINDOW = 0.25
"""The share of the questions, in order of difficulty, from which a task is drawn."""


class Knobs(Config):
    """Questions of unknown difficulty are drawn alike at every level."""

    difficulty: float = knob(0.5, easy=0.0, hard=1.0, doc="the position among the questions in order of their stated difficulty")


class Data(TaskData):
    """One question: the label, its type, and the row of the file that it comes from."""

    answer: str
    type: str
    row: int
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True)
class Questions:
    """The questions of a file, from the easiest to the hardest where it states their difficulty."""

    rows: tuple[dict[str, Any], ...]

    @property
    def ranked(self) -> bool:
        return all(row.get("difficulty") is not None for row in self.rows)

    def at(self, difficulty: float) -> tuple[dict[str, Any], ...]:
        """The questions around a position in the order of difficulty; all where the order is unknown."""
        if not self.ranked:
            return self.rows
        width = max(1, round(WINDOW * len(self.rows)))
        begin = round(difficulty * (len(self.rows) - width))
        return self.rows[begin : begin + width]


def question_environment(file: str | Path, version: int = 1) -> Environment[Knobs, Data, str]:
    """The environment of a file of adopted questions: JSON lines with prompt, answer, type, row, and difficulty where it is known."""
    questions = Questions(tuple(_read(Path(file))))

    def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
        row = rng.choice(questions.at(knobs.difficulty))
        return Task(row["prompt"], Data(answer=row["answer"], type=row["type"], row=row["row"], wrong=_wrong_answers(row, questions, rng)))

    def cost(task: Task[Data]) -> float:
        place = next((place for place, row in enumerate(questions.rows) if row["row"] == task.data.row), 0)
        return float(place) if questions.ranked else float(len(task.prompt))

    return Environment(
        Knobs,
        Text(INSTRUCTIONS, max_characters=6000),
        generate,
        lambda task: task.data.answer,
        verify,
        lambda task, right: list(task.data.wrong),
        cost,
        planted=True,
        guessable="labels such as yes, no and letters of options come from the file",
        long_numbers="labels come from the file",
        shared_helpers="the oracle reads the file's label",
        version=version,
    )


def verify(task: Task[Data], answer: str) -> Score:
    """Compare an answer with the label by the rules of the label's type."""
    return Score.exact(same_answer(task.data.type, task.prompt, task.data.answer, answer), "this is not the answer of the file")


def _wrong_answers(row: dict[str, Any], questions: Questions, rng: Rng) -> tuple[str, ...]:
    """Answers of the same type that are not equal to the label."""
    if row["type"] == "choice":
        others: list[str] = sorted(option_letters(row["prompt"]))
    elif row["type"] == "boolean":
        others = ["yes", "no"]
    else:
        others = [rng.choice(questions.rows)["answer"] for _ in range(8)] + [f"{row['answer']} + 1", f"-({row['answer']})"]
    wrong = [other for other in others if not same_answer(row["type"], row["prompt"], row["answer"], other)]
    return tuple(dict.fromkeys(wrong))[:4]


def _read(file: Path) -> Iterator[dict[str, Any]]:
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
    except (OSError, ValueError) as error:
        raise DeclarationError(f"the questions {str(file)!r} cannot be read: {error}") from None
    if not rows:
        raise DeclarationError(f"{str(file)!r} holds no question")
    for row in rows:
        if missing := {"prompt", "answer", "type", "row"} - row.keys():
            raise DeclarationError(f"a question of {str(file)!r} has no {sorted(missing)[0]}")
    yield from sorted(rows, key=lambda row: (row.get("difficulty") is None, row.get("difficulty") or 0, row["row"]))
