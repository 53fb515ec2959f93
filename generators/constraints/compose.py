"""Texts that meet constraints: a skeleton is filled with words slot by slot, then dressed with marks. The texts make no sense, and need not."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.constraints.kinds import Constraint, holds
from rlgym.generators.constraints.plans import Plan, Wish, sample_plan
from rlgym.generators.constraints.views import View
from rlgym.generators.text.words import WORDS

Rules = dict[str, Constraint]
GROUPS = ("together", "together_in_order")
MOST_TRIES = 80


class Vocabulary(NamedTuple):
    avoided: str = ""
    first: str = ""
    least: int = 1
    most: int = 99
    listed: tuple[str, ...] = ()


@lru_cache(256)
def bank(vocabulary: Vocabulary) -> tuple[str, ...]:
    """The words that a vocabulary allows, of the English bank or of those that it lists."""
    first, least, most, avoided = vocabulary.first, vocabulary.least, vocabulary.most, set(vocabulary.avoided)
    words = vocabulary.listed or WORDS
    return tuple(word for word in words if word.startswith(first) and least <= len(word) <= most and not set(word) & avoided)


def vocabulary(rules: Rules) -> Vocabulary:
    """What the rules on letters leave of the words."""
    avoided = "".join(rules[kind].words[0] for kind in ("avoid_letter", "letter_count") if kind in rules)
    first = rules["all_begin"].words[0] if "all_begin" in rules else ""
    least = rules["length_least"].number if "length_least" in rules else 1
    most, listed = (rules["length_most"].number if "length_most" in rules else 99), (rules["language"].words if "language" in rules else ())
    return Vocabulary(avoided, first, least, most, listed)


def compose_text(constraints: tuple[Constraint, ...], key: int = 0) -> str | None:
    """A text that meets all the constraints, found from them alone; None where none was found within a fixed number of tries."""
    rules, rng = {constraint.kind: constraint for constraint in constraints}, Rng("composed", key, *(map(str, constraints)))
    for _ in range(MOST_TRIES):
        plan = sample_plan(rng, wish_of(rng, rules))
        text = plan and write(rng, rules, plan)
        if text and meets(constraints, text):
            return text
    return None


def right_texts(witness: str, constraints: tuple[Constraint, ...]) -> Iterator[str]:
    """The text that was written before the constraints, and others found from the constraints with other words."""
    yield witness
    yield from (text for key in range(1, 5) if (text := compose_text(constraints, key)))


def meets(constraints: tuple[Constraint, ...], text: str) -> bool:
    view = View(text)
    return all(holds(constraint, view) for constraint in constraints)


def wish_of(rng: Rng, rules: Rules) -> Wish:
    """The skeleton that the rules ask for."""
    number = {kind: rule.number for kind, rule in rules.items()}
    words = number.get("words_exact", 0)
    if between := rules.get("words_between"):
        words = rng.integer(between.number, between.most)
    spelled = [len(rules[kind].words[0]) for kind in ("acrostic", "telestich") if kind in rules]
    keys = [len(rules["json_keys"].words)] if "json_keys" in rules else []
    rows = [number["table"] + 1] if "table" in rules else []
    closing = "postscript" in rules
    return Wish(
        lines=next(iter([*spelled, *keys, *rows, *(number[kind] for kind in ("lines", "numbered") if kind in rules)]), 0),
        least_lines=max(
            0, number.get("bullets", 0), number.get("headings", 0), *(len(rules[kind].words) for kind in GROUPS if kind in rules)
        )
        + closing,
        words=words,
        line_words=number.get("line_words", 0),
        least_words=least_words(rules),
        pattern=next((kind for kind in ("palindromic_lines", "rising_lines") if kind in rules), ""),
        refrain="refrain" in rules,
        sentences=number.get("sentences", 0),
        sentence_most=number.get("sentence_most", 0),
        marks=number.get("questions", 0) + ("ends_mark" in rules),
        paragraphs=number.get("paragraphs", 0),
        needed=word_positions_needed(rules),
    )


def least_words(rules: Rules) -> int:
    groups = [len(group.split()) + 2 for kind in GROUPS if kind in rules for group in rules[kind].words]
    return max(3 if "line_has" in rules else 2, rules["table"].most if "table" in rules else 0, *groups)


def word_positions_needed(rules: Rules) -> int:
    """The number of word positions that the rules fill besides the first and last of each line."""
    listed = sum(len(rules[kind].words) for kind in ("include", "order") if kind in rules)
    return listed + sum(rules[kind].number for kind in ("count", "letter_count") if kind in rules) + 6 * ("line_has" in rules)


def write(rng: Rng, rules: Rules, plan: Plan) -> str | None:
    """The text with this skeleton, or None where the words find no room."""
    rows = _fill(rng, rules, plan.sizes)
    return None if rows is None else _punctuate(rng, rules, plan, rows)


def _fill(rng: Rng, rules: Rules, sizes: list[int]) -> list[list[str]] | None:
    """Words for every line: first those whose place is fixed, then those that must occur somewhere, then any."""
    fixed, kept = _fixed_words(rules, sizes)
    last = len(sizes) - 1
    rows: list[list[str]] = [[""] * size for size in sizes]
    for (i, j), word in fixed.items():
        rows[i][j] = word
    free = [(i, j) for i, size in enumerate(sizes) for j in range(size) if not rows[i][j] and (i, j) not in kept]
    free = rng.shuffled([(i, j) for i, j in free if not ("refrain" in rules and i == last)])
    if "line_has" in rules:
        for i in range(last + ("refrain" not in rules)):
            if not (places := [place for place in free if place[0] == i]):
                return None
            rows[i][places[0][1]] = rules["line_has"].words[0]
            free.remove(places[0])
    if not _group(rng, rules, rows, free):
        return None
    ordered = rules["order"].words if "order" in rules else ()
    anywhere = _required_words(rng, rules)
    if len(free) < len(anywhere) + len(ordered):
        return None
    for (i, j), word in zip(sorted(free[: len(ordered)]), ordered, strict=True):
        rows[i][j] = word
    for (i, j), word in zip(free[len(ordered) :], anywhere, strict=False):
        rows[i][j] = word
    return rows if _fill_rest(rng, rules, rows) else None


def _group(rng: Rng, rules: Rules, rows: list[list[str]], free: list[tuple[int, int]]) -> bool:
    """Puts each group of words on a line of its own, in place; False where one finds no room."""
    rule = rules.get("together") or rules.get("together_in_order")
    groups = rule.words if rule else ()
    if len(groups) > len(rows):
        return False
    lines = rng.sample(range(len(rows)), len(groups))
    for i, group in zip(sorted(lines) if "together_in_order" in rules else lines, groups, strict=True):
        places = [place for place in free if place[0] == i]
        if len(places) < len(words := group.split()):
            return False
        for (_, j), word in zip(places, words, strict=False):
            rows[i][j] = word
            free.remove((i, j))
    return True


def _fixed_words(rules: Rules, sizes: list[int]) -> tuple[dict[tuple[int, int], str], set[tuple[int, int]]]:
    """The words whose place is given, and the places kept for words with a given letter or a given twin."""
    last = len(sizes) - 1
    fixed: dict[tuple[int, int], str] = {}
    if "nth_word" in rules:
        at, i = rules["nth_word"].number - 1, 0
        while i < last and at >= sizes[i]:
            at, i = at - sizes[i], i + 1
        if at < sizes[i]:
            fixed[i, at] = rules["nth_word"].words[0]
    if "anaphora" in rules:
        fixed |= {(i, 0): rules["anaphora"].words[0] for i in range(last + 1)}
    if "json_keys" in rules:
        fixed |= {(i, 0): key for i, key in enumerate(rules["json_keys"].words)}
    if "postscript" in rules:
        fixed[last, 0] = "ps"
    if "start_word" in rules:
        fixed[0, 0] = rules["start_word"].words[0]
    if "end_word" in rules:
        fixed[last, sizes[last] - 1] = rules["end_word"].words[0]
    kept = {(i, 0) for i in range(last + 1) if rules.keys() & {"acrostic", "chain"}}
    kept |= {(i, sizes[i] - 1) for i in range(last + 1) if rules.keys() & {"telestich", "chain"}}
    return fixed, kept


def _required_words(rng: Rng, rules: Rules) -> list[str]:
    """The words that must occur, each as often as it must."""
    words = list(rules["include"].words) if "include" in rules else []
    if "count" in rules:
        words += rules["count"].words * rules["count"].number
    if "letter_count" in rules:
        letter, base = rules["letter_count"].words[0], vocabulary(rules)
        others = bank(base._replace(avoided=base.avoided.replace(letter, "")))
        words += rng.sample(
            [word for word in others if word.count(letter) == 1 and word not in special(rules)], rules["letter_count"].number
        )
    return words


def special(rules: Rules) -> set[str]:
    """The words that some rule speaks of, all but those that it merely allows."""
    return {word for rule in rules.values() if rule.kind != "language" for words in rule.words for word in words.split()}


def _fill_rest(rng: Rng, rules: Rules, rows: list[list[str]]) -> bool:
    """Fills what is left, in place; False where no word fits."""
    spoken, words = special(rules), bank(vocabulary(rules))
    used = {word for row in rows for word in row}
    firsts = rules["acrostic"].words[0] if "acrostic" in rules else ""
    lasts = rules["telestich"].words[0] if "telestich" in rules else ""
    for i, row in enumerate(rows):
        if i and "chain" in rules:
            row[0] = rows[i - 1][-1]
        for j, word in enumerate(row):
            if word:
                continue
            fitting = words
            if firsts and j == 0:
                fitting = tuple(word for word in words if word[0] == firsts[i])
            if lasts and j == len(row) - 1:
                fitting = tuple(word for word in fitting if word[-1] == lasts[i])
            row[j] = _unused_word(rng, fitting, spoken, used if "no_repeats" in rules else set())
            if not row[j]:
                return False
            used.add(row[j])
    if "refrain" in rules:
        rows[-1][:] = rows[0]
    return True


def _unused_word(rng: Rng, words: tuple[str, ...], spoken: set[str], used: set[str]) -> str:
    """A word that is neither special nor used; empty where a few draws and then a search find none."""
    for _ in range(8 if words else 0):
        if (word := rng.choice(words)) not in spoken and word not in used:
            return word
    return next((word for word in words if word not in spoken and word not in used), "")


def _punctuate(rng: Rng, rules: Rules, plan: Plan, rows: list[list[str]]) -> str | None:
    """The words as lines with their marks."""
    inner, places = list[tuple[int, int]](), list[tuple[int, int]]()
    ends: list[list[int]] = []
    for i, line in enumerate(plan.sentences):
        ends.append([sum(line[: k + 1]) - 1 for k in range(len(line))])
        open_places = [(i, j) for j in range(len(rows[i])) if not (j == 0 and ("json_keys" in rules or rows[i][j] == "ps"))]
        places += open_places
        inner += [place for place in open_places if place[1] not in ends[-1]]
    commas, bold = (rules[kind].number if kind in rules else 0 for kind in ("commas", "bold"))
    if commas > len(inner) or bold > len(places):
        return None
    marks = _marks(rng, rules, [(i, j) for i, line in enumerate(ends) for j in line])
    if "table" not in rules:
        marks |= dict.fromkeys(rng.sample(inner, commas), ",")
    else:
        marks = dict.fromkeys(rng.sample(inner, commas), ",")
    strong = set(rng.sample(places, bold))
    lines = []
    for i, row in enumerate(rows):
        starts = {0, *(end + 1 for end in ends[i])}
        lines.append([_spell(rules, word, j in starts, (i, j) in strong) + marks.get((i, j), "") for j, word in enumerate(row)])
    return _lay_out(rng, rules, plan, lines, rows)


def _marks(rng: Rng, rules: Rules, ends: list[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The mark that ends each sentence."""
    marks = dict.fromkeys(ends, "!" if "no_stop" in rules else ".")
    asking = ends[:-1] if "ends_mark" in rules else ends
    if "questions" in rules and rules["questions"].number <= len(asking):
        marks |= dict.fromkeys(rng.sample(asking, rules["questions"].number), "?")
    if "ends_mark" in rules:
        marks[ends[-1]] = "!"
    return marks


def _spell(rules: Rules, word: str, opens: bool, strong: bool) -> str:
    """A word in the case that is asked for."""
    if word == "ps":
        return "PS:"
    if "upper" in rules:
        word = word.upper()
    elif "title" in rules or (opens and not rules.keys() & {"lower", "json_keys"}):
        word = word.capitalize()
    return f"**{word}**" if strong else word


def _lay_out(rng: Rng, rules: Rules, plan: Plan, lines: list[list[str]], rows: list[list[str]]) -> str:
    """Lines of words in the outer form that is asked for."""
    if "json_keys" in rules:
        inside = ",\n".join(f'  "{row[0]}": "{" ".join(line[1:])}"' for row, line in zip(rows, lines, strict=True))
        return f"{{\n{inside}\n}}"
    if "table" in rules:
        columns = rules["table"].most
        table_rows = [f"| {' | '.join([*line[: columns - 1], ' '.join(line[columns - 1 :])])} |" for line in lines]
        return "\n".join([table_rows[0], "|" + "---|" * columns, *table_rows[1:]])
    plain = [" ".join(line) for line in lines]
    markable = range(len(lines) - ("postscript" in rules))
    for kind, sign in (("bullets", "- "), ("headings", "# ")):
        if kind in rules and rules[kind].number <= len(markable):
            for i in rng.sample(markable, rules[kind].number):
                plain[i] = sign + plain[i]
    if "numbered" in rules:
        plain = [f"{i}) {line}" for i, line in enumerate(plain, 1)]
    return "".join(("\n\n" if i in plan.opens else "\n" if i else "") + line for i, line in enumerate(plain))
