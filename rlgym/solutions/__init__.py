"""Worked solutions: declared once as steps that fall due, then written, checked, found in a response and corrupted."""

from rlgym.solutions.claims import Claim as Claim
from rlgym.solutions.claims import judge_claims as judge_claims
from rlgym.solutions.response import FoundStep as FoundStep
from rlgym.solutions.response import find_steps as find_steps
from rlgym.solutions.response import token_spans as token_spans
from rlgym.solutions.solution import Checker as Checker
from rlgym.solutions.solution import Checks as Checks
from rlgym.solutions.solution import Derivation as Derivation
from rlgym.solutions.solution import Solution as Solution
from rlgym.solutions.solution import SolutionByTask as SolutionByTask
from rlgym.solutions.solution import any_order as any_order
from rlgym.solutions.solution import in_order as in_order
from rlgym.solutions.step import Due as Due
from rlgym.solutions.step import OneOf as OneOf
from rlgym.solutions.step import Step as Step
from rlgym.solutions.step import Taken as Taken
from rlgym.solutions.step import sentence as sentence
