"""What every step sends to TensorBoard, Weights & Biases and Trackio, read back from the packages themselves where they are installed."""

import json
import sqlite3
import struct

import pytest

pytest.importorskip("torch")

from train.scripted import sums

from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import MetricsLogger

STEPS = {1: {"reward": 0.25, "solve_rate": 0.5}, 2: {"reward": 0.75, "solve_rate": 1.0}}


def logged(folder, **log):
    logger = MetricsLogger(folder, Config.from_dict(sums("m", folder, log=log)))
    for step, metrics in STEPS.items():
        logger.log_step(step, metrics, {"seconds": 2.0})
    logger.close()


def test_tensorboard_has_every_step(tmp_path):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    logged(tmp_path, tensorboard=True)
    (events,) = tmp_path.rglob("events.out.tfevents.*")
    read = accumulator.EventAccumulator(str(events))
    read.Reload()
    assert {event.step: event.value for event in read.Scalars("reward")} == {1: 0.25, 2: 0.75}
    assert {event.step: event.value for event in read.Scalars("seconds")} == {1: 2.0, 2: 2.0}


def test_weights_and_biases_has_every_step(tmp_path, monkeypatch):
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    logged(tmp_path, wandb_project="sums")
    (run,) = tmp_path.glob("wandb/offline-run-*/*.wandb")
    from wandb.proto import wandb_internal_pb2

    rows = []
    for data in records(run.read_bytes()):
        record = wandb_internal_pb2.Record()
        record.ParseFromString(data)
        if record.WhichOneof("record_type") == "history":
            rows.append({item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in record.history.item})
    assert [(row["_step"], row["reward"], row["solve_rate"]) for row in rows] == [(1, 0.25, 0.5), (2, 0.75, 1.0)]


def records(data):
    """The records of an offline run of one block: 7 bytes of header, then for each record a checksum, its size, its type (1 for a whole one) and itself."""
    assert data.startswith(b":W&B")
    place = 7
    while place + 7 <= len(data):
        _, size, kind = struct.unpack("<IHB", data[place : place + 7])
        assert kind == 1
        yield data[place + 7 : place + 7 + size]
        place += 7 + size


def test_trackio_has_every_step(tmp_path, monkeypatch):
    pytest.importorskip("trackio")
    import trackio.sqlite_storage

    monkeypatch.setenv("TRACKIO_DIR", str(tmp_path / "trackio"))
    monkeypatch.setattr(trackio.sqlite_storage, "TRACKIO_DIR", tmp_path / "trackio", raising=False)
    logged(tmp_path, trackio_project="sums")
    (database,) = (tmp_path / "trackio").glob("sums*.db")
    with sqlite3.connect(database) as connection:
        rows = connection.execute("select step, metrics from metrics order by step").fetchall()
    read = {step: json.loads(metrics) for step, metrics in rows}
    assert {step: (metrics["reward"], metrics["solve_rate"]) for step, metrics in read.items()} == {1: (0.25, 0.5), 2: (0.75, 1.0)}
