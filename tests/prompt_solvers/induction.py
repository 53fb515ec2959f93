"""Rules, concepts and operators found from examples by trying all of the kind that the prompt describes."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

import networkx as nx

from prompt_solvers.parsing import condition_and_event
from prompt_solvers.registry import prompt_solver
from prompt_solvers.row_operations import ROW_OPERATIONS
from prompt_solvers.templates import group, listed, only


def composed(prompt: str, operations: list[Callable], read: Callable[[str], object], write: Callable[[object], str]) -> str:
    """The output for the new input of all compositions of operations that fit the examples of a prompt."""
    inputs = [read(text) for text in re.findall(r"^Input \d+: (.*)$", prompt, re.M)]
    outputs = [read(text) for text in re.findall(r"^Output \d+: (.*)$", prompt, re.M)]
    most = 3 if "one, two or three of the operations" in prompt else 2 if "one or two of the operations" in prompt else 1
    state, goal = (*inputs, read(group(r"New input: (.*)", prompt))), tuple(outputs)
    layer, answers = {state}, set()
    times = 3 if "applying the same rule three times" in prompt else 2 if "applying the same rule twice" in prompt else 1
    if times > 1:
        for length in range(1, most + 1):
            for chain in product(operations, repeat=length):

                def apply(value: object, chain: tuple[Callable, ...] = chain) -> object:
                    for operation in chain:
                        value = operation(value)
                    return value

                values = list(inputs)
                for _ in range(times):
                    values = [apply(value) for value in values]
                if tuple(values) == goal:
                    answers.add(apply(state[-1]))
        return write(only(answers))
    for _ in range(most):
        layer = {tuple(map(operation, values)) for values in layer for operation in operations}
        answers |= {values[-1] for values in layer if values[:-1] == goal}
    return write(only(answers))


@prompt_solver("arc_1d")
def solve_arc_1d(prompt: str) -> str:
    operations = [ROW_OPERATIONS[line] for line in listed(prompt).values()]
    return composed(prompt, operations, lambda text: tuple(map(int, text)), lambda row: "".join(map(str, row)))


def sound_change(text: str) -> Callable[[str], str]:
    """The sound change that a line describes, as one substitution of a regular expression."""
    found = re.fullmatch(r"(\w) (?:becomes (\w)|is lost) ?(.*)", text)
    assert found, text
    places = {
        "between two vowels": "(?<=[aeiou]){}(?=[aeiou])",
        "at the beginning of the word": "^{}",
        "at the end of the word": "{}$",
        "after a vowel at the end of the word": "(?<=[aeiou]){}$",
        "everywhere": "{}",
    }
    before = re.fullmatch(r"before (\w)(?: or (\w))?", found[3])
    place = f"{{}}(?=[{before[1]}{before[2] or ''}])" if before else places[found[3]]
    return lambda word: re.sub(place.format(found[1]), found[2] or "", word)


@prompt_solver("sound_change_rules")
def solve_sound_change_rules(prompt: str) -> str:
    return composed(prompt, [sound_change(line) for line in listed(prompt).values()], str, str)


@prompt_solver("number_sequence_rule")
def solve_number_sequence_rule(prompt: str) -> str:
    terms = [int(number) for number in group(r"The sequence begins ([-\d, ]+)\.", prompt).split(", ")]
    count = int((re.search(r"Give the next (\d+) numbers", prompt) or [0, "1"])[1])
    bounds = {name: (int(low), int(high)) for name, low, high in re.findall(r"\b([xyzw]) from (-?\d+) to (-?\d+)", prompt)}
    second, linear = "y*a(n-2)" in prompt, "z*n" in prompt
    parities = (1, 0) if "for all odd n" in prompt else (None,)
    others = bounds["y"] if second else bounds["z"]

    def value(row: list[int], rule: tuple[int, int, int]) -> int:
        x, other, w = rule
        return x * row[-1] + other * (row[-2] if second else len(row) + 1) + w

    assert second != linear
    fitting = []
    for parity in parities:
        rules = []
        for x, other in product(range(bounds["x"][0], bounds["x"][1] + 1), range(others[0], others[1] + 1)):
            places = [n for n in range(3, len(terms) + 1) if parity in (None, n % 2)]
            constants = {terms[n - 1] - value(terms[: n - 1], (x, other, 0)) for n in places}
            rules += [(x, other, w) for w in constants if len(constants) == 1 and bounds["w"][0] <= w <= bounds["w"][1]]
        fitting.append(rules)
    answers = set()
    for chosen in product(*fitting):
        row = list(terms)
        for _ in range(count):
            rule = chosen[0] if len(chosen) == 1 or (len(row) + 1) % 2 else chosen[1]
            row.append(value(row, rule))
        answers.add(", ".join(map(str, row[-count:])))
    return only(answers)


@prompt_solver("symbol_operators_infer")
def solve_symbol_operators_infer(prompt: str) -> str:
    low, high = map(int, re.search(r"a and b are from (-?\d+) to (-?\d+)", prompt).groups())  # type: ignore[union-attr]
    products = (-1, 0, 1) if "c*p*q" in prompt else (0,)
    rules: dict[str, list[tuple[int, ...]]] = {}
    for sign in dict.fromkeys(re.findall(r"^-?\d+ (\S) -?\d+ = ", prompt, re.M)):
        known = [tuple(map(int, row)) for row in re.findall(rf"^(-?\d+) {re.escape(sign)} (-?\d+) = (-?\d+)$", prompt, re.M)]
        rules[sign] = []
        for a, b, c in product(range(low, high + 1), range(low, high + 1), products):
            constants = {value - a * p - b * q - c * p * q for p, q, value in known}
            rules[sign] += [(a, b, c, d) for d in constants if len(constants) == 1 and -9 <= d <= 9]
    tokens = re.findall(r"-?\d+|\S", group(r"What is (.*)\?", prompt))

    def value(chosen: dict[str, tuple[int, ...]]) -> int:
        rest = list(tokens)

        def operand() -> int:
            token = rest.pop(0)
            if token != "(":
                return int(token)
            inner = expression()
            rest.pop(0)
            return inner

        def expression() -> int:
            p = operand()
            if not rest or rest[0] == ")":
                return p
            a, b, c, d = chosen[rest.pop(0)]
            q = operand()
            return a * p + b * q + c * p * q + d

        return expression()

    used = [sign for sign in rules if sign in tokens]
    return str(only(value(dict(zip(used, chosen, strict=True))) for chosen in product(*(rules[sign] for sign in used))))


@prompt_solver("concept_learning_small")
def solve_concept_learning_small(prompt: str) -> str:
    lists = [line.split(", ") for line in re.findall(r"^- (.*)$", prompt.partition("A category is")[0], re.M)]
    examples = [(set(text.split(", ")), verdict == "yes") for text, verdict in re.findall(r"^\d+\. (.*): (yes|no)$", prompt, re.M)]
    new = {letter: set(text.split(", ")) for letter, text in re.findall(r"^([A-Z])\. (.*)$", prompt, re.M)}
    size = 3 if "a third property" in prompt else 2
    # Each way by the truth values of the properties, in order, for which a thing belongs.
    kinds = {
        "at least one of the two": lambda t: any(t),
        "exactly one of them": lambda t: sum(t) == 1,
        "both of them": lambda t: all(t),
        "the first but not the second": lambda t: t[0] and not t[1],
        "at least two of the three": lambda t: sum(t) > 1,
        "an odd number of them": lambda t: sum(t) % 2 == 1,
        "the second if it has the first, and the third if": lambda t: t[1] if t[0] else t[2],
    }
    allowed = [test for name, test in kinds.items() if name in prompt.split("Examples")[0]]
    answers = set()
    for several in permutations(lists, size):
        for words in product(*several):
            truths = [tuple(word in thing for word in words) for thing, _ in examples]
            for test in allowed:
                if all(test(truth) == verdict for truth, (_, verdict) in zip(truths, examples, strict=True)):
                    answers.add(frozenset(letter for letter, thing in new.items() if test(tuple(word in thing for word in words))))
    if size == 3:
        return " ".join(letter for letter in new if all(letter in answer for answer in answers))
    return " ".join(sorted(only(answers)))


@prompt_solver("boolean_function_learn")
def solve_boolean_function_learn(prompt: str) -> str:
    names = group(r"\n((?:[a-z] )+)verdict\n", prompt).split()
    rows = [(tuple(map(int, values.split())), verdict) for values, verdict in re.findall(r"^((?:[01] )+)(yes|no)$", prompt, re.M)]
    size = 3 if "one to three variables" in prompt else 2
    most = next(
        n for text, n in (("one to four terms", 4), ("one to three terms", 3), ("one or two terms", 2), ("one term", 1)) if text in prompt
    )
    yes, no = ([values for values, verdict in rows if verdict == word] for word in ("yes", "no"))
    terms = [
        tuple(zip(places, values, strict=True))
        for count in range(1, size + 1)
        for places in combinations(range(len(names)), count)
        for values in product((0, 1), repeat=count)
    ]
    terms = [term for term in terms if not any(all(row[i] == v for i, v in term) for row in no)]
    covers = {term: frozenset(k for k, row in enumerate(yes) if all(row[i] == v for i, v in term)) for term in terms}

    def search(left: frozenset[int], chosen: list) -> list | None:
        if not left:
            return chosen
        if len(chosen) == most:
            return None
        for term, covered in covers.items():
            if min(left) in covered and (found := search(left - covered, [*chosen, term])):
                return found
        return None

    formula = search(frozenset(range(len(yes))), []) or [terms[0]]
    return " or ".join(" ".join(("" if v else "!") + names[i] for i, v in term) for term in formula)


@prompt_solver("analogical_mapping")
def solve_analogical_mapping(prompt: str) -> str:
    stories = [[line.split() for line in listed(part).values()] for part in prompt.split("Second story:")]
    # People and verbs are nodes, and each fact a node with an arc to each of its three words.
    graphs = []
    for story in stories:
        graph = nx.DiGraph()
        for k, words in enumerate(story):
            graph.add_node(k, kind="fact")
            for role, word in zip(("subject", "verb", "object"), words, strict=True):
                graph.add_node(word, kind="verb" if role == "verb" else "person")
                graph.add_edge(k, word, role=role)
        graphs.append(graph)
    same = nx.algorithms.isomorphism.categorical_node_match("kind", None), nx.algorithms.isomorphism.categorical_edge_match("role", None)
    matcher = nx.algorithms.isomorphism.DiGraphMatcher(graphs[1], graphs[0], node_match=same[0], edge_match=same[1])
    mapping = next(matcher.subgraph_monomorphisms_iter())
    return "\n".join(f"{first}: {second}" for second, first in mapping.items() if isinstance(first, str))


PROPERTIES: dict[str, Callable[[list[int]], bool]] = {
    "two numbers side by side differ by 1": lambda row: any(abs(a - b) == 1 for a, b in pairwise(row)),
    "the first two add up to more than the last two": lambda row: sum(row[:2]) > sum(row[-2:]),
    "the largest number stands before the smallest": lambda row: row.index(max(row)) < row.index(min(row)),
    "the sum is even": lambda row: sum(row) % 2 == 0,
    "the sum is divisible by 3": lambda row: sum(row) % 3 == 0,
    "the largest number is odd": lambda row: max(row) % 2 == 1,
    "the first number is larger than the last": lambda row: row[0] > row[-1],
    "the largest number is more than twice the second number in the row": lambda row: max(row) > 2 * row[1],
    "some number is divisible by 5": lambda row: any(number % 5 == 0 for number in row),
    "the smallest number stands first or last": lambda row: min(row) in (row[0], row[-1]),
    "the second number is even": lambda row: row[1] % 2 == 0,
    "the third number is larger than the second": lambda row: row[2] > row[1],
}
FORMS: dict[str, Callable[..., bool]] = {
    "every item has property i": lambda p: p,
    "every item that has property i has property j": lambda p, q: not p or q,
    "every item has exactly one of the properties i and j": lambda p, q: p != q,
    "every item that has the properties i and j has property k": lambda p, q, r: not (p and q) or r,
}


@prompt_solver("outlier_rule")
def solve_outlier_rule(prompt: str) -> str:
    items = {name: [int(number) for number in row.split()] for name, row in re.findall(r"^([A-Z])\. ([\d ]+)$", prompt, re.M)}
    has = [{name: PROPERTIES[line](row) for name, row in items.items()} for line in listed(prompt).values()]
    count = int(group(r"Exactly (\d+) of these items", prompt))
    forms = [FORMS[line] for line in re.findall(r"^- (every .*)$", prompt, re.M)]
    answers = set()
    for form in forms:
        for chosen in permutations(has, form.__code__.co_argcount):
            broken = [name for name in items if not form(*(table[name] for table in chosen))]
            if len(broken) == count:
                answers.add(" ".join(broken))
    return only(answers)


@prompt_solver("causal_effect_query")
def solve_causal_effect_query(prompt: str) -> str:
    state = r"([A-Z]) is (on|off)"
    chances: dict[str, list[tuple[dict[str, bool], Fraction]]] = {}
    for name, chance, causes in re.findall(r"^- ([A-Z]) is on with probability (\S+?)(?: if (.*))?\.$", prompt, re.M):
        chances.setdefault(name, []).append(({cause: value == "on" for cause, value in re.findall(state, causes)}, Fraction(chance)))
    forced_text = group(r"(?:ensures that|from outside,) (.*?)(?:,? and changes|, no matter|, regardless|, whatever)", prompt)
    forced = {name: value == "on" for name, value in re.findall(state, forced_text)}
    given, event = condition_and_event(prompt[prompt.index(forced_text) + len(forced_text) :])
    totals = [Fraction(0), Fraction(0)]
    for values in product((True, False), repeat=len(chances)):
        world = dict(zip(chances, values, strict=True))
        weight = Fraction(1)
        for name, rows in chances.items():
            if name in forced:
                weight *= world[name] == forced[name]
            else:
                (chance,) = [chance for causes, chance in rows if all(world[cause] == value for cause, value in causes.items())]
                weight *= chance if world[name] else 1 - chance
        holds = [all(world[name] == (value == "on") for name, value in re.findall(state, text or "")) for text in (given, event)]
        totals[0] += weight * holds[0]
        totals[1] += weight * (holds[0] and holds[1])
    return str(totals[1] / totals[0])
