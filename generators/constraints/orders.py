"""Composed orders on a list of words: steps in turn, several on the same list, and one of two, by what the list is like."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

Words = tuple[str, ...]
VOWELS = "aeiou"
STEPS = {
    "reverse": "Reverse the order of the words.",
    "sort": "Put the words in alphabetical order.",
    "by_length": "Put the words in order of length, the shortest first; words of the same length keep their order.",
    "drop_first": "Take away the first word.",
    "drop_last": "Remove the last word.",
    "keep_long": "Keep only the words with more than {n} letters.",
    "keep_with": "Keep only the words that have the letter {word} in them.",
    "odd_places": "Keep only the first, the third, the fifth word, and so on.",
    "rotate": "Move the first word to the end.",
    "ends": "Exchange the first and the last word.",
    "behead": "Take away the first letter of every word that has more than one letter.",
    "append": 'Add the word "{word}" at the end.',
    "prepend": 'Put the word "{word}" before the first word.',
}
ASKED = {
    "even": "the number of words is even",
    "vowel": "the first word begins with a vowel (a, e, i, o or u)",
    "longer": "the last word has more letters than the first word",
    "before": "the first word comes before the last word in the alphabet",
    "more": "there are more than {n} words",
    "long": "some word has more than {n} letters",
    "letter": "the letter {word} is in the first word",
}


class Node(TaskData):
    """A step; `do` (in turn), `each` (on the same list) or `if` over parts; or a condition, maybe `and`, `or`, `not` or `start` over parts."""

    kind: str
    n: int = 0
    word: str = ""
    parts: tuple["Node", ...] = ()


class Event(NamedTuple):
    """One thing that happens: the label of the order, and the list after it, or whether its condition holds."""

    label: str
    words: Words
    holds: bool | None = None


def step(node: Node, words: Words) -> Words:
    """The list after one step."""
    match node.kind:
        case "reverse":
            return words[::-1]
        case "sort":
            return tuple(sorted(words))
        case "by_length":
            return tuple(sorted(words, key=len))
        case "drop_first":
            return words[1:]
        case "drop_last":
            return words[:-1]
        case "keep_long":
            return tuple(word for word in words if len(word) > node.n)
        case "keep_with":
            return tuple(word for word in words if node.word in word)
        case "odd_places":
            return words[::2]
        case "rotate":
            return words[1:] + words[:1]
        case "ends":
            return (words[-1], *words[1:-1], words[0]) if len(words) > 1 else words
        case "behead":
            return tuple(word[1:] or word for word in words)
        case "append":
            return (*words, node.word)
        case "prepend":
            return (node.word, *words)
    raise ValueError(f"there is no step {node.kind!r}")


def holds(node: Node, words: Words, start: Words) -> bool:
    """Whether a condition holds of a list; of an empty one nothing does but that its number of words is even."""
    match node.kind:
        case "and":
            return all(holds(part, words, start) for part in node.parts)
        case "or":
            return any(holds(part, words, start) for part in node.parts)
        case "not":
            return not holds(node.parts[0], words, start)
        case "start":
            return holds(node.parts[0], start, start)
        case "even":
            return len(words) % 2 == 0
        case "more":
            return len(words) > node.n
        case "long":
            return any(len(word) > node.n for word in words)
    first, last = words[0] if words else "", words[-1] if words else ""
    tests = {"vowel": first[:1] in (*VOWELS,), "longer": len(last) > len(first), "before": first < last, "letter": node.word in first}
    return bool(words) and tests[node.kind]


def happens(node: Node, words: Words, start: Words, label: str = "1") -> Iterator[Event]:
    """What happens, in order; the last event holds the result."""
    inside = [f"{label}.{i}" for i in range(1, len(node.parts) + 1)]
    match node.kind:
        case "do":
            for part, name in zip(node.parts, inside, strict=True):
                for event in happens(part, words, start, name):
                    yield event
                    words = event.words
        case "each":
            results: Words = ()
            for part, name in zip(node.parts, inside, strict=True):
                *before, last = happens(part, words, start, name)
                yield from (*before, last)
                results += last.words
            yield Event(label, results)
        case "if":
            right = holds(node.parts[0], words, start)
            yield Event(label, words, right)
            yield from happens(node.parts[1 if right else 2], words, start, f"{label}.{1 if right else 2}")
        case _:
            yield Event(label, step(node, words))


def write_question(node: Node) -> str:
    """A condition in words."""
    inside = [write_question(part) for part in node.parts]
    match node.kind:
        case "and":
            return " and ".join(inside)
        case "or":
            return f"{inside[0]}, or {inside[1]} (or both)"
        case "not":
            return f"it is not the case that {inside[0]}"
        case "start":
            return f"this was true at the very start, before any step: {inside[0]}"
    return ASKED[node.kind].format(n=node.n, word=node.word)


def outline(node: Node, label: str = "1", depth: int = 0) -> Iterator[str]:
    """The orders as an outline, a line each."""
    lead = f"{'  ' * depth}{label} "
    if node.kind == "if":
        yield f"{lead}If {write_question(node.parts[0])}, do {label}.1, otherwise do {label}.2."
        yield from (line for i in (1, 2) for line in outline(node.parts[i], f"{label}.{i}", depth + 1))
    elif node.parts:
        text = (
            "Do these in turn, each on the result of the one before." if node.kind == "do" else "Do each of these on the list as it is now."
        )
        yield lead + text + (" The new list is their results, joined in this order." if node.kind == "each" else "")
        yield from (line for i, part in enumerate(node.parts, 1) for line in outline(part, f"{label}.{i}", depth + 1))
    else:
        yield lead + STEPS[node.kind].format(n=node.n, word=node.word)


def tree(rng: Rng, depth: int, joined: bool, tests: str, bank: Sequence[str], kind: str = "do") -> Node:
    """Composed orders so deep; `joined` has some be done each on the same list."""
    if depth <= 0:
        return sample_plain_order(rng, bank)
    kinds = [*(["do", "each"] if joined else ["do"]), "if"]
    inner = [one for one in kinds if one != kind]
    if kind == "if":
        first, other = (tree(rng, depth - 1, joined, tests, bank, rng.choice(inner)) for _ in range(2))
        while other == first:
            other = tree(rng, depth - 1, joined, tests, bank, rng.choice(inner))
        return Node(kind="if", parts=(condition(rng, tests), first, other))
    parts = [
        tree(rng, depth - rng.integer(1, 2) if i else depth - 1, joined, tests, bank, rng.choice(inner) if i else "if")
        for i in range(rng.integer(2, 3))
    ]
    return Node(kind=kind, parts=tuple(rng.shuffled(parts)))


def sample_plain_order(rng: Rng, bank: Sequence[str]) -> Node:
    kind = rng.choice(tuple(STEPS))
    word = rng.choice("aeiorstln") if kind == "keep_with" else rng.choice(bank)
    return Node(kind=kind, n=rng.integer(3, 5) if kind == "keep_long" else 0, word=word if "{word}" in STEPS[kind] else "")


def condition(rng: Rng, tests: str) -> Node:
    """A condition: `plain`, `joined` out of two or denied, or also about the `start`."""
    kind = rng.choice(tuple(ASKED))
    node = Node(kind=kind, n=rng.integer(3, 7) if "{n}" in ASKED[kind] else 0, word=rng.choice("aeiorstln") if kind == "letter" else "")
    if tests == "plain":
        return node
    connective = rng.choice(("and", "or", "not", "plain") if tests == "joined" else ("and", "or", "start", "start", "not"))
    if connective in ("and", "or"):
        other = condition(rng, "plain")
        while other.kind == node.kind:  # two conditions of one kind may always hold together, or never
            other = condition(rng, "plain")
        return Node(kind=connective, parts=(node, other))
    return node if connective == "plain" else Node(kind=connective, parts=(node,))
