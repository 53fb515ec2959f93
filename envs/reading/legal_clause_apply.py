"""Find the clause that decides each of several cases, in a statute with definitions, exceptions to exceptions and dates.

Clauses are in force from a day to a day; an exception to a clause decides in its place, unless an exception to the exception applies.
"""

from collections.abc import Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.facts import Bank, Said, numbered_list, sentences
from rlgym.solutions import Derivation, Solution, Step

GOES = Step("Case {case}: clause {of} applies, and so does its exception, clause {by}.")
STAYS = Step("Case {case}: no exception to clause {of} applies.")
CLAUSES = Bank("""
duty: Whoever runs a boat on the lake needs a licence.
except: By way of exception to clause {of}, the owner of a {name} boat {needs_words} a licence{dates_words}.
except: Clause {of} notwithstanding, the owner of a {name} boat {needs_words} a licence{dates_words}.
except: As an exception to clause {of}, the owner of a {name} boat {needs_words} a licence{dates_words}.
except: In departure from clause {of}, the owner of a {name} boat {needs_words} a licence{dates_words}.
always: By way of exception to clause {of}, the owner of a {name} boat {needs_words} a licence.
always: Clause {of} notwithstanding, the owner of a {name} boat {needs_words} a licence.
always: As an exception to clause {of}, the owner of a {name} boat {needs_words} a licence.
always: In departure from clause {of}, the owner of a {name} boat {needs_words} a licence.
""")
DEFINED = Bank("""
short: A {name} boat is a boat shorter than {number} metres. | Boats of less than {number} metres are {name} boats.
long: A {name} boat is a boat longer than {number} metres. | Boats of more than {number} metres are {name} boats.
crew: A {name} boat is a boat with more than {number} people on board. | Boats that carry more than {number} people are {name} boats.
few: A {name} boat is a boat with fewer than {number} people on board. | Boats that carry fewer than {number} people are {name} boats.
old: A {name} boat is a boat built before the year {number}. | Boats built before the year {number} are {name} boats.
new: A {name} boat is a boat built after the year {number}. | Boats built after the year {number} are {name} boats.
both: A {name} boat is a boat that is both a {one} boat and a {other} boat.
both: Boats that are {one} as well as {other} boats are {name} boats.
either: A {name} boat is a {one} boat, a {other} boat, or both. | Both {one} boats and {other} boats are {name} boats.
not: A {name} boat is a boat that is not a {one} boat. | All boats but {one} boats are {name} boats.
""")
CASES = Bank("""
case: On day {day}: a boat of {length} metres, built in {built}, {people} people on board
case: Day {day}; {people} people in a boat of {built}, {length} metres long
case: A boat built in {built}, {length} metres long, with {people} people, on day {day}
case: {people} people on day {day} in a boat of {length} metres, built in {built}
""")
NAMES = "light heavy plain grand common special covered noted free bound listed marked".split()


class Knobs(Config):
    clauses: int = knob(8, easy=5, hard=28, doc="clauses of the statute", scale="log")
    cases: int = knob(4, easy=3, hard=8, doc="cases to decide")
    drafting: str = knob(
        "dated",
        easy="plain",
        hard="defined",
        order=("plain", "dated", "defined"),
        doc="whether clauses have dates, and definitions build on definitions",
    )


class Definition(TaskData):
    kind: str
    name: str
    number: int = 0
    one: str = ""
    other: str = ""


class Clause(TaskData):
    of: int
    name: str
    since: int = 0
    until: int = 10**6


class Case(TaskData):
    day: int
    length: int
    built: int
    people: int


class Data(TaskData):
    definitions: tuple[Definition, ...]
    clauses: tuple[Clause, ...]
    cases: tuple[Case, ...]
    deciding: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, deep=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Few exceptions to each clause, but exceptions to exceptions in long chains."""
    return _sample_task(rng, knobs, deep=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads the prompt; from the last clause to the first it is asked whether a clause and all that it is an exception to apply undisturbed.
    _, defined, statute, cases, *_ = task.prompt.split("\n\n")
    meanings = {clause.gaps["name"]: clause for line in defined.split("\n") if (clause := DEFINED.read(line))}
    clauses = {}
    for at, text in sentences(statute).items():
        if (clause := CLAUSES.read(text)) and clause.kind != "duty":
            words = clause.gaps.get("dates_words", "").split()
            days = [int(word) for word in words if word.isdigit()]
            since = days[0] if "from" in words else 0
            until = days[-1] if "to" in words or "until" in words else 10**6
            clauses[at] = int(clause.gaps["of"]), clause.gaps["name"], since, until
    out = []
    for text in sentences(cases).values():
        clause = CASES.read(text)
        assert clause
        case = {name: int(what) for name, what in clause.gaps.items()}
        applies = {
            at
            for at, (_, name, since, until) in clauses.items()
            if since <= case["day"] <= until and _meets_definition(meanings, name, case)
        }
        by = 1
        while True:
            nexts = [at for at in sorted(applies) if clauses[at][0] == by]
            if not nexts:
                break
            by = nexts[0]
        out.append(by)
    return tuple(out)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.deciding):
        return Score.wrong(f"the answer must be {len(task.data.deciding)} numbers")
    wrong = next((at for at, (first, second) in enumerate(zip(answer, task.data.deciding), 1) if first != second), None)
    return Score.exact(wrong is None, f"another clause decides case {wrong}")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    last = [max([at for at in range(2, len(data.clauses) + 1) if _applies(data, at, case)], default=1) for case in data.cases]
    first = [next((at for at in range(2, len(data.clauses) + 1) if _applies(data, at, case)), 1) for case in data.cases]
    return [tuple(last), tuple(first), (1,) * len(right), right[::-1], right[:-1], (*right[:-1], right[-1] % len(data.clauses) + 1)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.cases) * (2 * len(data.clauses) + 3 * len(data.definitions)) + 5 * sum(map(bool, data.deciding)))


def derive(task: Task[Data]) -> Derivation:
    for number, case in enumerate(task.data.cases, 1):
        path = _exception_path(task.data, case)
        for clause, exception in pairwise(path):
            yield GOES(case=number, of=clause, by=exception)
        yield STAYS(case=number, of=path[-1])


def _meets_definition(meanings: dict[str, Said], name: str, case: dict[str, int]) -> bool:
    kind, gaps = meanings[name]
    if kind in ("both", "either"):
        parts = [_meets_definition(meanings, gaps["one"], case), _meets_definition(meanings, gaps["other"], case)]
        return all(parts) if kind == "both" else any(parts)
    if kind == "not":
        return not _meets_definition(meanings, gaps["one"], case)
    what = case[{"short": "length", "long": "length", "crew": "people", "few": "people", "old": "built", "new": "built"}[kind]]
    return what < int(gaps["number"]) if kind in ("short", "few", "old") else what > int(gaps["number"])


def _is(definitions: Sequence[Definition], name: str, case: Case) -> bool:
    one = next(definition for definition in definitions if definition.name == name)
    match one.kind:
        case "both":
            return _is(definitions, one.one, case) and _is(definitions, one.other, case)
        case "either":
            return _is(definitions, one.one, case) or _is(definitions, one.other, case)
        case "not":
            return not _is(definitions, one.one, case)
        case "short":
            return case.length < one.number
        case "long":
            return case.length > one.number
        case "crew":
            return case.people > one.number
        case "few":
            return case.people < one.number
        case "old":
            return case.built < one.number
    return case.built > one.number


def _applies(data: Data, at: int, case: Case) -> bool:
    clause = data.clauses[at - 1]
    return clause.since <= case.day <= clause.until and _is(data.definitions, clause.name, case)


def _exception_path(data: Data, case: Case) -> list[int]:
    """The clauses that lead to the deciding one, from clause 1 on."""
    path = [1]
    while True:
        nexts = (at for at, clause in enumerate(data.clauses, 1) if at > 1 and clause.of == path[-1] and _applies(data, at, case))
        by = next(nexts, None)
        if by is None:
            return path
        path.append(by)


def _definitions(rng: Rng, knobs: Knobs) -> tuple[Definition, ...]:
    names = rng.sample(NAMES, {"plain": 4, "dated": 5, "defined": 9}[knobs.drafting])
    bounds = {"short": (5, 12), "long": (6, 14), "crew": (3, 7), "few": (4, 8), "old": (1950, 1985), "new": (1960, 1990)}
    out = list[Definition]()
    for k, name in enumerate(names):
        if k < 4 or (knobs.drafting == "dated" and k < 5):
            kind = rng.choice(list(bounds))
            out.append(Definition(kind=kind, name=name, number=rng.integer(*bounds[kind])))
        else:
            kind = rng.choice(("both", "either", "not"))
            first, second = rng.sample([before.name for before in out], 2)
            out.append(Definition(kind=kind, name=name, one=first, other=second if kind != "not" else ""))
    return tuple(out)


def _sample_task(rng: Rng, knobs: Knobs, deep: bool) -> Task[Data]:
    while True:
        definitions = _definitions(rng, knobs)
        clauses = [Clause(of=0, name="")]
        for at in range(2, knobs.clauses + 1):
            of = rng.integer(max(1, at - 3), at - 1) if deep else rng.integer(1, at - 1)
            days = {}
            if knobs.drafting != "plain":
                since = rng.integer(10, 60)
                days = rng.choice(({}, {"since": since}, {"until": since}, {"since": since, "until": since + rng.integer(10, 40)}))
            names = [definition.name for definition in definitions if definition.name != clauses[of - 1].name]
            clauses.append(Clause(of=of, name=rng.choice(names), **days))
        data = Data(definitions=definitions, clauses=tuple(clauses), cases=(), deciding=())
        tried = [
            Case(day=rng.integer(1, 99), length=rng.integer(3, 16), built=rng.integer(1940, 1999), people=rng.integer(2, 10))
            for _ in range(6 * knobs.cases)
        ]
        ways = {case: _exception_path(data, case) for case in tried}
        cases = rng.shuffled(_separating_cases(tried, ways, knobs.cases))
        deciding = tuple(ways[case][-1] for case in cases)
        if len(set(deciding)) >= min((knobs.cases + 1) // 2, 1 + knobs.clauses // 3):
            break
    depth = {1: 0}
    for at, clause in enumerate(clauses[1:], 2):
        depth[at] = depth[clause.of] + 1
    clause_texts = [CLAUSES.say(rng, "duty")]
    for at, clause in enumerate(clauses[1:], 2):
        needs = "needs" if depth[at] % 2 == 0 else "does not need"
        dates = _dates(clause)
        said = "except" if dates else "always"
        clause_texts.append(CLAUSES.say(rng, said, of=clause.of, name=clause.name, needs_words=needs, dates_words=dates))
    definition_texts = [
        DEFINED.say(rng, definition.kind, name=definition.name, number=definition.number, one=definition.one, other=definition.other)
        for definition in definitions
    ]
    defined = "\n".join(rng.shuffled(definition_texts))
    listed = numbered_list(CASES.say(rng, "case", **case.model_dump()) for case in cases)
    dated = any(clause.since or clause.until < 10**6 for clause in clauses)
    within = " and, where the exception names days, the case falls within them (the named days included)" if dated else ""
    prompt = (
        "For each case, start with clause 1 of this statute as the current clause. An exception to a clause applies to a case if the boat is of the "
        "kind that the exception names"
        f"{within}. If one or more exceptions to the current clause apply to the case, the one with the "
        "lowest number becomes the current clause, and then the exceptions to that one are considered in the same way. When none applies, the current "
        f"clause decides the case.\n\n{defined}\n\n{numbered_list(clause_texts)}\n\nThe cases:\n{listed}\n\n"
        "Which clause decides each case? Give the numbers of the clauses in the order of the cases."
    )
    return Task(prompt, data.model_copy(update={"cases": tuple(cases), "deciding": deciding}))


def _separating_cases(tried: Sequence[Case], ways: dict[Case, list[int]], count: int) -> list[Case]:
    """Cases that different clauses decide, those first that take longest."""
    cases = list[Case]()
    seen = list[int]()

    def rank(case: Case) -> tuple[int, int]:
        return seen.count(ways[case][-1]), -len(ways[case])

    while len(cases) < count:
        cases.append(min((case for case in tried if case not in cases), key=rank))
        seen.append(ways[cases[-1]][-1])
    return cases


def _dates(clause: Clause) -> str:
    if clause.since and clause.until < 10**6:
        return f" from day {clause.since} to day {clause.until}"
    if clause.since:
        return f" from day {clause.since} on"
    return f" until day {clause.until}" if clause.until < 10**6 else ""


environment = Environment(
    Knobs, Numbers("the numbers of the clauses in this order, separated by commas", max_items=40), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Start every case at clause 1 and go down from exception to exception, checking days and definitions, until none applies.",
    version=5,
)  # fmt: skip
