"""Count the orders in which votes can be counted while a candidate's lead keeps within bounds."""

from collections.abc import Callable
from math import comb

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.draws import draw_rare, draw_short
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution
from rlgym.generators.text.english import join_words

CONCEPT = "The last vote was for one of the two: the orders up to a count are those of the two counts before it, where these are allowed."
State = tuple[int, int]


MOST_VOTES = 54  # of both candidates in the shifted family


class Knobs(Config):
    votes: int = knob(10, easy=7, hard=32, doc="approximate number of votes")
    deficit: int = knob(1, easy=0, hard=3, doc="how many votes the first candidate may be behind")
    tallies: int = knob(2, easy=1, hard=5, doc="counts that may not be reached at any moment")
    upper_bound: str = knob("none", easy="none", hard="some", order=("none", "some"), doc="whether the lead also has an upper bound")


class Data(TaskData):
    first: int
    second: int
    factor: int
    low: int
    high: int | None
    never: tuple[tuple[int, int], ...]
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _simple_lead)


def _simple_lead(rng: Rng, knobs: Knobs) -> Data:
    votes = max(5, knobs.votes + rng.integer(-1, 2))
    first = votes // 2 + rng.integer(0, 1 + votes // 8) + votes % 2
    low = -rng.integer(0, knobs.deficit) + rng.integer(0, 1) * (first > votes - first)
    high = 2 * first - votes + rng.integer(1, 2 + votes // 8) if knobs.upper_bound == "some" else None
    return Data(first=first, second=votes - first, factor=1, low=low, high=high, never=(), count=0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The first candidate must always have twice (or three times) as many votes as the other, about."""
    return draw_short(lambda: _sample_task(rng, knobs, _multiple_lead), lambda task: task.data.count)


def _multiple_lead(rng: Rng, knobs: Knobs) -> Data:
    factor, low = rng.integer(2, 3), rng.integer(-knobs.deficit, 1)
    second = max(2, min((knobs.votes + rng.integer(-1, 3)) * 4 // (3 * factor), MOST_VOTES // (factor + 1)))
    first = factor * second + rng.integer(1, 4)
    high = first - factor * second + 2 * second + rng.integer(4, 7) if knobs.upper_bound == "some" else None
    return Data(first=first, second=second, factor=factor, low=low, high=high, never=(), count=0)


def _sample_task(rng: Rng, knobs: Knobs, draw: Callable[[Rng, Knobs], Data]) -> Task[Data]:
    """Few votes have few different counts, so a task with a rare one is taken."""
    return draw_rare(lambda: _restrict(rng, knobs, draw(rng, knobs)), lambda task: task.data.count, 24 if knobs.votes < 10 else 1)


def _restrict(rng: Rng, knobs: Knobs, data: Data) -> Task[Data]:
    inner_counts = [
        (a, b)
        for a in range(1, data.first + 1)
        for b in range(data.second + 1)
        if _is_allowed(data, a, b) and 2 <= a + b < data.first + data.second
    ]
    for tally in rng.shuffled(inner_counts):
        restricted = data.model_copy(update={"never": (*data.never, tally)})
        if len(data.never) < knobs.tallies and _recurrence(restricted).count > 1:
            data = restricted
    candidate_a, two = rng.sample(("Ada", "Bruno", "Chen", "Dalia", "Emil", "Fatima", "Goran", "Hana", "Ivo", "Jun"), 2)
    of_two = f"{two}'s" if data.factor == 1 else f"{data.factor} times {two}'s"
    least = f"not less than {of_two} minus {-data.low}" if data.low < 0 else f"more than {of_two}" if data.low else f"at least {of_two}"
    roof = f", and never more than {data.high} above {of_two}" if data.high is not None else ""
    tallies = [f"{a} for {candidate_a} and {b} for {two}" for a, b in sorted(data.never)]
    never = join_words(tallies, "or") if tallies else ""
    prompt = (
        f"In an election {candidate_a} got {data.first} votes and {two} got {data.second}. The votes are counted one by one; votes for the "
        f"same candidate are indistinguishable. In how many orders can they be counted so that after every single vote {candidate_a}'s number of votes "
        f"is {least}{roof}{f', and the count is never {never}' if never else ''}?"
    )
    return Task(prompt, data.model_copy(update={"count": _recurrence(data).count}))


def solve(task: Task[Data]) -> int:
    """Dynamic programming vote by vote over the votes of the second candidate."""
    data, table = task.data, {0: 1}
    for counted in range(1, data.first + data.second + 1):
        after: dict[int, int] = {}
        for before, orders in table.items():
            for second in (before, before + 1):
                if second <= data.second and counted - second <= data.first and _is_allowed(data, counted - second, second):
                    after[second] = after.get(second, 0) + orders
        table = after
    return table.get(data.second, 0)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of orders is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    all_orders = comb(data.first + data.second, data.second)
    return [all_orders, all_orders - right, right + 1, all_orders * (data.first - data.second) // (data.first + data.second), 2 * right]


def cost(task: Task[Data]) -> float:
    return _recurrence(task.data).work


def _is_allowed(data: Data, first: int, second: int) -> bool:
    lead = first - data.factor * second
    return data.low <= lead and (data.high is None or lead <= data.high) and (first, second) not in data.never


def _recurrence(data: Data) -> Recurrence[State]:
    def parts(state: State) -> int | list[tuple[int, State]]:
        first, second = state
        if not any(state):
            return 1
        if not _is_allowed(data, first, second):
            return 0
        return [(1, (first - 1, second))] * (first > 0) + [(1, (first, second - 1))] * (second > 0)

    return Recurrence((data.first, data.second), parts, lambda state: f"orders of {state[0]} to {state[1]}")


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=recurrence_solution(_recurrence),
    shift=shift,
    concept=CONCEPT,
    chains=True,
    version=5,
)
