"""Rewriting, patches, tiles and superstrings."""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Iterator
from itertools import combinations

from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group


@prompt_solver("string_rewriting")
def solve_string_rewriting(prompt: str) -> str:
    word = group(r"Start with the string (\w+)", prompt)
    rules = re.findall(r"^\d+\. (\w+) -> (\w*)$", prompt, re.M)
    longest = 10**6
    if "in either direction" in prompt:
        pairs = re.findall(r"^\d+\. (\w+) <-> (\w+)$", prompt, re.M)
        rules, longest = [*pairs, *((b, a) for a, b in pairs)], int(group(r"may have more than (\d+) letters", prompt))
    if "shortest string that can be reached" in prompt:
        seen, stack = {word}, [word]
        while stack:
            here = stack.pop()
            for left, right in rules:
                # A look-ahead finds overlapping places, too.
                for place in (found.start() for found in re.finditer(f"(?={left})", here)):
                    after = here[:place] + right + here[place + len(left) :]
                    if after not in seen and len(after) <= longest:
                        seen.add(after)
                        stack.append(after)
        return min(seen, key=len)
    for _ in range(100_000):
        places = [(at, i) for i, (left, _) in enumerate(rules) for at in range(len(word)) if word.startswith(left, at)]
        if not places:
            return word
        if "the first rule in the list that applies anywhere" in prompt:
            at, rule = min(places, key=lambda place: (place[1], place[0]))
        elif "leftmost place of the string where any rule applies" in prompt:
            at, rule = min(places)
        elif "furthest to the right where any rule applies, and apply the last rule" in prompt:
            at, rule = max(places)
        else:
            raise ValueError("an unknown order of the rules")
        left, right = rules[rule]
        word = word[:at] + right + word[at + len(left) :]
    raise ValueError("the rules do not stop")


@prompt_solver("string_insertion_rules")
def solve_string_insertion_rules(prompt: str) -> str:
    word = group(r"Go through the string (\w+)", prompt)
    rules = re.findall(r"^\d+\. (\w+): insert (\w+)$", prompt, re.M)
    passes = re.search(r"do (\d+) passes in all", prompt)
    into = "continue at the first of the inserted letters" in prompt
    for number in range(int(passes[1]) if passes else 1):
        word, at = word[::-1] if number else word, 0
        while at < len(word):
            for left, inserted in rules:
                if word.startswith(left, at):
                    word = word[: at + len(left)] + inserted + word[at + len(left) :]
                    at += len(left) + (0 if into else len(inserted))
                    break
            else:
                at += 1
    return word


def hunks_of(patch: str) -> list[tuple[int | None, list[str], list[str]]]:
    """The pieces of a patch: the line where each begins in the old text if given, its old lines, and its new lines."""
    hunks = []
    for piece in re.split(r"^@@", patch, flags=re.M)[1:]:
        head, *lines = piece.rstrip("\n").split("\n")
        numbers = re.search(r"-(\d+),", head)
        old, new = ([line[1:] for line in lines if line[0] in kept] for kept in (" -", " +"))
        hunks.append((int(numbers[1]) - 1 if numbers else None, old, new))
    return hunks


def patched(text: list[str], hunks: list[tuple[int | None, list[str], list[str]]]) -> list[str]:
    """Applies the pieces of one patch, whose places are all in the text before it."""
    places = []
    for start, old, new in hunks:
        fits = [at for at in range(len(text) - len(old) + 1) if text[at : at + len(old)] == old and start in (None, at)]
        if len(fits) != 1:
            raise ValueError(f"a piece fits at {len(fits)} places")
        places.append((fits[0], old, new))
    for at, old, new in sorted(places, reverse=True):
        text = text[:at] + new + text[at + len(old) :]
    return text


@prompt_solver("diff_apply")
def solve_diff_apply(prompt: str) -> str:
    patches = re.split(r"^Patch \d+:\n", prompt.split("\n\n")[1] + "\n", flags=re.M)[1:]
    text = prompt.split("\n\n")[2].split("\n")[1:]
    if "What was the text before?" not in prompt:
        for patch in patches:
            text = patched(text, hunks_of(patch))
        return "\n".join(text)
    for patch in reversed(patches):
        swapped = patch.translate(str.maketrans("+-", "-+"))
        swapped = re.sub(r"^@@ \+(\S+) -(\S+) @@", r"@@ -\2 +\1 @@", swapped, flags=re.M)
        text = patched(text, hunks_of(swapped))
    return "\n".join(text)


@prompt_solver("post_correspondence")
def solve_post_correspondence(prompt: str) -> str:
    tiles = re.findall(r"^(\d+)\. (\w+) / (\w+)$", prompt, re.M)
    most = int(group(r"At most (\d+) tiles", prompt))
    queue: deque[tuple[str, str, tuple[str, ...]]] = deque([("", "", ())])
    seen = set()
    while queue:
        above, below, laid = queue.popleft()
        for number, top, bottom in tiles if len(laid) < most else []:
            one, two = above + top, below + bottom
            common = min(len(one), len(two))
            if one[:common] != two[:common]:
                continue
            one, two = one[common:], two[common:]
            if not one and not two:
                return " ".join((*laid, number))
            if (one, two) not in seen:
                seen.add((one, two))
                queue.append((one, two, (*laid, number)))
    raise ValueError("no row of tiles")


@prompt_solver("shortest_superstring")
def solve_shortest_superstring(prompt: str) -> str:
    words = re.split(", ", group(r"as a substring(?:, read forwards or backwards)?: (.+)", prompt))
    turned = "forwards or backwards" in prompt
    readings = {word: {word, word[::-1]} if turned else {word} for word in words}
    words = [w for w in readings if not any(w != v and any(r in v for r in readings[w]) for v in words)]
    if turned:
        words = [w for i, w in enumerate(words) if w[::-1] not in words[:i]]
    best: dict[tuple[frozenset[str], str], str] = {(frozenset([w]), r): r for w in words for r in readings[w]}
    for size in range(2, len(words) + 1):
        for chosen in map(frozenset, combinations(words, size)):
            for last in chosen:
                for reading in readings[last]:
                    joined = []
                    for before in chosen - {last}:
                        for end in readings[before]:
                            text = best[chosen - {last}, end]
                            overlap = next(k for k in range(len(reading), -1, -1) if text.endswith(reading[:k]))
                            joined.append(text + reading[overlap:])
                    best[chosen, reading] = min(joined, key=len)
    return min((text for (chosen, _), text in best.items() if len(chosen) == len(words)), key=len)


@prompt_solver("tag_system")
def solve_tag_system(prompt: str) -> str:
    deleted = re.search(r"deletes the first (\d+) letters", prompt)
    count = int(deleted[1]) if deleted else 1
    rules = {a: "" if b == "nothing" else b for a, b in re.findall(r"^([a-z]+): write ([a-z]+)$", prompt, re.M)}
    if "What is the first word?" in prompt:
        size, steps = int(group(r"first word has (\d+) letters", prompt)), int(group(r"after (\d+) steps?", prompt))
        for letters in itertools.product("ab", repeat=size):
            word = "".join(letters)
            for _ in range(steps):
                word = word[count:] + rules[word[:2]] if len(word) >= count else ""
            if word == group(r"steps the word is (\w+)", prompt):
                return "".join(letters)
    word, steps = group(r"The word is (\w+) at first", prompt), int(group(r"after (\d+) steps?", prompt))
    looked_at = len(next(iter(rules)))
    for _ in range(steps):
        word = word[count:] + rules[word[:looked_at]]
    return word


def found_rules(start: str, later: str, generations: int, letters: set[str]) -> Iterator[dict[str, str]]:
    """The words between are guessed image by image; the last must then be made of the images of letters, in order."""
    images = ["".join(image) for size in (1, 2, 3) for image in itertools.product(sorted(letters), repeat=size)]

    def fits(word: str, place: int, rules: dict[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
        if not word:
            yield place, rules
            return
        for size in (1, 2, 3):
            image = later[place : place + size]
            if len(image) == size and rules.get(word[0], image) == image:
                yield from fits(word[1:], place + size, {**rules, word[0]: image})

    def grown(word: str, left: int, place: int, rules: dict[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
        """Where in the last word the letters of a word end that grows on, with the rules chosen for them."""
        if left == 1:
            yield from fits(word, place, rules)
        elif not word:
            yield place, rules
        else:
            for image in [rules[word[0]]] if word[0] in rules else images:
                for after, more in grown(image, left - 1, place, {**rules, word[0]: image}):
                    yield from grown(word[1:], left, after, more)

    yield from (rules for place, rules in grown(start, generations, 0, {}) if place == len(later))


@prompt_solver("l_system")
def solve_l_system(prompt: str) -> str:
    if "The rules are not known" in prompt:
        start, later = group(r"initially (\w+)", prompt), group(r"After \d+ generations it is (\w+)", prompt)
        asked, after = group(r"How many letters (\w)", prompt), int(group(r"after (\d+) generations\?", prompt))
        names = set(re.findall(r"[A-Z]\b", group(r"of the letters (.*?) grows", prompt)))
        totals = set()
        for found in found_rules(start, later, int(group(r"After (\d+) generations it is", prompt)), names):
            if set(found) == names:
                word = start
                for _ in range(after):
                    word = "".join(found[letter] for letter in word)
                totals.add(word.count(asked))
        assert len(totals) == 1
        return str(totals.pop())
    rules = dict(re.findall(r"^(\w) becomes (\w+)$", prompt, re.M))
    word, generations = group(r"initially (\w+)", prompt), int(group(r"after (\d+) generations\?", prompt))
    letter, first = re.search(r"many letters (\w )?", prompt), re.search(r"among the first (\d+) letters", prompt)
    counted = letter[1].strip() if letter and letter[1] else "".join(rules)
    sizes, counts = [dict.fromkeys(rules, 1)], [{a: int(a in counted) for a in rules}]
    for _ in range(generations):
        for table in (sizes, counts):
            table.append({a: sum(table[-1][b] for b in rules[a]) for a in rules})
    if first is None:
        return str(sum(counts[-1][a] for a in word))
    left, total, depth = int(first[1]), 0, generations
    while left:
        for a in word:
            if sizes[depth][a] > left:
                word, depth = rules[a], depth - 1
                break
            left, total = left - sizes[depth][a], total + counts[depth][a]
        else:
            break
    return str(total)


@prompt_solver("dyck_completion")
def solve_dyck_completion(prompt: str) -> str:
    pairs = dict(re.findall(r"(\S) with (\S),", prompt))
    text = between(prompt, "without crossing:\n", "\n")
    if "The signs ' are quotation marks" in prompt:
        text = re.sub(r"'[^']*'", "", text)
    kept = "".join(c for c in text if c in pairs or c in pairs.values())
    while any(a + b in kept for a, b in pairs.items()):
        for a, b in pairs.items():
            kept = kept.replace(a + b, "")
    return "".join(pairs[c] for c in reversed(kept))


@prompt_solver("dyck_errors")
def solve_dyck_errors(prompt: str) -> str:
    text = between(prompt, "is not balanced:\n", "\n")
    kinds = re.findall(r"[(\[{<][)\]}>]", between(prompt, "of the kinds ", ". Do not"))
    best: dict[tuple[int, int], tuple[int, str]] = {(i, i): (0, "") for i in range(len(text) + 1)}
    for size in range(2, len(text) + 1, 2):
        for i in range(len(text) - size + 1):
            options = []
            for split in range(i + 2, i + size + 1, 2):
                (inner, shape), (outer, rest) = best[i + 1, split - 1], best[split, i + size]
                options += [
                    (inner + outer + (text[i] != kind[0]) + (text[split - 1] != kind[1]), kind[0] + shape + kind[1] + rest)
                    for kind in kinds
                ]
            best[i, i + size] = min(options)
    return best[0, len(text)][1]
