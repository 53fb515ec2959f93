"""Find the most general type of a term, which is compared up to the names of type variables.

Terms are functions, applications and constants; with let one definition may be used at several types.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.languages import lambda_types
from rlgym.generators.languages.typed_terms import CONSTANTS, FORMS, names_in, parse_term, render_term
from rlgym.solutions import Derivation, Solution, Step

Scope = dict[str, lambda_types.Scheme]
NAME = Step("{name} has the type {type}")
USE = Step("{part} = {name}, used at the type {type}")
PART = Step("{part} = {term} has the type {type}")


class Knobs(Config):
    size: int = knob(11, easy=9, hard=30, doc="how many names and functions the term has, about")
    forms: str = knob("constants", easy="pure", hard="let", order=tuple(FORMS), doc="functions only, constants too, or definitions too")
    depth: int = knob(2, easy=1, hard=5, doc="how many functions the term opens with")


class Data(TaskData):
    term: str
    constants: tuple[str, ...]
    type: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, piped=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Terms that hand functions on: each argument is applied to others, and results go through chains of them."""
    return _sample_task(rng, knobs, piped=True)


def solve(task: Task[Data]) -> str:
    # Equations between types are collected from the whole term first and solved afterwards; generate unifies on the way.
    term = parse_term(task.data.term)
    counter = [0]
    equations: list[tuple[lambda_types.Type, lambda_types.Type]] = []

    def fresh() -> str:
        counter[0] += 1
        return f"?{counter[0]}"

    def collect(part: Any, scope: dict[str, Any]) -> lambda_types.Type:
        if isinstance(part, str):
            type_ = scope[part]
            # a definition is typed anew at each of its uses, which is what most general means for let
            return (
                collect(*type_[1:])
                if isinstance(type_, tuple) and type_[0] == "again"
                else type_
                if part not in CONSTANTS
                else _with_new_variables(part, fresh)
            )
        if len(part) == 2:
            left, right, out = collect(part[0], scope), collect(part[1], scope), fresh()
            equations.append((left, (right, out)))
            return out
        if len(part) == 3:
            own = fresh()
            return (own, collect(part[2], {**scope, part[1]: own}))
        collect(part[2], scope)
        return collect(part[3], {**scope, part[1]: ("again", part[2], scope)})

    type_found = collect(term, dict.fromkeys(CONSTANTS, ""))
    solved = lambda_types.Inference()
    for first, second in reversed(equations):
        solved.unify(first, second)
    return lambda_types.render(lambda_types.name_variables(solved.full(type_found), {}))


def verify(task: Task[Data], answer: str) -> Score:
    given, right = lambda_types.parse(answer), lambda_types.parse(task.data.type)
    if given is None:
        return Score.wrong("that is not a type")
    assert right is not None
    return Score.exact(lambda_types.match_renaming(right, given, {}, {}), "that is not the most general type of the term")


def mistakes(task: Task[Data], right: str) -> list[str]:
    kind = lambda_types.parse(right)
    assert kind is not None
    names = sorted({name for name in right.replace("(", " ").replace(")", " ").split() if name != "->"})
    variant = right
    for name in names:
        variant = _swap(variant, name, "a" if name not in ("int", "bool") else name)
    flat = right.replace("(", "").replace(")", "")
    turned = lambda_types.render((kind[1], kind[0])) if isinstance(kind, tuple) else "a -> b"
    wrong = [variant, flat, turned, _swap(right, names[0], "int"), lambda_types.render(("e", kind)), "a", "a -> b -> c -> d -> a"]
    return [text for text in wrong if not lambda_types.match_renaming(kind, lambda_types.parse(text) or "", {}, {})]


def cost(task: Task[Data]) -> float:
    term = parse_term(task.data.term)
    inferred = lambda_types.Inference()
    inferred.infer(term, _scope())
    return float(sum(1 + lambda_types.type_size(inferred.full(kind)) for _, kind in inferred.parts))


def derive(task: Task[Data]) -> Derivation:
    names, there, back = dict[str, str](), dict[str, str](), dict[str, str]()
    for step, words, kind in _claims(task.data):
        due = step(**words, type=lambda_types.render(lambda_types.name_variables(kind, names)))
        taken = yield due.accepting(partial(_is_claim, words, kind, dict(there), dict(back)))
        _is_claim(words, kind, there, back, **taken.fields)  # notes the names that were chosen


def _is_claim(
    words: dict[str, str], kind: lambda_types.Type, there: dict[str, str], back: dict[str, str], /, type: str, **gaps: str
) -> bool:
    """Whether a claim names this part and gives its type, up to the names of the type variables."""
    read = lambda_types.parse(type)
    return read is not None and gaps == words and lambda_types.match_renaming(kind, read, there, back)


def _sample_task(rng: Rng, knobs: Knobs, piped: bool) -> Task[Data]:
    while True:
        term = _sample_term(rng, knobs, piped)
        if term is None:
            continue
        inferred = lambda_types.Inference()
        kind = inferred.infer(term, _scope())
        if kind is None:
            continue
        full = lambda_types.name_variables(inferred.full(kind), {})
        text = lambda_types.render(full)
        largest = max(lambda_types.type_size(inferred.full(part)) for _, part in inferred.parts)
        # types of one letter alone are few, and would be guessed
        one_letter = len(set(re.findall("[a-z]+", text))) == 1
        if not one_letter and 3 <= lambda_types.type_size(full) <= 40 and largest <= 60 and len(render_term(term)) <= 400:
            break
    written = render_term(term)
    used = tuple(name for name in CONSTANTS if name in names_in(term))
    constants_text = "".join(f"\n{name} : {CONSTANTS[name]}" for name in used)
    constants = (
        f" The constants have these types, whose variables may stand for different types at each use:{constants_text}\n" if used else " "
    )
    lets = (
        "let x = M in N is N with x defined as M. As in Hindley-Milner type inference, each use of x in N may have a different instance of the most general "
        "type of M, in which the type variables that occur in the types of enclosing function parameters stay fixed. "
        if "let " in written
        else ""
    )
    return Task(
        r"In this lambda calculus, \x. M is the function that maps x to M, where M extends as far to the right as brackets allow; M N is M applied to N, "
        "and L M N means (L M) N. "
        f"{lets}A -> B is the type of functions from A to B, and A -> B -> C means A -> (B -> C). A function parameter has the same type at all its "
        f"uses.{constants}Type variables are written as letters: \\x. x has the most general type a -> a.\n\nWhat is the most general "
        f"type of this term?\n{written}",
        Data(term=written, constants=used, type=text),
    )


def _sample_term(rng: Rng, knobs: Knobs, piped: bool) -> Any:
    """A term that opens with functions, or None where its parts could not be given types on the way."""
    letters = iter(rng.shuffled("xyzuvwpqrstklmnhgdefo"))
    inferred = lambda_types.Inference()
    constants = FORMS[knobs.forms]

    def fits(goal: lambda_types.Type, kind: lambda_types.Type) -> bool:
        before = dict(inferred.bound)
        if inferred.unify(goal, kind):
            return True
        inferred.bound = before
        return False

    def term(goal: lambda_types.Type, size: int, scope: Scope) -> Any:
        goal = inferred.full(goal)
        if size <= 1:
            near = [name for name in scope if name not in CONSTANTS] if rng.chance(0.85) or not constants else []
            # definitions come first more often than not
            order = sorted(rng.shuffled(near), key=lambda name: not scope[name][0]) if rng.chance(0.6) else rng.shuffled(near)
            for name in order + rng.shuffled(constants):
                if fits(goal, inferred.instance(scope[name])):
                    return name
            return None
        if (isinstance(goal, tuple) or rng.chance(0.15)) and rng.chance(0.5):
            own, out = inferred.fresh(), inferred.fresh()
            variable = next(letters, "")
            if not variable or not fits(goal, (own, out)):
                return None
            body = term(out, size - 1, {**scope, variable: ((), own)})
            return body and ("\\", variable, body)
        size_left = rng.integer(1, max(1, min(size - 1, 2 if piped else size // 2)))
        own = inferred.fresh()
        if rng.chance(0.5):
            left_term = term((own, goal), size_left, scope)
            two = left_term and term(own, size - size_left, scope)
        else:
            two = term(own, size - size_left, scope)
            left_term = two and term((own, goal), size_left, scope)
        return (left_term, two) if left_term and two else None

    scope = _scope()
    opened = [next(letters) for _ in range(knobs.depth)]
    for name in opened:
        scope[name] = ((), inferred.fresh())
    size = max(2, knobs.size - knobs.depth)
    if knobs.forms != "let":
        out = term(inferred.fresh(), size, scope)
    else:
        name, inner = next(letters), next(letters)
        own, result = inferred.fresh(), inferred.fresh()
        body = term(result, max(1, size // 4), {**scope, inner: ((), own)})
        if body is None:
            return None
        scope[name] = inferred.general((own, result), scope)
        out = term(inferred.fresh(), max(2, size - size // 4), scope)
        out = out and ("let", name, ("\\", inner, body), out) if out and name in names_in(out) else None
    for name in reversed(opened if out else []):
        out = ("\\", name, out)
    return out


def _with_new_variables(constant: str, fresh: Callable[[], str]) -> lambda_types.Type:
    """The type of a constant with new variables."""
    kind = lambda_types.parse(CONSTANTS[constant])
    assert kind is not None
    return _substitute(kind, {name: fresh() for name in "abc"})


def _substitute(kind: lambda_types.Type, new: dict[str, str]) -> lambda_types.Type:
    return new.get(kind, kind) if isinstance(kind, str) else (_substitute(kind[0], new), _substitute(kind[1], new))


def _scope() -> Scope:
    return {name: (("?a", "?b", "?c"), _with_new_variables(name, iter(("?a", "?b", "?c")).__next__)) for name in CONSTANTS}


Claim = tuple[Step, dict[str, str], lambda_types.Type]


def _claims(data: Data) -> list[Claim]:
    """What is to be said of the parts, inner ones first: a line, its words, and the type with open variables."""
    inferred = lambda_types.Inference()
    own: list[Claim] = []
    count = [0]

    def put(line: Step, kind: lambda_types.Type, **words: str) -> str:
        count[0] += 1
        own.append((line, {"part": f"t{count[0]}", **words}, kind))
        return f"t{count[0]}"

    def part(term: Any, scope: Scope) -> tuple[str, lambda_types.Type]:
        inferred_type: lambda_types.Type
        if isinstance(term, str):
            inferred_type = inferred.infer(term, scope) or ""
            shared = not scope[term][0] and term not in CONSTANTS
            return (term, inferred_type) if shared else (put(USE, inferred_type, name=term), inferred_type)
        if len(term) == 2:
            (function_text, left), (two, right) = part(term[0], scope), part(term[1], scope)
            inferred_type = inferred.fresh()
            inferred.unify(left, (right, inferred_type))
            return put(PART, inferred_type, term=f"{function_text} {two}"), inferred_type
        if len(term) == 3:
            kind = inferred.fresh()
            own.append((NAME, {"name": term[1]}, kind))
            name, body = part(term[2], {**scope, term[1]: ((), kind)})
            return put(PART, (kind, body), term=f"\\{term[1]}. {name}"), (kind, body)
        value_name, value = part(term[2], scope)
        name, body = part(term[3], {**scope, term[1]: inferred.general(value, scope)})
        return put(PART, body, term=f"let {term[1]} = {value_name} in {name}"), body

    part(parse_term(data.term), _scope())
    return [(line, words, inferred.full(kind)) for line, words, kind in own]


def _swap(text: str, name: str, new: str) -> str:
    """The type with one name replaced."""
    return (
        " ".join(new if word == name else word for word in text.replace("(", "( ").replace(")", " )").split())
        .replace("( ", "(")
        .replace(" )", ")")
    )


environment = Environment(
    Knobs, Text("the type on one line, with -> and letters for type variables"), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "So the whole term has the type {answer}", whole=True),
    shared_helpers="The helper reads a type.",
    concept="Give each name a type variable; each application says that the left part is a function from the type of the right part; solve these equations.",
    version=4,
)  # fmt: skip
