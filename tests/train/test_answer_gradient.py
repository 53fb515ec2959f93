"""The gradient of a likelihood reward through the reference answer, against the exact gradient of the expected reward."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import Knowing, alike, answer, knowing, logprobs, note, sums
from train.small_models import small_model
from train.test_likelihood import configuration

from rlgym.train.config.rewards import LikelihoodRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.logprobs import token_ranks
from rlgym.train.model.packing import pack
from rlgym.train.model.pretrained import load_model
from rlgym.train.registry import FILTERS
from rlgym.train.rollout.collect import collect_rollouts
from rlgym.train.rollout.engines.scores import score_continuations
from rlgym.train.rollout.likelihood import ScoredTokens, answer_weights, likelihood_value
from rlgym.train.run import Run
from rlgym.train.validate.algorithms import check_algorithms

KINDS = ("prob", "mean_prob", "logprob", "mean_logprob")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, max_seq_len=300, loud=1.0)
    return folder


def exact(start, out, kind="prob", **more):
    """A run of one step whose loss is a plain sum of tokens, with a leave-one-out baseline."""
    given = configuration(start, out, kind=kind, answer_gradient=1.0, **more)
    sums_of_tokens = {"aggregation": "constant", "aggregation_constant": 1}
    given["algorithm"] |= {"advantage": "rloo", "loss": "reinforce", "loss_options": sums_of_tokens, "filter_zero_std": False}
    given["update"] |= {"max_grad_norm": 1e9}
    return Config.from_dict(given | {"steps": 1})


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_the_slope_of_the_reward(kind):
    options = LikelihoodRewardConfig(kind=kind, weight=2.0)
    reference = torch.tensor([0.5, 0.8, 0.3], dtype=torch.float64).log().tolist()
    step = 1e-6
    for place, weight in enumerate(answer_weights(reference, options)):
        moved = [logprob + step * (index == place) for index, logprob in enumerate(reference)]
        rise = likelihood_value(ScoredTokens(reference=moved), options) - likelihood_value(ScoredTokens(reference=reference), options)
        assert weight == pytest.approx(options.weight * rise / step, rel=1e-4)


@pytest.mark.parametrize("kind", ["prob", "logprob"])
def test_the_gradient_is_that_of_the_reasoning_plus_that_of_the_reference_answer(start, tmp_path, monkeypatch, kind):
    gathered, gradients = note(monkeypatch)
    train(exact(start, tmp_path / "run", kind))
    episodes = gathered[0].offered
    network = load_model(start)
    total = 0.0
    for episode in episodes:
        others = [other.reward for other in episodes if other.group == episode.group and other is not episode]
        advantage = episode.reward - sum(others) / len(others)
        context, answer = episode.reference.context, episode.reference.tokens
        packed = pack([[*context, *answer]])
        log = torch.log_softmax(network.logits(network(packed.tokens_T, packed.positions_T, packed.attention)), -1)
        of_answer = sum(log[len(context) + place - 1, token] for place, token in enumerate(answer))
        # VeriFree: R grad log pi(y* | x, z), with R = pi(y* | x, z); for the log-probability itself the factor is 1.
        factor = of_answer.exp().detach() if kind == "prob" else 1.0
        total = total - (advantage * logprobs(network, episode).sum() + factor * of_answer) / len(episodes)
    total.backward()
    alike(gradients[0], network)
    [line] = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["reference_logprob"] < 0


def knowing_scores(monkeypatch, start, says):
    """An engine that answers by `says` and scores by the model at the start; the engines that were made."""
    network = load_model(start)
    monkeypatch.setattr(Knowing, "score", lambda self, given, temperature=1.0: score_continuations(network, given, 1.0, 250), raising=False)
    return knowing(monkeypatch, says)


def test_the_reference_answer_is_learned_where_all_rewards_are_equal(start, tmp_path, monkeypatch):
    """Equal responses have equal rewards and no advantage, and only the reference answer carries a gradient."""
    knowing_scores(monkeypatch, start, lambda request: "I know. " + answer(False, request))
    norms = {}
    for coefficient in (0.0, 1.0):
        likelihood = {"kind": "logprob", "answer_gradient": coefficient}
        given = {"advantage": "rloo", "likelihood_reward": likelihood, "filter_zero_std": False}
        train(Config.from_dict(sums(start, tmp_path / f"run{coefficient}", algorithm=given, steps=1)))
        [line] = read_lines(tmp_path / f"run{coefficient}" / "metrics.jsonl")
        norms[coefficient] = line["grad_norm"]
    assert norms[0.0] == pytest.approx(0, abs=1e-6)
    assert norms[1.0] > 0.01


def test_the_responses_own_answer_carries_no_loss(start, tmp_path, monkeypatch):
    seen = []
    rows = knowing_scores(monkeypatch, start, lambda request: "Let me see. " + answer(request.turn == 0, request))
    monkeypatch.setattr("rlgym.train.loop.update_policy", lambda run, episodes, timer: seen.append(episodes) or {"updates": 0.0})
    likelihood = {"kind": "prob", "answer_gradient": 1.0, "own_answer_loss": False}
    train(Config.from_dict(sums(start, tmp_path / "run", algorithm={"likelihood_reward": likelihood, "filter_zero_std": False}, steps=1)))
    decode = rows[-1].tokenizer.decode

    def learned(episode):
        return decode([token for token, mine in zip(episode.tokens, episode.loss_mask, strict=True) if mine])

    responses = [episode for episode in seen[0] if not episode.auxiliary]
    answers = [episode for episode in seen[0] if episode.auxiliary]
    assert len(responses) == len(answers) == 12
    assert {learned(episode) for episode in responses} == {"Let me see. <answer>"}
    for episode in answers:
        whole = decode(episode.tokens, skip_special_tokens=True)
        assert not episode.valid
        assert int(learned(episode)) == next(asked.total for asked in rows[-1].asked if whole.startswith(asked.prompt))
        assert whole.endswith(f"Let me see. <answer>{learned(episode)}")


@pytest.mark.parametrize(
    ("likelihood", "algorithm", "message"),
    [
        ({"kind": "gain", "answer_gradient": 1.0}, {}, "answer_gradient needs kind prob"),
        ({"kind": "self_aligned", "own_answer_loss": False}, {}, "own_answer_loss=false has no meaning"),
        ({"kind": "prob", "answer_gradient": 1.0}, {"loss": "pacs"}, "do not support algorithm.loss='pacs'"),
    ],
)
def test_what_has_no_such_gradient_is_refused(start, tmp_path, likelihood, algorithm, message):
    given = configuration(start, tmp_path, **likelihood)
    given["algorithm"] |= algorithm
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(given))


def test_ranks_by_hand(start):
    model = load_model(start)
    packed = pack([[5, 9, 200, 17]])
    logits = model.logits(model(packed.tokens_T, packed.positions_T, packed.attention)).detach()
    order = logits.argsort(dim=1, descending=True).tolist()
    expected = [0, *(order[place].index(token) + 1 for place, token in enumerate([9, 200, 17]))]
    assert token_ranks(model, packed)[0].tolist() == expected
    likely = pack([[5, order[0][0]]])
    assert token_ranks(model, likely)[0].tolist() == [0, 1]


def test_groups_whose_reference_answer_no_reasoning_makes_likely_are_dropped(start, tmp_path):
    given = configuration(start, tmp_path / "run", kind="reflective")
    given["algorithm"] |= {"filters": {"answer_rank": {"max_rank": 262.0, "worst_fraction": 1.0}}, "filter_zero_std": False}
    run = Run.open(Config.from_dict(given))
    try:
        offered = collect_rollouts(run, lambda done, total: None).offered
    finally:
        run.close()
    model = load_model(start)
    ranks = {}
    for episode in offered:
        context, tokens = episode.reference.context, episode.reference.tokens
        found = token_ranks(model, pack([[*context, *tokens]]))[0][len(context) :]
        ranks.setdefault(episode.group, []).append(float(found.mean()))
    assert {episode.group: episode.answer_rank for episode in offered} == pytest.approx({group: min(rows) for group, rows in ranks.items()})
    low, high = sorted(min(rows) for rows in ranks.values())
    assert low < high
    chosen = FILTERS["answer_rank"]
    kept = chosen(offered, chosen.options.from_dict({"max_rank": (low + high) / 2}))
    assert sorted({episode.answer_rank for episode in kept}) == [pytest.approx(low)]


def test_filters_of_reference_answers_need_a_likelihood_reward(start, tmp_path):
    given = configuration(start, tmp_path)
    given["algorithm"] = {"filters": {"answer_rank": {}}}
    with pytest.raises(TrainError, match="the filter 'answer_rank' compares reference answers"):
        check_algorithms(Config.from_dict(given))
