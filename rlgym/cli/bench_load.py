"""The load of `rlgym bench serve`: clients that open, reset and step sessions, and compare what they read with local episodes."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import rlgym

if TYPE_CHECKING:
    from rlgym.serve.client import AsyncClient, AsyncEnv

CONNECTIONS, CONCURRENCY = 4, 32
FAST_ENVIRONMENT, ROUND_SIZE, BATCH_SIZE = "chain_sum", 1024, 128
MIXED_ENVIRONMENTS = ("chain_sum", "gcd_lcm", "shortest_path", "higher_lower", "nim")
RESPONSE = "<answer>5</answer>"


class CpuSeconds(NamedTuple):
    """Processor time used so far."""

    load: float
    service: float


@dataclass(frozen=True, slots=True)
class LocalEpisode:
    """An episode as it goes locally: the responses, and the observations and rewards that follow them."""

    name: str
    seed: int
    responses: tuple[str, ...]
    observations: tuple[str, ...]
    rewards: tuple[float, ...]


@dataclass
class _Totals:
    """What the rounds of one measurement add up to."""

    reset_seconds: float = 0.0
    step_seconds: float = 0.0
    load_cpu: float = 0.0
    service_cpu: float = 0.0
    rounds: int = 0
    latencies: list[float] = field(default_factory=list)


async def measure_throughput(url: str, key: str | None, seconds: float, cpu_seconds: Callable[[], CpuSeconds]) -> list[dict[str, Any]]:
    """Steps per second of a fast environment: over a WebSocket, over REST, and in batches."""
    variants: list[tuple[str, Any, Callable[..., Awaitable[None]]]] = [
        ("WebSocket", "ws", _step_singly),
        ("REST", "rest", _step_singly),
        (f"REST, {BATCH_SIZE} steps per request", "rest", _step_in_batches),
    ]
    rows = []
    for label, transport, step_all in variants:
        async with AsyncExitStack() as exit_stack:
            clients = await _open_clients(exit_stack, url, key, transport, CONNECTIONS)
            rows.append({"variant": label, "concurrency": CONCURRENCY, **await _measure(clients, seconds, cpu_seconds, step_all)})
    return rows


async def _measure(
    clients: Sequence[AsyncClient], seconds: float, cpu_seconds: Callable[[], CpuSeconds], step_all: Callable[..., Awaitable[None]]
) -> dict[str, Any]:
    totals = _Totals()
    envs = [await clients[i % CONNECTIONS].make(FAST_ENVIRONMENT, level=0.0) for i in range(ROUND_SIZE)]
    await run_concurrently(range(ROUND_SIZE), lambda i: envs[i].reset(seed=i))
    while totals.step_seconds < seconds:
        before, started = cpu_seconds(), time.perf_counter()
        await step_all(clients, envs, totals.latencies)
        totals.step_seconds += time.perf_counter() - started
        after, started = cpu_seconds(), time.perf_counter()
        totals.load_cpu += after.load - before.load
        totals.service_cpu += after.service - before.service
        totals.rounds += 1
        first_seed = totals.rounds * ROUND_SIZE
        await run_concurrently(range(ROUND_SIZE), lambda i, first=first_seed: envs[i].reset(seed=first + i))  # type: ignore[misc]
        totals.reset_seconds += time.perf_counter() - started
    await run_concurrently(envs, lambda env: env.close())
    return _report(totals)


def _report(totals: _Totals) -> dict[str, Any]:
    steps, latencies = totals.rounds * ROUND_SIZE, sorted(totals.latencies)
    return {
        "steps": steps,
        "steps_per_s": round(steps / totals.step_seconds, 1),
        "resets_per_s": round(steps / totals.reset_seconds, 1),
        "p50_ms": round(latencies[len(latencies) // 2] * 1000, 3),
        "p99_ms": round(latencies[len(latencies) * 99 // 100] * 1000, 3),
        "service_cpu_us": round(totals.service_cpu / steps * 1e6, 1),
        "load_cpu_us": round(totals.load_cpu / steps * 1e6, 1),
        "cpu_bound_steps_per_s": round((os.cpu_count() or 1) * steps / (totals.load_cpu + totals.service_cpu), 1),
    }


async def _step_singly(clients: Sequence[AsyncClient], envs: Sequence[AsyncEnv], latencies: list[float]) -> None:
    async def step(env: AsyncEnv) -> None:
        started = time.perf_counter()
        await env.step(RESPONSE)
        latencies.append(time.perf_counter() - started)

    await run_concurrently(envs, step)


async def _step_in_batches(clients: Sequence[AsyncClient], envs: Sequence[AsyncEnv], latencies: list[float]) -> None:
    async def step_batch(start: int) -> None:
        client, batch = clients[start // BATCH_SIZE % CONNECTIONS], envs[start : start + BATCH_SIZE]
        started = time.perf_counter()
        results = await client.step_batch([(env, RESPONSE) for env in batch])
        for result in results:
            if isinstance(result, Exception):
                raise result
        latencies.append(time.perf_counter() - started)

    await run_concurrently(range(0, len(envs), BATCH_SIZE), step_batch)


async def check_isolation(url: str, key: str | None, num_sessions: int, memory_bytes: Callable[[], int | None]) -> dict[str, Any]:
    """Open many sessions, play them interleaved, and compare each with the same episode played locally."""
    episodes = [play_locally(MIXED_ENVIRONMENTS[i % len(MIXED_ENVIRONMENTS)], i) for i in range(num_sessions)]
    differences: list[str] = []
    async with AsyncExitStack() as exit_stack:
        clients = await _open_clients(exit_stack, url, key, "ws", 2 * CONNECTIONS)
        envs = [await clients[i % len(clients)].make(episodes[i].name, level=0.3) for i in range(num_sessions)]
        await envs[0].reset(seed=0)  # imports that the first session causes do not count as a session's memory
        memory_before, started = memory_bytes(), time.perf_counter()
        await run_concurrently(range(num_sessions), lambda i: _compare_reset(envs[i], episodes[i], differences))
        open_seconds, memory_after = time.perf_counter() - started, memory_bytes()
        rng, steps, started = rlgym.Rng("bench", "serve", num_sessions), 0, time.perf_counter()
        for turn in range(max(len(episode.responses) for episode in episodes)):
            active = rng.shuffled([i for i in range(num_sessions) if turn < len(episodes[i].responses)])
            await run_concurrently(active, lambda i, turn=turn: _compare_step(envs[i], episodes[i], turn, differences))  # type: ignore[misc]
            steps += len(active)
        step_seconds = time.perf_counter() - started
        await run_concurrently(envs, lambda env: env.close())
    unknown = memory_before is None or memory_after is None
    return {
        "sessions": num_sessions,
        "environments": list(MIXED_ENVIRONMENTS),
        "opened_per_s": round(num_sessions / open_seconds, 1),
        "steps": steps,
        "steps_per_s": round(steps / step_seconds, 1),
        "differences": len(differences),
        "first_difference": differences[0] if differences else None,
        "bytes_per_session": None if unknown else round(((memory_after or 0) - (memory_before or 0)) / num_sessions),
    }


def play_locally(name: str, index: int) -> LocalEpisode:
    """Play the episode of a seed. Every third one is answered by the oracle, by the oracle of another task, or at random."""
    env, other = rlgym.make(name, level=0.3), rlgym.make(name, level=0.3)
    observations, rewards, responses, done = [env.reset(seed=index)[0]], [0.0], list[str](), False
    other.reset(seed=index + 1)
    rng = rlgym.Rng("bench", "serve", "junk", index)
    while not done:
        if index % 3 == 0:
            responses.append(env.oracle())
        else:
            responses.append(other.oracle() if index % 3 == 1 else f"<answer>{rng.integer(0, 20)}</answer>")
        observation, reward, done, _, _ = env.step(responses[-1])
        observations.append(observation)
        rewards.append(reward)
    return LocalEpisode(name, index, tuple(responses), tuple(observations), tuple(rewards))


async def _compare_reset(env: AsyncEnv, episode: LocalEpisode, differences: list[str]) -> None:
    observation, info = await env.reset(seed=episode.seed)
    if observation != episode.observations[0] or info["task"].origin.seed != episode.seed:
        differences.append(f"{episode.name}, seed {episode.seed}: reset returned {observation[:200]!r}")


async def _compare_step(env: AsyncEnv, episode: LocalEpisode, turn: int, differences: list[str]) -> None:
    observation, reward, done, _, info = await env.step(episode.responses[turn])
    is_last = turn + 1 == len(episode.responses)
    expected = (episode.observations[turn + 1], episode.rewards[turn + 1], is_last, turn + 1)
    if (observation, reward, done, info["turn"]) != expected:
        differences.append(f"{episode.name}, seed {episode.seed}, turn {turn + 1}: reward {reward}, observation {observation[:200]!r}")


async def run_concurrently(items: Any, function: Callable[[Any], Awaitable[Any]]) -> None:
    """Call a function for every item, CONCURRENCY at a time; the first error ends it."""
    remaining = iter(items)

    async def worker() -> None:
        for item in remaining:
            await function(item)

    async with asyncio.TaskGroup() as group:
        for _ in range(CONCURRENCY):
            group.create_task(worker())


async def _open_clients(exit_stack: AsyncExitStack, url: str, key: str | None, transport: Any, count: int) -> list[AsyncClient]:
    from rlgym.serve.client import AsyncClient

    clients = [AsyncClient(url, key, transport=transport, connections=CONCURRENCY // CONNECTIONS) for _ in range(count)]
    return [await exit_stack.enter_async_context(client) for client in clients]
