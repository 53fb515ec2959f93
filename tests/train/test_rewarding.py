"""What rewards are turned into: penalties for length, and corrections for verifiers that err, in real runs."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import alike, answer, knowing, logprobs, note, sums
from train.small_models import small_model

from rlgym import Score
from rlgym.core.errors import RlgymError
from rlgym.train.config import Config
from rlgym.train.episodes import Episode
from rlgym.train.loop import train
from rlgym.train.metrics import read_lines
from rlgym.train.model import load_model
from rlgym.train.rewarding import corrected
from rlgym.train.scoring import Pick

NOISY = {"noisy": {"false_positive": 0.2, "false_negative": 0.3}}
FREE = {"loss_options": {"low": 1.0, "high": 100.0}}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "start"
    small_model(folder, layers=1, width=32, loud=1.0)
    return folder


def varied(said):
    """Half of the answers are right, and no two are alike, so that noise falls on each by itself."""
    return f"{'abcdefgh'[said.key % 8] * (said.key % 5)}{answer(said.key % 2 == 0, said)}"


def gradient(run):
    return read_lines(run / "metrics.jsonl")[0]["gradient"]


def test_the_backward_correction_undoes_what_errors_take_from_an_update(model, tmp_path, monkeypatch):
    gathered, _ = note(monkeypatch)
    knowing(monkeypatch, varied)
    algorithm = FREE | {"advantage": "dr_grpo", "shaping": NOISY}
    # The rates may be left to the shaping, given for all, or given for an environment.
    corrections = {
        "none": None,
        "shaping": {},
        "given": {"false_positive": 0.2, "false_negative": 0.3},
        "by name": {"rates": {"chain_sum": [0.2, 0.3]}, "false_positive": 0.0, "false_negative": 0.0},
    }
    for name, correction in corrections.items():
        train(Config.of(sums(model, tmp_path / name, algorithm=algorithm | {"correction": correction}, steps=1)))
    for name in ("shaping", "given", "by name"):
        assert gradient(tmp_path / name) == pytest.approx(2 * gradient(tmp_path / "none"), rel=1e-4)
    # What is written down of the rewards is what was paid, not what it was corrected to.
    lines = [read_lines(tmp_path / name / "metrics.jsonl")[0] for name in corrections]
    assert len({line["reward"] for line in lines}) == 1
    flipped = [episode.reward != episode.score.value for episode in gathered[0].played]
    assert 0 < sum(flipped) < 12
    assert lines[0]["reward"] == sum(episode.reward for episode in gathered[0].played) / 12


def judged(name, reward, oracle=False):
    episode = Episode(0, 0, Pick(name, 0.0, 1, "train"), [1, 2], [False, True], [0.0, -1.0], None, oracle=oracle)
    episode.end(Score.exact(reward == 1), float(reward))
    return episode


def test_rates_differ_between_environments_and_the_oracle_is_not_doubted():
    correction = {"rates": {"nim": [0.0, 0.5]}, "false_positive": 0.1, "false_negative": 0.1}
    config = Config.of(sums("m", "o", algorithm={"advantage": "rloo", "correction": correction}))
    episodes = [judged("chain_sum", 1), judged("chain_sum", 0), judged("nim", 1), judged("nim", 0), judged("nim", 1, oracle=True)]
    assert [e.reward for e in corrected(episodes, config)] == pytest.approx([0.9 / 0.8, -0.1 / 0.8, 2.0, 0.0, 1.0])
    assert [e.reward for e in episodes] == [1, 0, 1, 0, 1]
    forward = {"kind": "forward", "rates": {"nim": [0.0, 0.5]}, "false_negative": 0.1}
    config = Config.of(sums("m", "o", algorithm={"advantage": "reinforce", "correction": forward}))
    assert [e.reward for e in corrected(episodes, config)] == pytest.approx([0.1, -0.9, 0.5, -0.5, 1.0])


def test_the_forward_correction_is_the_advantage(model, tmp_path, monkeypatch):
    gathered, gradients = note(monkeypatch)
    knowing(monkeypatch, varied)
    algorithm = FREE | {"advantage": "reinforce", "skip_dead": False, "shaping": NOISY, "correction": {"kind": "forward"}}
    train(Config.of(sums(model, tmp_path / "run", algorithm=algorithm, steps=1)))
    network, loss = load_model(model), 0.0
    count = sum(episode.sampled for episode in gathered[0].offered)
    for episode in gathered[0].offered:
        new = logprobs(network, episode)
        loss = loss - (0.3 if episode.reward else -0.7) * (new - new.detach()).exp().sum() / count
    loss.backward()
    alike(gradients[0], network)


def test_long_responses_lose_softly_and_make_a_difference_where_all_are_right(model, tmp_path, monkeypatch):
    gathered, _ = note(monkeypatch)
    knowing(monkeypatch, lambda said: "z" * (5 * (said.key % 4)) + answer(True, said))
    short = 20 + 1
    overlong = {"most": short + 12, "margin": 10, "penalty": 0.5}
    train(Config.of(sums(model, tmp_path / "run", algorithm={"overlong": overlong}, steps=1)))
    for episode in gathered[0].offered:
        over = min(1.0, max(0.0, (episode.sampled - short - 2) / 10))
        assert episode.reward == pytest.approx(1 - 0.5 * over)
    rewards = [episode.reward for episode in gathered[0].offered if episode.group == 0]
    assert len(set(rewards)) > 2
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["solve"], line["reward"], line["kept"], line["updates"]) == (1, 1, 1, 1)
    assert all(replace(episode, reward=1.0).score.value == 1 for episode in gathered[0].played)


@pytest.mark.parametrize(
    ("algorithm", "said"),
    [
        ({"correction": {}}, "does not say how often the verifier of chain_sum errs"),
        ({"correction": {}, "shaping": NOISY}, "'grpo' undoes corrections"),
        ({"correction": {}, "shaping": NOISY, "advantage": "ppo", "skip_dead": False}, "whiten"),
        ({"correction": {"kind": "forward"}, "shaping": NOISY, "advantage": "rloo"}, "advantage='reinforce'"),
        ({"correction": {"kind": "forward"}, "shaping": NOISY, "advantage": "reinforce"}, "skip_dead=false"),
        ({"correction": {"false_positive": 0.6, "false_negative": 0.5}, "advantage": "rloo"}, "tells nothing"),
        ({"correction": {"rates": {"chain_sum": [1.2, 0]}}, "advantage": "rloo"}, "from 0 to 1"),
        ({"overlong": {"most": 5}}, "'margin' must be given"),
        ({"overlong": {"most": 5, "margin": 9}}, "margin must not exceed most"),
    ],
)
def test_rewards_that_cannot_be_turned_are_refused(model, tmp_path, algorithm, said):
    with pytest.raises(RlgymError, match=said):
        train(Config.of(sums(model, tmp_path / "run", algorithm=algorithm)))
    assert not (tmp_path / "run").exists()
