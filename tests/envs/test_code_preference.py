"""Preferences between programs, checked by Python itself."""

import re
import sys
from collections import Counter

import pytest

import rlgym
from rlgym.envs.code.code_preference import environment


def executed(source, arguments):
    """The value or the exception of a call in Python, and the lines that it executes."""
    names, lines = {}, 0

    def trace(frame, event, argument):
        nonlocal lines
        lines += event == "line" and frame.f_code.co_filename == "pair"
        return trace

    exec(compile(source, "pair", "exec"), names)  # noqa: S102  a program of our own
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        value = ("value", repr(names["solve"](*arguments)))
    except Exception as error:
        value = ("exception", type(error).__name__)
    finally:
        sys.settrace(before)
    return value, lines


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_the_better_program_is_better_in_python(level):
    asked = set()
    for seed in range(4):
        data = rlgym.task("code_preference", seed, level=level).data
        inputs = list(data.domain.everything())
        wanted = [executed(data.reference, arguments)[0] for arguments in inputs]
        for pair in data.pairs:
            asked.add(pair.question)
            better, worse = pair.programs if pair.better == "A" else pair.programs[::-1]
            found = [[executed(source, arguments)[0] for arguments in inputs] for source in (better, worse)]
            if pair.question == "right":
                assert found[0] == wanted != found[1]
            elif pair.question == "safe":
                assert all(kind == "value" for kind, _ in found[0])
                assert any(kind == "exception" for kind, _ in found[1])
            else:
                assert found == [wanted, wanted]
                assert executed(better, pair.arguments)[1] < executed(worse, pair.arguments)[1]
    assert asked == {"right", "fast", "safe"}


def test_the_parts_tell_the_questions_apart():
    task = rlgym.task("code_preference", 1, level=0.5)
    right = environment.solve(task)
    wrong = next(place for place, pair in enumerate(task.data.pairs) if pair.question == "fast")
    given = tuple("AB"[letter == "A"] if place == wrong else letter for place, letter in enumerate(right))
    score = environment.verify(task, given)
    assert score.value == 0
    assert score.parts["right"] == score.parts["safe"] == 1 > score.parts["fast"]
    assert environment.verify(task, tuple(letter.lower() for letter in right)).value == 1
    for spelled in (("".join(right),), tuple(f"{i}:{letter}" for i, letter in enumerate(right, 1))):
        assert environment.verify(task, spelled).value == 1
    assert environment.verify(task, tuple(f"{i}:{letter}" for i, letter in enumerate(right, 2))).value == 0
    assert "one letter" in environment.verify(task, (*right, "A")).reason


def test_the_letters_are_balanced():
    letters = [pair.better for seed in range(30) for pair in rlgym.task("code_preference", seed, level=0.0).data.pairs]
    assert 0.35 < letters.count("A") / len(letters) < 0.65


def changed(source, reference):
    """How many numbers and operators of a program are others than those of the reference."""
    count = [Counter(re.findall(r"\d+|//|<=|>=|==|!=|[-+*%<>]|min|max|and|or", text)) for text in (source, reference)]
    return sum(((count[0] - count[1]) + (count[1] - count[0])).values())


def outward(source):
    """How far the idle loop is indented."""
    return next(len(line) - len(line.lstrip()) for line in source.split("\n") if "spare" in line)


def test_the_text_does_not_tell_which_program_is_better():
    """The one that is nearer to the reference in its numbers and operators, or whose idle loop stands further out, is the better one by chance only."""
    found = {"right": [], "fast": []}
    for seed in range(12):
        data = rlgym.task("code_preference", seed, level=0.0).data
        for pair in data.pairs:
            better, worse = pair.programs if pair.better == "A" else pair.programs[::-1]
            if pair.question == "right":
                assert data.reference not in pair.programs
                found["right"].append(changed(worse, data.reference) - changed(better, data.reference))
            elif pair.question == "fast":
                found["fast"].append(outward(worse) - outward(better))
    for differences in found.values():
        assert sum((difference > 0) + 0.5 * (difference == 0) for difference in differences) / len(differences) < 0.75


def test_a_try_statement_tells_nothing_of_safety_and_no_pair_comes_twice():
    for seed in range(12):
        pairs = rlgym.task("code_preference", seed, level=0.0).data.pairs
        assert len({frozenset(pair.programs) for pair in pairs}) == len(pairs)
        for pair in pairs:
            if pair.question == "safe":
                assert len({"try:" in source for source in pair.programs}) == 1


@pytest.mark.parametrize("form", ["Pair {n}: {letter}\n", "{n}. {letter}\n", "({letter}) "])
def test_letters_are_read_as_one_writes_them(form):
    task = rlgym.task("code_preference", 2, level=0.0)
    said = "".join(form.format(n=n, letter=letter) for n, letter in enumerate(environment.solve(task), 1))
    assert environment.verify(task, environment.answer.parse(said)).value == 1.0
