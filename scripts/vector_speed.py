"""Steps per second in Gymnasium's vector environments, sync and async: `python scripts/vector_speed.py [NAME ...]`."""

import sys
import time

import gymnasium

import rlgym

COUNTS = (1, 8, 32)
SECONDS = 2.0


def speed(name: str, mode: str, count: int) -> float:
    """Responses judged or answered per second, resets included."""
    envs = gymnasium.make_vec(rlgym.spec(name)["id"], num_envs=count, vectorization_mode=mode, level=0.5)
    envs.reset(seed=0)
    responses = ("<answer>5</answer>",) * count
    envs.step(responses)
    begun, steps = time.perf_counter(), 0
    while time.perf_counter() - begun < SECONDS:
        envs.step(responses)
        steps += count
    elapsed = time.perf_counter() - begun
    envs.close()
    return steps / elapsed


if __name__ == "__main__":
    print(f"| environment | mode | {' | '.join(f'{count} at once' for count in COUNTS)} |")
    print(f"|---|---|{'---:|' * len(COUNTS)}")
    for name in sys.argv[1:] or ["chain_sum", "shortest_path", "predict_output"]:
        for mode in ("sync", "async"):
            print(f"| {name} | {mode} | {' | '.join(f'{speed(name, mode, count):,.0f}' for count in COUNTS)} |")
