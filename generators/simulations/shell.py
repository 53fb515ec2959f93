"""A small shell over files held in a dict: pipes, redirections, patterns, and a dozen commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase

Files = dict[str, str]
MOST_TEXT, MOST_FILES, MOST_STAGES = 20_000, 200, 12
_TOKEN = re.compile(r"""\s*(>>|>|\||'[^']*'|"[^"]*"|[^\s|>'"]+)""")
MANUAL = """\
ls DIR: the names in a folder
find DIR: the paths of all files in a folder and below
cat FILE...: the texts of files, one after the other
grep [-v] [-c] WORD [FILE...]: the lines that hold WORD as it is written (-v: that do not; -c: only how many)
head -n N, tail -n N [FILE...]: the first or last N lines
sort [-n] [-r] [FILE...]: sorted lines (-n: by the number at their start, then as text; -r: the other way round)
uniq [-c]: one of each run of equal lines (-c: with its count and a space before it)
cut -f N [FILE...]: the N-th field of every line, counted from 1; fields are separated by one space
sum: the sum of the lines, each an integer
wc -l [FILE...]: the number of lines
echo WORD...: the words
cp FROM TO, mv FROM TO, rm FILE...: copies, moves, removes files
COMMAND | COMMAND passes lines on; COMMAND > FILE writes them to a file, >> appends them. In a file's path * stands for any characters except /. \
Paths are absolute. Quotes keep a word with spaces together."""


class Refused(Exception):
    """What is wrong with a command; nothing was changed."""


def run(files: Files, command: str) -> tuple[Files, str]:
    """The files afterwards, and the output that was not redirected; or what was wrong."""
    try:
        return _run(files, command)
    except Refused as why:
        return files, f"error: {why}"


def _run(files: Files, command: str) -> tuple[Files, str]:
    stages, target, adds = _parse(command)
    lines: list[str] = []
    for place, words in enumerate(stages):
        name, given = words[0], words[1:]
        if name in ("cp", "mv", "rm"):
            if len(stages) > 1 or target:
                raise Refused(f"{name} stands alone")
            return _change(files, name, given), ""
        if name not in _COMMANDS:
            raise Refused(f"there is no command {name[:20]!r}")
        lines = _COMMANDS[name](files, given, lines if place else None)
    if not target:
        return files, "\n".join(lines)
    text = "\n".join([*(files[target].split("\n") if adds and files.get(target) else ()), *lines])
    return _write(files, target, text), ""


def _parse(command: str) -> tuple[list[list[str]], str, bool]:
    """The commands of a pipe, the file that it is written to, and whether that is appended to."""
    stages: list[list[str]] = [[]]
    target, adds, at, plain = "", False, 0, command.strip()
    while at < len(plain):
        match = _TOKEN.match(plain, at)
        if not match:
            raise Refused("a quote is not closed")
        word, at = match[1], match.end()
        if target == ">":
            target = word
        elif target:
            raise Refused("nothing follows the file that is written to")
        elif word == "|":
            stages.append([])
        elif word in (">", ">>"):
            target, adds = ">", word == ">>"
        else:
            stages[-1].append(word[1:-1] if word[0] in "'\"" else word)
    if not all(stages) or target == ">" or len(stages) > MOST_STAGES:
        raise Refused("a command or a file is missing, or there are too many")
    return stages, target, adds


def _expand(files: Mapping[str, str], paths: Sequence[str]) -> list[str]:
    out = []
    for path in paths:
        matches = [path] if path in files else [other for other in sorted(files) if _matches(other, path)]
        if not matches:
            raise Refused(f"there is no file {path[:80]!r}")
        out += matches
    return out


def _matches(path: str, pattern: str) -> bool:
    if "*" not in pattern or path.count("/") != pattern.count("/") or pattern.count("*") > 4:
        return False
    plain = pattern.replace("[", "[[]").replace("?", "[?]")
    return all(map(fnmatchcase, path.split("/"), plain.split("/")))


def _input(files: Mapping[str, str], paths: Sequence[str], piped: list[str] | None) -> list[str]:
    if paths:
        texts = [files[path] for path in _expand(files, paths)]
        if sum(map(len, texts)) > 10 * MOST_TEXT:
            raise Refused("too much text")
        return [line for text in texts if text for line in text.split("\n")]
    if piped is None:
        raise Refused("a file is missing")
    return piped


def _flags(given: Sequence[str], allowed: str) -> tuple[set[str], list[str]]:
    flags = {word for word in given if word.startswith("-") and len(word) == 2}
    if wrong := sorted(flags - {f"-{letter}" for letter in allowed}):
        raise Refused(f"there is no option {wrong[0]!r} here")
    return flags, [word for word in given if word not in flags]


def _ls(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    top = _folder(given)
    names = {path[len(top) :].partition("/")[0]: None for path in sorted(files) if path.startswith(top)}
    return _require_paths(list(names), given)


def _find(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    return _require_paths([path for path in sorted(files) if path.startswith(_folder(given))], given)


def _folder(given: Sequence[str]) -> str:
    if len(given) != 1:
        raise Refused("one folder is needed")
    return f"{given[0].rstrip('/')}/"


def _require_paths(paths: list[str], given: Sequence[str]) -> list[str]:
    if not paths:
        raise Refused(f"there is no folder {given[0][:80]!r}")
    return paths


def _cat(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    return _input(files, given, piped)


def _grep(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    flags, rest = _flags(given, "vc")
    if not rest:
        raise Refused("grep needs a word")
    lines = [line for line in _input(files, rest[1:], piped) if (rest[0] in line) != ("-v" in flags)]
    return [str(len(lines))] if "-c" in flags else lines


def _number(given: Sequence[str], flag: str) -> tuple[int, list[str]]:
    if len(given) < 2 or given[0] != flag or not (given[1].isascii() and given[1].isdigit() and len(given[1]) < 6):
        raise Refused(f"{flag} and a number are needed")
    return int(given[1]), list(given[2:])


def _head(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    count, rest = _number(given, "-n")
    return _input(files, rest, piped)[:count]


def _tail(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    count, rest = _number(given, "-n")
    return _input(files, rest, piped)[-count:] if count else []


def _cut(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    count, rest = _number(given, "-f")
    parts = [line.split(" ") for line in _input(files, rest, piped)]
    return [words[count - 1] if 0 < count <= len(words) else "" for words in parts]


def _sort(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    flags, rest = _flags(given, "nr")
    lines = _input(files, rest, piped)
    key: Callable[[str], tuple[int, str]] = (lambda line: (_leading_number(line), line)) if "-n" in flags else (lambda line: (0, line))
    return sorted(lines, key=key, reverse="-r" in flags)


def _leading_number(line: str) -> int:
    match = re.match(r"-?[0-9]{1,15}", line)
    return int(match[0]) if match else 0


def _uniq(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    flags, rest = _flags(given, "c")
    runs: list[list[str]] = []
    for line in _input(files, rest, piped):
        if runs and runs[-1][0] == line:
            runs[-1].append(line)
        else:
            runs.append([line])
    return [f"{len(run)} {run[0]}" if "-c" in flags else run[0] for run in runs]


def _sum(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    lines = _input(files, given, piped)
    if (wrong := next((line for line in lines if not re.fullmatch(r"-?[0-9]{1,15}", line)), None)) is not None:
        raise Refused(f"sum needs integers, got {wrong[:40]!r}")
    return [str(sum(map(int, lines)))]


def _wc(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    if given[:1] != ["-l"]:
        raise Refused("wc needs -l")
    return [str(len(_input(files, given[1:], piped)))]


def _echo(files: Mapping[str, str], given: Sequence[str], piped: list[str] | None) -> list[str]:
    return [" ".join(given)]


_COMMANDS: dict[str, Callable[[Mapping[str, str], Sequence[str], list[str] | None], list[str]]] = {
    "ls": _ls,
    "find": _find,
    "cat": _cat,
    "grep": _grep,
    "head": _head,
    "tail": _tail,
    "cut": _cut,
    "sort": _sort,
    "uniq": _uniq,
    "sum": _sum,
    "wc": _wc,
    "echo": _echo,
}


def _change(files: Files, name: str, given: Sequence[str]) -> Files:
    if name == "rm":
        paths = _expand(files, given)
        if not paths:
            raise Refused("a file is missing")
        return {path: text for path, text in files.items() if path not in paths}
    if len(given) != 2 or given[0] not in files or given[1] in files:
        raise Refused(f"{name} needs a file that there is and a path that there is not")
    remaining = {path: text for path, text in files.items() if name == "cp" or path != given[0]}
    return _write(remaining, given[1], files[given[0]])


def _write(files: Files, path: str, text: str) -> Files:
    parts = path.split("/")
    if len(parts) < 2 or parts[0] or not all(re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,40}", part) for part in parts[1:]):
        raise Refused(f"{path[:80]!r} is no path of a file")
    if any(other.startswith(f"{path}/") or path.startswith(f"{other}/") for other in files):
        raise Refused(f"{path[:80]!r} would be a file and a folder at once")
    if len(text) > MOST_TEXT or len(files) >= MOST_FILES:
        raise Refused("the disk is full")
    return {**files, path: text}
