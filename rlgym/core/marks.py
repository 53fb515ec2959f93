"""Finds the marked final answers of a response, in time linear in its length."""

from __future__ import annotations

import re

from rlgym.core.answer import Style

_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_BOX = re.compile(r"\\(?:boxed|fbox)\s{0,4}\{")
_BRACE = re.compile(r"\\[{}]|[{}]")
_FENCE = re.compile(r"^[ \t]{0,3}```([^\n`]{0,40})$", re.MULTILINE)
_PLACEHOLDERS = ("...", "…")


def marked(response: str, style: Style) -> list[str]:
    """The stripped texts between the marks of the style. What was thought (before the last `</think>`) does not count."""
    _, thought, said = response.rpartition("</think>")
    text = said if thought else response
    found = {"tag": _tags, "boxed": _boxes, "fence": _fences}[style](text)
    return [inner for inner in (piece.strip() for piece in found) if inner not in _PLACEHOLDERS]


def _tags(text: str) -> list[str]:
    found, opened = [], -1
    for mark in _TAG.finditer(text):
        if not mark[1]:
            opened = mark.end()
        elif opened >= 0:
            found.append(text[opened : mark.start()])
            opened = -1
    return found


def _boxes(text: str) -> list[str]:
    found, resume = [], 0
    for box in _BOX.finditer(text):
        if box.start() < resume:
            continue
        depth = 1
        for brace in _BRACE.finditer(text, box.end()):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if depth == 0:
                found.append(text[box.end() : brace.start()])
                resume = brace.end()
                break
        else:  # never closed: neither is any box after it
            break
    return found


def _fences(text: str) -> list[str]:
    """Blocks marked `answer`; where there are none, a lone block without a mark."""
    answers: list[str] = []
    plain: list[str] = []
    opened, kind = -1, ""
    for fence in _FENCE.finditer(text):
        if opened < 0:
            opened, kind = fence.end(), fence[1].strip().lower()
        elif not fence[1].strip():
            (answers if kind == "answer" else plain).append(text[opened : fence.start()])
            opened = -1
    return answers or (plain if len(plain) == 1 else [])
