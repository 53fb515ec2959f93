"""Bring cards of a project board to done: everything they wait for first, each move by someone who may make it.

Cards wait for cards, only so many may be in doing at once, people are away, and nobody checks their own work. Any order
of moves that keeps the rules is right; judged by replaying the moves that were made.
"""

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.board import Move, Rules, board, broken, card, member, plan
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import CODE, FIRST_PAGE, Browse, Change, Eyes, Finish, Office, Read, Record
from rlgym.generators.text.english import count_noun


class GetCard(Read):
    """Reads a card: its column, its assignee and the cards that it waits for."""

    kind = "card"
    code: str = CODE


class ListColumn(Browse):
    """Lists the cards of a column, as it was at the beginning."""

    kind, by, shows = "card", ("column",), ("title", "assignee")
    column: str = CODE
    page: int = FIRST_PAGE


class ListMembers(Browse):
    """Lists the people of the team."""

    kind, by, shows = "member", (), ("name", "role", "here")
    page: int = FIRST_PAGE


class MoveCard(Change):
    """Moves a card to a column, in the name of a member. The board checks nothing."""

    touches = {"card": "card"}
    card: str = CODE
    column: str = CODE
    by: str = CODE


TOOLS = ToolCalls((GetCard, ListColumn, ListMembers, MoveCard, Finish))


class Knobs(Config):
    cards: int = knob(10, easy=5, hard=20, doc="cards on the board")
    depth: int = knob(2, easy=1, hard=5, doc="how far cards wait for cards that wait for cards")
    goals: int = knob(1, easy=1, hard=2, doc="cards that are to be done")
    people: int = knob(5, easy=3, hard=8, doc="members of the team")


class State(Office):
    goals: tuple[str, ...]
    rules: Rules


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, tangled=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Boards where cards wait for more others, and never one more than now may be in doing."""
    return _state(rng, knobs, tangled=True)


def _state(rng: Rng, knobs: Knobs, tangled: bool) -> State:
    world = board(rng, knobs.cards, knobs.depth, knobs.goals, knobs.people, tangled)
    own = "a checker or lead who is not its assignee" if world.rules.own else "a checker or lead"
    briefing = (
        f"You keep the board of a project with {knobs.cards} cards. Bring to done: {', '.join(world.goals)}.\n\n"
        "- The columns are todo, doing, review and done. A card moves to the very next column only.\n"
        "- A card may not move to doing before all cards that it waits for are done; move those too, and those that they wait for, but no others.\n"
        f"- At no time may more than {count_noun(world.rules.most, 'card')} of the board be in doing, counting those that you do not move.\n"
        "- To doing and to review a card is moved by its assignee or, while the assignee is not here, by a lead who is here.\n"
        f"- To done a card is moved by {own}. Somebody who is not here moves nothing.\n"
        "A move against these rules is still made, and loses the work."
    )
    state = State(briefing=briefing, records=world.records, cases=1, goals=world.goals, rules=world.rules)
    return desk.begun(state) if knobs.cards == 5 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    known: dict[str, Record] = {}
    waiting = list(state.goals)
    while waiting:
        known |= {record.code: record for record in eyes.reads([GetCard(code=code) for code in waiting])}
        waiting = list(dict.fromkeys(code for one in known.values() if one.facts["column"] != "done" for code in one.names("waits for")))
        waiting = [code for code in waiting if code not in known]
    eyes.all(ListColumn(column="doing"))
    team = [member(record) for record in eyes.all(ListMembers())]
    if slip == "forgets_who_is_away":
        team = [one._replace(away=False) for one in team]
    cards = {code: card(record) for code, record in known.items()}
    moves = plan(state.rules, cards, team, state.goals)
    if slip == "only_goals":
        moves = [move for move in moves if move.card in state.goals]
    if slip == "backwards":
        moves = moves[::-1]
    return [MoveCard(card=move.card, column=move.column, by=move.by) for move in moves]


def judge(state: State) -> str:
    team = [member(record) for record in state.records if record.kind == "member"]
    cards = {record.code: card(record) for record in state.records if record.kind == "card"}
    moves = [TOOLS.parse(key)[0] for key in state.done]
    return broken(state.rules, cards, team, state.goals, [Move(one.card, one.column, one.by) for one in moves if isinstance(one, MoveCard)])


desk = Service(TOOLS, decide, slips=("forgets_who_is_away", "only_goals", "backwards"), judge=judge)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Follow what the cards wait for down to what is done, finish what is begun to make room, and then move one card after the other.",
    rules=desk.rules,
    version=5,
    milestones=desk.milestones,
)  # fmt: skip
