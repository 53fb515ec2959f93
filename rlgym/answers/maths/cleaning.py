"""Removes what does not belong to a mathematical answer in LaTeX: spacing, dollar signs, boxes."""

from __future__ import annotations

import re

from rlgym.answers.maths.published import as_read, without_words

_DROPPED = re.compile(
    r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|limits|mathrm\s{0,3}(?=\{[~\s]*\}))(?![A-Za-z])|\\!\s*|\\[,;: ]|~|\\q?quad(?=[A-Z\\]|[^A-Za-z]|x|$)|\\\$"
    r"|[€£¥]|\\hline|\\label\{[^{}]*\}"
)


_DEGREES = re.compile(r"\s*(?:\^(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))|°|\\degree(?![A-Za-z]))")


_BOXED = re.compile(r"\\(?:boxed|fbox|mathbf|bm|boldsymbol|overline|mathbb)\s{0,3}(?=\{)")


_TEXT = re.compile(r"\\(?:text|mathrm|operatorname|textbf|mbox|textnormal|textit|rm)\s{0,3}\{([^{}]{0,200})\}")


def cleaned(text: str) -> str:
    """A text without spacing, dollar signs and boxes, with `\\text{}` marked as ⟦words⟧ and degrees as °."""
    text = as_read(re.sub(r"\s+", " ", text))  # first, since the patterns below take quadratic time on long runs of spaces
    plain = text.replace("\\\\", "⏎") if "\\begin" in text else re.sub(r"\\\\(?=[A-Za-z(\[{])", r"\\", text)
    plain = re.sub(r"\s*\{\s*,\s*\}\s*|,\\!\s*", ",", plain.replace("−", "-").replace("–", "-"))
    plain = _TEXT.sub(lambda match: f"⟦{match[1].strip()}⟧", _DROPPED.sub(" ", _DEGREES.sub("°", plain)))
    plain = re.sub(r"\\[cdt]frac", r"\\frac", _BOXED.sub("", plain))
    plain = re.sub(r"\\frac(?:\s*(\\pi(?![A-Za-z])|[0-9])|\s([A-Za-z]))\s*(?=\{|\\pi(?![A-Za-z])|[0-9A-Za-z])", r"\\frac{\1\2}", plain)
    plain = re.sub(r"(\\frac\s*\{[^{}]*\})\s*(\\pi(?![A-Za-z])|[0-9A-Za-z])", r"\1{\2}", plain)
    for dressed, sign in (
        ("\\(", " "),
        ("\\)", " "),
        ("\\[", " "),
        ("\\]", " "),
        ("\\{", "⦃"),
        ("\\}", "⦄"),
        ("\\lbrace", "⦃"),
        ("\\rbrace", "⦄"),
        ("\\langle", "("),
        ("\\rangle", ")"),
        ("$", " "),
    ):
        plain = plain.replace(dressed, sign)
    return without_words(re.sub(r"\s+", " ", plain).strip().rstrip(".,;: ").strip())
