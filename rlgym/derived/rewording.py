"""NAME:paraphrased, NAME:without_tools, and the same tasks with a frame in another language (NAME:de, NAME:zh ...)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rlgym.core.declare import Declaration, Environment
from rlgym.core.paraphrase import paraphrase
from rlgym.core.rng import Rng
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.formats import Translated

_NO_TOOLS = "Solve this by thought alone: no program can be run, and there is no calculator and no other tool."
OPENINGS = {
    "de": "Löse die folgende Aufgabe. Ihr Text ist auf Englisch.",
    "fr": "Résous le problème suivant. Son texte est en anglais.",
    "es": "Resuelve el siguiente problema. El texto está en inglés.",
    "zh": "请解答下面的题目。题目正文是英文。",
    "ja": "次の問題を解いてください。問題文は英語です。",
    "hi": "नीचे दिया गया प्रश्न हल करें। प्रश्न अंग्रेज़ी में है।",
    "ar": "حلّ المسألة التالية. نص المسألة باللغة الإنجليزية.",
}
CLOSINGS = {
    "de": "Beende deine Antwort mit der endgültigen Lösung in der Form {marks}; an der Stelle von ... steht: {instructions}.",
    "fr": "Termine ta réponse par la solution finale sous la forme {marks}, où ... est : {instructions}.",
    "es": "Termina tu respuesta con la solución final en la forma {marks}, donde ... es: {instructions}.",
    "zh": "请在回答的最后以 {marks} 的形式给出最终答案，其中 ... 为：{instructions}。",
    "ja": "回答の最後に、最終的な答えを {marks} の形で書いてください。... の部分には次のものを書きます：{instructions}。",
    "hi": "अपने उत्तर के अंत में अंतिम हल {marks} के रूप में लिखें, जहाँ ... की जगह यह हो: {instructions}।",
    "ar": "اختم إجابتك بالحل النهائي بالشكل {marks}، حيث تكون ... هي: {instructions}.",
}


def paraphrased(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """The same tasks in another frame and with other verbs."""
    return _reword(declared, paraphrase)


def without_tools(declared: Declaration) -> Environment[Any, Any, Any] | None:
    """The same tasks without tools: the counterpart of NAME:with_python."""
    return _reword(declared, lambda rng, prompt: f"{prompt}\n\n{_NO_TOOLS}")


def in_language(code: str) -> Callable[[Declaration], Environment[Any, Any, Any] | None]:
    """The same tasks with a frame and a closing line in another language."""
    opening, line = OPENINGS[code], CLOSINGS[code]

    def make(declared: Declaration) -> Environment[Any, Any, Any] | None:
        reworded = _reword(declared, lambda rng, prompt: f"{opening}\n\n{prompt}")
        return reworded and replace(reworded, answer=Translated(reworded.answer, line))

    return make


def _reword(declared: Declaration, reword: Callable[[Rng, str], str]) -> Environment[Any, Any, Any] | None:
    if not isinstance(declared, Environment):
        return None
    data = base_task.data_class(declared, "Reworded")

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        base = declared.generate(rng.child("task"), knobs)
        return Task(reword(rng, base.prompt), data(question=base.prompt, inner=base.data))

    explain, solutions, audit = declared.explain, declared.solutions, declared.audit
    return replace(
        declared,
        generate=base_task.with_data_type(generate, data),
        solve=lambda task: declared.solve(base_task.unwrap(task)),
        verify=lambda task, answer, *runner: declared.verify(base_task.unwrap(task), answer, *runner),
        mistakes=lambda task, right: declared.mistakes(base_task.unwrap(task), right),
        cost=lambda task: declared.cost(base_task.unwrap(task)),
        solution=None,
        explain=(lambda task: explain(base_task.unwrap(task))) if explain else None,
        solutions=(lambda task: solutions(base_task.unwrap(task))) if solutions else None,
        audit=(lambda task, *runner: audit(base_task.unwrap(task), *runner)) if audit else None,
        replay=None,
        shift=None,
        statement=None,
        picture=None,
    )
