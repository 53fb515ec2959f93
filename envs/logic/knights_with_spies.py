"""Find out who always tells the truth, who always lies and who is a spy that may do either, from what each of them says.

The prompt gives the number of each kind. A task is kept only if exactly one assignment fits, counted over all of them at once.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.logic.spy_statements import KINDS, Statement, is_true, plural, possible_worlds, render_statement
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

Pairs = tuple[tuple[str, str], ...]
SAID = {"simple": ("is", "is", "same"), "joined": ("is", "same", "and", "or"), "nested": ("same", "or", "if", "iff", "count")}
CASE = Step("Case {case}: {found}")
FINE = "nothing said so far is against it"
OUT = Step("what {name} says would be {truth}, which a {kind} does not say")
MANY = Step("these are too many of the kind {kind}")
END = Step("Everything fits, so the kinds are\n{answer}")


class Knobs(Config):
    people: int = knob(5, easy=3, hard=9, doc="how many people there are")
    statements: str = knob("joined", easy="simple", hard="nested", order=tuple(SAID), doc="what kinds of statements are made")
    spies: int = knob(1, easy=1, hard=3, doc="most spies there are")


class Data(TaskData):
    names: tuple[str, ...]
    counts: tuple[int, int, int]
    said: tuple[tuple[Statement, ...], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ring=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Everybody says two things, and only of the people next to them in a circle."""
    return _sample_task(rng, knobs, ring=True)


def solve(task: Task[Data]) -> Pairs:
    return _answer(task.data, _backtrack(task.data, []))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data, given = task.data, dict(answer)
    if set(given) != {name.lower() for name in data.names}:
        return Score.wrong("exactly the people named must each be called a knight, a knave or a spy")
    if any(value not in KINDS for value in given.values()):
        return Score.wrong("everybody is either a knight, a knave or a spy")
    kinds = [KINDS.index(given[name.lower()]) for name in data.names]
    if tuple(kinds.count(kind) for kind in range(3)) != data.counts:
        return Score.wrong("the numbers of knights, knaves and spies are not as told")
    for i, statements in enumerate(data.said):
        if any(kinds[i] == int(is_true(statement, kinds)) for statement in statements):
            return Score.wrong(f"what {data.names[i]} says does not fit")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    (first, kind), *rest = right
    kinds = [kind for _, kind in right]
    turned = dict(zip(KINDS, (*KINDS[1:], KINDS[0]), strict=True))
    swapped = {"knight": "knave", "knave": "knight", "spy": "spy"}
    return [
        ((first, turned[kind]), *rest),
        tuple((name, other) for (name, _), other in zip(right, [*kinds[1:], kinds[0]], strict=True)),
        tuple((name, turned[kind]) for name, kind in right),
        tuple((name, swapped[kind]) for name, kind in right),
        tuple((name, "spy") for name, _ in right),
    ]


def cost(task: Task[Data]) -> float:
    size = sum(len(statement.people) + 1 for statements in task.data.said for statement in statements)
    return float(len(possible_worlds(task.data.counts)[0]) ** 0.5 * size)


def derive(task: Task[Data]) -> Derivation:
    steps: list[Due] = []
    kinds = _backtrack(task.data, steps)
    yield from in_order(steps)
    yield END(answer=environment.answer.render(_answer(task.data, kinds)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    place = {name: i for i, name in enumerate(data.names)}
    open_cases: list[list[tuple[int, int]]] = [[]]  # the cases to be looked at next, the last one first

    def divide(case: list[tuple[int, int]]) -> bool:
        """Makes a case the one that is due, where it may be."""
        if not open_cases or case == open_cases[-1]:
            return bool(open_cases)
        # Only a case that was just found fine is divided, by the kinds of one more person.
        if case[:-1] != open_cases[-1] or case[-1][1] != 0 or case[-1][0] in dict(case[:-1]):
            return False
        open_cases[-1:] = [[*case[:-1], (case[-1][0], kind)] for kind in (2, 1, 0)]
        return True

    def is_against(settled: dict[int, int], found: str) -> bool:
        """Whether the reason against a case is so."""
        if many := MANY.read(found):
            kind = KINDS.index(many["kind"])
            return list(settled.values()).count(kind) > data.counts[kind]
        out = OUT.read(found)
        if out is None or out["truth"] not in ("true", "false"):
            return False
        who, says = place[out["name"]], out["truth"] == "true"
        broken = [s for s in data.said[who] if all(i in settled for i in s.people) and is_true(s, _kinds(data, settled)) == says]
        return settled[who] == KINDS.index(out["kind"]) == int(says) and bool(broken)

    def is_case(case: str, found: str) -> bool:
        words = [part.split(" a ") for part in case.split(", ")]
        chosen = [(place[name], KINDS.index(kind)) for name, kind in words]
        if not divide(chosen):
            return False
        if found == FINE:
            return _refute(data, dict(chosen)) is None
        if not is_against(dict(chosen), found):
            return False
        open_cases.pop()
        return True

    def fits(answer: str) -> bool:
        case = open_cases[-1] if open_cases else []
        return {data.names[i].lower(): KINDS[kind] for i, kind in case} == dict(environment.answer.parse(answer))

    return {CASE: is_case, END: fits}


def _sample_task(rng: Rng, knobs: Knobs, ring: bool) -> Task[Data]:
    count = knobs.people
    spies = rng.integer(1, min(knobs.spies, count // 3))
    knights = rng.integer(max(1, (count - spies) // 3), count - spies - 1)
    counts = (knights, count - spies - knights, spies)
    names = tuple(rng.sample(PEOPLE, count))
    kinds = rng.shuffled([kind for kind in range(3) for _ in range(counts[kind])])
    worlds, atoms = possible_worlds(counts)
    statements: list[list[Statement]] = [[_statement(rng, i, kinds, knobs, ring) for _ in range(1 + ring)] for i in range(count)]
    fits = [_fits(i, statements[i], atoms, len(worlds)) for i in range(count)]
    tries = 0
    while True:
        world_count = _both_statements(fits, len(worlds)).bit_count()
        if world_count == 1:
            break
        tries += 1
        i = rng.integer(0, count - 1)
        if kinds[i] == 2 and rng.chance(0.7):
            continue
        new = [*statements[i][:ring], _statement(rng, i, kinds, knobs, ring)]
        if tries > 40 * count:
            # With a person who says more, one assignment is left sooner or later.
            new = [*statements[i], new[-1]]
            if len(new) > 4 + ring:
                continue
        now = [*fits[:i], _fits(i, new, atoms, len(worlds)), *fits[i + 1 :]]
        if _both_statements(now, len(worlds)).bit_count() <= world_count or rng.chance(0.05):
            statements[i], fits = new, now
    data = Data(
        names=names,
        counts=counts,
        said=tuple(tuple({render_statement(statement, names): statement for statement in own}.values()) for own in statements),
    )
    listing = "\n".join(f'{names[i]} says: "{render_statement(statement, names)}"' for i in range(count) for statement in data.said[i])
    meant = ' "If ..., then ..." is false only when its first part is true and its second part is false.' if '"If ' in listing else ""
    count_text = [f"{number} {plural(kind, number)}" for kind, number in zip(KINDS, counts, strict=True)]
    return Task(
        f"Each of {', '.join(names[:-1])} and {names[-1]} is a knight, a knave or a spy. Everything a knight says is true, everything a knave says "
        f"is false, and what a spy says may be true or false. Among them there are exactly {count_text[0]}, {count_text[1]} and "
        f"{count_text[2]}.{meant}\n{listing}\n\n"
        "Who is what?",
        data,
    )


def _statement(rng: Rng, speaker: int, kinds: list[int], knobs: Knobs, ring: bool) -> Statement:
    """A statement that the speaker may make."""
    count = len(kinds)
    others = [(speaker + step) % count for step in (-1, 1)] if ring else [i for i in range(count) if i != speaker]
    while True:
        kind = rng.choice(SAID[knobs.statements])
        size = min({"is": 1, "count": 3}.get(kind, 2), len(others))
        people = tuple(rng.sample(others, size)) if rng.chance(0.9) or kind == "count" else (speaker, rng.choice(others))[:size]
        statement = Statement(kind=kind, people=people, kinds=tuple(rng.integer(0, 2) for _ in people), number=rng.integer(0, size))
        if kinds[speaker] == 2 or is_true(statement, kinds) == (kinds[speaker] == 0):
            return statement


def _fits(speaker: int, statements: Sequence[Statement], atoms: list[list[int]], worlds: int) -> int:
    """The assignments in which the speaker may say all of this."""
    every = (1 << worlds) - 1
    true, false = every, every
    for statement in statements:
        table = _table(statement, atoms, every)
        true, false = true & table, false & ~table
    return (atoms[speaker][0] & true) | (atoms[speaker][1] & false) | atoms[speaker][2]


def _table(statement: Statement, atoms: list[list[int]], every: int) -> int:
    claimed = [atoms[i][kind] for i, kind in zip(statement.people, statement.kinds, strict=True)]
    match statement.kind:
        case "is":
            return claimed[0] if statement.number else every & ~claimed[0]
        case "same":
            person_a, two = (atoms[i] for i in statement.people)
            same_kind = person_a[0] & two[0] | person_a[1] & two[1] | person_a[2] & two[2]
            return same_kind if statement.number else every & ~same_kind
        case "and":
            return claimed[0] & claimed[1]
        case "or":
            return claimed[0] | claimed[1]
        case "if":
            return (every & ~claimed[0]) | claimed[1]
        case "iff":
            return every & ~(claimed[0] ^ claimed[1])
        case _:
            own, out = [atoms[i][statement.kinds[0]] for i in statement.people], 0
            for chosen in combinations(range(len(own)), statement.number):
                case = every
                for i, table in enumerate(own):
                    case &= table if i in chosen else ~table
                out |= case
            return out


def _both_statements(fits: list[int], worlds: int) -> int:
    out = (1 << worlds) - 1
    for table in fits:
        out &= table
    return out


def _kinds(data: Data, settled: dict[int, int]) -> list[int]:
    return [settled.get(i, -1) for i in range(len(data.names))]


def _refute(data: Data, settled: dict[int, int]) -> str | None:
    """What is against a case, in words, looking only at statements of settled people about settled people."""
    for kind in range(3):
        if list(settled.values()).count(kind) > data.counts[kind]:
            return MANY.write(kind=KINDS[kind])
    kinds = _kinds(data, settled)
    for i, own in settled.items():
        for statement in data.said[i]:
            if all(person in settled for person in statement.people) and own == int(truth := is_true(statement, kinds)):
                return OUT.write(name=data.names[i], truth="true" if truth else "false", kind=KINDS[own])
    return None


def _backtrack(data: Data, steps: list[Due]) -> list[int]:
    """Take kinds for one person after the other, and go back where something is against them."""
    groups = [{i, *statement.people} for i, statements in enumerate(data.said) for statement in statements]
    settled: dict[int, int] = {}

    def tried() -> bool:
        if len(settled) == len(data.names):
            return True
        unsettled = [i for i in range(len(data.names)) if i not in settled]
        person = max(
            unsettled, key=lambda i: (sum(i in group and not group - {i, *settled} for group in groups), sum(i in g for g in groups), -i)
        )
        for kind in range(3):
            settled[person] = kind
            case = ", ".join(f"{data.names[i]} a {KINDS[own]}" for i, own in settled.items())
            against = _refute(data, settled)
            steps.append(CASE(case=case, found=against or FINE))
            if against is None and tried():
                return True
            del settled[person]
        return False

    tried()
    return _kinds(data, settled)


def _answer(data: Data, kinds: Sequence[int]) -> Pairs:
    return tuple(sorted((name.lower(), KINDS[kind]) for name, kind in zip(data.names, kinds, strict=True)))


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    for kinds in possible_worlds(task.data.counts)[0]:
        if all(kinds[i] != int(is_true(statement, kinds)) for i, statements in enumerate(task.data.said) for statement in statements):
            yield _answer(task.data, kinds)


environment = Environment(
    Knobs, Mapping("one line `name: kind` for each person, where kind is knight, knave or spy", max_items=40),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, END, checks), answers="unique", solutions=_solutions,
    shared_helpers="The helper evaluates a statement, by the meanings in the prompt.",
    concept="Suppose kinds for one person after the other and test each statement of a knight or knave as soon as everybody in it is settled.",
    version=2,
)  # fmt: skip
