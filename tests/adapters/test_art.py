"""The ART adapter: its rollouts against an endpoint, gathered by ART."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("art.trajectories", reason="needs openpipe-art>=0.5.18")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

import art  # noqa: E402
from adapters.agreement import cases, damaged, page, rows  # noqa: E402
from adapters.endpoint import Endpoint, serving  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.art import gather, rollout  # noqa: E402
from rlgym.core.errors import RowError  # noqa: E402
from rlgym.dataset import Session, sample  # noqa: E402


@pytest.fixture
def serve() -> Iterator[Any]:
    with serving() as start:
        yield start


def model(endpoint: Endpoint, name: str) -> art.Model:
    return art.Model(name=name, project="rlgym", inference_api_key="none", inference_base_url=endpoint.url)


def test_agreement(serve: Any, record: Any) -> None:
    endpoint = serve([])
    report = model(endpoint, "scripted")

    async def run() -> None:
        for case in cases():
            endpoint.says[case.row["messages"][0]["content"]] = case.response
            played = await rollout(report, case.row)
            assert played.reward == case.score, (case.row["id"], case.kind)
            contents = [message["content"] for message in played.messages() if message["role"] == "assistant"]
            assert contents == ([case.response] if case.single else case.response[: len(contents)])
            assert played.messages()[-1]["role"] == "assistant"

    asyncio.run(run())
    record("art", "openpipe-art", scored=len(cases()), agreement=f"{len(cases())} responses through rollouts")


def test_groups(serve: Any, record: Any) -> None:
    given = list(sample(["chain_sum", "maze_walk"], 6, levels=[0.1]))
    endpoint = serve(given)
    for name, expected in (("oracle", [1, 1, 1]), ("wrong", [0, 0, 0])):
        groups = asyncio.run(gather(model(endpoint, name), given, group_size=3, max_tokens=100))
        assert [[item.reward for item in group] for group in groups] == [expected] * 6
        assert [group.trajectories[0].metadata["id"] for group in groups] == [row["id"] for row in given]
    assert endpoint.asked[-1]["max_tokens"] == 100
    record("art", "openpipe-art", single="groups gathered", many="groups gathered")


def test_tools_are_called_natively(serve: Any, record: Any) -> None:
    given = list(sample("calculator_and_lookup", 3, levels=[0.1]))
    endpoint = serve(given)
    [played, *_] = [asyncio.run(rollout(model(endpoint, "native"), row)) for row in given]
    assert played.reward == 1
    assert played.tools == Session(given[0]).tools
    assert endpoint.asked[0]["tools"] == played.tools
    assert "tool" in {message["role"] for message in played.messages()}
    record("art", "openpipe-art", tools="native calls and calls in the text")


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str, serve: Any) -> None:
    with pytest.raises(RowError, match=identity):
        asyncio.run(gather(model(serve([]), "oracle"), [row], max_exceptions=10))


def test_what_is_not_the_models_fault_is_left_out(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    row = rows(False)[0]
    endpoint = serve([row])
    full, broken = Session.score.fget, rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")  # type: ignore[attr-defined]
    spoilt: list[Session] = []

    def score(session: Session) -> Any:
        found = full(session)
        if found is None or (spoilt and session not in spoilt):
            return found
        spoilt.append(session)
        return broken

    monkeypatch.setattr(Session, "score", property(score))
    [group] = asyncio.run(gather(model(endpoint, "oracle"), [row], group_size=3, max_exceptions=1))
    assert [item.reward for item in group] == [1, 1]
    assert "no sandbox" in group.exceptions[0].message
    spoilt.clear()
    with pytest.raises(RuntimeError, match="no sandbox"):
        asyncio.run(gather(model(endpoint, "oracle"), [row], group_size=3))


def test_a_failing_endpoint_is_no_reward(serve: Any) -> None:
    [group] = asyncio.run(gather(model(serve([]), "oracle"), rows(False)[:1], group_size=2, max_exceptions=2))
    assert len(group) == 0
    assert len(group.exceptions) == 2


def test_the_page_runs(serve: Any, tmp_path: Path, record: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENDPOINT", serve(sample(["chain_sum", "maze_walk"], 4, levels=[0.2], split="train")).url)
    (tmp_path / "page.py").write_text(page("art"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.splitlines()[-4:] == ["[1.0, 1.0]"] * 4
    record("art", "openpipe-art", example="run by the test")
