"""Bid on the dice of all, call the lies of others, and lose few rounds: what the others bid by their stated rule tells about their dice.

All dice are drawn before the first round. How many rounds may be lost is what weighing all dice that fit the bids achieves with these dice; habits
lose more.
"""

from collections.abc import Callable
from functools import lru_cache

from rlgym import Config, Match, Rng, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.social import bluff
from rlgym.generators.social.bluff import Bid
from rlgym.generators.text.english import count_noun, join_words
from rlgym.generators.text.names import PEOPLE

Move = tuple[str, ...]

LIAR = ("liar",)
RANDOM_PLAYS = 6
PASSED = 0.9
"""What a round is worth to a player whose bid was raised: it is mostly lost by another one."""


class Knobs(Config):
    others: int = knob(1, easy=1, hard=2, doc="players besides you")
    dice: int = knob(4, easy=3, hard=4, doc="dice of each player")
    rounds: int = knob(10, easy=6, hard=13, doc="rounds")


class State(TaskData):
    """`thrown` holds the dice per round and player, `bids` those of this round, beginning with the player `first`."""

    names: tuple[str, ...]
    thrown: tuple[tuple[tuple[int, ...], ...], ...]
    most: int = 0
    round: int = 0
    bids: tuple[tuple[int, int], ...] = ()
    lost: tuple[int, ...]
    news: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    seats = knobs.others + 1
    names = ("you", *rng.sample(PEOPLE, knobs.others))
    while True:
        thrown = tuple(
            tuple(tuple(sorted(rng.integer(1, bluff.FACES) for _ in range(knobs.dice))) for _ in range(seats)) for _ in range(knobs.rounds)
        )
        state = State(names=names, thrown=thrown, lost=(0,) * seats)
        # Habits: to do as the others do, to call every bid a lie, to make one bid over and over, and to move at random.
        least = min(_losses(state, greedy), _losses(state, lambda now: LIAR if now.bids else legal(now)[0]))
        hands = [[bluff.hand_of(each) for each in row] for row in thrown]
        for bid in bluff.higher(Bid(0, bluff.FACES), seats * knobs.dice // 2 + 1):
            if 3 * least < knobs.rounds:
                break
            least = min(least, *(bluff.losses_with_one_bid(hands, bid, raises) for raises in (False, True)))
        for _ in range(RANDOM_PLAYS if 3 * least >= knobs.rounds else 0):
            least = min(least, _losses(state, lambda now: rng.choice(legal(now))))
        reached = _losses(state, best) if 3 * least >= knobs.rounds else knobs.rounds
        if least > reached:
            return state.model_copy(update={"most": (reached + least - 1) // 2})


def show(state: State, player: int) -> str:
    if state.round == 0 and not state.bids:
        return f"{_rules(state)}\n\n{_now(state, player)}"
    seats = len(state.lost)
    moved = any((state.round + k) % seats == player for k in range(len(state.bids)))
    return f"{'' if moved else state.news}{_now(state, player)}"


def player(state: State) -> int:
    return (state.round + len(state.bids)) % len(state.lost)


def legal(state: State) -> list[Move]:
    if state.round == len(state.thrown):
        return []
    bids = bluff.higher(_last(state) or Bid(0, bluff.FACES), _dice(state))
    return [*((str(bid.number), str(bid.face)) for bid in bids), *([LIAR] if state.bids else [])]


def act(state: State, move: Move) -> State:
    if move != LIAR:
        return state.model_copy(update={"bids": (*state.bids, (int(move[0]), int(move[1])))})
    bid, seats, caller = _last(state), len(state.lost), player(state)
    assert bid is not None
    hands = state.thrown[state.round]
    count = sum(hand.count(bid.face) for hand in hands)
    bidder = (caller - 1) % seats
    loser = caller if count >= bid.number else bidder
    lost = tuple(each + (k == loser) for k, each in enumerate(state.lost))
    shown = "; ".join(f"{state.names[k]} {' '.join(map(str, hand))}" for k, hand in enumerate(hands))
    news = (
        f"Round {state.round + 1}: {_bids(state)}; {state.names[caller]}: liar. The dice: {shown}. {_number(count, bid.face)}, so the round is lost by "
        f"{state.names[loser]}.\n"
    )
    return state.model_copy(update={"round": state.round + 1, "bids": (), "lost": lost, "news": news})


def returns(state: State) -> tuple[float, ...] | None:
    if state.round < len(state.thrown):
        return None
    return tuple(1.0 - 2.0 * each / len(state.thrown) for each in state.lost)


def best(state: State) -> Move:
    """The move after which the round is least likely to be lost, over all dice that fit the bids; others follow their rule."""
    if player(state):
        return greedy(state)
    own = bluff.hand_of(state.thrown[state.round][0])
    chosen = _weigh(own, len(state.lost), len(state.thrown[0][0]), state.round % len(state.lost), state.bids)[0]
    return LIAR if chosen is None else (str(chosen.number), str(chosen.face))


def greedy(state: State) -> Move:
    """The rule that the others follow."""
    hand = bluff.hand_of(state.thrown[state.round][player(state)])
    bid = bluff.rule(hand, _last(state), _dice(state) - sum(hand))
    return LIAR if bid is None else (str(bid.number), str(bid.face))


def target_return(state: State) -> float:
    return 1.0 - 2.0 * state.most / len(state.thrown)


def opponent(state: State) -> str:
    return "greedy"


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[Move]:
    return [(str(_dice(state) + 1), "6"), (str(_dice(state)), "6"), ("1", "7")]


def cost(state: State) -> float:
    return float(len(state.thrown) * len(state.lost) * len(bluff.hands(len(state.thrown[0][0]))))


def turns(state: State) -> int:
    return 6 * len(state.thrown)


def explain(state: State) -> list[str]:
    own = bluff.hand_of(state.thrown[state.round][0])
    chosen, chance = _weigh(own, len(state.lost), len(state.thrown[0][0]), state.round % len(state.lost), state.bids)
    name = "liar" if chosen is None else f"{chosen.number} {chosen.face}"
    return [f"Over all dice that fit the bids, the round is kept with a chance of {chance:.3f} by the best move.", f"It is {name}"]


@lru_cache(maxsize=4096)
def _weigh(own: bluff.Hand, seats: int, dice: int, first: int, bids: tuple[tuple[int, int], ...]) -> tuple[Bid | None, float]:
    """The best move of player 0 and the chance that it does not lose the round."""
    unseen = (seats - 1) * dice
    made: dict[int, list[tuple[Bid | None, Bid]]] = {k: [] for k in range(1, seats)}
    for k, bid in enumerate(bids):
        who = (first + k) % seats
        if who:
            made[who].append((Bid(*bids[k - 1]) if k else None, Bid(*bid)))
    # A player who was not moved by the rule, as others may be in self-play, can hold anything.
    spreads = {who: bluff.consistent_hands(dice, unseen, tuple(acts)) or bluff.hands(dice) for who, acts in made.items()}
    last = Bid(*bids[-1]) if bids else None
    options: list[tuple[float, Bid | None]] = []
    if last is not None:
        options.append((1.0 - bluff.at_least(tuple(spreads.values()), last.face, last.number - own[last.face - 1]), None))
    rest = [spreads[who] for who in range(2, seats)]
    total = sum(weight for _, weight in spreads[1])
    for face in range(1, bluff.FACES + 1):
        lowest = next((bid for bid in bluff.higher(last or Bid(0, bluff.FACES), seats * dice) if bid.face == face), None)
        for more in range(3) if lowest else ():
            assert lowest is not None
            bid = Bid(lowest.number + more, face)
            if bid.number > seats * dice:
                continue
            true = [bluff.at_least(rest, face, bid.number - own[face - 1] - count) for count in range(dice + 1)]
            kept = sum(weight * (true[hand[face - 1]] if bluff.rule(hand, bid, unseen) is None else PASSED) for hand, weight in spreads[1])
            options.append((kept / total, bid))
    chance, chosen = max(options, key=lambda each: each[0])
    return chosen, chance


def _rules(state: State) -> str:
    seats, dice, rounds = len(state.lost), len(state.thrown[0][0]), len(state.thrown)
    names, unseen = join_words(state.names[1:]), (seats - 1) * dice
    who = "The others always follow" if seats > 2 else f"{names} always follows"
    order = f"You begin round 1, {state.names[1]} begins round 2, and so on in the order you, {names}, over and over; in this order the players move."
    if seats == 2:
        order = f"You begin round 1, {names} begins round 2, and so on in turn; in a round, both move in turn."
    return (
        f"You play liar's dice with {names} for {rounds} rounds. In each round every player throws {count_noun(dice, 'die', 'dice')} and sees only their "
        f"own. {order} The first move of a round is a bid: a number and a face, such as 2 5, which says that at least 2 of the dice of all players show a 5. "
        "Each further move is a higher bid, with a larger number and any face, or with the same number and a higher face, or it calls the last bid a lie. "
        "Then the dice are shown: if the last bid is true, the player who called it a lie loses the round; otherwise the player who made it does. "
        f"{who} this rule. A player's face is the one that most of their own dice show, of several such faces the highest. A player who begins bids their face "
        "with the number of their own dice that show it. Later the player calls the last bid a lie if its number is more than the number of their own "
        f"dice of that face plus {unseen // 3}; otherwise they take the lowest bid of their own face that is allowed, if its number is at most the number "
        f"of their own dice of that face plus {unseen // 3}, and call the last bid a lie if it is not."
    )


def _now(state: State, player: int) -> str:
    hand = " ".join(map(str, state.thrown[state.round][player])) if state.round < len(state.thrown) else ""
    allowed = f"at most {count_noun(state.most, 'round')}" if state.most else "no round"
    goal = f"You win if you lose {allowed}. " if player == 0 and state.round == 0 and not state.bids else ""
    lost = f"You have lost {count_noun(state.lost[player], 'round')} so far. " if state.round else ""
    bids = f"The bids: {_bids(state)}. " if state.bids else ""
    move = "Give a higher bid, or liar." if state.bids else "Give your bid; once a bid is made, liar calls it a lie."
    return f"{goal}{lost}Round {state.round + 1}: your dice show {hand}. {bids}{move}"


def _bids(state: State) -> str:
    seats = len(state.lost)
    return "; ".join(f"{state.names[(state.round + k) % seats]}: {number} {face}" for k, (number, face) in enumerate(state.bids))


def _number(count: int, face: int) -> str:
    return f"{count} {'die shows' if count == 1 else 'dice show'} a {face}"


def _last(state: State) -> Bid | None:
    return Bid(*state.bids[-1]) if state.bids else None


def _dice(state: State) -> int:
    return len(state.lost) * len(state.thrown[0][0])


def _losses(state: State, choose: Callable[[State], Move]) -> int:
    """How many rounds the first player loses who chooses so, while the others follow the rule."""
    while state.round < len(state.thrown):
        state = act(state, greedy(state) if player(state) else choose(state))
    return state.lost[0]


environment = Match(
    Knobs, Words("a bid, such as 2 5 for at least two fives, or liar", max_items=2, ignore_case=True),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    players=3, version=2, seats=lambda state: len(state.lost), explain=explain,
    recoverable_first_move="The first of many rounds decides little.",
    concept="Ask of each bid which dice its player must hold by the rule; then weigh calling it a lie against the bids the next player will not call.",
)  # fmt: skip
