"""The aws command line, run or only shown."""

import json
import os
import shlex
import shutil
import subprocess


class Failure(Exception):
    """An error with a message for the user."""


class AwsCli:
    """Runs aws commands in one region."""

    def __init__(self, region):
        self._region = region
        self._program = shutil.which("aws")
        if self._program is None:
            raise Failure(
                "the aws command line is not installed, or not on the PATH.\n"
                "Install it (Debian and Ubuntu: apt-get install awscli; others:\n"
                "https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html)\n"
                "or see what would be done with --dry-run.")

    def command(self, arguments):
        return [self._program, *arguments, "--region", self._region]

    def run(self, *arguments):
        """The finished process, with its output as text."""
        return subprocess.run(
            self.command(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, check=False, env=_environment())

    def start(self, *arguments):
        """Starts a process with the same standard error."""
        return subprocess.Popen(
            self.command(arguments), stdin=subprocess.DEVNULL, env=_environment())

    def json(self, *arguments):
        """The command's output, parsed as JSON. Failure, with its message, if it fails."""
        process = self.run(*arguments, "--output", "json")
        if process.returncode != 0:
            raise Failure(f"aws {' '.join(arguments[:2])} failed: {said(process)}")
        try:
            return json.loads(process.stdout or "null")
        except ValueError:
            raise Failure(f"aws {' '.join(arguments[:2])} printed no JSON: "
                          f"{process.stdout[:200]!r}") from None


def _environment():
    # Version 2 would show long answers in a pager.
    return {**os.environ, "AWS_PAGER": ""}


def said(process):
    """The message of a failed command, on one line."""
    text = " ".join((process.stderr or process.stdout).split())
    return text or f"it said nothing (exit status {process.returncode})"


def shown(arguments, region):
    """The command as one would type it."""
    return " ".join(shlex.quote(part) for part in ["aws", *arguments, "--region", region])
