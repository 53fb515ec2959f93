"""Code, text and code again: rows whose program comes back right from its description are kept."""

import json

import pytest
from evaluate.endpoint import Odd, serving
from typer.testing import CliRunner

import rlgym
from rlgym import RlgymError
from rlgym.cli import app
from rlgym.core.reply_file import ReplyFile
from rlgym.dataset import Recipe, build, load, sample
from rlgym.evaluate.models.base import Completion, RequestFailed
from rlgym.evaluate.round_trip import quotes, round_trips


class Scribe:
    """Describes programs by a number that it remembers, and writes them again: `change` alters a program, `describe` the description."""

    kind, name, max_concurrency = "scribe", "scribe", 2

    def __init__(self, change=lambda code, number: code, describe=lambda code, number: f"It is program {number}."):
        self.change, self.describe, self.codes, self.asked = change, describe, [], 0

    def reply(self, text):
        self.asked += 1
        if text.startswith("Describe in words"):
            self.codes.append(text.partition("\n\n")[2])
            return self.describe(self.codes[-1], len(self.codes) - 1)
        number = int(text.partition("It is program ")[2].partition(".")[0])
        return f"<answer>{self.change(self.codes[number], number)}</answer>"

    async def generate(self, messages, tools, sampling, seed):
        return Completion({"role": "assistant", "content": self.reply(messages[0]["content"])})

    async def close(self):
        pass


@pytest.fixture(scope="module")
def rows():
    return [*sample(["verilog_combinational"], 3, levels=[0.0]), *sample(["sql_query"], 2, levels=[0.3])]


def test_programs_that_come_back_are_kept_with_their_description(rows, tmp_path):
    scribe, replies = Scribe(), ReplyFile(tmp_path / "replies.jsonl")
    found = round_trips(rows, scribe, replies)
    assert [row["id"] for row in found.kept] == [row["id"] for row in rows]
    assert found.left_out == {}
    for row in found.kept:
        assert row["description"].startswith("It is program")
        assert rlgym.score(row, row["rewritten"]).value == 1
    assert scribe.asked == 10
    assert len(round_trips(rows, scribe, ReplyFile(tmp_path / "replies.jsonl")).kept) == 5
    assert scribe.asked == 10, "replies are kept and not requested again"


def test_other_programs_and_quotations_are_left_out(rows):
    wrong = round_trips(
        rows, Scribe(change=lambda code, number: "SELECT 1" if code.lower().startswith(("select", "with")) else code), ReplyFile()
    )
    assert [row["env"] for row in wrong.kept] == ["verilog_combinational"] * 3
    assert wrong.left_out == {"the rewritten program is wrong": 2}
    lost = round_trips(rows[:1], Scribe(change=lambda code, number: "hello"), ReplyFile())
    assert lost.kept == []
    quoting = round_trips(rows[3:], Scribe(describe=lambda code, number: f"It is program {number}. {code}"), ReplyFile())
    assert quoting.left_out == {"the description quotes the program": 2}


def test_a_long_line_is_a_quotation_but_the_head_is_not():
    code = "module top(input [2:0] a, input [2:0] b, output y);\n  assign y = a[0] & b[1] & ~a[2] & b[0];\nendmodule"
    assert quotes("So assign y=a[0] & b[1] & ~a[2] & b[0]; ends it", code)
    assert not quotes("The head is module top(input [2:0] a, input [2:0] b, output y); and y is an and of four bits", code)
    assert quotes("run SELECT name FROM people ORDER BY name", "SELECT name FROM people ORDER BY name")


def test_failed_requests_and_rows_without_programs_are_counted(rows):
    class Broken(Scribe):
        async def generate(self, messages, tools, sampling, seed):
            raise RequestFailed("no")

    other = next(iter(sample(["chain_sum"], 1)))
    assert round_trips([rows[0], other], Broken(), ReplyFile()).left_out == {"a request failed": 1, "its answer is not a program": 1}
    with pytest.raises(RlgymError, match="no row has a program"):
        round_trips([other], Scribe(), ReplyFile())


def test_the_command_filters_a_dataset(tmp_path):
    build(Recipe(names=["verilog_combinational"], levels=[0.0], count=4, seed=3), tmp_path / "data")
    scribe = Scribe(change=lambda code, number: code if number else "module top(); endmodule")

    def answer(request, number):
        content = scribe.reply(request["messages"][0]["content"])
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        return Odd(200, json.dumps({"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}).encode())

    with serving([], answer) as server:
        options = ["--model", "m", "--base-url", server.url, "--out", str(tmp_path / "kept.jsonl"), "--json"]
        done = CliRunner().invoke(app, ["dataset", "round-trip", str(tmp_path / "data"), *options])
    assert done.exit_code == 0, done.output
    report = json.loads(done.output)
    assert (report["rows"], report["kept"]) == (4, 3)
    kept = [json.loads(line) for line in (tmp_path / "kept.jsonl").read_text().splitlines()]
    assert {row["id"] for row in kept} < {row["id"] for row in load(tmp_path / "data")}
    assert (tmp_path / "kept.replies.jsonl").exists()
