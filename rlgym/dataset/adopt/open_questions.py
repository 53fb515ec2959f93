"""Questions with options as open ones: the answer is the text of the right option, and the options are gone."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from rlgym.answers.questions import answer_type, same_answer
from rlgym.core.answer import Unreadable
from rlgym.dataset.adopt.question import Question

FEWEST_OPTIONS = 3
_MARK = re.compile(r"(?:(?<=\s)|(?<=[$*({]))(?:\\text(?:bf|rm)?\{\s*)?\(?([A-J])\s?[).:](?:\s*\})?(?:\*\*)?[\s~\\]*", re.MULTILINE)
_LABEL = re.compile(r"\W*(?:option|choice|answer)?\W*([A-J])\b(?:\W*|\s*[).:]\s.*)", re.IGNORECASE | re.DOTALL)
_NEEDS_OPTIONS = re.compile(
    r"\b(?:following|these|options?|choices?|closest|nearest to|best (?:describes|approximates|estimate)|could be|can be|might be|may be|must be|cannot be|"
    r"is (?:not )?(?:possible|true|false|correct)|statements?|alternatives?)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|\b(?:find|compute|calculate|determine|evaluate|what|how (?:many|much)|solve|simplify|express|is|equals?)\b", re.IGNORECASE
)
_CLOSED_TYPES = ("choice", "boolean", "words")


def open_question(question: Question) -> Question | None:
    """The question without its options, and with the text of the right one as its answer; None where that is another or an unclear question.

    It needs three options or more in the order of their letters, a stem that asks without them (not "which of the following", "could be",
    "closest to"), an answer of a type with a value, and options of which no two are equal. After the reformulation in "Big-Math: A Large-Scale,
    High-Quality Math Dataset for Reinforcement Learning in Language Models", whose judges are models.
    """
    stem, options = split_options(question.prompt)
    if len(options) < FEWEST_OPTIONS or not _ASKS.search(stem) or _NEEDS_OPTIONS.search(stem):
        return None
    letter = _LABEL.fullmatch(question.answer)
    right = options.get(letter[1].upper()) if letter else next((text for text in options.values() if text == question.answer), None)
    if right is None:
        return None
    try:
        kind = answer_type(stem, right)
        # An option such as "none of these" or "cannot be determined" is no value, and shows that the stem does not stand alone.
        others = [text for text in options.values() if text is not right]
        if kind in _CLOSED_TYPES or any(answer_type(stem, text) in _CLOSED_TYPES for text in others):
            return None
    except Unreadable:
        return None
    if any(same_answer(kind, stem, right, text) for text in others):
        return None
    return replace(question, prompt=stem, answer=right, type="")


def split_options(prompt: str) -> tuple[str, dict[str, str]]:
    """The text before the options, and the options by their letters; no options where their letters do not run from A on, at the end."""
    marks = list(_MARK.finditer(f" {prompt}"))
    starts = [place for place, mark in enumerate(marks) if mark[1] == "A"]
    if not starts:
        return prompt, {}
    marks = marks[starts[-1] :]
    if [mark[1] for mark in marks] != [chr(ord("A") + place) for place in range(len(marks))]:
        return prompt, {}
    text = f" {prompt}"
    ends = [second.start() for _, second in pairwise(marks)] + [len(text)]
    options = {mark[1]: _bare(text[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)}
    return _bare(text[: marks[0].start()]), options


def _bare(text: str) -> str:
    """A piece without the marks that stood between it and the next one."""
    plain = re.sub(r"\\q?quad|\\hspace\{[^}]*\}|~", " ", text).strip().rstrip(",;(*-•").strip()
    plain = re.sub(r"(?:\\text(?:bf|rm)?\{)$", "", plain).strip()
    if plain.count("$") % 2:
        # One dollar sign opened or closed the whole row of options.
        plain = (
            plain.removesuffix("$").strip() if plain.endswith("$") else plain.removeprefix("$").strip() if plain.startswith("$") else plain
        )
    return plain.removesuffix("\\\\").strip()
