"""Exports: the columns that trainers read, whole files or none, and pairs that are what they say."""

import json
import runpy

import pytest
from adapters.agreement import page
from typer.testing import CliRunner

import rlgym
from rlgym.cli import app
from rlgym.core.errors import RecipeError, RowError
from rlgym.dataset import Recipe, Session, build, from_task_json, load, sample, wrong_response
from rlgym.dataset.export import export, write
from rlgym.dataset.layouts import LAYOUTS, SINGLE_TURN, dpo, schema, sft
from rlgym.dataset.preference_pairs import part_dpo, reward_pairs

NAMES = ["chain_sum", "shortest_path", "higher_lower", "calculator_and_lookup"]
RECIPE = Recipe(names=NAMES, levels=[0.0, 0.5], count=60, seed=4, splits={"train": 0.8, "test": 0.2})


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "data"
    build(RECIPE, folder)
    return folder


def read(file):
    """What Hugging Face's datasets reads of a file."""
    datasets = pytest.importorskip("datasets", reason="needs datasets")
    kind = "parquet" if file.suffix == ".parquet" else "json"
    return list(datasets.load_dataset(kind, data_files=str(file), cache_dir=str(file.parent / "cache"))["train"])


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout != "swe-bench"])  # which takes repositories alone
def test_datasets_loads_every_layout(built, tmp_path, layout, ending):
    file = tmp_path / f"out.{ending}"
    if (layout, ending) == ("nemo", "parquet"):
        with pytest.raises(RecipeError, match=r"needs a \.jsonl file"):
            export(built, layout, file)
        return
    done = export(built, layout, file)
    records = read(file)
    assert done.rows == 60
    assert len(records) == done.records > 0
    assert list(records[0]) == schema(layout).names
    if layout == "nemo":  # `datasets` fills the tools of all rows into one schema, so the lines are read as they are
        records = [json.loads(line) for line in file.read_text().splitlines()]
    created = [record for number, row in enumerate(load(built)) for record in LAYOUTS[layout](row, number)]
    assert [json.loads(json.dumps(record)) for record in records] == created


def test_a_split_is_exported_alone(built, tmp_path):
    done = export(built, "trl", tmp_path / "test.jsonl", split="test")
    assert done.rows == sum(1 for _ in load(built, "test")) < 60
    ids = {record["id"] for record in read(tmp_path / "test.jsonl")}
    assert ids == {row["id"] for row in load(built, "test")}


@pytest.mark.parametrize(
    ("layout", "column"),
    [
        ("trl", "task_json"),
        ("openrlhf", "label"),
        ("verifiers", "task_json"),
        ("open-r1", "task_json"),
        ("synthetic-2", "verification_info"),
        ("open-instruct", "ground_truth"),
    ],
)
def test_the_task_json_scores_as_the_row_does(built, tmp_path, layout, column):
    export(built, layout, tmp_path / "out.parquet")
    for row, record in zip(load(built), read(tmp_path / "out.parquet"), strict=True):
        response = wrong_response(row)
        assert rlgym.score(from_task_json(record[column]), response) == rlgym.score(row, response)


def test_sft_holds_every_turn_of_the_oracle(built):
    for row in load(built):
        session = Session(row)
        for record in sft(row):
            assert record["prompt"] == session.messages
            session.step(record["completion"][0]["content"])
        assert session.score.value == 1


def test_the_rejected_is_worse_and_the_chosen_is_right(built):
    pairs = 0
    for row in load(built):
        for pair in dpo(row):
            assert [message["role"] for message in pair["prompt"]][-1] == "user"
            assert pair["chosen"] != pair["rejected"]
            if row["kind"] == "environment":
                assert rlgym.score(row, pair["chosen"][0]["content"]).value == 1
                assert rlgym.score(row, pair["rejected"][0]["content"]).value < 1
            pairs += 1
    assert pairs > 50


def test_the_pairs_of_a_part_differ_in_it_and_name_its_values(built, tmp_path):
    graded = list(sample("chain_sum:grade_solution", 6, levels=[0.3]))
    for row in graded:
        right = rlgym.score(row, row["oracle_response"]).parts
        pairs = {pair["part"]: pair for pair in part_dpo(row)}
        assert pairs["score"]["chosen"][0]["content"] == row["oracle_response"]
        assert len(pairs) > 3
        for part, pair in pairs.items():
            assert part == "score" or part in right
            first, second = (rlgym.score(row, pair[side][0]["content"]) for side in ("chosen", "rejected"))
            values = [score.value if part == "score" else score.parts[part] for score in (first, second)]
            assert values == [pair["chosen_value"], pair["rejected_value"]]
            assert values[0] > values[1]
    # Of parts that count what is bad the lower value is chosen: a wrong answer that is stated as certain has the highest Brier score.
    row = next(iter(sample("chain_sum:with_confidence", 1, levels=[0.3])))
    wrong = wrong_response(row)
    pairs = {pair["part"]: pair for pair in part_dpo(row, 0, [wrong, row["oracle_response"]])}
    assert {part: (pair["chosen_value"], pair["rejected_value"]) for part, pair in pairs.items()}["brier"] == (0.0, 1.0)
    assert [pairs[part]["chosen"][0]["content"] for part in ("brier", "correct", "score")] == [row["oracle_response"]] * 3
    # Responses of a model are compared with each other, and not with the oracle's.
    row = next(row for row in load(built) if row["env"] == "chain_sum")
    wrong = [wrong_response(row), "no idea"]
    rollouts = tmp_path / "rollouts.jsonl"
    rollouts.write_text("".join(json.dumps({"id": row["id"], "response": text}) + "\n" for text in [*wrong, row["oracle_response"]]))
    done = export(built, "part-dpo", tmp_path / "parts.jsonl", rollouts=rollouts)
    [pair] = read(tmp_path / "parts.jsonl")
    assert (done.records, pair["part"], pair["chosen"][0]["content"]) == (1, "score", row["oracle_response"])
    assert pair["rejected"][0]["content"] == wrong[0]  # of the closest length
    rollouts.write_text("".join(json.dumps({"id": row["id"], "response": text}) + "\n" for text in wrong))
    with pytest.raises(RowError, match="no record"):
        export(built, "part-dpo", tmp_path / "none.jsonl", rollouts=rollouts)


def test_ties_are_equally_right_and_other_pairs_are_not():
    edits = set()
    for row in sample(["chain_sum", "fraction_sum"], 12, levels=[0.3]):
        for pair in reward_pairs(row):
            first, second = pair["chosen"][0]["content"], pair["rejected"][0]["content"]
            edits.add(pair["edit"])
            assert first != second
            assert pair["tie"] == (pair["edit"] != "mistake")
            if pair["edit"] == "other_prompt":
                assert pair["prompt"] != row["messages"]
                assert row["prompt"] not in pair["prompt"][0]["content"]
                assert pair["prompt"][0]["content"].endswith(row["messages"][0]["content"].removeprefix(row["prompt"]))
                continue
            assert pair["prompt"] == row["messages"]
            assert rlgym.score(row, first).value == 1
            assert rlgym.score(row, second).value == (1 if pair["tie"] else 0)
    assert edits == {"mistake", "explanation", "spelling", "other_prompt"}


def test_a_pair_of_many_turns_starts_where_both_stand():
    for row in sample("higher_lower", 5, levels=[0.5]):
        [pair] = dpo(row)
        session = Session(row)
        for message in pair["prompt"][1:]:
            if message["role"] == "assistant":
                session.step(message["content"])
        assert session.messages == pair["prompt"]
        assert session.oracle() == pair["chosen"][0]["content"]


def test_wrong_rollouts_are_rejected(built, tmp_path):
    rows = list(load(built))
    given = []
    for number, row in enumerate(rows):
        many = row["kind"] != "environment"
        given.append({"id": row["id"], "response": row["oracle_response"]})
        if number % 2:
            given += [{"id": row["id"], "response": json.dumps(["no idea"] * 60) if many else "no idea"}] * 2
    rollouts = tmp_path / "rollouts.jsonl"
    rollouts.write_text("".join(json.dumps(line) + "\n" for line in given))
    done = export(built, "dpo", tmp_path / "pairs.jsonl", rollouts=rollouts)
    assert (done.rows, done.records, done.left_out) == (60, 30, 30)
    assert {record["rejected"][0]["content"] for record in read(tmp_path / "pairs.jsonl")} == {"no idea"}
    rollouts.write_text(json.dumps({"id": rows[0]["id"], "response": rows[0]["oracle_response"]}))
    with pytest.raises(RowError, match="no record"):
        export(built, "dpo", tmp_path / "none.jsonl", rollouts=rollouts)
    assert not (tmp_path / "none.jsonl").exists()
    rollouts.write_text('{"id": 5}')
    with pytest.raises(RowError, match="response 1"):
        export(built, "dpo", tmp_path / "none.jsonl", rollouts=rollouts)


def test_what_cannot_be_judged_makes_no_pair(monkeypatch):
    row = next(iter(sample("chain_sum", 1)))
    declared = rlgym.environment("chain_sum")

    def raises(*given):
        raise ZeroDivisionError

    response = wrong_response(row)
    sound = declared.verify
    object.__setattr__(declared, "verify", raises)
    try:
        assert dpo(row, 0, response) == []
    finally:
        object.__setattr__(declared, "verify", sound)
    assert len(dpo(row, 0, response)) == 1


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_a_file_is_there_whole_or_not_at_all(tmp_path, ending):
    rows = list(sample("chain_sum", 3))
    file = tmp_path / f"out.{ending}"
    write(rows, "trl", file)
    before = file.read_bytes()

    def breaking():
        yield from rows
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(breaking(), "trl", file)
    with pytest.raises(RowError, match="spoilt"):
        write([*rows, rows[0] | {"id": "spoilt", "data": "{}"}], "trl", file)
    assert file.read_bytes() == before
    assert [remaining.name for remaining in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("layout", sorted(set(SINGLE_TURN) - {"harbor"}))  # test_harbor.py has the folders
def test_rows_of_many_turns_are_counted_and_dropped_only_on_request(built, tmp_path, layout):
    many = sum(row["kind"] != "environment" for row in load(built))
    kept = export(built, layout, tmp_path / "all.jsonl")
    assert (kept.rows, kept.many_turns, kept.dropped) == (60, many, 0)
    dropped = export(built, layout, tmp_path / "some.jsonl", single_turn=True)
    assert (dropped.rows, dropped.records, dropped.many_turns, dropped.dropped) == (60 - many, 60 - many, 0, many)
    result = CliRunner().invoke(app, ["dataset", "export", str(built), "--for", layout, "--out", str(tmp_path / "out.jsonl")])
    assert f"warning: {many} of 60 rows have many turns: {SINGLE_TURN[layout]}" in result.stderr
    result = CliRunner().invoke(
        app, ["dataset", "export", str(built), "--for", layout, "--out", str(tmp_path / "out.jsonl"), "--single-turn"]
    )
    assert "warning" not in result.stderr
    assert f"{many} rows of many turns were dropped" in result.stdout.replace("\n", " ")


def test_a_tar_file_is_a_shard_of_webdataset(built, tmp_path):
    done = export(built, "jsonl", tmp_path / "train-000000.tar", split="train")
    repeated = export(built, "jsonl", tmp_path / "again.tar", split="train")
    assert (tmp_path / "train-000000.tar").read_bytes() == (tmp_path / "again.tar").read_bytes()
    datasets = pytest.importorskip("datasets", reason="needs datasets")
    records = list(
        datasets.load_dataset("webdataset", data_files=str(tmp_path / "train-000000.tar"), cache_dir=str(tmp_path / "c"), streaming=True)[
            "train"
        ]
    )
    assert len(records) == done.records == repeated.records
    assert [record["json"]["id"] for record in records] == [row["id"] for row in load(built, "train")]


def test_errors_say_what_there_is(built, tmp_path):
    with pytest.raises(RecipeError, match="Did you mean 'verl'"):
        export(built, "verk", tmp_path / "out.jsonl")
    with pytest.raises(RecipeError, match="end in"):
        export(built, "trl", tmp_path / "out.csv")
    with pytest.raises(RecipeError, match="rollouts are for"):
        export(built, "trl", tmp_path / "out.jsonl", rollouts=tmp_path / "x.jsonl")
    with pytest.raises(RowError, match="there is no split"):
        export(built, "trl", tmp_path / "out.jsonl", split="dev")
    assert not list(tmp_path.iterdir())


def test_the_command_exports(built, tmp_path):
    out = tmp_path / "train.parquet"
    result = CliRunner().invoke(app, ["dataset", "export", str(built), "--for", "verl", "--out", str(out), "--split", "train", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["records"] == len(read(out))
    assert "rlgym/" in read(out)[0]["data_source"]


def test_the_pages_code_runs(tmp_path, monkeypatch):
    pytest.importorskip("datasets", reason="needs datasets")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    (tmp_path / "page.py").write_text(page("export"))
    run = runpy.run_path("page.py")
    assert len(run["pairs"]) == run["done"].records > 50
