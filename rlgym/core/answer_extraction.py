"""Answer styles: the marks around a final answer, and how marked answers are extracted from a response.

Extraction takes time linear in the length of the response.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Style = Literal["tag", "boxed", "fence"]
STYLES: tuple[Style, ...] = ("tag", "boxed", "fence")

_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_BOX = re.compile(r"\\(?:boxed|fbox)\s{0,4}\{")
_BRACE = re.compile(r"\\[{}]|[{}]")
_FENCE = re.compile(r"^[ \t]{0,3}```([^\n`]{0,40})$", re.MULTILINE)
_PLACEHOLDERS = ("...", "…")


def extract_marked(response: str, style: Style) -> list[str]:
    """The stripped texts between the marks of the style. Text before the last `</think>` does not count."""
    return list(_extract(response, style))


@lru_cache(maxsize=4)  # a wrong answer is extracted twice: to be read, and to look for a layout that is left around it
def _extract(response: str, style: Style) -> tuple[str, ...]:
    text = response.rpartition("</think>")[2]
    blocks = {"tag": _tags, "boxed": _boxes, "fence": _fences}[style](text)
    return tuple(inner for inner in map(str.strip, blocks) if inner not in _PLACEHOLDERS)


def wrap(text: str, style: Style) -> str:
    """Text between the marks of a style."""
    if style == "tag":
        return f"<answer>{text}</answer>"
    if style == "boxed":
        return f"\\boxed{{{text}}}"
    return f"```answer\n{text}\n```"


def _tags(text: str) -> list[str]:
    if text.startswith("<answer>") and text.endswith("</answer>") and text.count("<") == 2:
        return [text[8:-9]]  # the plainest response, of which the laws score very many
    tags, opened = [], -1
    for mark in _TAG.finditer(text):
        if not mark[1]:
            opened = mark.end()
        elif opened >= 0:
            tags.append(text[opened : mark.start()])
            opened = -1
    return tags


def _boxes(text: str) -> list[str]:
    boxes, resume = [], 0
    for box in _BOX.finditer(text):
        if box.start() < resume:
            continue
        depth = 1
        for brace in _BRACE.finditer(text, box.end()):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if depth == 0:
                boxes.append(text[box.end() : brace.start()])
                resume = brace.end()
                break
        else:  # never closed: neither is any box after it
            break
    return boxes


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
