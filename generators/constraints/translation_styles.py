"""Instructions on how a translation is written: letter case, the format of dates and numbers, and its greatest length."""

from collections.abc import Callable, Sequence

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

MONTHS = tuple("January February March April May June July August September October November December".split())
CASES = {
    "nouns": "Write the first letter of every noun as a capital",
    "verbs": "Write every verb in capitals throughout",
    "adjectives": "Write every adjective in capitals throughout",
    "opening": "Write the first letter of {opening} as a capital",
}
REST = ", and all other letters in lower case."
WHOLE_VERB = " (of the two words of an English verb, the second)"
DATES = {
    "{d:02}.{m:02}.{y}": "DD.MM.YYYY",
    "{y}-{m:02}-{d:02}": "YYYY-MM-DD",
    "{d:02}/{m:02}/{y}": "DD/MM/YYYY",
    "{m:02}/{d:02}/{y}": "MM/DD/YYYY",
}
"""How a date is filled in, and how the prompt names this format."""
SEPARATORS = {".": "a point (.)", "'": "an apostrophe (')", "_": "an underscore (_)", "": "nothing"}


class Remark(TaskData):
    """What is added to a sentence: a date, or an amount of money."""

    day: int = 0
    month: int = 0
    year: int = 0
    amount: int = 0


class Style(TaskData):
    """The instructions that a task has; those that it has not are empty."""

    case: str = ""
    date: str = ""
    separator: str | None = None
    limit: int = 0
    """The greatest number of characters, 0 for any."""


class Token(TaskData):
    """A word with its part of speech: noun, verb, adjective, or nothing; the first of a sentence opens it."""

    form: str
    role: str = ""
    opens: bool = False


def sample_remark(rng: Rng, kind: str) -> Remark:
    if kind == "date":
        # A day beyond 12 would tell the order of day and month by itself.
        return Remark(day=rng.integer(1, 12), month=rng.integer(1, 12), year=rng.integer(1950, 2049))
    return Remark(amount=rng.integer(1000, 999_999))


def write_remark(remark: Remark) -> str:
    """A remark as the source text has it."""
    return f"{remark.day} {MONTHS[remark.month - 1]} {remark.year}" if remark.day else str(remark.amount)


def format_remark(remark: Remark, style: Style) -> str:
    """A remark as the translation is to have it."""
    if remark.day:
        return style.date.format(d=remark.day, m=remark.month, y=remark.year)
    return f"{remark.amount:,}".replace(",", style.separator or "")


def write_tokens(tokens: Sequence[Token], style: Style) -> tuple[str, ...]:
    """The words in the letter case that is asked for, else in small letters."""
    return tuple(_cased(token, style.case) for token in tokens)


def _cased(token: Token, case: str) -> str:
    if (case == "opening" and token.opens) or (case == "nouns" and token.role == "noun"):
        return token.form[0].upper() + token.form[1:]
    return token.form.upper() if case in ("verbs", "adjectives") and token.role == case[:-1] else token.form


def shortened(compose: Callable[[int], tuple[str, ...]], most: int, limit: int) -> tuple[str, ...]:
    """The translation with the fewest adjectives left out that is within the limit; `compose` leaves out that many, `most` at most."""
    fitting = (text for left_out in range(most + 1) if len(" ".join(text := compose(left_out))) <= limit)
    return next(fitting, compose(most)) if limit else compose(0)


def sample_limit(rng: Rng, compose: Callable[[int], tuple[str, ...]], most: int) -> int:
    """A limit by which one adjective or more must go, and which can be kept."""
    lengths = [len(" ".join(compose(left_out))) for left_out in range(most + 1)]
    left_out = rng.integer(1, most)
    return rng.integer(lengths[left_out], lengths[left_out - 1] - 1)


def describe_style(style: Style, english: bool, sentences: int) -> list[str]:
    """The instructions, a sentence each, on so many joined sentences."""
    lines = list[str]()
    if style.case:
        opening = "each of the joined sentences" if sentences > 1 else "the sentence"
        lines.append(CASES[style.case].format(opening=opening) + (WHOLE_VERB if english and style.case == "verbs" else "") + REST)
    if style.date:
        lines.append(f"Write dates as {DATES[style.date]}.")
    if style.separator is not None:
        lines.append(f"Write the number of coins with {SEPARATORS[style.separator]} before its last three digits.")
    if style.limit:
        lines.append(
            f"The translation has at most {style.limit} characters, counting one space between words. To keep to this, leave out the last "
            "adjective of the text to be translated, then the one before it, and so on, but no more of them than necessary."
        )
    return lines
