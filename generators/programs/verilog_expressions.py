"""Expressions of combinational Verilog: tokens, and values for all inputs at once with one bit per combination.

A vector is a list of integers, lowest bit first; the k-th bit of each integer belongs to the k-th combination of the inputs. Widths follow the
standard: operands of & | ^ ~ + - and the branches of ?: are as wide as the widest of them and of what is assigned, those of a comparison as wide as
the wider of the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

MOST_TOKENS, DEEPEST, WIDEST = 9000, 60, 8
KEYWORDS = ("module", "endmodule", "input", "output", "wire", "assign", "logic", "reg", "always", "begin", "end", "if", "else", "case")
PRECEDENCE = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"))
WIDENED = ("|", "^", "&", "+")  # the first of each level whose operands take the width of what they are assigned to
_COMMENT = re.compile(r"//[^\n]*|/\*[^*]*\*/")
_TOKEN = re.compile(
    r"\s*(?:(\d{1,2}\s?'[bdhBDH][0-9a-fA-F_]{1,12}|\d{1,4}|[A-Za-z_]\w{0,40}|==|!=|<=|>=|&&|\|\||[-+&|^~!?:<>=()\[\]{},;])|$)"
)
_CONSTANT = re.compile(r"(\d+)\s?'([bdh])([0-9a-f_]+)")
Bits = list[int]


class Refused(ValueError):
    """The text is no module of the subset; the message says why."""


@dataclass(frozen=True)
class Part:
    """An expression that was read: how wide it is by itself, and its value for a width that is at least that."""

    width: int
    value: Callable[[int], Bits]


def tokenize(text: str) -> list[str]:
    plain, at, tokens = _COMMENT.sub(" ", text), 0, list[str]()
    while at < len(plain):
        match = _TOKEN.match(plain, at)
        if not match:
            raise Refused(f"there is no use for {plain[at:].split()[0][:20]!r} in the subset")
        if match[1]:
            tokens.append(match[1])
        at = match.end()
        if len(tokens) > MOST_TOKENS:
            raise Refused(f"the module has more than {MOST_TOKENS} symbols")
    return tokens


@dataclass
class ExpressionReader:
    """Reads expressions by recursive descent and evaluates them: what is used must have been assigned before."""

    tokens: list[str]
    full: int
    """A signal that is 1 for all combinations of the inputs."""
    at: int = field(default=0, kw_only=True)
    depth: int = field(default=0, kw_only=True)
    widths: dict[str, int] = field(default_factory=dict, kw_only=True)
    known: dict[str, Bits] = field(default_factory=dict, kw_only=True)

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        if not token or (expected and token != expected):
            raise Refused(f"expected {expected or 'more'!r}, but there is {token or 'the end'!r}")
        self.at += 1
        return token

    def accept(self, expected: str) -> bool:
        there = self.peek() == expected
        self.at += there
        return there

    def name(self) -> str:
        token = self.take()
        if not re.match(r"[A-Za-z_]", token) or token in KEYWORDS:
            raise Refused(f"expected a name, but there is {token!r}")
        return token

    def number(self) -> int:
        token = self.take()
        if not token.isdecimal():
            raise Refused(f"expected a plain number, but there is {token!r}")
        return int(token)

    def expression(self) -> Part:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused(f"expressions are put into each other more than {DEEPEST} times")
        cases, last = list[tuple[int, Part]](), self.binary(0)
        while self.accept("?"):
            cases.append((self.any(last), self.expression()))
            self.take(":")
            last = self.binary(0)
        self.depth -= 1
        return self.chosen(cases, last) if cases else last

    def chosen(self, cases: Sequence[tuple[int, Part]], last: Part) -> Part:
        def value(w: int) -> Bits:
            bits = last.value(w)
            for true, part in reversed(cases):
                bits = [p & true | q & ~true for p, q in zip(part.value(w), bits, strict=True)]
            return bits

        return Part(max(part.width for part in (last, *(part for _, part in cases))), _computed_once(value))

    def binary(self, level: int) -> Part:
        if level == len(PRECEDENCE):
            return self.unary()
        left = self.binary(level + 1)
        if PRECEDENCE[level][0] in WIDENED:
            rest = list[tuple[str, Part]]()
            while self.peek() in PRECEDENCE[level]:
                rest.append((self.take(), self.binary(level + 1)))
            return self.folded(left, rest) if rest else left
        while self.peek() in PRECEDENCE[level]:
            left = self.compared(left, self.take(), self.binary(level + 1))
        return left

    def folded(self, first: Part, rest: Sequence[tuple[str, Part]]) -> Part:
        def value(w: int) -> Bits:
            bits = first.value(w)
            for operator, part in rest:
                bits = self.combined(bits, operator, part.value(w))
            return bits

        return Part(max(part.width for part in (first, *(part for _, part in rest))), _computed_once(value))

    def combined(self, left: Bits, operator: str, right: Bits) -> Bits:
        if operator == "+":
            return _add(left, right, 0)[0]
        if operator == "-":
            return _add(left, [q ^ self.full for q in right], self.full)[0]
        works = {"&": int.__and__, "|": int.__or__, "^": int.__xor__}[operator]
        return [works(p, q) for p, q in zip(left, right, strict=True)]

    def compared(self, left: Part, operator: str, right: Part) -> Part:
        width, full = max(left.width, right.width), self.full
        if operator in ("&&", "||"):
            first, second = self.any(left), self.any(right)
            return self.bit(first & second if operator == "&&" else first | second)
        one_bits, other_bits = left.value(width), right.value(width)
        if operator in ("==", "!="):
            different = self.some([p ^ q for p, q in zip(one_bits, other_bits, strict=True)])
            return self.bit(different if operator == "!=" else different ^ full)
        if operator in (">", "<="):
            one_bits, other_bits = other_bits, one_bits
        # Without a carry out of one - other, one is the smaller.
        less = _add(one_bits, [q ^ full for q in other_bits], full)[1] ^ full
        return self.bit(less if operator in ("<", ">") else less ^ full)

    def unary(self) -> Part:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused(f"expressions are put into each other more than {DEEPEST} times")
        token = self.peek()
        if token in ("~", "-", "!", "&", "|", "^"):
            part = self.unary_operation(self.take(), self.unary())
        else:
            part = self.primary()
        self.depth -= 1
        return part

    def unary_operation(self, operator: str, part: Part) -> Part:
        full = self.full
        if operator == "~":
            return Part(part.width, lambda w: [p ^ full for p in part.value(w)])
        if operator == "-":
            return Part(part.width, lambda w: _add([0] * w, [p ^ full for p in part.value(w)], full)[0])
        if operator in ("|", "!"):
            return self.bit(self.any(part) ^ (full if operator == "!" else 0))
        result = full if operator == "&" else 0
        for bit in part.value(part.width):
            result = result & bit if operator == "&" else result ^ bit
        return self.bit(result)

    def primary(self) -> Part:
        token = self.take()
        if token == "(":
            part = self.expression()
            self.take(")")
            return part
        if token == "{":
            parts = [self.expression()]
            while self.accept(","):
                parts.append(self.expression())
            self.take("}")
            # The part that is written last is the lowest.
            return self.bits([bit for part in reversed(parts) for bit in part.value(part.width)])
        if constant := _CONSTANT.fullmatch(token.lower()):
            return self.constant(int(constant[1]), constant[3].replace("_", ""), {"b": 2, "d": 10, "h": 16}[constant[2]])
        if token.isdecimal():
            raise Refused(f"the constant {token} needs a size, as in 4'd{token}")
        if token not in self.widths:
            raise Refused(f"{token!r} cannot begin an expression, or is not declared")
        if token not in self.known:
            raise Refused(f"{token!r} is used before it is assigned")
        return self.selected(token)

    def constant(self, width: int, digits: str, base: int) -> Part:
        try:
            value = int(digits, base)
        except ValueError:
            raise Refused(f"{digits!r} is no number of base {base}") from None
        if not 1 <= width <= WIDEST or value >> width:
            raise Refused(f"the constant {value} does not fit in {width} bits, or is wider than {WIDEST}")
        return self.bits([self.full if value >> i & 1 else 0 for i in range(width)])

    def selected(self, name: str) -> Part:
        bits = self.known[name]
        if not self.accept("["):
            return self.bits(bits)
        high = self.number()
        low = self.number() if self.accept(":") else high
        self.take("]")
        if not low <= high < len(bits):
            raise Refused(f"{name!r} has no bits {high} to {low}")
        return self.bits(bits[low : high + 1])

    def bits(self, bits: Bits) -> Part:
        if len(bits) > 4 * WIDEST:
            raise Refused(f"a vector of {len(bits)} bits is too wide")
        return Part(len(bits), lambda w: bits + [0] * (w - len(bits)))

    def bit(self, bit: int) -> Part:
        return self.bits([bit])

    def any(self, part: Part) -> int:
        return self.some(part.value(part.width))

    @staticmethod
    def some(bits: Bits) -> int:
        result = 0
        for bit in bits:
            result |= bit
        return result


def _computed_once(value: Callable[[int], Bits]) -> Callable[[int], Bits]:
    """The same, computed once for each width."""
    by_width: dict[int, Bits] = {}

    def at_width(width: int) -> Bits:
        if width not in by_width:
            by_width[width] = value(width)
        return by_width[width]

    return at_width


def _add(first: Bits, second: Bits, carry: int) -> tuple[Bits, int]:
    out = []
    for p, q in zip(first, second, strict=True):
        out.append(p ^ q ^ carry)
        carry = p & q | carry & (p ^ q)
    return out, carry
