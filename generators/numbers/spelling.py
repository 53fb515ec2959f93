"""Numbers in words, and in the formats of several countries and trades; each is written from and read back to an exact number."""

from fractions import Fraction

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
POWERS = (("million", 10**6), ("thousand", 1000), ("hundred", 100))
COUNTS = {"gross": 144, "long hundred": 120, "score": 20, "dozen": 12, "pair": 2}
FORMATS = {
    "english": "commas between groups of three digits, a point before decimals",
    "german": "points between groups of three digits, a comma before decimals",
    "indian": "commas before the last three digits and then before every two, a point before decimals",
    "swiss": "apostrophes between groups of three digits, a comma before decimals",
    "scientific": "a number times a power of ten (4.5e3 is 4500)",
    "hexadecimal": "base sixteen after 0x",
    "short": "k for thousands and M for millions",
    "words": "English words",
    "trade": "old counts (a gross is 144, a long hundred 120, a score 20, a dozen 12, a pair 2)",
}

_MARKS: dict[str, dict[int, int | None]] = {
    "english": {44: None},
    "indian": {44: None},
    "german": {46: None, 44: 46},
    "swiss": {39: None, 44: 46},
}


def number_to_words(number: int) -> str:
    """342 is three hundred and forty-two."""
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    name, power = next(pair for pair in POWERS if number >= pair[1])
    rest = number % power
    joint = "" if not rest else f" and {number_to_words(rest)}" if rest < 100 else f" {number_to_words(rest)}"
    return f"{number_to_words(number // power)} {name}{joint}"


def words_to_number(text: str) -> int:
    """The number that words spell: `hundred` multiplies the words since the last thousand or million, and those close a part."""
    total = part = 0
    for word in text.replace("-", " ").replace(" and ", " ").split():
        if word in ONES:
            part += ONES.index(word)
        elif word in TENS:
            part += 10 * TENS.index(word)
        elif word == "hundred":
            part *= 100
        else:
            total, part = total + part * dict(POWERS)[word], 0
    return total + part


def write_number(number: Fraction, style: str) -> str:
    """A number with at most two decimals (whole for hexadecimal, words and trade) in a format."""
    integer_part, cents = int(number), int(number * 100) % 100
    decimals = f"{cents:02d}".rstrip("0")
    if style == "hexadecimal":
        return f"0x{integer_part:X}"
    if style == "words":
        return number_to_words(integer_part)
    if style == "trade":
        parts = []
        for name, size in COUNTS.items():
            parts += (
                [f"{integer_part // size} {name}{'s' if name == 'pair' and integer_part // size > 1 else ''}"]
                if integer_part >= size
                else []
            )
            integer_part %= size
        return " and ".join(parts + ([str(integer_part)] if integer_part else []))
    if style == "scientific":
        digits = str(int(number * 100))
        power = len(digits) - 3
        return f"{digits[0]}.{digits[1:].rstrip('0') or '0'}e{power}"
    if style == "short":
        name, size = ("M", 10**6) if integer_part >= 10**6 else ("k", 1000)
        digits = f"{int(number * 100):0{len(str(size)) + 2}d}"
        at = len(digits) - len(str(size)) - 1
        return f"{digits[:at]}.{digits[at:].rstrip('0') or '0'}{name}"
    mark, point = {"english": (",", "."), "german": (".", ","), "indian": (",", "."), "swiss": ("'", ",")}[style]
    return _group(str(integer_part), mark, 2 if style == "indian" else 3) + (point + decimals if cents else "")


def read_number(text: str, style: str) -> Fraction:
    """The exact number that a text in a format stands for."""
    if style == "hexadecimal":
        return Fraction(int(text, 16))
    if style == "words":
        return Fraction(words_to_number(text))
    if style == "trade":
        return sum(
            (
                Fraction(int(number)) * COUNTS.get("pair" if name == "pairs" else name, 1)
                for number, _, name in (part.partition(" ") for part in text.split(" and "))
            ),
            Fraction(0),
        )
    if style == "scientific":
        digits, _, power = text.partition("e")
        return Fraction(digits) * Fraction(10) ** int(power)
    if style == "short":
        return Fraction(text[:-1]) * (1000 if text[-1] == "k" else 10**6)
    return Fraction(text.translate(_MARKS[style]))


def _group(digits: str, mark: str, size: int) -> str:
    """Groups from the right, of which the last has three digits."""
    head, groups = digits[:-3], [digits[-3:]]
    while head:
        head, group = head[:-size], head[-size:]
        groups.append(group)
    return mark.join(reversed(groups))
