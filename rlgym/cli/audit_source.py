"""What `rlgym audit` measures: a function, an environment, a command, an endpoint or a judge."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import rlgym
from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.audit.options import AuditOptions
    from rlgym.audit.report import AuditReport
    from rlgym.audit.scorers.base import Scorer
    from rlgym.audit.scorers.judge import JudgeScorer
    from rlgym.audit.scorers.process import ProcessOptions

RESCUED = Path("audit-replies.jsonl")
"""Where the replies of a judge go if an audit without a cache stops early."""


@dataclass(frozen=True)
class Source:
    """The options that name the scorer; exactly one of target, command, url, judge and reward_model is given."""

    target: str | None
    command: str | None
    url: str | None
    judge: str | None
    base_url: str | None
    api_key_env: str
    prompt_template: Path | None
    cache: Path | None
    requests_per_minute: float | None
    sandbox: bool = False
    reward_model: Path | None = None

    def audit(self, options: AuditOptions, watch: Callable[[int, int], None]) -> AuditReport:
        """Run the audit."""
        from rlgym.audit.run import audit, audit_scorer

        given = [name for name in (self.target, self.command, self.url, self.judge, str(self.reward_model or "")) if name]
        if len(given) != 1:
            raise RlgymError("give one of TARGET, --command, --url, --judge and --reward-model")
        if self.sandbox and not (self.target and ":" in self.target and self.target.partition(":")[0] not in rlgym.names()):
            raise RlgymError("--sandbox takes a Python function, package.module:function or file.py:function")
        if self.target and not self.sandbox:
            return audit(self.target, options, watch)
        if self.reward_model:
            return self._audit_reward_model(self.reward_model, options, watch)
        if self.judge:
            return self._audit_judge(options, watch)
        return audit_scorer(given[0], self._start, options, watch)

    def _audit_reward_model(self, folder: Path, options: AuditOptions, watch: Callable[[int, int], None]) -> AuditReport:
        from rlgym.audit.run import PROBED, audit_scorer
        from rlgym.audit.scorers.reward_model import RewardModelScorer, calibrated_threshold
        from rlgym.audit.styles import STYLES, custom_style

        scorer = RewardModelScorer(folder)
        # A reward model reads no marks, so none can be detected: mathematical answers stand in boxes.
        name = "boxed" if options.style == "auto" else options.style
        options = replace(options, style=name)
        if options.accept is None and (options.template or name in STYLES):
            style = custom_style(options.template) if options.template else STYLES[name]
            options = replace(options, accept=calibrated_threshold(scorer, options.types or PROBED, style, options.seed + 3))
        return audit_scorer(str(folder), lambda process: scorer, options, watch)

    def _start(self, process: ProcessOptions) -> Scorer:
        if self.sandbox:
            from rlgym.audit.scorers.sandboxed import SandboxScorer

            return SandboxScorer(str(self.target), process)
        if self.command:
            from rlgym.audit.scorers.command import CommandScorer

            return CommandScorer(self.command, process)
        assert self.url
        from rlgym.audit.scorers.http import HttpScorer

        return HttpScorer(self.url, process)

    def _judge(self, process: ProcessOptions) -> JudgeScorer:
        from rlgym.audit.scorers.judge import TEMPLATE, JudgeOptions, JudgeScorer
        from rlgym.evaluate.models.endpoint import Endpoint, RequestLimits
        from rlgym.evaluate.models.rate_limit import RateLimiter

        if not self.judge or not self.base_url:
            raise RlgymError("a judge needs --base-url, such as http://localhost:8000/v1")
        template = self.prompt_template.read_text(encoding="utf-8") if self.prompt_template else TEMPLATE
        model = Endpoint(
            self.base_url, self.judge, os.environ.get(self.api_key_env), stream=False, max_concurrency=max(8, process.workers),
            limits=RequestLimits(seconds=max(60.0, process.seconds)), rate_limiter=RateLimiter(self.requests_per_minute),
        )  # fmt: skip
        return JudgeScorer(model, JudgeOptions(template, cache=self.cache))

    def _audit_judge(self, options: AuditOptions, watch: Callable[[int, int], None]) -> AuditReport:
        """The audit of a judge. Replies that were received before it stops are kept, so that they need not be paid for again."""
        from rlgym.audit.run import audit_scorer

        scorer = self._judge(options.process)
        try:
            return audit_scorer(str(self.judge), lambda process: scorer, options, watch)
        except (RlgymError, KeyboardInterrupt) as error:
            if self.cache is None and len(scorer.replies):
                scorer.replies.save(RESCUED)
            if isinstance(error, KeyboardInterrupt) or not len(scorer.replies):
                raise
            raise RlgymError(f"{error}\n{len(scorer.replies)} replies are kept; resume with --cache {self.cache or RESCUED}") from error
