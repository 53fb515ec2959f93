"""Data structures: search trees, heaps, caches, disjoint sets."""

from __future__ import annotations

import re

from prompt_solvers.parsing import after, between, integers, problem
from prompt_solvers.registry import prompt_solver

Tree = tuple  # (key, left, right), or () for none


def height(tree: Tree) -> int:
    return 1 + max(height(tree[1]), height(tree[2])) if tree else 0


def balanced(tree: Tree) -> Tree:
    """A node whose subtrees are balanced and whose heights differ by at most 2, rotated where they differ by 2."""
    key, left, right = tree
    if height(left) - height(right) == 2:
        if height(left[2]) > height(left[1]):
            left = (left[2][0], (left[0], left[1], left[2][1]), left[2][2])
        return (left[0], left[1], (key, left[2], right))
    if height(right) - height(left) == 2:
        if height(right[1]) > height(right[2]):
            right = (right[1][0], right[1][1], (right[0], right[1][2], right[2]))
        return (right[0], (key, left, right[1]), right[2])
    return tree


def changed(tree: Tree, command: str, key: int, avl: bool) -> Tree:
    """The tree after a key was inserted or removed."""
    finish = balanced if avl else (lambda node: node)
    if not tree:
        assert command == "insert"
        return (key, (), ())
    if key < tree[0]:
        return finish((tree[0], changed(tree[1], command, key, avl), tree[2]))
    if key > tree[0]:
        return finish((tree[0], tree[1], changed(tree[2], command, key, avl)))
    assert command == "remove"
    if not tree[1] or not tree[2]:
        return tree[1] or tree[2]
    following = tree[2]
    while following[1]:
        following = following[1]
    return finish((following[0], tree[1], changed(tree[2], "remove", following[0], avl)))


@prompt_solver("avl_rotations")
def solve_avl_rotations(prompt: str) -> str:
    text = problem(prompt)
    avl = "as an AVL tree" in text
    assert avl or "never rebalanced" in text
    tree: Tree = ()
    for command, key in re.findall(r"\b(insert|remove) (\d+)", after(text, "commands in order:")):
        tree = changed(tree, command, int(key), avl)
    preorder = lambda node: [node[0], *preorder(node[1]), *preorder(node[2])] if node else []  # noqa: E731
    return ", ".join(map(str, preorder(tree)))


@prompt_solver("heap_operations")
def solve_heap_operations(prompt: str) -> str:
    text = problem(prompt)
    sign = 1 if "keeps its smallest number" in text else -1
    assert sign == 1 or "keeps its largest number" in text or "keeps its greatest number" in text
    ways = int(re.search(r"are the places (\d)i \+ 1", text)[1])  # type: ignore[index]
    made = re.search(r"made of the array \[(.*?)\]: the places from the last to place 0 are sunk", text)
    heap = [sign * number for number in integers(made[1])] if made else []

    def rise(i: int) -> None:
        while i and heap[i] < heap[(i - 1) // ways]:
            heap[i], heap[(i - 1) // ways] = heap[(i - 1) // ways], heap[i]
            i = (i - 1) // ways

    def sink(i: int) -> None:
        while children := [c for c in range(ways * i + 1, ways * i + ways + 1) if c < len(heap)]:
            least = min(children, key=lambda c: heap[c])
            if heap[i] <= heap[least]:
                return
            heap[i], heap[least] = heap[least], heap[i]
            i = least

    for i in reversed(range(len(heap))):
        sink(i)
    for step in re.findall(r"^\d+\. (.*)$", text, re.MULTILINE):
        numbers = [sign * number for number in integers(step)]
        if step.startswith("push"):
            heap.append(numbers[0])
            rise(len(heap) - 1)
        elif step == "pop":
            last = heap.pop()
            if heap:
                heap[0] = last
                sink(0)
        else:
            assert step.startswith("change"), step
            place = heap.index(numbers[0])
            heap[place] = numbers[1]
            rise(place)
            sink(place) if heap[place] == numbers[1] else None
    return ", ".join(str(sign * number) for number in heap)


def cheapest_evictions(text: str, room: int) -> str:
    """Forward over what the cache may hold (in capital letters if written), with the cheapest way to each."""
    prices = {key: int(price) for key, price in re.findall(r"\b([A-Z]) (\d+)", between(text, "Loading costs: ", "."))}
    back = int(between(text, "then it costs ", "."))
    ways = {"": (0, "")}
    for command, key in re.findall(r"^\d+\. (read|write) (\w)$", text, re.MULTILINE):
        after: dict[str, tuple[int, str]] = {}
        for held, (paid, gone) in ways.items():
            inside = key in held.upper()
            for out in held if len(held) == room and not inside else [""]:
                left = held.replace(out, "") if out else held
                left = left if inside else left + key.lower()
                left = left.replace(key.lower(), key) if command == "write" else left
                name = "".join(sorted(left, key=str.upper))
                total = paid + (0 if inside else prices[key]) + back * (out != "" and out.isupper())
                if name not in after or total < after[name][0]:
                    after[name] = (total, gone + out.upper())
        ways = after
    return " ".join(min(ways.values())[1])


@prompt_solver("lru_cache")
def solve_lru_cache(prompt: str) -> str:
    text = problem(prompt)
    room = int(between(text, "has room for ", " key"))
    if "and you choose which" in text:
        return cheapest_evictions(text, room)
    policy = between(text, "a key is evicted first: ", "\n")
    first_in = policy.startswith("the one that was put into the cache first")
    least_often = policy.startswith("the one that was used least often")
    assert first_in or least_often or policy.startswith("the one that was used longest ago")
    cache: dict[str, str] = {}
    entered: dict[str, int] = {}
    used: dict[str, list[int]] = {}
    reads = []

    def evict() -> None:
        order = (lambda k: (entered[k],)) if first_in else (lambda k: (len(used[k]) if least_often else 0, used[k][-1]))
        victim = min(cache, key=order)
        del cache[victim]

    for time, step in enumerate(re.findall(r"^\d+\. (.*)$", text, re.MULTILINE)):
        command, key, *value = step.split()
        if command == "room":
            room = int(key)
            while len(cache) > room:
                evict()
        elif command == "remove":
            cache.pop(key, None)
        elif command == "read":
            reads.append(cache.get(key, "-"))
            if key in cache:
                used[key].append(time)
        else:
            assert command == "write"
            if key not in cache:
                if len(cache) >= room:
                    evict()
                entered[key], used[key] = time, []
            cache[key] = value[0]
            used[key].append(time)
    return " ".join(reads + [f"{key}={cache[key]}" for key in sorted(cache)])


@prompt_solver("union_find_state")
def solve_union_find_state(prompt: str) -> str:
    text = problem(prompt)
    size = int(between(text, "The numbers 1 to ", " "))
    parent = {n: n for n in range(1, size + 1)}
    rank = dict.fromkeys(parent, 0)

    def root(n: int) -> int:
        path = [n]
        while parent[path[-1]] != path[-1]:
            path.append(parent[path[-1]])
        return path[-1]

    def find(n: int) -> int:
        top = root(n)
        if "point directly to the root" in text:
            while parent[n] != top:
                parent[n], n = top, parent[n]
        elif "make it point to its parent's parent" in text:
            while parent[n] != n:
                parent[n] = parent[parent[n]]
                n = parent[n]
        return top

    def carry_out(command: str) -> None:
        roots = [find(int(n)) for n in command.split()[1:]]
        if len(roots) == 1 or roots[0] == roots[1]:
            return
        a, b = roots
        if "root with fewer numbers" in text:
            sizes = [sum(root(n) == top for n in parent) for top in (a, b)]
            a, b = (b, a) if sizes[0] > sizes[1] else (a, b)
        elif "root of lower rank" in text:
            a, b = (b, a) if rank[a] > rank[b] else (a, b)
            rank[b] += rank[a] == rank[b]
        else:
            assert "Otherwise the root of a is made to point to the root of b." in text
        parent[a] = b

    commands = re.findall(r"^(?:\d+\. )?(find \d+|join \d+ \d+)$", text, re.MULTILINE)
    if "In which order can the commands have been carried out?" in text:
        goal = dict(zip(parent, integers(between(text, "in this order, point to ", ".")), strict=True))
        seen = set()

        def is_possible() -> bool:
            """In one tree, what a number will point to is above it."""
            above = {n: [n] for n in parent}
            for path in above.values():
                while parent[path[-1]] != path[-1]:
                    path.append(parent[path[-1]])
            return all(above[n][-1] != above[goal[n]][-1] or goal[n] in above[n][1:] or n == goal[n] == parent[n] for n in parent)

        def search(order: list[int]) -> list[int] | None:
            if len(order) == len(commands):
                return order if parent == goal else None
            key = (frozenset(order), *parent.values(), *rank.values())
            if key in seen or not is_possible():
                return None
            seen.add(key)
            saved = dict(parent), dict(rank)
            for i in range(len(commands) - 1, -1, -1):
                if i not in order:
                    carry_out(commands[i])
                    found = search([*order, i])
                    parent.update(saved[0])
                    rank.update(saved[1])
                    if found:
                        return found
            return None

        return ", ".join(str(i + 1) for i in search([]) or [])
    for command in commands:
        carry_out(command)
    return ", ".join(str(parent[n]) for n in range(1, size + 1))
