"""A pool of models with skills and prices, questions for them, and the least that answering all of them can cost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes
from rlgym.generators.services.records import Fact, Record

FIELDS = ("arithmetic", "law", "chemistry", "poetry", "code")
_NAMES = ("Amber", "Birch", "Cobalt", "Dune", "Ember", "Fjord", "Garnet", "Heron", "Ivy", "Jade")


class Model(NamedTuple):
    code: str
    skills: tuple[int, ...]  # the hardest question of each field that it answers, from 0
    price: int  # coins for a thousand tokens
    loading: int  # coins, once, when it is first used
    longest: int  # tokens of a question that it can read


class Question(NamedTuple):
    code: str
    field: int
    hardness: int
    tokens: int


def model(record: Record) -> Model:
    skills = tuple(record.number(field) for field in FIELDS)
    return Model(record.code, skills, record.number("price"), record.number("loading"), record.number("longest"))


def question(record: Record) -> Question:
    return Question(record.code, FIELDS.index(record.word("field")), record.number("hardness"), record.number("tokens"))


def able(model: Model, question: Question) -> bool:
    return model.skills[question.field] >= question.hardness and model.longest >= question.tokens


def price(model: Model, question: Question) -> int:
    """Every thousand tokens begun is paid for."""
    return -(-question.tokens // 1000) * model.price


def cost(models: Sequence[Model], asked: Sequence[Question], route: Sequence[tuple[str, str]]) -> int:
    """What it costs to send questions to models, by codes."""
    by_code = {model.code: model for model in models}
    questions = {question.code: question for question in asked}
    return sum(price(by_code[to], questions[what]) for what, to in route) + sum(
        by_code[to].loading for to in dict.fromkeys(to for _, to in route)
    )


def cheapest(models: Sequence[Model], questions: Sequence[Question]) -> tuple[int, list[tuple[str, str]]] | None:
    """The least cost of a route by which every question is answered, over all sets of models, and one such route."""
    best: tuple[int, list[tuple[str, str]]] | None = None
    # For each model what it takes for each question, or nothing where it fails.
    prices = [[price(model, question) if able(model, question) else 0 for question in questions] for model in models]
    for count in range(1, len(models) + 1):
        for chosen in combinations(range(len(models)), count):
            total = sum(models[i].loading for i in chosen)
            if best and total >= best[0]:
                continue
            route = []
            for place, what in enumerate(questions):
                fees = [(prices[i][place], i) for i in chosen if prices[i][place]]
                if not fees:
                    break
                fee, i = min(fees)
                total += fee
                route.append((what.code, models[i].code))
            if len(route) == len(questions) and (best is None or total < best[0]):
                best = total, route
    return best


class Pool(NamedTuple):
    records: tuple[Record, ...]
    questions: tuple[str, ...]
    budget: int


def pool(rng: Rng, models: int, questions: int, fields: int, boasts: float) -> Pool:
    """A pool in which sending each question to its own cheapest model is not the cheapest in all.

    A model's own card may boast; then a test shows the lower skill that counts.
    """
    while True:
        drawn_models = [_model(rng, name, fields) for name in rng.sample(_NAMES, models)]
        question_list = [_question(rng, code, fields) for code in codes(rng, questions, "Q")]
        best = cheapest(drawn_models, question_list)
        if best is None:
            continue
        greedy = [(what.code, _cheapest_for(drawn_models, what)) for what in question_list]
        if cost(drawn_models, question_list, greedy) > best[0] and len({to for _, to in best[1]}) > (models > 3):
            break
    records = []
    spare = codes(rng, models * len(FIELDS), "X")
    for model in drawn_models:
        claims: dict[str, Fact] = dict(zip(FIELDS, model.skills))
        for field in FIELDS[:fields]:
            if rng.chance(boasts):
                records.append(Record("test", spare.pop(), {"model": model.code, "field": field, "hardest solved": claims[field]}))
                claims[field] = min(9, int(str(claims[field])) + rng.integer(1, 3))
        records.append(Record("model", model.code, {**claims, "price": model.price, "loading": model.loading, "longest": model.longest}))
    records += [
        Record("question", what.code, {"field": FIELDS[what.field], "hardness": what.hardness, "tokens": what.tokens})
        for what in question_list
    ]
    return Pool(tuple(rng.shuffled(records)), tuple(what.code for what in question_list), best[0])


def _cheapest_for(models: Sequence[Model], question: Question) -> str:
    return min((price(model, question), model.code) for model in models if able(model, question))[1]


def _model(rng: Rng, name: str, fields: int) -> Model:
    level = rng.integer(2, 7)
    skills = tuple(min(9, max(0, level + rng.integer(-3, 3))) if place < fields else 0 for place in range(len(FIELDS)))
    return Model(name, skills, max(2, level * level // 3 + rng.integer(-2, 4)), rng.integer(4, 60), 1000 * rng.choice((4, 8, 16, 32)))


def _question(rng: Rng, code: str, fields: int) -> Question:
    return Question(code, rng.integer(0, fields - 1), rng.integer(1, 7), rng.integer(2, 80) * 100)
