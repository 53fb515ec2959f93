"""Play cards of which each player sees all but their own, with partners who give and read hints by a stated convention.

The score that is asked for lies between what players without the convention reach with the same deck and what a player who keeps it reaches.
"""

from rlgym import Config, Match, Rng, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.social import fireworks
from rlgym.generators.social.fireworks import DISCARD, HINT, PLAY, Card, Deed, Event, Rules, Table
from rlgym.generators.text.english import count_noun, join_words, ordinal_word
from rlgym.generators.text.names import PEOPLE

Move = tuple[str, ...]
COLOURS = ("red", "blue", "green", "white", "yellow")


class Knobs(Config):
    seats: int = knob(3, easy=2, hard=4, doc="players")
    colours: int = knob(4, easy=2, hard=5, doc="colours of cards, at least as many as players")
    numbers: int = knob(4, easy=3, hard=5, doc="highest number of a card")
    hand: int = knob(4, easy=3, hard=4, doc="most cards that a player holds")
    hints: int = knob(5, easy=4, hard=6, doc="hints to begin with, and the most that there can be")
    convention: str = knob(
        "marks", easy="marks", hard="sums", order=("marks", "sums"), doc="what a hint says: which card to play, or a code for all players"
    )


class State(TaskData):
    rules: Rules
    names: tuple[str, ...]
    cards: tuple[Card, ...]
    table: Table
    need: int = 0
    events: tuple[Event, ...] = ()


def start(rng: Rng, knobs: Knobs) -> State:
    seats, colours = knobs.seats, max(knobs.colours, knobs.seats)
    rules = Rules(seats, colours, knobs.numbers, knobs.hand, knobs.hints, summed=knobs.convention == "sums" and seats > 2)
    size = len(fireworks.full_deck(rules))
    rules = rules._replace(hand=min(knobs.hand, size // (2 * seats), rules.codes - 1 if rules.summed else size))
    names = ("you", *rng.sample(PEOPLE, seats - 1))
    while True:
        state = State(rules=rules, names=names, cards=tuple(rng.shuffled(fireworks.full_deck(rules))), table=fireworks.deal(rules))
        reached = _score(state, fireworks.convention)
        most = 0 if 2 * reached > rules.most else reached
        for habit in fireworks.habits(rng, rules):
            if most + 1 >= reached:
                break
            most = max(most, _score(state, habit))
        else:
            return state.model_copy(update={"need": (most + reached + 1) // 2})


def show(state: State, player: int) -> str:
    moved = [k for k, event in enumerate(state.events) if event.mover == player]
    news = "".join(_news(state, event, player) for event in state.events[moved[-1] if moved else 0 :])
    return f"{news}{_now(state, player)}" if moved else f"{_rules(state, player)}\n\n{news}{_now(state, player)}"


def player(state: State) -> int:
    return state.table.mover


def legal(state: State) -> list[Move]:
    if _decided(state):
        return []
    return [_written(state, deed) for deed in fireworks.deeds(state.rules, state.cards, state.table)]


def act(state: State, move: Move) -> State:
    parts = state.rules, state.cards, state.table
    deed = next(deed for deed in fireworks.deeds(*parts) if _written(state, deed) == move)
    event, table = fireworks.event(*parts, deed), fireworks.after(*parts, deed)
    return state.model_copy(update={"table": table, "events": (*state.events, event)})


def returns(state: State) -> tuple[float, ...] | None:
    if not _decided(state):
        return None
    return (_share(state, state.table.score),) * state.rules.seats


def best(state: State) -> Move:
    """The move by the convention."""
    return _written(state, fireworks.convention(state.rules, state.cards, state.table))


def greedy(state: State) -> Move:
    """The convention for the partners; the first player plays what is known for sure, and hints at what can be played."""
    if state.table.mover:
        return best(state)
    return _written(state, fireworks.careful(state.rules, state.cards, state.table))


def target_return(state: State) -> float:
    return _share(state, state.need)


def opponent(state: State) -> str:
    return "greedy"


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[Move]:
    return [(PLAY, str(state.rules.hand + 1)), (HINT, "you", "1"), (HINT, state.names[1].lower(), "purple"), (DISCARD,)]


def cost(state: State) -> float:
    rules = state.rules
    return float(len(state.cards) * rules.hand * (rules.seats - 1) * (3 if rules.summed else 1))


def turns(state: State) -> int:
    return (2 * len(state.cards) + state.rules.hints) // state.rules.seats + 2


def explain(state: State) -> list[str]:
    rules, cards, table = state.rules, state.cards, state.table
    answer = f"The move is {' '.join(best(state))}"
    if rules.summed:
        digits = [
            f"{state.names[other]} {fireworks.first_fitting(rules, cards, table, other)}"
            for other in range(rules.seats)
            if other != table.mover
        ]
        own = table.advice[table.mover]
        played = count_noun(table.since, "card has", "cards have")
        return [
            f"By the last hint the digit of your hand is {own}, and {played} been played since.",
            f"The digits of the hands are now: {', '.join(digits)}.",
            answer,
        ]
    hand = table.hands[table.mover]
    marked = [str(hand.index(card) + 1) for card in table.marks if card in hand]
    held = f"Your marked cards, by the order of marking: {' '.join(marked)}." if marked else "No card of yours is marked."
    return [held, answer]


def _rules(state: State, player: int) -> str:
    rules, others = state.rules, [_name(state, (player + step) % state.rules.seats, player) for step in range(1, state.rules.seats)]
    colours, top = join_words(COLOURS[: rules.colours]), rules.numbers
    middle = "two with a 2" if top == 3 else f"two with each of the numbers {join_words([str(number) for number in range(2, top)])}"
    order = join_words([_name(state, each, player) for each in range(rules.seats)])
    text = (
        f"You play a card game together with {join_words(others)}. The cards have a colour ({colours}) and a number from 1 to {top}. Of each "
        f"colour there are three cards with a 1, {middle} and one with a {top}, {len(state.cards)} cards in all. Each player holds {rules.hand} cards and "
        "sees the cards of all others, but not their own. Cards of a hand are counted from the left, from 1, and a new card joins a hand at its right "
        f"end. Each colour has a pile, on which the numbers 1 to {top} are to be played in this order. The order of moves is {order}, over and over. A "
        "move is one of three. Play 2 plays the second card of your own hand: if it is the next number of its colour, it goes on the pile; otherwise it "
        f"is discarded, and an error is counted. Discard 3 discards the third card of your own hand and gives back a hint; there are never more than "
        f"{count_noun(rules.hints, 'hint')}. Hint {others[0]} {COLOURS[0]}, or hint {others[0]} 1, uses up a hint and tells {others[0]} which of "
        f"the cards in {others[0]}'s hand are {COLOURS[0]}, or have a 1; there must be at least one. All players learn of every move. After a card is played "
        f"or discarded, its player draws a new one while the deck lasts. There are {count_noun(rules.hints, 'hint')} to begin with. The game ends with error "
        f"{fireworks.ERRORS}, when every player has moved once more after the last card was drawn, or as soon as it is decided. You win once the piles hold "
        f"{count_noun(state.need, 'card')} together; whoever keeps the convention below reaches this with this deck.\n\n"
    )
    follow = "follows this convention and reads" if len(others) == 1 else "follow this convention and read"
    return f"{text}{join_words(others)} {follow} your hints by it. {_sums(rules) if rules.summed else MARKS}"


MARKS = (
    "A hint marks one card for play: the leftmost of the cards that it tells the player about. A player who holds marked cards plays the one that was "
    "marked first. A player who holds none and has a hint to give looks at the others in the order of moves, beginning with the next player, and passes "
    "over whoever holds a marked card. In the hand of each other player they look, from the left, for a card that can be played now and is not equal to a "
    "card that is marked in any hand. If a hint of its number would mark this card, they give that hint; otherwise, if a hint of its colour would, they "
    "give that one; otherwise they look on. A player who finds no such card, or has no hint to give, discards their leftmost card."
)


def _sums(rules: Rules) -> str:
    whom = join_words([f"{2 * step} or {2 * step + 1} to the {ordinal_word(step + 1)} player after" for step in range(rules.seats - 1)])
    return (
        "The digit of a hand is the place of its leftmost card that can be played now, or 0 if it has none. A player who gives a hint adds up the digits "
        f"of all hands except their own, and divides the sum by {rules.codes}. The remainder is the code, and the hint tells it: a hint with the code "
        f"{whom} the one who gives it. If the code is even, the hint names the colour of the leftmost card of the player who gets it, and if it is odd, the "
        "number of that card. Every other player then finds their own digit: the code, less the digits "
        f"of all hands except their own and that of the player who gave the hint, as they are when the hint is given; it is the remainder from 0 to "
        f"{rules.codes - 1} when this is divided by {rules.codes}, and 0 if the hand has fewer cards. A player whose digit by the last hint is not 0, and "
        "who has not moved since that hint, plays the card at this place, if no card has gone on a pile since the hint, or if one has and fewer than "
        f"{fireworks.ERRORS - 1} errors have been counted. Otherwise the player gives a hint, if there is one to give and the digit of another hand is not "
        "0. Otherwise the player discards their leftmost card."
    )


def _now(state: State, player: int) -> str:
    table, cards, rules = state.table, state.cards, state.rules
    piles = ", ".join(f"{COLOURS[colour]} {top}" for colour, top in enumerate(table.piles))
    hands = "\n".join(
        f"{_name(state, other, player)}: {', '.join(_card(cards[card]) for card in table.hands[other])}"
        for other in [(player + step) % rules.seats for step in range(1, rules.seats)]
    )
    told = [fireworks.told(cards, table, card) for card in table.hands[player]]
    own = ", ".join(
        " ".join([*([COLOURS[colour]] if colour is not None else []), *([str(number)] if number is not None else [])]) or "unknown"
        for colour, number in told
    )
    gone = (
        f"\nDiscarded: {', '.join(_card(cards[card]) for card in sorted(table.discarded, key=lambda each: cards[each]))}"
        if table.discarded
        else ""
    )
    left = count_noun(len(cards) - table.drawn, "card")
    return (
        f"Now:\nPiles: {piles}\n{hands}\nYou, as far as hints tell: {own}\n{_hinted(state, player)}{gone}\nHints to give: {table.hints}. "
        f"Errors: {table.errors}. Left in the deck: {left}. Your move?"
    )


def _hinted(state: State, player: int) -> str:
    """What the convention needs of earlier hints: the marked cards in the order of marking, or how many cards were played since the last hint."""
    table, rules = state.table, state.rules
    if rules.summed:
        return f"Cards put on piles since the last hint: {table.since}"
    holders = [(other, hand.index(card) + 1) for card in table.marks for other, hand in enumerate(table.hands) if card in hand]
    owners = {other: "your" if other == player else f"{_name(state, other, player)}'s" for other in range(rules.seats)}
    marked = [f"{owners[other]} card {place}" for other, place in holders]
    return f"Marked for play, in the order of marking: {', '.join(marked) or 'none'}"


def _decided(state: State) -> bool:
    """Whether the game is over, or enough cards are on the piles, or too few can still get there."""
    most = fireworks.reachable(state.rules, state.cards, state.table)
    return fireworks.over(state.rules, state.table) or (state.need > 0 and not state.table.score < state.need <= most)


def _news(state: State, event: Event, player: int) -> str:
    """What happened, as a player sees it."""
    who, cards, kind = _name(state, event.mover, player), state.cards, event.deed.kind
    target, clue = event.deed.target, event.deed.clue
    if kind == HINT:
        if event.mover == player:
            return ""
        whom = _name(state, target, player)
        what = str(clue[1]) if clue[0] else COLOURS[clue[1]]
        places = join_words([str(place + 1) for place in event.places])
        return f"{who} hints {whom} {what}: {'card' if len(event.places) == 1 else 'cards'} {places}. "
    error = ", an error" if kind == PLAY and not event.fitted else ""
    if event.mover == player:
        return f"Your card {target + 1} was {_card(cards[event.card])}{error}. "
    drawn = "" if event.drawn < 0 else f", and draws {_card(cards[event.drawn])}"
    return f"{who} {kind}s card {target + 1}, {_card(cards[event.card])}{error}{drawn}. "


def _card(card: Card) -> str:
    return f"{COLOURS[card[0]]} {card[1]}"


def _name(state: State, other: int, player: int) -> str:
    return "you" if other == player else state.names[other] if other else "the first player"


def _written(state: State, deed: Deed) -> Move:
    if deed.kind != HINT:
        return deed.kind, str(deed.target + 1)
    name = state.names[deed.target].lower() if deed.target else "first"
    return HINT, name, str(deed.clue[1]) if deed.clue[0] else COLOURS[deed.clue[1]]


def _share(state: State, score: int) -> float:
    return 2 * score / state.rules.most - 1


def _score(state: State, choose: fireworks.Choose) -> int:
    """The score if the first player chooses so and the others keep the convention."""
    rules, cards, table = state.rules, state.cards, state.table
    while not fireworks.over(rules, table):
        now = rules, cards, table
        table = fireworks.after(*now, fireworks.convention(*now) if table.mover else choose(*now))
    return table.score


environment = Match(
    Knobs, Words("your move, such as play 2, discard 1, or hint with a name and a colour or number", max_items=3, ignore_case=True),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    players=4, seats=lambda state: state.rules.seats, explain=explain, version=2,
    recoverable_first_move="One move of many costs a hint or a card, which can be made up for.",
    concept="Keep the convention to the letter: read from each hint which card of yours can be played, and give the hint that the others expect.",
)  # fmt: skip
