"""As the mayor of a village of six to eight players, find the hidden werewolves by what players say, how they vote and who is gone.

Each player follows stated rules: villagers tell the truth, werewolves lie, and a werewolf never votes for a werewolf.
"""

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.social import werewolves
from rlgym.generators.social.werewolves import NOBODY, Claim, Village, alive
from rlgym.generators.text.english import count_noun, join_words
from rlgym.generators.text.names import PEOPLE

Move = tuple[str, ...]
RANDOM_PLAYS = 12


class Knobs(Config):
    others: int = knob(6, easy=5, hard=7, doc="players besides the mayor")
    wolves: int = knob(2, easy=1, hard=3, doc="werewolves")
    named: int = knob(3, easy=1, hard=5, doc="most players that a statement names")
    lies: str = knob(
        "always", easy="always", hard="odd", order=("always", "odd"), doc="whether werewolves lie on all days or on odd days only"
    )


def start(rng: Rng, knobs: Knobs) -> Village:
    while True:
        count = knobs.others
        names = ("you", *sorted(rng.sample(PEOPLE, count)))
        wolves = tuple(sorted(rng.sample(range(1, count + 1), min(knobs.wolves, (count - 1) // 2))))
        odd_only = knobs.lies == "odd"
        days = range(1, count + 1)  # each night takes a player
        claims = tuple(
            tuple(
                _claim(rng, player, count, wolves, knobs.named, player in wolves and (day % 2 == 1 or not odd_only))
                for player in range(count + 1)
            )
            for day in days
        )
        orders = tuple(
            tuple(tuple(rng.shuffled([other for other in range(1, count + 1) if other != player])) for player in range(count + 1))
            for day in days
        )
        state = Village(
            names=names,
            wolves=wolves,
            odd_only=odd_only,
            asks=2,
            claims=claims,
            preferences=orders,
            victims=tuple(rng.shuffled(range(1, count + 1))),
        )
        if not _won(state, best) or _won(state, greedy):
            continue
        if not any(_won(state, lambda now: rng.choice(legal(now))) for _ in range(RANDOM_PLAYS if len(wolves) > 1 else 2)):
            return state


def show(state: Village, player: int) -> str:
    if state.heard or state.day > 1:
        return _now(state, player)
    others, count = join_words(state.names[1:]), len(state.wolves)
    wolves, are = count_noun(count, "werewolf", "werewolves"), "is" if count == 1 else "are"
    lies = "false on odd days and true on even days" if state.odd_only else "false"
    know = "" if count == 1 else "; the werewolves know each other"
    rules = (
        f"A village has {len(state.names)} players: the mayor, who is no werewolf, and {others}. {wolves.capitalize()} {are} hidden among these "
        f"{len(state.names) - 1}{know}. The first day is day 1. On each day the mayor first asks {state.asks} living players, "
        "one after the other (all living players, if there are fewer), each of whom makes a statement "
        f"about {'one other player' if _named(state) == 1 else f'at most {_named(state)} other players'}. Players who are no werewolves know how many "
        f"werewolves are among the players they name, and always tell the truth. What a werewolf says is {lies}. Then each living "
        "player besides the mayor votes for a living player. A werewolf never votes for a werewolf; the votes of the others follow no rule. Then the "
        "mayor alone decides who is sent away, whatever the votes: one living player, or nobody. The role of a player who is sent away is announced. "
        "If a werewolf is left, the werewolves take a player in the night, whom they choose by no rule among those who are neither "
        "werewolves nor the mayor. The village wins when no werewolf is left. The werewolves win as soon as a player is sent away who is no werewolf, or "
        "they are at least as many as all other living players, the mayor counted."
    )
    if player:
        role = f"a werewolf, with {join_words([state.names[each] for each in state.wolves])}" if player in state.wolves else "no werewolf"
        return f"{rules}\n\nYou are {state.names[player]}, {role}. {_now(state, player)}"
    return f"{rules}\n\nYou are the mayor. You win if the village wins. Give a name, or nobody where nobody is to be sent away. {_now(state, player)}"


def player(state: Village) -> int:
    return 0 if werewolves.askable(state) else next(iter(werewolves.voters_left(state)), 0)


def legal(state: Village) -> list[Move]:
    if werewolves.result(state) is not None:
        return []
    if askable := werewolves.askable(state):
        return [_word(state, each) for each in askable]
    mover = player(state)
    targets = [_word(state, each) for each in alive(state) if each not in (0, mover)]
    return targets if mover else [*targets, ("nobody",)]


def act(state: Village, move: Move) -> Village:
    target = NOBODY if move == ("nobody",) else next(k for k in range(len(state.names)) if _word(state, k) == move)
    if werewolves.askable(state):
        return werewolves.ask(state, target)
    mover = player(state)
    return werewolves.vote(state, mover, target) if mover else werewolves.decide(state, target)


def returns(state: Village) -> tuple[float, ...] | None:
    won = werewolves.result(state)
    if won is None:
        return None
    return tuple(1.0 if (each not in state.wolves) == won else -1.0 for each in range(len(state.names)))


def best(state: Village) -> Move:
    """The mayor asks who is least suspected, and sends away who is a werewolf in all sets that fit, or in most of them on the last day for it."""
    mover = player(state)
    if mover:
        return _word(state, werewolves.scripted_vote(state, mover))
    suspicion = werewolves.suspicion(state)
    if askable := werewolves.askable(state):
        return _word(state, min(askable, key=lambda each: (suspicion[each], each)))
    suspect = max(suspicion, key=lambda each: (suspicion[each], -each))
    sure = suspicion[suspect] == len(werewolves.possible_wolves(state))
    return _word(state, suspect) if sure or not werewolves.may_wait(state) else ("nobody",)


def greedy(state: Village) -> Move:
    """The mayor asks in order and sends away who has most votes of the day."""
    mover = player(state)
    if mover:
        return _word(state, werewolves.scripted_vote(state, mover))
    if askable := werewolves.askable(state):
        return _word(state, askable[0])
    targets = [target for day, _, target in state.votes if day == state.day]
    return _word(state, max(sorted(set(targets)), key=targets.count))


def target_return(state: Village) -> float:
    return 1.0


def opponent(state: Village) -> str:
    return "greedy"


def seat(state: Village) -> int:
    return 0


def mistakes(state: Village) -> list[Move]:
    villager = next(each for each in alive(state) if each and each not in state.wolves)
    gone = state.gone[0] if state.gone else 0
    return [_word(state, gone), ("zoe",), _word(state, villager)]


def cost(state: Village) -> float:
    others, named = len(state.names) - 1, _named(state)
    sets = 1
    for k in range(len(state.wolves)):
        sets = sets * (others - k) // (k + 1)
    return float(sets * others * named * (2 if state.odd_only else 1))


def turns(state: Village) -> int:
    return (state.asks + 1) * (len(state.names) - 1)


def explain(state: Village) -> list[str]:
    suspicion = werewolves.suspicion(state)
    sets = [join_words([state.names[each] for each in wolves]) for wolves in werewolves.possible_wolves(state)]
    return [
        f"The werewolves may be: {'; '.join(sets)}.",
        f"In how many of these sets each player is: {', '.join(f'{state.names[each]} {number}' for each, number in suspicion.items())}.",
        f"The answer is {best(state)[0]}",
    ]


def _now(state: Village, player: int) -> str:
    living = join_words([state.names[each] for each in alive(state) if each])
    news = f"{state.news}\n" if state.news else ""
    today = [(voter, target) for day, voter, target in state.votes if day == state.day]
    votes = "; ".join(f"{state.names[voter]} votes for {state.names[target]}" for voter, target in today)
    where = f"It is day {state.day}. Living besides the mayor: {living}."
    if werewolves.askable(state):
        return f"{news}{where} Whom do you ask?"
    if player:
        return f"{news}{where} {votes + '. ' if votes else ''}For whom do you vote?"
    return f"{news}{where} The votes: {votes}. Whom do you send away?"


def _named(state: Village) -> int:
    """The most players that a statement names."""
    return max(len(players) for day in state.claims for players, _ in day)


def _word(state: Village, player: int) -> Move:
    return (state.names[player].lower(),)


def _claim(rng: Rng, speaker: int, count: int, wolves: tuple[int, ...], named: int, lie: bool) -> Claim:
    """A true claim about other players, or a false one."""
    size = min(max(1, named - rng.integer(0, 1)), count - 1)
    players = tuple(sorted(rng.sample([each for each in range(1, count + 1) if each != speaker], size)))
    true = sum(each in wolves for each in players)
    return players, rng.choice([k for k in range(min(size, len(wolves)) + 1) if k != true]) if lie else true


def _won(state: Village, mayor: object) -> bool:
    assert callable(mayor)
    while (won := werewolves.result(state)) is None:
        state = act(state, greedy(state) if player(state) else mayor(state))
    return won


environment = Match(
    Knobs, Words("a name", max_items=1, ignore_case=True),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    players=8, seats=lambda state: len(state.names), explain=explain, version=2,
    recoverable_first_move="The first move is a question, and whoever is asked tells something.",
    guessable="Where one werewolf hides among a few players, a name given blindly is right once in four or five times.",
    concept="List the sets of werewolves that are possible; every statement, vote and announced role removes some of them.",
)  # fmt: skip
