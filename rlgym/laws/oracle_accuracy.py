"""The oracle is right."""

from __future__ import annotations

import re
from fractions import Fraction
from zlib import crc32

from rlgym.answers.rational import Rational
from rlgym.answers.rationals import Assignment
from rlgym.core.answer import STYLES, Style
from rlgym.core.config import Config
from rlgym.core.score import Outcome
from rlgym.episode.play import EpisodeState
from rlgym.episode.sampling import sample_task
from rlgym.laws.constant_answer import CHOSEN_ON
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import Subject, short

TASKS = Samples(least=2, quick=3, standard=6, certificate=30)
MIDDLE_TASKS = CHOSEN_ON  # of level 0.5: the oracle answers these for the law no_free_reward as well
TASKS_PER_CORNER = Samples(least=1, standard=1, certificate=3)
CORNERS_STEP = 2
"""At the least effort, every second corner is drawn, of each environment others."""
FIRST_CORNER_SEED = 100
LONGEST_QUOTE = 800
SHORT_DECIMAL = 4
"""Places of a decimal up to which it is preferred to a fraction."""
_FRACTION = re.compile(r"(?<![\w./])-?\d+/\d+(?![\w/])")
_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)")
_FRACTION_ASKED = re.compile(r"\bfraction\b|a/b")


def oracle_accuracy(subject: Subject, effort: Effort) -> Finding:
    """The oracle scores 1 at every level, in every answer style and in every corner of the knobs, and spells names and numbers as the prompt does."""
    finding, played, right = Finding(), 0, 0
    few = effort is Effort.LEAST and subject.single is None  # each task is a whole episode
    middle = [] if few else [(seed, 0.5) for seed in range(1, MIDDLE_TASKS.at(effort, subject.runs_programs) + 1)]
    for seed, level in dict.fromkeys([*subject.sample(TASKS, effort), *middle]):
        style = STYLES[(seed - 1) % 3]
        ended = subject.solved(seed, level, style)
        played, right = played + 1, right + _is_right(ended)
        location = f"seed {seed} level {level} (style {style})"
        _require_right(ended, location, finding)
        _require_spelling(subject, ended, style, location, finding)
        _require_decimals(subject, ended, location, finding)
    for seed in range(FIRST_CORNER_SEED, FIRST_CORNER_SEED + TASKS_PER_CORNER.at(effort)):
        corners = _corners(subject.declared.config, effort)
        for corner in corners if effort is not Effort.LEAST else corners[crc32(subject.name.encode()) % CORNERS_STEP :: CORNERS_STEP]:
            task = sample_task(subject.name, subject.declared, seed, corner)
            ended = subject.play(task, subject.oracle())
            played, right = played + 1, right + _is_right(ended)
            _require_right(ended, f"seed {seed} with knobs {vars(corner)}", finding)
    if finding.broken > 1:
        finding.failures.append(f"the oracle fails {finding.broken} of {played} episodes; the first is shown")
    finding.measured = {"episodes": played, "oracle_accuracy": right / played}
    return finding


def _require_right(ended: EpisodeState, location: str, finding: Finding) -> None:
    """Record a failed episode of the oracle. The first one is shown in full: the prompt, the oracle's response and the verifier's reason."""
    if _is_right(ended):
        return
    if finding.broken:
        finding.broken += 1
        return
    responses = [content for role, content in ended.transcript if role == "assistant"]
    score = f"{ended.score.value:g} ({ended.score.outcome.value}): {ended.score.reason}" if ended.score else "the episode does not end"
    lines = [f"the oracle fails {location}", *_quote("prompt", ended.task.prompt), *_quote("oracle", responses[-1] if responses else "")]
    finding.require(False, "\n".join([*lines, f"score:  {score}"]))


def _require_spelling(subject: Subject, ended: EpisodeState, style: Style, location: str, finding: Finding) -> None:
    """Require that an answer in which letter case is ignored has the names of the prompt in the prompt's case: it is a demonstration."""
    if subject.single is None:
        return
    answer, right = subject.single.answer, subject.right(ended.task)
    spelled = answer.render_for(right, ended.task.prompt)
    if spelled == answer.render(right):
        return
    written = answer.extract(next(content for role, content in ended.transcript if role == "assistant"), style)
    finding.require(written == [spelled], f"the oracle writes {short(', '.join(written))} for {short(spelled)}, {location}")


def _require_decimals(subject: Subject, ended: EpisodeState, location: str, finding: Finding) -> None:
    """Require a decimal where the numbers of the prompt are decimals, the answer has a short one, and its form does not ask for a fraction."""
    if subject.single is None or not isinstance(subject.single.answer, Rational | Assignment):
        return
    answer, prompt = subject.single.answer, ended.task.prompt
    asked = _FRACTION_ASKED.search(answer.instructions) is not None and "decimal" not in answer.instructions and answer.digits is None
    if asked or _FRACTION.search(prompt) or not _DECIMAL.search(prompt):
        return
    written = answer.render_for(subject.right(ended.task), prompt)
    for match in _FRACTION.finditer(written):
        value = Fraction(match[0])
        if (value * 10**SHORT_DECIMAL).denominator == 1:
            finding.require(False, f"the oracle writes {short(written)} although the numbers of the prompt are decimals, {location}")


def _quote(title: str, text: str) -> list[str]:
    """A text as an indented block, without its middle if it is long."""
    if len(text) > LONGEST_QUOTE:
        half = LONGEST_QUOTE // 2
        text = f"{text[:half]} [... {len(text) - 2 * half} characters ...] {text[-half:]}"
    return [f"{title}: {text}"] if "\n" not in text else [f"{title}:", *(f"    {line}" for line in text.splitlines())]


def _is_right(ended: EpisodeState) -> bool:
    return ended.score is not None and ended.score.outcome is Outcome.RIGHT


def _corners(config: type[Config], effort: Effort) -> list[Config]:
    """The defaults, and each knob at one end of its range while all others are at the other end, each configuration once.

    The small efforts leave out the corners with one knob at its easy end. The other corners and levels 0 and 1, which the law samples unless
    verdicts run programs, still combine each end of every knob with each end of every other one.
    """
    facts = config.knobs()
    easy, hard = {name: fact["easy"] for name, fact in facts.items()}, {name: fact["hard"] for name, fact in facts.items()}
    corners = [{}, *({**easy, name: hard[name]} for name in facts)]
    if not effort.is_small:
        corners += [{**hard, name: easy[name]} for name in facts]
    return [config.from_knobs(dict(corner)) for corner in dict.fromkeys(tuple(corner.items()) for corner in corners)]
