"""Real vLLM, in this process and as a server, compared with the native engine and the trainer's own forward pass."""

import importlib.util
import os
import socket
import subprocess
import sys
import time

import pytest

if importlib.util.find_spec("vllm") is None:
    pytest.skip("vLLM is not installed (scripts/vllm_cpu.sh makes an environment with it)", allow_module_level=True)
torch = pytest.importorskip("torch")

from train.small_models import by_hand, small_model

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rollout.engines.base import Continuation, SamplingParams
from rlgym.train.rollout.engines.native import NativeEngine
from rlgym.train.rollout.engines.scores import sample_prefixes
from rlgym.train.rollout.engines.vllm import VllmEngine
from rlgym.train.rollout.engines.vllm_server import VllmServer

pytestmark = pytest.mark.filterwarnings("ignore")
CONTEXT = 200
CLOSE = {"atol": 1e-4, "rtol": 1e-4}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("model")
    small_model(place)
    return place


@pytest.fixture(scope="module")
def inside(folder):
    engine = VllmEngine(folder, max_num_seqs=16, max_seq_len=CONTEXT)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def server(folder, tmp_path_factory):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "vllm.entrypoints.openai.api_server",
        "--model",
        str(folder),
        "--port",
        str(port),
        "--dtype",
        "float32",
    ]
    command += [
        "--host",
        "127.0.0.1",
        "--enforce-eager",
        "--max-model-len",
        str(CONTEXT),
        "--max-num-seqs",
        "16",
        "--generation-config",
        "vllm",
    ]
    command += ["--logprobs-mode", "processed_logprobs", "--worker-extension-cls", "rlgym.train.rollout.engines.vllm_worker.WeightUpdates"]
    settings = {"VLLM_SERVER_DEV_MODE": "1", "VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind"}
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=os.environ | settings, start_new_session=True)
    try:
        deadline = time.monotonic() + 240
        while True:
            try:
                engine = VllmServer(f"http://127.0.0.1:{port}", max_num_seqs=16)
                break
            except TrainError:
                if process.poll() is not None or time.monotonic() > deadline:
                    pytest.fail(log.read_text()[-3000:])
                time.sleep(1)
        yield engine
        engine.close()
    finally:
        os.killpg(process.pid, 15)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)


def played(engine, requests):
    for key, prompt, sampling in requests:
        engine.submit(key, prompt, sampling)
    out = {}
    while engine.pending:
        out |= dict(engine.step())
    return out


def requests(temperature):
    return [(key, [3, 40 + key, 60, 61, 4], SamplingParams(20, temperature, stop=(1,), seed=key)) for key in range(6)]


@pytest.mark.parametrize("kind", ["inside", "server"])
def test_vllm_the_native_engine_and_the_trainer_agree_before_and_after_new_weights(request, kind, folder, tmp_path):
    engine = request.getfixturevalue(kind)
    for number, seed in enumerate((3, 11)):
        model = small_model(tmp_path / str(seed), seed=seed)
        if number:
            engine.update_weights(model.weights(), version=5)
        for temperature in (1.0, 0.7):
            asked = requests(temperature)
            found = played(engine, asked)
            for key, prompt, _ in asked:
                created = found[key]
                assert created.version == (5 if number else 0)
                assert created.stopped == (created.tokens[-1] == 1)
                expected = by_hand(model, [*prompt, *created.tokens], temperature)[len(prompt) - 1 :]
                torch.testing.assert_close(torch.tensor(created.logprobs), expected, **CLOSE)
        greedy = played(engine, requests(0.0))
        ours = played(NativeEngine(model, max_num_seqs=6, max_seq_len=CONTEXT), requests(0.0))
        assert {key: completion.tokens for key, completion in greedy.items()} == {
            key: completion.tokens for key, completion in ours.items()
        }
        for key, created in greedy.items():
            torch.testing.assert_close(torch.tensor(created.logprobs), torch.tensor(ours[key].logprobs), **CLOSE)
    engine.update_weights(small_model(tmp_path / "first").weights(), version=0)


@pytest.mark.parametrize("kind", ["inside", "server"])
def test_given_tokens_are_scored_as_the_trainer_scores_them_before_and_after_new_weights(request, kind, folder, tmp_path):
    engine = request.getfixturevalue(kind)
    given = [Continuation((3, 20 + n, 4), tuple(range(40, 40 + 5 * n))) for n in range(5)]
    for number, seed in enumerate((3, 12, 13)):
        model = small_model(tmp_path / str(seed), seed=seed)
        if number:
            engine.update_weights(model.weights(), version=number)
        ours = NativeEngine(model, max_num_seqs=6, max_seq_len=CONTEXT).score(given)
        for item, scored, native in zip(given, engine.score(given), ours, strict=True):
            exact = by_hand(model, [*item.prefix, *item.tokens])[len(item.prefix) - 1 :]
            torch.testing.assert_close(torch.tensor(scored), exact, **CLOSE)
            torch.testing.assert_close(torch.tensor(scored), torch.tensor(native), **CLOSE)
    engine.update_weights(small_model(tmp_path / "first").weights(), version=0)
    with pytest.raises(ValueError, match="at temperature 1 alone"):
        engine.score(given, 0.7)
    with pytest.raises(ValueError, match="at most 199"):
        engine.score([Continuation((3,), (5,) * 199)])


@pytest.mark.parametrize("kind", ["inside", "server"])
def test_stored_prefixes_continue_as_in_the_native_engine(request, kind, folder, tmp_path):
    engine, ours = request.getfixturevalue(kind), NativeEngine(small_model(tmp_path), max_num_seqs=6, max_seq_len=CONTEXT)
    first = sample_prefixes(ours, [[3, 9, 4]] * 3, [SamplingParams(10, seed=seed) for seed in range(3)])
    prefixes = [[3, 9, 4, *completion.tokens[:5]] for completion in first]
    greedy = [SamplingParams(12, 0.0)] * 3
    for one, two in zip(sample_prefixes(engine, prefixes, greedy), sample_prefixes(ours, prefixes, greedy), strict=True):
        assert one.tokens == two.tokens
        torch.testing.assert_close(torch.tensor(one.logprobs), torch.tensor(two.logprobs), **CLOSE)
    samplings = [SamplingParams(12, seed=seed) for seed in range(3)]
    sampled = sample_prefixes(engine, prefixes, samplings)
    scored = ours.score([Continuation(tuple(prefix), item.tokens) for prefix, item in zip(prefixes, sampled, strict=True)])
    for item, logprobs in zip(sampled, scored, strict=True):
        torch.testing.assert_close(torch.tensor(item.logprobs), torch.tensor(logprobs), **CLOSE)


@pytest.mark.parametrize("kind", ["inside", "server"])
def test_limits_and_what_cannot_be_known(request, kind):
    engine = request.getfixturevalue(kind)
    found = played(engine, [(0, [3] * 190, SamplingParams(50)), (1, [3] * 200, SamplingParams(5)), (2, [3], SamplingParams(0))])
    assert [len(found[key].tokens) for key in range(3)] == [10, 0, 0]
    assert not found[0].stopped
    with pytest.raises(ValueError, match="filtered=True"):
        engine.submit(0, [3], SamplingParams(4, top_p=0.5))


def test_a_server_that_is_not_there_is_said():
    with pytest.raises(TrainError, match="no vLLM server answers"):
        VllmServer("http://127.0.0.1:9")


@pytest.mark.parametrize("kind", ["inside", "server"])
def test_a_run_with_vllm_as_its_engine(request, kind, folder, tmp_path):
    if kind == "server":
        options = {"url": str(request.getfixturevalue("server")._http.base_url), "max_num_seqs": 8}
    else:
        options = {"max_num_seqs": 8, "max_model_len": CONTEXT}
    given = {
        "model": str(folder),
        "output_dir": str(tmp_path / "run"),
        "tasks": [{"names": ["chain_sum"]}],
        "steps": 3,
        "rollout": {
            "groups_per_step": 2,
            "group_size": 4,
            "max_new_tokens": 20,
            "max_seq_len": CONTEXT,
            "engine": "vllm",
            "engine_options": options,
        },
        "update": {"lr": 1e-3, "tokens_per_micro_batch": 2000, "warmup_steps": 0},
        "algorithm": {"filter_zero_std": False, "reward_shaping": {"format_bonus": {"amount": 0.1}}},
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 1},
        "compute": {"device": "cpu", "cpu_threads": 1},
    }
    train(Config.from_dict(given))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert len(lines) == 3
    # The engine has the weights of the trainer at every step: else the two would drift apart.
    assert all(line["logprob_diff_max"] < 1e-3 for line in lines)
