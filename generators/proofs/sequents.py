"""The kernel of a sequent calculus: a line is accepted only by one of its rules; and a complete search for proofs.

A sequent has a set of formulas on each side. It says that at least one of the right side is true if all of the left side are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlgym.generators.logic.formulas import Formula, write
from rlgym.generators.proofs.notation import parse

Side = frozenset[Formula]
MOST_LINES = 400
RULES = """ax: a formula is on both sides.
weak i: from X |- Y to the same sequent with more formulas.
cut i j: from X |- Y, A and from X, A |- Y to X |- Y.
notL i: from X |- Y, A to X, not A |- Y.   notR i: from X, A |- Y to X |- Y, not A.
andL i: from X, A, B |- Y to X, A and B |- Y.   andR i j: from X |- Y, A and from X |- Y, B to X |- Y, A and B.
orL i j: from X, A |- Y and from X, B |- Y to X, A or B |- Y.   orR i: from X |- Y, A, B to X |- Y, A or B.
ifL i j: from X |- Y, A and from X, B |- Y to X, A -> B |- Y.   ifR i: from X, A |- Y, B to X |- Y, A -> B.
iffL i j: from X, A, B |- Y and from X |- Y, A, B to X, A <-> B |- Y.   iffR i j: from X, A |- Y, B and from X, B |- Y, A to X |- Y, A <-> B."""
_LINE = re.compile(r"(\d{1,4})\s*[.):]?\s*([^:|⊢]*?)\s*(?:\|-|⊢)\s*([^:|⊢]*?)\s*:\s*([A-Za-z]{2,8})((?:[\s,]+\d{1,4})*)\s*\.?", re.ASCII)
# Of a connective on the left and on the right: what each premise has on its left and on its right, by the numbers of the parts.
_PARTS = {
    "notL": (((), (0,)),),
    "notR": (((0,), ()),),
    "andL": (((0, 1), ()),),
    "andR": (((), (0,)), ((), (1,))),
    "orL": (((0,), ()), ((1,), ())),
    "orR": (((), (0, 1)),),
    "ifL": (((), (0,)), ((1,), ())),
    "ifR": (((0,), (1,)),),
    "iffL": (((0, 1), ()), ((), (0, 1))),
    "iffR": (((0,), (1,)), ((1,), (0,))),
}
_NAMES = {"not": "not", "and": "and", "or": "or", "implies": "if", "iff": "iff"}


@dataclass(frozen=True)
class Sequent:
    left: Side
    right: Side

    def within(self, other: Sequent, left: Side = frozenset(), right: Side = frozenset()) -> bool:
        """Whether it has nothing but what the other one and these formulas have."""
        return self.left <= other.left | left and self.right <= other.right | right


@dataclass(frozen=True, eq=False)
class Node:
    """A proved sequent, its rule, and the nodes that the rule is used on."""

    sequent: Sequent
    rule: str
    uses: tuple[Node, ...] = ()


class Stuck(Exception):
    """There is no proof, or none within the work allowed."""


def show(sequent: Sequent) -> str:
    sides = (", ".join(sorted(map(write, side), key=lambda text: (len(text), text))) for side in (sequent.left, sequent.right))
    return " |- ".join(sides).strip()


def spell(text: str) -> Sequent | None:
    """The sequent that a text spells, or None."""
    left, sign, right = text.replace("⊢", "|-").partition("|-")
    sides = [[parse(part) for part in side.split(",")] if side.strip() else [] for side in (left, right)]
    if not sign or not all(sides[0]) or not all(sides[1]):
        return None
    return Sequent(*(frozenset(formula for formula in side if formula) for side in sides))


def fault(goal: Sequent, lines: Sequence[str], most: int) -> str:
    """What is wrong with a proof of the goal, or nothing."""
    if len(lines) > most:
        return f"the proof has more than {most} lines"
    known: list[Sequent] = []
    for text in lines:
        sequent = accept(known, text)
        if isinstance(sequent, str):
            return sequent
        known.append(sequent)
    return "" if known and known[-1] == goal else "the last line must be the sequent that is to be proved"


def accept(known: Sequence[Sequent], text: str) -> Sequent | str:
    """The sequent of the line that comes after those known, or what is wrong with it."""
    number = len(known) + 1
    match = _LINE.fullmatch(text) if len(text) < 1500 else None
    if match is None or int(match[1]) != number:
        return f"line {number} must be written as `{number}. sequent : rule and line numbers`"
    sequent = spell(f"{match[2]} |- {match[3]}")
    if sequent is None:
        return f"the sequent of line {number} cannot be read"
    named = [int(word) for word in match[5].replace(",", " ").split()]
    if not all(1 <= line < number for line in named):
        return f"line {number} names a line that is not before it"
    sound = follows(sequent, match[4], [known[line - 1] for line in named])
    return sequent if sound else f"line {number} does not follow by the rule and the lines it names"


def follows(conclusion: Sequent, rule: str, uses: Sequence[Sequent]) -> bool:
    """Whether a rule, used on these sequents in this order, gives the sequent; each may lack formulas that it could have."""
    name = rule.lower()
    if name == "ax":
        return not uses and bool(conclusion.left & conclusion.right)
    if name == "weak":
        return len(uses) == 1 and uses[0].within(conclusion)
    if name == "cut":
        return len(uses) == 2 and any(
            uses[0].within(conclusion, right=cut) and uses[1].within(conclusion, left=cut)
            for cut in (frozenset[Formula](), *(frozenset({formula}) for formula in uses[0].right | uses[1].left))
        )
    head, side = name[:-1], name[-1:].upper()
    parts = _PARTS.get(head + side, ())
    if not parts or len(uses) != len(parts):
        return False
    for formula in conclusion.left if side == "L" else conclusion.right:
        if _NAMES.get(formula.head) == head:
            pairs = zip(uses, _premises(formula, side), strict=True)
            if all(use.within(conclusion, left, right) for use, (left, right) in pairs):
                return True
    return False


def _premises(formula: Formula, side: str) -> list[tuple[Side, Side]]:
    """What each premise has instead of a formula."""
    parts = _PARTS[_NAMES[formula.head] + side]
    return [(frozenset(formula.parts[k] for k in left), frozenset(formula.parts[k] for k in right)) for left, right in parts]


ORDERS: tuple[Callable[[Formula], object], ...] = (
    lambda formula: (len(write(formula)), write(formula)),
    lambda formula: (-len(write(formula)), write(formula)),
    lambda formula: write(formula),
    lambda formula: write(formula)[::-1],
)


def proof(goal: Sequent, order: Callable[[Formula], object], most: int) -> list[str]:
    """The lines of a proof that takes formulas apart, those that make one premise first. Stuck if it takes too much work."""
    left_over = [most]
    done: list[Node] = []

    def prove(sequent: Sequent) -> Node:
        left_over[0] -= 1
        if left_over[0] < 0:
            raise Stuck
        for node in done:
            if node.sequent.within(sequent):
                return node
        node = _axiom(sequent) or opened(sequent)
        done.append(node)
        return node

    def opened(sequent: Sequent) -> Node:
        sides = [(formula, side) for side, row in (("L", sequent.left), ("R", sequent.right)) for formula in row if formula.parts]
        if not sides:
            raise Stuck
        formula, side = min(sides, key=lambda choice: (len(_PARTS[_NAMES[choice[0].head] + choice[1]]), order(choice[0]), choice[1]))
        alone = frozenset({formula})
        rest = Sequent(sequent.left - alone, sequent.right) if side == "L" else Sequent(sequent.left, sequent.right - alone)
        uses: list[Node] = []
        principal = (frozenset[Formula](), frozenset[Formula]())
        for left, right in _premises(formula, side):
            node = prove(Sequent(rest.left | left, rest.right | right))
            if not (node.sequent.left & left - rest.left or node.sequent.right & right - rest.right):
                return node  # it does without the parts of this formula
            uses.append(node)
            principal = principal[0] | (node.sequent.left - (left - rest.left)), principal[1] | (node.sequent.right - (right - rest.right))
        there = Sequent(principal[0] | alone, principal[1]) if side == "L" else Sequent(principal[0], principal[1] | alone)
        return Node(there, _NAMES[formula.head] + side, tuple(uses))

    return _number(prove(goal))


def _axiom(sequent: Sequent) -> Node | None:
    both = sorted(sequent.left & sequent.right, key=lambda formula: (len(write(formula)), write(formula)))
    return Node(Sequent(frozenset(both[:1]), frozenset(both[:1])), "ax") if both else None


def _number(top: Node) -> list[str]:
    number: dict[Sequent, int] = {}
    lines: list[str] = []

    def put(node: Node) -> int:
        if node.sequent not in number:
            named = "".join(f" {put(use)}" for use in node.uses)
            lines.append(f"{len(lines) + 1}. {show(node.sequent)} : {node.rule}{named}")
            number[node.sequent] = len(lines)
        return number[node.sequent]

    put(top)
    return lines
