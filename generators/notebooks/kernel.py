"""The program that runs the cells of a notebook in the sandbox, and the calls of it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

from rlgym.sandbox.terminal import Ended, Tree, file_entry, run_command

CELLS = ".cells.json"
COMPLETE = 7  # the exit status of a kernel that came to the end of its last cell; any other means that a cell ended the process
PROGRAM = f"""\
import ast, json, os, random, sys, types
with open({CELLS!r}) as file:
    cells = json.load(file)
os.remove({CELLS!r})
main = sys.modules['__main__'] = types.ModuleType('__main__')
random.seed(0)
out, err, quiet = os.dup(1), os.dup(2), os.open(os.devnull, os.O_WRONLY)
os.dup2(quiet, 1)
os.dup2(quiet, 2)
for number, code in enumerate(cells, 1):
    if number == len(cells):
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(out, 1)
        os.dup2(err, 2)
    name = f'cell {{number}}'
    try:
        body = ast.parse(code, name).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), name, 'exec'), main.__dict__)
        value = eval(compile(ast.Expression(last.value), name, 'eval'), main.__dict__) if last else None
        if value is not None:
            print(repr(value))
    except BaseException as error:
        lines, trace = [], error.__traceback__
        while trace:
            if trace.tb_frame.f_code.co_filename.startswith('cell '):
                lines.append(f'{{trace.tb_frame.f_code.co_filename}}, line {{trace.tb_lineno}}')
            trace = trace.tb_next
        where = lines[-1] if lines else f'{{name}}, line {{getattr(error, "lineno", None)}}'
        print(f'{{type(error).__name__}} ({{where}}): {{error}}', file=sys.stderr)
sys.stdout.flush()
sys.stderr.flush()
os._exit({COMPLETE})
"""
COMMAND = f"python3 -S -B -c {shlex.quote(PROGRAM)}"


def run_cells(files: Tree, cells: Sequence[str], now: int) -> Ended:
    """Run the cells one after the other in one interpreter, in a folder that holds the files; what the last one prints is the output.

    A cell that raises prints its error, and the next one goes on, as in a notebook. SandboxError where nothing can be confined.
    """
    return run_command({**files, CELLS: file_entry(json.dumps(list(cells)), now)}, COMMAND, now)
