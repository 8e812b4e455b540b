"""Fetches npm packages with the machine's npm client: single archives, and whole trees.

npm's own configuration (registry, proxy, certificates) applies; nothing here names a host. Install
scripts never run.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

import apt
import store as store_module
from errors import FetchError

OFFLINE_HINT = "Check the network and npm's configuration (does `npm ping` work here?)"
_OFFLINE_HINT_OF_FETCH = (
    f"{OFFLINE_HINT}, or copy a filled download cache from another machine "
    f"(${store_module.CACHE_VARIABLE} names its folder)."
)
# Package scripts don't run, and the lock does not contain the registry.
RELOCK_TREE = (
    "npm install --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved")


def run(arguments, folder):
    """Runs npm and returns the finished process; raises FetchError where there is no npm."""
    npm = shutil.which("npm")
    if not npm:
        raise FetchError(
            f"npm is needed for: npm {' '.join(arguments)}\n"
            "It is not installed; on Debian, ./bazelw installs it.")
    environ = dict(os.environ, npm_config_update_notifier="false")
    return subprocess.run(
        [npm, *arguments], cwd=folder, env=environ, text=True, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _npm_cache(store):
    return ["--cache", str(store.root / "npm")]


def fetch_archive(store, name, version, integrity):
    """The path of the package's tarball, verified against `integrity`."""
    known = store.recall("npm-archives", _key(name, version))
    cached = known and known["integrity"] == integrity and store.get(known["sha256"])
    if cached:
        return cached
    with tempfile.TemporaryDirectory() as scratch:
        arguments = ["pack", "--loglevel=error", "--ignore-scripts", *_npm_cache(store)]
        result = run([*arguments, f"{name}@{version}"], scratch)
        tarballs = list(pathlib.Path(scratch).glob("*.tgz"))
        if result.returncode != 0 or len(tarballs) != 1:
            raise FetchError(
                f"Can't fetch the npm package {name}@{version}; npm said:\n"
                f"{apt.tail(result.stderr or result.stdout) or '    (nothing)'}\n{_OFFLINE_HINT_OF_FETCH}")
        found = store_module.integrity_of(tarballs[0])
        if found != integrity:
            raise FetchError(
                f"The npm package {name}@{version} is not what the lock says; refused.\n"
                f"    expected {integrity}\n"
                f"    found    {found}\n"
                "A registry or proxy altered it, or third_party/lock.bzl was edited by hand.")
        sha256 = store_module.sha256_of(tarballs[0])
        path = store.put(tarballs[0], sha256)
    store.remember("npm-archives", _key(name, version), {"integrity": integrity, "sha256": sha256})
    return path


def _key(name, version):
    return f"{name.replace('/', '__')}-{version}"


def install_tree(store, manifest, lock, out):
    """Makes OUT/node_modules exactly as `lock` (a package-lock.json) says."""
    out = pathlib.Path(out)
    shutil.copyfile(manifest, out / "package.json")
    shutil.copyfile(lock, out / "package-lock.json")
    # npm checks every package against the lock's integrity, also those it takes from its cache.
    arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", *_npm_cache(store)]
    result = run([*arguments, "--prefer-offline"], out)
    if result.returncode != 0:
        raise FetchError(
            f"Can't install the npm tree of {lock}; npm said:\n"
            f"{apt.tail(result.stderr or result.stdout, lines=12)}\n"
            "EINTEGRITY: a package is not what package-lock.json says, and was refused. "
            f"EUSAGE: package.json and package-lock.json differ; run `{RELOCK_TREE}` beside them.\n"
            + _OFFLINE_HINT_OF_FETCH)
