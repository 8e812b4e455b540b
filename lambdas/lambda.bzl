"""Lambda functions in C++: from a `cc_binary` to the zip that AWS Lambda takes.

    lambda_binary(
        name = "sender_bootstrap",
        srcs = ["main.cc"],
        deps = ["//core/lambda"],
    )

    lambda_zip(
        name = "sender",
        binary = ":sender_bootstrap",
    )

`bazel build //lambdas:sender` makes `bazel-bin/lambdas/sender.zip`, with one entry, the executable `bootstrap`,
which is what the runtime `provided.al2023` starts. The program is linked fully statically: it brings its C library
along, so that it may be built against a newer one than AWS has, and needs no loader and no script to start.

The zip has the same bytes whatever the command line says about the rest of the build: the same source with the
same lock gives the same zip, also while everything else is built for debugging or with a sanitizer.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary")

# What the command line, and the configs of .bazelrc, may say differently from build to build, and what it is for a
# function. Everything that goes into a zip is built with these.
_SETTINGS = {
    "//command_line_option:collect_code_coverage": False,
    "//command_line_option:compilation_mode": "opt",
    "//command_line_option:conlyopt": [],
    "//command_line_option:copt": [],
    "//command_line_option:linkopt": [],
    "//command_line_option:platform_suffix": "",
    "//command_line_option:stamp": False,
    "//command_line_option:strip": "sometimes",
}

def _lambda_transition_impl(_settings, _attr):
    return _SETTINGS

_lambda_transition = transition(
    implementation = _lambda_transition_impl,
    inputs = [],
    outputs = _SETTINGS.keys(),
)

def _lambda_zip_impl(ctx):
    # A dependency behind a transition comes as a list.
    binary = ctx.attr.binary[0][DefaultInfo].files_to_run.executable
    zip = ctx.actions.declare_file(ctx.label.name + ".zip")

    # c: create, C: compress. Times are fixed and the mode is the file's, so that zips are reproducible.
    arguments = ctx.actions.args()
    arguments.add("cC")
    arguments.add(zip)
    arguments.add(binary, format = "bootstrap=%s")
    ctx.actions.run(
        executable = ctx.executable._zipper,
        arguments = [arguments],
        inputs = [binary],
        outputs = [zip],
        mnemonic = "LambdaZip",
        progress_message = "Packing %s" % zip.short_path,
    )
    return [DefaultInfo(
        files = depset([zip]),
        runfiles = ctx.runfiles(files = [zip]),
    )]

lambda_zip = rule(
    implementation = _lambda_zip_impl,
    doc = "Packs a program into `<name>.zip` as `bootstrap`, always built for size and speed.",
    attrs = {
        "binary": attr.label(
            cfg = _lambda_transition,
            doc = "The program, a lambda_binary.",
            mandatory = True,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        "_zipper": attr.label(
            cfg = "exec",
            default = "@bazel_tools//tools/zip:zipper",
            executable = True,
        ),
    },
)

def lambda_binary(name, srcs, deps):
    """Declares a program that is linked fully statically and without symbols.

    It is `manual`, and so not built by `//...`: its zip builds it, in the one configuration that counts.

    Args:
      name: the name of the target.
      srcs: the sources, main() among them.
      deps: what the sources use.
    """
    cc_binary(
        name = name,
        srcs = srcs,
        features = ["fully_static_link"],
        linkopts = ["-s"],
        linkstatic = True,
        tags = ["manual"],
        visibility = ["//lambdas:__pkg__"],
        deps = deps + ["@static_nss"],
    )
