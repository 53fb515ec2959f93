"""A thousand episodes of mixed worlds side by side in one process, each as if it were alone."""

import asyncio

import pytest

import rlgym
from rlgym.core.rng import Rng

EPISODES = 1000


def _worlds():
    """Names of games and matches that run no programs of their own."""
    names = [name for name in rlgym.names() if rlgym.environment(name).kind != "environment"]
    return [name for name in names if getattr(rlgym.environment(name), "sandbox", None) is None]


async def _episode(name, seed, order):
    """Everything that was seen in an episode played by the oracle; after each turn others go on."""
    env = rlgym.make(name, level=0.3)
    seen = [env.reset(seed=seed)[0]]
    over = False
    while not over:
        for _ in range(order.integer(0, 2)):
            await asyncio.sleep(0)
        observation, reward, over, _, _ = env.step(env.oracle())
        seen.append((observation, reward))
        if order.chance(0.05):  # branch off and come back, as branching rollouts do
            before = env.snapshot()
            if not over:
                env.step("<answer></answer>")
            env.restore(before)
    return seen


@pytest.mark.slow
def test_a_thousand_episodes_do_not_disturb_each_other():
    names = _worlds()
    request = [(names[i % len(names)], i // len(names)) for i in range(EPISODES)]

    async def together():
        return await asyncio.gather(*(_episode(name, seed, Rng("order", i)) for i, (name, seed) in enumerate(request)))

    side_by_side = asyncio.run(together())
    assert all(seen[-1][1] == 1.0 for seen in side_by_side)
    for (name, seed), seen in list(zip(request, side_by_side))[:: max(1, EPISODES // 200)]:
        assert seen == asyncio.run(_episode(name, seed, Rng("alone", name, seed))), (name, seed)
