"""Supervised examples: the oracle's turns, with its explanations, as episodes to imitate.

The tokens of an example lie exactly as those of a sampled episode: prompts and turns from the same `Chat`, and the loss on the
responses alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import rlgym
from rlgym import Rng
from rlgym.core.errors import RlgymError
from rlgym.dataset.traces import TraceOptions
from rlgym.dataset.traces.writer import trace_of_oracle
from rlgym.train.config.agents import AgentsConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.tasks import AdaptiveLevels, TaskConfig
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.scoring import ScoringJob, run_job
from rlgym.train.sft.agents import agent_sections, oracle_turns, slip
from rlgym.train.sft.example import SftExample as SftExample
from rlgym.train.sft.proposals import build_proposal
from rlgym.train.sft.roles import build_role_example
from rlgym.train.tasks.hints import solution_steps
from rlgym.train.tasks.spec import TaskSettings, TaskSpec


def build_example(
    chat: Chat,
    task: TaskSpec,
    settings: TaskSettings,
    explain: bool,
    traces: TraceOptions | None = None,
    agents: AgentsConfig | None = None,
) -> SftExample:
    """The oracle's episode of a task; with `traces` its explanation is a search where the environment has one, with `agents` it is theirs.

    Raises RlgymError if the oracle fails its own task, which is a bug.
    """
    result = run_job(ScoringJob(0, task, settings))[1]
    tokens = chat.prompt_tokens(result.observation)
    loss_mask = [False] * len(tokens)
    env = rlgym.make(task.name, answer_style=settings.answer_style)
    env.restore(result.snapshot)
    # The oracle is always right, and states so if the prompt asks for a confidence.
    confidence = "<confidence>1</confidence>\n" if settings.asks_confidence else ""
    observation, turns, slipped = "", 0, False
    rng = Rng("slips", settings.seed, task.index)
    slip_at = rng.integer(0, oracle_turns(env) - 1) if agents is not None and rng.chance(agents.slip_fraction) else None
    while True:
        if agents is not None:
            before = agent_sections(env, agents, observation, turns, slipped)
        else:
            before = explanation(env, traces) if explain else ""
        slipped = False
        action = env.oracle()
        if slip_at is not None and turns >= slip_at and (mistaken := slip(env, rng)) is not None:
            action, slipped, slip_at = mistaken, True, None
        text, turns = f"{before}{confidence}{action}", turns + 1
        response = chat.response_tokens(text)
        tokens += response
        loss_mask += [not slipped] * len(response)
        observation, _, over, _, info = env.step(text)
        if over:
            break
        turn = chat.turn_tokens(observation, stopped=True)
        tokens += turn
        loss_mask += [False] * len(turn)
    if info["score"].value < 1:
        raise RlgymError(f"the oracle of {task.name} fails one of its own tasks: run `rlgym check {task.name}`")
    return SftExample(task, tuple(tokens), tuple(loss_mask), turns)


def explanation(env: rlgym.Env, traces: TraceOptions | None = None) -> str:
    """The solution from the present state as lines that precede the answer; empty if the environment has no explanation."""
    declared = rlgym.environment(env.task.origin.name) if traces is not None and env.task.origin else None
    if traces is not None and isinstance(declared, rlgym.Environment) and (lines := trace_of_oracle(declared, env.task, traces)):
        return "".join(f"{line}\n" for line in lines)
    return "".join(f"{step}\n" for step in solution_steps(env))


class SftData:
    """Endless examples of a task mixture. The step alone determines its batch."""

    def __init__(self, config: Config, chat: Chat, settings: TaskSettings) -> None:
        assert config.sft is not None
        self.config, self.sft, self.chat, self.settings = config, config.sft, chat, settings
        self._traces = None if config.sft.traces is None else TraceOptions.model_validate(config.sft.traces)
        self._cells = [(part, name, part.weight / len(part.environments())) for part in config.tasks for name in part.environments()]
        numbers = [number for number, part in enumerate(config.tasks) for _ in part.environments()]
        names = [name for _, name, _ in self._cells]
        self.families = [name if names.count(name) == 1 else f"{name}#{number}" for name, number in zip(names, numbers, strict=True)]
        self.shares = [share / sum(share for _, _, share in self._cells) for _, _, share in self._cells]
        self.weights: list[float] | None = None

    def batch(self, step: int) -> list[SftExample]:
        """The examples of a step; those that exceed the context are skipped."""
        factors = self.weights or [1.0] * len(self._cells)
        shares = [round(1_000_000 * share * factor) for (_, _, share), factor in zip(self._cells, factors, strict=True)]
        return self._examples(step, Rng("sft", self.settings.seed, step), shares, self.sft.batch_size, 1 << 40)

    def family_batch(self, step: int, family: int, count: int) -> list[SftExample]:
        """Examples of one family, of tasks that no batch has; the step alone determines them."""
        shares = [int(number == family) for number in range(len(self._cells))]
        return self._examples(step, Rng("sft family", self.settings.seed, step, family), shares, count, 3 << 40)

    def _examples(self, step: int, rng: Rng, weights: list[int], count: int, first: int) -> list[SftExample]:
        max_seq_len = self.config.rollout.max_seq_len
        out: list[SftExample] = []
        for attempt in range(20 * count):
            part, name, _ = self._cells[rng.weighted(range(len(self._cells)), weights)]
            # Indices of supervised tasks start far above those of reinforcement learning, which count from 1.
            # With `tasks.num_tasks` they are the very tasks of reinforcement learning, of which there are no others.
            index = rng.integer(1, part.num_tasks) if part.num_tasks else first + step * 20 * count + attempt
            task = TaskSpec(name, rng.choice(sft_levels(part)), index, "train", part.knobs)
            if self.sft.proposals_fraction and rng.chance(self.sft.proposals_fraction):
                example = build_proposal(self.chat, task, self.settings)
            elif (roles := self.config.algorithm.prover_roles) is not None:
                example = build_role_example(self.chat, task, self.settings, rng.chance(self.sft.explanation_fraction), roles, rng)
            else:
                explain, agents = rng.chance(self.sft.explanation_fraction), self.sft.agents
                example = build_example(self.chat, task, self.settings, explain, self._traces, agents)
                if agents is not None and example.turns < agents.min_turns:
                    continue
            if len(example.tokens) <= max_seq_len:
                out.append(example)
            if len(out) == count:
                return out
        raise RlgymError(
            f"most of the oracle's episodes exceed rollout.max_seq_len={max_seq_len} tokens, or have fewer turns than sft.agents.min_turns: raise the first, "
            "or change the levels of the tasks"
        )


def sft_levels(part: TaskConfig) -> Sequence[float]:
    """The levels of supervised examples: all that are listed; for adaptive levels the first."""
    return [part.levels.start_level] if isinstance(part.levels, AdaptiveLevels) else part.levels
