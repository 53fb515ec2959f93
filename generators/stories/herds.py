"""Sentences about animals and their legs, and how many legs each animal has."""

from collections.abc import Mapping

from rlgym.generators.stories.comparing import STOCKED

LEGS: Mapping[str, int] = {
    **dict.fromkeys("hens ducks geese turkeys ostriches parrots emus pigeons penguins swans".split(), 2),
    **dict.fromkeys("cows horses goats sheep pigs rabbits donkeys camels llamas cats dogs lizards turtles".split(), 4),
    **dict.fromkeys("beetles ants bees crickets butterflies grasshoppers wasps".split(), 6),
    **dict.fromkeys("spiders scorpions ticks".split(), 8),
    **dict.fromkeys("crabs prawns lobsters".split(), 10),
}
HERDS: Mapping[str, tuple[str, ...]] = {
    **STOCKED,
    "is": (
        "There are {n} {a}.",
        "Somebody counted {n} {a}.",
        "The number of {a} is {n}.",
        "{n} {a} live there.",
        "One can see {n} {a}.",
        "The list shows {n} {a}.",
    ),
    "legs": (
        "All these animals have {n} legs in all.",
        "Together, they stand on {n} legs.",
        "Somebody counted all the legs: {n}.",
        "The legs of all the animals add up to {n}.",
        "There are {n} legs altogether.",
        "Counting legs gives {n}.",
    ),
    "heads": (
        "There are {n} animals in all.",
        "Counting heads gives {n}.",
        "All kinds taken together, these are {n} animals.",
        "The animals number {n} altogether.",
        "Somebody counted all the heads: {n}.",
        "{n} animals live there in all.",
    ),
    "ask_legs": (
        "How many legs do all these animals have together?",
        "What is the total number of legs?",
        "Find how many legs there are in all.",
        "How many legs would you count?",
        "Work out the number of legs of all the animals together.",
    ),
    "ask_heads": (
        "How many animals are there in all?",
        "What is the total number of animals?",
        "How many heads would you count?",
        "Work out how many animals live there altogether.",
        "Find the number of animals of all kinds together.",
    ),
    "aside": (
        "The {who} were fed {n} times last week.",
        "One of the {who} is {n} months old.",
        "The {who} came from a place {n} kilometres away.",
        "Last year {n} of the {who} were sold.",
        "Somebody has drawn {n} pictures of the {who}.",
        "It takes {n} minutes to feed the {who}.",
    ),
}
OPENINGS = (
    "A small zoo in {town} keeps {kinds}.",
    "Near {town} you can find {kinds}.",
    "On a farm in {town} there are {kinds}.",
    "In {town}, somebody keeps {kinds}.",
    "A painter from {town} has painted {kinds} on a wall.",
    "This is about {kinds} in {town}.",
)
EACH = (
    "No leg is missing, and one of each kind has this many: {legs}.",
    "(Legs of one animal of each kind: {legs}.)",
    "Here is how many legs one of each kind has: {legs}.",
    "In case you do not know, one of each kind has this many legs: {legs}.",
    "These are the numbers of legs of one animal each: {legs}.",
)
