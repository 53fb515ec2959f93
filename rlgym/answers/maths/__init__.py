"""Mathematical answers beyond one expression: sets of numbers, points, intervals, matrices, quantities with units, equations.

Everything is read by our own bounded parser and compared exactly: rational numbers as fractions, other constants as expression trees.
"""

from rlgym.answers.maths.algebra import identical as identical
from rlgym.answers.maths.algebra import quadratic_roots as quadratic_roots
from rlgym.answers.maths.algebra import ratio as ratio
from rlgym.answers.maths.constants import CONSTANT as CONSTANT
from rlgym.answers.maths.constants import below as below
from rlgym.answers.maths.constants import read_constant as read_constant
from rlgym.answers.maths.constants import same_members as same_members
from rlgym.answers.maths.constants import value_of as value_of
from rlgym.answers.maths.curves import same_curve as same_curve
from rlgym.answers.maths.curves import same_up_to_constant as same_up_to_constant
from rlgym.answers.maths.equivalence import equivalent as equivalent
from rlgym.answers.maths.layout import bare as bare
from rlgym.answers.maths.layout import parts as parts
from rlgym.answers.maths.spans import Span as Span
from rlgym.answers.maths.spans import same_spans as same_spans
from rlgym.answers.maths.spans import tidy as tidy
from rlgym.answers.maths.units import Unit as Unit
from rlgym.answers.maths.units import read_unit as read_unit
