"""Which questions a verifier can judge, and why not the others."""

from __future__ import annotations

import re

from rlgym.answers.questions import TYPES, answer_type, option_letters, same_answer
from rlgym.core.answer import Unreadable
from rlgym.dataset.adopt.question import Question

MOST_PROMPT = 20_000
_PROOF = re.compile(
    r"\b(?:prove|proof|show that|verify that|justify|explain|describe|discuss|derive|sketch|draw|construct an? example)\b", re.IGNORECASE
)
_ASKS = re.compile(
    r"\b(?:find|compute|calculate|determine|evaluate|what|how (?:many|much)|which|solve|simplify|express|when|who|where)\b", re.IGNORECASE
)
_PICTURE = re.compile(
    r"\[asy\]|!\[[^\]]*\]\(|<img\b|\\includegraphics|\b(?:figure|diagram|picture|graph|chart|image)s?\s+(?:below|above|shown|at right|on the (?:left|right))"
    r"|\b(?:shown|as) in the (?:figure|diagram|picture|image)\b|\bthe (?:figure|diagram|picture|image) (?:shows|below|above)\b",
    re.IGNORECASE,
)
_OPTIONS = re.compile(r"\bwhich (?:one )?of the following\b", re.IGNORECASE)
_APPROXIMATE = re.compile(r"\\approx|≈|\b(?:about|approximately|roughly|around|nearly|close to)\b", re.IGNORECASE)
_ROUNDING = re.compile(r"\b(?:round|nearest|decimal places?|significant (?:figures|digits)|approximate)", re.IGNORECASE)
_PART = re.compile(r"(?:^|[\s:;.])\(?([a-d])\)\s", re.MULTILINE)
_MATHS_TYPES = {
    "number": ("integer", "rational", "decimal", "constant", "percentage"),
    "float": ("decimal", "integer", "rational", "constant"),
}
_STATED = {
    "int": "integer", "numeric": "number", "numerical": "number", "real": "float", "fraction": "rational", "multiple choice": "choice",
    "multiple_choice": "choice", "mcq": "choice", "bool": "boolean", "formula": "expression", "string": "words", "text": "words",
}  # fmt: skip


def rejection(question: Question) -> tuple[str, str] | None:
    """(reason, detail) why no verifier can judge a question; None where one can."""
    prompt, answer = question.prompt, question.answer
    if not prompt:
        return "no prompt", "the prompt is empty"
    if len(prompt) > MOST_PROMPT:
        return "long prompt", f"the prompt has {len(prompt)} characters"
    if not answer:
        return "no answer", "the answer is empty"
    if match := _PICTURE.search(prompt):
        return "picture", f"the question refers to a picture: {match[0]!r}"
    if (match := _PROOF.search(prompt)) and not _ASKS.search(prompt):
        return "proof", f"the question asks for a proof or an explanation: {match[0]!r}"
    if _OPTIONS.search(prompt) and not option_letters(prompt) and re.fullmatch(r"\W*[A-J]\W*", answer):
        return "no options", "the answer names an option that the question does not show"
    if (match := _APPROXIMATE.search(answer)) and not _ROUNDING.search(prompt):
        return "approximate", f"the answer is approximate ({match[0]!r}) and the question states no precision"
    parts = _PART.findall(prompt)
    if parts[:2] == ["a", "b"] and not option_letters(prompt) and not re.fullmatch(r"\W*[a-dA-D]\W*", answer):
        return "several parts", "the question has several parts and one answer"
    return _problem_of_answer(question)


def _problem_of_answer(question: Question) -> tuple[str, str] | None:
    try:
        kind = answer_type(question.prompt, question.answer)
    except Unreadable as why:
        return "unreadable", str(why)
    stated = _STATED.get(question.type, question.type)
    allowed = _MATHS_TYPES.get(stated, (stated,))
    if stated in (*TYPES, *_MATHS_TYPES) and kind not in allowed and not (stated == "expression" and kind in _MATHS_TYPES["number"]):
        return "type", f"the file states the type {question.type!r}, and the answer is of type {kind!r}"
    if not same_answer(kind, question.prompt, question.answer, question.answer):
        return "unreadable", "the verifier does not accept the answer itself"
    return None
