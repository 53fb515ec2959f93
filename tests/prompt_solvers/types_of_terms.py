"""The most general type of a term, by Hindley and Milner's method."""

from __future__ import annotations

import re
from itertools import count

from prompt_solvers.parsing import after
from prompt_solvers.registry import prompt_solver
from prompt_solvers.terms import Term, read_application, substituted, unify


def read_type(text: str) -> Term:
    """A type: a word, or ("->", argument, result)."""
    tokens = re.findall(r"->|[()]|\w+", text)

    def arrow() -> Term:
        left = tokens.pop(0)
        if left == "(":
            left = arrow()
            tokens.pop(0)
        if tokens and tokens[0] == "->":
            tokens.pop(0)
            return ("->", left, arrow())
        return left

    return arrow()


def names_in(term: Term) -> set[str]:
    """All words of a type."""
    return {term} if isinstance(term, str) else set().union(*map(names_in, term[1:]))


class Inference:
    """Types of terms; a scheme is a type with the set of its variables that each use may replace."""

    def __init__(self) -> None:
        self.variables: set[str] = set()
        self.bound: dict[str, Term] = {}
        self.numbers = count()

    def new(self) -> str:
        """A fresh type variable."""
        name = f"t{next(self.numbers)}"
        self.variables.add(name)
        return name

    def instance(self, scheme: tuple[Term, set[str]]) -> Term:
        """The type of one use."""
        return substituted(substituted(scheme[0], self.bound), {name: self.new() for name in scheme[1]})

    def typed(self, term: Term, schemes: dict[str, tuple[Term, set[str]]]) -> Term:
        """The type of a term."""
        if isinstance(term, str):
            return self.instance(schemes[term])
        if term[0] == "\\":
            parameter = self.new()
            return ("->", parameter, self.typed(term[2], {**schemes, term[1]: (parameter, set())}))
        if term[0] == "let":
            value = substituted(self.typed(term[2], schemes), self.bound)
            fixed = set().union(*[names_in(substituted(kind, self.bound)) - free for kind, free in schemes.values()])
            return self.typed(term[3], {**schemes, term[1]: (value, (names_in(value) & self.variables) - fixed)})
        result = self.new()
        function, argument = self.typed(term[0], schemes), self.typed(term[1], schemes)
        assert unify(function, ("->", argument, result), self.variables, self.bound)
        return result


@prompt_solver("type_inference")
def solve_type_inference(prompt: str) -> str:
    schemes = {}
    for name, text in re.findall(r"^(\w+) : (.*)$", prompt, re.MULTILINE):
        kind = read_type(text)
        schemes[name] = (kind, {word for word in names_in(kind) if word.islower() and len(word) == 1})
    inference = Inference()
    found = substituted(
        inference.typed(read_application(after(prompt, "type of this term?\n").split("\n", 1)[0]), schemes), inference.bound
    )
    letters: dict[str, str] = {}

    def show(kind: Term) -> str:
        if isinstance(kind, str):
            return letters.setdefault(kind, "abcdefghijklmnopqrstuvwxyz"[len(letters)]) if kind in inference.variables else kind
        left = show(kind[1])
        return f"{left if isinstance(kind[1], str) else f'({left})'} -> {show(kind[2])}"

    return show(found)
