"""The sentences of a response, and the texts that each may stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BULLET = re.compile(r"[ \t]*(?:#{1,6}\s+)?(?:[-*•+]\s+)?(?:\*\*|__)?")
_LABEL = re.compile(r"(?:step\s+\d+\s*(?:[:.)]|(?=\*\*|\n|$))|\(?\d{1,3}[.)](?=\s|\*|$))(?:\*\*|__)?[:.]?[^\S\n]*", re.IGNORECASE)
_CONNECTOR = re.compile(
    r"(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|now|finally|lastly|so|thus|therefore|hence|also|and|after that|from this)\b,?\s+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[^\s.!?][.!?])(?:\*\*|__)?\s+|(?<=\s[?!])\s+(?=[A-Z])")
_ANSWER = re.compile(r"<answer>|\\boxed|<confidence>", re.IGNORECASE)


def sentence_spans(response: str) -> Iterator[tuple[int, int]]:
    """The spans of the sentences of each line, up to the answer."""
    for line in re.finditer(r"[^\n]+", response):
        if _ANSWER.search(line[0]) is not None and not line[0][: _ANSWER.search(line[0]).start()].strip():  # type: ignore[union-attr]
            continue
        start = line.start() + len(line[0]) - len(line[0].lstrip())
        bullet = _BULLET.match(response, start)
        assert bullet is not None
        label = _LABEL.match(response, bullet.end())
        sentences_from = label.end() if label else bullet.end()
        if not response[sentences_from : line.end()].strip("*_: \t"):
            continue
        for gap in [*_SENTENCE_END.finditer(response, sentences_from, line.end()), None]:
            end = gap.start() if gap else line.start() + len(line[0].rstrip())
            if end > start:
                yield start, end
            start = gap.end() if gap else end


def readings_of(text: str) -> list[str]:
    """The texts that a unit may stand for: as it is; without bullet and markup, label, connecting word; with another first letter's case,
    another spacing, and a full stop more or less."""
    bullet = _BULLET.match(text)
    assert bullet is not None
    bare = text[bullet.end() :]
    label = _LABEL.match(bare)
    bodies = [text.strip(), bare, *([bare[label.end() :]] if label else [])]
    connector = _CONNECTOR.match(bodies[-1].strip("*_ "))
    if connector:
        bodies.insert(-1, bodies[-1].strip("*_ ")[connector.end() :])
    out = list[str]()
    for body in reversed(bodies):
        plain, marked = body.replace("**", "").strip().strip("`").strip(), body.strip().removesuffix("**").strip()
        spellings = (plain, re.sub(r"[ \t]+", " ", plain), " ".join(plain.split()), marked, re.sub(r"[ \t]+", " ", marked), body.strip())
        for spelling in dict.fromkeys(spellings):
            for first in (spelling[:1], spelling[:1].upper(), spelling[:1].lower()):
                sentence = first + spelling[1:].removesuffix(".")
                out += [sentence, f"{sentence}."]
    return [reading for reading in dict.fromkeys(out) if any(map(str.isalnum, reading))]


def is_labelled(response: str, start: int) -> bool:
    """Whether a label such as `Step 3:` stands at this place, perhaps behind a bullet."""
    bullet = _BULLET.match(response, start)
    return bullet is not None and _LABEL.match(response, bullet.end()) is not None
