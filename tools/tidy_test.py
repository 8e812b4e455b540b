"""How tidy.py chooses what to check, and how it reads what clang-tidy prints."""

import os
import pathlib
import tempfile
import unittest

import compile_commands
import tidy

_OUTPUT = """core/a.h:3:5: error: something is wrong [bugprone-a,-warnings-as-errors]
    3 | int a;
      |     ^
core/a.cc:1:1: warning: something else is [bugprone-b]
"""


class TidyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folders = compile_commands.Folders(folder.name, "/base", "/base/bazel-out")

    def clang_tidy(self, script):
        path = self.folder / "clang-tidy"
        path.write_text("#!/bin/sh\n" + script)
        os.chmod(path, 0o755)
        return str(path)

    def units(self, *files):
        return tidy.units([{"arguments": ["clang", "-c", file, "-o", "o"]} for file in files], self.folders)

    def test_a_folder_stands_for_all_targets_below_it(self):
        self.assertEqual(["//core/...", "//local/gateway/..."], tidy.targets_of(["core/", "local/gateway"]))

    def test_a_unit_is_what_the_build_compiles(self):
        found = self.units("core/a.cc", "bazel-out/bin/core/b_together.cc")
        self.assertEqual(
            ["core/a.cc", "/base/bazel-out/bin/core/b_together.cc"], [unit["file"] for unit in found])

    def test_a_finding_has_the_lines_that_show_its_place(self):
        first, second = tidy.findings("12 warnings generated.\n" + _OUTPUT)
        self.assertEqual(3, len(first.splitlines()))
        self.assertEqual("core/a.cc:1:1: warning: something else is [bugprone-b]", second)

    def test_what_two_units_show_is_one_finding(self):
        program = self.clang_tidy(f"cat <<'END'\n{_OUTPUT}END\nexit 1\n")
        self.assertEqual(2, len(tidy.check(program, self.units("core/a.cc", "core/b.cc"))))

    def test_nothing_is_found_in_good_code(self):
        self.assertEqual([], tidy.check(self.clang_tidy("exit 0\n"), self.units("core/a.cc")))

    def test_a_clang_tidy_that_fails_is_a_finding(self):
        (found,) = tidy.check(self.clang_tidy("echo no such option >&2; exit 1\n"), self.units("core/a.cc"))
        self.assertIn("clang-tidy failed on core/a.cc", found)
        self.assertIn("no such option", found)


if __name__ == "__main__":
    unittest.main()
