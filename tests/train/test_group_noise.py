"""Noise that drifts, depends on the policy's confidence or the surface of the text, is placed by an adversary, or comes from few tests."""

import math
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.group_cases import amounts, by_hand, episode
from train.small_models import small_model

import rlgym
from rlgym import Outcome, Rng, Score
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import train
from rlgym.train.registry import GROUP_REWARDS, REWARDS
from rlgym.train.rewards.group.noise import adversarial_errors, drifted_rates, mean_probability
from rlgym.train.rewards.hidden_tests import used_tests
from rlgym.train.rewards.scored import ScoredResponse
from rlgym.train.rewards.verifier_noise import surface_share
from rlgym.train.rollout.scoring import ScoringJob, run_job
from rlgym.train.tasks.spec import TaskSettings, TaskSpec
from rlgym.train.validate.algorithms import check_algorithms

RATES = {"false_positive": 0.2, "false_negative": 0.3}
FINAL = {"final_false_positive": 0.6, "final_false_negative": 0.1, "drift_steps": 10}
ROLLOUTS = 2000


def options(**given):
    return GROUP_REWARDS["group_noise"].options.from_dict(RATES | given)


def confident(solved, probability, key=0, tokens=4):
    one = episode(int(solved), tokens, key=key)
    one.logprobs = [0.0] + [math.log(probability)] * tokens
    return one


def error_rate(solved, probability=0.5, step=0, **given):
    """The fraction of rollouts on which the verdict is wrong."""
    episodes = [confident(solved, probability, key) for key in range(ROLLOUTS)]
    return sum(amount != 0 for amount in amounts("group_noise", episodes, step, **RATES | given)) / ROLLOUTS


def near(expected):
    return pytest.approx(expected, abs=5 * math.sqrt(0.25 / ROLLOUTS))


# Drift


@pytest.mark.parametrize(
    ("drift", "rates"),
    [
        ("none", {0: (0.2, 0.3), 5: (0.2, 0.3), 10: (0.2, 0.3), 99: (0.2, 0.3)}),
        ("linear", {0: (0.2, 0.3), 5: (0.4, 0.2), 10: (0.6, 0.1), 99: (0.6, 0.1)}),
        ("jump", {0: (0.2, 0.3), 9: (0.2, 0.3), 10: (0.6, 0.1), 99: (0.6, 0.1)}),
        ("cycle", {0: (0.2, 0.3), 5: (0.6, 0.1), 10: (0.2, 0.3), 15: (0.6, 0.1)}),
    ],
)
def test_the_rates_drift_as_scheduled(drift, rates):
    for step, expected in rates.items():
        assert drifted_rates(step, options(drift=drift, **FINAL)) == pytest.approx(expected)
    last_step = 99 if drift != "cycle" else 15
    assert error_rate(False, step=last_step, drift=drift, **FINAL) == near(rates[last_step][0])
    assert error_rate(True, step=last_step, drift=drift, **FINAL) == near(rates[last_step][1])


def test_errors_are_the_same_again_and_differ_between_steps():
    episodes = [episode(key % 2, key=key) for key in range(64)]
    assert amounts("group_noise", episodes, 3, **RATES) == amounts("group_noise", episodes, 3, **RATES)
    assert amounts("group_noise", episodes, 3, **RATES) != amounts("group_noise", episodes, 4, **RATES)
    assert amounts("group_noise", episodes, 3, **RATES) != amounts("group_noise", episodes, 3, seed=1, **RATES)
    # The order in which rollouts arrive does not matter.
    assert amounts("group_noise", episodes[::-1], 3, **RATES)[::-1] == amounts("group_noise", episodes, 3, **RATES)


# Confidence


def test_the_mean_probability_by_hand():
    one = episode(1, 2)
    one.logprobs = [0.0, math.log(0.9), math.log(0.4)]
    assert mean_probability(one) == pytest.approx(0.6)
    assert mean_probability(episode(1, 0)) == 0


@pytest.mark.parametrize("probability", [0.05, 0.5, 1.0])
def test_confident_wrong_and_hesitant_right_responses_are_misjudged(probability):
    assert error_rate(False, probability, depends_on="confidence") == near(0.2 * probability)
    assert error_rate(True, probability, depends_on="confidence") == near(0.3 * (1 - probability))


# Adversary


def paid_alignment(episodes, flipped):
    """The covariance of the true scores and the paid rewards: what the update gains, with an advantage that subtracts the mean."""
    true = [float(one.solved) for one in episodes]
    paid = [1 - value if place in flipped else value for place, value in enumerate(true)]
    mean = sum(paid) / len(paid)
    return sum(value * (reward - mean) for value, reward in zip(true, paid, strict=True)) / len(true)


def test_the_adversary_refuses_a_lone_right_rollout():
    # Scores 1, 0, 0, 0: the advantages are 0.75 and -0.25. 0.3 + 3 * 0.2 = 0.9 errors are one in nine groups of ten.
    budgets = []
    for seed in range(200):
        flipped = adversarial_errors([episode(score, key=key) for key, score in enumerate((1, 0, 0, 0))], (0.2, 0.3), Rng("budget", seed))
        assert flipped in (set(), {0})
        budgets.append(len(flipped))
    assert sum(budgets) / 200 == pytest.approx(0.9, abs=0.1)
    # Of equal advantages the longest responses lose.
    flipped = adversarial_errors([episode(1, 2), episode(1, 5), episode(0, 9), episode(0, 1)], (0.5, 0.5), Rng("budget"))
    assert flipped == {1, 2}


def test_no_errors_of_the_same_number_hurt_more_than_those_of_the_adversary():
    from itertools import combinations

    for seed in range(40):
        rng = Rng("groups", seed)
        episodes = [episode(int(rng.chance(0.4)), 1 + rng.integer(0, 5), key=key) for key in range(7)]
        flipped = adversarial_errors(episodes, (0.3, 0.3), rng)
        assert len(flipped) <= 3
        if not flipped:
            continue
        worst = min(paid_alignment(episodes, set(chosen)) for chosen in combinations(range(7), len(flipped)))
        assert paid_alignment(episodes, flipped) == pytest.approx(worst)


def test_the_adversary_keeps_to_its_budget_and_to_the_side_it_may_err_on():
    mixed = [episode(score, key=key) for key, score in enumerate((1, 1, 0, 0, 0, 0, 0, 0))]
    rng = Rng("budgets")
    for _ in range(50):
        assert len(adversarial_errors(mixed, (0.25, 0.25), rng)) == 2
    assert adversarial_errors(mixed, (0.5, 0.0), rng) == {2, 3, 4}
    assert adversarial_errors(mixed, (0.0, 1.0), rng) == {0, 1}
    assert adversarial_errors([episode(0), episode(0)], (1.0, 1.0), rng) == set()
    assert amounts("group_noise", mixed, depends_on="adversary", false_positive=0.0, false_negative=1.0) == by_hand(-1, -1, *[0] * 6)


# Appeals on a budget


def errors(episodes, **given):
    return {place for place, amount in enumerate(amounts("group_noise", episodes, **RATES | given)) if amount != 0}


def test_appeals_remove_errors_and_keep_to_their_budget():
    everything = {"false_positive": 1.0, "false_negative": 1.0}
    mixed = [episode(score, key=key) for key, score in enumerate((1, 1, 0, 0, 0, 0, 0, 0))]
    for order in ("chance", "refused", "surprising"):
        for appeals in range(10):
            left = errors(mixed, appeals=appeals, appeal_order=order, **everything)
            assert len(left) == max(0, 8 - appeals)
            assert left <= errors(mixed, **everything)
    assert errors(mixed, appeals=8) == set()


def test_refused_rollouts_are_appealed_first():
    # With all verdicts wrong the right rollouts 0 and 1 are the refused ones.
    mixed = [episode(score, key=key) for key, score in enumerate((1, 1, 0, 0, 0, 0, 0, 0))]
    everything = {"false_positive": 1.0, "false_negative": 1.0, "appeal_order": "refused"}
    assert errors(mixed, appeals=2, **everything) == set(range(2, 8))
    assert len(errors(mixed, appeals=1, **everything) & {0, 1}) == 1


def test_surprising_verdicts_are_appealed_first():
    # Rewarded by mistake: a hesitant and a confident wrong response; refused by mistake: a confident right one.
    group = [confident(False, 0.1, 0), confident(False, 0.9, 1), confident(True, 0.95, 2), confident(True, 0.2, 3)]
    everything = {"false_positive": 1.0, "false_negative": 1.0, "appeal_order": "surprising"}
    assert errors(group, appeals=1, **everything) == {0, 1, 3}
    assert errors(group, appeals=2, **everything) == {1, 3}


# Surface


def test_the_surface_of_a_text():
    assert surface_share("it is 7") == 0
    assert surface_share("**7**") == surface_share("- one\n- two") == surface_share("Clearly 7") == surface_share("hence 7") == 0.25
    assert surface_share("# Plan\n1. add\nObviously, and therefore 7") == 1
    # A minus sign inside a line is no list.
    assert surface_share("3 - 4 = -1") == 0


@pytest.mark.parametrize(("text", "share"), [("it is 7", 0.0), ("**7**", 0.25), ("# Plan\n1. add\nObviously, and therefore 7", 1.0)])
def test_presentable_wrong_and_plain_right_responses_are_misjudged(text, share):
    algorithm = REWARDS["verifier_noise"]
    chosen = algorithm.options.from_dict({"false_positive": 0.4, "false_negative": 0.6, "depends_on": "surface"})
    for right, expected in ((False, 0.4 * share), (True, 0.6 * (1 - share))):
        task = TaskSpec("chain_sum", 0.0, 1, "train")
        errors = [algorithm(ScoredResponse(Score.exact(right), text, task, Rng("r", n)), chosen) != 0 for n in range(ROLLOUTS)]
        assert sum(errors) / ROLLOUTS == near(expected)


# Fewer tests


def graded(*passed, index=1, outcome=Outcome.WRONG):
    parts = {f"test_{number}": float(value) for number, value in enumerate(passed, 1)}
    score = Score(1.0, Outcome.RIGHT, "", parts) if all(passed) else Score(0.0, outcome, "wrong", parts)
    return ScoredResponse(score, "", TaskSpec("function_from_tests", 0.0, index, "train"), Rng("r"))


def few_tests(scored, **given):
    algorithm = REWARDS["hidden_tests"]
    return algorithm(scored, algorithm.options.from_dict(given))


def test_a_program_is_paid_once_it_passes_the_tests_that_are_used():
    first = {"share": 0.25, "choice": "first"}
    assert few_tests(graded(1, 1, 0, 1, 1, 1, 1, 1), **first) == 1
    assert few_tests(graded(1, 0, 1, 1, 1, 1, 1, 1), **first) == 0
    assert few_tests(graded(1, 1, 0, outcome=Outcome.TIMED_OUT), share=0.5, choice="first") == 1
    assert few_tests(graded(1, 1, 1, 1), **first) == 0
    assert few_tests(graded(1, 1, 1, 0), share=1.0) == 0
    # Without a part for each test, nothing changes.
    assert few_tests(replace(graded(0), score=Score.wrong("no")), share=0.25) == 0
    assert few_tests(replace(graded(0), score=Score.wrong("no", tests_passed=1.0)), share=0.25) == 0


def test_the_tests_of_a_task_are_always_the_same_and_a_larger_share_pays_fewer_programs():
    algorithm = REWARDS["hidden_tests"]

    def used(share, index, seed=0):
        return used_tests(graded(*[0] * 40, index=index), algorithm.options.from_dict({"share": share, "seed": seed}))

    assert used(0.25, 1) == used(0.25, 1)
    assert len(used(0.25, 1)) == 10
    assert len(used(0.001, 1)) == 1
    assert used(0.25, 1) != used(0.25, 2)
    assert used(0.25, 1) != used(0.25, 1, seed=1)
    for index in range(20):
        assert set(used(0.25, index)) <= set(used(0.5, index)) <= set(used(1.0, index))


def test_a_program_that_learned_the_shown_tests_is_paid_by_few_tests_and_not_by_all():
    task = TaskSpec("function_from_tests", 0.0, 3, "train")
    paid = {}
    for share in (0.02, 1.0):
        settings = TaskSettings(0, 0.1, reward_shaping=(("hidden_tests", (("choice", "first"), ("share", share))),))
        first = run_job(ScoringJob(0, task, settings))[1]
        env = rlgym.make("function_from_tests")
        env.restore(first.snapshot)
        learnt = rlgym.environment("function_from_tests").mistakes(env.task, "")[0]
        result = run_job(ScoringJob(0, task, settings, first.snapshot, f"<answer>\n{learnt}\n</answer>"))[1]
        paid[share] = (result.score.value, result.reward)
    assert paid == {0.02: (0.0, 1.0), 1.0: (0.0, 0.0)}


def test_a_share_of_tests_needs_programs():
    given = {"model": "m", "output_dir": "run", "algorithm": {"reward_shaping": {"hidden_tests": {"share": 0.25}}}}
    check_algorithms(Config.from_dict(given | {"tasks": [{"names": ["function_from_tests", "chain_sum"]}]}))
    with pytest.raises(TrainError, match="answers that are programs, and chain_sum has none"):
        check_algorithms(Config.from_dict(given | {"tasks": [{"names": ["chain_sum"]}]}))


class Killed(ProgressCallback):
    """Ends a run in its second step."""

    def on_step_end(self, phase, step, metrics):
        if step == 2:
            raise KeyboardInterrupt


def test_a_resumed_run_makes_the_same_errors(tmp_path):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32)
    noise = {"drift": "linear", "false_positive": 0.2, "false_negative": 0.2, "final_false_positive": 0.9, "drift_steps": 3}

    def run(folder, callback=None):
        given = {
            "model": str(tmp_path / "model"),
            "output_dir": str(tmp_path / folder),
            "tasks": [{"names": ["chain_sum"]}],
            "steps": 3,
            "rollout": {"groups_per_step": 2, "group_size": 8, "max_new_tokens": 4, "max_seq_len": 200},
            "algorithm": {"group_rewards": {"group_noise": noise}},
            "update": {"tokens_per_micro_batch": 2000},
            "scoring": {"num_workers": 0},
            "evaluation": {"tasks_per_level": 1},
            "checkpoints": {"every_steps": 1},
            "compute": {"device": "cpu"},
        }
        train(Config.from_dict(given), callback)
        return read_lines(tmp_path / folder / "metrics.jsonl")

    whole = run("whole")
    with pytest.raises(KeyboardInterrupt):
        run("parts", Killed())
    assert run("parts") == whole
    gaps = [line["reward_gap"] for line in whole]
    assert gaps[2] > gaps[0] > 0
