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


def numeral_of(number: int, old: bool) -> str:
    """A number as a Roman numeral, of the old kind or the usual one."""
    if number >= 4000:
        return f"({numeral_of(number // 1000, old)}){numeral_of(number % 1000, old)}"
    text = ""
    for letters, value in LETTERS if old else PAIRS:
        text += letters * (number // value)
        number %= value
    return text


def parts_of(number: int, old: bool) -> str:
    """A number as a sum of what single letters or pairs stand for."""
    if number >= 4000:
        return f"{number // 1000 * 1000}" + (f" + {parts_of(number % 1000, old)}" if number % 1000 else "")
    values = [str(value) for _, value in (LETTERS if old else PAIRS) for _ in range(taken(number, value, old))]
    return " + ".join(values)


def taken(number: int, value: int, old: bool) -> int:
    """How often the letters of this value stand in the numeral of a number."""
    for _, larger in LETTERS if old else PAIRS:
        if larger == value:
            return number // value
        number %= larger
    return 0


def read_numeral(numeral: str) -> int:
    """The number that a numeral of either kind stands for."""
    inside, bracket, rest = numeral.removeprefix("(").partition(")")
    if bracket:
        return 1000 * read_numeral(inside) + read_numeral(rest)
    values = [dict(LETTERS)[letter] for letter in numeral]
    return sum(-value if value < max(values[i + 1 :], default=0) else value for i, value in enumerate(values))


ALONE = {old: [str(value) for _, value in (LETTERS if old else PAIRS)] for old in (False, True)}
