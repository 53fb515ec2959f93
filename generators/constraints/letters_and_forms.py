"""Kinds of constraints on the letters, the marks and the outer form of a text."""

import re
from unicodedata import combining

from rlgym.generators.constraints.kind import Kind
from rlgym.generators.constraints.views import View


def _key(view: View, n: int, m: int, words: tuple[str, ...]) -> bool:
    keys = view.json
    return isinstance(keys, dict) and tuple(keys) == words and all(isinstance(value, str) and View(value).words for value in keys.values())


def _table(view: View, n: int, m: int, words: tuple[str, ...]) -> bool:
    return len(view.rows) == n + 1 and len(view.rows[0]) == m and all(cell for row in view.rows for cell in row)


def _title(view: View) -> bool:
    return all(word[0].isupper() for word in view.spelled)


def _only(view: View, words: tuple[str, ...]) -> bool:
    """Whether there are no words but these; an accent that is set upon a letter by a sign of its own makes another word."""
    return set(view.words) <= set(words) and not any(map(combining, view.text))


def _number(view: View, n: int) -> bool:
    return len(view.lines) == n and all(line.startswith(f"{i}) ") for i, line in enumerate(view.lines, 1))


_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_W, _L = ("word",), ("line",)

KINDS: dict[str, Kind] = {
    "language": Kind(
        "language",
        "nw",
        lambda v, n, m, w: _only(v, w),
        (
            "The text is in {language}: each of its words is one of these, which may be used as often as you like: {words}.",
            "Write in {language} and use no words but these, each as often as you like: {words}.",
        ),
        _W,
        "avoid_letter letter_count all_begin acrostic telestich length_least length_most postscript",
    ),
    "avoid_letter": Kind(
        "letters",
        "w",
        lambda v, n, m, w: w[0] not in v.text.lower(),
        ("The letter {letter} does not occur, small or capital.", "Avoid the letter {letter} altogether, small and capital."),
    ),
    "letter_count": Kind(
        "letters",
        "nw",
        lambda v, n, m, w: v.text.lower().count(w[0]) == n,
        (
            "The letter {letter}, small and capital together, occurs exactly {n} time{s}.",
            "Use the letter {letter} exactly {n} time{s}, small or capital.",
        ),
        (),
        "all_begin postscript json_keys acrostic telestich line_has anaphora avoid_letter",
    ),
    "acrostic": Kind(
        "letters",
        "w",
        lambda v, n, m, w: "".join(start or "?" for start in v.starts) == w[0],
        (
            "The first letters of the lines, from top to bottom, spell {words}, and there are no further lines.",
            "Read downwards, the lines' first letters spell exactly {words}.",
        ),
        _L,
        "numbered table json_keys postscript all_begin",
    ),
    "telestich": Kind(
        "letters",
        "w",
        lambda v, n, m, w: "".join(words[-1][-1] if words else "?" for words in v.by_line) == w[0],
        (
            "The last letters of the lines' last words, from top to bottom, spell {words}, and there are no further lines.",
            "Take the last letter of the last word of each line: read downwards, these letters spell exactly {words}.",
        ),
        ("word", "line"),
        "numbered table json_keys acrostic",
    ),
    "all_begin": Kind(
        "letters",
        "w",
        lambda v, n, m, w: all(word[0] == w[0] for word in v.words),
        ("Every word begins with the letter {letter}.", "All words have {letter} as their first letter, small or capital."),
        _W,
        "postscript json_keys avoid_letter length_least",
    ),
    "length_least": Kind(
        "letters",
        "n",
        lambda v, n, m, w: all(len(word) >= n for word in v.words),
        ("Every word has at least {n} letter{s}.", "No word is shorter than {n} letter{s}."),
        _W,
        "length_most postscript",
    ),
    "length_most": Kind(
        "letters",
        "n",
        lambda v, n, m, w: all(len(word) <= n for word in v.words),
        ("Every word has at most {n} letter{s}.", "No word is longer than {n} letter{s}."),
        _W,
        "all_begin",
    ),
    "no_repeats": Kind(
        "letters",
        "",
        lambda v, n, m, w: len(v.words) > 1 and len(set(v.words)) == len(v.words),
        ("There are two words or more, and no word is used twice.", "All words are different; there are at least two."),
        _W,
    ),
    "upper": Kind(
        "case",
        "",
        lambda v, n, m, w: v.text == v.text.upper(),
        ("All letters are capitals.", "Write everything in capital letters.", "There is no small letter."),
        (),
        "lower title json_keys",
    ),
    "lower": Kind(
        "case",
        "",
        lambda v, n, m, w: v.text == v.text.lower(),
        ("All letters are small.", "There is no capital letter.", "Write everything in small letters."),
        (),
        "title postscript",
    ),
    "title": Kind(
        "case",
        "",
        lambda v, n, m, w: _title(v),
        ("Every word begins with a capital letter.", "The first letter of each word is a capital."),
        _W,
        "json_keys",
    ),
    "commas": Kind(
        "marks",
        "n",
        lambda v, n, m, w: v.text.count(",") == n,
        ("There {are} exactly {n} comma{s}.", "Use {n} comma{s}, no more and no fewer.", "The text has exactly {n} comma{s}."),
        (),
        "json_keys",
    ),
    "questions": Kind(
        "marks",
        "n",
        lambda v, n, m, w: v.text.count("?") == n,
        ("There {are} exactly {n} question mark{s}.", "Use exactly {n} question mark{s}."),
        (),
        "table json_keys",
    ),
    "ends_mark": Kind(
        "marks",
        "",
        lambda v, n, m, w: v.text.endswith("!"),
        ("The very last character is an exclamation mark.", "The text ends with the sign !, with nothing after it."),
        (),
        "table json_keys bold",
    ),
    "no_stop": Kind("marks", "", lambda v, n, m, w: "." not in v.text, ("There is no full stop anywhere.", "Do without full stops.")),
    "bold": Kind(
        "marks",
        "n",
        lambda v, n, m, w: len(_BOLD.findall(v.text)) == n and v.text.count("*") == 4 * n,
        (
            "The number of pieces between pairs of double asterisks, **like this**, is {n}, and there is no other asterisk.",
            "Make exactly {n} piece{s} of the text bold with two asterisks before and two after each; use asterisks for nothing else.",
        ),
        (),
        "json_keys",
    ),
    "bullets": Kind(
        "form",
        "n",
        lambda v, n, m, w: sum(line.startswith("- ") for line in v.lines) == n,
        (
            "The number of lines that begin with a hyphen and a space is {n}.",
            "There {are} exactly {n} bullet point{s} (a bullet point is a line that begins with a hyphen and a space).",
        ),
        _L,
        "numbered headings table json_keys",
    ),
    "numbered": Kind(
        "form",
        "n",
        lambda v, n, m, w: _number(v, n),
        (
            "Each line begins with its number, a closing bracket and a space: 1) and so on. The number of lines is {n}.",
            "All lines are numbered in order, as 1) with a space after the bracket, and there are {n} of them.",
        ),
        _L,
        "headings table json_keys postscript",
    ),
    "headings": Kind(
        "form",
        "n",
        lambda v, n, m, w: sum(line.startswith("# ") for line in v.lines) == n,
        (
            "The number of lines that begin with a hash sign and a space is {n}.",
            "There {are} exactly {n} heading{s} (a heading is a line that begins with a hash sign and a space).",
        ),
        _L,
        "table json_keys",
    ),
    "table": Kind(
        "form",
        "nm",
        _table,
        (
            "The whole text is one Markdown table with a header row, a row of dashes (three or more in each cell) and {n} further row{s}; "
            "every row begins and ends with a bar, there are {m} columns, and no cell is empty.",
            "Write one Markdown table and nothing else: {m} columns, a header row, a row of at least three dashes per cell, then {n} row{s}; each row "
            "begins and ends with a bar, and each cell holds something.",
        ),
        (),
        "json_keys postscript",
    ),
    "json_keys": Kind(
        "form",
        "w",
        _key,
        (
            "The whole text is one JSON object with exactly the keys {words}, in this order, and a text of at least one word as each value; "
            "the keys count as words of the text.",
        ),
        (),
        "postscript",
    ),
    "postscript": Kind(
        "form",
        "",
        lambda v, n, m, w: len(v.lines) > 1 and v.lines[-1].startswith("PS: "),
        (
            "There are two lines or more, and the last one begins with PS: and a space.",
            "Write two lines or more, and begin the last one with PS: and a space.",
        ),
        _L,
    ),
}
