"""NAME:with_confidence, NAME:n_guesses, NAME:paraphrased and the same task asked for in other languages (NAME:de, NAME:zh ...)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.derived import inner as of
from rlgym.derived.formats import Asked, Guesses, Sure

AT_STAKE = 0.25
"""How much of the score is for the confidence."""
GUESSES = 3


def with_confidence(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """An answer with the probability that it is right, under a proper scoring rule.

    With c the confidence and w what is at stake, a right answer is worth 1 - w (1 - c)^2 and a wrong one w (1 - c^2): the Brier score of "Beyond Binary
    Rewards: Training LMs to Reason About Their Uncertainty", moved into [0, 1]. Stating the true probability pays best, and a wrong answer never
    pays more than w, which is what honest doubt is worth.
    """
    if not isinstance(declared, Environment):
        return None

    def verify(task: Task[Any], answer: tuple[Any, Fraction], *runner: Any) -> Score:
        value, chance = answer
        found = declared.verify(task, value, *runner)
        sure = float(chance)
        paid = found.value * (1 - AT_STAKE * (1 - sure) ** 2) + (1 - found.value) * AT_STAKE * (1 - sure**2)
        return Score.partial(paid, found.reason or "right, but stated as unsure", correct=found.value, brier=(sure - found.value) ** 2)

    solutions = declared.solutions
    return replace(
        declared,
        answer=Sure(declared.answer),
        solve=lambda task: (declared.solve(task), Fraction(1)),
        verify=verify,
        mistakes=lambda task, right: [(wrong, Fraction(1)) for wrong in declared.mistakes(task, right[0])],
        solutions=(lambda task: ((one, Fraction(1)) for one in solutions(task))) if solutions else None,
        explain=None,
        replay=None,
        partial=True,
        shift=None,
        statement=None,
        audit=None,
    )


def n_guesses(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """Several different answers, the likeliest first: the sooner the right one stands, the better. Listing costs nothing and guesses are few."""
    if not of.judges_without_programs(declared):
        return None
    assert isinstance(declared, Environment)
    data = of.model(declared, "Guesses", guesses=(int, ...))

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        available = 1 + len(of.wrong_texts(declared, base, declared.solve(base))[: GUESSES - 1])
        fewer = "" if available == GUESSES else f"\n\nFor this task, give only {available} answers."
        return Task(base.prompt + fewer, data(question=base.prompt, inner=base.data, guesses=available))

    def others(task: Task[Any], right: Any) -> list[Any]:
        return [declared.answer.parse(text) for text in of.wrong_texts(declared, of.inner(task), right)]

    def solve(task: Task[Any]) -> tuple[Any, ...]:
        right = declared.solve(of.inner(task))
        return (right, *others(task, right)[: task.data.guesses - 1])

    def verify(task: Task[Any], answer: tuple[Any, ...]) -> Score:
        if len(answer) != task.data.guesses or len(set(of.texts(declared, answer))) != len(answer):
            return Score.wrong(f"exactly {task.data.guesses} different answers are asked for")
        found = [declared.verify(of.inner(task), one).value == 1.0 for one in answer]
        if not any(found):
            return Score.wrong("none of the answers is right")
        return Score.partial(1 - found.index(True) / GUESSES, "a right answer stands, but not first")

    def mistakes(task: Task[Any], right: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        wrong = others(task, right[0])
        return [tuple(wrong[: task.data.guesses]), right[:-1]]

    return Environment(
        declared.config,
        Guesses(declared.answer, GUESSES),
        of.made(generate, data),
        solve,
        verify,
        mistakes,
        lambda task: declared.cost(of.inner(task)),
        partial=True,
        guessable=declared.guessable and f"{declared.guessable}; and there are {GUESSES} guesses",
        concept=declared.concept,
        version=declared.version,
    )


_FRAMES = (
    "{task}",
    "Here is a problem for you.\n\n{task}",
    "Please work on the following.\n\n{task}",
    "A colleague needs the answer to this:\n\n{task}\n\nTake the time that you need.",
    "Read all of this before you begin.\n\n{task}",
    "TASK\n====\n{task}",
    "### Problem\n\n{task}\n\n### What to do\n\nSolve it.",
    "> The text below is the whole problem; nothing is missing.\n\n{task}",
    "You are asked to solve one problem. It is this:\n\n{task}\n\nThat is all.",
    "[exercise]\n{task}\n[/exercise]",
    "I have been stuck on this for a while, can you help?\n\n{task}",
    "Question from a quiz:\n\n{task}",
    "The following was set as homework.\n\n{task}\n\nShow your reasoning if it helps you.",
    "Consider this carefully, step by step.\n\n{task}",
    "Solve:\n\n{task}",
    "Your next problem:\n\n{task}\n\n(There are no tricks in the wording.)",
)
_WORDS = {
    "Find": ("Determine", "Work out"), "Give": ("State", "Write down"), "Compute": ("Calculate", "Work out"), "Determine": ("Find", "Work out"),
    "Write": ("Put down",), "Fill": ("Complete",), "Decode": ("Decipher",), "Calculate": ("Compute", "Work out"),
}  # fmt: skip
_VERB = re.compile(rf"(?:(?<=\n)|(?<=[.?] )|^)({'|'.join(_WORDS)})(?= (?:the|a|an|all|its|their|each|one|any)\b)")

_OPENINGS = {
    "de": "Löse die folgende Aufgabe. Ihr Text ist auf Englisch.",
    "fr": "Résous le problème suivant. Son texte est en anglais.",
    "es": "Resuelve el siguiente problema. El texto está en inglés.",
    "zh": "请解答下面的题目。题目正文是英文。",
    "ja": "次の問題を解いてください。問題文は英語です。",
    "hi": "नीचे दिया गया प्रश्न हल करें। प्रश्न अंग्रेज़ी में है।",
    "ar": "حلّ المسألة التالية. نص المسألة باللغة الإنجليزية.",
}
_CLOSINGS = {
    "de": "Beende deine Antwort mit der endgültigen Lösung in der Form {marks}; an der Stelle von ... steht: {asks}.",
    "fr": "Termine ta réponse par la solution finale sous la forme {marks}, où ... est : {asks}.",
    "es": "Termina tu respuesta con la solución final en la forma {marks}, donde ... es: {asks}.",
    "zh": "请在回答的最后以 {marks} 的形式给出最终答案，其中 ... 为：{asks}。",
    "ja": "回答の最後に、最終的な答えを {marks} の形で書いてください。... の部分には次のものを書きます：{asks}。",
    "hi": "अपने उत्तर के अंत में अंतिम हल {marks} के रूप में लिखें, जहाँ ... की जगह यह हो: {asks}।",
    "ar": "اختم إجابتك بالحل النهائي بالشكل {marks}، حيث تكون ... هي: {asks}.",
}
LANGUAGES = tuple(_OPENINGS)


def paraphrased(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """The same tasks in other words around them: another frame, and other verbs of asking."""

    def reworded(rng: Rng, prompt: str) -> str:
        text = _VERB.sub(lambda found: rng.choice((*_WORDS[found[1]], found[1])), prompt)
        return rng.choice(_FRAMES[1:]).format(task=text)

    return _reworded(declared, reworded)


def in_language(code: str) -> Callable[[Declaration], Environment[Any, Any, Any] | None]:
    """The same tasks with what stands around them, and the closing line, in another language."""
    opening, line = _OPENINGS[code], _CLOSINGS[code]

    def make(declared: Declaration) -> Environment[Any, Any, Any] | None:
        made = _reworded(declared, lambda rng, prompt: f"{opening}\n\n{prompt}")
        return made and replace(made, answer=Asked(made.answer, line))

    return make


def _reworded(declared: Declaration, reword: Callable[[Rng, str], str]) -> Environment[Any, Any, Any] | None:
    if not isinstance(declared, Environment):
        return None
    data = of.model(declared, "Reworded")

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        return Task(reword(rng, base.prompt), data(question=base.prompt, inner=base.data))

    explain, solutions, audit = declared.explain, declared.solutions, declared.audit
    return replace(
        declared,
        generate=of.made(generate, data),
        solve=lambda task: declared.solve(of.inner(task)),
        verify=lambda task, answer, *runner: declared.verify(of.inner(task), answer, *runner),
        mistakes=lambda task, right: declared.mistakes(of.inner(task), right),
        cost=lambda task: declared.cost(of.inner(task)),
        explain=(lambda task: explain(of.inner(task))) if explain else None,
        solutions=(lambda task: solutions(of.inner(task))) if solutions else None,
        audit=(lambda task, runner: audit(of.inner(task), runner)) if audit else None,
        replay=None,
        shift=None,
        statement=None,
        picture=None,
    )
