"""Questions with options are asked without them only where they stand alone."""

import json

import pytest
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.dataset.adopt import Question
from rlgym.dataset.adopt.open_questions import open_question, split_options

STEM = "What is the sum of 12 and 30?"


def asked(prompt, answer):
    changed = open_question(Question(1, prompt, answer, "choice"))
    return changed and (changed.prompt, changed.answer, changed.type)


@pytest.mark.parametrize(
    "options",
    [
        "\n(A) 40\n(B) 41\n(C) 42\n(D) 43",
        "\nA. 40\nB. 41\nC. 42\nD. 43",
        " A) 40 B) 41 C) 42 D) 43",
        "\nA: 40\n\nB: 41\n\nC: 42\n\nD: 43",
        "\n- A. 40\n- B. 41\n- C. 42\n- D. 43",
        r" $\textbf{(A)}\ 40\qquad\textbf{(B)}\ 41\qquad\textbf{(C)}\ 42\qquad\textbf{(D)}\ 43$",
        r" $\text{(A)}~40 \quad \text{(B)}~41 \quad \text{(C)}~42 \quad \text{(D)}~43$",
        "\n**A.** 40\n**B.** 41\n**C.** 42\n**D.** 43",
        "\n(A) $40$ (B) $41$ (C) $42$ (D) $43$",
    ],
)
@pytest.mark.parametrize("label", ["C", "(C)", "Option C", "C. 42"])
def test_layouts_of_options_are_split_off(options, label):
    stem, answer, kind = asked(STEM + options, label)
    assert (stem, answer.strip("$"), kind) == (STEM, "42", "")


def test_the_text_of_an_option_names_it_as_well():
    assert asked(f"{STEM} (A) 40 (B) 41 (C) 42", "42")[1] == "42"
    assert asked(f"{STEM} (A) 40 (B) 41 (C) 42", "44") is None


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("Which of the following is prime? (A) 4 (B) 5 (C) 6", "B"),
        ("Which number could be the area? What is it? (A) 4 (B) 5 (C) 6", "B"),
        ("What is the value closest to 17/3? (A) 4 (B) 5 (C) 6", "C"),
        ("What is x if x + x = 1? (A) 0 (B) 1 (C) none of these", "C"),
        ("What is x if x + x = 1? (A) 1/2 (B) 1 (C) none of these", "A"),
        ("What is x if x + x = 1? (A) 1/2 (B) 0.5 (C) 2", "A"),
        ("Who wrote it? (A) Anna (B) Ben (C) Cleo", "B"),
        ("What is 1 + 1? (A) 2 (B) 3", "A"),
        ("What is 1 + 1? (A) 2 (C) 3 (D) 4", "A"),
        ("What is 1 + 1? (A) 2 (B) 3 (C) 4", "E"),
        ("What is 1 + 1?", "2"),
        ("Let A. B. and C. be towns.", "3"),
    ],
)
def test_questions_that_do_not_stand_alone_stay_as_they_are(prompt, answer):
    assert asked(prompt, answer) is None


def test_points_called_a_and_b_are_no_options():
    prompt = "Points A, B and C lie on a line with AB = 2. What is AC? (A) 3 (B) 4 (C) 5"
    assert split_options(prompt) == ("Points A, B and C lie on a line with AB = 2. What is AC?", {"A": "3", "B": "4", "C": "5"})


def test_the_command_opens_choices(tmp_path):
    lines = [
        {"question": f"{STEM} (A) 40 (B) 41 (C) 42", "answer": "C"},
        {"question": "Which of the following is prime? (A) 4 (B) 5 (C) 6", "answer": "B"},
        {"question": "What is 7 times 8?", "answer": "56"},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    options = ["dataset", "adopt", str(file), "--dry-run", "--json"]
    plain, opened = (json.loads(CliRunner().invoke(app, [*options, *more]).output) for more in ([], ["--open-choices"]))
    assert (plain["types"], plain["opened"]) == ({"choice": 2, "integer": 1}, 0)
    assert (opened["types"], opened["opened"]) == ({"choice": 1, "integer": 2}, 1)
