"""The container files match the repository and the command line; scripts/container_test.py builds and runs an image."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from rlgym.cli import app

ROOT = Path(__file__).resolve().parents[2]
CONTAINERFILE = (ROOT / "deploy" / "Containerfile").read_text()
STEPS = [line for line in CONTAINERFILE.replace("\\\n", " ").splitlines() if line and not line.startswith("#")]
COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
ASKED = "RLGYM_CONTAINER_TEST"


def _last(word):
    return next(line.removeprefix(word).strip() for line in reversed(STEPS) if line.startswith(f"{word} "))


def test_copied_files_exist_and_are_not_ignored():
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    sources = [source for line in STEPS if re.match(r"COPY (?!--from)", line) for source in line.split()[1:-1]]
    assert {"rlgym", "envs", "generators", "sandbox", "pyproject.toml"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists(), source
        assert f"!{source}" in ignored, source
    assert "*" in ignored


def test_it_runs_without_root_and_has_a_health_check():
    assert _last("USER").split(":")[0] not in ("0", "root")
    assert STEPS.index(f"USER {_last('USER')}") > max(path for path, line in enumerate(STEPS) if line.startswith("FROM"))
    assert "/readyz" in _last("HEALTHCHECK")
    assert _last("STOPSIGNAL") == "SIGTERM"


@pytest.mark.parametrize("command", [json.loads(_last("CMD")), COMPOSE["services"]["gym"]["command"]], ids=["image", "compose"])
def test_the_command_exists(command, tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr("rlgym.serve.workers.supervisor.run_service", started.append)
    client_ = CliRunner().invoke(app, ["serve", "key", "me"]).stdout
    (tmp_path / "keys.toml").write_text(client_)
    words = [*json.loads(_last("ENTRYPOINT"))[1:], *command]
    words = [str(tmp_path / "keys.toml") if word == "/keys/keys.toml" else word for word in words]
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
    (config,) = started
    assert (config.host, str(config.port)) == ("0.0.0.0", _last("EXPOSE"))
    assert config.settings.key_file == str(tmp_path / "keys.toml")


def test_compose_drops_permissions_and_waits_for_the_drain():
    gym = COMPOSE["services"]["gym"]
    assert gym["read_only"]
    assert gym["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in gym["security_opt"]
    assert (ROOT / "deploy" / gym["build"]["context"] / gym["build"]["dockerfile"]).samefile(ROOT / "deploy" / "Containerfile")
    result = dict(zip(gym["command"][::2], gym["command"][1::2], strict=True))
    assert float(gym["stop_grace_period"].removesuffix("s")) > float(result["--drain-timeout"]) + float(result["--drain-delay"])
    mounted = COMPOSE["services"]["prometheus"]["volumes"][0].split(":")[0]
    scraped = yaml.safe_load((ROOT / "deploy" / mounted).read_text())["scrape_configs"][0]["static_configs"][0]["targets"]
    assert scraped == [f"gym:{_last('EXPOSE')}"]


@pytest.mark.slow
@pytest.mark.skipif(ASKED not in os.environ, reason=f"a build takes minutes, a daemon and a package index: set {ASKED}=1")
def test_a_container_builds_and_plays():
    done = subprocess.run([sys.executable, ROOT / "scripts" / "container_test.py"], capture_output=True, text=True, check=False)
    if done.returncode == 3 or "no docker daemon" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "exit status after SIGTERM: 0" in done.stdout
