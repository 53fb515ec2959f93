"""Adopting files with worked solutions: these vote on the labels, and those with the right answer become rows for SFT."""

import json

import pytest
from typer.testing import CliRunner

from rlgym import Rng
from rlgym.cli import app
from rlgym.dataset.adopt.adopt import adopt
from rlgym.dataset.adopt.question import Question, read_questions


def with_solutions(truth, rng, accuracies=(0.92, 0.9, 0.88)):
    """Three worked solutions that end in the truth with their probabilities, and else in one of many wrong numbers."""
    wrong = [str(int(truth) + difference) for difference in (-20, -10, -2, -1, 1, 2, 10, 20)]
    answers = [truth if rng.chance(accuracy) else rng.choice(wrong) for accuracy in accuracies]
    return tuple(f"<think>It may be {rng.integer(1, 99)}.</think>So the sum is \\boxed{{{answer}}}." for answer in answers)


@pytest.mark.parametrize("seed", range(3))
def test_the_three_solutions_of_a_row_find_planted_wrong_labels(seed):
    rng = Rng("solutions", seed)
    questions, wrong = [], set()
    for row in range(1, 601):
        one, other = rng.integer(100, 900), row
        truth = str(one + other)
        label = str(one + other + rng.choice([-10, -1, 1, 10])) if row % 10 == 0 else truth
        wrong |= {row} if label != truth else set()
        questions.append(
            Question(
                row,
                f"Warehouse {row} holds {one} crates and gets {other}. How many are there?",
                label,
                solutions=with_solutions(truth, rng),
            )
        )
    plain = adopt(questions)
    assert plain.suspects == []
    adoption = adopt(questions, solutions_vote=True)
    found = {suspect.key for suspect in adoption.suspects}
    assert len(found & wrong) / len(wrong) >= 0.88
    assert len(found - wrong) / (600 - len(wrong)) < 0.01
    right = [flag for flags in adoption.solved.values() for flag in flags]
    assert 0.85 < sum(right) / len(right) < 0.95


def test_a_file_with_three_solutions_becomes_an_environment_and_rows_for_sft(tmp_path):
    rows = [
        {
            "question": f"What is {n} + {n}?",
            "final_answer": str(2 * n),
            "difficulty": n,
            "topic": "Sums",
            "r1_solution_1": f"It is \\boxed{{{2 * n}}}.",
        }
        | {"r1_solution_2": f"It is \\boxed{{{2 * n + (n == 3)}}}.", "r1_solution_3": ""}
        for n in (1, 2, 3)
    ]
    file, out = tmp_path / "deepmath.jsonl", tmp_path / "plug-in"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = CliRunner().invoke(app, ["dataset", "adopt", str(file), "--out", str(out), "--name", "sums_of_a_file", "--solutions"])
    assert result.exit_code == 0, result.output
    assert "9 solutions of kept questions, 5 with the right answer" in " ".join(result.output.split())
    kept = [json.loads(line) for line in (out / "rlgym_adopted_sums_of_a_file" / "sums_of_a_file.jsonl").read_text().splitlines()]
    assert {row["topic"] for row in kept} == {"Sums"}
    sft = [json.loads(line) for line in (out / "solutions.jsonl").read_text().splitlines()]
    assert [(row["row"], row["completion"]) for row in sft if row["row"] == 3] == [(3, "It is \\boxed{6}.")]
    named = next(read_questions(file, {"solutions": "r1_solution_"}))
    assert len(named.solutions) == 3
    file.write_text(json.dumps({"question": "What is 1 + 1?", "answer": "2", "solutions": ["2", "It is 2"]}) + "\n")
    assert next(read_questions(file)).solutions == ("2", "It is 2")
