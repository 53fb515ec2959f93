"""The same recipe makes the same bytes: with any number of workers, and however often the build is killed."""

import hashlib
import json
import multiprocessing
import signal
import subprocess
import sys
import time

import pytest
import yaml
from dataset.killed_build import RUN

from rlgym.core.errors import RecipeError, RlgymError, RowError
from rlgym.dataset import Recipe, build, load, read_manifest
from rlgym.dataset.card import COLUMNS
from rlgym.dataset.rows import COLUMNS as ROW_COLUMNS
from rlgym.dataset.rows import masked, masked_hash

NAMES = ["chain_sum", "shortest_path", "higher_lower"]


def _recipe(**given):
    return Recipe(**{"names": NAMES, "levels": [0.2, 0.5], "count": 230, "seed": 3, "shard_rows": 90, **given})


def _bytes(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A dataset that was built by one process without a break."""
    folder = tmp_path_factory.mktemp("whole") / "data"
    build(_recipe(), folder)
    return folder


def _start(folder, where, at, **given):
    recipe = _recipe(**given).model_dump()
    return subprocess.Popen([sys.executable, "-c", RUN, str(folder), repr(recipe), where, str(at)])


def test_two_workers_make_the_same_bytes(whole, tmp_path):
    seen = []
    build(_recipe(), tmp_path / "data", workers=2, progress=lambda done, total: seen.append((done, total)))
    assert _bytes(tmp_path / "data") == _bytes(whole)
    assert seen == sorted(seen)
    assert seen[-1] == (230, 230)


def test_a_build_killed_at_its_writes_ends_with_the_same_bytes(whole, tmp_path):
    folder = tmp_path / "data"
    for where, at in (("write", 1), ("written", 1), ("write", 3), ("written", 4), ("write", 6), ("write", 7), ("clear", 2)):
        assert _start(folder, where, at).wait() == -signal.SIGKILL, f"{where} {at} was not reached"
    assert build(_recipe(), folder) == read_manifest(whole)
    assert _bytes(folder) == _bytes(whole)


def test_every_write_may_be_the_last(whole, tmp_path):
    reached = []
    for at in (2, 4, 5, 6, 8, 9, 10):
        folder = tmp_path / str(at)
        reached.append(_start(folder, "write", at).wait())
        build(_recipe(), folder)
        assert _bytes(folder) == _bytes(whole), f"killed at write {at}"
    assert set(reached) == {-signal.SIGKILL}


def test_workers_end_with_a_killed_parent_and_the_build_goes_on(tmp_path):
    size = {"count": 3000, "names": ["chain_sum", "higher_lower"], "levels": [0.3, 0.5, 0.9]}
    for units in (0, 2, 6):
        process = _start(tmp_path / "killed", "workers", 2, **size)
        deadline = time.monotonic() + 30
        while len(list((tmp_path / "killed" / ".work").glob("unit-*.jsonl"))) <= units and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        children = _children(process.pid)
        process.kill()
        process.wait()
        assert not (tmp_path / "killed" / "manifest.json").exists()
        while any(_alive(child) for child in children):
            assert time.monotonic() < deadline, "a worker outlives its parent"
            time.sleep(0.05)
    build(_recipe(**size), tmp_path / "killed", workers=2)
    build(_recipe(**size), tmp_path / "whole")
    assert _bytes(tmp_path / "killed") == _bytes(tmp_path / "whole")


def _children(parent):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False).stdout
    return [int(child) for child in listed.split()]


def _alive(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_killed_worker_is_one_clear_error_and_the_build_goes_on(tmp_path):
    def kill(done, total):
        for child in multiprocessing.active_children() if done else ():
            child.kill()

    with pytest.raises(RlgymError, match="a worker process ended"):
        build(_recipe(count=1500, names=["chain_sum"]), tmp_path / "data", workers=2, progress=kill)
    assert build(_recipe(count=1500, names=["chain_sum"]), tmp_path / "data").rows == 1500


def test_the_manifest_tells_the_truth(whole):
    manifest, rows = read_manifest(whole, verify=True), list(load(whole))
    assert manifest.rows == len(rows) == 230
    assert sum(manifest.splits.values()) == sum(manifest.environments.values()) == sum(manifest.levels.values()) == 230
    assert manifest.levels == {"0.2": 115, "0.5": 115}
    for shard in manifest.shards:
        data = (whole / shard.file).read_bytes()
        assert (hashlib.sha256(data).hexdigest(), len(data)) == (shard.sha256, shard.bytes)
    assert {file.name for file in whole.iterdir()} == {"README.md", "manifest.json", *(shard.file for shard in manifest.shards)}
    assert max(shard.rows for shard in manifest.shards) == 90
    assert len({row["id"] for row in rows}) == len({(row["env"], row["prompt"]) for row in rows}) == 230


@pytest.mark.parametrize("changed", [{"seed": 4}, {"count": 231}, {"levels": [0.2]}, {"answer_style": "boxed"}, {"names": NAMES[:2]}])
def test_another_recipe_is_refused(whole, tmp_path, changed):
    before = _bytes(whole)
    with pytest.raises(RecipeError, match="another recipe"):
        build(_recipe(**changed), whole)
    assert _bytes(whole) == before
    assert _start(tmp_path / "data", "write", 3).wait() == -signal.SIGKILL
    with pytest.raises(RecipeError, match="unfinished build of another recipe"):
        build(_recipe(**changed), tmp_path / "data")


def test_folders_of_others_are_refused_and_kept(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "train-00000.parquet").write_text("precious")
    with pytest.raises(RecipeError, match="not empty"):
        build(_recipe(), tmp_path / "mine")
    assert _bytes(tmp_path / "mine") == {"train-00000.parquet": b"precious"}
    (tmp_path / "file").write_text("precious")
    with pytest.raises(RecipeError, match="file"):
        build(_recipe(), tmp_path / "file")
    (tmp_path / "mine" / "manifest.json").write_text(json.dumps({"name": "another tool's"}))
    with pytest.raises(RowError, match=r"manifest"):
        build(_recipe(), tmp_path / "mine")


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_one_changed_bit_is_seen_before_its_row_is_read(tmp_path, form):
    recipe = _recipe(count=40, format=form)
    shard = tmp_path / "data" / build(recipe, tmp_path / "data").shards[0].file
    data = shard.read_bytes()
    name = next(name.encode() for name in NAMES if name.encode() in data)
    shard.write_bytes(data.replace(name, name[:-1] + b"#", 1))
    for look in (lambda: build(recipe, tmp_path / "data"), lambda: next(load(tmp_path / "data"))):
        with pytest.raises(RowError, match="damaged: its hash"):
            look()
    (tmp_path / "data" / "manifest.json").write_text("{")
    with pytest.raises(RowError, match="manifest"):
        list(load(tmp_path / "data"))


def test_too_few_different_tasks_are_an_error_and_never_a_short_dataset(tmp_path):
    small = {"names": ["chain_sum"], "levels": [0.5], "knobs": {"chain_sum": {"terms": 2, "digits": 1}}}
    with pytest.raises(RecipeError, match=r"chain_sum \(500 tasks asked for; \d+ different ones at level 0\.5\)"):
        build(Recipe(**small, count=500), tmp_path / "data")
    assert not list((tmp_path / "data" / ".work").glob("unit-*")), "the capacity is known before any row is made"
    assert not (tmp_path / "data" / "manifest.json").exists()
    manifest = build(Recipe(**small, count=200), tmp_path / "fewer")
    assert (manifest.rows, manifest.environments) == (200, {"chain_sum": 200})
    assert manifest.duplicates > 0
    prompts = [row["prompt"] for row in load(tmp_path / "fewer")]
    assert len(set(prompts)) == 200


def test_an_oracle_that_is_not_right_stops_the_build(tmp_path, monkeypatch):
    import rlgym

    declared = rlgym.environment("chain_sum")
    monkeypatch.setitem(declared.__dict__, "solve", lambda task: task.data.total + (task.data.total % 7 == 0))
    with pytest.raises(RlgymError, match=r"the oracle of chain_sum fails seed \d+ with knobs"):
        build(Recipe(names=["chain_sum"], count=100), tmp_path / "data")

    def broken(task):
        raise ZeroDivisionError("by nothing")

    monkeypatch.setitem(declared.__dict__, "solve", broken)
    with pytest.raises(RlgymError, match=r"chain_sum raised ZeroDivisionError: by nothing at seed \d+ with knobs"):
        build(Recipe(names=["chain_sum"], count=100), tmp_path / "other")


THIN = {"names": ["chain_sum", "shortest_path", "gcd_lcm"], "levels": [0.5], "knobs": {"chain_sum": {"terms": 2, "digits": 1}}}


def test_all_short_environments_are_named_at_once(tmp_path):
    thin = THIN | {"knobs": THIN["knobs"] | {"gcd_lcm": {"count": 2, "common": 1, "own": 1, "largest": 4}}}
    with pytest.raises(RecipeError, match=r"2 of 3 environments .*chain_sum.*; gcd_lcm") as caught:
        build(Recipe(**thin, count=1800), tmp_path / "data")
    assert "shortest_path" not in str(caught.value)


def test_a_capped_environment_gives_what_it_has_and_the_others_the_rest(tmp_path):
    manifest = build(Recipe(**THIN, count=1080, cap=True), tmp_path / "data")
    assert manifest.rows == sum(manifest.environments.values()) == 1080
    assert list(manifest.capped) == ["chain_sum"]
    assert 200 < manifest.environments["chain_sum"] == manifest.capped["chain_sum"] < 360
    assert manifest.environments["shortest_path"] > 360
    assert abs(manifest.environments["shortest_path"] - manifest.environments["gcd_lcm"]) <= 1
    assert len({(row["env"], row["prompt"]) for row in load(tmp_path / "data")}) == 1080
    assert "no more different tasks: chain_sum" in (tmp_path / "data" / "README.md").read_text()


def test_the_environments_of_a_cap_may_all_be_too_small(tmp_path):
    with pytest.raises(RecipeError, match="different tasks together, fewer than 5000"):
        build(Recipe(**(THIN | {"names": ["chain_sum"]}), count=5000, cap=True), tmp_path / "data")


def test_a_folder_whose_build_made_no_row_takes_another_recipe(tmp_path):
    with pytest.raises(RecipeError, match="too few different tasks"):
        build(Recipe(**THIN, count=1800), tmp_path / "data")
    assert build(Recipe(**THIN, count=30), tmp_path / "data").rows == 30


def test_units_stay_valid_when_a_recipe_only_gains_exclusions(tmp_path, monkeypatch):
    """What a stopped build has made of the environments that stay is not made again, and the bytes are those of a fresh build."""
    from rlgym.dataset import units

    class Stopped(Exception):
        pass

    def stop(done, total):
        if done >= 200:
            raise Stopped

    with pytest.raises(Stopped):
        build(_recipe(count=330), tmp_path / "data", progress=stop)
    rows = []
    real = units.make_row
    monkeypatch.setattr(units, "make_row", lambda recipe, slot, attempt: rows.append(slot.name) or real(recipe, slot, attempt))
    build(_recipe(count=220, exclude=["shortest_path"]), tmp_path / "fresh")
    assert len(rows) == 220
    rows.clear()
    with pytest.raises(RecipeError, match=r"another recipe \(count changed\)"):
        build(_recipe(count=220, exclude=["shortest_path"]), tmp_path / "data")
    build(_recipe(count=330, exclude=["shortest_path"]), tmp_path / "data")
    assert 0 < len(rows) <= 130, "rows of chain_sum and higher_lower were made a second time"
    build(_recipe(count=330, exclude=["shortest_path"]), tmp_path / "again", workers=2)
    assert _bytes(tmp_path / "data") == _bytes(tmp_path / "again")


def test_near_duplicates_are_counted_and_removed_on_request(tmp_path):
    given = {"names": ["gcd_lcm", "predict_output"], "levels": [0.5], "count": 60}
    kept = build(Recipe(**given), tmp_path / "kept")
    hashes = [masked_hash(row) for row in load(tmp_path / "kept")]
    assert kept.near_duplicates == 60 - len(set(hashes)) > 0
    train = {masked_hash(row) for row in load(tmp_path / "kept", "train")}
    for split, count in kept.near_duplicates_of_train.items():
        assert count == sum(masked_hash(row) in train for row in load(tmp_path / "kept", split))
    assert f"Near-duplicates: {kept.near_duplicates} prompts" in (tmp_path / "kept" / "README.md").read_text()
    removed = build(Recipe(**given, near_duplicates="remove", cap=True), tmp_path / "removed")
    hashes = [masked_hash(row) for row in load(tmp_path / "removed")]
    assert removed.near_duplicates == 0
    assert len(set(hashes)) == removed.rows == 60
    with pytest.raises(RecipeError, match="gcd_lcm"):
        build(Recipe(**given, near_duplicates="remove"), tmp_path / "other")


def test_masks_hide_numbers_and_names():
    assert masked("Ann has 12.5 apples,\n Bo has 3.") == masked("Cy has 7 apples, Dan has 1,000.")
    assert masked("Ann has 3 apples.") != masked("Ann has 3 pears.")


def test_a_url_is_no_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RlgymError, match="'s3://bucket/x' is a URL"):
        build(_recipe(), "s3://bucket/x")
    assert not list(tmp_path.iterdir())


def test_the_card_has_what_the_hub_reads(whole):
    front, _, text = (whole / "README.md").read_text().removeprefix("---\n").partition("\n---\n")
    facts = yaml.safe_load(front)
    assert facts["language"] == ["en"]
    assert facts["size_categories"] == ["n<1K"]
    assert "text-generation" in facts["task_categories"]
    described = {name.strip() for names in COLUMNS for name in names.split(",")}
    assert described == set(ROW_COLUMNS), "the card describes every column"
    for title in ("| domain | rows |", "| level | rows |", "| environment | version | rows |", "| columns | meaning |"):
        assert title in text
