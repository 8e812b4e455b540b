"""Runs clang-tidy, with the checks of .clang-tidy, on the C++ libraries and programs below some folders.

    ./bazelw run //tools:tidy [-- FOLDERS...]

FOLDERS default to what CI checks. Files are checked as archive mode compiles them, those of a target as one: that
takes a fraction of the time, since most of it goes into headers. Tests are exempt.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import compile_commands

_DEFAULT = ["core", "local/gateway"]
_FINDING = re.compile(r"^\S+:\d+:\d+: (?:warning|error): ")


def targets_of(folders):
    return [f"//{os.path.normpath(folder)}/..." for folder in folders]


def units(actions, folders):
    """The translation units of the actions, as entries of compile_commands.json."""
    found = {}
    for action in actions:
        arguments = compile_commands.command(action["arguments"], folders)
        file = arguments[arguments.index("-c") + 1]
        found[file] = {"directory": folders.workspace, "file": file, "arguments": arguments}
    return list(found.values())


def findings(output):
    """The findings of a run of clang-tidy, each with the lines that show its place."""
    found = []
    for line in output.splitlines():
        if _FINDING.match(line):
            found.append(line)
        elif found:
            found[-1] += "\n" + line
    return found


def _check(clang_tidy, database, unit):
    # --config-file: a unit may be a generated file, outside the workspace.
    result = subprocess.run(
        [clang_tidy, "--quiet", "--config-file=.clang-tidy", "-p", database, unit["file"]], cwd=unit["directory"],
        check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    found = findings(result.stdout)
    if result.returncode != 0 and not found:
        found = [f"clang-tidy failed on {unit['file']}:\n{result.stdout}{result.stderr}"]
    return found


def check(clang_tidy, checked):
    """What clang-tidy finds in the units, without what another unit has shown already."""
    with tempfile.TemporaryDirectory() as database:
        compile_commands.write(checked, database)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            results = threads.map(lambda unit: _check(clang_tidy, database, unit), checked)
            return list(dict.fromkeys(finding for found in results for finding in found))


def main(argv):
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        print("Run this with ./bazelw run //tools:tidy.", file=sys.stderr)
        return 1
    clang_tidy = os.path.abspath(argv[1])
    folders = argv[2:] or _DEFAULT
    for folder in folders:
        if not (pathlib.Path(workspace) / folder).is_dir():
            print(f"{folder} is not a folder of {workspace}.", file=sys.stderr)
            return 1
    targets = targets_of(folders)
    query = f'kind("cc_(library|binary) rule", {" + ".join(targets)})'
    try:
        actions = compile_commands.actions_of(workspace, targets, query)
    except subprocess.CalledProcessError as error:
        print(f"Bazel failed, see above: {' '.join(error.cmd)}", file=sys.stderr)
        return 1
    checked = units(actions, compile_commands.folders_of(workspace))
    found = check(clang_tidy, checked)
    print("".join(finding + "\n" for finding in found), end="")
    print(f"clang-tidy: {len(found)} findings in {len(checked)} translation units of {', '.join(folders)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
