"""Nouns of German and Spanish with their articles."""

from __future__ import annotations

from collections.abc import Mapping

_GERMAN: Mapping[str, Mapping[str, str]] = {
    "ein.nom": {"m": "ein", "f": "eine", "n": "ein", "p": ""},
    "ein.acc": {"m": "einen", "f": "eine", "n": "ein", "p": ""},
    "ein.dat": {"m": "einem", "f": "einer", "n": "einem", "p": ""},
    "der.nom": {"m": "der", "f": "die", "n": "das", "p": "die"},
    "der.acc": {"m": "den", "f": "die", "n": "das", "p": "die"},
    "der.dat": {"m": "dem", "f": "der", "n": "dem", "p": "den"},
}
_SPANISH: Mapping[str, Mapping[str, str]] = {
    "un": {"m": "un", "f": "una", "p": "", "q": ""},
    "el": {"m": "el", "f": "la", "p": "los", "q": "las"},
}
GENDERS = ("m ", "f ", "n ", "p ", "q ")
"""What comes before a noun: its gender; `p` is a plural, and `q` a feminine plural in Spanish."""


def with_article(language: str, noun: str, form: str) -> str:
    """A noun, as `m Koffer`, with its article in a form such as `ein.acc` or `el`; without a form the bare word."""
    if not noun.startswith(GENDERS):
        return noun
    gender, _, word = noun.partition(" ")
    if not form:
        return word
    article = (_GERMAN if language == "german" else _SPANISH)[form][gender]
    return f"{article} {word}".strip()
