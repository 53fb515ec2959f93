"""Adapters: they start as nothing, they alone are trained, and merged they are the same model."""

import json
import shutil

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from train.lora_cases import BACKENDS, SEQUENCES, adapted, logprobs, spread
from train.small_models import transformers_folder
from train.transformers_cases import configuration, generate, load

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import LoraConfig, ModelConfig, TrainError
from rlgym.train.distributed.process_group import SINGLE_PROCESS
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.backend import adapter_parameters, engine_copy, read_policy_shape, store_frozen_matrices
from rlgym.train.model.logprobs import score_pack
from rlgym.train.model.packing import pack
from rlgym.train.rollout.engines.base import SamplingParams
from rlgym.train.rollout.engines.transformers_engine import TransformersEngine
from rlgym.train.update.optimizers import parameter_groups
from rlgym.train.validate.report import check
from rlgym.train.validate.scale import check_ranks_of_model


@pytest.fixture(autouse=True)
def _peft(request):
    if request.node.get_closest_marker("peft"):
        pytest.importorskip("peft", reason="adapters of the transformers backend need peft: pip install 'rlvrgym[lora]'")


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gpt2")
    transformers_folder(folder, "gpt2")
    return folder


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_new_adapter_changes_nothing_and_its_seed_decides_it(qwen3_folder, backend):
    model = adapted(qwen3_folder, backend)
    assert torch.equal(logprobs(model), logprobs(load(qwen3_folder, backend)))
    repeated, other = adapted(qwen3_folder, backend), adapted(qwen3_folder, backend, seed=1)
    name = next(iter(model.lora.parameters))
    assert torch.equal(model.lora.parameters[name], repeated.lora.parameters[name])
    assert not torch.equal(model.lora.parameters[name], other.lora.parameters[name])


@pytest.mark.parametrize("backend", BACKENDS)
def test_merged_weights_give_the_logits_of_the_adapter(qwen3_folder, backend):
    model = adapted(qwen3_folder, backend)
    spread(model)
    assert (logprobs(model) - logprobs(load(qwen3_folder, backend))).abs().max() > 0.1
    torch.testing.assert_close(logprobs(engine_copy(model, torch.float32)), logprobs(model), rtol=0, atol=1e-4)


@pytest.mark.peft
@pytest.mark.parametrize("targets", ["all-linear", ["q_proj", "v_proj"], ["down_proj"]])
def test_both_backends_adapt_alike(qwen3_folder, targets):
    first, two = (adapted(qwen3_folder, backend, target_modules=targets) for backend in ("native", "transformers"))
    assert set(first.lora.parameters) == set(two.lora.parameters)
    spread(first)
    two.lora.load_state(first.lora.state())
    torch.testing.assert_close(logprobs(first), logprobs(two), rtol=0, atol=1e-4)
    for model in (first, two):
        logprob_T, entropy_T = score_pack(model, pack(SEQUENCES))
        (logprob_T.sum() + entropy_T.sum()).backward()
    for name, weight in first.lora.parameters.items():
        expected = two.lora.parameters[name].grad
        torch.testing.assert_close(weight.grad, expected, rtol=1e-3, atol=1e-4 * float(expected.abs().max()) + 1e-7, msg=name)


@pytest.mark.parametrize("backend", BACKENDS)
def test_only_the_adapter_is_trained(qwen3_folder, backend):
    model = adapted(qwen3_folder, backend, dropout=0.1)
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    (group,) = parameter_groups(model, 1.0)
    assert {id(weight) for weight in group["params"]} == {id(weight) for weight in model.lora.parameters.values()}
    optimizer = torch.optim.AdamW([group], lr=1e-2, weight_decay=0.1)
    score_pack(model, pack(SEQUENCES))[0].sum().backward()
    optimizer.step()
    trained = {id(weight) for weight in model.lora.parameters.values()}
    for name, weight in model.named_parameters():
        if id(weight) not in trained:
            assert weight.grad is None
            assert torch.equal(weight, before[name]), name
        elif "b_YR" in name or "lora_B" in name:
            assert not torch.equal(weight, before[name]), name


@pytest.mark.parametrize("backend", BACKENDS)
def test_gradient_checkpointing_gives_the_same_gradients(qwen3_folder, backend):
    found = []
    for recompute in (False, True):
        model = adapted(qwen3_folder, backend, dropout=0.2)
        spread(model)
        model.enable_gradient_checkpointing(recompute)
        torch.manual_seed(7)
        score_pack(model, pack(SEQUENCES))[0].sum().backward()
        found.append({name: weight.grad for name, weight in model.lora.parameters.items()})
    for name, gradient in found[0].items():
        torch.testing.assert_close(gradient, found[1][name], msg=name)
        assert gradient.any(), name


@pytest.mark.parametrize("backend", BACKENDS)
def test_dropout_applies_to_the_update_only(qwen3_folder, backend):
    model = adapted(qwen3_folder, backend, dropout=0.5)
    spread(model)
    assert torch.equal(logprobs(model), logprobs(model))
    assert not torch.equal(score_pack(model, pack(SEQUENCES))[0].detach(), logprobs(model))


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_reference_is_the_model_without_the_adapter_until_it_is_reset(qwen3_folder, backend):
    model = adapted(qwen3_folder, backend)
    spread(model)
    trained = logprobs(model)
    with model.lora.as_reference():
        assert torch.equal(logprobs(model), logprobs(load(qwen3_folder, backend)))
    assert torch.equal(logprobs(model), trained)
    model.lora.set_reference()
    spread(model, seed=1)
    changed = logprobs(model)
    with model.lora.as_reference():
        assert torch.equal(logprobs(model), trained)
    assert torch.equal(logprobs(model), changed)
    assert all(weight.requires_grad for weight in model.lora.parameters.values())


@pytest.mark.peft
@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing:FutureWarning")  # peft asks transformers 5 by the old name
@pytest.mark.parametrize("kind", ["gpt2", "gemma3", "qwen3_moe"])
def test_an_adapter_of_transformers_merges_and_peft_loads_it(kind, tmp_path):
    import peft

    folder = tmp_path / "model"
    transformers_folder(folder, kind)
    model = adapted(folder, "transformers")
    spread(model)
    torch.testing.assert_close(logprobs(engine_copy(model, torch.float32)), logprobs(model), rtol=0, atol=1e-4)
    model.lora.save(tmp_path / "adapter", str(folder))
    base = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    theirs = peft.PeftModel.from_pretrained(base, str(tmp_path / "adapter")).eval()
    with torch.no_grad():
        log_LV = torch.log_softmax(theirs(torch.tensor(SEQUENCES[1:2])).logits[0], -1)
    expected = log_LV[:-1].gather(1, torch.tensor(SEQUENCES[1][1:])[:, None]).squeeze(1)
    start = len(SEQUENCES[0])
    torch.testing.assert_close(logprobs(model)[start + 1 : start + len(SEQUENCES[1])], expected, rtol=0, atol=1e-4)


@pytest.mark.peft
@pytest.mark.parametrize("kind", ["gemma3", "qwen3_moe", "gpt2"])
def test_a_merged_model_is_saved_under_the_names_of_the_folder(tmp_path, kind):
    from safetensors.torch import load_file

    transformers_folder(tmp_path / "base", kind)
    model = adapted(tmp_path / "base", "transformers")
    spread(model)
    model.save(tmp_path / "merged")
    torch.testing.assert_close(logprobs(load(tmp_path / "merged")), logprobs(model), rtol=0, atol=1e-4)
    weights = dict(model.weights())  # what a vLLM engine receives
    saved = load_file(tmp_path / "merged" / "model.safetensors")
    assert set(weights) == set(saved) == set(load_file(tmp_path / "base" / "model.safetensors"))
    assert all(torch.equal(weights[name], saved[name]) for name in saved)


@pytest.mark.peft
@pytest.mark.parametrize("kind", ["gemma3", "qwen3_moe", "qwen2_moe", "phi"])
def test_an_engine_gets_merged_weights(tmp_path, kind):
    transformers_folder(tmp_path, kind)
    model = adapted(tmp_path, "transformers")
    engine = TransformersEngine(engine_copy(model, torch.float32), 4, 64)
    spread(model)
    engine.update_weights(model.module_weights(), 1)
    shape = read_policy_shape(ModelConfig(path=str(tmp_path)))
    config = ModelConfig(path=str(tmp_path), lora=LoraConfig(rank=4))
    assert adapter_parameters(config, shape) == sum(weight.numel() for weight in model.lora.parameters.values())
    (done,) = generate(engine, [([5, 6, 7], SamplingParams(12, seed=4))])
    logprob_T, _ = score_pack(model, pack([[5, 6, 7, *done.tokens]]))
    torch.testing.assert_close(torch.tensor(done.logprobs), logprob_T[3:].detach(), rtol=0, atol=1e-4)


@pytest.mark.parametrize("backend", BACKENDS)
def test_frozen_matrices_in_bfloat16_give_the_same_result_under_autocast(qwen3_folder, backend):
    model = adapted(qwen3_folder, backend)
    spread(model)
    with torch.autocast("cpu", torch.bfloat16):
        before = logprobs(model)
        store_frozen_matrices(model, torch.bfloat16)
        assert torch.equal(logprobs(model), before)
    assert sum(weight.dtype == torch.bfloat16 for weight in model.parameters()) >= 8
    assert all(weight.dtype == torch.float32 for weight in model.lora.parameters.values())


@pytest.mark.parametrize("backend", BACKENDS)
def test_targets_that_match_nothing_are_refused_with_the_candidates(qwen3_folder, backend):
    with pytest.raises(
        TrainError, match=r"no linear layer is called 'q_prj'. Did you mean 'q_proj'\? Candidates: down_proj, gate_proj, k_proj"
    ):
        adapted(qwen3_folder, backend, target_modules=["q_prj"])
    with pytest.raises(TrainError, match="is empty"):
        adapted(qwen3_folder, backend, target_modules=[])


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_check_counts_the_adapter(qwen3_folder, tmp_path, backend):
    given = configuration(qwen3_folder, tmp_path / "run", model={"path": str(qwen3_folder), "backend": backend, "lora": {"rank": 4}})
    config = Config.from_dict(given)
    model = adapted(qwen3_folder, backend)
    trained = sum(weight.numel() for weight in model.lora.parameters.values())
    assert adapter_parameters(config.model, read_policy_shape(config.model)) == trained
    report = check(config, SINGLE_PROCESS)
    assert report.memory.trained == trained
    assert report.memory.optimizer == 2 * report.memory.gradients == 8 * trained
    assert report.memory.parameters == sum(weight.numel() for weight in model.parameters())
    assert report.memory.weights == 4 * report.memory.parameters  # a reference policy needs no second copy
    names = "down_proj, gate_proj, k_proj, o_proj, q_proj, up_proj, v_proj"
    assert f"trained parameters: {trained:,} (adapters of {names})" in report.lines()
    with pytest.raises(TrainError, match="2 ranks"):
        check_ranks_of_model(config, 2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_run_resumes_to_the_bit_and_exports_a_merged_model(qwen3_folder, tmp_path, backend):
    lora = {"rank": 4, "dropout": 0.1}
    given = configuration(qwen3_folder, tmp_path / "run", model={"path": str(qwen3_folder), "backend": backend, "lora": lora})
    given |= {"sft": {"steps": 1, "batch_size": 2}, "steps": 3}
    given["update"] |= {"lr": 1e-2}
    train(Config.from_dict(given))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert all(line["grad_norm"] > 0 for line in lines[1:])
    assert lines[1]["kl"] == pytest.approx(0, abs=1e-6)  # the reference is the policy after SFT
    assert lines[-1]["kl"] > 1e-6
    checkpoints = tmp_path / "run" / "checkpoints"
    last = checkpoints / "1-rl-0000003"
    assert not (checkpoints / "1-rl-0000001" / "model").exists()
    adapter = (last / "adapter" / "adapter_model.safetensors").read_bytes()
    merged = transformers.AutoModelForCausalLM.from_pretrained(last / "model", dtype=torch.float32)
    transformers.AutoTokenizer.from_pretrained(last / "model")
    model = adapted(qwen3_folder, backend)
    model.lora.load(last / "adapter")
    with torch.no_grad():
        log_LV = torch.log_softmax(merged(torch.tensor(SEQUENCES[:1])).logits[0], -1)
    expected = log_LV[:-1].gather(1, torch.tensor(SEQUENCES[0][1:])[:, None]).squeeze(1)
    torch.testing.assert_close(logprobs(model)[1:5], expected, rtol=0, atol=1e-4)
    assert json.loads((last / "adapter" / "adapter_config.json").read_text())["r"] == 4
    kept = (tmp_path / "run" / "metrics.jsonl").read_bytes()
    for killed in ("1-rl-0000003", "1-rl-0000002"):
        shutil.rmtree(checkpoints / killed)
    train(Config.from_dict(given))
    assert (tmp_path / "run" / "metrics.jsonl").read_bytes() == kept
    assert (last / "adapter" / "adapter_model.safetensors").read_bytes() == adapter


def test_a_value_head_is_trained_and_saved_with_the_adapter(qwen3_folder, tmp_path):
    given = configuration(qwen3_folder, tmp_path / "run", model={"path": str(qwen3_folder), "lora": {"rank": 4}}, steps=2)
    given["algorithm"] = {"advantage": "ppo", "kl_coef": 0.01}
    train(Config.from_dict(given))
    kept = (tmp_path / "run" / "metrics.jsonl").read_bytes()
    shutil.rmtree(tmp_path / "run" / "checkpoints" / "1-rl-0000002")
    train(Config.from_dict(given))
    assert (tmp_path / "run" / "metrics.jsonl").read_bytes() == kept


def test_without_peft_the_error_names_the_package(gpt2, monkeypatch):
    import sys

    from rlgym.core.errors import PackageMissing

    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(PackageMissing, match=r"needs peft: install it with `pip install 'rlvrgym\[lora\]'`"):
        adapted(gpt2, "transformers")


def test_on_a_gpu_frozen_matrices_take_two_bytes(qwen3_folder, tmp_path):
    from rlgym.train.validate.memory import estimate_memory

    given = configuration(qwen3_folder, tmp_path / "run", model={"path": str(qwen3_folder), "lora": {"rank": 4}})
    config = Config.from_dict(given)
    model = adapted(qwen3_folder, "native")
    engine_bytes = 2 * sum(weight.numel() for weight in load(qwen3_folder, "native").parameters())
    store_frozen_matrices(model, torch.bfloat16)
    estimate = estimate_memory(config, model.shape, "cuda")
    assert estimate.weights == sum(weight.numel() * weight.element_size() for weight in model.parameters())
    assert estimate.engine == engine_bytes
