"""The reference policy of a run: its start, its resets, and that a resumed run has the same one."""

import math
import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.update.schedule import lr_at_step


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
