"""The studies that `rlgym train study` knows. A member is a label and the fields of the configuration that it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rlgym.core.errors import UnknownName, suggestion

Change = Mapping[str, Any]
"""Values by the dotted names of their fields, such as {"algorithm.loss": "gspo"}."""

STALE = {"update.num_minibatches": 2, "update.lr": 1e-4}
WHOLE = {"algorithm.filter_zero_std": False}
NOISE = {"algorithm.advantage": "dr_grpo", "algorithm.reward_shaping": {"reward_noise": {"false_positive": 0.1, "false_negative": 0.2}}}


def noise(**options: float | str) -> dict[str, Any]:
    """A verifier that errs on 20 % of wrong and of right answers unless told otherwise, with an advantage that a correction can act on."""
    rates = {"false_positive": 0.2, "false_negative": 0.2}
    return {"algorithm.advantage": "dr_grpo", "algorithm.reward_shaping": {"verifier_noise": rates | options}}


def group_noise(**options: float | str) -> dict[str, Any]:
    """The same rates for errors that depend on the step, the policy or the group."""
    rates = {"false_positive": 0.2, "false_negative": 0.2}
    return {"algorithm.advantage": "dr_grpo", "algorithm.group_rewards": {"group_noise": rates | options}}


def proxy(name: str) -> dict[str, Any]:
    """Rewards of a proxy with a planted loophole, for groups of any rewards."""
    return WHOLE | {"algorithm.reward_shaping": {"proxy": {"name": name}}}


def lengths(name: str, **options: Any) -> dict[str, Any]:
    """A group reward that depends on the length of responses; groups that are right throughout are kept, where length alone differs."""
    return {"algorithm.group_rewards": {name: options}}


CRF = {"concise": {"conciseness": {"short": {"free_tokens": 8, "max_tokens": 40}}, "anneal_steps": 16}}
STRONG = {"false_positive": 0.3, "false_negative": 0.3}
BOUNDS = {"positive_clip_low": 0.2, "positive_clip_high": 0.28, "negative_clip_low": 0.2, "negative_clip_high": 0.28}
DISPO = {"algorithm.loss": "dispo", "algorithm.loss_options": BOUNDS}
ORACLE_CURRICULUM = {
    "algorithm.filters": {"solve_rate": {"min_solve_rate": 0.25, "max_solve_rate": 0.75}},
    "algorithm.dynamic_sampling_rounds": 8,
}
"""A control for curricula: it sees the solve rate of every task before it chooses. The rollouts by which it sees them are counted, but not learned from."""
FORWARD = {"algorithm.advantage": "reinforce", "algorithm.filter_zero_std": False}
STEPS = {"algorithm.token_rewards": {"source": "steps"}}


@dataclass(frozen=True)
class Study:
    """A question, and the members that answer it; the first is the baseline with which the others are compared.

    toy_recipe  the recipe whose toy model the study has at the toy size; those of most recipes are alike
    """

    question: str
    members: Mapping[str, Change]
    toy_recipe: str = "dapo"

    @property
    def baseline(self) -> str:
        """The label of the first member."""
        return next(iter(self.members))


LEVELS = [0.0, 0.02, 0.04]
"""Two, three and four terms of one digit in `chain_sum`; the toy model of `beyond_variance` has seen the first two."""


def levels(chosen: Any, **changes: Any) -> dict[str, Any]:
    """Training on levels of `chain_sum`, measured on all of `LEVELS`."""
    return {"tasks": [{"names": ["chain_sum"], "levels": chosen} | changes], "evaluation.levels": LEVELS}


def moving(rule: str, **options: float) -> dict[str, Any]:
    """Levels that a rule moves from the easiest to the hardest of `LEVELS`."""
    return levels({"rule": rule, "step_size": 0.02, "max_level": LEVELS[-1], "window": 12} | options)


STUDIES = {
    "advantages": Study(
        "Which advantage gains most over the same rollouts?",
        {
            "grpo": {},
            **{name: {"algorithm.advantage": name} for name in ("dr_grpo", "rloo", "rank_penalty", "pass_at_k", "tempo")},
            **{name: WHOLE | {"algorithm.advantage": name} for name in ("reinforce_pp", "psr", "nsr", "w_reinforce", "mvar")},
            "ppo": WHOLE | {"algorithm.advantage": "ppo", "update.old_logprobs": "trainer"},
        },
    ),
    "losses": Study(
        "Which loss gains most with two optimizer steps for each batch of rollouts?",
        {
            **{name: STALE | {"algorithm.loss": name} for name in ("pg_clip", "gspo", "cispo", "dispo", "real", "pacs")},
            "topr": STALE | {"algorithm.loss": "topr", "algorithm.advantage": "signed"},
        },
    ),
    "regularizers": Study(
        "What do a KL penalty, an entropy bonus and an entropy mask cost or gain?",
        {
            "none": {},
            "kl 0.01": {"algorithm.kl_coef": 0.01},
            "kl 0.1": {"algorithm.kl_coef": 0.1},
            "entropy 0.01": {"algorithm.entropy_coef": 0.01},
            "high-entropy tokens 0.2": {"algorithm.entropy_top_fraction": 0.2, "update.old_logprobs": "trainer"},
        },
    ),
    "filters": Study(
        "What does it gain to drop groups, or to sample others in their place?",
        {
            "zero-std groups dropped": {},
            "zero-std groups kept": WHOLE,
            "dynamic sampling": {"algorithm.dynamic_sampling_rounds": 2},
            "solve rates 0.2 to 0.8": {"algorithm.filters": {"solve_rate": {}}},
            "extra rollouts for hard tasks": {"algorithm.max_group_size": 16},
        },
    ),
    "curricula": Study(
        "Does it help to sample tasks by their solve rates?",
        {"uniform": {}}
        | {name: {"task_sampling": name} for name in ("weakness", "learnability", "weak_cells", "variance", "recap")}
        | {"oracle": ORACLE_CURRICULUM},
    ),
    "levels": Study(
        "Does it help to move the level with the policy, at equal rollouts?",
        {
            "uniform": levels(LEVELS),
            "easiest": levels(LEVELS[:1]),
            "band": moving("band"),
            "AdaRFT": moving("target", sensitivity=4.0),
            "SATURN": moving("step_up", threshold=0.5) | {"evaluation.every_steps": 4},
            "one task": levels(LEVELS[1:2], num_tasks=1),
            "oracle": levels(LEVELS) | ORACLE_CURRICULUM,
        },
        toy_recipe="beyond_variance",
    ),
    "guidance": Study(
        "What do hints and the oracle's rollouts add for tasks that are never solved?",
        {
            "none": {"update.old_logprobs": "trainer"},
            "hints": {"algorithm.hint_fraction": 0.5, "update.old_logprobs": "trainer"},
            "hints in stages": {"algorithm.hint_fraction": 0.75, "algorithm.hint_stages": 3, "update.old_logprobs": "trainer"},
            "oracle": {"algorithm.oracle_fraction": 0.1, "update.old_logprobs": "trainer"},
        },
    ),
    "noise": Study(
        "What does a verifier that errs cost, and what does a correction give back?",
        {
            "exact verifier": {"algorithm.advantage": "dr_grpo"},
            "noisy": NOISE,
            "noisy, corrected": NOISE | {"algorithm.noise_correction": {"kind": "backward"}},
            "shuffled rewards": {"algorithm.advantage": "dr_grpo", "algorithm.shuffle_rewards": True},
        },
    ),
    "noise-kinds": Study(
        "Does it matter on what a verifier's errors depend?",
        {
            "exact verifier": {"algorithm.advantage": "dr_grpo"},
            "by rollout": noise(),
            "refuses right answers": noise(false_positive=0.0, false_negative=0.4),
            "rewards wrong answers": noise(false_positive=0.4, false_negative=0.0),
            "by task and answer": noise(depends_on="content"),
            "by answer": noise(depends_on="answer"),
            "by length": noise(depends_on="length", false_positive=0.4, false_negative=0.4, full_characters=80),
            "by surface": noise(depends_on="surface", false_positive=0.4, false_negative=0.4),
            "by confidence": group_noise(depends_on="confidence", false_positive=0.4, false_negative=0.4),
            "adversarial": group_noise(depends_on="adversary"),
            "drifting": group_noise(
                drift="linear", false_positive=0.0, false_negative=0.0, final_false_positive=0.4, final_false_negative=0.4, drift_steps=50
            ),
        },
    ),
    "noise-corrections": Study(
        "A verifier errs on three in ten: what recovers more, a correction for known rates, estimated rates, or a few verdicts of the exact verifier?",
        {
            "exact verifier": {"algorithm.advantage": "dr_grpo"},
            "uncorrected": noise(**STRONG),
            "backward": noise(**STRONG) | {"algorithm.noise_correction": {"kind": "backward"}},
            "forward": noise(**STRONG) | FORWARD | {"algorithm.noise_correction": {"kind": "forward"}},
            "forward, rates by appeals": noise(**STRONG)
            | FORWARD
            | {"algorithm.noise_correction": {"kind": "forward", "appeal_fraction": 0.2}},
            "a fifth of refusals appealed": noise(appeal_fraction=0.2, **STRONG),
            **{
                f"2 of 8 judged exactly, {order}": group_noise(appeals=2, appeal_order=order, **STRONG)
                for order in ("chance", "refused", "surprising")
            },
        },
    ),
    "proxies": Study(
        "Which planted loopholes does a small policy find, and what remains of the task?",
        {"exact verifier": WHOLE}
        | {name: proxy(name) for name in ("readable", "unfinished", "brevity", "length", "near", "prefix", "several_answers", "steps")},
    ),
    "noise-rates": Study(
        "Up to which rate of errors on either side does a policy learn, and do patterns of reasoning make up for them?",
        {
            "exact verifier": {"algorithm.advantage": "dr_grpo"},
            **{f"{rate:.0%} of errors": noise(false_positive=rate, false_negative=rate) for rate in (0.1, 0.2, 0.3, 0.4, 0.5)},
            "40% of errors, patterns rewarded": {
                "algorithm.advantage": "dr_grpo",
                "algorithm.reward_shaping": {"verifier_noise": {"false_positive": 0.4, "false_negative": 0.4}, "reasoning_patterns": {}},
            },
        },
    ),
    "length-rewards": Study(
        "How many tokens does each reward for short responses save, and what does it cost in accuracy?",
        {
            "outcome alone": {},
            "length_penalty": {
                "algorithm.reward_shaping": {"length_penalty": {"free_characters": 20, "max_characters": 120, "amount": 0.3}}
            },
            "overlong_penalty": {"algorithm.overlong_penalty": {"max_tokens": 40, "buffer_tokens": 32}},
            "LASER": lengths("length_target", easy_tokens=12, medium_tokens=18, hard_tokens=28),
            "GRPO-lambda": lengths("relative_length", min_solve_rate=0.5),
            "concise": lengths("concise"),
            "length budget": lengths("length_budget", start_tokens=24, decay=0.85, interval_steps=4),
            "CRF": lengths("combined", reward=CRF),
            "brevity, right or wrong": proxy("brevity"),
        },
    ),
    "dispo-bounds": Study(
        "What happens where one of the four bounds of `dispo` is taken away, on stale rollouts?",
        {
            "all bounds": STALE | DISPO,
            "right answers without a lower bound": STALE | DISPO | {"algorithm.loss_options": BOUNDS | {"positive_clip_low": 1.0}},
            "right answers without an upper bound": STALE | DISPO | {"algorithm.loss_options": BOUNDS | {"positive_clip_high": 100.0}},
            "wrong answers without a lower bound": STALE | DISPO | {"algorithm.loss_options": BOUNDS | {"negative_clip_low": 1.0}},
            "wrong answers without an upper bound": STALE | DISPO | {"algorithm.loss_options": BOUNDS | {"negative_clip_high": 100.0}},
        },
    ),
    "staleness": Study(
        "What does it cost to learn from rollouts of older weights, and what does replay gain?",
        {
            "synchronous": {},
            "1 step ahead": {"rollout.async_steps": 1},
            "4 steps ahead": {"rollout.async_steps": 4},
            "replay 0.5": {"algorithm.replay": {"fraction": 0.5, "max_age_steps": 4}},
        },
    ),
    "step-credit": Study(
        "Does exact credit for steps gain over the outcome alone?",
        {
            "grpo": {},
            **{name: STEPS | {"algorithm.advantage": name} for name in ("gated", "min_form", "shaped_steps", "first_error", "capo")},
        },
    ),
}


BY_FAMILY = {
    "transfer": "Does reinforcement learning on one family of tasks help on other families?",
    "methods": "Which gains more from the same number of responses: reinforcement learning, SFT, or distillation?",
    "pairs": "What does training on two or more families give that one alone does not, and what do order, reward, template and language change?",
    "scaling": "What do more families of tasks give at the same number of responses?",
    "gap": "How does the gap between reinforcement learning and SFT change as answers get longer and different tasks more?",
}
"""Studies over families of tasks, and their questions; `rlgym.train.study.transfer`, `.methods` and `.rows` run them."""


def study(name: str) -> Study:
    """The study called `name`; UnknownName, with the nearest, where there is none."""
    if name not in STUDIES:
        known = [*STUDIES, *BY_FAMILY]
        raise UnknownName(f"no study is called {name!r}.{suggestion(name, known)} There are {', '.join(known)}")
    return STUDIES[name]
