"""Stories that amount to linear equations: sentences by pattern, solved with sympy."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations

import sympy

from prompt_solvers.parsing import evaluate, problem

Pattern = tuple[str, str]


def compiled(patterns: Iterable[Pattern]) -> list[tuple[re.Pattern[str], str]]:
    """Patterns in which A, B and C stand for names, K and D for numbers and T for a thing, each with what is zero."""
    classes = {
        "A": r"(?P<a>\w+)",
        "B": r"(?P<b>\w+)",
        "C": r"(?P<c>\w+)",
        "K": r"(?P<k>\d+(?:/\d+)?)",
        "D": r"(?P<d>\d+)",
        "P": r"(?P<p>\d+)",
        "T": r"[a-z]+",
    }

    def expand(sentence: str) -> re.Pattern[str]:
        used: set[str] = set()

        def group(found: re.Match[str]) -> str:
            letter = found[0]
            if letter in used:
                return f"(?P={letter.lower()})"
            used.add(letter)
            return classes[letter]

        return re.compile(re.sub(r"\b[A-DKPT]\b", group, sentence) + "$")

    return [(expand(sentence), equation) for sentence, equation in patterns]


def read_equations(
    text: str, patterns: list[tuple[re.Pattern[str], str]], unknown: Iterable[re.Pattern[str]]
) -> tuple[list[sympy.Expr], list[str]]:
    """The equations of a text (expressions that are zero) and the sentences that match none of the patterns nor `unknown`."""
    equations, rest = [], []
    for sentence in re.split(r"(?<=[.?!])\s+", text):
        for pattern, equation in patterns:
            if found := pattern.match(sentence):
                values = {
                    letter: sympy.Rational(value) if letter in "kdp" else sympy.Symbol(value) for letter, value in found.groupdict().items()
                }
                equations.append(evaluate(equation, values, number=sympy.Integer))
                break
        else:
            if not any(pattern.match(sentence) for pattern in unknown):
                rest.append(sentence)
    return equations, rest


def value_of(target: sympy.Expr, equations: list[sympy.Expr]) -> str:
    """The value of an expression that the equations settle."""
    names = sorted(set().union(*(equation.free_symbols for equation in equations)), key=str)
    (solution,) = sympy.linsolve(equations, names)
    value = sympy.expand(target.subs(dict(zip(names, solution, strict=True))))
    assert not value.free_symbols, (target, value)
    return str(value)


def total_of(text: str) -> sympy.Expr:
    """The sum of a list of names, such as `Ann, Ben and Cleo` or `the figs and the nails`."""
    return sum((sympy.Symbol(name.removeprefix("the ")) for name in re.split(r", (?:and )?| and ", text)), sympy.Integer(0))


THINGS = compiled(
    [
        (r"(?:Somebody counted|One can see|The list shows|There are) D A\.", "a - d"),
        (r"D A (?:live there|are on the shelves)\.", "a - d"),
        (r"The number of A is D\.", "a - d"),
        (r"The A outnumber the B by D\.", "a - b - d"),
        (r"The number of A exceeds that of B by D\.", "a - b - d"),
        (r"There are D more A than B\.", "a - b - d"),
        (r"With D more B there would be as many B as A\.", "a - b - d"),
        (r"D more B would be needed to have as many B as A\.", "a - b - d"),
        (r"If D of the A were sold, as many A as B would be left\.", "a - b - d"),
        (r"The number of A falls short of that of B by D\.", "a - b + d"),
        (r"There are D fewer A than B\.", "a - b + d"),
        (r"Take D from the number of B to get the number of A\.", "a - b + d"),
        (r"There are K times as many A as B\.", "a - k*b"),
        (r"The number of A is K times that of B\.", "a - k*b"),
        (r"The number of A is K of that of B\.", "a - k*b"),
        (r"There are K as many A as B\.", "a - k*b"),
        (r"For each of the B there are exactly K A\.", "a - k*b"),
        (r"Multiplying the number of B by K gives the number of A\.", "a - k*b"),
        (r"Divide the number of B by K to get the number of A\.", "a*k - b"),
        (r"The number of A is that of B divided by K\.", "a*k - b"),
        (r"There are D more A than K times the number of B\.", "a - k*b - d"),
        (r"The number of A is D more than K times that of B\.", "a - k*b - d"),
        (r"Take K times the number of B and add D to get the number of A\.", "a - k*b - d"),
        (r"If D of the A were sold, there would be K times as many A as B\.", "a - k*b - d"),
        (r"There are D fewer A than K times the number of B\.", "a - k*b + d"),
        (r"The number of A is D less than K times that of B\.", "a - k*b + d"),
        (r"Take K times the number of B and subtract D to get the number of A\.", "a - k*b + d"),
        (r"With another D A, there would be K times as many A as B\.", "a - k*b + d"),
        (r"The number of A is the sum of the numbers of B and C\.", "a - b - c"),
        (r"There are as many A as B and C together\.", "a - b - c"),
        (r"Counting the B and the C together gives the number of A\.", "a - b - c"),
        (r"The B and the C taken together are as numerous as the A\.", "a - b - c"),
    ]
)
PEOPLE = compiled(
    [
        (r"(?:It is known that )?A has D T\.", "a - d"),
        (r"D T belong to A\.", "a - d"),
        (r"A owns D T\.", "a - d"),
        (r"In A's collection there are D T\.", "a - d"),
        (r"A counted: D T in all\.", "a - d"),
        (r"A has D more T than B\.", "a - b - d"),
        (r"A owns D T more than B does\.", "a - b - d"),
        (r"Compared with B, A has D extra T\.", "a - b - d"),
        (r"The number of A's T exceeds B's by D\.", "a - b - d"),
        (r"If B got D more T, B would have as many as A\.", "a - b - d"),
        (r"B would need D more T to have as many as A\.", "a - b - d"),
        (r"If A gave away D T, A would be left with as many as B\.", "a - b - d"),
        (r"A has D fewer T than B\.", "a - b + d"),
        (r"A owns D T fewer than B does\.", "a - b + d"),
        (r"Compared with B, A has D fewer T\.", "a - b + d"),
        (r"A is D T short of the number that B has\.", "a - b + d"),
        (r"Take D away from the number of B's T and you get the number of A's\.", "a - b + d"),
        (r"A has K times as many T as B\.", "a - k*b"),
        (r"A has K as many T as B\.", "a - k*b"),
        (r"A has K of the number of T that B has\.", "a - k*b"),
        (r"The number of A's T is K (?:times|of) the number of B's\.", "a - k*b"),
        (r"For every one of B's T, A has K\.", "a - k*b"),
        (r"Multiply the number of B's T by K to get the number of A's\.", "a - k*b"),
        (r"It would take K people with as many T as B to match A\.", "a - k*b"),
        (r"Dividing the number of B's T by K gives the number that A has\.", "a*k - b"),
        (r"Split B's T into K equal heaps: each is as large as all that A has\.", "a*k - b"),
        (r"A has D more than K times as many T as B\.", "a - k*b - d"),
        (r"The number of A's T is D above K times B's\.", "a - k*b - d"),
        (r"Take K times the number of B's T and add D: that is how many A has\.", "a - k*b - d"),
        (r"If B had K times as many T and then got another D [a-z]+, B would have as many as A\.", "a - k*b - d"),
        (r"A has D fewer than K times as many T as B\.", "a - k*b + d"),
        (r"The number of A's T is D below K times B's\.", "a - k*b + d"),
        (r"Take K times the number of B's T and subtract D: that is how many A has\.", "a - k*b + d"),
        (r"With another D T, A would have exactly K times as many as B\.", "a - k*b + d"),
        (r"A has as many T as B and C together\.", "a - b - c"),
        (r"Together, B and C have exactly as many T as A\.", "a - b - c"),
        (r"The number of A's T is the sum of B's and C's\.", "a - b - c"),
        (r"B and C would have to pool their T to equal A\.", "a - b - c"),
        (r"Put B's and C's T in one heap, and it is as large as A's\.", "a - b - c"),
    ]
)
LIST = r"(?P<list>(?:the )?\w+(?:(?:, | and )(?:the )?\w+)*)"
QUESTIONS = [
    (re.compile(pattern), kind)
    for pattern, kind in (
        (rf"Of {LIST}, how many are there in all\?$", "total"),
        (
            rf"(?:Find how many \w+|What is the total number of \w+ that|How many \w+ do) {LIST} have(?: between them| together)?[.?]$",
            "total",
        ),
        (rf"Counting {LIST} together, how many are there\?$", "total"),
        (rf"How many \w+ would there be if {LIST} put theirs together\?$", "total"),
        (rf"(?:Find the total number of|What is the sum of the numbers of) {LIST}[.?]$", "total"),
        (r"How many more (?P<a>[a-z]+) than (?P<b>[a-z]+) are there\?$", "more"),
        (r"How many more [a-z]+ does (?P<a>\w+) have than (?P<b>\w+)\?$", "more"),
        (r"By how many do the (?P<a>\w+) outnumber the (?P<b>\w+)\?$", "more"),
        (r"By how many \w+ is (?P<a>\w+) ahead of (?P<b>\w+)\?$", "more"),
        (r"How many of the (?P<a>\w+) would have to be sold so that as many \w+ as (?P<b>\w+) are left\?$", "more"),
        (r"How many \w+ would (?P<a>\w+) have to lose to have as many as (?P<b>\w+)\?$", "more"),
        (r"What is the difference between the number of (?P<a>\w+)'s \w+ and (?P<b>\w+)'s\?$", "more"),
        (r"What is the number of (?P<a>\w+) minus the number of (?P<b>\w+)\?$", "more"),
        (r"(?:How many|Work out how many) (?P<a>[a-z]+) (?:are there|there are)[.?]$", "one"),
        (r"How many \w+ (?:belong to|does) (?P<a>\w+)(?: have)?\?$", "one"),
        (r"Work out how many \w+ (?P<a>[A-Z]\w+) has\.$", "one"),
        (r"Find the number of \w+ that (?P<a>[A-Z]\w+) has\.$", "one"),
        (r"(?:Find|What is) the number of (?P<a>[A-Z]\w+)'s \w+[.?]$", "one"),
        (r"(?:Find|What is) the number of (?P<a>[a-z]+)[.?]$", "one"),
    )
]


def question_of(sentences: list[str]) -> sympy.Expr:
    """What the only sentence that is a question asks for; the other sentences only say who and where."""
    for sentence in sentences:
        for pattern, kind in QUESTIONS:
            if found := pattern.match(sentence):
                if kind == "total":
                    return total_of(found["list"])
                return sympy.Symbol(found["a"]) - (sympy.Symbol(found["b"]) if kind == "more" else 0)
    raise ValueError(sentences)


INTRODUCTIONS = [
    re.compile(pattern)
    for pattern in (
        r"[^\d]* (?:taking stock|what there is|in [A-Z]\w+|there is an? [a-z' -]+)\.$",
        r"(?:This is about|Here is what is known about|At a school in|Some friends in|Neighbours in|There was a swap of) [^\d]*\.$",
        r"In \w+, some people count their \w+\.$",
    )
]


GROUPS = [
    (re.compile(rf"Together, {LIST} have (?P<d>\d+) \w+\.$"), None),
    (re.compile(rf"{LIST} have (?P<d>\d+) \w+ between them\.$"), None),
    (re.compile(rf"The \w+ of {LIST} add up to (?P<d>\d+)\.$"), None),
    (re.compile(rf"Together, {LIST} have (?P<d>\d+) more \w+ than (?P<than>.*?)(?: together)?\.$"), "than"),
    (
        re.compile(rf"If {LIST} together gave away (?P<d>\d+) \w+, they would be left with as many as (?P<than>.*?)(?: together)?\.$"),
        "than",
    ),
    (re.compile(rf"The \w+ of {LIST} together outnumber those of (?P<than>.*) by (?P<d>\d+)\.$"), "than"),
]


def _solve_partly_true(text: str, true: int) -> str:
    """Numbers of which exactly so many sentences are true: any four sentences give the numbers of four people."""
    _, *lines, question = text.splitlines()
    equations = []
    for line in lines:
        sentence = re.sub(r"^\d+\. ", "", line)
        found, than = next((match, than) for pattern, than in GROUPS if (match := pattern.match(sentence)))
        equations.append(total_of(found["list"]) - int(found["d"]) - (total_of(found["than"]) if than else 0))
    names = sorted(set().union(*(equation.free_symbols for equation in equations)), key=str)
    rows = [[int(equation.coeff(name)) for name in names] + [int(equation.subs(dict.fromkeys(names, 0)))] for equation in equations]
    fitting = set()
    for chosen in combinations(rows, len(names)):
        matrix = sympy.Matrix([row[:-1] for row in chosen])
        if matrix.det() == 0:
            continue
        values = list(matrix.LUsolve(sympy.Matrix([-row[-1] for row in chosen])))
        holding = sum(sum(a * v for a, v in zip(row, values)) + row[-1] == 0 for row in rows)
        if holding == true and all(value.is_integer and value > 0 for value in values):
            fitting.add(tuple(map(int, values)))
    (numbers,) = fitting
    people = re.search(rf"do(?:es)? {LIST} have", question)
    assert people is not None
    return str(total_of(people["list"]).subs(dict(zip(names, numbers, strict=True))))


def solve_story(prompt: str) -> str:
    """The answer to a story about numbers of things or about how many things people have."""
    if counted := re.search(r"Exactly (\d+) of these \d+ sentences are true:", prompt):
        return _solve_partly_true(problem(prompt), int(counted[1]))
    equations, rest = read_equations(problem(prompt), PEOPLE + THINGS, INTRODUCTIONS)
    target = question_of(rest)
    assert len(rest) == 1, rest
    return value_of(target, equations)
