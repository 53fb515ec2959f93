"""Corrections: the right steps of a failed rollout stay, and the oracle writes the rest."""

import re

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.help_cases import LONG, PLAIN, start_model
from train.scripted import alike, answer, knowing, logprobs, note, sums

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.solutions import find_steps
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.corrections import _continuations
from rlgym.train.validate.algorithms import check_algorithms

CORRECTED = PLAIN | {"oracle_fraction": 0.25, "oracle_prefix": "right_steps", "token_rewards": {"source": "steps"}}
ROLLOUT = {"tasks": LONG["tasks"], "rollout": {**LONG["rollout"], "max_new_tokens": 120}}


def first_step(prompt):
    """The first step of a sum, as its worked solution writes it."""
    first, sign, second = re.search(r"Compute (-?\d+) ([-+]) (\d+)", prompt).groups()
    return f"{first} {sign} {second} = {int(first) + int(sign + second)}"


def half_way(request):
    """In the first group, the first step is right in two rollouts, which then go wrong; the others have no right step."""
    wrong = answer(False, request)
    return f"{first_step(request.prompt)}\n7 - 9 = 3\n{wrong}" if request.key in (1, 3) else wrong


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return start_model(tmp_path_factory.mktemp("model") / "start")


def test_right_steps_stay_and_the_oracle_writes_the_rest(model, tmp_path, monkeypatch):
    gathered, gradients = note(monkeypatch)
    engines = knowing(monkeypatch, half_way)
    train(Config.from_dict(sums(model, tmp_path / "run", **ROLLOUT, algorithm=CORRECTED, steps=1)))
    (step,), (line,) = gathered, read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["oracle_rollouts"], line["corrected_rollouts"]) == (3, 1)
    corrected, whole = step.offered[3], step.offered[7]
    tokenizer = load_tokenizer(model)
    kept = tokenizer.decode([token for token, mine in zip(corrected.tokens, corrected.loss_mask, strict=True) if not mine])
    written = tokenizer.decode([token for token, mine in zip(corrected.tokens, corrected.loss_mask, strict=True) if mine])
    asked = next(request for request in engines[0].asked if request.prompt.partition(".")[0] in kept)
    prompt = asked.prompt
    # The right step is context; what follows is the oracle's, without that step, and right to the end.
    assert kept.endswith(first_step(prompt))
    assert first_step(prompt) not in written
    assert f"<answer>{asked.total}</answer>" in written
    assert "7 - 9 = 3" not in kept + written
    # The other groups have no right step, so that the oracle's whole rollout joins them.
    assert sum(whole.loss_mask) > sum(corrected.loss_mask)
    # The loss of the kept tokens is none: their gradient is that of the continuation alone.
    network, count, loss = load_model(model), sum(episode.num_sampled for episode in step.offered), 0.0
    for episode in step.offered:
        new = logprobs(network, episode)
        reward = 1 - 0.25 if episode.oracle else -0.25
        gain = new.exp() / (new.exp() + 0.1) if episode.oracle else (new - new.detach()).exp()
        loss = loss - reward * gain.sum() / count
    loss.backward()
    alike(gradients[0], network)


@pytest.mark.parametrize("name", ["chain_sum", "linear_system", "long_division", "dyck_completion"])
def test_a_continuation_is_right_after_any_number_of_steps(name):
    env = rlgym.make(name, level=0.1)
    env.reset(seed=5)
    steps = env.declared.explain(env.task)
    for count in range(1, len(steps)):
        written = "\n".join(steps[:count])
        rest = next(_continuations(env, written, count))
        found = find_steps(env.declared, env.task, f"{written}\n{rest}")
        assert [step.verdict for step in found] == ["right"] * len(found)
        assert rest.endswith(env.oracle())
        assert len(found) >= len(steps) - 1


def test_what_cannot_have_an_effect_is_refused():
    for algorithm, message in (
        ({"oracle_prefix": "right_steps"}, "oracle_prefix has no effect"),
        ({"oracle_prefix": "right_steps", "oracle_fraction": 0.25}, "set algorithm.token_rewards.source='steps'"),
    ):
        with pytest.raises(RlgymError, match=message):
            check_algorithms(Config.from_dict(sums("m", "o", algorithm=algorithm)))
