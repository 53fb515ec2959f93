"""Small batches written out by hand, and one thread for torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

NAN = float("nan")
FOREIGN = 7777
"""The token at places that the policy did not sample."""


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> Iterator[None]:
    torch = pytest.importorskip("torch", reason="the trainer needs torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def _build(
    rewards: Sequence[float],
    groups: Sequence[int] | None = None,
    logprobs: Sequence[Sequence[float]] | None = None,
    *,
    tokens: Sequence[Sequence[int]] | None = None,
    valid: Sequence[bool] | None = None,
    cut: Sequence[bool] | None = None,
    sampled: Any = None,
    reference: Sequence[Sequence[float]] | None = None,
    value: Sequence[Sequence[float]] | None = None,
    bundles: Sequence[int] | None = None,
    oracle: Sequence[bool] | None = None,
    hinted: Sequence[bool] | None = None,
    steps: Sequence[Sequence[tuple[int, str | None, float]]] | None = None,
    gaps: bool = True,
) -> Any:
    """A batch from what was sampled, one list for each rollout: `logprobs` are those of the old policy, -1 each by default.

    `steps` has (number of tokens, kind, token reward) for each span of each rollout; the kind None stands for tokens outside of spans. By
    default a rollout is one span, right where the reward is at least 0.5, with the outcome as its token reward.

    With `gaps`, tokens that the policy did not sample result before the first sampled one, after it, and at the end. There,
    and everywhere in a rollout that is not valid, all numbers are NaN; so is the reward of such a rollout.
    """
    import torch

    from rlgym.train.data.batch import Batch

    count = len(rewards)
    groups = [0] * count if groups is None else groups
    valid = [True] * count if valid is None else valid
    if logprobs is None:
        logprobs = [[-1.0] * len(row) for row in tokens] if tokens is not None else [[-1.0]] * count
    tokens = [list(range(len(row))) for row in logprobs] if tokens is None else tokens
    rollout: list[int] = []
    mask: list[bool] = []
    for number, row in enumerate(logprobs):
        marks = [True] * len(row)
        if gaps:
            marks = [False, *marks[:1], False, *marks[1:], False]
        mask += marks
        rollout += [number] * len(marks)

    def over_tokens(rows: Any) -> Any:
        if rows is None:
            return None
        sources = [iter(row) for row in rows]
        filled = [next(sources[n]) if marked else NAN for n, marked in zip(rollout, mask, strict=True)]
        return torch.tensor([x if valid[n] else NAN for n, x in zip(rollout, filled, strict=True)])

    if steps is None:
        steps = [[(len(row), "right" if r >= 0.5 else "wrong", float(r))] for row, r in zip(logprobs, rewards, strict=True)]
    spans = [_spans(row) for row in steps]
    sources = [iter(row) for row in tokens]
    return Batch(
        tokens_T=torch.tensor(
            [next(sources[n]) if marked else FOREIGN for n, marked in zip(rollout, mask, strict=True)], dtype=torch.int64
        ),
        rollout_T=torch.tensor(rollout, dtype=torch.int64),
        loss_mask_T=torch.tensor(mask, dtype=torch.bool),
        rollout_logprobs_T=over_tokens(logprobs if sampled is None else sampled),
        old_logprobs_T=over_tokens(logprobs),
        reward_N=torch.tensor([float(r) if ok else NAN for r, ok in zip(rewards, valid, strict=True)]),
        group_N=torch.tensor(list(groups), dtype=torch.int64),
        valid_N=torch.tensor(list(valid), dtype=torch.bool),
        truncated_N=torch.tensor([False] * count if cut is None else list(cut), dtype=torch.bool),
        ref_logprobs_T=over_tokens(reference),
        value_T=over_tokens(value),
        bundle_N=None if bundles is None else torch.tensor(list(bundles)),
        oracle_N=None if oracle is None else torch.tensor(list(oracle)),
        hinted_N=None if hinted is None else torch.tensor(list(hinted)),
        token_rewards_T=over_tokens([[reward for reward, _, _ in row] for row in spans]),
        segment_T=_at_sampled([[number for _, number, _ in row] for row in spans], rollout, mask),
        kind_T=_at_sampled([[kind for _, _, kind in row] for row in spans], rollout, mask),
    )


def _spans(row: Sequence[tuple[int, str | None, float]]) -> list[tuple[float, int, int]]:
    """(reward, number of the span, kind) of each token of a rollout."""
    from rlgym.train.rewards.token_rewards import KINDS

    out: list[tuple[float, int, int]] = []
    for number, (count, kind, reward) in enumerate(row):
        for place in range(count):
            last = reward if place == count - 1 and kind else 0.0
            out.append((last, number if kind else -1, KINDS.index(kind) if kind else -1))
    return out


def _at_sampled(rows: Sequence[Sequence[int]], rollout: Sequence[int], mask: Sequence[bool]) -> Any:
    """int64 over T: the rows' numbers at the sampled tokens, -1 elsewhere."""
    import torch

    sources = [iter(row) for row in rows]
    return torch.tensor([next(sources[n]) if marked else -1 for n, marked in zip(rollout, mask, strict=True)], dtype=torch.int64)


def _lay(rows: Sequence[Sequence[float]], batch: Any) -> Any:
    """Numbers for the sampled tokens, one list for each rollout, as a tensor over T that is NaN elsewhere and takes a gradient."""
    import torch

    value_T = torch.full((len(batch.tokens_T),), NAN)
    value_T[batch.loss_mask_T] = torch.tensor([float(x) for row in rows for x in row])
    return value_T.requires_grad_()


def _seen(value_T: Any, batch: Any) -> list[list[float]]:
    """A tensor's numbers at the sampled tokens, one list for each rollout; elsewhere it must be exactly 0."""
    assert (value_T[~batch.loss_mask_T] == 0).all(), "a token that the policy did not sample has a number"
    assert (value_T[~batch.valid_N[batch.rollout_T]] == 0).all(), "a rollout that is not valid has a number"
    rows: list[list[float]] = [[] for _ in batch.reward_N]
    for n, x, marked in zip(batch.rollout_T.tolist(), value_T.tolist(), batch.loss_mask_T.tolist(), strict=True):
        if marked:
            rows[n].append(x)
    return rows


def _slope(loss: Callable[..., Any], rows: Sequence[Sequence[float]], batch: Any) -> list[list[float]]:
    """The gradient of loss(log-probabilities)[0] with respect to each sampled token's log-probability."""
    new_logprobs_T = _lay(rows, batch)
    loss(new_logprobs_T)[0].backward()
    return _seen(new_logprobs_T.grad, batch)


def _step(loss: Callable[[Any, Any], Any], logits: Sequence[float], rewards: Sequence[float], count: int, **given: Any) -> Any:
    """The exact gradient, over the logits, of the expected loss of a policy over a few actions.

    Every group of `count` one-token rollouts is made in turn and weighed by its chance under the policy, or under the one of the
    logits `old`. `loss(new_logprobs_T, batch)` is the scalar to be lowered.
    """
    import torch

    leaf = torch.tensor(list(logits), dtype=torch.float32, requires_grad=True)
    old = torch.tensor(given.pop("old", list(logits)), dtype=torch.float32).log_softmax(0)
    reference = given.pop("reference", None)
    kept = None if reference is None else torch.tensor(reference).log_softmax(0)
    total = torch.zeros_like(leaf)
    for actions in product(range(len(logits)), repeat=count):
        chosen = list(actions)
        batch = _build(
            [rewards[a] for a in chosen],
            logprobs=[[float(old[a])] for a in chosen],
            tokens=[[a] for a in chosen],
            reference=None if kept is None else [[float(kept[a])] for a in chosen],
            gaps=False,
            **given,
        )
        (slope,) = torch.autograd.grad(loss(leaf.log_softmax(0)[batch.tokens_T], batch), leaf)
        total += old[chosen].sum().exp() * slope
    return total


def _true_slope(logits: Sequence[float], rewards: Sequence[float]) -> Any:
    """d E[r] / d logits = p_a (r_a - E[r])."""
    import torch

    chance = torch.tensor(list(logits)).softmax(0)
    reward = torch.tensor([float(r) for r in rewards])
    return chance * (reward - (chance * reward).sum())


@pytest.fixture
def build() -> Any:
    return _build


@pytest.fixture
def lay() -> Any:
    return _lay


@pytest.fixture
def seen() -> Any:
    return _seen


@pytest.fixture
def slope() -> Any:
    return _slope


@pytest.fixture
def step() -> Any:
    return _step


@pytest.fixture
def true_slope() -> Any:
    return _true_slope


@pytest.fixture(scope="module")
def model_folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders of small transformers models, by kind."""
    from train.small_models import transformers_folder
    from train.transformers_cases import KINDS

    folders = {kind: tmp_path_factory.mktemp(kind) for kind in KINDS}
    for kind, folder in folders.items():
        transformers_folder(folder, kind)
    return folders


@pytest.fixture(scope="module")
def qwen3_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small Qwen3 model."""
    from train.small_models import small_model

    folder = tmp_path_factory.mktemp("qwen3")
    small_model(folder, loud=3.0)
    return folder
