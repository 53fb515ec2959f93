"""A Spanish glossary: what agents say to people in Spanish, with the English that the grammars read."""

from __future__ import annotations

import re
from functools import partial

from rlgym.generators.users.translation.glossary import Glossary, Idiom, entries, idioms, plain
from rlgym.generators.users.translation.numerals import SMALL, dated, figures, spanish_numbers

MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
_HOUR = rf"(?:\d{{1,2}}|{'|'.join(SMALL[1:])}|una)"
_NAMED = re.compile(
    r"\b(?:el|la|los|las|un|una|unos|unas|su|sus|tu|tus|de|del|al|en|con|este|esta|ese|esa|cuantos|cuantas|que tipo de) "
    r"([a-z\u00e1\u00e9\u00ed\u00f3\u00fa\u00f1]+)",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(r"(?<=[\w,;:] )[A-Z][\w-]+")


def _nouns(text: str) -> frozenset[str]:
    """Spanish words after an article or a preposition, and names."""
    return frozenset(map(plain, (*_NAMED.findall(text), *_CAPITALISED.findall(text))))


def _before(match: re.Match[str]) -> str:
    """A time before the hour: `las tres menos cuarto` is a quarter to three."""
    return f"{'quarter' if match['part'] == 'cuarto' else match['part']} to {match['hour'].replace('una', 'one')}"


def _past(match: re.Match[str]) -> str:
    part = {"media": "half", "cuarto": "quarter"}.get(match["part"], match["part"])
    return f"{part} past {match['hour'].replace('una', 'one')}"


def _hour(match: re.Match[str]) -> str:
    word = match["hour"].replace("una", "one")
    hour = int(word) if word.isdigit() else SMALL.index(word)
    late = (match["part"] or "").split()[-1:] in (["tarde"], ["noche"])
    return f"at {hour + 12 if late and hour < 12 else hour}:00"


_STATED = {"necesita": "you need", "quiere": "you want", "desea": "you want", "tiene": "you have", "prefiere": "you prefer"}


def _statement(match: re.Match[str]) -> str:
    """What a tag question is about: `La necesita el lunes, ¿verdad?` states, though without the tag it would ask."""
    return re.sub(rf"\b(?:usted )?({'|'.join(_STATED)})\b(?! que)(?: usted\b)?", lambda verb: _STATED[verb[1]], match[0])


_IDIOMS = (
    Idiom(re.compile(r"(?s)^.*$"), lambda match: figures(match[0])),
    Idiom(
        re.compile(r"\b(?P<day>\d{1,2}) de (?P<month>" + "|".join(MONTHS) + r")(?: (?:de|del) (?P<year>\d{4}))?"), partial(dated, MONTHS)
    ),
    Idiom(re.compile(r"\b(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4})"), partial(dated, MONTHS)),
    Idiom(re.compile(r"(?s)^.*$"), lambda match: spanish_numbers(match[0])),
    Idiom(re.compile(rf"\blas? (?P<hour>{_HOUR}) y (?P<part>media|cuarto|five|ten|20)\b"), _past),
    Idiom(re.compile(rf"\blas? (?P<hour>{_HOUR}) menos (?P<part>cuarto|five|ten|20)\b"), _before),
    *idioms((r"\b(?:a )?las? (\d{1,2})[.:h](\d\d)(?: horas| h)?\b", r"at \1:\2")),
    Idiom(re.compile(rf"\ba las? (?P<hour>{_HOUR})\b(?! (?:dias|semanas|horas|monedas))(?P<part> en punto| de la manana| de la tarde| de la noche)?"), _hour),
    *idioms(
        (r"\bcomo (?:has|ha|habeis|han) (?:llegado|obtenido|hecho|calculado|sacado|resuelto)[^.?!,]*", "how did you get that"),
        (r"\bcomo (?:lo|la|los|llegaste|obtuviste|hiciste|calculaste|llego|hizo|calculo)\b[^.?!,]*(?:hecho|calculado|resuelto|resultado|hiciste|"
        r"calculaste|hizo|hace|haces)?", "how did you get that"),
        (r"\b(?:te|le) (?:(?:resulta|parece)n? (?:mas )?dificil(?:es)?|cuestan? (?:mas )?(?:trabajo)?)", "do you find hard "),
        (r"\b(?:a que|que cosas?|de que) (?:podria|podrias|estaria dispuest[oa] a|puede) (?:renunciar|prescindir|ceder)\b", "what could you do without"),
        (r"\b(?:(?:en|con) que(?: \w+)?|donde) (?:te (?:sueles )?equivoca\w+|cometes|fallas|tienes (?:mas )?(?:dificult|problem|error)\w*)[^.?!,]*|"
        r"\bque (?:\w+ )?se te (?:da|dan|hace|hacen) (?:peor|mal|dificil)\w*", "what do you find hard"),
        (r"\b(?:calcula|calcule|resuelve|resuelva)\b", "work out"),
        (r"(?<=\d) (?:por|multiplicado por|x) (?=\d)", " times "),
        (r"\b(?:cuanto|cuantos|que) (?:es|son|da|suman?|hacen)(?= \d)", "what is"),
        (r"\b(donde|cuando|como) (y (?:donde|cuando|como) )?(?:fue que |se )?"
        r"(?:ocurrio|sucedio|paso|pasaron|produjo|produjeron|tuvo lugar|fue)\b", r"\1 \2 did it happen"),
        (r"\b(?:que|lo que) (?:le |les |te )?(?:ha |han )?(?:pasado|pasa|paso|ocurrido|ocurrio|ocurre|sucedido|sucedio)\b", "what happened"),
        (r"\b(?:cuanto|cuanto tiempo) (?:tarda|tardas|le lleva|demora|se tarda)(?: usted)? (?:en (?:llegar|ir) )?(?:al?|"
        r"hasta el) trabajo\b", "how long does it take you to get to work"),
        (r"\b(?:cuantos anos|que edad) tiene(?:s| usted)?\b", "how old are you"),
        (r"\b(?:que|como) (?:tal|le parece|les parece|le pareceria|le parecerian|le parecen|te parece)(?= (?:si |un |una |el |la |los |"
        r"las )?(?:\w+ ?))", "how about"),
        (r"\b(?:que|como) (?:le parece|le pareceria)\b", "how about"),
        (r"(?:(?<=[,.;:!?-] )|(?<=^))(?:y )?(?:verdad|correcto|cierto|no es asi|es correcto|no es cierto|es asi|lo he entendido bien|no|vale)\?",
            "is that correct?",
        ),
        (r"\bcomo se llama(?: usted)?\b|\bcual es su nombre\b|\bcon quien hablo\b|\bquien es usted\b", "what is your name"),
        (r"\besta(?: usted)? (?:[a-z]+mente |del todo |muy |bien )?segur[oa]\b(?: de que)?", "are you sure"),
        (r"\bcerrad[oa]s? con llave\b", "locked"),
        (r"\bque no (?:(?:le|les|te) (?:gust|agrad|interes|apetec|apetezc)|soport|aguant)\w*(?: (?:nada|en absoluto))?", "that you dislike"),
        (r"\b(?:(?:le|les|te) (?:desagrad|disgust)|detest|odi|aborrec|aborrezc)(?:a|as|an|e|es|en)\b", "you dislike"),
        (r"\b(?:la|lo|las|los) (?=(?:necesit|quier|quer|dese|prefier|recog|recoj|devuelv|devolv|alquil)\w)", ""),
        (r"(?<!cual )\b(?:es|son|era|fue|seria) (?=(?:el|la|los|las|su|sus|tu|un|una)\b)", "is "),
        (r"\bse (?:lo|la) (\w)", r"\1"),
    ),
    Idiom(re.compile(r"(?<![^.?!])[^.?!]+(?=, is that correct\?)"), _statement),
)  # fmt: skip
_PRONOUNS = ("selos", "selas", "selo", "sela", "los", "las", "les", "nos", "lo", "la", "le", "me", "se")
"""What stands after an infinitive in one word with it, as in `pagarlas`."""
SPANISH = Glossary(_IDIOMS, entries("spanish"), ("es", "s", *_PRONOUNS), ("",), (), _nouns)
