"""A real Debian mirror on disk, made of tiny packages, for a real apt to fetch from."""

import hashlib
import pathlib
import subprocess
import tarfile

RELEASE = "bookworm"


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


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
        (tree / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: {version}\nArchitecture: amd64\n"
            "Maintainer: Nobody <nobody@example.com>\nDescription: test\n")
        path = f"pool/main/{name}_{version.partition(':')[2] or version}_amd64.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-b", tree, self.root / path],
            check=True, stdout=subprocess.DEVNULL)
        return {"version": version, "path": path, "sha256": _sha256(self.root / path)}

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
        size, digest = tarball.stat().st_size, _sha256(tarball)
        md5 = hashlib.md5(tarball.read_bytes()).hexdigest()
        description.write_text(
            f"Format: 3.0 (native)\nSource: {name}\nBinary: {name}\nArchitecture: any\n"
            f"Version: {version}\nMaintainer: Nobody <nobody@example.com>\n"
            f"Checksums-Sha256:\n {digest} {size} {tarball.name}\n"
            f"Files:\n {md5} {size} {tarball.name}\n")
        return {
            "version": version,
            "path": "pool/main",
            "files": {f.name: _sha256(f) for f in (description, tarball)},
        }

    def publish(self, suite=RELEASE):
        """Makes the index list what is in the pool now."""
        dists = self.root / "dists" / suite
        entries = []
        for tool, kind, file in (
                ("dpkg-scanpackages", "deb", "main/binary-amd64/Packages"),
                ("dpkg-scansources", "dsc", "main/source/Sources")):
            # Each of the two takes longer to start than apt takes to read what it writes.
            scanned = "" if not any((self.root / "pool/main").glob(f"*.{kind}")) else subprocess.run(
                [tool, "pool"], cwd=self.root, check=True, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            path = dists / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(scanned)
            entries.append(f" {_sha256(path)} {path.stat().st_size} {file}\n")
        (dists / "Release").write_text(
            f"Origin: {self.origin}\nSuite: {suite}\nCodename: {suite}\n"
            "Architectures: amd64\nComponents: main\n"
            "Date: Thu, 01 Jan 2026 00:00:00 UTC\nSHA256:\n" + "".join(entries))

    def remove(self, pin):
        """Takes a package's files out of the pool, as Debian does after an update."""
        for path in [pin["path"]] if "sha256" in pin else [f"{pin['path']}/{f}" for f in pin["files"]]:
            (self.root / path).unlink()
