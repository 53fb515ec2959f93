"""Answer formats: each asks for, reads and writes one type of answer. No environment ever touches raw model text."""

from rlgym.answers.arithmetic import Arithmetic as Arithmetic
from rlgym.answers.choice import Choice as Choice
from rlgym.answers.code import Code as Code
from rlgym.answers.condition import Condition as Condition
from rlgym.answers.expression import Expression as Expression
from rlgym.answers.grid import Grid as Grid
from rlgym.answers.integer import Integer as Integer
from rlgym.answers.literal import Literal as Literal
from rlgym.answers.mapping import Mapping as Mapping
from rlgym.answers.numbers import Numbers as Numbers
from rlgym.answers.rational import Rational as Rational
from rlgym.answers.rationals import Assignment as Assignment
from rlgym.answers.rationals import Rationals as Rationals
from rlgym.answers.regex import Regex as Regex
from rlgym.answers.sql import Sql as Sql
from rlgym.answers.text import Lines as Lines
from rlgym.answers.text import Text as Text
from rlgym.answers.tools import Call as Call
from rlgym.answers.tools import Calls as Calls
from rlgym.answers.tools import Misuse as Misuse
from rlgym.answers.tools import Tool as Tool
from rlgym.answers.tools import ToolCalls as ToolCalls
from rlgym.answers.words import Words as Words
from rlgym.core.answer import Answer as Answer
from rlgym.core.answer import Style as Style
from rlgym.core.answer import Unreadable as Unreadable
