"""Models with adapters whose weights are random."""

import pytest

from rlgym.train.config.sections import LoraConfig, ModelConfig
from rlgym.train.model.backend import add_adapter, load_policy_model
from rlgym.train.model.logprobs import score_pack
from rlgym.train.model.packing import pack

torch = pytest.importorskip("torch")


SEQUENCES = [[5, 6, 7, 8, 9], list(range(20, 60)), [1, 2]]


BACKENDS = ["native", pytest.param("transformers", marks=pytest.mark.peft)]


def adapted(folder, backend, seed=0, **lora):
    config = ModelConfig(path=str(folder), backend=backend, lora=LoraConfig(**({"rank": 4} | lora)))
    model = load_policy_model(config)
    add_adapter(model, config, seed)
    return model


def spread(model, seed=0):
    """Give every factor B, which starts at 0, random weights."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name in sorted(model.lora.parameters):
            if "lora_B" in name:
                weight = model.lora.parameters[name]
                weight.copy_(0.05 * torch.randn(weight.shape, generator=generator))


def logprobs(model):
    with torch.no_grad():
        return score_pack(model, pack(SEQUENCES))[0]
