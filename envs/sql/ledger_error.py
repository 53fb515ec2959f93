"""Find the one misprinted amount in a ledger of several accounts, and say what it must have been."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

ACCOUNTS = ("cash", "rent", "stock", "wages", "tax", "loan", "fuel", "paper")
AGREES = Step(
    "Line {number:int}: from the last printed balance of {account}, {before:int}, the amounts add up to {sum:int}; {before} + {sum} = {reached:int}, as printed"
)
DIFFERS = Step(
    "Line {number:int}: from the last printed balance of {account}, {before:int}, the amounts add up to {sum:int}; {before} + {sum} = {reached:int}, but "
    "{balance:int} is printed"
)
REPAIR = Step("The balances are right, so the amount of line {number:int} is off by {short:int}: {amount:int} + {short} = {right:int}")
END = "The line and its right amount are {answer}"


class Knobs(Config):
    lines: int = knob(10, easy=4, hard=60, doc="lines of the ledger")
    accounts: int = knob(3, easy=1, hard=8, doc="accounts, whose lines are mixed")
    hidden: int = knob(20, easy=0, hard=60, doc="percent of the balances that are not printed")


class Line(TaskData):
    account: str
    amount: int
    balance: int | None


class Data(TaskData):
    opening: int
    lines: tuple[Line, ...]
    wrong: int
    amount: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, grouped=False)


def _sample_task(rng: Rng, knobs: Knobs, grouped: bool) -> Task[Data]:
    accounts = rng.sample(ACCOUNTS, knobs.accounts)
    opening = rng.integer(20, 90) * 100
    order = [rng.choice(accounts) for _ in range(knobs.lines)]
    order = sorted(order, key=accounts.index) if grouped else order
    last = {account: i for i, account in enumerate(order)}
    balances, lines = dict.fromkeys(accounts, opening), []
    for i, account in enumerate(order):
        amount = rng.integer(11, 999) * rng.choice((1, -1))
        balances[account] += amount
        printed = last[account] == i or rng.integer(1, 100) > knobs.hidden
        lines.append(Line(account=account, amount=amount, balance=balances[account] if printed else None))
    # A line can be identified only if the balances before and after it are printed, its own and the account's line before.
    candidates = [i for i in range(knobs.lines) if lines[i].balance is not None and _printed_before(lines, i)]
    wrong = rng.choice(candidates) if candidates else last[order[0]]
    if not candidates:  # too much is hidden: print every balance of that account
        lines, wrong = _printed_lines(lines, order[wrong], opening), wrong
    right = lines[wrong].amount
    lines[wrong] = lines[wrong].model_copy(update={"amount": _misprint(rng, right)})
    return Task(_render_prompt(opening, lines), Data(opening=opening, lines=tuple(lines), wrong=wrong + 1, amount=right))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Ledgers in which the lines of each account stand together."""
    return _sample_task(rng, knobs, grouped=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # From the printed text: account by account, from one printed balance to the next.
    rows = [line.split(" | ") for line in task.prompt.split("\n\n")[1].split("\n")[1:]]
    known: dict[str, int] = {}
    open_since: dict[str, list[tuple[int, int]]] = {}
    for number, account, amount, balance in rows:
        since = open_since.setdefault(account, [])
        since.append((int(number), int(amount)))
        if balance != "?":
            start = known.get(account, task.data.opening)
            if start + sum(value for _, value in since) != int(balance):
                line = since[-1][0]
                return line, int(balance) - start - sum(value for _, value in since[:-1])
            known[account], open_since[account] = int(balance), []
    raise AssertionError("every ledger has one misprint")


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != 2:
        return Score.wrong("give two integers: the number of the line, and the amount it should have")
    if answer[0] != task.data.wrong:
        return Score.wrong("the balances agree with the amount of that line")
    return Score.exact(answer[1] == task.data.amount, "with that amount the balances still do not agree")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    line, amount = right
    printed = task.data.lines[line - 1].amount
    return [(line, printed), (line, -amount), (line, abs(amount - printed)), (line + 1, amount)]


def cost(task: Task[Data]) -> float:
    return len(task.data.lines) * (1 + len({line.account for line in task.data.lines}) / 8)


def derive(task: Task[Data]) -> Derivation:
    known, since = dict.fromkeys((line.account for line in task.data.lines), task.data.opening), dict[str, int]()
    for number, line in enumerate(task.data.lines, 1):
        since[line.account] = since.get(line.account, 0) + line.amount
        if line.balance is None:
            continue
        before, total = known[line.account], since[line.account]
        reached, short = before + total, line.balance - before - total
        if short:
            yield DIFFERS(number=number, account=line.account, before=before, sum=total, reached=reached, balance=line.balance)
            yield REPAIR(number=number, short=short, amount=line.amount, right=line.amount + short)
            return
        yield AGREES(number=number, account=line.account, before=before, sum=total, reached=reached)
        known[line.account], since[line.account] = line.balance, 0


def _printed_before(lines: list[Line], i: int) -> bool:
    earlier = [line for line in lines[:i] if line.account == lines[i].account]
    return not earlier or earlier[-1].balance is not None


def _printed_lines(lines: list[Line], account: str, balance: int) -> list[Line]:
    out = []
    for line in lines:
        if line.account == account:
            balance += line.amount
            line = line.model_copy(update={"balance": balance})
        out.append(line)
    return out


def _misprint(rng: Rng, amount: int) -> int:
    """The amount with one digit changed, or two neighbours swapped, as hands do."""
    digits, sign = str(abs(amount)), -1 if amount < 0 else 1
    swaps = [digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :] for i in range(len(digits) - 1) if digits[i] != digits[i + 1]]
    swaps = [text for text in swaps if text[0] != "0"]
    if swaps and rng.chance(0.5):
        return sign * int(rng.choice(swaps))
    place = rng.integer(0, len(digits) - 1)
    other = rng.choice([digit for digit in "123456789" if digit != digits[place]])
    return sign * int(digits[:place] + other + digits[place + 1 :])


def _render_prompt(opening: int, lines: list[Line]) -> str:
    rows = [f"{i} | {line.account} | {line.amount} | {'?' if line.balance is None else line.balance}" for i, line in enumerate(lines, 1)]
    unprinted = " (? where it is not printed)" if any(line.balance is None for line in lines) else ""
    known = "; its balance is printed, and so is that of the line of the same account before it, if there is one" if unprinted else ""
    return (
        f"Every account in this ledger opened with a balance of {opening}. Each line gives its number, an account, the amount added to that "
        f"account (taken from it, if negative), and the account's balance after it{unprinted}.\n\n"
        "line | account | amount | balance\n"
        + "\n".join(rows)
        + f"\n\nAll printed balances are right, but the amount of exactly one line is misprinted{known}. Which line is it, and what is its right amount?"
    )


environment = Environment(
    Knobs, Numbers("the line number and the right amount, separated by a comma"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END), shift=shift,
    concept="Follow one account at a time from printed balance to printed balance.",
    version=3,
)  # fmt: skip
