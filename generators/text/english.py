"""Small pieces of English: lists, counts with their noun, ordinals, numbers as words."""

from collections.abc import Sequence

_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def join_words(items: Sequence[str], last: str = "and") -> str:
    """Items with commas, and a word before the last: a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def count_noun(number: int, singular: str, plural: str = "") -> str:
    """A number with a noun in the right form: 1 day, 2 days."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def ordinal(number: int) -> str:
    """A number as an ordinal: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    return f"{number}{'th' if number % 100 in (11, 12, 13) else _ENDINGS.get(number % 10, 'th')}"


def number_word(number: int) -> str:
    """A number up to twelve as a word, a larger one in digits."""
    return _SMALL[number] if 0 <= number < len(_SMALL) else str(number)


def ordinal_word(number: int) -> str:
    """An ordinal up to twelve as a word, a larger one in digits: first, twelfth, 13th."""
    return _ORDINALS[number - 1] if 0 < number <= len(_ORDINALS) else ordinal(number)
