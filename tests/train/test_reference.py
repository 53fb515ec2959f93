"""The reference policy of a run: its start, its resets, and that a resumed run has the same one."""

import math
import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym.core.errors import RlgymError
from rlgym.train import evaluations
from rlgym.train.config.schema import Config
from rlgym.train.evaluate import Accuracy
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.regularizers.reference_reset import ResetOptions, last_reset
from rlgym.train.update.schedule import lr_at_step
from rlgym.train.validate.algorithms import check_algorithms


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32)
    return folder


def weights_at(out, name):
    return dict(load_model(out / "checkpoints" / name / "model").weights())


def state_at(out, name):
    return torch.load(out / "checkpoints" / name / "state.pt", weights_only=True)


def half_right(request):
    return answer(request.key % 2 == 0, request)


def test_every_so_many_steps_the_policy_becomes_the_reference_and_the_optimizer_forgets(model, tmp_path, monkeypatch):
    knowing(monkeypatch, half_right)
    out = tmp_path / "run"
    train(Config.from_dict(sums(model, out, algorithm={"kl_coef": 0.1, "reference_reset_steps": 2}, steps=5)))
    lines = read_lines(out / "metrics.jsonl")
    # The divergence is measured before a step's update: it is 0 at the first step with a new reference, and only there.
    assert [line["kl"] == 0 for line in lines] == [True, False, True, False, True]
    assert "reference" not in state_at(out, "1-rl-0000002")
    for step, source in ((3, 2), (4, 2), (5, 4)):
        saved = state_at(out, f"1-rl-000000{step}")
        policy = weights_at(out, f"1-rl-000000{source}")
        assert all(torch.equal(saved["reference"][name], policy[name]) for name in policy)
        counts = {int(state["step"]) for state in saved["optimizer"]["state"].values()}
        assert counts == {(step - 1) % 2 + 1}


def test_a_run_goes_on_with_its_reference_to_the_bit(model, tmp_path, monkeypatch):
    knowing(monkeypatch, half_right)
    given = sums(model, tmp_path / "whole", algorithm={"kl_coef": 0.5, "reference_reset_steps": 2}, steps=4)
    train(Config.from_dict(given))
    for stop in (2, 3):
        out = tmp_path / f"cut{stop}"
        shutil.copytree(tmp_path / "whole", out)
        (out / "config.json").write_text(Config.from_dict({**given, "output_dir": str(out)}).model_dump_json())
        for step in range(stop + 1, 5):
            shutil.rmtree(out / "checkpoints" / f"1-rl-000000{step}")
        train(Config.from_dict({**given, "output_dir": str(out)}))
        assert (out / "metrics.jsonl").read_bytes() == (tmp_path / "whole" / "metrics.jsonl").read_bytes()
        mine, theirs = weights_at(out, "1-rl-0000004"), weights_at(tmp_path / "whole", "1-rl-0000004")
        assert all(torch.equal(mine[name], theirs[name]) for name in mine)


def test_after_a_warm_up_the_reference_is_the_policy_that_came_out_of_it(model, tmp_path, monkeypatch):
    knowing(monkeypatch, half_right)
    out = tmp_path / "run"
    train(Config.from_dict(sums(model, out, algorithm={"kl_coef": 0.1}, steps=2, sft={"steps": 2, "batch_size": 2})))
    lines = [line for line in read_lines(out / "metrics.jsonl") if "kl" in line]
    assert [line["kl"] == 0 for line in lines] == [True, False]
    warm, kept = weights_at(out, "1-rl-0000000"), state_at(out, "1-rl-0000002")["reference"]
    assert all(torch.equal(kept[name], warm[name]) for name in warm)


def test_the_rate_is_warmed_up_again_where_the_optimizer_forgot():
    given = sums(
        "m",
        "o",
        steps=8,
        update={"lr": 1.0, "warmup_steps": 2, "lr_schedule": "cosine"},
        algorithm={"kl_coef": 0.1, "reference_reset_steps": 4},
    )
    falls = [0.5 * (1 + math.cos(math.pi * step / 8)) for step in range(8)]
    expected = [warmup * fall for warmup, fall in zip([0.5, 1, 1, 1] * 2, falls, strict=True)]
    assert [lr_at_step(step, Config.from_dict(given)) for step in range(8)] == pytest.approx(expected)


def test_a_reset_without_a_reference_is_refused(model, tmp_path):
    with pytest.raises(RlgymError, match=r"algorithm.kl_coef above 0"):
        train(Config.from_dict(sums(model, tmp_path / "run", algorithm={"reference_reset_steps": 2})))
    assert not (tmp_path / "run").exists()


def stalling(model, out):
    given = sums(model, out, algorithm={"kl_coef": 0.5, "reference_reset_patience": 2}, steps=6)
    return {**given, "evaluation": {"tasks_per_level": 2, "every_steps": 1}}


def test_the_policy_becomes_the_reference_where_held_out_accuracy_stalls(model, tmp_path, monkeypatch):
    knowing(monkeypatch, half_right)
    # Better at step 1, then two evaluations that are not: reset at step 3, better at 4, and not at 5 and 6.
    accuracies = iter([0.1, 0.2, 0.2, 0.1, 0.3, 0.3, 0.3])

    def evaluated(*given):
        return {"chain_sum@0": Accuracy(next(accuracies), 0.0, 1.0, {1: 0.0}, 1)}

    monkeypatch.setattr(evaluations, "evaluation_episodes", lambda *given: [])
    monkeypatch.setattr(evaluations, "accuracy_table", evaluated)
    train(Config.from_dict(stalling(model, tmp_path / "run")))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["reference_reset"] for line in lines] == [0, 0, 0, 1, 0, 0]
    assert [line["kl"] == 0 for line in lines] == [True, False, False, True, False, False]


def test_a_resumed_run_resets_at_the_same_steps(model, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.key % 3 == 0, request))
    given = stalling(model, tmp_path / "whole")
    train(Config.from_dict(given))
    lines = read_lines(tmp_path / "whole" / "metrics.jsonl")
    assert sum(line["reference_reset"] for line in lines) >= 1
    out = tmp_path / "cut"
    shutil.copytree(tmp_path / "whole", out)
    (out / "config.json").write_text(Config.from_dict({**given, "output_dir": str(out)}).model_dump_json())
    for step in range(3, 7):
        shutil.rmtree(out / "checkpoints" / f"1-rl-000000{step}")
    train(Config.from_dict({**given, "output_dir": str(out)}))
    assert (out / "metrics.jsonl").read_bytes() == (tmp_path / "whole" / "metrics.jsonl").read_bytes()


def test_the_last_reset_by_hand():
    scores = {0: 0.1, 10: 0.2, 20: 0.2, 30: 0.15, 40: 0.15, 50: 0.1}
    options = ResetOptions(patience=2)
    # Better than 0.2 is awaited up to step 30; from there on better than 0.15, in vain at 40 and 50.
    assert [last_reset(step, scores, options) for step in (0, 25, 30, 45, 50, 99)] == [0, 0, 30, 30, 50, 50]
    assert last_reset(99, scores, ResetOptions(patience=9)) == last_reset(99, {}, options) == 0


@pytest.mark.parametrize(
    ("more", "message"), [({"kl_coef": 0.0}, "a reference policy and evaluations"), ({"reference_reset_steps": 2}, "both decide on resets")]
)
def test_resets_by_stalled_validation_need_what_they_use(more, message):
    given = stalling("m", "o")
    with pytest.raises(RlgymError, match=message):
        check_algorithms(Config.from_dict({**given, "algorithm": {**given["algorithm"], **more}}))
    if "kl_coef" in more:
        with pytest.raises(RlgymError, match=message):
            check_algorithms(Config.from_dict({**given, "evaluation": {}}))


def test_preferences_are_compared_with_the_start_of_the_run(model, tmp_path, monkeypatch):
    knowing(monkeypatch, half_right)
    out = tmp_path / "run"
    train(Config.from_dict(sums(model, out, algorithm={"loss": "dpo", "loss_options": {"beta": 1.0}}, steps=3)))
    lines = read_lines(out / "metrics.jsonl")
    # Of four rollouts two are right, in three groups; before the first update policy and reference are the same.
    assert [line["preference_pairs"] for line in lines] == [12, 12, 12]
    assert lines[0]["loss"] == pytest.approx(math.log(2), rel=1e-4)
    assert lines[-1]["loss"] < lines[0]["loss"]
    assert lines[-1]["preference_accuracy"] > 0.5
