"""Rewards from likelihoods against numbers computed by hand, what they are for, and runs that learn from them."""

from math import exp, log

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, learned_from, sums
from train.small_models import by_hand, small_model

from rlgym.train.config.rewards import LikelihoodRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.registry import OptionError
from rlgym.train.rollout.likelihood import ScoredTokens, likelihood_value
from rlgym.train.validate.algorithms import check_algorithms


def value(kind, scored, **more):
    return likelihood_value(scored, LikelihoodRewardConfig(kind=kind, **more))


def logs(*probabilities):
    return tuple(map(log, probabilities))


def test_every_kind_by_hand():
    scored = ScoredTokens(reference=logs(0.5, 0.8), plain=logs(0.4, 0.5), own=logs(0.5, 0.4))
    assert value("prob", scored) == pytest.approx(0.4)
    assert value("logprob", scored) == pytest.approx(log(0.4))
    assert value("mean_prob", scored) == pytest.approx(0.65)
    assert value("mean_logprob", scored) == pytest.approx(log(0.4) / 2)
    assert value("gain", scored) == pytest.approx(0.65 - 0.45)
    # The own answer has the mean probability 0.45, so the gap is 0.2: at most 0.65 / 2, and above 0.65 / 4.
    assert value("diverse", scored) == pytest.approx(0.65 + 0.5 * 0.2)
    assert value("diverse", scored, diversity_ratio=4) == pytest.approx(0.65)
    # The first token varies three times as much over the group, so its gain counts three times as much; the own answer is one token longer.
    spread = ScoredTokens(reference=logs(0.5, 0.8), plain=logs(0.25, 0.8), own=logs(0.5, 0.4, 0.1), spread=(0.6, 0.2))
    assert value("reflective", spread) == pytest.approx(0.75 * log(2))
    assert value("reflective", spread, length_penalty=0.4) == pytest.approx(0.75 * log(2) - 0.4 / 2)
    # Mean -log of the response: 1 given the prompt, 4 alone.
    assert value("self_aligned", ScoredTokens(response=(-1.0, -1.0), alone=(-3.0, -5.0))) == pytest.approx(0.75)
    assert value("self_aligned", ScoredTokens(response=(-9.0,), alone=(-3.0,))) == -1


def test_reasoning_that_does_not_help_gains_nothing_and_the_gain_stays_within_0_and_1():
    generator = torch.Generator().manual_seed(0)
    for _ in range(200):
        reference, plain = (torch.rand(4, generator=generator).clamp(min=1e-6).log().tolist() for _ in range(2))
        gain = value("gain", ScoredTokens(reference=reference, plain=plain))
        assert 0 <= gain <= 1
        assert (gain > 0) == (sum(map(exp, reference)) > sum(map(exp, plain)))
        assert value("gain", ScoredTokens(reference=reference, plain=reference)) == 0
        # A single unlikely token ruins the product and not the mean.
        spoiled = ScoredTokens(reference=[*reference[:3], -50.0])
        assert value("prob", spoiled) < 1e-15
        assert value("mean_prob", spoiled) == pytest.approx(sum(map(exp, reference[:3])) / 4)


def test_tokens_that_do_not_depend_on_the_reasoning_do_not_dilute_the_reflective_reward():
    """With many tokens that every reasoning makes equally likely the mean falls, and the reflective reward stays."""
    generator = torch.Generator().manual_seed(0)
    for _ in range(50):
        after, before = (torch.rand(2, generator=generator).clamp(min=1e-3).log().tolist() for _ in range(2))
        alone = ScoredTokens(reference=after[:1], plain=before[:1], own=after[:1], spread=(0.5,))
        constant = [after[1]] * 9
        diluted = ScoredTokens(
            reference=after[:1] + constant, plain=before[:1] + constant, own=after[:1] + constant, spread=(0.5, *[0.0] * 9)
        )
        assert value("reflective", diluted) == pytest.approx(value("reflective", alone))
        assert value("reflective", alone) == pytest.approx(after[0] - before[0])
    assert value("reflective", ScoredTokens(reference=after, plain=before, own=after, spread=(0.0, 0.0))) == 0


def configuration(start, out, **likelihood):
    return {
        "model": str(start),
        "output_dir": str(out),
        "tasks": [{"names": ["chain_sum"]}],
        "steps": 2,
        "rollout": {"groups_per_step": 2, "group_size": 3, "max_new_tokens": 40, "max_seq_len": 250},
        "update": {"lr": 1e-3, "warmup_steps": 0, "tokens_per_micro_batch": 3000},
        "algorithm": {"advantage": "dr_grpo", "likelihood_reward": likelihood},
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 1},
        "compute": {"device": "cpu", "cpu_threads": 1},
    }


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, max_seq_len=300, loud=1.0)
    return folder


def test_a_run_is_rewarded_by_the_probability_of_the_reference_answer(start, tmp_path, monkeypatch):
    learned = learned_from(monkeypatch)
    train(Config.from_dict(configuration(start, tmp_path / "run", kind="mean_prob", weight=2.0)))
    model = load_model(start)
    tokenizer = load_tokenizer(start)

    def encode(text):
        return tokenizer(text, add_special_tokens=False)["input_ids"]

    assert len(learned[0]) == 6
    for episode in learned[0]:  # responses of random letters, without an answer
        numbers = episode.messages[0][1].partition("Compute ")[2].partition(".")[0]
        answer = encode(str(sum(int(number) for number in numbers.replace("- ", "-").replace("+ ", "").split())))
        body = episode.tokens if episode.truncated else episode.tokens[:-1]
        exact = by_hand(model, [*body, *encode("<answer>"), *answer])[-len(answer) :]
        assert episode.reward == pytest.approx(2 * float(exact.exp().mean()), rel=1e-4)
    assert all(line["solve_rate"] == 0 for line in read_lines(tmp_path / "run" / "metrics.jsonl"))
    assert len({episode.reward for episode in learned[0]}) == 6


@pytest.mark.parametrize("kind", ["prob", "logprob", "mean_logprob", "gain", "diverse", "reflective", "self_aligned"])
def test_every_kind_runs_also_beside_the_verifier(start, tmp_path, kind):
    given = configuration(start, tmp_path / "run", kind=kind, verifier_weight=1.0, weight=0.2)
    # The whole context is used, so that reasoning must be cut to leave room for the answer.
    given["rollout"]["max_new_tokens"] = 248
    given["algorithm"]["filter_zero_std"] = False
    train(Config.from_dict(given | {"steps": 1}))
    [line] = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["updates"] == 1
    assert line["grad_norm"] > 0 or kind == "gain"  # random reasoning gains nothing


REFUSED = [
    ({"rollout": {"answer_style": "boxed"}}, "answer_style='tag', not 'boxed'"),
    ({"tasks": [{"names": ["mastermind"]}]}, "mastermind has many turns"),
]


@pytest.mark.parametrize(("more", "message"), REFUSED)
def test_what_has_no_reference_answer_between_tags_is_refused(start, tmp_path, more, message):
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(configuration(start, tmp_path) | more))


def test_a_reward_that_is_not_a_number_names_its_field(start, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "rlgym.train.rollout.engines.native.NativeEngine.score", lambda self, given, temperature=1.0: [(float("nan"),)] * len(given)
    )
    with pytest.raises(OptionError, match=r"algorithm.likelihood_reward returned nan for a response of chain_sum"):
        train(Config.from_dict(configuration(start, tmp_path / "run", kind="prob")))


def test_a_run_logs_how_many_tokens_are_mastered_or_outliers(tmp_path, monkeypatch):
    small_model(tmp_path / "start", max_seq_len=300)
    knowing(monkeypatch, lambda request: answer(request.turn == 0, request))
    # At this probability every token counts as mastered, so that right rollouts carry no loss.
    masks = {"mastered_probability": 1e-30, "mastered_max_entropy": 100.0}
    for name, given in {"off": {}, "on": masks, "outliers": {"max_advantage_std": 1.5}}.items():
        train(Config.from_dict(sums(tmp_path / "start", tmp_path / name, algorithm=given, steps=1)))
    [off], [on], [outliers] = (read_lines(tmp_path / name / "metrics.jsonl") for name in ("off", "on", "outliers"))
    # One right rollout of four has the advantage sqrt(3) in each group, above the limit of 1.5.
    assert outliers["advantage_outliers"] == pytest.approx(0.25, abs=0.01)
    assert "advantage_outliers" not in off
    assert "mastered_tokens" not in off
    assert on["mastered_tokens"] == pytest.approx(0.25, abs=0.01)  # one of four rollouts is right
    assert on["grad_norm"] != off["grad_norm"]
