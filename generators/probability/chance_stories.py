"""Stories about urns, evidence and offers, each part in several phrasings."""

from __future__ import annotations

COLOURS = tuple("red blue green yellow black white orange purple".split())
BOXES = tuple("bag box jar basket bucket drawer sack tin urn bowl".split())
BALLS = tuple("marbles beads buttons tokens stickers ribbons candles balloons counters pegs".split())
HOLDS = (
    "{who}'s {box} {number} holds {content}.",
    "{who} counts {content} in {box} {number}.",
    "{who} has put {content} into {box} {number}.",
    "{box} {number} contains {content} and nothing else.",
    "The content of {box} {number} is {content}.",
)
MOVES = (
    "Without looking, {who} takes {moved} out of {box} {number} and puts {them} into {box} {after}.",
    "{moved} drawn at random from {box} {number}, without replacement, {go} into {box} {after}.",
    "Then {moved} taken blindly out of {box} {number} {go} over to {box} {after}.",
    "From {box} {number}, {who} moves {moved} chosen at random to {box} {after}.",
)
DRAWS = (
    "In the end {who} draws {drawn} at random from {box} {number} without putting any back.",
    "At last {drawn} {are} drawn from {box} {number}, blindly and without replacement.",
    "Finally {who} closes both eyes and takes {drawn} out of {box} {number}, putting none back.",
    "The last thing that {who} does is to take {drawn}, chosen at random, out of {box} {number}.",
)
ASIDES = (
    "Each of the {balls} weighs {n} grams.",
    "{who} bought them {n} days ago.",
    "The {box} is {n} centimetres high.",
    "Altogether {who} has paid {n} cents for them.",
    "{other} bought some too, {n} weeks later.",
    "It is {n} minutes past noon.",
)

SOURCES = (
    (
        "machine",
        "the part",
        "A factory has machines {names}. {shares} The parts are mixed, and one is taken at random and tested.",
        "was made by machine {name}",
    ),
    (
        "courier",
        "the parcel",
        "The couriers {names} bring the parcels of a street. {shares} A parcel that has arrived is picked at random and looked at.",
        "was brought by courier {name}",
    ),
    (
        "author",
        "the page",
        "The authors {names} have written a book together. {shares} A page is opened at random and examined.",
        "was written by author {name}",
    ),
    (
        "farm",
        "the crate",
        "A market gets its crates from the farms {names}. {shares} One crate is chosen at random and inspected.",
        "comes from farm {name}",
    ),
    (
        "studio",
        "the photograph",
        "An archive keeps photographs of the studios {names}. {shares} One photograph is drawn at random and studied.",
        "was taken by studio {name}",
    ),
    (
        "printer",
        "the sheet",
        "In an office the printers {names} print all the sheets. {shares} A sheet is taken at random from the pile and checked.",
        "came from printer {name}",
    ),
)
SHARES = (
    "{Kind} {name} accounts for {share} of all {things}.",
    "{share} of the {things} come from {kind} {name}.",
    "The share of {kind} {name} is {share}.",
    "Of all {things}, {share} come from {kind} {name}.",
)
SIGNS = tuple(
    "a scratch/a stain/a torn corner/a green mark/a missing label/a dent/a bent edge/a wrong date/a faint smell/a loose thread".split("/")
)
RATES = (
    "A {thing} from {kind} {name} has {sign} with probability {rate}.",
    "{sign} is found on {rate} of the {things} from {kind} {name}.",
    "Of the {things} from {kind} {name}, {rate} show {sign}.",
    "With {kind} {name}, the probability of {sign} is {rate}.",
)
APART = (
    "Given the {kind}, these properties are independent of one another.",
    "Among the {things} from one {kind}, these properties are independent.",
    "For each {kind}, whether one sign is there does not depend on the others.",
    "The signs are independent given the {kind}.",
)
