"""Endless streams of tasks, for torch and for datasets, and how they resume."""

import itertools
import json

import pytest

from rlgym.core.errors import RecipeError
from rlgym.dataset import Session, TaskStream, huggingface_stream, sample, torch_stream

NAMES = ["chain_sum", "shortest_path", "maze_walk"]


def ids(rows):
    return [row["id"] for row in rows]


def identity(row):
    return row["id"]


def first(stream, count):
    return list(itertools.islice(stream, count))


def test_a_stream_resumes_where_it_stopped():
    stream = TaskStream(NAMES, levels=[0.1, 0.5], seed=3)
    rows = first(stream, 12)
    assert len(set(ids(rows))) == 12
    assert {row["env"] for row in rows} == set(NAMES)
    assert {row["level"] for row in rows} == {0.1, 0.5}
    saved = json.loads(json.dumps(stream.state_dict()))
    after = first(stream, 5)
    other = TaskStream(NAMES, levels=[0.1, 0.5], seed=3)
    other.load_state_dict(saved)
    assert first(other, 5) == after
    assert [stream.row(k) for k in (0, 7)] == [rows[0], rows[7]]
    assert ids(rows) != ids(first(TaskStream(NAMES, levels=[0.1, 0.5], seed=4), 12))


def test_rows_can_be_played_and_scored():
    for row in first(TaskStream(NAMES, levels=[0.2]), 6):
        session = Session(row)
        assert row["messages"] == [{"role": "user", "content": session.observation}]
        while not session.done:
            session.step(session.oracle())
        assert session.score.value == 1


def test_weights_and_splits_are_respected():
    rows = first(TaskStream(NAMES, weights={"maze_walk": 0, "shortest_path": 0, "chain_sum": 0.5}, levels=[0.5], split="test"), 8)
    assert {row["env"] for row in rows} == {"chain_sum"}
    assert {row["split"] for row in rows} == {"test"}
    trained = {row["prompt"] for row in sample("chain_sum", 50, levels=[0.5], split="train")}
    assert not trained & {row["prompt"] for row in rows}
    with pytest.raises(RecipeError, match="there is no split 'dev'"):
        TaskStream(NAMES, split="dev")


def test_huggingface_streams_resume_without_replaying(monkeypatch):
    pytest.importorskip("datasets", reason="needs datasets")
    stream = TaskStream(NAMES, levels=[0.3])
    expected = ids(first(TaskStream(NAMES, levels=[0.3]), 9))
    dataset = huggingface_stream(stream, lambda row: {"id": row["id"]})
    given = []
    for example in dataset:
        given.append(example["id"])
        if len(given) == 5:
            state = dataset.state_dict()
            break
    again = huggingface_stream(TaskStream(NAMES, levels=[0.3]), lambda row: {"id": row["id"]})
    again.load_state_dict(state)
    asked = []
    row = TaskStream.row
    monkeypatch.setattr(TaskStream, "row", lambda self, position: asked.append(position) or row(self, position))
    given += [example["id"] for example in itertools.islice(again, 4)]
    assert given == expected
    assert min(asked) >= 4
    sharded = huggingface_stream(TaskStream(NAMES, levels=[0.3]), lambda row: {"id": row["id"]}, shards=2)
    assert sharded.num_shards == 2


def test_torch_workers_share_the_positions():
    torch_data = pytest.importorskip("torch.utils.data", reason="needs torch")
    expected = ids(first(TaskStream(NAMES, levels=[0.3]), 8))
    alone = torch_stream(TaskStream(NAMES, levels=[0.3]), lambda row: row["id"])
    assert first(torch_data.DataLoader(alone, batch_size=None), 8) == expected
    both = torch_stream(TaskStream(NAMES, levels=[0.3]), identity)
    loader = iter(torch_data.DataLoader(both, batch_size=None, num_workers=2, multiprocessing_context="spawn"))
    assert sorted(itertools.islice(loader, 8)) == sorted(expected)
    stopped = torch_stream(TaskStream(NAMES, levels=[0.3]), lambda row: row["id"])
    given = first(stopped, 3)
    again = torch_stream(TaskStream(NAMES, levels=[0.3]), lambda row: row["id"])
    again.load_state_dict(stopped.state_dict())
    assert given + first(again, 5) == expected
