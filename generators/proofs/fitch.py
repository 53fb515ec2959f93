"""The kernel of natural deduction: it reads a Fitch proof line by line and accepts a line only by one of its rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlgym.generators.logic.formulas import Formula
from rlgym.generators.proofs.notation import FALSE, parse

MOST_LINES = 800
RULES = """premise: repeats a premise.
assume: opens a new subproof with any formula, even right after another one of the same depth; the line has one bar more than what is around the subproof.
copy i: repeats line i.
andI i j: from A and from B, A and B.   andE i: from the formula A and B, A; also from it, B.
orI i: from A, the formula A or B; also from B, the formula A or B.
orE i j-k m-n: from A or B, a subproof from A to C and a subproof from B to C, the formula C.
ifI i-j: from a subproof from A to B, A -> B.   ifE i j: from A -> B and from A, B.
iffI i-j m-n: from a subproof from A to B and a subproof from B to A, A <-> B.   iffE i j: from A <-> B and one of A and B, the other.
notI i-j: from a subproof from A to false, not A.   notE i j: from A and from not A, false.
falseE i: from false, any formula.   dn i: from not not A, A."""

_LINE = re.compile(r"(\d{1,4})\s*[.):]?\s*((?:[|│]\s*)*)([^:|│]+?)\s*:\s*(\S+)((?:[\s,;]+\d{1,4}(?:\s*[-–—]\s*\d{1,4})?)*)\s*\.?", re.ASCII)
_REFERENCE = re.compile(r"(\d+)(?:\s*[-–—]\s*(\d+))?", re.ASCII)
_SIGNS = (
    ("<->", "iff"),
    ("↔", "iff"),
    ("->", "if"),
    ("→", "if"),
    ("∧", "and"),
    ("&", "and"),
    ("∨", "or"),
    ("¬", "not"),
    ("~", "not"),
    ("⊥", "false"),
)


@dataclass(frozen=True)
class Line:
    """A line that was accepted: its formula and the assumptions, by line number, of the subproofs it stands in."""

    formula: Formula
    inside: tuple[int, ...]
    assumed: bool


def fault(premises: Sequence[Formula], goal: Formula, lines: Sequence[str]) -> str:
    """What is wrong with a proof of the goal from the premises, or nothing."""
    if len(lines) > MOST_LINES:
        return f"the proof has more than {MOST_LINES} lines"
    known: list[Line] = []
    for text in lines:
        line = accept(premises, known, text)
        if isinstance(line, str):
            return line
        known.append(line)
    return (
        ""
        if known and known[-1].formula == goal and not known[-1].inside
        else "the last line must be the conclusion, outside of all subproofs"
    )


def accept(premises: Sequence[Formula], known: list[Line], text: str) -> Line | str:
    """The line that comes after those known, or what is wrong with it."""
    number = len(known) + 1
    match = _LINE.fullmatch(text) if len(text) < 600 else None
    if match is None or int(match[1]) != number:
        return f"line {number} must be written as `{number}. formula : rule and line numbers`"
    formula = parse(match[3])
    if formula is None:
        return f"the formula of line {number} cannot be read"
    bars, rule = len(match[2].replace(" ", "")), _name(match[4])
    around = known[-1].inside if known else ()
    assumed = rule == "assume"
    if bars > len(around) + assumed or (assumed and not bars):
        return f"line {number} stands in more or fewer subproofs than are open"
    inside = (*around[: bars - 1], number) if assumed else around[:bars]
    if not assumed and not _follows(rule, formula, match[5], known, inside, premises):
        return f"line {number} does not follow by the rule and the lines it names"
    return Line(formula, inside, assumed)


def _name(rule: str) -> str:
    name = rule
    for sign, word in _SIGNS:
        name = name.replace(sign, word)
    return name.lower()


def _follows(rule: str, conclusion: Formula, named: str, known: list[Line], inside: tuple[int, ...], premises: Sequence[Formula]) -> bool:
    if rule == "premise":
        return not named.strip() and conclusion in premises
    lines: list[Formula] = []
    subproofs: list[tuple[Formula, Formula]] = []
    for first, last in _REFERENCE.findall(named):
        i, j = int(first), int(last or first)
        if not 1 <= i <= j <= len(known):
            return False
        opening, closing = known[i - 1], known[j - 1]
        if not last:
            if opening.inside != inside[: len(opening.inside)]:
                return False
            lines.append(opening.formula)
            continue
        outer = opening.inside[:-1]
        closed = outer == inside[: len(outer)] and opening.inside != inside[: len(opening.inside)]
        if not (opening.assumed and opening.inside == closing.inside and closed):
            return False
        subproofs.append((opening.formula, closing.formula))
    check = _CHECKS.get(rule)
    return check is not None and (len(lines), len(subproofs)) == check[0] and check[1](conclusion, lines, subproofs)


Lines = list[Formula]
Subproofs = list[tuple[Formula, Formula]]


def _not(formula: Formula) -> Formula:
    return Formula("not", (formula,))


def _holds_in_either_order(lines: Lines, holds: Callable[[Formula, Formula], bool]) -> bool:
    return holds(lines[0], lines[1]) or holds(lines[1], lines[0])


def _or_e(conclusion: Formula, lines: Lines, subproofs: Subproofs) -> bool:
    cases = tuple(case for case, _ in subproofs)
    return lines[0].head == "or" and lines[0].parts in (cases, cases[::-1]) and all(last == conclusion for _, last in subproofs)


def _iff_i(conclusion: Formula, lines: Lines, subproofs: Subproofs) -> bool:
    return conclusion.head == "iff" and conclusion.parts in subproofs and subproofs[0] == subproofs[1][::-1]


def _iff_e(conclusion: Formula, lines: Lines, subproofs: Subproofs) -> bool:
    return _holds_in_either_order(lines, lambda a, b: a.head == "iff" and a.parts in ((b, conclusion), (conclusion, b)))


_CHECKS: dict[str, tuple[tuple[int, int], Callable[[Formula, Lines, Subproofs], bool]]] = {
    "copy": ((1, 0), lambda conclusion, lines, _: conclusion == lines[0]),
    "andi": ((2, 0), lambda conclusion, lines, _: conclusion.head == "and" and conclusion.parts in (tuple(lines), tuple(lines[::-1]))),
    "ande": ((1, 0), lambda conclusion, lines, _: lines[0].head == "and" and conclusion in lines[0].parts),
    "ori": ((1, 0), lambda conclusion, lines, _: conclusion.head == "or" and lines[0] in conclusion.parts),
    "ore": ((1, 2), _or_e),
    "ifi": ((0, 1), lambda conclusion, _, subproofs: conclusion.head == "implies" and conclusion.parts == subproofs[0]),
    "ife": ((2, 0), lambda conclusion, lines, _: _holds_in_either_order(lines, lambda a, b: a == Formula("implies", (b, conclusion)))),
    "iffi": ((0, 2), _iff_i),
    "iffe": ((2, 0), _iff_e),
    "noti": ((0, 1), lambda conclusion, _, subproofs: conclusion == _not(subproofs[0][0]) and subproofs[0][1] == FALSE),
    "note": ((2, 0), lambda conclusion, lines, _: conclusion == FALSE and _holds_in_either_order(lines, lambda a, b: b == _not(a))),
    "falsee": ((1, 0), lambda conclusion, lines, _: lines[0] == FALSE),
    "dn": ((1, 0), lambda conclusion, lines, _: lines[0] == _not(_not(conclusion))),
}
