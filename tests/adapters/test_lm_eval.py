"""Task folders for the lm-evaluation-harness, run by its own simple_evaluate."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval", reason="lm-eval is not installed")

from adapters.agreement import KINDS, RowError, cases, damaged, page, rows
from adapters.planted import broken_verifier
from adapters.tiny import CHATML, tiny
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

import rlgym
from rlgym.adapters.lm_eval import write_rows, write_tasks
from rlgym.dataset import sample

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


class Says(LM):
    """A model that answers each prompt with a scripted response."""

    def __init__(self, by_prompt: dict[str, str], otherwise: str = "") -> None:
        super().__init__()
        self.by_prompt, self.otherwise = by_prompt, otherwise

    def generate_until(self, requests: list[Any]) -> list[str]:
        return [self.by_prompt.get(request.args[0], self.otherwise) for request in requests]

    def loglikelihood(self, requests: list[Any]) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Any]) -> Any:
        raise NotImplementedError


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are read through `datasets`, which keeps a copy of them."""
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def run(folder: Path, model: Any, **more: Any) -> Any:
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    return simple_evaluate(model, tasks=["rlgym"], task_manager=manager, bootstrap_iters=0, **more)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_those_of_rlgym(kind: str, tmp_path: Path, record: Any) -> None:
    given = {case.row["id"]: case for case in cases(False) if case.kind == kind}
    write_rows(tmp_path, [case.row for case in given.values()])
    response = {case.row["messages"][0]["content"]: case.response for case in given.values()}
    found = run(tmp_path, Says(response))
    scores = {sample["doc"]["id"]: sample["score"] for samples in found["samples"].values() for sample in samples}
    assert scores == {identity: case.score for identity, case in given.items()}
    mean = sum(case.score for case in given.values()) / len(given)
    assert found["groups"]["rlgym"]["score,none"] == pytest.approx(mean)
    record(
        "lm_eval",
        "lm_eval",
        scored=len(given),
        agreement=f"{len(cases(False))} single-turn cases through simple_evaluate",
        many="refused: the harness asks once",
    )


def test_what_is_not_the_models_fault_is_left_out(tmp_path: Path) -> None:
    dealt = list(sample(["chain_sum", "gcd_lcm"], 8))
    write_rows(tmp_path, dealt)
    response = {row["messages"][0]["content"]: row["oracle_response"] for row in dealt}
    with broken_verifier("chain_sum"):
        found = run(tmp_path, Says(response))["results"]
    assert "score,none" not in found["rlgym_chain_sum"]
    assert found["rlgym_chain_sum"]["masked,none"] == 1
    assert found["rlgym_gcd_lcm"]["score,none"] == 1
    assert found["rlgym_gcd_lcm"]["masked,none"] == 0


def test_a_small_model_generates(tmp_path: Path, record: Any) -> None:
    pytest.importorskip("torch")
    tiny(tmp_path / "model", CHATML)
    write_tasks(tmp_path / "tasks", "chain_sum", 4, levels=[0.0], tokens=8)
    args = {"pretrained": str(tmp_path / "model"), "device": "cpu", "dtype": "float32"}
    found = run(tmp_path / "tasks", "hf", model_args=args, apply_chat_template=True, batch_size=2)
    assert found["results"]["rlgym_chain_sum"]["score,none"] == 0
    assert "<|im_start|>user" in found["samples"]["rlgym_chain_sum"][0]["arguments"][0][0]
    record(
        "lm_eval",
        "lm_eval",
        single="simple_evaluate, with a Transformers model and chat template too",
        tools="refused: the harness asks once",
    )


def test_other_rows_are_shown_as_examples(tmp_path: Path) -> None:
    write_tasks(tmp_path, "chain_sum", 6, levels=[0.0])
    found = run(tmp_path, Says({}, "<answer>1</answer>"), num_fewshot=2)
    for item in found["samples"]["rlgym_chain_sum"]:
        shown = item["arguments"][0][0]
        assert shown.count("</answer>") == 5  # each closing line has one, and each of the two responses
        assert shown.endswith(item["doc"]["text"] + " ") or item["doc"]["text"] in shown


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str, tmp_path: Path) -> None:
    with pytest.raises(RowError, match=identity):
        write_rows(tmp_path, [rows(False)[0], row])


def test_a_damaged_file_stops_the_evaluation(tmp_path: Path) -> None:
    write_tasks(tmp_path, "chain_sum", 2)
    file = tmp_path / "rlgym_chain_sum.jsonl"
    docs = [json.loads(line) for line in file.read_text().splitlines()]
    docs[0]["task_json"] = docs[0]["task_json"].replace('"version": 1', '"version": 99')
    file.write_text("\n".join(map(json.dumps, docs)))
    with pytest.raises(RowError, match=docs[0]["id"]):
        run(tmp_path, Says({}))


def test_many_turns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(rlgym.RlgymError, match="many turns"):
        write_tasks(tmp_path, "nim", 1)


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.py").write_text(page("lm_eval"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert "0.0" in capsys.readouterr().out
    record("lm_eval", "lm_eval", example="the page's example")
