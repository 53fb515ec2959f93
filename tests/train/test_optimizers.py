"""The optimizers of `update.optimizer`, with a stand-in for bitsandbytes, which needs a GPU."""

import sys
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym.core.errors import PackageMissing
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.update.optimizers import check_optimizer, make_optimizer, moment_bytes
from rlgym.train.validate.memory import estimate_memory

GPU, CPU = torch.device("cuda"), torch.device("cpu")


def configuration(optimizer, model="m", out="o"):
    return Config.from_dict(
        {
            "model": str(model),
            "output_dir": str(out),
            "tasks": [{"names": ["chain_sum"]}],
            "rollout": {"max_new_tokens": 20, "max_seq_len": 200},
            "update": {"optimizer": optimizer, "lr": 0.125, "weight_decay": 0.5},
            "compute": {"device": "cpu"},
        }
    )


@pytest.fixture
def bitsandbytes(monkeypatch):
    """Classes with the names of bitsandbytes that note how they are made."""

    def named(name):
        def make(groups, **options):
            return SimpleNamespace(name=name, groups=groups, options=options)

        return make

    package = SimpleNamespace(optim=SimpleNamespace(AdamW8bit=named("AdamW8bit"), PagedAdamW8bit=named("PagedAdamW8bit")))
    monkeypatch.setitem(sys.modules, "bitsandbytes", package)


@pytest.mark.parametrize(("optimizer", "name"), [("adamw_8bit", "AdamW8bit"), ("paged_adamw_8bit", "PagedAdamW8bit")])
def test_eight_bit_optimizers_come_from_bitsandbytes(tmp_path, bitsandbytes, optimizer, name):
    small_model(tmp_path, num_layers=1, hidden_size=32)
    model = load_model(tmp_path)
    model.norm_E.requires_grad_(False)
    created = make_optimizer(configuration(optimizer), model, GPU)
    assert created.name == name
    assert created.options == {"lr": 0.125, "betas": (0.9, 0.95), "weight_decay": 0.5}
    assert len(created.groups[0]["params"]) == len(list(model.parameters())) - 1


def test_moments_in_eight_bits_take_a_quarter_of_the_memory(tmp_path):
    shape = small_model(tmp_path, num_layers=1, hidden_size=32).shape
    sizes = [estimate_memory(configuration(name), shape, "cuda").optimizer for name in ("adamw", "adamw_8bit", "paged_adamw_8bit")]
    assert sizes == [sizes[0], sizes[0] // 4, 0]
    assert moment_bytes(configuration("adamw")) == 8


def test_a_cpu_several_ranks_and_a_missing_package_are_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "bitsandbytes", None)
    config = configuration("adamw_8bit")
    with pytest.raises(TrainError, match=r"update\.optimizer='adamw_8bit' needs an NVIDIA GPU.*set update\.optimizer='adamw'"):
        check_optimizer(config, CPU)
    with pytest.raises(TrainError, match="does not support 2 ranks"):
        check_optimizer(config, GPU, 2)
    with pytest.raises(PackageMissing, match="needs bitsandbytes: install it with `pip install bitsandbytes`"):
        check_optimizer(config, GPU)
    check_optimizer(configuration("adamw"), CPU, 2)
    small_model(tmp_path / "model", num_layers=1, hidden_size=32)
    with pytest.raises(TrainError, match="needs an NVIDIA GPU"):
        train(configuration("adamw_8bit", tmp_path / "model", tmp_path / "run"))
    assert not (tmp_path / "run").exists()
