"""Find out who always tells the truth and who always lies, from what each of them says.

A task is kept only if exactly one assignment fits, counted over all of them at once by truth tables.
"""

from collections.abc import Iterator
from itertools import combinations, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.logic import truth_tables
from rlgym.generators.logic.knight_statements import KINDS, WORDS, Pairs, Statement, is_true, render_statement
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

FINE = Step("Suppose {claims}: nothing said so far is against it")
BROKEN = Step("Suppose {claims}: then what {name} says does not fit, so this is out")


class Knobs(Config):
    people: int = knob(5, easy=2, hard=12, doc="how many people there are")
    statements: str = knob("joined", easy="simple", hard="nested", order=tuple(KINDS), doc="what kinds of statements are made")


class Data(TaskData):
    names: tuple[str, ...]
    said: tuple[Statement, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, reach=knobs.people)


def _sample_task(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    """People who speak of others at most `reach` places away around a table."""
    count = knobs.people
    names = tuple(rng.sample(PEOPLE, count))
    kinds = KINDS[knobs.statements]
    statements = [_statement(rng, speaker, count, kinds, reach) for speaker in range(count)]
    fits = [_fits(speaker, statement, count) for speaker, statement in enumerate(statements)]
    while _conjunction(fits, count).bit_count() != 1:
        speaker = rng.integer(0, count - 1)
        statements[speaker] = _statement(rng, speaker, count, kinds, reach)
        fits[speaker] = _fits(speaker, statements[speaker], count)
    listing = "\n".join(f'{names[i]} says: "{render_statement(statement, names)}"' for i, statement in enumerate(statements))
    prompt = (
        f"Each of {', '.join(names[:-1])} and {names[-1]} is either a knight or a knave. Everything a knight says is true, everything a knave says "
        f"is false.\n{listing}\n\nWho is what?"
    )
    return Task(prompt, Data(names=names, said=tuple(statements)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """People around a table who speak only of those who sit near them."""
    return _sample_task(rng, knobs, reach=2)


def solve(task: Task[Data]) -> Pairs:
    return _answer(task.data, next(_backtrack(task.data, [])))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    if set(given) != {name.lower() for name in data.names}:
        return Score.wrong("exactly the people named must each be called a knight or a knave")
    if any(value not in WORDS.values() for value in given.values()):
        return Score.wrong("everybody is either a knight or a knave")
    kinds = [given[name.lower()] == "knight" for name in data.names]
    for i, statement in enumerate(data.said):
        if is_true(statement, kinds) != kinds[i]:
            return Score.wrong(f"what {data.names[i]} says does not fit")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    (first, kind), *rest = right
    turned = {"knight": "knave", "knave": "knight"}
    return [
        ((first, turned[kind]), *rest),
        tuple((name, turned[kind]) for name, kind in right),
        tuple((name, "knight") for name, _ in right),
        tuple((name, "knave") for name, _ in right),
        tuple((name, "knight or knave") for name, _ in right),
    ]


def cost(task: Task[Data]) -> float:
    return 1.5 ** len(task.data.names) * sum(len(statement.people) + 1 for statement in task.data.said)


def derive(task: Task[Data]) -> Derivation:
    steps: list[Due] = []
    next(_backtrack(task.data, steps))
    return in_order(steps)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    number, kinds = {name: i for i, name in enumerate(data.names)}, {word: kind for kind, word in WORDS.items()}
    # Cases still to be gone through: what is supposed before, and the person, where known, and kind that come next.
    cases: list[tuple[dict[int, bool], int | None, bool]] = [({}, None, True)]

    def read_case(claims: str) -> tuple[dict[int, bool], int, list[int]]:
        """The kinds that are supposed, the person who is new among them, and those whose statements do not fit."""
        pairs = [claim.split(" a ") for claim in claims.split(", ")]
        settled = {number[name]: kinds[word] for name, word in pairs}
        before, person, kind = cases[-1]
        new = [i for i in settled if i not in before]
        if len(settled) != len(pairs) or len(new) != 1 or settled != {**before, new[0]: kind} or person not in (None, new[0]):
            raise LookupError(claims)
        return settled, new[0], [i for i in settled if set(data.said[i].people) <= set(settled) and not _is_consistent(data, i, settled)]

    def close_case(person: int) -> None:
        before, _, kind = cases.pop()
        if kind:
            cases.append((before, person, False))

    def is_fine(claims: str) -> bool:
        settled, person, broken = read_case(claims)
        if broken:
            return False
        close_case(person)
        cases.append((settled, None, True))
        return True

    def is_broken(claims: str, name: str) -> bool:
        _, person, broken = read_case(claims)
        if number[name] not in broken:
            return False
        close_case(person)
        return True

    return {BROKEN: is_broken, FINE: is_fine}


def _is_consistent(data: Data, speaker: int, settled: dict[int, bool]) -> bool:
    """Whether what somebody says is true just if it is a knight; all of whom it speaks must be settled."""
    return is_true(data.said[speaker], [settled.get(i, False) for i in range(len(data.names))]) == settled[speaker]


def _statement(rng: Rng, speaker: int, count: int, kinds: tuple[str, ...], reach: int) -> Statement:
    others = [i for i in range(count) if i != speaker and min((i - speaker) % count, (speaker - i) % count) <= reach]
    kind = rng.choice(kinds)
    size = {"is": 1, "count": min(3, len(others)), "says": 2}.get(kind, 2)
    people = rng.sample(others, min(size, len(others)))
    if len(people) < 2 and kind != "is":
        # With nobody else to speak of, people speak of themselves too.
        people.append(speaker)
    claims = tuple(rng.chance(0.5) for _ in people)
    return Statement(kind=kind, people=tuple(people), claims=claims, number=rng.integer(0, len(people)) if kind == "count" else 0)


def _fits(speaker: int, statement: Statement, count: int) -> int:
    """The assignments in which the speaker is a knight exactly when the statement is true."""
    every, columns = truth_tables.every(count), truth_tables.columns(count)
    own = [columns[i] for i in statement.people]
    claimed = [table if claim else every & ~table for table, claim in zip(own, statement.claims, strict=True)]
    match statement.kind:
        case "is":
            worlds_true = claimed[0]
        case "same":
            worlds_true = own[0] ^ own[1] if not statement.claims[0] else every & ~(own[0] ^ own[1])
        case "and":
            worlds_true = claimed[0] & claimed[1]
        case "or":
            worlds_true = claimed[0] | claimed[1]
        case "if":
            worlds_true = (every & ~claimed[0]) | claimed[1]
        case "iff":
            worlds_true = every & ~(claimed[0] ^ claimed[1])
        case "says":
            worlds_true = every & ~(own[0] ^ claimed[1])
        case _:
            worlds_true = 0
            for knights in combinations(range(len(own)), statement.number):
                case = every
                for i, table in enumerate(own):
                    case &= table if i in knights else ~table
                worlds_true |= case
    return every & ~(columns[speaker] ^ worlds_true)


def _conjunction(fits: list[int], count: int) -> int:
    out = truth_tables.every(count)
    for table in fits:
        out &= table
    return out


def _backtrack(data: Data, steps: list[Due]) -> Iterator[list[bool]]:
    """Assume and check, person by person; statements are tested as soon as everybody in them is settled."""
    order = _order(data)
    settled: dict[int, bool] = {}

    def refuted() -> int | None:
        for i, statement in enumerate(data.said):
            if i in settled and all(person in settled for person in statement.people):
                kinds = [settled.get(person, False) for person in range(len(data.names))]
                if is_true(statement, kinds) != settled[i]:
                    return i
        return None

    def tried(place: int) -> Iterator[list[bool]]:
        if place == len(order):
            yield [settled[person] for person in range(len(data.names))]
            return
        person = order[place]
        for kind in (True, False):
            settled[person] = kind
            broken = refuted()
            so_far = ", ".join(f"{data.names[i]} a {WORDS[settled[i]]}" for i in order[: place + 1])
            if broken is None:
                steps.append(FINE(claims=so_far))
                yield from tried(place + 1)
            else:
                steps.append(BROKEN(claims=so_far, name=data.names[broken]))
            del settled[person]

    yield from tried(0)


def _order(data: Data) -> list[int]:
    """People so that each shares statements with those before."""
    linked = [{i, *data.said[i].people} for i in range(len(data.names))]
    order = [0]
    while len(order) < len(data.names):
        unordered = [i for i in range(len(data.names)) if i not in order]
        order.append(
            max(
                unordered,
                key=lambda i: (
                    sum(i in group and len(group - {i, *order}) == 0 for group in linked),
                    sum(i in group and bool(group & set(order)) for group in linked),
                    -i,
                ),
            )
        )
    return order


def _answer(data: Data, kinds: list[bool]) -> Pairs:
    return tuple(sorted((name.lower(), WORDS[kind]) for name, kind in zip(data.names, kinds, strict=True)))


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    for kinds in product((True, False), repeat=len(task.data.names)):
        if all(is_true(statement, list(kinds)) == kinds[i] for i, statement in enumerate(task.data.said)):
            yield _answer(task.data, list(kinds))


environment = Environment(
    Knobs, Mapping("one line `name: kind` for each person, where kind is knight or knave", max_items=40),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Everything fits: {answer}", checks=checks), shift=shift, answers="unique", solutions=_solutions,
    concept="Suppose that somebody is a knight and follow what they say; if it leads to a contradiction, they are a knave.",
)  # fmt: skip
