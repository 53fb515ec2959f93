"""The page of all recipes, docs/train/recipes.md."""

from __future__ import annotations

from rlgym.train.config.schema import Config
from rlgym.train.config.tasks import AdaptiveLevels
from rlgym.train.recipes.recipe import THEMES, Recipe, Stage, recipes
from rlgym.train.recipes.show import budget, start_of

PAGE_OPENING = """# Recipes

A recipe is a published way of training as a file: stages of ordinary [training configurations](index.md), each from the model of an earlier
stage, with what is as in the paper and what had to differ. Stages train by SFT, by reinforcement learning, measure solve rates from
which later stages choose their tasks, or compare the models of other stages.

```
rlgym train recipe list                                   # all recipes by theme
rlgym train recipe show dapo                              # what it does, and the YAML of its stages
rlgym train recipe run dapo --toy                         # a small model from scratch, on a CPU
rlgym train recipe run dapo --model DIR --out runs/dapo   # the recipe itself
rlgym train recipe run NAME --model DIR --teacher DIR     # where a stage starts from a teacher, whose right responses are imitated
rlgym train recipe show dapo --model DIR --out configs    # a configuration file for each stage, to change or to run on several GPUs
```

Repeat a `run` to resume it: finished stages are kept, an interrupted one goes on from its last checkpoint. `--until STAGE` stops after a
stage. The folder holds one run for each stage and `recipe.json`, what was asked for; another recipe, model, size or seed is refused there.

A stage of the kind `compare` samples the same held-out tasks with several models and writes `comparison.md`, which `run` prints,
`report.html`, one self-contained page, and `comparison.json`, with the settings and all versions: accuracy with its interval over tasks, the
standard deviation of runs with one sample per task, pass@k for powers of two, and, over groups of
tasks, the paired change from the first model. A measured model is not measured again. `kind: measure` with `keep_responses: true`
keeps the responses as an evaluation, and a later stage imitates the right ones with `sft: {rollouts: STAGE}`.

All tasks are environments of this library, so that nothing needs a data set, and sizes are those of one GPU rather than of the paper's
cluster. The papers' results were not reproduced. `--toy` trains a new model of two layers by SFT on one easy environment (`chain_sum`
unless the file says otherwise), then runs every stage for at most three steps of eight tasks; lengths, learning rates and intervals keep
their proportions. That shows that a recipe runs, learns from something and resumes, and nothing about how well it works.

The files are in `rlgym/train/recipes/`; a test reads and checks each of them, and that every stage can start. The slow tests also run `guru` and two
further recipes at the toy size, which change with the trainer's source: they must have a learning signal, and end after `kill -9` as if nothing had
happened. `scripts/try_recipes.py FOLDER` runs all of them. This page is generated from the files
by `scripts/recipes.py`.
"""


def recipes_page() -> str:
    """The page of all recipes as Markdown."""
    found = list(recipes())
    lines = [PAGE_OPENING, f"There are {len(found)} recipes.", "", "| theme | recipes |", "|---|---|"]
    for theme in THEMES:
        names = ", ".join(f"[`{one.name}`](#{one.name})" for one in found if one.theme == theme)
        lines.append(f"| {theme} | {names} |")
    for theme in THEMES:
        lines += ["", f"## {theme}"]
        for one in found:
            lines += _section(one) if one.theme == theme else []
    return "\n".join(lines) + "\n"


def _section(recipe: Recipe) -> list[str]:
    lines = ["", f"### {recipe.title} {{ #{recipe.name} }}", "", f"*{recipe.paper}*", "", recipe.idea, ""]
    lines += [
        "As in the paper:",
        "",
        *(f"- {line}" for line in recipe.same),
        "",
        "Different:",
        "",
        *(f"- {line}" for line in recipe.differs),
        "",
    ]
    lines += ["| stage | starts from | size | method |", "|---|---|---|---|"]
    for stage in recipe.stages:
        lines.append(f"| `{stage.name}` | {start_of(recipe, stage)} | {budget(recipe, stage)} | {_method(recipe, stage)} |")
    return lines


def _method(recipe: Recipe, stage: Stage) -> str:
    """The algorithms of a stage by their registered names, and what chooses its tasks."""
    config = recipe.stage_config(stage, "MODEL", "run")
    if stage.kind == "measure":
        return "records solve rates" + (" and keeps the responses" if stage.keep_responses else "")
    if stage.kind == "compare":
        return "compares accuracy and pass@k" + (f", also over {' and '.join(stage.groups)}" if stage.groups else "")
    if not config.steps:
        return f"SFT on right responses of {config.sft.rollouts}" if config.sft and config.sft.rollouts else "SFT"
    algorithm = config.algorithm
    names = [f"advantage `{algorithm.advantage}`", f"loss `{algorithm.loss}`"]
    for kind, chosen in (("filter", algorithm.filters), ("reward", algorithm.reward_shaping), ("group reward", algorithm.group_rewards)):
        names += [f"{kind} `{name}`" for name in chosen]
    names += [f"{section} `{given.kind}`" for section, given in (("likelihood", algorithm.likelihood_reward),) if given]
    names += [f"judge `{algorithm.judge_reward.kind}`"] if algorithm.judge_reward else []
    names += [f"token rewards `{algorithm.token_rewards.source}`"] if algorithm.token_rewards else []
    names += [f"sampling `{config.task_sampling}`"] if config.task_sampling != "uniform" else []
    names += [name for name, used in _mechanisms(config).items() if used]
    return ", ".join(names)


def _mechanisms(config: Config) -> dict[str, bool]:
    """Further mechanisms in words, and whether a configuration uses them."""
    algorithm = config.algorithm
    return {
        "KL penalty": bool(algorithm.kl_coef),
        "entropy bonus": algorithm.entropy_coef > 0,
        "dynamic sampling": bool(algorithm.dynamic_sampling_rounds),
        "overlong penalty": algorithm.overlong_penalty is not None,
        "hints": algorithm.uses_hints,
        "rollouts of the oracle": bool(algorithm.oracle_fraction),
        "replay": algorithm.replay is not None,
        "correction of noise": algorithm.noise_correction is not None,
        "self-distillation": algorithm.self_distillation is not None,
        "corrected thoughts": algorithm.thought_correction is not None,
        "flow reward": algorithm.flow_reward is not None,
        "contrasting rollouts": algorithm.contrast is not None,
        "extra rollouts for hard tasks": bool(algorithm.max_group_size),
        "pairs of tasks": algorithm.pair_tasks,
        "reference resets": bool(algorithm.reference_reset_steps),
        "segments": bool(config.rollout.segment_tokens),
        "LoRA": config.model.lora is not None,
        "recorded tasks": any(part.recorded for part in config.tasks),
        "adaptive levels": any(isinstance(part.levels, AdaptiveLevels) for part in config.tasks),
    }
