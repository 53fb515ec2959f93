"""Chronicles, letters and ledgers with distractors and corrections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, matched, only, sentences

POSTS = {
    "From the year {n} on, the {r} of {t} was {p}": "post",
    "In the year {n}, {p} became the {r} of {t}": "post",
    "{p} took over as {r} of {t} in the year {n}": "post",
    "The post of {r} at {t} went to {p} in the year {n}": "post",
    "{t} chose {p} as its {r} in the year {n}": "post",
    "Nowhere but in {t} is there a {c} {x}": "sight",
    "It is {t} that has the {c} {x}": "sight",
    "Many travel to {t} only to see its {c} {x}": "sight",
    "The {c} {x} stands in {t}": "sight",
}
SUCCESSION = {
    "{p} is remembered as {r} of {t}": "held",
    "Once {p} was {r} of {t}": "held",
    "In the year {n}, the post of {r} at {t} was created": "year",
    "{t} had its first {r} in the year {n}": "year",
    "In the year {n}, the post of {r} at {t} passed to somebody else": "year",
    "{t} had a new {r} from the year {n} on": "year",
    "In the year {n}, the post of {r} at {t} was done away with": "year",
    "{t} gave up the post of {r} in the year {n}": "year",
    "{p} was {r} of {t} between the times of {q} and {s}, whichever of the two came first": "between",
    "As {r} of {t}, {p} came later than one of {q} and {s}, but earlier than the other one": "between",
    "{p} was {r} of {t} either before both {q} and {s} or after both of them": "outside",
    "As {r} of {t}, {p} did not come in the time between {q} and {s}": "outside",
    "{p} was {r} of {t} for longer than {q} was": "longer",
    "As {r} of {t}, {q} served a shorter time than {p}": "longer",
    "As {r} of {t}, neither {p} nor {q} came directly after the other": "apart",
    "At least one other person was {r} of {t} after one of {p} and {q} and before the other one": "apart",
    "In the year {n}, {p} had not yet been {r} of {t}": "not yet",
    "Not until after the year {n} did {p} become {r} of {t}": "not yet",
    "In the year {n}, {p} was no longer {r} of {t}": "no longer",
    "Before the year {n}, {p} ceased to be {r} of {t}": "no longer",
}


def orders_of_holders(facts: list[tuple[str, dict[str, str]]]) -> Iterator[list[str]]:
    """Every order of the holders of a post that fits, found holder by holder."""
    names = [w["p"] for kind, w in facts if kind == "held"]
    years = sorted(int(w["n"]) for kind, w in facts if kind == "year")
    assert len(years) == len(names) + 1

    def is_possible(order: list[str]) -> bool:
        for kind, w in facts:
            if kind in ("held", "year") or w["p"] not in order:
                continue
            i = order.index(w["p"])
            if (kind == "not yet" and years[i] < int(w["n"])) or (kind == "no longer" and years[i + 1] > int(w["n"])):
                return False
            if "q" in w and w["q"] in order:
                j = order.index(w["q"])
                if "s" in w and w["s"] in order:
                    inside = (i < j) != (i < order.index(w["s"]))
                    if inside != (kind == "between"):
                        return False
                if kind == "longer" and years[i + 1] - years[i] <= years[j + 1] - years[j]:
                    return False
                if kind == "apart" and abs(i - j) == 1:
                    return False
        return True

    unfinished: list[list[str]] = [[]]
    while unfinished:
        order = unfinished.pop()
        if len(order) == len(names):
            yield order
        unfinished += [[*order, name] for name in names if name not in order and is_possible([*order, name])]


@prompt_solver("needle_in_haystack")
def solve_needle_in_haystack(prompt: str) -> str:
    ordered = re.search(r"Who held the post of (\w+) of the town with the (\w+ \w+), one after", prompt)
    if ordered:
        sights = [
            w
            for _, sentence in sentences(prompt).items()
            for found in [matched(sentence, POSTS)]
            if found and found[0] == "sight"
            for w in [found[1]]
        ]
        town = only(w["t"] for w in sights if f"{w['c']} {w['x']}" == ordered[2])
        said = [found for sentence in sentences(prompt).values() for found in [matched(sentence, SUCCESSION)] if found]
        return only(
            " ".join(order) for order in orders_of_holders([one for one in said if (one[1]["r"], one[1]["t"]) == (ordered[1], town)])
        )
    facts = {n: found for n, sentence in sentences(prompt).items() for found in [matched(sentence, POSTS)] if found}
    question = group(r"\n\nWho (.*?)\?", prompt)
    role = group(r"(?:was|became) the (\w+) of", question)
    town, used = group(r"of (?:the town )?(.*?)(?: in the year \d+)?$", question), []
    sight = re.match(r"with the (\S+ \S+)", town)
    if sight:
        ((number, town),) = [(n, w["t"]) for n, (kind, w) in facts.items() if kind == "sight" and f"{w['c']} {w['x']}" == sight[1]]
        used.append(number)
    year = re.search(r"in the year (\d+)", question)
    takers = [(int(w["n"]), w["p"], n) for n, (kind, w) in facts.items() if kind == "post" and (w["r"], w["t"]) == (role, town)]
    if year:
        takers = [max(taker for taker in takers if taker[0] <= int(year[1]))]
    ((_, person, number),) = takers
    return " ".join([person, *map(str, sorted([*used, number]))])


SACKS = {
    "From {a}, {n} sacks of {g} went to {b}": "sacks",
    "A carter brought {n} sacks of {g} from {a} to {b}": "sacks",
    "{a} sent {n} sacks of {g} to {b}": "sacks",
    "{b} received {n} sacks of {g} from {a}": "sacks",
    "Sentence {k} is wrong about the number, which was {n}": "correct",
    "Read {n} for the number of sacks in sentence {k}": "correct",
    "A clerk found that sentence {k} ought to say {n}": "correct",
    "The number of sacks in sentence {k} should be {n}": "correct",
    "Pay no heed to sentence {k}": "void",
    "Strike out sentence {k}": "void",
    "Sentence {k} is struck out": "void",
    "Sentence {k} was written by mistake and does not count": "void",
    "Of sentences {k} and {l}, one is true and the other is not": "either",
    "Either sentence {k} is true or sentence {l}, but not both": "either",
    "Sentences {k} and {l} contradict each other, and one of them is true": "either",
    "One of sentences {k} and {l} is true, and only one": "either",
}


@prompt_solver("multi_needle_sum")
def solve_multi_needle_sum(prompt: str) -> str:
    facts = {}
    for n, sentence in sentences(prompt).items():
        found = matched(sentence, SACKS)
        assert found or not re.search(r"\d", sentence), sentence
        if found:
            facts[n] = found

    question = re.search(
        r"(?:received (\d+) sacks of \w+ altogether, and this decides.*)?How many sacks of (\w+) did (\w+) receive (?:altogether|from (\w+)),",
        prompt,
    )
    assert question is not None
    tally, goods, town, origin = question.groups()
    pairs = [(int(w["k"]), int(w["l"])) for kind, w in facts.values() if kind == "either"]

    def stands(number: int, false: set[int]) -> bool:
        voids = [n for n, (kind, w) in facts.items() if kind == "void" and int(w["k"]) == number]
        return number not in false and not any(stands(n, false) for n in voids)

    results = set()
    # Each bit says which of a pair of sentences is false.
    for bits in range(2 ** len(pairs)):
        false = {pair[bits >> i & 1] for i, pair in enumerate(pairs)}

        counts = []
        for n, (kind, words) in facts.items():
            if kind == "sacks" and (words["g"], words["b"]) == (goods, town) and stands(n, false):
                corrections = [
                    int(w["n"]) for m, (other, w) in facts.items() if other == "correct" and int(w["k"]) == n and stands(m, false)
                ]
                assert len(corrections) < 2
                counts.append((words["a"], corrections[0] if corrections else int(words["n"])))
        if tally is None or sum(amount for _, amount in counts) == int(tally):
            ours = [amount for place, amount in counts if origin in (None, place)]
            results.add(f"{sum(ours)}, {len(ours)}")
    return only(results)
