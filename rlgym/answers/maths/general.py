"""Reads a mathematical answer whose type is not known beforehand: numbers, lists, sets, tuples, intervals, matrices, relations, words."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from rlgym.answers.maths.cleaning import cleaned
from rlgym.answers.maths.inequalities import are_alternatives
from rlgym.answers.maths.items import Item, Many, Matrix, Relation, Scalar, Words
from rlgym.answers.maths.layout import inside, parts
from rlgym.answers.maths.notation import in_radians, plain_arithmetic, with_exponents
from rlgym.answers.maths.units import read_unit
from rlgym.answers.trees import FUNCTIONS, Apply, Grammar, Tree, exact, number
from rlgym.answers.trees.reader import COMPOSED, read
from rlgym.core.answer import Unreadable

MOST_CHARACTERS, MOST_ITEMS, DEEPEST = 6000, 80, 8


_THOUSANDS = re.compile(r"[+\-−]?\$?[1-9][0-9]{0,2}(?:,[0-9]{3}){1,9}(?:\.[0-9]+)?|[+\-−]?[1-9][0-9]{0,2}(?: [0-9]{3}){1,9}(?:[.,][0-9]+)?")
_COMMA = re.compile(r"[+\-]?[0-9]{1,12},[0-9]{1,12}")
_PERCENT = re.compile(r"\s*(?:\\?%|\bpercentage\b|\bpercent\b|\bpct\b)")
_SIGNS = {
    "\\leqslant": "<=", "\\geqslant": ">=", "\\leq": "<=", "\\geq": ">=", "\\le": "<=", "\\ge": ">=", "≤": "<=", "≥": ">=", "<=": "<=", ">=": ">=",
    "\\lt": "<", "\\gt": ">", "<": "<", ">": ">", "\\neq": "!=", "\\ne": "!=", "≠": "!=", "!=": "!=", "\\approx": "~", "≈": "~", "\\in": "in", "∈": "in",
    "=": "=", "\\equiv": "=",
}  # fmt: skip
_RELATION = r"\s*(?:\\(?:leqslant|geqslant|leq|geq|le|ge|lt|gt|neq|ne|approx|in|equiv)(?![A-Za-z])|<=|>=|!=|[≤≥≠≈∈<>=])\s*"
_AND = r"\s*(?:⟦\s*(?:and|or)\s*⟧|\band\b|\bor\b|(?<=\))or(?=\()|\\lor(?![A-Za-z])|\\land(?![A-Za-z]))\s*"
_MATRIX = re.compile(r"\\begin\{([pbvB]?matrix|array)\}(?:\{[lcr| ]{0,60}\})?(.*?)\\end\{\1\}", re.DOTALL)
_ROW_OF_ONE = re.compile(r"\[[^\[\],;]{1,400}\]")
_LAYOUT = re.compile(r"[ ()\[\].]")
_SPACES = re.compile(r"[ ()\[\]]")
_LABEL = re.compile(r"^[ ()\[\]]{0,4}\\?[A-Za-z][A-Za-z0-9_^{}'\-]{0,20} {0,2}= {0,2}")
_BIG = re.compile(r"\\(?:sum|prod|int)\s*(?:_\s*(?:\{[^{}]*\}|[A-Za-z0-9]))?\s*(?:\^\s*(?:\{[^{}]*\}|[A-Za-z0-9]))?\s*(?=.)")
_MEASURED = re.compile(r"([+-]?(?:[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?|\.[0-9]+))\s*([A-Za-z]{2,20}|m)\s*(?:\^?\{?([23])\}?|([²³]))?")
_BASED = re.compile(r"([0-9]{1,40})\s?_\s?(?:\{\s?([0-9]{1,2})\s?\}|([2-9]))")
_AMOUNT = re.compile(r"([+-]?(?:[0-9]+\s*/\s*[0-9]+|[0-9]+(?:\.[0-9]+)?|\.[0-9]+))\s*([A-Za-zµμΩ][A-Za-zµμΩ*/^·⋅ ()0-9⁻²³\-]*)")
_EITHER = re.compile(r"±|\\pm(?![A-Za-z])")
_NAME = re.compile(r"\\?([A-Za-z]+)(?:\s*_\s*(?:\{([A-Za-z0-9,+\-]{1,12})\}|([A-Za-z0-9])))?")
_GREEK = set(
    "alpha beta gamma delta epsilon theta lambda mu nu rho sigma tau phi omega Delta Omega Gamma psi xi eta zeta kappa chi".split()
)
_HEADS = (*FUNCTIONS, *COMPOSED, "log", "atan", "sec", "csc", "cot")
_KEPT = {*_HEADS, "frac", "dfrac", "tfrac", "cdot", "times", "pi", "div", "ast", "lvert", "rvert", "vert"}
_NUMBERS_IN_LETTERS = ("pi", "oo", "inf", "infty", "Inf", "infinity", "Infinity")
_MARKED = re.compile(r"⟦([^⟦⟧]*)⟧")


def read_item(text: str) -> Item:
    """The item that a text spells; Unreadable where nothing fits."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"expected at most {MOST_CHARACTERS} characters")
    plain = cleaned(text)
    if not plain:
        raise Unreadable("expected an answer, got nothing")
    return _read(plain, 0)


def read_decimal_comma(text: str) -> Item | None:
    """The number that a text such as 2,74 spells where the comma is the decimal sign; None of other texts."""
    plain = cleaned(text).replace(" ", "")
    return Scalar(read(plain.replace(",", "."), Grammar())) if _COMMA.fullmatch(plain) else None


def _read(text: str, depth: int) -> Item:
    if depth > DEEPEST:
        raise Unreadable("the answer is nested too deep")
    text = _unwrap_braces(text.strip())
    if match := _MATRIX.search(text):
        return _matrix(text, match, depth)
    if _THOUSANDS.fullmatch(text):
        return Scalar(read(re.sub(r"[, ](?=[0-9]{3})", "", text).replace("$", "").replace(",", "."), Grammar()))
    curly = text.replace("⦃", "{").replace("⦄", "}")
    for between, kind in (
        (r"\s*(?:∪|\\cup(?![A-Za-z])|(?<=[)\]}] )U(?= [(\[{]))\s*", "union"),
        (_AND, "list"),
        (r"\s*;\s*", "list"),
        (r"\s*,\s*", "list"),
    ):
        pieces = [piece for piece in parts(curly, between) if piece]
        if len(pieces) > MOST_ITEMS:
            raise Unreadable("the answer has too many parts")
        if len(pieces) > 1:
            inner = [_read(piece, depth + 1) for piece in _restore_braces(text, pieces)]
            if kind == "list":
                inner = [
                    item
                    for entry in inner
                    for item in (entry.items if isinstance(entry, Many) and entry.kind == "list" and between == _AND else (entry,))
                ]
            return Many("either" if between == _AND and are_alternatives(inner, text) else kind, tuple(inner))
    if len(sides := parts(curly, _RELATION)) > 1:
        signs = [_SIGNS[sign.strip()] for sign in re.findall(_RELATION, _outside(curly))]
        if len(signs) == len(sides) - 1:
            return Relation(tuple(signs), tuple(_read(side, depth + 1) if side else Words("") for side in sides))
    if (held := inside(curly, "{")) is not None and text[:1] == "⦃":
        return Many("set", _items(held, depth))
    if curly[:1] in ("(", "[") and curly[-1:] in (")", "]") and (held := _group(curly)) is not None:
        items = parts(held, r"\s*[,;]\s*")
        if len(items) > 1:
            if curly[0] == "[" and all(_ROW_OF_ONE.fullmatch(item) for item in items):
                return Matrix(tuple((_read(item[1:-1], depth + 1),) for item in items[:MOST_ITEMS]))
            return Many(curly[0] + curly[-1], tuple(_read(item, depth + 1) for item in items[:MOST_ITEMS]))
        if re.fullmatch(r"⟦[^⟦⟧]*⟧|[A-Za-z]", held.strip()):
            return _read(held, depth + 1)
    if len(ratio := parts(curly, r"\s*:\s*")) > 1:
        return Many("ratio", tuple(_read(part, depth + 1) for part in ratio))
    return _scalar(curly, depth)


def _restore_braces(text: str, pieces: list[str]) -> list[str]:
    """The pieces with their braces as they were marked in the text: those of a set, or those of a group."""
    out, at = [], 0
    curly = text.replace("⦃", "{").replace("⦄", "}")
    for piece in pieces:
        at = curly.index(piece, at)
        out.append(text[at : at + len(piece)])
        at += len(piece)
    return out


def _unwrap_braces(text: str) -> str:
    """Without a pair of plain braces around everything."""
    while text[:1] == "{" and (inner := inside(text, "{")) is not None:
        text = inner.strip()
    return text


def _group(text: str) -> str | None:
    """What brackets of either kind around the whole text hold."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if not depth:
            return text[1:-1] if at == len(text) - 1 else None
    return None


def _outside(text: str) -> str:
    """The text with what stands in brackets blotted out."""
    depth, out = 0, []
    for sign in text:
        depth -= sign in ")]}"
        out.append(sign if depth <= 0 else "#")
        depth += sign in "([{"
    return "".join(out)


def _items(text: str, depth: int) -> tuple[Item, ...]:
    pieces = [piece for piece in parts(text, r"\s*[,;]\s*") if piece][:MOST_ITEMS]
    read_items = [_read(piece, depth + 1) for piece in pieces]
    return tuple(
        item for member in read_items for item in (member.items if isinstance(member, Many) and member.kind == "list" else (member,))
    )


def _scalar(text: str, depth: int) -> Item:
    if "°" in text:
        return _read_degrees(text, depth)
    if len(_EITHER.findall(text)) == 1 and depth < DEEPEST:
        return Many("list", tuple(_read(_EITHER.sub(sign, text).strip().removeprefix("+"), depth + 1) for sign in "+-"))
    percent = bool(_PERCENT.search(text))
    plain = _PERCENT.sub(" ", text).strip()
    if percent and _THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", "")
    unit = ""
    marked = _MARKED.findall(plain)
    if marked:
        if len(unmarked := _MARKED.sub(" ", plain).strip()) == 0 or not re.search(r"[0-9A-Za-z\\]", unmarked):
            return Words(" ".join(" ".join(marked).split()))
        if plain.startswith("⟦") and len(marked) == 1:
            return _scalar(f"{marked[0]} {unmarked}", depth)
        unit = " ".join(" ".join(marked).split())
        power = re.search(r"⟧\s*(?:\^\s*\{?([0-9])\}?|([²³]))\s*$", plain)
        plain = re.sub(r"(?:\^\s*\{?[0-9]\}?|[²³])\s*$", "", unmarked) if power else unmarked
        unit += (power[1] or power[2]) if power else ""
    if based := _BASED.fullmatch(plain):  # the base may be left out, since the question names it
        return Scalar(_tree(based[1]), f"base {based[2] or based[3]}", whole=_tree(based[1]))
    match = _MEASURED.fullmatch(plain)
    if match and match[2] not in _KEPT:
        return Scalar(read(match[1].replace(",", ""), Grammar()), match[2] + (match[3] or match[4] or ""))
    amount = _AMOUNT.fullmatch(plain)
    if amount and not unit and _is_unit(amount[2]):
        letters = re.fullmatch(r"[A-Za-z]{1,2}", amount[2])
        return Scalar(_tree(amount[1]), amount[2], whole=_tree(plain) if letters else None)
    if re.fullmatch(r"[A-Za-z]{2,}(?: [A-Za-z]+)*", plain) and plain not in _NUMBERS_IN_LETTERS:
        return Words(plain)
    try:
        exponents = with_exponents(plain)
        return Scalar(_tree(plain), unit, percent, power_of_ten=_tree(exponents) if exponents != plain else None)
    except Unreadable:
        big = _BIG.match(plain)
        return Many("sum", (Words(big[0]), _scalar(plain[big.end() :], depth + 1))) if big and depth < DEEPEST else Words(plain)


def _read_degrees(text: str, depth: int) -> Item:
    """An angle, or an expression of trigonometric functions of angles; the sign is dropped from a temperature and other words."""
    if (radians := in_radians(text)) is not None:
        return _scalar(radians, depth)
    item = _scalar(re.sub(r"\s*°\s*", " ", text).strip(), depth)
    return replace(item, degrees=True) if isinstance(item, Scalar) and not item.unit and not item.percent else item


@lru_cache(maxsize=512)
def _is_unit(text: str) -> bool:
    """Whether a text is a unit that is known here."""
    try:
        read_unit(text)
    except Unreadable:
        return False
    return True


def _tree(text: str) -> Tree:
    """The tree of an expression in any names: single letters, Greek letters, and letters with an index."""
    text = re.sub(r"\\infty|∞|\boo\b", "infinity", plain_arithmetic(text.replace("\\mathrm", ""))).replace("+infinity", "infinity")
    names: set[str] = set()

    def renamed(match: re.Match[str]) -> str:
        word, index = match[1], (match[2] or match[3] or "").replace("-", "minus").replace("+", "plus").replace(",", "and")
        slash = match[0].startswith("\\")
        if word in _KEPT and not index:
            return match[0]
        if index:
            if word not in _GREEK and len(word) > 1:
                names.update(word[:-1])
                names.add(f"{word[-1]}_{index}")
                return f" {' '.join(word[:-1])} {word[-1]}_{index} "
            names.add(f"{word}_{index}")
            return f" {word}_{index} "
        if slash and word not in _GREEK:
            raise Unreadable(f"\\{word} is not known here")
        if slash or word == "infinity":
            names.add(word)
            return f" {word} "
        names.update(word)
        return match[0]

    plain = _NAME.sub(renamed, text)
    return read(plain, _grammar(tuple(sorted(names - {"e"}))))


@lru_cache(maxsize=256)
def _grammar(names: tuple[str, ...]) -> Grammar:
    return Grammar(names, _HEADS, ("pi", "e"), max_characters=MOST_CHARACTERS, max_digits=400)


def _matrix(text: str, match: re.Match[str], depth: int) -> Item:
    """A matrix, or a sum or product of several."""
    bodies = list(_MATRIX.finditer(text))
    matrices = [
        tuple(tuple(_read(cleaned(entry), depth + 1) for entry in row.split("&")) for row in body[2].split("⏎") if row.strip())
        for body in bodies
    ]
    between = [text[first.end() : second.start()].strip(" ()[].") for first, second in pairwise(bodies)]
    combined = Matrix(matrices[0])
    for sign, rows in zip(between, matrices[1:]):
        combined = _combine_matrices(combined, sign, Matrix(rows))
    if _LAYOUT.sub("", text[bodies[-1].end() :]):
        raise Unreadable("expected nothing after a matrix")
    return _scale_matrix(
        combined, _SPACES.sub("", _LABEL.sub("", text[: bodies[0].start()])).removesuffix("*").removesuffix("\\cdot"), depth
    )


def _scale_matrix(matrix: Matrix, factor: str, depth: int) -> Matrix:
    """A matrix times the number that stands before it."""
    if not factor:
        return matrix
    scalar = Scalar(number(Fraction(-1))) if factor == "-" else _read(factor, depth + 1)
    if not isinstance(scalar, Scalar) or scalar.unit:
        raise Unreadable("expected a number before a matrix")
    rows = tuple(tuple(Scalar(Apply("*", (scalar.tree, entry.tree))) for entry in row if isinstance(entry, Scalar)) for row in matrix.rows)
    if [len(row) for row in rows] != [len(row) for row in matrix.rows]:
        raise Unreadable("the matrix holds more than numbers")
    return Matrix(rows)


def _combine_matrices(first: Matrix, sign: str, second: Matrix) -> Matrix:
    def plain(matrix: Matrix) -> list[list[Fraction]]:
        rows = []
        for row in matrix.rows:
            if not all(isinstance(entry, Scalar) for entry in row):
                raise Unreadable("the matrices hold more than numbers")
            rows.append([exact(entry.tree) for entry in row if isinstance(entry, Scalar)])
        return rows

    a, b = plain(first), plain(second)
    if sign in ("+", "-") and len(a) == len(b) and len(a[0]) == len(b[0]):
        entries = [[x + (y if sign == "+" else -y) for x, y in zip(r, s)] for r, s in zip(a, b)]
    elif sign in ("", "\\cdot", "*") and len(a[0]) == len(b):
        entries = [[sum((x * row[c] for x, row in zip(r, b)), Fraction(0)) for c in range(len(b[0]))] for r in a]
    else:
        raise Unreadable("these matrices cannot be combined")
    return Matrix(tuple(tuple(Scalar(number(entry)) for entry in row) for row in entries))
