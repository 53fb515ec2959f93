"""Reads an expression tree from plain text, Unicode signs and simple LaTeX, in linear time within the bounds of a grammar."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

from rlgym.answers.trees.lexer import ALIASES, COMMANDS, RECIPROCALS, Grammar, lexicon, tokenize
from rlgym.answers.trees.nodes import Apply, Name, Number, Tree, depth
from rlgym.core.answer import Unreadable


def read(text: str, grammar: Grammar) -> Tree:
    """The tree that a text spells, or Unreadable. Takes time linear in the text."""
    if len(text) > grammar.max_characters:
        raise Unreadable(f"expected an expression of at most {grammar.max_characters} characters, got {len(text)}")
    return _Reader(tokenize(text, grammar), grammar).whole()


COMMANDS |= {"frac": "frac", "dfrac": "frac", "tfrac": "frac", "lbrace": "(", "rbrace": ")"}
COMPOSED = ("arcsin", "arccos", "sinh", "cosh", "tanh", "logbase")
"""Functions that are read as expressions of others, where a grammar names them; `logbase[b]x` is the logarithm to the base b."""

_CLOSES = {"(": ")", "[": "]", "{": "}"}


class _Reader:
    """One pass over the tokens by recursive descent; `left` bounds the nodes, `nested` the recursion."""

    def __init__(self, tokens: list[str], grammar: Grammar) -> None:
        self.tokens = [*tokens, ""]
        self.at = 0
        self.grammar = grammar
        _, self.names, self.functions = lexicon(grammar)
        self.left = grammar.max_nodes
        self.nested = 0
        self.bars = 0

    def whole(self) -> Tree:
        tree = self.sum()
        if self.tokens[self.at]:
            self.refuse()
        if depth(tree) > self.grammar.max_depth:
            raise Unreadable(f"the expression is nested more than {self.grammar.max_depth} deep")
        return tree

    def refuse(self) -> NoReturn:
        token = self.tokens[self.at]
        raise Unreadable(f"{token[:20]!r} does not fit there in the expression" if token else "the expression ends too early")

    def made(self, head: str, *parts: Tree) -> Tree:
        if head in "+-*/^" and head not in self.grammar.operators:
            raise Unreadable(f"the operator {head!r} is not allowed here")
        self.spend()
        return Apply(head, parts)

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Unreadable(f"the expression has more than {self.grammar.max_nodes} parts")

    def deeper(self) -> None:
        self.nested += 1
        if self.nested > self.grammar.max_depth:
            raise Unreadable(f"the expression is nested more than {self.grammar.max_depth} deep")

    def took(self, token: str) -> bool:
        if self.tokens[self.at] == token:
            self.at += 1
            return True
        return False

    def sum(self) -> Tree:
        # A sign in front covers the whole first term: -x*y is -(x*y).
        self.deeper()
        tree = self.signed(self.product) if self.tokens[self.at] in ("-", "+") else self.product()
        while (sign := self.tokens[self.at]) in ("+", "-"):
            self.at += 1
            tree = self.made(sign, tree, self.product())
        self.nested -= 1
        return tree

    def signed(self, operand: Callable[[], Tree]) -> Tree:
        """A `+` or `-` in front of an operand; a run of signs is refused."""
        if not self.grammar.sign:
            self.refuse()
        negative = self.tokens[self.at] == "-"
        self.at += 1
        if self.tokens[self.at] in ("+", "-"):
            self.refuse()
        tree = operand()
        return self.made("neg", tree) if negative else tree

    def product(self) -> Tree:
        tree = self.factor()
        while True:
            sign = self.tokens[self.at]
            if sign in ("*", "/"):
                self.at += 1
                tree = self.made(sign, tree, self.factor())
            elif self.grammar.implicit and self.opens() and not sign[0].isdigit() and sign[0] != ".":
                tree = self.made("*", tree, self.factor())
            else:
                return tree

    def factor(self) -> Tree:
        return self.signed(self.power) if self.tokens[self.at] in ("-", "+") else self.power()

    def power(self) -> Tree:
        base = self.primary()
        while self.took("^"):
            self.deeper()
            base = self.made("^", base, self.factor())
            self.nested -= 1
        return base

    def opens(self) -> bool:
        """Whether an operand can begin here."""
        token = self.tokens[self.at]
        return (
            token in _CLOSES
            or token in self.names
            or token in self.functions
            or token[:1].isdigit()
            or token[:1] == "."
            or token == "frac"
            or (token == "|" and not self.bars)
        )

    def primary(self) -> Tree:
        token = self.tokens[self.at]
        if token in self.names:
            self.at += 1
            self.spend()
            return Name(token)
        if token[:1].isdigit() or token[:1] == ".":
            return self.digits()
        if token in _CLOSES:
            return self.group()
        if token in self.functions:
            self.at += 1
            return self.call(token)
        if token == "frac":
            self.at += 1
            top = self.braces()
            return self.made("/", top, self.braces())
        if token == "|" and "abs" in self.functions:
            return self.between_bars()
        self.refuse()

    def digits(self) -> Tree:
        token = self.tokens[self.at]
        if len(token) > self.grammar.max_digits:
            raise Unreadable(f"the expression has a number of more than {self.grammar.max_digits} digits")
        if "." in token and not self.grammar.decimals:
            raise Unreadable(f"expected integers, got {token!r}")
        self.at += 1
        self.spend()
        return Number(Fraction(token))

    def group(self) -> Tree:
        close = _CLOSES[self.tokens[self.at]]
        self.at += 1
        bars, self.bars = self.bars, 0
        tree = self.sum()
        self.bars = bars
        if not self.took(close):
            self.refuse()
        return tree

    def braces(self) -> Tree:
        if self.tokens[self.at] != "{":
            self.refuse()
        return self.group()

    def between_bars(self) -> Tree:
        self.at += 1
        self.bars += 1
        tree = self.sum()
        self.bars -= 1
        if not self.took("|"):
            self.refuse()
        return self.made("abs", tree)

    def call(self, name: str) -> Tree:
        if name == "sqrt" and self.tokens[self.at] == "[":  # \sqrt[3]{x}
            root = self.group()
            return self.made("^", self.braces(), self.made("/", self.one(), root))
        base = self.group() if name == "logbase" and self.tokens[self.at] == "[" else None
        raised = self.raised() if self.tokens[self.at] == "^" else None
        if self.tokens[self.at] in _CLOSES:
            tree = self.group()
        elif self.tokens[self.at] == "|" and not self.bars and "abs" in self.functions:
            tree = self.between_bars()
        elif self.grammar.implicit:
            tree = self.bare() if name != "sqrt" else self.power_free()
        else:
            self.refuse()
        if name in COMPOSED:
            self.left -= 20
            self.spend()
            tree = composed(name, tree, base)
        elif name in RECIPROCALS:
            tree = self.made("/", self.one(), self.made(RECIPROCALS[name], tree))
        else:
            tree = self.made(ALIASES.get(name, name), tree)
        return tree if raised is None else self.made("^", tree, raised)

    def one(self) -> Tree:
        self.spend()
        return Number(Fraction(1))

    def raised(self) -> Tree:
        """The exponent of sin^2(x): a plain integer from 2 up, since sin^(-1) is read in two ways."""
        self.at += 1
        exponent = self.group() if self.tokens[self.at] in _CLOSES else self.digits() if self.tokens[self.at][:1].isdigit() else None
        if not isinstance(exponent, Number) or exponent.value < 2 or exponent.value.denominator != 1:
            raise Unreadable("the exponent of a function's name must be an integer of at least 2")
        return exponent

    def power_free(self) -> Tree:
        """What the sign √ covers where no brackets follow it: one number or name."""
        token = self.tokens[self.at]
        return self.primary() if token in self.names or token[:1].isdigit() else self.refuse()

    def bare(self) -> Tree:
        """A function's argument without brackets, as in sin 2x: numbers and names side by side, up to anything else."""
        tree: Tree | None = None
        while (token := self.tokens[self.at]) in self.names or token == "frac" or (tree is None and token[:1].isdigit()):
            part = self.power()
            tree = part if tree is None else self.made("*", tree, part)
        return self.refuse() if tree is None else tree


def composed(name: str, x: Tree, base: Tree | None = None) -> Tree:
    """One of the functions of `COMPOSED` of an expression, in terms of the others."""
    one, two = Number(Fraction(1)), Number(Fraction(2))
    if name == "logbase":
        if base is None:
            raise Unreadable("the logarithm has no base")
        return Apply("/", (Apply("ln", (x,)), Apply("ln", (base,))))
    if name in ("arcsin", "arccos"):  # arcsin x = 2 arctan(x / (1 + sqrt(1 - x^2)))
        root = Apply("sqrt", (Apply("-", (one, Apply("^", (x, two)))),))
        sine = Apply("*", (two, Apply("arctan", (Apply("/", (x, Apply("+", (one, root)))),))))
        return sine if name == "arcsin" else Apply("-", (Apply("/", (Name("pi"), two)), sine))
    up, down = Apply("exp", (x,)), Apply("exp", (Apply("neg", (x,)),))
    sinh, cosh = Apply("/", (Apply("-", (up, down)), two)), Apply("/", (Apply("+", (up, down)), two))
    return {"sinh": sinh, "cosh": cosh}.get(name) or Apply("/", (sinh, cosh))
