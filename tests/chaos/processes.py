"""The processes of a running cloud: who its functions are, and signals to all of them."""

import os
import signal
import subprocess


def children(parent):
    """The process ids of the direct children of `parent`."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                # The name, in parentheses, may contain anything.
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(fields[1]) == parent:
            found.append(int(entry))
    return found


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass  # it has ended meanwhile


def freeze(pids):
    send(pids, signal.SIGSTOP)


def resume(pids):
    send(pids, signal.SIGCONT)


def stacks(pid):
    """What the threads of a process that hangs are doing, as far as it can be found out."""
    try:
        result = subprocess.run(
            ["gdb", "-batch", "-p", str(pid), "-ex", "thread apply all backtrace"],
            capture_output=True, text=True, errors="replace", timeout=120, check=False)
        return result.stdout
    except (OSError, subprocess.TimeoutExpired):
        return f"(install gdb to see the stacks of process {pid})"
