"""Datasets: the same bytes whatever happens, no task twice, and rows that are enough to score by."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rlgym
from rlgym.core.errors import RecipeError, RowError
from rlgym.dataset import Recipe, build, load, oracle_response, read_manifest, score_responses, wrong_response

NAMES = ["chain_sum", "shortest_path", "higher_lower"]
RECIPE = Recipe(name="test", names=NAMES, levels=[0.0, 0.5], count=260, seed=4, shard_rows=100, splits={"train": 0.8, "test": 0.2})


def _bytes(folder: Path):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "data"
    build(RECIPE, folder)
    return folder


def test_the_bytes_do_not_depend_on_the_workers(built, tmp_path):
    build(RECIPE, tmp_path / "two", workers=2)
    assert _bytes(tmp_path / "two") == _bytes(built)


def test_a_build_that_is_killed_goes_on_and_ends_with_the_same_bytes(built, tmp_path):
    code = (
        "import sys; from rlgym.dataset import Recipe, build\n"
        "if __name__ == '__main__': build(Recipe.read(sys.argv[1]), sys.argv[2], workers=int(sys.argv[3]), progress=lambda *_: print('.', flush=True))"
    )
    (tmp_path / "recipe.json").write_text(RECIPE.model_dump_json())
    (tmp_path / "run.py").write_text(code)
    for run, (workers, ticks) in enumerate([(1, 1), (1, 2), (1, 3), (2, 2)]):
        out = tmp_path / f"killed{run}"
        command = [sys.executable, str(tmp_path / "run.py"), str(tmp_path / "recipe.json"), str(out), str(workers)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for _ in range(ticks):
            child.stdout.readline()
        os.kill(child.pid, signal.SIGKILL)
        child.communicate()
        assert build(RECIPE, out).rows == 260
        assert _bytes(out) == _bytes(built)


def test_workers_do_not_outlive_a_killed_parent(tmp_path):
    code = (
        "import sys; from rlgym.dataset import Recipe, build\n"
        "if __name__ == '__main__':\n"
        "    build(Recipe(names=['chain_sum'], levels=[0.8], count=20000), sys.argv[1], workers=2, progress=lambda *_: print('.', flush=True))"
    )
    (tmp_path / "run.py").write_text(code)
    child = subprocess.Popen([sys.executable, str(tmp_path / "run.py"), str(tmp_path / "out")], stdout=subprocess.PIPE, text=True)
    for _ in range(3):
        child.stdout.readline()
    workers = Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()
    assert len(workers) >= 2
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    for _ in range(100):
        if not any(_alive(worker) for worker in workers):
            return
        time.sleep(0.1)
    pytest.fail("a worker outlived its parent")


def _alive(pid):
    try:
        return "zombie" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_no_task_is_there_twice_and_splits_share_none(built):
    rows = list(load(built))
    assert len(rows) == 260
    assert len({(row["env"], row["prompt"]) for row in rows}) == 260
    assert len({row["id"] for row in rows}) == 260
    train, test = ({(row["env"], row["prompt"]) for row in load(built, split)} for split in ("train", "test"))
    assert not train & test
    assert 30 <= len(test) <= 75
    assert {row["level"] for row in rows} == {0.0, 0.5}
    other = Recipe(names=["chain_sum"], levels=[0.0], count=150, seed=99, splits=RECIPE.splits)
    build(other, built.parent / "other")
    splits = {row["prompt"]: row["split"] for row in rows}
    shared = [row for row in load(built.parent / "other") if row["prompt"] in splits]
    assert shared, "at level 0 two datasets meet the same sums"
    assert all(splits[row["prompt"]] == row["split"] for row in shared)


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
@pytest.mark.parametrize("style", ["tag", "boxed"])
def test_rows_are_enough_to_score_by(kind, style, tmp_path):
    build(Recipe(names=NAMES, levels=[0.2], count=30, format=kind, answer_style=style), tmp_path / "data")
    for row in load(tmp_path / "data"):
        assert rlgym.score(row, oracle_response(row)).value == 1
        assert rlgym.score(row, wrong_response(row)).value == 0
        assert rlgym.score(row, "no idea" if row["kind"] == "environment" else ["no idea"]).value == 0
        assert row["messages"][0]["role"] == "user"
        assert row["oracle_messages"][: len(row["messages"])] == row["messages"]
        assert row["oracle_messages"][-1]["role"] == "assistant"
        assert row["turns"] == sum(message["role"] == "assistant" for message in row["oracle_messages"])
        assert rlgym.task(row["env"], row["seed"], **json.loads(row["knobs"])).prompt == row["prompt"]


def test_plain_pyarrow_and_datasets_load_it(built, tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    train = pq.read_table([str(file) for file in sorted(built.glob("train-*.parquet"))])
    assert train.num_rows == read_manifest(built).splits["train"]
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    code = (
        "import sys, datasets\n"
        "files = {'train': sys.argv[1] + '/train-*.parquet', 'test': sys.argv[1] + '/test-*.parquet'}\n"
        "one = datasets.load_dataset('parquet', data_files=files)\n"
        "other = datasets.load_dataset(sys.argv[1])\n"
        "print(one['train'].num_rows, other['test'].num_rows, one['train'][0]['messages'][0]['role'])"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(built)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == [str(train.num_rows), str(read_manifest(built).splits["test"]), "user"]


def test_a_finished_dataset_is_checked_and_left_as_it_is(built):
    before = _bytes(built)
    seen = []
    assert build(RECIPE, built, progress=lambda done, total: seen.append((done, total))).rows == 260
    assert seen == [(260, 260)]
    assert _bytes(built) == before
    with pytest.raises(RecipeError, match="another recipe"):
        build(Recipe(names=NAMES, count=10), built)


def test_damage_is_named(built, tmp_path):
    build(RECIPE, tmp_path / "data")
    shard = next((tmp_path / "data").glob("train-*.parquet"))
    full = shard.read_bytes()
    shard.write_bytes(full[:-30] + b"x" * 30)
    with pytest.raises(RowError, match="damaged"):
        list(load(tmp_path / "data", "train"))
    with pytest.raises(RowError, match="hash is not the one in the manifest"):
        build(RECIPE, tmp_path / "data")
    shard.unlink()
    with pytest.raises(RowError, match="lacks its shard"):
        read_manifest(tmp_path / "data")
    with pytest.raises(RowError, match="no finished dataset"):
        load(tmp_path)
    with pytest.raises(RowError, match="Did you mean 'train'"):
        load(built, "trian")
    (tmp_path / "stuff").mkdir()
    (tmp_path / "stuff" / "thesis.txt").write_text("precious")
    with pytest.raises(RecipeError, match="holds no dataset"):
        build(RECIPE, tmp_path / "stuff")
    assert (tmp_path / "stuff" / "thesis.txt").read_text() == "precious"


def test_a_pool_that_runs_dry_is_an_error_and_not_a_short_dataset(tmp_path):
    recipe = Recipe(names=["chain_sum"], knobs={"chain_sum": {"terms": 2, "digits": 1}}, levels=[0.0], count=5000)
    with pytest.raises(RecipeError, match=r"chain_sum \(5000 tasks asked for; \d+ different ones at level 0\)"):
        build(recipe, tmp_path / "data")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"names": ["chain_smu"]}, "Did you mean 'chain_sum'"),
        ({"count": 0}, "count: Input should be greater than or equal to 1"),
        ({"splits": {"train": 0.5}}, "sum to 1"),
        ({"levels": [2]}, "level must be from 0"),
        ({"levels": []}, "levels: "),
        ({"cuont": 5}, "Did you mean 'count'"),
        ({"names": ["chain_sum"], "weights": {"sudoku": 2}}, "weights, knobs and levels_by_env are for environments of the recipe"),
        ({"names": ["chain_sum"], "knobs": {"chain_sum": {"terms": 999}}}, "terms must be an integer from 2 to 40"),
        ({"answer_style": "xml"}, "answer_style"),
    ],
)
def test_recipes_that_cannot_be_followed_say_why(given, message):
    with pytest.raises(RecipeError, match=message):
        Recipe(**given)


def test_recipes_are_read_from_files(tmp_path):
    (tmp_path / "r.yaml").write_text("names: [arithmetic, short*]\ncount: 12\nweights: {shortest_path: 2}\n")
    recipe = Recipe.read(tmp_path / "r.yaml")
    assert {"chain_sum", "shortest_path"} <= set(recipe.environments())
    (tmp_path / "r.yaml").write_text("- 1\n")
    with pytest.raises(RecipeError, match="must hold a mapping"):
        Recipe.read(tmp_path / "r.yaml")
    (tmp_path / "r.yaml").write_text("{")
    with pytest.raises(RecipeError, match="is not YAML"):
        Recipe.read(tmp_path / "r.yaml")
    with pytest.raises(RecipeError, match="cannot be read"):
        Recipe.read(tmp_path / "none.yaml")


def test_weights_and_levels_are_kept_to(tmp_path):
    manifest = build(Recipe(names=["chain_sum", "shortest_path"], weights={"chain_sum": 3}, levels=[0.1, 0.6], count=80), tmp_path / "data")
    assert manifest.environments == {"chain_sum": 60, "shortest_path": 20}
    assert manifest.levels == {"0.1": 40, "0.6": 40}


def test_response_files_are_scored(built, tmp_path):
    assert score_responses(built, "oracle", split="test").overall.to_dict()["mean"] == 1
    assert score_responses(built, "wrong", workers=2).to_dict()["mean"] == 0
    rows = list(load(built, "test"))
    lines = [{"id": row["id"], "response": oracle_response(row)} for row in rows] + [{"id": rows[0]["id"], "response": "no idea"}]
    file = tmp_path / "responses.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    summary = score_responses(built, file, split="test", out=tmp_path / "scores.jsonl").to_dict()
    assert summary["responses"] == len(rows) + 1
    assert summary["pass@1"] == pytest.approx((len(rows) - 0.5) / len(rows))
    assert len((tmp_path / "scores.jsonl").read_text().splitlines()) == len(rows) + 1
    assert set(summary["by_env"]) <= set(NAMES)
    file.write_text(json.dumps({"id": "nobody", "response": "x"}))
    with pytest.raises(RowError, match="are not in the dataset, such as 'nobody'"):
        score_responses(built, file)
    file.write_text(json.dumps({"id": 5, "response": "x"}))
    with pytest.raises(RowError, match="needs `id`"):
        score_responses(built, file)
    file.write_text("")
    with pytest.raises(RowError, match="holds no response"):
        score_responses(built, file)
    file.write_text("{")
    with pytest.raises(RowError, match="cannot be read"):
        score_responses(built, file)


def test_rows_of_another_version_are_refused_not_scored(built):
    row = next(load(built))
    with pytest.raises(RowError, match="version 7, but version 2 is installed"):
        rlgym.score({**row, "version": 7}, "x")
    with pytest.raises(RowError, match="is damaged"):
        rlgym.score({**row, "data": "{}"}, "x")
    with pytest.raises(RowError, match="must hold JSON"):
        rlgym.score({**row, "answer_format": "tag"}, "x")
