"""Stable pairings of two sides with preference lists: the best for one side, and all of them."""

from __future__ import annotations

from collections.abc import Iterator

Lists = tuple[tuple[int, ...], ...]
"""For each of one side, those of the other side from the most to the least wanted."""


def gale_shapley(askers: Lists, answerers: Lists) -> dict[int, int]:
    """The stable pairing that is best for the askers (Gale-Shapley)."""
    holds: dict[int, int] = {}
    waiting, place = list(range(len(askers)))[::-1], [0] * len(askers)
    while waiting:
        proposer = waiting.pop()
        if place[proposer] == len(askers[proposer]):
            continue
        other = askers[proposer][place[proposer]]
        place[proposer] += 1
        if other not in holds or answerers[other].index(proposer) < answerers[other].index(holds[other]):
            if other in holds:
                waiting.append(holds[other])
            holds[other] = proposer
        else:
            waiting.append(proposer)
    return {first: second for second, first in holds.items()}


def rotations(students: Lists, mentors: Lists, matching: dict[int, int]) -> Iterator[dict[int, int]]:
    """The pairings after one rotation, in which each student of a ring moves to the next mentor who prefers this student."""
    by_mentor = {j: i for i, j in matching.items()}
    next_mentor: dict[int, int] = {}
    for i, j in matching.items():
        later = students[i][students[i].index(j) + 1 :]
        # A mentor who stays alone in one stable pairing does so in all: nobody may go on past such a one.
        better = (k for k in later if k not in by_mentor or mentors[k].index(i) < mentors[k].index(by_mentor[k]))
        following = next(better, None)
        if following in by_mentor:
            next_mentor[i] = following
    seen = set[int]()
    for start in sorted(next_mentor):
        walk = [start]
        while walk[-1] in next_mentor and len(set(walk)) == len(walk):
            walk.append(by_mentor[next_mentor[walk[-1]]])
        if len(set(walk)) < len(walk):
            ring = walk[walk.index(walk[-1]) : -1]
            if ring[0] not in seen:
                seen.update(ring)
                yield {**matching, **{i: next_mentor[i] for i in ring}}


def all_by_rotations(students: Lists, mentors: Lists) -> list[dict[int, int]]:
    """All stable pairings, from the best for the students on."""
    found = [gale_shapley(students, mentors)]
    for matching in found:
        found += [after for after in rotations(students, mentors, matching) if after not in found]
    return found


def all_by_backtracking(students: Lists, mentors: Lists) -> Iterator[dict[int, int]]:
    """All stable pairings in which everybody has a partner, student by student; two pairs that block are not followed."""

    def block(i: int, j: int, k: int, m: int) -> bool:
        """Whether one of two students and the mentor of the other would both rather have each other."""
        one = students[i].index(m) < students[i].index(j) and mentors[m].index(i) < mentors[m].index(k)
        return one or (students[k].index(j) < students[k].index(m) and mentors[j].index(k) < mentors[j].index(i))

    waiting: list[dict[int, int]] = [{}]
    while waiting:
        matching = waiting.pop()
        i = len(matching)
        if i == len(students):
            yield matching
            continue
        free = [j for j in students[i] if j not in matching.values() and not any(block(i, j, k, m) for k, m in matching.items())]
        waiting += [{**matching, i: j} for j in reversed(free)]


def sum_of_places(students: Lists, mentors: Lists, matching: dict[int, int]) -> int:
    """The places, from 1, that all partners have on each other's lists."""
    return sum(students[i].index(j) + mentors[j].index(i) + 2 for i, j in matching.items())
