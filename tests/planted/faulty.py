"""Sound environments, and many that are broken in one way each."""

import itertools
import random  # noqa: TID251  the fault of one of them
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer, Numbers, Rationals, Words
from rlgym.laws.reference import REFERENCE_LOOPS


def reference_loops(count: int) -> int:
    """Keeps the processor busy for this many reference loops of the laws, about a millisecond each."""
    return sum(i * i % 7 for i in range(count * REFERENCE_LOOPS))


class Knobs(Config):
    size: int = knob(5, easy=3, hard=30, doc="how many numbers are added")
    bound: int = knob(1000, easy=100, hard=100_000, doc="the largest number")


class Data(TaskData):
    numbers: tuple[int, ...]
    total: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    numbers = tuple(rng.integer(-knobs.bound, knobs.bound) for _ in range(knobs.size))
    return Task(f"Add {numbers}.", Data(numbers=numbers, total=sum(numbers)))


def solve(task: Task[Data]) -> int:
    return sum(int(number) for number in task.prompt[5:-2].split(","))


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.total, "the sum is another number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    return [right + 10, -right, right - task.data.numbers[-1]]


def cost(task: Task[Data]) -> float:
    return len(task.data.numbers)


def explain(task: Task[Data]) -> list[str]:
    running = itertools.accumulate(task.data.numbers)
    return [*(f"so far {number}" for number in running), f"The sum is {task.data.total}."]


def replay(task: Task[Data], steps: list[str]) -> int | None:
    running = [*itertools.accumulate(task.data.numbers), task.data.total]
    for at, (step, so_far) in enumerate(zip(steps, running)):
        if step.rstrip(".").split()[-1] != str(so_far):
            return at
    return None


def picture(task: Task[Data]) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>{task.data.numbers}</text></svg>'


def another_family(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    numbers = tuple(abs(number) + 1 for number in task.data.numbers)
    return Task(f"Add {numbers}.", Data(numbers=numbers, total=sum(numbers)))


sound = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=another_family,
    picture=picture,
    concept="Add one number at a time.",
)


# --- prompt_quality
def _counts_one_number(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return replace(task, prompt=f"{task.prompt} The result may be missed by 1 units.")


def _asks_oddly(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return replace(task, prompt=f"{task.prompt} The sum is worked out from left to right.")


def _spans_one_number(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return replace(task, prompt=f"{task.prompt} Use 1 to 1 lines.")


plural_after_one = replace(sound, generate=_counts_one_number)
range_of_one_number = replace(sound, generate=_spans_one_number)
unidiomatic_prompt = replace(sound, generate=_asks_oddly)
form_names_what_is_absent = replace(sound, answer=Integer("one integer, or the word impossible and k"))


# --- determinism
def _global(rng: Rng, knobs: Knobs) -> Task[Data]:
    numbers = tuple(random.randint(-knobs.bound, knobs.bound) for _ in range(knobs.size))
    return Task(f"Add {numbers}.", Data(numbers=numbers, total=sum(numbers)))


def _from_a_set(rng: Rng, knobs: Knobs) -> Task[Data]:
    names = {f"n{rng.integer(1, 10**6)}" for _ in range(knobs.size)}
    numbers = tuple(int(name[1:]) for name in names)
    return Task(f"Add {numbers}.", Data(numbers=numbers, total=sum(numbers)))


_drawn = []


def _remembers(rng: Rng, knobs: Knobs) -> Task[Data]:
    _drawn.append(1)
    task = generate(rng, knobs)
    numbers = (*task.data.numbers, len(_drawn))
    return Task(f"Add {numbers}.", Data(numbers=numbers, total=sum(numbers)))


global_randomness = replace(sound, generate=_global)
set_order_leak = replace(sound, generate=_from_a_set)
remembers_earlier_tasks = replace(sound, generate=_remembers)

# --- oracle_accuracy
wrong_oracle = replace(sound, solve=lambda task: task.data.total + (task.data.numbers[0] % 7 == 0))
fails_in_a_corner = replace(sound, solve=lambda task: task.data.total + (len(task.data.numbers) == 30 and max(task.data.numbers) <= 100))

# --- completeness
claims_to_be_unique = replace(sound, answers="unique", solutions=lambda task: [task.data.total, task.data.total + 1])
two_right_answers = replace(sound, answers="many", solutions=lambda task: [task.data.total, -task.data.total])
claims_many = replace(sound, answers="many", solutions=lambda task: [task.data.total])

# --- no_free_reward
accepts_everything = replace(sound, verify=lambda task, answer: Score.exact(True))
pays_for_trying = replace(sound, verify=lambda task, answer: Score.partial(1.0 if answer == task.data.total else 0.01), partial=True)


def _parity(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return Task(f"{task.prompt} Is it odd? Answer 1 or 0.", Data(numbers=task.data.numbers, total=task.data.total % 2))


# --- constant_answer, prompt_copying
too_small_a_pool = replace(sound, generate=_parity, solve=lambda task: task.data.total)


def _parity_if_easy(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _parity(rng, knobs) if knobs.size == 3 else generate(rng, knobs)


def _ends_with_the_answer(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return Task(f"{task.prompt} Somebody says that the sum is {task.data.total}", task.data)


def _interval(rng: Rng, knobs: Knobs) -> Task[Data]:
    low = rng.integer(1, knobs.bound)
    high = low + 4 * rng.integer(1, knobs.bound)
    return Task(f"Cut the interval from {low} to {high} into 4 equal pieces. Name its 5 points.", Data(numbers=(low, high), total=0))


level_0_has_two_answers = replace(sound, generate=_parity_if_easy, solve=lambda task: task.data.total)
names_its_answer = replace(sound, generate=_ends_with_the_answer, solve=lambda task: task.data.total)
spaces_evenly = replace(
    sound,
    answer=Numbers(),
    generate=_interval,
    solve=lambda task: tuple(task.data.numbers[0] + (task.data.numbers[1] - task.data.numbers[0]) * k // 4 for k in range(5)),
    verify=lambda task, answer: Score.exact(len(answer) == 5 and answer[0] == task.data.numbers[0] and answer[-1] == task.data.numbers[1]),
)
crowds_to_one_end = replace(
    spaces_evenly,
    solve=lambda task: tuple(
        Fraction(task.data.numbers[0]) + Fraction((task.data.numbers[1] - task.data.numbers[0]) * k * k, 16) for k in range(5)
    ),
    verify=lambda task, answer: Score.exact(answer == crowds_to_one_end.solve(task)),
    answer=Rationals("the points"),
)


def _letters(rng: Rng, knobs: Knobs) -> Task[Data]:
    first, second, third = rng.sample("bcdfghjk", 3)
    return Task(
        f"Write a word with the letters {first}, {second}, {third} that machine {rng.integer(1, 9)} takes.", Data(numbers=(), total=0)
    )


def _asks_for_more(rng: Rng, knobs: Knobs) -> Task[Data]:
    numbers = tuple(rng.integer(-knobs.bound, knobs.bound) for _ in range(knobs.size))
    return Task(f"Which is the least number above {numbers[-1]} in my list?", Data(numbers=numbers, total=numbers[-1] + 1))


takes_letters_in_turn = replace(
    sound,
    answer=Words(),
    generate=_letters,
    solve=lambda task: (task.prompt[30] + task.prompt[33] + task.prompt[30],),
    verify=lambda task, answer: Score.exact(answer == takes_letters_in_turn.solve(task)),
)
adds_one_to_a_number = replace(sound, generate=_asks_for_more, solve=lambda task: task.data.total)

# --- mistakes_rejected
ignores_the_sign = replace(sound, verify=lambda task, answer: Score.exact(abs(answer) == abs(task.data.total)))
ignores_the_last_digit = replace(sound, verify=lambda task, answer: Score.exact(answer // 10 == task.data.total // 10))
no_mistakes = replace(sound, mistakes=lambda task, right: [right])


# --- robustness
crashes_on_odd_answers = replace(sound, verify=lambda task, answer: Score.exact(1000 // answer >= 0 and answer == task.data.total))


@dataclass(frozen=True)
class Quadratic(Integer):
    def parse(self, text: str) -> int:
        if len(text) > 100_000 and text.startswith("9"):
            reference_loops(6000)  # as a quadratic parser would: three times what the law allows
        return super().parse(text)


slow_on_long_text = replace(sound, answer=Quadratic())

# --- monotonic_difficulty
flat_difficulty = replace(sound, cost=lambda task: 5.0)
easier_with_level = replace(sound, cost=lambda task: -len(task.data.numbers))


# --- diversity
def _few(rng: Rng, knobs: Knobs) -> Task[Data]:
    return generate(Rng("few", rng.integer(0, 400)), knobs)


repeats_itself = replace(sound, generate=_few)


# --- serialization
_answers: dict[tuple[int, ...], int] = {}


def _kept_in_memory(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    _answers[task.data.numbers] = task.data.total
    return Task(task.prompt, Data(numbers=task.data.numbers, total=0))


judges_from_memory = replace(
    sound, generate=_kept_in_memory, verify=lambda task, answer: Score.exact(_answers.get(task.data.numbers) == answer)
)


class Lossy(Data):
    secret: MappingProxyType = MappingProxyType({})  # type: ignore[type-arg]
    model_config = {"arbitrary_types_allowed": True, "frozen": True}


def _lossy(rng: Rng, knobs: Knobs) -> Task[Lossy]:
    task = generate(rng, knobs)
    return Task(task.prompt, Lossy(numbers=task.data.numbers, total=task.data.total, secret=MappingProxyType({"a": 1})))


loses_data = replace(sound, generate=_lossy)


# --- speed
def _slow(rng: Rng, knobs: Knobs) -> Task[Data]:
    reference_loops(100)
    return generate(rng, knobs)


slow = replace(sound, generate=_slow)


def _slow_for_one_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    if task.prompt in SLOW_PROMPTS:
        reference_loops(200)
    return task


SLOW_PROMPTS = set[str]()
slow_for_one_task = replace(sound, generate=_slow_for_one_task)
