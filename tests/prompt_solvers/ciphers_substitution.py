"""Ciphers that replace letters: each is broken by trying all keys, or by linear algebra on the known letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, combinations, product
from math import gcd

import numpy as np

from prompt_solvers.parsing import between, integers
from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, only

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def mapped(text: str, table: dict[str, str]) -> str:
    """The text with each character replaced by the table; characters outside it stay."""
    return "".join(table.get(character, character) for character in text)


def cipher_text(prompt: str) -> str:
    """The line after the first line that ends in a colon and speaks of a text."""
    return group(r"text(?: is enciphered)?:\n(.+)", prompt)


@prompt_solver("affine_cipher")
def solve_affine_cipher(prompt: str) -> str:
    alphabet = group(r"alphabet (\S+) have", prompt)
    size = len(alphabet)
    if "has a common factor" in prompt:
        return only(texts_of_listed_words(prompt, alphabet))
    given = re.search(r"m = (\d+) and s = (\d+)", prompt)
    keys = [(int(given[1]), int(given[2]))] if given else list(product(range(size), range(size)))
    examples = re.findall(r"The character (\S) of the plain text becomes (\S)", prompt)
    word = re.search(r"One of the words of the plain text is (\w+)", prompt)
    texts = set()
    for m, s in keys:
        table = {plain: alphabet[(m * x + s) % size] for x, plain in enumerate(alphabet)}
        if len(set(table.values())) < size or any(table[plain] != coded for plain, coded in examples):
            continue
        texts.add(mapped(cipher_text(prompt), table if "Encode this" in prompt else {coded: plain for plain, coded in table.items()}))
    return only(text for text in texts if word is None or word[1] in text.split())


def texts_of_listed_words(prompt: str, alphabet: str) -> Iterator[str]:
    """What the listed words can be for multipliers that different letters share a result under."""
    size, coded = len(alphabet), cipher_text(prompt).split()
    listed = group(r"one of these words: ([a-z, ]+)\.", prompt).split(", ")
    unit = re.search(r"secret number with each further (word|character)", prompt)
    starts = list(accumulate([0, *map(len, coded)]))
    for m, growth in product([m for m in range(1, size) if gcd(m, size) > 1], range(size) if unit else [0]):
        # The shift that each listed word would need at each place, if it needs the same for all of its letters.
        options: list[dict[int, list[str]]] = []
        for place, cipher in enumerate(coded):
            options.append({})
            for word in listed if len(options) == 1 or options[-2] else []:
                counts = [place if unit and unit[1] == "word" else starts[place] + i for i in range(len(word))]
                signs = zip(word, cipher, counts, strict=False)
                needed = {(alphabet.index(b) - m * alphabet.index(a) - growth * n) % size for a, b, n in signs}
                if len(needed) == 1 and len(word) == len(cipher):
                    options[-1].setdefault(needed.pop(), []).append(word)
        for shift in options[0]:
            yield from map(" ".join, product(*(option.get(shift, []) for option in options)))


@prompt_solver("caesar_crack")
def solve_caesar_crack(prompt: str) -> str:
    text, word = cipher_text(prompt), group(r'one of them is "(\w+)"', prompt)
    if "m * x + s" in prompt:
        tables = [{LETTERS[(m * x + s) % 26]: LETTERS[x] for x in range(26)} for m in range(1, 26, 2) if m != 13 for s in range(26)]
        texts = {mapped(text, table) for table in tables}
    else:
        texts = set()
        for s, t in product(range(26), range(26) if "s + 2t" in prompt else [0]):
            places = iter(range(s, s + t * len(text) + 1, t) if t else [s] * len(text))
            texts.add("".join(LETTERS[(LETTERS.index(c) - next(places)) % 26] if c != " " else c for c in text))
    return only(text for text in texts if word in text.split())


@prompt_solver("hill_cipher")
def solve_hill_cipher(prompt: str) -> str:
    numbers = [LETTERS.index(c) for c in group(r"enciphered message is (\w+)", prompt)]
    pairs = [numbers[i : i + 2] for i in range(0, len(numbers), 2)]
    shown = re.search(r"(\d+) (\d+) / (\d+) (\d+)", prompt)
    if shown:
        a, b, c, d = map(int, shown.groups())
        if "inverse modulo 26 is" not in prompt:
            inverse = pow(a * d - b * c, -1, 26)
            a, b, c, d = d * inverse, -b * inverse, -c * inverse, a * inverse
        return "".join(LETTERS[(p * x + q * y) % 26] for x, y in pairs for p, q in ((a, b), (c, d)))
    known = [LETTERS.index(c) for c in group(r"begins with (\w+)", prompt)]
    known_pairs = [(known[i], known[i + 1]) for i in range(0, len(known) - 1, 2)]
    rows = [
        [
            (p, q)
            for p, q in product(range(26), repeat=2)
            if all((p * x + q * y - plain[row]) % 26 == 0 for (x, y), plain in zip(pairs, known_pairs, strict=False))
        ]
        for row in (0, 1)
    ]
    inverses = [(first, second) for first, second in product(*rows) if np.gcd(first[0] * second[1] - first[1] * second[0], 26) == 1]
    first, second = only(inverses)
    return "".join(LETTERS[(p * x + q * y) % 26] for x, y in pairs for p, q in (first, second))


def square_of(key_word: str) -> str:
    """The 25 letters of a Playfair square without j."""
    return "".join(dict.fromkeys(key_word + LETTERS.replace("j", "")))


def playfair(pairs: list[str], square: str, step: int) -> list[str]:
    """Encodes pairs of letters (step 1) or decodes them (step -1)."""
    coded = []
    for first, second in pairs:
        (r1, c1), (r2, c2) = divmod(square.index(first), 5), divmod(square.index(second), 5)
        if r1 == r2:
            cells = [(r1, c1 + step), (r2, c2 + step)]
        elif c1 == c2:
            cells = [(r1 + step, c1), (r2 + step, c2)]
        else:
            cells = [(r1, c2), (r2, c1)]
        coded.append("".join(square[r % 5 * 5 + c % 5] for r, c in cells))
    return coded


@prompt_solver("playfair")
def solve_playfair(prompt: str) -> str:
    words = re.search(r"built from (?:the key word (\w+)|a key word, (\w+) for the first square and (\w+) for the second):", prompt)
    squares = [square_of(word) for word in (words.groups() if words else ()) if word]
    if not squares:
        squares = [between(prompt, "columns of letters:\n", "\n\n").replace(" ", "").replace("\n", "")]
    text = prompt.split("\n\n")[-2].split(":\n")[1]
    if "Decode this" in prompt:
        pairs = [text[i : i + 2] for i in range(0, len(text), 2)]
        for square in reversed(squares):
            pairs = playfair(pairs, square, -1)
        return "".join(pairs)
    pairs = []
    while text:
        take = 1 if len(text) == 1 or text[0] == text[1] else 2
        pairs.append(text[:take].ljust(2, "x"))
        text = text[take:]
    for square in squares:
        pairs = playfair(pairs, square, 1)
    return "".join(pairs)


@prompt_solver("vigenere_known_words")
def solve_vigenere_known_words(prompt: str) -> str:
    text, size = cipher_text(prompt), int(group(r"key of (\d+) letters", prompt))
    letters = text.replace(" ", "")
    begins = re.search(r'begins with the words "([\w ]+)"', prompt)
    words = text.split(" ")
    starts = [sum(map(len, words[:i])) for i in range(len(words))]
    if begins:
        placings = [[(0, begins[1].replace(" ", ""))]]
    else:
        known = re.findall(r'"(\w+)"', prompt)
        options = [[(at, word) for at, coded in zip(starts, words, strict=True) if len(coded) == len(word)] for word in known]
        placings = [list(placing) for placing in product(*options)]
    texts = set()
    for placing in placings:
        key: dict[int, int] = {}
        places = [(at + i, c) for at, word in placing for i, c in enumerate(word)]
        if (
            all(key.setdefault(i % size, shift) == shift for i, c in places for shift in [(ord(letters[i]) - ord(c)) % 26])
            and len(key) == size
        ):
            plain = iter(LETTERS[(LETTERS.index(c) - key[i % size]) % 26] for i, c in enumerate(letters))
            texts.add("".join(c if c == " " else next(plain) for c in text))
    return only(texts)


@prompt_solver("xor_repeating_key")
def solve_xor_repeating_key(prompt: str) -> str:
    data = bytes.fromhex(group(r"This is the result:\n(.+)", prompt))
    shown = re.search(r"The key is ([0-9a-f ]+)\.", prompt)
    if shown:
        key = bytes.fromhex(shown[1])
        return bytes(byte ^ key[i % len(key)] for i, byte in enumerate(data)).decode()
    size = int(group(r"secret and has (\d+)", prompt))
    first = re.search(r"first word of the text is (\w+)", prompt)
    crib = b" " + (first[1] if first else group(r"words of the text is (\w+)", prompt)).encode() + b" "
    padded_at = [-1] if first else range(-1, len(data) - len(crib) + 2)
    texts = set()
    for at in padded_at:
        choices: list[set[int]] = [set(range(256)) for _ in range(size)]
        for i, byte in enumerate(data):
            allowed = [crib[i - at]] if 0 <= i - at < len(crib) else b" " + LETTERS.encode()
            choices[i % size] &= {byte ^ plain for plain in allowed}
        for key in product(*choices):
            text = bytes(byte ^ key[i % size] for i, byte in enumerate(data)).decode()
            if re.fullmatch(r"[a-z]{2,}( [a-z]{2,})*", text):
                texts.add(text)
    return only(texts)


@prompt_solver("lfsr_predict")
def solve_lfsr_predict(prompt: str) -> str:
    bits = [int(c) for c in group(r"The row begins:\n([01]+)", prompt)]
    order, count = int(group(r"after the first (\d+)", prompt)), int(group(r"What are the next (\d+)", prompt))
    shown = re.search(r"of the bits ([\d, and]+) places before", prompt)
    if shown:
        rules = {(sum(1 << (place - 1) for place in integers(shown[1])), 0, 0)}
    else:
        flips = (0, 1) if "inverted" in prompt else (0,)
        pairs = [1 << a | 1 << b for a, b in combinations(range(order), 2)] if "product" in prompt else [0]
        rules = {(mask, flip, pair) for mask in range(1 << (order - 1), 1 << order) for flip in flips for pair in pairs}

    def next_bit(window: int, mask: int, flip: int, pair: int) -> int:
        return ((window & mask).bit_count() + flip + (pair > 0 and window & pair == pair)) % 2

    def window(row: list[int]) -> int:
        return sum(bit << i for i, bit in enumerate(reversed(row[-order:])))

    windows = [(window(bits[:i]), bits[i]) for i in range(order, len(bits))]
    fitting = {rule for rule in rules if all(next_bit(before, *rule) == bit for before, bit in windows)}
    rule = only(fitting)
    for _ in range(count):
        bits.append(next_bit(window(bits), *rule))
    return "".join(map(str, bits[-count:]))
