"""Matches that violate a law, one each, and sound ones."""

from dataclasses import replace

from planted.faulty import Knobs

from rlgym import Match, Rng, TaskData
from rlgym.answers import Integer


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


# --- constant_answer
class Doors(TaskData):
    shown: tuple[int, ...]
    said: tuple[int, ...] = ()


def _shown_numbers(rng: Rng, knobs: Knobs) -> Doors:
    return Doors(shown=tuple(rng.choice((1, 5)) for _ in range(7)))


def _lucky(doors: Doors) -> tuple[float, ...] | None:
    """Each number must be the one shown; by mistake, 4 will always do."""
    if len(doors.said) < 7:
        return None
    won = all(said in (shown, 4) for said, shown in zip(doors.said, doors.shown, strict=True))
    return (1.0, -1.0) if won else (-1.0, 1.0)


match_won_by_one_move_over_and_over = replace(
    match_won_at_random,
    start=_shown_numbers,
    show=lambda doors, player: f"Say {doors.shown[len(doors.said)]}.",
    player=lambda doors: 0,
    legal=lambda doors: [1, 2, 3, 4, 5],
    act=lambda doors, move: doors.model_copy(update={"said": (*doors.said, move)}),
    returns=_lucky,
    best=lambda doors: doors.shown[len(doors.said)],
    turns=lambda doors: 7,
)


class Talk(TaskData):
    wanted: tuple[int, ...]
    said: tuple[int, ...] = ()


def _understood(talk: Talk) -> tuple[float, ...] | None:
    """The player must give the numbers that are wanted; by mistake, those that the other player said a turn before are accepted too."""
    if len(talk.said) < 14:
        return None
    mine, theirs = talk.said[::2], talk.said[1::2]
    won = mine == talk.wanted or mine[1:] == theirs[:-1]
    return (1.0, -1.0) if won else (-1.0, 1.0)


match_won_by_echoing = replace(
    match_won_at_random,
    start=lambda rng, knobs: Talk(wanted=tuple(rng.integer(0, 3) for _ in range(7))),
    show=lambda talk, player: f"The numbers that are wanted: {talk.wanted}. So far: {talk.said}.",
    player=lambda talk: len(talk.said) % 2,
    act=lambda talk, move: talk.model_copy(update={"said": (*talk.said, move)}),
    returns=_understood,
    best=lambda talk: talk.wanted[len(talk.said) // 2],
    turns=lambda talk: 7,
)
match_won_by_echoing.start.__annotations__["return"] = Talk
