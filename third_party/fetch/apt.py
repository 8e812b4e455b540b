"""A private apt: the machine's own sources, none of its state.

The host's lists, cache and dpkg status are neither read nor written, so no root is needed and
what the host has installed makes no difference. The sources (and with them mirrors, proxies and
keys) are the machine's own; only the release is fixed to the one that the lock was made for.
"""

import os
import pathlib
import re
import subprocess

from errors import FetchError

SOURCES_VARIABLE = "BYOSHIN_APT_SOURCES"  # A folder that stands in for /etc/apt (tests).
_HELPER = "/usr/lib/apt/apt-helper"
_DEBIAN_RELEASES = ("bullseye", "bookworm", "trixie", "forky", "oldstable", "stable", "testing")
# The suites of a stable release. Backports and proposed updates would move the lock to versions that the release does
# not have.
_POCKETS = ("", "updates", "security")
_UPDATE_HOOKS = ("Pre-Invoke", "Post-Invoke", "Post-Invoke-Success")
OFFLINE_HINT = "Check the network and apt's sources (does `apt-get update` work here?)"


class Source:
    """One `deb` entry of the machine: where packages are and how apt is to trust it."""

    def __init__(self, uri, suite, components, options):
        self.uri = uri.rstrip("/")
        self.suite = suite
        self.components = components
        self.options = options

    def lines(self):
        options = f" [{' '.join(self.options)}]" if self.options else ""
        where = f"{options} {self.uri} {self.suite} {' '.join(self.components)}".rstrip()
        return [f"deb{where}", f"deb-src{where}"]


def _one_line_sources(text):
    pattern = re.compile(r"^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)")
    for line in text.splitlines():
        if match := pattern.match(line.strip()):
            options, uri, suite, components = match.groups()
            yield Source(uri, suite, components.split(), (options or "").split())


def _stanza_sources(text):
    for stanza in re.split(r"\n\s*\n", text):
        # There may be comments between the fields, and a field may have several lines.
        lines = [line for line in stanza.splitlines() if not line.startswith("#")]
        joined = re.sub(r"\n[ \t]+", " ", "\n".join(lines))
        fields = {
            key.strip().lower(): value.strip()
            for key, _, value in (line.partition(":") for line in joined.splitlines())
        }
        if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes") == "no":
            continue
        options = []
        if re.fullmatch(r"/\S+", fields.get("signed-by", "")):
            options.append(f"signed-by={fields['signed-by']}")
        if fields.get("trusted") == "yes":
            options.append("trusted=yes")
        for uri in fields.get("uris", "").split():
            for suite in fields.get("suites", "").split():
                yield Source(uri, suite, fields.get("components", "").split(), options)


def machine_sources(release, environ=os.environ):
    """The machine's Debian sources, turned to `release`.

    Vendors' sources that are named like Debian's ("stable main") are among them; reading the index
    tells them apart.
    """
    root = pathlib.Path(environ.get(SOURCES_VARIABLE) or "/etc/apt")
    parts = root / "sources.list.d"
    found = []
    for path in [root / "sources.list", *sorted(parts.glob("*.list"))]:
        if path.is_file():
            found += _one_line_sources(path.read_text())
    for path in sorted(parts.glob("*.sources")):
        found += _stanza_sources(path.read_text())
    sources = {}
    for source in found:
        base, dash, pocket = source.suite.partition("-")
        if base not in _DEBIAN_RELEASES or pocket not in _POCKETS:
            continue
        if "main" not in source.components:
            continue
        source.suite = release + dash + pocket
        source.components = ["main"]
        sources[(source.uri, source.suite)] = source
    if not sources:
        raise FetchError(
            f"No Debian source found in {root}/sources.list or {parts}.\n"
            "Archive mode takes its libraries from the mirror that a Debian machine has. On any other "
            "system, Ubuntu too, use registry mode: install Bazelisk under the name 'bazel' (see "
            "docs/decisions/0001-two-build-modes.md)."
        )
    return list(sources.values())


class PrivateApt:
    """apt clients on a state of their own in `root`. Not for concurrent use."""

    def __init__(self, root, sources):
        self.root = pathlib.Path(root).absolute()
        self._updated = False
        for folder in ("state/lists/partial", "cache/archives/partial", "sources.d"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)
        (self.root / "status").touch()
        self._use(sources)
        # Hooks that the machine runs after every update concern its own index (a desktop's catalogue), not this one.
        # apt reads this file last, in place of the machine's apt.conf.
        main = pathlib.Path("/etc/apt/apt.conf")
        (self.root / "last.conf").write_text(
            (f'#include "{main}";\n' if main.is_file() else "")
            + "".join(f"#clear APT::Update::{hook};\n" for hook in _UPDATE_HOOKS))
        # Mirrors may lag behind the index's expiry date: signatures are checked all the same, and
        # pinned files against the lock's digests.
        (self.root / "apt.conf").write_text(
            f'Dir::State "{self.root}/state";\n'
            f'Dir::State::status "{self.root}/status";\n'
            f'Dir::Cache "{self.root}/cache";\n'
            f'Dir::Etc::main "{self.root}/last.conf";\n'
            'Dir::Etc::sourcelist "/dev/null";\n'
            f'Dir::Etc::sourceparts "{self.root}/sources.d";\n'
            'APT::Sandbox::User "root";\n'
            'APT::Architecture "amd64";\n'
            'APT::Architectures { "amd64"; };\n'
            'Acquire::Languages "none";\n'
            'Acquire::Check-Valid-Until "false";\n'
            'Acquire::Retries "2";\n'
            'Acquire::http::Timeout "20";\n'
            'Acquire::https::Timeout "20";\n'
        )

    def _use(self, sources):
        self.sources = sources
        lines = sorted({line for source in sources for line in source.lines()})
        (self.root / "sources.d" / "byoshin.list").write_text("\n".join(lines) + "\n")

    def run(self, argv, folder=None):
        # LC_ALL: the client's output is used in error messages, which are English.
        environ = dict(os.environ, APT_CONFIG=str(self.root / "apt.conf"), LC_ALL="C")
        return subprocess.run(
            argv, cwd=folder or self.root, env=environ, text=True, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def bases(self):
        return list(dict.fromkeys(source.uri for source in self.sources))

    def download_from_pool(self, base, wanted, folder):
        """Asks `base` for the pool paths of `wanted` ({file name: path}), all in one call."""
        argv = [_HELPER, "download-file"]
        for name, path in wanted.items():
            argv += [f"{base}/{path}", str(pathlib.Path(folder) / name), ""]
        return self.run(argv)

    def update(self):
        """Reads the index once, and drops the sources that are not Debian's.

        Raises when a suite can be had from none that is: without it a re-lock would go back to
        versions that a security update has replaced.
        """
        if self._updated:
            return
        result = self.run(["apt-get", "-q", "update", "--error-on=any"])
        origins = self._origins()
        kept = []
        for suite in dict.fromkeys(source.suite for source in self.sources):
            of_suite = [source for source in self.sources if source.suite == suite]
            debian = [s for s in of_suite if origins.get((s.uri, s.suite)) == "Debian"]
            if not debian and result.returncode != 0:
                raise FetchError(
                    f"the package index of {suite} can't be read:\n" + tail(result.stdout))
            # If all answered and none says Debian, the mirror uses another name.
            kept += debian or of_suite
        self._use(kept)
        self._updated = True

    def _origins(self):
        """{(URI, suite): whose packages they are}, for the sources whose index was read."""
        # From the Release files: apt itself tells it only of suites that are not empty, which
        # Debian's updates may be.
        result = self.run(
            ["apt-get", "indextargets", "--no-release-info", "--format",
             "$(SITE) $(RELEASE) $(FILENAME)", "Created-By: Packages", "Architecture: amd64"])
        origins = {}
        for line in result.stdout.splitlines():
            uri, suite, packages = line.split(" ", 2)
            for name in ("InRelease", "Release"):
                path = pathlib.Path(packages.replace("_main_binary-amd64_Packages", f"_{name}"))
                if path.is_file():
                    origin = re.search(r"^Origin: *(.*)$", path.read_text(), re.MULTILINE)
                    origins[(uri.rstrip("/"), suite)] = origin.group(1) if origin else ""
        return origins


def tail(text, lines=6):
    """The end of a client's output, where it says what went wrong."""
    kept = [line for line in text.splitlines() if line.strip()][-lines:]
    return "\n".join("    " + line for line in kept)
