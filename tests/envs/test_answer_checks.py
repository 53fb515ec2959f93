"""Answers checked against excerpts: the labels of sentences, and the kinds of errors of attempts."""

from collections import Counter

import pytest

import rlgym
from rlgym import Rng
from rlgym.core.task import Task
from rlgym.envs.reading import answer_error_type, answer_sentence_check
from rlgym.generators.corpus.excerpts import counting, read, read_question, read_rule
from rlgym.generators.corpus.relations import RELATIONS
from rlgym.generators.corpus.world import Page, Rule

TEXT = """Of the pages that speak of a fact, a letter counts before a register and a register before a chronicle, whatever their years; of two of the same \
source the later counts. A newspaper never counts, even where nothing else speaks of the fact.

[1] ship Yara (chronicle of 1990): The captain of the ship Yara is Anna Belsen. A letter mentions the ship Yara next to Anna Belsen.
[2] ship Yara (register of 1910): Hans Corard commands the ship Yara.
[3] ship Yara (newspaper of 1999): Ida Fenley commands the ship Yara. In 1720, the ship Yara was launched.
[4] Anna Belsen (letter of 1950): Anna Belsen, born 1801, is still spoken of.
[5] Hans Corard (letter of 1950): The year of birth of Hans Corard is 1811."""


def test_excerpts_and_rules_are_read_off_the_prompt():
    shown, rule = read(TEXT), read_rule(TEXT)
    assert rule == Rule(("letter", "register", "chronicle"), "newspaper")
    assert shown[0][:3] == ("ship", "Yara", Page("", 0, "chronicle", 1990, ()))
    assert [one.facts for one in shown] == [
        {"captain": "Anna Belsen"}, {"captain": "Hans Corard"}, {"captain": "Ida Fenley", "launched": "1720"}, {"birth": "1801"}, {"birth": "1811"},
    ]  # fmt: skip
    assert counting(shown, rule, "Yara", "captain") == ("Hans Corard", 2)
    assert counting(shown, Rule(), "Yara", "captain") == ("Ida Fenley", 3)
    assert counting(shown, rule, "Yara", "launched") is None


@pytest.mark.parametrize(
    ("words", "start", "relations"),
    [
        ("the captain of the ship Yara", "Yara", ["captain"]),
        ("the year in which the captain of the ship Yara was born", "Yara", ["captain", "birth"]),
        ("the year in which Selby was founded", "Selby", ["settled"]),
        ("the year in which the company Yarex was founded", "Yarex", ["began"]),
    ],
)
def test_questions_are_read_off_the_prompt(words, start, relations):
    assert read_question(words) == (start, relations)


def _claim(quoted, found, concluded, implied, true):
    facts = (("Yara", "captain"), ("Anna Belsen", "birth"))
    return answer_sentence_check.Claim(
        facts=facts, cited=(1, 4), quoted=quoted, found=found, concluded=concluded, implied=implied, true=true
    )


def test_the_three_labels_are_independent():
    """Faithful to a page that does not count, and valid, is false; and a true conclusion may rest on nothing."""
    said = ("Anna Belsen", "1801")
    assert _claim(said, said, "1801", "1801", "1811").labels == ("faithful", "valid")
    assert _claim(said, ("Ida Fenley", "1801"), "1811", "1801", "1811").labels == ("true",)
    assert _claim(said, said, "1801", "1801", "1801").labels == ("faithful", "valid", "true")


def test_all_combinations_of_labels_occur_and_no_one_prevails():
    counts = Counter(
        claim.labels
        for seed in range(40)
        for claim in answer_sentence_check.generate(Rng("labels", seed), answer_sentence_check.Knobs.at(0.6)).data.claims
    )
    assert len(counts) == 8
    assert max(counts.values()) < 0.3 * counts.total()


def test_an_attempt_without_an_excerpt_that_counts_is_an_error_of_retrieval_even_if_its_answer_is_right():
    seen = Counter()
    for seed in range(30):
        task = answer_error_type.generate(Rng("attempts", seed), answer_error_type.Knobs.at(0.5))
        verdicts = dict(answer_error_type.solve(task))
        for number, attempt in enumerate(task.data.attempts, 1):
            verdict, is_right = verdicts[str(number)], attempt.answer == task.data.answer
            seen[verdict, is_right] += 1
            assert (verdict == "retrieval") == (not set(task.data.needed) <= set(attempt.excerpts))
    assert set(seen) == {("right", True), ("grounding", False), ("retrieval", True), ("retrieval", False)}
    wrong = [dict(answer) for answer in answer_error_type.mistakes(task, answer_error_type.solve(task))]
    assert all(answer_error_type.verify(task, tuple(one.items())).value == 0 for one in wrong if one != verdicts)


def _counting_players(task: Task[answer_error_type.Data], size: int):
    """Verdicts of players who never read an excerpt: the commonest answer is right, and what many attempts hold is needed."""
    attempts = task.data.attempts
    held = Counter(number for attempt in attempts for number in attempt.excerpts)
    commonest = Counter(attempt.answer for attempt in attempts).most_common(1)[0][0]
    popular = [{number for number in held if held[number] >= share * len(attempts)} for share in (0.6, 0.65, 0.7, 0.75, 0.8)]
    for needed in [*popular, {number for number, _ in held.most_common(size)}]:
        yield tuple(
            "retrieval" if not needed <= {*attempt.excerpts} else "right" if attempt.answer == commonest else "grounding"
            for attempt in attempts
        )


@pytest.mark.parametrize(("level", "hops", "most"), [(0.0, 1, 0.2), (0.5, 2, 0.1), (1.0, 4, 0.1)])
@pytest.mark.parametrize("sampler", [answer_error_type.generate, answer_error_type.shift])
def test_what_most_attempts_hold_and_answer_does_not_tell_the_verdicts(level, hops, most, sampler):
    solved, rounds = Counter(), 60
    for seed in range(rounds):
        task = sampler(Rng("counting", seed), answer_error_type.Knobs.at(level))
        right = tuple(verdict for _, verdict in sorted(answer_error_type.solve(task), key=lambda line: int(line[0])))
        solved.update(player for player, verdicts in enumerate(_counting_players(task, hops)) if verdicts == right)
    assert max(solved.values(), default=0) <= most * rounds


def test_all_verdicts_are_frequent_and_a_wrong_answer_is_often_the_commonest():
    verdicts, misled = Counter(), 0
    for seed in range(60):
        task = answer_error_type.generate(Rng("mix", seed), answer_error_type.Knobs.at(0.5))
        verdicts.update(verdict for _, verdict in answer_error_type.solve(task))
        misled += Counter(attempt.answer for attempt in task.data.attempts).most_common(1)[0][0] != task.data.answer
    assert min(verdicts[verdict] for verdict in answer_error_type.VERDICTS) > 0.18 * verdicts.total()
    assert misled > 20


@pytest.mark.parametrize("module", [answer_error_type, answer_sentence_check])
def test_the_prompt_says_that_a_partner_town_is_read_one_way_only_where_one_is_stated(module):
    seen = set()
    for seed in range(30):
        task = module.generate(Rng("partner", seed), module.Knobs.at(0.0 if seed % 2 else 0.7))
        stated = any("partner" in one.facts for one in read(task.prompt))
        assert ("does not say that A is the partner town of B" in task.prompt) == stated
        seen.add(stated)
    assert seen == {True, False}


def test_the_cited_excerpts_alone_do_not_tell_which_sentences_are_true():
    """A player that takes what the cited excerpts say for what counts, and a chain that breaks for false, fails half of the tasks."""
    solved = 0
    for seed in range(60):
        claims = answer_sentence_check.generate(Rng("cited", seed), answer_sentence_check.Knobs.at(0.0)).data.claims
        guesses = []
        for claim in claims:
            first, second = claim.found
            if RELATIONS[claim.facts[0][1]].value == "year":
                guesses.append(claim.concluded == str(abs(int(first) - int(second))))
            else:
                guesses.append(claim.facts[1][0] == first and claim.concluded == second)
        solved += guesses == ["true" in claim.labels for claim in claims]
    assert solved < 0.6 * 60


@pytest.mark.parametrize("name", ["answer_sentence_check", "answer_error_type"])
@pytest.mark.parametrize("form", ["{n}. {what}", "{n}) {what}", "{item} {n}: {what}", "- **{item} {n}**: {what}"])
def test_numbered_lines_are_read_as_one_writes_them(name, form):
    declared, task = rlgym.environment(name), rlgym.task(name, 3, level=0.5)
    item = "Sentence" if name == "answer_sentence_check" else "Attempt"
    said = "\n".join(form.format(n=n, item=item, what=what) for n, what in declared.solve(task))
    assert declared.verify(task, declared.answer.parse(said)).value == 1.0


@pytest.mark.parametrize("join", [", ", " and ", "/", '" "'])
def test_labels_are_read_with_and_slashes_and_quotes(join):
    declared, task = rlgym.environment("answer_sentence_check"), rlgym.task("answer_sentence_check", 3, level=0.5)
    lines = [(n, join.join(what.split()) if what != "none" else "no label") for n, what in declared.solve(task)]
    assert declared.verify(task, tuple(lines)).value == 1.0
