"""Numbers of a range whose digits follow rules: one by one, and digit by digit."""

from __future__ import annotations


def digits_plain(
    low: int, high: int, *, modulus: int, rest: int, banned: int, least: int, most: int, even: bool, divisor: int, tell: str
) -> object:
    found = []
    for n in range(low, high + 1):
        digits = [int(digit) for digit in str(n)]
        if modulus > 0 and sum(digits) % modulus != rest:
            continue
        if banned in digits or (even and len(digits) % 2 == 1):
            continue
        steps = [abs(digits[i] - digits[i + 1]) for i in range(len(digits) - 1)]
        if any(step < least or step > most for step in steps):
            continue
        if divisor > 0 and n % divisor != 0:
            continue
        found.append(n)
    if tell == "count":
        return len(found)
    if tell == "total":
        return sum(found)
    return max(found, default=None) if tell == "largest" else min(found, default=None)


def digits_swift(
    low: int, high: int, *, modulus: int, rest: int, banned: int, least: int, most: int, even: bool, divisor: int, tell: str
) -> object:
    from functools import cache

    @cache
    def after(left: int, last: int, total: int, residue: int) -> tuple[int, int]:
        # How many ways there are to write `left` more digits, and their sum.
        if left == 0:
            good = (modulus == 0 or total == rest) and residue == 0
            return (1, 0) if good else (0, 0)
        ways = added = 0
        for digit in range(10):
            if digit != banned and least <= abs(digit - last) <= most:
                total_now = (total + digit) % modulus if modulus > 0 else 0
                residue_now = (residue * 10 + digit) % divisor if divisor > 0 else 0
                more, value = after(left - 1, digit, total_now, residue_now)
                ways += more
                added += value + more * digit * 10 ** (left - 1)
        return ways, added

    def below(end: int) -> tuple[int, int]:
        # How many valid integers from 0 to end - 1 there are, and their sum.
        count = value = 0
        text = str(end)
        for length in range(1, len(text) + 1):
            if even and length % 2 == 1:
                continue
            start, last, total, residue = 0, -1, 0, 0
            for place in range(length):
                limit = int(text[place]) if length == len(text) else 10
                for digit in range(1 if place == 0 and length > 1 else 0, limit):
                    if digit != banned and (last < 0 or least <= abs(digit - last) <= most):
                        total_now = (total + digit) % modulus if modulus > 0 else 0
                        residue_now = (residue * 10 + digit) % divisor if divisor > 0 else 0
                        ways, added = after(length - place - 1, digit, total_now, residue_now)
                        count += ways
                        value += added + ways * (start * 10 + digit) * 10 ** (length - place - 1)
                if length < len(text):
                    break
                digit = limit
                if digit == banned or (last >= 0 and not least <= abs(digit - last) <= most):
                    break
                total = (total + digit) % modulus if modulus > 0 else 0
                residue = (residue * 10 + digit) % divisor if divisor > 0 else 0
                start, last = start * 10 + digit, digit
        return count, value

    if low > high:
        return 0 if tell in ("count", "total") else None
    before, upto = below(low), below(high + 1)
    if tell == "count":
        return upto[0] - before[0]
    if tell == "total":
        return upto[1] - before[1]
    if upto[0] == before[0]:
        return None
    wanted = upto[0] if tell == "largest" else before[0] + 1
    at, end = low, high
    while at < end:
        middle = (at + end) // 2
        if below(middle + 1)[0] >= wanted:
            end = middle
        else:
            at = middle + 1
    return at
