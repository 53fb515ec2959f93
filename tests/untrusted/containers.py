"""What tests of containers share; whatever imports this is skipped where no Docker daemon answers."""

import os
import sys
import time

import pytest

from rlgym.sandbox import SandboxError

pytest.importorskip("docker")

from rlgym.sandbox.docker import container, image

if os.environ.get("RLGYM_NO_DOCKER"):
    pytest.skip(os.environ["RLGYM_NO_DOCKER"], allow_module_level=True)
try:
    container.connected().close()
except SandboxError as why:
    pytest.skip(f"{why}; scripts/docker_daemon.sh starts one", allow_module_level=True)
if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the image is made here of this Python, on Linux on x86-64", allow_module_level=True)


def ensure_image(client):
    """Build the image of this Python where there is none."""
    if not client.images.list(image.name()):
        image.build_from_host(client)


def containers_of(client, pid):
    """The containers of a process."""
    return client.api.containers(all=True, filters={"label": [f"{container.PID}={pid}"]})


def until(what, seconds=20):
    """Whether something becomes true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if what():
            return True
        time.sleep(0.1)
    return False
