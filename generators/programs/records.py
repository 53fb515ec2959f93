"""Invented formats of settings, a line each: nesting, quotes, comments, lists, and what is done with repeated, empty and malformed ones."""

from __future__ import annotations

from typing import Any

EMPTY = {"text": "sets the empty string, which counts as a value", "none": "sets None, which counts as a value", "bad": "is malformed"}


def gathered(
    text: str,
    *,
    sign: str,
    mark: str,
    trailing: bool,
    quote: str,
    escape: str,
    numbers: bool,
    truths: tuple[str, ...],
    comma: str,
    nested: str,
    common: str,
    repeated: str,
    empty: str,
    flag: bool,
    folded: bool,
    skips: bool,
) -> Any:
    """The settings: regular expressions make lines into paths and values, which are gathered by path and put together in the end."""
    import re

    name = "[A-Za-z][A-Za-z0-9_]*"
    around = re.escape(quote)
    inside = (
        rf"(?:[^{around}\\]|\\.)*"
        if escape == "backslash"
        else f"(?:[^{around}]|{around}{around})*"
        if escape == "double"
        else f"[^{around}]*"
    )
    quoted = f"{around}{inside}{around}" + (f"(?!{around})" if escape == "double" else "")
    unclosed = rf"{around}(?:[^\\]|\\.|\\$)*" if escape == "backslash" else f"{around}.*"
    piece = f"{quoted}|{unclosed}|." if quote != "" else "."
    values: dict[tuple[str, ...], Any] = {}
    blocks: list[tuple[str, ...]] = [()]
    failed: list[int] = []
    here: tuple[str, ...] = ()

    def one(said: str) -> Any:
        if quote != "" and quote in said:
            if not re.fullmatch(quoted, said):
                raise ValueError
            said = said[1:-1]
            if escape == "backslash":
                return re.sub(r"\\(.)", r"\1", said)
            return said.replace(quote + quote, quote) if escape == "double" else said
        if numbers and re.fullmatch("-?[0-9]+", said):
            return int(said)
        return said == truths[0] if said in truths else said

    def put(key: str, value: Any) -> None:
        path = (*here, key)
        if path in blocks or (path in values and repeated == "bad"):
            raise ValueError
        if path not in values:
            values[path] = [value] if repeated == "all" else value
        elif repeated == "all":
            values[path] = [*values[path], value]
        elif repeated == "last":
            values[path] = value

    def handle(line: str) -> tuple[str, ...]:
        small = line.lower() if folded else line
        if nested == "sections" and re.fullmatch(rf"\[{name}(\.{name})*\]", line):
            path = tuple(small[1:-1].split("."))
            if any(path[: i + 1] in values for i in range(len(path))):
                raise ValueError
            blocks.extend(path[: i + 1] for i in range(len(path)) if path[: i + 1] not in blocks)
            return path
        if nested == "blocks" and re.fullmatch(name + r" *\(", line):
            path = (*here, small[:-1].strip())
            if path in values:
                raise ValueError
            blocks.extend([path] if path not in blocks else [])
            return path
        if nested == "blocks" and line == ")" and here:
            return here[:-1]
        match = re.fullmatch("(" + name + ") *(?:" + re.escape(sign) + "(.*))?", line)
        if not match or (match[2] is None and not flag):
            raise ValueError
        key = match[1].lower() if folded else match[1]
        if match[2] is None:
            put(key, True)
        elif match[2].strip() == "":
            if empty == "bad":
                raise ValueError
            put(key, "" if empty == "text" else None)
        else:
            pieces = re.findall(piece, match[2])
            items = "".join("\n" if part == comma else part for part in pieces).split("\n")
            if len(items) > 1 and "" in [item.strip() for item in items]:
                raise ValueError
            found = [one(item.strip()) for item in items]
            put(key, found[0] if len(items) == 1 else found)
        return here

    for number, line in enumerate(text.split("\n"), 1):
        if trailing:
            pieces = re.findall(re.escape(mark) + ".*|" + piece, line)
            line = "".join("" if part.startswith(mark) else part for part in pieces)
        line = line.strip(" ")
        if line == "" or line.startswith(mark):
            continue
        try:
            here = handle(line)
        except ValueError:
            failed.append(number)
    if failed and not skips:
        return failed[0]
    result: dict[str, Any] = {}
    for path in [*blocks[1:], *values]:
        inner = result
        for step in path[:-1]:
            inner = inner[step]
        if path in blocks:
            inner[path[-1]] = {}
        else:
            inner[path[-1]] = values[path][0] if repeated == "all" and len(values[path]) == 1 else values[path]
    if common != "" and ("common",) in blocks:
        for key in list(result):
            if (key,) in blocks and key != "common":
                result[key] = {**result["common"], **result[key]}
        if common == "dropped":
            del result["common"]
    return result


def read(
    text: str,
    *,
    sign: str,
    mark: str,
    trailing: bool,
    quote: str,
    escape: str,
    numbers: bool,
    truths: tuple[str, ...],
    comma: str,
    nested: str,
    common: str,
    repeated: str,
    empty: str,
    flag: bool,
    folded: bool,
    skips: bool,
) -> Any:
    """The settings: line by line into dicts that are open, and character by character where there may be quotes."""
    result: dict[str, Any] = {}
    stack: list[dict[str, Any]] = [result]
    several: list[tuple[int, str]] = []

    def named(said: str) -> bool:
        return said[:1].isalpha() and said.replace("_", "a").isalnum()

    def cut(line: str, sought: str, first: bool) -> list[str]:
        """The line's parts between what is sought outside of quotes; the first one or all."""
        parts, start, at, within = [], 0, 0, False
        while at < len(line):
            if within and escape == "backslash" and line[at] == "\\":
                at += 2
            elif quote != "" and line[at] == quote:
                within = not within
                at += 1
            elif not within and line.startswith(sought, at):
                parts.append(line[start:at])
                if first:
                    return parts
                at += len(sought)
                start = at
            else:
                at += 1
        return [*parts, line[start:]]

    def item(said: str) -> tuple[bool, Any]:
        """Whether it is well formed, and its value."""
        if quote != "" and quote in said:
            if said[0] != quote:
                return False, None
            letters, at = "", 1
            while at < len(said):
                if escape == "backslash" and said[at] == "\\":
                    at += 1
                    if at == len(said):
                        return False, None
                elif said[at] == quote:
                    if escape == "double" and said[at + 1 : at + 2] == quote:
                        at += 1
                    else:
                        return at == len(said) - 1, letters
                letters += said[at]
                at += 1
            return False, None
        digits = said[1:] if said[0] == "-" else said
        if numbers and digits.isdigit():
            return True, int(said)
        if said in truths:
            return True, said == truths[0]
        return True, said

    def put(key: str, value: Any) -> bool:
        inner = stack[-1]
        if key not in inner:
            inner[key] = value
            return True
        if isinstance(inner[key], dict) or repeated == "bad":
            return False
        if repeated == "last":
            inner[key] = value
        elif repeated == "all":
            if (id(inner), key) in several:
                inner[key].append(value)
            else:
                inner[key] = [inner[key], value]
                several.append((id(inner), key))
        return True

    def handle(line: str) -> bool:
        nonlocal stack
        if nested == "sections" and line[0] == "[":
            names = line[1:-1].lower().split(".") if folded else line[1:-1].split(".")
            if line[-1] != "]" or not all(map(named, names)):
                return False
            inner = result
            for name in names:
                if not isinstance(inner.get(name, {}), dict):
                    return False
                inner = inner.get(name, {})
            stack = [result]
            for name in names:
                stack.append(stack[-1].setdefault(name, {}))
            return True
        if nested == "blocks" and line == ")":
            if len(stack) == 1:
                return False
            stack.pop()
            return True
        if nested == "blocks" and line[-1] == "(" and named(line[:-1].strip()):
            name = line[:-1].strip().lower() if folded else line[:-1].strip()
            if not isinstance(stack[-1].get(name, {}), dict):
                return False
            stack.append(stack[-1].setdefault(name, {}))
            return True
        key, found, said = line.partition(sign)
        key, said = key.strip(), said.strip()
        if not named(key):
            return False
        if folded:
            key = key.lower()
        if found == "":
            return flag and put(key, True)
        if said == "":
            return empty != "bad" and put(key, "" if empty == "text" else None)
        parts = cut(said, comma, False) if comma != "" else [said]
        values = []
        for part in parts:
            if part.strip() == "":
                return False
            good, value = item(part.strip())
            if not good:
                return False
            values.append(value)
        return put(key, values if len(parts) > 1 else values[0])

    number = 0
    for line in text.split("\n"):
        number += 1
        if trailing:
            line = cut(line, mark, True)[0]
        line = line.strip()
        if line == "" or line.startswith(mark):
            continue
        if not handle(line) and not skips:
            return number
    if common != "" and isinstance(result.get("common"), dict):
        for key in result:
            if key != "common" and isinstance(result[key], dict):
                for name in result["common"]:
                    if name not in result[key]:
                        result[key][name] = result["common"][name]
        if common == "dropped":
            del result["common"]
    return result
