"""Expression trees: read from text within named bounds, written back, evaluated, compared. No text is ever run as code.

Several answer formats and environments share them. A `Grammar` says which names, functions and operators may be
written, and how much of everything.
"""

from rlgym.answers.trees import build as build
from rlgym.answers.trees.equality import same as same
from rlgym.answers.trees.equality import value as value
from rlgym.answers.trees.expand import factors as factors
from rlgym.answers.trees.expand import polynomial as polynomial
from rlgym.answers.trees.lexer import ARITHMETIC as ARITHMETIC
from rlgym.answers.trees.lexer import Grammar as Grammar
from rlgym.answers.trees.nodes import CONSTANTS as CONSTANTS
from rlgym.answers.trees.nodes import FUNCTIONS as FUNCTIONS
from rlgym.answers.trees.nodes import Apply as Apply
from rlgym.answers.trees.nodes import Name as Name
from rlgym.answers.trees.nodes import Number as Number
from rlgym.answers.trees.nodes import Tree as Tree
from rlgym.answers.trees.nodes import Undefined as Undefined
from rlgym.answers.trees.nodes import depth as depth
from rlgym.answers.trees.nodes import exact as exact
from rlgym.answers.trees.nodes import number as number
from rlgym.answers.trees.nodes import size as size
from rlgym.answers.trees.nodes import walk as walk
from rlgym.answers.trees.reader import read as read
from rlgym.answers.trees.slopes import at as at
from rlgym.answers.trees.slopes import depends as depends
from rlgym.answers.trees.slopes import derivative as derivative
from rlgym.answers.trees.writer import from_sympy as from_sympy
from rlgym.answers.trees.writer import latex as latex
from rlgym.answers.trees.writer import to_sympy as to_sympy
from rlgym.answers.trees.writer import write as write
