"""Regular expressions that have a word in common, drawn around it, and small changes of them."""

from __future__ import annotations

from rlgym.core.rng import Rng


def sample_overlapping(rng: Rng, kind: str, alphabet: str, length: int, count: int, depth: int) -> tuple[str, ...]:
    """Expressions that share a word: "folded" around a word of this length, or "counting" the letters of runs."""
    if kind == "folded":
        word = "".join(rng.choice(alphabet) for _ in range(length))
        return tuple(sample_around_word(rng, word, alphabet, depth) for _ in range(count))
    runs = rng.integer(depth, depth + 1)
    order = [rng.choice(alphabet)]
    while len(order) < runs:
        order.append(rng.choice(alphabet.replace(order[-1], "")))
    parts: list[list[str]] = [[] for _ in range(count)]
    for letter in order:
        size = rng.integer(2, length // runs + 4)
        for k, modulus in enumerate(rng.sample(range(2, max(5, min(8, 3 + length // 3))), count)):
            rest = size % modulus
            loop, plain = f"({letter * modulus})*", letter * rest
            other = next(one for one in alphabet[::-1] if one != letter)
            loop = f"({letter * modulus}|{letter * rest}{other})*" if rest and depth > 1 and rng.chance(0.3) else loop
            parts[k].append(loop + plain if rng.chance(0.5) else plain + loop)
    return tuple("".join(row) for row in parts)


def sample_around_word(rng: Rng, word: str, alphabet: str, depth: int) -> str:
    """An expression that matches the word: its pieces as they are, among others to choose from, or in a repetition."""
    if depth == 0 or not word:
        return word
    pieces, start = list[str](), 0
    while start < len(word):
        end = start + rng.integer(depth, 3 * depth)
        pieces.append(word[start:end])
        start = end
    out, at = "", 0
    while at < len(pieces):
        kind = rng.weighted(("plain", "choice", "plus", "star", "maybe"), (4, 3, 3, 2, 1) if depth > 1 else (3, 4, 3, 2, 1))
        group = pieces[at : at + (rng.integer(1, 3) if kind in ("plus", "star") else 1)]
        at += len(group)
        inside = [sample_around_word(rng, piece, alphabet, depth - 1) for piece in dict.fromkeys(group)]
        if kind != "plain" and (kind != "maybe" or rng.chance(0.5)):
            inside += ["".join(rng.choice(alphabet) for _ in range(rng.integer(1, 3))) for _ in range(rng.integer(depth == 1, 1))]
        body = "|".join(dict.fromkeys(rng.shuffled(inside)))
        sign = {"plus": "+", "star": "*", "maybe": "?"}.get(kind, "")
        out += body + sign if len(body) == 1 or (not sign and len(inside) == 1) else f"({body}){sign}"
    return out


def mutate(rng: Rng, text: str, alphabet: str) -> str:
    """The expression with one or two of its letters exchanged for others."""
    for _ in range(rng.integer(1, 2)):
        at = rng.choice([k for k, sign in enumerate(text) if sign.isalpha()])
        text = text[:at] + rng.choice(alphabet.replace(text[at], "")) + text[at + 1 :]
    return text
