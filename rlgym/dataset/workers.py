"""What every pool of worker processes needs."""

from __future__ import annotations

import os
import threading
import time


def end_with_parent(parent: int) -> None:
    """Make this process exit soon after its parent has ended: a worker must not outlive a killed parent."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
