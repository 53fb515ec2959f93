"""Critiques of a judge: what they say, the vote that marks wrong steps, and rewards from it."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import CRITIQUES, answer, criticised, knowing, learned_from, step_with_judge, sums, with_judge
from train.small_models import policy_and_judge

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rollout.critiques import is_strict, wrong_steps
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


# --- rewards from votes


@pytest.mark.parametrize(
    ("said", "strict", "expected"),
    [
        (["Wrong steps: none", "Wrong steps: none", "Wrong steps: 1"], True, 0.6 + 0.4),
        (["Wrong steps: 1", "Wrong steps: 1", "Wrong steps: none"], True, 0.4 * 0.5),  # one of two steps is right
        (["Wrong steps: 1", "Wrong steps: 2", "Wrong steps: none"], True, 0.4),  # no step is outvoted, but two of three find a fault
        (["no idea", "Wrong steps: none", "no idea"], True, 1.0),
    ],
)
def test_the_vote_decides_the_reward_by_hand(models, tmp_path, monkeypatch, said, strict, expected):
    learned = learned_from(monkeypatch)
    knowing(monkeypatch, lambda request: "one\n" + answer(request.turn % 2 == 0, request))
    criticised(monkeypatch, models, said)
    algorithm = {
        "token_rewards": {**CRITIQUES, "continuations": 3},
        "critique_reward": {"verdict_weight": 0.6, "step_weight": 0.4, "strict_format": strict},
    }
    train(with_judge(models, tmp_path / "run", algorithm, steps=1))
    assert [episode.reward for episode in learned[0]] == pytest.approx([expected] * 12)


@pytest.mark.parametrize(("said", "judge_tokens"), [("no idea", 900), ("Wrong steps: none", 120)])
def test_a_response_without_a_vote_is_left_out_and_not_punished(models, tmp_path, monkeypatch, said, judge_tokens):
    """The judge writes nothing that can be read, or has no room for long responses. A format that is not strict still earns 0: that is the policy's fault."""
    learned = learned_from(monkeypatch)
    texts = ["one\n" * 12 + "{}", "{} and {}"] if judge_tokens < 900 else ["one\n{}", "{} and {}"]
    knowing(monkeypatch, lambda request: texts[request.turn % 2].replace("{}", answer(True, request)))
    criticised(monkeypatch, models, [said])
    algorithm = {"token_rewards": CRITIQUES, "critique_reward": {"verdict_weight": 0.6, "step_weight": 0.4}}
    given = with_judge(models, tmp_path / "run", algorithm, steps=1, rollout={"max_new_tokens": 120})
    judge = given.second_models["judge"].model_copy(update={"max_seq_len": judge_tokens})
    train(given.model_copy(update={"second_models": {"judge": judge}}))
    assert [(is_strict(episode.transcript), episode.reward) for episode in learned[0]] == [(False, 0.0)] * 6
    line = read_lines(tmp_path / "run" / "metrics.jsonl")[0]
    assert line["responses_without_vote"] == 6
    assert line["solve_rate"] == 1, "the verifier's scores stay as they are"


def test_further_answers_and_padding_after_the_answer_earn_nothing(models, tmp_path, monkeypatch):
    """SPARK's exploits: an unrelated solved problem after the answer, which the judge finds right; more right steps do not add reward either."""
    assert is_strict("a\n<answer>1</answer>\n")
    assert not is_strict("<answer>1</answer> And another: <answer>2</answer>")
    assert not is_strict("<answer>1</answer>\nTask: 1 + 1. Step 1: it is 2.")
    assert not is_strict("one")
    learned = learned_from(monkeypatch)
    texts = ["one\n{}", "one\n{}\nand 1 + 1 = 2", "one\ntwo\n{}", "one\n{} {}"]
    knowing(monkeypatch, lambda request: texts[request.turn % 4].replace("{}", answer(True, request)))
    criticised(monkeypatch, models, ["Wrong steps: none"])
    algorithm = {"token_rewards": CRITIQUES, "critique_reward": {"verdict_weight": 0.6, "step_weight": 0.4}}
    train(with_judge(models, tmp_path / "run", algorithm, steps=1, rollout={"max_new_tokens": 60}))
    by_text = {}
    for episode in learned[0]:
        kind = (episode.transcript.count("<answer>"), "two" in episode.transcript, episode.transcript.endswith("</answer>"))
        by_text.setdefault(kind, set()).add(episode.reward)
    assert by_text == {(1, False, True): {1.0}, (1, False, False): {0.0}, (1, True, True): {1.0}, (2, False, True): {0.0}}


def test_extra_rollouts_of_hard_tasks_keep_their_own_steps(models, tmp_path, monkeypatch):
    """Extra rollouts are a batch of their own; their steps and votes are not those of the first ones."""
    learned = learned_from(monkeypatch)
    knowing(monkeypatch, lambda request: "one\n" * (request.turn + 1) + answer(False, request))
    criticised(monkeypatch, models, ["Wrong steps: none"])
    algorithm = {"token_rewards": CRITIQUES, "max_group_size": 4}
    train(with_judge(models, tmp_path / "run", algorithm, steps=1, rollout={"group_size": 2, "max_new_tokens": 60}))
    assert len(learned[0]) == 12
    assert len({episode.key for episode in learned[0]}) == 12
    for episode in learned[0]:
        assert len(episode.spans) == episode.transcript.count("one") + 1
        assert episode.spans[-1].end == len(episode.tokens)
