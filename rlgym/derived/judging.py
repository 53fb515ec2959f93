"""NAME:grade_solution, NAME:pairwise and NAME:best_of: judge whole solutions of tasks by others, in English or NAME:pairwise:de ... another language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.answers import Choice
from rlgym.core.config import knob
from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.formats import Translated
from rlgym.derived.judge_prompts import LETTERS, candidate_prompt, grading_prompt, pair_prompt
from rlgym.derived.judge_words import ENGLISH, JudgeWords
from rlgym.derived.verdicts import Verdicts
from rlgym.derived.written_solutions import INVALID, RIGHT, WRONG, Solutions, verdict_on

VERDICTS = (RIGHT, WRONG, INVALID)
REDRAWS = 4  # tasks tried for one with solutions of all required verdicts
TIES = 0.15  # share of the tasks of NAME:best_of with two right solutions
Draw = Callable[[Rng, Solutions], list[str]]
Judge = Environment[Any, Any, Any]


@dataclass(frozen=True)
class Shown:
    """How a judge task is put: the prompt of its items, its words, and its last line in another language."""

    prompt: Callable[[Sequence[Any], JudgeWords], str]
    words: JudgeWords
    closing: str


def grade_solution(declared: Declaration, words: JudgeWords = ENGLISH, closing: str = "") -> Judge | None:
    """One solution each of several tasks: right, wrong or invalid; None where scoring runs programs or has many turns.

    words    what the prompt says
    closing  its last line in another language, with the gaps {marks} and {instructions}
    """
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)

    def draw(rng: Rng, writer: Solutions) -> list[str]:
        first = rng.weighted(VERDICTS, (4, 4, 2))
        return next((texts for verdict in (first, INVALID, WRONG, RIGHT) if (texts := writer.write(rng, verdict))), [])

    def judge(verdicts: Sequence[str]) -> str:
        return verdicts[0]

    def parts(task: Task[Any], right: Sequence[str], answer: Sequence[str]) -> dict[str, float]:
        pairs = list(zip(right, answer))
        return {f"{true}_as_{said}": pairs.count((true, said)) / len(right) for true in VERDICTS for said in VERDICTS}

    answer = Verdicts(VERDICTS, "solution", words.verdicts, words.one_word, words.solution)
    return _several(declared, "Graded", answer, Shown(grading_prompt, words, closing), draw, judge, parts)


def pairwise(declared: Declaration, words: JudgeWords = ENGLISH, closing: str = "") -> Judge | None:
    """A right and a wrong solution each of several tasks, in random order; None where scoring runs programs or has many turns."""
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)

    def draw(rng: Rng, writer: Solutions) -> list[str]:
        right = writer.write(rng, RIGHT)
        worse = writer.write(rng, WRONG) or writer.write(rng, INVALID)
        return rng.shuffled(right + worse) if right and worse else []

    def judge(verdicts: Sequence[str]) -> str:
        return "A" if verdicts[0] == RIGHT else "B"

    def parts(task: Task[Any], right: Sequence[str], answer: Sequence[str]) -> dict[str, float]:
        pairs = list(zip(right, answer))
        lengths = [tuple(map(len, part.solutions)) for part in task.data.parts]
        longer = ["A" if first > second else "B" if second > first else "" for first, second in lengths]
        found = {f"{true}_as_{said}": pairs.count((true, said)) / len(right) for true in "AB" for said in "AB"}
        for name, letters in (("longer_right", right), ("longer_said", answer)):
            found[name] = sum(letter == each for letter, each in zip(letters, longer)) / len(right)
        return found

    answer = Verdicts(("A", "B"), "pair", ("A", "B"), words.one_word, words.pair)
    return _several(declared, "Paired", answer, Shown(pair_prompt, words, closing), draw, judge, parts)


def _several(
    declared: Environment[Any, Any, Any],
    title: str,
    answer: Verdicts,
    shown: Shown,
    draw: Draw,
    judge: Callable[[Sequence[str]], str],
    parts_of: Callable[[Task[Any], Sequence[str], Sequence[str]], dict[str, float]],
) -> Judge:
    """Several items, each a task and the solutions that `draw` writes; `judge` makes the right word from their verdicts."""
    config = base_task.extended_config(declared, title, item_count=(int, knob(4, easy=3, hard=5, doc=f"tasks, each with a {answer.item}")))
    part = base_task.data_class(declared, title, solutions=(tuple[str, ...], ...))
    data = base_task.task_list_class(part, "List")

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        parts: list[Any] = []
        for place in range(knobs.item_count):
            base, texts = drawn_solutions(declared, rng.child("item", place), knobs, draw, [each.question for each in parts])
            parts.append(part(question=base.prompt, inner=base.data, solutions=tuple(texts)))
        return Task(shown.prompt(parts, shown.words), data(parts=tuple(parts)))

    def solve(task: Task[Any]) -> tuple[str, ...]:
        return tuple(judge(verdicts_on(declared, each)) for each in task.data.parts)

    def verify(task: Task[Any], given: tuple[str, ...]) -> Score:
        right = solve(task)
        if len(given) != len(right):
            return Score.wrong(f"one word for each {answer.item} is needed")
        return Score.exact(given == right, f"some {answer.item} is judged wrongly", **parts_of(task, right, given))

    def mistakes(task: Task[Any], right: tuple[str, ...]) -> list[tuple[str, ...]]:
        constant = [(option,) * len(right) for option in answer.options]
        return [other for other in (*constant, right[::-1], *answer.near_misses(right)) if other != right]

    def explain(task: Task[Any]) -> list[str]:
        item = answer.item_word or answer.item.capitalize()
        lines = [f"{item} {number}: {reasons(declared, each, shown.words)}" for number, each in enumerate(task.data.parts, 1)]
        return [*lines, conclusion(answer.render(solve(task)), shown.words)]

    return Environment(
        config,
        Translated(answer, shown.closing) if shown.closing else answer,
        base_task.with_data_type(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: sum(declared.cost(base) for base in base_task.unwrap_all(task)),
        explain,
        guessable=f"at least three items with {len(answer.options)} words make few answers",
        concept="Solve each task yourself, and compare the final answers of the solutions with your own.",
        version=declared.version,
    )


def best_of(declared: Declaration, words: JudgeWords = ENGLISH, closing: str = "") -> Judge | None:
    """Six solutions of one task, of which one is right, or two; None where scoring runs programs or has many turns."""
    if not base_task.scores_in_process(declared):
        return None
    assert isinstance(declared, Environment)
    data = base_task.data_class(declared, "Candidates", solutions=(tuple[str, ...], ...))

    def draw(rng: Rng, writer: Solutions) -> list[str]:
        right = writer.write(rng, RIGHT, 2 if rng.chance(TIES) else 1)
        wrong = writer.write(rng, WRONG, len(LETTERS) - len(right))
        worse = wrong + writer.write(rng, INVALID, len(LETTERS) - len(right) - len(wrong))
        return rng.shuffled(right + worse) if right and worse else []

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base, texts = drawn_solutions(declared, rng, knobs, draw, ())
        drawn = data(question=base.prompt, inner=base.data, solutions=tuple(texts))
        return Task(candidate_prompt([drawn], words), drawn)

    def right_letters(task: Task[Any]) -> list[str]:
        return [letter for letter, verdict in zip(LETTERS, verdicts_on(declared, task.data)) if verdict == RIGHT]

    def verify(task: Task[Any], answer: str) -> Score:
        lengths = list(map(len, task.data.solutions))
        longest = LETTERS[lengths.index(max(lengths))]
        parts = {"first_said": answer == "A", "longest_said": answer == longest}
        right = right_letters(task)
        parts |= {"first_right": "A" in right, "longest_right": longest in right}
        return Score.exact(answer in right, "this solution is not right", **{name: float(value) for name, value in parts.items()})

    letters = Choice(tuple(LETTERS))
    told = closing.replace("{instructions}", words.one_letter.format(words=", ".join(LETTERS)))
    return Environment(
        declared.config,
        Translated(letters, told) if closing else letters,
        base_task.with_data_type(generate, data),
        lambda task: right_letters(task)[0],
        verify,
        lambda task, right: [letter for letter, _ in zip(LETTERS, task.data.solutions) if letter not in right_letters(task)],
        lambda task: declared.cost(base_task.unwrap(task)),
        lambda task: [
            reasons(declared, task.data, words),
            f"So a right answer is {right_letters(task)[0]}" if words is ENGLISH else conclusion(right_letters(task)[0], words),
        ],
        guessable="one of six solutions is right, sometimes two",
        concept="Solve the task yourself, and look for a solution with the same final answer.",
        version=declared.version,
    )


def drawn_solutions(
    declared: Environment[Any, Any, Any], rng: Rng, knobs: Any, draw: Draw, earlier: Sequence[str]
) -> tuple[Task[Any], list[str]]:
    """A task whose prompt is not among the earlier ones, and solutions of it."""
    for number in range(REDRAWS + 1):
        base = declared.generate(rng.child("task", number), knobs)
        last = number == REDRAWS
        texts = draw(rng.child("solutions", number), Solutions.of(declared, base, any_length=last))
        if texts and (last or base.prompt not in earlier):
            break
    return base, texts


def verdicts_on(declared: Environment[Any, Any, Any], part: Any) -> list[str]:
    """The verdicts on the solutions of an item."""
    return [verdict_on(declared, Task(part.question, part.inner), text) for text in part.solutions]


def reasons(declared: Environment[Any, Any, Any], part: Any, words: JudgeWords = ENGLISH) -> str:
    """The verdicts on the solutions of an item, in words."""
    spoken = dict(zip(VERDICTS, words.verdicts))
    verdicts = [spoken[verdict] for verdict in verdicts_on(declared, part)]
    if len(verdicts) == 1:
        return f"{verdicts[0]}."
    link = " is" if words is ENGLISH else words.colon
    return ", ".join(f"{letter}{link} {verdict}" for letter, verdict in zip(LETTERS, verdicts)) + "."


def conclusion(answer: str, words: JudgeWords) -> str:
    """The last line of an explanation."""
    return f"So the answer is {answer}" if words is ENGLISH else f"{words.final_answer}{words.colon} {answer}"
