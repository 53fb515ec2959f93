"""The memory that a configuration needs is known before it runs, and so are its prompts."""

import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model, transformers_folder

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.distributed.process_group import SINGLE_PROCESS
from rlgym.train.loop import train
from rlgym.train.model.backend import load_policy_model
from rlgym.train.model.decoder import Decoder
from rlgym.train.model.logprobs import score_pack
from rlgym.train.model.packing import pack
from rlgym.train.model.shape import ModelShape
from rlgym.train.validate import memory
from rlgym.train.validate.memory import activation_bytes, check_memory, estimate_memory, memory_advice
from rlgym.train.validate.report import check

QWEN3_600M = ModelShape(151_936, 28, 1024, 16, 8, 128, 3072, 40_960, rope_theta=1e6)
CPU = torch.device("cpu")


def configuration(**more):
    return Config.from_dict({"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"]}]} | more)


def measured_activations(shape, tokens, half, gradient_checkpointing):
    """Bytes that a forward pass keeps besides the weights, as torch saves them."""
    model = Decoder(shape)
    model.init_weights(0)
    return measured_activations_of(model, tokens, half, gradient_checkpointing)


def measured_activations_of(model, tokens, half, gradient_checkpointing):
    model.enable_gradient_checkpointing(gradient_checkpointing)
    own = {part.untyped_storage().data_ptr() for part in [*model.parameters(), *model.buffers()]}
    saved = {}

    def keep(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            saved[storage.data_ptr()] = storage.nbytes(), tensor
        return tensor

    sequences = [[1 + place % 50 for place in range(64)] for _ in range(tokens // 64)]
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor), torch.autocast("cpu", torch.bfloat16, enabled=half):
        score_pack(model, pack(sequences))
    return sum(size for size, _ in saved.values())


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("sizes", [(2, 64, 2, 1, 192), (4, 128, 4, 2, 512), (3, 64, 4, 4, 128)])
def test_activations_are_estimated_to_a_fifth(sizes, half):
    num_layers, width, heads, kv_heads, inner = sizes
    shape = ModelShape(300, num_layers, width, heads, kv_heads, 32, inner, 256)
    logits = 2 * 4 * 512 * 300
    estimate = activation_bytes(shape, 512, half, False) - logits
    assert estimate == pytest.approx(measured_activations(shape, 512, half, False), rel=0.2)
    assert activation_bytes(shape, 512, half, True) < activation_bytes(shape, 512, half, False)


@pytest.mark.parametrize("kind", ["gemma3", "qwen3_moe", "gpt2"])
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("gradient_checkpointing", [False, True])
def test_activations_of_the_transformers_backend_stay_within_their_bound(tmp_path, kind, half, gradient_checkpointing):
    transformers_folder(tmp_path, kind)
    settings = {"update": {"tokens_per_micro_batch": 512}, "rollout": {"max_seq_len": 512}}
    compute = {"dtype": "bfloat16" if half else "float32", "gradient_checkpointing": gradient_checkpointing}
    config = configuration(model=str(tmp_path), compute=compute, **settings)
    model = load_policy_model(config.model)
    assert measured_activations_of(model, 512, half, gradient_checkpointing) < estimate_memory(config, model.shape, "cpu").activations


def test_the_parts_of_a_model_of_known_sizes():
    estimate = estimate_memory(configuration(), QWEN3_600M, "cpu")
    assert estimate.parameters == 596_049_920  # Qwen3-0.6B
    assert estimate.weights == estimate.gradients == estimate.optimizer // 2 == 4 * estimate.parameters
    assert (estimate.engine, estimate.compute) == (0, 0)
    # 128 rows of 1,024 tokens, 28 layers, keys and values of 8 heads of 128 in float32: 28 GiB, not the 1,120 of 40,960 positions.
    assert estimate.cache == 128 * 1024 * 28 * 2 * 8 * 128 * 4
    on_gpu = estimate_memory(configuration(algorithm={"kl_coef": 0.01}), QWEN3_600M, "cuda")
    assert on_gpu.cache == estimate.cache // 2
    assert on_gpu.weights == 2 * estimate.weights
    assert on_gpu.engine == on_gpu.compute == 2 * estimate.parameters
    sharded = estimate_memory(configuration(), QWEN3_600M, "cuda", num_ranks=4)
    assert sharded.optimizer == estimate.optimizer // 4
    assert estimate_memory(configuration(rollout={"engine": "vllm"}), QWEN3_600M, "cuda").cache == 0


def test_what_does_not_fit_is_refused_with_what_to_change(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda device: 40 * memory.GIB)
    config = configuration(update={"tokens_per_micro_batch": 2048})
    with pytest.raises(
        TrainError, match=r"needs about 4\d\.\d GiB .*cache 28\.0.*: set rollout\.engine_options\.max_num_seqs=\d+ \(now 128\)"
    ) as error:
        check_memory(config, QWEN3_600M, CPU)
    rows = int(str(error.value).partition("max_num_seqs=")[2].split()[0])
    smaller = configuration(update={"tokens_per_micro_batch": 2048}, rollout={"engine_options": {"max_num_seqs": rows}})
    check_memory(smaller, QWEN3_600M, CPU)
    monkeypatch.setattr(memory, "available_memory", lambda device: 8 * memory.GIB)
    advice = memory_advice(smaller, QWEN3_600M, estimate_memory(smaller, QWEN3_600M, "cpu"), 8 * memory.GIB)
    assert any("gradient_checkpointing=true" in line for line in advice)
    assert any("smaller model" in line for line in advice)


def test_a_run_that_does_not_fit_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32)
    monkeypatch.setattr(memory, "available_memory", lambda device: 1 << 20)
    given = {"model": str(tmp_path / "model"), "output_dir": str(tmp_path / "run"), "rollout": {"max_new_tokens": 20, "max_seq_len": 200}}
    with pytest.raises(TrainError, match="GiB of cpu memory are available"):
        train(configuration(**given))
    assert not (tmp_path / "run").exists()


def test_a_check_measures_prompts_and_warns(tmp_path):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32)
    rollout = {"max_new_tokens": 100, "max_seq_len": 150, "groups_per_step": 2, "group_size": 4}
    config = configuration(model=str(tmp_path / "model"), output_dir=str(tmp_path / "run"), rollout=rollout)
    report = check(config, SINGLE_PROCESS)
    assert 50 < report.longest.tokens < 150
    assert report.longest.label == "chain_sum@0"
    first, second = report.warnings
    assert f"a response has {150 - report.longest.tokens} of rollout.max_new_tokens=100" in first
    assert "exceeds the 8 rollouts of a step" in second
    assert f"parameters: {report.memory.parameters:,}" in report.lines()
    assert json.loads((tmp_path / "model" / "config.json").read_text())["model_type"] == "qwen3"


def test_a_prompt_that_does_not_fit_is_an_error_before_the_run(tmp_path):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32)
    given = {"model": str(tmp_path / "model"), "output_dir": str(tmp_path / "run"), "rollout": {"max_new_tokens": 20, "max_seq_len": 40}}
    with pytest.raises(
        TrainError, match=r"a prompt of chain_sum@0 has \d+ tokens, but rollout\.max_seq_len=40: set rollout\.max_seq_len to \d+"
    ):
        train(configuration(**given))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"algorithm": {"advantage": "dr_grpo", "hint_fraction": 0.9}}, "chain_sum@0 with its hint"),
        ({"tasks": [{"names": ["chain_sum"], "hint_fractions": [0, 1.0]}]}, "chain_sum@0 with its hint"),
        ({"evaluation": {"transfer": ["sudoku"]}}, "sudoku@0"),
        ({"evaluation": {"shifts": {"harder": {"names": ["chain_sum"], "levels": [1.0]}}}}, "chain_sum@1"),
    ],
)
def test_prompts_of_hints_and_evaluations_are_measured_too(tmp_path, more, named):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32)
    rollout = {"max_new_tokens": 20, "max_seq_len": 150, "groups_per_step": 2, "group_size": 4}
    given = {"model": str(tmp_path / "model"), "output_dir": str(tmp_path / "run"), "rollout": rollout}
    assert check(configuration(**given), SINGLE_PROCESS).longest.tokens < 150
    with pytest.raises(TrainError, match=rf"a prompt of {named} has \d+ tokens, but rollout\.max_seq_len=150"):
        train(configuration(**given, **more))
    assert not (tmp_path / "run").exists()


def test_a_process_model_counts_with_its_reference_and_its_moments():
    plain = estimate_memory(configuration(), QWEN3_600M, "cpu")
    config = configuration(algorithm={"advantage": "prime", "process_model": {}})
    more = estimate_memory(config, QWEN3_600M, "cpu")
    assert more.weights == 3 * plain.weights
    assert more.optimizer == 2 * plain.optimizer
    assert more.gradients == plain.gradients
    assert any("process_model" in advice for advice in memory_advice(config, QWEN3_600M, more, 1))
