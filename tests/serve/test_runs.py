"""The runs of a service: listed, aggregated and paged, without access outside of their directory."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from serve.tiny_runs import evaluation, training

from rlgym.evaluate.episodes.episode_log import EPISODE_LOG
from rlgym.evaluate.episodes.results import COLUMNS, RESULTS, RUN
from rlgym.serve.api.error_handlers import install_error_handlers
from rlgym.serve.api.run_routes import create_run_router
from rlgym.serve.runs import run_eval
from rlgym.serve.runs.run_store import MARKER_FILES
from rlgym.serve.settings import Settings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    evaluation(root / "eval-one")
    evaluation(root / "sets" / "half", finished=False)
    training(root / "quick start" / "run")
    training(root / "growing", finished=False)
    return root


def _client(root) -> TestClient:
    app = FastAPI()
    install_error_handlers(app)
    app.include_router(create_run_router(Settings(runs_dir=root and str(root))))
    return TestClient(app)


@pytest.fixture(scope="module")
def client(folder):
    with _client(folder) as opened:
        yield opened


def _ids(client) -> dict[str, str]:
    return {run["path"]: run["id"] for run in client.get("/v1/runs").json()["runs"]}


def test_every_run_is_listed(client):
    runs = {run["path"]: run for run in client.get("/v1/runs").json()["runs"]}
    assert {path: (run["kind"], run["finished"], run["error"]) for path, run in runs.items()} == {
        "eval-one": ("eval", True, None),
        "sets/half": ("eval", False, None),
        "quick start/run": ("train", True, None),
        "growing": ("train", False, None),
    }
    assert runs["eval-one"]["id"] == "eval-one"
    assert runs["sets/half"]["id"] == "sets~half"
    assert (runs["eval-one"]["title"], runs["eval-one"]["model"], runs["eval-one"]["episodes"]) == ("tiny model", "tiny-1", 12)
    assert (runs["growing"]["step"], runs["growing"]["steps"], runs["growing"]["phase"]) == (20, 40, "rl")


def test_an_evaluation_is_aggregated_by_environment_and_level(client):
    result = client.get("/v1/runs/eval-one").json()
    assert result["answers"] == 12
    assert result["report"]
    assert sum(path["answers"] for path in result["cells"]) == 12
    assert {(path["env"], path["level"]) for path in result["cells"]} == {
        (env, level) for env in ("chain_sum", "higher_lower") for level in (0, 0.5)
    }
    right = sum(path["right"] * path["answers"] for path in result["cells"])
    assert right == pytest.approx(result["outcomes"]["right"])
    assert result["outcomes"]["right"] >= 6


def test_the_files_and_columns_match_those_that_evaluations_write():
    assert run_eval.EPISODES_FILE == EPISODE_LOG
    assert run_eval.RESULTS_FILE == RESULTS
    assert {*run_eval.SMALL_COLUMNS, *run_eval.LARGE_COLUMNS} == set(COLUMNS)
    assert {EPISODE_LOG, RESULTS, RUN} == {name for name, kind in MARKER_FILES.items() if kind == "eval"}


def test_an_unfinished_evaluation_is_shown_up_to_its_incomplete_line(client):
    half, full = client.get("/v1/runs/sets~half").json(), client.get("/v1/runs/eval-one").json()
    assert not half["finished"]
    assert not half["report"]
    assert (half["answers"], half["episodes"]) == (12, 24)
    assert half["cells"] == full["cells"]


@pytest.mark.parametrize("id", ["eval-one", "sets~half"])
def test_transcripts_are_paged_and_filtered(client, id):
    url = f"/v1/runs/{id}/transcripts"
    every = client.get(url, params={"limit": 200}).json()
    assert every["total"] == 12
    assert [row["number"] for row in every["transcripts"]] == list(range(12))
    pages = [client.get(url, params={"offset": offset, "limit": 5}).json()["transcripts"] for offset in (0, 5, 10)]
    assert [row for page in pages for row in page] == every["transcripts"]
    wrong = client.get(url, params={"right": "false", "env": "chain_sum", "limit": 200}).json()
    assert wrong["transcripts"] == [row for row in every["transcripts"] if row["env"] == "chain_sum" and not row["right"]]
    assert wrong["total"] > 0
    assert client.get(url, params={"outcome": "right"}).json()["total"] == sum(row["right"] for row in every["transcripts"])
    assert every["transcripts"][0]["messages"][0]["role"] == "user"
    assert client.get(url, params={"offset": 500}).json()["transcripts"] == []
    assert client.get(url, params={"limit": 0}).status_code == 422


def test_a_training_has_metric_columns_and_its_latest_episodes_first(client):
    ids = _ids(client)
    result = client.get(f"/v1/runs/{ids['quick start/run']}").json()
    metrics = result["metrics"]
    assert {len(column) for column in metrics.values()} == {50}
    assert metrics["phase"] == ["sft"] * 10 + ["rl"] * 40
    assert metrics["loss"][12] is None
    assert metrics["solve_rate"][-1] == pytest.approx(0.8)
    assert [line["label"] for line in result["evaluations"]] == ["start", "middle", "end"]
    episodes = client.get(f"/v1/runs/{ids['quick start/run']}/transcripts", params={"right": "false", "limit": 3}).json()
    assert [episode["step"] for episode in episodes["transcripts"]] == [39, 36, 33]
    assert episodes["total"] == 13
    assert episodes["transcripts"][0]["messages"][0] == {"role": "user", "content": "What is 39 + 1?"}
    assert episodes["transcripts"][0]["level"] == 0


def test_a_running_training_sends_only_new_lines(tmp_path):
    training(tmp_path / "run", finished=False)
    file = tmp_path / "run" / "metrics.jsonl"
    with _client(tmp_path) as client:
        before = client.get("/v1/runs/run").json()
        assert (before["first_line"], before["num_lines"]) == (0, 30)
        with open(file, "a") as out:
            out.write(json.dumps({"step": 21, "solve_rate": 0.9}) + '\n{"step": 22, "sol')
        after = client.get("/v1/runs/run", params={"after": 30}).json()
        assert (after["first_line"], after["num_lines"], after["metrics"]["solve_rate"], after["step"]) == (30, 31, [0.9], 21)
        os.truncate(file, 100)  # a run that is resumed goes back to its last checkpoint
        repeated = client.get("/v1/runs/run", params={"after": 31}).json()
        assert repeated["first_line"] == 0
        assert repeated["num_lines"] == len(repeated["metrics"]["step"]) > 0


def test_a_report_is_sandboxed(client):
    found = client.get("/v1/runs/eval-one/report")
    assert "A report" in found.text
    policy = found.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert client.get("/v1/runs/growing/report").status_code == 404


@pytest.mark.parametrize(
    "id", ["..", "%2e%2e", "..~..", "..%2f..%2fsecret", "/etc", "eval-one~..", "sets", "eval-one%00", ".hidden", "nothing", "a" * 5000]
)
def test_only_runs_that_were_found_have_an_id(client, folder, id):
    (folder / ".hidden").mkdir(exist_ok=True)
    (folder / ".hidden" / "run.json").write_text("{}")
    for rest in ("", "/report", "/transcripts"):
        found = client.get(f"/v1/runs/{id}{rest}")
        assert found.status_code in (404, 422, 307, 200)
        if found.status_code == 200:  # `..` is folded by the client before it is sent: this is the list, or nothing of ours
            assert set(found.json()) == {"runs"}


def test_links_are_not_followed(tmp_path):
    secret, root = tmp_path / "secret", tmp_path / "runs"
    evaluation(secret)
    evaluation(root / "mine")
    (root / "linked").symlink_to(secret)
    os.remove(root / "mine" / "report.html")
    (root / "mine" / "report.html").symlink_to(secret / "report.html")
    os.remove(root / "mine" / "results.parquet")
    os.remove(root / "mine" / "episodes.jsonl")
    (root / "mine" / "episodes.jsonl").symlink_to(secret / "episodes.jsonl")
    with _client(root) as client:
        assert list(_ids(client)) == ["mine"]
        assert client.get("/v1/runs/linked").status_code == 404
        assert client.get("/v1/runs/mine/report").status_code == 404
        assert client.get("/v1/runs/mine").json()["answers"] == 0
        assert client.get("/v1/runs/mine/transcripts").json()["total"] == 0


def _spoil(folder, file, content):
    (folder / file).write_bytes(content)


@pytest.mark.parametrize(
    ("kind", "file", "content", "text"),
    [
        ("eval", "run.json", b"{", "run.json is not JSON"),
        ("eval", "run.json", b"[]", "run.json must hold a JSON object, got list"),
        ("eval", "results.parquet", b"PAR1 no table", "cannot read results.parquet"),
        ("eval", "summary.json", b"\xff\xfe", "summary.json is not JSON"),
        ("train", "config.json", b"nothing", "config.json is not JSON"),
        ("train", "metrics.jsonl", b'{"step": 1}\nrubbish\n{"step": 2}\n', "line 2 of metrics.jsonl is not JSON"),
        ("train", "evaluations.jsonl", b"[" * 100000 + b"\n", "evaluations.jsonl is not JSON"),
    ],
)
def test_a_corrupt_run_is_explained(tmp_path, kind, file, content, text):
    (evaluation if kind == "eval" else training)(tmp_path / "bad")
    _spoil(tmp_path / "bad", file, content)
    with _client(tmp_path) as client:
        found = client.get("/v1/runs/bad")
        assert found.status_code == 422
        assert text in found.json()["error"]["message"]
        listed = client.get("/v1/runs").json()["runs"]
        assert [run["id"] for run in listed] == ["bad"]
        if file in ("run.json", "config.json"):
            assert text in listed[0]["error"]


def test_missing_and_irregular_files_are_named(tmp_path):
    training(tmp_path / "a")
    os.remove(tmp_path / "a" / "config.json")
    training(tmp_path / "b")
    os.remove(tmp_path / "b" / "config.json")
    os.mkfifo(tmp_path / "b" / "config.json")
    with _client(tmp_path) as client:
        assert [run["error"] for run in client.get("/v1/runs").json()["runs"]] == [
            "config.json is missing",
            "config.json is not a regular file",
        ]


def test_without_a_directory_there_are_no_runs(tmp_path):
    for root in (None, tmp_path / "nowhere"):
        with _client(root) as client:
            assert client.get("/v1/runs").json() == {"runs": []}
    training(tmp_path / "gone")
    with _client(tmp_path) as client:
        shutil.rmtree(tmp_path / "gone")
        assert client.get("/v1/runs/gone").status_code == 404
