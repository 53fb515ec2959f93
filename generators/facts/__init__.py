"""Stated facts: sentences from banks of phrasings that can be read back, texts of numbered sentences, and filling for them."""

from rlgym.generators.facts.filling import sample_filler as sample_filler
from rlgym.generators.facts.sentence_banks import Bank as Bank
from rlgym.generators.facts.sentence_banks import Said as Said
from rlgym.generators.facts.sentence_banks import numbered_list as numbered_list
from rlgym.generators.facts.sentence_banks import passage as passage
from rlgym.generators.facts.sentence_banks import read_statements as read_statements
from rlgym.generators.facts.sentence_banks import score_parts as score_parts
from rlgym.generators.facts.sentence_banks import sentences as sentences
