"""One text read sentence by sentence under a grammar: what its sentences mean, and which of their questions are not understood."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rlgym.generators.users.clauses import as_question, as_questions, claimed, only_confirms, only_small_talk
from rlgym.generators.users.closed import named_values
from rlgym.generators.users.english import split_sentences
from rlgym.generators.users.intents import Grammar, find_grammar
from rlgym.generators.users.matters import EVERY, FOREIGN, Matter, mentioned, placed, split_clauses
from rlgym.generators.users.roundabout import plainly, would_help
from rlgym.generators.users.scoring import best_reading, content_words, supported
from rlgym.generators.users.sentences import (
    SOCIAL,
    Patterns,
    claimed_intents,
    differing_intents,
    has_pronoun,
    is_last,
    is_question,
    is_request,
    is_short,
    may_request,
    patterns_of,
    points_back,
    sentence_intents,
    split_questions,
    starts_question,
)
from rlgym.generators.users.slots import When, amounts, prices, whens
from rlgym.generators.users.vocabulary import LONG_WORD, corrected, foreign_words, is_foreign

_DONE = re.compile(
    r"\b(?:is|are|was|were|has been|have been|(?:i|we) (?:have|had)) (?:now |just |already )*(?:booked|moved|scheduled|rescheduled|confirmed|reserved|arranged|"
    r"cancelled|canceled|noted)\b"
)
_PIECE = re.compile(r"[,;:]\s+| - ")
_LEAD = re.compile(r"^(?:and|also|then|so|but|or|,|;|:|-|\s)+")


class Meaning(NamedTuple):
    """One thing that was said: its intent, the day and time or the amount that it names, and the key of the matter that it is about.

    claim  what is read back to be confirmed, as "two days from wednesday"; empty where something is asked
    """

    intent: str
    when: When | None = None
    amount: int | None = None
    about: str = ""
    claim: str = ""


def is_done(text: str) -> bool:
    """Whether a plain text only tells what was arranged, as in "The visit is booked for Tuesday at 11:00."."""
    return "?" not in text and _DONE.search(text) is not None


class Reader:
    """A plain text while it is read.

    found   what it means so far
    missed  the questions that are not understood
    unclear_claim  what is read back without a word of what it is about, as in "So that is three, right?"
    """

    def __init__(self, name: str, plain: str, matters: tuple[Matter, ...]) -> None:
        self.name, self.plain, self.matters = name, plain, matters
        self.patterns, self.grammar = patterns_of(name), find_grammar(name)
        self._originals = [clause for sentence in split_sentences(plain) for clause in split_clauses(sentence, matters)]
        self.sentences = [plainly(corrected(sentence, LONG_WORD)) for sentence in self._originals]
        self.requested = [sentence for sentence in self.sentences if is_request(sentence) and not would_help(sentence)]
        self.only_small_talk = bool(self.requested) and all(map(only_small_talk, self.requested))
        self.found = dict[Meaning, None]()
        self.missed = list[str]()
        self.about: tuple[str, ...] = ()
        self.unclear_claim = ""
        self._named: list[str] = []
        self._so_far = ""

    def read(self) -> None:
        following = [*self.sentences[1:], ""]
        for place, sentence in enumerate(self.sentences):
            self._find_matters(sentence)
            self._so_far += f" {self._originals[place]}"
            if self._read_back(self._originals[place], following[place]) or only_small_talk(sentence) or would_help(sentence):
                continue
            if place and only_confirms(sentence) and any(meaning.claim for meaning in self.found):
                continue
            before, earlier = (self.sentences[place - 1] if place else ""), (self.sentences[place - 2] if place > 1 else "")
            self._add(sentence, self._intents(sentence, before, earlier))

    def _find_matters(self, sentence: str) -> None:
        foreign = bool(self.matters and self.patterns.things and self.patterns.things.search(sentence))
        # Only where a grammar says what its matters are do these come up one after the other.
        by_place = placed(self.matters, sentence) if self.patterns.things else ()
        here = mentioned(self.matters, sentence) or by_place or ((FOREIGN,) if foreign else ())
        # "The mug and the bench cannot be exchanged. What would you like instead for each of them?" is about these two.
        self.about = tuple(dict.fromkeys(self._named)) if here == (EVERY,) and len(self._named) > 1 else here or self.about
        self._named += [key for key in here if key not in (EVERY, FOREIGN)]

    def _read_back(self, sentence: str, following: str) -> bool:
        """Whether a sentence reads back what the person said, and what it reads back is known."""
        claim = claimed(sentence, following)
        claim = "" if is_last(claim) else claim
        said = claimed_intents(self.patterns, claim) if claim else {}
        if claim and not said:
            asked = as_question(claim)
            said = {intent: claim for intent in self._known(asked, True, asked) if intent.startswith("ask:")}
        if claim and not said and not is_foreign(claim) and (best := best_reading(self.name, claim)).startswith("ask:"):
            said = {best: claim}
        if any(meaning.intent == "offer" for meaning in self.found):  # "So that is Tuesday at 15:00, right?"
            said.pop("ask:times", None)
            if not said and claim:
                return True
        for intent, words in said.items():
            keys = self.about if self.about and intent.startswith("ask:") else ("",)
            name = "open" if intent == "ask:wish" else intent
            self.found |= {Meaning(name, None, None, key, words): None for key in keys}
        self.unclear_claim = "" if said else claim or self.unclear_claim
        return bool(said)

    def _intents(self, sentence: str, before: str, earlier: str) -> list[str]:
        grammar, patterns, so_far = self.grammar, self.patterns, self._so_far
        requested = sentence in self.requested or may_request(sentence)
        intents, overheard = self._by_part(sentence, requested, so_far)
        if set(intents) <= {"empathy", "rude"} and not overheard and not is_foreign(sentence):
            known = (self._known(question, True, so_far) for question in as_questions(sentence))
            intents = [*intents, *next((each for each in known if set(each) - {*SOCIAL, "go_ahead", "open"}), [])]
        refers = "?" in sentence or (grammar.actions and sentence in self.requested and has_pronoun(sentence))
        if not intents and before and refers and not is_foreign(sentence):  # "A referral is needed. Do you have one?"
            intents = sentence_intents(patterns, f"{sentence} {before}" if grammar.actions else f"{before} {sentence}", True)
            if grammar.actions:  # "I see a sign of it. Please switch it off." does not ask about the sign.
                shown = {*sentence_intents(patterns, before, True), "open"}
                intents = [intent for intent in intents if intent not in shown] or [intent for intent in intents if intent != "open"]
            if not intents and earlier and not grammar.actions:  # "The report says Tuesday. You said Monday. Are you sure?"
                intents = sentence_intents(patterns, f"{earlier} {before} {sentence}", True)
            intents = _settled(grammar, intents, so_far)
        if (
            "which one" in sentence and before and before not in self.requested and len(intents) == 1
        ):  # "I see no insurance. Which one do you have?"
            meant = [intent for intent in sentence_intents(patterns, before, True) if intent.startswith("ask:")]
            intents = meant if len(meant) == 1 and self.grammar.excludes.get(meant[0]) else intents
        if grammar.vague and before and set(intents) <= set(grammar.vague):
            intents = _settled(grammar, differing_intents(patterns, before), so_far) or intents
        if intents and before and "?" in sentence and before not in self.requested:
            # "You would need a licence for this one. Do you have one, and do you own a helmet?"
            pointing = [part for part in split_questions(sentence) if points_back(part) and not self._known(part, True, part)]
            intents = list(dict.fromkeys((*(each for part in pointing[:1] for each in self._pointed(before, part)), *intents)))
        if set(intents) <= {"empathy", "rude", "go_ahead"} and (values := named_values(self.name, patterns, sentence)):
            intents = [*(set(intents) - {"go_ahead"}), *values]
        if set(intents) <= {"empathy", "rude"} and requested and not whens(self.plain) and not amounts(self.plain):
            intents = [*intents, *self.rescued(sentence, so_far)]
        self.missed += overheard
        asks = "?" in sentence and any(map(is_question, split_questions(sentence)))
        if not intents and asks and not overheard and not whens(self.plain):
            self.missed.append(_LEAD.sub("", sentence))
        return intents

    def _pointed(self, before: str, part: str) -> list[str]:
        """What a question asks for that points back to the sentence before."""
        return [intent for intent in self._known(f"{before} {part}", True, part) if intent.startswith("ask:")]

    def _add(self, sentence: str, intents: list[str]) -> None:
        # A sentence that offers a time, or that asks about the one offered, asks for no times.
        if any(meaning.intent == "offer" for meaning in self.found):
            priced = "go_ahead" in intents and self.grammar.actions and amounts(sentence)
            intents = [intent for intent in intents if intent not in ("ask:times", "ask:doctor", "go_ahead", "open")]
            intents += ["go_ahead"] if priced else []
        for intent in intents:
            keys = self.about if self.about and intent.startswith("ask:") else ("",)
            self.found |= {Meaning(intent, None, _amount(intent, self.plain, self.grammar.priced), key): None for key in keys}

    def rescued(self, clause: str, so_far: str) -> list[str]:
        """The intents of a clause that no pattern covers: by its words put right, or by what they speak for."""
        fixed = corrected(clause)
        if fixed != clause and not is_foreign(fixed):
            intents = _settled(self.grammar, sentence_intents(self.patterns, fixed, True), so_far)
            if set(intents) & supported(self.name, fixed):
                return intents
        best = "" if is_foreign(fixed) else best_reading(self.name, fixed)
        return _settled(self.grammar, [best], so_far) if best else []

    def hinted(self, asking: Sequence[str]) -> dict[Meaning, None]:
        """What requests mean that no pattern knows."""
        requests = " ".join(asking)
        foreign, words = foreign_words(requests)
        found = [] if 3 * foreign >= words > 0 and foreign else _hinted(self.patterns, self.plain, requests, self.grammar.priced)
        if found:
            self.missed.clear()
        found = [meaning._replace(intent=_turned(self.grammar, meaning.intent, self.plain)) for meaning in found]
        keys = self.about or ("",)
        return {meaning._replace(about=key if meaning.intent.startswith("ask:") else ""): None for meaning in found for key in keys}

    def _by_part(self, sentence: str, requested: bool, so_far: str) -> tuple[list[str], list[str]]:
        """The intents of a sentence, question by question where each is understood alone, and the questions that are not understood."""
        grammar, patterns = self.grammar, self.patterns
        parts = split_questions(sentence) if requested else [sentence]
        whole = self._known(sentence, requested, so_far)
        if len(parts) < 2:
            return whole, []
        by_part = {part: self._known(part, True, so_far) for part in parts}
        understood = [part for part in parts if set(by_part[part]) - set(SOCIAL)]
        missed = list[str]()
        if len(understood) < len(parts):
            asking = list(filter(starts_question, understood))
            if not asking:
                return whole, []
            by_part |= {part: [] for part in understood if part not in asking}
            alone = {intent for part in understood for intent in by_part[part]}
            lost = [
                part for part in parts if part not in understood and (is_question(part) or (starts_question(part) and is_foreign(part)))
            ]
            for part in parts:  # "Which flat is yours, and was it somebody's fault?"
                if part not in (*understood, *lost) and points_back(part) and len(content_words(part)) > 0:
                    by_part[part] = [*by_part[part], *self.rescued(part, part)]
            whole_is_more = len(lost) < 2 and bool(set(whole) - alone)
            for part in lost:
                if whole_is_more and not is_foreign(part):  # The sentence as a whole may say what that question asks for.
                    by_part[part] = self.rescued(part, part)
                else:
                    hints = [] if is_foreign(part) else _hinted(patterns, part, part)
                    by_part[part] = [meaning.intent for meaning in hints if meaning.intent.startswith("ask:")] or self.rescued(part, part)
                    missed += [] if by_part[part] else [_LEAD.sub("", part)]
        else:
            whole = []
        asked = dict.fromkeys(
            (*whole, *(intent for part in parts for intent in by_part[part] if intent != "go_ahead" or is_question(part)))
        )
        # "Are you insured, and with which one?", "How urgent is it, and what is the issue?"
        beside = {other for intent in asked for other in grammar.excludes.get(intent, ())}
        named = {intent for part in parts for intent in by_part[part] if not is_short(part)} - {"open", *grammar.excludes.get("open", ())}
        if any(
            intent.startswith("do:") and intent not in grammar.states for intent in asked
        ):  # "Go to the fuse box and tell me what you see."
            asked.pop("open", None)
        return [intent for intent in asked if intent not in beside - named], missed

    def _known(self, clause: str, requested: bool, so_far: str) -> list[str]:
        """The intents that the patterns find in a clause, without those of a question about something else."""
        intents = _settled(self.grammar, sentence_intents(self.patterns, clause, requested), so_far)
        if requested and set(intents) - {*SOCIAL, "anything_else"} and self._elsewhere(clause, intents):
            return [intent for intent in intents if intent in SOCIAL]
        return intents

    def _elsewhere(self, clause: str, intents: Sequence[str]) -> bool:
        """Whether a clause in which patterns find intents is about something else, by its words."""
        foreign, words = foreign_words(clause)
        if foreign and (asking := [piece for piece in _PIECE.split(clause) if starts_question(piece)]) and asking != [clause]:
            # "Since this one weighs 300 kg: do you have a licence?" is about what its question is about.
            return all(self._elsewhere(piece, intents) for piece in asking)
        return foreign > 0 and (2 * foreign >= words or (words < 6 and not supported(self.name, clause).intersection(intents)))


def _settled(grammar: Grammar, intents: Sequence[str], text: str) -> list[str]:
    """The intents of a question, turned by the words up to there, without those that are not meant beside another."""
    turned = [_turned(grammar, intent, text) for intent in intents]
    beside = {other for intent in turned for other in grammar.excludes.get(intent, ())}
    return ["open" if intent == "ask:wish" else intent for intent in turned if intent not in beside]


def _hinted(patterns: Patterns, text: str, requests: str, priced: bool = False) -> list[Meaning]:
    """What a request is about that no pattern knows: an amount of money that is to be agreed to, or the first hint that fits."""
    named = set(prices(text, priced))
    if len(named) == 1:
        return [Meaning("go_ahead", None, named.pop())]
    return [Meaning(intent) for intent, pattern in patterns.hints if pattern.search(requests)][:1]


def _turned(grammar: Grammar, intent: str, text: str) -> str:
    """The intent, or the one that it turns into beside certain words."""
    words, other = grammar.turns.get(intent, ("", intent))
    return other if words and re.search(words, text) else intent


def _amount(intent: str, text: str, priced: bool) -> int | None:
    named = prices(text, priced) if intent == "go_ahead" else ()
    return named[0] if len(set(named)) == 1 else None
