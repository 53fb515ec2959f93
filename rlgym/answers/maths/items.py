"""Mathematical answers that have been read: expressions, words, lists, sets, intervals, matrices and relations."""

from __future__ import annotations

from dataclasses import dataclass

from rlgym.answers.trees import Tree


@dataclass(frozen=True)
class Scalar:
    """One expression; `unit` is what words follow it, `percent` whether the sign for hundredths does, `degrees` whether the sign for degrees
    does. Where the unit may be meant as a variable, `whole` is the expression that it is then part of; where `2e-3` is meant as an expression
    in the constant e, `tree` is the expression and `power_of_ten` the number."""

    tree: Tree
    unit: str = ""
    percent: bool = False
    whole: Tree | None = None
    degrees: bool = False
    power_of_ten: Tree | None = None


@dataclass(frozen=True)
class Words:
    text: str


@dataclass(frozen=True)
class Many:
    """Several items. `kind`: "list" as they stand, "set" in braces, "union", "ratio" with colons, "or" of choices, "either" of
    inequalities; or the two brackets of a group."""

    kind: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Matrix:
    rows: tuple[tuple[Item, ...], ...]


@dataclass(frozen=True)
class Relation:
    """A chain of comparisons: one sign fewer than sides."""

    signs: tuple[str, ...]
    sides: tuple[Item, ...]


Item = Scalar | Words | Many | Matrix | Relation
