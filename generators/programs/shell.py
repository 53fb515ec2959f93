"""Pipelines of a few commands on texts: a bounded evaluator of its own. No shell is started and no file is read.

Characters are ordered by their codes, as with LC_ALL=C.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rlgym.generators.programs.shell_commands import COMMANDS, Lines
from rlgym.generators.programs.shell_patterns import LONGEST_LINE, MOST_CHARACTERS, MOST_COMMANDS, MOST_LINES, Refused


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
