"""What the repository rules of defs.bzl say when they can't go on.

Starlark is Python as far as defs.bzl goes, so the rules run here with stand-ins for what Bazel gives them: a machine
that lacks a program, or on which one fails.
"""

import json
import pathlib
import types
import unittest

_DEFS = pathlib.Path(__file__).with_name("defs.bzl")


class _Failed(Exception):
    """What fail() does: the rule ends with this message."""


class _Path(str):
    """A path of a repository rule, on a machine that has only what `existing` names."""

    existing = ()

    @property
    def exists(self):
        return self in self.existing

    @property
    def dirname(self):
        return "the parent of " + self


class _Machine:
    """The ctx of a repository rule: knows programs by name, and how each of them ends."""

    def __init__(self, programs, attributes, failing=None):
        self.name = "repository"
        self.attr = types.SimpleNamespace(**attributes)
        self.ran = []
        self.substitutions = {}
        self._programs = programs
        self._failing = failing or {}

    def which(self, program):
        return _Path("/bin/" + program) if program in self._programs else None

    def path(self, what):
        return _Path(what)

    def execute(self, argv, timeout):
        del timeout
        self.ran.append(argv)
        said = self._failing.get(pathlib.PurePath(argv[0]).name, "")
        return types.SimpleNamespace(return_code=1 if said else 0, stdout="", stderr=said)

    def template(self, path, _label, substitutions):
        self.substitutions[path] = substitutions

    def file(self, *_, **__):
        pass

    symlink = delete = extract = file


def _load():
    """The globals of defs.bzl; what repository_rule() gets is kept as the rule itself."""

    def fail(message):
        raise _Failed(message)

    attr = types.SimpleNamespace(**{
        kind: lambda **_: None
        for kind in ["label", "label_keyed_string_dict", "label_list", "string", "string_dict", "string_list",
                     "string_list_dict"]
    })
    known = {
        "Label": lambda label: label,
        "attr": attr,
        "fail": fail,
        "json": types.SimpleNamespace(decode=json.loads, encode=json.dumps),
        "repository_rule": lambda **rule: types.SimpleNamespace(**rule),
    }
    exec(compile(_DEFS.read_text(), _DEFS.name, "exec"), known)  # pylint: disable=exec-used
    return types.SimpleNamespace(**known)


_COMMON = {"build_file": None, "overlay": {}, "_scripts": ["fetch.py"]}

_DEBIAN_POOL = {"release": "bookworm", "binaries": {}, "sources": {}, **_COMMON}
_DEBIAN_ARCHIVE = {"packages": ["libssl-dev"], "pool": "debian", "strip_prefix": "usr",
                   "merge_archives": {"all.a": "lib/"}, "edits": {}, "aliases": {}, "aliases_actual": "",
                   "build_file_template": None, **_COMMON}
_DEBIAN_SOURCE = {"package": "curl", "pool": "debian", "patches": [], **_COMMON}
_NPM_ARCHIVE = {"package": "uplot", "version": "1.0.0", "integrity": "sha512-x", "inner_archive": "", **_COMMON}
_NPM_TREE = {"package_json": "package.json", "package_lock": "package-lock.json", **_COMMON}


class DefsTest(unittest.TestCase):
    def setUp(self):
        self.defs = _load()

    def refusal(self, rule, machine):
        with self.assertRaises(_Failed) as refused:
            getattr(self.defs, rule).implementation(machine)
        message = str(refused.exception)
        self.assertIn("@repository: ", message)
        return message

    def test_whatever_fetches_needs_python(self):
        for rule, attributes in [("debian_pool", _DEBIAN_POOL), ("npm_archive", _NPM_ARCHIVE), ("npm_tree", _NPM_TREE)]:
            with self.subTest(rule):
                message = self.refusal(rule, _Machine([], attributes))
                self.assertIn("python3 is needed to fetch packages; ./bazelw installs it", message)

    def test_the_systems_python_comes_before_the_paths(self):
        for existing, expected in [(("/usr/bin/python3",), "/usr/bin/python3"), ((), "/bin/python3")]:
            with self.subTest(expected):
                self.addCleanup(setattr, _Path, "existing", ())
                _Path.existing = existing
                machine = _Machine(["python3"], _DEBIAN_POOL)
                self.defs.debian_pool.implementation(machine)
                self.assertEqual(expected, machine.ran[0][0])

    def test_what_the_fetcher_says_is_passed_on(self):
        for rule, attributes in [("debian_pool", _DEBIAN_POOL), ("npm_archive", _NPM_ARCHIVE), ("npm_tree", _NPM_TREE)]:
            with self.subTest(rule):
                machine = _Machine(["python3"], attributes, failing={"python3": "the mirror is gone"})
                self.assertIn("the mirror is gone", self.refusal(rule, machine))

    def test_unpacking_needs_dpkg(self):
        message = self.refusal("debian_archive", _Machine([], _DEBIAN_ARCHIVE))
        self.assertIn("dpkg-deb is needed to unpack Debian packages", message)
        self.assertIn("./bazelw installs it (package dpkg)", message)
        self.assertIn("use registry mode", message)

        message = self.refusal("debian_source", _Machine([], _DEBIAN_SOURCE))
        self.assertIn("dpkg-source is needed to unpack Debian packages", message)
        self.assertIn("./bazelw installs it (package dpkg-dev)", message)

    def test_the_document_that_it_names_is_there(self):
        message = self.refusal("debian_source", _Machine([], _DEBIAN_SOURCE))
        document = next(word for word in message.split() if word.startswith("docs/")).rstrip(".")
        self.assertTrue((_DEFS.parent.parent / document).is_file(), document)

    def test_unpacking_that_fails_tells_why_and_what_to_do(self):
        for rule, program, attributes in [("debian_archive", "dpkg-deb", _DEBIAN_ARCHIVE),
                                          ("debian_source", "dpkg-source", _DEBIAN_SOURCE)]:
            with self.subTest(rule):
                machine = _Machine([program], attributes, failing={program: "No space left on device"})
                message = self.refusal(rule, machine)
                self.assertIn("No space left on device", message)
                self.assertIn("Is there room on the disk?", message)
                self.assertIn("./bazelw clean --expunge", message)

    def test_a_template_knows_the_folder_of_all_repositories(self):
        machine = _Machine(["dpkg-deb"], dict(_DEBIAN_ARCHIVE, build_file_template="clang.BUILD"))
        self.defs.debian_archive.implementation(machine)
        self.assertEqual({"BUILD.bazel": {"{EXTERNAL}": "the parent of ."}}, machine.substitutions)

    def test_packages_come_from_the_pool_that_is_named(self):
        machine = _Machine(["dpkg-deb"], dict(_DEBIAN_ARCHIVE, packages=["awscli"], pool="aws_clients_packages"))
        self.defs.debian_archive.implementation(machine)
        self.assertEqual(["dpkg-deb", "-x", "@aws_clients_packages//:binaries/awscli.deb", "unpacked"], machine.ran[0])
        machine = _Machine(["dpkg-source"], dict(_DEBIAN_SOURCE, pool="quickjs_packages"))
        self.defs.debian_source.implementation(machine)
        self.assertEqual("@quickjs_packages//:sources/curl/curl.dsc", machine.ran[0][-2])

    def test_a_tool_that_fails_afterwards_is_told_too(self):
        machine = _Machine(["dpkg-deb"], _DEBIAN_ARCHIVE, failing={"sh": "ar: not found"})
        self.assertIn("ar: not found", self.refusal("debian_archive", machine))
        machine = _Machine(["python3"], dict(_NPM_ARCHIVE, inner_archive="inner.tar"), failing={"sh": "tar: broken"})
        self.assertIn("tar: broken", self.refusal("npm_archive", machine))


if __name__ == "__main__":
    unittest.main()
