"""Peels the layers off a text, one at a time. Every step takes time linear in the text, and there are few of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from rlgym.core.layout import items, tables
from rlgym.core.layout.approximation import without_approximations
from rlgym.core.layout.layers import Layer, Layers
from rlgym.core.layout.question import Question

MOST_LAYERS = 12
MOST_CHARACTERS = 200_000
"""Longer texts are read as they are."""

_FENCE_INFO = re.compile(r"[A-Za-z0-9_+#.-]{0,20}[ \t]*\n")
_LABEL = re.compile(
    r"[#>\s]{0,8}([*_]{1,3}\s{0,3})?(?:(?:so|thus|hence|therefore),?\s{1,3})?(?:(?:the|my|your)\s{1,3})?(?:(?:final|correct|right)\s{1,3})?(?:answer|result|solution|output|ans)"
    r"\s{0,3}(?(1)[*_]{0,3}\s{0,3})(?:(?:is|are)\b\s{0,3}:?|[:=])(?(1)[*_]{0,3})\s{0,3}",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?:#{1,6}[ \t]{1,3}(?:\*\*)?|\*\*|__)(?:(?:the|my|your)\s)?(?:(?:final|correct|right)\s)?(?:answer|result|solution|output)\s?:?(?:\*\*|__)?[ \t]{0,9}:?"
    r"[ \t]{0,9}\n",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(r"[A-Z][A-Za-z']{0,20}(?: [A-Za-z']{1,20}){1,10}:[ \t]{0,9}\n")  # "Here is the grid:"
_SENTENCE = re.compile(r"[Tt]he ([a-z]{1,20}(?: [a-z]{1,20}){0,6}) (?:is|equals|are)(?: equal to)?[ :]\s{0,9}(?=[-+−$\\(]{0,2}[0-9]|\\)")
_NAME = re.compile(
    r"\s{0,9}(?:\\angle\b|∠|angle\b)?\s{0,3}(\\?[A-Za-z][\w'′\\]{0,30}(?:[ /][\w'′]{1,30}){0,4})(?:\{[\w+ -]{1,12}\})?\s{0,3}([(\[][^()\[\]=\n]{0,40}[)\]])?"
    r"\s{0,3}(?:=(?!=)|:=|:(?=\s)|≈|&=)\s{0,9}"
)
_SENTENCE_LINE = re.compile(r"[A-Za-z0-9)\]]\.\Z")
_POWER = re.compile(r"(?<=[\w)\]])\*\*(?=[\w(-])")
_COMMAND = re.compile(
    r"\\(?:text|mathrm|mathbf|textbf|textit|mathit|mathsf|texttt|mathtt|operatorname|mbox|emph|textrm|displaystyle|mathbb)\s{0,3}\{"
)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s{0,4}\{")
_BRACE = re.compile(r"\\[{}]|[{}]")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“"}
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d", "-"),
        **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", None),
        **{chr(0xFF01 + k): chr(0x21 + k) for k in range(94)},  # full-width signs
        **dict.fromkeys("\u2018\u2019\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e", '"'),
        "。": ".",
        "、": ",",
    }
)


def peeled(text: str, layers: Layers, question: Question) -> Iterator[str]:
    """The text as it is, then with one more layer off each time."""
    yield text
    if len(text) > MOST_CHARACTERS:
        return
    for _ in range(MOST_LAYERS):
        text = text.strip()
        for peel in _peelers(layers, opens_with_sign=not text[:1].isalnum()):
            if (inner := peel(text, question)) is not None and inner != text:
                text = inner
                yield text
                break
        else:
            return


@cache
def _peelers(layers: Layers, opens_with_sign: bool) -> tuple[Peeler, ...]:
    """The peelers of these layers in their order; those of layers that open with a sign only for texts that do."""
    return tuple(peel for layer, peel in _PEELERS.items() if layer in layers and (opens_with_sign or layer not in _OPEN_WITH_SIGN))


def unknown_layout(text: str, layers: Layers) -> str:
    """The layout that is left around or within an answer because its format could not remove it; empty where there is none."""
    if len(text) > MOST_CHARACTERS or Layer.LABEL not in layers or Layer.QUOTES not in layers:
        return ""
    for pattern, what in _LEFT_OVER if _SIGN.search(text) else _LEFT_OVER_WITHOUT_SIGNS:
        if pattern.search(text):
            return what
    return ""


_SIGN = re.compile(r"[`~<>*_#\\{:→⇒]")
_A_SENTENCE = (re.compile(r"\A\s{0,9}(?:[A-Za-z]{1,20} ){0,4}(?:answer|result|solution|output)\b", re.IGNORECASE), "a sentence")
_LEFT_OVER = (
    (re.compile(r"```|~~~"), "a code fence"),
    (re.compile(r"\A\s{0,9}#{1,6} \w[^\n]{0,80}\n"), "a heading"),
    (re.compile(r"</?(?:b|i|em|strong|code|pre|p|span|div|br|u|li|ul|ol|td|tr|answer|final)\s?/?>", re.IGNORECASE), "an HTML tag"),
    (re.compile(r"\*\*[^*\n]{1,400}\*\*|__[A-Za-z0-9][^_\n]{0,400}__"), "bold"),
    (re.compile(r"\\(?:boxed|text|mathrm|textbf|mathbf|begin|fbox)\b"), "a LaTeX command"),
    _A_SENTENCE,
    (re.compile(r'\A\s{0,9}\{\s{0,9}"(?:answer|result|solution)"'), "a JSON object"),
    (re.compile(r"\A\s{0,9}(?:=>|>>|<<|==>|→|⇒)|(?:<<|>>|<==)\s{0,9}\Z"), "an arrow"),
    (re.compile(r"\A\s{0,9}[A-Z][A-Za-z']{0,20}(?: [A-Za-z']{1,20}){2,10}:\s"), "a sentence"),
)
_LEFT_OVER_WITHOUT_SIGNS = (_A_SENTENCE,)
"""Every other pattern needs one of the signs of `_SIGN`, which is found many times as fast."""


def _fence(text: str, question: Question) -> str | None:
    mark = text[:3]
    if mark not in ("```", "~~~") or not text.endswith(mark) or len(text) < 7:
        return None
    inner = text[3:-3].lstrip(mark[0])
    if mark in inner.rstrip(mark[0]):
        return None
    info = _FENCE_INFO.match(inner)
    return inner[info.end() :].rstrip(mark[0]).strip("\n") if info else inner.strip()


def _quotation(text: str, question: Question) -> str | None:
    if text[:1] != ">":
        return None
    # Lines after the first one may leave the sign out.
    lines = [line.rstrip() for line in text.split("\n")]
    inner = "\n".join(line[1:].removeprefix(" ") if line[:1] == ">" and line[1:2] in ("", " ") else line for line in lines)
    return inner if lines[0][1:2] in ("", " ") else None


def _bold(text: str, question: Question) -> str | None:
    for mark in ("**", "__", "*", "_"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            inner = text[len(mark) : -len(mark)]
            # `**a** and **b**` is not one bold text, but `**x**2**` is.
            return inner if inner.strip() and mark not in _POWER.sub("", inner.strip(mark[0])) else None
    return None


def _backticks(text: str, question: Question) -> str | None:
    for mark in ("``", "`"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            inner = text[len(mark) : -len(mark)]
            return inner if "`" not in inner and inner.strip() else None
    return None


def _math(text: str, question: Question) -> str | None:
    for opens, closes in (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")):
        if len(text) > 2 * len(opens) and text.startswith(opens) and text.endswith(closes):
            inner = text[len(opens) : -len(closes)]
            nested = inner.startswith(opens) and inner.endswith(closes)  # `$a$ and $b$` is not one formula
            return inner if nested or opens.replace("$$", "$") not in inner else None
    return None


def _command(pattern: re.Pattern[str], text: str) -> str | None:
    """The content of a LaTeX command around the whole text."""
    opened = pattern.match(text)
    if not opened or not text.endswith("}"):
        return None
    depth = 1
    for brace in _BRACE.finditer(text, opened.end()):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0:
            return text[opened.end() : brace.start()] if brace.end() == len(text) else None
    return None


def _quotes(text: str, question: Question) -> str | None:
    if len(text) < 3 or _QUOTES.get(text[0]) != text[-1]:
        return None
    inner = text[1:-1]
    return inner if text[0] not in inner and text[-1] not in inner else None


def _stop(text: str, question: Question) -> str | None:
    if text[-1:] not in (".", "。"):
        return None
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and all(map(_SENTENCE_LINE.search, lines)):
        return "\n".join(line[:-1] for line in lines)
    # A dot after a space is a cell of a grid, and so are dots in a row, but not the second one of ". . ..".
    cell = text[-2:-1].isspace() or (text[-2:-1] == "." and not text[-3:-2].isspace())
    return text[:-1] if len(text) > 1 and not cell else None


def _label(text: str, question: Question) -> str | None:
    if heading := _HEADING.match(text):
        return text[heading.end() :] or None
    match = _LABEL.match(text)
    if match and match[1] and not set("*_") & set(text[match.end(1) : match.end()]):
        match = None  # `**Answer: 7**` is bold as a whole
    match = match or (_LEAD_IN.match(text) if ":" in text else None)
    return text[match.end() :] if match and match.end() < len(text) else None


def _name(text: str, question: Question) -> str | None:
    if text[:1].isdigit():
        return None
    match = _NAME.match(text) or _SENTENCE.match(text)
    if not match or match.end() == len(text) or not question.names(match[1]):
        return None
    return text[match.end() :]


def _equals(text: str, question: Question) -> str | None:
    return text[1:] if text[:1] == "=" and text[1:2] not in ("", "=", ">", "<") else None


def _typography(text: str, question: Question) -> str | None:
    return None if text.isascii() else text.translate(_TYPOGRAPHY)


Peeler = Callable[[str, Question], str | None]

_PEELERS: dict[Layer, Peeler] = {
    Layer.FENCE: _fence,
    Layer.QUOTATION: _quotation,
    Layer.BOXED: lambda text, question: _command(_BOXED, text),
    Layer.TEXT: lambda text, question: _command(_COMMAND, text),
    Layer.MATH: _math,
    Layer.BOLD: _bold,
    Layer.BACKTICKS: _backticks,
    Layer.QUOTES: _quotes,
    Layer.LABEL: _label,
    Layer.STOP: _stop,
    Layer.ITEM_NAMES: items.without_names,
    Layer.NAME: _name,
    Layer.EQUALS: _equals,
    Layer.APPROXIMATION: without_approximations,
    Layer.UNIT: items.without_units,
    Layer.ITEMS: items.without_marks,
    Layer.BULLETS: items.without_bullets,
    Layer.TABLE: tables.without_rule,
    Layer.LINE_BRACKETS: items.without_line_brackets,
    Layer.SEMICOLONS: items.on_lines,
    Layer.PRODUCT: items.factors,
    Layer.AND: items.without_and,
    Layer.TYPOGRAPHY: _typography,
}
"""From the outside in: what stands around the whole comes off before what stands around items."""

_OPEN_WITH_SIGN = frozenset(
    {
        *(Layer.FENCE, Layer.QUOTATION, Layer.BOXED, Layer.TEXT, Layer.MATH, Layer.BOLD, Layer.BACKTICKS, Layer.QUOTES, Layer.EQUALS),
        Layer.LINE_BRACKETS,
    }
)
"""Layers whose first character is neither a letter nor a digit."""
