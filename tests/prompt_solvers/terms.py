"""Terms: unification, combinators, lambda calculus and its types."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver

Term = Any


def read_term(text: str) -> Term:
    """A term such as f(x, g(a)): a word, or a tuple of a function and its arguments."""
    tokens = re.findall(r"[(),]|\w+", text)

    def term() -> Term:
        name = tokens.pop(0)
        if not tokens or tokens[0] != "(":
            return name
        arguments = []
        while tokens.pop(0) != ")":
            arguments.append(term())
        return (name, *arguments)

    return term()


def show_term(term: Term) -> str:
    """The text of a term."""
    return term if isinstance(term, str) else f"{term[0]}({', '.join(map(show_term, term[1:]))})"


def substituted(term: Term, bound: dict[str, Term]) -> Term:
    """A term with all its variables replaced, as far as they are bound."""
    if isinstance(term, str):
        return substituted(bound[term], bound) if term in bound else term
    return (term[0], *[substituted(part, bound) for part in term[1:]])


def unify(one: Term, other: Term, variables: set[str], bound: dict[str, Term]) -> bool:
    """Binds variables so that two terms become the same."""
    one, other = substituted(one, bound), substituted(other, bound)
    if one == other:
        return True
    if isinstance(one, str) and one in variables:
        if re.search(rf"\b{re.escape(one)}\b", show_term(other)):
            return False
        bound[one] = other
        return True
    if isinstance(other, str) and other in variables:
        return unify(other, one, variables, bound)
    if isinstance(one, str) or isinstance(other, str) or one[0] != other[0] or len(one) != len(other):
        return False
    return all(unify(first, second, variables, bound) for first, second in zip(one[1:], other[1:], strict=True))


@prompt_solver("unification")
def solve_unification(prompt: str) -> str:
    names = re.split(r", | and ", between(prompt, "The letters ", " are variables"))
    bound: dict[str, Term] = {}
    for one, other in re.findall(r"^(?:\d+\. )?(\w\(.*\)) and (\w\(.*\))$", prompt, re.MULTILINE):
        assert unify(read_term(one), read_term(other), set(names), bound)
    return "\n".join(f"{name} = {show_term(substituted(name, bound))}" for name in names)


def read_application(text: str) -> Term:
    """A term of the lambda calculus: a name, ("\\\\", name, body) or (function, argument)."""
    tokens = re.findall(r"\\|\.|[()=]|\w+", text)

    def expression() -> Term:
        found = None
        while tokens and tokens[0] not in (")", "in"):
            token = tokens.pop(0)
            if token == "\\":
                name = tokens.pop(0)
                assert tokens.pop(0) == "."
                part: Term = ("\\", name, expression())
            elif token == "let":
                name = tokens.pop(0)
                assert tokens.pop(0) == "="
                value = expression()
                assert tokens.pop(0) == "in"
                part = ("let", name, value, expression())
            elif token == "(":
                part = expression()
                tokens.pop(0)
            else:
                part = token
            found = part if found is None else (found, part)
        return found

    return expression()


def show_application(term: Term) -> str:
    """The text of an application without lambdas."""
    if isinstance(term, str):
        return term
    argument = show_application(term[1])
    return f"{show_application(term[0])} {argument if isinstance(term[1], str) else f'({argument})'}"


@prompt_solver("ski_normal_form")
def solve_combinators(prompt: str) -> str:
    rules = {}
    for name, parameters, result in re.findall(r"^([A-Z])((?: [xyzw])+) -> (.*)$", prompt, re.MULTILINE):
        rules[name] = (parameters.split(), read_application(result))
    start = re.search(r"normal form of this term\?\n(.*)", prompt)
    assert start

    def replaced(term: Term, values: dict[str, Term]) -> Term:
        return values[term] if isinstance(term, str) else (replaced(term[0], values), replaced(term[1], values))

    def reduced(term: Term) -> Term:
        while True:
            head, arguments = term, []
            while not isinstance(head, str):
                head, arguments = head[0], [head[1], *arguments]
            if head not in rules or len(arguments) < len(rules[head][0]):
                break
            parameters, result = rules[head]
            term = replaced(result, dict(zip(parameters, arguments, strict=False)))
            for argument in arguments[len(parameters) :]:
                term = (term, argument)
        for argument in arguments:
            head = (head, reduced(argument))
        return head

    return show_application(reduced(read_application(start[1])))


def evaluated(term: Term, values: dict[str, Any]) -> Any:
    """Normalisation by evaluation: a function for a lambda, or the text and whether it is a single name for all else."""
    if isinstance(term, str):
        return values.get(term, term)
    if term[0] == "\\":
        return lambda argument: evaluated(term[2], {**values, term[1]: argument})
    function = evaluated(term[0], values)
    # An argument is evaluated only where it is used, so that reduction is in normal order.
    memo: list[Any] = []

    def argument() -> Any:
        if not memo:
            memo.append(forced(evaluated(term[1], values)))
        return memo[0]

    function = forced(function)
    return function(Later(argument)) if callable(function) else (function, Later(argument))


class Later:
    """A lazy value: computed when it is first needed."""

    def __init__(self, compute: Any) -> None:
        self.compute = compute


def forced(value: Any) -> Any:
    """The value itself."""
    while isinstance(value, Later):
        value = value.compute()
    return value


def quoted(value: Any, names: Any) -> tuple[str, str]:
    """The text of a value, and whether it is an atom, an application or a function."""
    value = forced(value)
    if isinstance(value, str):
        return value, "atom"
    if callable(value):
        name = f"v{next(names)}"
        return f"\\{name}. {quoted(value(name), names)[0]}", "function"
    (left, left_kind), (right, right_kind) = quoted(value[0], names), quoted(value[1], names)
    return f"{f'({left})' if left_kind == 'function' else left} {right if right_kind == 'atom' else f'({right})'}", "application"


@prompt_solver("lambda_reduce")
def solve_lambda_reduce(prompt: str) -> str:
    start = re.search(r"\n(.*)\n\nWhat is its normal form", prompt)
    assert start
    return quoted(evaluated(read_application(start[1]), {}), count(1))[0]
