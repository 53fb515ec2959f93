"""Questions with published answers: which type an answer has, and whether another answer says the same."""

from __future__ import annotations

import re
from fractions import Fraction

from rlgym.answers.maths.cleaning import cleaned
from rlgym.answers.maths.equivalence import equivalent
from rlgym.answers.maths.general import read_item
from rlgym.answers.maths.items import Item, Many, Matrix, Relation, Scalar, Words
from rlgym.answers.trees import Name, Number, exact, walk
from rlgym.core.answer import Unreadable

MOST_WORDS = 5
TYPES = (
    "integer", "rational", "decimal", "constant", "percentage", "quantity", "expression", "equation", "inequality", "interval", "set", "list",
    "tuple", "matrix", "choice", "boolean", "words",
)  # fmt: skip
"""The types of answers that are verified."""

_TRUTH = {"yes": True, "no": False, "true": True, "false": False}
_CHOICE = re.compile(r"\W*(?:option|choice|answer)?\W*([A-J])\W*", re.IGNORECASE)
_LETTERED = re.compile(r"\W*([A-J])\s*[).:\]]\s*\S.*", re.DOTALL)
_OPTION = re.compile(r"(?:^|[\s(\[{*$])([A-J])\s?[).:\]}]", re.MULTILINE)


def option_letters(prompt: str) -> set[str]:
    """The letters of the options that a question offers; empty where it offers none from A on."""
    letters = set(_OPTION.findall(prompt))
    return letters if {"A", "B"} <= letters else set()


def answer_type(prompt: str, answer: str) -> str:
    """The type of a question's answer, one of TYPES. Unreadable where it cannot be verified, with the reason."""
    plain = cleaned(answer).replace("⟦", "").replace("⟧", "").strip()
    if not plain:
        raise Unreadable("the answer is empty")
    if plain.strip(".").casefold() in _TRUTH:
        return "boolean"
    letter = _CHOICE.fullmatch(plain)
    if letter and (options := option_letters(prompt)):
        if letter[1].upper() not in options:
            raise Unreadable(f"the question has no option {letter[1].upper()}")
        return "choice"
    item = read_item(answer)
    if isinstance(item, Words) or (isinstance(item, Many) and any(isinstance(part, Words) for part in item.items)):
        return _type_of_words(plain)
    return _type_of_item(item)


def same_answer(kind: str, prompt: str, expected: str, given: str) -> bool:
    """Whether an answer says the same as the expected one, whose type is `kind`."""
    if kind == "boolean":
        one, other = (_TRUTH.get(cleaned(text).strip("⟦⟧. ").casefold()) for text in (expected, given))
        return one is not None and one == other
    if kind == "choice":
        return _letter(expected) == _letter(given) != ""
    if "%" in given and "%" not in expected and "percent" not in prompt.casefold() and "%" not in prompt:
        return equivalent(expected, given, percent_as_fraction=True)
    if equivalent(expected, given):
        return True
    return kind == "percentage" and equivalent(expected, given, percent_as_fraction=True)


def _letter(text: str) -> str:
    plain = cleaned(text).replace("⟦", "").replace("⟧", "").strip()
    match = _CHOICE.fullmatch(plain) or _LETTERED.fullmatch(plain)
    return match[1].upper() if match else ""


def _type_of_words(plain: str) -> str:
    words = re.findall(r"[^\W\d_]+", plain)
    if not words or len(words) > MOST_WORDS:
        raise Unreadable(f"the answer is free text of {len(words)} words")
    if re.search(r"[\\^_=<>{}]", plain):
        raise Unreadable("the answer is neither a formula that can be read nor a name")
    return "words"


def _type_of_item(item: Item) -> str:
    if isinstance(item, Matrix):
        return "matrix"
    if isinstance(item, Relation):
        return "equation" if set(item.signs) <= {"=", "!="} else "inequality"
    if isinstance(item, Many):
        if item.kind == "either":
            return "inequality"
        if item.kind in ("set", "list", "or"):
            return "set" if item.kind == "set" else "list"
        if item.kind == "union" or item.kind in ("[)", "(]", "[]"):
            return "interval"
        if item.kind == "()":
            return "tuple"
        raise Unreadable("the answer is a ratio or a sum that cannot be verified" if item.kind == "sum" else "the answer is a ratio")
    if isinstance(item, Words):
        raise Unreadable("the answer is free text")
    return _type_of_scalar(item)


def _type_of_scalar(item: Scalar) -> str:
    if item.percent:
        return "percentage"
    if item.unit:
        return "integer" if item.unit.startswith("base ") else "quantity"
    names = {node.text for node in walk(item.tree) if isinstance(node, Name)}
    if names - {"pi", "e", "i", "infinity"}:
        return "expression"
    try:
        value: Fraction = exact(item.tree)
    except ArithmeticError:
        return "constant"
    if value.denominator == 1:
        return "integer"
    return "decimal" if isinstance(item.tree, Number) else "rational"
