"""The slime adapter, called by slime's own rollout and reward functions, over tokens."""

from __future__ import annotations

import asyncio
import json
import runpy
import threading
from argparse import Namespace
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("slime.rollout.sglang_rollout", reason="needs a checkout of slime on the path; it is on no package index")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

from adapters.agreement import cases, damaged, page, rows  # noqa: E402
from adapters.tokens import BEGIN, byte_tokenizer  # noqa: E402
from slime.rollout import sglang_rollout  # noqa: E402
from slime.rollout.rm_hub import async_rm, batched_async_rm  # noqa: E402
from slime.utils import http_utils  # noqa: E402
from slime.utils.data import Dataset  # noqa: E402
from slime.utils.misc import SingletonMeta  # noqa: E402
from slime.utils.types import Sample  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.slime import write_dataset  # noqa: E402
from rlgym.core.errors import RowError  # noqa: E402
from rlgym.dataset import Session, oracle_response, to_task_json  # noqa: E402

CODER = byte_tokenizer()


class Engine(BaseHTTPRequestHandler):
    """What SGLang answers to /generate: what `says` has for the prompt, turn by turn."""

    says: dict[str, Any] = {}

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        seen = CODER.decode(request["input_ids"])
        text = self.says[seen.split(f"{BEGIN}user\n")[1].split("<|end|>")[0]]
        turn = text if isinstance(text, str) else text[seen.count(f"{BEGIN}assistant") - 1]
        full = [*CODER.encode(turn, add_special_tokens=False), CODER.eos_token_id]
        tokens = full[: request["sampling_params"]["max_new_tokens"]]
        reason = {"type": "stop" if tokens == full else "length"}
        report = {
            "text": CODER.decode(tokens),
            "meta_info": {"finish_reason": reason, "output_token_logprobs": [[-0.5, token] for token in tokens]},
        }
        payload = json.dumps(report).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


@pytest.fixture(scope="module")
def args(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Namespace]:
    folder = tmp_path_factory.mktemp("tokenizer")
    CODER.save_pretrained(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Engine)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    given = {
        "hf_checkpoint": str(folder),
        "sglang_router_ip": "127.0.0.1",
        "sglang_router_port": server.server_port,
        "sglang_server_concurrency": 4,
        "rollout_num_engines": 1,
        "sglang_dp_size": 1,
        "use_distributed_post": False,
        "partial_rollout": False,
        "group_rm": False,
        "custom_generate_function_path": "rlgym.adapters.slime.generate",
        "custom_rm_path": "rlgym.adapters.slime.reward",
        "rollout_temperature": 1.0,
        "rollout_top_p": 1.0,
        "rollout_top_k": -1,
        "rollout_max_response_len": 10**6,
        "rollout_stop": None,
        "rollout_stop_token_ids": None,
        "rollout_skip_special_tokens": False,
    }
    yield Namespace(**given)
    server.shutdown()
    server.server_close()


def within(args: Namespace, work: Any) -> Any:
    """What `work` makes, in one event loop with slime's own client and state."""

    async def run() -> Any:
        http_utils._http_client = None
        http_utils.init_http_client(args)
        SingletonMeta.clear_all_instances() if hasattr(SingletonMeta, "clear_all_instances") else SingletonMeta._instances.clear()
        return await work()

    return asyncio.run(run())


def sample(row: dict[str, Any]) -> Sample:
    return Sample(prompt=CODER.apply_chat_template(row["messages"], tokenize=False, add_generation_prompt=True), label=to_task_json(row))


def test_agreement_in_the_rollouts_of_slime(args: Namespace) -> None:
    # A game of junk goes on to its last turn, which is most of the time here: a quarter of those will do.
    games = [case for case in cases(True) if case.kind in ("oracle", "mistake")] + [case for case in cases(True) if case.kind == "junk"][
        ::4
    ]

    async def work() -> None:
        for case in [*cases(False), *games]:
            Engine.says[case.row["messages"][0]["content"]] = case.response
            done = await sglang_rollout.generate_and_rm(args, sample(case.row), {"max_new_tokens": 10**6})
            assert done.reward == case.score, (case.row["id"], case.kind)
            assert done.status is Sample.Status.COMPLETED
            trained = [token for token, mask in zip(done.tokens[-done.response_length :], done.loss_mask, strict=True) if mask]
            turns = CODER.decode(trained).split("<|end|>")[:-1]
            assert turns == ([case.response] if case.single else case.response[: len(turns)])
            assert len(done.rollout_log_probs) == done.response_length
            if not case.single:  # the sequence is what the chat template makes of the conversation, token by token
                session = Session(case.row)
                for turn in turns:
                    session.step(turn)
                full = CODER.apply_chat_template(session.messages, tokenize=True, return_dict=False)
                assert done.tokens == full[: len(done.tokens)]

    within(args, work)


def test_agreement_of_the_reward_function(args: Namespace) -> None:
    given = [Sample(response=case.response, label=to_task_json(case.row)) for case in cases(False)]

    async def work() -> Any:
        return await batched_async_rm(args, given), [await async_rm(args, item) for item in given[:20]]

    batch, single = asyncio.run(work())
    assert batch == [case.score for case in cases(False)]
    assert single == batch[:20]
    with pytest.raises(ValueError, match="many turns"):
        asyncio.run(async_rm(args, Sample(response="1", label=to_task_json(rows(True)[0]))))


def test_an_episode_that_is_cut_short(args: Namespace) -> None:
    row = next(row for row in rows(True) if row["env"] == "maze_walk")
    Engine.says[row["messages"][0]["content"]] = oracle_response(row)
    done = within(args, lambda: sglang_rollout.generate_and_rm(args, sample(row), {"max_new_tokens": 3}))
    assert done.status is Sample.Status.TRUNCATED
    assert done.reward == rlgym.score(row, [""]).value


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str, args: Namespace, tmp_path: Path) -> None:
    with pytest.raises(RowError, match=identity):
        write_dataset(tmp_path / "rows.jsonl", [row])
    good = json.loads(to_task_json(rows(False)[0]))
    with pytest.raises(RowError, match=identity):
        asyncio.run(async_rm(args, Sample(response="1", label=json.dumps(good | {key: row[key] for key in good}))))


def test_what_is_not_the_models_fault_is_no_reward(args: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    row = rows(False)[0]
    broken = rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")
    Engine.says[row["messages"][0]["content"]] = "1"
    monkeypatch.setattr(rlgym, "score", lambda *_: broken, raising=False)
    with pytest.raises(RuntimeError, match="no sandbox"):
        asyncio.run(async_rm(args, Sample(response="1", label=to_task_json(row))))
    monkeypatch.setattr(Session, "score", property(lambda _: broken))
    with pytest.raises(RuntimeError, match="no sandbox"):
        within(args, lambda: sglang_rollout.generate_and_rm(args, sample(row), {"max_new_tokens": 99}))


def test_the_page_makes_a_dataset_that_slime_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.py").write_text(page("slime"))
    runpy.run_path("page.py")
    keys = {"prompt_key": "messages", "label_key": "task_json", "apply_chat_template": True}
    read = Dataset("data/train.jsonl", CODER, None, None, **keys)
    assert len(read.samples) == 64
    assert read.samples[0].prompt.endswith(f"{BEGIN}assistant\n")
    assert Session(json.loads(read.samples[0].label)).observation in read.samples[0].prompt
