"""Noise that depends on a response, appeals, proxies with planted loopholes, and the alarm."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

import rlgym
from rlgym import Outcome, Rng, Score
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.alarm import RewardAlarm, alarm_step
from rlgym.train.logging.metrics import reward_gap
from rlgym.train.logging.metrics_logger import MetricsLogger, read_lines
from rlgym.train.loop import train
from rlgym.train.registry import GROUP_REWARDS, REWARDS, OptionError
from rlgym.train.rewards.group.context import GroupContext
from rlgym.train.rewards.proxies import PROXIES, detected
from rlgym.train.rewards.scored import ScoredResponse
from rlgym.train.rewards.transforms import appealed_rate, correct_rewards
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.scoring import ScoringJob, run_job
from rlgym.train.tasks.spec import TaskSettings, TaskSpec
from rlgym.train.validate.algorithms import check_algorithms

RIGHT, WRONG = Score.exact(True), Score.exact(False)
ROLLOUTS = 2000


def scored(score, response="<answer>7</answer>", *, index=1, level=0.0, draw=0):
    return ScoredResponse(score, response, TaskSpec("chain_sum", level, index, "train"), Rng("rollout", draw))


def noise(given, **options):
    chosen = REWARDS["verifier_noise"]
    return chosen(given, chosen.options.from_dict({"false_positive": 0.2, "false_negative": 0.3} | options))


def rate(score, response="<answer>7</answer>", *, level=0.0, new_task=False, **options):
    """The fraction of rollouts on which the verdict is wrong."""
    given = (scored(score, response, level=level, draw=draw, index=draw if new_task else 1) for draw in range(ROLLOUTS))
    return sum(noise(one, **options) != 0 for one in given) / ROLLOUTS


def near(expected):
    return pytest.approx(expected, abs=5 * math.sqrt(0.25 / ROLLOUTS))


def test_errors_by_rollout_have_the_rates_asked_for():
    assert rate(WRONG) == near(0.2)
    assert rate(RIGHT) == near(0.3)
    assert {noise(scored(WRONG, draw=draw)) for draw in range(50)} == {0.0, 1.0}
    assert {noise(scored(RIGHT, draw=draw)) for draw in range(50)} == {0.0, -1.0}
    assert rate(WRONG, false_positive=0.0) == 0


def test_errors_by_content_are_the_same_for_the_same_answer_to_the_same_task():
    assert rate(WRONG, depends_on="content") in (0, 1)
    assert rate(WRONG, depends_on="content", new_task=True) == near(0.2)
    # What precedes the answer does not matter.
    for number in range(20):
        answers = [scored(WRONG, f"{words}<answer> {number} </answer>", draw=draw) for draw, words in enumerate(("", "So "))]
        assert len({noise(one, depends_on="content", false_positive=0.5) for one in answers}) == 1


def test_errors_by_answer_are_the_same_for_every_task():
    assert rate(WRONG, depends_on="answer", new_task=True) in (0, 1)
    paid = [noise(scored(WRONG, f"<answer>{number}</answer>"), depends_on="answer", false_positive=0.5) for number in range(400)]
    assert sum(paid) / 400 == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize(("characters", "wrong", "right"), [(0, 0.0, 0.8), (50, 0.2, 0.4), (100, 0.4, 0.0), (300, 0.4, 0.0)])
def test_errors_by_length_reward_long_wrong_and_refuse_short_right_responses(characters, wrong, right):
    options = {"depends_on": "length", "full_characters": 100, "false_positive": 0.4, "false_negative": 0.8}
    assert rate(WRONG, "x" * characters, **options) == near(wrong)
    assert rate(RIGHT, "x" * characters, **options) == near(right)


def test_errors_by_level_grow_with_the_level():
    assert [rate(WRONG, level=level, depends_on="level", false_positive=0.6) for level in (0.0, 0.5, 1.0)] == [0, near(0.3), near(0.6)]


def test_appeals_restore_right_answers_and_no_wrong_ones():
    assert rate(RIGHT, appeal_fraction=0.5) == near(0.15)
    assert rate(RIGHT, appeal_fraction=1.0) == 0
    assert rate(WRONG, appeal_fraction=1.0) == near(0.2)


def noisy_config(**correction):
    return Config.from_dict(
        {
            "model": "m",
            "output_dir": "r",
            "tasks": [{"names": ["chain_sum"]}],
            "algorithm": {
                "advantage": "reinforce",
                "filter_zero_std": False,
                "reward_shaping": {"verifier_noise": {"false_positive": 0.0, "false_negative": 0.4}},
                "noise_correction": correction,
            },
        }
    )


def judged(solved, rewarded, count, first=0, tokens=1):
    out = []
    for key in range(first, first + count):
        task = TaskSpec("chain_sum", 0.0, 1, "train")
        episode = Episode(key, 0, task, [1] + [2] * tokens, [False] + [True] * tokens, [0.0] + [-1.0] * tokens, None)
        episode.finish(RIGHT if solved else WRONG, float(rewarded))
        out.append(episode)
    return out


def test_appeals_estimate_the_rate_of_the_forward_correction():
    # Of 1,000 right rollouts 400 were refused, as were 1,000 wrong ones: the rate is 400 / 1,000.
    episodes = judged(True, True, 600) + judged(True, False, 400, 600) + judged(False, False, 1000, 1000)
    config = noisy_config(kind="forward", appeal_fraction=1.0, false_negative_rate=0.1)
    check_algorithms(config)
    assert appealed_rate(episodes, config) == pytest.approx(0.4)
    corrected = correct_rewards(episodes, config)
    assert {round(episode.reward, 6) for episode in corrected} == {0.4, -0.6}
    some = noisy_config(kind="forward", appeal_fraction=0.3)
    assert appealed_rate(episodes, some) == pytest.approx(0.4, abs=0.06)
    assert appealed_rate(episodes, some) == appealed_rate(episodes[::-1], some)
    # Without appeals the rate is that of the noise.
    assert {round(episode.reward, 6) for episode in correct_rewards(episodes[:1], noisy_config(kind="forward"))} == {0.4}


def test_appeals_need_the_forward_correction():
    config = Config.from_dict(noisy_config(kind="backward", appeal_fraction=0.5).model_dump() | {"model": "m"})
    with pytest.raises(TrainError, match="set kind='forward'"):
        check_algorithms(config)


# Proxies


SETTINGS = {name: TaskSettings(0, 0.1, reward_shaping=(("proxy", (("name", name),)),)) for name in PROXIES}


def paid(name, respond, index):
    """(prompt, response, true score, reward) of a scripted response to a task, scored as in a run."""
    task = TaskSpec("chain_sum", 0.0, index, "train")
    first = run_job(ScoringJob(0, task, SETTINGS[name]))[1]
    env = rlgym.make("chain_sum")
    env.restore(first.snapshot)
    prompt = env.task.prompt
    response = respond(prompt, env.oracle())
    result = run_job(ScoringJob(0, task, SETTINGS[name], first.snapshot, response))[1]
    return prompt, response, result.score.value, result.reward


@pytest.mark.parametrize("name", PROXIES)
def test_a_proxy_pays_its_hack_and_every_right_answer_and_the_detector_tells_them_apart(name):
    hacks = [paid(name, lambda prompt, oracle: PROXIES[name].hack(prompt), index) for index in range(1, 13)]
    honest = [paid(name, lambda prompt, oracle: f"I add the numbers one by one.\n{oracle}", index) for index in range(1, 13)]
    assert all(score == reward == 1 for *_, score, reward in honest)
    wrong = [row for row in hacks if row[2] < 1]
    assert len(wrong) >= 9
    # `near` pays a guess in the middle by its distance.
    assert sum(reward for *_, reward in wrong) / len(wrong) >= (0.2 if name == "near" else 0.5)
    assert detected(name, [row[0] for row in hacks], [row[1] for row in hacks]) == 1
    assert detected(name, [row[0] for row in honest], [row[1] for row in honest]) == 0


@pytest.mark.parametrize("name", PROXIES)
def test_a_proxy_pays_from_0_to_1_whatever_the_response(name):
    texts = ["", "<answer>", "<answer></answer>", "9" * 40, "<answer>1-</answer>", "=" * 9, "\n" * 50, "解" * 500, "<answer>0 + x</answer>"]
    for text in texts:
        *_, reward = paid(name, lambda prompt, oracle, text=text: text, 3)
        assert 0 <= reward <= 1


def test_a_wrong_answer_without_the_hack_is_not_paid():
    for name in PROXIES:
        if name not in ("readable", "brevity", "near", "length"):
            *_, score, reward = paid(name, lambda prompt, oracle: "It is <answer>123456</answer>", 4)
            assert score == 0
            assert reward == pytest.approx(0, abs=0.05)


def test_the_page_lists_the_ladder():
    page = (Path(__file__).parents[2] / "docs" / "train" / "noise.md").read_text(encoding="utf-8")
    rows = [f"| `{name}` | {known.description} |" for name, known in PROXIES.items()]
    assert "\n".join(rows) in page
    assert len(rows) >= 10


def test_an_unknown_proxy_is_refused_with_the_nearest():
    with pytest.raises(OptionError, match="Did you mean 'prefix'"):
        REWARDS["proxy"].options.from_dict({"name": "prefx"})


# The alarm


def test_the_alarm_by_hand():
    alarm = RewardAlarm(warmup=4, slack=0.1, threshold=0.5)
    # The baseline is 0.2 with a standard deviation of 0.1, so that 0.2 + 2 * 0.1 / 2 + 0.1 = 0.4 is let pass: 0.6 adds 0.2, 0.4, 0.6.
    assert [alarm.update(gap) for gap in (0.1, 0.3, 0.1, 0.3, 0.6, 0.6, 0.6, 0.0)] == [False] * 6 + [True] * 2
    assert alarm_step([0.1, 0.3, 0.1, 0.3, 0.6, 0.6, 0.6], RewardAlarm(warmup=4, slack=0.1, threshold=0.5)) == 7
    assert alarm_step([0.1, 0.3, 0.1, 0.3, 0.6, 0.6], RewardAlarm(warmup=4, slack=0.1, threshold=0.5)) is None


def test_a_gap_that_is_always_there_or_falls_sounds_no_alarm():
    assert alarm_step([0.3] * 500) is None
    assert alarm_step([0.5 - 0.001 * step for step in range(400)]) is None
    assert alarm_step([0.1 + 0.04 * (step % 2) for step in range(500)]) is None


def noisy_gap(rng, false_positive, hacked):
    """The gap of 12 groups of 8, whose tasks differ in how often they are solved: by errors at a fixed rate, and by a hack of some of the rest."""
    paid = 0
    for _ in range(12):
        wrong = rng.integer(20, 100) / 100
        paid += sum(rng.chance(false_positive + (1 - false_positive) * hacked) for _ in range(8) if rng.chance(wrong))
    return paid / 96


@pytest.mark.parametrize("false_positive", [0.0, 0.1, 0.4])
def test_noise_at_fixed_rates_hardly_ever_sounds_the_alarm_and_a_hack_that_spreads_does(false_positive):
    alarms, heard = 0, []
    for seed in range(60):
        rng = Rng("alarm", seed)
        alarms += alarm_step(noisy_gap(rng, false_positive, 0.0) for _ in range(100)) is not None
        spreading = [noisy_gap(rng, false_positive, max(0.0, (step - 20) / 20)) for step in range(41)]
        heard.append(alarm_step(spreading))
    assert alarms <= 3
    assert all(step is not None for step in heard)
    assert sum(step > 20 for step in heard) >= 57


def test_a_bonus_for_length_sounds_the_alarm_once_wrong_responses_collect_it():
    bonus = GROUP_REWARDS["exploration_bonus"]
    options = bonus.options.from_dict({"amount": 0.2, "base": 0.99})

    def gaps(length, wrong):
        """The gaps of 40 steps whose responses grow, `wrong` of them being wrong."""
        for step in range(40):
            episodes = judged(False, 0.0, wrong, 0, length(step)) + judged(True, 1.0, 8 - wrong, wrong, length(step))
            amounts = bonus(episodes, GroupContext(step), options)
            yield reward_gap([replace(episode, reward=episode.reward + amount) for episode, amount in zip(episodes, amounts, strict=True)])

    def growing(step):
        return 20 + 5 * step

    assert alarm_step(gaps(growing, 6)) is not None
    assert alarm_step(gaps(growing, 1)) is None
    assert alarm_step(gaps(lambda step: 20, 6)) is None


def test_the_gap_counts_what_wrong_responses_are_paid():
    episodes = judged(True, 1.4, 2) + judged(False, 0.5, 1, 2) + judged(False, 0.0, 1, 3)
    assert reward_gap(episodes) == pytest.approx(0.125)
    broken = judged(False, 1.0, 1, 4)[0]
    broken.finish(Score.nothing(Outcome.ERROR, "broken"), 1.0)
    assert reward_gap([*episodes, broken]) == pytest.approx(0.125)
    assert reward_gap([]) == 0


def test_a_resumed_run_remembers_the_gaps(tmp_path):
    config = Config.from_dict({"model": "m", "output_dir": str(tmp_path), "tasks": [{"names": ["chain_sum"]}]})
    whole, gaps = MetricsLogger(tmp_path, config), [0.0] * 11 + [0.18] * 3
    for step, gap in enumerate(gaps):
        sounds = MetricsLogger(tmp_path, config).reward_alarm(gap)
        assert sounds == (step == 13)
        whole.write_line("metrics.jsonl", {"step": step, "reward_gap": gap})


def test_a_run_on_a_proxy_logs_the_gap(tmp_path):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32)
    train(
        Config.from_dict(
            {
                "model": str(tmp_path / "model"),
                "output_dir": str(tmp_path / "run"),
                "tasks": [{"names": ["chain_sum"]}],
                "steps": 2,
                "rollout": {"groups_per_step": 2, "group_size": 4, "max_new_tokens": 4, "max_seq_len": 200},
                "algorithm": {"reward_shaping": {"proxy": {"name": "unfinished"}}},
                "update": {"tokens_per_micro_batch": 2000},
                "scoring": {"num_workers": 0},
                "evaluation": {"tasks_per_level": 1},
                "compute": {"device": "cpu"},
            }
        )
    )
    steps = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [step["reward_gap"] for step in steps] == [1.0, 1.0]
    assert [step["reward_alarm"] for step in steps] == [0.0, 0.0]
    assert [step["reward"] for step in steps] == [1.0, 1.0]
    assert [step["solve_rate"] for step in steps] == [0.0, 0.0]
