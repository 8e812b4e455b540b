"""What fetching Debian packages does when all is well, and what it says when it is not."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import command_for_tests
import debian
import fetch
import store
from mirror_for_tests import RELEASE, Mirror


class _BreaksOffAtFirst:
    """Stands in for apt: the first mirror's connection ends early, as apt-helper reports it."""

    def __init__(self, content):
        self._content = content
        self.asked = []

    def bases(self):
        return ["first", "second"]

    def download_from_pool(self, base, wanted, folder):
        self.asked.append(base)
        broken = base == "first"
        for name in wanted:
            received = self._content[:100] if broken else self._content
            (pathlib.Path(folder) / name).write_bytes(received)
        return subprocess.CompletedProcess([], 100 if broken else 0, stdout="")


class DebianTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)
        self.mirror = Mirror(self.folder)
        self.cache = self.folder / "cache"
        self.out = self.folder / "out"
        self.out.mkdir()

    def fetch(
            self, binaries=None, sources=None, allow_unlocked=False, cache=None, run=command_for_tests.run):
        request = self.folder / "request.json"
        request.write_text(json.dumps(
            {"release": RELEASE, "binaries": binaries or {}, "sources": sources or {}}))
        environ = dict(
            os.environ, BYOSHIN_DOWNLOAD_CACHE=str(cache or self.cache),
            BYOSHIN_APT_SOURCES=str(self.mirror.etc), BYOSHIN_ALLOW_UNLOCKED_PACKAGES="1" if allow_unlocked else "")
        return run(fetch, ["debian", request, self.out], environ)

    def assert_fetched(self, result, warning=None):
        self.assertEqual(0, result.returncode, result.stderr)
        if warning is None:
            self.assertEqual("", result.stdout)
        else:
            self.assertIn(warning, result.stdout)

    def assert_refused(self, result, *parts):
        self.assertEqual(1, result.returncode, result.stdout)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def version_of_binary(self, name):
        unpacked = self.folder / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        subprocess.run(["dpkg-deb", "-x", self.out / f"binaries/{name}.deb", unpacked], check=True)
        return (unpacked / "usr/share" / name / "version").read_text()

    def version_of_source(self, name):
        unpacked = self.folder / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        subprocess.run(
            ["dpkg-source", "--no-check", "-x", self.out / f"sources/{name}/{name}.dsc", unpacked],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return (unpacked / "version").read_text()

    def test_tells_whether_the_machine_has_debian_sources(self):
        def ask():
            return command_for_tests.run(
                fetch, ["debian-sources", "bookworm"], dict(os.environ, BYOSHIN_APT_SOURCES=str(self.mirror.etc)))

        self.assertEqual(0, ask().returncode)
        shutil.rmtree(self.mirror.etc)
        self.assert_refused(ask(), "No Debian source found")

    def test_takes_packages_from_the_pool_without_an_index(self):
        binary = self.mirror.add_binary("libfoo-dev", "1:1.0-1")
        source = self.mirror.add_source("foo", "2.0")
        self.assert_fetched(self.fetch(
            {"libfoo-dev": binary}, {"foo": source}, run=command_for_tests.run_as_process))
        self.assertEqual("1:1.0-1", self.version_of_binary("libfoo-dev"))
        self.assertEqual("2.0", self.version_of_source("foo"))

    def test_asks_the_index_when_the_file_has_moved_in_the_pool(self):
        binary = self.mirror.add_binary("libfoo-dev", "1:1.0-1")
        source = self.mirror.add_source("foo", "2.0")
        self.mirror.publish()
        binary["path"] = "pool/elsewhere/libfoo-dev_1.0-1_amd64.deb"
        source["path"] = "pool/elsewhere"
        self.assert_fetched(self.fetch({"libfoo-dev": binary}, {"foo": source}))
        self.assertEqual("1:1.0-1", self.version_of_binary("libfoo-dev"))
        self.assertEqual("2.0", self.version_of_source("foo"))

    def test_a_warm_cache_needs_no_mirror(self):
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        source = self.mirror.add_source("foo", "2.0")
        self.assert_fetched(self.fetch({"libfoo-dev": binary}, {"foo": source}))
        shutil.rmtree(self.mirror.root)
        shutil.rmtree(self.mirror.etc)
        self.assert_fetched(self.fetch({"libfoo-dev": binary}, {"foo": source}))

    def test_a_damaged_cache_is_fetched_anew(self):
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        self.assert_fetched(self.fetch({"libfoo-dev": binary}))
        # Not through the file itself, which the repository shares.
        damaged = self.cache / "files" / binary["sha256"]
        damaged.unlink()
        damaged.write_text("garbage")
        self.assert_fetched(self.fetch({"libfoo-dev": binary}))
        self.assertEqual("1.0-1", self.version_of_binary("libfoo-dev"))

    def test_refuses_a_binary_with_another_digest(self):
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        found = binary["sha256"]
        binary["sha256"] = "0" * 64
        self.assert_refused(
            self.fetch({"libfoo-dev": binary}, run=command_for_tests.run_as_process),
            "libfoo-dev 1.0-1", "refused", "expected sha256 " + "0" * 64, "found    sha256 " + found)

    def test_refuses_a_source_with_another_digest(self):
        source = self.mirror.add_source("foo", "2.0")
        found = source["files"]["foo_2.0.tar.gz"]
        source["files"]["foo_2.0.tar.gz"] = "0" * 64
        self.assert_refused(
            self.fetch(sources={"foo": source}),
            "foo 2.0", "foo_2.0.tar.gz", "expected sha256 " + "0" * 64, "found    sha256 " + found)

    def test_names_the_right_file_of_a_source_from_the_index(self):
        for name, file in (("foo", "foo_2.0.dsc"), ("bar", "bar_2.0.tar.gz")):
            source = self.mirror.add_source(name, "2.0")
            self.mirror.publish()
            found = source["files"][file]
            source["files"][file] = "0" * 64
            source["path"] = "pool/elsewhere"
            self.assert_refused(
                self.fetch(sources={name: source}),
                f"{file} is not what the lock says", "found    sha256 " + found)

    def test_says_so_when_a_source_has_no_such_file(self):
        source = self.mirror.add_source("foo", "2.0")
        self.mirror.publish()
        source["files"]["foo_2.0.orig.tar.gz"] = "0" * 64
        source["path"] = "pool/elsewhere"
        self.assert_refused(
            self.fetch(sources={"foo": source}),
            "foo_2.0.orig.tar.gz is not what the lock says", "found    no such file")

    def test_refuses_another_digest_from_the_index_too(self):
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        self.mirror.publish()
        binary.update(path="pool/elsewhere/x.deb", sha256="0" * 64)
        self.assert_refused(self.fetch({"libfoo-dev": binary}), "expected sha256 " + "0" * 64)

    def test_says_what_to_do_when_the_mirror_is_out_of_reach(self):
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        shutil.rmtree(self.mirror.root)
        self.assert_refused(
            self.fetch({"libfoo-dev": binary}),
            "Can't fetch libfoo-dev 1.0-1", "apt-get update", str(self.cache))

    def test_says_what_to_do_without_any_debian_source(self):
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        (self.mirror.etc / "sources.list").write_text("deb https://example.com nodistro main\n")
        self.assert_refused(
            self.fetch({"libfoo-dev": binary}), "No Debian source", "registry mode", "Bazelisk")

    def test_says_so_when_the_security_updates_are_out_of_reach(self):
        gone = self.mirror.add_binary("libfoo-dev", "1.0-1")
        self.mirror.remove(gone)
        self.mirror.add_binary("libfoo-dev", "1.0-2")
        self.mirror.publish()
        self.mirror.add_other("security", f"{RELEASE}-security", "Debian")
        self.assert_refused(
            self.fetch({"libfoo-dev": gone}),
            "Can't fetch libfoo-dev 1.0-1", f"index of {RELEASE}-security can't be read")

    def test_takes_nothing_from_a_vendor_that_calls_its_suite_like_debian(self):
        gone = self.mirror.add_binary("libfoo-dev", "1.0-1")
        self.mirror.remove(gone)
        self.mirror.add_binary("libfoo-dev", "1.0-2")
        self.mirror.publish()
        vendor = self.mirror.add_other("other-vendor", RELEASE, "Example Inc.")
        vendor.add_binary("libfoo-dev", "9.0")
        vendor.publish()
        self.assert_fetched(self.fetch({"libfoo-dev": gone}, allow_unlocked=True), "version 1.0-2 stands in")
        self.assertEqual("1.0-2", self.version_of_binary("libfoo-dev"))

    def test_a_mirror_may_have_another_name_for_itself(self):
        (self.mirror.etc / "sources.list").write_text("")
        mirror = self.mirror.add_other("company", RELEASE, "Example Inc.")
        binary = mirror.add_binary("libfoo-dev", "1.0-1")
        mirror.publish()
        binary["path"] = "pool/elsewhere/x.deb"
        self.assert_fetched(self.fetch({"libfoo-dev": binary}))

    def test_goes_on_to_the_next_mirror_when_a_download_breaks_off(self):
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        content = (self.mirror.root / binary["path"]).read_bytes()
        package = debian.Package("binary", "libfoo-dev", binary)
        client = _BreaksOffAtFirst(content)
        fetcher = debian.Fetcher(
            store.Store(self.cache), lambda _: client, allow_unlocked=False, warn=self.fail)
        (path,) = fetcher.fetch([package])[package].values()
        self.assertEqual(content, path.read_bytes())
        self.assertEqual(["first", "second"], client.asked)

    def test_says_so_when_the_cache_is_not_a_folder_to_write_to(self):
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        self.cache.write_text("a file")
        self.assert_refused(
            self.fetch({"libfoo-dev": binary}),
            f"The download cache {self.cache} can't be used", "BYOSHIN_DOWNLOAD_CACHE")

    def test_refuses_a_cache_at_a_relative_path(self):
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        self.assert_refused(
            self.fetch({"libfoo-dev": binary}, cache="downloads"),
            "BYOSHIN_DOWNLOAD_CACHE is 'downloads', a relative path", "absolute")

    def test_takes_a_superseded_version_that_the_pool_still_has(self):
        old = self.mirror.add_binary("libfoo-dev", "1.0-1")
        self.mirror.add_binary("libfoo-dev", "1.0-2")
        self.mirror.publish()
        self.assert_fetched(self.fetch({"libfoo-dev": old}))
        self.assertEqual("1.0-1", self.version_of_binary("libfoo-dev"))

    def test_takes_the_current_version_of_a_binary_that_is_gone_if_allowed_and_warns(self):
        gone = self.mirror.add_binary("libfoo-dev", "1:1.0-1")
        self.mirror.remove(gone)
        self.mirror.add_binary("libfoo-dev", "1:1.0-2")
        self.mirror.publish()
        warning = "libfoo-dev 1:1.0-1 (binary package) has left the Debian mirror; version 1:1.0-2"
        result = self.fetch({"libfoo-dev": gone}, allow_unlocked=True)
        self.assert_fetched(result, warning)
        self.assertIn(debian.RELOCK, result.stdout)
        self.assertEqual("1:1.0-2", self.version_of_binary("libfoo-dev"))
        # The next build has it from the cache, and is told again.
        shutil.rmtree(self.mirror.root)
        self.assert_fetched(self.fetch({"libfoo-dev": gone}, allow_unlocked=True), warning)
        self.assertEqual("1:1.0-2", self.version_of_binary("libfoo-dev"))

    def test_takes_the_current_version_of_a_source_that_is_gone_if_allowed_and_warns(self):
        gone = self.mirror.add_source("foo", "2.0")
        self.mirror.remove(gone)
        self.mirror.add_source("foo", "2.1")
        self.mirror.publish()
        warning = "foo 2.0 (source package) has left the Debian mirror; version 2.1 stands in"
        self.assert_fetched(self.fetch(sources={"foo": gone}, allow_unlocked=True), warning)
        self.assertEqual("2.1", self.version_of_source("foo"))
        shutil.rmtree(self.mirror.root)
        self.assert_fetched(self.fetch(sources={"foo": gone}, allow_unlocked=True), warning)
        self.assertEqual("2.1", self.version_of_source("foo"))

    def test_looks_for_a_source_in_the_release_that_its_pin_names(self):
        self.mirror.add_source("foo", "2.0")
        self.mirror.publish()
        newer = self.mirror.add_source("foo", "9.0")
        self.mirror.publish("trixie")
        newer["path"] = "pool/elsewhere"
        self.assert_refused(self.fetch(sources={"foo": newer}), "has left the mirror's index and pool")
        newer["release"] = "trixie"
        self.assert_fetched(self.fetch(sources={"foo": newer}))
        self.assertEqual("9.0", self.version_of_source("foo"))

    def test_refuses_another_version_unless_it_is_allowed_also_from_the_cache(self):
        gone_binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        gone_source = self.mirror.add_source("foo", "2.0")
        self.mirror.remove(gone_binary)
        self.mirror.remove(gone_source)
        self.mirror.add_binary("libfoo-dev", "1.0-2")
        self.mirror.add_source("foo", "2.1")
        self.mirror.publish()
        for _ in range(2):
            for arguments in ({"binaries": {"libfoo-dev": gone_binary}}, {"sources": {"foo": gone_source}}):
                self.assert_refused(
                    self.fetch(**arguments),
                    "has left the mirror's index and pool", debian.ALLOW_VARIABLE, debian.RELOCK)
                self.assert_fetched(self.fetch(**arguments, allow_unlocked=True), "stands in")

    def test_the_command_that_moves_the_lock_needs_nothing_of_it(self):
        python, *arguments = debian.RELOCK.split()
        workspace = pathlib.Path(debian.__file__).parents[2]
        result = subprocess.run([python, *arguments, "--help"], cwd=workspace, check=True, capture_output=True, text=True)
        self.assertIn("--add-binary", result.stdout)

    def test_says_so_when_a_package_is_gone_for_good(self):
        gone = self.mirror.add_binary("libfoo-dev", "1.0-1")
        self.mirror.remove(gone)
        self.mirror.publish()
        self.assert_refused(
            self.fetch({"libfoo-dev": gone}, allow_unlocked=True), "libfoo-dev 1.0-1", "no other version is there")


if __name__ == "__main__":
    unittest.main()
