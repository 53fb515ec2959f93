"""Sentences that compare ages, now and at other times."""

from collections.abc import Mapping

from rlgym.core.rng import Rng

AGES: Mapping[str, tuple[str, ...]] = {
    "is": ("{a} is {n} years old.", "{a} is {n}.", "{a} has just turned {n}.", "{n} is the age of {a}.", "{a}'s age is {n}."),
    "older": (
        "{a} is {n} years older than {b}.",
        "{b} is {n} years younger than {a}.",
        "When {b} was born, {a} was already {n} years old.",
        "{a} was {n} years old when {b} came into the world.",
        "{n} years lie between the births of {a} and of {b}, and {a} is the older of the two.",
        "{a} and {b} were born on the same day of the year, {a} {n} years earlier.",
    ),
    "both": (
        "{a} is as old as {b} and {c} together.",
        "{a}'s age is the sum of {b}'s and {c}'s.",
        "Add the ages of {b} and {c} to get {a}'s.",
        "Together, {b} and {c} have lived as many years as {a}.",
    ),
    "total": (
        "Together, {all} are {n} years old.",
        "The ages of {all} add up to {n}.",
        "{n} is the sum of the ages of {all}.",
        "If you add the ages of {all}, you get {n}.",
        "{all} have lived {n} years in all.",
    ),
    "ask": ("How old is {a}?", "What is {a}'s age?", "Work out how old {a} is.", "Find {a}'s age.", "How many years old is {a}?"),
    "ask_later": (
        "How old will {a} be in {n} years?",
        "What will {a}'s age be {n} years from now?",
        "Find how old {a} will be when {n} more years have passed.",
        "Another {n} years from today, how old will {a} be?",
        "What age will {a} have reached after {n} more years?",
    ),
    "ask_when": (
        "In how many years will {a} be {n} times as old as {b} is then? (Give a negative number if it was in the past.)",
        "How many years from now is {a}'s age {n} times {b}'s at that time? (Years that have passed count as negative.)",
        "Find the number of years after which {a} is {n} times as old as {b}; it is negative if that was long ago.",
        "When is {a}, in years from today, {n} times the age of {b}? Answer with a negative number for a time in the past.",
    ),
    "aside": (
        "{who} has {n} cousins.",
        "{who} lives at number {n}.",
        "{who} has worked for {n} months as a {trade}.",
        "There were {n} guests at {who}'s birthday.",
        "{who} runs {n} kilometres each week.",
        "{who}'s dog is {n} months old.",
    ),
}
OPENINGS = (
    "Some friends in {town} speak of their ages, all in whole years.",
    "In a family from {town} everybody's birthday is today.",
    "All people in this riddle from {town} have their birthday on the same day.",
    "This is about the ages of people in {town}, in whole years.",
    "A club in {town} keeps a list of how old its members are, in whole years.",
    "On a train to {town}, people talk about how old they are, in whole years.",
)
_THEN = {
    "later": ("In {n} years", "{n} years from now", "After {n} more years", "When {n} more years have passed"),
    "ago": ("{n} years ago", "Going back {n} years", "At a time {n} years before today", "When it was {n} years earlier"),
}


def at_times(rng: Rng, a: str, b: str, times: int, shift: int) -> str:
    """That `a` is so many times as old as `b`, at a time so many years from now."""
    if shift == 0:
        now = (
            "{a} is {k} times as old as {b}.",
            "{a}'s age is {k} times {b}'s.",
            "Multiply {b}'s age by {k} to get {a}'s.",
            "{b}'s age fits exactly {k} times into {a}'s.",
        )
        return rng.choice(now).format(a=a, b=b, k=times)
    when = rng.choice(_THEN["later" if shift > 0 else "ago"]).format(n=abs(shift))
    forms = (
        ("{when}, {a} will be {k} times as old as {b} will be then.", "{when}, {a}'s age will be {k} times {b}'s at that time.")
        if shift > 0
        else ("{when}, {a} was {k} times as old as {b} was then.", "{when}, {a}'s age was {k} times {b}'s at that time.")
    )
    return rng.choice(forms).format(when=when, a=a, b=b, k=times)


def between_times(rng: Rng, a: str, ahead: int, b: str, behind: int, times: int) -> str:
    """That in `ahead` years `a` will be so many times as old as `b` was `behind` years ago."""
    forms = (
        "In {t} years, {a} will be {k} times as old as {b} was {s} years ago.",
        "Multiply the age that {b} had {s} years ago by {k}: that is how old {a} will be in {t} years.",
        "{s} years ago {b} had an age that is 1/{k} of the one {a} will have in {t} years.",
        "The age that {a} will have {t} years from now is {k} times the age of {b} {s} years before today.",
    )
    return rng.choice(forms).format(a=a, b=b, t=ahead, s=behind, k=times)
