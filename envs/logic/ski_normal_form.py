"""Reduce a term of combinators to its normal form, by rules that the prompt states.

At the hard end the combinators are new ones, made up for the task, so that nothing known about S and K helps.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.languages import lambda_terms
from rlgym.solutions import Derivation, Solution, Step

KNOWN = {"I": "x -> x", "K": "x y -> x", "S": "x y z -> x z (y z)", "B": "x y z -> x (y z)", "C": "x y z -> x z y", "W": "x y -> x y y"}
SETS = {"few": "IKB", "known": "IKSBCW", "invented": "IKSBCW"}
Rules = dict[str, tuple[tuple[str, ...], Any]]
STEP = Step("Step {number:int}: {combinator} with {arguments}, which gives {term}")
LAST = "the normal form"
END = Step("After step {number:int} no rule can be used any more: {answer}")


class Knobs(Config):
    steps: int = knob(10, easy=1, hard=32, scale="log", doc="how many steps it takes at least")
    constants: int = knob(3, easy=2, hard=6, doc="how many names stand for themselves")
    rules: str = knob("known", easy="few", hard="invented", order=tuple(SETS), doc="which combinators there are")


class Data(TaskData):
    rules: tuple[tuple[str, str], ...]
    term: str
    normal: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _sample_term)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Terms that a translation of functions into S, K, I, B and C makes, applied to arguments."""
    return _sample_task(rng, knobs, _translate)


def solve(task: Task[Data]) -> str:
    # With a stack: the head of a term takes its arguments from it; the arguments are reduced only when it lacks some.
    rules = _rules(task.data)

    def normal(term: Any) -> Any:
        stack: list[Any] = []
        while True:
            while not isinstance(term, str):
                stack.append(term[1])
                term = term[0]
            names, body = rules.get(term, ((), ""))
            if not names or len(stack) < len(names):
                break
            given = {name: stack.pop() for name in names}
            term = lambda_terms.instantiate(body, given)
        out: Any = term
        for argument in reversed(stack):
            out = (out, normal(argument))
        return out

    return lambda_terms.render(normal(lambda_terms.parse(task.data.term)))


def verify(task: Task[Data], answer: str) -> Score:
    given = lambda_terms.de_bruijn_of_text(answer)
    if given is None:
        return Score.wrong("that is not a term")
    return Score.exact(given == lambda_terms.de_bruijn_of_text(task.data.normal), "that is not the normal form")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    normal: Any = lambda_terms.parse(data.normal)
    reduction = _reduction(data)
    before = reduction[-2][2] if len(reduction) > 1 else lambda_terms.parse(data.term)
    _, arguments = lambda_terms.spine(normal)
    flat = " ".join(sign for sign in data.normal if sign.isalpha())
    turned = normal if isinstance(normal, str) else (normal[1], normal[0])
    return [
        data.term,
        lambda_terms.render(before),
        flat,
        lambda_terms.render((normal, "a")),
        lambda_terms.render(turned),
        *(map(lambda_terms.render, arguments[:1])),
    ]


def cost(task: Task[Data]) -> float:
    return float(
        lambda_terms.term_size(lambda_terms.parse(task.data.term))
        + sum(lambda_terms.term_size(term) for _, _, term in _reduction(task.data))
    )


def derive(task: Task[Data]) -> Derivation:
    rules, term, number = _rules(task.data), lambda_terms.parse(task.data.term), 0
    while reduction := next(lambda_terms.combinator_reductions(term, rules), None):
        head, arguments, after = reduction
        number += 1
        last = next(lambda_terms.combinator_reductions(after, rules), None) is None
        listed = " and ".join(map(lambda_terms.render, arguments))
        step = STEP(number=number, combinator=head, arguments=listed, term=LAST if last else lambda_terms.render(after))
        taken = yield step.accepting(partial(_is_reduction, rules, term, number))
        term = _reduce(rules, term, taken["combinator"], taken["arguments"], taken["term"])
    end = END(number=number, answer=solve(task))
    yield end.accepting(lambda number, answer, due=number: number == due and lambda_terms.parse(answer) == term)


def _is_reduction(rules: Rules, before: Any, due: int, /, number: int, combinator: str, arguments: str, term: str) -> bool:
    return number == due and _reduce(rules, before, combinator, arguments, term) is not None


def _reduce(rules: Rules, term: Any, combinator: str, arguments: str, written: str) -> Any:
    """What one use of a rule makes of a term; None where no use of that rule on these arguments makes what is written."""
    given, after = [lambda_terms.parse(part) for part in arguments.split(" and ")], lambda_terms.parse(written)
    for head, taken, result in lambda_terms.combinator_reductions(term, rules):
        if head == combinator and list(taken) == given:
            last = written == LAST and next(lambda_terms.combinator_reductions(result, rules), None) is None
            if last or result == after:
                return result
    return None


def _sample_task(rng: Rng, knobs: Knobs, drawn: Callable[[Rng, Knobs, Sequence[str]], Any]) -> Task[Data]:
    letters = sorted(rng.sample("abcdefghkmnp", knobs.constants))
    best: tuple[int, Data] | None = None
    tries = 0
    # Where rules that double nothing leave no long way, the longest of some terms is taken.
    while best is None or (best[0] < knobs.steps and tries < 80):
        tries += 1
        rules, names = _drawn_rules(rng, knobs)
        term = _rename(drawn(rng, knobs, letters), names)
        data = Data(rules=rules, term=lambda_terms.render(term), normal="")
        reduction = _reduction(data, 3 * knobs.steps + 2)
        if not reduction or lambda_terms.term_size(term) > 90:
            continue
        normal = reduction[-1][2]
        used = {name for name, _ in rules if name in data.term}
        if 3 <= lambda_terms.term_size(normal) <= 60 and lambda_terms.spine(normal)[0] in letters and len(used) > (knobs.steps > 2):
            candidate = data.model_copy(
                update={"normal": lambda_terms.render(normal), "rules": tuple(rule for rule in rules if rule[0] in used)}
            )
            best = max(best or (0, candidate), (len(reduction), candidate), key=lambda pair: pair[0])
    data = best[1]
    listing = "\n".join(f"{name} {rule}" for name, rule in data.rules)
    return Task(
        "Terms are written with single letters: M N is M applied to N, and L M N means (L M) N. A combinator (a capital letter) followed by as many "
        f"terms as its rule names is replaced, together with them, as the rule says, where x, y, z and w in the rule are any terms:\n{listing}\n\n"
        "A step replaces one combinator and its arguments anywhere in the term. A term to which no rule applies is in normal form; the small "
        f"letters stand for themselves.\n\nWhat is the normal form of this term?\n{data.term}",
        data,
    )


def _drawn_rules(rng: Rng, knobs: Knobs) -> tuple[tuple[tuple[str, str], ...], dict[str, str]]:
    """The rules, and the letter that stands for each of the known combinators."""
    known = SETS[knobs.rules]
    if knobs.rules != "invented":
        return tuple((name, KNOWN[name]) for name in known), {name: name for name in known}
    letters = rng.sample("DEFGHJLMNPQRTUVXYZ", len(known))
    rules = []
    for name, letter in zip(known, letters, strict=True):
        head, _, body = KNOWN[name].partition(" -> ")
        # The same kind of rule, but with its arguments in another order, so that the letter gives nothing away.
        order = rng.shuffled(head.split()) if name != "K" else head.split()
        swap = dict(zip(head.split(), order, strict=True))
        rules.append((letter, f"{head} -> {''.join(swap.get(sign, sign) for sign in body)}"))
    left = next(sign for sign in "ORTUVDE" if sign not in letters)
    body = rng.choice(("w (y x) z", "x (z w) y", "y w (x z)", "z (x w) y"))
    rules.append((left, f"x y z w -> {body}"))
    return tuple(sorted(rules)), dict(zip(known, letters, strict=True)) | {"A": left}


def _sample_term(rng: Rng, knobs: Knobs, letters: Sequence[str]) -> Any:
    signs = SETS[knobs.rules] + ("A" if knobs.rules == "invented" else "")
    weights = [1 if sign in "IK" else 3 for sign in signs]

    def term(size: int) -> Any:
        if size == 1:
            return rng.weighted(signs, weights) if rng.chance(0.5) else rng.choice(letters)
        head: Any = rng.weighted(signs, weights) if rng.chance(0.8) else rng.choice(letters)
        size_left = size - 1
        while size_left:
            part = rng.integer(1, max(1, min(size_left, size // 2)))
            head = (head, term(part))
            size_left -= part
        return head

    return term(4 + rng.integer(knobs.steps // 2, knobs.steps))


def _translate(rng: Rng, knobs: Knobs, letters: Sequence[str]) -> Any:
    """A random body over two or three variables, the variables taken out by bracket abstraction, and arguments for them."""
    few = knobs.rules == "few"
    names = "xy" if knobs.steps < 20 else "xyz"

    def body(size: int) -> Any:
        if size == 1:
            return rng.choice(names) if rng.chance(0.7) else rng.choice(letters)
        size_left = rng.integer(1, size - 1)
        return (body(size_left), body(size - size_left))

    def without(term: Any, name: str) -> Any:
        if term == name:
            return "I"
        if name not in lambda_terms.free_variables(term):
            return ("K", term)
        function, two = term
        if two == name and name not in lambda_terms.free_variables(function):
            return function
        if name not in lambda_terms.free_variables(function):
            return (("B", function), without(two, name))
        if name not in lambda_terms.free_variables(two):
            return (("C", without(function, name)), two)
        return (("S", without(function, name)), without(two, name))

    # Without S and C a variable can be taken out only where it stands once, at the right end.
    inner: Any = (rng.choice(letters), (rng.choice(letters), "x")) if few else body(2 + knobs.steps // 4)
    taken = "x" if few else names
    for name in reversed(taken):
        inner = without(inner, name)
    for _ in taken:
        inner = (
            inner,
            _sample_term(rng, Knobs.from_knobs({**knobs.model_dump(), "steps": max(1, knobs.steps // 8), "rules": "few"}), letters),
        )
    return (rng.choice(letters), inner) if rng.chance(0.4) else inner


def _rename(term: Any, names: dict[str, str]) -> Any:
    return names.get(term, term) if isinstance(term, str) else (_rename(term[0], names), _rename(term[1], names))


def _rules(data: Data) -> Rules:
    out = {}
    for name, rule in data.rules:
        head, _, body = rule.partition(" -> ")
        out[name] = (tuple(head.split()), lambda_terms.parse(body))
    return out


def _reduction(data: Data, most: int = 200) -> list[tuple[str, tuple[Any, ...], Any]]:
    """The steps to the normal form, the leftmost outermost one first; none where they are too many or a term is too large."""
    rules, term, out = _rules(data), lambda_terms.parse(data.term), list[tuple[str, tuple[Any, ...], Any]]()
    while step := next(lambda_terms.combinator_reductions(term, rules), None):
        term = step[2]
        out.append(step)
        if len(out) > most or lambda_terms.term_size(term) > 120:
            return []
    return out


environment = Environment(
    Knobs, Text("the normal form as one term on one line"), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, END),
    shared_helpers="The helper reads a term.",
    concept="Use the rule of the leftmost combinator that has enough arguments again and again; if there is a normal form, this way ends in it.",
    version=2,
)  # fmt: skip
