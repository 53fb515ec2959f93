"""Differentiates trees by the rules of calculus."""

from __future__ import annotations

from rlgym.answers.trees.build import ONE, ZERO, add, call, constant, minus, over, power, subtract, times
from rlgym.answers.trees.nodes import Apply, Name, Number, Tree, Undefined, number, walk


def derivative(tree: Tree, name: str) -> Tree:
    """The derivative with respect to one name; other names are constants. Undefined for abs, but for ln(abs(...))."""
    if isinstance(tree, Number):
        return ZERO
    if isinstance(tree, Name):
        return ONE if tree.text == name else ZERO
    head, parts = tree.head, tree.parts
    inner = parts[0]
    slope = derivative(inner, name) if head != "ln" else derivative(_without_bars(inner), name)
    if len(parts) == 1:
        return minus(slope) if head == "neg" else ZERO if slope == ZERO else _derivative_of_function(head, inner, slope)
    other = parts[1]
    other_slope = derivative(other, name)
    if head == "+":
        return add(slope, other_slope)
    if head == "-":
        return subtract(slope, other_slope)
    if head == "*":
        return add(times(slope, other), times(inner, other_slope))
    if head == "/":
        if other_slope == ZERO:
            return over(slope, other)
        return over(subtract(times(slope, other), times(inner, other_slope)), power(other, 2))
    return _derivative_of_power(tree, inner, slope, other, other_slope)


def _derivative_of_power(tree: Tree, base: Tree, slope: Tree, exponent: Tree, exponent_slope: Tree) -> Tree:
    if exponent_slope == ZERO:
        if slope == ZERO:
            return ZERO
        value = constant(exponent)
        if value is not None:
            return times(times(number(value), power(base, value - 1)), slope)
        return times(times(exponent, Apply("^", (base, subtract(exponent, ONE)))), slope)
    if base == Name("e"):
        return times(tree, exponent_slope)
    grown = times(tree, times(exponent_slope, call("ln", base)))
    return grown if slope == ZERO else add(grown, times(tree, over(times(exponent, slope), base)))


def _derivative_of_function(head: str, inner: Tree, slope: Tree) -> Tree:
    if head == "sin":
        return times(call("cos", inner), slope)
    if head == "cos":
        return minus(times(call("sin", inner), slope))
    if head == "tan":
        return over(slope, power(call("cos", inner), 2))
    if head == "arctan":
        return over(slope, add(power(inner, 2), ONE))
    if head == "exp":
        return times(call("exp", inner), slope)
    if head == "ln":
        return over(slope, _without_bars(inner))
    if head == "sqrt":
        return over(slope, times(number(2), call("sqrt", inner)))
    raise Undefined(f"{head} has no derivative everywhere")


def _without_bars(tree: Tree) -> Tree:
    """ln(abs(u)) and ln(u) have the same derivative."""
    return tree.parts[0] if isinstance(tree, Apply) and tree.head == "abs" else tree


def at(tree: Tree, name: str, value: Tree) -> Tree:
    """The tree with another one in a name's place."""
    if isinstance(tree, Apply):
        return Apply(tree.head, tuple(at(part, name, value) for part in tree.parts))
    return value if isinstance(tree, Name) and tree.text == name else tree


def depends(tree: Tree, name: str) -> bool:
    """Whether a name occurs in the tree."""
    return any(isinstance(node, Name) and node.text == name for node in walk(tree))
