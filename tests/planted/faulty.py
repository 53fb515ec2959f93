"""One sound environment and many that are broken in one way each; every law must catch the fault it is there for."""

import itertools
import random  # noqa: TID251  the fault of one of them
import time  # the fault of another
from dataclasses import dataclass, replace
from types import MappingProxyType

from pydantic import Field

from rlgym import Audit, Config, Environment, Game, Limits, Match, Rng, Score, Task, TaskData, knob
from rlgym.answers import Calls, Code, Integer, Tool, ToolCalls
from rlgym.sandbox.grading import judged


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
    made = generate(rng, knobs)
    numbers = tuple(abs(number) + 1 for number in made.data.numbers)
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


# --- deterministic
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
    made = generate(rng, knobs)
    numbers = (*made.data.numbers, len(_drawn))
    return Task(f"Add {numbers}.", Data(numbers=numbers, total=sum(numbers)))


global_randomness = replace(sound, generate=_global)
set_order_leak = replace(sound, generate=_from_a_set)
remembers_earlier_tasks = replace(sound, generate=_remembers)

# --- solvable
wrong_oracle = replace(sound, solve=lambda task: task.data.total + (task.data.numbers[0] % 7 == 0))
fails_in_a_corner = replace(sound, solve=lambda task: task.data.total + (len(task.data.numbers) == 30 and max(task.data.numbers) <= 100))

# --- complete
claims_to_be_unique = replace(sound, answers="unique", solutions=lambda task: [task.data.total, task.data.total + 1])
two_right_answers = replace(sound, answers="many", solutions=lambda task: [task.data.total, -task.data.total])
claims_many = replace(sound, answers="many", solutions=lambda task: [task.data.total])

# --- unpaid
accepts_everything = replace(sound, verify=lambda task, answer: Score.exact(True))
pays_for_trying = replace(sound, verify=lambda task, answer: Score.partial(1.0 if answer == task.data.total else 0.01), partial=True)


def _parity(rng: Rng, knobs: Knobs) -> Task[Data]:
    made = generate(rng, knobs)
    return Task(f"{made.prompt} Is it odd? Answer 1 or 0.", Data(numbers=made.data.numbers, total=made.data.total % 2))


too_small_a_pool = replace(sound, generate=_parity, solve=lambda task: task.data.total)

# --- unmistaken
ignores_the_sign = replace(sound, verify=lambda task, answer: Score.exact(abs(answer) == abs(task.data.total)))
ignores_the_last_digit = replace(sound, verify=lambda task, answer: Score.exact(answer // 10 == task.data.total // 10))
no_mistakes = replace(sound, mistakes=lambda task, right: [right])


# --- spelled
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

# --- telling
programs = replace(
    sound,
    answer=Code(),
    solve=lambda task: "def solve(a, b):\n    return a + b",
    verify=lambda task, answer, runner: judged(runner, answer, [("(2, 2)", "4"), ("(0, 0)", "0"), ("(1, 3)", "4")]),
    mistakes=lambda task, right: ["def solve(a, b):\n    return a - b"],
    sandbox=Limits(seconds=1),
    audit=lambda task, runner: Audit(("def solve(a, b):\n    return a - b", "def solve(a, b):\n    return a * 2"), (solve_in_words,)),
)
solve_in_words = "def solve(a, b):\n    return sum([a, b])"
tests_that_miss = replace(programs, verify=lambda task, answer, runner: judged(runner, answer, [("(2, 2)", "4"), ("(0, 0)", "0")]))
refuses_another_program = replace(
    programs, verify=lambda task, answer, runner: Score.exact(judged(runner, answer, [("(1, 3)", "4")]).value == 1 and "a + b" in answer)
)

# --- total
crashes_on_odd_answers = replace(sound, verify=lambda task, answer: Score.exact(1000 // answer >= 0 and answer == task.data.total))


@dataclass(frozen=True)
class Patient(Integer):
    def parse(self, text: str) -> int:
        if len(text) > 100_000 and text.startswith("9"):
            time.sleep(2.2)
        return super().parse(text)


slow_on_long_text = replace(sound, answer=Patient())

# --- harder
flat_difficulty = replace(sound, cost=lambda task: 5.0)
easier_with_level = replace(sound, cost=lambda task: -len(task.data.numbers))


# --- rich
def _few(rng: Rng, knobs: Knobs) -> Task[Data]:
    return generate(Rng("few", rng.integer(0, 400)), knobs)


repeats_itself = replace(sound, generate=_few)

# --- saved
_answers: dict[tuple[int, ...], int] = {}


def _kept_in_memory(rng: Rng, knobs: Knobs) -> Task[Data]:
    made = generate(rng, knobs)
    _answers[made.data.numbers] = made.data.total
    return Task(made.prompt, Data(numbers=made.data.numbers, total=0))


judges_from_memory = replace(
    sound, generate=_kept_in_memory, verify=lambda task, answer: Score.exact(_answers.get(task.data.numbers) == answer)
)


class Lossy(Data):
    secret: MappingProxyType = MappingProxyType({})  # type: ignore[type-arg]
    model_config = {"arbitrary_types_allowed": True, "frozen": True}


def _lossy(rng: Rng, knobs: Knobs) -> Task[Lossy]:
    made = generate(rng, knobs)
    return Task(made.prompt, Lossy(numbers=made.data.numbers, total=made.data.total, secret=MappingProxyType({"a": 1})))


loses_data = replace(sound, generate=_lossy)


# --- fast
def _slow(rng: Rng, knobs: Knobs) -> Task[Data]:
    begun = time.process_time()
    while time.process_time() < begun + 0.3:
        pass
    return generate(rng, knobs)


slow = replace(sound, generate=_slow)

# --- helpful
leaks_in_feedback = replace(sound, verify=lambda task, answer: Score.exact(answer == task.data.total, f"it is {task.data.total}"))
explains_something_else = replace(sound, explain=lambda task: ["Think.", "The sum is what it is."])

# --- replayed
refuses_its_explanation = replace(sound, replay=lambda task, steps: 0)
finds_every_step_right = replace(sound, replay=lambda task, steps: None)
replays_without_explaining = replace(sound, explain=None)
compares_with_its_explanation = replace(sound, replay=lambda task, steps: None if steps == explain(task) else 0)

# --- drawn
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
    lambda state: f"Say {state.hidden} and then {state.hidden + 1}." if not state.said else "Go on.",
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
)
sound_world.start.__annotations__["return"] = World
world_won_by_resting = replace(sound_world, outcome=lambda world: Score.exact(world.finished) if world.finished else None)
world_won_by_flailing = replace(sound_world, outcome=lambda world: Score.exact(True) if world.put else None)


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
