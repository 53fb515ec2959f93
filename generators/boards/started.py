"""Games started by random legal moves, for positions that play can really come to."""

from rlgym.core.rng import Rng
from rlgym.generators.boards.search import At, Rules


def play_random_moves(rng: Rng, rules: Rules, at: At, moves: int) -> At:
    """The position after so many random legal moves, or after fewer where the next one would end the game."""
    for _ in range(moves):
        positions = [after for _, after, _ in rules.legal(at) if rules.result(after) is None]
        if not positions:
            break
        at = rng.choice(positions)
    return at
