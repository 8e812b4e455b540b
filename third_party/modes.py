"""Finds what would build in one build mode only (docs/decisions/0001-two-build-modes.md), without running Bazel.

    problems = find_problems(Tree.read("/path/of/the/workspace"))

A machine that builds in archive mode usually can't reach the Bazel Central Registry, and the other way round; so what
the other mode knows is data: modes.json lists the flags of both Bazels, the versions of the registry's modules and their
labels. A version counts only if it was seen on the main branch of the registry's repository: a search finds pull
requests, too.
"""

import json
import pathlib
import re

# Part of Bazel itself, or of this repository under its own name.
_BUILT_IN = {"bazel_tools", "byoshin", "platforms"}
# Files that only archive mode reads, and the BUILD files of its repositories.
_ARCHIVE_ONLY = ("third_party/deps.bzl", "third_party/overlays/", "third_party/bazel/", "third_party/defs.bzl")

_LABEL = re.compile(r'@([A-Za-z0-9_.-]+)(?://([A-Za-z0-9_./+-]*)(?::([A-Za-z0-9_./+-]+))?)?')
# As a string of its own, or in "$(location @node)".
_LABEL_IN_FILE = re.compile(rf'(?:(?<=")|(?<=location )){_LABEL.pattern}(?=[")])')
_FLAG = re.compile(r"(?:^|\s)--([a-z_]+)")
_BAZEL_DEP = re.compile(r'bazel_dep\(\s*name = "([^"]+)",\s*version = "([^"]*)"')
_SEEN_ON_MAIN = re.compile(r"main at [0-9a-f]{12} of \d+ [A-Z][a-z]+ \d{4}")
_QUICKJS_RELEASE = re.compile(r'^_QUICKJS_RELEASE = "([^"]+)"', re.MULTILINE)
_QUICKJS_LOCKED = re.compile(r'"quickjs": \{[^}]*?"version": "([^"]+)-[^-"]+"')
_USE_REPO = re.compile(r"use_repo\(([^)]*)\)")
_QUOTED = re.compile(r'"([^"]+)"')
# A repository of archive mode: name = "x" in a call, or the first argument of one of the local functions.
_DECLARED = re.compile(r'(?:\bname = |_archive\(|_alias_repository\(|_tool\(|_tree\()"([A-Za-z0-9_.-]+)"')
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)


def canonical(label):
    """"@jsoncpp" and "@abseil-cpp//absl/time" in full: "@jsoncpp//:jsoncpp", "@abseil-cpp//absl/time:time"."""
    repository, package, target = _LABEL.fullmatch(label).groups()
    package = package or ""
    return f"@{repository}//{package}:{target or package.rpartition('/')[2] or repository}"


def labels_in(text):
    """The labels of other repositories in a BUILD or .bzl file."""
    found = {canonical(match.group(0)) for match in _LABEL_IN_FILE.finditer(_COMMENT.sub("", text))}
    return {label for label in found if label[1:].split("//")[0] not in _BUILT_IN}


def flags_in(text):
    """The names of the flags in a .bazelrc, without "no"."""
    found = set()
    for line in _COMMENT.sub("", text).splitlines():
        # What follows "=" is the flag's value, which may look like a flag: --copt=-O0.
        found |= set(_FLAG.findall(re.sub(r"=\S*", "", line)))
    return found


def modules_of(text):
    """The modules, {name: version}, and the extensions' repositories that a MODULE.bazel declares."""
    modules = dict(_BAZEL_DEP.findall(text))
    repositories = {name for names in _USE_REPO.findall(text) for name in _QUOTED.findall(names)}
    return modules, repositories


class Tree:
    """What the checks read of a workspace."""

    def __init__(self, build_files, bazelrc, module, archive, data, quickjs=("", "")):
        self.build_files = build_files  # {path: text}
        self.bazelrc = bazelrc
        self.module = module
        self.archive = archive  # the text of the files that declare archive mode's repositories
        self.data = data
        self.quickjs = quickjs  # the release that registry mode downloads, and the lock's

    @staticmethod
    def read(folder):
        root = pathlib.Path(folder)
        # One level of globbing at a time: bazel-* links lead out of the workspace.
        tops = [path for path in root.iterdir()
                if path.is_dir() and not path.name.startswith((".", "bazel-"))]
        files = [root / "BUILD"] + [file for top in tops for pattern in ("BUILD", "*.bzl") for file in top.rglob(pattern)]
        build_files = {str(file.relative_to(root)): file.read_text() for file in files}
        archive = "".join(
            (root / "third_party" / name).read_text() for name in ("deps.bzl", "npm_deps.bzl", "debian_tools.bzl"))
        quickjs = (_QUICKJS_RELEASE.search(build_files["third_party/extensions.bzl"]).group(1),
                   _QUICKJS_LOCKED.search(build_files["third_party/lock.bzl"]).group(1))
        return Tree(
            {path: text for path, text in build_files.items() if not path.startswith(_ARCHIVE_ONLY)},
            (root / ".bazelrc").read_text(), (root / "MODULE.bazel").read_text(), archive,
            json.loads((root / "third_party" / "modes.json").read_text()), quickjs)


def _flag_problems(tree):
    flags = tree.data["flags"]
    for flag in sorted(flags_in(tree.bazelrc)):
        known = flag in flags["both"] or flag.removeprefix("no") in flags["both"]
        if not known:
            only = next((version for version in flags if version != "both" and flag in flags[version]), None)
            yield (f".bazelrc: --{flag} is known to {only} only" if only else
                   f".bazelrc: --{flag} is not in third_party/modes.json: look up whether both versions know it")


def _label_problems(tree):
    modules, repositories = modules_of(tree.module)
    known = {canonical(label) for label in tree.data["registry_labels"]}
    for path, text in sorted(tree.build_files.items()):
        for label in sorted(labels_in(text)):
            repository = label[1:].split("//")[0]
            if repository not in modules.keys() | repositories:
                yield f"{path}: {label}: MODULE.bazel declares no {repository}"
            elif repository in modules and label not in known:
                yield (f"{path}: {label} is not in third_party/modes.json: look up whether the registry's module has it")


def _module_problems(tree):
    modules, repositories = modules_of(tree.module)
    declared = set(_DECLARED.findall(tree.archive))
    for name in sorted((modules.keys() | repositories) - _BUILT_IN - declared):
        if not name.endswith("_packages"):
            yield f"MODULE.bazel: archive mode has no repository {name}"
    known = tree.data["registry_modules"]
    for name, version in sorted(modules.items()):
        if name not in known or known[name]["version"] != version:
            yield (f"MODULE.bazel: {name} {version} is not in third_party/modes.json: look up whether it is on the "
                   "registry's main branch (a pull request is not enough), and say there where you saw it")
    for name, module in sorted(known.items()):
        if not _SEEN_ON_MAIN.fullmatch(module["seen"]):
            yield f"third_party/modes.json: {name} was seen at '{module['seen']}', which is not on the registry's main branch"
        if name not in modules:
            yield f"third_party/modes.json: MODULE.bazel does not use {name}"


def _quickjs_problems(tree):
    downloaded, locked = tree.quickjs
    if downloaded.replace("-", ".") != locked:
        yield f"third_party/extensions.bzl: downloads QuickJS {downloaded}, but the lock has {locked}"


def find_problems(tree):
    """What is wrong, a line each."""
    return [*_flag_problems(tree), *_label_problems(tree), *_module_problems(tree), *_quickjs_problems(tree)]
