"""Questions about the totals of all choices, given as a list or as how often each total occurs."""

from __future__ import annotations


def summarize_totals(totals: list[int], *, ask: str, target: int) -> object:
    if ask == "most":
        return max(totals, default=None)
    if ask == "least":
        return min(totals, default=None)
    if ask == "ways":
        return len(totals)
    if ask == "best":
        return totals.count(max(totals, default=0))
    if ask == "different":
        return len(set(totals))
    if ask == "divisible":
        return len([total for total in totals if total % target == 0])
    if ask == "above":
        return min([total for total in totals if total > target], default=None)
    return min(sorted(totals), key=lambda total: abs(total - target), default=None)


def summarize_counts(counts: dict[int, int], *, ask: str, target: int) -> object:
    if ask == "ways":
        return sum(counts.values())
    if ask == "divisible":
        return sum(counts[total] for total in counts if total % target == 0)
    if ask == "different":
        return len(counts)
    chosen = None
    for total in counts:
        if chosen is None:
            chosen = total if ask != "above" or total > target else None
        elif ask == "least":
            chosen = min(chosen, total)
        elif ask == "above":
            chosen = total if target < total < chosen else chosen
        elif ask == "near":
            chosen = min((abs(total - target), total), (abs(chosen - target), chosen))[1]
        else:
            chosen = max(chosen, total)
    if ask == "best":
        return 0 if chosen is None else counts[chosen]
    return chosen


def added(counts: dict[int, int], more: dict[int, int], by: int) -> None:
    for total, ways in more.items():
        counts[total + by] = counts.get(total + by, 0) + ways
