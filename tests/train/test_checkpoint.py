"""A checkpoint that cannot be written loses nothing."""

import errno

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from rlgym.train.config.sections import TrainError
from rlgym.train.model.checkpoint import TrainingState, list_checkpoints, load, save


def write_model(folder):
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"weights")


def fill_the_disk(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def fail_in_torch(*_):
    raise RuntimeError("PytorchStreamWriter failed writing file data/0: file write failed")


@pytest.mark.parametrize("where", ["model", "tensors", "flush"])
def test_a_full_disk_is_named_and_the_last_checkpoint_stays(tmp_path, monkeypatch, where):
    save(tmp_path, TrainingState("rl", 1, {"x": torch.ones(2)}, {"version": 3}), write_model, keep=1)
    if where == "tensors":
        monkeypatch.setattr(torch, "save", fail_in_torch)
    if where == "flush":
        monkeypatch.setattr("rlgym.train.model.checkpoint.sync_to_disk", fill_the_disk)
    with pytest.raises(TrainError, match=r"rl-0000002' cannot be written .*: free disk space, or lower checkpoints\.keep_last=1; "):
        save(tmp_path, TrainingState("rl", 2, {}, {}), fill_the_disk if where == "model" else write_model, keep=1)
    assert [folder.name for folder in list_checkpoints(tmp_path)] == ["1-rl-0000001"]
    assert not list(tmp_path.glob(".*"))
    monkeypatch.undo()
    state = load(list_checkpoints(tmp_path)[-1])
    assert (state.step, state.facts) == (1, {"version": 3})
    assert torch.equal(state.tensors["x"], torch.ones(2))
