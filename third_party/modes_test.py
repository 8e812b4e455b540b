"""Tests of modes.py, and the check of this workspace with it."""

import pathlib
import unittest

import modes

_DATA = {
    "flags": {"both": ["copt", "sandbox_debug"], "Bazel 7.7.1": ["enable_bzlmod"]},
    "registry_modules": {
        "abseil-cpp": {"version": "1", "seen": "main at 0123456789ab of 1 May 2026"},
        "jsoncpp": {"version": "1.bcr.1", "seen": "main at 0123456789ab of 1 May 2026"},
    },
    "registry_labels": ["@abseil-cpp//absl/time", "@jsoncpp"],
}
_MODULE = """
bazel_dep(name = "abseil-cpp", version = "1")
bazel_dep(name = "jsoncpp", version = "1.bcr.1")
use_repo(npm, "node")
"""
_ARCHIVE = """
    debian_archive(
        name = "abseil-cpp",
    )
    debian_source(name = "jsoncpp", package = "libjsoncpp")
    _archive("node", "node-linux-x64")
"""


def problems(build="", bazelrc="", module=_MODULE, data=None, quickjs=("2025-04-26", "2025.04.26")):
    return modes.find_problems(
        modes.Tree({"core/BUILD": build}, bazelrc, module, _ARCHIVE, data or _DATA, quickjs))


def with_modules(**changed):
    return dict(_DATA, registry_modules=dict(_DATA["registry_modules"], **changed))


class Problems(unittest.TestCase):

    def test_there_are_none_if_both_modes_know_everything(self):
        self.assertEqual(problems('deps = ["@abseil-cpp//absl/time", "@jsoncpp//:jsoncpp", "@node"]\n'
                                  'args = ["$(location @node//:node)"]\n# "@gone//:x"',
                                  "# --gone\nbuild --copt=--enable_bzlmod --nosandbox_debug"), [])

    def test_a_flag_that_one_version_lacks(self):
        self.assertEqual(problems(bazelrc="build:x --copt=-O0 --enable_bzlmod"),
                         [".bazelrc: --enable_bzlmod is known to Bazel 7.7.1 only"])

    def test_a_flag_that_nobody_has_looked_up(self):
        self.assertIn("look up whether both versions know it", problems(bazelrc="build --speed")[0])

    def test_a_repository_that_registry_mode_lacks(self):
        self.assertEqual(problems('deps = ["@sqlite3"]'),
                         ["core/BUILD: @sqlite3//:sqlite3: MODULE.bazel declares no sqlite3"])

    def test_a_target_that_the_registrys_module_is_not_known_to_have(self):
        self.assertIn("core/BUILD: @abseil-cpp//absl/hash:hash is not in",
                      problems('deps = ["@abseil-cpp//absl/hash"]')[0])

    def test_a_repository_that_archive_mode_lacks(self):
        data = with_modules(zlib={"version": "1", "seen": "main at 0123456789ab of 1 May 2026"})
        self.assertEqual(problems(module=_MODULE + 'bazel_dep(name = "zlib", version = "1")', data=data),
                         ["MODULE.bazel: archive mode has no repository zlib"])

    def test_a_version_that_nobody_has_seen_on_the_registrys_main_branch(self):
        for version in ("1.bcr.2", "1"):
            (problem,) = problems(module=_MODULE.replace('"1.bcr.1"', f'"{version}"'))
            self.assertIn(f"MODULE.bazel: jsoncpp {version} is not in third_party/modes.json", problem)

    def test_a_version_that_was_seen_in_a_pull_request_only(self):
        (problem,) = problems(data=with_modules(jsoncpp={"version": "1.bcr.1", "seen": "pull request 7"}))
        self.assertIn("'pull request 7', which is not on the registry's main branch", problem)

    def test_a_module_that_is_no_longer_used(self):
        data = with_modules(zlib={"version": "1", "seen": "main at 0123456789ab of 1 May 2026"})
        self.assertEqual(problems(data=data), ["third_party/modes.json: MODULE.bazel does not use zlib"])

    def test_another_quickjs_than_the_locks(self):
        self.assertEqual(problems(quickjs=("2025-04-26", "2026.06.04")),
                         ["third_party/extensions.bzl: downloads QuickJS 2025-04-26, but the lock has 2026.06.04"])


class ThisWorkspace(unittest.TestCase):

    def test_builds_in_both_modes_as_far_as_its_files_tell(self):
        # The file that the runfiles' link leads to.
        tree = modes.Tree.read(pathlib.Path(__file__).resolve().parent.parent)
        self.assertGreater(len(tree.build_files), 50)
        self.assertEqual(modes.find_problems(tree), [])


if __name__ == "__main__":
    unittest.main()
