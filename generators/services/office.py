"""An office worked through tools: records that are looked up and changed, and a log of both by which the work is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

from rlgym.answers import Call, Calls, Misuse, Tool, ToolCalls
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.user import UserModel
from rlgym.generators.services.records import Browse, Change, Eyes, Finish, Missing, Office, Read, Record, listed_by, search_key
from rlgym.generators.worlds.catalogue import page

S = TypeVar("S", bound=Office)
MOST_ALTERNATIVES = 4
FEW = 3
"""The calls that are left of work that has been begun, where it has not more changes than this less one."""
MOST_NAMED = 5
"""How many of the records that wrong or missing changes are about a score's reason names."""
S_in = TypeVar("S_in", bound=Office, contravariant=True)


class Decide(Protocol[S_in]):
    """The changes that a case asks for; with a slip named, those that a tempted clerk would make."""

    def __call__(self, state: S_in, case: int, eyes: Eyes, slip: str = "") -> list[Tool]: ...


@dataclass(frozen=True)
class Service(Generic[S]):
    """The functions of a Game about an office.

    decide   what is to be changed; it reads records through Eyes only, so that the oracle knows no more than what was shown
    slips    names of temptations that `decide` understands
    needs    (state, change) -> codes of records that must be read before it, besides those it touches
    refuses  (state, change) -> why a change cannot be made at all, or ""
    judge    (state) -> what is wrong with the changes made, or ""; else they must be exactly those decided on
    thought  (state, case) -> how a case is decided, in words
    weight   (state) -> work besides the look-ups and changes
    stated   (state) -> further slips, each of which ignores a rule that only some briefings state
    talk     (state, call) -> the state and the reply after a call that says something to a person; None for other calls
    heard    (state, call, user) -> the call with its message in words that the person understands, where a model listens; None where it
             speaks to nobody
    voices   kinds of the records whose `says` is what a person of this world replies
    """

    tools: ToolCalls
    decide: Decide[S]
    slips: tuple[str, ...] = ()
    needs: Callable[[S, Tool], Sequence[str]] | None = None
    refuses: Callable[[S, Tool], str] | None = None
    judge: Callable[[S], str] | None = None
    thought: Callable[[S, int], str] | None = None
    weight: Callable[[S], float] | None = None
    stated: Callable[[S], Sequence[str]] | None = None
    talk: Callable[[S, Tool], tuple[S, str] | None] | None = None
    heard: Callable[[S, Tool, UserModel], Tool | None] | None = None
    voices: tuple[str, ...] = ()
    slack: int = 6

    def begun(self, state: S) -> S:
        """The state after some of the first look-ups, with their results in the briefing: a beginner finishes the work with FEW calls.

        Words to people are the last of the look-ups to be made in advance, and one look-up at least is left.
        """
        calls, after = list[Tool](), state
        while not isinstance(call := self.best(after)[0], Finish):
            assert isinstance(call, Tool)
            calls.append(call)
            after, _ = self._run(after, call, frozenset(after.read))
        looks = [call for call in calls if not isinstance(call, Change)]
        made = max(0, len(looks) - max(1, FEW - (len(calls) - len(looks))))
        order = sorted(range(len(looks)), key=lambda place: self._is_said(looks[place]))
        needed = {code for deed in self.wanted(state) for code in self._records_to_read(state, deed)}
        # Something that a change rests on must be left, or one who acts at once would win.
        for left in (order[made:], *([place] for place in reversed(range(len(looks))))) if made else ():
            after, shown = state, []
            for place in sorted(set(order).difference(left)):
                after, output = self._run(after, looks[place], frozenset(after.read))
                shown.append(f"{self.tools.render((looks[place],))}\n{output}")
            if not needed <= set(after.read):
                said = "\n".join([f"These {'tool ' * ('call' in state.briefing)}calls have been made already, with these results:", *shown])
                return after.model_copy(update={"briefing": f"{state.briefing}\n\n{said}"})
        return state

    def show(self, state: S) -> str:
        if state.told:
            return state.told
        stall_note = " If a tool or a person does not answer, ask again." if state.stalls else ""
        manual = self.tools.manual()
        unread = (
            "A change is a guess, and loses the task, unless every record that it names was read in an earlier turn. "
            if "- get_" in manual
            else ""
        )
        rows = " Lists show five rows per page." if "page: integer" in manual else ""
        return (
            f"{state.briefing}\n\n{manual}\n\n{unread}Changes take effect at once and cannot be undone; making a change twice, or one that is not "
            f"required, also loses the task.{rows}{stall_note} Finish when everything is done."
        )

    def act(self, state: S, calls: Calls, user: UserModel | None = None) -> S:
        known = frozenset(state.read)
        outputs: list[str] = []
        for number, call in enumerate(calls, 1):
            if user and not isinstance(call, Misuse):
                state, output = self._converse(state, call, known, user)
            else:
                state, output = self._run(state, call, known)
            outputs.append(f"[{number}] {output}" if len(calls) > 1 else output)
            if state.finished:
                break
        return state.model_copy(update={"told": "\n".join(outputs)})

    def with_user(self, user: UserModel) -> Callable[[S, Calls], S]:
        """`act`, in which a model speaks for the people; what they know, and what a call changes, stays as it is."""
        return partial(self.act, user=user)

    def outcome(self, state: S) -> Score | None:
        if not state.finished:
            return None
        if state.spoiled:
            return Score.wrong(state.spoiled)
        if self.judge:
            problem = self.judge(state)
            return Score.exact(not problem, problem)
        required, done = Counter(map(self._key, self.wanted(state))), Counter(state.done)
        if extra := (done - required).total():
            return Score.wrong(f"{extra} of {done.total()} changes were wrong or not asked for{self._named(done - required)}")
        missing = required - done
        return Score.exact(
            not missing, f"{missing.total()} of {required.total()} changes were not made{self._named(missing) if self.voices else ''}"
        )

    def _named(self, deeds: Counter[str]) -> str:
        """The first records that changes are about, such as the code of a call."""
        touched = [_touched_records(call)[:1] for key in sorted(deeds) for call in self.tools.parse(key) if isinstance(call, Change)]
        codes = dict.fromkeys(code for first in touched for _, code in first)
        return f": {', '.join(list(codes)[:MOST_NAMED])}" if codes else ""

    def milestones(self, state: S) -> dict[str, float]:
        """The share of the records read that changes rest on, and of the changes made; 0 once the work is lost."""
        wanted = self.wanted(state)
        needed = {code for deed in wanted for code in self._records_to_read(state, deed)}
        asked, done = Counter(map(self._key, wanted)), Counter(state.done)
        # Where there is a judge, other changes may be right as well.
        lost = bool(state.spoiled or (not self.judge and done - asked))
        read = {"records_read": 0.0 if lost else len(needed.intersection(state.read)) / len(needed)} if needed else {}
        return read | ({"changes_made": 0.0 if lost else (done & asked).total() / asked.total()} if wanted else {})

    def best(self, state: S, slip: str = "") -> Calls:
        eyes, missing, deeds = Eyes(state.records, self.tools, state.seen), dict[Tool, None](), []
        for case in range(state.cases):
            try:
                deeds += self.decide(state, case, eyes, slip)
            except Missing as stop:
                missing |= dict.fromkeys(stop.calls)
        return tuple(missing)[: self.tools.max_calls] or self._remaining_writes(state, deeds)[: self.tools.max_calls] or (Finish(),)

    def wanted(self, state: S, slip: str = "") -> list[Tool]:
        """All required changes, computed with full knowledge of the state."""
        eyes = Eyes(state.records, self.tools, None)
        return [deed for case in range(state.cases) for deed in self.decide(state, case, eyes, slip)]

    def rules(self, state: S) -> Mapping[str, Callable[[S], Calls]]:
        """Oracles that skip one rule each: reading before changing, and what the slips leave out."""
        stated = self.stated(state) if self.stated else ()
        return {"read_first": self._unread} | {slip: partial(self.best, slip=slip) for slip in (*self.slips, *stated)}

    def mistakes(self, state: S) -> list[Calls]:
        # Stops at once; acts without looking; leaves something out; does something twice; slips.
        right = self.wanted(state)
        tempted = [right[:-1], [*right, right[0]], *(self.wanted(state, slip) for slip in self.slips)]
        same = Counter(map(self._key, right))
        tempted = [right[:-1] if Counter(map(self._key, deeds)) == same else deeds for deeds in tempted]
        best = self.best(state)
        looks = not isinstance(best[0], Change | Finish)
        played = [best if looks else self._remaining_writes(state, deeds)[:8] or (Finish(),) for deeds in tempted]
        return [(Finish(),), (*right[:7], Finish()), *played]

    def cost(self, state: S) -> float:
        looks, deeds = self._work(state)
        return looks + deeds + (self.weight(state) if self.weight else 0)

    def turns(self, state: S) -> int:
        looks, deeds = self._work(state)
        return looks + looks // 3 + deeds + len(state.stalls) + self.slack

    def explain(self, state: S) -> list[str]:
        calls = self.best(state)
        steps = [f"{len(state.seen)} look-ups were answered and {len(state.done)} changes made so far."]
        if isinstance(calls[0], Finish):
            steps.append("Everything that was asked for is done.")
        elif isinstance(calls[0], Change):
            steps += [self.thought(state, case) for case in range(state.cases)] if self.thought else []
            steps.append("All that the decisions rest on has been seen, so the changes still missing are made.")
        else:
            steps.append("What is decided next rests on facts that have not been seen yet, so they are looked up first.")
        return [*steps, self.tools.render(calls)]

    def _work(self, state: S) -> tuple[int, int]:
        eyes = Eyes(state.records, self.tools, None)
        deeds = [deed for case in range(state.cases) for deed in self.decide(state, case, eyes)]
        return len(eyes.used), len(deeds)

    def _is_said(self, call: Tool) -> bool:
        """Whether a call says something to a person."""
        return isinstance(call, Read) and call.kind in self.voices

    def _key(self, call: Tool) -> str:
        return self.tools.render((call,))

    def _unread(self, state: S) -> Calls:
        return self._remaining_writes(state, self.wanted(state))[: self.tools.max_calls] or (Finish(),)

    def _remaining_writes(self, state: S, deeds: Sequence[Tool]) -> Calls:
        done, remaining = Counter(state.done), []
        for deed in deeds:
            key = self._key(deed)
            done[key] -= 1
            if done[key] < 0:
                remaining.append(deed)
        return tuple(remaining)

    def _records_to_read(self, state: S, call: Tool) -> list[str]:
        """The codes of the records that must be read before a change."""
        touched = [code for _, code in _touched_records(call)] if isinstance(call, Change) else []
        return [*touched, *(self.needs(state, call) if self.needs else ())]

    def _run(self, state: S, call: Call, known: frozenset[str]) -> tuple[S, str]:
        if isinstance(call, Misuse):
            return state, call.problem
        if isinstance(call, Finish):
            return state.model_copy(update={"finished": True}), ""
        if self.talk and (reply := self.talk(state, call)):
            return reply
        key = self._key(call)
        for start, message in state.stalls:
            if start not in state.stalled and key.startswith(start):
                return state.model_copy(update={"stalled": (*state.stalled, start)}), message
        if isinstance(call, Change):
            return self._change(state, call, key, known)
        assert isinstance(call, Read | Browse), f"{call!r} is neither a look-up nor a change"
        if isinstance(call, Read):
            record = call.found(state.records)
            read = (record.code,) if record and record.code not in state.read else ()
            text = record.text + _since(state, record) if record else f"no {call.kind} is found by {search_key(call)!r}"
        else:
            rows, read = listed_by(state.records, call), ()
            text = page([row.line(call.shows) for row in rows], call.model_dump()["page"]) if rows else f"no {call.kind} is found"
        seen = () if key in state.seen else (key,)
        return state.model_copy(update={"seen": (*state.seen, *seen), "read": (*state.read, *read)}), text

    def _converse(self, state: S, call: Tool, known: frozenset[str], user: UserModel) -> tuple[S, str]:
        """The state and the output after a call, where a model hears and speaks for the people."""
        heard = self.heard(state, call, user) if self.heard else None
        state, output = self._run(state, heard or call, known)
        lines = [record for record in state.records if record.kind in self.voices and "says" in record.facts]
        said = [line for line in lines if line.word("says") in output] if self._is_said(call) else []
        if not said and not heard:
            return state, output
        alternatives: dict[str, None] = {}
        for line in said:
            words, topic = line.word("says"), line.code.partition(" ")[2]
            others = [other.word("says") for other in lines if other.kind == line.kind and other.code.partition(" ")[2] == topic]
            alternatives |= {output.replace(words, other): None for other in others if other != words}
        return state, user.say(self._key(call), output, tuple(alternatives)[:MOST_ALTERNATIVES])

    def _change(self, state: S, call: Change, key: str, known: frozenset[str]) -> tuple[S, str]:
        for kind, code in _touched_records(call):
            if not any(record.code == code and record.kind == kind for record in state.records):
                return state, f"nothing was done: there is no {kind} {code!r}"
        if self.refuses and (why := self.refuses(state, call)):
            return state, f"nothing was done: {why}"
        unread = any(code not in known for code in self._records_to_read(state, call))
        named = self._named(Counter([key]))
        blind = f"something was changed before what it rests on had been read{' or heard' if self.voices else ''}{named}" if unread else ""
        return state.model_copy(update={"done": (*state.done, key), "spoiled": state.spoiled or blind}), "done"


def outages(rng: Rng, tools: ToolCalls, count: int) -> tuple[tuple[str, str], ...]:
    """Stalls of up to `count` tools that look things up: the first call of each is not answered."""
    names = [str(schema["function"]["name"]) for schema, tool in zip(tools.schemas(), tools.tools) if issubclass(tool, Read | Browse)]
    down = rng.sample(names, min(count, len(names)))
    return tuple((f'{{"tool": "{name}"', f"{name} is temporarily unavailable, and nothing was looked up") for name in down)


def _touched_records(call: Change) -> list[tuple[str, str]]:
    """The kinds and codes of the records that a change touches."""
    given = [(kind, getattr(call, name)) for name, kind in call.touches.items()]
    return [(kind, code) for kind, codes in given for code in (codes if isinstance(codes, tuple) else (codes,))]


def _since(state: Office, record: Record) -> str:
    changes = [key for key in state.done if f'"{record.code}"' in key]
    return "".join(f"\nchanged since: {key}" for key in changes)
