"""Labelled steps of recorded responses: label sources, their comparison, exports, trees of steps, and the scores of a trained scorer."""

from rlgym.evaluate.steps.records import StepRecord as StepRecord
from rlgym.evaluate.steps.records import read_records as read_records
from rlgym.evaluate.steps.records import write_records as write_records
