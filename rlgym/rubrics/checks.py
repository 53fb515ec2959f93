"""Checks that many rubrics use: lengths, copied passages, required and forbidden phrases, the order of facts, prose throughout."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.rubrics.criteria import Check, Finding
from rlgym.rubrics.facts import FactSheet, mentions, read_facts
from rlgym.rubrics.prose import prose_fault
from rlgym.rubrics.sentences import longest_shared_run, phrase_places, split_sentences, tokens_of


def max_words(count: int) -> Check:
    """At most `count` words."""
    return Check(name="length", test=lambda text: len(text.split()) <= count, reason=f"the text has more than {count} words")


def max_sentence_words(count: int) -> Check:
    """At most `count` words in each sentence."""

    def test(text: str) -> Finding:
        long = tuple((each.start, each.end) for each in split_sentences(text) if len(each.text.split()) > count)
        return Finding(float(not long), f"a sentence has more than {count} words" if long else "", long)

    return Check(name="sentence length", test=test)


def not_copied(source: str, words: int) -> Check:
    """No run of `words` words that stands in the source too."""
    return Check(
        name="own words",
        test=lambda text: longest_shared_run(text, source) < words,
        reason=f"{words} words in a row are copied from the source",
    )


def avoids(phrases: Sequence[str], name: str = "forbidden words") -> Check:
    """None of the phrases occurs, as whole words in any letter case."""
    wanted = [(phrase, tokens_of(phrase)) for phrase in phrases]

    def test(text: str) -> Finding:
        words = tokens_of(text)
        found = [phrase for phrase, tokens in wanted if any(True for _ in phrase_places(words, tokens))]
        return Finding(float(not found), f"the text has the forbidden {found[0]!r}" if found else "")

    return Check(name=name, test=test)


def begins_with(line: str) -> Check:
    """The first line is this one, except for case and closing punctuation."""
    return Check(
        name="greeting", test=lambda text: _line(text.strip().split("\n")[0]) == _line(line), reason=f"the first line is not {line!r}"
    )


def ends_with(line: str) -> Check:
    """The last line is this one, except for case and closing punctuation."""
    return Check(
        name="closing", test=lambda text: _line(text.strip().split("\n")[-1]) == _line(line), reason=f"the last line is not {line!r}"
    )


def stated_in_order(sheet: FactSheet, names: Sequence[str]) -> Check:
    """The facts are first stated in this order."""

    def test(text: str) -> Finding:
        stated = read_facts(sheet, text).stated
        places = [stated[name][0] for name in names if stated[name]]
        return Finding(float(places == sorted(places)), "" if places == sorted(places) else "the facts are not in the required order")

    return Check(name="order", test=test)


def only_these(sheet: FactSheet, names: Sequence[str]) -> Check:
    """No other fact of the sheet is stated."""

    def test(text: str) -> Finding:
        others = tuple(place for name, places in read_facts(sheet, text).stated.items() if name not in names for place in places)
        return Finding(float(not others), "a sentence states what the text must leave out" if others else "", others)

    return Check(name="nothing else", test=test)


def no_other_mentions(sheet: FactSheet) -> Check:
    """The sheet's vocabulary occurs only in sentences that state a fact."""

    def test(text: str) -> Finding:
        stating = {place for places in read_facts(sheet, text).stated.values() for place in places}
        rest = [each for each in split_sentences(text) if (each.start, each.end) not in stating]
        found = tuple((each.start, each.end) for each in rest if any(mentions(each.words, term) for term in sheet.vocabulary))
        return Finding(float(not found), "a sentence mentions something but states no fact" if found else "", found)

    return Check(name="no other mentions", test=test)


def each_once(sheet: FactSheet) -> Check:
    """No fact is stated twice."""

    def test(text: str) -> Finding:
        twice = [places for places in read_facts(sheet, text).stated.values() if len(places) > 1]
        return Finding(float(not twice), "a fact is stated twice" if twice else "", twice[0] if twice else ())

    return Check(name="no repetition", test=test)


def prose(allowed_lines: Sequence[str] = ()) -> Check:
    """Every sentence reads as one (see `prose`), except the lines allowed, such as a greeting."""
    allowed = {_line(line) for line in allowed_lines}

    def test(text: str) -> Finding:
        for sentence in split_sentences(text):
            if _line(sentence.text) not in allowed and (why := prose_fault(sentence)):
                return Finding(0.0, f"a sentence does not read as one: {why}", ((sentence.start, sentence.end),))
        return Finding(1.0)

    return Check(name="prose", test=test)


def _line(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".,!;:")
