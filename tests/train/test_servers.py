"""Several servers as one engine: which server gets which request, which one takes over, and the error when none is left."""

import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("httpx")
pytest.importorskip("safetensors")

from train.fake_vllm import FakeVllm

from rlgym.core.errors import PackageMissing
from rlgym.train.config.sections import TrainError
from rlgym.train.distributed.process_group import SINGLE_PROCESS, ProcessGroup
from rlgym.train.rollout.engines.base import Continuation, SamplingParams
from rlgym.train.rollout.engines.vllm_servers import VllmServers, connect_servers
from rlgym.train.rollout.engines.weight_channels import SharedMemoryChannel


@pytest.fixture
def fakes():
    servers = [FakeVllm() for _ in range(3)]
    yield servers
    for fake in servers:
        fake.http.shutdown()
        fake.http.server_close()


@pytest.fixture
def engine(fakes):
    servers = VllmServers([fake.url for fake in fakes], max_num_seqs=8, timeout_seconds=20)
    yield servers
    servers.close()


def prompts(groups=6, size=4):
    return [
        (group * size + member, [3, 10 + group, 4], SamplingParams(5, seed=100 + group))
        for group in range(groups)
        for member in range(size)
    ]


def played(engine, requests):
    for key, prompt, sampling in requests:
        engine.submit(key, prompt, sampling)
    found = {}
    while engine.pending:
        for key, completion in engine.step():
            assert key not in found
            found[key] = completion
    return found


def right(found, request):
    return {key: list(completion.tokens) for key, completion in found.items()} == {
        key: [s.seed % 50 + 5 + n for n in range(3)] for key, _, s in request
    }


def test_groups_are_spread_and_stay_together_and_so_do_the_turns_of_an_episode(fakes, engine):
    requests = prompts()
    found = played(engine, requests)
    assert right(found, requests)
    assert [len(set(fake.asked)) for fake in fakes] == [2, 2, 2]
    assert [len(fake.asked) for fake in fakes] == [8, 8, 8]
    where = {key: number for number, fake in enumerate(fakes) for key, prompt, _ in requests if tuple(prompt) in fake.asked}
    for fake in fakes:
        fake.asked.clear()
    later = [(key, [*prompt, key, 9], sampling) for key, prompt, sampling in requests]
    played(engine, later)
    assert all((*prompt,) in fakes[where[key]].asked for key, prompt, _ in later)
    assert engine.counts == {"servers_lost": 0, "requests_retried": 0}


def test_what_a_server_had_to_do_when_it_died_is_done_by_the_others(fakes, engine):
    engine.update_weights([("w", torch.tensor([2.5]))], version=4)
    assert [fake.weights for fake in fakes] == [2.5, 2.5, 2.5]
    fakes[1].slow.clear()
    requests = prompts()
    for key, prompt, sampling in requests:
        engine.submit(key, prompt, sampling)
    fakes[1].dead = True
    fakes[1].slow.set()
    found = {}
    while engine.pending:
        found |= dict(engine.step())
    assert right(found, requests)
    assert {created.version for created in found.values()} == {4}
    assert engine.counts == {"servers_lost": 1, "requests_retried": 8}
    # Still dead when the next weights go out, it is left out and counted once; back again, it gets them and its share.
    engine.update_weights([("w", torch.tensor([3.5]))], version=5)
    assert [fake.weights for fake in fakes] == [3.5, 2.5, 3.5]
    assert right(played(engine, requests), requests)
    assert engine.counts["servers_lost"] == 1
    fakes[1].dead = False
    engine.update_weights([("w", torch.tensor([4.5]))], version=6)
    for fake in fakes:
        fake.asked.clear()
    assert right(played(engine, requests), requests)
    assert [fake.weights for fake in fakes] == [4.5] * 3
    assert [len(fake.asked) for fake in fakes] == [8, 8, 8]


def test_when_none_is_left_it_is_said(fakes, engine):
    for fake in fakes:
        fake.dead = True
    with pytest.raises(TrainError, match="none of the 3 vLLM servers responds"):
        played(engine, prompts())
    engine._running.clear()
    with pytest.raises(TrainError, match="none of the 3"):
        engine.update_weights([("w", torch.tensor([1.0]))], version=1)


def test_a_refused_request_is_not_sent_again(fakes, engine):
    with pytest.raises(TrainError, match=r"rejected a request.*no such token"):
        played(engine, [(0, [99, 4], SamplingParams(5))])
    assert sum(len(fake.asked) for fake in fakes) == 1


@pytest.mark.parametrize(("filtered", "temperature", "needed"), [(True, 1.0, "raw"), (False, 0.7, "processed"), (False, 1.0, None)])
def test_servers_must_report_the_log_probabilities_that_a_run_needs(fakes, filtered, temperature, needed):
    options = {"urls": [fake.url for fake in fakes], "filtered": filtered}
    for reported, logprob in (("raw", -1.5), ("processed", 0.0)):
        fakes[2].logprob = logprob
        for fake in fakes[:2]:
            fake.logprob = 0.0 if needed == "processed" else -1.5
        if needed in (None, reported):
            connect_servers("m", 100, options, SINGLE_PROCESS, temperature).close()
        else:
            with pytest.raises(TrainError, match=f"--logprobs-mode {needed}_logprobs"):
                connect_servers("m", 100, options, SINGLE_PROCESS, temperature)


def test_only_one_rank_sends_weights(fakes):
    given = iter([("w", torch.tensor([7.0])), ("v", torch.tensor([8.0]))])
    engine = connect_servers("m", 100, {"urls": [fake.url for fake in fakes], "filtered": False}, ProcessGroup(1, 1))
    engine.update_weights(given, version=3)
    assert [fake.weights for fake in fakes] == [None] * 3
    assert next(given, None) is None
    assert {created.version for created in played(engine, prompts(2)).values()} == {3}
    engine.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"urls": []}, "at least one server"),
        ({"urls": ["http://127.0.0.1:9", "http://127.0.0.1:9"]}, "none twice"),
        ({"urls": ["http://127.0.0.1:9"]}, "no vLLM server answers"),
        ({"urls": "http://127.0.0.1:9"}, "must be a list"),
        ({"url": "http://127.0.0.1:9", "ray": {}}, "url and ray"),
    ],
)
def test_addresses_that_cannot_be_meant_are_refused(options, message):
    with pytest.raises(TrainError, match=message):
        connect_servers("m", 100, options | {"filtered": False}, SINGLE_PROCESS)


def test_without_ray_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(PackageMissing, match=r"rlvrgym\[ray\]"):
        connect_servers("m", 100, {"ray": {}, "filtered": False}, SINGLE_PROCESS)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_servers_started_by_ray_serve_and_end_with_the_run(monkeypatch):
    pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    fake = [sys.executable, str(Path(__file__).with_name("fake_vllm.py"))]
    expected = {"num_servers": 2, "gpus_per_server": 0, "cpus_per_server": 0.1, "command": fake, "timeout_seconds": 120}
    engine = connect_servers("m", 100, {"ray": expected, "filtered": False, "max_num_seqs": 4}, SINGLE_PROCESS)
    requests = prompts()
    assert right(played(engine, requests), requests)
    urls = list(engine._servers)
    assert len(urls) == 2
    engine.close()
    with pytest.raises(TrainError, match="no vLLM server answers"):
        VllmServers(urls)
    with pytest.raises(TrainError, match="the server exited with 1"):
        connect_servers(
            "m", 100, {"ray": expected | {"command": [sys.executable, "-c", "raise SystemExit(1)"]}, "filtered": False}, SINGLE_PROCESS
        )


def test_scores_are_asked_of_all_servers_and_again_where_one_is_lost(fakes, engine):
    given = [Continuation((3, 4), (10 + n, 20 + n)) for n in range(6)] + [Continuation((3,), ())]
    expected = [(-(10 + n) / 100, -(20 + n) / 100) for n in range(6)] + [()]
    assert engine.score(given) == expected
    assert all(fake.asked for fake in fakes)
    fakes[1].dead = True
    assert engine.score(given) == expected
    assert engine.counts == {"servers_lost": 1, "requests_retried": 2}
    with pytest.raises(ValueError, match="temperature 1 alone"):
        engine.score(given, 0.5)
    with pytest.raises(ValueError, match="at most 199"):
        engine.score([Continuation((3,) * 150, (4,) * 50)])


def test_servers_on_this_machine_get_weights_without_a_file_and_others_through_the_folder(fakes, engine, tmp_path):
    engine.update_weights([("w", torch.tensor([2.5]))], version=1)
    assert isinstance(engine._channel, SharedMemoryChannel)
    other = VllmServers([fakes[0].url], max_num_seqs=2, weights_dir=tmp_path)
    other.update_weights([("w", torch.tensor([7.5]))], version=1)
    assert fakes[0].weights == 7.5
    assert list(tmp_path.glob("*/model.safetensors"))
    other.close()
    assert not list(tmp_path.iterdir())


def test_a_server_receives_weights_from_a_process_group(fakes):
    engine = VllmServers([fakes[0].url], max_num_seqs=2, workers=1, weights_host="127.0.0.1")
    for version, number in enumerate((2.5, 7.5), 1):
        engine.update_weights([("w", torch.tensor([number]))], version=version)
        assert fakes[0].weights == number
    engine.close()


def test_a_server_without_the_same_memory_is_told_apart(fakes, engine, monkeypatch):
    def said(path, given):
        return (500, "FileNotFoundError") if path == "/collective_rpc" else (200, {})

    monkeypatch.setattr(fakes[0], "said", said)
    with pytest.raises(TrainError, match=r"did not load the weights: .*rollout.engine_options.weights_dir"):
        engine.update_weights([("w", torch.tensor([2.5]))], version=1)
