"""A judge that calls tools before its verdict: a calculator, Python in the sandbox, a search, or functions of one's own.

From "Tool-Augmented Reward Modeling" (Themis).
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rlgym.answers import trees
from rlgym.core.answer import Unreadable
from rlgym.core.limits import Limits
from rlgym.rubrics.judge import Judge, JudgeUnavailable

_CALL = re.compile(r"<tool name=\"([A-Za-z_][A-Za-z0-9_]{0,40})\">(.*?)</tool>", re.DOTALL)
_WORD = re.compile(r"\w+")
_CALCULATOR = trees.Grammar(functions=tuple(trees.FUNCTIONS), constants=tuple(trees.CONSTANTS))
MOST_SHOWN = 2_000
"""Characters of a tool's result that the judge reads."""
PYTHON_LIMITS = Limits(seconds=5, memory_mb=256, output_kb=64)


@dataclass(frozen=True)
class JudgeTool:
    """A tool of a judge.

    name         as it is called
    description  what it takes and returns, in a sentence for the judge
    run          from the text of a call to the text of its result; what it raises is shown as an error
    """

    name: str
    description: str
    run: Callable[[str], str]


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool, and what it returned."""

    tool: str
    given: str
    result: str


@dataclass(frozen=True)
class ToolTrace:
    """The calls before a verdict, and the last reply, which gives it."""

    calls: tuple[ToolCall, ...]
    reply: str


class ToolJudge:
    """A judge that may call tools, one in each reply, before the reply that gives the verdict.

    A reply with `<tool name="calculate">1 + 2</tool>` is a call: the judge is asked again with what it wrote and with the result as a JSON string. After
    `most_calls` calls no tool is offered any more. `trace(prompt)` has the calls that led to the last verdict on a prompt, and `log` is a file to
    which every trace is appended as a line of JSON. Put a CachedJudge inside, `ToolJudge(CachedJudge(judge), tools)`, so that each request is kept by
    its content. Only the judge's own replies are read for calls, never the response that is judged.
    """

    def __init__(self, judge: Judge, tools: Sequence[JudgeTool], *, most_calls: int = 4, log: str | Path | None = None) -> None:
        names = [tool.name for tool in tools]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"a judge with tools needs tools with different names, got {names}")
        if most_calls < 1:
            raise ValueError(f"most_calls must be at least 1, got {most_calls}")
        self._judge, self._tools, self._most_calls, self._log = judge, {tool.name: tool for tool in tools}, most_calls, log
        self._traces: dict[str, ToolTrace] = {}
        self._lock = threading.Lock()

    @property
    def version(self) -> str:
        return f"{self._judge.version} tools={','.join(self._tools)} most_calls={self._most_calls}"

    def reply(self, prompt: str) -> str:
        """The reply that gives the verdict, after the calls. JudgeUnavailable if the judge fails, or calls on without a verdict."""
        calls, shown = list[ToolCall](), f"{prompt}\n\n{self._manual()}"
        while True:
            reply = self._judge.reply(shown)
            thinking = reply.rfind("</think>") + 1
            call = _CALL.search(reply, thinking)
            if call is None:
                return self._keep(prompt, ToolTrace(tuple(calls), reply))
            if len(calls) == self._most_calls:
                raise JudgeUnavailable(f"the judge gave no verdict after {self._most_calls} calls")
            calls.append(self._run(call[1], call[2].strip()))
            left = self._most_calls - len(calls)
            further = f"You may call {left} more." if left else "You may call no further tool: give your verdict."
            shown += f"\n\n{reply[: call.end()]}\n\nResult: {json.dumps(calls[-1].result)}\n\n{further}"

    def trace(self, prompt: str) -> ToolTrace | None:
        """What led to the last verdict on this prompt; None where there is none."""
        return self._traces.get(prompt)

    def _manual(self) -> str:
        tools = "\n".join(f"- {tool.name}: {tool.description}" for tool in self._tools.values())
        return (
            f'Before your verdict you may call tools, at most {self._most_calls} times. To call one, end your reply with <tool name="NAME">...</tool>; '
            f"the result follows in the next message.\n{tools}"
        )

    def _run(self, name: str, given: str) -> ToolCall:
        if name not in self._tools:
            return ToolCall(name, given, f"error: there is no tool {name!r}; there are {', '.join(self._tools)}")
        try:
            result = self._tools[name].run(given)
        except Exception as error:
            result = f"error: {error}"
        return ToolCall(name, given, result if len(result) <= MOST_SHOWN else f"{result[:MOST_SHOWN]} ...")

    def _keep(self, prompt: str, trace: ToolTrace) -> str:
        with self._lock:
            self._traces[prompt] = trace
            if self._log is not None:
                with open(self._log, "a", encoding="utf-8") as log:
                    log.write(json.dumps({"prompt": prompt, **asdict(trace)}) + "\n")
        return trace.reply


def calculator() -> JudgeTool:
    """The value of an expression of numbers, read without evaluating code."""

    def run(given: str) -> str:
        try:
            return f"{trees.value(trees.read(given, _CALCULATOR)):.15g}"
        except (Unreadable, ArithmeticError) as error:
            return f"error: {error}"

    return JudgeTool("calculate", "the value of an expression of numbers such as (1 + 2) * sqrt(2) / 4^3", run)


def python(limits: Limits = PYTHON_LIMITS) -> JudgeTool:
    """What a program prints in the sandbox. SandboxMissing, shown to the judge as an error, where none can be started."""

    def run(given: str) -> str:
        from rlgym.sandbox import get_runner

        result = get_runner(limits).run(given, entry=None)
        lines = [result.stdout.rstrip("\n")] + (
            [] if result.stopped_by == "finished" else [result.stderr.strip() or str(result.stopped_by)]
        )
        return "\n".join(line for line in lines if line) or "the program printed nothing"

    return JudgeTool("python", "what a Python program prints; it has the standard library alone and no network", run)


def search(documents: Sequence[str], most: int = 3) -> JudgeTool:
    """The documents that fit a query best, ranked by BM25; ties go by position."""
    import bm25s

    words = [_WORD.findall(document.casefold()) for document in documents]
    known = {word for each in words for word in each}
    scorer = bm25s.BM25(backend="numpy")
    scorer.index(words, show_progress=False)

    def run(given: str) -> str:
        terms = [word for word in dict.fromkeys(_WORD.findall(given.casefold())) if word in known]
        scores = [round(float(score), 4) for score in scorer.get_scores(terms)] if terms else [0.0] * len(documents)
        best = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: (-scores[place], place))[:most]
        return "\n".join(documents[place] for place in best) or "nothing was found"

    return JudgeTool("search", "the documents that fit a query of a few words best", run)
