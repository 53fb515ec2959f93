"""What `rlgym audit` measures: a function, an environment, a command, an endpoint or a judge."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.audit.options import AuditOptions
    from rlgym.audit.report import AuditReport
    from rlgym.audit.scorers.base import Scorer
    from rlgym.audit.scorers.process import ProcessOptions


@dataclass(frozen=True)
class Source:
    """The options that name the scorer; exactly one of target, command, url and judge is given."""

    target: str | None
    command: str | None
    url: str | None
    judge: str | None
    base_url: str | None
    api_key_env: str
    prompt_template: Path | None
    cache: Path | None
    requests_per_minute: float | None

    def audit(self, options: AuditOptions, watch: Callable[[int, int], None]) -> AuditReport:
        """Run the audit."""
        from rlgym.audit.run import audit, audit_scorer

        given = [name for name in (self.target, self.command, self.url, self.judge) if name]
        if len(given) != 1:
            raise RlgymError("give one of TARGET, --command, --url and --judge")
        return audit(self.target, options, watch) if self.target else audit_scorer(given[0], self._start, options, watch)

    def _start(self, process: ProcessOptions) -> Scorer:
        if self.command:
            from rlgym.audit.scorers.command import CommandScorer

            return CommandScorer(self.command, process)
        if self.url:
            from rlgym.audit.scorers.http import HttpScorer

            return HttpScorer(self.url, process)
        return self._judge(process)

    def _judge(self, process: ProcessOptions) -> Scorer:
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
