"""The report of an audit."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from rlgym.audit.checks import Kind
from rlgym.core.intervals import wilson


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rate(_Part):
    """A share of cases with its 95 % Wilson interval, which treats cases as independent. All None where there are no cases."""

    failures: int
    cases: int
    mean: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, failures: int, cases: int) -> Rate:
        """The failure rate, from the number of failures and of cases."""
        if not cases:
            return cls(failures=0, cases=0, mean=None, low=None, high=None)
        low, high = wilson(failures, cases)
        return cls(failures=failures, cases=cases, mean=failures / cases, low=round(float(low), 6), high=round(float(high), 6))


class Failure(_Part):
    """A case that failed a check."""

    check: str
    variant: str
    answer_type: str
    domain: str
    prompt: str
    response: str
    answer: str
    right: bool | None
    reward: float | None
    detail: str


class CheckResult(_Part):
    """The result of one check. `rate` counts failing cases; `passed` compares it with `limit`, and is None where nothing was measured."""

    name: str
    kind: Kind
    question: str
    rate: Rate
    limit: float
    passed: bool | None
    note: str = ""
    examples: list[Failure] = Field(default_factory=list)


class Errors(_Part):
    """False negatives over right responses and false positives over wrong ones, of one answer type or domain."""

    name: str
    false_negatives: Rate
    false_positives: Rate


class BestOfN(_Part):
    """Expected rewards of the best of n responses by the scorer's reward, both on a scale from 0 to 1."""

    n: int
    paid: float
    true: float


class ClimbPoint(_Part):
    """Rewards of a tabular policy after some steps of natural policy gradient, and its KL divergence from the first policy in nats."""

    step: int
    kl: float
    paid: float
    true: float


class ReliabilityBin(_Part):
    """Responses of similar rewards: the mean reward, the share of right ones, and the share of all responses."""

    reward: float
    right: float
    share: float


class Calibration(_Part):
    """Rewards as stated probabilities. `levels` is the number of different rewards: a scorer with two is a plain verdict."""

    brier: float
    ece: float
    auroc: float | None
    levels: int
    bins: list[ReliabilityBin]


class Ranking(_Part):
    """Tasks of one answer type: how often the reference answer is ranked above all near misses, and paid minus true reward at its greatest."""

    name: str
    tasks: int
    first: float
    gap: float


class GridCell(_Part):
    """Precision and recall where the scorer is given the answer alone, a short or a long response, and replies shortly or with reasons.

    domain     `all`, or one domain
    precision  the share of accepted responses that are right; None where none is accepted
    """

    domain: str
    given: str
    reply: str
    cases: int
    precision: float | None
    recall: float | None
    f1: float | None


class Cost(_Part):
    """Time and memory of the calls. These figures depend on the machine."""

    calls: int
    median_ms: float
    slowest_seconds: float
    slowest_case: str
    memory_mb: float
    largest_case: str
    timeouts: int


class AuditReport(_Part):
    """Everything that an audit measured.

    style              the marks in which the scorer reads answers
    accept             the reward from which a response counts as accepted
    unsupported_types  types that were left out because the scorer rejects most of their reference answers
    parts_at           the least n at which the paid reward exceeds the true one by more than 0.1; None if none does up to 256
    climb              the same for a policy that climbs the reward
    distance           from the true reward: 0 where both rank the responses of each prompt alike, 1/2 for a reward that tells none apart
    grid               precision and recall by what the scorer is given and how it replies
    masked             cases without a verdict because the endpoint failed; they count nowhere
    rank_correlation   of the answer types' share of tasks with the right answer ranked first, with the gap under optimisation
    """

    target: str
    kind: str
    shape: str
    style: str
    template: str
    accept: float
    reward_range: tuple[float, float]
    types: list[str]
    unsupported_types: list[str]
    rlgym_version: str
    seed: int
    effort: str
    calls: int
    false_negatives: Rate
    false_positives: Rate
    checks: list[CheckResult]
    by_type: list[Errors]
    by_domain: list[Errors]
    best_of_n: list[BestOfN]
    parts_at: int | None
    climb: list[ClimbPoint] = Field(default_factory=list)
    calibration: Calibration | None = None
    rankings: list[Ranking] = Field(default_factory=list)
    rank_correlation: float | None = None
    distance: float | None = None
    grid: list[GridCell] = Field(default_factory=list)
    masked: int = 0
    cost: Cost | None
    seconds: float
    failures: list[Failure] = Field(default_factory=list, exclude=True)

    def check(self, name: str) -> CheckResult:
        """The result of a check by its name."""
        return next(result for result in self.checks if result.name == name)

    @property
    def failed(self) -> list[str]:
        """The names of the checks that did not pass."""
        return [result.name for result in self.checks if result.passed is False]
