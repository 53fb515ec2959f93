"""A restricted English: the sentence forms that a prompt states, and a parser that reads every sentence of a text as a claim or not at all."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

Value = str | int | tuple[str, ...]
Span = tuple[int, int]

_GAP = re.compile(r"\{(\w+)\}")
_REST = re.compile(r"[^.?!\n]*[.?!\n]?")
_BULLET = re.compile(r"(?:(?<=\n)|(?<![\s\S]))[ \t]*[-*\u2022][ \t]+(?=\S)")
"""The mark of an item of a list, at the beginning of a line: prompts show the forms as such a list."""
_KINDS = {"number": r"\d{1,7}", "time": r"\d{1,2}:[0-5]\d"}


@dataclass(frozen=True)
class Gap:
    """What may fill a gap of a sentence form.

    name    as in the form; the prompt shows it in capitals
    words   the words or phrases that may stand there; empty for a number
    joined  the word that joins a list of them ("and", "or"); empty where exactly one fills the gap
    kind    "number" or "time" (hours and minutes, read as minutes) where there are no words
    note    what the prompt says of the gap, after its name; empty where the name says it all
    most    the most items of a list
    """

    name: str
    words: tuple[str, ...] = ()
    joined: str = ""
    kind: str = "number"
    note: str = ""
    most: int = 99

    @cached_property
    def pattern(self) -> str:
        """A regular expression of what fills the gap."""
        if not self.words:
            return _KINDS[self.kind]
        one = "(?:" + "|".join(_whitespace_pattern(word) for word in sorted(self.words, key=len, reverse=True)) + r")(?![\w-])"
        return rf"{one}(?:,\s+{one})*(?:,?\s+{self.joined}\s+{one})?" if self.joined else one

    @cached_property
    def spellings(self) -> dict[str, str]:
        return {word.casefold(): word for word in self.words}

    def read(self, text: str) -> Value | None:
        """The value that a matched text stands for; None for a list that is not joined as English joins it, or that repeats an item."""
        if not self.words:
            hours, colon, minutes = text.partition(":")
            return int(hours) * 60 + int(minutes) if colon else int(text)
        plain = " ".join(text.casefold().split())
        if not self.joined:
            return self.spellings[plain]
        *before, last = re.split(rf",? {self.joined} ", plain)
        items = [*before[0].split(", "), last] if before else last.split(", ")
        if (not before and len(items) > 1) or len(set(items)) < len(items) or len(items) > self.most:
            return None
        return tuple(self.spellings[item] for item in items)

    def write(self, value: Value) -> str:
        """The text of a value."""
        if isinstance(value, int):
            return f"{value // 60}:{value % 60:02}" if self.kind == "time" else str(value)
        if isinstance(value, str) or len(value) == 1:
            return value if isinstance(value, str) else value[0]
        return f"{', '.join(value[:-1])} {self.joined} {value[-1]}"


@dataclass(frozen=True)
class Form:
    """A sentence form: its name, and its text with gaps in braces. Several forms may share a name where they claim the same."""

    name: str
    text: str


@dataclass(frozen=True)
class Claim:
    """A sentence that was read: its form, the values of its gaps, and its place in the text."""

    form: str
    values: Mapping[str, Value]
    start: int
    end: int

    def word(self, gap: str) -> str:
        value = self.values[gap]
        assert isinstance(value, str)
        return value

    def number(self, gap: str) -> int:
        value = self.values[gap]
        assert isinstance(value, int)
        return value

    def words(self, gap: str) -> tuple[str, ...]:
        value = self.values[gap]
        assert isinstance(value, tuple)
        return value


@dataclass(frozen=True)
class Reading:
    """The claims of a text in order, and the places of what is no sentence of a stated form."""

    claims: tuple[Claim, ...]
    unread: tuple[Span, ...]


@dataclass(frozen=True)
class Language:
    """Sentence forms and their gaps."""

    forms: tuple[Form, ...]
    gaps: tuple[Gap, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Gap]:
        return {gap.name: gap for gap in self.gaps}

    def read(self, text: str) -> Reading:
        """Every sentence of a text, as a claim or as unread."""
        return _read(self, text)

    def write(self, form: str, **values: Value) -> str:
        """The sentence of the first form of a name, with a capital letter."""
        text = next(each.text for each in self.forms if each.name == form)
        sentence = _GAP.sub(lambda match: self.by_name[match[1]].write(values[match[1]]), text)
        return sentence[0].upper() + sentence[1:]

    def describe(self) -> str:
        """What a prompt says of the language: the forms as a list, and what fills their gaps."""
        shown = [_GAP.sub(lambda match: match[1].upper(), form.text) for form in self.forms]
        notes = [f"{gap.name.upper()} is {self._note(gap)}." for gap in self.gaps if gap.note]
        return "\n".join([f"- {text[0].upper()}{text[1:]}" for text in shown] + notes)

    @staticmethod
    def _note(gap: Gap) -> str:
        if not gap.joined:
            return gap.note
        return f'{gap.note}, joined with {"" if gap.most == 2 else "commas and "}"{gap.joined}"'

    @cached_property
    def patterns(self) -> tuple[tuple[Form, re.Pattern[str]], ...]:
        return tuple((form, re.compile(self._pattern(form.text) + r"(?=\s|$)", re.IGNORECASE)) for form in self.forms)

    def _pattern(self, text: str) -> str:
        parts = _GAP.split(text)
        return "".join(f"(?P<{part}>{self.by_name[part].pattern})" if i % 2 else _whitespace_pattern(part) for i, part in enumerate(parts))


def count_words(text: str) -> int:
    """How many words a text has, separated by spaces; the marks of a list are none."""
    return sum(any(char.isalnum() for char in word) for word in text.split())


@lru_cache(maxsize=64)
def _read(language: Language, text: str) -> Reading:
    claims, unread = list[Claim](), list[Span]()
    for start, end, found in _sentences(language, text):
        if found is None:
            unread.append((start, end))
        else:
            claims.append(found)
    return Reading(tuple(claims), tuple(unread))


def _sentences(language: Language, text: str) -> Iterator[tuple[int, int, Claim | None]]:
    at = 0
    while at < len(text):
        if mark := _BULLET.match(text, at):
            at = mark.end()
        elif text[at].isspace():
            at += 1
            continue
        claim = _claim(language, text, at)
        end = claim.end if claim else max(at + 1, _end(text, at))
        yield at, end, claim
        at = end


def _claim(language: Language, text: str, at: int) -> Claim | None:
    for form, pattern in language.patterns:
        if match := pattern.match(text, at):
            values = {name: language.by_name[name].read(filled) for name, filled in match.groupdict().items()}
            plain = {name: value for name, value in values.items() if value is not None}
            if len(plain) == len(values):
                return Claim(form.name, plain, at, match.end())
    return None


def _end(text: str, at: int) -> int:
    match = _REST.match(text, at)
    return match.end() if match else at


def _whitespace_pattern(text: str) -> str:
    return r"\s+".join(re.escape(word) for word in re.split(r"\s+", text))
