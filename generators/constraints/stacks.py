"""Stacks of constraints that can be met together: drawn along with a text that meets them, and measured on it."""

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.constraints.compose import (
    GROUPS,
    Rules,
    bank,
    compose_text,
    least_words,
    meets,
    special,
    vocabulary,
    word_positions_needed,
    write,
)
from rlgym.generators.constraints.kinds import KINDS, Constraint, agree
from rlgym.generators.constraints.languages import WORDS_OF
from rlgym.generators.constraints.plans import Wish, sample_plan
from rlgym.generators.constraints.views import View
from rlgym.generators.text.words import WORDS

LETTERS = "aeiortnldc"
LISTED = 64  # words that a text in another language may have
FILTERS = ("language", "avoid_letter", "letter_count", "all_begin", "length_least", "length_most")
WORDED = (
    "together",
    "together_in_order",
    "include",
    "exclude",
    "count",
    "order",
    "line_has",
    "start_word",
    "end_word",
    "nth_word",
    "anaphora",
    "json_keys",
)


class Stack(NamedTuple):
    constraints: tuple[Constraint, ...]
    witness: str


def sample_kinds(rng: Rng, count: int, among: Sequence[str], must: Sequence[str] = ()) -> list[str]:
    """Up to `count` kinds that are all compatible, `must` among them."""
    kinds = list(must)
    for kind in rng.shuffled(among):
        if len(kinds) < count and kind not in kinds and all(agree(kind, other) for other in kinds):
            kinds.append(kind)
    return kinds


def stack(rng: Rng, kinds: Sequence[str], lines: int, stretch: int = 0, given: Sequence[Constraint] = ()) -> Stack | None:
    """Constraints of these kinds on a text of about so many lines, with a witness; None where this try led nowhere. `given` ones are kept."""
    fixed = {constraint.kind: constraint for constraint in given}
    drawn = [kind for kind in kinds if kind not in fixed]
    rules = _word(rng, drawn, _filters(rng, drawn) | fixed, lines)
    plan = None if rules is None else sample_plan(rng, _sample_skeleton(rng, rules, kinds, lines, stretch))
    if rules is None or plan is None:
        return None
    if "numbered" in kinds:
        rules["numbered"] = Constraint(kind="numbered", number=len(plan.sentences))
    if "nth_word" in kinds:  # an inner place, so that no first, last or kept one is in its way
        sizes = plan.sizes
        open_places = [sum(sizes[:i]) + j + 1 for i, size in enumerate(sizes) for j in range(1, size - 1)]
        if not open_places:
            return None
        rules["nth_word"] = rules["nth_word"].model_copy(update={"number": rng.choice(open_places)})
    text = write(rng, rules, plan)
    if not text:
        return None
    for kind in kinds:
        if kind not in rules:
            rules[kind] = _measure(rng, kind, View(text))
    constraints = tuple(rules[kind].model_copy(update={"phrase": rng.integer(0, len(KINDS[kind].phrases) - 1)}) for kind in kinds)
    # The witness stands by construction; that it is also found again from the constraints alone bounds the work of a solver.
    return Stack(constraints, text) if meets(constraints, text) and compose_text(constraints) else None


def _filters(rng: Rng, kinds: Sequence[str]) -> Rules:
    rules: Rules = {}
    letters = rng.shuffled(LETTERS)
    for kind in FILTERS:
        if kind not in kinds:
            continue
        match kind:
            case "language":
                number = rng.integer(1, len(WORDS_OF))
                rules[kind] = Constraint(kind=kind, number=number, words=tuple(sorted(rng.sample(WORDS_OF[number - 1], LISTED))))
            case "avoid_letter":
                rules[kind] = Constraint(kind=kind, words=(letters[0],))
            case "letter_count":
                rules[kind] = Constraint(kind=kind, words=(letters[1],), number=rng.integer(2, 6))
            case "all_begin":
                rules[kind] = Constraint(kind=kind, words=(rng.choice([c for c in "bcdfghlmpst" if c != letters[0]]),))
            case _:
                rules[kind] = Constraint(kind=kind, number=rng.integer(4, 5) if kind == "length_least" else rng.integer(5, 6))
    return rules


def _word(rng: Rng, kinds: Sequence[str], rules: Rules, lines: int) -> Rules | None:
    """The rules whose arguments are drawn, all but those that are measured."""
    spoken = special(rules)
    allowed = tuple(word for word in bank(vocabulary(rules)) if word not in spoken)
    if len(allowed) < 45:
        return None
    words = rng.sample(allowed, 36)
    for kind in WORDED:
        if kind in kinds:
            several = {
                "include": (2, 4),
                "exclude": (2, 4),
                "order": (3, 4),
                "json_keys": (max(lines, 2),) * 2,
                **dict.fromkeys(GROUPS, (6, 6)),
            }
            count = rng.integer(*several.get(kind, (1, 1)))
            taken, words = tuple(words[:count]), words[count:]
            if kind in GROUPS:
                taken = (" ".join(taken[:3]), " ".join(taken[3:]))
            number = rng.integer(2, 4) if kind == "count" else int(kind == "nth_word")
            rules[kind] = Constraint(kind=kind, words=taken, number=number)
    for kind in ("acrostic", "telestich"):
        if kind in kinds:
            at = 0 if kind == "acrostic" else -1
            letters = [word[at] for word in allowed]
            fit = [word for word in rng.sample(WORDS, 120) if abs(len(word) - lines) <= 1 and all(letters.count(c) > 4 for c in word)]
            if not fit:
                return None
            rules[kind] = Constraint(kind=kind, words=(fit[0],))
    drawn = {"commas": (1, 4), "questions": (1, 2), "bold": (1, 3), "bullets": (1, max(1, lines - 1)), "headings": (1, max(1, lines // 2))}
    for kind, (low, high) in drawn.items():
        if kind in kinds:
            rules[kind] = Constraint(kind=kind, number=rng.integer(low, high))
    if "table" in kinds:
        rules["table"] = Constraint(kind="table", number=max(lines - 1, 1), most=rng.integer(2, 4))
    for kind in kinds:
        if not KINDS[kind].takes:
            rules[kind] = Constraint(kind=kind)
    return rules


def _sample_skeleton(rng: Rng, rules: Rules, kinds: Sequence[str], lines: int, stretch: int) -> Wish:
    """A skeleton of about so many lines, with room for what the rules need."""
    spelled = next((len(rules[kind].words[0]) for kind in ("acrostic", "telestich") if kind in rules), 0)
    count = spelled or max(3 if "palindromic_lines" in rules else 2, lines, *(len(rules[kind].words) for kind in GROUPS if kind in rules))
    room = word_positions_needed(rules) + stretch
    even = rules.keys() & {"palindromic_lines", "refrain"}
    least = least_words(rules)
    return Wish(
        lines=count,
        words=0 if "line_words" in kinds or even else count * least + room + rng.integer(count, 2 * count) + count * (count - 1) // 2,
        line_words=max(least, -(-room // count) + rng.integer(3, 5)) if "line_words" in kinds else 0,
        least_words=least,
        pattern=next((kind for kind in ("palindromic_lines", "rising_lines") if kind in rules), ""),
        refrain="refrain" in rules,
        sentence_most=rng.integer(4, 7) if "sentence_most" in kinds else 0,
        marks=count + rng.integer(0, 2) if "sentences" in kinds else (rules["questions"].number if "questions" in rules else 0) + 1,
        paragraphs=rng.integer(1, count) if "paragraphs" in kinds else 0,
        needed=room,
    )


def _measure(rng: Rng, kind: str, view: View) -> Constraint:
    """The constraint of this kind that the text meets."""
    match kind:
        case "words_exact":
            number = len(view.words)
        case "words_between":
            low = max(1, len(view.words) - rng.integer(0, 3))
            return Constraint(kind=kind, number=low, most=max(len(view.words), low) + rng.integer(0, 3))
        case "sentences":
            number = len(view.sentences)
        case "sentence_most":
            number = max(map(len, view.sentences))
        case "paragraphs":
            number = len(view.paragraphs)
        case "line_words":
            number = len(view.by_line[0])
        case "line_most":
            number = max(map(len, view.lines)) + rng.integer(3, 9)
        case "lines":
            number = len(view.lines)
        case _:
            raise ValueError(f"a constraint {kind!r} is not measured")
    return Constraint(kind=kind, number=number)
