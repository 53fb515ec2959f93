"""Ciphers by transposition, number theory and word lists, broken by exhaustive search."""

from __future__ import annotations

import re
from itertools import combinations, permutations

import sympy

from prompt_solvers.parsing import between, integers
from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, only

CHARACTERS = "abcdefghijklmnopqrstuvwxyz "


def shuffled(order: list[int], text: str, decode: bool) -> str:
    """Writes a text in the order of its places, or undoes that."""
    if not decode:
        return "".join(text[place] for place in order)
    return "".join(letter for _, letter in sorted(zip(order, text, strict=True)))


def columns_order(ranks: list[int], size: int) -> list[int]:
    """The places of a text in the order in which a columnar transposition reads them."""
    width = len(ranks)
    return [place for column in sorted(range(width), key=ranks.__getitem__) for place in range(column, size, width)]


@prompt_solver("columnar_transposition")
def solve_columnar_transposition(prompt: str) -> str:
    text, decode = group(r"(?:Encode this|Decode this cipher) text:\n(\w+)", prompt), "Decode this" in prompt
    keys = re.findall(r"key word (\w+),", prompt)
    if keys and "secret" not in prompt:
        for key in reversed(keys) if decode else keys:
            text = shuffled(columns_order([ord(c) for c in key], len(text)), text, decode)
        return text
    width = int(group(r"in rows of (\d+) letters", prompt))
    words = group(r"contains the words? ([\w ]+), somewhere", prompt).split(" and ")
    texts = {shuffled(columns_order(list(ranks), len(text)), text, True) for ranks in permutations(range(width))}
    return only(text for text in texts if all(word in text for word in words))


def rails_order(rails: int, offset: int, size: int) -> list[int]:
    """The places of a text in the order in which a rail fence cipher reads them, starting `offset` places into the zigzag."""
    zigzag = [*range(rails), *range(rails - 2, 0, -1)]
    return sorted(range(size), key=lambda place: (zigzag[(place + offset) % len(zigzag)], place))


@prompt_solver("rail_fence")
def solve_rail_fence(prompt: str) -> str:
    text, decode = group(r"(?:Encode this|Decode this cipher) text:\n(\w+)", prompt), "Decode this" in prompt
    empty = re.search(r"whose first (?:(\d+) )?places? (?:is|are) left empty", prompt)
    first = re.search(r"the first on rail (\d+) counted", prompt)
    offset = int(empty[1] or 1) if empty else int(first[1]) - 1 if first else 0
    given = re.search(r"cipher with (\d+) rails", prompt)
    if given:
        return shuffled(rails_order(int(given[1]), offset, len(text)), text, decode)
    low, high = integers(between(prompt, "number of rails is from", ","))
    word = group(r"contains the word (\w+)", prompt)
    texts = {shuffled(rails_order(rails, offset, len(text)), text, decode) for rails in range(low, high + 1)}
    return only(text for text in texts if word in text)


@prompt_solver("rsa_toy")
def solve_rsa_toy(prompt: str) -> str:
    exponent, modulus, coded = map(int, re.search(r"c = m\^(\d+) modulo (\d+), and c = (\d+)", prompt).groups())  # type: ignore[union-attr]
    p, q = sympy.factorint(modulus)
    residues = [sympy.nthroot_mod(coded, exponent, prime, all_roots=True) for prime in (p, q)]
    return str(only((a * q * pow(q, -1, p) + b * p * pow(p, -1, q)) % modulus for a in residues[0] for b in residues[1]))


def interpolated(points: tuple[tuple[int, int], ...], at: int, prime: int) -> int:
    """The value at a place of the polynomial of least degree through points, by Lagrange's formula."""
    total = 0
    for i, (x, y) in enumerate(points):
        for j, (other, _) in enumerate(points):
            if i != j:
                y = y * (at - other) * pow(x - other, -1, prime) % prime
        total += y
    return total % prime


@prompt_solver("shamir_share")
def solve_shamir_share(prompt: str) -> str:
    prime = int(group(r"modulo the prime (\d+)", prompt))
    terms = group(r"f\(x\) = (.+?), where", prompt).count("+") + 1
    points = [(int(x), int(y)) for x, y in re.findall(r"f\((\d+)\) = (\d+)", prompt)]
    wrong = 1 if "written down wrong" in prompt else 0
    secrets = set()
    for base in combinations(points, terms):
        if sum(interpolated(base, x, prime) != y for x, y in points) == wrong:
            secrets.add(interpolated(base, 0, prime))
    return str(only(secrets))


@prompt_solver("substitution_crack")
def solve_substitution_crack(prompt: str) -> str:
    coded = group(r"\(a letter may stand for itself\):\n(.+)", prompt).split()
    words = group(r"occurs in the text twice:\n(.+)", prompt).split(", ")
    found: list[list[str]] = []

    def fits(word: str, code: str, table: dict[str, str]) -> dict[str, str] | None:
        joined = dict(table)
        if len(word) != len(code) or any(joined.setdefault(c, w) != w for c, w in zip(code, word, strict=True)):
            return None
        return joined if len(set(joined.values())) == len(joined) else None

    def search(table: dict[str, str], chosen: dict[int, str]) -> None:
        options = {
            i: [(word, new) for word in words if word not in chosen.values() for new in [fits(word, code, table)] if new is not None]
            for i, code in enumerate(coded)
            if i not in chosen
        }
        if not options:
            found.append([chosen[i] for i in range(len(coded))])
            return
        tightest = min(options, key=lambda i: len(options[i]))
        for word, new in options[tightest]:
            search(new, {**chosen, tightest: word})

    search({}, {})
    return " ".join(only(map(tuple, found)))


@prompt_solver("one_time_pad_reuse")
def solve_one_time_pad_reuse(prompt: str) -> str:
    first = integers(group(r"First message: (.+)", prompt))
    second = integers(group(r"Second message: (.+)", prompt))
    words = group(r"may occur more than once:\n(.+)", prompt).split(", ")
    starts = [int(n) for n in re.findall(r"from number (\d+) of the pad", prompt)]
    assert not starts, "the messages start at different numbers of the pad"
    whole = re.search(r"The whole first message is: ([a-z ]+)\.", prompt)
    begins = re.search(r"The first word of the first message is: ([a-z]+)\.", prompt)
    wanted = whole[1] if whole else begins[1] + " " if begins else ""
    size = len(first)
    found = []

    def search(one: str, two: str) -> None:
        """`one` and `two` are beginnings of the messages that end after a word, so that the shorter one is to be extended."""
        both = min(len(one), len(two))
        if both >= size + 1:
            found.append((one[:-1], two[:-1]))
            return
        shorter = one if len(one) <= len(two) else two
        for word in words:
            longer = shorter + word + " "
            if len(longer) > size + 1 or len(longer) == size:
                continue
            new = (longer, two) if shorter is one else (one, longer)
            end = min(len(new[0]), len(new[1]), size)
            if all((CHARACTERS.index(new[0][i]) - CHARACTERS.index(new[1][i]) - first[i] + second[i]) % 27 == 0 for i in range(both, end)):
                head = min(len(wanted), len(new[0]))
                if (new[0] + " ")[:head] == wanted[:head]:
                    search(*new)

    search("", "")
    one, two = only(found)
    return f"{one}\n{two}"
