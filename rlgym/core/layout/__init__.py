"""The layout around an answer: layers such as a code fence, bold or `x =` are peeled off one at a time; the content is never changed."""

from rlgym.core.layout.layers import LIST as LIST
from rlgym.core.layout.layers import NUMBER as NUMBER
from rlgym.core.layout.layers import NUMBERS as NUMBERS
from rlgym.core.layout.layers import PATTERN as PATTERN
from rlgym.core.layout.layers import PROGRAM as PROGRAM
from rlgym.core.layout.layers import VERBATIM as VERBATIM
from rlgym.core.layout.layers import WRAPPERS as WRAPPERS
from rlgym.core.layout.layers import Layer as Layer
from rlgym.core.layout.peel import peeled as peeled
from rlgym.core.layout.peel import unknown_layout as unknown_layout
from rlgym.core.layout.question import Question as Question
from rlgym.core.layout.question import question_of as question_of
