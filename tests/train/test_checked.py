"""Mistakes in an advantage or a loss of one's own end a run with its name, before any weight changes."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from rlgym.train.registry import OptionError, Options, advantage, loss, restored_registries
from rlgym.train.update.checked import checked_advantage, checked_loss


class NoneAtAll(Options):
    """No options."""


def advantage_of(batch, found):
    with restored_registries():

        @advantage("made")
        def made(given, options: NoneAtAll):
            """Made."""
            return found(given)

        return checked_advantage("made", batch, NoneAtAll())


def loss_of(batch, found, logprob_T=None):
    with restored_registries():

        @loss("made")
        def made(new_logprobs_T, given, advantage_T, options: NoneAtAll):
            """Made."""
            return found(new_logprobs_T)

        new_T = batch.old_logprobs_T if logprob_T is None else logprob_T
        return checked_loss("made", new_T, batch, torch.zeros_like(new_T), NoneAtAll())


def test_an_advantage_must_be_a_finite_number_for_each_token(build):
    batch = build([1, 0], logprobs=[[-1, -1], [-1]])
    with pytest.raises(OptionError, match=r"algorithm.advantage='made' returned nan for 3 of 3 tokens"):
        advantage_of(batch, lambda given: torch.full_like(given.rollout_logprobs_T, float("nan")))
    with pytest.raises(OptionError, match=r"returned \(2,\): it must return a tensor over the tokens"):
        advantage_of(batch, lambda given: given.reward_N)
    with pytest.raises(OptionError, match=r"returned float: it must"):
        advantage_of(batch, lambda given: 1.0)
    # Prompts and rollouts without a score are never read.
    kept = advantage_of(batch, lambda given: torch.ones_like(given.rollout_logprobs_T).where(given.loss_mask_T, float("nan")))
    assert kept[batch.loss_mask_T].tolist() == [1, 1, 1]


def test_a_loss_must_be_a_number_and_metrics(build):
    batch = build([1, 0], logprobs=[[-1, -1], [-1]])
    with pytest.raises(OptionError, match=r"algorithm.loss='made' returned nan from finite log-probabilities"):
        loss_of(batch, lambda new_T: (new_T.sum() * float("nan"), {}))
    with pytest.raises(OptionError, match=r"must return a scalar tensor and a dictionary of metrics, and returned a tensor of \(\)"):
        loss_of(batch, lambda new_T: new_T.sum())
    with pytest.raises(OptionError, match=r"returned \(a tensor of \(\d+,\), dict\)"):
        loss_of(batch, lambda new_T: (new_T, {}))
    with pytest.raises(OptionError, match=r"weights are damaged"):
        loss_of(batch, lambda new_T: (new_T.sum(), {}), torch.full_like(batch.old_logprobs_T, float("nan")))
    assert float(loss_of(batch, lambda new_T: (new_T.sum() * 0, {}), batch.old_logprobs_T.nan_to_num())[0]) == 0


def test_an_engine_that_dies_in_mid_step_is_named_and_the_run_resumes_as_if_it_had_not(tmp_path, monkeypatch):
    from train.scripted import sums
    from train.small_models import small_model

    from rlgym.train.config.schema import Config
    from rlgym.train.config.sections import TrainError
    from rlgym.train.logging.metrics_logger import read_lines
    from rlgym.train.loop import train
    from rlgym.train.rollout.engines.native import NativeEngine

    small_model(tmp_path / "start", max_seq_len=300, loud=1.0)
    given = {"filter_zero_std": False}
    train(Config.from_dict(sums(tmp_path / "start", tmp_path / "whole", algorithm=given)))
    step, calls = NativeEngine.step, []

    def dying(engine):
        calls.append(engine.version)
        if calls.count(1) == 2:  # in the middle of the second step
            raise RuntimeError("CUDA error: an illegal memory access was encountered\nmore")
        return step(engine)

    monkeypatch.setattr(NativeEngine, "step", dying)
    config = Config.from_dict(sums(tmp_path / "start", tmp_path / "run", algorithm=given))
    message = (
        r"rollout.engine, NativeEngine\) failed while it sampled: RuntimeError: CUDA error: an illegal memory access was encountered\. The"
    )
    with pytest.raises(TrainError, match=message):
        train(config)
    assert len(read_lines(tmp_path / "run" / "metrics.jsonl")) == 1
    monkeypatch.setattr(NativeEngine, "step", step)
    train(config)
    assert read_lines(tmp_path / "run" / "metrics.jsonl") == read_lines(tmp_path / "whole" / "metrics.jsonl")


def test_a_full_disk_while_a_line_is_logged_is_named_and_leaves_no_half_of_a_line(tmp_path, monkeypatch):
    import builtins
    import errno

    from train.scripted import sums
    from train.small_models import small_model

    from rlgym.train.config.schema import Config
    from rlgym.train.config.sections import TrainError
    from rlgym.train.logging.metrics_logger import read_lines
    from rlgym.train.loop import train

    small_model(tmp_path / "start", max_seq_len=300, loud=1.0)
    config = Config.from_dict(sums(tmp_path / "start", tmp_path / "run", algorithm={"filter_zero_std": False}))
    opened, times = builtins.open, []

    class Full:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *given):
            self.file.close()

        def write(self, text):
            self.file.write(text[: len(text) // 2])
            self.file.flush()
            raise OSError(errno.ENOSPC, "No space left on device")

    def limited(file, mode="r", *given, **more):
        found = opened(file, mode, *given, **more)
        if str(file).endswith("times.jsonl") and mode == "a":
            times.append(file)
            return Full(found) if len(times) == 2 else found
        return found

    monkeypatch.setattr(builtins, "open", limited)
    with pytest.raises(
        TrainError, match=r"output_dir='.*run' cannot be written \(No space left on device\): free disk space; the same command"
    ):
        train(config)
    monkeypatch.setattr(builtins, "open", opened)
    assert [line["step"] for line in read_lines(tmp_path / "run" / "times.jsonl")] == [1]
    train(config)
    assert [line["step"] for line in read_lines(tmp_path / "run" / "metrics.jsonl")] == [1, 2]
