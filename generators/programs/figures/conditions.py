"""Conditions on an integer, tried by brute force and decided faster, and the numbers of a range that meet several."""

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
