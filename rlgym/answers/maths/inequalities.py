"""The numbers that a mathematical answer describes as an interval, a set, a union or an inequality."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlgym.answers.maths.items import Item, Many, Relation, Scalar, Words
from rlgym.answers.maths.spans import Span
from rlgym.answers.trees import Apply, Name, Number, Tree, value, walk

FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


ORDERS = ("<", ">", "<=", ">=")


def is_label(item: Item) -> bool:
    """Whether an item only names the requested quantity: x, f(x), |AB|, (p, q), A : B."""
    if isinstance(item, Scalar):
        nodes = list(walk(item.tree))
        heads = {node.head for node in nodes if isinstance(node, Apply)}
        return (
            any(isinstance(node, Name) for node in nodes)
            and not any(isinstance(node, Number) for node in nodes)
            and heads <= {"*", "abs", "/"}
        )
    if isinstance(item, Words):
        return bool(item.text) and not re.search(r"[0-9+]", item.text)
    return isinstance(item, Many) and item.kind in ("()", "ratio", "list") and all(map(is_label, item.items))


def are_alternatives(items: Sequence[Item], text: str) -> bool:
    """Whether items that a text joins by words are inequalities joined by "or": x < 2 or x > 3."""
    joined = re.search(r"\bor\b|\\lor(?![A-Za-z])", text) and not re.search(r"\band\b|\\land(?![A-Za-z])", text)
    return bool(joined) and all(isinstance(item, Relation) and set(item.signs) <= set(ORDERS) for item in items)


def variable(item: Item) -> Tree | None:
    """What an inequality or membership is about."""
    if isinstance(item, Relation):
        if item.signs[0] == "in" or len(item.sides) == 2:
            side = next((side for side in item.sides if isinstance(side, Scalar) and is_label(side)), None)
            return _inner(side.tree) if side else None
        middle = item.sides[1]
        return middle.tree if isinstance(middle, Scalar) else None
    return None


def _inner(tree: Tree) -> Tree:
    """What |x| is the size of, another tree as it is."""
    return tree.parts[0] if isinstance(tree, Apply) and tree.head == "abs" else tree


def spans_of(item: Item) -> list[Span] | None:
    """The numbers that a union, an interval, a set or an inequality in one name holds; None where it is nothing of these."""
    if isinstance(item, Many):
        if item.kind == "union":
            spans = [spans_of(span_list) for span_list in item.items]
            return (
                None
                if any(span_list is None for span_list in spans)
                else [span for span_list in spans if span_list is not None for span in span_list]
            )
        if item.kind == "set" and all(isinstance(span_list, Scalar) for span_list in item.items):
            return [Span(span_list.tree, span_list.tree, True, True) for span_list in item.items if isinstance(span_list, Scalar)]
        if len(item.kind) == 2 and item.kind[0] in "([" and len(item.items) == 2:
            low, high = item.items
            if isinstance(low, Scalar) and isinstance(high, Scalar) and not (unknowns(low.tree) | unknowns(high.tree)) - {"infinity"}:
                return [Span(_finite_bound(low.tree), _finite_bound(high.tree), item.kind[0] == "[", item.kind[1] == "]")]
        return None
    if isinstance(item, Relation):
        if item.signs == ("in",):
            return spans_of(item.sides[1])
        if all(sign in ORDERS for sign in item.signs) and all(isinstance(side, Scalar) for side in item.sides):
            return _inequality(item.signs, [side.tree for side in item.sides if isinstance(side, Scalar)])
    return None


def _inequality(signs: Sequence[str], sides: list[Tree]) -> list[Span] | None:
    if len(sides) == 3 and signs[0][0] == signs[1][0] and not unknowns(sides[0]) and not unknowns(sides[2]):
        if signs[0][0] == ">":
            signs, sides = [FLIPPED[sign] for sign in signs[::-1]], sides[::-1]
        span = Span(sides[0], sides[2], signs[0] == "<=", signs[1] == "<=")
        middle = sides[1]
        if isinstance(middle, Apply) and middle.head == "abs" and value(sides[0]) >= 0:
            return [span, Span(Apply("neg", (sides[2],)), Apply("neg", (sides[0],)), span.high_in, span.low_in)]
        return [span]
    if len(sides) == 2 and isinstance(sides[1], Name) and sides[1].text != "infinity" and not unknowns(sides[0]):
        signs, sides = [FLIPPED[signs[0]]], sides[::-1]
    if len(sides) == 2 and isinstance(sides[0], Apply) and sides[0].head == "abs" and isinstance(sides[0].parts[0], Name):
        return _inequality_of_size(signs[0], sides[1])
    if len(sides) == 2 and isinstance(sides[0], Name) and not unknowns(sides[1]):
        included = signs[0] in ("<=", ">=")
        return [Span(None, sides[1], False, included)] if signs[0][0] == "<" else [Span(sides[1], None, included, False)]
    return None


def _inequality_of_size(sign: str, size: Tree) -> list[Span] | None:
    """The numbers of |x| < 3 or |x| > 3; None where the bound is 0 or no number."""
    if unknowns(size) or not value(size):
        return None
    if value(size) < 0:
        return [] if sign[0] == "<" else [Span(None, None)]
    included, minus = sign in ("<=", ">="), Apply("neg", (size,))
    if sign[0] == "<":
        return [Span(minus, size, included, included)]
    return [Span(None, minus, False, included), Span(size, None, included, False)]


def unknowns(tree: Tree) -> set[str]:
    return {node.text for node in walk(tree) if isinstance(node, Name)} - {"pi", "e"}


def _finite_bound(tree: Tree) -> Tree | None:
    return None if "infinity" in unknowns(tree) else tree
