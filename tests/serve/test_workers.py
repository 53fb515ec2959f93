"""`rlgym serve` with a supervisor and two workers over real sockets; workers are killed, and the service is shut down."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time

import httpx
import pytest
from serve.processes import PATIENCE, Service, closing_sessions, opened, owner, right, secret, until
from websockets.sync.client import connect

pytestmark = pytest.mark.slow

KEYS = {"ann": {"reveal_answers": True}, "bob": {"reveal_answers": False}, "few": {"max_sessions": 3}, "slow": {"steps_per_minute": 5}}


@pytest.fixture(scope="module")
def service(key_file):
    service_ = Service("--workers", "2", "--keys", str(key_file), "--max-sessions", "50")
    try:
        yield service_
    finally:
        assert service_.end() == 0


@pytest.fixture(scope="module")
def key_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("keys") / "keys.json"
    entries = [{"name": name, "sha256": hashlib.sha256(secret(name).encode()).hexdigest(), **more} for name, more in KEYS.items()]
    file.write_text(json.dumps({"keys": entries}))
    return file


def test_each_worker_serves_the_sessions_of_both(service):
    clients = service.of_each_worker()
    views = [opened(client, seed) for seed, client in enumerate(clients)]
    assert [owner(view) for view in views] == [0, 1]
    before = service.counted("rlgym_forwarded_total")
    for seed, view in enumerate(views):
        path, other = f"/v1/sessions/{view['session']}", clients[1 - seed]
        looked = other.get(path)
        assert looked.headers["x-rlgym-worker"] == str(1 - seed)
        assert looked.json()["observation"] == clients[seed].get(path).json()["observation"] == view["observation"]
        kept = other.post(f"{path}/snapshot").json()["snapshot"]
        # Half a surrogate pair, which httpx would not write.
        text = json.dumps({"response": "\ud800 <answer>no</answer>", "turn": 0})
        wrong = other.post(f"{path}/step", content=text, headers={"Content-Type": "application/json"})
        assert (wrong.json()["done"], wrong.json()["reward"]) == (True, 0.0)
        over = other.post(f"{path}/step", json={"response": "x"})
        assert (over.status_code, over.json()["error"]["code"]) == (409, "episode_over")
        assert clients[seed].post(f"{path}/restore", json={"snapshot": kept}).json()["done"] is False
        response = other.post(f"{path}/oracle").json()["response"]
        assert other.post(f"{path}/step", json={"response": response}).json()["score"]["value"] == 1.0
        assert service.client("bob").get(path).status_code == 404
        assert other.delete(path).status_code == 204
        assert clients[seed].get(path).status_code == 404
    # look, snapshot, two steps, oracle, one more step, delete; bob's look may have been passed on too.
    assert 14 <= service.counted("rlgym_forwarded_total") - before <= 16


def test_permissions_apply_across_workers(service):
    clients = service.of_each_worker("bob")
    view = opened(clients[0])
    with closing_sessions(clients[1], view):
        refused = clients[1].post(f"/v1/sessions/{view['session']}/oracle")
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
        assert "www-authenticate" in httpx.get(f"{service.url}/v1/sessions/{view['session']}", timeout=PATIENCE).headers


def test_a_batch_over_both_workers_keeps_its_order(service):
    clients = service.of_each_worker()
    views = [opened(clients[seed % 2], seed) for seed in range(6)]
    assert {owner(view) for view in views} == {0, 1}
    with closing_sessions(clients[0], *views):
        steps = [{"session": view["session"], "response": right(seed) if seed != 3 else "no idea"} for seed, view in enumerate(views)]
        result = clients[1].post("/v1/steps", json={"steps": [*steps, {"session": "w0-nobody-x", "response": "x"}]}).json()["results"]
        assert [item.get("session") for item in result] == [*[view["session"] for view in views], None]
        assert [item.get("reward") for item in result] == [1, 1, 1, 0, 1, 1, None]
        assert result[-1]["error"]["code"] in ("not_found", "session_lost")


def test_a_persistent_websocket_session_is_reachable_from_every_worker(service):
    address, header = f"{service.url.replace('http', 'ws')}/v1/play", {"Authorization": f"Bearer {secret('ann')}"}

    def request(connection, **message):
        connection.send(json.dumps(message))
        return json.loads(connection.recv(PATIENCE))

    with connect(address, additional_headers=header) as first:
        kept = request(first, id=1, op="open", name="chain_sum", seed=5, level=0.1, persistent=True)
        mine = request(first, id=2, op="open", name="chain_sum", seed=5, level=0.1)
    clients = service.of_each_worker()
    until(lambda: clients[0].get(f"/v1/sessions/{mine['session']}").status_code == 404)
    for _ in range(100):
        # Over another socket, one at the other worker.
        with connect(address, additional_headers=header) as second:
            probe = request(second, id=1, op="open", name="chain_sum", seed=1)
            if owner(probe) != owner(kept):
                done = request(second, id=7, op="step", session=kept["session"], response=right(5))
                assert (done["id"], done["ok"], done["reward"]) == (7, True, 1.0)
                break
    else:
        raise AssertionError("100 sockets all went to one worker")
    assert [client.get(f"/v1/sessions/{kept['session']}").json()["done"] for client in clients] == [True, True]
    assert clients[0].delete(f"/v1/sessions/{kept['session']}").status_code == 204


def test_quotas_hold_exactly_over_both_workers(service):
    few = service.of_each_worker("few")
    views = [opened(few[seed % 2], seed) for seed in range(3)]
    assert {owner(view) for view in views} == {0, 1}
    for client in few:
        assert opened(client, status=429)["error"]["code"] == "quota_exceeded"
    assert few[0].delete(f"/v1/sessions/{views[1]['session']}").status_code == 204
    repeated = opened(few[0])
    assert opened(few[1], status=429)["error"]["retryable"]
    for view in (views[0], views[2], repeated):
        assert few[1].delete(f"/v1/sessions/{view['session']}").status_code == 204
    slow = service.of_each_worker("slow")
    views = [opened(slow[turn % 2], turn) for turn in range(8)]
    with closing_sessions(slow[0], *views):
        codes = [slow[turn % 2].post(f"/v1/sessions/{view['session']}/step", json={"response": "x"}) for turn, view in enumerate(views)]
        # Five a minute, and what came back to the bucket on a very slow machine.
        assert [code.status_code for code in codes][:5] == [200] * 5
        assert codes[5].status_code == 429
        assert float(codes[5].headers["retry-after"]) >= 1


def test_metrics_of_both_workers_are_added_up(service):
    clients = service.of_each_worker()
    before = service.counted("rlgym_steps_total")
    open_before = service.counted("rlgym_open_sessions")
    views = [opened(clients[seed % 2], seed) for seed in range(4)]
    with closing_sessions(clients[0], *views):
        for seed, view in enumerate(views):
            clients[seed % 2].post(f"/v1/sessions/{view['session']}/step", json={"response": "x"}).raise_for_status()
        assert service.counted("rlgym_steps_total") == before + 4
        assert service.counted("rlgym_open_sessions") == open_before + 4


def test_peer_sockets_are_private(service):
    orders = [event for event in service.events if event.get("event") == "peer socket open"]
    assert len({event["socket"] for event in orders}) >= 2
    for event in orders[-2:]:
        assert os.stat(event["socket"]).st_mode & 0o777 == 0o600
        assert os.stat(os.path.dirname(event["socket"])).st_mode & 0o777 == 0o700


def test_a_killed_worker_loses_only_its_sessions_and_is_replaced(service):
    clients = service.of_each_worker()
    views = [opened(clients[seed % 2], seed) for seed in range(4)]
    few = service.of_each_worker("few")
    kept = [opened(few[turn], turn) for turn in (0, 0, 1)]
    steps = service.counted("rlgym_steps_total")
    process = service.event("worker ready", worker_id=0)["pid"]
    os.kill(process, signal.SIGKILL)
    began = time.monotonic()
    for seed, view in enumerate(views):
        answer = clients[1].post(f"/v1/sessions/{view['session']}/step", json={"response": right(seed)})
        if owner(view) == 1:
            assert answer.json()["reward"] == 1.0
        else:
            assert answer.status_code in (410, 503), answer.text
            assert answer.json()["error"]["code"] in ("session_lost", "worker_lost")
            assert answer.json()["error"]["retryable"]
    assert time.monotonic() - began < PATIENCE / 2
    died = service.event("worker died", worker_id=0)
    assert (died["exit"], died["pid"]) == ("SIGKILL", process)
    # Its counts are given back: two of the three of this key were there.
    assert service.counted("rlgym_open_sessions") == 3
    repeated = [opened(few[1], turn) for turn in range(2)]
    assert opened(few[1], status=429)["error"]["code"] == "quota_exceeded"
    until(lambda: service.event("worker ready", worker_id=0)["pid"] != process)
    assert service.counted("rlgym_steps_total") == steps + 2
    both = service.of_each_worker()
    for client in both:
        lost = client.get(f"/v1/sessions/{views[0]['session']}")
        assert (lost.status_code, lost.json()["error"]["code"]) == (410, "session_lost")
        assert client.get(f"/v1/sessions/{views[1]['session']}").status_code == 200
    fresh = opened(both[0])
    assert both[1].get(f"/v1/sessions/{fresh['session']}").status_code == 200
    with closing_sessions(both[1], fresh, views[1], views[3]), closing_sessions(few[1], kept[2], *repeated):
        assert both[0].get("/readyz").status_code == 200


def test_a_terminated_worker_is_replaced(service):
    before = service.event("worker ready", worker_id=1)["pid"]
    os.kill(before, signal.SIGTERM)
    until(lambda: service.event("worker ready", worker_id=1)["pid"] != before)
    assert service.event("worker died", worker_id=1)["exit"] == "exit status 0"
    assert {owner(opened(client)) for client in service.of_each_worker()} == {0, 1}


def test_a_second_service_does_not_share_the_port_of_the_first(service):
    from rlgym.serve.workers.sockets import AddressUnavailable, reserve_address

    with pytest.raises(AddressUnavailable, match="address already in use"):
        reserve_address("127.0.0.1", int(service.url.rsplit(":", 1)[1]))
