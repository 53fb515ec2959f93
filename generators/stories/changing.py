"""Sentences about amounts that change by percentages and by numbers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Amount(NamedTuple):
    """An amount with a unit; the texts have gaps for names."""

    opening: str
    """A sentence that states the first value."""
    described: str
    """The amount in a text that has no opening."""
    name: str
    """What the amount is called after that."""
    units: str


AMOUNTS: Sequence[Amount] = (
    Amount("A heap of {goods} in {town} weighs {n} kilograms.", "the weight of a heap of {goods} in {town}", "the weight", "kilograms"),
    Amount("A tank near {town} holds {n} litres of {liquid}.", "the volume of {liquid} in a tank near {town}", "the volume", "litres"),
    Amount("A machine in {town} costs {n} dollars.", "the price of a machine in {town}", "the price", "dollars"),
    Amount("{who} opens an account with {n} dollars.", "the balance of an account that {who} opened", "the balance", "dollars"),
    Amount("A {shop} in {town} earns {n} dollars a week.", "the weekly revenue of a {shop} in {town}", "the weekly revenue", "dollars"),
    Amount("{who} bought shares for {n} dollars.", "the value of some shares that {who} bought", "the value of the shares", "dollars"),
    Amount("A well near {town} yields {n} litres a day.", "the daily yield of a well near {town}", "the daily yield", "litres"),
    Amount("{who} cycles {n} kilometres a year.", "the distance that {who} cycles in a year", "the yearly distance", "kilometres"),
    Amount("A painting is worth {n} dollars.", "the value of a painting", "the value of the painting", "dollars"),
    Amount(
        "A block of ice in {town} weighs {n} kilograms.", "the weight of a block of ice in {town}", "the weight of the ice", "kilograms"
    ),
)
CHANGES: Mapping[str, tuple[str, ...]] = {
    "up": (
        "{then} {it} rises by {p}%.",
        "{then} {it} goes up by {p}%.",
        "{then} {it} increases by {p}%.",
        "{then} {it} grows by {p}%.",
        "{then} {it} rises to {q}% of its previous value.",
    ),
    "down": (
        "{then} {it} falls by {p}%.",
        "{then} {it} goes down by {p}%.",
        "{then} {it} decreases by {p}%.",
        "{then} {it} drops by {p}%.",
        "{then} {it} falls to {q}% of its previous value.",
    ),
    "add": ("{then} {it} rises by {n}.", "{then} {it} goes up by {n}.", "{then} {it} increases by {n}.", "{then} {it} grows by {n}."),
    "take": ("{then} {it} falls by {n}.", "{then} {it} goes down by {n}.", "{then} {it} decreases by {n}.", "{then} {it} drops by {n}."),
    "up_of": (
        "{then} {it} rises by {p}% of its value {when}.",
        "{then} {it} goes up by {p}% of its value {when}.",
        "{then} {it} increases by {p}% of its value {when}.",
    ),
    "down_of": (
        "{then} {it} falls by {p}% of its value {when}.",
        "{then} {it} goes down by {p}% of its value {when}.",
        "{then} {it} decreases by {p}% of its value {when}.",
    ),
    "end": ("At the end, {it} is {n}.", "In the end, {it} is {n}.", "This leaves {it} at {n}."),
    "ask_end": (
        "What is {it} in {units} in the end?",
        "What is {it} now, in {units}?",
        "What is {it} after that, in {units}?",
        "Calculate {it} in {units} at the end.",
        "In the end, what is {it} in {units}?",
    ),
    "ask_percent": (
        "By how much has {it} changed overall, in percent? Give a negative number for a decrease.",
        "What is the overall change in {it}, in percent? A decrease counts as negative.",
        "What single change, in percent, would have had the same effect on {it}? A decrease counts as negative.",
        "From start to end, by how much does {it} change, in percent? Give a negative number for a decrease.",
    ),
    "ask_start": (
        "What was {it} in {units} at the start?",
        "Find {it} in {units} before any change.",
        "What was {it} originally, in {units}?",
        "Calculate {it} in {units} at the start.",
    ),
    "aside": (
        "Somebody aged {n} reads about it in a newspaper.",
        "In a neighbouring town, a similar figure rises by {n}%.",
        "A report about this is {n} pages long.",
        "{who} is {n} years old at that time.",
        "It rains on {n}% of the days.",
        "{who} had wrongly predicted a change of {n}%.",
    ),
}
UNKNOWN = (
    "Nobody remembers {described} at the start.",
    "The first entry in a record of {described} is missing.",
    "In {town}, somebody wants to reconstruct {described} at the start.",
    "The first entry in a table of {described} is illegible.",
    "{who} has lost the first figure for {described}.",
)
# How the changes are counted: the words before a change, and the words for the time right after one.
COUNTS: Sequence[tuple[str, str]] = (
    ("In month {i},", "at the end of month {i}"),
    ("In year {i},", "at the end of year {i}"),
    ("In week {i},", "at the end of week {i}"),
    ("Change {i}:", "right after change {i}"),
    ("Step {i}:", "right after step {i}"),
    ("On day {i},", "at the end of day {i}"),
)
