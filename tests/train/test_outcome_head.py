"""A head that predicts reward and remaining tokens, the choice of samples by hand, and an evaluation that stops what is not worth its tokens."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, opened, sums, train_interrupted
from train.small_models import small_model

from rlgym import Score
from rlgym.train.config.hidden_states import OutcomeHeadConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.data.collate import collate
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rollout.adaptive import outlooks
from rlgym.train.rollout.episodes import Episode
from rlgym.train.run import Run
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.hidden_states import hidden_states
from rlgym.train.update.outcome_head import OutcomeHead, Outlook, best_subset
from rlgym.train.validate.algorithms import check_algorithms


def head(edges=(2, 4), max_tokens=10, lr=0.1):
    return OutcomeHead.create(3, OutcomeHeadConfig(length_edges=edges, lr=lr), max_tokens, torch.device("cpu"))


def test_targets_by_hand():
    # Six tokens: before the first one six remain, before the last one one. Bins: up to 2, up to 4, more.
    assert head().targets(6, False).tolist() == [2, 2, 1, 1, 0, 0]
    assert head().targets(3, True).tolist() == [4, 3, 3]


def test_an_untrained_head_expects_nothing_in_particular():
    outlook = head().outlook(torch.ones(4, 3))
    assert outlook.right == pytest.approx(0.5)
    assert outlook.remaining == pytest.approx((1 + 3 + 7) / 3)  # the middles of 0 to 2, 2 to 4 and 4 to 10


def test_the_loss_by_hand_and_what_is_learned(build):
    # The rewards are those of an update, here less a baseline; what is right is the verifier's word.
    batch, scores = build([0.33, -0.66, 0.33], logprobs=[[-1] * 4, [-1] * 2, [-1] * 3]), [1.0, 0.0, 1.0]
    batch = replace(batch, truncated_N=torch.tensor([False, False, True]))
    states = [torch.tensor([[1.0, 0, 0]]).repeat(4, 1), torch.tensor([[0, 1.0, 0]]).repeat(2, 1), torch.ones(3, 3)]
    one = head()
    first = one.learn(batch, states, scores)
    assert first["outcome_head/loss"] == pytest.approx(torch.tensor(6.0).log().item())
    for _ in range(200):
        last = one.learn(batch, states, scores)
    assert last["outcome_head/loss"] < first["outcome_head/loss"]
    assert last["outcome_head/reward"] == 1
    right, wrong = one.outlook(states[0]), one.outlook(states[1])
    assert right.right > 0.9 > 0.1 > wrong.right
    # Of the four states of the right response two are in the first bin and two in the second, of the wrong one both in the first.
    assert right.remaining == pytest.approx((1 + 3) / 2, abs=0.2)
    assert wrong.remaining == pytest.approx(1, abs=0.2)


def test_states_that_are_no_numbers_leave_the_head_as_it_is(build):
    one = head()
    one.learn(build([1], logprobs=[[-1] * 2]), [torch.full((2, 3), float("nan"))], [1.0])
    assert all(float(weight.detach().abs().max()) == 0 for weight in one.head.parameters())
    one.learn(build([1], logprobs=[[-1] * 2]), [torch.ones(2, 3)], [1.0])
    assert all(float(weight.detach().abs().max()) > 0 for weight in one.head.parameters())


def test_which_samples_go_on_by_hand():
    running = [Outlook(0.5, 10), Outlook(0.5, 40), Outlook(0.1, 10)]
    assert best_subset(running, [], 0.0, 0.0) == (0, 1, 2)  # free samples all go on
    # 0.5 - 0.1 for the first alone; both: 0.75 - 0.5; the third adds 0.05 for 0.1.
    assert best_subset(running, [], 0.01, 0.0) == (0,)
    assert best_subset(running, [], 0.005, 0.0) == (0, 1)  # 0.75 - 0.25 against 0.5 - 0.05: 0.5 and 0.45
    assert best_subset(running, [], 0.0, 0.01) == (0, 2)  # 0.55 - 0.1; with the second 0.775 - 0.4
    assert best_subset(running, [0.95], 0.005, 0.0) == ()  # 0.95 is enough: 0.975 - 0.05 is less
    assert best_subset([Outlook(0.0, 1000)], [], 1.0, 0.0) == (0,)  # one answer must come
    assert best_subset([], [0.3], 0.1, 0.0) == ()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "start"
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=400, loud=1.0)
    return folder


def config(model, out, **more):
    algorithm = {"advantage": "dr_grpo", "filter_zero_std": False, "outcome_head": {"length_edges": [4, 16], "lr": 0.003}}
    return Config.from_dict(sums(model, out, algorithm=algorithm, **more))


def test_a_run_trains_the_head_evaluates_by_it_and_resumes_to_the_bit(model, tmp_path, monkeypatch):
    """The real engine samples: the controller stops samples, and what all of them cost is known."""
    evaluation = {"tasks_per_level": 2, "samples_per_task": 4, "adaptive": {"segment_tokens": 8, "compute_weight": 0.01}}
    seen = opened(monkeypatch)
    train(config(model, tmp_path / "whole", steps=3, evaluation=evaluation))
    lines = read_lines(tmp_path / "whole" / "metrics.jsonl")
    assert lines[-1]["outcome_head/loss"] < lines[0]["outcome_head/loss"]
    found = read_lines(tmp_path / "whole" / "evaluations.jsonl")[-1]["adaptive"]
    assert 0 < found["tokens"] < found["tokens_all"]
    assert {"accuracy", "accuracy_all"} <= found.keys()
    train_interrupted(monkeypatch, config(model, tmp_path / "stopped", steps=3, evaluation=evaluation))
    resumed = read_lines(tmp_path / "stopped" / "metrics.jsonl")
    assert [line["outcome_head/loss"] for line in resumed] == [line["outcome_head/loss"] for line in lines]
    for mine, other in zip(seen[0].outcome_head.head.parameters(), seen[-1].outcome_head.head.parameters(), strict=True):
        torch.testing.assert_close(mine, other, atol=0, rtol=0)


def test_a_run_teaches_the_head_the_verifiers_scores(model, tmp_path, monkeypatch):
    """With baselines a right response of an easy group has a reward near 0, and a wrong one of a hard group too."""
    given, plain = [], OutcomeHead.learn
    monkeypatch.setattr(
        OutcomeHead, "learn", lambda self, batch, hidden, scores: given.append((batch, scores)) or plain(self, batch, hidden, scores)
    )
    knowing(monkeypatch, lambda request: answer(request.turn % 4 < 3, request))
    chosen = config(model, tmp_path / "run", steps=2).model_dump(exclude_unset=True)
    chosen["algorithm"] |= {"advantage": "reinforce", "role_baseline": {"kind": "batch"}}
    train(Config.from_dict(chosen))
    for batch, scores in given:
        assert sorted(set(scores)) == [0.0, 1.0]
        assert sum(scores) / len(scores) == 0.75
        assert set(batch.reward_N.tolist()).isdisjoint({0.0, 1.0})


def test_a_decision_sees_the_last_token_of_a_response_that_goes_on(model, tmp_path):
    run = Run.open(config(model, tmp_path / "run"))
    torch.nn.init.normal_(run.outcome_head.head.weight)

    def expected(last, score=None):
        episode = Episode(0, 0, TaskSpec("chain_sum", 0.0, 0, "test"), [5, 6, 7, last], [False, False, True, True], [0.0] * 4, None)
        if score is not None:
            episode.finish(score, 0.0)
        return outlooks(run, [episode])[0]

    whole = Episode(
        0, 0, TaskSpec("chain_sum", 0.0, 0, "test"), [5, 6, 7, 8, 9], [False] * 4 + [True], [0.0] * 5, None, score=Score.exact(True)
    )
    states = hidden_states(run.policy, collate([whole]))
    assert expected(8) == run.outcome_head.outlook(states[0])
    assert expected(8) != expected(9)
    # What has ended is judged before its last token, the end: its head was never taught anything after that.
    assert expected(8, Score.exact(True)) == expected(9, Score.exact(True))
    run.close()


def test_the_policy_does_not_learn_from_the_head(model, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.key % 2 == 0, request))
    train(config(model, tmp_path / "with", steps=2))
    without = config(model, tmp_path / "without", steps=2)
    train(without.model_copy(update={"algorithm": without.algorithm.model_copy(update={"outcome_head": None})}))
    norms = [[line["grad_norm"] for line in read_lines(tmp_path / name / "metrics.jsonl")] for name in ("with", "without")]
    assert norms[0] == norms[1]


def test_what_cannot_work_is_refused(model, tmp_path):
    with pytest.raises(TrainError, match=r"set evaluation.samples_per_task from 2 to 10, not 1"):
        check_algorithms(config(model, tmp_path, evaluation={"adaptive": {}}))
    with pytest.raises(TrainError, match=r"evaluation.adaptive continues single responses, and higher_lower has many turns"):
        check_algorithms(config(model, tmp_path, evaluation={"adaptive": {}, "samples_per_task": 4, "transfer": ["higher_lower"]}))
    plain = sums(model, tmp_path, evaluation={"adaptive": {}, "samples_per_task": 4})
    with pytest.raises(TrainError, match=r"evaluation.adaptive decides by predictions: set algorithm.outcome_head"):
        check_algorithms(Config.from_dict(plain))
    with pytest.raises(TrainError, match=r"length_edges must rise"):
        Config.from_dict(sums(model, tmp_path, algorithm={"outcome_head": {"length_edges": [4, 4]}}))
