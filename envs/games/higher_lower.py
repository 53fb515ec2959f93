"""Find a hidden integer from answers of higher and lower, in as few guesses as always suffice."""

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Integer


class Knobs(Config):
    size: int = knob(1000, easy=30, hard=10_000_000, scale="log", doc="how many integers may be the hidden one")


class State(TaskData):
    hidden: int
    bottom: int
    top: int
    guesses: tuple[int, ...] = ()


def start(rng: Rng, knobs: Knobs) -> State:
    bottom = rng.integer(1, 10 * knobs.size)
    return State(hidden=rng.integer(bottom, bottom + knobs.size - 1), bottom=bottom, top=bottom + knobs.size - 1)


def show(state: State) -> str:
    if not state.guesses:
        return (
            f"I have chosen an integer from {state.bottom} to {state.top}, inclusive. Find it in at most {turns(state)} guesses. "
            "After each guess I say whether the hidden integer is higher or lower."
        )
    return f"The hidden integer is {'higher' if state.guesses[-1] < state.hidden else 'lower'} than {state.guesses[-1]}."


def act(state: State, guess: int) -> State:
    return state.model_copy(update={"guesses": (*state.guesses, guess)})


def outcome(state: State) -> Score | None:
    return Score.exact(True) if state.guesses and state.guesses[-1] == state.hidden else None


def best(state: State) -> int:
    low, high = _bounds(state)
    return (low + high) // 2


def mistakes(state: State) -> list[int]:
    # The same wrong guess again and again, and guesses outside the range.
    return [state.bottom if state.hidden != state.bottom else state.top, state.top + 1, -state.hidden]


def cost(state: State) -> float:
    return turns(state)


def turns(state: State) -> int:
    return (state.top - state.bottom + 1).bit_length()


def explain(state: State) -> list[str]:
    low, high = _bounds(state)
    return [f"The hidden integer is now between {low} and {high}.", f"Guess the middle of what is left: {best(state)}"]


def _bounds(state: State) -> tuple[int, int]:
    low, high = state.bottom, state.top
    for guess in state.guesses:
        if guess < state.hidden:
            low = max(low, guess + 1)
        else:
            high = min(high, guess - 1)
    return low, high


environment = Game(
    Knobs, Integer(), start, show, act, outcome, best, mistakes, cost, turns, explain, version=2,
    concept="Each guess should leave as few integers as possible, whatever the reply: guess the middle.",
)  # fmt: skip
