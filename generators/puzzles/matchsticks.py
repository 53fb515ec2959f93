"""Equations laid with matches: digits of seven places, what they turn into when matches move, and all right equations within a number of moves."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

PLACES = {
    "0": "abcdef",
    "1": "bc",
    "2": "abdeg",
    "3": "abcdg",
    "4": "bcfg",
    "5": "acdfg",
    "6": "acdefg",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
    "+": "hv",
    "-": "h",
    "=": "lm",
}
Equation = tuple[str, ...]
"""Numbers and signs in order, such as ("12", "+", "7", "=", "19")."""
Half = dict[tuple[int, int, int], list[Equation]]


def sign_difference(first: str, second: str) -> tuple[str, str]:
    """The places of a sign that are taken away and those that are filled when it turns into another."""
    before, after = PLACES[first], PLACES[second]
    return "".join(place for place in before if place not in after), "".join(place for place in after if place not in before)


def count_moves(first: Equation, second: Equation) -> tuple[int, int] | None:
    """How many matches are taken away and how many are put between two equations of one shape; None where the shapes differ."""
    if list(map(len, first)) != list(map(len, second)) or [sign == "=" for sign in first] != [sign == "=" for sign in second]:
        return None
    signs = list(zip("".join(first), "".join(second), strict=True))
    if any(a.isdigit() != b.isdigit() for a, b in signs):
        return None
    return sum(len(sign_difference(a, b)[0]) for a, b in signs), sum(len(sign_difference(a, b)[1]) for a, b in signs)


def evaluate_sides(equation: Equation) -> tuple[int, int]:
    """What the two sides come to."""
    at = equation.index("=")
    return _sum(equation[:at]), _sum(equation[at + 1 :])


def _sum(side: Sequence[str]) -> int:
    return int(side[0]) + sum(int(number) * (1 if sign == "+" else -1) for sign, number in zip(side[1::2], side[2::2], strict=True))


def meet_in_the_middle(equation: Equation, moves: int) -> Iterator[Equation]:
    """All right equations after exactly `moves` moved matches: meet in the middle over the sums of the first and of the last numbers."""
    half = len(equation) // 4 * 2 + 1
    ends = _sums(equation[half:], moves, 1 if "=" not in equation[:half] else -1)
    for (total, taken, put), firsts in _sums(equation[:half], moves, 1).items():
        for last in ends.get((-total, moves - taken, moves - put), ()):
            for first in firsts:
                yield first + last


def _sums(part: Equation, moves: int, sign_of_side: int) -> Half:
    """What numbers with the signs before them can come to, with the matches taken away and put; right of = they count against."""
    half: Half = {(0, 0, 0): [()]}
    for sign in part:
        more: Half = {}
        if sign == "=":
            sign_of_side = -sign_of_side
            half = {key: [(*words, sign) for words in lists] for key, lists in half.items()}
            continue
        for (total, taken, put), lists in half.items():
            for other, away, there in _sign_options(sign, moves):
                if taken + away > moves or put + there > moves:
                    continue
                for words in lists:
                    gained = 0 if sign in "+-" else int(other) * (-sign_of_side if words and words[-1] == "-" else sign_of_side)
                    more.setdefault((total + gained, taken + away, put + there), []).append((*words, other))
        half = more
    return half


@lru_cache(maxsize=4096)
def _sign_options(one: str, moves: int) -> list[tuple[str, int, int]]:
    """What a number or sign can turn into, with the matches taken away and put."""

    def changed(sign: str, signs: str) -> list[tuple[str, int, int]]:
        return [(other, len(sign_difference(sign, other)[0]), len(sign_difference(sign, other)[1])) for other in signs]

    if one in "+-":
        return changed(one, "+-")
    options = [("", 0, 0)]
    for digit in one:
        changes = changed(digit, "0123456789")
        options = [
            (word + other, taken + away, put + there)
            for word, taken, put in options
            for other, away, there in changes
            if taken + away <= moves and put + there <= moves
        ]
    return [(word, taken, put) for word, taken, put in options if len(word) == 1 or word[0] != "0"]
