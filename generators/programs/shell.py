"""Pipelines of a few commands on texts: a bounded evaluator of its own. No shell is started and no file is read.

Characters are ordered by their codes, as with LC_ALL=C.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

MOST_CHARACTERS, MOST_COMMANDS, MOST_LINES, LONGEST_LINE, LONGEST_PATTERN, MOST_STEPS = 1000, 15, 200, 200, 60, 100_000
Lines = list[str]


class Refused(ValueError):
    """The pipeline is none of the subset; the message says why."""


def output(pipeline: str, files: Mapping[str, Sequence[str]]) -> Lines:
    """The lines that the pipeline prints."""
    lines: Lines | None = None
    for words in _commands(pipeline):
        command = COMMANDS.get(words[0])
        if command is None:
            raise Refused(f"there is no command {words[0][:20]!r}; there are {', '.join(COMMANDS)}")
        options, rest = _options(words[0], words[1:], command.takes, command.flags)
        if len(rest) < command.operands:
            raise Refused(f"{words[0]} needs {command.operands} more words")
        if words[0] == "tr" and len(rest) > 2:
            raise Refused("tr takes no file")
        given = rest[command.operands :] if words[0] != "tr" else []
        for name in given:
            if name not in files:
                raise Refused(f"there is no file {name[:20]!r}")
        if not given and lines is None:
            raise Refused(f"{words[0]}, the first command, names no file")
        read = [line for name in given for line in files[name]] if given else lines or []
        if len(given) > 1 and words[0] in ("wc", "head", "tail", "grep"):
            raise Refused(f"{words[0]} takes at most one file")
        lines = command.does(read, options, rest[: len(rest) - len(given)])
        if len(lines) > MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
            raise Refused("the output has grown too large")
    return lines or []


def _commands(pipeline: str) -> list[list[str]]:
    """The words of each command, without quotes."""
    if len(pipeline) > MOST_CHARACTERS:
        raise Refused(f"the pipeline is longer than {MOST_CHARACTERS} characters")
    commands: list[list[str]] = [[]]
    at, word = 0, ""
    inside = False
    while at < len(pipeline):
        letter = pipeline[at]
        if letter in "'\"":
            end = pipeline.find(letter, at + 1)
            part = pipeline[at + 1 : end]
            # In double quotes a dollar sign opens an expansion only before a name, a special parameter or a bracket.
            if end < 0 or (letter == '"' and re.search(r"[`\\]|\$[A-Za-z0-9_@*#?$!({-]", part)):
                raise Refused(
                    "a quote is not closed" if end < 0 else "in double quotes there may be no `, \\ or $ before a name or bracket"
                )
            word, at, inside = word + part, end, True
        elif letter in " \t|":
            if inside:
                commands[-1].append(word)
            word, inside = "", False
            if letter == "|":
                commands.append([])
        elif letter in "$`\\&;<>()*?[]{}#!~\n":
            raise Refused(f"{letter!r} must stand in single quotes, or is not in the subset")
        else:
            word, inside = word + letter, True
        at += 1
    if inside:
        commands[-1].append(word)
    if not all(commands):
        raise Refused("a command is empty")
    if len(commands) > MOST_COMMANDS:
        raise Refused(f"there are more than {MOST_COMMANDS} commands")
    return commands


def _options(command: str, words: Sequence[str], takes: str, flags: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The options, those of `takes` with what follows, and the other words."""
    options, rest = list[tuple[str, str]](), list[str]()
    todo = list(words)
    while todo:
        word = todo.pop(0)
        if word == "--":
            rest += todo
            break
        if len(word) < 2 or word[0] != "-":
            rest.append(word)
            continue
        if command in ("head", "tail") and word[1:].isdecimal():
            options.append(("n", word[1:]))
            continue
        for i, letter in enumerate(word[1:], 2):
            if letter in takes:
                if not word[i:] and not todo:
                    raise Refused(f"{command} -{letter} needs a value")
                options.append((letter, word[i:] or todo.pop(0)))
                break
            if letter not in flags:
                raise Refused(f"{command} has no option -{letter} here")
            options.append((letter, ""))
    return options, rest


def matcher(pattern: str, fold: bool = False) -> Callable[[str], tuple[int, int] | None]:
    """The first, longest place where a pattern of letters, ., [sets], *, and ^ and $ at its ends is found in a line."""
    if len(pattern) > LONGEST_PATTERN:
        raise Refused(f"a pattern is longer than {LONGEST_PATTERN} characters")
    plain = pattern.lower() if fold else pattern
    front, back = plain.startswith("^"), plain.endswith("$")
    items = list(_items(plain[front : len(plain) - back]))
    steps = 0

    def found(line: str) -> tuple[int, int] | None:
        nonlocal steps
        text = line.lower() if fold else line
        for start in range(1 if front else len(text) + 1):
            ends, done = _ends(items, text, start)
            steps += done
            if steps > MOST_STEPS:
                raise Refused("a pattern takes too many steps")
            if back:
                ends = [end for end in ends if end == len(text)]
            if ends:
                return start, max(ends)
        return None

    return found


def _items(pattern: str) -> Iterator[tuple[Callable[[str], bool], bool]]:
    """What each character may be, and whether it may come any number of times."""
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        if letter == "[":
            end = pattern.find("]", at + 2)
            inside = pattern[at + 1 : end]
            negated = inside.startswith("^")
            if end < 0 or "[" in inside:
                raise Refused("a set in a pattern is not closed, or holds [")
            letters = _letters(inside[negated:])
            holds = partial(_among, letters, not negated)
            at = end
        elif letter in "\\*^$":
            raise Refused(f"{letter!r} cannot stand at this place of a pattern here")
        else:
            holds = partial(_among, "", False) if letter == "." else partial(_among, letter, True)
        many = pattern[at + 1 : at + 2] == "*"
        at += 1 + many
        yield holds, many


def _among(letters: str, included: bool, letter: str) -> bool:
    return (letter in letters) == included


def _ends(items: Sequence[tuple[Callable[[str], bool], bool]], text: str, start: int) -> tuple[list[int], int]:
    """All places where a match that begins at `start` may end, and how many were looked at."""
    places, done = [start], 1
    for holds, many in items:
        if many:
            reached = dict.fromkeys(places)
            for place in places:
                while place < len(text) and holds(text[place]) and place + 1 not in reached:
                    place += 1
                    reached[place] = None
            places = list(reached)
        else:
            places = [place + 1 for place in places if place < len(text) and holds(text[place])]
        if not places:
            break
        done += len(places)
    return places, done


def _letters(text: str) -> str:
    """The letters of a set, with ranges like a-z written out."""
    out, at = "", 0
    while at < len(text):
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            if not text[at] <= text[at + 2] <= "~":
                raise Refused(f"{text[at : at + 3]!r} is no range")
            out += "".join(map(chr, range(ord(text[at]), ord(text[at + 2]) + 1)))
            at += 3
        else:
            out, at = out + text[at], at + 1
    return out


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


def _ended(lines: Lines, options: Options, tail: bool) -> Lines:
    count_text = next((value for name, value in reversed(options) if name == "n"), "10")
    if tail and re.fullmatch(r"\+\d{1,4}", count_text):
        return lines[max(0, int(count_text[1:]) - 1) :]
    if not re.fullmatch(r"\d{1,4}", count_text):
        raise Refused(f"-n cannot read {count_text[:20]!r}")
    return lines[max(0, len(lines) - int(count_text)) :] if tail else lines[: int(count_text)]


def _head(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    return _ended(lines, options, tail=False)


def _tail(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    return _ended(lines, options, tail=True)


def _wc(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    if not options:
        raise Refused("wc needs -l")
    return [str(len(lines))]


def _tr(lines: Lines, options: Options, words: Sequence[str]) -> Lines:
    if options:
        return [line.translate({ord(letter): None for letter in _letters(words[0])}) for line in lines]
    if len(words) < 2:
        raise Refused("tr takes two sets, or -d and one")
    first, second = _letters(words[0]), _letters(words[1])
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
