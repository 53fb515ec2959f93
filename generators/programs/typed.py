"""Programs that build values of many types, and the types of values: what is inferred without a run, and what a run shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import interpreter
from rlgym.generators.programs.bounded_operators import Stopped

NAMES = tuple("first left pair group base row mark found table parts stock cell grid link node span".split())


@dataclass(frozen=True)
class Type:
    """A type, written as in annotations: `dict[str, list[int]]`."""

    name: str
    parts: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(map(str, self.parts))}]" if self.parts else self.name

    @property
    def depth(self) -> int:
        return 1 + max((part.depth for part in self.parts), default=-1)

    @property
    def hashable(self) -> bool:
        return self.name not in ("list", "dict", "set") and all(part.hashable for part in self.parts)

    @property
    def ordered(self) -> bool:
        return self.name not in ("dict", "set", "None") and all(part.ordered for part in self.parts)


INT, STR, BOOL, NONE = Type("int"), Type("str"), Type("bool"), Type("None")
Said = tuple[str, Type]


def of(kind: str, *parts: Type) -> Type:
    return Type(kind, parts)


def show(value: Any) -> Type | None:
    """The type of a value; None if it is ambiguous: values of several types, or none."""
    if value is None or isinstance(value, bool | int | str):
        return NONE if value is None else Type(type(value).__name__)
    if isinstance(value, tuple):
        inside = [show(item) for item in value]
        return of("tuple", *(kind for kind in inside if kind)) if inside and all(inside) else None
    columns = [list(value.keys()), list(value.values())] if isinstance(value, dict) else [list(value)]
    parts = [{show(item) for item in column} for column in columns]
    known_kinds = [next(iter(kinds)) for kinds in parts if len(kinds) == 1]
    return (
        of(type(value).__name__, *(kind for kind in known_kinds if kind)) if len(known_kinds) == len(parts) and all(known_kinds) else None
    )


def _expressions_of_simple(name: str, kind: Type) -> list[Said]:
    match kind.name:
        case "int":
            expressions = [
                (f"{name} % 3 == 1", BOOL),
                (f"str({name})", STR),
                (f"divmod({name}, 4)", of("tuple", INT, INT)),
                (f"{name} * 2 + 1", INT),
            ]
            return [
                *expressions,
                (f"[{name}, {name} + 3]", of("list", INT)),
                (f"range({name} % 4 + 2)[-1]", INT),
                (f"{name} and str({name} + 10)", STR),
            ]
        case "str":
            expressions = [(f"list({name})", of("list", STR)), (f"len({name})", INT), (f"{name} * 3", STR), (f"{name}.isdigit()", BOOL)]
            expressions += [
                (f"{name}.split('1')", of("list", STR)),
                (f"{name}.find('2')", INT),
                (f"{{c: {name}.count(c) for c in {name}}}", of("dict", STR, INT)),
            ]
            return [*expressions, (f"set({name})", of("set", STR)), (f"list(enumerate({name}))", of("list", of("tuple", INT, STR)))]
        case "bool":
            return [
                (f"{name} + 1", INT),
                (f"not {name}", BOOL),
                (f"[{name}, not {name}]", of("list", BOOL)),
                (f"str({name})", STR),
                (f"int({name})", INT),
            ]
    return [(f"{name} is None", BOOL), (f"[{name}]", of("list", kind)), (f"str({name})", STR)]


def _expressions_of_list(name: str, inner: Type) -> list[Said]:
    row = of("list", inner)
    expressions = [
        *((f"{name}[0]", inner), (f"{name}[:2]", row), (f"len({name})", INT), (f"[[x] for x in {name}]", of("list", row))),
        *((f"list(enumerate({name}))", of("list", of("tuple", INT, inner))), (f"dict(enumerate({name}))", of("dict", INT, inner))),
        *((f"{name} + {name}[:1]", row), (f"[(x, len({name})) for x in {name}]", of("list", of("tuple", inner, INT)))),
        *((f"{name} == {name}[::-1]", BOOL), (f"{name}.append({name}[0])", NONE), (f"{name} and {name}[-1]", inner)),
        *((f"list(zip({name}, {name}[::-1]))", of("list", of("tuple", inner, inner))), (f"[str(x) for x in {name}]", of("list", STR))),
        (f"[x == {name}[0] for x in {name}]", of("list", BOOL)),
    ]
    if inner.hashable:
        expressions += [(f"set({name})", of("set", inner)), (f"{{x: {name}.count(x) for x in {name}}}", of("dict", inner, INT))]
    if inner.ordered:
        expressions += [(f"max({name})", inner), (f"sorted({name})", row), (f"{name}.sort()", NONE)]
    if inner in (INT, BOOL):
        expressions += [(f"sum({name})", INT), (f"[x > 4 for x in {name}]", of("list", BOOL)), (f"any({name})", BOOL)]
    if inner == STR:
        expressions += [(f"'-'.join({name})", STR), (f"[len(x) for x in {name}]", of("list", INT))]
    return expressions


def _expressions_of_holder(name: str, kind: Type) -> list[Said]:
    if kind.name == "set":
        inner = kind.parts[0]
        return [(f"len({name})", INT), (f"[x for x in {name}]", of("list", inner)), (f"({name}, len({name}))", of("tuple", kind, INT))]
    if kind.name == "tuple":
        ends = [(f"{name}[0]", kind.parts[0]), (f"{name}[-1]", kind.parts[-1]), (f"{name}[::-1]", of("tuple", *kind.parts[::-1]))]
        expressions = [*ends, (f"[{name}, {name}]", of("list", kind)), (f"{name} + (len({name}),)", of("tuple", *kind.parts, INT))]
        return [*expressions, (f"list({name})", of("list", kind.parts[0]))] if len(set(kind.parts)) == 1 else expressions
    key, value = kind.parts
    expressions = [
        (f"list({name})", of("list", key)),
        (f"list({name}.values())", of("list", value)),
        (f"{name}.get('none')", NONE),
        (f"len({name})", INT),
    ]
    expressions += [
        (f"list({name}.items())", of("list", of("tuple", key, value))),
        (f"{{key: [item] for key, item in {name}.items()}}", of("dict", key, of("list", value))),
        (f"[(item, key) for key, item in {name}.items()]", of("list", of("tuple", value, key))),
    ]
    if value.hashable:
        expressions.append((f"{{item: key for key, item in {name}.items()}}", of("dict", value, key)))
    if key.ordered:
        expressions += [(f"{name}[max({name})]", value), (f"sorted({name})", of("list", key))]
    return expressions


def expressions_of(name: str, kind: Type) -> list[Said]:
    """Expressions with this variable, and their types."""
    if kind.name in ("int", "str", "bool", "None"):
        return _expressions_of_simple(name, kind)
    return _expressions_of_list(name, kind.parts[0]) if kind.name == "list" else _expressions_of_holder(name, kind)


@dataclass
class Writing:
    """A program being written for one call: its lines, and the types that its variables have by now."""

    rng: Rng
    values: list[int]
    deepest: int
    lines: list[str] = field(default_factory=list)
    types: dict[str, Type] = field(default_factory=lambda: {"values": of("list", INT)})

    @property
    def source(self) -> str:
        return "\n".join(["def solve(values):", *(f"    {line}" for line in self.lines), f"    return {list(self.types)[-1]}"])

    def add(self, lines: Sequence[str], name: str, kinds: Sequence[Type]) -> bool:
        """Add lines that give a variable one of these types, if a run shows that they do and leave the other types as they are."""
        before = self.lines, self.types
        self.lines = [*self.lines, *lines]
        seen = run_types(self.source, self.values)
        kind = seen.get(name) if seen else None
        if seen and kind in kinds and kind and all(seen.get(other) == same for other, same in self.types.items() if other != name):
            self.types = {**{other: same for other, same in self.types.items() if other != name}, name: kind}
            return True
        self.lines, self.types = before
        return False

    def some(self) -> Said:
        """An expression with one of the variables, mostly one of the last."""
        names = list(self.types)
        name = self.rng.choice(names[-3:] if self.rng.chance(0.7) else names)
        able = [pair for pair in expressions_of(name, self.types[name]) if pair[1].depth <= self.deepest]
        deep = [pair for pair in able if pair[1].depth >= self.types[name].depth] if self.rng.chance(0.6) else able
        return self.rng.choice(deep or able or [(f"len({self.values})", INT)])

    def target(self, reused: int) -> str:
        """A new name, or, with this chance in percent, one that is there."""
        there = [name for name in self.types if name != "values"]
        if there and self.rng.integer(1, 100) <= reused:
            return self.rng.choice(there)
        return self.rng.choice([name for name in NAMES if name not in self.types])


def run_types(source: str, values: list[int]) -> dict[str, Type | None] | None:
    """The types of the variables when `solve` has returned for these values; None if it raises an exception."""
    last: dict[str, Any] = {}

    def watch(line: int, names: dict[str, Any]) -> None:
        if "values" in names:
            last.update(names)

    try:
        ended = interpreter.program(source).run(list(values), watch=watch)
    except Stopped:
        return None
    return None if ended.raised else {name: show(value) for name, value in last.items()}


def plain(writing: Writing, reused: int) -> bool:
    expression, kind = writing.some()
    name = writing.target(reused)
    return writing.add([f"{name} = {expression}"], name, [kind])


def chosen(writing: Writing, reused: int) -> bool:
    """One of two values of different types."""
    (one, kind), (other, another) = writing.some(), writing.some()
    name, modulus = writing.target(reused), writing.rng.integer(2, 4)
    test = f"{writing.rng.choice(('sum', 'len', 'max'))}(values) % {modulus} == {writing.rng.integer(0, modulus - 1)}"
    lines = [f"if {test}:", f"    {name} = {one}", "else:", f"    {name} = {other}"]
    return kind != another and writing.add(lines, name, [kind, another])


def gathered(writing: Writing, reused: int) -> bool:
    """A loop that builds a list or a dict of lists."""
    lists = [name for name, kind in writing.types.items() if kind.name == "list"]
    source = writing.rng.choice(lists)
    inner = writing.types[source].parts[0]
    expression, kind = writing.rng.choice(expressions_of("one", inner))
    name = writing.target(0)
    if writing.rng.chance(0.4) and kind.hashable:
        lines = [f"{name} = {{}}", f"for one in {source}:", f"    {name}.setdefault({expression}, []).append(one)"]
        result_type = of("dict", kind, of("list", inner))
    else:
        lines, result_type = [f"{name} = []", f"for one in {source}:", f"    {name}.append({expression})"], of("list", kind)
    return result_type.depth <= writing.deepest and writing.add(lines, name, [result_type])


WAYS: tuple[Callable[[Writing, int], bool], ...] = (plain, plain, gathered, chosen)
