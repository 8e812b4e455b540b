"""A real Debian mirror on disk, made of tiny packages, for a real apt to fetch from."""

import hashlib
import pathlib
import subprocess
import tarfile

RELEASE = "bookworm"


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _checksums(*paths):
    """The fields of a source package that list its files."""
    text = ""
    for field, digest in (("Checksums-Sha256", hashlib.sha256), ("Files", hashlib.md5)):
        rows = [f" {digest(p.read_bytes()).hexdigest()} {p.stat().st_size} {p.name}\n" for p in paths]
        text += f"{field}:\n{''.join(rows)}"
    return text


class Mirror:
    """`root` is the mirror, `etc` a folder like /etc/apt that points to it.

    As on many a desktop, apt knows vendors' repositories too: one that is not called like a Debian
    release, and one that is, but has no such suite.
    """

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self._folder = folder
        self.root = folder / "mirror"
        self.etc = folder / "etc"
        self.origin = "Debian"
        (self.root / "pool/main").mkdir(parents=True)
        (self.etc / "sources.list.d").mkdir(parents=True)
        self._binaries = []  # (path in the mirror, name, its part of the index), older ones first.
        self._sources = []  # (path in the mirror, its part of the index)
        self._work = folder / "work"
        self._work.mkdir()
        (self.etc / "sources.list").write_text(
            f"deb [trusted=yes] file:{folder}/vendor stable main\n"
            f"deb [trusted=yes] file:{self.root} {RELEASE} main # the test's mirror\n"
            "deb https://download.example.com/linux/debian bookworm stable\n")

    def add_sources(self, *lines):
        with (self.etc / "sources.list").open("a") as file:
            file.writelines(line + "\n" for line in lines)

    def add_other(self, name, suite, origin):
        """A second mirror, called `name`, which apt knows for `suite`; it has packages of its own."""
        other = Mirror(self._folder / name)
        other.origin = origin
        self.add_sources(f"deb [trusted=yes] file:{other.root} {suite} main")
        return other

    def add_binary(self, name, version):
        """Publishes a package whose one file holds its version; returns its pin."""
        tree = self._work / f"{name}_{version}"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "usr/share" / name).mkdir(parents=True)
        (tree / "usr/share" / name / "version").write_text(version)
        control = (
            f"Package: {name}\nVersion: {version}\nArchitecture: amd64\n"
            "Maintainer: Nobody <nobody@example.com>\nDescription: test\n")
        (tree / "DEBIAN/control").write_text(control)
        path = f"pool/main/{name}_{version.partition(':')[2] or version}_amd64.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-b", tree, self.root / path],
            check=True, stdout=subprocess.DEVNULL)
        size, digest = (self.root / path).stat().st_size, _sha256(self.root / path)
        self._binaries.append(
            (path, name, f"{control}Filename: {path}\nSize: {size}\nSHA256: {digest}\n"))
        return {"version": version, "path": path, "sha256": digest}

    def add_source(self, name, version):
        """Publishes a source package in the simplest format; returns its pin."""
        pool = self.root / "pool/main"
        tarball = pool / f"{name}_{version}.tar.gz"
        content = self._work / f"{name}-{version}"
        (content / "debian/source").mkdir(parents=True)
        (content / "version").write_text(version)
        with tarfile.open(tarball, "w:gz") as archive:
            archive.add(content, arcname=content.name)
        description = pool / f"{name}_{version}.dsc"
        fields = (
            f"Binary: {name}\nArchitecture: any\nVersion: {version}\n"
            "Maintainer: Nobody <nobody@example.com>\n")
        description.write_text(
            f"Format: 3.0 (native)\nSource: {name}\n{fields}{_checksums(tarball)}")
        self._sources.append(
            (f"pool/main/{description.name}",
             f"Package: {name}\nFormat: 3.0 (native)\n{fields}"
             f"Directory: pool/main\n{_checksums(description, tarball)}"))
        return {
            "version": version,
            "path": "pool/main",
            "files": {f.name: _sha256(f) for f in (description, tarball)},
        }

    def publish(self, suite=RELEASE):
        """Makes the index list what is in the pool now."""
        dists = self.root / "dists" / suite
        entries = []
        # Written here and not by dpkg's scanners: each takes longer to start than apt takes to read
        # what it writes. Like theirs, the index has a binary package's newest version only, but
        # every version of a source package.
        binaries = {name: text for path, name, text in self._binaries if (self.root / path).exists()}
        sources = [text for path, text in self._sources if (self.root / path).exists()]
        for file, stanzas in (
                ("main/binary-amd64/Packages", binaries.values()), ("main/source/Sources", sources)):
            path = dists / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(stanzas))
            entries.append(f" {_sha256(path)} {path.stat().st_size} {file}\n")
        (dists / "Release").write_text(
            f"Origin: {self.origin}\nSuite: {suite}\nCodename: {suite}\n"
            "Architectures: amd64\nComponents: main\n"
            "Date: Thu, 01 Jan 2026 00:00:00 UTC\nSHA256:\n" + "".join(entries))

    def remove(self, pin):
        """Takes a package's files out of the pool, as Debian does after an update."""
        for path in [pin["path"]] if "sha256" in pin else [f"{pin['path']}/{f}" for f in pin["files"]]:
            (self.root / path).unlink()
