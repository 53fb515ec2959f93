"""Other texts made from a right one: reordered ones that are right too, and wrong ones that deny, hedge, drop or exchange what it says."""

import re
from collections.abc import Iterator

from rlgym.generators.writing.language import Language


def retracted_texts(text: str) -> list[str]:
    """A right text that is denied, hedged or opened to doubt by a sentence of no stated form."""
    return [f"{text} None of this is true.", f"It is not the case that {text[0].lower()}{text[1:]}", f"Perhaps {text[0].lower()}{text[1:]}"]


def without_each(language: Language, text: str, most: int = 3) -> list[str]:
    """The text without one of its sentences; wrong where every sentence is needed."""
    claims = language.read(text).claims
    return [(text[: claim.start] + text[claim.end :]).strip() for claim in claims[:most]] if len(claims) > 1 else []


def exchange_words(text: str, first: str, second: str) -> str:
    """The text with two words exchanged wherever they stand."""
    other = {first: second, second: first}
    return re.sub(rf"\b({re.escape(first)}|{re.escape(second)})\b", lambda match: other[match[1]], text)


def reordered_texts(language: Language, text: str, lists: bool = True) -> Iterator[str]:
    """The sentences of a text on lines of their own, in reverse order, and with their lists reversed: right where no order is required."""
    claims = language.read(text).claims
    sentences = [text[claim.start : claim.end] for claim in claims]
    yield "\n".join(sentences)
    yield "\n".join(f"- {sentence}" for sentence in sentences)
    yield " ".join(sentences[::-1])
    if lists:
        turned = [{gap: value[::-1] if isinstance(value, tuple) else value for gap, value in claim.values.items()} for claim in claims]
        yield " ".join(language.write(claim.form, **values) for claim, values in zip(claims, turned, strict=True))
