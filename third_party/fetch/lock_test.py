"""Re-locking: the lock moves to what the mirror and npm have now, and says what moved."""

import os
import pathlib
import tempfile
import unittest

import command_for_tests
import lock
from mirror_for_tests import Mirror
from registry_for_tests import Registry


class LockTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.mirror = Mirror(self.folder)
        self.registry = Registry(self.folder)
        self.path = self.folder / "lock.bzl"

    def write(self, **tables):
        content = {"DEBIAN_RELEASE": "bookworm", "DEBIAN_BINARIES": {}, "DEBIAN_SOURCES": {}, "DEBIAN_TOOLS": {},
                   "NPM_ARCHIVES": {}}
        content.update(tables)
        self.path.write_text(lock.write_lock(content))

    def relock(self, *arguments, run=command_for_tests.run, **variables):
        environ = dict(
            os.environ, BYOSHIN_APT_SOURCES=str(self.mirror.etc), HOME=str(self.folder),
            npm_config_registry=self.registry.url, npm_config_cache=str(self.folder / "npm"),
            npm_config_fetch_retries="0")
        environ.update(variables)
        with self.registry:
            return run(lock, ["--lock", self.path, *arguments], environ)

    def test_moves_to_the_current_versions_and_says_so(self):
        old_binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        old_source = self.mirror.add_source("foo", "2.0")
        old_npm = {"version": "1.0.0", "integrity": self.registry.add("tiny", "1.0.0")}
        self.write(
            DEBIAN_BINARIES={"libfoo-dev": old_binary}, DEBIAN_SOURCES={"foo": old_source},
            NPM_ARCHIVES={"tiny": old_npm})
        new_binary = self.mirror.add_binary("libfoo-dev", "1.0-2")
        new_source = self.mirror.add_source("foo", "2.1")
        new_npm = {"version": "1.10.0", "integrity": self.registry.add("tiny", "1.10.0")}
        self.registry.add("tiny", "1.9.0")
        self.registry.add("tiny", "2.0.0")
        self.mirror.publish()
        result = self.relock()
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual(
            "libfoo-dev: 1.0-1 -> 1.0-2\nfoo: 2.0 -> 2.1\ntiny: 1.0.0 -> 1.10.0\n", result.stdout)
        after = lock.read_lock(self.path.read_text())
        self.assertEqual({"libfoo-dev": new_binary}, after["DEBIAN_BINARIES"])
        self.assertEqual({"foo": new_source}, after["DEBIAN_SOURCES"])
        self.assertEqual({"tiny": new_npm}, after["NPM_ARCHIVES"])

    def test_says_when_nothing_changed(self):
        self.write(DEBIAN_BINARIES={"libfoo-dev": self.mirror.add_binary("libfoo-dev", "1.0-1")})
        self.mirror.publish()
        before = self.path.read_text()
        result = self.relock(run=command_for_tests.run_as_process)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual("Nothing changed: the lock is current.\n", result.stdout)
        self.assertEqual(before, self.path.read_text())

    def test_adds_packages(self):
        self.write()
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        tool = self.mirror.add_binary("foo-tidy", "3.0-1")
        source = self.mirror.add_source("foo", "2.0")
        integrity = self.registry.add("tiny", "1.0.0")
        self.mirror.publish()
        result = self.relock(
            "--add-binary=libfoo-dev", "--add-source=foo", "--add-tool=foo-tidy", "--add-npm=tiny@1.0.0")
        self.assertEqual(0, result.returncode, result.stderr)
        after = lock.read_lock(self.path.read_text())
        self.assertEqual({"libfoo-dev": binary}, after["DEBIAN_BINARIES"])
        self.assertEqual({"foo": source}, after["DEBIAN_SOURCES"])
        self.assertEqual({"foo-tidy": tool}, after["DEBIAN_TOOLS"])
        self.assertEqual({"tiny": {"version": "1.0.0", "integrity": integrity}}, after["NPM_ARCHIVES"])

    def test_leaves_the_lock_alone_when_a_package_is_unknown(self):
        self.write(DEBIAN_BINARIES={"libgone-dev": {"version": "1", "path": "x", "sha256": "y"}})
        self.mirror.publish()
        before = self.path.read_text()
        result = self.relock(run=command_for_tests.run_as_process)
        self.assertEqual(1, result.returncode)
        self.assertIn("No binary package libgone-dev", result.stderr)
        self.assertEqual(before, self.path.read_text())

    def assert_refused(self, result, *parts):
        self.assertEqual(1, result.returncode, result.stdout)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_names_a_source_package_that_is_unknown(self):
        self.write()
        self.mirror.publish()
        self.assert_refused(self.relock("--add-source=gone"), "No source package gone in the index")

    def test_names_an_npm_package_that_is_unknown(self):
        self.write()
        self.mirror.publish()
        self.assert_refused(self.relock("--add-npm=gone@1.0.0"), "npm does not know gone@1.0.0")

    def test_names_an_npm_version_that_is_unknown(self):
        self.write()
        self.registry.add("tiny", "1.0.0")
        self.mirror.publish()
        self.assert_refused(self.relock("--add-npm=tiny@9.9.9"), "npm does not know tiny@9.9.9")

    def test_says_what_to_do_when_npm_is_out_of_reach(self):
        self.write()
        self.mirror.publish()
        result = self.relock("--add-npm=tiny@1.0.0", npm_config_registry="http://127.0.0.1:1")
        self.assert_refused(result, "Can't ask npm about tiny@1.0.0", "npm ping")
        self.assertNotIn("does not know", result.stderr)

    def test_says_what_to_do_when_the_mirror_is_out_of_reach(self):
        self.write()
        self.assert_refused(
            self.relock("--add-binary=libfoo-dev"),
            "Can't re-lock: the package index of bookworm can't be read", "apt-get update")

    def test_stays_within_the_release(self):
        self.write()
        binary = self.mirror.add_binary("libfoo-dev", "1.0-1")
        source = self.mirror.add_source("foo", "2.0")
        self.mirror.publish()
        for pocket in ("backports", "proposed-updates"):
            other = self.mirror.add_other(pocket, f"bookworm-{pocket}", "Debian")
            other.add_binary("libfoo-dev", "9.0-1")
            other.add_source("foo", "9.0")
            other.publish(f"bookworm-{pocket}")
        result = self.relock("--add-binary=libfoo-dev", "--add-source=foo")
        self.assertEqual(0, result.returncode, result.stderr)
        after = lock.read_lock(self.path.read_text())
        self.assertEqual({"libfoo-dev": binary}, after["DEBIAN_BINARIES"])
        self.assertEqual({"foo": source}, after["DEBIAN_SOURCES"])

    def test_takes_a_source_from_another_release_if_told_to(self):
        self.write()
        self.mirror.add_source("foo", "2.0")
        self.mirror.publish()
        newer = {"release": "trixie", **self.mirror.add_source("foo", "9.0")}
        self.mirror.publish("trixie")
        for arguments in (["--add-source=foo/trixie"], []):
            result = self.relock(*arguments)
            self.assertEqual(0, result.returncode, result.stderr)
            after = lock.read_lock(self.path.read_text())
            self.assertEqual({"foo": newer}, after["DEBIAN_SOURCES"])

    def test_takes_a_tool_from_another_release_if_told_to(self):
        self.write()
        older = self.mirror.add_binary("foo-tools", "2.0")
        self.mirror.publish()
        newer = {"release": "trixie", **self.mirror.add_binary("foo-tools", "9.0")}
        self.mirror.publish("trixie")
        for arguments in (["--add-tool=foo-tools", "--add-tool=foo-tools/trixie"], []):
            result = self.relock(*arguments)
            self.assertEqual(0, result.returncode, result.stderr)
            after = lock.read_lock(self.path.read_text())
            self.assertEqual({"foo-tools": older, "foo-tools/trixie": newer}, after["DEBIAN_TOOLS"])

    def test_stays_at_an_npm_version_if_told_to(self):
        self.write()
        pin = {"range": "=1.0.0", "version": "1.0.0", "integrity": self.registry.add("tiny", "1.0.0")}
        self.registry.add("tiny", "1.1.0")
        self.mirror.publish()
        for arguments in (["--add-npm=tiny@=1.0.0"], []):
            result = self.relock(*arguments)
            self.assertEqual(0, result.returncode, result.stderr)
            self.assertEqual({"tiny": pin}, lock.read_lock(self.path.read_text())["NPM_ARCHIVES"])

    def test_takes_updates_and_security(self):
        self.write()
        self.mirror.add_binary("libfoo-dev", "1.0-1")
        self.mirror.add_source("foo", "2.0")
        self.mirror.publish()
        updates = self.mirror.add_other("updates", "bookworm-updates", "Debian")
        binary = updates.add_binary("libfoo-dev", "1.0-2")
        updates.publish("bookworm-updates")
        security = self.mirror.add_other("security", "bookworm-security", "Debian")
        source = security.add_source("foo", "2.1")
        security.publish("bookworm-security")
        result = self.relock("--add-binary=libfoo-dev", "--add-source=foo")
        self.assertEqual(0, result.returncode, result.stderr)
        after = lock.read_lock(self.path.read_text())
        self.assertEqual({"libfoo-dev": binary}, after["DEBIAN_BINARIES"])
        self.assertEqual({"foo": source}, after["DEBIAN_SOURCES"])

    def test_the_checked_in_tree_of_npm_packages_names_no_registry(self):
        text = (pathlib.Path(__file__).parent.parent / "js_tools/package-lock.json").read_text()
        self.assertNotIn('"resolved"', text)

    def test_the_checked_in_lock_is_as_the_tool_writes_it(self):
        text = (pathlib.Path(__file__).parent.parent / "lock.bzl").read_text()
        self.assertEqual(text, lock.write_lock(lock.read_lock(text)))


if __name__ == "__main__":
    unittest.main()
