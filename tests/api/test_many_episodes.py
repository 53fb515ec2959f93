"""A thousand episodes of mixed worlds side by side in one process, each as if it were alone."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

import rlgym
from rlgym.cli.bench import game_step_overhead
from rlgym.core.declare import Game
from rlgym.core.errors import PackageMissing, SandboxMissing
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


SESSIONS = 50
WITH_PROGRAMS = [name for domain in ("notebooks", "repositories", "terminal") for name in rlgym.names(domain)]


def _played(name, seed):
    """Everything that was seen in an episode of the first level, and the reward."""
    env = rlgym.make(name, level=0.0)
    seen, over = [env.reset(seed=seed)[0]], False
    while not over:
        observation, reward, over, *_ = env.step(env.oracle())
        seen.append((observation, reward))
    return seen


@pytest.mark.slow
def test_fifty_sessions_of_worlds_that_run_programs_do_not_disturb_each_other():
    names = []
    for name in WITH_PROGRAMS:
        try:
            rlgym.make(name)
        except (PackageMissing, SandboxMissing):
            continue
        names.append(name)
    if not names:
        pytest.skip("no program can be confined here")
    request = [(names[i % len(names)], i // len(names)) for i in range(SESSIONS)]
    with ThreadPoolExecutor(SESSIONS) as pool:
        side_by_side = list(pool.map(lambda one: _played(*one), request))
    assert all(seen[-1][1] == 1.0 for seen in side_by_side)
    for one, seen in list(zip(request, side_by_side))[::5]:
        assert seen == _played(*one), one


STEP = 0.3
"""Reference units that a step may take beyond the simulation: milliseconds on the machine on which the limits were set."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in _worlds() if isinstance(rlgym.environment(name), Game)])
def test_a_step_takes_little_time_beyond_the_simulation(name):
    taken = min(game_step_overhead(name, 0.5, 0.04)[1] for _ in range(3))
    assert taken < STEP
