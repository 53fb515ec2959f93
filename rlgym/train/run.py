"""A run: everything that training holds on to, made from a configuration or from the last checkpoint in its folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch.distributed.tensor import DTensor

from rlgym.train import checkpoint
from rlgym.train.advantages import ADVANTAGES
from rlgym.train.advantages.sets import RiskOptions
from rlgym.train.agree import check_algorithms, has_critic, mix_options, needs_reference
from rlgym.train.ceiling import ceiling
from rlgym.train.config import Config, TrainError, check, check_memory
from rlgym.train.critic import parameter_groups
from rlgym.train.curriculum import Curriculum
from rlgym.train.decoder import Decoder
from rlgym.train.episodes import Chat, Player
from rlgym.train.evaluate import Accuracy, Table
from rlgym.train.extras.entropy import EntropyOptions, entropy_bonus
from rlgym.train.extras.kl import KlOptions, kl_penalty
from rlgym.train.extras.mixing import mixed
from rlgym.train.flight import Flight, Played
from rlgym.train.losses import LOSSES
from rlgym.train.metrics import Book, Silent, read_lines
from rlgym.train.model import load_model, save_model
from rlgym.train.rollout import Engine
from rlgym.train.scale import ELSEWHERE, check_scale, device_of
from rlgym.train.scoring import Rules, pool
from rlgym.train.sets import Quantiles
from rlgym.train.sharding import load_parameters, load_state, own_copy, shard, whole_parameters, whole_state, whole_weights
from rlgym.train.team import Team
from rlgym.train.tokenizer import load_tokenizer
from rlgym.train.update import Objective, Scorer, own

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch

FREE_TO_CHANGE = ("checkpoints.", "log.", "scoring.", "compute.patience", "compute.peak_tflops")
"""What a resumed run may change: it decides nothing about what is learned."""


@dataclass
class Run:
    """The state of training, and its parts. `phase` is "sft" or "rl"; `step` counts the finished steps of the phase.

    version  how often the weights have changed since reinforcement learning began
    rate     the learning rate of the present step
    renewed  the reference is a policy of this run, and no longer the model that it began with
    ceiling  floating-point operations a second of all devices at best
    ready    rollouts that were sampled ahead, and `flight` those that are being sampled
    """

    config: Config
    folder: Path
    device: torch.device
    model: Decoder
    tokenizer: Any
    player: Player
    scorer: Scorer
    reference: Scorer | None
    optimizer: torch.optim.Optimizer
    curriculum: Curriculum
    book: Book
    team: Team
    phase: str
    step: int = 0
    version: int = 0
    rate: float = 0.0
    renewed: bool = False
    quantiles: Quantiles = field(default_factory=Quantiles)
    tables: dict[str, Table] = field(default_factory=dict)
    ceiling: float = 0.0
    ready: Played | None = None
    flight: Flight | None = None

    @classmethod
    def open(cls, config: Config) -> Run:
        """A new run in its folder, or the one that is there, from its last checkpoint. Refuses before it writes anything."""
        check(config)
        check_algorithms(config)
        team = Team.asked()
        check_scale(config, team)
        folder = Path(config.out)
        _claim(folder, config)
        last = checkpoint.checkpoints(folder / "checkpoints")
        saved = checkpoint.load(last[-1]) if last else None
        if config.compute.threads:
            torch.set_num_threads(config.compute.threads)
        torch.manual_seed(config.seed)
        device = device_of(config, team)
        source = Path(config.model) if saved is None else last[-1] / "model"
        model, tokenizer = load_model(source, value_head=has_critic(config)).to(device), load_tokenizer(source)
        _check_device(config, model, device, team)
        # No rank writes before all have read, and none reads on before the first has written.
        team.join(device, config.compute.patience)
        team.must_agree(last[-1].name if last else "none", "the last checkpoint in the folder of the run")
        if team.leads:
            folder.mkdir(parents=True, exist_ok=True)
            checkpoint.clean(folder / "checkpoints")
            (folder / "config.json").write_text(config.model_dump_json(indent=1), encoding="utf-8")
        run = cls._of(config, folder, device, model, tokenizer, team)
        run.book.cut_back(saved.facts["files"] if saved else {})
        team.wait()
        if saved:
            run.restore(saved)
        run.ceiling = team.size * team.gathered(ceiling(folder, config, device) if team.leads else 0.0)[0]
        run.sync()
        return run

    @classmethod
    def _of(cls, config: Config, folder: Path, device: torch.device, model: Decoder, tokenizer: Any, team: Team) -> Run:
        rollout, update = config.rollout, config.update
        model.saves_memory = config.compute.recompute
        shaping = tuple((name, tuple(sorted(options.items()))) for name, options in sorted(config.algorithm.shaping.items()))
        player = Player(
            engine=make_engine(config, model, team),
            pool=pool(config.scoring.workers, config.scoring.seconds),
            chat=Chat(tokenizer, **rollout.chat),
            rules=Rules(config.seed, config.held_out, rollout.style, shaping),
            tokens=rollout.tokens,
            context=rollout.context,
            temperature=rollout.temperature,
            top_p=rollout.top_p,
            top_k=rollout.top_k,
            ordered=rollout.ordered,
        )
        if config.compute.compile:  # after the engine has been made: a copy of its own stays as it is
            model.fuse()
        dtype = torch.bfloat16 if config.compute.dtype == "bfloat16" else torch.float32
        reference = None
        if needs_reference(config):
            frozen = load_model(Path(config.model)).to(device).requires_grad_(False)
            reference = Scorer(frozen, update.tokens, rollout.temperature, dtype, team)
        if team.size > 1:
            for network in [model] if reference is None else [model, reference.model]:
                shard(network, team, dtype)
        weights = parameter_groups(model, config.algorithm.critic.rate)
        fused = device.type == "cuda"  # one kernel for all weights
        optimizer = torch.optim.AdamW(weights, lr=update.lr, betas=update.betas, weight_decay=update.weight_decay, fused=fused)
        return cls(
            config,
            folder,
            device,
            model,
            tokenizer,
            player,
            Scorer(model, update.tokens, rollout.temperature, dtype, team),
            reference,
            optimizer,
            Curriculum(config.tasks, config.seed, config.sampling),
            Book(folder, config) if team.leads else Silent(folder),
            team,
            "sft" if config.sft else "rl",
        )

    def begin(self, phase: str) -> None:
        """Begin a phase: its steps count from 0, and its optimizer knows nothing of the phase before."""
        self.phase, self.step = phase, 0
        self.start_anew()

    def start_anew(self) -> None:
        """The optimizer forgets, and the reference becomes the present policy.

        From "ProRL: Prolonged Reinforcement Learning Expands Reasoning Boundaries in Large Language Models".
        """
        self.optimizer.state.clear()
        if self.reference is not None:
            self._renew_reference(whole_parameters(self.model))

    def _renew_reference(self, whole: Mapping[str, Tensor]) -> None:
        assert self.reference is not None
        load_parameters(self.reference.model, whole)
        self.renewed = True

    def seed(self, purpose: str, step: int | None = None) -> int:
        """The seed of one purpose of the present step, or another."""
        key = f"{self.config.seed} {self.phase} {self.step if step is None else step} {purpose}"
        return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 1

    def set_rate(self, rate: float) -> None:
        """Set the learning rate."""
        self.rate = rate
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group.get("share", 1.0)

    def optimizer_step(self, clip: float) -> float:
        """Change the weights by their gradients, cut to a norm of `clip`; the norm before that."""
        total = torch.nn.utils.clip_grad_norm_(self.model.parameters(), clip)
        norm = float(total.full_tensor() if isinstance(total, DTensor) else total)
        # One update with a broken gradient would spoil all weights for good.
        if norm == norm and norm != float("inf"):
            self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return norm

    def advantage(self, batch: Batch) -> Tensor:
        """The advantages that the configuration names."""
        wanted = self.config.algorithm
        algorithm = ADVANTAGES[wanted.advantage]
        options = algorithm.options.of(wanted.advantage_options)
        if isinstance(options, RiskOptions) and wanted.track:
            options = self.quantiles.follow(batch, options, wanted.track)
        return algorithm(batch, options)

    def objective(self, batch: Batch, advantage_T: Tensor) -> Objective:
        """The loss that the configuration names, with the divergence from the reference and the entropy bonus."""
        wanted = self.config.algorithm
        algorithm = LOSSES[wanted.loss]
        options = algorithm.options.of(wanted.loss_options)

        def objective(logprob_T: Tensor, entropy_T: Tensor) -> tuple[Tensor, dict[str, float]]:
            if batch.oracle_N is None:
                value, said = algorithm(logprob_T, batch, advantage_T, options)
            else:
                value, said = mixed(
                    logprob_T, batch, advantage_T, lambda new, of, gain: algorithm(new, of, gain, options), mix_options(self.config)
                )
            if wanted.kl:
                penalty, more = kl_penalty(logprob_T, own(batch), KlOptions(weight=wanted.kl))
                value, said = value + penalty, said | more
            if wanted.entropy:
                value = value + entropy_bonus(entropy_T, own(batch), EntropyOptions(weight=wanted.entropy))[0]
            return value, {"loss": float(value.detach())} | {name: float(number) for name, number in said.items()}

        return objective

    def flops(self) -> float:
        """Floating-point operations of all passes through the networks so far, those of all ranks together."""
        return sum(scorer.work.flops for scorer in (self.scorer, self.reference) if scorer is not None)

    def saved(self) -> checkpoint.Saved:
        """All that is not in the configuration nor in the weights."""
        tensors: dict[str, Any] = {"optimizer": whole_state(self.optimizer), "random": torch.get_rng_state()}
        if self.reference is not None and self.renewed:
            tensors["reference"] = dict(whole_weights(self.reference.model))
        if self.ready is not None:
            tensors["ready"] = self.ready.saved()
        facts: dict[str, Any] = {"version": self.version, "curriculum": self.curriculum.state(), "files": self.book.lengths()}
        facts["quantiles"] = self.quantiles.at
        return checkpoint.Saved(self.phase, self.step, tensors, facts)

    def weights(self) -> Iterator[tuple[str, Tensor]]:
        """Every weight in full, by its Hugging Face name; all ranks must go through them together."""
        return whole_weights(self.model)

    def sync(self) -> None:
        """Give the present weights to the rollout engine."""
        self.player.engine.load(self.weights(), self.version)
        self.team.wait()

    def save_model(self, folder: Path) -> None:
        """Write the model as a Hugging Face folder."""
        save_model(self.model, folder, weights_from=self.weights())
        self.tokenizer.save_pretrained(folder)

    def restore(self, saved: checkpoint.Saved) -> None:
        """Go on from a checkpoint, whose weights are loaded already."""
        self.phase, self.step, self.version = saved.phase, saved.step, saved.facts["version"]
        load_state(self.optimizer, saved.tensors["optimizer"])
        torch.set_rng_state(saved.tensors["random"])
        if "reference" in saved.tensors:
            plain = Decoder(self.model.shape, self.model.config)
            plain.load_weights(saved.tensors["reference"].items())
            self._renew_reference(whole_parameters(plain))
        self.curriculum.restore(saved.facts["curriculum"])
        if found := saved.facts.get("quantiles"):
            self.quantiles.at = (found[0], found[1])
        if "ready" in saved.tensors:
            self.ready = Played.of(saved.tensors["ready"])
        for line in read_lines(self.folder / "evaluations.jsonl"):
            self.tables[line["label"]] = {place: Accuracy.of(facts) for place, facts in line["accuracy"].items()}

    def close(self) -> None:
        """End the processes and close the files."""
        if self.flight is not None:
            self.flight.cancel()
        self.player.pool.close()
        self.player.engine.close()
        self.book.close()


def _claim(folder: Path, config: Config) -> None:
    """Refuse a folder that holds something else, or a run of another configuration."""
    if not folder.exists() or not any(folder.iterdir()):
        return
    mark = folder / "config.json"
    if not mark.is_file():
        raise TrainError(f"out={str(folder)!r} is not empty and holds no run of ours: choose another folder")
    try:
        there = Config.of(json.loads(mark.read_text(encoding="utf-8")))
    except ValueError as error:
        raise TrainError(f"out={str(folder)!r} holds a run of another version ({error}): choose another folder") from None
    changed = [name for name in config.differences(there) if not name.startswith(FREE_TO_CHANGE)]
    if changed:
        raise TrainError(
            f"out={str(folder)!r} holds a run whose configuration differs in {', '.join(changed[:4])}: "
            "choose another folder, or put it back to go on with that run"
        )


def _check_device(config: Config, model: Decoder, device: torch.device, team: Team) -> None:
    if config.rollout.context > model.shape.context:
        raise TrainError(
            f"rollout.context={config.rollout.context} is more than the model is made for ({model.shape.context} positions): lower it"
        )
    if device.type == "cuda":
        check_memory(sum(weight.numel() for weight in model.parameters()) // team.size, config, torch.cuda.mem_get_info(device)[0])


def make_engine(config: Config, model: Decoder, team: Team) -> Engine:
    """The rollout engine that the configuration names. Where it cannot use the weights that are trained, it gets a copy."""
    if config.rollout.engine == "vllm":
        from rlgym.train.rollout.vllm import VllmEngine

        options: dict[str, Any] = {"filters": config.rollout.top_p < 1 or config.rollout.top_k > 0} | config.rollout.options
        if any(name in options for name in ELSEWHERE):
            from rlgym.train.rollout.servers import servers

            return servers(config.model, config.rollout.context, options, team)
        return VllmEngine(config.model, **({"context": config.rollout.context} | options))
    from rlgym.train.rollout.native import NativeEngine

    if config.rollout.ahead or team.size > 1:
        model = own_copy(model)
    if model.device.type == "cuda" and config.compute.dtype == "bfloat16":
        # Decoding is bound by reading the weights, so that it has its own of half the size.
        model = model.copied(torch.bfloat16)
    return NativeEngine(model, **config.rollout.options)
