"""Real runs in which an engine that knows the answers decides who is right."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.engines.base import Completion


@dataclass
class Said:
    """What an engine was asked: the request, its prompt as text, the true sum in it, and how often this prompt came before."""

    key: int
    prompt: str
    total: int
    turn: int


class WaitingEngine:
    """An engine whose responses wait, complete, for the next step; a subclass has `waiting` and fills it in `submit`."""

    version = 0

    def step(self):
        ready, self.waiting = self.waiting, []
        return ready

    @property
    def pending(self):
        return len(self.waiting)

    def update_weights(self, weights, version):
        self.version = version

    def close(self):
        pass


@dataclass
class Knowing(WaitingEngine):
    """An engine that answers sums as `says` (Said -> text of the response) tells it to, at a log-probability of -1 for each token."""

    tokenizer: object
    says: object
    asked: list = field(default_factory=list)
    waiting: list = field(default_factory=list)

    def submit(self, key, prompt, sampling):
        text = self.tokenizer.decode(list(prompt), skip_special_tokens=True)
        numbers = re.search(r"Compute ([-+ \d]+)\.", text)[1]
        turn = sum(other.prompt == text for other in self.asked)
        self.asked.append(Said(key, text, sum(int(number) for number in re.findall(r"[-+]?\d+", numbers.replace(" ", ""))), turn))
        tokens = [*self.tokenizer(self.says(self.asked[-1]), add_special_tokens=False)["input_ids"], self.tokenizer.eos_token_id]
        cut = tokens[: sampling.max_new_tokens]
        self.waiting.append((key, Completion(tuple(cut), (-1.0,) * len(cut), len(cut) == len(tokens), self.version)))


def answer(right, request):
    return f"<answer>{request.total if right else request.total + 1}</answer>"


def knowing(monkeypatch, says):
    """Let runs use such an engine; the engines that were made, the last one last."""
    rows = []

    def make(config, model, process_group, device):
        rows.append(Knowing(load_tokenizer(Path(config.model.path)), says))
        return rows[-1]

    monkeypatch.setattr("rlgym.train.rollout.setup.make_engine", make)
    return rows


def sums(model, out, **more):
    """A configuration of a short run on sums; sections that are given replace fields, not whole sections."""
    given = {
        "model": str(model),
        "output_dir": str(out),
        "seed": 1,
        "tasks": [{"names": ["chain_sum"]}],
        "steps": 2,
        "rollout": {"groups_per_step": 3, "group_size": 4, "max_new_tokens": 40, "max_seq_len": 250},
        "update": {"lr": 1e-3, "warmup_steps": 0, "tokens_per_micro_batch": 3000},
        "algorithm": {},
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 1},
        "checkpoints": {"every_steps": 1, "keep_last": 50},
        "compute": {"device": "cpu", "cpu_threads": 1},
    }
    for name, value in more.items():
        given[name] = {**given[name], **value} if isinstance(given.get(name), dict) else value
    return given


CRITIQUES = {"source": "critiques", "model": "judge", "continuations": 2, "continuation_tokens": 32}
"""`algorithm.token_rewards` with two critiques of each response."""


def with_judge(models, out, algorithm, **more):
    """The configuration of a short run on sums with the judge in the same folder as the policy."""
    from rlgym.train.config.schema import Config

    second = {"second_models": {"judge": {"path": str(models / "judge"), "max_seq_len": 900}}}
    given = sums(models / "policy", out, algorithm={"advantage": "dr_grpo", "filter_zero_std": False, **algorithm}, **more)
    return Config.from_dict(given | second)


def criticised(monkeypatch, models, said, asked=None):
    """Let the judge write these critiques in turn; `asked` gets the contexts and the tokens of each call."""
    tokenizer = load_tokenizer(models / "judge")

    def sample(engine, contexts, samplings):
        rows = [tokenizer(said[place % len(said)], add_special_tokens=False)["input_ids"] for place in range(len(contexts))]
        if asked is not None:
            asked.append((list(map(list, contexts)), rows))
        return [Completion(tuple(tokens), (-1.0,) * len(tokens), True, 0) for tokens in rows]

    monkeypatch.setattr("rlgym.train.rollout.critiques.sample_prefixes", sample)


def opened(monkeypatch):
    """The runs that are opened from now on, as a list that grows."""
    from rlgym.train.run import Run

    seen, plain = [], Run.open.__func__
    monkeypatch.setattr(Run, "open", classmethod(lambda cls, given: seen.append(plain(cls, given)) or seen[-1]))
    return seen


def learned_from(monkeypatch):
    """What each update learns from, from now on, as a list that grows."""
    from rlgym.train import loop

    learned, plain = [], loop.update_policy
    monkeypatch.setattr(loop, "update_policy", lambda run, episodes, timer: learned.append(episodes) or plain(run, episodes, timer))
    return learned


def train_interrupted(monkeypatch, given, step=2):
    """Train, stop right after the checkpoint of a step, and train on from it."""
    from rlgym.train.loop import train
    from rlgym.train.run import Run

    plain = Run.save_checkpoint

    def save(run):
        plain(run)
        if run.step == step:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Run, "save_checkpoint", save)
        with pytest.raises(KeyboardInterrupt):
            train(given)
    train(given)


def step_with_judge(models, out, algorithm, monkeypatch=None, **more):
    """What an update learns from, and the metrics, of a run of one step with a judge of another size."""
    from rlgym.train import loop
    from rlgym.train.config.schema import Config
    from rlgym.train.logging.metrics_logger import read_lines

    learned = [] if monkeypatch is None else learned_from(monkeypatch)
    second = {"second_models": {"judge": {"path": str(models / "judge"), "max_seq_len": 900}}}
    given = sums(models / "policy", out, algorithm={"advantage": "dr_grpo", **algorithm}, steps=1) | second | more
    loop.train(Config.from_dict(given))
    return learned[0] if learned else [], read_lines(out / "metrics.jsonl")[0]


def note(monkeypatch):
    """What runs gather from now on, and the gradients of each of their updates, as two lists that grow."""
    from rlgym.train.rollout import collect
    from rlgym.train.run import Run

    gathered, gradients = [], []
    gather, step = collect.collect_rollouts, Run.optimizer_step

    def stepped(run, clip):
        gradients.append([weight.grad.clone() for weight in run.model.parameters()])
        return step(run, clip)

    monkeypatch.setattr("rlgym.train.loop.collect_rollouts", lambda *given: gathered.append(gather(*given)) or gathered[-1])
    monkeypatch.setattr(Run, "optimizer_step", stepped)
    return gathered, gradients


def logprobs(network, episode):
    """Log-probabilities of what was sampled, with gradient, from a pass over this episode alone."""
    import torch

    from rlgym.train.model.packing import pack

    packed = pack([episode.tokens])
    log = torch.log_softmax(network.logits(network(packed.tokens_T, packed.positions_T, packed.attention)), -1)
    places = [place for place, mine in enumerate(episode.loss_mask) if mine]
    return torch.stack([log[place - 1, episode.tokens[place]] for place in places])


def alike(found, network):
    """The gradients that were found are those that the network has."""
    import torch

    assert any(float(weight.grad.abs().max()) > 1e-3 for weight in network.parameters())
    for item, weight in zip(found, network.parameters(), strict=True):
        torch.testing.assert_close(item, weight.grad, atol=2e-6, rtol=2e-3)
