"""Offline datasets: recipes, builds, loading, and scoring responses from the files alone."""

from rlgym.dataset.build import build as build
from rlgym.dataset.manifest import Manifest as Manifest
from rlgym.dataset.read import load as load
from rlgym.dataset.read import read_manifest as read_manifest
from rlgym.dataset.recipe import Recipe as Recipe
from rlgym.dataset.rows import missing_requirement as missing_requirement
from rlgym.dataset.rows import row_without_oracle as row_without_oracle
from rlgym.dataset.sample import sample as sample
from rlgym.dataset.score import Summary as Summary
from rlgym.dataset.score import oracle_response as oracle_response
from rlgym.dataset.score import score_responses as score_responses
from rlgym.dataset.score import wrong_response as wrong_response
from rlgym.dataset.session import Session as Session
from rlgym.dataset.stream import TaskStream as TaskStream
from rlgym.dataset.stream import huggingface_stream as huggingface_stream
from rlgym.dataset.stream import torch_stream as torch_stream
from rlgym.dataset.task_json import from_task_json as from_task_json
from rlgym.dataset.task_json import to_task_json as to_task_json
