"""The load of `rlgym bench serve`: clients that open, reset and step, and compare what they read with local episodes."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import rlgym

if TYPE_CHECKING:
    from rlgym.serve.client import AsyncClient, AsyncEnv

CONNECTIONS, AT_ONCE = 4, 32
LIGHT, IN_A_ROUND, IN_A_BATCH = "chain_sum", 1024, 128
MIXED = ("chain_sum", "gcd_lcm", "shortest_path", "higher_lower", "nim")


@dataclass(frozen=True, slots=True)
class Plan:
    """An episode as it goes locally: what is said, and what is read with which reward."""

    name: str
    seed: int
    said: tuple[str, ...]
    read: tuple[str, ...]
    rewards: tuple[float, ...]


async def rates(url: str, key: str | None, seconds: float, spent: Callable[[], tuple[float, float]]) -> list[dict[str, Any]]:
    """Steps a second of a light environment over a WebSocket, over REST and in batches; `spent` gives processor time, the load's and the service's."""
    ways: list[tuple[str, Any, Callable[..., Awaitable[None]]]] = [
        ("WebSocket", "ws", _one_by_one),
        ("REST", "rest", _one_by_one),
        (f"REST, {IN_A_BATCH} steps a request", "rest", _in_batches),
    ]
    found = []
    for how, transport, go in ways:
        async with AsyncExitStack() as held:
            clients = await _clients(held, url, key, transport, CONNECTIONS)
            found.append({"how": how, "at_once": AT_ONCE, **await _rate(clients, seconds, spent, go)})
    return found


async def _rate(
    clients: Sequence[AsyncClient], seconds: float, spent: Callable[[], tuple[float, float]], go: Callable[..., Awaitable[None]]
) -> dict[str, Any]:
    resetting, stepping, ours, theirs, rounds, latencies = 0.0, 0.0, 0.0, 0.0, 0, list[float]()
    envs = [await clients[i % CONNECTIONS].make(LIGHT, level=0.0) for i in range(IN_A_ROUND)]
    await each(range(IN_A_ROUND), lambda i: envs[i].reset(seed=i))
    while stepping < seconds:
        before, begun = spent(), time.perf_counter()
        await go(clients, envs, latencies)
        stepping += time.perf_counter() - begun
        after, begun, rounds = spent(), time.perf_counter(), rounds + 1
        ours, theirs = ours + after[0] - before[0], theirs + after[1] - before[1]
        await each(range(IN_A_ROUND), lambda i, first=rounds * IN_A_ROUND: envs[i].reset(seed=first + i))  # type: ignore[misc]
        resetting += time.perf_counter() - begun
    await each(envs, lambda env: env.close())
    latencies.sort()
    steps = rounds * IN_A_ROUND
    return {
        "steps": steps,
        "steps_per_s": round(steps / stepping, 1),
        "resets_per_s": round(steps / resetting, 1),
        "p50_ms": round(latencies[len(latencies) // 2] * 1000, 3),
        "p99_ms": round(latencies[len(latencies) * 99 // 100] * 1000, 3),
        "service_us": round(theirs / steps * 1e6, 1),
        "load_us": round(ours / steps * 1e6, 1),
        "alone_per_s": round((os.cpu_count() or 1) * steps / (ours + theirs), 1),
    }


async def _one_by_one(clients: Sequence[AsyncClient], envs: Sequence[AsyncEnv], latencies: list[float]) -> None:
    async def step(env: AsyncEnv) -> None:
        begun = time.perf_counter()
        await env.step("<answer>5</answer>")
        latencies.append(time.perf_counter() - begun)

    await each(envs, step)


async def _in_batches(clients: Sequence[AsyncClient], envs: Sequence[AsyncEnv], latencies: list[float]) -> None:
    async def batch(first: int) -> None:
        begun = time.perf_counter()
        told = await clients[first // IN_A_BATCH % CONNECTIONS].steps(
            [(env, "<answer>5</answer>") for env in envs[first : first + IN_A_BATCH]]
        )
        for one in told:
            if isinstance(one, Exception):
                raise one
        latencies.append(time.perf_counter() - begun)

    await each(range(0, len(envs), IN_A_BATCH), batch)


async def apart(url: str, key: str | None, sessions: int, memory: Callable[[], int | None]) -> dict[str, Any]:
    """Open many sessions, play them all in turns, and compare each with the same episode played locally."""
    plans = [plan(MIXED[number % len(MIXED)], number) for number in range(sessions)]
    wrong: list[str] = []
    async with AsyncExitStack() as held:
        clients = await _clients(held, url, key, "ws", 2 * CONNECTIONS)
        envs = [await clients[i % len(clients)].make(plans[i].name, level=0.3) for i in range(sessions)]
        await envs[0].reset(seed=0)  # whatever the first session loads is not a session's own
        before = memory()
        begun = time.perf_counter()
        await each(range(sessions), lambda i: _opened(envs[i], plans[i], wrong))
        opened = time.perf_counter() - begun
        after = memory()
        order, taken, begun = rlgym.Rng("bench", "serve", sessions), 0, time.perf_counter()
        for turn in range(max(len(one.said) for one in plans)):
            on = order.shuffled([i for i in range(sessions) if turn < len(plans[i].said)])
            await each(on, lambda i, turn=turn: _stepped(envs[i], plans[i], turn, wrong))  # type: ignore[misc]
            taken += len(on)
        spent = time.perf_counter() - begun
        await each(envs, lambda env: env.close())
    return {
        "sessions": sessions,
        "environments": list(MIXED),
        "opened_per_s": round(sessions / opened, 1),
        "steps": taken,
        "steps_per_s": round(taken / spent, 1),
        "wrong": len(wrong),
        "first_wrong": wrong[0] if wrong else None,
        "bytes_per_session": None if before is None or after is None else round((after - before) / sessions),
    }


def plan(name: str, number: int) -> Plan:
    """An episode of a seed of its own; of three players the first is right, the second answers like the first to another task, the third at random."""
    env, other = rlgym.make(name, level=0.3), rlgym.make(name, level=0.3)
    read, rewards, said, over = [env.reset(seed=number)[0]], [0.0], list[str](), False
    other.reset(seed=number + 1)
    junk = rlgym.Rng("bench", "serve", "junk", number)
    while not over:
        if number % 3 == 0:
            said.append(env.oracle())
        else:
            said.append(other.oracle() if number % 3 == 1 else f"<answer>{junk.integer(0, 20)}</answer>")
        observation, reward, over, _, _ = env.step(said[-1])
        read.append(observation)
        rewards.append(reward)
    return Plan(name, number, tuple(said), tuple(read), tuple(rewards))


async def _opened(env: AsyncEnv, one: Plan, wrong: list[str]) -> None:
    observation, info = await env.reset(seed=one.seed)
    if observation != one.read[0] or info["task"].origin.seed != one.seed:
        wrong.append(f"{one.name}, seed {one.seed}, opened with {observation[:200]!r}")


async def _stepped(env: AsyncEnv, one: Plan, turn: int, wrong: list[str]) -> None:
    observation, reward, over, _, info = await env.step(one.said[turn])
    last = turn + 1 == len(one.said)
    if (observation, reward, over, info["turn"]) != (one.read[turn + 1], one.rewards[turn + 1], last, turn + 1):
        wrong.append(f"{one.name}, seed {one.seed}, turn {turn + 1}: reward {reward}, read {observation[:200]!r}")


async def each(items: Any, do: Callable[[Any], Awaitable[Any]]) -> None:
    """Do it for every item, AT_ONCE at a time; the first error ends it."""
    left = iter(items)

    async def worker() -> None:
        for item in left:
            await do(item)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(worker())


async def _clients(held: AsyncExitStack, url: str, key: str | None, transport: Any, count: int) -> list[AsyncClient]:
    from rlgym.serve.client import AsyncClient

    return [
        await held.enter_async_context(AsyncClient(url, key, transport=transport, connections=AT_ONCE // CONNECTIONS)) for _ in range(count)
    ]
