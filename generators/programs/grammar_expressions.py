"""Expressions and conditions of sampled programs, and the sketch that keeps their variables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rlgym.core.rng import Rng

Lines = list[str]
INTS = tuple("total count best gap score shift level carry step mark weight bound rank span".split())
LISTS = tuple("kept rest parts marks picked stack queue found".split())
LOOPS = tuple("v w x y z".split())
COMPARED = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True)
class Shape:
    """What programs to draw. `takes`: "list" for solve(values), "numbers" for solve(a, b), "both" for solve(values, k)."""

    takes: str
    blocks: int
    kinds: int
    nesting: int
    helpers: int = 0


@dataclass
class Sketch:
    """A function being written: its generator, and the names that hold something by now."""

    rng: Rng
    shape: Shape
    ints: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    fixed: set[str] = field(default_factory=set)  # loop variables and the like, that nothing else is put into

    def fresh(self, names: tuple[str, ...]) -> str:
        """A name that is not used yet."""
        free = [name for name in names if name not in self.used] or [f"{name}{i}" for i in range(2, 9) for name in names]
        name = self.rng.choice([name for name in free if name not in self.used])
        self.used.add(name)
        return name

    def new(self, start: str | None = None) -> str:
        """A line that starts a new number; the number may be used from then on."""
        name = self.fresh(INTS)
        line = f"{name} = {start if start is not None else self.rng.integer(0, 5)}"
        self.ints.append(name)
        return line

    def copied(self) -> Sketch:
        """A sketch that may go on from here without changing this one."""
        return replace(self, ints=self.ints[:], lists=self.lists[:], used=set(self.used), fixed=set(self.fixed))

    def some(self) -> str:
        """A number that may be read; in a loop often its variable, which is the last one."""
        last = self.ints[-1]
        return last if last in self.fixed and self.rng.chance(0.5) else self.rng.choice(self.ints)

    def variable(self) -> str:
        """A number that may be changed."""
        return self.rng.choice([name for name in self.ints if name not in self.fixed])


def number(sketch: Sketch, depth: int = 1) -> str:
    """An expression for a number, which never raises an exception."""
    rng = sketch.rng
    name, other, constant = sketch.some(), rng.choice(sketch.ints), rng.integer(2, 7)
    forms = [name, name, str(constant), f"{name} + {constant}", f"{name} - {constant}", f"{name} % {constant}", f"{name} // {constant}"]
    if name != other:
        forms += [f"{name} + {other}", f"{name} - {other}", f"max({name}, {other})", f"min({name}, {other})", f"abs({name} - {other})"]
    if sketch.lists:
        forms.append(f"len({rng.choice(sketch.lists)})")
    if sketch.helpers and rng.chance(0.4):
        head = rng.choice(sketch.helpers)
        forms = [head.replace("(a", f"({name}").replace(" b)", f" {other})")]
    if depth and rng.chance(0.25):
        forms += [f"{constant} * {_parenthesize(number(sketch, 0))}", f"{name} if {condition(sketch, 0)} else {other}"]
    return rng.choice(forms)


def _parenthesize(text: str) -> str:
    return f"({text})" if " " in text else text


def condition(sketch: Sketch, depth: int = 1) -> str:
    """A test of a number."""
    rng = sketch.rng
    name, constant = sketch.some(), rng.integer(2, 5)
    forms = [f"{name} % {constant} == {rng.integer(0, constant - 1)}", f"{name} {rng.choice(COMPARED)} {rng.integer(0, 9)}"]
    other = rng.choice(sketch.ints)
    if other != name:
        forms.append(f"{name} {rng.choice(COMPARED)} {other}")
    if sketch.lists and sketch.shape.kinds > 5:
        forms.append(f"{name} {rng.choice(('in', 'not in'))} {rng.choice(sketch.lists)}")
    if depth and sketch.shape.nesting and rng.chance(0.3):
        forms = [f"{condition(sketch, 0)} {rng.choice(('and', 'or'))} {condition(sketch, 0)}"]
    return rng.choice(forms)
