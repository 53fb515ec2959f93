"""Ranked search over the pages of a library."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from rlgym.generators.corpus.world import Corpus, text, title

_WORD = re.compile(r"[a-z0-9]+")


@lru_cache(maxsize=64)
def rank_pages(library: Corpus, query: str) -> tuple[int, ...]:
    """The pages that hold a word of the query, the best first: those whose title holds all of its words, then by BM25.

    Scores are rounded and ties go by position, so that the order is the same on every machine.
    """
    scorer, known, titles = _index(library)
    words = _WORD.findall(query.lower())
    query_terms = [word for word in dict.fromkeys(words) if word in known]
    if not query_terms:
        return ()
    scores = [round(float(score), 2) for score in scorer.get_scores(query_terms)]
    full_matches = [all(word in title_words for word in words) for title_words in titles]
    return tuple(sorted((i for i, score in enumerate(scores) if score > 0), key=lambda i: (not full_matches[i], -scores[i], i)))


@lru_cache(maxsize=16)
def _index(library: Corpus) -> tuple[Any, frozenset[str], list[frozenset[str]]]:
    import bm25s

    pages = [_words(library, i) for i in range(len(library.pages))]
    scorer = bm25s.BM25(backend="numpy")
    scorer.index(pages, show_progress=False)
    titles = [frozenset(_WORD.findall(title(library, page).lower())) for page in library.pages]
    return scorer, frozenset(word for page in pages for word in page), titles


def _words(library: Corpus, i: int) -> list[str]:
    page = library.pages[i]
    parts = [title(library, page), *(text(library, page, number) for number in range(1, len(page.sections) + 1))]
    return _WORD.findall(" ".join(parts).lower())
