"""Find a hidden word of a given list by guessing words of it; each guess is marked letter by letter, or only counted."""

from typing import Literal

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.simulations.hidden_words import guesses, next_word, reply, word_list

Guess = tuple[str, ...]


class Knobs(Config):
    words: int = knob(45, easy=36, hard=84, doc="words of the list")
    length: int = knob(5, easy=4, hard=6, doc="letters of each word")
    spare: int = knob(1, easy=2, hard=0, doc="guesses beyond those that a good player needs at worst")
    report: str = knob("marks", easy="marks", hard="counts", order=("marks", "counts"), doc="the feedback on a guess")


class State(TaskData):
    words: tuple[str, ...]
    hidden: str
    most: int
    report: Literal["marks", "counts"]
    said: tuple[str, ...] = ()


def start(rng: Rng, knobs: Knobs) -> State:
    words = word_list(rng, knobs.words, knobs.length)
    report: Literal["marks", "counts"] = "marks" if knobs.report == "marks" else "counts"
    return State(words=words, hidden=rng.choice(words), most=guesses(words, report) + knobs.spare, report=report)


def show(state: State) -> str:
    if state.said:
        guess, guesses_left = state.said[-1], f"{state.most - len(state.said)} guesses are left."
        if guess not in state.words:
            return f"That is no word of the list, and used up a guess. {guesses_left}"
        return f"{guess}: {reply(guess, state.hidden, state.report)}. {guesses_left}"
    reply_rule = (
        "a mark for each of its letters in order: + if the hidden word has this letter in this place, ? if it has the letter in another place, - otherwise"
        if state.report == "marks"
        else "how many of its letters are in the same place in the hidden word, and how many more the hidden word has in another place"
    )
    return (
        f"I have hidden one of these {len(state.words)} words:\n{' '.join(state.words)}\n\nFind it in at most {state.most} guesses. A guess is one word "
        f"of the list. After a wrong guess I tell you {reply_rule}. Each letter of the hidden word counts for one letter of the guess only: for those in "
        "place first, then from left to right. Anything that is not a word of the list uses up a guess."
    )


def act(state: State, guess: Guess) -> State:
    return state.model_copy(update={"said": (*state.said, guess[0] if len(guess) == 1 else "")})


def outcome(state: State) -> Score | None:
    return Score.exact(True) if state.said and state.said[-1] == state.hidden else None


def best(state: State) -> Guess:
    return (next_word(_candidates(state), state.report),)


def mistakes(state: State) -> list[Guess]:
    # The same wrong word for ever, the wrong word that was first, a word that is not listed, and two at once.
    wrong = [word for word in state.words if word != state.hidden]
    return [
        (wrong[0],),
        (state.said[0],) if state.said and state.said[0] != state.hidden else (wrong[-1],),
        ("zzzz",),
        (wrong[0], state.hidden),
    ]


def cost(state: State) -> float:
    return len(state.words) * len(state.hidden) * (2 if state.report == "counts" else 1) / state.most


def turns(state: State) -> int:
    return state.most


def explain(state: State) -> list[str]:
    candidates = _candidates(state)
    replies = [f"{guess} got {reply(guess, state.hidden, state.report)}." for guess in state.said if guess in state.words]
    which = (
        f"{len(candidates)} words of the list fit every reply"
        if len(candidates) > 8
        else f"These words fit every reply: {', '.join(candidates)}"
    )
    return [*replies, f"{which}; the one whose reply leaves the fewest at worst: {best(state)[0]}"]


def _candidates(state: State) -> tuple[str, ...]:
    replies = [(guess, reply(guess, state.hidden, state.report)) for guess in state.said if guess in state.words]
    return tuple(word for word in state.words if all(reply(guess, word, state.report) == reply_given for guess, reply_given in replies))


environment = Game(
    Knobs, Words("one word of the list", max_items=10, ignore_case=True), start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Only guess words that would have got every reply so far, and of these the one that tells the others apart best.",
    version=3,
)  # fmt: skip
