"""The command that Byoshin's repository rules run; see defs.bzl beside it.

    fetch.py debian REQUEST.json OUT
    fetch.py debian-sources RELEASE    fails if the machine has no source of Debian packages
    fetch.py npm-archive NAME VERSION INTEGRITY OUT.tgz
    fetch.py npm-tree package.json package-lock.json OUT

Warnings go to standard output, which the rules show; errors to standard error, exit code 1.
"""

import json
import os
import pathlib
import sys
import tempfile

import apt
import debian
import npm
import store as store_module
from errors import FetchError


def _debian(store, request_path, out):
    request = json.loads(pathlib.Path(request_path).read_text())
    packages = [debian.Package("binary", n, p) for n, p in request["binaries"].items()]
    packages += [debian.Package("source", n, p) for n, p in request["sources"].items()]
    with tempfile.TemporaryDirectory() as scratch:
        def make_apt(release):
            release = release or request["release"]
            return apt.PrivateApt(pathlib.Path(scratch) / release, apt.machine_sources(release))

        fetcher = debian.Fetcher(
            store,
            make_apt,
            allow_unlocked=os.environ.get(debian.ALLOW_VARIABLE) == "1",
            warn=lambda text: print("WARNING: " + text))
        debian.lay_out(fetcher.fetch(packages), out)


def main(argv):
    commands = {
        "debian": _debian,
        "debian-sources": lambda _, release: apt.machine_sources(release),
        "npm-archive": lambda store, name, version, integrity, out: store_module.place(
            npm.fetch_archive(store, name, version, integrity), out),
        "npm-tree": npm.install_tree,
    }
    try:
        commands[argv[1]](store_module.Store(store_module.default_root()), *argv[2:])
    except FetchError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
