"""The steps of a task about a text, written twice: with Python's own tools, and character by character."""

from __future__ import annotations


def plain(text: str, *, clean: str, cut: str, rewrite: str, keep: str, merge: str, order: str, tie: str, take: str, tell: str) -> object:
    import itertools
    import re

    if clean == "backspace":
        while "#" in text:
            text = re.sub("^#|[^#]#", "", text, count=1)
    elif clean == "brackets":
        while re.search(r"\([^()]*\)", text):
            text = re.sub(r"\([^()]*\)", "", text)
        text = text.replace(")", "").split("(")[0]
    elif clean == "pairs":
        while re.search(r"(.)\1", text):
            text = re.sub(r"(.)\1", "", text, count=1)
    if cut == "letters":
        pieces = re.findall("[A-Za-z]+", text)
    elif cut == "spaces":
        pieces = [piece for piece in text.split(" ") if piece]
    elif cut == "commas":
        pieces = text.split(",")
    elif cut == "runs":
        pieces = ["".join(group) for _, group in itertools.groupby(text)]
    elif cut == "blocks":
        pieces = [text[i : i + 3] for i in range(0, len(text), 3)]
    else:
        pieces = re.findall("[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+", text)
    if rewrite == "reverse":
        pieces = [piece[::-1] for piece in pieces]
    elif rewrite == "lower":
        pieces = [piece.lower() for piece in pieces]
    elif rewrite == "rotate":
        pieces = [piece[1:] + piece[:1] for piece in pieces]
    elif rewrite == "squeeze":
        pieces = [re.sub(r"(.)\1+", r"\1", piece) for piece in pieces]
    elif rewrite == "vowels":
        pieces = [re.sub("[aeiouAEIOU]", "", piece) for piece in pieces]
    elif rewrite == "ends":
        pieces = [piece[-1] + piece[1:-1] + piece[0] if len(piece) > 1 else piece for piece in pieces]
    elif rewrite == "counted":
        pieces = [re.sub(r"(.)\1+", lambda match: match[1] + str(len(match[0])), piece) for piece in pieces]
    if keep == "long":
        pieces = [piece for piece in pieces if len(piece) >= 2]
    elif keep == "short":
        pieces = [piece for piece in pieces if len(piece) <= 2]
    elif keep == "upper":
        pieces = [piece for piece in pieces if not re.search("[A-Z]", piece)]
    elif keep == "vowel":
        pieces = [piece for piece in pieces if re.search("[aeiouAEIOU]", piece)]
    elif keep == "twice":
        pieces = [piece for piece in pieces if len(set(piece)) == len(piece)]
    elif keep == "palindrome":
        pieces = [piece for piece in pieces if piece != piece[::-1]]
    elif keep == "rising":
        pieces = [piece for piece in pieces if list(piece) == sorted(piece)]
    if merge == "first":
        pieces = list(dict.fromkeys(pieces))
    elif merge == "last":
        pieces = list(dict.fromkeys(pieces[::-1]))[::-1]
    elif merge == "once":
        pieces = [piece for piece in pieces if pieces.count(piece) == 1]
    elif merge == "neighbours":
        pieces = [piece for piece, _ in itertools.groupby(pieces)]
    if order != "" and tie == "back":
        pieces.reverse()
    if order != "" and tie == "letters":
        pieces.sort()
    if order == "length":
        pieces.sort(key=lambda piece: -len(piece))
    elif order == "alphabet":
        pieces.sort()
    elif order == "vowels":
        pieces.sort(key=lambda piece: -sum(letter in "aeiouAEIOU" for letter in piece))
    elif order == "ending":
        pieces.sort(key=lambda piece: piece[-1:])
    elif order == "distinct":
        pieces.sort(key=lambda piece: len(set(piece)))
    if take == "three":
        pieces = pieces[:3]
    elif take == "second":
        pieces = pieces[::2]
    elif take == "inner":
        pieces = pieces[1:-1]
    elif take == "half":
        pieces = pieces[: (len(pieces) + 1) // 2]
    if tell == "joined":
        return "-".join(pieces)
    if tell == "initials":
        return "".join(piece[:1] for piece in pieces)
    if tell == "lengths":
        return [len(piece) for piece in pieces]
    if tell == "counts":
        return [(piece, pieces.count(piece)) for piece in dict.fromkeys(pieces)]
    if tell == "steps":
        return sum(one < other for one, other in itertools.pairwise(pieces))
    if tell == "weight":
        return sum((i + 1) * len(piece) for i, piece in enumerate(pieces))
    if tell == "longest":
        return max(reversed(pieces), key=len, default=None)
    return pieces


def swift(text: str, *, clean: str, cut: str, rewrite: str, keep: str, merge: str, order: str, tie: str, take: str, tell: str) -> object:
    stack: list[str] = []
    depth = 0
    for letter in text:
        if clean == "backspace" and letter == "#":
            if stack:
                stack.pop()
        elif clean == "brackets" and letter in "()":
            depth += 1 if letter == "(" else -min(depth, 1)
        elif clean == "pairs" and stack and stack[-1] == letter:
            stack.pop()
        elif depth == 0:
            stack.append(letter)

    def sort_of(letter: str) -> int:
        return 0 if "a" <= letter <= "z" or "A" <= letter <= "Z" else 1 if "0" <= letter <= "9" else 2

    pieces: list[str] = []
    piece = ""
    for letter in stack:
        ends = False
        if cut == "runs":
            ends = piece != "" and piece[-1] != letter
        elif cut == "blocks":
            ends = len(piece) == 3
        elif cut == "classes":
            ends = piece != "" and sort_of(piece[-1]) != sort_of(letter)
        elif cut == "letters":
            ends = sort_of(letter) > 0
        elif cut == "spaces":
            ends = letter == " "
        else:
            ends = letter == ","
        if ends:
            pieces.append(piece)
            piece = ""
        if cut in ("runs", "blocks", "classes") or not ends:
            piece += letter
    pieces.append(piece)
    if cut != "commas":
        pieces = [one for one in pieces if one]

    kept: list[str] = []
    for piece in pieces:
        made = ""
        count = 0
        for i, letter in enumerate(piece):
            if rewrite == "reverse":
                made = letter + made
            elif rewrite == "lower":
                made += letter.lower()
            elif rewrite == "rotate":
                made += piece[(i + 1) % len(piece)]
            elif rewrite == "squeeze":
                made += letter if i == 0 or piece[i - 1] != letter else ""
            elif rewrite == "vowels":
                made += letter if letter not in "aeiouAEIOU" else ""
            elif rewrite == "ends":
                made += piece[-1] if i == 0 else piece[0] if i == len(piece) - 1 else letter
            elif rewrite == "counted":
                count += 1
                if i + 1 == len(piece) or piece[i + 1] != letter:
                    made += letter + (str(count) if count > 1 else "")
                    count = 0
            else:
                made += letter
        good = True
        if keep == "long":
            good = len(made) > 1
        elif keep == "short":
            good = len(made) < 3
        elif keep == "upper":
            good = not any("A" <= letter <= "Z" for letter in made)
        elif keep == "vowel":
            good = any(letter in "aeiouAEIOU" for letter in made)
        elif keep == "twice":
            good = all(made.count(letter) == 1 for letter in made)
        elif keep == "palindrome":
            good = any(made[i] != made[len(made) - 1 - i] for i in range(len(made)))
        elif keep == "rising":
            good = all(made[i - 1] <= made[i] for i in range(1, len(made)))
        if merge == "neighbours" and good:
            good = not kept or kept[-1] != made
        if merge == "first" and good:
            good = made not in kept
        if merge == "last" and good and made in kept:
            kept.remove(made)
        if good:
            kept.append(made)
    if merge == "once":
        kept = [one for i, one in enumerate(kept) if one not in kept[:i] and one not in kept[i + 1 :]]

    keyed = []
    for i, piece in enumerate(kept):
        first: object = 0
        if order == "length":
            first = -len(piece)
        elif order == "alphabet":
            first = piece
        elif order == "vowels":
            first = -len([letter for letter in piece if letter.lower() in "aeiou"])
        elif order == "ending":
            first = ord(piece[-1]) if piece else -1
        elif order == "distinct":
            first = len(dict.fromkeys(piece))
        second: object = i
        if order != "" and tie == "back":
            second = -i
        elif order != "" and tie == "letters":
            second = piece
        keyed.append((first, second, piece))
    if order != "":
        keyed.sort()
    last: list[str] = []
    for i, (_, _, piece) in enumerate(keyed):
        if take == "three" and i > 2:
            continue
        if take == "second" and i % 2 == 1:
            continue
        if take == "inner" and (i == 0 or i == len(keyed) - 1):
            continue
        if take == "half" and 2 * i >= len(keyed):
            continue
        last.append(piece)

    total, longest = 0, None
    counts: dict[str, int] = {}
    lengths = []
    line = ""
    for i, piece in enumerate(last):
        if tell == "steps":
            total += i > 0 and piece > last[i - 1]
        elif tell == "weight":
            total += (i + 1) * len(piece)
        elif tell == "joined":
            line += "-" + piece if i > 0 else piece
        elif tell == "initials":
            line += piece[0] if piece else ""
        counts[piece] = counts.get(piece, 0) + 1
        lengths.append(len(piece))
        if longest is None or len(piece) >= len(longest):
            longest = piece
    if tell == "list":
        return last
    if tell == "lengths":
        return lengths
    if tell == "counts":
        return list(counts.items())
    if tell == "longest":
        return longest
    if tell in ("joined", "initials"):
        return line
    return total
