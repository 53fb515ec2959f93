"""Choose the indexes of a table for a mix of queries, by a cost model that is stated; the cheapest choice is asked for.

From level 0.6 on each column of an index has a price of its own, and taking the index that saves most, again and again, does not find the cheapest
choice. At the highest levels most tasks are such that exchanging single indexes afterwards does not find it either.
"""

from collections.abc import Iterator
from itertools import accumulate, permutations
from operator import le

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.databases.facility_choice import FacilityChoice
from rlgym.generators.text.english import count_noun
from rlgym.solutions import Derivation, Solution, Step

Query = tuple[int, tuple[str, ...], str]  # how often, columns compared by =, column compared by a range or nothing
Index = tuple[str, ...]
NAMES = "abcdefg"
ALONE = Step("{index} alone: the queries read {rows:ints} rows in one run, in their order, so the cost is {total:int}")
READ = Step("{query}: {rows:int} rows read with {way}")
TOTAL = Step("With {prices} for the indexes, {names} cost {total:int}, and no other choice within the limits costs less")
END = "So choose {answer}"
WIDE = 2  # most columns of an index
TRIES = 10  # for a task in which exchanging single indexes does not find the cheapest choice


class Knobs(Config):
    columns: int = knob(5, easy=5, hard=6, doc="columns of the table")
    queries: int = knob(4, easy=2, hard=10, beyond=14, doc="kinds of queries")
    indexes: int = knob(2, easy=1, hard=4, beyond=5, doc="most indexes")
    beaten: str = knob(
        "nothing",
        easy="nothing",
        hard="exchanges",
        order=("nothing", "nothing", "nothing", "greedy", "exchanges"),
        doc="what fails to find the cheapest choice: taking the index that saves most, again and again; mostly also exchanging single indexes",
    )


class Data(TaskData):
    rows: int
    distinct: tuple[int, ...]
    queries: tuple[Query, ...]
    indexes: int
    wide: int
    writes: int
    upkeep: tuple[int, ...] = ()  # what each column of an index costs besides, if it costs anything
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
    yield TOTAL(prices=" + ".join(str(_price(data, index)) for index in chosen), names=", ".join(right), total=_total(data, chosen))


def _read(data: Data, index: Index, query: Query) -> int:
    """The rows that a query reads through an index."""
    rows, (_, equal, span) = data.rows, query
    for column in index:
        if column in equal:
            rows //= data.distinct[NAMES.index(column)]
        else:
            return rows // 4 if column == span else rows
    return rows


def _price(data: Data, index: Index) -> int:
    """What it costs that an index exists."""
    return data.writes + sum(data.upkeep[NAMES.index(column)] for column in index if data.upkeep)


def _total(data: Data, indexes: tuple[Index, ...]) -> int:
    read = (query[0] * min([data.rows, *(_read(data, index, query) for index in indexes)]) for query in data.queries)
    return sum(read) + sum(_price(data, index) for index in indexes)


def _indexes(data: Data) -> Iterator[Index]:
    for size in range(1, data.wide + 1):
        yield from permutations(NAMES[: len(data.distinct)], size)


def _search(data: Data) -> FacilityChoice:
    """The indexes that save something and that no other one outdoes in every query and in its price."""
    prices: dict[tuple[int, ...], int] = {}
    for index in _indexes(data):
        row = tuple(query[0] * min(data.rows, _read(data, index, query)) for query in data.queries)
        prices[row] = min(prices.get(row, _price(data, index)), _price(data, index))
    without = [query[0] * data.rows for query in data.queries]
    saving = [(row, price) for row, price in prices.items() if sum(row) + price < sum(without)]
    useful = [
        (list(row), price)
        for row, price in saving
        if not any(other != row and least <= price and all(map(le, other, row)) for other, least in saving)
    ]
    return FacilityChoice(without, useful, data.indexes)


def _best(data: Data) -> Iterator[tuple[str, ...]]:
    """The choices of the least cost: indexes are added one by one, only those that a query can use."""
    useful = [index for index in _indexes(data) if any(index[0] in equal or index[0] == span for _, equal, span in data.queries)]
    useful.sort(key=lambda index: _total(data, (index,)))
    reads = {index: [query[0] * _read(data, index, query) for query in data.queries] for index in useful}
    without = [query[0] * data.rows for query in data.queries]
    together = [*accumulate((reads[index] for index in reversed(useful)), lambda now, row: list(map(min, now, row)), initial=without)][::-1]

    def grown(now: list[int], spent: int, begin: int, chosen: tuple[Index, ...]) -> Iterator[tuple[Index, ...]]:
        if sum(now) + spent == data.least:
            yield chosen
        elif len(chosen) < data.indexes:
            for i in range(begin, len(useful)):
                if sum(map(min, now, together[i])) + spent > data.least:
                    break
                after = list(map(min, now, reads[useful[i]]))
                if after != now:
                    yield from grown(after, spent + _price(data, useful[i]), i + 1, (*chosen, useful[i]))

    for chosen in grown(without, 0, 0, ()):
        yield tuple("-".join(index) for index in chosen) or ("none",)


def _describe(query: Query) -> str:
    often, equal, span = query
    return f"{count_noun(often, 'time')} WHERE {' AND '.join([*(f'{column} = ?' for column in equal), *([f'{span} > ?'] if span else [])])}"


def _sample_task(rng: Rng, knobs: Knobs, sizes: tuple[int, ...]) -> Task[Data]:
    kept: Data | None = None
    tries = 0
    while True:
        data = _sample_data(rng, knobs, sizes)
        search = _search(data)
        least = search.least()
        # Neither no index nor indexes of one column each must do.
        if least >= min(_search(data.model_copy(update={"wide": 1})).least(), sum(search.without)):
            continue
        data, greedy = data.model_copy(update={"least": least}), search.greedy()
        if knobs.beaten == "nothing":
            return Task(_render_prompt(data), data)
        tries += 1
        if search.total(greedy) > least:
            kept = kept or data
            if knobs.beaten == "greedy" or search.total(search.exchanged(greedy)) > least:
                return Task(_render_prompt(data), data)
        # Where exchanges find the cheapest choice too often, a task in which only the greedy choice is beaten is kept; one index cannot beat it.
        if tries >= TRIES and (kept or knobs.indexes < 2 or tries >= 5 * TRIES):
            return Task(_render_prompt(kept or data), kept or data)


def _sample_data(rng: Rng, knobs: Knobs, sizes: tuple[int, ...]) -> Data:
    known = NAMES[: knobs.columns]
    queries: dict[tuple[tuple[str, ...], str], int] = {}
    for _ in range(4 * knobs.queries):
        columns = rng.sample(known, rng.integer(1, min(3, knobs.columns - 1)))
        span = columns.pop() if len(columns) > 1 and rng.chance(0.4) else ""
        if len(queries) < knobs.queries:
            queries[tuple(sorted(columns)), span] = rng.integer(1, 30)
    rows = 131072 * rng.choice((1, 2, 4, 8))
    return Data(
        rows=rows,
        distinct=tuple(rng.choice(sizes) for _ in known),
        queries=tuple((often, *query) for query, often in queries.items()),
        indexes=knobs.indexes,
        wide=WIDE,
        writes=rows * rng.integer(1, 12) // 2 + rng.integer(1, 400),
        upkeep=() if knobs.beaten == "nothing" else tuple(rows * rng.integer(0, 8) // 2 for _ in known),
        least=0,
    )


def _render_prompt(data: Data) -> str:
    known = NAMES[: len(data.distinct)]
    queries_text = "\n".join(map(_describe, data.queries))
    values = ", ".join(f"{column} {count}" for column, count in zip(known, data.distinct, strict=True))
    spans = any(span for _, _, span in data.queries)
    ranges = "a column that it compares with > divides the number by 4, and the count ends; " if spans else ""
    upkeep = ", ".join(f"{column} {price}" for column, price in zip(known, data.upkeep))
    prices = f" and, for each column in it, the upkeep of that column: {upkeep}" if upkeep else ""
    return (
        f"A table has {data.rows} rows and the columns {', '.join(known)}. Number of different values in each column, all equally frequent: {values}. "
        f"Every hour these queries run:\n\n"
        f"{queries_text}\n\nA query either reads all rows of the table or uses one index (an ordered list of columns). To count the rows that it reads through "
        "an index, start with all rows of the table and go through the columns of the index in order: a column that the query compares with = divides "
        f"the number of rows by its number of different values, and the next column follows; {ranges}at the first column that the query does not compare, "
        "the count ends. Each query uses the index, or no index, with which it reads the fewest rows. The cost per hour is the number of rows read by "
        f"all runs of all queries, plus {data.writes} for each index that exists{prices}.\n\nChoose at most {count_noun(data.indexes, 'index', 'indexes')} "
        f"of at most {count_noun(data.wide, 'column')}{' each' if data.indexes > 1 else ''} so that the cost is as low as possible. If several choices "
        "are equally cheap, any one of them will do."
    )


environment = Environment(
    Knobs,
    Words(
        "the indexes in any order, each as its columns in order joined by hyphens, such as c-a, separated by spaces; or the word none for no index",
        max_items=12,
        ignore_case=True,
    ),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="many", solutions=lambda task: (choice for choice, _ in zip(_best(task.data), range(6), strict=False)),
    concept="What an index is worth is what it saves over the other ones; columns compared with = go first, a range last.",
    version=5,
)  # fmt: skip
