"""Models of transformers behind the interface of the native decoder: the same numbers, for every architecture."""

import json

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from train.small_models import small_model, transformers_folder

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import ModelConfig, TrainError
from rlgym.train.distributed.process_group import SINGLE_PROCESS
from rlgym.train.logging.metrics import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import train
from rlgym.train.model.backend import choose_backend, engine_copy, load_policy_model, read_policy_shape
from rlgym.train.model.logprobs import score_pack
from rlgym.train.model.packing import pack
from rlgym.train.model.prefix_sharing import pack_prefix_groups
from rlgym.train.model.pretrained import ModelError
from rlgym.train.rollout.engines.base import SamplingParams
from rlgym.train.rollout.engines.transformers_engine import TransformersEngine
from rlgym.train.validate.report import check
from rlgym.train.validate.scale import check_ranks_of_model

KINDS = ("gemma3", "qwen3_moe", "gpt2", "phi")
PROMPTS = [[5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19], list(range(20, 60)), [5, 6, 7, 8], [200]]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    places = {kind: tmp_path_factory.mktemp(kind) for kind in KINDS}
    for kind, place in places.items():
        transformers_folder(place, kind)
    return places


@pytest.fixture(scope="module")
def qwen3(tmp_path_factory):
    folder = tmp_path_factory.mktemp("qwen3")
    small_model(folder, loud=3.0)
    return folder


def load(folder, backend="transformers", **more):
    return load_policy_model(ModelConfig(path=str(folder), backend=backend), **more)


def scored(model, packed, temperature=1.0):
    logprob_T, entropy_T = score_pack(model, packed, temperature=temperature)
    weight_T = torch.linspace(-1, 1, len(logprob_T))
    (logprob_T * weight_T + 0.1 * entropy_T * weight_T.flip(0)).sum().backward()
    return logprob_T.detach(), entropy_T.detach()


def gradients(model):
    """Gradients by their Hugging Face names."""
    saved = {name: weight.data for name, weight in model.named_parameters()}
    for weight in model.parameters():
        weight.data = weight.grad if weight.grad is not None else torch.zeros_like(weight)
    found = {name: weight.clone() for name, weight in model.weights()}
    for name, weight in model.named_parameters():
        weight.data = saved[name]
    return found


@pytest.mark.parametrize("shared", [False, True])
def test_both_backends_give_the_same_logprobs_and_gradients(qwen3, shared):
    native, second = load(qwen3, "native"), load(qwen3)
    if shared:
        sequences = [[5, 6, 7, 8, 9], [5, 6, 7, 20, 21, 22], [30] * 40]
        packed = pack_prefix_groups(sequences, [3, 3, 1], [[0, 1], [2]])
    else:
        packed = pack(PROMPTS[:3])
    for model, results in ((native, []), (second, [])):
        results += scored(model, packed, temperature=0.8)
        model.results = results
    for first, two in zip(native.results, second.results):
        torch.testing.assert_close(first, two, rtol=0, atol=1e-4)
    assert native.results[0].abs().max() > 5
    first, two = gradients(native), gradients(second)
    assert set(first) == set(two)
    for name in first:
        torch.testing.assert_close(first[name], two[name], rtol=1e-3, atol=1e-4 * float(first[name].abs().max()) + 1e-7, msg=name)


@pytest.mark.parametrize("kind", KINDS)
def test_packed_logprobs_are_those_of_each_sequence_alone(folders, kind):
    model = load(folders[kind])
    plain = transformers.AutoModelForCausalLM.from_pretrained(folders[kind], dtype=torch.float32).eval()
    packed = pack(PROMPTS)
    logprob_T, entropy_T = score_pack(model, packed)
    start = 0
    for prompt in PROMPTS:
        with torch.no_grad():
            log_LV = torch.log_softmax(plain(torch.tensor([prompt])).logits[0], -1)
        expected = log_LV[:-1].gather(1, torch.tensor(prompt[1:])[:, None]).squeeze(1)
        torch.testing.assert_close(logprob_T[start + 1 : start + len(prompt)], expected, rtol=0, atol=1e-4)
        expected = -(log_LV.exp() * log_LV).sum(-1)[:-1]
        torch.testing.assert_close(entropy_T[start + 1 : start + len(prompt)], expected, rtol=0, atol=1e-4)
        start += len(prompt)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_autograd_through_plain_logits(folders, kind):
    model = load(folders[kind])
    model.enable_gradient_checkpointing(kind in ("gemma3", "gpt2"))
    scored(model, pack(PROMPTS[1:2]))
    plain = transformers.AutoModelForCausalLM.from_pretrained(folders[kind], dtype=torch.float32).eval()
    log_LV = torch.log_softmax(plain(torch.tensor(PROMPTS[1:2])).logits[0], -1)[:-1]
    logprob_L = log_LV.gather(1, torch.tensor(PROMPTS[1][1:])[:, None]).squeeze(1)
    weight_T = torch.linspace(-1, 1, len(PROMPTS[1]))
    (logprob_L * weight_T[1:] - 0.1 * (log_LV.exp() * log_LV).sum(-1) * weight_T.flip(0)[1:]).sum().backward()
    expected = {name: weight.grad for name, weight in plain.named_parameters()}
    for name, weight in model.network.named_parameters():
        if expected[name] is None:  # an expert that no token visits
            assert weight.grad is None or not weight.grad.any()
            continue
        scale = float(expected[name].abs().max())
        torch.testing.assert_close(weight.grad, expected[name], rtol=1e-3, atol=1e-4 * scale + 1e-7, msg=name)


@pytest.mark.parametrize("kind", KINDS)
def test_bfloat16_is_near_float32_and_keeps_float32_weights_and_gradients(folders, kind):
    model = load(folders[kind])
    exact_T, _ = score_pack(model, pack(PROMPTS[:3]))
    with torch.autocast("cpu", torch.bfloat16):
        logprob_T, _ = score_pack(model, pack(PROMPTS[:3]))
    logprob_T.sum().backward()
    assert logprob_T.dtype == torch.float32
    assert (logprob_T - exact_T).abs().median() < 0.1
    assert not torch.equal(logprob_T, exact_T)
    assert all(weight.dtype == weight.grad.dtype == torch.float32 for weight in model.parameters() if weight.grad is not None)


def generate(engine, requests):
    for key, (prompt, sampling) in enumerate(requests):
        engine.submit(key, prompt, sampling)
    done = {}
    while engine.pending:
        done |= dict(engine.step())
    return [done[key] for key in range(len(requests))]


@pytest.mark.parametrize("kind", KINDS)
def test_sampled_logprobs_are_those_of_the_scoring_forward(folders, kind):
    model = load(folders[kind])
    engine = TransformersEngine(model, max_num_seqs=4, max_seq_len=64)
    requests = [(prompt, SamplingParams(30, 0.9, 1.0, 0, (70, 71, 72), seed)) for seed, prompt in enumerate(PROMPTS)]
    together = generate(engine, requests)
    assert {len(done.tokens) for done in together} != {30}, "no request ends early"
    for (prompt, sampling), done in zip(requests, together):
        (alone,) = generate(engine, [(prompt, sampling)])
        assert alone.tokens == done.tokens
        logprob_T, _ = score_pack(model, pack([[*prompt, *done.tokens]]), temperature=0.9)
        torch.testing.assert_close(torch.tensor(done.logprobs), logprob_T[len(prompt) :].detach(), rtol=0, atol=1e-4)
        assert done.stopped == (done.tokens[-1] in sampling.stop)


def test_both_engines_sample_the_same_tokens(qwen3):
    from rlgym.train.rollout.engines.native import NativeEngine

    requests = [(prompt, SamplingParams(20, 1.0, 0.9, 40, (1,), seed)) for seed, prompt in enumerate(PROMPTS)]
    requests.append(([5, 6], SamplingParams(5, temperature=0.0)))
    item = generate(NativeEngine(load(qwen3, "native"), 8, 64), requests)
    two = generate(TransformersEngine(load(qwen3), 8, 64), requests)
    assert [done.tokens for done in item] == [done.tokens for done in two]
    for a, b in zip(item, two):
        assert a.logprobs == pytest.approx(b.logprobs, abs=1e-4)


def test_a_prompt_without_room_ends_at_once_and_bad_requests_are_refused(qwen3):
    engine = TransformersEngine(load(qwen3), 4, 8)
    (done,) = generate(engine, [(list(range(8)), SamplingParams(5))])
    assert (done.tokens, done.stopped) == ((), False)
    with pytest.raises(ValueError, match="outside the vocabulary"):
        engine.submit(0, [100_000], SamplingParams(5))


@pytest.mark.parametrize("kind", KINDS)
def test_the_copy_of_an_engine_follows_new_weights(folders, kind):
    model = load(folders[kind])
    engine = TransformersEngine(engine_copy(model, torch.float32), 4, 64)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(0.01 * torch.randn_like(weight))
    requests = [(prompt, SamplingParams(5, seed=1)) for prompt in PROMPTS[:2]]
    before = generate(engine, requests)
    engine.update_weights(model.module_weights(), 1)
    after = generate(engine, requests)
    assert before[0].logprobs != after[0].logprobs
    for prompt, done in zip(PROMPTS, after):
        assert done.version == 1
        logprob_T, _ = score_pack(model, pack([[*prompt, *done.tokens]]))
        torch.testing.assert_close(torch.tensor(done.logprobs), logprob_T[len(prompt) :].detach(), rtol=0, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_have_the_names_of_the_folder(folders, kind):
    from safetensors.torch import load_file

    on_disk = load_file(folders[kind] / "model.safetensors")
    weights = dict(load(folders[kind]).weights())
    assert set(weights) == set(on_disk)
    for name, weight in weights.items():
        assert torch.equal(weight, on_disk[name].float()), name


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_model_is_the_model(folders, kind, tmp_path):
    model = load(folders[kind])
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(1.01)
    model.save(tmp_path / "saved")
    loaded = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "saved", dtype=torch.float32)
    for (name, item), (_, two) in zip(model.network.named_parameters(), loaded.named_parameters(), strict=True):
        assert torch.equal(item, two), name
    before, after = (json.loads((place / "config.json").read_text()) for place in (folders[kind], tmp_path / "saved"))
    for name in ("architectures", "resid_pdrop", "embd_pdrop", "model_type", "max_position_embeddings"):
        assert before.get(name) == after.get(name), name


def test_a_generation_config_with_flags_that_it_ignores_does_not_prevent_saving(tmp_path):
    transformers_folder(tmp_path / "model", "gpt2")
    file = tmp_path / "model" / "generation_config.json"
    file.write_text(json.dumps({"temperature": 0.5, "top_p": 0.9, "do_sample": False, "bos_token_id": 5}))
    load(tmp_path / "model").save(tmp_path / "saved")
    saved = json.loads((tmp_path / "saved" / "generation_config.json").read_text())
    assert saved["bos_token_id"] == 5
    assert saved.get("temperature") is saved.get("top_p") is None


def test_auto_prefers_native_and_native_refuses_what_it_lacks(folders, qwen3):
    assert choose_backend(ModelConfig(path=str(qwen3))).line() == "model backend: native (qwen3)"
    line = choose_backend(ModelConfig(path=str(folders["gpt2"]))).line()
    assert line == "model backend: transformers (gpt2: the native decoder lacks this architecture)"
    with pytest.raises(TrainError, match=r"model\.backend='native': model_type 'gpt2' is not supported.*'transformers' or 'auto'"):
        choose_backend(ModelConfig(path=str(folders["gpt2"]), backend="native"))


def test_auto_takes_transformers_for_a_feature_that_native_lacks(qwen3, tmp_path):
    config = json.loads((qwen3 / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"attention_bias": True}))
    line = choose_backend(ModelConfig(path=str(tmp_path))).line()
    assert line == "model backend: transformers (qwen3: the model uses attention_bias, which the native decoder does not support)"


def test_an_unknown_architecture_and_quantised_weights_are_refused(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "nonesuch"}')
    with pytest.raises(ModelError, match="cannot build the model type 'nonesuch'"):
        read_policy_shape(ModelConfig(path=str(tmp_path)))
    (tmp_path / "config.json").write_text('{"model_type": "gpt2", "quantization_config": {"bits": 4}}')
    with pytest.raises(ModelError, match="quantised"):
        load(tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_sizes_are_read_without_weights(folders, kind):
    shape = read_policy_shape(ModelConfig(path=str(folders[kind])))
    model = load(folders[kind])
    assert shape == model.shape
    assert shape.parameters == sum(weight.numel() for weight in model.network.parameters())
    assert (shape.vocab_size, shape.max_seq_len) == (262, 512)
    if kind == "qwen3_moe":
        assert shape.active_parameters < shape.parameters - 262 * 48


def test_a_model_without_a_cache_of_keys_and_values_needs_another_engine(tmp_path):
    transformers_folder(tmp_path, "mamba", loud=1.0)
    model = load(tmp_path)
    assert score_pack(model, pack(PROMPTS[:2]))[0].isfinite().all()
    with pytest.raises(TrainError, match=r"'mamba' keeps no cache .* set rollout\.engine='vllm'"):
        TransformersEngine(model)


def test_weights_of_another_network_are_refused(folders):
    model = load(folders["gpt2"])
    with pytest.raises(ValueError, match="has no weight 'other'"):
        model.load_module_weights([("other", torch.zeros(1))])
    with pytest.raises(ValueError, match="weights are missing"):
        model.load_module_weights([])


def configuration(folder, out, **more):
    given = {
        "model": {"path": str(folder), "backend": "transformers"},
        "output_dir": str(out),
        "seed": 1,
        "tasks": [{"names": ["chain_sum"]}],
        "steps": 2,
        "rollout": {"groups_per_step": 2, "group_size": 3, "max_new_tokens": 8, "max_seq_len": 250, "engine_options": {"max_num_seqs": 6}},
        "update": {"lr": 1e-3, "warmup_steps": 0, "tokens_per_micro_batch": 2000},
        "algorithm": {"filter_zero_std": False, "advantage": "dr_grpo", "kl_coef": 0.01, "entropy_coef": 0.1},
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 1},
        "checkpoints": {"every_steps": 1, "keep_last": 9},
        "compute": {"device": "cpu", "cpu_threads": 1},
    }
    return given | more


class Noted(ProgressCallback):
    def __init__(self):
        self.lines = []

    def on_model_loaded(self, description):
        self.lines.append(description)


@pytest.mark.parametrize("kind", ["gemma3", "gpt2"])
def test_a_run_trains_resumes_to_the_bit_and_exports(folders, kind, tmp_path):
    import shutil

    given = configuration(folders[kind], tmp_path / "run", sft={"steps": 1, "batch_size": 2}, steps=2)
    callback = Noted()
    train(Config.from_dict(given), callback)
    assert callback.lines[0].startswith("model backend: transformers")
    metrics = read_lines(tmp_path / "run" / "metrics.jsonl")[1:]
    assert all(line["logprob_diff"] < 1e-5 for line in metrics)
    assert all(line["grad_norm"] > 0 for line in metrics)
    last = tmp_path / "run" / "checkpoints" / "1-rl-0000002"
    kept = (tmp_path / "run" / "metrics.jsonl").read_bytes()
    weights = transformers.AutoModelForCausalLM.from_pretrained(last / "model").state_dict()
    start = transformers.AutoModelForCausalLM.from_pretrained(folders[kind]).state_dict()
    assert any(not torch.equal(weights[name], start[name]) for name in weights)
    shutil.rmtree(last)
    train(Config.from_dict(given))
    assert (tmp_path / "run" / "metrics.jsonl").read_bytes() == kept
    repeated = transformers.AutoModelForCausalLM.from_pretrained(last / "model").state_dict()
    assert all(torch.equal(weights[name], repeated[name]) for name in weights)


def test_a_value_head_and_asynchronous_rollouts_work(folders, tmp_path):
    given = configuration(folders["phi"], tmp_path / "run", steps=1)
    given["algorithm"] = {"advantage": "ppo"}
    train(Config.from_dict(given))
    assert (tmp_path / "run" / "checkpoints" / "1-rl-0000001" / "value_head.safetensors").exists()
    given = configuration(folders["qwen3_moe"], tmp_path / "async", steps=2)
    given["rollout"] |= {"async_steps": 1}
    given["update"] |= {"old_logprobs": "rollout"}
    train(Config.from_dict(given))
    assert [line["staleness"] for line in read_lines(tmp_path / "async" / "metrics.jsonl")][1] > 0


def test_both_backends_train_alike(qwen3, tmp_path):
    lines = []
    for backend in ("native", "transformers"):
        given = configuration(qwen3, tmp_path / backend, steps=2)
        given["model"]["backend"] = backend
        train(Config.from_dict(given))
        lines.append(read_lines(tmp_path / backend / "metrics.jsonl"))
    for first, two in zip(*lines):
        assert first["grad_norm"] > 0
        for name in ("loss", "grad_norm", "entropy", "reward", "kl"):
            assert two[name] == pytest.approx(first[name], rel=1e-3, abs=1e-5), name


def test_a_check_counts_a_model_of_transformers(folders, tmp_path):
    report = check(Config.from_dict(configuration(folders["qwen3_moe"], tmp_path / "run")), SINGLE_PROCESS)
    parameters = read_policy_shape(ModelConfig(path=str(folders["qwen3_moe"]))).parameters
    assert report.memory.parameters == parameters
    assert report.memory.optimizer == 8 * parameters
    assert report.lines()[0] == "model backend: transformers (qwen3_moe)"


def test_what_the_backend_cannot_do_is_refused(folders, tmp_path):
    given = configuration(folders["gpt2"], tmp_path / "run")
    with pytest.raises(TrainError, match="does not support 2 ranks"):
        check_ranks_of_model(Config.from_dict(given), 2)
    given["compute"] |= {"compile": True}
    with pytest.raises(TrainError, match=r"compute\.compile=true needs the native backend"):
        check(Config.from_dict(given), SINGLE_PROCESS)
