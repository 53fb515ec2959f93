"""Sentences about shares in given ratios."""

from collections.abc import Mapping

SHARES: Mapping[str, tuple[str, ...]] = {
    "ratio": (
        "The shares of {a} and {b} are in the ratio {n} : {m}.",
        "For every {n} {goods} that {a} gets, {b} gets {m}.",
        "{a} gets {n}/{m} of what {b} gets.",
        "{a}'s share is to {b}'s as {n} is to {m}.",
        "Each time {a} takes {n} of the {goods}, {b} takes {m}, until both have their whole share.",
        "{m} times {a}'s share equals {n} times {b}'s.",
    ),
    "multiple": (
        "{a} gets {n} times as many {goods} as {b}.",
        "{a}'s share is {n} times {b}'s.",
        "The shares of {a} and {b} are in the ratio {n} : 1.",
        "{b} gets 1/{n} of what {a} gets.",
        "{b}'s share is to {a}'s as 1 is to {n}.",
        "Dividing {a}'s share by {n} gives {b}'s.",
    ),
    "moved": (
        "If {a} gave {g} of the {goods} to {b} afterwards, {a}'s share and {b}'s would be in the ratio {n} : {m}.",
        "Were {g} {goods} handed from {a} to {b}, {a} would have {n}/{m} of what {b} would have then.",
        "After a gift of {g} {goods} from {a} to {b}, {a}'s share would be to {b}'s as {n} is to {m}.",
        "Suppose that {b} got {g} of {a}'s {goods} later on: then the two would have {goods} in the ratio {m} : {n} ({b}'s to {a}'s).",
    ),
    "total": (
        "There are {n} {goods} in all.",
        "{n} {goods} are shared out.",
        "All the shares together make {n} {goods}.",
        "In the end all {n} {goods} are shared out among them.",
        "The {goods} that are shared number {n}.",
    ),
    "gap": (
        "{a} gets {n} more {goods} than {b}.",
        "{b}'s share is {n} {goods} smaller than {a}'s.",
        "The difference between the shares of {a} and {b} is {n} {goods}, in favour of {a}.",
        "With {n} more, {b} would have as many {goods} as {a}.",
        "{a} is ahead of {b} by {n} {goods}.",
    ),
    "is": (
        "{a} gets {n} {goods}.",
        "{a}'s share is {n} {goods}.",
        "{n} {goods} go to {a}.",
        "{a} goes home with {n} {goods}.",
        "{a} receives {n} of the {goods}.",
    ),
    "ask": (
        "How many {goods} does {a} get?",
        "What is {a}'s share?",
        "Work out how many {goods} go to {a}.",
        "Find the number of {goods} that {a} receives.",
        "How large is {a}'s share, in {goods}?",
    ),
    "ask_total": (
        "How many {goods} do {all} get together?",
        "What do the shares of {all} add up to?",
        "Find how many {goods} {all} receive together.",
        "How many {goods} go to {all} taken together?",
    ),
    "aside": (
        "{who} had to wait {n} minutes.",
        "{who} is {n} years old.",
        "{who} once got {n} {goods} from somebody else.",
        "{who} came with {n} friends who get nothing.",
        "{who} lives {n} kilometres away.",
        "{who} paid {n} cents for a bag to carry them in.",
    ),
}
ALONE = (
    "Each gift that is only thought of is thought of alone.",
    "What would be after one gift leaves the other gifts out.",
    "Gifts with an if, or the like, never really happen, and each is meant without the others.",
    "Every sentence about what would be starts again from the shares themselves.",
)
OPENINGS = (
    "In {town}, {all} share some {goods}.",
    "A {shop} in {town} gives away {goods} to {all}.",
    "Some {goods} are split among {all} from {town}.",
    "{all} found {goods} near {town} and share them out.",
    "At a fair in {town}, {all} win {goods} together and divide them.",
    "An aunt in {town} leaves her {goods} to {all}.",
)
