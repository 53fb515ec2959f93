"""Writes docs/adapters/index.md: what each adapter's own tests have seen working, from the records that they leave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[1] / "docs" / "adapters"
OPENING = """# Plug it into what you have

One adapter for each trainer, harness or protocol, in `rlgym.adapters`, each with a page with a whole example, and an extra of its own where
the package is on an index. Each is tested with the real package. The measure is one set of 800 responses to 200 tasks of 40 environments
(oracles, mistakes, junk, unreadable ones): as many of them as the adapter takes must get the reward that `rlgym.score` gives, damaged rows
must be refused by their id, and what is not the model's fault must not become a reward of 0. NeMo Gym, rLLM, slime and AReaL were run from
a checkout of their source at the commit that is named; their tests, and those of lighteval, are skipped where those are not there. Trainers
that need a GPU were run up to their training step.

The table is made from what those tests wrote down when they last ran.

| adapter | version tested | one turn | many turns | tools | agreement with `rlgym.score` |
|---|---|---|---|---|---|
"""
CLOSING = """
Anything else that reads rows: [export a dataset](export.md) in the columns of TRL, verl, OpenRLHF, verifiers, or for SFT and DPO. What all adapters are
made of is public, too: `rlgym.dataset.sample` (rows without a file), `ticket` and `read_ticket` (a row in one text column), `Session` (an episode from a
row, a text at a time).
"""


def row(page: Path) -> str:
    """The line of an adapter, by its page."""
    record: dict[str, Any] = json.loads((PAGES / "records" / f"{page.stem}.json").read_text(encoding="utf-8"))
    title = page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    if why := record.get("not_run"):
        seen = [f"not run: {why}", "", "", ""]
    else:
        seen = [record.get(kind, "") for kind in ("single", "many", "tools", "agreement")]
    cells = [f"[{title}]({page.name})", f"{record['package']} {record['version']}", *(text.replace("|", "\\|") for text in seen)]
    return f"| {' | '.join(cells)} |\n"


def main() -> None:
    """Write the page."""
    pages = [page for page in sorted(PAGES.glob("*.md")) if (PAGES / "records" / f"{page.stem}.json").exists()]
    (PAGES / "index.md").write_text(OPENING + "".join(map(row, pages)) + CLOSING, encoding="utf-8")


if __name__ == "__main__":
    main()
