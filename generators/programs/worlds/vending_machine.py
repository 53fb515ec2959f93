"""A machine that sells: with its stock and credit as they change, and in another way."""

from __future__ import annotations

from typing import Any


def machine_plain(
    operations: list[tuple[Any, ...]],
    *,
    prices: tuple[int, ...],
    stock: int,
    coins: tuple[int, ...],
    most: int,
    change: bool,
    bonus: int,
    swallow: bool,
) -> list[int]:
    left = dict.fromkeys("abcd"[: len(prices)], stock)
    price = dict(zip("abcd", prices))
    credit, sales, answers = 0, 0, []
    for operation in operations:
        kind = operation[0]
        answer = 0
        if kind == "coin":
            if operation[1] not in coins:
                answer = -1
            elif most > 0 and credit + operation[1] > most:
                answer = -2
                if swallow:
                    answer, credit = most, most
            else:
                credit += operation[1]
                answer = credit
        elif kind == "buy":
            name = operation[1]
            if name not in left or left[name] == 0:
                answer = -1
            else:
                due = price[name]
                if bonus > 0 and sales % bonus == bonus - 1:
                    due = due // 2
                if credit < due:
                    answer = -2
                else:
                    left[name] -= 1
                    sales += 1
                    credit -= due
                    answer = credit
                    if change:
                        credit = 0
        elif kind == "cancel":
            answer, credit = credit, 0
        else:
            answer = sum(left.values())
        answers.append(answer)
    return answers


def machine_swift(
    operations: list[tuple[Any, ...]],
    *,
    prices: tuple[int, ...],
    stock: int,
    coins: tuple[int, ...],
    most: int,
    change: bool,
    bonus: int,
    swallow: bool,
) -> list[int]:
    sold: list[str] = []
    paid, answers = 0, []

    def coin(value: int) -> int:
        nonlocal paid
        if all(value != one for one in coins):
            return -1
        if most > 0 and paid + value > most:
            if not swallow:
                return -2
            value = most - paid
        paid += value
        return paid

    def buy(name: str) -> int:
        nonlocal paid
        number = "abcd".find(name)
        if not 0 <= number < len(prices) or sold.count(name) >= stock:
            return -1
        due = prices[number]
        if bonus > 0 and (len(sold) + 1) % bonus == 0:
            due >>= 1
        if due > paid:
            return -2
        sold.append(name)
        rest = paid - due
        paid = 0 if change else rest
        return rest

    for operation in operations:
        if operation[0] == "coin":
            answers.append(coin(operation[1]))
        elif operation[0] == "buy":
            answers.append(buy(operation[1]))
        elif operation[0] == "cancel":
            answers.append(paid)
            paid = 0
        else:
            answers.append(stock * len(prices) - len(sold))
    return answers
