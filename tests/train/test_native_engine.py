"""The native rollout engine against plain forward passes of the whole context."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import by_hand, small_model

from rlgym.train.rollout.engines.base import Continuation, SamplingParams
from rlgym.train.rollout.engines.native import NativeEngine
from rlgym.train.rollout.engines.scores import sample_prefixes


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return small_model(tmp_path_factory.mktemp("model"))


def played(engine, requests):
    for key, prompt, sampling in requests:
        engine.submit(key, prompt, sampling)
    out = {}
    while engine.pending:
        for key, completion in engine.step():
            assert key not in out
            out[key] = completion
    return out


def requests(count=9, temperature=1.0, **more):
    prompts = [[3, 10 + key // 3, *range(20, 20 + key // 3), 4] for key in range(count)]
    return [(key, prompt, SamplingParams(5 + key % 4 * 7, temperature, stop=(1,), seed=key, **more)) for key, prompt in enumerate(prompts)]


@pytest.mark.parametrize("temperature", [1.0, 0.6, 2.0])
def test_log_probabilities_are_those_of_a_plain_forward_pass(model, temperature):
    asked = requests(temperature=temperature)
    found = played(NativeEngine(model, max_num_seqs=4, max_seq_len=64), asked)
    for key, prompt, _ in asked:
        completion = found[key]
        expected = by_hand(model, [*prompt, *completion.tokens], temperature)[len(prompt) - 1 :]
        torch.testing.assert_close(torch.tensor(completion.logprobs), expected, atol=2e-5, rtol=1e-4)


def test_what_a_request_draws_depends_on_no_other(model):
    asked = requests()
    together = played(NativeEngine(model, max_num_seqs=9, max_seq_len=64), asked)
    few_rows = played(NativeEngine(model, max_num_seqs=2, max_seq_len=64), asked)
    alone = {}
    for request in asked:
        alone |= played(NativeEngine(model, max_num_seqs=1, max_seq_len=64), [request])
    assert {key: completion.tokens for key, completion in together.items()} == {key: completion.tokens for key, completion in alone.items()}
    assert {key: completion.tokens for key, completion in together.items()} == {
        key: completion.tokens for key, completion in few_rows.items()
    }


def test_greedy_takes_the_likeliest_token(model):
    prompt = [3, 40, 41, 4]
    completion = played(NativeEngine(model, max_num_seqs=2, max_seq_len=64), [(0, prompt, SamplingParams(12, 0.0))])[0]
    sequence = list(prompt)
    for token in completion.tokens:
        best = max(range(model.shape.vocab_size), key=lambda other: float(by_hand(model, [*sequence, other])[-1]))
        assert token == best
        sequence.append(token)


def test_tokens_are_drawn_as_often_as_they_are_likely(model):
    prompt, count = [3, 40, 41, 4], 4000
    found = played(
        NativeEngine(model, max_num_seqs=500, max_seq_len=8), [(key, prompt, SamplingParams(1, 1.0, seed=key)) for key in range(count)]
    )
    drawn = torch.bincount(torch.tensor([completion.tokens[0] for completion in found.values()]), minlength=model.shape.vocab_size) / count
    share = torch.tensor([float(by_hand(model, [*prompt, token])[-1]) for token in range(model.shape.vocab_size)]).exp()
    spread = (share * (1 - share) / count).sqrt()
    assert float(((drawn - share).abs() - 5 * spread).max()) <= 1 / count


@pytest.mark.parametrize(("how", "most"), [({"top_k": 3}, 3), ({"top_p": 0.4}, 200)])
def test_top_k_and_top_p_keep_only_likely_tokens(model, how, most):
    prompt = [3, 40, 41, 4]
    found = played(
        NativeEngine(model, max_num_seqs=300, max_seq_len=8), [(key, prompt, SamplingParams(1, 1.0, seed=key, **how)) for key in range(300)]
    )
    share = torch.tensor([float(by_hand(model, [*prompt, token])[-1]) for token in range(model.shape.vocab_size)]).exp()
    order = share.argsort(descending=True).tolist()
    before = share[order].cumsum(0) - share[order]
    allowed = {token for rank, token in enumerate(order) if rank < how.get("top_k", most) and float(before[rank]) < how.get("top_p", 1.0)}
    drawn = {completion.tokens[0] for completion in found.values()}
    assert drawn <= allowed
    assert len(drawn) > 1
    # Log-probabilities are those before the choice was narrowed.
    completion = found[0]
    assert completion.logprobs[0] == pytest.approx(float(share[completion.tokens[0]].log()), abs=1e-4)


def test_stops_limits_and_full_contexts(model):
    engine = NativeEngine(model, max_num_seqs=4, max_seq_len=16)
    first = played(engine, [(0, [3, 40, 4], SamplingParams(6, 1.0, seed=1))])[0]
    stopped = played(engine, [(0, [3, 40, 4], SamplingParams(6, 1.0, stop=(first.tokens[2],), seed=1))])[0]
    assert (len(first.tokens), first.stopped) == (6, False)
    assert stopped.tokens == first.tokens[: first.tokens.index(first.tokens[2]) + 1]
    assert stopped.stopped
    long = played(
        engine,
        [(0, [3] * 12, SamplingParams(50, 1.0, seed=1)), (1, [3] * 16, SamplingParams(50, 1.0)), (2, [3] * 40, SamplingParams(5, 1.0))],
    )
    assert [len(long[key].tokens) for key in range(3)] == [4, 0, 0]
    for prompt, sampling, message in (
        ([], SamplingParams(4), "empty"),
        ([3, 9999], SamplingParams(4), "outside the vocabulary"),
        ([3], SamplingParams(4, top_p=0.0), "top_p"),
        ([3], SamplingParams(4, stop=tuple(range(9))), "stop tokens"),
    ):
        with pytest.raises(ValueError, match=message):
            engine.submit(0, prompt, sampling)


@pytest.mark.parametrize(("rows", "keys"), [(1, 1), (3, 6), (6, 6)])
def test_an_episode_goes_on_from_what_its_row_still_holds(model, rows, keys):
    engine = NativeEngine(model, max_num_seqs=rows, max_seq_len=64)
    opening = {key: [3, 30 + key, 4] for key in range(keys)}
    first = played(engine, [(key, prompt, SamplingParams(5, 1.0, seed=key)) for key, prompt in opening.items()])
    longer = {key: [*prompt, *first[key].tokens, 1, 3, 50, 4] for key, prompt in opening.items()}
    second = played(engine, [(key, prompt, SamplingParams(7, 1.0, seed=100 + key)) for key, prompt in longer.items()])
    for key, prompt in longer.items():
        expected = by_hand(model, [*prompt, *second[key].tokens])[len(prompt) - 1 :]
        torch.testing.assert_close(torch.tensor(second[key].logprobs), expected, atol=2e-5, rtol=1e-4)


def test_rows_go_on_beside_one_whose_context_is_full(model):
    # Eight rows are left, so that the ended one is not moved behind them.
    asked = [
        (0, list(range(20, 32)), SamplingParams(20, seed=0)),
        *((key, [3, 9 + key], SamplingParams(12, seed=key)) for key in range(1, 9)),
    ]
    found = played(NativeEngine(model, max_num_seqs=9, max_seq_len=16), asked)
    assert [len(found[key].tokens) for key in range(9)] == [4, *[12] * 8]
    roomy = played(NativeEngine(model, max_num_seqs=9, max_seq_len=64), asked[1:])
    assert all(roomy[key].tokens == found[key].tokens for key in range(1, 9))


def test_new_weights_are_used_at_once_and_nothing_old_is_reused(tmp_path):
    model, other = small_model(tmp_path / "one"), small_model(tmp_path / "other", seed=8)
    engine = NativeEngine(model, max_num_seqs=3, max_seq_len=64)
    asked = requests(3)
    before = played(engine, asked)
    engine.update_weights(other.weights(), version=7)
    after = played(engine, asked)
    for key, prompt, _ in asked:
        assert (before[key].version, after[key].version) == (0, 7)
        expected = by_hand(other, [*prompt, *after[key].tokens])[len(prompt) - 1 :]
        torch.testing.assert_close(torch.tensor(after[key].logprobs), expected, atol=2e-5, rtol=1e-4)
    engine.sleep()
    repeated = played(engine, asked)
    assert {key: completion.tokens for key, completion in repeated.items()} == {key: completion.tokens for key, completion in after.items()}


def test_a_prompt_that_some_rows_hold_the_start_of_is_copied_to_those_that_do_not(model):
    engine = NativeEngine(model, max_num_seqs=6, max_seq_len=64)
    played(engine, [(key, [3, 40, 41, 50 + key, 4], SamplingParams(5, 1.0, seed=key)) for key in (0, 2)])
    prompt = [3, 40, 41, 60, 61, 62, 63, 4]
    found = played(engine, [(key, prompt, SamplingParams(7, 1.0, seed=key)) for key in (0, 1, 2, 3)])
    for key in range(4):
        expected = by_hand(model, [*prompt, *found[key].tokens])[len(prompt) - 1 :]
        torch.testing.assert_close(torch.tensor(found[key].logprobs), expected, atol=2e-5, rtol=1e-4)


def test_an_engine_may_work_on_a_copy_in_half_the_precision(tmp_path):
    model, other = small_model(tmp_path / "one", loud=1.0), small_model(tmp_path / "other", seed=8, loud=1.0)
    copied = model.to_dtype_copy(torch.bfloat16)
    assert copied.cosine_PD.dtype == torch.float32
    engine = NativeEngine(copied, max_num_seqs=3, max_seq_len=64)
    engine.update_weights(other.weights(), version=1)
    assert model.dtype == torch.float32
    for (name, mine), (_, given) in zip(copied.weights(), other.weights(), strict=True):
        assert torch.equal(mine, given.to(torch.bfloat16)), name
    asked = requests(3)
    found = played(engine, asked)
    for key, prompt, _ in asked:
        expected = by_hand(other, [*prompt, *found[key].tokens])[len(prompt) - 1 :]
        off = (torch.tensor(found[key].logprobs) - expected).abs()
        assert 0 < float(off.mean()) < 5e-3


def test_given_tokens_have_the_log_probabilities_of_the_whole_context_beside_requests(model):
    engine = NativeEngine(model, max_num_seqs=4, max_seq_len=64)
    engine.submit(0, [3, 9, 4], SamplingParams(40, seed=5))
    engine.step()
    given = [Continuation((3, 20 + n, 4), tuple(range(40, 40 + 3 * n))) for n in range(5)]
    for temperature in (1.0, 0.6):
        for item, scored in zip(given, engine.score(given, temperature), strict=True):
            exact = by_hand(model, [*item.prefix, *item.tokens], temperature)[len(item.prefix) - 1 :]
            torch.testing.assert_close(torch.tensor(scored), exact, atol=1e-5, rtol=1e-5)
    while engine.pending:
        ended = engine.step()
    assert ended[0][1] == played(NativeEngine(model, 4, 64), [(0, [3, 9, 4], SamplingParams(40, seed=5))])[0]


def test_sampled_tokens_are_scored_as_they_were_sampled_also_from_a_stored_prefix(model):
    engine = NativeEngine(model, max_num_seqs=4, max_seq_len=64)
    samplings = [SamplingParams(10, seed=seed) for seed in range(3)]
    first = sample_prefixes(engine, [[3, 9, 4]] * 3, samplings)
    # Each response is cut in the middle, and continued from there.
    prefixes = [[3, 9, 4, *completion.tokens[:4]] for completion in first]
    later = sample_prefixes(engine, prefixes, samplings)
    scored = engine.score([Continuation(tuple(prefix), completion.tokens) for prefix, completion in zip(prefixes, later, strict=True)])
    for completion, logprobs in zip(later, scored, strict=True):
        assert logprobs == pytest.approx(completion.logprobs, abs=1e-5)
    engine.submit(0, [3], samplings[0])
    with pytest.raises(RuntimeError, match="requests are in progress"):
        sample_prefixes(engine, prefixes, samplings)


@pytest.mark.parametrize(
    ("prefix", "tokens", "message"),
    [((), (5,), "the prefix of a continuation is empty"), ((3,), (5,) * 63, "at most 63"), ((3,), (5, 9999), "outside the vocabulary")],
)
def test_what_cannot_be_scored_is_an_error(model, prefix, tokens, message):
    with pytest.raises(ValueError, match=message):
        NativeEngine(model, 4, 64).score([Continuation(prefix, tokens)])
