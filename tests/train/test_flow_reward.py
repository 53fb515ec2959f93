"""The flow of hidden states: deviations and costs by hand, what it learns, and runs that resume with it."""

import shutil
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym.train.config.hidden_states import FlowRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.update.flow_reward import FlowNetwork, FlowReward, chosen_deviations, deviations
from rlgym.train.validate.scale import check_ranks_of_model


def test_the_deviation_of_a_flow_that_knows_nothing_is_that_of_the_target():
    """At the start the velocity is 0, so that the deviation is the mean of (hidden - noise)^2."""
    hidden, noise = torch.tensor([[1.0, 2.0], [0.0, 4.0]]), torch.tensor([[0.0, 1.0], [0.0, 1.0]])
    found = deviations(FlowNetwork(2, 8, 1), hidden, hidden, noise, 0.8)
    assert found.tolist() == pytest.approx([1.0, 4.5])


def test_the_flow_is_asked_between_noise_and_state_given_the_state_before(build):
    """The noisy state is time * state + (1 - time) * noise, the condition is the state before, and the first token of a response has none."""
    asked = []

    def network(x_SE, before_SE):
        asked.append((x_SE, before_SE))
        return torch.zeros_like(x_SE)

    states, noise = torch.tensor([[1.0, 2.0], [3.0, 4.0], [6.0, 5.0]]), torch.tensor([[0.0, 8.0], [1.0, 0.0], [2.0, 2.0]])
    deviations(network, states[1:], states[:-1], noise[1:], 0.75)
    assert asked[0][0].tolist() == [[2.5, 3.0], [5.0, 4.25]]
    assert asked[0][1].tolist() == [[1.0, 2.0], [3.0, 4.0]]
    flow = FlowReward.create(2, FlowRewardConfig(time=0.75, width=8, num_blocks=1), 0, torch.device("cpu"))
    given = build([0], logprobs=[[-1] * 3])
    replace(flow, network=network).change(torch.zeros(len(given.tokens_T)), given, [states], step=0, seed=1)
    assert torch.equal(asked[1][1], states[:-1])
    of_noise = (asked[1][0] - 0.75 * states[1:]) / 0.25
    assert len(of_noise) == 2
    assert len({round(float(value), 4) for value in of_noise.flatten()}) == 4


def test_costs_by_hand():
    options = FlowRewardConfig(threshold=0.5, top_tokens=2)
    # Scaled: 0, 0.25, 0.75, 1 and 0.875; three exceed the threshold, of which the two largest count.
    found = chosen_deviations(torch.tensor([2.0, 3.0, 5.0, 6.0, 5.5]), options)
    assert found.tolist() == pytest.approx([0, 0, 0, 1, 0.875])
    assert chosen_deviations(torch.tensor([2.0, 2.0, 2.0]), options).tolist() == [0, 0, 0]
    assert chosen_deviations(torch.tensor([2.0]), options).tolist() == [0]


def test_a_token_that_deviates_lowers_the_advantage_of_what_led_to_it(build, seen):
    given = build([1, 0], logprobs=[[-1] * 4, [-1] * 3])
    flow = FlowReward.create(2, FlowRewardConfig(coef=0.5, warmup_steps=0, threshold=0.6, width=8, num_blocks=1), 0, torch.device("cpu"))
    far = torch.tensor([[0.0, 0.0], [0.0, 0.0], [50.0, 50.0], [0.0, 0.0]])
    advantage_T = torch.ones(len(given.tokens_T)).where(given.loss_mask_T, 0.0)
    changed_T, metrics = flow.change(advantage_T, given, [far, torch.zeros(3, 2)], step=0, seed=1)
    first = seen(changed_T, given)[0]
    # The third token is the furthest from any flow that knows nothing: its cost of 1/2 falls on it and on the two before it.
    assert first[:3] == pytest.approx([0.5, 0.5, 0.5])
    assert first[3] == pytest.approx(1)
    assert metrics["flow_tokens"] > 0
    # During the warm-up nothing costs anything.
    waiting = replace_options(flow, warmup_steps=3)
    assert torch.equal(waiting.change(advantage_T, given, [far, torch.zeros(3, 2)], step=2, seed=1)[0], advantage_T)


def replace_options(flow, **more):
    return replace(flow, options=flow.options.model_copy(update=more))


def test_the_flow_learns_the_states_of_right_responses_and_no_others(build):
    """States like those of right responses deviate less and less; those of wrong ones do not."""
    generator = torch.Generator().manual_seed(0)
    given = build([1, 0], logprobs=[[-1] * 40, [-1] * 40])
    right, wrong = (torch.randn(40, 4, generator=generator) * 0.1 + centre for centre in (3.0, -3.0))
    flow = FlowReward.create(4, FlowRewardConfig(lr=3e-3, width=32, num_blocks=2), 0, torch.device("cpu"))
    losses = [flow.change(torch.zeros(len(given.tokens_T)), given, [right, wrong], step, step)[1]["flow_loss"] for step in range(120)]
    assert losses[-1] < 0.2 * losses[0]
    noise = torch.randn(39, 4, generator=generator)
    of_right, of_wrong = (float(deviations(flow.network, states[1:], states[:-1], noise, 0.8).mean().detach()) for states in (right, wrong))
    assert of_right < 0.5 * of_wrong


def test_states_that_are_no_numbers_leave_the_flow_as_it_is(build):
    flow = FlowReward.create(4, FlowRewardConfig(lr=3e-3, width=8, num_blocks=1), 0, torch.device("cpu"))
    before = {name: weight.clone() for name, weight in flow.network.state_dict().items()}
    given = build([1], logprobs=[[-1] * 3])
    flow.change(torch.zeros(len(given.tokens_T)), given, [torch.full((3, 4), float("nan"))], 0, 0)
    for name, weight in flow.network.state_dict().items():
        torch.testing.assert_close(weight, before[name], atol=0, rtol=0)
    flow.change(torch.zeros(len(given.tokens_T)), given, [torch.ones(3, 4)], 0, 0)
    assert any(not torch.equal(weight, before[name]) for name, weight in flow.network.state_dict().items())


def says(request):
    return f"try {request.key % 4} " + answer(request.key % 4 == 0, request)


def test_a_run_pays_after_its_warm_up_and_resumes_with_the_flow(tmp_path, monkeypatch):
    small_model(tmp_path / "start", max_seq_len=300, loud=1.0)
    knowing(monkeypatch, says)
    algorithm = {"flow_reward": {"warmup_steps": 1, "width": 16, "num_blocks": 1, "lr": 1e-2}}
    config = Config.from_dict(sums(tmp_path / "start", tmp_path / "run", algorithm=algorithm, steps=4))
    train(config)
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert lines[-1]["flow_loss"] < lines[0]["flow_loss"]
    assert all(line["flow_tokens"] > 0 for line in lines)
    for saved in list_checkpoints(tmp_path / "run" / "checkpoints")[2:]:
        shutil.rmtree(saved)
    knowing(monkeypatch, says)
    train(config)
    assert read_lines(tmp_path / "run" / "metrics.jsonl") == lines
    plain = Config.from_dict(sums(tmp_path / "start", tmp_path / "plain", steps=2))
    knowing(monkeypatch, says)
    train(plain)
    without = read_lines(tmp_path / "plain" / "metrics.jsonl")
    assert without[0]["grad_norm"] == lines[0]["grad_norm"]  # the warm-up
    assert without[1]["grad_norm"] != lines[1]["grad_norm"]


def test_it_needs_one_process(tmp_path):
    small_model(tmp_path / "start", max_seq_len=300)
    with pytest.raises(TrainError, match="flow_reward does not support 2 ranks"):
        check_ranks_of_model(Config.from_dict(sums(tmp_path / "start", "o", algorithm={"flow_reward": {}})), 2)
