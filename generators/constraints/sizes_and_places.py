"""Kinds of constraints on how much there is of a text, and on which words stand where."""

from itertools import pairwise

from rlgym.generators.constraints.kind import Kind
from rlgym.generators.constraints.views import View


def _is_alphabetical(view: View, n: int, m: int, words: tuple[str, ...]) -> bool:
    if not all(view.counted[word] for word in words):
        return False
    firsts = [view.words.index(word) for word in words]
    return firsts == sorted(firsts)


def _first_and_last_lines_agree(view: View) -> bool:
    return len(view.lines) > 1 and view.lines[0].lower() == view.lines[-1].lower()


def _palindromic(view: View) -> bool:
    sizes = [len(words) for words in view.by_line]
    return len(sizes) > 2 and sizes == sizes[::-1] and len(set(sizes)) > 1


def _sizes_rise(view: View) -> bool:
    sizes = [len(words) for words in view.by_line]
    return len(sizes) > 1 and all(a < b for a, b in pairwise(sizes))


def _chain(view: View) -> bool:
    lines = view.by_line
    return len(lines) > 1 and all(lines) and all(a[-1] == b[0] for a, b in pairwise(lines))


def _groups(view: View, groups: tuple[str, ...]) -> list[int]:
    """Of each group of words the line, from 0, that holds all of them; empty where one has none, or words of two groups share a line."""
    places = []
    for group in groups:
        words = group.split()
        lines = [i for i, line in enumerate(view.by_line) if any(word in line for word in words)]
        if len(lines) != 1 or not set(words) <= set(view.by_line[lines[0]]):
            return []
        places += lines
    return places if len(set(places)) == len(places) else []


_W, _S, _L, _P = ("word",), ("word", "sentence"), ("line",), ("paragraph",)

KINDS: dict[str, Kind] = {
    "words_exact": Kind(
        "size",
        "n",
        lambda v, n, m, w: len(v.words) == n,
        ("The text has exactly {n} word{s}.", "Write {n} word{s}, no more and no fewer.", "The number of words is {n}."),
        _W,
        "words_between",
    ),
    "words_between": Kind(
        "size",
        "nm",
        lambda v, n, m, w: n <= len(v.words) <= m,
        (
            "The text has at least {n} and at most {m} words.",
            "Use at least {n} and at most {m} words.",
            "The number of words is at least {n} and at most {m}.",
        ),
        _W,
    ),
    "sentences": Kind(
        "size",
        "n",
        lambda v, n, m, w: len(v.sentences) == n,
        ("There {are} exactly {n} sentence{s}.", "Write exactly {n} sentence{s}.", "The number of sentences is {n}."),
        _S,
        "table json_keys",
    ),
    "sentence_most": Kind(
        "size",
        "n",
        lambda v, n, m, w: bool(v.sentences) and all(len(words) <= n for words in v.sentences),
        (
            "The text is made of sentences, and no sentence has more than {n} word{s}.",
            "The text consists of sentences of at most {n} word{s} each.",
        ),
        _S,
        "table json_keys",
    ),
    "paragraphs": Kind(
        "size",
        "n",
        lambda v, n, m, w: len(v.paragraphs) == n,
        ("There {are} exactly {n} paragraph{s}.", "Divide the text into exactly {n} paragraph{s}.", "The number of paragraphs is {n}."),
        _P,
        "table json_keys",
    ),
    "lines": Kind(
        "size",
        "n",
        lambda v, n, m, w: len(v.lines) == n,
        ("The text has exactly {n} line{s}.", "Write exactly {n} line{s}.", "The number of lines is {n}."),
        _L,
        "numbered table json_keys acrostic telestich",
    ),
    "line_words": Kind(
        "size",
        "n",
        lambda v, n, m, w: all(len(words) == n for words in v.by_line),
        ("Each line has exactly {n} word{s}.", "Every line is {n} word{s} long.", "Put exactly {n} word{s} on each line."),
        ("word", "line"),
        "palindromic_lines rising_lines table json_keys",
    ),
    "palindromic_lines": Kind(
        "pattern",
        "",
        lambda v, n, m, w: _palindromic(v),
        (
            "There are three lines or more, and their word counts, in order, read the same forwards and backwards but are not all equal.",
            "There are at least three lines, not all with the same number of words, and the list of their word counts is the same in reverse.",
        ),
        ("word", "line"),
        "rising_lines table json_keys",
    ),
    "rising_lines": Kind(
        "pattern",
        "",
        lambda v, n, m, w: _sizes_rise(v),
        (
            "There are two lines or more, and each line has more words than the line before it.",
            "From line to line the number of words grows; there are at least two lines.",
        ),
        ("word", "line"),
        "table json_keys refrain",
    ),
    "line_most": Kind(
        "size",
        "n",
        lambda v, n, m, w: all(len(line) <= n for line in v.lines),
        (
            "No line is longer than {n} character{s}, spaces and marks included.",
            "Each line has at most {n} character{s}, counting everything on it.",
        ),
    ),
    "include": Kind(
        "keywords",
        "w",
        lambda v, n, m, w: all(v.counted[word] for word in w),
        ("These words occur: {words}.", "Use each of these words at least once: {words}.", "Use all of these words: {words}."),
        _W,
        single=("The word {words} occurs.", "Use the word {words} at least once.", "Do not leave out the word {words}."),
    ),
    "exclude": Kind(
        "keywords",
        "w",
        lambda v, n, m, w: not any(v.counted[word] for word in w),
        ("None of these words occurs: {words}.", "Do not use the words {words}.", "The following words are forbidden: {words}."),
        _W,
        single=("The word {words} does not occur.", "Do not use the word {words}.", "The word {words} is forbidden."),
    ),
    "count": Kind(
        "keywords",
        "nw",
        lambda v, n, m, w: v.counted[w[0]] == n,
        ("The word {words} occurs exactly {n} time{s}.", "Use the word {words} {n} time{s}, no more and no fewer."),
        _W,
        "no_repeats refrain",
    ),
    "order": Kind(
        "keywords",
        "w",
        _is_alphabetical,
        (
            "The words {words} all occur, and their first occurrences come in this order.",
            "Use the words {words}, their first occurrences in this order.",
        ),
        _W,
        "refrain",
    ),
    "line_has": Kind(
        "keywords",
        "w",
        lambda v, n, m, w: all(w[0] in words for words in v.by_line),
        ("Every line contains the word {words}.", "The word {words} stands on each line."),
        ("word", "line"),
        "no_repeats table json_keys",
    ),
    "start_word": Kind(
        "places",
        "w",
        lambda v, n, m, w: v.words[0] == w[0],
        ("The first word is {words}.", "Use {words} as the first word.", "Let {words} be the first word of the text."),
        _W,
        "acrostic anaphora json_keys",
    ),
    "end_word": Kind(
        "places",
        "w",
        lambda v, n, m, w: v.words[-1] == w[0],
        ("The last word is {words}.", "Use {words} as the last word.", "Let {words} be the last word of the text."),
        _W,
        "telestich refrain",
    ),
    "nth_word": Kind(
        "places",
        "nw",
        lambda v, n, m, w: len(v.words) >= n and v.words[n - 1] == w[0],
        ("Word number {n}, counted from 1, is {words}.", "Count the words from 1: number {n} is {words}."),
        _W,
        "acrostic telestich anaphora chain refrain json_keys table",
    ),
    "anaphora": Kind(
        "places",
        "w",
        lambda v, n, m, w: len(v.by_line) > 1 and all(words and words[0] == w[0] for words in v.by_line),
        (
            "There are two lines or more, and the first word of every line is {words}.",
            "There are at least two lines, and the first word of each is {words}.",
        ),
        ("word", "line"),
        "acrostic chain no_repeats table json_keys postscript",
    ),
    "chain": Kind(
        "pattern",
        "",
        lambda v, n, m, w: _chain(v),
        (
            "There are two lines or more, and the first word of each line but the first is the last word of the line before.",
            "The last word of a line is also the first word of the next one; there are at least two lines.",
        ),
        ("word", "line"),
        "refrain acrostic telestich no_repeats table json_keys postscript letter_count",
    ),
    "refrain": Kind(
        "pattern",
        "",
        lambda v, n, m, w: _first_and_last_lines_agree(v),
        (
            "There are two lines or more, and the last line is the same as the first, letter case aside.",
            "The last line repeats the first, word for word and mark for mark; letter case does not matter.",
        ),
        _L,
        "acrostic telestich no_repeats numbered table json_keys postscript letter_count questions ends_mark bold commas headings bullets",
    ),
    "together": Kind(
        "keywords",
        "w",
        lambda v, n, m, w: bool(_groups(v, w)),
        ("Each of these groups of words stands on a line of its own, its words in any order, and none of them on another line: {words}.",),
        ("word", "line"),
        "together_in_order line_has refrain chain no_repeats table json_keys anaphora acrostic telestich all_begin letter_count numbered lines",
    ),
    "together_in_order": Kind(
        "keywords",
        "w",
        lambda v, n, m, w: bool(groups := _groups(v, w)) and groups == sorted(groups),
        (
            "Each of these groups of words stands on a line of its own, its words in any order, none of them is on another line, and the lines of the "
            "groups come in this order: {words}.",
        ),
        ("word", "line"),
        "line_has refrain chain no_repeats table json_keys anaphora acrostic telestich all_begin letter_count numbered lines order",
    ),
}
