"""A policy of summed logits: its probabilities by hand, in the engine and in training, and a module that alone is trained and saved."""

import json
import shutil
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums, train_interrupted
from train.small_models import small_model

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import ModelConfig, TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.backend import engine_copy, load_policy_model, read_policy_shape
from rlgym.train.model.packing import pack
from rlgym.train.model.pretrained import ModelError, load_model
from rlgym.train.model.summed import summed_shape
from rlgym.train.rollout.engines.base import Continuation, SamplingParams
from rlgym.train.rollout.engines.native import NativeEngine
from rlgym.train.rollout.engines.scores import sample_prefixes
from rlgym.train.run import Run
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.memory import model_parameters


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A module that is trained, a backbone of another size, and a further module."""
    folder = tmp_path_factory.mktemp("models")
    small_model(folder / "module", max_seq_len=300, loud=1.0)
    small_model(folder / "backbone", num_layers=1, hidden_size=48, max_seq_len=280, seed=7, loud=2.0)
    small_model(folder / "other", num_layers=1, max_seq_len=300, seed=9, loud=1.0)
    return folder


def chosen(models, *others):
    return ModelConfig(path=str(models / "module"), summed_with=[str(models / name) for name in others])


def by_hand(models, names, tokens):
    """Log-probabilities of tokens after the first by the softmax of the summed logits of separate models."""
    total = 0.0
    for name in names:
        network, packed = load_model(models / name), pack([tokens])
        total = total + network.logits(network(packed.tokens_T, packed.positions_T, packed.attention))
    return torch.log_softmax(total, -1)[:-1].gather(1, torch.tensor(tokens)[1:, None]).squeeze(1)


TOKENS = [5, 9, 30, 2, 77, 41, 8]


@pytest.mark.parametrize("names", [("module", "backbone"), ("module", "backbone", "other")])
def test_the_probabilities_are_those_of_the_summed_logits(models, names):
    summed = load_policy_model(chosen(models, *names[1:]))
    expected = by_hand(models, names, TOKENS).detach()
    for model in (summed, engine_copy(summed, torch.float32)):
        engine = NativeEngine(model, max_num_seqs=2)
        [scored] = engine.score([Continuation(tuple(TOKENS[:2]), tuple(TOKENS[2:]))])
        torch.testing.assert_close(torch.tensor(scored), expected[1:], atol=1e-5, rtol=1e-4)
        [completion] = sample_prefixes(engine, [TOKENS[:3]], [SamplingParams(20, seed=3)])
        sampled = by_hand(models, names, [*TOKENS[:3], *completion.tokens]).detach()[2:]
        torch.testing.assert_close(torch.tensor(completion.logprobs), sampled, atol=1e-4, rtol=1e-3)
    assert summed.shape.max_seq_len == 280
    assert model_parameters(read_policy_shape(chosen(models, *names[1:]))) == sum(
        weight.numel() for name in names for weight in load_model(models / name).parameters()
    )


def config(models, out, **more):
    algorithm = {"advantage": "dr_grpo", "loss_options": {"clip_low": 1.0, "clip_high": 100.0}}
    given = sums(models / "module", out, algorithm=algorithm, **more)
    return Config.from_dict(given | {"model": {"path": str(models / "module"), "summed_with": [str(models / "backbone")]}})


def test_only_the_module_is_trained_with_the_gradient_of_the_sum_and_saved(models, tmp_path, monkeypatch):
    seen, gradients, episodes = [], [], []
    plain, step = Run.open.__func__, Run.optimizer_step
    monkeypatch.setattr(Run, "open", classmethod(lambda cls, given: seen.append(plain(cls, given)) or seen[-1]))
    from rlgym.train import loop

    update = loop.update_policy
    monkeypatch.setattr(loop, "update_policy", lambda run, given, timer: episodes.append(given) or update(run, given, timer))

    def stepped(run, clip):
        gradients.append({name: weight.grad for name, weight in run.model.named_parameters()})
        gradients[-1] = {name: None if grad is None else grad.clone() for name, grad in gradients[-1].items()}
        return step(run, clip)

    monkeypatch.setattr(Run, "optimizer_step", stepped)
    knowing(monkeypatch, lambda request: answer(request.turn == 0, request))
    train(config(models, tmp_path / "run", steps=1))
    assert all((grad is None) == name.startswith("frozen.") for name, grad in gradients[0].items())
    # By hand: the mean-only advantage times the log-probability of the sum, whose ratio to itself is 1.
    module, backbone = load_model(models / "module"), load_model(models / "backbone")
    count, loss = sum(episode.num_sampled for episode in episodes[0]), 0.0
    for episode in episodes[0]:
        packed = pack([episode.tokens])
        total = sum(network.logits(network(packed.tokens_T, packed.positions_T, packed.attention)) for network in (module, backbone))
        log = torch.log_softmax(total, -1)[:-1].gather(1, packed.tokens_T[1:, None]).squeeze(1)[torch.tensor(episode.loss_mask[1:])]
        loss = loss - (episode.reward - 0.25) * (log - log.detach()).exp().sum() / count
    loss.backward()
    for name, weight in module.named_parameters():
        torch.testing.assert_close(gradients[0][name], weight.grad, atol=2e-6, rtol=2e-3)
    # The frozen model is as it was, and the saved folder is the module alone.
    for mine, was in zip(seen[0].model.frozen[0].parameters(), load_model(models / "backbone").parameters(), strict=True):
        torch.testing.assert_close(mine, was)
    saved = load_model(sorted((tmp_path / "run" / "checkpoints").iterdir())[-1] / "model")
    own = dict(saved.named_parameters())
    assert own.keys() == dict(module.named_parameters()).keys()
    assert any(not torch.equal(own[name], weight) for name, weight in module.named_parameters())
    for name, weight in own.items():
        torch.testing.assert_close(weight, dict(seen[0].model.named_parameters())[name].detach())


def test_a_resumed_run_goes_on_to_the_bit(models, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.key % 3 == 0, request))
    train(config(models, tmp_path / "whole", steps=3))
    train_interrupted(monkeypatch, config(models, tmp_path / "stopped", steps=3))
    whole, stopped = ([line["grad_norm"] for line in read_lines(tmp_path / name / "metrics.jsonl")] for name in ("whole", "stopped"))
    assert whole == stopped


@pytest.mark.parametrize(("field", "value"), [("head_dim", 8), ("num_kv_heads", 7), ("vocab_size", 9)])
def test_models_that_cannot_be_summed_are_refused(models, field, value):
    shape = read_policy_shape(chosen(models))
    with pytest.raises(
        ModelError, match=rf"model.summed_with: the trained model has {field}={getattr(shape, field)} and a frozen one {value}"
    ):
        summed_shape([shape, replace(shape, **{field: value})])


def test_what_a_sum_does_not_support_is_refused(models, tmp_path):
    given = config(models, tmp_path / "run").model_dump()
    given["model"]["lora"] = {"rank": 2}
    with pytest.raises(TrainError, match=r"model.summed_with does not support model.lora"):
        check_algorithms(Config.from_dict(given))
    # After the supervised phase the reference becomes a copy of the policy, which a sum has none of.
    for name, section in (("algorithm", {"kl_coef": 0.1}), ("rollout", {"recorded": str(tmp_path)})):
        given = config(models, tmp_path / "run").model_dump()
        given["sft"], given["update"]["old_logprobs"] = {"steps": 1}, "rollout"
        given[name] |= section
        with pytest.raises(TrainError, match=r"model.summed_with does not support sft"):
            check_algorithms(Config.from_dict(given))


def test_models_with_other_words_for_the_same_numbers_are_refused(models, tmp_path):
    shutil.copytree(models / "backbone", tmp_path / "renamed")
    tokenizer = tmp_path / "renamed" / "tokenizer.json"
    content = json.loads(tokenizer.read_text())
    words = content["model"]["vocab"]
    words["a"], words["b"] = words["b"], words["a"]
    tokenizer.write_text(json.dumps(content))
    given = config(models, tmp_path / "run").model_dump()
    check_algorithms(Config.from_dict(given))
    given["model"]["summed_with"] = [str(tmp_path / "renamed")]
    with pytest.raises(TrainError, match=r"model.summed_with='.*renamed' has another tokenizer than model.path"):
        check_algorithms(Config.from_dict(given))


def test_a_judge_is_not_the_trained_part_of_a_sum(models, tmp_path):
    given = config(models, tmp_path / "run").model_dump()
    given["second_models"] = {"judge": {}}
    given["algorithm"]["judge_reward"] = {"model": "judge"}
    with pytest.raises(TrainError, match=r"second_models.judge.path is empty"):
        check_algorithms(Config.from_dict(given))
    given["second_models"]["judge"]["path"] = str(models / "backbone")
    check_algorithms(Config.from_dict(given))
