"""Terms of a combined reward by the length of a response, in tokens. All lie between 0 and 1, and 1 is the best.

By themselves they pay wrong answers as well as right ones: put them behind `gated`, into a `product` with `right`, or give them a weight.
"""

from __future__ import annotations

import math

from rlgym.core.errors import KnobError
from rlgym.rewards.combined.reward import CombinedReward, Group
from rlgym.rewards.combined.terms import check_range

LONGEST = 10**9


def short(free_tokens: int, max_tokens: int) -> CombinedReward:
    """1 up to `free_tokens`, then linear to 0 at `max_tokens`. The soft overlong punishment of "DAPO", plus 1."""
    check_range("free_tokens", free_tokens, 0, LONGEST)
    check_range("max_tokens", max_tokens, 1, LONGEST)
    if free_tokens >= max_tokens:
        raise KnobError(f"free_tokens must be below max_tokens, got {free_tokens=} and {max_tokens=}")

    def compute(group: Group, place: int) -> float:
        return min(1.0, max(0.0, (max_tokens - group.responses[place].tokens) / (max_tokens - free_tokens)))

    return CombinedReward(compute)


def within(tokens: int) -> CombinedReward:
    """1 for a response of at most `tokens`, otherwise 0. The step bonus of "Learn to Reason Efficiently with Adaptive Length-based Reward
    Shaping" (LASER)."""
    check_range("tokens", tokens, 1, LONGEST)
    return CombinedReward(lambda group, place: float(group.responses[place].tokens <= tokens))


def within_by_difficulty(easy_tokens: int, medium_tokens: int, hard_tokens: int) -> CombinedReward:
    """`within` with a target by the solve rate of the group: easy from 2/3, medium from 1/3, hard below.

    From "Learn to Reason Efficiently with Adaptive Length-based Reward Shaping" (LASER-D).
    """
    for name, value in (("easy_tokens", easy_tokens), ("medium_tokens", medium_tokens), ("hard_tokens", hard_tokens)):
        check_range(name, value, 1, LONGEST)

    def compute(group: Group, place: int) -> float:
        rights, size = sum(response.right for response in group.responses), len(group.responses)
        target = easy_tokens if 3 * rights >= 2 * size else medium_tokens if 3 * rights >= size else hard_tokens
        return float(group.responses[place].tokens <= target)

    return CombinedReward(compute)


def exploring(tokens: int, n: int = 4, max_repeated: float = 0.2) -> CombinedReward:
    """1 for a wrong response of more than `tokens` that does not repeat itself, otherwise 0: it keeps a model searching.

    A response repeats itself where more than `max_repeated` of its n-grams of words occurred before in it. The bonus of LASER-DE, from "Learn
    to Reason Efficiently with Adaptive Length-based Reward Shaping".
    """
    check_range("tokens", tokens, 1, LONGEST)
    check_range("n", n, 1, 20)
    check_range("max_repeated", max_repeated, 0, 1)

    def compute(group: Group, place: int) -> float:
        response = group.responses[place]
        return float(not response.right and response.tokens > tokens and _repeated_ngram_fraction(response.text, n) <= max_repeated)

    return CombinedReward(compute)


def length_budget(start_tokens: int = 256, decay: float = 0.8, interval_steps: int = 50) -> CombinedReward:
    """tri(tokens / B), B = max(1, start_tokens decay^floor(step / interval_steps)); tri(x) is x up to 1, 2 - x up to 2, and 0 beyond.

    From "Train Long, Think Short: Curriculum Learning for Efficient Reasoning".
    """
    check_range("start_tokens", start_tokens, 1, LONGEST)
    check_range("decay", decay, 1e-9, 1)
    check_range("interval_steps", interval_steps, 1, LONGEST)

    def compute(group: Group, place: int) -> float:
        budget = max(1.0, start_tokens * decay ** (group.step // interval_steps))
        return max(0.0, 1 - abs(group.responses[place].tokens / budget - 1))

    return CombinedReward(compute)


def relative_short(min_solve_rate: float = 0.0) -> CombinedReward:
    """1 / (1 + e^z), z = (tokens - mean) / std over the right responses of the group; 1 in groups of a lower solve rate.

    The length term of "Stable Reinforcement Learning for Efficient Reasoning" (GRPO-lambda), which shortens only what is often right.
    """
    check_range("min_solve_rate", min_solve_rate, 0, 1)

    def compute(group: Group, place: int) -> float:
        lengths = [response.tokens for response in group.responses if response.right]
        if not lengths or group.solve_rate < min_solve_rate:
            return 1.0
        mean = sum(lengths) / len(lengths)
        std = math.sqrt(sum((length - mean) ** 2 for length in lengths) / len(lengths))
        z = (group.responses[place].tokens - mean) / (std + 1e-6)
        return 1 / (1 + math.exp(z)) if z < 0 else math.exp(-z) / (1 + math.exp(-z))

    return CombinedReward(compute)


def length_surrogate(max_tokens: int, peak: float = 0.5) -> CombinedReward:
    """Rises to 1 at `peak` of `max_tokens` and falls to 0 at `max_tokens`, whatever is right: a control."""
    check_range("max_tokens", max_tokens, 2, LONGEST)
    check_range("peak", peak, 0.01, 0.99)
    top = peak * max_tokens

    def compute(group: Group, place: int) -> float:
        tokens = group.responses[place].tokens
        return tokens / top if tokens <= top else max(0.0, (max_tokens - tokens) / (max_tokens - top))

    return CombinedReward(compute)


def _repeated_ngram_fraction(text: str, n: int) -> float:
    """The fraction of a text's n-grams of words that occurred before in it."""
    words = text.lower().split()
    grams = [tuple(words[place : place + n]) for place in range(len(words) - n + 1)]
    return 1 - len(set(grams)) / len(grams) if grams else 0.0
