"""Rows read back from every format, by ourselves and by other programs, and scores from the files alone."""

import json
import math
import subprocess
import sys

import pytest

import rlgym
from rlgym.core.errors import RlgymError, RowError
from rlgym.core.score import Outcome
from rlgym.dataset import Recipe, build, load, oracle_response, score_responses, wrong_response

NAMES = ["chain_sum", "shortest_path", "higher_lower"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """The same dataset in both formats."""
    folder = tmp_path_factory.mktemp("rows")
    for form in ("parquet", "jsonl"):
        splits = {"train": 0.6, "validation": 0.1, "test": 0.3}
        build(Recipe(names=NAMES, levels=[0.2, 0.6], count=60, seed=5, splits=splits, format=form), folder / form)
    return folder


def test_both_formats_hold_the_same_rows(data):
    assert list(load(data / "parquet")) == list(load(data / "jsonl"))
    assert {row["split"] for row in load(data / "jsonl", "test")} == {"test"}
    with pytest.raises(RowError, match="Did you mean 'test'"):
        load(data / "jsonl", "tset")


def test_rows_hold_what_they_should(data):
    for row in load(data / "parquet"):
        task = rlgym.task(row["env"], row["seed"], level=row["level"])
        assert (row["prompt"], json.loads(row["data"])) == (task.prompt, task.to_dict()["data"])
        assert json.loads(row["knobs"]) == dict(task.origin.knobs)
        first, *_, last = row["oracle_messages"]
        assert row["messages"] == [first]
        assert first["content"].startswith(row["prompt"])
        assert "<answer>" in first["content"]
        assert math.isfinite(row["cost"])
        response = oracle_response(row)
        if row["kind"] == "environment":
            assert last["content"] == f"{row['explanation']}\n\n{response}"
            assert rlgym.score(row, last["content"]).value == 1
        else:
            assert [message["content"] for message in row["oracle_messages"][1::2]] == response
            assert len(response) == row["turns"]
        assert last["role"] == "assistant"


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_the_oracle_scores_1_and_a_mistake_0_from_the_files_alone(data, form):
    for row in load(data / form):
        assert rlgym.score(row, oracle_response(row)).value == 1
        assert rlgym.score(row, wrong_response(row)).value == 0


def test_other_programs_read_it(data, tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    table = pq.read_table(data / "parquet" / "train-00000.parquet")
    assert table.to_pylist() == list(load(data / "parquet", "train"))
    # In a process of its own: the library reads its cache's place when it is imported, and warns in its own ways.
    code = """
import json, sys, datasets
folder = sys.argv[1]
found = datasets.load_dataset("parquet", data_files={"train": folder + "/parquet/train-*.parquet"})["train"]
card = {form: datasets.load_dataset(folder + "/" + form) for form in ("parquet", "jsonl")}
print(json.dumps([found[0], {form: {split: len(rows) for split, rows in read.items()} for form, read in card.items()}]))
"""
    for name, value in {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}.items():
        monkeypatch.setenv(name, value)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(data)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, sizes = json.loads(done.stdout.splitlines()[-1])
    assert first == next(iter(load(data / "parquet", "train")))
    assert rlgym.score(first, oracle_response(first)).value == 1
    splits = {split: len(list(load(data / "parquet", split))) for split in ("train", "validation", "test")}
    assert sizes == {"parquet": splits, "jsonl": splits}


def test_rows_of_other_versions_and_damaged_rows_are_refused(data):
    row = next(row for row in load(data / "parquet") if row["env"] == "chain_sum")
    response = oracle_response(row)
    for changed, why in (
        ({"version": 99}, "made by chain_sum version 99"),
        ({"env": "gone_since"}, "not installed"),
        ({"data": "{}"}, "damaged"),
        ({"data": row["data"][:-3]}, "damaged"),
        ({"answer_format": "{}"}, "JSON as it was written"),
    ):
        with pytest.raises(RowError, match=why):
            rlgym.score({**row, **changed}, response)


def _write(file, lines):
    if file.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(lines), file)
    else:
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_a_file_of_responses_with_several_samples(data, tmp_path, suffix):
    rows = list(load(data / "parquet", "train"))
    # As columns of one type: the turns of a many-turn task are a JSON array in a text, as in `oracle_response`.
    lines = [{"id": row["id"], "response": row["oracle_response"]} for row in rows]
    lines += [{"id": row["id"], "response": "no idea"} for row in rows[:10]]
    file = _write(tmp_path / f"said.{suffix}", lines)
    summary = score_responses(data / "parquet", file, split="train", out=tmp_path / "scores.jsonl").to_dict()
    assert (summary["tasks"], summary["responses"], summary["missing"]) == (len(rows), len(rows) + 10, 0)
    assert summary["mean"] == pytest.approx(len(rows) / (len(rows) + 10))
    assert summary["pass@1"] == pytest.approx((len(rows) - 5) / len(rows))
    scores = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    assert sorted((score["id"], score["value"]) for score in scores) == sorted(
        (line["id"], float(line["response"] != "no idea")) for line in lines
    )


def test_workers_score_alike(data, tmp_path):
    for workers in (1, 2):
        score_responses(data / "jsonl", "wrong", out=tmp_path / f"{workers}.jsonl", workers=workers)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_rows_without_a_response_are_counted(data, tmp_path):
    rows = list(load(data / "parquet"))
    file = _write(tmp_path / "few.jsonl", [{"id": row["id"], "response": oracle_response(row)} for row in rows[:7]])
    summary = score_responses(data / "parquet", file).to_dict()
    assert (summary["tasks"], summary["missing"], summary["mean"]) == (7, 53, 1)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([{"id": "nobody", "response": "x"}], "not in the dataset, such as 'nobody'"),
        ([{"id": "nobody"}], "needs `id`"),
        ([{"id": 3, "response": "x"}], "needs `id`"),
        ([{"id": "nobody", "response": None}], "needs `id`"),
        ([{"id": "nobody", "response": [1]}], "needs `id`"),
        (["text"], "not a JSON object"),
        ([], "no response to score"),
    ],
)
def test_foreign_responses_are_refused(data, tmp_path, lines, why):
    with pytest.raises(RowError, match=why):
        score_responses(data / "parquet", _write(tmp_path / "said.jsonl", lines))


def test_unreadable_files_of_responses(data, tmp_path):
    for name, content in (("a.jsonl", b"{"), ("b.parquet", b"PAR1"), ("c.jsonl", b"\xff")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(RowError, match="cannot be read"):
            score_responses(data / "parquet", tmp_path / name)
    with pytest.raises(RowError, match="cannot be read"):
        score_responses(data / "parquet", tmp_path / "none.jsonl")
    single = next(row for row in load(data / "parquet") if row["kind"] == "environment")
    file = _write(tmp_path / "turns.jsonl", [{"id": single["id"], "response": ["one", "two"]}])
    with pytest.raises(RlgymError, match="takes one response"):
        score_responses(data / "parquet", file)


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_foreign_files_in_place_of_shards(tmp_path, form):
    from rlgym.dataset.files import read_shard

    for content in (b"", b"not rows\n", b'{"a": 1}\n'):
        (tmp_path / f"train-00000.{form}").write_bytes(content)
        if content or form == "parquet":
            with pytest.raises(RowError):
                list(read_shard(tmp_path / f"train-00000.{form}"))
    _write(tmp_path / f"other.{form}", [{"a": 1}])
    with pytest.raises(RowError, match=r"not a (shard|row) of a dataset"):
        list(read_shard(tmp_path / f"other.{form}"))


def test_a_verifier_that_raises_is_masked_and_never_a_zero(data, monkeypatch):
    declared = rlgym.environment("chain_sum")

    def broken(task, answer):
        raise ZeroDivisionError

    monkeypatch.setitem(declared.__dict__, "verify", broken)
    summary = score_responses(data / "parquet", "oracle").to_dict()
    assert summary["outcomes"] == {Outcome.RIGHT.value: 40, Outcome.ERROR.value: 20}
    assert (summary["mean"], summary["by_env"]["chain_sum"]["mean"]) == (1, None)


def test_the_room_is_light_to_import():
    code = "import sys, rlgym.dataset; print(sorted({'pyarrow', 'numpy', 'yaml', 'gymnasium', 'pandas'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
