"""What the kinds of constraints accept and refuse, kind by kind."""

import time

import pytest

import rlgym
from rlgym.core.rng import Rng
from rlgym.generators.constraints.broken import breaking_texts
from rlgym.generators.constraints.compose import compose_text
from rlgym.generators.constraints.kinds import KINDS, Constraint, agree, describe, holds
from rlgym.generators.constraints.languages import NAMES, WORDS_OF
from rlgym.generators.constraints.stacks import sample_kinds, stack
from rlgym.generators.constraints.views import View
from rlgym.generators.text.words import WORDS

ODD = ("", " ", "\n\n", "\x00\x01\x02", "\ud800", "|", "|\n|", "-", "#", "{}", "[]", "{", "**", "1)", ".", "?!", "١٢", "\x1f,\x85?")
HUGE = ("a" * 1_000_000, "a " * 500_000, "[" * 1_000_000, "- a\n" * 250_000, "|" * 7999, "[" * 7999, "a-" * 3999, "\n" * 7999, "." * 7999)


def alone(kind: str, count: int = 6) -> list[tuple[Constraint, str]]:
    """Constraints of one kind with a text that meets each."""
    found = []
    for seed in range(60):
        rng = Rng("alone", kind, seed)
        if len(found) < count and (created := stack(rng, [kind], rng.integer(2, 6))):
            found.append((created.constraints[0], created.witness))
    assert len(found) == count
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_accepts_its_witness_and_refuses_near_violations_in_every_place(kind: str) -> None:
    for constraint, text in alone(kind):
        assert holds(constraint, View(text))
        repeated = compose_text((constraint,), key=1)
        assert repeated
        assert holds(constraint, View(repeated))
        near = list(breaking_texts(constraint, text))
        assert near
        for other in near:
            assert not holds(constraint, View(other)), f"{describe(constraint)!r} accepts {other!r}, made from {text!r}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_judges_any_text_soon_and_an_empty_one_never_passes(kind: str) -> None:
    constraint, _ = alone(kind, 1)[0]
    for text in ODD:
        assert not holds(constraint, View(text)), repr(text)
    for text in HUGE:
        begun = time.perf_counter()
        kept = holds(constraint, View(text))
        assert time.perf_counter() - begun < 0.5
        assert not kept or len(text) <= 8000


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="no kind of constraint called 'forbidden_words'"):
        Constraint(kind="forbidden_words", words=("a",))


@pytest.mark.parametrize(
    "wrong", [{"kind": "count", "number": 2}, {"kind": "include"}, {"kind": "words_exact"}, {"kind": "upper", "number": 1}]
)
def test_missing_or_needless_arguments_are_errors(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="takes"):
        Constraint.model_validate(wrong)


def test_published_holes_are_not_here() -> None:
    most = Constraint(kind="words_between", number=1, most=3)
    assert not holds(most, View(""))
    assert not holds(most, View("..."))
    assert holds(most, View("one two three"))
    start = Constraint(kind="start_word", words=("identifier",))
    assert not holds(start, View("The identifier is here"))
    assert not holds(start, View("identifiers first"))
    assert holds(start, View('"Identifier" comes first'))
    assert not holds(Constraint(kind="include", words=("cat",)), View("concatenate the category"))


def test_conflicts_name_kinds_that_there_are() -> None:
    for kind in KINDS.values():
        assert all(other in KINDS for other in kind.against.split())


@pytest.mark.parametrize("count", [2, 5, 9])
def test_stacks_are_met_by_their_witness_and_each_rule_counts(count: int) -> None:
    made = 0
    for seed in range(30):
        rng = Rng("stacks", count, seed)
        kinds = sample_kinds(rng, count, tuple(KINDS))
        assert all(agree(kind, other) for kind in kinds for other in kinds if kind != other)
        found = stack(rng, kinds, rng.integer(2, 6))
        if found:
            made += 1
            assert all(holds(constraint, View(found.witness)) for constraint in found.constraints)
            for constraint in found.constraints:
                assert not any(holds(constraint, View(text)) for text in breaking_texts(constraint, found.witness))
    assert made > 20


def test_words_of_other_languages_are_no_english_ones_and_need_no_accents() -> None:
    assert len(NAMES) == len(WORDS_OF)
    for words in WORDS_OF:
        assert len(set(words)) == len(words) > 90
        assert not set(words) & set(WORDS)
        assert all(word.isascii() and word.isalpha() and word.islower() for word in words)


@pytest.mark.parametrize(
    "text",
    [
        "Casa verde y perro.",
        "Casa verde. House",
        "casa-verde",
        "Ca\u0301sa verde.",
        "\u0441asa verde",
        "casa \u7eff verde",
        "casaverde",
        "1 2 3",
        "...",
    ],
)
def test_a_text_in_another_language_has_only_its_words(text: str) -> None:
    rule = Constraint(kind="language", number=2, words=("casa", "perro", "verde"))
    assert describe(rule).startswith("The text is in Spanish: ")
    assert holds(rule, View("CASA verde, 12 veces".removesuffix(" 12 veces")))
    assert not holds(rule, View(text))


def stacked(pattern: str, count: int = 12, level: float = 0.6) -> list[rlgym.Task]:
    return [rlgym.task("constraint_stack", seed, level=level, pattern=pattern) for seed in range(count)]


def test_a_stack_may_prescribe_a_language() -> None:
    declared = rlgym.environment("constraint_stack")
    asked = [(task, rule) for task in stacked("listing", 30) for rule in task.data.constraints if rule.kind == "language"]
    assert 3 <= len(asked) <= 20
    for task, rule in asked:
        right = declared.solve(task)
        assert declared.verify(task, right).value == 1
        assert declared.verify(task, right + " zy").value == 0
        assert all(f'"{word}"' in task.prompt for word in rule.words)


@pytest.mark.parametrize("pattern", ["listing", "example", "incorporation"])
def test_each_rule_stands_in_the_prompt_in_every_pattern(pattern: str) -> None:
    for task in stacked(pattern):
        assert task.data.pattern == pattern
        for rule in task.data.constraints:
            assert describe(rule)[1:] in task.prompt
        assert ("\n1. " in task.prompt) == (pattern != "incorporation")
        assert ("This text meets rule" in task.prompt) == (pattern == "example")


def test_examples_show_one_rule_that_is_met_and_broken() -> None:
    for task in stacked("example"):
        rules = dict(line.split(". ", 1) for line in task.prompt.split("\n") if line.partition(". ")[0].isdigit())
        of = {describe(rule): rule for rule in task.data.constraints}
        _, *parts = task.prompt.split("This text meets rule ")
        assert 1 <= len(parts) <= 2
        for part in parts:
            number, _, rest = part.partition(":\n\n")
            text, _, broken = rest.partition(f"\n\nThis one does not meet rule {number}:\n\n")
            rule = of[rules[number]]
            assert holds(rule, View(text))
            assert not all(holds(other, View(text)) for other in task.data.constraints)
            assert broken


def test_patterns_are_drawn() -> None:
    assert {task.data.pattern for task in stacked("any", 24, 0.2)} == {"listing", "example", "incorporation"}


def test_a_number_that_the_verifier_takes_exactly_is_stated_exactly() -> None:
    for kind in ("sentences", "paragraphs", "commas", "questions", "bullets", "headings"):
        for phrase in range(len(KINDS[kind].phrases)):
            said = describe(Constraint(kind=kind, number=2, phrase=phrase))
            assert any(words in said for words in ("exactly 2 ", " is 2", "no more and no fewer")), said
    for phrase in range(3):
        equal = describe(Constraint(kind="words_between", number=9, most=9, phrase=phrase))
        assert equal == describe(Constraint(kind="words_exact", number=9, phrase=phrase))
        assert " at most 9" in describe(Constraint(kind="words_between", number=8, most=9, phrase=phrase))


@pytest.mark.parametrize("kind", ["chain", "anaphora"])
def test_a_list_mark_may_stand_before_the_first_word_of_a_line(kind: str) -> None:
    for constraint, text in alone(kind, 2):
        assert holds(constraint, View("\n".join(f"{i}) {line}" for i, line in enumerate(text.split("\n"), 1))))
    for phrase in range(len(KINDS[kind].phrases)):
        said = describe(constraint.model_copy(update={"phrase": phrase}))
        assert "first word" in said
        assert "begins" not in said
