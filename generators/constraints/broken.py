"""Near violations: a text that meets a constraint, changed in each place where that breaks it."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from rlgym.generators.constraints.kinds import Constraint
from rlgym.generators.constraints.views import View

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
OTHER = "zy"
"""A word that no text of the library holds."""


def breaking_texts(constraint: Constraint, text: str) -> Iterator[str]:
    """Texts that do not meet the constraint, where the text given does."""
    n, words, spans = constraint.number, constraint.words, [match.span() for match in _WORD.finditer(text)]
    match constraint.kind:
        case "words_exact" | "line_words":
            yield from (*_insert(text, spans, OTHER), *_replace(text, spans, ""))
        case "words_between":
            yield from _insert(text, spans, " ".join([OTHER] * (constraint.most - len(spans) + 1)))
            yield from (_without(text, spans[i : i + len(spans) - n + 1]) for i in range(n))
        case "sentence_most":
            yield from (*_insert(text, spans, " ".join([OTHER] * (n + 1))), text.rstrip(".!?*"))
        case "sentences":
            yield from (text[: mark.start()] + text[mark.end() :] for mark in re.finditer(r"[.!?]+", text))
            yield from (f"{text[:end]}. {text[end:]}" for _, end in spans if text[end : end + 1] == " ")
        case "paragraphs":
            yield from (
                text[: gap.start()] + ("\n" if "\n\n" in gap[0] else "\n\n") + text[gap.end() :] for gap in re.finditer(r"\n+| ", text)
            )
        case "lines":
            yield from (
                text[: gap.start()] + (" " if "\n" in gap[0] else "\n") + text[gap.end() :]
                for gap in re.finditer(r"\n+|(?<=\w) (?=\w)", text)
            )
        case "palindromic_lines":
            lines = text.split("\n")
            kept = [i for i, line in enumerate(lines) if line]
            yield from (_with(lines, i, f"{lines[i]} {OTHER}") for k, i in enumerate(kept) if 2 * k != len(kept) - 1)
        case "rising_lines":
            lines = [line for line in text.split("\n") if line]
            yield from (_with(lines, i, lines[i - 1]) for i in range(1, len(lines)))
            yield from ("\n".join([*lines[: i - 1], lines[i], lines[i - 1], *lines[i + 1 :]]) for i in range(1, len(lines)))
        case "line_most":
            lines = text.split("\n")
            yield from (_with(lines, i, line + "y" * n) for i, line in enumerate(lines) if line)
        case "json_keys" | "table" | "bullets" | "headings" | "numbered" | "postscript" | "bold" | "acrostic" | "chain" | "refrain":
            yield from _form(constraint, text, spans)
        case "together" | "together_in_order":
            yield from _part(constraint, text, spans)
        case "include" | "exclude" | "count" | "order" | "line_has" | "start_word" | "end_word" | "nth_word" | "anaphora":
            yield from _place(constraint, text, spans)
        case "language":
            yield from (*_insert(text, spans, OTHER), *_replace(text, spans, OTHER))
            yield from (f"{text[:end]}{new}{text[end:]}" for _, end in spans for new in ("zy", "-zy", "\u0301"))
        case "avoid_letter":
            yield from (*_insert(text, spans, words[0]), *_insert(text, spans, words[0].upper()))
        case "letter_count":
            yield from (*_insert(text, spans, words[0].upper()), *_swap(text, words[0], "z"))
        case "telestich":
            ends = [end - 1 for _, end in _outer(text, spans)[1]]
            yield from (text[:end] + "z" + text[end + 1 :] for end in ends if text[end].lower() != "z")
            yield from (f"{text}\n{OTHER}", text.rpartition("\n")[0].rstrip())
        case "all_begin" | "length_least" | "length_most":
            wrong = "zebra" if constraint.kind == "all_begin" else "z" * (n - 1 if constraint.kind == "length_least" else n + 1)
            yield from _replace(text, spans, wrong)
        case "no_repeats":
            yield from _replace(text, spans[:-1], text[slice(*spans[-1])])
            yield text + " " + text[slice(*spans[0])]
        case "upper" | "lower" | "title":
            for start, end in spans:
                word = text[start:end]
                yield text[:start] + (word.capitalize() if constraint.kind == "lower" else word.lower()) + text[end:]
        case "commas" | "questions":
            mark = "," if constraint.kind == "commas" else "?"
            yield from (*_swap(text, mark, ""), *(text[:end] + mark + text[end:] for _, end in spans))
        case "no_stop":
            yield from (text[:end] + "." + text[end:] for _, end in spans)
        case "ends_mark":
            yield from (text[:-1], f"{text[:-1]}.", f"{text} {OTHER}", f"{text}.", f"!{text[:-1]}")


def _insert(text: str, spans: list[tuple[int, int]], word: str) -> Iterator[str]:
    """The word put before each word, and after the last one."""
    yield from (f"{text[:start]}{word} {text[start:]}" for start, _ in spans)
    yield f"{text[: spans[-1][1]]} {word}{text[spans[-1][1] :]}"


def _replace(text: str, spans: list[tuple[int, int]], word: str) -> Iterator[str]:
    return (text[:start] + word + text[end:] for start, end in spans)


def _swap(text: str, sign: str, other: str) -> Iterator[str]:
    """One occurrence of a sign exchanged, each in turn."""
    return (text[:at] + other + text[at + 1 :] for at, letter in enumerate(text) if letter.lower() == sign)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def _with(lines: list[str], at: int, line: str) -> str:
    return "\n".join([*lines[:at], line, *lines[at + 1 :]])


def _outer(text: str, spans: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The places of the first and of the last word of each line."""
    firsts = [span for i, span in enumerate(spans) if not i or "\n" in text[spans[i - 1][1] : span[0]]]
    lasts = [span for i, span in enumerate(spans) if i == len(spans) - 1 or "\n" in text[span[1] : spans[i + 1][0]]]
    return firsts, lasts


def _place(constraint: Constraint, text: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    """Words that are missing, spelled into longer ones, one too many, or in another place."""
    words = constraint.words
    spans_of = {word: [span for span in spans if text[slice(*span)].lower() == word] for word in words}
    word, at = words[0], spans_of[words[0]]
    match constraint.kind:
        case "include":
            for word in words:
                yield from (_exchange(text, spans_of[word], new) for new in (OTHER, f"{word}zy", f"{word}-zy", f"zy{word}"))
        case "exclude":
            for word in words:
                yield from (*_insert(text, spans, word), *_insert(text, spans, word.upper()))
        case "count":
            yield from (*_insert(text, spans, word), *_replace(text, at, OTHER), *_replace(text, at, f"{word}zy"))
        case "order":
            yield from (_exchange(text, spans_of[word], OTHER) for word in words)
            for first, second in pairwise(words):
                (a, b), (c, d) = spans_of[first][0], spans_of[second][0]
                yield text[:a] + second + text[b:c] + first + text[d:]
        case "line_has":
            yield from (*_replace(text, at, OTHER), *_replace(text, at, f"{word}zy"), f"{text}\n{OTHER}")
        case "start_word":
            rest = _without(text, spans[:1])
            later = [(start - len(word), end - len(word)) for start, end in spans[1:]]
            yield from (*list(_insert(rest, later, word))[1:], *_replace(text, spans[:1], OTHER), f"{OTHER} {text}")
        case "end_word":
            yield from (
                *list(_insert(_without(text, spans[-1:]), spans[:-1], word))[:-1],
                *_replace(text, spans[-1:], OTHER),
                f"{text} {OTHER}",
            )
        case "nth_word":
            before = spans[: constraint.number]
            yield from (*list(_insert(text, before, OTHER))[:-1], *_replace(text, before, ""), f"{OTHER} {text}")
        case "anaphora":
            firsts = _outer(text, spans)[0]
            yield from (*_replace(text, firsts, OTHER), *list(_insert(text, firsts, OTHER))[:-1], *_replace(text, firsts, f"{word}zy"))


def _part(constraint: Constraint, text: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    """Groups of words with one missing, repeated on another line, exchanged with one of another group, or out of order."""
    groups = [[next(span for span in spans if text[slice(*span)].lower() == word) for word in group.split()] for group in constraint.words]
    for group in groups:
        yield from (*_replace(text, group, OTHER), *(f"{text}\n{text[slice(*span)]}" for span in group))
    for group_a, two in pairwise(groups):
        for (a, b), (c, d) in (sorted(pair) for pair in zip(group_a, two, strict=False)):
            yield text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
    yield " ".join(text.split())
    if constraint.kind == "together_in_order":
        yield "\n".join(line for line in text.split("\n")[::-1] if line)


def _exchange(text: str, spans: list[tuple[int, int]], word: str) -> str:
    """The word put for all the places at once."""
    for start, end in reversed(spans):
        text = text[:start] + word + text[end:]
    return text


def _form(constraint: Constraint, text: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    """Marks of the outer form that are missing, one too many, or not at the start of their line."""
    lines = [line for line in text.split("\n") if line]
    firsts = _outer(text, spans)[0]
    match constraint.kind:
        case "bullets" | "headings":
            sign = "- " if constraint.kind == "bullets" else "# "
            for i, line in enumerate(lines):
                yield _with(lines, i, line[2:] if line.startswith(sign) else sign + line)
                if line.startswith(sign):
                    yield from (_with(lines, i, f"{OTHER} {line}"), _with(lines, i, sign.strip() + line[2:]))
        case "numbered":
            for i, line in enumerate(lines):
                yield from (
                    _with(lines, i, line.partition(") ")[2]),
                    _with(lines, i, line.replace(") ", ". ", 1)),
                    "\n".join(lines[:i] + lines[i + 1 :]),
                )
            yield f"{text}\n{len(lines) + 1}) {OTHER}"
        case "postscript":
            yield from ("\n".join([*lines[:at], lines[-1], *lines[at:-1]]) for at in range(len(lines) - 1))
            yield from (_with(lines, len(lines) - 1, new + lines[-1][4:]) for new in ("P.S. ", "PS:", f"{OTHER} PS: ", "ps: "))
        case "bold":
            strong = list(re.finditer(r"\*\*([^*\n]+)\*\*", text))
            yield from (text[: bold.start()] + bold[1] + text[bold.end() :] for bold in strong)
            inside = {bold.start(1) for bold in strong}
            yield from (f"{text[:start]}**{text[start:end]}**{text[end:]}" for start, end in spans if start not in inside)
            yield from (text[:end] + "*" + text[end:] for _, end in spans)
        case "acrostic":
            yield from (f"{text[:start]}{'z' if text[start].lower() != 'z' else 'x'}{text[start + 1 :]}" for start, _ in firsts)
            yield from (f"{text}\n{OTHER}", text.rpartition("\n")[0].rstrip(), " ".join(lines))
        case "chain":
            yield from (*_replace(text, firsts[1:], OTHER), *list(_insert(text, firsts[1:], OTHER))[:-1], " ".join(lines))
        case "refrain":
            first, last = spans[: len(View(lines[0]).words)], spans[len(spans) - len(View(lines[-1]).words) :]
            yield from (*_replace(text, first, OTHER), *_replace(text, last, OTHER), f"{text}\n{OTHER}", lines[0])
        case "table":
            yield from ("\n".join(lines[:i] + lines[i + 1 :]) for i in range(len(lines)))
            yield from (
                _with(lines, i, new)
                for i, line in enumerate(lines)
                for new in (line[:-1], line[1:], f"{line} {OTHER} |", f"{line} {OTHER}")
            )
            yield from (re.sub(r"(?<=\| )[^|]+(?= \|)", lambda cell, k=k: "" if cell.start() == k else cell[0], text) for k in _cells(text))  # type: ignore[misc]
        case "json_keys":
            yield from _keys(text)


def _cells(text: str) -> list[int]:
    return [match.start() for match in re.finditer(r"(?<=\| )[^|]+(?= \|)", text)]


def _keys(text: str) -> Iterator[str]:
    """A JSON object with a key that is missing, renamed, one too many or in another place, or a value of another type."""
    pairs = list(json.loads(text).items())
    for i, (key, value) in enumerate(pairs):
        others = [
            [(key + "zy", value)],
            [],
            [(key.upper(), value)],
            [(key, value), (OTHER, value)],
            [(key, "")],
            [(key, 7)],
            [(key, [value])],
        ]
        yield from (json.dumps(dict([*pairs[:i], *other, *pairs[i + 1 :]])) for other in others)
        yield text[:-1].rstrip() + f', "{key}": "{value}"\n}}'
    if len(pairs) > 1:
        yield json.dumps(dict(reversed(pairs)))
    yield from (f"{text} {OTHER}", f"[{text}]", text[:-1])
