"""The final answer of a free text, for prompts without an answer format. Not for training: environments ask for marks, and read nothing else."""

from __future__ import annotations

import re

_FINAL = re.compile(r"(?:final answer is|answer is|answer should be|therefore,? the answer is)\s*:?\s*", re.IGNORECASE)
_MATH = re.compile(r"\$\$(.+?)\$\$|(?<!\\)\$((?:[^$\\]|\\.)+?)(?<!\\)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9.,])[-−]?[$€£]?\s?(?>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?: [0-9]{3})+(?![0-9])|[0-9]+/[0-9]+|[0-9]*[.,]?[0-9]+)"
    r"(?=\s?(?:[A-Za-z]{1,3}[²³]?)?(?![A-Za-z0-9]))(?:\s?(?:%|percent|pct))?"
)
_PROSE = re.compile(r"(?<!\\)\b(?!sin|cos|tan|log|exp|sqrt|percent|pct|arc)[A-Za-z]{3,}")
_JOINS = re.compile(r"[\s$.,;:+\-\\()\[\]{}]*|.{0,40}?(?:\band\b|\bor\b|,).{0,20}?", re.DOTALL)
_PERCENT = re.compile(r"\s*(?:\\?%|percent\b|pct\b|percentage\b)")
_END = re.compile(r"<\|(?:im_|end).*", re.DOTALL)


def final_answer(text: str) -> str:
    """The part of a text that states its answer: after "the final answer is", in the last boxes, in the last formula, or the last number."""
    text = re.split(r"</think>", text)[-1] if re.split(r"</think>", text)[-1].strip() else text
    text = re.sub(r"\s*I hope it is correct\.?", "", _END.sub("", text))
    announced = list(_FINAL.finditer(text))
    if announced and (tail := text[announced[-1].end() :].strip()):
        tail = re.sub(r'^\\?["“]', "", tail)
        if not _boxes(tail):
            if _MATH.match(tail):
                return _joined_formulas(tail, first=True)
            if number := _NUMBER.match(tail):
                return number[0]
            return tail if len(tail) < 200 else _last_statement(tail)
    if boxes := _boxes(text):
        group = [boxes[-1]]
        for before, after in zip(boxes[-2::-1], boxes[:0:-1]):
            if not _JOINS.fullmatch(text[before[1] : after[0]]):
                break
            group.insert(0, before)
        answer = ", ".join(text[begun:ended] for begun, ended in group)
        return answer + (" %" if _PERCENT.match(text[boxes[-1][1] :].lstrip("$ ")) else "")
    return _last_statement(text)


def _last_statement(text: str) -> str:
    formulas = list(_MATH.finditer(text))
    if formulas and not re.search(r"[0-9]", re.sub(r"\$", "", text[formulas[-1].end() :])):
        return _joined_formulas(text)
    numbers = [match for match in _NUMBER.finditer(text) if re.search("[0-9]", match[0])]
    if numbers and _PROSE.search(text):
        return numbers[-1][0].replace("$", "")
    return text


def _joined_formulas(text: str, first: bool = False) -> str:
    """The last formula (or the first), with the neighbours that only a comma, `and` or `or` parts from it."""
    formulas = list(_MATH.finditer(text))[:: 1 if first else -1]
    group = [formulas[0]]
    for formula in formulas[1:]:
        one, other = (group[-1], formula) if first else (formula, group[-1])
        if not re.fullmatch(r"\s*(?:,|;|and|or|,\s*and|,\s*or)\s*", text[one.end() : other.start()]):
            break
        group.append(formula)
    group = group if first else group[::-1]
    answer = ", ".join(next(inner for inner in match.groups() if inner is not None) for match in group)
    return answer + (" %" if _PERCENT.match(text[group[-1].end() :]) else "")


def _boxes(text: str) -> list[tuple[int, int]]:
    """Where the outermost \\boxed{...} stand."""
    closed, opened = dict[int, int](), list[int]()
    for brace in re.finditer(r"(?<!\\)[{}]", text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            closed[opened.pop()] = brace.end()
    out: list[tuple[int, int]] = []
    for match in re.finditer(r"\\(?:boxed|fbox)\s*\{", text):
        if match.end() - 1 in closed and not (out and match.start() < out[-1][1]):
            out.append((match.start(), closed[match.end() - 1]))
    return out
