"""Reduce a term of the untyped lambda calculus to its normal form, which is compared up to the names of bound variables.

At the hard end names are used again for other variables, so that some must be renamed for none to be caught.
"""

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.languages import lambda_terms
from rlgym.solutions import Derivation, Solution, Step

NAMES = ("distinct", "shadowed", "caught")
LAST = "the normal form"
STEP = Step("Step {number:int}: the argument {argument} is put in for {variable}, which gives {term}")
END = Step("After step {number:int} nothing is left to reduce: {answer}")


class Knobs(Config):
    steps: int = knob(8, easy=1, hard=26, scale="log", doc="how many steps of reduction it takes at least, about")
    constants: int = knob(3, easy=2, hard=6, doc="how many names are free")
    names: str = knob(
        "shadowed",
        easy="distinct",
        hard="caught",
        order=NAMES,
        doc="whether bound names differ (as far as letters reach), repeat, or must be renamed",
    )


class Data(TaskData):
    term: str
    normal: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _sample_term)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Programs over data that are made of functions: truth values that choose, pairs, and numbers that repeat."""
    return _sample_task(rng, knobs, _program)


def solve(task: Task[Data]) -> str:
    # By evaluation into functions of Python and reading the result back, without any substitution.
    term = lambda_terms.parse(task.data.term)
    used = lambda_terms.free_variables(term)
    fresh = (name for i in count() for name in (letter + (str(i) if i else "") for letter in "xyzuvw") if name not in used)
    return lambda_terms.render(_read_back(_value(term, {}), lambda: next(fresh)))


def verify(task: Task[Data], answer: str) -> Score:
    given = lambda_terms.de_bruijn_of_text(answer)
    if given is None:
        return Score.wrong("that is not a term")
    return Score.exact(given == lambda_terms.de_bruijn_of_text(task.data.normal), "that is not the normal form")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    term = lambda_terms.parse(data.term)
    reduction = lambda_terms.reduce_to_normal_form(term, 100, 1000) or []
    before = reduction[-2][2] if len(reduction) > 1 else term
    normal: Any = lambda_terms.parse(data.normal)
    wrong = [
        data.term,
        lambda_terms.render(before),
        lambda_terms.render(_catch(term, 60)),
        f"\\x. {right}",
        lambda_terms.render((normal, "a")),
    ]
    return [text for text in wrong if lambda_terms.de_bruijn_of_text(text) != lambda_terms.de_bruijn_of_text(right)]


def cost(task: Task[Data]) -> float:
    term = lambda_terms.parse(task.data.term)
    return float(
        lambda_terms.term_size(term)
        + sum(lambda_terms.term_size(step[2]) for step in lambda_terms.reduce_to_normal_form(term, 100, 1000) or [])
    )


def derive(task: Task[Data]) -> Derivation:
    term, number = lambda_terms.parse(task.data.term), 0
    while reduction := next(lambda_terms.beta_reductions(term), None):
        variable, argument, after = reduction
        number += 1
        last = next(lambda_terms.beta_reductions(after), None) is None
        step = STEP(
            number=number, argument=lambda_terms.render(argument), variable=variable, term=LAST if last else lambda_terms.render(after)
        )
        taken = yield step.accepting(partial(_is_reduction, term, number))
        term = _reduce(term, taken["argument"], taken["variable"], taken["term"])
    normal_form = lambda_terms.de_bruijn(term)
    end = END(number=number, answer=solve(task))
    yield end.accepting(lambda number, answer, due=number: number == due and lambda_terms.de_bruijn_of_text(answer) == normal_form)


def _is_reduction(before: Any, due: int, /, number: int, argument: str, variable: str, term: str) -> bool:
    return number == due and _reduce(before, argument, variable, term) is not None


def _reduce(term: Any, argument: str, variable: str, written: str) -> Any:
    """What one step of reduction makes of a term, as it is written up to renaming; None where no step does."""
    value, after = lambda_terms.de_bruijn_of_text(argument), lambda_terms.parse(written)
    for name, taken, result in lambda_terms.beta_reductions(term):
        if name == variable and lambda_terms.de_bruijn(taken) == value:
            if written == LAST and next(lambda_terms.beta_reductions(result), None) is None:
                return result
            if after is not None and lambda_terms.de_bruijn(result) == lambda_terms.de_bruijn(after):
                return after
    return None


def _sample_task(rng: Rng, knobs: Knobs, drawn: Callable[[Rng, Knobs], Any]) -> Task[Data]:
    for tries in count():
        term = drawn(rng, knobs)
        reduction = lambda_terms.reduce_to_normal_form(term, 2 * knobs.steps + 2, 150)
        if reduction is None or len(reduction) < knobs.steps or not lambda_terms.free_variables(term):
            continue
        normal = reduction[-1][2]
        renamed = any(_renames(argument, result) for _, argument, result in reduction)
        if (
            3 <= lambda_terms.term_size(normal) <= 60
            and lambda_terms.term_size(term) <= 120
            and (knobs.names != "caught" or renamed or tries > 150)
        ):
            break
    free = sorted(lambda_terms.free_variables(term))
    data = Data(term=lambda_terms.render(term), normal=lambda_terms.render(normal))
    return Task(
        r"In the lambda calculus \x. M is the function that takes x to M; its body M reaches as far to the right as brackets allow. M N is M applied to "
        r"N, and L M N means (L M) N. Names are single letters, with digits after them where more names are needed. In a step of reduction (\x. M) N "
        "becomes M with N in place of every free x, where bound variables are renamed first if they would capture a name of N. A term in which no step is "
        f"possible is in normal form. {'The name' if len(free) == 1 else 'The names'} {', '.join(free)} {'is' if len(free) == 1 else 'are'} free in this "
        f"term:\n{data.term}\n\nWhat is its normal form? The names of its bound variables are up to you.",
        data,
    )


def _renames(argument: Any, result: Any) -> bool:
    """Whether a name with a digit came in, as renaming makes."""
    text = lambda_terms.render(result)
    return any(sign.isdigit() for sign in text) and bool(lambda_terms.free_variables(argument))


def _sample_term(rng: Rng, knobs: Knobs) -> Any:
    constants = rng.sample("abcdefghijr", knobs.constants)
    pool = "xyzuvw" if knobs.names != "caught" else "xy"
    counter = [0]

    def variable() -> str:
        counter[0] += 1
        # Where names are distinct, all binders have names of their own; there are letters enough for small terms.
        return "xyzuvwpqstklmno"[counter[0] % 15] if knobs.names == "distinct" else rng.choice(pool)

    def term(size: int, scope: tuple[str, ...]) -> Any:
        if size <= 1:
            return rng.choice(scope) if scope and rng.chance(0.75) else rng.choice(constants)
        if rng.chance(0.2):
            name = variable()
            return ("\\", name, term(size - 1, (*scope, name)))
        size_left = rng.integer(1, size - 1)
        if size_left > 1 and rng.chance(0.75):
            name = variable()
            return (("\\", name, term(size_left - 1, (*scope, name, name))), term(size - size_left, scope))
        return (term(size_left, scope), term(size - size_left, scope))

    return term(5 + 2 * knobs.steps + rng.integer(0, 3), tuple("xy") if knobs.names == "caught" else ())


def _program(rng: Rng, knobs: Knobs) -> Any:
    constants = rng.sample("abcdefghijkqrtuvw", knobs.constants)
    x, y = ("x", "y") if knobs.names != "caught" else ("y", "x")

    def applied(*terms: Any) -> Any:
        out = terms[0]
        for argument in terms[1:]:
            out = (out, argument)
        return out

    def both(one: str, two: str, body: Any) -> Any:
        return ("\\", one, ("\\", two, body))

    def value(depth: int) -> Any:
        if depth == 0:
            atom = rng.choice(constants)
            # a free name that is bound elsewhere must not be caught
            return (atom, rng.choice("xyn")) if knobs.names == "caught" and rng.chance(0.5) else atom
        argument_a = value(depth - 1)
        two = value(rng.integer(0, depth - 1))
        chosen = rng.choice((x, y))
        match rng.integer(0, 4):
            case 0:
                return applied(both(x, y, chosen), argument_a, two)
            case 1:
                pair = applied(("\\", x, ("\\", y, ("\\", "s", applied("s", x, y)))), argument_a, two)
                return applied(("\\", "p", applied("p", both(x, y, chosen))), pair)
            case 2:
                number = rng.integer(1, 3)
                body: Any = y
                for _ in range(number):
                    body = (x, body)
                each = ("\\", y, rng.choice([applied(rng.choice(constants), y, two), applied(rng.choice(constants), two, y)]))
                return applied(both(x, y, body), each, argument_a)
            case 3:
                plus = both("m", "n", both(x, y, applied("m", x, applied("n", x, y))))
                few = [both(x, y, (x, y)), both(x, y, (x, (x, y))), both(x, y, y)]
                return applied(plus, rng.choice(few), rng.choice(few), (rng.choice(constants)), argument_a)
            case _:
                return applied(rng.choice(constants), argument_a, two)

    depth = 1
    while rng.chance(0.75) and 4**depth < 12 * knobs.steps:
        depth += 1
    return applied(rng.choice(constants), value(depth), value(rng.integer(0, depth))) if depth > 1 else value(1)


def _catch(term: Any, most: int) -> Any:
    """What comes out where no variable is ever renamed: the mistake of putting terms in blindly."""

    def put(body: Any, name: str, value: Any) -> Any:
        if isinstance(body, str):
            return value if body == name else body
        if len(body) == 3:
            return body if body[1] == name else ("\\", body[1], put(body[2], name, value))
        return (put(body[0], name, value), put(body[1], name, value))

    def step(subterm: Any) -> Any:
        if isinstance(subterm, str):
            return None
        if len(subterm) == 3:
            inner = step(subterm[2])
            return inner and ("\\", subterm[1], inner)
        if isinstance(subterm[0], tuple) and len(subterm[0]) == 3:
            return put(subterm[0][2], subterm[0][1], subterm[1])
        left = step(subterm[0])
        if left:
            return (left, subterm[1])
        right = step(subterm[1])
        return right and (subterm[0], right)

    for _ in range(most):
        after = step(term)
        if not after or lambda_terms.term_size(after) > 120:
            break
        term = after
    return term


def _value(term: Any, scope: dict[str, Any]) -> Any:
    """A function of Python for a function; for anything that waits for a free name, the name with the values it is applied to."""
    if isinstance(term, str):
        thunk = scope.get(term)
        return thunk() if thunk else (term,)
    if len(term) == 3:
        return lambda argument: _value(term[2], {**scope, term[1]: argument})
    known: list[Any] = []

    def later() -> Any:
        if not known:
            known.append(_value(term[1], scope))
        return known[0]

    function = _value(term[0], scope)
    return (*function, later) if isinstance(function, tuple) else function(later)


def _read_back(value: Any, fresh: Callable[[], str]) -> Any:
    if isinstance(value, tuple):
        out: Any = value[0]
        for argument in value[1:]:
            out = (out, _read_back(argument(), fresh))
        return out
    name = fresh()
    return ("\\", name, _read_back(value(lambda: (name,)), fresh))


environment = Environment(
    Knobs, Text("the normal form as one term on one line, with \\ for each function"), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, END),
    concept="Reduce the leftmost outermost function with an argument first, and rename a bound variable wherever it would catch a free one.",
    version=3,
)  # fmt: skip
