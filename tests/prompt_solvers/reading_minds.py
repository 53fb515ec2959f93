"""Who believes what, who is meant, who holds what, and what would be if."""

from __future__ import annotations

import re
from copy import deepcopy

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, listed, matched, sentences

EVENTS = {
    "{a} left the room": "out",
    "{a} walked out of the room": "out",
    "Now {a} stepped outside": "out",
    "{a} went out": "out",
    "Now {a} stepped in": "in",
    "{a} walked into the room": "in",
    "{a} came into the room": "in",
    "{a} entered the room": "in",
    "{a} put the {x} into the {p}": "put",
    "{a} moved the {x} to the {p}": "put",
    "{a} placed the {x} in the {p}": "put",
    "The {x} was put into the {p} by {a}": "put",
    "{a} told {g}, with nobody else to hear it, that the {x} was in the {p}": "tell",
    "When nobody else could hear, {a} told {g} that the {x} was in the {p}": "tell",
    "{a} whispered to {g} that the {x} was in the {p}": "tell",
    "In a message seen by nobody but {g}, {a} said that the {x} was in the {p}": "tell",
    "Unknown to everybody else, {a} saw where the {x} was": "look",
    "Unnoticed by anybody, {a} found out where the {x} was": "look",
    "{a} secretly looked where the {x} was, and saw it": "look",
    "{a} took a secret look and saw where the {x} really was": "look",
}


@prompt_solver("belief_tracking")
def solve_belief_tracking(prompt: str) -> str:
    inside = set(re.findall(r"[A-Z]\w+", group(r"everybody is in the room: ([^.]*)\.", prompt)))
    boxes: dict[str, str] = {}
    events: list[tuple[str, set[str], str, str]] = []  # the thing, who takes part, who tells it, and the box
    for sentence in sentences(prompt.split("After all these")[0]).values():
        joined = re.sub(r"(?:[A-Z]\w+, )*[A-Z]\w+ and [A-Z]\w+", lambda names: re.sub(", | and ", "-", names[0]), sentence)
        found = matched(joined, EVENTS)
        assert found, joined
        kind, words = found
        who, thing = words["a"], words.get("x", "")
        if kind == "in":
            inside.add(who)
        elif kind == "out":
            inside.remove(who)
        elif kind == "put":
            assert who in inside
            boxes[thing] = words["p"]
            events.append((thing, set(inside), "", words["p"]))
        elif kind == "tell":
            events.append((thing, {who, *words["g"].split("-")}, who, words["p"]))
        else:
            events.append((thing, {who}, "", boxes[thing]))
    answers = []
    for question, thing in re.findall(r"^\(\d+\) Where does (.*) the (\w+) is\?", prompt, re.M):
        minds = set(re.findall(r"[A-Z]\w+", question))
        answers.append([box for about, who, teller, box in events if about == thing and minds <= who and minds != {teller}][-1])
    return " ".join(answers)


@prompt_solver("coreference_generated")
def solve_coreference_generated(prompt: str) -> str:
    groups = {name: people.split(", ") for name, people in re.findall(r"^([a-z]+): ([A-Z]\w+(?:, [A-Z]\w+)*)\.$", prompt, re.M)}
    people = [person for members in groups.values() for person in members]
    reference = re.compile(rf"\b([Tt]he (?:former|latter)|{'|'.join(people)}|(?i:{'|'.join(groups)}))\b")
    latest: dict[str, str] = {}
    by_mention = "was mentioned most recently before it" in prompt
    resolved: dict[int, tuple[str, str]] = {}
    before: list[str] = []
    for number, sentence in sentences(prompt.split("In sentence")[0]).items():
        mentioned = []
        for word in reference.findall(sentence):
            if word.lower().startswith("the "):
                mentioned.append(before[word.endswith("latter")])
            else:
                mentioned.append(word if word in people else latest[word.lower()])
            latest |= {name: mentioned[-1] for name, members in groups.items() if by_mention and mentioned[-1] in members}
        assert len(mentioned) == 2, sentence
        passive = re.match(r"(?:[Tt]he )?\w+ was \w+.* by ", sentence)
        actor, other = mentioned[::-1] if passive else mentioned
        resolved[number], before = (actor, other), mentioned
        latest |= {name: actor for name, members in groups.items() if not by_mention and actor in members}
    numbers = re.findall(r"\d+", group(r"In sentences? (.*?):", prompt))
    return " ".join(person for number in numbers for person in resolved[int(number)])


DEEDS = {
    "{a} was in the {p}": "at",
    "{a} had come to the {p}": "at",
    "{a} stood in the {p}": "at",
    "The {p} was where {a} was waiting": "at",
    "Somebody had left the {x} in the {p}": "lies",
    "In the {p} lay the {x}": "lies",
    "The {p} held the {x}": "lies",
    "The {x} lay in the {p}": "lies",
    "{a} went to the {p}": "go",
    "{a} walked over to the {p}": "go",
    "Off to the {p} went {a}": "go",
    "Next, {a} was seen entering the {p}": "go",
    "{a} picked up the {x}": "take",
    "{a} took hold of the {x}": "take",
    "Now {a} had the {x} in hand": "take",
    "The {x} was taken by {a}": "take",
    "{a} put down the {x}": "drop",
    "{a} let go of the {x}": "drop",
    "Tired of the {x}, {a} laid it down": "drop",
    "The {x} was left lying by {a}": "drop",
    "{a} gave the {x} to {b}": "give",
    "{a} handed {b} the {x}": "give",
    "{b} got the {x} from {a}": "give",
    "From {a} the {x} passed to {b}": "give",
    "{a} and {b} swapped the {x} for the {y}": "swap",
    "{a} traded the {x} for the {y} of {b}": "swap",
    "{a} let {b} have the {x} and got the {y} for it": "swap",
    "{a} gave {b} the {x} in exchange for the {y}": "swap",
    "Everything was put back to how it was before the last action not yet undone": "undo",
    "After that, the last action not yet undone was reversed": "undo",
    "Then the last action not yet undone was undone": "undo",
    "The last action that was still in effect was undone": "undo",
}


@prompt_solver("character_state_tracking")
def solve_character_state_tracking(prompt: str) -> str:
    where: dict[str, str] = {}
    history: list[dict[str, str]] = []
    for sentence in sentences(prompt.split("In the end, who")[0]).values():
        found = matched(sentence, DEEDS)
        assert found, sentence
        kind, words = found
        a, b, x, y, p = (words.get(key, "") for key in "abxyp")
        if kind == "undo":
            where = history.pop()
            continue
        if kind not in ("at", "lies"):
            history.append(dict(where))
        if kind in ("at", "go"):
            where[a] = p
        elif kind == "lies":
            where[x] = p
        elif kind == "take":
            assert where[x] == where[a]
            where[x] = a
        elif kind == "drop":
            assert where[x] == a
            where[x] = where[a]
        else:
            assert where[x] == a
            assert where[a] == where[b]
            where[x] = b
            if kind == "swap":
                assert where[y] == b
                where[y] = a
    return " ".join(where[thing] for thing in re.findall(r"the (\w+)", group(r"In the end, who holds (.*?)\?", prompt)))


WORLD = {
    "{a} lives in {b}": "town",
    "{b} is where {a} lives": "town",
    "The home of {a} is {b}": "town",
    "{a} is at home in {b}": "town",
    "In {a} everybody belongs to the {b}": "guild",
    "All of {a} is sworn to the {b}": "guild",
    "The people of {a} all belong to the {b}": "guild",
    "The {b} takes in all who live in {a}": "guild",
    "The {a} wears {b}": "colour",
    "The coats of the {a} are {b}": "colour",
    "Members of the {a} go in {b}": "colour",
    "One knows the {a} by its coats, which are {b}": "colour",
    "{b} is the month in which those who wear {a} feast": "feast",
    "The feast of all who wear {a} is in {b}": "feast",
    "Those who wear {a} feast in {b}": "feast",
    "To wear {a} means to feast in {b}": "feast",
    "At the feasts of {a} people eat {b}": "dish",
    "In {a} one eats {b} at a feast": "dish",
    "Whoever feasts in {a} is given {b}": "dish",
    "A feast in {a} comes with {b}": "dish",
}
RELATIONS = ["town", "guild", "colour", "feast", "dish"]
LINES = {
    "Let {b} be the {r} of {a}": "set",
    "Imagine that {b} were the {r} of {a}": "set",
    "Suppose that the {r} of {a} were {b} instead": "set",
    "Assume that the {r} of {a} is {b}": "set",
    "Imagine that the {r} of {a} and that of {b} were exchanged": "swap",
    "Suppose that {a} and {b} had each other's {r}": "swap",
    "Assume that {a} has the {r} of {b} and {c} that of {d}": "swap",
    "Let {a} and {b} swap their {r}": "swap",
    "Drop the most recent supposition that is still in force": "leave",
    "End the last supposition that is still in force": "leave",
    "Return to how things were before the last supposition still in force": "leave",
    "Drop the innermost supposition": "leave",
    "Give the {r} of {a}": "question",
    "State the {r} of {a}": "question",
    "Name the {r} of {a}": "question",
    "What is the {r} of {a}?": "question",
}


@prompt_solver("counterfactual_world")
def solve_counterfactual_world(prompt: str) -> str:
    facts, lines = prompt.split("Now go through these lines.")
    base: dict[str, dict[str, str]] = {relation: {} for relation in RELATIONS}
    for fact in facts.strip().split("\n")[1:]:
        found = matched(fact.removesuffix("."), WORLD)
        assert found, fact
        base[found[0]][found[1]["a"]] = found[1]["b"]
    worlds, answers = [base], []
    for line in listed(lines).values():
        found = matched(re.sub(r"\bthe (?=\S+-guild)", "", line), LINES)
        assert found, line
        kind, words = found
        if kind == "leave":
            worlds.pop()
            continue
        world = deepcopy(worlds[-1])
        a, b, relation = words.get("a", ""), words.get("b", ""), words.get("r", "")
        if kind == "question":
            (first,) = (place for place, name in enumerate(RELATIONS) if a in base[name])
            for step in RELATIONS[first : RELATIONS.index(relation) + 1]:
                a = world[step][a]
            answers.append(a)
            continue
        table = world[relation]
        if kind == "set":
            assert a in table
            table[a] = b
        else:
            table[a], table[b] = table[b], table[a]
        worlds.append(world)
    return " ".join(answers)
