"""What a training run is, as one file that is checked before anything starts.

Every field has a default but `model`, `out` and `tasks`. A field that is not known, a value out of its range, and a combination
that cannot work are refused in words, before the first file is written.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import rlgym
from rlgym.core.answer import Style
from rlgym.core.errors import KnobError, RecipeError, RlgymError, suggestion
from rlgym.dataset.recipe import Recipe


class TrainError(RlgymError, ValueError):
    """A training run cannot be started as it was asked for."""


class Section(BaseModel):
    """A part of the configuration: frozen, and closed to fields that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())


class Adaptive(Section):
    """Levels that follow the policy: up while it solves more than the band's top, down while less than its bottom.

    start   the first level
    most    the highest level, and `least` the lowest
    stride  how far a level moves at a time
    band    the solve rates between which a level stays
    sight   how many of the last solve rates of groups are averaged before a level may move
    """

    start: float = Field(0.0, ge=0, le=1)
    least: float = Field(0.0, ge=0, le=1)
    most: float = Field(1.0, ge=0, le=1)
    stride: float = Field(0.05, gt=0, le=1)
    band: tuple[float, float] = (0.3, 0.8)
    sight: int = Field(16, ge=1)


class Tasks(Section):
    """One part of the mixture. `names` may be environments, domains, patterns or "all"; `weight` is its share of the whole."""

    names: list[str] = Field(min_length=1)
    levels: list[float] | Adaptive = Field([0.0], description="levels drawn evenly, or a range that follows the policy")
    weight: float = Field(1.0, gt=0)
    knobs: dict[str, int | float | str] = {}

    def environments(self) -> list[str]:
        """The environments that this part names, sorted."""
        return Recipe(names=list(self.names)).environments()

    def all_levels(self) -> list[float]:
        """Every level that may be drawn: of adaptive ones the ends and the start."""
        if isinstance(self.levels, Adaptive):
            return sorted({self.levels.least, self.levels.start, self.levels.most})
        return list(self.levels)


class Sft(Section):
    """Supervised warm-up on the oracle's explanations. `batch` counts traces, `tokens` those of one micro-batch."""

    steps: int = Field(200, ge=1)
    batch: int = Field(32, ge=1)
    lr: float = Field(1e-3, gt=0)
    warmup: int = Field(20, ge=0)
    explain: float = Field(1.0, ge=0, le=1, description="share of traces with the explanation; the rest are bare answers")


class Rollout(Section):
    """How responses are sampled: `groups` tasks a step with `group` rollouts each, at most `tokens` tokens a turn.

    context   tokens of a whole episode, prompts and all turns together
    ordered   the next turns of an episode wait for all others of the step, so that a run repeats to the bit
    ahead     1 samples the next step's responses while this step's are learned from, with weights that are one update old
    chat      options for the tokenizer's chat template, such as {"enable_thinking": false}
    """

    groups: int = Field(16, ge=1)
    group: int = Field(8, ge=1)
    tokens: int = Field(128, ge=1)
    context: int = Field(1024, ge=2)
    temperature: float = Field(1.0, gt=0, le=10)
    top_p: float = Field(1.0, gt=0, le=1)
    top_k: int = Field(0, ge=0)
    style: Style = "tag"
    engine: Literal["native", "vllm"] = "native"
    ordered: bool = True
    ahead: int = Field(0, ge=0, le=1)
    chat: dict[str, bool | int | str] = {}
    options: dict[str, Any] = Field({}, description="options of the engine, by name")


class Critic(Section):
    """The value head that `ppo` trains along. `options` are those of the value loss, such as {"clip": null}.

    rate    its learning rate, as a multiple of the network's
    weight  what its loss is multiplied by, where it reaches the network beneath it
    """

    rate: float = Field(1.0, gt=0, le=1000)
    weight: float = Field(0.5, gt=0, le=100)
    options: dict[str, Any] = {}


class Correction(Section):
    """Rewards corrected for a verifier that errs. Rates left out are those of the shaping `noisy`.

    kind            backward, for advantages that keep the scale of rewards, or forward, for `reinforce`
    false_positive  share of wrong answers that are paid
    false_negative  share of right answers that are not
    rates           the two by environment, where they differ
    """

    kind: Literal["backward", "forward"] = "backward"
    false_positive: float | None = Field(None, ge=0, lt=1)
    false_negative: float | None = Field(None, ge=0, lt=1)
    rates: dict[str, tuple[float, float]] = {}


class Algorithm(Section):
    """Which advantage, loss and extras, by their names in the registries, and the options of each.

    shuffled  rewards are dealt out at random among the rollouts of a step: a control that must not learn
    shaping   shapings of rlgym.rewards with their options, such as {"readable_bonus": {"amount": 0.05}}
    """

    advantage: str = "grpo"
    advantage_options: dict[str, Any] = {}
    loss: str = "pg_clip"
    loss_options: dict[str, Any] = {}
    critic: Critic = Critic()
    kl: float = Field(0.0, ge=0, le=10, description="weight of the divergence from the policy that reinforcement learning began with")
    reference_reset: int = Field(0, ge=0, description="steps after which the policy becomes the reference and the optimizer forgets")
    entropy: float = Field(0.0, ge=-10, le=10, description="weight of the entropy bonus")
    forks: float = Field(1.0, gt=0, le=1, description="share of the sampled tokens that learn, those of highest entropy")
    skip_dead: bool = Field(True, description="groups whose rewards are all alike are left out of the update")
    skip_cut: bool = Field(False, description="rollouts that ran into the limit of tokens are left out of the update")
    refill: int = Field(0, ge=0, le=100, description="further rounds of play in place of groups that skip_dead leaves out")
    most_rollouts: int = Field(0, ge=0, le=1024, description="rollouts that a hard task gets at most; 0 gives each rollout.group")
    pairs: bool = Field(False, description="learn only from groups that make a pair of a hard and an easy task")
    track: float = Field(0.0, ge=0, le=1, description="of mvar: how fast its quantiles follow those of the steps; 0 takes each step's own")
    hints: float = Field(0.0, ge=0, lt=1, description="share of the explanation shown in another try of groups that all failed; 0 for none")
    oracle: float = Field(0.0, ge=0, lt=1, description="share of a group that all failed which the oracle's rollout replaces; 0 for none")
    oracle_options: dict[str, Any] = Field({}, description="how the oracle's rollouts are weighed, such as {'kind': 'multiple'}")
    correction: Correction | None = None
    overlong: dict[str, float | int] | None = Field(None, description="soft penalty for length, such as {'most': 500, 'margin': 100}")
    shuffled: bool = False
    shaping: dict[str, dict[str, float | int]] = {}


class Update(Section):
    """How the weights are changed. `tokens` is the most that one forward pass holds.

    minibatches  updates made from the rollouts of one step, each on its share of the groups
    epochs       how often all of them are gone through
    old          whose log-probabilities count as the old policy's: the trainer's own, by a forward pass, or the sampler's
    """

    lr: float = Field(1e-5, gt=0)
    warmup: int = Field(20, ge=0)
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    betas: tuple[float, float] = (0.9, 0.95)
    weight_decay: float = Field(0.0, ge=0)
    clip: float = Field(1.0, gt=0, description="largest norm of the gradient")
    minibatches: int = Field(1, ge=1)
    epochs: int = Field(1, ge=1)
    tokens: int = Field(8192, ge=16)
    old: Literal["trainer", "sampler"] = "trainer"


class Scoring(Section):
    """Judging beside generation: `workers` processes (0 judges in the trainer's own), each verdict within `seconds`."""

    workers: int = Field(1, ge=0)
    seconds: float = Field(60.0, gt=0)


class Evaluation(Section):
    """Held-out accuracy before, after and every so many steps: `tasks` per environment and level, `samples` of each."""

    every: int = Field(0, ge=0, description="0 evaluates at the start and at the end only")
    tasks: int = Field(50, ge=1)
    samples: int = Field(1, ge=1)
    temperature: float = Field(1.0, ge=0)
    levels: list[float] = Field([], description="the levels of the tasks, unless given")


class Checkpoints(Section):
    """A checkpoint every so many steps, and how many of the last are kept."""

    every: int = Field(20, ge=1)
    keep: int = Field(2, ge=1)


class Log(Section):
    """What is written beside metrics.jsonl: `transcripts` sample episodes a step."""

    transcripts: int = Field(2, ge=0)
    tensorboard: bool = False
    wandb: str = Field("", description="the project's name; empty for none")


class Compute(Section):
    """Where it runs. `threads` is for the CPU; 0 leaves torch's own number."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    dtype: Literal["float32", "bfloat16"] = "float32"
    threads: int = Field(0, ge=0)
    recompute: bool = Field(False, description="recompute activations in the backward pass to save memory")
    compile: bool = Field(False, description="compile what lies between the attentions; pays on a GPU, once it has been waited for")
    sleep: bool = Field(False, description="the engine gives its cache's memory back while the trainer learns, and builds it anew after")
    peak_tflops: float = Field(0.0, ge=0, description="what one device does at best, 10^12 operations a second; 0 measures it")
    patience: float = Field(1800.0, gt=0, description="seconds that one rank waits for another before the run ends")


class Config(Section):
    """A whole run. `steps` counts those of reinforcement learning; `sft`, if given, comes before them."""

    model: str
    out: str
    tasks: list[Tasks] = Field(min_length=1)
    seed: int = Field(0, ge=0)
    steps: int = Field(100, ge=0)
    held_out: float = Field(0.1, gt=0, lt=1, description="share of all tasks, by content, that training never sees")
    sampling: Literal["even", "weakness"] = "even"
    sft: Sft | None = None
    rollout: Rollout = Rollout()
    algorithm: Algorithm = Algorithm()
    update: Update = Update()
    scoring: Scoring = Scoring()
    evaluation: Evaluation = Evaluation()
    checkpoints: Checkpoints = Checkpoints()
    log: Log = Log()
    compute: Compute = Compute()

    @classmethod
    def of(cls, given: dict[str, Any]) -> Config:
        """A configuration from plain data; a TrainError says what is wrong with it."""
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            raise TrainError("; ".join(_explained(cls, problem) for problem in error.errors(include_url=False)[:3])) from None

    @classmethod
    def read(cls, file: str | Path) -> Config:
        """The configuration in a YAML or JSON file."""
        import yaml

        try:
            given = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
        except OSError as error:
            raise TrainError(f"the configuration {str(file)!r} cannot be read: {error.strerror}") from None
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise TrainError(f"the configuration {str(file)!r} is not YAML: {str(error).splitlines()[0]}") from None
        if not isinstance(given, dict):
            raise TrainError(f"the configuration {str(file)!r} must hold a mapping, got {type(given).__name__}")
        return cls.of(given)

    def differences(self, other: Config) -> list[str]:
        """The fields, as dotted names, in which another configuration differs."""
        mine, theirs = _flat(self.model_dump(mode="json")), _flat(other.model_dump(mode="json"))
        return sorted(field for field in mine | theirs if mine.get(field) != theirs.get(field))


def _flat(data: dict[str, Any], before: str = "") -> dict[str, str]:
    out: dict[str, str] = {}
    for field, value in data.items():
        nested = isinstance(value, dict) and before == ""
        out |= _flat(value, f"{field}.") if nested else {before + field: json.dumps(value, sort_keys=True)}
    return out


def _explained(model: type[BaseModel], problem: Any) -> str:
    where = ".".join(str(part) for part in problem["loc"] if not str(part).startswith(("list[", "Adaptive")))
    if problem["type"] == "extra_forbidden":
        known = _fields_at(model, problem["loc"][:-1])
        said = suggestion(str(problem["loc"][-1]), known)
        return f"there is no field {where!r} in the configuration;{said} the fields there are {', '.join(known)}"
    if problem["type"] == "missing":
        return f"the configuration needs {where!r}"
    return f"{where}: {problem['msg']}, got {problem['input']!r:.60}"


def _fields_at(model: type[BaseModel], place: tuple[Any, ...]) -> list[str]:
    """The names of the fields of the section that a place in the configuration leads to."""
    sections = {section.__name__: section for section in Section.__subclasses__()}
    for part in place:
        if part in model.model_fields:
            said = str(model.model_fields[part].annotation)
            model = next((section for name, section in sections.items() if f".{name}" in said or f"'{name}'" in said), model)
        elif part in sections:
            model = sections[part]
    return list(model.model_fields)


def check(config: Config) -> None:
    """Refuse what would fail later: TrainError, or the error of the environment that cannot be played here."""
    _check_tasks(config)
    _check_numbers(config)
    _check_model(Path(config.model))
    out = Path(config.out)
    if out.exists() and not out.is_dir():
        raise TrainError(f"out={config.out!r} is a file: a run needs a folder")


def _check_tasks(config: Config) -> None:
    from rlgym import rewards

    for part in config.tasks:
        if isinstance(part.levels, Adaptive):
            low, high = part.levels.band
            if not 0 <= low < high <= 1:
                raise TrainError(f"band must be two solve rates, 0 <= low < high <= 1, got {list(part.levels.band)}")
            if not part.levels.least <= part.levels.start <= part.levels.most:
                raise TrainError("an adaptive level needs least <= start <= most")
        try:
            names = part.environments()
            for name in names:
                for level in part.all_levels() + list(config.evaluation.levels):
                    # Making one also says what is missing for judging answers: a sandbox, a package.
                    rlgym.make(name, level=level, answer_style=config.rollout.style, **dict[str, Any](part.knobs))
        except (RecipeError, KnobError) as error:
            raise TrainError(f"tasks: {error}") from None
    known = [name for name in ("readable_bonus", "length_penalty", "noisy", "with_confidence") if hasattr(rewards, name)]
    for name in config.algorithm.shaping:
        if name not in known:
            raise TrainError(f"there is no shaping {name!r};{suggestion(name, known)} use one of {', '.join(known)}")


ALONE = ("grpo", "dr_grpo", "rloo", "rank_penalty", "pass_at_k", "weighted_grpo", "tempo")
"""Advantages that compare the rollouts of a group, and say nothing about a single one."""


def _check_numbers(config: Config) -> None:
    rollout, update = config.rollout, config.update
    if rollout.group < 2 and config.algorithm.advantage in ALONE:
        raise TrainError(
            f"rollout.group={rollout.group} leaves {config.algorithm.advantage!r} nothing to compare: "
            "give each task two rollouts or more, or choose an advantage without groups, such as 'reinforce_pp'"
        )
    if update.minibatches > rollout.groups:
        raise TrainError(
            f"update.minibatches={update.minibatches} is more than rollout.groups={rollout.groups}: a group is never divided; "
            "lower the one or raise the other"
        )
    if config.algorithm.forks < 1 and update.old == "sampler":
        raise TrainError("algorithm.forks needs entropies, which the sampler does not tell: set update.old='trainer'")
    if rollout.tokens >= rollout.context:
        raise TrainError(f"rollout.tokens={rollout.tokens} leaves no room for a prompt in rollout.context={rollout.context}")
    if rollout.context > update.tokens:
        raise TrainError(
            f"an episode of rollout.context={rollout.context} tokens does not fit into a forward pass of update.tokens={update.tokens}: "
            "raise the second or lower the first"
        )


def _check_model(folder: Path) -> None:
    if not (folder / "config.json").is_file():
        raise TrainError(f"model={str(folder)!r} is not a Hugging Face folder: there is no config.json in it")
    if not any((folder / name).is_file() for name in ("tokenizer.json", "tokenizer.model", "vocab.json")):
        raise TrainError(f"model={str(folder)!r} has no tokenizer: put its tokenizer.json and tokenizer_config.json beside config.json")
    if not any(folder.glob("*.safetensors")):
        raise TrainError(f"model={str(folder)!r} has no weights: there is no *.safetensors file in it")


def check_memory(parameters: int, config: Config, free: int) -> None:
    """Refuse a model whose weights, gradients and optimizer alone do not fit into `free` bytes of a GPU's memory."""
    needed = parameters * (16 if config.compute.dtype == "float32" else 18)
    if needed > free:
        raise TrainError(
            f"training {parameters / 1e6:,.0f}M parameters needs {needed / 2**30:.1f} GiB for weights, gradients and optimizer alone, "
            f"and the GPU has {free / 2**30:.1f} GiB free: use a smaller model, or several GPUs"
        )
