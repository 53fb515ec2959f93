"""Numbers, dates and times of day in German and Spanish words, as English text has them."""

from __future__ import annotations

import re
from collections.abc import Sequence

SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_GERMAN = "null ein zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf dreizehn vierzehn fuenfzehn sechzehn siebzehn achtzehn neunzehn".split()
_GERMAN_TENS = "zwanzig dreissig vierzig fuenfzig sechzig siebzig achtzig neunzig".split()
_GERMAN_UNIT = "|".join(sorted(_GERMAN[1:], key=len, reverse=True))
_GERMAN_BELOW = rf"(?:(?:(?:{'|'.join(_GERMAN[1:10])})und)?(?:{'|'.join(_GERMAN_TENS)})|{_GERMAN_UNIT})"
_GERMAN_NUMBER = re.compile(
    rf"\b(?:(?P<thousands>{_GERMAN_UNIT})?(?P<thousand>tausend))?(?:und)?(?:(?P<hundreds>{'|'.join(_GERMAN[1:10])})?(?P<hundred>hundert))?(?:und)?"
    rf"(?P<below>{_GERMAN_BELOW})?(?P<ending>s)?\b"
)
_SPANISH = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno "
    "veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve"
).split()
_SPANISH_TENS = {word: 10 * number for number, word in enumerate("treinta cuarenta cincuenta sesenta setenta ochenta noventa".split(), 3)}
_SPANISH_HUNDREDS = {
    "cien": 100,
    "ciento": 100,
    **{
        f"{word}t{ending}s": 100 * number
        for number, word in ((2, "doscien"), (3, "trescien"), (4, "cuatrocien"), (6, "seiscien"), (8, "ochocien"))
        for ending in "oa"
    },
    **{f"{word}ient{ending}s": 100 * number for number, word in ((5, "quin"), (7, "setec"), (9, "novec")) for ending in "oa"},
}
_SPANISH_VALUES = (
    {word: number for number, word in enumerate(_SPANISH)} | {"un": 1, "una": 1, "veintiun": 21, "veintiuna": 21} | _SPANISH_TENS
)
_SPANISH_VALUES |= _SPANISH_HUNDREDS
_SPANISH_ANY = "|".join(sorted(_SPANISH_VALUES, key=len, reverse=True))
_SPANISH_NUMBER = re.compile(
    rf"\b(?:(?:(?:{_SPANISH_ANY}) )?mil(?: (?:{_SPANISH_ANY}))*|(?:{_SPANISH_ANY}))(?: (?:y )?(?:{_SPANISH_ANY}))*\b"
)


_MONTHS = "january february march april may june july august september october november december".split()


def dated(months: Sequence[str], match: re.Match[str]) -> str:
    """A date as English has it, of a match with `day`, `month` and maybe `year`; a month is one of the names, or a number with or without a full stop."""
    month = match["month"].rstrip(".")
    place = months.index(month) if month in months else min(12, max(1, int(month))) - 1
    return f"{match['day']} {_MONTHS[place]}{' ' + match['year'] if match['year'] else ''}"


def number_words(number: int) -> str:
    """A number as an English grammar reads it: small ones in words."""
    return SMALL[number] if number < len(SMALL) else str(number)


_GROUPED = re.compile(
    r"(?<![\d.,:/])[1-9]\d{0,2}(?:\.\d{3})+(?![\d:/]|[.,]\d)|(?<![\d.,:/])[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?= (?:muenzen|monedas|coins)\b)"
)
_WITHOUT_CENTS = re.compile(r"(?<![\d.,:])(\d+),(?:-|00\b)")
_DECIMAL = re.compile(r"(?<![\d.,:])(\d+),(\d)(?![\d.,:])")


def figures(text: str) -> str:
    """Figures as English has them: 1.340 and 1 340 coins are 1340, 20,- and 20,00 are 20, and 1,2 is 1.2."""
    joined = _GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), text)
    return _DECIMAL.sub(r"\1.\2", _WITHOUT_CENTS.sub(r"\1", joined))


def german_numbers(text: str) -> str:
    """A plain German text with its number words in English; "ein" stays, as it is an article."""
    return _GERMAN_NUMBER.sub(_german_number, text)


def _german_number(match: re.Match[str]) -> str:
    word = match[0]
    below = match["below"] or ""
    if not word or word in ("ein", "s", "und", "unds") or (match["ending"] and below != "ein"):
        return word
    if match["ending"] and not (match["hundred"] or match["thousand"]):
        return "one"
    value = (_german_below(match["thousands"] or "ein") * 1000 if match["thousand"] else 0) + (
        _german_below(match["hundreds"] or "ein") * 100 if match["hundred"] else 0
    )
    return number_words(value + (_german_below(below) if below else 0))


def _german_below(word: str) -> int:
    if word in _GERMAN:
        return _GERMAN.index(word)
    ones, und, tens = word.rpartition("und")
    return 10 * (_GERMAN_TENS.index(tens) + 2) + (_GERMAN.index(ones) if und else 0)


def spanish_numbers(text: str) -> str:
    """A plain Spanish text with its number words in English; "un" and "una" stay, as they are articles."""
    return _SPANISH_NUMBER.sub(_spanish_number, text)


def _spanish_number(match: re.Match[str]) -> str:
    words = [word for word in match[0].split() if word != "y"]
    if words in (["un"], ["una"]):
        return match[0]
    # "las dos y media" is a time, and "uno y dos" are two numbers.
    value, last = 0, 10**6
    for place, word in enumerate(words):
        if word == "mil":
            value, last = max(1, value) * 1000, 1000
            continue
        each = _SPANISH_VALUES[word]
        if place and each >= last:
            return " and ".join(number_words(_SPANISH_VALUES[one]) for one in words if one != "mil")
        value, last = value + each, 10 if each >= 20 and each % 10 == 0 and each < 100 else 100 if each >= 100 else 1
    return number_words(value)
