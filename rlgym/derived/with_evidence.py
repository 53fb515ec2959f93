"""NAME:with_evidence: a world of tools in which the player also names the calls whose results prove that the task is done."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from pydantic import Field, create_model

from rlgym.answers.tools import Call, Calls, Misuse, Tool, ToolCalls
from rlgym.core.declare import Declaration, Game
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import TaskData

SPARE_TURNS = 2  # beyond those of the task: one for the evidence, one for a response that cannot be read
MOST_CITED = 200
MOST_REPLAYED = 8  # of the cited calls whose results differ without a needed one: a world that counts calls lets all differ
REVISION = 3  # what is added to the version of the world: it grows where the prompts or verdicts of this kind change


class SubmitEvidence(Tool):
    """Cites calls by their numbers and ends the episode."""

    calls: list[int] = Field(max_length=MOST_CITED)


def with_evidence(declared: Declaration) -> Game[Any, Any, Any] | None:
    """The derived game; None where the world has no tools, or runs programs.

    The calls of an episode are numbered from 1. When the world's task is over, the player submits the numbers of some of them, and only these count.
    `required_calls` are calls that the goal needs: without any of them, and with all the others, the score would be lower. Each is proved by itself, or
    by a later call whose result would have been different without it. The score is that of the task if all are proved and no more calls are cited than are
    required; the more are cited beyond that, the less it is, and without a proof it is 0.

    SmartSnap: Proactive Evidence Seeking for Self-Verifying Agents.
    """
    if not isinstance(declared, Game) or not isinstance(declared.answer, ToolCalls) or declared.sandbox is not None:
        return None
    own_tools = declared.answer
    tools = replace(own_tools, tools=(*own_tools.tools, SubmitEvidence))
    state = _state_class(declared.data)

    def start(rng: Rng, knobs: Any) -> Any:
        first = declared.start(rng.child("task"), knobs)
        return state(first=first, now=first)

    start.__annotations__["return"] = state

    def show(now: Any) -> str:
        if not now.turns and not now.note:
            return f"{_with_manual(declared.show(now.now), own_tools, tools)}\n\n{_MANUAL}"
        sizes = [len(calls) for calls in _read(declared, now.turns)]
        over = declared.outcome(now.now) is not None
        # What the last turn showed is not repeated once the task is over.
        text = "" if over and now.note else declared.show(now.now)
        results = _results_by_number(text, sum(sizes[:-1]) + 1, sizes[-1]) if sizes else text
        state = f"The task is over. {_numbered(sizes)} Submit the evidence." if over else _numbered(sizes)
        return "\n\n".join(part for part in (results.strip(), now.note, state) if part)

    def act(now: Any, calls: Calls) -> Any:
        submitted = [call for call in calls if _submits(call)]
        over = declared.outcome(now.now) is not None
        own = tuple(call for call in calls if not _submits(call))
        cited = next((call for call in submitted if isinstance(call, SubmitEvidence)), None)
        if cited and over:
            return now.model_copy(update={"cited": tuple(cited.calls)})
        problem = next((call.problem for call in submitted if isinstance(call, Misuse)), "")
        early = "submit_evidence was not run: evidence is submitted in a turn of its own, when the task is over." if submitted else ""
        note = problem or early
        if over or not own:
            return now.model_copy(update={"idle": now.idle + 1, "note": note or "Nothing was run: only submit_evidence is left."})
        # Evidence beside other calls is not read: it would be chosen before their results are known.
        return now.model_copy(update={"now": declared.act(now.now, own), "turns": (*now.turns, declared.answer.render(own)), "note": note})

    def outcome(now: Any) -> Score | None:
        if now.cited is None:
            late = declared.outcome(now.now) is None and len(now.turns) + now.idle >= declared.turns(now.first)
            return Score.wrong("the task was not done in the turns that it has") if late else None
        score = declared.outcome(now.now)
        assert score is not None, "evidence is submitted when the task is over"
        return _judged(declared, now, score)

    def best(now: Any) -> Calls:
        if declared.outcome(now.now) is None:
            answer: Calls = declared.best(now.now)
            return answer
        return (SubmitEvidence(calls=[number + 1 for number in required_calls(declared, now.first, _read(declared, now.turns))]),)

    def mistakes(now: Any) -> Iterator[Calls]:
        if declared.outcome(now.now) is None:
            yield from declared.mistakes(now.now)
            return
        needed = best(now)[0].calls  # type: ignore[union-attr]
        yield (SubmitEvidence(calls=[]),)
        yield (SubmitEvidence(calls=needed[:-1]),)

    explain, milestones, rules = declared.explain, declared.milestones, declared.rules
    return Game(
        declared.config,
        tools,
        start,
        show,
        act,
        outcome,
        best,
        mistakes,
        cost=lambda now: declared.cost(now.now),
        turns=lambda now: declared.turns(now.first) + SPARE_TURNS,
        explain=(lambda now: _explained(declared, now, tools, best(now))) if explain else None,
        milestones=(lambda now: {**milestones(now.now), "evidence": float(now.cited is not None)}) if milestones else None,
        rules=(lambda first: {name: _on_world(declared, best, oracle) for name, oracle in rules(first.first).items()}) if rules else None,
        no_rules=declared.no_rules,
        planted=declared.planted,
        partial=True,
        guessable=declared.guessable,
        concept=declared.concept,
        needs=declared.needs,
        version=declared.version + REVISION,
    )


def required_calls(declared: Game[Any, Any, Any], first: Any, turns: Sequence[Calls]) -> list[int]:
    """The positions of calls that the goal needs, in an episode given by its turns: the later half of the calls is left out as long as the score stays
    the same, else the halves of it, the later one first, and so on; then the earlier half. The call that ends the task is none of them.

    An episode of N calls of which k are needed is replayed at most about 2 k log2 N times.
    """
    target = _final(declared, first, turns)
    made = [(turn, place) for turn, calls in enumerate(turns) for place in range(len(calls))]
    states = [first]  # before each turn; calls are left out before any that they follow, so that these stay as they are
    for calls in turns[:-1]:
        states.append(declared.act(states[-1], calls))
    left_out, needed = set[tuple[int, int]](), list[tuple[int, int]]()
    pieces = [made[:-1]] if made[:-1] else []
    while pieces:
        piece = pieces.pop()
        fewer = [one for one in made if one not in left_out and not piece[0] <= one <= piece[-1]]
        begin = piece[0][0]
        if _final(declared, states[begin], _chosen(turns, fewer)[begin:]) >= target:
            left_out.update(piece)
        elif len(piece) == 1:
            needed += piece
        else:
            pieces += [piece[: len(piece) // 2], piece[len(piece) // 2 :]]
    return sorted(map(made.index, needed))


def proved(declared: Game[Any, Any, Any], first: Any, turns: Sequence[Calls], needed: int, cited: Mapping[int, str]) -> bool:
    """Whether a call that the goal needs is among those cited, or one of them is a later call whose result would have been different without it.

    cited  the numbers of the calls, from 0, and what each showed
    """
    if needed in cited:
        return True
    later = sorted(number for number in cited if number > needed)
    made = [call for calls in turns for call in calls]
    # Worlds count calls, some of them those that fail too: the missing call is replaced by one that fails, and by the later one.
    without = _results(declared, first, turns, later, needed, _NOTHING)
    differing = [number for number in later if without[number] != cited[number]]
    return any(
        cited[number] != _results(declared, first, turns, [number], needed, made[number])[number] for number in differing[:MOST_REPLAYED]
    )


_NOTHING = Misuse('{"tool": "nothing", "arguments": {}}', "nothing was done")
_MANUAL = (
    "When the task is over, you submit evidence with submit_evidence: the numbers of the calls whose results prove that it is done. Your calls are numbered "
    "from 1 through the whole episode, in the order in which you make them. For every call that the task needed, cite that call, or a later call whose "
    "result would have been different without it; the call that ends the task needs no proof. Only the calls that you cite are looked at, and citing more "
    "calls than the task needed lowers the score. Submit the evidence in a turn of its own, after the task is over."
)
_LABEL = re.compile(r"^\[(\d+)\] ", re.MULTILINE)


@cache
def _state_class(inside: type[TaskData]) -> Any:
    return create_model(
        f"{inside.__name__}Evidence",
        __base__=TaskData,
        __cls_kwargs__={"defer_build": True},
        first=(inside, ...),
        now=(inside, ...),
        turns=(tuple[str, ...], ()),
        idle=(int, 0),
        note=(str, ""),
        cited=(tuple[int, ...] | None, None),
    )


def _judged(declared: Game[Any, Any, Any], now: Any, score: Score) -> Score:
    turns = _read(declared, now.turns)
    cited = [number - 1 for number in dict.fromkeys(now.cited)]
    if any(not 0 <= number < sum(map(len, turns)) for number in cited):
        return Score.wrong("the evidence cites a call that was not made")
    if score.value == 0 or score.masked:
        return replace(score, parts={**score.parts, "task": 0.0, "proved": 0.0, "concise": 0.0})
    needed = required_calls(declared, now.first, turns)
    results = _results(declared, now.first, turns, cited)
    shown = [number for number in needed if proved(declared, now.first, turns, number, results)]
    share = len(shown) / len(needed) if needed else 1.0
    concise = min(1.0, max(1, len(needed)) / max(1, len(cited)))
    parts = {**score.parts, "task": score.value, "proved": share, "concise": concise}
    if share < 1:
        missing = next(number for number in needed if number not in shown)
        return replace(Score.wrong(f"the evidence does not show what call {missing + 1} did"), parts=parts)
    suffice = "none is needed" if not needed else "1 suffices" if len(needed) == 1 else f"{len(needed)} suffice"
    reason = score.reason if concise == 1 else f"the evidence cites {len(cited)} calls where {suffice}"
    return Score.partial(score.value * concise, reason, **parts)


def _with_manual(prompt: str, tools: ToolCalls, extended: ToolCalls) -> str:
    """The first prompt of a world with submit_evidence in its list of tools, or below it where the list is not that of all tools."""
    if tools.manual() in prompt:
        return prompt.replace(tools.manual(), extended.manual(), 1)
    return f"{prompt}\n\nOne more tool:\n{replace(tools, tools=(SubmitEvidence,)).manual()}"


def _submits(call: Call) -> bool:
    """Whether a call is of submit_evidence, malformed or not."""
    return isinstance(call, SubmitEvidence) or (isinstance(call, Misuse) and json.loads(call.call)["tool"] == "submit_evidence")


def _results_by_number(text: str, first: int, calls: int) -> str:
    """The results of a turn, which worlds label from [1], labelled by the numbers that its calls have in the episode."""
    labels = [int(label) for label in _LABEL.findall(text)]
    if calls == 1 or first == 1 or not labels:
        return text
    if labels == [*range(1, len(labels) + 1)] and len(labels) <= calls:
        return _LABEL.sub(lambda label: f"[{int(label[1]) + first - 1}] ", text)
    # A result holds such a label itself.
    return f"{text}\n\nThe results labelled [1] to [{calls}] are those of the calls {first} to {first + calls - 1}."


def _numbered(sizes: Sequence[int]) -> str:
    """The numbers of the calls of the last turn.

    sizes  how many calls each turn had
    """
    if not sizes:
        return "You have made no calls so far."
    made, last = sum(sizes), sizes[-1]
    return f"Your last call has the number {made}." if last == 1 else f"Your last calls have the numbers {made - last + 1} to {made}."


def _on_world(declared: Game[Any, Any, Any], best: Any, oracle: Any) -> Any:
    return lambda now: oracle(now.now) if declared.outcome(now.now) is None else best(now)


def _explained(declared: Game[Any, Any, Any], now: Any, tools: ToolCalls, calls: Calls) -> list[str]:
    if declared.outcome(now.now) is None and declared.explain is not None:
        return declared.explain(now.now)
    return ["The calls without which the task would not be done prove it, and no others are cited.", tools.render(calls)]


def _read(declared: Game[Any, Any, Any], turns: Sequence[str]) -> list[Calls]:
    return [_parsed(declared.answer, turn) for turn in turns]  # every step reads all of them again


@lru_cache(maxsize=2048)
def _parsed(answer: ToolCalls, turn: str) -> Calls:
    return answer.parse(turn)


def _chosen(turns: Sequence[Calls], kept: Sequence[tuple[int, int]]) -> list[Calls]:
    """The turns with these calls alone; a turn without any stays a turn, since what was known in an earlier turn may matter."""
    chosen = set(kept)
    return [tuple(call for place, call in enumerate(calls) if (turn, place) in chosen) for turn, calls in enumerate(turns)]


def _final(declared: Game[Any, Any, Any], first: Any, turns: Sequence[Calls]) -> float:
    state = first
    for calls in turns:
        state = declared.act(state, calls) if calls else state
        if (score := declared.outcome(state)) is not None:
            return float(score.value)
    return 0.0


def _results(
    declared: Game[Any, Any, Any], first: Any, turns: Sequence[Calls], numbers: Sequence[int], without: int = -1, other: Call | None = None
) -> dict[int, str]:
    """What each of some calls shows by itself after all the calls before it, of which `other` may replace one; the episode is played once."""
    state, place, found = first, 0, dict[int, str]()
    for calls in turns:
        here = range(place, place + len(calls))
        place += len(calls)
        played = tuple(other if other and at == without else call for at, call in zip(here, calls))
        for at in (number for number in here if number in numbers):
            before = played[: at - here.start]
            now = declared.act(state, before) if before else state
            found[at] = declared.show(declared.act(now, (calls[at - here.start],)))
        if len(found) == len(numbers):
            break
        state = declared.act(state, played) if played else state
    return found
