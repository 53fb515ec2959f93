"""Small combinational Verilog modules: a bounded reader, and simulation of all inputs at once with one bit per combination.

A vector is a list of integers, lowest bit first; the k-th bit of each integer belongs to the k-th combination of the inputs. Widths follow the
standard: operands of & | ^ ~ + - and the branches of ?: are as wide as the widest of them and of what is assigned, those of a comparison as wide as
the wider of the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
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
Ports = Sequence[tuple[str, int]]  # names and widths


class Refused(ValueError):
    """The text is no module of the subset; the message says why."""


@dataclass(frozen=True)
class Part:
    """An expression that was read: how wide it is by itself, and its value for a width that is at least that."""

    width: int
    value: Callable[[int], Bits]


def inputs(ports: Ports) -> dict[str, Bits]:
    """All combinations: the first port's lowest bit changes fastest."""
    total, at, patterns = sum(width for _, width in ports), 0, {}
    full = (1 << (1 << total)) - 1
    for name, width in ports:
        # A bit is 0 for 2**i combinations, then 1 for as many, and so on.
        patterns[name] = [full // ((1 << (1 << i)) + 1) << (1 << i) for i in range(at, at + width)]
        at += width
    return patterns


def simulate(text: str, takes: Ports, gives: Ports) -> dict[str, Bits]:
    """What the outputs of the module `top` are; Refused with a reason where it is no such module."""
    try:
        return _Reader(_tokens(text), takes, gives).module()
    except RecursionError:
        raise Refused("expressions are put into each other too deep") from None


def _tokens(text: str) -> list[str]:
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
class _Reader:
    """Reads a module and works out its wires on the way: what is used must have been assigned before."""

    tokens: list[str]
    takes: Ports
    gives: Ports
    at: int = 0
    depth: int = 0
    widths: dict[str, int] = field(default_factory=dict)
    known: dict[str, Bits] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.full = (1 << (1 << sum(width for _, width in self.takes))) - 1

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

    def range(self) -> int:
        """The width that [3:0] says; 1 where there is no range."""
        if not self.accept("["):
            return 1
        high = self.number()
        self.take(":")
        if self.number() != 0 or high >= WIDEST:
            raise Refused(f"a vector must be declared as [n:0] with n below {WIDEST}")
        self.take("]")
        return high + 1

    def declared(self, name: str, width: int) -> str:
        if name in self.widths:
            raise Refused(f"{name!r} is declared twice")
        self.widths[name] = width
        return name

    def module(self) -> dict[str, Bits]:
        self.take("module")
        self.take("top")
        self.take("(")
        by_direction: dict[str, list[tuple[str, int]]] = {"input": [], "output": []}
        direction, width = "", 1
        while not self.accept(")"):
            if self.peek() in by_direction:
                direction = self.take()
                self.accept("wire")
                width = self.range()
            if not direction:
                raise Refused("the ports must be declared in the head of the module as input or output")
            by_direction[direction].append((self.declared(self.name(), width), width))
            if self.peek() != ")":
                self.take(",")
        if sorted(by_direction["input"]) != sorted(self.takes) or sorted(by_direction["output"]) != sorted(self.gives):
            raise Refused("the ports are not those that were asked for")
        self.take(";")
        self.known = inputs(self.takes)
        while not self.accept("endmodule"):
            self.item()
        if self.peek():
            raise Refused(f"there is {self.peek()!r} after endmodule")
        missing = [name for name, _ in self.gives if name not in self.known]
        if missing:
            raise Refused(f"the output {missing[0]!r} is never assigned")
        return {name: self.known[name] for name, _ in self.gives}

    def item(self) -> None:
        word = self.take()
        if word == "assign":
            self.assigned(self.name())
        elif word == "wire":
            width = self.range()
            while True:
                name = self.declared(self.name(), width)
                if self.peek() == "=":
                    self.assigned(name)
                if not self.accept(","):
                    break
        else:
            raise Refused(f"expected wire, assign or endmodule, but there is {word!r}")
        self.take(";")

    def assigned(self, name: str) -> None:
        if name not in self.widths:
            raise Refused(f"{name!r} is not declared, or only a part of it is assigned")
        if name in self.known:
            raise Refused(f"{name!r} is assigned twice, or an input")
        self.take("=")
        part = self.expression()
        self.known[name] = part.value(max(part.width, self.widths[name]))[: self.widths[name]]

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

        return Part(max(part.width for part in (last, *(part for _, part in cases))), _known(value))

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
            left = self.worked(left, self.take(), self.binary(level + 1))
        return left

    def folded(self, first: Part, rest: Sequence[tuple[str, Part]]) -> Part:
        def value(w: int) -> Bits:
            bits = first.value(w)
            for operator, part in rest:
                bits = self.combined(bits, operator, part.value(w))
            return bits

        return Part(max(part.width for part in (first, *(part for _, part in rest))), _known(value))

    def combined(self, left: Bits, operator: str, right: Bits) -> Bits:
        if operator == "+":
            return _sum(left, right, 0)[0]
        if operator == "-":
            return _sum(left, [q ^ self.full for q in right], self.full)[0]
        works = {"&": int.__and__, "|": int.__or__, "^": int.__xor__}[operator]
        return [works(p, q) for p, q in zip(left, right, strict=True)]

    def worked(self, left: Part, operator: str, right: Part) -> Part:
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
        less = _sum(one_bits, [q ^ full for q in other_bits], full)[1] ^ full
        return self.bit(less if operator in ("<", ">") else less ^ full)

    def unary(self) -> Part:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused(f"expressions are put into each other more than {DEEPEST} times")
        token = self.peek()
        if token in ("~", "-", "!", "&", "|", "^"):
            part = self.changed(self.take(), self.unary())
        else:
            part = self.primary()
        self.depth -= 1
        return part

    def changed(self, operator: str, part: Part) -> Part:
        full = self.full
        if operator == "~":
            return Part(part.width, lambda w: [p ^ full for p in part.value(w)])
        if operator == "-":
            return Part(part.width, lambda w: _sum([0] * w, [p ^ full for p in part.value(w)], full)[0])
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


def _known(value: Callable[[int], Bits]) -> Callable[[int], Bits]:
    """The same, computed once for each width."""
    by_width: dict[int, Bits] = {}

    def at_width(width: int) -> Bits:
        if width not in by_width:
            by_width[width] = value(width)
        return by_width[width]

    return at_width


def _sum(first: Bits, second: Bits, carry: int) -> tuple[Bits, int]:
    out = []
    for p, q in zip(first, second, strict=True):
        out.append(p ^ q ^ carry)
        carry = p & q | carry & (p ^ q)
    return out, carry


def head(takes: Ports, gives: Ports) -> str:
    """The head of the module."""
    ports = [
        f"{direction} {ranged(width)}{name}" for direction, all_ports in (("input", takes), ("output", gives)) for name, width in all_ports
    ]
    return f"module top({', '.join(ports)});"


def ranged(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""


def decide(tables: Mapping[str, Bits], takes: Ports, gives: Ports) -> str:
    """A module that decides bit by bit: made of the tables alone, a wire for each part of a table that is neither all 0 nor all 1."""
    places = [(f"{name}[{i}]" if width > 1 else name) for name, width in takes for i in range(width)]
    lines, names = list[str](), {}

    def wire(table: int, count: int) -> str:
        if table in (0, (1 << (1 << count)) - 1):
            return "1'b1" if table else "1'b0"
        if (table, count) not in names:
            half = 1 << (count - 1)
            low, high = wire(table & ((1 << half) - 1), count - 1), wire(table >> half, count - 1)
            if low == high:
                names[table, count] = low
            else:
                names[table, count] = f"w{len(lines)}"
                lines.append(f"  wire w{len(lines)} = {places[count - 1]} ? {high} : {low};")
        return names[table, count]

    ends = [f"  assign {name} = {{{', '.join(wire(bit, len(places)) for bit in reversed(tables[name]))}}};" for name, _ in gives]
    return "\n".join([head(takes, gives), *lines, *ends, "endmodule"])
