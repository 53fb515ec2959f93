"""Guess a hidden word of a given list letter by letter, with few misses; replies may say where a letter stands or only how often it occurs."""

from typing import Literal

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.simulations.hidden_words import misses, next_letter, places, word_list

Guess = tuple[str, ...]
MOST_TURNS = 26


class Knobs(Config):
    words: int = knob(50, easy=24, hard=95, doc="words of the list")
    length: int = knob(5, easy=4, hard=7, doc="letters of each word")
    spare: int = knob(1, easy=3, hard=0, doc="misses beyond those that a good player makes at worst")
    report: str = knob("marks", easy="marks", hard="counts", order=("marks", "counts"), doc="the feedback on a letter")


class State(TaskData):
    words: tuple[str, ...]
    hidden: str
    most: int  # misses
    report: Literal["marks", "counts"]
    said: tuple[str, ...] = ()


def start(rng: Rng, knobs: Knobs) -> State:
    words = word_list(rng, knobs.words, knobs.length)
    report: Literal["marks", "counts"] = "marks" if knobs.report == "marks" else "counts"
    return State(words=words, hidden=rng.choice(words), most=misses(words, report) + knobs.spare, report=report)


def show(state: State) -> str:
    if state.said:
        return f"{_describe(state, state.said[-1])} {_count_misses(state)} of {state.most} misses are used up."
    reply_rule = (
        "at which places of the word it stands, counted from 1"
        if state.report == "marks"
        else "how often it occurs in the word, but not where"
    )
    return (
        f"I have hidden one of these {len(state.words)} words:\n{' '.join(state.words)}\n\nIn each turn name one letter, and I tell "
        f"you {reply_rule}; or name a "
        "whole word, which ends the game: you win if that is the hidden word and lose otherwise. You win only by naming the word. A letter that does "
        "not occur is a miss, and so is anything that is neither a letter nor a word of the list. "
        f"With more than {state.most} misses the game is lost."
    )


def act(state: State, guess: Guess) -> State:
    return state.model_copy(update={"said": (*state.said, guess[0] if len(guess) == 1 else "")})


def outcome(state: State) -> Score | None:
    if state.said and state.said[-1] == state.hidden:
        return Score.exact(True)
    if state.said and state.said[-1] in state.words:
        return Score.wrong("another word is hidden")
    return Score.wrong("too many misses") if _count_misses(state) > state.most else None


def milestones(state: State) -> dict[str, float]:
    lost = _count_misses(state) > state.most
    return {"letters_found": 0.0 if lost else len(set(state.hidden).intersection(state.said)) / len(set(state.hidden))}


def best(state: State) -> Guess:
    candidates = _candidates(state)
    return (next_letter(candidates, state.report) or candidates[0],)


def mistakes(state: State) -> list[Guess]:
    # Letters in the order of the alphabet, vowels only, a wrong word, and a letter that no word has.
    wrong = next(word for word in state.words if word != state.hidden)
    return [("abcdefghijklmnopqrstuvwxyz"[len(state.said) % 26],), ("eaiou"[len(state.said) % 5],), (wrong,), ("1",)]


def cost(state: State) -> float:
    return len(state.words) * len(state.hidden) * (2 if state.report == "counts" else 1) / (1 + state.most)


def turns(state: State) -> int:
    return MOST_TURNS


def explain(state: State) -> list[str]:
    candidates, said = _candidates(state), best(state)[0]
    steps = [_describe(state, guess) for guess in state.said]
    if len(said) > 1:
        return [*steps, "One word fits all replies.", said]
    have = sum(said in word for word in candidates)
    return [*steps, f"{len(candidates)} words fit all replies, and {have} of them have the letter that is named now.", said]


def _describe(state: State, guess: str) -> str:
    if len(guess) == 1 and guess.isascii() and guess.isalpha():
        matches = places(guess, state.hidden, state.report)
        if state.report == "counts" or not matches:
            return f"{guess} occurs {len(matches)} times."
        return f"{guess} stands at {', '.join(map(str, matches))}."
    return "That is neither a letter nor a word of the list."


def _count_misses(state: State) -> int:
    letters = [guess for guess in state.said if len(guess) == 1 and guess in state.hidden]
    return len(state.said) - len(letters)


def _candidates(state: State) -> tuple[str, ...]:
    """The words of the list that fit all replies."""
    letters = [(guess, places(guess, state.hidden, state.report)) for guess in state.said if len(guess) == 1]
    return tuple(word for word in state.words if all(places(guess, word, state.report) == reply for guess, reply in letters))


environment = Game(
    Knobs, Words("one letter or one word", max_items=10, ignore_case=True),
    start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Keep the words that fit all replies, and name a letter that most of them have and that still tells them apart.",
    version=3,
    milestones=milestones,
)  # fmt: skip
