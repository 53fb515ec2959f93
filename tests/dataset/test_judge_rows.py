"""Judge tasks from recorded responses."""

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

import rlgym
from rlgym.cli import app
from rlgym.core.errors import RowError
from rlgym.dataset import Session
from rlgym.dataset.judge_rows import judge_rows

LONG = "I add the terms one after another. " * 20


def result(seed, text, right, name="chain_sum", **changed):
    row = {"env": name, "version": rlgym.environment(name).version, "kind": "environment", "level": 0.3, "seed": seed, "masked": False}
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": text}]
    return row | {"right": right, "messages": json.dumps(messages)} | changed


def responses(seed):
    """Right short and long, wrong short and long, and invalid responses to one task."""
    total = rlgym.environment("chain_sum").solve(rlgym.task("chain_sum", seed, level=0.3))
    return [
        result(seed, f"So <answer>{total}</answer>", True),
        result(seed, f"{LONG}<answer>{total}</answer>", True),
        result(seed, f"So <answer>{total + 1}</answer>", False),
        result(seed, f"{LONG}<answer>{total - 1}</answer>", False),
        result(seed, "I do not know.", False),
    ]


RESULTS = [row for seed in range(1, 17) for row in responses(seed)]


@pytest.mark.parametrize(("kind", "count"), [("grade_solution", 4), ("pairwise", 4), ("best_of", 16), ("critique_refine", 16)])
def test_rows_are_tasks_of_the_derived_environment(kind, count):
    found = judge_rows(RESULTS, kind)
    assert len(found.rows) == count
    assert len({row["id"] for row in found.rows}) == count
    for row in found.rows:
        assert row["env"] == f"chain_sum:{kind}"
        assert "<answer>" not in row["prompt"].partition("End your response")[0]
        session = Session(row)
        session.step(row["oracle_response"])
        assert session.score.value == 1
    assert judge_rows(RESULTS, kind).rows == found.rows
    assert judge_rows(RESULTS, kind, seed=1).rows != found.rows


def test_the_two_of_a_pair_have_the_closest_lengths():
    for row in judge_rows(RESULTS, "pairwise").rows:
        for part in json.loads(row["data"])["parts"]:
            first, second = map(len, part["solutions"])
            assert abs(first - second) <= 2


def test_solutions_are_balanced_by_the_model_that_wrote_them():
    """One model is mostly right and writes three times as much, the other is mostly wrong; every task has right and wrong responses of both."""
    results = []
    for seed in range(1, 121):
        total = rlgym.environment("chain_sum").solve(rlgym.task("chain_sum", seed, level=0.3))
        for model, right, wrong in (("strong", 6, 1), ("weak", 1, 2)):
            for number in range(right + wrong):
                answer = total if number < right else total + number
                text = f"{model} {number} <answer>{answer}</answer>"
                results.append(result(seed, text, number < right, model=model))
    found = judge_rows(results, "grade_solution")
    shown = found.shown
    for verdict in ("right", "wrong"):
        assert abs(shown["strong", verdict] - shown["weak", verdict]) <= 1
    assert sum(shown.values()) == 120
    assert 40 <= shown["strong", "right"] + shown["weak", "right"] <= 80
    # The counts are those of what the rows show.
    texts = [part["solutions"][0] for row in found.rows for part in json.loads(row["data"])["parts"]]
    assert Counter(text.split()[0] for text in texts) == {
        model: sum(count for (other, _), count in shown.items() if other == model) for model in ("strong", "weak")
    }


def test_verdicts_are_balanced_whatever_the_solve_rate():
    # A third of the responses is right, and yet about half of the graded ones are.
    results = [row for seed in range(1, 81) for row in [responses(seed)[0], *responses(seed)[2:4]]]
    rows, verdicts = judge_rows(results, "grade_solution").rows, Counter()
    for row in rows:
        verdicts.update(row["oracle_response"].removeprefix("<answer>").removesuffix("</answer>").split())
    assert len(rows) == 20
    assert 25 <= verdicts["right"] <= 55


def test_tasks_of_one_verdict_are_left_out_unless_they_are_wanted():
    results = [row for row in RESULTS if row["right"]]
    found = judge_rows(results, "grade_solution")
    assert found.rows == []
    assert found.skipped["of tasks with one verdict"] == 32
    assert len(judge_rows(results, "grade_solution", mixed=False).rows) == 4


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"masked": True}, "masked"),
        ({"kind": "game"}, "many turns"),
        ({"version": 99}, "other versions"),
        ({"messages": json.dumps([{"role": "assistant", "content": "x" * 9000}])}, "more than 8000 characters"),
        ({"messages": json.dumps([{"role": "assistant", "content": "\\boxed{3}"}]), "right": True}, "another verdict"),
        ({"env": "chain_sum:shift"}, "derive no such tasks"),
    ],
)
def test_what_cannot_be_judged_is_counted(changed, reason):
    found = judge_rows([RESULTS[0] | changed], "pairwise")
    assert found.rows == []
    assert [count for why, count in found.skipped.items() if reason in why and count] == [1]


def test_an_unknown_kind_is_an_error():
    with pytest.raises(RowError, match="Did you mean 'pairwise'"):
        judge_rows(RESULTS, "pairwize")


def worked(seed, slip):
    """A worked response, with a slip in its second step if asked for."""
    task = rlgym.task("chain_sum", seed, level=0.3)
    steps = list(rlgym.environment("chain_sum").explain(task)[:-1])
    if slip:
        head, _, total = steps[1].rpartition(" ")
        steps[1] = f"{head} {int(total) + 1}"
    return result(seed, "\n".join([*steps, f"<answer>{rlgym.environment('chain_sum').solve(task) + slip}</answer>"]), not slip)


def test_steps_of_responses_are_rows_of_first_error():
    found = judge_rows([worked(seed, slip) for seed in range(1, 25) for slip in (0, 1)], "first_error")
    answers = Counter(row["oracle_response"] for row in found.rows)
    assert answers.keys() == {"<answer>none</answer>", "<answer>2</answer>"}
    assert answers["<answer>2</answer>"] > answers["<answer>none</answer>"] > 0
    assert "in which steps may be wrong" in found.rows[0]["prompt"]
    for row in found.rows:
        session = Session(row)
        session.step(row["oracle_response"])
        assert session.score.value == 1


def test_rows_in_another_language_show_the_same_responses():
    for kind, word in (("grade_solution", "Lösung 1"), ("pairwise", "Paar 1"), ("best_of", "Lösung A"), ("critique_refine", "Löse")):
        english, german = judge_rows(RESULTS, kind).rows, judge_rows(RESULTS, kind, language="de").rows
        assert len(english) == len(german) > 0
        assert {row["env"] for row in german} == {f"chain_sum:{kind}:de"}
        for one, other in zip(english, german, strict=True):
            assert json.loads(one["data"]) == json.loads(other["data"])
            assert word in other["prompt"]
            session = Session(other)
            session.step(other["oracle_response"])
            assert session.score.value == 1
    with pytest.raises(RowError, match="there is no language 'nl'"):
        judge_rows(RESULTS, "pairwise", language="nl")


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_the_command_writes_rows(tmp_path, monkeypatch, suffix):
    class Run:
        rows, info = RESULTS, {"model": {"name": "a"}}

    monkeypatch.setattr("rlgym.evaluate.episodes.results.load", lambda folder: Run)
    out = tmp_path / f"judge.{suffix}"
    done = CliRunner().invoke(app, ["dataset", "judge", str(tmp_path), "--out", str(out), "--kind", "pairwise", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output) == {"rows": 4, "environments": {"chain_sum:pairwise": 4}, "skipped": {}}
    if suffix == "jsonl":
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert [row["env"] for row in rows] == ["chain_sum:pairwise"] * 4
    refused = CliRunner().invoke(app, ["dataset", "judge", str(tmp_path), "--out", "judge.txt"])
    assert isinstance(refused.exception, RowError)
