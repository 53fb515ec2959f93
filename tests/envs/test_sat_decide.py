"""Both certificates are checked: a model clause by clause, a refutation step by step."""

import re

import pytest

import rlgym


def _tasks(satisfiable):
    tasks = (rlgym.task("sat_decide", seed, level=0.5) for seed in range(30))
    return [task for task in tasks if task.data.satisfiable == satisfiable][:5]


def _said(task):
    environment = rlgym.environment("sat_decide")
    return environment.answer.render(environment.solve(task))


def _value(task, text):
    return rlgym.score(task, f"<answer>{text}</answer>").value


@pytest.mark.parametrize(
    ("satisfiable", "change"),
    [
        (False, lambda text: text.replace("+", " + ").replace(" ", "  ")),
        (False, lambda text: text.replace(" ", ", ")),
        (True, str.upper),
        (True, lambda text: text.replace("-", "not ").replace(" x", ", x")),
        (True, lambda text: text.replace("-", "¬")),
        (True, lambda text: " ".join(reversed(text.split()))),
    ],
)
def test_other_spellings_are_right(satisfiable, change):
    for task in _tasks(satisfiable):
        assert _value(task, change(_said(task))) == 1


def test_a_broken_refutation_is_wrong():
    for task in _tasks(False):
        text, clauses = _said(task), len(task.data.clauses)
        steps = text.split()
        last = clauses + len(steps)
        for broken in (
            " ".join(steps[:-1]),  # ends before the empty clause
            f"{text} {last}+1",  # goes on after it
            f"{last}+{last} {text}",  # uses what is not there yet
            f"1+1 {text}",  # resolves a clause with itself
            f"0+1 {text}",
            f"-1+1 {text}",
            f"{text} x1",  # both kinds in one
            "unsatisfiable",
        ):
            assert _value(task, broken) == 0, broken
        assert _value(task, re.sub(r"\d+", lambda digits: digits[0].translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")), text)) == 0


def test_a_refutation_of_clauses_with_a_model_is_never_right():
    for task in _tasks(True):
        clauses = len(task.data.clauses)
        for i in range(1, clauses + 1):
            for j in range(1, clauses + 1):
                assert _value(task, f"{i}+{j}") == 0


def test_contradicting_and_missing_values_are_wrong():
    for task in _tasks(True):
        words = _said(task).split()
        turned = words[0].removeprefix("-") if words[0].startswith("-") else f"-{words[0]}"
        for broken in (
            [*words, turned],
            [*words, words[0]],
            words[1:],
            [*words, "x99"],
            [f"-{turned}", *words[1:]] if turned[0] == "-" else [*words, "-"],
        ):
            assert _value(task, " ".join(broken)) == 0, broken
