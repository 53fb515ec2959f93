"""Texts composed of sentences that state facts, in several styles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlgym.core.rng import Rng

Bank = Mapping[str, Sequence[str]]
"""For each kind of sentence its templates, with gaps for `str.format`."""

_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def write_sentence(rng: Rng, bank: Bank, kind: str, **gaps: object) -> str:
    """A sentence of a kind, with a capital letter at its beginning."""
    text = rng.choice(bank[kind]).format(**gaps)
    return text[0].upper() + text[1:]


def compose(rng: Rng, sentences: Sequence[str], openings: Sequence[str] = (), closings: Sequence[str] = (), most: int = 4) -> str:
    """The sentences in paragraphs of at most `most`, perhaps with an opening before and a closing sentence after them."""
    paragraphs, current = list[str](), list[str]()
    for sentence in sentences:
        current.append(sentence)
        if len(current) >= most or (len(current) > 1 and rng.chance(0.3)):
            paragraphs.append(" ".join(current))
            current = []
    if current:
        paragraphs.append(" ".join(current))
    if openings:
        paragraphs[0] = f"{rng.choice(openings)} {paragraphs[0]}"
    if closings:
        paragraphs[-1] = f"{paragraphs[-1]} {rng.choice(closings)}"
    return "\n\n".join(paragraphs)


def in_words(number: int) -> str:
    """A number below 100,000 in words: four hundred and twelve."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_SMALL[number % 10]}" if number % 10 else "")
    if number < 1000:
        rest = number % 100
        return f"{_SMALL[number // 100]} hundred" + (f" and {in_words(rest)}" if rest else "")
    rest = number % 1000
    return f"{in_words(number // 1000)} thousand" + (f"{' ' if rest >= 100 else ' and '}{in_words(rest)}" if rest else "")


def grouped(number: int) -> str:
    """A number in digits with a comma between thousands."""
    return f"{number:,}"
