"""Pick the instructions to one person from a long letter to several, under conditions that the letter itself decides.

Instructions hold for one, for all or for all but one; news changes what conditions meet; sentences are taken back, and quotations bind nobody.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.facts import Bank, passage, read_statements, sample_filler, score_parts
from rlgym.generators.text import english
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

BACK = Step("Sentence {at} takes back sentence {of}.")
HOLDS = Step("Sentence {at} holds for {who}: {word}.")
MEETS = Step("Sentence {at} asks about the {thing}, which is {state} by sentence {by}, so it holds for {who}: {word}.")
FAILS = Step("Sentence {at} asks about the {thing}, which is {state} by sentence {by}, so it does not hold.")
BANK = Bank("""
news: The {thing} is {state} now. | I can report that the {thing} is {state}. | As to the {thing}, it is {state} by now.
news: Know that the {thing} has become {state}.
all: Everybody, write the word {word}. | All of you shall write the word {word}. | To all of you: write the word {word}.
all: The word {word} is to be written by everybody.
but: Everybody but {who}, write the word {word}. | All of you except {who} shall write the word {word}.
but: With the exception of {who}, write the word {word}, all of you.
but: The word {word} is to be written by everybody other than {who}.
one: {who}, write the word {word}. | As for {who}: write the word {word}. | The word {word} is for {who} to write.
one: I ask {who} to write the word {word}.
if: If the {thing} is {state}, then {who} shall write the word {word}. | {who}, write the word {word}, provided that the {thing} is {state}.
if: In case the {thing} is {state}, I ask {who} to write the word {word}.
if: The word {word} is for {who} to write, but only if the {thing} is {state}.
unless: Unless the {thing} is {state}, {who} shall write the word {word}.
unless: {who}, write the word {word}, as long as the {thing} is not {state}.
unless: The word {word} is for {who} to write, except if the {thing} is {state}.
unless: Should the {thing} not be {state}, I ask {who} to write the word {word}.
back: Pay no heed to sentence {of}. | I take back sentence {of}. | Sentence {of} is to be read as if it were not there.
back: Leave sentence {of} out of account.
quote: My uncle once wrote to {who}: write the word {word}. | In an old play a king says that {who} should write the word {word}.
quote: There was a time when I would have asked {who} to write the word {word}.
quote: Somebody else may ask {who} to write the word {word}, which is no matter of mine.
""")
STATES = "red white green black yellow blue grey brown".split()
THINGS = "flag door lamp boat fence kite wagon banner".split()
KINDS = {"plain": ("one", "one", "all", "quote"), "asked": ("one", "but", "if", "if", "unless", "unless", "quote")}
KINDS["taken_back"] = (*KINDS["asked"], "all")


class Knobs(Config):
    sentences: int = knob(26, easy=7, hard=100, doc="sentences of the letter", scale="log")
    people: int = knob(3, easy=2, hard=5, doc="people it is written to")
    forms: str = knob(
        "asked",
        easy="plain",
        hard="taken_back",
        order=("plain", "asked", "taken_back"),
        doc="whether there are conditions, and sentences taken back",
    )


class Sentence(TaskData):
    at: int
    kind: str
    who: str = ""
    word: str = ""
    thing: str = ""
    state: str = ""
    of: int = 0


class Data(TaskData):
    letter: tuple[Sentence, ...]
    who: str
    at_end: bool  # whether conditions are judged by the whole letter
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, at_end=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Conditions are judged by what the whole letter tells last, and sentences are taken back before they come."""
    return _sample_task(rng, knobs, at_end=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the letter; asks of each sentence by itself whether it stands, and of a condition what news before it, or of all, stands last.
    statements = dict(read_statements(task.prompt, BANK))
    who = task.prompt.rpartition("Which words does ")[2].split()[0]
    at_end = "in the whole letter" in task.prompt.partition("\n\n")[0]

    def stands(at: int) -> bool:
        return not any(kind == "back" and int(gaps["of"]) == at and stands(by) for by, (kind, gaps) in statements.items())

    def state(thing: str, before: int) -> str:
        news = [at for at, (kind, gaps) in statements.items() if kind == "news" and gaps["thing"] == thing and stands(at)]
        return statements[max(at for at in news if at_end or at < before)].gaps["state"]

    out = []
    for at, (kind, gaps) in statements.items():
        mine = kind == "all" or (kind == "but" and gaps["who"] != who) or (kind in ("one", "if", "unless") and gaps["who"] == who)
        if mine and stands(at) and (kind not in ("if", "unless") or (state(gaps["thing"], at) == gaps["state"]) == (kind == "if")):
            out.append(gaps["word"])
    return tuple(out)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    every = [line.word for line in task.data.letter if line.word]
    named = [line.word for line in task.data.letter if line.who == task.data.who]
    return [tuple(every), tuple(named), right[1:], right[::-1], (*right, next(word for word in every if word not in right))]


def cost(task: Task[Data]) -> float:
    weights = {"news": 1, "quote": 1, "one": 1, "all": 1, "but": 2, "if": 4, "unless": 5, "back": 6}
    return len(task.prompt) / 100 + sum(weights[line.kind] for line in task.data.letter)


def derive(task: Task[Data]) -> Derivation:
    data, struck = task.data, _strike(task.data.letter)
    standing = [sentence for sentence in data.letter if sentence.at not in struck]
    for sentence in standing:
        if sentence.kind == "back":
            yield BACK(at=sentence.at, of=sentence.of)
    for sentence in standing:
        if not _mine(sentence, data.who):
            continue
        if sentence.kind not in ("if", "unless"):
            yield HOLDS(at=sentence.at, who=data.who, word=sentence.word)
            continue
        news = _news(data, struck, sentence)
        gaps = {"at": sentence.at, "thing": sentence.thing, "state": news.state, "by": news.at}
        if (news.state == sentence.state) == (sentence.kind == "if"):
            yield MEETS(**gaps, who=data.who, word=sentence.word)
        else:
            yield FAILS(**gaps)


def _mine(sentence: Sentence, who: str) -> bool:
    return (
        sentence.kind == "all"
        or (sentence.kind == "but" and sentence.who != who)
        or (sentence.kind in ("one", "if", "unless") and sentence.who == who)
    )


def _strike(letter: Sequence[Sentence]) -> set[int]:
    """The sentences that are taken back by one that stands; who takes back comes always after, or always before, what is taken back."""
    backs = sorted(
        (line for line in letter if line.kind == "back"),
        key=lambda line: line.at,
        reverse=any(line.kind == "back" and line.of < line.at for line in letter),
    )
    struck: set[int] = set()
    for back in backs:
        if back.at not in struck:
            struck.add(back.of)
    return struck


def _news(data: Data, struck: set[int], asking: Sentence) -> Sentence:
    """The news that a condition goes by."""
    news = [line for line in data.letter if line.kind == "news" and line.thing == asking.thing and line.at not in struck]
    return [line for line in news if data.at_end or line.at < asking.at][-1]


def _sample_task(rng: Rng, knobs: Knobs, at_end: bool) -> Task[Data]:
    people = stories.people(rng, knobs.people)
    who = rng.choice(people)
    things = rng.sample(THINGS, 2 + knobs.sentences // 30) if knobs.forms != "plain" else []
    words = iter(rng.shuffled([word for word in WORDS if 4 <= len(word) <= 8]))
    count = max(5 + 2 * len(things), knobs.sentences * 4 // 5)
    while True:
        drawn: list[Sentence | None] = [Sentence(at=0, kind="news", thing=thing, state=rng.choice(STATES)) for thing in things]
        while len(drawn) < count:
            if things and rng.chance(0.25):
                drawn.append(Sentence(at=0, kind="news", thing=rng.choice(things), state=rng.choice(STATES)))
                continue
            kind = rng.choice(KINDS[knobs.forms])
            name = who if rng.chance(0.5) and kind != "but" else rng.choice(people)
            asks = {"thing": rng.choice(things), "state": rng.choice(STATES)} if kind in ("if", "unless") else {}
            drawn.append(Sentence(at=0, kind=kind, who="" if kind == "all" else name, word=next(words), **asks))
        # The first news of each thing stay in front and are never taken back, so that a condition always finds some.
        drawn += [None] * max(1, knobs.sentences - count)
        rest = rng.shuffled(drawn[len(things) :])
        letter = [line and line.model_copy(update={"at": at}) for at, line in enumerate([*drawn[: len(things)], *rest], 1)]
        letter = _with_matching_conditions(rng, letter, at_end)
        if knobs.forms == "taken_back":
            letter = _take_back(rng, letter, len(things), at_end)
        data = Data(letter=tuple(line for line in letter if line), who=who, at_end=at_end, answer=())
        struck = _strike(data.letter)
        answer = []
        for line in data.letter:
            fits = line.at not in struck and _mine(line, who)
            if fits and line.kind in ("if", "unless"):
                fits = (_news(data, struck, line).state == line.state) == (line.kind == "if")
            answer += [line.word] * fits
        if 2 <= len(answer) < sum(bool(line.word) for line in data.letter):
            break
        words = iter(rng.shuffled([word for word in WORDS if 4 <= len(word) <= 8]))
    fill = iter(sample_filler(rng, sum(line is None for line in letter), stories.places(rng, 4), stories.people(rng, 8)))
    lines = [BANK.say(rng, line.kind, **line.model_dump(exclude={"kind", "at"})) if line else next(fill) for line in letter]
    by = (
        "the last statement about it in the whole letter"
        if at_end
        else "the last statement about it before the sentence that has the condition"
    )
    rules = f" A condition on a thing is judged by {by}." if things else ""
    if knobs.forms == "taken_back":
        rules += (
            " A sentence that is taken back counts as not written, whatever it says; one that takes back another may itself be taken back."
        )
    prompt = (
        f"This letter goes to {english.join_words(people)}. Only what its writer now asks for is to be done.{rules}\n\n{passage(rng, lines)}\n\n"
        f"Which words does {who} write? Give them in the order of the letter."
    )
    return Task(prompt, data.model_copy(update={"answer": tuple(answer)}))


def _with_matching_conditions(rng: Rng, letter: Sequence[Sentence | None], at_end: bool) -> list[Sentence | None]:
    """The same letter, in which about half of the conditions name the state that the news name."""
    out = list[Sentence | None]()
    for line in letter:
        if line and line.kind in ("if", "unless") and rng.chance(0.5):
            news = [
                other.state
                for other in letter
                if other and other.kind == "news" and other.thing == line.thing and (at_end or other.at < line.at)
            ]
            line = line.model_copy(update={"state": news[-1]})
        out.append(line)
    return out


def _take_back(rng: Rng, letter: Sequence[Sentence | None], first: int, at_end: bool) -> list[Sentence | None]:
    """The same letter, in which some sentences take back others: later ones earlier ones, or the other way round."""
    out = list(letter)
    spots = rng.sample(range(first, len(out)), len(out) // 7 + 1)
    for spot in spots:
        others = range(spot + 1, len(out)) if at_end else range(first, spot)
        backs = [k for k in others if k in spots and (line := out[k]) and line.kind == "back"]
        ends = backs if backs and rng.chance(0.4) else [k for k in others if (line := out[k]) and k not in spots]
        if ends:
            out[spot] = Sentence(at=spot + 1, kind="back", of=rng.choice(ends) + 1)
    return out


environment = Environment(
    Knobs, Words("the words in this order, separated by spaces", max_items=200, ignore_case=True), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Settle which sentences stand, then which of those speak to the one who is asked about, and only then whether their conditions are met.",
    version=3,
)  # fmt: skip
