"""The bench of the service measures, and would find sessions that are mixed up."""

import asyncio
from dataclasses import replace

import pytest

from rlgym.cli import bench_load
from rlgym.cli.bench_serve import measured, spent
from rlgym.core.errors import RlgymError


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(bench_load, "IN_A_ROUND", 16)
    monkeypatch.setattr(bench_load, "IN_A_BATCH", 6)


def test_a_running_service_is_measured(url):
    report = measured(url, None, 20, 0.01, None)
    assert [row["how"].partition(",")[0] for row in report["speeds"]] == ["WebSocket", "REST", "REST"]
    for row in report["speeds"]:
        assert row["steps"] % 16 == 0
        assert row["steps_per_s"] > 0
        assert 0 < row["p50_ms"] <= row["p99_ms"]
    kept = report["apart"]
    assert (kept["sessions"], kept["wrong"], kept["bytes_per_session"]) == (20, 0, None)
    assert kept["steps"] > 20


def test_a_session_that_reads_what_is_another_s_is_found(url, monkeypatch):
    plan = bench_load.plan

    def mixed(name, number):
        made = plan(name, number)
        other = plan(name, number + 1)
        return replace(
            made, read=(made.read[0], *other.read[1:], *made.read[1 + len(other.read[1:]) :]), rewards=(0.0, *[0.5] * len(made.said))
        )

    monkeypatch.setattr(bench_load, "plan", mixed)
    kept = asyncio.run(bench_load.apart(url, None, 10, lambda: None))
    assert kept["wrong"] >= 10
    assert "seed" in kept["first_wrong"]


def test_processor_time_is_counted():
    before = spent(None)[0]
    assert sum(range(2_000_000)) > 0
    assert spent(None)[0] > before
    assert spent(None)[1] == 0.0


def test_a_service_that_is_not_there_is_one_line():
    with pytest.raises(RlgymError, match="no service can be reached"):
        asyncio.run(bench_load.apart("http://127.0.0.1:9", None, 1, lambda: None))
