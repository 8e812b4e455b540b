"""What fetching npm packages does when all is well, and what it says when it is not."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import command_for_tests
import fetch
import npm
from registry_for_tests import Registry


class NpmTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cache = self.folder / "cache"
        self.registry = Registry(self.folder)

    def fetch(self, *arguments, path=None, run=command_for_tests.run):
        environ = dict(
            os.environ, BYOSHIN_DOWNLOAD_CACHE=str(self.cache), HOME=str(self.folder),
            npm_config_registry=self.registry.url, npm_config_fetch_retries="0",
            npm_config_omit_lockfile_registry_resolved="true")
        if path is not None:
            environ["PATH"] = path
        return run(fetch, arguments, environ)

    def fetch_archive(self, integrity, version="1.0.0", **kwargs):
        return self.fetch(
            "npm-archive", "tiny", version, integrity, self.folder / "tiny.tgz", **kwargs)

    def fetch_tree(self, integrity, locked="1.0.0", wanted="1.0.0"):
        manifest = {"name": "tree", "version": "0.0.0", "dependencies": {"tiny": wanted}}
        lock = {
            "name": "tree", "version": "0.0.0", "lockfileVersion": 3, "requires": True,
            "packages": {
                "": {"name": "tree", "version": "0.0.0", "dependencies": {"tiny": locked}},
                "node_modules/tiny": {"version": locked, "integrity": integrity},
            },
        }
        (self.folder / "package.json").write_text(json.dumps(manifest))
        (self.folder / "package-lock.json").write_text(json.dumps(lock))
        self.out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        return self.fetch(
            "npm-tree", self.folder / "package.json", self.folder / "package-lock.json", self.out)

    def assert_fetched(self, result):
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual("", result.stdout)

    def assert_refused(self, result, *parts):
        self.assertEqual(1, result.returncode, result.stdout)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_fetches_an_archive_once(self):
        integrity = self.registry.add("tiny", "1.0.0")
        with self.registry:
            self.assert_fetched(self.fetch_archive(integrity))
        self.assertGreater(self.registry.requests, 0)
        (self.folder / "tiny.tgz").unlink()
        self.assert_fetched(self.fetch_archive(integrity))  # The registry is gone by now.
        self.assertTrue((self.folder / "tiny.tgz").is_file())

    def put_stand_in_for_npm(self, archive):
        """A PATH with an npm that packs `archive` whatever it is asked for, and starts faster."""
        programs = self.folder / "programs"
        programs.mkdir()
        npm_command = programs / "npm"
        npm_command.write_text(f"#!/bin/sh\nexec cp '{archive}' .\n")
        npm_command.chmod(0o755)
        return f"{programs}:{os.environ['PATH']}"

    def test_refuses_an_archive_with_another_integrity(self):
        # That npm packs what the registry has is shown above; what counts is what becomes of it.
        found = self.registry.add("tiny", "1.0.0")
        path = self.put_stand_in_for_npm(self.folder / "tiny-1.0.0.tgz")
        result = self.fetch_archive("sha512-wrong", path=path)
        self.assert_refused(result, "tiny@1.0.0", "refused", "expected sha512-wrong", f"found    {found}")
        self.assertFalse((self.folder / "tiny.tgz").exists())

    def test_names_a_version_that_the_registry_does_not_have(self):
        integrity = self.registry.add("tiny", "1.0.0")
        with self.registry:
            result = self.fetch_archive(integrity, version="9.9.9")
        self.assert_refused(result, "Can't fetch the npm package tiny@9.9.9")

    def test_says_what_to_do_when_the_registry_is_out_of_reach(self):
        with self.registry:
            pass
        self.assert_refused(
            self.fetch_archive("sha512-any"), "Can't fetch the npm package tiny@1.0.0", "npm ping",
            "BYOSHIN_DOWNLOAD_CACHE")

    def test_says_that_npm_is_missing(self):
        self.assert_refused(
            self.fetch_archive(
                "sha512-any", path=str(self.folder), run=command_for_tests.run_as_process),
            "npm is needed", "./bazelw")

    def test_installs_a_tree_and_again_without_the_registry(self):
        integrity = self.registry.add("tiny", "1.0.0")
        with self.registry:
            self.assert_fetched(self.fetch_tree(integrity))
        self.assertTrue((self.out / "node_modules/tiny/index.js").is_file())
        self.assert_fetched(self.fetch_tree(integrity))
        self.assertTrue((self.out / "node_modules/tiny/index.js").is_file())

    def test_refuses_a_tree_with_another_integrity(self):
        self.registry.add("tiny", "1.0.0")
        other = self.registry.add("other", "1.0.0")
        with self.registry:
            result = self.fetch_tree(other)
        self.assert_refused(result, "package-lock.json", "EINTEGRITY", "refused")

    def test_refuses_a_tree_whose_lock_does_not_match_its_manifest(self):
        integrity = self.registry.add("tiny", "1.0.0")
        with self.registry:
            result = self.fetch_tree(integrity, wanted="2.0.0")
        self.assert_refused(result, "EUSAGE", npm.RELOCK_TREE)

    def test_the_command_that_locks_a_tree_keeps_the_registry_out_of_the_lock(self):
        integrity = self.registry.add("tiny", "1.0.0")
        (self.folder / "package.json").write_text(
            json.dumps({"name": "tree", "version": "0.0.0", "dependencies": {"tiny": "1.0.0"}}))
        environ = dict(
            os.environ, HOME=str(self.folder), npm_config_registry=self.registry.url,
            npm_config_cache=str(self.cache))
        with self.registry:
            subprocess.run(
                npm.RELOCK_TREE.split(), cwd=self.folder, env=environ, check=True,
                stdout=subprocess.DEVNULL)
        lock = (self.folder / "package-lock.json").read_text()
        self.assertIn(integrity, lock)
        self.assertNotIn(self.registry.url, lock)

    def test_says_what_to_do_when_the_tree_is_out_of_reach(self):
        integrity = self.registry.add("tiny", "1.0.0")
        with self.registry:
            pass
        self.assert_refused(self.fetch_tree(integrity), "package-lock.json", "npm ping")


if __name__ == "__main__":
    unittest.main()
