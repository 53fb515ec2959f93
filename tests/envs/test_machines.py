"""Invented machines and languages: independent evaluators agree with each other and with results computed by hand."""

from dataclasses import replace

import pytest

from rlgym import Rng
from rlgym.generators.programs import (
    controller_specifications,
    controllers,
    goals,
    lexer_specifications,
    lexers,
    machine_programs,
    machine_specifications,
    machines,
    notation_specifications,
    notations,
    record_specifications,
    records,
)

MACHINE = machines.Machine(
    names=tuple((kind, kind) for kind in machine_specifications.KINDS),
    swapped=True,
    test="positive",
    target="next",
    halts=True,
    keeps=False,
    modulus=0,
)
COUNTDOWN = [("push", 3), ("dup",), ("out",), ("push", 1), ("swap",), ("sub",), ("dup",), ("jump_if", -7), ("out",), ("out",), ("push", 9)]


def test_a_machine_does_what_its_rules_say():
    # Sub takes the 1 below from the counter on top. The last out but one finds the 0, the last one nothing, which ends the program.
    assert machines.output(MACHINE, COUNTDOWN) == [3, 2, 1, 0]
    states = machines.trace(MACHINE, COUNTDOWN)
    assert states[7] == (1, (2,), (3,))
    assert states[-1] == (len(COUNTDOWN), (), (3, 2, 1, 0))


def test_the_interpreters_agree_with_the_machine():
    for seed in range(30):
        rng = Rng("machine", seed)
        report = machine_specifications.specification(rng, 4 + seed % 9, 16)
        for (program,) in report.inputs:
            assert report.plain(program, **report.rules) == report.swift(program, **report.rules), (program, report.rules)
        drawn = machines.sample(rng, machine_specifications.KINDS[: 4 + seed % 9])
        for program in machine_programs.programs(rng, drawn, 20):
            assert machines.cases(program, **machines.rules_of(drawn)) == machines.output(drawn, program)


@pytest.mark.parametrize("mirrored", [False, True])
def test_compiled_programs_compute_their_goals(mirrored):
    for seed in range(60):
        rng = Rng("goal", seed)
        lacked = rng.sample(("add", "mul", "jump", "dup"), seed % 4)
        machine = machines.sample(rng, [kind for kind in machine_specifications.KINDS if kind not in lacked])
        machine = replace(machine, modulus=0)
        goal = goals.sample(rng, machine, "ab", 1 + seed % 4, seed % 3)
        program = goals.compile_goal(machine, goal, "ab", mirrored=mirrored)
        for given in goals.inputs(rng, "ab", "b", 12):
            try:
                states = machines.trace(machine, program, tuple(given.values()), 5000)
            except machines.TooLarge:
                continue
            assert states[-1][2] == (goals.value(goal, given),), (goals.words(goal), given, program)


def test_shortcuts_leave_out_one_condition_each():
    inside = ("if", ("<", "a", "b"), 1, "a")
    goal = ("+", "b", ("sum", "k", "b", ("if", ("==", "k", "a"), "k", inside)))
    found = goals.shortcuts(goal)
    assert ("+", "b", ("sum", "k", "b", inside)) in found
    assert ("+", "b", ("sum", "k", "b", ("if", ("==", "k", "a"), "k", 1))) in found
    assert len(found) == 4


NOTATION = {
    "binary": {"#": ("sub", 0), "@": ("mul", 1), "&": ("div", 1)},
    "sides": ("right", "left"),
    "prefix": {"~": "neg"},
    "postfix": {"!": "square"},
    "square": "abs",
    "zero": "error",
    "error": None,
    "used": ("sub", "mul", "div"),
}


@pytest.mark.parametrize(
    ("text", "first", "value"),
    [
        ("9#4#2", "prefix", 7),
        ("2@3#1", "prefix", 5),
        ("7 & 2 & 2", "prefix", 1),
        ("~3!", "prefix", 9),
        ("~3!", "postfix", -9),
        ("[2#9]!", "postfix", 49),
        ("5&(1#1)", "prefix", None),
        ("(1]", "prefix", None),
        ("1 2", "prefix", None),
        ("", "prefix", None),
    ],
)
def test_formulas_are_worth_what_they_say(text, first, value):
    assert notations.descending(text, first=first, **NOTATION) == value
    assert notations.shunting(text, first=first, **NOTATION) == value


LEXED = {
    "operators": ("<", "<=", "=", "<=>"),
    "keys": ("if",),
    "folded": True,
    "inner": "-",
    "grouped": True,
    "fraction": True,
    "hexed": True,
    "quote": '"',
    "escape": "double",
    "spread": False,
    "line": "#",
    "open": "(*",
    "close": "*)",
    "nested": True,
    "breaks": "one",
    "error": "token",
    "places": False,
}


@pytest.mark.parametrize(
    ("text", "longest", "tokens"),
    [
        ("IF a-b- 1_0.5_0.", True, [("key", "IF"), ("word", "a-b"), ("bad", "-"), ("number", "10.50"), ("bad", ".")]),
        ("<=>=", True, [("operator", "<=>"), ("operator", "=")]),
        ("<=>", False, [("operator", "<"), ("operator", "="), ("bad", ">")]),
        ('"a""b#"# "c', True, [("string", 'a"b#')]),
        ("\n x(*(**)\n*)\n\n0xfg", True, [("word", "x"), ("break", ""), ("number", "0xf"), ("word", "g")]),
        ('(* "', True, [("bad", "("), ("bad", "*"), ("bad", '"')]),
    ],
)
def test_texts_fall_into_the_tokens_they_should(text, longest, tokens):
    assert lexers.scanned(text, longest=longest, **LEXED) == tokens
    assert lexers.longest_first(text, longest=longest, **LEXED) == tokens


READ = {
    "sign": "=",
    "mark": "#",
    "trailing": True,
    "quote": '"',
    "escape": "backslash",
    "numbers": True,
    "truths": ("on", "off"),
    "comma": ",",
    "nested": "sections",
    "common": "dropped",
    "repeated": "first",
    "empty": "none",
    "flag": True,
    "folded": True,
}


@pytest.mark.parametrize(
    ("text", "skips", "settings"),
    [
        ('a=1 # one\nA=2\nb = "x\\"#, y", -3\nc=\nd', True, {"a": 1, "b": ['x"#, y', -3], "c": None, "d": True}),
        ("[common]\nx=on\ny=z\n[w]\ny=2\n[w.v]", True, {"w": {"x": True, "y": 2, "v": {}}}),
        ("w=1\n[w]\na.b=2\nc=3", True, {"w": 1, "c": 3}),
        ("w=1\n\n[w]\na.b=2", False, 3),
        ("", False, {}),
    ],
)
def test_settings_are_read_as_they_should_be(text, skips, settings):
    assert records.read(text, skips=skips, **READ) == settings
    assert records.gathered(text, skips=skips, **READ) == settings


CONTROLLED = {
    "start": "idle",
    "table": (("idle", "go", (), "busy", ("n", 1)), ("any", "go", ("n", ">=", 1), "idle", ()), ("busy", "stop", (), "idle", ())),
    "waits": {"busy": (5, "idle")},
    "renewed": True,
    "last": False,
    "most": 0,
    "reset": "",
    "ignored": "none",
    "told": "state",
    "until": True,
}


@pytest.mark.parametrize(
    ("events", "tie", "happens"),
    [
        ([(1, "go"), (6, "stop")], "timer", [(1, "busy"), (6, "idle")]),
        ([(1, "go"), (6, "go")], "timer", [(1, "busy"), (6, "idle"), (6, "busy"), (11, "idle")]),
        ([(1, "go"), (6, "go")], "event", [(1, "busy"), (6, "idle")]),
        ([(1, "go"), (4, "hit"), (8, "hit")], "event", [(1, "busy"), (13, "idle")]),
        ([], "event", []),
    ],
)
def test_controllers_do_what_they_should(events, tie, happens):
    assert controllers.stepped(events, tie=tie, **CONTROLLED) == happens
    assert controllers.jumped(events, tie=tie, **CONTROLLED) == happens


@pytest.mark.parametrize(
    ("maker", "knobs"),
    [
        (notation_specifications.specification, lambda seed: (1 + seed % 4, seed % 5, seed % 2 == 0, seed % 4)),
        (lexer_specifications.specification, lambda seed: (3 + seed % 7, seed % 3, seed // 3 % 3, seed % 4)),
        (record_specifications.specification, lambda seed: (seed % 3, seed // 3 % 3, seed % 3, seed % 4)),
        (controller_specifications.specification, lambda seed: (2 + seed % 4, 3 + seed % 11, seed % 4, seed % 8, seed % 3)),
    ],
    ids=["notations", "lexers", "records", "controllers"],
)
def test_both_solutions_of_a_specification_agree(maker, knobs):
    for seed in range(24):
        report = maker(Rng("told", seed), *knobs(seed))
        for arguments in report.inputs:
            assert report.plain(*arguments, **report.rules) == report.swift(*arguments, **report.rules), (arguments, report.rules)
