"""Translate sentences into an invented language, or out of it, by a given glossary and grammar."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.constraints.tongues import (
    BACK,
    Clause,
    Phrase,
    Tongue,
    describe_glossary,
    describe_grammar,
    english,
    sample_clause,
    sample_tongue,
    words,
)
from rlgym.solutions import Derivation, Solution, Step

MADE = Step("Sentence {sentence}, word {place}: {english} with the stem {stem} is {form} here")
BACK_TOLD = (
    "into English. Write noun phrases as in: the two old farmers, an old farmer, old farmers; verbs as in: did see, will not see, may see; plurals "
    'of nouns with -s. Without "the", a noun phrase has "a" or "an" in the singular and no article in the plural'
)
BACK_DEFINITE = (
    "into English. Write noun phrases as in: the old farmer, the farmers; verbs as in: did see, will see, may see; plurals of nouns with -s. "
    'All noun phrases have "the"'
)


class Knobs(Config):
    sentences: int = knob(2, easy=1, hard=5, doc="sentences joined by and")
    nouns: int = knob(6, easy=3, hard=14, doc="nouns of the glossary")
    others: int = knob(4, easy=2, hard=7, doc="verbs, and as many adjectives, of the glossary")
    grammar: str = knob(
        "affixes",
        easy="order",
        hard="harmony",
        order=("order", "affixes", "harmony"),
        doc="word order, affixes too, or also harmony and agreement",
    )


class Data(TaskData):
    tongue: Tongue
    clauses: tuple[Clause, ...]
    back: bool
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, back=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """From the invented language into English."""
    return _sample_task(rng, knobs, back=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Affixes are added one by one in the order of the rules, or tried on every English phrase; `generate` reads the forms off the clauses.
    data = task.data
    if data.back:
        return tuple(" and ".join(english(data.tongue, clause) for clause in _understood(data)).split())
    return tuple(f" {data.tongue.and_} ".join(" ".join(_phrase(data.tongue, clause)) for clause in data.clauses).split())


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.right
    if len(answer) != len(right):
        return Score.wrong(f"the translation does not have {len(answer)} words")
    wrong = sum(first != second for first, second in zip(answer, right, strict=True))
    return Score.exact(not wrong, f"{wrong} of the words are wrong")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    stems = tuple(word.stem for clause in data.clauses for word in words(data.tongue, clause))
    plain = tuple(" and ".join(english(data.tongue, clause) for clause in data.clauses).split())
    turned = words(data.tongue.model_copy(update={"order": "SVO", "adjective_after": not data.tongue.adjective_after}), data.clauses[0])
    return [stems, plain[::-1], tuple(word.form for word in turned), right[:-1], (*right, right[-1]), (right[1], right[0], *right[2:])]


def cost(task: Task[Data]) -> float:
    rules = len(describe_grammar(task.data.tongue))
    return float(len(task.data.right) * rules + len(task.data.tongue.nouns))


def derive(task: Task[Data]) -> Derivation:
    for i, clause in enumerate(task.data.clauses, 1):
        for k, word in enumerate(words(task.data.tongue, clause), 1):
            yield MADE(sentence=i, place=k, english=word.english, stem=word.stem, form=word.form)


def _sample_task(rng: Rng, knobs: Knobs, back: bool) -> Task[Data]:
    while True:
        tongue = sample_tongue(rng, knobs.nouns, knobs.others, knobs.grammar)
        clauses = tuple(sample_clause(rng, tongue, knobs.grammar) for _ in range(knobs.sentences))
        theirs = f" {tongue.and_} ".join(" ".join(word.form for word in words(tongue, clause)) for clause in clauses)
        ours = " and ".join(english(tongue, clause) for clause in clauses)
        data = Data(tongue=tongue, clauses=clauses, back=back, right=tuple((ours if back else theirs).split()))
        shown = theirs if back else ours
        if tuple(shown.split()) != data.right and (not back or _understood(data) == list(clauses)):
            break
    rules = "\n".join(f"- {rule}" for rule in describe_grammar(tongue))
    into = (
        (BACK_TOLD if tongue.definite else BACK_DEFINITE) if back else "into this language, with every word formed according to the rules"
    )
    joined = '\n- Sentences are joined by the word for "and", and each of them follows these rules.' if len(clauses) > 1 else ""
    prompt = (
        f"An invented language has this glossary:\n{describe_glossary(tongue)}.\n\nIts grammar (a hyphen shows where an affix is attached and is not "
        f"written):\n{rules}{joined}\n\nTranslate this {into}:\n\n{shown}"
    )
    return Task(prompt, data)


def _phrase(tongue: Tongue, clause: Clause) -> list[str]:
    """The sentence, put together by rule after rule."""
    tense, stem = tongue.tenses[clause.tense], tongue.verbs[clause.verb][1]
    verb = [(tense + stem if tongue.tense_before else stem + tense) + tongue.many * bool(clause.subject.count)]
    denied = [tongue.not_] * clause.negative
    subject, acted = _name(tongue, clause.subject, False), _name(tongue, clause.object, True)
    parts = {"S": subject, "O": acted, "V": verb + denied if tongue.not_after else denied + verb}
    return [word for part in tongue.order for word in parts[part]]


def _name(tongue: Tongue, phrase: Phrase, acted_on: bool) -> list[str]:
    """A noun with what belongs to it."""

    def grown(form: str, affixes: tuple[str, str]) -> str:
        vowels = [letter for letter in form if letter in "aeiou"]
        return form + affixes[vowels[-1] not in BACK]

    _, form, kind, irregular = tongue.nouns[phrase.noun]
    if phrase.count == 1 or (phrase.count and not tongue.counted_single):
        form = irregular if irregular else grown(form, tongue.plural)
    form = grown(form, tongue.object_) if acted_on else form
    noun = [tongue.definite * phrase.definite + form]
    adjective = [tongue.adjectives[phrase.adjective][1] + tongue.agree[kind]] if phrase.adjective >= 0 else []
    number = [tongue.numbers[phrase.count - 2][1]] if phrase.count > 1 else []
    return number + (noun + adjective if tongue.adjective_after else adjective + noun)


def _understood(data: Data) -> list[Clause]:
    """The clauses of a text in the language: each part is found by trying what could have been said; empty where several could."""
    tongue, clauses = data.tongue, list[Clause]()
    for clause in data.clauses:
        heard = [word.form for word in words(tongue, clause)]
        fits = [
            candidate
            for subject in _phrases(tongue, heard, False)
            for acted in _phrases(tongue, heard, True)
            for candidate in _clauses(tongue, subject, acted, heard)
            if _phrase(tongue, candidate) == heard
        ]
        if len(fits) != 1:
            return []
        clauses += fits
    return clauses


def _phrases(tongue: Tongue, heard: list[str], acted_on: bool) -> list[Phrase]:
    """The phrases whose words are among those heard."""
    text = " ".join(heard)
    adjectives = [-1, *(i for i, (_, stem) in enumerate(tongue.adjectives) if stem in text)]
    counts = [0, 1, *(i for i, (_, stem) in enumerate(tongue.numbers, 2) if tongue.many and stem in heard)]
    nouns = [i for i, (_, stem, _, plural) in enumerate(tongue.nouns) if stem in text or (plural and plural in text)]
    whether = (False, True) if tongue.definite else (True,)
    phrases = (Phrase(noun=n, adjective=a, count=c, definite=d) for n in nouns for a in adjectives for c in counts for d in whether)
    return [phrase for phrase in phrases if set(_name(tongue, phrase, acted_on)) <= set(heard)]


def _clauses(tongue: Tongue, subject: Phrase, acted: Phrase, heard: list[str]) -> list[Clause]:
    size = sum(1 + (phrase.adjective >= 0) + (phrase.count > 1) for phrase in (subject, acted)) + 1
    denied = bool(tongue.definite) and tongue.not_ in heard
    if size + denied != len(heard) or subject.noun == acted.noun:
        return []
    verbs = [
        (v, t)
        for v, (_, stem) in enumerate(tongue.verbs)
        for t in range(3)
        if any(stem in word and tongue.tenses[t] in word for word in heard)
    ]
    return [Clause(subject=subject, object=acted, verb=v, tense=t, negative=denied) for v, t in verbs]


environment = Environment(
    Knobs, Words("the translation, its words separated by spaces", max_items=200, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The whole text: {answer}", whole=True),
    concept="Settle the order of the parts, then build each word from its stem, ending after ending, and let each ending look at the word so far.",
    version=5,
)  # fmt: skip
