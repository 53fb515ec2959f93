"""Told facts: sentences from banks of phrasings that can be read back, texts of numbered sentences, and filling for them."""

from rlgym.generators.facts.filling import filling as filling
from rlgym.generators.facts.telling import Bank as Bank
from rlgym.generators.facts.telling import Said as Said
from rlgym.generators.facts.telling import followed as followed
from rlgym.generators.facts.telling import judged as judged
from rlgym.generators.facts.telling import numbered as numbered
from rlgym.generators.facts.telling import passage as passage
from rlgym.generators.facts.telling import sentences as sentences
from rlgym.generators.facts.telling import told as told
