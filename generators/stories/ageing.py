"""Sentences that compare ages, now and at other times."""

from collections.abc import Mapping

from rlgym.core.rng import Rng

AGES: Mapping[str, tuple[str, ...]] = {
    "is": ("{a} is {n} years old.", "{a} is {n} now.", "{a} turns {n} today.", "{n} is the age of {a}.", "{a}'s age is {n}."),
    "older": (
        "{a} is {n} years older than {b}.",
        "{b} is {n} years younger than {a}.",
        "{a} turned {n} on the day when {b} was born.",
        "{a} was {n} years old when {b} was born.",
        "{a} and {b} were born {n} years apart, and {a} is the older of the two.",
        "{a} was born {n} years before {b}.",
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
    "ask": ("How old is {a}?", "What is {a}'s age?", "Work out how old {a} is.", "Find {a}'s age.", "How old is {a} now?"),
    "ask_later": (
        "How old will {a} be in {n} years?",
        "What will {a}'s age be {n} years from now?",
        "Find out how old {a} will be in {n} years.",
        "{n} years from today, how old will {a} be?",
        "What age will {a} reach in {n} years?",
    ),
    "ask_when": (
        "In how many years will {a} be {n} times as old as {b}? (Give a negative number if that was in the past.)",
        "How many years from now is {a} {n} times as old as {b}? (Count years in the past as negative.)",
        "Find the number of years after which {a} is {n} times as old as {b}; it is negative if that was in the past.",
        "How many years from today is {a} {n} times the age of {b}? Answer with a negative number for a time in the past.",
    ),
    "aside": (
        "{who} has {n} cousins.",
        "{who} lives at number {n}.",
        "{who} has worked for {n} months as a {trade}.",
        "There were {n} guests at {who}'s last birthday party.",
        "{who} runs {n} kilometres each week.",
        "{who}'s dog is {n} months old.",
    ),
}
OPENINGS = (
    "Some friends in {town} all have their birthday today.",
    "In a family from {town}, everybody has a birthday today.",
    "All the people in this riddle from {town} have their birthday today.",
    "This is about some people in {town} who all have their birthday today.",
    "All members of a club in {town} have their birthday today.",
    "On a train to {town}, some people find that they all have their birthday today.",
)
_THEN = {
    "later": ("In {n} years", "{n} years from now", "After {n} more years", "When {n} more years have passed"),
    "ago": ("{n} years ago", "Exactly {n} years ago", "{n} years before today", "On this day {n} years ago"),
}


def at_times(rng: Rng, a: str, b: str, times: int, shift: int) -> str:
    """That `a` is so many times as old as `b`, at a time so many years from now."""
    if shift == 0:
        now = (
            "{a} is {k} times as old as {b}.",
            "{a}'s age is {k} times {b}'s.",
            "Multiply {b}'s age by {k} to get {a}'s.",
            "Divide {a}'s age by {k} to get {b}'s.",
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
        "Multiply {b}'s age {s} years ago by {k} to get {a}'s age in {t} years.",
        "{s} years ago, {b}'s age was 1/{k} of what {a}'s will be in {t} years.",
        "{a}'s age {t} years from now will be {k} times {b}'s age {s} years ago.",
    )
    return rng.choice(forms).format(a=a, b=b, t=ahead, s=behind, k=times)
