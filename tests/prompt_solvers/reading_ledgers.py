"""Coins, variables, debts and reports that change hands or lose their force."""

from __future__ import annotations

import re

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, listed, matched, sentences

TRANSFERS = {
    "From {a}, {n} coins went to {b}": "give",
    "{a} gave {b} {n} coins": "give",
    "{b} got {n} coins from {a}": "give",
    "{n} coins changed hands from {a} to {b}": "give",
    "{a} gave {n} coins to each of the others": "all",
    "{a} went around and gave everybody else {n} coins": "all",
    "Each of the others got {n} coins from {a}": "all",
    "Everybody but {c} got {n} coins from {a}": "all",
    "What {b} had was doubled by {a}, coin by coin": "double",
    "{a} doubled what {b} had, out of {c}'s own purse": "double",
    "For each coin that {b} had, {a} gave {c} another one": "double",
    "{a} gave {b} as many coins as {c} already had": "double",
    "{b} got half of the coins of {a}": "half",
    "Half of what {a} had went to {b}": "half",
    "{a} split the coins that {c} had into two equal heaps and gave {b} one of them": "half",
    "{a} gave {b} exactly half of the coins that {c} had": "half",
    "{a} and {b} evened out what they had, so that both had the same": "share",
    "{a} and {b} pooled all they had, and each took half of it": "share",
    "{a} and {b} put their coins together and shared them equally": "share",
    "To end a quarrel, {a} and {b} pooled their coins and divided them equally": "share",
    "{a} gave back to {b} the last gift received from {c}": "return",
    "{a} paid back in full the last gift that {c} had received from {b}": "return",
    "{b} got back from {a} all coins of the last gift of {c} to {d}": "return",
    "{a} gave {b} exactly as many coins as the last gift of {c} to {d} had held": "return",
}


@prompt_solver("quantity_ledger")
def solve_quantity_ledger(prompt: str) -> str:
    purse = {name: int(count) for name, count in re.findall(r"([A-Z]\w+) (\d+)", group(r"at first: (.*?)\. Then", prompt))}
    gifts: dict[tuple[str, str], int] = {}

    def give(a: str, b: str, count: int) -> None:
        assert 0 <= count <= purse[a]
        purse[a] -= count
        purse[b] += count
        gifts[a, b] = count

    for sentence in sentences(prompt).values():
        found = matched(sentence, TRANSFERS)
        if found is None:
            assert not re.search(r"\d|coins|\bgift\b", sentence), sentence
            continue
        kind, words = found
        a, b, n = words["a"], words.get("b", ""), int(words.get("n", 0))
        if kind == "give":
            give(a, b, n)
        elif kind == "all":
            for other in purse:
                if other != a:
                    give(a, other, n)
        elif kind == "double":
            give(a, b, purse[b])
        elif kind == "half":
            assert purse[a] % 2 == 0
            give(a, b, purse[a] // 2)
        elif kind == "share":
            assert (purse[a] + purse[b]) % 2 == 0
            purse[a] = purse[b] = (purse[a] + purse[b]) // 2
        else:
            give(a, b, gifts[b, a])
    return ", ".join(str(purse[name]) for name in re.findall(r"[A-Z]\w+", group(r"How many coins do (.*) have at the end", prompt)))


ASSIGNMENTS = {
    "Set {a} to {n}": "{a} = {n}",
    "Let {a} be {n}": "{a} = {n}",
    "Store {n} in {a}": "{a} = {n}",
    "Copy the value of {b} into {a}": "{a} = {b}",
    "Set {a} to the value of {b}": "{a} = {b}",
    "Let {a} be equal to {b}": "{a} = {b}",
    "Set {a} to {b} plus {n}": "{a} = {b} + {n}",
    "Let {a} be {n} more than {b}": "{a} = {b} + {n}",
    "Take {b}, add {n}, and store the result in {a}": "{a} = {b} + {n}",
    "Set {a} to {b} minus {n}": "{a} = {b} - {n}",
    "Let {a} be {n} less than {b}": "{a} = {b} - {n}",
    "Take {b}, subtract {n}, and store the result in {a}": "{a} = {b} - {n}",
    "Set {a} to the total of {b} and {c}": "{a} = {b} + {c}",
    "Let {a} be the sum of {b} and {c}": "{a} = {b} + {c}",
    "Add {b} to {c}, and store the result in {a}": "{a} = {b} + {c}",
    "Exchange the values of {a} and {b}": "{a}, {b} = {b}, {a}",
    "The values of {a} and {b} are swapped": "{a}, {b} = {b}, {a}",
    "Swap {a} with {b}": "{a}, {b} = {b}, {a}",
    "If {c} is greater than {d}, set {a} to the value of {b}": "if {c} > {d}: {a} = {b}",
    "Copy the value of {b} into {a} if {c} is greater than {d}": "if {c} > {d}: {a} = {b}",
    "Set {a} to the value of {b}, but only if {c} is greater than {d}": "if {c} > {d}: {a} = {b}",
}


@prompt_solver("variable_tracking")
def solve_variable_tracking(prompt: str) -> str:
    program = []
    for line in listed(prompt).values():
        found = matched(line, ASSIGNMENTS)
        assert found or re.fullmatch(r"(if \w+ > \w+: )?\w+(, \w+)? = \w+(, \w+| [+-] \w+)?", line), line
        program.append(found[0].format(**found[1]) if found else line)
    values: dict[str, int] = {}
    code = compile("\n".join(program), "prompt", "exec")
    if unknown := re.search(r"Before line 1, (\w+) holds", prompt):
        more, less, third = re.findall(r"does (\w+) end greater than (\w+)\?.*that (\w+) can have", prompt)[0]
        count, best = 0, (-(10**9), 0)
        for start in range(100):
            values = {unknown[1]: start}
            exec(code, {"__builtins__": {}}, values)  # noqa: S102 -- only assignments and comparisons pass the assertion
            count += values[more] > values[less]
            best = max(best, (values[third], start))
        return f"{count}, {best[0]}, {best[1]}"
    exec(code, {"__builtins__": {}}, values)  # noqa: S102 -- only assignments and comparisons pass the assertion
    return ", ".join(str(values[name]) for name in re.findall(r"[a-z]+", group(r"final values of (.*)\?", prompt)) if name != "and")


MESSAGES = {
    "{p}, I promise to bring you the {x}": "promise",
    "You will get the {x} from me for sure, {p}": "promise",
    "{p}: the {x} is on me, I promise": "promise",
    "I will bring you the {x}, {p}, you have my word": "promise",
    "I no longer need the {x}; whoever owes me one is free": "release",
    "Forget the {x} that I was promised": "release",
    "I release whoever promised me the {x}": "release",
    "No {x} for me after all, so consider that promise gone": "release",
    "I have passed the {x} on to {p}, who takes over my promise": "pass",
    "{p} is responsible for the {x} now, not me: we have settled that": "pass",
    "{p} has taken the {x} off my hands, promise and all": "pass",
    "{p} will bring the {x} instead of me; we have agreed on it": "pass",
    "The {x} I owe goes to {p} instead, by common consent": "redirect",
    "Everybody agrees that I bring the {x} to {p} now and to nobody else": "redirect",
    "I will still bring the {x}, but to {p}, as we have all agreed": "redirect",
    "From now on I owe the {x} to {p}, as agreed": "redirect",
    "My {x} for the {y} of {p}: each of us takes over what the other owes": "trade",
    "{p} and I have traded the {x} for the {y}, each taking over the other promise": "trade",
    "{p} and I swap what we owe: the {x} from me for the {y}": "trade",
    "I take over the {y} from {p}, and {z} the {x} from me": "trade",
    "Perhaps I can bring you the {x}, {p}, but I promise nothing": "nothing",
    "No promises, {p}, but the {x} may turn up": "nothing",
    "{p}, I might find the {x} for you, if I have time": "nothing",
    "I will think about the {x}, {p}": "nothing",
    "I would love to have the {x} from you, {p}": "nothing",
    "{p}, bring me the {x}, please": "nothing",
    "{p}, could you bring me the {x}?": "nothing",
    "Will you see to the {x} for me, {p}?": "nothing",
    "{p}, could you bring me the {x}": "nothing",
}


@prompt_solver("dialogue_commitments")
def solve_dialogue_commitments(prompt: str) -> str:
    owed: dict[str, tuple[str, str]] = {}
    for line in listed(prompt).values():
        sender, text = line.split(": ", 1)
        found = matched(text, MESSAGES)
        assert found, text
        kind, words = found
        thing, person = words["x"], words.get("p", "")
        debtor, creditor = owed.get(thing, ("", ""))
        if kind == "promise" and thing not in owed:
            owed[thing] = (sender, person)
        elif kind == "release" and creditor == sender:
            del owed[thing]
        elif kind == "pass" and debtor == sender:
            owed[thing] = (person, creditor)
        elif kind == "redirect" and debtor == sender:
            owed[thing] = (sender, person)
        elif kind == "trade" and debtor == sender and owed.get(words["y"], ("", ""))[0] == person:
            owed[thing], owed[words["y"]] = (person, creditor), (sender, owed[words["y"]][1])
    things = re.findall(r"the (\w+)", group(r"In the end, who owes (.*?)\?", prompt))
    return " ".join(" ".join(owed.get(thing, ("nobody", "nobody"))) for thing in things)


REPORTS = {
    "By word of mouth, {s} said on day {d} that the {x} was {c}": "said without an oath",
    "{s} said in passing on day {d} that the {x} was {c}": "said without an oath",
    "Without being asked, {s} mentioned on day {d} that the {x} was {c}": "said without an oath",
    "On day {d}, {s} remarked that the {x} was {c}": "said without an oath",
    "On day {d}, {s} wrote down that the {x} was {c}": "written",
    "{s} put on paper on day {d} that the {x} was {c}": "written",
    "A note by {s} from day {d} says that the {x} was {c}": "written",
    "In a letter of day {d}, {s} wrote that the {x} was {c}": "written",
    "{s} took an oath on day {d} that the {x} was {c}": "sworn",
    "On day {d}, {s} swore that the {x} was {c}": "sworn",
    "Under oath, {s} said on day {d} that the {x} was {c}": "sworn",
    "That the {x} was {c} is what {s} swore on day {d}": "sworn",
    "From {t}, {s} learned on day {d} that the {x} was {c}": "heard from somebody else",
    "{s} only repeats what {t} said on day {d}, that the {x} was {c}": "heard from somebody else",
    "On day {d}, {s} heard from {t} that the {x} was {c}": "heard from somebody else",
    "{s} had it from {t} on day {d} that the {x} was {c}": "heard from somebody else",
    "From day {d} to day {e}, {s} was not to be believed": "false",
    "{s} told tales from day {d} to day {e}, and deserves no belief for that time": "false",
    "On all days from {d} to {e}, {s} was bribed to report falsely or at random": "false",
    "Nothing that {s} reported from day {d} to day {e} can be trusted": "false",
    "{s} no longer stood, from day {d} on, by anything reported earlier about the {x}": "withdrawn",
    "On day {d}, {s} took back all that {t} had reported about the {x} before": "withdrawn",
    "Day {d} saw {s} withdraw every earlier report about the {x}": "withdrawn",
    "All earlier reports of {s} about the {x} were withdrawn by {t} on day {d}": "withdrawn",
}


@prompt_solver("source_reliability")
def solve_source_reliability(prompt: str) -> str:
    ranking = re.search(r"believed in this order: (.*?)\.", prompt)
    order = re.findall(r"what was ([a-z ]+?)(?: counts most|, then| and last|$)", ranking[1]) if ranking else []
    found = {}
    for number, sentence in sentences(prompt).items():
        hit = matched(sentence, REPORTS)
        assert hit, sentence
        found[number] = (hit[0], hit[1] | {"number": str(number)}, int(hit[1]["d"]))
    lies = [(words["s"], day, int(words["e"])) for kind, words, day in found.values() if kind == "false"]
    withdrawn = [(words["s"], words["x"], day) for kind, words, day in found.values() if kind == "withdrawn"]
    answers = []
    for thing in re.findall(r"the (\w+)", group(r"What colours? (?:were|was) (.*?)\?", prompt)):
        valid = []
        for kind, words, day in found.values():
            if "c" not in words or words["x"] != thing:
                continue
            people = {words["s"], words.get("t")}
            if any(liar in people and first <= day <= last for liar, first, last in lies):
                continue
            if any((words["s"], thing) == (who, what) and day < when for who, what, when in withdrawn):
                continue
            valid.append((-order.index(kind) if order else 0, day, words["c"], words["number"]))
        best = max(valid)
        assert sum(entry[:2] == best[:2] for entry in valid) == 1
        answers += best[2:]
    return " ".join(answers)
