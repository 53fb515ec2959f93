"""Commands with exceptions, glossaries and lists of conditions."""

from __future__ import annotations

import re

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, listed, matched, sentences

STATES = {"I can report that the {x} is {c}", "As to the {x}, it is {c} by now", "Know that the {x} has become {c}", "The {x} is {c} now"}
VOIDS = {
    "Leave sentence {k} out of account",
    "I take back sentence {k}",
    "Sentence {k} is to be read as if it were not there",
    "Pay no heed to sentence {k}",
}
ORDERS = {
    "Everybody, write the word {w}": "all",
    "{p}, write the word {w}": "",
    "As for {p}: write the word {w}": "",
    "I ask {p} to write the word {w}": "",
    "The word {w} is for {p} to write": "",
    "To all of you: write the word {w}": "all",
    "All of you shall write the word {w}": "all",
    "The word {w} is to be written by everybody": "all",
    "Everybody but {p}, write the word {w}": "others",
    "All of you except {p} shall write the word {w}": "others",
    "With the exception of {p}, write the word {w}, all of you": "others",
    "The word {w} is to be written by everybody other than {p}": "others",
    "In case the {x} is {c}, I ask {p} to write the word {w}": "if",
    "If the {x} is {c}, then {p} shall write the word {w}": "if",
    "{p}, write the word {w}, provided that the {x} is {c}": "if",
    "The word {w} is for {p} to write, but only if the {x} is {c}": "if",
    "Unless the {x} is {c}, {p} shall write the word {w}": "unless",
    "{p}, write the word {w}, as long as the {x} is not {c}": "unless",
    "Should the {x} not be {c}, I ask {p} to write the word {w}": "unless",
    "The word {w} is for {p} to write, except if the {x} is {c}": "unless",
}


@prompt_solver("find_what_applies")
def solve_find_what_applies(prompt: str) -> str:
    story = sentences(prompt)
    voids = {n: int(found[1]["k"]) for n, text in story.items() for found in [matched(text, dict.fromkeys(VOIDS, ""))] if found}

    def stands(number: int) -> bool:
        return not any(target == number and stands(n) for n, target in voids.items())

    reader = group(r"Which words does (\w+) write", prompt)
    colours: dict[str, str] = {}
    words = []
    for number, text in story.items():
        state, order = matched(text, dict.fromkeys(STATES, "")), matched(text, ORDERS)
        if not stands(number):
            continue
        if state:
            colours[state[1]["x"]] = state[1]["c"]
        elif order:
            kind, found = order
            mine = kind == "all" or (found["p"] != reader if kind == "others" else found["p"] == reader)
            holds = kind not in ("if", "unless") or (colours[found["x"]] == found["c"]) == (kind == "if")
            words += [found["w"]] if mine and holds else []
    return " ".join(words)


BODIES = {
    "{n} grains": lambda value, w: int(w["n"]),
    "{n} grain": lambda value, w: int(w["n"]),
    "{n} times a {a}": lambda value, w: int(w["n"]) * value(w["a"]),
    "a {a} and a {b} together": lambda value, w: value(w["a"]) + value(w["b"]),
    "a {a} and a {b}": lambda value, w: value(w["a"]) + value(w["b"]),
    "a {a} together with a {b}": lambda value, w: value(w["a"]) + value(w["b"]),
    "a {a} from which a {b} is taken": lambda value, w: value(w["a"]) - value(w["b"]),
    "a {a} less a {b}": lambda value, w: value(w["a"]) - value(w["b"]),
    "a {a} without a {b}": lambda value, w: value(w["a"]) - value(w["b"]),
}
DEFINITIONS = (
    r"In (?P<p>[A-Z]\w+), an? (?P<t>\w+) is (?P<e>.*)",
    r"In (?P<p>[A-Z]\w+) they count (?P<e>.*) to an? (?P<t>\w+)",
    r"Whoever says (?P<t>\w+) in (?P<p>[A-Z]\w+) means (?P<e>.*)",
    r"An? (?P<t>\w+) of (?P<p>[A-Z]\w+) holds (?P<e>.*)",
    r"An? (?P<t>\w+) (?:is|holds|means) (?P<e>.*)",
    r"(?P<e>\d+ (?:grains?|times a \w+)) makes? a (?P<t>\w+)",
    r"(?P<e>[Aa] \w+ and a \w+) make a (?P<t>\w+)",
)


@prompt_solver("glossary_definitions_nested")
def solve_glossary_definitions_nested(prompt: str) -> str:
    meanings = {}
    for text in sentences(prompt.split("\nGive the numbers")[0].split("Questions that name")[0]).values():
        text = re.sub(r"^Take an? (\w+) from an? (\w+), and an? (\w+) is left$", r"A \3 is a \2 without a \1", text)
        for pattern in DEFINITIONS:
            found = re.fullmatch(pattern, text)
            body = matched(found["e"][0].lower() + found["e"][1:], BODIES) if found else None
            if found and body:
                place = found.groupdict().get("p", "")
                assert (found["t"], place) not in meanings
                meanings[found["t"], place] = body
                break

    def value(term: str, place: str) -> int:
        body, words = meanings.get((term, place)) or meanings[term, ""]
        return body(lambda inner: value(inner, place), words)

    questions = re.findall(r"^\(\d+\) How many grains are in an? (\w+)(?:, in (\w+))?\?", prompt, re.M)
    return ", ".join(str(value(term, place)) for term, place in questions)


@prompt_solver("long_list_filter")
def solve_long_list_filter(prompt: str) -> str:
    things = {}
    text, tests = prompt.split("A thing on this list is wanted")
    colours = ("red", "black", "white", "grey", "green", "blue", "yellow", "brown")
    for number, line in listed(text).items():
        words = re.findall(r"[a-z]+", line)
        (colour,) = [word for word in words if word in colours]
        things[number] = {
            "words": {*words, *re.findall(r"[A-Z]\w+", line)},
            "kg": int(group(r"(\d+) kg", line)),
            "year": int(group(r"\b(1[789]\d\d|20\d\d)\b(?! kg)", line)),
            "colour": colour,
        }

    def meets(thing: dict, test: str) -> bool:
        found = re.fullmatch(r"it weighs less than (\d+) kg", test)
        if found:
            return thing["kg"] < int(found[1])
        found = re.fullmatch(r"it weighs more than (\d+) kg", test)
        if found:
            return thing["kg"] > int(found[1])
        found = re.fullmatch(r"it was made (before|after|in) (\d+)(?: or later)?", test)
        if found:
            year = int(found[2])
            later = test.endswith("or later")
            return thing["year"] >= year if later else thing["year"] < year if found[1] == "before" else thing["year"] > year
        found = re.fullmatch(r"it is (heavier|lighter) than the (heaviest|lightest) (\w+) thing on the list", test)
        if found:
            weights = [other["kg"] for other in things.values() if found[3] in other["words"]]
            bound = max(weights) if found[2] == "heaviest" else min(weights)
            return thing["kg"] > bound if found[1] == "heavier" else thing["kg"] < bound
        found = re.fullmatch(r"it (?:is|comes from|does not come from) (not )?(?:an? )?(\w+)", test)
        assert found, test
        return (found[2] in thing["words"]) != (found[1] is not None or "does not" in test)

    conditions = [re.split(r" or (?=it )", line) for line in re.findall(r"^\(\w\) (.*)$", tests, re.M)]
    return ", ".join(str(n) for n, thing in things.items() if all(any(meets(thing, part) for part in line) for line in conditions))
