"""Sentences that compare how many of something there are, in two settings: what people own, and what a shop has."""

from collections.abc import Mapping

OWNED: Mapping[str, tuple[str, ...]] = {
    "is": (
        "{a} has {n} {goods}.",
        "{a} owns {n} {goods}.",
        "It is known that {a} has {n} {goods}.",
        "In {a}'s collection there are {n} {goods}.",
        "{a} counted: {n} {goods} in all.",
        "{n} {goods} belong to {a}.",
    ),
    "more": (
        "{a} has {n} more {goods} than {b}.",
        "{a} owns {n} {goods} more than {b} does.",
        "If {a} gave away {n} {goods}, {a} would be left with as many as {b}.",
        "Compared with {b}, {a} has {n} extra {goods}.",
        "If {b} got {n} more {goods}, {b} would have as many as {a}.",
        "The number of {a}'s {goods} exceeds {b}'s by {n}.",
    ),
    "fewer": (
        "{a} has {n} fewer {goods} than {b}.",
        "{a} is {n} {goods} short of the number that {b} has.",
        "{a} would need {n} more {goods} to have as many as {b}.",
        "Compared with {b}, {a} has {n} fewer {goods}.",
        "Take {n} away from the number of {b}'s {goods} and you get the number of {a}'s.",
        "{a} owns {n} {goods} fewer than {b} does.",
    ),
    "times": (
        "{a} has {n} times as many {goods} as {b}.",
        "For every one of {b}'s {goods}, {a} has {n}.",
        "Multiply the number of {b}'s {goods} by {n} to get the number of {a}'s.",
        "The number of {a}'s {goods} is {n} times the number of {b}'s.",
        "It would take {n} people with as many {goods} as {b} to match {a}.",
    ),
    "part": (
        "{a} has 1/{n} of the number of {goods} that {b} has.",
        "Split {b}'s {goods} into {n} equal heaps: each is as large as all that {a} has.",
        "Dividing the number of {b}'s {goods} by {n} gives the number that {a} has.",
        "{a} has 1/{n} as many {goods} as {b}.",
        "The number of {a}'s {goods} is 1/{n} of the number of {b}'s.",
    ),
    "both": (
        "{a} has as many {goods} as {b} and {c} together.",
        "Put {b}'s and {c}'s {goods} in one heap, and it is as large as {a}'s.",
        "The number of {a}'s {goods} is the sum of {b}'s and {c}'s.",
        "Together, {b} and {c} have exactly as many {goods} as {a}.",
        "{b} and {c} would have to pool their {goods} to equal {a}.",
    ),
    "over": (
        "{a} has {m} more than {n} times as many {goods} as {b}.",
        "Take {n} times the number of {b}'s {goods} and add {m}: that is how many {a} has.",
        "If {b} had {n} times as many {goods} and then got another {m} {goods}, {b} would have as many as {a}.",
        "The number of {a}'s {goods} is {m} above {n} times {b}'s.",
    ),
    "under": (
        "{a} has {m} fewer than {n} times as many {goods} as {b}.",
        "Take {n} times the number of {b}'s {goods} and subtract {m}: that is how many {a} has.",
        "With another {m} {goods}, {a} would have exactly {n} times as many as {b}.",
        "The number of {a}'s {goods} is {m} below {n} times {b}'s.",
    ),
    "total": (
        "Together, {all} have {n} {goods}.",
        "{all} have {n} {goods} between them.",
        "If {all} put all their {goods} together, they would have {n}.",
        "The {goods} of {all} add up to {n}.",
        "Counting the {goods} of {all} gives {n} in all.",
    ),
    "ask": (
        "How many {goods} does {a} have?",
        "What is the number of {a}'s {goods}?",
        "Work out how many {goods} {a} has.",
        "Find the number of {goods} that {a} has.",
        "How many {goods} belong to {a}?",
    ),
    "ask_total": (
        "How many {goods} do {all} have together?",
        "What is the total number of {goods} that {all} have?",
        "How many {goods} would there be if {all} put theirs together?",
        "Find how many {goods} {all} have between them.",
    ),
    "ask_gap": (
        "How many more {goods} does {a} have than {b}?",
        "By how many {goods} is {a} ahead of {b}?",
        "How many {goods} would {a} have to lose to have as many as {b}?",
        "What is the difference between the number of {a}'s {goods} and {b}'s?",
    ),
    "aside": (
        "{who} is {n} years old.",
        "{who} paid {n} cents for each of the {goods}.",
        "{who} lives at number {n} in the same street.",
        "{who} took bus {n} this morning.",
        "It takes {who} {n} minutes to count to a hundred.",
        "{who} has been collecting for {n} weeks.",
    ),
}

STOCKED: Mapping[str, tuple[str, ...]] = {
    "is": (
        "There are {n} {a}.",
        "Somebody counted {n} {a}.",
        "The list shows {n} {a}.",
        "The number of {a} is {n}.",
        "{n} {a} are on the shelves.",
    ),
    "more": (
        "There are {n} more {a} than {b}.",
        "The {a} outnumber the {b} by {n}.",
        "If {n} of the {a} were sold, as many {a} as {b} would be left.",
        "The number of {a} exceeds that of {b} by {n}.",
        "With {n} more {b} there would be as many {b} as {a}.",
    ),
    "fewer": (
        "There are {n} fewer {a} than {b}.",
        "The {b} outnumber the {a} by {n}.",
        "{n} more {a} would be needed to have as many {a} as {b}.",
        "Take {n} from the number of {b} to get the number of {a}.",
        "The number of {a} falls short of that of {b} by {n}.",
    ),
    "times": (
        "There are {n} times as many {a} as {b}.",
        "The number of {a} is {n} times that of {b}.",
        "Multiplying the number of {b} by {n} gives the number of {a}.",
        "For each of the {b} there are exactly {n} {a}.",
    ),
    "part": (
        "There are 1/{n} as many {a} as {b}.",
        "The number of {a} is that of {b} divided by {n}.",
        "Divide the number of {b} by {n} to get the number of {a}.",
        "The number of {a} is 1/{n} of that of {b}.",
    ),
    "both": (
        "There are as many {a} as {b} and {c} together.",
        "The number of {a} is the sum of the numbers of {b} and {c}.",
        "Counting the {b} and the {c} together gives the number of {a}.",
        "The {b} and the {c} taken together are as numerous as the {a}.",
    ),
    "over": (
        "The number of {a} is {m} more than {n} times that of {b}.",
        "Take {n} times the number of {b} and add {m} to get the number of {a}.",
        "If {m} of the {a} were sold, there would be {n} times as many {a} as {b}.",
        "There are {m} more {a} than {n} times the number of {b}.",
    ),
    "under": (
        "The number of {a} is {m} less than {n} times that of {b}.",
        "Take {n} times the number of {b} and subtract {m} to get the number of {a}.",
        "With another {m} {a}, there would be {n} times as many {a} as {b}.",
        "There are {m} fewer {a} than {n} times the number of {b}.",
    ),
    "total": (
        "Together, {all} make {n} pieces.",
        "The numbers of {all} add up to {n}.",
        "Counting {all} gives {n} pieces in all.",
        "The whole stock of {all} is {n} pieces.",
    ),
    "ask": ("How many {a} are there?", "What is the number of {a}?", "Work out how many {a} there are.", "Find the number of {a}."),
    "ask_total": (
        "Of {all}, how many are there in all?",
        "What is the sum of the numbers of {all}?",
        "Counting {all} together, how many are there?",
        "Find the total number of {all}.",
    ),
    "ask_gap": (
        "How many more {a} than {b} are there?",
        "By how many do the {a} outnumber the {b}?",
        "What is the number of {a} minus the number of {b}?",
        "How many of the {a} would have to be sold so that as many {a} as {b} are left?",
    ),
    "aside": (
        "One of the {who} costs {n} cents.",
        "The {who} came in on day {n} of the year.",
        "The {who} are kept on shelf {n}.",
        "Last year {n} of the {who} were sold.",
        "A crate of {who} weighs {n} pounds.",
    ),
}

OPENINGS = (
    "This is about a {shop}.",
    "Here is what is known about the stock of a {shop}.",
    "A {shop} in {town} is taking stock.",
    "The owner of a {shop} in {town} counts what there is.",
    "In {town} there is a {shop}.",
)
MEETINGS = (
    "Some friends in {town} compare what they have.",
    "At a school in {town} everybody collects {goods}.",
    "This is about {goods} that people in {town} own.",
    "Neighbours in {town} talk about their {goods}.",
    "There was a swap of {goods} in {town}.",
    "In {town}, some people count their {goods}.",
)
