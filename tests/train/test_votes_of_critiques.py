"""Critiques of a judge: what they say, and the vote that marks wrong steps."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, step_with_judge, sums
from train.small_models import policy_and_judge

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.rollout.critiques import wrong_steps
from rlgym.train.validate.algorithms import check_algorithms


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return policy_and_judge(tmp_path_factory.mktemp("models"))


def test_what_a_critique_says_by_hand():
    assert wrong_steps("Step 2 adds wrongly.\nWrong steps: 2, 3", 3) == {2, 3}
    assert wrong_steps("Wrong steps: 1\nNo: wrong steps: none", 3) == set()  # the last verdict counts
    assert wrong_steps("Wrong step: 1 and 3.", 3) == {1, 3}
    assert wrong_steps("Wrong steps: 4", 3) is None  # there is none
    assert wrong_steps("**Wrong steps:** 2 and 3", 3) == {2, 3}
    assert wrong_steps("Wrong steps: 2\n3 steps were checked", 3) == {2}
    # What lists no numbers and does not say "none" is no verdict, and in particular no praise.
    for unclear in (
        "all is well",
        "Wrong steps: all",
        "Wrong steps: and",
        "Wrong steps:\n",
        "Wrong steps: the second",
        "Wrong steps: nonexistent",
    ):
        assert wrong_steps(unclear, 3) is None


def test_a_vote_over_critiques_marks_the_steps_that_capo_pushes_down(models, tmp_path, monkeypatch):
    """Two of three critiques find the second step wrong and one the first; a fourth cannot be read."""
    from rlgym.train.model.tokenizer import load_tokenizer
    from rlgym.train.rollout.engines.base import Completion

    tokenizer, asked = load_tokenizer(models / "judge"), []
    knowing(monkeypatch, lambda request: "one\ntwo\n" + answer(request.turn == 0, request))
    critiques = ["Wrong steps: 2", "Wrong steps: 1, 2", "no idea", "Wrong steps: none"]

    def sample(engine, contexts, samplings):
        asked.extend(tokenizer.decode(list(context)) for context in contexts)
        assert len({sampling.seed for sampling in samplings}) == len(samplings)
        said = [tokenizer(critiques[place % 4], add_special_tokens=False)["input_ids"] for place in range(len(contexts))]
        return [Completion(tuple(tokens), (-1.0,) * len(tokens), True, 0) for tokens in said]

    monkeypatch.setattr("rlgym.train.rollout.critiques.sample_prefixes", sample)
    rewards = {"source": "critiques", "model": "judge", "continuations": 4}
    episodes, line = step_with_judge(
        models, tmp_path / "run", {"advantage": "capo", "token_rewards": rewards, "filter_zero_std": False}, monkeypatch
    )
    assert "Step 1: one\nStep 2: two\nStep 3: <answer>" in asked[0]
    for episode in episodes:
        assert [span.kind for span in episode.spans] == ["right", "wrong", "right"]
        assert [span.reward for span in episode.spans] == [1, 0, 1]
        texts = [tokenizer.decode(episode.tokens[span.start : span.end], skip_special_tokens=True).strip() for span in episode.spans]
        assert texts[:2] == ["one", "two"]
    assert line["critiques_readable"] == 0.75
    assert line["critiqued_steps_wrong"] == pytest.approx(1 / 3)
    assert line["grad_norm"] > 0


def test_critiques_need_a_judge(models, tmp_path):
    with pytest.raises(TrainError, match=r"algorithm.token_rewards.source='critiques' needs a judge"):
        check_algorithms(Config.from_dict(sums(models / "policy", tmp_path, algorithm={"token_rewards": {"source": "critiques"}})))
