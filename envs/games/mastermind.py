"""Find a secret code of letters from how many places and letters of each guess are right."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words

Code = tuple[str, ...]


class Knobs(Config):
    places: int = knob(4, easy=2, hard=5, doc="letters of the code")
    letters: int = knob(6, easy=4, hard=8, doc="how many letters may occur in it")
    repeats: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether a letter may occur in the code twice")


class State(TaskData):
    hidden: Code
    letters: Code
    repeats: bool
    guesses: tuple[Code, ...] = ()


def start(rng: Rng, knobs: Knobs) -> State:
    letters = tuple(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", max(knobs.letters, knobs.places))))
    repeats = knobs.repeats == "yes"
    hidden = tuple(rng.choice(letters) for _ in range(knobs.places)) if repeats else tuple(rng.sample(letters, knobs.places))
    return State(hidden=hidden, letters=letters, repeats=repeats)


def show(state: State) -> str:
    if not state.guesses:
        twice = "may occur in it more than once" if state.repeats else "occurs in it at most once"
        return (
            f"I have a secret code of {len(state.hidden)} letters. Only the letters {', '.join(state.letters)} may occur in it, and a letter {twice}. "
            f"Find the code in at most {turns(state)} guesses. After each guess I tell you how many letters are right and in the right place, and "
            "how many more letters of the guess occur elsewhere in the code (each letter of the code counts for one letter of the guess "
            "only). A guess may repeat letters."
        )
    guess = state.guesses[-1]
    if not _is_allowed(guess, state):
        return f"A guess is {len(state.hidden)} of the letters {', '.join(state.letters)}. That guess used up a turn."
    exact, near = _compare(guess, state.hidden)
    return f"{' '.join(guess)}: {exact} in the right place, {near} more at another place."


def act(state: State, guess: Code) -> State:
    # Letters may be written together.
    letters = tuple(guess[0]) if len(guess) == 1 else guess
    return state.model_copy(update={"guesses": (*state.guesses, letters)})


def outcome(state: State) -> Score | None:
    return Score.exact(True) if state.guesses and state.guesses[-1] == state.hidden else None


def best(state: State) -> Code:
    return next(_candidates(state))


def mistakes(state: State) -> list[Code]:
    # One code again and again, codes that earlier replies rule out, codes of other letters.
    other = next(code for code in _codes(state) if code != state.hidden)
    return [
        other,
        tuple("?" for _ in state.hidden),
        state.hidden[:-1],
        state.guesses[0] if state.guesses and state.guesses[0] != state.hidden else other,
    ]


def cost(state: State) -> float:
    return len(state.hidden) * len(state.letters) * (2 if state.repeats else 1) + turns(state)


def turns(state: State) -> int:
    # The oracle never needs more, over all codes of each size that the knobs allow.
    return len(state.hidden) + len(state.letters)


def explain(state: State) -> list[str]:
    steps = []
    for guess in state.guesses:
        if _is_allowed(guess, state):
            exact, near = _compare(guess, state.hidden)
            steps.append(f"{' '.join(guess)} had {exact} in place and {near} elsewhere, so the code must compare with it in this way")
    count = sum(1 for _ in _candidates(state))
    return [
        *steps,
        f"{count} codes fit all replies; the first of them in alphabetical order is a guess that may be right: {' '.join(best(state))}",
    ]


def _codes(state: State) -> Iterator[Code]:
    if state.repeats:
        return product(state.letters, repeat=len(state.hidden))
    return permutations(state.letters, len(state.hidden))


def _candidates(state: State) -> Iterator[Code]:
    """Codes that fit every reply so far, in alphabetical order."""
    replies = [(guess, _compare(guess, state.hidden)) for guess in state.guesses if _is_allowed(guess, state)][::-1]
    return (code for code in _codes(state) if all(_compare(guess, code) == reply for guess, reply in replies))


def _is_allowed(guess: Code, state: State) -> bool:
    return len(guess) == len(state.hidden) and all(letter in state.letters for letter in guess)


def _compare(guess: Code, code: Code) -> tuple[int, int]:
    exact = sum(map(str.__eq__, guess, code))
    if len(set(code)) == len(code) == len(set(guess)):
        return exact, len(set(code).intersection(guess)) - exact
    return exact, (Counter(guess) & Counter(code)).total() - exact


environment = Game(
    Knobs, Words("the letters of your guess, separated by spaces", max_items=30, ignore_case=True),
    start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Only guess codes that would have given every reply so far; each reply then rules out many of them.",
    version=2,
)  # fmt: skip
