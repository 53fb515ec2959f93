"""Count the orders in which votes can be counted while a candidate's lead keeps within bounds."""

from math import comb

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.counting import Recurrence, told

State = tuple[int, int]


class Knobs(Config):
    votes: int = knob(10, easy=5, hard=32, doc="votes, about")
    behind: int = knob(1, easy=0, hard=3, doc="how much the first candidate may fall behind")
    tallies: int = knob(2, easy=1, hard=5, doc="counts that may not be reached at any moment")
    roof: str = knob("none", easy="none", hard="some", order=("none", "some"), doc="whether the lead is bounded above too")


class Data(TaskData):
    first: int
    second: int
    factor: int
    low: int
    high: int | None
    never: tuple[tuple[int, int], ...]
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    votes = max(5, knobs.votes + rng.integer(-1, 2))
    first = votes // 2 + rng.integer(0, 1 + votes // 8) + votes % 2
    low = -rng.integer(0, knobs.behind) + rng.integer(0, 1) * (first > votes - first)
    high = 2 * first - votes + rng.integer(1, 2 + votes // 8) if knobs.roof == "some" else None
    return _told(rng, knobs, Data(first=first, second=votes - first, factor=1, low=low, high=high, never=(), count=0))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The first candidate must always have twice (or three times) as many votes as the other, about."""
    factor, low = rng.integer(2, 3), rng.integer(-knobs.behind, 1)
    second = max(2, (knobs.votes + rng.integer(-1, 3)) * 4 // (3 * factor))
    first = factor * second + rng.integer(1, 4)
    high = first - factor * second + second // 2 + rng.integer(4, 7) if knobs.roof == "some" else None
    return _told(rng, knobs, Data(first=first, second=second, factor=factor, low=low, high=high, never=(), count=0))


def _told(rng: Rng, knobs: Knobs, data: Data) -> Task[Data]:
    inner = [
        (a, b)
        for a in range(1, data.first + 1)
        for b in range(data.second + 1)
        if _allowed(data, a, b) and 2 <= a + b < data.first + data.second
    ]
    for tally in rng.shuffled(inner):
        fewer = data.model_copy(update={"never": (*data.never, tally)})
        if len(data.never) < knobs.tallies and _recurrence(fewer).count > 1:
            data = fewer
    one, two = rng.sample(("Ada", "Bruno", "Chen", "Dalia", "Emil", "Fatima", "Goran", "Hana", "Ivo", "Jun"), 2)
    of_two = f"{two}'s" if data.factor == 1 else f"{data.factor} times {two}'s"
    least = f"not less than {of_two} minus {-data.low}" if data.low < 0 else f"more than {of_two}" if data.low else f"at least {of_two}"
    roof = f", and never more than {data.high} above {of_two}" if data.high is not None else ""
    never = " nor ".join(f"{a} for {one} and {b} for {two}" for a, b in sorted(data.never))
    prompt = (
        f"In an election {one} got {data.first} votes and {two} got {data.second}. The votes are counted one after the other; only for whom each "
        f"vote is matters. In how many orders can they be counted so that after every single vote {one}'s number of votes is {least}{roof}"
        f"{f', and the count at no moment is {never}' if never else ''}?"
    )
    return Task(prompt, data.model_copy(update={"count": _recurrence(data).count}))


def solve(task: Task[Data]) -> int:
    """Vote by vote from the first, with a table of how many votes the second candidate has."""
    data, table = task.data, {0: 1}
    for counted in range(1, data.first + data.second + 1):
        after: dict[int, int] = {}
        for before, orders in table.items():
            for second in (before, before + 1):
                if second <= data.second and counted - second <= data.first and _allowed(data, counted - second, second):
                    after[second] = after.get(second, 0) + orders
        table = after
    return table.get(data.second, 0)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "there is another number of orders")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    every = comb(data.first + data.second, data.second)
    return [every, every - right, right + 1, every * (data.first - data.second) // (data.first + data.second), 2 * right]


def cost(task: Task[Data]) -> float:
    return _recurrence(task.data).work


def _allowed(data: Data, first: int, second: int) -> bool:
    lead = first - data.factor * second
    return data.low <= lead and (data.high is None or lead <= data.high) and (first, second) not in data.never


def _recurrence(data: Data) -> Recurrence[State]:
    def parts(state: State) -> int | list[tuple[int, State]]:
        first, second = state
        if not any(state):
            return 1
        if not _allowed(data, first, second):
            return 0
        return [(1, (first - 1, second))] * (first > 0) + [(1, (first, second - 1))] * (second > 0)

    return Recurrence((data.first, data.second), parts, lambda state: f"orders of {state[0]} to {state[1]}")


explain, replay = told(_recurrence, Integer(), verify)

environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    concept="The last vote was for one of the two: the orders up to a count are those of the two counts before it, where these are allowed.",
)
