"""Roman numerals: the usual kind and an older one in which letters only add up; brackets count a thousand times."""

LETTERS = (("M", 1000), ("D", 500), ("C", 100), ("L", 50), ("X", 10), ("V", 5), ("I", 1))
PAIRS = (
    ("M", 1000),
    ("CM", 900),
    ("D", 500),
    ("CD", 400),
    *LETTERS[2:3],
    ("XC", 90),
    ("L", 50),
    ("XL", 40),
    ("X", 10),
    ("IX", 9),
    ("V", 5),
    ("IV", 4),
    ("I", 1),
)


def to_roman(number: int, old: bool) -> str:
    """A number as a Roman numeral, of the old kind or the usual one."""
    if number >= 4000:
        return f"({to_roman(number // 1000, old)}){to_roman(number % 1000, old)}"
    text = ""
    for letters, value in LETTERS if old else PAIRS:
        text += letters * (number // value)
        number %= value
    return text


def additive_parts(number: int, old: bool) -> str:
    """A number as a sum of what single letters or pairs stand for."""
    if number >= 4000:
        return f"{number // 1000 * 1000}" + (f" + {additive_parts(number % 1000, old)}" if number % 1000 else "")
    values = [str(value) for _, value in (LETTERS if old else PAIRS) for _ in range(count_value(number, value, old))]
    return " + ".join(values)


def count_value(number: int, value: int, old: bool) -> int:
    """How often the letters of this value occur in the numeral of a number."""
    for _, larger in LETTERS if old else PAIRS:
        if larger == value:
            return number // value
        number %= larger
    return 0


def from_roman(numeral: str) -> int:
    """The number that a numeral of either kind stands for."""
    inside, bracket, rest = numeral.removeprefix("(").partition(")")
    if bracket:
        return 1000 * from_roman(inside) + from_roman(rest)
    values = [dict(LETTERS)[letter] for letter in numeral]
    return sum(-value if value < max(values[i + 1 :], default=0) else value for i, value in enumerate(values))


PART_VALUES = {old: [str(value) for _, value in (LETTERS if old else PAIRS)] for old in (False, True)}
