"""Names for files, people and services of terminal worlds."""

from __future__ import annotations

from rlgym.core.rng import Rng

SERVICES = tuple(
    """
auth billing cart catalog chat ingest mailer orders payments queue render reports search session shipping stock upload video
""".split()
)
TOPICS = tuple(
    """
alpha amber aspen atlas birch cedar cobalt coral delta ember fjord garnet harbor indigo jasper juniper kelp lagoon maple meadow nectar onyx opal
orchid pebble quartz raven saffron sierra tundra umber violet willow zephyr
""".split()
)
PEOPLE = tuple(
    """
ada ben cleo dan eva finn gia hugo ines jack kira leo mia nils olga paul quinn rosa sam tara uma vera wes yan zoe
""".split()
)
WORDS = tuple(
    """
account address basket branch budget cargo cellar channel chapter circle client column contract corner credit customer delivery deposit design detail
engine entry estate factory figure filter format garden harvest history invoice journal kitchen ladder ledger letter margin market matter method
mirror model moment notice number office order packet parcel partner pattern payment permit picture planet policy profit project quarter reason record
region report request result review river sample season service signal silver single source spring station stream summer supply system target ticket
trade travel update valley value vendor version village visit volume warehouse window winter yellow
""".split()
)


def sentence(rng: Rng, words: int) -> str:
    """Some words in a row."""
    return " ".join(rng.choice(WORDS) for _ in range(words))
