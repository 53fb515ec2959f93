"""An environment provider for Harbor without containers: a root folder per environment, with the host's programs in user and mount namespaces.

It stands in for Docker in the tests: paths such as /app and /tests are the environment's own, an image's Dockerfile is read only for the
files that it copies, and the service `world` runs as a separate process.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

import rlgym

SOURCES = str(Path(rlgym.__file__).resolve().parents[1])
UNSHARE = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
# A new root with every folder of the host, and those of the environment.
ENTER = """
set -e
root=$1; shift
mount -t tmpfs none "$root/new"
for entry in /*; do
  case "$entry" in /app|/tests|/solution|/logs|/state) continue;; esac
  if [ -L "$entry" ]; then cp -P "$entry" "$root/new$entry"
  elif [ -d "$entry" ]; then mkdir "$root/new$entry"; mount --rbind "$entry" "$root/new$entry"; fi
done
for entry in app tests solution logs state; do mkdir "$root/new/$entry"; mount --bind "$root/$entry" "$root/new/$entry"; done
# Not chroot, after which the kernel refuses the namespaces of the sandbox.
mkdir "$root/new/.before"
cd "$root/new"
pivot_root . .before
umount -l /.before
cd /app
exec bash -c "$1"
"""


def namespaces() -> bool:
    """Whether this machine allows user and mount namespaces."""
    return subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False).returncode == 0


class HostEnvironment(BaseEnvironment):
    """One environment: the agent's, or the verifier's."""

    world: subprocess.Popen[bytes] | None = None

    @staticmethod
    def type() -> str:
        return "host"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(docker_compose=True)

    def _validate_definition(self) -> None:
        assert (self.environment_dir / "Dockerfile").is_file()

    @property
    def root(self) -> Path:
        return self.trial_paths.trial_dir.resolve() / "roots" / self.session_id

    async def start(self, force_build: bool) -> None:
        for name in ("app", "tests", "solution", "logs/agent", "logs/verifier", "logs/artifacts", "state", "new", "bin"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        dockerfile = (self.environment_dir / "Dockerfile").read_text()
        if "COPY . /tests" in dockerfile:
            shutil.copytree(self.environment_dir, self.root / "tests", dirs_exist_ok=True)
        if (world := self.environment_dir / "world").is_dir():
            shutil.copy(self.environment_dir / "respond", self.root / "bin" / "respond")
            (self.root / "bin" / "respond").chmod(0o755)
            await self._start_world(world / "task.json")
        # An image without rlgym has none on its path.
        self.paths = SOURCES if "rlvrgym" in dockerfile else ""

    async def _start_world(self, task: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/"
        command = [sys.executable, "-m", "rlgym.adapters.harbor", "world", str(task), "--state", str(self.root / "state" / "world.json")]
        environment = {**os.environ, "PYTHONPATH": SOURCES}
        self.world = subprocess.Popen([*command, "--host", "127.0.0.1", "--port", str(port)], env=environment)
        for _ in range(600):
            try:
                await asyncio.to_thread(lambda: urllib.request.urlopen(self.url, timeout=5).read())
                return
            except OSError:
                await asyncio.sleep(0.1)
        raise TimeoutError("the world did not start")

    async def stop(self, delete: bool) -> None:
        if self.world is not None:
            self.world.kill()
            self.world.wait()

    def _path(self, path: str | Path) -> Path:
        return self.root / str(path).lstrip("/")

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        self._path(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_path, self._path(target_path))

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        shutil.copytree(source_dir, self._path(target_dir), dirs_exist_ok=True)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        shutil.copy(self._path(source_path), target_path)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        shutil.copytree(self._path(source_dir), target_dir, dirs_exist_ok=True)

    async def service_download_file(self, source_path: str, target_path: Path | str, *, service: str | None = None) -> None:
        if service == "world":
            assert source_path == "/state/episode.json"
            source_path = "/state/world.json"
        await self.download_file(source_path, target_path)

    async def service_exec(self, command: str, *, service: str | None = None, **given: object) -> ExecResult:
        if service == "world" and command.startswith("test -d"):
            return ExecResult(stdout="", stderr="", return_code=1)
        return await super().service_exec(command, service=service, **given)

    async def stop_service(self, service: str) -> None:
        """The agent's service ends with its commands."""

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        path = f"{self.root / 'bin'}:{os.path.dirname(sys.executable)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        environment = {"PATH": path, "PYTHONPATH": self.paths, "HOME": "/tmp", **(env or {})}
        if self.world is not None:
            environment["WORLD_URL"] = self.url
        process = await asyncio.create_subprocess_exec(
            *UNSHARE, "bash", "-c", ENTER, "enter", str(self.root), command,
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        out, err = await asyncio.wait_for(process.communicate(), timeout_sec)
        return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=process.returncode or 0)
