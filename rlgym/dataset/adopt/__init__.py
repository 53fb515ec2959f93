"""Question files with published answers become environments: unverifiable, doubtful, repeated and leaked rows are rejected with reasons."""

from rlgym.dataset.adopt.adopt import Adoption as Adoption
from rlgym.dataset.adopt.adopt import adopt as adopt
from rlgym.dataset.adopt.adopt import write_environment as write_environment
from rlgym.dataset.adopt.question import Question as Question
from rlgym.dataset.adopt.question import read_questions as read_questions
from rlgym.dataset.adopt.votes import Votes as Votes
from rlgym.dataset.adopt.votes import suspects as suspects
