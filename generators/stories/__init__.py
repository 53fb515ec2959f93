"""People, places, goods and ways of saying things for word problems, wide enough that no wording repeats soon.

`people(rng, n)` and the other draws give different items each; `told` picks one of several phrasings of a relation and fills it in.
"""

from rlgym.generators.stories.banks import ANIMALS as ANIMALS
from rlgym.generators.stories.banks import GOODS as GOODS
from rlgym.generators.stories.banks import LIQUIDS as LIQUIDS
from rlgym.generators.stories.banks import PEOPLE as PEOPLE
from rlgym.generators.stories.banks import PLACES as PLACES
from rlgym.generators.stories.banks import SHOPS as SHOPS
from rlgym.generators.stories.banks import TRADES as TRADES
from rlgym.generators.stories.banks import VEHICLES as VEHICLES
from rlgym.generators.stories.telling import Goods as Goods
from rlgym.generators.stories.telling import counted as counted
from rlgym.generators.stories.telling import goods as goods
from rlgym.generators.stories.telling import listed as listed
from rlgym.generators.stories.telling import money as money
from rlgym.generators.stories.telling import people as people
from rlgym.generators.stories.telling import places as places
from rlgym.generators.stories.telling import spelled as spelled
from rlgym.generators.stories.telling import told as told
