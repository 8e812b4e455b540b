"""The download cache: files by digest, outside Bazel's output base.

A new output base, a second clone or a machine without network builds from here. Every file is
verified again each time it is taken out, so a damaged cache can't reach a build: what does not
match its name is thrown away and fetched anew.
"""

import base64
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import tempfile

from errors import FetchError

CACHE_VARIABLE = "BYOSHIN_DOWNLOAD_CACHE"


def default_root(environ=os.environ):
    """Where the cache is: the variable's value, or the user's cache folder."""
    named = environ.get(CACHE_VARIABLE)
    if named:
        if not os.path.isabs(named):
            # Every repository rule runs in its own folder.
            raise FetchError(
                f"{CACHE_VARIABLE} is '{named}', a relative path, which would be another folder for "
                "each repository. Give an absolute path.")
        return pathlib.Path(named)
    base = environ.get("XDG_CACHE_HOME") or os.path.join(environ.get("HOME") or "/root", ".cache")
    return pathlib.Path(base) / "byoshin" / "downloads"


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def integrity_of(path):
    """The Subresource Integrity string that npm locks carry."""
    with open(path, "rb") as file:
        digest = hashlib.sha512(file.read()).digest()
    return "sha512-" + base64.b64encode(digest).decode()


class Store:
    """A folder of files named by their sha256. Safe for concurrent use by several processes."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def _path(self, key):
        return self.root / "files" / key

    def get(self, sha256):
        """The path of a file with this digest, or None. A file that does not match is removed."""
        path = self._path(sha256)
        with self._usable():
            if not path.is_file():
                return None
            if sha256_of(path) != sha256:
                path.unlink(missing_ok=True)
                return None
        return path

    def put(self, source, sha256):
        """Keeps a copy of `source`, whose digest the caller has verified."""
        self._write(self._path(sha256), lambda temporary: shutil.copyfile(source, temporary))
        return self._path(sha256)

    def remember(self, kind, key, value):
        """Keeps a small JSON fact, such as which files stood in for a pin that is gone."""
        path = self.root / kind / key
        self._write(path, lambda temporary: pathlib.Path(temporary).write_text(json.dumps(value)))

    def recall(self, kind, key):
        with self._usable():
            try:
                return json.loads((self.root / kind / key).read_text())
            except (FileNotFoundError, ValueError):
                return None

    def _write(self, path, fill):
        # Written to another file and renamed: another build never sees a partial file.
        with self._usable():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            os.close(handle)
            try:
                fill(temporary)
                os.chmod(temporary, 0o644)
                os.replace(temporary, path)
            except BaseException:
                os.unlink(temporary)
                raise

    @contextlib.contextmanager
    def _usable(self):
        try:
            yield
        except OSError as error:
            raise FetchError(
                f"The download cache {self.root} can't be used: {error}\n"
                "It must be a folder that you can write to, on a disk with room; "
                f"${CACHE_VARIABLE} names another.") from None


def place(source, destination):
    """Puts a cached file where a repository wants it, without a second copy where possible."""
    destination = pathlib.Path(destination)
    destination.parent.mkdir(parents=True, exist_ok=True)
    destination.unlink(missing_ok=True)
    try:
        os.link(source, destination)
    except OSError:
        shutil.copyfile(source, destination)
