"""Words and necklaces: how many there are, the one with a given number, and a cycle that holds all."""

from __future__ import annotations

import re
from collections import Counter
from math import factorial

import networkx

from prompt_solvers.parsing import between, problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("counting_words")
def solve_counting_words(prompt: str) -> str:
    text = problem(prompt)
    length = int(between(text, "Words of ", " letters"))
    letters = between(text, "made of the letters ", ";").split(", ")
    patterns = between(text, "side by side): ", "?").split(", ")
    keep = max(map(len, patterns)) - 1
    states = Counter({"": 1})
    for _ in range(length):
        following: Counter[str] = Counter()
        for end, count in states.items():
            for letter in letters:
                word = end + letter
                if not any(word.endswith(pattern) for pattern in patterns):
                    following[word[-keep:] if keep else ""] += count
        states = following
    return str(sum(states.values()))


@prompt_solver("de_bruijn_words")
def solve_de_bruijn_words(prompt: str) -> str:
    text = problem(prompt)
    words = re.split(r", ", re.search(r"stands here: (.*?)\. Give", text)[1])  # type: ignore[index]
    graph = networkx.MultiDiGraph((word[:-1], word[1:]) for word in words)
    return "".join(start[0] for start, _ in networkx.eulerian_circuit(graph))


@prompt_solver("necklaces")
def solve_necklaces(prompt: str) -> str:
    """Burnside's lemma, with the colourings that a turn or a reflection keeps counted from its cycles."""
    text = problem(prompt)
    size = int(re.match(r"(\d+)", text)[1])  # type: ignore[index]
    colours = re.split(r", | or ", between(text, "Each is ", "."))
    exact = re.search(r"Exactly (\d+) of them must be (\w+)", text)
    flips = "rotated, turned over, or both" in text
    assert flips or "rotated (but not turned over)" in text
    assert "all colours" not in text
    turns = [[(i + shift) % size for i in range(size)] for shift in range(size)]
    symmetries = turns + ([turn[::-1] for turn in turns] if flips else [])
    total = 0
    for images in symmetries:
        left, cycles = set(range(size)), []
        while left:
            at, length = min(left), 0
            while at in left:
                left.remove(at)
                at, length = images[at], length + 1
            cycles.append(length)
        ways = Counter({0: 1})
        for length in cycles:
            following: Counter[int] = Counter()
            for marked, count in ways.items():
                following[marked + length] += count
                following[marked] += count * (len(colours) - 1)
            ways = following
        total += ways[int(exact[1])] if exact else sum(ways.values())
    return str(total // len(symmetries))


@prompt_solver("word_unrank")
def solve_word_unrank(prompt: str) -> str:
    text = problem(prompt)
    left = Counter(between(text, "all the letters ", ".").split(", "))
    rank = int(between(text, "is number ", " "))
    word = ""
    while sum(left.values()):
        for letter in sorted(left):
            if left[letter] == 0:
                continue
            rest = left.copy()
            rest[letter] -= 1
            block = factorial(sum(rest.values()))
            for count in rest.values():
                block //= factorial(count)
            if rank <= block:
                word, left = word + letter, rest
                break
            rank -= block
    return word
