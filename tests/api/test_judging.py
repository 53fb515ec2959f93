"""Judge tasks: labels by the verifier, balance and order by the seed, one style for right and wrong solutions, and what the parts of a score count."""

from collections import Counter

import pytest

import rlgym
from rlgym.core.answer import Unreadable
from rlgym.core.errors import UnknownName
from rlgym.derived.judge_words import ENGLISH, IN_LANGUAGES
from rlgym.derived.verdicts import Verdicts
from rlgym.derived.written_solutions import Solutions, verdict_on

NAMES = ("chain_sum", "sudoku", "propositional_entailment", "shortest_path", "anagram_words")
AVAILABLE = [name for name in NAMES if name in rlgym.names()]
WORDS = Verdicts(("right", "wrong", "invalid"))


def tasks(name, count, level=0.5):
    return [rlgym.task(name, seed, level=level) for seed in range(count)]


def score(task, response):
    return rlgym.score(task, f"<answer>{response}</answer>")


@pytest.mark.parametrize("base", AVAILABLE)
def test_verdicts_are_the_verifiers(base):
    declared = rlgym.environment(base)
    for task in tasks(f"{base}:grade_solution", 10):
        right = rlgym.environment(f"{base}:grade_solution").solve(task)
        assert len(right) == len(task.data.parts) == 4
        for part, verdict in zip(task.data.parts, right, strict=True):
            inner = rlgym.Task(part.question, part.inner)
            [text] = part.solutions
            if verdict == "invalid":
                with pytest.raises(Unreadable):
                    declared.answer.parse_response(text, "tag", part.question)
            else:
                answer = declared.answer.parse_response(text, "tag", part.question)
                assert (declared.verify(inner, answer).value == 1) == (verdict == "right")


def test_labels_are_balanced_and_the_order_is_random():
    verdicts, letters = Counter(), Counter()
    grading, pairs = rlgym.environment("chain_sum:grade_solution"), rlgym.environment("chain_sum:pairwise")
    for task in tasks("chain_sum:grade_solution", 60):
        verdicts.update(grading.solve(task))
    for task in tasks("chain_sum:pairwise", 60):
        letters.update(pairs.solve(task))
    # 240 draws with the shares .4, .4, .2 and .5: four standard deviations
    assert abs(verdicts["right"] - 96) < 31
    assert abs(verdicts["wrong"] - 96) < 31
    assert abs(verdicts["invalid"] - 48) < 25
    assert abs(letters["A"] - 120) < 31


def test_right_and_wrong_solutions_look_alike():
    """A judge that sees only the form of a pair is right no more often than by chance: number of lines, of characters, the last digit."""
    hits = Counter()
    declared, total = rlgym.environment("chain_sum:pairwise"), 0
    for task in tasks("chain_sum:pairwise", 75):
        for part, right in zip(task.data.parts, declared.solve(task), strict=True):
            first, second = part.solutions
            total += 1
            hits["lines"] += ("A" if first.count("\n") >= second.count("\n") else "B") == right
            hits["length"] += ("A" if len(first) >= len(second) else "B") == right
            hits["words"] += ("A" if len(set(first.split())) >= len(set(second.split())) else "B") == right
            assert first.count("\n") == second.count("\n")
    # 300 pairs: the lines are always equal, and chance explains up to five standard deviations of the others
    assert hits["lines"] / total == pytest.approx(0.5, abs=0.15)
    assert hits["length"] / total == pytest.approx(0.5, abs=0.2)


def test_the_parts_of_a_score_are_the_confusions():
    task = rlgym.task("chain_sum:grade_solution", 3, level=0.3)
    right = rlgym.environment("chain_sum:grade_solution").solve(task)
    counts = Counter(right)
    scored = score(task, " ".join(["wrong"] * len(right)))
    for verdict in ("right", "wrong", "invalid"):
        assert scored.parts[f"{verdict}_as_wrong"] == counts[verdict] / len(right)
        assert scored.parts[f"{verdict}_as_right"] == 0
    assert score(task, ", ".join(right)).value == 1
    assert score(task, " ".join(right[:-1])).value == 0


def test_the_parts_of_a_pair_count_the_longer_solution():
    task = rlgym.task("chain_sum:pairwise", 3, level=0.3)
    right = rlgym.environment("chain_sum:pairwise").solve(task)
    longer = ["A" if len(a) > len(b) else "B" if len(b) > len(a) else "" for a, b in (part.solutions for part in task.data.parts)]
    parts = score(task, " ".join("A" * len(right))).parts
    assert parts["longer_said"] == longer.count("A") / len(right)
    assert parts["longer_right"] == sum(a == b for a, b in zip(longer, right, strict=True)) / len(right)
    assert parts["A_as_A"] + parts["B_as_A"] == 1


def test_ties_of_the_best_accept_both():
    declared, several = rlgym.environment("sudoku:best_of"), 0
    for task in tasks("chain_sum:best_of", 60) + tasks("sudoku:best_of", 3):
        base = rlgym.environment(task.origin.name)
        accepted = [letter for letter in "ABCDEF" if base.verify(task, letter).value == 1]
        several += len(accepted) == 2
        assert len(accepted) in (1, 2)
    assert declared.answer.format == "choice"
    assert 1 <= several <= 22


def test_a_draft_is_mostly_wrong_and_its_first_wrong_step_is_named():
    declared, base = rlgym.environment("chain_sum:critique_refine"), rlgym.environment("chain_sum")
    verdicts, named = Counter(), 0
    for task in tasks("chain_sum:critique_refine", 60):
        inner = rlgym.Task(task.data.question, task.data.inner)
        verdicts[verdict_on(base, inner, task.data.draft)] += 1
        assert declared.verify(task, declared.solve(task)).value == 1
        if task.data.first_wrong:
            named += 1
            step = task.data.draft.split("\n")[task.data.first_wrong - 1]
            assert step != base.explain(inner)[task.data.first_wrong - 1]
            assert f"line {task.data.first_wrong}." in task.prompt
    assert verdicts["wrong"] >= 45
    assert verdicts["right"] >= 1
    assert 10 <= named <= 50


def test_a_prompt_shows_no_marks_that_would_answer_it():
    for kind in ("grade_solution", "pairwise", "best_of", "critique_refine"):
        for task in tasks(f"chain_sum:{kind}", 4):
            assert "<answer>" not in task.prompt


def test_a_writer_gives_the_verdict_that_was_requested():
    declared = rlgym.environment("sudoku")
    writer = Solutions.of(declared, rlgym.task("sudoku", 1, level=0.3))
    for verdict in ("right", "wrong", "invalid"):
        found = writer.write(rlgym.Rng("writer"), verdict, 3)
        assert found
        assert len(set(found)) == len(found)
        assert {verdict_on(declared, writer.base, text) for text in found} == {verdict}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("right wrong", ("right", "wrong")),
        ("1. Right\n2. INVALID", ("right", "invalid")),
        ("Solution 1: wrong\nSolution 2: right.", ("wrong", "right")),
        ("right, wrong; invalid", ("right", "wrong", "invalid")),
    ],
)
def test_verdicts_are_read(text, read):
    assert WORDS.parse(text) == read


@pytest.mark.parametrize("text", ["", "correct", "right and wrong", "right maybe", "1 2", "right " * 30, "x" * 2000])
def test_other_words_are_no_verdicts(text):
    with pytest.raises(Unreadable):
        WORDS.parse(text)


LANGUAGES = ("de", "fr", "es", "zh", "ja", "hi", "ar")
HEADINGS = ("--- Task ", "--- Solution ", "--- Pair ", "--- End -", "Final answer", "final answer", "Judge each", "End your response")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["grade_solution", "pairwise", "best_of", "first_error", "critique_refine"])
def test_a_judge_task_in_another_language_is_the_same_instance(kind, language):
    english, name = f"chain_sum:{kind}", f"chain_sum:{kind}:{language}"
    declared = rlgym.environment(name)
    for seed in range(4):
        one, other = rlgym.task(english, seed, level=0.4), rlgym.task(name, seed, level=0.4)
        assert one.data.model_dump() == other.data.model_dump()
        assert one.prompt != other.prompt
        right = declared.solve(other)
        assert right == rlgym.environment(english).solve(one)
        response = declared.answer.render_response(right, "tag", other.prompt)
        assert rlgym.score(other, response).value == 1
        # The words of the English task are read too, as are other spellings of the answer.
        assert rlgym.score(other, rlgym.environment(english).answer.render_response(right, "tag", one.prompt)).value == 1
        for spelled in declared.answer.variants(right):
            assert rlgym.score(other, spelled).value == 1, spelled
        if kind in ("grade_solution", "pairwise", "best_of"):
            observation = rlgym.make(name, level=0.4).reset(seed=seed)[0]
            allowed = () if language != "fr" else ("--- Solution ",)
            assert [heading for heading in HEADINGS if heading in observation and heading not in allowed] == []


@pytest.mark.parametrize("words", [ENGLISH, *IN_LANGUAGES.values()])
def test_the_words_of_a_language_name_the_number_of_tasks_the_verdicts_and_the_options(words):
    assert "7" in words.grading.format(count=7)
    assert "7" in words.comparing.format(count=7)
    assert len(set(words.verdicts)) == 3
    if words is not ENGLISH:
        assert "A B" in words.one_word.format(item=words.pair, words="A B")
        assert words.pair in words.one_word.format(item=words.pair, words="A B")
        assert "A B" in words.one_letter.format(words="A B")


def test_verdicts_in_another_language_are_read_with_their_items():
    answer = rlgym.environment("chain_sum:grade_solution:de").answer
    assert answer.parse("Lösung 1: richtig\nLösung 2: ungültig") == ("right", "invalid")
    assert answer.parse("Richtig, FALSCH") == ("right", "wrong")
    assert answer.parse("ungu\u0308ltig") == ("invalid",)
    with pytest.raises(Unreadable):
        answer.parse("richtig vielleicht")
    assert rlgym.environment("chain_sum:grade_solution:zh").answer.parse("正确，错误、无效") == ("right", "wrong", "invalid")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chain_sum:choose:de", "has no other languages"),
        ("chain_sum:pairwise:nl", "the languages are de, fr"),
        ("chain_sum:pairwize:de", "Did you mean 'pairwise'"),
        ("mastermind:pairwise:de", "lacks the declarations"),
    ],
)
def test_a_language_that_is_not_there_is_named(name, message):
    with pytest.raises(UnknownName, match=message):
        rlgym.environment(name)


def test_a_recipe_samples_the_same_instances_in_every_language():
    from rlgym.dataset import sample

    names = ["chain_sum:pairwise", "chain_sum:pairwise:de", "chain_sum:pairwise:ja"]
    rows = list(sample(names, 12, levels=[0.1, 0.2, 0.3]))
    drawn = [{(row["seed"], row["level"], row["data"]) for row in rows if row["env"] == name} for name in names]
    assert drawn[0] == drawn[1] == drawn[2]
    assert len(drawn[0]) == 4
