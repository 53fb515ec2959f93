"""The benchmark of the service measures, and detects sessions that are mixed up."""

import asyncio
from dataclasses import replace

import pytest

from rlgym.cli import bench_load
from rlgym.cli.bench_serve import cpu_seconds, measure_service
from rlgym.core.errors import RlgymError


@pytest.fixture(autouse=True)
def small_load(monkeypatch):
    monkeypatch.setattr(bench_load, "ROUND_SIZE", 16)
    monkeypatch.setattr(bench_load, "BATCH_SIZE", 6)


def test_a_running_service_is_measured(url):
    report = measure_service(url, None, 20, 0.01, None)
    assert [row["variant"].partition(",")[0] for row in report["throughput"]] == ["WebSocket", "REST", "REST"]
    for row in report["throughput"]:
        assert row["steps"] % 16 == 0
        assert row["steps_per_s"] > 0
        assert 0 < row["p50_ms"] <= row["p99_ms"]
    isolation = report["isolation"]
    assert (isolation["sessions"], isolation["differences"], isolation["bytes_per_session"]) == (20, 0, None)
    assert isolation["steps"] > 20


def test_a_session_that_reads_the_observations_of_another_is_detected(url, monkeypatch):
    play_locally = bench_load.play_locally

    def mixed_up(name, index):
        episode, other = play_locally(name, index), play_locally(name, index + 1)
        length = len(other.observations)
        observations = (episode.observations[0], *other.observations[1:], *episode.observations[length:])
        return replace(episode, observations=observations, rewards=(0.0, *[0.5] * len(episode.responses)))

    monkeypatch.setattr(bench_load, "play_locally", mixed_up)
    report = asyncio.run(bench_load.check_isolation(url, None, 10, lambda: None))
    assert report["differences"] >= 10
    assert "seed" in report["first_difference"]


def test_processor_time_is_counted():
    before = cpu_seconds(None).load
    assert sum(range(2_000_000)) > 0
    assert cpu_seconds(None).load > before
    assert cpu_seconds(None).service == 0.0


def test_an_unreachable_service_is_one_line():
    with pytest.raises(RlgymError, match="cannot reach a service"):
        asyncio.run(bench_load.check_isolation("http://127.0.0.1:9", None, 1, lambda: None))
