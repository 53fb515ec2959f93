"""The kinds of blocks that sampled programs consist of: loops that gather, count, search, simulate and rewrite, and what stands in them."""

from __future__ import annotations

from collections.abc import Callable

from rlgym.generators.programs.grammar_expressions import COMPARED, LISTS, LOOPS, Lines, Sketch, condition, number


def indent(lines: Lines) -> Lines:
    """The lines, one step further to the right."""
    return [f"    {line}" for line in lines]


def result(sketch: Sketch) -> str:
    """What a function returns: some of its numbers, and perhaps one of a list."""
    numbers = [name for name in sketch.ints if name not in sketch.fixed]
    picked = sketch.rng.sample(numbers, min(len(numbers), sketch.rng.integer(1, 2)))
    lists = [name for name in sketch.lists if name != "values"]
    if lists and sketch.rng.chance(0.6):
        picked.append(sketch.rng.choice((lists[-1], f"len({lists[-1]})", f"sum({lists[-1]})")))
    return ", ".join(picked)


def _change(sketch: Sketch) -> Lines:
    """A line that changes a number or a list."""
    rng, name = sketch.rng, sketch.variable()
    forms = [f"{name} += {number(sketch)}", f"{name} -= {number(sketch)}", f"{name} += 1"]
    forms += [
        f"{name} = max({name}, {number(sketch)})",
        f"{name} = ({rng.integer(2, 4)} * {name} + {number(sketch)}) % {rng.integer(11, 60)}",
    ]
    others = [other for other in sketch.ints if other not in sketch.fixed and other != name]
    if others and sketch.shape.kinds > 3:
        other = rng.choice(others)
        forms.append(f"{name}, {other} = {other}, {name}{rng.choice((' + 1', ' - 2', '', f' + {rng.choice(sketch.ints)}'))}")
    lists = [name for name in sketch.lists if name != "values" and name not in sketch.fixed]
    if lists:
        forms += [f"{rng.choice(lists)}.append({number(sketch)})"] * 2
    return [rng.choice(forms)]


def inside(sketch: Sketch, nesting: int, loop: bool = True) -> Lines:
    """What is done in the body of a loop."""
    rng = sketch.rng
    match rng.integer(0, 5 if nesting else 1):
        case 0:
            return _change(sketch)
        case 1:
            return [f"if {condition(sketch)}:", *indent(_change(sketch))]
        case 2:
            return [f"if {condition(sketch)}:", *indent(_change(sketch)), "else:", *indent(inside(sketch, nesting - 1, loop))]
        case 3:
            first, second = condition(sketch), condition(sketch)
            return [f"if {first}:", *indent(_change(sketch)), f"elif {second}:", *indent(inside(sketch, nesting - 1, loop))]
        case 4 if loop and sketch.shape.kinds > 2:
            return [f"if {condition(sketch)}:", *indent(_change(sketch)), *indent([rng.choice(("continue", "break"))]), *_change(sketch)]
    return [*_change(sketch), *_change(sketch)]


def _loop_head(sketch: Sketch) -> tuple[str, str]:
    """The head of a loop, and its variable."""
    rng, name = sketch.rng, sketch.fresh(LOOPS)
    source = (
        rng.choice(sketch.lists)
        if sketch.lists and rng.chance(0.7)
        else f"range({rng.choice(('3', '4', '5', '6', '2, 7', '1, 10, 2', '8, 2, -1'))})"
    )
    if source.startswith("range") and sketch.shape.takes == "numbers" and rng.chance(0.6):
        source = f"range({rng.choice('ab')} % {rng.integer(4, 8)} + {rng.integer(1, 3)})"
    return f"for {name} in {source}:", name


def _loop(sketch: Sketch, head: str, name: str, body: Callable[[], Lines]) -> Lines:
    """A loop, in which its own list is not changed and its variable may be used."""
    walked = [kept for kept in sketch.lists if f" in {kept}" in head and kept not in sketch.fixed]
    sketch.ints.append(name)
    sketch.fixed |= {name, *walked}
    lines = [head, *indent(body())]
    sketch.ints.remove(name)
    sketch.fixed -= set(walked)
    return lines


def _gather(sketch: Sketch) -> Lines:
    head, name = _loop_head(sketch)

    def body() -> Lines:
        lines = inside(sketch, sketch.shape.nesting)
        if sketch.shape.nesting > 1 and sketch.rng.chance(0.5):
            loop_head, other = _loop_head(sketch)
            lines += _loop(sketch, loop_head, other, lambda: inside(sketch, sketch.shape.nesting - 2))
        return lines + (_change(sketch) if sketch.rng.chance(0.5) else [])

    return _loop(sketch, head, name, body)


def _digits(sketch: Sketch) -> Lines:
    rng, name = sketch.rng, sketch.fresh(("n", "m", "left", "size"))
    base = rng.choice((2, 3, 5, 10))
    first = f"{name} = abs({number(sketch)}) + {rng.integer(5, 40)}"
    sketch.ints.append(name)
    sketch.fixed.add(name)
    return [first, f"while {name} > {rng.choice(('0', '1'))}:", *indent([*inside(sketch, sketch.shape.nesting), f"{name} //= {base}"])]


def _pair(sketch: Sketch) -> Lines:
    rng, name = sketch.rng, sketch.rng.choice(sketch.lists)
    rule = rng.choice(("{0}[i] {1} {0}[j]", "({0}[i] + {0}[j]) % {2} == 0", "abs({0}[i] - {0}[j]) {1} {2}", "{0}[i] * j {1} {0}[j] * i"))
    test = rule.format(name, rng.choice(COMPARED[:4]), rng.integer(2, 6))
    sketch.used |= {"i", "j"}
    sketch.ints += ["i", "j"]
    sketch.fixed |= {"i", "j", name}
    change = _change(sketch)
    sketch.ints = [name for name in sketch.ints if name not in "ij"]
    sketch.fixed -= {name}
    start = rng.choice(("i + 1, ", "i, ", ""))
    return [f"for i in range(len({name})):", *indent([f"for j in range({start}len({name})):", *indent([f"if {test}:", *indent(change)])])]


def _list_comprehension(sketch: Sketch) -> Lines:
    rng, source, name, item = sketch.rng, sketch.rng.choice(sketch.lists), sketch.fresh(LISTS), sketch.fresh(LOOPS)
    sketch.ints.append(item)
    test, result = condition(sketch), rng.choice((item, f"{item} * {rng.integer(2, 4)}", f"{item} + {number(sketch, 0)}", f"abs({item})"))
    sketch.ints.remove(item)
    sketch.lists.append(name)
    return [f"{name} = [{result} for {item} in {source} if {test}]", f"{sketch.variable()} += len({name})"]


def _tally(sketch: Sketch) -> Lines:
    rng, (head, name) = sketch.rng, _loop_head(sketch)
    table, modulus = sketch.fresh(("seen", "table", "tally", "groups")), sketch.rng.integer(2, 5)
    by = _loop(sketch, head, name, lambda: [f"key = {name} % {modulus}", f"{table}[key] = {table}.get(key, 0) + {number(sketch)}"])
    target = sketch.variable()
    after = rng.choice(
        (
            [
                f"for key in sorted({table}):",
                f"    if {table}[key] {rng.choice(COMPARED)} {target}:",
                f"        {target} += key + {table}[key]",
            ],
            [f"for key, item in {table}.items():", f"    {target} = {target} * 2 % 31 + key * item"],
            [f"{target} += len({table})", f"{target} -= max({table}.values(), default=0)"],
        )
    )
    return [f"{table} = {{}}", *by, *after]


def _stack_loop(sketch: Sketch) -> Lines:
    rng, source, stack, item = (
        sketch.rng,
        sketch.rng.choice(sketch.lists),
        sketch.fresh(("stack", "open", "heap", "line")),
        sketch.fresh(LOOPS),
    )
    test = rng.choice(
        (f"{stack}[-1] > {item}", f"{stack}[-1] <= {item}", f"len({stack}) > {rng.integer(1, 3)}", f"({stack}[-1] + {item}) % 2 == 0")
    )
    target = sketch.variable()
    pops = rng.choice(([f"{target} += {stack}.pop()"], [f"{stack}.pop()", f"{target} += len({stack})"], [f"{target} -= {stack}.pop(0)"]))
    sketch.lists.append(stack)
    return [f"{stack} = []", f"for {item} in {source}:", *indent([f"while {stack} and {test}:", *indent(pops), f"{stack}.append({item})"])]


def _converge(sketch: Sketch) -> Lines:
    rng, low, high = sketch.rng, sketch.fresh(("low", "left", "start")), sketch.fresh(("high", "right", "end"))
    lines = [f"{low}, {high} = {rng.integer(0, 4)}, {rng.integer(9, 20)} + abs({number(sketch)}) % 7", f"while {low} < {high}:"]
    sketch.ints += [low, high]
    sketch.fixed |= {low, high}
    body = [
        f"if {condition(sketch)}:",
        f"    {low} += {rng.integer(1, 3)}",
        "else:",
        f"    {high} -= {rng.integer(1, 3)}",
        *_change(sketch),
    ]
    return lines + indent(body)


def _modes(sketch: Sketch) -> Lines:
    head, name = _loop_head(sketch)
    mode = sketch.fresh(("mode", "state", "phase"))

    def body() -> Lines:
        first = [f"if {mode} == 0 and {condition(sketch, 0)}:", *indent([f"{mode} = 1", *_change(sketch)])]
        second = [
            f"elif {mode} == 1:",
            *indent([*_change(sketch), f"if {condition(sketch, 0)}:", f"    {mode} = {sketch.rng.integer(0, 2)}"]),
        ]
        return [*first, *second, f"elif {mode} == 2:", *indent([*_change(sketch), f"{mode} = 0"])]

    return [f"{mode} = {sketch.rng.integer(0, 1)}", *_loop(sketch, head, name, body)]


def _rewrite(sketch: Sketch) -> Lines:
    rng, source, name = sketch.rng, sketch.rng.choice(sketch.lists), sketch.fresh(LISTS)
    before = rng.choice((f"{name}[i - 1]", f"{name}[-1 - i]", f"{name}[i // 2]"))
    change = rng.choice(
        (f"{name}[i] += {before}", f"{name}[i], {before} = {before}, {name}[i]", f"{name}[i] = max({name}[i], {before}) - i")
    )
    test = rng.choice(
        (f"{name}[i] % {rng.integer(2, 4)} == 0", f"{name}[i] {rng.choice(COMPARED[:4])} {before}", f"i % {rng.integer(2, 3)} == 1")
    )
    sketch.lists.append(name)
    copy = rng.choice((f"{source}[:]", f"list({source})", f"sorted({source})", f"{source}[::-1]"))
    return [
        f"{name} = {copy}",
        f"for i in range(len({name})):",
        *indent([f"if {test}:", *indent([change])]),
        f"{sketch.variable()} += sum({name}) % 50",
    ]


def _aliased_list(sketch: Sketch) -> Lines:
    rng, name, other = sketch.rng, sketch.fresh(LISTS), sketch.fresh(LISTS)
    first = ", ".join(number(sketch, 0) for _ in range(rng.integer(2, 3)))
    lines = [f"{name} = [{first}]", f"{other} = {rng.choice((name, name, f'{name}[:]'))}"]
    sketch.lists += [name, other]
    lines += [f"{name}.append({number(sketch)})", f"{other}[0] += {number(sketch)}"]
    lines.append(rng.choice((f"{name} += [{number(sketch)}]", f"{name} = {name} + [{number(sketch)}]")))
    return [*lines, f"{sketch.variable()} += sum({other}) - {name}[0]"]


def _early_return(sketch: Sketch) -> Lines:
    return [f"if {condition(sketch)}:", f"    return {result(sketch)}", *_change(sketch)]


def _string_building(sketch: Sketch) -> Lines:
    (head, name), text = _loop_head(sketch), sketch.fresh(("word", "text", "code"))
    rng, letters = sketch.rng, sketch.rng.choice(("ab", "abc", "xyz", "pqrs"))
    added = rng.choice((f"{text} += {letters!r}[{name} % {len(letters)}]", f"{text} = {letters!r}[{name} % {len(letters)}] + {text}"))
    last = rng.choice(
        (f"{text}.count({letters[:1]!r})", f"len({text}.replace({letters[:2]!r}, {letters[-1]!r}))", f"{text}.find({letters[1]!r})")
    )
    lines = _loop(sketch, head, name, lambda: [f"if {condition(sketch)}:", *indent([added]), "else:", *indent(_change(sketch))])
    return [f'{text} = ""', *lines, f"{sketch.variable()} += {last}"]


BLOCKS: tuple[Callable[[Sketch], Lines], ...] = (
    *(_gather, _list_comprehension, _digits, _rewrite, _pair, _tally),
    *(_early_return, _converge, _string_building, _stack_loop, _modes, _aliased_list),
)
ON_LISTS = (_list_comprehension, _rewrite, _pair, _stack_loop)
