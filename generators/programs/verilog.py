"""Small combinational Verilog modules: a bounded reader, and simulation of all inputs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rlgym.generators.programs.verilog_expressions import WIDEST, Bits, ExpressionReader, Refused, tokenize

Ports = Sequence[tuple[str, int]]  # names and widths


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
        return _ModuleReader(tokenize(text), (1 << (1 << sum(width for _, width in takes))) - 1, takes, gives).module()
    except RecursionError:
        raise Refused("expressions are put into each other too deep") from None


@dataclass
class _ModuleReader(ExpressionReader):
    """Reads a module and evaluates its wires."""

    takes: Ports
    gives: Ports

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


def head(takes: Ports, gives: Ports) -> str:
    """The head of the module."""
    ports = [
        f"{direction} {bit_range(width)}{name}"
        for direction, all_ports in (("input", takes), ("output", gives))
        for name, width in all_ports
    ]
    return f"module top({', '.join(ports)});"


def bit_range(width: int) -> str:
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
