"""Sentences about the daily life of an invented land, to fill a text with what is not asked for."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng

_BANKS = {
    "season": "spring,summer,autumn,winter,early spring,late summer,the hay harvest,the dark of the year".split(","),
    "weather": "rain,fog,snow,hail,a dry wind,thunder,drizzle,sleet,bright sun,frost".split(","),
    "crop": "rye,barley,flax,hops,millet,lentils,turnips,saffron,mustard,oats".split(","),
    "craft": "weavers,potters,coopers,glaziers,smiths,bakers,dyers,joiners,tanners,rope makers".split(","),
    "beast": "herons,otters,goats,bees,hares,mules,swans,badgers,owls,geese".split(","),
    "part": "the upper town,the lower town,the quays,the old walls,the market square,the eastern meadows,the orchards,the bathhouse".split(
        ","
    ),
    "dish": "barley soup,smoked eel,plum dumplings,black bread,honey cakes,pickled cabbage,pea stew,roast chestnuts".split(","),
    "tune": "a slow round,a marching song,an old ballad,a lullaby,a boat song,a drinking song".split(","),
}
_WAYS = """In {season}, {weather} lay over {place} for days on end.
The {craft} of {place} keep their workshops near {part}.
{person} used to say that nothing tastes better than {dish} after {weather}.
Most fields around {place} are sown with {crop}, and some with {crop2}.
Children in {place} leave crumbs for the {beast} until {season} is over.
At the yearly fair of {place} the {craft} sell more than the {craft2}.
{person} once walked from {place} to {place2} in {weather} and never spoke of it again.
The road between {place} and {place2} runs past fields of {crop}.
Nobody in {place} remembers when anybody last repaired {part}.
In {season} the inns of {place} serve {dish} and little else.
The {craft} of {place2} learned their trade from the {craft} of {place}.
It is held to be good luck in {place} to meet {beast} in {season}.
{person} hummed {tune} while the {craft} packed up their stalls.
The cellars of {place} smell of {crop} well into {season}.
Old people in {place} foretell {weather} from the flight of the {beast}.
A painted sign near {part} of {place} shows {beast} eating {crop}.
The {craft} and the {craft2} of {place} have quarrelled about the price of {crop} ever since.
{person} collects verses about {weather} and about {dish}.
From the hills one sees {part} of {place}, and on clear days {place2} as well.
Carts loaded with {crop} leave {place} before dawn in {season}.
When {weather} comes up, the {beast} of {place} crowd together near {part}.
The people of {place} dance to {tune} on the longest day.
{person} has a cousin in {place2} who breeds {beast}.
A letter from {place} to {place2} takes two days, three in {weather}.""".split("\n")


def sample_filler(rng: Rng, count: int, places: Sequence[str], people: Sequence[str]) -> list[str]:
    """`count` sentences that name only these places and people, and say nothing that is ever asked for."""
    out: dict[str, None] = {}
    while len(out) < count:
        gaps = {name: rng.choice(bank) for name, bank in _BANKS.items()}
        gaps["crop2"], gaps["craft2"] = (rng.choice([word for word in _BANKS[name] if word != gaps[name]]) for name in ("crop", "craft"))
        gaps["place"], gaps["place2"] = rng.sample(places, 2)
        sentence = rng.choice(_WAYS).format(**gaps, person=rng.choice(people))
        out[sentence[0].upper() + sentence[1:]] = None
    return list(out)
