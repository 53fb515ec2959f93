"""Sentences about amounts that change by percents and by numbers."""

from collections.abc import Mapping, Sequence

STARTS: Sequence[tuple[str, str]] = (
    ("A heap of {goods} in {town} weighs {n} kilograms.", "the weight of the heap in kilograms"),
    ("A reservoir near {town} holds {n} litres of {liquid}.", "the amount of {liquid} in litres"),
    ("A machine in {town} costs {n} dollars.", "the price of the machine in dollars"),
    ("{who} puts {n} dollars into an account.", "the balance of the account in dollars"),
    ("A {shop} in {town} takes in {n} dollars a week.", "the weekly takings in dollars"),
    ("{who} bought some shares in {town} for {n} dollars.", "the value of the shares in dollars"),
    ("A well near {town} yields {n} litres a day.", "the daily yield in litres"),
    ("{who} rides {n} kilometres a year.", "the distance per year in kilometres"),
    ("A painting of {goods} is worth {n} dollars.", "the worth of the painting in dollars"),
    ("A block of ice in {town} weighs {n} kilograms.", "the weight of the ice in kilograms"),
)
CHANGES: Mapping[str, tuple[str, ...]] = {
    "up": (
        "{then} {it} rises by {p}%.",
        "{then} {it} goes up by {p} percent.",
        "{then} {p}% is added to {it}.",
        "{then} {it} grows to {q}% of what it was just before.",
        "{then} {it} increases by {p}%.",
        "{then} there is a rise of {p}% in {it}.",
    ),
    "down": (
        "{then} {it} falls by {p}%.",
        "{then} {it} goes down by {p} percent.",
        "{then} {p}% is taken off {it}.",
        "{then} {it} shrinks to {q}% of what it was just before.",
        "{then} {it} decreases by {p}%.",
        "{then} there is a drop of {p}% in {it}.",
    ),
    "add": (
        "{then} {it} rises by {n}.",
        "{then} {n} is added to {it}.",
        "{then} {it} goes up by exactly {n}.",
        "{then} {it} becomes {n} larger.",
        "{then} there is a rise of {n} in {it}.",
    ),
    "take": (
        "{then} {it} falls by {n}.",
        "{then} {n} is taken from {it}.",
        "{then} {it} goes down by exactly {n}.",
        "{then} {it} becomes {n} smaller.",
        "{then} there is a drop of {n} in {it}.",
    ),
    "up_of": (
        "{then} {it} rises by {p}% of what it was {when}.",
        "{then} {it} goes up by an amount that is {p}% of its value {when}.",
        "{then} {p}% of what it was {when} is added to {it}.",
        "{then} {it} increases by {p} percent, reckoned on its value {when}.",
    ),
    "down_of": (
        "{then} {it} falls by {p}% of what it was {when}.",
        "{then} {it} goes down by an amount that is {p}% of its value {when}.",
        "{then} {p}% of what it was {when} is taken off {it}.",
        "{then} {it} decreases by {p} percent, reckoned on its value {when}.",
    ),
    "end": (
        "After that, {it} is {n}.",
        "In the end {it} is {n}.",
        "All this leaves {it} at {n}.",
        "The result is that {it} is {n}.",
        "Now {it} stands at {n}.",
    ),
    "ask_end": (
        "What is {it} in the end?",
        "Find what {it} is after all this.",
        "What is {it} now?",
        "Work out {it} after the last change.",
        "At the end of all this, what is {it}?",
    ),
    "ask_percent": (
        "By how many percent of its first value has {it} grown in all (negative if it has shrunk)?",
        "Reckoned on the first value, what is the change of {it} in percent, with a minus sign for a loss?",
        "What single change in percent would have had the same effect on {it}? A fall counts as negative.",
        "From the start to the end, by how many percent did {it} change (a negative number for a decrease)?",
    ),
    "ask_start": (
        "What was {it} at the very beginning?",
        "Find what {it} was before all this.",
        "With what value did {it} start?",
        "Work out {it} before the first change.",
        "How large was {it} at first?",
    ),
    "aside": (
        "Meanwhile somebody aged {n} reads about it in a newspaper.",
        "In the town next door the same thing rose by {n}%, but that is another story.",
        "All this was written down on {n} pages.",
        "By the way, {who} was {n} years old at that time.",
        "It rained on {n}% of the days.",
        "{who} had guessed a change of {n}%, which was wrong.",
    ),
}
UNKNOWN = (
    "Nobody remembers {it} at the start.",
    "This is about {it} in {town}, of which the first value has been lost.",
    "In {town}, people wonder what {it} was at first.",
    "The first entry of {it} in a book in {town} cannot be read.",
    "{who} has forgotten what {it} once was.",
)
# How the changes are counted: the words before a change, and the words for the time right after one.
COUNTS: Sequence[tuple[str, str]] = (
    ("In month {i},", "at the end of month {i}"),
    ("In year {i},", "at the end of year {i}"),
    ("Change {i}:", "right after change {i}"),
    ("Step {i}:", "right after step {i}"),
    ("(Event {i})", "right after event {i}"),
    ("On day {i},", "at the end of day {i}"),
)
