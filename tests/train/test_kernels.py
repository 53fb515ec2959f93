"""The Triton kernels, run by Triton's interpreter on a CPU, against the plain code that they stand for."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.skipif(find_spec("triton") is None, reason="triton is not installed: pip install triton")

ATTENTION = """
import torch
from rlgym.train.rollout.engines.decoding import CpuAttention
from rlgym.train.rollout.engines.kernels import GpuAttention

torch.manual_seed(0)
for heads, key_heads, width, dtype, close in (
    (4, 2, 32, torch.float32, 2e-6), (6, 2, 64, torch.float32, 2e-6), (3, 3, 48, torch.float32, 2e-6), (8, 1, 128, torch.float16, 4e-3),
):
    rows, context = 5, 150
    lengths = torch.tensor([0, 1, 63, 64, 149])
    alive = torch.tensor([True, True, True, True, True])
    cache = torch.randn(1, 2, 7, key_heads, context, width).to(dtype)
    # As the network hands them over: parts of one larger tensor, values of another.
    both = torch.randn(rows, heads + key_heads, width).to(dtype)
    values = torch.randn(rows, heads + 2 * key_heads, width).to(dtype)[:, heads + key_heads :]
    plain, ours = cache.clone(), cache.clone()
    wanted = CpuAttention(plain.float(), lengths, 150)(0, both[:, :heads].float(), both[:, heads:].float(), values.float())
    found = GpuAttention(ours, lengths, alive)(0, both[:, :heads], both[:, heads:], values)
    assert float((found.float() - wanted).abs().max()) < close, (heads, width, float((found.float() - wanted).abs().max()))
    expected = cache.clone()
    expected[0, 0, torch.arange(rows), :, lengths] = both[:, heads:]
    expected[0, 1, torch.arange(rows), :, lengths] = values
    assert torch.equal(ours, expected)
    # A row that has ended reads nothing of the cache, and disturbs no other.
    alive[3] = False
    again = GpuAttention(cache.clone(), lengths, alive)(0, both[:, :heads], both[:, heads:], values)
    others = [0, 1, 2, 4]
    assert torch.equal(again[others], found[others])
    assert torch.allclose(again[3].float(), values[3].repeat_interleave(heads // key_heads, 0).float(), atol=close)
print("as it should be")
"""

DRAWS = """
import torch
from rlgym.train.rollout.engines.decoding import MAX_UNIFORM, sample_tokens
from rlgym.train.rollout.engines.kernels import VOCAB_CHUNK, sample_tokens as sample_tokens_on_gpu

torch.manual_seed(0)
for vocabulary in (262, VOCAB_CHUNK, 2 * VOCAB_CHUNK + 17):
    rows = 24
    # A view of a wider tensor, as rows need not lie close together.
    logits = (4 * torch.randn(rows, vocabulary + 3))[:, :vocabulary]
    logits[5] -= 1e4 * (torch.arange(vocabulary) != vocabulary - 1)
    where = torch.rand(rows)
    where[0] = 0.0
    temperature = torch.linspace(0.3, 2.0, rows)
    greedy = torch.arange(rows) % 4 == 3
    wanted, wanted_logprob = sample_tokens(logits, where, temperature, greedy)
    found, logprob = sample_tokens_on_gpu(logits, where, temperature, greedy)
    assert torch.equal(found, wanted), (found, wanted)
    assert torch.allclose(logprob, wanted_logprob, atol=2e-5), (logprob - wanted_logprob).abs().max()
    assert int(found[5]) == vocabulary - 1
    # The last token that has a share may be another one where sums are rounded otherwise, but it is one that can be drawn.
    last, logprob = sample_tokens_on_gpu(logits, torch.full((rows,), MAX_UNIFORM), temperature, torch.zeros(rows, dtype=torch.bool))
    assert int(last.max()) < vocabulary
    assert float(logprob.min()) > -30
print("as it should be")
"""


@pytest.mark.parametrize("program", [ATTENTION, DRAWS], ids=["attention", "draws"])
def test_kernels_do_what_the_plain_code_does(program):
    settings = os.environ | {"TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, env=settings, check=False)
    assert done.returncode == 0, done.stderr
    assert "as it should be" in done.stdout
