"""A judge that is trained along: its objectives against a plain network and by hand, its turns, and what cannot work."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import CRITIQUES, answer, criticised, knowing, logprobs, opened, train_interrupted, with_judge
from train.small_models import by_hand, policy_and_judge

from rlgym.train import loop
from rlgym.train.config.judge_training import JudgeTrainingConfig
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.rollout.critiques import Critique, voted_wrong
from rlgym.train.run import Run
from rlgym.train.update.judge_training import WeightedText, imitated, reinforced
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.memory import second_model_bytes


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return policy_and_judge(tmp_path_factory.mktemp("models"))


def critique(wrong, key=0, solved=True, agrees=False, size=2):
    return Critique((0, key), solved, (5, 6), tuple(range(10, 10 + size)), None if wrong is None else frozenset(wrong), agrees)


# --- what is learned from critiques, by hand


def test_critiques_are_reinforced_for_agreeing_with_the_verifier_by_hand():
    given = [critique(set()), critique({2}), critique(set()), critique(None), critique({1}, 1, False), critique({1, 2}, 1, False)]
    texts, metrics = reinforced(given, JudgeTrainingConfig(model="judge"))
    # Rewards 1, 0, 1, 0 with mean 1/2 and deviation 1/2, over 12 tokens; the critiques of the wrong response are all right, so that they teach nothing.
    assert [text.weight for text in texts] == pytest.approx([1 / 12, -1 / 12, 1 / 12, -1 / 12, 0, 0], abs=1e-6)
    assert metrics == {"agreement": 4 / 5}
    texts, _ = reinforced(given[:4], JudgeTrainingConfig(model="judge", format_reward=0.5))
    # 1.5, 0.5, 1.5, 0: the unreadable one is now worse than the wrong one.
    assert texts[3].weight < texts[1].weight < 0 < texts[0].weight
    swapped, _ = reinforced([critique(set(), solved=False), critique({2}, solved=False)], JudgeTrainingConfig(model="judge"))
    assert swapped[0].weight < 0 < swapped[1].weight  # praise of a wrong response is pushed down


def test_votes_choose_what_is_imitated_by_hand():
    given = [critique({2}, agrees=True), critique({1, 2}), critique({2}, agrees=True, size=4), critique(None)]
    texts, metrics = imitated(given, JudgeTrainingConfig(model="judge", objective="votes"))
    assert [(len(text.tokens), text.weight) for text in texts] == [(2, 1 / 6), (4, 1 / 6)]
    assert metrics == {"imitated": 0.5}
    assert voted_wrong([{2}, {1, 2}, {2}, set()], 3) == {2}
    assert voted_wrong([{1}, {2}], 3) == set()  # half is no majority


# --- runs


def test_the_gradient_of_reinforced_critiques_is_that_of_a_plain_network(models, tmp_path, monkeypatch):
    """The first critique of each response praises it, the second finds a fault: right responses reinforce the first, wrong ones the second."""
    asked, gradients = [], []
    knowing(monkeypatch, lambda request: "one\n" + answer(request.turn % 2 == 0, request))
    criticised(monkeypatch, models, ["Wrong steps: none", "Wrong steps: 1"], asked)
    clip = torch.nn.utils.clip_grad_norm_

    def noted(weights, norm):
        weights = list(weights)
        gradients.append([weight.grad.clone() for weight in weights])
        return clip(weights, norm)

    monkeypatch.setattr("torch.nn.utils.clip_grad_norm_", noted)
    algorithm = {"token_rewards": CRITIQUES, "judge_training": {"model": "judge", "lr": 1e-3, "max_grad_norm": 1e9}}
    train(with_judge(models, tmp_path / "run", algorithm, steps=1))
    line = read_lines(tmp_path / "run" / "metrics.jsonl")[0]
    assert line["judge_training/agreement"] == 0.5
    [(contexts, rows)] = asked
    network = load_model(models / "judge")
    total = sum(map(len, rows))
    loss = 0.0
    for place, (context, row) in enumerate(zip(contexts, rows, strict=True)):
        solved = (place // 2) % 4 % 2 == 0
        sign = 1 if (place % 2 == 0) == solved else -1
        said = SimpleNamespace(tokens=[*context, *row], loss_mask=[False] * len(context) + [True] * len(row))
        loss = loss - sign * logprobs(network, said).sum() / total
    loss.backward()
    assert line["judge_training/loss"] == pytest.approx(float(loss.detach()), rel=1e-3, abs=1e-4)
    for found, weight in zip(gradients[-1], network.parameters(), strict=True):
        torch.testing.assert_close(found, weight.grad, atol=2e-5, rtol=2e-3)


def test_votes_train_the_judge_in_a_run_that_resumes(models, tmp_path, monkeypatch):
    """Two of three critiques of each response praise it, so that these are imitated; the verifier, which refuses half of the responses, is not asked."""
    asked = []
    knowing(monkeypatch, lambda request: "one\n" + answer(request.key % 2 == 0, request))
    criticised(monkeypatch, models, ["Wrong steps: none", "Wrong steps: 1", "Wrong steps: none"], asked)
    algorithm = {
        "token_rewards": {**CRITIQUES, "continuations": 3},
        "critique_reward": {"verdict_weight": 0.6, "step_weight": 0.4},
        "judge_training": {"model": "judge", "objective": "votes", "lr": 1e-3},
    }
    train(with_judge(models, tmp_path / "whole", algorithm, steps=3))
    lines = read_lines(tmp_path / "whole" / "metrics.jsonl")
    assert [line["judge_training/imitated"] for line in lines] == [pytest.approx(2 / 3)] * 3
    contexts, rows = asked[0]
    chosen = [place for place in range(len(rows)) if place % 3 != 1]
    network, total, loss = load_model(models / "judge"), sum(len(rows[place]) for place in chosen), 0.0
    for place in chosen:
        both = [*contexts[place], *rows[place]]
        mask = [False] * len(contexts[place]) + [True] * len(rows[place])
        loss -= float(logprobs(network, SimpleNamespace(tokens=both, loss_mask=mask)).sum().detach()) / total
    assert lines[0]["judge_training/loss"] == pytest.approx(loss, rel=1e-3)
    assert lines[0]["judge_training/loss"] > lines[1]["judge_training/loss"] > lines[2]["judge_training/loss"]
    train_interrupted(monkeypatch, with_judge(models, tmp_path / "stopped", algorithm, steps=3))
    names = ("judge_training/loss", "judge_training/imitated", "grad_norm")
    whole, resumed = (
        [[line[name] for name in names] for line in read_lines(tmp_path / each / "metrics.jsonl")] for each in ("whole", "stopped")
    )
    assert whole == resumed


def test_gradients_that_are_not_finite_leave_the_judge_as_it_is(models, tmp_path):
    run = Run.open(with_judge(models, tmp_path / "run", {"token_rewards": CRITIQUES, "judge_training": {"model": "judge", "lr": 1.0}}))
    judge = run.judge_training
    before = [weight.detach().clone() for weight in judge.passes.model.parameters()]
    judge._learn_texts([WeightedText((5, 6), (7, 8), float("nan"))])
    assert judge.version == 0
    for weight, old in zip(judge.passes.model.parameters(), before, strict=True):
        torch.testing.assert_close(weight.detach(), old, atol=0, rtol=0)
    judge._learn_texts([WeightedText((5, 6), (7, 8), 1.0)])
    assert judge.version == 1
    run.close()


def test_policy_and_judge_are_trained_in_turns(models, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: "one\n" + answer(request.turn % 2 == 0, request))
    criticised(monkeypatch, models, ["Wrong steps: none", "Wrong steps: 1"])
    seen, weights, plain = opened(monkeypatch), [], loop.training_step

    def step(run, callback):
        out = plain(run, callback)
        networks = (run.model, run.judge_training.passes.model, run.second_models["judge"].engine.model)
        weights.append([torch.cat([weight.detach().flatten() for weight in network.parameters()]) for network in networks])
        return out

    monkeypatch.setattr(loop, "training_step", step)
    algorithm = {"token_rewards": CRITIQUES, "judge_training": {"model": "judge", "lr": 1e-3, "alternate_steps": [2, 1]}}
    train(with_judge(models, tmp_path / "run", algorithm, steps=4))
    changed = [[not torch.equal(new, old) for new, old in zip(after, before, strict=True)] for before, after in pairwise(weights)]
    # Steps 1 and 2 train the policy, step 3 the judge and the copy that judges, step 4 the policy.
    assert changed == [[True, False, False], [False, True, True], [True, False, False]]
    assert seen[0].judge_training.version == 1
    for judging, trained in zip(
        seen[0].second_models["judge"].engine.model.parameters(), seen[0].judge_training.passes.model.parameters(), strict=True
    ):
        torch.testing.assert_close(judging, trained.detach())


def test_a_judge_learns_to_tell_right_responses_from_corrupted_copies(models, tmp_path, monkeypatch):
    """Only the answer differs, so that a judge that sees the reference can tell; and the reward is that of the judge of the moment."""
    asked, seen = [], opened(monkeypatch)
    knowing(monkeypatch, lambda request: "one\n" + answer(request.turn % 2 == 0, request))
    from rlgym.train.update import judge_training

    plain = judge_training.corrupted_pairs
    monkeypatch.setattr(judge_training, "corrupted_pairs", lambda *given: asked.append(plain(*given)) or asked[-1])
    judged = {"model": "judge", "question": "{answer} {response}", "answers": ["yes", "no"]}
    algorithm = {"judge_reward": judged, "judge_training": {"model": "judge", "objective": "pairs", "lr": 1e-2}}
    train(with_judge(models, tmp_path / "run", algorithm, steps=12, checkpoints={"every_steps": 20}))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert len(asked[0]) == 3  # one for each group
    for pair in asked[0]:
        right, wrong = pair.right.transcript, pair.corrupted.transcript
        assert right != wrong
        assert right.partition("<answer>")[0] == wrong.partition("<answer>")[0] == "one\n"
    losses = [line["judge_training/loss"] for line in lines]
    assert sum(losses[-3:]) < sum(losses[:3])
    assert lines[0]["judge_training/pairs"] == 3
    assert seen[0].second_models["judge"].engine.version == 12
    # The loss of the first step by hand: -log sigmoid of the margin of the initial judge.
    judge, chat = load_model(models / "judge"), seen[0].second_models["judge"].chat

    def logit(pair_member, reference):
        prompt = chat.prompt_tokens(f"{reference} {pair_member.transcript}")
        yes, no = (float(by_hand(judge, [*prompt, *chat.encode(text)])[-len(chat.encode(text)) :].sum()) for text in ("yes", "no"))
        return yes - no

    margins = []
    for pair in asked[0]:
        reference = "<answer>" + pair.right.transcript.partition("<answer>")[2]
        margins.append(logit(pair.right, reference) - logit(pair.corrupted, reference))
    assert losses[0] == pytest.approx(float(-torch.nn.functional.logsigmoid(torch.tensor(margins)).mean()), rel=1e-3)


def test_a_resumed_run_goes_on_with_the_trained_judge(models, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: "one\n" + answer(request.key % 2 == 0, request))
    judged = {"model": "judge", "question": "{answer} {response}", "answers": ["yes", "no"]}
    algorithm = {"judge_reward": judged, "judge_training": {"model": "judge", "objective": "pairs", "lr": 1e-2}}
    train(with_judge(models, tmp_path / "whole", algorithm, steps=3))
    stopped = tmp_path / "stopped"
    train_interrupted(monkeypatch, with_judge(models, stopped, algorithm, steps=3))
    names = ("judge_reward", "judge_training/loss", "grad_norm")
    whole, resumed = (
        [[line[name] for name in names] for line in read_lines(folder / "metrics.jsonl")] for folder in (tmp_path / "whole", stopped)
    )
    assert whole == resumed


PAIRS = {"model": "judge", "objective": "pairs"}
REFUSED = [
    ({"judge_training": PAIRS}, r"objective='pairs' trains the judge of verdicts: set algorithm.judge_reward with kind 'verdict'"),
    ({"judge_training": PAIRS, "judge_reward": {"model": "judge", "kind": "pairwise"}}, r"with kind 'verdict', model='judge'"),
    (
        {"judge_training": {"model": "judge"}},
        r"objective='verdicts' trains on critiques: set algorithm.token_rewards with source 'critiques'",
    ),
    ({"judge_training": {"model": "judge"}, "token_rewards": {**CRITIQUES, "continuations": 1}}, r"continuations to 2 or more"),
    (
        {"judge_training": {"model": "judge", "alternate_steps": [0, 1]}, "token_rewards": CRITIQUES},
        r"judge_training.alternate_steps=\[0, 1\] must be numbers",
    ),
    (
        {"judge_training": {"model": "judge", "objective": "votes", "format_reward": 0.1}, "token_rewards": CRITIQUES},
        r"format_reward is of the objective 'verdicts', not 'votes'",
    ),
    (
        {
            "judge_training": {"model": "judge", "objective": "solutions", "alternate_steps": [1, 1]},
            "judge_reward": {"model": "judge", "question": "{prompt} {response} Right?"},
        },
        r"objective='solutions' has rounds of its own: set algorithm.judge_training.round_steps",
    ),
    (
        {
            "judge_training": {"model": "judge", "objective": "solutions", "format_reward": 0.1},
            "judge_reward": {"model": "judge", "question": "{prompt} {response} Right?"},
        },
        r"format_reward is of the objective 'verdicts', not 'solutions'",
    ),
    ({"judge_training": {"model": "jugde"}, "token_rewards": CRITIQUES}, r"algorithm.judge_training.model='jugde' is not in second_models"),
    ({"critique_reward": {}, "judge_reward": {"model": "judge"}}, r"critique_reward counts the votes of critiques"),
    (
        {"critique_reward": {}, "token_rewards": CRITIQUES, "intrinsic_reward": {}},
        r"critique_reward and intrinsic_reward both replace the reward",
    ),
    ({"critique_reward": {"verdict_weight": 0}, "token_rewards": CRITIQUES}, r"critique_reward has no weight"),
]


@pytest.mark.parametrize(("algorithm", "message"), REFUSED)
def test_what_cannot_work_is_refused(models, tmp_path, algorithm, message):
    with pytest.raises(TrainError, match=message):
        check_algorithms(with_judge(models, tmp_path, algorithm))


def test_memory_counts_the_trained_copy(models):
    chosen = SimpleNamespace(path="", backend="auto", max_seq_len=100, max_num_seqs=1)
    count = sum(weight.numel() for weight in load_model(models / "judge").parameters())
    assert second_model_bytes(chosen, models / "judge", 2, True) - second_model_bytes(chosen, models / "judge", 2) == 16 * count
