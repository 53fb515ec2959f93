"""Expressions of a part of Python, compiled to functions of the frame that they are evaluated in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rlgym.generators.programs import operations
from rlgym.generators.programs.bounded_operators import BINARY, BUILTINS, COMPARED, IN_PLACE, METHODS, UNARY, Stopped, check_bounds
from rlgym.generators.programs.frames import MISSING, Does, Frame, Function, Scope

Store = Callable[["Frame", Any], None]


def value(node: ast.expr, scope: Scope) -> Does:
    """What an expression is worth."""
    match node:
        case ast.Constant(value=constant):
            check_bounds(constant)
            return lambda frame: constant
        case ast.Name(id=name):
            return _read_variable(name, scope)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _binary(BINARY[type(op)], left, right, scope)
        case ast.UnaryOp(op=unary, operand=operand):
            turns, inner = UNARY[type(unary)], value(operand, scope)
            return lambda frame: turns(inner(frame))
        case ast.BoolOp(op=both, values=parts):
            return operations.boolean(isinstance(both, ast.And), [value(part, scope) for part in parts])
        case ast.Compare():
            return _compile_comparison(node, scope)
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


def _binary(works: Callable[[Any, Any], Any], left: ast.expr, right: ast.expr, scope: Scope) -> Does:
    first, second = value(left, scope), value(right, scope)
    if not isinstance(right, ast.Constant):
        return operations.binary(works, first, second)
    if isinstance(left, ast.Name) and scope.hops(left.id) == 0:
        return operations.local_with_constant(works, left.id, first, right.value)
    return operations.with_constant(works, first, right.value)


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


def _read_variable(name: str, scope: Scope) -> Does:
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


def _compile_comparison(node: ast.Compare, scope: Scope) -> Does:
    first = value(node.left, scope)
    rest = [(COMPARED[type(op)], value(item, scope)) for op, item in zip(node.ops, node.comparators)]
    if len(rest) == 1:
        ((test, second),) = rest
        if isinstance(node.comparators[0], ast.Constant):
            constant = node.comparators[0].value
            if isinstance(node.left, ast.Name) and scope.hops(node.left.id) == 0:
                name = node.left.id
                return lambda frame: test(frame.names[name] if name in frame.names else first(frame), constant)
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
    if not named and isinstance(node.func, ast.Name) and scope.hops(node.func.id) is None and node.func.id in BUILTINS:
        return operations.builtin(BUILTINS[node.func.id], given)
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
        if not tests_only and isinstance(parts[0].target, ast.Name):
            name = parts[0].target.id

            def plain(frame: Frame, items: Any) -> Iterator[Any]:
                for frame.names[name] in items:
                    yield result(frame)

            return lambda frame: plain(Frame({}, frame, frame.run), iter(first(frame)))

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
            before, put = _read_variable(name.id, scope), store(name, scope)
            if scope.hops(name.id) == 0:
                return operations.local_change(works, name.id, before, read)
            return lambda frame: put(frame, check_bounds(works(before(frame), read(frame))))
    raise Stopped("only names, and places of lists and dicts, are changed here")
