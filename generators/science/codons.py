"""Reading genes: codon tables, changes of a sequence, and the protein that comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from rlgym.core.rng import Rng
from rlgym.generators.stories import phrase

SWAP = ("letter {a} becomes {b}", "a {b} takes the place of letter {a}", "letter {a} is replaced by {b}")
INSERT = ("{b} is inserted after letter {a}", "after letter {a} comes an extra {b}", "{b} is inserted between letter {a} and the next")
DELETE = ("letters {a} to {b} are lost", "letters {a} to {b} are deleted", "everything from letter {a} to letter {b} is cut out")
TURN = ("letters {a} to {b} are written in reverse order", "the piece from letter {a} to letter {b} is reversed")
ASKED = ("Which protein is made?", "Translate it.", "Give the protein.", "What does it code for?")

STANDARD = dict(
    zip(("".join(three) for three in product("TCAG", repeat=3)), "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG")
)


def complement(strand: str, pairs: Mapping[str, str]) -> str:
    """The other strand, read in its own direction."""
    return "".join(pairs[letter] for letter in reversed(strand))


def mutate(strand: str, change: Sequence[str]) -> str:
    """After one change: swap PLACE LETTER, delete FROM TO, insert PLACE LETTERS (after that place), turn FROM TO. Places count from 1."""
    kind, first, second = change
    at = int(first)
    if kind == "swap":
        return strand[: at - 1] + second + strand[at:]
    if kind == "insert":
        return strand[:at] + second + strand[at:]
    end = int(second)
    inside = "" if kind == "delete" else strand[at - 1 : end][::-1]
    return strand[: at - 1] + inside + strand[end:]


def protein(strand: str, table: Mapping[str, str], start: str) -> str | None:
    """What is read from the first start codon on, in any frame, to a stop codon; None where there is no start or no stop."""
    at, size = strand.find(start), len(start)
    if at < 0:
        return None
    out = ""
    for k in range(at, len(strand) - size + 1, size):
        amino = table[strand[k : k + size]]
        if amino == "*":
            return out
        out += amino
    return None


def opposite(pairs: Sequence[str]) -> dict[str, str]:
    """Each letter with the one that pairs with it."""
    return {pairing[0]: pairing[1] for pair in pairs for pairing in (pair, pair[::-1])}


def describe_of(rng: Rng, changes: Sequence[Sequence[str]], pairs: Sequence[str], start: str, table: Mapping[str, str]) -> str:
    """What happens to a strand, which strand is read, and the rules and the code of reading."""
    phrasings = {"swap": SWAP, "insert": INSERT, "delete": DELETE, "turn": TURN}
    changes_text = "".join(f"\n{k}. {phrase(rng, phrasings[kind], a=a, b=b)}" for k, (kind, a, b) in enumerate(changes, 1))
    happens = (
        f"It is changed step by step; positions are counted from 1 in the strand as it is at that point:{changes_text}\n"
        if changes_text
        else ""
    )
    by_amino: dict[str, list[str]] = {}
    for word, amino in sorted(table.items(), key=lambda entry: (entry[1] == "*", entry[1], entry[0])):
        by_amino.setdefault(amino.replace("*", "stop"), []).append(word)
    code = "; ".join(f"{amino}: {' '.join(words)}" for amino, words in by_amino.items())
    opposite = ", ".join(f"opposite {pair[0]} is {pair[1]}" for pair in pairs)
    other = f"The other strand is read: {opposite}, and it runs the other way, so that its first letter is opposite the last of this one.\n"
    reading = (
        f"Reading begins at the first place where {start} stands, in any frame, with {start} as the first codon. It goes on codon by codon, each of "
        f"{len(start)} letters, and ends before the first stop. The code (one-letter names of amino acids): {code}."
    )
    return f"{happens}{other if pairs else ''}{reading}"
