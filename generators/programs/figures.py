"""Conditions on integers, sequences that one integer leads to, and questions about them; computed by brute force and by a faster route.

The data of tasks name these functions by module and name, so they stay in one module.
"""

from __future__ import annotations


def holds_plain(n: int, *, name: str, number: int) -> bool:
    if name == "multiple":
        return n % number == 0
    if name == "sum":
        return sum(int(digit) for digit in str(n)) % number == 0
    if name == "has":
        return str(number) in str(n)
    if name == "ones":
        return bin(n).count("1") % number == 0
    if name == "rising":
        return list(str(n)) == sorted(str(n))
    if name == "mirror":
        digits = []
        while n > 0:
            digits.append(n % number)
            n //= number
        return digits == digits[::-1]
    if name == "prime":
        return n > 1 and all(n % d > 0 for d in range(2, n))
    if name == "divisors":
        return sum(n % d == 0 for d in range(1, n + 1)) % number == 0
    if name == "factors":
        return sum(n % d == 0 and all(d % e > 0 for e in range(2, d)) for d in range(2, n + 1)) == number
    if name == "free":
        return all(n % (d * d) > 0 for d in range(2, n + 1) if d * d <= n)
    if name == "coprime":
        return not any(n % d == 0 and number % d == 0 for d in range(2, number + 1))
    if name == "squares":
        return any(a * a + b * b == n for a in range(33) for b in range(a + 1))
    for _ in range(50):
        n = sum(int(digit) ** 2 for digit in str(n))
    return n == 1


def holds_swift(n: int, *, name: str, number: int) -> bool:
    from math import gcd, isqrt

    if name == "multiple":
        return n // number * number == n
    if name == "ones":
        count = 0
        while n > 0:
            n &= n - 1
            count += 1
        return count % number == 0
    if name in ("sum", "has", "rising", "happy", "mirror"):
        seen: list[int] = []
        while name == "happy" and n not in seen:
            seen.append(n)
            total = 0
            while n > 0:
                total += (n % 10) ** 2
                n //= 10
            n = total
        if name == "happy":
            return n == 1
        back, total, rest, last, found, rises = 0, 0, n, 9, False, True
        base = number if name == "mirror" else 10
        while rest > 0:
            digit = rest % base
            rest //= base
            back = back * base + digit
            total += digit
            found = found or digit == number
            rises = rises and digit <= last
            last = digit
        if name == "mirror":
            return back == n
        if name == "has":
            return found
        return total % number == 0 if name == "sum" else rises
    if name == "coprime":
        return gcd(n, number) == 1
    if name == "squares":
        return any(isqrt(n - a * a) ** 2 == n - a * a for a in range(isqrt(n) + 1))
    divisors, primes, square, rest, d = 1, 0, False, n, 2
    while rest > 1:
        if d * d > rest:
            d = rest
        power = 0
        while rest % d == 0:
            rest //= d
            power += 1
        divisors *= power + 1
        primes += power > 0
        square = square or power > 1
        d += 1
    if name == "prime":
        return divisors == 2
    if name == "divisors":
        return divisors % number == 0
    if name == "factors":
        return primes == number
    return not square


def joined(one: bool, other: bool, *, join: str) -> bool:
    if join == "and":
        return one and other
    if join == "or":
        return one or other
    if join == "but":
        return one and not other
    if join == "one":
        return one != other
    return one


def members_plain(
    low: int, high: int, *, first: str, a: int, join: str, second: str, b: int, and_then: str, third: str, c: int, tell: str, k: int
) -> object:
    found = []
    for n in range(low, high + 1):
        good = joined(holds_plain(n, name=first, number=a), holds_plain(n, name=second, number=b), join=join)
        if joined(good, holds_plain(n, name=third, number=c), join=and_then):
            found.append(n)
    if tell == "count":
        return len(found)
    if tell == "total":
        return sum(found)
    if tell == "largest":
        return max(found, default=None)
    if tell == "kth":
        return found[k - 1] if len(found) >= k else None
    if tell == "twins":
        return len([n for n in found if n + k in found])
    if tell == "gap":
        return max([found[i + 1] - found[i] for i in range(len(found) - 1)], default=0)
    if tell == "run":
        best = 0
        for n in found:
            length = 1
            while n + length in found:
                length += 1
            best = max(best, length)
        return best
    return sum(found[::2]) - sum(found[1::2])


def members_swift(
    low: int, high: int, *, first: str, a: int, join: str, second: str, b: int, and_then: str, third: str, c: int, tell: str, k: int
) -> object:
    count = total = run = best = twins = gap = signed = 0
    last = kth = None
    seen: set[int] = set()
    for n in range(low, high + 1):
        good = holds_swift(n, name=first, number=a)
        if join != "":
            good = joined(good, holds_swift(n, name=second, number=b), join=join)
        if and_then != "":
            good = joined(good, holds_swift(n, name=third, number=c), join=and_then)
        run = run + 1 if good else 0
        if not good:
            continue
        count += 1
        total += n
        signed += n if count % 2 == 1 else -n
        best = max(best, run)
        if last is not None:
            gap = max(gap, n - last)
        last = n
        if count == k:
            kth = n
        twins += n - k in seen
        seen.add(n)
    if tell == "count":
        return count
    if tell == "total":
        return total
    if tell == "largest":
        return last
    if tell == "kth":
        return kth
    if tell == "twins":
        return twins
    if tell == "gap":
        return gap
    return best if tell == "run" else signed


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


def next_of(x: int, *, by: int, down: str, times: int, plus: int, modulus: int, other: int) -> int:
    if other > 0 and x % other == 1:
        return (x * x + plus) % modulus
    if x % by == 0:
        return x // by if down == "part" else (x + plus) % modulus if down == "add" else int(str(x)[::-1]) % modulus
    return (x * times + plus) % modulus


def steps_plain(
    start: int, steps: int, *, by: int, down: str, times: int, plus: int, modulus: int, other: int, tell: str, k: int
) -> object:
    values = [start]
    for _ in range(steps):
        values.append(next_of(values[-1], by=by, down=down, times=times, plus=plus, modulus=modulus, other=other))
    if tell == "last":
        return values[-1]
    if tell == "different":
        return len(set(values))
    if tell == "total":
        return sum(values)
    if tell == "above":
        return sum(value > k for value in values)
    if tell == "again":
        return values.count(values[-1])
    return sum(value % k == 0 for value in values)


def steps_swift(
    start: int, steps: int, *, by: int, down: str, times: int, plus: int, modulus: int, other: int, tell: str, k: int
) -> object:
    place: dict[int, int] = {}
    values: list[int] = []
    x = start
    while x not in place and len(values) <= steps:
        place[x] = len(values)
        values.append(x)
        x = next_of(x, by=by, down=down, times=times, plus=plus, modulus=modulus, other=other)
    if len(values) > steps:
        head, cycle, whole, tail = values, list[int](), 0, list[int]()
    else:
        head, cycle = values[: place[x]], values[place[x] :]
        whole = (steps + 1 - len(head)) // len(cycle)
        tail = cycle[: (steps + 1 - len(head)) % len(cycle)]
    last = tail[-1] if tail else cycle[-1] if cycle else head[-1]
    if tell == "last":
        return last
    if tell == "different":
        return len(values)
    sums = []
    for some in (head, cycle, tail):
        found = 0
        for value in some:
            if tell == "total":
                found += value
            elif tell == "above":
                found += value > k
            elif tell == "again":
                found += value == last
            else:
                found += value % k == 0
        sums.append(found)
    return sums[0] + whole * sums[1] + sums[2]
