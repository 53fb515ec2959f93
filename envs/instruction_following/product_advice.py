"""Advise a customer: recommend the one product that meets all wishes, and give for every other one a reason with its figure.

Any wish that a product breaks is a reason, so several texts are right. A figure that breaks no wish is no reason, and a second reason is too much.
"""

import re
from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.writing.composing import compose, grouped, in_words, write_sentence
from rlgym.rubrics import Check, Fact, FactSheet, Finding, Rubric, Term, checks, read_facts, rubric_of_facts
from rlgym.solutions import Derivation, Solution, Step

LAPTOPS = "Aster Birch Cedar Dahlia Erica Freesia Gentian Heather Iris Jasmine".split()
BIKES = "Arrow Bolt Cobra Dingo Eagle Fox Gecko Hawk Ibex Jackal".split()
PROPERTIES = {
    "price": (("price", "costs", "cost", "priced"), "euros"),
    "weight": (("weight", "weighs", "weigh", "heavy"), "grams"),
    "battery": (("battery", "charge", "charged"), "minutes"),
    "range": (("range", "reach", "distance"), "km"),
    "warranty": (("warranty", "warranted", "warranties"), "months"),
    "delivery": (("delivery", "delivered", "deliver"), "days"),
}
LOW = ("price", "weight", "delivery")
"""Properties of which less is better."""
SIZES = {"price": (300, 1800), "weight": (900, 3000), "battery": (120, 900), "range": (20, 180), "warranty": (12, 60), "delivery": (2, 40)}
RECOMMEND = ("recommend", "recommended", "recommendation", "suggest", "advise", "choice", "choose", "best")
REASONS = {
    "pick": (
        "I recommend the {p}.",
        "My recommendation is the {p}.",
        "The best choice for you is the {p}.",
        "I suggest that you take the {p}.",
    ),
    "price": (
        "The {p} has a price of {n} euros.",
        "The {p} costs {n} euros, which rules it out.",
        "At {n} euros, the price of the {p} is too high.",
    ),
    "weight": (
        "The {p} has a weight of {n} grams.",
        "The {p} weighs {n} grams, which rules it out.",
        "With its {n} grams, the weight of the {p} is too high.",
    ),
    "battery": (
        "The {p} has a battery for {n} minutes.",
        "The battery of the {p} lasts {n} minutes.",
        "After {n} minutes the battery of the {p} is empty.",
    ),
    "range": ("The {p} has a range of {n} km.", "The range of the {p} is {n} km.", "After {n} km the {p} has used up its range."),
    "warranty": (
        "The {p} has a warranty of {n} months.",
        "The warranty of the {p} ends after {n} months.",
        "With {n} months, the warranty of the {p} is too short.",
    ),
    "delivery": (
        "The {p} has a delivery time of {n} days.",
        "The {p} is delivered after {n} days.",
        "With {n} days, the delivery of the {p} takes too long.",
    ),
}  # fmt: skip
OPENINGS = ("I have compared the models for you.", "Thank you for your question.", "Here is my advice.")
CLOSINGS = ("I hope that this helps.", "Please tell me what you think.", "The others have their strengths too.")
BREAKS = Step("The {product} breaks the wish on {wish}: {figure:int}, and the limit is {limit:int}.")
CHOSEN = Step("The {product} breaks no wish.")


class Knobs(Config):
    products: int = knob(5, easy=3, hard=9, doc="products")
    wishes: int = knob(3, easy=2, hard=6, doc="wishes of the customer")
    relative: float = knob(0.4, easy=0.0, hard=1.0, doc="share of wishes that compare with another product's figure")


class Wish(TaskData):
    property: str
    limit: int


class Row(TaskData):
    product: str
    figures: dict[str, int]


class Data(TaskData):
    sheet: FactSheet
    rows: tuple[Row, ...]
    wishes: tuple[Wish, ...]
    pick: str
    most_words: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, LAPTOPS, "laptops", ("price", "weight", "battery", "warranty", "delivery"))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Electric bikes, whose range counts, and wishes in the opposite order of the columns."""
    return _sample_task(rng, knobs, BIKES, "bikes", ("delivery", "warranty", "range", "weight", "price"))


def solve(task: Task[Data]) -> str:
    return _written(task.prompt, 0)


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    # Reasons are free to choose, so no fact but the recommendation is required and none is too much by itself.
    shared = rubric_of_facts(data.sheet, ["recommendation"], data.most_words)
    criteria = [each for each in shared.criteria if each.name != "nothing else"]
    own = (Check(name="one reason each", test=lambda text: _reasons(data, text)), checks.no_other_mentions(data.sheet))
    return Rubric((*criteria, *own)).score(answer)


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    other = next(row.product for row in data.rows if row.product != data.pick)
    sentences = re.split(r"(?<=\.)\s+", right)
    number = re.search(r"\d+", right)
    changed = right.replace(number[0], str(int(number[0]) + 1), 1) if number else ""
    reasons = [text for text in sentences if re.search(r"\d", text)]
    fine = f"{right} The {data.pick} has a price of {next(row.figures['price'] for row in data.rows if row.product == data.pick)} euros."
    return [
        right.replace(data.pick, other),
        changed,
        " ".join(text for text in sentences if text not in reasons[:1]),
        fine,
        " ".join(reasons),
        task.prompt,
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    compared = task.prompt.count("than the")
    return float(len(data.rows) * (2 + 2 * len(data.wishes)) + 4 * compared)


def derive(task: Task[Data]) -> Derivation:
    for row in task.data.rows:
        broken = _broken(row.figures, task.data.wishes)
        if broken:
            yield BREAKS(product=row.product, wish=broken[0].property, figure=row.figures[broken[0].property], limit=broken[0].limit)
        else:
            yield CHOSEN(product=row.product)


def _reasons(data: Data, text: str) -> Finding:
    """Whether each product that is not recommended has exactly one reason."""
    stated = read_facts(data.sheet, text).stated
    counts = {row.product: 0 for row in data.rows if row.product != data.pick}
    for name, places in stated.items():
        product = name.partition(" of ")[2]
        if product in counts:
            counts[product] += len(places)
    wrong = [product for product, count in counts.items() if count != 1]
    return Finding(float(not wrong), f"the {wrong[0]} does not have exactly one reason" if wrong else "")


def _broken(figures: dict[str, int], wishes: tuple[Wish, ...]) -> list[Wish]:
    return [
        wish for wish in wishes if (figures[wish.property] > wish.limit if wish.property in LOW else figures[wish.property] < wish.limit)
    ]


def _sample_task(rng: Rng, knobs: Knobs, names: list[str], noun: str, columns: tuple[str, ...]) -> Task[Data]:
    products = rng.sample(names, knobs.products)
    while True:
        rows = [Row(product=name, figures={each: rng.integer(*SIZES[each]) for each in columns}) for name in products]
        properties = rng.sample(columns, min(len(columns), knobs.wishes))
        wishes, texts = list[Wish](), list[str]()
        for each in properties:
            wish, text = _wish(rng, rows, each, rng.chance(knobs.relative))
            wishes.append(wish)
            texts.append(text)
        fits = [row for row in rows if not _broken(row.figures, tuple(wishes))]
        values = [value for row in rows for value in row.figures.values()]
        if len(fits) == 1 and len(set(values)) == len(values):
            break
    pick = fits[0].product
    facts = [Fact(name="recommendation", terms=(Term(aliases=RECOMMEND), Term(aliases=(pick,))), keys=1)]
    for row in rows:
        for wish in _broken(row.figures, tuple(wishes)):
            cue = Term(aliases=PROPERTIES[wish.property][0])
            terms = (Term(aliases=(row.product,)), cue, Term(aliases=(str(row.figures[wish.property]),)))
            facts.append(Fact(name=f"{wish.property} of {row.product}", terms=terms, keys=2))
    words = [*((row.product,) for row in rows), *(PROPERTIES[each][0] for each in columns), RECOMMEND]
    sheet = FactSheet(facts=tuple(facts), vocabulary=tuple(Term(aliases=tuple(each)) for each in words))
    most = 14 * len(rows) + 40
    header = f"{'':<9}" + "".join(f"{f'{each} ({PROPERTIES[each][1]})':>20}" for each in columns)
    table = "\n".join([header, *(f"{row.product:<9}" + "".join(f"{row.figures[each]:>20}" for each in columns) for row in rows)])
    prompt = (
        f"A shop has these {noun}:\n\n{table}\n\nA customer has these wishes:\n" + "\n".join(f"- {text}" for text in texts) + "\n\n"
        "Write your advice. One sentence recommends the only model that meets all wishes, and has no figure. Each other model gets exactly one sentence with "
        "a reason against it: one figure of the table that breaks a wish, with the name of the model and what the figure is. Such a sentence mentions no "
        "other model or figure. Other sentences are allowed, but they have no models, properties or figures. "
        f"Write at most {most} words of plain text, without lists."
    )
    return Task(prompt, Data(sheet=sheet, rows=tuple(rows), wishes=tuple(wishes), pick=pick, most_words=most))


def _wish(rng: Rng, rows: list[Row], each: str, relative: bool) -> tuple[Wish, str]:
    low, unit = each in LOW, PROPERTIES[each][1]
    values = sorted((row.figures[each] for row in rows), reverse=not low)
    limit = values[rng.integer(len(values) // 2, len(values) - 1)]
    if not relative:
        return Wish(property=each, limit=limit), f"{each}: at {'most' if low else 'least'} {limit} {unit}"
    row, step = rng.choice(rows), rng.integer(2, max(3, SIZES[each][1] // 8))
    limit = row.figures[each] - step if (low and rng.chance(0.5)) or (not low and rng.chance(0.3)) else row.figures[each] + step
    gap, side = abs(limit - row.figures[each]), "more" if limit > row.figures[each] else "less"
    return Wish(property=each, limit=limit), f"{each}: at {'most' if low else 'least'} {gap} {unit} {side} than the {row.product}"


def _written(prompt: str, key: int) -> str:
    """Advice, from what the prompt shows: the wishes strike out model after model."""
    rng, (_, table_text, wishes_text, *_) = Rng("advice", key, prompt), prompt.split("\n\n")
    lines = table_text.split("\n")
    columns = re.findall(r"(\w+) \(\w+\)", lines[0])
    figures = {name: dict(zip(columns, map(int, cells))) for name, *cells in map(str.split, lines[1:])}
    against: dict[str, list[str]] = {name: [] for name in figures}
    for each, bound, number, side, other in re.findall(r"- (\w+): at (most|least) (\d+) \w+(?: (more|less) than the (\w+))?", wishes_text):
        limit = int(number)
        if other:
            limit = figures[other][each] + (limit if side == "more" else -limit)
        for name, own in figures.items():
            if (own[each] > limit) if bound == "most" else (own[each] < limit):
                against[name].append(each)
    number_text = (str, grouped, in_words)[key % 3]
    sentences = list[str]()
    for name, reasons in against.items():
        if reasons:
            reason = rng.choice(reasons)
            sentences.append(write_sentence(rng, REASONS, reason, p=name, n=number_text(figures[name][reason])))
        else:
            sentences.insert(0, write_sentence(rng, REASONS, "pick", p=name))
    return compose(rng, rng.shuffled(sentences) if key else sentences, OPENINGS, CLOSINGS)


def _solutions(task: Task[Data]) -> Iterator[str]:
    yield from (_written(task.prompt, key) for key in range(1, 6))


environment = Environment(
    Knobs, Passage("the advice"), generate, solve, verify, mistakes, cost,
    shift=shift, answers="many", solutions=_solutions, solution=Solution(derive, "So this advice is right:\n{answer}"),
    concept="Turn every wish into a limit first; strike out the models that break one, and keep the figure that does.",
)  # fmt: skip
