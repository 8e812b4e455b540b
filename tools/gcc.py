"""Compiles our C++ files with g++, each by itself, with warnings as errors.

    ./bazelw run //tools:gcc [-- --compiler=g++-12] [FOLDERS...]

Archive mode builds with clang, registry mode with the machine's compiler, which is often g++: this finds what only g++
complains about. The libraries are those of archive mode. FOLDERS default to the whole tree, which takes about a
quarter of an hour on two processors. Nothing is written.
"""

import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys

import compile_commands

_WITH_VALUE = ("-iquote", "-isystem", "-include")
_KEPT = ("-D", "-I", "-U", "-std=", "-Wno-")
# Not optimized, as in the ordinary build; the object is of no use.
_ADDED = ["-Wall", "-Wextra", "-Werror", "-O0", "-o", "/dev/null"]


def command(compiler, arguments):
    """What g++ gets of a command line of clang: what is compiled and where headers are, not how code is generated."""
    kept, rest = [], iter(arguments[1:])
    for argument in rest:
        if argument in _WITH_VALUE:
            kept += [argument, next(rest)]
        elif argument == "-c":
            kept += [argument, next(rest)]
        elif argument.startswith(_KEPT):
            kept.append(argument)
    return [compiler] + kept + _ADDED


def is_below(file, folders):
    return not folders or any(file.startswith(os.path.normpath(folder) + "/") for folder in folders)


def _compile(compiler, entry):
    result = subprocess.run(
        command(compiler, entry["arguments"]), cwd=entry["directory"], check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.stdout if result.returncode != 0 else ""


def check(compiler, entries):
    """The compiler's messages for each file that it refuses."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        return [output for output in threads.map(lambda entry: _compile(compiler, entry), entries) if output]


def main(argv):
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        print("Run this with ./bazelw run //tools:gcc.", file=sys.stderr)
        return 1
    parser = argparse.ArgumentParser(prog="gcc", description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    options = parser.parse_args(argv[1:])
    if not shutil.which(options.compiler):
        print(f"There is no {options.compiler} on this machine; apt-get install g++ brings one.", file=sys.stderr)
        return 1
    try:
        entries = compile_commands.read(workspace, ["//..."])
    except subprocess.CalledProcessError as error:
        print(f"Bazel failed, see above: {' '.join(error.cmd)}", file=sys.stderr)
        return 1
    entries = [entry for entry in entries if is_below(entry["file"], options.folders)]
    if not entries:
        print(f"There are no C++ files in {', '.join(options.folders)}.", file=sys.stderr)
        return 1
    refused = check(options.compiler, entries)
    print("".join(refused), end="")
    print(f"{options.compiler}: {len(refused)} of {len(entries)} files refused")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
