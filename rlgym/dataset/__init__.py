"""Offline datasets: recipes, building, reading back, and scoring responses from the files alone."""

from rlgym.dataset.build import build as build
from rlgym.dataset.manifest import Manifest as Manifest
from rlgym.dataset.read import load as load
from rlgym.dataset.read import read_manifest as read_manifest
from rlgym.dataset.recipe import Recipe as Recipe
from rlgym.dataset.rows import bare_row as bare_row
from rlgym.dataset.rows import missing as missing
from rlgym.dataset.sample import sample as sample
from rlgym.dataset.score import Summary as Summary
from rlgym.dataset.score import responses as responses
from rlgym.dataset.score import score_responses as score_responses
from rlgym.dataset.score import wrong_response as wrong_response
from rlgym.dataset.session import Session as Session
from rlgym.dataset.tickets import read_ticket as read_ticket
from rlgym.dataset.tickets import ticket as ticket
