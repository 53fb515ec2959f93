"""Rankings by a stated principle, and tasks that are matched with their answers."""

import re

import pytest

import rlgym
from rlgym.core.task import Task
from rlgym.derived.contrast import likeness
from rlgym.derived.judge_prompts import shown
from rlgym.derived.principles import HELD_OUT, PRINCIPLES, SEEN, rank_agreement
from rlgym.derived.written_solutions import RIGHT, verdict_on

BASES = ("chain_sum", "linear_system", "knights_and_knaves", "word_search")


def tasks(kind, base, seeds=range(12), level=0.3):
    declared = rlgym.environment(f"{base}:{kind}")
    for seed in seeds:
        yield declared, rlgym.task(f"{base}:{kind}", seed, level=level)


@pytest.mark.parametrize("base", BASES)
def test_the_order_is_that_of_the_principle_alone(base):
    source = rlgym.environment(base)
    measures = {
        "short": lambda text: len(text.split()),
        "few lines": lambda text: len([line for line in text.splitlines() if line.strip()]),
        "few digits": lambda text: len(re.findall("[0-9]", text)),
    }
    opposite = {"long": "short", "many lines": "few lines", "many digits": "few digits"}
    for declared, task in tasks("rank_by_principle", base):
        order = declared.solve(task)
        assert task.data.principle in SEEN
        ranked = [task.data.solutions["ABCD".index(letter)] for letter in order]
        assert len(ranked) == len(set(order)) == 4

        def key(text, task=task):
            found = []
            for each in task.data.principle:
                if each == "right":
                    found.append(verdict_on(source, Task(task.data.question, task.data.inner), text) != RIGHT)
                else:
                    size = measures[opposite.get(each, each)](shown(text))
                    found.append(-size if each in opposite else size)
            return found

        assert [key(text) for text in ranked] == sorted(key(text) for text in ranked)


def test_principles_are_held_out():
    assert not set(SEEN) & set(HELD_OUT)
    assert len(SEEN) + len(HELD_OUT) == len(PRINCIPLES) == len(set(PRINCIPLES))
    assert len(HELD_OUT) >= 10
    for _, task in tasks("rank_by_new_principle", "chain_sum"):
        assert task.data.principle in HELD_OUT
        assert "<answer>" not in task.prompt.split("--- End ---")[0]


def test_the_agreement_of_two_orders():
    assert rank_agreement("ABCD", "ABCD") == 1
    assert rank_agreement("ABCD", "DCBA") == 0
    assert rank_agreement("ABCD", "BACD") == pytest.approx(5 / 6)
    declared, task = next(tasks("rank_by_principle", "chain_sum"))
    right = declared.solve(task)
    score = declared.verify(task, (right[1], right[0], *right[2:]))
    assert (score.value, score.parts) == (0, {"rank_agreement": pytest.approx(5 / 6)})
    assert declared.verify(task, ("A", "A", "B", "C")).parts == {"rank_agreement": 0}


def test_the_letters_and_the_length_alone_do_not_tell_the_order():
    orders = [declared.solve(task) for declared, task in tasks("rank_by_principle", "chain_sum", range(120), 0.0)]
    for letter in "ABCD":
        assert 0.12 < sum(order[0] == letter for order in orders) / len(orders) < 0.4
    assert max(orders.count(order) for order in orders) <= 14


@pytest.mark.parametrize("base", BASES)
def test_each_answer_is_right_for_one_task_of_its_pair(base):
    source, words = rlgym.environment(base), []
    for declared, task in tasks("match_tasks", base, range(6)):
        right = declared.solve(task)
        words += right
        for part, word in zip(task.data.parts, right, strict=True):
            assert part.question != part.other_question
            bases = [Task(part.question, part.inner), Task(part.other_question, part.other_inner)]
            fits = [[verdict_on(source, each, text) == RIGHT for text in part.solutions] for each in bases]
            assert fits == ([[True, False], [False, True]] if word == "straight" else [[False, True], [True, False]])
        assert declared.verify(task, right).value == 1
        assert declared.verify(task, tuple("crossed" if word == "straight" else "straight" for word in right)).parts == {"matched": 0}
    assert 0.2 < words.count("straight") / len(words) < 0.8


def test_tasks_of_a_pair_are_alike():
    assert likeness("a b c", "a b d") == pytest.approx(2 / 3)
    assert likeness("a", "a") == 1
    shares = [
        likeness(part.question, part.other_question) for _, task in tasks("match_tasks", "knights_and_knaves") for part in task.data.parts
    ]
    assert sum(shares) / len(shares) > 0.6
