"""Tests of modes.py, and the check of this workspace with it."""

import pathlib
import unittest

import modes

_DATA = {
    "flags": {"both": ["copt", "sandbox_debug"], "Bazel 7.7.1": ["enable_bzlmod"]},
    "registry_labels": ["@abseil-cpp//absl/time", "@jsoncpp"],
}
_MODULE = """
bazel_dep(name = "abseil-cpp", version = "1")
bazel_dep(name = "jsoncpp", version = "1")
use_repo(npm, "node")
"""
_ARCHIVE = """
    debian_archive(
        name = "abseil-cpp",
    )
    debian_source(name = "jsoncpp", package = "libjsoncpp")
    _archive("node", "node-linux-x64")
"""


def problems(build="", bazelrc="", module=_MODULE):
    return modes.find_problems(modes.Tree({"core/BUILD": build}, bazelrc, module, _ARCHIVE, _DATA))


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
        self.assertEqual(problems(module=_MODULE + 'bazel_dep(name = "zlib", version = "1")'),
                         ["MODULE.bazel: archive mode has no repository zlib"])


class ThisWorkspace(unittest.TestCase):

    def test_builds_in_both_modes_as_far_as_its_files_tell(self):
        # The file that the runfiles' link leads to.
        tree = modes.Tree.read(pathlib.Path(__file__).resolve().parent.parent)
        self.assertGreater(len(tree.build_files), 50)
        self.assertEqual(modes.find_problems(tree), [])


if __name__ == "__main__":
    unittest.main()
