"""Fetches the lock's Debian packages, all of them in as few calls as possible.

In this order, for what the download cache lacks:
1. the file's place in the mirror's pool, which needs no index and outlives it for a while;
2. the index, at the pinned version;

A pin that neither has is an error: every byte of a build is one that the lock names. Who wants the current version
before the lock is moved says so with ALLOW_VARIABLE, and is warned each time. apt checks such a file against the signed
index, since the lock has no digest for it.
"""

import pathlib
import re
import shutil
import tempfile

import apt
import store as store_module
from errors import FetchError

ALLOW_VARIABLE = "BYOSHIN_ALLOW_UNLOCKED_PACKAGES"  # "1" allows them.
# `./bazelw run //third_party:lock` does the same, but Bazel itself needs packages of the lock.
RELOCK = "python3 -B third_party/fetch/lock.py"
_SUBSTITUTES = "substitutes"


class Package:
    """One pin: a binary package (one file) or a source package (several)."""

    def __init__(self, kind, name, pin):
        self.kind = kind
        self.name = name
        self.version = pin["version"]
        self.release = pin.get("release")  # None: the lock's.
        if kind == "binary":
            file_name = pin["path"].rpartition("/")[2]
            self.digests = {file_name: pin["sha256"]}
            self.paths = {file_name: pin["path"]}
        else:
            self.digests = dict(pin["files"])
            self.paths = {file: f"{pin['path']}/{file}" for file in pin["files"]}

    def __str__(self):
        return f"{self.name} {self.version} ({self.kind} package)"


def _refusal(package, file, path):
    """The error for a file that is not what the lock says; `path` is None if it is not there."""
    found = f"sha256 {store_module.sha256_of(path)}" if path else "no such file in the package"
    return FetchError(
        f"{package}: {file} is not what the lock says; refused.\n"
        f"    expected sha256 {package.digests[file]}\n"
        f"    found    {found}\n"
        "A mirror or proxy altered it, or third_party/lock.bzl was edited by hand. If Debian "
        f"really replaced it, re-lock: {RELOCK}"
    )


class Fetcher:
    """Fills `store` with the files of packages and says where they are."""

    def __init__(self, store, make_apt, allow_unlocked, warn):
        self._store = store
        self._make_apt = make_apt  # With a release or None. Called only when something is missing.
        self._allow_unlocked = allow_unlocked
        self._warn = warn
        self._apts = {}

    def fetch(self, packages):
        """Returns {package: {file name: path}}; raises FetchError."""
        missing = [p for p in packages if not self._cached(p)]
        if missing:
            with tempfile.TemporaryDirectory() as scratch:
                said = self._from_pool(missing, scratch)
                missing = [p for p in missing if not self._cached(p)]
                if missing:
                    self._from_index(missing, scratch, said)
        return {package: self._files(package) for package in packages}

    def _apt(self, release=None):
        if release not in self._apts:
            self._apts[release] = self._make_apt(release)
        return self._apts[release]

    def _cached(self, package):
        return all(self._store.get(digest) for digest in package.digests.values())

    def _files(self, package):
        substitute = None if self._cached(package) else self._substitute(package)
        digests = substitute["files"] if substitute else package.digests
        return {file: self._store.get(digest) for file, digest in digests.items()}

    def _from_pool(self, packages, scratch):
        """Takes what the mirrors' pools still have; returns what the client said of the rest."""
        said = ""
        for base in self._apt().bases():
            wanted = {
                file: (package, path)
                for package in packages
                for file, path in package.paths.items()
                if not self._store.get(package.digests[file])
            }
            if not wanted:
                break
            result = self._apt().download_from_pool(
                base, {file: path for file, (_, path) in wanted.items()}, scratch)
            said = result.stdout
            for file, (package, _) in wanted.items():
                path = pathlib.Path(scratch) / file
                if not path.is_file():
                    continue
                if store_module.sha256_of(path) == package.digests[file]:
                    self._store.put(path, package.digests[file])
                elif result.returncode == 0:
                    raise _refusal(package, file, path)
                # Otherwise the download was interrupted and left a partial file.
                path.unlink()
        return said

    def _from_index(self, packages, scratch, said_by_pool):
        gone = [p for p in packages if not self._allow_unlocked or not self._substitute(p)]
        for package in packages:
            if package not in gone:
                self._warn_of(package, self._substitute(package)["version"])
        if not gone:
            return
        try:
            for package in gone:
                self._apt(package.release).update()
        except FetchError as error:
            names = ", ".join(str(package) for package in gone)
            raise FetchError(
                f"Can't fetch {names}: {error}\n"
                f"and the pool said:\n{apt.tail(said_by_pool)}\n"
                f"{apt.OFFLINE_HINT}, or copy a filled download cache from another machine: "
                f"{self._store.root} (${store_module.CACHE_VARIABLE} moves it)."
            ) from None
        for package in gone:
            if not self._download(package, package.version, scratch):
                self._take_current(package, scratch)

    def _download(self, package, version, scratch):
        """Downloads `package` through the index; returns {file: path}, empty if it is not there."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        wanted = package.name + (f"={version}" if version else "")
        if package.kind == "binary":
            argv = ["apt-get", "-q", "download", wanted]
        else:
            argv = ["apt-get", "-q", "source", "--download-only", wanted]
        result = self._apt(package.release).run(argv, folder)
        self._said = result.stdout
        if result.returncode != 0:
            return {}
        files = {path.name: path for path in folder.iterdir()}
        if version:
            by_digest = {store_module.sha256_of(path): path for path in files.values()}
            for file, digest in package.digests.items():
                if digest not in by_digest:
                    raise _refusal(package, file, _file_called(file, package, files))
                self._store.put(by_digest[digest], digest)
        return files

    def _take_current(self, package, scratch):
        if not self._allow_unlocked:
            raise FetchError(
                f"{package} has left the mirror's index and pool.\n"
                f"Move the lock to current versions, at the root of the workspace: {RELOCK}\n"
                f"Or build with the mirror's current version, which no digest in the lock verifies: set {ALLOW_VARIABLE}=1."
            )
        files = self._download(package, None, scratch)
        if not files:
            raise FetchError(
                f"{package} has left the mirror's index and pool, and no other version is there:\n"
                f"{apt.tail(self._said)}\n"
                f"See what replaced it, change its name in third_party/lock.bzl, then {RELOCK}"
            )
        digests = {name: store_module.sha256_of(path) for name, path in files.items()}
        for name, path in files.items():
            self._store.put(path, digests[name])
        version = _version_in(files, package)
        self._store.remember(
            _SUBSTITUTES, self._key(package), {"version": version, "files": digests})
        self._warn_of(package, version)

    def _substitute(self, package):
        """What stood in for this pin earlier, so that a build without network has it again."""
        known = self._store.recall(_SUBSTITUTES, self._key(package))
        if known and all(self._store.get(digest) for digest in known["files"].values()):
            return known
        return None

    @staticmethod
    def _key(package):
        return re.sub(r"[^\w.+-]", "_", f"{package.kind}_{package.name}_{package.version}")

    def _warn_of(self, package, version):
        self._warn(
            f"{package} has left the Debian mirror; version {version} stands in for it.\n"
            "    This build is not the locked one. Make the change part of the tree: "
            f"{RELOCK}\n    (Without {ALLOW_VARIABLE}=1 this is an error.)"
        )


def _file_called(name, package, files):
    if package.kind == "binary":
        # The only one: apt writes an epoch's colon as %3a, and the pool omits the epoch.
        return next(iter(files.values()))
    return files.get(name)


def _version_in(files, package):
    for name in files:
        if name.endswith((".deb", ".dsc")):
            stem = name.rpartition(".")[0]
            return stem.split("_")[1].replace("%3a", ":")
    return f"unknown ({package.name})"


def lay_out(fetched, out):
    """binaries/NAME.deb and sources/NAME/… with the description as NAME.dsc."""
    out = pathlib.Path(out)
    for folder in ("binaries", "sources"):
        shutil.rmtree(out / folder, ignore_errors=True)
    for package, files in fetched.items():
        for file, path in files.items():
            if package.kind == "binary":
                store_module.place(path, out / "binaries" / f"{package.name}.deb")
            else:
                name = f"{package.name}.dsc" if file.endswith(".dsc") else file
                store_module.place(path, out / "sources" / package.name / name)
