"""People, places, goods and phrasings for word problems.

`people(rng, n)`, `places` and `goods` sample different items; `phrase` picks one of several phrasings and fills its gaps.
"""

from rlgym.generators.stories.banks import ANIMALS as ANIMALS
from rlgym.generators.stories.banks import GOODS as GOODS
from rlgym.generators.stories.banks import LIQUIDS as LIQUIDS
from rlgym.generators.stories.banks import PEOPLE as PEOPLE
from rlgym.generators.stories.banks import PLACES as PLACES
from rlgym.generators.stories.banks import SHOPS as SHOPS
from rlgym.generators.stories.banks import TRADES as TRADES
from rlgym.generators.stories.banks import VEHICLES as VEHICLES
from rlgym.generators.stories.phrasing import Goods as Goods
from rlgym.generators.stories.phrasing import goods as goods
from rlgym.generators.stories.phrasing import money as money
from rlgym.generators.stories.phrasing import people as people
from rlgym.generators.stories.phrasing import phrase as phrase
from rlgym.generators.stories.phrasing import places as places
