"""Word problems about numbers of things, shares and ages."""

from __future__ import annotations

import re

import sympy

from prompt_solvers.linear_stories import LIST, THINGS, compiled, read_equations, solve_story, total_of, value_of
from prompt_solvers.parsing import problem
from prompt_solvers.registry import prompt_solver

prompt_solver("word_problem_chain")(solve_story)

AHEAD = (r"In D years", r"After D more years", r"When D more years have passed", r"D years from now")
BACK = (r"D years ago", r"Exactly D years ago", r"D years before today", r"On this day D years ago")
AGES = compiled(
    [
        (r"A is D (?:years old|now)\.", "a - d"),
        (r"A turns D today\.", "a - d"),
        (r"A's age is D\.", "a - d"),
        (r"D is the age of A\.", "a - d"),
        (r"A is D years older than B\.", "a - b - d"),
        (r"A was D years old when B was born\.", "a - b - d"),
        (r"A turned D on the day when B was born\.", "a - b - d"),
        (r"A was born D years before B\.", "a - b - d"),
        (r"A and B were born D years apart, and A is the older of the two\.", "a - b - d"),
        (r"A is D years younger than B\.", "a - b + d"),
        (r"A is K times as old as B\.", "a - k*b"),
        (r"A's age is K times B's\.", "a - k*b"),
        (r"Divide A's age by K to get B's\.", "a - k*b"),
        (r"Multiply B's age by K to get A's\.", "a - k*b"),
        *((rf"{when}, A will be K times as old as B will be then\.", "a + d - k*(b + d)") for when in AHEAD),
        *((rf"{when}, A's age will be K times B's at that time\.", "a + d - k*(b + d)") for when in AHEAD),
        *((rf"{when}, A was K times as old as B was then\.", "a - d - k*(b - d)") for when in BACK),
        *((rf"{when}, A's age was K times B's at that time\.", "a - d - k*(b - d)") for when in BACK),
        *((rf"{when}, A will be K times as old as B was P years ago\.", "a + d - k*(b - p)") for when in AHEAD),
        (r"A's age D years from now will be K times B's age P years ago\.", "a + d - k*(b - p)"),
        (r"Multiply B's age P years ago by K to get A's age in D years\.", "a + d - k*(b - p)"),
        (r"P years ago, B's age was K of what A's will be in D years\.", "k*(a + d) - (b - p)"),
        (r"A is as old as B and C together\.", "a - b - c"),
        (r"A's age is the sum of B's and C's\.", "a - b - c"),
        (r"Add the ages of B and C to get A's\.", "a - b - c"),
        (r"Together, B and C have lived as many years as A\.", "a - b - c"),
    ]
)
AGE_INTRODUCTIONS = [re.compile(r"[^\d]*birthday today\.$")]
AGE_TOTALS = (
    rf"(?P<d>\d+) is the sum of the ages of {LIST}\.",
    rf"If you add the ages of {LIST}, you get (?P<d>\d+)\.",
    rf"{LIST} have lived (?P<d>\d+) years in all\.",
    rf"The ages of {LIST} add up to (?P<d>\d+)\.",
    rf"Together, {LIST} are (?P<d>\d+) years old\.",
)
AGE_QUESTIONS = (
    r"Find (?P<a>\w+)'s age\.",
    r"What is (?P<a>\w+)'s age\?",
    r"How old is (?P<a>\w+)(?: now)?\?",
    r"Work out how old (?P<a>\w+) is\.",
    r"Find out how old (?P<a>\w+) will be in (?P<d>\d+) years\.",
    r"How old will (?P<a>\w+) be in (?P<d>\d+) years\?",
    r"What will (?P<a>\w+)'s age be (?P<d>\d+) years from now\?",
    r"What age will (?P<a>\w+) reach in (?P<d>\d+) years\?",
    r"(?P<d>\d+) years from today, how old will (?P<a>\w+) be\?",
)


def totals(sentences: list[str], patterns: tuple[str, ...]) -> tuple[list[sympy.Expr], list[str]]:
    """The equations of sentences that give the sum of a list, and the other sentences."""
    equations, rest = [], []
    for sentence in sentences:
        for pattern in patterns:
            if found := re.fullmatch(pattern, sentence):
                equations.append(total_of(found["list"]) - int(found["d"]))
                break
        else:
            rest.append(sentence)
    return equations, rest


@prompt_solver("word_problem_ages")
def solve_word_problem_ages(prompt: str) -> str:
    equations, rest = read_equations(problem(prompt), AGES, AGE_INTRODUCTIONS)
    more, rest = totals(rest, AGE_TOTALS)
    (question,) = rest
    found = next(match for pattern in AGE_QUESTIONS if (match := re.fullmatch(pattern, question)))
    return value_of(sympy.Symbol(found["a"]) + int(found.groupdict().get("d") or 0), equations + more)


@prompt_solver("leg_counting")
def solve_leg_counting(prompt: str) -> str:
    text = problem(prompt)
    kinds = r"[Ll]egs of one animal(?: of each kind| each)|how many legs one of each kind has|one of each kind has this many(?: legs)?"
    lists = re.search(rf"(?:{kinds}): ([^.)]*)", text)
    assert lists is not None
    legs = {name: int(count) for name, count in re.findall(r"([a-z]+) (\d+)", lists[1])}
    equations, rest = read_equations(text.replace("(Legs of", "Legs of").replace(".)", "."), THINGS, [])
    animals = sum(sympy.Symbol(name) for name in legs)
    all_legs = sum(count * sympy.Symbol(name) for name, count in legs.items())
    target = None
    for sentence in rest:
        number = re.search(r"\d+", sentence)
        if lists[1] in sentence:
            continue
        if number and re.search(r"\blegs\b", sentence):
            equations.append(all_legs - int(number[0]))
        elif re.search(r"how many legs|[Hh]ow many legs|number of legs", sentence):
            target = all_legs
        elif re.search(r"ow many animals|number of animals|How many heads", sentence):
            target = animals
        elif found := re.fullmatch(
            r"(?:How many|Work out how many|Find the number of|What is the number of) ([a-z]+)(?: are there| there are)?[.?]", sentence
        ):
            target = sympy.Symbol(found[1])
        else:
            assert all(name in sentence for name in legs), sentence
    assert target is not None
    return value_of(target, equations)


SHARES = compiled(
    [
        (r"A (?:gets|goes home with) D T\.", "a - d"),
        (r"D T go to A\.", "a - d"),
        (r"A receives D of the T\.", "a - d"),
        (r"A's share is D T\.", "a - d"),
        (r"A gets D more T than B\.", "a - b - d"),
        (r"A is ahead of B by D T\.", "a - b - d"),
        (r"With D more, B would have as many T as A\.", "a - b - d"),
        (r"The difference between the shares of A and B is D T, in favour of A\.", "a - b - d"),
        (r"B's share is D T smaller than A's\.", "a - b - d"),
        (r"A gets K times as many T as B\.", "a - k*b"),
        (r"A's share is K times B's\.", "a - k*b"),
        (r"A gets K of what B gets\.", "a - k*b"),
        (r"Dividing B's share by K gives A's\.", "a*k - b"),
        (r"A's share is to B's as P is to D\.", "a*d - p*b"),
        (r"The shares of A and B are in the ratio P : D\.", "a*d - p*b"),
        (r"For every P T that A gets, B gets D\.", "a*d - p*b"),
        (r"Each time A takes P of the T, B takes D, until both have their whole share\.", "a*d - p*b"),
        (r"D times A's share equals P times B's\.", "a*d - p*b"),
    ]
)


def solve_packages(text: str) -> str:
    """For each size of a part from the largest on, gives the packages one by one to whom they still fit, or leaves them behind."""
    ratio = [int(n) for n in re.search(r"ratio (\d+) : (\d+) : (\d+)", text).groups()]
    sizes = [int(n) for n in re.findall(r"\d+", re.search(r"((?:\d+, )+\d+ and \d+)", text)[1])]
    names = re.search(r"([A-Z]\w+), ([A-Z]\w+) and ([A-Z]\w+) (?:find|may take|take) ", text).groups()
    asked = re.search(r"(?:that|does|can) ([A-Z]\w+) (?:can )?(?:get|have)\b", text)[1]
    for part in range(sum(sizes) // sum(ratio), 0, -1):
        rooms = {(*(part * share for share in ratio), sum(sizes) - part * sum(ratio))}
        for size in sorted(sizes, reverse=True):
            rooms = {(*room[:k], room[k] - size, *room[k + 1 :]) for room in rooms for k in range(4) if room[k] >= size}
        if rooms:
            return str(part * ratio[names.index(asked)])
    raise AssertionError(text)


@prompt_solver("ratio_split")
def solve_ratio_split(prompt: str) -> str:
    if re.search(r"packages|sealed boxes|bags", problem(prompt)):
        return solve_packages(problem(prompt))
    equations, rest = read_equations(problem(prompt), SHARES, [])
    people = sum(set().union(*(equation.free_symbols for equation in equations)))
    target = None
    for sentence in rest:
        number = re.search(r"\d+", sentence)
        if number:
            assert re.search(r"shared|in all|make|split|given away|number", sentence), sentence
            equations.append(people - int(number[0]))
        elif re.match(r"Find|How|What|Work out", sentence):
            names = re.findall(r"\b(?!Find|How|What|Work)[A-Z][a-z]+", sentence)
            target = sum(map(sympy.Symbol, names))
        else:
            assert all(str(name) in sentence for name in people.free_symbols), sentence
    assert target is not None
    return value_of(target, equations)
