"""A program sees the same with a remote Env as with the local one."""

import asyncio
import inspect
import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import rlgym
import rlgym.dataset
from rlgym import NeedsReset
from rlgym.serve.client import AsyncClient, Client, InvalidRequest, NotFound

NAMES = """chain_sum gcd_lcm countdown shortest_path determinant derivative sudoku binario zebra einstein_seating caesar_crack
bayes_update angle_chase balance_equation diff_apply dfa_design blocksworld sql_query predict_output contradiction_find alphabetise_nested
higher_lower hangman frozen_lake_text bank_support calendar_agent incident_investigation nim chomp blotto
shortest_path:shift chain_sum:with_confidence chain_sum:try_again shortest_path:first_error shortest_path:choose""".split()
KNOWN = set(rlgym.names())
WAYS = ("rest", "ws", "async rest", "async ws")


def names():
    return [name for name in NAMES if name.partition(":")[0] in KNOWN]


def facts(info):
    """An info as comparable data, with the public part of the task."""
    return {**info, "task": (info["task"].prompt, info["task"].origin)}


async def now(given):
    return await given if inspect.isawaitable(given) else given


async def log(env):
    """The transcript and event log: properties of Env, coroutines of AsyncEnv."""
    return [await now(part() if callable(part) else part) for part in (env.messages, env.events)]


async def program(env, seed):
    """Use every method of an Env, and record everything that it returns."""
    seen = [env.name, env.level, dict(env.knobs)]
    observation, info = await now(env.reset(seed=seed))
    seen += [observation, facts(info), await now(env.hint("concept"))]
    observation, reward, over, cut, info = await now(env.step("I am <b>sure</b>: \ud800 \u0661"))
    seen += [observation, reward, over, cut, facts(info), await log(env)]
    observation, info = await now(env.reset())
    kept = await now(env.snapshot())
    seen += [observation, facts(info), kept.observation]
    for _ in range(2):
        over = False
        while not over:
            response = await now(env.oracle())
            observation, reward, over, cut, info = await now(env.step(response))
            seen += [response, observation, reward, over, cut, facts(info)]
        seen += [*await log(env), await now(env.render()), await now(env.restore(kept))]
    observation, info = await now(env.reset(seed=seed + 1, options={"level": 0.0}))
    seen += [observation, facts(info), facts((await now(env.reset(seed=seed + 1)))[1])]
    return seen


def shaped(score, response):
    return -0.125 * (len(response) > 20)


def here(name):
    return asyncio.run(program(rlgym.make(name, level=0.2, rewards=[shaped]), 7))


async def awaited(url, transport, expected):
    async with AsyncClient(url, transport=transport) as client:
        envs = [await client.make(name, level=0.2, rewards=[shaped]) for name in expected]
        return await asyncio.gather(*(program(env, 7) for env in envs))


@pytest.fixture(scope="module")
def local():
    return {name: here(name) for name in names()}


@pytest.mark.parametrize("case", WAYS)
def test_the_same_program_sees_the_same(url, local, case):
    kind, _, transport = case.rpartition(" ")
    expected = names()[:: 1 if case == "ws" else 2]
    assert len(names()) >= 25
    if kind:
        seen = asyncio.run(awaited(url, transport, expected))
    else:
        with Client(url, transport=transport) as client:
            seen = [asyncio.run(program(client.make(name, level=0.2, rewards=[shaped]), 7)) for name in expected]
    for name, lines in zip(expected, seen, strict=True):
        for number, (ours, theirs) in enumerate(zip(local[name], lines, strict=True)):
            assert theirs == ours, f"{name}, line {number}"


@pytest.mark.parametrize("transport", ["rest", "ws"])
@pytest.mark.parametrize("name", ["chain_sum", "higher_lower", "nim"])
def test_gymnasiums_environment_checker_passes(url, transport, name):
    with Client(url, transport=transport) as client:
        check_env(client.make(name, level=0.3), skip_render_check=True)


@pytest.mark.parametrize("vector", [gymnasium.vector.SyncVectorEnv, gymnasium.vector.AsyncVectorEnv])
def test_vector_environments_play(url, vector):
    seeds = [3, 4, 5]
    with Client(url, transport="ws") as client:
        envs = vector([lambda: client.make("higher_lower", level=0.2)] * 3)
        observations, infos = envs.reset(seed=seeds)
        assert observations == tuple(rlgym.make("higher_lower", level=0.2).reset(seed=seed)[0] for seed in seeds)
        assert [task.origin.seed for task in infos["task"]] == seeds
        observations, rewards, *_ = envs.step(("<answer>1</answer>", "junk \u0661", "<answer>7</answer>"))
        assert list(rewards) == [0, 0, 0]
        assert "could not be read" in observations[1]
        envs.close()


def test_render_matches_the_local_env(url):
    with Client(url) as client:
        env, local = client.make("nim", render_mode="svg"), rlgym.make("nim", render_mode="svg")
        env.reset(seed=3)
        local.reset(seed=3)
        assert env.render() == local.render()
        assert env.render().startswith("<svg")


def test_a_split_plays_like_the_local_env(url):
    with Client(url) as client:
        env, local = client.make("shortest_path", split="shift", level=0.2), rlgym.make("shortest_path", split="shift", level=0.2)
        observation, info = env.reset(seed=3)
        mine, known = local.reset(seed=3)
        assert (observation, facts(info)) == (mine, facts(known))


def test_the_data_of_a_task_is_hidden(url):
    with Client(url) as client:
        env = client.make("chain_sum")
        _, info = env.reset(seed=1)
        with pytest.raises(rlgym.RlgymError, match="the data of a remote task is hidden"):
            _ = info["task"].data
        assert "data" not in repr(info["task"])


def test_a_snapshot_can_be_restored_in_another_env(url):
    with Client(url) as client:
        env, other = (client.make("higher_lower", level=0.5) for _ in range(2))
        env.reset(seed=2)
        env.step("<answer>1</answer>")
        kept = env.snapshot()
        assert other.restore(kept) == kept.observation
        assert other.messages == env.messages
        assert other.session_id != env.session_id
        env.step("<answer>2</answer>")
        assert len(other.messages) == len(env.messages) - 2
        with pytest.raises(InvalidRequest, match="belongs to 'higher_lower', not to 'chain_sum'"):
            client.make("chain_sum").restore(kept)
        with pytest.raises(InvalidRequest, match="restore takes a Snapshot"):
            env.restore("s1")


def test_dropped_snapshots_are_restored_from_their_history(url):
    with Client(url) as client:
        env = client.make("higher_lower", level=0.5)
        env.reset(seed=2)
        env.step("<answer>1</answer>")
        first, text = env.snapshot(), env.render()
        env.step("<answer>2</answer>")
        for _ in range(64):
            env.snapshot()
        assert env.restore(first) == first.observation
        assert env.render() == text


def test_make_rejects_invalid_arguments(url):
    with Client(url) as client:
        with pytest.raises(NotFound, match="chain_sum"):
            client.make("chain_sm")
        with pytest.raises(InvalidRequest, match="level"):
            client.make("chain_sum", level=7)
        with pytest.raises(InvalidRequest, match="trems"):
            client.make("chain_sum", trems=3)
        with pytest.raises(InvalidRequest, match="terms"):
            client.make("chain_sum", terms=-3)
        with pytest.raises(InvalidRequest, match="JSON"):
            client.make("chain_sum", level=float("nan"))
        env = client.make("chain_sum")
        for call in (lambda: env.step("x"), env.oracle, env.render, env.snapshot, lambda: env.task, lambda: env.messages):
            with pytest.raises(NeedsReset, match="reset"):
                call()
        for seed in (-1, True, 1.5, "1"):
            with pytest.raises(InvalidRequest, match="seed must be a non-negative integer"):
                env.reset(seed=seed)
        with pytest.raises(InvalidRequest, match="'level' and 'knobs', got 'lvel'"):
            env.reset(options={"lvel": 1})
        env.reset(seed=1)
        with pytest.raises(InvalidRequest, match="must be a string"):
            env.step(5)
        env.step("<answer>1</answer>")
        with pytest.raises(NeedsReset, match="the episode is over"):
            env.step("<answer>1</answer>")


@pytest.mark.slow  # the service imports every environment
def test_environments_are_listed_and_found(url):
    with Client(url, timeout=300) as client:
        assert {environment["name"] for environment in client.environments()} >= {"chain_sum", "nim", "higher_lower"}
        assert [environment["kind"] for environment in client.environments(search="higher_lower")] == ["game"]
        assert {environment["domain"] for environment in client.environments(domain="matches")} == {"matches"}


def test_specs_tasks_and_scores(url):
    with Client(url) as client:
        assert client.spec("chain_sum")["knobs"] == rlgym.spec("chain_sum")["knobs"]
        drawn = client.task("chain_sum", 5, level=0.3, terms=4)
        assert drawn.task.origin == rlgym.task("chain_sum", 5, level=0.3, terms=4).origin
        mine = rlgym.make("chain_sum", level=0.3, terms=4)
        mine.reset(seed=5)
        right = mine.oracle()
        tasks = client.sample(["chain_sum", "gcd_lcm"], 6, levels=[0.2], seed=3)
        assert len({task.observation for task in tasks}) == 6
        row = next(iter(rlgym.dataset.sample("chain_sum", 1, levels=[0.2])))
        named = {"name": "chain_sum", "seed": 5, "level": 0.3, "knobs": {"terms": 4}}
        items = [(drawn, right), (named, right), (named, "junk"), (row, row["oracle_response"]), (row, ["a", "b"])]
        items.append(({"name": "nope", "seed": 1}, ""))
        scores = client.score(items, errors="return")
        assert [score.value for score in scores[:4]] == [1, 1, 0, 1]
        assert scores[2] == rlgym.score(mine.task, "junk")
        assert isinstance(scores[4], InvalidRequest)
        assert isinstance(scores[5], NotFound)
        with pytest.raises(InvalidRequest) as caught:
            client.score(items)
        assert "item 4 of 6" in caught.value.__notes__[0]
        many = [({"name": "chain_sum", "seed": seed, "level": 0.0}, f"<answer>{seed % 9}</answer>") for seed in range(600)]
        expected = [rlgym.score(rlgym.task("chain_sum", seed, level=0.0), text) for seed, (_, text) in enumerate(many)]
        assert client.score(many) == expected
        assert sum(score.value for score in expected) > 0


@pytest.mark.parametrize("transport", ["rest", "ws"])
def test_many_envs_step_in_one_request(url, transport):
    with Client(url) as client:
        envs = [client.make(name, level=0.2) for name in ("chain_sum", "higher_lower", "nim") * 5]
        local = [rlgym.make(name, level=0.2) for name in ("chain_sum", "higher_lower", "nim") * 5]
        for number, (env, mine) in enumerate(zip(envs, local, strict=True)):
            assert env.reset(seed=number)[0] == mine.reset(seed=number)[0]
        text = [env.oracle() for env in local]
        result = client.step_batch(list(zip(envs, text, strict=True)))
        for mine, response, (observation, reward, over, cut, info) in zip(local, text, result, strict=True):
            ours = mine.step(response)
            assert (observation, reward, over, cut, facts(info)) == (*ours[:4], facts(ours[4]))
        with pytest.raises(InvalidRequest, match="only once"):
            client.step_batch([(envs[1], "a"), (envs[1], "b")])
        with pytest.raises(NeedsReset):
            client.step_batch([(envs[0], "a")])


def test_many_envs_share_one_socket(url):
    async def play():
        async with AsyncClient(url, transport="ws") as client:
            envs = [await client.make("higher_lower", level=0.3) for _ in range(60)]
            local = [rlgym.make("higher_lower", level=0.3) for _ in envs]
            first = await asyncio.gather(*(env.reset(seed=seed) for seed, env in enumerate(envs)))
            assert [result for result, _ in first] == [mine.reset(seed=seed)[0] for seed, mine in enumerate(local)]
            for turn in range(3):
                result = await asyncio.gather(*(env.step(f"<answer>{turn + seed % 7}</answer>") for seed, env in enumerate(envs)))
                mine = [env.step(f"<answer>{turn + seed % 7}</answer>") for seed, env in enumerate(local)]
                assert [item[0] for item in result] == [item[0] for item in mine]
            assert len({env.session_id for env in envs}) == 60

    asyncio.run(play())


def test_the_client_needs_neither_fastapi_nor_uvicorn():
    code = "import sys; sys.modules.update(fastapi=None, starlette=None, uvicorn=None); import rlgym.serve.client"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_the_examples_of_the_documentation_run(url, capsys):
    page = (Path(__file__).parents[2] / "docs" / "serve_client.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for block in blocks:
        exec(compile(block.replace("http://127.0.0.1:8000", url), "example", "exec"), {"__name__": "example"})  # noqa: S102  our own text
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("1.0 Score(value=1.0")
    expected = [rlgym.make("chain_sum", level=0.2) for _ in range(100)]
    for seed, env in enumerate(expected):
        env.reset(seed=seed)
    assert float(second) == sum(env.step("<answer>5</answer>")[1] for env in expected)
