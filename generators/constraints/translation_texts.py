"""Texts in an invented language or in English that are to be translated as instructed, and their translations."""

from collections.abc import Sequence

from rlgym.core.task import TaskData
from rlgym.generators.constraints.tongues import Clause, Tongue, english, words
from rlgym.generators.constraints.translation_styles import Remark, Style, Token, format_remark, shortened, write_remark, write_tokens


class Text(TaskData):
    """Sentences with their dates and amounts, and how they are to be translated: out of the language if `back`, else into it."""

    tongue: Tongue
    clauses: tuple[Clause, ...]
    remarks: tuple[tuple[Remark, ...], ...]
    style: Style
    back: bool


def adjectives_of(text: Text, clauses: Sequence[Clause]) -> list[tuple[int, str]]:
    """The adjectives of the text to be translated in its order: the number of the sentence, and whose they are."""
    order = [part for part in text.tongue.order if part != "V"] if text.back else ["S", "O"]
    names = {"S": "subject", "O": "object"}
    return [(k, names[part]) for k, clause in enumerate(clauses) for part in order if getattr(clause, names[part]).adjective >= 0]


def leave_out(clauses: Sequence[Clause], adjectives: Sequence[tuple[int, str]]) -> list[Clause]:
    kept = list(clauses)
    for k, name in adjectives:
        kept[k] = kept[k].model_copy(update={name: getattr(kept[k], name).model_copy(update={"adjective": -1})})
    return kept


def translate(text: Text) -> tuple[str, ...]:
    return shortened(lambda left_out: compose(text, left_out), len(adjectives_of(text, text.clauses)), text.style.limit)


def compose(text: Text, left_out: int) -> tuple[str, ...]:
    """The translation as instructed, with so many of the last adjectives left out, whatever its length."""
    adjectives = adjectives_of(text, text.clauses)
    kept = leave_out(text.clauses, adjectives[len(adjectives) - left_out :])
    tokens = list[Token]()
    for clause, remarks in zip(kept, text.remarks, strict=True):
        if tokens:
            tokens.append(Token(form="and" if text.back else text.tongue.and_))
        sentence = _tokens(text.tongue, clause, text.back)
        tokens += [sentence[0].model_copy(update={"opens": True}), *sentence[1:]]
        tokens += [
            Token(form=form)
            for remark in remarks
            for form in _remark_words(text.tongue, remark, format_remark(remark, text.style), text.back)
        ]
    return write_tokens(tokens, text.style)


def _tokens(tongue: Tongue, clause: Clause, in_english: bool) -> list[Token]:
    if not in_english:
        return [Token(form=word.form, role=word.role) for word in words(tongue, clause)]
    roles = {name: "verb" for name, _ in tongue.verbs} | {name: "adjective" for name, _ in tongue.adjectives}
    roles |= {name + end: "noun" for name, *_ in tongue.nouns for end in ("", "s")}
    return [Token(form=word, role=roles.get(word, "")) for word in english(tongue, clause).split()]


def _remark_words(tongue: Tongue, remark: Remark, written: str, in_english: bool) -> list[str]:
    if remark.day:
        return ["on" if in_english else tongue.on, *written.split()]
    return ["for", written, "coins"] if in_english else [tongue.for_, written, tongue.coins]


def source_words(text: Text) -> tuple[str, ...]:
    """The text to be translated, in the other language."""
    parts, in_english = list[str](), not text.back
    for clause, remarks in zip(text.clauses, text.remarks, strict=True):
        parts += ["and" if in_english else text.tongue.and_] * bool(parts)
        parts += [token.form for token in _tokens(text.tongue, clause, in_english)]
        parts += [word for remark in remarks for word in _remark_words(text.tongue, remark, write_remark(remark), in_english)]
    return tuple(parts)
