"""Keys: permissions and quotas."""

import hashlib
import json

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rlgym.serve.access.keys import ApiKey, KeyFileError, KeyStore
from rlgym.serve.access.quotas import LocalQuotas
from rlgym.serve.api.app import create_app
from rlgym.serve.protocol.errors import CODES
from rlgym.serve.settings import Settings
from rlgym.serve.telemetry.request_log import RequestLog

SHA = hashlib.sha256(b"carol's key").hexdigest()
FILE = f"""
[[keys]]
name = "alice"
key = "alice's key"
reveal_answers = true
max_sessions = 2

[[keys]]
name = "bob"
key = "bob's own key"
steps_per_minute = 3
scores_per_minute = 60

[[keys]]
name = "carol"
sha256 = "{SHA}"
requests_per_second = 2
"""
TASK = {"name": "hangman", "seed": 3}


class Clock:
    """A clock that tests advance by hand."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def served(tmp_path, clock):
    file = tmp_path / "keys.toml"
    file.write_text(FILE)
    with TestClient(create_app(Settings(key_file=str(file)), clock=clock)) as client:
        yield client


def of(name):
    return {"authorization": f"Bearer {({'alice': 'alice', 'carol': 'carol'})[name]}'s key" if name != "bob" else "Bearer bob's own key"}


def refused(answer, code):
    assert (answer.status_code, answer.json()["error"]["code"]) == (CODES[code].status, code), answer.text
    return answer


def test_every_v1_path_requires_a_known_key(served):
    for header in (
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer nobody's key",
        "Basic alice's key",
        "alice's key",
        "Bearer é\udc80".encode("utf-8", "surrogateescape"),
    ):
        headers = {} if header is None else {"authorization": header}
        for method, path in (
            ("GET", "/v1/environments/chain_sum"),
            ("POST", "/v1/tasks"),
            ("GET", "/v1/nothing"),
            ("POST", "/v1/sessions/x/step"),
        ):
            answer = refused(served.request(method, path, headers=headers), "unauthorized")
            assert answer.headers["www-authenticate"] == "Bearer"
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json"):
        assert served.get(path).status_code == 200
    assert served.get("/v1/environments/chain_sum", headers=of("carol")).status_code == 200


def test_the_openapi_schema_declares_the_key(served):
    result = served.get("/openapi.json").json()
    [name] = result["components"]["securitySchemes"]
    assert all(route["security"] == [{name: []}] for path in result["paths"].values() for route in path.values())


def test_sessions_belong_to_their_key(served, clock):
    session = served.post("/v1/sessions", json=TASK, headers=of("bob")).json()["session"]
    place = f"/v1/sessions/{session}"
    for method, path, body in (
        ("GET", "", None),
        ("DELETE", "", None),
        ("POST", "/step", {"response": "x"}),
        ("POST", "/reset", {}),
        ("POST", "/snapshot", None),
    ):
        refused(served.request(method, place + path, json=body, headers=of("alice")), "not_found")
    [result] = served.post("/v1/steps", json={"steps": [{"session": session, "response": "x"}]}, headers=of("alice")).json()["results"]
    assert result["error"]["code"] == "not_found"
    assert served.get(place, headers=of("bob")).json()["turn"] == 0
    clock.now += 10_000
    refused(served.get(place, headers=of("alice")), "not_found")
    refused(served.get(place, headers=of("bob")), "session_expired")


def test_answers_require_permission(served):
    for name, status in (("alice", 200), ("bob", 403)):
        place = f"/v1/sessions/{served.post('/v1/sessions', json=TASK, headers=of(name)).json()['session']}"
        for path, body in (("oracle", None), ("mistake", {}), ("hint", {"tier": "concept"})):
            answer = served.post(f"{place}/{path}", json=body, headers=of(name))
            assert answer.status_code == status
            if status == 403:
                refused(answer, "forbidden")


def test_opponents_moves_require_permission(served):
    result = {}
    for name in ("alice", "bob"):
        path = f"/v1/sessions/{served.post('/v1/sessions', json={'name': 'nim', 'seed': 3}, headers=of('alice')).json()['session']}"
        right = served.post(f"{path}/oracle", headers=of("alice")).json()["response"]
        if name == "bob":
            path = f"/v1/sessions/{served.post('/v1/sessions', json={'name': 'nim', 'seed': 3}, headers=of('bob')).json()['session']}"
        served.post(f"{path}/step", json={"response": right}, headers=of(name))
        result[name] = [event["kind"] for event in served.get(path, headers=of(name)).json()["events"]]
    assert result == {"alice": ["answer", "opponent"], "bob": ["answer"]}


def test_the_session_limit_of_a_key(served):
    paths = [f"/v1/sessions/{served.post('/v1/sessions', json=TASK, headers=of('alice')).json()['session']}" for _ in range(2)]
    assert refused(served.post("/v1/sessions", json=TASK, headers=of("alice")), "quota_exceeded").headers["retry-after"] == "5"
    assert served.post("/v1/sessions", json=TASK, headers=of("bob")).status_code == 201
    served.delete(paths[0], headers=of("alice"))
    assert served.post("/v1/sessions", json=TASK, headers=of("alice")).status_code == 201


def test_steps_per_minute(served, clock):
    path = f"/v1/sessions/{served.post('/v1/sessions', json=TASK, headers=of('bob')).json()['session']}"

    def step():
        return served.post(f"{path}/step", json={"response": "x"}, headers=of("bob"))

    assert [step().status_code for _ in range(3)] == [200] * 3
    answer = refused(step(), "quota_exceeded")
    assert (answer.headers["retry-after"], answer.json()["error"]["retry_after"]) == ("20", 20.0)
    assert served.get(path, headers=of("bob")).json()["turn"] == 3  # a step that is refused is not taken
    clock.now += 20
    assert step().status_code == 200
    refused(step(), "quota_exceeded")
    refused(served.post(f"{path}/step", json={"response": "x", "turn": 0}, headers=of("bob")), "stale_turn")


def test_scores_per_minute(served, clock):
    def score(count):
        items = [{"task": TASK | {"name": "chain_sum"}, "response": "x"}] * count
        return served.post("/v1/score", json={"items": items}, headers=of("bob"))

    assert score(40).status_code == 200
    refused(score(40), "quota_exceeded")
    assert score(20).status_code == 200
    refused(score(1), "quota_exceeded")
    clock.now += 60
    assert score(200).status_code == 200  # more than a minute's needs a whole minute's, and is paid for afterwards
    clock.now += 60
    refused(score(1), "quota_exceeded")
    clock.now += 120
    assert score(20).status_code == 200


def test_requests_per_second(served, clock):
    def ask():
        return served.get("/v1/environments/chain_sum", headers=of("carol"))

    assert [ask().status_code for _ in range(4)] == [200] * 4
    assert refused(ask(), "quota_exceeded").json()["error"]["retry_after"] == 0.5
    clock.now += 0.5
    assert ask().status_code == 200
    refused(ask(), "quota_exceeded")


def test_websocket_messages_count_as_requests(served):
    with served.websocket_connect("/v1/play", headers=of("carol")) as socket:
        result = []
        for number in range(5):
            socket.send_json({"id": number, "op": "ping"})
            result.append(socket.receive_json())
    assert [item["ok"] for item in result] == [True] * 4 + [False]
    assert result[4]["error"]["code"] == "quota_exceeded"


def test_a_websocket_key_comes_from_the_header_or_the_first_message(served):
    with served.websocket_connect("/v1/play") as socket:
        socket.send_json({"id": 1, "op": "auth", "key": "bob's own key"})
        assert socket.receive_json() == {"id": 1, "ok": True}
        socket.send_json({"id": 2, "op": "open", **TASK})
        view = socket.receive_json()
        assert view["ok"]
        socket.send_json({"id": 3, "op": "oracle", "session": view["session"]})
        assert socket.receive_json()["error"]["code"] == "forbidden"
        refused(served.get(f"/v1/sessions/{view['session']}", headers=of("alice")), "not_found")
        assert served.get(f"/v1/sessions/{view['session']}", headers=of("bob")).status_code == 200


@pytest.mark.parametrize(
    "first", ['{"op": "auth", "key": "nobody"}', '{"op": "auth"}', '{"op": "open", "name": "nim"}', "[", '{"op": "auth", "key": ["x"]}']
)
def test_a_websocket_without_a_key_is_closed(served, first):
    with served.websocket_connect("/v1/play") as socket:
        socket.send_text(first)
        assert socket.receive_json()["error"]["code"] in ("unauthorized", "invalid_request")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 1008


def test_keys_appear_in_no_log_or_metric(tmp_path):
    file, lines = tmp_path / "keys.toml", []
    file.write_text(FILE)
    with TestClient(create_app(Settings(key_file=str(file)), log=RequestLog(lines.append, 0))) as client:
        client.post("/v1/sessions", json=TASK, headers=of("alice"))
        client.post("/v1/sessions", json=TASK, headers={"authorization": "Bearer nobody's key"})
        metrics = client.get("/metrics").text
    result = [json.loads(line) for line in lines]
    assert [item["key"] for item in result[:2]] == ["alice", None]
    assert result[1]["error_code"] == "unauthorized"
    assert "'s key" not in "".join(lines) + metrics
    assert "alice" not in metrics


def test_keys_in_json(tmp_path):
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [{"name": "carol", "sha256": SHA, "max_sessions": 4, "steps_per_minute": 600}]}))
    keys = KeyStore.load(str(file))
    assert keys.find("carol's key") == ApiKey("carol", max_sessions=4, steps_per_minute=600)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "keys: Field required"),
        ("keys = []", "at least 1"),
        ("[[keys]]", "name: Field required"),
        ("[[keys]]\nname = 'a'", "either key or sha256"),
        ("[[keys]]\nname = 'a'\nkey = 'long enough'\nsha256 = '" + SHA + "'", "either key or sha256"),
        ("[[keys]]\nname = 'a'\nkey = 'short'", "at least 8"),
        ("[[keys]]\nname = 'a'\nsha256 = 'short'", "pattern"),
        ("[[keys]]\nname = 'a'\nkey = 'long enough'\nsteps = 3", "steps"),
        ("[[keys]]\nname = 'a'\nkey = 'long enough'\nreveal_answers = 'yes'", "boolean"),
        ("[[keys]]\nname = 'a'\nkey = 'long enough'\n[[keys]]\nname = 'b'\nkey = 'long enough'", "twice"),
        ("[[keys]]\nname = 'a'\nkey = 'long enough'\n[[keys]]\nname = 'a'\nkey = 'long enough too'", "twice"),
        ("{", "not TOML"),
    ],
)
def test_an_invalid_key_file_is_reported(tmp_path, text, message):
    file = tmp_path / "keys.toml"
    file.write_text(text)
    with pytest.raises(KeyFileError) as result:
        create_app(Settings(key_file=str(file)))
    assert message in str(result.value)
    assert "long enough" not in str(result.value)


def test_a_missing_key_file_is_reported(tmp_path):
    with pytest.raises(KeyFileError, match="No such file"):
        create_app(Settings(key_file=str(tmp_path / "none.toml")))


def test_buckets_fill_up_to_their_capacity():
    clock = Clock()
    quotas = LocalQuotas(clock)
    assert quotas.consume("a", "steps", 10, rate_per_second=1, capacity=10) == 0
    clock.now += 1000
    assert quotas.consume("a", "steps", 10, rate_per_second=1, capacity=10) == 0
    assert quotas.consume("a", "steps", 3, rate_per_second=1, capacity=10) == 3
    assert quotas.consume("b", "steps", 3, rate_per_second=1, capacity=10) == 0
    assert [
        quotas.acquire_session("a", 2),
        quotas.acquire_session("a", 2),
        quotas.acquire_session("a", 2),
        quotas.acquire_session("a", None),
    ] == [True, True, False, True]
