"""How near a translation is to a reference, by shared n-grams: chrF, chrF++ and BLEU of one sentence.

The functions return shares in [0, 1] and agree with sacrebleu's scores of one sentence, which are in percent (`CHRF()`, `CHRF(word_order=2)`
and `BLEU(effective_order=True)`), on texts whose words are separated by spaces and touch no punctuation marks.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import exp, log

CHARACTERS = 6
"""Longest runs of characters in chrF."""
WORDS = 4
"""Longest runs of words in BLEU."""


def chrf(text: str, reference: str, words: int = 0, beta: float = 2.0) -> float:
    """F-beta of the mean precision and mean recall of runs of 1 to 6 characters, without spaces, and of 1 to `words` words.

    Lengths of which either text has no run are left out. From "chrF: character n-gram F-score for automatic MT evaluation" (Popovic, 2015);
    `words=2` is chrF++ ("chrF++: words helping character n-grams", 2017).
    """
    units: list[tuple[Sequence[str], Sequence[str], int]] = [("".join(text.split()), "".join(reference.split()), CHARACTERS)]
    units.append((text.split(), reference.split(), words))
    precisions, recalls = list[float](), list[float]()
    for ours, theirs, longest in units:
        for n in range(1, longest + 1):
            have, want = _runs(ours, n), _runs(theirs, n)
            if have and want:
                shared = (have & want).total()
                precisions.append(shared / have.total())
                recalls.append(shared / want.total())
    precision, recall = (sum(shares) / len(shares) if shares else 0.0 for shares in (precisions, recalls))
    total = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / total if total else 0.0


def bleu(text: str, reference: str) -> float:
    """Geometric mean of the precisions of runs of 1 to 4 words, times the brevity penalty, of one sentence.

    The k-th length without a shared run has the precision 1 / (2^k runs), and lengths of which the text has no run are left out. From "BLEU: a
    Method for Automatic Evaluation of Machine Translation" (Papineni et al., 2002), with the third smoothing of Chen and Cherry (2014).
    """
    ours, theirs = text.split(), reference.split()
    logarithms, unshared = list[float](), 0
    for n in range(1, min(WORDS, len(ours)) + 1):
        have = _runs(ours, n)
        shared = (have & _runs(theirs, n)).total()
        if not shared and n == 1:
            return 0.0
        unshared += not shared
        logarithms.append(log((shared or 0.5**unshared) / have.total()))
    if not logarithms:
        return 0.0
    return exp(sum(logarithms) / len(logarithms) + min(0.0, 1 - len(theirs) / len(ours)))


METRICS: Mapping[str, Callable[[str, str], float]] = {
    "chrf": chrf,
    "chrf++": lambda text, reference: chrf(text, reference, 2),
    "bleu": bleu,
}
"""Metrics by name; each takes a text and its reference."""


def _runs(units: Sequence[Hashable], n: int) -> Counter[tuple[Hashable, ...]]:
    """How often each run of n units occurs."""
    return Counter(tuple(units[at : at + n]) for at in range(len(units) - n + 1))
