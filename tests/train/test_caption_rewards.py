"""Rewards of turns from a judge of what the world shows next: asked once in a run, and paid turn by turn."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from dataclasses import replace

from train.scripted import answer, knowing, sums
from train.small_models import small_model
from train.test_filters import episodes
from train.test_judge_rewards import Fixed, Letters

from rlgym.rewards.captions import CaptionLabels
from rlgym.train import loop
from rlgym.train.config.rewards import TokenRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.captions import add_caption_rewards
from rlgym.train.rollout.second_models import SecondModel
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.second_models import check_second_models

CAPTIONS = {"source": "turns", "turn_reward": "captions", "model": "judge", "right": 2.0, "wrong": -1.0}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    small_model(folder / "policy", max_seq_len=700, loud=1.0)
    small_model(folder / "judge", num_layers=1, max_seq_len=2000, seed=7)
    return folder


def config(models, out, rewards, **more):
    second = {"second_models": {"judge": {"path": str(models / "judge"), "max_seq_len": 2000}}}
    given = sums(
        models / "policy",
        out,
        algorithm={"advantage": "progress", "token_rewards": rewards},
        tasks=[{"names": ["chain_sum:try_again"]}],
        rollout={"max_seq_len": 700},
        steps=2,
    )
    return Config.from_dict(given | second | more)


def test_each_turn_is_paid_by_the_caption_that_it_leads_to(models, tmp_path, monkeypatch):
    """The policy errs twice and is right then; the judge likes the second message of an episode, and the last turn leads to none."""
    learned, asked, plain = [], [], loop.update_policy
    monkeypatch.setattr(loop, "update_policy", lambda run, episodes, timer: learned.append(episodes) or plain(run, episodes, timer))
    knowing(monkeypatch, lambda request: answer(False, request) if request.prompt.count("not right") < 2 else answer(True, request))

    def choose(judge, questions, answers):
        assert answers == ("YES", "NO")
        asked.extend(questions)
        return [0.9 if "the answer that you gave before" in question else 0.2 for question in questions]

    monkeypatch.setattr(SecondModel, "choose", choose)
    train(config(models, tmp_path / "run", CAPTIONS))
    for episode in learned[0]:
        assert [span.reward for span in episode.spans] == [-1.0, 2.0, 0.0]
        assert [span.kind for span in episode.spans] == ["wrong", "right", "unchecked"]
        assert all(episode.loss_mask[span.start] and episode.loss_mask[span.end - 1] for span in episode.spans)
    assert len(asked) == len(set(asked)), "a caption is asked about once"
    assert "Compute" in asked[0].partition("After a step")[0]
    first = read_lines(tmp_path / "run" / "metrics.jsonl")[0]
    assert first["captions_asked"] == 2 * 3, "two captions for each of three tasks, whatever the size of their groups"
    assert first["captions_helpful"] == 0.5


def test_a_long_goal_and_observation_are_cut_to_the_room_of_the_judge():
    engine = Fixed(lambda text, first: 0.0 if first else -1.0)
    judge = SecondModel("judge", engine, Letters(), 900)
    said = [("user", "G" * 3000 + "\n\nturn 1"), ("assistant", "x"), ("user", "W" * 3000 + "\n\nturn 2"), ("assistant", "y")]
    episode = replace(episodes([1])[0], messages=said, spans=[RewardSpan(1, 2, 0.0, "unchecked")])
    options = TokenRewardConfig(source="turns", turn_reward="captions", model="judge", right=2.0)
    labels = CaptionLabels()
    (paid,), metrics = add_caption_rewards(judge, labels, [episode], options)
    assert all(len(asked) < 900 and "G" * 50 in asked and "W" * 50 in asked for asked in engine.asked)
    assert (metrics["captions_asked"], len(labels), [span.reward for span in paid.spans]) == (1.0, 1, [2.0])
    assert add_caption_rewards(judge, labels, [episode], options)[1]["captions_asked"] == 0


@pytest.mark.parametrize(
    ("change", "check", "problem"),
    [
        ({"model": None}, check_algorithms, r"turn_reward='captions' needs algorithm.token_rewards.source='turns' and a judge"),
        ({"source": "outcome"}, check_algorithms, r"turn_reward='captions' needs algorithm.token_rewards.source='turns'"),
        ({"model": "jugde"}, check_second_models, r"algorithm.token_rewards.model='jugde' is not in second_models"),
    ],
)
def test_captions_need_turns_and_a_judge(models, tmp_path, change, check, problem):
    with pytest.raises(TrainError, match=problem):
        check(config(models, tmp_path, CAPTIONS | change))
