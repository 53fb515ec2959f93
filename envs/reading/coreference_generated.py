"""Tell who is meant by the pronouns of a story, by stated rules that leave one reading.

The world has kinds of people with a pronoun each, and says how a pronoun, `the former` and `the latter` find whom they mean.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.facts import Bank, passage, read_statements, score_parts
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Solution, Step

MEANT = Step("Sentence {at}: {doer} acts, and {other} is acted upon.")
BANK = Bank("""
act: {first_words} greeted {second_words} at the gate. | {first_words} lent a coat to {second_words}.
act: {first_words} asked {second_words} the way.
act: {first_words} waved to {second_words} from the bridge. | {first_words} baked a loaf for {second_words}.
act: {first_words} wrote a note to {second_words}.
act: {first_words} drew a map for {second_words}. | {first_words} sang a verse to {second_words}.
act: {first_words} lifted {second_words} over the ditch.
suffer: {first_words} was thanked by {second_words}. | {first_words} was led home by {second_words}.
suffer: {first_words} was woken by {second_words}.
suffer: {first_words} was found by {second_words} in the hay. | {first_words} was given an apple by {second_words}.
suffer: {first_words} was praised by {second_words}.
""")
PRONOUNS = "zo ka mi tur wen".split()
RULES = {
    "last": "A pronoun refers to the person of its group who was mentioned most recently before it, by name or by pronoun, in the same sentence or an "
    "earlier one.",
    "doer": "A pronoun refers to the person of its group who acted most recently in an earlier sentence. The person who acts is the one who does what the "
    'sentence says: in "Zed was thanked by Yan", Yan acts.',
}
FORMER = (
    " The former refers to the person mentioned first in the sentence just before, and the latter to the person mentioned second there, "
    "whatever their groups and however they were mentioned."
)


class Knobs(Config):
    sentences: int = knob(12, easy=4, hard=50, doc="sentences of the story", scale="log")
    people: int = knob(3, easy=2, hard=4, doc="people of each kind")
    rules: str = knob(
        "doer",
        easy="last",
        hard="former",
        order=("last", "doer", "former"),
        doc="what pronouns go by, and whether there is a former and a latter",
    )


class Sentence(TaskData):
    first: str
    second: str
    passive: bool


class Data(TaskData):
    kinds: tuple[tuple[str, tuple[str, ...]], ...]
    rule: str
    story: tuple[Sentence, ...]
    asked: tuple[int, ...]
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, passive=0.25 if knobs.rules != "last" else 0.0, kinds=2)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Stories mostly in the passive, of what happens to people at the hands of others, and with more kinds of people."""
    return _sample_task(rng, knobs, passive=0.75, kinds=3)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the prompt, and follows each pronoun that is asked for back to the name it goes by.
    opening = task.prompt.partition("\n\n")[0]
    kind: dict[str, str] = {}
    for line in opening.split("\n")[1:]:
        pronoun, _, people = line.partition(": ")
        kind |= dict.fromkeys(people.removesuffix(".").split(", "), pronoun)
    story = [(said.kind, (said.gaps["first_words"], said.gaps["second_words"])) for _, said in read_statements(task.prompt, BANK)]
    doer_rule = "who acted most recently in" in task.prompt
    known: dict[tuple[int, int], str] = {}

    def meant(k: int, place: int) -> str:
        if (k, place) not in known:
            word = story[k][1][place].lower()
            if word in ("the former", "the latter"):
                known[k, place] = meant(k - 1, int(word == "the latter"))
            elif word in PRONOUNS and doer_rule:
                doers = (meant(before, int(story[before][0] == "suffer")) for before in range(k - 1, -1, -1))
                known[k, place] = next(name for name in doers if kind[name] == word)
            elif word in PRONOUNS:
                earlier = [(k, spot) for spot in range(place)][::-1] + [(b, spot) for b in range(k - 1, -1, -1) for spot in (1, 0)]
                known[k, place] = next(name for name in (meant(*pair) for pair in earlier) if kind[name] == word)
            else:
                known[k, place] = story[k][1][place]
        return known[k, place]

    for k in range(len(story)):
        meant(k, 0), meant(k, 1)
    question = task.prompt.rpartition("In sentences ")[2].partition(":")[0].replace(",", "")
    numbers = [int(word) for word in question.split() if word.isdigit()]
    return tuple(meant(at - 1, spot ^ (story[at - 1][0] == "suffer")).lower() for at in numbers for spot in (0, 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    swapped = tuple(right[k ^ 1] for k in range(len(right)))
    people = [name.lower() for _, names in task.data.kinds for name in names]
    other = people[(people.index(right[-1]) + 1) % len(people)]
    return [swapped, (*right[:-1], other), right[2:], right[::-1], right[-2:] + right[2:-2] + right[:2]]


def cost(task: Task[Data]) -> float:
    words = [word for sentence in task.data.story for word in (sentence.first, sentence.second)]
    return float(
        sum(1 if word.istitle() and " " not in word and word.lower() not in PRONOUNS else 4 for word in words)
        + 30 * (task.data.rule == "former")
    )


def derive(task: Task[Data]) -> Derivation:
    heard = _Heard(task.data)
    for at, sentence in enumerate(task.data.story, 1):
        doer, other = heard.hears(sentence)
        yield MEANT(at=at, doer=doer, other=other)


class _Heard:
    """A listener who resolves one sentence after the other."""

    def __init__(self, data: Data) -> None:
        self.kind = {name: pronoun for pronoun, names in data.kinds for name in names}
        self.by_doer = data.rule != "last"
        self.order: list[str] = []  # whom pronouns go by, the last one at the end
        self.before: tuple[str, str] = ("", "")

    def means(self, word: str, inside: Sequence[str] = ()) -> str:
        """Whom a word means; an empty text where it means nobody."""
        if word in ("the former", "the latter"):
            return self.before[word == "the latter"]
        if word not in PRONOUNS:
            return word
        heard = [*self.order, *(() if self.by_doer else inside)]
        return next((name for name in reversed(heard) if self.kind[name] == word), "")

    def hears(self, sentence: Sentence) -> tuple[str, str]:
        """Who acts, and who is acted upon."""
        first = self.means(sentence.first)
        second = self.means(sentence.second, (first,))
        self.before = first, second
        doer, other = (second, first) if sentence.passive else (first, second)
        self.order += [doer] if self.by_doer else [first, second]
        return doer, other


def _sample_task(rng: Rng, knobs: Knobs, passive: float, kinds: int) -> Task[Data]:
    names = stories.people(rng, kinds * knobs.people)
    pronouns = rng.sample(PRONOUNS, kinds)
    grouped = tuple((word, tuple(sorted(names[k * knobs.people : (k + 1) * knobs.people]))) for k, word in enumerate(pronouns))
    rule = knobs.rules
    heard = _Heard(Data(kinds=grouped, rule=rule, story=(), asked=(), answer=()))
    story, meant = list[Sentence](), list[tuple[str, str]]()
    while len(story) < knobs.sentences:
        first, second = rng.sample(names, 2)
        if story and rng.chance(0.6):  # go on with somebody of the sentence before
            first = rng.choice(heard.before)
            second = rng.choice([name for name in names if name != first])
        words = list[str]()
        for name, inside in ((first, ()), (second, (first,))):
            ways = [heard.kind[name]] + (["the former", "the latter"] if knobs.rules == "former" and story else [])
            fits = [form for form in ways if heard.means(form, inside) == name]
            words.append(rng.choice(fits) if fits and rng.chance(0.85) else name)
        story.append(Sentence(first=words[0], second=words[1], passive=rng.chance(passive)))
        meant.append(heard.hears(story[-1]))
    hard = [k for k, sentence in enumerate(story, 1) if sentence.first not in names or sentence.second not in names]
    hard += [k for k in range(len(story), 0, -1) if k not in hard]
    queried = tuple(sorted(rng.sample(hard[: max(3, len(hard) * 2 // 3)], 3)))
    answer = tuple(name.lower() for at in queried for name in meant[at - 1])
    sentence_list = [
        BANK.say(rng, "suffer" if sentence.passive else "act", first_words=sentence.first, second_words=sentence.second)
        for sentence in story
    ]
    rules = RULES["last" if rule == "last" else "doer"] + (FORMER if rule == "former" else "")
    listing = "\n".join(f"{word}: {', '.join(people)}." for word, people in grouped)
    prompt = (
        f"The people in a story belong to {english.number_word(kinds)} groups, and each group has its own pronoun:\n{listing}\n\n{rules}\n\n"
        f"{passage(rng, [sentence[0].upper() + sentence[1:] for sentence in sentence_list])}\n\n"
        f"In sentences {queried[0]}, {queried[1]} and {queried[2]}: who acts, and who is acted upon? Give six names: for each of these sentences, "
        "first the person who acts (who does what the sentence says), then the other person."
    )
    return Task(prompt, Data(kinds=grouped, rule=rule, story=tuple(story), asked=queried, answer=answer))


environment = Environment(
    Knobs, Words("the six names in this order, separated by spaces", max_items=40, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Go from sentence to sentence and note for each kind of people whom its pronoun would mean next.",
    version=4,
)  # fmt: skip
