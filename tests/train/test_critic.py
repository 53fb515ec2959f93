"""The value head: its gradient together with the policy's, what it learns, and that a run resumes with it."""

import shutil

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym import Score
from rlgym.core.errors import RlgymError
from rlgym.train.advantages.per_token import PpoOptions
from rlgym.train.config.schema import Config
from rlgym.train.data.collate import collate
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.packing import pack
from rlgym.train.model.pretrained import load_model, save_model, value_head_file
from rlgym.train.rollout import collect
from rlgym.train.rollout.episodes import Episode
from rlgym.train.run import Run
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.critic import add_returns, parameter_groups, value_loss_gradient
from rlgym.train.update.policy import PolicyForward

PPO = {"advantage": "ppo", "filter_zero_std": False}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "start"
    small_model(folder, num_layers=1, hidden_size=32)
    return folder


def half_right(request):
    return answer(request.key % 2 == 0, request)


def with_head(model, folder):
    """A copy of a model with a value head that says something already."""
    created = load_model(model, value_head=True)
    with torch.no_grad():
        created.value_1E.copy_(0.1 * torch.randn(created.value_1E.shape, generator=torch.Generator().manual_seed(5)))
    save_model(created, folder, tokenizer_from=model)
    return folder


def by_hand(network, episodes, discount, trace, weight):
    """The gradients of clipped policy loss and value loss at the first update, rollout by rollout, in plain autograd."""
    network.zero_grad()
    count = sum(sum(episode.loss_mask) for episode in episodes)
    loss = 0.0
    for episode in episodes:
        packed = pack([episode.tokens])
        hidden = network(packed.tokens_T, packed.positions_T, packed.attention)
        places = [place for place, sampled in enumerate(episode.loss_mask) if sampled]
        log = torch.log_softmax(hidden @ network.embedding_VE.T, -1)
        text = torch.stack([log[place - 1, episode.tokens[place]] for place in places])
        value = torch.stack([hidden[place - 1] @ network.value_1E[0] for place in places])
        expected, advantages, after, following = value.tolist(), [0.0] * len(places), 0.0, 0.0
        for place in reversed(range(len(places))):
            reward = episode.reward if place == len(places) - 1 else 0.0
            after = reward + discount * following - expected[place] + discount * trace * after
            following = expected[place]
            advantages[place] = after
        target = torch.tensor([advantage + other for advantage, other in zip(advantages, expected, strict=True)])
        ratio = (text - text.detach()).exp()
        loss = loss - (ratio * torch.tensor(advantages)).sum() / count + weight * (0.5 * (value - target) ** 2).sum() / count
    loss.backward()
    return [parameter.grad.clone() for parameter in network.parameters()]


def test_the_first_update_of_a_run_is_the_one_worked_out_by_hand(model, tmp_path, monkeypatch):
    knowing(monkeypatch, half_right)
    start = with_head(model, tmp_path / "headed" / "start")
    played, gradients = [], []
    gather, step = collect.collect_rollouts, Run.optimizer_step
    monkeypatch.setattr("rlgym.train.loop.collect_rollouts", lambda *given: played.append(gather(*given)) or played[-1])

    def noted(run, clip):
        gradients.append([weight.grad.clone() for weight in run.model.parameters()])
        return step(run, clip)

    monkeypatch.setattr(Run, "optimizer_step", noted)
    algorithm = {
        **PPO,
        "advantage_options": {"gamma": 0.97, "gae_lambda": 0.8, "whiten": False},
        "critic": {"loss_coef": 0.3, "lr_multiplier": 5.0},
    }
    train(Config.from_dict(sums(start, tmp_path / "run", algorithm=algorithm, steps=1)))
    before = load_model(start, value_head=True)
    expected = by_hand(before, played[0].offered, 0.97, 0.8, 0.3)
    assert len(gradients) == 1
    for found, item in zip(gradients[0], expected, strict=True):
        torch.testing.assert_close(found, item, atol=1e-6, rtol=1e-3)
    # Adam's first step is the rate wherever there is a gradient: 1e-3 for the network, five times that for the head.
    after = load_model(tmp_path / "run" / "checkpoints" / "1-rl-0000001" / "model", value_head=True)
    for name, rate in (("value_1E", 5e-3), ("norm_E", 1e-3)):
        moved = (getattr(after, name) - getattr(before, name)).detach().abs().median()
        assert float(moved) == pytest.approx(rate, rel=1e-2)


def rollout(number, prompt, response, reward):
    tokens, mask = [*prompt, *response], [False] * len(prompt) + [True] * len(response)
    episode = Episode(number, 0, TaskSpec("chain_sum", 0.0, 1, "train"), tokens, mask, [-1.0 * place for place in mask], None)
    episode.finish(Score.exact(reward == 1), float(reward))
    return episode


def test_estimates_come_to_the_true_expected_rewards(model):
    # Three tasks with one-token answers of chance 3/4, 1/4 and 1; in a fourth the first of two tokens decides.
    table = [((5, 6, 7), (9,), [1, 1, 1, 0]), ((5, 6, 8), (9,), [0, 0, 0, 1]), ((5, 6, 12), (9,), [1, 1, 1, 1])]
    episodes = [rollout(0, prompt, response, reward) for prompt, response, rewards in table for reward in rewards]
    episodes += [rollout(0, (5, 6, 13), (first, 9), reward) for first, reward in ((10, 1), (11, 0)) for _ in range(2)]
    batch = collate(episodes)
    network = load_model(model, value_head=True)
    scorer, expected = (
        PolicyForward(network, 100),
        Config.from_dict(sums("m", "o", algorithm=PPO | {"critic": {"loss_options": {"clip_range": None}}})),
    )
    optimizer = torch.optim.AdamW(parameter_groups(network, 3.0), lr=1e-3, weight_decay=0.0)
    for group in optimizer.param_groups:
        group["lr"] *= group["lr_multiplier"]
    report = []
    for _ in range(300):
        seen, facts = add_returns(batch, scorer.forward(batch).value_T, PpoOptions(gae_lambda=1.0))
        report.append(facts["explained_variance"])
        grad_logprob_T, _ = value_loss_gradient(seen, seen.value_T, expected)
        scorer.backward(batch, torch.zeros_like(grad_logprob_T), None, grad_logprob_T)
        optimizer.step()
        optimizer.zero_grad()
    value = [item for item, sampled in zip(scorer.forward(batch).value_T.tolist(), batch.loss_mask_T.tolist(), strict=True) if sampled]
    true = [0.75] * 4 + [0.25] * 4 + [1.0] * 4 + [0.5, 1.0] * 2 + [0.5, 0.0] * 2
    assert value == pytest.approx(true, abs=0.02)
    # Of 20 tokens 12 gain 1, a variance of 0.24; what no estimate can know is (8 * 3/16 + 4 * 1/4) / 20 = 0.125 of it.
    assert report[0] == 0
    assert report[-1] == pytest.approx(1 - 0.125 / 0.24, abs=0.02)


def test_a_run_learns_to_foretell_its_rewards_and_goes_on_to_the_bit(model, tmp_path, monkeypatch):
    # Who is right can be heard in the last third of the response, so that about a third of the variance can be predicted.
    knowing(monkeypatch, lambda request: answer(True, request) + "!!!!!!!!" if request.key % 2 else answer(False, request) + "????????")
    more = {"update": {"lr": 3e-3, "num_minibatches": 2, "num_epochs": 2}, "rollout": {"groups_per_step": 6, "group_size": 1}, "steps": 30}
    given = sums(
        model, tmp_path / "whole", algorithm=PPO | {"advantage_options": {"gae_lambda": 1.0}}, checkpoints={"every_steps": 15}, **more
    )
    train(Config.from_dict(given))
    lines = read_lines(tmp_path / "whole" / "metrics.jsonl")
    assert [line["updates"] for line in lines] == [4] * 30
    assert lines[0]["explained_variance"] == 0
    assert all(0.2 < line["explained_variance"] < 0.4 for line in lines[20:])
    shutil.copytree(tmp_path / "whole", tmp_path / "cut")
    given["output_dir"] = str(tmp_path / "cut")
    (tmp_path / "cut" / "config.json").write_text(Config.from_dict(given).model_dump_json())
    shutil.rmtree(tmp_path / "cut" / "checkpoints" / "1-rl-0000030")
    train(Config.from_dict(given))
    assert (tmp_path / "cut" / "metrics.jsonl").read_bytes() == (tmp_path / "whole" / "metrics.jsonl").read_bytes()
    places = [tmp_path / name / "checkpoints" / "1-rl-0000030" / "model" for name in ("whole", "cut")]
    first, second = (dict(load_model(place, value_head=True).weights()) for place in places)
    assert float(first["value_head.weight"].abs().max()) > 0
    assert all(torch.equal(first[name], second[name]) for name in first)
    # The folder is one as any other; the head lies next to it.
    assert not list(places[0].glob("*value*"))
    assert value_head_file(places[0]).is_file()
    transformers.AutoModelForCausalLM.from_pretrained(places[0])


@pytest.mark.parametrize(
    ("algorithm", "update", "message"),
    [
        ({"filter_zero_std": True}, {}, "filter_zero_std=false"),
        ({}, {"old_logprobs": "rollout"}, "update.old_logprobs='trainer'"),
        ({"critic": {"loss_options": {"clop_range": 1}}}, {}, "Did you mean 'clip_range'"),
        ({"critic": {"loss_coff": 1}}, {}, "Did you mean 'loss_coef'"),
        ({"advantage": "grpo", "critic": {"loss_coef": 1}}, {}, "leave it out"),
    ],
)
def test_what_a_value_head_cannot_work_with_is_refused(model, tmp_path, algorithm, update, message):
    with pytest.raises(RlgymError, match=message):
        train(Config.from_dict(sums(model, tmp_path / "run", algorithm=PPO | algorithm, update=update)))
    assert not (tmp_path / "run").exists()
