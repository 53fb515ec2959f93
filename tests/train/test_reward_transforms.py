"""What rewards are turned into: penalties for length, and corrections for verifiers that err, in real runs."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import alike, answer, knowing, logprobs, note, sums
from train.small_models import small_model

from rlgym import Score
from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.rewards.transforms import correct_rewards
from rlgym.train.rollout.episodes import Episode
from rlgym.train.tasks.spec import TaskSpec

NOISY = {"reward_noise": {"false_positive": 0.2, "false_negative": 0.3}}
FREE = {"loss_options": {"clip_low": 1.0, "clip_high": 100.0}}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "start"
    small_model(folder, num_layers=1, hidden_size=32, loud=1.0)
    return folder


def varied(request):
    """Half of the answers are right, and no two are alike, so that noise falls on each by itself."""
    return f"{'abcdefgh'[request.key % 8] * (request.key % 5)}{answer(request.key % 2 == 0, request)}"


def gradient(run):
    return read_lines(run / "metrics.jsonl")[0]["grad_norm"]


def test_the_backward_correction_undoes_what_errors_take_from_an_update(model, tmp_path, monkeypatch):
    gathered, _ = note(monkeypatch)
    knowing(monkeypatch, varied)
    algorithm = FREE | {"advantage": "dr_grpo", "reward_shaping": NOISY}
    # The rates may be left to the shaping, given for all, or given for an environment.
    corrections = {
        "none": None,
        "shaping": {},
        "given": {"false_positive_rate": 0.2, "false_negative_rate": 0.3},
        "by name": {"per_environment": {"chain_sum": [0.2, 0.3]}, "false_positive_rate": 0.0, "false_negative_rate": 0.0},
    }
    for name, correction in corrections.items():
        train(Config.from_dict(sums(model, tmp_path / name, algorithm=algorithm | {"noise_correction": correction}, steps=1)))
    for name in ("shaping", "given", "by name"):
        assert gradient(tmp_path / name) == pytest.approx(2 * gradient(tmp_path / "none"), rel=1e-4)
    # What is written down of the rewards is what was paid, not what it was corrected to.
    lines = [read_lines(tmp_path / name / "metrics.jsonl")[0] for name in corrections]
    assert len({line["reward"] for line in lines}) == 1
    flipped = [episode.reward != episode.score.value for episode in gathered[0].sampled]
    assert 0 < sum(flipped) < 12
    assert lines[0]["reward"] == pytest.approx(sum(episode.reward for episode in gathered[0].sampled) / 12)


def judged(name, reward, oracle=False):
    episode = Episode(0, 0, TaskSpec(name, 0.0, 1, "train"), [1, 2], [False, True], [0.0, -1.0], None, oracle=oracle)
    episode.finish(Score.exact(reward == 1), float(reward))
    return episode


def test_rates_differ_between_environments_and_the_oracle_is_not_doubted():
    correction = {"per_environment": {"nim": [0.0, 0.5]}, "false_positive_rate": 0.1, "false_negative_rate": 0.1}
    config = Config.from_dict(sums("m", "o", algorithm={"advantage": "rloo", "noise_correction": correction}))
    episodes = [judged("chain_sum", 1), judged("chain_sum", 0), judged("nim", 1), judged("nim", 0), judged("nim", 1, oracle=True)]
    assert [e.reward for e in correct_rewards(episodes, config)] == pytest.approx([0.9 / 0.8, -0.1 / 0.8, 2.0, 0.0, 1.0])
    assert [e.reward for e in episodes] == [1, 0, 1, 0, 1]
    forward = {"kind": "forward", "per_environment": {"nim": [0.0, 0.5]}, "false_negative_rate": 0.1}
    config = Config.from_dict(sums("m", "o", algorithm={"advantage": "reinforce", "noise_correction": forward}))
    assert [e.reward for e in correct_rewards(episodes, config)] == pytest.approx([0.1, -0.9, 0.5, -0.5, 1.0])


def test_the_forward_correction_is_the_advantage(model, tmp_path, monkeypatch):
    gathered, gradients = note(monkeypatch)
    knowing(monkeypatch, varied)
    algorithm = FREE | {
        "advantage": "reinforce",
        "filter_zero_std": False,
        "reward_shaping": NOISY,
        "noise_correction": {"kind": "forward"},
    }
    train(Config.from_dict(sums(model, tmp_path / "run", algorithm=algorithm, steps=1)))
    network, loss = load_model(model), 0.0
    count = sum(episode.num_sampled for episode in gathered[0].offered)
    for episode in gathered[0].offered:
        new = logprobs(network, episode)
        loss = loss - (0.3 if episode.reward else -0.7) * (new - new.detach()).exp().sum() / count
    loss.backward()
    alike(gradients[0], network)


def test_long_responses_lose_softly_and_make_a_difference_where_all_are_right(model, tmp_path, monkeypatch):
    gathered, _ = note(monkeypatch)
    knowing(monkeypatch, lambda request: "z" * (5 * (request.key % 4)) + answer(True, request))
    short = 20 + 1
    overlong = {"max_tokens": short + 12, "buffer_tokens": 10, "penalty": 0.5}
    train(Config.from_dict(sums(model, tmp_path / "run", algorithm={"overlong_penalty": overlong}, steps=1)))
    for episode in gathered[0].offered:
        over = min(1.0, max(0.0, (episode.num_sampled - short - 2) / 10))
        assert episode.reward == pytest.approx(1 - 0.5 * over)
    rewards = [episode.reward for episode in gathered[0].offered if episode.group == 0]
    assert len(set(rewards)) > 2
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["solve_rate"], line["reward"], line["kept_fraction"], line["updates"]) == (1, 1, 1, 1)
    assert all(replace(episode, reward=1.0).score.value == 1 for episode in gathered[0].sampled)


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        ({"noise_correction": {}}, "no error rates for the verifier of chain_sum"),
        ({"noise_correction": {}, "reward_shaping": NOISY}, "'grpo' undoes the correction"),
        ({"noise_correction": {}, "reward_shaping": NOISY, "advantage": "ppo", "filter_zero_std": False}, "whiten"),
        ({"noise_correction": {"kind": "forward"}, "reward_shaping": NOISY, "advantage": "rloo"}, "advantage='reinforce'"),
        (
            {"noise_correction": {"kind": "forward"}, "reward_shaping": NOISY, "advantage": "reinforce", "filter_zero_std": True},
            "filter_zero_std=false",
        ),
        ({"noise_correction": {"false_positive_rate": 0.6, "false_negative_rate": 0.5}, "advantage": "rloo"}, "carries no information"),
        ({"noise_correction": {"per_environment": {"chain_sum": [1.2, 0]}}, "advantage": "rloo"}, "from 0 to 1"),
        ({"overlong_penalty": {"max_tokens": 5}}, "'buffer_tokens' is required"),
        ({"overlong_penalty": {"max_tokens": 5, "buffer_tokens": 9}}, "buffer_tokens must not exceed max_tokens"),
    ],
)
def test_rewards_that_cannot_be_turned_are_refused(model, tmp_path, algorithm, message):
    with pytest.raises(RlgymError, match=message):
        train(Config.from_dict(sums(model, tmp_path / "run", algorithm=algorithm)))
    assert not (tmp_path / "run").exists()


def test_answers_with_a_confidence_are_requested_rewarded_and_logged(model, tmp_path, monkeypatch):
    gathered, _ = note(monkeypatch)
    # Of four answers two are right; one is sure, one nearly, one half sure, and one says nothing.
    words = ["<confidence>1</confidence>", "<confidence>0.9</confidence>", "<confidence>0.5</confidence>", ""]
    engines = knowing(monkeypatch, lambda request: words[request.key % 4] + answer(request.key % 2 == 0, request))
    rollout = {"max_new_tokens": 80, "max_seq_len": 400, "groups_per_step": 2}
    wide = tmp_path / "wide"
    small_model(wide, num_layers=1, hidden_size=32, max_seq_len=600, loud=1.0)
    algorithm = {"advantage": "dr_grpo", "reward_shaping": {"brier_penalty": {"amount": 0.5}}}
    train(Config.from_dict(sums(wide, tmp_path / "run", algorithm=algorithm, rollout=rollout, steps=1)))
    assert all("<confidence>p</confidence>" in text.prompt for text in engines[0].asked)
    assert [episode.reward for episode in gathered[0].offered] == pytest.approx([1, -0.405, 1 - 0.125, -0.5] * 2)
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["confidence_stated"], line["confidence"]) == (0.75, pytest.approx(0.8))
    # Those of 0.9 and of 1 lie in one bin: |(1 - 1) + (0 - 0.9)| + |1 - 0.5|, over three.
    assert line["calibration_error"] == pytest.approx((0.9 + 0.5) / 3)


def test_the_oracle_is_sure_where_it_is_asked(model):
    from rlgym.train.model.tokenizer import load_tokenizer
    from rlgym.train.rollout.chat import Chat
    from rlgym.train.sft.data import build_example
    from rlgym.train.tasks.spec import TaskSettings

    chat = Chat(load_tokenizer(model))
    task = TaskSpec("chain_sum", 0.0, 1, "train")
    for shaping, stated in (((), False), ((("brier_penalty", ()),), True)):
        written = build_example(chat, task, TaskSettings(0, 0.1, reward_shaping=shaping), explain=True)
        text = chat.decode([token for token, mine in zip(written.tokens, written.loss_mask, strict=True) if mine])
        assert ("<confidence>1</confidence>" in text) == stated
        assert ("<confidence>p</confidence>" in chat.decode(written.tokens)) == stated
