"""Find the only two statements of many that cannot both be true.

Statements say where people were and were not on days, and what stood where; each of them fits with every other but for one pair.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import stories
from rlgym.generators.facts import Bank, numbered_list, read_statements
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Solution, Step, any_order

WAS = Step("Statement {at}: on day {day}, {who} is in {town}.")
NOT = Step("Statement {at}: on day {day}, {who} is not in {town}.")
CLASH = Step("On day {day} this cannot be, so statements {at} and {by} clash.")
BANK = Bank("""
at: {who} was in {town} on day {day}. | On day {day}, {who} stayed in {town}. | {town} is where {who} was on day {day}.
at: Day {day} found {who} in {town}.
stay: From day {since} to day {until}, {who} never left {town}. | {who} was in {town} all the time from day {since} to day {until}.
stay: It was {town} and nowhere else for {who} from day {since} to day {until}.
stay: {who} spent every day from {since} to {until} in {town}.
away: {who} was not in {town} at all from day {since} to day {until}. | From day {since} to day {until}, {who} kept out of {town}.
away: On none of the days from {since} to {until} was {who} in {town}.
away: {town} was without {who} on every day from {since} to {until}.
off: {who} was not in {town} on day {day}. | On day {day}, {who} kept out of {town}. | {town} was without {who} on day {day}.
with: On day {day}, {who} was in the same town as {other}. | {who} and {other} were in the same town on day {day}.
with: Wherever {other} was on day {day}, {who} was there too.
apart: On day {day}, {who} and {other} were in different towns. | {who} was not in the same town as {other} on day {day}.
apart: On day {day}, {who} was in a different town from {other}. | Whatever town {other} was in on day {day}, {who} was in another.
only: Of all people, only {who} was in {town} on day {day}. | On day {day}, nobody but {who} was in {town}, and {who} was.
only: {who} had {town} alone on day {day}, and nobody else was there. | {town} held {who} and no one else on day {day}.
""")
KINDS = {
    "plain": ("at", "at", "stay"),
    "denials": ("at", "stay", "stay", "away", "away"),
    "relations": ("stay", "away", "with", "apart", "only"),
}

TELLING = {"plain": {"at", "stay"}, "denials": {"away"}, "relations": {"with", "apart", "only"}}


class Knobs(Config):
    statements: int = knob(16, easy=7, hard=70, doc="statements", scale="log")
    people: int = knob(4, easy=2, hard=8, doc="people they speak of")
    kinds: str = knob(
        "denials",
        easy="plain",
        hard="relations",
        order=("plain", "denials", "relations"),
        doc="what statements say: where, where not, and with whom",
    )


class Statement(TaskData):
    kind: str
    who: str
    town: str = ""
    other: str = ""
    since: int
    until: int


class Data(TaskData):
    statements: tuple[Statement, ...]
    pair: tuple[int, int]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, wandering=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Everybody moves on every day, so that no statement lasts longer than three days and the same towns come up again and again."""
    return _sample_task(rng, knobs, wandering=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    return next(_solutions(task))


def _wording(statement: Statement) -> str:
    """The kind of sentence for a statement: one about a single day does not name a first and a last day."""
    return {"stay": "at", "away": "off"}.get(statement.kind, statement.kind) if statement.since == statement.until else statement.kind


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != 2 or answer[0] >= answer[1]:
        return Score.wrong("the answer must be two numbers, the smaller first")
    return Score.exact(answer == task.data.pair, "these two statements can both be true")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    count = len(task.data.statements)
    same = [
        (i, j)
        for (i, first), (j, second) in combinations(enumerate(task.data.statements, 1), 2)
        if first.who == second.who and first.town != second.town and (i, j) != right
    ]
    return [*same[:2], right[::-1], (right[0], right[1] % count + 1), (1, count), (right[0],)]


def cost(task: Task[Data]) -> float:
    weights = {"at": 1, "stay": 2, "away": 2, "with": 4, "apart": 4, "only": 4}
    return float(len(task.data.statements) * sum(weights[statement.kind] for statement in task.data.statements))


def derive(task: Task[Data]) -> Derivation:
    pair = next(_solutions(task))
    statements = [task.data.statements[at - 1] for at in pair]
    day = _clash(*statements)
    people = dict.fromkeys(name for statement in statements for name in (statement.who, statement.other) if name)
    yield from any_order(
        (WAS if is_in else NOT)(at=at, day=day, who=name, town=town)
        for at, statement in zip(pair, statements)
        for name in people
        for is_in, town in _claims(statement, name)
    )
    yield CLASH(day=day, at=pair[0], by=pair[1])


def _claims(statement: Statement, who: str) -> list[tuple[bool, str]]:
    """What a statement alone says of a person on each of its days: (is there, town)."""
    if statement.kind in ("at", "stay") and statement.who == who:
        return [(True, statement.town)]
    if statement.kind == "away" and statement.who == who:
        return [(False, statement.town)]
    if statement.kind == "only":
        return [(statement.who == who, statement.town)]
    if statement.kind in ("with", "apart") and who == statement.who:
        return [(statement.kind == "with", f"the town of {statement.other}")]
    return []


def _clash(first: Statement, second: Statement) -> int:
    """The first day on which two statements cannot both be true; 0 where they can."""
    for day in range(max(first.since, second.since), min(first.until, second.until) + 1):
        relations = [statement for statement in (first, second) if statement.kind in ("with", "apart")]
        people = {name for statement in (first, second) for name in (statement.who, statement.other) if name}
        if len(relations) == 2:
            clash = {first.kind, second.kind} == {"with", "apart"} and {first.who, first.other} == {second.who, second.other}
        elif len(relations) == 1:
            meeting, rest = (first, second) if relations[0] is first else (second, first)
            pair = {meeting.who, meeting.other}
            # Of one other statement alone, only who has a town to themselves says anything of two people.
            clash = rest.kind == "only" and rest.who in pair and meeting.kind == "with"
        else:
            clash = False
            for who in people:
                claims = [*_claims(first, who), *_claims(second, who)]
                homes = {town for is_in, town in claims if is_in}
                clash |= len(homes) > 1 or any(not is_in and town in homes for is_in, town in claims)
        if clash:
            return day
    return 0


def _read(task: Task[Data]) -> list[Statement]:
    out = []
    for _, (kind, gaps) in read_statements(task.prompt, BANK):
        day = gaps.get("day", "0")
        named = {name: gaps[name] for name in ("who", "town", "other") if name in gaps}
        out.append(
            Statement(kind="away" if kind == "off" else kind, since=int(gaps.get("since", day)), until=int(gaps.get("until", day)), **named)
        )
    return out


def _solutions(task: Task[Data]) -> Iterator[tuple[int, int]]:
    """All pairs that clash, of those that the prompt shows."""
    for (i, first), (j, second) in combinations(enumerate(_read(task), 1), 2):
        if first.since <= second.until and second.since <= first.until and _clash(first, second):
            yield i, j


def _is_true(statement: Statement, where: dict[str, list[str]]) -> bool:
    for day in range(statement.since, statement.until + 1):
        town = where[statement.who][day]
        match statement.kind:
            case "at" | "stay":
                holds = town == statement.town
            case "away":
                holds = town != statement.town
            case "only":
                holds = [name for name in where if where[name][day] == statement.town] == [statement.who]
            case kind:
                holds = (town == where[statement.other][day]) == (kind == "with")
        if not holds:
            return False
    return True


def _sample_statement(rng: Rng, knobs: Knobs, people: Sequence[str], towns: Sequence[str], days: int, span: int) -> Statement:
    kind = rng.choice(KINDS[knobs.kinds])
    who, other = rng.sample(people, 2)
    since = rng.integer(1, days - span)
    until = since + rng.integer(1, span) if kind in ("stay", "away") else since
    related = kind in ("with", "apart")
    return Statement(
        kind=kind, who=who, town="" if related else rng.choice(towns), other=other if related else "", since=since, until=until
    )


def _sample_contradiction(rng: Rng, target: Statement, people: Sequence[str], towns: Sequence[str], days: int) -> Statement:
    """A statement that is likely to clash with this one."""
    day = rng.integer(target.since, target.until)
    rest = rng.choice([name for name in people if name not in (target.who, target.other)] or [target.other])
    pair = rng.shuffled([target.who, target.other or rest])
    long = {"since": max(1, day - rng.integer(0, 2)), "until": min(days, day + rng.integer(0, 2))}
    days_of = {"since": day, "until": day}
    match target.kind:
        case "with" if rng.chance(0.6):
            return Statement(kind="apart", who=pair[0], other=pair[1], **days_of)
        case "with":
            return Statement(kind="only", who=pair[0], town=rng.choice(towns), **days_of)
        case "apart":
            return Statement(kind="with", who=pair[0], other=pair[1], **days_of)
        case "only" if rng.chance(0.3):
            return Statement(kind="with", who=pair[0], other=pair[1], **days_of)
        case "away":
            return Statement(kind="stay", who=target.who, town=target.town, **long)
    kind = rng.choice(("at", "stay", "away", "only"))
    who = rest if kind == "only" or target.kind == "only" else target.who
    other_town = rng.choice([town for town in towns if town != target.town])
    town = target.town if kind in ("away", "only") or target.kind == "only" else other_town
    return Statement(kind=kind, who=who, town=town, **(long if kind in ("stay", "away") else days_of))


def _sample_task(rng: Rng, knobs: Knobs, wandering: bool) -> Task[Data]:
    people = stories.people(rng, knobs.people)
    towns = stories.places(rng, 3 + knobs.people // 2)
    days = 12 + knobs.statements // 2
    span = 2 if wandering else 6
    where: dict[str, list[str]] = {}
    for name in people:
        stays = list[str]()
        while len(stays) <= days + span:
            next_town = rng.choice([town for town in towns if not stays or town != stays[-1]])
            stays += [next_town] * (rng.integer(1, 3) if wandering else rng.integer(3, 9))
        where[name] = stays
    true = dict[Statement, None]()
    wrong: Statement | None = None
    while len(true) < knobs.statements - 1:
        statement = _sample_statement(rng, knobs, people, towns, days, span)
        if statement.kind in ("at", "stay") and not _is_true(statement, where):  # a town drawn blindly is seldom the right one
            statement = statement.model_copy(update={"town": where[statement.who][statement.since]})
        if _is_true(statement, where):
            true[statement] = None
    while wrong is None:
        target = rng.choice(list(true))
        statement = _sample_contradiction(rng, target, people, towns, days)
        telling = statement.kind in KINDS[knobs.kinds] and {statement.kind, target.kind} & TELLING[knobs.kinds]
        if telling and [other for other in true if _clash(statement, other)] == [target]:
            wrong = statement
        elif rng.chance(0.1):  # where the true statements so far leave no room, another true statement is added instead
            del true[target]
            while len(true) < knobs.statements - 1:
                more = _sample_statement(rng, knobs, people, towns, days, span)
                if _is_true(more, where):
                    true[more] = None
    said_all = rng.shuffled([*true, wrong])
    at = said_all.index(wrong)
    other = next(k for k, candidate in enumerate(said_all) if k != at and _clash(candidate, wrong))
    text = numbered_list(
        BANK.say(rng, _wording(statement), **statement.model_dump(exclude={"kind"}), day=statement.since) for statement in said_all
    )
    prompt = (
        "Everybody spends the whole of each day in exactly one town. A range of days includes its first and its last day. "
        f"The people are {english.join_words(people)}.\n\n{text}\n\n"
        "Any two of these statements can both be true, except for one pair. Which two statements cannot both be true? Give their numbers, the smaller first."
    )
    return Task(prompt, Data(statements=tuple(said_all), pair=(min(at, other) + 1, max(at, other) + 1)))


environment = Environment(
    Knobs, Numbers("the two numbers separated by a comma", max_items=20), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"), answers="unique", solutions=_solutions,
    concept="Two statements can only clash on a day that both speak of: sort them by person and day, and compare those that overlap.",
    version=5,
)  # fmt: skip
