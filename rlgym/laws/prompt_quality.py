"""A prompt reads as English, and says only what applies to its task; an explanation agrees with its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rlgym.core.task import Task
from rlgym.episode.play import start_episode
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import TOP_SEEDS, Subject, short

TASKS = Samples(least=10, quick=20, standard=20, certificate=60, programs=2)
EXPLAINED = Samples(least=1, quick=3, standard=8, certificate=20)
"""The first tasks of a level, whose explanations are read too."""

_LABELS = set(
    "arrangement bag basket bottle bowl box bucket card case cell claim clause claims column day example group head input item jar jug level line machine "
    "node number page part person piece pile pin pit place player program property query question ray round row rule sack sentence set side slot state "
    "step stone string table tape team test tile tin tower town tube urn word world your my x".split()
)
"""Words before a number that is a name: `row 1 holds` is no plural after a one."""
_NO_PLURALS = set(
    "adds agrees always applies arrives as asks beats becomes begins belongs changes comes contains costs counts covers defeats depends does ends enters "
    "exists faces falls fits follows gains gets gives goes has holds is its joins leads leaves less lies loses makes means meets minus misses moves "
    "names needs owes owns pays plays plus reads receives runs says sees sells sends serves shows spells stands starts stays takes tells this "
    "times turns us uses wants was weighs wins works yes".split()
)
_ONE = re.compile(r"(\S+)\s(?:minus )?1 ([a-z]{2,}s)\b(?![-=(])")
_ONE_TIMES = re.compile(
    r"\b(?:at most|at least|exactly) 1 (?:moves|times|turns|plays|steps|runs|draws|reads|points)\b"
    r"|(?<!, )\b1 times(?= (?:before|up|down|in|at|per|each|for|and|to|as|that)\b|[.;:]|$)"
)
"""Words that may be verbs, or stand between numbers, where they are nouns."""
_REPEATED = re.compile(r" = \(?(-?\d+(?:/\d+)?)\)? = \1(?![\d./]|,\d|\s*[-+*/^=(]|\s+\d)")
"""A number that a worked calculation gives twice: `x = 24 = 24`."""
_PATTERNS = (
    ("a number of things that is one", re.compile(r"\b(?:[Nn]ext|[Ff]irst|following|remaining) 1 [a-z]+|\b[Tt]here are 1 [a-z]+")),
    (
        "a range of one number",
        re.compile(r"(?<![\w.,/:-])(\d+) to \1 [a-z]{3,}|\b(?:from|between)(?: day)? (\d+) (?:to|and)(?: day)? \2(?![\w/%]|[.,]\d)", re.I),
    ),
    (
        "a word twice",
        re.compile(r"(?<![-'\w])(the|an|of|to|is|are|be|it|with|for|from|by|at|if|then|than|which|this|in) \1(?![-'\w])", re.I),
    ),
    (
        "a list of one item that is announced in the plural",
        re.compile(
            r"\b(?:[Tt]hese|[Ff]ollowing) (?:[\w-]+ ){0,2}?[a-z]{3,}s\b[^\n.?]*:\n+(?:- |\(a\) |\(1\) |1[.)] )[^\n]*(?:\n\n|\n(?=[A-Z])|\Z)"
            r"(?!- |\(b\)|\(2\)|2[.)] )"
        ),
    ),
    (
        "one thing after words for several",
        re.compile(
            r"\b(?:[Tt]hese|[Ff]ollowing|[Aa]ll of|[Ee]ach of|[Nn]one of|[Aa]ny of) (?:[a-z]+ ){0,2}?"
            r"(?:words|names|numbers|letters|items|values|keys|cities|books|topics|files|columns|rules)\b[^:.\n]*: "
            r"(?:\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|-?[\w]+)(?:\.(?: |$)|\n|$)",
            re.M,
        ),
    ),
    ("an unfilled gap", re.compile(r"(?<![\w\\}$`])\{[a-z_]{4,}\}(?!`)|<[\w.]+ object at |<function ")),
    (
        "a clause with `who` and nobody it belongs to",
        re.compile(
            r"(?:(?<=[.;:] )|^)[Ww]ho (?:has|cannot|is|draws|takes|gets|wins|loses|wants|makes|owns|always|first)\b[^.?\"]*\.", re.M
        ),
    ),
)
_IDIOMS = (
    (r"[Ww]hich probability", "what is the probability"),
    (r"\b[Hh]ow many [a-z]+ has (?:the|each|every|an?)\b", "how many ... does ... have"),
    (r"\bhang(?:s|ing)? together\b", "connected"),
    (r"\bputs? out (?:the|exactly|a|what)\b|\bput out\?", "print"),
    (r"\bworked out (?:first|from|at|by|in)\b", "evaluated, computed"),
    (r"\b(?:go|goes) before (?:the|every|any|all|what|fixed|jobs)\b", "override, take precedence over"),
    (r"\bbeside (?:that|this|what|the standard)\b", "besides"),
    (r"\bbut for (?:the|what|these|those|jumps|comments)\b", "except"),
    (r"\b[Ss]o many (?:\w+ )?(?:times|values)\b|\bat most so many\b|\bexactly so many\b", "the number itself"),
    (r"\bparted by\b", "separated by"),
    (r"\bin rising order\b", "in ascending order"),
    (r"\bturned? (?:the \w+ )?round\b", "reverse, turn around"),
    (r"\bfor ever\b", "forever"),
    (r"\bequally long\b", "of the same length"),
    (r"\b(?:each of the|picture of|single|equal) signs\b", "characters, operators, symbols"),
    (r"\b(?:are|is) told and stay\b", "given"),
    (r"\bIn between happened\b", "then the following happened"),
    (r"\b(?:else|other) than was\b|\banything else than\b", "other than"),
    (r"\bone a line\b", "one per line"),
)  # fmt: skip
_STANDARD_TERMS = tuple((re.compile(pattern), better) for pattern, better in _IDIOMS)
_WORD_IN_FORM = re.compile(r"\b[Tt]he word ([a-z]+)\b(?!,? (?:if|for|where|when))")
_LETTER_IN_FORM = re.compile(r"(?<![\w/'`.\-])(?<!in )([b-zB-HJ-Z])(?![\w/'`.\-])")
_QUOTED_STEPS = re.compile(r"^--- (?:Solution|Beginning of solution)\b.*?^(?====|---)", re.MULTILINE | re.DOTALL)
"""The steps of a solution by somebody else, in which a slip may have changed a number."""
_EXAMPLES_IN_FORM = re.compile(r"(?:such as|as in|like|the form)\b[^;]*|`[^`]*`|\([^)]*\)")


def prompt_quality(subject: Subject, effort: Effort) -> Finding:
    """Numbers agree with their nouns, words are those of the field, and the answer's form names nothing that the prompt does not.

    In explanations, numbers agree with their nouns, and no calculation is a number alone that is repeated as its result.
    """
    finding, prompts = Finding(), 0
    levels = subject.levels(effort)
    for level in levels:
        count = TASKS.at(effort, subject.runs_programs)
        if level == 1.0:
            count = min(count, TOP_SEEDS.at(effort))
        for seed in range(1, count + 1):
            prompts += 1
            task = subject.task(seed, level)
            for fault in prompt_faults(subject, task):
                finding.require(False, f"{fault}, seed {seed} level {level}")
            for fault in explanation_faults(subject, task) if seed <= EXPLAINED.at(effort) else ():
                finding.require(False, f"in the explanation, {fault}, seed {seed} level {level}")
    finding.measured = {"prompts": prompts, "faulty": finding.broken}
    return finding


def prompt_faults(subject: Subject, task: Task[Any]) -> Iterator[str]:
    """What a native technical writer would mark in the prompt of a task."""
    text = start_episode(subject.declared, task, "tag").observation
    yield from wording_faults(_QUOTED_STEPS.sub("", text))
    yield from _absent_parts(task.prompt, subject.declared.answer.instructions)


def explanation_faults(subject: Subject, task: Task[Any]) -> Iterator[str]:
    """Numbers in the worked solution of a task that do not agree with their nouns, or are given twice."""
    for step in dict.fromkeys(subject.explanation(task)):
        for match in _ONE.finditer(str(step)):
            if _is_plural(match):
                yield f"a plural after one: {_around(str(step), match)}"
        for match in _ONE_TIMES.finditer(str(step)):
            yield f"a plural after one: {_around(str(step), match)}"
        for line in str(step).splitlines():
            for match in () if _is_drawing(line) else _REPEATED.finditer(line):
                yield f"a number that equals itself: {_around(line, match)}"


def _is_drawing(line: str) -> bool:
    """Whether a line is a row of a board: signs of one character side by side, where = may be a sign of the board."""
    signs = line.split()
    return len(signs) > 4 + signs[0].isalpha() and all(len(sign) == 1 for sign in signs) if signs else False


def wording_faults(text: str) -> Iterator[str]:
    """Faults of wording, each with the words around it."""
    for match in _ONE.finditer(text):
        if _is_plural(match):
            yield f"a plural after one: {_around(text, match)}"
    for match in _ONE_TIMES.finditer(text):
        yield f"a plural after one: {_around(text, match)}"
    for fault, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield f"{fault}: {_around(text, match)}"
    for pattern, better in _STANDARD_TERMS:
        for match in pattern.finditer(text):
            yield f"write {better!r} instead: {_around(text, match)}"


def _is_plural(match: re.Match[str]) -> bool:
    """Whether what follows a 1 is a noun in the plural, and the 1 a number of things."""
    return not _names_a_number(match[1]) and match[2] not in _NO_PLURALS and not match[2].endswith(("ss", "us"))


def _names_a_number(before: str) -> bool:
    return before[-1] in ",=<>+-*/^(|" or before[-1].isdigit() or before.strip("(\"'").lower() in _LABELS


def _absent_parts(prompt: str, form: str) -> Iterator[str]:
    """Special words and letters of the answer's form that the prompt does not mention."""
    plain = _EXAMPLES_IN_FORM.sub("", form)
    for pattern, kind in ((_WORD_IN_FORM, "word"), (_LETTER_IN_FORM, "letter")):
        for match in pattern.finditer(plain):
            if not re.search(rf"(?<!\w){re.escape(match[1])}(?!\w)", prompt, re.I if kind == "word" else 0):
                yield f"the answer's form has the {kind} {match[1]!r}, which the prompt does not mention: {short(form)}"


def _around(text: str, match: re.Match[str]) -> str:
    return short(text[max(0, match.start() - 25) : match.end() + 25], 120)
