"""Properties of rows of numbers and of words, and rules over them that all but a few things follow."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations

Property = tuple[str, Callable[[str], bool]]
Rule = tuple[str, tuple[int, ...]]

FORMS: dict[str, tuple[str, Callable[[Sequence[bool]], bool]]] = {
    "has": ("every item has property i", lambda has: has[0]),
    "if": ("every item that has property i has property j", lambda has: has[1] or not has[0]),
    "one": ("every item has exactly one of the properties i and j", lambda has: has[0] != has[1]),
    "both": ("every item that has the properties i and j has property k", lambda has: has[2] or not (has[0] and has[1])),
}


def _numbers(test: Callable[[list[int]], bool]) -> Callable[[str], bool]:
    return lambda shown: test([int(number) for number in shown.split()])


ROWS: tuple[Property, ...] = (
    ("the sum is even", _numbers(lambda row: sum(row) % 2 == 0)),
    ("the first number is larger than the last", _numbers(lambda row: row[0] > row[-1])),
    ("the largest number is odd", _numbers(lambda row: max(row) % 2 == 1)),
    ("the smallest number stands first or last", _numbers(lambda row: min(row) in (row[0], row[-1]))),
    ("the second number is even", _numbers(lambda row: row[1] % 2 == 0)),
    ("the largest number stands before the smallest", _numbers(lambda row: row.index(max(row)) < row.index(min(row)))),
    ("some number is divisible by 5", _numbers(lambda row: any(number % 5 == 0 for number in row))),
    ("the first two add up to more than the last two", _numbers(lambda row: sum(row[:2]) > sum(row[2:]))),
    ("two numbers side by side differ by 1", _numbers(lambda row: any(abs(a - b) == 1 for a, b in pairwise(row)))),
    ("the sum is divisible by 3", _numbers(lambda row: sum(row) % 3 == 0)),
    ("the largest number is more than twice the second number in the row", _numbers(lambda row: max(row) > 2 * row[1])),
    ("the third number is larger than the second", _numbers(lambda row: row[2] > row[1])),
)
WORDS: tuple[Property, ...] = (
    ("the first letter is a or e", lambda word: word[0] in "ae"),
    ("two equal letters stand side by side", lambda word: any(a == b for a, b in pairwise(word))),
    ("the letter b occurs", lambda word: "b" in word),
    ("the last letter comes later in the alphabet than the first", lambda word: word[-1] > word[0]),
    ("the letter a occurs more often than the letter c", lambda word: word.count("a") > word.count("c")),
    ("at least four different letters occur", lambda word: len(set(word)) >= 4),
    ("the third letter is b, c or d", lambda word: word[2] in "bcd"),
    ("the letters a and e together occur an even number of times (0 is even)", lambda word: sum(map(word.count, "ae")) % 2 == 0),
    ("the second letter is equal to a later one", lambda word: word[1] in word[2:]),
    ("the letter d occurs exactly once", lambda word: word.count("d") == 1),
    ("two neighbours in the alphabet stand side by side", lambda word: any(abs(ord(a) - ord(b)) == 1 for a, b in pairwise(word))),
    ("the first letter occurs again", lambda word: word[0] in word[1:]),
)


def rules(forms: Sequence[str], properties: int) -> Iterator[Rule]:
    """All rules of these forms, with properties by their places."""
    for form in forms:
        if form == "has":
            yield from ((form, (k,)) for k in range(properties))
        elif form == "if":
            yield from ((form, pair) for pair in permutations(range(properties), 2))
        elif form == "one":
            yield from ((form, pair) for pair in combinations(range(properties), 2))
        else:
            yield from ((form, (*pair, k)) for pair in combinations(range(properties), 2) for k in range(properties) if k not in pair)


def follows(rule: Rule, has: Sequence[bool]) -> bool:
    """Whether a thing with these properties follows a rule."""
    form, places = rule
    return FORMS[form][1]([has[k] for k in places])


@cache
def broken(forms: tuple[str, ...], has: tuple[bool, ...]) -> int:
    """The rules that a thing with these properties breaks, as bits in the order of `rules`."""
    return sum(1 << k for k, rule in enumerate(rules(forms, len(has))) if not follows(rule, has))
