"""Runs a command's `main` in the test's own process, and as a process of its own.

A Python takes longer to start than most of the commands take to run. What a process adds, that the
command finds its modules and how it ends, is the same in every call: some of each test have it.
"""

import contextlib
import io
import os
import pathlib
import subprocess
import sys


@contextlib.contextmanager
def _environment(environ):
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def run(module, arguments, environ):
    """The result of `module`'s command, like subprocess.run; an exception that it lets out goes on."""
    out, err = io.StringIO(), io.StringIO()
    argv = [module.__file__, *map(str, arguments)]
    with _environment(environ), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = module.main(argv)
    return subprocess.CompletedProcess(argv, code, out.getvalue(), err.getvalue())


def run_as_process(module, arguments, environ):
    path = pathlib.Path(__file__).parent / f"{module.__name__}.py"
    return subprocess.run(
        [sys.executable, "-B", path, *arguments], env=environ, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
