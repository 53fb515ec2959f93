"""Rubrics: verifiers of open-ended answers, made of weighted criteria with vetoes.

A criterion is a deterministic check, a nugget (a fact with aliases that a sentence must state), or a question to a judge. A rubric of checks and
nuggets is deterministic and needs no model; judge calls are cached by content, counted against a budget, and masked when they fail.
"""

from rlgym.rubrics import checks as checks
from rlgym.rubrics.criteria import Check as Check
from rlgym.rubrics.criteria import Finding as Finding
from rlgym.rubrics.criteria import JudgeCall as JudgeCall
from rlgym.rubrics.criteria import NoContradiction as NoContradiction
from rlgym.rubrics.criteria import Nugget as Nugget
from rlgym.rubrics.facts import Fact as Fact
from rlgym.rubrics.facts import FactSheet as FactSheet
from rlgym.rubrics.facts import Term as Term
from rlgym.rubrics.facts import read_facts as read_facts
from rlgym.rubrics.judge import PHRASINGS as PHRASINGS
from rlgym.rubrics.judge import CachedJudge as CachedJudge
from rlgym.rubrics.judge import EndpointJudge as EndpointJudge
from rlgym.rubrics.judge import FunctionJudge as FunctionJudge
from rlgym.rubrics.judge import Judge as Judge
from rlgym.rubrics.judge import JudgeUnavailable as JudgeUnavailable
from rlgym.rubrics.rubric import Rubric as Rubric
from rlgym.rubrics.rubric import evidence_texts as evidence_texts
from rlgym.rubrics.sentences import longest_shared_run as longest_shared_run
from rlgym.rubrics.sentences import split_sentences as split_sentences
from rlgym.rubrics.texts import rubric_of_facts as rubric_of_facts
