"""Choose the indexes of a table for a mix of queries, by a cost model that is stated; the cheapest choice is asked for."""

from collections.abc import Iterator
from itertools import combinations, permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.text.english import count_noun
from rlgym.solutions import Derivation, Solution, Step

Query = tuple[int, tuple[str, ...], str]  # how often, columns compared by =, column compared by a range or nothing
Index = tuple[str, ...]
NAMES = "abcdefg"
ALONE = Step("{index} alone: the queries read {rows:ints} rows in one run, in their order, so the cost is {total:int}")
READ = Step("{query}: {rows:int} rows read with {way}")
TOTAL = Step("With {writes:int} for each index, {names} cost {total:int}, and no other choice within the limits costs less")
END = "So choose {answer}"


class Knobs(Config):
    columns: int = knob(5, easy=5, hard=6, doc="columns of the table")
    queries: int = knob(4, easy=2, hard=8, doc="kinds of queries")
    indexes: int = knob(2, easy=1, hard=3, doc="most indexes")
    wide: int = knob(2, easy=2, hard=3, doc="most columns of an index")


class Data(TaskData):
    rows: int
    distinct: tuple[int, ...]
    queries: tuple[Query, ...]
    indexes: int
    wide: int
    writes: int
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, (2, 4, 8, 16, 32))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Columns that tell rows apart equally badly, and queries with many conditions."""
    return _sample_task(rng, knobs, (4, 4, 8))


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_best(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, known = task.data, NAMES[: len(task.data.distinct)]
    given = () if answer == ("none",) else tuple(tuple(word.split("-")) for word in answer[:9])
    if len(given) > data.indexes or len(set(given)) < len(given):
        return Score.wrong(f"at most {data.indexes} different indexes are allowed")
    for index in given:
        if len(index) > data.wide or len(set(index)) < len(index) or any(len(column) != 1 or column not in known for column in index):
            return Score.wrong("an index has different columns of the table, and not more of them than allowed")
    return Score.exact(_total(data, given) == data.least, "another choice costs less")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    known = NAMES[: len(data.distinct)]
    sharp = max(known, key=lambda one: data.distinct[known.index(one)])
    often = max(data.queries)
    return [
        (sharp,),
        tuple(known[: data.indexes]),
        ("-".join(known[: data.wide]),),
        (often[1][0],),
        tuple("-".join(word.split("-")[::-1]) for word in right),
        ("none",),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    choices = len(list(_indexes(data)))
    return float(len(data.queries) * choices * (1 + data.indexes))


def derive(task: Task[Data]) -> Derivation:
    """What each index that some query can use does alone, then the cheapest choice of them, query by query."""
    data, right = task.data, solve(task)
    chosen = () if right == ("none",) else tuple(tuple(word.split("-")) for word in right)
    for index in _indexes(data):
        rows = [_read(data, index, query) for query in data.queries]
        if len(index) == 1 and min(rows) < data.rows:
            yield ALONE(index=index[0], rows=rows, total=_total(data, (index,)))
    for query in data.queries:
        read = {"no index": data.rows} | {"-".join(index): _read(data, index, query) for index in chosen}
        way = min(read, key=lambda name: read[name])
        yield READ(query=_describe(query), rows=read[way], way=way)
    yield TOTAL(writes=data.writes, names=", ".join(right), total=_total(data, chosen))


def _read(data: Data, index: Index, query: Query) -> int:
    """The rows that a query reads through an index."""
    rows, (_, equal, span) = data.rows, query
    for column in index:
        if column in equal:
            rows //= data.distinct[NAMES.index(column)]
        else:
            return rows // 4 if column == span else rows
    return rows


def _total(data: Data, indexes: tuple[Index, ...]) -> int:
    read = (query[0] * min([data.rows, *(_read(data, index, query) for index in indexes)]) for query in data.queries)
    return sum(read) + data.writes * len(indexes)


def _indexes(data: Data) -> Iterator[Index]:
    for size in range(1, data.wide + 1):
        yield from permutations(NAMES[: len(data.distinct)], size)


def _cheapest(data: Data) -> int:
    """The least cost, by a search over sets of indexes that differ in what they do for the queries."""
    rows: dict[tuple[int, ...], None] = {}
    for index in _indexes(data):
        rows[tuple(query[0] * min(data.rows, _read(data, index, query)) for query in data.queries)] = None
    useful = [row for row in rows if not any(other != row and all(a <= b for a, b in zip(other, row, strict=True)) for other in rows)]
    least = sum(query[0] * data.rows for query in data.queries)
    for size in range(1, data.indexes + 1):
        for chosen in combinations(useful, size):
            least = min(least, sum(map(min, zip(*chosen, strict=True))) + size * data.writes)
    return least


def _best(data: Data) -> Iterator[tuple[str, ...]]:
    """The choices of the least cost: indexes are added one by one, only those that a query can use."""
    useful = [index for index in _indexes(data) if any(index[0] in equal or index[0] == span for _, equal, span in data.queries)]
    useful.sort(key=lambda index: _total(data, (index,)))
    reads = {index: [query[0] * _read(data, index, query) for query in data.queries] for index in useful}

    def grown(now: list[int], begin: int, chosen: tuple[Index, ...]) -> Iterator[tuple[Index, ...]]:
        if sum(now) + len(chosen) * data.writes == data.least:
            yield chosen
        elif len(chosen) < data.indexes:
            for i in range(begin, len(useful)):
                after = list(map(min, now, reads[useful[i]]))
                if after != now:
                    yield from grown(after, i + 1, (*chosen, useful[i]))

    for chosen in grown([query[0] * data.rows for query in data.queries], 0, ()):
        yield tuple("-".join(index) for index in chosen) or ("none",)


def _describe(query: Query) -> str:
    often, equal, span = query
    return f"{count_noun(often, 'time')} WHERE {' AND '.join([*(f'{column} = ?' for column in equal), *([f'{span} > ?'] if span else [])])}"


def _sample_task(rng: Rng, knobs: Knobs, sizes: tuple[int, ...]) -> Task[Data]:
    while True:
        known = NAMES[: knobs.columns]
        queries: dict[tuple[tuple[str, ...], str], int] = {}
        for _ in range(4 * knobs.queries):
            columns = rng.sample(known, rng.integer(1, min(3, knobs.columns - 1)))
            span = columns.pop() if len(columns) > 1 and rng.chance(0.4) else ""
            if len(queries) < knobs.queries:
                queries[tuple(sorted(columns)), span] = rng.integer(1, 30)
        rows = 131072 * rng.choice((1, 2, 4, 8))
        listed = tuple((often, *query) for query, often in queries.items())
        data = Data(
            rows=rows,
            distinct=tuple(rng.choice(sizes) for _ in known),
            queries=listed,
            indexes=knobs.indexes,
            wide=knobs.wide,
            writes=rows * rng.integer(1, 12) // 2 + rng.integer(1, 400),
            least=0,
        )
        data = data.model_copy(update={"least": _cheapest(data)})
        # Neither no index nor indexes of one column each must do.
        narrow = _cheapest(data.model_copy(update={"wide": 1}))
        if data.least < min(narrow, sum(query[0] * rows for query in listed)):
            break
    queries_text = "\n".join(map(_describe, listed))
    values = ", ".join(f"{column} {count}" for column, count in zip(known, data.distinct, strict=True))
    spans = any(span for _, _, span in listed)
    ranges = "a column that it compares with > divides the number by 4, and the count ends; " if spans else ""
    prompt = (
        f"A table has {rows} rows and the columns {', '.join(known)}. Number of different values in each column, all equally frequent: {values}. Every "
        f"hour these queries run:\n\n"
        f"{queries_text}\n\nA query either reads all rows of the table or uses one index (an ordered list of columns). To count the rows that it reads through "
        "an index, start with all rows of the table and go through the columns of the index in order: a column that the query compares with = divides "
        f"the number of rows by its number of different values, and the next column follows; {ranges}at the first column that the query does not compare, "
        "the count ends. Each query uses the index, or no index, with which it reads the fewest rows. The cost per hour is the number of rows read by "
        f"all runs of all queries, plus {data.writes} for each index that exists.\n\nChoose at most {count_noun(data.indexes, 'index', 'indexes')} "
        f"of at most {count_noun(data.wide, 'column')}{' each' if data.indexes > 1 else ''} so that the cost is as low as possible. If several choices "
        "are equally cheap, any one of them will do."
    )
    return Task(prompt, data)


environment = Environment(
    Knobs,
    Words(
        "the indexes, each as its columns in order joined by hyphens, such as c-a, separated by spaces; or the word none for no index",
        max_items=12,
        ignore_case=True,
    ),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=lambda task: (choice for choice, _ in zip(_best(task.data), range(6), strict=False)),
    concept="What an index is worth is what it saves over the other ones; columns compared with = go first, a range last.",
    version=4,
)  # fmt: skip
