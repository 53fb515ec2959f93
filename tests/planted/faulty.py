"""Sound environments, and many that are broken in one way each."""

import itertools
import random  # noqa: TID251  the fault of one of them
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from pydantic import Field

from rlgym import Audit, Config, Environment, Game, Limits, Match, Rng, Score, Task, TaskData, knob
from rlgym.answers import Calls, Choice, Code, Integer, Numbers, Rational, Tool, ToolCalls, Words
from rlgym.core.layout import WRAPPERS
from rlgym.laws.reference import REFERENCE_LOOPS
from rlgym.sandbox.grading import score_program


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

# --- mistakes_rejected
ignores_the_sign = replace(sound, verify=lambda task, answer: Score.exact(abs(answer) == abs(task.data.total)))
ignores_the_last_digit = replace(sound, verify=lambda task, answer: Score.exact(answer // 10 == task.data.total // 10))
no_mistakes = replace(sound, mistakes=lambda task, right: [right])


# --- equivalent_spellings
@dataclass(frozen=True)
class Narrow(Integer):
    def parse(self, text: str) -> int:
        if text.startswith("+"):
            raise self.unreadable()
        return super().parse(text)

    def unreadable(self) -> Exception:
        from rlgym.core.answer import Unreadable

        return Unreadable("no plus sign, please")


refuses_a_spelling = replace(sound, answer=Narrow())


# --- answer_layout
@dataclass(frozen=True)
class Bare(Integer):
    layers = frozenset()


@dataclass(frozen=True)
class WithoutUnits(Integer):
    layers = WRAPPERS


@dataclass(frozen=True)
class Careless(Integer):
    def parse(self, text: str) -> int:
        bold = text.startswith("**-")
        return super().parse(text.strip("*-") if bold else text)


@dataclass(frozen=True)
class Anything(Words):
    def unknown_layout(self, response: str, style: str) -> str:
        return ""


def _in_minutes(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return Task(f"How many minutes are these together? {task.prompt}", task.data)


refuses_a_fence = replace(sound, answer=Bare())
refuses_a_unit = replace(sound, answer=WithoutUnits(), generate=_in_minutes, solve=lambda task: task.data.total)
reads_another_number_in_bold = replace(sound, answer=Careless(), mistakes=lambda task, right: [-right])
takes_layout_for_content = replace(
    sound,
    answer=Anything(),
    solve=lambda task: (str(task.data.total),),
    verify=lambda task, answer: Score.exact(answer == (str(task.data.total),)),
    mistakes=lambda task, right: [(*right, "0")],
)


# --- stated_precision
def _mean(task: Task[Data]) -> Fraction:
    return Fraction(6 * task.data.total + 1, 7)


def _mean_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return Task(f"{task.prompt} Multiply by 6, add 1 and divide by 7.", task.data)


precise = replace(
    sound,
    generate=_mean_task,
    answer=Rational("a number, exact or rounded to 4 significant digits", digits=4),
    solve=_mean,
    verify=lambda task, answer: Score.exact(answer == _mean(task)),
    mistakes=lambda task, right: [right + 1],
    explain=None,
    replay=None,
    shift=None,
)
keeps_its_precision_quiet = replace(precise, answer=Rational("a number"))
refuses_rounded_decimals = replace(precise, verify=lambda task, answer: Score.exact(answer - _mean(task) == 0))
rounds_too_much = replace(precise, verify=lambda task, answer: Score.exact(abs(answer - _mean(task)) < 1 + abs(answer) / 100))

# --- mutation_score
programs = replace(
    sound,
    answer=Code(),
    solve=lambda task: "def solve(a, b):\n    return a + b",
    verify=lambda task, answer, runner: score_program(runner, answer, [("(2, 2)", "4"), ("(0, 0)", "0"), ("(1, 3)", "4")]),
    mistakes=lambda task, right: ["def solve(a, b):\n    return a - b"],
    sandbox=Limits(seconds=1),
    audit=lambda task, runner: Audit(("def solve(a, b):\n    return a - b", "def solve(a, b):\n    return a * 2"), (solve_in_words,)),
)
solve_in_words = "def solve(a, b):\n    return sum([a, b])"
tests_that_miss = replace(programs, verify=lambda task, answer, runner: score_program(runner, answer, [("(2, 2)", "4"), ("(0, 0)", "0")]))
contracts = replace(sound, audit=lambda task: Audit((task.data.total + 1, task.data.total - 7, -task.data.total - 1), (task.data.total,)))
tests_without_programs_that_miss = replace(contracts, verify=lambda task, answer: Score.exact((answer - task.data.total) % 7 == 0))
refuses_another_program = replace(
    programs,
    verify=lambda task, answer, runner: Score.exact(score_program(runner, answer, [("(1, 3)", "4")]).value == 1 and "a + b" in answer),
)

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


# --- independent_solver
def _digit_sum(numbers: tuple[int, ...]) -> int:
    """Adds digit by digit, and loses the last carry."""
    total, carry, place = 0, 0, 1
    positive = [number for number in numbers if number > 0]
    while place <= max(positive, default=0):
        digits = sum(number // place % 10 for number in positive) + carry
        carry = digits // 10
        total += digits % 10 * place
        place *= 10
    return total


def _with_shared_helper(rng: Rng, knobs: Knobs) -> Task[Data]:
    numbers = tuple(rng.integer(1, knobs.bound) for _ in range(knobs.size))
    return Task(f"Add {numbers}.", Data(numbers=numbers, total=_digit_sum(numbers)))


def _numbers(prompt: str) -> tuple[int, ...]:
    return tuple(int(number) for number in prompt[5:-2].split(","))


shares_a_wrong_helper = replace(
    sound,
    generate=_with_shared_helper,
    solve=lambda task: _digit_sum(task.data.numbers),
    prompt_solver=lambda prompt: sum(_numbers(prompt)),
)
hides_its_shared_helper = replace(
    sound,
    generate=_with_shared_helper,
    solve=lambda task: _digit_sum(task.data.numbers),
    verify=lambda task, answer: Score.exact(answer == _digit_sum(task.data.numbers)),
)
copies_the_shared_helper = replace(
    sound,
    generate=_with_shared_helper,
    solve=lambda task: _digit_sum(task.data.numbers),
    prompt_solver=lambda prompt: _digit_sum(_numbers(prompt)),
)
solves_apart = replace(sound, prompt_solver=lambda prompt: sum(_numbers(prompt)))

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

# --- explanations_and_hints
leaks_in_feedback = replace(sound, verify=lambda task, answer: Score.exact(answer == task.data.total, f"it is {task.data.total}"))
explains_something_else = replace(sound, explain=lambda task: ["Think.", "The sum is what it is."])

# --- step_verification
refuses_its_explanation = replace(sound, replay=lambda task, steps: 0)
finds_every_step_right = replace(sound, replay=lambda task, steps: None)
replays_without_explaining = replace(sound, explain=None)
compares_with_its_explanation = replace(sound, replay=lambda task, steps: None if steps == explain(task) else 0)

# --- pictures
draws_unclosed_tags = replace(sound, picture=lambda task: picture(task)[:-6])
draws_a_script = replace(sound, picture=lambda task: picture(task).replace("text", "script"))
draws_the_same_for_all = replace(sound, picture=lambda task: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')


# --- games
class State(TaskData):
    hidden: int
    said: tuple[int, ...] = ()


def _start(rng: Rng, knobs: Knobs) -> State:
    return State(hidden=rng.integer(1, knobs.bound))


sound_game = Game(
    Knobs,
    Integer(),
    _start,
    lambda state: f"Say {state.hidden} and then the next number." if not state.said else "Go on.",
    lambda state, answer: state.model_copy(update={"said": (*state.said, answer)}),
    lambda state: None if len(state.said) < 2 else Score.exact(state.said == (state.hidden, state.hidden + 1), "not as asked"),
    lambda state: state.hidden + len(state.said),
    lambda state: [state.hidden, state.hidden - 1],
    lambda state: state.hidden,
    lambda state: 2,
    concept="Do as you are told.",
)
game_with_a_wrong_oracle = replace(sound_game, best=lambda state: state.hidden)
game_that_pays_everybody = replace(sound_game, outcome=lambda state: Score.exact(True) if len(state.said) == 2 else None)
game_that_raises = replace(sound_game, act=lambda state, answer: state.model_copy(update={"said": (*state.said, 10 // answer)}))


_moves: list[int] = []


def _act_in_memory(state: State, answer: int) -> State:
    _moves.append(answer)
    return state.model_copy(update={"said": (*state.said, answer)})


game_that_remembers = replace(
    sound_game,
    act=_act_in_memory,
    show=lambda state: f"Say {state.hidden} and then {state.hidden + 1}." if not state.said else f"{len(_moves)} moves.",
)


# --- worlds and matches
class Put(Tool):
    """Puts a number down."""

    number: int = Field(ge=0, le=10**6)


class Finish(Tool):
    """Ends the work."""


class World(TaskData):
    asked: int
    put: tuple[int, ...] = ()
    finished: bool = False


def _in_world(world: World, calls: Calls) -> World:
    put = tuple(call.number for call in calls if isinstance(call, Put))
    return world.model_copy(update={"put": (*world.put, *put), "finished": world.finished or Finish() in calls})


sound_world = Game(
    Knobs,
    ToolCalls((Put, Finish)),
    lambda rng, knobs: World(asked=rng.integer(2, knobs.bound)),
    lambda world: f"Put down {world.asked}, then half of it, rounded down, nothing else, and finish.",
    _in_world,
    lambda world: Score.exact(world.put == (world.asked, world.asked // 2), "other numbers") if world.finished else None,
    lambda world: (Put(number=world.asked), Put(number=world.asked // 2), Finish()),
    lambda world: [(Put(number=world.asked), Finish())],
    lambda world: world.asked,
    lambda world: 3,
    concept="Do as you are told.",
    no_rules="The goal is all that the task states.",
)
sound_world.start.__annotations__["return"] = World
world_won_by_doing_nothing = replace(sound_world, outcome=lambda world: Score.exact(world.finished) if world.finished else None)
world_won_by_random_calls = replace(sound_world, outcome=lambda world: Score.exact(True) if world.put else None)


def _skip_half(world: World) -> Calls:
    return (Put(number=world.asked), Finish())


def _skip_end(world: World) -> Calls:
    return sound_world.best(world)[:-1]


world_with_rules = replace(sound_world, rules=lambda world: {"half": _skip_half, "end": _skip_end}, no_rules="")
world_that_checks_one_rule = replace(
    world_with_rules, outcome=lambda world: Score.exact(world.asked in world.put, "other numbers") if world.finished else None
)
world_with_an_idle_rule = replace(
    sound_world,
    show=lambda world: f"{sound_world.show(world)} If the number is above {10**6}, put down 7 too.",
    rules=lambda world: {"half": _skip_half, "seven": sound_world.best},
    no_rules="",
)
world_without_rules_or_a_reason = replace(sound_world, no_rules="")
world_with_rules_and_a_reason = replace(world_with_rules, no_rules="The goal is all that the task states.")
world_that_declares_no_rules = replace(sound_world, show=lambda world: f"{sound_world.show(world)}\n\nRules, all of which hold:\n1. No 7.")


class GetNumber(Tool):
    """Shows the number."""


world_won_by_looking_up = replace(
    sound_world,
    answer=ToolCalls((Put, GetNumber, Finish)),
    act=lambda world, calls: world.model_copy(
        update={"put": (*world.put, *(7 for call in calls if call == GetNumber())), "finished": world.finished or Finish() in calls}
    ),
    outcome=lambda world: Score.exact(bool(world.put)) if world.finished else None,
)


class Walk(TaskData):
    doors: tuple[str, ...]
    opened: tuple[str, ...] = ()


def _doors_ahead(rng: Rng, knobs: Knobs) -> Walk:
    return Walk(doors=tuple(rng.choice(("left", "right")) for _ in range(3)))


game_won_by_cycling = Game(
    Knobs,
    Choice(("left", "right")),
    _doors_ahead,
    lambda walk: f"Three doors lie behind one another, left or right. {len(walk.opened)} are open.",
    lambda walk, side: walk.model_copy(update={"opened": (*walk.opened, side)}) if side == walk.doors[len(walk.opened)] else walk,
    lambda walk: Score.exact(True) if len(walk.opened) == 3 else None,
    lambda walk: walk.doors[len(walk.opened)],
    lambda walk: ["left" if walk.doors[len(walk.opened)] == "right" else "right"],
    lambda walk: 3,
    lambda walk: 6,
)


class Coin(TaskData):
    said: tuple[int, ...] = ()


match_won_at_random = Match(
    Knobs,
    Integer(),
    lambda rng, knobs: Coin(),
    lambda coin, player: "Say 0, 1, 2 or 3. I say one too. You lose with 3.",
    lambda coin: len(coin.said) % 2,
    lambda coin: [0, 1, 2, 3],
    lambda coin, move: Coin(said=(*coin.said, move)),
    lambda coin: ((-1.0, 1.0) if coin.said[0] == 3 else (1.0, -1.0)) if len(coin.said) == 2 else None,
    lambda coin: 0,
    lambda coin: 0,
    lambda coin: 1.0,
    lambda coin: "random",
    lambda coin: 0,
    lambda coin: [3],
    lambda coin: 1.0,
    lambda coin: 2,
)
match_won_at_random.start.__annotations__["return"] = Coin


# --- opponent_strength
class Heap(TaskData):
    left: int
    strong: bool
    player: int = 0


def _heap(rng: Rng, knobs: Knobs) -> Heap:
    # Taking three leaves a heap that the other player wins.
    return Heap(left=4 * rng.integer(12, 30) + rng.integer(1, 2), strong=knobs.size >= 9)


def _take(heap: Heap, count: int) -> Heap:
    return heap.model_copy(update={"left": heap.left - count, "player": 1 - heap.player})


def _leave_four(heap: Heap) -> int:
    return heap.left % 4 or 1


sound_match = Match(
    Knobs,
    Integer(),
    _heap,
    lambda heap, player: f"There are {heap.left} counters. We take from 1 to 3 in turn. The player who takes the last one wins.",
    lambda heap: heap.player,
    lambda heap: [*range(1, min(3, heap.left) + 1)],
    _take,
    lambda heap: None if heap.left else (-1.0, 1.0) if heap.player == 0 else (1.0, -1.0),
    _leave_four,
    lambda heap: min(3, heap.left),
    lambda heap: 1.0,
    lambda heap: "exact" if heap.strong else "greedy",
    lambda heap: 0,
    lambda heap: [4],
    lambda heap: float(heap.left),
    lambda heap: heap.left,
)
match_with_a_random_opponent = replace(sound_match, opponent=lambda heap: "random")
match_with_a_weak_opponent = replace(sound_match, opponent=lambda heap: "greedy")
match_with_a_random_opponent_at_level_0 = replace(sound_match, opponent=lambda heap: "exact" if heap.strong else "random")
match_won_by_greedy_play = replace(sound_match, greedy=_leave_four)
match_that_forgives_the_first_move = replace(
    sound_match,
    opponent=lambda heap: "lookahead" if heap.strong else "greedy",
    lookahead=lambda heap: _leave_four(heap) if heap.left <= 16 else 1,
)
match_of_two_moves = replace(sound_match, start=lambda rng, knobs: Heap(left=rng.integer(5, 6), strong=knobs.size >= 9))
