"""How a prediction of what a shopper does is read, and the reply to one that cannot be read."""

from rlgym.envs.tools import shopper_actions as world
from rlgym.generators.services.shopper import Person, Product, View

LAMPS = (
    Product("B1", "lamp", "Alder", "Fennel", 30, 40, 100, 5, ("red", "blue")),
    Product("B2", "lamp", "Birch", "Calloway", 20, 35, 50, 2, ("blue", "red")),
    Product("B3", "mug", "Cedar", "Fennel", 5, 50, 300, 1, ("red", "white")),
    Product("B4", "lamp", "Dune", "Dornier", 25, 45, 200, 9, ("white", "red")),
)


def test_quotes_and_letter_case_are_read_and_faults_are_named():
    person = Person("lamp", 30, days=4, first_maker="Fennel")
    state = world.State(person=person, products=LAMPS, view=View("lamp"))
    for name in ("B2", "b2", '"B2"', " 'b2' "):
        right = world.act(state, (world.Click(name=name),))
        assert right.earned[0] > 0
        assert right.fault == ""
    search = world.State(person=person, products=LAMPS, view=View("Fennel lamp", opened=("B1",)))
    best = world.act(search, world.best(search)).earned
    assert world.act(search, (world.TypeAndSubmit(name="search_box", text='"Lamp"'),)).earned == best
    extra = world.TOOLS.parse('{"tool": "click", "arguments": {"name": "B2", "page": 1}}')
    assert world.show(world.act(state, extra)).startswith(
        "Your prediction cannot be read: click was not run: it has no argument 'page'. The person's action was"
    )
    absent = world.act(state, (world.Click(name="buy"),))
    assert world.show(absent).startswith("Nothing that is clickable on the page has the name 'buy' of your prediction. The person's")
    assert absent.earned == (0.0, 0.0, 0.0)
