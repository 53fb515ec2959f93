"""What people say in another language: English replies matched with templates, each of which has its words in the other languages.

A reply is a row of sentences, each of which comes from one template of the English phrases; `phrases` has the templates by world, one a line, with the
German and the Spanish words after `|`. Slots stand in braces. `{kind:ein.acc}` in a German template is the noun with the indefinite article in the accusative.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from rlgym.generators.users.translation.nouns import with_article

LANGUAGES = ("english", "german", "spanish")
"""The languages that people speak."""
COMMON = "common"
_ASKED_ABOUT = ("thing", "item", "kind", "material", "colour", "mark", "feature", "way", "place")
"""The slots whose words agents use in questions, as in "Ist es ein Koffer oder ein Rucksack?"."""
_SLOT = re.compile(r"\{(?P<slot>[a-z_]+?)(?P<number>\d*)(?::(?P<form>[\w.]+))?\}")
_PATTERNS: Mapping[str, str] = {
    "n": r"-?\d+",
    "code": r"[A-Z]+\d+",
    "codes": r"[A-Z]+\d+(?:, [A-Z]+\d+)*",
    "bar": r"\d\.\d",
    "phone": r"0\d{3} \d{5}",
    "sid": r"s\d+",
    "email": r"\S+@\S*\w",
    "flight": r"[A-Z]{2} \d+",
    "name": r"[A-Z][a-z]+ [A-Z][a-z]+",
    "word": r"[A-Z][a-z]+",
    "time": r"\d{1,2}:\d\d",
    "iso": r"\d{4}-\d\d-\d\d",
    "quoted": r'"[^"]*"(?: and "[^"]*")*',
    "nth": r"\d+(?:st|nd|rd|th)",
    "numbers": r"\d+(?:, \d+)*(?: or \d+)?",
}


class Template(NamedTuple):
    pattern: re.Pattern[str]
    words: str
    literal: int
    slots: tuple[str, ...]


class Phrases(NamedTuple):
    """The templates of a world in a language by their first letter, those that begin with a slot, and the words by slot."""

    by_letter: Mapping[str, tuple[Template, ...]]
    anywhere: tuple[Template, ...]
    words: Mapping[str, Mapping[str, str]]


def translated(language: str, world: str, reply: str) -> str:
    """An English reply in another language; sentences that no template has stay in English."""
    return " ".join(part for part, _ in pieces(language, world, reply)) if language != LANGUAGES[0] else reply


def pieces(language: str, world: str, reply: str) -> list[tuple[str, bool]]:
    """The sentences of a reply in another language, each with whether a template has it."""
    phrases, out, place = find_phrases(language, world), list[tuple[str, bool]](), 0
    while place < len(reply):
        if reply[place] == " ":
            place += 1
            continue
        found = _best(phrases, reply, place)
        if found is None:
            end = re.compile(r"[.!?]+(?= |$)|$").search(reply, place)
            stop = end.end() if end else len(reply)
            out.append((reply[place:stop], False))
            place = stop
            continue
        template, match = found
        words = _filled(language, phrases, template, match)
        after_colon = bool(out) and out[-1][0].endswith(":")
        out.append((words if after_colon or not words else words[:1].upper() + words[1:], True))
        place = match.end()
    return out


def _best(phrases: Phrases, reply: str, place: int) -> tuple[Template, re.Match[str]] | None:
    """The template that takes the most of a reply from a place on."""
    best: tuple[Template, re.Match[str]] | None = None
    for template in (*phrases.by_letter.get(reply[place].lower(), ()), *phrases.anywhere):
        match = template.pattern.match(reply, place)
        if match and (best is None or (match.end(), template.literal) > (best[1].end(), best[0].literal)):
            best = (template, match)
    return best


def _filled(language: str, phrases: Phrases, template: Template, match: re.Match[str]) -> str:
    values = dict(zip(template.slots, match.groups()))

    def fill(slot: re.Match[str]) -> str:
        kind, value = slot["slot"], values[slot["slot"] + slot["number"]]
        return _value(language, phrases, kind, value, slot["form"] or "")

    return _contracted(language, _SLOT.sub(fill, template.words))


def _value(language: str, phrases: Phrases, kind: str, value: str, form: str) -> str:
    known = phrases.words.get(kind)
    if known is None:
        return _COLLECTED[language][kind](value) if kind in _COLLECTED[language] else value
    parts = [part for part in re.split(r", | and | or ", value) if part] if value.lower() not in known else [value]
    said = [with_article(language, known[part.lower()], form) for part in parts]
    if len(said) < 2:
        return said[0]
    both = " or " in value
    return f"{', '.join(said[:-1])} {_joint(language, both, said[-1])} {said[-1]}"


def _joint(language: str, alternative: bool, following: str) -> str:
    if language == "german":
        return "oder" if alternative else "und"
    if alternative:
        return "u" if following[:1] in ("o", "ho") else "o"
    return "e" if re.match(r"h?i(?!e)", following) else "y"


def _contracted(language: str, words: str) -> str:
    """The words with Spanish "de el" and "a el" in one; German templates have no such article after a preposition."""
    return re.sub(r"\b([Dd]e|[Aa]) el\b(?! [A-Z])", lambda two: f"{two[1]}l", words) if language == "spanish" else words


_COLLECTED: Mapping[str, Mapping[str, Callable[[str], str]]] = {
    "german": {
        "iso": lambda value: "{2}.{1}.{0}".format(*value.split("-")),
        "quoted": lambda value: value.replace('" and "', '" und "'),
        "nth": lambda value: f"{value[:-2]}.",
        "bar": lambda value: value.replace(".", ","),
        "numbers": lambda value: value.replace(" or ", " oder "),
    },
    "spanish": {
        "iso": lambda value: "{2}/{1}/{0}".format(*value.split("-")),
        "quoted": lambda value: value.replace('" and "', '" y "'),
        "nth": lambda value: value[:-2],
        "bar": lambda value: value.replace(".", ","),
        "numbers": lambda value: value.replace(" or ", " o "),
    },
}


@lru_cache(maxsize=64)
def find_phrases(language: str, world: str) -> Phrases:
    """The templates of a world, and those of every world, in a language."""
    column = LANGUAGES.index(language)
    rows, words = list[tuple[str, str]](), dict[str, dict[str, str]]()
    for name in (COMMON, world):
        slot = ""
        for line in files("rlgym.generators.users.translation").joinpath("phrases", f"{name}.txt").read_text(encoding="utf-8").splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            if line.startswith("@"):
                slot = line[1:].strip()
                words.setdefault(slot, {})
                continue
            cells = [cell.strip() for cell in line.split(" | ")]
            if slot:
                words[slot][cells[0].lower()] = cells[column]
            else:
                rows.append((cells[0], cells[column]))
    templates = [_template(english, other, words) for english, other in rows]
    letters = sorted({english[0].lower() for english, _ in rows if english[0] != "{"})
    return Phrases(
        {letter: tuple(each for each, (english, _) in zip(templates, rows) if english[0].lower() == letter) for letter in letters},
        tuple(each for each, (english, _) in zip(templates, rows) if english[0] == "{"),
        words,
    )


@lru_cache(maxsize=8)
def spoken_words(language: str) -> Mapping[str, str]:
    """The words of some slots of all worlds in a language, without articles, with their English: what people say they also understand."""
    column, words, slot = LANGUAGES.index(language), dict[str, str](), False
    for file in sorted(files("rlgym.generators.users.translation").joinpath("phrases").iterdir(), key=lambda file: file.name):
        for line in file.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.split(" | ")]
            slot = line[1:].strip() in _ASKED_ABOUT if line.startswith("@") else slot and len(cells) > column
            if slot and len(cells) > column:
                words[with_article(language, cells[column], "")] = cells[0]
    return words


def _template(english: str, words: str, known: Mapping[str, Mapping[str, str]]) -> Template:
    pattern, slots, place = "", list[str](), 0
    for slot in _SLOT.finditer(english):
        pattern += re.escape(english[place : slot.start()])
        pattern += f"({_slot_pattern(slot['slot'], known)})"
        slots.append(slot["slot"] + slot["number"])
        place = slot.end()
    pattern += re.escape(english[place:])
    if pattern[0].isalpha():
        pattern = f"[{pattern[0].upper()}{pattern[0].lower()}]{pattern[1:]}"
    literal = len(_SLOT.sub("", english))
    return Template(re.compile(rf"{pattern}(?= |$)"), words, literal, tuple(slots))


def _slot_pattern(slot: str, known: Mapping[str, Mapping[str, str]]) -> str:
    if slot not in known:
        return _PATTERNS[slot]
    one = f"(?i:{'|'.join(re.escape(word) for word in sorted(known[slot], key=len, reverse=True))})"
    return rf"{one}(?:, {one})*(?:,? (?:and|or) {one})?"
