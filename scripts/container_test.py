"""Build the service's image from deploy/Containerfile, start a container of it, and play a session in it.

    python scripts/container_test.py [--base IMAGE] [--keep]

Without --base, python:3.12-slim is taken if the daemon has it or can pull it; else a base image is made of this machine's own
files: a Python 3.11 or later (--python), a shell, and the libraries that they load. The build needs a package index.
The daemon is that of scripts/docker_daemon.sh; the build uses the machine's network, since that daemon has none of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BASE, OURS, IMAGE = "python:3.12-slim", "rlvrgym-base:host", "rlvrgym:tested"
PROGRAMS = ("sh", "cat", "chmod", "cp", "env", "id", "ln", "ls", "mkdir", "mv", "rm", "touch", "uname", "ldd", "ldconfig")
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
# Played inside, which nothing outside can reach: the oracle's answers, one of them a program that is run to be judged.
PLAY = """
import json, os, urllib.request
def asked(path, **content):
    headers = {"Authorization": "Bearer " + os.environ["KEY"], "Content-Type": "application/json"}
    request = urllib.request.Request("http://127.0.0.1:8000" + path, json.dumps(content).encode(), headers)
    return json.load(urllib.request.urlopen(request, timeout=120))
for name in ("chain_sum", "function_from_tests"):
    place = "/v1/sessions/" + asked("/v1/sessions", name=name, seed=1)["session"]
    score = asked(place + "/step", response=asked(place + "/oracle")["response"])["score"]
    print(name + ":", score["value"], score["outcome"])
    assert score["value"] == 1.0, score
"""
SKIPPED = re.compile(r"/(test|tests|idlelib|turtledemo|tkinter|__pycache__|site-packages|config-[^/]*)(/|$)|\.a$|/_tkinter")


def main() -> None:
    given = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    given.add_argument("--base", help="the image to build on")
    given.add_argument("--python", default=sys.base_prefix, help="the prefix of the Python that a base of this machine is made of")
    given.add_argument("--keep", action="store_true", help="leave the images there")
    arguments = given.parse_args()
    started = subprocess.run([ROOT / "scripts" / "docker_daemon.sh", "start"], capture_output=True, text=True, check=False)
    if started.returncode:
        sys.exit(started.stderr.strip())
    docker = Docker(started.stdout.strip())
    base = arguments.base or (BASE if docker.has(BASE) else docker.base_of_this_machine(Path(arguments.python)))
    print("base:", base)
    began = time.perf_counter()
    docker.do("build", "--network", "host", "--build-arg", f"BASE={base}", "--tag", IMAGE, "--file", "deploy/Containerfile", ".")
    size = int(docker.do("image", "inspect", "--format", "{{.Size}}", IMAGE))
    print(f"built in {time.perf_counter() - began:.0f} s, {size / 1e6:.0f} MB")
    try:
        played(docker)
    finally:
        if not arguments.keep:
            docker.do("image", "rm", IMAGE)


class Docker:
    """The daemon, through its command."""

    def __init__(self, at: str) -> None:
        self._environment = {**os.environ, "DOCKER_HOST": f"unix://{at}", "DOCKER_BUILDKIT": "0"}

    def do(self, *words: str, fails: bool = False) -> str:
        """What the command prints; it ends the program where it fails and must not."""
        done = subprocess.run(["docker", *words], capture_output=True, text=True, check=False, env=self._environment, cwd=ROOT)
        if done.returncode and not fails:
            sys.exit(f"docker {' '.join(words)} failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return (done.stdout + done.stderr if fails else done.stdout).strip()

    def has(self, image: str) -> bool:
        """Whether the image is there, or can be pulled."""
        return any(
            subprocess.run(["docker", *words, image], capture_output=True, check=False, env=self._environment).returncode == 0
            for words in (("image", "inspect"), ("pull", "--quiet"))
        )

    def base_of_this_machine(self, prefix: Path) -> str:
        """An image of this machine's Python, shell, and the libraries that they load."""
        if "sha256" in self.do("image", "inspect", "--format", "{{.Id}}", OURS, fails=True):
            return OURS
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder) / "base.tar"
            pack(prefix, archive)
            settings = (
                f"ENV PIP_CERT={CERTIFICATES} SSL_CERT_FILE={CERTIFICATES}",
                "ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            )
            self.do("import", *[word for setting in settings for word in ("--change", setting)], str(archive), OURS)
        return OURS


def pack(prefix: Path, archive: Path) -> None:
    """Write the files of a base image."""
    python = [path for path in prefix.rglob("*") if not SKIPPED.search(str(path))]
    programs = [Path("/usr/bin" if Path("/usr/bin", name).exists() else "/usr/sbin", name) for name in PROGRAMS]
    binaries = [path for path in python if path.suffix == ".so" or (path.parent.name == "bin" and path.is_file())]
    # What wheels take for granted.
    names = (
        "libgcc_s.so.1",
        "libstdc++.so.6",
        "librt.so.1",
        "libpthread.so.0",
        "libdl.so.2",
        "libutil.so.1",
        "libm.so.6",
        "libresolv.so.2",
        "libnss_*",
    )
    needed = {path for name in names for path in Path("/usr/lib").glob(f"*-linux-gnu/{name}")}
    needed = needed.union(*(libraries(path) for path in (*programs, *binaries)))
    with tarfile.open(archive, "w") as tar:
        for folder, mode in (("tmp", 0o1777), ("proc", 0o755), ("sys", 0o755), ("dev", 0o755), ("etc", 0o755), ("usr/local", 0o755)):
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, mode
            tar.addfile(entry)
        for link in ("bin", "sbin", "lib", "lib64"):
            tar.add(f"/{link}", link, recursive=False)
        settings = map(Path, ("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", CERTIFICATES))
        # One file may be named by way of several links to its folder.
        files = {str(path.parent.resolve() / path.name)[1:]: path.resolve() for path in (*needed, *settings, *programs)}
        for name, path in sorted(files.items()):
            tar.add(path, name, recursive=False)
        for path in sorted(python):
            tar.add(path, f"usr/local/{path.relative_to(prefix)}", recursive=False)
        entry = tarfile.TarInfo("usr/local/bin/python")
        entry.type, entry.linkname = tarfile.SYMTYPE, "python3"
        if not (prefix / "bin" / "python").exists():
            tar.addfile(entry)


def libraries(program: Path) -> set[Path]:
    """The shared libraries that a program loads."""
    output = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False).stdout
    return {Path(path) for path in re.findall(r"(/\S+\.so\S*)", output) if not path.startswith(str(program.parent))}


def played(docker: Docker) -> None:
    """Start a container with everything closed that may be, the network among it, play in it, and end it."""
    secret = "a-key-for-this-test-only"
    closed = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--init", "--network", "none")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # the container's user reads it
        keys = Path(folder) / "keys.toml"
        keys.write_text(f'[[keys]]\nname = "test"\nreveal_answers = true\nsha256 = "{hashlib.sha256(secret.encode()).hexdigest()}"\n')
        keys.chmod(0o644)
        name = docker.do("run", "--detach", *closed, "--volume", f"{keys}:/keys/keys.toml:ro", IMAGE)
        try:
            began = time.monotonic()
            while (health := docker.do("inspect", "--format", "{{.State.Health.Status}}", name)) != "healthy":
                if time.monotonic() - began > 240 or health == "unhealthy":
                    sys.exit(f"the container did not become healthy:\n{docker.do('logs', name, fails=True)[-3000:]}")
                time.sleep(0.5)
            print(f"healthy {time.monotonic() - began:.0f} s after its start")
            print(docker.do("exec", "--env", f"KEY={secret}", name, "python", "-c", PLAY))
            print("user:", docker.do("exec", name, "id", "-u"), "| its root:", docker.do("exec", name, "touch", "/opt/x", fails=True))
            print(
                "\n".join(
                    line for line in docker.do("exec", name, "rlgym", "sandbox", "doctor").splitlines() if "tier" in line and ":" in line
                )
            )
            docker.do("stop", "--time", "60", name)
            status = docker.do("inspect", "--format", "{{.State.ExitCode}}", name)
            print("exit status after SIGTERM:", status)
            if status != "0":
                sys.exit(docker.do("logs", name, fails=True)[-3000:])
        finally:
            docker.do("rm", "--force", name)


if __name__ == "__main__":
    main()
