"""As the captain of a council with hidden spies, send clean teams on missions: votes and results tell who the spies are.

Spies vote by a stated rule and sabotage; what is asked is what the captain who weighs all sets of spies that fit achieves; habits achieve less.
"""

from collections.abc import Callable
from itertools import permutations

from rlgym import Config, Match, Rng, knob
from rlgym.answers import Words
from rlgym.generators.social import missions
from rlgym.generators.social.missions import PROPOSALS, Council, Team, clean, possible_spies, rules_of
from rlgym.generators.text.english import count_noun, join_words
from rlgym.generators.text.names import PEOPLE

Move = tuple[str, ...]
YES, NO, APPROVE, REJECT = ("yes",), ("no",), ("approve",), ("reject",)
RANDOM_PLAYS = 8
WORTH_A_REJECTION = 0.2
"""How much more likely clean the best team must be than the proposed one for a rejection."""


class Knobs(Config):
    others: int = knob(6, easy=4, hard=7, doc="players besides the captain")
    spies: int = knob(2, easy=1, hard=3, doc="spies")
    missions: int = knob(5, easy=4, hard=6, doc="missions")
    rejections: int = knob(5, easy=5, hard=4, doc="proposals that the captain may reject")
    told: str = knob("number", easy="number", hard="whether", order=("number", "whether"), doc="what is announced of sabotage")
    votes: str = knob(
        "plain", easy="plain", hard="turning", order=("plain", "turning"), doc="whether spies vote the other way on even missions"
    )


def start(rng: Rng, knobs: Knobs) -> Council:
    others = knobs.others
    while True:
        names = ("you", *sorted(rng.sample(PEOPLE, others)))
        spies = tuple(sorted(rng.sample(range(1, others + 1), min(knobs.spies, (others - 1) // 2))))
        largest = min(3, others - len(spies))
        sizes = tuple(rng.integer(2, largest) for _ in range(knobs.missions))
        state = Council(
            names=names, spies=spies, counted=knobs.told == "number", turning=knobs.votes == "turning", sizes=sizes,
            proposals=tuple(_proposals(rng, others, size) for size in sizes),
            ballots=tuple(tuple(tuple(rng.chance(0.5) for _ in names) for _ in range(PROPOSALS)) for _ in sizes), rejections=knobs.rejections,
        )  # fmt: skip
        reached = _played(state, best)
        if 2 * reached < knobs.missions:
            continue
        habits: list[Callable[[Council], Move]] = [greedy]
        habits += [lambda now, place=place: _fixed(now, place) for place in (0, 0.25, 0.5, 0.75, 0.999)]  # type: ignore[misc]
        habits += [lambda now: rng.choice(legal(now))] * RANDOM_PLAYS
        most = max(_played(state, habit) for habit in habits)
        if most < reached:
            return state.model_copy(update={"need": (most + reached + 1) // 2})


def show(state: Council, player: int) -> str:
    begun = any(voter == player for _, _, voter, _ in state.votes) if player else state.mission or state.stage
    if begun:
        return _now(state, player)
    others, count = join_words(state.names[1:]), len(state.spies)
    spies, are = count_noun(count, "spy", "spies"), "is" if count == 1 else "are"
    sizes = join_words([str(size) for size in state.sizes])
    turning = ", and on missions with an even number it is the other way round: no on every team with a spy and yes on every other team"
    told = "how many of the team were spies" if state.counted else "whether there was a spy on the team"
    know = "" if count == 1 else "The spies know each other. "
    rules = (
        f"A council has {len(state.names)} members: the captain, who is no spy, and {others}. {spies.capitalize()} {are} hidden among these "
        f"{len(state.names) - 1}. {know}There are {len(state.sizes)} missions, with teams of {sizes} members in this order; the captain goes on none of them. "
        f"For each mission up to {PROPOSALS} teams are proposed, drawn by lot, and every member besides the captain votes yes or no on the "
        "proposed team. A spy votes yes on every team with a spy on it and no on every other team"
        f"{turning if state.turning else ''}. The votes of the others follow no rule. Whatever the votes, the captain then approves or rejects the team. "
        f"The captain may reject {count_noun(state.rejections, 'team')} in the whole game. If the captain rejects both teams of a mission, the captain names "
        f"its team. A mission fails if a spy is on the team, and succeeds otherwise. After it is announced {told}. The council wins if at least "
        f"{state.need} of the {len(state.sizes)} missions succeed; otherwise the spies win. The game ends as soon as this is decided."
    )
    if player:
        role = f"a spy; the spies are {join_words([state.names[each] for each in state.spies])}" if player in state.spies else "no spy"
        return f"{rules}\n\nYou are {state.names[player]}, {role}. {_now(state, player)}"
    return f"{rules}\n\nYou are the captain, and you win if the council wins. {_now(state, player)}"


def player(state: Council) -> int:
    done = missions.voted_now(state)
    return done + 1 if state.stage < PROPOSALS and done < len(state.names) - 1 else 0


def legal(state: Council) -> list[Move]:
    if _decided(state):
        return []
    if player(state):
        return [YES, NO]
    if state.stage < PROPOSALS:
        return [APPROVE, REJECT] if state.rejections else [APPROVE]
    return list(permutations(_words(state), state.sizes[state.mission]))


def act(state: Council, move: Move) -> Council:
    team, mover = state.team, player(state)
    if mover:
        assert team is not None
        return state.model_copy(update={"votes": (*state.votes, (state.mission, team, mover, move == YES)), "news": ""})
    if move == REJECT:
        return state.model_copy(update={"stage": state.stage + 1, "rejections": state.rejections - 1, "news": "You reject this team. "})
    if move != APPROVE or team is None:
        words = _words(state)
        team = tuple(sorted(words.index(word) + 1 for word in move))
    found = missions.sabotages(state, team)
    what = "succeeds" if not found else f"fails: {count_noun(found, 'spy', 'spies')} on the team" if state.counted else "fails"
    news = f"Mission {state.mission + 1} with {_named(state, team)} {what}. "
    return state.model_copy(update={"results": (*state.results, (team, found)), "stage": 0, "news": news})


def returns(state: Council) -> tuple[float, ...] | None:
    if not _decided(state):
        return None
    won = missions.successes(state) >= state.need
    return tuple(1.0 if (each not in state.spies) == won else -1.0 for each in range(len(state.names)))


def best(state: Council) -> Move:
    """The captain approves a team that is nearly as likely clean as the best one, and names the one most likely clean."""
    mover = player(state)
    if mover:
        return YES if missions.scripted_vote(state, mover) else NO
    sets = possible_spies(rules_of(state), state.votes, state.results)
    best_team = missions.best_team(sets, len(state.names), state.sizes[state.mission])
    if state.team is None:
        return tuple(_words(state)[each - 1] for each in best_team)
    gain = clean(sets, best_team) - clean(sets, state.team)
    return REJECT if state.rejections >= PROPOSALS - state.stage and gain > WORTH_A_REJECTION else APPROVE


def greedy(state: Council) -> Move:
    """Follows the majority of the votes and avoids whoever was on a failed mission."""
    mover = player(state)
    if mover:
        return YES if missions.scripted_vote(state, mover) else NO
    if state.team is None:
        failed = {each for team, found in state.results if found for each in team}
        order = sorted(range(1, len(state.names)), key=lambda each: (each in failed, each))
        return tuple(_words(state)[each - 1] for each in order[: state.sizes[state.mission]])
    yes = sum(favour for mission, team, _, favour in state.votes if mission == state.mission and team == state.team)
    return APPROVE if 2 * yes >= len(state.names) - 1 or not state.rejections else REJECT


def target_return(state: Council) -> float:
    return 1.0


def opponent(state: Council) -> str:
    return "greedy"


def seat(state: Council) -> int:
    return 0


def mistakes(state: Council) -> list[Move]:
    return [("maybe",), ("you", "you"), YES]


def cost(state: Council) -> float:
    sets = 1
    for k in range(len(state.spies)):
        sets = sets * (len(state.names) - 1 - k) // (k + 1)
    return float(sets * len(state.sizes) * len(state.names) * (2 if state.turning else 1) * (1 if state.counted else 2))


def turns(state: Council) -> int:
    return (PROPOSALS + 1) * len(state.sizes)


def explain(state: Council) -> list[str]:
    sets = possible_spies(rules_of(state), state.votes, state.results)
    steps = [f"The spies may be: {'; '.join(_named(state, tuple(sorted(each))) for each in sets)}."]
    if state.team is not None:
        steps.append(
            f"The team {_named(state, state.team)} is clean in {sum(each.isdisjoint(state.team) for each in sets)} of these {len(sets)} cases."
        )
    return [*steps, f"The answer is {' '.join(best(state))}"]


def _now(state: Council, player: int) -> str:
    if _decided(state):
        return state.news
    head, team = (
        f"{state.news}Mission {state.mission + 1}, {count_noun(missions.successes(state), 'success', 'successes')} so far. ",
        state.team,
    )
    if team is None:
        return f"{head}You name the team of {state.sizes[state.mission]} members. Give their names."
    votes = [
        f"{state.names[voter]} {'yes' if favour else 'no'}"
        for mission, voted, voter, favour in state.votes
        if mission == state.mission and voted == team
    ]
    shown = f"The proposed team: {_named(state, team)}. {'The votes: ' + ', '.join(votes) + '. ' if votes else ''}"
    if player:
        return f"{head}{shown}Do you vote yes or no?"
    left = "You can reject no more teams." if not state.rejections else f"You may reject {count_noun(state.rejections, 'more team')}."
    return f"{head}{shown}{left} Do you approve or reject?"


def _decided(state: Council) -> bool:
    """Whether enough missions have succeeded, or too few are left. While a game is drawn, nothing is asked for yet and all missions are played."""
    won, left = missions.successes(state), len(state.sizes) - state.mission
    return left == 0 or (state.need > 0 and not won < state.need <= won + left)


def _words(state: Council) -> list[str]:
    return [name.lower() for name in state.names[1:]]


def _named(state: Council, team: Team) -> str:
    return join_words([state.names[each] for each in team])


def _proposals(rng: Rng, others: int, size: int) -> tuple[Team, ...]:
    """Different teams."""
    teams: list[Team] = []
    while len(teams) < PROPOSALS:
        team = tuple(sorted(rng.sample(range(1, others + 1), size)))
        if team not in teams:
            teams.append(team)
    return tuple(teams)


def _fixed(state: Council, place: float) -> Move:
    moves = legal(state)
    return moves[int(len(moves) * place)]


def _played(state: Council, captain: Callable[[Council], Move]) -> int:
    """The missions that succeed under a captain."""
    while state.mission < len(state.sizes):
        state = act(state, greedy(state) if player(state) else captain(state))
    return missions.successes(state)


environment = Match(
    Knobs, Words("approve, reject, or the names of a team", max_items=3, ignore_case=True),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    players=8, seats=lambda state: len(state.names), explain=explain, version=2,
    recoverable_first_move="A wrong decision on the first mission tells something too, and one mission of several may be made up for.",
    concept="List the sets of spies that are possible: the spies of a set must have voted by their rule on every team, and results must fit.",
)  # fmt: skip
