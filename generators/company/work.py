"""Work in a company's systems: the functions of a Game whose world is the company, judged by the difference to the wanted final state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Protocol

from rlgym.answers import Call, Calls, Misuse, Tool, ToolCalls
from rlgym.core.score import Score
from rlgym.generators.company.budgets import after_arrivals, calls_needed, is_used_up, text_of, tokens_needed, tokens_of
from rlgym.generators.company.eyes import ALL, Eyes, Missing, Source, key_of
from rlgym.generators.company.operations import Finish, Operation, Write
from rlgym.generators.company.state import Arrival as Arrival
from rlgym.generators.company.state import Work as Work
from rlgym.generators.company.state import WorkKnobs, after_arrival, describe, error_message, reads_of_all_records
from rlgym.generators.company.versions import all_replaced, in_manual, refusal
from rlgym.generators.company.world import FINAL, Changes, Desk, Refused, difference

ARRIVALS = "arrivals"
CALL_BUDGET = "call_budget"
FEW = 3
"""The calls that work of one case needs, where it has a look-up and not more changes than this less one."""


class Plan(Protocol):
    """The writes that the task asks for, read through Eyes only; with a slip named, those of one who skips that rule."""

    def __call__(self, eyes: Eyes, slip: str = "") -> list[Write]: ...


@dataclass(frozen=True)
class Workflow:
    """A family of work.

    tools    the tools of the systems that it needs, Finish among them
    plan     what is to be written
    weight   (state) -> work of an ideal player besides the calls
    """

    tools: ToolCalls
    plan: Plan
    weight: Callable[[Work], float] | None = None

    def ready(self, state: Work, knobs: WorkKnobs) -> Work:
        """The first state with its budgets: what the oracle needs, and so many percent more. Of one case the first look-ups are answered."""
        if state.facts.get("api") == ALL:
            state = state.model_copy(update={"versions": all_replaced(self.tools.tools)})
        if knobs.cases == 1:
            state = self._begun(state)
        if not self.wanted(state):  # one who stops before the others have written would have done all
            state = after_arrivals(state).model_copy(update={"arrivals": ()})
        # Before half of the look-ups are made, so that the oracle, which writes last, does not write too early.
        latest = max(1, len(self._looks(state)) // 2)
        arrivals = tuple(one._replace(after=min(one.after, latest)) for one in state.arrivals)
        state = state.model_copy(update={"arrivals": arrivals})
        needed = self._calls_needed(state) - state.given
        rules = (*state.rules, *((ARRIVALS,) if arrivals else ()))
        budget = needed + max(2, needed * knobs.spare // 100) + len(state.outages)
        state = state.model_copy(update={"budget": budget, "rules": rules})
        if knobs.cases == 1:
            return state
        later = after_arrivals(state)
        tokens = tokens_needed(self.tools.tools, later, *_plan(self, _Episode(later), ""))
        return state.model_copy(update={"token_budget": tokens * (100 + knobs.token_spare) // 100})

    def _begun(self, state: Work) -> Work:
        """The state after the first look-ups, with their results in the briefing: what is left takes few calls, a look-up among them."""
        deeds, looks = self._full(state)
        left = max(1, FEW - len(deeds))
        state, shown = state.model_copy(update={"budget": len(looks)}), list[str]()
        while len(state.log) < len(looks) - left:
            call = self.best(state)[0]
            update, text = self._perform(state, call)
            state = state.model_copy(update=update)
            shown.append(f"{self.tools.render((call,))}\n{text}")
        said = "\n".join([state.briefing, "These calls have been made already, with these results; they are not counted:", *shown])
        return state.model_copy(update={"given": len(shown), "briefing": said if shown else state.briefing})

    def show(self, state: Work) -> str:
        if state.told:
            return state.told
        listed = replace(self.tools, tools=in_manual(state.versions, self.tools.tools))
        return describe(state, listed.manual())

    def act(self, state: Work, calls: Calls) -> Work:
        outputs: list[str] = []
        for number, call in enumerate(calls, 1):
            if number > state.calls_per_turn:
                outputs.append(f"[{number}] not run: too many calls in one turn")
                break
            state, output = self._run(state, call)
            outputs.append(f"[{number}] {output}" if len(calls) > 1 else output)
            if state.finished:
                break
        tokens = f" Tokens left: {max(0, state.token_budget - state.tokens)}." if state.token_budget else ""
        return state.model_copy(update={"told": "\n".join([*outputs, f"Calls left: {state.budget - state.calls}.{tokens}"])})

    def outcome(self, state: Work) -> Score | None:
        if not state.finished:
            return None
        missing, extra, matched = difference(state.base, self._goal(state), state.changes)
        if extra:
            return Score.wrong(f"{len(extra)} records were changed that should not be, or changed wrongly")
        return Score.exact(not missing, f"{len(missing)} of {len(missing) + matched} changes are missing")

    def milestones(self, state: Work) -> dict[str, float]:
        """The share of the look-ups made, and of the changes that hold; 0 once something final is wrong or the calls are used up."""
        missing, extra, matched = difference(state.base, self._goal(state), state.changes)
        lost = any(table in FINAL for table, _ in extra) or (is_used_up(state) and bool(missing or extra))
        looks = set(self._looks(state)).difference(key for key, _ in state.log[: state.given])
        seen = len(looks.intersection(key for key, _ in state.log)) / max(1, len(looks))
        made = matched / max(1, matched + len(missing) + len(extra))
        return {"facts_read": 0.0 if lost else seen, "changes_made": 0.0 if lost else made}

    def best(self, state: Work) -> Calls:
        if is_used_up(state):
            return (Finish(),)
        eyes = Eyes(self._source(state), state.log)
        try:
            deeds = [eyes.current(deed) for deed in self.plan(eyes)]
        except Missing as stop:
            return stop.calls[: state.calls_per_turn]
        return self._remaining_writes(state, deeds)[: state.calls_per_turn] or (Finish(),)

    def rules(self, first: Work) -> Mapping[str, Callable[[Work], Calls]]:
        """Oracles that skip one rule each."""
        skips = {rule: partial(self._skip, rule, first) for rule in first.rules}
        return skips | {CALL_BUDGET: self._read_everything}

    def mistakes(self, state: Work) -> list[Calls]:
        # Stops at once; leaves the last change out; makes a change too many; skips a rule.
        missed = self._remaining_writes(state, self.wanted(state))[:-1][: state.calls_per_turn] or (Finish(),)
        played: list[Calls] = [(Finish(),), missed]
        # A slip counts if it still matters once others have written all that they write.
        final = state
        for arrival in state.arrivals:
            final = after_arrival(final, arrival)[0] if arrival.after > state.calls else final
        for rule in state.rules:
            wrong = _slip(self, _Episode(final), rule)
            wrong = (
                wrong if wrong is not None and self._is_wrong(state, wrong) else None
            )  # maybe it matters only for what others have not written yet
            played.append(self._remaining_writes(state, wrong)[: state.calls_per_turn] or (Finish(),) if wrong is not None else missed)
        return played

    def cost(self, state: Work) -> float:
        return self._calls_needed(state) + (self.weight(state) if self.weight else 0.0)

    def turns(self, state: Work) -> int:
        return state.budget + 6

    def explain(self, state: Work) -> list[str]:
        calls = self.best(state)
        steps = [f"{len(state.log)} results were read and {len(state.done)} changes made so far."]
        if isinstance(calls[0], Finish):
            steps.append("Everything that was asked for is done.")
        elif isinstance(calls[0], Write):
            steps.append("All facts that the rules ask for are known, so the changes still missing are made.")
        else:
            steps.append("What is decided next rests on facts that have not been read yet, so they are looked up first.")
        return [*steps, self.tools.render(calls)]

    def wanted(self, state: Work, slip: str = "") -> tuple[Write, ...]:
        """All writes that the task asks for, found with full knowledge of the systems."""
        return self._full(state, slip)[0]

    def _run(self, state: Work, call: Call) -> tuple[Work, str]:
        if isinstance(call, Finish):
            return state.model_copy(update={"finished": True}), ""
        if state.calls >= state.budget:
            return state, error_message(429, f"the {state.budget} calls are used up")
        if is_used_up(state):
            return state, error_message(429, f"the {state.token_budget} tokens are used up")
        update, text = self._perform(state, call)
        state = state.model_copy(update={**update, "calls": state.calls + 1, "tokens": state.tokens + tokens_of(text)})
        for arrival in state.arrivals:
            if arrival.after == state.calls:
                state, notice = after_arrival(state, arrival)
                text += f"\n{notice}"
        return state, text

    def _perform(self, state: Work, call: Call) -> tuple[dict[str, Any], str]:
        """What a call changes in the state, and its result."""
        if isinstance(call, Misuse):
            return {}, error_message(400, call.problem)
        assert isinstance(call, Operation)
        name = type(call).__name__
        if why := refusal(state.versions, type(call), self.tools.tools, state.today):
            return {}, error_message(410, why)
        if name in state.outages and name not in state.answered:
            return {"answered": (*state.answered, name)}, error_message(503, "temporarily unavailable")
        desk = Desk(state.base, state.changes, state.actor, state.today, state.rights)
        writes = isinstance(call, Write)
        made: dict[str, Any] = {}
        try:
            result = call.perform(desk)
            text = text_of(result)
            made = {"done": (*state.done, self.tools.render((call,)))} if writes else {}
        except Refused as error:
            text = error_message(error.status, error.why)
        made["changes"] = desk.changes  # a look-up may move a browser on
        return made if writes else {**made, "log": (*state.log, (key_of(call), text))}, text

    def _remaining_writes(self, state: Work, deeds: Sequence[Write]) -> Calls:
        done = list(state.done)
        left: list[Tool] = []
        for deed in deeds:
            key = self.tools.render((deed,))
            if key in done:
                done.remove(key)
            else:
                left.append(deed)
        return tuple(left)

    def _source(self, state: Work) -> Source:
        return Source(self.tools.tools, state.base, state.facts, state.actor, state.today, state.rights)

    def _full(self, state: Work, slip: str = "") -> tuple[tuple[Write, ...], tuple[str, ...]]:
        deeds, results = _plan(self, _Episode(state), slip)
        return deeds, tuple(results)

    def _looks(self, state: Work) -> tuple[str, ...]:
        return self._full(state)[1]

    def _goal(self, state: Work) -> Changes:
        return _goals(self, _Episode(state))

    def _apply_writes(self, state: Work, deeds: Sequence[Write]) -> Changes:
        desk = Desk(state.base, {}, state.actor, state.today, state.rights)
        for deed in deeds:
            try:
                deed.perform(desk)
            except Refused:
                continue
        return desk.changes

    def _is_wrong(self, state: Work, deeds: Sequence[Write]) -> bool:
        missing, extra, _ = difference(state.base, self._goal(state), self._apply_writes(state, deeds))
        return bool(missing or extra)

    def _calls_needed(self, state: Work) -> int:
        return calls_needed(self.tools.tools, state, *self._full(after_arrivals(state)))

    def _skip(self, rule: str, first: Work, state: Work) -> Calls:
        """Everything right but one rule, with full knowledge; it waits until others have written what they will write."""
        if any(arrival.after > state.calls for arrival in state.arrivals):
            return (Misuse("{}", "nothing"),)
        deeds = self.wanted(first) if rule == ARRIVALS else self.wanted(state, rule)
        return self._remaining_writes(state, deeds)[: state.calls_per_turn] or (Finish(),)

    def _read_everything(self, state: Work) -> Calls:
        """Lists and reads all there is before it does what is right."""
        looks = reads_of_all_records(self.tools.tools, state)
        start = len(state.log) - state.given
        if start < min(len(looks), state.budget):
            return looks[start : start + state.calls_per_turn]
        left = self._remaining_writes(state, self.wanted(state))[: state.calls_per_turn]
        return left if left and not is_used_up(state) else (Finish(),)


class _Episode:
    """A state as the key of a cache: two states are equal if the systems hold the very same rows."""

    def __init__(self, state: Work) -> None:
        self.state = state

    def __hash__(self) -> int:
        return id(self.state.base)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Episode) and other.state.base is self.state.base


@lru_cache(maxsize=512)
def _plan(work: Workflow, episode: _Episode, slip: str) -> tuple[tuple[Write, ...], dict[str, Any]]:
    """The writes, and the results of the look-ups before them."""
    eyes = Eyes(work._source(episode.state), None)
    return tuple(eyes.current(deed) for deed in work.plan(eyes, slip)), eyes.used


@lru_cache(maxsize=128)
def _goals(work: Workflow, episode: _Episode) -> Changes:
    state = episode.state
    desk = Desk(state.base, {}, state.actor, state.today, state.rights)
    for deed in work.wanted(state):
        deed.perform(desk)
    return desk.changes


@lru_cache(maxsize=512)
def _slip(work: Workflow, episode: _Episode, rule: str) -> tuple[Write, ...] | None:
    """The writes of one who skips a rule; None where they come to the same."""
    if rule == ARRIVALS:
        return None
    deeds = work.wanted(episode.state, rule)
    return deeds if work._is_wrong(episode.state, deeds) else None
