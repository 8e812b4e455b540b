"""Tests of gcc.py."""

import pathlib
import tempfile
import unittest

import gcc


class Command(unittest.TestCase):

    def test_keeps_headers_and_definitions_and_drops_what_only_clang_knows(self):
        made = gcc.command("g++-12", [
            "/path/clang", "-Wno-unknown-warning-option", "-fPIC", "-Wthread-safety", "-Wall", "-iquote", ".",
            "-isystem", "/x/include", "-std=c++20", "-DFOO=1", "--sysroot=/y", "-Wno-sign-compare", "-c", "a.cc"
        ])
        self.assertEqual(made, [
            "g++-12", "-Wno-unknown-warning-option", "-iquote", ".", "-isystem", "/x/include", "-std=c++20", "-DFOO=1",
            "-Wno-sign-compare", "-c", "a.cc", "-Wall", "-Wextra", "-Werror", "-O0", "-o", "/dev/null"
        ])


class Check(unittest.TestCase):

    def test_reports_the_files_that_the_compiler_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            compiler = pathlib.Path(folder) / "g++"
            compiler.write_text('#!/bin/sh\ncase "$*" in *bad.cc*) echo "bad.cc: no"; exit 1;; esac\n')
            compiler.chmod(0o755)
            entries = [{"directory": folder, "file": file, "arguments": ["clang", "-c", file]}
                       for file in ("good.cc", "bad.cc")]
            self.assertEqual(gcc.check(str(compiler), entries), ["bad.cc: no\n"])


class Folders(unittest.TestCase):

    def test_a_file_is_below_its_folder_and_not_below_one_with_a_similar_name(self):
        self.assertTrue(gcc.is_below("core/http/a.cc", ["core/http/"]))
        self.assertFalse(gcc.is_below("core/http2/a.cc", ["core/http"]))
        self.assertTrue(gcc.is_below("core/http/a.cc", []))


if __name__ == "__main__":
    unittest.main()
