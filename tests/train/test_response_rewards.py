"""Rewards by what a response says, filters by powers of rewards and by the gain of reasoning, and measures of a proxy."""

import math
from collections import Counter
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.group_cases import episode
from train.scripted import answer, knowing, sums
from train.small_models import small_model

import rlgym
from rlgym import Outcome, Rng, Score
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics import reward_correlation
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.registry import FILTERS, REWARDS
from rlgym.train.regularizers.kl import KlOptions, kl_penalty, kl_T
from rlgym.train.rewards.scored import ScoredResponse
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.scoring import ScoringJob, run_job
from rlgym.train.tasks.spec import TaskSettings, TaskSpec
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.token_rewards import check_token_rewards

RIGHT, WRONG = Score.exact(True), Score.exact(False)


def paid(name, score, response, *, task="chain_sum", prompt="", reference="", **given):
    algorithm = REWARDS[name]
    scored = ScoredResponse(score, response, TaskSpec(task, 0.0, 1, "train"), Rng("r"), prompt=prompt, reference=reference)
    return algorithm(scored, algorithm.options.from_dict(given))


# Consistency


@pytest.mark.parametrize(
    ("working", "answer", "penalty"),
    [
        ("3 + 4 = 7", "7", 0.0),
        ("So it is  T1   T2.", "t1 t2", 0.0),
        ("3 + 4 = 8", "7", -0.5),
        ("3 + 4 = 17", "7", -0.5),
        ("3 + 4 = 7.5", "7", -0.5),
        ("3 + 4 = -7", "7", -0.5),
        ("", "7", -0.5),
        ("it is 7\nno\nit is 8\n", "7", -0.5),
        ("it is 8\nno\nit is 7", "7", 0.0),
    ],
)
def test_a_right_answer_at_which_the_working_does_not_arrive_costs(working, answer, penalty):
    response = f"{working}\n<answer>{answer}</answer>"
    assert paid("consistency", RIGHT, response) == penalty
    assert paid("consistency", WRONG, response) == 0


# The distance of steps

STEPS = "".join(f"Step {number}: x\n" for number in range(1, 6))


def distance(given, right, **options):
    answers = {"response": f"<answer>{given}</answer>", "reference": f"<answer>{right}</answer>"}
    return paid("error_distance", WRONG, task="chain_sum:first_error", prompt=STEPS, **answers, **options)


def test_a_step_near_the_first_wrong_one_earns_more():
    # Five steps: 0.5 (1 - 1/5), 0.5 (1 - 3/5)
    assert distance(3, 2) == pytest.approx(0.4)
    assert distance(5, 2) == pytest.approx(0.2)
    assert distance(1, 4, amount=0.8) == pytest.approx(0.8 * 0.4)
    # No verdict on whether there is an error earns anything if it is wrong.
    assert distance("none", 2) == distance(2, "none") == distance("fish", 2) == 0
    assert paid("error_distance", WRONG, "<answer>3</answer>", prompt=STEPS, reference="<answer>2</answer>") == 0
    assert (
        paid("error_distance", RIGHT, "<answer>3</answer>", task="chain_sum:first_error", prompt=STEPS, reference="<answer>3</answer>") == 0
    )


def test_the_distance_is_paid_where_responses_are_scored():
    name = "chain_sum:first_error"
    settings = TaskSettings(0, 0.1, reward_shaping=(("error_distance", (("amount", 0.5),)),))
    for index in range(1, 9):
        task = TaskSpec(name, 0.5, index, "train")
        first = run_job(ScoringJob(0, task, settings))[1]
        env = rlgym.make(name)
        env.restore(first.snapshot)
        data = env.task.data
        if data.wrong > 1:
            result = run_job(ScoringJob(0, task, settings, first.snapshot, f"<answer>{data.wrong - 1}</answer>"))[1]
            assert result.score.value == 0
            assert result.reward == pytest.approx(0.5 * (1 - 1 / len(data.steps)))
            return
    raise AssertionError("no task has a wrong step after the first")


def test_the_distance_needs_tasks_of_first_errors():
    given = {"model": "m", "output_dir": "run", "algorithm": {"reward_shaping": {"error_distance": {}}}}
    check_algorithms(Config.from_dict(given | {"tasks": [{"names": ["chain_sum:first_error"]}]}))
    with pytest.raises(TrainError, match="such as chain_sum:first_error"):
        check_algorithms(Config.from_dict(given | {"tasks": [{"names": ["chain_sum"]}]}))


# Patterns of reasoning


def test_patterns_earn_up_to_enough_of_them_right_or_wrong():
    lines = "Let me check.\nThat does not work.\n7\n"
    assert paid("reasoning_patterns", WRONG, lines) == paid("reasoning_patterns", RIGHT, lines) == pytest.approx(0.1)
    assert paid("reasoning_patterns", WRONG, lines * 9, amount=0.3) == pytest.approx(0.3)
    assert paid("reasoning_patterns", WRONG, "it is 7") == 0


# Filters


def chosen(name, episodes, **given):
    algorithm = FILTERS[name]
    return algorithm(episodes, algorithm.options.from_dict(given))


def rewarded(*rewards, index=1):
    out = [episode(0, key=key) for key in range(len(rewards))]
    return [replace(one, reward=reward, task=TaskSpec("chain_sum", 0.0, index, "train")) for one, reward in zip(out, rewards, strict=True)]


def test_rollouts_are_drawn_in_proportion_to_a_power_of_their_reward():
    # Scaled rewards 0.1, 0.55, 1: of one rollout each is drawn with its square over 0.01 + 0.3025 + 1.
    counts = Counter(chosen("reward_power", rewarded(0.0, 0.5, 1.0, index=index), keep_fraction=0.3)[0].key for index in range(3000))
    total = 0.01 + 0.3025 + 1
    for key, weight in enumerate((0.01, 0.3025, 1)):
        assert counts[key] / 3000 == pytest.approx(weight / total, abs=5 * math.sqrt(0.25 / 3000))


def test_the_power_decides_between_an_even_draw_and_the_best():
    even = Counter(one.key for index in range(1000) for one in chosen("reward_power", rewarded(0, 1, index=index), power=0))
    assert even[0] / 1000 == pytest.approx(0.5, abs=0.08)
    best = Counter(
        one.key for index in range(200) for one in chosen("reward_power", rewarded(0, 1, 0, 0.5, index=index), power=8, keep_fraction=0.5)
    )
    assert best[1] == best[3] == 200
    # Without replacement, the same again, in the order of the rollouts, and all groups keep some.
    kept = chosen("reward_power", rewarded(0, 1, 0.5, 0.2), keep_fraction=0.5)
    assert [one.key for one in kept] == [one.key for one in chosen("reward_power", rewarded(0, 1, 0.5, 0.2), keep_fraction=0.5)]
    assert len({one.key for one in kept}) == 2
    assert len(chosen("reward_power", rewarded(0, 1, 0.5), keep_fraction=1.0)) == 3
    assert len(chosen("reward_power", rewarded(0, 0, 0), keep_fraction=0.34)) == 2


def gaining(*gains):
    return [replace(episode(1, key=key), spans=[RewardSpan(0, 1, gain / 2, "right")] * 2) for key, gain in enumerate(gains)]


def test_reasoning_must_help():
    # Answers without reasoning are right in 3 of 4 cases: a right rollout gains 0.25, a wrong one loses 0.75; where they never are, wrong ones lose 0.
    episodes = gaining(0.25, -0.75, 0.0)
    assert [one.key for one in chosen("cot_must_help", episodes)] == [0, 2]
    assert [one.key for one in chosen("cot_must_help", episodes, margin=0.1)] == [0]
    assert chosen("cot_must_help", [episode(0)]) != []


@pytest.mark.parametrize("token_rewards", [{"source": "steps"}, {"source": "prefix_values", "force_answer": False}])
def test_the_gain_of_reasoning_needs_answers_without_it(token_rewards):
    given = {"model": "m", "output_dir": "run", "tasks": [{"names": ["chain_sum"]}]}
    with pytest.raises(TrainError, match="'cot_must_help' needs answers without reasoning"):
        check_token_rewards(Config.from_dict(given | {"algorithm": {"filters": {"cot_must_help": {}}, "token_rewards": token_rewards}}))


# The chi-square divergence, and the correlation of a proxy with the score


def test_the_estimate_of_chi_square_is_unbiased_and_its_gradient_half_of_the_divergences(build, lay):
    policy, reference = torch.tensor([0.7, 0.2, 0.1]), torch.tensor([0.4, 0.4, 0.2])
    batch = build([1], logprobs=[policy.log().tolist()])
    batch = replace(batch, ref_logprobs_T=lay([reference.log().tolist()], batch).detach())
    new_T = lay([policy.log().tolist()], batch)
    estimate_T = kl_T(new_T, batch, "chi2")[batch.loss_mask_T].detach()
    exact = float(((policy - reference) ** 2 / reference).sum())
    assert float((policy * estimate_T).sum()) == pytest.approx(exact, abs=1e-6)
    # Over all logits: the mean of the estimate's gradient under the policy, and that of the divergence.
    logits = policy.log().clone().requires_grad_()
    (whole,) = torch.autograd.grad((logits.softmax(0) ** 2 / reference).sum(), logits)
    mean = torch.zeros(3)
    for token in range(3):
        logits = policy.log().clone().requires_grad_()
        (slope,) = torch.autograd.grad((logits.log_softmax(0)[token] - reference.log()[token]).exp() - 1, logits)
        mean += policy[token] * slope
    assert mean.tolist() == pytest.approx((whole / 2).tolist(), abs=1e-6)
    loss, metrics = kl_penalty(new_T, batch, KlOptions(estimator="chi2", coef=2.0))
    assert float(loss.detach()) == pytest.approx(2 * float(estimate_T.mean()))
    assert set(metrics) == {"kl_chi2"}


def test_chi_square_grows_without_bound_where_k3_stays_small(build, lay):
    batch = build([1], logprobs=[[0.0]])
    batch = replace(batch, ref_logprobs_T=lay([[-5.0]], batch).detach())
    new_T = lay([[0.0]], batch).detach()
    assert float(kl_T(new_T, batch, "chi2").sum()) == pytest.approx(math.exp(5) - 1, rel=1e-5)
    assert float(kl_T(new_T, batch, "k3").sum()) == pytest.approx(4 + math.exp(-5), rel=1e-5)


def test_the_correlation_of_a_proxy_falls_where_it_is_hacked():
    def correlation(*pairs):
        return reward_correlation([replace(episode(score, key=key), reward=reward) for key, (score, reward) in enumerate(pairs)])

    assert correlation((1, 1.0), (0, 0.0), (1, 1.0)) == pytest.approx(1)
    # Scores 1, 0, 0, 0 and rewards 1, 1, 0, 0: covariance 1/8, standard deviations sqrt(3)/4 and 1/2.
    assert correlation((1, 1.0), (0, 1.0), (0, 0.0), (0, 0.0)) == pytest.approx((1 / 8) / (math.sqrt(3) / 8))
    assert correlation((1, 0.0), (0, 1.0)) == pytest.approx(-1)
    assert correlation((1, 1.0), (1, 0.0)) == correlation((1, 1.0), (0, 1.0)) == reward_correlation([]) == 0
    broken = episode(Score.nothing(Outcome.ERROR, "broken"))
    assert reward_correlation([broken, *[replace(episode(1), reward=1.0), episode(0)]]) == pytest.approx(1)


def test_a_run_logs_the_chosen_divergence_and_the_correlation(tmp_path, monkeypatch):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32)
    knowing(monkeypatch, lambda request: answer(request.turn % 2, request))
    algorithm = {"kl_coef": 0.1, "kl_estimator": "chi2", "reward_shaping": {"reasoning_patterns": {}}}
    train(Config.from_dict(sums(tmp_path / "model", tmp_path / "run", algorithm=algorithm, steps=1)))
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert "kl_chi2" in line
    assert line["reward_correlation"] == pytest.approx(1)
