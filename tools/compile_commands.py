"""Writes compile_commands.json, which editors (clangd) and clang-tidy read.

    ./bazelw run //tools:compile_commands [-- TARGETS...]

TARGETS default to //...; what they depend on is included. Each source file has an entry of its own, although archive
mode compiles the files of a target as one, and no entry uses the precompiled header.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

_FILE = "compile_commands.json"
# The flag that an argument of its own follows.
_WITH_VALUE = {"-MF", "-o", "-include"}
# Outputs, and options that only the compiler of the build supports.
_DROPPED = re.compile(
    r"-MD|-frandom-seed=.*|-fclang-abi-compat=.*|-fno-canonical-system-headers|-Werror|-Xclang|-fno-pch-timestamp")
_BAZELS_PATH = re.compile(r"(-I|-iquote|-isystem|--sysroot=)?(external|bazel-out)/")


class Folders:
    """Where Bazel keeps what the command lines name by paths relative to its execution root."""

    def __init__(self, workspace, output_base, output_path):
        self.workspace = workspace
        self._roots = {"external": output_base + "/external/", "bazel-out": output_path + "/"}

    def absolute(self, argument):
        found = _BAZELS_PATH.match(argument)
        if not found:
            return argument
        return (found.group(1) or "") + self._roots[found.group(2)] + argument[found.end():]


def _is_dropped(flag, value):
    """Whether a flag with a separate value is: a file that the compiler writes, or the precompiled header."""
    return flag != "-include" or "/precompiled" in value


def command(arguments, folders):
    """A compiler's command line as tools can run it in the workspace."""
    kept, rest = [], iter(arguments)
    for argument in rest:
        if argument in _WITH_VALUE:
            value = next(rest)
            if not _is_dropped(argument, value):
                kept += [argument, folders.absolute(value)]
        elif not _DROPPED.fullmatch(argument):
            kept.append(folders.absolute(argument))
    # Warnings of a compiler other than the reader's.
    return kept[:1] + ["-Wno-unknown-warning-option"] + kept[1:]


def _source(arguments):
    return arguments[arguments.index("-c") + 1] if "-c" in arguments else None


def entries(actions, folders):
    """An entry for each source file of the workspace, preferably from a command line that does not optimize."""
    found = {}
    for arguments in sorted((action.get("arguments", []) for action in actions), key=lambda all: "-DNDEBUG" in all):
        source = _source(arguments)
        if source and not source.startswith(("external/", "bazel-out/")):
            found.setdefault(source, {
                "directory": folders.workspace,
                "file": source,
                "arguments": command(arguments, folders),
            })
    return [found[source] for source in sorted(found)]


def _bazel(workspace, *arguments):
    return subprocess.run(
        [os.path.join(workspace, "bazelw"), *arguments], cwd=workspace, check=True, stdout=subprocess.PIPE).stdout


def folders_of(workspace):
    lines = _bazel(workspace, "info", "output_base", "output_path").decode().splitlines()
    known = dict(line.split(": ", 1) for line in lines)
    return Folders(workspace, known["output_base"], known["output_path"])


def actions_of(workspace, targets, query, flags=()):
    """What compiles the files of the targets that `query` finds; builds the headers of `targets` that are generated."""
    quiet = ["--noshow_progress", "--ui_event_filters=-info"]
    _bazel(workspace, "build", *quiet, "--output_groups=compilation_prerequisites_INTERNAL_", "--", *targets)
    answer = _bazel(
        workspace, "aquery", *quiet, *flags, "--output=jsonproto", f'mnemonic("CppCompile", {query})')
    return json.loads(answer).get("actions", [])


def manual_query(targets):
    """Finds the C++ targets that the patterns leave out when they are built: those tagged `manual`."""
    return f'attr(tags, "\\bmanual\\b", kind("cc_(binary|library|test) rule", {" + ".join(targets)}))'


def read(workspace, targets):
    """The entries of `targets` and of what they depend on."""
    # A function's program is manual: its zip builds it, optimized, in a configuration whose generated headers nobody has
    # made yet if the zip has not been built.
    found = _bazel(workspace, "query", "--noshow_progress", "--ui_event_filters=-info", manual_query(targets))
    targets = [*targets, *found.decode().split()]
    query = f'filter("^//", deps({" + ".join(targets)}))'
    # What --config=separate stands for: a command line for each file.
    actions = actions_of(workspace, targets, query, ["--define=files=separate"])
    return entries(actions, folders_of(workspace))


def write(found, folder):
    """Writes the file aside and renames it: an editor never sees half of it."""
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=_FILE)
    with os.fdopen(handle, "w") as file:
        json.dump(found, file, indent=1)
    os.chmod(temporary, 0o644)
    path = pathlib.Path(folder) / _FILE
    os.replace(temporary, path)
    return path


def main(argv):
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        print("Run this with ./bazelw run //tools:compile_commands.", file=sys.stderr)
        return 1
    try:
        found = read(workspace, argv[1:] or ["//..."])
    except subprocess.CalledProcessError as error:
        print(f"Bazel failed, see above: {' '.join(error.cmd)}", file=sys.stderr)
        return 1
    print(f"{write(found, workspace)}: {len(found)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
