"""The .cc files of a target, compiled as one.

    together = compiled_together("sqs", ["engine.cc", "queue.cc", "tags.h"])
    native.cc_library(name = "sqs", srcs = together.srcs, deps = deps + together.deps)

compiles one file that includes engine.cc and queue.cc: what both include is read once, and what both instantiate is
made once. So two files of a target can't each have a name of their own for something else in the same namespace, not
even in an anonymous one; the compiler says so.

With `--config=separate` every file is compiled by itself, except in an optimized build.
"""

def _one_file_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.write(out, "".join(['#include "%s"\n' % file.short_path for file in ctx.files.srcs]))
    return [DefaultInfo(files = depset([out]))]

_one_file = rule(
    implementation = _one_file_impl,
    attrs = {"srcs": attr.label_list(allow_files = [".cc"])},
)

def compiled_together(name, srcs, testonly = False):
    """Declares what the target `name` needs for compiling its `srcs` as one.

    Args:
      name: the name of the target.
      srcs: its srcs.
      testonly: whether it is for tests alone.

    Returns:
      A struct with the srcs to give it, and deps to add.
    """
    files = [src for src in srcs if src.endswith(".cc")] if type(srcs) == "list" else []
    if len(files) < 2:
        return struct(srcs = srcs, deps = [])
    one_file = name + "_together"
    _one_file(
        name = one_file,
        srcs = files,
        testonly = testonly,
        tags = ["manual"],
    )

    # To Bazel, files that are included and not compiled are headers.
    parts = name + "_parts"
    native.cc_library(
        name = parts,
        testonly = testonly,
        tags = ["manual"],
        textual_hdrs = files,
    )
    others = [src for src in srcs if not src.endswith(".cc")]
    return struct(
        srcs = select({
            "@precompiled//:separate": srcs,
            "@precompiled//:separate_but_optimized": others + [one_file],
            "//conditions:default": others + [one_file],
        }),
        deps = select({
            "@precompiled//:separate": [],
            "@precompiled//:separate_but_optimized": [parts],
            "//conditions:default": [parts],
        }),
    )
