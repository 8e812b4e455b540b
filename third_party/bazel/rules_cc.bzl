"""Stands for rules_cc under Bazel 4.2.3, whose C++ rules are built in.

What it adds, since reading headers and instantiating templates is most of what compiling a file costs:
- a target of ours reads the headers that nearly all of our files include from a precompiled header
  (precompiled_header.bzl);
- the files of a target are compiled as one (compiled_together.bzl).

It also switches on a warning that only clang has.
"""

load("@byoshin//third_party/bazel:precompiled_header.bzl", "precompiled_header_options")
load(":compiled_together.bzl", "compiled_together")

def _precompiled(deps):
    tests = [dep for dep in deps if dep.startswith("@googletest//") or dep.startswith("@rapidcheck")]
    return "for_tests" if tests else "common"

# Checks the annotations of mutexes (core/sync/mutex.h). Here, not in .bazelrc, since only clang knows it.
_WARNINGS = ["-Wthread-safety"]

def _fast(rule, name, srcs = [], deps = [], copts = [], **attributes):
    # Third-party code is exempt. A target with its own options can't use a header that was compiled without them; and
    # if the dependencies are a select(), it is not known here whether the target is a test.
    if native.repository_name() != "@":
        rule(name = name, srcs = srcs, deps = deps, copts = copts, **attributes)
        return
    if type(deps) != "list" or copts:
        rule(name = name, srcs = srcs, deps = deps, copts = _WARNINGS + copts, **attributes)
        return
    header = _precompiled(deps)
    together = compiled_together(name, srcs, testonly = attributes.get("testonly"))
    rule(
        name = name,
        srcs = together.srcs,
        copts = _WARNINGS + precompiled_header_options("$(BINDIR)", header),
        deps = deps + ["@precompiled//:" + header] + together.deps,
        **attributes
    )

def cc_binary(name, **attributes):
    _fast(native.cc_binary, name, **attributes)

def cc_library(name, **attributes):
    # Otherwise `//...` also builds a shared library of each, which nothing uses.
    _fast(native.cc_library, name, linkstatic = True, **attributes)

def cc_test(name, **attributes):
    _fast(native.cc_test, name, **attributes)

cc_import = native.cc_import
cc_proto_library = native.cc_proto_library
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
fdo_prefetch_hints = native.fdo_prefetch_hints
fdo_profile = native.fdo_profile
objc_import = native.objc_import
objc_library = native.objc_library
