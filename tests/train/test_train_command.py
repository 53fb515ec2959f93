"""`rlgym train` as a user runs it."""

import json
import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("matplotlib")

from train.small_models import small_model

from rlgym.train.logging.plots import moving_average
from rlgym.train.logging.report import table_rows


def ran(*arguments, **settings):
    command = [sys.executable, "-m", "rlgym", "train", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env=os.environ | {"OMP_NUM_THREADS": "1"} | settings)


@pytest.mark.slow
def test_the_quickstart_runs_through_and_leaves_what_it_promises(tmp_path):
    done = ran("quickstart", "--out", tmp_path / "q", "--minutes", "0.03", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert {"start", "middle", "end"} <= set(report)
    assert report["end"]["mean"]["tasks"] == 300
    run = tmp_path / "q" / "run"
    page = (run / "report.html").read_text()
    assert "held-out accuracy" in page
    assert 'src="data:image/png;base64' in page
    assert "http" not in page.split("<h2>")[0].replace("https://", "http://").split("base64")[0]
    assert (run / "curve.png").read_bytes()[:4] == b"\x89PNG"
    import transformers

    model = next((run / "checkpoints").glob("1-rl-*")) / "model"
    transformers.AutoModelForCausalLM.from_pretrained(model)
    # A second time there is nothing left to do, and the same is said.
    repeated = ran("quickstart", "--out", tmp_path / "q", "--minutes", "0.03", "--json")
    assert json.loads(repeated.stdout) == report


def test_a_configuration_is_checked_and_refused_in_a_line(tmp_path):
    small_model(tmp_path / "model", num_layers=1, hidden_size=32)
    given = {"model": str(tmp_path / "model"), "output_dir": str(tmp_path / "run"), "tasks": [{"names": ["chain_sum"]}]}
    file = tmp_path / "run.yaml"
    file.write_text(json.dumps(given | {"rollout": {"max_new_tokens": 20, "max_seq_len": 200}}))
    done = ran(file, "--check")
    assert done.returncode == 0, done.stderr
    assert "can run" in done.stdout
    assert not (tmp_path / "run").exists()
    file.write_text(json.dumps(given | {"stepz": 3}))
    done = ran(file)
    assert done.returncode == 2
    assert "Did you mean 'steps'" in done.stderr
    assert "Traceback" not in done.stderr
    assert ran(file, "--minutes", "3").returncode == 2
    assert ran("quickstart", "--check").returncode == 2


def test_tables_and_curves():
    assert moving_average([1.0, 1.0, 1.0]) == pytest.approx([1.0, 1.0, 1.0])
    assert moving_average([0.0, 1.0])[1] == pytest.approx(0.1 / 0.19)
    place = {"avg": 0.5, "low": 0.4, "high": 0.6}
    table = table_rows([{"label": "start", "accuracy": {"a@0": place, "mean": place}}, {"label": "end", "accuracy": {"mean": place}}])
    assert table[0] == ["held-out accuracy", "before", "after reinforcement learning"]
    assert table[1] == ["a@0", "0.50 (0.40 to 0.60)", "-"]
    assert table[-1][0] == "mean"
