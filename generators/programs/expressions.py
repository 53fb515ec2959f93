"""Expressions of a part of Python, compiled to functions of the frame that they are evaluated in."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

LARGEST, LONGEST, DEEPEST, FARTHEST = 10**30, 2000, 30, 10_000
MISSING = object()
TOO_MANY_STEPS = "the run takes too many steps"
Does = Callable[["Frame"], Any]
Store = Callable[["Frame", Any], None]


class Stopped(Exception):
    """A run left the bounds, or the program the part of Python that is known here."""


class Raised(Exception):
    """An exception of the program itself: its name, and the line that raised it."""

    def __init__(self, kind: str, line: int) -> None:
        super().__init__(f"{kind} in line {line}")
        self.kind, self.line = kind, line


class Run:
    """What one run has used up and put out."""

    def __init__(self, fuel: int, watch: Callable[[int, dict[str, Any]], None] | None) -> None:
        self.fuel, self.watch, self.depth = fuel, watch, 0
        self.counts: Counter[int] = Counter()
        self.printed: list[str] = []

    def step(self, line: int) -> None:
        self.fuel -= 1
        if self.fuel < 0:
            raise Stopped(TOO_MANY_STEPS)
        self.counts[line] += 1


class Frame:
    """The variables of one call, and the frame that its function was defined in."""

    __slots__ = ("names", "outer", "run")

    def __init__(self, names: dict[str, Any], outer: Frame | None, run: Run) -> None:
        self.names, self.outer, self.run = names, outer, run


@dataclass(frozen=True)
class Scope:
    """Which names belong to a function, and the scope around it; the outermost one is the module's."""

    names: frozenset[str]
    outer: Scope | None

    def hops(self, name: str) -> int | None:
        """How many scopes further out a name belongs; None if to none of them."""
        hops, scope = 0, self
        while name not in scope.names:
            if scope.outer is None:
                return None
            hops, scope = hops + 1, scope.outer
        return hops


class Function:
    """A function of the program."""

    def __init__(self, parameters: tuple[str, ...], defaults: tuple[Any, ...], body: Does, outer: Frame) -> None:
        self._parameters, self._defaults, self._body, self._outer = parameters, defaults, body, outer

    def __call__(self, *given: Any, **named: Any) -> Any:
        missing = len(self._parameters) - len(given)
        if missing < 0:
            raise TypeError("too many arguments")
        names = dict(zip(self._parameters, given))
        if missing or named:
            if self._defaults:
                names = dict(zip(self._parameters[-len(self._defaults) :], self._defaults)) | names
            names |= named
            if names.keys() != set(self._parameters):
                raise TypeError("arguments do not fit")
        run = self._outer.run
        run.depth += 1
        if run.depth > DEEPEST:
            raise Stopped("calls are nested too deep")
        try:
            signal = self._body(Frame(names, self._outer, run))
        finally:
            run.depth -= 1
        return signal[0] if type(signal) is tuple else None


def check_bounds(what: Any) -> Any:
    """The same value, if it is within the bounds."""
    kind = type(what)
    if kind is int:
        if not -LARGEST < what < LARGEST:
            raise Stopped("a number gets too large")
    elif kind is bool or what is None:
        return what
    elif isinstance(what, str | list | tuple | dict | set):
        if len(what) > LONGEST:
            raise Stopped("a value gets too long")
    elif isinstance(what, float | complex | bytes):
        raise Stopped("numbers are whole here")
    return what


def _times(first: Any, second: Any) -> Any:
    for holder, count in ((first, second), (second, first)):
        if isinstance(holder, str | list | tuple) and isinstance(count, int) and len(holder) * count > LONGEST:
            raise Stopped("a value gets too long")
    return first * second


def _times_in_place(first: Any, second: Any) -> Any:
    if isinstance(first, list):
        first[:] = _times(first, second)
        return first
    return _times(first, second)


def _power(base: Any, exponent: Any) -> Any:
    if not isinstance(exponent, int) or not 0 <= exponent <= 100:
        raise Stopped("exponents are from 0 to 100")
    return base**exponent


def _shift(number: Any, by: Any) -> Any:
    if isinstance(by, int) and by > 100:
        raise Stopped("shifts are up to 100")
    return number << by


def _rest(first: Any, second: Any) -> Any:
    if isinstance(first, str):
        raise Stopped("texts are not formatted by %")
    return first % second


BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: _times,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: _rest,
    ast.Pow: _power,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: _shift,
    ast.RShift: operator.rshift,
}
# What `+=` and its like do; on a list they change the list itself.
IN_PLACE = BINARY | {
    ast.Add: operator.iadd,
    ast.Sub: operator.isub,
    ast.Mult: _times_in_place,
    ast.BitOr: operator.ior,
    ast.BitAnd: operator.iand,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda first, second: first in second,
    ast.NotIn: lambda first, second: first not in second,
}


def _range(*ends: int) -> range:
    numbers = range(*ends)
    if len(numbers) > FARTHEST:
        raise Stopped("a range is too long")
    return numbers


BUILTINS: dict[str, Any] = {
    **{function.__name__: function for function in (len, abs, min, max, sum, sorted, any, all, divmod, ord, chr, repr)},
    **{kind.__name__: kind for kind in (int, str, bool, list, tuple, set, dict, enumerate, zip, reversed)},
    "range": _range,
}
METHODS: dict[type, frozenset[str]] = {
    str: frozenset("upper lower strip split join replace startswith endswith find count isdigit isalpha index title".split()),
    list: frozenset("append pop insert extend remove index count reverse sort copy clear".split()),
    dict: frozenset("get keys values items pop setdefault update copy clear".split()),
    set: frozenset("add discard remove union copy".split()),
    tuple: frozenset(("index", "count")),
}


def value(node: ast.expr, scope: Scope) -> Does:
    """What an expression is worth."""
    match node:
        case ast.Constant(value=constant):
            check_bounds(constant)
            return lambda frame: constant
        case ast.Name(id=name):
            return _named(name, scope)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _binary(BINARY[type(op)], value(left, scope), right, scope)
        case ast.UnaryOp(op=unary, operand=operand):
            turns, inner = UNARY[type(unary)], value(operand, scope)
            return lambda frame: turns(inner(frame))
        case ast.BoolOp(op=both, values=parts):
            return _boolean(isinstance(both, ast.And), [value(part, scope) for part in parts])
        case ast.Compare():
            return _compared(node, scope)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            holds, yes, no = value(test, scope), value(body, scope), value(orelse, scope)
            return lambda frame: yes(frame) if holds(frame) else no(frame)
        case ast.Call():
            return _call(node, scope)
        case ast.Subscript(value=holder, slice=place):
            holder_of, key = value(holder, scope), value(place, scope)
            return lambda frame: holder_of(frame)[key(frame)]
        case ast.Slice(lower=lower, upper=upper, step=step):
            begin, end, by = [value(part or ast.Constant(None), scope) for part in (lower, upper, step)]
            return lambda frame: slice(begin(frame), end(frame), by(frame))
        case ast.Lambda(args=arguments, body=body):
            return _lambda(arguments, body, scope)
        case ast.JoinedStr(values=pieces):
            texts = [_piece(piece, scope) for piece in pieces]
            return lambda frame: check_bounds("".join(str(text(frame)) for text in texts))
    return _collection(node, scope)


def _binary(works: Callable[[Any, Any], Any], first: Does, right: ast.expr, scope: Scope) -> Does:
    """An operation within the bounds. Most results are small integers, and many right sides are constants: both have a short way."""
    second = value(right, scope)
    if isinstance(right, ast.Constant):
        constant = right.value

        def with_constant(frame: Frame) -> Any:
            result = works(first(frame), constant)
            return result if type(result) is int and -LARGEST < result < LARGEST else check_bounds(result)

        return with_constant

    def binary(frame: Frame) -> Any:
        result = works(first(frame), second(frame))
        return result if type(result) is int and -LARGEST < result < LARGEST else check_bounds(result)

    return binary


def _collection(node: ast.expr, scope: Scope) -> Does:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            kind = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
            parts = [value(item, scope) for item in items]
            return lambda frame: kind([part(frame) for part in parts])
        case ast.Dict(keys=keys, values=items):
            pairs = [(value(key or ast.Constant(None), scope), value(item, scope)) for key, item in zip(keys, items)]
            return lambda frame: {key(frame): item(frame) for key, item in pairs}
        case (
            ast.ListComp(elt=item, generators=parts)
            | ast.SetComp(elt=item, generators=parts)
            | ast.GeneratorExp(elt=item, generators=parts)
        ):
            rows = _comprehension(parts, item, scope)
            if isinstance(node, ast.GeneratorExp):
                return rows
            kind = list if isinstance(node, ast.ListComp) else set
            return lambda frame: check_bounds(kind(rows(frame)))
        case ast.DictComp(key=key, value=item, generators=parts):
            rows = _comprehension(parts, ast.Tuple([key, item], ast.Load()), scope)
            return lambda frame: dict(rows(frame))
    raise Stopped(f"outside the part of Python that is known here: {ast.unparse(node)!r}")


def _named(name: str, scope: Scope) -> Does:
    hops = scope.hops(name)
    if hops is None:
        if name not in BUILTINS and name != "print":
            raise Stopped(f"the name {name!r} is not known here")
        known = BUILTINS.get(name)
        return lambda frame: known

    if hops == 0:

        def read_local(frame: Frame) -> Any:
            try:
                return frame.names[name]
            except KeyError:
                raise (UnboundLocalError if frame.outer is not None else NameError)(name) from None

        return read_local

    def read(frame: Frame) -> Any:
        for _ in range(hops):
            assert frame.outer is not None
            frame = frame.outer
        value_read = frame.names.get(name, MISSING)
        if value_read is MISSING:
            raise NameError(name)
        return value_read

    return read


def _boolean(both: bool, parts: Sequence[Does]) -> Does:
    def joined(frame: Frame) -> Any:
        so_far = None
        for part in parts:
            so_far = part(frame)
            if bool(so_far) != both:
                break
        return so_far

    return joined


def _compared(node: ast.Compare, scope: Scope) -> Does:
    first = value(node.left, scope)
    rest = [(COMPARED[type(op)], value(item, scope)) for op, item in zip(node.ops, node.comparators)]
    if len(rest) == 1:
        ((test, second),) = rest
        if isinstance(node.comparators[0], ast.Constant):
            constant = node.comparators[0].value
            return lambda frame: test(first(frame), constant)
        return lambda frame: test(first(frame), second(frame))

    def chain(frame: Frame) -> Any:
        left_value, holds = first(frame), True
        for compare, item in rest:
            other = item(frame)
            holds = compare(left_value, other)
            if not holds:
                break
            left_value = other
        return holds

    return chain


def _call(node: ast.Call, scope: Scope) -> Does:
    given = [value(argument, scope) for argument in node.args]
    named = {keyword.arg: value(keyword.value, scope) for keyword in node.keywords if keyword.arg}
    match node.func:
        case ast.Attribute(value=holder, attr=name):
            holder_of = value(holder, scope)

            def method(frame: Frame) -> Any:
                what = holder_of(frame)
                if name not in METHODS.get(type(what), ()):
                    raise AttributeError(name)
                result = getattr(what, name)(*[each(frame) for each in given], **{key: each(frame) for key, each in named.items()})
                check_bounds(what)
                return check_bounds(result)

            return method
        case ast.Name(id="print") if scope.hops("print") is None:
            return lambda frame: frame.run.printed.append(" ".join([str(each(frame)) for each in given]))
    function = value(node.func, scope)
    if len(given) == 1 and not named:
        only = given[0]
        return lambda frame: check_bounds(function(frame)(only(frame)))
    if not named:
        return lambda frame: check_bounds(function(frame)(*[each(frame) for each in given]))

    def call(frame: Frame) -> Any:
        called = function(frame)
        return check_bounds(called(*[each(frame) for each in given], **{key: each(frame) for key, each in named.items()}))

    return call


def _lambda(arguments: ast.arguments, body: ast.expr, scope: Scope) -> Does:
    names = tuple(argument.arg for argument in arguments.args)
    back = value(body, Scope(frozenset(names), scope))
    defaults = [value(default, scope) for default in arguments.defaults]
    return lambda frame: Function(names, tuple(default(frame) for default in defaults), lambda inner: (back(inner),), frame)


def _piece(node: ast.expr, scope: Scope) -> Does:
    if isinstance(node, ast.FormattedValue):
        if node.format_spec is not None or node.conversion != -1:
            raise Stopped("values are put into texts as they are")
        return value(node.value, scope)
    return value(node, scope)


def _comprehension(parts: Sequence[ast.comprehension], item: ast.expr, scope: Scope) -> Does:
    names = frozenset(node.id for part in parts for node in ast.walk(part.target) if isinstance(node, ast.Name))
    inner = Scope(names, scope)
    first, result = value(parts[0].iter, scope), value(item, inner)
    loops = [(value(part.iter, inner), store(part.target, inner), [value(test, inner) for test in part.ifs]) for part in parts]

    if len(loops) == 1:
        ((_, put_only, tests_only),) = loops

        def single(frame: Frame, items: Any) -> Iterator[Any]:
            for evaluate_item in items:
                put_only(frame, evaluate_item)
                for test in tests_only:
                    if not test(frame):
                        break
                else:
                    yield result(frame)

        return lambda frame: single(Frame({}, frame, frame.run), iter(first(frame)))

    def rows(frame: Frame, depth: int, items: Any) -> Iterator[Any]:
        _, put, tests = loops[depth]
        for evaluate_item in items:
            put(frame, evaluate_item)
            if all(test(frame) for test in tests):
                if depth + 1 == len(loops):
                    yield result(frame)
                else:
                    yield from rows(frame, depth + 1, loops[depth + 1][0](frame))

    return lambda frame: rows(Frame({}, frame, frame.run), 0, iter(first(frame)))


def store(target: ast.expr, scope: Scope) -> Store:
    """How a value is put into a name, into a place of a list or dict, or into several of them."""
    match target:
        case ast.Name(id=name):
            hops = scope.hops(name) or 0
            if hops == 0:

                def put_local(frame: Frame, what: Any) -> None:
                    frame.names[name] = what

                return put_local

            def put(frame: Frame, what: Any) -> None:
                for _ in range(hops):
                    assert frame.outer is not None
                    frame = frame.outer
                frame.names[name] = what

            return put
        case ast.Subscript(value=holder, slice=place):
            holder_of, key = value(holder, scope), value(place, scope)

            def place_in(frame: Frame, what: Any) -> None:
                holder_of(frame)[key(frame)] = what

            return place_in
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            stores = [store(target, scope) for target in targets]

            def unpack(frame: Frame, what: Any) -> None:
                items = list(what)
                if len(items) != len(stores):
                    raise ValueError("the number of values does not fit")
                for each, item in zip(stores, items):
                    each(frame, item)

            return unpack
    raise Stopped(f"nothing is stored in {ast.unparse(target)!r} here")


def changed(node: ast.AugAssign, scope: Scope) -> Does:
    """`+=` and its like."""
    works, read = IN_PLACE[type(node.op)], value(node.value, scope)
    match node.target:
        case ast.Subscript(value=holder, slice=place):
            holder_of, key = value(holder, scope), value(place, scope)

            def in_place(frame: Frame) -> None:
                where, at = holder_of(frame), key(frame)
                before = where[at]
                where[at] = check_bounds(works(before, read(frame)))

            return in_place
        case ast.Name() as name:
            before, put = _named(name.id, scope), store(name, scope)
            return lambda frame: put(frame, check_bounds(works(before(frame), read(frame))))
    raise Stopped("only names, and places of lists and dicts, are changed here")
