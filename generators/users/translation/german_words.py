"""A German glossary: what agents say to people in German, with the English that the grammars read."""

from __future__ import annotations

import re
from functools import partial

from rlgym.generators.users.translation.glossary import Glossary, Idiom, entries, idioms, plain
from rlgym.generators.users.translation.numerals import SMALL, dated, figures, german_numbers, number_words

MONTHS = "januar februar maerz april mai juni juli august september oktober november dezember".split()
_NUMBER = rf"(?:\d{{1,2}}|{'|'.join(SMALL[1:])}|eins?)"
_CAPITALISED = re.compile(r"(?<=[\w,;:\u201e\"(-] )[A-Z\u00c4\u00d6\u00dc][\w-]+|(?<=\w )[A-Z\u00c4\u00d6\u00dc][\w-]+")


def _nouns(text: str) -> frozenset[str]:
    """German nouns are capitalised; of a text without capitals every word may be one."""
    words = _CAPITALISED.findall(text) if re.search("[A-Z]", text) else re.findall(r"\w+", text)
    return frozenset(map(plain, words))


def _half(match: re.Match[str]) -> str:
    """Half an hour before: `halb drei` is half past two."""
    named = match["hour"]
    hour = int(named) if named.isdigit() else SMALL.index("one" if named.startswith("ein") else named)
    return f"half past {number_words((hour - 2) % 12 + 1)}"


_IDIOMS = (
    Idiom(re.compile(r"(?s)^.*$"), lambda match: figures(match[0])),
    Idiom(re.compile(r"\b(?P<day>\d{1,2})\. ?(?P<month>" + "|".join(MONTHS) + r"|\d{1,2}\.)(?: ?(?P<year>\d{4}))?"), partial(dated, MONTHS)),
    Idiom(re.compile(r"(?s)^.*$"), lambda m: german_numbers(m[0])),
    Idiom(re.compile(rf"\bhalb (?P<hour>{_NUMBER})\b"), _half),
    *idioms(
        (r"\b(?:schalten|stellen|machen) sie (?:bitte )?([^.?!,]{0,90}?) aus\b(?=[.?!,]|$| und\b)", r"switch off \1"),
        (r"\b(?:schalten|stellen|machen) sie (?:bitte )?([^.?!,]{0,90}?) (?:ein|an)\b(?=[.?!,]|$| und\b)", r"switch on \1"),
        (r"\bstarten sie (?:bitte )?([^.?!,]{0,90}?) neu\b", r"restart \1"),
        (r"\b(?:e-?mail|mail)-?(?:adressen?)?\b", "email"),
        (rf"\bviertel nach ({_NUMBER})\b", r"quarter past \1"),
        (rf"\bviertel vor ({_NUMBER})\b", r"quarter to \1"),
        (rf"\b({_NUMBER}) uhr (\d\d)\b", r"\1:\2"),
        (r"\b(\d{1,2})[.:](\d\d)(?: uhr)?\b", r"\1:\2"),
        (r"\b(\d{1,2}) uhr\b", r"\1:00"),
        (rf"\b({_NUMBER}) uhr\b", r"\1 o'clock"),
        (r"\b(?:sind|waren) sie (?:sich )?([^.?!,]{0,90}?) ?(?:ganz |wirklich |absolut )?(?:sicher|gewiss)\b", r"are you sure \1"),
        (r"\bare you sure beim\b", "are you sure of the"),
        (r"\bare you sure (?:bei|mit|ueber)\b", "are you sure of"),
        (r"\bwie (?:bist du|bist du denn|sind sie|kommst du|kommen sie|kamst du|hast du|haben sie) (?:denn )?(?:auf |darauf|dazu|"
        r"das (?:aus)?gerechnet)[^.?!,]*", "how did you get that"),
        (r"\bwie (?:hast|haben) (?:du|sie) (?:das |es )?(?:aus)?gerechnet[^.?!,]*", "how did you get that"),
        (r"\b(?:faellt|faellt es) (?:dir|ihnen) (?:[^.?!,]{0,90} )?(?:schwer|leicht|schwerer|am schwersten)\b", "do you find hard"),
        (r"\bwor?auf (?:koennten|koenntest|wuerden|wollen) (?:sie|du) (?:[^.?!,]{0,90} )?verzichten\b", "what could you do without"),
        (r"\bwas (?:findest du (?:[^.?!,]{0,90} )?(?:schwer|schwierig|schwersten|schwierigsten)|"
        r"kannst du (?:[^.?!,]{0,90} )?(?:nicht so gut|nicht gut|am schlechtesten)|"
        r"(?:klappt|faellt dir|liegt dir|gelingt dir) (?:[^.?!,]{0,90} )?(?:nicht|nicht so gut|am schlechtesten))\b", "what do you find hard"),
        (r"\b(?:wobei|womit|worin|wo|(?:bei|mit) (?:was|welchen \w+)) (?:machst du|vertust du dich|verrechnest du dich|passieren dir|hast du|tust du dich)\b"
        r"[^.?!,]*", "what do you find hard"),
        (r"\brechne\w*(?= [^.?!]{0,90}\d)", "work out"),
        (r"\b(?:kannst du|koenntest du|koennen sie|koennten sie|wuerden sie|wuerdest du) (?:mir|uns) (?:\w+ ){0,4}?(?:sagen|verraten|mitteilen), "
        r"(?=(?:was|wie|wann|wo|wer|wem|wen|woher|wohin|warum|ob|welche\w?|in|an|auf|fuer|von|mit|ab|zu|um)\b)", "can you tell me "),
        (r"\bwas haben sie (?:denn |eigentlich )?vor\b", "what do you want to do"),
        (r"\bist (?:es|das) ([^.?!,]{0,90})?passiert\b", r"did it happen \1"),
        (r"\b(wann|wo|wie)\b([^.?!,]{0,90})\bist (?:es |das |der \w+ )?(?:denn )?(passiert|geschehen)\b", r"\1\2 did it happen"),
        (r"\bwas ist (?:denn |eigentlich |ihnen |genau )*(?:passiert|geschehen|los)\b", "what happened"),
        (r"\bwas (?:denn |genau |eigentlich )?(?:passiert|geschehen|vorgefallen) ist\b", "what happened"),
        (r"\bwie (?:lautet|heisst|ist|war|waere|lauten|heissen) (?=(?:denn )?(?:der|die|das|ihr|ihre|dein|deine)\b)", "what is "),
        (r"\bwie heissen sie\b|\bwie ist ihr name\b|\bmit wem spreche ich\b|\bwer sind sie\b", "what is your name"),
        (r"\bwie waere (?:es|das)(?: (?:denn|dann))? mit\b|\bwie steht es mit\b|\bwas ist mit\b|\bwas halten sie von\b|\bwas sagen sie zu\b", "how about"),
        (r"\b(?:brauchen|benoetigen) sie (?:[^.?!,]{0,20})?(?:zur|bis zur|in die) arbeit\b", "does it take you to get to work"),
        (r"\bwie lange dauert (?:[^.?!,]{0,20})?(?:arbeitsweg|weg zur arbeit)\b", "how long does it take to get to work"),
        (r"\b(?:was|wieviel|wie viel) (?:ist|ergibt|gibt|sind|macht)(?= \d)", "what is"),
        (r"\b(?:fuer (?:sie|dich) )?nicht (?:infrage|in frage) (?:kommt|kommen|kaeme|kaemen)\b|"
        r"\b(?:kommt|kommen|kaeme) (?:fuer (?:sie|dich) )?nicht (?:infrage|in frage)\b", "you would like to avoid"),
        (r"\bgibt es\b", "is there"),
        (r"\bes gibt\b", "there is"),
        (r"(?:(?<=[,.;:!-] )|(?<=^))(?:stimmt|richtig|korrekt|oder|nicht wahr|ja|gell|stimmt das|stimmt's|ist das richtig|ist das so richtig|habe ich "
        r"das richtig verstanden|"
         r"das stimmt doch|stimmt es|passt das so)\?", "is that correct?"),
    ),
)  # fmt: skip


GERMAN = Glossary(_IDIOMS, entries("german"), ("en", "em", "er", "es", "e", "n", "s", "t"), ("", "e", "en"), ("s", "n", "en", "es"), _nouns)
