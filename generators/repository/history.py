"""A long history of a package as events: components that are added, faults that come and go, commits that do not start, and mere documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from rlgym.generators.repository.components import Site
from rlgym.generators.repository.layout import source_files
from rlgym.generators.repository.package import ORDER, Package


class Event(NamedTuple):
    """What a commit does.

    kind     start, add, fault, mend, break (a line that is no Python, gone with the next commit) or document
    key      the component
    site, option  of a fault
    missing  the components that the first commit lacks
    number   of a documenting commit
    """

    kind: str
    key: str
    site: Site | None = None
    option: str = ""
    missing: tuple[str, ...] = ()
    number: int = 0


def stages_of(package: Package, events: Sequence[Event]) -> list[tuple[str, dict[str, str]]]:
    """The message of each commit, and the files after it."""
    found = list[tuple[str, dict[str, str]]]()
    missing, revised = list(events[0].missing), dict[str, str]()
    files = source_files(package.without(missing))
    for place, event in enumerate(events):
        if event.kind == "add":
            missing.remove(event.key)
        if event.site is not None:
            chosen = {site: option for site, option in package.chosen.items() if site != event.site}
            package = replace(package, chosen={**chosen, event.site: event.option} if event.kind == "fault" else chosen)
        if event.kind in ("add", "fault", "mend"):
            files = source_files(package.without(missing))
        # Whatever a commit does besides, it changes a description, so that none is empty.
        revised[event.key] = f"{_title(package, event.key)}, revision {place}"
        texts = {path: documented(text, revised) for path, text in files.items()}
        if event.kind == "break":
            path = next(path for path, text in texts.items() if f"def {event.key}(" in text)
            texts[path] = texts[path].replace(f"def {event.key}(", f"def {event.key}((", 1)
        found.append((_message(package, event, place), texts))
    return found


def _title(package: Package, key: str) -> str:
    return "the order of the rules" if key in (ORDER, "") else package.component(key).title


def _message(package: Package, event: Event, place: int) -> str:
    """A fault and a documenting commit have the same messages; what was added or fixed is named."""
    title = _title(package, event.key)
    if event.kind == "start":
        return "First version"
    if event.kind == "add":
        return f"Add {title}"
    if event.kind == "mend":
        return f"Fix {title}, which was not as documented"
    return f"{('Simplify', 'Clean up', 'Describe', 'Rework')[place % 4]} {title}"


def documented(text: str, titles: dict[str, str]) -> str:
    """A module with descriptions in its functions."""
    lines = []
    for line in text.split("\n"):
        lines.append(line)
        name = (
            line.strip().removeprefix("def ").partition("(")[0]
            if line.strip().startswith("def ")
            else "RULES"
            if line == "RULES = ["
            else ""
        )
        if name in titles and line.endswith((":", "[")):
            indent = line[: len(line) - len(line.lstrip())] + "    "
            lines.append(f"{indent}# {titles[name]}")
    return "\n".join(lines)
