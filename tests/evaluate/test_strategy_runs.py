"""Runs of strategies that are killed and resumed, and folders that another run uses."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from evaluate.test_strategies import SUITE, Simulated, ran

from rlgym import RlgymError

CHILD = """
import sys
sys.path.insert(0, "tests")
from pathlib import Path
from evaluate.test_strategies import Simulated, ran
ran(Path(sys.argv[1]), "majority,weighted,revise", Simulated(log=sys.argv[2], delay=0.01), {"n": 6})
"""


def test_a_killed_run_requests_nothing_twice_and_ends_as_if_it_had_not_been(tmp_path):
    log = tmp_path / "requests"
    with subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path), str(log)], env=dict(os.environ)) as child:
        while child.poll() is None and (not log.exists() or len(log.read_text().splitlines()) < 60):
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
    saved = {line["key"] for line in map(json.loads, (tmp_path / "run" / "calls.jsonl").read_text().splitlines()[:-1])}
    assert saved
    before = Counter(log.read_text().split())
    resumed = ran(tmp_path, "majority,weighted,revise", Simulated(log=str(log)), {"n": 6})
    whole = ran(tmp_path / "whole", "majority,weighted,revise", Simulated(), {"n": 6})
    assert resumed["strategies"] == whole["strategies"]
    # Only requests whose completions had not reached the disk, at most one for each slot, are sent again.
    assert sum((Counter(log.read_text().split()) - before).values()) >= 1
    assert sum(count - 1 for count in Counter(log.read_text().split()).values()) <= Simulated.max_concurrency
    again = Simulated()
    assert ran(tmp_path, "majority,weighted,revise", again, {"n": 6})["strategies"] == whole["strategies"]
    assert not again.requests


def test_another_run_in_the_folder_is_refused(tmp_path):
    ran(tmp_path, "single", suite=SUITE.first(3))
    with pytest.raises(RlgymError, match="another strategies"):
        ran(tmp_path, "majority", suite=SUITE.first(3))
    with pytest.raises(RlgymError, match="another suite"):
        ran(tmp_path, "single", suite=SUITE.first(4))
