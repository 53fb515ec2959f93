"""Count the ways to write a number as a sum of parts that keep certain rules."""

from itertools import count

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.draws import draw_rare
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution
from rlgym.generators.text.english import count_noun, join_words

CONCEPT = "Choose the largest part (or the first one): what is left is the same question for a smaller number with one part less."
State = tuple[int, int, int]
RULES = ("any", "odd", "apart", "residues")


class Knobs(Config):
    number: int = knob(26, easy=16, hard=64, doc="approximate size of the number")
    rules: str = knob("apart", easy="any", hard="residues", order=RULES, doc="the rule for the parts, and the easier ones")
    parts: int = knob(4, easy=3, hard=7, doc="approximate number of parts")


class Data(TaskData):
    number: int
    parts: int
    sizes: tuple[int, ...]
    gap: int
    ordered: bool
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_rare(rng, knobs, ordered=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Sums in which the order of the parts matters, and neighbours must differ."""
    return _sample_rare(rng, knobs, ordered=True)


def _sample_rare(rng: Rng, knobs: Knobs, ordered: bool) -> Task[Data]:
    """Of several tasks with small numbers one whose count is rare."""
    return draw_rare(lambda: _sample_task(rng, knobs, ordered), lambda task: task.data.count, 16 if knobs.number < 24 else 1)


def _sample_task(rng: Rng, knobs: Knobs, ordered: bool) -> Task[Data]:
    for tries in count():
        number = max(6, (knobs.number * 5 // 8 if ordered else knobs.number) + rng.integer(-2, 3)) + tries // 40
        parts = max(2, knobs.parts + rng.integer(-1, 1) - tries // 20)
        rule = rng.choice(RULES[: RULES.index(knobs.rules) + 1][-2:])
        largest = rng.integer(number // parts + 2, number - 1)
        smallest = rng.integer(1, 2)
        divisor = rng.integer(3, 4)
        rest = rng.integer(0, divisor - 1)
        sizes = [size for size in range(smallest, largest + 1) if rule != "residues" or size % divisor != rest]
        sizes = [size for size in sizes if rule != "odd" or size % 2]
        left_out = sorted(rng.sample(sizes, min(rng.integer(1, 3), len(sizes) - 1)))
        sizes = [size for size in sizes if size not in left_out]
        gap = rng.integer(1, 2) if rule in ("apart", "residues") or ordered else 0
        data = Data(number=number, parts=parts, sizes=tuple(sizes), gap=gap, ordered=ordered, count=0)
        if sizes and (ways := _recurrence(data).count) > (knobs.number // 2 if tries < 40 else 1):
            break
    odd = "odd " if rule == "odd" else ""
    low, high = min(sizes), max(sizes)
    inner = [str(size) for size in left_out if low < size < high]
    rule_texts = [f"each part is an {odd}integer from {low} to {high}" + (f" other than {join_words(inner, 'or')}" if inner else "")]
    rule_texts += [f"no part leaves the remainder {rest} when divided by {divisor}"] if rule == "residues" else []
    pairs = "two neighbouring parts" if ordered else "two parts"
    rule_texts += [f"any {pairs} differ by at least {gap}" if gap > 1 else f"no {pairs} are equal"] if gap else []
    order = "The order of the parts matters." if ordered else "The order of the parts does not matter."
    prompt = f"In how many ways can {number} be written as a sum of exactly {parts} parts, if {join_words(rule_texts, 'and')}? {order}"
    return Task(prompt, data.model_copy(update={"count": ways}))


def solve(task: Task[Data]) -> int:
    """Dynamic programming over sums: the sizes are admitted one by one, or the parts are placed one by one."""
    data = task.data
    if not data.ordered:
        table = {(0, 0, -9): 1}  # sum, parts, largest size used
        for size in data.sizes:
            for (total, parts, last), ways in list(table.items()):
                most = 1 if data.gap else data.parts - parts
                for copies in range(1, most + 1):
                    if size - last >= data.gap and total + copies * size <= data.number and parts + copies <= data.parts:
                        key = (total + copies * size, parts + copies, size)
                        table[key] = table.get(key, 0) + ways
        return sum(ways for (total, parts, _), ways in table.items() if (total, parts) == (data.number, data.parts))
    rows = {(0, -9): 1}
    for _ in range(data.parts):
        after: dict[tuple[int, int], int] = {}
        for (total, last), ways in rows.items():
            for size in data.sizes:
                if abs(size - last) >= data.gap and total + size <= data.number:
                    after[total + size, size] = after.get((total + size, size), 0) + ways
        rows = after
    return sum(ways for (total, _), ways in rows.items() if total == data.number)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of ways is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    free = _recurrence(data.model_copy(update={"gap": 0})).count
    return [free, right + 1, right - 1, _recurrence(data.model_copy(update={"ordered": not data.ordered})).count]


def cost(task: Task[Data]) -> float:
    return _recurrence(task.data).work


def _recurrence(data: Data) -> Recurrence[State]:
    least, most = data.sizes[0], data.sizes[-1]

    def parts(state: State) -> int | list[tuple[int, State]]:
        remaining, many, last = state
        if many == 0 or not many * least <= remaining <= many * most:
            return int(remaining == 0 and many == 0)
        sizes = [
            size for size in data.sizes if size <= remaining and (abs(last - size) >= data.gap if data.ordered else size <= last - data.gap)
        ]
        return [(1, (remaining - size, many - 1, size)) for size in sizes]

    def name(state: State) -> str:
        after = "" if state[2] > data.number else f" after the part {state[2]}"
        return f"ways for {state[0]} in {count_noun(state[1], 'part')}{after}"

    return Recurrence((data.number, data.parts, 2 * data.number + 2), parts, name)


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
    version=6,
)
