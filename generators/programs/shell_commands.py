"""The commands of a pipeline, each a function of lists of lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rlgym.generators.programs.shell_patterns import Refused, expand_letters, matcher

Lines = list[str]
Options = Sequence[tuple[str, str]]
Does = Callable[[Lines, Options, Sequence[str]], Lines]


def _cat(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    return lines


def _grep(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    names = [name for name, _ in options]
    find = matcher(words[0], "i" in names)
    kept = [line for line in lines if (find(line) is None) == ("v" in names)]
    return [str(len(kept))] if "c" in names else kept


def _number(text: str) -> int:
    match = re.match(r" *(-?\d{1,15})", text)
    return int(match[1]) if match else 0


def _sort(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    separator = next((value for name, value in options if name == "t"), "")
    flags = {name for name, _ in options}
    if len(separator) > 1:
        raise Refused("sort -t takes one character")
    keys = [_key(value, separator, flags) for name, value in options if name == "k"]
    if not keys:
        keys = [(lambda line: _number(line) if "n" in flags else line, "r" in flags)]
    # The last resort, which -u does without, is the whole line.
    if "u" not in flags:
        keys.append((lambda line: line, "r" in flags))
    for key, backwards in reversed(keys):
        lines = sorted(lines, key=key, reverse=backwards)
    if "u" in flags:
        lines = [next(same) for _, same in groupby(lines, key=lambda line: [key(line) for key, _ in keys])]
    return lines


def _key(said: str, separator: str, flags: set[str]) -> tuple[Callable[[str], int | str], bool]:
    match = re.fullmatch(r"(\d{1,2})([nr]*)(?:,(\d{1,2})([nr]*))?", said)
    if not match or int(match[1]) < 1 or (match[3] and int(match[3]) < int(match[1])):
        raise Refused(f"sort -k cannot read {said[:20]!r}; it takes a key like 2, 2,2 or 2,3nr")
    own = match[2] + (match[4] or "") or "".join(sorted(flags & {"n", "r"}))
    first, last = int(match[1]) - 1, int(match[3]) if match[3] else None

    def key(line: str) -> int | str:
        fields = line.split(separator) if separator else re.findall(r" *[^ ]+", line)
        text = separator.join(fields[first:last])
        return _number(text) if "n" in own else text

    return key, "r" in own


def _uniq(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    names = [name for name, _ in options]
    groups = [(line, len(list(same))) for line, same in groupby(lines)]
    kept = [(line, count) for line, count in groups if not ("d" in names and count == 1) and not ("u" in names and count > 1)]
    return [f"{count:7d} {line}" if "c" in names else line for line, count in kept]


def _cut(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    values = dict(options)
    if "f" not in values or len(values.get("d", "\t")) != 1:
        raise Refused("cut needs -f, and with -d one character")
    ranges = list[tuple[int, int]]()
    for part in values["f"].split(","):
        match = re.fullmatch(r"(\d{1,2})?(-)?(\d{1,2})?", part)
        if not match or not (match[1] or match[3]):
            raise Refused(f"cut -f cannot read {values['f'][:20]!r}")
        first = int(match[1] or 1)
        ranges.append((first, int(match[3] or 99) if match[2] else first))
    separator = values.get("d", "\t")
    out = []
    for line in lines:
        fields = line.split(separator)
        kept = [field for i, field in enumerate(fields, 1) if any(low <= i <= high for low, high in ranges)]
        out.append(separator.join(kept) if len(fields) > 1 else line)
    return out


def _head_or_tail(lines: Lines, options: Options, tail: bool) -> Lines:
    count_text = next((value for name, value in reversed(options) if name == "n"), "10")
    if tail and re.fullmatch(r"\+\d{1,4}", count_text):
        return lines[max(0, int(count_text[1:]) - 1) :]
    if not re.fullmatch(r"\d{1,4}", count_text):
        raise Refused(f"-n cannot read {count_text[:20]!r}")
    return lines[max(0, len(lines) - int(count_text)) :] if tail else lines[: int(count_text)]


def _head(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    return _head_or_tail(lines, options, tail=False)


def _tail(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    return _head_or_tail(lines, options, tail=True)


def _wc(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    if not options:
        raise Refused("wc needs -l")
    return [str(len(lines))]


def _tr(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    if options:
        return [line.translate({ord(letter): None for letter in expand_letters(words[0])}) for line in lines]
    if len(words) < 2:
        raise Refused("tr takes two sets, or -d and one")
    first, second = expand_letters(words[0]), expand_letters(words[1])
    if not first or not second:
        raise Refused("a set of tr is empty")
    into = dict(zip(map(ord, reversed(first)), reversed(second[: len(first)].ljust(len(first), second[-1])), strict=True))
    return [line.translate(into) for line in lines]


def _sed(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    script = words[0]
    parts = script[2:].split(script[1]) if len(script) > 1 and script[0] == "s" else []
    if len(parts) != 3 or parts[2] not in ("", "g") or re.search(r"[\\&]", parts[1]) or not parts[0]:
        raise Refused(f"sed cannot read {script[:20]!r}; it takes s/pattern/text/ or s/pattern/text/g, without \\ and &")
    find = matcher(parts[0])
    anchored = parts[0].startswith("^")

    def changed(line: str) -> str:
        out = ""
        while (place := find(line)) is not None:
            start, end = place
            # After an empty match one character is passed over.
            out += line[:start] + parts[1] + (line[end : end + 1] if start == end else "")
            line = line[end + (start == end) :]
            if parts[2] != "g" or anchored or not line:
                break
        return out + line

    return list(map(changed, lines))


@dataclass(frozen=True)
class Command:
    """A command: what it does, its options with a value and without, and how many words it takes before the files."""

    does: Does
    takes: str = ""
    flags: str = ""
    operands: int = 0


COMMANDS: dict[str, Command] = {
    "cat": Command(_cat),
    "grep": Command(_grep, "", "vic", 1),
    "sort": Command(_sort, "kt", "nru"),
    "uniq": Command(_uniq, "", "cdu"),
    "cut": Command(_cut, "df"),
    "head": Command(_head, "n"),
    "tail": Command(_tail, "n"),
    "wc": Command(_wc, "", "l"),
    "tr": Command(_tr, "", "d", 1),
    "sed": Command(_sed, "", "", 1),
}
