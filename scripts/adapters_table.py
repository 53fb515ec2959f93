"""Writes docs/adapters/index.md: what each adapter supports, from the records of its tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from oldest import lower_bound

PAGES = Path(__file__).parents[1] / "docs" / "adapters"
OPENING = """# Adapters

`rlgym.adapters` has one module for each trainer, harness or protocol. Each has a page with a complete example, and its own extra where the
package is on an index. Each adapter but Harbor's is tested with the real package, on one set of 800 responses to 200 tasks of 40 environments (oracles,
mistakes, junk, unreadable responses): every response that the adapter supports must get the reward of `rlgym.score`, damaged rows must raise
an error that names their id, and failures that are not the model's fault must not become reward 0. NeMo Gym, rLLM, slime and AReaL were
tested with a checkout of their source at the named commit; these tests, and those of lighteval, are skipped where the package is missing.
Trainers that need a GPU were tested up to their training step.

**Install.** In a clone, `pip install '.[trl]'` installs rlgym with what an adapter needs; in another project, give the path of the clone: `pip install
'path/to/rlgym[trl]'`. All extras fit into one environment, except four: `openreward` needs an older sse-starlette than `mcp`,
`openrlhf` excludes the transformers of `verl`, `lighteval` needs an older
huggingface-hub than current transformers, and `tinker` requires a package that its index does not have (see its page). Without its package, an adapter raises
`PackageMissing`, which names the extra.

The tests record what they cover, and this table is generated from the latest records. *Responses per second* is what the test of agreement scored through
the package, its set-up included, on two shared cores. *Oldest supported* is the extra's lower bound, with the date of its last test; `OLDEST=1
scripts/adapters.sh FOLDER NAME` makes an environment with it, in which `OLDEST=1 FOLDER/bin/python -m pytest tests/adapters/test_NAME.py` tests it.

| adapter | version tested | oldest supported | date | one turn | many turns | tools | agreement with `rlgym.score` | responses per second |
|---|---|---|---|---|---|---|---|---|
"""
CLOSING = """
For anything else that reads rows, [export a dataset](export.md) in the columns of TRL, verl, OpenRLHF or verifiers, or for SFT and DPO. The
adapters use public functions: `rlgym.dataset.sample` (rows without files), `to_task_json` and `from_task_json` (a row in one text column),
and `Session` (an episode played from a row, one text at a time).
"""


def row(page: Path) -> str:
    """The table row of an adapter."""
    record: dict[str, Any] = json.loads((PAGES / "records" / f"{page.stem}.json").read_text(encoding="utf-8"))
    title = page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    if why := record.get("not_run"):
        seen = [f"not run: {why}", "", "", ""]
    else:
        seen = [record.get(kind, "") for kind in ("single", "many", "tools", "agreement")]
    cells = [
        f"[{title}]({page.name})",
        f"{record['package']} {record['version']}",
        oldest(record),
        record["date"],
        *(text.replace("|", "\\|") for text in seen),
        rate(record),
    ]
    return f"| {' | '.join(cells)} |\n"


def oldest(record: dict[str, Any]) -> str:
    """The oldest supported version, and when it was tested."""
    bound, version = lower_bound(record["package"]), record["version"]
    same = (version + ".0.0").startswith(bound + ".0") or version == bound
    when = record["date"] if same else record.get("oldest", "not tested")
    return f"{bound}, {when}" if bound else ""


def rate(record: dict[str, Any]) -> str:
    """Responses per second over the tests that counted them."""
    measured = record.get("scored", {}).values()
    return f"{sum(one['rows'] for one in measured) / sum(one['seconds'] for one in measured):.0f}" if measured else ""


def main() -> None:
    """Write the page."""
    pages = [page for page in sorted(PAGES.glob("*.md")) if (PAGES / "records" / f"{page.stem}.json").exists()]
    (PAGES / "index.md").write_text(OPENING + "".join(map(row, pages)) + CLOSING, encoding="utf-8")


if __name__ == "__main__":
    main()
