"""Translate sentences into an invented language, or out of it, by a given glossary and grammar, written as instructed.

The instructions are on letter case, the format of dates and numbers, and the length: where a translation would be too long, adjectives are left out
in a stated order, so that one translation is right.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Words
from rlgym.generators.constraints.tongue_reading import build, understand
from rlgym.generators.constraints.tongues import Clause, describe_glossary, describe_grammar, english, sample_clause, sample_tongue, words
from rlgym.generators.constraints.translation_styles import CASES, DATES, SEPARATORS, Style, describe_style, sample_limit, sample_remark
from rlgym.generators.constraints.translation_texts import Text, adjectives_of, compose, leave_out, source_words, translate
from rlgym.solutions import Derivation, Solution, Step

INSTRUCTIONS = ("case", "date", "number", "length")
MADE = Step("Sentence {sentence}, word {place}: {english} with the stem {stem} is {form} here")
SHORTER = Step(
    "Written in full and as instructed, the translation has {length:int} characters; without the last {left_out:int} of its adjectives it has {kept:int}"
)
BACK_TOLD = (
    "into English. Write noun phrases as in: the two old farmers, an old farmer, old farmers; verbs as in: did see, will not see, may see; plurals "
    'of nouns with -s. Without "the", a noun phrase has "a" or "an" in the singular and no article in the plural'
)
BACK_DEFINITE = (
    "into English. Write noun phrases as in: the old farmer, the farmers; verbs as in: did see, will see, may see; plurals of nouns with -s. "
    'All noun phrases have "the"'
)

DATE_TOLD = 'A date stands at the end of its sentence, right after the word for "on".'
AMOUNT_TOLD = 'An amount stands at the end of its sentence: the word for "for", the number and the word for "coins", in this order and without affixes.'


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
    instructions: int = knob(2, easy=0, hard=4, doc="instructions on case, dates, numbers and length")


class Data(Text):
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, back=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """From the invented language into English."""
    return _sample_task(rng, knobs, back=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Affixes are added one by one in the order of the rules, or tried on every English phrase; `generate` reads the forms off the clauses.
    data = task.data
    clauses = understand(data.tongue, data.clauses) if data.back else list(data.clauses)
    adjectives = adjectives_of(data, clauses)
    for left_out in range(len(adjectives) + 1):
        kept = leave_out(clauses, adjectives[len(adjectives) - left_out :])
        translation = tuple(" and ".join(_solved(data, k, clause) for k, clause in enumerate(kept)).split())
        if not data.back:
            translation = tuple(data.tongue.and_ if word == "and" else word for word in translation)
        if not data.style.limit or sum(map(len, translation)) + len(translation) - 1 <= data.style.limit:
            return translation
    raise AssertionError("no translation is short enough")


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.right
    if not task.data.style.case:
        answer = tuple(word.lower() for word in answer)
    if len(answer) != len(right):
        return Score.wrong(f"the translation does not have {len(answer)} words")
    wrong = sum(first != second for first, second in zip(answer, right, strict=True))
    return Score.exact(not wrong, f"{wrong} of the words are wrong")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    stems = tuple(word.stem for clause in data.clauses for word in words(data.tongue, clause))
    plain = tuple(" and ".join(english(data.tongue, clause) for clause in data.clauses).split())
    turned = words(data.tongue.model_copy(update={"order": "SVO", "adjective_after": not data.tongue.adjective_after}), data.clauses[0])
    others = [
        data.style.model_copy(update={"case": ""}),
        data.style.model_copy(update={"case": next(case for case in CASES if case != data.style.case)}) if data.style.case else data.style,
        data.style.model_copy(update={"limit": 0}),
        data.style.model_copy(update={"date": next(form for form in DATES if form != data.style.date)}),
        data.style.model_copy(update={"separator": next(sign for sign in SEPARATORS if sign != data.style.separator)}),
    ]
    written = [text for style in others if (text := translate(data.model_copy(update={"style": style}))) != right]
    return [
        stems,
        plain[::-1],
        tuple(word.form for word in turned),
        right[:-1],
        (*right, right[-1]),
        (right[1], right[0], *right[2:]),
        *written,
    ]


def cost(task: Task[Data]) -> float:
    rules = len(describe_grammar(task.data.tongue))
    return float(
        len(task.data.right) * (rules + len(describe_style(task.data.style, task.data.back, len(task.data.clauses))))
        + len(task.data.tongue.nouns)
    )


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for i, clause in enumerate(data.clauses, 1):
        for k, word in enumerate(words(data.tongue, clause), 1):
            yield MADE(sentence=i, place=k, english=word.english, stem=word.stem, form=word.form)
    if data.style.limit:
        whole = translate(data.model_copy(update={"style": data.style.model_copy(update={"limit": 0})}))
        fewer = sum(clause.subject.adjective >= 0 for clause in data.clauses) + sum(clause.object.adjective >= 0 for clause in data.clauses)
        left_out = next(k for k in range(fewer + 1) if compose(data, k) == data.right)
        yield SHORTER(length=len(" ".join(whole)), left_out=left_out, kept=len(" ".join(data.right)))


def _sample_task(rng: Rng, knobs: Knobs, back: bool) -> Task[Data]:
    while True:
        tongue = sample_tongue(rng, knobs.nouns, knobs.others, knobs.grammar)
        clauses = tuple(sample_clause(rng, tongue, knobs.grammar) for _ in range(knobs.sentences))
        data = Data(tongue=tongue, clauses=clauses, remarks=((),) * len(clauses), style=Style(), back=back, right=())
        data = _sample_style(rng, data, rng.sample(INSTRUCTIONS, knobs.instructions))
        shown = " ".join(source_words(data))
        data = data.model_copy(update={"right": translate(data)})
        cased = not data.style.case or any(word != word.lower() for word in data.right)  # not where all the words to be marked are left out
        if cased and tuple(shown.split()) != data.right and (not back or understand(data.tongue, data.clauses) == list(clauses)):
            return Task(_render_prompt(data, shown), data)


def _render_prompt(data: Data, shown: str) -> str:
    tongue, back = data.tongue, data.back
    remarks = [remark for given in data.remarks for remark in given]
    dates, amounts = (any(bool(remark.day) == dated for remark in remarks) for dated in (True, False))
    rules = list(describe_grammar(tongue))
    rules += [DATE_TOLD] * dates + [AMOUNT_TOLD] * amounts
    if any(len(given) > 1 for given in data.remarks):
        rules.append("A date and an amount in the same sentence keep the order of the text.")
    if len(data.clauses) > 1:
        rules.append('Sentences are joined by the word for "and", and each of them follows these rules.')
    into = (
        (BACK_TOLD if tongue.definite else BACK_DEFINITE) if back else "into this language, with every word formed according to the rules"
    )
    glossary = describe_glossary(tongue, dates, amounts, len(data.clauses) > 1)
    listed = "\n".join(f"- {rule}" for rule in rules)
    instructions = "\n".join(f"- {line}" for line in describe_style(data.style, back, len(data.clauses)))
    written = f"\n\nWrite the translation as follows:\n{instructions}" if instructions else ""
    return (
        f"An invented language has this glossary:\n{glossary}.\n\nIts grammar (a hyphen shows where an affix is attached and is not "
        f"written):\n{listed}\n\nTranslate this {into}:\n\n{shown}{written}"
    )


def _sample_style(rng: Rng, data: Data, kinds: Sequence[str]) -> Data:
    """The instructions, with the dates and amounts that they are about."""
    remarks, style = [list(given) for given in data.remarks], Style()
    adjectives = adjectives_of(data, data.clauses)
    for kind in kinds:
        match kind:
            case "case":
                style = style.model_copy(update={"case": rng.choice([case for case in CASES if case != "adjectives" or adjectives])})
            case "date":
                style = style.model_copy(update={"date": rng.choice(tuple(DATES))})
            case "number":
                style = style.model_copy(update={"separator": rng.choice(tuple(SEPARATORS)[:3])})
        if kind in ("date", "number"):
            rng.choice(remarks).append(sample_remark(rng, kind))
    data = data.model_copy(update={"remarks": tuple(map(tuple, remarks)), "style": style})
    if "length" in kinds and adjectives:
        limit = sample_limit(rng, lambda left_out: compose(data, left_out), len(adjectives))
        data = data.model_copy(update={"style": style.model_copy(update={"limit": limit})})
    return data


def _solved(data: Data, k: int, clause: Clause) -> str:
    """A sentence of the translation with its remarks, written as instructed."""
    tongue, style = data.tongue, data.style
    if data.back:
        names = {"noun": tongue.nouns, "verb": tongue.verbs, "adjective": tongue.adjectives}
        known = {name: role for role, group in names.items() for name, *_ in group}
        pieces = [(word, known.get(word, known.get(word.removesuffix("s"), ""))) for word in english(tongue, clause).split()]
    else:
        pieces = build(tongue, clause)
    parts = [form for form, _ in pieces]
    for i, (form, role) in enumerate(pieces):
        if style.case == ("opening" if i == 0 else "") or (role and style.case == "nouns" and role == "noun"):
            parts[i] = form[0].upper() + form[1:] if style.case else form
        elif role != "noun" and f"{role}s" == style.case:
            parts[i] = form.upper()
    for remark in data.remarks[k]:
        if remark.day:
            digits = DATES[style.date].replace("DD", str(remark.day).zfill(2)).replace("MM", str(remark.month).zfill(2))
            parts += ["on" if data.back else tongue.on, digits.replace("YYYY", str(remark.year))]
        else:
            digits = str(remark.amount)
            written = f"{digits[:-3]}{style.separator}{digits[-3:]}"
            parts += ["for", written, "coins"] if data.back else [tongue.for_, written, tongue.coins]
    return " ".join(parts)


environment = Environment(
    Knobs, Words("the translation, its words separated by spaces", max_items=200),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The whole text: {answer}", whole=True),
    concept="Settle the order of the parts, then build each word from its stem, ending after ending, and let each ending look at the word so far.",
    version=7,
)  # fmt: skip
