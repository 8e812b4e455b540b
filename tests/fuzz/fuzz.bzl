"""Fuzz targets that also run as ordinary tests.

    fuzz_test(
        name = "iso8601_fuzz",
        srcs = ["iso8601_fuzz.cc"],
        corpus = glob(["corpus/iso8601/*"]),
        deps = ["//core/time"],
    )

The source defines `LLVMFuzzerTestOneInput` and aborts when something is wrong. It can be run in two ways:

    bazel test //tests/fuzz:iso8601_fuzz
    bazel run --config=fuzz //tests/fuzz:iso8601_fuzz_fuzzer -- -max_total_time=60

The first tries the corpus and some thousands of mutations of it, always the same ones, with any compiler; so many
times as many with --test_env=BYOSHIN_FUZZ_TIMES=4, the others after the same ones. The second is libFuzzer, guided by
coverage, which needs clang; it starts from the same corpus, and takes libFuzzer's options, and a folder to keep what
it finds.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")

def fuzz_test(name, srcs, deps, corpus = [], runs = 5000):
    """Declares `name`, a test, and `name`_fuzzer, a libFuzzer binary.

    Args:
      name: the name of the test.
      srcs: the sources, one of which defines LLVMFuzzerTestOneInput.
      deps: what the sources use.
      corpus: files, each of which is one input to start from.
      runs: how many mutations the test tries.
    """
    paths = ["$(rootpath %s)" % file for file in corpus]

    cc_test(
        name = name,
        size = "small",
        srcs = srcs,
        args = ["-seed=1", "-runs=%d" % runs] + paths,
        data = corpus,
        deps = deps + ["//tests/fuzz:standalone_driver"],
    )

    # Manual: linking it needs clang, that is, --config=fuzz.
    cc_binary(
        name = name + "_fuzzer",
        testonly = True,
        srcs = srcs,
        args = ["-seed_inputs=" + ",".join(paths)] if paths else [],
        data = corpus,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = deps,
    )
