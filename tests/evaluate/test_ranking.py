"""Rankings of several runs: equal ranks where chance may decide, and tasks whose label the models contradict."""

import json

import pytest
from evaluate import result_rows
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.evaluate.comparison.ranking import rank_rows


def rows(rights, answers=None):
    """One sample of each task; the wrong answers of two runs differ unless `answers` says otherwise."""
    found = []
    for number, right in enumerate(rights):
        given = {} if answers is None or answers[number] is None else {"answer": answers[number]}
        found.append(result_rows.row(f"sums-v1-{number}-00000000", 0, bool(right), **given))
    return found


def run(right, of=200, wrong="w", **more):
    return rows([number < right for number in range(of)], [None if number < right else f"{wrong}{number}" for number in range(of)], **more)


def test_runs_share_a_rank_unless_the_difference_is_beyond_chance():
    ranking = rank_rows({"strong": run(160), "like": run(158, wrong="x"), "weak": run(60, wrong="y")})
    assert [(place.label, place.rank) for place in ranking.places] == [("strong", 1), ("like", 1), ("weak", 3)]
    strong = ranking.places[0]
    assert strong.low < strong.accuracy == 0.8 < strong.high
    assert ranking.doubtful == []
    assert ranking.places_without == ranking.places


def test_tasks_on_which_most_models_agree_against_the_label_are_doubtful():
    """The best of the models loses its place by ten wrong labels, which it shares with another."""
    wrong_labels = range(90, 100)
    agreed = [("seven" if number in wrong_labels else None) for number in range(100)]
    honest = rows([number < 90 for number in range(100)], agreed)
    other = rows(
        [number < 80 for number in range(100)], [agreed[n] if n in wrong_labels else None if n < 80 else f"x{n}" for n in range(100)]
    )
    lucky = rows(
        [number < 75 or number in wrong_labels for number in range(100)],
        [None if n < 75 or n in wrong_labels else f"y{n}" for n in range(100)],
    )
    ranking = rank_rows({"honest": honest, "other": other, "lucky": lucky})
    # "lucky" is right on them by the label, so that the answer of the others is not.
    assert [each.id for each in ranking.doubtful] == [f"sums-v1-{number}-00000000" for number in wrong_labels]
    assert {(each.answer, each.votes, each.models) for each in ranking.doubtful} == {("seven", 2, 3)}
    accuracy = {place.label: place.accuracy for place in ranking.places_without}
    assert accuracy == {"honest": 1.0, "other": pytest.approx(80 / 90), "lucky": pytest.approx(75 / 90)}
    assert [place.label for place in ranking.places_without] == ["honest", "other", "lucky"]
    two = rank_rows({"honest": honest, "other": other})
    assert two.doubtful == []


def test_masked_and_missing_tasks_are_left_out_and_counted():
    masked = [*rows([1, 1, 0]), result_rows.row("sums-v1-9-00000000", 0, False, masked=True)]
    ranking = rank_rows({"a": masked, "b": rows([1, 0])})
    assert (ranking.tasks, ranking.left_out) == (2, 1)
    with pytest.raises(RlgymError, match="no task in common"):
        rank_rows({"a": rows([1]), "b": [result_rows.row("sums-v1-7-00000000")]})
    with pytest.raises(RlgymError, match="two runs or more"):
        rank_rows({"a": rows([1])})


def test_the_command_ranks_folders(tmp_path):
    runner = CliRunner()
    for name, model in (("good", "oracle"), ("bad", "mistake")):
        options = [
            "--suite",
            "chain_sum",
            "--levels",
            "0",
            "--count",
            "6",
            "--model",
            model,
            "--label",
            name,
            "--out",
            str(tmp_path / name),
        ]
        assert runner.invoke(app, ["eval", "run", *options]).exit_code == 0
    done = runner.invoke(app, ["eval", "rank", str(tmp_path / "good"), str(tmp_path / "bad"), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert [(place["label"], place["rank"], place["accuracy"]) for place in found["places"]] == [("good", 1, 1.0), ("bad", 2, 0.0)]
    assert (
        "6 common tasks, 0 left out, 0 doubtful"
        in runner.invoke(app, ["eval", "rank", str(tmp_path / "good"), str(tmp_path / "bad")]).output
    )
    twice = runner.invoke(app, ["eval", "rank", str(tmp_path / "good"), str(tmp_path / "good")])
    assert "two runs have the label 'good'" in str(twice.exception)
    assert found["unfinished"] == {}
    (tmp_path / "bad" / "results.parquet").unlink()
    log = tmp_path / "bad" / "episodes.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:4]))
    half = runner.invoke(app, ["eval", "rank", str(tmp_path / "good"), str(tmp_path / "bad")]).output
    assert "bad is unfinished, 4 of 6 episodes" in half
    assert "4 common tasks, 2 left out" in half
