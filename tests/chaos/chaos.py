"""Freezes, kills and continues the local cloud and its functions at random, and counts what is lost.

  ./bazelw run //tests/chaos -- --mode=simulate --simulated=72h
  ./bazelw run //tests/chaos -- --mode=up --minutes=60 --longest-freeze=50

Ends with 1 if a slot was lost or the cloud hung, and then shows where its threads were.
"""

import argparse
import datetime
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

import disturbances
import processes

SLOT = datetime.timedelta(seconds=5)
TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
# A function that is stopped is ended by its time limit of at most 60 s; what takes longer than this hangs.
HANG_SECONDS = 180
# A cloud stops within a second on a machine that is not busy.
STOP_SECONDS = 30
# In which messages that functions failed with are received again, up to five times, three minutes apart.
SETTLE_SECONDS = 20 * 60
# `up` does not make up for minutes that begin while it does not run: it is not killed shortly before one begins.
RESTART_SECONDS = 10


class Failure(Exception):
    """What the cloud must not do."""


def say(text):
    print(f"{time.strftime('%H:%M:%S')}  {text}", flush=True)


class Program:
    """A byoshin command whose output is read as on a terminal."""

    def __init__(self, command):
        self.master, terminal = os.openpty()
        self._process = subprocess.Popen(command, stdout=terminal, stderr=terminal, start_new_session=True)
        os.close(terminal)
        self.pid = self._process.pid
        self.output = ""

    def read(self, seconds):
        """Reads what comes in so much time at most; False at the end."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            data = b""
        # As a terminal shows it: a progress bar is one line.
        self.output = (self.output + data.decode(errors="replace"))[-200_000:]
        return bool(data)

    def running(self):
        return self._process.poll() is None

    def wait(self, seconds):
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"the cloud has not ended within {seconds} s:\n{processes.stacks(self.pid)}") from error

    def close(self):
        if self.running():
            self._process.kill()
            self._process.wait()
        os.close(self.master)


def simulate(options, folder, disturb):
    """Simulates under disturbances; a simulation that was killed goes on from where it was."""
    command = [options.byoshin, "simulate", f"--for={options.simulated}"]
    if not options.in_memory:
        command.append(f"--data={folder}")
    runs = 0
    while True:
        runs += 1
        program = Program(command)
        try:
            run_simulation(program, options, disturb)
            report = program.output
        finally:
            program.close()
        if "slots expected" in report:
            break
        if options.in_memory or program.wait(0) != -signal.SIGKILL:
            raise Failure(f"the simulation has ended without a report:\n{report[-3000:]}")
    numbers = dict(re.findall(r"^(\w[\w ]*?)  +(\d+)\r?$", report, re.MULTILINE))
    print(report[report.index("slots expected"):].replace("\r", ""))
    say(f"{runs} runs")
    if numbers.get("missing") != "0" or numbers.get("duplicate") != "0":
        raise Failure("slots are missing or were stored twice")


def run_simulation(program, options, disturb):
    progress = time.monotonic()
    next_disturbance = time.monotonic() + disturb.pause(options.pause)
    seen = ""
    while program.read(0.05):
        if program.output != seen:
            seen = program.output
            progress = time.monotonic()
        if time.monotonic() - progress > HANG_SECONDS:
            raise Failure(f"no progress for {HANG_SECONDS} s:\n{processes.stacks(program.pid)}")
        if time.monotonic() >= next_disturbance and program.running():
            disturb.disturb(program.pid)
            next_disturbance = time.monotonic() + disturb.pause(options.pause)
            progress = time.monotonic()
    program.wait(STOP_SECONDS)


def ask(options, url, *words):
    """What a command of byoshin prints about the running cloud."""
    result = subprocess.run([options.byoshin, *words, f"--endpoint={url}"], capture_output=True, text=True,
                            timeout=HANG_SECONDS, check=False)
    return result.stdout


def start_up(options, folder):
    program = Program([options.byoshin, "up", "--port=0", "--api-port=0", f"--data={folder}"])
    deadline = time.monotonic() + HANG_SECONDS
    while True:
        found = re.search(r"Dashboard: (\S+?)/?\r?\n", program.output)
        if found:
            return program, found.group(1)
        if not program.read(0.1) or time.monotonic() > deadline:
            raise Failure(f"up did not start:\n{program.output}")


def missing_slots(options, url, first, last):
    records = ask(options, url, "records", f"--since={first.strftime(TIME_FORMAT)}", "--format=csv")
    stored = {line.split(",")[0] for line in records.splitlines()}
    missing = []
    while first < last:
        if first.strftime(TIME_FORMAT) not in stored:
            missing.append(first.strftime(TIME_FORMAT))
        first += SLOT
    return missing


def whole_minute(instant):
    return instant.replace(second=0, microsecond=0)


def up(options, folder, disturb):
    """Runs in real time under disturbances, and then without any until every slot is there."""
    program, url = start_up(options, folder)
    try:
        now = datetime.datetime.utcnow
        first = whole_minute(now()) + datetime.timedelta(minutes=1)
        end = time.monotonic() + options.minutes * 60
        next_disturbance = time.monotonic() + disturb.pause(options.pause)
        while time.monotonic() < end:
            program.read(0.1)
            if not program.running():
                program.close()
                program, url = start_up(options, folder)
            if time.monotonic() < next_disturbance:
                continue
            if 5 < now().second < 60 - RESTART_SECONDS:
                disturb.disturb(program.pid)
            next_disturbance = time.monotonic() + disturb.pause(options.pause)
        last = whole_minute(now())
        say(f"disturbed from {first.strftime(TIME_FORMAT)} to {last.strftime(TIME_FORMAT)}; waiting for what is left")
        deadline = time.monotonic() + SETTLE_SECONDS
        missing = missing_slots(options, url, first, last)
        while missing and time.monotonic() < deadline:
            program.read(5)
            ask(options, url, "redrive")
            missing = missing_slots(options, url, first, last)
        print(ask(options, url, "status"))
        say(f"slots from the first minute to the last: {(last - first) // SLOT}, missing: {len(missing)}")
        if missing:
            raise Failure(f"missing slots: {missing}\n{ask(options, url, 'queues', '--dead-letters')}")
        processes.send([program.pid], signal.SIGINT)
        if program.wait(STOP_SECONDS) != 0:
            raise Failure(f"it did not end well:\n{program.output[-3000:]}")
    finally:
        program.close()


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("byoshin", help="the program")
    parser.add_argument("--mode", choices=["simulate", "up"], default="simulate")
    parser.add_argument("--simulated", default="72h", help="simulated time, for --mode=simulate")
    parser.add_argument("--in-memory", action="store_true", help="for --mode=simulate: the cloud itself is not killed")
    parser.add_argument("--minutes", type=float, default=60, help="real time, for --mode=up")
    parser.add_argument("--longest-freeze", type=float, default=50, help="in seconds")
    parser.add_argument("--pause", type=float, default=3, help="between disturbances, in seconds, on average")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    return parser.parse_args(words)


def main():
    options = parse(sys.argv[1:])
    options.byoshin = os.path.abspath(options.byoshin)
    disturb = disturbances.Disturbances(options.seed, options.longest_freeze,
                                        can_kill_cloud=not options.in_memory)
    say(f"seed {options.seed}")
    with tempfile.TemporaryDirectory(prefix="byoshin-chaos-") as folder:
        try:
            (simulate if options.mode == "simulate" else up)(options, os.path.join(folder, "data"), disturb)
        except Failure as failure:
            print(f"FAILED (seed {options.seed}): {failure}")
            return 1
        finally:
            say(f"disturbances: {disturb.counts}; frozen for {disturb.seconds_frozen:.0f} s")
    print("passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
