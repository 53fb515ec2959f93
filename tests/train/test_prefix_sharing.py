"""Prompts that go through the network once give what whole rollouts give."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym import Score
from rlgym.train.data.collate import collate
from rlgym.train.model.logprobs import score_pack
from rlgym.train.model.packing import pack
from rlgym.train.model.prefix_sharing import group_by_prompt, pack_prefix_groups, prompt_lengths, shared_prefix_lengths, token_indices
from rlgym.train.rollout.episodes import Episode
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.policy import PolicyForward

ONE, OTHER = [3, 40, 41, 42, 43, 4], [3, 40, 50, 4]
# Two prompts with answers of many lengths, one of them of several turns; a rollout of another prompt between them, one
# that repeats the first's prompt but was never answered, and one that begins with its own first token.
WRITTEN = [
    (ONE, [10, 11, 12]),
    (ONE, [10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]),
    (OTHER, [10]),
    (ONE, [9]),
    (ONE, []),
    (OTHER, [11, 12, 13, -60, -61, 14, 15]),
    (ONE, [10, 11, 12]),
    ([], [5, 6]),
    ([], [5, 7, 8]),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return small_model(tmp_path_factory.mktemp("model"))


def batch():
    """The rollouts as a batch; tokens below 0 were read and not sampled."""
    episodes = []
    for number, (prompt, answer) in enumerate(WRITTEN):
        mask = [False] * len(prompt) + [token > 0 for token in answer]
        tokens = [abs(token) for token in prompt + answer]
        episode = Episode(number, 0, TaskSpec("chain_sum", 0.0, 1, "train"), tokens, mask, [-1.0 * sampled for sampled in mask], None)
        episode.finish(Score.exact(True), 1.0)
        episodes.append(episode)
    return collate(episodes)


def slope(created):
    torch.manual_seed(1)
    return torch.where(created.loss_mask_T, torch.randn(len(created.loss_mask_T)), 0.0)


@pytest.mark.parametrize("max_tokens", [28, 50, 1000])
def test_log_probabilities_entropies_and_gradients_are_those_of_whole_rollouts(model, max_tokens):
    created = batch()
    grad_logprob_T, grad_entropy_T = slope(created), 0.3 * slope(created)
    model.zero_grad()
    full = pack([[abs(token) for token in prompt + answer] for prompt, answer in WRITTEN])
    logprob_T, entropy_T = score_pack(model, full, created.loss_mask_T)
    (logprob_T * grad_logprob_T + entropy_T * grad_entropy_T).sum().backward()
    expected = [weight.grad.clone() for weight in model.parameters()]

    model.zero_grad()
    scorer = PolicyForward(model, max_tokens)
    output = scorer.forward(created)
    for found, item in ((output.logprob_T, logprob_T), (output.entropy_T, entropy_T)):
        torch.testing.assert_close(found, item.detach(), atol=2e-5, rtol=1e-4)
    scorer.backward(created, grad_logprob_T, grad_entropy_T)
    for weight, item in zip(model.parameters(), expected, strict=True):
        assert float((weight.grad - item).norm()) < 1e-4 * float(item.norm())


def test_prompts_go_through_the_network_once_where_there_is_room():
    sequences = [prompt + answer for prompt, answer in WRITTEN]
    opening = prompt_lengths([[False] * len(prompt) + [True] * len(answer) for prompt, answer in WRITTEN])
    assert opening == [6, 6, 4, 6, 6, 4, 6, 0, 0]
    [members] = group_by_prompt(sequences, opening, 1000)
    # The one that was never answered has nothing to add to another's prompt, so that it stands alone, and leads those after it.
    assert sorted(members) == [[0, 1, 3], [2, 5], [4, 6], [7], [8]]
    packed = pack_prefix_groups(sequences, opening, members)
    assert len(packed.tokens_T) == (6 + 3 + 22 + 1) + (4 + 1 + 7) + (6 + 3) + 2 + 3
    lengths = [len(sequence) for sequence in sequences]
    starts = [sum(lengths[:n]) for n in range(len(lengths))]
    flat = torch.tensor([token for sequence in sequences for token in sequence])
    assert torch.equal(flat[token_indices(starts, lengths, opening, members)], packed.tokens_T)
    # The token before the first of a follower is the last of the prompt, wherever that lies.
    first = packed.tokens_T.tolist().index(9)
    assert packed.tokens_T[packed.prev_index_T[first]] == 4
    assert packed.positions_T[first] == 6


def test_floating_point_operations_count_a_shared_prompt_once(model):
    sequences, opening = [[3, 40, 4, 10], [3, 40, 4, 11, 12]], [3, 3]
    assert shared_prefix_lengths(group_by_prompt(sequences, opening, 100), opening) == [0, 3]
    assert shared_prefix_lengths(group_by_prompt(sequences, opening, 5), opening) == [0, 0]
    shape = model.shape
    per_token = 6 * shape.matrix_parameters()
    per_pair = 12 * shape.num_layers * shape.num_heads * shape.head_dim
    # The tokens of the first see 1 + 2 + 3 + 4 others or themselves, the two own tokens of the second 4 + 5.
    assert shape.training_flops([4, 5], [0, 3]) == 6 * per_token + (1 + 2 + 3 + 4 + 4 + 5) * per_pair
    assert shape.training_flops([4, 5]) == 9 * per_token + (1 + 2 + 3 + 4 + 1 + 2 + 3 + 4 + 5) * per_pair


@pytest.mark.parametrize("max_tokens", [28, 33, 50])
def test_no_micro_batch_is_too_full_and_none_is_left_out(max_tokens):
    sequences = [prompt + answer for prompt, answer in WRITTEN]
    opening = [len(prompt) for prompt, _ in WRITTEN]
    created = group_by_prompt(sequences, opening, max_tokens)
    assert sorted(number for members in created for family in members for number in family) == list(range(len(WRITTEN)))
    assert all(len(pack_prefix_groups(sequences, opening, members).tokens_T) <= max_tokens for members in created)
    with pytest.raises(ValueError, match="does not fit"):
        group_by_prompt(sequences, opening, 27)
