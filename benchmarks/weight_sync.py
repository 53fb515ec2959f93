"""Seconds from a trainer's weights to a copy of them in another process: shared memory beside files, on random weights.

python benchmarks/weight_sync.py [--mebibytes 512] [--repeats 7]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time

import torch

from rlgym.train.rollout.engines.weight_channels import FileChannel, SharedMemoryChannel, WeightChannel

READER = """
import json, sys
import torch
from safetensors.torch import load_file
from rlgym.train.rollout.engines.weight_channels import read_shared
own = {}
for line in sys.stdin:
    written = json.loads(line)
    weights = read_shared(written["shared"]) if "shared" in written else load_file(written["file"]).items()
    for name, weight in weights:
        own.setdefault(name, torch.empty_like(weight)).copy_(weight)
    print("done", flush=True)
"""


def seconds(channel: WeightChannel, weights: list[tuple[str, torch.Tensor]], repeats: int) -> list[float]:
    """The duration of each update, from the first byte written to the reader's answer."""
    reader = subprocess.Popen([sys.executable, "-c", READER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert reader.stdin is not None
    assert reader.stdout is not None
    spent = []
    for _ in range(repeats):
        start = time.perf_counter()
        reader.stdin.write(json.dumps(channel.write(weights)) + "\n")
        reader.stdin.flush()
        reader.stdout.readline()
        spent.append(time.perf_counter() - start)
    reader.stdin.close()
    reader.wait()
    channel.close()
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mebibytes", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=7)
    args = parser.parse_args()
    weights = [(f"layer {number}", torch.randn(1024, 4096)) for number in range(max(1, args.mebibytes // 16))]
    with tempfile.TemporaryDirectory() as folder:
        for name, channel in (
            ("shared memory", SharedMemoryChannel()),
            ("file in /dev/shm", FileChannel("/dev/shm")),
            ("file", FileChannel(folder)),
        ):
            first, *later = seconds(channel, weights, args.repeats)
            print(f"{name:16s}  first {first:6.2f} s   median of the {len(later)} later ones {statistics.median(later):6.3f} s")


if __name__ == "__main__":
    main()
