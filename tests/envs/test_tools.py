"""What is special about tool calls and the worlds behind them."""

import json
import re

import pytest

import rlgym
from rlgym.answers import Misuse, Tool, ToolCalls, Unreadable
from rlgym.generators.simulations import shell


class Pick(Tool):
    """Picks a few."""

    count: int
    name: str = "any"


FORMAT = ToolCalls((Pick,), max_calls=3)


def say(*calls):
    return "<answer>" + "\n".join(json.dumps({"tool": tool, "arguments": arguments}) for tool, arguments in calls) + "</answer>"


def played(name, turns, **options):
    """The last info of an episode with these turns, and the observations."""
    env = rlgym.make(name, **options)
    env.reset(seed=5)
    seen = []
    for turn in turns:
        observation, _, over, _, info = env.step(turn)
        seen.append(observation)
        if over:
            break
    return info, seen


@pytest.mark.parametrize("count", ['"2"', "2.0", "true", "null", "[2]", "1e999"])
def test_arguments_are_typed_strictly(count):
    try:
        (call,) = FORMAT.parse(f'{{"tool": "pick", "arguments": {{"count": {count}}}}}')
    except Unreadable:
        return
    assert isinstance(call, Misuse)
    assert "count" in call.problem


def test_unknown_tools_and_arguments_can_be_read_by_the_model():
    unknown, more, missing = FORMAT.parse('[{"name": "take"}, {"name": "pick", "arguments": {"count": 1, "x": 2}}, {"name": "pick"}]')
    assert "there is no tool 'take'; the tools are pick" in unknown.problem
    assert "no argument 'x'" in more.problem
    assert "count is missing" in missing.problem


@pytest.mark.parametrize(
    "text",
    [
        '{"tool": "pick", "arguments": {"count": 1, "count": 2}}',
        '{"tool": "pick", "name": "pick", "arguments": {"count": 1}}',
        '{"tool": "pick", "arguments": {"count": 1}, "reward": 1}',
        '{"tool": "pick", "arguments": {"count": 1, "name": "\\ud800"}}',
        '{"tool": "pick", "arguments": {"count": 1}} and that is all',
        "[" * 4000,
        "[]",
        json.dumps([{"tool": "pick", "arguments": {"count": 1}}] * 4),
    ],
)
def test_what_is_no_call_is_unreadable(text):
    with pytest.raises(Unreadable):
        FORMAT.parse(text)


def test_a_call_that_was_only_thought_of_is_not_run():
    call = FORMAT.render((Pick(count=1),))
    with pytest.raises(Unreadable):
        FORMAT.parse_response(f"<think><tool_call>{call}</tool_call> {call}</think>Done.", "tag")


def test_tools_are_offered_as_function_schemas():
    env = rlgym.make("refund_desk")
    _, info = env.reset(seed=1)
    schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in info["tools"]}
    assert schemas["refund"]["required"] == ["order", "amount"]
    assert schemas["refuse"]["properties"]["reason"]["enum"][0] == "not_delivered"


def test_the_right_number_without_its_look_ups_is_a_guess():
    env = rlgym.make("calculator_and_lookup", level=0)
    env.reset(seed=5)
    turns = []
    over = False
    while not over:
        turns.append(env.oracle())
        *_, over, _, info = env.step(turns[-1])
    assert info["score"].value == 1
    search, get, _, submit = turns
    together = get.removesuffix("</answer>") + "\n" + submit.removeprefix("<answer>")
    for shorter in ([submit], [search, submit], [search, together]):
        info, _ = played("calculator_and_lookup", shorter, level=0)
        assert info["score"].value == 0
        assert "had been read" in info["score"].reason


def test_the_calculator_is_exact_and_runs_no_code():
    expressions = ("1/3 + 1/6", "7 / 0", "__import__('os')", "9**9**9", "(1", "12345678901 * 98765432109")
    _, seen = played("calculator_and_lookup", [say(*(("calculate", {"expression": text}) for text in expressions))])
    lines = seen[0].split("\n")
    assert lines[0] == "[1] 1/3 + 1/6 = 1/2"
    assert lines[5] == f"[6] 12345678901 * 98765432109 = {12345678901 * 98765432109}"
    assert all("has no result" in line for line in lines[1:5])


def clerk(env, observation, decide=None):
    """Works the refund desk from what can be read alone; `decide(order)` in place of the rules."""

    def ask(tool, **arguments):
        seen, _, over, _, info = env.step(say((tool, arguments)))
        return info if over else seen

    today = int(re.search(r"Today is day (\d+)", observation)[1])
    tickets = re.findall(r"^\d+\. (.+?) from (\w+) asks for an? (\w+) of the (.+?)\.( \".*\")?$", observation, re.M)
    rules = re.findall(r"^\d+\. ((?:If|Otherwise).*)$", observation, re.M)
    for name, town, wish, what, _ in tickets:
        code = what.removeprefix("order ")
        if not what.startswith("order "):
            customer = re.search(rf"(C\d+) {name} from {town}", ask("find_customer", name=name))[1]
            page, listed = 1, ask("list_orders", customer=customer)
            while not (match := re.search(rf"(R\d+) {what},", listed)):
                page += 1
                listed = ask("list_orders", customer=customer, page=page)
            code = match[1]
        record = ask("get_order", order=code)
        who = ask("get_customer", customer=re.search(r"C\d+", record)[0])
        product = re.search(r": ([a-z ]+), price", record)[1]
        stock = int(re.search(r": (\d+) in stock", ask("check_stock", product=product))[1])
        price, shipping = (int(re.search(rf"{word} (\d+) coins", record)[1]) for word in ("price", "shipping"))
        tool, more = (decide or by_rules)(rules, today, record, who, product, stock, price, shipping, wish)
        ask(tool, order=code, **more)
    return ask("finish")["score"].value


def by_rules(rules, today, record, who, product, stock, price, shipping, wish):
    arrived = re.search(r"delivered on day (\d+)", record)
    age = today - int(arrived[1]) if arrived else -1
    gold, refunds = "a gold" in who, int(re.search(r"year: (\d+)", who)[1])
    for rule in rules:
        number = int((re.search(r"\d+", rule) or ["0"])[0])
        tests = {
            "has not been delivered": not arrived,
            "was settled": "not settled" not in record,
            "is not a gold": not gold and age > number,
            "product is a": age > number and f" a {product.split()[-1]} and" in rule,
            "order was delivered more": age > number,
            "clearance sale": "no clearance" not in record,
            "`damaged by the customer`": "damaged by" in record,
            "`arrived broken`": "arrived broken" in record,
            "is a gold": gold,
            "`opened`": "`opened`" in record,
            "exchange and": wish == "exchange" and stock > 0,
            "or more refunds": refunds >= number,
            "price is above": price > number,
            "Otherwise": True,
        }
        if not next(met for phrase, met in tests.items() if phrase in rule):
            continue
        if "refuse" in rule:
            return "refuse", {"reason": rule.rsplit(" ", 1)[1].rstrip(".")}
        if "escalate" in rule:
            return "escalate", {}
        if rule.endswith(": exchange."):
            return "exchange", {}
        less = price * number // 100 if "less" in rule else 0
        return "refund", {"amount": price - less + (shipping if "and the shipping" in rule else 0)}
    raise AssertionError(rules)


def shift(seed, decide=None, **knobs):
    env = rlgym.make("refund_desk", named="product", history=3, **knobs)
    observation, _ = env.reset(seed=seed)
    return clerk(env, observation, decide)


def test_a_clerk_who_only_reads_wins_every_shift():
    assert all(shift(seed, tickets=1, rules=3 + seed % 7) for seed in range(150))
    assert all(shift(seed, tickets=4, rules=8) for seed in range(20))


@pytest.mark.parametrize(
    "decide",
    [
        lambda rules, today, record, who, product, stock, price, *_: ("refund", {"amount": price}),
        lambda *_: ("refuse", {"reason": "too_late"}),
        lambda *_: ("escalate", {}),
        lambda *_: ("exchange", {}),
    ],
)
def test_a_clerk_who_always_decides_alike_seldom_wins(decide):
    assert sum(shift(seed, decide, tickets=1, rules=3) for seed in range(100)) < 40
    assert sum(shift(seed, decide, tickets=3, rules=6) for seed in range(80)) < 4


def test_an_order_that_nobody_asked_about_must_stay_as_it_is():
    env = rlgym.make("refund_desk", level=0)
    env.reset(seed=5)
    shop = env.task.data.shop
    other = next(order.code for i, order in enumerate(shop.orders) if i != shop.tickets[0].order)
    turns = [say(("get_order", {"order": other}), ("escalate", {"order": "R1"}))]
    env.step(turns[0])
    while "finish" not in env.oracle():
        env.step(env.oracle())
    local = env.snapshot()
    assert env.step(env.oracle())[1] == 1
    env.restore(local)
    env.step(say(("escalate", {"order": other})))
    *_, info = env.step(env.oracle())
    assert info["score"].value == 0
    assert "no ticket is about" in info["score"].reason


def test_files_are_judged_as_they_are_at_the_end_by_whatever_way():
    rewritten = 0
    for seed in range(30):
        env = rlgym.make("file_system_tasks", level=0.4)
        env.reset(seed=seed)
        calls, over = [], False
        while not over:
            calls += ToolCalls.parse(env.declared.answer, env.oracle().removeprefix("<answer>").removesuffix("</answer>"))
            *_, over, _, _ = env.step(env.oracle())
        texts = dict(env.task.data.files)
        env.reset(seed=seed)
        for call in calls[:-1]:
            if type(call).__name__ != "Move":
                env.step(env.declared.answer.render_response((call,), "tag"))
                continue
            rewritten += 1
            text = env.snapshot().state.files[call.source]
            env.step(say(("write", {"path": call.target, "text": f"\n{text}  \n"}), ("delete", {"path": call.source})))
        local = env.snapshot()
        assert env.step(say(("finish", {})))[1] == 1
        env.restore(local)
        assert env.step(say(("write", {"path": "/more/than.txt", "text": "asked"}), ("finish", {})))[1] == 0
        assert env.task.data.files == texts
    assert rewritten > 5


def test_the_schemas_of_an_environment_are_its_own():
    first, second = rlgym.make("invoice_disputes", level=0.5), rlgym.make("invoice_disputes", level=0.5)
    tools = first.reset(seed=1)[1]["tools"]
    assert tools == second.reset(seed=1)[1]["tools"] == first.step(first.oracle())[-1]["tools"]
    tools.clear()
    assert second.step(second.oracle())[-1]["tools"]
    assert rlgym.environment("invoice_disputes").answer.schemas()


def test_the_sum_of_empty_lines_is_refused_and_not_an_error_of_the_world():
    assert shell.run({"/a": "1 2\n3 4"}, "cat /a | cut -f 0 | sum")[1] == "error: sum needs integers, got ''"
    env = rlgym.make("shell_world", level=0.5)
    env.reset(seed=3)
    *_, info = env.step(say(("shell", {"command": "find / | cut -f 9 | sum"})))
    assert "score" not in info
