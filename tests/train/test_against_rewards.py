"""Rewards, filters and levels against their authors' code, on random groups."""

from collections import Counter
from dataclasses import replace
from math import exp, log, tanh
from statistics import fmean, pstdev

import pytest

torch = pytest.importorskip("torch", reason="the trainer needs torch")

from train.group_cases import amounts, episode
from train.source_cases import compared

from rlgym import Rng, Score, rewards
from rlgym.train.config.rewards import LikelihoodRewardConfig
from rlgym.train.config.self_play import RoleBaselineConfig
from rlgym.train.config.tasks import AdaptiveLevels
from rlgym.train.registry import REWARDS
from rlgym.train.rewards.group import answers
from rlgym.train.rewards.overlong import OverlongOptions, soft_overlong
from rlgym.train.rewards.role_baseline import RoleBaselines
from rlgym.train.rewards.scored import ScoredResponse
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.likelihood import ScoredTokens, answer_weights, likelihood_value
from rlgym.train.tasks.cells import moved_level
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.tasks.spread import SpreadEmaOptions, SpreadTracker

SEEDS = pytest.mark.parametrize("seed", range(4))


def paid(name, episodes, **options):
    """The rewards after a group reward."""
    return [made.reward + amount for made, amount in zip(episodes, amounts(name, episodes, **options), strict=True)]


def drawn_group(seed, count=8):
    """Right and wrong episodes of random lengths, with at least one of each."""
    rng = Rng("against", seed)
    return [episode(int(place == 0 or (place > 1 and rng.real() < 0.6)), rng.integer(1, 40)) for place in range(count)]


def sigmoid(x):
    return 1 / (1 + exp(-x))


@SEEDS
@compared("group_reward relative_length", source="efficient-reasoning (Zanette-Labs), reward_server/math_server.py (reward_type sigmoid)")
def test_relative_length(seed):
    """Theirs has no gate on the solve rate; theirs adds 1e-7 to the deviation."""
    group = drawn_group(seed)
    lengths = [made.num_sampled for made in group if made.solved]
    theirs = [(1 - 0.2 * sigmoid((made.num_sampled - fmean(lengths)) / (pstdev(lengths) + 1e-7))) if made.solved else 0.0 for made in group]
    assert paid("relative_length", group, amount=0.2, min_solve_rate=0) == pytest.approx(theirs, abs=1e-5)


@SEEDS
@compared(
    "group_reward length_target",
    source="Laser (hkust-nlp), length_penalty.compute_length_reward_larse (reward) and compute_length_reward_larse_d",
)
def test_the_bonus_within_a_target_length(seed):
    """One target for all is LASER; by the group's solve rate it is LASER-D, with n 2/3 and n 1/3 right as the bounds."""
    group = drawn_group(seed)
    theirs = [float(made.solved) + 0.5 * (made.solved and made.num_sampled <= 20) for made in group]
    assert paid("length_target", group, easy_tokens=20, medium_tokens=20, hard_tokens=20) == pytest.approx(theirs)
    right = sum(made.solved for made in group)
    target = 10 if right / 8 >= 2 / 3 else 20 if right / 8 >= 1 / 3 else 30
    theirs = [float(made.solved) + 0.5 * (made.solved and made.num_sampled <= target) for made in group]
    assert paid("length_target", group, easy_tokens=10, medium_tokens=20, hard_tokens=30) == pytest.approx(theirs)


@compared("soft overlong penalty", source="verl, workers/reward_manager/dapo.py (overlong_buffer_cfg)")
def test_the_soft_penalty_for_long_responses():
    lengths = torch.arange(0, 101)
    theirs = [min(-(int(n) - (100 - 40)) / 40 * 0.7, 0.0) for n in lengths]
    ours = soft_overlong(lengths, OverlongOptions(max_tokens=100, buffer_tokens=40, penalty=0.7))
    assert ours.tolist() == pytest.approx(theirs, abs=1e-6)


@SEEDS
@compared("group_reward par", source="PAR, trainers/reward_shaper.calculate_relative_sigmoid")
def test_preference_as_a_reward(seed):
    """Their reference rewards are of responses of the model after SFT; ours of the others of the group. sigmoid_k is 1 / temperature."""
    rng = Rng("against", seed)
    group = [episode(1) for _ in range(6)]
    for made in group:
        made.reward = rng.real(-3, 3)
    theirs = []
    for place, made in enumerate(group):
        references = [other.reward for number, other in enumerate(group) if number != place]
        theirs.append(fmean(sigmoid(2 * (made.reward - reference)) for reference in references))
    assert paid("par", group, temperature=0.5) == pytest.approx(theirs)


def with_answers(monkeypatch, seed):
    """Episodes whose answers are letters, or unreadable."""
    rng = Rng("against", seed)
    given = [rng.choice(["a", "a", "a", "b", "c", None]) for _ in range(10)]
    group = [episode(0, key=place) for place in range(10)]
    monkeypatch.setattr(answers, "canonical_answer", lambda made, context: given[made.key])
    return given, group


@SEEDS
@compared("group_reward majority", source="TTRL, reward_score/ttrl/ttt_metrics.test_time_train_metrics")
def test_the_majority_vote(monkeypatch, seed):
    """Theirs takes the first of several equally frequent answers, ours pays all of them."""
    given, group = with_answers(monkeypatch, seed)
    counts = Counter(answer for answer in given if answer is not None)
    label, most = counts.most_common(1)[0]
    found = paid("majority", group)
    if list(counts.values()).count(most) == 1:
        assert found == [float(answer == label) for answer in given]
    else:
        assert found == [float(answer is not None and counts[answer] == most) for answer in given]


@SEEDS
@compared("group_reward semantic_entropy", source="EMPO, reward_score/empo/compute_metrics.empo_metrics (reward_type entropy)")
def test_the_share_of_an_answer(monkeypatch, seed):
    """An empty answer is a meaning of its own there, worth 1 / n; ours pays unreadable answers nothing."""
    given, group = with_answers(monkeypatch, seed)
    theirs = [given.count(answer) / len(given) if answer is not None else 0.0 for answer in given]
    assert paid("semantic_entropy", group) == pytest.approx(theirs)


@SEEDS
@compared("group_reward trusted_steps", source="SophiaVL-R1, workers/reward/custom.py")
def test_trusted_thinking_rewards(seed):
    """In groups with right and wrong answers. Theirs pays nothing in other groups, and takes 0 for the thinking of wrong answers."""
    rng, group, step = Rng("against", seed), drawn_group(seed), 30
    for made in group:
        made.spans = [RewardSpan(0, 1, rng.real(), "right")]
    quality = [made.spans[0].reward for made in group]
    gap = fmean(q for q, made in zip(quality, group) if made.solved) - fmean(q for q, made in zip(quality, group) if not made.solved)
    factor = exp(-step / 100) * 0.3 * (exp(gap) if gap < 0 else 1)
    theirs = [float(made.solved) + factor * q for q, made in zip(quality, group)]
    ours = [made.reward + amount for made, amount in zip(group, amounts("trusted_steps", group, step=step, amount=0.3, decay_steps=100))]
    assert ours == pytest.approx(theirs)


@SEEDS
@compared("reward brier_penalty", source="RLCR, reward_fns.brier_reward, added to the accuracy reward")
def test_the_brier_score_of_a_stated_confidence(seed):
    """Theirs pays 1 - (confidence - right)^2 on top of the verdict, and 0 without a confidence: ours less a constant 1."""
    right, confidence = float(seed % 2), Rng("against", seed).integer(0, 100) / 100
    for text, theirs in ((f"<confidence>{confidence}</confidence>", right + 1 - (right - confidence) ** 2), ("none", right)):
        score = episode(int(right)).score
        assert score.value + rewards.brier_penalty(1.0)(score, text) + 1 == pytest.approx(theirs)


@SEEDS
@compared("likelihood reward gain", source="RLPR, workers/reward_manager/prob.py (mean_exp_log_softmax, threshold_0)")
def test_the_gain_of_the_answers_probability(seed):
    rng = Rng("against", seed)
    after, before = ([log(rng.real(0.05, 1)) for _ in range(5)] for _ in range(2))
    gain = fmean(map(exp, after)) - fmean(map(exp, before))
    scored = ScoredTokens(reference=after, plain=before)
    assert likelihood_value(scored, LikelihoodRewardConfig(kind="gain")) == pytest.approx(gain if gain > 0 else 0.0)


@SEEDS
@compared("filter spread_ema", source="RLPR, trainer/ppo/ray_trainer.py (filter_mode EMA)")
def test_the_moving_threshold_of_the_spread(seed):
    rng = Rng("against", seed)
    options, tracker = SpreadEmaOptions(beta=0.5, decay=0.9, skipped_steps=2, initial_steps=3), SpreadTracker()
    average, waiting = None, []
    for step in range(12):
        spreads = [rng.real() for _ in range(4)]
        if step >= 2:
            if average is None:
                waiting.append(fmean(spreads))
                average = fmean(waiting) if len(waiting) == 3 else None
            else:
                average = fmean(spreads) * (1 - 0.9) + average * 0.9
        tracker.update(spreads, step, options)
        assert tracker.average == (None if average is None else pytest.approx(average))
    assert tracker.with_threshold(options).threshold == pytest.approx(average * 0.5)


@SEEDS
@compared("adaptive levels, rule target", source="AdaRFT (limenlp/verl), trainer/ppo/ray_trainer.py (data.adarft)")
def test_the_target_difficulty(seed):
    rng = Rng("against", seed)
    level, reward = rng.real(), rng.real()
    options = AdaptiveLevels(rule="target", step_size=0.5, sensitivity=2.0, target=0.5)
    theirs = min(1.0, max(0.0, level + 0.5 * tanh(2.0 * (reward - 0.5))))
    assert moved_level(options, level, reward) == pytest.approx(theirs, abs=1e-6)


@SEEDS
@compared("likelihood reward prob", source="VeriFree, verifree.py (reward_source p, sft_coef_source reward)")
def test_the_weight_of_the_reference_answer_is_its_probability(seed):
    rng = Rng("against", seed)
    reference = [log(rng.real(0.05, 1)) for _ in range(4)]
    options = LikelihoodRewardConfig(kind="prob")
    reward = exp(sum(reference))
    assert likelihood_value(ScoredTokens(reference=reference), options) == pytest.approx(reward)
    assert answer_weights(reference, options) == pytest.approx([reward] * 4)


@SEEDS
@compared("role baseline moving", source="SPIRAL, train_spiral.py (use_role_baseline) and utils.EMA")
def test_the_moving_baseline_of_a_role(seed):
    """Before the update, and from 0 on, as there."""
    rng = Rng("against", seed)
    episodes = [replace(episode(rng.integer(0, 1)), seat=rng.integer(0, 1)) for _ in range(12)]
    averages, theirs = {0: 0.0, 1: 0.0}, []
    for made in episodes:
        theirs.append(made.reward - averages[made.seat])
        averages[made.seat] = 0.95 * averages[made.seat] + (1 - 0.95) * made.reward
    found = RoleBaselines().subtract(episodes, RoleBaselineConfig(kind="moving", decay=0.95))
    assert [made.reward for made in found] == pytest.approx(theirs)


@compared("reward flawed_positive", source="verl-recipe, fapo/reward_fn_reasoning.compute_score_fapo")
def test_a_flawed_positive_lies_midway():
    """Theirs pays 1, -1 and 1 less a penalty of 1; ours half of that plus a half."""
    chosen = REWARDS["flawed_positive"]
    for right, flawed in ((1, True), (1, False), (0, True)):
        theirs = (1.0 if right else -1.0) - 1.0 * (right and flawed)
        score = episode(right).score
        spans = (RewardSpan(0, 1, 0.0, "wrong" if flawed else "right"),)
        scored = ScoredResponse(score, "", TaskSpec("chain_sum", 0.0, 1, "train"), Rng("r"), spans)
        assert score.value + chosen(scored, chosen.options()) == pytest.approx((theirs + 1) / 2)


@SEEDS
@compared(
    "likelihood reward self_aligned",
    source="Self-Aligned-Reward (amazon-science), efficiency_reward.compute_ppl_qa_log (use_log, use_denominator)",
)
def test_the_self_aligned_reward(seed):
    """From the perplexities of a response with its prompt and without it."""
    rng = Rng("against", seed)
    with_prompt, alone = ([log(rng.real(0.05, 1)) for _ in range(6)] for _ in range(2))
    asked, plain = (log(exp(-fmean(logprobs))) for logprobs in (with_prompt, alone))
    scored = ScoredTokens(response=with_prompt, alone=alone)
    assert likelihood_value(scored, LikelihoodRewardConfig(kind="self_aligned")) == pytest.approx(max((plain - asked) / plain, -1))


@SEEDS
@compared("role baseline batch", source="Absolute-Zero-Reasoner, azr_ray_trainer.py (compute_advantage by problem type and role)")
def test_the_baseline_of_a_role_in_the_step(seed):
    """Theirs whitens over the tokens of a role: the same, up to n - 1, where its responses are equally long."""
    rng = Rng("against", seed)
    episodes = [replace(episode(rng.integer(0, 1)), seat=place % 2) for place in range(12)]
    episodes[0].reward, episodes[1].reward = 0.5, 0.5
    theirs = []
    for made in episodes:
        rewards = torch.tensor([other.reward for other in episodes if other.seat == made.seat])
        theirs.append(float((made.reward - rewards.mean()) / rewards.std(correction=1)) * (6 / 5) ** 0.5)
    found = RoleBaselines().subtract(episodes, RoleBaselineConfig(kind="batch"))
    assert [made.reward for made in found] == pytest.approx(theirs, rel=1e-4)


@SEEDS
@compared("reward error_distance", source="verl-recipe, fapo/reward_fn_genrm.compute_score_fapo_genrm")
def test_the_distance_from_the_first_wrong_step(seed):
    """`amount` times theirs where a solution is wrong and a wrong step is named; theirs pays -1 where one of both is none, ours 0."""
    rng, chosen = Rng("against", seed), REWARDS["error_distance"]
    prompt = "".join(f"Step {number}: x\n" for number in range(1, 9))
    given, right = rng.sample(range(1, 9), 2)
    spec = TaskSpec("chain_sum:first_error", 0.0, 1, "train")
    scored = ScoredResponse(
        Score.exact(False), f"<answer>{given}</answer>", spec, Rng("r"), prompt=prompt, reference=f"<answer>{right}</answer>"
    )
    assert chosen(scored, chosen.options(amount=0.4)) == pytest.approx(0.4 * (1.0 - abs(given - right) / 8))
