"""Packing, log-probabilities, and the way from a loss to the gradient of the weights."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import by_hand, small_model

from rlgym import Score
from rlgym.train.data.collate import collate, select_rollouts
from rlgym.train.losses import LOSSES
from rlgym.train.model.logprobs import logprobs_and_entropies, score_pack
from rlgym.train.model.packing import micro_batches, pack
from rlgym.train.rollout.episodes import Episode
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.policy import PolicyForward, loss_gradients

SEQUENCES = [[3, 9, 8, 7, 22, 4], [4, 100], [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21], [9, 9, 9]]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return small_model(tmp_path_factory.mktemp("model"))


def rollouts(sequences=SEQUENCES, groups=(0, 0, 5, 5)):
    """Episodes whose tokens from the second on were sampled."""
    out = []
    for number, tokens in enumerate(sequences):
        mask = [False] + [True] * (len(tokens) - 1)
        episode = Episode(
            number, groups[number], TaskSpec("chain_sum", 0.0, 1, "train"), list(tokens), mask, [-1.0 * place for place in mask], None
        )
        episode.finish(Score.exact(number % 2 == 0), float(number % 2 == 0))
        out.append(episode)
    return out


def test_packed_sequences_do_not_see_each_other(model):
    logprob_T, _ = score_pack(model, pack(SEQUENCES))
    start = 0
    for sequence in SEQUENCES:
        assert logprob_T[start].item() == 0
        torch.testing.assert_close(logprob_T[start + 1 : start + len(sequence)], by_hand(model, sequence), atol=2e-5, rtol=1e-4)
        start += len(sequence)


def test_log_probabilities_and_entropies_are_the_same_in_parts_and_have_the_same_gradient():
    torch.manual_seed(0)
    hidden, head, target = torch.randn(13, 8), torch.randn(50, 8), torch.randint(50, (13,))
    weights = torch.randn(2, 13)
    results = []
    for case in ("plain", "whole", "parts"):
        leaves = [hidden.clone().requires_grad_(), head.clone().requires_grad_()]
        if case == "plain":
            log = torch.log_softmax(leaves[0] @ leaves[1].T / 0.7, -1)
            found = log.gather(1, target[:, None]).squeeze(1), -(log.exp() * log).sum(-1)
        else:
            found = logprobs_and_entropies(*leaves, target, 0.7, 1 << 20 if case == "whole" else 150)
        sum((weight * value).sum() for weight, value in zip(weights, found, strict=True)).backward()
        results.append([*found, *(leaf.grad for leaf in leaves)])
    for second in results[1:]:
        for first, value in zip(results[0], second, strict=True):
            torch.testing.assert_close(value, first, atol=2e-5, rtol=1e-4)


def test_in_bfloat16_logits_are_not_rounded(tmp_path):
    model = small_model(tmp_path, loud=1.0)
    exact = [by_hand(model, sequence) for sequence in SEQUENCES]
    batch = collate(rollouts())
    found = PolicyForward(model, 100, dtype=torch.bfloat16).forward(batch).logprob_T[batch.loss_mask_T]
    off = (found - torch.cat(exact)).abs()
    # Logits of 5 in bfloat16 would be off by 0.01 on the average.
    assert 0 < float(off.mean()) < 2e-3


def test_micro_batches_keep_every_sequence_once_and_none_is_too_full():
    lengths = [7, 1, 9, 3, 3, 8, 2, 10, 5]
    batches = micro_batches(lengths, 10)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert all(sum(lengths[index] for index in batch) <= 10 for batch in batches)
    assert len(batches) == 5
    with pytest.raises(ValueError, match="does not fit"):
        micro_batches([11], 10)
    with pytest.raises(ValueError, match="at least one token"):
        pack([[1], []])


@pytest.mark.parametrize("loss", ["pg_clip", "gspo", "pacs"])
@pytest.mark.parametrize("max_tokens", [20, 1000])
def test_gradients_are_those_of_the_loss_however_the_batch_is_divided(model, loss, max_tokens):
    batch = collate(rollouts())
    algorithm = LOSSES[loss]
    options = algorithm.options.from_dict({})
    advantage_T = torch.where(batch.loss_mask_T, batch.reward_N[batch.rollout_T] - 0.5, 0.0)

    def objective(logprob_T, entropy_T):
        value, facts = algorithm(logprob_T, batch, advantage_T, options)
        return value + 0.1 * entropy_T[batch.loss_mask_T].mean(), facts

    model.zero_grad()
    full = pack(SEQUENCES)
    logprob_T, entropy_T = score_pack(model, full, batch.loss_mask_T)
    objective(logprob_T, entropy_T)[0].backward()
    expected = [weight.grad.clone() for weight in model.parameters()]

    model.zero_grad()
    scorer = PolicyForward(model, max_tokens)
    output = scorer.forward(batch)
    torch.testing.assert_close(output.logprob_T, logprob_T.detach())
    grad_logprob_T, grad_entropy_T, _ = loss_gradients(objective, output.logprob_T, output.entropy_T)
    scorer.backward(batch, grad_logprob_T, grad_entropy_T)
    assert any(float(weight.abs().max()) > 1e-4 for weight in expected)
    for weight, item in zip(model.parameters(), expected, strict=True):
        torch.testing.assert_close(weight.grad, item, atol=5e-6, rtol=1e-3)


def test_rollouts_without_a_gradient_are_not_worked_on(model):
    batch = collate(rollouts())
    grad_logprob_T = torch.where(batch.rollout_T == 1, 1.0, 0.0) * batch.loss_mask_T
    logprob_T = PolicyForward(model, 100).backward(batch, grad_logprob_T).logprob_T
    assert set(batch.rollout_T[logprob_T != 0].tolist()) == {1}


def test_a_part_of_a_batch_numbers_rollouts_and_groups_anew():
    batch = collate(rollouts())
    assert batch.group_N.tolist() == [0, 0, 1, 1]
    some = select_rollouts(batch, torch.tensor([False, False, True, True]))
    assert some.tokens_T.tolist() == [*SEQUENCES[2], *SEQUENCES[3]]
    assert some.rollout_T.tolist() == [0] * len(SEQUENCES[2]) + [1] * len(SEQUENCES[3])
    assert some.group_N.tolist() == [0, 0]
    assert some.reward_N.tolist() == [1.0, 0.0]
