"""Messages in another language put in English word by word, for the grammars that read English.

The longest phrase of a glossary that begins at a word is taken. The order of the words stays, as the grammars read concepts rather than syntax. Words that the
glossary does not have stay as they are, so that they are foreign to every world.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+(?:[.:,/]\d+)*|\s+|.", re.DOTALL)
_ACCENTS = str.maketrans(
    {
        "\u00e4": "ae",
        "\u00f6": "oe",
        "\u00fc": "ue",
        "\u00df": "ss",
        "\u00e1": "a",
        "\u00e9": "e",
        "\u00ed": "i",
        "\u00f3": "o",
        "\u00fa": "u",
    }
    | {"\u00f1": "n", "\u00bf": "", "\u00a1": "", "\u2019": "'", "\u201e": '"', "\u201c": '"', "\u00ab": '"', "\u00bb": '"', "\u2212": "-"}
)
LONGEST = 6
"""The most words of a phrase."""
MOST_LEFT_OUT = 3
"""At most one in so many words is left out."""


class Idiom(NamedTuple):
    """A way to say something whose words mean something else one by one, and the English for it."""

    pattern: re.Pattern[str]
    words: str | Callable[[re.Match[str]], str]


class Glossary(NamedTuple):
    """The words of a language.

    idioms   rewritten first, in their order
    words    phrases with their English
    endings  endings that a word may have which stands in the glossary without them
    stems    endings that are tried in place of these
    compounds  what may stand between the two words of a compound; empty where the language has none
    nouns    those words of a text that name things, in plain letters; other unknown words say little and are left out, unless they are many
    """

    idioms: Sequence[Idiom]
    words: Mapping[str, str]
    endings: Sequence[str]
    stems: Sequence[str] = ("",)
    compounds: Sequence[str] = ()
    nouns: Callable[[str], frozenset[str]] = lambda text: frozenset()


def plain(text: str) -> str:
    """A text in lower case without accents, as the keys of a glossary are written."""
    return text.lower().translate(_ACCENTS)


def entries(language: str) -> dict[str, str]:
    """The glossary of a language, of lines such as `wie viele/wieviele = how many`; ValueError where a phrase stands twice."""
    text = files("rlgym.generators.users.translation").joinpath("words", f"{language}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rows = [line.split(" = ", 1) if " = " in line else (line.removesuffix(" ="), "") for line in lines]
    pairs = [(plain(phrase.strip()), english.strip()) for phrases, english in rows for phrase in phrases.split("/")]
    if twice := [phrase for phrase, count in Counter(phrase for phrase, _ in pairs).items() if count > 1]:
        raise ValueError(f"the {language} glossary has these phrases twice: {', '.join(twice)}")
    return dict(pairs)


def idioms(*pairs: tuple[str, str]) -> tuple[Idiom, ...]:
    return tuple(Idiom(re.compile(pattern), words) for pattern, words in pairs)


class Glossed(NamedTuple):
    """A text in English, with how many of its words the glossary has and how many there are, numbers and names aside."""

    text: str
    known: int
    words: int


def gloss(glossary: Glossary, text: str) -> Glossed:
    """A text with the words of a glossary put in English."""
    low = plain(text)
    for idiom in glossary.idioms:
        low = idiom.pattern.sub(idiom.words, low)
    tokens, said = _TOKEN.findall(low), set(_TOKEN.findall(plain(text)))
    nouns = glossary.nouns(text)
    out, spared, place, known, words, unknown = list[str](), list[str](), 0, 0, 0, 0
    while place < len(tokens):
        token = tokens[place]
        if not token[0].isalpha():
            out.append(token)
            spared.append(token)
            place += 1
            continue
        taken, english = _longest(glossary, tokens, place)
        count = (taken + 1) // 2
        words += count
        known += count if english is not None or token not in said else 0  # what an idiom has put in English is known
        unknown += english is None and token in said
        left_out = english is None and token in said and token not in nouns
        out.append("" if left_out else token if english is None else english)
        spared.append(token if english is None else english)
        place += taken
    if MOST_LEFT_OUT * unknown > words:
        out = spared
    spaced = re.sub(r"\s+", " ", "".join(out))
    return Glossed(re.sub(r" (?=[,.?!;:])", "", spaced).strip(), known, words)


def _longest(glossary: Glossary, tokens: Sequence[str], place: int) -> tuple[int, str | None]:
    """How many tokens the longest phrase at a place has, and its English; one token and nothing where no phrase begins there."""
    for count in range(LONGEST, 0, -1):
        piece = tokens[place : place + 2 * count - 1]
        if len(piece) == 2 * count - 1 and all(each.isspace() for each in piece[1::2]):
            phrase = " ".join(piece[::2])
            if phrase in glossary.words:
                return len(piece), glossary.words[phrase]
    return 1, _without_ending(glossary, tokens[place])


def _without_ending(glossary: Glossary, word: str) -> str | None:
    for ending in glossary.endings:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            base = word[: len(word) - len(ending)]
            for stem in glossary.stems:
                if base + stem in glossary.words:
                    return glossary.words[base + stem]
    return _compound(glossary, word) if glossary.compounds else None


def _compound(glossary: Glossary, word: str) -> str | None:
    """The English of a word that is made of two words of the glossary, as `Preisobergrenze`."""
    for place in range(len(word) - 4, 3, -1):
        left, right = word[:place], word[place:]
        first = next(
            (glossary.words[part] for part in (left, *(left.removesuffix(link) for link in glossary.compounds)) if part in glossary.words),
            None,
        )
        if first and right in glossary.words and glossary.words[right]:
            return f"{first} {glossary.words[right]}"
    return None
