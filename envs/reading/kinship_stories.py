"""Tell how people are related who are only linked through others, in a family described in single sentences."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.facts import Bank, passage, read_statements, sample_filler, score_parts
from rlgym.generators.relations.kinship import BASIC, BLOOD, CLOSE, FAR, FAR_RULES, MARRIED, RULES, WIDE, WIDE_RULES, Kin
from rlgym.generators.text import english
from rlgym.generators.text.names import invent
from rlgym.solutions import Checks, Derivation, Solution, Step

NEAR = Step("{a} is the {word} of {b}.")
SO = Step("So what {a} is to {b} is: {word}.")
BANK = Bank("""
mother: {a} is the mother of {b}. | The mother of {b} is {a}. | {b} has {a} as a mother. | {a} gave birth to {b}.
father: {a} is the father of {b}. | The father of {b} is {a}. | {b} has {a} as a father. | {b} calls {a} father.
son: {a} is a son of {b}. | One of the children of {b} is a son called {a}. | {b} has a son called {a}.
son: {b} is a parent of a boy called {a}.
daughter: {a} is a daughter of {b}. | One of the children of {b} is a daughter called {a}. | {b} has a daughter called {a}.
daughter: {b} is a parent of a girl called {a}.
husband: {a} is the husband of {b}. | {b} took {a} as her husband. | The husband of {b} is {a}. | {b} is married to a man called {a}.
wife: {a} is the wife of {b}. | {b} took {a} as his wife. | The wife of {b} is {a}. | {b} is married to a woman called {a}.
brother: {a} is a brother of {b}. | {b} grew up with a brother called {a}. | {b} has a brother called {a}. | {a} is the name of a brother of {b}.
sister: {a} is a sister of {b}. | {b} grew up with a sister called {a}. | {b} has a sister called {a}. | {a} is the name of a sister of {b}.
""")


class Knobs(Config):
    people: int = knob(12, easy=5, hard=34, doc="people of the family")
    relations: str = knob("wide", easy="close", hard="far", order=("close", "wide", "far"), doc="what relations are requested")


class Person(TaskData):
    name: str
    woman: bool
    born: int  # the couple whose child this is
    makes: int  # the couple that this person is half of; 0 of none


class Data(TaskData):
    people: tuple[Person, ...]
    pairs: tuple[tuple[str, str], ...]
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, children=4)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Few children and many generations, stated mostly by who married whom and who grew up with whom."""
    return _sample_task(rng, knobs, children=2)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the prompt; couples are put together from the sentences, in which every one says that two couples are the same.
    same: dict[tuple[str, str], tuple[str, str]] = {}

    def couple(role: str, name: str) -> tuple[str, str]:
        key = role, name
        while same.get(key, key) != key:
            key = same[key]
        return key

    for _, (kind, gaps) in read_statements(task.prompt, BANK):
        a, b = gaps["a"], gaps["b"]
        roles = {"father": ("makes", "born"), "mother": ("makes", "born"), "son": ("born", "makes"), "daughter": ("born", "makes")}
        roles |= {"husband": ("makes", "makes"), "wife": ("makes", "makes"), "brother": ("born", "born"), "sister": ("born", "born")}
        first, second = roles[kind]
        same[couple(first, a)] = couple(second, b)
    opening, question = task.prompt.partition("\n\n")[0], task.prompt.rpartition("\n\n")[2]
    women, men = (opening.rpartition(lead)[2].partition(".")[0].replace(" and ", ", ").split(", ") for lead in ("Women: ", "Men: "))
    pairs = [line.partition(") What is ")[2].rstrip("?").split(" to ") for line in question.split("\n") if ") What is " in line]

    def born(name: str) -> object:
        return couple("born", name)

    def makes(name: str) -> object:
        return couple("makes", name)

    kin = Kin([*women, *men], born, makes)
    return tuple(kin.word(a, b, a in women) for a, b in pairs)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    names = {person.name: person for person in task.data.people}
    kin = _kin(task.data)
    swapped = tuple(kin.word(b, a, names[b].woman) for a, b in task.data.pairs)
    every = [pair for pair in BLOOD.values() if right[-1] in pair] + [pair for pair in MARRIED.values() if right[-1] in pair]
    sex = next((word for word in every[0] if word != right[-1]), "aunt")
    return [swapped, (*right[:-1], sex), right[::-1], right[:-1], (*right[:-1], "cousin"), (*right[:-1], "uncle")]


def cost(task: Task[Data]) -> float:
    weights = dict.fromkeys(CLOSE, 2) | dict.fromkeys(WIDE, 4) | dict.fromkeys(FAR, 7)
    return float(len(task.data.people) * sum(weights[word] for word in task.data.answer))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    women = {person.name: person.woman for person in data.people}
    for (a, b), word in zip(data.pairs, data.answer):
        for person, kind, relative in _shortest_path(data, b, a):
            yield NEAR(a=relative, word=BASIC[kind][women[relative]], b=person)
        yield SO(a=a, b=b, word=word)


def checks(task: Task[Data]) -> Checks:
    data, kin = task.data, _kin(task.data)
    women = {person.name: person.woman for person in data.people}
    path, pairs_left = list[str](), list(data.pairs)

    def is_near(a: str, word: str, b: str) -> bool:
        kinds = [kind for kind, words in BASIC.items() if words[women[a]] == word]
        if b != (path[-1] if path else pairs_left[0][1]) or not kinds or a not in _relatives(data, b, kinds[0]):
            return False
        path.append(a)
        return True

    def is_word(a: str, b: str, word: str) -> bool:
        if (a, b) != pairs_left[0] or path[-1] != a or kin.word(a, b, women[a]) != word:
            return False
        path.clear()
        pairs_left.pop(0)
        return True

    return {SO: is_word, NEAR: is_near}


def _kin(data: Data) -> Kin:
    names = {person.name: person for person in data.people}
    return Kin(list(names), lambda name: names[name].born, lambda name: names[name].makes or name)


def _relatives(data: Data, name: str, kind: str) -> list[str]:
    person = next(person for person in data.people if person.name == name)
    match kind:
        case "parent":
            return [other.name for other in data.people if other.makes == person.born]
        case "child":
            return [other.name for other in data.people if other.born == person.makes]
        case "spouse":
            return [other.name for other in data.people if person.makes and other.makes == person.makes and other != person]
    return [other.name for other in data.people if other.born == person.born and other != person]


def _shortest_path(data: Data, start: str, goal: str) -> list[tuple[str, str, str]]:
    """A shortest way of near relations from one person to another."""
    predecessors: dict[str, tuple[str, str]] = {start: ("", "")}
    waiting = [start]
    for name in waiting:
        for kind in BASIC:
            for other in _relatives(data, name, kind):
                if other not in predecessors:
                    predecessors[other] = name, kind
                    waiting.append(other)
    path, at = list[tuple[str, str, str]](), goal
    while at != start:
        before, kind = predecessors[at]
        path.append((before, kind, at))
        at = before
    return path[::-1]


def _family(rng: Rng, names: Sequence[str], children: int) -> list[Person]:
    """People from the eldest couple on: children are born to couples that have room for them, or somebody marries in."""
    first = rng.chance(0.5)
    people = [Person(name=name, woman=woman, born=k + 1, makes=3) for k, (name, woman) in enumerate(zip(names, (first, not first)))]
    room, couples = {3: children}, 3
    for name in names[2:]:
        single = [person for person in people if not person.makes]
        open_ = [couple for couple, places_left in room.items() if places_left]
        if single and (not open_ or rng.chance(0.5)):
            partner = rng.choice(single[: 1 + len(single) // 2])
            couples += 2
            people[people.index(partner)] = partner.model_copy(update={"makes": couples})
            people.append(Person(name=name, woman=not partner.woman, born=couples - 1, makes=couples))
            room[couples] = children
        else:
            couple = rng.choice(open_)
            room[couple] -= 1
            people.append(Person(name=name, woman=rng.chance(0.5), born=couple, makes=0))
    return people


def _sample_task(rng: Rng, knobs: Knobs, children: int) -> Task[Data]:
    while True:
        people = _family(rng, [noun[:-1].title() for noun in invent(rng, knobs.people)], children)
        data = Data(people=tuple(people), pairs=(), answer=())
        names, kin = [person.name for person in people], _kin(data)
        allowed = {"close": CLOSE, "wide": WIDE, "far": FAR}[knobs.relations]
        pairs = dict[str, list[tuple[str, str]]]()
        for a in people:
            for b in names:
                if b != a.name and (word := kin.word(a.name, b, a.woman)):
                    pairs.setdefault(word, []).append((a.name, b))
        fits = [word for word in pairs if word in allowed] or [word for word in pairs if word in WIDE]
        if len(fits) >= min(3, knobs.people // 4 + 1):
            break
    words = rng.sample(fits, min(3, len(fits)))
    while len(words) < 3:
        words.append(rng.choice(list(pairs)))
    pairs_asked = [rng.choice(pairs[word]) for word in words]
    statements, linked, waiting = list[str](), [names[0]], names[1:]
    near = {(name, kind): _relatives(data, name, kind) for name in names for kind in BASIC}
    while waiting:  # one sentence links each person to somebody who is linked already
        name = waiting.pop(0)
        links = [(relative, kind) for relative in linked for kind in BASIC if name in near[relative, kind]]
        if not links:
            waiting.append(name)
            continue
        quiet = [link for link in links if link[1] in ("sibling", "spouse")]
        relative, kind = rng.choice(quiet if quiet and (children < 3 or rng.chance(0.3)) else links)
        linked.append(name)
        statements.append(_phrase_relation(rng, people, name, kind, relative))
    towns = stories.places(rng, 4)
    statements = rng.shuffled([*statements, *sample_filler(rng, knobs.people // 3, towns, stories.people(rng, 5))])
    women, men = (
        [person.name for person in sorted(people, key=lambda person: person.name) if person.woman == woman] for woman in (True, False)
    )
    offered, rules = set(CLOSE), RULES
    if not offered.issuperset(words):
        offered, rules = offered | {*WIDE}, rules + WIDE_RULES
    if not offered.issuperset(words):
        offered, rules = offered | {*FAR}, rules + FAR_RULES
    questions = "\n".join(f"({k}) What is {a} to {b}?" for k, (a, b) in enumerate(pairs_asked, 1))
    prompt = (
        f"{rules}\nWomen: {english.join_words(women)}.\nMen: {english.join_words(men)}.\n\n{passage(rng, statements)}\n\n"
        f"Answer each question with one of these words: {', '.join(sorted(offered))}.\n{questions}"
    )
    return Task(prompt, data.model_copy(update={"pairs": tuple(pairs_asked), "answer": tuple(words)}))


def _phrase_relation(rng: Rng, people: Sequence[Person], name: str, kind: str, relative: str) -> str:
    """That one is of this kind to the other, said from either side."""
    woman = {person.name: person.woman for person in people}
    if rng.chance(0.5):
        back = {"parent": "child", "child": "parent"}.get(kind, kind)
        return BANK.say(rng, BASIC[back][woman[relative]], a=relative, b=name)
    return BANK.say(rng, BASIC[kind][woman[name]], a=name, b=relative)


environment = Environment(
    Knobs, Words("the three words in the order of the questions, separated by spaces", max_items=20, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}", checks=checks),
    concept="Draw the family couple by couple, with the children below each, and read off how many steps up and down lie between two people.",
    version=3,
)  # fmt: skip
