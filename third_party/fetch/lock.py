"""Re-resolves third_party/lock.bzl against the machine's mirror and npm, and prints what changed.

    ./bazelw run //third_party:lock
    ./bazelw run //third_party:lock -- --add-binary=libfoo-dev --add-source=foo --add-npm=foo@1.2.3
    ./bazelw run //third_party:lock -- --add-tool=foo
    ./bazelw run //third_party:lock -- --add-source=foo/trixie    from another release of Debian; tools, too
    ./bazelw run //third_party:lock -- --add-npm=foo@=1.2.3       stays at this version

Debian packages move to the release's current version, npm packages stay within their major
version. Trees of npm packages have locks of their own (package-lock.json).
"""

import argparse
import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import apt
import npm
from errors import FetchError

_HEADER = '''"""Every outside file that archive mode builds from: name, version, digest, place in the pool.

Written by `./bazelw run //third_party:lock`; the names are edited by hand or with its flags.
"""
'''
_TABLES = ("DEBIAN_BINARIES", "DEBIAN_SOURCES", "DEBIAN_TOOLS", "NPM_ARCHIVES")


def read_lock(text):
    """The lock's assignments as a dictionary: they are literals, so nothing is executed."""
    return {
        statement.targets[0].id: ast.literal_eval(statement.value)
        for statement in ast.parse(text).body
        if isinstance(statement, ast.Assign)
    }


def _literal(value, indent):
    if not isinstance(value, dict):
        return json.dumps(value)
    inner = " " * (indent + 4)
    rows = "".join(
        f"{inner}{json.dumps(key)}: {_literal(item, indent + 4)},\n" for key, item in value.items())
    return "{\n" + rows + " " * indent + "}"


def write_lock(lock):
    parts = [_HEADER, f'DEBIAN_RELEASE = "{lock["DEBIAN_RELEASE"]}"\n']
    for table in _TABLES:
        parts.append(f"{table} = {_literal(dict(sorted(lock[table].items())), 0)}\n")
    return "\n".join(parts)


def _stanzas(text):
    for stanza in text.split("\n\n"):
        fields, key = {}, None
        for line in stanza.splitlines():
            if line[:1] in " \t" and key:
                fields[key] += "\n" + line.strip()
            elif ":" in line:
                key, _, value = line.partition(":")
                fields[key] = value.strip()
        if fields:
            yield fields


def _resolve_binary(private_apt, name):
    result = private_apt.run(["apt-cache", "show", "--no-all-versions", name])
    for fields in _stanzas(result.stdout):
        if fields.get("Package") == name:
            return {
                "version": fields["Version"],
                "path": fields["Filename"],
                "sha256": fields["SHA256"],
            }
    raise FetchError(f"No binary package {name} in the index:\n{apt.tail(result.stdout)}")


def _newer(left, right):
    return subprocess.run(["dpkg", "--compare-versions", left, "gt", right], check=False).returncode == 0


def _resolve_source(private_apt, name):
    result = private_apt.run(["apt-cache", "showsrc", "--only-source", name])
    best = None
    for fields in _stanzas(result.stdout):
        if fields.get("Package") == name and (
                best is None or _newer(fields["Version"], best["Version"])):
            best = fields
    if best is None:
        raise FetchError(f"No source package {name} in the index:\n{apt.tail(result.stdout)}")
    files = {}
    for line in best["Checksums-Sha256"].split("\n"):
        if line.strip():
            digest, _, file = line.split()
            files[file] = digest
    # A detached signature is not needed: the digests already pin every byte.
    files = {f: d for f, d in sorted(files.items()) if not f.endswith(".asc")}
    return {"version": best["Version"], "path": best["Directory"], "files": files}


def _resolve_npm(name, pin):
    if "range" in pin:
        wanted = f"{name}@{pin['range']}"
    elif pin.get("integrity"):
        wanted = f"{name}@^{pin['version']}"
    else:
        wanted = f"{name}@{pin['version']}"
    result = npm.run(["view", "--json", wanted, "version", "dist.integrity"], pathlib.Path.cwd())
    said = apt.tail(result.stderr or result.stdout) or "    (nothing)"
    # A missing package is E404; a missing version is success without output.
    if "E404" in result.stderr or (result.returncode == 0 and not result.stdout.strip()):
        raise FetchError(f"npm does not know {wanted}:\n{said}")
    if result.returncode != 0:
        raise FetchError(f"Can't ask npm about {wanted}; npm said:\n{said}\n{npm.OFFLINE_HINT}.")
    answer = json.loads(result.stdout)
    if isinstance(answer, list):
        answer = max(answer, key=lambda a: [int(n) for n in re.findall(r"\d+", a["version"])])
    resolved = {"version": answer["version"], "integrity": answer["dist.integrity"]}
    return {"range": pin["range"], **resolved} if "range" in pin else resolved


def _resolve_all(table, resolve_one, apts):
    """The pins of `table`, each from its own release. A tool's key is its name or NAME/RELEASE: it may have both."""
    resolved = {}
    for key, pin in table.items():
        release = pin.get("release")
        resolved[key] = {
            **({"release": release} if release else {}), **resolve_one(apts.of(release), key.partition("/")[0])}
    return resolved


class _Apts:
    """An apt with a current index for each release, made when it is first asked for."""

    def __init__(self, scratch, default):
        self._scratch = pathlib.Path(scratch)
        self._default = default
        self._made = {}

    def of(self, release=None):
        release = release or self._default
        if release not in self._made:
            made = apt.PrivateApt(self._scratch / release, apt.machine_sources(release))
            try:
                made.update()
            except FetchError as error:
                raise FetchError(f"Can't re-lock: {error}\n{apt.OFFLINE_HINT}.") from None
            self._made[release] = made
        return self._made[release]


def resolve(lock, apts):
    return {
        "DEBIAN_RELEASE": lock["DEBIAN_RELEASE"],
        "DEBIAN_BINARIES": _resolve_all(lock["DEBIAN_BINARIES"], _resolve_binary, apts),
        "DEBIAN_SOURCES": _resolve_all(lock["DEBIAN_SOURCES"], _resolve_source, apts),
        "DEBIAN_TOOLS": _resolve_all(lock["DEBIAN_TOOLS"], _resolve_binary, apts),
        "NPM_ARCHIVES": {n: _resolve_npm(n, pin) for n, pin in lock["NPM_ARCHIVES"].items()},
    }


def changes(before, after):
    for table in _TABLES:
        for name, pin in sorted(after[table].items()):
            old = before[table].get(name, {})
            if old.get("version") != pin["version"]:
                yield f"{name}: {old.get('version') or 'new'} -> {pin['version']}"
            elif old != pin:
                yield f"{name}: {pin['version']}, new digest or path"


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--add-binary", action="append", default=[], metavar="PACKAGE")
    parser.add_argument(
        "--add-source", action="append", default=[], metavar="PACKAGE[/RELEASE]",
        help="RELEASE: another release of Debian than the lock's")
    parser.add_argument(
        "--add-tool", action="append", default=[], metavar="PACKAGE[/RELEASE]",
        help="a binary package that is only fetched with the tool that needs it")
    parser.add_argument("--add-npm", action="append", default=[], metavar="NAME@VERSION")
    parser.add_argument(
        "--lock", type=pathlib.Path, help="the lock file",
        default=pathlib.Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", ".")) / "third_party/lock.bzl")
    flags = parser.parse_args(argv[1:])
    before = read_lock(flags.lock.read_text())
    wanted = {table: dict(before[table]) for table in _TABLES}
    wanted["DEBIAN_RELEASE"] = before["DEBIAN_RELEASE"]
    wanted["DEBIAN_BINARIES"].update({name: {} for name in flags.add_binary})
    for spec in flags.add_source:
        name, _, release = spec.partition("/")
        wanted["DEBIAN_SOURCES"][name] = {"release": release} if release else {}
    for spec in flags.add_tool:
        _, _, release = spec.partition("/")
        wanted["DEBIAN_TOOLS"][spec] = {"release": release} if release else {}
    for spec in flags.add_npm:
        name, _, version = spec.rpartition("@")
        wanted["NPM_ARCHIVES"][name] = {"range" if version.startswith("=") else "version": version}
    try:
        with tempfile.TemporaryDirectory() as scratch:
            after = resolve(wanted, _Apts(scratch, before["DEBIAN_RELEASE"]))
    except FetchError as error:
        print(error, file=sys.stderr)
        return 1
    moved = list(changes(before, after))
    flags.lock.write_text(write_lock(after))
    print("\n".join(moved) if moved else "Nothing changed: the lock is current.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
