"""Models of transformers behind the interface of the native decoder: the same numbers, for every architecture."""

import json

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from train.small_models import transformers_folder
from train.transformers_cases import KINDS, generate, load

from rlgym.train.config.sections import ModelConfig, TrainError
from rlgym.train.model.backend import choose_backend, engine_copy, read_policy_shape
from rlgym.train.model.logprobs import score_pack
from rlgym.train.model.packing import pack
from rlgym.train.model.prefix_sharing import pack_prefix_groups
from rlgym.train.model.pretrained import ModelError
from rlgym.train.rollout.engines.base import Continuation, SamplingParams
from rlgym.train.rollout.engines.scores import sample_prefixes
from rlgym.train.rollout.engines.transformers_engine import TransformersEngine

PROMPTS = [[5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19], list(range(20, 60)), [5, 6, 7, 8], [200]]


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
def test_both_backends_give_the_same_logprobs_and_gradients(qwen3_folder, shared):
    native, second = load(qwen3_folder, "native"), load(qwen3_folder)
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
def test_packed_logprobs_are_those_of_each_sequence_alone(model_folders, kind):
    model = load(model_folders[kind])
    plain = transformers.AutoModelForCausalLM.from_pretrained(model_folders[kind], dtype=torch.float32).eval()
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
def test_gradients_are_those_of_autograd_through_plain_logits(model_folders, kind):
    model = load(model_folders[kind])
    model.enable_gradient_checkpointing(kind in ("gemma3", "gpt2"))
    scored(model, pack(PROMPTS[1:2]))
    plain = transformers.AutoModelForCausalLM.from_pretrained(model_folders[kind], dtype=torch.float32).eval()
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
def test_bfloat16_is_near_float32_and_keeps_float32_weights_and_gradients(model_folders, kind):
    model = load(model_folders[kind])
    exact_T, _ = score_pack(model, pack(PROMPTS[:3]))
    with torch.autocast("cpu", torch.bfloat16):
        logprob_T, _ = score_pack(model, pack(PROMPTS[:3]))
    logprob_T.sum().backward()
    assert logprob_T.dtype == torch.float32
    assert (logprob_T - exact_T).abs().median() < 0.1
    assert not torch.equal(logprob_T, exact_T)
    assert all(weight.dtype == weight.grad.dtype == torch.float32 for weight in model.parameters() if weight.grad is not None)


@pytest.mark.parametrize("kind", KINDS)
def test_sampled_logprobs_are_those_of_the_scoring_forward(model_folders, kind):
    model = load(model_folders[kind])
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


def test_both_engines_sample_the_same_tokens(qwen3_folder):
    from rlgym.train.rollout.engines.native import NativeEngine

    requests = [(prompt, SamplingParams(20, 1.0, 0.9, 40, (1,), seed)) for seed, prompt in enumerate(PROMPTS)]
    requests.append(([5, 6], SamplingParams(5, temperature=0.0)))
    item = generate(NativeEngine(load(qwen3_folder, "native"), 8, 64), requests)
    two = generate(TransformersEngine(load(qwen3_folder), 8, 64), requests)
    assert [done.tokens for done in item] == [done.tokens for done in two]
    for a, b in zip(item, two):
        assert a.logprobs == pytest.approx(b.logprobs, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_given_tokens_and_continued_prefixes_are_scored_as_sampled(model_folders, kind):
    engine = TransformersEngine(load(model_folders[kind]), max_num_seqs=4, max_seq_len=64)
    samplings = [SamplingParams(9, seed=seed) for seed in range(3)]
    first = sample_prefixes(engine, [[3, 9, 4]] * 3, samplings)
    prefixes = [(3, 9, 4, *completion.tokens[:4]) for completion in first]
    later = sample_prefixes(engine, prefixes, samplings)
    scores = engine.score([Continuation(prefix, completion.tokens) for prefix, completion in zip(prefixes, later, strict=True)])
    for completion, logprobs in zip(later, scores, strict=True):
        assert logprobs == pytest.approx(completion.logprobs, abs=1e-4)


def test_both_engines_score_alike(qwen3_folder):
    from rlgym.train.model.pretrained import load_model
    from rlgym.train.rollout.engines.native import NativeEngine

    given = [Continuation((3, 20 + n, 4), tuple(range(40, 40 + 4 * n))) for n in range(4)]
    for temperature in (1.0, 0.7):
        one = NativeEngine(load_model(qwen3_folder), 4, 64).score(given, temperature)
        two = TransformersEngine(load(qwen3_folder), 4, 64).score(given, temperature)
        for mine, other in zip(one, two, strict=True):
            assert mine == pytest.approx(other, abs=1e-5)


def test_a_prompt_without_room_ends_at_once_and_bad_requests_are_refused(qwen3_folder):
    engine = TransformersEngine(load(qwen3_folder), 4, 8)
    (done,) = generate(engine, [(list(range(8)), SamplingParams(5))])
    assert (done.tokens, done.stopped) == ((), False)
    with pytest.raises(ValueError, match="outside the vocabulary"):
        engine.submit(0, [100_000], SamplingParams(5))


@pytest.mark.parametrize("kind", KINDS)
def test_the_copy_of_an_engine_follows_new_weights(model_folders, kind):
    model = load(model_folders[kind])
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
def test_weights_have_the_names_of_the_folder(model_folders, kind):
    from safetensors.torch import load_file

    on_disk = load_file(model_folders[kind] / "model.safetensors")
    weights = dict(load(model_folders[kind]).weights())
    assert set(weights) == set(on_disk)
    for name, weight in weights.items():
        assert torch.equal(weight, on_disk[name].float()), name


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_model_is_the_model(model_folders, kind, tmp_path):
    model = load(model_folders[kind])
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(1.01)
    model.save(tmp_path / "saved")
    loaded = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "saved", dtype=torch.float32)
    for (name, item), (_, two) in zip(model.network.named_parameters(), loaded.named_parameters(), strict=True):
        assert torch.equal(item, two), name
    before, after = (json.loads((place / "config.json").read_text()) for place in (model_folders[kind], tmp_path / "saved"))
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


def test_auto_prefers_native_and_native_refuses_what_it_lacks(model_folders, qwen3_folder):
    assert choose_backend(ModelConfig(path=str(qwen3_folder))).line() == "model backend: native (qwen3)"
    line = choose_backend(ModelConfig(path=str(model_folders["gpt2"]))).line()
    assert line == "model backend: transformers (gpt2: the native decoder lacks this architecture)"
    with pytest.raises(TrainError, match=r"model\.backend='native': model_type 'gpt2' is not supported.*'transformers' or 'auto'"):
        choose_backend(ModelConfig(path=str(model_folders["gpt2"]), backend="native"))


def test_auto_takes_transformers_for_a_feature_that_native_lacks(qwen3_folder, tmp_path):
    config = json.loads((qwen3_folder / "config.json").read_text())
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
def test_sizes_are_read_without_weights(model_folders, kind):
    shape = read_policy_shape(ModelConfig(path=str(model_folders[kind])))
    model = load(model_folders[kind])
    assert shape == model.shape
    assert shape.parameters == sum(weight.numel() for weight in model.network.parameters())
    assert (shape.vocab_size, shape.max_seq_len) == (262, 512)
    if kind == "qwen3_moe":
        assert shape.active_parameters < shape.parameters - 262 * 48


@pytest.mark.parametrize("kind", ["mamba", "qwen3_next"])
def test_a_model_with_recurrent_layers_is_sampled_without_a_cache(tmp_path, kind):
    transformers_folder(tmp_path, kind, loud=1.0)
    model = load(tmp_path)
    engine = TransformersEngine(model, max_num_seqs=4, max_seq_len=64)
    assert not engine.uses_cache
    requests = [(prompt, SamplingParams(12, 0.9, 1.0, 0, (70, 71, 72), seed)) for seed, prompt in enumerate(PROMPTS)]
    together = generate(engine, requests)
    for (prompt, sampling), done in zip(requests, together):
        (alone,) = generate(engine, [(prompt, sampling)])
        assert alone.tokens == done.tokens
        logprob_T, _ = score_pack(model, pack([[*prompt, *done.tokens]]), temperature=0.9)
        torch.testing.assert_close(torch.tensor(done.logprobs), logprob_T[len(prompt) :].detach(), rtol=0, atol=1e-4)
        with torch.no_grad():
            expected_V = model.network(torch.tensor([prompt]), use_cache=False).logits[0, -1].div(0.9).log_softmax(-1)
        assert float(expected_V[done.tokens[0]]) == pytest.approx(done.logprobs[0], abs=1e-4)


def test_weights_of_another_network_are_refused(model_folders):
    model = load(model_folders["gpt2"])
    with pytest.raises(ValueError, match="has no weight 'other'"):
        model.load_module_weights([("other", torch.zeros(1))])
    with pytest.raises(ValueError, match="weights are missing"):
        model.load_module_weights([])
