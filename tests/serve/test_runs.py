"""Runs as the service shows them: listed, summed up, paged, and nothing outside of their folder."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from serve.tiny_runs import evaluation, training

from rlgym.serve.errors import install
from rlgym.serve.runs import router
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
    install(app)
    app.include_router(router(Settings(runs=root and str(root))))
    return TestClient(app)


@pytest.fixture(scope="module")
def client(folder):
    with _client(folder) as opened:
        yield opened


def _ids(client) -> dict[str, str]:
    return {run["place"]: run["id"] for run in client.get("/v1/runs").json()["runs"]}


def test_every_run_is_listed_with_what_it_is(client):
    runs = {run["place"]: run for run in client.get("/v1/runs").json()["runs"]}
    assert {place: (run["kind"], run["finished"], run["problem"]) for place, run in runs.items()} == {
        "eval-one": ("eval", True, None),
        "sets/half": ("eval", False, None),
        "quick start/run": ("train", True, None),
        "growing": ("train", False, None),
    }
    assert runs["eval-one"]["id"] == "eval-one"
    assert runs["sets/half"]["id"] == "sets~half"
    assert (runs["eval-one"]["title"], runs["eval-one"]["model"], runs["eval-one"]["episodes"]) == ("tiny model", "tiny-1", 12)
    assert (runs["growing"]["step"], runs["growing"]["steps"], runs["growing"]["phase"]) == (20, 40, "rl")


def test_an_evaluation_is_counted_by_environment_and_level(client):
    told = client.get("/v1/runs/eval-one").json()
    assert told["answers"] == 12
    assert told["report"]
    assert sum(place["answers"] for place in told["places"]) == 12
    assert {(place["env"], place["level"]) for place in told["places"]} == {
        (env, level) for env in ("chain_sum", "higher_lower") for level in (0, 0.5)
    }
    right = sum(place["right"] * place["answers"] for place in told["places"])
    assert right == pytest.approx(told["outcomes"]["right"])
    assert told["outcomes"]["right"] >= 6


def test_a_half_evaluation_is_shown_up_to_its_torn_line(client):
    half, whole = client.get("/v1/runs/sets~half").json(), client.get("/v1/runs/eval-one").json()
    assert not half["finished"]
    assert not half["report"]
    assert (half["answers"], half["episodes"]) == (12, 24)
    assert half["places"] == whole["places"]


@pytest.mark.parametrize("id", ["eval-one", "sets~half"])
def test_answers_come_in_pages_and_by_what_is_asked_for(client, id):
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


def test_a_training_has_columns_and_its_latest_episodes_first(client):
    ids = _ids(client)
    told = client.get(f"/v1/runs/{ids['quick start/run']}").json()
    metrics = told["metrics"]
    assert {len(column) for column in metrics.values()} == {50}
    assert metrics["phase"] == ["sft"] * 10 + ["rl"] * 40
    assert metrics["loss"][12] is None
    assert metrics["solve"][-1] == pytest.approx(0.8)
    assert [line["label"] for line in told["evaluations"]] == ["start", "middle", "end"]
    episodes = client.get(f"/v1/runs/{ids['quick start/run']}/transcripts", params={"right": "false", "limit": 3}).json()
    assert [episode["step"] for episode in episodes["transcripts"]] == [39, 36, 33]
    assert episodes["total"] == 13
    assert episodes["transcripts"][0]["messages"][0] == {"role": "user", "content": "What is 39 + 1?"}
    assert episodes["transcripts"][0]["level"] == 0


def test_a_growing_training_sends_only_what_is_new(tmp_path):
    training(tmp_path / "run", finished=False)
    file = tmp_path / "run" / "metrics.jsonl"
    with _client(tmp_path) as client:
        before = client.get("/v1/runs/run").json()
        assert (before["first"], before["lines"]) == (0, 30)
        with open(file, "a") as out:
            out.write(json.dumps({"step": 21, "solve": 0.9}) + '\n{"step": 22, "sol')
        after = client.get("/v1/runs/run", params={"after": 30}).json()
        assert (after["first"], after["lines"], after["metrics"]["solve"], after["step"]) == (30, 31, [0.9], 21)
        os.truncate(file, 100)  # a run that is resumed goes back to its last checkpoint
        again = client.get("/v1/runs/run", params={"after": 31}).json()
        assert again["first"] == 0
        assert again["lines"] == len(again["metrics"]["step"]) > 0


def test_a_report_is_sealed(client):
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
def test_only_what_was_found_has_an_id(client, folder, id):
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
    os.remove(root / "mine" / "answers.jsonl")
    (root / "mine" / "answers.jsonl").symlink_to(secret / "answers.jsonl")
    with _client(root) as client:
        assert list(_ids(client)) == ["mine"]
        assert client.get("/v1/runs/linked").status_code == 404
        assert client.get("/v1/runs/mine/report").status_code == 404
        assert client.get("/v1/runs/mine").json()["answers"] == 0
        assert client.get("/v1/runs/mine/transcripts").json()["total"] == 0


def _spoil(folder, file, content):
    (folder / file).write_bytes(content)


@pytest.mark.parametrize(
    ("kind", "file", "content", "said"),
    [
        ("eval", "run.json", b"{", "run.json is not JSON"),
        ("eval", "run.json", b"[]", "run.json holds list"),
        ("eval", "results.parquet", b"PAR1 no table", "results.parquet cannot be read"),
        ("eval", "summary.json", b"\xff\xfe", "summary.json is not JSON"),
        ("train", "config.json", b"nothing", "config.json is not JSON"),
        ("train", "metrics.jsonl", b'{"step": 1}\nrubbish\n{"step": 2}\n', "line 2 of metrics.jsonl is not JSON"),
        ("train", "evaluations.jsonl", b"[" * 100000 + b"\n", "evaluations.jsonl is not JSON"),
    ],
)
def test_a_damaged_run_says_what_is_wrong(tmp_path, kind, file, content, said):
    (evaluation if kind == "eval" else training)(tmp_path / "bad")
    _spoil(tmp_path / "bad", file, content)
    with _client(tmp_path) as client:
        found = client.get("/v1/runs/bad")
        assert found.status_code == 422
        assert said in found.json()["error"]["message"]
        listed = client.get("/v1/runs").json()["runs"]
        assert [run["id"] for run in listed] == ["bad"]
        if file in ("run.json", "config.json"):
            assert said in listed[0]["problem"]


def test_a_missing_file_and_a_pipe_are_named(tmp_path):
    training(tmp_path / "a")
    os.remove(tmp_path / "a" / "config.json")
    training(tmp_path / "b")
    os.remove(tmp_path / "b" / "config.json")
    os.mkfifo(tmp_path / "b" / "config.json")
    with _client(tmp_path) as client:
        assert [run["problem"] for run in client.get("/v1/runs").json()["runs"]] == [
            "config.json is missing",
            "config.json is no plain file",
        ]


def test_without_a_folder_there_are_no_runs(tmp_path):
    for root in (None, tmp_path / "nowhere"):
        with _client(root) as client:
            assert client.get("/v1/runs").json() == {"runs": []}
    training(tmp_path / "gone")
    with _client(tmp_path) as client:
        shutil.rmtree(tmp_path / "gone")
        assert client.get("/v1/runs/gone").status_code == 404
