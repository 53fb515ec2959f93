"""The dice game of pig, exactly: the chance to win a race against somebody who always stops at the same total."""

from functools import lru_cache
from operator import mul


@lru_cache(maxsize=4096)
def turn(sides: int, stop: int) -> tuple[float, tuple[float, ...]]:
    """The chance that a turn fails, and those of its totals, when one throws until `stop` is reached; a 1 ends the turn with nothing."""
    reached = [1.0] + [0.0] * (stop + sides)
    for total in range(stop):
        for face in range(2, sides + 1):
            reached[total + face] += reached[total] / sides
    ended = [chance if total >= stop else 0.0 for total, chance in enumerate(reached)]
    return 1 - sum(ended), tuple(ended)


@lru_cache(maxsize=16)
def solve(goal: int, sides: int, habit: int) -> dict[tuple[int, int], tuple[float, int]]:
    """Per points of mine and of the other, before a turn of mine: the chance to win, and the least total at which stopping is best."""
    out: dict[tuple[int, int], tuple[float, int]] = {}
    turns = [turn(sides, stop) for stop in range(goal + 1)]
    # Per points of the other and of mine: my chance before a turn of the other.
    theirs = [[0.0] * (goal + 1) for _ in range(goal + 1)]
    for mine in reversed(range(goal)):
        won_at_once = [sum(ended[max(stop, goal - mine) :]) for stop, (_, ended) in enumerate(turns)]
        for other in reversed(range(goal)):
            failed, totals = turns[min(habit, goal - other)]
            later = sum(chance * out[mine, other + total][0] for total, chance in enumerate(totals) if chance and other + total < goal)
            best, after = (-1.0, 0), theirs[other]
            for stop in range(2, goal - mine + 1):
                mine_failed, ended = turns[stop]
                end = min(stop + sides, goal - mine)
                good = sum(map(mul, ended[stop:end], after[mine + stop : mine + end])) + won_at_once[stop]
                # A race may come back to the same points after two failed turns.
                chance = (good + mine_failed * later) / (1 - mine_failed * failed)
                if chance > best[0] + 1e-12:
                    best = chance, stop
            if goal - mine == 1:
                mine_failed, ended = turns[1]
                best = (sum(ended) + mine_failed * later) / (1 - mine_failed * failed), 1
            out[mine, other] = best
            after[mine] = failed * best[0] + later
    return out


def throw(dice: tuple[int, ...], at: int, stop: int) -> tuple[int, ...]:
    """The throws of a turn; the dice begin anew when they are used up."""
    throws, total, face = list[int](), 0, 0
    while not throws or (face != 1 and total < stop):
        face = dice[(at + len(throws)) % len(dice)]
        throws.append(face)
        total += face
    return tuple(throws)
