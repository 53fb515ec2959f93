"""Find the secret rule about rows of coloured stones by asking whether rows follow it, then say it in a declared language."""

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.simulations.row_rules import KINDS, LANGUAGE, Row, Rule, follows, meanings, rows, write

COLOURS = ("red", "blue", "green")


class Knobs(Config):
    colours: int = knob(3, easy=2, hard=3, doc="colours of stones")
    length: int = knob(4, easy=4, hard=5, beyond=6, doc="stones of a row")
    kinds: int = knob(8, easy=6, hard=10, doc="kinds of simple rules in the language")
    join: str = knob("and", easy="one", hard="or", order=("one", "and", "or"), doc="whether the rule may be two simple rules joined")
    spare: int = knob(1, easy=3, hard=1, doc="turns beyond those in which halving the rules that are left finds it")


class State(TaskData):
    colours: tuple[str, ...]
    length: int
    kinds: tuple[str, ...]
    join: str
    secret: Rule
    most: int
    given: tuple[tuple[Row, bool], ...]
    asked: tuple[tuple[Row, bool], ...] = ()
    said: int = 0
    wrong: bool = False
    right: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    for least in (8,) * 20 + (3,) * 200:
        colours, kinds = COLOURS[: knobs.colours], tuple(sorted(rng.sample(KINDS, knobs.kinds), key=KINDS.index))
        rules = meanings(colours, knobs.length, kinds, knobs.join)
        secret = rng.choice(list(rules))
        every = rows(colours, knobs.length)
        known = tuple((row, follows(secret, row)) for row in rng.sample(every, 3))
        state = State(colours=colours, length=knobs.length, kinds=kinds, join=knobs.join, secret=secret, most=0, given=known)
        # Halving takes so many questions if rows that halve are there; the words of the rule itself take one turn more.
        most = len(_remaining_rules(state)).bit_length() + 1 + knobs.spare
        if len(_remaining_rules(state)) > least and _turns_needed(state) <= most:
            return state.model_copy(update={"most": most})
    raise AssertionError("unreachable: of 200 secrets some are found in so many turns")


def show(state: State) -> str:
    if state.told:
        return f"{state.told} {state.most - state.said} turns are left."
    language = "\n".join(f"- {LANGUAGE[kind].format(most=state.length - 1)}" for kind in state.kinds)
    joined = {
        "one": "The rule is one of these.",
        "and": "The rule is one of these, or two of them joined by the word and, both of which must hold.",
        "or": "The rule is one of these, or two of them joined by the word and (both must hold) or by the word or (at least one must hold).",
    }[state.join]
    known = ", ".join(f"{' '.join(row)}: {'yes' if value else 'no'}" for row, value in state.given)
    return (
        f"I have a secret rule about rows of {state.length} stones, each of them {' or '.join(state.colours)}. In this language, where C and D stand for two "
        f"different colours and N for a number, a simple rule is one of:\n{language}\n{joined} Some rows follow the rule, and some do not: {known}.\n\n"
        f"In each turn either ask about a row, with the word ask and its {state.length} colours from left to right, and I say yes if it follows the rule "
        "and no if not; or say the rule, with the word rule and then the rule in the language, in small letters, with colours and a number for C, D and N. "
        "That ends the game: you win if your rule and mine hold for exactly the same rows. "
        f"You have {state.most} turns, the one in which you say the rule included. Anything else uses up a turn."
    )


def act(state: State, words: tuple[str, ...]) -> State:
    state = state.model_copy(update={"said": state.said + 1})
    head, rest = words[0], words[1:]
    if head == "ask" and len(rest) == state.length and set(rest) <= set(state.colours):
        value = follows(state.secret, rest)
        return state.model_copy(update={"asked": (*state.asked, (rest, value)), "told": f"{'Yes' if value else 'No'}."})
    if head == "rule" and write(rest, state.colours, state.length, state.kinds, state.join):
        same = all(follows(rest, row) == follows(state.secret, row) for row in rows(state.colours, state.length))
        return state.model_copy(update={"right": same, "wrong": not same})
    return state.model_copy(update={"told": f"I understand only: ask and {state.length} colours; or: rule and a rule of the language."})


def outcome(state: State) -> Score | None:
    if state.right or state.wrong:
        return Score.exact(state.right, "some row follows only one of the two rules")
    return Score.wrong("the rule was not said in time") if state.said >= state.most else None


def best(state: State) -> tuple[str, ...]:
    candidates = _remaining_rules(state)
    if len(candidates) == 1:
        return ("rule", *candidates[0])
    return ("ask", *_question(state, candidates))


def mistakes(state: State) -> list[tuple[str, ...]]:
    # Says the first rule that fits what is known, or one that does not; asks the same row for ever.
    candidates = _remaining_rules(state)
    unlike = next(rule for rule in meanings(state.colours, state.length, state.kinds, state.join) if rule != state.secret)
    early = next((rule for rule in candidates if rule != state.secret), unlike)
    return [("rule", *early), ("rule", *unlike), ("ask", *state.given[0][0]), ("yes",)]


def cost(state: State) -> float:
    # Each spare turn forgives one question that does not halve the rules that are left.
    count = len(_remaining_rules(state))
    spare = state.most - count.bit_length() - 1
    return count * state.length / (1 + spare)


def turns(state: State) -> int:
    return state.most


def explain(state: State) -> list[str]:
    candidates = _remaining_rules(state)
    if len(candidates) == 1:
        return ["Only one rule fits all that is known, apart from rules that say the same.", f"rule {' '.join(candidates[0])}"]
    row = _question(state, candidates)
    yes = sum(follows(rule, row) for rule in candidates)
    return [
        f"{len(candidates)} different rules fit all that is known; of this row {yes} say yes and {len(candidates) - yes} no.",
        f"ask {' '.join(row)}",
    ]


def _remaining_rules(state: State) -> list[Rule]:
    """The rules that fit all that is known, one for each meaning."""
    every = rows(state.colours, state.length)
    known = [(every.index(row), value) for row, value in (*state.given, *state.asked)]
    rules = meanings(state.colours, state.length, state.kinds, state.join)
    return [rule for rule, bits in rules.items() if all(bool(bits >> place & 1) == value for place, value in known)]


def _question(state: State, candidates: list[Rule]) -> Row:
    """The row that splits the rules that are left most evenly."""
    rules = meanings(state.colours, state.length, state.kinds, state.join)
    counts = [0] * len(rows(state.colours, state.length))
    for rule in candidates:
        bits = rules[rule]
        while bits:
            low = bits & -bits
            counts[low.bit_length() - 1] += 1
            bits ^= low
    best_place = min(range(len(counts)), key=lambda place: (abs(2 * counts[place] - len(candidates)), place))
    return rows(state.colours, state.length)[best_place]


def _turns_needed(state: State) -> int:
    count = 1
    while len(candidates := _remaining_rules(state)) > 1:
        row = _question(state, candidates)
        state = state.model_copy(update={"asked": (*state.asked, (row, follows(state.secret, row)))})
        count += 1
    return count


environment = Game(
    Knobs, Words("ask and a row, or rule and a rule, in words separated by spaces", max_items=20, ignore_case=True),
    start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Keep the rules that fit every reply, and ask about the row that about half of them say yes to.",
    version=5,
)  # fmt: skip
