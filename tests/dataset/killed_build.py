"""A program that builds a dataset and is killed at one of its writes."""

RUN = """
import os, shutil, signal, sys
from rlgym.dataset import Recipe, build
out, given, where, at = sys.argv[1:]
calls = 0

def killed_in(module, name, after):
    real = getattr(module, name)
    def call(*words, **more):
        global calls
        calls += 1
        if calls == int(at):
            if after: real(*words, **more)
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*words, **more)
    setattr(module, name, call)

if __name__ == "__main__":
    if where == "write": killed_in(os, "replace", False)
    if where == "written": killed_in(os, "replace", True)
    if where == "clear": killed_in(os, "unlink", True)
    build(Recipe(**eval(given)), out, workers=int(at) if where == "workers" else 1)
"""
