"""How compile_commands.py turns Bazel's command lines into those of an editor."""

import json
import pathlib
import tempfile
import unittest

import compile_commands

_FOLDERS = compile_commands.Folders("/workspace", "/base", "/base/execroot/byoshin/bazel-out")


def _action(source, *flags):
    return {"arguments": ["/base/external/local_config_cc/clang", *flags, "-c", source, "-o", "out.o"]}


def _entries(*actions):
    return compile_commands.entries(actions, _FOLDERS)


class CompileCommandsTest(unittest.TestCase):
    def flags(self, *flags):
        (entry,) = _entries(_action("core/a.cc", *flags))
        self.assertEqual(
            ["/base/external/local_config_cc/clang", "-Wno-unknown-warning-option"], entry["arguments"][:2])
        self.assertEqual(["-c", "core/a.cc"], entry["arguments"][-2:])
        return entry["arguments"][2:-2]

    def test_has_an_entry_for_each_file_of_the_workspace(self):
        found = _entries(_action("core/b.cc"), _action("core/a.cc"))
        self.assertEqual(["core/a.cc", "core/b.cc"], [entry["file"] for entry in found])
        self.assertEqual({"/workspace"}, {entry["directory"] for entry in found})

    def test_leaves_out_generated_and_outside_files(self):
        self.assertEqual([], _entries(_action("bazel-out/bin/a.pb.cc"), _action("external/curl/a.cc"), {}))

    def test_prefers_a_command_that_does_not_optimize(self):
        (entry,) = _entries(_action("core/a.cc", "-O2", "-DNDEBUG"), _action("core/a.cc"))
        self.assertNotIn("-O2", entry["arguments"])
        (entry,) = _entries(_action("core/a.cc", "-O2", "-DNDEBUG"))
        self.assertIn("-O2", entry["arguments"])

    def test_names_bazels_folders_by_absolute_paths(self):
        self.assertEqual(
            ["-iquote", ".", "-isystem", "/base/external/abseil-cpp/include",
             "-iquote", "/base/execroot/byoshin/bazel-out/k8/bin", "-I/base/external/zlib", "--sysroot=/base/external/s"],
            self.flags("-iquote", ".", "-isystem", "external/abseil-cpp/include", "-iquote", "bazel-out/k8/bin",
                       "-Iexternal/zlib", "--sysroot=external/s"))

    def test_drops_outputs_and_the_precompiled_header(self):
        self.assertEqual(
            ["-std=c++20", "-include", "/base/external/other/config.h"],
            self.flags("-MD", "-MF", "a.d", "-frandom-seed=a.o", "-fclang-abi-compat=17", "-std=c++20", "-Werror",
                       "-include", "bazel-out/k8/bin/external/precompiled/common.h",
                       "-include", "external/other/config.h"))

    def test_reads_manual_targets_too(self):
        with tempfile.TemporaryDirectory() as folder:
            asked = pathlib.Path(folder) / "asked"
            bazelw = pathlib.Path(folder) / "bazelw"
            bazelw.write_text(f"""#!/bin/sh
echo "$*" >> {asked}
case "$1" in
  query) echo //lambdas:sender ;;
  aquery) echo '{{"actions": [{{"arguments": ["clang", "-c", "lambdas/sender.cc"]}}]}}' ;;
  info) echo output_base: /base; echo output_path: /base/bazel-out ;;
esac
""")
            bazelw.chmod(0o755)
            (entry,) = compile_commands.read(folder, ["//..."])
            self.assertEqual("lambdas/sender.cc", entry["file"])
            built = [line for line in asked.read_text().splitlines() if line.startswith("build ")]
            self.assertEqual(1, len(built))
            self.assertTrue(built[0].endswith("-- //... //lambdas:sender"), built)

    def test_writes_the_file_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = compile_commands.write(_entries(_action("core/a.cc")), folder)
            self.assertEqual([path], list(pathlib.Path(folder).iterdir()))
            self.assertEqual("core/a.cc", json.loads(path.read_text())[0]["file"])


if __name__ == "__main__":
    unittest.main()
