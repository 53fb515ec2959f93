"""A village with hidden werewolves: who said and voted what, and which players may be werewolves by that."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from rlgym.core.task import TaskData
from rlgym.generators.text.english import count_noun, join_words

NOBODY = -1
Claim = tuple[tuple[int, ...], int]
"""Players, and how many werewolves are said to be among them."""


class Said(NamedTuple):
    """A statement that was heard: the day, the speaker and the claim."""

    day: int
    speaker: int
    players: tuple[int, ...]
    wolves: int


class Village(TaskData):
    """Player 0 is the mayor, who is no werewolf. Claims and preferences are drawn for each day and player before the game.

    odd_only     whether werewolves lie on odd days only
    preferences  per day and player the order in which the player would vote for the others
    victims      the order in which the werewolves would take the players by night
    gone         players who left: voted out by day or killed by night, in this order
    """

    names: tuple[str, ...]
    wolves: tuple[int, ...]
    odd_only: bool
    asks: int
    claims: tuple[tuple[Claim, ...], ...]
    preferences: tuple[tuple[tuple[int, ...], ...], ...]
    victims: tuple[int, ...]
    day: int = 1
    heard: tuple[Said, ...] = ()
    votes: tuple[tuple[int, int, int], ...] = ()  # day, voter, player voted for
    gone: tuple[int, ...] = ()
    wronged: bool = False  # whether somebody was sent away who is no werewolf
    news: str = ""


def alive(state: Village) -> list[int]:
    return [player for player in range(len(state.names)) if player not in state.gone]


def lies_on(state: Village, day: int) -> bool:
    """Whether werewolves lie on this day."""
    return day % 2 == 1 or not state.odd_only


def asked_today(state: Village) -> list[int]:
    return [said.speaker for said in state.heard if said.day == state.day]


def voters_left(state: Village) -> list[int]:
    """The living players besides the mayor who have not voted today, in order."""
    done = {voter for day, voter, _ in state.votes if day == state.day}
    return [player for player in alive(state) if player and player not in done]


def askable(state: Village) -> list[int]:
    """The players whom the mayor may ask now; none once all questions of the day are asked."""
    asked = asked_today(state)
    left = [player for player in alive(state) if player and player not in asked]
    return left if len(asked) < state.asks else []


def scripted_vote(state: Village, voter: int) -> int:
    """The living player whom a voter would like to see out most; a werewolf never votes for a werewolf."""
    spared = state.wolves if voter in state.wolves else ()
    living = alive(state)
    order = state.preferences[state.day - 1][voter]
    return next(player for player in order if player in living and player not in spared)


def possible_wolves(state: Village) -> list[tuple[int, ...]]:
    """All sets of werewolves that fit what was heard, the votes, and the roles of those who are gone."""
    known = {player: player in state.wolves for player in state.gone}
    hidden = [player for player in range(1, len(state.names)) if player not in known]
    shown = tuple(player for player, wolf in known.items() if wolf)
    sets = [tuple(sorted((*shown, *rest))) for rest in combinations(hidden, len(state.wolves) - len(shown))]
    return [each for each in sets if _fits(state, frozenset(each))]


def _fits(state: Village, wolves: frozenset[int]) -> bool:
    for said in state.heard:
        true = len(wolves.intersection(said.players)) == said.wolves
        if true == (said.speaker in wolves and lies_on(state, said.day)):
            return False
    return not any(voter in wolves and target in wolves for _, voter, target in state.votes)


def suspicion(state: Village) -> dict[int, int]:
    """For each living player but the mayor, the number of possible sets of werewolves that contain it."""
    sets = possible_wolves(state)
    return {player: sum(player in each for each in sets) for player in alive(state) if player}


def result(state: Village) -> bool | None:
    """Whether the village has won, or None while it is open: the werewolves win by a wrong decision, or when they are as many as the others."""
    if state.wronged:
        return False
    living = alive(state)
    wolves = sum(player in state.wolves for player in living)
    if not wolves:
        return True
    return False if 2 * wolves >= len(living) else None


def may_wait(state: Village) -> bool:
    """Whether the game is still open tomorrow if nobody is sent away."""
    living = alive(state)
    return 2 * sum(player in state.wolves for player in living) < len(living) - 1


def ask(state: Village, player: int) -> Village:
    """The state after a player was asked and has made its statement of the day."""
    claim = state.claims[state.day - 1][player]
    said = Said(state.day, player, *claim)
    news = f'{state.names[player]} says: "{statement(state, claim)}"'
    return state.model_copy(update={"heard": (*state.heard, said), "news": news})


def vote(state: Village, voter: int, target: int) -> Village:
    return state.model_copy(update={"votes": (*state.votes, (state.day, voter, target))})


def decide(state: Village, out: int) -> Village:
    """The state after the mayor's decision and the night that follows it."""
    news = "Nobody is sent away."
    if out != NOBODY:
        role = "a werewolf" if out in state.wolves else "no werewolf"
        news = f"{state.names[out]} is sent away and was {role}."
        state = state.model_copy(update={"gone": (*state.gone, out), "wronged": out not in state.wolves})
    if result(state) is None:
        victim = next(player for player in state.victims if player not in (*state.wolves, *state.gone))
        news += f" In the night the werewolves take {state.names[victim]}, who was no werewolf."
        state = state.model_copy(update={"gone": (*state.gone, victim)})
    return state.model_copy(update={"day": state.day + 1, "news": news})


def statement(state: Village, claim: Claim) -> str:
    """A claim as a sentence."""
    players, count = claim
    names = [state.names[player] for player in players]
    if len(names) == 1:
        return f"{names[0]} is {'a werewolf' if count else 'not a werewolf'}."
    listed = join_words(names)
    if count == 0:
        return f"There is no werewolf among {listed}."
    if count == len(names):
        return f"{'Both' if count == 2 else 'All'} of {listed} are werewolves." if count != 2 else f"Both {listed} are werewolves."
    if len(names) == 2:
        return f"Exactly one of {listed} is a werewolf."
    return f"There {'is' if count == 1 else 'are'} exactly {count_noun(count, 'werewolf', 'werewolves')} among {listed}."
