"""Chromium as a folder from which it runs.

    unpacked_chromium(name = "chromium")

makes the folder from @chromium. To unpack it takes longer than to start it, so tests share what is made once.
"""

def _unpacked_chromium_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    packed = ctx.file._packed
    ctx.actions.run(
        executable = ctx.file._node,
        arguments = [ctx.file._unpack.path, packed.path, folder.path],
        inputs = [packed, ctx.file._unpack],
        outputs = [folder],
        mnemonic = "UnpackChromium",
        progress_message = "Unpacking Chromium",
        use_default_shell_env = True,  # for tar
    )
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles([folder]))]

unpacked_chromium = rule(
    doc = "Makes the folder {name}.",
    implementation = _unpacked_chromium_impl,
    attrs = {
        "_node": attr.label(
            allow_single_file = True,
            cfg = "exec",
            default = "@node",
        ),
        "_packed": attr.label(
            allow_single_file = True,
            default = "@chromium",
        ),
        "_unpack": attr.label(
            allow_single_file = True,
            default = "//tests/browser:unpack.js",
        ),
    },
)
